//! What the tables drive.

pub(crate) mod locate;
