//! Errors that end an exchange.

use core::fmt;

use tagwise_pkix::UnixTime;

use crate::messages::KrbError;
use crate::numbers;

/// A KDC's error (RFC 4120 §5.9.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KdcError {
    /// The error code.
    pub code: i32,
    /// The KDC's error text, if any.
    pub text: Option<String>,
    /// The KDC's current time.
    pub time: UnixTime,
    /// True if the error arrived in a FAST tunnel, and is therefore authenticated.
    pub authenticated: bool,
}

impl KdcError {
    pub(crate) fn of(error: &KrbError<'_>, authenticated: bool) -> Self {
        let text = error.e_text.map(|text| text.to_string()).filter(|text| !text.is_empty());
        Self { code: error.error_code, text, time: error.stime.unix(), authenticated }
    }

    /// Returns the name of the error code.
    #[must_use]
    pub fn name(&self) -> &'static str {
        numbers::error::name(self.code).unwrap_or("unknown error")
    }
}

impl fmt::Display for KdcError {
    /// Writes `KDC_ERR_PREAUTH_FAILED (24): text`, with control characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.code)?;
        match &self.text {
            Some(text) => write!(f, ": {}", text.escape_debug()),
            None => Ok(()),
        }
    }
}

/// The reason why an exchange ended without a ticket.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The KDC returned an error.
    Kdc(KdcError),
    /// The reply is not a Kerberos message.
    Decode(tagwise_codec::Error),
    /// Encoding a message failed.
    Encode(tagwise_codec::EncodeError),
    /// A cryptographic error, such as [`ErrorKind::Integrity`](tagwise_crypto::ErrorKind) for a wrong password.
    Crypto(tagwise_crypto::Error),
    /// The reply does not match the request. Contains a description of the mismatch and the violated clause.
    Reply(&'static str, &'static str),
    /// Signing a message failed, or the KDC's signature is invalid.
    Cms(tagwise_crypto::cms::CmsError),
    /// The KDC's certificate is not accepted, for the given reason.
    KdcCertificate(String),
    /// The KDC's public value for key agreement is unusable.
    KdcValue(tagwise_crypto::Error),
    /// The KDC offers no preauthentication method that the client supports and allows.
    NoPreauth(Vec<i32>),
    /// The client's credentials cannot be used, for the given reason.
    Login(&'static str),
    /// Too many referrals or preauthentication steps.
    TooManySteps,
    /// A time cannot be represented in a message.
    Time,
    /// The exchange is already over.
    Over,
    /// No KDC of the realm is known or reachable. Contains the details.
    Network(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kdc(error) => write!(f, "the KDC says {error}"),
            Self::Decode(error) => write!(f, "the reply does not decode: {error}"),
            Self::Encode(error) => write!(f, "the request cannot be encoded: {error}"),
            Self::Crypto(error) => error.fmt(f),
            Self::Reply(what, clause) => write!(f, "the reply does not match the request: {what} ({clause})"),
            Self::Cms(error) => write!(f, "the signed message: {error}"),
            Self::KdcCertificate(why) => write!(f, "the KDC's certificate is rejected: {why}"),
            Self::KdcValue(error) => write!(f, "the KDC's key agreement value is rejected: {error}"),
            Self::NoPreauth(offered) => {
                f.write_str("no usable preauthentication mechanism; the KDC offers")?;
                for (at, number) in offered.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    match numbers::pa::name(*number) {
                        Some(name) => write!(f, "{comma} {name}")?,
                        None => write!(f, "{comma} {number}")?,
                    }
                }
                Ok(())
            }
            Self::Login(what) => f.write_str(what),
            Self::TooManySteps => f.write_str("the exchange requires more steps than the limit allows"),
            Self::Time => f.write_str("a time is outside the years 0 to 9999"),
            Self::Over => f.write_str("the exchange has already ended"),
            Self::Network(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode(error) => Some(error),
            Self::Encode(error) => Some(error),
            Self::Crypto(error) | Self::KdcValue(error) => Some(error),
            Self::Cms(error) => Some(error),
            _ => None,
        }
    }
}

impl From<tagwise_codec::Error> for ClientError {
    fn from(error: tagwise_codec::Error) -> Self {
        Self::Decode(error)
    }
}

impl From<tagwise_codec::EncodeError> for ClientError {
    fn from(error: tagwise_codec::EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl From<tagwise_crypto::Error> for ClientError {
    fn from(error: tagwise_crypto::Error) -> Self {
        Self::Crypto(error)
    }
}

impl From<tagwise_crypto::cms::CmsError> for ClientError {
    fn from(error: tagwise_crypto::cms::CmsError) -> Self {
        Self::Cms(error)
    }
}

impl From<tagwise_codec::TimeOutOfRange> for ClientError {
    fn from(_: tagwise_codec::TimeOutOfRange) -> Self {
        Self::Time
    }
}
