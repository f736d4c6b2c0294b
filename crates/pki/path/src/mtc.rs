//! Verification of Merkle Tree Certificate proofs by a relying party.

use tagwise_mtc::MtcCertificate;
use tagwise_mtc::relying::{RelyingParty, SignatureCheck};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};

use crate::verifier::{SignatureFault, Verifier};

/// A [`Verifier`] that checks Merkle Tree Certificate proofs with a relying party, and signatures with another
/// verifier.
///
/// ```
/// use tagwise_mtc::relying::SignatureCheck;
/// use tagwise_path::{Anchors, MtcVerifier, Verifier};
///
/// fn check(signatures: &dyn Verifier, cosignatures: &dyn SignatureCheck) {
///     let mut anchors = Anchors::new();
///     // The CAs' certificates.
///     anchors.read(b"");
///     let party = anchors.relying_party().unwrap();
///     // Cosigners, groups, trusted subtrees: `party.configure(text)`.
///     let verifier = MtcVerifier { signatures, party: &party, cosignatures };
/// #   let _ = verifier;
/// }
/// ```
#[derive(Clone, Copy)]
pub struct MtcVerifier<'a> {
    /// The verifier for signatures.
    pub signatures: &'a dyn Verifier,
    /// The relying party with its trusted CAs.
    pub party: &'a RelyingParty,
    /// The verifier for cosignatures.
    pub cosignatures: &'a dyn SignatureCheck,
}

impl core::fmt::Debug for MtcVerifier<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "MtcVerifier({} CAs)", self.party.authorities().count())
    }
}

impl Verifier for MtcVerifier<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        self.signatures.verify(key, algorithm, message, signature)
    }

    fn verify_proof(&self, ca_key: &[u8], certificate: &[u8], time: UnixTime) -> Result<(), SignatureFault> {
        let refused = |reason: &dyn core::fmt::Display| SignatureFault::Refused(reason.to_string());
        let read = MtcCertificate::from_der(certificate).map_err(|error| refused(&error))?;
        // The CA of the path and the relying party's are one: an ID has one key (MTC §5.3).
        let authority = self.party.authority(read.issuer());
        if authority.is_none_or(|authority| authority.cosigner().key_info() != ca_key) {
            return Err(refused(&"the relying party has no CA with this key"));
        }
        let outcome = self.party.verify_proof(certificate, Some(time), self.cosignatures);
        outcome.result.map(drop).map_err(|refusal| refused(&refusal))
    }
}
