//! Validated subject alternative names.

use core::fmt;
use std::collections::HashSet;
use std::net::IpAddr;

use tagwise_codec::{Ia5, Open, Utf8, encode};
use tagwise_path::is_a_label;
use tagwise_pkix::ext::{GeneralName, IpAddress, OtherName, OtherNameValue};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;

use crate::Error;

const CLAUSE: &str = "RFC 5280 §4.2.1.6";

/// A subject alternative name.
///
/// ```
/// use tagwise_ca::AltName;
/// assert_eq!(AltName::dns("*.example.org")?.to_string(), "DNS:*.example.org");
/// assert_eq!(AltName::ip("2001:db8::1".parse().unwrap()).to_string(), "IP:2001:db8::1");
/// let error = AltName::dns("www..example.org").unwrap_err();
/// assert_eq!(error.to_string(), "`www..example.org` is not a DNS name: a label is empty (RFC 5280 §4.2.1.6)");
/// # Ok::<(), tagwise_ca::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AltName(NameKey);

#[derive(Clone, PartialEq, Eq, Hash)]
enum NameKey {
    Dns(String),
    V4([u8; 4]),
    V6([u8; 16]),
    Email(String),
    Uri(String),
    /// A user principal name, as a UTF8String in DER.
    Upn(String, Vec<u8>),
}

/// The type of an alternative name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// A DNS name (dNSName).
    Dns,
    /// An IP address (iPAddress).
    Ip,
    /// A mailbox (rfc822Name).
    Email,
    /// A URI (uniformResourceIdentifier).
    Uri,
    /// An Active Directory user principal name, such as `user@example.org`.
    Upn,
}

impl NameKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Dns, Self::Ip, Self::Email, Self::Uri, Self::Upn];

    /// Returns the kind's name, such as `dns`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Ip => "ip",
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Upn => "upn",
        }
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for NameKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| {
            let what = format!("unknown kind of name `{}`, expected dns, ip, email, uri or upn", text.escape_debug());
            Error::refused(what, CLAUSE)
        })
    }
}

impl AltName {
    /// Creates a DNS name in the preferred name syntax of RFC 1034 §3.5, optionally with `*` as the complete first label
    /// (RFC 9525 §6.3). Internationalized names must be A-labels.
    ///
    /// # Errors
    /// Returns an error if the name is invalid.
    pub fn dns(name: &str) -> Result<Self, Error> {
        let wrong = |what: &str| Error::refused(format!("`{}` is not a DNS name: {what}", visible(&name)), CLAUSE);
        let labels = name.strip_prefix("*.").unwrap_or(name);
        if name.len() > 253 {
            return Err(wrong("it is longer than 253 characters"));
        }
        for label in labels.split('.') {
            let plain = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-';
            if label.is_empty() {
                return Err(wrong("a label is empty"));
            } else if label.len() > 63 {
                return Err(wrong("a label is longer than 63 characters"));
            } else if !label.is_ascii() {
                return Err(wrong("a label is not ASCII; use its A-label, which begins with xn--"));
            } else if !label.bytes().all(plain) || label.starts_with('-') || label.ends_with('-') {
                return Err(wrong("a label must consist of letters and digits, with hyphens only between them"));
            } else if label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")) && !is_a_label(label) {
                return Err(wrong("a label begins with xn--, but is not an A-label (RFC 5890 §2.3.2.1)"));
            }
        }
        // RFC 1123 §2.1: the highest label is alphabetic, so that no address in dotted decimal is a host name. Resolvers and URL parsers
        // also read a last label that is a number as an address.
        if is_number(labels.rsplit('.').next().unwrap_or_default()) {
            return Err(match labels.parse::<IpAddr>() {
                Ok(_) => wrong("it is an IP address, which belongs in an iPAddress"),
                Err(_) => wrong("the last label is a number (RFC 1123 §2.1)"),
            });
        }
        Ok(Self(NameKey::Dns(name.to_owned())))
    }

    /// Creates an IP address name.
    #[must_use]
    pub const fn ip(address: IpAddr) -> Self {
        Self(match address {
            IpAddr::V4(address) => NameKey::V4(address.octets()),
            IpAddr::V6(address) => NameKey::V6(address.octets()),
        })
    }

    /// Creates a mailbox name, `local@domain` in ASCII (RFC 5280 §4.2.1.6, rfc822Name).
    ///
    /// # Errors
    /// Returns an error if the mailbox is invalid.
    pub fn email(mailbox: &str) -> Result<Self, Error> {
        let wrong =
            |what: &str| Error::refused(format!("`{}` is not an email address: {what}", visible(&mailbox)), CLAUSE);
        let Some((local, domain)) = mailbox.rsplit_once('@') else { return Err(wrong("the @ is missing")) };
        let plain = |octet: u8| octet.is_ascii_graphic() && !b"<>()[],;:\\\"@".contains(&octet);
        if local.is_empty() || !local.bytes().all(plain) || local.split('.').any(str::is_empty) {
            return Err(wrong("the part before the @ is not an ASCII dot-atom"));
        }
        if domain.starts_with('*') || Self::dns(domain).is_err() {
            return Err(wrong("the part after the @ is not a domain name"));
        }
        Ok(Self(NameKey::Email(mailbox.to_owned())))
    }

    /// Creates a name from an absolute URI (RFC 3986) in ASCII.
    ///
    /// # Errors
    /// Returns an error if the URI is invalid.
    pub fn uri(uri: &str) -> Result<Self, Error> {
        check_uri(uri)?;
        Ok(Self(NameKey::Uri(uri.to_owned())))
    }

    /// Creates an Active Directory user principal name, `user@realm` ([MS-WCCE] §2.2.2.7.7.4).
    ///
    /// # Errors
    /// Returns an error if the name is invalid.
    pub fn upn(name: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::refused(format!("`{}` is not a user principal name: expected user@realm", visible(&name)), CLAUSE)
        };
        let (user, realm) = name.rsplit_once('@').ok_or_else(wrong)?;
        if user.is_empty() || realm.is_empty() || name.chars().any(|it| it.is_control() || it.is_whitespace()) {
            return Err(wrong());
        }
        let der = encode(&Utf8::new(name)).map_err(|error| Error::Build(error.into()))?;
        Ok(Self(NameKey::Upn(name.to_owned(), der)))
    }

    /// Parses a name that is prefixed with its kind, such as `dns:www.example.org` or `ip:192.0.2.1`.
    ///
    /// # Errors
    /// Returns an error if the kind is unknown or the name is invalid.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (kind, name) = text.split_once(':').unwrap_or((text, ""));
        match kind.parse()? {
            NameKind::Dns => Self::dns(name),
            NameKind::Email => Self::email(name),
            NameKind::Uri => Self::uri(name),
            NameKind::Upn => Self::upn(name),
            NameKind::Ip => name.parse().map(Self::ip).map_err(|_not_an_address| {
                Error::refused(format!("`{}` is not an IP address", visible(&name)), CLAUSE)
            }),
        }
    }

    /// Returns the kind of the name.
    #[must_use]
    pub const fn kind(&self) -> NameKind {
        match &self.0 {
            NameKey::Dns(_) => NameKind::Dns,
            NameKey::V4(_) | NameKey::V6(_) => NameKind::Ip,
            NameKey::Email(_) => NameKind::Email,
            NameKey::Uri(_) => NameKind::Uri,
            NameKey::Upn(..) => NameKind::Upn,
        }
    }

    /// Returns the name without its kind, such as `www.example.org`.
    #[must_use]
    pub fn value(&self) -> String {
        match &self.0 {
            NameKey::Dns(name) | NameKey::Email(name) | NameKey::Uri(name) | NameKey::Upn(name, _) => name.clone(),
            NameKey::V4(octets) => IpAddr::from(*octets).to_string(),
            NameKey::V6(octets) => IpAddr::from(*octets).to_string(),
        }
    }

    /// Converts a decoded GeneralName.
    ///
    /// # Errors
    /// Returns an error if the kind of name is unsupported or the name is invalid.
    pub(crate) fn of(name: &GeneralName<'_>) -> Result<Self, Error> {
        let unknown = || Error::refused(format!("unsupported kind of name: {name}"), CLAUSE);
        match name {
            GeneralName::DnsName(name) => Self::dns(name.as_str().ok_or_else(unknown)?),
            GeneralName::Rfc822Name(name) => Self::email(name.as_str().ok_or_else(unknown)?),
            GeneralName::UniformResourceIdentifier(name) => Self::uri(name.as_str().ok_or_else(unknown)?),
            GeneralName::OtherName(other) => match other.value.get() {
                Ok(OtherNameValue::Upn(name)) => Self::upn(name.as_str()),
                _ => Err(unknown()),
            },
            GeneralName::IpAddress(address) => address.addr().map(Self::ip).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    /// Returns whether the name has this text form. DNS names are compared case-insensitively (RFC 4343).
    pub(crate) fn is_text(&self, text: &str) -> bool {
        match &self.0 {
            NameKey::Dns(name) => name.eq_ignore_ascii_case(text),
            NameKey::Email(name) | NameKey::Uri(name) | NameKey::Upn(name, _) => name == text,
            NameKey::V4(octets) => text.parse() == Ok(IpAddr::from(*octets)),
            NameKey::V6(octets) => text.parse() == Ok(IpAddr::from(*octets)),
        }
    }

    /// Returns whether the name identifies a host: a DNS name or an IP address.
    pub(crate) const fn is_host(&self) -> bool {
        matches!(self.0, NameKey::Dns(_) | NameKey::V4(_) | NameKey::V6(_))
    }

    /// Converts the name to a GeneralName.
    ///
    /// # Errors
    /// Does not fail in practice, because the name was validated on creation.
    pub fn general(&self) -> Result<GeneralName<'_>, Error> {
        Ok(match &self.0 {
            NameKey::Dns(name) => GeneralName::DnsName(ia5(name)?),
            NameKey::Email(name) => GeneralName::Rfc822Name(ia5(name)?),
            NameKey::Uri(name) => GeneralName::UniformResourceIdentifier(ia5(name)?),
            NameKey::V4(octets) => GeneralName::IpAddress(IpAddress::v4(octets)),
            NameKey::V6(octets) => GeneralName::IpAddress(IpAddress::v6(octets)),
            NameKey::Upn(_, der) => GeneralName::OtherName(OtherName {
                type_id: oids::MS_NT_PRINCIPAL_NAME,
                value: Open::new(oids::MS_NT_PRINCIPAL_NAME.as_bytes(), der),
            }),
        })
    }
}

impl fmt::Display for AltName {
    /// Writes the name as `DNS:example.org`, `IP:192.0.2.1`, `email:me@example.org` or `URI:https://example.org/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            NameKey::Dns(name) => write!(f, "DNS:{name}"),
            NameKey::V4(octets) => write!(f, "IP:{}", IpAddr::from(*octets)),
            NameKey::V6(octets) => write!(f, "IP:{}", IpAddr::from(*octets)),
            NameKey::Email(name) => write!(f, "email:{name}"),
            NameKey::Uri(name) => write!(f, "URI:{name}"),
            NameKey::Upn(name, _) => write!(f, "UPN:{name}"),
        }
    }
}

impl fmt::Debug for AltName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AltName({self})")
    }
}

/// Returns whether a label is a number, in decimal or hexadecimal.
fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x").or_else(|| label.strip_prefix("0X")) {
        Some(digits) => digits.bytes().all(|octet| octet.is_ascii_hexdigit()),
        None => !label.is_empty() && label.bytes().all(|octet| octet.is_ascii_digit()),
    }
}

/// Checks that a URI has a scheme and contains only characters allowed by RFC 3986 §2.
pub(crate) fn check_uri(uri: &str) -> Result<(), Error> {
    let wrong = |what: &str| Error::refused(format!("`{}` is not a URI: {what}", visible(&uri)), CLAUSE);
    let Some((scheme, rest)) = uri.split_once(':') else { return Err(wrong("the scheme is missing")) };
    let in_scheme = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
    if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) || !scheme.bytes().all(in_scheme) {
        return Err(wrong("the scheme is malformed"));
    }
    if rest.is_empty() || !rest.bytes().all(|octet| octet.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&octet)) {
        return Err(wrong("nothing follows the scheme, or a character must be percent-encoded"));
    }
    Ok(())
}

pub(crate) fn ia5(text: &str) -> Result<Ia5<'_>, Error> {
    Ia5::new(text).map_err(|fault| Error::refused(format!("`{}`: {}", visible(&text), fault.kind().text()), CLAUSE))
}

/// Converts the names to GeneralNames, without duplicates.
pub(crate) fn general(names: &[AltName]) -> Result<Vec<GeneralName<'_>>, Error> {
    let mut seen = HashSet::with_capacity(names.len());
    names.iter().filter(|name| seen.insert(*name)).map(AltName::general).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad() {
        for name in ["example.org", "*.example.org", "xn--bcher-kva.example", "a", "1.2.example"] {
            AltName::dns(name).unwrap();
        }
        for name in ["192.0.2.1", "*.192.0.2.1", "999.1.1.1", "1", "a.0x7f", "example.1", "1.2.3.4.5", "*.1"] {
            let error = AltName::dns(name).unwrap_err().to_string();
            assert!(error.contains("it is an IP address") || error.contains("is a number"), "{error}");
        }
        for name in ["xn--99999999999.example", "*.XN--99999999999.example", "a.xn--a"] {
            let error = AltName::dns(name).unwrap_err().to_string();
            assert!(error.contains("but is not an A-label (RFC 5890 §2.3.2.1)"), "{error}");
        }
        for name in ["", ".", "a.", "*", "*.", "a.*.b", "-a.b", "a_b.c", "bücher.example", "a b", &"a".repeat(64)] {
            assert!(AltName::dns(name).is_err(), "{name}");
        }
        AltName::email("first.last+tag@example.org").unwrap();
        for name in ["", "@", "a@", "@b", "a b@c", "a..b@c", "a@*.c", "a<b@c", "ä@b"] {
            assert!(AltName::email(name).is_err(), "{name}");
        }
        AltName::uri("spiffe://example.org/workload").unwrap();
        for name in ["", "http:", "//a", "1a:b", "a:b c", "a:<b>"] {
            assert!(AltName::uri(name).is_err(), "{name}");
        }
    }
}
