//! The versioned JSON form of a report. It is written by hand because the format is stable.

use core::fmt::Write as _;

use tagwise_pkix::CertificateBuf;

use super::{Candidate, Explanation, Outcome, Report};
use crate::path::Path;
use crate::revocation::Status;

/// The version of the shape, which changes when a field is removed or its meaning changes.
const VERSION: u32 = 1;

pub(super) fn report(report: &Report) -> String {
    let mut json = Json::new();
    json.open('{');
    json.number("version", u64::from(VERSION));
    match report.outcome() {
        Outcome::Refused => json.string("outcome", "refused"),
        Outcome::Exhausted(limit) => {
            json.string("outcome", "exhausted");
            json.string("limit", limit.name());
        }
    }
    json.explanation(report.explanation());
    json.close('}');
    json.out
}

pub(super) fn path(path: &Path) -> String {
    let mut json = Json::new();
    json.open('{');
    json.number("version", u64::from(VERSION));
    json.string("outcome", "valid");
    json.certificates(&path.certificates);
    json.string("anchor", &path.anchor.label());
    match &path.policies {
        None => json.raw("policies", "null"),
        Some(policies) => json.list("policies", policies.iter().map(ToString::to_string)),
    }
    json.explanation(&path.explanation);
    json.close('}');
    json.out
}

struct Json {
    out: String,
    /// True if a comma comes before the next member.
    more: bool,
}

impl Json {
    fn new() -> Self {
        Self { out: String::new(), more: false }
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.more = false;
    }

    fn close(&mut self, bracket: char) {
        self.out.push(bracket);
        self.more = true;
    }

    fn next(&mut self) {
        if core::mem::replace(&mut self.more, true) {
            self.out.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.next();
        quote(&mut self.out, key);
        self.out.push(':');
    }

    fn raw(&mut self, key: &str, value: &str) {
        self.key(key);
        self.out.push_str(value);
    }

    fn number(&mut self, key: &str, value: u64) {
        self.raw(key, &value.to_string());
    }

    fn string(&mut self, key: &str, value: &str) {
        self.key(key);
        quote(&mut self.out, value);
    }

    fn list(&mut self, key: &str, values: impl IntoIterator<Item = String>) {
        self.key(key);
        self.open('[');
        for value in values {
            self.next();
            quote(&mut self.out, &value);
        }
        self.close(']');
    }

    fn certificates(&mut self, certificates: &[CertificateBuf]) {
        self.key("certificates");
        self.open('[');
        for certificate in certificates {
            let tbs = &certificate.get().tbs_certificate;
            self.next();
            self.open('{');
            self.string("subject", &tbs.subject.oneline().to_string());
            self.string("issuer", &tbs.issuer.oneline().to_string());
            self.string("serial_number", &tbs.serial_number.hex().to_string());
            self.close('}');
        }
        self.close(']');
    }

    fn candidate(&mut self, candidate: &Candidate) {
        self.next();
        self.open('{');
        self.certificates(&candidate.certificates);
        match &candidate.anchor {
            Some(anchor) => self.string("anchor", anchor),
            None => self.raw("anchor", "null"),
        }
        let refusal = &candidate.refusal;
        self.string("rule", refusal.rule.name());
        self.string("clause", refusal.clause);
        self.string("message", &refusal.message);
        if let Some(certificate) = refusal.certificate {
            self.number("certificate", certificate as u64);
        }
        if let Some(offset) = refusal.offset {
            self.string("path", &refusal.path);
            self.number("offset", offset as u64);
        }
        if refusal.undecided {
            self.raw("undecided", "true");
        }
        self.close('}');
    }

    fn explanation(&mut self, explanation: &Explanation) {
        self.string("profile", explanation.profile);
        self.string("time", &explanation.time.to_string());
        explanation.evidence_time.iter().for_each(|time| self.string("evidence_time", &time.to_string()));
        self.list("rules", explanation.rules.iter().map(|rule| rule.name().to_owned()));
        self.list("assumptions", explanation.assumptions.iter().cloned());
        self.key("revocation");
        self.open('[');
        for answer in &explanation.revocation {
            let (status, source) = match &answer.status {
                Status::Good { source } => ("good", source),
                Status::Revoked { source, .. } => ("revoked", source),
                Status::Unknown { why } => ("unknown", why),
            };
            self.next();
            self.open('{');
            self.number("certificate", answer.certificate as u64);
            self.string("status", status);
            self.string("source", source);
            self.close('}');
        }
        self.close(']');
        self.key("evidence");
        self.open('[');
        for answer in &explanation.evidence {
            self.next();
            self.open('{');
            self.string("kind", answer.kind.name());
            self.number("number", answer.number as u64);
            self.string("label", &answer.label);
            self.string("use", answer.outcome.name());
            answer.outcome.why().iter().for_each(|why| self.string("reason", why));
            self.close('}');
        }
        self.close(']');
        self.key("timestamps");
        self.open('[');
        for answer in &explanation.timestamps {
            self.next();
            self.open('{');
            self.string("log", &answer.log);
            answer.operator.iter().for_each(|operator| self.string("operator", operator));
            answer.time.iter().for_each(|time| self.string("time", &time.to_string()));
            self.string("origin", answer.origin.name());
            answer.fault.iter().for_each(|fault| self.string("fault", fault));
            self.close('}');
        }
        self.close(']');
        self.key("rejected");
        self.open('[');
        explanation.candidates.iter().for_each(|candidate| self.candidate(candidate));
        self.close(']');
        self.number("omitted", explanation.omitted);
        let spent = &explanation.spent;
        self.key("spent");
        self.open('{');
        self.number("signatures", spent.signatures);
        self.number("cached_signatures", spent.cached_signatures);
        self.number("paths", spent.paths);
        self.number("name_comparisons", spent.name_comparisons);
        self.number("policy_nodes", spent.policy_nodes);
        self.number("constraint_comparisons", spent.constraint_comparisons);
        self.number("bytes", spent.bytes);
        self.close('}');
    }
}

/// RFC 8259 §7.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\0'..='\u{1F}' | '\u{7F}' => _ = write!(out, "\\u{:04x}", u32::from(char)),
            char => out.push(char),
        }
    }
    out.push('"');
}
