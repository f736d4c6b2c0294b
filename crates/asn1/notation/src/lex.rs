//! The lexer. It converts literals to bytes. The meaning of words is defined elsewhere.

use alloc::vec::Vec;

use crate::error::{Error, Reason};
use crate::names;

/// A token and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) what: What<'a>,
    pub(crate) at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// The text between `[` and `]`.
    Tag(&'a [u8]),
    /// A literal, whose bytes have been appended to the output.
    Literal,
    /// Letters, digits and the characters that join them.
    Word(&'a [u8]),
}

pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

const fn is_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

const fn is_delimiter(octet: u8) -> bool {
    matches!(octet, b'{' | b'}' | b'[' | b']' | b'"' | b'`' | b'#')
}

/// The unit to which a string literal's characters are converted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Octets,
    Utf16,
    Utf32,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        // Editors of some systems put a byte order mark in front.
        let at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { text, at }
    }

    /// Returns the position after the last token.
    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn bump(&mut self) -> Option<u8> {
        let octet = self.peek()?;
        self.at += 1;
        Some(octet)
    }

    /// Creates an error at the given position in the text, with the character found there.
    pub(crate) fn error(&self, reason: Reason, at: usize) -> Error {
        let rest = self.text.get(at..).unwrap_or_default();
        // One character: continuation octets belong to it.
        let len = rest.iter().skip(1).take(3).take_while(|octet| **octet & 0xC0 == 0x80).count() + 1;
        self.error_of(reason, at, rest.get(..len).unwrap_or_default())
    }

    /// Creates an error at the given position in the text, with the text found there.
    pub(crate) fn error_of(&self, reason: Reason, at: usize, found: &[u8]) -> Error {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.iter().filter(|octet| **octet == b'\n').count() + 1;
        let start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |at| at + 1);
        let row = before.get(start..).unwrap_or_default();
        let row = if start == 0 { row.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(row) } else { row };
        let column = row.iter().filter(|octet| **octet & 0xC0 != 0x80).count() + 1;
        let nearest = if reason == Reason::Word { names::nearest(found) } else { None };
        Error { reason, offset: at, line, column, found: names::shown(found), nearest }
    }

    /// Reads the next token. Literals append their bytes to `out`.
    pub(crate) fn next(&mut self, out: &mut Vec<u8>) -> Result<Option<Token<'a>>, Error> {
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(octet) if is_space(octet) => self.at += 1,
                Some(b'#') => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    self.at += rest.iter().position(|octet| *octet == b'\n').unwrap_or(rest.len());
                }
                Some(_) => break,
            }
        }
        let at = self.at;
        let what = match self.bump() {
            Some(b'{') => What::Open,
            Some(b'}') => What::Close,
            Some(b'[') => self.tag(at)?,
            Some(b'"') => self.string(at, Unit::Octets, out)?,
            Some(b'`') => self.hex(at, out)?,
            _ => match self.word(at) {
                b"u" if self.peek() == Some(b'"') => {
                    self.at += 1;
                    self.string(at, Unit::Utf16, out)?
                }
                b"U" if self.peek() == Some(b'"') => {
                    self.at += 1;
                    self.string(at, Unit::Utf32, out)?
                }
                b"b" if self.peek() == Some(b'`') => {
                    self.at += 1;
                    self.bits(at, out)?
                }
                word => What::Word(word),
            },
        };
        Ok(Some(Token { what, at }))
    }

    /// Reads the word that begins at `at`. Its first byte has already been consumed.
    fn word(&mut self, at: usize) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|octet| is_space(*octet) || is_delimiter(*octet)).unwrap_or(rest.len());
        self.text.get(at..self.at).unwrap_or_default()
    }

    fn tag(&mut self, at: usize) -> Result<What<'a>, Error> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|octet| is_delimiter(*octet));
        match end.and_then(|end| Some((end, *rest.get(end)?))) {
            Some((end, b']')) => {
                self.at += end + 1;
                Ok(What::Tag(rest.get(..end).unwrap_or_default()))
            }
            _ => Err(self.error_of(Reason::UnclosedTag, at, b"")),
        }
    }

    fn hex(&mut self, start: usize, out: &mut Vec<u8>) -> Result<What<'a>, Error> {
        let mut high: Option<u8> = None;
        loop {
            let at = self.at;
            let digit = match self.bump() {
                None => return Err(self.error_of(Reason::UnclosedLiteral, start, b"")),
                Some(b'`') if high.is_some() => return Err(self.error(Reason::HexPair, at)),
                Some(b'`') => return Ok(What::Literal),
                Some(octet) if is_space(octet) => continue,
                Some(octet) => digit(octet).ok_or_else(|| self.error(Reason::HexDigit, at))?,
            };
            match high.take() {
                Some(high) => out.push(high << 4 | digit),
                None => high = Some(digit),
            }
        }
    }

    /// Reads a bit literal, and writes the bits after the byte with the number of unused bits (X.690 §8.6.2).
    fn bits(&mut self, start: usize, out: &mut Vec<u8>) -> Result<What<'a>, Error> {
        let head = out.len();
        out.push(0);
        let (mut octet, mut count, mut used) = (0u8, 0u8, None);
        loop {
            let at = self.at;
            match self.bump() {
                None => return Err(self.error_of(Reason::UnclosedLiteral, start, b"")),
                Some(b'`') => break,
                Some(b'|') if used.is_none() => used = Some(count),
                Some(bit @ (b'0' | b'1')) => {
                    // Behind the bar there is room for what is left of the octet that it cuts.
                    if used.is_some_and(|used| used == 0 || count == 0) {
                        return Err(self.error(Reason::UnusedBits, at));
                    }
                    octet = octet << 1 | (bit & 1);
                    count += 1;
                    if count == 8 {
                        out.push(octet);
                        (octet, count) = (0, 0);
                    }
                }
                Some(octet) if is_space(octet) => {}
                Some(_) => return Err(self.error(Reason::Bit, at)),
            }
        }
        let unused = match used {
            // Bits behind the bar that do not fill the octet leave the rest zero.
            Some(used) => (8 - used) % 8,
            None => (8 - count) % 8,
        };
        if count > 0 {
            out.push(octet << (8 - count));
        }
        if let Some(slot) = out.get_mut(head) {
            *slot = unused;
        }
        Ok(What::Literal)
    }

    fn string(&mut self, start: usize, unit: Unit, out: &mut Vec<u8>) -> Result<What<'a>, Error> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(end) = rest.iter().position(|octet| matches!(octet, b'"' | b'\\')) else {
                return Err(self.error_of(Reason::UnclosedLiteral, start, b""));
            };
            let plain = rest.get(..end).unwrap_or_default();
            if unit == Unit::Octets {
                out.extend_from_slice(plain);
            } else {
                let text = core::str::from_utf8(plain)
                    .map_err(|error| self.error(Reason::Utf8, self.at + error.valid_up_to()))?;
                text.chars().for_each(|char| put(u32::from(char), unit, out));
            }
            self.at += end + 1;
            if rest.get(end) == Some(&b'"') {
                return Ok(What::Literal);
            }
            self.escape(unit, out)?;
        }
    }

    /// Reads an escape. The backslash has already been consumed.
    fn escape(&mut self, unit: Unit, out: &mut Vec<u8>) -> Result<(), Error> {
        let at = self.at;
        let code = match self.bump() {
            Some(octet @ (b'\\' | b'"')) => u32::from(octet),
            Some(b'n') => u32::from(b'\n'),
            Some(b'x') => self.digits(2)?,
            Some(b'u') if unit != Unit::Octets => self.digits(4)?,
            Some(b'U') if unit != Unit::Octets => self.digits(8)?,
            _ => return Err(self.error(Reason::Escape, at)),
        };
        if unit == Unit::Utf16 && code > 0x10_FFFF {
            return Err(self.error(Reason::CodePoint, at));
        }
        put(code, unit, out);
        Ok(())
    }

    fn digits(&mut self, count: usize) -> Result<u32, Error> {
        let mut code = 0;
        for _ in 0..count {
            let at = self.at;
            let digit = self.bump().and_then(digit).ok_or_else(|| self.error(Reason::EscapeDigit, at))?;
            code = code << 4 | u32::from(digit);
        }
        Ok(code)
    }
}

/// Appends a code point as bytes of a string.
fn put(code: u32, unit: Unit, out: &mut Vec<u8>) {
    match unit {
        // Octets come by `\x`, at most FF.
        Unit::Octets => out.push(code as u8),
        Unit::Utf16 => match code.checked_sub(0x1_0000) {
            None => out.extend_from_slice(&(code as u16).to_be_bytes()),
            Some(above) => {
                out.extend_from_slice(&(0xD800 | (above >> 10) as u16).to_be_bytes());
                out.extend_from_slice(&(0xDC00 | (above & 0x3FF) as u16).to_be_bytes());
            }
        },
        Unit::Utf32 => out.extend_from_slice(&code.to_be_bytes()),
    }
}

const fn digit(octet: u8) -> Option<u8> {
    match octet {
        b'0'..=b'9' => Some(octet - b'0'),
        b'a'..=b'f' => Some(octet - b'a' + 10),
        b'A'..=b'F' => Some(octet - b'A' + 10),
        _ => None,
    }
}
