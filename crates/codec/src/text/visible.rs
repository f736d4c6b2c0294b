//! Text from elsewhere, made safe to look at.

use core::fmt::{self, Write};

/// A text in which every character can be seen: what moves the cursor, changes the colour, reverses the direction or takes no
/// room is written as `\u{…}`.
///
/// Escaped are control characters, line and paragraph separators, interlinear annotation and what Unicode calls
/// Default_Ignorable_Code_Point: bidirectional marks, joiners, variation selectors, tags. A backslash stays as it is, so this
/// is for eyes, not for parsers.
///
/// ```
/// use tagwise_codec::text::Visible;
/// assert_eq!(Visible("Zoë\x1B[31m\u{202E}gpj.exe").to_string(), r"Zoë\u{1b}[31m\u{202e}gpj.exe");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a, T: ?Sized = str>(
    /// The value to show.
    pub &'a T,
);

/// Anything that displays itself, as [`Visible`].
///
/// ```
/// use tagwise_codec::text::visible;
/// assert_eq!(visible(&format_args!("a\u{200B}{}\n", 1)).to_string(), r"a\u{200b}1\u{a}");
/// ```
#[must_use]
pub const fn visible<T: fmt::Display + ?Sized>(value: &T) -> Visible<'_, T> {
    Visible(value)
}

impl<T: fmt::Display + ?Sized> fmt::Display for Visible<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Filter(f), "{}", self.0)
    }
}

/// Passes on what is written to it, escaped.
#[derive(Debug)]
pub struct Filter<W>(
    /// The destination.
    pub W,
);

impl<W: Write> Write for Filter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.bytes().all(|octet| matches!(octet, b' '..=b'~')) {
            return self.0.write_str(text);
        }
        let mut rest = text;
        while let Some((at, hidden)) = rest.char_indices().find(|(_, char)| is_hidden(*char)) {
            let (shown, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.0.write_str(shown)?;
            write!(self.0, "\\u{{{:x}}}", u32::from(hidden))?;
            rest = after.get(hidden.len_utf8()..).unwrap_or_default();
        }
        self.0.write_str(rest)
    }
}

/// Returns whether a character cannot be seen, or changes how others are seen.
const fn is_hidden(char: char) -> bool {
    if char < '\u{7F}' {
        return char < ' ';
    }
    matches!(char,
        // Cc, Zl, Zp.
        '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}'
        // Interlinear annotation.
        | '\u{FFF9}'..='\u{FFFB}'
        // Default_Ignorable_Code_Point (DerivedCoreProperties of Unicode 16).
        | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}
