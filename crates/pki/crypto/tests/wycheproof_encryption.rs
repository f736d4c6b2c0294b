//! Wycheproof's sets of RSA decryption and of keys from passwords against every backend, as `wycheproof.rs` does it with the others.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod wycheproof_common;

use std::sync::Arc;

use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, Cipher, Digest, Error, ErrorKind, KeyTransport, OaepParameters, PrivateKey, PrivateKeyInfo, Secret,
};
use wycheproof_common::{Count, Held, digest, same};

/// Tests done and not offered, by set and backend. Labels and SHA-512/224, which
/// [`KeyTransport`] does not say, are offered by nothing.
const HELD: &[Held] = &[
    ("rsa_oaep", "aws-lc", 916, 182),
    ("rsa_oaep", "openssl", 916, 182),
    ("rsa_oaep", "nss", 859, 239),
    ("rsa_pkcs1_decrypt", "aws-lc", 201, 0),
    ("rsa_pkcs1_decrypt", "openssl", 201, 0),
    ("rsa_pkcs1_decrypt", "nss", 201, 0),
    ("pbkdf2", "aws-lc", 238, 58),
    ("pbkdf2", "openssl", 296, 0),
    ("pbkdf2", "nss", 296, 0),
    ("pbes2", "aws-lc", 1008, 252),
    ("pbes2", "openssl", 1260, 0),
    ("pbes2", "nss", 1260, 0),
];

/// The key of a group, which is loaded once: backends check the primes of RSA keys, which takes longer than to decrypt.
fn loaded(backend: &dyn Backend, pkcs8: &[u8]) -> Result<Arc<dyn PrivateKey>, Error> {
    backend.private_key(&PrivateKeyInfo::from_pkcs8(pkcs8)?)
}

fn decrypt(
    key: &Result<Arc<dyn PrivateKey>, Error>,
    transport: KeyTransport,
    ciphertext: &[u8],
) -> Result<Secret, Error> {
    match key {
        Ok(key) => key.decrypt(transport, ciphertext),
        Err(error) => Err(Error::new(error.kind(), error)),
    }
}

fn not_offered(done: &Result<(), Error>) -> bool {
    done.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotOffered)
}

#[test]
fn rsa_oaep() {
    use wycheproof::rsa_oaep::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            for group in TestSet::load(name).unwrap().test_groups {
                let digests = digest(group.hash).zip(digest(group.mgf_hash));
                let transport = digests.map(|(digest, mask)| KeyTransport::Oaep(OaepParameters { digest, mask }));
                let key = loaded(backend, &group.pkcs8);
                for test in group.tests {
                    let Some(transport) = transport.filter(|_| test.label.is_empty()) else {
                        count.not_offered += 1;
                        continue;
                    };
                    let done = decrypt(&key, transport, &test.ct);
                    let done = done.map(|plain| assert_eq!(plain.expose(), &test.pt[..], "{name:?} {}", test.tc_id));
                    let offered = backend.transports(transport);
                    assert!(if offered { !not_offered(&done) } else { done.is_err() }, "{transport}");
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "rsa_oaep", backend);
    }
}

#[test]
fn rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_decrypt::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            for group in TestSet::load(name).unwrap().test_groups {
                let key = loaded(backend, &group.pkcs8);
                for test in group.tests {
                    let done = decrypt(&key, KeyTransport::Pkcs1, &test.ct);
                    // In place of an error there may be something random, which tells nobody anything.
                    let done = done.and_then(|plain| same(plain.expose(), &test.pt));
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "rsa_pkcs1_decrypt", backend);
    }
}

/// More iterations than a few tests have take a minute, and are the same code.
const ITERATIONS: usize = 10_000;

fn derived(
    backend: &dyn Backend,
    prf: Digest,
    password: &[u8],
    salt: &[u8],
    iterations: usize,
    len: usize,
) -> Result<Secret, Error> {
    let mut key = Secret::zeroed(len);
    backend.pbkdf2(prf, password, salt, iterations.try_into().unwrap(), key.expose_mut())?;
    Ok(key)
}

#[test]
fn pbkdf2() {
    use wycheproof::pbkdf2::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            let prf = match name {
                TestName::Pbkdf2HmacSha1 => Digest::Sha1,
                TestName::Pbkdf2HmacSha224 => Digest::Sha224,
                TestName::Pbkdf2HmacSha256 => Digest::Sha256,
                TestName::Pbkdf2HmacSha384 => Digest::Sha384,
                TestName::Pbkdf2HmacSha512 => Digest::Sha512,
            };
            for group in TestSet::load(name).unwrap().test_groups {
                for test in group.tests.iter().filter(|test| test.iteration_count <= ITERATIONS) {
                    let done = derived(backend, prf, &test.password, &test.salt, test.iteration_count, test.dk_len);
                    let done = done.map(|key| assert_eq!(key.expose(), &test.dk[..], "{name:?} {}", test.tc_id));
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "pbkdf2", backend);
    }
}

#[test]
fn pbes2() {
    use wycheproof::pbes2::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            let text = format!("{name:?}");
            let prf = [
                ("Sha1A", Digest::Sha1),
                ("Sha224", Digest::Sha224),
                ("Sha256", Digest::Sha256),
                ("Sha384", Digest::Sha384),
                ("Sha512", Digest::Sha512),
            ];
            let prf = prf.into_iter().find(|(part, _)| text.contains(part)).unwrap().1;
            let (cipher, len) = match &text {
                text if text.ends_with("Aes128") => (Cipher::Aes128Cbc, 16),
                text if text.ends_with("Aes192") => (Cipher::Aes192Cbc, 24),
                _ => (Cipher::Aes256Cbc, 32),
            };
            for group in TestSet::load(name).unwrap().test_groups {
                for test in group.tests.iter().filter(|test| test.iteration_count <= ITERATIONS) {
                    let key = derived(backend, prf, &test.password, &test.salt, test.iteration_count, len);
                    let done = key.and_then(|key| backend.decrypt(cipher, key.expose(), &test.iv, &[], &test.ct));
                    let done = done.map(|plain| assert_eq!(plain.expose(), &test.msg[..], "{text} {}", test.tc_id));
                    count.judge(&text, test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "pbes2", backend);
    }
}
