//! What the lints find in the corpora. Every finding in Mozilla's roots and in the certificates and CRLs of PKITS' valid cases is
//! registered with the reason why it is right (`register/lint-*.tsv`); of all sets, the findings are counted by lint
//! (`register/lint-counts.tsv`). Registers are compared in both directions.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tagwise_codec::Options;
use tagwise_pkix::lint::{self, Findings};
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_tests::sets::{Item, What};
use tagwise_tests::verdict::every_rule;
use tagwise_tests::{corpora, register, sets};

/// Gives the path of a finding in some DER.
type Path = fn(&lint::Finding, &[u8]) -> String;

/// What is found in an item, and the path of each finding; nothing if not even its frame can be read.
fn findings(item: &Item) -> Option<(Findings, Vec<String>)> {
    let options = Options::der().rules(every_rule());
    let all = lint::Options::all().limit(usize::MAX);
    let der = item.octets.as_slice();
    let (found, path): (Findings, Path) = match item.what {
        What::Certificate => {
            let read = options.outline::<Certificate<'_>>(der).ok()?;
            (lint::certificate(&read.value, &all), |finding, der| finding.path::<Certificate<'_>>(der))
        }
        What::CertificateList => {
            let read = options.outline::<CertificateList<'_>>(der).ok()?;
            (lint::crl(&read.value, &all), |finding, der| finding.path::<CertificateList<'_>>(der))
        }
    };
    let found = found.sorted();
    for finding in &found {
        assert!(finding.offset < der.len(), "{}: {finding:?}", item.name);
    }
    // Paths of large lists take long, and counting needs none.
    let paths = if der.len() < 1 << 16 { found.iter().map(|finding| path(finding, der)).collect() } else { Vec::new() };
    Some((found, paths))
}

/// Holds the findings in some items to a register.
fn explained(name: &str, items: &[Item], reasons: &[(&str, &str)]) {
    let mut rows = BTreeMap::new();
    let mut unexplained = BTreeSet::new();
    let mut used = BTreeSet::new();
    for item in items {
        let (found, paths) = findings(item).unwrap();
        for (finding, path) in found.iter().zip(paths) {
            let id = finding.lint.id;
            let reason = reasons.iter().find(|(lint, _)| *lint == id).map(|(_, reason)| *reason);
            match reason {
                Some(_) => used.insert(id),
                None => unexplained.insert(id),
            };
            let key = format!("{} {id} {}", item.name, finding.offset);
            let row = format!("{key}\t{path}\t{}\t{}", finding.lint.severity, reason.unwrap_or("?"));
            rows.insert(key, row);
        }
    }
    println!("{name}: {} items, {} findings", items.len(), rows.len());
    register::compare(name, "finding\tpath\tseverity\twhy", &rows);
    assert!(unexplained.is_empty(), "{name}: no reason is given for {unexplained:?}");
    let unused: Vec<&str> = reasons.iter().map(|(id, _)| *id).filter(|id| !used.contains(id)).collect();
    assert!(unused.is_empty(), "{name}: reasons without findings: {unused:?}");
}

/// A root is a trust anchor: it is taken for its name and its key (RFC 5280 §6.1.1 (d)), so that what its extensions lack does no
/// harm to validation.
const ROOTS: &[(&str, &str)] = &[
    ("rfc5280.4.1.2.2.zero_serial", "an old root that numbers itself 0; §4.1.2.2 asks users to handle it gracefully"),
    (
        "rfc5280.4.1.2.4.directory_string_type",
        "an old string type, in issuer and subject alike, as the exception of §4.1.2.4 has it",
    ),
    (
        "rfc5280.4.1.2.6.directory_string_type",
        "an old string type, in issuer and subject alike, as exception (a) of §4.1.2.6 has it",
    ),
    ("rfc5280.4.2.1.2.ca_without_key_identifier", "an old root without it; paths to it are built by its name"),
    (
        "rfc5280.4.2.1.3.ca_without_key_usage",
        "an old root without it; a trust anchor is taken for its name and key (§6.1.1 (d))",
    ),
    ("rfc5280.4.2.1.3.not_critical", "criticality is only recommended here"),
    ("rfc5280.4.2.1.9.not_critical", "an old root; a trust anchor is taken for its name and key (§6.1.1 (d))"),
    ("rfc5280.4.2.extension_value", "the value is no DER: the decoder refuses it too, see mozilla-roots.tsv"),
    ("rfc6818.3.explicit_text_not_utf8", "UTF8String is only recommended; the type that is used is allowed"),
];

#[test]
fn findings_in_roots_are_explained() {
    if let Some(items) = sets::mozilla_roots() {
        explained("lint-mozilla-roots", &items, ROOTS);
    }
}

/// PKITS was made to RFC 3280, and to try what users must cope with.
const PKITS: &[(&str, &str)] = &[
    ("rfc5280.4.1.2.8.unique_identifier", "made for case 4.3.6: names with unique identifiers"),
    ("rfc5280.4.2.1.11.not_critical", "RFC 3280 §4.2.1.12 left it to the issuer whether this extension is critical"),
    ("rfc5280.4.2.1.13.no_http_or_ldap", "PKITS has its CRLs in a directory; a URI is only recommended"),
    ("rfc5280.4.2.1.13.no_point_for_all_reasons", "made for case 4.14.19: the reasons are divided between two points"),
    (
        "rfc5280.4.2.1.13.relative_name",
        "made for the cases of 4.14 that need a relative name; it is only advised against",
    ),
    (
        "rfc5280.4.2.1.3.not_critical",
        "made for case 4.7.3: key usage that is not critical; criticality is only recommended",
    ),
    (
        "rfc5280.4.2.1.5.policy_not_asserted",
        "made for the cases of 4.10 in which a policy is mapped that anyPolicy stands for",
    ),
    ("rfc5280.4.2.1.9.not_critical", "made for case 4.6.4: basic constraints that are not critical"),
    ("rfc5280.4.2.1.4.explicit_text_length", "made for case 4.8.19: explicitText of more than 200 characters"),
    ("rfc6818.3.explicit_text_not_utf8", "UTF8String is only recommended; VisibleString is allowed"),
];

/// The certificates and CRLs of the cases whose path is valid.
fn valid_of_pkits() -> Option<Vec<Item>> {
    let folder = corpora::set("pkits")?;
    let expected: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("pkits-expected.json")).unwrap()).unwrap();
    let mut names = BTreeSet::new();
    for case in cases(&expected) {
        if case["should_validate"].as_bool().unwrap() {
            for (part, ending) in [("certs", "certs/{}.crt"), ("crls", "crls/{}.crl")] {
                for name in case[part].as_array().unwrap() {
                    names.insert(ending.replace("{}", name.as_str().unwrap()));
                }
            }
        }
    }
    let item = |name: String| {
        let what = if name.starts_with("crls") { What::CertificateList } else { What::Certificate };
        Item { octets: fs::read(folder.join(&name)).unwrap(), name, what }
    };
    Some(names.into_iter().map(item).collect())
}

/// All cases, wherever in the document they are.
fn cases(value: &serde_json::Value) -> Vec<&serde_json::Value> {
    match value {
        serde_json::Value::Object(map) if map.contains_key("should_validate") => vec![value],
        serde_json::Value::Object(map) => map.values().flat_map(cases).collect(),
        serde_json::Value::Array(items) => items.iter().flat_map(cases).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn findings_in_valid_cases_are_explained() {
    if let Some(items) = valid_of_pkits() {
        assert!(items.len() > 200, "{}", items.len());
        explained("lint-pkits", &items, PKITS);
    }
}

#[test]
fn findings_are_counted() {
    let mut rows = BTreeMap::new();
    for (set, items) in sets::all() {
        let Some(items) = items else { return };
        // By lint: how many items have it, and how often it is found.
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for item in &items {
            let Some((found, _)) = findings(item) else { continue };
            let mut seen = BTreeSet::new();
            for finding in &found {
                let count = counts.entry(finding.lint.id).or_default();
                count.1 += 1;
                if seen.insert(finding.lint.id) {
                    count.0 += 1;
                }
            }
        }
        for (id, (items, findings)) in counts {
            let key = format!("{set} {id}");
            rows.insert(key.clone(), format!("{key}\t{items}\t{findings}"));
        }
    }
    register::compare("lint-counts", "set and lint\titems\tfindings", &rows);
}
