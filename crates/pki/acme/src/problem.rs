//! Problem documents (RFC 7807, RFC 8555 §6.7).

use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An error type of ACME (RFC 8555 §6.7, RFC 9773 §7.4, draft-ietf-acme-profiles §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Kind {
    /// The account does not exist.
    AccountDoesNotExist,
    /// The certificate was already replaced by another order.
    AlreadyReplaced,
    /// The certificate is already revoked.
    AlreadyRevoked,
    /// The certification request is not acceptable.
    #[serde(rename = "badCSR")]
    BadCsr,
    /// The nonce is unknown, used or expired.
    BadNonce,
    /// The public key is not acceptable.
    BadPublicKey,
    /// The revocation reason is not allowed.
    BadRevocationReason,
    /// The signature algorithm is not supported, or does not suit the key.
    BadSignatureAlgorithm,
    /// A CAA record forbids issuance.
    Caa,
    /// Several errors, in subproblems.
    Compound,
    /// A connection for validation failed.
    Connection,
    /// A DNS query failed.
    Dns,
    /// A new account needs an external account binding.
    ExternalAccountRequired,
    /// The response does not match the challenge.
    IncorrectResponse,
    /// A contact URL is invalid.
    InvalidContact,
    /// The profile is unknown.
    InvalidProfile,
    /// The request is malformed.
    Malformed,
    /// The order is not ready to be finalized.
    OrderNotReady,
    /// A rate limit was exceeded.
    RateLimited,
    /// The policy does not allow the identifier.
    RejectedIdentifier,
    /// An internal error.
    ServerInternal,
    /// A TLS error occurred during validation.
    Tls,
    /// The client is not authorized.
    Unauthorized,
    /// The contact's URL scheme is not supported.
    UnsupportedContact,
    /// The type of identifier is not supported.
    UnsupportedIdentifier,
    /// The user must act, for example agree to the terms of service.
    UserActionRequired,
}

impl Kind {
    /// The HTTP status. RFC 8555 §6.7 leaves most of them to the server.
    const fn status(self) -> u16 {
        match self {
            Self::Unauthorized
            | Self::ExternalAccountRequired
            | Self::OrderNotReady
            | Self::UserActionRequired
            | Self::RejectedIdentifier
            | Self::Caa => 403,
            Self::AlreadyReplaced => 409,
            Self::RateLimited => 429,
            Self::ServerInternal => 500,
            _ => 400,
        }
    }

    /// The error's URN.
    fn urn(self) -> String {
        let name = serde_json::to_value(self).ok();
        format!("urn:ietf:params:acme:error:{}", name.as_ref().and_then(Value::as_str).unwrap_or("serverInternal"))
    }
}

/// An identifier of an order (RFC 8555 §9.7.7).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identifier {
    /// The type: `dns` or `ip`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The value.
    pub value: String,
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.value)
    }
}

/// A reason why a request is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The error type.
    pub kind: Kind,
    /// The description for people.
    pub detail: String,
    /// The identifier that the problem is about, in subproblems.
    pub identifier: Option<Box<Identifier>>,
    /// The problems of single identifiers (RFC 8555 §6.7.1).
    pub subproblems: Vec<Self>,
    /// The HTTP status, if it is not the usual one.
    pub(crate) status: Option<u16>,
    /// The time after which the client may try again, in seconds.
    pub(crate) retry_after: Option<u32>,
    /// A URL for the header Location.
    pub(crate) location: Option<String>,
    /// The internal error, for the operator.
    pub(crate) internal: Option<String>,
}

impl Problem {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            identifier: None,
            subproblems: Vec::new(),
            status: None,
            retry_after: None,
            location: None,
            internal: None,
        }
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, detail)
    }

    pub(crate) fn unauthorized(detail: impl Into<String>) -> Self {
        Self::new(Kind::Unauthorized, detail)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::malformed(format!("no such {what}")).with_status(404)
    }

    pub(crate) fn internal(error: impl fmt::Display) -> Self {
        let new = Self::new(Kind::ServerInternal, "internal error");
        Self { internal: Some(error.to_string()), ..new }
    }

    /// Another request changed the resource at the same time.
    pub(crate) fn busy() -> Self {
        let new = Self::new(Kind::ServerInternal, "another request changed the resource at the same time; try again");
        Self { status: Some(503), retry_after: Some(1), ..new }
    }

    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status: Some(status), ..self }
    }

    pub(crate) fn about(self, identifier: &Identifier) -> Self {
        Self { identifier: Some(Box::new(identifier.clone())), ..self }
    }

    /// Combines the problems of several identifiers: the only one, or a compound.
    pub(crate) fn of(mut list: Vec<Self>) -> Option<Self> {
        if list.len() < 2 {
            return list.pop();
        }
        let first = list.first()?.kind;
        let kind = if list.iter().all(|problem| problem.kind == first) { first } else { Kind::Compound };
        Some(Self { subproblems: list, ..Self::new(kind, "some identifiers cannot be accepted; see the subproblems") })
    }

    pub(crate) fn status(&self) -> u16 {
        self.status.unwrap_or_else(|| self.kind.status())
    }

    /// The document's content.
    pub(crate) fn to_json(&self) -> Value {
        let mut value = json!({ "type": self.kind.urn(), "detail": self.detail, "status": self.status() });
        let Some(object) = value.as_object_mut() else { return value };
        if let Some(identifier) = &self.identifier {
            object.insert("identifier".to_owned(), json!(identifier));
            object.remove("status");
        }
        if self.kind == Kind::BadSignatureAlgorithm {
            object.insert("algorithms".to_owned(), json!(crate::algorithm::supported()));
        }
        if !self.subproblems.is_empty() {
            let list: Vec<Value> = self.subproblems.iter().map(Self::to_json).collect();
            object.insert("subproblems".to_owned(), Value::Array(list));
        }
        value
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.detail, self.kind.urn())
    }
}

impl std::error::Error for Problem {}

impl From<tagwise_ca::Error> for Problem {
    fn from(error: tagwise_ca::Error) -> Self {
        match error {
            tagwise_ca::Error::Conflict => Self::busy(),
            // The database may answer again soon, or have space again.
            error @ (tagwise_ca::Error::Store { .. }
            | tagwise_ca::Error::Locked(_)
            | tagwise_ca::Error::Unconfirmed { .. }) => {
                let what = "the CA's storage does not answer; try again";
                let new = Self::new(Kind::ServerInternal, what).with_status(503);
                Self { internal: Some(error.to_string()), retry_after: Some(30), ..new }
            }
            error => Self::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_the_database_is_temporary() {
        let store = tagwise_ca::Error::Store { doing: "writing", source: "the disk is full".into() };
        let problem = Problem::from(store);
        assert_eq!((problem.kind, problem.status(), problem.retry_after), (Kind::ServerInternal, 503, Some(30)));
        let reason = "the database failed while writing: the disk is full";
        assert_eq!(problem.internal.as_deref(), Some(reason));
        assert!(!problem.to_json().to_string().contains("disk"));
        let damaged = Problem::from(tagwise_ca::Error::Damaged { what: "a row".to_owned() });
        assert_eq!((damaged.status(), damaged.retry_after), (500, None));
    }
}
