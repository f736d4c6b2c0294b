//! One path for each rule that breaks this rule alone: the rule, and the text of its refusal, held in `refusals.txt`.
//!
//! `TAGWISE_BLESS=1` rewrites the texts, so that a review shows the difference.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use tagwise_codec::oid;
use tagwise_path::{
    Anchor, Anchors, ExpectedName, LogList, OidBuf, Policy, Profile, PublicSuffixes, Report, RevocationMode, Rule,
    SctPolicy,
};
use tagwise_path_testing::*;
use tagwise_pkix::{UnixTime, oids};

fn ca() -> Spec {
    Spec::ca("CA", "ca", "Root", "root")
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "CA", "ca")
}

fn refused(leaf: &Spec, between: &[Spec], anchors: &Anchors, policy: &Policy) -> Report {
    validate(leaf, between, anchors, policy).expect_err("it has to be refused")
}

/// Keys of the made-up algorithm pass, so that only the rule in question is broken.
fn web() -> Policy {
    let mut policy = Policy::new(&Profile::WEBPKI, NOW);
    policy.other_keys = true;
    policy.disable("common-name").unwrap();
    policy.enable("anchor-extensions").unwrap();
    policy
}

/// `1.3.6.1.5.5.7.6.36`, id-alg-unsigned (RFC 9925).
const UNSIGNED: &[u8] = b"\x2B\x06\x01\x05\x05\x07\x06\x24";

fn anchor_with(change: impl FnOnce(&mut Anchor)) -> Anchors {
    let mut anchor = Anchor::from_certificate(root().der()).unwrap();
    change(&mut anchor);
    [anchor].into_iter().collect()
}

fn distrusting(spec: &Spec) -> Anchors {
    let mut anchors = anchors(&[&root()]);
    anchors.distrust(tagwise_pkix::CertificateBuf::outline(spec.der()).unwrap());
    anchors
}

/// Every rule, with reports of paths that break it.
fn broken() -> Vec<(Rule, Report)> {
    let roots = anchors(&[&root()]);
    let path = |leaf: &Spec, ca: &Spec, policy: &Policy| refused(leaf, std::slice::from_ref(ca), &roots, policy);
    let base = policy();
    let with = |change: &dyn Fn(&mut Policy)| {
        let mut policy = policy();
        change(&mut policy);
        policy
    };
    let mail = |names: &[(u8, &[u8])]| leaf().with(alt_names(names));
    let constrained =
        |permitted: &[(u8, &[u8])], excluded: &[(u8, &[u8])]| ca().with(name_constraints(permitted, excluded));
    let server = with(&|policy| policy.require_purpose(oids::KP_SERVER_AUTH));
    vec![
        (Rule::Malformed, path(&leaf().with(extension(37, false, &sequence(&[]))), &ca(), &base)),
        (Rule::NoIssuer, refused(&leaf(), &[], &roots, &base)),
        (Rule::NoIssuer, path(&leaf(), &Spec::ca("CA", "ca", "CA", "ca"), &base)),
        (Rule::NoIssuer, path(&leaf(), &Spec::ca("CA", "ca", "Elsewhere", "else"), &base)),
        (
            Rule::Loop,
            refused(
                &leaf(),
                &[ca(), Spec::ca("CA", "ca", "CA", "ca")],
                &anchors(&[&Spec::ca("CA", "x", "CA", "x")]),
                &base,
            ),
        ),
        (Rule::Signature, path(&leaf(), &Spec { signer: b"forger".to_vec(), ..ca() }, &base)),
        (Rule::Unsigned, path(&Spec { algorithm: UNSIGNED.to_vec(), signer: Vec::new(), ..leaf() }, &ca(), &base)),
        (Rule::Validity, path(&Spec { not_after: "251231235959Z", ..leaf() }, &ca(), &base)),
        (Rule::Validity, path(&leaf(), &Spec { not_before: "260101000001Z", ..ca() }, &base)),
        (
            Rule::Scts,
            path(&leaf(), &ca(), &with(&|policy| policy.scts = Some(SctPolicy::new(LogList::default(), 2, 2)))),
        ),
        (Rule::Revocation, path(&leaf(), &ca(), &with(&|policy| policy.revocation.mode = RevocationMode::Require))),
        (Rule::PermittedSubtrees, path(&leaf(), &constrained(&[(DNS, b"example.com")], &[]), &base)),
        (Rule::PermittedSubtrees, path(&leaf(), &constrained(&[(DIRECTORY, &name("Other"))], &[]), &base)),
        (Rule::ExcludedSubtrees, path(&leaf(), &constrained(&[], &[(DNS, b"example.org")]), &base)),
        (
            Rule::ExcludedSubtrees,
            path(&mail(&[(MAIL, b"eva@example.org")]), &constrained(&[], &[(MAIL, b"example.org")]), &base),
        ),
        (
            Rule::UnsupportedConstraint,
            path(&mail(&[(RID, b"\x2A\x03")]), &constrained(&[(RID, b"\x2A\x03")], &[]), &base),
        ),
        (Rule::UnsupportedConstraint, path(&leaf(), &constrained(&[], &[(DNS, b"*.example.org")]), &base)),
        (Rule::ExplicitPolicy, path(&leaf(), &ca().with(explicit_policy()), &base)),
        (
            Rule::ExplicitPolicy,
            path(&leaf().with(policies(&[1])), &ca().with(policies(&[2])).with(explicit_policy()), &base),
        ),
        (
            Rule::ExplicitPolicy,
            path(
                &leaf().with(policies(&[1])),
                &ca().with(policies(&[1])),
                &with(&|policy| {
                    policy.policies.explicit = true;
                    policy.policies.initial = Some(vec![OidBuf::from(oid!("1.2.3.2"))]);
                }),
            ),
        ),
        (Rule::DuplicatePolicy, path(&leaf().with(policies(&[1, 2, 1])), &ca(), &base)),
        (Rule::DuplicatePolicy, path(&leaf(), &ca().with(policies(&[0, 0])), &base)),
        (Rule::PolicyMapping, path(&leaf(), &ca().with(policies(&[1])).with(mappings(&[(1, 0)])), &base)),
        (Rule::BasicConstraints, path(&leaf(), &ca().without(19), &base)),
        (Rule::BasicConstraints, path(&leaf(), &ca().with(extension(19, true, &sequence(&[]))), &base)),
        (
            Rule::PathLength,
            refused(
                &Spec::leaf("Leaf", "Sub", "sub"),
                &[ca().with(basic_constraints(Some(0))), Spec::ca("Sub", "sub", "CA", "ca")],
                &roots,
                &base,
            ),
        ),
        (Rule::KeyCertSign, path(&leaf(), &ca().with(key_usage(false)), &base)),
        (Rule::UnknownCritical, path(&leaf().with(extension(99, true, b"\x05\x00")), &ca(), &base)),
        (Rule::UnknownCritical, path(&leaf(), &ca().with(extension(99, true, b"\x05\x00")), &base)),
        (
            Rule::AnchorValidity,
            refused(&leaf(), &[ca()], &anchors(&[&Spec { not_after: "251231235959Z", ..root() }]), &base),
        ),
        (
            Rule::AnchorPurpose,
            refused(
                &leaf(),
                &[ca()],
                &anchor_with(|anchor| anchor.constraints.purposes = Some(vec![oids::KP_EMAIL_PROTECTION.into()])),
                &server,
            ),
        ),
        (
            Rule::AnchorDistrustAfter,
            refused(
                &leaf(),
                &[ca()],
                &anchor_with(|anchor| {
                    anchor.constraints.distrust_after = vec![(oids::KP_SERVER_AUTH.into(), UnixTime(0))]
                }),
                &server,
            ),
        ),
        (Rule::Distrusted, refused(&leaf(), &[ca()], &distrusting(&ca()), &base)),
        (Rule::Conformance, refused(&leaf(), &[ca()], &anchors(&[&root().without(14)]), &base)),
        (Rule::Conformance, path(&leaf().without(35), &ca(), &base)),
        (Rule::NameSyntax, path(&mail(&[(DNS, b"foo_bar.example.org")]), &ca(), &base)),
        (
            Rule::PeerName,
            path(&leaf(), &ca(), &with(&|policy| policy.names.push(ExpectedName::dns("example.org").unwrap()))),
        ),
        (Rule::Purpose, path(&leaf().with(purposes(&[2])), &ca(), &server)),
        (Rule::PurposeChain, path(&leaf(), &ca().with(purposes(&[4])), &web())),
        (Rule::KeyUsage, path(&leaf(), &ca(), &with(&|policy| policy.key_usage = 1 << 6))),
        (Rule::MaxIntermediates, path(&leaf(), &ca(), &with(&|policy| policy.max_intermediates = Some(0)))),
        (
            Rule::KeySize,
            path(&leaf(), &ca(), &{
                let mut policy = web();
                policy.other_keys = false;
                policy
            }),
        ),
        (
            Rule::WeakDigest,
            path(
                &Spec { algorithm: oids::SHA1_WITH_RSA.as_bytes().to_vec(), ..leaf() },
                &ca(),
                &with(&|policy| policy.enable("weak-digest").unwrap()),
            ),
        ),
        (
            Rule::PurposeOnly,
            path(&leaf().with(purposes(&[8])), &ca(), &{
                let mut policy = Policy::new(&Profile::TIME_STAMPING, NOW);
                policy.disable("purpose").unwrap();
                policy
            }),
        ),
        (
            Rule::CodeSigningUsage,
            path(&leaf().with(purposes(&[3, 1])), &ca(), &Policy::new(&Profile::CODE_SIGNING, NOW)),
        ),
        (Rule::PurposePresent, path(&leaf().without(37), &ca(), &web())),
        (Rule::RootPurpose, refused(&leaf(), &[ca()], &anchors(&[&root().with(purposes(&[1]))]), &web())),
        (
            Rule::RootKeyIdentifier,
            refused(&leaf(), &[ca()], &anchors(&[&root().with(authority_key(b"another"))]), &web()),
        ),
        (Rule::LeafNotCa, path(&leaf().with(key_usage(true)).with(basic_constraints(None)), &ca(), &web())),
        (Rule::AltNameRequired, path(&leaf().without(17), &ca(), &web())),
        (
            Rule::CommonName,
            path(&leaf(), &ca(), &{
                let mut policy = web();
                policy.enable("common-name").unwrap();
                policy
            }),
        ),
        (
            Rule::Wildcard,
            path(&mail(&[(DNS, b"*.co.uk")]), &ca(), &{
                let mut policy = web();
                policy.public_suffixes = Some(PublicSuffixes::new(|domain| domain == "co.uk"));
                policy
            }),
        ),
        (
            Rule::AnchorCa,
            refused(&leaf(), &[ca()], &anchors(&[&root().with(extension(19, true, &sequence(&[])))]), &base),
        ),
        (Rule::AnchorCa, refused(&leaf(), &[ca()], &anchors(&[&root().with(key_usage(false))]), &base)),
        (Rule::AnchorCa, refused(&leaf(), &[ca()], &anchors(&[&root().without(19)]), &base)),
        (Rule::ALabel, path(&mail(&[(DNS, b"xn--99999999.example.org")]), &ca(), &web())),
        (Rule::TlsFeatures, path(&leaf(), &ca().with(features(&[5])), &base)),
        (
            Rule::MailboxRequired,
            path(&leaf().with(purposes(&[4])), &ca(), &{
                let mut policy = Policy::new(&Profile::SMIME, NOW);
                policy.other_keys = true;
                policy
            }),
        ),
    ]
}

/// Rules that these do not reach, with the reason.
const ELSEWHERE: &[(Rule, &str)] = &[
    (Rule::NameChaining, "candidates are found by name; the check stands where §6.1.3 has it"),
    (Rule::SignatureAlgorithm, "needs a verifier without the algorithm: see `an_algorithm_that_is_not_offered`"),
    (Rule::AnchorConstraints, "a switch: see `constraints_of_an_anchor_apply_on_demand`"),
    (Rule::AnchorExtensions, "a switch: what it refuses is named by the rule that is broken"),
    (Rule::ConstraintSyntax, "a switch: see `a_leading_dot_in_a_constraint`"),
    (Rule::LeadingDot, "an interpretation: see `a_leading_dot_in_a_constraint`"),
    (Rule::MustStaple, "needs a handshake: see `tests/staple.rs`"),
    (Rule::VersionThree, "x509-limbo has it (`webpki::v1-cert`)"),
];

#[test]
fn each_rule_refuses_and_says_why() {
    let mut texts = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (number, (rule, report)) in broken().into_iter().enumerate() {
        // What came furthest, but where a circle is one of several ends.
        let of_rule = report.explanation().candidates.iter().map(|candidate| &candidate.refusal);
        let mut of_rule = of_rule.filter(|refusal| rule == Rule::Loop && refusal.rule == rule);
        let refusal = of_rule.next_back().or(report.refusal()).unwrap();
        assert_eq!(refusal.rule, rule, "{number}: {report}");
        seen.insert(rule);
        texts.insert((rule.name(), number), refusal.to_string());
    }
    for rule in Rule::ALL {
        let elsewhere = ELSEWHERE.iter().any(|(other, _)| other == rule);
        assert_ne!(seen.contains(rule), elsewhere, "{rule}");
    }
    let text: String = texts.values().map(|text| format!("{text}\n")).collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/refusals.txt");
    if std::env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(file, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), text, "TAGWISE_BLESS=1 rewrites it");
}

#[test]
fn each_rule_that_may_be_switched_off_lets_pass_then() {
    let roots = anchors(&[&root()]);
    let expired = Spec { not_after: "251231235959Z", ..leaf() };
    let mut lenient = policy();
    lenient.disable("validity").unwrap();
    assert!(validate(&expired, &[ca()], &roots, &lenient).is_ok());
    let mut lenient = policy();
    lenient.disable("excluded-subtrees").unwrap();
    let excluding = ca().with(name_constraints(&[], &[(DNS, b"example.org")]));
    assert!(validate(&leaf(), &[excluding], &roots, &lenient).is_ok());
    let mut lenient = policy();
    lenient.disable("path-length").unwrap();
    let between = [ca().with(basic_constraints(Some(0))), Spec::ca("Sub", "sub", "CA", "ca")];
    assert!(validate(&Spec::leaf("Leaf", "Sub", "sub"), &between, &roots, &lenient).is_ok());
    // These are always in force.
    for rule in Rule::ALL.iter().filter(|rule| rule.is_fixed()) {
        assert!(policy().disable(rule.name()).is_err(), "{rule}");
    }
}

#[test]
fn an_algorithm_that_is_not_offered() {
    struct Nothing;
    impl tagwise_path::Verifier for Nothing {
        fn verify(
            &self,
            _: &tagwise_pkix::SubjectPublicKeyInfo<'_>,
            _: &tagwise_pkix::AlgorithmIdentifier<'_>,
            _: &[u8],
            _: &[u8],
        ) -> Result<(), tagwise_path::SignatureFault> {
            Err(tagwise_path::SignatureFault::Unsupported("made-up is not offered".to_owned()))
        }
    }
    let leaf = Spec::leaf("Leaf", "Root", "root");
    let report =
        tagwise_path::verify::path(&leaf.der(), &pool(&[]), &anchors(&[&root()]), &policy(), &Nothing).unwrap_err();
    let refusal = report.refusal().unwrap();
    assert_eq!((refusal.rule, refusal.message.as_str()), (Rule::SignatureAlgorithm, "made-up is not offered"));
    assert_eq!(refusal.path, "signatureAlgorithm.algorithm");
    // Nothing is known of it: neither valid nor invalid.
    assert!(refusal.undecided && report.is_undecided());
}

#[test]
fn a_leading_dot_in_a_constraint() {
    let below = ca().with(name_constraints(&[(DNS, b".example.org")], &[]));
    let mut strict = policy();
    strict.disable("leading-dot").unwrap();
    let report = refused(&leaf(), std::slice::from_ref(&below), &anchors(&[&root()]), &strict);
    assert_eq!(report.refusal().unwrap().rule, Rule::UnsupportedConstraint);
    // As others read it: hosts below, and not the host itself. The report says so.
    let path = validate(&leaf(), std::slice::from_ref(&below), &anchors(&[&root()]), &policy()).unwrap();
    let said =
        "the dNSName constraint .example.org of CN=CA covers the names below example.org, but not example.org itself";
    assert!(path.to_string().contains(said), "{path}");
    let apex = leaf().with(alt_names(&[(DNS, b"example.org")]));
    let report = refused(&apex, std::slice::from_ref(&below), &anchors(&[&root()]), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::PermittedSubtrees);
    let beside = leaf().with(alt_names(&[(DNS, b"notexample.org")]));
    let report = refused(&beside, &[below], &anchors(&[&root()]), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::PermittedSubtrees);
    // Excluded, it is the same.
    let excluded = ca().with(name_constraints(&[], &[(DNS, b".example.org")]));
    let report = refused(&leaf(), std::slice::from_ref(&excluded), &anchors(&[&root()]), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::ExcludedSubtrees);
    assert!(validate(&apex, &[excluded], &anchors(&[&root()]), &policy()).is_ok());
}

#[test]
fn unsigned_certificates_are_anchors() {
    // RFC 9925: no signature, and an algorithm that says so.
    let unsigned = Spec { algorithm: UNSIGNED.to_vec(), signer: Vec::new(), ..root() };
    let path = validate(&leaf(), &[ca()], &anchors(&[&unsigned]), &policy()).unwrap();
    assert_eq!(path.certificates.len(), 2);
    // In the middle of a path it is none.
    let between = Spec { algorithm: UNSIGNED.to_vec(), signer: Vec::new(), ..ca() };
    let report = refused(&leaf(), &[between], &anchors(&[&root()]), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::Unsigned);
}

#[test]
fn anchors_that_are_a_name_and_a_key() {
    use tagwise_codec::encode;
    let certificate = Anchor::from_certificate(root().der()).unwrap();
    let name = encode(&certificate.name()).unwrap();
    let anchor = || Anchor::from_key(&name, certificate.key()).unwrap();
    let roots = |change: &dyn Fn(&mut Anchor)| {
        let mut anchor = anchor();
        change(&mut anchor);
        [anchor].into_iter().collect::<Anchors>()
    };
    assert!(validate(&leaf(), &[ca()], &roots(&|_| {}), &policy()).is_ok());
    // RFC 5914 §2: constraints of the anchor's own.
    let report = refused(&leaf(), &[ca()], &roots(&|anchor| anchor.constraints.path_length = Some(0)), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::PathLength);
    let constraints = b"\x30\x0F\xA0\x0D\x30\x0B\x82\x09test.test".to_vec();
    let set = |anchor: &mut Anchor| anchor.constraints.name_constraints = Some(constraints.clone());
    let report = refused(&leaf(), &[ca()], &roots(&set), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::PermittedSubtrees);
    // Constraints that do not decode refuse everything.
    let set = |anchor: &mut Anchor| anchor.constraints.name_constraints = Some(vec![0x30]);
    let report = refused(&leaf(), &[ca()], &roots(&set), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::Malformed);
    let report = refused(&leaf(), &[ca()], &roots(&|anchor| anchor.constraints.explicit_policy = true), &policy());
    assert_eq!(report.refusal().unwrap().rule, Rule::ExplicitPolicy);
}

#[test]
fn reports_as_text_and_json() {
    let roots = anchors(&[&root()]);
    let between = [ca(), Spec { serial: 2, not_after: "251231235959Z", ..ca() }];
    let mut strict = policy();
    strict.max_intermediates = Some(0);
    let report = refused(&leaf(), &between, &roots, &strict);
    let text = report.to_string();
    for line in [
        "not valid, by profile rfc5280 at 2026-01-01T00:00:00Z",
        "  0: CN=Leaf (serial 0100000001)",
        "    1: CN=CA (serial 0100000001)",
        "      anchor: CN=Root",
        "✗ certificate 1: max-intermediates: more intermediate certificates than the policy allows",
        "✗ validity: expired on 2025-12-31T23:59:59Z; the time is 2026-01-01T00:00:00Z, at tbsCertificate.validity.notAfter, byte",
        "  spent: 2 signatures, 1 paths",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!((&json["version"], &json["outcome"]), (&1.into(), &"refused".into()));
    assert_eq!(json["rejected"][0]["rule"], "max-intermediates");
    assert_eq!(json["rejected"][1]["path"], "tbsCertificate.validity.notAfter");
    assert_eq!(json["spent"]["signatures"], 2);
    // Members keep their order, and optional ones are absent.
    let text = report.to_json();
    let members =
        "version outcome profile time rules assumptions revocation evidence timestamps rejected omitted spent";
    let members: Vec<&str> = members.split(' ').collect();
    let places: Vec<usize> = members.iter().filter_map(|name| text.find(&format!("\"{name}\":"))).collect();
    assert!(places.len() == members.len() && places.is_sorted() && json.get("limit").is_none(), "{text}");
    assert!(
        text.starts_with(
            r#"{"version":1,"outcome":"refused","profile":"rfc5280","time":"2026-01-01T00:00:00Z","rules":["#
        ),
        "{text}"
    );
    let rejected = json["rejected"][1].as_object().unwrap();
    assert!(!rejected.contains_key("undecided") && rejected["offset"].is_u64(), "{rejected:?}");

    let path = validate(&leaf(), &between, &roots, &policy()).unwrap();
    let text = path.to_string();
    for line in [
        "valid, by profile rfc5280",
        "    1: CN=CA",
        "    anchor: CN=Root",
        "  policies: none",
        "  assumed: revocation was not checked: no certificate is known to be revoked",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&path.to_json()).unwrap();
    assert_eq!((&json["outcome"], &json["anchor"]), (&"valid".into(), &"CN=Root".into()));
    assert_eq!(json["certificates"][1]["subject"], "CN=CA");
}

#[test]
fn names_that_would_break_text_and_json() {
    let hostile = Spec::leaf("a\"b\\c\u{1b}[31m\u{202e}", "Nobody", "nobody");
    let report = refused(&hostile, &[], &anchors(&[&root()]), &policy());
    assert!(!report.to_string().contains('\u{1b}') && !report.to_string().contains('\u{202e}'), "{report}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["rejected"][0]["rule"], "no-issuer");
}

/// Code Signing BR §7.1.2.3: a critical key usage of digitalSignature alone, codeSigning without serverAuth and anyExtendedKeyUsage.
#[test]
fn code_signers_sign_code_alone() {
    let usage = |critical: bool, bits: u8| extension(15, critical, &[3, 2, bits.trailing_zeros() as u8, bits]);
    let signer = || leaf().with(usage(true, 0x80));
    let outcome = |leaf: &Spec| {
        let mut policy = Policy::new(&Profile::CODE_SIGNING, NOW);
        policy.other_keys = true;
        let result = validate(leaf, &[ca()], &anchors(&[&root()]), &policy);
        result.map(drop).map_err(|report| report.refusal().unwrap().rule)
    };
    assert_eq!(outcome(&signer().with(purposes(&[3]))), Ok(()));
    // emailProtection may be there, too.
    assert_eq!(outcome(&signer().with(purposes(&[3, 4]))), Ok(()));
    let bad = Err(Rule::CodeSigningUsage);
    assert_eq!(outcome(&signer().with(purposes(&[3, 1]))), bad, "serverAuth");
    assert_eq!(outcome(&signer().with(purposes(&[3, 0]))), bad, "anyExtendedKeyUsage");
    assert_eq!(outcome(&signer().with(purposes(&[0]))), bad, "anyExtendedKeyUsage alone");
    assert_eq!(outcome(&signer().without(37)), bad, "no extended key usage");
    let with = |usage: Option<Vec<u8>>| {
        let leaf = signer().without(15).with(purposes(&[3]));
        outcome(&usage.into_iter().fold(leaf, Spec::with))
    };
    assert_eq!(with(None), bad, "no key usage");
    assert_eq!(with(Some(usage(false, 0x80))), bad, "not critical");
    assert_eq!(with(Some(usage(true, 0x82))), bad, "cRLSign");
    assert_eq!(with(Some(usage(true, 0xC0))), Ok(()), "nonRepudiation");
}

#[test]
fn each_profile_takes_what_it_is_for() {
    let critical = |arcs: &[u8]| {
        // extendedKeyUsage, critical: the same value behind another header.
        let plain = purposes(arcs);
        let value = &plain[plain.windows(4).position(|octets| octets == b"\x06\x03\x55\x1D").unwrap() + 5..];
        sequence(&[b"\x06\x03\x55\x1D\x25\x01\x01\xFF", value])
    };
    let mailbox = alt_names(&[(MAIL, b"eva@example.org")]);
    for (profile, leaf) in [
        (Profile::RFC5280, leaf()),
        (Profile::WEBPKI, leaf()),
        (Profile::SMIME, leaf().with(purposes(&[4])).with(mailbox)),
        (Profile::CODE_SIGNING, leaf().with(purposes(&[3]))),
        (Profile::TIME_STAMPING, leaf().with(critical(&[8]))),
    ] {
        let mut policy = Policy::new(&profile, NOW);
        policy.other_keys = true;
        policy.disable("common-name").unwrap();
        let path = validate(&leaf, &[ca()], &anchors(&[&root()]), &policy);
        assert!(path.is_ok(), "{}: {}", profile.name, path.unwrap_err());
        // No other purpose takes it.
        for other in Profile::ALL.iter().filter(|other| other.name != profile.name && other.name != "rfc5280") {
            let mut policy = Policy::new(other, NOW);
            policy.other_keys = true;
            policy.disable("common-name").unwrap();
            let result = validate(&leaf, &[ca()], &anchors(&[&root()]), &policy);
            let server = profile.name == "rfc5280" && other.name == "webpki";
            assert_eq!(result.is_ok(), server, "{} as {}", profile.name, other.name);
        }
    }
}
