//! Java keystores of keytool: private keys, certificates and secret keys, by alias and password.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::{BACKEND, passwords, public, run};
use tagwise_codec::Decode as _;
use tagwise_crypto::{ErrorKind, KeyType, Secret};
use tagwise_keys::java::{KeystoreEntry, Store};
use tagwise_keys::{Found, Key, Limits, read};
use tagwise_pkix::Certificate;

const PASSWORD: &str = "changeit";

fn keytool(folder: &Path, kind: &str, args: &[&str]) {
    let file = format!("store.{kind}");
    let store = ["-storetype", kind, "-keystore", &file, "-storepass", PASSWORD, "-noprompt"];
    run(folder, "keytool", &[args, &store].concat());
}

fn available() -> bool {
    tagwise_testing::tool("keytool", &["-help"])
}

fn named<'f>(found: &'f [Found], alias: &str) -> &'f Found {
    found.iter().find(|found| found.name.as_deref() == Some(alias)).unwrap()
}

fn key_of(certificate: &[u8]) -> Vec<u8> {
    let certificate = Certificate::from_der(certificate).unwrap();
    tagwise_codec::encode(&certificate.tbs_certificate.subject_public_key_info).unwrap()
}

#[test]
fn stores_of_keytool() {
    if !available() {
        return;
    }
    for kind in ["jks", "jceks"] {
        let folder = tempfile::tempdir().unwrap();
        let key = ["-genkeypair", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=a", "-alias", "rsa"];
        keytool(folder.path(), kind, &[&key[..], &["-keypass", PASSWORD]].concat());
        let key = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=b", "-alias", "ec"];
        keytool(folder.path(), kind, &[&key[..], &["-keypass", "another"]].concat());
        keytool(folder.path(), kind, &["-exportcert", "-alias", "rsa", "-file", "rsa.der"]);
        keytool(folder.path(), kind, &["-importcert", "-alias", "root", "-file", "rsa.der"]);
        if kind == "jceks" {
            let secret = ["-genseckey", "-keyalg", "AES", "-keysize", "256", "-alias", "aes", "-keypass", PASSWORD];
            keytool(folder.path(), kind, &secret);
        }
        let octets = fs::read(folder.path().join(format!("store.{kind}"))).unwrap();
        let open = |texts: &[&str]| read(&BACKEND, &octets, &passwords(texts), &Limits::DEFAULT);
        let found = open(&[PASSWORD, "another"]).unwrap();
        assert_eq!(found.len(), if kind == "jceks" { 4 } else { 3 });
        for (alias, wanted) in [("rsa", KeyType::Rsa(2048)), ("ec", KeyType::P256)] {
            let found = named(&found, alias);
            let Key::Private(info) = &found.key else { panic!("{found:?}") };
            assert_eq!((info.key_type(), found.certificates.len()), (wanted, 1));
            assert_eq!(public(found), key_of(&found.certificates[0]));
        }
        let Key::Certificate(der) = &named(&found, "root").key else { panic!() };
        assert_eq!(*der, fs::read(folder.path().join("rsa.der")).unwrap());
        if kind == "jceks" {
            let Key::Symmetric { algorithm, key } = &named(&found, "aes").key else { panic!() };
            assert_eq!((algorithm.as_str(), key.len()), ("AES", 32));
        }
        // One of the passwords has to be the store's, and each key needs its own.
        assert_eq!(open(&[]).unwrap_err().kind(), ErrorKind::PasswordNeeded);
        assert_eq!(open(&["another"]).unwrap_err().kind(), ErrorKind::Integrity);
        assert_eq!(open(&[PASSWORD]).unwrap_err().kind(), ErrorKind::Integrity);
        // Without a password, certificates are there.
        let store = Store::read(&octets, &Limits::DEFAULT).unwrap();
        assert_eq!(store.entries().iter().map(|entry| entry.certificates.len()).sum::<usize>(), 3);
        assert!(store.entries().iter().any(KeystoreEntry::is_secret));
        assert!(store.verifies(&BACKEND, PASSWORD.as_bytes()).unwrap());
        assert!(!store.verifies(&BACKEND, b"changeit ").unwrap());
        // A changed byte anywhere is noticed by the digest, and a truncation by the structure.
        for at in (12..octets.len() - 20).step_by(97) {
            let mut damaged = octets.clone();
            damaged[at] ^= 1;
            let taken = Store::read(&damaged, &Limits::DEFAULT)
                .is_ok_and(|store| store.verifies(&BACKEND, PASSWORD.as_bytes()).unwrap());
            assert!(!taken, "{kind} {at}");
        }
        for len in (0..octets.len()).step_by(7) {
            assert!(Store::read(&octets[..len], &Limits::DEFAULT).is_err(), "{kind} {len}");
        }
    }
}

#[test]
fn the_iterations_of_all_entries_are_limited() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let key = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=b", "-alias", "ec"];
    keytool(folder.path(), "jceks", &[&key[..], &["-keypass", PASSWORD]].concat());
    let octets = fs::read(folder.path().join("store.jceks")).unwrap();
    let limits = Limits { iterations: 1000, ..Limits::DEFAULT };
    let error = read(&BACKEND, &octets, &passwords(&[PASSWORD]), &limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
}

/// By hand: a store of one trusted certificate, with its digest.
#[test]
fn a_store_without_keys() {
    let content =
        b"\xFE\xED\xFE\xED\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\x01a\0\0\0\0\0\0\0\x07\0\x05X.509\0\0\0\x02\x30\x00";
    let password: Vec<u8> = PASSWORD.encode_utf16().flat_map(u16::to_be_bytes).collect();
    use tagwise_crypto::{Digest, Primitives as _};
    let digest = BACKEND.digest(Digest::Sha1, &[&password, &b"Mighty Aphrodite"[..], content].concat()).unwrap();
    let octets = [&content[..], &digest].concat();
    let store = Store::read(&octets, &Limits::DEFAULT).unwrap();
    assert_eq!((store.form(), store.entries()[0].alias.as_str(), store.entries()[0].created), ("JKS", "a", 7));
    let found = store.open(&BACKEND, &[Secret::from(PASSWORD.as_bytes())], &Limits::DEFAULT).unwrap();
    assert!(matches!(&found[0].key, Key::Certificate(der) if *der == [0x30, 0]));
    // No entry but 1 to 3, no version but 1 and 2, nothing after the digest.
    for (at, octet) in [(7, 3), (15, 9), (11, 2)] {
        let mut damaged = octets.clone();
        damaged[at] = octet;
        assert_eq!(Store::read(&damaged, &Limits::DEFAULT).unwrap_err().kind(), ErrorKind::MalformedKey);
    }
    assert!(Store::read(&[&octets[..], b"\0"].concat(), &Limits::DEFAULT).is_err());
}

/// The certificate of an entry is that of its key.
#[test]
fn a_certificate_of_another_key_is_noticed() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for alias in ["one", "two"] {
        let key = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=a", "-alias", alias];
        keytool(folder.path(), "jks", &[&key[..], &["-keypass", PASSWORD]].concat());
    }
    let octets = fs::read(folder.path().join("store.jks")).unwrap();
    let store = Store::read(&octets, &Limits::DEFAULT).unwrap();
    let [one, two] = store.entries() else { panic!("{store:?}") };
    // A certificate is behind its length.
    let of = |entry: &KeystoreEntry<'_>| {
        let der = entry.certificates[0];
        [&u32::try_from(der.len()).unwrap().to_be_bytes()[..], der].concat()
    };
    let (own, other) = (of(one), of(two));
    let at = octets.windows(own.len()).position(|window| window == own).unwrap();
    let changed = [&octets[..at], &other, &octets[at + own.len()..]].concat();
    let changed = Store::read(&changed, &Limits::DEFAULT).unwrap();
    let open = |store: &Store<'_>, at: usize| {
        let mut budget = Limits::DEFAULT.iterations;
        store.entries()[at].open(&BACKEND, &passwords(&[PASSWORD]), &mut budget, "JKS")
    };
    assert!(open(&store, 0).is_ok() && open(&store, 1).is_ok() && open(&changed, 1).is_ok());
    let error = open(&changed, 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Inconsistent);
    assert!(error.to_string().contains("the entry's certificate has a different public key"), "{error}");
}
