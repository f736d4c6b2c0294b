//! The secrecy of output: the one answer for all commands that write files.

use tagwise_input::{Value, secret};

/// The secrecy of a file's content: a secret file is for its owner only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Anyone may read it.
    Public,
    /// A private key, or decrypted content.
    Secret,
}

impl Secrecy {
    /// The secrecy of bytes in any wrapping, found by looking.
    pub(crate) fn of(octets: &[u8]) -> Self {
        if secret::is_secret(octets) { Self::Secret } else { Self::Public }
    }

    /// The secrecy of what is made of these values.
    pub(crate) fn of_values(values: &[Value]) -> Self {
        if secret::is_secret_among(values) { Self::Secret } else { Self::Public }
    }
}
