//! Sends a message to servers in turn until one answers (RFC 4120 §7.2).

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use super::attempts::{Attempt, DATAGRAM_WAIT, MAX_REPLY, Tried, attempts, by, is_reply, timed_out, too_long};
use super::kkdcp::{self, Https};
use super::{Server, Transport};
use crate::client::ClientError;

/// The time to poll one socket before polling the next one.
const LOOK: Duration = Duration::from_millis(2);

/// A request, with the means to send it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) message: &'a [u8],
    /// The realm, which is sent to a proxy.
    pub(super) realm: Option<&'a str>,
    /// True if the reply does not fit into a datagram.
    pub(super) tcp: bool,
    pub(super) transport: &'a Transport,
    pub(super) https: Option<&'a dyn Https>,
}

impl Request<'_> {
    /// Sends the request to servers until one responds. Returns that server, with only the transport of its reply. A reply that
    /// reports the service as unavailable is returned only if no other server responds.
    pub(super) fn send(&self, servers: &[Server]) -> Result<(Server, Vec<u8>), ClientError> {
        let mut tried = Tried::default();
        let datagrams_first = self.message.len() <= self.transport.udp_limit;
        for attempt in attempts(servers, datagrams_first, self.tcp) {
            let answered = match &attempt {
                Attempt::Datagrams(to) => self.datagrams(to, &mut tried),
                Attempt::Stream(server) => match self.stream(server) {
                    Ok(reply) => Some((by(server, false), reply)),
                    Err(error) => {
                        tried.failed(&by(server, false), &error);
                        None
                    }
                },
            };
            if let Some(answered) = answered.and_then(|answered| tried.counts(answered)) {
                return Ok(answered);
            }
        }
        tried.end()
    }

    /// Sends datagrams to each server in turn, several times. Late replies are accepted while the function waits for any server.
    fn datagrams(&self, to: &[(&Server, SocketAddr)], tried: &mut Tried) -> Option<(Server, Vec<u8>)> {
        let mut sockets: Vec<Option<(&Server, UdpSocket)>> = to.iter().map(|_| None).collect();
        let mut failed = vec![None; to.len()];
        let mut buffer = vec![0; 65_536];
        let mut odd = false;
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
                            Ok(len) => match buffer.get(..len) {
                                Some(reply) if is_reply(self.message, reply) => {
                                    return Some((by(server, true), reply.to_vec()));
                                }
                                _ => odd = true,
                            },
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
            tried.failed(&by(server, true), &failure.unwrap_or_else(|| timed_out(odd).to_owned()));
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
            Server::Unix(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "UNIX sockets are not supported on this system"))
            }
            Server::Https(url) => {
                let https = self.https.ok_or_else(|| {
                    io::Error::new(io::ErrorKind::Unsupported, "this program was built without HTTPS")
                })?;
                kkdcp::ask(https, url, self.realm, self.message, self.transport.timeout)
            }
        }
    }
}

/// Returns whether an error means that no data has arrived yet. Systems report this differently.
fn is_wait(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

/// Opens a socket that only receives datagrams from this address.
fn open(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let socket = UdpSocket::bind(any)?;
    socket.connect(address)?;
    socket.set_read_timeout(Some(LOOK))?;
    Ok(socket)
}

/// Sends a message and receives the reply, both with a length prefix (RFC 4120 §7.2.2).
fn framed(mut stream: impl Read + Write, message: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
    let begun = Instant::now();
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
