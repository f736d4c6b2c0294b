//! Streams enveloped, authenticated-enveloped and encrypted data (RFC 5652 §6, §8; RFC 5083).

use std::io::{self, Read};

use tagwise_codec::stream::Event;
use tagwise_codec::{Oid, Tag};

use super::{
    ALGORITHM, Body, Envelope, Limits, OBJECT_IDENTIFIER, Parts, ReadError, VERSION, implicit, is, joined, oid,
};
use crate::cms::auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA;
use crate::cms::{Attributes, ID_ENCRYPTED_DATA, ID_ENVELOPED_DATA};

/// A reader for enveloped, authenticated-enveloped or encrypted data. Read the encrypted content through [`Read`], then
/// call [`EncryptedReader::finish`] for the attributes and MAC.
///
/// Do not use the plaintext of authenticated encryption before verifying its MAC, which comes after the content.
#[derive(Debug)]
pub struct EncryptedReader<R> {
    body: Body<R>,
    left: usize,
    kind: Vec<u8>,
    envelope: Envelope,
    content_type: Vec<u8>,
    algorithm: Vec<u8>,
}

/// The message parts after the encrypted content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncryptedTail {
    /// The authenticated attributes, as a SET OF in DER (RFC 5083 §2.2).
    pub auth_attrs: Option<Vec<u8>>,
    /// The MAC of authenticated-enveloped data.
    pub mac: Option<Vec<u8>>,
    /// The unprotected attributes, as a SET OF in DER.
    pub unprotected_attrs: Option<Vec<u8>>,
}

impl<R: Read> EncryptedReader<R> {
    /// Reads everything before the encrypted content.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, or the message has a different type.
    pub fn new(input: R) -> Result<Self, ReadError> {
        Self::with(input, Limits::DEFAULT)
    }

    /// Reads everything before the encrypted content, like [`EncryptedReader::new`], but with the given limits.
    ///
    /// # Errors
    /// Returns any error from [`EncryptedReader::new`], or an error if a limit is exceeded.
    pub fn with(input: R, limits: Limits) -> Result<Self, ReadError> {
        let mut parts = Parts::new(input, limits);
        let kind = parts.kind()?;
        let encrypted = is(&kind, ID_ENCRYPTED_DATA);
        if !encrypted && !is(&kind, ID_ENVELOPED_DATA) && !is(&kind, ID_CT_AUTH_ENVELOPED_DATA) {
            return parts.unexpected("enveloped, authenticated-enveloped or encrypted data");
        }
        parts.enter(Tag::context(0).constructed(), "content")?;
        parts.enter(Tag::SEQUENCE, "enveloped data")?;
        parts.part(VERSION, "a version")?;
        let envelope = if encrypted { Envelope::default() } else { parts.envelope(limits)? };
        // EncryptedContentInfo ::= SEQUENCE { contentType, contentEncryptionAlgorithm, encryptedContent [0] IMPLICIT }
        parts.enter(Tag::SEQUENCE, "encrypted content")?;
        let content_type = parts.part(OBJECT_IDENTIFIER, "the type of the content")?;
        let algorithm = parts.part(ALGORITHM, "an algorithm")?;
        let (offset, left) = (parts.events.offset(), parts.left);
        let body = match parts.events.next()? {
            Some(Event::Start(start)) if start.tag.same(Tag::context(0)) => Body::Content(parts.events.into_content()),
            Some(Event::End(_)) => Body::Detached(parts.events),
            _ => return Err(ReadError::Unexpected { expected: "encrypted content", offset }),
        };
        Ok(Self { body, left, kind, envelope, content_type, algorithm })
    }

    /// Returns the type of the message: [`ID_ENVELOPED_DATA`], [`ID_CT_AUTH_ENVELOPED_DATA`] or [`ID_ENCRYPTED_DATA`].
    #[must_use]
    pub fn kind(&self) -> Oid<'_> {
        oid(&self.kind)
    }

    /// Returns whether the encrypted content is detached.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        matches!(self.body, Body::Detached(_))
    }

    /// Returns the sender's certificates and CRLs: an [`OriginatorInfo`](crate::cms::OriginatorInfo) in DER.
    #[must_use]
    pub fn originator_info(&self) -> Option<&[u8]> {
        self.envelope.originator.as_deref()
    }

    /// Returns the recipients: each a [`RecipientInfo`](crate::cms::RecipientInfo) in DER. Empty for encrypted data.
    #[must_use]
    pub fn recipients(&self) -> &[Vec<u8>] {
        &self.envelope.recipients
    }

    /// Returns the content type.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        oid(&self.content_type)
    }

    /// Returns the content encryption algorithm: an [`AlgorithmIdentifier`](tagwise_x509::AlgorithmIdentifier) in DER.
    #[must_use]
    pub fn algorithm(&self) -> &[u8] {
        &self.algorithm
    }

    /// Skips the rest of the content, and reads the rest of the message.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, data follows the message, or a limit is exceeded.
    pub fn finish(self) -> Result<EncryptedTail, ReadError> {
        let authenticated = is(&self.kind, ID_CT_AUTH_ENVELOPED_DATA);
        let mut parts = Parts { events: self.body.events()?, left: self.left };
        let mut tail = EncryptedTail::default();
        // The end of EncryptedContentInfo, unless it was met in place of the content.
        while parts.events.depth() > 3 {
            parts.events.next()?;
        }
        while let Some((offset, octets)) = parts.octets()? {
            let attributes = |number| implicit::<Attributes<'static>>(number, &octets, offset);
            match (octets.first(), authenticated) {
                (Some(0xA1), false) => tail.unprotected_attrs = Some(attributes(1)?),
                (Some(0xA1), true) if tail.mac.is_none() => tail.auth_attrs = Some(attributes(1)?),
                (Some(0xA2), true) if tail.mac.is_some() => tail.unprotected_attrs = Some(attributes(2)?),
                (Some(0x04 | 0x24), true) if tail.mac.is_none() => tail.mac = Some(joined(&octets)?),
                _ => return Err(ReadError::Unexpected { expected: "attributes or a MAC", offset }),
            }
        }
        if authenticated && tail.mac.is_none() {
            return parts.unexpected("a MAC");
        }
        while parts.events.next()?.is_some() {}
        Ok(tail)
    }
}

impl<R: Read> Read for EncryptedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body.read(buffer)
    }
}
