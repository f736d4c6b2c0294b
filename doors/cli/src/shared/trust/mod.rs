//! Trust: anchors, revocation evidence and the verdict on a certificate, for every command that validates certificates.
//!
//! Paths are built and validated by `tagwise-path`. This module reads the files named by options, and writes the verdict as
//! text and JSON.

mod anchors;
mod certificates;
mod choice;
mod evidence;
mod policy;
mod signer;
mod text;
mod verdict;

pub(crate) use anchors::{Origin, configure, keep_self_signed, read as read_anchors, relying_party};
pub(crate) use certificates::{
    CertificateSource, certificates, certificates_in, first_certificate, in_pieces, nothing, pool,
};
pub(crate) use choice::Choice;
pub(crate) use evidence::{EvidenceArgs, evidence_in};
pub(crate) use policy::{ProfileName, Purpose, Signatures, allow, enforce};
pub(crate) use signer::{Beside, Judged, SignerTrust, TrustArgs, authority};
pub(crate) use text::Text;
pub(crate) use verdict::{Answer, Document, Verdict, document, document_as};
