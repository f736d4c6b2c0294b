//! Network access to the realms' servers, created on first use: DNS, and proxies over HTTPS.

#[cfg(feature = "krb5-network")]
mod ways {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::Path;
    use std::sync::{Mutex, OnceLock, PoisonError};
    use std::time::Duration;

    use tagwise_input::Wrapped;
    use tagwise_krb5::client::net::{Https, Proxies, Resolver, Srv, SystemDns, Uri};
    use tagwise_krb5::conf::Config;

    /// A DNS resolver that uses the system's name servers.
    #[derive(Debug, Default)]
    pub(crate) struct Dns(OnceLock<SystemDns>);

    impl Dns {
        fn system(&self) -> io::Result<&SystemDns> {
            match self.0.get() {
                Some(dns) => Ok(dns),
                None => {
                    let made = SystemDns::new()?;
                    Ok(self.0.get_or_init(|| made))
                }
            }
        }
    }

    impl Resolver for Dns {
        fn srv(&self, name: &str) -> io::Result<Vec<Srv>> {
            self.system()?.srv(name)
        }

        fn uri(&self, name: &str) -> io::Result<Vec<Uri>> {
            self.system()?.uri(name)
        }

        fn txt(&self, name: &str) -> io::Result<Vec<String>> {
            self.system()?.txt(name)
        }
    }

    /// HTTPS proxies of realms. Each connection uses the trust anchors in its realm's `http_anchors`, or else the system's.
    #[derive(Debug)]
    pub(crate) struct Web {
        /// The trust anchors' names, by realm.
        anchors: BTreeMap<String, Vec<String>>,
        made: Mutex<BTreeMap<String, Proxies>>,
    }

    impl Web {
        pub(crate) fn new(config: &Config) -> Self {
            let of = |realm: &str| {
                let names = config.texts(&["realms", realm, "http_anchors"]);
                let names = if names.is_empty() { config.texts(&["libdefaults", "http_anchors"]) } else { names };
                names.into_iter().map(str::to_owned).collect()
            };
            let anchors = config.names(&["realms"]).into_iter().map(|realm| (realm.to_owned(), of(realm))).collect();
            Self { anchors, made: Mutex::default() }
        }

        fn proxies(&self, realm: &str) -> io::Result<Proxies> {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(proxies) = made.get(realm) {
                return Ok(proxies.clone());
            }
            let mut certificates = Vec::new();
            let names = self.anchors.get(realm).map(Vec::as_slice).unwrap_or_default();
            for name in names {
                anchors(name, &mut certificates)?;
            }
            if certificates.is_empty() && !names.is_empty() {
                return Err(io::Error::other(format!("http_anchors of {realm}: no certificate found")));
            }
            let proxies = Proxies::new(&certificates);
            made.insert(realm.to_owned(), proxies.clone());
            Ok(proxies)
        }
    }

    /// Adds the certificates named by `FILE:path` or `DIR:path`, or by `ENV:variable` if the variable contains one of these.
    fn anchors(name: &str, certificates: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let failed = |error: &dyn std::fmt::Display| io::Error::other(format!("http_anchors: {name}: {error}"));
        let mut load = |path: &Path| {
            let octets = std::fs::read(path).map_err(|error| failed(&error))?;
            let opened = Wrapped::open(octets, None).map_err(|error| failed(&error))?;
            certificates.extend(opened.values.into_iter().map(|value| value.octets));
            Ok(())
        };
        match name.split_once(':') {
            Some(("FILE", path)) => load(Path::new(path)),
            Some(("DIR", folder)) => {
                let entries = std::fs::read_dir(folder).map_err(|error| failed(&error))?;
                let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                paths.sort();
                paths.iter().filter(|path| path.is_file()).try_for_each(|path| load(path))
            }
            Some(("ENV", variable)) => match std::env::var(variable) {
                Ok(value) if !value.starts_with("ENV:") => anchors(&value, certificates),
                _ => Err(failed(&"expected an environment variable with FILE:path or DIR:path")),
            },
            _ => Err(failed(&"expected FILE:path, DIR:path or ENV:variable")),
        }
    }

    impl Https for Web {
        fn post(&self, realm: &str, url: &str, body: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
            self.proxies(realm)?.post(realm, url, body, timeout)
        }
    }
}

use tagwise_krb5::client::net::{Network, Transport};
use tagwise_krb5::conf::Config;

/// The available network transports.
#[derive(Debug)]
pub(super) struct Ways {
    #[cfg(feature = "krb5-network")]
    dns: ways::Dns,
    #[cfg(feature = "krb5-network")]
    web: ways::Web,
}

impl Ways {
    #[cfg_attr(not(feature = "krb5-network"), expect(unused_variables, reason = "nothing is set up"))]
    pub(super) fn new(config: &Config) -> Self {
        Self {
            #[cfg(feature = "krb5-network")]
            dns: ways::Dns::default(),
            #[cfg(feature = "krb5-network")]
            web: ways::Web::new(config),
        }
    }

    /// Returns the network access for a configuration, with every available transport.
    pub(super) fn network<'a>(&'a self, config: &'a Config, transport: Transport) -> Network<'a> {
        let network = Network::new(config, transport);
        #[cfg(feature = "krb5-network")]
        let network = network.with_resolver(&self.dns).with_https(&self.web);
        network
    }
}
