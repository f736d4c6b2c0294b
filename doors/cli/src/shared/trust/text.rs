//! The verdict on a certificate as text: one word, the path, and a list of checks and assumptions. If there is no valid
//! path, the first violated rule is shown instead.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tagwise_path::{
    EvidenceAnswer, EvidenceUse, Explanation, Outcome, Path, Policy, Profile, Refusal, Report, RevocationMode, Rule,
    Status,
};
use tagwise_pkix::CertificateBuf;
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::name::visible;

use super::verdict::{Answer, Verdict};
use crate::shared::context::Context;

/// The writer of verdicts.
#[derive(Debug)]
pub(crate) struct Text<'t> {
    /// The options of the command, and whether output is colored.
    pub(crate) context: &'t Context,
    /// True if every candidate path should be shown.
    pub(crate) explain: bool,
    /// The indentation before each line.
    pub(crate) indent: &'t str,
    pub(crate) policy: &'t Policy,
    /// True if the profile was chosen based on the anchor.
    pub(crate) by_anchor: bool,
}

/// Describes how the rules in force differ from those of the profile, because of the anchor, `--enforce` or `--allow`.
fn changes(explanation: &Explanation, policy: &Policy) -> String {
    let Some(profile) = Profile::by_name(explanation.profile) else { return String::new() };
    let (rules, own) = (explanation.rules, profile.rules);
    let mut added: Vec<&str> = rules.iter().filter(|rule| !own.has(*rule)).map(|rule| rule.name()).collect();
    // The rule has an effect only with such bits.
    if profile.key_usage == 0 && policy.key_usage != 0 && policy.profile == profile.name {
        added.push(Rule::KeyUsage.name());
    }
    let removed: Vec<&str> = own.iter().filter(|rule| !rules.has(*rule)).map(|rule| rule.name()).collect();
    let list = |word: &str, names: &[&str]| match names {
        [] => String::new(),
        names => format!(" {word} {}", names.join(", ")),
    };
    list("with", &added) + &list("without", &removed)
}

/// The maximum number of assumptions, and of CRLs and OCSP responses, to show without `--explain`.
const ASSUMED: usize = 8;
/// The number of alternative names per line.
const SHOWN: usize = 8;

impl Text<'_> {
    /// Returns the word for an answer, in color.
    pub(crate) fn word(&self, answer: Answer) -> String {
        let (word, colour) = match answer {
            Answer::Valid => ("valid", AnsiColor::Green),
            Answer::Invalid => ("NOT VALID", AnsiColor::Red),
            Answer::Undecided => ("NOT KNOWN", AnsiColor::Yellow),
        };
        let style = if self.context.color { Style::new().bold().fg_color(Some(colour.into())) } else { Style::new() };
        format!("{style}{word}{style:#}")
    }

    pub(crate) fn line(&self, out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
        let label = if label.is_empty() { String::new() } else { format!("{label}:") };
        let line = format!("{label:<13}{}", visible(text));
        writeln!(out, "{}{}", self.indent, line.trim_end())
    }

    /// Writes the verdict without the word for the answer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn write(&self, verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
        match verdict {
            Verdict::Valid(path) => {
                self.path(path, out)?;
                self.checked(&path.explanation, out)?;
                self.evidence(&path.explanation, out)?;
                self.account(&path.explanation, out)?;
                self.assumed(path, out)?;
                if self.explain {
                    self.whole(path, out)?;
                }
                Ok(())
            }
            Verdict::Not(report) => self.refused(report, out),
            Verdict::Survey(survey) if survey.paths.is_empty() => self.refused(&survey.report, out),
            Verdict::Survey(survey) => {
                for path in &survey.paths {
                    self.path(path, out)?;
                    self.evidence(&path.explanation, out)?;
                    self.account(&path.explanation, out)?;
                    self.assumed(path, out)?;
                }
                self.checked(survey.report.explanation(), out)?;
                if let Outcome::Exhausted(limit) = survey.report.outcome() {
                    let text = format!("the budget of {} was exceeded: there may be more paths", limit.text());
                    self.line(out, "Unknown", &text)?;
                }
                self.others(survey.report.explanation(), 0, out)?;
                if self.explain {
                    self.whole(&survey.report, out)?;
                }
                Ok(())
            }
        }
    }

    fn path(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        match &*path.certificates {
            // It is itself the anchor.
            [only] if path.anchor.certificate() == Some(only) => {
                self.line(out, "Path", &format!("0  {} (trust anchor)", subject(only)))?;
            }
            certificates => self.certificates(certificates, Some(&path.anchor.label()), out)?,
        }
        match &path.policies {
            Some(policies) if policies.is_empty() => match self.policy.policies.initial {
                Some(_) => {
                    self.line(out, "Policies", "none of the requested policies; --require-explicit-policy requires one")
                }
                None => Ok(()),
            },
            Some(policies) => {
                let names: Vec<String> = policies.iter().map(|policy| named(policy.as_oid())).collect();
                self.line(out, "Policies", &names.join(", "))
            }
            None => Ok(()),
        }
    }

    fn certificates(
        &self,
        certificates: &[CertificateBuf],
        anchor: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut label = "Path";
        for (index, certificate) in certificates.iter().enumerate() {
            self.line(out, label, &format!("{index}  {}", subject(certificate)))?;
            label = "";
        }
        match anchor {
            Some(anchor) => self.line(out, label, &format!("{}  {anchor} (trust anchor)", certificates.len())),
            None => Ok(()),
        }
    }

    fn checked(&self, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        let why = match explanation.profile {
            _ if !self.by_anchor => "",
            "webpki" => " (for publicly trusted roots)",
            _ => " (not a publicly trusted root)",
        };
        let changes = changes(explanation, self.policy);
        let mut text = format!("profile {}{changes}{why} at {}", explanation.profile, explanation.time);
        if let Some(time) = explanation.evidence_time.filter(|time| *time != explanation.time) {
            text.push_str(&format!("; evidence at {time}"));
        }
        let purposes: Vec<String> = self.policy.purposes.iter().map(|purpose| named(purpose.as_oid())).collect();
        if !purposes.is_empty() {
            text.push_str(&format!("; purpose {}", purposes.join(", ")));
        }
        let names: Vec<String> = self.policy.names.iter().map(ToString::to_string).collect();
        if !names.is_empty() {
            text.push_str(&format!("; name {}", names.join(", ")));
        }
        self.line(out, "Checked", &text)
    }

    /// Writes the known revocation statuses and the certificate timestamps of a valid path.
    fn evidence(&self, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        let mut label = "Revocation";
        let mut answers: Vec<_> = explanation.revocation.iter().collect();
        answers.sort_by_key(|answer| answer.certificate);
        for answer in answers {
            let words = match &answer.status {
                Status::Good { source } => format!("not revoked: {source}"),
                Status::Revoked { source, .. } => format!("revoked: {source}"),
                // That is among the assumptions.
                Status::Unknown { .. } => continue,
            };
            self.line(out, label, &format!("{}  {words}", answer.certificate))?;
            label = "";
        }
        let mut label = "Timestamps";
        for answer in &explanation.timestamps {
            let words = match (&answer.fault, &answer.time) {
                (Some(fault), _) => format!("not counted: {fault}"),
                (None, Some(time)) => format!("{time}, {}", answer.origin.name()),
                (None, None) => answer.origin.name().to_owned(),
            };
            self.line(out, label, &format!("{}: {words}", answer.log))?;
            label = "";
        }
        Ok(())
    }

    /// Writes the use of each CRL and OCSP response, beginning with those that could not be used.
    fn account(&self, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        let mut answers: Vec<&EvidenceAnswer> = explanation.evidence.iter().collect();
        answers.sort_by_key(|answer| !matches!(answer.outcome, EvidenceUse::Unusable { .. }));
        let shown = if self.explain { 0 } else { ASSUMED.min(answers.len()) };
        for (index, answer) in answers.iter().take(shown).enumerate() {
            self.line(out, if index == 0 { "Evidence" } else { "" }, &answer.to_string())?;
        }
        match answers.len().checked_sub(shown) {
            Some(more) if more > 0 && !self.explain => {
                self.line(out, "", &format!("… and {more} more; --explain shows them all"))
            }
            _ => Ok(()),
        }
    }

    fn assumed(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        let assumptions = &path.explanation.assumptions;
        let shown = if self.explain { 0 } else { ASSUMED.min(assumptions.len()) };
        for (index, assumption) in assumptions.iter().take(shown).enumerate() {
            self.line(out, if index == 0 { "Assumed" } else { "" }, assumption)?;
        }
        if assumptions.len() > shown && !self.explain {
            self.line(out, "", &format!("… and {} more; --explain shows them all", assumptions.len() - shown))?;
        }
        let is_server = self.policy.profile == "webpki" || self.by_anchor;
        if self.policy.names.is_empty() && is_server {
            self.line(out, "Not checked", "the name of the server: pass --host NAME or --ip ADDR")?;
        }
        Ok(())
    }

    fn refused(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        if let Outcome::Exhausted(limit) = report.outcome() {
            let text = format!("the budget of {} was exceeded before the search was complete", limit.text());
            self.line(out, "Reason", &text)?;
        }
        if let Some(best) = report.furthest() {
            self.reason(&best.refusal, &best.certificates, best.anchor.as_deref(), out)?;
            self.certificates(&best.certificates, best.anchor.as_deref(), out)?;
        }
        self.checked(report.explanation(), out)?;
        self.account(report.explanation(), out)?;
        if let Some(refusal) = report.refusal() {
            for hint in hints(self.context, refusal, report.explanation().profile, self.policy) {
                self.line(out, "Hint", &hint)?;
            }
        }
        self.others(report.explanation(), 1, out)?;
        if self.explain { self.whole(report, out) } else { Ok(()) }
    }

    fn reason(
        &self,
        refusal: &Refusal,
        certificates: &[CertificateBuf],
        anchor: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.line(out, "Reason", &format!("{}: {}", refusal.rule, refusal.message))?;
        if let Some(index) = refusal.certificate {
            let whose = match (certificates.get(index), anchor) {
                (Some(certificate), _) => format!("certificate {index}, {}", subject(certificate)),
                (None, Some(anchor)) => format!("the anchor, {anchor}"),
                (None, None) => format!("certificate {index}"),
            };
            self.line(out, "Where", &whose)?;
        }
        if let Some(offset) = refusal.offset {
            let field = if refusal.path.is_empty() { String::new() } else { format!("{}, ", refusal.path) };
            self.line(out, "", &format!("{field}byte {offset}"))?;
        }
        self.line(out, "Clause", refusal.clause)?;
        let leaf = certificates.first().filter(|_| refusal.rule == Rule::PeerName);
        let Some(names) = leaf.map(alternative_names) else { return Ok(()) };
        let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        match names.len().checked_sub(SHOWN) {
            None if names.is_empty() => text.push_str("none"),
            None | Some(0) => {}
            Some(more) => text.push_str(&format!(" and {more} more")),
        }
        self.line(out, "Its names", &text)
    }

    /// Writes the number of other candidates.
    fn others(&self, explanation: &Explanation, shown: usize, out: &mut dyn Write) -> io::Result<()> {
        let count = (explanation.candidates.len() as u64 + explanation.omitted).saturating_sub(shown as u64);
        if count == 0 || self.explain {
            return Ok(());
        }
        let paths = if count == 1 { "path was" } else { "paths were" };
        self.line(out, "Rejected", &format!("{count} other candidate {paths} rejected; --explain shows each"))
    }

    /// Writes the library's own report.
    fn whole(&self, report: &dyn core::fmt::Display, out: &mut dyn Write) -> io::Result<()> {
        self.line(out, "Explained", "")?;
        for line in report.to_string().lines() {
            writeln!(out, "{}  {}", self.indent, visible(line))?;
        }
        Ok(())
    }
}

/// Returns a one-line summary of a certificate's subject, or its first alternative name if the subject is empty.
fn subject(certificate: &CertificateBuf) -> String {
    let subject = certificate.get().tbs_certificate.subject;
    if !subject.is_empty() {
        return subject.oneline().to_string();
    }
    let names = alternative_names(certificate);
    names.first().map_or_else(|| "(no subject)".to_owned(), |name| format!("(no subject) {name}"))
}

/// Returns the readable alternative names.
fn alternative_names(certificate: &CertificateBuf) -> Vec<String> {
    let extensions = certificate.get().tbs_certificate.extensions;
    let names = extensions.and_then(|extensions| extensions.get::<SubjectAltName<'_>>().ok()?);
    names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok).map(|name| name.to_string()).collect()
}

/// Returns an identifier's name, or its dotted form if it has no name.
fn named(oid: tagwise_codec::Oid<'_>) -> String {
    tagwise_pkix::oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}

/// Returns the command's options that may resolve a rejection.
fn hints(context: &Context, refusal: &Refusal, profile: &str, policy: &Policy) -> Vec<String> {
    let offered = |parts: &[(&str, &str)]| -> Vec<String> {
        let parts = parts.iter().filter(|(option, _)| context.offers(option.split(' ').next().unwrap_or_default()));
        parts.map(|(option, does)| format!("--{option} {does}")).collect()
    };
    let mut hints = Vec::new();
    if let Some(rule) = refusal.decoding {
        hints.extend(offered(&[(&format!("allow {}", rule.name), "tolerates this")]));
    }
    match refusal.rule {
        Rule::NoIssuer => hints.push(
            offered(&[
                ("untrusted FILE", "adds certificates to build the path from"),
                ("trust FILE", "makes a certificate a trust anchor"),
            ])
            .join("; "),
        ),
        Rule::Revocation if refusal.undecided => {
            hints.push(offered(&[("crl FILE", "and --ocsp FILE add evidence")]).join("; "));
            let is_in_doubt = refusal.message.contains("cannot be used: ");
            if policy.revocation.mode == RevocationMode::Require && !is_in_doubt {
                hints.extend(offered(&[("revocation prefer", "accepts certificates without evidence")]));
            }
            if refusal.message.contains("is in the future") || refusal.message.contains("has passed") {
                let does = "sets another time at which evidence must be current";
                hints.extend(offered(&[("evidence-at TIME", does)]));
            }
        }
        Rule::Validity | Rule::AnchorValidity => hints.extend(offered(&[("at TIME", "checks another time")])),
        rule if rule.is_fixed() || matches!(rule, Rule::PeerName | Rule::Revocation) => {}
        rule => {
            // `--allow` contradicts `--enforce`, which may have added a rule that the profile does not have.
            if Profile::by_name(profile).is_none_or(|profile| profile.rules.has(rule)) {
                hints.extend(offered(&[(&format!("allow {rule}"), "disables this rule")]));
            }
            if profile == "webpki" && rule.family() == tagwise_path::Family::Webpki {
                hints.extend(offered(&[("profile rfc5280", "disables all rules of the CA/Browser Forum")]));
            }
        }
    }
    hints.retain(|hint| !hint.is_empty());
    hints
}
