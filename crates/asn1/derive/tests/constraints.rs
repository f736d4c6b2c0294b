//! Constraints in attributes: what obeys, what does not, kind and offset; and the same from dynamic values.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use tagwise_codec::table::{Constraint, List, Range};
use tagwise_codec::value::Dynamic;
use tagwise_codec::{
    BitStr, Bmp, Decode, Encode, FaultKind, Ia5, Int, IsoTime, OctetStr, Options, Printable, Real, SeqOf, UserCheck,
    Utf8, Visible, encode,
};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

/// Reads, writes again, and holds the neighbourhood to dynamic values.
#[track_caller]
fn holds<T: Decode<'static> + Encode>(der: &[u8]) {
    let der: &'static [u8] = Box::leak(der.to_vec().into_boxed_slice());
    let value = T::from_der(der).unwrap();
    assert_eq!(encode(&value).unwrap(), der);
    agree::agree_around::<T>(der);
}

#[track_caller]
fn breaks<T: Decode<'static> + Encode>(der: &[u8], kind: FaultKind, offset: usize, path: &str) {
    let der: &'static [u8] = Box::leak(der.to_vec().into_boxed_slice());
    let Err(error) = T::from_der(der) else { panic!("{der:02X?} is accepted") };
    assert_eq!((error.kind(), error.offset(), error.path()), (kind, offset, path));
    agree::agree_around::<T>(der);
    // What is tolerated does not encode.
    let options = Options::der().rules(tagwise_codec::RuleSet::ALL);
    if let Ok(read) = options.decode::<T>(der) {
        assert_eq!(read.deviations.first().map(|deviation| deviation.offset), Some(offset));
        assert_eq!(encode(&read.value).unwrap_err().kind(), kind);
    }
}

/// ```asn1
/// Record ::= SEQUENCE {
///     name  UTF8String (FROM ("a".."z" | "_")),
///     date  [0] VisibleString (PATTERN "\d#4-\d#2") OPTIONAL }
/// ```
#[derive(Asn1, Debug, PartialEq)]
struct Record<'a> {
    #[asn1(from('a'..='z', "_"))]
    name: Utf8<'a>,
    #[asn1(implicit = 0, pattern = r"\d#4-\d#2")]
    date: Option<Visible<'a>>,
}

#[test]
fn alphabets_and_patterns_of_components() {
    holds::<Record<'_>>(b"\x30\x0D\x0C\x02a_\x80\x072026-11");
    holds::<Record<'_>>(b"\x30\x02\x0C\x00");
    breaks::<Record<'_>>(b"\x30\x04\x0C\x02aA", FaultKind::Value, 2, "name");
    breaks::<Record<'_>>(b"\x30\x0D\x0C\x02a_\x80\x072026-1x", FaultKind::Value, 6, "date");
}

/// `Greek ::= BMPString (FROM ("α".."ω")) (SIZE (1..3))`
#[derive(Asn1, Debug, PartialEq)]
struct Greek<'a>(#[asn1(from('α'..='ω'), size(1..=3))] Bmp<'a>);

/// `Country ::= [5] PrintableString (PATTERN "[A-Z]#2")`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(implicit = 5)]
struct Country<'a>(#[asn1(pattern = "[A-Z]#2")] Printable<'a>);

#[test]
fn alphabets_and_patterns_of_newtypes() {
    holds::<Greek<'_>>(&[0x1E, 4, 3, 0xB1, 3, 0xC9]);
    breaks::<Greek<'_>>(&[0x1E, 2, 3, 0xCA], FaultKind::Value, 2, "");
    breaks::<Greek<'_>>(&[0x1E, 0], FaultKind::Size, 2, "");
    holds::<Country<'_>>(b"\x85\x02NL");
    breaks::<Country<'_>>(b"\x85\x03NLD", FaultKind::Value, 2, "");
}

/// `Point ::= SEQUENCE { issuer UTF8String OPTIONAL, reasons [0] INTEGER OPTIONAL, level [1] INTEGER DEFAULT 7 }`
#[derive(Asn1, Debug, PartialEq, Clone)]
struct Point<'a> {
    issuer: Option<Utf8<'a>>,
    #[asn1(implicit = 0)]
    reasons: Option<u8>,
    #[asn1(implicit = 1, default = 7)]
    level: u8,
}

/// `Narrow ::= Point (WITH COMPONENTS {..., issuer (SIZE (1..4)) PRESENT, reasons ABSENT})`
#[derive(Asn1, Debug, PartialEq)]
struct Narrow<'a>(#[asn1(with_components(..., issuer(present, size(1..=4)), reasons = absent))] Point<'a>);

/// ```asn1
/// Holder ::= SEQUENCE {
///     point   [2] EXPLICIT Point (WITH COMPONENTS {reasons (0..9)}),
///     either  Point (WITH COMPONENTS {..., issuer ABSENT} | WITH COMPONENTS {..., reasons ABSENT}) OPTIONAL }
/// ```
#[derive(Asn1, Debug, PartialEq)]
struct Holder<'a> {
    #[asn1(explicit = 2, with_components("reasons"(value(0..=9))))]
    point: Point<'a>,
    #[asn1(constraints = ONE_OF_TWO)]
    either: Option<Point<'a>>,
}

const fn absent(name: &'static [tagwise_codec::table::ComponentConstraint]) -> Constraint {
    Constraint::WithComponents { components: List::Const(name), partial: true }
}

const ONE_OF_TWO: &[Constraint] = &[Constraint::AnyOf(List::Const(
    const {
        &[
            absent(
                const {
                    &[tagwise_codec::table::ComponentConstraint {
                        name: tagwise_codec::table::Text::Const("issuer"),
                        present: Some(false),
                        constraints: List::EMPTY,
                    }]
                },
            ),
            absent(
                const {
                    &[tagwise_codec::table::ComponentConstraint {
                        name: tagwise_codec::table::Text::Const("reasons"),
                        present: Some(false),
                        constraints: List::EMPTY,
                    }]
                },
            ),
        ]
    },
))];

#[test]
fn inner_components() {
    holds::<Narrow<'_>>(b"\x30\x03\x0C\x01a");
    breaks::<Narrow<'_>>(b"\x30\x00", FaultKind::Value, 2, "");
    breaks::<Narrow<'_>>(b"\x30\x06\x0C\x01a\x80\x01\x05", FaultKind::Value, 2, "");
    breaks::<Narrow<'_>>(b"\x30\x07\x0C\x05aaaaa", FaultKind::Size, 2, "");
    holds::<Holder<'_>>(&[0x30, 9, 0xA2, 5, 0x30, 3, 0x80, 1, 9, 0x30, 0]);
    breaks::<Holder<'_>>(&[0x30, 9, 0xA2, 5, 0x30, 3, 0x80, 1, 10, 0x30, 0], FaultKind::Value, 2, "point");
    breaks::<Holder<'_>>(&[0x30, 8, 0xA2, 4, 0x30, 2, 0x0C, 0, 0x30, 0], FaultKind::Value, 2, "point");
    // A size in what is not listed is free, for it is absent.
    breaks::<Holder<'_>>(&[0x30, 11, 0xA2, 2, 0x30, 0, 0x30, 5, 0x0C, 0, 0x80, 1, 1], FaultKind::Value, 6, "either");
}

/// `Shape ::= CHOICE { edge [0] INTEGER (ALL EXCEPT 0), note [1] UTF8String (WORDS) }`
#[derive(Asn1, Debug, PartialEq)]
enum Figure<'a> {
    #[asn1(implicit = 0, constraints = NOT_ZERO)]
    Edge(Int<'a>),
    #[asn1(implicit = 1, constrained_by = "a palindrome")]
    Note(Utf8<'a>),
}

const NOT_ZERO: &[Constraint] = &[Constraint::NoneOf(List::Const(
    const {
        &[Constraint::Value {
            ranges: List::Const(const { &[Range { min: Some(0), max: Some(0) }] }),
            extensible: false,
        }]
    },
))];

#[test]
fn exceptions() {
    holds::<Figure<'_>>(&[0x80, 1, 5]);
    breaks::<Figure<'_>>(&[0x80, 1, 0], FaultKind::Value, 0, "");
}

#[test]
fn words() {
    let (yes, no): (&[u8], &[u8]) = (b"\x81\x03aba", b"\x81\x03abc");
    let palindrome = |octets: &[u8]| {
        let text = octets.get(2..).unwrap_or_default();
        text.iter().eq(text.iter().rev())
    };
    let checks = [UserCheck { text: "a palindrome", check: palindrome }];
    let options = Options::der().user_checks(&checks);
    assert!(options.decode::<Figure<'_>>(yes).is_ok());
    let error = options.decode::<Figure<'_>>(no).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::Value, 0));
    let dynamic = Dynamic::of::<Figure<'_>>();
    assert_eq!(dynamic.options(options).decode(no).unwrap_err().fault(), error.fault());
    // Without a meaning they are not checked, and listed.
    assert!(Figure::from_der(no).is_ok());
    let value = dynamic.decode(no).unwrap().value;
    assert_eq!(dynamic.unchecked(&value)[0].to_string(), "CONSTRAINED BY {a palindrome}, at byte 0");
}

/// ```asn1
/// Boxes ::= SEQUENCE {
///     ber  OCTET STRING (CONTAINING SEQUENCE OF INTEGER (0..255) ENCODED BY {2 1 1}),
///     cer  [0] BIT STRING (CONTAINING SEQUENCE OF INTEGER (0..255) ENCODED BY {2 1 2 0}) OPTIONAL,
///     der  [1] OCTET STRING (CONTAINING INTEGER (0..255) ENCODED BY {2 1 2 1}) OPTIONAL,
///     per  [2] OCTET STRING (CONTAINING INTEGER (0..255) ENCODED BY {2 1 3 0 0}) OPTIONAL }
/// ```
#[derive(Asn1, Debug, PartialEq)]
struct Boxes<'a> {
    #[asn1(contents = SeqOf<'a, u8>, encoded_by = "2.1.1")]
    ber: OctetStr<'a>,
    #[asn1(implicit = 0, contents = SeqOf<'a, u8>, encoded_by = "2.1.2.0")]
    cer: Option<BitStr<'a>>,
    #[asn1(implicit = 1, containing, encoded_by = "2.1.2.1")]
    der: Option<u8>,
    #[asn1(implicit = 2, contents = u8, encoded_by = "2.1.3.0.0")]
    per: Option<OctetStr<'a>>,
}

/// `Wrapped ::= [3] OCTET STRING (CONTAINING INTEGER (0..255) ENCODED BY {2 1 1})`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(implicit = 3)]
struct Wrapped<'a>(#[asn1(contents = u8, encoded_by = "2.1.1")] OctetStr<'a>);

#[test]
fn contents_by_other_rules() {
    let der = [
        0x30, 28, 4, 7, 0x30, 0x80, 2, 1, 5, 0, 0, 0x80, 8, 0, 0x30, 0x80, 2, 1, 7, 0, 0, 0x81, 3, 2, 1, 9, 0x82, 2,
        0xDE, 0xAD,
    ];
    holds::<Boxes<'_>>(&der);
    breaks::<Boxes<'_>>(&[0x30, 6, 4, 4, 0x30, 0x80, 5, 0], FaultKind::Truncated, 8, "");
    breaks::<Boxes<'_>>(&[0x30, 8, 4, 6, 0x30, 0x80, 5, 0, 0, 0], FaultKind::UnexpectedTag, 6, "ber");
    breaks::<Boxes<'_>>(
        &[0x30, 12, 4, 2, 0x30, 0, 0x80, 6, 0, 0x30, 3, 2, 1, 7],
        FaultKind::IndefiniteExpected,
        10,
        "cer",
    );
    holds::<Wrapped<'_>>(&[0x83, 4, 2, 0x81, 1, 5]);
    breaks::<Wrapped<'_>>(&[0x83, 4, 2, 2, 1, 0], FaultKind::IntegerRange, 4, "");
}

/// ```asn1
/// Odd ::= [UNIVERSAL 99] SEQUENCE {
///     is    BOOLEAN,
///     code  IA5String (SIZE (1) | FROM ("a".."c")) (ALL EXCEPT "abc"),
///     half  [0] REAL (-0.5<..1.5) OPTIONAL,
///     days  [1] SEQUENCE OF TIME (WITH COMPONENT (SETTINGS "Basic=Date")) OPTIONAL }
///   (WITH COMPONENTS {..., half ABSENT} | WITH COMPONENTS {..., days ABSENT})
/// ```
#[derive(Asn1, Debug, PartialEq)]
#[asn1(universal = 99)]
#[asn1(constraints(any_of(with_components(..., half = absent), with_components(..., days = absent))))]
struct Odd<'a> {
    is: bool,
    #[asn1(constraints(any_of(size(1), from('a'..='c')), none_of(values(b"\x16\x03abc"))))]
    code: Ia5<'a>,
    #[asn1(implicit = 0, constraints(between(open b"\xC0\xFF\x01", b"\x80\xFF\x03")))]
    half: Option<Real<'a>>,
    #[asn1(implicit = 1, constraints(with_component(settings = "Basic=Date")))]
    days: Option<SeqOf<'a, IsoTime<'a>>>,
}

#[test]
fn set_arithmetic() {
    let odd = |rest: &[u8]| [&[0x3F, 99, rest.len() as u8 + 3, 1, 1, 0], rest].concat();
    holds::<Odd<'_>>(&odd(b"\x16\x01Z"));
    holds::<Odd<'_>>(&odd(b"\x16\x02ca\x80\x03\x80\xFF\x03"));
    holds::<Odd<'_>>(&odd(b"\x16\x01a\xA1\x0C\x0E\x0A2026-11-21"));
    breaks::<Odd<'_>>(&odd(b"\x16\x02ZZ"), FaultKind::Value, 6, "code");
    breaks::<Odd<'_>>(&odd(b"\x16\x03abc"), FaultKind::Value, 6, "code");
    breaks::<Odd<'_>>(&odd(b"\x16\x01a\x80\x03\xC0\xFF\x01"), FaultKind::Value, 9, "half");
    breaks::<Odd<'_>>(&odd(b"\x16\x01a\xA1\x0A\x0E\x0812:30:00"), FaultKind::Value, 9, "days");
    breaks::<Odd<'_>>(&odd(b"\x16\x01a\x80\x00\xA1\x00"), FaultKind::Value, 3, "");
}

/// `Either ::= CHOICE { a INTEGER, b BOOLEAN } (WITH COMPONENTS {a (0..3)})`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(with_components(a(value(0..=3))))]
enum Either {
    A(u8),
    B(bool),
}

/// `Level ::= [4] EXPLICIT ENUMERATED { low(0), high(1) } (low)`
#[derive(Asn1, Debug, PartialEq)]
#[asn1(enumerated, explicit = 4, constraints(values(b"\x0A\x01\x00")))]
enum Level {
    Low = 0,
    High = 1,
}

#[test]
fn constraints_of_whole_types() {
    holds::<Either>(&[2, 1, 3]);
    breaks::<Either>(&[2, 1, 4], FaultKind::Value, 0, "");
    breaks::<Either>(&[1, 1, 0], FaultKind::Value, 0, "");
    holds::<Level>(&[0xA4, 3, 10, 1, 0]);
    breaks::<Level>(&[0xA4, 3, 10, 1, 1], FaultKind::Value, 2, "");
}

/// ```asn1
/// Sized ::= SEQUENCE {
///     octets  OCTET STRING (SIZE (5)) (CONTAINING SEQUENCE OF INTEGER (0..255)),
///     bits    [0] BIT STRING (SIZE (24)) (CONTAINING INTEGER (0..255)) OPTIONAL }
/// ```
#[derive(Asn1, Debug, PartialEq)]
struct Sized<'a> {
    #[asn1(containing, size(5))]
    octets: SeqOf<'a, u8>,
    #[asn1(implicit = 0, containing, bit_string, size(24))]
    bits: Option<u8>,
}

/// `Small ::= OCTET STRING (SIZE (3)) (CONTAINING INTEGER (0..255))`
#[derive(Asn1, Debug, PartialEq)]
struct Small(#[asn1(containing, size(3))] u8);

/// A size is that of the string, whatever it holds.
#[test]
fn sizes_of_containing_strings() {
    holds::<Sized<'_>>(&[0x30, 13, 4, 5, 0x30, 3, 2, 1, 7, 0x80, 4, 0, 2, 1, 9]);
    breaks::<Sized<'_>>(&[0x30, 4, 4, 2, 0x30, 0], FaultKind::Size, 2, "octets");
    breaks::<Sized<'_>>(&[0x30, 14, 4, 5, 0x30, 3, 2, 1, 7, 0x80, 5, 0, 2, 2, 0, 0x80], FaultKind::Size, 9, "bits");
    holds::<Small>(&[4, 3, 2, 1, 5]);
    breaks::<Small>(&[4, 4, 2, 2, 0, 0x80], FaultKind::Size, 2, "");
}
