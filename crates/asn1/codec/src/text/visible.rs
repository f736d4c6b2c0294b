//! Safe display of untrusted text.

use core::fmt::{self, Write};

/// Displays a text with every character visible. Characters that move the cursor, change colors, reverse the direction
/// or have no width become `\u{…}`.
///
/// It escapes control characters, line and paragraph separators, interlinear annotations and Unicode's
/// Default_Ignorable_Code_Point characters: bidirectional marks, joiners, variation selectors and tags. Backslashes are
/// not escaped, so the output is for reading, not parsing.
///
/// ```
/// use tagwise_codec::text::Visible;
/// assert_eq!(Visible("Zoë\x1B[31m\u{202E}gpj.exe").to_string(), r"Zoë\u{1b}[31m\u{202e}gpj.exe");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a, T: ?Sized = str>(
    /// The value to display.
    pub &'a T,
);

/// Wraps any displayable value as [`Visible`].
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

/// A writer adapter that escapes all text written to it.
#[derive(Debug)]
pub struct Filter<W>(
    /// The underlying writer.
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

/// Returns whether a character is invisible, or changes how other characters are displayed.
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
