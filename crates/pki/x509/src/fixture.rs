//! Test fixtures.

/// A Name: `CN=a`.
pub(crate) const NAME: &[u8] = b"\x30\x0C\x31\x0A\x30\x08\x06\x03\x55\x04\x03\x0C\x01a";

/// Builds an element: identifier byte, length, content.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = match content.len() {
        len @ 0..=0x7F => vec![len as u8],
        len @ 0x80..=0xFF => vec![0x81, len as u8],
        len => vec![0x82, (len >> 8) as u8, len as u8],
    };
    [&[tag], &length[..], &content].concat()
}
