//! The backends that are built in, each a feature.

#[cfg(feature = "aws-lc")]
mod awslc;

#[cfg(feature = "aws-lc")]
pub use awslc::AwsLc;
