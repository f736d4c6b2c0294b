//! Notifications to systemd (`sd_notify(3)`).

use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

/// The service manager's socket, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Notifier {
    path: Option<OsString>,
    watchdog: Option<Duration>,
}

impl Notifier {
    /// Reads the socket and the watchdog's interval from the environment.
    pub(crate) fn from_env() -> Self {
        let path = std::env::var_os("NOTIFY_SOCKET").filter(|path| !path.is_empty());
        let microseconds = std::env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok());
        let own = std::env::var("WATCHDOG_PID").ok().and_then(|text| text.parse().ok());
        let is_own = own.is_none_or(|id: u32| id == std::process::id());
        let watchdog = microseconds.filter(|_| is_own && path.is_some()).map(Duration::from_micros);
        Self { path, watchdog }
    }

    /// The interval at which the watchdog must be told that the server is alive: half of its limit.
    pub(crate) fn watchdog(&self) -> Option<Duration> {
        self.watchdog.map(|limit| limit / 2).filter(|interval| !interval.is_zero())
    }

    /// Sends a state, such as `READY=1`. Without a service manager, nothing happens.
    pub(crate) fn send(&self, state: &str) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let socket = UnixDatagram::unbound()?;
        #[cfg(target_os = "linux")]
        if let Some(name) = path.to_str().and_then(|path| path.strip_prefix('@')) {
            use std::os::linux::net::SocketAddrExt as _;
            let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
            return socket.send_to_addr(state.as_bytes(), &address).map(drop);
        }
        socket.send_to(state.as_bytes(), path).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let notifier = Notifier { path: Some(path.into()), watchdog: Some(Duration::from_secs(10)) };
        notifier.send("READY=1").unwrap();
        let mut buffer = [0; 64];
        let count = socket.recv(&mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"READY=1");
        assert_eq!(notifier.watchdog(), Some(Duration::from_secs(5)));
        Notifier::default().send("READY=1").unwrap();
    }
}
