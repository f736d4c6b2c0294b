//! Detects an input's format from its bytes.

use super::{is_space, unmarked};
use crate::header::HeaderPlace;
use crate::tag::Class;

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextForm {
    /// Binary: the first element has a DER or BER header, and its content is within the input.
    Der,
    /// Text with a PEM boundary line.
    Pem,
    /// Only pairs of hexadecimal digits and the separators of [`hex`](super::hex).
    Hex,
    /// Only base64 and line breaks.
    Base64,
    /// None of the known formats.
    Unknown,
}

/// Detects an input's format in linear time. The result is a guess that is only confirmed by reading the input.
///
/// Input that is both valid hexadecimal and base64 counts as hexadecimal. A binary element that spans the input is
/// [`TextForm::Der`] even if it contains PEM boundaries, unless the whole input is readable UTF-8.
///
/// ```
/// use tagwise_codec::text::{TextForm, sniff};
/// assert_eq!(sniff(&[0x30, 0x03, 0x02, 0x01, 0x05]), TextForm::Der);
/// assert_eq!(sniff(b"-----BEGIN CERTIFICATE-----\n"), TextForm::Pem);
/// assert_eq!(sniff(b"30:03:02:01:05\n"), TextForm::Hex);
/// assert_eq!(sniff(b"MAMCAQU=\n"), TextForm::Base64);
/// assert_eq!(sniff(b"Hello!"), TextForm::Unknown);
/// ```
#[must_use]
pub fn sniff(input: &[u8]) -> TextForm {
    let (text, _) = unmarked(input);
    let readable = core::str::from_utf8(text).is_ok() && text.iter().all(|octet| *octet >= b' ' || is_space(*octet));
    if readable && has_boundary(text) {
        return TextForm::Pem;
    }
    // Text before binary: `02…` in hexadecimal may have the length that its second digit says as an octet.
    let seen = Seen::of(text);
    if seen.is_hex() {
        return TextForm::Hex;
    }
    if seen.is_base64() {
        return TextForm::Base64;
    }
    match element(input) {
        Some(len) if len == input.len() => TextForm::Der,
        _ if has_boundary(text) => TextForm::Pem,
        // Several elements in a row, or one that is followed by something.
        Some(_) if !readable => TextForm::Der,
        _ => TextForm::Unknown,
    }
}

/// Returns the size of the first element, if it has a universal or constructed identifier and is contained in the input. If its
/// length is indefinite, returns the size of the whole input.
fn element(input: &[u8]) -> Option<usize> {
    let place = HeaderPlace::at_start(input, None);
    let (tag, at) = place.tag().ok()?;
    if tag.class() != Class::Universal && !tag.is_constructed() {
        return None;
    }
    if tag.is_constructed() && input.get(at) == Some(&0x80) {
        return Some(input.len());
    }
    let extent = place.length(at).ok()?;
    (extent.start as usize).checked_add(extent.len as usize)
}

/// Returns whether the text contains a possible boundary: `BEGIN` after a hyphen, or after the last byte of another dash in
/// UTF-8.
fn has_boundary(text: &[u8]) -> bool {
    text.windows(7).any(|window| matches!(window, [b'-' | 0x80..=0xFF, b'B', b'E', b'G', b'I', b'N', b' ']))
}

/// The number of bytes of each kind in a text.
#[derive(Debug, Default)]
struct Seen {
    hex: usize,
    /// Base64 characters that are not hexadecimal digits.
    base64: usize,
    /// Separators that occur only between hexadecimal pairs.
    hex_only: usize,
    /// The letters of the prefixes `0x` and `\x`.
    prefixes: usize,
    /// The zeros of the prefixes `0x`, which `hex` does not count.
    prefix_zeros: usize,
    other: usize,
}

impl Seen {
    /// Returns whether the text consists of pairs of digits, with no letters other than those of prefixes.
    const fn is_hex(&self) -> bool {
        self.other == 0 && self.hex > 0 && self.hex.is_multiple_of(2) && self.base64 == self.prefixes
    }

    /// Returns whether the text consists only of base64 characters, in a number that base64 can have.
    const fn is_base64(&self) -> bool {
        let count = self.hex + self.base64 + self.prefix_zeros;
        self.other == 0 && self.hex_only == 0 && count >= 4 && count % 4 != 1
    }

    fn of(text: &[u8]) -> Self {
        let mut seen = Self::default();
        let mut previous = b' ';
        for octet in text {
            match octet {
                b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' => seen.hex += 1,
                b'x' | b'X' if previous == b'0' => {
                    seen.hex -= 1;
                    seen.prefix_zeros += 1;
                    seen.base64 += 1;
                    seen.prefixes += 1;
                }
                b'x' if previous == b'\\' => {
                    seen.base64 += 1;
                    seen.prefixes += 1;
                }
                b'g'..=b'z' | b'G'..=b'Z' | b'+' | b'/' | b'=' => seen.base64 += 1,
                b':' | b',' | b'\\' => seen.hex_only += 1,
                octet if is_space(*octet) => {}
                _ => seen.other += 1,
            }
            previous = *octet;
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_inputs() {
        for (input, form) in [
            (&b""[..], TextForm::Unknown),
            (b"\n \n", TextForm::Unknown),
            (b"3", TextForm::Unknown),
            (b"30", TextForm::Hex),
            (b"300", TextForm::Unknown),
            (b"0x30,0x00", TextForm::Hex),
            (b"0x3000", TextForm::Hex),
            (b"\\x30\\x00", TextForm::Hex),
            (b"30 03\r\n02:01:05", TextForm::Hex),
            // Hexadecimal whose first octets are also those of an element of that size.
            (b"0201020304050607080910111213141516171819202122232425", TextForm::Hex),
            (b"MAA=", TextForm::Base64),
            (b"MAA", TextForm::Unknown),
            (b"MAMCAQU", TextForm::Base64),
            (b"MAMC AQU=", TextForm::Base64),
            (b"MAMC-AQU", TextForm::Unknown),
            (b"0xMA", TextForm::Base64),
            (b"text\n-----BEGIN X-----\n", TextForm::Pem),
            ("\u{FEFF}-----BEGIN X-----\n".as_bytes(), TextForm::Pem),
            ("\u{2014}BEGIN X\u{2014}\n".as_bytes(), TextForm::Pem),
            ("Zertifikat für\n-----BEGIN X-----\n".as_bytes(), TextForm::Pem),
            (b"we BEGIN now!", TextForm::Unknown),
            (b"\x05\x00", TextForm::Der),
            (b"\x30\x80\x00\x00", TextForm::Der),
            (b"\x30\x00\x30\x00", TextForm::Der),
            (b"\x30\x05\x02", TextForm::Unknown),
            (b"\x04\x11-----BEGIN X-----", TextForm::Der),
            (b"\x80\x01\x00", TextForm::Unknown),
            (b"\xA0\x02\x05\x00", TextForm::Der),
            (b"\x00\x00", TextForm::Unknown),
            (b"\xFF", TextForm::Unknown),
        ] {
            assert_eq!(sniff(input), form, "{input:?}");
        }
    }
}
