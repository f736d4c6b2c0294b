//! Base64 and hexadecimal that are accepted and refused.

extern crate std;
use std::string::String;
use std::vec::Vec;

use super::{base64, hex};
use crate::fault::Fault;
use crate::kind::FaultKind;

/// RFC 4648 §10, and lengths around the fast paths.
#[test]
fn base64_vectors() {
    for (octets, text) in [
        (&b""[..], ""),
        (b"f", "Zg=="),
        (b"fo", "Zm8="),
        (b"foo", "Zm9v"),
        (b"foob", "Zm9vYg=="),
        (b"fooba", "Zm9vYmE="),
        (b"foobar", "Zm9vYmFy"),
        (b"\xFB\xFF\xBF", "+/+/"),
    ] {
        assert_eq!(base64::encode(octets), text);
        assert_eq!(base64::decode(text.as_bytes()).unwrap(), octets);
    }
    let octets: Vec<u8> = (0..=255).cycle().take(400).collect();
    for len in 0..octets.len() {
        let text = base64::encode(&octets[..len]);
        assert_eq!(base64::decode(text.as_bytes()).unwrap(), octets[..len]);
        assert!(base64::decoded_len(text.len()) >= len);
        let wrapped: String =
            text.as_bytes().chunks(13).flat_map(|line| [line, b" \r\n"].concat()).map(char::from).collect();
        assert_eq!(base64::decode_wrapped(wrapped.as_bytes()).unwrap(), octets[..len]);
    }
}

#[test]
fn base64_refused() {
    for (text, kind, offset) in [
        (&b"Z"[..], FaultKind::Base64Length, 1),
        (b"Zg", FaultKind::Base64Length, 2),
        (b"Zg=", FaultKind::Base64Length, 3),
        (b"Zm8", FaultKind::Base64Length, 3),
        (b"Zm9vY", FaultKind::Base64Length, 5),
        (b"=", FaultKind::Base64Padding, 0),
        (b"Z===", FaultKind::Base64Padding, 1),
        (b"Zg===", FaultKind::Base64Padding, 4),
        (b"Zm8==", FaultKind::Base64Padding, 4),
        (b"Zm9v=", FaultKind::Base64Padding, 4),
        (b"Zg==Zg==", FaultKind::Base64Padding, 4),
        (b"Zh==", FaultKind::Base64Bits, 1),
        (b"Zm9=", FaultKind::Base64Bits, 2),
        (b"Zm 9v", FaultKind::Base64Character, 2),
        (b"Zm-v", FaultKind::Base64Character, 2),
        (b"Zm9vZm9vZm9v\xFF", FaultKind::Base64Character, 12),
        (b"Zm9v\n", FaultKind::Base64Character, 4),
    ] {
        assert_eq!(base64::decode(text), Err(Fault::new(kind, offset)), "{text:?}");
        // What a whole word of good characters comes before is found in its place too.
        let long = [&b"Zm9v".repeat(33)[..], text].concat();
        if kind != FaultKind::Base64Padding || offset > 0 {
            assert_eq!(base64::decode(&long), Err(Fault::new(kind, offset + 132)));
        }
    }
    for octet in 0..=u8::MAX {
        let mut text = *b"Zm9vZm9v";
        text[5] = octet;
        let known = octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/');
        assert_eq!(base64::decode(&text).is_ok(), known);
    }
    assert_eq!(base64::decode_to_slice(b"Zm9v", &mut [0; 2]), Err(Fault::new(FaultKind::BufferTooSmall, 3)));
    assert_eq!(base64::decode_to_slice(b"Zg==", &mut []), Err(Fault::new(FaultKind::BufferTooSmall, 4)));
    assert_eq!(base64::decode_to_slice(b"Zg==", &mut [0]), Ok(1));
}

#[test]
fn hex_accepted() {
    for text in [
        "3003020105",
        "30 03 02 01 05",
        "30:03:02:01:05",
        "0x30,0x03,0x02,0x01,0x05,",
        "0X3003020105",
        "\\x30\\x03\\x02\\x01\\x05",
        "3003\n0201\r\n05\n",
        "  30\t03\x0B02\x0C01::05",
        "0x3003 0x0201:05",
    ] {
        assert_eq!(hex::decode(text.as_bytes()).unwrap(), [0x30, 0x03, 0x02, 0x01, 0x05], "{text}");
    }
    assert_eq!(hex::decode(b"").unwrap(), []);
    assert_eq!(hex::decode(b"aBcDeF09").unwrap(), [0xAB, 0xCD, 0xEF, 0x09]);
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(hex::decode(hex::encode(&all).as_bytes()).unwrap(), all);
}

#[test]
fn hex_refused() {
    for (text, kind, offset) in [
        (&b"3"[..], FaultKind::HexLength, 1),
        (b"300", FaultKind::HexLength, 3),
        (b"3 0", FaultKind::HexLength, 1),
        (b"30:0,", FaultKind::HexLength, 4),
        (b"3g", FaultKind::HexDigit, 1),
        (b"g3", FaultKind::HexDigit, 0),
        (b"0x", FaultKind::HexDigit, 1),
        (b"0x 30", FaultKind::HexDigit, 1),
        (b"300x30", FaultKind::HexDigit, 3),
        (b"0x0x30", FaultKind::HexDigit, 3),
        (b"0x3", FaultKind::HexLength, 3),
        (b"\\30", FaultKind::HexDigit, 0),
        (b"30;30", FaultKind::HexDigit, 2),
        (b"30-30", FaultKind::HexDigit, 2),
        (b"\xC3\xA9", FaultKind::HexDigit, 0),
    ] {
        assert_eq!(hex::decode(text), Err(Fault::new(kind, offset)), "{text:?}");
    }
    assert_eq!(hex::decode_to_slice(b"3003", &mut [0]), Err(Fault::new(FaultKind::BufferTooSmall, 2)));
}
