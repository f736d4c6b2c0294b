//! Listeners, which a reload adds, keeps or removes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hyper::Request;
use hyper::body::Incoming;
use listenfd::ListenFd;
use tagwise_serve::http::{Transport, serve_over};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::{Config, ListenConfig};
use crate::run::Shared;

/// The sockets that systemd has opened, with their names.
pub(crate) struct Inherited {
    sockets: ListenFd,
    names: Vec<String>,
}

impl Inherited {
    pub(crate) fn from_env() -> Self {
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        Self { sockets: ListenFd::from_env(), names: names.split(':').map(ToOwned::to_owned).collect() }
    }

    fn take(&mut self, name: &str) -> Result<TcpListener, String> {
        let missing = || format!("fd:{name}: the service manager has passed no such socket");
        let index = self.names.iter().position(|found| found == name).ok_or_else(missing)?;
        let failed = |error: std::io::Error| format!("fd:{name}: {error}");
        let listener = self.sockets.take_tcp_listener(index).map_err(failed)?.ok_or_else(missing)?;
        listener.set_nonblocking(true).map_err(failed)?;
        TcpListener::from_std(listener).map_err(failed)
    }
}

/// A bound address that does not accept connections yet.
pub(crate) struct Bound {
    pub(crate) config: ListenConfig,
    pub(crate) local: SocketAddr,
    listener: TcpListener,
}

impl Bound {
    pub(crate) async fn new(config: &ListenConfig, inherited: &mut Inherited) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", config.address);
        let listener = match config.address.strip_prefix("fd:") {
            Some(name) => inherited.take(name)?,
            None => TcpListener::bind(&config.address).await.map_err(failed)?,
        };
        let local = listener.local_addr().map_err(failed)?;
        Ok(Self { config: config.clone(), local, listener })
    }

    /// Starts to accept connections.
    pub(crate) fn start(self, shared: &Arc<Shared>) -> Result<Listener, String> {
        let Self { config, local, listener } = self;
        let transport = match (config.plain, shared.tls()) {
            (true, _) => Transport::Plain,
            (false, Some(tls)) => Transport::Tls(tls),
            (false, None) => return Err(format!("{}: no TLS certificate", config.address)),
        };
        let (stop, mut told) = watch::channel(false);
        let limits = Config::limits(&config);
        let own = Arc::clone(shared);
        let accepted = move || {
            own.metrics.connections.fetch_add(1, Ordering::Relaxed);
        };
        let (own, address) = (Arc::clone(shared), Arc::<str>::from(config.address.as_str()));
        let answer = move |request: Request<Incoming>| {
            let (shared, address) = (Arc::clone(&own), Arc::clone(&address));
            async move { shared.answer(&address, request).await }
        };
        let stopped = async move {
            let _ = told.wait_for(|stop| *stop).await;
        };
        let task = tokio::spawn(serve_over(listener, transport, limits, accepted, answer, stopped));
        Ok(Listener { config, local, stop, task })
    }
}

/// A listener that accepts connections.
pub(crate) struct Listener {
    pub(crate) config: ListenConfig,
    pub(crate) local: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Listener {
    /// Returns whether the listener can serve another configuration of its address.
    pub(crate) fn is_like(&self, other: &ListenConfig) -> bool {
        self.config.plain == other.plain && self.config.connections == other.connections
    }

    /// Stops accepting connections, and returns a task that ends when current requests are complete.
    pub(crate) fn stop(self) -> JoinHandle<()> {
        let _ = self.stop.send(true);
        self.task
    }
}
