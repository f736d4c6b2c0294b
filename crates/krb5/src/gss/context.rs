//! Established contexts.

use core::fmt;

use tagwise_crypto::{Backend, Secret};
use tagwise_pkix::UnixTime;

use crate::Principal;

use super::per_message::Keyed;
use super::sequence::Window;
use super::{Flags, GssError, Order};

/// A context that both sides agree on: it signs and seals messages.
#[derive(Clone, Debug)]
pub struct Context<'b> {
    pub(super) backend: &'b dyn Backend,
    pub(super) keyed: Keyed,
    pub(super) is_acceptor: bool,
    pub(super) flags: Flags,
    pub(super) client: Principal,
    pub(super) service: Principal,
    pub(super) expires: UnixTime,
    /// The number of the next message that is sent.
    pub(super) send: u64,
    pub(super) received: Window,
}

/// A message that was unwrapped.
#[derive(Clone)]
pub struct Unwrapped {
    /// The message.
    pub data: Secret,
    /// `true` if it was encrypted.
    pub sealed: bool,
    /// Its place among the peer's messages.
    pub order: Order,
}

impl fmt::Debug for Unwrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unwrapped({} bytes, sealed: {}, {:?})", self.data.len(), self.sealed, self.order)
    }
}

impl Context<'_> {
    /// The client's principal.
    #[must_use]
    pub const fn client(&self) -> &Principal {
        &self.client
    }

    /// The service's principal.
    #[must_use]
    pub const fn service(&self) -> &Principal {
        &self.service
    }

    /// The flags that the initiator set.
    #[must_use]
    pub const fn flags(&self) -> Flags {
        self.flags
    }

    /// The time at which the ticket expires. The context does not look at a clock.
    #[must_use]
    pub const fn expires(&self) -> UnixTime {
        self.expires
    }

    /// Returns whether this is the acceptor's side.
    #[must_use]
    pub const fn is_acceptor(&self) -> bool {
        self.is_acceptor
    }

    /// Makes a token of a message: encrypted if `sealed`, else with a checksum alone.
    ///
    /// # Errors
    /// [`GssError::Crypto`].
    pub fn wrap(&mut self, data: &[u8], sealed: bool) -> Result<Vec<u8>, GssError> {
        let token = self.keyed.wrap(self.backend, self.is_acceptor, self.send, data, sealed)?;
        self.send = self.send.wrapping_add(1);
        Ok(token)
    }

    /// Checks a token of the peer and gives its message. One that comes twice is an error; gaps and late messages are told in
    /// [`Unwrapped::order`], for the application to judge.
    ///
    /// # Errors
    /// [`GssError`].
    pub fn unwrap(&mut self, token: &[u8]) -> Result<Unwrapped, GssError> {
        let opened = self.keyed.unwrap(self.backend, !self.is_acceptor, token)?;
        let order = self.received.take(opened.sequence).ok_or(GssError::Replay)?;
        Ok(Unwrapped { data: opened.data, sealed: opened.sealed, order })
    }

    /// Signs a message: a token that goes beside it.
    ///
    /// # Errors
    /// [`GssError::Crypto`].
    pub fn mic(&mut self, data: &[u8]) -> Result<Vec<u8>, GssError> {
        let token = self.keyed.mic(self.backend, self.is_acceptor, self.send, data)?;
        self.send = self.send.wrapping_add(1);
        Ok(token)
    }

    /// Checks the peer's signature of a message; gives the message's place. One that comes twice is an error.
    ///
    /// # Errors
    /// [`GssError`].
    pub fn verify_mic(&mut self, data: &[u8], token: &[u8]) -> Result<Order, GssError> {
        let sequence = self.keyed.verify(self.backend, !self.is_acceptor, token, data)?;
        self.received.take(sequence).ok_or(GssError::Replay)
    }
}
