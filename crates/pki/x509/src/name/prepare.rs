//! String preparation for name comparison (RFC 4518, as required by RFC 5280 §7.1), character by character.

use std::iter::Peekable;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Prepares a text for caseIgnoreMatch: two texts match if their prepared forms are equal.
///
/// Applies steps 2 (map, with case folding), 3 (normalize) and 6 of RFC 4518 §2 (insignificant spaces, which are removed
/// here, so a value of only spaces becomes empty). Steps 4 and 5 prohibit characters. Prohibited characters are compared
/// like any others here, so that adding one to a name does not move it out of an excluded subtree.
pub(super) fn prepared(text: &str) -> impl Iterator<Item = char> + '_ {
    let mapped = text.chars().filter(|char| !is_nothing(*char)).map(|char| if is_space(char) { ' ' } else { char });
    // RFC 3454 §3.2: folded, then normalized.
    squeeze(mapped.flat_map(super::fold::fold).nfkc())
}

/// Prepares ASCII text for caseIgnoreMatch, as bytes.
pub(super) struct PreparedAscii<'a> {
    rest: &'a [u8],
    started: bool,
}

impl<'a> PreparedAscii<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { rest: text, started: false }
    }
}

impl Iterator for PreparedAscii<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let mut spaces = false;
        while let [octet, tail @ ..] = self.rest {
            match MAPPED.get(usize::from(*octet)).copied().unwrap_or_default() {
                NOTHING => {}
                b' ' => spaces = true,
                // One space for all; what follows it comes next time.
                _ if spaces && self.started => return Some(b' '),
                mapped => {
                    self.rest = tail;
                    self.started = true;
                    return Some(mapped);
                }
            }
            self.rest = tail;
        }
        None
    }
}

const NOTHING: u8 = 0;

/// The ASCII characters after step 2.
static MAPPED: [u8; 128] = {
    let mut table = [NOTHING; 128];
    let mut rest: &mut [u8] = &mut table;
    let mut octet = 0u8;
    while let [slot, tail @ ..] = rest {
        *slot = match octet {
            b'\t'..=b'\r' => b' ',
            b' '..=b'~' => octet.to_ascii_lowercase(),
            _ => NOTHING,
        };
        octet += 1;
        rest = tail;
    }
    table
};

/// Returns whether a character is mapped to nothing (RFC 4518 §2.2).
fn is_nothing(char: char) -> bool {
    matches!(char,
        // SOFT HYPHEN, MONGOLIAN TODO SOFT HYPHEN, COMBINING GRAPHEME JOINER, variation selectors, OBJECT REPLACEMENT.
        '\u{AD}' | '\u{1806}' | '\u{34F}' | '\u{180B}'..='\u{180D}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFFC}'
        // ZERO WIDTH SPACE.
        | '\u{200B}'
        // All other control characters and those with a control function.
        | '\0'..='\u{8}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}'
        | '\u{6DD}' | '\u{70F}' | '\u{180E}' | '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2063}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0001}' | '\u{E0020}'..='\u{E007F}'
    )
}

/// Returns whether a character is mapped to SPACE (RFC 4518 §2.2).
fn is_space(char: char) -> bool {
    matches!(char,
        // TAB, LF, VT, FF, CR, NEL.
        '\u{9}'..='\u{D}' | '\u{85}'
        // Zs, Zl, Zp.
        | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}'
        | '\u{3000}'
    )
}

/// Removes leading and trailing spaces, and collapses inner ones (RFC 4518 §2.6.1). A space before a combining mark is kept,
/// because it is the mark's base character.
fn squeeze<I: Iterator<Item = char>>(chars: I) -> Squeeze<I> {
    Squeeze { chars: chars.peekable(), started: false, bearer: false }
}

struct Squeeze<I: Iterator<Item = char>> {
    chars: Peekable<I>,
    /// True after the first character. Spaces before it are leading spaces.
    started: bool,
    /// True if the next space is the base character of a combining mark.
    bearer: bool,
}

impl<I: Iterator<Item = char>> Iterator for Squeeze<I> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let mut spaces = false;
        while !self.bearer && self.chars.next_if_eq(&' ').is_some() {
            self.bearer = self.chars.peek().is_some_and(|next| is_combining_mark(*next));
            spaces |= !self.bearer;
        }
        self.chars.peek()?;
        if spaces && core::mem::replace(&mut self.started, true) {
            return Some(' ');
        }
        self.started = true;
        if core::mem::take(&mut self.bearer) { Some(' ') } else { self.chars.next() }
    }
}

#[cfg(test)]
mod tests {
    use super::{PreparedAscii, prepared};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(prepared(text).collect::<String>(), expected, "{text:?}");
        if text.is_ascii() {
            assert!(PreparedAscii::new(text.as_bytes()).eq(expected.bytes()), "{text:?}");
        }
    }

    #[test]
    fn spaces() {
        // The examples of RFC 4518 §2.6.1, with one space for the two that it puts between words.
        check("foo bar  ", "foo bar");
        check(" foo   bar", "foo bar");
        check("  ", "");
        check("", "");
        check("\t\r\n foo\u{A0}\u{3000}bar\u{2028}", "foo bar");
        check("\tfoo\x0B\x0Cbar\x00\x7F\x1B", "foo bar");
    }

    #[test]
    fn a_space_that_bears_a_mark_counts() {
        check(" \u{301}", " \u{301}");
        check("a \u{301}", "a \u{301}");
        check("a  \u{301}", "a  \u{301}");
        check("a   \u{301} ", "a  \u{301}");
        // U+00B4 is a compatibility form of the same.
        check("a\u{B4}", "a \u{301}");
        check("a \u{301}  \u{301} b", "a \u{301}  \u{301} b");
    }

    #[test]
    fn mapping_and_normalisation() {
        check("Stra\u{DF}e", "strasse");
        check("\u{212B}ngstr\u{F6}m", "\u{E5}ngstr\u{F6}m");
        check("A\u{30A}NGSTRO\u{308}M", "\u{E5}ngstr\u{F6}m");
        check("\u{FB01}n", "fin");
        check("\u{FF11}\u{FF21}", "1a");
        check("so\u{AD}ft\u{200B}\u{FE0F}\u{FFFC}", "soft");
        check("a\u{202E}b\u{FEFF}", "ab");
    }
}
