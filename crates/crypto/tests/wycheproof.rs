//! Wycheproof's sets against every backend: what is valid verifies, what is invalid does not. Sets that a backend does not offer
//! are counted apart, and the counts are held, so that nothing goes missing unseen.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_codec::{Any, BitStr, Decode, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Cipher, Digest, Error, ErrorKind, KeyType, PrivateKeyInfo, PssParameters, Scheme, Wrap};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};
use wycheproof::{EdwardsCurve, EllipticCurve, HashFunction, Mgf, MontgomeryCurve, TestResult};

const BACKENDS: &[&dyn Backend] = &[&AwsLc::new()];

/// How a backend did in one kind of sets.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    tests: usize,
    not_offered: usize,
}

impl Count {
    /// One test: whether it was done, and came out as it must.
    fn judge(&mut self, set: &str, id: usize, expected: &TestResult, done: Result<(), Error>) {
        let error = match done {
            Err(error) if error.kind() == ErrorKind::NotOffered || error.kind() == ErrorKind::KeySize => {
                self.not_offered += 1;
                return;
            }
            done => done.err(),
        };
        self.tests += 1;
        match expected {
            TestResult::Valid => assert!(error.is_none(), "{set} {id}: {}", error.unwrap()),
            TestResult::Invalid => assert!(error.is_some(), "{set} {id}: taken"),
            TestResult::Acceptable => {}
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
        HashFunction::Sha3_256 => Digest::Sha3_256,
        HashFunction::Sha3_384 => Digest::Sha3_384,
        HashFunction::Sha3_512 => Digest::Sha3_512,
        _ => return None,
    })
}

fn verified(backend: &dyn Backend, key: &[u8], scheme: Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    backend.public_key_from_der(key)?.verify(&scheme, message, signature)
}

#[test]
fn ecdsa() {
    use wycheproof::ecdsa::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for name in TestName::all().into_iter().filter(|name| !name.json_data().contains("P1363Verify")) {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let known = matches!(
                    group.key.curve,
                    EllipticCurve::Secp256r1 | EllipticCurve::Secp384r1 | EllipticCurve::Secp521r1
                );
                let (true, Some(digest)) = (known, digest(group.hash)) else { continue };
                for test in &group.tests {
                    let done = verified(*backend, &group.der, Scheme::Ecdsa(digest), &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests > 2500, "{} {count:?}", backend.name());
    }
}

#[test]
fn eddsa() {
    use wycheproof::eddsa::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let scheme = match group.key.curve {
                    EdwardsCurve::Ed25519 => Scheme::Ed25519,
                    EdwardsCurve::Ed448 => Scheme::Ed448,
                };
                for test in &group.tests {
                    let done = verified(*backend, &group.der, scheme, &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests >= 150, "{} {count:?}", backend.name());
    }
}

#[test]
fn rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_verify::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let Some(digest) = digest(group.hash) else { continue };
                for test in &group.tests {
                    let done = verified(*backend, &group.der, Scheme::RsaPkcs1(digest), &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests > 2000, "{} {count:?}", backend.name());
    }
}

#[test]
fn rsa_pss() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let mask = group.mgf_hash.and_then(digest);
                let (Some(digest), Some(mask), Mgf::Mgf1) = (digest(group.hash), mask, group.mgf) else { continue };
                let scheme = Scheme::RsaPss(PssParameters { digest, mask, salt_len: group.salt_size as u16 });
                for test in &group.tests {
                    let done = verified(*backend, &group.der, scheme, &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests > 500, "{} {count:?}", backend.name());
    }
}

/// PKCS #8 around a scalar or the octets of a key, and the SubjectPublicKeyInfo of its peer.
fn pair(key: KeyType, private: &[u8], public: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (algorithm, curve) = key.identifiers();
    let curve = curve.map(|curve| encode(&curve).unwrap()).unwrap_or_default();
    let algorithm = AlgorithmIdentifier { algorithm, parameters: Any::from_der(&curve).ok() };
    let public = encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(public) }).unwrap();
    let tlv = |tag: u8, content: &[u8]| -> Vec<u8> {
        let len = content.len();
        let length = if len < 128 { vec![len as u8] } else { vec![0x81, len as u8] };
        [&[tag], &length[..], content].concat()
    };
    let inside = match key {
        KeyType::X25519 => tlv(4, private),
        _ => tlv(0x30, &[&[2, 1, 1][..], &tlv(4, private)].concat()),
    };
    if inside.len() > 255 {
        return None;
    }
    let content = [&[2, 1, 0][..], &encode(&algorithm).unwrap(), &tlv(4, &inside)].concat();
    Some((tlv(0x30, &content), public))
}

fn agreed(backend: &dyn Backend, key: KeyType, private: &[u8], public: &[u8], secret: &[u8]) -> Result<(), Error> {
    let wrong = || Error::new(ErrorKind::Integrity, key);
    let (private, public) = pair(key, private, public).ok_or_else(wrong)?;
    let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
    let public = SubjectPublicKeyInfo::from_der(&public).map_err(malformed)?;
    let shared = backend.private_key(&PrivateKeyInfo::from_pkcs8(&private)?)?.agree(&public)?;
    if shared.expose() == secret { Ok(()) } else { Err(wrong()) }
}

#[test]
fn ecdh() {
    use wycheproof::ecdh::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for name in [TestName::EcdhSecp256r1Ecpoint, TestName::EcdhSecp384r1Ecpoint, TestName::EcdhSecp521r1Ecpoint] {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let (key, order) = match group.curve {
                    EllipticCurve::Secp256r1 => (KeyType::P256, 32),
                    EllipticCurve::Secp384r1 => (KeyType::P384, 48),
                    _ => (KeyType::P521, 66),
                };
                for test in &group.tests {
                    // A number, as Wycheproof writes it: with a zero in front, or short.
                    let number: Vec<u8> = test.private_key.iter().copied().skip_while(|octet| *octet == 0).collect();
                    let scalar = [vec![0; order - number.len()], number].concat();
                    let done = agreed(*backend, key, &scalar, &test.public_key, &test.shared_secret);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests > 600, "{} {count:?}", backend.name());
    }
}

#[test]
fn x25519() {
    use wycheproof::xdh::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        let set = TestSet::load(TestName::X25519).unwrap();
        for group in &set.test_groups {
            assert_eq!(group.curve, MontgomeryCurve::X25519);
            for test in &group.tests {
                let done = agreed(*backend, KeyType::X25519, &test.private_key, &test.public_key, &test.shared_secret);
                count.judge("X25519", test.tc_id, &test.result, done);
            }
        }
        assert!(count.tests > 500, "{} {count:?}", backend.name());
    }
}

#[test]
fn key_wrap() {
    use wycheproof::keywrap::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for group in &TestSet::load(TestName::AesKeyWrap).unwrap().test_groups {
            let wrap = match group.key_size {
                128 => Wrap::Aes128,
                256 => Wrap::Aes256,
                _ => continue,
            };
            for test in &group.tests {
                let unwrapped = backend.unwrap(wrap, &test.key, &test.ct);
                let done = unwrapped.and_then(|plain| {
                    let again = backend.wrap(wrap, &test.key, plain.expose())?;
                    assert_eq!(again, test.ct[..]);
                    if plain.expose() == &test.pt[..] { Ok(()) } else { Err(Error::new(ErrorKind::Integrity, wrap)) }
                });
                count.judge("AES-KW", test.tc_id, &test.result, done);
            }
        }
        assert!(count.tests > 100, "{} {count:?}", backend.name());
    }
}

#[test]
fn hkdf() {
    use wycheproof::hkdf::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for (name, digest) in [
            (TestName::HkdfSha1, Digest::Sha1),
            (TestName::HkdfSha256, Digest::Sha256),
            (TestName::HkdfSha384, Digest::Sha384),
            (TestName::HkdfSha512, Digest::Sha512),
        ] {
            for test in TestSet::load(name).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
                let mut key = vec![0; test.size];
                let done = backend.hkdf(digest, &test.salt, &test.ikm, &test.info, &mut key);
                if done.is_ok() {
                    assert_eq!(key, test.okm[..]);
                }
                count.judge(digest.name(), test.tc_id, &test.result, done);
            }
        }
        assert!(count.tests > 300, "{} {count:?}", backend.name());
    }
}

#[test]
fn hmac() {
    use wycheproof::mac::{TestName, TestSet};
    for backend in BACKENDS {
        let mut count = Count::default();
        for (name, digest) in [
            (TestName::HmacSha1, Digest::Sha1),
            (TestName::HmacSha224, Digest::Sha224),
            (TestName::HmacSha256, Digest::Sha256),
            (TestName::HmacSha384, Digest::Sha384),
            (TestName::HmacSha512, Digest::Sha512),
            (TestName::HmacSha3_256, Digest::Sha3_256),
        ] {
            for group in &TestSet::load(name).unwrap().test_groups {
                for test in &group.tests {
                    let done = backend.hmac(digest, &test.key).and_then(|mut mac| {
                        mac.update(&test.msg);
                        let tag = mac.finish();
                        let fits = tag[..group.tag_size / 8] == test.tag[..];
                        if fits { Ok(()) } else { Err(Error::new(ErrorKind::Integrity, digest)) }
                    });
                    count.judge(digest.name(), test.tc_id, &test.result, done);
                }
            }
        }
        assert!(count.tests > 700, "{} {count:?}", backend.name());
    }
}

#[test]
fn ciphers() {
    for backend in BACKENDS {
        let mut count = Count::default();
        for group in &wycheproof::cipher::TestSet::load(wycheproof::cipher::TestName::AesCbcPkcs5).unwrap().test_groups
        {
            let cipher = match group.key_size {
                128 => Cipher::Aes128Cbc,
                192 => Cipher::Aes192Cbc,
                _ => Cipher::Aes256Cbc,
            };
            for test in &group.tests {
                let done = backend.decrypt(cipher, &test.key, &test.nonce, &[], &test.ct).map(|plain| {
                    assert_eq!(plain.expose(), &test.pt[..]);
                    assert_eq!(backend.encrypt(cipher, &test.key, &test.nonce, &[], &test.pt).unwrap(), test.ct[..]);
                });
                count.judge(cipher.name(), test.tc_id, &test.result, done);
            }
        }
        for group in &wycheproof::aead::TestSet::load(wycheproof::aead::TestName::AesGcm).unwrap().test_groups {
            let cipher = match group.key_size {
                128 => Cipher::Aes128Gcm,
                256 => Cipher::Aes256Gcm,
                _ => continue,
            };
            // RFC 5084 §3.2 recommends 12 octets, and a backend takes no others.
            for test in group.tests.iter().filter(|test| test.nonce.len() == 12) {
                let whole = [&test.ct[..], &test.tag[..]].concat();
                let done = backend.decrypt(cipher, &test.key, &test.nonce, &test.aad, &whole).map(|plain| {
                    assert_eq!(plain.expose(), &test.pt[..]);
                    assert_eq!(backend.encrypt(cipher, &test.key, &test.nonce, &test.aad, &test.pt).unwrap(), whole);
                });
                count.judge(cipher.name(), test.tc_id, &test.result, done);
            }
        }
        assert!(count.tests > 200, "{} {count:?}", backend.name());
    }
}

/// The identifier of RSASSA-PSS keys binds their signatures (RFC 4055 §3.3).
#[test]
fn keys_of_pss_are_for_pss_alone() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    let set = TestSet::load(TestName::RsaPss2048Sha256Mgf1SaltLen32WithParams).unwrap();
    let group = &set.test_groups[0];
    let key = SubjectPublicKeyInfo::from_der(&group.der).unwrap();
    assert_eq!(key.algorithm.algorithm, oids::RSASSA_PSS);
    let test = group.tests.iter().find(|test| test.result == TestResult::Valid).unwrap();
    let checked = |scheme: Scheme| {
        let der = scheme.identifier().unwrap();
        let algorithm = AlgorithmIdentifier::from_der(&der).unwrap();
        BACKENDS
            .iter()
            .map(|backend| {
                tagwise_crypto::verify(*backend, &key, &algorithm, &test.msg, &test.sig).map_err(|error| error.kind())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(checked(Scheme::RsaPss(PssParameters::of(Digest::Sha256))), vec![Ok(()); BACKENDS.len()]);
    let other = [Scheme::RsaPkcs1(Digest::Sha256), Scheme::RsaPss(PssParameters::of(Digest::Sha512))];
    for scheme in other {
        assert!(checked(scheme).iter().all(|result| *result == Err(ErrorKind::WrongKey)));
    }
}
