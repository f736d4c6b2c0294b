//! A certificate authority as a service: one configuration file for ACME, EST, SCEP, CMP, OCSP, CRLs and time
//! stamps, with TLS, health checks, metrics, logs, reload and graceful shutdown.
//!
//! [`check`] finds all errors of a configuration, and [`run`] runs the services until a signal or a [`Command`] stops
//! them. TLS certificates come from the CA itself, and are renewed before they expire. Several servers can share a
//! PostgreSQL database.
//!
//! [`IdentityIssuer`] issues the certificates, and [`LogFiles`] opens a CA's Merkle Tree Certificate log. Everything else
//! requires UNIX.
//!
//! The crate is internal to Tagwise: its API may change in any release.
#![forbid(unsafe_code)]

#[cfg(unix)]
pub mod admin;
#[cfg(unix)]
mod check;
mod config;
#[cfg(unix)]
mod enroll;
mod identity;
#[cfg(unix)]
mod listeners;
#[cfg(unix)]
mod log;
#[cfg(unix)]
mod metrics;
mod mtc;
#[cfg(unix)]
mod notify;
#[cfg(unix)]
mod parts;
#[cfg(unix)]
mod plan;
#[cfg(unix)]
mod reply;
#[cfg(unix)]
mod router;
#[cfg(unix)]
mod run;

#[cfg(unix)]
pub use admin::Command;
#[cfg(unix)]
pub use check::check;
pub use config::{
    AdminConfig, CaConfig, CmpConfig, Config, CrlConfig, EstConfig, ListenConfig, LogConfig, LogFormat, MetricsConfig,
    OcspConfig, Problem, Problems, ScepConfig, ServiceName, TlsClients, TlsConfig, TspConfig,
};
pub use identity::{Identity, IdentityIssuer};
#[cfg(unix)]
pub use log::Sink;
pub use mtc::{CaLog, LogFiles};
#[cfg(unix)]
pub use parts::{Parts, Profiles};
#[cfg(unix)]
pub use run::{Failure, Options, Started, run};
