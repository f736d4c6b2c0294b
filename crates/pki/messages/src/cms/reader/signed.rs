//! Streams signed data (RFC 5652 §5).

use std::io::{self, Read};

use tagwise_codec::stream::Event;
use tagwise_codec::{Decode, Oid, Tag};

use super::{
    Body, DIGEST_ALGORITHMS, DigestAlgorithms, Encapsulated, Limits, Parts, ReadError, SIGNER_INFO, VERSION, is, oid,
    part,
};
use crate::cms::{DigestAlgorithmIdentifier, ID_SIGNED_DATA};

/// A reader for signed data. Read the content through [`Read`], then call [`SignedReader::finish`] for the signers.
///
/// ```
/// use std::io::Read;
/// use tagwise_codec::Decode;
/// use tagwise_messages::cms::{ID_DATA, SignedReader};
/// // Content in segments, lengths indefinite; nobody has signed.
/// let message = b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\
///     \x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80\x24\x80\x04\x03Hel\x04\x02lo\0\0\0\0\0\0\
///     \x31\x00\0\0\0\0\0\0";
/// let mut reader = SignedReader::new(&message[..])?;
/// assert!(!reader.is_detached());
/// assert_eq!(reader.content_type(), ID_DATA);
/// let mut content = String::new();
/// reader.read_to_string(&mut content)?;
/// assert_eq!(content, "Hello");
/// assert!(reader.finish()?.signers.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SignedReader<R> {
    body: Body<R>,
    left: usize,
    digest_algorithms: Vec<u8>,
    content_type: Vec<u8>,
}

/// The message parts after the content of signed data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignedTail {
    /// The certificates (`CertificateChoices`), unchanged. They are DER if their signers followed the standards.
    pub certificates: Vec<Vec<u8>>,
    /// The CRLs (`RevocationInfoChoice`), unchanged.
    pub crls: Vec<Vec<u8>>,
    /// The signers: each a [`SignerInfo`](crate::cms::SignerInfo) in DER.
    pub signers: Vec<Vec<u8>>,
    /// For each signer, its encoding in the message, if that is not DER. A signature can cover it instead of the DER encoding, against
    /// RFC 5652 §5.4.
    pub written: Vec<Option<Vec<u8>>>,
}

impl<R: Read> SignedReader<R> {
    /// Reads everything before the content.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, or the message has a different type.
    pub fn new(input: R) -> Result<Self, ReadError> {
        Self::with(input, Limits::DEFAULT)
    }

    /// Reads everything before the content, like [`SignedReader::new`], but with the given limits.
    ///
    /// # Errors
    /// Returns any error from [`SignedReader::new`], or an error if a limit is exceeded.
    pub fn with(input: R, limits: Limits) -> Result<Self, ReadError> {
        let mut parts = Parts::new(input, limits);
        let kind = parts.kind()?;
        if !is(&kind, ID_SIGNED_DATA) {
            return parts.unexpected("signed data");
        }
        parts.enter(Tag::context(0).constructed(), "content")?;
        // SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo, certificates [0], crls [1], signerInfos }
        parts.enter(Tag::SEQUENCE, "signed data")?;
        parts.part(VERSION, "a version")?;
        let digest_algorithms = parts.part(DIGEST_ALGORITHMS, "digest algorithms")?;
        let Encapsulated { content_type, body, left } = parts.encapsulated()?;
        Ok(Self { body, left, digest_algorithms, content_type })
    }

    /// Returns whether the content is detached.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        matches!(self.body, Body::Detached(_))
    }

    /// Returns the content type.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        oid(&self.content_type)
    }

    /// Returns the signers' declared digest algorithms, to be computed while reading. Signers may use algorithms that are not declared.
    #[must_use]
    pub fn digest_algorithms(&self) -> Vec<DigestAlgorithmIdentifier<'_>> {
        let list = DigestAlgorithms::from_der(&self.digest_algorithms).unwrap_or_default();
        list.iter().map_while(Result::ok).collect()
    }

    /// Skips the rest of the content, and reads the rest of the message.
    ///
    /// # Errors
    /// Returns an error if that part is malformed, data follows the message, or a limit is exceeded.
    pub fn finish(self) -> Result<SignedTail, ReadError> {
        let mut parts = Parts { events: self.body.events()?, left: self.left };
        let mut tail = SignedTail::default();
        // certificates [0], crls [1], signerInfos: what comes next, at least.
        let mut next = 0;
        loop {
            let offset = parts.events.offset();
            let unexpected = ReadError::Unexpected { expected: "signers", offset };
            let place = match parts.events.next()? {
                None if next > 2 => return Ok(tail),
                None => return Err(unexpected),
                Some(Event::End(_)) => continue,
                Some(Event::Start(start)) if start.depth == 3 => match start.tag {
                    tag if tag == Tag::context(0).constructed() => 0,
                    tag if tag == Tag::context(1).constructed() => 1,
                    Tag::SET => 2,
                    _ => return Err(unexpected),
                },
                Some(_) => return Err(unexpected),
            };
            if place < next {
                return Err(unexpected);
            }
            next = place + 1;
            match place {
                0 => all(&mut parts, &mut tail.certificates)?,
                1 => all(&mut parts, &mut tail.crls)?,
                _ => {
                    while let Some((offset, octets)) = parts.octets()? {
                        let der = part(&octets, offset, SIGNER_INFO)?;
                        tail.written.push((der != octets).then_some(octets));
                        tail.signers.push(der);
                    }
                }
            }
        }
    }
}

/// Appends the elements of a list unchanged.
fn all<R: Read>(parts: &mut Parts<R>, list: &mut Vec<Vec<u8>>) -> Result<(), ReadError> {
    while let Some((_, octets)) = parts.octets()? {
        list.push(octets);
    }
    Ok(())
}

impl<R: Read> Read for SignedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body.read(buffer)
    }
}
