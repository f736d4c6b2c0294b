//! Decoding into memory, with the steps of [`decode`](super::super::decode) in the same order.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::super::constraint::{self, Listed, When};
use super::super::decode::{Expect, dangling, is_default, starts, with_default};
use super::super::fields::{additions as extent_of, is_addition};
use super::super::judge::{Judge, within};
use super::super::open::{Ahead, Keys};
use super::super::types::LAYERS;
use super::super::{Data, Types, Value, decode, leaf};
use super::keys::{Found, Frame};
use super::{Late, Out};
use super::{Stopped, Target};
use crate::__private::{SetOrder, again};
use crate::any::Any;
use crate::decode::Decode;
use crate::engine::contained::{contained, contained_in};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::open::tolerant;
use crate::options::Session;
use crate::reader::Reader;
use crate::rule::{Rule, RuleSet};
use crate::table::{Constraint, Field, Fields, ObjectSet, Presence, Shape, Tagging, Type, TypeRef};

/// Reads one value of a type.
pub(super) fn value<'a, 's: 'a, T: Target<'a>>(
    types: Types<'s>,
    ty: &'s Type,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<(), Fault> {
    element(At::new(types), Expect { ty, implicit: None, containing: None }, reader, out, place).map(|_| ())
}

/// The position of the decoder in the tables.
#[derive(Clone, Copy)]
pub(super) struct At<'x, 'a> {
    types: Types<'a>,
    frame: Option<&'x Frame<'x, 'a>>,
    layer: usize,
    /// True if the schema has selectors, which look up components by position.
    selectors: bool,
}

/// The decoded value, in the form that most constraint checks need.
#[derive(Clone, Copy)]
pub(super) enum Read<'a> {
    /// A type without components, and its content.
    Leaf(&'a Type, &'a [u8]),
    /// The items of a list.
    Items(usize),
    /// Another value.
    Whole,
}

/// The decoded bytes, for constraints on whole values.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Content(&'a Type, Option<TypeRef>),
    Element(&'a Type, Option<TypeRef>),
    Field(&'a Field),
}

impl<'a> At<'_, 'a> {
    pub(super) fn new(types: Types<'a>) -> Self {
        // Every selector belongs to an object set.
        let selectors = types.schema().is_none_or(|schema| !schema.sets.is_empty());
        Self { types, frame: None, layer: 0, selectors }
    }

    fn deeper(self, reader: &Reader<'_, '_>) -> Result<Self, Fault> {
        if self.layer >= LAYERS {
            return Err(reader.fault(FaultKind::Internal, reader.position()));
        }
        Ok(Self { layer: self.layer + 1, ..self })
    }

    fn inside(self) -> Self {
        Self { layer: 0, ..self }
    }

    /// Returns the value decoded since a position.
    fn value(
        self,
        read: Read<'a>,
        subject: Subject<'a>,
        reader: &Reader<'a, '_>,
        position: usize,
    ) -> Result<Value<'a>, Fault> {
        if let Read::Leaf(base, content) = read {
            let ty = match subject {
                Subject::Content(..) => base,
                Subject::Element(ty, _) => ty,
                Subject::Field(field) => self.types.get(&field.ty).unwrap_or(base),
            };
            let data = Data::Leaf(Cow::Borrowed(content));
            return Ok(Value { ty, base, octets: None, offset: 0, secret: false, verbatim: false, data });
        }
        // Whatever was tolerated was noted when it was read.
        let session = Session::new(again(reader).rules(RuleSet::ALL));
        let octets = reader.since(position);
        let base = reader.offset().wrapping_sub(octets.len());
        let mut again = Reader::with_session(octets, &session)?.at_base(base);
        let at = decode::At::unconstrained(self.types);
        match subject {
            Subject::Content(ty, containing) => decode::content(at, ty, containing, &mut again, octets.len()),
            Subject::Element(ty, containing) => {
                decode::element(at, Expect { ty, implicit: None, containing }, &mut again)
            }
            Subject::Field(field) => decode::component(at, field, &mut again),
        }
    }

    /// Checks a decoded value against constraints.
    #[inline]
    fn check(
        self,
        listed: Listed<'_>,
        (read, subject): (Read<'a>, Subject<'a>),
        reader: &Reader<'a, '_>,
        position: usize,
        when: When,
    ) -> Result<(), Fault> {
        if listed.constraints.is_empty() || is_trivial(listed.constraints) {
            return Ok(());
        }
        self.check_all(listed, (read, subject), reader, position, when)
    }

    fn check_all(
        self,
        listed: Listed<'_>,
        (read, subject): (Read<'a>, Subject<'a>),
        reader: &Reader<'a, '_>,
        position: usize,
        when: When,
    ) -> Result<(), Fault> {
        if let (Read::Items(count), true) = (read, listed.constraints.iter().all(is_size)) {
            if when != When::Outside && !listed.constraints.iter().all(|size| has_size(size, count)) {
                reader.deviate(&Rule::SIZE, FaultKind::Size, position)?;
            }
            return Ok(());
        }
        let value = self.value(read, subject, reader, position)?;
        let checks = reader.session().map_or(&[][..], |session| session.options().user_checks_in_force());
        let judge = Judge::new(self.types, self.frame.map(|frame| frame as &dyn Keys<'a>), checks);
        constraint::check(judge, listed, &value, reader, position, when)
    }
}

/// Returns whether the constraints only specify a string's contained type, which decoding already checks.
pub(super) fn is_trivial(constraints: &[Constraint]) -> bool {
    constraints.iter().all(|constraint| matches!(constraint, Constraint::Containing(_)))
}

/// Returns whether a constraint is a SIZE constraint.
pub(super) fn is_size(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Size { .. })
}

/// Returns whether a SIZE constraint permits a size.
pub(super) fn has_size(constraint: &Constraint, size: usize) -> bool {
    match constraint {
        Constraint::Size { ranges, extensible: false } => within(ranges, i128::try_from(size).unwrap_or(i128::MAX)),
        _ => true,
    }
}

/// Converts [`Stopped`] to a fault. Only the memory's owner knows the reason.
pub(super) fn stopped<P>(place: Result<P, Stopped>, reader: &Reader<'_, '_>) -> Result<P, Fault> {
    place.map_err(|Stopped| reader.fault(FaultKind::Internal, reader.position()))
}

/// Decodes a component or an alternative, and checks its constraints.
fn field<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    field: &'a Field,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<Read<'a>, Fault> {
    let position = reader.position();
    let ty = at.types.get(&field.ty).ok_or_else(|| dangling(reader))?;
    let expect = Expect { ty, implicit: None, containing: contained_in(field) };
    let read = tagged(at, &field.tagging, expect, reader, out, place)?;
    let listed = Listed { constraints: &field.constraints, containing: field.containing };
    at.check(listed, (read, Subject::Field(field)), reader, position, When::Both)?;
    Ok(read)
}

// Recursion follows the tags of a component in the schema.
fn tagged<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    tagging: &'a [Tagging],
    expect: Expect<'a>,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<Read<'a>, Fault> {
    match tagging {
        [] => element(at, expect, reader, out, place),
        [first, rest @ ..] => {
            let tag = expect.implicit.unwrap_or(first.tag);
            if first.explicit {
                let expect = Expect { implicit: None, ..expect };
                reader.element(tag.constructed(), |reader| tagged(at.inside(), rest, expect, reader, out, place))
            } else {
                tagged(at.deeper(reader)?, rest, Expect { implicit: Some(tag), ..expect }, reader, out, place)
            }
        }
    }
}

// The depth of the input is limited by the reader's budget.
pub(super) fn element<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    expect: Expect<'a>,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<Read<'a>, Fault> {
    let Expect { ty, implicit, containing } = expect;
    match at.types.tag(ty) {
        Some(own) => {
            let len = reader.expect(implicit.map_or(own, |tag| tag.formed_like(own)))?;
            content(at, ty, containing, (reader, len), out, place)
        }
        // X.680 §31.2.7: what has no tag of its own is tagged explicitly.
        None => match implicit {
            Some(tag) => reader.element(tag.constructed(), |reader| untagged(at.inside(), ty, reader, out, place)),
            None => untagged(at, ty, reader, out, place),
        },
    }
}

/// Decodes the content of a tagged type, of `len` bytes.
fn content<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    ty: &'a Type,
    containing: Option<TypeRef>,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<Read<'a>, Fault> {
    let position = reader.position();
    let containing = containing.or_else(|| contained(ty));
    let mut when = When::Both;
    let read = match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, tagging: Tagging { explicit: false, .. } } => {
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            content(at.deeper(reader)?, inner, containing, (reader, len), out, place)?
        }
        Shape::Tagged { inner, .. } => {
            when = When::Outside;
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            let expect = Expect { ty: inner, implicit: None, containing };
            reader.nested(len, |reader| {
                let read = element(at.inside(), expect, reader, out, place)?;
                let subject = Subject::Element(inner, containing);
                at.check(Listed::of(&ty.constraints), (read, subject), reader, position, When::Inside)?;
                Ok(read)
            })?
        }
        Shape::Sequence(list) | Shape::Presentation(list) => {
            sequence(at.inside(), list, (reader, len), out, place)?;
            Read::Whole
        }
        Shape::Set(list) => {
            set(at.inside(), list, (reader, len), out, place)?;
            Read::Whole
        }
        Shape::SequenceOf(item) => Read::Items(items(at.inside(), item, false, (reader, len), out, place)?),
        Shape::SetOf(item) => Read::Items(items(at.inside(), item, true, (reader, len), out, place)?),
        // A table whose tag belongs to what it does not describe.
        Shape::Choice { .. } | Shape::Open { .. } => {
            reader.nested(len, |reader| untagged(at.inside(), ty, reader, out, place))?
        }
        shape @ (Shape::OctetString | Shape::BitString(_)) if containing.is_some() => {
            let inner = containing.as_ref().and_then(|inner| at.types.get(inner)).ok_or_else(|| dangling(reader))?;
            reader.spend_values(1)?;
            let place = stopped(out.target.contained(place), reader)?;
            reader.nested(len, |reader| {
                if matches!(shape, Shape::BitString(_)) {
                    reader.no_unused_bits()?;
                }
                let at = at.inside();
                match &inner.shape {
                    Shape::Open { set: Some(set), selector } => {
                        let set = set.get(at.types.schema()).ok_or_else(|| dangling(reader))?;
                        governed(at, (set, selector), true, reader, out, place).map(|_| ())
                    }
                    _ => {
                        let expect = Expect { ty: inner, implicit: None, containing: None };
                        element(at, expect, reader, out, place).map(|_| ())
                    }
                }
            })?;
            Read::Whole
        }
        shape => {
            if !leaf::read(shape, reader, len)? {
                return Err(dangling(reader));
            }
            let content = reader.since(position);
            if !constraint::is_held(ty, content) {
                return Err(reader.fault(FaultKind::IntegerRange, position));
            }
            out.target.leaf(place, ty, content);
            Read::Leaf(ty, content)
        }
    };
    at.check(Listed::of(&ty.constraints), (read, Subject::Content(ty, containing)), reader, position, when)?;
    Ok(read)
}

/// Decodes a CHOICE or an open type, possibly through named types.
fn untagged<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    ty: &'a Type,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<Read<'a>, Fault> {
    let start = reader.position();
    let at = at.deeper(reader)?;
    match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, .. } => {
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            untagged(at, inner, reader, out, place)?;
        }
        Shape::Choice { alternatives, extensible } => {
            match alternatives.iter().enumerate().find(|(_, next)| starts(at.types, next, reader)) {
                Some((index, alternative)) => {
                    reader.spend_values(1)?;
                    let place = stopped(out.target.part(place, index), reader)?;
                    field(at, alternative, reader, out, place)?;
                }
                None if *extensible => out.target.unknown(place, Any::decode(reader)?.as_bytes()),
                None => return Err(reader.no_alternative()),
            }
        }
        Shape::Open { set: Some(set), selector } => {
            let set = set.get(at.types.schema()).ok_or_else(|| dangling(reader))?;
            governed(at, (set, selector), false, reader, out, place)?;
        }
        Shape::Open { set: None, .. } => out.target.unknown(place, Any::decode(reader)?.as_bytes()),
        _ => return Err(dangling(reader)),
    }
    let subject = Subject::Element(ty, None);
    at.check(Listed::of(&ty.constraints), (Read::Whole, subject), reader, start, When::Both)?;
    Ok(Read::Whole)
}

/// Decodes a value of an open type governed by an object set. If `wrapped` is true, the value must extend to the end of the
/// enclosing string.
fn governed<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    (set, selector): (&'a ObjectSet, &'a str),
    wrapped: bool,
    reader: &mut Reader<'a, '_>,
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<(), Fault> {
    let start = reader.position();
    let key = at.frame.and_then(|frame| frame.key(at.types, selector));
    let is_late = key.is_none();
    if let (true, Some(session)) = (is_late, reader.session()) {
        session.postpone();
    }
    let (offset, depth, before) = (reader.offset(), reader.depth_left(), out.late.len());
    let object = key.and_then(|key| set.objects.iter().position(|object| *object.key == *key));
    if let Some(object) = object
        && let Some(ty) = set.objects.get(object).and_then(|object| at.types.get(&object.ty))
    {
        let read = |reader: &mut Reader<'a, '_>| {
            let place = stopped(out.target.selected(place, set, object), reader)?;
            element(at, Expect { ty, implicit: None, containing: None }, reader, out, place)
        };
        if tolerant(reader, wrapped, read)?.is_some() {
            return Ok(());
        }
        out.late.truncate(before);
    }
    if wrapped {
        reader.take(reader.remaining())?;
    } else {
        Any::decode(reader)?;
    }
    let octets = reader.since(start);
    if is_late {
        out.late.push(Late { place, set, octets, offset, depth });
    } else {
        out.target.unknown(place, octets);
    }
    Ok(())
}

/// Counts the remaining elements, up to and including the first malformed one.
fn count(reader: &Reader<'_, '_>) -> usize {
    let noted = reader.noted();
    let mut ahead = reader.clone();
    let mut count = 0;
    while !ahead.is_empty() {
        count += 1;
        if ahead.skip().is_err() {
            break;
        }
    }
    if let Some(session) = reader.session() {
        session.forget_after(noted);
    }
    count
}

/// Decodes the items of a SEQUENCE OF or SET OF, and returns their number.
fn items<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    item: &'a TypeRef,
    set: bool,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<usize, Fault> {
    let ty = at.types.get(item).ok_or_else(|| dangling(reader))?;
    reader.nested(len, |reader| {
        let count = count(reader);
        reader.spend_values(count)?;
        let list = stopped(out.target.items(place, count), reader)?;
        let mut previous: &[u8] = &[];
        let mut index = 0;
        while !reader.is_empty() {
            let start = reader.position();
            let place = stopped(out.target.part(list, index), reader)?;
            element(at, Expect { ty, implicit: None, containing: None }, reader, out, place)?;
            let current = reader.since(start);
            // X.690 §11.6; no encoding is a prefix of another.
            if set && previous > current {
                reader.deviate(&Rule::SET_OF_ORDER, FaultKind::SetOfOrder, start)?;
            }
            previous = current;
            index += 1;
        }
        reader.spend_elements(index)?;
        Ok(index)
    })
}

/// The components of a SEQUENCE or SET during decoding.
struct Among<'x, 'a, T: Target<'a>> {
    at: At<'x, 'a>,
    fields: &'a Fields,
    content: &'a [u8],
    /// The position of the content.
    origin: usize,
    starts: Vec<Option<usize>>,
    found: Found<'a>,
    place: T::Place,
}

impl<'a, T: Target<'a>> Among<'_, 'a, T> {
    /// Decodes a component that is present.
    fn read(
        &mut self,
        index: usize,
        next: &'a Field,
        ahead: Option<&Ahead<'_>>,
        reader: &mut Reader<'a, '_>,
        out: &mut Out<'_, 'a, T>,
    ) -> Result<(), Fault> {
        let position = reader.position();
        let place = stopped(out.target.part(self.place, index), reader)?;
        let read = {
            let frame = Frame {
                fields: self.fields,
                content: self.content,
                starts: &self.starts,
                found: &self.found,
                current: index,
                ahead,
                session: reader.session(),
                outer: self.at.frame,
            };
            field(At { frame: Some(&frame), ..self.at }, next, reader, out, place)?
        };
        // X.690 §11.5. A component with its DEFAULT value is absent even if it was encoded.
        if matches!(next.presence, Presence::Default(_)) {
            let value = self.at.value(read, Subject::Field(next), reader, position)?;
            if is_default(self.at.types, next, &value) {
                reader.deviate(&Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, position)?;
                self.absent(index, next, out);
                return Ok(());
            }
        }
        if self.at.selectors
            && let Some(start) = self.starts.get_mut(index)
        {
            *start = Some(position.wrapping_sub(self.origin));
        }
        Ok(())
    }

    fn absent(&self, index: usize, next: &'a Field, out: &mut Out<'_, 'a, T>) {
        let place = self.place;
        let done = with_default(self.at.types, next, |default| out.target.absent(place, index, Some(default)));
        if done.is_none() {
            out.target.absent(place, index, None);
        }
    }

    fn starts(&self, next: &'a Field, reader: &Reader<'_, '_>) -> bool {
        starts(self.at.types, next, reader)
    }

    fn component(
        &mut self,
        index: usize,
        next: &'a Field,
        reader: &mut Reader<'a, '_>,
        out: &mut Out<'_, 'a, T>,
    ) -> Result<(), Fault> {
        if matches!(next.presence, Presence::Required) || self.starts(next, reader) {
            return self.read(index, next, None, reader, out);
        }
        self.absent(index, next, out);
        Ok(())
    }

    /// Decodes an addition group. It is present if any of its components is, and its required components must then be present.
    /// Returns the number of components.
    fn group(&mut self, index: usize, reader: &mut Reader<'a, '_>, out: &mut Out<'_, 'a, T>) -> Result<usize, Fault> {
        let rest = self.fields.list.get(index..).unwrap_or_default();
        let number = rest.first().and_then(|first| first.group);
        let end = extent_of(self.fields).map_or(0, |extent| extent.end.saturating_sub(index));
        let len = rest.iter().take(end).take_while(|member| member.group == number).count();
        let members = rest.get(..len).unwrap_or_default();
        let there = members.iter().any(|member| self.starts(member, reader));
        for (member, index) in members.iter().zip(index..) {
            if there {
                self.component(index, member, reader, out)?;
            } else {
                self.absent(index, member, out);
            }
        }
        // A group has a component: the one that it was found by.
        Ok(len.max(1))
    }

    /// Collects unknown elements, up to the end of the SEQUENCE or a component after the second extension marker.
    fn unknown(
        &self,
        known: &'a [Field],
        roots: &'a [Field],
        reader: &mut Reader<'a, '_>,
        out: &mut Out<'_, 'a, T>,
    ) -> Result<(), Fault> {
        // Up to the first one that must be there.
        let last = roots.iter().position(|root| matches!(root.presence, Presence::Required)).map(|last| last + 1);
        let next = roots.get(..last.unwrap_or(roots.len())).unwrap_or_default();
        let mut additions: Vec<&'a [u8]> = Vec::new();
        while !reader.is_empty() {
            if known.iter().any(|member| self.starts(member, reader)) {
                return Err(reader.fault(FaultKind::UnexpectedTag, reader.position()));
            }
            if next.iter().any(|member| self.starts(member, reader)) {
                break;
            }
            additions.push(Any::decode(reader)?.as_bytes());
        }
        if !additions.is_empty() {
            out.target.additions(self.place, &additions);
        }
        Ok(())
    }
}

fn among<'x, 'a, T: Target<'a>>(
    at: At<'x, 'a>,
    fields: &'a Fields,
    reader: &Reader<'a, '_>,
    place: T::Place,
) -> Among<'x, 'a, T> {
    let starts = if at.selectors { alloc::vec![None; fields.list.len()] } else { Vec::new() };
    let (content, origin) = (reader.rest(), reader.position());
    Among { at, fields, content, origin, starts, found: Found::default(), place }
}

/// Decodes the components of a SEQUENCE whose content has `len` bytes.
fn sequence<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<(), Fault> {
    reader.spend_values(fields.list.len())?;
    let outer = reader.enter(len)?;
    let extent = extent_of(fields);
    let mut among = among::<T>(at, fields, reader, place);
    let mut index = 0;
    loop {
        // What is unknown comes after the additions that are known.
        if let Some(extent) = extent.filter(|extent| extent.end == index) {
            let known = fields.list.get(extent.start..extent.end).unwrap_or_default();
            among.unknown(known, fields.list.get(extent.end..).unwrap_or_default(), reader, out)?;
        }
        match fields.list.get(index) {
            None => break,
            Some(next) if next.group.is_some() && is_addition(extent, index) => {
                index += among.group(index, reader, out)?;
            }
            Some(next) => {
                among.component(index, next, reader, out)?;
                index += 1;
            }
        }
    }
    // A marker at the end takes all that is left.
    if extent.is_some_and(|extent| extent.end == fields.list.len()) {
        reader.leave(outer)
    } else {
        reader.leave_components(outer)
    }
}

/// Decodes the components of a SET whose content has `len` bytes.
fn set<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut Out<'_, 'a, T>,
    place: T::Place,
) -> Result<(), Fault> {
    reader.spend_values(fields.list.len())?;
    let outer = reader.enter(len)?;
    let ahead = Ahead::new(reader);
    let mut among = among::<T>(at, fields, reader, place);
    // What was read, also if it has its DEFAULT value.
    let mut met = alloc::vec![false; fields.list.len()];
    let mut additions: Vec<&'a [u8]> = Vec::new();
    let mut order = SetOrder::new();
    while !reader.is_empty() {
        order.next(reader)?;
        let found = fields.list.iter().enumerate().find(|(_, next)| among.starts(next, reader));
        let Some((index, next)) = found else {
            if fields.marker.is_some() {
                reader.spend_elements(1)?;
                additions.push(Any::decode(reader)?.as_bytes());
            } else {
                reader.extra_component()?;
            }
            continue;
        };
        match met.get_mut(index) {
            Some(met) if !*met => *met = true,
            // Another alternative of a CHOICE has another tag, and so may come in order.
            _ => return Err(reader.fault(FaultKind::SetDuplicate, reader.position())),
        }
        among.read(index, next, Some(&ahead), reader, out)?;
    }
    if !additions.is_empty() {
        out.target.additions(place, &additions);
    }
    // The members of an addition group come together, but sender and receiver may know different versions.
    let extent = extent_of(fields);
    for (index, (next, met)) in fields.list.iter().zip(&met).enumerate() {
        if !met {
            if matches!(next.presence, Presence::Required) && !is_addition(extent, index) {
                return Err(reader.fault(FaultKind::Missing, reader.position()));
            }
            among.absent(index, next, out);
        }
    }
    reader.leave(outer)
}
