//! The emitted Rust of the golden cases, compiled and used: values decode, encode to the same octets, and obey what the schema says.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use std::fmt::Debug;

use tagwise_codec::{BitStr, Decode, Encode, FaultKind, Int, Utf8, encode, oid};

macro_rules! cases {
    ($($name:ident = $path:literal),* $(,)?) => {$(
        #[path = $path]
        #[allow(dead_code)]
        mod $name;
    )*};
}

cases! {
    bits = "golden/bits/expected.rs",
    choice = "golden/choice/expected.rs",
    constraints = "golden/constraints/expected.rs",
    containing = "golden/containing/expected.rs",
    enumerated = "golden/enumerated/expected.rs",
    extensions = "golden/extensions/expected.rs",
    integers = "golden/integers/expected.rs",
    lists = "golden/lists/expected.rs",
    modules = "golden/modules/expected/mod.rs",
    names = "golden/names/expected.rs",
    old_any = "golden/old_any/expected.rs",
    open_types = "golden/open_types/expected.rs",
    overlay = "golden/overlay/expected.rs",
    parameters = "golden/parameters/expected.rs",
    sequence = "golden/sequence/expected.rs",
    set = "golden/set/expected.rs",
    strings = "golden/strings/expected.rs",
    values = "golden/values/expected.rs",
}

/// An element.
fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut element = vec![tag, u8::try_from(content.len()).unwrap()];
    element.extend(content);
    element
}

fn leaked(octets: Vec<u8>) -> &'static [u8] {
    octets.leak()
}

/// A value that encodes to the octets it came from.
#[track_caller]
fn same<T: Decode<'static> + Encode + Debug>(octets: Vec<u8>) -> T {
    let octets = leaked(octets);
    let value = T::from_der(octets).unwrap();
    assert_eq!(encode(&value).unwrap(), octets, "{value:?}");
    value
}

#[track_caller]
fn refused<T: Decode<'static> + Debug>(octets: Vec<u8>) -> (FaultKind, String) {
    let error = T::from_der(leaked(octets)).unwrap_err();
    (error.kind(), error.path().to_string())
}

const fn int(number: u8) -> [u8; 3] {
    [2, 1, number]
}

#[test]
fn sequences() {
    use sequence::{Ticket, TicketPlace, Twice, Version};
    let rest = [&int(5)[..], &[0x81, 1, b'A'], &[0x82, 1, b'a'], &tlv(0x30, &[&int(1), &int(2)]), &[5, 0]].concat();
    let ticket: Ticket<'_> = same(tlv(0x61, &[&tlv(0x30, &[&rest])]));
    assert_eq!((ticket.version, ticket.urgent), (Version::V1, false));
    assert_eq!(ticket.place, TicketPlace { x: 1, y: 2 });
    assert_eq!(ticket.dns_name.unwrap().as_str(), Some("a"));
    let second: Ticket<'_> = same(tlv(0x61, &[&tlv(0x30, &[&[0xA0, 3, 2, 1, 1], &rest])]));
    assert_eq!(second.version, Version::V2);
    // A DEFAULT value is not encoded.
    let given = tlv(0x61, &[&tlv(0x30, &[&[0xA0, 3, 2, 1, 0], &rest])]);
    assert_eq!(refused::<Ticket<'_>>(given), (FaultKind::DefaultEncoded, "version".to_owned()));
    let twice: Twice<'_> = same(tlv(0x62, &[&tlv(0x30, &[&tlv(0xA0, &[&tlv(0xA1, &[&int(7)])])])]));
    assert!(format!("{twice:?}").contains('7'));
    same::<sequence::Empty>(vec![0x30, 0]);
}

#[test]
fn sets() {
    let member: set::Member<'_> = same(tlv(0x31, &[&[0x80, 1, b'x'], &[0x81, 1, 30]]));
    assert_eq!((member.age, member.active), (Some(30), true));
    // From the second version on there is more, and later ones add what is not known here.
    let open: set::Open<'_> = same(tlv(0x31, &[&int(1), &[0x80, 1, 9], &[0x81, 0]]));
    assert_eq!(open.additions.as_slice().len(), 1);
    let late = tlv(0x31, &[&[0x81, 1, 30], &[0x80, 1, b'x']]);
    assert_eq!(refused::<set::Member<'_>>(late).0, FaultKind::SetOrder);
}

#[test]
fn choices() {
    use choice::{Filter, GeneralName, Holder, HolderInner, Later, Switch};
    let address: GeneralName<'_> = same(vec![0x87, 4, 1, 2, 3, 4]);
    assert!(matches!(address, GeneralName::IpAddress(octets) if octets.as_bytes() == [1, 2, 3, 4]));
    assert_eq!(refused::<GeneralName<'_>>(vec![0x87, 5, 1, 2, 3, 4, 5]).0, FaultKind::Size);
    assert!(matches!(same::<GeneralName<'_>>(vec![5, 0]), GeneralName::None));
    assert!(matches!(same::<Later<'_>>(vec![0x85, 1, 0]), Later::Unknown(_)));
    assert!(matches!(same::<Switch>(vec![0xA0, 2, 5, 0]), Switch::On));
    // NOT (AND (item "a") (NOT (item "b"))).
    let (a, b) = ([0x83, 1, b'a'], [0x83, 1, b'b']);
    let filter: Filter<'_> = same(tlv(0xA2, &[&tlv(0xA0, &[&a, &tlv(0xA2, &[&b])])]));
    assert!(matches!(&filter, Filter::Not(inner) if matches!(**inner, Filter::And(_))));
    same::<choice::Tagged<'_>>(tlv(0x67, &[&int(3)]));
    let holder: Holder<'_> = same(tlv(0x30, &[&[5, 0], &tlv(0xA0, &[&a]), &[1, 1, 0xFF]]));
    assert!(matches!(holder.inner, HolderInner::A(true)));
}

#[test]
fn enumerations() {
    use enumerated::{Colour, CrlReason, Reported, ReportedState, Signed};
    assert_eq!(same::<CrlReason>(vec![10, 1, 8]), CrlReason::RemoveFromCrl);
    assert_eq!(refused::<CrlReason>(vec![10, 1, 7]).0, FaultKind::EnumeratedUnknown);
    assert_eq!((same::<Colour>(vec![10, 1, 2]), same::<Colour>(vec![10, 1, 9])), (Colour::Blue, Colour::Unknown(9)));
    assert_eq!(same::<Signed>(vec![10, 1, 0xFF]), Signed::Below);
    let reported: Reported = same(tlv(0x30, &[&[0x82, 1, 1]]));
    assert_eq!((reported.reason, reported.colour), (CrlReason::Unspecified, None));
    assert_eq!(reported.state, ReportedState::Off);
}

#[test]
fn integers() {
    use integers::{All, Count, Level, Narrow, Odd, Serial, UB_COUNT};
    assert_eq!(UB_COUNT, 1000);
    let fields: [&[u8]; 8] = [
        &[0x80, 1, 7],
        &[0x82, 1, 0x80],
        &[0x84, 1, 1],
        &[0x86, 1, 5],
        &[0x87, 1, 10],
        &[0x88, 1, 9],
        &[0xAA, 3, 2, 1, 3],
        &[],
    ];
    let all: All<'_> = same(tlv(0x30, &fields));
    assert_eq!((all.byte, all.count, all.offset, all.narrow), (7, Count(1), -128, Narrow(10)));
    assert_eq!((all.odd, all.level, all.wide), (Odd(5), Level::HIGH, None));
    let serial: Serial<'_> = all.serial;
    assert_eq!(u8::try_from(serial).unwrap(), 9);
    assert_eq!(refused::<Odd>(vec![2, 1, 2]).0, FaultKind::Value);
    assert_eq!(refused::<Count>(vec![2, 2, 3, 0xE9]).0, FaultKind::Value);
    // The extensible one takes any.
    same::<integers::Extensible<'_>>(vec![2, 1, 100]);
}

#[test]
fn strings() {
    use strings::{Country, Digits, Name};
    same::<Name<'_>>(vec![12, 2, 0xC3, 0xA4]);
    assert_eq!(refused::<Name<'_>>(vec![12, 0]).0, FaultKind::Size);
    same::<Digits<'_>>(vec![19, 3, b'1', b' ', b'2']);
    assert_eq!(refused::<Digits<'_>>(vec![19, 1, b'a']).0, FaultKind::Value);
    assert_eq!(refused::<Country<'_>>(vec![19, 3, b'A', b'B', b'C']).0, FaultKind::Size);
}

#[test]
fn bit_strings() {
    use bits::{KeyUsage, Uses};
    let usage: KeyUsage<'_> = same(vec![3, 3, 6, 0x82, 0x40]);
    assert!(usage.digital_signature() && usage.crl_sign() && usage.r#type() && !usage.key_cert_sign());
    let uses: Uses<'_> = same(tlv(0x30, &[&[0x81, 5, 0, 0, 0, 0, 1]]));
    assert!(uses.usage.digital_signature() && uses.usage.crl_sign() && !uses.usage.r#type());
    assert_eq!(uses.plain, BitStr::new(&[0xA0], 5).unwrap());
}

#[test]
fn lists() {
    use lists::{All, Chain, Nested, Points, Ports, Tree};
    let points: Points<'_> = same(tlv(0x30, &[&tlv(0x30, &[&[0x80, 1, 1], &[0x81, 1, 2]])]));
    assert_eq!(points.iter().next().unwrap().unwrap().x, Int::from_signed(&[1]));
    assert_eq!(refused::<Ports<'_>>(vec![0x31, 3, 2, 1, 0]).0, FaultKind::Value);
    let leaf = |name: u8| tlv(0x30, &[&[0x80, 1, name], &[0xA1, 0]]);
    let tree: Tree<'_> = same(tlv(0x30, &[&[0x80, 1, b'r'], &tlv(0xA1, &[&leaf(b'a'), &leaf(b'b')])]));
    assert_eq!(tree.children.len(), 2);
    same::<Nested<'_>>(tlv(0x30, &[&[0x30, 0], &tlv(0x30, &[&[0x30, 0]])]));
    let chain: Chain<'_> = same(tlv(0x30, &[&[0x80, 1, 1], &tlv(0xA1, &[&[0x80, 1, 2]])]));
    assert_eq!(chain.tail.unwrap().head, Int::from_signed(&[2]));
    let all: All<'_> = same(tlv(0x30, &[&[0xA1, 0], &[0xA2, 0]]));
    assert!(all.names.is_empty() && all.short.is_none());
    let many = tlv(0x30, &[&tlv(0xA1, &[&[1, 1, 0], &[1, 1, 0], &[1, 1, 0], &[1, 1, 0]]), &[0xA2, 0]]);
    assert_eq!(refused::<All<'_>>(many), (FaultKind::Size, "few".to_owned()));
}

#[test]
fn extension_additions() {
    use extensions::{First, Second};
    let first: First<'_> = same(tlv(0x30, &[&[0x80, 1, 1], &[0x81, 0]]));
    assert_eq!(first.additions.iter().count(), 1);
    // The root is id [0] and last [1]; the additions follow: name [2], street [3], number [4].
    let full = [&[0x80, 1, 1][..], &[0x82, 1, b'n'], &[0x83, 1, b's'], &[0x84, 1, 7], &[0x81, 1, 0xFF]].concat();
    let second: Second<'_> = same(tlv(0x30, &[&full]));
    assert_eq!(second.name, Some(Utf8::new("n")));
    assert_eq!(second.group_2.unwrap().number, Some(7));
    let old: Second<'_> = same(tlv(0x30, &[&[0x80, 1, 1], &[0x81, 1, 0]]));
    assert!(old.name.is_none() && old.group_2.is_none());
}

#[test]
fn open_types() {
    use open_types::{Attribute, Attributes, CertExtensions, Extension, Message, Messages};
    let skip = tlv(0x30, &[&[6, 3, 0x55, 0x1D, 54], &tlv(4, &[&int(3)])]);
    let extension: Extension<'_> = same(skip);
    assert!(matches!(extension.extn_value.get().unwrap(), CertExtensions::ExtInhibitAnyPolicy(_)));
    // What is known is checked, at once.
    let bad = tlv(0x30, &[&[6, 3, 0x55, 0x1D, 54], &tlv(4, &[&int(0x80)])]);
    assert_eq!(refused::<Extension<'_>>(bad).0, FaultKind::Value);
    let long = tlv(0x30, &[&[6, 3, 0x55, 0x1D, 14], &tlv(4, &[&[4, 0]])]);
    assert_eq!(refused::<Extension<'_>>(long).0, FaultKind::Size);
    let unknown: Extension<'_> = same(tlv(0x30, &[&[6, 2, 0x55, 1], &[4, 1, 0xFF]]));
    assert!(matches!(unknown.extn_value.get().unwrap(), CertExtensions::Unknown(_)));
    let attribute: Attribute<'_> = same(tlv(0x30, &[&[6, 3, 0x55, 0x1D, 19], &tlv(0xA0, &[&[0x30, 0]])]));
    assert!(matches!(attribute.value.unwrap().get().unwrap(), CertExtensions::ExtBasic(basic) if !basic.ca));
    let attributes: Attributes<'_> = same(tlv(0x30, &[&[6, 3, 0x55, 0x1D, 54], &tlv(0x31, &[&int(1), &int(2)])]));
    assert_eq!(attributes.values.len(), 2);
    for value in attributes.values.iter() {
        assert!(matches!(value.unwrap().get().unwrap(), CertExtensions::ExtInhibitAnyPolicy(_)));
    }
    let bad = tlv(0x30, &[&[6, 3, 0x55, 0x1D, 54], &tlv(0x31, &[&int(1), &int(0x80)])]);
    assert_eq!(refused::<Attributes<'_>>(bad), (FaultKind::Value, "values[1]".to_owned()));
    let order = tlv(0x30, &[&[6, 3, 0x55, 0x1D, 54], &tlv(0x31, &[&int(2), &int(1)])]);
    assert_eq!(refused::<Attributes<'_>>(order).0, FaultKind::SetOfOrder);
    same::<Attributes<'_>>(tlv(0x30, &[&[6, 2, 0x55, 1], &tlv(0x31, &[&[4, 1, 0xFF], &tlv(0x30, &[&int(2)])])]));
    let message: Message<'_> = same(tlv(0x30, &[&int(2), &[12, 1, b'x']]));
    assert!(matches!(message.body.get().unwrap(), Messages::Object2(text) if text.as_str() == "x"));
}

#[test]
fn old_any() {
    use old_any::{AlgorithmIdentifier, Wrapped};
    let algorithm: AlgorithmIdentifier<'_> = same(tlv(0x30, &[&[6, 1, 0x2A], &[5, 0]]));
    assert!(algorithm.parameters.is_some());
    same::<Wrapped<'_>>(tlv(0xA0, &[&[5, 0]]));
}

#[test]
fn parameters() {
    use parameters::Order;
    // What a parameter stands for is tagged EXPLICIT (X.680 §31.2.7), so that all its instances have one form.
    let price = tlv(0xA2, &[&tlv(0xA0, &[&int(9)]), &[0x81, 1, 0]]);
    let bounded = tlv(0xA0, &[&[1, 1, 0]]);
    let content = |flags: &[u8]| tlv(0xA0, &[&tlv(0x30, &[flags, &tlv(0xA1, &[&[1, 1, 0]]), &price])]);
    let order: Order<'_> = same(tlv(0x30, &[&content(&bounded), &[0x81, 1, 0]]));
    assert!(format!("{order:?}").contains("price"));
    assert_eq!(refused::<Order<'_>>(tlv(0x30, &[&content(&[0xA0, 0]), &[0x81, 1, 0]])).0, FaultKind::Size);
}

/// What no range, size or alphabet says is judged all the same, when read and when written.
#[test]
fn constraints_of_every_sort() {
    use constraints::{Code, Date, Either, Few, Half, Huge, Key, Narrow, Point, Short, Uses, Warm, Word, Yes};
    same::<Code<'_>>(b"\x16\x01Z".to_vec());
    for wrong in [&b"\x16\x02ZZ"[..], b"\x16\x03abc"] {
        assert_eq!(refused::<Code<'_>>(wrong.to_vec()).0, FaultKind::Value);
    }
    same::<Date<'_>>(b"\x1A\x0A2026-11-21".to_vec());
    assert_eq!(refused::<Date<'_>>(b"\x1A\x0A2026-11-2x".to_vec()).0, FaultKind::Value);
    same::<Word<'_>>(b"\x1B\x02ab".to_vec());
    assert_eq!(refused::<Word<'_>>(b"\x1B\x00".to_vec()).0, FaultKind::Value);
    same::<Half<'_>>(vec![9, 3, 0x80, 0xFF, 3]);
    assert_eq!(refused::<Half<'_>>(vec![9, 3, 0xC0, 0xFF, 1]).0, FaultKind::Value);
    let huge = |last: u8| [&[2, 17, 1][..], &[0; 15], &[last]].concat();
    same::<Huge<'_>>(huge(0));
    assert_eq!(refused::<Huge<'_>>(huge(1)).0, FaultKind::Value);
    same::<Key<'_>>(vec![6, 2, 0x2A, 4]);
    assert_eq!(refused::<Key<'_>>(vec![6, 2, 0x2A, 5]).0, FaultKind::Value);
    assert_eq!(refused::<Yes>(vec![1, 1, 0]).0, FaultKind::Value);
    assert_eq!(refused::<Warm>(vec![10, 1, 1]).0, FaultKind::Value);
    same::<Few<'_>>(vec![3, 1, 0]);
    assert_eq!(refused::<Few<'_>>(vec![3, 2, 4, 0x10]).0, FaultKind::Size);
    same::<Point<'_>>(tlv(0x30, &[&int(5)]));
    assert_eq!(refused::<Point<'_>>(vec![0x30, 0]).0, FaultKind::Value);
    same::<Narrow<'_>>(tlv(0x30, &[&int(5), &[0x80, 1, 3]]));
    assert_eq!(refused::<Narrow<'_>>(tlv(0x30, &[&int(5)])).0, FaultKind::Value);
    assert_eq!(refused::<Either<'_>>(vec![1, 1, 0]).0, FaultKind::Value);
    same::<Short<'_>>(tlv(0x30, &[&[12, 1, b'x']]));
    assert_eq!(refused::<Short<'_>>(tlv(0x30, &[&[12, 0]])).0, FaultKind::Size);
    let uses = |more: &[u8]| {
        let rest = [&[10, 1, 1][..], &tlv(0xA0, &[&int(5)]), more].concat();
        [&[0xFF, 99, u8::try_from(rest.len()).unwrap()], &rest[..]].concat()
    };
    same::<Uses<'_>>(uses(&[0x82, 3, 2, 1, 5]));
    assert_eq!(refused::<Uses<'_>>(uses(&[0x82, 6, 2, 4, 1, 2, 3, 4])), (FaultKind::Size, "boxed".to_owned()));
    same::<Uses<'_>>(uses(&[0x83, 7, 0x30, 0x80, 12, 1, b'a', 0, 0]));
    assert_eq!(refused::<Uses<'_>>(uses(&[0x83, 2, 0x31, 0])).1, "ber");
    same::<Uses<'_>>(uses(&[0x85, 1, b'y']));
    assert_eq!(refused::<Uses<'_>>(uses(b"\xA7\x0A\x0E\x0812:30:00")).0, FaultKind::Value);
}

#[test]
fn contained() {
    use containing::{Inner, Outer};
    let inner = tlv(0x30, &[&[0x80, 1, 7]]);
    let outer: Outer<'_> = same(tlv(
        0x30,
        &[&tlv(0x80, &[&inner]), &tlv(0x81, &[&[0], &inner]), &tlv(0xA2, &[&tlv(4, &[&inner])]), &[0x83, 1, 0xFF]],
    ));
    assert_eq!(outer.octets, Inner { number: Int::from_signed(&[7]) });
    same::<containing::Named<'_>>(tlv(4, &[&inner]));
}

#[test]
fn constants() {
    use values::{
        GREEN, HUGE, ID_KP_OCSP_SIGNING, MOTTO, NEGATIVE, ORIGIN, PATTERN, Point, SALT, SECOND, SOME, UB_NAME, Version,
        YES, ZEROS,
    };
    assert_eq!(ID_KP_OCSP_SIGNING, oid!("1.3.6.1.5.5.7.3.9"));
    assert_eq!((UB_NAME, NEGATIVE, HUGE, YES), (32768, -5, i128::MAX, true));
    assert_eq!((SALT.as_bytes(), MOTTO), (&[1, 0x23, 0xAB][..], "well \"said\""));
    assert_eq!((PATTERN.bit_len(), SECOND, GREEN), (5, Version::V2, values::Colour::Green));
    assert_eq!(ORIGIN, Point { x: 0, y: -1, z: false });
    assert_eq!(ZEROS.len(), 2);
    assert!(matches!(SOME, values::Either::Number(3)));
}

#[test]
fn taken_names() {
    use names::{FooBar, FooBar2, OptionType, ParentChild, Unit};
    same::<FooBar2>(tlv(0x30, &[&[0x80, 0]]));
    let foo: FooBar<'_> =
        same(tlv(0x30, &[&[0x80, 1, 1], &[0x81, 1, 2], &[0x82, 0], &[0x83, 1, 0], &[0x84, 1, 0xFF], &[0x85, 0]]));
    assert!(foo.ab == Int::from_signed(&[2]) && foo.additions && foo.additions2.iter().count() == 1);
    same::<OptionType<'_>>(tlv(0x30, &[&tlv(0xA0, &[&[0x80, 1, 0x2A]]), &[0x81, 1, 0], &tlv(0xA2, &[&[0x80, 1, 1]])]));
    same::<ParentChild>(vec![5, 0]);
    assert_eq!(same::<Unit>(vec![10, 1, 5]), Unit::Unknown2(5));
}

#[test]
fn modules_import_from_each_other() {
    use modules::base::Name;
    use modules::more_types::{ID_MORE, Person};
    let person: Person<'_> = same(tlv(
        0x30,
        &[
            &tlv(0xA0, &[&[5, 0]]),
            &[0x81, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            &[0x82, 1, 0],
            &[0x30, 0],
            &int(1),
        ],
    ));
    assert!(matches!(person.name, Name::None) && person.keys.is_empty());
    assert_eq!(ID_MORE, oid!("1.3.9999.1.1"));
}

#[test]
fn overlays() {
    use overlay::{Certificate, TbsCertificate, Version};
    let tbs = tlv(0x30, &[&[0xA0, 3, 2, 1, 2], &[0x30, 0], &tlv(0xA5, &[&[4, 0]]), &int(9), &[1, 1, 0xFF]]);
    let certificate: Certificate<'_> = same(tlv(0x30, &[&tbs, &[3, 1, 0]]));
    assert_eq!(certificate.tbs_certificate.as_bytes(), tbs);
    let inner: &TbsCertificate<'_> = &certificate.tbs_certificate;
    assert_eq!((inner.version, inner.serial, inner.policy), (Version::V3, 9, true));
    assert!(inner.holder.get().unwrap().is_empty() && inner.payload.is_some());
}

/// What is secret is not printed, by the table or by `Debug`.
#[test]
fn secrets() {
    let key: overlay::PrivateKey<'_> = same(tlv(0x30, &[&[4, 3, 0xAB, 0xCD, 0xEF]]));
    assert_eq!(format!("{key:?}"), "PrivateKey(…)");
}

#[test]
fn what_is_required_makes_a_value() {
    let place = sequence::TicketPlace { x: 1, y: 2 };
    let kind = tagwise_codec::OctetStr::new(b"t");
    let ticket = sequence::Ticket::new(Int::from_signed(&[9]), kind, place, tagwise_codec::Null);
    assert_eq!((ticket.version, ticket.urgent, ticket.dns_name), (sequence::Version::V1, false, None));
    assert_eq!(sequence::Ticket::from_der(&encode(&ticket).unwrap()).unwrap(), ticket);
    let count = integers::Count::try_from(1000).unwrap();
    assert_eq!(u16::from(count), 1000);
    assert_eq!(integers::Count::try_from(0).unwrap_err().kind(), FaultKind::Value);
}
