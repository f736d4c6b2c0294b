use std::collections::BTreeSet;

use super::list::CRITICALITY;
use super::*;

/// A section of an RFC: numbers or an appendix, joined by dots.
fn is_section(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit());
    let mut parts = text.split('.');
    parts.next().is_some_and(|first| is_number(first) || matches!(first, "A" | "B" | "C")) && parts.all(is_number)
}

#[test]
fn identifiers_are_unique_and_well_formed() {
    let ids: BTreeSet<&str> = ALL.iter().map(|lint| lint.id).collect();
    assert_eq!(ids.len(), ALL.len());
    for (index, lint) in ALL.iter().enumerate() {
        assert_eq!(usize::from(lint.index), index);
        assert_eq!(by_id(lint.id), Some(*lint));
        let (standard, section) = lint.clause.split_once(" §").unwrap();
        let prefix = match standard.strip_prefix("RFC ") {
            Some(rfc) => format!("rfc{}", rfc.parse::<u16>().unwrap()),
            None => "br".to_owned(),
        };
        assert!(is_section(section) && (prefix != "br" || standard == "CA/Browser Forum BR"), "{}", lint.clause);
        let name = lint.id.strip_prefix(&format!("{prefix}.{section}.")).unwrap_or_else(|| panic!("{}", lint.id));
        assert!(name.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'_'));
        assert!(!lint.title.ends_with('.') && lint.about.ends_with('.'), "{}", lint.id);
    }
    assert_eq!(by_id("rfc5280.4.2.1.9"), None);
}

#[test]
fn every_lint_has_a_bit_of_its_own() {
    for lint in ALL {
        let one = Options::none().with(lint);
        assert_eq!(ALL.iter().filter(|other| one.has(other)).count(), 1);
        assert_eq!(Options::all().without(lint).with(lint), Options::all());
    }
}

/// Returns whether a lint checks a requirement that is not in the table.
fn is_of_another_standard(lint: &Lint) -> bool {
    lint.id.starts_with("br.") || CRITICALITY.iter().any(|(.., other)| *other == lint)
}

/// One row of the table of requirements.
struct Row<'t> {
    section: &'t str,
    keyword: &'t str,
    statement: &'t str,
    by: &'t str,
    what: &'t str,
}

fn table() -> Vec<Row<'static>> {
    let mut lines = include_str!("rfc5280.tsv").lines();
    assert_eq!(lines.next(), Some("section\tkeyword\tstatement\tby\twhat"));
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [section, keyword, statement, by, what] = columns[..] else { panic!("{line}") };
        Row { section, keyword, statement, by, what }
    };
    lines.map(row).collect()
}

/// What a keyword of a standard makes of a departure; nothing for what is said in other words.
fn demands(keyword: &str) -> Option<Severity> {
    match keyword {
        "MUST" | "MUST NOT" | "REQUIRED" | "SHALL" => Some(Severity::Error),
        "SHOULD" | "SHOULD NOT" | "recommends" => Some(Severity::Warning),
        "-" | "may only" | "shall" => None,
        other => panic!("{other}"),
    }
}

/// Demands whose lint is a warning all the same, and why.
const WARNINGS: &[(&str, &str)] = &[
    ("rfc5280.4.1.2.4.directory_string_type", "there are exceptions that one certificate does not show"),
    ("rfc5280.4.1.2.6.directory_string_type", "there are exceptions that one certificate does not show"),
    ("rfc5280.5.1.2.3.directory_string_type", "there are exceptions that one CRL does not show"),
    ("rfc5280.4.2.1.12.no_consistent_purpose", "the demand is on users; the consistent bits are given as examples"),
    ("rfc6818.3.explicit_text_not_utf8", "RFC 6818 makes a recommendation of it"),
];

#[test]
fn the_table_and_the_list_agree() {
    let mut held = BTreeSet::new();
    let mut statements = BTreeSet::new();
    for row in table() {
        let place = format!("§{} {}", row.section, row.statement);
        assert!(is_section(row.section), "{place}");
        assert!(!row.statement.is_empty() && !row.what.is_empty(), "{place}");
        assert!(statements.insert(place.clone()), "{place} is there twice");
        let demanded = demands(row.keyword);
        match row.by {
            "lint" => {
                for id in row.what.split(' ') {
                    let lint = by_id(id).unwrap_or_else(|| panic!("{place}: there is no lint {id}"));
                    held.insert(lint.id);
                    let is_warning = WARNINGS.iter().any(|(warning, _)| *warning == id);
                    if demanded == Some(Severity::Error) {
                        assert_eq!(lint.severity == Severity::Warning, is_warning, "{place}: {id}");
                    }
                    let certificate = row.section.starts_with('4');
                    let other = if certificate { Scope::Crl } else { Scope::Certificate };
                    assert!(lint.scope != other || row.section == "A.1", "{place}: {id}");
                }
            }
            "rule" => {
                for name in row.what.split(' ') {
                    assert!(tagwise_x509::profile::by_name(name).is_some(), "{place}: there is no rule {name}");
                }
            }
            "type" | "none" => {}
            other => panic!("{place}: {other}"),
        }
    }
    let rfc5280 = ALL.iter().filter(|lint| !is_of_another_standard(lint));
    let missing: Vec<&str> = rfc5280.map(|lint| lint.id).filter(|id| !held.contains(id)).collect();
    assert!(missing.is_empty(), "the table has no row for {missing:?}");
}

/// A lint that is an error is one because a demand says so, or a statement that means the same.
#[test]
fn severities_follow_keywords() {
    for lint in ALL.iter().filter(|lint| !is_of_another_standard(lint)) {
        let keywords: Vec<_> = table()
            .iter()
            .filter(|row| row.by == "lint" && row.what.split(' ').any(|id| id == lint.id))
            .map(|row| demands(row.keyword))
            .collect();
        match lint.severity {
            Severity::Error => {
                assert!(keywords.iter().any(|demand| *demand != Some(Severity::Warning)), "{}", lint.id);
            }
            Severity::Warning => {
                let known = WARNINGS.iter().any(|(id, _)| *id == lint.id);
                assert!(known || keywords.iter().all(|demand| *demand != Some(Severity::Error)), "{}", lint.id);
            }
        }
    }
}

/// No extension has two lints about its criticality, and the name of each lint follows from its demand.
#[test]
fn criticality_of_extensions() {
    let ids: BTreeSet<&[u8]> = CRITICALITY.iter().map(|(id, ..)| id.as_bytes()).collect();
    assert_eq!(ids.len(), CRITICALITY.len());
    for (id, critical, lint) in CRITICALITY {
        assert!(lint.id.ends_with(if *critical { ".not_critical" } else { ".critical" }), "{id}: {}", lint.id);
    }
}

/// Every section of RFC 5280 that demands something has its rows, in the order of the standard.
#[test]
fn the_table_goes_through_the_standard() {
    let demanding: Vec<&str> = {
        let mut sections: Vec<&str> =
            table().iter().filter(|row| demands(row.keyword) == Some(Severity::Error)).map(|row| row.section).collect();
        sections.dedup();
        sections
    };
    // Without demands: §4.1.1.1, §4.1.1.3, §4.1.2.7, §5.1.1.1, §5.1.2.7, §5.3.1.
    let expected = [
        "4.1",
        "4.1.1.2",
        "4.1.2.1",
        "4.1.2.2",
        "4.1.2.3",
        "4.1.2.4",
        "4.1.2.5",
        "4.1.2.5.1",
        "4.1.2.5.2",
        "4.1.2.6",
        "4.1.2.8",
        "4.1.2.9",
        "4.2",
        "4.2.1.1",
        "4.2.1.2",
        "4.2.1.3",
        "4.2.1.4",
        "4.2.1.5",
        "4.2.1.6",
        "4.2.1.7",
        "4.2.1.8",
        "4.2.1.9",
        "4.2.1.10",
        "4.2.1.11",
        "4.2.1.12",
        "4.2.1.13",
        "4.2.1.14",
        "4.2.1.15",
        "4.2.2.1",
        "4.2.2.2",
        "5",
        "5.1",
        "5.1.1.2",
        "5.1.1.3",
        "5.1.2.1",
        "5.1.2.2",
        "5.1.2.3",
        "5.1.2.4",
        "5.1.2.5",
        "5.1.2.6",
        "5.2",
        "5.2.1",
        "5.2.2",
        "5.2.3",
        "5.2.4",
        "5.2.5",
        "5.2.6",
        "5.2.7",
        "5.3",
        "5.3.2",
        "5.3.3",
        "A.2",
    ];
    assert_eq!(demanding, expected);
}
