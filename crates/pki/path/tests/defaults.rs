//! What no profile but `webpki` asks of its own: a trust anchor is a name and a key, and what RFC 5280 §4 asks of issuers is asked of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Anchor, Anchors, Policy, Profile, RevocationMode, Rule, verify};
use tagwise_path_testing::evidence::*;
use tagwise_path_testing::*;

fn policy() -> Policy {
    Policy::new(&Profile::RFC5280, NOW)
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "Root", "root")
}

fn outcome(leaf: &Spec, anchor: Vec<u8>, policy: &Policy) -> Result<tagwise_path::Path, Rule> {
    let anchors: Anchors = [Anchor::from_certificate(anchor).unwrap()].into_iter().collect();
    validate(leaf, &[], &anchors, policy).map_err(|report| report.refusal().unwrap().rule)
}

#[test]
fn anchors_are_a_name_and_a_key() {
    let not_critical = extension(19, false, &sequence(&[b"\x01\x01\xFF"]));
    let anchors = [
        root(),
        // Not critical; cA in BER.
        root().with(not_critical),
        root().with(extension(19, true, &sequence(&[b"\x01\x01\x01"]))),
        // Unknown and critical; constraints; purposes; policies.
        root().with(extension(99, true, b"\x05\x00")),
        root().with(name_constraints(&[(DNS, b"example.com")], &[])),
        root().with(purposes(&[4])),
        root().with(policies(&[1])).with(explicit_policy()),
        // A fault of DER: trailing zero bits.
        root().with(extension(15, true, b"\x03\x03\x07\x06\x00")),
        // Signed by nobody.
        Spec { signer: b"forger".to_vec(), ..root() },
    ];
    for anchor in &anchors {
        assert!(outcome(&leaf(), anchor.der(), &policy()).is_ok(), "{:02X?}", anchor.extensions);
    }
    // Who wants its constraints to apply (RFC 5937 §3) says so.
    let mut strict = policy();
    strict.enable("anchor-extensions").unwrap();
    let constrained = root().with(name_constraints(&[(DNS, b"example.com")], &[]));
    assert_eq!(outcome(&leaf(), constrained.der(), &strict).unwrap_err(), Rule::PermittedSubtrees);
    let undue = root().with(extension(99, true, b"\x05\x00"));
    assert_eq!(outcome(&leaf(), undue.der(), &strict).unwrap_err(), Rule::UnknownCritical);
    // The time is the anchor's own.
    let expired = Spec { not_after: "251231235959Z", ..root() };
    assert_eq!(outcome(&leaf(), expired.der(), &policy()).unwrap_err(), Rule::AnchorValidity);
}

#[test]
fn an_anchor_that_is_no_ca_issues_nothing() {
    let not_ca = [
        // No basic constraints (RFC 5280 §4.2.1.9), without cA, or with a value that is none.
        root().without(19),
        root().with(extension(19, true, b"\x30\x00")),
        root().with(extension(19, true, b"\x05\x00")),
        // No keyCertSign (§4.2.1.3), or a value that is none.
        root().with(key_usage(false)),
        root().with(extension(15, true, b"\x05\x00")),
        Spec { extensions: Vec::new(), ..root() },
    ];
    let mut lenient = policy();
    lenient.disable("anchor-ca").unwrap();
    for anchor in &not_ca {
        assert_eq!(
            outcome(&leaf(), anchor.der(), &policy()).unwrap_err(),
            Rule::AnchorCa,
            "{:02X?}",
            anchor.extensions
        );
        assert!(outcome(&leaf(), anchor.der(), &lenient).is_ok(), "{:02X?}", anchor.extensions);
        // Nor does it issue intermediate CAs.
        let anchors: Anchors = [Anchor::from_certificate(anchor.der()).unwrap()].into_iter().collect();
        let below = Spec::leaf("Leaf", "CA", "ca");
        let report = validate(&below, &[Spec::ca("CA", "ca", "Root", "root")], &anchors, &policy()).unwrap_err();
        assert_eq!(report.refusal().unwrap().rule, Rule::AnchorCa);
        // It is trusted itself, if it decodes.
        let itself = outcome(anchor, anchor.der(), &policy());
        assert!(itself.as_ref().map_or_else(|rule| *rule == Rule::Malformed, |path| path.certificates.len() == 1));
    }
}

#[test]
fn constraints_of_an_anchor_apply_on_demand() {
    let below = Spec::ca("CA", "ca", "Root", "root");
    let leaf = Spec::leaf("Leaf", "CA", "ca");
    let mut strict = policy();
    strict.enable("anchor-constraints").unwrap();
    let mut both = [policy(), strict];
    for policy in &mut both {
        policy.require_purpose(tagwise_pkix::oids::KP_SERVER_AUTH);
        policy.enable("purpose-chain").unwrap();
    }
    let [plain, strict] = both;
    for (what, anchor, rule) in [
        ("name constraints", root().with(name_constraints(&[(DNS, b"example.com")], &[])), Rule::PermittedSubtrees),
        ("path length constraint", root().with(basic_constraints(Some(0))), Rule::PathLength),
        ("policy constraints", root().with(explicit_policy()), Rule::ExplicitPolicy),
        ("extended key usage", root().with(purposes(&[4])), Rule::PurposeChain),
    ] {
        let anchors = anchors(&[&anchor]);
        let path = validate(&leaf, std::slice::from_ref(&below), &anchors, &plain).unwrap();
        let assumed: Vec<_> = path.explanation.assumptions.iter().filter(|text| text.contains(what)).collect();
        assert_eq!(
            assumed,
            [&format!(
                "the {what} of CN=Root may be ignored, because it is a trust anchor (RFC 5280 §6.1.1 (d)); the rule \
                 anchor-constraints applies it"
            )]
        );
        let report = validate(&leaf, std::slice::from_ref(&below), &anchors, &strict).unwrap_err();
        assert_eq!(report.refusal().unwrap().rule, rule);
    }
    // What the path meets is not assumed.
    let met = root().with(basic_constraints(Some(1))).with(purposes(&[1, 4]));
    let path = validate(&leaf, &[below], &anchors(&[&met]), &plain).unwrap();
    assert!(
        !path.explanation.assumptions.iter().any(|text| text.contains("anchor-constraints")),
        "{:?}",
        path.explanation.assumptions
    );
}

#[test]
fn trust_settings_without_a_purpose() {
    use tagwise_pkix::oids;
    let leaf = leaf();
    let set = |change: &dyn Fn(&mut Anchor)| {
        let mut anchor = Anchor::from_certificate(root().der()).unwrap();
        change(&mut anchor);
        let anchors: Anchors = [anchor].into_iter().collect();
        validate(&leaf, &[], &anchors, &policy()).map_err(|report| report.refusal().unwrap().rule)
    };
    let rejected = set(&|anchor| anchor.constraints.rejected = vec![oids::ANY_EXTENDED_KEY_USAGE.into()]);
    assert_eq!(rejected.unwrap_err(), Rule::AnchorPurpose);
    let path = set(&|anchor| anchor.constraints.purposes = Some(vec![oids::KP_CLIENT_AUTH.into()])).unwrap();
    let text = "the use is one for which CN=Root is trusted: clientAuth";
    assert!(path.explanation.assumptions.iter().any(|assumed| assumed == text), "{:?}", path.explanation.assumptions);
    let none = set(&|anchor| anchor.constraints.purposes = Some(Vec::new()));
    assert_eq!(none.unwrap_err(), Rule::AnchorPurpose);
}

#[test]
fn anchors_in_bad_encodings() {
    // A length that is longer than it has to be, around the whole certificate; critical FALSE, written out.
    let der = root().der();
    let content = &der[if der[1] & 0x80 == 0 { 2 } else { 2 + usize::from(der[1] & 0x7F) }..];
    let mut long = vec![0x30, 0x84];
    long.extend((content.len() as u32).to_be_bytes());
    long.extend(content);
    assert!(outcome(&leaf(), long, &policy()).is_ok());
    let spelled = sequence(&[b"\x06\x03\x55\x1D\x0E", b"\x01\x01\x00", &element(0x04, &[&element(0x04, &[b"root"])])]);
    // Also in front of the basic constraints; and in them.
    for at in [0, 3] {
        let mut anchor = root().without(14);
        anchor.extensions.insert(at, spelled.clone());
        assert!(outcome(&leaf(), anchor.der(), &policy()).is_ok(), "{at}");
    }
    let basic = element(0x04, &[&sequence(&[b"\x01\x01\xFF"])]);
    let spelled = sequence(&[b"\x06\x03\x55\x1D\x13", b"\x01\x01\x00", &basic]);
    let mut anchor = root().without(19);
    anchor.extensions.push(spelled);
    assert!(outcome(&leaf(), anchor.der(), &policy()).is_ok());
    // What is no extension at all, in front of them.
    let mut anchor = root();
    anchor.extensions.insert(0, sequence(&[b"\x05\x00"]));
    assert!(outcome(&leaf(), anchor.der(), &policy()).is_ok());
}

#[test]
fn any_certificate_may_be_an_anchor() {
    // An end certificate that signs itself, and one that somebody else signed.
    let own = Spec { key: b"own".to_vec(), ..Spec::leaf("Own", "Own", "own") };
    for leaf in [own, Spec::leaf("Leaf", "Nobody", "nobody")] {
        let path = outcome(&leaf, leaf.der(), &policy()).unwrap();
        assert_eq!((path.certificates.len(), path.anchor.certificate().unwrap().as_der()), (1, leaf.der().as_slice()));
    }
    // What is asked of it is asked all the same: its time, its names, its purposes.
    let leaf = Spec::leaf("Leaf", "Nobody", "nobody");
    let expired = Spec { not_after: "251231235959Z", ..leaf.clone() };
    assert_eq!(outcome(&expired, expired.der(), &policy()).unwrap_err(), Rule::Validity);
    let mut named = policy();
    named.names.push(tagwise_path::ExpectedName::dns("other.example").unwrap());
    assert_eq!(outcome(&leaf, leaf.der(), &named).unwrap_err(), Rule::PeerName);
    let mut purposed = policy();
    purposed.require_purpose(tagwise_pkix::oids::KP_CODE_SIGNING);
    assert_eq!(outcome(&leaf, leaf.der(), &purposed).unwrap_err(), Rule::Purpose);
    // A certificate of the same name and key is another one.
    let other = Spec { serial: 2, ..leaf.clone() };
    assert_eq!(outcome(&other, leaf.der(), &policy()).unwrap_err(), Rule::NoIssuer);
    // Every path: by the root, and by itself.
    let leaf = Spec::leaf("Leaf", "Root", "root");
    let both = anchors(&[&root(), &leaf]);
    let survey = verify::all_paths(&leaf.der(), &pool(&[]), &both, &policy(), &KeyIsSignature);
    let labels: Vec<String> = survey.paths.iter().map(|path| path.anchor.label()).collect();
    assert_eq!(labels, ["CN=Root", "CN=Leaf"]);
}

#[test]
fn revocation_of_a_trusted_certificate() {
    let leaf = leaf();
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.evidence.add_crl(List::new("Root", "root").revokes(1, &[]).der());
    // A root that says that it is revoked is believed.
    let report = validate(&leaf, &[], &anchors(&[&root(), &leaf]), &policy).unwrap_err();
    assert!(!report.is_undecided() && report.refusal().unwrap().rule == Rule::Revocation, "{report}");
    // By itself, it has nobody who could say so.
    let path = validate(&leaf, &[], &anchors(&[&leaf]), &policy).unwrap();
    assert!(path.to_string().contains("assumed: CN=Leaf is not revoked: it is itself a trust anchor"), "{path}");
}

#[test]
fn requirements_on_issuers_are_off_by_default() {
    let ca = || Spec::ca("CA", "ca", "Root", "root");
    let below = Spec::leaf("Leaf", "CA", "ca");
    let not_critical = ca().with(extension(19, false, &sequence(&[b"\x01\x01\xFF"])));
    let without_keys = (ca().without(14).without(35), below.clone().without(14).without(35));
    let mut strict = policy();
    strict.enable("conformance").unwrap();
    for (ca, leaf) in [(not_critical, below), without_keys] {
        let found = |policy: &Policy| validate(&leaf, std::slice::from_ref(&ca), &anchors(&[&root()]), policy);
        assert!(found(&policy()).is_ok());
        assert_eq!(found(&strict).unwrap_err().refusal().unwrap().rule, Rule::Conformance);
    }
    // What §6.1 asks of issuers' certificates is asked.
    let found = validate(&Spec::leaf("Leaf", "CA", "ca"), &[ca().without(19)], &anchors(&[&root()]), &policy());
    assert_eq!(found.unwrap_err().refusal().unwrap().rule, Rule::BasicConstraints);
}

#[test]
fn excluded_mailboxes() {
    let ca = |permitted: &[(u8, &[u8])], excluded: &[(u8, &[u8])]| {
        Spec::ca("CA", "ca", "Root", "root").with(name_constraints(permitted, excluded))
    };
    // emailAddress of the subject, an IA5String.
    let mail = |mailbox: &str| {
        let attribute =
            sequence(&[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x01", &element(0x16, &[mailbox.as_bytes()])]);
        let subject = sequence(&[&element(0x31, &[&attribute])]);
        Spec { subject, ..Spec::leaf("", "CA", "ca").without(17) }
    };
    let named = |mailbox: &str| Spec::leaf("Leaf", "CA", "ca").with(alt_names(&[(MAIL, mailbox.as_bytes())]));
    let outcome = |leaf: &Spec, ca: &Spec| {
        let found = validate(leaf, std::slice::from_ref(ca), &anchors(&[&root()]), &policy());
        found.map(|_| ()).map_err(|report| report.refusal().unwrap().rule)
    };
    let base: (u8, &[u8]) = (MAIL, b"foo@example.com");
    for mailbox in ["foo@example.com", "FoO@example.com", "FOO@EXAMPLE.COM", "\"foO\"@example.com"] {
        for leaf in [mail(mailbox), named(mailbox)] {
            assert_eq!(outcome(&leaf, &ca(&[], &[base])), Err(Rule::ExcludedSubtrees), "{mailbox}");
            // §7.5: what is permitted is the mailbox itself.
            let local = mailbox.rsplit_once('@').unwrap().0;
            let permitted = if local == "foo" { Ok(()) } else { Err(Rule::PermittedSubtrees) };
            assert_eq!(outcome(&leaf, &ca(&[base], &[])), permitted, "{mailbox}");
        }
    }
    assert_eq!(outcome(&mail("food@example.com"), &ca(&[], &[base])), Ok(()));
}
