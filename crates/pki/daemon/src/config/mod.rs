//! The configuration file.

mod section;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tagwise_acme::Policy;
use tagwise_ca::AltName;

use section::Document;
pub use section::{Problem, Problems};

/// A service that can be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceName {
    /// ACME (RFC 8555), below `/acme` or the path of the policy's URL.
    Acme,
    /// OCSP (RFC 6960), at `/ocsp`.
    Ocsp,
    /// The last CRL at `/crl`, and the CA's certificate at `/ca`.
    Crl,
    /// EST (RFC 7030), below `/.well-known/est`.
    Est,
    /// SCEP (RFC 8894), at `/scep` and `/cgi-bin/pkiclient.exe`.
    Scep,
    /// CMP (RFC 9811), at `/cmp` and below `/.well-known/cmp`.
    Cmp,
    /// Time stamps (RFC 3161), at `/tsp`.
    Tsp,
}

impl ServiceName {
    /// All services.
    pub const ALL: [Self; 7] = [Self::Acme, Self::Ocsp, Self::Crl, Self::Est, Self::Scep, Self::Cmp, Self::Tsp];

    /// The name in configurations, metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acme => "acme",
            Self::Ocsp => "ocsp",
            Self::Crl => "crl",
            Self::Est => "est",
            Self::Scep => "scep",
            Self::Cmp => "cmp",
            Self::Tsp => "tsp",
        }
    }

    /// The reason why the service requires TLS on a listener, if it does. The messages of the others are signed.
    const fn tls_clause(self, is_loopback: bool) -> Option<&'static str> {
        match self {
            Self::Acme if !is_loopback => Some("except on a loopback address (RFC 8555 §6.1)"),
            Self::Est => Some("which authenticates its clients (RFC 7030 §3.3)"),
            _ => None,
        }
    }
}

/// The CA's database and key.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CaConfig {
    /// The SQLite file.
    pub sqlite: Option<PathBuf>,
    /// The PostgreSQL connection string.
    pub postgresql: Option<String>,
    /// The number of connections to the database for issuance, and as many for OCSP and CRLs [default: 4].
    pub connections: Option<u32>,
    /// The file whose first line is the passphrase of the CA's key.
    pub passphrase_file: Option<PathBuf>,
}

impl std::fmt::Debug for CaConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A connection string may contain a password.
        f.debug_struct("CaConfig").field("sqlite", &self.sqlite).finish_non_exhaustive()
    }
}

/// A listener.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ListenConfig {
    /// The address and port, or `fd:NAME` for a socket that systemd has opened (`FileDescriptorName=NAME`).
    pub address: String,
    /// The services, or `None` for all that are configured.
    #[serde(default)]
    pub services: Option<Vec<ServiceName>>,
    /// True for HTTP without TLS.
    #[serde(default)]
    pub plain: bool,
    /// The maximum number of connections at once [default: 256].
    #[serde(default = "connections")]
    pub connections: u32,
}

const fn connections() -> u32 {
    256
}

/// The authentication of TLS clients by certificates of the CA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TlsClients {
    /// Certificates are not requested.
    #[default]
    None,
    /// Certificates are requested, and verified if clients send one.
    Optional,
    /// Clients without a valid certificate are rejected.
    Required,
}

/// TLS for all listeners that are not plain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TlsConfig {
    /// The names and addresses in the certificate that the CA issues to the server.
    pub names: Vec<String>,
    /// The validity period of that certificate, which is replaced after half of it [default: 30].
    pub days: Option<u32>,
    /// The file with a certificate and its chain in PEM, instead of one from the CA.
    pub certificate: Option<PathBuf>,
    /// The file with the certificate's private key in PEM.
    pub key: Option<PathBuf>,
    /// The authentication of clients.
    pub client_certificates: TlsClients,
}

/// The OCSP responder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OcspConfig {
    /// The validity period of responses.
    pub hours: u32,
    /// True to return nonces (RFC 9654), which requires a signature for each request.
    pub nonce: bool,
    /// True to sign responses in advance.
    pub in_advance: bool,
    /// The validity period of a delegated responder's certificate, which is replaced after half of it. Without it, the
    /// CA's key signs.
    pub delegate_days: Option<u32>,
}

impl Default for OcspConfig {
    fn default() -> Self {
        Self { hours: 24, nonce: true, in_advance: true, delegate_days: None }
    }
}

/// CRLs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CrlConfig {
    /// The validity period of CRLs. Each is issued halfway through that of the last one.
    pub days: u32,
    /// The minimum age of the last CRL, in minutes, at which a revocation causes the next one to be issued.
    pub minutes_after_revocation: u32,
}

impl Default for CrlConfig {
    fn default() -> Self {
        Self { days: 7, minutes_after_revocation: 10 }
    }
}

/// EST. Its policy is in `[enroll]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstConfig {}

/// CMP. Its policy is in `[enroll]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmpConfig {}

/// SCEP. Its policy is in `[enroll]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScepConfig {
    /// The file with the registration authority's certificate in PEM, for an RSA key.
    pub certificate: PathBuf,
    /// The file with its private key, PKCS #8 in PEM.
    pub key: PathBuf,
    /// The file with the CA's next certificate in PEM, and then those of its registration authority, for clients that ask
    /// for them before the CA's certificate expires.
    pub next: Option<PathBuf>,
}

/// The time stamp authority.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TspConfig {
    /// The file with the authority's certificate and its chain in PEM.
    pub certificate: PathBuf,
    /// The file with its private key, PKCS #8 in PEM.
    pub key: PathBuf,
    /// The object identifiers of the supported policies. The first is the default.
    pub policies: Vec<String>,
    /// The accuracy of the clock in seconds, if stated.
    #[serde(default)]
    pub accuracy: Option<u32>,
}

/// The listener for Prometheus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MetricsConfig {
    /// The address and port of `/metrics`, `/healthz` and `/readyz`, without TLS.
    pub address: SocketAddr,
}

/// The socket for `tagwise serve status`, `reload` and `drain`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AdminConfig {
    /// The path of the UNIX socket.
    pub socket: PathBuf,
}

/// The format of logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// A line of text for each event.
    #[default]
    Text,
    /// A JSON object on a line for each event.
    Json,
}

/// The log on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LogConfig {
    /// The format.
    pub format: LogFormat,
    /// True to log each request.
    pub requests: bool,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self { format: LogFormat::Text, requests: true }
    }
}

/// A server's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The CA's database and key.
    pub ca: CaConfig,
    /// The listeners.
    pub listen: Vec<ListenConfig>,
    /// TLS, unless all listeners are plain.
    pub tls: Option<TlsConfig>,
    /// The policy of the ACME server, if it runs.
    pub acme: Option<Policy>,
    /// The OCSP responder, if it runs.
    pub ocsp: Option<OcspConfig>,
    /// CRLs, if they are issued and served.
    pub crl: Option<CrlConfig>,
    /// The policy of EST, SCEP and CMP.
    pub enroll: Option<tagwise_enroll::Policy>,
    /// EST, if it runs.
    pub est: Option<EstConfig>,
    /// SCEP, if it runs.
    pub scep: Option<ScepConfig>,
    /// CMP, if it runs.
    pub cmp: Option<CmpConfig>,
    /// The time stamp authority, if it runs.
    pub tsp: Option<TspConfig>,
    /// The listener for Prometheus, if any.
    pub metrics: Option<MetricsConfig>,
    /// The administration socket, if any.
    pub admin: Option<AdminConfig>,
    /// The log.
    pub log: LogConfig,
}

const SECTIONS: [&str; 14] =
    ["ca", "listen", "tls", "acme", "ocsp", "crl", "enroll", "est", "scep", "cmp", "tsp", "metrics", "admin", "log"];

impl Config {
    /// Parses a configuration and checks its values. Relative paths are relative to the file's folder. Returns all errors,
    /// and the configuration if enough of it is known to check files.
    #[must_use]
    pub fn parse(file: &Path, text: &str) -> (Option<Self>, Problems) {
        let mut problems = Problems::new(file, text);
        let mut document = Document::parse(text, &SECTIONS, &mut problems);
        let found = &mut problems;
        let config = Self {
            ca: document.section("ca", found).unwrap_or_default(),
            listen: document.sections("listen", found),
            tls: document.section("tls", found),
            acme: document.section("acme", found),
            ocsp: document.section("ocsp", found),
            crl: document.section("crl", found),
            enroll: document.section("enroll", found),
            est: document.section("est", found),
            scep: document.section("scep", found),
            cmp: document.section("cmp", found),
            tsp: document.section("tsp", found),
            metrics: document.section("metrics", found),
            admin: document.section("admin", found),
            log: document.section("log", found).unwrap_or_default(),
        };
        config.check(found);
        let usable = config.ca.sqlite.is_some() != config.ca.postgresql.is_some();
        (usable.then(|| config.relative_to(file.parent().unwrap_or(Path::new("")))), problems)
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        let mut paths: Vec<&mut PathBuf> = Vec::new();
        paths.extend(&mut self.ca.sqlite);
        paths.extend(&mut self.ca.passphrase_file);
        paths.extend(self.acme.iter_mut().flat_map(|policy| &mut policy.alternate_chains));
        if let Some(tls) = &mut self.tls {
            paths.extend(&mut tls.certificate);
            paths.extend(&mut tls.key);
        }
        paths.extend(
            self.scep
                .iter_mut()
                .flat_map(|scep| [&mut scep.certificate, &mut scep.key].into_iter().chain(&mut scep.next)),
        );
        paths.extend(self.tsp.iter_mut().flat_map(|tsp| [&mut tsp.certificate, &mut tsp.key]));
        paths.extend(self.admin.as_mut().map(|admin| &mut admin.socket));
        for path in paths {
            *path = folder.join(&*path);
        }
        self
    }

    /// The configured services.
    #[must_use]
    pub fn services(&self) -> BTreeSet<ServiceName> {
        let all = [
            (ServiceName::Acme, self.acme.is_some()),
            (ServiceName::Ocsp, self.ocsp.is_some()),
            (ServiceName::Crl, self.crl.is_some()),
            (ServiceName::Est, self.est.is_some()),
            (ServiceName::Scep, self.scep.is_some()),
            (ServiceName::Cmp, self.cmp.is_some()),
            (ServiceName::Tsp, self.tsp.is_some()),
        ];
        all.into_iter().filter_map(|(service, is_there)| is_there.then_some(service)).collect()
    }

    /// The services of a listener.
    pub(crate) fn services_of(&self, listen: &ListenConfig) -> BTreeSet<ServiceName> {
        listen.services.as_ref().map_or_else(|| self.services(), |list| list.iter().copied().collect())
    }

    /// The URL of the ACME server for clients, if the policy has none. `address` is the first TLS or plain listener with it.
    pub(crate) fn acme_url(&self, address: SocketAddr, is_plain: bool) -> String {
        let name = self.tls.as_ref().and_then(|tls| tls.names.first()).filter(|_| !is_plain);
        let host = match name {
            Some(name) if name.contains(':') => format!("[{name}]"),
            Some(name) => name.clone(),
            None if address.is_ipv6() => format!("[{}]", address.ip()),
            None => address.ip().to_string(),
        };
        let (scheme, usual) = if is_plain { ("http", 80) } else { ("https", 443) };
        let port = if address.port() == usual { String::new() } else { format!(":{}", address.port()) };
        format!("{scheme}://{host}{port}/acme")
    }

    /// Checks values that their types do not.
    fn check(&self, problems: &mut Problems) {
        match (&self.ca.sqlite, &self.ca.postgresql) {
            (None, None) if !problems.is_incomplete("ca") => {
                problems.add("[ca]: no database, expected `sqlite` or `postgresql`")
            }
            (Some(_), Some(_)) => problems.add("[ca]: `sqlite` and `postgresql` exclude each other"),
            _ => {}
        }
        let mut range = |key: &str, value: Option<u32>, most: u32| {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                problems.add(format!("{key}: {value} is out of range, expected 1 to {most}"));
            }
        };
        range("ca.connections", self.ca.connections, 256);
        range("tls.days", self.tls.as_ref().and_then(|tls| tls.days), 825);
        range("ocsp.hours", self.ocsp.as_ref().map(|ocsp| ocsp.hours), 8760);
        range("ocsp.delegate-days", self.ocsp.as_ref().and_then(|ocsp| ocsp.delegate_days), 365);
        range("crl.days", self.crl.as_ref().map(|crl| crl.days), 3650);
        let minutes = self.crl.as_ref().map(|crl| crl.minutes_after_revocation);
        range("crl.minutes-after-revocation", minutes, 10_080);
        for listen in &self.listen {
            range("listen.connections", Some(listen.connections), 65536);
        }
        if let Some(policy) = &self.acme {
            if let Err(what) = policy.check()
                && !problems.is_incomplete("acme")
            {
                problems.add(format!("acme.{what}"));
            }
            if policy.url.as_deref().is_some_and(|url| path_of(url).is_empty()) {
                problems.add("acme.url: the URL has no path, expected one such as https://ca.example.org/acme");
            }
            let is_known = !problems.is_incomplete("acme") && !problems.is_incomplete("tls");
            if is_known && policy.url.is_none() && self.tls.as_ref().is_some_and(|tls| tls.names.is_empty()) {
                problems.add("acme.url: no URL for clients, expected one if [tls] has no `names`");
            }
        }
        if let Some(tls) = &self.tls {
            check_tls(tls, problems);
        }
        let enrolls = self.est.is_some() || self.scep.is_some() || self.cmp.is_some();
        if enrolls && self.enroll.is_none() && !problems.is_incomplete("enroll") {
            problems.add("no policy for EST, SCEP and CMP, expected [[enroll.grants]]");
        }
        self.check_listeners(problems);
    }

    fn check_listeners(&self, problems: &mut Problems) {
        // A service whose section has an error is configured.
        let mut configured = self.services();
        configured.extend(ServiceName::ALL.into_iter().filter(|service| problems.is_incomplete(service.name())));
        let is_malformed = problems.is_malformed();
        let services_of = |listen: &ListenConfig| match &listen.services {
            Some(list) => list.iter().copied().collect(),
            None if is_malformed => self.services(),
            None => configured.clone(),
        };
        if configured.is_empty() {
            problems.add("no services, expected at least one of [acme], [ocsp], [crl], [est], [scep], [cmp] and [tsp]");
        }
        if self.listen.is_empty() && !problems.is_incomplete("listen") {
            problems.add("no listeners, expected [[listen]] with an `address`");
        }
        let mut addresses = BTreeSet::new();
        for listen in &self.listen {
            let name = &listen.address;
            if !addresses.insert(name) {
                problems.add(format!("listen.address: {} is duplicated", name.escape_debug()));
            }
            let address: Option<SocketAddr> = name.parse().ok();
            if address.is_none() && !name.starts_with("fd:") {
                let wrong = format!("`{}` is not an address and port", name.escape_debug());
                problems.add(format!("listen.address: {wrong}, expected 192.0.2.1:443, [::]:443 or fd:NAME"));
            }
            let services: BTreeSet<ServiceName> = services_of(listen);
            // An unknown service is reported where it stands.
            let is_known = !problems.is_incomplete("listen");
            if services.is_empty() && !configured.is_empty() && is_known {
                problems.add(format!("listen {name}: `services` is empty, expected at least one service"));
            }
            for service in services.difference(&configured) {
                let service = service.name();
                problems.add(format!("listen {name}: the service {service} is not configured, expected [{service}]"));
            }
            let is_loopback = address.is_some_and(|address| address.ip().is_loopback());
            for service in services.iter().filter(|_| listen.plain) {
                if let Some(clause) = service.tls_clause(is_loopback) {
                    problems.add(format!("listen {name}: {} requires TLS, {clause}", service.name()));
                }
            }
        }
        if self.tls.is_none() && !problems.is_incomplete("tls") && self.listen.iter().any(|listen| !listen.plain) {
            problems.add("no section [tls], expected `names` or `certificate`, or `plain = true` for each listener");
        }
        let reached: BTreeSet<_> = self.listen.iter().flat_map(services_of).collect();
        let is_known = !self.listen.is_empty() && !problems.is_incomplete("listen");
        for service in configured.difference(&reached).filter(|_| is_known) {
            problems.add(format!("the service {} has no listener", service.name()));
        }
    }

    /// The limits of a listener's connections.
    pub(crate) fn limits(listen: &ListenConfig) -> tagwise_serve::http::Limits {
        tagwise_serve::http::Limits {
            max_connections: usize::try_from(listen.connections).unwrap_or(usize::MAX),
            ..tagwise_serve::http::Limits::DEFAULT
        }
    }
}

fn check_tls(tls: &TlsConfig, problems: &mut Problems) {
    match (tls.names.is_empty(), &tls.certificate, &tls.key) {
        _ if problems.is_incomplete("tls") => {}
        (true, None, None) => problems.add("[tls]: no certificate, expected `names`, or `certificate` and `key`"),
        (false, None, None) | (true, Some(_), Some(_)) => {}
        (false, ..) => problems.add("[tls]: `names` excludes `certificate` and `key`"),
        (true, ..) => problems.add("[tls]: `certificate` and `key` require each other"),
    }
    for name in &tls.names {
        if let Err(error) = alt_name(name) {
            problems.add(format!("tls.names: {error}"));
        }
    }
}

/// The alternative name of a host or address.
pub(crate) fn alt_name(name: &str) -> Result<AltName, tagwise_ca::Error> {
    name.parse().map_or_else(|_| AltName::dns(name), |address| Ok(AltName::ip(address)))
}

/// The path of a URL, without the slash at its front.
pub(crate) fn path_of(url: &str) -> &str {
    url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path)
}

/// A number of days as a duration.
pub(crate) fn days(count: u32) -> Duration {
    Duration::from_secs(86_400).saturating_mul(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "
[ca]
sqlite = 'ca.db'
[[listen]]
address = '127.0.0.1:8443'
[tls]
names = ['ca.example.org', '192.0.2.1']
[acme]
dns = ['example.org']
[ocsp]
[crl]
";

    fn parse(text: &str) -> (Option<Config>, Vec<String>) {
        let (config, problems) = Config::parse(Path::new("/etc/tagwise/server.toml"), text);
        (config, problems.to_string().lines().map(ToOwned::to_owned).collect())
    }

    #[test]
    fn a_good_configuration_has_no_problems() {
        let (config, problems) = parse(GOOD);
        assert_eq!(problems, Vec::<String>::new());
        let config = config.unwrap();
        assert_eq!(config.ca.sqlite.as_deref(), Some(Path::new("/etc/tagwise/ca.db")));
        assert_eq!(config.services().into_iter().collect::<Vec<_>>(), ServiceName::ALL[..3]);
        let address = "127.0.0.1:8443".parse().unwrap();
        assert_eq!(config.acme_url(address, false), "https://ca.example.org:8443/acme");
        assert_eq!(config.acme_url(address, true), "http://127.0.0.1:8443/acme");
    }

    #[test]
    fn all_problems_are_reported_with_positions_and_nearest_keys() {
        let text = "
[ca]
sqlit = 'ca.db'
connections = 'many'
[[listen]]
adress = '127.0.0.1:8443'
[[listen]]
address = '0.0.0.0:80'
plain = true
[tls]
names = ['exa mple']
days = 9999
[acme]
dns = 5
wildcard = true
order-hours = 'x'
[ocps]
[log]
format = 'xml'
";
        let (_, problems) = parse(text);
        let has = |what: &str| assert!(problems.iter().any(|line| line.contains(what)), "{what}: {problems:#?}");
        has("server.toml:3:1: unknown key `sqlit` in [ca], expected `sqlite`");
        has("server.toml:4:15: ca.connections: ");
        has("server.toml:6:1: unknown key `adress` in [listen], expected `address`");
        has("server.toml:14:7: acme.dns: ");
        has("server.toml:15:1: unknown key `wildcard` in [acme], expected `wildcards`");
        has("server.toml:16:15: acme.order-hours: ");
        has("server.toml:17:2: unknown key `ocps`, expected `ocsp`");
        has("server.toml:19:10: log.format: ");
        has("tls.days: 9999 is out of range, expected 1 to 825");
        has("tls.names: ");
        has("listen 0.0.0.0:80: acme requires TLS");
        assert_eq!(problems.len(), 11, "{problems:#?}");
    }

    #[test]
    fn an_error_has_no_consequences() {
        for (text, expected) in [
            // A wrong or misspelled key is not missing.
            (GOOD.replace("sqlite", "sqlit"), "unknown key `sqlit` in [ca], expected `sqlite`"),
            (GOOD.replace("'ca.db'", "5"), "ca.sqlite: "),
            (GOOD.replace("'127.0.0.1:8443'", "5"), "listen.address: "),
            (GOOD.replace("address =", "adress ="), "unknown key `adress` in [listen], expected `address`"),
            (GOOD.replace("[[listen]]", "[[listn]]"), "unknown key `listn`, expected `listen`"),
            (GOOD.replace("[tls]", "[tsl]"), "unknown key `tsl`, expected `"),
            (GOOD.replace("names = [", "names = [5, "), "tls.names: "),
            (GOOD.replace("'127.0.0.1:8443'", "'127.0.0.1:8443'\nservices = ['ocsp', 'http']"), "listen.services: "),
            // A service with an error is configured.
            (GOOD.replace("[acme]", "[acm]"), "unknown key `acm`, expected `acme`"),
            (GOOD.replace("[crl]", "[tsp]\ncertificate = 5\nkey = 'k'\npolicies = []"), "tsp.certificate: "),
            (
                GOOD.replace("'127.0.0.1:8443'", "'127.0.0.1:8443'\nservices = ['acme', 'ocsp', 'crl', 'scep']")
                    + "[scep]\ncertificate = 'a.pem'\nkey = 7\n[enroll]\ngrants = []",
                "scep.key: ",
            ),
            (GOOD.to_owned() + "[est]\n[enrol]\ngrants = []", "unknown key `enrol`, expected `enroll`"),
            (GOOD.replace("[crl]", "[crl"), "server.toml:11:"),
        ] {
            let (_, problems) = parse(&text);
            assert_eq!(problems.len(), 1, "{text}: {problems:#?}");
            assert!(problems[0].contains(expected), "{text}: {problems:#?}");
        }
    }

    #[test]
    fn all_errors_of_grants_are_reported() {
        let text = GOOD.to_owned()
            + "[est]\n[[enroll.grants]]\nname = 'a'\nprofile = 5\ndns = 'x'\n[[enroll.grants]]\nname = 'b'\nprofil = 'server'\n";
        let (_, problems) = parse(&text);
        let has = |what: &str| assert!(problems.iter().any(|line| line.contains(what)), "{what}: {problems:#?}");
        has("enroll.grants.profile: ");
        has("enroll.grants.dns: ");
        has("enroll.grants.profil: unknown field `profil`");
    }

    #[test]
    fn contradictions_are_refused() {
        for (from, to, what) in [
            ("sqlite = 'ca.db'", "sqlite = 'ca.db'\npostgresql = 'host=/run'", "exclude each other"),
            ("names = ['ca.example.org', '192.0.2.1']", "", "[tls]: no certificate"),
            ("names = ['ca.example.org', '192.0.2.1']", "certificate = 'a.pem'", "require each other"),
            ("[tls]\nnames = ['ca.example.org', '192.0.2.1']", "", "no section [tls]"),
            ("[acme]", "[acme]\nurl = 'https://ca.example.org'", "acme.url: the URL has no path"),
            ("[acme]", "[acme]\nprofiles = []", "acme.profiles: "),
            ("'127.0.0.1:8443'", "'127.0.0.1:8443'\nservices = ['ocsp', 'crl']", "the service acme has no listener"),
            ("[crl]", "[[listen]]\naddress = '127.0.0.1:8443'", "is duplicated"),
            ("'127.0.0.1:8443'", "'127.0.0.1:8443'\nservices = []", "`services` is empty"),
            ("'127.0.0.1:8443'", "'localhost'", "is not an address and port"),
            (
                "names = ['ca.example.org', '192.0.2.1']",
                "certificate = 'a.pem'\nkey = 'a.key'",
                "acme.url: no URL for clients",
            ),
            ("[crl]", "[est]", "no policy for EST, SCEP and CMP"),
            ("[crl]", "[est]\nlabel = 1", "unknown key `label` in [est], expected none"),
            ("[crl]", "[scep]", "[scep]: missing field `certificate`"),
            ("'127.0.0.1:8443'", "'127.0.0.1:8443'\nplain = true\nservices = ['est']", "est requires TLS"),
            ("[crl]", "", ""),
        ] {
            let (_, problems) = parse(&GOOD.replace(from, to));
            assert_eq!(problems.is_empty(), what.is_empty(), "{what}: {problems:?}");
            assert!(what.is_empty() || problems.iter().any(|line| line.contains(what)), "{what}: {problems:?}");
        }
        let (_, problems) = parse("[ca\nsqlite = ");
        assert!(problems.iter().any(|line| line.starts_with("/etc/tagwise/server.toml:1:")), "{problems:?}");
    }

    #[test]
    fn connection_strings_are_not_printed() {
        let text = GOOD.replace("sqlite = 'ca.db'", "postgresql = 'host=db password=hunter2'");
        let (config, _) = parse(&text);
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
