//! Errors with their algorithm and backend.

use core::fmt;

use tagwise_codec::Oid;
use tagwise_pkix::oids;

/// Returns the usual name of an identifier, or its dotted form.
pub(crate) fn named(oid: Oid<'_>) -> String {
    oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}

/// The reason why a cryptographic operation failed.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    algorithm: String,
    backend: Option<&'static str>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The algorithm is unknown.
    Unsupported,
    /// The algorithm is known, but not supported by this backend.
    NotOffered,
    /// The algorithm is disabled by default, because it is only acceptable for old data: a SHA-1 signature, an RSA key below
    /// 2,048 bits, or a legacy cipher.
    Legacy,
    /// The algorithm's parameters are wrong.
    Parameters,
    /// The algorithm does not match the key type.
    WrongKey,
    /// The key does not decode, or is invalid for its algorithm.
    MalformedKey,
    /// Two representations of a key, or a private key and its public key, are inconsistent.
    Inconsistent,
    /// The backend does not support the key's size.
    KeySize,
    /// The signature is invalid.
    Signature,
    /// A MAC, tag or integrity check failed: a wrong password or key, or damaged data.
    Integrity,
    /// The data is encrypted with a password, and none was given.
    PasswordNeeded,
    /// The input has an invalid length for the algorithm.
    Length,
    /// The operation exceeds the limit on work or memory.
    Limit,
    /// The data specifies a signature algorithm that differs from the signer's, or an issuer other than the expected one.
    Mismatch,
    /// The backend failed. Its error is the source, if any.
    Failed,
}

impl ErrorKind {
    /// Returns whether the algorithm is not implemented, so that the result is unknown rather than negative.
    ///
    /// ```
    /// use tagwise_crypto::ErrorKind;
    /// assert!(ErrorKind::Unsupported.is_unsupported() && ErrorKind::NotOffered.is_unsupported());
    /// assert!(!ErrorKind::Signature.is_unsupported());
    /// ```
    #[must_use]
    pub const fn is_unsupported(self) -> bool {
        matches!(self, Self::Unsupported | Self::NotOffered)
    }

    /// Returns a description of the kind.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unsupported => "is not supported",
            Self::NotOffered => "is not offered",
            Self::Legacy => "is disabled: it is only for legacy data",
            Self::Parameters => "has invalid parameters",
            Self::WrongKey => "does not match this type of key",
            Self::MalformedKey => "key is malformed",
            Self::Inconsistent => "key is not consistent",
            Self::KeySize => "keys are not supported: their size is out of range",
            Self::Signature => "signature is invalid",
            Self::Integrity => "integrity check failed: wrong password or key, or damaged data",
            Self::PasswordNeeded => "is encrypted: a password is needed",
            Self::Length => "input has the wrong length",
            Self::Limit => "exceeds the limit",
            Self::Mismatch => "differs from the one in the signed data",
            Self::Failed => "failed",
        }
    }
}

impl Error {
    /// Creates an error that concerns the given algorithm.
    #[must_use]
    pub fn new(kind: ErrorKind, algorithm: impl fmt::Display) -> Self {
        Self { kind, algorithm: algorithm.to_string(), backend: None, source: None }
    }

    /// Sets the backend.
    #[must_use]
    pub fn by(mut self, backend: &'static str) -> Self {
        self.backend = Some(backend);
        self
    }

    /// Sets the underlying error.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the algorithm's name, or its dotted identifier if unknown.
    #[must_use]
    pub fn algorithm(&self) -> &str {
        &self.algorithm
    }

    /// Returns the name of the backend, if one was involved.
    #[must_use]
    pub const fn backend(&self) -> Option<&'static str> {
        self.backend
    }
}

impl fmt::Display for Error {
    /// Displays the error, such as `ML-DSA-65 is not offered by nss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.algorithm, self.kind.text())?;
        match self.backend {
            Some(backend) if self.kind == ErrorKind::NotOffered => write!(f, " by {backend}")?,
            Some(backend) => write!(f, " ({backend})")?,
            None => {}
        }
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
