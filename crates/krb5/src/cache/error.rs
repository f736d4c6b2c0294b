//! Errors of credential caches.

use core::fmt;
use std::io;

use crate::FileError;

/// The reason why a cache cannot be used. The name of the cache comes first.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheError {
    /// The name is wrong: a sentence.
    Name(String),
    /// There is no cache of this name.
    Missing(String),
    /// The content is malformed.
    Malformed(String, FileError),
    /// The file or folder is not a credential cache, or not one of a collection: a sentence.
    NotCache(String),
    /// The system refuses.
    System(String, io::Error),
    /// The KCM service refuses with a code, or says something that is not an answer.
    Service(String, String),
}

impl CacheError {
    /// Returns whether the cache is not there.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }

    /// An error of the system; a file that is not there is a cache that is not there.
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
            Self::Missing(name) => write!(f, "{name}: there is no such credential cache"),
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
