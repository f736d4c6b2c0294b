//! Paths found in a certificate and in small awkward types, all by tables written out by hand.

mod certificate;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::components::Tables;
use super::locate::{path_at, place};
use super::secrets::reaches_secret;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Registered;
use crate::rule::Rule;
use crate::table::*;
use crate::tag::Tag;
use crate::{Excerpt, Null, oid};
use certificate::*;

/// The path for a fault of a kind.
fn path(ty: TypeRef, input: &[u8], kind: FaultKind, offset: usize) -> String {
    place(Tables::default(), get(ty)(), input, Fault::new(kind, offset), offset).path
}

#[test]
fn paths_in_a_certificate() {
    let input = certificate();
    let mut paths: Vec<String> = Vec::new();
    for offset in 0..input.len() {
        let path = path_at(get(CERTIFICATE)(), &input, offset);
        if paths.last() != Some(&path) {
            paths.push(path);
        }
    }
    let expected = "
        |tbsCertificate|tbsCertificate.version|tbsCertificate.serialNumber|tbsCertificate.signature
        |tbsCertificate.signature.algorithm|tbsCertificate.signature.parameters|tbsCertificate.issuer
        |tbsCertificate.issuer.rdnSequence[0]|tbsCertificate.issuer.rdnSequence[0][0]
        |tbsCertificate.issuer.rdnSequence[0][0].type|tbsCertificate.issuer.rdnSequence[0][0].value
        |tbsCertificate.validity|tbsCertificate.validity.notBefore|tbsCertificate.validity.notAfter
        |tbsCertificate.subject|tbsCertificate.subject.rdnSequence[0]|tbsCertificate.subject.rdnSequence[0][0]
        |tbsCertificate.subject.rdnSequence[0][0].type|tbsCertificate.subject.rdnSequence[0][0].value
        |tbsCertificate.subjectPublicKeyInfo|tbsCertificate.subjectPublicKeyInfo.algorithm
        |tbsCertificate.subjectPublicKeyInfo.algorithm.algorithm
        |tbsCertificate.subjectPublicKeyInfo.algorithm.parameters
        |tbsCertificate.subjectPublicKeyInfo.subjectPublicKey|tbsCertificate.issuerUniqueID
        |tbsCertificate.extensions
        |tbsCertificate.extensions[0]|tbsCertificate.extensions[0].extnID|tbsCertificate.extensions[0].critical
        |tbsCertificate.extensions[0].extnValue|tbsCertificate.extensions[0].extnValue.cA
        |tbsCertificate.extensions[0].extnValue.pathLenConstraint
        |tbsCertificate.extensions[1]|tbsCertificate.extensions[1].extnID|tbsCertificate.extensions[1].extnValue
        |tbsCertificate.extensions[1].extnValue[0]|tbsCertificate.extensions[1].extnValue[1]
        |tbsCertificate.extensions[1].extnValue[1].directoryName
        |tbsCertificate.extensions[1].extnValue[1].directoryName.rdnSequence[0]
        |tbsCertificate.extensions[1].extnValue[1].directoryName.rdnSequence[0][0]
        |tbsCertificate.extensions[1].extnValue[1].directoryName.rdnSequence[0][0].type
        |tbsCertificate.extensions[1].extnValue[1].directoryName.rdnSequence[0][0].value
        |tbsCertificate.extensions[2]|tbsCertificate.extensions[2].extnID|tbsCertificate.extensions[2].extnValue
        |signatureAlgorithm|signatureAlgorithm.algorithm|signatureAlgorithm.parameters|signature";
    let expected: Vec<&str> = expected.split('|').map(str::trim).skip(1).collect();
    assert_eq!(paths.first().map(String::as_str), Some(""));
    assert_eq!(paths[1..], expected);
}

#[test]
fn faults_in_a_certificate() {
    let input = certificate();
    let month = find(&input, b"20501301") + 4;
    assert_eq!(path(CERTIFICATE, &input, FaultKind::TimeMonth, month), "tbsCertificate.validity.notAfter");
    // A time that is too short ends where its neighbour starts; the fault is the time's.
    let cut = find(&input, b"250101000000Z") + 13;
    assert_eq!(path(CERTIFICATE, &input, FaultKind::TimeSyntax, cut), "tbsCertificate.validity.notBefore");
    assert_eq!(path(CERTIFICATE, &input, FaultKind::UnexpectedTag, cut), "tbsCertificate.validity.notAfter");
    // Nothing is missing there, but if it were, it would be the second time.
    let validity = find(&input, b"250101000000Z") - 4;
    let mut short = input[validity..validity + 17].to_vec();
    short[1] = 15;
    assert_eq!(path(VALIDITY, &short, FaultKind::Missing, 17), "notAfter");
    assert_eq!(path(VALIDITY, &[0x30, 0], FaultKind::Missing, 2), "notBefore");
    assert_eq!(path(VALIDITY, &[], FaultKind::Missing, 0), "");
    // The end of the input is after the last component.
    assert_eq!(path(CERTIFICATE, &input, FaultKind::TrailingData, input.len()), "");
    let mut longer = input.clone();
    longer.push(0);
    assert_eq!(path(CERTIFICATE, &longer, FaultKind::TrailingData, input.len()), "");
}

#[test]
fn what_is_missing_is_named() {
    // The outer value ends where the inner one does: the inner lacks nothing, the outer one does.
    let tbs = el(0x30, &[&el(2, &[&[1]]), &algorithm()]);
    assert_eq!(path(TBS, &tbs, FaultKind::Missing, tbs.len()), "issuer");
    let input = el(0x30, &[&el(2, &[&[1]]), &el(0x30, &[])]);
    assert_eq!(path(TBS, &input, FaultKind::Missing, input.len()), "signature.algorithm");
    // An explicit tag around nothing, an OCTET STRING that contains nothing.
    let input = el(0x30, &[&el(0xA0, &[])]);
    assert_eq!(path(TBS, &input, FaultKind::Missing, input.len()), "version");
    let input = extension(0x13, &[], &[]);
    assert_eq!(path(EXTENSION, &input, FaultKind::Missing, input.len()), "extnValue");
    // An empty issuer in the middle of things.
    let input = el(0x30, &[&el(2, &[&[1]]), &algorithm(), &el(0x30, &[&el(0x31, &[&el(0x30, &[])])]), &[5, 0]]);
    assert_eq!(path(TBS, &input, FaultKind::Missing, input.len() - 2), "issuer.rdnSequence[0][0].type");
}

#[test]
fn what_is_cut_is_named() {
    let whole = el(0x30, &[&el(2, &[&[1]]), &algorithm()]);
    // After the identifier of `signature`.
    let mut cut = whole[..6].to_vec();
    cut[1] = 4;
    assert_eq!(path(TBS, &cut, FaultKind::Truncated, 6), "signature");
    // Inside a length, inside a high tag.
    assert_eq!(path(TBS, &[0x30, 0x82, 1], FaultKind::Truncated, 3), "");
    assert_eq!(path(TBS, &[0x30, 4, 2, 1, 1, 0x3F], FaultKind::Truncated, 6), "signature");
    assert_eq!(path(TBS, &[0x30, 5, 2, 1, 1, 0x3F, 0x82], FaultKind::Truncated, 7), "signature");
    // A length that runs over: the offset is that of the length.
    assert_eq!(path(TBS, &[0x30, 5, 2, 1, 1, 0x30, 9], FaultKind::LengthOverrun, 6), "signature");
    for form in [[0x80, 0], [0xFF, 0], [0x81, 1]] {
        assert_eq!(path(TBS, &[0x30, 6, 2, 1, 1, 0x30, form[0], form[1]], FaultKind::LengthIndefinite, 6), "signature");
    }
}

#[test]
fn what_is_too_much_belongs_to_its_container() {
    let input = el(0x30, &[&el(6, &[&[0x55]]), &[5, 0], &[2, 1, 1]]);
    assert_eq!(path(ALGORITHM, &input, FaultKind::TrailingData, 7), "");
    let nested = el(0x30, &[&el(2, &[&[1]]), &input]);
    assert_eq!(path(TBS, &nested, FaultKind::TrailingData, 12), "signature");
    let version = el(0x30, &[&el(0xA0, &[&[2, 1, 2], &[2, 1, 2]])]);
    assert_eq!(path(TBS, &version, FaultKind::TrailingData, 7), "version");
    let contained = extension(0x13, &[], &[0x30, 0, 0x30, 0]);
    assert_eq!(path(EXTENSION, &contained, FaultKind::TrailingData, 11), "extnValue");
}

#[test]
fn wrong_tags_name_what_should_be_there() {
    // `serialNumber` is a NULL; `version` was optional.
    let input = el(0x30, &[&[5, 0], &algorithm()]);
    assert_eq!(path(TBS, &input, FaultKind::UnexpectedTag, 2), "serialNumber");
    // What follows a wrong element is still found.
    assert_eq!(path_at(get(TBS)(), &input, 6), "signature.algorithm");
    // `serialNumber` is left out.
    let input = el(0x30, &[&algorithm(), &name(b"issuer")]);
    assert_eq!(path(TBS, &input, FaultKind::UnexpectedTag, 2), "serialNumber");
    let attribute = find(&input, b"issuer");
    assert_eq!(path_at(get(TBS)(), &input, attribute), "issuer.rdnSequence[0][0].value");
    // No alternative of the CHOICE.
    let validity = el(0x30, &[&[5, 0]]);
    assert_eq!(path(VALIDITY, &validity, FaultKind::ChoiceUnknown, 2), "notBefore");
    assert_eq!(path(GENERAL_NAMES, &[0x30, 2, 0x85, 0], FaultKind::ChoiceUnknown, 2), "[0]");
}

#[test]
fn a_fault_at_the_end_of_content_is_not_the_neighbours() {
    // An empty BOOLEAN in front of an INTEGER: its content starts and ends where the INTEGER starts.
    let input = [0x30, 5, 1, 0, 2, 1, 5];
    assert_eq!(path(BASIC_CONSTRAINTS, &input, FaultKind::BooleanLength, 4), "cA");
    assert_eq!(path(BASIC_CONSTRAINTS, &input, FaultKind::DefaultEncoded, 4), "pathLenConstraint");
    // An OID that does not end, last in its SEQUENCE.
    let input = el(0x30, &[&el(2, &[&[1]]), &el(0x30, &[&el(6, &[&[0x55, 0x84]])]), &name(b"i")]);
    assert_eq!(path(TBS, &input, FaultKind::OidTruncated, 11), "signature.algorithm");
    // Too deep: the value that may not be entered, not its first component.
    assert_eq!(path(TBS, &input, FaultKind::DepthExceeded, 7), "signature");
    assert_eq!(path(TBS, &input, FaultKind::DepthExceeded, 2), "");
}

#[test]
fn rules_and_secrets_are_collected_along_the_path() {
    let input = certificate();
    let rules = |offset| {
        let place =
            place(Tables::default(), get(CERTIFICATE)(), &input, Fault::new(FaultKind::Profile, offset), offset);
        place.rules.iter().map(|rule| rule.name).collect::<Vec<_>>()
    };
    let serial = find(&input, &[2, 2, 0x35]);
    assert_eq!(rules(serial), ["frame", "serial"]);
    assert_eq!(rules(serial + 4), ["frame"]);
    assert_eq!(rules(input.len() - 1), [""; 0]);
    assert!(!reaches_secret(get(CERTIFICATE)(), None));
}

#[test]
fn checks_of_whole_values_are_found_at_either_start() {
    let held =
        |input: &[u8], fault: Fault| place(Tables::default(), get(CERTIFICATE)(), input, fault, fault.offset()).path;
    let rule = |rule: &Rule, offset| Fault::new(FaultKind::Profile, offset).with_detail(rule.id());
    let input = certificate();
    // The content of the certificate's first component starts where its own first component does.
    assert_eq!(input[4..9], [0x30, 0x82, input[6], input[7], 0xA0]);
    assert_eq!(held(&input, rule(&FRAME_RULE, 8)), "tbsCertificate");
    assert_eq!(held(&input, rule(&FRAME_RULE, 4)), "tbsCertificate");
    let serial = find(&input, &[2, 2, 0x35]);
    assert_eq!(held(&input, rule(&SERIAL_RULE, serial)), "tbsCertificate.serialNumber");
    assert_eq!(held(&input, rule(&SERIAL_RULE, serial + 2)), "tbsCertificate.serialNumber");
    // A rule that no type has.
    assert_eq!(held(&input, Fault::new(FaultKind::Profile, 8).with_detail(63)), "tbsCertificate.version");
    // An empty list, at whose content its parent ends and its parent's neighbour starts.
    let validity = el(0x30, &[&el(0x17, &[b"250101000000Z"]), &el(0x17, &[b"260101000000Z"])]);
    let key = el(0x30, &[&algorithm(), &[3, 1, 0]]);
    let (algorithm, name, extensions) = (algorithm(), name(b"me"), el(0xA3, &[&[0x30, 0]]));
    let tbs = el(0x30, &[&[2, 1, 1], &algorithm, &name, &validity, &name, &key, &extensions]);
    let empty = el(0x30, &[&tbs, &algorithm]);
    let size = Fault::new(FaultKind::Size, find(&empty, &extensions) + 4);
    assert_eq!(held(&empty, size), "tbsCertificate.extensions");
    assert_eq!(held(&empty, Fault::new(FaultKind::UnexpectedTag, size.offset())), "signatureAlgorithm");
}

ty!(SECRET_OCTETS, Type::new("Secret", Some(Tag::OCTET_STRING), Shape::OctetString).secret());
ty!(
    KEY,
    sequence(
        "PrivateKeyInfo",
        const {
            &[
                Field::new("version", INTEGER),
                Field::new("privateKey", OCTETS).secret(),
                Field::new("comment", UTF8).presence(Presence::Optional),
            ]
        }
    )
);
ty!(KEYS, Type::new("Keys", Some(Tag::SEQUENCE), Shape::SequenceOf(KEY)));
fn contents() -> &'static ObjectSet {
    const {
        &ObjectSet {
            name: Text::Const("Contents"),
            objects: List::Const(const { &[object("key", &[1], KEY), object("certificate", &[2], CERTIFICATE)] }),
            extensible: true,
        }
    }
}
ty!(
    CONTENT,
    Type::new("Content", None, Shape::Open { set: Some(SetRef::Const(contents)), selector: Text::Const("type") })
);
ty!(CONTAINER, sequence("Container", const { &[Field::new("type", INTEGER), Field::new("content", CONTENT)] }));
ty!(WRAPPED, Type::new("Wrapped", None, Shape::Named(SECRET_OCTETS)));

#[test]
fn what_a_container_could_hold_but_does_not_is_no_secret() {
    let excerpt = |input: &[u8], offset| Excerpt::of(get(CONTAINER)(), input, offset).to_string();
    let certificate = el(0x30, &[&[2, 1, 2], &el(0x30, &[&el(0x30, &[&[2, 1, 1]])])]);
    assert!(excerpt(&certificate, 10).contains("[01]"));
    // But as long as the type of the content is not known, it may be a key.
    assert!(excerpt(&certificate, 4).contains("[--]"));
    let key = el(0x30, &[&[2, 1, 1], &el(0x30, &[&[2, 1, 0], &[4, 1, 0xAA]])]);
    assert!((5..12).all(|offset| excerpt(&key, offset).contains("[--]")));
}

#[test]
fn secrets_are_not_shown() {
    let key = el(0x30, &[&[2, 1, 0], &el(4, &[b"KEY"]), &el(12, &[b"hi"])]);
    let secret = |ty, offset| {
        place(Tables::default(), get(ty)(), &key, Fault::new(FaultKind::DefaultEncoded, offset), offset).secret
    };
    assert!(!secret(KEY, 2) && secret(KEY, 5) && secret(KEY, 9) && !secret(KEY, 10));
    assert!(reaches_secret(get(KEYS)(), None) && reaches_secret(get(WRAPPED)(), None));
    // Nothing of the structure that holds the key is shown: a wrong length may have put the key into another component.
    let hidden = |ty, input: &[u8], offset| {
        let shown = Excerpt::of(get(ty)(), input, offset).to_string();
        assert!(shown.contains("--") || input.is_empty());
        !shown.split_once(": ").unwrap().1.contains(|digit: char| digit.is_ascii_hexdigit())
    };
    let twice = [key.clone(), key.clone()].concat();
    for offset in 0..=key.len() {
        assert!(hidden(KEY, &key, offset));
        assert!(hidden(KEY, &twice, offset + key.len()));
        assert!(hidden(KEYS, &el(0x30, &[&twice]), offset));
    }
    let wrong = el(0x30, &[&[2, 1, 0], &el(3, &[b"KEY"])]);
    assert!(hidden(KEY, &wrong, 5) && hidden(WRAPPED, &[4, 1, 7], 2));
    assert_eq!(Excerpt::new(&key, 5).redacted().to_string(), "000000: -- -- -- -- -- [--] -- -- -- -- -- -- -- …");
}

const fn marked(name: &'static str, list: &'static [Field], start: u32, end: u32) -> Type {
    let fields = Fields { list: List::Const(list), marker: Some(Marker { start, end }) };
    Type::new(name, Some(Tag::SEQUENCE), Shape::Sequence(fields))
}

// Extensible ::= SEQUENCE { a INTEGER, ..., [[ b BOOLEAN, c INTEGER ]], d NULL, ..., e OCTET STRING }
ty!(
    EXTENSIBLE,
    marked(
        "Extensible",
        const {
            &[
                Field::new("a", INTEGER),
                Field::new("b", BOOLEAN).grouped(2),
                Field::new("c", INTEGER).grouped(2),
                Field::new("d", TypeRef::of::<Null>()),
                Field::new("e", OCTETS),
            ]
        },
        1,
        4
    )
);

#[test]
fn extension_additions_may_be_absent_or_unknown() {
    let path = |parts: &[&[u8]], kind, offset| path(EXTENSIBLE, &el(0x30, parts), kind, offset);
    let [a, b, c, d, e]: [&[u8]; 5] = [&[2, 1, 1], &[1, 1, 0], &[2, 1, 2], &[5, 0], &[4, 0]];
    assert_eq!(path(&[a, e], FaultKind::DefaultEncoded, 5), "e");
    assert_eq!(path(&[a, d, e], FaultKind::DefaultEncoded, 5), "d");
    assert_eq!(path(&[a, b, c, d, e], FaultKind::DefaultEncoded, 8), "c");
    assert_eq!(path(&[a], FaultKind::Missing, 5), "e");
    // Once a group has begun, it is whole.
    assert_eq!(path(&[a, b], FaultKind::Missing, 8), "c");
    assert_eq!(path(&[a, b, d], FaultKind::UnexpectedTag, 8), "c");
    // Unknown additions have no name, what follows them has.
    assert_eq!(path(&[a, &[0x85, 0], e], FaultKind::DefaultEncoded, 5), "");
    assert_eq!(path(&[a, &[0x85, 0], e], FaultKind::DefaultEncoded, 7), "e");
    assert_eq!(path(&[a, e, e], FaultKind::TrailingData, 7), "");
}

// Set ::= SET { x [0] INTEGER, y [1] EXPLICIT Open (selected by key), key INTEGER OPTIONAL }
fn by_number() -> &'static ObjectSet {
    const {
        &ObjectSet {
            name: Text::Const("ByNumber"),
            objects: List::Const(const { &[object("names", &[7], GENERAL_NAMES)] }),
            extensible: true,
        }
    }
}
ty!(
    BY_NUMBER,
    Type::new("ByNumber", None, Shape::Open { set: Some(SetRef::Const(by_number)), selector: Text::Const("@.key") })
);
ty!(
    SET,
    Type::new(
        "Set",
        Some(Tag::SET),
        Shape::Set(Fields {
            list: List::Const(
                const {
                    &[
                        Field::new("x", INTEGER).tagged(List::Const(const { &[implicit(0)] })),
                        Field::new("y", BY_NUMBER).tagged(List::Const(const { &[explicit(1)] })),
                        Field::new("key", INTEGER).presence(Presence::Optional),
                    ]
                }
            ),
            marker: None,
        })
    )
);

#[test]
fn sets_take_their_components_in_any_order() {
    let names = el(0xA1, &[&el(0x30, &[&el(0x82, &[b"a"]), &el(0x82, &[b"b"])])]);
    let input = el(0x31, &[&el(2, &[&[7]]), &el(0x80, &[&[1]]), &names]);
    assert_eq!(path_at(get(SET)(), &input, 2), "key");
    assert_eq!(path_at(get(SET)(), &input, 5), "x");
    assert_eq!(path_at(get(SET)(), &input, 8), "y");
    assert_eq!(path_at(get(SET)(), &input, input.len() - 1), "y[1]");
    // The selecting component stands last.
    let input = el(0x31, &[&names, &el(0x80, &[&[1]]), &el(2, &[&[7]])]);
    assert_eq!(path_at(get(SET)(), &input, 6), "y[0]");
    assert_eq!(path(SET, &[0x31, 3, 0x80, 1, 1], FaultKind::Missing, 5), "y");
    assert_eq!(path(SET, &[0x31, 6, 0x80, 1, 1, 0x80, 1, 1], FaultKind::SetDuplicate, 5), "x");
    assert_eq!(path(SET, &[0x31, 5, 0x80, 1, 1, 5, 0], FaultKind::UnexpectedTag, 5), "");
}

#[test]
fn what_the_caller_registered_is_gone_into() {
    let input = extension(0x63, &[], &el(0x30, &[&[2, 1, 5]]));
    let entry = Registered::new("Extensions", oid!("2.5.29.99"), |r| r.skip().map(|_| ()), BASIC_CONSTRAINTS);
    let tables = Tables { schema: None, registered: &[entry] };
    assert_eq!(
        place(tables, get(EXTENSION)(), &input, Fault::new(FaultKind::DefaultEncoded, 11), 11).path,
        "extnValue.pathLenConstraint"
    );
    assert_eq!(path_at(get(EXTENSION)(), &input, 11), "extnValue");
}

#[test]
fn schemas_made_at_run_time() {
    // Node ::= SEQUENCE { next Node OPTIONAL }, by index.
    let node = Field::new("next", TypeRef::Index(0)).presence(Presence::Optional);
    let fields = Fields { list: vec![node].into(), marker: None };
    let types = vec![Type::new("Node", Some(Tag::SEQUENCE), Shape::Sequence(fields))];
    let schema = Schema { types: types.into(), sets: List::EMPTY };
    let tables = Tables { schema: Some(&schema), registered: &[] };
    let input = [0x30, 4, 0x30, 2, 0x30, 0];
    assert_eq!(place(tables, &schema.types[0], &input, Fault::new(FaultKind::DefaultEncoded, 4), 4).path, "next.next");
    assert!(!reaches_secret(&schema.types[0], Some(&schema)));
}

// Tags ::= [APPLICATION 1] EXPLICIT [2] IMPLICIT Inner, Inner ::= [3] EXPLICIT SEQUENCE OF INTEGER
ty!(INTEGERS, Type::new("Integers", Some(Tag::SEQUENCE), Shape::SequenceOf(INTEGER)));
ty!(INNER, Type::new("Inner", Some(Tag::context(3)), Shape::Tagged { tagging: explicit(3), inner: INTEGERS }));
ty!(MIDDLE, Type::new("Middle", Some(Tag::context(2)), Shape::Tagged { tagging: implicit(2), inner: INNER }));
ty!(
    TAGS,
    Type::new(
        "Tags",
        Some(Tag::application(1)),
        Shape::Tagged { tagging: Tagging { tag: Tag::application(1), explicit: true }, inner: MIDDLE }
    )
);

#[test]
fn tags_add_nothing() {
    // The [2] stands in the place of the [3], which is explicit: [APPLICATION 1], [2], SEQUENCE.
    let input = el(0x61, &[&el(0xA2, &[&el(0x30, &[&[2, 1, 1], &[2, 1, 2]])])]);
    assert_eq!(path_at(get(TAGS)(), &input, 4), "");
    assert_eq!(path_at(get(TAGS)(), &input, 6), "[0]");
    assert_eq!(path_at(get(TAGS)(), &input, 11), "[1]");
}

// Bits ::= SEQUENCE { bits BIT STRING (CONTAINING Integers), more OCTET STRING (CONTAINING Integers) }
ty!(
    CONTAINING,
    sequence(
        "Containing",
        const { &[Field::new("bits", BITS).containing(INTEGERS), Field::new("more", OCTETS).constrained(List::Const(&[])),] }
    )
);
ty!(
    CONSTRAINED,
    Type::new("Constrained", Some(Tag::OCTET_STRING), Shape::OctetString)
        .constrained(List::Const(const { &[Constraint::Containing(INTEGERS)] }))
);

#[test]
fn strings_that_contain_an_encoding() {
    let integers = el(0x30, &[&[2, 1, 1], &[2, 1, 2]]);
    let input = el(0x30, &[&el(3, &[&[0], &integers]), &[4, 0]]);
    assert_eq!(path_at(get(CONTAINING)(), &input, 4), "bits");
    assert_eq!(path_at(get(CONTAINING)(), &input, 5), "bits");
    assert_eq!(path_at(get(CONTAINING)(), &input, 7), "bits[0]");
    assert_eq!(path(CONTAINING, &input, FaultKind::BitStringUnused, 4), "bits");
    assert_eq!(path_at(get(CONSTRAINED)(), &el(4, &[&integers]), 7), "[1]");
    // Constructed strings are not gone into.
    assert_eq!(path_at(get(CONSTRAINED)(), &el(0x24, &[&el(4, &[&integers])]), 8), "");
}

#[test]
fn indefinite_lengths_are_followed() {
    // SEQUENCE { version, serial, signature SEQUENCE { OID, NULL } } with every length indefinite.
    let input = [0x30, 0x80, 0xA0, 0x80, 2, 1, 2, 0, 0, 2, 1, 1, 0x30, 0x80, 6, 1, 0x55, 5, 0, 0, 0, 0x31, 0, 0, 0];
    let path = |offset| path_at(get(TBS)(), &input, offset);
    assert_eq!((path(3), path(4), path(7)), ("version".into(), "version".into(), "version".into()));
    assert_eq!((path(9), path(13)), ("serialNumber".into(), "signature".into()));
    assert_eq!((path(14), path(17)), ("signature.algorithm".into(), "signature.parameters".into()));
    assert_eq!((path(19), path(21)), ("signature".into(), "issuer".into()));
}

// Node ::= SEQUENCE { next Node OPTIONAL }
ty!(NODE, sequence("Node", const { &[Field::new("next", NODE).presence(Presence::Optional)] }));

#[test]
fn deep_and_broken_input_takes_linear_time() {
    let definite: Vec<u8> = (0..1000u32).rev().fold(Vec::new(), |inside, _| {
        let mut out = vec![0x30, 0x84];
        out.extend((inside.len() as u32).to_be_bytes());
        out.extend(inside);
        out
    });
    let deep = path(NODE, &definite, FaultKind::DefaultEncoded, definite.len() - 1);
    assert!(deep.starts_with("next.next.") && deep.len() < 256 * 5);
    assert!(!reaches_secret(get(NODE)(), None));
    // Indefinite lengths without an end, and 200,000 elements where two are expected.
    let open = [0x30, 0x80].repeat(100_000);
    path(NODE, &open, FaultKind::DefaultEncoded, open.len() - 1);
    path(NODE, &open, FaultKind::Missing, open.len());
    let wide = el(0x30, &[&[5, 0].repeat(30_000)]);
    assert_eq!(path(VALIDITY, &wide, FaultKind::DefaultEncoded, wide.len() - 1), "");
    // Every cut and every octet of a certificate, for every way to aim.
    let input = certificate();
    for end in 0..input.len() {
        for kind in [FaultKind::Value, FaultKind::TimeDay, FaultKind::Missing] {
            path(CERTIFICATE, &input[..end], kind, end);
            let mut wrong = input.clone();
            wrong[end] = !wrong[end];
            let place = place(Tables::default(), get(CERTIFICATE)(), &wrong, Fault::new(kind, 0), input.len() - 1);
            assert!(place.path.len() < 100, "{place:?}");
        }
    }
}

#[test]
fn excerpts() {
    let input: Vec<u8> = (0..64).collect();
    let shown = |offset, marked| format!("{}", Excerpt::new(&input, offset).marking(marked));
    assert_eq!(shown(0, 1), "000000: [00] 01 02 03 04 05 06 07 …");
    assert_eq!(shown(32, 3), "000018: 18 19 1a 1b 1c 1d 1e 1f [20 21 22] 23 24 25 26 27 …");
    assert_eq!(shown(62, 9), "000036: 36 37 38 39 3a 3b 3c 3d [3e 3f]");
    assert_eq!(shown(99, 1), "000038: 38 39 3a 3b 3c 3d 3e 3f []");
    assert_eq!(Excerpt::new(&[], 0).to_string(), "000000: []");
    assert_eq!(Excerpt::new(&[5, 0], 0).at_base(0x12_3456).to_string(), "123456: [05] 00");
    assert_eq!(format!("{:?}", Excerpt::new(&[5], 0).redacted()), "Excerpt(000000: [--])");
}
