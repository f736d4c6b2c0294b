//! Identifier and length bytes in all BER forms, and their notation.

use core::fmt::Write;

use alloc::string::String;

use tagwise_codec::{Class, Tag};

use crate::names;
use crate::quote;

/// Identifier bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identifier {
    /// Class, form and number; a number above 2³²−1 is left out.
    pub(crate) tag: Option<Tag>,
    /// Number of bytes that follow the first.
    pub(crate) more: usize,
}

impl Identifier {
    /// Reads the identifier at the front. Nothing if the bytes end inside it.
    pub(crate) fn read(octets: &[u8]) -> Option<Self> {
        let (first, rest) = octets.split_first()?;
        let class = Class::from_octet(*first);
        let constructed = first & 0x20 != 0;
        let low = u32::from(first & 0x1F);
        if low < 31 {
            return Some(Self { tag: Some(Tag::new(class, low, constructed)), more: 0 });
        }
        let mut number = Some(0u32);
        for (index, octet) in rest.iter().enumerate() {
            let above = number.filter(|number| number >> 25 == 0);
            number = above.map(|number| number << 7 | u32::from(octet & 0x7F));
            if octet & 0x80 == 0 {
                let tag = number.map(|number| Tag::new(class, number, constructed));
                return Some(Self { tag, more: index + 1 });
            }
        }
        None
    }

    /// Writes the identifier whose bytes these are.
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

/// Length bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// A definite length: the number of content bytes and of length bytes, and whether a shorter form exists.
    Definite {
        /// The content's bytes; more than any input has stands for whatever is more.
        content: u64,
        /// Bytes after the first length byte.
        more: usize,
        /// Set if the form is the shortest.
        minimal: bool,
    },
    /// The byte 80.
    Indefinite,
}

impl Length {
    /// Reads the length at the front. Nothing if the bytes end inside it, or it is the reserved byte.
    pub(crate) fn read(octets: &[u8]) -> Option<Self> {
        let (first, rest) = octets.split_first()?;
        match first {
            0..=0x7F => Some(Self::Definite { content: u64::from(*first), more: 0, minimal: true }),
            0x80 => Some(Self::Indefinite),
            0xFF => None,
            _ => {
                let more = usize::from(first & 0x7F);
                let mut content = 0u64;
                for octet in rest.get(..more)? {
                    content = if content >> 56 == 0 { content << 8 | u64::from(*octet) } else { u64::MAX };
                }
                Some(Self::Definite { content, more, minimal: minimal_more(content) == more })
            }
        }
    }
}

/// Number of bytes that follow the first in the shortest length of so much content.
pub(crate) const fn minimal_more(content: u64) -> usize {
    if content < 0x80 { 0 } else { 8 - content.leading_zeros() as usize / 8 }
}
