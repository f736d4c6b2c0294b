//! A sans-I/O client: exchanges receive replies and return the next message to send.
//!
//! [`AsExchange`] obtains initial tickets, [`TgsExchange`] obtains service tickets, and [`PasswordChange`] changes
//! passwords. [`net`] runs these exchanges over UDP, TCP, UNIX sockets and HTTPS.
//!
//! Replies are trusted only as far as a key authenticates them. Every reply is checked against its request (nonce, names,
//! checksums of FAST and RFC 6806 §11). An unauthenticated error never makes the client use a weaker method than it allows.

mod ap;
mod armor;
mod as_exchange;
mod as_options;
mod as_reply;
mod body;
mod error;
mod kpasswd;
pub mod net;
mod otp;
#[cfg(feature = "pkinit")]
mod pkinit;
mod preauth;
mod route;
mod s4u;
mod tgs;

pub(crate) use ap::ApRequest;
pub use as_exchange::AsExchange;
pub use as_options::{AsOptions, Login, PreauthMethod};
pub use error::{ClientError, KdcError};
pub use kpasswd::{PasswordChange, PasswordResult};
pub use otp::OneTimePassword;
#[cfg(feature = "pkinit")]
pub use pkinit::{Identity, KdcTrust, KdcUsage, Pkinit};
pub use s4u::Impersonation;
pub use tgs::{TgsExchange, TgsOptions};

use tagwise_pkix::UnixTime;

use crate::Credential;

/// A point in time according to the client's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The whole seconds.
    pub unix: UnixTime,
    /// The microseconds, below 1,000,000.
    pub micros: u32,
}

impl Moment {
    /// Returns the current time from the system clock.
    #[must_use]
    pub fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self { unix: UnixTime::EPOCH.saturating_add(since), micros: since.subsec_micros() }
    }

    /// Returns this moment according to another clock, which is ahead by the given number of seconds.
    #[must_use]
    pub const fn by_clock(self, ahead_seconds: i64) -> Self {
        Self { unix: UnixTime(self.unix.0.saturating_add(ahead_seconds)), micros: self.micros }
    }
}

/// The next step of an exchange.
#[derive(Debug)]
pub enum Step {
    /// Send a message to a KDC of a realm, and process its reply.
    Send {
        /// The realm.
        realm: String,
        /// The message.
        message: Vec<u8>,
        /// True to use TCP because the reply does not fit into a UDP datagram.
        tcp: bool,
    },
    /// The exchange is complete.
    Done(Box<Credential>),
}
