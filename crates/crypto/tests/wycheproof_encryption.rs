//! Wycheproof's sets of RSA decryption and of keys from passwords against every backend, as `wycheproof.rs` does it with the others.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use tagwise_crypto::backends::all;
use tagwise_crypto::{Backend, Cipher, Digest, Error, ErrorKind, KeyTransport, PrivateKeyInfo, Secret};
use wycheproof::{HashFunction, TestResult};

/// Tests done and not offered, by set and backend. What [`KeyTransport`] does not say, two digests and labels, is offered by nothing.
const HELD: &[(&str, &str, usize, usize)] = &[
    ("rsa_oaep", "aws-lc", 275, 823),
    ("rsa_oaep", "openssl", 362, 736),
    ("rsa_oaep", "nss", 333, 765),
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

#[derive(Debug, Default)]
struct Count {
    tests: usize,
    not_offered: usize,
}

impl Count {
    /// What came out, beside what must.
    fn judge(&mut self, test: &str, expected: TestResult, wanted: &[u8], done: Result<Secret, Error>) {
        match (done, expected) {
            (Err(error), _) if matches!(error.kind(), ErrorKind::NotOffered | ErrorKind::KeySize) => {
                self.not_offered += 1;
                return;
            }
            (Err(error), TestResult::Valid) => panic!("{test}: {error}"),
            (Ok(octets), TestResult::Valid) => assert_eq!(octets.expose(), wanted, "{test}"),
            // In place of an error there may be something random, which tells nobody anything.
            (Ok(octets), TestResult::Invalid) => {
                assert!(test.starts_with("pkcs1") && octets.expose() != wanted, "{test}")
            }
            _ => {}
        }
        self.tests += 1;
    }

    fn hold(&self, backend: &dyn Backend, sets: &str) {
        let row = HELD.iter().find(|(name, of, ..)| *name == sets && *of == backend.name());
        let (.., tests, not_offered) = row.unwrap_or_else(|| panic!("nothing is held of {} in {sets}", backend.name()));
        let version = backend.version();
        println!("{sets}, {} {version}: {self:?}", backend.name());
        if backend.name() == "aws-lc" || version.starts_with("OpenSSL 3.0.") || version == "NSS 3.87" {
            assert_eq!((self.tests, self.not_offered), (*tests, *not_offered), "{sets} {version}");
        } else {
            assert_eq!(self.tests + self.not_offered, tests + not_offered, "{sets} {version}");
        }
    }
}

fn digest(hash: HashFunction) -> Option<Digest> {
    Some(match hash {
        HashFunction::Sha1 => Digest::Sha1,
        HashFunction::Sha2_224 => Digest::Sha224,
        HashFunction::Sha2_256 => Digest::Sha256,
        HashFunction::Sha2_384 => Digest::Sha384,
        HashFunction::Sha2_512 => Digest::Sha512,
        HashFunction::Sha2_512_256 => Digest::Sha512_256,
        _ => return None,
    })
}

fn decrypt(backend: &dyn Backend, pkcs8: &[u8], transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
    let key = backend.private_key(&PrivateKeyInfo::from_pkcs8(pkcs8)?)?;
    key.decrypt(transport, ciphertext)
}

#[test]
fn rsa_oaep() {
    use wycheproof::rsa_oaep::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            for group in TestSet::load(name).unwrap().test_groups {
                let one = digest(group.hash).filter(|_| group.hash == group.mgf_hash);
                for test in group.tests {
                    let Some(digest) = one.filter(|_| test.label.is_empty()) else {
                        count.not_offered += 1;
                        continue;
                    };
                    let done = decrypt(backend, &group.pkcs8, KeyTransport::Oaep(digest), &test.ct);
                    count.judge(&format!("oaep {name:?} {}", test.tc_id), test.result, &test.pt, done);
                }
            }
        }
        count.hold(backend, "rsa_oaep");
    }
}

#[test]
fn rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_decrypt::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in TestName::all() {
            for group in TestSet::load(name).unwrap().test_groups {
                for test in group.tests {
                    let done = decrypt(backend, &group.pkcs8, KeyTransport::Pkcs1, &test.ct);
                    count.judge(&format!("pkcs1 {name:?} {}", test.tc_id), test.result, &test.pt, done);
                }
            }
        }
        count.hold(backend, "rsa_pkcs1_decrypt");
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
                    count.judge(&format!("{name:?} {}", test.tc_id), test.result, &test.dk, done);
                }
            }
        }
        count.hold(backend, "pbkdf2");
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
                    count.judge(&format!("{text} {}", test.tc_id), test.result, &test.msg, done);
                }
            }
        }
        count.hold(backend, "pbes2");
    }
}
