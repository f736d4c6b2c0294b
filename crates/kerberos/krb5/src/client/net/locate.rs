//! Locates the servers of a realm in the configuration or DNS.
//!
//! DNS records are not authenticated. They only determine which servers to contact, because replies are authenticated with keys.

use std::cmp::Reverse;
use std::fmt;
use std::io;

use super::server::{addresses, is_url};
use super::{Server, servers};
use crate::conf::Config;

/// The default port of KDCs.
const KDC_PORT: u16 = 88;
/// The default port of password servers.
const KPASSWD_PORT: u16 = 464;
/// The maximum number of records in a DNS response that are used.
const MAX_RECORDS: usize = 64;

/// An SRV record (RFC 2782).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Srv {
    /// The priority. Records with lower values are used first.
    pub priority: u16,
    /// The weight among records of the same priority. Records with higher values are used first.
    pub weight: u16,
    /// The port.
    pub port: u16,
    /// The host. `.` means that the service is not available.
    pub target: String,
}

/// A URI record (RFC 7553).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uri {
    /// The priority. Records with lower values are used first.
    pub priority: u16,
    /// The weight among records of the same priority. Records with higher values are used first.
    pub weight: u16,
    /// The URI, `krb5srv:FLAGS:TRANSPORT:RESIDUAL`. The flag `m` marks a primary server.
    pub target: String,
}

/// A DNS resolver. A name without records yields an empty result, not an error.
pub trait Resolver: fmt::Debug {
    /// Looks up the SRV records of a name.
    ///
    /// # Errors
    /// Returns an error if no name server responds.
    fn srv(&self, name: &str) -> io::Result<Vec<Srv>>;

    /// Looks up the URI records of a name.
    ///
    /// # Errors
    /// Returns an error if no name server responds.
    fn uri(&self, name: &str) -> io::Result<Vec<Uri>>;

    /// Looks up the TXT records of a name.
    ///
    /// # Errors
    /// Returns an error if no name server responds.
    fn txt(&self, name: &str) -> io::Result<Vec<String>>;
}

/// The service to locate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// KDCs.
    Kdc,
    /// The primary KDCs, which receive password changes first.
    PrimaryKdc,
    /// Password servers.
    Kpasswd,
}

impl Service {
    const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Kdc => &["kdc"],
            Self::PrimaryKdc => &["primary_kdc", "master_kdc"],
            Self::Kpasswd => &["kpasswd_server"],
        }
    }

    const fn port(self) -> u16 {
        match self {
            Self::Kdc | Self::PrimaryKdc => KDC_PORT,
            Self::Kpasswd => KPASSWD_PORT,
        }
    }

    /// Returns the name of the service's URI records.
    const fn uri(self) -> &'static str {
        match self {
            Self::Kdc | Self::PrimaryKdc => "_kerberos",
            Self::Kpasswd => "_kpasswd",
        }
    }

    /// Returns the name of the service's SRV records.
    const fn srv(self) -> &'static str {
        match self {
            Self::Kdc => "_kerberos",
            Self::PrimaryKdc => "_kerberos-master",
            Self::Kpasswd => "_kpasswd",
        }
    }
}

/// Locates the servers of a realm.
pub(super) fn locate(
    config: &Config,
    resolver: Option<&dyn Resolver>,
    realm: &str,
    service: Service,
) -> io::Result<Vec<Server>> {
    let named = |setting: &&str| config.texts(&["realms", realm, setting]);
    let names: Vec<&str> = service.settings().iter().flat_map(named).collect();
    if !names.is_empty() {
        return Ok(servers(&names, service.port()));
    }
    // The admin server of a realm also changes passwords, at the usual port.
    let administers = match service {
        Service::Kpasswd => config.texts(&["realms", realm, "admin_server"]),
        _ => Vec::new(),
    };
    if !administers.is_empty() {
        let hosts: Vec<&str> = administers.into_iter().map(host_of).collect();
        return Ok(servers(&hosts, service.port()));
    }
    let looks_up = config.flag(Some(realm), "dns_lookup_kdc").unwrap_or(true);
    match resolver {
        Some(resolver) if looks_up && is_domain(realm) => {
            let mut found = match config.flag(Some(realm), "dns_uri_lookup").unwrap_or(true) {
                true => by_uri(resolver, realm, service)?,
                false => Vec::new(),
            };
            if found.is_empty() {
                found = by_srv(resolver, realm, service)?;
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns a host without its port.
fn host_of(name: &str) -> &str {
    match name.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None if name.matches(':').count() > 1 => name,
        None => name.split(':').next().unwrap_or(name),
    }
}

/// Returns whether a realm can be a DNS domain.
fn is_domain(realm: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() < 64
            && label.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
    };
    realm.len() < 240 && realm.trim_end_matches('.').split('.').all(is_label)
}

/// Returns an absolute DNS name, so that the resolver does not try it in the host's search domains.
fn absolute(prefix: &str, domain: &str) -> String {
    format!("{prefix}.{}.", domain.trim_end_matches('.'))
}

fn by_uri(resolver: &dyn Resolver, realm: &str, service: Service) -> io::Result<Vec<Server>> {
    let mut records = resolver.uri(&absolute(service.uri(), realm))?;
    records.sort_by_key(|record| (record.priority, Reverse(record.weight)));
    let mut found = Vec::new();
    for record in records.iter().take(MAX_RECORDS) {
        let mut parts = record.target.splitn(4, ':');
        let (Some(scheme), Some(flags), Some(transport), Some(place)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let is_primary = flags.contains(['m', 'M']);
        if !scheme.eq_ignore_ascii_case("krb5srv") || (service == Service::PrimaryKdc && !is_primary) {
            continue;
        }
        let at = |udp, tcp| {
            addresses(place, service.port()).into_iter().map(move |address| Server::Address { address, udp, tcp })
        };
        match transport.to_ascii_lowercase().as_str() {
            "udp" => found.extend(at(true, false)),
            "tcp" => found.extend(at(false, true)),
            "kkdcp" if is_url(place) => found.push(Server::Https(place.to_owned())),
            // Other transports may come.
            _ => {}
        }
    }
    Ok(found)
}

fn by_srv(resolver: &dyn Resolver, realm: &str, service: Service) -> io::Result<Vec<Server>> {
    let mut found = Vec::new();
    for (transport, udp) in [("_udp", true), ("_tcp", false)] {
        let mut records = resolver.srv(&absolute(&format!("{}.{transport}", service.srv()), realm))?;
        records.sort_by_key(|record| (record.priority, Reverse(record.weight)));
        for record in records.iter().take(MAX_RECORDS) {
            let host = record.target.trim_end_matches('.');
            if !host.is_empty() {
                let addresses = addresses(host, record.port).into_iter();
                found.extend(addresses.map(|mut address| {
                    address.set_port(record.port);
                    Server::Address { address, udp, tcp: !udp }
                }));
            }
        }
    }
    Ok(found)
}

/// Returns a host's realm from the TXT records of the host and its parent domains.
pub(super) fn realm_of_host(resolver: &dyn Resolver, host: &str) -> io::Result<Option<String>> {
    let mut name = host.trim_end_matches('.');
    while is_domain(name) && name.contains('.') {
        let texts = resolver.txt(&absolute("_kerberos", name))?;
        if let Some(realm) = texts.into_iter().map(|text| text.trim().to_owned()).find(|text| !text.is_empty()) {
            return Ok(Some(realm));
        }
        let Some((_, rest)) = name.split_once('.') else { break };
        name = rest;
    }
    Ok(None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::conf::NoIncludes;

    #[derive(Debug, Default)]
    struct Records {
        srv: Vec<(&'static str, Srv)>,
        uri: Vec<(&'static str, Uri)>,
        txt: Vec<(&'static str, &'static str)>,
    }

    fn of<T: Clone>(records: &[(&'static str, T)], name: &str) -> Vec<T> {
        records.iter().filter(|(of, _)| *of == name).map(|(_, record)| record.clone()).collect()
    }

    impl Resolver for Records {
        fn srv(&self, name: &str) -> io::Result<Vec<Srv>> {
            Ok(of(&self.srv, name))
        }

        fn uri(&self, name: &str) -> io::Result<Vec<Uri>> {
            Ok(of(&self.uri, name))
        }

        fn txt(&self, name: &str) -> io::Result<Vec<String>> {
            Ok(of(&self.txt, name).into_iter().map(str::to_owned).collect())
        }
    }

    fn srv(priority: u16, weight: u16, port: u16, target: &str) -> Srv {
        Srv { priority, weight, port, target: target.to_owned() }
    }

    fn uri(priority: u16, target: &str) -> Uri {
        Uri { priority, weight: 0, target: target.to_owned() }
    }

    fn names(conf: &str, records: &Records, service: Service) -> Vec<String> {
        let config = Config::parse(conf, &mut NoIncludes).unwrap();
        let found = locate(&config, Some(records), "A.TEST", service).unwrap();
        let told = |server: &Server| match server {
            Server::Address { address, udp, tcp } => format!("{address} {udp} {tcp}"),
            other => other.to_string(),
        };
        found.iter().map(told).collect()
    }

    #[test]
    fn by_the_dns() {
        let mut records = Records {
            srv: vec![
                ("_kerberos._udp.A.TEST.", srv(2, 0, 1002, "127.0.0.1")),
                ("_kerberos._udp.A.TEST.", srv(1, 0, 1003, "127.0.0.2")),
                ("_kerberos._udp.A.TEST.", srv(1, 9, 1004, "127.0.0.3")),
                ("_kerberos._tcp.A.TEST.", srv(0, 0, 0, ".")),
                ("_kerberos-master._tcp.A.TEST.", srv(0, 0, 1005, "127.0.0.4")),
            ],
            ..Records::default()
        };
        let expected = ["127.0.0.3:1004 true false", "127.0.0.2:1003 true false", "127.0.0.1:1002 true false"];
        assert_eq!(names("", &records, Service::Kdc), expected);
        assert_eq!(names("", &records, Service::PrimaryKdc), ["127.0.0.4:1005 false true"]);
        assert!(names("", &records, Service::Kpasswd).is_empty());
        assert!(names("[libdefaults]\n dns_lookup_kdc = false\n", &records, Service::Kdc).is_empty());
        // What is configured comes first, and alone.
        let configured = "[realms]\n A.TEST = {\n kdc = 127.0.0.9\n admin_server = [::1]:749\n }\n";
        assert_eq!(names(configured, &records, Service::Kdc), ["127.0.0.9:88 true true"]);
        assert_eq!(names(configured, &records, Service::Kpasswd), ["[::1]:464 true true"]);
        // URIs come before services.
        records.uri = vec![
            ("_kerberos.A.TEST.", uri(3, "krb5srv:m:tcp:127.0.0.5:99")),
            ("_kerberos.A.TEST.", uri(1, "krb5srv::udp:127.0.0.6")),
            ("_kerberos.A.TEST.", uri(2, "KRB5SRV::KKDCP:https://proxy.test/KdcProxy")),
            ("_kerberos.A.TEST.", uri(0, "krb5srv::kkdcp:http://clear.test/KdcProxy")),
            ("_kerberos.A.TEST.", uri(0, "krb5srv::smoke:hill")),
            ("_kerberos.A.TEST.", uri(0, "other::udp:127.0.0.7")),
            ("_kerberos.A.TEST.", uri(0, "krb5srv:")),
        ];
        let expected = ["127.0.0.6:88 true false", "https://proxy.test/KdcProxy", "127.0.0.5:99 false true"];
        assert_eq!(names("", &records, Service::Kdc), expected);
        assert_eq!(names("", &records, Service::PrimaryKdc), ["127.0.0.5:99 false true"]);
        assert_eq!(names("[libdefaults]\n dns_uri_lookup = no\n", &records, Service::Kdc).len(), 3);
    }

    #[test]
    fn realms_of_hosts() {
        let records = Records { txt: vec![("_kerberos.b.test.", "B.TEST")], ..Records::default() };
        let found = |host: &str| realm_of_host(&records, host).unwrap();
        assert_eq!(
            (found("www.b.test"), found("b.test."), found("www.test")),
            (Some("B.TEST".into()), Some("B.TEST".into()), None)
        );
    }

    #[test]
    fn no_domains() {
        for wrong in ["", ".", "a b", "a..b", "a/b", "a\n.test", &"x".repeat(64)] {
            assert!(!is_domain(wrong), "{wrong:?}");
        }
        assert!(is_domain("A-1.TEST") && is_domain("TEST."));
    }
}
