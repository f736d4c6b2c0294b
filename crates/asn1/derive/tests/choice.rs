//! CHOICE: by tag, nested, extensible, boxed.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::Shape;
use tagwise_codec::{Any, Decode, FaultKind, Null, OctetStr, Tag, Typed, Utf8, encode};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

#[derive(Asn1, Debug, PartialEq, Clone)]
enum Text<'a> {
    Utf8(Utf8<'a>),
    #[asn1(name = "octets")]
    Octets(OctetStr<'a>),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
enum Name<'a> {
    #[asn1(implicit = 1)]
    Rfc822(OctetStr<'a>),
    #[asn1(explicit = 4)]
    Directory(Text<'a>),
    Plain(Text<'a>),
    Nothing,
    #[asn1(implicit = 40)]
    High,
}

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize) {
    agree::agree_around::<T>(der);
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset())
}

fn both_ways<'a, T: Decode<'a> + tagwise_codec::Encode + std::fmt::Debug + PartialEq>(value: &T, der: &'a [u8]) {
    agree::agree_around::<T>(der);
    assert_eq!(encode(value).unwrap(), der);
    assert_eq!(T::from_der(der).unwrap(), *value);
}

#[test]
fn each_alternative() {
    both_ways(&Name::Rfc822(OctetStr::new(b"a")), &[0x81, 1, b'a']);
    both_ways(&Name::Directory(Text::Utf8(Utf8::new("b"))), &[0xA4, 3, 12, 1, b'b']);
    both_ways(&Name::Plain(Text::Octets(OctetStr::new(b"c"))), &[4, 1, b'c']);
    both_ways(&Name::Nothing, &[5, 0]);
    both_ways(&Name::High, &[0x9F, 40, 0]);
}

#[test]
fn no_alternative() {
    assert_eq!(refused::<Name<'_>>(&[2, 1, 5]), (FaultKind::ChoiceUnknown, 0));
    assert_eq!(refused::<Name<'_>>(&[]), (FaultKind::Missing, 0));
    // A malformed tag is named as such.
    assert_eq!(refused::<Name<'_>>(&[0x9F, 0x80, 0x01, 0]), (FaultKind::TagNotMinimal, 0));
    // The right tag in the wrong form.
    assert_eq!(refused::<Name<'_>>(&[0xA1, 0]), (FaultKind::PrimitiveExpected, 0));
    assert_eq!(refused::<Name<'_>>(&[0x84, 0]), (FaultKind::ConstructedExpected, 0));
    assert_eq!(refused::<Name<'_>>(&[0xA4, 5, 12, 1, b'b', 5, 0]), (FaultKind::TrailingData, 5));
    assert_eq!(refused::<Name<'_>>(&[0xA4, 2, 5, 0]), (FaultKind::ChoiceUnknown, 2));
}

#[derive(Asn1, Debug, PartialEq)]
struct Holder<'a> {
    name: Option<Name<'a>>,
    flag: bool,
    #[asn1(explicit = 9)]
    other: Option<Name<'a>>,
}

#[test]
fn as_a_component() {
    both_ways(&Holder { name: None, flag: true, other: None }, &[0x30, 3, 1, 1, 0xFF]);
    both_ways(
        &Holder { name: Some(Name::Nothing), flag: false, other: Some(Name::Nothing) },
        &[0x30, 9, 5, 0, 1, 1, 0, 0xA9, 2, 5, 0],
    );
}

#[derive(Asn1, Debug, PartialEq)]
enum Extensible<'a> {
    #[asn1(implicit = 0)]
    Flag(bool),
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

#[test]
fn unknown_alternatives_are_kept() {
    both_ways(&Extensible::Flag(true), &[0x80, 1, 0xFF]);
    let der = [0xA5, 2, 5, 0];
    let Extensible::Unknown(any) = Extensible::from_der(&der).unwrap() else { panic!() };
    assert_eq!((any.tag(), any.as_bytes()), (Tag::context(5).constructed(), &der[..]));
    assert_eq!(encode(&Extensible::Unknown(any)).unwrap(), der);
    assert_eq!(refused::<Extensible<'_>>(&[]), (FaultKind::Missing, 0));
    assert!(matches!(Extensible::ty().shape, Shape::Choice { extensible: true, .. }));
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(explicit = 3)]
enum Tagged3 {
    Flag(bool),
    Number(u8),
}

#[test]
fn a_tag_on_the_whole() {
    both_ways(&Tagged3::Number(5), &[0xA3, 3, 2, 1, 5]);
    assert_eq!(refused::<Tagged3>(&[2, 1, 5]), (FaultKind::UnexpectedTag, 0));
    let ty = Tagged3::ty();
    assert_eq!(ty.tag, Some(Tag::context(3).constructed()));
    let Shape::Tagged { inner, .. } = &ty.shape else { panic!() };
    assert!(matches!(inner.get(None).unwrap().shape, Shape::Choice { .. }));
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(boxed)]
enum Filter<'a> {
    #[asn1(explicit = 2)]
    Not(Box<Filter<'a>>),
    #[asn1(implicit = 7)]
    Present(OctetStr<'a>),
}

#[test]
fn a_boxed_choice() {
    both_ways(
        &Filter::Not(Box::new(Filter::Not(Box::new(Filter::Present(OctetStr::new(b"x")))))),
        &[0xA2, 5, 0xA2, 3, 0x87, 1, b'x'],
    );
    // 65 levels of [2]: one more than the budget allows.
    let mut deep = vec![0x87, 0];
    for _ in 0..65 {
        let mut outer = vec![0xA2];
        match deep.len() {
            len @ 0..0x80 => outer.push(len as u8),
            len => outer.extend([0x81, len as u8]),
        }
        outer.extend_from_slice(&deep);
        deep = outer;
    }
    assert_eq!(refused::<Filter<'_>>(&deep).0, FaultKind::DepthExceeded);
    assert!(Filter::from_der(&deep[3..]).is_ok());
}

#[test]
fn the_table_says_the_same() {
    let ty = Name::ty();
    assert_eq!((&*ty.name, ty.tag), ("Name", None));
    let Shape::Choice { alternatives, extensible } = &ty.shape else { panic!() };
    let names: Vec<&str> = alternatives.iter().map(|field| &*field.name).collect();
    assert_eq!(names, ["rfc822", "directory", "plain", "nothing", "high"]);
    assert!(!extensible && alternatives[1].tagging[0].explicit);
    assert_eq!(&*alternatives[4].ty.get(None).unwrap().name, "NULL");
}

#[test]
fn an_error_names_the_alternative() {
    #[derive(Asn1)]
    enum Sized {
        #[asn1(value(..=3))]
        Small(u8),
        Nothing(Null),
    }
    assert_eq!(encode(&Sized::Small(4)).unwrap_err().path(), "small");
    assert_eq!(encode(&Sized::Nothing(Null)).unwrap(), [5, 0]);
}
