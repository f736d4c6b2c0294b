//! Published vectors.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_crypto::backends::AwsLc;

use super::*;

fn octets(hex: &str) -> Vec<u8> {
    let hex = if hex == "-" { "" } else { hex };
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// The constants of the table have an encryption type and a usage each, whatever the vector is of.
#[test]
fn vectors() {
    let backend = AwsLc::new();
    let (mut count, mut enc_types) = (0, std::collections::BTreeSet::new());
    for line in include_str!("../../tests/vectors/crypto.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (usage, key) = (fields[2].parse::<u32>().unwrap(), octets(fields[3]));
        let (input, expected) = (octets(fields[4]), octets(fields[5]));
        let enc_type = EncType::from_number(fields[1].parse().unwrap());
        count += 1;
        if fields[0] == "checksum" {
            let kind = ChecksumType::from_number(fields[6].parse().unwrap()).unwrap();
            let Some(enc_type) = enc_type else {
                assert_eq!(kind.unkeyed(&backend, &input).unwrap(), expected, "{line}");
                continue;
            };
            let key = Key::new(enc_type, key).unwrap();
            key.verify(&backend, usage, &input, kind.number(), &expected).unwrap();
            assert_eq!(kind.len(), expected.len());
            if kind == enc_type.checksum() {
                assert_eq!(key.checksum(&backend, usage, &input).unwrap(), expected, "{line}");
            }
            assert!(key.verify(&backend, usage + 1, &input, kind.number(), &expected).is_err(), "{line}");
            continue;
        }
        let enc_type = enc_type.unwrap();
        enc_types.insert(enc_type.number());
        match fields[0] {
            "decrypt" => {
                let key = Key::new(enc_type, key).unwrap();
                let plain = key.decrypt(&backend, usage, &expected).unwrap();
                let padded = plain.expose().split_at(input.len());
                assert!(padded.0 == input && padded.1.iter().all(|octet| *octet == 0) && padded.1.len() < 8, "{line}");
                assert_eq!(enc_type.encrypted_len(input.len()), expected.len());
                let again = key.encrypt(&backend, usage, &input).unwrap();
                assert_eq!(key.decrypt(&backend, usage, &again).unwrap().expose(), plain.expose(), "{line}");
                // Any bit that is turned is noticed.
                for at in 0..expected.len() {
                    let mut damaged = expected.clone();
                    damaged[at] ^= 1;
                    assert!(key.decrypt(&backend, usage, &damaged).is_err(), "{line} at {at}");
                    assert!(key.decrypt(&backend, usage, &expected[..at]).is_err(), "{line} cut to {at}");
                }
            }
            "password" => {
                let (salt, parameters) = (octets(fields[5]), octets(fields[6]));
                let made = StringToKey::new(enc_type).salt(&salt).parameters(&parameters).derive(&backend, &input);
                assert_eq!(made.unwrap().expose(), key, "{line}");
            }
            "derive" => {
                let derived = match enc_type {
                    EncType::Des3CbcSha1Kd => des3::derive(&key, &input),
                    EncType::Aes128CtsHmacSha256128 => sha2::AES128.derive(&backend, &key, &input, &[], expected.len()),
                    EncType::Aes256CtsHmacSha384192 => sha2::AES256.derive(&backend, &key, &input, &[], expected.len()),
                    EncType::Camellia128CtsCmac | EncType::Camellia256CtsCmac => {
                        camellia::derive(key::cipher(enc_type).unwrap(), &key, &input)
                    }
                    _ => sha1::derive(&backend, key::cipher(enc_type).unwrap(), &key, &input),
                };
                assert_eq!(derived.unwrap().expose(), expected, "{line}");
            }
            "prf" => {
                let key = Key::new(enc_type, key).unwrap();
                assert_eq!(key.prf(&backend, &input).unwrap().expose(), expected, "{line}");
            }
            "cf2" => {
                let of = |text: &[u8]| StringToKey::new(enc_type).salt(text).derive(&backend, text).unwrap();
                let made = cf2(&backend, &of(b"key1"), &of(b"key2"), b"a", b"b").unwrap();
                assert_eq!(made.expose(), key, "{line}");
            }
            other => panic!("no test for {other}"),
        }
    }
    assert_eq!((count, enc_types.len()), (123, EncType::ALL.len()));
}

/// RFC 3961 A.1.
#[test]
fn n_fold_vectors() {
    for (input, expected) in [
        ("012345", "be072631276b1955"),
        ("password", "78a07b6caf85fa"),
        ("Rough Consensus, and Running Code", "bb6ed30870b7f0e0"),
        ("password", "59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e"),
        ("MASSACHVSETTS INSTITVTE OF TECHNOLOGY", "db3b0d8f0b061e603282b308a50841229ad798fab9540c1b"),
        ("Q", "518a54a2 15a8452a 518a54a2 15a8452a 518a54a2 15"),
        ("ba", "fb25d531 ae897449 9f52fd92 ea9857c4 ba24cf29 7e"),
        ("kerberos", "6b65726265726f73"),
        ("kerberos", "6b65726265726f737b9b5b2b93132b93"),
        ("kerberos", "8372c236344e5f1550cd0747e15d62ca7a5a3bcea4"),
        ("kerberos", "6b65726265726f737b9b5b2b93132b935c9bdcdad95c9899c4cae4dee6d6cae4"),
    ] {
        let expected = octets(&expected.replace(' ', ""));
        assert_eq!(n_fold(input.as_bytes(), expected.len()).expose(), expected, "{input}");
    }
    assert!(n_fold(b"", 8).expose().iter().all(|octet| *octet == 0) && n_fold(b"x", 0).is_empty());
}

#[test]
fn limits_and_parameters() {
    let (backend, one) = (AwsLc::new(), StringToKey::new(EncType::Aes128CtsHmacSha196));
    let kind = |result: Result<Key, Error>| result.unwrap_err().kind();
    assert_eq!(kind(one.parameters(&[0, 0, 0, 0]).derive(&backend, b"")), ErrorKind::Limit);
    assert_eq!(kind(one.parameters(&[0xFF; 4]).derive(&backend, b"")), ErrorKind::Limit);
    assert_eq!(kind(one.parameters(&[1]).derive(&backend, b"")), ErrorKind::Parameters);
    assert_eq!(
        kind(StringToKey::new(EncType::ArcfourHmac).parameters(&[1]).derive(&backend, b"")),
        ErrorKind::Parameters
    );
    let strict = StringToKeyLimits { min_iterations: 4096, ..StringToKeyLimits::DEFAULT };
    assert_eq!(kind(one.limits(strict).parameters(&[0, 0, 0, 1]).derive(&backend, b"")), ErrorKind::Limit);
}

/// A checksum without a key proves nothing, and one of another key neither.
#[test]
fn checksums_without_the_key_are_refused() {
    let backend = AwsLc::new();
    let key = Key::generate(&backend, EncType::Aes256CtsHmacSha196).unwrap();
    let plain = ChecksumType::RsaMd5.unkeyed(&backend, b"data").unwrap();
    assert_eq!(key.verify(&backend, 6, b"data", 7, &plain).unwrap_err().kind(), ErrorKind::WrongKey);
    assert_eq!(key.verify(&backend, 6, b"data", 99, &plain).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(key.verify(&backend, 6, b"data", 16, &[]).unwrap_err().kind(), ErrorKind::Integrity);
    assert_eq!(format!("{key:?}"), "Key(aes256-cts-hmac-sha1-96)");
}
