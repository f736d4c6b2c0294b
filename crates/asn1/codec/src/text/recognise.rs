//! Detects an input's format and converts its text to UTF-8.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::dump::from_dump;
use super::sniff::{TextForm, sniff};

/// Detects an input's format, and returns it with the bytes to read. All readers of encoded text use this detection.
///
/// UTF-16 text, as written by some editors and shells, is converted to UTF-8. Hex dumps ([`from_dump`]) are converted to
/// plain digits. In both cases, offsets refer to the result. Other input is returned unchanged. A UTF-8 byte order mark is
/// kept, so that offsets stay correct. [`hex`](super::hex), [`base64`](super::base64) and [`pem`](crate::pem) skip it.
///
/// ```
/// use std::borrow::Cow;
/// use tagwise_codec::text::{TextForm, hex, recognise};
/// let (form, text) = recognise(b"\xFF\xFE3\x000\x00 \x000\x000\x00");
/// assert_eq!((form, &*text), (TextForm::Hex, &b"30 00"[..]));
/// assert_eq!(hex::decode(&text)?, [0x30, 0x00]);
/// assert_eq!(recognise(b"\xEF\xBB\xBF3000"), (TextForm::Hex, Cow::Borrowed(&b"\xEF\xBB\xBF3000"[..])));
/// assert_eq!(recognise(&[0x30, 0x00]), (TextForm::Der, Cow::Borrowed(&[0x30, 0x00][..])));
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
#[must_use]
pub fn recognise(input: &[u8]) -> (TextForm, Cow<'_, [u8]>) {
    if let Some(text) = from_utf16(input) {
        let form = sniff(text.as_bytes());
        // Anything may begin like UTF-16; text in one of these forms does not come about by chance.
        if let TextForm::Pem | TextForm::Hex | TextForm::Base64 = form {
            return (form, Cow::Owned(text.into_bytes()));
        }
        // Nor do words, whose first octets would pass for an element with a private tag.
        if !text.is_empty() && text.chars().all(|char| !char.is_control() || char.is_whitespace()) {
            return (TextForm::Unknown, Cow::Borrowed(input));
        }
    }
    match sniff(input) {
        // The offsets of a dump without text beside it are digits as well.
        form @ (TextForm::Unknown | TextForm::Hex | TextForm::Base64) => match from_dump(input) {
            Some(digits) => (TextForm::Hex, Cow::Owned(digits.into_bytes())),
            None => (form, Cow::Borrowed(input)),
        },
        form => (form, Cow::Borrowed(input)),
    }
}

/// The number of code units to examine in UTF-16 without a byte order mark. There must be at least as many.
const UNMARKED: usize = 16;

/// Returns whether bytes look like UTF-16: a byte order mark, or 16 ASCII characters of two bytes each.
///
/// PowerShell and some Windows programs write no byte order mark. Read as DER, such bytes would be a series of empty
/// values.
///
/// ```
/// use tagwise_codec::text::is_utf16;
/// assert!(is_utf16(b"\xFF\xFEa\x00"));
/// assert!(is_utf16(b"-\0-\0-\0-\0-\0B\0E\0G\0I\0N\0 \0C\0E\0R\0T\0I\0"));
/// assert!(!is_utf16(b"0\x000\x00"));
/// ```
#[must_use]
pub fn is_utf16(front: &[u8]) -> bool {
    matches!(front, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) || unmarked_unit(front).is_some()
}

/// Returns the byte order of UTF-16 text without a byte order mark.
fn unmarked_unit(input: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    let (units, _) = input.get(..2 * UNMARKED)?.as_chunks::<2>();
    let is_text = |octet: u8| matches!(octet, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if units.iter().all(|[low, high]| *high == 0 && is_text(*low)) {
        return Some(u16::from_le_bytes);
    }
    units.iter().all(|[high, low]| *high == 0 && is_text(*low)).then_some(u16::from_be_bytes)
}

/// Converts UTF-16 text to UTF-8 without a byte order mark. Returns `None` for other input. Input without a byte order
/// mark must satisfy [`is_utf16`].
///
/// ```
/// use tagwise_codec::text::from_utf16;
/// assert_eq!(from_utf16(b"\xFE\xFF\x00a\x20\xAC").as_deref(), Some("a\u{20AC}"));
/// assert_eq!(from_utf16(b"\xFF\xFEa\x00").as_deref(), Some("a"));
/// assert_eq!(from_utf16(b"a"), None);
/// assert_eq!(from_utf16(b"\xFF\xFEa"), None);
/// assert_eq!(from_utf16(b"\xFF\xFE\x00\xD8"), None);
/// ```
#[must_use]
pub fn from_utf16(input: &[u8]) -> Option<String> {
    let (unit, start): (fn([u8; 2]) -> u16, usize) = match input {
        [0xFF, 0xFE, ..] => (u16::from_le_bytes, 2),
        [0xFE, 0xFF, ..] => (u16::from_be_bytes, 2),
        _ => (unmarked_unit(input)?, 0),
    };
    let (units, []) = input.get(start..)?.as_chunks::<2>() else { return None };
    String::from_utf16(&units.iter().map(|pair| unit(*pair)).collect::<Vec<_>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_in_a_form_changes() {
        let wide = |text: &str| -> Vec<u8> {
            core::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        };
        for (text, form) in
            [("30 00", TextForm::Hex), ("MAMCAQU=\r\n", TextForm::Base64), ("für\n-----BEGIN X-----\n", TextForm::Pem)]
        {
            assert_eq!(recognise(&wide(text)), (form, Cow::Borrowed(text.as_bytes())), "{text}");
        }
        let words = wide("hello there!");
        assert_eq!(recognise(&words), (TextForm::Unknown, Cow::Borrowed(&words[..])));
        // An element with a private tag: FF FE 01, a length of 2.
        let element = b"\xFF\xFE\x01\x02\x05\x00";
        assert_eq!(recognise(element), (TextForm::Der, Cow::Borrowed(&element[..])));
        for input in [&b""[..], b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE3", b"\xFE\xFF\xD8\x00"] {
            assert_eq!(recognise(input), (TextForm::Unknown, Cow::Borrowed(input)), "{input:?}");
        }
    }
}
