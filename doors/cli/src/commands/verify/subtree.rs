//! Name subtrees on the command line, for name constraints (RFC 5280 §4.2.1.10).

use std::net::IpAddr;
use std::str::FromStr;

use tagwise_codec::{Ia5, SeqOf, encode};
use tagwise_path::ExpectedName;
use tagwise_pkix::ext::{Count, GeneralSubtree, IpSubnet, NameConstraints, SubtreeName};
use tagwise_pkix::name::NameBuf;

use crate::shared::output::Failure;

/// A name subtree for name constraints.
#[derive(Clone, Debug)]
pub(crate) enum Subtree {
    Dns(String),
    Email(String),
    Uri(String),
    V4([u8; 8]),
    V6([u8; 32]),
    Directory(NameBuf),
}

const FORMS: &str = "expected dns:example.org, email:example.org, email:.example.org, email:eva@example.org, ip:192.0.2.0/24, \
                     uri:example.org, uri:.example.org or dirname:O=Example";

impl FromStr for Subtree {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (form, name) = text.split_once(':').ok_or_else(|| FORMS.to_owned())?;
        match form.to_ascii_lowercase().as_str() {
            "dns" if name.starts_with('.') => {
                Err("a dns subtree must not begin with a dot: dns:example.org includes the subdomains of example.org"
                    .to_owned())
            }
            // The empty name is above all.
            "dns" if name.is_empty() => Ok(Self::Dns(String::new())),
            "dns" => host(name).map(Self::Dns),
            "email" => match name.rsplit_once('@') {
                Some(_) => match ExpectedName::mail(name).map_err(|error| error.to_string())? {
                    ExpectedName::Mail(mailbox) if mailbox.is_ascii() => Ok(Self::Email(mailbox)),
                    _ => {
                        Err("the part before the @ contains non-ASCII characters, and cannot be constrained".to_owned())
                    }
                },
                None => domain(name).map(Self::Email),
            },
            "uri" => domain(name).map(Self::Uri),
            "ip" => subnet(name),
            "dirname" => NameBuf::parse(name).map(Self::Directory).map_err(|error| error.to_string()),
            _ => Err(FORMS.to_owned()),
        }
    }
}

/// Parses a host name and converts it to A-labels.
fn host(text: &str) -> Result<String, String> {
    match ExpectedName::dns(text).map_err(|error| error.to_string())? {
        ExpectedName::Dns(host) => Ok(host),
        _ => Err(FORMS.to_owned()),
    }
}

/// Parses a host, or a domain with a leading dot.
fn domain(text: &str) -> Result<String, String> {
    match text.strip_prefix('.') {
        Some(domain) => Ok(format!(".{}", host(domain)?)),
        None => host(text),
    }
}

/// Parses an IP address, optionally with a prefix length.
fn subnet(text: &str) -> Result<Subtree, String> {
    let (address, length) = match text.split_once('/') {
        Some((address, length)) => (address, Some(length)),
        None => (text, None),
    };
    let address: IpAddr = address.parse().map_err(|_error| format!("{address} is not an IP address: {FORMS}"))?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let length = match length {
        None => most,
        Some(length) => {
            let length = length.parse::<u32>().ok().filter(|length| *length <= most);
            length.ok_or_else(|| format!("the prefix length must be a number up to {most}"))?
        }
    };
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
            if address.to_bits() & !mask != 0 {
                return Err(format!("{address} has bits beyond its prefix of {length} bits"));
            }
            let mut octets = [0; 8];
            let halves = address.octets().into_iter().chain(mask.to_be_bytes());
            octets.iter_mut().zip(halves).for_each(|(to, from)| *to = from);
            Ok(Subtree::V4(octets))
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - length).unwrap_or(0);
            if address.to_bits() & !mask != 0 {
                return Err(format!("{address} has bits beyond its prefix of {length} bits"));
            }
            let mut octets = [0; 32];
            let halves = address.octets().into_iter().chain(mask.to_be_bytes());
            octets.iter_mut().zip(halves).for_each(|(to, from)| *to = from);
            Ok(Subtree::V6(octets))
        }
    }
}

impl Subtree {
    fn general(&self) -> Option<GeneralSubtree<'_>> {
        let base = match self {
            Self::Dns(host) => SubtreeName::DnsName(Ia5::new(host).ok()?),
            Self::Email(mailbox) => SubtreeName::Rfc822Name(Ia5::new(mailbox).ok()?),
            Self::Uri(host) => SubtreeName::UniformResourceIdentifier(Ia5::new(host).ok()?),
            Self::V4(octets) => SubtreeName::IpAddress(IpSubnet::v4(octets)),
            Self::V6(octets) => SubtreeName::IpAddress(IpSubnet::v6(octets)),
            Self::Directory(name) => SubtreeName::DirectoryName(name.name()),
        };
        Some(GeneralSubtree { base, minimum: Count::ZERO, maximum: None })
    }
}

fn list(subtrees: &[Subtree]) -> Option<Vec<GeneralSubtree<'_>>> {
    subtrees.iter().map(Subtree::general).collect()
}

/// Creates name constraints in DER from subtrees, or returns `None` if there are no subtrees.
///
/// # Errors
/// No error is expected: each subtree was checked when it was parsed.
pub(super) fn constraints(permit: &[Subtree], exclude: &[Subtree]) -> Result<Option<Vec<u8>>, Failure> {
    if permit.is_empty() && exclude.is_empty() {
        return Ok(None);
    }
    let bad = || Failure::usage(FORMS);
    let (permit, exclude) = (list(permit).ok_or_else(bad)?, list(exclude).ok_or_else(bad)?);
    let constraints = NameConstraints {
        permitted_subtrees: (!permit.is_empty()).then(|| SeqOf::from_slice(&permit)),
        excluded_subtrees: (!exclude.is_empty()).then(|| SeqOf::from_slice(&exclude)),
    };
    encode(&constraints).map(Some).map_err(|error| Failure::usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn forms() {
        let shown = |text: &str| text.parse::<Subtree>().unwrap().general().unwrap().base.to_string();
        for (text, base) in [
            ("dns:Example.org", "DNS:example.org"),
            ("dns:bücher.example", "DNS:xn--bcher-kva.example"),
            ("email:.example.org", "email:.example.org"),
            ("email:Eva@Example.org", "email:Eva@example.org"),
            ("uri:.example.org", "URI:.example.org"),
            ("ip:192.0.2.0/24", "IP:192.0.2.0/24"),
            ("ip:192.0.2.7", "IP:192.0.2.7/32"),
            ("ip:0.0.0.0/0", "IP:0.0.0.0/0"),
            ("ip:2001:db8::/32", "IP:2001:db8::/32"),
            ("DirName:O=Example,C=DE", "dirName:O=Example, C=DE"),
        ] {
            assert_eq!(shown(text), base, "{text}");
        }
    }

    #[test]
    fn not_subtrees() {
        for text in [
            "example.org",
            "dns:.example.org",
            "dns:exa mple.org",
            "email:a@b@",
            "ip:192.0.2.1/24",
            "ip:192.0.2.0/33",
            "ip:192.0.2.0/-1",
            "ip:2001:db8::1/32",
            "ip:example.org",
            "dirname:Example",
            "x400:C=DE",
        ] {
            assert!(text.parse::<Subtree>().is_err(), "{text}");
        }
    }
}
