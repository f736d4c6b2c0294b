//! Determines whether output is secret, for all commands that write files.

use tagwise_input::{WrappedValue, secret};

/// The secrecy of a file's content. A secret file is accessible only to its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Readable by anyone.
    Public,
    /// Contains a private key or decrypted content.
    Secret,
}

impl Secrecy {
    /// Determines from their content whether bytes are secret, whatever their encoding (PEM, base64, JWK, …).
    pub(crate) fn of(octets: &[u8]) -> Self {
        if secret::is_secret(octets) || tagwise_keys::holds_secret(octets) { Self::Secret } else { Self::Public }
    }

    /// Determines the secrecy of output that is created from the given values.
    pub(crate) fn of_values(values: &[WrappedValue]) -> Self {
        let is_foreign = || values.iter().any(|value| tagwise_keys::holds_secret(&value.octets));
        if secret::is_secret_among(values) || is_foreign() { Self::Secret } else { Self::Public }
    }
}
