//! DEFAULT values that no expression makes: given in their DER.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::{Any, Decode, FaultKind, Oid, encode, oid};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Algorithm<'a> {
    id: Oid<'a>,
    parameters: Option<Any<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Mac<'a> {
    #[asn1(explicit = 0)]
    #[asn1(default_der = [0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00])]
    digest: Algorithm<'a>,
    #[asn1(default = 1)]
    rounds: u8,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
struct Both<'a> {
    #[asn1(implicit = 1, default_der = [0x30, 0x06, 0x06, 0x02, 0x2A, 0x03, 0x05, 0x00])]
    one: Algorithm<'a>,
    #[asn1(implicit = 0)]
    other: Option<Algorithm<'a>>,
}

const SHA1: Oid<'static> = oid!("1.3.14.3.2.26");

#[test]
fn absent_is_the_default() {
    let mac = Mac::from_der(&[0x30, 0]).unwrap();
    assert_eq!(mac, Mac { digest: Algorithm { id: SHA1, parameters: Some(Any::null(0)) }, rounds: 1 });
    assert_eq!(encode(&mac).unwrap(), [0x30, 0]);
    let both = Both::from_der(&[0x31, 0]).unwrap();
    assert_eq!((both.one.id, both.other), (oid!("1.2.3"), None));
    assert_eq!(encode(&both).unwrap(), [0x31, 0]);
}

#[test]
fn another_value_is_written() {
    let mac = Mac { digest: Algorithm { id: SHA1, parameters: None }, rounds: 1 };
    let der = encode(&mac).unwrap();
    assert_eq!(der, [0x30, 0x0B, 0xA0, 0x09, 0x30, 0x07, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]);
    assert_eq!(Mac::from_der(&der), Ok(mac));
    agree::agree_around::<Mac<'_>>(&der);
}

#[test]
fn the_default_is_not_encoded() {
    let der = [0x30, 0x0D, 0xA0, 0x0B, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00];
    let error = Mac::from_der(&der).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::DefaultEncoded, 2));
    agree::agree_around::<Mac<'_>>(&der);
    let der = [0x31, 0x08, 0xA1, 0x06, 0x06, 0x02, 0x2A, 0x03, 0x05, 0x00];
    assert_eq!(Both::from_der(&der).unwrap_err().kind(), FaultKind::DefaultEncoded);
    agree::agree_around::<Both<'_>>(&der);
}

/// Numbers by their types, for expressions with commas and angle brackets.
struct Sum<const A: u8, const B: u8>;

impl<const A: u8, const B: u8> Sum<A, B> {
    const VALUE: u8 = A + B;
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Expressions {
    #[asn1(default = Sum::<1, 2>::VALUE, explicit = 0)]
    sum: u8,
    #[asn1(value(1 << 1..=Sum::<{ 1 + 1 }, 2>::VALUE as i128), default = if cfg!(any()) { 2 } else { 3 })]
    block: u8,
}

#[test]
fn an_expression_is_any() {
    assert_eq!(Expressions::from_der(&[0x30, 0]), Ok(Expressions { sum: 3, block: 3 }));
    assert_eq!(encode(&Expressions { sum: 3, block: 3 }).unwrap(), [0x30, 0]);
    assert_eq!(Expressions::from_der(&[0x30, 3, 2, 1, 4]), Ok(Expressions { sum: 3, block: 4 }));
    assert_eq!(Expressions::from_der(&[0x30, 3, 2, 1, 5]).unwrap_err().kind(), FaultKind::Value);
}
