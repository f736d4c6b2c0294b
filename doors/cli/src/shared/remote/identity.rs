//! The certificate and the key that a client presents to servers.

use std::path::Path;

use tagwise_crypto::Secret;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::Credentials;
use crate::shared::keys::{private_key_of, refused};
use crate::shared::output::Failure;
use crate::shared::passphrase::PassphraseArgs;

/// A client's certificates and private key.
pub(crate) struct Identity {
    /// The certificates in DER; the client's own is the first.
    pub(super) chain: Vec<Vec<u8>>,
    /// The key in PKCS #8.
    key: Secret,
}

impl Identity {
    /// Reads the certificates, and the key, which may be in the same file.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or has no certificate or no private key.
    pub(super) fn read(
        context: &Context,
        certificate: &Path,
        key: Option<&Path>,
        passphrase: Option<&Path>,
    ) -> Result<Self, Failure> {
        let (first, mut chain) = Credentials::leading(context, certificate)?;
        chain.insert(0, first);
        let path = key.unwrap_or(certificate);
        let passphrase = PassphraseArgs::named_by("--client-passphrase-file", passphrase);
        let key = private_key_of(context, EMBEDDED, path, &passphrase)?;
        Ok(Self { chain, key: key.to_pkcs8().map_err(|error| refused(&error))? })
    }

    pub(super) fn key(&self) -> &[u8] {
        self.key.expose()
    }
}
