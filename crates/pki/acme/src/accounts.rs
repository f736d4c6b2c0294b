//! Accounts, for the CA's operator.

use tagwise_ca::{Authority, Documents, Error, Records, Row, Serial};

use crate::records::{Account, External, Issued, Status, client};

/// An account in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAccount {
    /// The account's identifier, the last part of its URL.
    pub id: String,
    /// The status (RFC 8555 §7.1.6): `valid`, `deactivated` or `revoked`.
    pub status: &'static str,
    /// The contact URLs.
    pub contact: Vec<String>,
    /// The key of the external account binding, if it still exists.
    pub external_key: Option<String>,
}

/// Lists all accounts.
///
/// # Errors
/// Errors of the database.
pub fn list(store: &mut dyn Documents, authority: &Authority) -> Result<Vec<ListedAccount>, Error> {
    let mut records = Records { store, authority: authority.id() };
    let keys = records.list::<External>(crate::external::OWNER)?;
    let used: std::collections::BTreeMap<_, _> =
        keys.iter().filter_map(|key| Some((key.value.account.as_deref()?, key.id()))).collect();
    let listed = |row: Row<Account>| ListedAccount {
        external_key: used.get(row.id()).map(|key| (*key).to_owned()),
        id: row.id().to_owned(),
        status: match row.value.status {
            Status::Valid => "valid",
            Status::Revoked => "revoked",
            _ => "deactivated",
        },
        contact: row.value.contact,
    };
    Ok(records.list::<Account>("")?.into_iter().map(listed).collect())
}

/// Returns the client to which a certificate was issued, such as `account/5f4dcc3b5aa765d6`. Returns `None` if ACME did not issue it, or if
/// it expired more than a week ago.
///
/// # Errors
/// Errors of the database.
pub fn requester(store: &mut dyn Documents, authority: &Authority, serial: &Serial) -> Result<Option<String>, Error> {
    let mut records = Records { store, authority: authority.id() };
    Ok(records.get::<Issued>(&serial.to_string())?.map(|row| client(row.owner())))
}

/// Revokes an account (RFC 8555 §7.1.6): every request by its key is refused from then on, including for its pending orders.
/// Its certificates remain valid. Returns false if there is no such account.
///
/// # Errors
/// [`Error::Conflict`] if the account changes at the same time, or errors of the database.
pub fn revoke(store: &mut dyn Documents, authority: &Authority, id: &str) -> Result<bool, Error> {
    let mut records = Records { store, authority: authority.id() };
    let Some(mut row) = records.get::<Account>(id)? else { return Ok(false) };
    if row.value.status != Status::Revoked {
        row.value.status = Status::Revoked;
        records.update(&mut row)?;
    }
    Ok(true)
}
