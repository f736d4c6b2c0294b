//! PKCS #12 files opened with no password, an empty one, or the one that the user names.

use tagwise_crypto::Secret;
use tagwise_crypto::pkcs12::{Password, is_password, open};
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::CostLimits;

use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;

/// The passwords to try.
pub(crate) struct Keystores(Vec<Password>);

impl Keystores {
    /// No password and an empty one, which are tried in any case, and another one.
    ///
    /// # Errors
    /// A passphrase that is not UTF-8.
    pub(crate) fn new(passphrase: Option<Secret>) -> Result<Self, Failure> {
        let mut passwords = Vec::new();
        if let Some(passphrase) = passphrase {
            let password = Password::from_utf8(passphrase.expose());
            passwords.push(password.map_err(|error| Failure::usage(format!("the passphrase: {error}")))?);
        }
        passwords.push(Password::absent());
        Ok(Self(passwords))
    }

    /// The certificates and CRLs of a PKCS #12 file.
    ///
    /// # Errors
    /// Why it does not open, in words.
    pub(crate) fn open(&self, file: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        for password in &self.0 {
            match open(EMBEDDED, file, password, CostLimits::DEFAULT) {
                Ok(opened) => {
                    let wanted = |kind| matches!(kind, BundleKind::Certificate | BundleKind::CertificateList);
                    let items = opened.items().filter(|item| wanted(item.kind));
                    return Ok(items.map(|item| item.octets.to_vec()).collect());
                }
                Err(error) if is_password(&error) => {}
                Err(error) => return Err(visible(&error).to_string()),
            }
        }
        Err(match self.0.len() {
            1 => "a password is needed: give --passphrase-file FILE".to_owned(),
            _ => "wrong passphrase".to_owned(),
        })
    }
}
