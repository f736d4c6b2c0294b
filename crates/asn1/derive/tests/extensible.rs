//! Extension markers, additions, groups; SET.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::{Marker, Presence, Shape};
use tagwise_codec::{
    Additions, Any, Decode, Encode, FaultKind, Null, OctetStr, Options, Rule, SetAdditions, Tag, Typed, encode,
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

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct Open<'a> {
    number: u8,
    #[asn1(extensions)]
    extensions: Additions<'a>,
}

#[test]
fn unknown_additions_are_kept() {
    both_ways(&Open { number: 5, extensions: Additions::NONE }, &[0x30, 3, 2, 1, 5]);
    let der = [0x30, 10, 2, 1, 5, 0x80, 1, 9, 0xA1, 2, 5, 0];
    let open = Open::from_der(&der).unwrap();
    assert_eq!((open.extensions.as_bytes(), open.extensions.offset()), (&der[5..], 5));
    let tags: Vec<Tag> = open.extensions.iter().map(|any| any.unwrap().tag()).collect();
    assert_eq!(tags, [Tag::context(0), Tag::context(1).constructed()]);
    assert_eq!(encode(&open).unwrap(), der);
    // Additions are checked as far as that is possible: a padded INTEGER, a length that is too long.
    assert_eq!(refused::<Open<'_>>(&[0x30, 7, 2, 1, 5, 2, 2, 0, 5]), (FaultKind::IntegerPadded, 7));
    assert_eq!(refused::<Open<'_>>(&[0x30, 5, 2, 1, 5, 0x80, 1]), (FaultKind::LengthOverrun, 6));
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(group)]
struct Group {
    #[asn1(implicit = 2)]
    first: u8,
    #[asn1(implicit = 3)]
    second: Option<u8>,
    #[asn1(implicit = 4, default = 7)]
    third: u8,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Middle<'a> {
    number: u8,
    #[asn1(extensions)]
    extensions: Additions<'a>,
    #[asn1(implicit = 1)]
    added: Option<bool>,
    #[asn1(group)]
    group: Option<Group>,
    #[asn1(root)]
    octets: Option<OctetStr<'a>>,
    last: Null,
}

fn middle<'a>() -> Middle<'a> {
    Middle { number: 5, extensions: Additions::NONE, added: None, group: None, octets: None, last: Null }
}

#[test]
fn additions_in_the_middle() {
    both_ways(&middle(), &[0x30, 5, 2, 1, 5, 5, 0]);
    let group = Group { first: 1, second: None, third: 7 };
    both_ways(
        &Middle { added: Some(true), group: Some(group), octets: Some(OctetStr::new(b"")), ..middle() },
        &[0x30, 13, 2, 1, 5, 0x81, 1, 0xFF, 0x82, 1, 1, 4, 0, 5, 0],
    );
    // [9] and [APPLICATION 0] are unknown; they end at the OCTET STRING.
    let der = [0x30, 14, 2, 1, 5, 0x81, 1, 0xFF, 0x89, 0, 0x40, 0, 4, 0, 5, 0];
    let read = Middle::from_der(&der).unwrap();
    assert_eq!((read.extensions.as_bytes(), read.added), (&der[8..12], Some(true)));
    assert_eq!(encode(&read).unwrap(), der);
    // They end at the NULL.
    let der = [0x30, 7, 2, 1, 5, 0x89, 0, 5, 0];
    assert_eq!(Middle::from_der(&der).unwrap().extensions.as_bytes(), [0x89, 0]);
    // The NULL is missing.
    assert_eq!(refused::<Middle<'_>>(&[0x30, 5, 2, 1, 5, 0x89, 0]), (FaultKind::Missing, 7));
    // Something follows it.
    assert_eq!(refused::<Middle<'_>>(&[0x30, 7, 2, 1, 5, 5, 0, 0x89, 0]), (FaultKind::TrailingData, 7));
}

#[test]
fn additions_that_are_known_come_before_unknown_ones() {
    // [1] after [9]
    assert_eq!(
        refused::<Middle<'_>>(&[0x30, 10, 2, 1, 5, 0x89, 0, 0x81, 1, 0xFF, 5, 0]),
        (FaultKind::UnexpectedTag, 7)
    );
    // the group after [9]
    assert_eq!(refused::<Middle<'_>>(&[0x30, 10, 2, 1, 5, 0x89, 0, 0x82, 1, 1, 5, 0]), (FaultKind::UnexpectedTag, 7));
}

#[test]
fn groups() {
    // All of it.
    let group = Group { first: 1, second: Some(2), third: 3 };
    both_ways(
        &Middle { group: Some(group), ..middle() },
        &[0x30, 14, 2, 1, 5, 0x82, 1, 1, 0x83, 1, 2, 0x84, 1, 3, 5, 0],
    );
    // The second component without the first, which is not optional.
    assert_eq!(refused::<Middle<'_>>(&[0x30, 8, 2, 1, 5, 0x83, 1, 2, 5, 0]), (FaultKind::UnexpectedTag, 5));
    // An encoded DEFAULT.
    assert_eq!(
        refused::<Middle<'_>>(&[0x30, 11, 2, 1, 5, 0x82, 1, 1, 0x84, 1, 7, 5, 0]),
        (FaultKind::DefaultEncoded, 8)
    );
}

#[test]
fn the_table_is_flat() {
    let Shape::Sequence(fields) = &Middle::ty().shape else { panic!() };
    let names: Vec<(&str, Option<u16>)> = fields.list.iter().map(|field| (&*field.name, field.group)).collect();
    let expected = [
        ("number", None),
        ("added", None),
        ("first", Some(1)),
        ("second", Some(1)),
        ("third", Some(1)),
        ("octets", None),
        ("last", None),
    ];
    assert_eq!(names, expected);
    assert_eq!(fields.marker, Some(Marker { start: 1, end: 5 }));
    assert!(matches!(fields.list[4].presence, Presence::Default(_)));
    assert_eq!(fields.list[2].tagging[0].tag, Tag::context(2));
    let Shape::Sequence(fields) = &Open::ty().shape else { panic!() };
    assert_eq!((fields.list.len(), fields.marker), (1, Some(Marker { start: 1, end: 1 })));
}

#[derive(Asn1, Debug, PartialEq, Clone)]
enum Choice {
    #[asn1(implicit = 1)]
    One(u8),
    #[asn1(implicit = 5)]
    Five(u8),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
struct Set {
    #[asn1(implicit = 3)]
    third: u8,
    choice: Choice,
    flag: Option<bool>,
    #[asn1(implicit = 0, default = 7)]
    zeroth: u8,
}

#[test]
fn a_set_is_in_the_order_of_its_tags() {
    let set = Set { third: 3, choice: Choice::One(1), flag: Some(true), zeroth: 7 };
    both_ways(&set, &[0x31, 9, 1, 1, 0xFF, 0x81, 1, 1, 0x83, 1, 3]);
    let set = Set { third: 3, choice: Choice::Five(5), flag: None, zeroth: 0 };
    both_ways(&set, &[0x31, 9, 0x80, 1, 0, 0x83, 1, 3, 0x85, 1, 5]);
}

#[test]
fn a_set_out_of_order() {
    // [3] before [1]: [1] comes too late.
    assert_eq!(refused::<Set>(&[0x31, 6, 0x83, 1, 3, 0x81, 1, 1]), (FaultKind::SetOrder, 5));
    // [3] twice
    assert_eq!(refused::<Set>(&[0x31, 9, 0x81, 1, 1, 0x83, 1, 3, 0x83, 1, 3]), (FaultKind::SetDuplicate, 8));
    // two alternatives of the CHOICE
    assert_eq!(refused::<Set>(&[0x31, 9, 0x81, 1, 1, 0x83, 1, 3, 0x85, 1, 3]), (FaultKind::SetDuplicate, 8));
    // no [3]
    assert_eq!(refused::<Set>(&[0x31, 3, 0x81, 1, 1]), (FaultKind::Missing, 5));
    // a component that the type does not have
    assert_eq!(refused::<Set>(&[0x31, 8, 5, 0, 0x81, 1, 1, 0x83, 1, 3]), (FaultKind::SetUnknown, 2));
    let error = Set::from_der(&[0x31, 8, 5, 0, 0x81, 1, 1, 0x83, 1, 3]).unwrap_err();
    assert_eq!(error.to_string(), "the SET has no component with the tag NULL, at byte 2 (X.680 §27)");
    assert_eq!(error.rule(), Some(&Rule::EXTRA_COMPONENTS));
    // the DEFAULT
    assert_eq!(refused::<Set>(&[0x31, 9, 0x80, 1, 7, 0x81, 1, 1, 0x83, 1, 3]), (FaultKind::DefaultEncoded, 2));
    let der = [0x31, 8, 5, 0, 0x81, 1, 1, 0x83, 1, 3];
    let read = Options::der().allow(&Rule::EXTRA_COMPONENTS).decode::<Set>(&der).unwrap();
    assert_eq!((read.value.third, read.deviations[0].offset), (3, 2));
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
struct Tags<'a> {
    #[asn1(private = 1)]
    private: u8,
    #[asn1(implicit = 40)]
    high: OctetStr<'a>,
    #[asn1(application = 2, explicit)]
    application: Option<Any<'a>>,
}

#[test]
fn tags_that_stand_in_attributes() {
    let set = Tags { private: 1, high: OctetStr::new(b""), application: Some(Any::from_der(&[5, 0]).unwrap()) };
    both_ways(&set, &[0x31, 10, 0x62, 2, 5, 0, 0x9F, 40, 0, 0xC1, 1, 1]);
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
struct OpenSet<'a> {
    flag: bool,
    #[asn1(extensions)]
    extensions: SetAdditions<'a>,
    #[asn1(implicit = 3, in_group = 2)]
    three: Option<u8>,
}

#[test]
fn an_extensible_set() {
    // NULL, [1], [3], [4]: all but [3] are unknown.
    let der = [0x31, 12, 1, 1, 0xFF, 5, 0, 0x81, 0, 0x83, 1, 3, 0x84, 0];
    let set = OpenSet::from_der(&der).unwrap();
    assert_eq!((set.flag, set.three, set.extensions.as_slice().len()), (true, Some(3), 3));
    assert_eq!(encode(&set).unwrap(), der);
    assert_eq!(refused::<OpenSet<'_>>(&[0x31, 7, 1, 1, 0xFF, 0x81, 0, 5, 0]), (FaultKind::SetOrder, 7));
    let Shape::Set(fields) = &OpenSet::ty().shape else { panic!() };
    assert_eq!((fields.marker, fields.list[1].group), (Some(Marker { start: 1, end: 2 }), Some(2)));
    both_ways(&OpenSet { flag: false, extensions: SetAdditions::NONE, three: None }, &[0x31, 3, 1, 1, 0]);
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
struct Single(u8);

#[test]
fn a_set_of_one_component() {
    both_ways(&Single(5), &[0x31, 3, 2, 1, 5]);
}
