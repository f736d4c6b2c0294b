//! A server on a UNIX stream socket. Each connection carries consecutive packets, as MIT's libkrad sends them.

use std::collections::HashSet;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use zeroize::Zeroizing;

use super::packet::{HEADER_LEN, MAX_LEN, Reply, Request};
use crate::check::{Check, Verdict};
use crate::limit::Limiter;
use crate::log::log;

/// The timeout for a peer to send the rest of a packet or to receive one.
const PATIENCE: Duration = Duration::from_secs(5);

/// Server limits.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// The time limit for a check.
    pub time: Duration,
    /// The number of failures before a user must wait.
    pub failures: u32,
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of concurrent checks.
    pub checks: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(15), failures: 5, connections: 32, checks: 32 }
    }
}

/// A RADIUS server.
///
/// Only root and the server's own user may connect. Over a UNIX socket, a KDC has no shared secret by default. Signatures
/// therefore prove that a packet is intact, but not who sent it.
pub struct Server {
    check: Box<dyn Check>,
    limiter: Limiter,
    limits: ServerLimits,
    secret: Zeroizing<Vec<u8>>,
    signed: bool,
    connections: AtomicUsize,
    checks: AtomicUsize,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// A slot for a connection or check, released on drop.
struct ServerSlot(Arc<Server>, fn(&Server) -> &AtomicUsize);

impl ServerSlot {
    fn take(server: &Arc<Server>, of: fn(&Server) -> &AtomicUsize, most: usize) -> Option<Self> {
        let taken = of(server).fetch_update(Ordering::AcqRel, Ordering::Acquire, |now| (now < most).then_some(now + 1));
        taken.ok().map(|_| Self(Arc::clone(server), of))
    }
}

impl Drop for ServerSlot {
    fn drop(&mut self) {
        (self.1)(&self.0).fetch_sub(1, Ordering::AcqRel);
    }
}

/// A connection on which several checks reply.
struct Connection {
    output: Mutex<UnixStream>,
    /// The requests that are not yet answered.
    open: Mutex<HashSet<(u8, [u8; 16])>>,
}

impl Server {
    /// Creates a server that uses the given check.
    #[must_use]
    pub fn new(check: Box<dyn Check>, limits: ServerLimits) -> Self {
        Self {
            check,
            limiter: Limiter::new(limits.failures),
            limits,
            secret: Zeroizing::default(),
            signed: false,
            connections: AtomicUsize::new(0),
            checks: AtomicUsize::new(0),
        }
    }

    /// Sets the secret shared with the KDC.
    #[must_use]
    pub fn with_secret(mut self, secret: impl Into<Zeroizing<Vec<u8>>>) -> Self {
        self.secret = secret.into();
        self
    }

    /// Requires a Message-Authenticator in each request. Old versions of MIT's library do not send one.
    #[must_use]
    pub fn require_message_authenticator(mut self) -> Self {
        self.signed = true;
        self
    }

    /// Serves until the listener fails.
    ///
    /// # Errors
    ///
    /// Returns any error from the listener.
    pub fn serve(self, listener: &UnixListener) -> io::Result<()> {
        let server = Arc::new(self);
        loop {
            let (stream, _) = match listener.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if matches!(error.raw_os_error(), Some(nix::libc::EMFILE | nix::libc::ENFILE)) => {
                    log!("no more connections are possible: {error}");
                    std::thread::sleep(Duration::from_millis(200));
                    continue;
                }
                Err(error) => return Err(error),
            };
            if let Err(error) = known(&stream) {
                log!("a connection was rejected: {error}");
                continue;
            }
            let Some(place) = ServerSlot::take(&server, |server| &server.connections, server.limits.connections) else {
                log!("a connection was rejected: {} are already open", server.limits.connections);
                continue;
            };
            let spawned = std::thread::Builder::new().name("connection".into()).spawn(move || {
                let server = Arc::clone(&place.0);
                if let Err(error) = server.connection(&stream) {
                    log!("a connection failed: {error}");
                }
                let _ = stream.shutdown(std::net::Shutdown::Both);
                drop(place);
            });
            if let Err(error) = spawned {
                log!("a connection was rejected: {error}");
            }
        }
    }

    fn connection(self: &Arc<Self>, stream: &UnixStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let connection = Arc::new(Connection { output: Mutex::new(stream.try_clone()?), open: Mutex::default() });
        while let Some(packet) = read(stream)? {
            let request = match Request::parse(&packet, &self.secret, self.signed) {
                Ok(request) => request,
                Err(malformed) => {
                    log!("a packet was discarded: {malformed}");
                    continue;
                }
            };
            let key = request.key();
            if !connection.open.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
                continue;
            }
            let Some(place) = ServerSlot::take(self, |server| &server.checks, self.limits.checks) else {
                log!("{}: not checked, {} checks are already running", shown(&request), self.limits.checks);
                connection.answer(&request, Reply::Reject, &self.secret);
                continue;
            };
            let (server, to) = (Arc::clone(self), Arc::clone(&connection));
            let spawned = std::thread::Builder::new().name("check".into()).spawn(move || {
                let reply = server.judge(&request);
                to.answer(&request, reply, &server.secret);
                drop(place);
            });
            // Without an answer the KDC tries again.
            if let Err(error) = spawned {
                log!("a check could not be started: {error}");
                connection.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
            }
        }
        Ok(())
    }

    fn judge(&self, request: &Request) -> Reply {
        let begun = Instant::now();
        let end = begun.checked_add(self.limits.time).unwrap_or(begun);
        let Some(permit) = self.limiter.begin(request.user(), end) else {
            log!("{}: rejected, the user must wait", shown(request));
            return Reply::Reject;
        };
        let verdict = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.check.check(request.user(), request.password(), end.saturating_duration_since(Instant::now()))
        }));
        match verdict {
            Ok(Verdict::Accepted) => {
                log!("{}: accepted", shown(request));
                permit.accepted();
                Reply::Accept
            }
            Ok(Verdict::Rejected) => {
                log!("{}: rejected", shown(request));
                Reply::Reject
            }
            Ok(Verdict::Unavailable(why)) => {
                log!("{}: not checked, {why}", shown(request));
                permit.unavailable();
                Reply::Reject
            }
            Err(_) => {
                log!("{}: rejected because the password check panicked", shown(request));
                permit.unavailable();
                Reply::Reject
            }
        }
    }
}

/// Returns a user's name for logs. It contains no control characters, but may be long.
fn shown(request: &Request) -> String {
    request.user().chars().take(256).flat_map(char::escape_debug).collect()
}

impl Connection {
    fn answer(&self, request: &Request, reply: Reply, secret: &[u8]) {
        let packet = request.reply(reply, secret);
        let written = self.output.lock().unwrap_or_else(PoisonError::into_inner).write_all(&packet);
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&request.key());
        if let Err(error) = written {
            log!("a reply was not sent: {error}");
        }
    }
}

/// Rejects peers that run neither as root nor as this process's user.
fn known(stream: &UnixStream) -> io::Result<()> {
    let peer = getsockopt(stream, PeerCredentials)?.uid();
    if peer == 0 || peer == nix::unistd::geteuid().as_raw() {
        return Ok(());
    }
    Err(io::Error::other(format!("user {peer} is not authorized")))
}

/// Reads the next packet, or returns `None` at the end of the connection.
fn read(mut stream: &UnixStream) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let mut packet = Zeroizing::new(vec![0; HEADER_LEN]);
    // An idle connection may stay.
    stream.set_read_timeout(None)?;
    let Some((first, rest)) = packet.split_first_mut() else { return Ok(None) };
    let count = loop {
        match stream.read(std::slice::from_mut(first)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    if count == 0 {
        return Ok(None);
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.read_exact(rest)?;
    let len = match *packet.as_slice() {
        [_, _, high, low, ..] => usize::from(u16::from_be_bytes([high, low])),
        _ => 0,
    };
    // With a wrong length, the next packet cannot be found.
    if !(HEADER_LEN..=MAX_LEN).contains(&len) {
        return Err(io::Error::other(format!("a packet of {len} bytes")));
    }
    let mut whole = Zeroizing::new(vec![0; len]);
    if let Some((header, rest)) = whole.split_at_mut_checked(HEADER_LEN) {
        header.copy_from_slice(&packet);
        stream.read_exact(rest)?;
    }
    Ok(Some(whole))
}
