//! Bytes, numbers, strings and times in OpenSSL's format.

use core::fmt::{self, Write};

use tagwise_codec::text::{hex::Hex, visible};
use tagwise_codec::{CivilTime, GeneralizedTime, UtcTime};

use crate::openssl::walk::GENERALIZED_TIME;
use tagwise_pkix::time::Time;

/// Writes bytes as `aa:bb:cc`.
pub(super) fn colons(octets: &[u8], out: &mut dyn Write) -> fmt::Result {
    octets.iter().enumerate().try_for_each(|(at, octet)| write!(out, "{}{octet:02x}", if at > 0 { ":" } else { "" }))
}

/// Writes bytes as `AA:BB:CC`.
pub(super) fn upper_colons(octets: &[u8], out: &mut dyn Write) -> fmt::Result {
    octets.iter().enumerate().try_for_each(|(at, octet)| write!(out, "{}{octet:02X}", if at > 0 { ":" } else { "" }))
}

/// Writes indented lines of `per_line` bytes, with a colon after each byte except the last.
fn lines(octets: &[u8], per_line: usize, indent: usize, out: &mut dyn Write) -> fmt::Result {
    let count = octets.len().div_ceil(per_line);
    for (at, line) in octets.chunks(per_line).enumerate() {
        write!(out, "{:indent$}", "")?;
        colons(line, out)?;
        out.write_str(if at + 1 < count { ":\n" } else { "" })?;
    }
    out.write_str("\n")
}

/// Writes the bytes of a signature, with 18 per line (`X509_signature_dump`).
pub(super) fn dump(octets: &[u8], indent: usize, out: &mut dyn Write) -> fmt::Result {
    lines(octets, 18, indent, out)
}

/// Writes the lines below the label of a key component.
pub(super) fn block(octets: &[u8], indent: usize, out: &mut dyn Write) -> fmt::Result {
    lines(octets, 15, indent, out)
}

/// Writes bytes with 16 per line (`BIO_hex_string`). The first line continues the current one.
pub(super) fn hanging(octets: &[u8], indent: usize, out: &mut dyn Write) -> fmt::Result {
    let count = octets.len().div_ceil(16);
    for (at, line) in octets.chunks(16).enumerate() {
        if at > 0 {
            write!(out, "{:indent$}", "")?;
        }
        upper_colons(line, out)?;
        out.write_str(if at + 1 < count { ":\n" } else { "" })?;
    }
    Ok(())
}

/// Returns the sign of an INTEGER (`true` if negative) and its absolute value, big-endian, in as few bytes as possible but
/// at least one.
pub(super) fn magnitude(content: &[u8]) -> (bool, Vec<u8>) {
    let negative = content.first().is_some_and(|first| *first >= 0x80);
    let mut octets = content.to_vec();
    if negative {
        let mut carry = true;
        for octet in octets.iter_mut().rev() {
            let (sum, over) = (!*octet).overflowing_add(u8::from(carry));
            (*octet, carry) = (sum, over);
        }
    }
    let zeros = octets.iter().take_while(|octet| **octet == 0).count().min(octets.len().saturating_sub(1));
    octets.drain(..zeros);
    (negative, octets)
}

/// Returns whether OpenSSL accepts content bytes as an INTEGER. There must be at least one byte, and no redundant leading
/// byte.
pub(super) fn is_integer(content: &[u8]) -> bool {
    match content {
        [] => false,
        [0, second, ..] => *second >= 0x80,
        [0xFF, second, ..] => *second < 0x80,
        _ => true,
    }
}

/// Writes an INTEGER in decimal if it is below 128 bits, otherwise in hexadecimal (`i2s_ASN1_INTEGER`).
pub(super) fn integer(content: &[u8], out: &mut dyn Write) -> fmt::Result {
    let (negative, number) = magnitude(content);
    out.write_str(if negative { "-" } else { "" })?;
    let small = number.len() < 16 || number.len() == 16 && number.first().is_some_and(|first| *first < 0x80);
    if small {
        let value = number.iter().fold(0u128, |sum, octet| sum << 8 | u128::from(*octet));
        return write!(out, "{value}");
    }
    write!(out, "0x{:X}", Hex(&number))
}

/// Writes an INTEGER in hexadecimal, with a line break after 35 bytes (`i2a_ASN1_INTEGER`).
pub(super) fn serial(content: &[u8], out: &mut dyn Write) -> fmt::Result {
    let (negative, number) = magnitude(content);
    out.write_str(if negative { "-" } else { "" })?;
    for (at, octet) in number.iter().enumerate() {
        if at > 0 && at % 35 == 0 {
            out.write_str("\\\n")?;
        }
        write!(out, "{octet:02X}")?;
    }
    if number.is_empty() { out.write_str("00") } else { Ok(()) }
}

/// Writes a label and a number: on the same line if the number fits into 64 bits, otherwise on the lines below.
pub(super) fn labelled(label: &str, number: &[u8], indent: usize, out: &mut dyn Write) -> fmt::Result {
    let (negative, number) = magnitude(number);
    write!(out, "{:indent$}{label}", "")?;
    let sign = if negative { "-" } else { "" };
    if number.len() <= 8 {
        let value = number.iter().fold(0u64, |sum, octet| sum << 8 | u64::from(*octet));
        return match value {
            0 => out.write_str(" 0\n"),
            value => writeln!(out, " {sign}{value} ({sign}0x{value:x})"),
        };
    }
    writeln!(out, "{}", if negative { " (Negative)" } else { "" })?;
    let high = number.first().is_some_and(|first| *first >= 0x80);
    let octets = if high { [&[0], &*number].concat() } else { number };
    block(&octets, indent + 4, out)
}

/// Writes a string, replacing non-ASCII characters and control characters other than line feeds with dots, as
/// `ASN1_STRING_print` does. Unlike OpenSSL, it also replaces carriage returns, which would overwrite text on a terminal.
pub(super) fn dotted(octets: &[u8], out: &mut dyn Write) -> fmt::Result {
    octets.iter().try_for_each(|octet| match octet {
        b'\n' | b' '..=b'~' => out.write_char(char::from(*octet)),
        _ => out.write_char('.'),
    })
}

/// Writes a string as `printf("%s")` does: byte by byte up to the first NUL. Hidden characters are escaped by [`escaped`].
pub(super) fn raw(octets: &[u8], out: &mut dyn Write) -> fmt::Result {
    let shown = octets.split(|octet| *octet == 0).next().unwrap_or_default();
    shown.utf8_chunks().try_for_each(|chunk| {
        escaped(chunk.valid(), out)?;
        if chunk.invalid().is_empty() { Ok(()) } else { out.write_char(char::REPLACEMENT_CHARACTER) }
    })
}

/// Writes the text of a user notice, as `raw` does. Line feeds are printed as in OpenSSL, and a carriage return becomes a
/// dot.
pub(super) fn paragraphs(octets: &[u8], out: &mut dyn Write) -> fmt::Result {
    let shown = octets.split(|octet| *octet == 0).next().unwrap_or_default();
    for line in shown.split_inclusive(|octet| *octet == b'\n') {
        let (line, end) = line.strip_suffix(b"\n").map_or((line, ""), |line| (line, "\n"));
        let (line, dot) = line.strip_suffix(b"\r").map_or((line, ""), |line| (line, "."));
        raw(line, out)?;
        out.write_str(dot)?;
        out.write_str(end)?;
    }
    Ok(())
}

/// Writes a text so that every character is visible. Control characters, bidirectional controls and invisible characters
/// are escaped as in OpenSSL names (`ASN1_STRFLGS_ESC_CTRL`): `\1B` for each byte. All text from a file is written by
/// this function.
pub(super) fn escaped(text: &str, out: &mut dyn Write) -> fmt::Result {
    let mut rest = text;
    while let Some((at, char)) = rest.char_indices().find(|(_, char)| is_hidden(*char)) {
        let (shown, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(shown)?;
        for octet in char.encode_utf8(&mut [0; 4]).bytes() {
            write!(out, "\\{octet:02X}")?;
        }
        rest = after.get(char.len_utf8()..).unwrap_or_default();
    }
    out.write_str(rest)
}

fn is_hidden(char: char) -> bool {
    !matches!(char, ' '..='~') && visible(&char).to_string().starts_with('\\')
}

/// A writer that escapes everything except the line breaks of the layout, as a second barrier after [`raw`].
pub(super) struct Guard<'w>(pub(super) &'w mut dyn Write);

impl Write for Guard<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for line in text.split_inclusive('\n') {
            let end = line.strip_suffix('\n');
            escaped(end.unwrap_or(line), self.0)?;
            if end.is_some() {
                self.0.write_char('\n')?;
            }
        }
        Ok(())
    }
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Writes a date and time in OpenSSL's format, such as `Nov 29 10:00:00 2026 GMT`. `fraction` is the text after the seconds.
pub(super) fn civil(time: CivilTime, fraction: &str, out: &mut dyn Write) -> fmt::Result {
    let month = MONTHS.get(usize::from(time.month()).wrapping_sub(1)).copied().unwrap_or_default();
    let (day, hour, minute, second, year) = (time.day(), time.hour(), time.minute(), time.second(), time.year());
    write!(out, "{month} {day:2} {hour:02}:{minute:02}:{second:02}{fraction} {year} GMT")
}

fn generalized(time: &GeneralizedTime<'_>, out: &mut dyn Write) -> fmt::Result {
    let nanos = format!("{:09}", time.nanosecond());
    let digits = nanos.get(..time.fraction_digits().min(9)).unwrap_or_default();
    let fraction = if digits.is_empty() { String::new() } else { format!(".{digits}") };
    civil(time.civil(), &fraction, out)
}

/// Writes a time (`ASN1_TIME_print`).
pub(super) fn time(time: &Time<'_>, out: &mut dyn Write) -> fmt::Result {
    match time {
        Time::Utc(time) => civil(time.civil(), "", out),
        Time::General(time) => generalized(time, out),
    }
}

/// Writes the time with these content bytes.
pub(super) fn time_of(tag: u8, content: &[u8], out: &mut dyn Write) -> fmt::Result {
    let done = if tag == GENERALIZED_TIME {
        GeneralizedTime::from_content(content).ok().map(|time| generalized(&time, out))
    } else {
        UtcTime::from_content(content).ok().map(|time| civil(time.civil(), "", out))
    };
    done.unwrap_or_else(|| out.write_str("Bad time value"))
}
