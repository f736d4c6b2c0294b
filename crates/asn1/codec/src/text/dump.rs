//! Hex dumps as printed by common tools.

use alloc::string::String;
use alloc::vec::Vec;

use super::{hex, unmarked};

/// The maximum number of bytes that a line `*` (repeated lines) may represent.
const REPEATED: usize = 1 << 20;
/// The maximum number of bytes per line.
const LINE: usize = 256;

/// Converts a hex dump to plain hexadecimal digits. Returns `None` for other input.
///
/// Supports the layouts of `xxd`, `hexdump`, `hexdump -C`, `od -t x1`, `od -x`, OpenSSL and Wireshark. Each line must
/// begin with its offset, in hexadecimal or octal. A dump has at least two lines, or a text column, so that plain
/// digits are not mistaken for one. Groups of four digits are little-endian, unless a colon follows the offset, as in
/// `xxd`.
///
/// ```
/// use tagwise_codec::text::from_dump;
/// assert_eq!(from_dump(b"00000000: 3003 0201 05                             0....\n").as_deref(), Some("3003020105"));
/// assert_eq!(from_dump(b"0000000 0330 0102 0005\n0000005\n").as_deref(), Some("3003020105"));
/// assert_eq!(from_dump(b"30030201 05"), None);
/// ```
#[must_use]
pub fn from_dump(text: &[u8]) -> Option<String> {
    let text = core::str::from_utf8(unmarked(text).0).ok()?;
    let is_plain = |char: char| char.is_ascii_hexdigit() || char.is_ascii_whitespace() || char == ':';
    if text.lines().nth(1).is_none_or(str::is_empty) && text.chars().all(is_plain) {
        return None;
    }
    let lines = || text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    // Nearly all other text ends here.
    Line::of(lines().next()?, 16).or_else(|| Line::of(lines().next()?, 8)).filter(|line| line.offset == 0)?;
    [16, 8]
        .into_iter()
        .find_map(|radix| decoded(lines(), radix))
        .filter(|octets| !octets.is_empty())
        .map(|octets| hex::encode(&octets))
}

/// A line of a dump.
struct Line<'t> {
    offset: usize,
    /// The rest of the line after the offset.
    rest: &'t str,
    colon: bool,
}

impl<'t> Line<'t> {
    fn of(line: &'t str, radix: u32) -> Option<Self> {
        let line = line.trim_start();
        let end = line.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, rest) = line.split_at_checked(end)?;
        if !(4..=16).contains(&digits.len()) {
            return None;
        }
        let offset = usize::from_str_radix(digits, radix).ok()?;
        let colon = rest.starts_with(':');
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let after = rest.trim_start();
        // OpenSSL puts a dash behind the offset.
        let after = after.strip_prefix("- ").unwrap_or(after);
        (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(Self { offset, rest: after, colon })
    }

    /// Returns the bytes of the line, at most `most` of them, and the number of characters that they occupy.
    fn octets(&self, most: usize, width: Option<usize>) -> Option<(Vec<u8>, usize)> {
        let text = match (self.rest.split_once('|'), width) {
            (Some((hex, _)), _) => hex,
            // Of the last line, only its own text tells where the text beside it begins.
            (None, Some(width)) => self.rest.get(..width).unwrap_or(self.rest),
            (None, None) if most == LINE => self.rest.split_once("  ").map_or(self.rest, |(hex, _)| hex),
            (None, None) => self.rest,
        };
        let mut octets = Vec::new();
        let mut used = 0;
        let mut at = 0;
        for group in text.split_inclusive([' ', '-', '\t']) {
            at += group.len();
            let digits = group.trim_end_matches([' ', '-', '\t']);
            if digits.is_empty() {
                continue;
            }
            if octets.len() >= most {
                break;
            }
            let mut bytes = hex::decode(digits.as_bytes())
                .ok()
                .filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
            if bytes.len() == 2 && !self.colon {
                bytes.reverse();
            }
            octets.extend(bytes);
            used = at;
        }
        Some((octets, used))
    }
}

/// Decodes all lines. Returns `None` if the offsets are not correct in this radix.
fn decoded<'t>(lines: impl Iterator<Item = &'t str>, radix: u32) -> Option<Vec<u8>> {
    let mut lines = lines.peekable();
    let mut out: Vec<u8> = Vec::new();
    let (mut last, mut width, mut repeated) = (0, None, false);
    while let Some(line) = lines.next() {
        if line == "*" {
            repeated = true;
            continue;
        }
        let line = Line::of(line, radix)?;
        if core::mem::take(&mut repeated) {
            let more = line.offset.checked_sub(out.len()).filter(|more| *more <= REPEATED)?;
            let from = out.len().checked_sub(last).filter(|_| last > 0)?;
            for at in 0..more {
                let octet = *out.get(from + at)?;
                out.push(octet);
            }
        }
        // The line behind the last one tells the length, which may cut a number in two.
        if line.rest.is_empty() && line.offset <= out.len() && line.offset.saturating_add(1) >= out.len() {
            out.truncate(line.offset);
            return lines.next().is_none().then_some(out);
        }
        if line.offset != out.len() {
            return None;
        }
        let next = lines.peek().filter(|next| **next != "*").and_then(|next| Line::of(next, radix));
        let most = match next {
            Some(next) => {
                // One more where the last number is cut.
                next.offset.checked_sub(out.len()).filter(|most| (1..=LINE).contains(most))?
            }
            None => LINE,
        };
        let (octets, used) = line.octets(most, if most == LINE { width } else { None })?;
        if octets.is_empty() || most != LINE && octets.len() != most && octets.len() != most + 1 {
            return None;
        }
        last = octets.len();
        width = width.max(Some(used));
        out.extend(octets);
    }
    Some(out)
}
