//! Merkle Tree Certificate CAs as anchors (draft-ietf-plants-merkle-tree-certs-07 §7).

use tagwise_mtc::relying::{RelyingParty, TrustedAuthority};
use tagwise_mtc::{CaCertificate, Error};

use super::{Anchor, AnchorConstraints, Anchors};
use crate::pool;

impl Anchor {
    /// Creates an anchor from a Merkle Tree Certificate CA's certificate. Certificates that the CA issued are verified by
    /// [`Verifier::verify_proof`](crate::Verifier::verify_proof). Certificate signatures by its key are not accepted.
    ///
    /// Its only critical extensions may be the CA extension, keyUsage and basicConstraints.
    ///
    /// # Errors
    /// Returns an error if the certificate is malformed, or does not belong to a Merkle Tree Certificate CA.
    pub fn from_mtc(der: &[u8]) -> Result<Self, Error> {
        let ca = CaCertificate::from_der(der)?;
        let name = ca.id.to_distinguished_name(ca.draft).into();
        let certificate =
            pool::read(der).map_err(|error| Error::new(tagwise_mtc::ErrorKind::Der(error.kind()), error.offset()))?;
        Ok(Self {
            name,
            key: ca.key_info.into(),
            certificate: None,
            proofs: Some(certificate),
            constraints: AnchorConstraints::default(),
        })
    }
}

impl Anchors {
    /// Creates a relying party that trusts the set's Merkle Tree Certificate CAs, each as a cosigner of its own certificates. You
    /// can add cosigners, trusted subtrees and revoked ranges.
    ///
    /// # Errors
    /// Does not fail in practice, because the certificates were already decoded.
    pub fn relying_party(&self) -> Result<RelyingParty, Error> {
        let mut party = RelyingParty::new();
        for certificate in self.entries.iter().filter_map(|anchor| anchor.proofs.as_ref()) {
            party.add(TrustedAuthority::new(&CaCertificate::from_der(certificate.as_der())?)?);
        }
        Ok(party)
    }
}
