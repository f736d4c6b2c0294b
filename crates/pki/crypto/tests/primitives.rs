//! Digests, MACs, key derivation, ciphers and key wrap, by the examples of their standards, for every backend that is built in.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_crypto::backends::all;
use tagwise_crypto::{Backend, Cipher, Digest, Error, ErrorKind, Wrap};

/// What a backend lacks, by its name and what it calls it: these lists are held, so that nothing goes missing unseen.
const LACKING: &[(&str, &[&str])] = &[
    (
        "aws-lc",
        &[
            "HMAC with SHA-512/256",
            "HMAC with SHA3-256",
            "HMAC with SHA3-384",
            "HMAC with SHA3-512",
            "HMAC with SHAKE128",
            "HMAC with SHAKE256",
        ],
    ),
    // There is none (RFC 8702 has KMAC in its place).
    ("openssl", &["HMAC with SHAKE128", "HMAC with SHAKE256"]),
    (
        "nss",
        &[
            "SHA-224",
            "SHA-512/256",
            "SHA3-256",
            "SHA3-384",
            "SHA3-512",
            "SHAKE128",
            "SHAKE256",
            "HMAC with SHA-512/256",
            "HMAC with SHA3-256",
            "HMAC with SHA3-384",
            "HMAC with SHA3-512",
            "HMAC with SHAKE128",
            "HMAC with SHAKE256",
        ],
    ),
];

/// The result, or nothing if it is not offered and that is held.
fn offered<T>(backend: &dyn Backend, done: Result<T, Error>) -> Option<T> {
    let error = match done {
        Ok(done) => return Some(done),
        Err(error) => error,
    };
    let held = LACKING.iter().find(|(name, _)| *name == backend.name()).map_or(&[][..], |(_, held)| held);
    assert_eq!(error.kind(), ErrorKind::NotOffered, "{error}");
    assert!(held.contains(&error.algorithm()), "{error}");
    None
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// FIPS 180-4 and FIPS 202, by NIST's examples of "abc".
#[test]
fn digests() {
    for backend in all() {
        for (digest, expected) in [
            (Digest::Sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (Digest::Sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            (Digest::Sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (Digest::Sha512_256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            (Digest::Sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
            (Digest::Shake128, "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8"),
            (
                Digest::Shake256,
                "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa\
                 9f8726e462a12a4feb06bd8801e751e4",
            ),
        ] {
            if let Some(done) = offered(backend, backend.digest(digest, b"abc")) {
                assert_eq!(done, hex(expected), "{digest}");
            }
        }
        for &digest in Digest::ALL {
            let Some(whole) = offered(backend, backend.digest(digest, b"in pieces")) else { continue };
            let mut hasher = backend.hasher(digest).unwrap();
            hasher.update(b"in ");
            hasher.update(b"pieces");
            assert_eq!(hasher.finish().unwrap(), whole);
            assert_eq!(whole.len(), digest.output_len());
        }
    }
}

/// RFC 4231 §4.3.
#[test]
fn hmac() {
    for backend in all() {
        let mut mac = backend.hmac(Digest::Sha256, b"Jefe").unwrap();
        mac.update(b"what do ya want for nothing?");
        assert_eq!(mac.finish().unwrap(), hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
        for &digest in Digest::ALL {
            let Some(mut mac) = offered(backend, backend.hmac(digest, b"key")) else { continue };
            mac.update(b"message");
            // RFC 2104 §2, from the digest alone.
            let pad = |octet: u8| -> Vec<u8> {
                (0..digest.block_len()).map(|at| octet ^ b"key".get(at).copied().unwrap_or_default()).collect()
            };
            let inner = backend.digest(digest, &[&pad(0x36)[..], b"message"].concat());
            if let Some(inner) = offered(backend, inner) {
                let outer = backend.digest(digest, &[&pad(0x5C)[..], &inner].concat()).unwrap();
                assert_eq!(mac.finish().unwrap(), outer, "{digest}");
            }
            // No key at all, and one that is longer than a block.
            for key in [vec![], vec![7; 200]] {
                let mut mac = backend.hmac(digest, &key).unwrap();
                mac.update(b"message");
                assert_eq!(mac.finish().unwrap().len(), digest.output_len());
            }
        }
    }
}

/// RFC 6070 §2 and RFC 7914 §11.
#[test]
fn pbkdf2() {
    for backend in all() {
        let mut key = [0; 20];
        backend.pbkdf2(Digest::Sha1, b"password", b"salt", 4096, &mut key).unwrap();
        assert_eq!(key[..], hex("4b007901b765489abead49d926f721d065a429c1"));
        let mut key = [0; 64];
        backend.pbkdf2(Digest::Sha256, b"passwd", b"salt", 1, &mut key).unwrap();
        assert_eq!(key[..8], hex("55ac046e56e3089f"));
        assert_eq!(backend.pbkdf2(Digest::Sha256, b"", b"", 0, &mut key).unwrap_err().kind(), ErrorKind::Parameters);
    }
}

/// RFC 5869 §A.1.
#[test]
fn hkdf() {
    for backend in all() {
        let mut key = [0; 42];
        let (salt, info) = (hex("000102030405060708090a0b0c"), hex("f0f1f2f3f4f5f6f7f8f9"));
        backend.hkdf(Digest::Sha256, &salt, &[0x0B; 22], &info, &mut key).unwrap();
        assert_eq!(
            key[..],
            hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        );
        let mut long = vec![0; 255 * 32 + 1];
        let error = backend.hkdf(Digest::Sha256, &salt, &[0x0B; 22], &info, &mut long).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Length);
    }
}

/// RFC 3394 §4.1 and §4.6.
#[test]
fn key_wrap() {
    for backend in all() {
        let kek = hex("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F");
        let key = hex("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F");
        let wrapped = backend.wrap(Wrap::Aes128, &kek[..16], &key[..16]).unwrap();
        assert_eq!(wrapped, hex("1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5"));
        let wrapped = backend.wrap(Wrap::Aes256, &kek, &key).unwrap();
        assert_eq!(wrapped, hex("28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"));
        assert_eq!(backend.unwrap(Wrap::Aes256, &kek, &wrapped).unwrap().expose(), key);
        let mut damaged = wrapped.clone();
        damaged[3] ^= 1;
        assert_eq!(backend.unwrap(Wrap::Aes256, &kek, &damaged).unwrap_err().kind(), ErrorKind::Integrity);
        assert_eq!(backend.unwrap(Wrap::Aes128, &kek, &wrapped).unwrap_err().kind(), ErrorKind::Length);
        for len in [0, 8, 15, 17] {
            assert_eq!(backend.wrap(Wrap::Aes256, &kek, &vec![0; len]).unwrap_err().kind(), ErrorKind::Length);
            assert_eq!(backend.unwrap(Wrap::Aes256, &kek, &vec![0; len + 8]).unwrap_err().kind(), ErrorKind::Length);
        }
    }
}

/// SP 800-38A §F.2.1 (the first block; padding is behind it), and the test cases 3 and 4 of the GCM specification.
#[test]
fn ciphers() {
    for backend in all() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c");
        let iv = hex("000102030405060708090a0b0c0d0e0f");
        let plain = hex("6bc1bee22e409f96e93d7e117393172a");
        let encrypted = backend.encrypt(Cipher::Aes128Cbc, &key, &iv, &[], &plain).unwrap();
        assert_eq!(encrypted[..16], hex("7649abac8119b246cee98e9b12e9197d"));
        assert_eq!(encrypted.len(), 32);

        let key = hex("feffe9928665731c6d6a8f9467308308");
        let nonce = hex("cafebabefacedbaddecaf888");
        let plain = hex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        );
        let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
        let encrypted = backend.encrypt(Cipher::Aes128Gcm, &key, &nonce, &data, &plain).unwrap();
        assert_eq!(encrypted[60..], hex("5bc94fbc3221a5db94fae95ae7121a47"));
        assert_eq!(encrypted[..4], hex("42831ec2"));
    }
}

#[test]
fn decryption_reverses_encryption_and_detects_damage() {
    for backend in all() {
        for &cipher in Cipher::ALL {
            let mut key = vec![0; cipher.key_len()];
            let mut iv = vec![0; cipher.iv_len()];
            backend.random(&mut key).unwrap();
            backend.random(&mut iv).unwrap();
            for len in [0, 1, 15, 16, 17, 1000] {
                let plain = vec![0x5A; len];
                let encrypted = backend.encrypt(cipher, &key, &iv, &[], &plain).unwrap();
                assert_eq!(backend.decrypt(cipher, &key, &iv, &[], &encrypted).unwrap().expose(), plain);
                // Of CBC, the last octet of the block before the padding changes the count in the padding.
                let cut = &encrypted[..encrypted.len() - 1];
                assert_eq!(
                    backend.decrypt(cipher, &key, &iv, &[], cut).unwrap_err().kind(),
                    ErrorKind::Integrity,
                    "{cipher}"
                );
            }
            let bound = backend.encrypt(cipher, &key, &iv, b"data", b"plain");
            if cipher.is_authenticated() {
                let mut bound = bound.unwrap();
                assert!(backend.decrypt(cipher, &key, &iv, b"data", &bound).is_ok());
                assert_eq!(
                    backend.decrypt(cipher, &key, &iv, b"atad", &bound).unwrap_err().kind(),
                    ErrorKind::Integrity
                );
                bound[0] ^= 1;
                assert_eq!(
                    backend.decrypt(cipher, &key, &iv, b"data", &bound).unwrap_err().kind(),
                    ErrorKind::Integrity
                );
            } else {
                assert_eq!(bound.unwrap_err().kind(), ErrorKind::Parameters);
            }
            let short = backend.encrypt(cipher, &key[1..], &iv, &[], b"plain").unwrap_err();
            assert_eq!(short.kind(), ErrorKind::Length);
            assert_eq!(backend.encrypt(cipher, &key, &iv[1..], &[], b"plain").unwrap_err().kind(), ErrorKind::Length);
        }
    }
}
