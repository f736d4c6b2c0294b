//! Content that is neither encrypted nor signed: digested and authenticated data (RFC 5652 §7, §9), compressed data (RFC 3274).

use std::io::{self, Write};

use tagwise_codec::{Oid, encode};

use super::{Segments, WriteError, begin, encapsulate, encapsulated, end};
use crate::cms::authenticated::{AuthenticatedParts, around, auth_attrs};
use crate::cms::choices::{Place, attributes, retag};
use crate::cms::octet_string;
use crate::{BuildError, digest};
use tagwise_messages::cms::compressed::{ID_ALG_ZLIB_COMPRESS, ID_CT_COMPRESSED_DATA};
use tagwise_messages::cms::{CmsVersion, ID_CT_AUTH_DATA, ID_DATA, ID_DIGESTED_DATA};
use tagwise_x509::alg::AlgorithmIdentifier;

/// The DER of a value of ours.
fn der<T: tagwise_codec::Encode>(value: &T) -> Result<Vec<u8>, WriteError> {
    Ok(encode(value).map_err(BuildError::from)?)
}

/// Digested data with content of any size, in constant memory. What is written to it is the content; digest it beside.
///
/// ```
/// use std::io::Write;
/// use tagwise_codec::ber;
/// use tagwise_pkix::build::{Digest, cms};
/// use tagwise_pkix::cms::{ContentInfo, ID_DATA};
/// let algorithm = Digest::Sha256.algorithm();
/// let mut writer = cms::DigestedWriter::new(Vec::new(), ID_DATA, &algorithm)?;
/// writer.write_all(b"Hello")?;
/// let written = writer.finish(&Digest::Sha256.of(b"Hello"))?;
/// let whole = cms::digested_data(ID_DATA, Some(b"Hello"), &algorithm, &Digest::Sha256.of(b"Hello"))?;
/// assert_eq!(ber::to_der::<ContentInfo>(&written)?.bytes, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DigestedWriter<'p, W> {
    content: Segments<W>,
    algorithm: AlgorithmIdentifier<'p>,
}

impl<'p, W: Write> DigestedWriter<'p, W> {
    /// Writes what stands before the content.
    ///
    /// # Errors
    /// If something has no encoding, or writing fails.
    pub fn new(mut out: W, content_type: Oid<'_>, algorithm: &AlgorithmIdentifier<'p>) -> Result<Self, WriteError> {
        // §7: the version follows from the type.
        let version = if content_type == ID_DATA { CmsVersion::V0 } else { CmsVersion::V2 };
        begin(&mut out, ID_DIGESTED_DATA)?;
        out.write_all(&der(&version)?)?;
        out.write_all(&der(algorithm)?)?;
        Ok(Self { content: encapsulate(out, &der(&content_type)?)?, algorithm: *algorithm })
    }

    /// Ends content and message with the digest.
    ///
    /// # Errors
    /// If the digest has not the length that its algorithm gives it, or writing fails.
    pub fn finish(self, digest: &[u8]) -> Result<W, WriteError> {
        digest::check(&self.algorithm, digest, "RFC 5652 §7")?;
        let mut out = encapsulated(self.content)?;
        out.write_all(&der(&octet_string(digest))?)?;
        end(out)
    }
}

impl<W: Write> Write for DigestedWriter<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// Compressed data of any size, in constant memory. What is written to it is a zlib stream (RFC 1950), compressed elsewhere.
#[derive(Debug)]
pub struct CompressedWriter<W> {
    content: Segments<W>,
}

impl<W: Write> CompressedWriter<W> {
    /// Writes what stands before the content, which is of this type once it is decompressed.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut out: W, content_type: Oid<'_>) -> Result<Self, WriteError> {
        begin(&mut out, ID_CT_COMPRESSED_DATA)?;
        out.write_all(&der(&CmsVersion::V0)?)?;
        out.write_all(&der(&AlgorithmIdentifier { algorithm: ID_ALG_ZLIB_COMPRESS, parameters: None })?)?;
        Ok(Self { content: encapsulate(out, &der(&content_type)?)? })
    }

    /// Ends content and message.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(self) -> Result<W, WriteError> {
        end(encapsulated(self.content)?)
    }
}

impl<W: Write> Write for CompressedWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// Authenticated data with content of any size, in constant memory. Write the content to it, and digest it beside, or make the MAC
/// of it where no attributes are authenticated.
#[derive(Debug)]
pub struct AuthenticatedWriter<'p, W> {
    content: Segments<W>,
    parts: AuthenticatedParts<'p>,
    unauth_attrs: Vec<u8>,
}

impl<'p, W: Write> AuthenticatedWriter<'p, W> {
    /// Writes what stands before the content.
    ///
    /// # Errors
    /// If the parts cannot be built, as [`authenticated_data`](crate::cms::authenticated_data) says, or writing fails.
    pub fn new(mut out: W, parts: &AuthenticatedParts<'p>) -> Result<Self, WriteError> {
        let (head, unauth_attrs) = (around(parts)?, attributes(3, parts.unauth_attrs, Place::Unprotected)?);
        begin(&mut out, ID_CT_AUTH_DATA)?;
        out.write_all(&head)?;
        let content = encapsulate(out, &der(&parts.content_type)?)?;
        Ok(Self { content, parts: *parts, unauth_attrs })
    }

    /// Ends the content, whose digest is wanted where attributes are authenticated.
    ///
    /// # Errors
    /// If the digest has not the length that its algorithm gives it, an attribute is there twice or where it may not be, or writing
    /// fails.
    pub fn finish(self, digest: &[u8]) -> Result<UnauthenticatedStream<W>, WriteError> {
        let auth_attrs = auth_attrs(&self.parts, Some(digest))?;
        Ok(UnauthenticatedStream { out: encapsulated(self.content)?, auth_attrs, unauth_attrs: self.unauth_attrs })
    }
}

impl<W: Write> Write for AuthenticatedWriter<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.content.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// Authenticated data that is written but for its MAC.
#[derive(Debug)]
pub struct UnauthenticatedStream<W> {
    out: W,
    auth_attrs: Option<Vec<u8>>,
    unauth_attrs: Vec<u8>,
}

impl<W: Write> UnauthenticatedStream<W> {
    /// The bytes to authenticate: the attributes as a SET OF in DER; `None` if the MAC is of the content (RFC 5652
    /// §9.2).
    #[must_use]
    pub fn tbs(&self) -> Option<&[u8]> {
        self.auth_attrs.as_deref()
    }

    /// Writes the MAC, and ends the message.
    ///
    /// # Errors
    /// If writing fails.
    pub fn attach(mut self, mac: &[u8]) -> Result<W, WriteError> {
        self.out.write_all(&self.auth_attrs.map(|set| retag(&set, 2)).unwrap_or_default())?;
        self.out.write_all(&der(&octet_string(mac))?)?;
        self.out.write_all(&self.unauth_attrs)?;
        end(self.out)
    }
}
