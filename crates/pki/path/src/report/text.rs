//! Formats a report as text: the verdict, then a tree of the candidates.

use core::fmt;

use tagwise_pkix::CertificateBuf;
use tagwise_pkix::name::visible;

use super::{Candidate, Explanation, Outcome, Report};
use crate::path::Path;

/// Writes the report of a validation that found no path.
pub(super) fn report(report: &Report, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match report.outcome() {
        Outcome::Refused => f.write_str("not valid")?,
        Outcome::Exhausted(limit) => {
            write!(f, "undecided: the budget of {} was exceeded ({limit})", limit.text())?;
        }
    }
    let explanation = report.explanation();
    write!(f, ", by profile {} at {}", explanation.profile, explanation.time)?;
    evidence_time(explanation, f)?;
    candidates(explanation, f)?;
    writeln!(f)?;
    evidence(explanation, f)?;
    spent(explanation, f)
}

/// The maximum number of CRLs and OCSP responses to list.
const LISTED: usize = 100;

/// Writes how each CRL and OCSP response was used.
fn evidence(explanation: &Explanation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for answer in explanation.evidence.iter().take(LISTED) {
        writeln!(f, "  evidence: {}", visible(&answer.to_string()))?;
    }
    match explanation.evidence.len().checked_sub(LISTED) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(f, "  evidence: … and {more} more"),
    }
}

/// Writes the report of a valid path.
pub(super) fn path(path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let explanation = &path.explanation;
    write!(f, "valid, by profile {} at {}", explanation.profile, explanation.time)?;
    evidence_time(explanation, f)?;
    writeln!(f)?;
    writeln!(f, "  path")?;
    for (index, certificate) in path.certificates.iter().enumerate() {
        writeln!(f, "    {index}: {}", summary(certificate))?;
    }
    writeln!(f, "    anchor: {}", visible(&path.anchor.label()))?;
    match &path.policies {
        None => writeln!(f, "  policies: any")?,
        Some(policies) if policies.is_empty() => writeln!(f, "  policies: none")?,
        Some(policies) => {
            f.write_str("  policies:")?;
            policies.iter().try_for_each(|policy| write!(f, " {policy}"))?;
            writeln!(f)?;
        }
    }
    f.write_str("  rules:")?;
    explanation.rules.iter().try_for_each(|rule| write!(f, " {rule}"))?;
    writeln!(f)?;
    for answer in &explanation.revocation {
        writeln!(f, "  revocation of {}: {}", answer.certificate, answer.status)?;
    }
    evidence(explanation, f)?;
    for answer in &explanation.timestamps {
        let (log, operator) = (visible(&answer.log), answer.operator.as_deref().unwrap_or("unknown"));
        write!(f, "  timestamp of {log} ({}), from the {}", visible(operator), answer.origin.name())?;
        answer.time.iter().try_for_each(|time| write!(f, ", {time}"))?;
        writeln!(f, ": {}", visible(answer.fault.as_deref().unwrap_or("valid")))?;
    }
    for assumption in &explanation.assumptions {
        writeln!(f, "  assumed: {assumption}")?;
    }
    if !explanation.candidates.is_empty() || explanation.omitted > 0 {
        f.write_str("rejected before")?;
        candidates(explanation, f)?;
        writeln!(f)?;
    }
    spent(explanation, f)
}

/// Writes the evidence time if it differs from the validation time.
fn evidence_time(explanation: &Explanation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match explanation.evidence_time {
        Some(time) if time != explanation.time => write!(f, ", with evidence at {time}"),
        _ => Ok(()),
    }
}

fn candidates(explanation: &Explanation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut before: &[CertificateBuf] = &[];
    for candidate in &explanation.candidates {
        branch(candidate, before, f)?;
        before = &candidate.certificates;
    }
    if explanation.omitted > 0 {
        write!(f, "\n  … and {} more candidates", explanation.omitted)?;
    }
    Ok(())
}

/// Writes a candidate, omitting the certificates that it shares with the previous one.
fn branch(candidate: &Candidate, before: &[CertificateBuf], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let shared = candidate.certificates.iter().zip(before).take_while(|(own, other)| own == other).count();
    for (depth, certificate) in candidate.certificates.iter().enumerate().skip(shared) {
        write!(f, "\n{:indent$}{depth}: {}", "", summary(certificate), indent = 2 + 2 * depth)?;
    }
    let depth = candidate.certificates.len();
    let indent = 2 + 2 * depth;
    if let Some(anchor) = &candidate.anchor {
        write!(f, "\n{:indent$}anchor: {}", "", visible(anchor))?;
    }
    let certificate = match candidate.refusal.certificate {
        Some(index) if index == depth => "the anchor: ".to_owned(),
        // A fault of the certificate just above needs no number.
        Some(index) if index + 1 < depth || candidate.anchor.is_some() => format!("certificate {index}: "),
        _ => String::new(),
    };
    write!(f, "\n{:indent$}✗ {certificate}{}", "", candidate.refusal)
}

fn spent(explanation: &Explanation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let spent = &explanation.spent;
    write!(
        f,
        "  spent: {} signatures, {} paths, {} name comparisons, {} policy nodes, {} constraint comparisons",
        spent.signatures, spent.paths, spent.name_comparisons, spent.policy_nodes, spent.constraint_comparisons
    )
}

/// Returns a certificate's subject and serial number, safe to print.
fn summary(certificate: &CertificateBuf) -> String {
    let tbs = &certificate.get().tbs_certificate;
    let subject = tbs.subject.oneline().to_string();
    let subject = if subject.is_empty() { "(no subject)".to_owned() } else { subject };
    format!("{subject} (serial {})", tbs.serial_number.hex())
}
