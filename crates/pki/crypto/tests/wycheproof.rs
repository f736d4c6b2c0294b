//! Wycheproof's sets against every backend: what is valid verifies, what is invalid does not. Sets that a backend does not offer
//! are counted apart, and the counts are held, so that nothing goes missing unseen.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod wycheproof_common;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use tagwise_codec::{Any, BitStr, Decode, OctetStr, encode};
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, Cipher, Curve, Digest, Error, ErrorKind, KeyType, PrivateKey, PrivateKeyInfo, PssParameters, PublicKey,
    Scheme, Wrap,
};
use tagwise_pkix::private_key::{curve_private_key, private_key_info};
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};
use wycheproof::{EdwardsCurve, EllipticCurve, Mgf, MontgomeryCurve, TestResult};
use wycheproof_common::{Count, Held, digest, same, verifiers};

/// Tests done and not offered, by set and backend.
const HELD: &[Held] = &[
    ("ciphers", "aws-lc", 349, 0),
    ("ciphers", "openssl", 349, 0),
    ("ciphers", "nss", 349, 0),
    ("ecdh", "aws-lc", 2264, 0),
    ("ecdh", "openssl", 2264, 0),
    ("ecdh", "nss", 1785, 479),
    ("ecdh_of_other_curves", "aws-lc", 5558, 0),
    ("ecdh_of_other_curves", "openssl", 5558, 0),
    ("ecdh_of_other_curves", "nss", 1446, 4112),
    ("ecdsa", "aws-lc", 14787, 0),
    ("ecdsa", "openssl", 14787, 0),
    ("ecdsa", "rust", 9738, 5049),
    ("ecdsa", "nss", 3098, 11689),
    ("eddsa", "aws-lc", 238, 0),
    ("eddsa", "openssl", 238, 0),
    ("eddsa", "rust", 238, 0),
    ("eddsa", "nss", 0, 238),
    ("hkdf", "aws-lc", 339, 0),
    ("hkdf", "openssl", 339, 0),
    ("hkdf", "nss", 339, 0),
    ("hmac", "aws-lc", 864, 697),
    ("hmac", "openssl", 1561, 0),
    ("hmac", "nss", 864, 697),
    ("key_wrap", "aws-lc", 110, 0),
    ("key_wrap", "openssl", 110, 0),
    ("key_wrap", "nss", 110, 0),
    ("rsa_pkcs1", "aws-lc", 5686, 0),
    ("rsa_pkcs1", "openssl", 5686, 0),
    ("rsa_pkcs1", "rust", 5686, 0),
    ("rsa_pkcs1", "nss", 3106, 2580),
    ("rsa_pss", "aws-lc", 2617, 0),
    ("rsa_pss", "openssl", 2617, 0),
    ("rsa_pss", "rust", 2617, 0),
    ("rsa_pss", "nss", 2442, 175),
    ("xdh", "aws-lc", 1028, 0),
    ("xdh", "openssl", 1028, 0),
    ("xdh", "nss", 12, 1016),
];

/// One signature by a key that was parsed once for all of its group.
fn verified(
    key: &Result<Arc<dyn PublicKey>, Error>,
    scheme: Scheme,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    match key {
        Ok(key) => key.verify(&scheme, message, signature),
        Err(error) => Err(Error::new(error.kind(), error)),
    }
}

/// The kind of key of a curve, and the length of its order.
fn curve(of: EllipticCurve) -> Option<(KeyType, usize)> {
    Some(match of {
        EllipticCurve::Secp224r1 => (KeyType::Curve(Curve::P224), 28),
        EllipticCurve::Secp256r1 => (KeyType::P256, 32),
        EllipticCurve::Secp384r1 => (KeyType::P384, 48),
        EllipticCurve::Secp521r1 => (KeyType::P521, 66),
        EllipticCurve::Secp256k1 => (KeyType::Curve(Curve::Secp256k1), 32),
        EllipticCurve::Brainpool224r1 => (KeyType::Curve(Curve::BrainpoolP224r1), 28),
        EllipticCurve::Brainpool256r1 => (KeyType::Curve(Curve::BrainpoolP256r1), 32),
        EllipticCurve::Brainpool320r1 => (KeyType::Curve(Curve::BrainpoolP320r1), 40),
        EllipticCurve::Brainpool384r1 => (KeyType::Curve(Curve::BrainpoolP384r1), 48),
        EllipticCurve::Brainpool512r1 => (KeyType::Curve(Curve::BrainpoolP512r1), 64),
        _ => return None,
    })
}

/// ECDH whose peers come as a SubjectPublicKeyInfo: the curves that have no other sets.
#[test]
fn ecdh_of_other_curves() {
    use wycheproof::ecdh::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in [
            TestName::EcdhSecp224r1,
            TestName::EcdhSecp256k1,
            TestName::EcdhBrainpool224r1,
            TestName::EcdhBrainpool256r1,
            TestName::EcdhBrainpool320r1,
            TestName::EcdhBrainpool384r1,
            TestName::EcdhBrainpool512r1,
        ] {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let Some((key, order)) = curve(group.curve) else { continue };
                let mut keys = Keys::new();
                for test in &group.tests {
                    let number: Vec<u8> = test.private_key.iter().copied().skip_while(|octet| *octet == 0).collect();
                    let scalar = [vec![0; order - number.len()], number].concat();
                    let mut agree = || {
                        let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
                        let peer = SubjectPublicKeyInfo::from_der(&test.public_key).map_err(malformed)?;
                        let private = match keys.entry(scalar.clone()) {
                            Entry::Occupied(found) => found.into_mut(),
                            Entry::Vacant(place) => place.insert(loaded(backend, key, &scalar)?),
                        };
                        same(private.agree(&peer)?.expose(), &test.shared_secret)
                    };
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, agree());
                }
            }
        }
        count.hold(HELD, "ecdh_of_other_curves", backend);
    }
}

#[test]
fn ecdsa() {
    use wycheproof::ecdsa::{TestName, TestSet};
    for backend in verifiers() {
        let mut count = Count::default();
        // Bitcoin accepts the lower of two s alone (BIP 62), which is no rule of ECDSA.
        let other = ["P1363Verify", "EcdsaBitcoinVerify"];
        let of_x962 = |name: &TestName| !other.iter().any(|kind| name.json_data().contains(kind));
        for name in TestName::all().into_iter().filter(of_x962) {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let (Some(_), Some(digest)) = (curve(group.key.curve), digest(group.hash)) else { continue };
                let key = backend.public_key_from_der(&group.der);
                for test in &group.tests {
                    let done = verified(&key, Scheme::Ecdsa(digest), &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "ecdsa", backend);
    }
}

#[test]
fn eddsa() {
    use wycheproof::eddsa::{TestName, TestSet};
    for backend in verifiers() {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let scheme = match group.key.curve {
                    EdwardsCurve::Ed25519 => Scheme::Ed25519,
                    EdwardsCurve::Ed448 => Scheme::Ed448,
                };
                let key = backend.public_key_from_der(&group.der);
                for test in &group.tests {
                    let done = verified(&key, scheme, &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "eddsa", backend);
    }
}

#[test]
fn rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_verify::{TestName, TestSet};
    for backend in verifiers() {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let Some(digest) = digest(group.hash) else { continue };
                let key = backend.public_key_from_der(&group.der);
                for test in &group.tests {
                    let done = verified(&key, Scheme::RsaPkcs1(digest), &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "rsa_pkcs1", backend);
    }
}

#[test]
fn rsa_pss() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    for backend in verifiers() {
        let mut count = Count::default();
        for name in TestName::all() {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let mask = group.mgf_hash.and_then(digest);
                let (Some(digest), Some(mask), Mgf::Mgf1) = (digest(group.hash), mask, group.mgf) else { continue };
                let scheme = Scheme::RsaPss(PssParameters { digest, mask, salt_len: group.salt_size as u16 });
                let key = backend.public_key_from_der(&group.der);
                for test in &group.tests {
                    let done = verified(&key, scheme, &test.msg, &test.sig);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "rsa_pss", backend);
    }
}

/// PKCS #8 around a scalar or the octets of a key, with its public half if it is known.
fn private(key: KeyType, octets: &[u8], half: Option<&[u8]>) -> Vec<u8> {
    let (algorithm, curve) = key.identifiers();
    let parameters = curve.map(|curve| encode(&curve).unwrap()).unwrap_or_default();
    if curve.is_none() {
        return curve_private_key(algorithm, octets).map_or(Vec::new(), |der| der.to_vec());
    }
    let inside = encode(&EcPrivateKey {
        version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
        private_key: OctetStr::new(octets),
        parameters: None,
        public_key: half.map(BitStr::from_octets),
    });
    let algorithm = AlgorithmIdentifier { algorithm, parameters: Any::from_der(&parameters).ok() };
    private_key_info(&algorithm, &inside.unwrap(), &[], None).unwrap().to_vec()
}

/// The SubjectPublicKeyInfo of a peer.
fn public(key: KeyType, octets: &[u8]) -> Vec<u8> {
    let (algorithm, curve) = key.identifiers();
    let curve = curve.map(|curve| encode(&curve).unwrap()).unwrap_or_default();
    let algorithm = AlgorithmIdentifier { algorithm, parameters: Any::from_der(&curve).ok() };
    encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(octets) }).unwrap()
}

/// A private key of these octets. A backend that computes no public half gets it from another one.
fn loaded(backend: &dyn Backend, key: KeyType, octets: &[u8]) -> Result<Arc<dyn PrivateKey>, Error> {
    let alone = PrivateKeyInfo::from_pkcs8(&private(key, octets, None))?;
    let whole = match backend.private_key(&alone) {
        Err(error) if error.kind() == ErrorKind::NotOffered => {
            let Some(other) = all().into_iter().find_map(|other| other.private_key(&alone).ok()) else {
                return Err(error);
            };
            let info = SubjectPublicKeyInfo::from_der(other.public_key_info()).unwrap();
            private(key, octets, info.subject_public_key.octets())
        }
        done => return done,
    };
    backend.private_key_from_pkcs8(&whole)
}

type Keys = HashMap<Vec<u8>, Arc<dyn PrivateKey>>;

/// One agreement. Few keys have many tests, so that they are kept.
fn agreed(
    backend: &dyn Backend,
    (key, keys): (KeyType, &mut Keys),
    private: &[u8],
    public: &[u8],
    secret: &[u8],
) -> Result<(), Error> {
    let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
    let public = self::public(key, public);
    let public = SubjectPublicKeyInfo::from_der(&public).map_err(malformed)?;
    let private = match keys.entry(private.to_vec()) {
        Entry::Occupied(found) => found.into_mut(),
        Entry::Vacant(place) => place.insert(loaded(backend, key, private)?),
    };
    same(private.agree(&public)?.expose(), secret)
}

#[test]
fn ecdh() {
    use wycheproof::ecdh::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in [
            TestName::EcdhSecp224r1Ecpoint,
            TestName::EcdhSecp256r1Ecpoint,
            TestName::EcdhSecp384r1Ecpoint,
            TestName::EcdhSecp521r1Ecpoint,
        ] {
            let set = TestSet::load(name).unwrap();
            for group in &set.test_groups {
                let Some((key, order)) = curve(group.curve) else { continue };
                let mut keys = Keys::new();
                for test in &group.tests {
                    // A number, as Wycheproof writes it: with a zero in front, or short.
                    let number: Vec<u8> = test.private_key.iter().copied().skip_while(|octet| *octet == 0).collect();
                    let scalar = [vec![0; order - number.len()], number].concat();
                    let done = agreed(backend, (key, &mut keys), &scalar, &test.public_key, &test.shared_secret);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "ecdh", backend);
    }
}

#[test]
fn xdh() {
    use wycheproof::xdh::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for name in [TestName::X25519, TestName::X448] {
            for group in &TestSet::load(name).unwrap().test_groups {
                let key = match group.curve {
                    MontgomeryCurve::X25519 => KeyType::X25519,
                    MontgomeryCurve::X448 => KeyType::X448,
                };
                let mut keys = Keys::new();
                for test in &group.tests {
                    let (private, public) = (&test.private_key, &test.public_key);
                    let done = agreed(backend, (key, &mut keys), private, public, &test.shared_secret);
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "xdh", backend);
    }
}

#[test]
fn key_wrap() {
    use wycheproof::keywrap::{TestName, TestSet};
    for backend in all() {
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
                    same(plain.expose(), &test.pt)
                });
                count.judge("AES-KW", test.tc_id, &test.result, done);
            }
        }
        count.hold(HELD, "key_wrap", backend);
    }
}

#[test]
fn hkdf() {
    use wycheproof::hkdf::{TestName, TestSet};
    for backend in all() {
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
        count.hold(HELD, "hkdf", backend);
    }
}

#[test]
fn hmac() {
    use wycheproof::mac::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for (name, digest) in [
            (TestName::HmacSha1, Digest::Sha1),
            (TestName::HmacSha224, Digest::Sha224),
            (TestName::HmacSha256, Digest::Sha256),
            (TestName::HmacSha384, Digest::Sha384),
            (TestName::HmacSha512, Digest::Sha512),
            (TestName::HmacSha512_256, Digest::Sha512_256),
            (TestName::HmacSha3_256, Digest::Sha3_256),
            (TestName::HmacSha3_384, Digest::Sha3_384),
            (TestName::HmacSha3_512, Digest::Sha3_512),
        ] {
            for group in &TestSet::load(name).unwrap().test_groups {
                for test in &group.tests {
                    let done = backend.hmac(digest, &test.key).and_then(|mut mac| {
                        mac.update(&test.msg);
                        let tag = mac.finish()?;
                        same(&tag[..group.tag_size / 8], &test.tag)
                    });
                    count.judge(digest.name(), test.tc_id, &test.result, done);
                }
            }
        }
        count.hold(HELD, "hmac", backend);
    }
}

#[test]
fn ciphers() {
    for backend in all() {
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
        count.hold(HELD, "ciphers", backend);
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
        all()
            .into_iter()
            .map(|backend| {
                tagwise_crypto::verify(backend, &key, &algorithm, &test.msg, &test.sig).map_err(|error| error.kind())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(checked(Scheme::RsaPss(PssParameters::of(Digest::Sha256))), vec![Ok(()); all().len()]);
    let other = [Scheme::RsaPkcs1(Digest::Sha256), Scheme::RsaPss(PssParameters::of(Digest::Sha512))];
    for scheme in other {
        assert!(checked(scheme).iter().all(|result| *result == Err(ErrorKind::WrongKey)));
    }
}
