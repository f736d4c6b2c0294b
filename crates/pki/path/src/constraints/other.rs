//! Constraints on two otherName types: Active Directory user principal names, and services (RFC 4985 §4).

use super::{Subject, dns};

/// Parses the base of a subtree of user principal names: one name, all names with the suffix `@domain` or `domain`, or all
/// names below `.domain`.
pub(super) fn upn_base(base: &str) -> Option<&str> {
    let domain = base.rsplit_once('@').map_or(base, |(_, domain)| domain);
    dns::is_host(domain.strip_prefix('.').unwrap_or(domain)).then_some(base)
}

/// Parses a user principal name. If its domain is not a valid host name, the name cannot be compared.
pub(super) fn upn_subject(upn: &str) -> Subject<'_> {
    match upn.rsplit_once('@') {
        Some((_, domain)) if dns::is_host(domain) => Subject::Upn(upn),
        _ => Subject::Opaque,
    }
}

/// Returns whether a user principal name lies within a subtree. Like Active Directory, it ignores case.
pub(super) fn upn_is_within(upn: &str, base: &str) -> bool {
    let Some((_, domain)) = upn.rsplit_once('@') else { return false };
    match base.rsplit_once('@') {
        Some(("", suffix)) => domain.eq_ignore_ascii_case(suffix),
        Some(_) => upn.to_lowercase() == base.to_lowercase(),
        None if base.starts_with('.') => dns::is_within(domain, base),
        None => domain.eq_ignore_ascii_case(base),
    }
}

/// The base of a subtree of service names (SRVName).
pub(super) struct SrvBase<'p> {
    service: Option<&'p str>,
    domain: Option<&'p str>,
}

/// Parses the base of a subtree (RFC 4985 §4): a complete SRVName, only a service (`_mail`), or only a DNS name
/// (`example.com`).
pub(super) fn srv_base(base: &str) -> Option<SrvBase<'_>> {
    let (service, domain) = match base.split_once('.') {
        Some((service, domain)) if service.starts_with('_') => (Some(service), Some(domain)),
        None if base.starts_with('_') => (Some(base), None),
        _ => (None, Some(base)),
    };
    let named = domain.is_none_or(dns::is_host) && service.is_none_or(|service| service.len() > 1);
    named.then_some(SrvBase { service, domain })
}

/// Parses a service name: `_Service.Name` (RFC 4985 §2).
pub(super) fn subject(name: &str) -> Subject<'_> {
    let well_formed = name
        .split_once('.')
        .is_some_and(|(service, host)| service.len() > 1 && service.starts_with('_') && dns::is_host(host));
    if well_formed { Subject::Srv(name) } else { Subject::Opaque }
}

pub(super) fn srv_is_within(name: &str, base: &SrvBase<'_>, may: bool) -> bool {
    let Some((service, host)) = name.split_once('.') else { return false };
    let within = |domain: &str| if may { dns::may_be_within(host, domain) } else { dns::is_within(host, domain) };
    base.service.is_none_or(|wanted| service.eq_ignore_ascii_case(wanted)) && base.domain.is_none_or(within)
}
