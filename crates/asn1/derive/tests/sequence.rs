//! SEQUENCE: required, OPTIONAL and DEFAULT components, tags, what follows the last one.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::{DefaultValue, Presence, Shape};
use tagwise_codec::{
    Captured, Decode, FaultKind, Int, Null, OctetStr, Options, Raw, Rule, SeqOf, Tag, Tagged, Typed, Writer, encode,
};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(integer)]
enum Version {
    V1,
    V2,
    V3,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Message<'a> {
    #[asn1(explicit = 0, default = Version::V1)]
    version: Version,
    serial: Int<'a>,
    #[asn1(implicit = 1, name = "ownerID")]
    owner: Option<OctetStr<'a>>,
    critical: Option<bool>,
}

// version [0] 2, serial 5, owner [1] "a", critical TRUE
const ALL: &[u8] = &[0x30, 0x0E, 0xA0, 3, 2, 1, 2, 2, 1, 5, 0x81, 1, b'a', 1, 1, 0xFF];

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize) {
    agree::agree_around::<T>(der);
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset())
}

#[test]
fn all_components() {
    let message = Message::from_der(ALL).unwrap();
    let expected = Message {
        version: Version::V3,
        serial: Int::from_signed(&[5]),
        owner: Some(OctetStr::new(b"a")),
        critical: Some(true),
    };
    assert_eq!(message, expected);
    assert_eq!(encode(&message).unwrap(), ALL);
}

#[test]
fn absent_components() {
    let der = [0x30, 3, 2, 1, 5];
    let message = Message::from_der(&der).unwrap();
    assert_eq!((message.version, message.owner, message.critical), (Version::V1, None, None));
    assert_eq!(encode(&message).unwrap(), der);
}

#[test]
fn a_default_is_not_encoded() {
    // version [0] 0, which is the DEFAULT.
    let der = [0x30, 8, 0xA0, 3, 2, 1, 0, 2, 1, 5];
    assert_eq!(refused::<Message<'_>>(&der), (FaultKind::DefaultEncoded, 2));
    let read = Options::der().allow(&Rule::DEFAULT_ENCODED).decode::<Message<'_>>(&der).unwrap();
    assert_eq!(read.deviations.len(), 1);
    assert_eq!(encode(&read.value).unwrap(), [0x30, 3, 2, 1, 5]);
}

#[test]
fn excess_elements_after_the_last_component() {
    // A NULL and another INTEGER follow.
    let der = [0x30, 8, 2, 1, 5, 5, 0, 2, 1, 7];
    assert_eq!(refused::<Message<'_>>(&der), (FaultKind::TrailingData, 5));
    let read = Options::der().allow(&Rule::EXTRA_COMPONENTS).decode::<Message<'_>>(&der).unwrap();
    assert_eq!(read.value.serial, Int::from_signed(&[5]));
    assert_eq!((read.deviations[0].rule, read.deviations[0].offset), (&Rule::EXTRA_COMPONENTS, 5));
    // What is stepped over must be elements all the same.
    let der = [0x30, 5, 2, 1, 5, 5, 1];
    let error = Options::der().allow(&Rule::EXTRA_COMPONENTS).decode::<Message<'_>>(&der).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::LengthOverrun, 6));
}

#[test]
fn wrong_order_and_missing_components() {
    // owner before serial
    assert_eq!(refused::<Message<'_>>(&[0x30, 5, 0x81, 0, 2, 1, 5]), (FaultKind::UnexpectedTag, 2));
    // no serial
    assert_eq!(refused::<Message<'_>>(&[0x30, 0]), (FaultKind::Missing, 2));
    // owner twice
    assert_eq!(refused::<Message<'_>>(&[0x30, 7, 2, 1, 5, 0x81, 0, 0x81, 0]), (FaultKind::TrailingData, 7));
    // owner in constructed form
    assert_eq!(refused::<Message<'_>>(&[0x30, 5, 2, 1, 5, 0xA1, 0]), (FaultKind::PrimitiveExpected, 5));
    // two elements in the explicit tag
    let der = [0x30, 10, 0xA0, 5, 2, 1, 2, 5, 0, 2, 1, 5];
    assert_eq!(refused::<Message<'_>>(&der), (FaultKind::TrailingData, 7));
}

#[test]
fn a_named_number_that_is_not_there() {
    assert_eq!(refused::<Message<'_>>(&[0x30, 8, 0xA0, 3, 2, 1, 3, 2, 1, 5]), (FaultKind::Value, 6));
}

#[test]
fn the_table_says_the_same() {
    let ty = Message::ty();
    assert_eq!((&*ty.name, ty.tag), ("Message", Some(Tag::SEQUENCE)));
    let Shape::Sequence(fields) = &ty.shape else { panic!("{ty:?}") };
    let names: Vec<&str> = fields.list.iter().map(|field| &*field.name).collect();
    assert_eq!(names, ["version", "serial", "ownerID", "critical"]);
    let [version, serial, owner, critical] = &*fields.list else { panic!() };
    assert_eq!((version.tagging[0].tag, version.tagging[0].explicit), (Tag::context(0), true));
    let Presence::Default(DefaultValue::Write(write)) = &version.presence else { panic!() };
    let mut buffer = [0; 8];
    let mut writer = Writer::new(&mut buffer);
    write(&mut writer).unwrap();
    // Without the tags of the component.
    assert_eq!(writer.written(), [2, 1, 0]);
    assert!(matches!(serial.presence, Presence::Required) && serial.tagging.is_empty());
    assert_eq!((owner.tagging[0].tag, owner.tagging[0].explicit), (Tag::context(1), false));
    assert!(matches!(owner.presence, Presence::Optional));
    assert_eq!(&*critical.ty.get(None).unwrap().name, "BOOLEAN");
    assert!(fields.marker.is_none());
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(application = 1, explicit)]
struct Ticket {
    number: u8,
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(private = 40, name = "PRIV")]
struct Implicit {
    number: u8,
}

#[test]
fn tags_on_the_whole() {
    let der = [0x61, 5, 0x30, 3, 2, 1, 5];
    assert_eq!(Ticket::from_der(&der), Ok(Ticket { number: 5 }));
    assert_eq!(encode(&Ticket { number: 5 }).unwrap(), der);
    assert_eq!(Ticket::TAG, Tag::application(1).constructed());
    assert_eq!(refused::<Ticket>(&[0x30, 3, 2, 1, 5]), (FaultKind::UnexpectedTag, 0));
    assert_eq!(refused::<Ticket>(&[0x61, 7, 0x30, 3, 2, 1, 5, 5, 0]), (FaultKind::TrailingData, 7));
    let Shape::Tagged { tagging, inner } = &Ticket::ty().shape else { panic!() };
    assert!(tagging.explicit && tagging.tag == Tag::application(1));
    assert!(matches!(inner.get(None).unwrap().shape, Shape::Sequence(_)));

    let der = [0xFF, 40, 3, 2, 1, 5];
    assert_eq!(Implicit::from_der(&der), Ok(Implicit { number: 5 }));
    assert_eq!(encode(&Implicit { number: 5 }).unwrap(), der);
    assert_eq!(Implicit::ty().tag, Some(Tag::private(40).constructed()));
    assert_eq!(&*Implicit::ty().name, "PRIV");
}

#[derive(Asn1, Debug, PartialEq)]
struct Nothing;

#[derive(Asn1, Debug, PartialEq)]
struct Pair(u8, #[asn1(name = "flag")] Option<bool>);

#[test]
fn without_names() {
    assert_eq!(Nothing::from_der(&[0x30, 0]), Ok(Nothing));
    assert_eq!(encode(&Nothing).unwrap(), [0x30, 0]);
    assert_eq!(refused::<Nothing>(&[0x30, 2, 5, 0]), (FaultKind::TrailingData, 2));
    assert_eq!(Pair::from_der(&[0x30, 3, 2, 1, 5]), Ok(Pair(5, None)));
    assert_eq!(encode(&Pair(5, Some(false))).unwrap(), [0x30, 6, 2, 1, 5, 1, 1, 0]);
    let Shape::Sequence(fields) = &Pair::ty().shape else { panic!() };
    assert_eq!((&*fields.list[0].name, &*fields.list[1].name), ("0", "flag"));
}

type Maybe = Option<bool>;

#[derive(Asn1, Debug, PartialEq)]
struct Alias {
    #[asn1(optional)]
    maybe: Maybe,
    r#type: Option<Null>,
}

#[test]
fn an_alias_of_option_and_a_keyword() {
    assert_eq!(Alias::from_der(&[0x30, 0]), Ok(Alias { maybe: None, r#type: None }));
    let alias = Alias { maybe: Some(true), r#type: Some(Null) };
    assert_eq!(encode(&alias).unwrap(), [0x30, 5, 1, 1, 0xFF, 5, 0]);
    let Shape::Sequence(fields) = &Alias::ty().shape else { panic!() };
    assert_eq!(&*fields.list[1].name, "type");
    assert_eq!(&*fields.list[0].ty.get(None).unwrap().name, "BOOLEAN");
}

/// Names that the generated code uses itself.
#[derive(Asn1, Debug, PartialEq)]
struct Hostile {
    reader: u8,
    len: Option<u8>,
    #[asn1(implicit = 0, default = at())]
    at: u8,
    #[asn1(implicit = 1, default = 7)]
    value: u8,
    writer: bool,
    outer: bool,
}

fn at() -> u8 {
    9
}

#[test]
fn names_do_not_collide() {
    let hostile = Hostile { reader: 1, len: Some(2), at: 3, value: 7, writer: true, outer: false };
    let der = encode(&hostile).unwrap();
    assert_eq!(der, [0x30, 15, 2, 1, 1, 2, 1, 2, 0x80, 1, 3, 1, 1, 0xFF, 1, 1, 0]);
    assert_eq!(Hostile::from_der(&der), Ok(hostile));
    assert_eq!(
        refused::<Hostile>(&[0x30, 12, 2, 1, 1, 0x80, 1, 9, 1, 1, 0xFF, 1, 1, 0]),
        (FaultKind::DefaultEncoded, 5)
    );
}

#[derive(Asn1, Clone)]
struct Wrapper<'a, T> {
    first: T,
    #[asn1(implicit = 0)]
    second: Option<T>,
    rest: SeqOf<'a, T>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Owned<T> {
    value: T,
}

#[test]
fn generic_types() {
    let der = [0x30, 11, 2, 1, 1, 0x80, 1, 2, 0x30, 3, 2, 1, 3];
    let read = Wrapper::<u8>::from_der(&der).unwrap();
    assert_eq!((read.first, read.second, read.rest.len()), (1, Some(2), 1));
    assert_eq!(encode(&read).unwrap(), der);
    let owned = Owned::<Wrapper<'_, u8>>::from_der(&[0x30, 7, 0x30, 5, 2, 1, 1, 0x30, 0]).unwrap();
    assert_eq!(owned.value.first, 1);
    let Shape::Sequence(fields) = &Owned::<bool>::ty().shape else { panic!() };
    assert_eq!(&*fields.list[0].ty.get(None).unwrap().name, "BOOLEAN");
}

#[derive(Asn1, Debug, Clone, PartialEq)]
struct Tree<'a> {
    number: u8,
    children: Option<Box<Tree<'a>>>,
    last: Option<Raw<'a, Ticket2>>,
}

#[derive(Asn1, Debug, Clone, PartialEq)]
#[asn1(application = 2)]
struct Ticket2 {
    number: u8,
}

#[test]
fn recursion_and_raw_parts() {
    let der = [0x30, 13, 2, 1, 1, 0x30, 3, 2, 1, 2, 0x62, 3, 2, 1, 7];
    let tree = Tree::from_der(&der).unwrap();
    assert_eq!(tree.children.as_ref().unwrap().number, 2);
    assert_eq!(tree.last.unwrap().get().unwrap().number, 7);
    assert_eq!(encode(&tree).unwrap(), der);
    // 70 levels are deeper than the budget.
    let mut deep = vec![0x30, 3, 2, 1, 1];
    for _ in 0..70 {
        let mut outer = vec![2, 1, 1];
        outer.extend_from_slice(&deep);
        deep = [0x30, 0x81, u8::try_from(outer.len().min(255)).unwrap()].to_vec();
        if outer.len() < 128 {
            deep = vec![0x30, outer.len() as u8];
        } else if outer.len() > 255 {
            deep = vec![0x30, 0x82, (outer.len() >> 8) as u8, outer.len() as u8];
        }
        deep.extend_from_slice(&outer);
    }
    assert_eq!(refused::<Tree<'_>>(&deep).0, FaultKind::DepthExceeded);
}

#[derive(Asn1, Debug, Clone, Copy, PartialEq)]
#[asn1(verbatim, name = "TBS")]
struct Signed {
    flag: bool,
}

#[derive(Asn1, PartialEq)]
struct Envelope<'a> {
    tbs: Captured<'a, Signed>,
    #[asn1(secret)]
    key: OctetStr<'a>,
}

#[test]
fn verbatim_and_secret() {
    let der = [0x30, 8, 0x30, 3, 1, 1, 1, 4, 1, 9];
    let read = Options::ber_definite().decode::<Envelope<'_>>(&der).unwrap();
    assert_eq!(encode(&read.value).unwrap(), der);
    assert!(Signed::ty().verbatim && !Envelope::ty().verbatim);
    let Shape::Sequence(fields) = &Envelope::ty().shape else { panic!() };
    assert!(fields.list[1].secret && !fields.list[0].secret);
}

#[test]
fn an_encoding_error_names_the_component() {
    #[derive(Asn1)]
    struct Inner {
        #[asn1(value(0..=5), name = "lowNumber")]
        low: u8,
    }
    #[derive(Asn1)]
    struct Outer {
        inner: Inner,
    }
    let error = encode(&Outer { inner: Inner { low: 6 } }).unwrap_err();
    assert_eq!((error.kind(), &*error.path()), (FaultKind::Value, "inner.lowNumber"));
}

#[test]
fn errors_say_where() {
    // ownerID in constructed form
    let error = Envelope2::from_der(&[0x30, 7, 0x30, 5, 2, 1, 5, 0xA1, 0]).unwrap_err();
    assert_eq!((error.path(), error.offset()), ("message.ownerID", 7));
    // a padded serial number, in the second message
    let error = Envelope2::from_der(&[0x30, 13, 0x30, 3, 2, 1, 5, 0xA7, 6, 0x30, 4, 2, 2, 0, 1]).unwrap_err();
    assert_eq!((error.path(), error.offset(), error.kind()), ("others[0].serial", 13, FaultKind::IntegerPadded));
    // no serial number
    let error = Envelope2::from_der(&[0x30, 2, 0x30, 0]).unwrap_err();
    assert_eq!((error.path(), error.offset(), error.kind()), ("message.serial", 4, FaultKind::Missing));
}

#[derive(Asn1, Debug)]
struct Envelope2<'a> {
    message: Message<'a>,
    #[asn1(implicit = 7)]
    others: Option<SeqOf<'a, Message<'a>>>,
}

mod facade {
    pub(crate) use tagwise_codec as codec;
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(crate = facade::codec)]
struct ByPath {
    number: u8,
}

#[derive(Asn1, Debug, PartialEq)]
#[asn1(crate = ::tagwise_codec, choice)]
enum ChoiceByPath {
    Number(#[allow(dead_code)] u8),
}

#[test]
fn the_codec_under_another_path() {
    assert_eq!(ByPath::from_der(&[0x30, 3, 2, 1, 5]), Ok(ByPath { number: 5 }));
    assert_eq!(ChoiceByPath::from_der(&[2, 1, 5]), Ok(ChoiceByPath::Number(5)));
}

/// Bounds, constants and a `where` of the type's own.
#[derive(Asn1, Debug, PartialEq)]
struct Bounded<'a, T: Copy, const N: usize>
where
    T: Default,
{
    #[asn1(size(..=N))]
    octets: &'a str,
    #[asn1(default = T::default())]
    value: T,
}

#[test]
fn bounds_of_the_type() {
    let bounded = Bounded::<'_, u8, 2> { octets: "ab", value: 0 };
    let der = encode(&bounded).unwrap();
    assert_eq!(der, [0x30, 4, 12, 2, b'a', b'b']);
    assert_eq!(Bounded::from_der(&der), Ok(bounded));
    assert_eq!(refused::<Bounded<'_, u8, 1>>(&der), (FaultKind::Size, 2));
}
