//! Private keys of others as every backend takes them that is built in: the LAMPS examples in their three forms, the bad ones among
//! them, and every key that the `openssl` command makes; what it encrypts, and what it signs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tagwise_codec::Decode;
use tagwise_crypto::backends::{all, named};
use tagwise_crypto::{
    Backend, Digest, ErrorKind, KeySigner, KeyType, PasswordOptions, PostQuantumForm, PssParameters, Scheme,
    decrypt_key, encrypt_key, verify,
};
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};
use tagwise_tests::corpora;

/// The embedded backend, which alone is in every build.
fn embedded() -> &'static dyn Backend {
    named("aws-lc").unwrap()
}

/// The others: what they do not offer they must say, and what they offer must be right.
fn others() -> impl Iterator<Item = &'static dyn Backend> {
    all().into_iter().filter(|backend| backend.name() != "aws-lc")
}

/// The first block of a PEM file.
fn block(path: &Path) -> Vec<u8> {
    corpora::contents(&fs::read(path).unwrap()).remove(0).1
}

/// Seed, expanded key and both give one public key, that of the certificate, and sign what it verifies.
#[test]
fn ml_dsa_in_three_forms() {
    let Some(folder) = corpora::set("lamps-pqc/ml-dsa") else { return };
    for (name, kind, scheme) in [
        ("ML-DSA-44", KeyType::MlDsa44, Scheme::MlDsa44),
        ("ML-DSA-65", KeyType::MlDsa65, Scheme::MlDsa65),
        ("ML-DSA-87", KeyType::MlDsa87, Scheme::MlDsa87),
    ] {
        let public = block(&folder.join(format!("{name}.pub")));
        let forms =
            [("seed", PostQuantumForm::Seed), ("expanded", PostQuantumForm::Expanded), ("both", PostQuantumForm::Both)];
        for (suffix, form) in forms {
            let der = block(&folder.join(format!("{name}-{suffix}.priv")));
            for backend in all() {
                if backend.name() != "aws-lc" && !backend.generates(kind) {
                    let error = backend.private_key_from_pkcs8(&der).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::NotOffered, "{name} {}: {error}", backend.name());
                    continue;
                }
                let key = backend.private_key_from_pkcs8(&der).unwrap();
                assert_eq!(key.key_type(), kind);
                assert_eq!(key.public_key_info(), public, "{name} {suffix}");
                assert_eq!(key.to_pkcs8_as(form).unwrap().expose(), der);
                let signature = key.sign(&scheme, b"message").unwrap();
                embedded().public_key_from_der(&public).unwrap().verify(&scheme, b"message", &signature).unwrap();
            }
        }
        let der = block(&folder.join(format!("{name}.crt")));
        let certificate = Certificate::from_der(&der).unwrap();
        let tbs = certificate.tbs_certificate.as_bytes();
        let info = SubjectPublicKeyInfo::from_der(&public).unwrap();
        let signature = certificate.signature_value.octets().unwrap();
        verify(embedded(), &info, &certificate.signature_algorithm, tbs, signature).unwrap();
        let error = verify(embedded(), &info, &certificate.signature_algorithm, &tbs[1..], signature).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Signature);
    }
}

/// RFC 9881 §8.2 and RFC 9935 §8: forms that disagree, a hash that is another's.
#[test]
fn bad_keys_are_refused() {
    let Some(folder) = corpora::set("lamps-pqc") else { return };
    let mut refused = Vec::new();
    for sub in ["ml-dsa", "ml-kem"] {
        let mut names: Vec<_> = fs::read_dir(folder.join(sub)).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.starts_with("bad-") || !name.ends_with(".priv") {
                continue;
            }
            let kind = embedded().private_key_from_pkcs8(&block(&path)).unwrap_err().kind();
            for backend in others() {
                assert!(backend.private_key_from_pkcs8(&block(&path)).is_err(), "{name} {}", backend.name());
            }
            refused.push((name, kind));
        }
    }
    let refused: Vec<_> = refused.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    use ErrorKind::{Inconsistent, MalformedKey};
    assert_eq!(
        refused,
        [
            ("bad-ML-DSA-44-1.priv", Inconsistent),
            ("bad-ML-DSA-44-2.priv", MalformedKey),
            ("bad-ML-DSA-44-3.priv", MalformedKey),
            ("bad-ML-KEM-512-1.priv", Inconsistent),
            ("bad-ML-KEM-512-2.priv", Inconsistent),
            ("bad-ML-KEM-512-3.priv", Inconsistent),
            ("bad-ML-KEM-512-4.priv", Inconsistent),
        ]
    );
}

/// Seed, expanded key and both give one public key, that of the certificate, and find what it encapsulates.
#[test]
fn ml_kem_in_three_forms() {
    let Some(folder) = corpora::set("lamps-pqc/ml-kem") else { return };
    for (name, kind) in
        [("ML-KEM-512", KeyType::MlKem512), ("ML-KEM-768", KeyType::MlKem768), ("ML-KEM-1024", KeyType::MlKem1024)]
    {
        let public = block(&folder.join(format!("{name}.pub")));
        let forms =
            [("seed", PostQuantumForm::Seed), ("expanded", PostQuantumForm::Expanded), ("both", PostQuantumForm::Both)];
        for (suffix, form) in forms {
            let der = block(&folder.join(format!("{name}-{suffix}.priv")));
            for backend in all() {
                if backend.name() != "aws-lc" && !backend.generates(kind) {
                    let error = backend.private_key_from_pkcs8(&der).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::NotOffered, "{name} {}: {error}", backend.name());
                    continue;
                }
                let key = backend.private_key_from_pkcs8(&der).unwrap();
                assert_eq!((key.key_type(), key.public_key_info()), (kind, &public[..]), "{name} {suffix}");
                assert_eq!(key.to_pkcs8_as(form).unwrap().expose(), der);
                let (ciphertext, secret) = embedded().public_key_from_der(&public).unwrap().encapsulate().unwrap();
                assert_eq!(key.decapsulate(&ciphertext).unwrap().expose(), secret.expose());
            }
        }
    }
}

fn openssl(folder: &Path, args: &[&str]) {
    let output = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn has_openssl() -> bool {
    let found = Command::new("openssl").arg("version").output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("CI").is_none_or(|ci| ci != "true"), "there is no openssl command");
    found
}

const KINDS: [(KeyType, &[&str]); 8] = [
    (KeyType::Rsa(2048), &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
    (KeyType::P256, &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
    (KeyType::P384, &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
    (KeyType::P521, &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"]),
    (KeyType::Ed25519, &["-algorithm", "ED25519"]),
    (KeyType::X25519, &["-algorithm", "X25519"]),
    (KeyType::Ed448, &["-algorithm", "ED448"]),
    (KeyType::X448, &["-algorithm", "X448"]),
];

/// What the command makes and encrypts is read, and what is written it reads; signatures both ways.
#[test]
fn keys_and_signatures_of_openssl() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    fs::write(folder.join("message"), b"message").unwrap();
    for (backend, (kind, made)) in all().into_iter().flat_map(|backend| KINDS.map(|row| (backend, row))) {
        // A private key may be of use where none is made.
        let used =
            backend.generates(kind) || Scheme::preferred(kind).is_some_and(|scheme| backend.signs(&scheme, kind));
        openssl(folder, &[&["genpkey", "-out", "pem"], made].concat());
        openssl(folder, &["pkcs8", "-topk8", "-nocrypt", "-in", "pem", "-outform", "DER", "-out", "key"]);
        openssl(folder, &["pkey", "-inform", "DER", "-in", "key", "-pubout", "-outform", "DER", "-out", "public"]);
        let key = match backend.private_key_from_pkcs8(&file("key")) {
            Err(error) if !used => {
                assert_eq!(error.kind(), ErrorKind::NotOffered, "{kind} {}: {error}", backend.name());
                continue;
            }
            key => key.unwrap(),
        };
        assert_eq!((key.key_type(), key.public_key_info()), (kind, &file("public")[..]));

        let options = PasswordOptions { iterations: 2048, ..PasswordOptions::DEFAULT };
        for args in [&["-v2", "aes-256-cbc"][..], &["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"]] {
            let topk8 =
                ["pkcs8", "-topk8", "-inform", "DER", "-in", "key", "-outform", "DER", "-passout", "pass:secret"];
            openssl(folder, &[&topk8[..], args, &["-out", "encrypted"]].concat());
            let read = decrypt_key(backend, &file("encrypted"), b"secret", &options).unwrap();
            assert_eq!(backend.private_key(&read).unwrap().public_key_info(), file("public"));
            let error = decrypt_key(backend, &file("encrypted"), b"wrong", &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Integrity);
        }
        let ours = encrypt_key(backend, &key.to_pkcs8().unwrap(), b"secret", &options).unwrap();
        fs::write(folder.join("ours"), ours).unwrap();
        let pkey = ["pkey", "-inform", "DER", "-in", "ours", "-passin", "pass:secret", "-pubout", "-outform", "DER"];
        openssl(folder, &[&pkey[..], &["-out", "again"]].concat());
        assert_eq!(file("again"), file("public"));

        let Some(scheme) = Scheme::preferred(kind) else { continue };
        let pss = Scheme::RsaPss(PssParameters::of(Digest::Sha384));
        let digest = scheme.digest().map(|digest| format!("-{}", digest.name().replace('-', "").to_lowercase()));
        let plain: Vec<&str> =
            digest.as_deref().map_or(vec!["-rawin"], |digest| vec!["-rawin", "-digest", &digest[1..]]);
        let mut ways = vec![(scheme, plain)];
        if matches!(kind, KeyType::Rsa(_)) {
            let options = [
                "-rawin",
                "-digest",
                "sha384",
                "-pkeyopt",
                "rsa_padding_mode:pss",
                "-pkeyopt",
                "rsa_pss_saltlen:digest",
            ];
            ways.push((pss, options.to_vec()));
        }
        let signer = KeySigner::new(key.clone(), scheme).unwrap();
        assert_eq!(signer.key().key_type(), kind);
        for (scheme, args) in ways {
            fs::write(folder.join("signature"), key.sign(&scheme, b"message").unwrap()).unwrap();
            let common = ["-in", "message", "-keyform", "DER"];
            let check = ["pkeyutl", "-verify", "-pubin", "-inkey", "public", "-sigfile", "signature"];
            openssl(folder, &[&check[..], &common, &args].concat());
            openssl(folder, &[&["pkeyutl", "-sign", "-inkey", "key", "-out", "theirs"], &common[..], &args].concat());
            backend.public_key_from_der(&file("public")).unwrap().verify(&scheme, b"message", &file("theirs")).unwrap();
        }
    }
}
