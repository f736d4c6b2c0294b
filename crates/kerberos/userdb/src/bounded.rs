//! A socket that limits the bytes read, and writes without raising SIGPIPE.

use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nix::sys::socket::{MsgFlags, send};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use zlink::connection::PassedCredentials;
use zlink::connection::socket::{ReadHalf, ReadResult, Socket, WriteHalf};

/// The number of bytes that a socket may still read. The socket shares it with the code that resets it.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    /// Resets the allowance to the given number of bytes.
    pub(crate) fn renew(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn spend(&self, bytes: usize) -> zlink::Result<()> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes).ok_or(zlink::Error::BufferOverflow)?;
        self.renew(left);
        Ok(())
    }
}

/// A socket with a limited read allowance. Exceeding it is an error.
#[derive(Debug)]
pub(crate) struct Bounded {
    pub(crate) stream: UnixStream,
    pub(crate) allowance: Allowance,
}

impl Socket for Bounded {
    type ReadHalf = Read;
    type WriteHalf = Write;

    fn split(self) -> (Self::ReadHalf, Self::WriteHalf) {
        let (inner, write) = self.stream.into_split();
        (Read { inner, allowance: self.allowance }, Write(write))
    }
}

/// The socket's read half.
#[derive(Debug)]
pub(crate) struct Read {
    inner: OwnedReadHalf,
    allowance: Allowance,
}

impl ReadHalf for Read {
    async fn read(&mut self, buffer: &mut [u8]) -> zlink::Result<ReadResult> {
        loop {
            self.inner.readable().await?;
            match self.inner.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
                Ok(count) => {
                    self.allowance.spend(count)?;
                    return Ok(ReadResult::new(count));
                }
            }
        }
    }
}

/// The socket's write half. If the peer has disconnected, writing returns an error and does not raise SIGPIPE. Unlike Rust
/// programs, C programs do not ignore that signal by default, and would be terminated.
#[derive(Debug)]
pub(crate) struct Write(OwnedWriteHalf);

impl WriteHalf for Write {
    async fn write(
        &mut self,
        buffer: &[u8],
        descriptors: &[impl AsFd],
        credentials: Option<&PassedCredentials>,
    ) -> zlink::Result<()> {
        if !descriptors.is_empty() || credentials.is_some() {
            return Err(io::Error::from(io::ErrorKind::Unsupported).into());
        }
        let stream: &UnixStream = self.0.as_ref();
        let mut rest = buffer;
        while !rest.is_empty() {
            stream.writable().await?;
            let sent = stream.try_io(Interest::WRITABLE, || {
                send(stream.as_raw_fd(), rest, MsgFlags::MSG_NOSIGNAL).map_err(io::Error::from)
            });
            match sent {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(error) => return Err(error.into()),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            }
        }
        Ok(())
    }
}
