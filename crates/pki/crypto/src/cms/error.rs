//! Errors of creating and processing messages.

use core::fmt;
use std::io;

use tagwise_codec::FaultKind;
use tagwise_pkix::build::BuildError;
use tagwise_pkix::build::cms::WriteError;
use tagwise_pkix::cms::ReadError;

use crate::{Error, ErrorKind};

/// The reason why a CMS operation failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum CmsError {
    /// The message could not be read or is malformed.
    Read(ReadError),
    /// A malformed part of the message or of the input. Offsets are relative to its start.
    Malformed {
        /// The name of the part.
        part: &'static str,
        /// The decoder's error.
        error: tagwise_codec::Error,
    },
    /// A part of the message is present but invalid.
    Invalid {
        /// The invalid part.
        what: &'static str,
        /// The violated section of a standard.
        clause: &'static str,
    },
    /// The message cannot be built.
    Build(BuildError),
    /// Reading the content or writing the result failed.
    Io(io::Error),
    /// A cryptographic error, including invalid signatures.
    Crypto(Error),
    /// The content's digest does not match the signed or authenticated digest.
    Digest,
    /// The signature covers the signed attributes as they are in the message, which is not their DER encoding.
    NotDer,
    /// A signer's certificate was not found.
    NoCertificate,
    /// The message is not for this key or password.
    NoRecipient,
    /// The content is detached and was not supplied.
    NoContent,
    /// The message has several RSA recipients that the key may belong to, so the recipient's certificate is required.
    Ambiguous,
    /// A limit was exceeded, such as the number of signers.
    Limit {
        /// The quantity that exceeded its limit.
        what: &'static str,
    },
}

impl CmsError {
    pub(super) fn malformed(part: &'static str) -> impl Fn(tagwise_codec::Error) -> Self + Copy {
        move |error| Self::Malformed { part, error }
    }

    /// Returns whether the result is unknown rather than negative: no backend supports the algorithm, a limit was exceeded, or the
    /// content or a certificate was not supplied.
    ///
    /// ```
    /// use tagwise_crypto::{Error, ErrorKind, cms::CmsError};
    /// assert!(CmsError::from(Error::new(ErrorKind::Unsupported, "1.2.3")).is_unknown());
    /// assert!(CmsError::NoContent.is_unknown() && !CmsError::Digest.is_unknown());
    /// assert!(!CmsError::from(Error::new(ErrorKind::Signature, "Ed25519")).is_unknown());
    /// ```
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Crypto(error) => error.kind().is_unsupported() || error.kind() == ErrorKind::Limit,
            Self::Read(ReadError::Stream(error)) => error.kind() == Some(FaultKind::DepthExceeded),
            Self::Read(ReadError::TooLarge { .. }) | Self::Limit { .. } => true,
            Self::NoCertificate | Self::NoContent | Self::Ambiguous => true,
            _ => false,
        }
    }

    /// Returns [`CmsError::Invalid`] unless the condition holds.
    pub(crate) const fn demand(holds: bool, what: &'static str, clause: &'static str) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::Invalid { what, clause }) }
    }
}

impl fmt::Display for CmsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Malformed { part, error } => write!(f, "{part}: {error}"),
            Self::Invalid { what, clause } => write!(f, "{what} ({clause})"),
            Self::Build(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Crypto(error) => error.fmt(f),
            Self::Digest => f.write_str("the content does not match its signed digest (RFC 5652 §5.6)"),
            Self::NotDer => f.write_str(
                "the signature covers the signed attributes as they are in the message, not their DER encoding (RFC 5652 §5.4)",
            ),
            Self::NoCertificate => f.write_str("the signer's certificate is missing"),
            Self::NoRecipient => f.write_str("the message is not for this key"),
            Self::NoContent => f.write_str("the content is detached and was not supplied"),
            Self::Ambiguous => f.write_str(
                "the message has several RSA recipients: give the certificate to select one (RFC 5652 §6.2.1)",
            ),
            Self::Limit { what } => write!(f, "{what}: more than the limits allow"),
        }
    }
}

impl std::error::Error for CmsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Malformed { error, .. } => Some(error),
            Self::Build(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Crypto(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ReadError> for CmsError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<BuildError> for CmsError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<tagwise_codec::EncodeError> for CmsError {
    fn from(error: tagwise_codec::EncodeError) -> Self {
        Self::Build(error.into())
    }
}

impl From<WriteError> for CmsError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Build(error) => Self::Build(error),
            WriteError::Io(error) => Self::Io(error),
            other => Self::Io(io::Error::other(other)),
        }
    }
}

impl From<io::Error> for CmsError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Error> for CmsError {
    fn from(error: Error) -> Self {
        Self::Crypto(error)
    }
}
