//! Keys in formats other than ASN.1: OpenSSH, JWK, Java keystores, Microsoft's key blobs, DNSSEC.

use std::path::Path;

use tagwise_codec::Decode as _;
use tagwise_crypto::{ErrorKind, Secret};
use tagwise_keys::java::{KeystoreEntry, Store};
use tagwise_keys::{Format, Limits, read};
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::credentials::certificate;
use crate::shared::found_key::{self, Found, Key, Keys, Locked};
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;

/// Returns the keys in a file with one of these formats, or `None` for other formats.
///
/// # Errors
/// Returns an error if the file is malformed, or a passphrase is missing or wrong.
pub(crate) fn keys(
    context: &Context,
    backend: Chosen,
    path: &Path,
    octets: &[u8],
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Option<Keys>, Failure> {
    let Some(format) = Format::recognise(octets) else { return Ok(None) };
    let failed = |error: &tagwise_crypto::Error| Failure::negative(format!("{}: {error}", name_of(path)));
    let mut keys = Keys::default();
    let found = if format == Format::Java {
        let store = Store::read(octets, &Limits::DEFAULT).map_err(|error| failed(&error))?;
        // Without secrets, no passphrase is needed.
        if passphrase.all()?.is_empty() && !store.entries().iter().any(KeystoreEntry::is_secret) {
            keys.unchecked = Some("without its passphrase, its integrity was not checked");
        }
        let mut found = Vec::new();
        for (_, opened) in open_store(backend, path, &store, passphrase, name)? {
            match opened {
                Ok(key) => found.push(key),
                Err(locked) => keys.locked.push(locked),
            }
        }
        found
    } else {
        let mut passwords = passphrase.all()?;
        let mut done = read(backend, octets, &passwords, &Limits::DEFAULT);
        if matches!(&done, Err(error) if error.kind() == ErrorKind::PasswordNeeded) {
            passwords.push(passphrase.of(&name_of(path))?);
            done = read(backend, octets, &passwords, &Limits::DEFAULT);
        }
        done.map_err(|error| failed(&error))?
    };
    for tagwise_keys::Found { name: own, form, key, ssh_certificate, .. } in found {
        // keytool ignores the case of aliases, so the given name is the key's.
        let name = name.filter(|_| format == Format::Java).map(str::to_owned).or(own);
        let (form, key) = match key {
            tagwise_keys::Key::Private(info) => (form, Key::Private(info)),
            tagwise_keys::Key::Dsa(key) => (form, Key::Dsa(key)),
            tagwise_keys::Key::Public(der) => {
                let info = SubjectPublicKeyInfo::from_der(&der);
                let info = info.map_err(|error| Failure::negative(format!("{}: {error}", name_of(path))))?;
                (form, found_key::public(context, backend, &info).map_err(|error| failed(&error))?)
            }
            tagwise_keys::Key::Certificate(der) => {
                let read = certificate(context, &der);
                let read = read.map_err(|error| Failure::negative(format!("{}: {error}", name_of(path))))?;
                let info = &read.tbs_certificate.subject_public_key_info;
                (found_key::CERTIFICATE, found_key::public(context, backend, info).map_err(|error| failed(&error))?)
            }
            // Commands for keys use none of them: `p12 extract --secret` does.
            _ => continue,
        };
        keys.found.push(Found { name, ssh_certificate, ..Found::new(None, form, key) });
    }
    match keys.found.is_empty() && keys.locked.is_empty() && name.is_none() {
        false => Ok(Some(keys)),
        true => Err(Failure::negative(format!(
            "{}: no private or public key found; tagwise p12 show lists what it contains",
            name_of(path)
        ))),
    }
}

/// Decrypts the entries of a Java keystore, or those with the given name, and checks its integrity. Without a passphrase option, prompts
/// for the keystore's passphrase, and for each entry's passphrase if it differs. A keystore without secrets does not require a passphrase,
/// but a given one is checked. The list contains each entry's name.
///
/// # Errors
/// Returns an error if the keystore's passphrase is missing or wrong, or an entry is malformed.
pub(crate) fn open_store(
    backend: Chosen,
    path: &Path,
    store: &Store<'_>,
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Vec<Entry>, Failure> {
    let wanted = name;
    let name = name_of(path);
    let failed = |error: &tagwise_crypto::Error| Failure::negative(format!("{name}: {error}"));
    let mut passwords = passphrase.all()?;
    let asks = passwords.is_empty();
    if asks && store.entries().iter().any(KeystoreEntry::is_secret) {
        passwords.push(passphrase.of(&name)?);
    }
    if !passwords.is_empty() && !verifies(backend, store, &passwords).map_err(|error| failed(&error))? {
        return Err(Failure::negative(format!(
            "{name}: the integrity digest does not match: wrong keystore passphrase, or damaged data"
        )));
    }
    let mut budget = Limits::DEFAULT.iterations;
    let mut found = Vec::new();
    // keytool ignores the case of aliases. Other programs may not.
    let is_exact = store.entries().iter().any(|entry| wanted == Some(&*entry.alias));
    let fits = |wanted: &str, alias: &str| wanted == alias || !is_exact && wanted.eq_ignore_ascii_case(alias);
    for entry in store.entries().iter().filter(|entry| wanted.is_none_or(|wanted| fits(wanted, &entry.alias))) {
        let mut open = |passwords: &[Secret]| entry.open(backend, passwords, &mut budget, store.form());
        let mut opened = open(&passwords);
        if asks && matches!(&opened, Err(error) if error.kind() == ErrorKind::Integrity) {
            passwords.push(passphrase.of(&format!("{} in {name}", tagwise_pkix::name::visible(&entry.alias)))?);
            opened = open(&passwords);
        }
        let alias = entry.alias.clone();
        let opened = match opened {
            Ok(key) => Ok(key),
            // Entries may have different passphrases.
            Err(error) if error.kind() == ErrorKind::Integrity => {
                Err(Locked { name: alias.clone(), reason: error.to_string() })
            }
            Err(error) => {
                let alias = tagwise_pkix::name::visible(&alias);
                return Err(Failure::negative(format!("{name}: entry {alias}: {error}")));
            }
        };
        found.push((alias, opened));
    }
    Ok(found)
}

/// An entry's name, and its content, unless no passphrase decrypts it.
pub(crate) type Entry = (String, Result<tagwise_keys::Found, Locked>);

/// Returns whether one of the passphrases opens the keystore, so that its integrity check succeeds.
pub(crate) fn verifies(
    backend: Chosen,
    store: &Store<'_>,
    passwords: &[Secret],
) -> Result<bool, tagwise_crypto::Error> {
    for password in passwords {
        if store.verifies(backend, password.expose())? {
            return Ok(true);
        }
    }
    Ok(false)
}
