use alloc::format;
use alloc::string::ToString;
use alloc::{vec, vec::Vec};

use super::*;
use crate::decode::{Decode, Tagged};
use crate::encode::encode;
use crate::rule::Rule;
use crate::table::{Shape, Typed};
use crate::types::testing::{accepted, refused, tolerated};

/// An element of a low tag with a short content.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, content.len() as u8], content].concat()
}

/// Every single octet after a digit: exactly those listed are accepted, the others tolerated but not written.
macro_rules! alphabet {
    ($name:ident, $octets:expr) => {
        for octet in 0..=0xFFu8 {
            let input = element($name::TAG.first_octet(), &[b'1', octet]);
            if $octets.contains(&octet) {
                accepted::<$name<'_>>(&input);
            } else {
                let value: $name<'_> = tolerated(&input, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 3);
                assert_eq!(value.as_bytes(), [b'1', octet]);
                assert_eq!(encode(&value).unwrap_err().kind(), FaultKind::NotEncodable, "{octet:02X}");
                assert_eq!($name::from_content(&[b'1', octet]).unwrap_err().offset(), 1);
            }
        }
    };
}

#[test]
fn alphabets_within_ascii() {
    alphabet!(Numeric, b" 0123456789");
    alphabet!(Printable, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?");
    let ascii: Vec<u8> = (0..0x80).collect();
    alphabet!(Ia5, ascii);
    alphabet!(Visible, ascii[0x20..0x7F]);
}

#[test]
fn ascii_strings() {
    assert_eq!(accepted::<Printable<'_>>(&[0x13, 0x00]), Printable::default());
    let text = accepted::<Printable<'_>>(b"\x13\x0BQuick (fox)");
    assert_eq!((text.as_str(), text.to_string().as_str()), (Some("Quick (fox)"), "Quick (fox)"));
    assert_eq!(text, Printable::try_from("Quick (fox)").unwrap());
    assert_eq!(format!("{text:?} {text:>12}"), "Printable(\"Quick (fox)\")  Quick (fox)");
    // Faults inside long strings.
    let mut long = [b'a'; 100];
    long[77] = b'_';
    refused::<Printable<'_>>(&element(0x13, &long), FaultKind::StringAlphabet, 79);
    assert_eq!(Printable::new("under_score").unwrap_err().offset(), 5);
    assert_eq!(Numeric::new("1\u{663}").unwrap_err().kind(), FaultKind::StringAlphabet);
    refused::<Ia5<'_>>(&[0x13, 0x00], FaultKind::UnexpectedTag, 0);
    refused::<Ia5<'_>>(&[0x36, 0x02, 0x16, 0x00], FaultKind::PrimitiveExpected, 0);
}

#[test]
fn tolerated_octets_that_are_no_text() {
    let input = b"\x13\x05M\xFCll\x5F";
    let text: Printable<'_> = tolerated(input, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 3);
    assert_eq!((text.as_bytes(), text.as_str()), (&b"M\xFCll_"[..], None));
    assert_eq!(format!("{text} {text:?}"), "M\u{FFFD}ll_ Printable(\"M\\xfcll_\")");
}

#[test]
fn utf8() {
    assert!(accepted::<Utf8<'_>>(&[0x0C, 0x00]).is_empty());
    for text in ["a", "ß", "€", "🔑", "\0", "a\u{7F}", &"x".repeat(90), &"ø".repeat(40)] {
        let input = element(0x0C, text.as_bytes());
        let read = accepted::<Utf8<'_>>(&input);
        assert_eq!((read, read.as_str(), read.as_bytes()), (Utf8::new(text), text, text.as_bytes()));
        assert_eq!(accepted::<&str>(&input), text);
        assert_eq!(format!("{read}{read:?}"), format!("{text}Utf8({text:?})"));
    }
    // Overlong, surrogate, above 10FFFF, cut, lone continuation, Latin-1 (RFC 3629 §3).
    let wrong: [(&[u8], usize); 6] = [
        (&[0x61, 0xC0, 0x80], 1),
        (&[0xED, 0xA0, 0x80], 0),
        (&[0x61, 0x62, 0xF4, 0x90, 0x80, 0x80], 2),
        (&[0xC3, 0x9F, 0xE2, 0x82], 2),
        (&[0x61, 0x80], 1),
        (b"M\xFCll", 1),
    ];
    for (content, at) in wrong {
        let input = element(0x0C, content);
        refused::<Utf8<'_>>(&input, FaultKind::Utf8Invalid, at + 2);
        refused::<&str>(&input, FaultKind::Utf8Invalid, at + 2);
        assert_eq!(Utf8::from_content(content).unwrap_err().offset(), at);
    }
    assert_eq!(<&str>::from(Utf8::from("é")), "é");
    assert!(core::ptr::eq(<&str>::ty(), Utf8::ty()) || <&str>::ty().name.as_bytes() == b"UTF8String");
}

#[test]
fn bmp() {
    assert!(accepted::<Bmp<'_>>(&[0x1E, 0x00]).is_empty());
    let input = [0x1E, 0x06, 0x00, 0x41, 0xD7, 0xFF, 0xFF, 0xFF];
    let text = accepted::<Bmp<'_>>(&input);
    assert!(text.chars().eq(['A', '\u{D7FF}', '\u{FFFF}']));
    assert_eq!(text.as_bytes(), Some(&input[2..]));
    refused::<Bmp<'_>>(&[0x1E, 0x03, 0x00, 0x41, 0x00], FaultKind::StringLength, 4);
    refused::<Bmp<'_>>(&[0x1E, 0x01, 0x00], FaultKind::StringLength, 2);
    // A surrogate in a string of odd length: the length is what no rule tolerates.
    refused::<Bmp<'_>>(&[0x1E, 0x03, 0xD8, 0x00, 0x00], FaultKind::StringLength, 4);

    let built = Bmp::new("A\u{D7FF}\u{FFFF}").unwrap();
    assert_eq!((built, built.as_bytes()), (text, None));
    assert_eq!(encode(&built).unwrap(), input);
    assert_eq!(format!("{} {built:?}", Bmp::new("Ω").unwrap()), "Ω Bmp(\"A\\u{d7ff}\\u{ffff}\")");
    assert_eq!(Bmp::new("aé🔑").unwrap_err().offset(), 3);
    assert!(Bmp::try_from("ab").unwrap() < Bmp::from_content(&[0x00, 0x62]).unwrap());
    assert_eq!(Bmp::from_content(&[0xDC, 0x00]).unwrap_err().kind(), FaultKind::StringAlphabet);
}

#[test]
fn bmp_surrogates_tolerated_as_utf16() {
    let input = [0x1E, 0x08, 0x00, 0x41, 0xD8, 0x3D, 0xDD, 0x11, 0xDC, 0x00];
    let text: Bmp<'_> = tolerated(&input, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 4);
    assert_eq!(text.to_string(), "A🔑\u{FFFD}");
    assert_eq!(encode(&text).unwrap_err().kind(), FaultKind::NotEncodable);
}

#[test]
fn universal() {
    assert!(accepted::<Universal<'_>>(&[0x1C, 0x00]).is_empty());
    let input = [0x1C, 0x08, 0x00, 0x00, 0x20, 0xAC, 0x00, 0x10, 0xFF, 0xFF];
    let text = accepted::<Universal<'_>>(&input);
    assert!(text.chars().eq(['€', '\u{10FFFF}']));
    assert_eq!(text, Universal::new("€\u{10FFFF}"));
    assert_eq!(encode(&Universal::from("€\u{10FFFF}")).unwrap(), input);
    refused::<Universal<'_>>(&[0x1C, 0x02, 0x00, 0x00], FaultKind::StringLength, 2);
    refused::<Universal<'_>>(&[0x1C, 0x05, 0x00, 0x00, 0x00, 0x41, 0x00], FaultKind::StringLength, 6);
    for wrong in [[0x00, 0x11, 0x00, 0x00], [0x00, 0x00, 0xD8, 0x00], [0xFF, 0xFF, 0xFF, 0xFF]] {
        let input = element(0x1C, &[&[0x00, 0x00, 0x00, 0x41], &wrong[..]].concat());
        let text: Universal<'_> = tolerated(&input, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 6);
        assert_eq!(format!("{text:?}"), "Universal(\"A\u{FFFD}\")");
        assert_eq!(encode(&text).unwrap_err().kind(), FaultKind::NotEncodable);
    }
}

#[test]
fn opaque_octets() {
    let every: Vec<u8> = (0x80..=0xFF).collect();
    let long = [&[0x14, 0x81, 0x80], &every[..]].concat();
    assert_eq!(accepted::<Teletex<'_>>(&long).as_bytes(), every);
    assert_eq!(accepted::<Videotex<'_>>(b"\x15\x02\x9Ba").to_string(), "\\x9ba");
    assert_eq!(accepted::<Graphic<'_>>(b"\x19\x02\xFFa").to_string(), "\u{FFFD}a");
    assert_eq!(accepted::<General<'_>>("\x1B\x03aß".as_bytes()).as_str(), Some("aß"));
    assert_eq!(accepted::<ObjectDescriptor<'_>>(b"\x07\x01\xFF").as_str(), None);
    assert_eq!(Teletex::from_content(b"M\xFCll").to_string(), "Müll");
    assert_eq!(General::from("x"), General::from_content(b"x"));
    refused::<General<'_>>(&[0x1B, 0x02, 0x00], FaultKind::LengthOverrun, 1);
}

#[test]
fn the_tables_check_agrees_with_the_types() {
    macro_rules! agree {
        ($content:expr, $($name:ident)*) => {$({
            let Shape::String(kind) = $name::ty().shape else { panic!() };
            let expected = $name::from_der(&element($name::TAG.first_octet(), $content)).map(|_| ());
            let found = check(kind, $content).map_err(|(kind, at)| (kind, at + 2));
            assert_eq!(found, expected.map_err(|error| (error.kind(), error.offset())), "{:?}", $name::ty().name);
        })*};
    }
    let contents: [&[u8]; 7] =
        [b"", b"12 3", b"a@b", b"\x01", b"\xE2\x82\xAC", b"\xD8\x00\x00\x00", b"\x00\x11\x00\x00"];
    for content in contents {
        agree!(content, Utf8 Numeric Printable Ia5 Visible Bmp Universal);
        agree!(content, Teletex Videotex Graphic General ObjectDescriptor);
    }
}

#[test]
fn hashes_agree_with_equality() {
    extern crate std;
    use std::hash::{BuildHasher, RandomState};
    let state = RandomState::new();
    let input = [0x00, 0x41, 0x00, 0x42];
    assert_eq!(state.hash_one(Bmp::new("AB").unwrap()), state.hash_one(Bmp::from_content(&input).unwrap()));
    let wide = [0x00, 0x00, 0x00, 0x41];
    assert_eq!(state.hash_one(Universal::new("A")), state.hash_one(Universal::from_content(&wide).unwrap()));
}

/// Any octet at any place of strings of any length around the size of what is looked at together; what follows does not count.
#[test]
fn beginnings_are_what_whole_contents_are() {
    fn hold(filler: u8, begins: fn(&[u8], usize) -> bool, is_content: fn(&[u8]) -> bool) {
        let lens = (0..=36).chain([63, 64, 65, 127, 128, 129, 150]);
        for (len, follow) in lens.flat_map(|len| [0, 5, 20, 130].map(|follow| (len, follow))) {
            let mut octets = vec![filler; len];
            octets.resize(len + follow, 0xFF);
            assert!(begins(&octets, len), "{len} octets and {follow}");
            assert!(!begins(&octets, len + follow + 1), "{len} octets and {follow} have no more");
            for (at, octet) in (0..len).flat_map(|at| (0..=255).map(move |octet| (at, octet))) {
                octets[at] = octet;
                assert_eq!(begins(&octets, len), is_content(&octets[..len]), "{octet} at {at} of {len} and {follow}");
                octets[at] = filler;
            }
        }
    }
    hold(b'1', Numeric::begins, |octets| octets.iter().all(|octet| b"0123456789 ".contains(octet)));
    hold(b'A', Printable::begins, |octets| {
        octets.iter().all(|octet| octet.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(octet))
    });
    hold(b'A', Visible::begins, |octets| octets.iter().all(|octet| (b' '..=b'~').contains(octet)));
    hold(b'A', Ia5::begins, <[u8]>::is_ascii);
    hold(b'A', Utf8::begins, |octets| core::str::from_utf8(octets).is_ok());
    hold(b'A', |octets, len| Ia5::begins_as(octets, len, false), <[u8]>::is_ascii);
    hold(
        b'A',
        |octets, len| Ia5::begins_as(octets, len, true),
        |octets| octets.iter().all(|octet| octet.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(octet)),
    );
}
