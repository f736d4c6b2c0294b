//! Keys of every kind that a backend has: made, written, read, signing, agreeing, encapsulating; for every backend that is built in.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, CompositeMlDsa, CompositeMlKem, Digest, ErrorKind, KeySigner, KeyType, PostQuantumForm, PrivateKey,
    PrivateKeyInfo, PssParameters, Scheme, Signer, SlhDsa, table,
};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::pkcs1::RsaPrivateKey;

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

/// A fresh key of each kind that is asked for and that the backend makes.
fn generated(backend: &dyn Backend, wanted: &[KeyType]) -> Vec<Arc<dyn PrivateKey>> {
    let offered = wanted.iter().filter(|key| backend.generates(**key));
    offered.map(|key| backend.generate(*key).unwrap()).collect()
}

fn schemes() -> Vec<Scheme> {
    let pss = [Digest::Sha256, Digest::Sha384, Digest::Sha512].map(|digest| Scheme::RsaPss(PssParameters::of(digest)));
    table::SIGNATURES.iter().filter_map(|row| row.scheme).chain(pss).collect()
}

/// A backend that is not there is tested by nothing: under `CI=true` they all are.
#[test]
fn all_backends_are_there() {
    let names: Vec<&str> = all().iter().map(|backend| backend.name()).collect();
    let wanted = [
        #[cfg(feature = "aws-lc")]
        "aws-lc",
        #[cfg(feature = "openssl")]
        "openssl",
        #[cfg(feature = "nss")]
        "nss",
    ];
    if names != wanted {
        tagwise_testing::skip(&format!("of the backends {wanted:?} only {names:?} are there"));
    }
    for name in wanted {
        match tagwise_crypto::backends::named(name) {
            Ok(backend) => assert_eq!(backend.name(), name),
            Err(error) => assert!(!names.contains(&name) && error.kind() == ErrorKind::NotOffered, "{error}"),
        }
    }
    assert_eq!(tagwise_crypto::backends::named("none").unwrap_err().kind(), ErrorKind::NotOffered);
}

/// What each backend makes keys of. What is not in its list, it refuses by saying so.
#[test]
fn kinds_are_those_that_are_held() {
    for backend in all() {
        let (made, refused): (Vec<_>, Vec<_>) = kinds().partition(|kind| backend.generates(*kind));
        // New keys below 112 bits of strength are made by none (SP 800-131A rev. 2 §3).
        assert!(made.iter().all(|kind| !kind.is_legacy()), "{}", backend.name());
        let missing: Vec<String> = refused.iter().filter(|kind| !kind.is_legacy()).map(ToString::to_string).collect();
        let missing = missing.join(" ");
        // OpenSSL has them from 3.5 on, all of them, and then composite keys too.
        let since = "ml-dsa-44 ml-dsa-65 ml-dsa-87 ml-kem-512 ml-kem-768 ml-kem-1024 slh-dsa-sha2-128f \
                     mldsa44-ecdsa-p256-sha256 mldsa65-ed25519-sha512 mldsa87-ed448-shake256 \
                     mlkem768-rsa2048-sha3-256 mlkem768-x25519-sha3-256 mlkem1024-x448-sha3-256";
        match backend.name() {
            "aws-lc" => assert_eq!(missing, ""),
            "openssl" if made.contains(&KeyType::Ed448) => assert!(missing.is_empty() || missing == since, "{missing}"),
            // By configuration.
            _ => assert!(made.contains(&KeyType::Rsa(2048)) && made.contains(&KeyType::P256), "{missing}"),
        }
        for kind in refused.into_iter().chain([KeyType::Rsa(1024)]) {
            assert_eq!(backend.generate(kind).unwrap_err().kind(), ErrorKind::NotOffered, "{kind}");
        }
    }
}

#[test]
fn keys_come_back_from_what_they_are_written_as() {
    for backend in all() {
        for kind in kinds().filter(|kind| backend.generates(*kind)) {
            let key = backend.generate(kind).unwrap();
            assert_eq!(key.key_type(), kind);
            let written = key.to_pkcs8().unwrap();
            let again = backend.private_key_from_pkcs8(written.expose()).unwrap();
            assert_eq!(again.public_key_info(), key.public_key_info(), "{kind}");
            assert_eq!(again.to_pkcs8().unwrap().expose(), written.expose());
            let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
            assert_eq!(KeyType::of(&info).unwrap(), kind);
            assert_eq!(backend.public_key(&info).unwrap().key_type(), kind);
            let shown = format!("{key:?} {written:?}");
            assert!(shown.contains("backend") && shown.len() < 200, "{shown}");
        }
    }
}

/// What is said to be offered is, and what is said not to be says so.
#[test]
fn signatures_are_as_offered() {
    let message = b"a message";
    for backend in all() {
        for key in generated(backend, &kinds().collect::<Vec<_>>()) {
            let kind = key.key_type();
            let public = backend.public_key_from_der(key.public_key_info()).unwrap();
            for scheme in schemes() {
                let fits = scheme.fits(kind);
                let missing = if fits { ErrorKind::NotOffered } else { ErrorKind::WrongKey };
                let signed = key.sign(&scheme, message);
                if !backend.signs(&scheme, kind) {
                    assert_eq!(signed.unwrap_err().kind(), missing, "{kind} {scheme}");
                } else {
                    let signature = signed.unwrap();
                    assert!(backend.verifies(&scheme, kind), "{kind} {scheme}");
                    public.verify(&scheme, message, &signature).unwrap();
                    let wrong = public.verify(&scheme, b"another message", &signature).unwrap_err();
                    assert_eq!(wrong.kind(), ErrorKind::Signature);
                    let mut damaged = signature.clone();
                    damaged[signature.len() / 2] ^= 1;
                    assert_eq!(public.verify(&scheme, message, &damaged).unwrap_err().kind(), ErrorKind::Signature);
                    assert_eq!(public.verify(&scheme, message, &[]).unwrap_err().kind(), ErrorKind::Signature);
                }
                if !backend.verifies(&scheme, kind) {
                    assert_eq!(public.verify(&scheme, message, &[0; 64]).unwrap_err().kind(), missing);
                }
            }
        }
    }
}

#[test]
fn nothing_is_signed_with_sha_1() {
    for backend in all() {
        let key = backend.generate(KeyType::P256).unwrap();
        let error = KeySigner::new(key.clone(), Scheme::Ecdsa(Digest::Sha1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Legacy);
        assert_eq!(error.to_string(), "ECDSA-SHA1 is disabled: it is only for legacy data");
        assert!(!backend.signs(&Scheme::Ecdsa(Digest::Sha1), KeyType::P256));
        assert_eq!(KeySigner::new(key.clone(), Scheme::Ed25519).unwrap_err().kind(), ErrorKind::WrongKey);
        assert_eq!(KeySigner::preferred(key).unwrap().scheme(), &Scheme::Ecdsa(Digest::Sha256));
        for key in generated(backend, &[KeyType::X25519]) {
            assert_eq!(KeySigner::preferred(key).unwrap_err().kind(), ErrorKind::WrongKey);
        }
    }
}

#[test]
fn two_sides_agree() {
    let public = |key: &Arc<dyn PrivateKey>| key.public_key_info().to_vec();
    for backend in all() {
        let other = backend.generate(KeyType::Rsa(2048)).unwrap();
        for kind in [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::X25519, KeyType::X448] {
            let (Some(alice), Some(bob)) = (generated(backend, &[kind]).pop(), generated(backend, &[kind]).pop())
            else {
                continue;
            };
            let (of_alice, of_bob) = (public(&alice), public(&bob));
            let shared = alice.agree(&SubjectPublicKeyInfo::from_der(&of_bob).unwrap()).unwrap();
            let again = bob.agree(&SubjectPublicKeyInfo::from_der(&of_alice).unwrap()).unwrap();
            assert_eq!(shared.expose(), again.expose());
            assert!(shared.expose().iter().any(|octet| *octet != 0));
            let wrong = public(&other);
            let error = alice.agree(&SubjectPublicKeyInfo::from_der(&wrong).unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongKey);
            let error = other.agree(&SubjectPublicKeyInfo::from_der(&of_bob).unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongKey);
        }
    }
}

#[test]
fn decapsulation_reverses_encapsulation() {
    for backend in all() {
        for key in generated(backend, &[KeyType::MlKem512, KeyType::MlKem768, KeyType::MlKem1024]) {
            let public = backend.public_key_from_der(key.public_key_info()).unwrap();
            let (ciphertext, secret) = public.encapsulate().unwrap();
            assert_eq!(key.decapsulate(&ciphertext).unwrap().expose(), secret.expose());
            assert_eq!(secret.len(), 32);
            let short = &ciphertext[..ciphertext.len() - 1];
            assert_eq!(key.decapsulate(short).unwrap_err().kind(), ErrorKind::Length);
        }
        let key = backend.generate(KeyType::P256).unwrap();
        assert_eq!(key.decapsulate(&[0; 768]).unwrap_err().kind(), ErrorKind::WrongKey);
        let public = backend.public_key_from_der(key.public_key_info()).unwrap();
        assert_eq!(public.encapsulate().unwrap_err().kind(), ErrorKind::WrongKey);
    }
}

#[test]
fn post_quantum_keys_have_forms() {
    for backend in all() {
        let ec = backend.generate(KeyType::P256).unwrap();
        assert_eq!(ec.to_pkcs8_as(PostQuantumForm::Seed).unwrap_err().kind(), ErrorKind::WrongKey);
        for key in generated(backend, &[KeyType::MlDsa65]) {
            let lengths =
                [(PostQuantumForm::Seed, 54), (PostQuantumForm::Expanded, 4060), (PostQuantumForm::Both, 4098)];
            for (form, len) in lengths {
                let written = key.to_pkcs8_as(form).unwrap();
                assert_eq!(written.len(), len, "{form:?}");
                let info = PrivateKeyInfo::from_pkcs8(written.expose()).unwrap();
                assert_eq!(info.post_quantum().unwrap().form(), form);
                let again = backend.private_key(&info).unwrap();
                assert_eq!(again.public_key_info(), key.public_key_info());
            }
            // A seed cannot be found again.
            let expanded = key.to_pkcs8_as(PostQuantumForm::Expanded).unwrap();
            let expanded = backend.private_key_from_pkcs8(expanded.expose()).unwrap();
            assert_eq!(expanded.to_pkcs8_as(PostQuantumForm::Seed).unwrap_err().kind(), ErrorKind::MalformedKey);
        }
    }
}

/// FIPS 204 §5.2: a context is signed along, and has up to 255 octets.
#[test]
fn contexts_are_signed_along() {
    let message = b"a message";
    for backend in all() {
        for key in generated(backend, &kinds().filter(|kind| kind.signs()).collect::<Vec<_>>()) {
            let scheme = Scheme::preferred(key.key_type()).unwrap();
            let what = format!("{scheme} {}", backend.name());
            let public = backend.public_key_from_der(key.public_key_info()).unwrap();
            let signed = key.sign_with_context(&scheme, &[], message).unwrap();
            public.verify(&scheme, message, &signed).unwrap();
            public.verify_with_context(&scheme, &[], message, &signed).unwrap();
            if !scheme.takes_context() {
                let wrong = ErrorKind::Parameters;
                assert_eq!(key.sign_with_context(&scheme, b"?", message).unwrap_err().kind(), wrong, "{what}");
                let error = public.verify_with_context(&scheme, b"?", message, &signed).unwrap_err();
                assert_eq!(error.kind(), wrong, "{what}");
                assert!(!backend.takes_contexts(&scheme), "{what}");
                continue;
            }
            assert!(backend.takes_contexts(&scheme), "{what}");
            for context in [&[0][..], b"context", &[7; 255]] {
                let signature = key.sign_with_context(&scheme, context, message).unwrap();
                public.verify_with_context(&scheme, context, message, &signature).unwrap();
                let kind = |context: &[u8], message: &[u8], signature: &[u8]| {
                    public.verify_with_context(&scheme, context, message, signature).unwrap_err().kind()
                };
                assert_eq!(kind(b"another", message, &signature), ErrorKind::Signature, "{what}");
                assert_eq!(kind(&[], message, &signature), ErrorKind::Signature, "{what}");
                assert_eq!(kind(context, b"another", &signature), ErrorKind::Signature, "{what}");
                assert_eq!(kind(context, message, &signed), ErrorKind::Signature, "{what}");
                assert_eq!(kind(context, message, &[]), ErrorKind::Signature, "{what}");
            }
            let long = key.sign_with_context(&scheme, &[7; 256], message).unwrap_err();
            assert_eq!(long.kind(), ErrorKind::Length, "{what}");
            let long = public.verify_with_context(&scheme, &[7; 256], message, &signed).unwrap_err();
            assert_eq!(long.kind(), ErrorKind::Length, "{what}");
            let signer = KeySigner::preferred(key).unwrap().with_context(b"context").unwrap();
            let signature = signer.sign(message).unwrap();
            assert_eq!(signer.context(), b"context");
            public.verify_with_context(&scheme, b"context", message, &signature).unwrap();
        }
        let key = backend.generate(KeyType::P256).unwrap();
        assert_eq!(KeySigner::preferred(key).unwrap().with_context(b"?").unwrap_err().kind(), ErrorKind::Parameters);
    }
}

/// RFC 9881 §8.2, RFC 9935 §8: a seed and an expanded key that do not belong together.
#[test]
fn forms_that_disagree_are_refused() {
    for (backend, (kind, len)) in all()
        .into_iter()
        .flat_map(|backend| [(KeyType::MlDsa44, 2560), (KeyType::MlKem768, 2400)].map(|row| (backend, row)))
    {
        let pair = generated(backend, &[kind, kind]);
        let [one, other] = &pair[..] else { continue };
        let mut both = one.to_pkcs8_as(PostQuantumForm::Both).unwrap();
        assert_eq!(backend.private_key_from_pkcs8(both.expose()).unwrap().public_key_info(), one.public_key_info());
        let other = other.to_pkcs8_as(PostQuantumForm::Both).unwrap();
        let half = both.len() - len;
        both.expose_mut()[half..].copy_from_slice(&other.expose()[half..]);
        assert_eq!(
            backend.private_key_from_pkcs8(both.expose()).unwrap_err().kind(),
            ErrorKind::Inconsistent,
            "{kind}"
        );
    }
}

/// A number of an RSA key, a scalar or a public half that is another's: every backend notices, whichever it is.
#[test]
fn numbers_that_do_not_belong_together_are_refused() {
    for backend in all() {
        let key = backend.generate(KeyType::Rsa(2048)).unwrap();
        let pkcs8 = key.to_pkcs8().unwrap();
        let pkcs1 = PrivateKeyInfo::from_pkcs8(pkcs8.expose()).unwrap().to_pkcs1().unwrap();
        let numbers = RsaPrivateKey::from_der(pkcs1.expose()).unwrap();
        let all_numbers = [
            numbers.modulus,
            numbers.prime1,
            numbers.prime2,
            numbers.exponent1,
            numbers.exponent2,
            numbers.coefficient,
        ];
        for (index, number) in all_numbers.iter().enumerate() {
            let at = number.magnitude().as_ptr() as usize - pkcs1.expose().as_ptr() as usize;
            let mut damaged = pkcs1.clone();
            // Not the first octet, which could leave the encoding, and not the last, which could leave an even modulus.
            damaged.expose_mut()[at + 7] ^= 1;
            let info = PrivateKeyInfo::from_pkcs1(damaged.expose()).unwrap();
            let error = backend.private_key(&info).unwrap_err();
            let told = matches!(error.kind(), ErrorKind::Inconsistent | ErrorKind::MalformedKey);
            assert!(told, "{} {index}: {error}", backend.name());
        }
        let (one, other) = (backend.generate(KeyType::P256).unwrap(), backend.generate(KeyType::P256).unwrap());
        let sec1 = |key: &Arc<dyn PrivateKey>| {
            PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap().to_sec1().unwrap()
        };
        let (mut one, other) = (sec1(&one), sec1(&other));
        assert_eq!(one.len(), other.len());
        let half = one.len() - 65;
        one.expose_mut()[half..].copy_from_slice(&other.expose()[half..]);
        let info = PrivateKeyInfo::from_sec1(one.expose()).unwrap();
        assert_eq!(backend.private_key(&info).unwrap_err().kind(), ErrorKind::Inconsistent, "{}", backend.name());
    }
}

#[test]
fn errors_say_what_and_who() {
    for backend in all() {
        let error = backend.generate(KeyType::Rsa(1024)).unwrap_err();
        assert_eq!((error.kind(), error.algorithm()), (ErrorKind::NotOffered, "rsa1024"));
        // The library's own name has its number in it.
        let who = error.backend().unwrap();
        assert!(who == backend.name() || who == backend.version(), "{who}");
        assert_eq!(error.to_string(), format!("rsa1024 is not offered by {who}"));
        assert_eq!(backend.public_key_from_der(&[]).unwrap_err().kind(), ErrorKind::MalformedKey);
    }
    assert_eq!(PrivateKeyInfo::from_pkcs8(&[0x30, 0]).unwrap_err().kind(), ErrorKind::MalformedKey);
}
