//! Established contexts.

use core::fmt;

use tagwise_crypto::{Backend, Secret};
use tagwise_pkix::UnixTime;

use crate::Principal;

use super::per_message::Keyed;
use super::sequence::Window;
use super::{Flags, GssError, Order};

/// An established context, which signs and encrypts messages.
#[derive(Clone, Debug)]
pub struct Context<'b> {
    pub(super) backend: &'b dyn Backend,
    pub(super) keyed: Keyed,
    pub(super) is_acceptor: bool,
    pub(super) flags: Flags,
    pub(super) client: Principal,
    pub(super) service: Principal,
    pub(super) expires: UnixTime,
    /// The sequence number of the next message to send.
    pub(super) send: u64,
    pub(super) received: Window,
}

/// An unwrapped message.
#[derive(Clone)]
pub struct Unwrapped {
    /// The message.
    pub data: Secret,
    /// True if it was encrypted.
    pub sealed: bool,
    /// The message's position in the peer's sequence.
    pub order: Order,
}

impl fmt::Debug for Unwrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unwrapped({} bytes, sealed: {}, {:?})", self.data.len(), self.sealed, self.order)
    }
}

impl Context<'_> {
    /// Returns the client's principal.
    #[must_use]
    pub const fn client(&self) -> &Principal {
        &self.client
    }

    /// Returns the service's principal.
    #[must_use]
    pub const fn service(&self) -> &Principal {
        &self.service
    }

    /// Returns the flags set by the initiator.
    #[must_use]
    pub const fn flags(&self) -> Flags {
        self.flags
    }

    /// Returns the ticket's expiration time. The context does not check it.
    #[must_use]
    pub const fn expires(&self) -> UnixTime {
        self.expires
    }

    /// Returns whether this is the acceptor's side of the context.
    #[must_use]
    pub const fn is_acceptor(&self) -> bool {
        self.is_acceptor
    }

    /// Wraps a message in a token. The message is encrypted if `sealed` is set, and otherwise only protected by a checksum.
    ///
    /// # Errors
    /// Returns [`GssError::Crypto`] if encryption or signing fails.
    pub fn wrap(&mut self, data: &[u8], sealed: bool) -> Result<Vec<u8>, GssError> {
        let token = self.keyed.wrap(self.backend, self.is_acceptor, self.send, data, sealed)?;
        self.send = self.send.wrapping_add(1);
        Ok(token)
    }

    /// Verifies the peer's token and returns its message. A replay is an error. Gaps and late messages are reported in
    /// [`Unwrapped::order`] for the application to evaluate.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the token is invalid.
    pub fn unwrap(&mut self, token: &[u8]) -> Result<Unwrapped, GssError> {
        let opened = self.keyed.unwrap(self.backend, !self.is_acceptor, token)?;
        let order = self.received.take(opened.sequence).ok_or(GssError::Replay)?;
        Ok(Unwrapped { data: opened.data, sealed: opened.sealed, order })
    }

    /// Signs a message with a detached token (MIC).
    ///
    /// # Errors
    /// Returns [`GssError::Crypto`] if signing fails.
    pub fn mic(&mut self, data: &[u8]) -> Result<Vec<u8>, GssError> {
        let token = self.keyed.mic(self.backend, self.is_acceptor, self.send, data)?;
        self.send = self.send.wrapping_add(1);
        Ok(token)
    }

    /// Verifies the peer's MIC and returns the message's sequence position. A replay is an error.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the token is invalid.
    pub fn verify_mic(&mut self, data: &[u8], token: &[u8]) -> Result<Order, GssError> {
        let sequence = self.keyed.verify(self.backend, !self.is_acceptor, token, data)?;
        self.received.take(sequence).ok_or(GssError::Replay)
    }
}
