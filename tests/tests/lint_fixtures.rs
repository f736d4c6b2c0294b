//! Good and bad certificates and CRLs for every lint: `fixtures/lint`.
//!
//! `good` has whole ones, in the language of `tagwise-notation`, that no lint finds anything in. Each file of `bad` says in
//! prose what is wrong, which good one it changes and how (lines that begin with `-` give way to those that begin with `+`;
//! blanks at both ends of a line do not count), and exactly what is found: the lint, the offset, the path. The first finding
//! is the one that the file is for. `refused` is the code of the decoder's error, where it refuses the file too; all others
//! it takes. `TAGWISE_BLESS=1` rewrites the offsets, after the paths were found right.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use tagwise_codec::Decode;
use tagwise_pkix::lint::{self, Finding, Findings, Options, Severity};
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_tests::register::blessing;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/lint").join(name)
}

/// Text files by their names.
fn texts(name: &str) -> BTreeMap<String, String> {
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    fs::read_dir(folder(name)).unwrap().map(file).collect()
}

/// A certificate or a CRL: what it is, by its name.
struct Subject {
    is_crl: bool,
    der: Vec<u8>,
}

impl Subject {
    fn new(base: &str, text: &str) -> Self {
        let der = tagwise_notation::parse(text).unwrap_or_else(|error| panic!("{base}: {error}\n{text}"));
        Self { is_crl: matches!(base, "crl" | "delta"), der }
    }

    /// What is found after an outline, which takes what the decoder would refuse inside extensions.
    fn findings(&self, options: &Options) -> Findings {
        let found = if self.is_crl {
            lint::crl(&CertificateList::outline(&self.der).unwrap(), options)
        } else {
            lint::certificate(&Certificate::outline(&self.der).unwrap(), options)
        };
        found.sorted()
    }

    /// The code of the error of a complete decoding, and what is found after one.
    fn decoded(&self) -> Result<Findings, String> {
        let code = |error: tagwise_codec::Error| error.code().to_owned();
        let options = Options::all();
        if self.is_crl {
            let list = CertificateList::from_der(&self.der).map_err(code)?;
            Ok(lint::crl(&list, &options).sorted())
        } else {
            let certificate = Certificate::from_der(&self.der).map_err(code)?;
            Ok(lint::certificate(&certificate, &options).sorted())
        }
    }

    fn path(&self, finding: &Finding) -> String {
        if self.is_crl {
            finding.path::<CertificateList<'_>>(&self.der)
        } else {
            finding.path::<Certificate<'_>>(&self.der)
        }
    }
}

/// One bad file.
struct Bad<'t> {
    base: &'t str,
    refused: Option<&'t str>,
    /// Lint, offset, path.
    finds: Vec<(&'t str, usize, &'t str)>,
    hunks: Vec<Vec<(char, &'t str)>>,
    prose: bool,
}

fn read<'t>(name: &str, text: &'t str) -> Bad<'t> {
    let mut bad = Bad { base: "", refused: None, finds: Vec::new(), hunks: Vec::new(), prose: false };
    for line in text.lines() {
        if let Some(hunk) = bad.hunks.last_mut().filter(|_| line != "@@") {
            let sign = line.chars().next().filter(|sign| " -+".contains(*sign));
            hunk.push((sign.unwrap_or_else(|| panic!("{name}: {line}")), line[1..].trim()));
            continue;
        }
        match line.split_once(' ') {
            Some(("#", prose)) => bad.prose |= prose.len() > 10,
            Some(("base:", base)) => bad.base = base,
            Some(("refused:", code)) => bad.refused = Some(code),
            Some(("finds:", finding)) => {
                let parts: Vec<&str> = finding.split(' ').collect();
                bad.finds.push((parts[0], parts[1].parse().unwrap(), parts.get(2).copied().unwrap_or("")));
            }
            None if line == "@@" => bad.hunks.push(Vec::new()),
            _ => panic!("{name}: {line}"),
        }
    }
    bad
}

/// Changes a good text.
fn edit(name: &str, good: &str, hunks: &[Vec<(char, &str)>]) -> String {
    let mut lines: Vec<&str> = good.lines().map(str::trim).collect();
    for hunk in hunks {
        let old: Vec<&str> = hunk.iter().filter(|(sign, _)| *sign != '+').map(|(_, line)| *line).collect();
        let new: Vec<&str> = hunk.iter().filter(|(sign, _)| *sign != '-').map(|(_, line)| *line).collect();
        let places: Vec<usize> = (0..lines.len()).filter(|at| lines[*at..].starts_with(&old)).collect();
        assert_eq!(places.len(), 1, "{name}: a change has to have one place:\n{}", old.join("\n"));
        lines.splice(places[0]..places[0] + old.len(), new);
    }
    lines.join("\n")
}

#[test]
fn nothing_is_found_in_good_ones() {
    for (name, text) in texts("good") {
        let subject = Subject::new(&name, &text);
        for findings in
            [subject.findings(&Options::all()), subject.decoded().unwrap_or_else(|code| panic!("{name}: {code}"))]
        {
            let found: Vec<String> =
                findings.iter().map(|finding| format!("{} {}", finding.lint.id, subject.path(finding))).collect();
            assert!(found.is_empty() && findings.is_empty(), "{name}: {found:?}");
        }
    }
}

#[test]
fn bad_ones_are_found() {
    let good = texts("good");
    let mut meant = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, text) in texts("bad") {
        let bad = read(&name, &text);
        assert!(bad.prose && !bad.hunks.is_empty(), "{name}");
        let own = name.split_once('-').map_or(name.as_str(), |(id, _)| id);
        assert_eq!(bad.finds.first().map(|find| find.0), Some(own), "{name}");
        meant.insert(own.to_owned());
        let subject = Subject::new(bad.base, &edit(&name, &good[bad.base], &bad.hunks));
        let findings = subject.findings(&Options::all());
        let mut found: Vec<(&str, String, usize)> =
            findings.iter().map(|finding| (finding.lint.id, subject.path(finding), finding.offset)).collect();
        let mut expected: Vec<(&str, String, usize)> =
            bad.finds.iter().map(|(id, offset, path)| (*id, (*path).to_owned(), *offset)).collect();
        found.sort();
        expected.sort();
        let paths = |list: &[(&str, String, usize)]| -> Vec<String> {
            list.iter().map(|(id, path, _)| format!("{id} {path}")).collect()
        };
        if blessing() && paths(&found) == paths(&expected) {
            let mut text = text.clone();
            for ((id, path, old), (_, _, new)) in expected.iter().zip(&found) {
                text = text.replace(&format!("finds: {id} {old} {path}\n"), &format!("finds: {id} {new} {path}\n"));
            }
            fs::write(folder("bad").join(format!("{name}.txt")), text).unwrap();
        } else if found != expected {
            wrong.push(format!("{name}\n  expected {expected:?}\n  found    {found:?}"));
        }
        match (subject.decoded(), bad.refused) {
            (Ok(again), None) if again == findings => {}
            (Err(code), Some(refused)) if code == refused => {}
            (other, refused) => wrong.push(format!("{name}\n  refused for {refused:?}, and decoding gives {other:?}")),
        }
        turned_off(&subject, &findings);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let without: Vec<&str> = lint::ALL.iter().map(|lint| lint.id).filter(|id| !meant.contains(*id)).collect();
    assert!(without.is_empty(), "no bad file for {without:?}");
}

/// What is turned off is not found, what is cut off is counted.
fn turned_off(subject: &Subject, findings: &Findings) {
    for finding in findings {
        let without = subject.findings(&Options::all().without(finding.lint));
        assert!(without.iter().all(|other| other.lint != finding.lint));
        let only = subject.findings(&Options::none().with(finding.lint));
        assert!(!only.is_empty() && only.iter().all(|other| other.lint == finding.lint));
        assert_eq!(without.iter().len() + only.iter().len(), findings.iter().len());
    }
    let errors = subject.findings(&Options::all().at_least(Severity::Error));
    assert_eq!((errors.errors(), errors.warnings()), (findings.errors(), 0));
    let one = subject.findings(&Options::all().limit(1));
    assert_eq!(one.iter().len() + one.omitted(), findings.iter().len());
    assert_eq!((one.errors(), one.warnings()), (findings.errors(), findings.warnings()));
}
