//! PKCS #12 files and their keys.

use std::path::Path;

use tagwise_crypto::pkcs12::{Password, is_password, open_with_others};
use tagwise_crypto::{PasswordOptions, PrivateKeyInfo, Secret, decrypt_key, decryption_cost};
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{CostLimits, Integrity, Opened};

use crate::shared::backend::{Chosen, EMBEDDED};
use crate::shared::context::Context;
use crate::shared::credentials::{certificate, negative};
use crate::shared::found_key::{self, Found, Key, Keys, Locked};
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;

/// Opens a file without a passphrase, with a given one, or with one from a prompt. Also returns all passphrases, because keys may have
/// different ones than the file.
///
/// # Errors
/// Returns an error if the file is malformed, or a passphrase is missing or wrong.
pub(crate) fn open(path: &Path, octets: &[u8], passphrase: &PassphraseArgs) -> Result<(Opened, Vec<Secret>), Failure> {
    let open = |password: &Password, others: &[Password]| {
        open_with_others(EMBEDDED, octets, password, others, CostLimits::DEFAULT)
    };
    let mut passwords = passphrase.all()?;
    if passwords.is_empty() {
        // No prompt if no passphrase is needed.
        match open(&Password::absent(), &[]) {
            Ok(opened) => return Ok((opened, passwords)),
            Err(error) if is_password(&error) => passwords.push(passphrase.of(&name_of(path))?),
            Err(error) => return Err(negative(path, &error)),
        }
    }
    let mut last = None;
    let each = passwords.iter().map(|password| Password::from_utf8(password.expose()));
    let each = each.collect::<Result<Vec<_>, _>>().map_err(|error| negative(path, &error))?;
    for (at, password) in each.iter().enumerate() {
        let mut others = each.clone();
        others.remove(at);
        match open(password, &others) {
            Ok(opened) => return Ok((opened, passwords)),
            Err(error) if is_password(&error) => last = Some(negative(path, &error)),
            Err(error) => return Err(negative(path, &error)),
        }
    }
    Err(last.unwrap_or_else(|| Failure::negative("a passphrase is required")))
}

/// Decrypts keys whose passphrase differs from the file's, using the given passphrases.
pub(crate) struct Unlock {
    passwords: Vec<Secret>,
    /// The options, with a shared budget for all keys.
    options: PasswordOptions,
    /// The number of keys that were decrypted.
    unlocked: usize,
}

impl Unlock {
    pub(crate) const fn new(passwords: Vec<Secret>) -> Self {
        Self { passwords, options: PasswordOptions::DEFAULT, unlocked: 0 }
    }

    /// Decrypts an EncryptedPrivateKeyInfo. Returns `None` if no passphrase decrypts it.
    pub(crate) fn key(&mut self, der: &[u8]) -> Option<PrivateKeyInfo> {
        let cost = u32::try_from(decryption_cost(der)).unwrap_or(u32::MAX);
        for password in &self.passwords {
            let read = decrypt_key(EMBEDDED, der, password.expose(), &self.options);
            self.options.max_iterations = self.options.max_iterations.saturating_sub(cost);
            if let Ok(info) = read {
                self.unlocked += 1;
                return Some(info);
            }
        }
        None
    }

    /// Returns whether every item that the file's passphrase could not decrypt is a key that has since been decrypted.
    pub(crate) fn is_complete(&self, opened: &Opened) -> bool {
        let keys = opened.items().filter(|item| item.kind == BundleKind::EncryptedPrivateKey).count();
        self.unlocked == keys && opened.unreadable().len() == keys
    }
}

/// Returns the reason why the integrity of a file was not checked.
pub(crate) const fn unchecked(integrity: Integrity) -> Option<&'static str> {
    match integrity {
        Integrity::Verified => None,
        Integrity::Absent => Some("no MAC, so its integrity cannot be checked"),
        Integrity::Signed => Some("signed instead of protected with a MAC; the signature is not verified"),
    }
}

/// Returns the keys in a file, and the public keys of its certificates.
///
/// # Errors
/// Returns an error if the file or one of its keys is malformed, or a passphrase is missing or wrong.
pub(crate) fn keys(
    context: &Context,
    backend: Chosen,
    path: &Path,
    octets: &[u8],
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Keys, Failure> {
    let (opened, passwords) = open(path, octets, passphrase)?;
    let mut unlock = Unlock::new(passwords);
    let mut keys = Keys { unchecked: unchecked(opened.integrity()), ..Keys::default() };
    let mut locked = 0_usize;
    for item in opened.items() {
        let label = item.friendly_name();
        if name.is_some() && label.as_deref() != name {
            locked += usize::from(item.kind == BundleKind::EncryptedPrivateKey);
            continue;
        }
        let (form, key) = match item.kind {
            BundleKind::PrivateKey => (found_key::PKCS12, found_key::pkcs8(item.octets)),
            BundleKind::EncryptedPrivateKey => match unlock.key(item.octets) {
                Some(info) => (found_key::PKCS12, Ok(Key::Private(Box::new(info)))),
                None => {
                    locked += 1;
                    let reason = "it has a different passphrase: repeat --passphrase-file".to_owned();
                    keys.locked.push(Locked { name: label.unwrap_or_default(), reason });
                    continue;
                }
            },
            BundleKind::Certificate => {
                let read = certificate(context, item.octets).map_err(|error| negative(path, &error))?;
                let info = &read.tbs_certificate.subject_public_key_info;
                (found_key::CERTIFICATE, found_key::public(context, backend, info))
            }
            _ => continue,
        };
        let key = key.map_err(|error| negative(path, &error))?;
        keys.found.push(Found { name: label, ..Found::new(None, form, key) });
    }
    // Every part that was not read is a locked key.
    if opened.unreadable().len() > unlock.unlocked + locked {
        let parts: Vec<String> = opened.unreadable().iter().map(|part| visible(part).to_string()).collect();
        return Err(Failure::negative(format!("{}: cannot be read: {}", name_of(path), parts.join(", "))));
    }
    Ok(keys)
}
