use std::collections::BTreeSet;

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
        let (rfc, section) = lint.clause.strip_prefix("RFC ").unwrap().split_once(" §").unwrap();
        assert!(is_section(section) && rfc.parse::<u16>().is_ok(), "{}", lint.clause);
        let name = lint.id.strip_prefix(&format!("rfc{rfc}.{section}.")).unwrap_or_else(|| panic!("{}", lint.id));
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
