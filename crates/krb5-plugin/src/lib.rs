//! MIT Kerberos' plugin interfaces in safe Rust.
//!
//! A module is a type that implements the trait of its interface. [`krb5_plugin!`] makes the function by which MIT's libraries find
//! it; many modules can be in one shared object. The crate of the plugin is a `cdylib`:
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
//! # What holds
//!
//! - A method table gets the fields of the minor version that the host asks for, and nothing behind them.
//! - A panic ends at the interface: the host sees an error, which denies, and goes on.
//! - [Views](view) of what the host lends end with the call, and none shows a pointer.
//! - State is a Rust value: made by the module's first method, dropped after its last, even if both panic.
//! - A code of 0 is never an error, and an error never success.
//!
//! A method runs in the host's thread. One that sleeps keeps a KDC, which has one thread, from answering others; preauthentication can
//! [wait](kdcpreauth::Pending) in the KDC's event loop instead.

mod error;
#[allow(unsafe_code, reason = "the calls of C arrive here; each block has its reason")]
mod ffi;
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
