//! Requests that wait for the operator's decision: see [`Approval::Manual`](crate::Approval::Manual).

use tagwise_ca::{Authority, Documents, Error, Records, Serial};
use tagwise_codec::text::base64;
use tagwise_pkix::UnixTime;

use crate::records::{Form, Owner, Status, Transaction, Waiting};

/// A request that waits for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRequest {
    /// The identifier for [`approve`] and [`reject`].
    pub id: String,
    /// The client, such as `secret/5f4dcc3b5aa765d6`.
    pub client: String,
    /// The certificate profile.
    pub profile: String,
    /// The grant of the policy that allowed the request. The server checks it again when it issues the certificate.
    pub grant: Option<String>,
    /// The time of the request.
    pub received: UnixTime,
    /// True if the request is a CertRequest (RFC 4211 §5), and false if it is a CertificationRequest (RFC 2986).
    pub is_crmf: bool,
    /// The request in DER.
    pub request: Vec<u8>,
}

/// The owner of the documents of all pending requests, by which they are listed.
pub(crate) const OWNER: &str = "operator";

/// Lists the pending requests of all clients.
///
/// # Errors
/// Errors of the database.
pub fn list(store: &mut dyn Documents, authority: &Authority) -> Result<Vec<PendingRequest>, Error> {
    let mut records = Records { store, authority: authority.id() };
    let mut pending = Vec::new();
    for waiting in records.list::<Waiting>(OWNER)? {
        let row = records.get::<Transaction>(waiting.id())?;
        let Some(row) = row.filter(|row| row.value.status == Status::Pending) else { continue };
        pending.push(PendingRequest {
            id: row.id().to_owned(),
            client: row.owner().to_owned(),
            received: UnixTime(row.value.received),
            is_crmf: row.value.form == Form::Crmf,
            request: base64::decode(row.value.request.as_bytes()).unwrap_or_default(),
            profile: row.value.profile,
            grant: row.value.grant,
        });
    }
    Ok(pending)
}

/// Returns the client to which a certificate was issued, such as `secret/5f4dcc3b5aa765d6`. Returns `None` if EST, SCEP and CMP did not issue
/// it, or if it has expired.
///
/// # Errors
/// Errors of the database.
pub fn requester(store: &mut dyn Documents, authority: &Authority, serial: &Serial) -> Result<Option<String>, Error> {
    let mut records = Records { store, authority: authority.id() };
    Ok(records.get::<Owner>(&serial.to_string())?.map(|row| row.owner().to_owned()))
}

/// Approves a request, so that the client receives its certificate when it asks again, if the policy still allows it then.
/// Returns false if no such request is pending.
///
/// # Errors
/// Errors of the database.
pub fn approve(store: &mut dyn Documents, authority: &Authority, id: &str) -> Result<bool, Error> {
    decide(store, authority, id, Status::Approved)
}

/// Rejects a request. Returns false if no such request is pending.
///
/// # Errors
/// Errors of the database.
pub fn reject(store: &mut dyn Documents, authority: &Authority, id: &str) -> Result<bool, Error> {
    decide(store, authority, id, Status::Rejected)
}

fn decide(store: &mut dyn Documents, authority: &Authority, id: &str, status: Status) -> Result<bool, Error> {
    let mut records = Records { store, authority: authority.id() };
    let Some(mut row) = records.get::<Transaction>(id)? else { return Ok(false) };
    if row.value.status != Status::Pending {
        return Ok(false);
    }
    row.value.status = status;
    records.update(&mut row)?;
    records.take::<Waiting>(id)?;
    Ok(true)
}
