//! Kerberos GSS-API (RFC 4121) and its negotiation (SPNEGO, RFC 4178), without I/O.
//!
//! An [`Initiator`] uses a ticket for the service, and an [`Acceptor`] uses the service's keytab. Each processes the
//! other's tokens and returns the next one to send. The result is a [`Context`], which signs and encrypts messages.
//! [`spnego`] wraps both for protocols with negotiation.
//!
//! The encryption types of RFC 4121 are supported. Triple DES and RC4, which use RFC 1964 tokens, are rejected with an
//! error that names them, as are user-to-user and DCE-style contexts.
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
pub use in_place::{Ends, MessagePart, UnwrappedInPlace};
pub use initiator::{Initiator, InitiatorOptions};
pub use replay::ReplayCache;
pub use sequence::Order;
pub use service_keys::ServiceKeys;
