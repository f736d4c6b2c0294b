//! What other implementations refuse among the certificates of the Common CA Database, and what this one makes of them:
//! `register/witness-*.tsv`.
//!
//! Agreement is not the aim: the columns say which clause decides, or which layer.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;

use tagwise_codec::Decode;
use tagwise_pkix::Certificate;
use tagwise_tests::{corpora, register, sets};

/// Why what a witness refuses may be taken, by its words.
const TAKEN: &[(&str, &str)] = &[
    (
        "host bits set",
        "RFC 5280 §4.2.1.10 gives address and mask; bits outside the mask are compared masked: for path validation",
    ),
    ("dnsName constraint", "RFC 5280 §4.2.1.10 has an IA5String; a name that can never match is for path validation"),
    (
        "rfc822Name constraint",
        "RFC 5280 §4.2.1.10 has an IA5String; a mailbox that can never match is for path validation",
    ),
    ("unsupported string type", "RFC 5280 §4.1.2.4 ANY DEFINED BY AttributeType: an unknown type may have any value"),
];

fn compare(witness: &str, file: &str, reason: impl Fn(&[&str]) -> String) {
    let (Some(folder), Some(items)) = (corpora::set("ccadb"), sets::ccadb()) else { return };
    let items: BTreeMap<&str, &sets::Item> = items.iter().map(|item| (item.name.as_str(), item)).collect();
    let listed = fs::read_to_string(folder.join(file)).unwrap();
    let mut found = BTreeMap::new();
    for line in listed.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let name = columns[0][..16].to_lowercase();
        let theirs = reason(&columns);
        let ours = match Certificate::from_der(&items[name.as_str()].octets) {
            Ok(_) => {
                let why =
                    TAKEN.iter().find(|(words, _)| theirs.contains(words)).map_or("no reason known", |taken| taken.1);
                format!("takes\t\t\t{why}")
            }
            Err(error) => format!("refuses\t{}\t{}\t{}", error.code(), error.offset(), error.clause()),
        };
        found.insert(name.clone(), format!("{name}\t{theirs}\t{ours}"));
    }
    register::compare(witness, "item\twitness\ttagwise\tcode\toffset\twhy", &found);
}

#[test]
fn go() {
    compare("witness-go", "go-crypto-x509-rejects.tsv", |columns| columns[1].to_owned());
}

#[test]
fn pyca() {
    compare("witness-pyca", "pyca50-rejects.tsv", |columns| {
        // Only the kind of error and where it was met: the rest is cut off in places.
        let text = columns[2];
        let short = text.split("ParseError { ").nth(1).unwrap_or(text).trim_end_matches([' ', '}']);
        format!("{}: {short}", columns[1])
    });
}
