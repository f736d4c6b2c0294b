//! Test helpers: assertions that an encoding is accepted, rejected or tolerated.

use alloc::vec::Vec;
use core::fmt::Debug;

use crate::decode::Decode;
use crate::encode::{Encode, encode};
use crate::kind::FaultKind;
use crate::options::Options;
use crate::rule::Rule;

/// Decodes strict DER, and asserts that it encodes to the same bytes.
#[track_caller]
pub(crate) fn accepted<'a, T: Decode<'a> + Encode + Debug>(input: &'a [u8]) -> T {
    let value = T::from_der(input).unwrap();
    assert_eq!(encode(&value).unwrap(), input, "{value:?}");
    value
}

/// Asserts that decoding fails with the given kind and offset.
#[track_caller]
pub(crate) fn refused<'a, T: Decode<'a> + Debug>(input: &'a [u8], kind: FaultKind, offset: usize) {
    let error = T::from_der(input).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (kind, offset), "{input:02X?}");
}

/// Asserts that strict decoding fails with the given kind and offset, and that decoding with `rule` allowed records a
/// deviation there. Returns the value.
#[track_caller]
pub(crate) fn tolerated<'a, T: Decode<'a> + Debug>(
    input: &'a [u8],
    rule: &'static Rule,
    kind: FaultKind,
    offset: usize,
) -> T {
    refused::<T>(input, kind, offset);
    let read = Options::der().allow(rule).decode::<T>(input).unwrap();
    let notes: Vec<_> = read.deviations.iter().map(|note| (note.rule, note.offset)).collect();
    assert_eq!(notes, [(rule, offset)]);
    read.value
}
