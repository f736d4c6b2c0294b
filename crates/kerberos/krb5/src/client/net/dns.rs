//! DNS lookups using the system's configuration.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{RData, RecordType};
use tokio::runtime::{Builder, Runtime};

use super::locate::{Resolver, Srv, Uri};

/// The DNS record type URI (RFC 7553 §4.5).
const URI: u16 = 256;

/// A blocking DNS resolver with its own runtime. Do not use it within another asynchronous runtime.
pub struct SystemDns {
    runtime: Runtime,
    resolver: TokioResolver,
}

impl fmt::Debug for SystemDns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemDns")
    }
}

impl SystemDns {
    /// Creates a resolver with the system's name servers (`/etc/resolv.conf`).
    ///
    /// # Errors
    /// Returns an error if the system's configuration cannot be read.
    pub fn new() -> io::Result<Self> {
        let runtime = runtime()?;
        let resolver = {
            let _within = runtime.enter();
            TokioResolver::builder_tokio().and_then(|builder| builder.build()).map_err(io::Error::other)?
        };
        Ok(Self { runtime, resolver })
    }

    /// Creates a resolver with the given name servers.
    ///
    /// # Errors
    ///
    /// Returns an error if the resolver's runtime cannot be created.
    pub fn with_servers(servers: &[SocketAddr]) -> io::Result<Self> {
        let of = |server: &SocketAddr| {
            let at = |mut connection: ConnectionConfig| {
                connection.port = server.port();
                connection
            };
            NameServerConfig::new(server.ip(), true, vec![at(ConnectionConfig::udp()), at(ConnectionConfig::tcp())])
        };
        let config = ResolverConfig::from_parts(None, Vec::new(), servers.iter().map(of).collect());
        let runtime = runtime()?;
        let resolver = {
            let _within = runtime.enter();
            let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
            builder.build().map_err(io::Error::other)?
        };
        Ok(Self { runtime, resolver })
    }

    /// Looks up a name's records of a type. A nonexistent name yields an empty result.
    fn records<T>(&self, name: &str, kind: RecordType, of: impl Fn(&RData) -> Option<T>) -> io::Result<Vec<T>> {
        match self.runtime.block_on(self.resolver.lookup(name, kind)) {
            Ok(found) => Ok(found.answers().iter().filter_map(|record| of(&record.data)).collect()),
            Err(error) if error.is_nx_domain() || error.is_no_records_found() => Ok(Vec::new()),
            Err(error) => Err(failed(error)),
        }
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

fn failed(error: NetError) -> io::Error {
    io::Error::other(error)
}

impl Resolver for SystemDns {
    fn srv(&self, name: &str) -> io::Result<Vec<Srv>> {
        self.records(name, RecordType::SRV, |data| match data {
            RData::SRV(srv) => {
                Some(Srv { priority: srv.priority, weight: srv.weight, port: srv.port, target: srv.target.to_ascii() })
            }
            _ => None,
        })
    }

    fn uri(&self, name: &str) -> io::Result<Vec<Uri>> {
        self.records(name, RecordType::Unknown(URI), |data| match data {
            RData::Unknown { rdata, .. } => uri(&rdata.anything),
            _ => None,
        })
    }

    fn txt(&self, name: &str) -> io::Result<Vec<String>> {
        self.records(name, RecordType::TXT, |data| match data {
            RData::TXT(txt) => String::from_utf8(txt.txt_data.concat()).ok(),
            _ => None,
        })
    }
}

/// Parses the data of a URI record: priority, weight, and the URI, which extends to the end (RFC 7553 §4.5).
fn uri(octets: &[u8]) -> Option<Uri> {
    let (priority, rest) = octets.split_first_chunk::<2>()?;
    let (weight, target) = rest.split_first_chunk::<2>()?;
    let target = core::str::from_utf8(target).ok()?.to_owned();
    Some(Uri { priority: u16::from_be_bytes(*priority), weight: u16::from_be_bytes(*weight), target })
}
