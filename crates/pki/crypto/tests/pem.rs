//! Private keys in PEM: with and without a password, in the traditional format too.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, reason = "tests")]

use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{
    Backend as _, ErrorKind, KeyType, PasswordOptions, PrivateKeyInfo, decrypt_traditional_key, encrypt_key,
    private_key_from_der, private_key_from_pem,
};

const BACKEND: AwsLc = AwsLc::new();

/// `openssl ec -aes128` and others, of keys that `openssl ecparam -genkey -name prime256v1` wrote; the password is `secret`.
const KEYS: [&str; 4] = [
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,17550477029588EC3E0B31E7930C75CC

kqPCRmHh755eAfb8r1iuzn5DoX/z6te5pbhuDH4LqM+IlZYhAlf5MF4l6m+bbrT+
guJnI9XPSZCjqQCqUimSc8Gg7+JeI5BLDvSDfc7oQOunswR6b8axrYYXdQcwyRO6
SxlUWa8qaMvHimh3+Y7WWxFF3EjktZE7cn1sGzHQnNo=
-----END EC PRIVATE KEY-----
",
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-192-CBC,DD4585C35CCE71BBC7DEB40374C7C1C6

WqjXPHWL40PkeSipFtD80RSj1gev8ShKwlLjMle3rz6IQF5k9UPrCCglHhNxOxAF
JJ4IU+9ZfLe3o5AJ6w1Vm7P6cslruNQbJHLKrViaK8Vlicfn+sfbt55SZTAjPjq4
mXKZSHiqq39o3X0POvifeTkU+hsp20+L0RZsinRNvpM=
-----END EC PRIVATE KEY-----
",
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-256-CBC,77C4765AB64BA6CD58A5E8B0DBEED870

Kv2vf07YnbPkI436uncZ+pFfjurfsqOZgOOCAHPmqcNcWX3DkD2tdHsPpW7LAzG5
bMhGBo91b5rO0Al+9mlE0SFUfRmwLeCRTnRF+p9l7wtc4BCxe7LIQZ5GV/wZddyL
l7CIP/BWk+51V9WvnSbssXGl2La2E4eVMideM+vsQLI=
-----END EC PRIVATE KEY-----
",
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: DES-EDE3-CBC,AFE94EC777151CCD

lYOXpqz3XEiLB1+40L0c5Fvg4Y5ylTBx0mjh9/6syN4rnpaY3U7JOOu2hrbca0cd
khydxKgmsxTQ0dK2J3vaB4t6aCnt4GwiVaxNtd16/K8wIQdtBygGEC9mLXC/nBFf
XNFb6khXoMmhSrptLvkSTp9u9vaNXWaeKYqjqpAx7/8=
-----END EC PRIVATE KEY-----
",
];

#[test]
fn keys_of_openssl_are_read() {
    for text in KEYS {
        let read = |password: Option<&[u8]>| {
            private_key_from_pem(&BACKEND, text.as_bytes(), password, &PasswordOptions::DEFAULT)
        };
        assert_eq!(read(Some(b"secret")).unwrap().key_type(), KeyType::P256);
        assert_eq!(read(None).unwrap_err().kind(), ErrorKind::PasswordNeeded);
        for number in 0..600_u16 {
            assert_eq!(read(Some(&number.to_be_bytes())).unwrap_err().kind(), ErrorKind::Integrity, "{number}");
        }
    }
}

#[test]
fn other_headers_are_refused() {
    let kind =
        |label, dek_info| decrypt_traditional_key(&BACKEND, label, dek_info, &[0; 32], b"secret").unwrap_err().kind();
    assert_eq!(kind("RSA PRIVATE KEY", "SEED-CBC,00112233445566770011223344556677"), ErrorKind::Unsupported);
    assert_eq!(kind("DSA PRIVATE KEY", "AES-128-CBC,00"), ErrorKind::Unsupported);
    assert_eq!(kind("RSA PRIVATE KEY", "AES-128-CBC"), ErrorKind::Parameters);
    assert_eq!(kind("RSA PRIVATE KEY", "AES-128-CBC,0011223344556677"), ErrorKind::Parameters);
    assert_eq!(kind("RSA PRIVATE KEY", "DES-EDE3-CBC,zz11223344556677"), ErrorKind::Parameters);
}

#[test]
fn a_text_without_a_key() {
    let read = |text: &[u8]| private_key_from_pem(&BACKEND, text, None, &PasswordOptions::DEFAULT).unwrap_err();
    assert_eq!(read(b"").kind(), ErrorKind::MalformedKey);
    let other = read(b"-----BEGIN X-----\nBQA=\n-----END X-----\n");
    assert!(other.to_string().contains("no private key found"), "{other}");
}

#[test]
fn each_form_of_der_is_recognized() {
    let read = |der: &[u8], password| private_key_from_der(&BACKEND, der, password, &PasswordOptions::DEFAULT);
    let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
    let [rsa, ec] = [KeyType::Rsa(2048), KeyType::P256].map(|kind| BACKEND.generate(kind).unwrap().to_pkcs8().unwrap());
    let pkcs1 = PrivateKeyInfo::from_pkcs8(rsa.expose()).unwrap().to_pkcs1().unwrap();
    let sec1 = PrivateKeyInfo::from_pkcs8(ec.expose()).unwrap().to_sec1().unwrap();
    let encrypted = encrypt_key(&BACKEND, &ec, b"secret", &options).unwrap();
    for (der, pkcs8) in [(rsa.expose(), &rsa), (pkcs1.expose(), &rsa), (ec.expose(), &ec), (sec1.expose(), &ec)] {
        for password in [None, Some(&b"not needed"[..])] {
            assert_eq!(
                read(der, password).unwrap().key_type(),
                PrivateKeyInfo::from_pkcs8(pkcs8.expose()).unwrap().key_type()
            );
        }
    }
    assert_eq!(read(&encrypted, Some(b"secret")).unwrap().pkcs8().expose(), ec.expose());
    assert_eq!(read(&encrypted, Some(b"other")).unwrap_err().kind(), ErrorKind::Integrity);
    assert_eq!(read(&encrypted, None).unwrap_err().kind(), ErrorKind::PasswordNeeded);
    assert_eq!(read(b"\x30\x00", None).unwrap_err().kind(), ErrorKind::MalformedKey);
}
