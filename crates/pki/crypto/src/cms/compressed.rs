//! Compressed data (RFC 3274): content as a zlib stream. It is neither signed nor encrypted.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use tagwise_codec::{Decode, Oid};
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::build::cms::compressed_data;
use tagwise_pkix::cms::ContentReader;
use tagwise_pkix::cms::compressed::{ID_ALG_ZLIB_COMPRESS, ID_CT_COMPRESSED_DATA};

use super::CmsError;
use crate::error::named;
use crate::{Error, ErrorKind};

/// The default limit on decompressed content, in bytes.
pub const MAX_DECOMPRESSED: usize = 256 << 20;

/// Compresses content of the given type, with zlib (RFC 3274 §1.1.1).
///
/// ```
/// use tagwise_crypto::cms::{MAX_DECOMPRESSED, compress, decompress};
/// use tagwise_pkix::cms::ID_DATA;
/// let content = [b'a'; 10_000];
/// let message = compress(ID_DATA, &content)?;
/// assert!(message.len() < 100);
/// assert_eq!(decompress(&message, MAX_DECOMPRESSED)?, content);
/// assert!(decompress(&message, 9_999).is_err());
/// # Ok::<(), tagwise_crypto::cms::CmsError>(())
/// ```
///
/// # Errors
/// Returns an error if the message exceeds the limits of the encoder.
pub fn compress(content_type: Oid<'_>, content: &[u8]) -> Result<Vec<u8>, CmsError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    Ok(compressed_data(content_type, &encoder.finish()?)?)
}

/// Decompresses a message in BER or DER to at most `limit` bytes.
///
/// # Errors
/// Returns [`CmsError::Limit`] if the content is larger than the limit. Also fails if the message is malformed or of another
/// type, if the algorithm is not zlib, or if the stream is truncated, damaged or followed by other bytes.
pub fn decompress(message: &[u8], limit: usize) -> Result<Vec<u8>, CmsError> {
    let mut reader = ContentReader::new(message)?;
    let invalid = |what| CmsError::Invalid { what, clause: "RFC 3274 §1.1" };
    if reader.kind() != ID_CT_COMPRESSED_DATA {
        return Err(invalid("expected compressed data"));
    }
    let algorithm = reader.algorithm().ok_or(invalid("expected a compression algorithm"))?;
    let malformed = CmsError::malformed("the compression algorithm");
    let algorithm = AlgorithmIdentifier::from_der(algorithm).map_err(malformed)?.algorithm;
    if algorithm != ID_ALG_ZLIB_COMPRESS {
        return Err(Error::new(ErrorKind::Unsupported, named(algorithm)).into());
    }
    let mut compressed = Vec::new();
    reader.read_to_end(&mut compressed).map_err(super::of_stream)?;
    reader.finish()?;
    // One byte more than the limit tells content at the limit from content beyond it.
    let mut decoder = ZlibDecoder::new(&compressed[..]);
    let mut content = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = Read::by_ref(&mut decoder).take(most).read_to_end(&mut content);
    read.map_err(|_| invalid("the zlib stream is truncated or damaged"))?;
    if content.len() > limit {
        return Err(CmsError::Limit { what: "decompressed content" });
    }
    if !decoder.into_inner().is_empty() {
        return Err(invalid("bytes follow the zlib stream"));
    }
    Ok(content)
}

/// Returns whether a message is compressed data.
#[must_use]
pub fn is_compressed(message: &[u8]) -> bool {
    ContentReader::new(message).is_ok_and(|reader| reader.kind() == ID_CT_COMPRESSED_DATA)
}

#[cfg(test)]
mod tests {
    use tagwise_pkix::cms::ID_DATA;

    use super::*;

    #[test]
    fn content_survives_and_the_limit_is_exact() {
        for content in [&b""[..], b"a", &[7; 100_000]] {
            let message = compress(ID_DATA, content).unwrap();
            assert!(is_compressed(&message));
            assert_eq!(decompress(&message, content.len()).unwrap(), content);
            if !content.is_empty() {
                let refused = decompress(&message, content.len() - 1);
                assert!(matches!(refused, Err(CmsError::Limit { .. })));
            }
        }
    }

    #[test]
    fn damaged_streams_are_rejected() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"Some content, some content").unwrap();
        let stream = encoder.finish().unwrap();
        let of = |stream: &[u8]| decompress(&compressed_data(ID_DATA, stream).unwrap(), 1000);
        assert!(of(&stream).is_ok());
        assert!(of(&stream[..stream.len() - 1]).is_err());
        assert!(of(&[&stream[..], b"x"].concat()).is_err());
        let mut changed = stream.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(of(&changed).is_err());
        assert!(decompress(&tagwise_pkix::build::cms::data(&stream).unwrap(), 1000).is_err());
    }
}
