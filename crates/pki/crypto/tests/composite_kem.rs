//! Composite ML-KEM: keys and ciphertexts of another implementation, every pair of backends against every other, and what is wrong.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tagwise_codec::{Decode, encode};
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    CompositeKem, CompositeMlKem, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, Scheme, table,
};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids, private_key};

/// The octets of the secret that comes out.
const SECRET: usize = 32;

fn pairs() -> impl Iterator<Item = (CompositeKem, String)> {
    let both = all().into_iter().flat_map(|one| all().into_iter().map(move |other| (one, other)));
    both.map(|(one, other)| (CompositeKem::new(one, other), format!("{} and {}", one.name(), other.name())))
}

/// Sets whose keys are made within a moment.
fn quick() -> impl Iterator<Item = CompositeMlKem> {
    CompositeMlKem::ALL.iter().copied().filter(|set| !matches!(set.traditional(), KeyType::Rsa(3072..)))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "kem"));
    files.sort();
    files
}

/// A private key; nothing where NSS would have to compute a public half, which it does not.
fn loaded(pair: &CompositeKem, info: &PrivateKeyInfo, what: &str) -> Option<Arc<dyn PrivateKey>> {
    match pair.private_key(info) {
        Ok(key) => Some(key),
        Err(error) => {
            assert!(error.kind() == ErrorKind::NotOffered && what.ends_with("nss"), "{what}: {error}");
            None
        }
    }
}

#[test]
fn keys_and_ciphertexts_of_another() {
    let mut kinds = BTreeSet::new();
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = |kind: &str| fs::read(path.with_extension(kind)).unwrap();
        let (public, private, kem) = (file("pub"), file("priv"), file("kem"));
        let (ciphertext, secret) = kem.split_at(kem.len() - SECRET);
        let info = PrivateKeyInfo::from_pkcs8(&private).unwrap();
        let KeyType::CompositeMlKem(set) = info.key_type() else { panic!("{name} is {}", info.key_type()) };
        assert_eq!(set.name(), name);
        let mut done = 0;
        for (pair, which) in pairs().filter(|(pair, _)| pair.offers(set)) {
            let what = format!("{name} by {which}");
            let Some(key) = loaded(&pair, &info, &what) else { continue };
            assert_eq!(key.public_key_info(), public, "{what}");
            assert_eq!(key.to_pkcs8().unwrap().expose(), private, "{what}");
            assert_eq!(key.decapsulate(ciphertext).unwrap().expose(), secret, "{what}");
            let public = pair.public_key(&SubjectPublicKeyInfo::from_der(&public).unwrap()).unwrap();
            let (ciphertext, secret) = public.encapsulate().unwrap();
            assert_eq!(key.decapsulate(&ciphertext).unwrap().expose(), secret.expose(), "{what}");
            done += 1;
        }
        // X448 is OpenSSL's.
        assert_eq!(done > 0, set.traditional() != KeyType::X448 || cfg!(feature = "openssl"), "{name}");
        kinds.insert((set.post_quantum(), format!("{:?}", set.traditional())));
    }
    assert_eq!(kinds.len(), 7);
}

/// Made by one pair, encapsulated to by another, and read by a third, which is the first one.
#[test]
fn one_pair_encapsulates_to_another() {
    let mut tried = 0;
    for set in quick() {
        for (one, name) in pairs().filter(|(pair, _)| pair.offers(set)) {
            let key = one.generate(set).unwrap();
            assert_eq!(key.key_type(), KeyType::CompositeMlKem(set));
            let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
            assert_eq!(KeyType::of(&info).unwrap(), key.key_type());
            let read = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
            for (other, with) in pairs().filter(|(pair, _)| pair.offers(set)) {
                let (ciphertext, secret) = other.public_key(&info).unwrap().encapsulate().unwrap();
                assert_eq!(secret.len(), SECRET);
                let again = loaded(&other, &read, &with);
                assert!(again.as_ref().is_none_or(|again| again.public_key_info() == key.public_key_info()));
                for key in [Some(&key), again.as_ref()].into_iter().flatten() {
                    assert_eq!(
                        key.decapsulate(&ciphertext).unwrap().expose(),
                        secret.expose(),
                        "{set}: {name}, {with}"
                    );
                }
                tried += 1;
            }
        }
    }
    assert!(tried >= quick().count() - 1, "{tried}");
}

/// What a backend offers by itself, with the larger RSA keys too.
#[test]
fn a_backend_offers_what_it_has_both_halves_of() {
    for backend in all() {
        for &set in CompositeMlKem::ALL {
            let key = KeyType::CompositeMlKem(set);
            let both = backend.generates(set.post_quantum()) && backend.generates(set.traditional());
            assert_eq!(backend.generates(key), both, "{set} {}", backend.name());
            if !both {
                assert_eq!(backend.generate(key).unwrap_err().kind(), ErrorKind::NotOffered);
                continue;
            }
            if let KeyType::Rsa(3072..) = set.traditional() {
                continue;
            }
            let key = backend.generate(key).unwrap();
            let public = backend.public_key_from_der(key.public_key_info()).unwrap();
            let (ciphertext, secret) = public.encapsulate().unwrap();
            assert_eq!(key.decapsulate(&ciphertext).unwrap().expose(), secret.expose());
        }
    }
}

fn failed<T: std::fmt::Debug>(done: Result<T, tagwise_crypto::Error>) -> ErrorKind {
    done.unwrap_err().kind()
}

#[test]
fn ciphertexts_that_are_none() {
    let backend = all()[0];
    for set in quick().filter(|set| backend.generates(KeyType::CompositeMlKem(*set))) {
        let key = backend.generate(KeyType::CompositeMlKem(set)).unwrap();
        let public = backend.public_key_from_der(key.public_key_info()).unwrap();
        let (ciphertext, secret) = public.encapsulate().unwrap();
        for len in [0, 1000, ciphertext.len() - 1] {
            assert_eq!(failed(key.decapsulate(&ciphertext[..len])), ErrorKind::Length, "{set} {len}");
        }
        let longer = [&ciphertext[..], &[0]].concat();
        assert_eq!(failed(key.decapsulate(&longer)), ErrorKind::Length, "{set}");

        // The half of ML-KEM is not refused: another secret comes out (FIPS 203 §6.3).
        let mut other = ciphertext.clone();
        other[5] ^= 1;
        assert_ne!(key.decapsulate(&other).unwrap().expose(), secret.expose(), "{set}");

        // The other half is, where its algorithm refuses.
        let mut other = ciphertext.clone();
        *other.last_mut().unwrap() ^= 1;
        let refused = key.decapsulate(&other);
        match set.traditional() {
            KeyType::Rsa(_) => assert_eq!(failed(refused), ErrorKind::Integrity, "{set}"),
            KeyType::X25519 | KeyType::X448 => assert_ne!(refused.unwrap().expose(), secret.expose(), "{set}"),
            _ => assert_eq!(failed(refused), ErrorKind::MalformedKey, "{set}"),
        }
        if matches!(set.traditional(), KeyType::P256 | KeyType::P384 | KeyType::P521) {
            let at = ciphertext.len() - public_len(set);
            let compressed = 2 + (ciphertext.last().unwrap() & 1);
            let other =
                [&ciphertext[..at], &[compressed], &ciphertext[at + 1..at + public_len(set).div_ceil(2)]].concat();
            assert_eq!(failed(key.decapsulate(&other)), ErrorKind::Length, "{set}");
        }
    }
}

/// The octets of a point.
fn public_len(set: CompositeMlKem) -> usize {
    match set.traditional() {
        KeyType::P256 => 65,
        KeyType::P384 => 97,
        _ => 133,
    }
}

#[test]
fn keys_that_are_none() {
    let backend = all()[0];
    let set = CompositeMlKem::MlKem768P256;
    let key = backend.generate(KeyType::CompositeMlKem(set)).unwrap();
    let identifier = AlgorithmIdentifier { algorithm: set.oid(), parameters: None };
    let pkcs8 = key.to_pkcs8().unwrap();
    let octets = {
        let info = tagwise_pkix::pkcs8::OneAsymmetricKey::from_der(pkcs8.expose()).unwrap();
        info.private_key.0.as_bytes().to_vec()
    };
    let wrapped = |octets: &[u8], public: Option<&[u8]>| {
        let public = public.map(tagwise_codec::BitStr::from_octets);
        let der = private_key::private_key_info(&identifier, octets, &[], public).unwrap();
        backend.private_key_from_pkcs8(&der)
    };
    assert!(wrapped(&octets, None).is_ok());
    assert_eq!(failed(wrapped(&octets[..40], None)), ErrorKind::MalformedKey);
    assert_eq!(failed(wrapped(&octets[..64], None)), ErrorKind::MalformedKey);
    // A key on another curve in the second half.
    let other = backend.generate(KeyType::P384).unwrap().to_pkcs8().unwrap();
    let other = PrivateKeyInfo::from_pkcs8(other.expose()).unwrap().to_sec1().unwrap();
    let error = wrapped(&[&octets[..64], other.expose()].concat(), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MalformedKey);
    assert!(error.to_string().contains("a component key has the wrong type, ecdsa-p384"), "{error}");

    let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
    let public = info.subject_public_key.octets().unwrap();
    assert!(wrapped(&octets, Some(public)).is_ok());
    let mut another = public.to_vec();
    another[7] ^= 1;
    assert_eq!(failed(wrapped(&octets, Some(&another))), ErrorKind::Inconsistent);

    let read = |octets: &[u8]| {
        let subject_public_key = tagwise_codec::BitStr::from_octets(octets);
        let der = encode(&SubjectPublicKeyInfo { algorithm: identifier, subject_public_key }).unwrap();
        backend.public_key_from_der(&der)
    };
    assert!(read(public).is_ok());
    let compressed = [&public[..1184], &[2 + (public.last().unwrap() & 1)], &public[1185..1217]].concat();
    for wrong in [&public[..1000], &public[..1184], &public[..public.len() - 1], &compressed] {
        assert_eq!(failed(read(wrong)), ErrorKind::MalformedKey, "{}", wrong.len());
    }

    // It is for key encapsulation alone.
    assert_eq!(failed(key.sign(&Scheme::MlDsa65, b"message")), ErrorKind::WrongKey);
    assert_eq!(failed(key.agree(&info)), ErrorKind::WrongKey);
    assert_eq!(failed(key.to_pkcs8_as(PostQuantumForm::Seed)), ErrorKind::WrongKey);
    assert_eq!(failed(backend.public_key(&info).unwrap().verify(&Scheme::MlDsa65, b"", b"")), ErrorKind::WrongKey);
    assert!(key.key_type().encapsulates() && !key.key_type().signs());
}

/// The table has what there are keys of, and two sets that are known by name.
#[test]
fn the_table_is_whole() {
    let named: Vec<_> = table::KEMS.iter().filter(|row| row.key.is_none()).map(|row| row.oid).collect();
    assert_eq!(named, [oids::MLKEM768_ECDH_BRAINPOOL_P256R1_SHA3_256, oids::MLKEM1024_ECDH_BRAINPOOL_P384R1_SHA3_256]);
    for &key in KeyType::ALL {
        let row = table::KEMS.iter().find(|row| row.key == Some(key));
        assert_eq!(row.is_some(), key.encapsulates(), "{key}");
        assert!(row.is_none_or(|row| row.oid == key.identifiers().0 && row.strength == key.strength()));
    }
    let identifier = AlgorithmIdentifier { algorithm: named[0], parameters: None };
    let subject_public_key = tagwise_codec::BitStr::from_octets(&[0; 1249]);
    let der = encode(&SubjectPublicKeyInfo { algorithm: identifier, subject_public_key }).unwrap();
    for backend in all() {
        assert_eq!(failed(backend.public_key_from_der(&der)), ErrorKind::Unsupported);
    }
}
