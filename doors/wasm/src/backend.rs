//! The cryptographic backend.

use tagwise_crypto::backends::PureRust;

/// The backend of the module.
pub(crate) static BACKEND: PureRust = PureRust::new();
