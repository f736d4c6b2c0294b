//! Authenticated data (RFC 5652 §9): unencrypted content with a MAC whose key the recipients share.

use tagwise_codec::{Any, Oid, ber, encode};
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::build::cms::{Authenticated, AuthenticatedParts, authenticated_data};
use tagwise_pkix::cms::{
    Attribute, Content, ContentInfo, ID_CONTENT_TYPE, ID_DATA, ID_MESSAGE_DIGEST, algorithms::HMAC_SHA1,
};

use super::confusion::refuse_attributes;
use super::decrypt::content_keys;
use super::encrypt::{agreed_key, listed, made_for};
use super::signer_info::once;
use super::{CmsError, DecryptOptions, RecipientKey, Unlock};
use crate::derivation::{HMACS, hmac_of};
use crate::primitives::is_same;
use crate::{Backend, Digest, Error, ErrorKind, Secret};

fn mac(backend: &dyn Backend, digest: Digest, key: &Secret, octets: &[u8]) -> Result<Vec<u8>, Error> {
    let mut hmac = backend.hmac(digest, key.expose())?;
    hmac.update(octets);
    hmac.finish()
}

/// Creates authenticated data in DER, with an HMAC under a new key for all recipients. The content type and digest are
/// authenticated attributes.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{Digest, backends::AwsLc};
/// use tagwise_crypto::cms::{DecryptOptions, RecipientKey, Unlock, authenticate, verify_mac};
/// let backend = AwsLc::new();
/// let shared = RecipientKey::SharedKey { id: b"key 1", key: &[7; 32] };
/// let message = authenticate(&backend, b"what is said", &[shared], Digest::Sha256)?;
/// let unlock = Unlock::SharedKey { id: None, key: &[7; 32] };
/// assert_eq!(verify_mac(&backend, &message, None, &unlock, &DecryptOptions::DEFAULT)?, b"what is said");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for digests other than SHA-256, SHA-384 and SHA-512, or any error from
/// [`encrypt`](super::encrypt).
pub fn authenticate(
    backend: &dyn Backend,
    content: &[u8],
    recipients: &[RecipientKey<'_>],
    digest: Digest,
) -> Result<Vec<u8>, CmsError> {
    let algorithm = HMACS.iter().find(|(_, other)| *other == digest).map(|(oid, _)| *oid);
    let strong = matches!(digest, Digest::Sha256 | Digest::Sha384 | Digest::Sha512);
    let algorithm = algorithm.filter(|_| strong);
    let algorithm = algorithm.ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("HMAC with {digest}")))?;
    let mut key = Secret::zeroed(digest.output_len());
    backend.random(key.expose_mut())?;
    let made = made_for(backend, recipients, &key)?;
    let keys: Vec<_> = made.iter().map(agreed_key).collect();
    let list = listed(&made, &keys)?;
    let hash = backend.digest(digest, content)?;
    let parts = AuthenticatedParts {
        originator_info: None,
        recipients: &list,
        content_type: ID_DATA,
        mac_algorithm: AlgorithmIdentifier { algorithm, parameters: Some(Any::null(0)) },
        authenticated: Some(Authenticated {
            digest_algorithm: AlgorithmIdentifier { algorithm: digest.oid(), parameters: None },
            digest: &hash,
            attrs: &[],
        }),
        unauth_attrs: &[],
    };
    let unsigned = authenticated_data(&parts, Some(content))?;
    let tag = mac(backend, digest, &key, unsigned.tbs().unwrap_or_default())?;
    Ok(unsigned.attach(&tag)?)
}

/// Verifies the MAC of authenticated data in BER or DER, and returns the content. Pass detached content in `content`.
///
/// # Errors
/// Returns [`CmsError::NoRecipient`] if the message is not for this key, [`ErrorKind::Integrity`] if the MAC does not
/// match, and [`CmsError::Digest`] if the digest does not match. Also fails if the message is malformed or of a different
/// type.
pub fn verify_mac(
    backend: &dyn Backend,
    message: &[u8],
    content: Option<&[u8]>,
    unlock: &Unlock<'_>,
    options: &DecryptOptions,
) -> Result<Vec<u8>, CmsError> {
    let malformed = CmsError::malformed("the message");
    let der = ber::to_der::<ContentInfo<'_>>(ber::unpadded(message)).map_err(malformed)?;
    let info: ContentInfo<'_> = der.decode().map_err(malformed)?;
    let Content::AuthenticatedData(data) = info.content.get().map_err(malformed)? else {
        return Err(CmsError::Invalid { what: "expected authenticated data", clause: "RFC 5652 §9" });
    };
    let encapsulated = &data.encap_content_info;
    let inside = encapsulated.e_content.map(|content| content.as_bytes());
    let content = inside.or(content).ok_or(CmsError::NoContent)?;
    // RFC 3370 §3.1 has an identifier of its own for HMAC with SHA-1.
    let digest = match &data.mac_algorithm {
        algorithm if algorithm.algorithm == HMAC_SHA1 => Digest::Sha1,
        algorithm => hmac_of(algorithm)?,
    };
    let mut recipients = Vec::new();
    for recipient in data.recipient_infos.0.iter() {
        recipients.push(encode(&recipient.map_err(malformed)?)?);
    }
    let authenticated = match &data.auth_attrs {
        None => {
            let plain = encapsulated.e_content_type == ID_DATA;
            CmsError::demand(
                plain,
                "a content type other than id-data requires authenticated attributes",
                "RFC 5652 §9.1",
            )?;
            // The MAC is of the content as it would be of attributes (RFC 5652 §9.2).
            refuse_attributes(content)?;
            content.to_vec()
        }
        Some(attributes) => {
            once(&attributes.0, "authenticated attributes")?;
            let value = |id: Oid<'_>| -> Result<Option<Any<'_>>, CmsError> {
                let found = attributes.0.iter().find(|found| match found {
                    Ok(Attribute { attr_type, .. }) => *attr_type == id,
                    Err(_) => true,
                });
                let Some(found) = found.transpose().map_err(malformed)? else { return Ok(None) };
                let mut values = found.attr_values.iter();
                match (values.next().transpose().map_err(malformed)?, values.next()) {
                    (Some(only), None) => Ok(Some(only)),
                    _ => Ok(None),
                }
            };
            let content_type = value(ID_CONTENT_TYPE)?.map(|value| value.decode_as::<Oid<'_>>());
            let content_type = content_type.transpose().map_err(malformed)?;
            let same = content_type == Some(encapsulated.e_content_type);
            CmsError::demand(same, "the authenticated content type is missing or differs", "RFC 5652 §9.1, §11.1")?;
            let wanted = CmsError::Invalid { what: "the digest of the content is missing", clause: "RFC 5652 §9.1" };
            let Some(algorithm) = &data.digest_algorithm else { return Err(wanted) };
            let Some(signed) = value(ID_MESSAGE_DIGEST)? else { return Err(wanted) };
            let signed: tagwise_codec::OctetStr<'_> = signed.decode_as().map_err(malformed)?;
            if !is_same(&backend.digest(Digest::from_identifier(algorithm)?, content)?, &signed) {
                return Err(CmsError::Digest);
            }
            encode(attributes)?
        }
    };
    for key in content_keys(backend, &recipients, unlock, digest.output_len(), options)? {
        if is_same(&mac(backend, digest, &key, &authenticated)?, &data.mac) {
            return Ok(content.to_vec());
        }
    }
    Err(Error::new(ErrorKind::Integrity, format_args!("HMAC with {digest}")).into())
}
