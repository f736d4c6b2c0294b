//! Merkle Tree Certificates in paths: the official demo's, below its CA as an anchor.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

use std::path::Path;

use tagwise_codec::pem;
use tagwise_codec::text::hex;
use tagwise_crypto::backends::AwsLc;
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::path::{MtcVerifier, anchor_from_der, recognize, relying_party};
use tagwise_mtc::relying::{Cosigner, RelyingParty};
use tagwise_mtc::{CaCertificate, CosignerAlgorithm};
use tagwise_path::{Anchor, Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, Rule, RuleSet, verify};
use tagwise_pkix::UnixTime;
use tagwise_testing::corpus;

const NOW: UnixTime = UnixTime(1_790_000_000);

fn certificate(path: &Path) -> Vec<u8> {
    let text = std::fs::read(path).unwrap();
    let mut blocks = pem::blocks(&text).map(Result::unwrap);
    blocks.find(|block| block.label() == "CERTIFICATE").unwrap().decode().unwrap()
}

struct Demo {
    ca: Vec<u8>,
    standalone: Vec<u8>,
    landmark: Vec<u8>,
    /// The key of 32473.2.1.
    cosigner: Vec<u8>,
}

fn demo() -> Option<Demo> {
    let folder = corpus("mtc/reference-demo-07")?;
    let keys = corpus("mtc/mtcs-0.3.1/keys")?;
    let key = std::fs::read_to_string(keys.join("C_32473_2_1.hex")).unwrap();
    Some(Demo {
        ca: certificate(&folder.join("mtc-ca-cert.pem")),
        standalone: certificate(&folder.join("standalone.pem")),
        landmark: certificate(&folder.join("landmark-extra-cosignatures.pem")),
        cosigner: hex::decode(key.trim().as_bytes()).unwrap(),
    })
}

fn policy() -> Policy {
    Policy::new(&Profile::RFC5280, NOW)
}

/// The rule that ended the only candidate, and its message; `None` for a valid path.
fn refused(leaf: &[u8], anchors: &Anchors, policy: &Policy, party: RelyingParty) -> Option<(Rule, String)> {
    let backend = AwsLc::new();
    let (signatures, cosignatures) = (CryptoVerifier(&backend), BackendCheck::new(&backend));
    let verifier = MtcVerifier { signatures: &signatures, party: &party, cosignatures: &cosignatures };
    let report = verify::path(leaf, &Pool::new(), anchors, policy, &verifier).err()?;
    let refusal = &report.explanation().candidates[0].refusal;
    Some((refusal.rule, refusal.message.clone()))
}

fn anchors(ca: &[u8]) -> Anchors {
    let mut anchors = Anchors::new();
    assert!(anchors.read(ca).is_empty());
    assert_eq!(anchors.len(), 1);
    recognize(anchors)
}

#[test]
fn a_proof_in_the_place_of_a_signature() {
    let Some(demo) = demo() else { return };
    let anchors = anchors(&demo.ca);
    assert!(anchors.iter().all(|anchor| anchor.proofs().is_some()));
    let party = || relying_party(&anchors).unwrap();
    assert_eq!(refused(&demo.standalone, &anchors, &policy(), party()), None);
    // A subtree that is not known, and no signature.
    let (rule, message) = refused(&demo.landmark, &anchors, &policy(), party()).unwrap();
    assert_eq!((rule, message.contains("no valid signature of the CA")), (Rule::Signature, true), "{message}");
    let mut informed = party();
    informed.configure("32473.1 1 0 32 h8Kw2BqVjlYaB3esivVVSwmRQfwVIb6E71DEeK3YQwc=").unwrap();
    assert_eq!(refused(&demo.landmark, &anchors, &policy(), informed.clone()), None);
    informed.configure("revoke-range 32473.1 1:0 1:max").unwrap();
    let (rule, message) = refused(&demo.standalone, &anchors, &policy(), informed).unwrap();
    assert_eq!((rule, message.contains("revoked")), (Rule::Signature, true), "{message}");

    // Cosigners, as the policy asks for them.
    let mut strict = party();
    let cosigner = Cosigner::new("32473.2.1".parse().unwrap(), CosignerAlgorithm::EcdsaP256, &demo.cosigner);
    strict.policy_mut().add_cosigner(cosigner.unwrap()).unwrap();
    strict.configure("group w all 32473.2.1\nrequire-cosigners all w").unwrap();
    assert_eq!(refused(&demo.standalone, &anchors, &policy(), strict.clone()), None);
    // A byte of the subject's key.
    let mut other = demo.standalone.clone();
    let at = other.windows(3).position(|start| start == [0x03, 0x42, 0x00]).unwrap();
    other[at + 10] ^= 1;
    let (rule, message) = refused(&other, &anchors, &policy(), strict).unwrap();
    assert_eq!((rule, message.contains("no valid signature of the CA")), (Rule::Signature, true), "{message}");
}

/// The rest of path validation is what it is for others.
#[test]
fn the_other_rules_hold() {
    let Some(demo) = demo() else { return };
    let anchors = anchors(&demo.ca);
    let party = || relying_party(&anchors).unwrap();
    let mut named = policy();
    named.names.push(ExpectedName::dns("nowhere.example.org").unwrap());
    assert_eq!(refused(&demo.standalone, &anchors, &named, party()).unwrap().0, Rule::PeerName);
    let mut late = policy();
    late.time = UnixTime(2_000_000_000);
    assert_eq!(refused(&demo.standalone, &anchors, &late, party()).unwrap().0, Rule::Validity);
    // The certificate's validity is let be, and the CA's is not.
    late.rules = late.rules.without(Rule::Validity);
    assert_eq!(refused(&demo.standalone, &anchors, &late, party()).unwrap().0, Rule::AnchorValidity);
    late.rules = late.rules.without(Rule::AnchorValidity);
    assert_eq!(refused(&demo.standalone, &anchors, &late, party()), None);
    // ML-DSA is no key of the Web's certificates; that of a cosigner is the relying party's affair.
    let mut web = Policy::new(&Profile::WEBPKI, NOW);
    web.rules = RuleSet::FIXED.with(Rule::KeySize);
    assert_eq!(refused(&demo.standalone, &anchors, &web, party()), None);
}

/// Whoever checks no proofs accepts none, and no proof counts below an anchor of another kind.
#[test]
fn nobody_else_accepts_proofs() {
    let Some(demo) = demo() else { return };
    let anchors = anchors(&demo.ca);
    let backend = AwsLc::new();
    let report = verify::path(&demo.standalone, &Pool::new(), &anchors, &policy(), &CryptoVerifier(&backend));
    assert_eq!(report.unwrap_err().explanation().candidates[0].refusal.rule, Rule::SignatureAlgorithm);
    let ca = CaCertificate::from_der(&demo.ca).unwrap();
    let plain = Anchor::from_key(&ca.id.to_distinguished_name(ca.draft), ca.key_info).unwrap();
    let plain: Anchors = [plain].into_iter().collect();
    let party = || relying_party(&anchors).unwrap();
    assert_eq!(refused(&demo.standalone, &plain, &policy(), party()).unwrap().0, Rule::SignatureAlgorithm);
    // The same ID with another key: the relying party's CA is not the anchor.
    let mut other = demo.ca.clone();
    let at = other.windows(5).position(|start| start == [0x03, 0x82, 0x05, 0x21, 0x00]).unwrap();
    other[at + 100] ^= 1;
    let other = self::anchors(&other);
    let (rule, message) = refused(&demo.standalone, &other, &policy(), party()).unwrap();
    assert_eq!((rule, message.contains("this key")), (Rule::Signature, true), "{message}");
    // A CA's certificate with proofs below it is refused: the second certificate of a path.
    assert!(anchor_from_der(&demo.standalone).is_err());
}
