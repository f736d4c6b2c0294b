//! Encoding from memory: one backward pass, so that every length is known when it is written.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::super::constraint::{self, Listed};
use super::super::decode::{self, Expect, is_default, starts};
use super::super::judge::Judge;
use super::super::open::{Keys, default_key};
use super::super::types::LAYERS;
use super::super::{Data, Types, Value, additions, leaf};
use super::decode::{has_size, is_size, is_trivial};
use super::output::Output;
use super::{Chosen, Origin, Stopped};
use crate::any::{Any, check};
use crate::decode::Decode;
use crate::encode::EncodeError;
use crate::engine::components::Seen;
use crate::engine::contained::{contained, contained_in};
use crate::engine::selector::{Key, Selector};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Field, Fields, ObjectSet, Presence, Shape, Tagging, Type, TypeRef};

/// Encodes a value of a type.
pub(super) fn value<'v, O: Origin<'v>>(
    types: Types<'_>,
    ty: &Type,
    origin: &mut O,
    place: O::Place,
    budget: u64,
    constrained: bool,
) -> Result<Vec<u8>, EncodeError> {
    let mut output = Output::new(budget);
    let at = At { types, frame: None, layer: 0, depth: u32::from(Budget::MAX_DEPTH), constrained };
    element(at, Expect { ty, implicit: None, containing: None }, origin, place, &mut output)?;
    Ok(output.finish())
}

struct At<'x, 'a, P> {
    types: Types<'a>,
    frame: Option<&'x Frame<'x, 'a, P>>,
    layer: usize,
    /// The number of levels that can still be entered. The memory may contain a cycle.
    depth: u32,
    constrained: bool,
}

impl<P> Clone for At<'_, '_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for At<'_, '_, P> {}

/// The enclosing components of a value.
struct Frame<'x, 'a, P> {
    fields: &'a Fields,
    place: P,
    outer: Option<&'x Self>,
}

/// The encoded value, in the form that most constraint checks need. Its bytes lie between two lengths of the output.
#[derive(Clone, Copy)]
enum Wrote<'a> {
    /// A type without components, and its content.
    Leaf(&'a Type, usize, usize),
    /// The items of a list.
    Items(usize),
    /// Another value.
    Whole,
}

/// The encoded bytes, for constraints on whole values.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Content(&'a Type, Option<TypeRef>),
    Element(&'a Type),
    Field(&'a Field),
}

impl<'a, P: Copy> At<'_, 'a, P> {
    fn deeper(self) -> Result<Self, EncodeError> {
        if self.layer >= LAYERS { Err(misfit()) } else { Ok(Self { layer: self.layer + 1, ..self }) }
    }

    fn inside(self) -> Self {
        Self { layer: 0, ..self }
    }

    /// Returns the value encoded since the output had length `mark`.
    fn value<'o>(self, wrote: Wrote<'a>, subject: Subject<'a>, mark: usize, output: &'o Output) -> Option<Value<'o>>
    where
        'a: 'o,
    {
        if let Wrote::Leaf(base, before, after) = wrote {
            let ty = match subject {
                Subject::Content(..) => base,
                Subject::Element(ty) => ty,
                Subject::Field(field) => self.types.get(&field.ty).unwrap_or(base),
            };
            let data = Data::Leaf(Cow::Borrowed(output.between(before, after)));
            return Some(Value { ty, base, octets: None, offset: 0, secret: false, verbatim: false, data });
        }
        let budget = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
        let session = Session::new(Options::der().rules(RuleSet::ALL).budget(budget));
        let octets = output.between(mark, output.len());
        let types: Types<'o> = self.types;
        let read = |reader: &mut Reader<'o, '_>| -> Result<Value<'o>, Fault> {
            let at = decode::At::unconstrained(types);
            match subject {
                Subject::Content(ty, containing) => decode::content(at, ty, containing, reader, octets.len()),
                Subject::Element(ty) => decode::element(at, Expect { ty, implicit: None, containing: None }, reader),
                Subject::Field(field) => decode::component(at, field, reader),
            }
        };
        Reader::with_session(octets, &session).and_then(|mut reader| read(&mut reader)).ok()
    }

    /// Checks an encoded value against constraints.
    #[inline]
    fn check<'v, O: Origin<'v, Place = P>>(
        self,
        listed: Listed<'_>,
        (wrote, subject): (Wrote<'a>, Subject<'a>),
        mark: usize,
        output: &Output,
        origin: &mut O,
    ) -> Result<(), EncodeError> {
        if listed.constraints.is_empty() || !self.constrained || is_trivial(listed.constraints) {
            return Ok(());
        }
        self.check_all(listed, (wrote, subject), mark, output, origin)
    }

    fn check_all<'v, O: Origin<'v, Place = P>>(
        self,
        listed: Listed<'_>,
        (wrote, subject): (Wrote<'a>, Subject<'a>),
        mark: usize,
        output: &Output,
        origin: &mut O,
    ) -> Result<(), EncodeError> {
        if let (Wrote::Items(count), true) = (wrote, listed.constraints.iter().all(is_size)) {
            let fits = listed.constraints.iter().all(|size| has_size(size, count));
            return if fits { Ok(()) } else { Err(EncodeError::new(FaultKind::Size)) };
        }
        let value = self.value(wrote, subject, mark, output).ok_or_else(misfit)?;
        // A relation looks for its selector in the memory.
        let selectors = constraint::selectors(listed.constraints).into_iter();
        let keys: Vec<_> = selectors.map(|selector| (selector, self.key(selector, origin))).collect();
        let keys = Looked(&keys);
        let judge = Judge::new(self.types, Some(&keys), &[]);
        constraint::check_encoded(judge, listed, &value, Err)
    }

    /// Returns the key from the selecting component, or the combined key from several components.
    fn key<'v, O: Origin<'v, Place = P>>(self, selector: &str, origin: &mut O) -> Option<Vec<u8>> {
        let mut paths = Selector::all(selector);
        let (first, more) = (paths.next()?, paths.next().is_some());
        if !more {
            return self.one(first, origin);
        }
        let mut all = Key::default();
        for path in Selector::all(selector) {
            all.push(&self.one(path, origin)?);
        }
        Some(all.into_octets())
    }

    fn one<'v, O: Origin<'v, Place = P>>(self, selector: Selector<'_>, origin: &mut O) -> Option<Vec<u8>> {
        let position = |fields: &Fields, name: &str| fields.list.iter().position(|field| *field.name == *name);
        let around = core::iter::successors(self.frame, |frame| frame.outer);
        let frame = selector.start(around, |frame, name| position(frame.fields, name).is_some())?;
        let mut names = selector.names();
        let (mut fields, mut place) = (frame.fields, frame.place);
        loop {
            let field = fields.list.get(position(fields, names.next()?)?)?;
            let index = position(fields, &field.name)?;
            let mut base = self.types.base(self.types.get(&field.ty)?);
            let Some(inner) = origin.part(place, index).ok()? else {
                let Presence::Default(default) = &field.presence else { return None };
                return default_key(self.types, self.types.get(&field.ty)?, default, names).map(Cow::into_owned);
            };
            place = inner;
            // As many CHOICEs as can lie directly within each other.
            for _ in 0..LAYERS {
                let Shape::Choice { alternatives, .. } = &base.shape else { break };
                let Chosen::Alternative(index, inner) = origin.chosen(place).ok()? else { return None };
                base = self.types.base(self.types.get(&alternatives.get(index)?.ty)?);
                place = inner;
            }
            match &base.shape {
                Shape::Sequence(list) | Shape::Set(list) | Shape::Presentation(list) => fields = list,
                shape => {
                    let mut scratch = Vec::new();
                    let content = origin.leaf(place, base, &mut scratch).ok()?;
                    return leaf::canonical(shape, content).ok().map(Cow::into_owned);
                }
            }
        }
    }
}

/// The keys found so far, by selector.
#[derive(Debug)]
struct Looked<'x>(&'x [(&'x str, Option<Vec<u8>>)]);

impl<'a> Keys<'a> for Looked<'_> {
    fn key(&self, _: Types<'a>, selector: &str) -> Option<Cow<'_, [u8]>> {
        let (_, key) = self.0.iter().find(|(known, _)| *known == selector)?;
        key.as_deref().map(Cow::Borrowed)
    }
}

/// Creates the error for a value that does not match its type.
fn misfit() -> EncodeError {
    EncodeError::new(FaultKind::NotEncodable)
}

fn stopped<P>(place: Result<P, Stopped>) -> Result<P, EncodeError> {
    place.map_err(|Stopped| EncodeError::new(FaultKind::Internal))
}

/// Encodes a component or an alternative.
fn field<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    field: &'a Field,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<Wrote<'a>, EncodeError> {
    let mut write = || {
        let mark = output.len();
        let ty = at.types.get(&field.ty).ok_or_else(misfit)?;
        let expect = Expect { ty, implicit: None, containing: contained_in(field) };
        let wrote = tagged(at, &field.tagging, expect, origin, place, output)?;
        let listed = Listed { constraints: &field.constraints, containing: field.containing };
        at.check(listed, (wrote, Subject::Field(field)), mark, output, origin)?;
        Ok(wrote)
    };
    write().map_err(|error: EncodeError| error.inside_field(field))
}

// Recursion follows the tags of a component in the schema.
fn tagged<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    tagging: &'a [Tagging],
    expect: Expect<'a>,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<Wrote<'a>, EncodeError> {
    match tagging {
        [] => element(at, expect, origin, place, output),
        [first, rest @ ..] => {
            let tag = expect.implicit.unwrap_or(first.tag);
            if first.explicit {
                let mark = output.len();
                let wrote = tagged(at.inside(), rest, Expect { implicit: None, ..expect }, origin, place, output)?;
                output.header(tag.constructed(), mark)?;
                Ok(wrote)
            } else {
                tagged(at.deeper()?, rest, Expect { implicit: Some(tag), ..expect }, origin, place, output)
            }
        }
    }
}

// The depth of memory is limited.
fn element<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    expect: Expect<'a>,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<Wrote<'a>, EncodeError> {
    let Expect { ty, implicit, containing } = expect;
    let depth = at.depth.checked_sub(1).ok_or_else(|| EncodeError::new(FaultKind::DepthExceeded))?;
    let at = At { depth, ..at };
    let mark = output.len();
    match at.types.tag(ty) {
        Some(own) => {
            let wrote = content(at, ty, containing, origin, place, output)?;
            output.header(implicit.map_or(own, |tag| tag.formed_like(own)), mark)?;
            Ok(wrote)
        }
        None => {
            untagged(at, ty, origin, place, output)?;
            if let Some(tag) = implicit {
                output.header(tag.constructed(), mark)?;
            }
            Ok(Wrote::Whole)
        }
    }
}

fn content<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    ty: &'a Type,
    containing: Option<TypeRef>,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<Wrote<'a>, EncodeError> {
    let mark = output.len();
    let containing = containing.or_else(|| contained(ty));
    let wrote = match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, tagging: Tagging { explicit: false, .. } } => {
            let inner = at.types.get(inner).ok_or_else(misfit)?;
            content(at.deeper()?, inner, containing, origin, place, output)?
        }
        Shape::Tagged { inner, .. } => {
            let inner = at.types.get(inner).ok_or_else(misfit)?;
            element(at.inside(), Expect { ty: inner, implicit: None, containing }, origin, place, output)?
        }
        Shape::Choice { .. } | Shape::Open { .. } => {
            untagged(at.inside(), ty, origin, place, output)?;
            Wrote::Whole
        }
        Shape::Sequence(list) | Shape::Presentation(list) => {
            components(at.inside(), list, false, origin, place, output)?;
            Wrote::Whole
        }
        Shape::Set(list) => {
            components(at.inside(), list, true, origin, place, output)?;
            Wrote::Whole
        }
        Shape::SequenceOf(item) => Wrote::Items(items(at.inside(), item, false, origin, place, output)?),
        Shape::SetOf(item) => Wrote::Items(items(at.inside(), item, true, origin, place, output)?),
        shape @ (Shape::OctetString | Shape::BitString(_)) if containing.is_some() => {
            let inner = containing.as_ref().and_then(|inner| at.types.get(inner)).ok_or_else(misfit)?;
            let place = stopped(origin.contained(place))?;
            if let Shape::Open { set: Some(set), selector } = &inner.shape {
                let set = set.get(at.types.schema()).ok_or_else(misfit)?;
                let chosen = stopped(origin.chosen(place))?;
                open(at.inside(), Some((set, selector)), chosen, true, origin, output)?;
            } else {
                let expect = Expect { ty: inner, implicit: None, containing: None };
                element(at.inside(), expect, origin, place, output)?;
            }
            if matches!(shape, Shape::BitString(_)) {
                output.octets(&[0])?;
            }
            Wrote::Whole
        }
        shape => {
            let mut scratch = core::mem::take(&mut output.scratch);
            scratch.clear();
            let octets = stopped(origin.leaf(place, ty, &mut scratch))?;
            if let Shape::Enumerated { items, extensible: false } = shape {
                let number = leaf::view::<i64>(octets).map_err(|fault| EncodeError::new(fault.kind()))?;
                if !items.iter().any(|item| item.number == number) {
                    return Err(EncodeError::new(FaultKind::EnumeratedUnknown));
                }
            }
            output.octets(&leaf::canonical(shape, octets)?)?;
            output.scratch = scratch;
            Wrote::Leaf(ty, mark, output.len())
        }
    };
    at.check(Listed::of(&ty.constraints), (wrote, Subject::Content(ty, containing)), mark, output, origin)?;
    Ok(wrote)
}

fn untagged<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    ty: &'a Type,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<(), EncodeError> {
    let mark = output.len();
    let at = at.deeper()?;
    match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, .. } => {
            untagged(at, at.types.get(inner).ok_or_else(misfit)?, origin, place, output)?;
        }
        Shape::Choice { alternatives, extensible } => match stopped(origin.chosen(place))? {
            Chosen::Alternative(index, place) => {
                field(at, alternatives.get(index).ok_or_else(misfit)?, origin, place, output)?;
            }
            Chosen::Unknown(octets) => {
                let is_known = |reader: &Reader<'_, '_>| alternatives.iter().any(|one| starts(at.types, one, reader));
                if !extensible || Reader::new(octets).is_ok_and(|reader| is_known(&reader)) {
                    return Err(misfit());
                }
                element_of_any(octets, output)?;
            }
        },
        Shape::Open { set, selector } => {
            let chosen = stopped(origin.chosen(place))?;
            let set = set.as_ref().and_then(|set| set.get(at.types.schema()));
            open(at, set.map(|set| (set, &**selector)), chosen, false, origin, output)?;
        }
        _ => return Err(misfit()),
    }
    at.check(Listed::of(&ty.constraints), (Wrote::Whole, Subject::Element(ty)), mark, output, origin)
}

/// Encodes the value of an open type: as the selected type, or as any element if no type is selected. If it is `wrapped` in a
/// string, the bytes need not be an element.
fn open<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    governed: Option<(&'a ObjectSet, &str)>,
    chosen: Chosen<'v, O::Place>,
    wrapped: bool,
    origin: &mut O,
    output: &mut Output,
) -> Result<(), EncodeError> {
    let object = governed.and_then(|(set, selector)| {
        let key = at.key(selector, origin)?;
        let object = set.objects.iter().position(|object| *object.key == *key)?;
        Some((set, object, at.types.get(&set.objects.get(object)?.ty)?))
    });
    match (object, chosen) {
        (Some((set, object, ty)), Chosen::Alternative(index, place)) if origin.is_selected(index, set, object) => {
            element(at.inside(), Expect { ty, implicit: None, containing: None }, origin, place, output).map(|_| ())
        }
        (None, Chosen::Unknown(octets)) if wrapped => output.octets(octets),
        (None, Chosen::Unknown(octets)) => element_of_any(octets, output),
        _ => Err(misfit()),
    }
}

/// Encodes an element of unknown type, if it is DER as far as this can be checked.
fn element_of_any(octets: &[u8], output: &mut Output) -> Result<(), EncodeError> {
    check(octets, &mut |reader| Any::decode(reader).map(|_| ()))?;
    output.octets(octets)
}

fn items<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    item: &TypeRef,
    set: bool,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<usize, EncodeError> {
    let ty = at.types.get(item).ok_or_else(misfit)?;
    let (count, list) = stopped(origin.items(place))?;
    let mut marks = Vec::new();
    if set && count > 1 {
        marks.reserve(count.min(1 << 16).saturating_add(1));
        marks.push(output.len());
    }
    for index in (0..count).rev() {
        let mut write = || {
            let place = stopped(origin.part(list, index))?.ok_or_else(misfit)?;
            element(at, Expect { ty, implicit: None, containing: None }, origin, place, output)
        };
        write().map_err(|error| error.inside_item(index))?;
        if set && count > 1 {
            marks.push(output.len());
        }
    }
    // X.690 §11.6.
    if set && count > 1 {
        output.sort(&marks, <[u8]>::cmp);
    }
    Ok(count)
}

/// Returns the unknown extension additions, which must be complete elements.
fn unknown<'v, O: Origin<'v>>(origin: &mut O, place: O::Place) -> Result<Vec<Cow<'v, [u8]>>, EncodeError> {
    let octets = stopped(origin.additions(place))?;
    let mut list = Vec::new();
    let wrong = |number, fault: Fault| additions::inside(number, EncodeError::new(fault.kind()));
    let mut reader = Reader::new(octets).map_err(|fault| wrong(0, fault))?;
    while !reader.is_empty() {
        list.push(Cow::Borrowed(reader.skip().map_err(|fault| wrong(list.len(), fault))?));
    }
    Ok(list)
}

/// Encodes the components of a SEQUENCE or SET.
fn components<'v, 'a, O: Origin<'v>>(
    at: At<'_, 'a, O::Place>,
    fields: &'a Fields,
    set: bool,
    origin: &mut O,
    place: O::Place,
    output: &mut Output,
) -> Result<(), EncodeError> {
    let frame = Frame { fields, place, outer: at.frame };
    let inner = At { frame: Some(&frame), ..at };
    let marker = fields.marker.map(|marker| (marker.start as usize, (marker.end as usize).min(fields.list.len())));
    let unknown = if marker.is_some() { unknown(origin, place)? } else { Vec::new() };
    let write_unknown = |output: &mut Output, marks: &mut Vec<usize>| -> Result<(), EncodeError> {
        for (number, octets) in unknown.iter().enumerate().rev() {
            element_of_any(octets, output).map_err(|error| additions::inside(number, error))?;
            marks.push(output.len());
        }
        Ok(())
    };
    let mut marks = Vec::new();
    if set {
        marks.push(output.len());
    }
    // The components that are written; the members of a group that are not, and must be if others of it are.
    let (mut written, mut lacking) = (Seen::none_of(fields.list.len()), Vec::new());
    for (index, next) in fields.list.iter().enumerate().rev() {
        if marker.is_some_and(|(_, end)| end == index + 1) {
            write_unknown(output, &mut marks)?;
        }
        let mark = output.len();
        let part = stopped(origin.part(place, index)).map_err(|error| error.inside_text(&next.name))?;
        let Some(part) = part else {
            let added = marker.is_some_and(|(start, end)| (start..end).contains(&index));
            match (&next.presence, next.group) {
                (Presence::Required, _) if !added => {
                    return Err(EncodeError::new(FaultKind::Missing).inside_text(&next.name));
                }
                (Presence::Required, Some(group)) => lacking.push((next, group)),
                _ => {}
            }
            continue;
        };
        let wrote = field(inner, next, origin, part, output)?;
        // X.690 §11.5.
        if matches!(next.presence, Presence::Default(_)) {
            let value = at.value(wrote, Subject::Field(next), mark, output).ok_or_else(misfit)?;
            if is_default(at.types, next, &value) {
                output.truncate(mark);
                continue;
            }
        }
        written.mark(index);
        if set {
            marks.push(output.len());
        }
    }
    if marker.is_some_and(|(_, end)| end == 0) {
        write_unknown(output, &mut marks)?;
    }
    // The members of a group come together.
    let in_group = |group| {
        let mut fields = fields.list.iter().enumerate();
        fields.any(|(index, field)| field.group == Some(group) && written.has(index))
    };
    if let Some((next, _)) = lacking.iter().find(|(_, group)| in_group(*group)) {
        return Err(EncodeError::new(FaultKind::Missing).inside_text(&next.name));
    }
    match marker {
        Some(_) if set => additions::check_set(at.types, fields, &unknown)?,
        Some((start, end)) if !unknown.is_empty() => {
            additions::check_sequence(at.types, fields, &unknown, start..end, |index| !written.has(index))?;
        }
        _ => {}
    }
    if set {
        // X.690 §10.3.
        let tag = |octets: &[u8]| Reader::new(octets).and_then(|reader| reader.peek()).ok();
        output.sort(&marks, |one, other| tag(one).cmp(&tag(other)));
    }
    Ok(())
}
