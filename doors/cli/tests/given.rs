//! Everything that is given is used, or the command says that it was not: parts of files, and options.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, tagwise};

/// Runs the command; words with `@` in front are files of the folder.
fn run(folder: &Path, line: &str) -> Run {
    let words: Vec<String> = line
        .split(' ')
        .map(|word| match word.strip_prefix('@') {
            Some(name) => folder.join(name).to_str().unwrap().to_owned(),
            None => word.replace('_', " "),
        })
        .collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn good(folder: &Path, line: &str) -> String {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run.out
}

fn fails(folder: &Path, line: &str, code: i32, text: &str) {
    let run = run(folder, line);
    assert_eq!(run.code, Some(code), "{line}: {} {}", run.out, run.err);
    assert!(run.err.contains(text), "{line}: {}", run.err);
}

/// Writes a file that consists of others, which are text.
fn joined(folder: &Path, name: &str, parts: &[&[u8]]) {
    fs::write(folder.join(name), parts.concat()).unwrap();
}

/// A CA with two end-entity certificates, of which the second is revoked in the second CRL.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(at, "ca init --db @ca.db --subject CN=Root --no-passphrase -o @root.pem");
    for name in ["a", "b"] {
        good(at, &format!("key new ecdsa-p256 --no-passphrase -o @{name}.key --public @{name}.pub"));
        good(at, &format!("ca issue --db @ca.db --public-key @{name}.pub --dns {name}.example.org -o @{name}.pem"));
    }
    good(at, "ca crl --db @ca.db -o @1.crl");
    good(at, "ca revoke --db @ca.db --certificate @b.pem --reason keyCompromise");
    good(at, "ca crl --db @ca.db -o @2.crl");
    for name in ["a.pem", "b.pem", "1.crl", "2.crl"] {
        good(at, &format!("convert @{name} --to der -o @{name}.der"));
    }
    folder
}

#[test]
fn every_crl_of_a_file_is_used_or_the_file_is_refused() {
    let folder = folder();
    let at = folder.path();
    let [first, second] = ["1.crl", "2.crl"].map(|name| fs::read(at.join(name)).unwrap());
    let [first_der, second_der] = ["1.crl.der", "2.crl.der"].map(|name| fs::read(at.join(name)).unwrap());
    let verify = "verify @b.pem --trust @root.pem --revocation require --crl";
    assert_eq!(run(at, &format!("{verify} @1.crl")).code, Some(0));
    // Several in one form are all read.
    joined(at, "pem", &[&first, &second]);
    joined(at, "der", &[&first_der, &second_der]);
    for name in ["pem", "der"] {
        assert_eq!(run(at, &format!("{verify} @{name}")).code, Some(1), "{name}");
    }
    joined(at, "der-pem", &[&first_der, &second]);
    joined(at, "der-line-der", &[&first_der, b"\n", &second_der]);
    for name in ["der-pem", "der-line-der"] {
        fails(at, &format!("{verify} @{name}"), 3, name);
    }
    // What stands beside a PEM block is text.
    joined(at, "text", &[b"two CRLs\n", &second]);
    assert_eq!(run(at, &format!("{verify} @text")).code, Some(1));
}

#[test]
fn every_certificate_of_a_file_is_verified_or_the_file_is_refused() {
    let folder = folder();
    let at = folder.path();
    let [a, b, root] = ["a.pem", "b.pem", "root.pem"].map(|name| fs::read(at.join(name)).unwrap());
    let a_der = fs::read(at.join("a.pem.der")).unwrap();
    joined(at, "der-pem", &[&a_der, &b]);
    joined(at, "junk", &[&a_der, b"\0\0junk"]);
    joined(at, "bad.pem", &[&root, b"-----BEGIN CERTIFICATE-----\nMAA!\n-----END CERTIFICATE-----\n"]);
    for name in ["der-pem", "junk"] {
        fails(at, &format!("verify @{name} --trust @root.pem"), 3, name);
        fails(at, &format!("verify @a.pem --trust @root.pem --untrusted @{name}"), 3, name);
    }
    fails(at, "verify @a.pem --trust @root.pem --untrusted @bad.pem", 3, "bad.pem");
    fails(at, "verify @a.pem --trust @bad.pem", 3, "bad.pem");
    // Differences beyond the first certificate are differences.
    joined(at, "ab.pem", &[&a, &b]);
    joined(at, "aa.pem", &[&a, &a]);
    fails(at, "diff @ab.pem @aa.pem", 1, "the other values differ");
    fails(at, "diff @ab.pem @a.pem", 1, "the other values differ");
    assert_eq!(run(at, "diff @ab.pem @ab.pem").code, Some(0));
    assert_eq!(run(at, "diff @junk @a.pem").code, Some(1));
    // So are those of keys, and of zeros behind a value.
    let key = |name: &str| assert_eq!(run(at, &format!("key new ed25519 --no-passphrase -o @{name}")).code, Some(0));
    key("one.key");
    key("other.key");
    let [one, other] = ["one.key", "other.key"].map(|name| fs::read(at.join(name)).unwrap());
    joined(at, "a-one.pem", &[&a, &one]);
    joined(at, "a-other.pem", &[&a, &other]);
    joined(at, "a-zeros.der", &[&a_der, &[0; 4]]);
    fails(at, "diff @a-one.pem @a-other.pem", 1, "the other values differ");
    fails(at, "diff @a.pem @a-zeros.der", 1, "no zero bytes may follow the outermost value");
    let run = run(at, "diff --json @a-one.pem @a-other.pem");
    assert!(run.out.contains("\"same\": false") && run.out.contains("\"exit_code\": 1"), "{}", run.out);
}

#[test]
fn one_message_is_expected() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    good(at, "cms sign @text --key @a.key --certificate @a.pem -o @one.der");
    good(at, "convert @one.der --to pem -o @one.pem");
    let one = fs::read(at.join("one.pem")).unwrap();
    joined(at, "two.pem", &[&one, &one]);
    assert_eq!(run(at, "cms verify @one.pem --trust @root.pem --purpose any").code, Some(0));
    fails(at, "cms verify @two.pem --trust @root.pem --purpose any", 1, "2 values, expected one message");
}

/// RFC 5280 §4.2.1.3: the key usage says whether a key encrypts.
#[test]
fn a_recipient_has_a_key_for_encryption() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    for (name, usage) in [("agree", "keyAgreement"), ("sign", "digitalSignature")] {
        let subject = format!("cert self-signed --subject CN={name} --key-usage {usage}");
        good(at, &format!("{subject} --key-out @{name}.key -o @{name}.pem"));
    }
    assert_eq!(run(at, "cms encrypt @text --to @agree.pem -o @m").err, "");
    let reported = run(at, "cms encrypt @text --to @sign.pem -o @n");
    assert_eq!(reported.code, Some(0));
    assert!(reported.err.contains("key usage does not include keyAgreement"), "{}", reported.err);
}

#[test]
fn an_output_does_not_replace_an_input() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    let sign = "cms sign @text --detached --key @a.key --certificate @a.pem -o @text";
    fails(at, sign, 2, "is an input, and the output would replace it; --force replaces it");
    assert_eq!(fs::read(at.join("text")).unwrap(), b"hello");
    good(at, &format!("{sign} --force"));
    // Conversion keeps the content.
    good(at, "convert @a.pem --to der -o @a.pem");
}

#[test]
fn options_that_contradict_each_other_or_have_no_effect() {
    let folder = folder();
    let at = folder.path();
    let verify = "verify @a.pem --trust @root.pem";
    for options in ["--allow validity --enforce validity", "--enforce validity --allow validity"] {
        fails(at, &format!("{verify} {options}"), 2, "--enforce validity: --allow disables it");
    }
    fails(at, &format!("{verify} --servername evil.example"), 2, "--servername is for servers");
    fails(at, "show @a.pem --servername evil.example", 2, "--servername is for servers");
    fails(at, &format!("{verify} --client-certificate @a.pem"), 2, "--client-certificate is for servers");
}
