//! Errors of contexts.

use core::fmt;

use crate::FileError;
use crate::client::{ClientError, KdcError};

/// The reason why a token was refused or could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum GssError {
    /// A token is malformed: what is wrong, and the clause.
    Token(&'static str, &'static str),
    /// A part of a token does not decode.
    Decode(tagwise_codec::Error),
    /// A token could not be made.
    Encode(tagwise_codec::EncodeError),
    /// Something cryptographic failed; damage and wrong keys show here as [`ErrorKind::Integrity`](tagwise_crypto::ErrorKind).
    Crypto(tagwise_crypto::Error),
    /// The peer refused.
    Peer(KdcError),
    /// The keytab has no key that the ticket could be encrypted in: service, encryption type, version of the key.
    NoKey(String),
    /// The ticket is not valid: why.
    Ticket(&'static str),
    /// The clocks of client and service differ by more than is allowed: by so many seconds.
    Skew(i64),
    /// The authenticator, or a message, was seen before.
    Replay,
    /// The replay cache is full of authenticators that may still be replayed.
    ReplayCacheFull,
    /// The channel bindings are not those of the peer, or the peer has none.
    Bindings,
    /// An exported context is malformed.
    Import(FileError),
    /// The request does not fit a context in this state.
    State(&'static str),
}

impl fmt::Display for GssError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(what, clause) => write!(f, "the token is malformed: {what} ({clause})"),
            Self::Decode(error) => write!(f, "the token does not decode: {error}"),
            Self::Encode(error) => write!(f, "the token does not encode: {error}"),
            Self::Crypto(error) => error.fmt(f),
            Self::Peer(error) => write!(f, "the peer says {error}"),
            Self::NoKey(what) => write!(f, "the keytab has no key for {what}"),
            Self::Ticket(why) => write!(f, "the ticket is refused: {why}"),
            Self::Skew(seconds) => write!(f, "the clocks differ by {seconds} seconds"),
            Self::Replay => f.write_str("the token was seen before"),
            Self::ReplayCacheFull => f.write_str("the replay cache is full"),
            Self::Bindings => f.write_str("the channel bindings differ from those of the peer"),
            Self::Import(error) => write!(f, "the exported context: {error}"),
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
        Self::State("a time lies outside of the years 0 to 9999")
    }
}

impl From<ClientError> for GssError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Decode(error) => Self::Decode(error),
            ClientError::Encode(error) => Self::Encode(error),
            ClientError::Crypto(error) => Self::Crypto(error),
            ClientError::Kdc(error) => Self::Peer(error),
            ClientError::Time => Self::State("a time lies outside of the years 0 to 9999"),
            _ => Self::State("the authenticator could not be made"),
        }
    }
}
