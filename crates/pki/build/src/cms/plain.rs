//! Data (RFC 5652 §4), digested data (§7), and compressed data (RFC 3274).

use tagwise_codec::{Decode, Oid, encode};

use super::piece::Piece;
use super::{message, octet_string};
use crate::{BuildError, digest};
use tagwise_messages::cms::compressed::{ID_ALG_ZLIB_COMPRESS, ID_CT_COMPRESSED_DATA};
use tagwise_messages::cms::{CmsVersion, ContentInfo, ID_DATA, ID_DIGESTED_DATA};
use tagwise_x509::alg::AlgorithmIdentifier;

/// Builds a plain data message.
///
/// ```
/// use tagwise_build::cms;
/// let der = cms::data(b"Hi")?;
/// assert_eq!(der[..2], [0x30, 0x11]);
/// assert!(der.ends_with(b"\xA0\x04\x04\x02Hi"));
/// # Ok::<(), tagwise_build::BuildError>(())
/// ```
///
/// # Errors
/// Returns an error if the message exceeds [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT).
pub fn data(content: &[u8]) -> Result<Vec<u8>, BuildError> {
    finish(&message(ID_DATA, octet_string(content))?)
}

/// Builds digested data from a digest computed by the caller. If there is no content, the result is detached.
///
/// # Errors
/// Returns an error if the digest does not have its algorithm's length, or the content does not match its type.
pub fn digested_data(
    content_type: Oid<'_>,
    content: Option<&[u8]>,
    algorithm: &AlgorithmIdentifier<'_>,
    digest: &[u8],
) -> Result<Vec<u8>, BuildError> {
    digest::check(algorithm, digest, "RFC 5652 §7")?;
    // §7: the version follows from the type.
    let version = if content_type == ID_DATA { CmsVersion::V0 } else { CmsVersion::V2 };
    let digested = Piece::sequence(vec![
        Piece::value(&version)?,
        Piece::value(algorithm)?,
        encapsulated(content_type, content)?,
        octet_string(digest),
    ]);
    finish(&message(ID_DIGESTED_DATA, digested)?)
}

/// Builds compressed data from a zlib stream (RFC 1950), the only format defined for CMS.
///
/// # Errors
/// Returns an error if the first two bytes are not those of a zlib stream, or the message exceeds
/// [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT).
pub fn compressed_data(content_type: Oid<'_>, compressed: &[u8]) -> Result<Vec<u8>, BuildError> {
    // RFC 1950 §2.2: method 8, a window of at most 32 KiB, no dictionary, and a check sum over the two octets.
    let zlib = matches!(compressed, [first, second, ..]
        if first & 0x0F == 8 && first >> 4 <= 7 && second & 0x20 == 0
            && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0);
    super::super::error::demand(zlib, "the compressed content is not a zlib stream", "RFC 3274 §2")?;
    let algorithm = AlgorithmIdentifier { algorithm: ID_ALG_ZLIB_COMPRESS, parameters: None };
    let content = Piece::sequence(vec![
        Piece::value(&CmsVersion::V0)?,
        Piece::value(&algorithm)?,
        encapsulated(content_type, Some(compressed))?,
    ]);
    finish(&message(ID_CT_COMPRESSED_DATA, content)?)
}

/// Encodes `EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }`.
pub(super) fn encapsulated<'a>(content_type: Oid<'_>, content: Option<&'a [u8]>) -> Result<Piece<'a>, BuildError> {
    let mut inside = vec![Piece::value(&content_type)?];
    if let Some(content) = content {
        inside.push(Piece::tagged(0, vec![octet_string(content)]));
    }
    Ok(Piece::sequence(inside))
}

/// Encodes the message and decodes it again as a check.
pub(super) fn finish(message: &Piece<'_>) -> Result<Vec<u8>, BuildError> {
    let der = encode(message)?;
    ContentInfo::from_der(&der)?;
    Ok(der)
}
