//! Exchanges over UDP, TCP, UNIX sockets and HTTPS (RFC 4120 §7.2, MS-KKDCP): blocking, and on tokio.
//!
//! [`run`] is enough for the servers of a configuration. A [`Network`] also has a [`Resolver`], which finds servers by the DNS (feature
//! `dns` has one), and a client of HTTPS for proxies (feature `https` has one). `AsyncNetwork` (feature `tokio`) does the same without
//! blocking; [`drive`] is for any other runtime.

#[cfg(feature = "tokio")]
mod asynchronous;
mod attempts;
#[cfg(feature = "dns")]
mod dns;
mod driving;
#[cfg(feature = "https")]
mod https;
mod kkdcp;
mod locate;
mod network;
mod send;
mod server;

use std::time::Duration;

#[cfg(feature = "tokio")]
pub use asynchronous::AsyncNetwork;
#[cfg(feature = "dns")]
pub use dns::SystemDns;
pub use driving::{Question, drive};
#[cfg(feature = "https")]
pub use https::Proxies;
pub use kkdcp::{Https, MAX_ANSWER, MEDIA_TYPE};
pub use locate::{Resolver, Service, Srv, Uri};
pub use network::Network;
pub use server::{Server, servers};

use send::Request;

use crate::Credential;
use crate::conf::Config;

use super::{AsExchange, ClientError, Moment, Step, TgsExchange};

/// The transport of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transport {
    /// The largest request that goes over UDP first; 0 means that all go over TCP.
    pub udp_limit: usize,
    /// The longest wait for a server's answer.
    pub timeout: Duration,
    /// The number of attempts over UDP for each server.
    pub tries: u32,
}

impl Transport {
    /// Requests of up to 1,465 bytes over UDP (MIT's `udp_preference_limit`), three tries of a second, ten seconds over TCP.
    pub const DEFAULT: Self = Self { udp_limit: 1465, timeout: Duration::from_secs(10), tries: 3 };
}

impl Default for Transport {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Sends a message to the first server that answers.
///
/// # Errors
/// [`ClientError::Network`] with what each server did.
pub fn ask<S: Clone + Into<Server>>(
    servers: &[S],
    message: &[u8],
    tcp: bool,
    transport: &Transport,
) -> Result<Vec<u8>, ClientError> {
    let servers: Vec<Server> = servers.iter().cloned().map(Into::into).collect();
    let request = Request { message, realm: None, tcp, transport, https: None };
    request.send(&servers).map(|(_, reply)| reply)
}

/// An exchange that can be driven.
pub trait Exchange {
    /// Begins.
    ///
    /// # Errors
    /// [`ClientError`].
    fn start(&mut self, now: Moment) -> Result<Step, ClientError>;

    /// Takes a reply.
    ///
    /// # Errors
    /// [`ClientError`].
    fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError>;

    /// A sentence on what the last reply led to, for those who watch the exchange; told once.
    fn note(&mut self) -> Option<String> {
        None
    }
}

impl Exchange for AsExchange<'_> {
    fn start(&mut self, now: Moment) -> Result<Step, ClientError> {
        AsExchange::start(self, now)
    }

    fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        AsExchange::reply(self, now, reply)
    }

    fn note(&mut self) -> Option<String> {
        AsExchange::note(self)
    }
}

impl Exchange for TgsExchange<'_> {
    fn start(&mut self, now: Moment) -> Result<Step, ClientError> {
        TgsExchange::start(self, now)
    }

    fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        TgsExchange::reply(self, now, reply)
    }
}

/// A message of an exchange, for those who watch it.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A request to a realm's KDC.
    Sent {
        /// The realm.
        realm: &'a str,
        /// The message.
        message: &'a [u8],
    },
    /// The reply.
    Received {
        /// The server, by the one transport that it answered over.
        from: &'a Server,
        /// The message.
        message: &'a [u8],
    },
    /// A reply that the exchange goes on from in another way than was meant.
    Note {
        /// The reason, in a sentence.
        text: &'a str,
    },
}

/// Drives an exchange to its end with the servers of a configuration.
///
/// # Errors
/// [`ClientError`].
pub fn run(exchange: &mut dyn Exchange, config: &Config, transport: &Transport) -> Result<Credential, ClientError> {
    Network::new(config, *transport).run(exchange)
}

/// Drives an exchange as [`run`] does, and tells each message.
///
/// # Errors
/// [`ClientError`].
pub fn watch(
    exchange: &mut dyn Exchange,
    config: &Config,
    transport: &Transport,
    watcher: &mut dyn FnMut(Event<'_>),
) -> Result<Credential, ClientError> {
    Network::new(config, *transport).watch(exchange, watcher)
}
