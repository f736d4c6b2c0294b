//! Reference identifiers: the names expected in an end-entity certificate (RFC 9525, RFC 8550).

use core::fmt;
use core::net::IpAddr;

use crate::constraints::{is_host, split_mailbox, uri_host};

/// A name that the end-entity certificate must contain.
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
    /// A host name in lowercase without a trailing dot. Created by [`ExpectedName::dns`].
    Dns(String),
    /// An IP address.
    Ip(IpAddr),
    /// A mailbox, possibly non-ASCII (RFC 9598). Created by [`ExpectedName::mail`].
    Mail(String),
    /// A URI, whose scheme and host are compared. Created by [`ExpectedName::uri`].
    Uri(String),
}

/// The error for an invalid expected name.
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
    /// Creates an expected host name. Non-ASCII names are converted to A-labels (UTS #46, non-transitional).
    ///
    /// # Errors
    /// Returns an error if it is not a host name (RFC 1123 §2.1, RFC 9525 §6.3).
    pub fn dns(host: &str) -> Result<Self, NameError> {
        let name = ascii(host)?;
        let name = name.strip_suffix('.').unwrap_or(&name).to_ascii_lowercase();
        if !is_host(&name) || name.parse::<core::net::Ipv4Addr>().is_ok() {
            return Err(NameError {
                text: host.to_owned(),
                why: "not a host name, expected labels of letters, digits and hyphens",
            });
        }
        Ok(Self::Dns(name))
    }

    /// Creates an expected mailbox.
    ///
    /// ```
    /// use tagwise_path::ExpectedName;
    /// assert_eq!(ExpectedName::mail("Eva@Example.org")?.to_string(), "email:Eva@example.org");
    /// assert!(ExpectedName::mail("example.org").is_err());
    /// # Ok::<(), tagwise_path::NameError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error unless it consists of a local part, `@` and a domain.
    pub fn mail(mailbox: &str) -> Result<Self, NameError> {
        let error = || NameError { text: mailbox.to_owned(), why: "not an email address, expected local-part@domain" };
        let (local, domain) = split_mailbox(mailbox).ok_or_else(error)?;
        match Self::dns(domain)? {
            Self::Dns(domain) => Ok(Self::Mail(format!("{local}@{domain}"))),
            _ => Err(error()),
        }
    }

    /// Creates an expected URI, whose scheme and host are compared (RFC 9525 §6.5).
    ///
    /// ```
    /// use tagwise_path::ExpectedName;
    /// assert!(ExpectedName::uri("sip://voice.example.org/").is_ok());
    /// assert!(ExpectedName::uri("urn:isbn:0").is_err());
    /// # Ok::<(), tagwise_path::NameError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the URI has no scheme, or its host is an IP address or not a host name.
    pub fn uri(uri: &str) -> Result<Self, NameError> {
        match uri_host(uri) {
            Some(_) => Ok(Self::Uri(uri.to_owned())),
            None => Err(NameError { text: uri.to_owned(), why: "not a URI with a host name, expected scheme://host/" }),
        }
    }
}

/// Converts a host to A-labels.
fn ascii(host: &str) -> Result<std::borrow::Cow<'_, str>, NameError> {
    if host.is_ascii() {
        return Ok(host.into());
    }
    if !cfg!(feature = "idna") {
        return Err(NameError { text: host.to_owned(), why: "not ASCII: write it with A-labels (xn--)" });
    }
    let error = || NameError { text: host.to_owned(), why: "not a valid internationalized host name (UTS #46)" };
    idna::domain_to_ascii_strict(host).ok().map(Into::into).ok_or_else(error)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(ExpectedName::dns("Example.ORG."), Ok(ExpectedName::Dns("example.org".to_owned())));
        for bad in ["", ".", "a..b", "192.0.2.1", "*.example.org", "a b", "-a.example", "exa\u{1b}mple"] {
            assert!(ExpectedName::dns(bad).is_err(), "{bad}");
        }
        let error = ExpectedName::dns("exa\u{1b}mple").unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }

    #[test]
    fn hosts_outside_ascii() {
        assert_eq!(ExpectedName::dns("Bücher.example"), Ok(ExpectedName::Dns("xn--bcher-kva.example".to_owned())));
        // Non-transitional: ß stays.
        assert_eq!(ExpectedName::dns("straße.example"), Ok(ExpectedName::Dns("xn--strae-oqa.example".to_owned())));
        assert!(ExpectedName::dns("a\u{2028}b.example").is_err());
    }
}
