//! Time is a fault: `tagwise ca` under clocks that jump ahead and back, held to what OpenSSL makes of it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::path::Path;

use common::clock::{has_faketime, tagwise_at};
use common::openssl::{has_openssl, openssl, openssl_try};
use common::{Run, tagwise};
use serde_json::Value;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A clock that is right.
const RIGHT: &str = "+0d";

struct Ca {
    folder: tempfile::TempDir,
    db: String,
}

impl Ca {
    fn new(clock: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = path(folder.path(), "ca.db");
        let ca = Self { folder, db };
        let root = path(ca.folder.path(), "root.pem");
        let (key, public) = (path(ca.folder.path(), "key"), path(ca.folder.path(), "key.pub"));
        good(&tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", &key, "--public", &public]));
        good(&ca.at(clock, "init", &["--subject", "CN=Root", "--no-passphrase", "-o", &root]));
        ca
    }

    fn at(&self, clock: &str, command: &str, args: &[&str]) -> Run {
        tagwise_at(clock, &[&["ca", command, "--db", &self.db][..], args].concat())
    }

    /// Issues a certificate, and gives its number.
    fn issue(&self, clock: &str, name: &str, more: &[&str]) -> String {
        let (public, file) = (path(self.folder.path(), "key.pub"), path(self.folder.path(), name));
        let args = ["--public-key", &public, "--dns", "a.example.org", "--json", "-o", &file];
        let document = json(&self.at(clock, "issue", &[&args[..], more].concat()));
        document["certificate"]["serial"].as_str().unwrap().to_owned()
    }

    /// The number of a CRL, and how many entries it has.
    fn crl(&self, clock: &str, more: &[&str]) -> (u64, u64) {
        let file = path(self.folder.path(), "root.crl");
        let document = json(&self.at(clock, "crl", &[&["--json", "-o", &file][..], more].concat()));
        (document["crl"]["number"].as_u64().unwrap(), document["crl"]["entries"].as_u64().unwrap())
    }

    fn is_revoked(&self, name: &str) -> bool {
        let verify = ["verify", "-crl_check", "-CRLfile", "root.crl", "-CAfile", "root.pem", name];
        let (good, said) = openssl_try(self.folder.path(), &verify);
        assert!(good || said.contains("certificate revoked"), "{said}");
        !good
    }
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}", run.err);
}

fn json(run: &Run) -> Value {
    good(run);
    serde_json::from_str(&run.out).unwrap()
}

fn fails(run: &Run, words: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

const HINT: &str =
    "correct the clock or, if it is correct now and was fast then, run `tagwise ca crl --clock-was-wrong`";

/// A clock that was ahead once does not make a CRL lose a revocation that counts.
#[test]
fn a_thousand_days_ahead_and_back() {
    if !has_faketime() || !has_openssl() {
        return;
    }
    let ca = Ca::new(RIGHT);
    let serial = ca.issue(RIGHT, "leaf.pem", &[]);
    good(&ca.at(RIGHT, "revoke", &[&serial, "--reason", "key-compromise"]));
    assert_eq!(ca.crl(RIGHT, &[]), (1, 1));
    assert!(ca.is_revoked("leaf.pem"));
    // It is listed after its end, then no more: under that clock all is as it should be.
    assert_eq!(ca.crl("+1000d", &[]), (2, 1));
    assert_eq!(ca.crl("+1001d", &[]), (3, 0));
    fails(&ca.at(RIGHT, "crl", &[]), "the last CRL was issued at 20");
    fails(&ca.at(RIGHT, "crl", &[]), HINT);
    assert_eq!(ca.crl(RIGHT, &["--clock-was-wrong"]), (4, 1));
    assert!(ca.is_revoked("leaf.pem"));
    // From then on nothing has to be said, and it is there to its end.
    assert_eq!(ca.crl(RIGHT, &[]), (5, 1));
    assert_eq!(ca.crl("+89d", &[]), (6, 1));
    assert_eq!(ca.crl("+91d", &[]), (7, 1));
    assert_eq!(ca.crl("+92d", &[]), (8, 0));
}

/// Revocations made while the clock was ahead are dated to its correction, never to a day to come.
#[test]
fn revoked_in_the_future() {
    if !has_faketime() || !has_openssl() {
        return;
    }
    let ca = Ca::new(RIGHT);
    let serial = ca.issue(RIGHT, "leaf.pem", &[]);
    good(&ca.at("+1000d", "revoke", &[&serial, "--reason", "superseded"]));
    let said = format!("the certificate {serial} was revoked at 20");
    fails(&ca.at(RIGHT, "crl", &[]), &said);
    fails(&ca.at(RIGHT, "ocsp", &["--serial", &serial]), &said);
    assert_eq!(ca.crl(RIGHT, &["--clock-was-wrong"]), (1, 1));
    assert!(ca.is_revoked("leaf.pem"));
    let year = json(&ca.at(RIGHT, "list", &["--json", "--status", "revoked"]));
    let (at, made) = (&year["certificates"][0]["revocation"]["at"], &year["certificates"][0]["issued"]);
    let days = (at["unix"].as_i64().unwrap() - made["unix"].as_i64().unwrap()) / 86_400;
    assert_eq!(days, 0, "{at} {made}");
    let response = path(ca.folder.path(), "response.der");
    good(&ca.at(RIGHT, "ocsp", &["--serial", &serial, "-o", &response]));
    let ask = ["ocsp", "-issuer", "root.pem", "-cert", "leaf.pem", "-CAfile", "root.pem", "-respin", "response.der"];
    let said = openssl(ca.folder.path(), &ask);
    assert!(said.contains("Response verify OK") && said.contains("leaf.pem: revoked"), "{said}");
    assert!(!said.contains("Status times invalid"), "{said}");
}

/// OCSP answers of a clock that was ahead are not given, and not followed by older ones, until it is put right.
#[test]
fn answers_of_the_future() {
    if !has_faketime() || !has_openssl() {
        return;
    }
    let ca = Ca::new(RIGHT);
    let serial = ca.issue(RIGHT, "leaf.pem", &[]);
    let folder = ca.folder.path();
    let response = path(folder, "response.der");
    let names = ["ocsp", "-no_nonce", "-issuer", "root.pem", "-cert", "leaf.pem"];
    openssl(folder, &[&names[..], &["-reqout", "request.der"]].concat());
    let request = path(folder, "request.der");
    good(&ca.at("+20d", "ocsp", &[&request, "-o", &response]));
    let said = format!("the last OCSP response about {serial} was signed at 20");
    fails(&ca.at(RIGHT, "ocsp", &["--serial", &serial]), &said);
    // A client is told to try later: a response of three octets of content, ENUMERATED 3.
    let run = ca.at(RIGHT, "ocsp", &[&request, "-o", &response]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains(&said), "{}", run.err);
    assert_eq!(std::fs::read(&response).unwrap(), [0x30, 3, 0x0A, 1, 3]);
    ca.crl(RIGHT, &["--clock-was-wrong"]);
    good(&ca.at(RIGHT, "ocsp", &[&request, "-o", &response]));
    let said = openssl(folder, &[&names[..], &["-CAfile", "root.pem", "-respin", "response.der"]].concat());
    assert!(said.contains("leaf.pem: good") && !said.contains("Status times invalid"), "{said}");
}

/// A day back from the last CRL: nothing with a date is signed or recorded.
#[test]
fn a_day_back() {
    if !has_faketime() || !has_openssl() {
        return;
    }
    let ca = Ca::new("-10d");
    let serial = ca.issue("-9d", "leaf.pem", &[]);
    assert_eq!(ca.crl(RIGHT, &[]), (1, 0));
    let public = path(ca.folder.path(), "key.pub");
    let issue = ["--public-key", &public, "--dns", "a.example.org"];
    let rekey = ["--new-db", &path(ca.folder.path(), "new.db"), "--no-new-passphrase"];
    for run in [
        ca.at("-1d", "issue", &issue),
        ca.at("-1d", "crl", &[]),
        ca.at("-1d", "ocsp", &["--serial", &serial]),
        ca.at("-1d", "revoke", &[&serial]),
        ca.at("-1d", "rekey", &rekey),
        ca.at("-1d", "renew", &[]),
    ] {
        fails(&run, "the last CRL was issued at 20");
        assert!(run.err.contains(HINT), "{}", run.err);
    }
    // Before the CA was there.
    fails(&ca.at("-11d", "crl", &[]), "the CA's certificate is valid from");
    good(&ca.at(RIGHT, "revoke", &[&serial]));
    assert_eq!(ca.crl(RIGHT, &[]), (2, 1));
    assert!(ca.is_revoked("leaf.pem"));
    // It was the other clock that was wrong: then all goes on from here.
    assert_eq!(ca.crl("-1d", &["--clock-was-wrong"]), (3, 1));
    good(&ca.at("-1d", "issue", &issue));
    assert_eq!(ca.crl(RIGHT, &[]), (4, 1));
}

/// RFC 5280 §4.1.2.5, §5.1.2.4: two digits for years to 2049, four from 2050 on.
#[test]
fn from_2049_to_2050() {
    if !has_faketime() || !has_openssl() {
        return;
    }
    let before = "@2049-12-31 23:50:00";
    let ca = Ca::new("@2049-12-01 00:00:00");
    let serial = ca.issue(before, "leaf.pem", &["--days", "1"]);
    let folder = ca.folder.path();
    let times = |file: &str| -> Vec<String> {
        let said = openssl(folder, &["asn1parse", "-in", file]);
        let times = said.lines().filter(|line| line.contains("UTCTIME") || line.contains("GENERALIZEDTIME"));
        times.map(|line| line.split_whitespace().last().unwrap().trim_start_matches(':').to_owned()).collect()
    };
    let is_before = |time: &String| time.starts_with("4912312350") && time.len() == 13;
    let leaf = times("leaf.pem");
    // A second before the day is complete, a few seconds after the clock was set.
    let is_end = leaf[1].starts_with("205001012349") || leaf[1].starts_with("205001012350");
    assert!(is_before(&leaf[0]) && is_end && leaf[1].len() == 15, "{leaf:?}");
    assert_eq!(ca.crl(before, &[]), (1, 0));
    let list = times("root.crl");
    assert!(is_before(&list[0]) && list[1].starts_with("2050010723"), "{list:?}");
    good(&ca.at(before, "revoke", &[&serial, "--invalid-since", "2049-12-31"]));
    assert_eq!(ca.crl("@2050-01-01 00:00:01", &[]), (2, 1));
    let list = times("root.crl");
    assert!(list[0].starts_with("2050010100000") && list[1].starts_with("20500108") && is_before(&list[2]), "{list:?}");
    let shown = tagwise(&["show", "--at", "2050-01-01", &path(folder, "root.crl"), &path(folder, "leaf.pem")]);
    good(&shown);
    // Back over the boundary, and on again.
    fails(&ca.at("@2049-12-31 23:00:00", "crl", &[]), "the last CRL was issued at 2050-01-01T00:00:0");
    // Its end is passed: it is on one CRL more, and on none later.
    assert_eq!(ca.crl("@2050-01-02 00:00:00", &[]), (3, 1));
    assert_eq!(ca.crl("@2050-01-03 00:00:00", &[]), (4, 0));
}
