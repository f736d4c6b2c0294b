//! Errors of constraints tell the number that was found and what is allowed, unless it is secret.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::value::Dynamic;
use tagwise_codec::{BitStr, Decode, Int, OctetStr, Options, Rule, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// Limited ::= SEQUENCE {
///     id     [0] INTEGER (0..200) OPTIONAL,
///     level  [1] INTEGER (-5..5 | 10) OPTIONAL,
///     count  [2] INTEGER (1..MAX) OPTIONAL,
///     name   [3] UTF8String (SIZE (1..3)) OPTIONAL,
///     bits   [4] BIT STRING (SIZE (8)) OPTIONAL,
///     list   [5] SEQUENCE (SIZE (1..MAX)) OF INTEGER OPTIONAL,
///     pin    [6] INTEGER (0..9999) OPTIONAL,
///     salt   [7] OCTET STRING (SIZE (4)) OPTIONAL }
/// ```
#[derive(Asn1, Clone, Copy, Default, PartialEq)]
struct Limited<'a> {
    #[asn1(implicit = 0, value(0..=200))]
    id: Option<u8>,
    #[asn1(implicit = 1, value(-5..=5, 10))]
    level: Option<i32>,
    #[asn1(implicit = 2, value(1..))]
    count: Option<Int<'a>>,
    #[asn1(implicit = 3, size(1..=3))]
    name: Option<Utf8<'a>>,
    #[asn1(implicit = 4, size(8))]
    bits: Option<BitStr<'a>>,
    #[asn1(implicit = 5, size(1..))]
    list: Option<SeqOf<'a, u16>>,
    #[asn1(implicit = 6, value(0..=9999), secret)]
    pin: Option<u32>,
    #[asn1(implicit = 7, size(4))]
    salt: Option<OctetStr<'a>>,
}

/// The error for one component.
fn error(component: &[u8]) -> String {
    let der = [&[0x30, component.len() as u8], component].concat();
    Limited::from_der(&der).unwrap_err().to_string()
}

#[test]
fn numbers_and_what_is_allowed() {
    for (component, text) in [
        (&[0x80, 2, 0, 0xC9][..], "id: the value is 201; allowed 0..200, at byte 2 (X.680 §51.4)"),
        (&[0x81, 1, 7], "level: the value is 7; allowed -5..5 or 10, at byte 2 (X.680 §51.4)"),
        (&[0x82, 1, 0xFF], "count: the value is -1; allowed 1 or more, at byte 2 (X.680 §51.4)"),
        (&[0x83, 4, b'a', b'b', b'c', b'd'], "name: the size is 4; allowed 1..3, at byte 2 (X.680 §51.5)"),
        (&[0x84, 2, 1, 0xFE], "bits: the size is 7; allowed 8, at byte 2 (X.680 §51.5)"),
        (&[0xA5, 0], "list: the size is 0; allowed 1 or more, at byte 2 (X.680 §51.5)"),
        (&[0x87, 3, 1, 2, 3], "salt: the size is 3; allowed 4, at byte 2 (X.680 §51.5)"),
    ] {
        assert_eq!(error(component), text);
    }
    // Larger than 128 bits.
    let mut large = vec![0x82, 18, 0xFF];
    large.resize(20, 0);
    assert_eq!(error(&large), "count: the value has 18 bytes; allowed 1 or more, at byte 2 (X.680 §51.4)");
}

/// A value beyond the Rust type is outside of the constraint, too, or of the range of the type.
#[test]
fn numbers_that_do_not_fit() {
    assert_eq!(error(&[0x80, 2, 1, 0xF4]), "id: the value is 500; allowed 0..200, at byte 4 (X.680 §51.4)");
    assert_eq!(
        error(&[0xA5, 5, 2, 3, 1, 0, 0]),
        "list[0]: the value is 65536; allowed 0..65535, at byte 6 (X.680 §51.4)"
    );
    assert_eq!(
        u8::from_der(&[2, 2, 1, 0xF4]).unwrap_err().to_string(),
        "the value is 500; allowed 0..255, at byte 2 (X.680 §51.4)"
    );
}

#[test]
fn nothing_of_what_is_secret() {
    for component in [&[0x86, 3, 1, 0x23, 0x45][..], &[0x86, 2, 0x30, 0x39]] {
        let error = error(component);
        assert!(error.starts_with("pin: the value violates its constraint, at byte 2"), "{error}");
        assert!(!error.contains("12345") && !error.contains("74565") && !error.contains("9999"), "{error}");
    }
}

#[test]
fn values_to_encode() {
    let dynamic = Dynamic::of::<Limited<'_>>().options(Options::der().allow(&Rule::VALUE));
    let id = dynamic.decode(&[0x30, 4, 0x80, 2, 0, 0xC9]).unwrap().value;
    assert_eq!(dynamic.check(&id).unwrap_err().to_string(), "id: the value is 201; allowed 0..200 (X.680 §51.4)");
    // The PIN 12345.
    let pin = dynamic.decode(&[0x30, 4, 0x86, 2, 0x30, 0x39]).unwrap().value;
    assert_eq!(dynamic.check(&pin).unwrap_err().to_string(), "pin: the value violates its constraint (X.680 §51.4)");
    assert_eq!(dynamic.violations(&pin).unwrap().iter().map(|one| one.limit()).collect::<Vec<_>>(), [None]);
}
