//! A driver for exchanges with the servers of a network.

use super::locate::{self, locate};
use super::{Event, Exchange, Https, Request, Resolver, Server, Service, Transport};
use crate::client::{ClientError, Moment, Step};
use crate::conf::Config;
use crate::numbers::name_type;
use crate::{Credential, Principal};

/// A configuration, and the means to reach the servers that it names.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a> {
    config: &'a Config,
    transport: Transport,
    resolver: Option<&'a dyn Resolver>,
    https: Option<&'a dyn Https>,
}

/// The result of a completed exchange, and the last server that replied.
struct Driven {
    result: Result<Credential, ClientError>,
    answered: Option<(String, Server)>,
}

impl<'a> Network<'a> {
    /// Creates a network from a configuration, which provides the servers.
    #[must_use]
    pub const fn new(config: &'a Config, transport: Transport) -> Self {
        Self { config, transport, resolver: None, https: None }
    }

    /// Enables DNS lookup for realms without configured servers, unless `dns_lookup_kdc` is off.
    #[must_use]
    pub const fn with_resolver(mut self, resolver: &'a dyn Resolver) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Enables proxies, for servers given as URLs.
    #[must_use]
    pub const fn with_https(mut self, https: &'a dyn Https) -> Self {
        self.https = Some(https);
        self
    }

    /// Returns a realm's servers, from the configuration or otherwise from DNS.
    ///
    /// # Errors
    /// Returns [`ClientError::Network`] if DNS does not respond.
    pub fn servers(&self, realm: &str, service: Service) -> Result<Vec<Server>, ClientError> {
        locate(self.config, self.resolver, realm, service).map_err(|error| unresolved(realm, &error))
    }

    /// Returns a host's realm according to `[domain_realm]` or, with `dns_lookup_realm`, according to DNS. DNS is not
    /// authenticated.
    ///
    /// # Errors
    /// Returns [`ClientError::Network`] if DNS does not respond.
    pub fn realm_of_host(&self, host: &str) -> Result<Option<String>, ClientError> {
        if let Some(realm) = self.config.realm_of_host(host) {
            return Ok(Some(realm.to_owned()));
        }
        match self.resolver {
            Some(resolver) if self.config.flag(None, "dns_lookup_realm").unwrap_or(false) => {
                let failed = |error| ClientError::Network(format!("the realm of {host}: the DNS: {error}"));
                locate::realm_of_host(resolver, host).map_err(failed)
            }
            _ => Ok(None),
        }
    }

    /// Changes the realm of a service `name/host` to its host's realm, if known. Other principals are unchanged.
    ///
    /// # Errors
    /// Returns any error from [`realm_of_host`](Self::realm_of_host).
    pub fn in_realm_of_host(&self, service: &Principal) -> Result<Principal, ClientError> {
        let host = service.components().get(1).and_then(|host| core::str::from_utf8(host).ok()).map(str::to_owned);
        let realm = match host.filter(|_| service.krbtgt_realm().is_none()) {
            Some(host) => self.realm_of_host(&host)?,
            None => None,
        };
        Ok(match realm {
            Some(realm) => service.in_realm(realm.as_bytes()).with_type(name_type::SRV_INST),
            None => service.clone(),
        })
    }

    /// Sends a message to a realm's servers until one answers.
    ///
    /// # Errors
    /// Returns [`ClientError::Network`], with the result for each server, if none answers.
    pub fn ask(&self, realm: &str, service: Service, message: &[u8], tcp: bool) -> Result<Vec<u8>, ClientError> {
        self.answered(realm, service, message, tcp).map(|(_, reply)| reply)
    }

    fn answered(
        &self,
        realm: &str,
        service: Service,
        message: &[u8],
        tcp: bool,
    ) -> Result<(Server, Vec<u8>), ClientError> {
        let servers = self.servers(realm, service)?;
        if servers.is_empty() {
            return Err(nobody(realm, service));
        }
        let transport = &self.transport;
        Request { message, realm: Some(realm), tcp, transport, https: self.https }.send(&servers)
    }

    /// Runs an exchange to completion.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn run(&self, exchange: &mut dyn Exchange) -> Result<Credential, ClientError> {
        self.watch(exchange, &mut |_| ())
    }

    /// Runs an exchange to completion, and reports each message.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn watch(
        &self,
        exchange: &mut dyn Exchange,
        watcher: &mut dyn FnMut(Event<'_>),
    ) -> Result<Credential, ClientError> {
        self.drive(exchange, Service::Kdc, watcher).result
    }

    /// Runs an exchange. If a server other than the primary one rejects it, retries with a new exchange and the primary server,
    /// which receives password changes first. If the primary server does not respond, returns the first error.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn initial<E: Exchange>(
        &self,
        begin: &mut dyn FnMut() -> E,
        watcher: &mut dyn FnMut(Event<'_>),
    ) -> Result<Credential, ClientError> {
        let first = self.drive(&mut begin(), Service::Kdc, watcher);
        let (refusal, (realm, server)) = match (first.result, first.answered) {
            (Err(error), Some(answered)) if !matches!(error, ClientError::Network(_)) => (error, answered),
            (result, _) => return result,
        };
        let primaries = self.servers(&realm, Service::PrimaryKdc).unwrap_or_default();
        if primaries.is_empty() || primaries.iter().any(|primary| is_same(primary, &server)) {
            return Err(refusal);
        }
        match self.drive(&mut begin(), Service::PrimaryKdc, watcher).result {
            Err(ClientError::Network(_)) => Err(refusal),
            result => result,
        }
    }

    fn drive(&self, exchange: &mut dyn Exchange, service: Service, watcher: &mut dyn FnMut(Event<'_>)) -> Driven {
        let mut answered = None;
        let mut step = exchange.start(Moment::now());
        loop {
            let next = match step {
                Err(error) => return Driven { result: Err(error), answered },
                Ok(Step::Done(credential)) => return Driven { result: Ok(*credential), answered },
                Ok(Step::Send { realm, message, tcp }) => {
                    watcher(Event::Sent { realm: &realm, message: &message });
                    self.answered(&realm, service, &message, tcp).and_then(|(server, reply)| {
                        watcher(Event::Received { from: &server, message: &reply });
                        answered = Some((realm, server));
                        let step = exchange.reply(Moment::now(), &reply);
                        if let Some(text) = exchange.note() {
                            watcher(Event::Note { text: &text });
                        }
                        step
                    })
                }
            };
            step = next;
        }
    }
}

/// Creates the error for a realm without known servers.
pub(super) fn nobody(realm: &str, service: Service) -> ClientError {
    let what = if service == Service::Kpasswd { "password server" } else { "KDC" };
    ClientError::Network(format!("no {what} found for the realm {realm}"))
}

/// Creates the error for a realm whose servers cannot be found.
pub(super) fn unresolved(realm: &str, error: &std::io::Error) -> ClientError {
    ClientError::Network(format!("the servers of the realm {realm}: the DNS: {error}"))
}

/// Returns whether two servers have the same location, regardless of transport.
pub(super) fn is_same(one: &Server, other: &Server) -> bool {
    match (one, other) {
        (Server::Address { address: one, .. }, Server::Address { address: other, .. }) => one == other,
        _ => one == other,
    }
}
