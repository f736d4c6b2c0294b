//! Kerberos for one machine, without a domain.
//!
//! MIT's KDC runs on this machine alone. Users of the operating system get tickets with the password of the machine: the KDC has it
//! checked as a one-time password (RFC 6560), by RADIUS over a UNIX socket, and [`radius::Server`] asks a [check](check::Check): PAM, a
//! token (HOTP or TOTP), or a program of one's own.
//!
//! The same library is the shared object that the KDC loads. It holds the driver of the KDC's database, over MIT's own: users of the system
//! become principals when they are asked for, addresses of the machine become services, and the [`policy`] says who may act for whom. Its
//! module `localkdc` of the interface `audit` writes [records](audit), and its modules `localkdc_otp` can stand in for MIT's `otp`, on the KDC's
//! side and the client's.
//!
//! ```no_run
//! use std::path::Path;
//! use tagwise_localkdc::check::ProgramCheck;
//! use tagwise_localkdc::radius::{Server, ServerLimits};
//!
//! let check = ProgramCheck::new("/usr/libexec/localkdc-pam-check", ["localkdc"]);
//! let listener = tagwise_localkdc::process::listen(Path::new("/run/localkdc/radius.sock"))?;
//! Server::new(Box::new(check), ServerLimits::default()).serve(&listener)?;
//! # Ok::<(), std::io::Error>(())
//! ```
#![deny(unsafe_code)]
#![cfg(target_os = "linux")]

pub mod audit;
pub mod check;
pub mod daemon;
mod limit;
mod log;
mod otp;
mod plugin;
pub mod policy;
pub mod process;
pub mod radius;
mod seal;
pub mod setup;
pub mod users;

pub use limit::{Limiter, Permit};
