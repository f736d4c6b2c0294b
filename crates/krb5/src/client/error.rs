//! Errors that end an exchange.

use core::fmt;

use tagwise_pkix::UnixTime;

use crate::messages::KrbError;
use crate::numbers;

/// A KDC's error (RFC 4120 §5.9.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KdcError {
    /// The code.
    pub code: i32,
    /// The KDC's text.
    pub text: Option<String>,
    /// The KDC's clock.
    pub time: UnixTime,
    /// `true` if the error came through a FAST tunnel, so that it is the KDC's and nobody else's.
    pub authenticated: bool,
}

impl KdcError {
    pub(crate) fn of(error: &KrbError<'_>, authenticated: bool) -> Self {
        let text = error.e_text.map(|text| text.to_string()).filter(|text| !text.is_empty());
        Self { code: error.error_code, text, time: error.stime.unix(), authenticated }
    }

    /// The name of the code.
    #[must_use]
    pub fn name(&self) -> &'static str {
        numbers::error::name(self.code).unwrap_or("unknown error")
    }
}

impl fmt::Display for KdcError {
    /// `KDC_ERR_PREAUTH_FAILED (24): text`, with control characters escaped.
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
    /// The KDC refused.
    Kdc(KdcError),
    /// The reply is no message of Kerberos.
    Decode(tagwise_codec::Error),
    /// A message could not be made.
    Encode(tagwise_codec::EncodeError),
    /// Something cryptographic failed; a wrong password shows here as [`ErrorKind::Integrity`](tagwise_crypto::ErrorKind).
    Crypto(tagwise_crypto::Error),
    /// The reply decodes and is not one to the request: the component, and the clause that asks for it.
    Reply(&'static str, &'static str),
    /// A signed message could not be made, or the KDC's signature is wrong.
    Cms(tagwise_crypto::cms::CmsError),
    /// The KDC's certificate is not accepted: the reason, in a sentence.
    KdcCertificate(String),
    /// The KDC's value for key agreement is none that a secret can be shared with.
    KdcValue(tagwise_crypto::Error),
    /// The KDC offers no preauthentication that the client has and is allowed to use.
    NoPreauth(Vec<i32>),
    /// Something of the client cannot be used: a sentence on what is missing.
    Login(&'static str),
    /// Referrals or preauthentication went on for too long.
    TooManySteps,
    /// A time lies outside of what messages can say.
    Time,
    /// The exchange is over, and was given another reply.
    Over,
    /// No KDC of the realm is known or answers.
    Network(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kdc(error) => write!(f, "the KDC says {error}"),
            Self::Decode(error) => write!(f, "the reply does not decode: {error}"),
            Self::Encode(error) => write!(f, "the request does not encode: {error}"),
            Self::Crypto(error) => error.fmt(f),
            Self::Reply(what, clause) => write!(f, "the reply does not fit the request: {what} ({clause})"),
            Self::Cms(error) => write!(f, "the signed message: {error}"),
            Self::KdcCertificate(why) => write!(f, "the KDC's certificate is not accepted: {why}"),
            Self::KdcValue(error) => write!(f, "the KDC's value for key agreement is not accepted: {error}"),
            Self::NoPreauth(offered) => {
                f.write_str("no usable preauthentication; the KDC offers")?;
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
            Self::TooManySteps => f.write_str("the KDCs ask for more steps than the limit"),
            Self::Time => f.write_str("a time lies outside of the years 0 to 9999"),
            Self::Over => f.write_str("the exchange is over"),
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
