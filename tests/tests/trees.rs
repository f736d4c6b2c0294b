//! Encodings of every sort as trees without a schema: what should be DER is taken as DER, or registered with the clause it
//! departs from and what BER makes of it; what should be BER, or no BER, likewise.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;

use tagwise_codec::stream::{Error, Events, Rules, Settings};
use tagwise_codec::{Any, Decode, FaultKind, Options, ber, cer};
use tagwise_tests::{corpora, register};

const COLUMNS: &str = "item\texpected\tfound\toffset\tclause\tber\twhy";

/// Reads a tree to its end.
fn tree(octets: &[u8], rules: Rules) -> Result<(), Error> {
    // What decodes without types does not look at orders either.
    let mut events = Events::with(octets, Settings::new(rules).order(0));
    while events.next()?.is_some() {}
    Ok(())
}

/// What is expected of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Der,
    Ber,
    Refused,
}

struct Item {
    name: String,
    octets: Vec<u8>,
    expected: Expected,
}

/// The files of a set that hold an encoding.
fn folder(set: &str) -> Vec<Item> {
    let Some(path) = corpora::set(set) else { return Vec::new() };
    let mut items = Vec::new();
    for (file, octets) in corpora::files(&path) {
        let text = ["md", "txt", "json"].iter().any(|ending| file.ends_with(&format!(".{ending}")));
        // Raw keys and padded content of the formats' own tests are no encodings.
        if text || file.starts_with("LICENSE") || file.ends_with(".bin") {
            continue;
        }
        for (index, (_, octets)) in corpora::contents(&octets).into_iter().enumerate() {
            let name = if index == 0 { format!("{set}/{file}") } else { format!("{set}/{file}#{index}") };
            items.push(Item { name, octets, expected: Expected::Der });
        }
    }
    items
}

/// The cases of an index, with their octets in hexadecimal.
fn indexed(file: &str, item: impl Fn(&serde_json::Value) -> (String, Expected)) -> Vec<Item> {
    let Some(path) = corpora::set(file) else { return Vec::new() };
    let index: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let octets = |case: &serde_json::Value| {
        let hex = case["hex"].as_str().unwrap();
        (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
    };
    let item = |case: &serde_json::Value| {
        let (name, expected) = item(case);
        Item { name, expected, octets: octets(case) }
    };
    index["cases"].as_array().unwrap().iter().map(item).collect()
}

fn all() -> Vec<Item> {
    let mut items = folder("rfc-samples");
    items.extend(folder("asn1crypto/fixtures"));
    items.extend(folder("rustcrypto-formats"));
    items.extend(indexed("kerberos/mit-asn1/expected.json", |case| {
        let (file, name) = (case["file"].as_str().unwrap(), case["name"].as_str().unwrap());
        (format!("kerberos/{file}/{name}"), Expected::Der)
    }));
    items.extend(indexed("ber-strozhevsky/expected.json", |case| {
        let expected = if case["expect"] == "ok" { Expected::Ber } else { Expected::Refused };
        (format!("ber-strozhevsky/{}", case["input"].as_str().unwrap()), expected)
    }));
    items
}

/// The conversions of slices find the same fault in the same place, but for a length that goes beyond the input: a stream
/// finds that out at its end.
fn hold_conversions_to(item: &Item) {
    let of = |error: tagwise_codec::Error| (error.kind(), error.offset() as u64);
    let slices = [
        (Rules::Ber, ber::to_der_untyped(&item.octets).map(|_| ()).map_err(of)),
        (Rules::Cer, cer::check_untyped(&item.octets, &Options::der()).map(|_| ()).map_err(of)),
    ];
    for (rules, slice) in slices {
        let stream = tree(&item.octets, rules).map_err(|error| (error.kind().unwrap(), error.offset()));
        let beyond = slice.is_err_and(|(kind, _)| kind == FaultKind::LengthOverrun) && stream.is_err();
        assert!(slice == stream || beyond, "{}, {rules:?}: {slice:?}, but {stream:?}", item.name);
    }
}

/// The row of an item that is not as expected.
fn row(item: &Item) -> Option<String> {
    hold_conversions_to(item);
    let (der, ber) = (tree(&item.octets, Rules::Der), tree(&item.octets, Rules::Ber));
    let slice = Any::from_der(&item.octets).map_err(|error| error.offset() as u64).map(|_| ());
    assert_eq!(der.is_ok(), slice.is_ok(), "{}", item.name);
    if der.is_ok() {
        assert!(ber.is_ok(), "{}: what is DER is BER", item.name);
    }
    let taken = |verdict: &Result<(), Error>| match verdict {
        Ok(()) => "taken".to_owned(),
        Err(error) => error.code().to_owned(),
    };
    let (expected, verdict) = match item.expected {
        Expected::Der => ("der", &der),
        Expected::Ber => ("ber", &ber),
        Expected::Refused => ("refused", &ber),
    };
    if verdict.is_ok() == (item.expected != Expected::Refused) {
        return None;
    }
    let (offset, clause, why) = match verdict {
        Err(error) => (error.offset().to_string(), error.clause(), error.message().to_string()),
        Ok(()) => (String::new(), "", "nothing is wrong with it under X.690 §8".to_owned()),
    };
    let found = taken(verdict);
    let ber = if item.expected == Expected::Der { taken(&ber) } else { String::new() };
    Some([&item.name, expected, &found, &offset, clause, &ber, &why].join("\t"))
}

#[test]
fn every_tree_is_as_expected_or_registered() {
    let items = all();
    let found: BTreeMap<String, String> =
        items.iter().filter_map(|item| Some((item.name.clone(), row(item)?))).collect();
    println!("{} trees, {} registered", items.len(), found.len());
    if items.is_empty() {
        return;
    }
    register::compare("trees", COLUMNS, &found);
    let maximum = register::rows("maxima").get("trees").and_then(|row| row.split('\t').nth(1)?.parse().ok());
    assert!(found.len() <= maximum.unwrap_or(0), "register/maxima.tsv allows {maximum:?} rows: {}", found.len());
}
