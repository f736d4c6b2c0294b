//! The reason why a candidate is rejected.

use core::fmt;

use tagwise_codec::{Error, Typed as _};
use tagwise_pkix::Certificate;

use crate::budget::Limit;
use crate::rules::Rule;

/// The first rule that rejected a candidate, and the location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The violated rule.
    pub rule: Rule,
    /// The reason, as a sentence.
    pub message: String,
    /// The position of the faulty certificate in the candidate. The anchor's certificate comes after the last. `None`
    /// if no certificate is at fault.
    pub certificate: Option<usize>,
    /// The offset of the fault in that certificate.
    pub offset: Option<usize>,
    /// The path of the field at that offset, such as `tbsCertificate.validity.notAfter`.
    pub path: String,
    /// The violated clause: the rule's, or a more specific one.
    pub clause: &'static str,
    /// True if the candidate was rejected because something is unknown rather than wrong: missing evidence, or an
    /// unsupported signature algorithm. The path might be valid otherwise.
    pub undecided: bool,
    /// The decoding rule that a certificate violates, if it could be tolerated. Pass its name to
    /// [`Policy::disable`](crate::Policy::disable).
    pub decoding: Option<&'static tagwise_codec::Rule>,
}

impl fmt::Display for Refusal {
    /// Writes the refusal in one line:
    /// `validity: expired on 2024-01-01T00:00:00Z, at tbsCertificate.validity.notAfter, byte 120 (RFC 5280 §6.1.3 (a)(2))`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)?;
        if let Some(offset) = self.offset {
            match self.path.as_str() {
                "" => write!(f, ", at byte {offset}")?,
                path => write!(f, ", at {path}, byte {offset}")?,
            }
        }
        write!(f, " ({})", self.clause)
    }
}

impl Refusal {
    pub(crate) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            certificate: None,
            offset: None,
            path: String::new(),
            clause: rule.clause(),
            undecided: false,
            decoding: None,
        }
    }

    /// Creates the refusal of a candidate whose first certificate cannot be decoded.
    pub(crate) fn malformed(error: &Error) -> Self {
        Self {
            certificate: Some(0),
            path: error.path().to_owned(),
            decoding: error.rule(),
            ..Self::new(Rule::Malformed, format!("{} ({})", error.message(), error.clause())).at(error.offset())
        }
    }

    pub(crate) fn undecided(mut self) -> Self {
        self.undecided = true;
        self
    }

    pub(crate) fn at(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Replaces the clause with a more specific one.
    pub(crate) fn clause(mut self, clause: &'static str) -> Self {
        self.clause = clause;
        self
    }

    /// Sets the certificate, and the path of the field at the offset unless it is known.
    pub(crate) fn within(mut self, certificate: usize, der: &[u8]) -> Self {
        if let (Some(offset), None) = (self.offset, self.certificate) {
            self.path = tagwise_codec::path_at(Certificate::ty(), der, offset);
        }
        self.certificate = Some(certificate);
        self
    }
}

/// The reason why a check ended: a refusal, or an exceeded budget.
#[derive(Debug)]
pub(crate) enum Stop {
    Refusal(Refusal),
    Limit(Limit),
}

impl Stop {
    /// Changes the refusal, if it is one.
    pub(crate) fn map(self, change: impl FnOnce(Refusal) -> Refusal) -> Self {
        match self {
            Self::Refusal(refusal) => Self::Refusal(change(refusal)),
            limit @ Self::Limit(_) => limit,
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}
