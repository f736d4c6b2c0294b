//! A non-blocking client on a UNIX stream socket, driven by the caller's event loop.

use std::fmt;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::task::Poll;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::socket::sockopt::PeerCredentials;
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockType, UnixAddr, connect, getsockopt, recv, send, socket,
};

use super::ask::{AccessRequest, BadReply};
use super::packet::{HEADER_LEN, MAX_LEN, Reply};

/// The pause between attempts to connect to a server whose queue is full.
const PAUSE: Duration = Duration::from_millis(50);

/// The reason why a request failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum AskError {
    /// The server cannot be reached.
    Unreachable(PathBuf, io::Error),
    /// The server runs as a different user.
    Stranger(u32),
    /// The server closed the connection without replying.
    Closed,
    /// The server did not reply in time.
    Late,
    /// The reply is invalid.
    Reply(BadReply),
    /// The connection failed.
    Connection(io::Error),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(path, error) => {
                write!(f, "the password checker at {} is not running: {error}", path.display())
            }
            Self::Stranger(user) => write!(f, "the password checker runs as user {user}, which is not trusted"),
            Self::Closed => f.write_str("the password checker closed the connection without a reply"),
            Self::Late => f.write_str("the password checker did not answer in time"),
            Self::Reply(error) => write!(f, "the password checker's reply was discarded: {error}"),
            Self::Connection(error) => write!(f, "the connection to the password checker failed: {error}"),
        }
    }
}

impl std::error::Error for AskError {}

/// A request in progress, with its own connection.
#[derive(Debug)]
pub struct Asking {
    path: PathBuf,
    request: AccessRequest,
    until: Instant,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not connected, because the request has not been started or the server's queue was full.
    Apart(Instant),
    Sending(OwnedFd, usize),
    Receiving(OwnedFd, Vec<u8>),
}

impl Asking {
    /// Creates a request, not yet started, with the deadline `until`.
    #[must_use]
    pub fn new(path: &Path, request: AccessRequest, until: Instant) -> Self {
        Self { path: path.to_owned(), request, until, state: State::Apart(Instant::now()) }
    }

    /// Returns the descriptor to wait for. The flag is true to wait until it is writable, or false until it is readable.
    #[must_use]
    pub fn descriptor(&self) -> Option<(BorrowedFd<'_>, bool)> {
        match &self.state {
            State::Apart(_) => None,
            State::Sending(socket, _) => Some((socket.as_fd(), true)),
            State::Receiving(socket, _) => Some((socket.as_fd(), false)),
        }
    }

    /// Returns the latest time at which to call `resume`, even if the descriptor is not ready.
    #[must_use]
    pub fn until(&self) -> Instant {
        match self.state {
            State::Apart(again) => again.min(self.until),
            State::Sending(..) | State::Receiving(..) => self.until,
        }
    }

    /// Continues as far as possible without blocking.
    pub fn resume(&mut self) -> Poll<Result<Reply, AskError>> {
        loop {
            match self.step() {
                Ok(Some(reply)) => return Poll::Ready(Ok(reply)),
                Ok(None) => {}
                Err(Stop::Wait) if Instant::now() >= self.until => return Poll::Ready(Err(AskError::Late)),
                Err(Stop::Wait) => return Poll::Pending,
                Err(Stop::Failed(error)) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn step(&mut self) -> Result<Option<Reply>, Stop> {
        match &mut self.state {
            State::Apart(again) => {
                if Instant::now() < *again {
                    return Err(Stop::Wait);
                }
                *again = Instant::now().checked_add(PAUSE).unwrap_or(self.until);
                self.state = State::Sending(reach(&self.path)?, 0);
                Ok(None)
            }
            State::Sending(socket, sent) => {
                let rest = self.request.packet().get(*sent..).unwrap_or_default();
                *sent = sent.saturating_add(stopped(send(socket.as_raw_fd(), rest, MsgFlags::MSG_NOSIGNAL))?);
                if *sent >= self.request.packet().len() {
                    let sent = std::mem::replace(&mut self.state, State::Apart(self.until));
                    if let State::Sending(socket, _) = sent {
                        self.state = State::Receiving(socket, Vec::new());
                    }
                }
                Ok(None)
            }
            State::Receiving(socket, got) => {
                let mut piece = [0; MAX_LEN];
                // Only one packet is read; data after it is discarded.
                let wanted = wanted(got)?;
                let room = piece.get_mut(..wanted).unwrap_or_default();
                let count = stopped(recv(socket.as_raw_fd(), room, MsgFlags::empty()))?;
                if count == 0 {
                    return Err(Stop::Failed(AskError::Closed));
                }
                got.extend_from_slice(piece.get(..count).unwrap_or_default());
                if wanted_is_none(got)? {
                    let reply = self.request.read(got).map_err(|error| Stop::Failed(AskError::Reply(error)))?;
                    return Ok(Some(reply));
                }
                Ok(None)
            }
        }
    }
}

enum Stop {
    Wait,
    Failed(AskError),
}

/// Returns a packet's length from its header, or `None` until the header has been received.
fn stated(got: &[u8]) -> Option<usize> {
    match *got {
        [_, _, high, low, ..] => Some(usize::from(u16::from_be_bytes([high, low]))),
        _ => None,
    }
}

/// Returns the number of bytes still to be received, as far as it is known.
fn wanted(got: &[u8]) -> Result<usize, Stop> {
    let whole = match stated(got) {
        Some(len) if !(HEADER_LEN..=MAX_LEN).contains(&len) => {
            return Err(Stop::Failed(AskError::Reply(BadReply::Length)));
        }
        Some(len) => len,
        None => HEADER_LEN,
    };
    Ok(whole.saturating_sub(got.len()))
}

fn wanted_is_none(got: &[u8]) -> Result<bool, Stop> {
    Ok(stated(got).is_some() && wanted(got)? == 0)
}

fn stopped(result: nix::Result<usize>) -> Result<usize, Stop> {
    match result {
        Ok(count) => Ok(count),
        Err(Errno::EAGAIN | Errno::EINTR) => Err(Stop::Wait),
        Err(Errno::ECONNRESET | Errno::EPIPE) => Err(Stop::Failed(AskError::Closed)),
        Err(error) => Err(Stop::Failed(AskError::Connection(error.into()))),
    }
}

/// Connects without blocking to a server that runs as root or as this process's user.
fn reach(path: &Path) -> Result<OwnedFd, Stop> {
    let failed = |error: Errno| Stop::Failed(AskError::Unreachable(path.to_owned(), error.into()));
    let address = UnixAddr::new(path).map_err(failed)?;
    let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
    let made = socket(AddressFamily::Unix, SockType::Stream, flags, None).map_err(failed)?;
    match connect(made.as_raw_fd(), &address) {
        Ok(()) => {}
        Err(Errno::EAGAIN | Errno::EINTR) => return Err(Stop::Wait),
        Err(error) => return Err(failed(error)),
    }
    let peer = getsockopt(&made, PeerCredentials).map_err(failed)?.uid();
    match peer == 0 || peer == nix::unistd::geteuid().as_raw() {
        true => Ok(made),
        false => Err(Stop::Failed(AskError::Stranger(peer))),
    }
}
