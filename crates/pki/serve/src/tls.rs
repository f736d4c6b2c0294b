//! TLS for HTTP connections, with certificates that can be exchanged while connections are open.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub use tokio_rustls::rustls;

use rustls::ServerConfig;

/// The application protocols that clients can negotiate, by preference (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The TLS configuration of a listener. Clones share it, so that [`replace`](Self::replace) affects all new connections.
#[derive(Clone)]
pub struct Tls(Arc<State>);

struct State {
    config: RwLock<Arc<ServerConfig>>,
    failures: AtomicU64,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("failures", &self.failures()).finish_non_exhaustive()
    }
}

/// The certificates that a client authenticated with, in DER, its own first. Empty if it sent none.
///
/// Requests over TLS have it in their extensions. The chain was accepted by the configuration's client verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCertificates(pub Arc<[Vec<u8>]>);

/// The channel binding `tls-exporter` of a TLS 1.3 connection (RFC 9266), by which requests can be tied to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelBinding(pub [u8; 32]);

/// An accepted connection.
pub(crate) struct Accepted {
    pub(crate) stream: TlsStream<TcpStream>,
    pub(crate) is_http2: bool,
    pub(crate) client: ClientCertificates,
    pub(crate) binding: Option<ChannelBinding>,
}

/// Adds the protocols `h2` and `http/1.1`, unless the configuration has others.
fn with_protocols(mut config: ServerConfig) -> Arc<ServerConfig> {
    if config.alpn_protocols.is_empty() {
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    }
    Arc::new(config)
}

impl Tls {
    /// Creates TLS from a configuration. If it has no application protocols, `h2` and `http/1.1` are added.
    #[must_use]
    pub fn new(config: ServerConfig) -> Self {
        let (config, failures) = (RwLock::new(with_protocols(config)), AtomicU64::new(0));
        Self(Arc::new(State { config, failures }))
    }

    /// Replaces the configuration for new connections. Open ones remain unchanged.
    pub fn replace(&self, config: ServerConfig) {
        let config = with_protocols(config);
        *self.0.config.write().unwrap_or_else(PoisonError::into_inner) = config;
    }

    /// The number of handshakes that failed.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.0.failures.load(Ordering::Relaxed)
    }

    /// Performs a handshake. Returns `None` if it fails.
    pub(crate) async fn accept(&self, stream: TcpStream) -> Option<Accepted> {
        let config = Arc::clone(&self.0.config.read().unwrap_or_else(PoisonError::into_inner));
        let Ok(stream) = TlsAcceptor::from(config).accept(stream).await else {
            self.0.failures.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let (_, connection) = stream.get_ref();
        let is_http2 = connection.alpn_protocol() == Some(b"h2");
        let client = connection.peer_certificates().unwrap_or_default().iter().map(|der| der.to_vec()).collect();
        let is_tls13 = connection.protocol_version() == Some(rustls::ProtocolVersion::TLSv1_3);
        // RFC 9266 §2 for TLS 1.3. Earlier versions need the extended master secret, which is not known here.
        let exporter = || connection.export_keying_material([0; 32], b"EXPORTER-Channel-Binding", Some(&[])).ok();
        let binding = is_tls13.then(exporter).flatten().map(ChannelBinding);
        Some(Accepted { stream, is_http2, client: ClientCertificates(client), binding })
    }
}
