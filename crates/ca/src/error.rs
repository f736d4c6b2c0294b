//! Errors of a CA.

use core::fmt;

use tagwise_pkix::UnixTime;
use tagwise_pkix::build::BuildError;
use tagwise_pkix::ext::CrlReason;

use crate::Serial;

/// Reason why a CA does not do something.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The store has no CA of this label.
    NoAuthority(String),
    /// The store has a CA of this label already.
    AuthorityExists(String),
    /// The CA's key is under a passphrase, and none was given.
    PassphraseNeeded,
    /// The passphrase is another one, or the key is damaged.
    WrongPassphrase(tagwise_crypto::Error),
    /// The CA's key is not in the store.
    NoKey,
    /// The signer has another key than the CA's certificate.
    NotTheKey,
    /// The CA has issued no certificate of this number.
    NoSuchSerial(Serial),
    /// The number is that of another certificate of the CA.
    SerialTaken(Serial),
    /// The certificate is revoked already.
    AlreadyRevoked {
        /// Its number.
        serial: Serial,
        /// Since when.
        at: UnixTime,
        /// Why.
        reason: CrlReason,
    },
    /// The certificate is not on hold, so that nothing can be lifted: it is not revoked, or revoked for good.
    NotOnHold(Serial),
    /// The database was written by a later version.
    NewerDatabase {
        /// The version of its tables.
        found: i64,
        /// The latest version that is known here.
        known: i64,
    },
    /// The database is none of a CA, or no database: what it is.
    ForeignDatabase(String),
    /// Others have held the database for so many seconds.
    Locked(u64),
    /// Something was done later than the clock shows now: it was wrong then, or is wrong now.
    ClockDisagrees {
        /// The action: `the last CRL was made`.
        what: String,
        /// The time of the action.
        at: UnixTime,
        /// The time the clock shows now.
        now: UnixTime,
    },
    /// The CA came from elsewhere, and its revocations there are not known: a CRL would drop them.
    PastUnknown,
    /// The CA's revocations from before it came here are known already.
    PastKnown,
    /// A row of the store is not as it was written: the disk or something else changed it. Nothing is signed from it.
    Damaged {
        /// The row: `the status of the certificate 3F9A`.
        what: String,
    },
    /// The request is refused: the reason, and the clause that decides.
    Refused {
        /// Why.
        what: String,
        /// The standard and its section, where one says so.
        clause: Option<&'static str>,
    },
    /// Input does not decode.
    Malformed {
        /// Name of the input.
        what: &'static str,
        /// The decoder's error.
        error: tagwise_codec::Error,
    },
    /// A certificate, CRL or response cannot be built.
    Build(BuildError),
    /// A key or a signature.
    Crypto {
        /// Whose.
        what: &'static str,
        /// The cryptographic error.
        error: tagwise_crypto::Error,
    },
    /// The store failed, and has done nothing.
    Store {
        /// The operation of the store.
        doing: &'static str,
        /// The error of the store.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store failed while committing: the operation may or may not be done.
    Unconfirmed {
        /// The operation of the store.
        doing: &'static str,
        /// The error of the store.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    pub(crate) fn refused(what: impl Into<String>, clause: impl Into<Option<&'static str>>) -> Self {
        Self::Refused { what: what.into(), clause: clause.into() }
    }

    /// Returns whether it is certain that nothing was done. A store that fails while it commits cannot always say.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        !matches!(self, Self::Unconfirmed { .. })
    }

    pub(crate) fn malformed(what: &'static str) -> impl Fn(tagwise_codec::Error) -> Self {
        move |error| Self::Malformed { what, error }
    }

    pub(crate) fn crypto(what: &'static str) -> impl Fn(tagwise_crypto::Error) -> Self {
        move |error| Self::Crypto { what, error }
    }

    /// Makes the error of a store whose content contradicts itself.
    pub(crate) fn inconsistent(what: impl Into<String>) -> Self {
        Self::Store { doing: "reading", source: what.into().into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAuthority(label) => write!(f, "there is no CA `{label}` in the database"),
            Self::AuthorityExists(label) => write!(f, "there is a CA `{label}` in the database already"),
            Self::PassphraseNeeded => f.write_str("the CA's key is under a passphrase, and none was given"),
            Self::WrongPassphrase(_) => {
                f.write_str("the passphrase is not that of the CA's key, or the key is damaged")
            }
            Self::NoKey => f.write_str("the CA's key is not in the database"),
            Self::NotTheKey => f.write_str("the key is not that of the CA's certificate"),
            Self::NoSuchSerial(serial) => write!(f, "the CA has issued no certificate with the serial number {serial}"),
            Self::SerialTaken(serial) => write!(f, "the serial number {serial} is taken"),
            Self::AlreadyRevoked { serial, at, reason } => {
                write!(f, "the certificate {serial} is revoked already, since {at} ({reason})")
            }
            Self::NotOnHold(serial) => write!(f, "the certificate {serial} is not on hold"),
            Self::NewerDatabase { found, known } => {
                write!(f, "the database is from a newer version of this program (tables {found}; known here: {known})")
            }
            Self::ForeignDatabase(what) => write!(f, "it is not the database of a CA: {what}"),
            Self::Locked(seconds) => {
                write!(f, "the database was in use by others for {seconds} seconds; nothing was changed")
            }
            Self::ClockDisagrees { what, at, now } => {
                write!(f, "{what} at {at}, and the clock shows {now}: it is wrong now, or it was wrong then")
            }
            Self::PastUnknown => {
                f.write_str("the CA came from elsewhere, and its last CRL of there was not taken over")
            }
            Self::PastKnown => f.write_str("what the CA revoked before it came here is known already"),
            Self::Damaged { what } => {
                write!(f, "the database is damaged: {what} is not as it was written; restore a backup")
            }
            Self::Refused { what, clause: None } => f.write_str(what),
            Self::Refused { what, clause: Some(clause) } => write!(f, "{what} ({clause})"),
            Self::Malformed { what, error } => write!(f, "{what}: {error}"),
            Self::Build(error) => error.fmt(f),
            Self::Crypto { what, error } => write!(f, "{what}: {error}"),
            Self::Store { doing, source } => write!(f, "the database failed while {doing}: {source}"),
            Self::Unconfirmed { doing, source } => {
                write!(f, "the database failed at the end of {doing}, which is done or is not: {source}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::WrongPassphrase(error) | Self::Crypto { error, .. } => Some(error),
            Self::Malformed { error, .. } => Some(error),
            Self::Build(error) => Some(error),
            Self::Store { source, .. } | Self::Unconfirmed { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}
