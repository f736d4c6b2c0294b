//! Streams plain, digested and authenticated data (RFC 5652 §4, §7, §9) and compressed data (RFC 3274).

use std::io::{self, Read};

use tagwise_codec::stream::Event;
use tagwise_codec::{Oid, Tag};

use super::{
    ALGORITHM, Body, Encapsulated, Envelope, Limits, Parts, ReadError, VERSION, implicit, is, joined, oid, part,
};
use crate::cms::compressed::ID_CT_COMPRESSED_DATA;
use crate::cms::{Attributes, ID_CT_AUTH_DATA, ID_DATA, ID_DIGESTED_DATA};

/// A reader for plain, digested, authenticated or compressed data. Read the content through [`Read`], then call
/// [`ContentReader::finish`] for the digest or MAC. Compressed content is returned as a zlib stream (RFC 1950).
///
/// ```
/// use std::io::Read;
/// use tagwise_build::{Digest, cms};
/// use tagwise_messages::cms::{ContentReader, ID_DATA};
/// let algorithm = Digest::Sha256.algorithm();
/// let message = cms::digested_data(ID_DATA, Some(b"Hello"), &algorithm, &Digest::Sha256.of(b"Hello"))?;
/// let mut reader = ContentReader::new(&message[..])?;
/// let mut content = String::new();
/// reader.read_to_string(&mut content)?;
/// assert_eq!(content, "Hello");
/// assert_eq!(reader.finish()?.digest, Some(Digest::Sha256.of(b"Hello")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ContentReader<R> {
    body: Body<R>,
    left: usize,
    kind: Vec<u8>,
    envelope: Envelope,
    algorithm: Option<Vec<u8>>,
    digest_algorithm: Option<Vec<u8>>,
    content_type: Vec<u8>,
}

/// The message parts after the content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentTail {
    /// The digest of digested data.
    pub digest: Option<Vec<u8>>,
    /// The MAC of authenticated data.
    pub mac: Option<Vec<u8>>,
    /// The attributes that the MAC covers instead of the content: a SET OF in DER (RFC 5652 §9.2).
    pub auth_attrs: Option<Vec<u8>>,
    /// The unauthenticated attributes, as a SET OF in DER.
    pub unauth_attrs: Option<Vec<u8>>,
}

impl<R: Read> ContentReader<R> {
    /// Reads everything before the content.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, or the message has a different type.
    pub fn new(input: R) -> Result<Self, ReadError> {
        Self::with(input, Limits::DEFAULT)
    }

    /// Reads everything before the content, like [`ContentReader::new`], but with the given limits.
    ///
    /// # Errors
    /// Returns any error from [`ContentReader::new`], or an error if a limit is exceeded.
    pub fn with(input: R, limits: Limits) -> Result<Self, ReadError> {
        let mut parts = Parts::new(input, limits);
        let kind = parts.kind()?;
        let authenticated = is(&kind, ID_CT_AUTH_DATA);
        let plain = is(&kind, ID_DATA);
        if !plain && !authenticated && !is(&kind, ID_DIGESTED_DATA) && !is(&kind, ID_CT_COMPRESSED_DATA) {
            return parts.unexpected("plain, digested, authenticated or compressed data");
        }
        parts.enter(Tag::context(0).constructed(), "content")?;
        if plain {
            // Data ::= OCTET STRING
            let (left, content_type) = (parts.left, kind.clone());
            let (body, envelope) = (parts.string()?, Envelope::default());
            return Ok(Self { body, left, kind, envelope, algorithm: None, digest_algorithm: None, content_type });
        }
        // DigestedData ::= SEQUENCE { version, digestAlgorithm, encapContentInfo, digest }
        // CompressedData ::= SEQUENCE { version, compressionAlgorithm, encapContentInfo }
        // AuthenticatedData ::= SEQUENCE { version, originatorInfo [0] OPTIONAL, recipientInfos, macAlgorithm,
        //     digestAlgorithm [1] OPTIONAL, encapContentInfo, authAttrs [2] OPTIONAL, mac, unauthAttrs [3] OPTIONAL }
        parts.enter(Tag::SEQUENCE, "digested, authenticated or compressed data")?;
        parts.part(VERSION, "a version")?;
        let envelope = if authenticated { parts.envelope(limits)? } else { Envelope::default() };
        let algorithm = Some(parts.part(ALGORITHM, "an algorithm")?);
        let digest_algorithm = if authenticated { parts.tagged_algorithm()? } else { None };
        let Encapsulated { content_type, body, left } =
            if digest_algorithm.is_none() && authenticated { parts.content()? } else { parts.encapsulated()? };
        Ok(Self { body, left, kind, envelope, algorithm, digest_algorithm, content_type })
    }

    /// Returns the type of the message: [`ID_DATA`], [`ID_DIGESTED_DATA`], [`ID_CT_AUTH_DATA`] or [`ID_CT_COMPRESSED_DATA`].
    #[must_use]
    pub fn kind(&self) -> Oid<'_> {
        oid(&self.kind)
    }

    /// Returns whether the content is detached.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        matches!(self.body, Body::Detached(_))
    }

    /// Returns the certificates and CRLs of the sender of authenticated data: an [`OriginatorInfo`](crate::cms::OriginatorInfo)
    /// in DER.
    #[must_use]
    pub fn originator_info(&self) -> Option<&[u8]> {
        self.envelope.originator.as_deref()
    }

    /// Returns the recipients of the MAC key: each a [`RecipientInfo`](crate::cms::RecipientInfo) in DER.
    #[must_use]
    pub fn recipients(&self) -> &[Vec<u8>] {
        &self.envelope.recipients
    }

    /// Returns the content type.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        oid(&self.content_type)
    }

    /// Returns the digest, compression or MAC algorithm: an [`AlgorithmIdentifier`](tagwise_x509::AlgorithmIdentifier) in DER.
    /// `None` for plain data.
    #[must_use]
    pub fn algorithm(&self) -> Option<&[u8]> {
        self.algorithm.as_deref()
    }

    /// Returns the digest algorithm of authenticated data with attributes: an
    /// [`AlgorithmIdentifier`](tagwise_x509::AlgorithmIdentifier) in DER.
    #[must_use]
    pub fn digest_algorithm(&self) -> Option<&[u8]> {
        self.digest_algorithm.as_deref()
    }

    /// Skips the rest of the content, and reads the rest of the message.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, data follows the message, or a limit is exceeded.
    pub fn finish(self) -> Result<ContentTail, ReadError> {
        let (authenticated, digested) = (is(&self.kind, ID_CT_AUTH_DATA), is(&self.kind, ID_DIGESTED_DATA));
        let mut parts = Parts { events: self.body.events()?, left: self.left };
        let mut tail = ContentTail::default();
        if !is(&self.kind, ID_DATA) {
            // The end of EncapsulatedContentInfo, unless it was met in place of the content.
            while parts.events.depth() > 3 {
                parts.events.next()?;
            }
            while let Some((offset, octets)) = parts.octets()? {
                let attributes = |number| implicit::<Attributes<'static>>(number, &octets, offset);
                match octets.first() {
                    Some(0x04 | 0x24) if digested && tail.digest.is_none() => tail.digest = Some(joined(&octets)?),
                    Some(0xA2) if authenticated && tail.mac.is_none() && tail.auth_attrs.is_none() => {
                        tail.auth_attrs = Some(attributes(2)?);
                    }
                    Some(0x04 | 0x24) if authenticated && tail.mac.is_none() => tail.mac = Some(joined(&octets)?),
                    Some(0xA3) if tail.mac.is_some() && tail.unauth_attrs.is_none() => {
                        tail.unauth_attrs = Some(attributes(3)?);
                    }
                    _ => return Err(ReadError::Unexpected { expected: "a digest, attributes or a MAC", offset }),
                }
            }
            if (authenticated && tail.mac.is_none()) || (digested && tail.digest.is_none()) {
                return parts.unexpected("a digest or a MAC");
            }
        }
        while parts.events.next()?.is_some() {}
        Ok(tail)
    }
}

impl<R: Read> Parts<R> {
    /// Reads `digestAlgorithm [1] DigestAlgorithmIdentifier OPTIONAL`. If it is absent, enters the content.
    fn tagged_algorithm(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag == Tag::SEQUENCE => return Ok(None),
            Some(Event::Start(start)) if start.tag == Tag::context(1).constructed() => {}
            _ => return Err(ReadError::Unexpected { expected: "encapsulated content", offset }),
        }
        let mut octets = vec![Tag::SEQUENCE.first_octet(), 0x80];
        while let Some((_, part)) = self.octets()? {
            octets.extend_from_slice(&part);
        }
        octets.extend_from_slice(&[0, 0]);
        self.events.next()?;
        part(&octets, offset, ALGORITHM).map(Some)
    }
}

impl<R: Read> Read for ContentReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body.read(buffer)
    }
}
