//! Streaming of digested and authenticated data (RFC 5652 §7, §9) and compressed data (RFC 3274).

use std::io::{self, Write};

use tagwise_codec::{Oid, encode};

use super::{Segments, WriteError, begin, encapsulate, encapsulated, end};
use crate::cms::authenticated::{AuthenticatedParts, around, auth_attrs};
use crate::cms::choices::{AttributePlacement, attributes, retag};
use crate::cms::octet_string;
use crate::{BuildError, digest};
use tagwise_messages::cms::compressed::{ID_ALG_ZLIB_COMPRESS, ID_CT_COMPRESSED_DATA};
use tagwise_messages::cms::{CmsVersion, ID_CT_AUTH_DATA, ID_DATA, ID_DIGESTED_DATA};
use tagwise_x509::alg::AlgorithmIdentifier;

/// Encodes a value in DER.
fn der<T: tagwise_codec::Encode>(value: &T) -> Result<Vec<u8>, WriteError> {
    Ok(encode(value).map_err(BuildError::from)?)
}

/// A writer for digested data with content of any size, using constant memory. Write the content to it, and compute the
/// digest separately.
///
/// ```
/// use std::io::Write;
/// use tagwise_codec::ber;
/// use tagwise_build::{Digest, cms};
/// use tagwise_messages::cms::{ContentInfo, ID_DATA};
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
    /// Writes everything before the content.
    ///
    /// # Errors
    /// Returns an error if a part cannot be encoded, or writing fails.
    pub fn new(mut out: W, content_type: Oid<'_>, algorithm: &AlgorithmIdentifier<'p>) -> Result<Self, WriteError> {
        // §7: the version follows from the type.
        let version = if content_type == ID_DATA { CmsVersion::V0 } else { CmsVersion::V2 };
        begin(&mut out, ID_DIGESTED_DATA)?;
        out.write_all(&der(&version)?)?;
        out.write_all(&der(algorithm)?)?;
        Ok(Self { content: encapsulate(out, &der(&content_type)?)?, algorithm: *algorithm })
    }

    /// Writes the digest, and ends the content and the message.
    ///
    /// # Errors
    /// Returns an error if the digest does not have its algorithm's length, or writing fails.
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

/// A writer for compressed data of any size, using constant memory. Write a zlib stream (RFC 1950) to it.
#[derive(Debug)]
pub struct CompressedWriter<W> {
    content: Segments<W>,
}

impl<W: Write> CompressedWriter<W> {
    /// Writes everything before the content. `content_type` is the type of the decompressed content.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn new(mut out: W, content_type: Oid<'_>) -> Result<Self, WriteError> {
        begin(&mut out, ID_CT_COMPRESSED_DATA)?;
        out.write_all(&der(&CmsVersion::V0)?)?;
        out.write_all(&der(&AlgorithmIdentifier { algorithm: ID_ALG_ZLIB_COMPRESS, parameters: None })?)?;
        Ok(Self { content: encapsulate(out, &der(&content_type)?)? })
    }

    /// Ends the content and the message.
    ///
    /// # Errors
    /// Returns an error if writing fails.
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

/// A writer for authenticated data with content of any size, using constant memory. Write the content to it, and compute
/// its digest separately (or its MAC, if there are no authenticated attributes).
#[derive(Debug)]
pub struct AuthenticatedWriter<'p, W> {
    content: Segments<W>,
    parts: AuthenticatedParts<'p>,
    unauth_attrs: Vec<u8>,
}

impl<'p, W: Write> AuthenticatedWriter<'p, W> {
    /// Writes everything before the content.
    ///
    /// # Errors
    /// Returns an error if [`authenticated_data`](crate::cms::authenticated_data) would reject the parts, or writing fails.
    pub fn new(mut out: W, parts: &AuthenticatedParts<'p>) -> Result<Self, WriteError> {
        let (head, unauth_attrs) =
            (around(parts)?, attributes(3, parts.unauth_attrs, AttributePlacement::Unprotected)?);
        begin(&mut out, ID_CT_AUTH_DATA)?;
        out.write_all(&head)?;
        let content = encapsulate(out, &der(&parts.content_type)?)?;
        Ok(Self { content, parts: *parts, unauth_attrs })
    }

    /// Ends the content. The digest is required if there are authenticated attributes.
    ///
    /// # Errors
    /// Returns an error if the digest does not have its algorithm's length, an attribute is duplicated or misplaced, or writing
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

/// Streamed authenticated data that is complete except for its MAC.
#[derive(Debug)]
pub struct UnauthenticatedStream<W> {
    out: W,
    auth_attrs: Option<Vec<u8>>,
    unauth_attrs: Vec<u8>,
}

impl<W: Write> UnauthenticatedStream<W> {
    /// Returns the bytes to authenticate: the attributes as a DER SET OF. Returns `None` if the MAC covers the content (RFC 5652 §9.2).
    #[must_use]
    pub fn tbs(&self) -> Option<&[u8]> {
        self.auth_attrs.as_deref()
    }

    /// Writes the MAC and ends the message.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn attach(mut self, mac: &[u8]) -> Result<W, WriteError> {
        self.out.write_all(&self.auth_attrs.map(|set| retag(&set, 2)).unwrap_or_default())?;
        self.out.write_all(&der(&octet_string(mac))?)?;
        self.out.write_all(&self.unauth_attrs)?;
        end(self.out)
    }
}
