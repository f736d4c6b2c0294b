//! Error paths through derived types: which component is named, for every way a message can be wrong.
#![cfg(feature = "dynamic")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use proptest::prelude::*;
use tagwise_codec::table::TypeRef;
use tagwise_codec::{
    Additions, Any, BitStr, Captured, Decode, Excerpt, FaultKind, Int, OctetStr, Oid, Open, Options, Reader,
    Registered, SeqOf, SetOf, Typed, Unknown, UtcTime, Utf8, encode, oid, path_at,
};
use tagwise_derive::Asn1;

#[path = "agree/mod.rs"]
mod agree;

/// ```asn1
/// Message ::= [APPLICATION 10] EXPLICIT SEQUENCE {
///     header       Header,
///     when     [0] EXPLICIT CHOICE { time UTCTime, never NULL },
///     items        SEQUENCE SIZE (1..MAX) OF Item,
///     options      SET OF Option,
///     ...,
///     [[ 2: extra  [5] IMPLICIT INTEGER, note UTF8String OPTIONAL ]] }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(explicit, application = 10)]
struct Message<'a> {
    header: Captured<'a, Header>,
    #[asn1(explicit = 0)]
    when: When,
    #[asn1(size(1..))]
    items: SeqOf<'a, Item<'a>>,
    options: SetOf<'a, Choice<'a>>,
    #[asn1(extensions)]
    additions: Additions<'a>,
    #[asn1(group = 2)]
    group: Option<Group<'a>>,
}

/// `Header ::= SET { version [1] IMPLICIT INTEGER (1..9) DEFAULT 1, flag BOOLEAN }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
struct Header {
    #[asn1(implicit = 1, default = 1, value(1..=9))]
    version: u8,
    #[asn1(name = "isFlag")]
    flag: bool,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum When {
    Time(UtcTime),
    Never,
}

/// `Item ::= SEQUENCE { itemID OBJECT IDENTIFIER, value OCTET STRING (CONTAINING of what itemID selects) }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Item<'a> {
    #[asn1(name = "itemID")]
    id: Oid<'a>,
    #[asn1(octet_string, defined_by = id)]
    value: Open<'a, Items<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
enum Items<'a> {
    #[asn1(oid = "2.5.29.1")]
    Options(SetOf<'a, Choice<'a>>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// `Choice ::= CHOICE { number INTEGER, pair [1] EXPLICIT SEQUENCE { a INTEGER, b ANY } }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum Choice<'a> {
    Number(Int<'a>),
    #[asn1(explicit = 1)]
    Pair(Pair<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Pair<'a> {
    a: u8,
    b: Any<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(group)]
struct Group<'a> {
    #[asn1(implicit = 5)]
    extra: u32,
    note: Option<Utf8<'a>>,
}

/// An element with a length of one octet.
fn el(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    assert!(content.len() < 0x80);
    [&[tag, content.len() as u8], &content[..]].concat()
}

/// The parts of a message, which the tests change one at a time.
struct Parts {
    header: Vec<u8>,
    when: Vec<u8>,
    items: Vec<u8>,
    options: Vec<u8>,
    rest: Vec<u8>,
}

fn parts() -> Parts {
    let pair = el(0xA1, &[&el(0x30, &[&[2, 1, 8], &[5, 0]])]);
    let options = el(0x31, &[&[2, 1, 7], &pair]);
    let known = el(0x30, &[&[6, 3, 0x55, 0x1D, 1], &el(4, &[&options])]);
    let unknown = el(0x30, &[&[6, 3, 0x55, 0x1D, 2], &[4, 2, 0xFF, 0xFF]]);
    Parts {
        header: el(0x31, &[&[1, 1, 0xFF], &[0x81, 1, 2]]),
        when: el(0xA0, &[&el(0x17, &[b"250131000000Z"])]),
        items: el(0x30, &[&known, &unknown]),
        options,
        rest: [&[0x85, 1, 9][..], &el(12, &[b"hi"]), &[0x86, 0]].concat(),
    }
}

impl Parts {
    fn message(&self) -> Vec<u8> {
        el(0x6A, &[&el(0x30, &[&self.header, &self.when, &self.items, &self.options, &self.rest])])
    }
}

/// The error for a message of changed parts: kind, path, and the octets at the offset.
#[track_caller]
fn wrong(change: impl FnOnce(&mut Parts), kind: FaultKind, path: &str) {
    let mut parts = parts();
    change(&mut parts);
    agree::agree_around::<Message<'_>>(Box::leak(parts.message().into_boxed_slice()));
    let error = Message::from_der(&parts.message()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (kind, path), "{error}");
}

fn find(input: &[u8], needle: &[u8]) -> usize {
    input.windows(needle.len()).position(|window| window == needle).unwrap()
}

/// Puts `new` in the place of `old`, which has the same size.
fn put(part: &mut [u8], old: &[u8], new: &[u8]) {
    let at = find(part, old);
    part[at..at + new.len()].copy_from_slice(new);
}

#[test]
fn the_message_is_right() {
    let der = parts().message();
    let message = Message::from_der(&der).unwrap();
    assert_eq!(message.group.unwrap().note, Some(Utf8::new("hi")));
    assert_eq!(encode(&message).unwrap(), der);
}

#[test]
fn every_component_is_named() {
    let der = parts().message();
    let mut paths: Vec<String> = (0..der.len()).map(|offset| path_at(Message::ty(), &der, offset)).collect();
    paths.dedup();
    let expected = [
        "",
        "header",
        "header.isFlag",
        "header.version",
        "when",
        "items",
        "items[0]",
        "items[0].itemID",
        "items[0].value",
        "items[0].value[0]",
        "items[0].value[1]",
        "items[0].value[1].pair",
        "items[0].value[1].pair.a",
        "items[0].value[1].pair.b",
        "items[1]",
        "items[1].itemID",
        "items[1].value",
        "options",
        "options[0]",
        "options[1]",
        "options[1].pair",
        "options[1].pair.a",
        "options[1].pair.b",
        "extra",
        "note",
        "",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn errors_in_a_component_have_its_path() {
    wrong(|parts| parts.header[4] = 1, FaultKind::BooleanValue, "header.isFlag");
    wrong(|parts| parts.header[7] = 1, FaultKind::DefaultEncoded, "header.version");
    wrong(|parts| parts.header[7] = 10, FaultKind::Value, "header.version");
    wrong(|parts| put(&mut parts.when, b"2501", b"2513"), FaultKind::TimeMonth, "when");
    wrong(|parts| parts.when[2] = 0x18, FaultKind::ChoiceUnknown, "when");
    wrong(|parts| put(&mut parts.items, &[2, 1, 8], &[4, 1, 8]), FaultKind::UnexpectedTag, "items[0].value[1].pair.a");
    wrong(|parts| put(&mut parts.items, &[5, 0], &[1, 0]), FaultKind::BooleanLength, "items[0].value[1].pair.b");
    wrong(|parts| put(&mut parts.items, &[0x1D, 2], &[0x1D, 0x82]), FaultKind::OidTruncated, "items[1].itemID");
    wrong(|parts| put(&mut parts.options, &[0xA1], &[0xA2]), FaultKind::ChoiceUnknown, "options[1]");
    wrong(|parts| put(&mut parts.rest, b"hi", b"h\xFF"), FaultKind::Utf8Invalid, "note");
    wrong(|parts| parts.rest[0] = 0xA5, FaultKind::PrimitiveExpected, "extra");
}

#[test]
fn missing_and_excess_components() {
    wrong(|parts| parts.header = el(0x31, &[&[0x81, 1, 2]]), FaultKind::Missing, "header.isFlag");
    wrong(|parts| parts.when = vec![], FaultKind::UnexpectedTag, "when");
    wrong(|parts| parts.when = el(0xA0, &[]), FaultKind::Missing, "when");
    wrong(|parts| parts.when = el(0xA0, &[&[5, 0], &[5, 0]]), FaultKind::TrailingData, "when");
    wrong(|parts| parts.items = el(0x30, &[]), FaultKind::Size, "items");
    wrong(|parts| (parts.options, parts.rest) = (vec![], vec![]), FaultKind::Missing, "options");
    wrong(|parts| parts.items = el(0x30, &[&el(0x30, &[&[6, 1, 0x55]])]), FaultKind::Missing, "items[0].value");
    let pair = |parts: &[&[u8]]| el(0x31, &[&el(0xA1, &[&el(0x30, parts)])]);
    wrong(|parts| parts.options = pair(&[&[2, 1, 8]]), FaultKind::Missing, "options[0].pair.b");
    wrong(|parts| parts.options = pair(&[&[2, 1, 8], &[5, 0], &[5, 0]]), FaultKind::TrailingData, "options[0].pair");
    let extra = |parts: &[&[u8]]| el(0x31, &[&[&[1, 1, 0xFF][..], &[0x81, 1, 2]].concat(), &parts.concat()]);
    wrong(|parts| parts.header = extra(&[&[0x81, 1, 2]]), FaultKind::SetDuplicate, "header.version");
    wrong(|parts| parts.header = extra(&[&[0x82, 0]]), FaultKind::SetUnknown, "header");
    wrong(|parts| parts.header = extra(&[&[4, 0]]), FaultKind::SetOrder, "header");
    wrong(|parts| parts.options = el(0x31, &[&[2, 1, 7], &[2, 1, 5]]), FaultKind::SetOfOrder, "options[1]");
}

#[test]
fn registered_types_are_gone_into() {
    let mut parts = parts();
    let value = el(4, &[&el(0x30, &[&[2, 1, 8], &[5, 1, 0]])]);
    parts.items = el(0x30, &[&el(0x30, &[&[6, 3, 0x55, 0x1D, 2], &value])]);
    let message = parts.message();
    assert!(Message::from_der(&message).is_ok());
    let check = |reader: &mut Reader<'_, '_>| reader.read::<Pair<'_>>().map(|_| ());
    let known = [Registered::new("Items", oid!("2.5.29.2"), check, TypeRef::of::<Pair<'_>>())];
    let error = Options::der().register(&known).decode::<Message<'_>>(&message).unwrap_err();
    assert_eq!((error.kind(), error.path()), (FaultKind::NullLength, "items[0].value.b"));
}

/// `Key ::= SEQUENCE { version INTEGER, key OCTET STRING, next SEQUENCE OF Key OPTIONAL }`
#[derive(Asn1, Clone, Copy, PartialEq)]
struct Key<'a> {
    version: Int<'a>,
    #[asn1(secret)]
    key: OctetStr<'a>,
    next: Option<SeqOf<'a, Key<'a>>>,
}

/// `Own ::= [APPLICATION 1] EXPLICIT BIT STRING`
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(explicit, application = 1)]
struct Own<'a>(BitStr<'a>);

/// `Bits ::= SEQUENCE { bits [0] IMPLICIT BIT STRING OPTIONAL, own Own OPTIONAL }`
#[derive(Asn1, Clone, Copy, PartialEq)]
struct Bits<'a> {
    #[asn1(implicit = 0)]
    bits: Option<BitStr<'a>>,
    own: Option<Own<'a>>,
}

const SECRET: &[u8] = &[0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7];

fn key() -> Vec<u8> {
    let inner = el(0x30, &[&[2, 1, 0], &el(4, &[SECRET])]);
    el(0x30, &[&[2, 1, 0], &el(4, &[SECRET]), &el(0x30, &[&inner])])
}

/// Whether a text shows two octets of the secret, one after the other.
fn betrays(text: &str) -> bool {
    SECRET.windows(2).any(|pair| text.contains(&format!("{:02x} {:02x}", pair[0], pair[1])))
}

proptest! {
    /// Whatever is wrong with the encoding of a key, the key is not shown.
    #[test]
    fn secrets_stay_secret(at in 0..key().len(), octet: u8, cut in 0..key().len(), insert in 0..key().len()) {
        let mut wrong = key();
        wrong[at] = octet;
        let mut inserted = key();
        inserted.insert(insert, octet);
        for input in [&wrong[..], &wrong[..cut], &inserted] {
            if let Err(error) = Key::from_der(input) {
                let text = format!("{error} {}", Excerpt::of(Key::ty(), input, error.offset()));
                prop_assert!(!betrays(&text), "{text}");
            }
        }
    }

    /// Whatever is wrong with a message, there is a path, and the component that it names is there, or would be.
    #[test]
    fn paths_of_broken_messages(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut message = parts().message();
        for (index, octet) in changes {
            let at = index.index(message.len());
            message[at] = octet;
        }
        if let Err(error) = Message::from_der(&message) {
            let known = ["header", "when", "items", "options", "extra", "note"];
            let path = error.path();
            prop_assert!(path.is_empty() || known.iter().any(|name| path.starts_with(name)), "{error}");
        }
    }
}

#[cfg(feature = "stream")]
/// `Selected ::= SEQUENCE { kind OBJECT IDENTIFIER, value TYPE that kind selects OPTIONAL, data OCTET STRING }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Selected<'a> {
    kind: Oid<'a>,
    #[asn1(defined_by = kind)]
    value: Items<'a>,
    data: OctetStr<'a>,
}

#[test]
#[cfg(feature = "stream")]
fn streams_name_components_alike() {
    use tagwise_codec::stream::{Event, NamedEvents};
    let options = parts().options;
    let selected = |last| el(0x30, &[&[6, 3, 0x55, 0x1D, last], &options, &[4, 1, 0xAA]]);
    let message = parts().message();
    let unknown = selected(2);
    let known = selected(1);
    let mut named = Vec::new();
    for (ty, der) in [(Message::ty(), &message), (Selected::ty(), &known), (Selected::ty(), &unknown)] {
        let mut events = NamedEvents::new(&der[..], ty);
        while let Some((event, place)) = events.next().unwrap() {
            if let Event::Start(start) = event {
                assert_eq!(place.path, path_at(ty, der, start.offset as usize), "at {}", start.offset);
                named.push((place.path.to_owned(), place.ty.map(|ty| ty.name.to_string())));
            }
        }
    }
    let of = |path: &str| named.iter().filter(|(own, _)| own == path).filter_map(|(_, ty)| ty.clone()).next();
    assert_eq!(of("header.isFlag").as_deref(), Some("BOOLEAN"));
    assert_eq!(of("value[1].pair.a").as_deref(), Some("INTEGER"));
    assert_eq!(of("data").as_deref(), Some("OCTET STRING"));
}

#[test]
#[cfg(feature = "stream")]
fn streams_give_the_content_of_a_component() {
    use std::io::Read;
    use tagwise_codec::stream::{Rules, content};
    // Definite, and indefinite in segments of which one is of indefinite length again.
    let definite = parts().message();
    let segmented =
        b"\x30\x80\x06\x03\x55\x1D\x02\x05\x00\x24\x80\x04\x02ab\x24\x80\x04\x01c\x00\x00\x04\x00\x00\x00\x00\x00";
    let mut octets = Vec::new();
    content(&definite[..], Rules::Der, Message::ty(), "items[1].value").unwrap().read_to_end(&mut octets).unwrap();
    assert_eq!(octets, [0xFF, 0xFF]);
    octets.clear();
    let mut data = content(&segmented[..], Rules::Ber, Selected::ty(), "data").unwrap();
    data.read_to_end(&mut octets).unwrap();
    assert_eq!(octets, b"abc");
    let mut events = data.into_events();
    while events.next().unwrap().is_some() {}
    assert_eq!(events.offset(), segmented.len() as u64);
    // The type says that it is a BIT STRING: under an IMPLICIT tag, and inside of an EXPLICIT one of its own.
    let mut bits = content(&b"\x30\x04\x80\x02\x04\xB0"[..], Rules::Der, Bits::ty(), "bits").unwrap();
    octets.clear();
    bits.read_to_end(&mut octets).unwrap();
    assert_eq!((&*octets, bits.unused_bits()), (&[0xB0][..], 4));
    let mut bits = content(&b"\x30\x06\x61\x04\x03\x02\x04\xB0"[..], Rules::Der, Bits::ty(), "own").unwrap();
    octets.clear();
    bits.read_to_end(&mut octets).unwrap();
    assert_eq!((&*octets, bits.unused_bits()), (&[0xB0][..], 4));
    let error = content(&definite[..], Rules::Der, Message::ty(), "items[7].value").unwrap_err();
    assert_eq!((error.kind(), error.path()), (Some(FaultKind::Missing), "items[7].value"));
    let error = content(&definite[..8], Rules::Der, Message::ty(), "items[1].value").unwrap_err();
    assert!(error.is_truncated());
    assert_eq!(error.path(), "header.isFlag");
}
