//! GSS-API with Kerberos (RFC 4121) and its negotiation (SPNEGO, RFC 4178): contexts without sockets.
//!
//! An [`Initiator`] has a ticket for the service, an [`Acceptor`] the service's keytab. Each is given the other's tokens and says what to
//! send; what is established is a [`Context`], which seals and signs messages. [`spnego`] wraps both for protocols that negotiate.
//!
//! Encryption types of RFC 4121 are supported; Triple DES and RC4, whose tokens are those of RFC 1964, are refused by name. So are user
//! to user and DCE-style contexts.
//!
//! ```
//! use tagwise_krb5::gss::{Flags, Order};
//! let flags = Flags::MUTUAL | Flags::REPLAY;
//! assert!(flags.contains(Flags::MUTUAL) && !flags.contains(Flags::DELEGATION));
//! assert_ne!(Order::InOrder, Order::Gap);
//! ```

mod acceptor;
mod bindings;
mod checksum;
mod context;
mod credentials;
mod error;
mod export;
mod in_place;
mod initiator;
mod per_message;
mod replay;
mod sequence;
mod service_keys;
pub mod spnego;
mod token;

pub use acceptor::{Accepted, Acceptor, AcceptorOptions};
pub use bindings::{Address, ChannelBindings};
pub use checksum::Flags;
pub use context::{Context, Unwrapped};
pub use error::GssError;
pub use in_place::{Ends, Part, UnwrappedInPlace};
pub use initiator::{Initiator, InitiatorOptions};
pub use replay::ReplayCache;
pub use sequence::Order;
pub use service_keys::ServiceKeys;
