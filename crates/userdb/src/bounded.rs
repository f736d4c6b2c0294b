//! A socket that reads no more than it may.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zlink::connection::PassedCredentials;
use zlink::connection::socket::{ReadHalf, ReadResult, Socket, WriteHalf};

/// The bytes that a socket may still read. It is shared with whoever renews it.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    /// So many bytes from now on.
    pub(crate) fn renew(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn spend(&self, bytes: usize) -> zlink::Result<()> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes).ok_or(zlink::Error::BufferOverflow)?;
        self.renew(left);
        Ok(())
    }
}

/// A socket with an allowance of bytes to read. More than that is an error.
#[derive(Debug)]
pub(crate) struct Bounded<S> {
    pub(crate) socket: S,
    pub(crate) allowance: Allowance,
}

impl<S: Socket> Socket for Bounded<S> {
    type ReadHalf = Read<S::ReadHalf>;
    type WriteHalf = Write<S::WriteHalf>;

    fn split(self) -> (Self::ReadHalf, Self::WriteHalf) {
        let (inner, write) = self.socket.split();
        (Read { inner, allowance: self.allowance }, Write(write))
    }
}

/// Its reading half.
#[derive(Debug)]
pub(crate) struct Read<R> {
    inner: R,
    allowance: Allowance,
}

impl<R: ReadHalf> ReadHalf for Read<R> {
    async fn read(&mut self, buffer: &mut [u8]) -> zlink::Result<ReadResult> {
        let result = self.inner.read(buffer).await?;
        self.allowance.spend(result.bytes_read())?;
        Ok(result)
    }
}

/// Its writing half.
#[derive(Debug)]
pub(crate) struct Write<W>(W);

impl<W: WriteHalf> WriteHalf for Write<W> {
    async fn write(
        &mut self,
        buffer: &[u8],
        descriptors: &[impl AsFd],
        credentials: Option<&PassedCredentials>,
    ) -> zlink::Result<()> {
        self.0.write(buffer, descriptors, credentials).await
    }
}
