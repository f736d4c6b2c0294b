//! Private keys: from one format into another and back, as the `openssl` command has them; post-quantum keys of the IETF's examples in
//! all forms, and the bad ones.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use tagwise_codec::{BitStr, Decode, OctetStr, encode};
use tagwise_pkix::build::AttributeList;
use tagwise_pkix::pkcs8::PrivateKeyInfo;
use tagwise_pkix::private_key::*;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, oids};
use tagwise_tests::{corpora, openssl};

/// The DER of the first block of a PEM file.
fn der(text: &[u8]) -> Vec<u8> {
    corpora::contents(text).remove(0).1
}

#[test]
fn openssl_reads_what_is_converted() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pkcs8 = |name: &str| {
        let (file, out) = (format!("{name}.key"), format!("{name}.p8"));
        let _ = openssl::run(folder, &["pkcs8", "-topk8", "-nocrypt", "-in", &file, "-outform", "DER", "-out", &out]);
        fs::read(folder.join(out)).unwrap()
    };
    let written = |name: &str, octets: &[u8]| fs::write(folder.join(name), octets).unwrap();

    let spki = openssl::new_key(folder, "rsa", &openssl::RSA);
    let key = pkcs8("rsa");
    let pkcs1 = pkcs1_from_pkcs8(&key).unwrap();
    written("pkcs1", &pkcs1);
    let said = openssl::run(folder, &["rsa", "-inform", "DER", "-in", "pkcs1", "-check", "-noout"]);
    assert!(said.contains("RSA key ok"), "{said}");
    assert_eq!(*pkcs8_from_pkcs1(&pkcs1).unwrap(), key);
    assert_eq!(public_key(&key).unwrap().unwrap(), spki);
    assert!(matches!(sec1_from_pkcs8(&key), Err(KeyError::Algorithm { .. })));

    for curve in ["P-256", "P-384", "P-521", "secp256k1", "brainpoolP256r1"] {
        let option = format!("ec_paramgen_curve:{curve}");
        let spki = openssl::new_key(folder, curve, &["-algorithm", "EC", "-pkeyopt", &option]);
        let key = pkcs8(curve);
        let sec1 = sec1_from_pkcs8(&key).unwrap();
        written("sec1", &sec1);
        let said = openssl::run(folder, &["ec", "-inform", "DER", "-in", "sec1", "-check", "-noout"]);
        assert!(said.contains("EC Key valid"), "{said}");
        // The command writes the same.
        let _ = openssl::run(folder, &["ec", "-in", &format!("{curve}.key"), "-outform", "DER", "-out", "own"]);
        assert_eq!(fs::read(folder.join("own")).unwrap(), *sec1, "{curve}");
        assert_eq!(*pkcs8_from_sec1(&sec1).unwrap(), key);
        assert_eq!(public_key(&key).unwrap().unwrap(), spki);
    }

    for (name, algorithm, len) in [
        ("ED25519", oids::ED25519, 32),
        ("ED448", oids::ED448, 57),
        ("X25519", oids::X25519, 32),
        ("X448", oids::X448, 56),
    ] {
        let spki = openssl::new_key(folder, name, &["-algorithm", name]);
        let key = pkcs8(name);
        let octets = &key[key.len() - len..];
        assert_eq!(*curve_private_key(algorithm, octets).unwrap(), key);
        assert_eq!(public_key(&key).unwrap(), None);
        // With its public key: version 2.
        let inside = encode(&OctetStr::new(octets)).unwrap();
        let identifier = AlgorithmIdentifier { algorithm, parameters: None };
        let public = BitStr::from_octets(&spki[spki.len() - len..]);
        let full = private_key_info(&identifier, &inside, &[], Some(public)).unwrap();
        assert_eq!(public_key(&full).unwrap().unwrap(), spki);
    }
}

#[test]
fn examples_of_the_ietf_have_three_forms() {
    let Some(set) = corpora::set("lamps-pqc") else { return };
    let files = corpora::files(&set);
    let mut count = 0;
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".priv") && !name.contains("bad-")) {
        let pkcs8 = der(text);
        let key = PostQuantumKey::from_pkcs8(&pkcs8).unwrap_or_else(|error| panic!("{name}: {error}"));
        let form = match name.rsplit_once('-').unwrap().1 {
            "seed.priv" => PostQuantumForm::Seed,
            "expanded.priv" => PostQuantumForm::Expanded,
            "both.priv" => PostQuantumForm::Both,
            other => panic!("{other}"),
        };
        assert_eq!(key.form(), form, "{name}");
        assert_eq!(*key.to_pkcs8(form).unwrap(), pkcs8, "{name}");
        let stem = name.rsplit_once('-').unwrap().0;
        if form == PostQuantumForm::Both {
            for (form, ending) in [(PostQuantumForm::Seed, "seed"), (PostQuantumForm::Expanded, "expanded")] {
                let other = der(&files[&format!("{stem}-{ending}.priv")]);
                assert_eq!(*key.to_pkcs8(form).unwrap(), other, "{name}");
            }
        } else {
            assert!(matches!(key.to_pkcs8(PostQuantumForm::Both), Err(KeyError::Form(PostQuantumForm::Both))));
        }
        // The certificate beside it is of the same algorithm.
        let certificate = der(&files[&format!("{stem}.crt")]);
        let certificate = Certificate::from_der(&certificate).unwrap();
        let algorithm = certificate.tbs_certificate.subject_public_key_info.algorithm.algorithm;
        assert_eq!(PostQuantumAlgorithm::of(algorithm), Some(key.algorithm()));
        count += 1;
    }
    assert_eq!(count, 18);
}

/// What is wrong with the bad ones by their form is seen; the others have seed and key that do not belong together, which takes
/// the algorithm to see.
#[test]
fn bad_examples() {
    let Some(set) = corpora::set("lamps-pqc") else { return };
    let mut found = BTreeMap::new();
    for (name, text) in corpora::files(&set).iter().filter(|(name, _)| name.contains("bad-") && name.ends_with(".priv"))
    {
        let said = match PostQuantumKey::from_pkcs8(&der(text)) {
            Ok(key) => format!("{}", key.form()),
            Err(error) => format!("refused: {error}"),
        };
        found.insert(name.clone(), said);
    }
    let listed: String = found.iter().map(|(name, said)| format!("{name}\t{said}\n")).collect();
    assert_eq!(listed, include_str!("../register/lamps-pqc-bad-keys.tsv"));
}

/// Keys of others in PKCS #8, PKCS #1 and SEC 1: each comes back as it was.
#[test]
fn keys_of_others_come_back() {
    let Some(set) = corpora::set("pyca/asymmetric") else { return };
    let (mut rsa, mut elliptic) = (0, 0);
    for (name, octets) in corpora::files(&set) {
        let Some((_, octets)) = corpora::contents(&octets).pop() else { continue };
        if let Ok(pkcs8) = pkcs8_from_pkcs1(&octets) {
            assert_eq!(*pkcs1_from_pkcs8(&pkcs8).unwrap(), octets, "{name}");
            rsa += 1;
        }
        if let Ok(pkcs8) = pkcs8_from_sec1(&octets) {
            assert_eq!(*sec1_from_pkcs8(&pkcs8).unwrap(), octets, "{name}");
            elliptic += 1;
        }
        if PrivateKeyInfo::from_der(&octets).is_ok() {
            if let Ok(pkcs1) = pkcs1_from_pkcs8(&octets) {
                PrivateKeyInfo::from_der(&pkcs8_from_pkcs1(&pkcs1).unwrap()).unwrap();
                rsa += 1;
            }
            if let Ok(sec1) = sec1_from_pkcs8(&octets) {
                PrivateKeyInfo::from_der(&pkcs8_from_sec1(&sec1).unwrap()).unwrap();
                elliptic += 1;
            }
        }
    }
    assert!(rsa > 0 && elliptic > 0, "{rsa} {elliptic}");
}

fn algorithms() -> impl Strategy<Value = PostQuantumAlgorithm> {
    use PostQuantumAlgorithm::*;
    let mut all = vec![MlDsa44, MlDsa65, MlDsa87, MlKem512, MlKem768, MlKem1024];
    all.extend((20..=31).map(SlhDsa));
    prop::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn post_quantum_keys_are_read_as_they_were_meant(
        algorithm in algorithms(),
        octets in prop::collection::vec(any::<u8>(), 5000),
        (with_seed, with_key, wrong) in (any::<bool>(), any::<bool>(), -2isize..3),
    ) {
        let expanded = &octets[..algorithm.expanded_len()];
        let seed = algorithm.seed_len().filter(|_| with_seed).map(|len| &octets[octets.len() - len..]);
        let key = (with_key || seed.is_none()).then_some(expanded);
        let made = PostQuantumKey::new(algorithm, seed, key).unwrap();
        let pkcs8 = made.to_pkcs8(made.form()).unwrap();
        let read = PostQuantumKey::from_pkcs8(&pkcs8).unwrap();
        prop_assert_eq!(read, made);
        prop_assert_eq!(PostQuantumAlgorithm::of(algorithm.oid().unwrap()), Some(algorithm));
        let info = PrivateKeyInfo::from_der(&pkcs8).unwrap();
        prop_assert_eq!(&encode(&info).unwrap(), &*pkcs8);
        // Any other length is refused, made or read.
        let other = &octets[..algorithm.expanded_len().checked_add_signed(wrong).unwrap()];
        prop_assert_eq!(PostQuantumKey::new(algorithm, None, Some(other)).is_ok(), wrong == 0);
        if let PostQuantumAlgorithm::SlhDsa(_) = algorithm {
            let identifier = AlgorithmIdentifier { algorithm: algorithm.oid().unwrap(), parameters: None };
            let pkcs8 = private_key_info(&identifier, other, &[], None).unwrap();
            prop_assert_eq!(PostQuantumKey::from_pkcs8(&pkcs8).is_ok(), wrong == 0);
        }
    }

    #[test]
    fn private_keys_are_read_as_they_were_meant(
        octets in prop::collection::vec(any::<u8>(), 0..60),
        public in prop::option::of(prop::collection::vec(any::<u8>(), 0..60)),
        attribute in prop::option::of(prop::collection::vec(any::<u8>(), 0..9)),
    ) {
        let algorithm = AlgorithmIdentifier { algorithm: oids::FRIENDLY_NAME, parameters: None };
        let mut list = AttributeList::new();
        if let Some(value) = &attribute {
            list.add(oids::LOCAL_KEY_ID, &OctetStr::new(value)).unwrap();
        }
        let attributes = list.attributes();
        let public = public.as_deref().map(BitStr::from_octets);
        let key = private_key_info(&algorithm, &octets, &attributes, public).unwrap();
        let read = PrivateKeyInfo::from_der(&key).unwrap();
        prop_assert_eq!(read.private_key.0.as_bytes(), &octets[..]);
        prop_assert_eq!(read.public_key, public);
        prop_assert_eq!(read.version.0, u8::from(public.is_some()));
        prop_assert_eq!(read.attributes.is_some(), attribute.is_some());
        prop_assert_eq!(&encode(&read).unwrap(), &*key);
    }
}
