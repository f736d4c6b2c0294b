//! A realm's servers, and their textual form.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;

/// A server: its location and transport.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Server {
    /// A socket address.
    Address {
        /// The address.
        address: SocketAddr,
        /// True to use UDP.
        udp: bool,
        /// True to use TCP.
        tcp: bool,
    },
    /// A UNIX socket, with TCP framing.
    Unix(PathBuf),
    /// The URL of a proxy (MS-KKDCP).
    Https(String),
}

impl Server {
    /// Returns the supported transports, as text: `UDP`, `TCP`, `UDP and TCP`, `a UNIX socket` or `HTTPS`.
    #[must_use]
    pub const fn transport(&self) -> &'static str {
        match self {
            Self::Address { udp: true, tcp: true, .. } => "UDP and TCP",
            Self::Address { udp: true, tcp: false, .. } => "UDP",
            Self::Address { .. } => "TCP",
            Self::Unix(_) => "a UNIX socket",
            Self::Https(_) => "HTTPS",
        }
    }
}

impl From<SocketAddr> for Server {
    /// Creates a server that is contacted over both UDP and TCP.
    fn from(address: SocketAddr) -> Self {
        Self::Address { address, udp: true, tcp: true }
    }
}

impl core::fmt::Display for Server {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Address { address, .. } => address.fmt(f),
            Self::Unix(path) => path.display().fmt(f),
            Self::Https(url) => f.write_str(url),
        }
    }
}

/// Parses server names from a configuration: `host`, `host:port`, `[address]:port`, the path of a UNIX socket, or the
/// URL of a proxy (`https://host/KdcProxy`). Unresolvable hosts are omitted.
///
/// ```
/// use tagwise_krb5::client::net::{Server, servers};
/// let found = servers(&["127.0.0.1", "[::1]:750", "/run/kdc.sock", "https://proxy.test/KdcProxy"], 88);
/// assert_eq!(found[0], Server::from(std::net::SocketAddr::from(([127, 0, 0, 1], 88))));
/// assert_eq!(found[1].to_string(), "[::1]:750");
/// assert_eq!(found[2], Server::Unix("/run/kdc.sock".into()));
/// assert_eq!(found[3], Server::Https("https://proxy.test/KdcProxy".to_owned()));
/// ```
#[must_use]
pub fn servers(names: &[&str], default_port: u16) -> Vec<Server> {
    names.iter().flat_map(|name| named(name.trim(), default_port)).collect()
}

fn named(name: &str, default_port: u16) -> Vec<Server> {
    if name.starts_with('/') {
        return vec![Server::Unix(PathBuf::from(name))];
    }
    if is_url(name) {
        return vec![Server::Https(name.to_owned())];
    }
    addresses(name, default_port).into_iter().map(Server::from).collect()
}

/// Returns whether a name is a proxy URL. Only HTTPS is allowed, because TLS is the only protection for a proxy's
/// responses.
pub(super) fn is_url(name: &str) -> bool {
    name.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}

/// Resolves a host with an optional port to its addresses.
pub(super) fn addresses(name: &str, default_port: u16) -> Vec<SocketAddr> {
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
    resolved.unwrap_or_default()
}
