//! A host's users and groups through varlink: a client and service for `io.systemd.UserDatabase`.
//!
//! On a host with systemd, a single socket (the multiplexer) provides the users from all sources: `/etc/passwd`,
//! systemd-homed, drop-in files and other services. [`blocking::Client`] and [`Client`] query it, or any single service,
//! and validate its answers. [`blocking::find_user`] also works on hosts without such a service. [`serve`] implements a
//! service.
//!
//! ```no_run
//! use tagwise_userdb::{UserQuery, blocking};
//!
//! let mut client = blocking::Client::multiplexer()?;
//! let user = client.user(&UserQuery::name("ann"))?;
//! println!("{} has the number {:?} and lives in {:?}", user.user_name, user.uid, user.home_directory);
//! for membership in client.memberships(&tagwise_userdb::MembershipQuery::user("ann"))? {
//!     println!("member of {}", membership.group_name);
//! }
//! # Ok::<(), tagwise_userdb::Error>(())
//! ```
//!
//! # Trust model
//!
//! A service is another process and may be untrusted. [`Budget`] limits its time, bytes and records. A record must match the query and
//! contain a valid name, UID and GID. Nothing else is verified: whoever can add a socket to `/run/systemd/userdb` controls the set of
//! users on this host.
//!
//! Password hashes and similar data are in a record's section `privileged`, which services send only to authorized callers.
//! [`Sealed`] hides it from `Debug` and [`UserRecord::public`].
#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

pub mod blocking;
mod bounded;
mod budget;
mod client;
mod error;
mod names;
pub mod nss;
mod query;
mod record;
mod service;
mod wire;

pub use budget::Budget;
pub use client::{Client, DIRECTORY, MULTIPLEXER};
pub use error::{Error, ServiceError};
pub use query::{Disposition, Filter, GroupQuery, MembershipQuery, UserQuery};
pub use record::{GroupRecord, Membership, Sealed, UserRecord};
pub use service::{Peer, Provider, Service, serve};
