//! The backend in Rust opens what another backend protected with a password.
#![cfg(all(feature = "aws-lc", feature = "rust"))]
#![allow(clippy::unwrap_used, reason = "tests")]

use tagwise_crypto::backends::{AwsLc, PureRust};
use tagwise_crypto::pkcs12::{ByPassword, Password, open};
use tagwise_crypto::{Cipher, Digest, ErrorKind, Primitives};
use tagwise_pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};
use tagwise_pkix::oids;
use tagwise_pkix::pkcs12::{CostLimits, Integrity, OpenError};

const AWS_LC: AwsLc = AwsLc::new();
const RUST: PureRust = PureRust::new();

#[test]
fn pkcs12_files_of_every_encryption() {
    let item = Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" }).named("coffee");
    for layout in [Pkcs12Layout::Modern, Pkcs12Layout::Pbmac1, Pkcs12Layout::LegacyWindows] {
        let protection = ByPassword::new(&AWS_LC, Password::new("Pässwort"));
        let file = pkcs12_with(std::slice::from_ref(&item), layout, 1000, &protection).unwrap();
        let opened = open(&RUST, &file, &Password::new("Pässwort"), CostLimits::DEFAULT).unwrap();
        assert_eq!(opened.integrity(), Integrity::Verified, "{layout:?}");
        assert_eq!(opened.items().next().unwrap().friendly_name().as_deref(), Some("coffee"), "{layout:?}");
        let wrong = open(&RUST, &file, &Password::new("Passwort"), CostLimits::DEFAULT);
        assert!(matches!(wrong, Err(OpenError::Mac)), "{layout:?}");
    }
}

#[test]
fn macs_and_derived_keys_are_those_of_another_backend() {
    for digest in [Digest::Sha1, Digest::Sha224, Digest::Sha256, Digest::Sha384, Digest::Sha512, Digest::Sha512_256] {
        let mac = |backend: &dyn Primitives, key: &[u8]| {
            let mut mac = backend.hmac(digest, key)?;
            mac.update(b"what is ");
            mac.update(b"protected");
            mac.finish()
        };
        for key in [&b""[..], b"key", &[7; 200]] {
            if let Ok(expected) = mac(&AWS_LC, key) {
                assert_eq!(mac(&RUST, key).unwrap(), expected, "{digest}");
            }
        }
        let derived = |backend: &dyn Primitives| {
            let mut key = [0; 50];
            backend.pbkdf2(digest, b"password", b"salt", 17, &mut key).map(|()| key)
        };
        if let Ok(expected) = derived(&AWS_LC) {
            assert_eq!(derived(&RUST).unwrap(), expected, "{digest}");
        }
    }
    // RFC 6070, the second test.
    let mut key = [0; 20];
    RUST.pbkdf2(Digest::Sha1, b"password", b"salt", 2, &mut key).unwrap();
    assert_eq!(key[..6], [0xEA, 0x6C, 0x01, 0x4D, 0xC7, 0x2D]);
    assert_eq!(RUST.pbkdf2(Digest::Sha1, b"", b"", 0, &mut key).unwrap_err().kind(), ErrorKind::Parameters);
    assert_eq!(RUST.hmac(Digest::Sha3_256, b"").err().unwrap().kind(), ErrorKind::NotOffered);
}

#[test]
fn decryption_checks_lengths_and_padding() {
    for cipher in [Cipher::Aes128Cbc, Cipher::Aes192Cbc, Cipher::Aes256Cbc] {
        let (key, iv) = (vec![3; cipher.key_len()], [5; 16]);
        for len in [0, 15, 16, 100] {
            let plain = vec![1; len];
            let sealed = AWS_LC.encrypt(cipher, &key, &iv, &[], &plain).unwrap();
            assert_eq!(RUST.decrypt(cipher, &key, &iv, &[], &sealed).unwrap().expose(), plain);
        }
        let kind = |key: &[u8], iv: &[u8], associated: &[u8], sealed: &[u8]| {
            RUST.decrypt(cipher, key, iv, associated, sealed).unwrap_err().kind()
        };
        assert_eq!(kind(&key, &iv, &[], &[0; 15]), ErrorKind::Integrity);
        assert_eq!(kind(&key, &iv, &[], &[]), ErrorKind::Integrity);
        assert_eq!(kind(&key[1..], &iv, &[], &[0; 16]), ErrorKind::Length);
        assert_eq!(kind(&key, &iv[1..], &[], &[0; 16]), ErrorKind::Length);
        assert_eq!(kind(&key, &iv, b"associated", &[0; 16]), ErrorKind::Parameters);
    }
    assert_eq!(
        RUST.decrypt(Cipher::Aes128Gcm, &[0; 16], &[0; 12], &[], &[0; 32]).unwrap_err().kind(),
        ErrorKind::NotOffered
    );
}
