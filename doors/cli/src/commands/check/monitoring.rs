//! The results of `tagwise check` for monitoring: a line for Nagios, and OpenMetrics.

use std::collections::BTreeSet;
use std::io::{self, Write};

use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use super::{Answer, Report, Seen};

/// The exit code of a monitoring plugin for an unknown status.
pub(super) const UNKNOWN: u8 = 3;

/// The maximum number of findings in the Nagios line.
const NAMED: usize = 3;

impl Report<'_> {
    /// Returns whether a certificate or CRL is critical: not valid now, or not for long enough.
    fn is_critical(&self, seen: &Seen) -> bool {
        let until = seen.until.unwrap_or(UnixTime::MAX);
        matches!(seen.answer, Answer::Expired | Answer::NotYetValid | Answer::Revoked)
            || self.now.saturating_add(self.critical) > until
    }
}

/// Writes the line and returns the exit code of a monitoring plugin.
pub(super) fn nagios(report: &Report<'_>, out: &mut dyn Write) -> io::Result<u8> {
    let mut findings: Vec<&Seen> =
        report.seen.iter().filter(|seen| seen.answer != Answer::Valid || report.is_critical(seen)).collect();
    findings.sort_by_key(|seen| (!report.is_critical(seen), seen.until.unwrap_or(UnixTime::MAX)));
    let critical = findings.iter().filter(|seen| report.is_critical(seen)).count();
    let is_unknown = |seen: &&&Seen| seen.answer == Answer::Unknown && !report.is_critical(seen);
    let unknown = findings.iter().filter(is_unknown).count();
    let soon = findings.len().saturating_sub(critical).saturating_sub(unknown);
    let skipped: u64 = report.skipped.counts().map(|(_, count)| count).sum();
    // Of what could not be read, nothing is known; a finding that is critical counts more.
    let (code, word) = match report.outcome {
        _ if critical > 0 => (2, "CRITICAL"),
        outcome if outcome.unreadable => (UNKNOWN, "UNKNOWN"),
        _ if report.counts.checked == 0 || unknown > 0 => (UNKNOWN, "UNKNOWN"),
        outcome if soon > 0 || outcome.negative => (1, "WARNING"),
        _ => (0, "OK"),
    };
    let mut text =
        format!("CERTIFICATES {word} - {critical} critical, {soon} expiring soon, of {}", report.counts.checked);
    if unknown > 0 {
        text.push_str(&format!(", {unknown} of unknown revocation status"));
    }
    let malformed = report.skipped.malformed();
    if malformed > 0 {
        text.push_str(&format!(", {malformed} malformed"));
    }
    if skipped > 0 {
        text.push_str(&format!(", {skipped} skipped"));
    }
    for (index, seen) in findings.iter().take(NAMED).enumerate() {
        let lead = if index == 0 { ":" } else { ";" };
        text.push_str(&format!("{lead} {} {} ({})", seen.title(), seen.words(report.now), seen.place));
    }
    let more = findings.len().saturating_sub(NAMED);
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    // A bar would begin the performance data.
    let text = visible(&text).to_string().replace('|', "/");
    let least = report.seen.iter().filter_map(|seen| seen.until).min();
    let left = least.map(|until| until.0.saturating_sub(report.now.0).div_euclid(86_400));
    let (warning, limit) = (report.within.as_secs() / 86_400, report.critical.as_secs() / 86_400);
    let left = left.map(|days| format!("days_left={days};{warning}:;{limit}: ")).unwrap_or_default();
    writeln!(
        out,
        "{text} | {left}checked={};;;0 critical={critical};;;0 soon={soon};;;0 skipped={skipped};;;0 malformed={malformed};;;0",
        report.counts.checked
    )?;
    Ok(code)
}

/// Escapes a label value for OpenMetrics.
fn label(text: &str) -> String {
    visible(&text).to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Writes the metrics in OpenMetrics' text format.
pub(super) fn openmetrics(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let family = |out: &mut dyn Write, name: &str, help: &str, unit: &str| {
        writeln!(out, "# TYPE {name} gauge")?;
        if !unit.is_empty() {
            writeln!(out, "# UNIT {name} {unit}")?;
        }
        writeln!(out, "# HELP {name} {help}")
    };
    let labels = |seen: &Seen| {
        let kind = if seen.is_crl { "crl" } else { "certificate" };
        let sha256 = seen.sha256.as_deref().unwrap_or_default();
        format!("kind=\"{kind}\",name=\"{}\",place=\"{}\",sha256=\"{sha256}\"", label(&seen.name), label(&seen.place))
    };
    // A file that is read twice has one series: collectors reject duplicates.
    let mut known = BTreeSet::new();
    let series: Vec<(String, &Seen)> = report
        .seen
        .iter()
        .map(|seen| (labels(seen), seen))
        .filter(|(labels, _)| known.insert(labels.clone()))
        .collect();
    let name = "tagwise_not_after_seconds";
    family(out, name, "End of validity, or next update of a CRL, in Unix time.", "seconds")?;
    for (labels, seen) in &series {
        if let Some(until) = seen.until {
            writeln!(out, "{name}{{{labels}}} {}", until.0)?;
        }
    }
    let name = "tagwise_not_before_seconds";
    family(out, name, "Start of validity, or issue of a CRL, in Unix time.", "seconds")?;
    for (labels, seen) in &series {
        writeln!(out, "{name}{{{labels}}} {}", seen.from.0)?;
    }
    let name = "tagwise_checked";
    family(out, name, "Certificates and CRLs by status.", "")?;
    let answers = [Answer::Valid, Answer::Expired, Answer::ExpiresSoon, Answer::NotYetValid];
    let fetched = [Answer::Revoked, Answer::Unknown];
    for answer in answers.into_iter().chain(fetched.into_iter().filter(|_| report.is_fetched)) {
        let count = report.seen.iter().filter(|seen| seen.answer == answer).count();
        writeln!(out, "{name}{{status=\"{}\"}} {count}", answer.name())?;
    }
    let name = "tagwise_skipped_files";
    family(out, name, "Files without a result, by reason.", "")?;
    for (reason, count) in report.skipped.counts() {
        writeln!(out, "{name}{{reason=\"{reason}\"}} {count}")?;
    }
    let name = "tagwise_malformed";
    family(out, name, "Certificates, CRLs and other parts of files that could not be decoded.", "")?;
    writeln!(out, "{name} {}", report.skipped.malformed())?;
    let name = "tagwise_check_time_seconds";
    family(out, name, "Time for which validity was checked, in Unix time.", "seconds")?;
    writeln!(out, "{name} {}", report.now.0)?;
    writeln!(out, "# EOF")
}
