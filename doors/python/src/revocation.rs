//! Evidence about revocation and the revocation mode, for all path verifiers, and the report of its use.

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
    /// The policy; without a mode evidence is preferred where there is any, as by the command. The evidence may break the rules that it was
    /// loaded with, and those that are allowed for the whole path.
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

/// Kind, number from 1, label, use, and the reason if it was not used.
pub(crate) type Account = Vec<(&'static str, usize, String, &'static str, Option<String>)>;

/// The account of each piece of evidence.
pub(crate) fn account(answers: &[EvidenceAnswer]) -> Account {
    let one = |answer: &EvidenceAnswer| {
        let why = answer.outcome.why().map(str::to_owned);
        (answer.kind.name(), answer.number, answer.label.clone(), answer.outcome.name(), why)
    };
    answers.iter().map(one).collect()
}
