//! Counts by key, signature, validity, deviation and lint, and the list of certificates and CRLs with errors that are not
//! allowed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::name::visible;
use tagwise_pkix::{KeyInfo, UnixTime};
use tagwise_show::render::json;
use tagwise_store::{ContentsKind, Failure};

use crate::shared::stores::facts::{Facts, Judge, State, Status};
use crate::shared::stores::{Skipped, place_text};

/// The maximum number of problems to list. All are counted.
const LISTED: usize = 10_000;
/// The maximum number of problems in text output.
const SHOWN: usize = 20;

#[derive(Default)]
pub(crate) struct Summary {
    certificates: u64,
    crls: u64,
    /// The status of the CRLs: one expires at its next update.
    crl_statuses: BTreeMap<Status, u64>,
    log_entries: u64,
    fingerprints: Vec<[u8; 32]>,
    states: BTreeMap<State, u64>,
    unsound: u64,
    statuses: BTreeMap<Status, u64>,
    keys: BTreeMap<KeyInfo, u64>,
    signatures: BTreeMap<&'static str, u64>,
    versions: BTreeMap<u64, u64>,
    authorities: u64,
    deviations: BTreeMap<&'static str, u64>,
    errors: BTreeMap<&'static str, u64>,
    /// The lint findings, by identifier and severity.
    lints: BTreeMap<(&'static str, &'static str), u64>,
    problems: Vec<Problem>,
    omitted: u64,
    forms: BTreeMap<&'static str, u64>,
    others: u64,
    failures: u64,
    unreadable: u64,
}

/// A certificate or CRL with errors, or an unreadable part.
struct Problem {
    place: String,
    fingerprint: Option<[u8; 32]>,
    code: &'static str,
    /// The offset inside the certificate or CRL.
    offset: Option<usize>,
    message: String,
}

fn add<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    from.into_iter().for_each(|(key, count)| *into.entry(key).or_default() += count);
}

impl Summary {
    /// Returns the number of certificates, CRLs and log entries counted.
    pub(crate) const fn len(&self) -> u64 {
        self.certificates + self.crls + self.log_entries
    }

    /// Returns whether every counted certificate and CRL is strictly encoded, or violates only rules that the user allows.
    pub(crate) const fn is_sound(&self) -> bool {
        self.unsound == 0
    }

    pub(crate) fn add(&mut self, facts: &Facts<'_>, judge: &Judge) {
        *self.states.entry(facts.state).or_default() += 1;
        match facts.item.kind {
            ContentsKind::Certificate => {
                self.certificates += 1;
                self.fingerprints.push(facts.fingerprint);
                if let Some(key) = facts.key() {
                    *self.keys.entry(key).or_default() += 1;
                }
                if let Some(signature) = facts.signature() {
                    *self.signatures.entry(signature).or_default() += 1;
                }
                if let Some(version) = facts.version() {
                    *self.versions.entry(version).or_default() += 1;
                }
                if let Some(status) = judge.status(facts) {
                    *self.statuses.entry(status).or_default() += 1;
                }
                self.authorities += u64::from(facts.ca() == Some(true));
            }
            ContentsKind::Crl => {
                self.crls += 1;
                if let Some(status) = judge.status(facts) {
                    *self.crl_statuses.entry(status).or_default() += 1;
                }
            }
            ContentsKind::LogEntry => self.log_entries += 1,
        }
        // How many certificates have it, not how often.
        let mut rules: Vec<&'static str> = facts.deviations.iter().map(|deviation| deviation.rule.name).collect();
        rules.sort_unstable();
        rules.dedup();
        rules.into_iter().for_each(|rule| *self.deviations.entry(rule).or_default() += 1);
        let mut lints: Vec<_> =
            facts.lints.iter().map(|finding| (finding.lint.id, finding.lint.severity.name())).collect();
        lints.sort_unstable();
        lints.dedup();
        lints.into_iter().for_each(|lint| *self.lints.entry(lint).or_default() += 1);
        let Some(error) = facts.error.as_ref().filter(|_| !facts.sound) else { return };
        self.unsound += 1;
        *self.errors.entry(error.code()).or_default() += 1;
        self.problem(|| Problem {
            place: place_text(facts.file, &facts.item.place),
            fingerprint: Some(facts.fingerprint),
            code: error.code(),
            offset: Some(error.offset()),
            message: error.to_string(),
        });
    }

    fn problem(&mut self, make: impl FnOnce() -> Problem) {
        if self.problems.len() < LISTED { self.problems.push(make()) } else { self.omitted += 1 }
    }

    /// Counts a file that was read.
    pub(crate) fn file(&mut self, form: &'static str, others: usize) {
        *self.forms.entry(form).or_default() += 1;
        self.others += others as u64;
    }

    pub(crate) fn failure(&mut self, file: &str, failure: &Failure<'_>) {
        self.failures += 1;
        self.problem(|| Problem {
            place: place_text(file, &failure.place),
            fingerprint: None,
            code: failure.code,
            offset: None,
            message: failure.message.to_owned(),
        });
    }

    pub(crate) fn unreadable(&mut self, file: &str, message: &str) {
        self.unreadable += 1;
        self.problem(|| Problem {
            place: file.to_owned(),
            fingerprint: None,
            code: "unreadable",
            offset: None,
            message: message.to_owned(),
        });
    }

    /// Adds the counts of the next part of the input.
    pub(crate) fn merge(&mut self, other: Self) {
        self.certificates += other.certificates;
        self.crls += other.crls;
        self.log_entries += other.log_entries;
        self.fingerprints.extend(other.fingerprints);
        self.unsound += other.unsound;
        self.authorities += other.authorities;
        self.others += other.others;
        self.failures += other.failures;
        self.unreadable += other.unreadable;
        add(&mut self.states, other.states);
        add(&mut self.statuses, other.statuses);
        add(&mut self.crl_statuses, other.crl_statuses);
        add(&mut self.keys, other.keys);
        add(&mut self.signatures, other.signatures);
        add(&mut self.versions, other.versions);
        add(&mut self.deviations, other.deviations);
        add(&mut self.errors, other.errors);
        add(&mut self.lints, other.lints);
        add(&mut self.forms, other.forms);
        self.omitted += other.omitted;
        for problem in other.problems {
            self.problem(|| problem);
        }
    }

    /// Returns the number of distinct certificates.
    fn distinct(&mut self) -> u64 {
        self.fingerprints.sort_unstable();
        self.fingerprints.dedup();
        self.fingerprints.len() as u64
    }

    /// Sorts counts in descending order, and equal counts by name.
    fn by_count<K: Ord + Copy>(counts: &BTreeMap<K, u64>) -> Vec<(K, u64)> {
        let mut list: Vec<(K, u64)> = counts.iter().map(|(key, count)| (*key, *count)).collect();
        list.sort_by_key(|(_, count)| Reverse(*count));
        list
    }

    /// Returns the keys by description, which omits sizes that are implied.
    fn named_keys(&self) -> Vec<(String, u64)> {
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for (key, count) in &self.keys {
            *named.entry(key.to_string()).or_default() += count;
        }
        let mut list: Vec<(String, u64)> = named.into_iter().collect();
        list.sort_by_key(|(_, count)| Reverse(*count));
        list
    }

    pub(crate) fn text(mut self, out: &mut dyn Write, color: bool, skipped: &Skipped) -> io::Result<()> {
        let bold = if color { Style::new().bold() } else { Style::new() };
        let bad = if color { AnsiColor::Red.on_default() } else { Style::new() };
        let distinct = self.distinct();
        let total = self.certificates;
        let files: u64 = self.forms.values().sum();
        let forms = self.forms.iter().filter(|(form, _)| **form != "unknown");
        let forms: Vec<String> = forms.map(|(form, count)| format!("{count} {form}")).collect();
        write!(out, "{bold}{}{bold:#}", plural(total, "certificate"))?;
        if distinct != total {
            write!(out, " ({distinct} different)")?;
        }
        if self.crls > 0 {
            write!(out, " and {}", plural(self.crls, "CRL"))?;
        }
        if self.log_entries > 0 {
            let entries = if self.log_entries == 1 { "log entry" } else { "log entries" };
            write!(out, " and {} {entries}", self.log_entries)?;
        }
        write!(out, " in {}", plural(files, "file"))?;
        writeln!(out, "{}", if forms.is_empty() { String::new() } else { format!(": {}", forms.join(", ")) })?;
        if self.others > 0 {
            writeln!(out, "{} skipped", plural(self.others, "other value"))?;
        }
        skipped.text(out)?;
        let mut list = |title: &str, rows: Vec<(String, u64)>, of: u64| -> io::Result<()> {
            if rows.is_empty() {
                return Ok(());
            }
            writeln!(out, "\n{bold}{title}{bold:#}")?;
            for (name, count) in rows {
                let share = if of > 0 { count as f64 * 100.0 / of as f64 } else { 0.0 };
                writeln!(out, "  {:<56} {count:>9}  {share:>5.1} %", visible(&name).to_string())?;
            }
            Ok(())
        };
        let states = State::ALL.iter().filter_map(|state| Some((state.name().to_owned(), *self.states.get(state)?)));
        list("check", states.collect(), self.len())?;
        let by_status = |counts: &BTreeMap<Status, u64>| {
            let rows = Status::ALL.iter().filter_map(|status| Some((status.name().to_owned(), *counts.get(status)?)));
            rows.collect::<Vec<_>>()
        };
        list("validity", by_status(&self.statuses), total)?;
        list("validity of CRLs", by_status(&self.crl_statuses), self.crls)?;
        list("key", self.named_keys(), total)?;
        let named = |counts: &BTreeMap<&'static str, u64>| {
            Self::by_count(counts).into_iter().map(|(name, count)| (name.to_owned(), count)).collect::<Vec<_>>()
        };
        list("signature", named(&self.signatures), total)?;
        let versions = self.versions.iter().map(|(version, count)| (format!("v{version}"), *count));
        list("version", versions.collect(), total)?;
        let leaves = total - self.authorities.min(total);
        let roles = [("certification authority".to_owned(), self.authorities), ("other".to_owned(), leaves)];
        list("basic constraints", roles.into_iter().filter(|(_, count)| *count > 0).collect(), total)?;
        list("deviates from", named(&self.deviations), total)?;
        list("first error", named(&self.errors), total)?;
        let lints = Self::by_count(&self.lints).into_iter();
        let lints = lints.map(|((id, severity), count)| (format!("{severity} {id}"), count));
        list("lint", lints.collect(), total)?;
        let count = self.problems.len() as u64 + self.omitted;
        if count > 0 {
            writeln!(out, "\n{bold}{}{bold:#}", plural(count, "problem"))?;
            for problem in self.problems.iter().take(SHOWN) {
                writeln!(out, "  {bad}{}{bad:#}: {}", problem.place, visible(&problem.message))?;
            }
            let more = count - self.problems.len().min(SHOWN) as u64;
            if more > 0 {
                writeln!(out, "  and {more} more; --json has them")?;
            }
        }
        out.flush()
    }

    pub(crate) fn json(mut self, out: &mut dyn Write, judge: &Judge, skipped: &Skipped) -> io::Result<()> {
        let distinct = self.distinct();
        json::write(out, &Document { summary: &self, distinct, now: judge.now, skipped })
    }
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

struct Document<'s> {
    summary: &'s Summary,
    distinct: u64,
    now: UnixTime,
    skipped: &'s Skipped,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Summary { states, statuses, keys, signatures, versions, deviations, errors, lints, forms, .. } =
            self.summary;
        let named = |counts: &BTreeMap<&'static str, u64>| counts.clone();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "tagwise.scan-summary/1")?;
        map.serialize_entry("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))?;
        map.serialize_entry("at", &self.now.to_string())?;
        map.serialize_entry("files", &forms.values().sum::<u64>())?;
        map.serialize_entry("forms", &named(forms))?;
        map.serialize_entry("unreadable", &self.summary.unreadable)?;
        map.serialize_entry("certificates", &self.summary.certificates)?;
        map.serialize_entry("distinct", &self.distinct)?;
        map.serialize_entry("crls", &self.summary.crls)?;
        map.serialize_entry("log_entries", &self.summary.log_entries)?;
        map.serialize_entry("others", &self.summary.others)?;
        map.serialize_entry("failures", &self.summary.failures)?;
        self.skipped.entries(&mut map)?;
        let states: BTreeMap<_, _> = states.iter().map(|(state, count)| (state.name(), *count)).collect();
        map.serialize_entry("states", &states)?;
        let by_status = |counts: &BTreeMap<Status, u64>| -> BTreeMap<_, _> {
            counts.iter().map(|(status, count)| (status.name(), *count)).collect()
        };
        map.serialize_entry("validity", &by_status(statuses))?;
        map.serialize_entry("crl_validity", &by_status(&self.summary.crl_statuses))?;
        let keys: Vec<_> = keys.iter().map(|(key, count)| KeyCount(key, *count)).collect();
        map.serialize_entry("keys", &keys)?;
        map.serialize_entry("signatures", &named(signatures))?;
        let versions: BTreeMap<_, _> =
            versions.iter().map(|(version, count)| (format!("v{version}"), *count)).collect();
        map.serialize_entry("versions", &versions)?;
        map.serialize_entry("certification_authorities", &self.summary.authorities)?;
        map.serialize_entry("deviations", &named(deviations))?;
        map.serialize_entry("errors", &named(errors))?;
        let lints: BTreeMap<_, _> = lints.iter().map(|((id, _), count)| (*id, *count)).collect();
        map.serialize_entry("lints", &lints)?;
        map.serialize_entry("problems", &self.summary.problems)?;
        map.serialize_entry("problems_omitted", &self.summary.omitted)?;
        map.end()
    }
}

struct KeyCount<'k>(&'k KeyInfo, u64);

impl Serialize for KeyCount<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("algorithm", self.0.algorithm)?;
        map.serialize_entry("bits", &self.0.bits)?;
        map.serialize_entry("curve", &self.0.curve)?;
        map.serialize_entry("count", &self.1)?;
        map.end()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("place", &self.place)?;
        map.serialize_entry("sha256", &self.fingerprint.map(|octets| Hex(&octets).to_string()))?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("offset", &self.offset)?;
        map.serialize_entry("message", &self.message)?;
        map.end()
    }
}
