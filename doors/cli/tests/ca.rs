//! `tagwise ca` as a user meets it: what goes well, and what each thing that goes wrong is called.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, tagwise, tagwise_with};
use serde_json::Value;

/// A folder with a CA that has no passphrase.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = ca(folder.path(), &["init", "--subject", "CN=Root,O=Example", "--no-passphrase", "-o", "root.pem"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    assert!(run.err.contains("ca.db: CN=Root,O=Example (ecdsa-p256), valid until 20"), "{}", run.err);
    folder
}

/// Names of files are those in the folder.
fn ca(folder: &Path, args: &[&str]) -> Run {
    let db = path(folder, "ca.db");
    let mut all = vec!["ca".to_owned(), args[0].to_owned(), "--db".to_owned(), db];
    all.extend(args[1..].iter().map(|arg| {
        let is_file = Path::new(arg)
            .extension()
            .is_some_and(|end| ["pem", "key", "csr", "db", "crl", "der", "txt"].contains(&end.to_str().unwrap()));
        if is_file { path(folder, arg) } else { (*arg).to_owned() }
    }));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    tagwise(&all)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["schema"], "tagwise.ca/1");
    document
}

/// Issues a certificate with a new key, and gives its serial number.
fn issue(folder: &Path, name: &str) -> String {
    let key = format!("{name}.key");
    let dns = format!("{name}.example.org");
    let args = ["issue", "--new-key", "ed25519", "--key-out", &key, "--key-no-passphrase", "--dns", &dns, "--json"];
    let run = ca(folder, &args);
    json(&run)["certificate"]["serial"].as_str().unwrap().to_owned()
}

fn fails(run: &Run, code: i32, words: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn from_the_beginning_to_the_end() {
    let folder = folder();
    let folder = folder.path();
    let (one, two) = (issue(folder, "one"), issue(folder, "two"));
    let run = ca(folder, &["list"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains(&format!("{one}  valid")) && run.out.contains("  root    CN=Root,O=Example\n"),
        "{}",
        run.out
    );

    let run = ca(folder, &["revoke", &one, "--reason", "key-compromise", "--invalid-since", "2026-01-01"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains(&format!("{one}: revoked since ")) && run.out.contains("(keyCompromise)"), "{}", run.out);
    let run = ca(folder, &["revoke", "--reason", "hold", "--certificate", "two.pem"]);
    fails(&run, 3, "two.pem: cannot be read");
    assert_eq!(ca(folder, &["export", "--serial", &two, "-o", "two.pem"]).code, Some(0));
    assert_eq!(ca(folder, &["revoke", "--reason", "hold", "--certificate", "two.pem"]).code, Some(0));
    let listed = json(&ca(folder, &["list", "--json", "--status", "on-hold"]));
    assert_eq!(listed["certificates"].as_array().unwrap().len(), 1);
    assert_eq!(listed["certificates"][0]["serial"], two.as_str());
    assert_eq!(listed["certificates"][0]["names"][0], "DNS:two.example.org");
    assert_eq!(listed["certificates"][0]["revocation"]["reason"], "certificateHold");

    let made = json(&ca(folder, &["crl", "--json", "-o", "root.crl"]));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&1.into(), &2.into()));
    let run = ca(folder, &["revoke", "--release", &two]);
    assert_eq!((run.code, run.out), (Some(0), format!("{two}: no longer on hold\n")));
    let made = json(&ca(folder, &["crl", "--json"]));
    assert_eq!((&made["crl"]["number"], &made["crl"]["entries"]), (&2.into(), &1.into()));
    assert_eq!(ca(folder, &["export", "--crl"]).out, made["crl"]["pem"].as_str().unwrap());
    assert_eq!(ca(folder, &["export", "--crl", "1"]).out, fs::read_to_string(folder.join("root.crl")).unwrap());

    let all = ca(folder, &["export", "--all"]);
    assert_eq!(all.out.matches("BEGIN CERTIFICATE").count(), 3);
    let root = fs::read_to_string(folder.join("root.pem")).unwrap();
    assert_eq!(ca(folder, &["export"]).out, root);
    assert_eq!(
        ca(folder, &["export", "--serial", &two, "--ca"]).out,
        fs::read_to_string(folder.join("two.pem")).unwrap() + &root
    );
    assert!(ca(folder, &["export", "--key"]).out.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    let run = tagwise(&["show", "--json", &path(folder, "two.pem"), &path(folder, "root.crl")]);
    assert_eq!(run.code, Some(0), "{}", run.out);
}

#[test]
fn errors_have_names() {
    let empty = tempfile::tempdir().unwrap();
    fails(
        &ca(empty.path(), &["list"]),
        3,
        "ca.db: cannot be opened: No such file or directory; `tagwise ca init` creates a CA",
    );
    fails(&ca(empty.path(), &["init", "--subject", "CN", "--no-passphrase"]), 2, "--subject: ");
    fails(&ca(empty.path(), &["init", "--subject", "CN=x"]), 2, "give --passphrase-file or --passphrase-fd");
    let odd = ca(empty.path(), &["init", "--subject", "CN=x", "--no-passphrase", "--crl-url", "nothing"]);
    fails(&odd, 1, "`nothing` is not a URI: the scheme is missing");
    let history = ca(empty.path(), &["init", "--subject", "CN=x", "--no-passphrase", "--no-history"]);
    fails(&history, 2, "--last-crl, --index and --no-history require --key");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "a refused CA left something behind");
    assert_eq!(ca(empty.path(), &["init", "--subject", "CN=x", "--no-passphrase"]).code, Some(0));

    let folder = folder();
    let folder = folder.path();
    fails(&ca(folder, &["init", "--subject", "CN=Root", "--no-passphrase"]), 1, "the database already has a CA `ca`");
    let serial = issue(folder, "one");
    fails(&ca(folder, &["revoke", "ABCD"]), 1, "has issued no certificate with the serial number ABCD");
    fails(&ca(folder, &["export", "--serial", "ABCD"]), 1, "has issued no certificate");
    fails(&ca(folder, &["revoke", "--release", &serial]), 1, "is not on hold");
    fails(&ca(folder, &["revoke", "xyz"]), 2, "is not a hexadecimal serial number");
    let file = folder.join("file.pem");
    fs::write(&file, "").unwrap();
    fails(&ca(folder, &["revoke", file.to_str().unwrap()]), 2, "use --certificate FILE for the certificate in a file");
    let missing = folder.join("missing.key");
    let init = ["init", "--subject", "CN=x", "--no-passphrase", "--key", missing.to_str().unwrap()];
    let fresh = tempfile::tempdir().unwrap();
    fails(&ca(fresh.path(), &init), 3, "without --key, a new key is generated");
    assert_eq!(ca(folder, &["revoke", &serial]).code, Some(0));
    fails(&ca(folder, &["revoke", &serial]), 1, "is already revoked, since 20");
    fails(&ca(folder, &["export", "--crl"]), 1, "no CRL yet");
    // What could not be written is not lost, and it is said where it is.
    let nowhere = path(folder, "no/such/file.pem");
    let run = ca(folder, &["crl", "-o", &nowhere]);
    fails(&run, 3, "the CRL 1 is in the database: `tagwise ca export` writes it");
    assert_eq!(ca(folder, &["export", "--crl", "1"]).code, Some(0));
    // One that fails keeps no other from it, and the exit code tells of it.
    let two = issue(folder, "two");
    let run = ca(folder, &["revoke", "--json", "AB", &two, &serial]);
    assert_eq!(run.code, Some(1));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["revoked"][0]["serial"], two.as_str());
    assert_eq!(document["failed"].as_array().unwrap().len(), 2);
    fails(
        &ca(
            folder,
            &[
                "issue",
                "--new-key",
                "x25519",
                "--key-out",
                "x.key",
                "--key-no-passphrase",
                "--subject",
                "CN=x",
                "--profile",
                "ca",
            ],
        ),
        1,
        "cannot sign",
    );
    // The key of a certificate that was not issued is not left behind.
    assert!(!folder.join("x.key").exists());
    // The option that is missing is the key's, not that of the CA's key.
    let asks = ["issue", "--new-key", "ed25519", "--key-out", "x.key", "--dns", "a.b"];
    fails(&ca(folder, &asks), 2, "there is no terminal to read it from: give --key-passphrase-file\n");
    assert!(!folder.join("x.key").exists());
    let long = [
        "issue",
        "--new-key",
        "ed25519",
        "--key-out",
        "x.key",
        "--key-no-passphrase",
        "--dns",
        "a.b",
        "--days",
        "9999",
    ];
    fails(&ca(folder, &long), 1, "would be later than the CA certificate's");
    fails(
        &ca(folder, &["issue", "--public-key", "root.pem", "--subject", "CN=x"]),
        1,
        "the subject's key must not be the CA's own",
    );

    fs::write(
        folder.join("other.db"),
        "not a database, but long enough to have a header of a hundred octets".repeat(9),
    )
    .unwrap();
    let other = path(folder, "other.db");
    fails(&tagwise(&["ca", "list", "--db", &other]), 3, "not a CA database");
    let folder_itself = folder.to_str().unwrap();
    assert_eq!(tagwise(&["ca", "list", "--db", folder_itself]).code, Some(3));
}

#[test]
fn the_key_is_under_a_passphrase() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("right.txt"), "correct horse\n").unwrap();
    fs::write(folder.join("wrong.txt"), "battery staple\n").unwrap();
    let made = ca(
        folder,
        &["init", "--subject", "CN=Root", "--key-type", "ed25519", "--passphrase-file", "right.txt", "--json"],
    );
    assert_eq!(json(&made)["encrypted"], true);
    fails(&ca(folder, &["crl"]), 2, "a passphrase is required, but there is no terminal to read it from: give");
    fails(&ca(folder, &["crl", "--passphrase-file", "wrong.txt"]), 1, "wrong passphrase for the CA's key");
    let run = ca(folder, &["crl", "--passphrase-file", "right.txt"]);
    assert!(run.out.starts_with("-----BEGIN X509 CRL-----\n"), "{}", run.err);
    // What needs no key asks for none.
    assert_eq!(ca(folder, &["list"]).code, Some(0));
    let key = ca(folder, &["export", "--key", "-o", "backup.key"]);
    assert_eq!((key.code, key.out.as_str()), (Some(0), ""));
    let (key, right) = (path(folder, "backup.key"), path(folder, "right.txt"));
    let run = tagwise(&["key", "show", &key, "--passphrase-file", &right]);
    assert!(run.out.contains("PKCS #8, encrypted"), "{}", run.err);
    // Neither the passphrase nor the key is in the database.
    let plain = tagwise(&["key", "convert", "--to", "pkcs8", "--no-passphrase", &key, "--passphrase-file", &right]).out;
    let der = tagwise_codec::pem::blocks(plain.as_bytes()).next().unwrap().unwrap().decode().unwrap();
    let secret = &der[der.len() - 32..];
    for file in ["ca.db", "ca.db-wal"] {
        let octets = fs::read(folder.join(file)).unwrap_or_default();
        assert!(!octets.windows(32).any(|window| window == secret), "{file}");
        assert!(!octets.windows(13).any(|window| window == b"correct horse"), "{file}");
    }
}

#[test]
fn a_ca_below_another() {
    let root = folder();
    let folder = root.path();
    let (key, public) = (path(folder, "sub.key"), path(folder, "sub.pub"));
    let run = tagwise(&["key", "new", "ecdsa-p384", "-o", &key, "--public", &public, "--no-passphrase"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = ca(
        folder,
        &[
            "issue",
            "--public-key",
            &public,
            "--subject",
            "CN=Sub",
            "--profile",
            "ca",
            "--path-len",
            "0",
            "-o",
            "sub.pem",
        ],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (db, certificate) = (path(folder, "sub.db"), path(folder, "sub.pem"));
    let init = ["ca", "init", "--db", &db, "--key", &key, "--certificate", &certificate, "--no-passphrase"];
    fails(&tagwise(&init), 2, "give the last CRL with --last-crl FILE");
    let run = tagwise(&[&init[..], &["--last-crl", "9"]].concat());
    fails(
        &run,
        2,
        "--last-crl requires a file, not a number: give the CRL with the number 9; if nothing is revoked, pass --no-history",
    );
    assert!(!folder.join("sub.db").exists());
    let run = tagwise(&[&init[..], &["--no-history", "--last-crl-number", "9"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["ca", "crl", "--db", &db, "--json"]);
    assert_eq!(json(&run)["crl"]["number"], 10);
    let run =
        tagwise(&["ca", "issue", "--db", &db, "--public-key", &public, "--subject", "CN=x", "--profile", "client"]);
    fails(&run, 1, "the subject's key must not be the CA's own");
    let other = path(folder, "other.key");
    assert_eq!(tagwise(&["key", "new", "ecdsa-p384", "-o", &other, "--no-passphrase"]).code, Some(0));
    let db = path(folder, "other.db");
    let run = tagwise(&[
        "ca",
        "init",
        "--db",
        &db,
        "--key",
        &other,
        "--certificate",
        &certificate,
        "--no-passphrase",
        "--no-history",
    ]);
    fails(&run, 1, "the key does not match the CA's certificate");
    // What is refused leaves nothing behind.
    let left: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with("other.db")), "{left:?}");
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with('.')), "{left:?}");
}

#[test]
fn requests_come_from_files_and_standard_input() {
    let folder = folder();
    let folder = folder.path();
    let db = path(folder, "ca.db");
    let run = tagwise_with(&["ca", "issue", "--db", &db, "-"], b"nothing");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("standard input"), "{}", run.err);
    let run = tagwise_with(&["ca", "ocsp", "--db", &db, "-", "-o", &path(folder, "r.der")], &[0x30, 3, 2, 1, 1]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    // malformedRequest
    assert_eq!(fs::read(folder.join("r.der")).unwrap(), [0x30, 3, 0x0A, 1, 1]);
    let run = ca(folder, &["issue"]);
    fails(&run, 2, "required");
}
