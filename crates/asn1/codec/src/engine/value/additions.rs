//! Checks unknown extension additions before encoding, so that no reader mistakes one for a known component (X.680
//! §25.6, §27.3).

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use super::Types;
use super::decode::starts;
use crate::encode::EncodeError;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Field, Fields, Presence, Text};

/// The name of additions in error paths, and in JSON. No component can have this name.
const NAME: Text = Text::Const("$additions");

/// Adds the addition's number to an error's path.
pub(super) fn inside(number: usize, error: EncodeError) -> EncodeError {
    error.inside_item(number).inside_text(&NAME)
}

/// Returns an error for the first addition that `taken` reports. `taken` also receives its number, and returns whether a reader
/// would mistake it for another component.
fn refuse<'v>(
    unknown: &'v [Cow<'_, [u8]>],
    kind: FaultKind,
    taken: impl Fn(usize, &Reader<'v, '_>) -> bool,
) -> Result<(), EncodeError> {
    // What is too long for a reader is refused when it is written.
    let known =
        |(number, octets): &(usize, &'v Cow<'_, [u8]>)| Reader::new(octets).is_ok_and(|reader| taken(*number, &reader));
    match unknown.iter().enumerate().find(known) {
        Some((number, _)) => Err(inside(number, EncodeError::new(kind))),
        None => Ok(()),
    }
}

/// Checks the additions of a SEQUENCE. Known additions precede them, and the components after the second extension
/// marker follow them. The first addition must not have the same tag as an absent component directly before it.
pub(super) fn check_sequence<'a>(
    types: Types<'a>,
    fields: &'a Fields,
    unknown: &[Cow<'_, [u8]>],
    known: Range<usize>,
    absent: impl Fn(usize) -> bool,
) -> Result<(), EncodeError> {
    let fields: &'a [Field] = &fields.list;
    let roots = fields.get(known.end..).unwrap_or_default();
    // Up to the first one that must be there.
    let last = roots.iter().position(|root| matches!(root.presence, Presence::Required)).map(|last| last + 1);
    let next = roots.get(..last.unwrap_or(roots.len())).unwrap_or_default();
    let before = fields.iter().enumerate().take(known.end).rev().take_while(|(index, _)| absent(*index));
    let passed: Vec<&'a Field> = before.map(|(_, field)| field).collect();
    let known = fields.get(known).unwrap_or_default();
    refuse(unknown, FaultKind::UnexpectedTag, |number, reader| {
        let passed = passed.iter().copied().filter(|_| number == 0);
        known.iter().chain(next).chain(passed).any(|field| starts(types, field, reader))
    })
}

/// Checks the additions of a SET, in which all tags are distinct.
pub(super) fn check_set(types: Types<'_>, fields: &Fields, unknown: &[Cow<'_, [u8]>]) -> Result<(), EncodeError> {
    refuse(unknown, FaultKind::SetDuplicate, |number, reader| {
        let again = |octets: &Cow<'_, [u8]>| {
            let tag = Reader::new(octets).and_then(|reader| reader.peek()).ok();
            tag.is_some_and(|tag| reader.at(tag))
        };
        fields.list.iter().any(|field| starts(types, field, reader)) || unknown.iter().take(number).any(again)
    })
}
