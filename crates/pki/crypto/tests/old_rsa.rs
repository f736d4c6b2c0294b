//! RSA of old data and of other makers: small moduli, more than two primes, labels of OAEP, salts of any length.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tagwise_codec::{Decode, Int, SeqOf, encode, pem};
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, Digest, ErrorKind, KeySigner, KeyTransport, KeyType, OaepParameters, PasswordOptions, PrivateKey,
    PrivateKeyInfo, PssParameters, Scheme, private_key_from_pem, verify, verify_legacy,
};
use tagwise_pkix::pkcs1::{OtherPrimeInfos, RsaPrivateKey};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

// Keys for tests alone, by `openssl genrsa`.
const RSA_512: &str = include_str!("data/rsa512.pem");
const RSA_1024: &str = include_str!("data/rsa1024.pem");
const THREE_PRIMES: &str = include_str!("data/rsa-three-primes.pem");

fn key(backend: &dyn Backend, text: &str) -> Arc<dyn PrivateKey> {
    let info = private_key_from_pem(backend, text.as_bytes(), None, &PasswordOptions::DEFAULT).unwrap();
    backend.private_key(&info).unwrap()
}

/// The embedded backend, which has all of this.
fn embedded() -> Option<&'static dyn Backend> {
    all().into_iter().find(|backend| backend.name() == "aws-lc")
}

/// SP 800-131A rev. 2 §3: moduli below 2,048 bits are for old data alone.
#[test]
fn small_keys_decrypt_and_do_not_sign() {
    let Some(backend) = embedded() else { return };
    for (text, bits) in [(RSA_512, 512), (RSA_1024, 1024)] {
        let key = key(backend, text);
        assert_eq!(key.key_type(), KeyType::Rsa(bits));
        let public = backend.public_key_from_der(key.public_key_info()).unwrap();
        let sent = public.encrypt(KeyTransport::Pkcs1, b"a key").unwrap();
        assert_eq!(key.decrypt(KeyTransport::Pkcs1, &sent).unwrap().expose(), b"a key");
        let scheme = Scheme::RsaPkcs1(Digest::Sha256);
        assert_eq!(key.sign(&scheme, b"said").unwrap_err().kind(), ErrorKind::KeySize);
        assert!(!backend.signs(&scheme, KeyType::Rsa(bits)) && backend.verifies(&scheme, KeyType::Rsa(bits)));
        assert!(!backend.generates(KeyType::Rsa(bits)));
    }
}

fn openssl(folder: &Path, args: &[&str]) {
    let output = Command::new("openssl").current_dir(folder).args(args).output().unwrap();
    assert!(output.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Signatures by small keys are verified where old ones are asked for, and nowhere else.
#[test]
fn signatures_of_small_keys() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("message"), b"said").unwrap();
    for text in [RSA_512, RSA_1024] {
        fs::write(folder.join("key"), text).unwrap();
        openssl(folder, &["dgst", "-sha256", "-sign", "key", "-out", "signature", "message"]);
        let signature = fs::read(folder.join("signature")).unwrap();
        let identifier = Scheme::RsaPkcs1(Digest::Sha256).identifier().unwrap();
        let algorithm = AlgorithmIdentifier::from_der(&identifier).unwrap();
        let Some(backend) = embedded() else { return };
        let info = key(backend, text).public_key_info().to_vec();
        let info = SubjectPublicKeyInfo::from_der(&info).unwrap();
        verify_legacy(backend, &info, &algorithm, b"said", &signature).unwrap();
        let wrong = verify_legacy(backend, &info, &algorithm, b"other", &signature).unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Signature);
        for backend in all() {
            let error = verify(backend, &info, &algorithm, b"said", &signature).unwrap_err();
            let refused = matches!(error.kind(), ErrorKind::Legacy | ErrorKind::KeySize);
            assert!(refused, "{}: {error}", backend.name());
        }
    }
}

/// RFC 8017 §A.1.2: a key of more than two primes signs and decrypts as any other.
#[test]
fn three_primes() {
    let Some(backend) = embedded() else { return };
    let three = key(backend, THREE_PRIMES);
    assert_eq!(three.key_type(), KeyType::Rsa(2048));
    let public = backend.public_key_from_der(three.public_key_info()).unwrap();
    for scheme in [Scheme::RsaPkcs1(Digest::Sha256), Scheme::RsaPss(PssParameters::of(Digest::Sha384))] {
        let signature = three.sign(&scheme, b"said").unwrap();
        public.verify(&scheme, b"said", &signature).unwrap();
    }
    let sent = public.encrypt(KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)), b"a key").unwrap();
    let read = three.decrypt(KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)), &sent).unwrap();
    assert_eq!(read.expose(), b"a key");
    KeySigner::preferred(three).unwrap();

    // A private exponent that belongs to nothing.
    let der = pem::first(&["PRIVATE KEY"], THREE_PRIMES.as_bytes()).unwrap();
    let whole = tagwise_crypto::PrivateKeyInfo::from_pkcs8(&der).unwrap().to_pkcs1().unwrap();
    let mut damaged = whole.clone();
    // Behind version, modulus and public exponent.
    let exponent = 4 + 3 + 261 + 5 + 40;
    if let Some(byte) = damaged.expose_mut().get_mut(exponent) {
        *byte ^= 1;
    }
    let info = tagwise_crypto::PrivateKeyInfo::from_pkcs1(damaged.expose()).unwrap();
    assert_eq!(backend.private_key(&info).unwrap_err().kind(), ErrorKind::MalformedKey);
}

/// RFC 8017 §3.2: the numbers of the further primes match those before them.
#[test]
fn numbers_of_three_primes_are_checked() {
    let Some(backend) = embedded() else { return };
    let der = pem::first(&["PRIVATE KEY"], THREE_PRIMES.as_bytes()).unwrap();
    let pkcs1 = PrivateKeyInfo::from_pkcs8(&der).unwrap().to_pkcs1().unwrap();
    let numbers = RsaPrivateKey::from_der(pkcs1.expose()).unwrap();
    let third = numbers.other_prime_infos.unwrap().0.iter().next().unwrap().unwrap();
    let two = |int: Int<'_>| {
        let mut octets = vec![0];
        octets.extend(int.magnitude());
        *octets.last_mut().unwrap() ^= 2;
        octets
    };
    for (place, expected) in [
        ("prime1", "privateExponent is not an inverse of publicExponent mod (prime1 - 1) and mod (prime2 - 1)"),
        ("exponent1", "exponent1 is not privateExponent mod (prime1 - 1)"),
        ("coefficient", "coefficient is not the inverse of prime2 mod prime1"),
        ("prime", "privateExponent is not an inverse of publicExponent mod (prime - 1) in otherPrimeInfos"),
        ("exponent", "exponent is not privateExponent mod (prime - 1) in otherPrimeInfos"),
        ("last coefficient", "coefficient is not the inverse of the earlier primes mod prime in otherPrimeInfos"),
        ("none", "otherPrimeInfos has a number that is out of range"),
    ] {
        let (mut changed, mut other) = (numbers, third);
        let number = match place {
            "prime1" => &mut changed.prime1,
            "exponent1" => &mut changed.exponent1,
            "coefficient" => &mut changed.coefficient,
            "prime" => &mut other.prime,
            "exponent" => &mut other.exponent,
            _ => &mut other.coefficient,
        };
        let octets = if place == "none" { vec![0] } else { two(*number) };
        *number = Int::from_signed(&octets);
        let others = [other];
        changed.other_prime_infos = Some(OtherPrimeInfos(SeqOf::from_slice(&others)));
        let info = PrivateKeyInfo::from_pkcs1(&encode(&changed).unwrap()).unwrap();
        let error = backend.private_key(&info).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MalformedKey, "{place}");
        assert!(error.to_string().ends_with(&format!("{expected} (RFC 8017 §3.2)")), "{place}: {error}");
    }
}

/// Salts from none to the longest, and a mask of another digest: between all backends that have them.
#[test]
fn salts_of_any_length() {
    for one in all() {
        let signer = one.generate(KeyType::Rsa(2048)).unwrap();
        for (digest, mask, salt_len) in [
            (Digest::Sha256, Digest::Sha256, 0),
            (Digest::Sha256, Digest::Sha256, 7),
            (Digest::Sha256, Digest::Sha256, 222),
            (Digest::Sha256, Digest::Sha1, 20),
            (Digest::Sha384, Digest::Sha256, 100),
            (Digest::Sha512, Digest::Sha512, 190),
            (Digest::Sha3_256, Digest::Sha3_512, 64),
        ] {
            let scheme = Scheme::RsaPss(PssParameters { digest, mask, salt_len });
            if !one.signs(&scheme, KeyType::Rsa(2048)) {
                assert_ne!(one.name(), "aws-lc", "{scheme}");
                continue;
            }
            let signature = signer.sign(&scheme, b"said").unwrap();
            for other in all().into_iter().filter(|other| other.verifies(&scheme, KeyType::Rsa(2048))) {
                let public = other.public_key_from_der(signer.public_key_info()).unwrap();
                public.verify(&scheme, b"said", &signature).unwrap();
                let longer = Scheme::RsaPss(PssParameters { digest, mask, salt_len: salt_len + 1 });
                if other.verifies(&longer, KeyType::Rsa(2048)) {
                    let error = public.verify(&longer, b"said", &signature).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Signature, "{} {longer}", other.name());
                }
            }
        }
        // RFC 8017 §9.1.1 step 3: one byte more does not fit.
        let long = Scheme::RsaPss(PssParameters { salt_len: 223, ..PssParameters::of(Digest::Sha256) });
        assert!(signer.sign(&long, b"said").is_err(), "{}", one.name());
    }
}

/// RFC 8017 §7.1: the label has to be the same.
#[test]
fn labels_of_oaep() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("plain"), b"a key").unwrap();
    let oaep = OaepParameters { digest: Digest::Sha256, mask: Digest::Sha1 };
    for backend in all().into_iter().filter(|backend| backend.name() != "nss") {
        let private = backend.generate(KeyType::Rsa(2048)).unwrap();
        let text = pem::encode("PRIVATE KEY", private.to_pkcs8().unwrap().expose()).unwrap();
        fs::write(folder.join("key"), text).unwrap();
        let how = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1", "rsa_oaep_label:6c6162656c"];
        let how = how.map(|option| ["-pkeyopt", option]);
        let encrypt = ["pkeyutl", "-encrypt", "-in", "plain", "-inkey", "key", "-out", "sent"];
        openssl(folder, &[&encrypt[..], how.as_flattened()].concat());
        let sent = fs::read(folder.join("sent")).unwrap();
        assert_eq!(private.decrypt_labeled(oaep, b"label", &sent).unwrap().expose(), b"a key");
        for label in [&b""[..], b"other"] {
            let error = private.decrypt_labeled(oaep, label, &sent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Integrity, "{}", backend.name());
        }
    }
}
