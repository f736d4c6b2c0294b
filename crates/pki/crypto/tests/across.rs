//! Every backend against every other: what one signs the others verify, what one writes the others read, and both sides of an
//! agreement may be another's. What only one offers is left to its own tests; how many pairs were tried is held.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, CompositeMlDsa, CompositeMlKem, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, Scheme,
    SlhDsa, table,
};
use tagwise_crypto::{Digest, KeyTransport, OaepParameters, PssParameters};
use tagwise_pkix::SubjectPublicKeyInfo;

/// Kinds whose keys are made and used within a moment, one at least of each family.
fn kinds() -> impl Iterator<Item = KeyType> {
    KeyType::ALL.iter().copied().filter(|key| match key {
        KeyType::Rsa(bits) => *bits < 3072,
        KeyType::SlhDsa(set) => *set == SlhDsa::Sha2_128f,
        KeyType::CompositeMlDsa(set) => matches!(
            set,
            CompositeMlDsa::MlDsa44EcdsaP256Sha256
                | CompositeMlDsa::MlDsa65Ed25519Sha512
                | CompositeMlDsa::MlDsa87Ed448Shake256
        ),
        KeyType::CompositeMlKem(set) => matches!(
            set,
            CompositeMlKem::MlKem768Rsa2048 | CompositeMlKem::MlKem768X25519 | CompositeMlKem::MlKem1024X448
        ),
        _ => true,
    })
}

fn schemes() -> Vec<Scheme> {
    let one = [Digest::Sha256, Digest::Sha384, Digest::Sha512].map(PssParameters::of);
    let odd = PssParameters { digest: Digest::Sha256, mask: Digest::Sha256, salt_len: 20 };
    let two = PssParameters { digest: Digest::Sha384, mask: Digest::Sha256, salt_len: 48 };
    let pss = one.into_iter().chain([odd, two]).map(Scheme::RsaPss);
    table::SIGNATURES.iter().filter_map(|row| row.scheme).chain(pss).collect()
}

fn pairs() -> impl Iterator<Item = (&'static dyn Backend, &'static dyn Backend)> {
    all().into_iter().flat_map(|one| all().into_iter().map(move |other| (one, other)))
}

/// Encrypt to an RSA key with each, decrypt with every other.
#[test]
fn messages_decrypt_with_other_backends() {
    let mut tried = 0;
    for (one, other) in pairs() {
        let private = other.generate(KeyType::Rsa(2048)).unwrap();
        let public = one.public_key_from_der(private.public_key_info()).unwrap();
        let digests = [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512];
        let oaep = digests.into_iter().flat_map(|digest| digests.map(|mask| OaepParameters { digest, mask }));
        for transport in oaep.map(KeyTransport::Oaep).chain([KeyTransport::Pkcs1]) {
            assert!(one.transports(transport) && other.transports(transport), "{transport}");
            let what = format!("{transport}: {} to {}", one.name(), other.name());
            let mut sent =
                public.encrypt(transport, b"a key of some octets").unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(private.decrypt(transport, &sent).unwrap().expose(), b"a key of some octets", "{what}");
            assert_eq!(public.encrypt(transport, &[1; 256]).unwrap_err().kind(), ErrorKind::Length, "{what}");
            sent[100] ^= 1;
            let damaged = private.decrypt(transport, &sent);
            // Since 3.2, and where it was patched in, OpenSSL gives something random in place of an error for v1.5.
            assert!(damaged.is_err() || transport == KeyTransport::Pkcs1, "{what}");
            assert!(
                damaged.is_err() || damaged.is_ok_and(|octets| octets.expose() != b"a key of some octets"),
                "{what}"
            );
            tried += 1;
        }
        let curve = other.generate(KeyType::P256).unwrap();
        assert!(curve.decrypt(KeyTransport::Pkcs1, &[1; 256]).is_err());
    }
    assert_eq!(tried, 17 * all().len() * all().len());
}

/// Sign with each, verify with every other: all schemes that both have.
#[test]
fn signatures_verify_with_other_backends() {
    let message: Vec<u8> = (0..3000_u32).map(|at| at as u8).collect();
    for (one, other) in pairs() {
        let mut tried = 0;
        for kind in kinds().filter(|kind| one.generates(*kind)) {
            // It takes seconds to sign with, and one backend with itself is tried with the keys.
            if matches!(kind, KeyType::SlhDsa(_)) && one.name() == other.name() {
                continue;
            }
            let key = one.generate(kind).unwrap();
            let public = match other.public_key_from_der(key.public_key_info()) {
                Ok(public) => public,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::NotOffered, "{} {kind}: {error}", other.name());
                    assert!(!schemes().iter().any(|scheme| other.verifies(scheme, kind)), "{kind}");
                    continue;
                }
            };
            for scheme in schemes().iter().filter(|scheme| one.signs(scheme, kind) && other.verifies(scheme, kind)) {
                let what = format!("{scheme} by {}, {}", one.name(), other.name());
                for len in [0, 1, 700, 3000] {
                    let signature = key.sign(scheme, &message[..len]).unwrap();
                    public
                        .verify(scheme, &message[..len], &signature)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    let error = public.verify(scheme, b"?", &signature).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Signature, "{what}");
                }
                tried += 1;
            }
        }
        println!("{} signs, {} verifies: {tried} schemes", one.name(), other.name());
        assert!(tried >= 6, "{} {}: {tried}", one.name(), other.name());
    }
}

/// One key in all its forms.
fn forms(key: &Arc<dyn PrivateKey>) -> Vec<PrivateKeyInfo> {
    let pkcs8 = key.to_pkcs8().unwrap();
    let read = || PrivateKeyInfo::from_pkcs8(pkcs8.expose()).unwrap();
    let mut all = vec![read()];
    match key.key_type() {
        KeyType::Rsa(_) => all.push(PrivateKeyInfo::from_pkcs1(read().to_pkcs1().unwrap().expose()).unwrap()),
        KeyType::P256 | KeyType::P384 | KeyType::P521 => {
            all.push(PrivateKeyInfo::from_sec1(read().to_sec1().unwrap().expose()).unwrap());
        }
        KeyType::MlDsa44 | KeyType::MlDsa65 | KeyType::MlDsa87 => {
            for form in [PostQuantumForm::Seed, PostQuantumForm::Expanded, PostQuantumForm::Both] {
                all.push(PrivateKeyInfo::from_pkcs8(key.to_pkcs8_as(form).unwrap().expose()).unwrap());
            }
        }
        _ => {}
    }
    all
}

/// PKCS #8, PKCS #1, SEC 1 and the forms of post-quantum keys; the SubjectPublicKeyInfo is the same to the octet.
#[test]
fn keys_are_read_by_other_backends() {
    for (one, other) in pairs() {
        for kind in kinds().filter(|kind| one.generates(*kind) && other.generates(*kind)) {
            let key = one.generate(kind).unwrap();
            for info in forms(&key) {
                let again =
                    other.private_key(&info).unwrap_or_else(|error| panic!("{kind} of {}: {error}", one.name()));
                assert_eq!(again.public_key_info(), key.public_key_info(), "{kind} {} {}", one.name(), other.name());
                assert_eq!(again.to_pkcs8().unwrap().expose(), info.pkcs8().expose());
                let Some(scheme) = Scheme::preferred(kind) else { continue };
                let signature = again.sign(&scheme, b"message").unwrap();
                let public = one.public_key_from_der(key.public_key_info()).unwrap();
                public.verify(&scheme, b"message", &signature).unwrap();
            }
        }
    }
}

#[test]
fn one_agrees_with_another() {
    for (one, other) in pairs() {
        for kind in [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::X25519, KeyType::X448] {
            if !(one.generates(kind) && other.generates(kind)) {
                continue;
            }
            let (alice, bob) = (one.generate(kind).unwrap(), other.generate(kind).unwrap());
            let of_alice = SubjectPublicKeyInfo::from_der(alice.public_key_info()).unwrap();
            let of_bob = SubjectPublicKeyInfo::from_der(bob.public_key_info()).unwrap();
            let (from_alice, from_bob) = (alice.agree(&of_bob).unwrap(), bob.agree(&of_alice).unwrap());
            assert_eq!(from_alice.expose(), from_bob.expose(), "{kind} {} {}", one.name(), other.name());
        }
    }
}

/// One key, many threads: what is parsed once is shared.
#[test]
fn keys_are_shared_between_threads() {
    for backend in all() {
        for kind in [KeyType::P256, KeyType::Rsa(2048)] {
            let key = backend.generate(kind).unwrap();
            let public = backend.public_key_from_der(key.public_key_info()).unwrap();
            let scheme = Scheme::preferred(kind).unwrap();
            std::thread::scope(|threads| {
                for thread in 0..4_u8 {
                    let (key, public) = (&key, &public);
                    threads.spawn(move || {
                        for number in 0..25_u8 {
                            let message = [thread, number];
                            let signature = key.sign(&scheme, &message).unwrap();
                            public.verify(&scheme, &message, &signature).unwrap();
                        }
                    });
                }
            });
        }
    }
}
