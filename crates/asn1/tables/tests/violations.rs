//! Violated constraints under PER, OER and XER: what errors say about them, and what options tolerate.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::text::hex::decode_pairs;
use tagwise_codec::{Options, Rule};
use tagwise_tables::untagged::{Decoded, Error, Rules, Untagged};
use tagwise_tables::{Schema, Source};

fn schema(assignments: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

fn ty<'s>(schema: &'s Schema, rules: &str) -> Untagged<'s> {
    schema.untagged("T", Rules::named(rules).unwrap()).unwrap()
}

/// The bytes of hexadecimal, or of XML.
fn octets(text: &str) -> Vec<u8> {
    if text.starts_with('<') { text.as_bytes().to_vec() } else { decode_pairs(text).unwrap() }
}

#[track_caller]
fn refused(assignments: &str, rules: &str, input: &str, message: &str) -> Error {
    let schema = schema(assignments);
    let error = ty(&schema, rules).decode(&octets(input)).unwrap_err();
    assert_eq!(error.to_string(), message, "{assignments} {rules} {input}");
    error
}

fn json(schema: &Schema, read: &Decoded<'_>) -> String {
    tagwise_jer::to_string(schema.ty("T").unwrap().types(), &read.value)
}

/// An input that violates a constraint is refused with this message, and tolerated if the rule is allowed.
#[track_caller]
fn tolerated(
    assignments: &str,
    rules: &str,
    input: &str,
    message: &str,
    rule: &'static Rule,
    value: &str,
    notes: &[&str],
) {
    let error = refused(assignments, rules, input, message);
    assert_eq!(error.rule().map(tagwise_tables::untagged::Rule::name), Some(rule.name));
    let schema = schema(assignments);
    let ty = ty(&schema, rules).options(Options::der().allow(rule));
    let read = ty.decode(&octets(input)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(json(&schema, &read), value);
    assert_eq!(read.notes(), notes);
    assert!(read.positions.is_empty());
    // Positions do not change the result.
    assert_eq!(ty.positions(true).decode(&octets(input)).unwrap().notes(), notes);
    // The other rule does not tolerate it, and the value cannot be encoded again.
    let other = if *rule == Rule::VALUE { &Rule::SIZE } else { &Rule::VALUE };
    assert_eq!(ty.options(Options::der().allow(other)).decode(&octets(input)).unwrap_err(), error);
    assert_eq!(ty.encode(&read.value).unwrap_err().rule(), error.rule());
}

#[test]
fn values_outside_a_range() {
    let (value, note) = (&Rule::VALUE, ["value tolerated at bit 0"]);
    let byte = "T ::= INTEGER (0..200)";
    let message = "the value is 201; allowed 0..200, at bit 0 (X.691 §11.5)";
    tolerated(byte, "uper", "C9", message, value, "201", &note);
    tolerated(byte, "aper", "C9", message, value, "201", &note);
    let note = ["value tolerated at byte 0"];
    tolerated(byte, "oer", "C9", "the value is 201; allowed 0..200, at byte 0 (X.680 §51.4)", value, "201", &note);
    let message = "the value is 201; allowed 0..200, at byte 0";
    for rules in ["xer", "cxer", "exer"] {
        tolerated(byte, rules, "<T>201</T>", message, value, "201", &note);
    }
    // Two bytes carry all numbers up to 65535 in the ALIGNED variant.
    let two = "T ::= INTEGER (-1..400)";
    let message = "the value is 500; allowed -1..400, at bit 0 (X.691 §11.5)";
    tolerated(two, "aper", "01F5", message, value, "500", &["value tolerated at bit 0"]);
    // A union is encoded as its smallest range (X.691 §10.3).
    let union = "T ::= INTEGER (1..5 | 10..20)";
    let message = "the value is 7; allowed 1..5 or 10..20, at bit 0 (X.680 §51.4)";
    tolerated(union, "uper", "30", message, value, "7", &["value tolerated at bit 0"]);
}

#[test]
fn values_in_components() {
    let list = "T ::= SEQUENCE { a BOOLEAN, b SEQUENCE OF INTEGER (0..5 | 7) }";
    // 1, a length of 2 in 8 bits, 6 and 4.
    let message = "b[0]: the value is 6; allowed 0..5 or 7, at bit 9 (X.680 §51.4)";
    let value = r#"{"a":true,"b":[6,4]}"#;
    tolerated(list, "uper", "8168", message, &Rule::VALUE, value, &["value tolerated at bit 9"]);
    let message = "b[0]: the value is 6; allowed 0..5 or 7, at byte 3 (X.680 §51.4)";
    tolerated(list, "oer", "FF01020604", message, &Rule::VALUE, value, &["value tolerated at byte 3"]);
    let schema = schema(list);
    let read = ty(&schema, "oer").options(Options::der().allow(&Rule::VALUE)).decode(&octets("FF010306060A")).unwrap();
    assert_eq!(read.notes(), ["value tolerated at byte 3", "value tolerated at byte 4", "value tolerated at byte 5"]);
}

#[test]
fn sizes_outside_a_range() {
    let string = "T ::= OCTET STRING (SIZE (1..3))";
    let message = "the size is 4; allowed 1..3, at bit 0 (X.680 §51.5)";
    tolerated(string, "uper", "C04080C100", message, &Rule::SIZE, "\"01020304\"", &["size tolerated at bit 0"]);
    let message = "the size is 4; allowed 1..3, at byte 0 (X.680 §51.5)";
    tolerated(string, "oer", "0401020304", message, &Rule::SIZE, "\"01020304\"", &["size tolerated at byte 0"]);
    tolerated(
        string,
        "xer",
        "<T/>",
        "the size is 0; allowed 1..3, at byte 0",
        &Rule::SIZE,
        "\"\"",
        &["size tolerated at byte 0"],
    );
    let least = "T ::= IA5String (SIZE (2..MAX))";
    let message = "the size is 1; allowed 2 or more, at bit 0 (X.680 §51.5)";
    tolerated(least, "aper", "0161", message, &Rule::SIZE, "\"a\"", &["size tolerated at bit 0"]);
    // Four bits carry up to 15 elements.
    let list = "T ::= SEQUENCE (SIZE (0..9)) OF BOOLEAN";
    let message = "the size is 10; allowed 0..9, at bit 0 (X.680 §51.5)";
    let value = "[true,true,true,true,true,true,true,true,true,true]";
    tolerated(list, "uper", "AFFC", message, &Rule::SIZE, value, &["size tolerated at bit 0"]);
}

#[test]
fn characters_outside_an_alphabet() {
    // 7 bits have all characters, because the greatest of the alphabet needs them (X.691 §30.5.4).
    let letters = "T ::= IA5String (FROM (\"0\"..\"9\" | \"A\"..\"z\")) (SIZE (1))";
    let message = "the character U+0040 is outside the permitted alphabet 0..9 or A..z, at bit 0 (X.691 §30.5)";
    let error = refused(letters, "uper", "80", message);
    // Whether the type itself has the character is found later.
    assert_eq!(error.rule(), None);
    let schema = schema(letters);
    let read = ty(&schema, "uper").options(Options::der().allow(&Rule::VALUE)).decode(&[0x80]).unwrap();
    assert_eq!((json(&schema, &read), read.notes()), ("\"@\"".to_owned(), vec!["value tolerated at bit 0".to_owned()]));
}

/// Encodings that cannot carry other values are refused, whatever is allowed.
#[test]
fn what_encodings_cannot_carry() {
    let all = Options::der().allow(&Rule::VALUE).allow(&Rule::SIZE);
    for (assignments, rules, input, message) in [
        // The index of an alphabet, of an alternative and of an item.
        ("T ::= IA5String (FROM (\"abc\")) (SIZE (1))", "uper", "C0", "a character is outside the permitted alphabet"),
        ("T ::= CHOICE { a NULL, b NULL, c NULL }", "uper", "C0", "the number is 3; allowed 0..2"),
        ("T ::= ENUMERATED { a, b, c }", "uper", "C0", "the number is 3; allowed 0..2"),
        // A number outside the extension root has another encoding (X.691 §13.1).
        ("T ::= INTEGER (0..4, ...)", "uper", "70", "the value is 7; allowed 0..4"),
        ("T ::= OCTET STRING (SIZE (0..2, ...))", "uper", "60000000", "the size is 3; allowed 0..2"),
        ("T ::= PrintableString (SIZE (1))", "aper", "40", "the character U+0040 is outside"),
    ] {
        let schema = schema(assignments);
        let error = ty(&schema, rules).decode(&octets(input)).unwrap_err();
        assert!(error.to_string().starts_with(message), "{assignments}: {error}");
        assert_eq!(error.rule(), None, "{assignments}");
        assert!(ty(&schema, rules).options(all).decode(&octets(input)).is_err(), "{assignments}");
    }
}

#[test]
fn values_to_encode() {
    let schema = schema("T ::= SEQUENCE { a INTEGER (0..255), b OCTET STRING (SIZE (2)) }");
    let dynamic = schema.ty("T").unwrap();
    for (value, message) in [
        (r#"{"a":300,"b":"0001"}"#, "a: the value is 300; allowed 0..255"),
        (r#"{"a":3,"b":"000102"}"#, "b: the size is 3; allowed 2"),
    ] {
        // Reading JSON refuses such values, too.
        let error = tagwise_jer::from_str(&dynamic, value).unwrap_err().to_string();
        assert!(error.contains("constraint") || error.contains("allowed"), "{error}");
        let lax = dynamic.options(Options::der().allow(&Rule::VALUE).allow(&Rule::SIZE));
        let Ok(value) = tagwise_jer::from_str(&lax, value) else { continue };
        for rules in ["uper", "oer", "xer"] {
            let error = ty(&schema, rules).encode(&value).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }
}

/// X.680 §51.8: the path is that of the part, for values to encode and for encodings without tags.
#[test]
fn parts_that_violate_with_components_are_named() {
    const PARTS: &str = "T ::= SEQUENCE { a INTEGER, b BOOLEAN OPTIONAL, c C OPTIONAL, l SEQUENCE OF INTEGER OPTIONAL }
        (WITH COMPONENTS { ..., a (0..9), b ABSENT, c (WITH COMPONENTS { ..., s (SIZE (1..2)) }), l (WITH COMPONENT (0..7)) })
        C ::= CHOICE { s IA5String, n NULL }
        U ::= C (WITH COMPONENTS { s ABSENT })
        W ::= SEQUENCE { a INTEGER, b BOOLEAN OPTIONAL } (WITH COMPONENTS { a, b PRESENT })";
    let schema = schema(PARTS);
    let by = "by WITH COMPONENTS of X.680 §51.8";
    for (name, json, message) in [
        ("T", r#"{"a":10}"#, format!("$.a: the value is 10; allowed 0..9 {by}")),
        ("T", r#"{"a":1,"b":true}"#, format!("$: b must be absent {by}")),
        ("T", r#"{"a":1,"c":{"s":"abc"}}"#, format!("$.c.s: the size is 3; allowed 1..2 {by}")),
        ("T", r#"{"a":1,"l":[7,8]}"#, format!("$.l[1]: the value is 8; allowed 0..7 {by}")),
        ("U", r#"{"s":"a"}"#, format!("$: s must be absent {by}")),
        ("W", r#"{"a":1}"#, format!("$: b must be present {by}")),
    ] {
        let error = tagwise_jer::from_str(&schema.ty(name).unwrap(), json).unwrap_err();
        assert_eq!(error.to_string(), message, "{name} {json}");
    }
    // The bit is that of the part.
    let message = format!("a: the value is 10; allowed 0..9 {by}, at bit 3 (X.680 §51.4)");
    refused(PARTS, "uper", "002140", &message);
    let message = format!("b must be absent {by}, at bit 0 (X.680 §51.4)");
    refused(PARTS, "uper", "802030", &message);
}
