//! Extension additions that no field is known for, before they are written: a reader must not take one for a component
//! (X.680 §25.6, §27.3).

use alloc::borrow::Cow;
use core::ops::Range;

use super::decode::starts;
use super::{Types, Value};
use crate::encode::EncodeError;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::table::{Field, Fields, Presence, Text};

/// The name of additions in paths: no component can have it. JSON has them by the same name.
const NAME: Text = Text::Const("$additions");

/// The error of an addition, with its place.
pub(super) fn inside(number: usize, error: EncodeError) -> EncodeError {
    error.inside_item(number).inside_text(&NAME)
}

/// Refuses the first addition for which `taken`, which also gets its number, says that a reader takes it for a component.
fn refuse<'v>(unknown: &'v [Cow<'_, [u8]>], taken: impl Fn(usize, &Reader<'v, '_>) -> bool) -> Result<(), EncodeError> {
    // What is too long for a reader is refused when it is written.
    let known =
        |(number, octets): &(usize, &'v Cow<'_, [u8]>)| Reader::new(octets).is_ok_and(|reader| taken(*number, &reader));
    match unknown.iter().enumerate().find(known) {
        Some((number, _)) => Err(inside(number, EncodeError::new(Kind::NotEncodable))),
        None => Ok(()),
    }
}

/// Checks the additions of a SEQUENCE, which stand in front of the component `end`.
pub(super) fn check_sequence<'a>(
    types: Types<'a>,
    fields: &'a Fields,
    known: Range<usize>,
    slots: &[Option<Value<'a>>],
    unknown: &[Cow<'a, [u8]>],
) -> Result<(), EncodeError> {
    let part = |range: Range<usize>| fields.list.get(range).unwrap_or_default();
    let roots = part(known.end..fields.list.len());
    // Up to the first one that must be there.
    let last = roots.iter().position(|root| matches!(root.presence, Presence::Required)).map(|last| last + 1);
    let next = roots.get(..last.unwrap_or(roots.len())).unwrap_or_default();
    // What is absent right before them.
    let present = slots.get(..known.start).unwrap_or_default().iter().rposition(Option::is_some);
    let absent = part(present.map_or(0, |present| present + 1)..known.start);
    refuse(unknown, |number, reader| {
        let could_be = |members: &'a [Field]| members.iter().any(|member| starts(types, member, reader));
        could_be(part(known.clone())) || could_be(next) || (number == 0 && could_be(absent))
    })
}

/// Checks the additions of a SET: all tags in it are distinct.
pub(super) fn check_set<'a>(
    types: Types<'a>,
    fields: &'a Fields,
    unknown: &[Cow<'a, [u8]>],
) -> Result<(), EncodeError> {
    refuse(unknown, |number, reader| {
        let again = |octets: &Cow<'a, [u8]>| {
            let tag = Reader::new(octets).and_then(|reader| reader.peek()).ok();
            tag.is_some_and(|tag| reader.at(tag))
        };
        fields.list.iter().any(|member| starts(types, member, reader)) || unknown.iter().take(number).any(again)
    })
}
