//! Revocation evidence and the revocation mode for all path verifiers, and the report of how evidence was used.

use std::time::Duration;

use pyo3::prelude::*;
use tagwise::codec::RuleSet;
use tagwise::path::{EvidenceAnswer, RevocationMode, RevocationPolicy, RevocationScope};
use tagwise::pkix::UnixTime;

use crate::{errors, input};

/// The fields of `tagwise._revocation.Revocation`.
#[derive(FromPyObject)]
pub(crate) struct Revocation {
    mode: Option<String>,
    scope: String,
    crls: Vec<Vec<u8>>,
    ocsp: Vec<Vec<u8>>,
    evidence_time: Option<i64>,
    proven_at: Option<i64>,
    stale: u64,
    allow: Vec<String>,
}

impl Revocation {
    /// Creates the policy. If no mode is given, it is `prefer` if there are CRLs or OCSP responses, as in the command-line
    /// tool. They may violate the rules that they were allowed to violate when loaded, and those allowed for the whole path.
    pub(crate) fn policy(self, allowed: RuleSet) -> PyResult<RevocationPolicy> {
        let given = !self.crls.is_empty() || !self.ocsp.is_empty();
        let mut policy = RevocationPolicy {
            mode: match self.mode.as_deref() {
                Some("require") => RevocationMode::Require,
                Some("prefer") => RevocationMode::Prefer,
                None if given => RevocationMode::Prefer,
                Some("ignore") | None => RevocationMode::Ignore,
                Some(other) => return Err(unknown("revocation", other, "require, prefer or ignore")),
            },
            scope: match self.scope.as_str() {
                "leaf" => RevocationScope::Leaf,
                "path" => RevocationScope::WholePath,
                other => return Err(unknown("scope of revocation", other, "leaf or path")),
            },
            evidence_time: self.evidence_time.map(UnixTime),
            proven_at: self.proven_at.map(UnixTime),
            tolerance: Duration::from_secs(self.stale),
            ..RevocationPolicy::default()
        };
        policy.evidence.tolerate(allowed.union(input::rules(&self.allow)?));
        self.crls.into_iter().for_each(|crl| policy.evidence.add_crl(crl));
        self.ocsp.into_iter().for_each(|response| policy.evidence.add_ocsp(response));
        Ok(policy)
    }
}

fn unknown(what: &str, found: &str, expected: &str) -> PyErr {
    errors::argument(format!("unknown {what} `{found}`; expected {expected}"))
}

/// For each CRL and OCSP response: its kind, number (from 1), label, and use, and the reason if it was not used.
pub(crate) type Account = Vec<(&'static str, usize, String, &'static str, Option<String>)>;

/// Reports how each piece of evidence was used.
pub(crate) fn account(answers: &[EvidenceAnswer]) -> Account {
    let one = |answer: &EvidenceAnswer| {
        let why = answer.outcome.why().map(str::to_owned);
        (answer.kind.name(), answer.number, answer.label.clone(), answer.outcome.name(), why)
    };
    answers.iter().map(one).collect()
}
