//! Errors of a CA.

use core::fmt;

use tagwise_pkix::UnixTime;
use tagwise_pkix::build::BuildError;
use tagwise_pkix::ext::CrlReason;

use crate::Serial;

/// The reason why a CA operation failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no CA with this label in the store.
    NoAuthority(String),
    /// There is already a CA with this label in the store.
    AuthorityExists(String),
    /// The CA's key is encrypted, and no passphrase was given.
    PassphraseNeeded,
    /// The passphrase is wrong, or the key is damaged.
    WrongPassphrase(tagwise_crypto::Error),
    /// The CA's key is not in the store.
    NoKey,
    /// The signer's key does not match the CA certificate.
    NotTheKey,
    /// The CA has not issued a certificate with this serial number.
    NoSuchSerial(Serial),
    /// The serial number is already used by another certificate of the CA.
    SerialTaken(Serial),
    /// The certificate is already revoked.
    AlreadyRevoked {
        /// The certificate's serial number.
        serial: Serial,
        /// The time at which the certificate was revoked.
        at: UnixTime,
        /// The reason for which the certificate was revoked.
        reason: CrlReason,
    },
    /// The certificate is not on hold: it is either not revoked or permanently revoked.
    NotOnHold(Serial),
    /// The database was written by a newer version.
    NewerDatabase {
        /// The schema version of the database.
        found: i64,
        /// The latest supported schema version.
        known: i64,
    },
    /// The file is not a CA database. Contains a description of the file.
    ForeignDatabase(String),
    /// Another process kept the database locked for longer than the maximum wait. Contains the wait in seconds.
    Locked(u64),
    /// A recorded time is later than the current time. The clock was or is wrong.
    ClockDisagrees {
        /// The recorded action, such as `the last CRL was issued`.
        what: String,
        /// The time of the recorded action.
        at: UnixTime,
        /// The current time.
        now: UnixTime,
    },
    /// The CA was imported, and its earlier revocations are unknown. A CRL would omit them.
    PastUnknown,
    /// The earlier revocations of the imported CA are already known.
    PastKnown,
    /// A row of the store was modified by another program. The CA does not sign anything based on it.
    Damaged {
        /// The row, such as `the status of the certificate 3F9A`.
        what: String,
    },
    /// Another request has changed or deleted the document since it was read.
    Conflict,
    /// The operation is rejected. Contains the reason and the violated clause.
    Refused {
        /// The reason for the rejection.
        what: String,
        /// The standard and its section, if any.
        clause: Option<&'static str>,
    },
    /// The input is malformed.
    Malformed {
        /// The input, such as `the CA's certificate`.
        what: &'static str,
        /// The decoder's error.
        error: tagwise_codec::Error,
    },
    /// A certificate, CRL or response cannot be built.
    Build(BuildError),
    /// A key or signature operation failed.
    Crypto {
        /// The key or signed object, such as `the CA's key`.
        what: &'static str,
        /// The error from the crypto backend.
        error: tagwise_crypto::Error,
    },
    /// Too few logs have returned a valid timestamp, so no certificate was issued. The precertificate is stored, and counts as issued
    /// (RFC 6962 §3.1): it can be revoked.
    NotLogged {
        /// The serial number of the precertificate.
        serial: Serial,
        /// The reason, with the answer of each log.
        why: String,
    },
    /// The CA's index does not list certificates that it issued, so it may be incomplete, and no CRL shows whether they are revoked.
    NotInIndex {
        /// The number of these certificates.
        count: usize,
        /// Some of their serial numbers and files.
        some: String,
    },
    /// The store failed, and nothing was changed.
    Store {
        /// The failed operation, such as `reading`.
        doing: &'static str,
        /// The store's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store failed during the commit, so the operation may or may not have been completed.
    Unconfirmed {
        /// The operation that may have failed.
        doing: &'static str,
        /// The store's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    pub(crate) fn refused(what: impl Into<String>, clause: impl Into<Option<&'static str>>) -> Self {
        Self::Refused { what: what.into(), clause: clause.into() }
    }

    /// Returns whether the store is certainly unchanged. This is uncertain if the store fails during a commit, and false for
    /// [`NotLogged`](Self::NotLogged).
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        !matches!(self, Self::Unconfirmed { .. } | Self::NotLogged { .. })
    }

    pub(crate) fn malformed(what: &'static str) -> impl Fn(tagwise_codec::Error) -> Self {
        move |error| Self::Malformed { what, error }
    }

    pub(crate) fn crypto(what: &'static str) -> impl Fn(tagwise_crypto::Error) -> Self {
        move |error| Self::Crypto { what, error }
    }

    /// Creates the error for a store with inconsistent content.
    pub(crate) fn inconsistent(what: impl Into<String>) -> Self {
        Self::Store { doing: "reading", source: what.into().into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAuthority(label) => write!(f, "the database has no CA `{label}`"),
            Self::AuthorityExists(label) => write!(f, "the database already has a CA `{label}`"),
            Self::PassphraseNeeded => f.write_str("the CA's key is encrypted: a passphrase is required"),
            Self::WrongPassphrase(_) => f.write_str("wrong passphrase for the CA's key, or the key is damaged"),
            Self::NoKey => f.write_str("the CA's key is not in the database"),
            Self::NotTheKey => f.write_str("the key does not match the CA's certificate"),
            Self::NoSuchSerial(serial) => write!(f, "the CA has issued no certificate with the serial number {serial}"),
            Self::SerialTaken(serial) => write!(f, "the serial number {serial} is already in use"),
            Self::AlreadyRevoked { serial, at, reason } => {
                write!(f, "the certificate {serial} is already revoked, since {at} ({reason})")
            }
            Self::NotOnHold(serial) => write!(f, "the certificate {serial} is not on hold"),
            Self::NewerDatabase { found, known } => {
                write!(
                    f,
                    "the database was written by a newer version of this program (tables {found}; supported: {known})"
                )
            }
            Self::ForeignDatabase(what) => write!(f, "not a CA database: {what}"),
            Self::Locked(seconds) => {
                write!(f, "the database was in use by other programs for {seconds} seconds; nothing was changed")
            }
            Self::ClockDisagrees { what, at, now } => {
                write!(f, "{what} at {at}, but the clock shows {now}: the clock is wrong now, or was wrong then")
            }
            Self::PastUnknown => f.write_str("the CA was imported without its last CRL"),
            Self::PastKnown => f.write_str("the CA's earlier revocations were already imported"),
            Self::Damaged { what } => {
                write!(f, "the database is damaged: {what} differs from what was written; restore a backup")
            }
            Self::Conflict => f.write_str("another request changed the document at the same time; try again"),
            Self::NotInIndex { count, some } => {
                let (certificates, are) =
                    if *count == 1 { ("a certificate", "it is") } else { ("certificates", "they are") };
                write!(
                    f,
                    "the index may be incomplete: it does not list {certificates} of this CA, and no CRL shows whether {are} revoked: {some}"
                )
            }
            Self::Refused { what, clause: None } => f.write_str(what),
            Self::Refused { what, clause: Some(clause) } => write!(f, "{what} ({clause})"),
            Self::Malformed { what, error } => write!(f, "{what}: {error}"),
            Self::Build(error) => error.fmt(f),
            Self::Crypto { what, error } => write!(f, "{what}: {error}"),
            Self::NotLogged { serial, why } => write!(
                f,
                "no certificate was issued: {why}; the precertificate {serial} counts as issued (RFC 6962 §3.1), and can be revoked"
            ),
            Self::Store { doing, source } => write!(f, "the database failed while {doing}: {source}"),
            Self::Unconfirmed { doing, source } => {
                write!(f, "the database failed at the end of {doing}, which may or may not have completed: {source}")
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
