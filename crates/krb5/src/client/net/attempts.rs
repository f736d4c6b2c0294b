//! The order in which servers are tried, and what came of it.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tagwise_codec::Decode as _;

use super::Server;
use crate::client::ClientError;
use crate::messages::KrbError;
use crate::numbers::error::SVC_UNAVAILABLE;

/// The largest reply that is read: MIT's KDC sends 1 MiB at most.
pub(super) const MAX_REPLY: u32 = 1 << 20;
/// The longest wait for a datagram before the next server is tried, too.
pub(super) const DATAGRAM_WAIT: Duration = Duration::from_secs(1);

/// One thing to try.
pub(super) enum Attempt<'s> {
    /// Datagrams to servers whose answers are waited for together.
    Datagrams(Vec<(&'s Server, SocketAddr)>),
    Stream(&'s Server),
}

/// Servers in their order. Streams to those that are asked by datagrams first come last; with `tcp`, the reply does not fit into a
/// datagram.
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

/// The outcome of attempts.
#[derive(Default)]
pub(super) struct Tried {
    failures: Vec<String>,
    unavailable: Option<(Server, Vec<u8>)>,
}

impl Tried {
    /// Notes that a server did not answer.
    pub(super) fn failed(&mut self, server: &Server, why: &dyn core::fmt::Display) {
        self.failures.push(match server {
            Server::Address { .. } => format!("{server} over {}: {why}", server.transport()),
            _ => format!("{server}: {why}"),
        });
    }

    /// An answer, unless it says that the service is not available: then it counts if no other server answers.
    pub(super) fn counts(&mut self, answered: (Server, Vec<u8>)) -> Option<(Server, Vec<u8>)> {
        if !is_unavailable(&answered.1) {
            return Some(answered);
        }
        self.unavailable.get_or_insert(answered);
        None
    }

    /// The end, when nothing is left to try.
    pub(super) fn end(self) -> Result<(Server, Vec<u8>), ClientError> {
        match (self.unavailable, self.failures.is_empty()) {
            (Some(answered), _) => Ok(answered),
            (None, true) => Err(ClientError::Network("no server of the realm is known".to_owned())),
            (None, false) => Err(ClientError::Network(format!("no server answers: {}", self.failures.join("; ")))),
        }
    }
}

/// A server as it was asked: over UDP, or over a stream.
pub(super) fn by(server: &Server, over_udp: bool) -> Server {
    match server {
        Server::Address { address, .. } => Server::Address { address: *address, udp: over_udp, tcp: !over_udp },
        other => other.clone(),
    }
}

/// The error of a message that is longer than a length says, or than is read.
pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message is too long")
}

/// Returns whether a reply says that the service is not available (`KDC_ERR_SVC_UNAVAILABLE`).
fn is_unavailable(reply: &[u8]) -> bool {
    reply.first() == Some(&0x7E) && KrbError::from_der(reply).is_ok_and(|error| error.error_code == SVC_UNAVAILABLE)
}
