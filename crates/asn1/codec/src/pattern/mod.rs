//! PATTERN (X.680 §51.9): the regular expressions of X.680 Annex A. They compile to programs of bounded size and run
//! without backtracking, in time linear in the text.
//!
//! | Notation | Matches |
//! |---|---|
//! | `.` | any character except newline characters |
//! | `\d`, `\w` | a digit `0` to `9`; a letter `a` to `z`, `A` to `Z` or digit |
//! | `\t`, `\r`, `\n`, `\s` | tab; carriage return; a newline character (10 to 13); white space (9 to 13, 32, 160) |
//! | `\b` | the position between a letter or digit and another character, or the start or end of the text |
//! | `[a-z_]`, `[^a-z]` | one character that is, or is not, in this set |
//! | `{g,p,r,c}` | the ISO/IEC 10646 character in that group, plane, row and cell |
//! | `\N{name}` | the character with that name: an IA5 control character, or one that the caller defines |
//! | `x*`, `x+`, `x?` | any number, at least one, at most one |
//! | `x#3`, `x#(3)`, `x#(2,)`, `x#(2,4)`, `x#(,4)` | the given number of times |
//! | `x\|y`, `(x)` | alternatives; a group |
//! | `\` before anything else | that character |
//!
//! The whole text must match. Expressions are plain text: ASN.1 string notation, which doubles quotation marks, must
//! already be decoded.

mod compile;
mod run;

use core::fmt;

pub use self::compile::{check, program, size};
pub use self::run::Matcher;
use crate::table::{List, Text};

/// The maximum number of steps in a program. Repetitions are expanded, so this also limits the size of an expression that
/// is repeated, for example with `#(1,64)`.
pub const MAX_STEPS: usize = 2048;

/// A compiled regular expression.
///
/// ```
/// use tagwise_codec::pattern::Pattern;
/// let date = Pattern::new(r"\d#4-\d#2-\d#2")?;
/// assert!(date.is_match("2026-11-21"));
/// assert!(!date.is_match("2026-11-21T"));
/// let error = Pattern::new("[a-").unwrap_err();
/// assert_eq!(error.to_string(), "unterminated character class, at byte 3 of the pattern (X.680 Annex A)");
/// # Ok::<(), tagwise_codec::pattern::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: Text,
    steps: List<Step>,
}

/// One step of a program. Jumps are relative, so parts can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A character in an inclusive range of code points.
    One {
        /// The first code point.
        low: u32,
        /// The last code point.
        high: u32,
    },
    /// A character that matches any of the next `len` steps, or none of them if negated.
    Set {
        /// The number of steps in the set.
        len: u16,
        /// True if the class is negated.
        not: bool,
    },
    /// Continues at both the next step and the one at this relative position.
    Split(i16),
    /// Continues at the step at this relative position.
    Jump(i16),
    /// A word boundary.
    Boundary,
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// Returns the first error in the expression and its position.
    #[cfg(feature = "alloc")]
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let compiled = compile::Compiler::run(text);
        match compiled.error() {
            Some(error) => Err(error),
            None => {
                let steps = compiled.steps().to_vec();
                Ok(Self { text: Text::Owned(text.into()), steps: steps.into() })
            }
        }
    }

    /// Like [`Pattern::new`], with additional names for `\N{name}`. `names` maps a name to an inclusive range of code
    /// points. X.680 §42 defines names in modules that a schema imports.
    ///
    /// # Errors
    /// Returns the same errors as [`Pattern::new`]; offsets refer to the text with names expanded.
    ///
    /// ```
    /// use tagwise_codec::pattern::Pattern;
    /// let greek = |name: &str| (name == "BasicGreek").then(|| vec![(0x370, 0x3CF)]);
    /// assert!(Pattern::with_names(r"[\N{BasicGreek} ]+", greek)?.is_match("καλή μερα"));
    /// # Ok::<(), tagwise_codec::pattern::PatternError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn with_names(
        text: &str,
        names: impl Fn(&str) -> Option<alloc::vec::Vec<(u32, u32)>>,
    ) -> Result<Self, PatternError> {
        let mut pattern = Self::new(&written_out(text, names))?;
        pattern.text = Text::Owned(text.into());
        Ok(pattern)
    }

    /// Wraps a regular expression compiled at compile time, as `#[asn1(pattern = "…")]` does.
    ///
    /// ```
    /// use tagwise_codec::pattern::{self, Pattern};
    /// const TEXT: &str = "[A-Z]#2";
    /// const STEPS: [pattern::Step; pattern::size(TEXT)] = pattern::program(TEXT);
    /// const COUNTRY: Pattern = Pattern::constant(TEXT, &STEPS);
    /// assert!(COUNTRY.is_match("NL"));
    /// ```
    #[must_use]
    pub const fn constant(text: &'static str, steps: &'static [Step]) -> Self {
        Self { text: Text::Const(text), steps: List::Const(steps) }
    }

    /// Returns the source of the expression.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the steps of the compiled program.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns whether the whole text matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        Matcher::whole(&self.steps, text.chars().map(u32::from))
    }

    /// Returns whether a sequence of code points matches.
    #[must_use]
    pub fn is_match_of(&self, points: impl IntoIterator<Item = u32>) -> bool {
        Matcher::whole(&self.steps, points)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An error in a regular expression, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The byte offset in the pattern's text.
    pub offset: usize,
    /// The kind of error.
    pub flaw: PatternFlaw,
}

/// The kind of an error in a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternFlaw {
    /// Unterminated `[`.
    SetOpen,
    /// An empty character set.
    SetEmpty,
    /// A range whose end is before its start or is not a character.
    Range,
    /// Unterminated `(`.
    GroupOpen,
    /// Unmatched `)`.
    GroupUnopened,
    /// Nothing to repeat before `*`, `+`, `?` or `#`.
    NothingToRepeat,
    /// `#` without a digit or parenthesized range, or with a reversed range.
    Count,
    /// `{` without four numbers that denote a character.
    Quadruple,
    /// `\N` with a missing or unknown name.
    Name,
    /// A trailing `\`, or an unmatched `]` or `}`.
    Stray,
    /// More than [`MAX_STEPS`] steps, or groups nested too deeply.
    TooLarge,
}

impl PatternFlaw {
    const fn text(self) -> &'static str {
        match self {
            Self::SetOpen => "unterminated character class",
            Self::SetEmpty => "empty character class",
            Self::Range => "the character range is reversed",
            Self::GroupOpen => "unterminated group",
            Self::GroupUnopened => "no open group to close",
            Self::NothingToRepeat => "nothing to repeat",
            Self::Count => "expected a digit, or a range in parentheses, after `#`",
            Self::Quadruple => "expected four numbers in braces",
            Self::Name => "unknown character name",
            Self::Stray => "unescaped special character; write `\\` before it",
            Self::TooLarge => "the expression is too large",
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} of the pattern (X.680 Annex A)", self.flaw.text(), self.offset)
    }
}

impl core::error::Error for PatternError {}

/// Replaces each known `\N{name}` in the text with ranges of quadruples.
#[cfg(feature = "alloc")]
fn written_out(text: &str, names: impl Fn(&str) -> Option<alloc::vec::Vec<(u32, u32)>>) -> alloc::string::String {
    use core::fmt::Write;
    let mut out = alloc::string::String::with_capacity(text.len());
    let (mut rest, mut set) = (text, false);
    let quadruple = |out: &mut alloc::string::String, point: u32| {
        let [group, plane, row, cell] = point.to_be_bytes();
        // Writing to a String does not fail.
        let _ = write!(out, "{{{group},{plane},{row},{cell}}}");
    };
    while let Some(next) = rest.chars().next() {
        let known = rest.strip_prefix("\\N{").and_then(|after| {
            let (name, after) = after.split_once('}')?;
            Some((names(name)?, after))
        });
        if let Some((ranges, after)) = known {
            if !set {
                out.push('[');
            }
            for (low, high) in ranges {
                quadruple(&mut out, low);
                if high != low {
                    out.push('-');
                    quadruple(&mut out, high);
                }
            }
            if !set {
                out.push(']');
            }
            rest = after;
            continue;
        }
        // What a reverse solidus takes the meaning from is copied with it.
        let len = if next == '\\' { 1 + rest.chars().nth(1).map_or(0, char::len_utf8) } else { next.len_utf8() };
        set = match next {
            '[' => true,
            ']' => false,
            _ => set,
        };
        let (this, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
        out.push_str(this);
        rest = after;
    }
    out
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;
