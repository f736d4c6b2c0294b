//! Messages whose content is larger than memory: what stands before the content, the content as something that can be read, and
//! what stands behind it. DER or BER; nothing is verified or decrypted here.

use std::io::{self, Read};

use tagwise_codec::stream::{Content, Error, Event, Events, Rules, Settings};
use tagwise_codec::{Decode, Oid, SetOf, Tag, Typed, ber};

use super::auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA;
use super::{
    Attributes, CmsVersion, DigestAlgorithmIdentifier, ID_ENCRYPTED_DATA, ID_ENVELOPED_DATA, ID_SIGNED_DATA,
    OriginatorInfo, RecipientInfo, SignerInfo,
};
use crate::alg::AlgorithmIdentifier;

/// How much of a message is held in memory, apart from the content, which never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Octets of one element, for instance one certificate or CRL.
    pub element: usize,
    /// Octets of all that is kept: certificates, CRLs, signers, recipients, attributes.
    pub total: usize,
}

impl Limits {
    /// 16 MiB for an element, which most CRLs are below, and 64 MiB in all.
    pub const DEFAULT: Self = Self { element: 16 << 20, total: 64 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Why a message could not be read as a stream.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not BER, or could not be read.
    Stream(Error),
    /// The content could not be read.
    Io(io::Error),
    /// A part is not what it should be. Offsets in the error count from the part, which stood at the offset.
    Part {
        /// What is wrong.
        error: tagwise_codec::Error,
        /// Where the part begins in the stream.
        offset: u64,
    },
    /// Something else stands there than what the standard says.
    Unexpected {
        /// What should.
        expected: &'static str,
        /// Where, in the stream.
        offset: u64,
    },
    /// What is not content is larger than the limits allow.
    TooLarge {
        /// How far was read.
        offset: u64,
    },
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Stream(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the content could not be read: {error}"),
            Self::Part { error, offset } => {
                let at = offset.saturating_add(error.offset() as u64);
                write!(f, "{}, at byte {at} ({})", error.message(), error.clause())
            }
            Self::Unexpected { expected, offset } => write!(f, "expected {expected}, at byte {offset} (RFC 5652)"),
            Self::TooLarge { offset } => {
                write!(f, "more than the limits allow stands around the content, at byte {offset}")
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
        let settings = Settings::new(Rules::Ber).item(limits.element);
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

    /// The next element as a type, in DER.
    fn part(&mut self, to_der: ToDer, expected: &'static str) -> Result<Vec<u8>, ReadError> {
        match self.octets()? {
            Some((offset, octets)) => part(&octets, offset, to_der),
            None => self.unexpected(expected),
        }
    }
}

/// How an element becomes DER of a type, checked.
type ToDer = fn(&[u8]) -> Result<Vec<u8>, tagwise_codec::Error>;

/// That of a type.
macro_rules! der_of {
    ($ty:ty) => {
        |octets| {
            let canonical = ber::to_der::<$ty>(octets)?;
            canonical.decode::<$ty>()?;
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

/// The content, or what stands in its place.
#[derive(Debug)]
enum Body<R> {
    Content(Content<R>),
    Detached(Events<R>),
}

impl<R: Read> Body<R> {
    fn events(mut self) -> Result<Events<R>, ReadError> {
        if let Self::Content(content) = &mut self {
            // What is left of it is checked and dropped.
            io::copy(content, &mut io::sink()).map_err(of_reading)?;
        }
        Ok(match self {
            Self::Content(content) => content.into_events(),
            Self::Detached(events) => events,
        })
    }
}

/// An error of a stream that went through [`Read`].
fn of_reading(error: io::Error) -> ReadError {
    error.downcast::<Error>().map_or_else(ReadError::Io, ReadError::Stream)
}

/// Signed data, read as a stream: the content through [`Read`], then [`SignedReader::finish`] gives who signed it.
///
/// ```
/// use std::io::Read;
/// use tagwise_codec::Decode;
/// use tagwise_pkix::cms::{ID_DATA, SignedReader};
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

/// What stands behind the content of signed data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignedTail {
    /// Certificates (`CertificateChoices`) as they came, which is DER if whoever signed them kept to the standards.
    pub certificates: Vec<Vec<u8>>,
    /// CRLs (`RevocationInfoChoice`) as they came.
    pub crls: Vec<Vec<u8>>,
    /// Each [`SignerInfo`] in DER.
    pub signers: Vec<Vec<u8>>,
}

impl<R: Read> SignedReader<R> {
    /// Reads what stands before the content, and no further.
    ///
    /// # Errors
    /// What is wrong with it; that it is no signed data.
    pub fn new(input: R) -> Result<Self, ReadError> {
        Self::with(input, Limits::DEFAULT)
    }

    /// The same under limits.
    ///
    /// # Errors
    /// Those of [`SignedReader::new`]; what exceeds the limits.
    pub fn with(input: R, limits: Limits) -> Result<Self, ReadError> {
        let mut parts = Parts::new(input, limits);
        // ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT }
        parts.enter(Tag::SEQUENCE, "a message of CMS")?;
        let kind = parts.part(OBJECT_IDENTIFIER, "the type of the message")?;
        if !is(&kind, ID_SIGNED_DATA) {
            return parts.unexpected("signed data");
        }
        parts.enter(Tag::context(0).constructed(), "content")?;
        // SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo, certificates [0], crls [1], signerInfos }
        parts.enter(Tag::SEQUENCE, "signed data")?;
        parts.part(VERSION, "a version")?;
        let digest_algorithms = parts.part(DIGEST_ALGORITHMS, "digest algorithms")?;
        // EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }
        parts.enter(Tag::SEQUENCE, "encapsulated content")?;
        let content_type = parts.part(OBJECT_IDENTIFIER, "the type of the content")?;
        let (offset, left) = (parts.events.offset(), parts.left);
        let attached = match parts.events.next()? {
            Some(Event::Start(start)) if start.tag == Tag::context(0).constructed() => true,
            Some(Event::End(_)) => false,
            _ => return Err(ReadError::Unexpected { expected: "content", offset }),
        };
        let body = if attached {
            let offset = parts.events.offset();
            match parts.events.next()? {
                Some(Event::Start(start)) if start.tag.same(Tag::OCTET_STRING) => {
                    Body::Content(parts.events.into_content())
                }
                _ => return Err(ReadError::Unexpected { expected: "an OCTET STRING", offset }),
            }
        } else {
            Body::Detached(parts.events)
        };
        Ok(Self { body, left, digest_algorithms, content_type })
    }

    /// Whether the content is elsewhere.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        matches!(self.body, Body::Detached(_))
    }

    /// What the content is.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        oid(&self.content_type)
    }

    /// The algorithms that signers digest the content with: what to digest while it is read. Signers may name others.
    #[must_use]
    pub fn digest_algorithms(&self) -> Vec<DigestAlgorithmIdentifier<'_>> {
        let list = DigestAlgorithms::from_der(&self.digest_algorithms).unwrap_or_default();
        list.iter().map_while(Result::ok).collect()
    }

    /// Passes what is left of the content, and reads the rest of the message.
    ///
    /// # Errors
    /// What is wrong with it; that something follows the message; what exceeds the limits.
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
                        tail.signers.push(part(&octets, offset, SIGNER_INFO)?);
                    }
                }
            }
        }
    }
}

/// The elements of a list, as they stand.
fn all<R: Read>(parts: &mut Parts<R>, list: &mut Vec<Vec<u8>>) -> Result<(), ReadError> {
    while let Some((_, octets)) = parts.octets()? {
        list.push(octets);
    }
    Ok(())
}

impl<R: Read> Read for SignedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.body {
            Body::Content(content) => content.read(buffer),
            Body::Detached(_) => Ok(0),
        }
    }
}

/// Enveloped, authenticated-enveloped or encrypted data, read as a stream: the encrypted content through [`Read`], then
/// [`EncryptedReader::finish`] gives attributes and MAC.
///
/// What authenticated encryption gives is not to be used before its MAC is verified: it comes after the content.
#[derive(Debug)]
pub struct EncryptedReader<R> {
    body: Body<R>,
    left: usize,
    kind: Vec<u8>,
    originator: Option<Vec<u8>>,
    recipients: Vec<Vec<u8>>,
    content_type: Vec<u8>,
    algorithm: Vec<u8>,
}

/// What stands behind the encrypted content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncryptedTail {
    /// What is authenticated beside the content, as a SET OF in DER (RFC 5083 §2.2).
    pub auth_attrs: Option<Vec<u8>>,
    /// The MAC of authenticated-enveloped data.
    pub mac: Option<Vec<u8>>,
    /// What nothing protects, as a SET OF in DER.
    pub unprotected_attrs: Option<Vec<u8>>,
}

impl<R: Read> EncryptedReader<R> {
    /// Reads what stands before the encrypted content, and no further.
    ///
    /// # Errors
    /// What is wrong with it; that it is nothing encrypted.
    pub fn new(input: R) -> Result<Self, ReadError> {
        Self::with(input, Limits::DEFAULT)
    }

    /// The same under limits.
    ///
    /// # Errors
    /// Those of [`EncryptedReader::new`]; what exceeds the limits.
    pub fn with(input: R, limits: Limits) -> Result<Self, ReadError> {
        let mut parts = Parts::new(input, limits);
        parts.enter(Tag::SEQUENCE, "a message of CMS")?;
        let kind = parts.part(OBJECT_IDENTIFIER, "the type of the message")?;
        let encrypted = is(&kind, ID_ENCRYPTED_DATA);
        if !encrypted && !is(&kind, ID_ENVELOPED_DATA) && !is(&kind, ID_CT_AUTH_ENVELOPED_DATA) {
            return parts.unexpected("enveloped, authenticated-enveloped or encrypted data");
        }
        parts.enter(Tag::context(0).constructed(), "content")?;
        parts.enter(Tag::SEQUENCE, "enveloped data")?;
        parts.part(VERSION, "a version")?;
        let (mut originator, mut recipients) = (None, Vec::new());
        if !encrypted {
            let mut next = parts.octets()?;
            // originatorInfo [0] IMPLICIT OriginatorInfo OPTIONAL
            if let Some((offset, octets)) = next.take_if(|(_, octets)| octets.first() == Some(&0xA0)) {
                originator = Some(implicit::<OriginatorInfo<'static>>(0, &octets, offset)?);
                next = parts.octets()?;
            }
            let Some((offset, octets)) = next else { return parts.unexpected("recipients") };
            // RecipientInfos ::= SET SIZE (1..MAX) OF RecipientInfo
            let mut inside = Parts::new(&octets[..], limits);
            inside.enter(Tag::SET, "recipients")?;
            while let Some((at, octets)) = inside.octets()? {
                recipients.push(part(&octets, offset.saturating_add(at), RECIPIENT_INFO)?);
            }
        }
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
        Ok(Self { body, left, kind, originator, recipients, content_type, algorithm })
    }

    /// The type of the message: [`ID_ENVELOPED_DATA`], [`ID_CT_AUTH_ENVELOPED_DATA`] or [`ID_ENCRYPTED_DATA`].
    #[must_use]
    pub fn kind(&self) -> Oid<'_> {
        oid(&self.kind)
    }

    /// Whether the encrypted content is elsewhere.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        matches!(self.body, Body::Detached(_))
    }

    /// Certificates and CRLs of the sender: an [`OriginatorInfo`] in DER.
    #[must_use]
    pub fn originator_info(&self) -> Option<&[u8]> {
        self.originator.as_deref()
    }

    /// Who can read it: each a [`RecipientInfo`] in DER. None for encrypted data.
    #[must_use]
    pub fn recipients(&self) -> &[Vec<u8>] {
        &self.recipients
    }

    /// What the content is.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        oid(&self.content_type)
    }

    /// How the content was encrypted: an [`AlgorithmIdentifier`] in DER.
    #[must_use]
    pub fn algorithm(&self) -> &[u8] {
        &self.algorithm
    }

    /// Passes what is left of the content, and reads the rest of the message.
    ///
    /// # Errors
    /// What is wrong with it; that something follows the message; what exceeds the limits.
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
                (Some(0x04 | 0x24), true) if tail.mac.is_none() => {
                    let mut mac = Vec::new();
                    let mut inside = Events::with(&octets[..], Settings::new(Rules::Ber));
                    inside.next()?;
                    inside.into_content().read_to_end(&mut mac).map_err(of_reading)?;
                    tail.mac = Some(mac);
                }
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
        match &mut self.body {
            Body::Content(content) => content.read(buffer),
            Body::Detached(_) => Ok(0),
        }
    }
}

/// An element under an IMPLICIT tag as DER under its own.
fn implicit<T: Typed>(number: u32, octets: &[u8], offset: u64) -> Result<Vec<u8>, ReadError> {
    let wrong = |error| ReadError::Part { error, offset };
    let options = tagwise_codec::Options::ber_definite();
    let der = ber::to_der_implicit::<T>(Tag::context(number), octets, &options).map_err(wrong)?;
    Ok(der.into_bytes().into_owned())
}

/// Whether an OBJECT IDENTIFIER in DER is this one.
fn is(der: &[u8], wanted: Oid<'_>) -> bool {
    oid(der) == wanted
}

/// An OBJECT IDENTIFIER that was checked; 0.0 would be one that was not.
fn oid(der: &[u8]) -> Oid<'_> {
    Oid::from_der(der).unwrap_or(tagwise_codec::oid!("0.0"))
}
