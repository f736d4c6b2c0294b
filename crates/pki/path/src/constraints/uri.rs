//! Constraints on the hosts of URIs: a host or, with a leading dot, all hosts below a domain (RFC 5280 §4.2.1.10).

use super::{Subject, dns};

pub(super) fn base(host: &str) -> Option<&str> {
    dns::is_host(host.strip_prefix('.').unwrap_or(host)).then_some(host)
}

/// Returns the scheme of a URI.
pub(crate) fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let in_scheme = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(in_scheme)).then_some(scheme)
}

/// Returns the host of a URI (RFC 3986 §3.2), if it is a host name and not an IP address.
pub(crate) fn host(uri: &str) -> Option<&str> {
    let rest = uri.get(scheme(uri)?.len() + 1..)?.strip_prefix("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // RFC 3986 §3.2 allows no other characters; browsers treat a backslash as a slash, and would see another host.
    let in_authority = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%[]".contains(&octet);
    if !authority.bytes().all(in_authority) {
        return None;
    }
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // An address in brackets has colons of its own.
    if host.starts_with('[') {
        return None;
    }
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    let named = dns::is_host(host) && host.parse::<core::net::Ipv4Addr>().is_err();
    named.then_some(host)
}

/// Parses a URI with a host. If there is a constraint, §4.2.1.10 requires rejecting a URI without an authority or with an
/// address as host.
pub(super) fn subject(uri: &str) -> Subject<'_> {
    if host(uri).is_some() { Subject::Uri(uri) } else { Subject::Opaque }
}

pub(super) fn is_within(uri: &str, base: &str) -> bool {
    let Some(host) = host(uri) else { return false };
    match base.strip_prefix('.') {
        Some(_) => dns::is_within(host, base),
        None => host.eq_ignore_ascii_case(base),
    }
}
