//! Constructors, defaults and conversions that the derive writes where they are asked for.

#![allow(clippy::unwrap_used, reason = "tests")]

use tagwise_codec::{Additions, Decode, FaultKind, OctetStr, encode};
use tagwise_derive::Asn1;

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
struct Ticket<'a> {
    #[asn1(implicit = 1, default = 1)]
    version: u8,
    serial: u32,
    #[asn1(implicit = 0)]
    note: Option<&'a str>,
    owner: Owner<'a>,
    #[asn1(extensions)]
    more: Additions<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(convert)]
struct Owner<'a>(#[asn1(size(1..=4))] OctetStr<'a>);

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(convert, value(1..=1000))]
struct Count(u16);

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(convert)]
struct Any(i64);

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(defaults)]
struct Options {
    #[asn1(implicit = 0, default = 7)]
    size: u8,
    #[asn1(implicit = 1)]
    limit: Option<u8>,
}

#[test]
fn a_constructor_takes_what_is_required() {
    let owner = Owner::try_from(OctetStr::new(b"me")).unwrap();
    let ticket = Ticket::new(5, owner);
    assert_eq!(encode(&ticket).unwrap(), [0x30, 7, 2, 1, 5, 4, 2, b'm', b'e']);
    assert_eq!(Ticket::from_der(&encode(&ticket).unwrap()).unwrap(), ticket);
    assert_eq!((ticket.version, ticket.note), (1, None));
}

#[test]
fn defaults_are_those_of_the_schema() {
    assert_eq!(Options::default(), Options { size: 7, limit: None });
    assert_eq!(encode(&Options::default()).unwrap(), [0x30, 0]);
}

#[test]
fn conversions_check_constraints() {
    assert_eq!(u16::from(Count::try_from(1000).unwrap()), 1000);
    assert_eq!(Count::try_from(1001).unwrap_err().kind(), FaultKind::Value);
    assert_eq!(Owner::try_from(OctetStr::new(b"")).unwrap_err().kind(), FaultKind::Size);
    assert_eq!(i64::from(Any::from(-3)), -3);
}
