//! Opens PKCS #12 files without a password, with an empty password, or with the user's password.

use tagwise_crypto::Secret;
use tagwise_crypto::pkcs12::{Password, is_password, open};
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{CostLimits, Opened};

use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;

/// The passwords to try.
pub(crate) struct Keystores {
    passwords: Vec<Password>,
    /// The option for the passphrase.
    option: &'static str,
}

impl Keystores {
    /// Creates the list of passwords to try: no password, the empty password, and the given passphrase. The first two are
    /// always tried.
    ///
    /// # Errors
    /// Returns an error if the passphrase is not UTF-8.
    pub(crate) fn new(passphrase: Option<Secret>) -> Result<Self, Failure> {
        let mut passwords = Vec::new();
        if let Some(passphrase) = passphrase {
            let password = Password::from_utf8(passphrase.expose());
            passwords.push(password.map_err(|error| Failure::usage(format!("the passphrase: {error}")))?);
        }
        passwords.push(Password::absent());
        Ok(Self { passwords, option: "--passphrase-file" })
    }

    /// Names another option for the passphrase in errors.
    pub(crate) fn named_by(self, option: &'static str) -> Self {
        Self { option, ..self }
    }

    /// Opens a PKCS #12 file and returns its certificates and CRLs.
    ///
    /// # Errors
    /// Returns a description if the file cannot be opened.
    pub(crate) fn open(&self, file: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let opened = self.opened(file)?;
        let wanted = |kind| matches!(kind, BundleKind::Certificate | BundleKind::CertificateList);
        let items = opened.items().filter(|item| wanted(item.kind));
        Ok(items.map(|item| item.octets.to_vec()).collect())
    }

    /// Opens a PKCS #12 file, and verifies its MAC.
    ///
    /// # Errors
    /// Returns a description if the file cannot be opened.
    pub(crate) fn opened(&self, file: &[u8]) -> Result<Opened, String> {
        for password in &self.passwords {
            match open(EMBEDDED, file, password, CostLimits::DEFAULT) {
                Ok(opened) => return Ok(opened),
                Err(error) if is_password(&error) => {}
                Err(error) => return Err(visible(&error).to_string()),
            }
        }
        Err(match self.passwords.len() {
            1 => format!("a password is required: give {} FILE", self.option),
            _ => "wrong passphrase".to_owned(),
        })
    }
}
