//! Credential cache errors.

use core::fmt;
use std::io;

use crate::FileError;

/// The reason why a cache cannot be used. The first field is the cache's name, or a message that begins with it.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheError {
    /// The name is invalid, for the given reason.
    Name(String),
    /// There is no cache with this name.
    Missing(String),
    /// The content is malformed.
    Malformed(String, FileError),
    /// The file or directory is not a credential cache or collection, for the given reason.
    NotCache(String),
    /// A system error.
    System(String, io::Error),
    /// The KCM service returned an error code or an invalid response.
    Service(String, String),
}

impl CacheError {
    /// Returns whether the error means that the cache does not exist.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }

    /// Converts a system error. A missing file becomes a missing cache.
    pub(super) fn system(name: &str, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing(name.to_owned()),
            _ => Self::System(name.to_owned(), error),
        }
    }
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) | Self::NotCache(text) => f.write_str(text),
            Self::Missing(name) => write!(f, "{name}: no such credential cache"),
            Self::Malformed(name, error) => write!(f, "{name}: {error}"),
            Self::System(name, error) => write!(f, "{name}: {error}"),
            Self::Service(name, text) => write!(f, "{name}: the KCM service: {text}"),
        }
    }
}

impl std::error::Error for CacheError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Malformed(_, error) => Some(error),
            Self::System(_, error) => Some(error),
            _ => None,
        }
    }
}
