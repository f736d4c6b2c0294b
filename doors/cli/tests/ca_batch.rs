//! Batches of requests: files, folders, archives and bundles.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::{Run, tagwise};
use serde_json::Value;
use tagwise_codec::{Decode, pem};
use tagwise_pkix::Certificate;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A CA, and some requests in the folder `csr`: a, b and c, and `bad`, which has a stray common name.
fn prepare() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("csr")).unwrap();
    let db = path(at, "ca.db");
    let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &path(at, "root.pem")];
    assert_eq!(tagwise(&init).code, Some(0));
    openssl(at, &["genpkey", "-algorithm", "ed25519", "-out", "key.pem"]);
    for (name, common) in [("a", "a.example.org"), ("b", "b.example.org"), ("c", "c.example.org"), ("bad", "other")] {
        let (out, dns) = (format!("csr/{name}.csr"), format!("subjectAltName=DNS:{name}.example.org"));
        let subject = format!("/CN={common}");
        openssl(at, &["req", "-new", "-key", "key.pem", "-subj", &subject, "-addext", &dns, "-out", &out]);
    }
    folder
}

fn issue(at: &Path, args: &[&str]) -> Run {
    tagwise(&[&["ca", "issue", "--db", &path(at, "ca.db")][..], args].concat())
}

fn subject(at: &Path, file: &str) -> String {
    let text = fs::read(at.join(file)).unwrap();
    let der = pem::blocks(&text).next().unwrap().unwrap().decode().unwrap();
    Certificate::from_der(&der).unwrap().tbs_certificate.subject.rfc4514().to_string()
}

#[test]
fn files_folders_archives_and_bundles() {
    if !has_openssl() {
        return;
    }
    let folder = prepare();
    let at = folder.path();
    let csr = |name: &str| path(at, &format!("csr/{name}.csr"));
    let run = issue(at, &[&csr("a"), &csr("b"), "-o", &path(at, "one")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("issued 2 certificates, refused 0 requests"), "{}", run.err);
    assert_eq!(subject(at, "one/a.pem"), "CN=a.example.org");
    openssl(at, &["verify", "-CAfile", "root.pem", "one/a.pem", "one/b.pem"]);
    // Nothing is replaced.
    let run = issue(at, &[&csr("a"), &csr("c"), "-o", &path(at, "one")]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("a.pem: could not be written: it exists already"), "{}", run.err);
    assert!(!at.join("one/c.pem").exists());

    // A refused request does not keep the others from being issued, unless that is wanted.
    let all = path(at, "csr");
    let run = issue(at, &[&all, "-o", &path(at, "none"), "--all-or-nothing"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("bad.csr: the common name other is not one of the alternative names"), "{}", run.err);
    assert!(run.err.contains("nothing was issued") && !at.join("none").exists(), "{}", run.err);
    let run = issue(at, &[&all, "-o", &path(at, "two"), "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let issued: Vec<&str> =
        document["issued"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(issued, ["a", "b", "c"].map(|name| path(&at.join("two"), &format!("{name}.pem"))));
    assert_eq!(document["refused"].as_array().unwrap().len(), 1);

    // Inputs that are not requests are named.
    fs::write(at.join("junk.csr"), "junk").unwrap();
    let mixed = [csr("c"), path(at, "root.pem"), path(at, "junk.csr")];
    let mixed: Vec<&str> = mixed.iter().map(String::as_str).collect();
    let run = issue(at, &[&mixed[..], &["-o", &path(at, "none"), "--all-or-nothing"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("nothing was issued") && !at.join("none").exists(), "{}", run.err);
    let run = issue(at, &[&mixed[..], &["-o", &path(at, "five"), "--json"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["issued"].as_array().unwrap().len(), 1);
    let refused: Vec<(&str, &str)> = document["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["request"].as_str().unwrap(), one["error"].as_str().unwrap()))
        .collect();
    assert_eq!(refused[0], (mixed[1], "not a certification request: CERTIFICATE"));
    assert!(refused[1].0 == mixed[2] && refused[1].1.contains("not a certification request"), "{refused:?}");
    assert_eq!(refused.len(), 2);

    // A bundle, and an archive.
    let text = ["a", "b", "c"].map(|name| fs::read_to_string(csr(name)).unwrap()).concat();
    fs::write(at.join("all.pem"), &text).unwrap();
    let run = issue(at, &[&path(at, "all.pem"), "-o", &path(at, "three"), "--chain"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for (file, name) in [("all.pem", "a"), ("all-2.pem", "b"), ("all-3.pem", "c")] {
        assert_eq!(subject(at, &format!("three/{file}")), format!("CN={name}.example.org"));
        assert_eq!(fs::read_to_string(at.join("three").join(file)).unwrap().matches("BEGIN CERTIFICATE").count(), 2);
    }
    let mut archive = zip::ZipWriter::new(File::create(at.join("all.zip")).unwrap());
    for name in ["a", "b"] {
        archive.start_file(format!("deep/{name}.csr"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&fs::read(csr(name)).unwrap()).unwrap();
    }
    archive.finish().unwrap();
    let run = issue(at, &[&path(at, "all.zip"), "-o", &path(at, "four"), "--der"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let der = fs::read(at.join("four/b.der")).unwrap();
    assert_eq!(Certificate::from_der(&der).unwrap().tbs_certificate.subject.rfc4514().to_string(), "CN=b.example.org");

    // Usage.
    for (more, words) in [
        (&["--dns", "x.example.org", "-o", "x"][..], "a batch takes subjects and names from its requests"),
        (&[], "requires -o FOLDER"),
    ] {
        let run = issue(at, &[&[all.as_str()][..], more].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(words), "{}", run.err);
    }
    // One request alone is not a batch.
    let run = issue(at, &[&csr("c"), "-o", &path(at, "c.pem")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(subject(at, "c.pem"), "CN=c.example.org");
}

/// Many requests: each has a certificate with its own serial number. `TAGWISE_ALL=1` issues 10,000.
#[test]
fn many_requests() {
    if !has_openssl() {
        return;
    }
    let folder = prepare();
    let at = folder.path();
    let count = if std::env::var_os("TAGWISE_ALL").is_some() { 10_000 } else { 1500 };
    let one = fs::read_to_string(at.join("csr/a.csr")).unwrap();
    fs::write(at.join("many.pem"), one.repeat(count)).unwrap();
    let start = std::time::Instant::now();
    let run = issue(at, &[&path(at, "many.pem"), "-o", &path(at, "many"), "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    println!("{count} certificates issued in {:?}", start.elapsed());
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let issued = document["issued"].as_array().unwrap();
    let serials: HashSet<&str> = issued.iter().map(|one| one["serial"].as_str().unwrap()).collect();
    assert_eq!((issued.len(), serials.len()), (count, count));
    assert_eq!(fs::read_dir(at.join("many")).unwrap().count(), count);
    let audit = tagwise(&["ca", "audit", "--db", &path(at, "ca.db")]);
    assert!(audit.out.contains(&format!("good: {} certificates", count + 1)), "{}{}", audit.out, audit.err);
}
