//! CAs of Merkle Tree Certificates as anchors (draft-ietf-plants-merkle-tree-certs-07 §7).

use tagwise_mtc::relying::{RelyingParty, TrustedAuthority};
use tagwise_mtc::{CaCertificate, Error};

use super::{Anchor, AnchorConstraints, Anchors};
use crate::pool;

impl Anchor {
    /// Makes an anchor from the certificate of a CA of Merkle Tree Certificates. What it issues is verified by
    /// [`Verifier::verify_proof`](crate::Verifier::verify_proof), and no signature of it on a certificate counts.
    ///
    /// Its critical extensions are the CA's, keyUsage and basicConstraints; with others it is no anchor.
    ///
    /// # Errors
    /// If it is malformed, or of another kind of CA.
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
    /// A relying party that trusts the CAs of Merkle Tree Certificates among the anchors, each for its own signature. Cosigners, trusted
    /// subtrees and revoked ranges may be added.
    ///
    /// # Errors
    /// None known: their certificates were read before.
    pub fn relying_party(&self) -> Result<RelyingParty, Error> {
        let mut party = RelyingParty::new();
        for certificate in self.entries.iter().filter_map(|anchor| anchor.proofs.as_ref()) {
            party.add(TrustedAuthority::new(&CaCertificate::from_der(certificate.as_der())?)?);
        }
        Ok(party)
    }
}
