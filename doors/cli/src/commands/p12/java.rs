//! Java keystores (JKS, JCEKS), which are also accepted instead of PKCS #12 files.

use std::path::Path;

use tagwise_keys::java::{KeystoreEntry, Store, is_java};
use tagwise_keys::{Key, Limits};

use super::document::{BagRow, Document};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{fingerprint, negative, octets, subject};
use crate::shared::key_formats::{open_store, verifies};
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;

/// The bytes of a keystore.
pub(super) struct Owned(Vec<u8>);

/// Reads a file, and returns it if it is a keystore. Standard input can be read only once, so it must be PKCS #12.
pub(super) fn load(context: &Context, path: &Path) -> Result<Option<Owned>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(None);
    }
    let octets = octets(context, path)?;
    Ok(is_java(&octets).then_some(Owned(octets)))
}

impl Owned {
    pub(super) fn read(&self, path: &Path) -> Result<Store<'_>, Failure> {
        Store::read(&self.0, &Limits::DEFAULT).map_err(|error| negative(path, &error))
    }
}

/// Decodes a keystore's content. Without a passphrase option, its integrity is not checked, and its keys remain encrypted.
pub(super) fn document(
    context: &Context,
    path: &Path,
    store: &Owned,
    passphrase: &PassphraseArgs,
) -> Result<Document, Failure> {
    let store = store.read(path)?;
    let passwords = passphrase.all()?;
    let failed = |error: &tagwise_crypto::Error| negative(path, error);
    let checked = verifies(EMBEDDED, &store, &passwords).map_err(|error| failed(&error))?;
    let opened = if passwords.is_empty() { Vec::new() } else { open_store(EMBEDDED, path, &store, passphrase, None)? };
    let mut opened = opened.into_iter().map(|(_, found)| found);
    let mut items = Vec::new();
    for entry in store.entries() {
        let opened = opened.next().transpose().map_err(|locked| Failure::negative(locked.message(path)))?;
        items.extend(secret(entry, opened));
        for der in &entry.certificates {
            items.push(BagRow {
                kind: "certificate",
                friendly_name: Some(entry.alias.clone()),
                local_key_id: None,
                what: Some(subject(context, der)),
                sha256: Some(fingerprint(EMBEDDED, der)?),
                length: der.len(),
            });
        }
    }
    Ok(Document {
        schema: "tagwise.p12/2",
        file: name_of(path),
        format: store.form(),
        integrity: if checked { "verified" } else { "not checked" },
        integrity_checked: checked,
        mac: None,
        items,
        unreadable: Vec::new(),
    })
}

/// The private or secret key of an entry, decrypted or not.
fn secret(entry: &KeystoreEntry<'_>, opened: Option<tagwise_keys::Found>) -> Option<BagRow> {
    let (kind, what, length) = match opened.map(|found| found.key) {
        Some(Key::Private(info)) => ("private-key", Some(info.key_type().to_string()), info.pkcs8().len()),
        Some(Key::Dsa(key)) => ("private-key", Some("dsa".to_owned()), key.pkcs8.len()),
        Some(Key::Symmetric { algorithm, key }) => {
            ("secret", Some(format!("{algorithm}, {} bits", key.len() * 8)), key.len())
        }
        Some(_) => return None,
        None if entry.is_symmetric() => ("encrypted", None, entry.protected_len()),
        None if entry.is_secret() => ("encrypted-private-key", None, entry.protected_len()),
        None => return None,
    };
    let name = Some(entry.alias.clone());
    Some(BagRow { kind, friendly_name: name, local_key_id: None, what, sha256: None, length })
}
