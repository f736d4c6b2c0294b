//! Keys of every kind that the embedded backend has: made, written, read, signing, agreeing, encapsulating.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{
    Backend, Digest, ErrorKind, KeySigner, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PssParameters, Scheme,
    Signer, table,
};
use tagwise_pkix::SubjectPublicKeyInfo;

const BACKEND: AwsLc = AwsLc::new();

fn kinds() -> impl Iterator<Item = KeyType> {
    // Large RSA keys take a second each to make.
    KeyType::ALL.into_iter().filter(|key| !matches!(key, KeyType::Rsa(3072..)))
}

fn generated(key: KeyType) -> Arc<dyn PrivateKey> {
    BACKEND.generate(key).unwrap()
}

fn schemes() -> Vec<Scheme> {
    let pss = [Digest::Sha256, Digest::Sha384, Digest::Sha512].map(|digest| Scheme::RsaPss(PssParameters::of(digest)));
    table::SIGNATURES.iter().filter_map(|row| row.scheme).chain(pss).collect()
}

#[test]
fn keys_come_back_from_what_they_are_written_as() {
    for kind in kinds().filter(|kind| BACKEND.generates(*kind)) {
        let key = generated(kind);
        assert_eq!(key.key_type(), kind);
        let written = key.to_pkcs8().unwrap();
        let again = BACKEND.private_key_from_pkcs8(written.expose()).unwrap();
        assert_eq!(again.public_key_info(), key.public_key_info(), "{kind}");
        let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
        assert_eq!(KeyType::of(&info).unwrap(), kind);
        assert_eq!(BACKEND.public_key(&info).unwrap().key_type(), kind);
        let shown = format!("{key:?} {written:?}");
        assert!(shown.contains("aws-lc") && shown.len() < 200, "{shown}");
    }
}

/// What is said to be offered is, and what is said not to be says so.
#[test]
fn signatures_are_as_offered() {
    let message = b"a message";
    for kind in kinds().filter(|kind| BACKEND.generates(*kind)) {
        let key = generated(kind);
        let public = BACKEND.public_key_from_der(key.public_key_info()).unwrap();
        for scheme in schemes() {
            let fits = scheme.fits(kind);
            let signed = key.sign(&scheme, message);
            if !BACKEND.signs(&scheme, kind) {
                let expected = if fits { ErrorKind::NotOffered } else { ErrorKind::WrongKey };
                assert_eq!(signed.unwrap_err().kind(), expected, "{kind} {scheme}");
            } else {
                let signature = signed.unwrap();
                assert!(BACKEND.verifies(&scheme, kind), "{kind} {scheme}");
                public.verify(&scheme, message, &signature).unwrap();
                let wrong = public.verify(&scheme, b"another message", &signature).unwrap_err();
                assert_eq!(wrong.kind(), ErrorKind::Signature);
                let mut damaged = signature.clone();
                damaged[signature.len() / 2] ^= 1;
                assert_eq!(public.verify(&scheme, message, &damaged).unwrap_err().kind(), ErrorKind::Signature);
                assert_eq!(public.verify(&scheme, message, &[]).unwrap_err().kind(), ErrorKind::Signature);
            }
            if !BACKEND.verifies(&scheme, kind) {
                let expected = if fits { ErrorKind::NotOffered } else { ErrorKind::WrongKey };
                assert_eq!(public.verify(&scheme, message, &[0; 64]).unwrap_err().kind(), expected);
            }
        }
    }
}

#[test]
fn nothing_is_signed_with_sha_1() {
    let key = generated(KeyType::P256);
    let error = KeySigner::new(key.clone(), Scheme::Ecdsa(Digest::Sha1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Legacy);
    assert_eq!(error.to_string(), "ECDSA-SHA1 is for old data only, and was not asked for");
    assert_eq!(KeySigner::new(key.clone(), Scheme::Ed25519).unwrap_err().kind(), ErrorKind::WrongKey);
    assert_eq!(KeySigner::preferred(key).unwrap().scheme(), &Scheme::Ecdsa(Digest::Sha256));
    assert_eq!(KeySigner::preferred(generated(KeyType::X25519)).unwrap_err().kind(), ErrorKind::WrongKey);
}

#[test]
fn two_sides_agree() {
    for kind in [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::X25519] {
        let (alice, bob) = (generated(kind), generated(kind));
        let public = |key: &Arc<dyn PrivateKey>| key.public_key_info().to_vec();
        let (of_alice, of_bob) = (public(&alice), public(&bob));
        let shared = alice.agree(&SubjectPublicKeyInfo::from_der(&of_bob).unwrap()).unwrap();
        assert_eq!(shared.expose(), bob.agree(&SubjectPublicKeyInfo::from_der(&of_alice).unwrap()).unwrap().expose());
        assert_ne!(shared.expose(), [0; 32]);
        let other = generated(if kind == KeyType::P256 { KeyType::P384 } else { KeyType::P256 });
        let other = public(&other);
        let error = alice.agree(&SubjectPublicKeyInfo::from_der(&other).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongKey);
    }
}

#[test]
fn what_is_encapsulated_is_decapsulated() {
    for kind in [KeyType::MlKem512, KeyType::MlKem768, KeyType::MlKem1024] {
        let key = generated(kind);
        let public = BACKEND.public_key_from_der(key.public_key_info()).unwrap();
        let (ciphertext, secret) = public.encapsulate().unwrap();
        assert_eq!(key.decapsulate(&ciphertext).unwrap().expose(), secret.expose());
        assert_eq!(secret.len(), 32);
        let short = &ciphertext[..ciphertext.len() - 1];
        assert_eq!(key.decapsulate(short).unwrap_err().kind(), ErrorKind::Length);
    }
}

#[test]
fn post_quantum_keys_have_forms() {
    let key = generated(KeyType::MlDsa65);
    let lengths = [(PostQuantumForm::Seed, 54), (PostQuantumForm::Expanded, 4060), (PostQuantumForm::Both, 4098)];
    for (form, len) in lengths {
        let written = key.to_pkcs8_as(form).unwrap();
        assert_eq!(written.len(), len, "{form:?}");
        let info = PrivateKeyInfo::from_pkcs8(written.expose()).unwrap();
        assert_eq!(info.post_quantum().unwrap().form(), form);
        let again = BACKEND.private_key(&info).unwrap();
        assert_eq!(again.public_key_info(), key.public_key_info());
    }
    // A seed cannot be found again.
    let expanded = key.to_pkcs8_as(PostQuantumForm::Expanded).unwrap();
    let expanded = BACKEND.private_key_from_pkcs8(expanded.expose()).unwrap();
    assert_eq!(expanded.to_pkcs8_as(PostQuantumForm::Seed).unwrap_err().kind(), ErrorKind::MalformedKey);
    assert_eq!(generated(KeyType::P256).to_pkcs8_as(PostQuantumForm::Seed).unwrap_err().kind(), ErrorKind::WrongKey);
}

/// RFC 9881 §8.2: a seed and an expanded key that do not belong together.
#[test]
fn forms_that_disagree_are_refused() {
    let (one, other) = (generated(KeyType::MlDsa44), generated(KeyType::MlDsa44));
    let mut both = one.to_pkcs8_as(PostQuantumForm::Both).unwrap();
    let other = other.to_pkcs8_as(PostQuantumForm::Both).unwrap();
    let half = both.len() - 2560;
    both.expose_mut()[half..].copy_from_slice(&other.expose()[half..]);
    assert_eq!(BACKEND.private_key_from_pkcs8(both.expose()).unwrap_err().kind(), ErrorKind::Inconsistent);
}

#[test]
fn errors_say_what_and_who() {
    let error = BACKEND.generate(KeyType::Ed448).unwrap_err();
    assert_eq!(error.to_string(), "ed448 is not offered by aws-lc");
    assert_eq!((error.kind(), error.algorithm(), error.backend()), (ErrorKind::NotOffered, "ed448", Some("aws-lc")));
    assert_eq!(BACKEND.generate(KeyType::Rsa(1024)).unwrap_err().kind(), ErrorKind::NotOffered);
    assert_eq!(PrivateKeyInfo::from_pkcs8(&[0x30, 0]).unwrap_err().kind(), ErrorKind::MalformedKey);
    assert_eq!(BACKEND.public_key_from_der(&[]).unwrap_err().kind(), ErrorKind::MalformedKey);
}
