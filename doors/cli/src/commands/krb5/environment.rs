//! A client's configuration, and the locations of `krb5.conf`, the credential cache and the keytab.

use std::io::Write;
use std::path::{Path, PathBuf};

use tagwise_krb5::cache::{Cache, CacheError, Settings};
use tagwise_krb5::client::net::{Event, Exchange, Network};
use tagwise_krb5::client::{AsOptions, ClientError, Moment, TgsOptions};
use tagwise_krb5::conf::Config;
use tagwise_krb5::{Ccache, Credential, Environment as Settled, EnvironmentError, Keytab, Principal, summary};
use tagwise_pkix::name::visible;

use super::network::Ways;
use crate::shared::context::Context;
use crate::shared::credentials::{negative, octets};
use crate::shared::output::{Access, Failure, name_of, write};

/// The settings of a client.
pub(super) struct Environment {
    inner: Settled,
    ways: Ways,
}

impl Environment {
    /// Returns the configuration.
    pub(super) const fn config(&self) -> &Config {
        &self.inner.config
    }

    /// Reads the configuration from `KRB5_CONFIG` or `/etc/krb5.conf`.
    pub(super) fn read() -> Result<Self, Failure> {
        let inner = Settled::read().map_err(|error| match &error {
            EnvironmentError::File(path, error) => Failure::file(path, "read", error),
            EnvironmentError::Config(path, error) => Failure::negative(format!("{}:{}", name_of(path), visible(error))),
            _ => Failure::usage(error.to_string()),
        })?;
        Ok(Self { ways: Ways::new(&inner.config), inner })
    }

    /// Parses a principal. If it names no realm, the default realm is used.
    pub(super) fn principal(&self, text: &str) -> Result<Principal, Failure> {
        Principal::parse(text, self.config().default_realm())
            .map_err(|error| Failure::usage(format!("{text}: {error}")))
    }

    /// Creates an enterprise principal in the default realm.
    pub(super) fn enterprise(&self, text: &str) -> Result<Principal, Failure> {
        let parsed = Principal::parse_enterprise(text, self.config().default_realm());
        parsed.map_err(|error| Failure::usage(format!("{text}: {error}")))
    }

    /// Parses a service, `host/name`. The realm is the host's, from `[domain_realm]` or `dns_lookup_realm`, or else the
    /// client's.
    pub(super) fn service(&self, text: &str, client: &Principal) -> Result<Principal, Failure> {
        let home = String::from_utf8_lossy(client.realm()).into_owned();
        let parsed = Principal::parse(text, Some(&home)).map_err(|error| Failure::usage(format!("{text}: {error}")))?;
        if Principal::parse(text, None).is_ok() {
            return Ok(parsed);
        }
        self.network().in_realm_of_host(&parsed).map_err(|error| refused(&parsed, &error))
    }

    /// Returns the name of the credential cache: `given`, `KRB5CCNAME`, `default_ccache_name`, or `/tmp/krb5cc_UID`.
    pub(super) fn cache_name(&self, given: Option<&str>) -> Result<String, Failure> {
        self.inner.cache_name(given).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns the named credential cache, or for a collection its primary cache.
    pub(super) fn cache(&self, given: Option<&str>) -> Result<Cache, Failure> {
        Cache::resolve(&self.cache_name(given)?, &self.cache_settings()).map_err(|error| unusable(&error))
    }

    /// Returns a principal's cache in a collection.
    pub(super) fn cache_of(&self, name: &str, principal: &str) -> Result<Cache, Failure> {
        let client = self.principal(principal)?;
        let found = Cache::of_client(name, &client, &self.cache_settings()).map_err(|error| unusable(&error))?;
        found
            .ok_or_else(|| Failure::Said(3, format!("{}: no credential cache for {}", visible(name), visible(&client))))
    }

    /// Returns the settings for credential caches.
    pub(super) fn cache_settings(&self) -> Settings {
        self.inner.cache_settings()
    }

    /// Returns the path of the keytab: `given`, `KRB5_KTNAME`, `default_keytab_name`, or `/etc/krb5.keytab`.
    pub(super) fn keytab(&self, given: Option<&str>) -> Result<PathBuf, Failure> {
        self.inner.keytab_path(given).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns the network access to the realms' servers.
    pub(super) fn network(&self) -> Network<'_> {
        self.ways.network(&self.inner.config, self.inner.transport())
    }

    /// Returns the options for requesting an initial ticket.
    pub(super) fn as_options(&self, client: &Principal) -> AsOptions {
        self.inner.as_options(client.clone())
    }

    /// Returns the options for requesting a password-change ticket.
    pub(super) fn password_options(&self, client: &Principal) -> Result<AsOptions, Failure> {
        self.inner.password_options(client.clone()).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns the seconds by which the clock of a cache's KDC is ahead, unless `kdc_timesync` is disabled.
    pub(super) fn ahead_seconds(&self, cache: &Ccache) -> i64 {
        self.inner.ahead_seconds(cache)
    }

    /// Returns the seconds by which the KDC's clock is ahead, from the initial ticket that it has just issued.
    pub(super) fn clock_of(&self, ticket: &Credential) -> i64 {
        self.inner.clock_of(ticket, Moment::now())
    }

    /// Returns the options for requesting a service ticket.
    pub(super) fn tgs_options(&self, service: &Principal) -> TgsOptions {
        self.inner.tgs_options(service.clone())
    }

    /// Runs an exchange. If `trace` is set, its messages are traced.
    pub(super) fn drive(
        &self,
        exchange: &mut dyn Exchange,
        trace: bool,
        err: &mut dyn Write,
    ) -> Result<Credential, ClientError> {
        self.network().watch(exchange, &mut |event| tell(event, trace, err))
    }

    /// Runs an initial exchange. If a KDC other than the primary one rejects it, runs a new exchange with the primary KDC.
    pub(super) fn drive_initial<E: Exchange>(
        &self,
        begin: &mut dyn FnMut() -> E,
        trace: bool,
        err: &mut dyn Write,
    ) -> Result<Credential, ClientError> {
        self.network().initial(begin, &mut |event| tell(event, trace, err))
    }
}

/// Reports a message of an exchange. Failure to write the trace does not end the exchange.
fn tell(event: Event<'_>, trace: bool, err: &mut dyn Write) {
    if !trace {
        return;
    }
    let _ = match event {
        Event::Sent { realm, message } => writeln!(err, "to {}: {}", visible(realm), visible(&summary(message))),
        Event::Note { text } => writeln!(err, "  {}", visible(text)),
        Event::Received { from, message } => {
            let name = from.to_string();
            writeln!(err, "  {} over {}: {}", visible(&name), from.transport(), visible(&summary(message)))
        }
    };
}

/// Reads a credential cache.
pub(super) fn read_cache(cache: &Cache) -> Result<Ccache, Failure> {
    cache.read().map_err(|error| unusable(&error))
}

/// Reads a credential cache in a file.
pub(super) fn read_cache_file(context: &Context, path: &Path) -> Result<Ccache, Failure> {
    Ccache::from_bytes(&octets(context, path)?).map_err(|error| negative(path, &error))
}

/// Writes a credential cache.
pub(super) fn write_cache(cache: &Cache, content: &Ccache) -> Result<(), Failure> {
    cache.write(content).map_err(|error| unusable(&error))
}

/// Converts a cache error to a failure: a malformed cache is a negative answer (exit code 1), and an invalid name is a
/// usage error.
pub(super) fn unusable(error: &CacheError) -> Failure {
    let code = match error {
        CacheError::Name(_) => 2,
        CacheError::Malformed(..) | CacheError::NotCache(_) => 1,
        _ => 3,
    };
    let text = error.to_string();
    Failure::Said(code, visible(text.split(" (os error").next().unwrap_or_default()).to_string())
}

/// Returns the display name of a cache. For a file, this is its path.
pub(super) fn shown_name(cache: &Cache) -> String {
    let name = cache.name();
    visible(name.strip_prefix("FILE:").unwrap_or(&name)).to_string()
}

/// Reads a keytab.
pub(super) fn read_keytab(context: &Context, path: &Path) -> Result<Keytab, Failure> {
    Keytab::from_bytes(&octets(context, path)?).map_err(|error| negative(path, &error))
}

/// Writes a keytab atomically, readable only by its owner.
pub(super) fn write_keytab(path: &Path, keytab: &Keytab) -> Result<(), Failure> {
    let octets = keytab.to_bytes().map_err(|error| negative(path, &error))?;
    // The target of a symbolic link is replaced, and not the link.
    let target = match path.is_symlink() {
        true => std::fs::canonicalize(path).map_err(|error| Failure::file(path, "written", &error))?,
        false => path.to_owned(),
    };
    write(&target, &octets, Access::PrivateInPlace).map_err(|error| Failure::file(path, "written", &error))
}

/// Returns a ticket-granting ticket from a cache: for `realm` if there is one, otherwise for the client's realm.
pub(super) fn granting(cache: &Ccache, place: &Cache, realm: Option<&[u8]>) -> Result<Credential, Failure> {
    cache.granting(realm, Moment::now().by_clock(cache.ahead_seconds()).unix).cloned().ok_or_else(|| {
        let client = visible(cache.principal()).to_string();
        Failure::negative(format!(
            "{}: no valid ticket-granting ticket for {client}: get one with `tagwise krb5 kinit`",
            shown_name(place)
        ))
    })
}

/// Converts the error of an exchange: a rejection by the KDC is a negative answer (exit code 1), and a missing reply counts
/// as unreadable input.
pub(super) fn refused(of: &Principal, error: &ClientError) -> Failure {
    let code = if matches!(error, ClientError::Network(_)) { 3 } else { 1 };
    Failure::Said(code, format!("{}: {}", visible(of), visible(error)))
}
