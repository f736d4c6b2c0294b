//! The documents in the CA's database.

use serde::{Deserialize, Serialize};
use tagwise_ca::Record;

macro_rules! records {
    ($($name:ident $kind:literal)*) => { $(impl Record for $name { const KIND: &'static str = $kind; })* };
}

records! {
    Credential "enroll-secret" Transaction "enroll-transaction" Owner "enroll-certificate" Count "enroll-count"
    Exchange "enroll-exchange"
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
    /// A CertRequest (RFC 4211 §5), whose proof of possession was verified, or follows with the confirmation.
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
    /// The grant that allowed the request. Transactions of earlier versions have none.
    #[serde(default)]
    pub(crate) grant: Option<String>,
    /// True if the client is a registration authority that has verified possession of the key.
    #[serde(default)]
    pub(crate) by_authority: bool,
    /// True if the certificate replaces the client's own.
    pub(crate) renewal: bool,
    /// True if the certificate is not published before the client has confirmed it.
    #[serde(default)]
    pub(crate) unpublished: bool,
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
    /// True if the client receives its certificate encrypted, so that its confirmation proves possession of the key.
    #[serde(default)]
    pub(crate) encrypted: bool,
    /// The challenge that the client must answer.
    #[serde(default)]
    pub(crate) challenge: Option<Challenged>,
    /// True once the client has received its certificate or the rejection.
    #[serde(default)]
    pub(crate) answered: bool,
}

/// A request whose client must prove possession of the key by an answer to a challenge (RFC 9810 §5.2.8.3.3).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Challenged {
    /// The SHA-256 hash of the answer, in hexadecimal.
    pub(crate) witness: String,
    /// The time after which answers are late.
    pub(crate) deadline: i64,
    /// The CertRequest, in base64.
    pub(crate) request: String,
    /// The grant that the client asked for.
    pub(crate) grant: Option<String>,
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
