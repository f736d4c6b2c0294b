//! Keys for external account bindings (RFC 8555 §7.3.4), which the operator creates and gives to users.

use tagwise_ca::{Authority, Documents, Error, Record, Records, Row};
use tagwise_codec::text::hex;
use tagwise_crypto::{Backend, Secret};
use tagwise_keys::jwk;
use tagwise_pkix::UnixTime;

use crate::records::External;

/// A key without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalKey {
    /// The key's identifier.
    pub id: String,
    /// The operator's note.
    pub note: String,
    /// The time of creation.
    pub created: UnixTime,
    /// The account that used it. Each key can be used once.
    pub account: Option<String>,
}

/// The owner of the documents of all keys, by which they are listed.
pub(crate) const OWNER: &str = "operator";

/// Creates a key of 32 random bytes. Returns its identifier, and the secret in base64url, which clients expect.
///
/// # Errors
/// Errors of the database or the random number generator.
pub fn add(
    store: &mut dyn Documents,
    authority: &Authority,
    backend: &dyn Backend,
    note: &str,
    now: UnixTime,
) -> Result<(String, Secret), Error> {
    let crypto = |error| Error::Crypto { what: "the random number generator", error };
    let (mut id, mut secret) = ([0; 12], Secret::zeroed(32));
    backend.random(&mut id).map_err(crypto)?;
    let id = hex::encode(&id);
    // Clients take a key that begins with a hyphen for an option.
    let key = loop {
        backend.random(secret.expose_mut()).map_err(crypto)?;
        let key = jwk::base64url(secret.expose());
        if !key.starts_with('-') {
            break key;
        }
    };
    let external = External { key: key.clone(), note: note.to_owned(), account: None, created: now.0 };
    let mut records = Records { store, authority: authority.id() };
    records.insert(&Row::new(&id, OWNER, UnixTime::MAX, external))?;
    Ok((id, Secret::from(key.into_bytes())))
}

/// Lists all keys.
///
/// # Errors
/// Errors of the database.
pub fn list(store: &mut dyn Documents, authority: &Authority) -> Result<Vec<ExternalKey>, Error> {
    let rows = Records { store, authority: authority.id() }.list::<External>(OWNER)?;
    let listed = |row: Row<External>| {
        let External { note, account, created, .. } = row.value.clone();
        ExternalKey { id: row.id().to_owned(), note, created: UnixTime(created), account }
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// Removes a key, so that no account can be created with it. Returns false if there is none. An account that used it remains:
/// see [`accounts::revoke`](crate::accounts::revoke).
///
/// # Errors
/// Errors of the database.
pub fn remove(store: &mut dyn Documents, authority: &Authority, id: &str) -> Result<bool, Error> {
    store.take_document(authority.id(), External::KIND, id).map(|found| found.is_some())
}
