//! Records how each supplied CRL, OCSP response and source was used.

use core::fmt;

use super::RevocationPolicy;

/// The kind of a piece of revocation evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// A CRL, complete or delta.
    Crl,
    /// An OCSP response.
    Ocsp,
    /// A [`RevocationSource`](crate::RevocationSource).
    Source,
}

impl EvidenceKind {
    /// Returns the stable name: `crl`, `ocsp` or `source`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crl => "crl",
            Self::Ocsp => "ocsp",
            Self::Source => "source",
        }
    }
}

/// The use of a CRL, OCSP response or other source, or the reason why it was not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvidenceUse {
    /// The CRL, response or source determined the revocation status of a certificate.
    Used,
    /// The CRL or response does not cover a certificate in the path, or has been superseded by a newer one.
    NotApplicable {
        /// The reason why the CRL or OCSP response is not applicable.
        why: String,
    },
    /// The CRL or response covers, or may cover, a certificate in the path, but is unusable: malformed, forged, out of date, or
    /// with an unsupported critical extension.
    Unusable {
        /// The reason why the CRL or OCSP response is unusable.
        why: String,
    },
}

impl EvidenceUse {
    /// Returns the stable name: `used`, `not-applicable` or `unusable`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::NotApplicable { .. } => "not-applicable",
            Self::Unusable { .. } => "unusable",
        }
    }

    /// Returns the reason why the CRL or OCSP response was not used, or `None` if it was used.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Used => None,
            Self::NotApplicable { why } | Self::Unusable { why } => Some(why),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::NotApplicable { .. } => 0,
            Self::Unusable { .. } => 1,
            Self::Used => 2,
        }
    }
}

/// A supplied CRL, OCSP response or other source, and how it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvidenceAnswer {
    /// The kind: CRL, OCSP response or other source.
    pub kind: EvidenceKind,
    /// The number among all supplied ones of the same kind, from 1.
    pub number: usize,
    /// A one-line label, such as `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`. Contains only the kind and number if it cannot be
    /// decoded.
    pub label: String,
    /// The use of the CRL, response or source, or the reason why it was not used.
    pub outcome: EvidenceUse,
}

impl fmt::Display for EvidenceAnswer {
    /// `CRL 17 of CN=CA, 2026-11-21T10:00:00Z: unusable: its nextUpdate …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            EvidenceUse::Used => write!(f, "{}: used", self.label),
            EvidenceUse::NotApplicable { why } => write!(f, "{}: not applicable: {why}", self.label),
            EvidenceUse::Unusable { why } => write!(f, "{}: unusable: {why}", self.label),
        }
    }
}

/// The recorded use of one piece of revocation evidence so far.
#[derive(Clone, Debug, Default)]
struct EvidenceEntry {
    label: Option<String>,
    outcome: Option<EvidenceUse>,
}

/// The recorded use of each piece of revocation evidence in one validation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts {
    crls: Vec<EvidenceEntry>,
    ocsp: Vec<EvidenceEntry>,
    sources: Vec<EvidenceEntry>,
    /// True if revocation was checked for some path.
    is_checked: bool,
}

impl Accounts {
    /// Records that revocation is being checked.
    pub(crate) fn check(&mut self) {
        self.is_checked = true;
    }

    fn list(&mut self, kind: EvidenceKind) -> &mut Vec<EvidenceEntry> {
        match kind {
            EvidenceKind::Crl => &mut self.crls,
            EvidenceKind::Ocsp => &mut self.ocsp,
            EvidenceKind::Source => &mut self.sources,
        }
    }

    fn entry(&mut self, kind: EvidenceKind, number: usize) -> Option<&mut EvidenceEntry> {
        let list = self.list(kind);
        if list.len() <= number {
            list.resize_with(number + 1, EvidenceEntry::default);
        }
        list.get_mut(number)
    }

    /// Records the label of a CRL or OCSP response, by its index among all of the same kind.
    pub(super) fn label(&mut self, kind: EvidenceKind, number: usize, label: impl FnOnce() -> String) {
        if let Some(entry) = self.entry(kind, number) {
            entry.label.get_or_insert_with(label);
        }
    }

    /// Records an outcome. If there are several for the same CRL or OCSP response, `used` takes precedence over `unusable`, and
    /// `unusable` over `not-applicable`.
    pub(super) fn note(&mut self, kind: EvidenceKind, number: usize, outcome: EvidenceUse) {
        if let Some(entry) = self.entry(kind, number)
            && entry.outcome.as_ref().is_none_or(|known| known.rank() < outcome.rank())
        {
            entry.outcome = Some(outcome);
        }
    }

    /// Merges the use of CRLs and OCSP responses recorded for another candidate.
    pub(crate) fn merge(&mut self, other: Self) {
        self.is_checked |= other.is_checked;
        let lists =
            [(EvidenceKind::Crl, other.crls), (EvidenceKind::Ocsp, other.ocsp), (EvidenceKind::Source, other.sources)];
        for (kind, list) in lists {
            for (number, entry) in list.into_iter().enumerate() {
                if let Some(label) = entry.label {
                    self.label(kind, number, || label);
                }
                if let Some(outcome) = entry.outcome {
                    self.note(kind, number, outcome);
                }
            }
        }
    }

    /// Returns the recorded use of each CRL and OCSP response in the policy. `is_wanted` is true if the policy requires revocation checks.
    pub(crate) fn answers(mut self, policy: &RevocationPolicy, is_wanted: bool) -> Vec<EvidenceAnswer> {
        let rest = match (is_wanted, self.is_checked) {
            (false, _) => "revocation was not checked",
            (true, false) => "no path reached the revocation check",
            (true, true) => "not needed for the result",
        };
        let counts = [
            (EvidenceKind::Crl, "CRL", policy.evidence.lists().len()),
            (EvidenceKind::Ocsp, "OCSP response", policy.evidence.responses().len()),
            (EvidenceKind::Source, "source", policy.sources.len()),
        ];
        let mut answers = Vec::new();
        for (kind, name, count) in counts {
            for number in 0..count {
                let entry = self.entry(kind, number).map(core::mem::take).unwrap_or_default();
                let label = entry.label.unwrap_or_else(|| format!("{name} {} of the evidence", number + 1));
                let outcome = entry.outcome.unwrap_or_else(|| EvidenceUse::NotApplicable { why: rest.to_owned() });
                answers.push(EvidenceAnswer { kind, number: number + 1, label, outcome });
            }
        }
        answers
    }
}

/// The findings about one certificate, besides its status.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Problems found in the CRLs and OCSP responses.
    pub(super) faults: Vec<String>,
    /// Revocations reported by unusable CRLs and OCSP responses.
    pub(super) doubts: Vec<Doubt>,
}

/// A revocation reported by an unusable CRL or OCSP response.
#[derive(Debug)]
pub(super) struct Doubt {
    /// The thisUpdate of the CRL or OCSP response.
    pub(super) time: tagwise_pkix::UnixTime,
    /// True for certificateHold, which a newer CRL or OCSP response may lift (RFC 5280 §5.3.1).
    pub(super) may_be_lifted: bool,
    pub(super) why: String,
}

/// The reason why the signer of a CRL or OCSP response could not be confirmed.
#[derive(Debug)]
pub(super) struct Unverified {
    pub(super) why: String,
    /// True if the CRL or OCSP response may nevertheless be authentic: its signature could not be checked, or is valid but its signer was
    /// not authorized at the time.
    pub(super) is_possible: bool,
}

impl Unverified {
    pub(super) fn no(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_possible: false }
    }

    pub(super) fn perhaps(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_possible: true }
    }

    /// Keeps the first reason, and records whether the CRL or OCSP response may be authentic according to either reason.
    pub(super) fn or(first: &mut Option<Self>, other: Self) {
        match first {
            None => *first = Some(other),
            Some(known) => known.is_possible |= other.is_possible,
        }
    }

    /// Keeps the last reason, and records whether the CRL or OCSP response may be authentic according to either reason.
    pub(super) fn then(last: &mut Option<Self>, other: Self) {
        let is_possible = other.is_possible || last.as_ref().is_some_and(|last| last.is_possible);
        *last = Some(Self { is_possible, ..other });
    }
}
