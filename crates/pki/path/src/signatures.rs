//! Cached signature checks, once per pair of key and certificate.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::anchors::Anchor;
use crate::budget::Limit;
use crate::cert::Cert;
use crate::refusal::Refusal;
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::{SignatureFault, Verifier};

/// Cached signature results, identified by a randomly keyed hash of the verified data.
#[derive(Default)]
pub(crate) struct Signatures {
    known: HashMap<u128, Result<(), SignatureFault>>,
    /// Results for data that outlives the call, identified by its address and the key.
    kept: HashMap<u128, Result<(), SignatureFault>>,
    hashers: [RandomState; 2],
}

impl<'p, V: Verifier + ?Sized> Engine<'p, V> {
    /// Applies §6.1.3 (a)(1): checks that a certificate is signed with a key.
    pub(crate) fn signed(
        &mut self,
        cert: &Cert<'p>,
        key: &SubjectPublicKeyInfo<'_>,
    ) -> Result<Result<(), Refusal>, Limit> {
        let certificate = &cert.certificate;
        let Some(signature) = certificate.signature_value.octets() else {
            let fault = Refusal::new(Rule::Signature, "the signature is not a whole number of bytes");
            return Ok(Err(fault.at(cert.signature_offset())));
        };
        let message = certificate.tbs_certificate.as_bytes();
        let checked = self.verify_kept(cert.der(), key, &certificate.signature_algorithm, message, signature)?;
        Ok(checked.map_err(|fault| {
            let (rule, offset) = match fault {
                SignatureFault::Wrong => (Rule::Signature, cert.signature_offset()),
                _ => (Rule::SignatureAlgorithm, cert.algorithm_offset()),
            };
            placed(&fault, rule, offset)
        }))
    }

    /// Checks the topmost of `count` certificates against its anchor, like `signed`. An anchor may require proofs instead of
    /// signatures.
    pub(crate) fn issued(
        &mut self,
        anchor: &Anchor,
        cert: &Cert<'p>,
        key: &SubjectPublicKeyInfo<'_>,
        count: usize,
    ) -> Result<Result<(), Refusal>, Limit> {
        if anchor.proofs().is_none() {
            return self.signed(cert, key);
        }
        if count > 1 {
            // draft-ietf-plants-merkle-tree-certs-07 §7: a log contains what its CA issues, but not what CAs below it issue.
            let fault = Refusal::new(Rule::PathLength, "a CA below a Merkle Tree Certificate CA is not trusted");
            return Ok(Err(fault.at(cert.signature_offset())));
        }
        self.meter.signatures(1)?;
        let checked = self.verifier.verify_proof(anchor.key(), cert.der(), self.policy.time);
        Ok(checked.map_err(|fault| match fault {
            SignatureFault::Unsupported(_) => placed(&fault, Rule::SignatureAlgorithm, cert.algorithm_offset()),
            _ => placed(&fault, Rule::Signature, cert.signature_offset()),
        }))
    }

    /// Checks a signature, or returns the cached result.
    pub(crate) fn verify(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), SignatureFault>, Limit> {
        let what = (
            (key.algorithm.algorithm.as_bytes(), parameters(&key.algorithm), key.subject_public_key.as_bytes()),
            (algorithm.algorithm.as_bytes(), parameters(algorithm)),
            message,
            signature,
        );
        let id = self.signatures.id(&what);
        if let Some(known) = self.signatures.known.get(&id) {
            self.meter.spent.cached_signatures += 1;
            return Ok(known.clone());
        }
        self.meter.signatures(1)?;
        let checked = self.verifier.verify(key, algorithm, message, signature);
        self.signatures.known.insert(id, checked.clone());
        Ok(checked)
    }

    /// Checks a signature like `verify`, but for certificates, CRLs and OCSP responses, which outlive the call and may be long. They are
    /// identified by the address of `owner`, so that they need not be hashed.
    pub(crate) fn verify_kept(
        &mut self,
        owner: &[u8],
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), SignatureFault>, Limit> {
        let what = (
            (owner.as_ptr() as usize, owner.len()),
            (key.algorithm.algorithm.as_bytes(), parameters(&key.algorithm)),
            key.subject_public_key.as_bytes(),
        );
        let id = self.signatures.id(&what);
        if let Some(known) = self.signatures.kept.get(&id) {
            self.meter.spent.cached_signatures += 1;
            return Ok(known.clone());
        }
        self.meter.signatures(1)?;
        let checked = self.verifier.verify(key, algorithm, message, signature);
        self.signatures.kept.insert(id, checked.clone());
        Ok(checked)
    }
}

/// A signature that the verifier cannot check is neither right nor wrong.
fn placed(fault: &SignatureFault, rule: Rule, offset: usize) -> Refusal {
    let placed = Refusal::new(rule, fault.to_string()).at(offset);
    if matches!(fault, SignatureFault::Unsupported(_)) { placed.undecided() } else { placed }
}

fn parameters<'a>(algorithm: &AlgorithmIdentifier<'a>) -> Option<&'a [u8]> {
    algorithm.parameters.map(|any| any.as_bytes())
}

impl Signatures {
    fn id(&self, what: &impl core::hash::Hash) -> u128 {
        let [high, low] = self.hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(what)));
        high << 64 | low
    }
}
