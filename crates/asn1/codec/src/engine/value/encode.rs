//! Table-driven encoding in one backward pass, in which every length is known when it is written.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::constraint::Listed;
use super::decode::is_default;
use super::judge::Judge;
use super::open::{Keys, Scope};
use super::types::LAYERS;
use super::{Components, ContainedSizes, Data, Types, Value, additions, constraint, leaf};
use crate::any::{Any, check};
use crate::decode::Decode;
use crate::encode::EncodeError;
use crate::engine::contained::{contained, contained_in};
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Field, Fields, Presence, Shape, Tagging, TimeKind, Type, TypeRef};
use crate::tag::Tag;
use crate::writer::Writer;

/// Encodes a value as the given type.
pub(super) fn value(types: Types<'_>, ty: &Type, value: &Value<'_>, budget: u64) -> Result<Vec<u8>, EncodeError> {
    let mut output = Output::new(budget);
    let at = At { types, scope: None, layer: 0, anew: false, sizes: None };
    element(at, Expect { ty, implicit: None, containing: None }, value, &mut output)?;
    output.reversed.reverse();
    Ok(output.reversed)
}

/// Encodes a value as the given type in BER: as in DER, but times keep their form.
pub(super) fn basic(types: Types<'_>, ty: &Type, value: &Value<'_>, budget: u64) -> Result<Vec<u8>, EncodeError> {
    let mut output = Output { keeps_times: true, ..Output::new(budget) };
    let at = At { types, scope: None, layer: 0, anew: false, sizes: None };
    element(at, Expect { ty, implicit: None, containing: None }, value, &mut output)?;
    output.reversed.reverse();
    Ok(output.reversed)
}

/// Encodes a value as the given type from its decoded content, even if its original bytes were retained.
pub(super) fn anew(types: Types<'_>, ty: &Type, value: &Value<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut output = Output::new(crate::options::Budget::DEFAULT.output);
    let at = At { types, scope: None, layer: 0, anew: true, sizes: None };
    element(at, Expect { ty, implicit: None, containing: None }, value, &mut output)?;
    output.reversed.reverse();
    Ok(output.reversed)
}

/// Checks a value as encoding it does. Parts that were read under encoding rules without tags are not checked. Returns the violated
/// constraints that are tolerated, in the order of the value.
pub(super) fn check_only(
    types: Types<'_>,
    ty: &Type,
    value: &Value<'_>,
    budget: u64,
    tolerated: RuleSet,
    sizes: Option<&ContainedSizes>,
) -> Result<Vec<EncodeError>, EncodeError> {
    let mut output = Output { passes_foreign: true, tolerated, ..Output::new(budget) };
    let at = At { types, scope: None, layer: 0, anew: false, sizes };
    element(at, Expect { ty, implicit: None, containing: None }, value, &mut output)?;
    // Values are written last to first.
    output.violations.reverse();
    Ok(output.violations)
}

/// Bytes from the last to the first.
struct Output {
    reversed: Vec<u8>,
    budget: u64,
    /// Set if the values that have no BER encoding are left out.
    passes_foreign: bool,
    /// Set if UTCTime and GeneralizedTime keep a form that is not that of DER.
    keeps_times: bool,
    /// The rules of constraints that values may violate.
    tolerated: RuleSet,
    /// The violations that were tolerated, with paths from the current value on.
    violations: Vec<EncodeError>,
}

impl Output {
    const fn new(budget: u64) -> Self {
        Self {
            reversed: Vec::new(),
            budget,
            passes_foreign: false,
            keeps_times: false,
            tolerated: RuleSet::NONE,
            violations: Vec::new(),
        }
    }

    /// Checks the constraints of a value.
    fn check(&mut self, at: At<'_, '_>, listed: Listed<'_>, value: &Value<'_>) -> Result<(), EncodeError> {
        constraint::check_encoded(at.judge(), listed, value, |error| {
            if !error.kind().rule().is_some_and(|rule| self.tolerated.has(rule)) {
                return Err(error);
            }
            self.violations.push(error);
            Ok(())
        })
    }

    /// Adds the name of a component or element to the paths of its violations, the first of which has the index `mark`.
    fn name(&mut self, mark: usize, named: impl Fn(EncodeError) -> EncodeError) {
        if mark < self.violations.len() {
            let inner = self.violations.split_off(mark);
            self.violations.extend(inner.into_iter().map(named));
        }
    }

    fn octets(&mut self, octets: &[u8]) -> Result<(), EncodeError> {
        if (self.reversed.len() as u64).saturating_add(octets.len() as u64) > self.budget {
            return Err(EncodeError::new(FaultKind::OutputExceeded));
        }
        self.reversed.extend(octets.iter().rev());
        Ok(())
    }

    /// Writes the identifier and length of the content written since `mark`.
    fn header(&mut self, tag: Tag, mark: usize) -> Result<(), EncodeError> {
        // At most 6 + 9 octets.
        let mut buffer = [0; 16];
        let mut writer = Writer::new(&mut buffer);
        writer.header(tag, self.reversed.len().saturating_sub(mark))?;
        let written = writer.written();
        self.octets(written)
    }

    /// Sorts encodings that were written last to first and end at these marks.
    fn sort(&mut self, marks: &[usize], order: impl Fn(&[u8], &[u8]) -> Ordering) {
        let mut parts: Vec<Vec<u8>> = marks
            .windows(2)
            .map(|pair| match pair {
                [start, end] => self.reversed.get(*start..*end).unwrap_or_default().iter().rev().copied().collect(),
                _ => Vec::new(),
            })
            .collect();
        parts.sort_by(|one, other| order(one, other));
        if let Some(first) = marks.first() {
            self.reversed.truncate(*first);
        }
        for part in parts.iter().rev() {
            self.reversed.extend(part.iter().rev());
        }
    }
}

#[derive(Clone, Copy)]
struct At<'x, 'a> {
    types: Types<'a>,
    scope: Option<&'x Scope<'x, 'a>>,
    layer: usize,
    /// True if values that retain their original bytes are encoded from their content instead.
    anew: bool,
    /// The sizes of strings that contain encodings. `None` for those of DER.
    sizes: Option<&'x ContainedSizes>,
}

impl<'x, 'a> At<'x, 'a> {
    /// Creates the constraint judge for this position. User-defined constraints apply to encodings, so they are not checked
    /// here.
    fn judge(self) -> Judge<'x, 'a> {
        Judge::new(self.types, self.scope.map(|scope| scope as &dyn Keys<'a>), &[]).sizes(self.sizes)
    }

    fn deeper(self) -> Result<Self, EncodeError> {
        if self.layer >= LAYERS { Err(misfit()) } else { Ok(Self { layer: self.layer + 1, ..self }) }
    }

    fn inside(self) -> Self {
        Self { layer: 0, ..self }
    }
}

#[derive(Clone, Copy)]
struct Expect<'a> {
    ty: &'a Type,
    implicit: Option<Tag>,
    containing: Option<TypeRef>,
}

/// Creates the error for a value that does not match its type.
fn misfit() -> EncodeError {
    EncodeError::new(FaultKind::NotEncodable)
}

fn field<'a>(at: At<'_, 'a>, field: &'a Field, value: &Value<'a>, output: &mut Output) -> Result<(), EncodeError> {
    let write = |output: &mut Output| {
        let listed = Listed { constraints: &field.constraints, containing: field.containing };
        output.check(at, listed, value)?;
        let ty = at.types.get(&field.ty).ok_or_else(misfit)?;
        let expect = Expect { ty, implicit: None, containing: contained_in(field) };
        tagged(at, &field.tagging, expect, value, output)
    };
    let named = |error: EncodeError| error.inside_field(field);
    let mark = output.violations.len();
    let written = write(output).map_err(named);
    output.name(mark, named);
    written
}

fn tagged<'a>(
    at: At<'_, 'a>,
    tagging: &'a [Tagging],
    expect: Expect<'a>,
    value: &Value<'a>,
    output: &mut Output,
) -> Result<(), EncodeError> {
    match tagging {
        [] => element(at, expect, value, output),
        [first, rest @ ..] => {
            let tag = expect.implicit.unwrap_or(first.tag);
            if first.explicit {
                let mark = output.reversed.len();
                tagged(at.inside(), rest, Expect { implicit: None, ..expect }, value, output)?;
                output.header(tag.constructed(), mark)
            } else {
                tagged(at.deeper()?, rest, Expect { implicit: Some(tag), ..expect }, value, output)
            }
        }
    }
}

fn element<'a>(at: At<'_, 'a>, expect: Expect<'a>, value: &Value<'a>, output: &mut Output) -> Result<(), EncodeError> {
    let Expect { ty, implicit, containing } = expect;
    // Signed octets stay as they came.
    if let (true, Some(octets), None) = (value.verbatim && !at.anew, &value.octets, implicit) {
        return output.octets(octets);
    }
    let mark = output.reversed.len();
    match at.types.tag(ty) {
        Some(own) => {
            content(at, ty, containing, value, output)?;
            output.header(implicit.map_or(own, |tag| tag.formed_like(own)), mark)
        }
        None => {
            untagged(at, ty, value, output)?;
            match implicit {
                Some(tag) => output.header(tag.constructed(), mark),
                None => Ok(()),
            }
        }
    }
}

fn content<'a>(
    at: At<'_, 'a>,
    ty: &'a Type,
    containing: Option<TypeRef>,
    value: &Value<'a>,
    output: &mut Output,
) -> Result<(), EncodeError> {
    output.check(at, Listed::of(&ty.constraints), value)?;
    let containing = containing.or_else(|| contained(ty));
    match (&ty.shape, &value.data) {
        (Shape::Named(inner) | Shape::Tagged { inner, tagging: Tagging { explicit: false, .. } }, _) => {
            let inner = at.types.get(inner).ok_or_else(misfit)?;
            content(at.deeper()?, inner, containing, value, output)
        }
        (Shape::Tagged { inner, .. }, _) => {
            let inner = at.types.get(inner).ok_or_else(misfit)?;
            element(at.inside(), Expect { ty: inner, implicit: None, containing }, value, output)
        }
        (Shape::Choice { .. } | Shape::Open { .. }, _) => untagged(at.inside(), ty, value, output),
        (Shape::Sequence(list) | Shape::Presentation(list), Data::Components(components)) => {
            sequence(at.inside(), list, components, output)
        }
        (Shape::Set(list), Data::Components(components)) => set(at.inside(), list, components, output),
        (Shape::SequenceOf(item), Data::Items(list)) => items(at.inside(), item, false, list, output),
        (Shape::SetOf(item), Data::Items(list)) => items(at.inside(), item, true, list, output),
        (shape @ (Shape::OctetString | Shape::BitString(_)), Data::Containing(held)) => {
            let inner = containing.as_ref().and_then(|inner| at.types.get(inner)).ok_or_else(misfit)?;
            untagged_or_element(at.inside(), inner, held, output)?;
            if matches!(shape, Shape::BitString(_)) { output.octets(&[0]) } else { Ok(()) }
        }
        (shape @ (Shape::OctetString | Shape::BitString(_)), Data::Leaf(octets)) if containing.is_some() => {
            // Only what nothing selects may stand there undecoded.
            let inner = containing.as_ref().and_then(|inner| at.types.get(inner)).ok_or_else(misfit)?;
            if !matches!(inner.shape, Shape::Open { set: Some(_), .. }) || at.types.selected(inner, at.scope).is_some()
            {
                return Err(misfit());
            }
            let octets = leaf::canonical(shape, octets)?;
            output.octets(&octets)
        }
        (Shape::Enumerated { items, extensible: false }, Data::Leaf(octets)) => {
            let number = leaf::view::<i64>(octets).map_err(|fault| EncodeError::new(fault.kind()))?;
            if !items.iter().any(|item| item.number == number) {
                return Err(EncodeError::new(FaultKind::EnumeratedUnknown));
            }
            output.octets(&leaf::canonical(&ty.shape, octets)?)
        }
        (shape, Data::Leaf(octets)) => {
            let canonical = leaf::canonical(shape, octets)?;
            let is_kept = output.keeps_times && matches!(shape, Shape::Time(TimeKind::Utc | TimeKind::Generalized));
            output.octets(if is_kept { octets } else { &canonical })
        }
        // Constraints are checked above. The number of an unknown item is unknown.
        (Shape::Enumerated { extensible: true, .. }, Data::Foreign(_)) if output.passes_foreign => output.octets(&[0]),
        _ => Err(misfit()),
    }
}

fn untagged_or_element<'a>(
    at: At<'_, 'a>,
    ty: &'a Type,
    value: &Value<'a>,
    output: &mut Output,
) -> Result<(), EncodeError> {
    element(at, Expect { ty, implicit: None, containing: None }, value, output)
}

fn untagged<'a>(at: At<'_, 'a>, ty: &'a Type, value: &Value<'a>, output: &mut Output) -> Result<(), EncodeError> {
    output.check(at, Listed::of(&ty.constraints), value)?;
    let at = at.deeper()?;
    match (&ty.shape, &value.data) {
        (Shape::Named(inner) | Shape::Tagged { inner, .. }, _) => {
            untagged(at, at.types.get(inner).ok_or_else(misfit)?, value, output)
        }
        (Shape::Choice { alternatives, .. }, Data::Alternative(chosen)) => {
            let found = alternatives.iter().find(|alternative| *alternative.name == *chosen.field.name);
            field(at, found.ok_or_else(misfit)?, &chosen.value, output)
        }
        (Shape::Choice { alternatives, extensible: true }, Data::Unknown(octets)) => {
            let mut reader = Reader::new(octets).map_err(|fault| EncodeError::new(fault.kind()))?;
            if alternatives.iter().any(|alternative| super::decode::starts(at.types, alternative, &reader)) {
                return Err(misfit());
            }
            reader.skip().map_err(|fault| EncodeError::new(fault.kind()))?;
            element_of_any(octets, output)
        }
        (Shape::Choice { extensible: true, .. } | Shape::Open { .. }, Data::Foreign(_)) if output.passes_foreign => {
            output.octets(&[5, 0])
        }
        (Shape::Open { .. }, data) => match (at.types.selected(ty, at.scope), data) {
            (Some(selected), _) => untagged_or_element(at.inside(), selected, value, output),
            (None, Data::Unknown(octets)) => element_of_any(octets, output),
            (None, _) => Err(misfit()),
        },
        _ => Err(misfit()),
    }
}

/// Encodes an element of unknown type, if it is DER as far as this can be checked.
fn element_of_any(octets: &[u8], output: &mut Output) -> Result<(), EncodeError> {
    check(octets, &mut |reader| Any::decode(reader).map(|_| ()))?;
    output.octets(octets)
}

/// Encodes an unknown extension addition.
fn addition(number: usize, octets: &[u8], output: &mut Output) -> Result<(), EncodeError> {
    element_of_any(octets, output).map_err(|error| additions::inside(number, error))
}

fn items<'a>(
    at: At<'_, 'a>,
    item: &TypeRef,
    set: bool,
    items: &[Value<'a>],
    output: &mut Output,
) -> Result<(), EncodeError> {
    let ty = at.types.get(item).ok_or_else(misfit)?;
    let mut marks = Vec::from([output.reversed.len()]);
    for (number, item) in items.iter().enumerate().rev() {
        let expect = Expect { ty, implicit: None, containing: None };
        let mark = output.violations.len();
        element(at, expect, item, output).map_err(|error| error.inside_item(number))?;
        output.name(mark, |error| error.inside_item(number));
        marks.push(output.reversed.len());
    }
    if set && items.len() > 1 {
        // X.690 §11.6.
        output.sort(&marks, <[u8]>::cmp);
    }
    Ok(())
}

/// Returns whether a component is written. Fails if a required component is absent.
fn present<'v, 'a>(
    at: At<'_, 'a>,
    field: &'a Field,
    required: bool,
    slot: Option<&'v Value<'a>>,
) -> Result<Option<&'v Value<'a>>, EncodeError> {
    match slot {
        // X.690 §11.5.
        Some(value) if is_default(at.types, field, value) => Ok(None),
        Some(value) => Ok(Some(value)),
        None if required && matches!(field.presence, Presence::Required) => {
            Err(EncodeError::new(FaultKind::Missing).inside_text(&field.name))
        }
        None => Ok(None),
    }
}

/// Refuses additions that have no BER encoding.
fn no_foreign(components: &Components<'_>, output: &Output) -> Result<(), EncodeError> {
    match components.foreign.as_ref().and_then(|foreign| foreign.list.first()) {
        Some(_) if !output.passes_foreign => Err(additions::inside(0, misfit())),
        _ => Ok(()),
    }
}

fn sequence<'a>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    components: &Components<'a>,
    output: &mut Output,
) -> Result<(), EncodeError> {
    if components.slots.len() != fields.list.len() {
        return Err(misfit());
    }
    no_foreign(components, output)?;
    // Everything is known: no path leads into what is being made.
    let scope = Scope {
        fields,
        slots: &components.slots,
        current: usize::MAX,
        is_partial: false,
        ahead: None,
        outer: at.scope,
    };
    let at = At { scope: Some(&scope), ..at };
    let marker = fields.marker.map(|marker| (marker.start as usize, (marker.end as usize).min(fields.list.len())));
    if marker.is_none() && !components.unknown.is_empty() {
        return Err(misfit());
    }
    if let (Some((start, end)), false) = (marker, components.unknown.is_empty()) {
        let absent = |index: usize| match (fields.list.get(index), components.slots.get(index)) {
            (Some(field), Some(Some(value))) => is_default(at.types, field, value),
            _ => true,
        };
        additions::check_sequence(at.types, fields, &components.unknown, start..end, absent)?;
    }
    let unknown = |output: &mut Output| {
        let mut backwards = components.unknown.iter().enumerate().rev();
        backwards.try_for_each(|(number, one)| addition(number, one, output))
    };
    for (index, (next, slot)) in fields.list.iter().zip(&components.slots).enumerate().rev() {
        if marker.is_some_and(|(_, end)| end == index + 1) {
            unknown(output)?;
        }
        let added = marker.is_some_and(|(start, end)| (start..end).contains(&index));
        // The members of a group come together.
        let grouped = |group| {
            fields.list.iter().zip(&components.slots).any(|(field, slot)| field.group == Some(group) && slot.is_some())
        };
        let required = !added || next.group.is_some_and(grouped);
        if let Some(value) = present(at, next, required, slot.as_ref())? {
            field(at, next, value, output)?;
        }
    }
    if marker.is_some_and(|(_, end)| end == 0) {
        unknown(output)?;
    }
    Ok(())
}

fn set<'a>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    components: &Components<'a>,
    output: &mut Output,
) -> Result<(), EncodeError> {
    if components.slots.len() != fields.list.len() || (fields.marker.is_none() && !components.unknown.is_empty()) {
        return Err(misfit());
    }
    no_foreign(components, output)?;
    // Everything is known: no path leads into what is being made.
    let scope = Scope {
        fields,
        slots: &components.slots,
        current: usize::MAX,
        is_partial: false,
        ahead: None,
        outer: at.scope,
    };
    let at = At { scope: Some(&scope), ..at };
    let mut marks = Vec::from([output.reversed.len()]);
    for (index, (next, slot)) in fields.list.iter().zip(&components.slots).enumerate() {
        let added = fields.marker.is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index));
        if let Some(value) = present(at, next, !added, slot.as_ref())? {
            field(at, next, value, output)?;
            marks.push(output.reversed.len());
        }
    }
    additions::check_set(at.types, fields, &components.unknown)?;
    for (number, octets) in components.unknown.iter().enumerate() {
        addition(number, octets, output)?;
        marks.push(output.reversed.len());
    }
    // X.690 §10.3.
    let tag = |octets: &[u8]| Reader::new(octets).and_then(|reader| reader.peek()).ok();
    output.sort(&marks, |one, other| tag(one).cmp(&tag(other)));
    Ok(())
}
