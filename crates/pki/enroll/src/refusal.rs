//! Reasons for which requests are refused.

use core::fmt;

use tagwise_ca::Error;

/// The kind of a refusal, which each protocol reports in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The request is malformed.
    Malformed,
    /// An algorithm is unknown or not accepted.
    Algorithm,
    /// The proof of possession is missing or wrong.
    Proof,
    /// The client is not authenticated.
    Unauthenticated,
    /// The policy does not allow the request to this client.
    Unauthorized,
    /// The requested certificate cannot be issued: its key, its names or its extensions.
    Template,
    /// The transaction belongs to another request.
    Transaction,
    /// The certificate is unknown.
    UnknownCertificate,
    /// The certificate is already revoked.
    Revoked,
    /// Too many attempts.
    Limited,
    /// Another server is processing the request.
    Busy,
    /// The database does not answer.
    Unavailable,
    /// The service failed.
    Internal,
}

/// The reason for refusing a request.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: Kind,
    /// The reason, for the client.
    pub(crate) detail: String,
    /// An internal error, for the operator.
    pub(crate) internal: Option<String>,
}

impl Refusal {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), internal: None }
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, detail)
    }

    pub(crate) fn unauthorized(detail: impl Into<String>) -> Self {
        Self::new(Kind::Unauthorized, detail)
    }

    /// The client cannot learn more, so that it cannot guess users.
    pub(crate) fn unauthenticated() -> Self {
        Self::new(Kind::Unauthenticated, "the client is unknown, or its secret is wrong")
    }

    pub(crate) fn busy() -> Self {
        Self::new(Kind::Busy, "another server is processing the request; try again")
    }

    pub(crate) fn internal(error: impl fmt::Display) -> Self {
        Self { internal: Some(error.to_string()), ..Self::new(Kind::Internal, "the service failed") }
    }

    /// An error that the requested certificate causes, or another.
    pub(crate) fn of_request(error: Error) -> Self {
        match error {
            Error::Refused { .. } | Error::Malformed { .. } | Error::Build(_) => {
                Self::new(Kind::Template, error.to_string())
            }
            Error::Crypto { what: "the request", .. } => Self::new(Kind::Proof, error.to_string()),
            Error::Crypto { what: "the subject's key", .. } => Self::new(Kind::Template, error.to_string()),
            error => Self::internal(error),
        }
    }

    /// The status code, in protocols that have no other errors.
    pub(crate) const fn status(&self) -> u16 {
        match self.kind {
            Kind::Malformed
            | Kind::Algorithm
            | Kind::Proof
            | Kind::Template
            | Kind::Transaction
            | Kind::UnknownCertificate
            | Kind::Revoked => 400,
            Kind::Unauthenticated => 401,
            Kind::Unauthorized => 403,
            Kind::Limited => 429,
            Kind::Busy | Kind::Unavailable => 503,
            Kind::Internal => 500,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.internal.as_deref().unwrap_or(&self.detail))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Conflict => Self::busy(),
            // The database may answer again soon.
            Error::Store { .. } | Error::Locked(_) | Error::Unconfirmed { .. } => Self {
                internal: Some(error.to_string()),
                ..Self::new(Kind::Unavailable, "the database does not answer; try again")
            },
            error => Self::internal(error),
        }
    }
}
