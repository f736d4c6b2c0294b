//! Every extension: encodings that are accepted and encode again to the same octets, and encodings that are refused, with
//! kind and offset. Real ones are in `extensions/corpora.rs`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "extensions/access.rs"]
mod access;
#[path = "extensions/constraints.rs"]
mod constraints;
#[path = "extensions/corpora.rs"]
mod corpora;
#[path = "extensions/names.rs"]
mod names;
#[path = "extensions/others.rs"]
mod others;
#[path = "extensions/policies.rs"]
mod policies;
#[path = "extensions/properties.rs"]
mod properties;
#[path = "extensions/revocation.rs"]
mod revocation;
#[path = "extensions/timestamps.rs"]
mod timestamps;
#[path = "extensions/usage.rs"]
mod usage;

use std::fmt::Debug;

use tagwise_codec::{Decode, Encode, FaultKind, Options, Rule, encode};

/// An element: identifier octet, length, content.
fn el(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = match content.len() {
        len @ 0..=0x7F => vec![len as u8],
        len @ 0x80..=0xFF => vec![0x81, len as u8],
        len => vec![0x82, (len >> 8) as u8, len as u8],
    };
    [&[tag], &length[..], &content].concat()
}

/// SEQUENCE.
fn seq(parts: &[&[u8]]) -> Vec<u8> {
    el(0x30, parts)
}

/// OBJECT IDENTIFIER 1.2.3 and 1.2.4.
const OID_3: &[u8] = &[0x06, 0x02, 0x2A, 0x03];
const OID_4: &[u8] = &[0x06, 0x02, 0x2A, 0x04];

/// Decodes strict DER, which must encode to the same octets again.
#[track_caller]
fn accepted<'a, T: Decode<'a> + Encode + Debug>(input: &'a [u8]) -> T {
    let value = T::from_der(input).unwrap();
    assert_eq!(encode(&value).unwrap(), input, "{value:?}");
    value
}

/// Decoding must fail so.
#[track_caller]
fn refused<'a, T: Decode<'a> + Debug>(input: &'a [u8], kind: FaultKind, offset: usize) {
    let error = T::from_der(input).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (kind, offset), "{error}");
}

/// Strict decoding must fail so, and decoding that allows `rule` must note it there. Gives the value.
#[track_caller]
fn tolerated<'a, T: Decode<'a> + Debug>(input: &'a [u8], rule: &'static Rule, kind: FaultKind, offset: usize) -> T {
    refused::<T>(input, kind, offset);
    let error = T::from_der(input).unwrap_err();
    assert_eq!(error.rule(), Some(rule), "{error}");
    let read = Options::der().allow(rule).decode::<T>(input).unwrap();
    let notes: Vec<_> = read.deviations.iter().map(|note| (note.rule, note.offset)).collect();
    assert_eq!(notes, [(rule, offset)]);
    read.value
}
