//! Identifier and length bytes in all BER forms, and their notation.

use core::fmt::Write;

use alloc::string::String;

use tagwise_codec::{Class, Tag, ber};

use crate::names;
use crate::quote;

/// The identifier bytes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identifier {
    /// The class, form and number. `None` for a number above 2³²−1.
    pub(crate) tag: Option<Tag>,
    /// The number of bytes after the first.
    pub(crate) more: usize,
}

impl Identifier {
    /// Reads the identifier at the start. Returns `None` if the bytes end inside it.
    pub(crate) fn read(octets: &[u8]) -> Option<Self> {
        let ber::Identifier { tag, size, too_large, .. } = ber::identifier(octets)?;
        Some(Self { tag: (!too_large).then_some(tag), more: size?.checked_sub(1)? })
    }

    /// Writes an identifier with the given bytes.
    pub(crate) fn write(&self, octets: &[u8], out: &mut String) {
        let Some(tag) = self.tag else {
            return quote::hex(octets, out);
        };
        let minimal = tag.encoded_len() - 1 == self.more;
        let name = (tag.class() == Class::Universal).then(|| names::name_of(tag.number())).flatten();
        match name {
            Some(name) if minimal && tag.is_constructed() == names::is_constructed(tag.number()) => out.push_str(name),
            _ => {
                out.push('[');
                if !minimal {
                    let _ = write!(out, "long-form:{} ", self.more);
                }
                let usual = match name {
                    Some(name) => {
                        out.push_str(name);
                        names::is_constructed(tag.number())
                    }
                    None => {
                        out.push_str(match tag.class() {
                            Class::Universal => "UNIVERSAL ",
                            Class::Application => "APPLICATION ",
                            Class::Context => "",
                            Class::Private => "PRIVATE ",
                        });
                        let _ = write!(out, "{}", tag.number());
                        true
                    }
                };
                match tag.is_constructed() {
                    form if form == usual => {}
                    true => out.push_str(" CONSTRUCTED"),
                    false => out.push_str(" PRIMITIVE"),
                }
                out.push(']');
            }
        }
    }
}

/// The length bytes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// A definite length: the number of content bytes and of length bytes, and whether a shorter form exists.
    Definite {
        /// The number of content bytes. Numbers that no input can have are replaced by a maximum.
        content: u64,
        /// The number of bytes after the first length byte.
        more: usize,
        /// True if the form is the shortest.
        minimal: bool,
    },
    /// The byte 0x80: the indefinite form.
    Indefinite,
}

impl Length {
    /// Reads the length at the start. Returns `None` if the bytes end inside it, or if it is the reserved byte.
    pub(crate) fn read(octets: &[u8]) -> Option<Self> {
        match ber::length(octets) {
            ber::Length::Definite { len, size, minimal } => {
                let more = size.checked_sub(1)?;
                Some(Self::Definite { content: len, more, minimal: minimal && minimal_more(len) == more })
            }
            ber::Length::Indefinite => Some(Self::Indefinite),
            ber::Length::Reserved | ber::Length::Cut(_) => None,
        }
    }
}

/// Returns the number of bytes after the first in the shortest encoding of a length.
pub(crate) const fn minimal_more(content: u64) -> usize {
    if content < 0x80 { 0 } else { 8 - content.leading_zeros() as usize / 8 }
}
