//! The documents in the CA's database.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tagwise_ca::{Authority, Document, Documents};
use tagwise_pkix::UnixTime;

use crate::refusal::Refusal;

/// A kind of documents, and their type.
pub(crate) trait Record: Serialize + DeserializeOwned {
    const KIND: &'static str;
}

macro_rules! records {
    ($($name:ident $kind:literal)*) => { $(impl Record for $name { const KIND: &'static str = $kind; })* };
}

records! {
    Credential "enroll-secret" Transaction "enroll-transaction" Owner "enroll-certificate" Count "enroll-count"
    Exchange "enroll-exchange" Block "enroll-serial"
    Waiting "enroll-pending" Unconfirmed "enroll-unconfirmed"
}

/// The purpose of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Usage {
    /// A user's password for HTTP Basic authentication in EST (RFC 7030 §3.2.3).
    User,
    /// A challenge password in SCEP requests (RFC 8894 §2.4).
    Challenge,
    /// A shared secret for message authentication codes in CMP (RFC 9810 §5.1.3.1).
    Shared,
}

/// A client's secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Credential {
    pub(crate) usage: Usage,
    pub(crate) grant: String,
    pub(crate) note: String,
    /// The only names that certificates may contain, or none for all that the grant allows.
    pub(crate) names: Vec<String>,
    pub(crate) created: i64,
    pub(crate) once: bool,
    /// True if a person has chosen the secret, so that it can be guessed.
    pub(crate) chosen: bool,
    /// The transaction that used a secret which can be used once.
    pub(crate) used: Option<String>,
    /// True once that transaction has a document.
    pub(crate) recorded: bool,
    pub(crate) verifier: Verifier,
}

/// The stored form of a secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verifier {
    /// PBKDF2 with HMAC-SHA-256, in hexadecimal.
    Hashed { salt: String, iterations: u32, hash: String },
    /// The secret itself, with which both sides compute MACs.
    Shared { secret: String },
}

impl core::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Verifier")
    }
}

/// The status of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The operator has not decided.
    Pending,
    Approved,
    Rejected,
    /// A server is issuing the certificate.
    Processing,
    Issued,
}

/// The form of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// A CertificationRequest (RFC 2986).
    Pkcs10,
    /// A CertRequest (RFC 4211 §5), whose proof of possession was verified.
    Crmf,
}

/// A request for a certificate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Transaction {
    pub(crate) status: Status,
    pub(crate) form: Form,
    /// The request, in base64.
    pub(crate) request: String,
    /// The name of the certificate's profile.
    pub(crate) profile: String,
    /// True if the certificate replaces the client's own.
    pub(crate) renewal: bool,
    pub(crate) received: i64,
    /// The time at which a server began to issue.
    pub(crate) claimed: Option<i64>,
    /// The signed certificate in base64, until it is stored.
    pub(crate) certificate: Option<String>,
    pub(crate) serial: Option<String>,
}

/// The client to which a certificate was issued: the document's owner.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Owner {}

/// A counter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) count: u32,
}

/// A CMP transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Exchange {
    /// The nonce of the server's last message, in hexadecimal.
    pub(crate) nonce: String,
    /// The number of the request.
    pub(crate) request: i64,
    /// The kind of the request: the number of its alternative in PKIBody.
    pub(crate) kind: u8,
    /// The serial number of the certificate that awaits confirmation.
    pub(crate) unconfirmed: Option<String>,
}

/// A request that waits for the operator. The identifier is that of the transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {}

/// A certificate that awaits confirmation. The identifier is its serial number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unconfirmed {
    /// The time after which it is revoked.
    pub(crate) deadline: i64,
}

/// The serial numbers that are assigned to servers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Block {
    pub(crate) next: u64,
}

/// A document that was read.
#[derive(Clone, Debug)]
pub(crate) struct Row<T> {
    document: Document,
    pub(crate) value: T,
}

impl<T: Record> Row<T> {
    pub(crate) fn read(document: Document) -> Result<Self, Refusal> {
        let value = serde_json::from_str(&document.content);
        let value = value.map_err(|error| Refusal::internal(format!("{} {}: {error}", document.kind, document.id)))?;
        Ok(Self { document, value })
    }

    pub(crate) fn new(id: &str, owner: &str, expires: UnixTime, value: T) -> Self {
        Self { document: Document::new(T::KIND, id, owner, expires, String::new()), value }
    }

    fn written(&self) -> Result<Document, Refusal> {
        let content = serde_json::to_string(&self.value).map_err(Refusal::internal)?;
        Ok(Document { content, ..self.document.clone() })
    }

    pub(crate) fn id(&self) -> &str {
        &self.document.id
    }

    pub(crate) fn owner(&self) -> &str {
        &self.document.owner
    }

    pub(crate) const fn expires(&self) -> UnixTime {
        self.document.expires
    }
}

/// The documents of a CA.
pub(crate) struct Records<'a> {
    pub(crate) store: &'a mut dyn Documents,
    pub(crate) authority: &'a Authority,
}

impl Records<'_> {
    pub(crate) fn get<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Refusal> {
        let found = self.store.document(self.authority.id(), T::KIND, id)?;
        found.map(Row::read).transpose()
    }

    /// Inserts a document; returns whether it is new.
    pub(crate) fn insert<T: Record>(&mut self, row: &Row<T>) -> Result<bool, Refusal> {
        Ok(self.store.insert_document(self.authority.id(), &row.written()?)?)
    }

    /// Updates a document that no one else has changed.
    ///
    /// # Errors
    /// [`Refusal::busy`] if someone else has.
    pub(crate) fn update<T: Record>(&mut self, row: &mut Row<T>) -> Result<(), Refusal> {
        if !self.store.update_document(self.authority.id(), &row.written()?)? {
            return Err(Refusal::busy());
        }
        row.document.version = row.document.version.saturating_add(1);
        Ok(())
    }

    pub(crate) fn take<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Refusal> {
        let found = self.store.take_document(self.authority.id(), T::KIND, id)?;
        found.map(Row::read).transpose()
    }

    /// Lists the documents of an owner.
    pub(crate) fn list<T: Record>(&mut self, owner: &str) -> Result<Vec<Row<T>>, Refusal> {
        let mut rows: Vec<Row<T>> = Vec::new();
        loop {
            let after = rows.last().map_or_else(String::new, |row| row.id().to_owned());
            let page = self.store.documents_of(self.authority.id(), T::KIND, owner, &after, 256)?;
            if page.is_empty() {
                return Ok(rows);
            }
            for document in page {
                rows.push(Row::read(document)?);
            }
        }
    }
}
