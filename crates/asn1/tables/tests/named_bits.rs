//! Named bits with a size, whose trailing zero bits are not part of the value (X.680 §22.7), under all encoding rules.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod packed;

use packed::schema;
use tagwise_codec::Options;
use tagwise_codec::text::hex::{Hex, decode_pairs};
use tagwise_tables::Schema;
use tagwise_tables::untagged::Rules;

const RANGE: &str = "T ::= BIT STRING { a(0), b(1), h(7) } (SIZE (4..8))";
const FIXED: &str = "T ::= SEQUENCE { f BIT STRING { a(0), b(1), h(7) } (SIZE (12)) }";

/// Checks the DER of a value given in JSON, and the JSON of the DER.
#[track_caller]
fn der(schema: &Schema, json: &str, octets: &str, read_back: &str) {
    let ty = schema.ty("T").unwrap();
    let value = tagwise_jer::from_str(&ty, json).unwrap_or_else(|error| panic!("{error}"));
    let octets = decode_pairs(octets).unwrap();
    assert_eq!(ty.encode(&value), Ok(octets.clone()));
    let read = ty.decode(&octets).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tagwise_jer::to_string(ty.types(), &read.value), read_back);
}

/// Checks both directions of a value.
#[track_caller]
fn both(schema: &Schema, rules: &str, json: &str, octets: &[u8]) {
    let ty = schema.untagged("T", Rules::named(rules).unwrap()).unwrap();
    let types = schema.ty("T").unwrap();
    let value = tagwise_jer::from_str(&types, json).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Hex(&ty.encode(&value).unwrap()).to_string(), Hex(octets).to_string(), "{rules}");
    let read = ty.decode(octets).unwrap_or_else(|error| panic!("{rules}: {error}"));
    assert_eq!(tagwise_jer::to_string(types.types(), &read.value), json, "{rules}");
}

/// X.690 §11.2.2: DER has no zero bits at the end, and the value that is delivered has as many as its size requires.
#[test]
fn der_has_fewer_bits_than_the_size() {
    let range = schema(RANGE);
    let (four, eight) = (r#"{"value":"40","length":4}"#, r#"{"value":"41","length":8}"#);
    der(&range, four, "03020640", four);
    der(&range, r#"{"value":"40","length":2}"#, "03020640", four);
    der(&range, r#"{"value":"","length":0}"#, "030100", r#"{"value":"00","length":4}"#);
    der(&range, eight, "03020041", eight);
    der(&schema(FIXED), r#"{"f":"4000"}"#, "300480020640", r#"{"f":"4000"}"#);
}

/// Zero bits beyond the size are not part of the value, either, but other bits are.
#[test]
fn only_significant_bits_count() {
    let short = schema("T ::= BIT STRING { a(0), b(1) } (SIZE (1..4))");
    let ty = short.ty("T").unwrap();
    let lenient = ty.options(Options::der().allow(&tagwise_codec::Rule::NAMED_BITS));
    let read = lenient.decode(&[3, 3, 0, 0x40, 0]).unwrap();
    assert_eq!(tagwise_jer::to_string(ty.types(), &read.value), r#"{"value":"40","length":2}"#);
    assert!(tagwise_jer::from_str(&ty, r#"{"value":"4000","length":16}"#).is_ok());
    let error = ty.decode(&[3, 2, 3, 8]).unwrap_err();
    assert_eq!(error.to_string(), "the size is 5; allowed 1..4, at byte 2 (X.680 §51.5)");
    assert!(tagwise_jer::from_str(&ty, r#"{"value":"08","length":5}"#).is_err());
}

/// Each of several constraints may require more bits.
#[test]
fn sizes_in_series() {
    let both = schema("F ::= BIT STRING { a(0) } (SIZE (2 | 6..16)) T ::= F (SIZE (3..10))");
    der(&both, r#"{"value":"80","length":1}"#, "03020780", r#"{"value":"80","length":6}"#);
}

/// X.691 §16.2 and §16.3, X.696 §13.3.
#[test]
fn packed_encodings_have_the_least_size() {
    let (range, fixed) = (schema(RANGE), schema(FIXED));
    let (four, twelve) = (r#"{"value":"40","length":4}"#, r#"{"f":"4000"}"#);
    for rules in ["uper", "cuper"] {
        both(&range, rules, four, &[0x08]);
        both(&fixed, rules, twelve, &[0x40, 0x00]);
    }
    for rules in ["aper", "caper"] {
        both(&range, rules, four, &[0x00, 0x40]);
        both(&fixed, rules, twelve, &[0x40, 0x00]);
    }
    for rules in ["oer", "coer"] {
        both(&range, rules, four, &[2, 4, 0x40]);
        both(&range, rules, r#"{"value":"00","length":4}"#, &[2, 4, 0]);
        both(&fixed, rules, twelve, &[0x40, 0x00]);
    }
}

/// BASIC-OER leaves the number of zero bits to the sender, CANONICAL-OER does not.
#[test]
fn other_sizes_in_oer() {
    let range = schema(RANGE);
    for octets in [[2, 6, 0x40], [2, 0, 0x40]] {
        let ty = |rules: &str| range.untagged("T", Rules::named(rules).unwrap()).unwrap();
        let read = ty("oer").decode(&octets).unwrap();
        assert_eq!(tagwise_jer::to_string(range.ty("T").unwrap().types(), &read.value), r#"{"value":"40","length":4}"#);
        let error = ty("coer").decode(&octets).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the named bits are not canonical, expected the fewest zero bits at the end, at byte 0 (X.696 §13.3)"
        );
    }
}

#[test]
fn xml_has_the_least_size() {
    let (range, fixed) = (schema(RANGE), schema(FIXED));
    for rules in ["xer", "cxer"] {
        both(&range, rules, r#"{"value":"40","length":4}"#, b"<T>0100</T>");
        both(&fixed, rules, r#"{"f":"4000"}"#, b"<T><f>010000000000</f></T>");
    }
    for xml in ["<T>01</T>", "<T>010000</T>"] {
        let ty = |rules: &str| range.untagged("T", Rules::named(rules).unwrap()).unwrap();
        assert!(ty("xer").decode(xml.as_bytes()).is_ok());
        assert_eq!(ty("cxer").decode(xml.as_bytes()).unwrap_err().code(), "xer-named-bits");
    }
}

/// Without names, all bits count (X.680 §22.6).
#[test]
fn bits_without_names_are_all_significant() {
    let plain = schema("T ::= BIT STRING (SIZE (4..8))");
    let ty = plain.ty("T").unwrap();
    let error = ty.decode(&[3, 2, 6, 0x40]).unwrap_err();
    assert_eq!(error.to_string(), "the size is 2; allowed 4..8, at byte 2 (X.680 §51.5)");
}
