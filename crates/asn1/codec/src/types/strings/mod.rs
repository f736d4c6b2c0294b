//! The restricted character string types (X.680 §41, X.690 §8.23; primitive in DER, §10.2) and ObjectDescriptor.
//!
//! Types with a defined alphabet check it on decoding and encoding. TeletexString, VideotexString, GraphicString and
//! GeneralString switch character sets with escape sequences, which are rarely implemented. Here they are opaque bytes.

mod ascii;
mod bmp;
mod class;
mod macros;
mod opaque;
mod universal;
mod utf8;
mod wide;

pub use ascii::{Ia5, Numeric, Printable, Visible};
pub use bmp::Bmp;
pub use opaque::{General, Graphic, ObjectDescriptor, Teletex, Videotex};
pub use universal::Universal;
pub use utf8::Utf8;

use core::fmt;

use crate::kind::FaultKind;
use crate::table::StringKind;

/// Checks the content bytes of a string type like its Rust type, for callers that only know the table. Returns the kind
/// and position of the first fault.
#[allow(dead_code, reason = "what decodes by tables shares the leaf checks")]
pub(crate) fn check(kind: StringKind, octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    match kind {
        StringKind::Utf8 => utf8::check(octets),
        StringKind::Numeric => class::check(class::NUMERIC, octets),
        StringKind::Printable => class::check(class::PRINTABLE, octets),
        StringKind::Ia5 => class::check(class::IA5, octets),
        StringKind::Visible => class::check(class::VISIBLE, octets),
        StringKind::Bmp => bmp::check(octets),
        StringKind::Universal => universal::check(octets),
        StringKind::Teletex
        | StringKind::Videotex
        | StringKind::Graphic
        | StringKind::General
        | StringKind::ObjectDescriptor => Ok(()),
    }
}

/// Writes bytes as UTF-8, with U+FFFD in place of invalid bytes.
fn display_lossy(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Ok(text) = core::str::from_utf8(octets) {
        // Width and precision apply to what is text.
        return f.pad(text);
    }
    for chunk in octets.utf8_chunks() {
        f.write_str(chunk.valid())?;
        if !chunk.invalid().is_empty() {
            f.write_str("\u{FFFD}")?;
        }
    }
    Ok(())
}

/// Writes characters in double quotes, escaped.
fn debug_chars(name: &str, chars: impl Iterator<Item = char>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{name}(\"")?;
    for char in chars {
        write!(f, "{}", char.escape_debug())?;
    }
    f.write_str("\")")
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;
