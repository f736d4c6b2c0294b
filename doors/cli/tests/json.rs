//! The JSON of the command.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{data, show};
use serde_json::Value;

fn json(args: &[&str]) -> (Value, Option<i32>) {
    let mut all = vec!["--json"];
    all.extend(args);
    let run = show(&all);
    (serde_json::from_str(&run.out).unwrap(), run.code)
}

#[test]
fn a_certificate() {
    let (document, code) = json(&[&data("leaf.pem")]);
    assert_eq!(code, Some(0));
    assert_eq!(document["schema"], "tagwise.show/1");
    assert_eq!(document["exit_code"], 0);
    let file = &document["files"][0];
    assert_eq!(file["form"], "PEM");
    let item = &file["items"][0];
    assert_eq!((&item["kind"], &item["sound"], &item["strict"]), (&"certificate".into(), &true.into(), &true.into()));
    assert_eq!(item["errors"].as_array().unwrap().len(), 0);
    let certificate = &item["certificate"];
    assert_eq!(certificate["serial_number"]["hex"], "5ec3b7a6437fa4e05ec3b7a6437fa4e0");
    assert_eq!(certificate["subject"]["rfc4514"], r"CN=www.example.com,O=Beispiel AG\, Müller & Söhne,C=DE");
    assert_eq!(certificate["subject"]["rdns"][2][0]["value"], "www.example.com");
    assert_eq!(certificate["subject"]["rdns"][2][0]["type"]["name"], "commonName");
    assert_eq!(certificate["public_key"]["bits"], 2048);
    assert_eq!(certificate["signature_algorithm"]["oid"], "1.2.840.10045.4.3.2");
    assert_eq!(certificate["validity"]["status"], "valid");
    let extensions = certificate["extensions"].as_array().unwrap();
    let named = |name: &str| extensions.iter().find(|extension| extension["name"] == name).unwrap();
    assert_eq!(named("keyUsage")["critical"], true);
    assert_eq!(named("keyUsage")["value"][0], "digitalSignature");
    assert_eq!(named("extKeyUsage")["value"][2]["oid"], "1.3.6.1.4.1.99999.2");
    assert_eq!(named("subjectAltName")["value"][0]["type"], "dns");
    assert_eq!(named("subjectAltName")["value"][3]["value"], "2001:db8::7");
    let unknown = extensions.iter().find(|extension| extension["oid"] == "1.3.6.1.4.1.99999.3").unwrap();
    assert_eq!(unknown["der"], "300a0201050c0568656c6c6f");
    assert_eq!(item["fingerprints"]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_crl() {
    let (document, code) = json(&[&data("list.pem")]);
    assert_eq!(code, Some(0));
    let crl = &document["files"][0]["items"][0]["crl"];
    assert_eq!(crl["entry_count"], 3);
    assert_eq!(crl["entries"][0]["serial_number"]["hex"], "0a");
    assert_eq!(crl["entries"][0]["reason"], "keyCompromise");
    assert_eq!(crl["entries"][0]["revocation_date"]["iso"], "2026-01-02T03:04:05Z");
    assert_eq!(crl["entries"][2]["reason"], Value::Null);
}

#[test]
fn errors_and_notes() {
    let (document, code) = json(&[&data("negative.pem")]);
    assert_eq!((code, &document["exit_code"]), (Some(1), &1.into()));
    let error = &document["files"][0]["items"][0]["errors"][0];
    assert_eq!(error["code"], "negative-serial");
    assert_eq!(error["path"], "tbsCertificate.serialNumber");
    assert_eq!(error["offset"], 15);
    assert_eq!(error["rule"], "negative-serial");
    let (document, code) = json(&["--allow", "all", &data("negative.pem")]);
    assert_eq!(code, Some(0));
    let item = &document["files"][0]["items"][0];
    assert_eq!((&item["sound"], &item["strict"]), (&true.into(), &false.into()));
    assert_eq!(item["notes"][0]["rule"], "negative-serial");
    assert_eq!(item["certificate"]["serial_number"]["decimal"], "-5");
    let (document, code) = json(&[&data("absent.pem")]);
    assert_eq!(code, Some(3));
    assert!(document["files"][0]["error"].is_string());
}
