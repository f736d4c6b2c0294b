//! Texts of octets, octets of texts, and what is wrong with texts.

use std::string::{String, ToString};
use std::vec::Vec;

use proptest::prelude::*;
use tagwise_codec::text::hex;
use tagwise_codec::{Budget, FaultKind, Oid, oid};

use super::*;

fn octets(text: &str) -> Vec<u8> {
    hex::decode(text.as_bytes()).unwrap()
}

/// What is written for octets, and that it is read again as those octets.
fn holds(hexadecimal: &str, text: &str) {
    let input = octets(hexadecimal);
    let found = to_text(&input, &Options::DEFAULT).unwrap();
    assert_eq!(found, text, "{hexadecimal}");
    assert_eq!(parse(&found).unwrap(), input, "{text}");
}

#[test]
fn universal_types() {
    for (input, text) in [
        ("", ""),
        ("0101ff 010100 010101", "BOOLEAN { TRUE }\nBOOLEAN { FALSE }\nBOOLEAN { `01` }\n"),
        ("020100 02017f 020180 0a0105", "INTEGER { 0 }\nINTEGER { 127 }\nINTEGER { -128 }\nENUMERATED { 5 }\n"),
        // Padded, empty, and more than 64 bits.
        ("0202007f 0202ff80 0200", "INTEGER { `007f` }\nINTEGER { `ff80` }\nINTEGER {}\n"),
        ("02088000000000000000", "INTEGER { -9223372036854775808 }\n"),
        ("0209008000000000000000", "INTEGER { `008000000000000000` }\n"),
        ("0500 050100", "NULL {}\nNULL { `00` }\n"),
        ("0603550403", "OBJECT_IDENTIFIER { 2.5.4.3 }\n"),
        (
            "06028001 060155 0601d5",
            "OBJECT_IDENTIFIER { `8001` }\nOBJECT_IDENTIFIER { 2.5 }\nOBJECT_IDENTIFIER { `d5` }\n",
        ),
        ("030100 030205a0 030205bf", "BIT_STRING { b`` }\nBIT_STRING { b`101` }\nBIT_STRING { b`101|11111` }\n"),
        ("030208a0 0300 030101", "BIT_STRING { `08a0` }\nBIT_STRING {}\nBIT_STRING { `01` }\n"),
        ("0306000102030405", "BIT_STRING { `00` `0102030405` }\n"),
        ("0c035a6fc3 130141", "UTF8String { \"Zo\\xc3\" }\nPrintableString { \"A\" }\n"),
        ("0c035ac3ab 16055ac3ab6161", "UTF8String { \"Zë\" }\nIA5String { \"Z\\xc3\\xabaa\" }\n"),
        // Most of it would be escapes.
        ("16035ac3ab", "IA5String { `5ac3ab` }\n"),
        ("0c06225c0a0d0920", "UTF8String { \"\\\"\\\\\\n\\x0d\\x09 \" }\n"),
        ("1e06005a00eb20ac", "BMPString { u\"Zë€\" }\n"),
        ("1e09d83dde00d800202e0a", "BMPString { u\"😀\\ud800\\u202e\" `0a` }\n"),
        ("1c09 0000005a 00110000 ff", "UniversalString { U\"Z\\U00110000\" `ff` }\n"),
        ("1e0141 1c03414243", "BMPString { `41` }\nUniversalString { `414243` }\n"),
        ("0d04c27b0302", "[UNIVERSAL 13 PRIMITIVE] { `c27b0302` }  # RELATIVE-OID 8571.3.2\n"),
        ("170d3134303432333230353034305a", "UTCTime { \"140423205040Z\" }  # 2014-04-23T20:50:40Z\n"),
        ("180f32303134303432333230353034305a", "GeneralizedTime { \"20140423205040Z\" }  # 2014-04-23T20:50:40Z\n"),
        ("1701 30", "UTCTime { \"0\" }\n"),
        ("040461626364", "OCTET_STRING { \"abcd\" }\n"),
        ("0403616263", "OCTET_STRING { `616263` }\n"),
        (
            "2b00 0b00 3d00",
            "[UNIVERSAL 11] {}  # EMBEDDED PDV\n[UNIVERSAL 11 PRIMITIVE] {}  # EMBEDDED PDV\n[UNIVERSAL 29] {}  # CHARACTER STRING\n",
        ),
    ] {
        holds(input, text);
    }
}

#[test]
fn tags_and_lengths() {
    for (input, text) in [
        (
            "a000 8000 6100 4100 e200 c200",
            "[0] {}\n[0 PRIMITIVE] {}\n[APPLICATION 1] {}\n[APPLICATION 1 PRIMITIVE] {}\n[PRIVATE 2] {}\n[PRIVATE 2 PRIMITIVE] {}\n",
        ),
        ("1000 2400 2300", "[SEQUENCE PRIMITIVE] {}\n[OCTET_STRING CONSTRUCTED] {}\n[BIT_STRING CONSTRUCTED] {}\n"),
        ("0000 2000 0f00", "[UNIVERSAL 0 PRIMITIVE] {}\n[UNIVERSAL 0] {}\n[UNIVERSAL 15 PRIMITIVE] {}\n"),
        ("bf1f00 1f2500 1f1f00", "[31] {}\n[UNIVERSAL 37 PRIMITIVE] {}\nDATE {}\n"),
        // Numbers that fewer octets would hold, and one that 32 bits do not.
        ("1f0200 3f801000 bf80800000", "[long-form:1 INTEGER] {}\n[long-form:2 SEQUENCE] {}\n[long-form:3 0] {}\n"),
        ("9f8f8080800000 9f8fffffff7f00", "[4026531840 PRIMITIVE] {}\n[4294967295 PRIMITIVE] {}\n"),
        ("9f908080800000 bf9080808000020500", "`9f9080808000` {}\n`bf9080808000` {\n  NULL {}\n}\n"),
        ("02810105 0283000001ff", "INTEGER long-form:1 { 5 }\nINTEGER long-form:3 { -1 }\n"),
        ("3080 02010500 00", "SEQUENCE indefinite {\n  INTEGER { 5 }\n}\n"),
        ("30800000 a0800000", "SEQUENCE indefinite {}\n[0] indefinite {}\n"),
        // End-of-contents octets in long form are none.
        ("3080 008100 0000", "SEQUENCE indefinite {\n  [UNIVERSAL 0 PRIMITIVE] long-form:1 {}\n}\n"),
    ] {
        holds(input, text);
    }
}

#[test]
fn what_is_no_element() {
    holds("02", "# not an element: truncated identifier or length\n`02`\n");
    holds(
        "3003 0201",
        "SEQUENCE `03`  # the length is 3, but only 2 bytes remain\n  INTEGER `01`  # the length is 1, but only 0 bytes remain\n",
    );
    holds("0205 0102", "INTEGER `05` `0102`  # the length is 5, but only 2 bytes remain\n");
    holds("0c05 61626364", "UTF8String `05` \"abcd\"  # the length is 5, but only 4 bytes remain\n");
    holds(
        "3005 0201 05 02ff",
        "SEQUENCE {\n  INTEGER { 5 }\n  # not an element: the length byte ff is reserved\n  `02ff`\n}\n",
    );
    holds("0480 0000", "# not an element: a primitive element cannot have an indefinite length\n`04800000`\n");
    holds("3080 020105", "SEQUENCE `80`  # missing end-of-contents octets\n  INTEGER { 5 }\n");
    holds(
        "3009 a080 020105 0203 0102",
        "SEQUENCE {\n  [0] `80`  # missing end-of-contents octets\n    INTEGER { 5 }\n    INTEGER `03` `0102`  # the length is 3, but only 2 bytes remain\n}\n",
    );
    // A cut off certificate shows what is left of it.
    holds("3082 0500 0201 05", "SEQUENCE `820500`  # the length is 1280, but only 3 bytes remain\n  INTEGER { 5 }\n");
    // Text that is no encoding.
    let text = to_text(b"hello world\n", &Options::DEFAULT).unwrap();
    assert_eq!(text, "# not an element: the length exceeds the remaining input\n\"hello world\\n\"\n");
}

#[test]
fn elements_in_strings() {
    holds("0404 3002 0500", "OCTET_STRING {\n  SEQUENCE {\n    NULL {}\n  }\n}\n");
    // One element only, sound, and not an empty string.
    holds("0404 05000500", "OCTET_STRING { `05000500` }\n");
    holds("0403 020200", "OCTET_STRING { `020200` }\n");
    holds("0404 02020001", "OCTET_STRING { `02020001` }\n");
    holds("0404 2202 0000", "OCTET_STRING { `22020000` }\n");
    // BER inside.
    holds("0404 30800000", "OCTET_STRING {\n  SEQUENCE indefinite {}\n}\n");
    holds("0403 028005", "OCTET_STRING { `028005` }\n");
    // An attempt that fails inside another that does not.
    holds("0406 0404 02010500 ", "OCTET_STRING {\n  OCTET_STRING { `02010500` }\n}\n");
    // Bits: only what is large enough to be no accident.
    holds("0303 000500", "BIT_STRING { b`0000010100000000` }\n");
    holds(
        "0311 00 300e 020101020101020101020101 0500",
        "BIT_STRING {\n  `00`\n  SEQUENCE {\n    INTEGER { 1 }\n    INTEGER { 1 }\n    INTEGER { 1 }\n    INTEGER { 1 }\n    NULL {}\n  }\n}\n",
    );
    let plain = Options { nested: false, ..Options::DEFAULT };
    assert_eq!(to_text(&octets("04020500"), &plain).unwrap(), "OCTET_STRING { `0500` }\n");
}

#[test]
fn long_content_has_lines() {
    let mut input = octets("0341 00");
    input.extend([0xFE; 64]);
    let line = "fe".repeat(32);
    let text = to_text(&input, &Options::DEFAULT).unwrap();
    assert_eq!(text, std::format!("BIT_STRING {{\n  `00`\n  `{line}`\n  `{line}`\n}}\n"));
    assert_eq!(parse(&text).unwrap(), input);
}

#[test]
fn names_are_comments() {
    let options =
        Options { names: Some(|oid: Oid<'_>| (oid == oid!("2.5.4.3")).then_some("common\nName")), ..Options::DEFAULT };
    let text = to_text(&octets("0603550403"), &options).unwrap();
    assert_eq!(text, "OBJECT_IDENTIFIER { 2.5.4.3 }  # commonName\n");
    let bare = Options { comments: false, ..options };
    assert_eq!(to_text(&octets("0603550403"), &bare).unwrap(), "OBJECT_IDENTIFIER { 2.5.4.3 }\n");
}

#[test]
fn hostile_text_is_visible() {
    // An escape sequence, a bidirectional mark, a byte order mark, a noncharacter.
    let text = to_text(b"\x0C\x0F\x1B[2J\xE2\x80\xAE\xEF\xBB\xBF\xEF\xBF\xBFab", &Options::DEFAULT).unwrap();
    assert_eq!(text, "UTF8String { `1b5b324ae280aeefbbbfefbfbf6162` }\n");
    let text = to_text(b"\x0C\x0F\x1B[2Jgelogelo\xE2\x80\xAE", &Options::DEFAULT).unwrap();
    assert_eq!(text, "UTF8String { \"\\x1b[2Jgelogelo\\xe2\\x80\\xae\" }\n");
}

#[test]
fn what_texts_may_be() {
    for (text, wanted) in [
        ("", ""),
        ("# only a comment", ""),
        ("\u{FEFF}NULL {}", "0500"),
        ("NULL{}NULL\t{\r\n}#x\n", "05000500"),
        ("INTEGER", "02"),
        ("{}", "00"),
        ("{ { 5 } }", "020105"),
        ("SEQUENCE `aabbcc` INTEGER { 1 }", "30aabbcc020101"),
        ("`3f90` { INTEGER { 1 } }", "3f9003020101"),
        ("[long-form:2 UNIVERSAL 2 PRIMITIVE] {}", "1f800200"),
        ("[0] SEQUENCE { INTEGER { `00ff` } }", "a03004020200ff"),
        ("[INTEGER] [INTEGER PRIMITIVE] [INTEGER CONSTRUCTED] [SET]", "02022231"),
        ("[UNIVERSAL 16] [ 0  CONSTRUCTED ] [4294967295]", "30a0bf8fffffff7f"),
        (
            "EMBEDDED_PDV RELATIVE_OID RELATIVE-OID CHARACTER_STRING TeletexString ObjectDescriptor T61String",
            "0b0d0d1d140714",
        ),
        ("0 -0 1 127 128 255 256 -1 -128 -129 -256 -257", "0000017f0080 00ff 0100 ff80 ff7f ff00 feff"),
        ("18446744073709551616 -18446744073709551616", "010000000000000000 ff0000000000000000"),
        ("340282366920938463463374607431768211455", "00ffffffffffffffffffffffffffffffff"),
        ("0.0 0.39 1.0 1.39 2.0 2.39 2.40 2.47 2.48 2.999.3", "00 27 28 4f 50 77 78 7f 8100 883703"),
        ("1.2.4294967296.18446744073709551615", "2a 9080808000 81ffffffffffffffff7f"),
        ("2.25.329800735698586629295641978511506172918", "69 83f09da7ebcfdee0c7a1a7b2c0948cc8f9d776"),
        ("TRUE FALSE", "ff00"),
        ("`` `00 ff\n 12` b`` b`1` b`1010|1111` b`10 1` b`1010|` b`11111111|`", "00ff12 00 0780 04af 05a0 04a0 00ff"),
        ("\"a\\x00\\\\\\\"\\n\u{e9}\nb\"", "61005c220ac3a90a62"),
        ("u\"a\u{1F600}\\n\\x41\\ud800\\U0001f600\"", "0061d83dde00000a0041d800d83dde00"),
        ("U\"a\u{1F600}\\ud800\\Uffffffff\"", "000000610001f6000000d800ffffffff"),
        (
            "long-form:1 { 5 } long-form:9 { } indefinite { 5 } indefinite{}",
            "81010589000000000000000000 80050000 800000",
        ),
    ] {
        assert_eq!(hex::encode(&parse(text).unwrap()), hex::encode(&octets(wanted)), "{text}");
    }
    // Octets that are no UTF-8.
    assert_eq!(parse(b"\"\xFF\"").unwrap(), [0xFF]);
    assert_eq!(parse("long-form:126 { 5 }").unwrap().len(), 128);
}

#[test]
fn what_is_wrong_with_texts() {
    use Reason::*;
    for (text, reason, line, column, found) in [
        ("INTEGRE {}", Word, 1, 1, "INTEGRE"),
        ("NULL {}\n  OCTET STRING {}", Word, 2, 3, "OCTET"),
        ("é", Token, 1, 1, "é"),
        ("NULL \u{202E}x", Token, 1, 6, "\\u{202e}x"),
        ("]", Word, 1, 1, "]"),
        ("é {\n", Token, 1, 1, "é"),
        ("\"é\" !", Word, 1, 5, "!"),
        ("\u{FEFF}!", Word, 1, 1, "!"),
        ("SEQUENCE {\n{}\n", UnclosedBrace, 1, 10, ""),
        ("{}\n}", UnopenedBrace, 2, 1, ""),
        ("\n \"abc\\\"", UnclosedLiteral, 2, 2, ""),
        ("`00", UnclosedLiteral, 1, 1, ""),
        ("b`1", UnclosedLiteral, 1, 1, ""),
        ("u\"a", UnclosedLiteral, 1, 1, ""),
        ("\"\\t\"", Escape, 1, 3, "t"),
        ("\"\\u0041\"", Escape, 1, 3, "u"),
        ("\"\\x4g\"", EscapeDigit, 1, 5, "g"),
        ("u\"\\u004\"", EscapeDigit, 1, 8, "\""),
        ("`0g`", HexDigit, 1, 3, "g"),
        ("`012`", HexPair, 1, 5, "`"),
        ("b`102`", Bit, 1, 5, "2"),
        ("b`1|0|`", Bit, 1, 6, "|"),
        ("b`1010|10101`", UnusedBits, 1, 12, "1"),
        ("b`|1`", UnusedBits, 1, 4, "1"),
        ("u\"\\U00110000\"", CodePoint, 1, 4, "U"),
        ("1.", Number, 1, 1, "1."),
        ("--1", Number, 1, 1, "--1"),
        ("1a", Number, 1, 1, "1a"),
        (".1", Word, 1, 1, ".1"),
        ("3.1", Arcs, 1, 1, "3.1"),
        ("1.40", Arcs, 1, 1, "1.40"),
        ("4294967296.1", Arcs, 1, 1, "4294967296.1"),
        ("indefinite", Brace, 1, 11, ""),
        ("indefinite }", Brace, 1, 12, "}"),
        ("long-form:1 `00`", Brace, 1, 13, "`"),
        ("long-form:0 {}", LongForm, 1, 1, "long-form:0"),
        ("long-form:127 {}", LongForm, 1, 1, "long-form:127"),
        ("long-form: {}", LongForm, 1, 1, "long-form:"),
        ("[]", Tag, 1, 2, ""),
        ("[0", UnclosedTag, 1, 1, ""),
        ("[0 {}]", UnclosedTag, 1, 1, ""),
        ("[-1]", Tag, 1, 2, "-1"),
        ("[4294967296]", Tag, 1, 2, "4294967296"),
        ("[0 PRIMTIVE]", Tag, 1, 2, "0 PRIMTIVE"),
        ("[APPLICATION]", Tag, 1, 2, "APPLICATION"),
        ("[0 PRIMITIVE 1]", Tag, 1, 2, "0 PRIMITIVE 1"),
        ("[CONTEXT 0]", Tag, 1, 2, "CONTEXT 0"),
        ("[long-form:1 128]", LongFormTooShort, 1, 2, "long-form:1 128"),
        ("[long-form:0 1]", LongForm, 1, 2, "long-form:0 1"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(
            (error.reason(), error.line(), error.column(), error.found()),
            (reason, line, column, found),
            "{text:?}: {error}"
        );
        assert!(text.is_char_boundary(error.offset()));
    }
    assert_eq!(parse(b"u\"\xFF\"").unwrap_err().reason(), Utf8);
    let large = std::format!("long-form:1 {{ \"{}\" }}", "x".repeat(256));
    let error = parse(large).unwrap_err();
    assert_eq!((error.reason(), error.column()), (LongFormTooShort, 13));
    assert_eq!(parse("9".repeat(4097)).unwrap_err().reason(), LongNumber);
    assert_eq!(parse("9".repeat(4096)).unwrap().len(), 1701);
    for (word, wanted) in [
        ("OCTET", "(did you mean OCTET_STRING?)"),
        ("octet_string", "(did you mean OCTET_STRING?)"),
        ("BitString", "(did you mean BIT_STRING?)"),
        ("primitve", "(did you mean PRIMITIVE?)"),
        ("true", "(did you mean TRUE?)"),
    ] {
        assert!(parse(word).unwrap_err().to_string().ends_with(wanted), "{word}");
    }
    assert!(!parse("completelyelse").unwrap_err().to_string().contains("did you"));
}

/// `levels` encodings, each in an OCTET STRING.
fn onion(levels: usize, inner: &[u8], tail: &[u8]) -> Vec<u8> {
    let mut input = inner.to_vec();
    for _ in 0..levels {
        input.extend(tail);
        let len = (input.len() as u32).to_be_bytes();
        input = [&[0x04, 0x84][..], &len, &input].concat();
    }
    input
}

#[test]
fn budgets() {
    let shallow = Options { budget: Budget { depth: 2, ..Budget::DEFAULT }, ..Options::DEFAULT };
    let input = octets("3006 3004 3002 0500 3080 3080 3080 0000 0000 0000");
    let text = to_text(&input, &shallow).unwrap();
    assert!(text.contains("SEQUENCE { `0500` }  # the nesting exceeds the depth limit"), "{text}");
    assert!(text.contains("# not an element: the nesting exceeds the depth limit\n"), "{text}");
    assert_eq!(parse(&text).unwrap(), input);
    // Deeper than any budget: identifiers of indefinite length, definite ones, strings in strings.
    for input in [octets(&"3080".repeat(100_000)), onion(1000, &[5, 0], &[]), onion(1000, &[5, 0], &[0])] {
        let text = to_text(&input, &Options::DEFAULT).unwrap();
        assert_eq!(parse(&text).unwrap(), input);
    }
    // A text may be as deep as it likes.
    let deep = "[0] {".repeat(100_000) + &"}".repeat(100_000);
    assert!(parse(&deep).unwrap().len() > 200_000);
    let few = Options { budget: Budget { elements: 3, ..Budget::DEFAULT }, ..Options::DEFAULT };
    assert_eq!(to_text(&octets("05000500"), &few).unwrap(), "NULL {}\nNULL {}\n");
    assert_eq!(to_text(&octets(&"0500".repeat(8)), &few).unwrap_err().kind(), FaultKind::ElementsExceeded);
    let small = Budget { output: 20, ..Budget::DEFAULT };
    let error = to_text(&octets(&"0500".repeat(8)), &Options { budget: small, ..Options::DEFAULT }).unwrap_err();
    assert_eq!(error.kind(), FaultKind::OutputExceeded);
    assert_eq!(parse_within("\"0123456789012345678\" {}", small).unwrap().len(), 20);
    assert_eq!(parse_within("\"01234567890123456789\" {}", small).unwrap_err().reason(), Reason::Output);
}

/// Time in proportion to size: four times the octets take nowhere near sixteen times as long.
#[test]
fn attempts_inside_attempts_are_linear() {
    // The best of three, for the machine may be busy.
    let time = |levels: usize| {
        let input = onion(levels, &[5, 0], &[0]).repeat(40_000 / (levels * 7));
        let run = || {
            let start = std::time::Instant::now();
            let text = to_text(&input, &Options::DEFAULT).unwrap();
            assert_eq!(parse(&text).unwrap(), input);
            start.elapsed().as_secs_f64() / input.len() as f64
        };
        run().min(run()).min(run())
    };
    let (shallow, deep) = (time(2), time(60));
    assert!(deep < shallow * 20.0 + 1e-5, "{shallow} {deep}");
}

fn round_trip(input: &[u8]) {
    for options in [
        Options::DEFAULT,
        Options { comments: false, nested: false, ..Options::DEFAULT },
        Options { budget: Budget { depth: 3, ..Budget::DEFAULT }, ..Options::DEFAULT },
    ] {
        let text = to_text(input, &options).unwrap();
        assert_eq!(parse(&text).unwrap(), input, "{text}");
        assert_eq!(to_text(input, &options).unwrap(), text);
        assert!(!text.chars().any(|char| char != '\n' && crate::quote::is_hidden(char)), "{text}");
    }
}

/// Octets that are often the beginnings of elements.
fn likely() -> impl Strategy<Value = Vec<u8>> {
    let octet = prop_oneof![
        4 => prop::sample::select(&[
            0x00u8, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0A, 0x0C, 0x13, 0x17, 0x1C, 0x1E, 0x1F, 0x24, 0x30, 0x31, 0x3F,
            0x5F, 0x80, 0x81, 0x82, 0x84, 0xA0, 0xBF, 0xFF, b'a', b'"', b'\\',
        ][..]),
        1 => any::<u8>(),
    ];
    prop::collection::vec(octet, 0..60)
}

/// An element of any form with elements inside.
fn element() -> impl Strategy<Value = Vec<u8>> {
    let leaf =
        (any::<u8>(), prop::collection::vec(any::<u8>(), 0..24)).prop_map(|(tag, content)| wrap(tag, 0, &content));
    leaf.prop_recursive(5, 40, 4, |inner| {
        (any::<u8>(), 0u8..4, prop::collection::vec(inner, 0..4)).prop_map(|(tag, form, parts)| {
            let tag = if form == 3 { [0x04, 0x30, 0xA0, 0x24][usize::from(tag & 3)] } else { tag };
            wrap(tag, form, &parts.concat())
        })
    })
}

fn wrap(tag: u8, form: u8, content: &[u8]) -> Vec<u8> {
    let head = if tag & 0x1F == 0x1F { [tag, 0x81, 0x00].to_vec() } else { [tag].to_vec() };
    let len = content.len() as u16;
    match form {
        1 => [&head[..], &[0x82], &len.to_be_bytes(), content].concat(),
        2 => [&head[..], &[0x80], content, &[0, 0]].concat(),
        _ if len < 0x80 => [&head[..], &[len as u8], content].concat(),
        _ => [&head[..], &[0x82], &len.to_be_bytes(), content].concat(),
    }
}

proptest! {
    #[test]
    fn any_octets_come_back(input in prop::collection::vec(any::<u8>(), 0..80)) {
        round_trip(&input);
    }

    #[test]
    fn likely_octets_come_back(input in likely()) {
        round_trip(&input);
    }

    #[test]
    fn elements_come_back(input in element(), cut in 0usize..400, at in any::<usize>(), octet in any::<u8>()) {
        round_trip(&input);
        round_trip(&input[..input.len() - cut.min(input.len())]);
        let mut input = input;
        let len = input.len();
        input[at % len] = octet;
        round_trip(&input);
    }

    #[test]
    fn numbers(value in any::<i128>(), arcs in prop::collection::vec(any::<u128>(), 0..4)) {
        let octets = parse(value.to_string()).unwrap();
        let start = if value < 0 { -1i128 } else { 0 };
        prop_assert_eq!(octets.iter().fold(start, |all, octet| all << 8 | i128::from(*octet)), value);
        prop_assert!(!matches!(octets.as_slice(), [0, 0..=0x7F, ..] | [0xFF, 0x80..=0xFF, ..]));
        let dotted = arcs.iter().fold(String::from("2.999"), |text, arc| std::format!("{text}.{arc}"));
        let content = parse(&dotted).unwrap();
        prop_assert_eq!(Oid::from_content(&content).unwrap().to_string(), dotted);
    }

    /// Whatever a text is, it gives octets or an error inside it; and its octets are stable.
    #[test]
    fn any_text(text in "([a-zA-Z{}\\[\\]\"`#|: 0-9.-]|INTEGER|SEQUENCE|indefinite|long-form:|\\\\|\n|é){0,40}") {
        match parse(&text) {
            Ok(octets) => round_trip(&octets),
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.offset()) && !error.to_string().contains('\n'));
            }
        }
    }
}
