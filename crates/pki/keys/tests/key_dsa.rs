//! DSA private keys, whose public key is computed and compared with that of OpenSSL and OpenSSH.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::Path;
use std::process::Command;

use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{ErrorKind, PasswordOptions, Secret, decrypt_pkcs8, decrypt_traditional};
use tagwise_keys::dsa::{self, DsaPrivateKey};
use tagwise_keys::{Key, Limits, read, ssh};

const BACKEND: AwsLc = AwsLc::new();

/// A key with small numbers: p = 23, q = 11, g = 4, x = 3, y = 18.
fn traditional(numbers: [u8; 6]) -> Vec<u8> {
    let content: Vec<u8> = numbers.iter().flat_map(|number| [2, 1, *number]).collect();
    [&[0x30, 18][..], &content].concat()
}

/// The same in PKCS #8.
fn pkcs8(parameters: [u8; 3], private: &[u8]) -> Vec<u8> {
    let wrap = |tag: u8, content: &[u8]| [&[tag, u8::try_from(content.len()).unwrap()], content].concat();
    let parameters: Vec<u8> = parameters.iter().flat_map(|number| [2, 1, *number]).collect();
    let dsa = [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 1];
    let algorithm = wrap(0x30, &[&dsa[..], &wrap(0x30, &parameters)].concat());
    wrap(0x30, &[&[2, 1, 0][..], &algorithm, &wrap(4, private)].concat())
}

#[test]
fn the_public_key_is_computed() {
    let DsaPrivateKey { public: expected, pkcs8: private } =
        dsa::read(&traditional([0, 23, 11, 4, 18, 3])).unwrap().unwrap();
    assert_eq!(dsa::read(&pkcs8([23, 11, 4], &[2, 1, 3])).unwrap().unwrap().public, expected);
    assert_eq!(private.expose(), pkcs8([23, 11, 4], &[2, 1, 3]));
    // The key and its parameters are those of RFC 3279 §2.3.2.
    assert_eq!(expected[..2], [0x30, 28]);
    assert!(expected.ends_with(&[0x30, 9, 2, 1, 23, 2, 1, 11, 2, 1, 4, 3, 4, 0, 2, 1, 18]));
}

#[test]
fn wrong_numbers_are_rejected() {
    let kind = |der: &[u8]| dsa::read(der).unwrap().unwrap_err().kind();
    // Another public key.
    assert_eq!(kind(&traditional([0, 23, 11, 4, 19, 3])), ErrorKind::Inconsistent);
    for [p, q, g, x] in [
        [22, 11, 4, 3],
        [23, 10, 4, 3],
        [23, 11, 1, 3],
        [23, 11, 23, 3],
        [23, 25, 4, 3],
        [23, 11, 4, 0],
        [23, 11, 4, 11],
    ] {
        assert_eq!(kind(&traditional([0, p, q, g, 18, x])), ErrorKind::MalformedKey, "{p} {q} {g} {x}");
        assert_eq!(kind(&pkcs8([p, q, g], &[2, 1, x])), ErrorKind::MalformedKey, "{p} {q} {g} {x}");
    }
    assert_eq!(kind(&pkcs8([23, 11, 4], &[4, 1, 3])), ErrorKind::MalformedKey);
    assert_eq!(kind(&pkcs8([23, 11, 4], &[2, 1, 0x83])), ErrorKind::MalformedKey);
    // A large p takes too long.
    let mut huge = vec![0x30, 0x82, 0x05, 0x0F, 2, 1, 0, 2, 0x82, 0x04, 0xF6];
    huge.extend([0x7F; 0x4F6]);
    huge.extend([2, 1, 11, 2, 1, 4, 2, 1, 18, 2, 1, 3]);
    let len = huge.len() - 4;
    huge[2..4].copy_from_slice(&u16::try_from(len).unwrap().to_be_bytes());
    assert_eq!(kind(&huge), ErrorKind::Limit);
    for other in [&[0x30, 0][..], &[], &traditional([1, 23, 11, 4, 18, 3]), &[0x30, 3, 2, 1, 0]] {
        assert!(dsa::read(other).is_none(), "{other:?}");
    }
}

fn run(folder: &Path, program: &str, args: &[&str]) -> bool {
    let done = Command::new(program).args(args).current_dir(folder).output();
    done.is_ok_and(|done| done.status.success())
}

/// The content of the only PEM block, and its DEK-Info.
fn block(path: &Path) -> (Vec<u8>, Option<String>) {
    let text = std::fs::read(path).unwrap();
    let session = tagwise_codec::Session::new(tagwise_codec::Options::der().rules(tagwise_codec::RuleSet::PEM_LAX));
    let block = pem::blocks_with(&text, &session).next().unwrap().unwrap();
    let dek = block.headers().find(|(name, _)| *name == "DEK-Info").map(|(_, value)| value.to_owned());
    (block.decode().unwrap(), dek)
}

#[test]
fn keys_of_openssl() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let openssl = |args: &[&str]| run(folder, "openssl", args);
    if !openssl(&["dsaparam", "-genkey", "-out", "made.pem", "1024"]) {
        tagwise_testing::skip("openssl is not installed, or without DSA");
        return;
    }
    assert!(openssl(&["dsa", "-in", "made.pem", "-pubout", "-outform", "DER", "-out", "public.der"]));
    assert!(openssl(&["pkcs8", "-topk8", "-nocrypt", "-in", "made.pem", "-out", "pkcs8.pem"]));
    assert!(openssl(&["pkcs8", "-topk8", "-passout", "pass:secret", "-in", "made.pem", "-out", "sealed.pem"]));
    assert!(
        openssl(&["dsa", "-in", "made.pem", "-traditional", "-out", "old.pem"])
            || openssl(&["dsa", "-in", "made.pem", "-out", "old.pem"])
    );
    assert!(openssl(&["dsa", "-in", "made.pem", "-aes128", "-passout", "pass:secret", "-out", "locked.pem"]));
    let public = std::fs::read(folder.join("public.der")).unwrap();
    let half = |der: &[u8]| dsa::read(der).unwrap().unwrap().public;
    for name in ["pkcs8.pem", "old.pem"] {
        assert_eq!(half(&block(&folder.join(name)).0), public, "{name}");
    }
    let (sealed, _) = block(&folder.join("sealed.pem"));
    let open = |password: &[u8]| decrypt_pkcs8(&BACKEND, &sealed, password, &PasswordOptions::DEFAULT);
    assert_eq!(half(open(b"secret").unwrap().expose()), public);
    assert_eq!(open(b"other").unwrap_err().kind(), ErrorKind::Integrity);
    let (locked, dek) = block(&folder.join("locked.pem"));
    let opened = match dek {
        Some(dek) => decrypt_traditional(&BACKEND, &dek, &locked, b"secret").unwrap(),
        None => decrypt_pkcs8(&BACKEND, &locked, b"secret", &PasswordOptions::DEFAULT).unwrap(),
    };
    assert_eq!(half(opened.expose()), public);
    // Without `-traditional`, newer versions of OpenSSL do not write the old form.
    assert!(openssl(&["dsa", "-in", "made.pem", "-outform", "DER", "-out", "old.der"]));
    assert_eq!(half(&std::fs::read(folder.join("old.der")).unwrap()), public);
}

#[test]
fn keys_of_openssh() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = |name: &str, passphrase: &str| {
        run(folder, "ssh-keygen", &["-q", "-t", "dsa", "-N", passphrase, "-C", "me", "-f", name])
    };
    if !make("plain", "") {
        tagwise_testing::skip("ssh-keygen is not installed, or without DSA");
        return;
    }
    assert!(make("locked", "secret"));
    for name in ["plain", "locked"] {
        let (private, _) = block(&folder.join(name));
        let found = ssh::read_private(&BACKEND, &private, &[Secret::from(&b"secret"[..])], &Limits::DEFAULT).unwrap();
        let line = std::fs::read(folder.join(format!("{name}.pub"))).unwrap();
        let public = read(&BACKEND, &line, &[], &Limits::DEFAULT).unwrap();
        let (Key::Dsa(own), Key::Public(public)) = (found.key, &public[0].key) else { panic!("{name}") };
        assert_eq!(own.public, *public, "{name}");
        assert_eq!(found.name.as_deref(), Some("me"));
    }
}
