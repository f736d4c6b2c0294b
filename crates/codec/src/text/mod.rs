//! Octets as text: base64, hexadecimal, and telling which form an input has; text from elsewhere, made safe to look at.
//!
//! PEM, which is base64 between boundary lines, is [`pem`](crate::pem).

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

/// An octet that both readers step over between their groups: blank, tab, line feed, vertical tab, form feed, carriage return.
pub(crate) const fn is_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t'..=b'\r')
}
