//! Digested data (RFC 5652 §7): content with a digest, which only detects accidental damage.

use tagwise_codec::ber;
use tagwise_pkix::cms::{Content, ContentInfo};

use super::CmsError;
use crate::primitives::is_same;
use crate::{Backend, Digest};

/// Verifies digested data in BER or DER, and returns the content. Pass detached content in `content`.
///
/// # Errors
/// Returns [`CmsError::Digest`] if the digest does not match. Also fails if the message is malformed or has a different type,
/// or if the algorithm is not supported.
pub fn verify_digest(backend: &dyn Backend, message: &[u8], content: Option<&[u8]>) -> Result<Vec<u8>, CmsError> {
    let malformed = CmsError::malformed("the message");
    let der = ber::to_der::<ContentInfo<'_>>(ber::unpadded(message)).map_err(malformed)?;
    let info: ContentInfo<'_> = der.decode().map_err(malformed)?;
    let Content::DigestedData(digested) = info.content.get().map_err(malformed)? else {
        return Err(CmsError::Invalid { what: "expected digested data", clause: "RFC 5652 §7" });
    };
    let digest = Digest::from_identifier(&digested.digest_algorithm)?;
    let inside = digested.encap_content_info.e_content.map(|content| content.as_bytes());
    let content = inside.or(content).ok_or(CmsError::NoContent)?;
    if is_same(&backend.digest(digest, content)?, &digested.digest) {
        Ok(content.to_vec())
    } else {
        Err(CmsError::Digest)
    }
}
