//! Mutations of real files: what holds for every input holds for what is nearly a certificate, too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use tagwise_codec::Decode;
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_tests::mutate::{Random, elements, mutate, splice};
use tagwise_tests::sets::{self, Item, What};
use tagwise_tests::verdict::hold;

/// Files of the sets that differ most: by which extensions they have, the smallest first.
fn diverse(items: Vec<Item>, count: usize) -> Vec<Item> {
    let mut kinds: BTreeMap<Vec<Vec<u8>>, Item> = BTreeMap::new();
    for item in items {
        // Beyond this size a mutation says no more and takes longer.
        if item.octets.len() > 4096 {
            continue;
        }
        let identifiers = elements(&item.octets)
            .iter()
            .filter(|element| item.octets[element.start] == 0x06)
            .map(|element| item.octets[element.content..element.end].to_vec())
            .collect();
        let kept = kinds.entry(identifiers).or_insert_with(|| item.clone());
        if item.octets.len() < kept.octets.len() {
            *kept = item;
        }
    }
    let step = (kinds.len() / count).max(1);
    kinds.into_values().step_by(step).take(count).collect()
}

/// Mutations of each file: `TAGWISE_MUTATIONS`, or a hundred.
fn mutations() -> usize {
    std::env::var("TAGWISE_MUTATIONS").map_or(100, |count| count.parse().unwrap())
}

fn run(name: &str, items: Vec<Item>, each: usize) {
    let mut random = Random(0x7461_6777_6973_6521);
    let (mut count, mut taken) = (0, 0);
    for item in items {
        let all = elements(&item.octets);
        for _ in 0..each {
            let mut octets = mutate(&item.octets, &all, &mut random);
            if random.below(4) == 0 {
                let all = elements(&octets);
                if !all.is_empty() {
                    octets = mutate(&octets, &all, &mut random);
                }
            }
            let held = std::panic::catch_unwind(|| match item.what {
                What::Certificate => {
                    hold::<Certificate<'_>>(&octets);
                    Certificate::from_der(&octets).is_ok()
                }
                What::CertificateList => {
                    hold::<CertificateList<'_>>(&octets);
                    CertificateList::from_der(&octets).is_ok()
                }
            });
            match held {
                Ok(strict) => taken += usize::from(strict),
                Err(cause) => {
                    println!("{} of {name}, mutated: {}", item.name, tagwise_codec::text::hex::encode(&octets));
                    std::panic::resume_unwind(cause);
                }
            }
            count += 1;
        }
    }
    println!("{name}: {count} mutations, {taken} of them strict");
    assert!(taken > 0 && taken < count, "mutations on both sides of the line");
}

#[test]
fn certificates() {
    for (name, items) in sets::all() {
        if let (Some(items), "ccadb" | "pkits-certs" | "pyca-x509" | "rfc-samples") = (items, name) {
            let items = items.into_iter().filter(|item| item.what == What::Certificate).collect();
            run(name, diverse(items, 20), mutations());
        }
    }
}

#[test]
fn revocation_lists() {
    for (name, items) in sets::all() {
        if let (Some(items), "pkits-crls" | "pyca-x509" | "x509-limbo") = (items, name) {
            let items = items.into_iter().filter(|item| item.what == What::CertificateList).collect();
            run(name, diverse(items, 10), mutations());
        }
    }
}

#[test]
fn a_splice_keeps_the_lengths_around_it() {
    let octets = [0x30, 0x07, 0x04, 0x05, 0x30, 0x03, 0x02, 0x01, 0x05];
    let all = elements(&octets);
    let starts: Vec<_> = all.iter().map(|element| (element.start, element.content, element.end)).collect();
    assert_eq!(starts, [(0, 2, 9), (2, 4, 9), (4, 6, 9), (6, 8, 9)]);
    let grown = splice(&octets, &all, (6, 9), &[0x05, 0x00, 0x05, 0x00]);
    assert_eq!(grown, [0x30, 0x08, 0x04, 0x06, 0x30, 0x04, 0x05, 0x00, 0x05, 0x00]);
    let long = splice(&octets, &all, (8, 9), &[0; 200]);
    assert_eq!(long[..6], [0x30, 0x81, 0xD1, 0x04, 0x81, 0xCE]);
}
