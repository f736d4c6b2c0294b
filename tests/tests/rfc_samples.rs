//! Samples of the types of many RFCs, read by our schemas at run time: they decode, give the same octets again, and come back
//! from their JSON.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use tagwise_tables::Schema;
use tagwise_tests::register;
use tagwise_tests::samples::{UNNAMED, samples, schema, ty};

const COLUMNS: &str = "item\ttype\tfound\twhy";

/// What is wrong with a sample, if anything is.
fn wrong(schema: &Schema, name: &str, octets: &[u8]) -> Option<(String, String)> {
    let ty = schema.ty(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let value = match ty.decode(octets) {
        Ok(read) => read.value,
        Err(error) => return Some((format!("{} at {}", error.code(), error.offset()), error.to_string())),
    };
    let again = ty.encode(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(again == octets, "{name}: other octets");
    let json = tagwise_jer::to_string(ty.types(), &value);
    let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(ty.encode(&back).unwrap() == octets, "{name}: other octets from JSON");
    None
}

#[test]
fn every_sample_round_trips_or_is_registered() {
    let Some(samples) = samples() else { return };
    let schema = schema();
    let mut found = BTreeMap::new();
    let mut met = 0;
    for sample in &samples {
        let (file, octets, class) = (&sample.file, &sample.octets, sample.class.as_deref());
        let row = match class.map(ty) {
            Some(Some(name)) => wrong(&schema, name, octets).map(|(found, why)| (name, found, why)),
            Some(None) => {
                Some((class.unwrap(), "no-schema".to_owned(), "no module of schemas/ has the type".to_owned()))
            }
            None => UNNAMED
                .iter()
                .all(|name| schema.ty(name).unwrap().decode(octets).is_err())
                .then(|| ("", "no-type".to_owned(), "no type of schemas/ takes it".to_owned()))
                .or_else(|| {
                    let name = UNNAMED.iter().find(|name| schema.ty(name).unwrap().decode(octets).is_ok())?;
                    wrong(&schema, name, octets).map(|(found, why)| (*name, found, why))
                }),
        };
        match row {
            Some((name, code, why)) => {
                found.insert(file.clone(), [file, name, &code, &why].join("\t"));
            }
            None => met += 1,
        }
    }
    println!("{met} samples, {} registered", found.len());
    register::keep("rfc-samples-typed", COLUMNS, &found);
}
