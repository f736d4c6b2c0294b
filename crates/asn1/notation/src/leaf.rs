//! Writes the content of a primitive element as literals, with a comment.

use core::fmt::Write;

use alloc::string::String;

use tagwise_codec::{Class, GeneralizedTime, Oid, Tag, UtcTime};

use crate::Options;
use crate::quote::{self, Charset};

/// The number of bytes that fit on the element's own line in hexadecimal.
const LINE: usize = 32;
/// The maximum size of an object identifier that is written in decimal, which takes quadratic time. Real ones are smaller.
const OID_MAX: usize = 128;
/// The minimum size of content of unknown type to be interpreted as text.
const TEXT_MIN: usize = 4;
/// The minimum size of content of unknown type to be interpreted as non-ASCII text.
const UTF8_MIN: usize = 8;

/// The notation of an element's content.
pub(crate) enum Literals {
    /// No content.
    None,
    /// The content was written on the element's line.
    Line,
    /// The content must be written as hexadecimal on separate lines.
    Block {
        /// True if the first byte is on a separate line.
        first: bool,
    },
}

/// Writes content to `out`, if it fits on one line.
pub(crate) fn literals(tag: Option<Tag>, content: &[u8], out: &mut String) -> Literals {
    if content.is_empty() {
        return Literals::None;
    }
    let Some(tag) = tag else { return untyped(content, out) };
    if tag.class() != Class::Universal {
        return untyped(content, out);
    }
    if tag.is_constructed() {
        return hex(content, out);
    }
    match tag {
        Tag::BOOLEAN => match content {
            [0xFF] => line("TRUE", out),
            [0x00] => line("FALSE", out),
            _ => hex(content, out),
        },
        Tag::INTEGER | Tag::ENUMERATED => integer(content, out),
        Tag::BIT_STRING => bits(content, out),
        Tag::OBJECT_IDENTIFIER => match Oid::from_content(content) {
            Ok(oid) if content.len() <= OID_MAX => {
                let _ = write!(out, "{oid}");
                Literals::Line
            }
            _ => hex(content, out),
        },
        Tag::UTF8_STRING => string(content, Charset::Utf8, out),
        Tag::BMP_STRING if content.len() >= 2 => {
            quote::utf16(content, out);
            Literals::Line
        }
        Tag::UNIVERSAL_STRING if content.len() >= 4 => {
            quote::utf32(content, out);
            Literals::Line
        }
        Tag::OBJECT_DESCRIPTOR
        | Tag::NUMERIC_STRING
        | Tag::PRINTABLE_STRING
        | Tag::TELETEX_STRING
        | Tag::VIDEOTEX_STRING
        | Tag::IA5_STRING
        | Tag::UTC_TIME
        | Tag::GENERALIZED_TIME
        | Tag::GRAPHIC_STRING
        | Tag::VISIBLE_STRING
        | Tag::GENERAL_STRING
        | Tag::TIME
        | Tag::DATE
        | Tag::TIME_OF_DAY
        | Tag::DATE_TIME
        | Tag::DURATION => string(content, Charset::Ascii, out),
        Tag::OID_IRI | Tag::RELATIVE_OID_IRI => string(content, Charset::Utf8, out),
        Tag::OCTET_STRING => untyped(content, out),
        _ => hex(content, out),
    }
}

fn line(text: &str, out: &mut String) -> Literals {
    out.push_str(text);
    Literals::Line
}

fn hex(content: &[u8], out: &mut String) -> Literals {
    if content.len() > LINE {
        return Literals::Block { first: false };
    }
    quote::hex(content, out);
    Literals::Line
}

/// Writes bytes whose type can only be guessed from their content.
pub(crate) fn untyped(content: &[u8], out: &mut String) -> Literals {
    let spaces = content.iter().filter(|octet| matches!(octet, b'\r' | b'\t')).count();
    let text = content.len() >= TEXT_MIN
        && (content.is_ascii() || content.len() >= UTF8_MIN)
        && quote::hidden(content, Charset::Utf8) == spaces;
    if text {
        quote::text(content, Charset::Utf8, out);
        Literals::Line
    } else {
        hex(content, out)
    }
}

/// Writes a string, unless most of it would be escapes.
fn string(content: &[u8], charset: Charset, out: &mut String) -> Literals {
    if quote::hidden(content, charset) > content.len() / 2 {
        return hex(content, out);
    }
    quote::text(content, charset, out);
    Literals::Line
}

/// Writes an INTEGER in decimal if it has the shortest form and at most 64 bits.
fn integer(content: &[u8], out: &mut String) -> Literals {
    let padded = matches!(content, [0x00, 0x00..=0x7F, ..] | [0xFF, 0x80..=0xFF, ..]);
    if padded || content.len() > 8 {
        return hex(content, out);
    }
    let fill = if content.first().is_some_and(|octet| *octet >= 0x80) { -1 } else { 0 };
    let value = content.iter().fold(fill, |value: i64, octet| value << 8 | i64::from(*octet));
    let _ = write!(out, "{value}");
    Literals::Line
}

/// Writes up to 32 bits individually, and longer BIT STRINGs in hexadecimal after the byte with the number of unused bits.
fn bits(content: &[u8], out: &mut String) -> Literals {
    let (unused, octets) = match content {
        [unused, octets @ ..] if *unused < 8 && (*unused == 0 || !octets.is_empty()) => (usize::from(*unused), octets),
        _ => return hex(content, out),
    };
    if octets.len() > LINE {
        return Literals::Block { first: true };
    }
    if octets.len() > 4 {
        quote::hex(content.get(..1).unwrap_or_default(), out);
        out.push(' ');
        quote::hex(octets, out);
        return Literals::Line;
    }
    let padding = octets.last().is_some_and(|last| last.trailing_zeros() < unused as u32);
    let used = octets.len() * 8 - unused;
    out.push_str("b`");
    for (index, octet) in octets.iter().enumerate() {
        for bit in 0..8 {
            let at = index * 8 + bit;
            if at == used {
                if !padding {
                    break;
                }
                out.push('|');
            }
            out.push(if octet & 0x80 >> bit == 0 { '0' } else { '1' });
        }
    }
    out.push('`');
    Literals::Line
}

/// Writes information about an element, as the text of a comment.
pub(crate) fn comment(tag: Option<Tag>, content: &[u8], options: &Options, out: &mut String) {
    match tag {
        Some(Tag::OBJECT_IDENTIFIER) => {
            let name = options.names.and_then(|names| Oid::from_content(content).ok().and_then(names));
            if let Some(name) = name {
                out.extend(name.chars().filter(|char| !quote::is_hidden(*char)));
            }
        }
        Some(Tag::UTC_TIME) => {
            if let Ok(time) = UtcTime::from_content(content) {
                let _ = write!(out, "{}", time.civil());
            }
        }
        Some(Tag::GENERALIZED_TIME) => {
            if let Ok(time) = GeneralizedTime::from_content(content) {
                let _ = write!(out, "{}", time.civil());
            }
        }
        Some(tag) if tag.class() == Class::Universal => {
            if let Some(name) = unwritten(tag.number()) {
                out.push_str(name);
            }
            if tag == Tag::RELATIVE_OID
                && let Ok(oid) = tagwise_codec::RelativeOid::from_content(content)
                && content.len() <= OID_MAX
            {
                let _ = write!(out, " {oid}");
            }
        }
        _ => {}
    }
}

/// Returns the name of a type that is written by number, because DER ASCII does not support its name or its versions
/// disagree about it. Returns `None` for other types.
pub(crate) const fn unwritten(number: u32) -> Option<&'static str> {
    match number {
        11 => Some("EMBEDDED PDV"),
        13 => Some("RELATIVE-OID"),
        29 => Some("CHARACTER STRING"),
        _ => None,
    }
}
