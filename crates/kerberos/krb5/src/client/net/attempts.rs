//! The order in which servers are tried, and the outcome.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tagwise_codec::{Decode, Options};

use super::Server;
use crate::client::ClientError;
use crate::messages::{AsRep, KrbError, TgsRep};
use crate::numbers::error::SVC_UNAVAILABLE;
use crate::rules;

/// The maximum reply size in bytes. MIT's KDC sends at most 1 MiB.
pub(super) const MAX_REPLY: u32 = 1 << 20;
/// The maximum time to wait for a datagram before the next server is tried as well.
pub(super) const DATAGRAM_WAIT: Duration = Duration::from_secs(1);

/// A single attempt.
pub(super) enum Attempt<'s> {
    /// Datagrams to several servers, with a common wait for their replies.
    Datagrams(Vec<(&'s Server, SocketAddr)>),
    Stream(&'s Server),
}

/// Returns the attempts in server order. Streams to servers that are first contacted by datagram come last. `tcp` is set if
/// the reply does not fit into a datagram.
pub(super) fn attempts(servers: &[Server], datagrams_first: bool, tcp: bool) -> Vec<Attempt<'_>> {
    let datagrams_first = datagrams_first && !tcp;
    let (mut attempts, mut later): (Vec<Attempt<'_>>, Vec<Attempt<'_>>) = (Vec::new(), Vec::new());
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
            Server::Address { address, udp: true, tcp: false } if !tcp => last.push((server, *address)),
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

/// The outcome of all attempts.
#[derive(Default)]
pub(super) struct Tried {
    failures: Vec<String>,
    unavailable: Option<(Server, Vec<u8>)>,
}

impl Tried {
    /// Records that a server did not respond.
    pub(super) fn failed(&mut self, server: &Server, why: &dyn core::fmt::Display) {
        self.failures.push(match server {
            Server::Address { .. } => format!("{server} over {}: {why}", server.transport()),
            _ => format!("{server}: {why}"),
        });
    }

    /// Returns the reply, unless it reports that the service is unavailable. Such a reply is stored in case no other server
    /// responds.
    pub(super) fn counts(&mut self, answered: (Server, Vec<u8>)) -> Option<(Server, Vec<u8>)> {
        if !is_unavailable(&answered.1) {
            return Some(answered);
        }
        self.unavailable.get_or_insert(answered);
        None
    }

    /// Returns the final result, after all attempts.
    pub(super) fn end(self) -> Result<(Server, Vec<u8>), ClientError> {
        match (self.unavailable, self.failures.is_empty()) {
            (Some(answered), _) => Ok(answered),
            (None, true) => Err(ClientError::Network("no server found for the realm".to_owned())),
            (None, false) => Err(ClientError::Network(format!("no server answered: {}", self.failures.join("; ")))),
        }
    }
}

/// Returns the error message for a timeout. Set `odd` if datagrams arrived that are not replies.
pub(super) const fn timed_out(odd: bool) -> &'static str {
    if odd { "timed out; the received data was not a reply to the request" } else { "timed out" }
}

/// Returns the server, reduced to the transport that was used: UDP or a stream.
pub(super) fn by(server: &Server, over_udp: bool) -> Server {
    match server {
        Server::Address { address, .. } => Server::Address { address: *address, udp: over_udp, tcp: !over_udp },
        other => other.clone(),
    }
}

/// Creates the error for a message that exceeds its length field or the limit for reading.
pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message is too long")
}

/// Returns whether a datagram can be the reply to a request. Anyone can forge a datagram from the server's address, so
/// unrelated datagrams do not end the wait. This does not verify the reply.
pub(super) fn is_reply(request: &[u8], datagram: &[u8]) -> bool {
    fn decodes<'a, T: Decode<'a>>(octets: &'a [u8]) -> bool {
        Options::der().rules(rules::PEERS).decode::<T>(octets).is_ok()
    }
    match (request.first(), datagram.first()) {
        (_, Some(0x7E)) => decodes::<KrbError<'_>>(datagram),
        (Some(0x6A), Some(0x6B)) => decodes::<AsRep<'_>>(datagram),
        (Some(0x6C), Some(0x6D)) => decodes::<TgsRep<'_>>(datagram),
        (Some(0x6A | 0x6C), _) => false,
        // Changes of a password, whose messages begin with their length (RFC 3244 §2).
        _ if is_counted(request) => is_counted(datagram),
        _ => true,
    }
}

/// Returns whether a message begins with its length.
fn is_counted(message: &[u8]) -> bool {
    message.first_chunk().is_some_and(|len| usize::from(u16::from_be_bytes(*len)) == message.len())
}

/// Returns whether a reply reports that the service is not available (`KDC_ERR_SVC_UNAVAILABLE`).
fn is_unavailable(reply: &[u8]) -> bool {
    reply.first() == Some(&0x7E) && KrbError::from_der(reply).is_ok_and(|error| error.error_code == SVC_UNAVAILABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_that_are_no_replies() {
        let request = [0x6A, 0x03];
        for garbage in [&b""[..], b"\x00", b"garbage", b"\x7E\x03\x02\x01\x05", b"\x6B\x00", b"\x6D\x00"] {
            assert!(!is_reply(&request, garbage), "{garbage:?}");
        }
        let change = [0, 3, 1];
        assert!(is_reply(&change, &[0, 6, 0, 1, 0, 0]) && !is_reply(&change, &[0, 7, 0, 1, 0, 0]));
    }
}
