//! The check of a configuration, which also finds parts that do not fit each other. They do not prevent the server from starting.

use std::net::IpAddr;
use std::path::Path;

use tagwise_acme::NamedProfile;
use tagwise_ca::Definition;
use tagwise_codec::{Decode, Oid};
use tagwise_enroll::Protocol;
use tagwise_pkix::ext::{GeneralName, SubjectAltName};
use tagwise_pkix::{Certificate, oids};

use crate::config::{Config, Problems, ServiceName, TlsClients};
use crate::parts::Parts;
use crate::plan::{Plan, TlsSource};

/// Finds all errors of a configuration: its values, the database, the CA's key, profiles, certificates, and the
/// permissions of secret files. Also finds parts that do not fit each other, with which the server starts nevertheless. Nothing is
/// changed. Returns no problems for a good configuration, but possibly notes.
#[must_use]
pub fn check(file: &Path, parts: &Parts) -> Problems {
    match Plan::make(file, parts) {
        Ok(plan) => {
            let mut problems = Problems::new(file, "");
            plan.off.iter().for_each(|(service, what)| problems.add(format!("[{}]: {what}", service.name())));
            advise(&plan, parts, &mut problems);
            problems
        }
        Err(problems) => problems,
    }
}

/// Adds what clients or relying parties would reject.
fn advise(plan: &Plan, parts: &Parts, problems: &mut Problems) {
    crls(plan, problems);
    acme(plan, problems);
    est(&plan.config, parts, problems);
}

/// The CA's certificate must allow its key to sign CRLs, unless another CA signs them.
fn crls(plan: &Plan, problems: &mut Problems) {
    if plan.authority.urls().crl_issuer.is_some() {
        return;
    }
    let Err(error) = plan.authority.check_signs_crls() else { return };
    match plan.config.crl {
        Some(_) => problems.add(format!("[crl]: {error}")),
        None => problems.note(format!("[ca]: {error}")),
    }
}

/// ACME certifies the names of TLS servers, and its clients connect to the host of its URL.
fn acme(plan: &Plan, problems: &mut Problems) {
    let Some(policy) = &plan.config.acme else { return };
    for NamedProfile { definition, .. } in &plan.profiles {
        if !permits(definition, oids::KP_SERVER_AUTH) {
            let name = &definition.name;
            problems.note(format!(
                "acme.profiles: the profile {name} does not include the purpose serverAuth, so TLS clients reject its certificates (RFC 5280 §4.2.1.12)"
            ));
        }
    }
    let mut listeners = plan.config.listen.iter().filter(|listen| !listen.plain);
    let has_tls =
        listeners.any(|listen| listen.services.as_ref().is_none_or(|services| services.contains(&ServiceName::Acme)));
    let Some(host) = policy.url.as_deref().and_then(host).filter(|_| has_tls) else { return };
    let (key, names) = match (&plan.tls, &plan.config.tls) {
        (TlsSource::Files(identity), _) => match names_of(identity.certificate()) {
            Some(names) => ("tls.certificate", names),
            None => return problems.add("tls.certificate: the subject alternative names cannot be read"),
        },
        (_, Some(tls)) => ("tls.names", tls.names.clone()),
        // Reported with the listeners.
        (_, None) => return,
    };
    if !names.iter().any(|name| is_for(name, host)) {
        let host = host.escape_debug();
        problems.add(format!(
            "{key}: the host {host} of acme.url is missing, so ACME clients cannot connect (RFC 9525 §6)"
        ));
    }
}

/// EST clients renew certificates, and authenticate, with a certificate in TLS.
fn est(config: &Config, parts: &Parts, problems: &mut Problems) {
    let clients = config.tls.as_ref().map_or(TlsClients::None, |tls| tls.client_certificates);
    let Some(policy) = config.enroll.as_ref().filter(|_| config.est.is_some() && clients != TlsClients::None) else {
        return;
    };
    // Unknown profiles have been reported.
    let lacks = |name: &str| (parts.profiles)(name).is_ok_and(|found| !permits(&found, oids::KP_CLIENT_AUTH));
    for grant in policy.grants.iter().filter(|grant| grant.protocols.contains(&Protocol::Est)) {
        let mut note = |profile: &str, what: &str| {
            problems.note(format!(
                "enroll.grants: {}: the profile {profile} does not include the purpose clientAuth, so its holders cannot {what} with EST (RFC 7030 §3.3.2)",
                grant.name
            ));
        };
        if policy.renewal && lacks(&grant.profile) {
            note(&grant.profile, "renew their certificates");
        }
        grant.certificates.iter().filter(|name| lacks(name)).for_each(|name| note(name, "authenticate"));
    }
}

/// Returns whether a profile's certificates are for a purpose: they are for all purposes, or for this one.
fn permits(definition: &Definition, purpose: Oid<'_>) -> bool {
    let own = &definition.purposes;
    own.is_empty() || own.iter().any(|own| [purpose, oids::ANY_EXTENDED_KEY_USAGE].contains(&own.as_oid()))
}

/// The host of a URL, without brackets and port.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split('/').next()?;
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => authority.split(':').next(),
    }
}

/// The DNS names and addresses of a certificate.
fn names_of(der: &[u8]) -> Option<Vec<String>> {
    let certificate = Certificate::from_der(der).ok()?;
    let names = certificate.tbs_certificate.extensions.map(|list| list.get::<SubjectAltName<'_>>()).transpose().ok()?;
    let mut list = Vec::new();
    for name in names.flatten().iter().flat_map(|names| names.0.0.iter()) {
        match name.ok()? {
            GeneralName::DnsName(name) => list.push(name.as_str()?.to_owned()),
            GeneralName::IpAddress(address) => {
                let octets = address.as_bytes();
                let v4 = <[u8; 4]>::try_from(octets).map(IpAddr::from);
                list.push(v4.or_else(|_| <[u8; 16]>::try_from(octets).map(IpAddr::from)).ok()?.to_string());
            }
            _ => {}
        }
    }
    Some(list)
}

/// Returns whether a name of a certificate is a host, or a wildcard for it (RFC 9525 §6.3).
fn is_for(name: &str, host: &str) -> bool {
    match (name.parse::<IpAddr>(), host.parse::<IpAddr>()) {
        (Ok(name), Ok(host)) => name == host,
        (Err(_), Err(_)) => {
            let wildcard = name.strip_prefix("*.").zip(host.split_once('.'));
            name.eq_ignore_ascii_case(host) || wildcard.is_some_and(|(name, (_, host))| name.eq_ignore_ascii_case(host))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_urls() {
        for (url, expected) in [
            ("https://ca.example.org/acme", Some("ca.example.org")),
            ("https://ca.example.org:8443/acme", Some("ca.example.org")),
            ("https://[2001:db8::1]:8443/acme", Some("2001:db8::1")),
            ("https://192.0.2.1", Some("192.0.2.1")),
            ("ca.example.org", None),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
    }

    #[test]
    fn names_cover_hosts() {
        for (name, host, expected) in [
            ("ca.example.org", "CA.example.org", true),
            ("*.example.org", "ca.example.org", true),
            ("*.example.org", "example.org", false),
            ("*.example.org", "a.ca.example.org", false),
            ("ca.example.org", "ca.example.com", false),
            ("2001:db8::1", "2001:db8:0::1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("*.0.2.1", "192.0.2.1", false),
        ] {
            assert_eq!(is_for(name, host), expected, "{name} {host}");
        }
    }
}
