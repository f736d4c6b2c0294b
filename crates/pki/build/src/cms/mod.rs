//! Builders for all types of CMS messages (RFC 5652). The caller performs signing, hashing, encryption and key wrapping,
//! and passes in the results as bytes.
//!
//! Versions are computed from the content (§5.1, §5.3, §6.1, §7, §8, §9.1). Required attributes are added, and
//! misplaced parts are errors. Messages are encoded in DER, and strictly decoded again before they are returned.
//!
//! For content that does not fit in memory, use [`SignedWriter`], [`EnvelopedWriter`] and [`AuthEnvelopedWriter`], which
//! write BER with indefinite lengths.

mod authenticated;
mod choices;
mod enveloped;
mod piece;
mod plain;
mod recipient;
mod signed;
mod stream;

use tagwise_codec::{OctetStr, Oid, Tag};

pub use authenticated::{Authenticated, AuthenticatedParts, Unauthenticated, authenticated_data};
pub use enveloped::{
    AuthEnvelopedParts, EnvelopedParts, Unsealed, auth_enveloped_data, encrypted_data, enveloped_data,
};
pub use plain::{compressed_data, data, digested_data};
pub use recipient::{Recipient, kem_other_info};
pub use signed::{SignedParts, Signer, UnsignedMessage, certificates_only, signed_data};
pub use stream::{
    AuthEnvelopedWriter, AuthenticatedWriter, CompressedWriter, DigestedWriter, EnvelopedWriter, SignedWriter,
    UnauthenticatedStream, UnsignedStream, WriteError,
};

use super::BuildError;
use piece::Piece;
use tagwise_messages::cms::IssuerAndSerialNumber;
use tagwise_x509::cert::Certificate;

/// Returns the issuer and serial number of a certificate, which identify signers and recipients.
#[must_use]
pub fn issuer_and_serial_number<'a>(certificate: &Certificate<'a>) -> IssuerAndSerialNumber<'a> {
    let tbs = &certificate.tbs_certificate;
    IssuerAndSerialNumber { issuer: tbs.issuer, serial_number: tbs.serial_number.0 }
}

/// Creates `ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT ANY DEFINED BY contentType }`.
fn message<'a>(content_type: Oid<'_>, content: Piece<'a>) -> Result<Piece<'a>, BuildError> {
    Ok(Piece::sequence(vec![Piece::value(&content_type)?, Piece::tagged(0, vec![content])]))
}

/// Creates an OCTET STRING without copying its content.
fn octet_string(octets: &[u8]) -> Piece<'_> {
    Piece::Element(Tag::OCTET_STRING, vec![Piece::octets(OctetStr::new(octets).as_bytes())])
}
