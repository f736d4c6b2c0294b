//! Validation reports: candidates, rejections and assumptions.

mod json;
mod text;

use core::fmt;

use tagwise_pkix::{CertificateBuf, UnixTime};

use crate::budget::{Limit, Spent};
use crate::path::Path;
use crate::policy::Policy;
use crate::refusal::Refusal;
use crate::revocation::{Accounts, EvidenceAnswer, RevocationAnswer};
use crate::rules::RuleSet;
use crate::sct::SctAnswer;

/// The report of a validation that found no path: a tree of candidates, each with the reason for its rejection.
///
/// `Display` shows it as text, and [`Report::to_json`] returns the same information as JSON.
#[derive(Clone, Debug)]
pub struct Report(pub(crate) Box<Inner>);

#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) outcome: Outcome,
    /// True if a candidate was rejected because something is unknown rather than wrong.
    pub(crate) undecided: bool,
    pub(crate) explanation: Explanation,
}

/// The reason why no path was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All candidates were checked, and no path is valid.
    Refused,
    /// The budget was exceeded before a valid path was found, so it is unknown whether one exists.
    Exhausted(Limit),
}

/// The details of a validation: candidates, rules in force, assumptions and cost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The name of the profile.
    pub profile: &'static str,
    /// The time of validation.
    pub time: UnixTime,
    /// The time at which CRLs and OCSP responses must be current, or `None` if revocation was not checked.
    pub evidence_time: Option<UnixTime>,
    /// The rules in force.
    pub rules: RuleSet,
    /// The rejected candidates, in the order in which they were checked.
    pub candidates: Vec<Candidate>,
    /// The number of rejected candidates that are not listed, because of [`Budget::reported`](crate::Budget::reported).
    pub omitted: u64,
    /// The assumptions that the result is based on.
    pub assumptions: Vec<String>,
    /// The revocation status of a valid path's certificates, from the anchor down. Empty if revocation was not checked.
    pub revocation: Vec<RevocationAnswer>,
    /// The use of each CRL, OCSP response and other source in the policy.
    pub evidence: Vec<EvidenceAnswer>,
    /// The signed certificate timestamps (SCTs) that were checked until the policy was satisfied. Empty if it requires none.
    pub timestamps: Vec<SctAnswer>,
    /// The cost of the validation.
    pub spent: Spent,
}

/// A rejected path or partial path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The candidate's certificates, starting with the end-entity certificate. The last one was issued by the anchor or, if no anchor
    /// was reached, is the last one that was tried.
    pub certificates: Vec<CertificateBuf>,
    /// The label or name of the anchor, if one was reached.
    pub anchor: Option<String>,
    /// The reason for the candidate's rejection.
    pub refusal: Refusal,
}

impl Report {
    /// Returns the reason why no path was found.
    ///
    /// ```
    /// use tagwise_path::{Outcome, Anchors, Policy, Pool, Profile, verify};
    /// # use tagwise_path::{SignatureFault, Verifier};
    /// # use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};
    /// # struct Never;
    /// # impl Verifier for Never {
    /// #     fn verify(&self, _: &SubjectPublicKeyInfo<'_>, _: &AlgorithmIdentifier<'_>, _: &[u8], _: &[u8]) -> Result<(), SignatureFault> {
    /// #         Err(SignatureFault::Wrong)
    /// #     }
    /// # }
    /// let policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    /// let report = verify::path(b"no certificate", &Pool::new(), &Anchors::new(), &policy, &Never).unwrap_err();
    /// assert_eq!(report.outcome(), Outcome::Refused);
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    /// Creates the report for an end-entity certificate whose outer structure cannot be decoded.
    pub(crate) fn unreadable(policy: &Policy, error: &tagwise_codec::Error) -> Self {
        let refusal = Refusal::malformed(error);
        let candidate = Candidate { certificates: Vec::new(), anchor: None, refusal };
        let explanation = Explanation {
            profile: policy.profile,
            time: policy.time,
            evidence_time: policy.evidence_time(),
            rules: policy.rules,
            candidates: vec![candidate],
            omitted: 0,
            assumptions: Vec::new(),
            revocation: Vec::new(),
            evidence: Accounts::default().answers(&policy.revocation, policy.evidence_time().is_some()),
            timestamps: Vec::new(),
            spent: Spent::default(),
        };
        Self(Box::new(Inner { outcome: Outcome::Refused, undecided: false, explanation }))
    }

    /// Returns the details of the validation.
    #[must_use]
    pub fn explanation(&self) -> &Explanation {
        &self.0.explanation
    }

    /// Returns the rejection of the furthest candidate, which is the most useful one to show.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.furthest().map(|candidate| &candidate.refusal)
    }

    /// Returns the candidate that came furthest: preferably one rejected because something is unknown, otherwise one that reached an
    /// anchor, otherwise the longest.
    #[must_use]
    pub fn furthest(&self) -> Option<&Candidate> {
        let candidates = self.0.explanation.candidates.iter().rev();
        candidates.max_by_key(|candidate| {
            (candidate.refusal.undecided, candidate.anchor.is_some(), candidate.certificates.len())
        })
    }

    /// Returns whether a larger budget, more CRLs or OCSP responses, or a different verifier might change the result. True if the budget
    /// was exceeded, or if a candidate, listed or not, was rejected for missing or unusable revocation evidence or an
    /// unsupported algorithm.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(self.outcome(), Outcome::Exhausted(_)) || self.0.undecided
    }

    /// Returns the report in its versioned JSON format.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::report(self)
    }
}

pub(crate) fn path_json(path: &Path) -> String {
    json::path(path)
}

pub(crate) fn path_text(path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    text::path(path, f)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::report(self, f)
    }
}

impl std::error::Error for Report {}
