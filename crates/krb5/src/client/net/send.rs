//! One message to servers that are tried in turn, until one answers (RFC 4120 §7.2).

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use super::kkdcp::{self, Https};
use super::{Server, Transport};
use crate::client::ClientError;
use crate::messages::KrbError;
use crate::numbers::error::SVC_UNAVAILABLE;
use tagwise_codec::Decode as _;

/// The largest reply that is read: MIT's KDC sends 1 MiB at most.
const MAX_REPLY: u32 = 1 << 20;
/// The longest wait for a datagram before the next server is tried, too.
const DATAGRAM_WAIT: Duration = Duration::from_secs(1);
/// How long one socket is looked at, before the next one is.
const LOOK: Duration = Duration::from_millis(2);

/// A request with what sends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) message: &'a [u8],
    /// The realm, which a proxy is told.
    pub(super) realm: Option<&'a str>,
    /// `true` if the reply does not fit into a datagram.
    pub(super) tcp: bool,
    pub(super) transport: &'a Transport,
    pub(super) https: Option<&'a dyn Https>,
}

/// One thing to try.
enum Attempt<'s> {
    /// Datagrams to servers whose answers are waited for together.
    Datagrams(Vec<(&'s Server, SocketAddr)>),
    Stream(&'s Server),
}

impl Request<'_> {
    /// Sends to the first server that answers, and tells which one that is, by the one transport that it answered over. A server that says that it is not available does not
    /// count while there are others.
    pub(super) fn send(&self, servers: &[Server]) -> Result<(Server, Vec<u8>), ClientError> {
        let (mut failures, mut unavailable) = (Vec::new(), None);
        for attempt in self.attempts(servers) {
            let answered = match &attempt {
                Attempt::Datagrams(to) => self.datagrams(to, &mut failures),
                Attempt::Stream(server) => match self.stream(server) {
                    Ok(reply) => Some((by(server, false), reply)),
                    Err(error) => {
                        failures.push(format!("{}: {error}", over(server)));
                        None
                    }
                },
            };
            match answered {
                Some((server, reply)) if is_unavailable(&reply) => unavailable = unavailable.or(Some((server, reply))),
                Some(answered) => return Ok(answered),
                None => {}
            }
        }
        match (unavailable, failures.is_empty()) {
            (Some(answered), _) => Ok(answered),
            (None, true) => Err(ClientError::Network("no server of the realm is known".to_owned())),
            (None, false) => Err(ClientError::Network(format!("no server answers: {}", failures.join("; ")))),
        }
    }

    /// Servers in their order; streams to those that are asked by datagrams first come last.
    fn attempts<'s>(&self, servers: &'s [Server]) -> Vec<Attempt<'s>> {
        let datagrams_first = !self.tcp && self.message.len() <= self.transport.udp_limit;
        let (mut attempts, mut later): (Vec<Attempt<'s>>, Vec<Attempt<'s>>) = (Vec::new(), Vec::new());
        let mut last = Vec::new();
        for server in servers {
            match server {
                Server::Address { address, udp: true, tcp } if datagrams_first => {
                    match attempts.last_mut() {
                        Some(Attempt::Datagrams(to)) => to.push((server, *address)),
                        _ => attempts.push(Attempt::Datagrams(vec![(server, *address)])),
                    }
                    if *tcp {
                        later.push(Attempt::Stream(server));
                    }
                }
                Server::Address { address, udp: true, tcp: false } if !self.tcp => last.push((server, *address)),
                Server::Address { tcp: false, .. } => {}
                _ => attempts.push(Attempt::Stream(server)),
            }
        }
        attempts.extend(later);
        if !last.is_empty() {
            attempts.push(Attempt::Datagrams(last));
        }
        attempts
    }

    /// Sends datagrams to one server after the other, several times. An answer that comes late is taken as long as anybody is waited
    /// for.
    fn datagrams(&self, to: &[(&Server, SocketAddr)], failures: &mut Vec<String>) -> Option<(Server, Vec<u8>)> {
        let mut sockets: Vec<Option<(&Server, UdpSocket)>> = to.iter().map(|_| None).collect();
        let mut failed = vec![None; to.len()];
        let mut buffer = vec![0; 65_536];
        for _ in 0..self.transport.tries.max(1) {
            for (at, (server, address)) in to.iter().enumerate() {
                let (Some(place), Some(failure)) = (sockets.get_mut(at), failed.get_mut(at)) else { continue };
                if failure.is_some() {
                    continue;
                }
                let sent = match place {
                    Some((_, socket)) => socket.send(self.message).map(drop),
                    None => open(*address).and_then(|socket| {
                        socket.send(self.message)?;
                        *place = Some((*server, socket));
                        Ok(())
                    }),
                };
                if let Err(error) = sent {
                    *failure = Some(error.to_string());
                    continue;
                }
                let begun = Instant::now();
                let wait = self.transport.timeout.min(DATAGRAM_WAIT);
                while begun.elapsed() < wait && failed.get(at).is_some_and(Option::is_none) {
                    for (of, place) in sockets.iter_mut().enumerate() {
                        let Some((server, socket)) = place else { continue };
                        match socket.recv(&mut buffer) {
                            Ok(len) => return Some((by(server, true), buffer.get(..len)?.to_vec())),
                            Err(error) if is_wait(&error) => {}
                            Err(error) => {
                                failed.get_mut(of)?.get_or_insert_with(|| error.to_string());
                                *place = None;
                            }
                        }
                    }
                    if sockets.iter().all(Option::is_none) {
                        break;
                    }
                }
            }
        }
        for ((server, _), failure) in to.iter().zip(failed) {
            let failure = failure.unwrap_or_else(|| "timed out".to_owned());
            failures.push(format!("{server} over UDP: {failure}"));
        }
        None
    }

    fn stream(&self, server: &Server) -> io::Result<Vec<u8>> {
        let timeout = Some(self.transport.timeout);
        match server {
            Server::Address { address, .. } => {
                let stream = TcpStream::connect_timeout(address, self.transport.timeout)?;
                stream.set_read_timeout(timeout)?;
                stream.set_write_timeout(timeout)?;
                framed(stream, self.message, self.transport.timeout)
            }
            #[cfg(unix)]
            Server::Unix(path) => {
                let stream = std::os::unix::net::UnixStream::connect(path)?;
                stream.set_read_timeout(timeout)?;
                stream.set_write_timeout(timeout)?;
                framed(stream, self.message, self.transport.timeout)
            }
            #[cfg(not(unix))]
            Server::Unix(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "there are no UNIX sockets here")),
            Server::Https(url) => {
                let https = self
                    .https
                    .ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, "HTTPS is not part of this program"))?;
                kkdcp::ask(https, url, self.realm, self.message, self.transport.timeout)
            }
        }
    }
}

fn over(server: &Server) -> String {
    match server {
        Server::Address { address, .. } => format!("{address} over TCP"),
        other => other.to_string(),
    }
}

/// A server as it was asked: over UDP, or over a stream.
fn by(server: &Server, over_udp: bool) -> Server {
    match server {
        Server::Address { address, .. } => Server::Address { address: *address, udp: over_udp, tcp: !over_udp },
        other => other.clone(),
    }
}

/// Returns whether nothing came yet. Systems differ in how they say so.
fn is_wait(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

/// Returns whether a reply says that the service is not available (`KDC_ERR_SVC_UNAVAILABLE`).
fn is_unavailable(reply: &[u8]) -> bool {
    reply.first() == Some(&0x7E) && KrbError::from_der(reply).is_ok_and(|error| error.error_code == SVC_UNAVAILABLE)
}

/// A socket that receives from this address only.
fn open(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let socket = UdpSocket::bind(any)?;
    socket.connect(address)?;
    socket.set_read_timeout(Some(LOOK))?;
    Ok(socket)
}

/// Sends and receives with lengths in front (RFC 4120 §7.2.2).
fn framed(mut stream: impl Read + Write, message: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
    let begun = Instant::now();
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, "a message is too long");
    let len = u32::try_from(message.len()).map_err(|_: core::num::TryFromIntError| too_long())?;
    stream.write_all(&[&len.to_be_bytes()[..], message].concat())?;
    let mut len = [0; 4];
    stream.read_exact(&mut len)?;
    // The highest bit is reserved (RFC 4120 §7.2.2).
    let len = u32::from_be_bytes(len);
    if len > MAX_REPLY {
        return Err(too_long());
    }
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    let (mut reply, mut part) = (Vec::new(), [0; 8192]);
    while reply.len() < len {
        let wanted = part.len().min(len.saturating_sub(reply.len()));
        match stream.read(part.get_mut(..wanted).unwrap_or_default())? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => reply.extend(part.get(..read).unwrap_or_default()),
        }
        // A byte now and then does not keep a client for longer.
        if begun.elapsed() > timeout {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(reply)
}
