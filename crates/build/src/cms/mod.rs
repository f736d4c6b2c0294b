//! Messages of CMS (RFC 5652) of every kind. What signs, digests, encrypts and wraps keys is elsewhere: octets of it come in.
//!
//! Versions are no parameters: they follow from what is in a message (§5.1, §5.3, §6.1, §7, §8, §9.1), and are computed. Attributes
//! that a standard asks for are added; what may not stand where it is put is refused. Messages are DER, and are read again as
//! strictly as any before they are given away.
//!
//! For content that is larger than memory there are [`SignedWriter`], [`EnvelopedWriter`] and [`AuthEnvelopedWriter`], which write
//! BER with indefinite lengths.

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

/// A certificate by its issuer and serial number, as signers and recipients are named.
#[must_use]
pub fn issuer_and_serial_number<'a>(certificate: &Certificate<'a>) -> IssuerAndSerialNumber<'a> {
    let tbs = &certificate.tbs_certificate;
    IssuerAndSerialNumber { issuer: tbs.issuer, serial_number: tbs.serial_number.0 }
}

/// `ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT ANY DEFINED BY contentType }`
fn message<'a>(content_type: Oid<'_>, content: Piece<'a>) -> Result<Piece<'a>, BuildError> {
    Ok(Piece::sequence(vec![Piece::value(&content_type)?, Piece::tagged(0, vec![content])]))
}

/// `OCTET STRING`, without a copy of its content.
fn octet_string(octets: &[u8]) -> Piece<'_> {
    Piece::Element(Tag::OCTET_STRING, vec![Piece::octets(OctetStr::new(octets).as_bytes())])
}
