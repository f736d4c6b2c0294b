//! Setup, status and removal of a local KDC.
//!
//! [`Setup::plan`] lists the changes without making any. [`Plan::apply`] first records each change in a manifest and then
//! makes it, so that [`teardown`] removes exactly those, even after an interrupted setup. A repeated setup changes only
//! what differs. [`rotate`] replaces keys.

mod database;
mod error;
mod files;
mod layout;
mod manifest;
mod pki;
mod plan;
mod programs;
mod realm;
mod rotate;
mod status;
mod teardown;

pub use error::SetupError;
pub use layout::Layout;
pub use plan::{Change, Plan, Setup, Step};
pub use rotate::{Action, Rotation, Turn, rotate};
pub use status::{SetupPart, Status, status};
pub use teardown::{Removal, teardown};
