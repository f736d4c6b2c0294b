//! Bytes as literals: strings with invisible characters escaped, and hexadecimal.

use core::fmt::Write;

use alloc::string::String;

use tagwise_codec::text::hex::Hex;

/// Returns whether a character is invisible or affects others: control characters, line and paragraph separators,
/// interlinear annotation, Unicode's Default_Ignorable_Code_Point, and noncharacters.
pub(crate) const fn is_hidden(char: char) -> bool {
    if char < '\u{7F}' {
        return char < ' ';
    }
    (char as u32) & 0xFFFE == 0xFFFE
        || matches!(char,
            '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}' | '\u{FDD0}'..='\u{FDEF}'
            | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// The interpretation of bytes from 0x80 to 0xFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// ASCII only: other bytes are escaped.
    Ascii,
    /// UTF-8: valid sequences are characters, and other bytes are escaped.
    Utf8,
}

/// Splits bytes into parts that are text in a character set, and parts that are not.
fn parts(octets: &[u8], charset: Charset) -> impl Iterator<Item = (&str, &[u8])> {
    octets.utf8_chunks().flat_map(move |chunk| {
        let (text, bad) = (chunk.valid(), chunk.invalid());
        let mut rest = text;
        core::iter::from_fn(move || {
            if charset == Charset::Utf8 || rest.is_empty() {
                return None;
            }
            let ascii = rest.find(|char: char| !char.is_ascii()).unwrap_or(rest.len());
            let foreign = rest.get(ascii..).unwrap_or_default();
            let end = foreign.find(|char: char| char.is_ascii()).unwrap_or(foreign.len());
            let part = (rest.get(..ascii).unwrap_or_default(), foreign.as_bytes().get(..end).unwrap_or_default());
            rest = foreign.get(end..).unwrap_or_default();
            Some(part)
        })
        .chain(core::iter::once((if charset == Charset::Utf8 { text } else { "" }, bad)))
    })
}

/// Counts the bytes of a text that must be escaped, not including line breaks, quotes and backslashes.
pub(crate) fn hidden(octets: &[u8], charset: Charset) -> usize {
    parts(octets, charset)
        .map(|(text, bad)| {
            let hidden = text.chars().filter(|char| is_hidden(*char) && *char != '\n');
            bad.len() + hidden.map(char::len_utf8).sum::<usize>()
        })
        .sum()
}

/// Writes a string literal.
pub(crate) fn text(octets: &[u8], charset: Charset, out: &mut String) {
    out.push('"');
    for (text, bad) in parts(octets, charset) {
        for char in text.chars() {
            if is_hidden(char) && char != '\n' {
                escape(char.encode_utf8(&mut [0; 4]).as_bytes(), out);
            } else {
                plain(char, out);
            }
        }
        escape(bad, out);
    }
    out.push('"');
}

fn escape(octets: &[u8], out: &mut String) {
    for octet in octets {
        let _ = write!(out, "\\x{octet:02x}");
    }
}

/// Writes a visible character or a line break.
fn plain(char: char, out: &mut String) {
    match char {
        '\n' => out.push_str("\\n"),
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        char => out.push(char),
    }
}

/// Writes UTF-16 as a literal. An odd byte at the end becomes a second literal.
pub(crate) fn utf16(octets: &[u8], out: &mut String) {
    let (units, odd) = octets.as_chunks::<2>();
    out.push_str("u\"");
    for char in char::decode_utf16(units.iter().map(|unit| u16::from_be_bytes(*unit))) {
        match char {
            Ok(char) if char == '\n' || !is_hidden(char) => plain(char, out),
            Ok(char) if char > '\u{FFFF}' => {
                let _ = write!(out, "\\U{:08x}", u32::from(char));
            }
            Ok(char) => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            Err(error) => {
                let _ = write!(out, "\\u{:04x}", error.unpaired_surrogate());
            }
        }
    }
    out.push('"');
    rest(odd, out);
}

/// Writes UTF-32 as a literal. Extra bytes at the end become a second literal.
pub(crate) fn utf32(octets: &[u8], out: &mut String) {
    let (units, odd) = octets.as_chunks::<4>();
    out.push_str("U\"");
    for unit in units {
        let unit = u32::from_be_bytes(*unit);
        match char::from_u32(unit) {
            Some(char) if char == '\n' || !is_hidden(char) => plain(char, out),
            _ => {
                let _ = write!(out, "\\U{unit:08x}");
            }
        }
    }
    out.push('"');
    rest(odd, out);
}

fn rest(octets: &[u8], out: &mut String) {
    if !octets.is_empty() {
        out.push(' ');
        hex(octets, out);
    }
}

/// Writes a hexadecimal literal.
pub(crate) fn hex(octets: &[u8], out: &mut String) {
    // Writing to a String does not fail.
    let _ = write!(out, "`{}`", Hex(octets));
}
