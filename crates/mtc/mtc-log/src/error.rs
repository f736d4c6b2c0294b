//! Errors of logs, witnesses and mirrors.

use core::fmt;

use tagwise_mtc::Hash;
use tagwise_pkix::UnixTime;

/// An error from a log, a witness or a mirror.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A database or file operation failed.
    Store {
        /// The operation, such as `storing entries`.
        doing: &'static str,
        /// The underlying error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file is not a log database, or is a database of a different kind.
    Foreign(String),
    /// The database was created by a newer version. Contains the schema version.
    Newer(i64),
    /// The file already contains a log.
    Exists,
    /// The tree in the tiles differs from the recorded one, because the database was modified.
    Fork {
        /// The tree size at which they differ.
        size: u64,
        /// The recorded root.
        recorded: Hash,
        /// The root computed from the tiles.
        found: Hash,
    },
    /// Required data is missing. Contains a description of the data.
    Missing(&'static str),
    /// Another process appended entries in the meantime.
    Changed,
    /// An entry, a name or a request is malformed.
    Format(tagwise_mtc::Error),
    /// A cryptographic operation failed.
    Crypto(tagwise_crypto::Error),
    /// The key does not match the log's CA key, or its algorithm is not supported in checkpoints. Contains the reason.
    Key(&'static str),
    /// A recorded time is later than the current time. The clock was or is wrong.
    Clock {
        /// The recorded action, such as `the last checkpoint was signed`.
        what: &'static str,
        /// The time of the action, as Unix time.
        at: u64,
        /// The current time, as Unix time.
        now: u64,
    },
    /// A cosignature is invalid.
    Signature(tagwise_mtc::relying::SignatureFault),
}

impl Error {
    pub(crate) fn store(doing: &'static str) -> impl Fn(Box<dyn std::error::Error + Send + Sync>) -> Self + Copy {
        move |source| Self::Store { doing, source }
    }
}

/// Returns a function that converts an SQLite error to a log's error.
pub(crate) fn failed(doing: &'static str) -> impl Fn(rusqlite::Error) -> Error + Copy {
    move |error| match error.sqlite_error().map(|error| error.extended_code) {
        // SQLite reports an I/O error if it cannot allocate the index of its log because the disk is full.
        Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => Error::Store { doing, source: "the disk is full".into() },
        _ => Error::Store { doing, source: error.into() },
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store { doing, source } => write!(f, "{doing}: {source}"),
            Self::Foreign(why) => write!(f, "not the expected database: {why}"),
            Self::Newer(version) => write!(f, "the database version {version} is newer than this program supports"),
            Self::Exists => f.write_str("the file already contains a log"),
            Self::Fork { size, .. } => {
                write!(f, "the tree of size {size} differs from the recorded one: the database was modified")
            }
            Self::Missing(what) => write!(f, "{what} not found"),
            Self::Changed => f.write_str("another process appended entries to the log in the meantime"),
            Self::Format(error) => error.fmt(f),
            Self::Crypto(error) => error.fmt(f),
            Self::Key(why) => f.write_str(why),
            Self::Signature(fault) => fault.fmt(f),
            Self::Clock { what, at, now } => {
                let time = |seconds: &u64| UnixTime(i64::try_from(*seconds).unwrap_or(i64::MAX));
                let (at, now) = (time(at), time(now));
                write!(f, "{what} at {at}, but the clock shows {now}: the clock is wrong now, or was wrong then")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store { source, .. } => Some(&**source),
            Self::Crypto(error) => Some(error),
            _ => None,
        }
    }
}

impl From<tagwise_mtc::Error> for Error {
    fn from(error: tagwise_mtc::Error) -> Self {
        Self::Format(error)
    }
}

impl From<tagwise_crypto::Error> for Error {
    fn from(error: tagwise_crypto::Error) -> Self {
        Self::Crypto(error)
    }
}
