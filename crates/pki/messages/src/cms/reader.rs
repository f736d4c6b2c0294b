//! Streams messages with content larger than memory, in DER or BER: the part before the content, the content as a
//! reader, and the part after it. Nothing is verified or decrypted here.

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
                write!(f, "the message around the content exceeds the limits, at byte {offset}")
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

/// The events of a message, and how much may still be kept of it.
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

    /// The start of a constructed element with this tag.
    fn enter(&mut self, tag: Tag, expected: &'static str) -> Result<(), ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag == tag => Ok(()),
            _ => Err(ReadError::Unexpected { expected, offset }),
        }
    }

    /// The next element as it stands; nothing at the end of the one it would be in.
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

    /// Content with its type, up to the first byte of the content.
    fn encapsulated(mut self) -> Result<Encapsulated<R>, ReadError> {
        // EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }
        self.enter(Tag::SEQUENCE, "encapsulated content")?;
        self.content()
    }

    /// Reads up to the content inside.
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

    /// Content, up to its first byte.
    fn string(mut self) -> Result<Body<R>, ReadError> {
        let offset = self.events.offset();
        match self.events.next()? {
            Some(Event::Start(start)) if start.tag.same(Tag::OCTET_STRING) => {
                Ok(Body::Content(self.events.into_content()))
            }
            _ => Err(ReadError::Unexpected { expected: "an OCTET STRING", offset }),
        }
    }

    /// Content of a type, up to its first byte: in an OCTET STRING, or as itself (RFC 2315 §7). Of the latter the bytes of the value are
    /// digested (RFC 5652 §5.2.1), which are held in memory where they are elements, in DER (RFC 2315 §9.3).
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

    /// The next element as a type, in DER.
    fn part(&mut self, to_der: ToDer, expected: &'static str) -> Result<Vec<u8>, ReadError> {
        match self.octets()? {
            Some((offset, octets)) => part(&octets, offset, to_der),
            None => self.unexpected(expected),
        }
    }
}

/// Conversion of an element to DER of a type, checked.
type ToDer = fn(&[u8]) -> Result<Vec<u8>, tagwise_codec::Error>;

/// Options that leave the presence of parameters to the caller. RFC 3370 §3.2 and §4.2.1 ask for NULL behind
/// `rsaEncryption`; signers leave it out, and RFC 4055 §5 has verifiers take it so for the algorithms with digests.
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

/// An element in DER, checked.
fn part(octets: &[u8], offset: u64, to_der: ToDer) -> Result<Vec<u8>, ReadError> {
    to_der(octets).map_err(|error| ReadError::Part { error, offset })
}

/// Originator and recipients.
#[derive(Debug, Default)]
struct Envelope {
    originator: Option<Vec<u8>>,
    recipients: Vec<Vec<u8>>,
}

/// Content with its type, and how much may still be kept behind it.
#[derive(Debug)]
struct Encapsulated<R> {
    content_type: Vec<u8>,
    body: Body<R>,
    left: usize,
}

/// The content, or what stands in its place.
#[derive(Debug)]
enum Body<R> {
    Content(Content<R>),
    /// The bytes of a value that is not a string, and the number of bytes already read.
    Held {
        value: Vec<u8>,
        read: usize,
        events: Events<R>,
    },
    Detached(Events<R>),
}

impl<R: Read> Body<R> {
    /// Number of bytes that are held in memory.
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

/// An error of a stream that went through [`Read`].
fn of_reading(error: io::Error) -> ReadError {
    error.downcast::<Error>().map_or_else(ReadError::Io, ReadError::Stream)
}

/// An element under an IMPLICIT tag as DER under its own.
fn implicit<T: Typed>(number: u32, octets: &[u8], offset: u64) -> Result<Vec<u8>, ReadError> {
    let wrong = |error| ReadError::Part { error, offset };
    let options = Options::ber_definite();
    let der = ber::to_der_implicit::<T>(Tag::context(number), octets, &options).map_err(wrong)?;
    Ok(der.into_bytes().into_owned())
}

/// The bytes of a string, which may be in segments.
fn joined(string: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut octets = Vec::new();
    let mut inside = Events::with(string, Settings::new(Rules::Ber));
    inside.next()?;
    inside.into_content().read_to_end(&mut octets).map_err(of_reading)?;
    Ok(octets)
}

/// Returns whether an OBJECT IDENTIFIER in DER is this one.
fn is(der: &[u8], wanted: Oid<'_>) -> bool {
    oid(der) == wanted
}

/// An OBJECT IDENTIFIER that was checked; 0.0 would be one that was not.
fn oid(der: &[u8]) -> Oid<'_> {
    Oid::from_der(der).unwrap_or(tagwise_codec::oid!("0.0"))
}
