//! Lints the values of an input and collects the findings.

use std::collections::HashSet;

use super::catalogue::decoder_id;
use super::select::Selection;
use crate::{every_rule as every, short_subject};
use tagwise_codec::ber::Element;
use tagwise_codec::table::Type;
use tagwise_codec::{Decode, Deviation, Error, Options, Rule, RuleSet, Typed, path_at};
use tagwise_input::ValueKind;
use tagwise_input::{Content, InputItem, find};
use tagwise_pkix::lint::{self, Findings, Lint, Severity};
use tagwise_pkix::{Certificate, CertificateList};

/// A linted file.
#[derive(Clone, Debug)]
pub struct File {
    /// The path as given on the command line, or `None` for standard input.
    pub path: Option<String>,
    /// The display name.
    pub name: String,
    /// The name of the input format.
    pub form: &'static str,
    /// The size in bytes.
    pub size: usize,
    /// The certificates and CRLs.
    pub items: Vec<Subject>,
    /// The reason why the file could not be checked.
    pub error: Option<String>,
}

/// A linted certificate or CRL.
#[derive(Clone, Debug)]
pub struct Subject {
    /// `certificate` or `crl`.
    pub kind: &'static str,
    /// The number of the certificate or CRL in the file, counted from 1, and the total number in the file.
    pub place: (usize, usize),
    /// The label of the PEM block.
    pub label: Option<String>,
    /// The line number of the PEM block.
    pub line: Option<usize>,
    /// The offset of the DER in the file, or in the decoded hexadecimal or base64 text.
    pub offset: usize,
    /// The size of the DER.
    pub size: usize,
    /// A one-line summary of the subject.
    pub subject: String,
    /// The findings, ordered by offset.
    pub findings: Vec<Found>,
    /// The number of omitted findings.
    pub omitted: usize,
    /// The number of errors, including omitted ones.
    pub errors: usize,
    /// The number of warnings, including omitted ones.
    pub warnings: usize,
    /// The reason why lints did not run, if the value does not decode completely.
    pub not_checked: Option<String>,
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Found {
    /// The identifier of the lint or of the decoder's rule.
    pub id: String,
    /// The clause of the standard.
    pub clause: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The violation in a few words.
    pub title: String,
    /// The path of the component. May be empty.
    pub path: String,
    /// The offset in the DER of the certificate or CRL.
    pub offset: usize,
    /// The length of the element at the offset, if there is one.
    pub length: Option<usize>,
}

/// The findings in all files.
#[derive(Debug, Default)]
pub struct Judged {
    /// The number of certificates.
    pub certificates: usize,
    /// The number of CRLs.
    pub crls: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of items with errors.
    pub with_errors: usize,
    /// The number of items with warnings only.
    pub with_warnings: usize,
    /// The number of items with no findings.
    pub clean: usize,
    /// The number of items without errors that were not checked completely, and of parts of the input that could not be read.
    pub not_checked: usize,
    /// True if a file could not be read.
    pub unreadable: bool,
    empty: bool,
}

impl Judged {
    /// Returns the exit code.
    #[must_use]
    pub const fn code(&self) -> u8 {
        if self.unreadable {
            3
        } else if self.errors > 0 || self.empty {
            1
        } else if self.not_checked > 0 {
            4
        } else {
            0
        }
    }

    fn count(&mut self, subject: &Subject) {
        match subject.kind {
            "crl" => self.crls += 1,
            _ => self.certificates += 1,
        }
        self.errors += subject.errors;
        self.warnings += subject.warnings;
        match (subject.errors, &subject.not_checked, subject.warnings) {
            (0, Some(_), _) => self.not_checked += 1,
            (0, None, 0) => self.clean += 1,
            (0, None, _) => self.with_warnings += 1,
            _ => self.with_errors += 1,
        }
    }
}

impl File {
    /// Creates a file without values. `path` is `None` for standard input, and `name` is for messages.
    #[must_use]
    pub const fn new(path: Option<String>, name: String) -> Self {
        Self { path, name, form: "unknown", size: 0, items: Vec::new(), error: None }
    }

    /// Checks all certificates and CRLs in an input.
    pub fn check(&mut self, octets: &[u8], selection: &Selection, judged: &mut Judged) {
        self.size = octets.len();
        let found = find(octets, RuleSet::PEM_LAX);
        self.form = found.form.name();
        let total = found.items.len();
        let mut unread = Vec::new();
        for (index, item) in found.items.iter().enumerate() {
            if let Some(subject) = subject(item, (index + 1, total), selection) {
                judged.count(&subject);
                self.items.push(subject);
            } else if let Some(problem) = &item.problem {
                // Nobody knows whether it is a certificate.
                judged.not_checked += 1;
                unread.push(problem.line());
            }
        }
        if self.items.is_empty() {
            judged.empty = true;
            self.error = Some(found.nothing("certificate and no CRL", self.size));
        }
        if let Some(first) = unread.first() {
            let more = if unread.len() > 1 { format!("; and {} more", unread.len() - 1) } else { String::new() };
            self.error = Some(format!("not checked: {first}{more}"));
        }
    }
}

fn subject(item: &InputItem<'_>, place: (usize, usize), selection: &Selection) -> Option<Subject> {
    let mut subject = Subject {
        kind: "certificate",
        place,
        label: item.label.clone(),
        line: item.line,
        offset: item.offset,
        size: item.der.len(),
        subject: String::new(),
        findings: Vec::new(),
        omitted: 0,
        errors: 0,
        warnings: 0,
        not_checked: None,
    };
    // Offsets of findings count from the value's first byte, but those of findings in PEM from the file's.
    let start = if item.line.is_some() { 0 } else { item.offset };
    for note in &item.notes {
        let title = format!("violates the rule: {}", note.rule.summary);
        let offset = note.offset.saturating_sub(start);
        subject.add(selection, decoder_id(note.rule.name), note.rule.clause, title, offset, &[], None);
    }
    // The content of undecodable text cannot be checked.
    if let Some(problem) = &item.problem {
        let id = decoder_id(problem.rule.unwrap_or(problem.code));
        subject.add(selection, id, problem.clause, problem.message.clone(), problem.offset, &[], None);
        subject.not_checked = Some(format!("the lints did not run: {}", problem.line()));
    }
    match item.content {
        Content::Kind(ValueKind::Certificate) => subject.look::<Certificate<'_>>(
            &item.der,
            selection,
            |certificate| lint::certificate(certificate, &selection.options),
            short_subject,
        ),
        Content::Kind(ValueKind::CertificateList) => {
            subject.kind = "crl";
            subject.look::<CertificateList<'_>>(
                &item.der,
                selection,
                |list| lint::crl(list, &selection.options),
                |list| list.tbs_cert_list.issuer.oneline().to_string(),
            );
        }
        Content::Kind(_) | Content::C509 | Content::Trust | Content::Other(_) | Content::Nothing => return None,
    }
    subject.findings.sort_by(|one, other| {
        (one.offset, std::cmp::Reverse(one.severity), &one.id).cmp(&(
            other.offset,
            std::cmp::Reverse(other.severity),
            &other.id,
        ))
    });
    Some(subject)
}

/// A leniently decoded value, the tolerated deviations, and the error if no rule tolerates it.
type Tolerant<T> = (Option<T>, Vec<Deviation>, Option<Error>);

fn tolerantly<'a, T: Decode<'a>>(der: &'a [u8]) -> Tolerant<T> {
    // Skipping a whole open type hides the exact error.
    let careful = every().without(&Rule::OPEN_TYPE);
    // The lints look at parts that do not decode, too.
    let options = Options::der().parts(RuleSet::NONE);
    let first = match options.rules(careful).decode::<T>(der) {
        Ok(read) => return (Some(read.value), read.deviations, None),
        Err(error) => error,
    };
    match options.rules(every()).decode::<T>(der) {
        Ok(read) => (Some(read.value), read.deviations, None),
        Err(_) => {
            let (value, deviations) = match options.rules(careful).outline::<T>(der) {
                Ok(read) => (Some(read.value), read.deviations),
                Err(_) => (None, Vec::new()),
            };
            (value, deviations, Some(first))
        }
    }
}

impl Subject {
    fn look<'a, T: Decode<'a> + Typed>(
        &mut self,
        der: &'a [u8],
        selection: &Selection,
        find: impl FnOnce(&T) -> Findings,
        name: impl FnOnce(&T) -> String,
    ) {
        if der.is_empty() {
            return;
        }
        let (value, deviations, error) = tolerantly::<T>(der);
        let found = value.as_ref().map(find).unwrap_or_default();
        if let Some(value) = &value {
            self.subject = name(value);
        }
        self.not_checked = error.as_ref().map(|error| match value {
            None => format!("the lints did not run: {error}"),
            Some(_) => format!("the lints of the malformed part did not run: {error}"),
        });
        let mut said: HashSet<usize> = error.iter().map(Error::offset).collect();
        let mut paths = Paths::new(T::ty(), der);
        let most = lint::Options::LIMIT;
        for deviation in deviations.iter().take(most) {
            let (rule, offset) = (deviation.rule, deviation.offset);
            // Where an extension's value was given up, the lint says what is wrong in it.
            let path = paths.at(offset);
            let given_up = *rule == Rule::OPEN_TYPE && path.ends_with("extnValue");
            if given_up && found.iter().any(is_value) {
                continue;
            }
            said.insert(offset);
            let title = format!("violates the rule: {}", rule.summary);
            self.add(selection, decoder_id(rule.name), rule.clause, title, offset, der, Some(path));
        }
        if let Some(error) = &error {
            let id = decoder_id(error.rule().map_or(error.code(), |rule| rule.name));
            let path = error.path().to_owned();
            self.add(selection, id, error.clause(), error.message().to_string(), error.offset(), der, Some(path));
        }
        for finding in &found {
            // The rule of the decoder is more precise.
            if is_value(finding) && said.contains(&finding.offset) {
                continue;
            }
            let mut title = finding.lint.title.to_owned();
            if let Some(kind) = finding.kind {
                title = format!("{title}: {}", kind.text());
            }
            let path = Some(paths.at(finding.offset));
            self.add_lint(finding.lint, title, finding.offset, der, path);
        }
        let more = deviations.iter().skip(most).map(|deviation| decoder_id(deviation.rule.name));
        let more = more.filter(|id| selection.has(id, Severity::Error)).count();
        self.omitted = found.omitted() + more;
        // What was not kept is counted all the same.
        self.errors += more;
        self.errors += found.errors().saturating_sub(kept(&found, Severity::Error));
        self.warnings += found.warnings().saturating_sub(kept(&found, Severity::Warning));
    }

    fn add_lint(&mut self, lint: &'static Lint, title: String, offset: usize, der: &[u8], path: Option<String>) {
        self.push(Found {
            id: lint.id.to_owned(),
            clause: lint.clause,
            severity: lint.severity,
            title,
            path: path.unwrap_or_default(),
            offset,
            length: length(der, offset),
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one finding")]
    fn add(
        &mut self,
        selection: &Selection,
        id: String,
        clause: &'static str,
        title: String,
        offset: usize,
        der: &[u8],
        path: Option<String>,
    ) {
        if selection.has(&id, Severity::Error) {
            let (severity, path) = (Severity::Error, path.unwrap_or_default());
            self.push(Found { id, clause, severity, title, path, offset, length: length(der, offset) });
        }
    }

    fn push(&mut self, found: Found) {
        match found.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        self.findings.push(found);
    }
}

/// The component paths of findings. Finding a path requires a walk to the offset, so paths are omitted if a large CRL has thousands of
/// findings.
struct Paths<'a> {
    ty: &'static Type,
    der: &'a [u8],
    /// The number of bytes that may still be walked.
    left: usize,
}

impl<'a> Paths<'a> {
    /// The maximum number of bytes to walk, which takes a few seconds.
    const MOST: usize = 1 << 28;

    const fn new(ty: &'static Type, der: &'a [u8]) -> Self {
        Self { ty, der, left: Self::MOST }
    }

    /// Returns the path of the component at an offset. It is empty if the walk would take too long.
    fn at(&mut self, offset: usize) -> String {
        match self.left.checked_sub(offset) {
            Some(left) => {
                self.left = left;
                path_at(self.ty, self.der, offset)
            }
            None => String::new(),
        }
    }
}

fn kept(found: &Findings, severity: Severity) -> usize {
    found.iter().filter(|finding| finding.lint.severity == severity).count()
}

/// Returns whether a finding is about a value that cannot be decoded.
fn is_value(finding: &lint::Finding) -> bool {
    finding.kind.is_some()
}

/// Returns the length of the element at an offset.
fn length(der: &[u8], offset: usize) -> Option<usize> {
    Element::read(der, offset, der.len()).ok().map(|element| element.range().len())
}
