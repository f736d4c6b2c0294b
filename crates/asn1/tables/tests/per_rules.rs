//! The Packed Encoding Rules, clause by clause.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod packed;

use packed::{check, decode, encode, schema};
use tagwise_codec::{Budget, Options};
use tagwise_per::{Rule, Tolerance, Variant};
use tagwise_tables::Schema;

const UNALIGNED: Variant = Variant::UNALIGNED;
const ALIGNED: Variant = Variant::ALIGNED;

#[track_caller]
fn refused(schema: &Schema, variant: Variant, octets: &str, message: &str) {
    let error = decode(schema, "T", variant, octets).unwrap_err();
    assert_eq!(error.to_string(), message, "{octets}");
}

/// An input that violates a rule is refused, and tolerated if that is allowed.
#[track_caller]
fn tolerated(schema: &Schema, variant: Variant, octets: &[u8], rule: Rule, json: &str) {
    let ty = schema.per("T").unwrap().variant(variant);
    assert_eq!(ty.decode(octets).unwrap_err().kind, tagwise_per::Kind::Rule(rule));
    let read = ty.tolerating(Tolerance::NONE.allow(rule)).decode(octets).unwrap();
    assert_eq!(tagwise_jer::to_string(schema.ty("T").unwrap().types(), &read.value), json);
    assert_eq!(read.deviations.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), [rule]);
}

#[test]
fn whole_numbers() {
    let both = |ty: &str, value: &str, aligned: &str, unaligned: &str| {
        check(&schema(&format!("T ::= {ty}")), "T", value, aligned, unaligned);
    };
    // §11.5: ranges of 1, up to 255, 256, up to 64K, and more.
    both("INTEGER (5)", "5", "00", "00");
    both("INTEGER (3..6)", "6", "C0", "C0");
    both("INTEGER (0..254)", "254", "FE", "FE");
    both("SEQUENCE { b BOOLEAN, i INTEGER (0..255) }", r#"{"b":true,"i":255}"#, "80FF", "FF80");
    both("SEQUENCE { b BOOLEAN, i INTEGER (0..65535) }", r#"{"b":true,"i":256}"#, "800100", "808000");
    both("INTEGER (0..65536)", "1", "0001", "000080");
    both("INTEGER (0..65536)", "256", "400100", "008000");
    both("INTEGER (0..4294967295)", "4294967295", "C0FFFFFFFF", "FFFFFFFF");
    both("INTEGER (-9223372036854775808..9223372036854775807)", "-1", "E07FFFFFFFFFFFFFFF", "7FFFFFFFFFFFFFFF");
    // §11.7 and §11.8.
    both("INTEGER (-1..MAX)", "4096", "021001", "021001");
    both("INTEGER (-1..MAX)", "-1", "0100", "0100");
    both("INTEGER (MIN..5)", "-129", "02FF7F", "02FF7F");
    both("INTEGER", "128", "020080", "020080");
    both(
        "INTEGER",
        "340282366920938463463374607431768211456",
        "110100000000000000000000000000000000",
        "110100000000000000000000000000000000",
    );
    both(
        "INTEGER (1..MAX)",
        "340282366920938463463374607431768211456",
        "10FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
        "10FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    );
    // §13.1.
    both("INTEGER (0..7, ...)", "7", "70", "70");
    both("INTEGER (0..7, ...)", "8", "800108", "808400");
}

/// §13.1, §16.6: the extension bit depends on the range of the root, which has the values in the gaps of a union. §14.3 speaks of the
/// root itself, not of its range.
#[test]
fn gaps_in_extensible_unions_belong_to_the_range() {
    let number = schema("T ::= INTEGER (1..3 | 8..10, ...)");
    check(&number, "T", "2", "08", "08");
    check(&number, "T", "5", "20", "20");
    check(&number, "T", "11", "80010B", "808580");
    tolerated(&number, UNALIGNED, &[0x80, 0x82, 0x80], Rule::RootForm, "5");
    let size = schema("T ::= OCTET STRING (SIZE (1 | 4, ...))");
    check(&size, "T", "\"AABB\"", "20AABB", "355760");
    // Without a marker, X.680 §51.4 applies to the gap.
    let closed = schema("T ::= INTEGER (1..3 | 8..10)");
    refused(&closed, UNALIGNED, "40", "the value is 5; allowed 1..3 or 8..10, at bit 0 (X.680 §51.4)");
}

#[test]
fn numbers_have_their_shortest_forms() {
    let integer = schema("T ::= INTEGER");
    tolerated(&integer, UNALIGNED, &[2, 0, 5], Rule::ShortestForm, "5");
    tolerated(&integer, UNALIGNED, &[0x80, 1, 5], Rule::ShortestForm, "5");
    refused(&integer, UNALIGNED, "00", "invalid length determinant, at bit 0 (X.691 §11.9)");
    refused(&integer, UNALIGNED, "C5", "invalid length determinant, at bit 0 (X.691 §11.9)");
    let large = schema("T ::= INTEGER (0..65536)");
    tolerated(&large, ALIGNED, &[0x40, 0, 5], Rule::ShortestForm, "5");
    let extensible = schema("T ::= INTEGER (0..7, ...)");
    tolerated(&extensible, ALIGNED, &[0x80, 1, 5], Rule::RootForm, "5");
    let small = schema("T ::= INTEGER (0..4)");
    refused(&small, UNALIGNED, "A0", "the value is 5; allowed 0..4, at bit 0 (X.691 §11.5)");
    refused(&small, UNALIGNED, "", "the input ends within a value, at bit 0");
}

#[test]
fn padding_and_trailing_data() {
    let boolean = schema("T ::= BOOLEAN");
    tolerated(&boolean, UNALIGNED, &[0x81], Rule::PaddingZero, "true");
    tolerated(&boolean, UNALIGNED, &[0x80, 0], Rule::TrailingData, "true");
    let null = schema("T ::= NULL");
    check(&null, "T", "null", "00", "00");
    refused(&null, UNALIGNED, "", "the input ends within a value, at bit 0");
    let aligned = schema("T ::= SEQUENCE { b BOOLEAN, i INTEGER (0..255) }");
    tolerated(&aligned, ALIGNED, &[0xC0, 1], Rule::PaddingZero, r#"{"b":true,"i":1}"#);
}

#[test]
fn strings_with_sizes() {
    let both = |ty: &str, value: &str, aligned: &str, unaligned: &str| {
        let schema = schema(&format!("T ::= SEQUENCE {{ b BOOLEAN, s {ty} }}"));
        check(&schema, "T", &format!(r#"{{"b":true,"s":{value}}}"#), aligned, unaligned);
    };
    // §17.6 to §17.8.
    both("OCTET STRING (SIZE (0))", r#""""#, "80", "80");
    both("OCTET STRING (SIZE (2))", r#""ABCD""#, "D5E680", "D5E680");
    both("OCTET STRING (SIZE (3))", r#""ABCDEF""#, "80ABCDEF", "D5E6F780");
    both("OCTET STRING (SIZE (0..3))", r#""AB""#, "A0AB", "B560");
    // §11.9.3.3: bits without length are not padded for.
    both("SEQUENCE { a OCTET STRING (SIZE (0..3)), c BOOLEAN }", r#"{"a":"","c":true}"#, "90", "90");
    both("OCTET STRING", r#""AB""#, "8001AB", "80D580");
    both("OCTET STRING (SIZE (1..2, ...))", r#""ABCDEF""#, "C003ABCDEF", "C0EAF37BC0");
    // §16.9 to §16.11.
    both("BIT STRING (SIZE (4))", r#""A0""#, "D0", "D0");
    both("BIT STRING (SIZE (17))", r#""ABCD80""#, "80ABCD80", "D5E6C0");
    both("BIT STRING (SIZE (1..9))", r#"{"value":"A0","length":3}"#, "90A0", "95");
    // §30.5.
    both("NumericString (SIZE (3))", r#""129""#, "91D0", "91D0");
    both("IA5String (FROM (\"ab\")) (SIZE (5))", r#""abbab""#, "B4", "B4");
    both("VisibleString (SIZE (0..1))", r#""a""#, "D840", "F080");
    both("BMPString (SIZE (1))", r#""a""#, "803080", "803080");
    both("UTF8String (SIZE (1))", r#""a""#, "800161", "80B080");
}

#[test]
fn the_size_of_a_character() {
    // §30.5.2: 4 characters in 2 bits, by their positions; 27 in 5 bits or, aligned, in 8.
    let few = schema(r#"T ::= IA5String (FROM ("acgt")) (SIZE (4))"#);
    check(&few, "T", r#""gact""#, "87", "87");
    let more = schema(r#"T ::= IA5String (FROM ("a".."z" | " ")) (SIZE (4))"#);
    check(&more, "T", r#""a z ""#, "61207A20", "083400");
    let one = schema(r#"T ::= IA5String (FROM ("x")) (SIZE (0..3))"#);
    check(&one, "T", r#""xx""#, "80", "80");
    let outside = schema(r#"T ::= IA5String (FROM ("abc")) (SIZE (1))"#);
    refused(&outside, UNALIGNED, "C0", "a character is outside the permitted alphabet, at bit 0 (X.691 §30.5)");
}

#[test]
fn fragments() {
    let octets = schema("T ::= OCTET STRING");
    for (size, heads) in [
        (16383, vec![("BFFF", 16383)]),
        (16384, vec![("C1", 16384), ("00", 0)]),
        (65536, vec![("C4", 65536), ("00", 0)]),
        (65536 + 16384 + 5, vec![("C4", 65536), ("C1", 16384), ("05", 5)]),
    ] {
        let mut expected = String::new();
        for (head, count) in heads {
            expected.push_str(head);
            expected.push_str(&"5A".repeat(count));
        }
        check(&octets, "T", &format!("\"{}\"", "5A".repeat(size)), &expected, &expected);
    }
    let bits = schema("T ::= BIT STRING");
    let json = format!(r#"{{"value":"{}C0","length":16386}}"#, "00".repeat(2048));
    let expected = format!("C1{}02C0", "00".repeat(2048));
    check(&bits, "T", &json, &expected, &expected);
    let list = schema("T ::= SEQUENCE OF BOOLEAN");
    let json = format!("[{}true]", "false,".repeat(16384));
    check(&list, "T", &json, &format!("C1{}0180", "00".repeat(2048)), &format!("C1{}0180", "00".repeat(2048)));
    let text = schema("T ::= IA5String");
    let json = format!("\"{}\"", "a".repeat(16385));
    let read = encode(&text, "T", UNALIGNED, &json).unwrap();
    assert_eq!(decode(&text, "T", UNALIGNED, &read).unwrap(), json);
    // Fragments are as large as they can be (§11.9.3.8).
    let two = [&[0xC1][..], &[0; 16384], &[0xC1], &[0; 16384], &[0]].concat();
    let ty = octets.per("T").unwrap();
    assert_eq!(
        ty.decode(&two).unwrap_err().to_string(),
        "a length or number is not in its shortest form, at bit 131080 (X.691 §11.9)"
    );
}

#[test]
fn elements_without_bits_are_limited() {
    let list = schema("T ::= SEQUENCE (SIZE (0..4294967295)) OF NULL");
    refused(&list, ALIGNED, "C0FFFFFFFF", "invalid length determinant, at bit 0 (X.691 §11.9)");
    let fragments = "C4".repeat(100_000);
    assert_eq!(decode(&list, "T", ALIGNED, &fragments).unwrap_err().kind, tagwise_per::Kind::Elements);
    let small = schema("T ::= SEQUENCE OF BOOLEAN");
    let mut budget = Budget::DEFAULT;
    budget.elements = 3;
    let ty = small.per("T").unwrap().options(Options::der().budget(budget));
    assert_eq!(
        ty.decode(&[4, 0]).unwrap_err().to_string(),
        "[3]: the number of elements exceeds the budget, at bit 11"
    );
    assert!(ty.decode(&[3, 0]).is_ok());
    let few = Budget { values: 3, ..Budget::DEFAULT };
    let limited = small.per("T").unwrap().options(Options::der().budget(few));
    let message = "[3]: the number of elements exceeds the budget, at bit 11";
    assert_eq!(limited.decode(&[4, 0]).unwrap_err().to_string(), message);
    assert!(limited.decode(&[3, 0]).is_ok());
    // A position takes memory, too.
    assert!(limited.positions(true).decode(&[3, 0]).is_err());
    let deep = schema("T ::= CHOICE { t T, n NULL }");
    assert_eq!(decode(&deep, "T", UNALIGNED, &"00".repeat(100)).unwrap_err().kind, tagwise_per::Kind::Depth);
}

#[test]
fn extension_additions_of_other_versions() {
    let old = schema("T ::= SEQUENCE { a BOOLEAN, ... }");
    let new = schema("T ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..7) OPTIONAL, [[ c BOOLEAN, d NULL ]] }");
    let value = r#"{"a":true,"b":5,"c":true,"d":null}"#;
    check(&new, "T", value, "C0E001A00180", "C0E034003000");
    check(&new, "T", r#"{"a":true}"#, "40", "40");
    for variant in Variant::ALL {
        let octets = encode(&new, "T", variant, value).unwrap();
        let json = decode(&old, "T", variant, &octets).unwrap();
        let additions = r#"[{"$count-aper":2},{"$aper":"A0","$number":0},{"$aper":"80","$number":1}]"#;
        let additions = if variant.aligned { additions.to_owned() } else { additions.replace("aper", "uper") };
        assert_eq!(json, format!(r#"{{"a":true,"$additions":{additions}}}"#));
        let other = Variant { aligned: !variant.aligned, ..variant };
        assert!(encode(&old, "T", other, &json).is_err());
        assert_eq!(encode(&old, "T", variant, &json).as_deref(), Ok(&*octets));
    }
    // Nothing in DER corresponds to them.
    let json = decode(&old, "T", ALIGNED, "C0E001A00180").unwrap();
    let dynamic = old.ty("T").unwrap();
    assert!(dynamic.encode(&tagwise_jer::from_str(&dynamic, &json).unwrap()).is_err());
    // A version with one addition.
    let between = decode(&new, "T", ALIGNED, "C04001A0").unwrap();
    assert_eq!(between, r#"{"a":true,"b":5,"$additions":[{"$count-aper":1}]}"#);
    assert_eq!(encode(&new, "T", ALIGNED, &between).as_deref(), Ok("C04001A0"));
}

#[test]
fn numbers_of_unknown_additions_ascend() {
    let ty = schema("T ::= SEQUENCE { a BOOLEAN, ..., b NULL OPTIONAL }");
    let with = |one: u32, other: u32| {
        let json = format!(
            r#"{{"a":true,"$additions":[{{"$uper":"80","$number":{one}}},{{"$uper":"C0","$number":{other}}}]}}"#
        );
        encode(&ty, "T", UNALIGNED, &json).map_err(|error| error.to_string())
    };
    // The extension bit, a, the count minus 1 in 7 bits, 4 presence bits, and two fields of a byte.
    assert_eq!(with(1, 3).as_deref(), Ok("C1A80C000E00"));
    let order = Err("the numbers of unknown additions must ascend, without duplicates");
    for (one, other) in [(1, 1), (3, 1), (3, 3)] {
        assert_eq!(with(one, other).as_ref().map(String::as_str).map_err(String::as_str), order);
    }
    let known = Err("an unknown addition has the number of a known one");
    assert_eq!(with(0, 1).as_ref().map(String::as_str).map_err(String::as_str), known);
}

#[test]
fn extension_bits_without_additions() {
    let ty = schema("T ::= SEQUENCE { a BOOLEAN, ..., b NULL }");
    tolerated(&ty, ALIGNED, &[0xC0, 0x00], Rule::AdditionsPresent, r#"{"a":true}"#);
}

#[test]
fn choices() {
    // §23.4: alternatives are numbered in the order of their tags.
    let tags = schema("T ::= CHOICE { b [1] NULL, a [0] NULL, c BOOLEAN }");
    check(&tags, "T", r#"{"c":true}"#, "20", "20");
    check(&tags, "T", r#"{"a":null}"#, "40", "40");
    check(&tags, "T", r#"{"b":null}"#, "80", "80");
    let inner = schema("T ::= CHOICE { b [5] NULL, a CHOICE { x [9] NULL, y [3] NULL } }");
    check(&inner, "T", r#"{"a":{"y":null}}"#, "00", "00");
    let old = schema("T ::= CHOICE { a NULL, ... }");
    let new = schema("T ::= CHOICE { a NULL, ..., b NULL, c BOOLEAN }");
    check(&new, "T", r#"{"c":true}"#, "810180", "810180");
    for variant in [UNALIGNED, ALIGNED] {
        let octets = encode(&new, "T", variant, r#"{"c":true}"#).unwrap();
        let json = decode(&old, "T", variant, &octets).unwrap();
        assert_eq!(json, format!(r#"{{"${variant}":"80","$number":1}}"#));
        assert_eq!(encode(&old, "T", variant, &json).as_deref(), Ok(&*octets));
    }
}

/// §30.5.2: in the ALIGNED variant, a character has at least one bit, because the least power of 2 is 1.
#[test]
fn alphabets_of_one_character() {
    let ty = r#"T ::= SEQUENCE { b BOOLEAN, v NumericString (SIZE (2)) (FROM ("0")), e INTEGER (0..7) }"#;
    // 1 00 011 and 1 011.
    check(&schema(ty), "T", r#"{"b":true,"v":"00","e":3}"#, "8C", "B0");
    let ty = schema(r#"T ::= SEQUENCE { v IA5String (FROM ("a")), e INTEGER (0..7) }"#);
    check(&ty, "T", r#"{"v":"aaa","e":3}"#, "030C", "0360");
    refused(&ty, ALIGNED, "034C", "v: a character is outside the permitted alphabet, at bit 0 (X.691 §30.5)");
    let list = schema("T ::= SEQUENCE OF NULL");
    let many = format!("[{}null]", "null,".repeat(65_999));
    assert_eq!(encode(&list, "T", UNALIGNED, &many).as_deref(), Ok("C481D0"));
}

#[test]
fn enumerations() {
    let ty = schema("T ::= ENUMERATED { c (9), a (-1), b (4), ..., y, x }");
    check(&ty, "T", r#""a""#, "00", "00");
    check(&ty, "T", r#""b""#, "20", "20");
    check(&ty, "T", r#""c""#, "40", "40");
    check(&ty, "T", r#""x""#, "81", "81");
    // §14.3: the place of an unknown item is preserved.
    assert_eq!(decode(&ty, "T", UNALIGNED, "82").as_deref(), Ok(r#"{"$uper":"","$number":2}"#));
    refused(&ty, UNALIGNED, "60", "the number is 3; allowed 0..2, at bit 0 (X.691 §11.5)");
    let error = encode(&ty, "T", UNALIGNED, r#"{"$uper":"AB","$number":2}"#).unwrap_err();
    assert_eq!(error.to_string(), "an unknown item of an ENUMERATED has a number and no bytes");
}

#[test]
fn sets() {
    // §21.1: components are in the order of their tags.
    let set = schema("T ::= SET { b [1] BOOLEAN, a [0] INTEGER (0..3), c INTEGER (0..3) OPTIONAL }");
    check(&set, "T", r#"{"b":true,"a":1,"c":2}"#, "CC", "CC");
    // §22.1: canonical rules sort elements.
    let of = schema("T ::= SET OF INTEGER (0..15)");
    assert_eq!(encode(&of, "T", UNALIGNED, "[9,3]").as_deref(), Ok("0293"));
    assert_eq!(encode(&of, "T", Variant::CANONICAL_UNALIGNED, "[9,3]").as_deref(), Ok("0239"));
    tolerated(&of, Variant::CANONICAL_UNALIGNED, &[2, 0x93], Rule::SetOfOrder, "[9,3]");
}

#[test]
fn default_values() {
    let ty = schema("T ::= SEQUENCE { a INTEGER (0..3) DEFAULT 2, b SEQUENCE OF NULL DEFAULT {} }");
    check(&ty, "T", "{}", "00", "00");
    check(&ty, "T", r#"{"a":2}"#, "00", "00");
    check(&ty, "T", r#"{"a":1}"#, "90", "90");
    tolerated(&ty, UNALIGNED, &[0xA0], Rule::DefaultAbsent, "{}");
    // §19.5: BASIC-PER leaves values of other types to the sender.
    assert_eq!(decode(&ty, "T", UNALIGNED, "4000").as_deref(), Ok("{}"));
    tolerated(&ty, Variant::CANONICAL_UNALIGNED, &[0x40, 0], Rule::DefaultAbsent, "{}");
}

#[test]
fn named_bits() {
    let ty = schema("T ::= BIT STRING { a (0), b (1) } (SIZE (4..8))");
    // §16.2: zero bits up to the least size.
    check(&ty, "T", r#"{"value":"40","length":2}"#, "0040", "08");
    check(&ty, "T", r#"{"value":"","length":0}"#, "0000", "00");
    let open = schema("T ::= BIT STRING { a (0), b (1) }");
    assert_eq!(decode(&open, "T", UNALIGNED, "0440").as_deref(), Ok(r#"{"value":"40","length":2}"#));
    tolerated(&open, Variant::CANONICAL_UNALIGNED, &[4, 0x40], Rule::NamedBits, r#"{"value":"40","length":2}"#);
    // Fewer bits than the root allows, behind the extension bit.
    let extensible = schema("T ::= BIT STRING { a (0), b (3), c (9) } (SIZE (1..4, ...))");
    let empty = r#"{"value":"","length":0}"#;
    check(&extensible, "T", empty, "0000", "00");
    tolerated(&extensible, Variant::CANONICAL_UNALIGNED, &[0x80, 0], Rule::NamedBits, empty);
}

#[test]
fn open_types() {
    let ty = schema(
        "C ::= CLASS { &id INTEGER (0..255) UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
        Set C ::= { { BOOLEAN ID 1 } | { INTEGER (0..7) ID 2 }, ... }
        T ::= SEQUENCE { id C.&id ({Set}), value C.&Type ({Set}{@id}) }",
    );
    check(&ty, "T", r#"{"id":1,"value":true}"#, "010180", "010180");
    check(&ty, "T", r#"{"id":2,"value":5}"#, "0201A0", "0201A0");
    for variant in [UNALIGNED, ALIGNED] {
        let json = format!(r#"{{"id":3,"value":{{"${variant}":"0102"}}}}"#);
        assert_eq!(decode(&ty, "T", variant, "03020102").as_deref(), Ok(&*json));
        assert_eq!(encode(&ty, "T", variant, &json).as_deref(), Ok("03020102"));
    }
    refused(&ty, ALIGNED, "0201A1", "value: padding bits are not zero, at bit 19 (X.691 §11.1)");
    // An unknown item or alternative of the selected type.
    let extensible = schema(
        "C ::= CLASS { &id INTEGER (0..255) UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
        Set C ::= { { E ID 1 } | { A ID 2 } }
        E ::= ENUMERATED { a, ... }
        A ::= CHOICE { a NULL, ... }
        T ::= SEQUENCE { id C.&id ({Set}), value C.&Type ({Set}{@id}) }",
    );
    for octets in ["010185", "0203850112"] {
        for variant in Variant::ALL {
            let json = decode(&extensible, "T", variant, octets).unwrap();
            assert_eq!(encode(&extensible, "T", variant, &json).as_deref(), Ok(octets), "{json}");
        }
    }
    // §11.2.1: there is at least one byte, of known and unknown types.
    for octets in ["0200", "0300"] {
        let message = "value: an open type is empty, expected at least one byte, at bit 8 (X.691 §11.2.1)";
        refused(&ty, ALIGNED, octets, message);
    }
    assert!(encode(&ty, "T", UNALIGNED, r#"{"id":3,"value":{"$uper":""}}"#).is_err());
    let addition = schema("T ::= SEQUENCE { a BOOLEAN, ... }");
    let message = "an open type is empty, expected at least one byte, at bit 10 (X.691 §11.2.1)";
    refused(&addition, ALIGNED, "C04000", message);
    let choice = schema("T ::= CHOICE { a NULL, ... }");
    refused(&choice, ALIGNED, "8000", "an open type is empty, expected at least one byte, at bit 8 (X.691 §11.2.1)");
}

#[test]
fn contained_values() {
    let octets = schema("T ::= OCTET STRING (CONTAINING SEQUENCE { a INTEGER (0..7), b BOOLEAN })");
    check(&octets, "T", r#"{"containing":{"a":5,"b":true}}"#, "01B0", "01B0");
    // §11.1.3.2: a BIT STRING has no padding.
    let bits = schema("T ::= BIT STRING (CONTAINING SEQUENCE { a INTEGER (0..7), b BOOLEAN })");
    check(&bits, "T", r#"{"containing":{"a":5,"b":true}}"#, "04B0", "04B0");
    let null = schema("T ::= BIT STRING (CONTAINING NULL)");
    check(&null, "T", r#"{"containing":null}"#, "0100", "0100");
    for empty in [null, schema("T ::= BIT STRING (CONTAINING SEQUENCE {})")] {
        // The only bit is 1.
        refused(&empty, UNALIGNED, "0180", "padding bits are not zero, at bit 8 (X.691 §11.1)");
        // Eight bits instead of one.
        refused(&empty, UNALIGNED, "0800", "data follows the value, at bit 9 (X.691 §11.1)");
        refused(&empty, ALIGNED, "00", "the input ends within a value, at bit 8");
    }
    let boolean = schema("T ::= BIT STRING (CONTAINING BOOLEAN)");
    check(&boolean, "T", r#"{"containing":true}"#, "0180", "0180");
    refused(&boolean, UNALIGNED, "0880", "data follows the value, at bit 9 (X.691 §11.1)");
    let octet = schema("T ::= OCTET STRING (CONTAINING NULL)");
    check(&octet, "T", r#"{"containing":null}"#, "0100", "0100");
    refused(&octet, UNALIGNED, "0180", "padding bits are not zero, at bit 8 (X.691 §11.1)");
}

#[test]
fn sizes_of_strings_that_contain_values() {
    // SIZE counts the string's own bytes under these rules, which are 6 in DER.
    let octets = schema("T ::= OCTET STRING (SIZE (4)) (CONTAINING INTEGER (0..4294967295))");
    check(&octets, "T", r#"{"containing":16777215}"#, "80FFFFFF", "00FFFFFF");
    let large = r#"{"containing":4294967295}"#;
    assert_eq!(encode(&octets, "T", UNALIGNED, large).as_deref(), Ok("FFFFFFFF"));
    let error = encode(&octets, "T", ALIGNED, large).unwrap_err();
    assert_eq!(error.to_string(), "the size is 5; allowed 4 (X.680 §51.5)");
    let gap = schema("T ::= OCTET STRING (SIZE (1 | 4)) (CONTAINING INTEGER)");
    refused(&gap, UNALIGNED, "404140", "the size is 2; allowed 1 or 4, at bit 0 (X.680 §51.5)");
    let error = encode(&gap, "T", UNALIGNED, r#"{"containing":5}"#).unwrap_err();
    assert_eq!(error.to_string(), "the size is 2; allowed 1 or 4 (X.680 §51.5)");
    let bits = schema("T ::= BIT STRING (SIZE (24)) (CONTAINING INTEGER (0..18446744073709551615))");
    let error = encode(&bits, "T", UNALIGNED, r#"{"containing":5}"#).unwrap_err();
    assert_eq!(error.to_string(), "the size is 64; allowed 24 (X.680 §51.5)");
}

#[test]
fn dates_and_times() {
    let ty = schema("T ::= SEQUENCE { d DATE, t TIME-OF-DAY, b DATE-TIME }");
    let json = r#"{"d":"2012-12-31","t":"23:59:59","b":"2021-01-01T00:00:00"}"#;
    let octets = encode(&ty, "T", UNALIGNED, json).unwrap();
    assert_eq!(decode(&ty, "T", UNALIGNED, &octets).as_deref(), Ok(json));
    let date = schema("T ::= DATE");
    check(&date, "T", r#""1748-12-31""#, "C00206D4BF00", "C081B52FC0");
    let useful = schema("T ::= UTCTime");
    let octets = encode(&useful, "T", UNALIGNED, r#""261129120000Z""#).unwrap();
    assert_eq!(decode(&useful, "T", UNALIGNED, &octets).as_deref(), Ok(r#""261129120000Z""#));
}

#[test]
fn external_values() {
    let ty = schema("T ::= EXTERNAL");
    check(&ty, "T", r#"{"encoding":{"octet-aligned":"12"}}"#, "080112", "080890");
}

#[test]
fn constraints_that_encodings_do_not_depend_on() {
    let ty = schema("T ::= SEQUENCE { a BOOLEAN, b INTEGER (0..7 EXCEPT 5) }");
    check(&ty, "T", r#"{"a":true,"b":4}"#, "C0", "C0");
    refused(&ty, UNALIGNED, "D0", "b: the value is 5; allowed 0..4 or 6..7, at bit 1 (X.680 §51.4)");
}
