//! OpenSSL's d2i cases: what must decode does, what must not does not.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;

use tagwise_codec::{Any, Decode, Error, Int};
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::GeneralName;
use tagwise_tests::corpora;

/// Cases that end otherwise than expected, and why that is right. (file, type, ends in a value, clause)
const REGISTER: &[(&str, &str, bool, &str)] = &[];

#[test]
fn every_case() {
    let Some(folder) = corpora::set("openssl") else { return };
    let cases: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("d2i-expected.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in cases["cases"].as_array().unwrap() {
        let (ty, file) = (case["type"].as_str().unwrap(), case["file"].as_str().unwrap());
        let expected = case["mode"].as_str().unwrap() == "OK";
        let octets = fs::read(folder.join(file)).unwrap();
        let got: Result<(), Error> = match ty {
            "X509" => Certificate::from_der(&octets).map(|_| ()),
            "GENERAL_NAME" => <GeneralName<'_>>::from_der(&octets).map(|_| ()),
            "ASN1_INTEGER" => Int::from_der(&octets).map(|_| ()),
            // A ContentInfo that is no element at all needs no schema to be refused.
            "ASN1_ANY" | "CMS_ContentInfo" => Any::from_der(&octets).map(|_| ()),
            _ => panic!("no type {ty}"),
        };
        println!("{file} as {ty}: {got:?}");
        let registered = REGISTER.iter().any(|row| row.0 == file && row.1 == ty && row.2 == got.is_ok());
        if (got.is_ok() != expected) != registered {
            wrong.push(format!("{file} as {ty}: {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
