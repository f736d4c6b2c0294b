//! MIT Kerberos plugin interfaces in safe Rust.
//!
//! A module is a type that implements its interface's trait. [`krb5_plugin!`] exports the functions by which MIT's
//! libraries find it. A shared object may contain several modules. The plugin's crate is a `cdylib`:
//!
//! ```
//! use std::ffi::CStr;
//! use tagwise_krb5_plugin::pwqual::{Check, Pwqual};
//! use tagwise_krb5_plugin::view::Context;
//! use tagwise_krb5_plugin::{Error, Result, codes, krb5_plugin};
//!
//! struct NoNames;
//!
//! impl Pwqual for NoNames {
//!     fn open(_: &Context<'_>, _: Option<&CStr>) -> Result<Self> {
//!         Ok(Self)
//!     }
//!
//!     fn check(&self, _: &Context<'_>, check: &Check<'_>) -> Result<()> {
//!         let name = check.princ.components().next().unwrap_or_default();
//!         match check.password.to_bytes() == name {
//!             true => Err(Error::new(codes::KADM5_PASS_Q_GENERIC, "the password is the name")),
//!             false => Ok(()),
//!         }
//!     }
//! }
//!
//! krb5_plugin! { pwqual "nonames" => NoNames }
//! ```
//!
//! # Guarantees
//!
//! - Method tables are filled only up to the minor version that the host requests.
//! - Panics are caught at the interface. The host receives an error, which denies the request, and continues.
//! - [Views](view) of the host's data cannot outlive the call, and expose no pointers.
//! - State is a Rust value, created by the module's first method and dropped after its last, even if both panic.
//! - Code 0 is never an error, and an error is never success.
//!
//! Methods run on the host's thread. A blocking method prevents a single-threaded KDC from serving other clients.
//! Preauthentication can [wait](kdcpreauth::Pending) in the KDC's event loop instead.

mod error;
#[allow(unsafe_code, reason = "the calls of C arrive here; each block has its reason")]
mod ffi;
mod flags;
#[allow(unsafe_code, reason = "structures of C are read and made here; each block has its reason")]
mod host;
mod plugin;

pub mod audit;
pub mod ccselect;
pub mod certauth;
pub mod clpreauth;
pub mod hostrealm;
pub mod kadm5_auth;
pub mod kadm5_hook;
pub mod kdb;
pub mod kdcpolicy;
pub mod kdcpreauth;
pub mod localauth;
pub mod pwqual;
pub mod view;

#[doc(hidden)]
pub use ffi::private as __private;

pub use error::{Error, Result};
pub use tagwise_krb5::Principal;
pub use tagwise_krb5_plugin_sys::codes;
