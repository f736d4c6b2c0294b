//! Text encodings of bytes: base64 and hexadecimal, format detection, and safe display of untrusted text.
//!
//! For PEM, see [`pem`](crate::pem).

pub mod base64;
#[cfg(feature = "alloc")]
mod dump;
pub mod hex;
#[cfg(feature = "alloc")]
mod recognise;
mod sniff;
#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests;
mod visible;

#[cfg(feature = "alloc")]
pub use dump::from_dump;
#[cfg(feature = "alloc")]
pub use recognise::{from_utf16, is_utf16, recognise};
pub use sniff::{Form, sniff};
pub use visible::{Filter, Visible, visible};

/// A text without the byte order mark of UTF-8, and the length of that mark.
pub(crate) const fn unmarked(text: &[u8]) -> (&[u8], usize) {
    match text {
        [0xEF, 0xBB, 0xBF, rest @ ..] => (rest, 3),
        _ => (text, 0),
    }
}

/// A byte that both readers step over between their groups: blank, tab, line feed, vertical tab, form feed, carriage return.
pub(crate) const fn is_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t'..=b'\r')
}
