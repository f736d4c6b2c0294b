//! The contents of a message, document or program, and its signers.

use tagwise_crypto::Secret;

use super::document::{Finding, Headers, Signer};

/// The contents of a file and its signers.
pub(super) struct Outcome {
    pub(super) content_type: String,
    /// The content of the innermost layer.
    pub(super) content: Secret,
    /// Set if some of it was encrypted.
    pub(super) secret: bool,
    pub(super) signers: Vec<Signer>,
    pub(super) layers: Vec<&'static str>,
    pub(super) headers: Option<Headers>,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
}
