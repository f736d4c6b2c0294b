//! Every path of a certificate; subtrees of the policy; what is not known; sets of anchors together.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Anchor, Anchors, Outcome, Policy, RevocationMode, Rule, verify};
use tagwise_path_testing::*;

fn ca() -> Spec {
    Spec::ca("CA", "ca", "Root", "root")
}

fn leaf() -> Spec {
    Spec::leaf("Leaf", "CA", "ca")
}

fn survey(between: &[Spec], anchors: &Anchors, policy: &Policy) -> verify::Survey {
    verify::all_paths(&leaf().der(), &pool(between), anchors, policy, &KeyIsSignature)
}

#[test]
fn every_root_that_accepts() {
    let other = Spec::ca("Other", "other", "Other", "other");
    let cross = Spec::ca("CA", "ca", "Other", "other");
    let third = Spec::ca("Third", "third", "Third", "third");
    let old = Spec { not_after: "210101000000Z", ..Spec::ca("CA", "ca", "Third", "third") };
    // The certificate of an anchor among the others makes no path longer.
    let found = survey(&[ca(), cross, old, root()], &anchors(&[&root(), &other, &third]), &policy());
    let mut labels: Vec<String> = found.paths.iter().map(|path| path.anchor.label()).collect();
    labels.sort();
    assert_eq!(labels, ["CN=Other", "CN=Root"]);
    for path in &found.paths {
        assert_eq!((path.certificates.len(), path.explanation.candidates.len()), (2, 0));
        assert_eq!(path.explanation.assumptions, ["revocation was not checked: no certificate is known to be revoked"]);
    }
    assert_eq!(found.report.outcome(), Outcome::Refused);
    let rejected = &found.report.explanation().candidates;
    assert!(rejected.iter().any(|candidate| candidate.refusal.rule == Rule::Validity), "{}", found.report);
    assert!(!found.report.is_undecided());
    // None, and what a budget leaves open.
    let none = survey(&[], &anchors(&[&root()]), &policy());
    assert!(none.paths.is_empty() && none.report.refusal().unwrap().rule == Rule::NoIssuer);
    let mut careful = policy();
    careful.budget.paths = 1;
    let other = Spec::ca("Other", "other", "Other", "other");
    let some = survey(&[ca(), Spec::ca("CA", "ca", "Other", "other")], &anchors(&[&root(), &other]), &careful);
    assert_eq!(some.paths.len(), 1);
    assert!(matches!(some.report.outcome(), Outcome::Exhausted(_)) && some.report.is_undecided());
    assert!(verify::all_paths(b"no", &pool(&[]), &anchors(&[]), &policy(), &KeyIsSignature).paths.is_empty());
}

#[test]
fn subtrees_of_the_policy() {
    let valid = |constraints: Option<Vec<u8>>| {
        let mut policy = policy();
        policy.subtrees = constraints;
        validate(&leaf(), &[ca()], &anchors(&[&root()]), &policy)
            .map(|_| ())
            .map_err(|report| report.refusal().unwrap().rule)
    };
    // The value of the extension: behind its identifier, in an OCTET STRING.
    let constraints = |permitted: &[(u8, &[u8])], excluded: &[(u8, &[u8])]| {
        let extension = name_constraints(permitted, excluded);
        let start = extension.windows(5).position(|octets| octets == b"\x06\x03\x55\x1D\x1E").unwrap();
        // Criticality, and the header of the OCTET STRING.
        Some(extension[start + 5 + 3 + 2..].to_vec())
    };
    assert_eq!(valid(None), Ok(()));
    assert_eq!(valid(constraints(&[(DNS, b"example.org")], &[])), Ok(()));
    assert_eq!(valid(constraints(&[(DNS, b"example.com")], &[])), Err(Rule::PermittedSubtrees));
    assert_eq!(valid(constraints(&[], &[(DNS, b"www.example.org")])), Err(Rule::ExcludedSubtrees));
    assert_eq!(valid(constraints(&[(MAIL, b"example.com")], &[])), Ok(()));
    assert_eq!(valid(Some(b"\x30\x01".to_vec())), Err(Rule::Malformed), "what does not decode refuses");
}

#[test]
fn evidence_that_is_missing() {
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    let report = validate(&leaf(), &[ca()], &anchors(&[&root()]), &policy).unwrap_err();
    assert!(report.is_undecided() && report.furthest().unwrap().refusal.undecided);
    assert!(report.to_json().contains("\"undecided\":true"));
    // What is wrong in any case is wrong without evidence.
    let report = validate(&leaf(), &[], &anchors(&[&root()]), &policy).unwrap_err();
    assert!(!report.is_undecided());
    assert!(!report.to_json().contains("undecided"));
}

#[test]
fn anchors_together() {
    let other = Spec::ca("Other", "other", "Other", "other");
    let mut all = anchors(&[&root()]);
    all.merge(anchors(&[&root(), &other]));
    assert_eq!(all.len(), 2);
    // The same certificate with other constraints is another anchor.
    let mut narrow = Anchor::from_certificate(root().der()).unwrap();
    narrow.constraints.path_length = Some(0);
    all.merge([narrow].into_iter().collect());
    assert_eq!(all.len(), 3);
    let distrusted = tagwise_pkix::CertificateBuf::outline(other.der()).unwrap();
    let mut never = Anchors::new();
    never.distrust(distrusted.clone());
    all.merge(never);
    assert!(all.is_distrusted(&distrusted));
}

#[test]
fn lists_of_anchors() {
    // RFC 5914 §3: a SEQUENCE OF certificates, among others.
    let mut read = Anchors::new();
    let list = sequence(&[&root().der(), &Spec::ca("Other", "other", "Other", "other").der()]);
    assert!(read.read(&list).is_empty());
    assert_eq!(read.len(), 2);
}
