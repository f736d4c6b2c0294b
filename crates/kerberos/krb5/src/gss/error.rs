//! Context errors.

use core::fmt;

use crate::FileError;
use crate::client::{ClientError, KdcError};

/// The reason why a token was rejected or could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum GssError {
    /// A token is malformed. Contains a description and the violated clause.
    Token(&'static str, &'static str),
    /// A part of a token cannot be decoded.
    Decode(tagwise_codec::Error),
    /// Encoding a token failed.
    Encode(tagwise_codec::EncodeError),
    /// A cryptographic error. Damage and wrong keys are [`ErrorKind::Integrity`](tagwise_crypto::ErrorKind).
    Crypto(tagwise_crypto::Error),
    /// The peer returned an error.
    Peer(KdcError),
    /// The keytab has no key for the ticket's service, encryption type and key version.
    NoKey(String),
    /// The ticket is not valid, for the given reason.
    Ticket(&'static str),
    /// The clock skew exceeds the maximum. Contains the difference in seconds.
    Skew(i64),
    /// An authenticator or message was replayed.
    Replay,
    /// The replay cache is full of unexpired authenticators.
    ReplayCacheFull,
    /// The channel bindings do not match or are missing.
    Bindings,
    /// An exported context is malformed.
    Import(FileError),
    /// The operation is not possible in this state of the context.
    State(&'static str),
}

impl fmt::Display for GssError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(what, clause) => write!(f, "malformed token: {what} ({clause})"),
            Self::Decode(error) => write!(f, "the token does not decode: {error}"),
            Self::Encode(error) => write!(f, "the token cannot be encoded: {error}"),
            Self::Crypto(error) => error.fmt(f),
            Self::Peer(error) => write!(f, "the peer reports {error}"),
            Self::NoKey(what) => write!(f, "the keytab has no key for {what}"),
            Self::Ticket(why) => write!(f, "the ticket is rejected: {why}"),
            Self::Skew(seconds) => write!(f, "the clocks differ by {seconds} seconds"),
            Self::Replay => f.write_str("replayed token"),
            Self::ReplayCacheFull => f.write_str("the replay cache is full"),
            Self::Bindings => f.write_str("the channel bindings differ from the peer's"),
            Self::Import(error) => write!(f, "the exported context cannot be imported: {error}"),
            Self::State(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for GssError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode(error) => Some(error),
            Self::Encode(error) => Some(error),
            Self::Crypto(error) => Some(error),
            Self::Import(error) => Some(error),
            _ => None,
        }
    }
}

impl From<tagwise_codec::Error> for GssError {
    fn from(error: tagwise_codec::Error) -> Self {
        Self::Decode(error)
    }
}

impl From<tagwise_codec::EncodeError> for GssError {
    fn from(error: tagwise_codec::EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl From<tagwise_crypto::Error> for GssError {
    fn from(error: tagwise_crypto::Error) -> Self {
        Self::Crypto(error)
    }
}

impl From<FileError> for GssError {
    fn from(error: FileError) -> Self {
        Self::Import(error)
    }
}

impl From<tagwise_codec::TimeOutOfRange> for GssError {
    fn from(_: tagwise_codec::TimeOutOfRange) -> Self {
        Self::State("a time is outside the years 0 to 9999")
    }
}

impl From<ClientError> for GssError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Decode(error) => Self::Decode(error),
            ClientError::Encode(error) => Self::Encode(error),
            ClientError::Crypto(error) => Self::Crypto(error),
            ClientError::Kdc(error) => Self::Peer(error),
            ClientError::Time => Self::State("a time is outside the years 0 to 9999"),
            _ => Self::State("the authenticator cannot be created"),
        }
    }
}
