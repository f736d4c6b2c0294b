//! Kerberos for one machine, without a domain.
//!
//! MIT's KDC runs on this machine alone. Users of the operating system get tickets with the password of the machine: the KDC has it
//! checked as a one-time password (RFC 6560), by RADIUS over a UNIX socket, and [`radius::Server`] asks a [check](check::Check): PAM, a
//! token (HOTP or TOTP), or a program of one's own.
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
#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

pub mod check;
pub mod daemon;
mod limit;
mod log;
pub mod policy;
pub mod process;
pub mod radius;

pub use limit::{Limiter, Permit};
