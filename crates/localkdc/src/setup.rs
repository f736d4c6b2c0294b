//! Setting a local KDC up, looking at it, and taking it away again.
//!
//! [`Setup::plan`] says what would be made and touches nothing. [`Plan::apply`] makes it, and writes first into a manifest what it is
//! about to make: [`teardown`] removes that and nothing else, also after a setup that was cut short. A second setup changes nothing that
//! is as it should be. [`rotate`] replaces keys.

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
pub use status::{Part, Status, status};
pub use teardown::{Removal, teardown};
