//! A connection with a deadline and a limit on the bytes read.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::target::Target;
use crate::shared::output::reason;

/// The maximum number of bytes from a server: a handshake with the largest messages that rustls accepts, and the data before it.
const MOST: u64 = 1 << 20;
/// The maximum number of a host's addresses to try.
const ADDRESSES: usize = 8;

/// A connection with a deadline and a byte limit.
#[derive(Debug)]
pub(super) struct Bounded {
    stream: TcpStream,
    deadline: Instant,
    left: u64,
}

/// Connects to a server.
///
/// # Errors
/// Returns an error message if the connection fails.
pub(super) fn connect(target: &Target, deadline: Instant) -> Result<Bounded, String> {
    let addresses = addresses(target, deadline)?;
    let mut last = None;
    for (index, address) in addresses.iter().enumerate() {
        let rest = u32::try_from(addresses.len() - index).unwrap_or(1);
        let Some(time) = left(deadline) else { break };
        // Each address has its share of the time.
        match TcpStream::connect_timeout(address, (time / rest).max(Duration::from_millis(1))) {
            Ok(stream) => {
                let _ = stream.set_nodelay(true);
                return Ok(Bounded { stream, deadline, left: MOST });
            }
            Err(error) => last = Some((address, error)),
        }
    }
    match last {
        Some((address, error)) => Err(format!("{address}: {}", reason(&error))),
        None => Err("timed out before connecting".to_owned()),
    }
}

/// Resolves a host name in a thread, because the system's function has no timeout.
fn addresses(target: &Target, deadline: Instant) -> Result<Vec<SocketAddr>, String> {
    let (host, port) = (target.host(), target.port);
    let (sender, receiver) = mpsc::channel();
    let lookup = move || {
        let found = (host.as_str(), port).to_socket_addrs().map(|found| found.take(ADDRESSES).collect::<Vec<_>>());
        // The receiver may be gone.
        let _ = sender.send(found);
    };
    std::thread::spawn(lookup);
    match receiver.recv_timeout(left(deadline).unwrap_or_default()) {
        Ok(Ok(found)) if found.is_empty() => Err("the host name has no address".to_owned()),
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(format!("the host name could not be resolved: {}", reason(&error))),
        Err(_) => Err("resolving the host name timed out".to_owned()),
    }
}

fn left(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

impl Bounded {
    fn time(&self) -> io::Result<Duration> {
        left(self.deadline)
            .ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "the server exceeded the time set by --timeout"))
    }

    /// Converts a system timeout to the error for the deadline.
    fn told(&self, error: io::Error) -> io::Error {
        match (error.kind(), self.time()) {
            (io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut, Err(late)) => late,
            _ => error,
        }
    }
}

impl Read for Bounded {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(octets.len());
        if most == 0 && !octets.is_empty() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the server sent more than 1 MiB"));
        }
        self.stream.set_read_timeout(Some(self.time()?))?;
        let read = self.stream.read(octets.get_mut(..most).unwrap_or_default()).map_err(|error| self.told(error))?;
        self.left -= read as u64;
        Ok(read)
    }
}

impl Write for Bounded {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.time()?))?;
        self.stream.write(octets).map_err(|error| self.told(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
