//! ENUMERATED and named INTEGERs; newtypes and constraints.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::{Constraint, Range, Shape};
use tagwise_codec::{
    Any, Decode, Encode, Fault, FaultKind, Int, OctetStr, Options, Reader, Rule, SeqOf, Tag, Tagged, Typed, Utf8,
    encode,
};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize) {
    agree::agree_around::<T>(der);
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset())
}

fn both_ways<'a, T: Decode<'a> + Encode + std::fmt::Debug + PartialEq>(value: &T, der: &'a [u8]) {
    agree::agree_around::<T>(der);
    assert_eq!(encode(value).unwrap(), der);
    assert_eq!(T::from_der(der).unwrap(), *value);
}

const SEVEN: i64 = 7;

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
enum Reason {
    Unspecified = 0,
    KeyCompromise,
    #[asn1(name = "cACompromise")]
    CaCompromise = 2,
    Negative = -129,
    Later = SEVEN as isize,
    Next,
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
enum Extensible {
    #[asn1(number = 3)]
    Three,
    Four,
    #[asn1(unknown)]
    Unknown(i64),
}

#[test]
fn numbers() {
    both_ways(&Reason::Unspecified, &[10, 1, 0]);
    both_ways(&Reason::KeyCompromise, &[10, 1, 1]);
    both_ways(&Reason::Negative, &[10, 2, 0xFF, 0x7F]);
    both_ways(&Reason::Later, &[10, 1, 7]);
    both_ways(&Reason::Next, &[10, 1, 8]);
    assert_eq!(refused::<Reason>(&[10, 1, 9]), (FaultKind::EnumeratedUnknown, 2));
    assert_eq!(refused::<Reason>(&[2, 1, 0]), (FaultKind::UnexpectedTag, 0));
    assert_eq!(refused::<Reason>(&[10, 2, 0, 1]), (FaultKind::IntegerPadded, 2));
    assert_eq!(refused::<Reason>(&[10, 0]), (FaultKind::IntegerEmpty, 2));
}

#[test]
fn unknown_numbers_are_kept() {
    both_ways(&Extensible::Three, &[10, 1, 3]);
    both_ways(&Extensible::Four, &[10, 1, 4]);
    both_ways(&Extensible::Unknown(-1), &[10, 1, 0xFF]);
}

#[test]
fn the_tables_say_the_same() {
    let Shape::Enumerated { items, extensible: false } = &Reason::ty().shape else { panic!() };
    let items: Vec<(&str, i64)> = items.iter().map(|item| (&*item.name, item.number)).collect();
    let expected =
        [("unspecified", 0), ("keyCompromise", 1), ("cACompromise", 2), ("negative", -129), ("later", 7), ("next", 8)];
    assert_eq!(items, expected);
    let Shape::Enumerated { extensible: true, .. } = &Extensible::ty().shape else { panic!() };
}

/// `SerialNumber ::= INTEGER`, another name.
#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct SerialNumber<'a>(Int<'a>);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(implicit = 2)]
struct Implicit(u8);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(application = 2, explicit, value(0..=200))]
struct Explicit(u8);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct Open<'a>(Any<'a>);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(explicit = 7)]
struct ExplicitAny<'a>(Any<'a>);

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Generic<T>(T);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct Holding(#[asn1(containing)] u8);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(explicit = 1)]
struct HoldingBits(#[asn1(containing, bit_string)] u8);

#[test]
fn newtypes() {
    both_ways(&SerialNumber(Int::from_signed(&[5])), &[2, 1, 5]);
    both_ways(&Implicit(5), &[0x82, 1, 5]);
    both_ways(&Explicit(5), &[0x62, 3, 2, 1, 5]);
    both_ways(&Open(Any::from_der(&[5, 0]).unwrap()), &[5, 0]);
    both_ways(&ExplicitAny(Any::from_der(&[5, 0]).unwrap()), &[0xA7, 2, 5, 0]);
    both_ways(&Generic(Implicit(5)), &[0x82, 1, 5]);
    both_ways(&Generic(SeqOf::<u8>::from_slice(&[])), &[0x30, 0]);
    both_ways(&Holding(5), &[4, 3, 2, 1, 5]);
    both_ways(&HoldingBits(5), &[0xA1, 6, 3, 4, 0, 2, 1, 5]);
    assert_eq!(SerialNumber::TAG, Tag::INTEGER);
    assert_eq!(&*SerialNumber::ty().name, "SerialNumber");
    assert_eq!(refused::<Explicit>(&[0x62, 4, 2, 2, 0, 201]), (FaultKind::Value, 2));
    assert_eq!(refused::<Holding>(&[4, 5, 2, 1, 5, 5, 0]), (FaultKind::TrailingData, 5));
    assert_eq!(refused::<HoldingBits>(&[0xA1, 6, 3, 4, 1, 2, 1, 5]), (FaultKind::BitStringUnused, 4));
    assert_eq!(refused::<HoldingBits>(&[0xA1, 2, 3, 0]), (FaultKind::BitStringEmpty, 4));
    assert!(matches!(&Implicit::ty().shape, Shape::Tagged { tagging, .. } if !tagging.explicit));
    let Shape::Tagged { inner, .. } = &Explicit::ty().shape else { panic!() };
    assert_eq!((&*inner.get(None).unwrap().name, Explicit::ty().constraints.len()), ("INTEGER", 1));
    assert!(matches!(&Holding::ty().constraints[0], Constraint::Containing(_)));
}

/// `Version ::= INTEGER { v1(0), v2(1), old(-1) } (-1..1)`
#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(value(-1..=1), named_numbers(v1 = 0, version_two("v2") = 1, old = -1))]
struct Version(i8);

#[test]
fn named_numbers() {
    both_ways(&Version(-1), &[2, 1, 0xFF]);
    assert_eq!(refused::<Version>(&[2, 1, 2]), (FaultKind::Value, 2));
    let Shape::Integer(names) = &Version::ty().shape else { panic!() };
    let names: Vec<(&str, i64)> = names.iter().map(|name| (&*name.name, name.number)).collect();
    assert_eq!(names, [("v1", 0), ("v2", 1), ("old", -1)]);
}

const UPPER_BOUND: usize = 3;

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Constrained<'a> {
    #[asn1(size(1..=UPPER_BOUND))]
    octets: OctetStr<'a>,
    #[asn1(size(1..), implicit = 0)]
    list: Option<SeqOf<'a, u8>>,
    #[asn1(value(0..=5, 10, 20..))]
    number: Int<'a>,
    #[asn1(size(..=2, ...))]
    text: Utf8<'a>,
}

#[test]
fn constraints() {
    let der = [0x30, 13, 4, 1, 1, 0xA0, 3, 2, 1, 1, 2, 1, 10, 12, 0];
    let read = Constrained::from_der(&der).unwrap();
    assert_eq!(encode(&read).unwrap(), der);
    // No octet; the offset is the element's.
    assert_eq!(refused::<Constrained<'_>>(&[0x30, 7, 4, 0, 2, 1, 10, 12, 0]), (FaultKind::Size, 2));
    // Four octets.
    assert_eq!(refused::<Constrained<'_>>(&[0x30, 9, 4, 4, 1, 2, 3, 4, 2, 1, 0x0A]), (FaultKind::Size, 2));
    // An empty list.
    assert_eq!(refused::<Constrained<'_>>(&[0x30, 10, 4, 1, 1, 0xA0, 0, 2, 1, 10, 12, 0]), (FaultKind::Size, 5));
    // 6 is between two ranges.
    let der = [0x30, 8, 4, 1, 1, 2, 1, 6, 12, 0];
    assert_eq!(refused::<Constrained<'_>>(&der), (FaultKind::Value, 5));
    let read = Options::der().allow(&Rule::VALUE).decode::<Constrained<'_>>(&der).unwrap();
    assert_eq!((read.deviations[0].offset, read.deviations[0].rule), (5, &Rule::VALUE));
    // It is no value of the type, and so not encoded.
    assert_eq!(encode(&read.value).unwrap_err().kind(), FaultKind::Value);
    // The last constraint is extensible.
    assert!(Constrained::from_der(&[0x30, 11, 4, 1, 1, 2, 1, 99, 12, 3, b'a', b'b', b'c']).is_ok());
    let Shape::Sequence(fields) = &Constrained::ty().shape else { panic!() };
    let Constraint::Size { ranges, extensible: false } = &fields.list[0].constraints[0] else { panic!() };
    assert_eq!(&**ranges, [Range { min: Some(1), max: Some(3) }]);
    let Constraint::Value { ranges, extensible: false } = &fields.list[2].constraints[0] else { panic!() };
    assert_eq!(ranges.len(), 3);
    assert_eq!(ranges[2], Range { min: Some(20), max: None });
    let Constraint::Size { extensible: true, .. } = &fields.list[3].constraints[0] else { panic!() };
}

const RULE: Rule = Rule::custom(0, "even", "here", "numbers are even");

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(check = even, rules(RULE))]
struct Even {
    number: u8,
}

fn even(even: &Even, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if even.number & 1 == 0 { Ok(()) } else { reader.deviate_profile(&RULE, at) }
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(check = EvenChoice::check)]
enum EvenChoice {
    Number(u8),
    Evens(Even),
}

impl EvenChoice {
    fn check(&self, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
        match self {
            Self::Number(number) if number & 1 == 1 => reader.deviate_profile(&RULE, at),
            _ => Ok(()),
        }
    }
}

#[test]
fn checks_of_a_profile() {
    both_ways(&Even { number: 2 }, &[0x30, 3, 2, 1, 2]);
    assert_eq!(refused::<Even>(&[0x30, 3, 2, 1, 3]), (FaultKind::Profile, 2));
    assert_eq!(refused::<EvenChoice>(&[2, 1, 3]), (FaultKind::Profile, 0));
    assert_eq!(Options::der().allow(&RULE).decode::<Even>(&[0x30, 3, 2, 1, 3]).unwrap().value.number, 3);
    assert_eq!(Even::ty().rules[0], &RULE);
}
