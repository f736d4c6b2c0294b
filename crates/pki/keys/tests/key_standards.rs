//! JWK, Microsoft's formats and DNSSEC: vectors of the standards, and files of openssl.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::fs;

use common::{BACKEND, half, one, public, public_by_openssl, run};
use tagwise_crypto::{Backend as _, Curve, ErrorKind, KeyType, PrivateKeyInfo};
use tagwise_keys::{Found, Key, Limits, jwk, read};

fn openssl() -> bool {
    tagwise_testing::tool("openssl", &["version"])
}

/// RFC 7638 §3.1: a public key and its thumbprint.
#[test]
fn thumbprint_of_the_standard() {
    let text = concat!(
        r#"{"kty": "RSA", "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP"#,
        "ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb",
        "9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCu",
        r#"r-kEgU8awapJzKnqDKgw", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29"}"#
    );
    let found = one(text.as_bytes(), &[]).unwrap();
    assert_eq!((found.form, found.name.as_deref()), ("JWK", Some("2011-04-29")));
    assert_eq!(jwk::thumbprint(&BACKEND, &public(&found)).unwrap(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
}

#[test]
fn jwks_come_back() {
    let secp256k1 = KeyType::Curve(Curve::Secp256k1);
    let kinds = [KeyType::P256, KeyType::P384, KeyType::P521, secp256k1, KeyType::Ed25519, KeyType::Ed448];
    for kind in kinds.into_iter().chain([KeyType::X25519, KeyType::X448, KeyType::Rsa(2048)]) {
        let key = BACKEND.generate(kind).unwrap();
        let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
        let text = jwk::write_private(&info, key.public_key_info()).unwrap();
        let Key::Private(again) = one(text.expose(), &[]).unwrap().key else { panic!("{kind}") };
        assert_eq!((again.key_type(), half(&again)), (kind, key.public_key_info().to_vec()));
        let text = jwk::write_public(key.public_key_info()).unwrap();
        assert_eq!(public(&one(text.as_bytes(), &[]).unwrap()), key.public_key_info());
    }
    for kind in [KeyType::MlDsa44, KeyType::MlDsa65, KeyType::MlDsa87] {
        let key = BACKEND.generate(kind).unwrap();
        let text = jwk::write_public(key.public_key_info()).unwrap();
        assert_eq!(public(&one(text.as_bytes(), &[]).unwrap()), key.public_key_info());
        let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
        let error = jwk::write_private(&info, key.public_key_info()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let private = text.replacen('{', r#"{"priv":"AAAA","#, 1);
        assert_eq!(one(private.as_bytes(), &[]).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    let key = BACKEND.generate(KeyType::MlKem768).unwrap();
    assert_eq!(jwk::write_public(key.public_key_info()).unwrap_err().kind(), ErrorKind::Unsupported);
}

/// What a JWK must not be.
#[test]
fn malformed_jwks() {
    // RFC 7515 §A.3.
    let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
    let d = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI";
    let key = |x: &str, y: &str, d: &str| format!(r#"{{"kty":"EC","crv":"P-256","x":"{x}","y":"{y}","d":"{d}"}}"#);
    assert!(one(key(x, y, d).as_bytes(), &[]).is_ok());
    for (text, wanted) in [
        (key(x, y, d).replace("P-256", "P-999"), "P-999 is not supported"),
        (key(x, y, d).replace("EC", "oct"), "the JWK type oct is not supported"),
        (key(&x[..40], y, d), "expected 32"),
        (key(&format!("{x}="), y, d), "x is not base64url"),
        (key(&x.replace('O', "+"), y, d), "x is not base64url"),
        (key(x, y, d).replace(r#""y""#, r#""z""#), "the member y is missing"),
        (key(x, y, d).replace(r#""crv":"P-256","#, ""), "the member crv is missing"),
        (key(x, y, d).replace(r#""x""#, r#""y""#), "a member is missing, duplicated or of the wrong type"),
        (key(x, y, d)[..50].to_owned(), "malformed JSON"),
    ] {
        let error = one(text.as_bytes(), &[]).unwrap_err().to_string();
        assert!(error.contains(wanted) && !error.contains(d), "{text}: {error}");
    }
    // A private key of another public key is found by the backend.
    let other = key(x, y, &d.replace('j', "k"));
    let Key::Private(info) = one(other.as_bytes(), &[]).unwrap().key else { panic!() };
    assert_eq!(BACKEND.private_key(&info).unwrap_err().kind(), ErrorKind::Inconsistent);
    // In a set, what is not known is left out (RFC 7517 §5).
    let set = format!(r#"{{"keys":[{{"kty":"oct","k":"AAAA"}},{},{}]}}"#, key(x, y, d), key(x, y, d));
    let count = |set: &str, limits| read(&BACKEND, set.as_bytes(), &[], &limits).map(|found: Vec<Found>| found.len());
    assert_eq!(count(&set, Limits::DEFAULT).unwrap(), 2);
    assert_eq!(count(&set, Limits { keys: 2, ..Limits::DEFAULT }).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn pvk_and_blobs_of_openssl() {
    if !openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| run(folder.path(), "openssl", args);
    let file = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for bits in ["1024", "2048", "3072"] {
        run(&["genrsa", "-out", "key.pem", bits]);
        let expected = public_by_openssl(folder.path(), "key.pem");
        run(&["rsa", "-in", "key.pem", "-outform", "MSBLOB", "-out", "key.blob"]);
        run(&["rsa", "-in", "key.pem", "-pubout", "-outform", "MSBLOB", "-out", "public.blob"]);
        run(&["rsa", "-in", "key.pem", "-outform", "PVK", "-pvk-none", "-out", "key.pvk"]);
        for (name, form) in [("key.blob", "PRIVATEKEYBLOB"), ("public.blob", "PUBLICKEYBLOB"), ("key.pvk", "PVK")] {
            let found = one(&file(name), &[]).unwrap();
            assert_eq!((found.form, public(&found)), (form, expected.clone()), "{name}");
            let octets = file(name);
            for len in (16..octets.len()).step_by(31) {
                assert!(one(&octets[..len], &[]).is_err(), "{name} {len}");
            }
            let error = one(&[&octets[..], &[0]].concat(), &[]).unwrap_err().to_string();
            let expected = match name {
                "key.pvk" => {
                    format!("a key of {} bytes, expected {}, at byte 20", octets.len() - 24, octets.len() - 23)
                }
                _ => format!("unexpected data after a key of {bits} bits, at byte {}", octets.len()),
            };
            assert!(error.contains(&expected), "{name}: {error}");
        }
        // RC4 is in OpenSSL's legacy provider.
        for strength in ["-pvk-weak", "-pvk-strong"] {
            let args = ["rsa", "-provider", "legacy", "-provider", "default", "-in", "key.pem", "-outform", "PVK"];
            run(&[&args[..], &[strength, "-passout", "pass:secret", "-out", "encrypted.pvk"]].concat());
            let octets = file("encrypted.pvk");
            let found = one(&octets, &["wrong", "secret"]).unwrap();
            assert_eq!((found.form, public(&found)), ("PVK, encrypted", expected.clone()), "{strength}");
            assert_eq!(one(&octets, &["wrong"]).unwrap_err().kind(), ErrorKind::Integrity);
            assert_eq!(one(&octets, &[]).unwrap_err().kind(), ErrorKind::PasswordNeeded);
        }
    }
}

/// RFC 8080 §6.1 and RFC 6605 §6.1: private keys and their records.
#[test]
fn dnssec_keys_of_the_standards() {
    for (private, record, kind) in [
        (
            "Private-key-format: v1.2\nAlgorithm: 15 (ED25519)\nPrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=\n",
            "example.com. 3600 IN DNSKEY 257 3 15 (\n             l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4= ) ; key\n",
            KeyType::Ed25519,
        ),
        (
            "Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=\n",
            "example.net. 3600 IN DNSKEY 257 3 13 (\n GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edb\n krSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA== )\n",
            KeyType::P256,
        ),
    ] {
        let found = one(private.as_bytes(), &[]).unwrap();
        let Key::Private(info) = &found.key else { panic!() };
        assert_eq!((info.key_type(), found.form), (kind, "DNSSEC private key"));
        let outside = one(record.as_bytes(), &[]).unwrap();
        assert_eq!((public(&found), outside.form), (public(&outside), "DNSKEY"));
        assert!(outside.name.unwrap().starts_with("example."));
    }
    for (text, wanted) in [
        ("Private-key-format: v1.3\nAlgorithm: 3 (DSA)\n", "DNSSEC algorithm 3 is not supported"),
        ("Private-key-format: v1.3\nAlgorithm: 13\nLabel: x\nEngine: pkcs11\n", "in a token"),
        ("Private-key-format: v1.3\nAlgorithm: 8\nModulus: AAAA\n", "the field PublicExponent is missing"),
        ("Private-key-format: v2\n", "is not v1.x"),
        ("Private-key-format: v1.3\nAlgorithm: 15\nPrivateKey: AA==\nPrivateKey: AQ==\n", "duplicate field PrivateKey"),
        ("a. DNSKEY 257 4 13 AAAA", "the protocol must be 3"),
        ("a. DNSKEY 257 3 8 AwEA", "truncated"),
    ] {
        let error = one(text.as_bytes(), &[]).unwrap_err().to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
}

/// The numbers of an RSA key in BIND's form, from openssl.
#[test]
fn dnssec_rsa_of_openssl() {
    use tagwise_codec::text::base64;
    use tagwise_codec::{Decode as _, pem};
    use tagwise_pkix::pkcs1::RsaPrivateKey;
    if !openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), "openssl", &["genrsa", "-traditional", "2048"]);
    let der = pem::first(&["RSA PRIVATE KEY"], &text).unwrap();
    let key = RsaPrivateKey::from_der(&der).unwrap();
    let mut file = "Private-key-format: v1.3\nAlgorithm: 8 (RSASHA256)\n".to_owned();
    for (name, number) in [
        ("Modulus", key.modulus),
        ("PublicExponent", key.public_exponent),
        ("PrivateExponent", key.private_exponent),
        ("Prime1", key.prime1),
        ("Prime2", key.prime2),
        ("Exponent1", key.exponent1),
        ("Exponent2", key.exponent2),
        ("Coefficient", key.coefficient),
    ] {
        file.push_str(&format!("{name}: {}\n", base64::encode(number.magnitude())));
    }
    let Key::Private(info) = one(file.as_bytes(), &[]).unwrap().key else { panic!() };
    assert_eq!(info.to_pkcs1().unwrap().expose(), der);
    let octets = [&[3], key.public_exponent.magnitude(), key.modulus.magnitude()].concat();
    let record = format!("a. IN 60 DNSKEY 256 3 8 {}\n", base64::encode(&octets));
    assert_eq!(public(&one(record.as_bytes(), &[]).unwrap()), half(&info));
}
