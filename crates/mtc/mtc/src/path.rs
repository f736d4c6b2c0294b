//! Certification paths that end in Merkle Tree Certificate CAs (draft-ietf-plants-merkle-tree-certs-07 §7, feature `path`).

use alloc::string::ToString;

use tagwise_path::{Anchor, Anchors, SignatureFault, Verifier};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};

use crate::relying::{RelyingParty, SignatureCheck, TrustedAuthority};
use crate::{CaCertificate, Error, MtcCertificate};

/// Marks the anchors that are Merkle Tree Certificate CAs. Certificates that such a CA issued are verified by
/// [`Verifier::verify_proof`], and certificate signatures by its key are not accepted. Without this, they would be ordinary
/// anchors, which sign no certificates.
#[must_use]
pub fn recognize(anchors: Anchors) -> Anchors {
    anchors.map(|anchor| match anchor.certificate() {
        Some(certificate) if CaCertificate::from_der(certificate.as_der()).is_ok() => anchor.with_proofs(),
        _ => anchor,
    })
}

/// Creates an anchor from a Merkle Tree Certificate CA's certificate, like [`recognize`].
///
/// Its only critical extensions may be the CA extension, keyUsage and basicConstraints.
///
/// # Errors
/// Returns an error if the certificate is malformed, or does not belong to a Merkle Tree Certificate CA.
pub fn anchor_from_der(der: &[u8]) -> Result<Anchor, Error> {
    CaCertificate::from_der(der)?;
    let anchor = Anchor::from_certificate(der);
    Ok(anchor.map_err(|error| Error::new(crate::ErrorKind::Der(error.kind()), error.offset()))?.with_proofs())
}

/// Creates a relying party that trusts the Merkle Tree Certificate CAs among the anchors, each for its own signature. You
/// can add cosigners, trusted subtrees and revoked ranges.
///
/// # Errors
/// Does not fail in practice, because the certificates were already decoded.
pub fn relying_party(anchors: &Anchors) -> Result<RelyingParty, Error> {
    let mut party = RelyingParty::new();
    for certificate in anchors.iter().filter_map(Anchor::proofs) {
        party.add(TrustedAuthority::new(&CaCertificate::from_der(certificate.as_der())?)?);
    }
    Ok(party)
}

/// A [`Verifier`] that checks Merkle Tree Certificate proofs with a relying party, and signatures with another
/// verifier.
///
/// ```
/// use tagwise_mtc::path::{MtcVerifier, recognize, relying_party};
/// use tagwise_mtc::relying::SignatureCheck;
/// use tagwise_path::{Anchors, Verifier};
///
/// fn check(signatures: &dyn Verifier, cosignatures: &dyn SignatureCheck) {
///     let mut anchors = Anchors::new();
///     // The CAs' certificates.
///     anchors.read(b"");
///     let party = relying_party(&recognize(anchors)).unwrap();
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
