//! What is critical and not understood, or does not decode, is refused: in certificates of the path, in name constraints of every
//! form, in CRLs, OCSP responses and trust anchors. The rules that may be switched off are off, so that none of them hides a gap.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::Decode;
use tagwise_path::{Anchor, Anchors, Policy, Profile, Rule};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;
use tagwise_pkix::Certificate;

fn lenient() -> Policy {
    let mut policy = policy();
    for rule in ["conformance", "name-syntax", "constraint-syntax"] {
        policy.disable(rule).unwrap();
    }
    policy
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "CA", "ca")
}

fn ca() -> Spec {
    Spec::ca("CA", "ca", "Root", "root")
}

fn outcome(leaf: &Spec, ca: &Spec) -> Result<(), Rule> {
    outcome_by(leaf, ca, &lenient())
}

fn outcome_by(leaf: &Spec, ca: &Spec, policy: &Policy) -> Result<(), Rule> {
    let result = validate(leaf, std::slice::from_ref(ca), &anchors(&[&root()]), policy);
    result.map(|_| ()).map_err(|report| report.refusal().unwrap().rule)
}

/// Name constraints of subtrees made by hand.
fn subtrees(permitted: &[u8], excluded: &[u8]) -> Vec<u8> {
    extension(30, true, &sequence(&[permitted, excluded]))
}

/// An otherName's content: its identifier in DER and its value.
fn other_name(id: &[u8], value: &[u8]) -> Vec<u8> {
    [&element(0x06, &[id])[..], &element(0xA0, &[value])].concat()
}

fn utf8(text: &str) -> Vec<u8> {
    element(0x0C, &[text.as_bytes()])
}

const UPN: &[u8] = b"\x2B\x06\x01\x04\x01\x82\x37\x14\x02\x03";
/// `id-on` of PKIX.
const fn on(arc: u8) -> [u8; 8] {
    [0x2B, 6, 1, 5, 5, 7, 8, arc]
}

#[test]
fn every_other_name() {
    // The identifier, a base and a name that is not within.
    let cases: [(&[u8], Vec<u8>, Vec<u8>); 6] = [
        (UPN, utf8("corp.example"), utf8("eva@corp.example.org")),
        (&on(7), element(0x16, &[b"_imap.example.com"]), element(0x16, &[b"_imap.example.org"])),
        (&on(9), utf8("example.com"), utf8("\u{e9}va@example.org")),
        (&on(5), utf8("example.com"), utf8("eva@example.org")),
        (&on(8), utf8("example.com"), utf8("example.org")),
        (b"\x2A\x03\x04", utf8("a"), utf8("b")),
    ];
    for (id, base, name) in cases {
        let (base, name) = (other_name(id, &base), other_name(id, &name));
        let named = leaf().with(alt_names(&[(OTHER, &name)]));
        let permitted = outcome(&named, &ca().with(name_constraints(&[(OTHER, &base)], &[])));
        assert!(
            matches!(permitted, Err(Rule::PermittedSubtrees | Rule::UnsupportedConstraint)),
            "{id:02X?} {permitted:?}"
        );
        let excluded = outcome(&named, &ca().with(name_constraints(&[], &[(OTHER, &base)])));
        // Of the two forms that are compared, the name is outside; of the others nobody knows.
        let is_compared = id == UPN || id == on(7);
        assert_eq!(excluded, if is_compared { Ok(()) } else { Err(Rule::UnsupportedConstraint) }, "{id:02X?}");
        // Where the form is absent, the constraint constrains nothing.
        assert_eq!(outcome(&leaf(), &ca().with(name_constraints(&[(OTHER, &base)], &[]))), Ok(()), "{id:02X?}");
    }
    // RFC 9598 §6: a mailbox outside ASCII is one, under the constraints of mailboxes.
    let eva = other_name(&on(9), &utf8("\u{e9}va@example.org"));
    let named = leaf().with(alt_names(&[(OTHER, &eva)]));
    let constrained = |list: &[(u8, &[u8])]| outcome(&named, &ca().with(name_constraints(&[], list)));
    assert_eq!(constrained(&[(MAIL, b"example.org")]), Err(Rule::ExcludedSubtrees));
    assert_eq!(constrained(&[(MAIL, b"example.com")]), Ok(()));
    // Values that are no value of their kind.
    for id in [UPN, &on(7), &on(9)] {
        let bad = other_name(id, b"\x05\x00");
        let result =
            outcome(&leaf().with(alt_names(&[(OTHER, &bad)])), &ca().with(name_constraints(&[], &[(OTHER, &bad)])));
        assert!(matches!(result, Err(Rule::Malformed | Rule::UnsupportedConstraint)), "{id:02X?} {result:?}");
        let result = outcome(
            &leaf().with(alt_names(&[(OTHER, &bad)])),
            &ca().with(name_constraints(&[], &[(MAIL, b"a.example")])),
        );
        assert!(result == Err(Rule::Malformed), "{id:02X?} {result:?}");
    }
    // A domain that is compared octet by octet must be one.
    for evil in ["eva@corp.example.", "eva", "eva@corp..example"] {
        let (name, base) = (other_name(UPN, &utf8(evil)), other_name(UPN, &utf8("corp.example")));
        let result =
            outcome(&leaf().with(alt_names(&[(OTHER, &name)])), &ca().with(name_constraints(&[], &[(OTHER, &base)])));
        assert_eq!(result, Err(Rule::UnsupportedConstraint), "{evil}");
    }
}

#[test]
fn forms_that_are_not_compared() {
    // x400Address, ediPartyName, registeredID.
    let party = element(0xA1, &[&utf8("party")]);
    for (tag, content) in [(0xA5, party.as_slice()), (RID, b"\x2A\x03")] {
        let named = leaf().with(alt_names(&[(tag, content)]));
        for list in [name_constraints(&[(tag, content)], &[]), name_constraints(&[], &[(tag, content)])] {
            assert_eq!(outcome(&named, &ca().with(list.clone())), Err(Rule::UnsupportedConstraint), "{tag:02X}");
            assert_eq!(outcome(&leaf(), &ca().with(list)), Ok(()), "{tag:02X}");
        }
    }
}

#[test]
fn subtrees_that_are_none() {
    let dns = |more: &[u8]| element(0xA1, &[&sequence(&[&element(DNS, &[b"example.com"]), more])]);
    // The leaf is outside, so that a constraint that is not applied would let it pass.
    assert_eq!(outcome(&leaf(), &ca().with(subtrees(&[], &dns(&[])))), Ok(()));
    assert_eq!(outcome(&leaf(), &ca().with(subtrees(&[], &dns(&[0x80, 1, 1])))), Err(Rule::UnsupportedConstraint));
    assert_eq!(outcome(&leaf(), &ca().with(subtrees(&[], &dns(&[0x81, 1, 9])))), Err(Rule::UnsupportedConstraint));
    // An encoded DEFAULT, a negative number, an empty list, a base without one, a choice that there is not, one of another form.
    for bad in [
        subtrees(&[], &dns(&[0x80, 1, 0])),
        subtrees(&[], &dns(&[0x81, 1, 0xFF])),
        subtrees(&[0xA0, 0], &[]),
        subtrees(&[], &[0xA1, 0]),
        subtrees(&[0xA0, 2, 0x30, 0], &[]),
        subtrees(&element(0xA0, &[&sequence(&[&[0x89, 1, b'a']])]), &[]),
        subtrees(&element(0xA0, &[&sequence(&[&[0xA2, 3, 0x16, 1, b'a']])]), &[]),
        subtrees(&element(0xA0, &[&sequence(&[&[0x84, 2, 0x30, 0]])]), &[]),
    ] {
        assert_eq!(outcome(&leaf(), &ca().with(bad.clone())), Err(Rule::Malformed), "{bad:02X?}");
    }
    for (tag, content) in [(0x89, &b"a"[..]), (0xA2, b"\x16\x01a"), (0x84, b"\x30\x00"), (0xA7, b"\x04\x01a")] {
        assert_eq!(outcome(&leaf().with(alt_names(&[(tag, content)])), &ca()), Err(Rule::Malformed), "{tag:02X}");
    }
}

#[test]
fn addresses() {
    let at = |address: &[u8]| leaf().with(alt_names(&[(IP, address)]));
    let within = |subnet: &[u8]| ca().with(name_constraints(&[(IP, subnet)], &[]));
    let strict = {
        let mut policy = lenient();
        policy.enable("constraint-syntax").unwrap();
        policy
    };
    // A mask with a hole: refused, or bit by bit where the rule is off.
    let hole = [10, 0, 0, 1, 255, 0, 0, 255];
    assert_eq!(outcome_by(&at(&[10, 9, 9, 1]), &within(&hole), &strict), Err(Rule::UnsupportedConstraint));
    assert_eq!(outcome(&at(&[10, 9, 9, 1]), &within(&hole)), Ok(()));
    assert_eq!(outcome(&at(&[10, 9, 9, 2]), &within(&hole)), Err(Rule::PermittedSubtrees));
    // No address of the other version lies within, and none of another length is one.
    assert_eq!(outcome(&at(&[0; 16]), &within(&[0; 8])), Err(Rule::PermittedSubtrees));
    for len in [0, 4, 5, 7, 9, 16, 31, 33] {
        assert_eq!(outcome(&at(&[10, 0, 0, 1]), &within(&vec![0; len])), Err(Rule::Malformed), "{len}");
    }
    for len in [0, 3, 5, 8, 15, 17, 32] {
        assert_eq!(outcome(&at(&vec![0; len]), &within(&[0; 8])), Err(Rule::Malformed), "{len}");
    }
}

#[test]
fn extensions_of_certificates() {
    let unknown = extension(99, true, b"\x05\x00");
    assert_eq!(outcome(&leaf(), &ca().with(unknown.clone())), Err(Rule::UnknownCritical));
    assert_eq!(outcome(&leaf().with(unknown.clone()), &ca()), Err(Rule::UnknownCritical));
    assert_eq!(outcome(&leaf(), &ca().with(extension(99, false, b"\x05\x00"))), Ok(()));
    let anchored = validate(&leaf(), &[ca()], &anchors(&[&root().with(unknown)]), &lenient());
    assert_eq!(anchored.unwrap_err().refusal().unwrap().rule, Rule::UnknownCritical);
    // Values that do not decode, critical or not.
    for arc in [14, 15, 17, 19, 30, 32, 33, 35, 36, 37, 54] {
        for critical in [true, false] {
            let bad = ca().with(extension(arc, critical, b"\x1F"));
            assert_eq!(outcome(&leaf(), &bad), Err(Rule::Malformed), "{arc}");
        }
    }
    // Twice, with other values, in either order.
    for other in [basic_constraints(Some(0)), key_usage(false), subject_key(b"other")] {
        let mut twice = ca();
        twice.extensions.push(other.clone());
        assert_eq!(outcome(&leaf(), &twice), Err(Rule::Malformed));
        twice.extensions.rotate_right(1);
        assert_eq!(outcome(&leaf(), &twice), Err(Rule::Malformed));
    }
    // §4.2.1.4: critical policies with a qualifier that cannot be interpreted.
    let qualified = |critical: bool, qualifier: &[u8]| {
        let information = sequence(&[&policy_id(1), &sequence(&[&sequence(&[qualifier, b"\x05\x00"])])]);
        ca().with(extension(32, critical, &sequence(&[&information])))
    };
    assert_eq!(outcome(&leaf(), &qualified(true, b"\x06\x03\x2A\x03\x09")), Err(Rule::UnknownCritical));
    assert_eq!(outcome(&leaf(), &qualified(false, b"\x06\x03\x2A\x03\x09")), Ok(()));
    // A key usage with bits beyond those that have names still says what its first bits say.
    let mut web = Policy::new(&Profile::WEBPKI, NOW);
    web.other_keys = true;
    for rule in ["common-name", "conformance", "alt-name-required"] {
        web.disable(rule).unwrap();
    }
    let long = leaf().with(extension(15, true, &[3, 11, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
    assert_eq!(outcome_by(&long, &ca(), &web), Err(Rule::LeafNotCa));
}

/// The reason why nothing is known of a certificate under the root.
#[track_caller]
fn unknown(change: impl FnOnce(&mut Policy)) -> String {
    match ask(&Spec::leaf("Leaf", "Root", "root"), &[], &anchors(&[&root()]), change) {
        Verdict::Unknown(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn lists() {
    let why = |list: List| unknown(|policy| policy.revocation.evidence.add_crl(list.der()));
    let list = || List::new("Root", "root");
    // The shortest extension that there is.
    let short = sequence(&[b"\x06\x01\x2A", b"\x01\x01\xFF", b"\x04\x00"]);
    assert!(why(list().revokes(9, &[short])).contains("unknown critical entry extension 1.2"));
    // §5.3.3: who issued the certificate of an entry is said in indirect CRLs alone.
    let said = why(list().revokes(1, &[certificate_issuer("Other")]));
    assert!(said.contains("the CRL is not indirect (RFC 5280 §5.3.3)"), "{said}");
    let twice = |mut list: List| {
        list.extensions.push(number(6));
        list
    };
    assert!(why(twice(list())).contains("no CRL"));
    assert!(why(list().revokes(9, &[reason(1), reason(4)])).contains("no CRL"));
    // Of both users and CAs only: of nothing.
    let said = why(list().with(issuing_point(&[ONLY_USERS.to_vec(), ONLY_CAS.to_vec()])));
    assert!(said.contains("no CRL"), "{said}");
    for (arc, value) in [(28, &b"\x30\x02\x89\x00"[..]), (27, b"\x05\x00"), (20, b"\x1F"), (35, b"\x30\x01")] {
        assert!(why(list().with(extension(arc, true, value))).contains("CRL 1 of the evidence"), "{arc}");
    }
}

#[test]
fn responses() {
    let why = |response: Ocsp| unknown(|policy| policy.revocation.evidence.add_ocsp(response.der()));
    let response = || Ocsp::new("Root", "root");
    assert!(why(Ocsp { version: Some(1), ..response() }).contains("unknown version"));
    let twice = vec![ocsp_extension(2, false, b"\x04\x00"), ocsp_extension(2, false, b"\x04\x01\x00")];
    assert!(why(Ocsp { extensions: twice.clone(), ..response() }).contains("not an OCSP response"));
    assert!(why(Ocsp { single_extensions: twice, ..response() }).contains("not an OCSP response"));
}

#[test]
fn trust_anchors() {
    let algorithm = sequence(&[&element(0x06, &[ALGORITHM])]);
    let key = |key: &[u8]| sequence(&[&algorithm, &element(0x03, &[&[0], key])]);
    let controls = |more: &[u8]| sequence(&[&name("Root"), more]);
    let info = |version: &[u8], controls: &[u8], extensions: &[u8]| {
        sequence(&[version, &key(b"root"), &element(0x04, &[b"id"]), controls, extensions])
    };
    let read = |der: Vec<u8>| Anchor::from_info(&der).unwrap();
    let extensions = |list: &[u8]| element(0xA1, &[&sequence(&[list])]);
    assert!(read(info(&[], &controls(&[]), &[])).is_some());
    // Another version; a critical extension outside its controls.
    assert!(read(info(&[2, 1, 2], &controls(&[]), &[])).is_none());
    assert!(read(info(&[], &controls(&[]), &extensions(&extension(99, true, b"\x05\x00")))).is_none());
    assert!(read(info(&[], &controls(&[]), &extensions(&extension(99, false, b"\x05\x00")))).is_some());
    // RFC 5937 §3.2: what its certificate says limits it, and the certificate is of its key.
    let narrow = root().with(name_constraints(&[(DNS, b"example.com")], &[]));
    let of = |spec: &Spec| controls(&[&[0xA0][..], &spec.der()[1..]].concat());
    assert!(read(info(&[], &of(&Spec { key: b"other".to_vec(), ..root() }), &[])).is_none());
    let whole = narrow.der();
    let tbs = Certificate::from_der(&whole).unwrap().tbs_certificate;
    let listed = sequence(&[&element(0xA1, &[tbs.as_bytes()])]);
    for found in [vec![read(info(&[], &of(&narrow), &[])).unwrap()], Anchor::from_list(&listed).unwrap()] {
        let roots: Anchors = found.into_iter().collect();
        let report = validate(&leaf(), &[ca()], &roots, &lenient()).unwrap_err();
        assert_eq!(report.refusal().unwrap().rule, Rule::PermittedSubtrees);
    }
}
