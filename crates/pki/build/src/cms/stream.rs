//! Streaming of messages with content that does not fit in memory: BER with indefinite lengths and segmented content.

use std::io::{self, Write};

use tagwise_codec::{Oid, Tag, encode};

use super::choices::retag;
use super::enveloped::{AuthEnvelopedParts, Enveloped, EnvelopedParts, aad};
use super::octet_string;
use super::signed::{SignedParts, Signers, around};
use crate::BuildError;
use tagwise_messages::cms::auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA;
use tagwise_messages::cms::{ID_ENVELOPED_DATA, ID_SIGNED_DATA};

mod plain;

pub use plain::{AuthenticatedWriter, CompressedWriter, DigestedWriter, UnauthenticatedStream};

/// The length of a segment, in bytes.
const SEGMENT: usize = 64 * 1024;
/// The header of a SEQUENCE with indefinite length.
const SEQUENCE: [u8; 2] = [0x30, 0x80];
/// The header of a constructed `[0]` with indefinite length.
const ZERO: [u8; 2] = [0xA0, 0x80];
const END: [u8; 2] = [0, 0];

/// A writer of segments of a constructed OCTET STRING.
#[derive(Debug)]
struct Segments<W> {
    out: W,
    held: Vec<u8>,
}

impl<W: Write> Segments<W> {
    const fn new(out: W) -> Self {
        Self { out, held: Vec::new() }
    }

    fn flush_segment(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let header = encode(&octet_string(&self.held)).map_err(io::Error::other)?;
        self.out.write_all(&header)?;
        self.held.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        self.flush_segment()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Segments<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let free = SEGMENT.saturating_sub(self.held.len());
        let (now, _) = octets.split_at_checked(free).unwrap_or((octets, &[]));
        self.held.extend_from_slice(now);
        if self.held.len() >= SEGMENT {
            self.flush_segment()?;
        }
        Ok(now.len())
    }

    /// Writes the buffered bytes as a shorter segment.
    fn flush(&mut self) -> io::Result<()> {
        self.flush_segment()?;
        self.out.flush()
    }
}

/// Writes the start of a message, up to its content.
fn begin(out: &mut impl Write, content_type: Oid<'_>) -> Result<(), WriteError> {
    out.write_all(&SEQUENCE)?;
    out.write_all(&encode(&content_type).map_err(BuildError::from)?)?;
    out.write_all(&ZERO)?;
    out.write_all(&SEQUENCE)?;
    Ok(())
}

/// Writes the content type, given in DER, and the headers that precede the content.
fn encapsulate<W: Write>(mut out: W, content_type: &[u8]) -> io::Result<Segments<W>> {
    out.write_all(&SEQUENCE)?;
    out.write_all(content_type)?;
    out.write_all(&ZERO)?;
    out.write_all(&[Tag::OCTET_STRING.constructed().first_octet(), 0x80])?;
    Ok(Segments::new(out))
}

/// Ends the OCTET STRING, its explicit tag, and the enclosing element.
fn encapsulated<W: Write>(content: Segments<W>) -> io::Result<W> {
    let mut out = content.finish()?;
    out.write_all(&[END; 3].concat())?;
    Ok(out)
}

/// Ends the message: the content, its explicit tag, and the ContentInfo.
fn end<W: Write>(mut out: W) -> Result<W, WriteError> {
    out.write_all(&[END; 3].concat())?;
    out.flush()?;
    Ok(out)
}

/// The reason why writing a streamed message failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The message cannot be built.
    Build(BuildError),
    /// Writing the output failed.
    Io(io::Error),
}

impl core::fmt::Display for WriteError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the message could not be written: {error}"),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Build(error) => Some(error),
            Self::Io(error) => Some(error),
        }
    }
}

impl From<BuildError> for WriteError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A writer for signed data with content of any size, using constant memory. Write the content to it, and compute its
/// digests separately. After the content, pass the digests to [`finish`](Self::finish), and the signatures to
/// [`UnsignedStream::attach`].
///
/// Detached signatures do not need streaming, because [`signed_data`](super::signed_data) without content needs only the
/// digest.
///
/// ```
/// use std::io::Write;
/// use tagwise_codec::ber;
/// use tagwise_build::{Digest, cms};
/// use tagwise_messages::cms::{Content, ContentInfo, ID_DATA, SignerIdentifier};
/// use tagwise_x509::{AlgorithmIdentifier, oids};
/// # fn sign(_: &[u8]) -> [u8; 64] { [1; 64] }
/// let signer = cms::Signer {
///     sid: SignerIdentifier::SubjectKeyIdentifier(b"key 1"[..].into()),
///     digest_algorithm: Digest::Sha512.algorithm(),
///     signature_algorithm: AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None },
///     signed_attrs: Some(&[]),
///     unsigned_attrs: &[],
/// };
/// let parts = cms::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &[signer] };
/// let mut writer = cms::SignedWriter::new(Vec::new(), &parts)?;
/// writer.write_all(b"Hello")?;
/// let unsigned = writer.finish(&[&Digest::Sha512.of(b"Hello")])?;
/// let signature = sign(unsigned.tbs(0).expect("attributes are signed"));
/// let written = unsigned.attach(&[&signature])?;
/// let der = ber::to_der::<ContentInfo>(&written)?;
/// assert!(matches!(der.decode::<ContentInfo>()?.content.get()?, Content::SignedData(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SignedWriter<'p, W> {
    content: Segments<W>,
    parts: SignedParts<'p>,
    lists: Vec<u8>,
}

impl<'p, W: Write> SignedWriter<'p, W> {
    /// Writes everything before the content.
    ///
    /// # Errors
    /// Returns an error if [`signed_data`](super::signed_data) would reject the parts, or writing fails.
    pub fn new(mut out: W, parts: &SignedParts<'p>) -> Result<Self, WriteError> {
        let around = around(parts)?;
        begin(&mut out, ID_SIGNED_DATA)?;
        out.write_all(&around.head)?;
        let content = encapsulate(out, &around.content_type)?;
        Ok(Self { content, parts: *parts, lists: around.lists })
    }

    /// Ends the content. `digests` contains the content digests, one per signer, in order.
    ///
    /// # Errors
    /// Returns an error if the numbers of digests and signers differ, an attribute is duplicated or misplaced, or writing
    /// fails.
    pub fn finish(self, digests: &[&[u8]]) -> Result<UnsignedStream<W>, WriteError> {
        let signers = Signers::new(&self.parts, digests)?;
        let mut out = encapsulated(self.content)?;
        out.write_all(&self.lists)?;
        Ok(UnsignedStream { out, signers })
    }
}

impl<W: Write> Write for SignedWriter<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// Streamed signed data that is complete except for its signers.
#[derive(Debug)]
pub struct UnsignedStream<W> {
    out: W,
    signers: Signers,
}

impl<W: Write> UnsignedStream<W> {
    /// Returns the bytes that a signer must sign. See [`UnsignedMessage::tbs`](super::UnsignedMessage::tbs).
    #[must_use]
    pub fn tbs(&self, signer: usize) -> Option<&[u8]> {
        self.signers.tbs(signer)
    }

    /// Returns a signer's signature AlgorithmIdentifier, in DER.
    #[must_use]
    pub fn algorithm(&self, signer: usize) -> Option<&[u8]> {
        self.signers.algorithm(signer)
    }

    /// Writes the signers, with one signature each, in order, and ends the message.
    ///
    /// # Errors
    /// Returns an error if the numbers of signatures and signers differ, or writing fails.
    pub fn attach(mut self, signatures: &[&[u8]]) -> Result<W, WriteError> {
        self.out.write_all(&self.signers.attach(signatures)?)?;
        end(self.out)
    }
}

/// A writer for enveloped data with content of any size, using constant memory. Write the encrypted content to it.
#[derive(Debug)]
pub struct EnvelopedWriter<W> {
    content: Segments<W>,
    tail: Vec<u8>,
}

/// Writes the part before the encrypted content.
fn begin_encrypted(mut out: impl Write, content_type: Oid<'_>, around: &Enveloped) -> Result<(), WriteError> {
    begin(&mut out, content_type)?;
    out.write_all(&around.head)?;
    out.write_all(&SEQUENCE)?;
    out.write_all(&around.content)?;
    out.write_all(&ZERO)?;
    Ok(())
}

impl<W: Write> EnvelopedWriter<W> {
    /// Writes everything before the content.
    ///
    /// # Errors
    /// Returns an error if [`enveloped_data`](super::enveloped_data) would reject the parts, or writing fails.
    pub fn new(mut out: W, parts: &EnvelopedParts<'_>) -> Result<Self, WriteError> {
        let around = Enveloped::new(parts)?;
        begin_encrypted(&mut out, ID_ENVELOPED_DATA, &around)?;
        Ok(Self { content: Segments::new(out), tail: around.tail })
    }

    /// Ends the content and the message.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(self) -> Result<W, WriteError> {
        let mut out = self.content.finish()?;
        // The content, and what is around it.
        out.write_all(&[END; 2].concat())?;
        out.write_all(&self.tail)?;
        end(out)
    }
}

impl<W: Write> Write for EnvelopedWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// A writer for authenticated-enveloped data with content of any size, using constant memory. Write the encrypted content
/// to it.
#[derive(Debug)]
pub struct AuthEnvelopedWriter<W> {
    content: Segments<W>,
    aad: Option<Vec<u8>>,
    tail: Vec<u8>,
}

impl<W: Write> AuthEnvelopedWriter<W> {
    /// Writes everything before the content.
    ///
    /// # Errors
    /// Returns an error if [`auth_enveloped_data`](super::auth_enveloped_data) would reject the parts, or writing fails.
    pub fn new(mut out: W, parts: &AuthEnvelopedParts<'_>) -> Result<Self, WriteError> {
        let (aad, around) = (aad(parts)?, Enveloped::authenticated(parts)?);
        begin_encrypted(&mut out, ID_CT_AUTH_ENVELOPED_DATA, &around)?;
        Ok(Self { content: Segments::new(out), aad, tail: around.tail })
    }

    /// Returns the additional authenticated data. See [`Unsealed::aad`](super::Unsealed::aad).
    #[must_use]
    pub fn aad(&self) -> Option<&[u8]> {
        self.aad.as_deref()
    }

    /// Writes the MAC, and ends the content and the message.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(self, mac: &[u8]) -> Result<W, WriteError> {
        let mut out = self.content.finish()?;
        out.write_all(&[END; 2].concat())?;
        out.write_all(&self.aad.map(|set| retag(&set, 1)).unwrap_or_default())?;
        out.write_all(&encode(&octet_string(mac)).map_err(BuildError::from)?)?;
        out.write_all(&self.tail)?;
        end(out)
    }
}

impl<W: Write> Write for AuthEnvelopedWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}
