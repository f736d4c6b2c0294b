//! One reader of keys in any format.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use common::{BACKEND, half, passwords};
use tagwise_codec::pem;
use tagwise_crypto::{Backend as _, ErrorKind, KeyType, PasswordOptions, PrivateKeyInfo, encrypt_key};
use tagwise_keys::{Key, Limits, is_public, jwk, key, private_key, public_key, ssh};

fn read(octets: &[u8], texts: &[&str]) -> Result<PrivateKeyInfo, tagwise_crypto::Error> {
    private_key(&BACKEND, octets, &passwords(texts), None, &Limits::DEFAULT)
}

#[test]
fn each_format_of_one_key() {
    for kind in [KeyType::P256, KeyType::Ed25519, KeyType::Rsa(2048)] {
        let made = BACKEND.generate(kind).unwrap();
        let (pkcs8, info) = (made.to_pkcs8().unwrap(), made.public_key_info());
        let private = PrivateKeyInfo::from_pkcs8(pkcs8.expose()).unwrap();
        let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
        let encrypted = encrypt_key(&BACKEND, &pkcs8, b"secret", &options).unwrap();
        let pem = |label: &str, der: &[u8]| pem::encode(label, der).unwrap().into_bytes();
        let openssh = |password: Option<&[u8]>| {
            ssh::write_private(&BACKEND, &private, info, "me", password).unwrap().expose().to_vec()
        };
        for octets in [
            pkcs8.expose().to_vec(),
            pem("PRIVATE KEY", pkcs8.expose()),
            openssh(None),
            jwk::write_private(&private, info).unwrap().expose().to_vec(),
        ] {
            assert_eq!(half(&read(&octets, &[]).unwrap()), info, "{kind}");
            assert!(!is_public(&BACKEND, &octets, None, &Limits::DEFAULT));
        }
        for octets in [encrypted.clone(), pem("ENCRYPTED PRIVATE KEY", &encrypted), openssh(Some(b"secret"))] {
            assert_eq!(read(&octets, &[]).unwrap_err().kind(), ErrorKind::PasswordNeeded);
            assert_eq!(read(&octets, &["wrong"]).unwrap_err().kind(), ErrorKind::Integrity);
            assert_eq!(half(&read(&octets, &["wrong", "secret"]).unwrap()), info);
        }
        for octets in [
            info.to_vec(),
            pem("PUBLIC KEY", info),
            ssh::write_line(info, "me").unwrap().into_bytes(),
            jwk::write_public(info).unwrap().into_bytes(),
        ] {
            assert_eq!(public_key(&BACKEND, &octets, None, &Limits::DEFAULT).unwrap(), info, "{kind}");
            let read = key(&BACKEND, &octets, &[], None, &Limits::DEFAULT).unwrap();
            assert!(matches!(read, Key::Public(found) if found == info));
        }
    }
    assert!(read(b"text", &[]).is_err());
    assert!(public_key(&BACKEND, b"text", None, &Limits::DEFAULT).is_err());
}

#[test]
fn a_name_selects_one_of_several() {
    let line = |comment: &str| {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap();
        (ssh::write_line(key.public_key_info(), comment).unwrap(), key.public_key_info().to_vec())
    };
    let ((one, _), (other, info)) = (line("one"), line("other"));
    let both = format!("{one}{other}").into_bytes();
    assert!(public_key(&BACKEND, &both, None, &Limits::DEFAULT).is_err());
    assert_eq!(public_key(&BACKEND, &both, Some("other"), &Limits::DEFAULT).unwrap(), info);
    assert!(public_key(&BACKEND, &both, Some("third"), &Limits::DEFAULT).is_err());
}

/// RFC 7518 §6.3.2: `p`, `q`, `dp`, `dq` and `qi` may be absent together.
#[test]
fn rsa_jwks_without_primes() {
    let made = BACKEND.generate(KeyType::Rsa(2048)).unwrap();
    let private = PrivateKeyInfo::from_pkcs8(made.to_pkcs8().unwrap().expose()).unwrap();
    let text = jwk::write_private(&private, made.public_key_info()).unwrap();
    let mut object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text.expose()).unwrap();
    for name in ["p", "q", "dp", "dq"] {
        object.remove(name).unwrap();
    }
    // With one of them, all are required.
    let partial = serde_json::to_vec(&object).unwrap();
    assert!(read(&partial, &[]).unwrap_err().to_string().contains("the member p is missing"));
    object.remove("qi").unwrap();
    let found = read(&serde_json::to_vec(&object).unwrap(), &[]).unwrap();
    assert_eq!(half(&found), made.public_key_info());
    assert_eq!(found.key_type(), KeyType::Rsa(2048));
    // The exponent of another key.
    let other = BACKEND.generate(KeyType::Rsa(2048)).unwrap();
    let info = PrivateKeyInfo::from_pkcs8(other.to_pkcs8().unwrap().expose()).unwrap();
    let text = jwk::write_private(&info, other.public_key_info()).unwrap();
    let strange: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text.expose()).unwrap();
    object.insert("d".to_owned(), strange["d"].clone());
    assert_eq!(read(&serde_json::to_vec(&object).unwrap(), &[]).unwrap_err().kind(), ErrorKind::MalformedKey);
}

/// A DSA key, which no backend uses, in each of its forms.
#[test]
fn dsa_keys() {
    // p = 23, q = 11, g = 4, y = 18, x = 3, in OpenSSL's traditional form.
    let traditional = [0x30, 18, 2, 1, 0, 2, 1, 23, 2, 1, 11, 2, 1, 4, 2, 1, 18, 2, 1, 3];
    let own = tagwise_keys::dsa::read(&traditional).unwrap().unwrap();
    let password = passwords(&["secret"]);
    let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
    let sealed = encrypt_key(&BACKEND, &own.pkcs8, b"secret", &options).unwrap();
    let text = |label: &str, der: &[u8]| pem::encode(label, der).unwrap().into_bytes();
    let plain = own.pkcs8.expose();
    for data in [
        traditional.to_vec(),
        plain.to_vec(),
        sealed.clone(),
        text("DSA PRIVATE KEY", &traditional),
        text("PRIVATE KEY", plain),
        text("ENCRYPTED PRIVATE KEY", &sealed),
    ] {
        let Ok(Key::Dsa(read)) = key(&BACKEND, &data, &password, None, &Limits::DEFAULT) else { panic!("{data:?}") };
        assert_eq!(read.public, own.public);
        assert!(private_key(&BACKEND, &data, &password, None, &Limits::DEFAULT).is_err());
    }
    let error = key(&BACKEND, &sealed, &[], None, &Limits::DEFAULT).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PasswordNeeded);
    // A malformed key is an error, not another kind of key.
    let mut wrong = traditional;
    wrong[16] = 17;
    assert!(key(&BACKEND, &wrong, &[], None, &Limits::DEFAULT).is_err());
}

#[test]
fn every_block_of_a_pem_text_counts() {
    let [one, other] = [KeyType::P256, KeyType::Ed25519].map(|kind| BACKEND.generate(kind).unwrap());
    let pem = |label: &str, der: &[u8]| pem::encode(label, der).unwrap();
    let private = |made: &dyn tagwise_crypto::PrivateKey| pem("PRIVATE KEY", made.to_pkcs8().unwrap().expose());
    let (public, others) = (pem("PUBLIC KEY", one.public_key_info()), pem("PUBLIC KEY", other.public_key_info()));
    let info = PrivateKeyInfo::from_pkcs8(one.to_pkcs8().unwrap().expose()).unwrap();
    let openssh = ssh::write_private(&BACKEND, &info, one.public_key_info(), "me", None).unwrap();
    let openssh = String::from_utf8(openssh.expose().to_vec()).unwrap();
    let ec = pem("EC PRIVATE KEY", info.to_sec1().unwrap().expose());
    // A private key is found behind a public one, and may be there twice.
    for text in [public.clone() + &private(&*one), private(&*one) + &public, private(&*one) + &private(&*one) + &ec] {
        assert!(!is_public(&BACKEND, text.as_bytes(), None, &Limits::DEFAULT));
        assert_eq!(half(&read(text.as_bytes(), &[]).unwrap()), one.public_key_info());
        assert!(matches!(key(&BACKEND, text.as_bytes(), &[], None, &Limits::DEFAULT).unwrap(), Key::Private(_)));
    }
    let behind = public.clone() + &openssh;
    assert_eq!(half(&read(behind.as_bytes(), &[]).unwrap()), one.public_key_info());
    // Two keys are none that a program could choose, and a block that cannot be read may be one.
    for text in [
        private(&*one) + &private(&*other),
        private(&*other) + &ec,
        openssh.clone() + &private(&*other),
        private(&*other) + &openssh,
    ] {
        let error = read(text.as_bytes(), &[]).unwrap_err();
        assert!(error.to_string().contains("several private keys"), "{error}");
    }
    let broken = private(&*one) + &private(&*other).replacen("-----\nM", "-----\n!", 1);
    assert!(read(broken.as_bytes(), &[]).is_err());
    let two = public + &others;
    let error = public_key(&BACKEND, two.as_bytes(), None, &Limits::DEFAULT).unwrap_err();
    assert!(error.to_string().contains("several public keys"), "{error}");
}

/// Which files another one must not replace, and only their owner may read.
#[test]
fn secrets_in_every_format() {
    let blob = |kind: u8, magic: &[u8]| [&[kind, 2, 0, 0, 0, 0xA4, 0, 0][..], magic].concat();
    let empty_store = [&b"\xFE\xED\xFE\xED\x00\x00\x00\x02\x00\x00\x00\x00"[..], &[0; 20]].concat();
    let pvk = b"\x1E\xF1\xB5\xB0\0\0\0\0".to_vec();
    let hex = tagwise_codec::text::hex::encode(&pvk).into_bytes();
    let base64 = tagwise_codec::text::base64::encode(br#"{"kty":"OKP","d":"AA"}"#).into_bytes();
    for (octets, expected) in [
        (br#"{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}"#.to_vec(), true),
        (br#"{"kty":"OKP","crv":"Ed25519","x":"AA","\u0064":"AA"}"#.to_vec(), true),
        (br#"{"kty":"oct","k":"AA"}"#.to_vec(), true),
        (br#"{"kty":"AKP","priv":"AA"}"#.to_vec(), true),
        (br#"{"keys":[{"kty":"OKP","x":"AA"},{"kty":"oct","k":"AA"}]}"#.to_vec(), true),
        (br#"{"kty":"OKP","crv":"Ed25519""#.to_vec(), true),
        (br#"{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"d"}"#.to_vec(), false),
        (br#"{"keys":[{"kty":"OKP","x":"AA"}]}"#.to_vec(), false),
        (blob(7, b"RSA2"), true),
        (blob(6, b"RSA1"), false),
        (pvk, true),
        (hex, true),
        (base64, true),
        (b"Private-key-format: v1.3\n".to_vec(), true),
        (b"\xCE\xCE\xCE\xCE\x00\x00\x00\x02".to_vec(), true),
        (empty_store, false),
        (b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA".to_vec(), false),
        (b"text".to_vec(), false),
    ] {
        assert_eq!(tagwise_keys::holds_secret(&octets), expected, "{}", String::from_utf8_lossy(&octets));
    }
}
