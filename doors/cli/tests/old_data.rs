//! Data of old and of other programs: keys in traditional PEM, Java's keystores, small RSA keys, SHA-1.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::tagwise;
use tagwise_codec::{OctetStr, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::pkcs12::{ByPassword, Password};
use tagwise_crypto::{PasswordOptions, Secret, encrypt_key};
use tagwise_pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};
use tagwise_pkix::oids;

fn text(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Writes a file and returns its name.
fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    fs::write(folder.join(name), content).unwrap();
    text(folder, name)
}

#[test]
fn keys_encrypted_by_headers() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (right, wrong) = (file(folder, "right", "secret\n"), file(folder, "wrong", "other\n"));
    openssl(folder, &["genrsa", "-out", "plain.key", "2048"]);
    let expected = tagwise(&["key", "show", "--json", &text(folder, "plain.key")]).out;
    let sha256 = |out: &str| -> String {
        let shown: serde_json::Value = serde_json::from_str(out).unwrap();
        shown["keys"][0]["public_key_sha256"].as_str().unwrap().to_owned()
    };
    for cipher in ["-aes128", "-aes192", "-aes256", "-des3"] {
        let args = ["rsa", "-traditional", "-in", "plain.key", cipher, "-passout", "pass:secret", "-out", "old.key"];
        openssl(folder, &args);
        let key = text(folder, "old.key");
        let run = tagwise(&["key", "show", "--json", &key, "--passphrase-file", &right]);
        assert_eq!(run.code, Some(0), "{cipher}: {}", run.err);
        assert_eq!(sha256(&run.out), sha256(&expected), "{cipher}");
        let run = tagwise(&["key", "show", &key, "--passphrase-file", &wrong]);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("wrong password"), "{cipher}: {}", run.err);
        // Without a terminal, the passphrase is said to be missing.
        let run = tagwise(&["key", "show", &key]);
        assert!(
            run.err.contains("a passphrase is required, but there is no terminal to read it from: give"),
            "{cipher}: {}",
            run.err
        );
        let new = text(folder, &format!("new{cipher}"));
        let convert =
            ["key", "convert", "--to", "pkcs8", &key, "--passphrase-file", &right, "--no-passphrase", "-o", &new];
        let run = tagwise(&convert);
        assert_eq!(run.code, Some(0), "{cipher}: {}", run.err);
        let run =
            tagwise(&["key", "sign", &right, "--key", &key, "--passphrase-file", &right, "-o", &text(folder, "s")]);
        assert_eq!(run.code, Some(0), "{cipher}: {}", run.err);
        fs::remove_file(folder.join("s")).unwrap();
    }
}

/// What looks like a key says what is wrong with it.
#[test]
fn faults_of_keys_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = text(folder, "good");
    assert_eq!(tagwise(&["key", "new", "ed25519", "-o", &key, "--no-passphrase"]).code, Some(0));
    let der = tagwise_codec::pem::first(&["PRIVATE KEY"], &fs::read(&key).unwrap()).unwrap();
    // The same with its length in one byte more than is needed (X.690 §10.1).
    let long = [&[0x30, 0x81, der[1]][..], &der[2..]].concat();
    let run = tagwise(&["key", "show", &file(folder, "long", long)]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("length") && run.err.contains("X.690"), "{}", run.err);
    let jks = file(folder, "jks", b"\xFE\xED\xFE\xED\0\0\0\x02\0\0\0\0");
    for command in [["key", "show"], ["p12", "show"], ["p12", "extract"]] {
        let run = tagwise(&[command[0], command[1], &jks]);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("Java keystore key is malformed: truncated"), "{command:?}: {}", run.err);
    }
}

#[test]
fn secret_keys_of_java_are_extracted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let backend = AwsLc::new();
    let right = file(folder, "right", "secret\n");
    let info = b"\x30\x22\x02\x01\x00\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x01\x02\x04\x100123456789abcdef";
    let options = PasswordOptions { iterations: 10, ..PasswordOptions::DEFAULT };
    let encrypted = |password: &[u8]| {
        let encrypted = encrypt_key(&backend, &Secret::from(&info[..]), password, &options).unwrap();
        encode(&OctetStr::new(&encrypted)).unwrap()
    };
    let (own, other) = (encrypted(b"secret"), encrypted(b"another"));
    let bag = |value| Pkcs12Item::new(Pkcs12Value::Secret { id: oids::PKCS8_SHROUDED_KEY_BAG, value });
    let by = ByPassword::new(&backend, Password::new("secret"));
    let write =
        |name, items: &[Pkcs12Item<'_>]| file(folder, name, pkcs12_with(items, Pkcs12Layout::Modern, 10, &by).unwrap());
    let store = write("store", &[bag(&own).named("aes")]);
    let run = tagwise(&["p12", "show", &store, "--passphrase-file", &right]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("128 bits"), "{}", run.out);
    let out = text(folder, "aes.key");
    let run = tagwise(&["p12", "extract", &store, "--secret", "--passphrase-file", &right, "-o", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(fs::read(&out).unwrap(), b"0123456789abcdef");
    // One under a password of its own hides nothing, and the answer is not whole.
    let mixed = write("mixed", &[bag(&own).named("aes"), bag(&other).named("locked")]);
    let run = tagwise(&["p12", "show", &mixed, "--passphrase-file", &right]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("aes") && run.out.contains("locked"), "{}", run.out);
    assert!(run.err.contains("cannot be read: an encrypted key"), "{}", run.err);
}

/// `--legacy` accepts an old signature, and the old signatures along its path.
#[test]
fn old_signatures_and_their_paths() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("content"), "what was said").unwrap();
    for (name, bits, digest) in [("sha1", "2048", "sha1"), ("small", "1024", "sha256")] {
        let dash = format!("-{digest}");
        let args = ["req", "-x509", "-nodes", "-newkey", &format!("rsa:{bits}"), &dash, "-subj", "/CN=Old"];
        openssl(folder, &[&args[..], &["-days", "3650", "-keyout", "key", "-out", "certificate"]].concat());
        let args = ["cms", "-sign", "-binary", "-nodetach", "-in", "content", "-md", digest, "-outform", "DER"];
        openssl(folder, &[&args[..], &["-signer", "certificate", "-inkey", "key", "-out", "message"]].concat());
        let (message, root) = (text(folder, "message"), text(folder, "certificate"));
        let verify = ["cms", "verify", &message, "--trust", &root, "--purpose", "any"];
        let run = tagwise(&verify);
        assert_eq!(run.code, Some(1), "{name}: {}{}", run.out, run.err);
        assert!(
            run.out.contains("is disabled") && run.out.contains("pass --legacy to accept it"),
            "{name}: {}",
            run.out
        );
        let run = tagwise(&[&verify[..], &["--legacy"]].concat());
        assert_eq!(run.code, Some(0), "{name}: {}{}", run.out, run.err);

        // A signature by itself, and a path.
        openssl(folder, &["dgst", &dash, "-sign", "key", "-out", "signature", "content"]);
        let (content, signature) = (text(folder, "content"), text(folder, "signature"));
        let scheme = format!("RSA-{}", digest.to_uppercase());
        let verify = ["key", "verify", &content, "--key", &root, "--signature", &signature, "--scheme", &scheme];
        let run = tagwise(&verify);
        assert_eq!(run.code, Some(1), "{name}: {}", run.err);
        assert!(run.err.contains("pass --legacy to accept it"), "{name}: {}", run.err);
        assert_eq!(tagwise(&[&verify[..], &["--legacy"]].concat()).code, Some(0), "{name}");
    }
}

/// Curves that OpenSSL has are verified, signed with and agreed on, both ways.
#[test]
fn curves_of_openssl() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("content"), "what was said").unwrap();
    let content = text(folder, "content");
    for curve in ["secp224r1", "secp256k1", "brainpoolP256r1", "brainpoolP320r1", "brainpoolP384r1", "brainpoolP512r1"]
    {
        let parameters = format!("ec_paramgen_curve:{curve}");
        let args =
            ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", &parameters, "-sha256", "-subj", "/CN=Curve"];
        openssl(folder, &[&args[..], &["-days", "3650", "-keyout", "key", "-out", "certificate"]].concat());
        let (key, certificate) = (text(folder, "key"), text(folder, "certificate"));
        let run = tagwise(&["verify", &certificate, "--trust", &certificate]);
        assert_eq!(run.code, Some(0), "{curve}: {}{}", run.out, run.err);

        let args = ["cms", "-encrypt", "-binary", "-in", "content", "-aes256", "-outform", "DER", "-out", "sealed"];
        openssl(folder, &[&args[..], &["-recip", "certificate"]].concat());
        let run = tagwise(&["cms", "decrypt", &text(folder, "sealed"), "--key", &key, "-o", "-"]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), "what was said"), "{curve}: {}", run.err);

        let message = text(folder, &format!("{curve}.p7m"));
        let run = tagwise(&["cms", "sign", &content, "--key", &key, "--certificate", &certificate, "-o", &message]);
        assert_eq!(run.code, Some(0), "{curve}: {}", run.err);
        let run = tagwise(&["cms", "verify", &message]);
        assert_eq!(run.code, Some(0), "{curve}: {}", run.out);
        let args = ["cms", "-verify", "-binary", "-inform", "DER", "-in", &message, "-noverify", "-out", "read"];
        openssl(folder, &args);
        assert_eq!(fs::read(folder.join("read")).unwrap(), b"what was said", "{curve}");
    }
}
