//! Errors: the algorithm, the backend, and whether something is not offered or not right.

use core::fmt;

/// Reason why a cryptographic operation was not done.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    algorithm: String,
    backend: Option<&'static str>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No row of the table has this algorithm.
    Unsupported,
    /// The table has it, this backend does not.
    NotOffered,
    /// For old data only, and disabled by default: a signature with SHA-1, an RSA key below 2,048 bits, a legacy cipher.
    Legacy,
    /// The parameters are not those that the algorithm has.
    Parameters,
    /// The algorithm does not go with this kind of key.
    WrongKey,
    /// The key does not decode, or is none of its algorithm.
    MalformedKey,
    /// Two forms of one key, or a key and its public half, disagree.
    Inconsistent,
    /// The key is smaller than the backend supports, or larger.
    KeySize,
    /// The signature is not that of this message by this key.
    Signature,
    /// A MAC, a tag or an integrity check does not hold: another password or key, or damage.
    Integrity,
    /// It is encrypted under a password, and none was given.
    PasswordNeeded,
    /// Input of a length that the algorithm does not have.
    Length,
    /// More work or memory is asked for than the limit allows.
    Limit,
    /// The identifier in what is signed names another algorithm than the signer has.
    Mismatch,
    /// The backend failed; what it said is the source, if it said anything.
    Failed,
}

impl ErrorKind {
    /// Returns whether nothing was decided because the algorithm is not implemented: no verdict about a signature follows from it.
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

    /// The kind in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unsupported => "is not supported",
            Self::NotOffered => "is not offered",
            Self::Legacy => "is disabled: it is for old data only",
            Self::Parameters => "has other parameters",
            Self::WrongKey => "does not go with this kind of key",
            Self::MalformedKey => "key is malformed",
            Self::Inconsistent => "key is not consistent",
            Self::KeySize => "keys are not supported: their size is out of range",
            Self::Signature => "signature is wrong",
            Self::Integrity => "integrity check failed: another password or key, or damaged data",
            Self::PasswordNeeded => "is encrypted: a password is needed",
            Self::Length => "input has a wrong length",
            Self::Limit => "asks for more than the limit",
            Self::Mismatch => "is not what the signed data names",
            Self::Failed => "failed",
        }
    }
}

impl Error {
    /// An error of an algorithm, by its name.
    #[must_use]
    pub fn new(kind: ErrorKind, algorithm: impl fmt::Display) -> Self {
        Self { kind, algorithm: algorithm.to_string(), backend: None, source: None }
    }

    /// The same, by this backend.
    #[must_use]
    pub fn by(mut self, backend: &'static str) -> Self {
        self.backend = Some(backend);
        self
    }

    /// The same, with what is behind it.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The algorithm, by its name in the table or, of one that is not there, its dotted identifier.
    #[must_use]
    pub fn algorithm(&self) -> &str {
        &self.algorithm
    }

    /// The backend, if one was asked.
    #[must_use]
    pub const fn backend(&self) -> Option<&'static str> {
        self.backend
    }
}

impl fmt::Display for Error {
    /// `ML-DSA-65 is not offered by nss`.
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
