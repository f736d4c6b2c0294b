//! What `check`, `scan` and `tree` do with files that they cannot read: nothing is left out silently.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{bounded, data, tagwise};
use tagwise_codec::text::base64;

/// A folder with a certificate that is valid until 2126, and a PKCS #12 file of it under the passphrase `hunter2`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::copy(data("root.pem"), at("ok.pem")).unwrap();
    fs::write(at("word"), "hunter2\n").unwrap();
    let made = tagwise(&[
        "p12",
        "create",
        "--certificate",
        &data("root.pem"),
        "--passphrase-file",
        &at("word"),
        "-o",
        &at("tomcat.p12"),
    ]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    fs::remove_file(at("word")).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file with the passphrase, outside the folder.
fn word() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "hunter2\n").unwrap();
    file
}

const AT: &str = "2027-01-01";

#[test]
fn a_locked_keystore_fails() {
    let folder = folder();
    let run = tagwise(&["check", "--at", AT, text(folder.path())]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(
        run.err.contains("tomcat.p12: a PKCS #12 file: a password is required: give --passphrase-file FILE"),
        "{}",
        run.err
    );
    assert!(run.out.starts_with("1 valid at least until 2027-01-01T00:00:00Z\n"), "{}", run.out);
    assert!(run.out.ends_with("skipped 1 file: 1 keystore not opened\n"), "{}", run.out);
    for command in ["scan", "tree"] {
        assert_eq!(tagwise(&[command, "--at", AT, text(folder.path())]).code, Some(1), "{command}");
    }
    let run = tagwise(&["check", "--at", AT, "--json", text(folder.path())]);
    let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &read["checked"], &read["skipped"]["keystore"]), (Some(1), &1.into(), &1.into()));
    assert!(read["skipped_files"][0]["file"].as_str().unwrap().ends_with("tomcat.p12"), "{}", run.out);
}

#[test]
fn the_user_may_skip_it() {
    let folder = folder();
    for command in ["check", "scan", "tree"] {
        let run = tagwise(&[command, "--at", AT, "--skip-unreadable", text(folder.path())]);
        assert_eq!(run.code, Some(0), "{command}: {}", run.err);
        // It is told all the same.
        assert!(run.err.contains("a password is required"), "{command}: {}", run.err);
    }
    let run = tagwise(&["check", "--at", AT, "--skip-unreadable", text(folder.path())]);
    assert!(run.out.contains("skipped 1 file: 1 keystore not opened") && !run.out.starts_with("all"), "{}", run.out);
}

#[test]
fn a_passphrase_opens_it() {
    let folder = folder();
    let word = word();
    let args = ["check", "--at", AT, "--passphrase-file", text(word.path()), text(folder.path())];
    let run = tagwise(&args);
    assert_eq!((run.code, &*run.out), (Some(0), "all 2 valid at least until 2027-01-01T00:00:00Z\n"), "{}", run.err);
    // What is in it expires as anything does.
    let run = tagwise(&["check", "--at", "2200-01-01", "--passphrase-file", text(word.path()), text(folder.path())]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("tomcat.p12") && run.out.contains("2 expired, of 2"), "{}", run.out);
    fs::write(word.path(), "another\n").unwrap();
    let run = tagwise(&args);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("tomcat.p12: a PKCS #12 file: wrong passphrase"), "{}", run.err);
}

/// Files without a password, or with an empty one, need nobody's help.
#[test]
fn no_password_and_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(tagwise(&["convert", "--to", "p12", "-o", &at("none.p12"), &data("root.pem")]).code, Some(0));
    let openssl =
        ["pkcs12", "-export", "-nokeys", "-passout", "pass:", "-in", &data("root.pem"), "-out", &at("empty.p12")];
    let made = Command::new("openssl").args(openssl).output();
    let count = if made.is_ok_and(|made| made.status.success()) { 2 } else { 1 };
    let run = tagwise(&["check", "--at", AT, text(folder.path())]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out, format!("all {count} valid at least until 2027-01-01T00:00:00Z\n"));
}

/// A manifest in a folder is read as if it were named, and so is a keystore in it.
#[test]
fn kubernetes_secrets() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let keystore = fs::read(at("tomcat.p12")).unwrap();
    fs::remove_file(at("tomcat.p12")).unwrap();
    let pem = base64::encode(&fs::read(data("leaf.pem")).unwrap());
    fs::write(at("secret.yaml"), format!("apiVersion: v1\nkind: Secret\ndata:\n  tls.crt: {pem}\n")).unwrap();
    let run = tagwise(&["check", "--at", "2200-01-01", text(folder.path())]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("www.example.com") && run.out.contains("secret.yaml, line 4"), "{}", run.out);
    fs::write(at("keystore.yaml"), format!("data:\n  keystore.p12: {}\n", base64::encode(&keystore))).unwrap();
    let run = tagwise(&["check", "--at", AT, text(folder.path())]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.err.contains("keystore.yaml, line 2: a PKCS #12 file: a password is required"), "{}", run.err);
    let word = word();
    let run = tagwise(&["check", "--at", AT, "--passphrase-file", text(word.path()), text(folder.path())]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("all 3 valid"), "{}", run.out);
}

/// FIFOs, sockets, devices and circles of links in a folder are counted, and never opened.
#[test]
fn special_files_are_counted() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::remove_file(at("tomcat.p12")).unwrap();
    fs::write(at("notes"), "hello\n").unwrap();
    fs::write(at("binary"), b"\x00\x01\x02\x03").unwrap();
    assert!(Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
    let _socket = UnixListener::bind(at("socket")).unwrap();
    symlink("/dev/zero", at("zero")).unwrap();
    symlink("absent", at("broken")).unwrap();
    symlink(".", at("circle")).unwrap();
    symlink("ok.pem", at("link.pem")).unwrap();
    let run =
        bounded("check", Duration::from_secs(20), || tagwise(&["check", "--at", AT, "--json", text(folder.path())]));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    // The certificate and the link to it.
    assert_eq!(read["checked"], 2);
    for (reason, count) in
        [("special-file", 3), ("broken-link", 1), ("folder-link", 1), ("no-certificate", 1), ("unknown-format", 1)]
    {
        assert_eq!(read["skipped"][reason], count, "{reason}: {}", run.out);
    }
    assert_eq!(read["skipped_files"].as_array().unwrap().len(), 7);
}

#[test]
fn files_that_the_system_refuses() {
    let folder = folder();
    fs::remove_file(folder.path().join("tomcat.p12")).unwrap();
    // A link to itself can be resolved by nobody, not even root.
    symlink("self.pem", folder.path().join("self.pem")).unwrap();
    let run = tagwise(&["check", "--at", AT, text(folder.path())]);
    assert_eq!(run.code, Some(3), "{}", run.out);
    assert!(run.err.contains("self.pem: cannot be read"), "{}", run.err);
    assert!(run.out.contains("skipped 1 file: 1 not readable") && !run.out.starts_with("all"), "{}", run.out);
    let run = tagwise(&["check", "--at", AT, "--skip-unreadable", text(folder.path())]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// A device that has no end is refused by name, too; a pipe and /dev/null are read.
#[test]
fn devices_are_refused() {
    for args in [
        &["show", "/dev/zero"][..],
        &["scan", "/dev/zero"],
        &["check", "/dev/zero"],
        &["lint", "/dev/zero"],
        &["convert", "--to", "der", "/dev/zero"],
        &["get", "", "/dev/zero"],
        &["key", "show", "/dev/zero"],
        &["verify", "/dev/zero"],
    ] {
        let run = bounded("device", Duration::from_secs(20), || tagwise(args));
        assert_eq!(run.code, Some(3), "{args:?}");
        assert!(run.err.contains("it is a device, expected a file"), "{args:?}: {}", run.err);
    }
    let null = tagwise(&["show", "/dev/null"]);
    assert!(null.code == Some(1) && null.err.contains("the file is empty"), "{}", null.err);
    let piped = common::tagwise_with(&["show", "/dev/stdin"], &fs::read(data("root.pem")).unwrap());
    assert_eq!(piped.code, Some(0), "{}", piped.err);
}

/// A certificate without a subject is told by its alternative name, else by its serial number: never by nothing.
#[test]
fn certificates_without_a_subject() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let config = |sections: &str| {
        format!("[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=ext\n[dn]\n[ext]\n{sections}\n")
    };
    for (name, sections) in
        [("san", "subjectAltName=critical,DNS:nameless.example\n"), ("none", "basicConstraints=CA:FALSE\n")]
    {
        let cnf = at(&format!("{name}.cnf"));
        fs::write(&cnf, config(sections)).unwrap();
        let key = at("key.pem");
        let args = [
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-config",
            &cnf,
            "-keyout",
            &key,
        ];
        let out = at(&format!("{name}.pem"));
        let made = Command::new("openssl")
            .args(args)
            .args(["-subj", "/", "-set_serial", "0xabcdef", "-days", "1", "-out", &out])
            .output();
        if !made.is_ok_and(|made| made.status.success()) {
            return tagwise_testing::skip("openssl makes no certificate without a subject");
        }
        let words = if name == "san" { "DNS:nameless.example" } else { "serial number" };
        for args in [&["check", "--at", "2200-01-01", &out][..], &["scan", &out], &["tree", &out]] {
            let run = tagwise(args);
            assert!(run.out.contains(words), "{args:?}: {}{}", run.out, run.err);
        }
    }
}
