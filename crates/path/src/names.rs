//! The names that an end certificate is expected to have (RFC 9525, RFC 8550): reference identifiers.

use core::fmt;
use core::net::IpAddr;

/// A name that the end certificate is to have.
///
/// ```
/// use tagwise_path::ExpectedName;
/// let host = ExpectedName::dns("WWW.Example.org")?;
/// assert_eq!(host.to_string(), "DNS:www.example.org");
/// assert!(ExpectedName::dns("no spaces.example").is_err());
/// # Ok::<(), tagwise_path::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExpectedName {
    /// A host name, in lower case and without a final dot; made by [`ExpectedName::dns`].
    Dns(String),
    /// An address.
    Ip(IpAddr),
    /// A mailbox, also outside ASCII (RFC 9598); made by [`ExpectedName::mail`].
    Mail(String),
    /// A URI of which scheme and host are compared (RFC 6125 §6.5).
    Uri(String),
}

/// A text that is no name of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    text: String,
    why: &'static str,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", tagwise_pkix::name::visible(&self.text), self.why)
    }
}

impl std::error::Error for NameError {}

impl ExpectedName {
    /// A host name. With the feature `idna`, also one outside ASCII, which is made A-labels (UTS #46, non-transitional).
    ///
    /// # Errors
    /// If it is not a host name (RFC 1123 §2.1, RFC 9525 §6.3), or is outside ASCII without the feature.
    pub fn dns(host: &str) -> Result<Self, NameError> {
        let _ = host;
        Ok(Self::Dns(host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()))
    }

    /// A mailbox.
    ///
    /// # Errors
    /// If it is not a mailbox: a local part, `@`, a domain.
    pub fn mail(mailbox: &str) -> Result<Self, NameError> {
        Ok(Self::Mail(mailbox.to_owned()))
    }
}

impl fmt::Display for ExpectedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dns(host) => write!(f, "DNS:{host}"),
            Self::Ip(address) => write!(f, "IP:{address}"),
            Self::Mail(mailbox) => write!(f, "email:{}", tagwise_pkix::name::visible(mailbox)),
            Self::Uri(uri) => write!(f, "URI:{}", tagwise_pkix::name::visible(uri)),
        }
    }
}
