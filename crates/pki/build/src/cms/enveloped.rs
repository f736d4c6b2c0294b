//! Enveloped, encrypted, and authenticated-enveloped data (RFC 5652 §6, §8; RFC 5083).

use tagwise_codec::{Any, Decode, Oid, SetOf, Tag, encode};

use super::choices::{AttributePlacement, Kinds, as_set, attributes, check_attributes, retag};
use super::piece::Piece;
use super::plain::finish;
use super::recipient::{Needs, Recipient, recipients};
use super::{message, octet_string};
use crate::BuildError;
use tagwise_messages::cms::auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA;
use tagwise_messages::cms::{
    Attribute, CmsVersion, ID_CONTENT_TYPE, ID_DATA, ID_ENCRYPTED_DATA, ID_ENVELOPED_DATA, OriginatorInfo,
};
use tagwise_x509::alg::AlgorithmIdentifier;

/// The parts of enveloped data, except for the encrypted content.
#[derive(Clone, Copy, Debug)]
pub struct EnvelopedParts<'a> {
    /// The sender's certificates and CRLs, if recipients need them.
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// The recipients. At least one is required.
    pub recipients: &'a [Recipient<'a>],
    /// The type of the encrypted content, such as `ID_DATA`.
    pub content_type: Oid<'a>,
    /// The content encryption algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// Attributes that are neither encrypted nor authenticated.
    pub unprotected_attrs: &'a [Attribute<'a>],
}

/// Builds enveloped data. If there is no content, the result is detached.
///
/// # Errors
/// Returns an error if there is no recipient or one is invalid, an attribute is duplicated, or a part cannot be encoded.
pub fn enveloped_data(parts: &EnvelopedParts<'_>, encrypted_content: Option<&[u8]>) -> Result<Vec<u8>, BuildError> {
    let around = Enveloped::new(parts)?;
    finish(&message(
        ID_ENVELOPED_DATA,
        Piece::sequence(vec![
            Piece::octets(&around.head),
            encrypted(&around.content, encrypted_content),
            Piece::octets(&around.tail),
        ]),
    )?)
}

/// Builds encrypted data (RFC 5652 §8), whose key is agreed on by other means.
///
/// # Errors
/// Returns an error if an attribute is duplicated, or a part cannot be encoded.
pub fn encrypted_data(
    content_type: Oid<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    encrypted_content: Option<&[u8]>,
    unprotected_attrs: &[Attribute<'_>],
) -> Result<Vec<u8>, BuildError> {
    let version = if unprotected_attrs.is_empty() { CmsVersion::V0 } else { CmsVersion::V2 };
    let content = content_head(content_type, algorithm)?;
    let tail = attributes(1, unprotected_attrs, AttributePlacement::Unprotected)?;
    finish(&message(
        ID_ENCRYPTED_DATA,
        Piece::sequence(vec![Piece::value(&version)?, encrypted(&content, encrypted_content), Piece::octets(&tail)]),
    )?)
}

/// The parts of authenticated-enveloped data, except for the encrypted content and the MAC.
#[derive(Clone, Copy, Debug)]
pub struct AuthEnvelopedParts<'a> {
    /// The sender's certificates and CRLs, if recipients need them.
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// The recipients. At least one is required.
    pub recipients: &'a [Recipient<'a>],
    /// The type of the encrypted content, such as `ID_DATA`.
    pub content_type: Oid<'a>,
    /// The authenticated encryption algorithm: AES-GCM, AES-CCM or ChaCha20-Poly1305.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// Attributes that are authenticated but not encrypted. If there are any, or if the content is not plain data, the content
    /// type attribute is added.
    pub auth_attrs: &'a [Attribute<'a>],
    /// Attributes that are neither encrypted nor authenticated.
    pub unauth_attrs: &'a [Attribute<'a>],
}

/// Authenticated-enveloped data whose content must still be encrypted using [`Unsealed::aad`].
#[derive(Clone, Debug)]
pub struct Unsealed {
    around: Enveloped,
    aad: Option<Vec<u8>>,
}

/// Builds authenticated-enveloped data (RFC 5083) without the encrypted content and the MAC.
///
/// # Errors
/// Returns an error if there is no recipient or one is invalid, an attribute is duplicated, or a part cannot be encoded.
pub fn auth_enveloped_data(parts: &AuthEnvelopedParts<'_>) -> Result<Unsealed, BuildError> {
    let aad = aad(parts)?;
    let unsealed = Unsealed { around: Enveloped::authenticated(parts)?, aad };
    unsealed.attach(Some(&[]), &[])?;
    Ok(unsealed)
}

impl Unsealed {
    /// Returns the additional authenticated data: the attributes as a DER SET OF (RFC 5083 §2.2), or `None` if there are none.
    #[must_use]
    pub fn aad(&self) -> Option<&[u8]> {
        self.aad.as_deref()
    }

    /// Returns the message with its MAC and, unless detached, the encrypted content.
    ///
    /// # Errors
    /// Returns an error if the message exceeds [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT).
    pub fn attach(&self, encrypted_content: Option<&[u8]>, mac: &[u8]) -> Result<Vec<u8>, BuildError> {
        let auth_attrs = self.aad.as_ref().map(|set| retag(set, 1)).unwrap_or_default();
        finish(&message(
            ID_CT_AUTH_ENVELOPED_DATA,
            Piece::sequence(vec![
                Piece::octets(&self.around.head),
                encrypted(&self.around.content, encrypted_content),
                Piece::octets(&auth_attrs),
                octet_string(mac),
                Piece::octets(&self.around.tail),
            ]),
        )?)
    }
}

/// Encodes the authenticated attributes as a DER SET OF, the form used as additional authenticated data.
pub(super) fn aad(parts: &AuthEnvelopedParts<'_>) -> Result<Option<Vec<u8>>, BuildError> {
    // RFC 5083 §2.1: content other than plain data requires authenticated attributes.
    if parts.auth_attrs.is_empty() && parts.content_type == ID_DATA {
        return Ok(None);
    }
    let value = encode(&parts.content_type)?;
    let value = [Any::from_der(&value)?];
    let mut list = vec![Attribute { attr_type: ID_CONTENT_TYPE, attr_values: SetOf::from_slice(&value) }];
    list.extend(parts.auth_attrs);
    check_attributes(&list, AttributePlacement::Protected)?;
    as_set(&list).map(Some)
}

/// The encoded parts before and after the encrypted content.
#[derive(Clone, Debug)]
pub(super) struct Enveloped {
    /// The encoded version, originator and recipients.
    pub(super) head: Vec<u8>,
    /// The encoded content type and content encryption algorithm.
    pub(super) content: Vec<u8>,
    /// The encoded unprotected attributes, which follow the encrypted content.
    pub(super) tail: Vec<u8>,
}

impl Enveloped {
    pub(super) fn new(parts: &EnvelopedParts<'_>) -> Result<Self, BuildError> {
        let kinds = Kinds::of_originator(parts.originator_info.as_ref())?;
        let (infos, needs) = recipients(parts.recipients)?;
        let version = version(parts, kinds, needs);
        Ok(Self {
            head: head(version, parts.originator_info.as_ref(), infos)?,
            content: content_head(parts.content_type, &parts.algorithm)?,
            tail: attributes(1, parts.unprotected_attrs, AttributePlacement::Unprotected)?,
        })
    }

    pub(super) fn authenticated(parts: &AuthEnvelopedParts<'_>) -> Result<Self, BuildError> {
        Kinds::of_originator(parts.originator_info.as_ref())?;
        let (infos, _) = recipients(parts.recipients)?;
        Ok(Self {
            // RFC 5083 §2.1: the version is 0.
            head: head(CmsVersion::V0, parts.originator_info.as_ref(), infos)?,
            content: content_head(parts.content_type, &parts.algorithm)?,
            tail: attributes(2, parts.unauth_attrs, AttributePlacement::Unprotected)?,
        })
    }
}

/// Returns the version required by RFC 5652 §6.1.
fn version(parts: &EnvelopedParts<'_>, kinds: Kinds, needs: Needs) -> CmsVersion {
    if kinds.other {
        CmsVersion::V4
    } else if kinds.v2 || needs.modern {
        CmsVersion::V3
    } else if parts.originator_info.is_none() && parts.unprotected_attrs.is_empty() && !needs.versioned {
        CmsVersion::V0
    } else {
        CmsVersion::V2
    }
}

/// Encodes the version, originator and recipients.
pub(super) fn head(
    version: CmsVersion,
    originator: Option<&OriginatorInfo<'_>>,
    recipients: Vec<Vec<u8>>,
) -> Result<Vec<u8>, BuildError> {
    let mut head = encode(&version)?;
    if let Some(info) = originator {
        let mut octets = encode(info)?;
        if let Some(first) = octets.first_mut() {
            *first = Tag::context(0).constructed().first_octet();
        }
        head.extend(octets);
    }
    head.extend(encode(&Piece::Element(Tag::SET, Piece::set(recipients)))?);
    Ok(head)
}

fn content_head(content_type: Oid<'_>, algorithm: &AlgorithmIdentifier<'_>) -> Result<Vec<u8>, BuildError> {
    let mut head = encode(&content_type)?;
    head.extend(encode(algorithm)?);
    Ok(head)
}

/// Creates an `EncryptedContentInfo`.
fn encrypted<'a>(head: &'a [u8], content: Option<&'a [u8]>) -> Piece<'a> {
    let mut inside = vec![Piece::octets(head)];
    if let Some(content) = content {
        inside.push(Piece::Element(Tag::context(0), vec![Piece::octets(content)]));
    }
    Piece::sequence(inside)
}
