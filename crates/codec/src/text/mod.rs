//! Octets as text: base64, hexadecimal, and telling which form an input has; text from elsewhere, made safe to look at.
//!
//! PEM, which is base64 between boundary lines, is [`pem`](crate::pem).

pub mod base64;
pub mod hex;
mod sniff;
#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests;
mod visible;

pub use sniff::{Form, sniff};
pub use visible::{Filter, Visible, visible};

/// An octet that both readers step over between their groups: blank, tab, line feed, vertical tab, form feed, carriage return.
pub(crate) const fn is_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t'..=b'\r')
}
