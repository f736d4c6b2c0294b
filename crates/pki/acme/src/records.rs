//! The documents in the CA's database.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tagwise_ca::Record;

use crate::policy::ChallengeType;
use crate::problem::{Identifier, Problem};

macro_rules! records {
    ($($name:ident $kind:literal)*) => { $(impl Record for $name { const KIND: &'static str = $kind; })* };
}

records! {
    Account "account" Key "key" Order "order" Authorization "authorization" Grant "grant" Issued "certificate"
    External "external" Count "count" Replaced "replaced" Nonce "nonce"
}

/// The status of an account, order, authorization or challenge (RFC 8555 §7.1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Pending,
    Ready,
    Processing,
    Valid,
    Invalid,
    Deactivated,
    Expired,
    /// Only the operator revokes accounts.
    Revoked,
}

impl Status {
    /// The problem of an account that is not valid.
    pub(crate) fn inactive(self) -> Option<Problem> {
        match self {
            Self::Valid => None,
            Self::Revoked => Some(Problem::unauthorized("the operator has revoked the account")),
            _ => Some(Problem::unauthorized("the account is deactivated")),
        }
    }
}

/// An account.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) status: Status,
    /// The SubjectPublicKeyInfo in DER, in base64url.
    pub(crate) key: String,
    pub(crate) contact: Vec<String>,
    pub(crate) terms_agreed: bool,
    pub(crate) external: Option<Value>,
}

/// The account of a key. The identifier is the key's thumbprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) account: String,
}

/// An order. Whether it is ready follows from its authorizations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) status: Status,
    pub(crate) expires: i64,
    pub(crate) identifiers: Vec<Identifier>,
    pub(crate) not_before: Option<i64>,
    pub(crate) not_after: Option<i64>,
    pub(crate) profile: String,
    /// True if the client named the profile.
    pub(crate) profile_asked: bool,
    /// True if the client receives a Merkle Tree Certificate.
    #[serde(default)]
    pub(crate) mtc: bool,
    pub(crate) authorizations: Vec<String>,
    pub(crate) replaces: Option<String>,
    pub(crate) error: Option<Value>,
    /// The request and the time at which a node began to issue.
    pub(crate) csr: Option<String>,
    pub(crate) claimed: Option<i64>,
    /// The signed certificate, in base64url. It is valid once the status is.
    pub(crate) certificate: Option<String>,
    /// The serial number of the certificate.
    pub(crate) serial: Option<String>,
}

/// An authorization with its challenges.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Authorization {
    pub(crate) status: Status,
    pub(crate) expires: i64,
    /// The identifier without the wildcard.
    pub(crate) identifier: Identifier,
    pub(crate) wildcard: bool,
    /// True if it covers the names below its domain (RFC 9444 §4.1).
    #[serde(default)]
    pub(crate) subdomains: bool,
    pub(crate) challenges: Vec<Challenge>,
}

/// A challenge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Challenge {
    #[serde(rename = "type")]
    pub(crate) kind: ChallengeType,
    pub(crate) status: Status,
    pub(crate) token: String,
    pub(crate) validated: Option<i64>,
    pub(crate) error: Option<Value>,
    /// The time at which a node began to validate.
    pub(crate) claimed: Option<i64>,
}

/// An account's last valid authorization of an identifier. The identifier of the document has both.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) authorization: String,
}

/// A certificate's order. The identifier is the serial number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Issued {
    pub(crate) order: String,
}

/// The name of an account in logs and lists, where there are clients of other protocols, too.
pub(crate) fn client(account: &str) -> String {
    format!("account/{account}")
}

/// A key for external account bindings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct External {
    /// The MAC key, in base64url.
    pub(crate) key: String,
    /// The description for the operator.
    pub(crate) note: String,
    /// The account that used the key.
    pub(crate) account: Option<String>,
    pub(crate) created: i64,
}

/// A counter of a rate limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) count: u32,
}

/// A certificate that an order replaces. The identifier is the CertID (RFC 9773 §4.1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Replaced {
    pub(crate) order: String,
}

/// A nonce.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nonce {}
