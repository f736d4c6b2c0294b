//! SHAKE in messages: Ed448 (RFC 8419), SLH-DSA (RFC 9814) and ECDSA (RFC 8702), signed with one backend and verified with every
//! other; messages of Bouncy Castle; and what is wrong.
#![cfg(any(feature = "aws-lc", feature = "openssl"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

use tagwise_codec::Decode;
use tagwise_crypto::backends::all;
use tagwise_crypto::cms::{CmsError, SignedOptions, Signing, VerifyOptions, sign, verify};
use tagwise_crypto::{Backend, Digest, ErrorKind, KeySigner, KeyType, Scheme, Signer, SlhDsa, table};
use tagwise_pkix::build::{self, SerialNumber};
use tagwise_pkix::cms::SignerInfo;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, TbsCertificate, Time, UnixTime, Validity, Version, oids,
};

const CONTENT: &[u8] = b"The quick brown fox jumps over the lazy dog.";

/// How it is signed, the file of another implementation, and how the digest is named: by its identifier and parameters.
const WAYS: [(KeyType, Scheme, &str, Digest, &str); 4] = [
    (KeyType::Ed448, Scheme::Ed448, "ed448", Digest::Shake256, "300f060960864801650304021202020200"),
    (
        KeyType::SlhDsa(SlhDsa::Shake128f),
        Scheme::SlhDsa(SlhDsa::Shake128f),
        "slh-dsa-shake-128f",
        Digest::Shake128,
        "300b060960864801650304020b",
    ),
    (KeyType::P256, Scheme::Ecdsa(Digest::Shake128), "ecdsa-shake128", Digest::Shake128, "300b060960864801650304020b"),
    (KeyType::P384, Scheme::Ecdsa(Digest::Shake256), "ecdsa-shake256", Digest::Shake256, "300b060960864801650304020c"),
];

/// A certificate of its own for a key.
fn certificate(signer: &KeySigner) -> Vec<u8> {
    let name = NameBuf::parse("CN=Signer").unwrap();
    let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
    let algorithm = signer.scheme().identifier().unwrap();
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V1,
        serial_number: SerialNumber::from_random([1; 20]).number(),
        signature: AlgorithmIdentifier::from_der(&algorithm).unwrap(),
        issuer: name.name(),
        subject: name.name(),
        validity: Validity { not_before: time(1_700_000_000), not_after: time(2_600_000_000) },
        subject_public_key_info: SubjectPublicKeyInfo::from_der(signer.public_key_info()).unwrap(),
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: None,
    });
    tagwise_crypto::sign(&unsigned.unwrap(), signer).unwrap()
}

fn kind_of(error: &CmsError) -> Option<ErrorKind> {
    match error {
        CmsError::Crypto(error) => Some(error.kind()),
        _ => None,
    }
}

/// A message with one signer: right, or not offered by a backend that says so.
fn check(backend: &dyn Backend, message: &[u8], way: usize) -> bool {
    let (key, scheme, name, digest, identifier) = WAYS[way];
    let mut verified = verify(backend, message, None, &VerifyOptions::DEFAULT).unwrap();
    let signer = verified.signers.remove(0);
    let info = SignerInfo::from_der(&signer.info).unwrap();
    let der = tagwise_codec::encode(&info.digest_algorithm).unwrap();
    assert_eq!(hex(&der), identifier, "{name}");
    let offered = backend.verifies(&scheme, key) && backend.hasher(digest).is_ok();
    match signer.outcome {
        Ok(()) => assert!(offered, "{name} {}", backend.name()),
        Err(error) => {
            assert!(!offered, "{name} {}: {error}", backend.name());
            assert_eq!(kind_of(&error), Some(ErrorKind::NotOffered), "{name} {}: {error}", backend.name());
            return false;
        }
    }
    assert_eq!((signer.scheme, signer.digest), (Some(scheme), Some(digest)), "{name}");
    assert_eq!(verified.content, CONTENT);
    true
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

#[test]
fn signatures_verify_with_other_backends() {
    let mut tried = 0;
    for (way, (key, scheme, name, digest, _)) in WAYS.into_iter().enumerate() {
        for one in all() {
            if !(one.signs(&scheme, key) && one.hasher(digest).is_ok()) {
                continue;
            }
            let signer = KeySigner::new(one.generate(key).unwrap(), scheme).unwrap();
            let der = certificate(&signer);
            let certificate = Certificate::from_der(&der).unwrap();
            let options = SignedOptions { certificates: &[&der], ..SignedOptions::DEFAULT };
            let message = sign(one, CONTENT, &[Signing::new(&signer, &certificate)], &options).unwrap();
            let done = all().into_iter().filter(|other| check(*other, &message, way)).count();
            assert!(done > 0, "{name}");
            tried += done;

            // Content that is not the one that was digested.
            let at = message.windows(CONTENT.len()).position(|part| part == CONTENT).unwrap();
            let mut other = message.clone();
            other[at] ^= 1;
            let outcome = verify(one, &other, None, &VerifyOptions::DEFAULT).unwrap().signers.remove(0).outcome;
            assert!(matches!(outcome, Err(CmsError::Digest)), "{name}");
        }
    }
    assert!(tried > 0);
}

#[test]
fn messages_of_another() {
    for (way, (.., name, _, _)) in WAYS.into_iter().enumerate() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.cms"));
        let message = fs::read(path).unwrap();
        let done = all().into_iter().filter(|backend| check(*backend, &message, way)).count();
        // What AWS-LC does not offer, OpenSSL does; of SLH-DSA only later ones do.
        assert!(done > 0 || !cfg!(all(feature = "aws-lc", feature = "openssl")), "{name}");
    }
}

/// A digest that is as long as another one is refused by its name, and one with another length by its parameters.
#[test]
fn lengths_are_those_of_the_standard() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ed448.cms");
    let mut message = fs::read(path).unwrap();
    let with_length = [2, 2, 2, 0];
    let places: Vec<_> = (0..message.len() - 4).filter(|at| message[*at..at + 4] == with_length).collect();
    // In the list, beside the signer, and among its attributes (RFC 6211).
    assert_eq!(places.len(), 3);
    for at in places {
        message[at + 2] = 1;
    }
    for backend in all() {
        let outcome = verify(backend, &message, None, &VerifyOptions::DEFAULT).unwrap().signers.remove(0).outcome;
        assert_eq!(kind_of(&outcome.unwrap_err()), Some(ErrorKind::Parameters));
    }
}

/// RFC 8692 has RSASSA-PSS with SHAKE in place of MGF1, under identifiers of its own: known by name. As parameters of the common
/// identifier, no backend takes it, nor in what is made of HMAC.
#[test]
fn unsupported_uses_of_shake() {
    let row = table::lookup(oids::RSASSA_PSS_SHAKE128).unwrap();
    assert_eq!(row.name, "RSASSA-PSS-SHAKE128");
    let identifier = AlgorithmIdentifier { algorithm: row.oid, parameters: None };
    assert_eq!(Scheme::of(&identifier).unwrap_err().kind(), ErrorKind::Unsupported);
    let pss = Scheme::RsaPss(tagwise_crypto::PssParameters::of(Digest::Shake256));
    for backend in all() {
        for scheme in [pss, Scheme::RsaPkcs1(Digest::Shake256)] {
            assert!(!backend.signs(&scheme, KeyType::Rsa(2048)) && !backend.verifies(&scheme, KeyType::Rsa(2048)));
        }
        let mut key = [0; 32];
        let failures = [
            backend.hmac(Digest::Shake256, b"key").err(),
            backend.pbkdf2(Digest::Shake256, b"password", b"salt", 1, &mut key).err(),
            backend.hkdf(Digest::Shake256, b"", b"secret", b"", &mut key).err(),
        ];
        for failure in failures {
            assert_eq!(failure.unwrap().kind(), ErrorKind::NotOffered, "{}", backend.name());
        }
        let signed = backend.generate(KeyType::Rsa(2048)).unwrap().sign(&pss, b"message");
        assert_eq!(signed.unwrap_err().kind(), ErrorKind::NotOffered);
    }
}
