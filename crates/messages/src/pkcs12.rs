//! PKCS #12 (RFC 7292): keys and certificates in one file, under a password or in the clear.
//!
//! Types made from the schema; [`Store`] opens a file, with the cryptography behind one seam, [`Protection`]. What stands in the
//! clear is in [`Bundle`](crate::Bundle) without any of it. Files are written by `tagwise-build`.

mod cost;
mod protection;
mod secret;
mod store;

pub use crate::r#gen::pkcs12::*;
pub use cost::{Cost, CostBudget, CostLimits};
pub use protection::{MacParameters, Protection};
pub use secret::SecretKey;
pub use store::{Integrity, OpenError, Opened, Store, Unreadable};
