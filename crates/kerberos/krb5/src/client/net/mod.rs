//! Runs exchanges over UDP, TCP, UNIX sockets and HTTPS (RFC 4120 §7.2, MS-KKDCP), blocking or on tokio.
//!
//! For configured servers, use [`run`]. A [`Network`] also supports DNS lookup through a [`Resolver`] (the feature `dns`
//! provides one) and proxies through an HTTPS client (the feature `https` provides one). `AsyncNetwork` (feature `tokio`)
//! is the asynchronous equivalent. For other runtimes, use [`drive`].

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

/// Transport options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transport {
    /// The maximum size of a request that is first sent over UDP. 0 means always use TCP.
    pub udp_limit: usize,
    /// The timeout for a server's response.
    pub timeout: Duration,
    /// The number of UDP attempts per server.
    pub tries: u32,
}

impl Transport {
    /// Requests of up to 1,465 bytes are sent over UDP (as in MIT's `udp_preference_limit`), with three attempts of one second
    /// each. The timeout for TCP is ten seconds.
    pub const DEFAULT: Self = Self { udp_limit: 1465, timeout: Duration::from_secs(10), tries: 3 };
}

impl Default for Transport {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Sends a message to servers in turn until one answers.
///
/// # Errors
/// Returns [`ClientError::Network`], with the result for each server, if none answers.
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

/// An exchange that a driver can run.
pub trait Exchange {
    /// Starts the exchange.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    fn start(&mut self, now: Moment) -> Result<Step, ClientError>;

    /// Processes a reply.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError>;

    /// Returns a sentence about an unexpected effect of the last reply, for tracing. Each sentence is returned only once.
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

/// An event of an exchange, for tracing.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A request was sent to a realm's KDC.
    Sent {
        /// The realm.
        realm: &'a str,
        /// The message.
        message: &'a [u8],
    },
    /// A reply was received.
    Received {
        /// The server, reduced to the transport over which it replied.
        from: &'a Server,
        /// The reply.
        message: &'a [u8],
    },
    /// An unexpected reply changed how the exchange continues.
    Note {
        /// The reason, as a sentence.
        text: &'a str,
    },
}

/// Runs an exchange to completion with the servers of a configuration.
///
/// # Errors
/// Returns a [`ClientError`] if the exchange fails.
pub fn run(exchange: &mut dyn Exchange, config: &Config, transport: &Transport) -> Result<Credential, ClientError> {
    Network::new(config, *transport).run(exchange)
}

/// Like [`run`], but also reports each message.
///
/// # Errors
/// Returns a [`ClientError`] if the exchange fails.
pub fn watch(
    exchange: &mut dyn Exchange,
    config: &Config,
    transport: &Transport,
    watcher: &mut dyn FnMut(Event<'_>),
) -> Result<Credential, ClientError> {
    Network::new(config, *transport).watch(exchange, watcher)
}
