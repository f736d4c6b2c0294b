//! The engine's services for reading CRLs and OCSP responses.

use tagwise_path_testing::{NOW, Spec, authority_key, extension, key_usage, name, purposes, root};
use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, SubjectPublicKeyInfo};

use super::{Desk, RevocationMode, Signing};
use crate::anchors::{Anchor, Anchors};
use crate::budget::{Limit, Meter};
use crate::policy::Policy;
use crate::pool::Pool;
use crate::profile::Profile;
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::{SignatureFault, Verifier};

/// The helpers for tests are of the crate as others see it; these are of the one under test.
struct KeyIsSignature;

impl Verifier for KeyIsSignature {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        if key.subject_public_key.as_bytes() == signature { Ok(()) } else { Err(SignatureFault::Wrong) }
    }
}

fn anchors(roots: &[&Spec]) -> Anchors {
    roots.iter().map(|root| Anchor::from_certificate(root.der()).unwrap()).collect()
}

fn policy() -> Policy {
    Policy::new(&Profile::RFC5280, NOW)
}

/// The outcome for the path of a signer, with further certificates beside the pool. A path that only proves revocation counts as
/// refused for it.
fn signer_path(
    signer: &Spec,
    beside: &[Spec],
    signing: Signing,
    change: impl FnOnce(&mut Engine<'_, KeyIsSignature>),
) -> Result<Result<usize, Rule>, Limit> {
    under(RevocationMode::Ignore, signer, beside, signing, change)
}

fn under(
    mode: RevocationMode,
    signer: &Spec,
    beside: &[Spec],
    signing: Signing,
    change: impl FnOnce(&mut Engine<'_, KeyIsSignature>),
) -> Result<Result<usize, Rule>, Limit> {
    let read = |spec: &Spec| CertificateBuf::outline(spec.der()).unwrap();
    let (leaf, pool, anchors) = (read(&Spec::leaf("Leaf", "Root", "root")), Pool::new(), anchors(&[&root()]));
    let mut policy: Policy = policy();
    policy.revocation.mode = mode;
    // What the end certificate is held to, its signers are not.
    policy.names.push(crate::ExpectedName::dns("www.example.org").unwrap());
    policy.key_usage = 1;
    let mut engine = Engine::new((&leaf, false), &pool, &anchors, &policy, &KeyIsSignature, Meter::new(policy.budget));
    change(&mut engine);
    let mut desk = Desk { engine: &mut engine, chain: &[], anchor: 0, keys: &[], index: 0, assumed: Vec::new() };
    let beside: Vec<CertificateBuf> = beside.iter().map(read).collect();
    let found = desk.signer_path(&read(signer), &beside, signing)?;
    // What it cost counts.
    assert!(found.is_err() || engine.meter.spent.signatures > 0);
    Ok(match found {
        Ok(found) if found.unsettled.is_some() => Err(Rule::Revocation),
        Ok(found) => Ok(found.path.certificates.len()),
        Err(report) => Err(report.refusal().unwrap().rule),
    })
}

#[test]
fn signers_of_crls() {
    // keyUsage: cRLSign.
    let signer = Spec::ca("CRLs", "crls", "Root", "root").with(extension(15, true, b"\x03\x02\x01\x02")).without(19);
    assert_eq!(signer_path(&signer, &[], Signing::Crls, |_| {}), Ok(Ok(1)));
    let other = signer.clone().with(key_usage(false));
    assert_eq!(signer_path(&other, &[], Signing::Crls, |_| {}), Ok(Err(Rule::KeyUsage)));
    // Below a CA that came with the evidence.
    let below = Spec { issuer: name("CA"), signer: b"ca".to_vec(), ..signer.clone() }.with(authority_key(b"ca"));
    assert_eq!(signer_path(&below, &[], Signing::Crls, |_| {}), Ok(Err(Rule::NoIssuer)));
    let ca = Spec::ca("CA", "ca", "Root", "root");
    assert_eq!(signer_path(&below, &[ca], Signing::Crls, |_| {}), Ok(Ok(2)));
    // Their own revocation is asked about, and beyond the budget's depth it is not known.
    let (require, prefer) = (RevocationMode::Require, RevocationMode::Prefer);
    assert_eq!(under(require, &signer, &[], Signing::Crls, |_| {}), Ok(Err(Rule::Revocation)));
    let deep = |engine: &mut Engine<'_, KeyIsSignature>| engine.depth = engine.meter.limits.depth;
    assert_eq!(under(require, &signer, &[], Signing::Crls, deep), Ok(Err(Rule::Revocation)));
    assert_eq!(under(prefer, &signer, &[], Signing::Crls, deep), Ok(Ok(1)));
}

#[test]
fn signers_of_ocsp_responses() {
    let signer = Spec::leaf("OCSP", "Root", "root").with(purposes(&[9]));
    assert_eq!(signer_path(&signer, &[], Signing::Ocsp, |_| {}), Ok(Ok(1)));
    // RFC 6960 §4.2.2.2: the purpose itself, not any, and not none.
    for other in [signer.clone().with(purposes(&[1])), signer.clone().with(purposes(&[0])), signer.without(37)] {
        assert_eq!(signer_path(&other, &[], Signing::Ocsp, |_| {}), Ok(Err(Rule::Purpose)));
    }
}

#[test]
fn one_budget_for_all() {
    let signer = Spec::ca("CRLs", "crls", "Root", "root");
    let spent =
        |engine: &mut Engine<'_, KeyIsSignature>| engine.meter.spent.signatures = engine.meter.limits.signatures;
    assert_eq!(signer_path(&signer, &[], Signing::Crls, spent), Err(Limit::Signatures));
}

#[test]
fn the_anchor_is_that_of_the_path() {
    let (leaf, pool) = (CertificateBuf::outline(Spec::leaf("Leaf", "Root", "root").der()).unwrap(), Pool::new());
    let other = Spec::ca("Other", "other", "Other", "other");
    let anchors: Anchors = anchors(&[&root(), &other]);
    let policy = policy();
    let mut engine = Engine::new((&leaf, false), &pool, &anchors, &policy, &KeyIsSignature, Meter::new(policy.budget));
    let signer = CertificateBuf::outline(Spec::ca("CRLs", "crls", "Other", "other").der()).unwrap();
    for (anchor, found) in [(0, false), (1, true)] {
        let mut desk = Desk { engine: &mut engine, chain: &[], anchor, keys: &[], index: 0, assumed: Vec::new() };
        assert_eq!(desk.signer_path(&signer, &[], Signing::Crls).unwrap().is_ok(), found, "RFC 5280 §6.3.3 (f)");
    }
}
