//! Decoding into memory, with the steps of [`decode`](super::super::decode) in the same order.

use alloc::borrow::Cow;

use super::super::constraint::{self, Listed, When};
use super::super::decode::{Expect, dangling, starts};
use super::super::judge::{Judge, within};
use super::super::open::Keys;
use super::super::types::LAYERS;
use super::super::{Data, Types, Value, decode, leaf};
use super::fields::{sequence, set};
use super::keys::Frame;
use super::{Stopped, Target};
use crate::__private::again;
use crate::any::Any;
use crate::decode::Decode;
use crate::engine::contained::{contained, contained_in};
use crate::fault::Fault;
use crate::kind::Kind;
use crate::open::tolerant;
use crate::options::Session;
use crate::reader::Reader;
use crate::rule::{Rule, RuleSet};
use crate::table::{Constraint, Field, ObjectSet, Shape, Tagging, Type, TypeRef};

/// Reads one value of a type.
pub(super) fn value<'a, 's: 'a, T: Target<'a>>(
    types: Types<'s>,
    ty: &'s Type,
    reader: &mut Reader<'a, '_>,
    out: &mut T,
    place: T::Place,
) -> Result<(), Fault> {
    let types: Types<'a> = types;
    // Every selector belongs to an object set.
    let selectors = types.schema().is_none_or(|schema| !schema.sets.is_empty());
    let at = At { types, frame: None, layer: 0, selectors };
    element(at, Expect { ty, implicit: None, containing: None }, reader, out, place).map(|_| ())
}

/// Position of the decoder in the tables.
#[derive(Clone, Copy)]
pub(super) struct At<'x, 'a> {
    pub(super) types: Types<'a>,
    pub(super) frame: Option<&'x Frame<'x, 'a>>,
    pub(super) layer: usize,
    /// Set if the schema has selectors, which need to know where components are.
    pub(super) selectors: bool,
}

/// The value that was read, as far as constraints usually look at it.
#[derive(Clone, Copy)]
pub(super) enum Read<'a> {
    /// A type without components, and its content.
    Leaf(&'a Type, &'a [u8]),
    /// The items of a list.
    Items(usize),
    /// Another value.
    Whole,
}

/// What was read, for constraints that need a value of it.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Content(&'a Type, Option<TypeRef>),
    Element(&'a Type, Option<TypeRef>),
    Field(&'a Field),
}

impl<'a> At<'_, 'a> {
    fn deeper(self, reader: &Reader<'_, '_>) -> Result<Self, Fault> {
        if self.layer >= LAYERS {
            return Err(reader.fault(Kind::Internal, reader.position()));
        }
        Ok(Self { layer: self.layer + 1, ..self })
    }

    fn inside(self) -> Self {
        Self { layer: 0, ..self }
    }

    /// The value that was read since a position.
    pub(super) fn value(
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

    /// Holds a value that was read to constraints.
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
                reader.deviate(&Rule::SIZE, Kind::Size, position)?;
            }
            return Ok(());
        }
        let value = self.value(read, subject, reader, position)?;
        let checks = reader.session().map_or(&[][..], |session| session.options().user_checks_in_force());
        let judge = Judge::new(self.types, self.frame.map(|frame| frame as &dyn Keys<'a>), checks);
        constraint::check(judge, listed, &value, reader, position, when)
    }
}

/// Returns whether constraints are only about what a string contains, which is checked by reading it.
pub(super) fn is_trivial(constraints: &[Constraint]) -> bool {
    constraints.iter().all(|constraint| matches!(constraint, Constraint::Containing(_)))
}

/// Returns whether a constraint is about a size.
pub(super) fn is_size(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Size { .. })
}

/// Returns whether a constraint about a size allows one.
pub(super) fn has_size(constraint: &Constraint, size: usize) -> bool {
    match constraint {
        Constraint::Size { ranges, extensible: false } => within(ranges, i128::try_from(size).unwrap_or(i128::MAX)),
        _ => true,
    }
}

/// The fault after the memory stopped the decoding. Its owner knows why.
pub(super) fn stopped<P>(place: Result<P, Stopped>, reader: &Reader<'_, '_>) -> Result<P, Fault> {
    place.map_err(|Stopped| reader.fault(Kind::Internal, reader.position()))
}

/// Reads a component or an alternative, and holds it to the constraints that stand there.
pub(super) fn field<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    field: &'a Field,
    reader: &mut Reader<'a, '_>,
    out: &mut T,
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
    out: &mut T,
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
fn element<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    expect: Expect<'a>,
    reader: &mut Reader<'a, '_>,
    out: &mut T,
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

/// Reads the content, of `len` bytes, of a type with a tag.
fn content<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    ty: &'a Type,
    containing: Option<TypeRef>,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut T,
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
            let place = stopped(out.contained(place), reader)?;
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
                return Err(reader.fault(Kind::IntegerRange, position));
            }
            out.leaf(place, ty, content);
            Read::Leaf(ty, content)
        }
    };
    at.check(Listed::of(&ty.constraints), (read, Subject::Content(ty, containing)), reader, position, when)?;
    Ok(read)
}

/// Reads a CHOICE or an open type, perhaps under other names.
fn untagged<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    ty: &'a Type,
    reader: &mut Reader<'a, '_>,
    out: &mut T,
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
                    let place = stopped(out.part(place, index), reader)?;
                    field(at, alternative, reader, out, place)?;
                }
                None if *extensible => out.unknown(place, Any::decode(reader)?.as_bytes()),
                None => return Err(reader.no_alternative()),
            }
        }
        Shape::Open { set: Some(set), selector } => {
            let set = set.get(at.types.schema()).ok_or_else(|| dangling(reader))?;
            governed(at, (set, selector), false, reader, out, place)?;
        }
        Shape::Open { set: None, .. } => out.unknown(place, Any::decode(reader)?.as_bytes()),
        _ => return Err(dangling(reader)),
    }
    let subject = Subject::Element(ty, None);
    at.check(Listed::of(&ty.constraints), (Read::Whole, subject), reader, start, When::Both)?;
    Ok(Read::Whole)
}

/// Reads a value of an open type that an object set governs. What is `wrapped` in a string is all that is left there.
fn governed<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    (set, selector): (&'a ObjectSet, &'a str),
    wrapped: bool,
    reader: &mut Reader<'a, '_>,
    out: &mut T,
    place: T::Place,
) -> Result<(), Fault> {
    let start = reader.position();
    let key = at.frame.and_then(|frame| frame.key(at.types, selector));
    let object = key.and_then(|key| set.objects.iter().position(|object| *object.key == *key));
    if let Some(object) = object
        && let Some(ty) = set.objects.get(object).and_then(|object| at.types.get(&object.ty))
    {
        let read = |reader: &mut Reader<'a, '_>| {
            let place = stopped(out.selected(place, set, object), reader)?;
            element(at, Expect { ty, implicit: None, containing: None }, reader, out, place)
        };
        if tolerant(reader, wrapped, read)?.is_some() {
            return Ok(());
        }
    }
    if wrapped {
        reader.take(reader.remaining())?;
    } else {
        Any::decode(reader)?;
    }
    out.unknown(place, reader.since(start));
    Ok(())
}

/// The number of elements that are left, up to and including the first one that is malformed.
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

/// Reads the items of a SEQUENCE OF or SET OF, and returns their number.
fn items<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    item: &'a TypeRef,
    set: bool,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut T,
    place: T::Place,
) -> Result<usize, Fault> {
    let ty = at.types.get(item).ok_or_else(|| dangling(reader))?;
    reader.nested(len, |reader| {
        let list = stopped(out.items(place, count(reader)), reader)?;
        let mut previous: &[u8] = &[];
        let mut index = 0;
        while !reader.is_empty() {
            let start = reader.position();
            let place = stopped(out.part(list, index), reader)?;
            element(at, Expect { ty, implicit: None, containing: None }, reader, out, place)?;
            let current = reader.since(start);
            // X.690 §11.6; no encoding is a prefix of another.
            if set && previous > current {
                reader.deviate(&Rule::SET_OF_ORDER, Kind::SetOfOrder, start)?;
            }
            previous = current;
            index += 1;
        }
        reader.spend_elements(index)?;
        Ok(index)
    })
}
