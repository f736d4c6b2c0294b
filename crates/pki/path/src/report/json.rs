//! The versioned JSON format of a report. Because the format is stable, its members are listed here, independently of the
//! report's types.

use serde::Serialize;
use tagwise_pkix::CertificateBuf;

use super::{Candidate, Explanation, Outcome, Report};
use crate::budget::Spent;
use crate::path::Path;
use crate::revocation::{EvidenceAnswer, RevocationAnswer, Status};
use crate::sct::SctAnswer;

/// The version of the format, which changes when a member is removed or its meaning changes.
const VERSION: u32 = 1;

pub(super) fn report(report: &Report) -> String {
    let (outcome, limit) = match report.outcome() {
        Outcome::Refused => ("refused", None),
        Outcome::Exhausted(limit) => ("exhausted", Some(limit.name())),
    };
    document(outcome, limit, None, report.explanation())
}

pub(super) fn path(path: &Path) -> String {
    let valid = Valid {
        certificates: summaries(&path.certificates),
        anchor: path.anchor.label().to_string(),
        policies: path.policies.as_ref().map(|policies| policies.iter().map(ToString::to_string).collect()),
    };
    document("valid", None, Some(valid), &path.explanation)
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(flatten)]
    valid: Option<Valid>,
    profile: &'static str,
    time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence_time: Option<String>,
    rules: Vec<&'static str>,
    assumptions: &'a [String],
    revocation: Vec<Revocation<'a>>,
    evidence: Vec<Evidence<'a>>,
    timestamps: Vec<Timestamp<'a>>,
    rejected: Vec<Rejected<'a>>,
    omitted: u64,
    spent: &'a Spent,
}

#[derive(Serialize)]
struct Valid {
    certificates: Vec<Summary>,
    anchor: String,
    policies: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Summary {
    subject: String,
    issuer: String,
    serial_number: String,
}

#[derive(Serialize)]
struct Rejected<'a> {
    certificates: Vec<Summary>,
    anchor: Option<&'a str>,
    rule: &'static str,
    clause: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<usize>,
    #[serde(flatten)]
    field: Option<Field<'a>>,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    undecided: bool,
}

#[derive(Serialize)]
struct Field<'a> {
    path: &'a str,
    offset: usize,
}

#[derive(Serialize)]
struct Revocation<'a> {
    certificate: usize,
    status: &'static str,
    source: &'a str,
}

#[derive(Serialize)]
struct Evidence<'a> {
    kind: &'static str,
    number: usize,
    label: &'a str,
    r#use: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Timestamp<'a> {
    log: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
}

#[expect(clippy::expect_used, reason = "strings and numbers under fixed keys")]
fn document(
    outcome: &'static str,
    limit: Option<&'static str>,
    valid: Option<Valid>,
    explanation: &Explanation,
) -> String {
    let document = Document {
        version: VERSION,
        outcome,
        limit,
        valid,
        profile: explanation.profile,
        time: explanation.time.to_string(),
        evidence_time: explanation.evidence_time.map(|time| time.to_string()),
        rules: explanation.rules.iter().map(|rule| rule.name()).collect(),
        assumptions: &explanation.assumptions,
        revocation: explanation.revocation.iter().map(revocation).collect(),
        evidence: explanation.evidence.iter().map(evidence).collect(),
        timestamps: explanation.timestamps.iter().map(timestamp).collect(),
        rejected: explanation.candidates.iter().map(rejected).collect(),
        omitted: explanation.omitted,
        spent: &explanation.spent,
    };
    serde_json::to_string(&document).expect("JSON values")
}

fn summaries(certificates: &[CertificateBuf]) -> Vec<Summary> {
    let summary = |certificate: &CertificateBuf| {
        let tbs = &certificate.get().tbs_certificate;
        Summary {
            subject: tbs.subject.oneline().to_string(),
            issuer: tbs.issuer.oneline().to_string(),
            serial_number: tbs.serial_number.hex().to_string(),
        }
    };
    certificates.iter().map(summary).collect()
}

fn rejected(candidate: &Candidate) -> Rejected<'_> {
    let refusal = &candidate.refusal;
    Rejected {
        certificates: summaries(&candidate.certificates),
        anchor: candidate.anchor.as_deref(),
        rule: refusal.rule.name(),
        clause: refusal.clause,
        message: &refusal.message,
        certificate: refusal.certificate,
        field: refusal.offset.map(|offset| Field { path: &refusal.path, offset }),
        undecided: refusal.undecided,
    }
}

fn revocation(answer: &RevocationAnswer) -> Revocation<'_> {
    let (status, source) = match &answer.status {
        Status::Good { source } => ("good", source),
        Status::Revoked { source, .. } => ("revoked", source),
        Status::Unknown { why } => ("unknown", why),
    };
    Revocation { certificate: answer.certificate, status, source }
}

fn evidence(answer: &EvidenceAnswer) -> Evidence<'_> {
    Evidence {
        kind: answer.kind.name(),
        number: answer.number,
        label: &answer.label,
        r#use: answer.outcome.name(),
        reason: answer.outcome.why(),
    }
}

fn timestamp(answer: &SctAnswer) -> Timestamp<'_> {
    Timestamp {
        log: &answer.log,
        operator: answer.operator.as_deref(),
        time: answer.time.map(|time| time.to_string()),
        origin: answer.origin.name(),
        fault: answer.fault.as_deref(),
    }
}
