//! Streams messages with content larger than memory, in DER or BER. The parts before and after the content are held in
//! memory, and the content is read as a stream. Nothing is verified or decrypted here.

use std::io::{self, Read};

use tagwise_codec::stream::{Content, Error, Event, Events, Rules, Settings};
use tagwise_codec::{Decode, Oid, Options, SetOf, Tag, Typed, ber};

use super::{CmsVersion, DigestAlgorithmIdentifier, ID_DATA, OriginatorInfo, RecipientInfo, SignerInfo};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::profile::{NO_PARAMETERS, PSS_PARAMETERS, RSA_PARAMETERS};

mod encrypted;
mod plain;
mod signed;

pub use encrypted::{EncryptedReader, EncryptedTail};
pub use plain::{ContentReader, ContentTail};
pub use signed::{SignedReader, SignedTail};

/// Limits on how much of a message is held in memory. The content does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of one element, such as a certificate or CRL, in bytes.
    pub element: usize,
    /// The maximum total size of certificates, CRLs, signers, recipients and attributes, in bytes.
    pub total: usize,
}

impl Limits {
    /// The default limits: 16 MiB per element, enough for most CRLs, and 64 MiB in total.
    pub const DEFAULT: Self = Self { element: 16 << 20, total: 64 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The reason why reading a streamed message failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The input is not BER, or reading it failed.
    Stream(Error),
    /// Reading the content failed.
    Io(io::Error),
    /// A malformed part. Offsets in the error are relative to the part.
    Part {
        /// The decoder's error.
        error: tagwise_codec::Error,
        /// The part's offset in the stream.
        offset: u64,
    },
    /// The input contains something other than the required part.
    Unexpected {
        /// The expected part.
        expected: &'static str,
        /// The offset in the stream.
        offset: u64,
    },
    /// A part other than the content exceeds the limits.
    TooLarge {
        /// The number of bytes read.
        offset: u64,
    },
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Stream(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the content cannot be read: {error}"),
            Self::Part { error, offset } => {
                let at = offset.saturating_add(error.offset() as u64);
                write!(f, "{}, at byte {at} ({})", error.message(), error.clause())
            }
            Self::Unexpected { expected, offset } => write!(f, "expected {expected}, at byte {offset} (RFC 5652)"),
            Self::TooLarge { offset } => {
                write!(f, "the message parts other than the content exceed the size limit, at byte {offset}")
            }
        }
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Stream(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Part { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for ReadError {
    fn from(error: Error) -> Self {
        Self::Stream(error)
    }
}

/// The events of a message, and the remaining memory limit.
#[derive(Debug)]
struct Parts<R> {
    events: Events<R>,
    left: usize,
}

impl<R: Read> Parts<R> {
    fn new(input: R, limits: Limits) -> Self {
        // ISO 32000-2 §12.8.3.3.1: in PDF, zero bytes fill the space behind a message.
        let settings = Settings::new(Rules::Ber).item(limits.element).padded();
        Self { events: Events::with(input, settings), left: limits.total }
    }

    fn unexpected<T>(&self, expected: &'static str) -> Result<T, ReadError> {
        Err(ReadError::Unexpected { expected, offset: self.events.offset() })
    }

    /// Enters a constructed element with this tag.
    fn enter(&mut self, tag: Tag, expected: &'static str) -> Result<(), ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag == tag => Ok(()),
            _ => Err(ReadError::Unexpected { expected, offset }),
        }
    }

    /// Returns the next element unchanged, or `None` at the end of the enclosing element.
    fn octets(&mut self) -> Result<Option<(u64, Vec<u8>)>, ReadError> {
        let Some((offset, octets)) = self.events.next_element()? else { return Ok(None) };
        let octets = octets.to_vec();
        match self.left.checked_sub(octets.len()) {
            Some(left) => self.left = left,
            None => return Err(ReadError::TooLarge { offset }),
        }
        Ok(Some((offset, octets)))
    }

    /// Reads the message's type, up to its content.
    fn kind(&mut self) -> Result<Vec<u8>, ReadError> {
        // ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT }
        self.enter(Tag::SEQUENCE, "a CMS message")?;
        self.part(OBJECT_IDENTIFIER, "the type of the message")
    }

    /// Reads the originator and the recipients.
    fn envelope(&mut self, limits: Limits) -> Result<Envelope, ReadError> {
        let mut envelope = Envelope::default();
        let mut next = self.octets()?;
        // originatorInfo [0] IMPLICIT OriginatorInfo OPTIONAL
        if let Some((offset, octets)) = next.take_if(|(_, octets)| octets.first() == Some(&0xA0)) {
            envelope.originator = Some(implicit::<OriginatorInfo<'static>>(0, &octets, offset)?);
            next = self.octets()?;
        }
        let Some((offset, octets)) = next else { return self.unexpected("recipients") };
        // RecipientInfos ::= SET SIZE (1..MAX) OF RecipientInfo
        let mut inside = Parts::new(&octets[..], limits);
        inside.enter(Tag::SET, "recipients")?;
        while let Some((at, octets)) = inside.octets()? {
            envelope.recipients.push(part(&octets, offset.saturating_add(at), RECIPIENT_INFO)?);
        }
        Ok(envelope)
    }

    /// Enters an EncapsulatedContentInfo, up to the first byte of the content.
    fn encapsulated(mut self) -> Result<Encapsulated<R>, ReadError> {
        // EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }
        self.enter(Tag::SEQUENCE, "encapsulated content")?;
        self.content()
    }

    /// Reads the content type, and enters the content.
    fn content(mut self) -> Result<Encapsulated<R>, ReadError> {
        let content_type = self.part(OBJECT_IDENTIFIER, "the type of the content")?;
        let (offset, left) = (self.events.offset(), self.left);
        let body = match self.events.next()? {
            Some(Event::Start(start)) if start.tag == Tag::context(0).constructed() => {
                let is_data = is(&content_type, ID_DATA);
                let body = if is_data { self.string()? } else { self.element()? };
                let left = left.saturating_sub(body.held());
                return Ok(Encapsulated { content_type, body, left });
            }
            Some(Event::End(_)) => Body::Detached(self.events),
            _ => return Err(ReadError::Unexpected { expected: "content", offset }),
        };
        Ok(Encapsulated { content_type, body, left })
    }

    /// Enters content in an OCTET STRING, up to its first byte.
    fn string(mut self) -> Result<Body<R>, ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag.same(Tag::OCTET_STRING) => {
                Ok(Body::Content(self.events.into_content()))
            }
            _ => Err(ReadError::Unexpected { expected: "an OCTET STRING", offset }),
        }
    }

    /// Enters content up to its first byte: in an OCTET STRING, or as an element of its own type (RFC 2315 §7). For the
    /// latter, the digest covers the value's bytes (RFC 5652 §5.2.1). If the value consists of elements, they are held in
    /// memory and converted to DER (RFC 2315 §9.3).
    fn element(mut self) -> Result<Body<R>, ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag.same(Tag::OCTET_STRING) || !start.tag.is_constructed() => {
                Ok(Body::Content(self.events.into_content()))
            }
            Some(Event::Start(_)) => {
                let mut value = Vec::new();
                while let Some((offset, octets)) = self.octets()? {
                    let der = ber::to_der_untyped(&octets).map_err(|error| ReadError::Part { error, offset })?;
                    value.extend_from_slice(&der.bytes);
                }
                Ok(Body::Held { value, read: 0, events: self.events })
            }
            _ => Err(ReadError::Unexpected { expected: "content", offset }),
        }
    }

    /// Reads the next element as a type, and converts it to DER.
    fn part(&mut self, to_der: ToDer, expected: &'static str) -> Result<Vec<u8>, ReadError> {
        match self.octets()? {
            Some((offset, octets)) => part(&octets, offset, to_der),
            None => self.unexpected(expected),
        }
    }
}

/// A function that checks an element and converts it to DER.
type ToDer = fn(&[u8]) -> Result<Vec<u8>, tagwise_codec::Error>;

/// Options that accept absent and present parameters, so that the caller can check them. RFC 3370 §3.2 and §4.2.1 require
/// NULL with `rsaEncryption`. Signers omit it, which verifiers must accept for the algorithms with digests (RFC 4055 §5).
fn parameters_as_they_are() -> Options<'static> {
    Options::der().allow(&RSA_PARAMETERS).allow(&NO_PARAMETERS).allow(&PSS_PARAMETERS)
}

/// Creates a function that converts a value of the given type to DER.
macro_rules! der_of {
    ($ty:ty) => {
        |octets| {
            let canonical = ber::to_der::<$ty>(octets)?;
            canonical.decode_with::<$ty>(&parameters_as_they_are())?;
            Ok(canonical.into_bytes().into_owned())
        }
    };
}

const OBJECT_IDENTIFIER: ToDer = der_of!(Oid<'_>);
const VERSION: ToDer = der_of!(CmsVersion);
const DIGEST_ALGORITHMS: ToDer = der_of!(DigestAlgorithms<'_>);
const ALGORITHM: ToDer = der_of!(AlgorithmIdentifier<'_>);
const SIGNER_INFO: ToDer = der_of!(SignerInfo<'_>);
const RECIPIENT_INFO: ToDer = der_of!(RecipientInfo<'_>);

type DigestAlgorithms<'a> = SetOf<'a, DigestAlgorithmIdentifier<'a>>;

/// Converts an element at `offset` to DER, and checks it.
fn part(octets: &[u8], offset: u64, to_der: ToDer) -> Result<Vec<u8>, ReadError> {
    to_der(octets).map_err(|error| ReadError::Part { error, offset })
}

/// The originator and the recipients of a message.
#[derive(Debug, Default)]
struct Envelope {
    originator: Option<Vec<u8>>,
    recipients: Vec<Vec<u8>>,
}

/// The content and its type, and the memory limit that remains for later parts.
#[derive(Debug)]
struct Encapsulated<R> {
    content_type: Vec<u8>,
    body: Body<R>,
    left: usize,
}

/// The content, its buffered bytes, or its absence.
#[derive(Debug)]
enum Body<R> {
    Content(Content<R>),
    /// The bytes of a value that is not an OCTET STRING, and the number of bytes already read.
    Held {
        value: Vec<u8>,
        read: usize,
        events: Events<R>,
    },
    Detached(Events<R>),
}

impl<R: Read> Body<R> {
    /// Returns the number of bytes that are held in memory.
    fn held(&self) -> usize {
        if let Self::Held { value, .. } = self { value.len() } else { 0 }
    }

    fn events(mut self) -> Result<Events<R>, ReadError> {
        if let Self::Content(content) = &mut self {
            // What is left of it is checked and dropped.
            io::copy(content, &mut io::sink()).map_err(of_reading)?;
        }
        Ok(match self {
            Self::Content(content) => content.into_events(),
            Self::Held { events, .. } | Self::Detached(events) => events,
        })
    }
}

impl<R: Read> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Content(content) => content.read(buffer),
            Self::Held { value, read, .. } => {
                let count = value.get(*read..).unwrap_or_default().read(buffer)?;
                *read += count;
                Ok(count)
            }
            Self::Detached(_) => Ok(0),
        }
    }
}

/// Unwraps a stream error from an [`io::Error`].
fn of_reading(error: io::Error) -> ReadError {
    error.downcast::<Error>().map_or_else(ReadError::Io, ReadError::Stream)
}

/// Converts an element with an IMPLICIT tag to DER with its own tag.
fn implicit<T: Typed>(number: u32, octets: &[u8], offset: u64) -> Result<Vec<u8>, ReadError> {
    let wrong = |error| ReadError::Part { error, offset };
    let options = Options::ber_definite();
    let der = ber::to_der_implicit::<T>(Tag::context(number), octets, &options).map_err(wrong)?;
    Ok(der.into_bytes().into_owned())
}

/// Returns the content of a string, with segments concatenated.
fn joined(string: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut octets = Vec::new();
    let mut inside = Events::with(string, Settings::new(Rules::Ber));
    inside.next()?;
    inside.into_content().read_to_end(&mut octets).map_err(of_reading)?;
    Ok(octets)
}

/// Returns whether an OBJECT IDENTIFIER in DER equals the given one.
fn is(der: &[u8], wanted: Oid<'_>) -> bool {
    oid(der) == wanted
}

/// Decodes a checked OBJECT IDENTIFIER. An invalid one would become 0.0.
fn oid(der: &[u8]) -> Oid<'_> {
    Oid::from_der(der).unwrap_or(tagwise_codec::oid!("0.0"))
}
