//! Exchanges over UDP and TCP (RFC 4120 §7.2), blocking.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _, UdpSocket};
use std::time::Duration;

use crate::Credential;
use crate::conf::Config;

use super::{AsExchange, ClientError, Moment, Step, TgsExchange};

/// The largest reply that is read: MIT's KDC sends 1 MiB at most.
const MAX_REPLY: u32 = 1 << 20;

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

/// The servers of a realm by a configuration: `host`, `host:port` or `[address]:port`.
#[must_use]
pub fn servers(names: &[&str], default_port: u16) -> Vec<SocketAddr> {
    let mut found = Vec::new();
    for name in names {
        let name = name.trim();
        let has_port = name
            .rsplit_once(':')
            .is_some_and(|(host, port)| port.parse::<u16>().is_ok() && (!host.contains(':') || host.ends_with(']')));
        let resolved = match has_port {
            true => name.to_socket_addrs().map(Iterator::collect::<Vec<_>>),
            false => {
                let host = name.trim_start_matches('[').trim_end_matches(']');
                (host, default_port).to_socket_addrs().map(Iterator::collect::<Vec<_>>)
            }
        };
        found.extend(resolved.unwrap_or_default());
    }
    found
}

/// Sends a message to the first server that answers.
///
/// # Errors
/// [`ClientError::Network`] with what each server did.
pub fn ask(servers: &[SocketAddr], message: &[u8], tcp: bool, transport: &Transport) -> Result<Vec<u8>, ClientError> {
    let mut failures = Vec::new();
    if !tcp && message.len() <= transport.udp_limit {
        for server in servers {
            match udp(server, message, transport) {
                Ok(reply) => return Ok(reply),
                Err(error) => failures.push(format!("{server} over UDP: {error}")),
            }
        }
    }
    for server in servers {
        match over_tcp(server, message, transport) {
            Ok(reply) => return Ok(reply),
            Err(error) => failures.push(format!("{server} over TCP: {error}")),
        }
    }
    match failures.is_empty() {
        true => Err(ClientError::Network("no server of the realm is known".to_owned())),
        false => Err(ClientError::Network(format!("no server answers: {}", failures.join("; ")))),
    }
}

fn udp(server: &SocketAddr, message: &[u8], transport: &Transport) -> std::io::Result<Vec<u8>> {
    let any: SocketAddr = if server.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let socket = UdpSocket::bind(any)?;
    // Connected: datagrams of others are not received.
    socket.connect(server)?;
    socket.set_read_timeout(Some(transport.timeout.min(Duration::from_secs(1))))?;
    let mut buffer = vec![0; 65_536];
    let mut last = std::io::Error::from(std::io::ErrorKind::TimedOut);
    for _ in 0..transport.tries.max(1) {
        socket.send(message)?;
        match socket.recv(&mut buffer) {
            Ok(len) => {
                buffer.truncate(len);
                return Ok(buffer);
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => return Err(error),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn over_tcp(server: &SocketAddr, message: &[u8], transport: &Transport) -> std::io::Result<Vec<u8>> {
    let too_long = || std::io::Error::new(std::io::ErrorKind::InvalidData, "a message is too long");
    let mut stream = TcpStream::connect_timeout(server, transport.timeout)?;
    stream.set_read_timeout(Some(transport.timeout))?;
    stream.set_write_timeout(Some(transport.timeout))?;
    let len = u32::try_from(message.len()).map_err(|_: core::num::TryFromIntError| too_long())?;
    stream.write_all(&[&len.to_be_bytes()[..], message].concat())?;
    let mut len = [0; 4];
    stream.read_exact(&mut len)?;
    // The highest bit is reserved (RFC 4120 §7.2.2).
    let len = u32::from_be_bytes(len);
    if len > MAX_REPLY {
        return Err(too_long());
    }
    let mut reply = Vec::new();
    stream.take(u64::from(len)).read_to_end(&mut reply)?;
    match reply.len() == usize::try_from(len).unwrap_or(usize::MAX) {
        true => Ok(reply),
        false => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
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
}

impl Exchange for AsExchange<'_> {
    fn start(&mut self, now: Moment) -> Result<Step, ClientError> {
        AsExchange::start(self, now)
    }

    fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        AsExchange::reply(self, now, reply)
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
    Received(&'a [u8]),
}

/// Drives an exchange to its end with the servers of a configuration.
///
/// # Errors
/// [`ClientError`].
pub fn run(exchange: &mut dyn Exchange, config: &Config, transport: &Transport) -> Result<Credential, ClientError> {
    watch(exchange, config, transport, &mut |_| ())
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
    let mut step = exchange.start(Moment::now())?;
    loop {
        match step {
            Step::Done(credential) => return Ok(*credential),
            Step::Send { realm, message, tcp } => {
                watcher(Event::Sent { realm: &realm, message: &message });
                let servers = servers(&config.kdcs(&realm), 88);
                if servers.is_empty() {
                    return Err(ClientError::Network(format!("no KDC of the realm {realm} is known")));
                }
                let reply = ask(&servers, &message, tcp, transport)?;
                watcher(Event::Received(&reply));
                step = exchange.reply(Moment::now(), &reply)?;
            }
        }
    }
}
