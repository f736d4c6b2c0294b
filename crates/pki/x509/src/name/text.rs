//! The text of attribute values.

use std::borrow::Cow;

use tagwise_codec::{Any, Bmp, Class, Universal};

use super::DirectoryString;

/// Returns the text of an element with a universal string type, or `None` for other types.
///
/// TeletexString is decoded as ISO 8859-1, its common usage. GraphicString and GeneralString are text if they are ASCII.
/// VideotexString is never text. Invalid strings, which only an [`outline`](tagwise_codec::Decode::outline) or a tolerant
/// decoding accepts, yield `None`.
///
/// ```
/// use tagwise_codec::{Any, Decode};
/// use tagwise_x509::name::text;
/// assert_eq!(text(&Any::from_der(b"\x14\x04M\xFCll")?).as_deref(), Some("Müll"));
/// assert_eq!(text(&Any::from_der(&[0x02, 0x01, 0x41])?), None);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[must_use]
pub fn text<'a>(value: &Any<'a>) -> Option<Cow<'a, str>> {
    let tag = value.tag();
    if tag.class() != Class::Universal || tag.is_constructed() {
        return None;
    }
    text_of(tag.number(), value.content())
}

/// Returns the text of content bytes, given the number of their universal type.
pub(super) fn text_of(number: u32, content: &[u8]) -> Option<Cow<'_, str>> {
    match number {
        // UTF8String.
        12 => core::str::from_utf8(content).ok().map(Cow::Borrowed),
        // NumericString, PrintableString, IA5String, GraphicString, VisibleString, GeneralString.
        18 | 19 | 22 | 25 | 26 | 27 => ascii(content),
        // TeletexString.
        20 => ascii(content).or_else(|| Some(latin1(content))),
        // UniversalString.
        28 => Universal::from_content(content).ok().map(|string| Cow::Owned(string.chars().collect())),
        // BMPString.
        30 => Bmp::from_content(content).ok().map(|string| Cow::Owned(string.chars().collect())),
        _ => None,
    }
}

fn ascii(content: &[u8]) -> Option<Cow<'_, str>> {
    core::str::from_utf8(content).ok().filter(|text| text.is_ascii()).map(Cow::Borrowed)
}

fn latin1(content: &[u8]) -> Cow<'_, str> {
    content.iter().map(|octet| char::from(*octet)).collect()
}

impl<'a> DirectoryString<'a> {
    /// Returns the text. Invalid bytes that were tolerated become U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        match self {
            Self::Teletex(string) => ascii(string.as_bytes()).unwrap_or_else(|| latin1(string.as_bytes())),
            Self::Printable(string) => String::from_utf8_lossy(string.as_bytes()),
            Self::Universal(string) => string.chars().collect(),
            Self::Utf8(string) => String::from_utf8_lossy(string.as_bytes()),
            Self::Bmp(string) => string.chars().collect(),
        }
    }
}

impl core::fmt::Display for DirectoryString<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(&self.text())
    }
}
