//! Wycheproof's sets of ML-DSA and ML-KEM against every backend, as `wycheproof.rs` does it with the others: contexts, seeds,
//! expanded keys. What signs and encapsulates is random here, so that vectors of those are checked by what undoes them.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod wycheproof_common;

use std::collections::HashMap;
use std::sync::Arc;

use tagwise_codec::{BitStr, encode};
use tagwise_crypto::backends::all;
use tagwise_crypto::{Backend, Error, KeyType, PostQuantumForm, PrivateKey, PublicKey, Scheme, Secret, Seeded};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use wycheproof_common::{Count, Held, same, verifiers};

/// Tests done and not offered, by set, of a backend that has such keys and of one that has not. Keys of a wrong length are refused
/// before a backend is asked.
const HELD: &[Held] = &[
    ("ml_dsa_verify", "with", 631, 0),
    ("ml_dsa_verify", "without", 12, 619),
    ("ml_dsa_sign", "with", 438, 0),
    ("ml_dsa_sign", "without", 15, 423),
    ("ml_kem", "with", 1725, 0),
    ("ml_kem", "without", 126, 1599),
];

/// Holds the counts, by what the backend says that it has: OpenSSL has these from 3.5 on.
fn hold(backend: &dyn Backend, sets: &str, keys: [KeyType; 3], count: &Count) {
    if backend.name() == "rust" {
        // It verifies what it can't generate.
        return count.hold_as(HELD, sets, "with", backend, true);
    }
    let offered = backend.generates(keys[0]);
    assert!(keys.into_iter().all(|key| backend.generates(key) == offered), "{} has some of {keys:?}", backend.name());
    assert!(offered || backend.name() != "aws-lc");
    count.hold_as(HELD, sets, if offered { "with" } else { "without" }, backend, true);
}

const ML_DSA: [KeyType; 3] = [KeyType::MlDsa44, KeyType::MlDsa65, KeyType::MlDsa87];
const ML_KEM: [KeyType; 3] = [KeyType::MlKem512, KeyType::MlKem768, KeyType::MlKem1024];

/// A public key of these octets.
fn public(backend: &dyn Backend, key: KeyType, octets: &[u8]) -> Result<Arc<dyn PublicKey>, Error> {
    let algorithm = AlgorithmIdentifier { algorithm: key.identifiers().0, parameters: None };
    let info = encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(octets) }).unwrap();
    backend.public_key_from_der(&info)
}

/// A private key of a seed or of what it expands to.
fn private(
    backend: &dyn Backend,
    key: KeyType,
    form: PostQuantumForm,
    octets: &[u8],
) -> Result<Arc<dyn PrivateKey>, Error> {
    let octets = Some(Secret::from(octets));
    let forms = match form {
        PostQuantumForm::Seed => Seeded { seed: octets, expanded: None },
        _ => Seeded { seed: None, expanded: octets },
    };
    backend.private_key_from_pkcs8(forms.to_pkcs8(key, form)?.expose())
}

fn octets(part: &Option<wycheproof::ByteString>) -> &[u8] {
    part.as_ref().map_or(&[], |part| part)
}

fn again(error: &Error) -> Error {
    Error::new(error.kind(), error)
}

#[test]
fn ml_dsa_verify() {
    use wycheproof::mldsa_verify::{TestName, TestSet};
    for backend in verifiers() {
        let mut count = Count::default();
        for (name, key, scheme) in [
            (TestName::MlDsa44Verify, KeyType::MlDsa44, Scheme::MlDsa44),
            (TestName::MlDsa65Verify, KeyType::MlDsa65, Scheme::MlDsa65),
            (TestName::MlDsa87Verify, KeyType::MlDsa87, Scheme::MlDsa87),
        ] {
            let mut contexts = 0;
            for group in &TestSet::load(name).unwrap().test_groups {
                let public = public(backend, key, &group.pubkey);
                for test in &group.tests {
                    let context = octets(&test.ctx);
                    contexts += usize::from(!context.is_empty());
                    let done = public.as_ref().map_err(again).and_then(|public| {
                        assert_eq!(backend.takes_contexts(&scheme), backend.verifies(&scheme, key));
                        public.verify_with_context(&scheme, context, &test.msg, &test.sig)
                    });
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
            assert!(contexts > 0, "{name:?} has no contexts");
        }
        hold(backend, "ml_dsa_verify", ML_DSA, &count);
    }
}

/// What is signed is other than the vector, for a random number goes in; the vector verifies too, by the key's public half.
#[test]
fn ml_dsa_sign() {
    use wycheproof::mldsa_sign::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        for (name, key, scheme) in [
            (TestName::MlDsa44SignNoSeed, KeyType::MlDsa44, Scheme::MlDsa44),
            (TestName::MlDsa44SignSeed, KeyType::MlDsa44, Scheme::MlDsa44),
            (TestName::MlDsa65SignNoSeed, KeyType::MlDsa65, Scheme::MlDsa65),
            (TestName::MlDsa65SignSeed, KeyType::MlDsa65, Scheme::MlDsa65),
            (TestName::MlDsa87SignNoSeed, KeyType::MlDsa87, Scheme::MlDsa87),
            (TestName::MlDsa87SignSeed, KeyType::MlDsa87, Scheme::MlDsa87),
        ] {
            for group in &TestSet::load(name).unwrap().test_groups {
                let private = match (&group.privseed, &group.privkey) {
                    (Some(seed), _) => private(backend, key, PostQuantumForm::Seed, seed),
                    (None, Some(octets)) => private(backend, key, PostQuantumForm::Expanded, octets),
                    (None, None) => panic!("{name:?} has no key"),
                };
                for test in &group.tests {
                    // Without a message there is what the message was made into, which is nobody's to sign here.
                    let Some(message) = &test.msg else { continue };
                    let context = octets(&test.ctx);
                    let done = private.as_ref().map_err(again).and_then(|private| {
                        let signature = private.sign_with_context(&scheme, context, message)?;
                        let public = backend.public_key_from_der(private.public_key_info())?;
                        public.verify_with_context(&scheme, context, message, &signature)?;
                        public.verify_with_context(&scheme, context, message, &test.sig)
                    });
                    count.judge(&format!("{name:?}"), test.tc_id, &test.result, done);
                }
            }
        }
        hold(backend, "ml_dsa_sign", ML_DSA, &count);
    }
}

/// Seeds to keys, ciphertexts to secrets, and encapsulation keys that are none.
#[test]
fn ml_kem() {
    use wycheproof::mlkem::{TestName, TestSet};
    for backend in all() {
        let mut count = Count::default();
        let mut read = HashMap::new();
        for name in TestName::all() {
            let text = format!("{name:?}");
            let key = match &text {
                text if text.starts_with("MlKem512") => KeyType::MlKem512,
                text if text.starts_with("MlKem768") => KeyType::MlKem768,
                _ => KeyType::MlKem1024,
            };
            for test in TestSet::load(name).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
                let done = match (&test.seed, &test.decaps_key, &test.encaps_key) {
                    (Some(seed), expanded, public) => {
                        private(backend, key, PostQuantumForm::Seed, seed).and_then(|private| {
                            let info = private.public_key_info();
                            same(&info[info.len() - octets(public).len()..], octets(public))?;
                            if let Some(expanded) = expanded {
                                let pkcs8 = private.to_pkcs8_as(PostQuantumForm::Expanded)?;
                                same(&pkcs8.expose()[pkcs8.len() - expanded.len()..], expanded)?;
                            }
                            match (&test.ct, &test.shared_secret) {
                                (Some(ciphertext), Some(secret)) => {
                                    same(private.decapsulate(ciphertext)?.expose(), secret)
                                }
                                (Some(ciphertext), None) => private.decapsulate(ciphertext).map(|_| ()),
                                _ => Ok(()),
                            }
                        })
                    }
                    (None, Some(expanded), _) => {
                        private(backend, key, PostQuantumForm::Expanded, expanded).and_then(|private| {
                            let ciphertext = octets(&test.ct);
                            let secret = private.decapsulate(ciphertext)?;
                            same(secret.expose(), test.shared_secret.as_ref().map_or(secret.expose(), |secret| secret))
                        })
                    }
                    (None, None, Some(octets)) => {
                        public(backend, key, octets).and_then(|public| public.encapsulate().map(|_| ()))
                    }
                    (None, None, None) => panic!("{text} {} has nothing", test.tc_id),
                };
                *read.entry(text.clone()).or_insert(0) += 1;
                count.judge(&text, test.tc_id, &test.result, done);
            }
        }
        assert_eq!(read.len(), 12);
        hold(backend, "ml_kem", ML_KEM, &count);
    }
}
