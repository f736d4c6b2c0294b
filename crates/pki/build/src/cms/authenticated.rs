//! Authenticated data (RFC 5652 §9).

use tagwise_codec::{Oid, encode};

use super::choices::{AttributePlacement, Kinds, attributes, retag};
use super::enveloped::head;
use super::piece::Piece;
use super::plain::{encapsulated, finish};
use super::recipient::{Recipient, recipients};
use super::signed::protected;
use super::{message, octet_string};
use crate::{BuildError, digest, error::demand};
use tagwise_messages::cms::{Attribute, CmsVersion, ID_CT_AUTH_DATA, ID_DATA, OriginatorInfo};
use tagwise_x509::alg::AlgorithmIdentifier;

/// The parts of authenticated data, except for the content and the MAC.
#[derive(Clone, Copy, Debug)]
pub struct AuthenticatedParts<'a> {
    /// The sender's certificates and CRLs, if recipients need them.
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// The recipients of the MAC key. At least one is required.
    pub recipients: &'a [Recipient<'a>],
    /// The type of the content, such as `ID_DATA`.
    pub content_type: Oid<'a>,
    /// The MAC algorithm.
    pub mac_algorithm: AlgorithmIdentifier<'a>,
    /// Authenticated attributes. If this is `None`, the MAC covers the content itself, whose type must then be id-data.
    pub authenticated: Option<Authenticated<'a>>,
    /// Unauthenticated attributes.
    pub unauth_attrs: &'a [Attribute<'a>],
}

/// The content digest and further authenticated attributes.
#[derive(Clone, Copy, Debug)]
pub struct Authenticated<'a> {
    /// The digest algorithm.
    pub digest_algorithm: AlgorithmIdentifier<'a>,
    /// The content digest. [`AuthenticatedWriter`](super::AuthenticatedWriter) ignores it, and receives the digest at the end.
    pub digest: &'a [u8],
    /// Attributes in addition to the content type and the digest.
    pub attrs: &'a [Attribute<'a>],
}

/// Authenticated data that is complete except for its MAC.
#[derive(Clone, Debug)]
pub struct Unauthenticated<'a> {
    head: Vec<u8>,
    content_type: Oid<'a>,
    content: Option<&'a [u8]>,
    auth_attrs: Option<Vec<u8>>,
    unauth_attrs: Vec<u8>,
}

/// Builds authenticated data without its MAC. If there is no content, the result is detached.
///
/// # Errors
/// Returns an error if there is no recipient or one is invalid, a digest does not have its algorithm's length, or typed
/// content is authenticated without attributes. Also fails if an attribute is duplicated or misplaced, or a part cannot be
/// encoded.
pub fn authenticated_data<'a>(
    parts: &AuthenticatedParts<'a>,
    content: Option<&'a [u8]>,
) -> Result<Unauthenticated<'a>, BuildError> {
    let auth_attrs = auth_attrs(parts, parts.authenticated.as_ref().map(|it| it.digest))?;
    let unauth_attrs = attributes(3, parts.unauth_attrs, AttributePlacement::Unprotected)?;
    let head = around(parts)?;
    let message = Unauthenticated { head, content_type: parts.content_type, content, auth_attrs, unauth_attrs };
    message.attach(&[])?;
    Ok(message)
}

/// Encodes everything that precedes the content.
pub(super) fn around(parts: &AuthenticatedParts<'_>) -> Result<Vec<u8>, BuildError> {
    let kinds = Kinds::of_originator(parts.originator_info.as_ref())?;
    let (infos, _) = recipients(parts.recipients)?;
    // RFC 5652 §9.1.
    let version = if kinds.other {
        CmsVersion::V3
    } else if kinds.v2 {
        CmsVersion::V1
    } else {
        CmsVersion::V0
    };
    let mut head = head(version, parts.originator_info.as_ref(), infos)?;
    head.extend(encode(&parts.mac_algorithm)?);
    match &parts.authenticated {
        Some(authenticated) => head.extend(retag(&encode(&authenticated.digest_algorithm)?, 1)),
        None => {
            let plain = parts.content_type == ID_DATA;
            demand(plain, "a content type other than id-data requires authenticated attributes", "RFC 5652 §9.1")?;
        }
    }
    Ok(head)
}

/// Encodes the attributes that are authenticated instead of the content, as a DER SET OF. They include the content's
/// digest. Returns `None` if the content itself is authenticated.
pub(super) fn auth_attrs(parts: &AuthenticatedParts<'_>, digest: Option<&[u8]>) -> Result<Option<Vec<u8>>, BuildError> {
    let Some((authenticated, digest)) = parts.authenticated.as_ref().zip(digest) else { return Ok(None) };
    digest::check(&authenticated.digest_algorithm, digest, "RFC 5652 §9.2")?;
    protected(parts.content_type, digest, authenticated.attrs).map(Some)
}

impl Unauthenticated<'_> {
    /// Returns the bytes to authenticate (RFC 5652 §9.2): the attributes as a DER SET OF or, without attributes, the content.
    /// Returns `None` if that content is detached.
    #[must_use]
    pub fn tbs(&self) -> Option<&[u8]> {
        self.auth_attrs.as_deref().or(self.content)
    }

    /// Returns the message with its MAC.
    ///
    /// # Errors
    /// Returns an error if the message exceeds [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT).
    pub fn attach(&self, mac: &[u8]) -> Result<Vec<u8>, BuildError> {
        let auth_attrs = self.auth_attrs.as_ref().map(|set| retag(set, 2)).unwrap_or_default();
        finish(&message(
            ID_CT_AUTH_DATA,
            Piece::sequence(vec![
                Piece::octets(&self.head),
                encapsulated(self.content_type, self.content)?,
                Piece::octets(&auth_attrs),
                octet_string(mac),
                Piece::octets(&self.unauth_attrs),
            ]),
        )?)
    }
}
