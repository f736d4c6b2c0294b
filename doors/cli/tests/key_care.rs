//! Care for keys: no command loses one, shows an unchecked one as checked, or accepts a request that breaks a rule.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, tagwise};
use tagwise_codec::Decode as _;
use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend as _, KeySigner, KeyType, Scheme, Signer as _};
use tagwise_pkix::oids::files::label;

/// Runs the command; words with `@` in front are files of the folder.
fn run(folder: &Path, line: &str) -> Run {
    let words: Vec<String> = line
        .split(' ')
        .map(|word| match word.strip_prefix('@') {
            Some(name) => folder.join(name).to_str().unwrap().to_owned(),
            None => word.to_owned(),
        })
        .collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The same, which must succeed.
fn good(folder: &Path, line: &str) -> Run {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run
}

/// A folder with a key, and a certificate of it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(at, "key new ecdsa-p256 --no-passphrase -o @a.key");
    good(at, "cert self-signed --ca --subject CN=a --key @a.key -o @a.pem");
    good(at, "csr new --subject CN=a --dns a.example --key @a.key -o @a.csr");
    folder
}

#[test]
fn no_output_replaces_an_input() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("word"), "secret\n").unwrap();
    good(at, "key convert --to jwk --no-passphrase @a.key -o @a.jwk");
    for (line, name) in [
        ("key new ed25519 -o @new.key --passphrase-file @word --public @word", "word"),
        ("csr sign @a.csr --ca @a.pem --ca-key @a.key -o @a.pem", "a.pem"),
        ("csr sign @a.csr --ca @a.pem --ca-key @a.key -o @a.csr", "a.csr"),
        ("csr new --from @a.pem --key @a.key -o @a.pem", "a.pem"),
        ("csr new --subject CN=a --key @a.jwk -o @a.jwk", "a.jwk"),
        ("key sign @word --key @a.key -o @word", "word"),
    ] {
        let before = fs::read(at.join(name)).unwrap();
        let run = run(at, line);
        let expected = format!("tagwise: {}: is an input, and the output would replace it", at.join(name).display());
        assert_eq!((run.code, run.err.starts_with(&expected)), (Some(2), true), "{line}: {}", run.err);
        assert_eq!(fs::read(at.join(name)).unwrap(), before, "{line}");
    }
    assert!(!at.join("new.key").exists());
    // The option that names the replaced file allows it.
    good(at, "key sign @word --key @a.key -o @word --force");
}

#[test]
fn keys_in_every_format_are_kept() {
    let folder = folder();
    let at = folder.path();
    good(at, "key convert --to jwk --no-passphrase @a.key -o @a.jwk");
    let key = fs::read(at.join("a.jwk")).unwrap();
    for line in ["key convert --to jwk-public @a.jwk -o @a.jwk", "convert --to der @a.pem -o @a.jwk"] {
        let run = run(at, line);
        let expected = "it is a private key, which would be lost";
        assert_eq!((run.code, run.err.contains(expected)), (Some(3), true), "{line}: {}", run.err);
    }
    assert_eq!(fs::read(at.join("a.jwk")).unwrap(), key);
    #[cfg(unix)]
    for form in ["hex", "base64"] {
        use std::os::unix::fs::PermissionsExt as _;
        good(at, &format!("convert --to {form} @a.jwk -o @{form}"));
        assert_eq!(fs::metadata(at.join(form)).unwrap().permissions().mode() & 0o777, 0o600, "{form}");
    }
}

#[test]
fn a_certificate_never_replaces_a_key() {
    let folder = folder();
    let at = folder.path();
    good(at, "key new ed25519 --no-passphrase -o @other.key");
    for (line, name, code, expected) in [
        ("cert self-signed --host x --key @a.key -o @a.key --force", "a.key", 2, "need different files"),
        ("cert self-signed --host x --key @a.key -o @other.key --force", "other.key", 3, "which would be lost"),
    ] {
        let before = fs::read(at.join(name)).unwrap();
        let run = run(at, line);
        assert_eq!((run.code, run.err.contains(expected)), (Some(code), true), "{line}: {}", run.err);
        assert_eq!(fs::read(at.join(name)).unwrap(), before, "{line}");
    }
    good(at, "cert self-signed --host x --key @a.key -o @a.pem --force");
    let printed = good(at, "cert self-signed --host x --key @a.key -o -");
    assert!(printed.out.starts_with("-----BEGIN CERTIFICATE-----\n"), "{}", printed.out);
    assert!(printed.err.starts_with("standard output: self-signed certificate, valid until "), "{}", printed.err);
}

#[test]
fn a_ca_is_compared_with_ssh_certificates_only() {
    let folder = folder();
    let at = folder.path();
    good(at, "key convert --to openssh-public @a.key -o @ca.pub");
    for name in ["a.key", "ca.pub"] {
        let run = run(at, &format!("key show @{name} --ca @ca.pub"));
        let expected =
            format!("tagwise: {}: not an SSH certificate, so --ca was not compared\n", at.join(name).display());
        assert_eq!((run.code, run.err), (Some(4), expected), "{name}");
        good(at, &format!("key show @{name}"));
    }
}

#[test]
fn keys_of_an_unchecked_file_are_shown_and_not_used() {
    let folder = folder();
    let at = folder.path();
    good(at, "convert --to p12 @a.key -o @a.p12");
    let shown = good(at, "key show @a.p12");
    let why = "no MAC, so its integrity cannot be checked";
    let warning = format!("tagwise: {}: warning: {why}\n", at.join("a.p12").display());
    assert_eq!(shown.err, warning);
    assert_eq!(good(at, "match @a.p12 @a.pem").err, warning);
    for line in
        ["key convert --to public @a.p12", "csr new --subject CN=a --key @a.p12", "key sign @a.pem --key @a.p12"]
    {
        let run = run(at, line);
        let hint = "extract the key with `tagwise p12 extract --keys --allow-no-mac`";
        assert_eq!((run.code, run.err.contains(&format!("{why}: {hint}"))), (Some(1), true), "{line}: {}", run.err);
    }
    good(at, "p12 extract --keys --allow-no-mac --no-passphrase @a.p12 -o @b.key");
}

/// A request with a version, signed with its own key.
fn request(version: u8) -> String {
    let key = AwsLc::new().generate(KeyType::P256).unwrap();
    let info = [&[2, 1, version, 0x30, 0][..], key.public_key_info(), &[0xA0, 0]].concat();
    let info = [&[0x30, u8::try_from(info.len()).unwrap()][..], &info].concat();
    let scheme = Scheme::preferred(KeyType::P256).unwrap();
    let signature = KeySigner::new(key, scheme).unwrap().sign(&info).unwrap();
    let bits = [&[3, u8::try_from(signature.len() + 1).unwrap(), 0][..], &signature].concat();
    let whole = [&info[..], &scheme.identifier().unwrap(), &bits].concat();
    let der = [&[0x30, 0x81, u8::try_from(whole.len()).unwrap()][..], &whole].concat();
    tagwise_pkix::csr::CertificationRequest::from_der(&der).unwrap();
    pem::encode(label::CERTIFICATE_REQUEST, &der).unwrap()
}

#[test]
fn requests_are_checked_one_by_one() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("v1.csr"), request(0)).unwrap();
    fs::write(at.join("v2.csr"), request(1)).unwrap();
    fs::write(at.join("empty"), "").unwrap();
    assert!(good(at, "csr check @v1.csr").out.contains(": valid, no subject, "));
    let why = "the version of the request is 1, expected 0 (v1) (RFC 2986 §4.1)";
    let checked = run(at, "csr check @v2.csr @empty @absent @a.csr");
    assert_eq!(checked.code, Some(3), "{}", checked.err);
    let lines: Vec<&str> = checked.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", checked.out);
    assert!(lines[0].contains(&format!(": invalid: {why}, no subject, ")), "{}", lines[0]);
    assert!(lines[1].contains(": valid, CN=a, "), "{}", lines[1]);
    assert_eq!(checked.err.lines().count(), 2, "{}", checked.err);
    let json = run(at, "csr check --json @v2.csr @empty");
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["requests"][0]["status"], &json["requests"][0]["reason"]), (&"invalid".into(), &why.into()));
    // What is not valid is not signed, and not taken as a template.
    for line in ["csr sign @v2.csr --ca @a.pem --ca-key @a.key --dns b.example", "csr new --from @v2.csr --key @a.key"]
    {
        let run = run(at, line);
        assert_eq!((run.code, run.err.contains(why)), (Some(1), true), "{line}: {}", run.err);
    }
    // An alternative name that is an empty list (X.680 §51.5) is not requested.
    let run = run(at, "csr new --subject CN=a --key @a.key --extension 2.5.29.17=3000 -o @none.csr");
    assert_eq!((run.code, at.join("none.csr").exists()), (Some(1), false), "{}", run.err);
}

#[test]
fn files_are_compared_one_by_one() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("empty"), "").unwrap();
    let run = run(at, "match --json @a.key @empty @a.pem");
    assert_eq!((run.code, run.err), (Some(1), format!("tagwise: {}: the file is empty\n", at.join("empty").display())));
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((json["keys"].as_array().unwrap().len(), &json["same"]), (2, &false.into()));
}

#[test]
fn an_extension_is_given_once() {
    let folder = folder();
    let at = folder.path();
    for (options, other) in [
        ("--key-usage digitalSignature --extension critical,2.5.29.15=03020780", "--key-usage"),
        ("--ext-key-usage serverAuth --extension 2.5.29.37=300A06082B06010505070302", "--ext-key-usage"),
        ("--must-staple --extension 1.3.6.1.5.5.7.1.24=3003020105", "--must-staple"),
        ("--extension 2.999.1=0500 --extension 2.999.1=010100", "another --extension"),
    ] {
        let run = run(at, &format!("csr new --subject CN=a --key @a.key {options}"));
        let expected = format!(" contradicts {other}: give one of them\n");
        assert_eq!((run.code, run.err.ends_with(&expected)), (Some(2), true), "{options}: {}", run.err);
    }
    // The defaults for a host are not options.
    good(at, "cert self-signed --host x --key @a.key --extension critical,2.5.29.15=03020780 -o @x.pem");
}

#[test]
fn a_key_on_one_line_is_one_key() {
    let folder = folder();
    let at = folder.path();
    let key = fs::read_to_string(at.join("a.key")).unwrap();
    fs::write(at.join("line.key"), key.replace('\n', "")).unwrap();
    let shown = good(at, "key show @line.key").out;
    assert_eq!(shown.matches(": private key").count(), 1, "{shown}");
}
