//! Lists of open types: one component selects the type of all elements.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::{Shape, TypeRef};
use tagwise_codec::{Decode, Encode, FaultKind, Oid, OpenSeqOf, OpenSetOf, Options, Rule, Typed, Unknown, encode, oid};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(open_type, name = "Attributes")]
enum Values<'a> {
    #[asn1(oid = "1.2.3")]
    Number(u8),
    #[asn1(oid = "1.2.4")]
    Flag(bool),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct Attribute<'a> {
    id: Oid<'a>,
    #[asn1(defined_by = id, size(1..=2))]
    values: OpenSetOf<'a, Values<'a>>,
    #[asn1(defined_by = id)]
    more: Option<OpenSeqOf<'a, Values<'a>>>,
    last: Option<u8>,
}

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize, String) {
    agree::agree_around::<T>(der);
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset(), error.path().to_string())
}

fn same<'a, T: Decode<'a> + Encode + std::fmt::Debug + PartialEq>(der: &'a [u8]) -> T {
    agree::agree_around::<T>(der);
    let value = T::from_der(der).unwrap();
    assert_eq!(encode(&value).unwrap(), der);
    value
}

#[test]
fn elements_are_of_the_type_that_is_selected() {
    let der = [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 2, 1, 5, 2, 1, 7];
    let attribute: Attribute<'_> = same(&der);
    let values: Vec<_> = attribute.values.iter().map(|value| value.unwrap().get().unwrap()).collect();
    assert_eq!(values, [Values::Number(5), Values::Number(7)]);
    assert_eq!((attribute.values.len(), attribute.values.offset(), attribute.values.is_empty()), (2, 8, false));
    assert_eq!(attribute.values.key(), oid!("1.2.3").as_bytes());
    assert!(attribute.more.is_none() && attribute.last.is_none());

    let all: Attribute<'_> = same(&[0x30, 17, 6, 2, 0x2A, 4, 0x31, 3, 1, 1, 0, 0x30, 3, 1, 1, 0xFF, 2, 1, 9]);
    assert_eq!(all.more.unwrap().iter().next().unwrap().unwrap().get(), Ok(Values::Flag(true)));
    assert_eq!(all.last, Some(9));
    // What no object describes may be anything.
    same::<Attribute<'_>>(&[0x30, 11, 6, 2, 0x2A, 5, 0x31, 5, 2, 1, 1, 5, 0]);
}

#[test]
fn errors_have_the_offset_of_the_item() {
    let wrong_type = [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 1, 1, 0, 2, 1, 7];
    assert_eq!(refused::<Attribute<'_>>(&wrong_type), (FaultKind::UnexpectedTag, 8, "values[0]".to_owned()));
    let order = [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 2, 1, 7, 2, 1, 5];
    assert_eq!(refused::<Attribute<'_>>(&order), (FaultKind::SetOfOrder, 11, "values[1]".to_owned()));
    let none = [0x30, 6, 6, 2, 0x2A, 3, 0x31, 0];
    assert_eq!(refused::<Attribute<'_>>(&none), (FaultKind::Size, 6, "values".to_owned()));
    let many = [0x30, 15, 6, 2, 0x2A, 3, 0x31, 9, 2, 1, 5, 2, 1, 6, 2, 1, 7];
    assert_eq!(refused::<Attribute<'_>>(&many).0, FaultKind::Size);
    let no_list = [0x30, 7, 6, 2, 0x2A, 3, 2, 1, 5];
    assert_eq!(refused::<Attribute<'_>>(&no_list).0, FaultKind::UnexpectedTag);
    let cut = [0x30, 8, 6, 2, 0x2A, 3, 0x31, 2, 2, 5];
    assert_eq!(refused::<Attribute<'_>>(&cut).0, FaultKind::LengthOverrun);
}

#[test]
fn an_element_may_be_given_up() {
    let der = [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 1, 1, 0, 2, 1, 7];
    agree::agree_around::<Attribute<'_>>(&der);
    let read = Options::der().allow(&Rule::OPEN_TYPE).decode::<Attribute<'_>>(&der).unwrap();
    assert_eq!(read.deviations.iter().map(|one| (one.rule.name, one.offset)).collect::<Vec<_>>(), [("open-type", 8)]);
    let values: Vec<_> = read.value.values.iter().map(|value| value.unwrap().get()).collect();
    // Later reads keep the allowance: the value is one of an unknown type.
    assert!(matches!(values[0], Ok(Values::Unknown(_))), "{:?}", values[0]);
    assert_eq!(values[1], Ok(Values::Number(7)));
    // It is not written as if it were right.
    assert!(encode(&read.value).is_err());
}

#[test]
fn constructed_values_are_checked_when_encoded() {
    let id = oid!("1.2.3");
    let attribute =
        |elements| Attribute { id, values: OpenSetOf::new(id.as_bytes(), elements), more: None, last: None };
    let made = attribute(&[2, 1, 5, 2, 1, 7]);
    assert_eq!(encode(&made).unwrap(), [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 2, 1, 5, 2, 1, 7]);
    for wrong in [&[2, 1, 7, 2, 1, 5][..], &[1, 1, 0], &[2, 2, 0, 1], &[2, 1], &[]] {
        assert!(encode(&attribute(wrong)).is_err(), "{wrong:02X?}");
    }
}

#[test]
fn an_outline_looks_at_nothing_inside() {
    let der = [0x30, 12, 6, 2, 0x2A, 3, 0x31, 6, 1, 1, 0, 2, 1, 7];
    let outline = Attribute::outline(&der).unwrap();
    assert_eq!(outline.values.iter().filter(|value| value.as_ref().unwrap().get().is_err()).count(), 1);
    assert!(encode(&outline).is_err());
}

#[test]
fn the_table_says_what_selects() {
    let Shape::Sequence(fields) = &Attribute::ty().shape else { panic!() };
    let TypeRef::Const(list) = fields.list[1].ty else { panic!() };
    let Shape::SetOf(TypeRef::Const(element)) = &list().shape else { panic!() };
    let Shape::Open { set: Some(_), selector } = &element().shape else { panic!() };
    assert_eq!(&**selector, "id");
}
