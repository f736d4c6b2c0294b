//! Decodes detached content, and computes its size.

use crate::__private::Measure;
use crate::decode::DecodeValue;
use crate::fault::Fault;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, StringKind};
use crate::types::{BitStr, Bmp, NamedBits, Universal, Utf8};

/// Creates a session that tolerates violations of all codec rules.
pub(super) fn lenient() -> Session<'static> {
    Session::new(Rule::ALL.iter().fold(Options::der(), |options, rule| options.allow(rule)))
}

/// Decodes detached content, tolerating violations of all codec rules.
pub(super) fn view<'c, T: DecodeValue<'c>>(content: &'c [u8]) -> Result<T, Fault> {
    let session = lenient();
    let mut reader = Reader::with_session(content, &session)?;
    T::decode_value(&mut reader, content.len())
}

/// Returns the size that a SIZE constraint limits. `None` for types without a size.
pub(super) fn size(shape: &Shape, content: &[u8]) -> Option<usize> {
    fn size<'c, T: DecodeValue<'c> + Measure>(content: &'c [u8]) -> Option<usize> {
        view::<T>(content).ok().map(|value| value.size())
    }
    match shape {
        // X.680 §22.7: zero bits behind the last one that is set are not part of the value.
        Shape::BitString(names) if !names.is_empty() => {
            view::<NamedBits<'_>>(content).ok().map(|bits| bits.iter().last().map_or(0, |last| last as usize + 1))
        }
        Shape::BitString(_) => size::<BitStr<'_>>(content),
        Shape::OctetString => Some(content.len()),
        Shape::String(StringKind::Utf8) => size::<Utf8<'_>>(content),
        Shape::String(StringKind::Universal) => size::<Universal<'_>>(content),
        Shape::String(StringKind::Bmp) => size::<Bmp<'_>>(content),
        // One octet a character; others are not taken apart into characters.
        Shape::String(_) => Some(content.len()),
        _ => None,
    }
}
