//! Users and groups of a host by varlink: the interface `io.systemd.UserDatabase`, as a client and as a service.
//!
//! A host with systemd has one socket that answers for all its sources of users (`/etc/passwd`, systemd-homed, drop-in files, other
//! services): the multiplexer. [`blocking::Client`] and [`Client`] ask it, or any single service, and check what they are told before
//! a program sees it. [`blocking::find_user`] also knows hosts where no such service runs. [`serve`] makes a service of your own.
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
//! # What is believed
//!
//! A service is another process, perhaps somebody else's. [`Budget`] bounds how long it may take, and how many bytes and records it
//! may send. A record must have a name that can be one, numbers that can be a user's, and be the answer to what was asked. Nothing is
//! trusted beyond that: who may put a socket into `/run/systemd/userdb` decides who is a user of this host.
//!
//! Passwords' hashes and the like stand in the section `privileged` of a record, which services give to those alone who may see it.
//! [`Sealed`] keeps it out of `Debug` and out of [`UserRecord::public`].
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
