//! Kerberos for a single machine, without a domain. The library is internal to Tagwise, and its API may change in any
//! release.
//!
//! It runs MIT's KDC for the local machine only. System users obtain tickets with their local password. The KDC treats the password as a
//! one-time password (RFC 6560), and sends it over RADIUS on a UNIX socket to [`radius::Server`]. The server delegates to a
//! [check](check::Check): PAM, a token (HOTP or TOTP), or a custom program.
//!
//! The library is also the shared object that the KDC loads. It contains the KDC's database driver, which extends MIT's
//! own: system users become principals on demand, the machine's addresses become services, and the [`policy`] defines
//! delegation. Its audit module `localkdc` writes [records](audit), and its `localkdc_otp` modules can replace MIT's `otp`
//! on the KDC and client side.
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
