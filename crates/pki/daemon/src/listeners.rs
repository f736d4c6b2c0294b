//! Listeners, which a reload adds, keeps or removes.

use std::net::SocketAddr;

use listenfd::ListenFd;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::ListenConfig;

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
    pub(crate) listener: TcpListener,
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
}

/// A listener that accepts connections.
pub(crate) struct Listener {
    pub(crate) config: ListenConfig,
    pub(crate) local: SocketAddr,
    pub(crate) stop: watch::Sender<bool>,
    pub(crate) task: JoinHandle<()>,
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
