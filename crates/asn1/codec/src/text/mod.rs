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
pub use sniff::{TextForm, sniff};
pub use visible::{Filter, Visible, visible};

/// Returns the text without its UTF-8 byte order mark, and the length of that mark.
pub(crate) const fn unmarked(text: &[u8]) -> (&[u8], usize) {
    match text {
        [0xEF, 0xBB, 0xBF, rest @ ..] => (rest, 3),
        _ => (text, 0),
    }
}

/// Returns whether a byte is white space that both readers skip between groups: blank, tab, line feed, vertical tab,
/// form feed or carriage return.
pub(crate) const fn is_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t'..=b'\r')
}
