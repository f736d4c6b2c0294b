//! PKCS #12 (RFC 7292): keys and certificates in one file, with or without password protection.
//!
//! The types are generated from the schema. [`Store`] opens a file, with cryptography provided by a [`Protection`].
//! [`Bundle`](crate::Bundle) reads unencrypted contents without it. To write files, use `tagwise-build`.

mod cost;
mod protection;
mod secret;
mod store;

pub use crate::r#gen::pkcs12::*;
pub use cost::{Cost, CostBudget, CostLimits};
pub use protection::{MacParameters, Protection};
pub use secret::SecretKey;
pub use store::{Integrity, OpenError, Opened, Store, Unreadable};
