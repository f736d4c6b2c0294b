//! Keys that are seldom met: curves that AWS-LC has no constants for, keys restricted to RSASSA-PSS, large RSA keys, and every
//! cipher of traditional PEM; each with files of the `openssl` command.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{
    Backend as _, Curve, Digest, ErrorKind, KeySigner, KeyTransport, KeyType, PasswordOptions, PrivateKey,
    PssParameters, Scheme, Signer as _, private_key_from_pem,
};

const BACKEND: AwsLc = AwsLc::new();

fn openssl(folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn available() -> bool {
    tagwise_testing::tool("openssl", &["version"])
}

fn key(text: &[u8], password: Option<&[u8]>) -> Arc<dyn PrivateKey> {
    let info = private_key_from_pem(&BACKEND, text, password, &PasswordOptions::DEFAULT).unwrap();
    BACKEND.private_key(&info).unwrap()
}

const CURVES: [(&str, Curve); 10] = [
    ("prime192v1", Curve::P192),
    ("brainpoolP160r1", Curve::BrainpoolP160r1),
    ("brainpoolP160t1", Curve::BrainpoolP160t1),
    ("brainpoolP192r1", Curve::BrainpoolP192r1),
    ("brainpoolP192t1", Curve::BrainpoolP192t1),
    ("brainpoolP224t1", Curve::BrainpoolP224t1),
    ("brainpoolP256t1", Curve::BrainpoolP256t1),
    ("brainpoolP320t1", Curve::BrainpoolP320t1),
    ("brainpoolP384t1", Curve::BrainpoolP384t1),
    ("brainpoolP512t1", Curve::BrainpoolP512t1),
];

#[test]
fn signatures_on_rare_curves() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("message"), b"what is signed").unwrap();
    for (name, curve) in CURVES {
        let kind = KeyType::Curve(curve);
        openssl(folder.path(), &["ecparam", "-name", name, "-genkey", "-noout", "-out", "key.pem"]);
        openssl(folder.path(), &["dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message"]);
        let signature = fs::read(folder.path().join("signature")).unwrap();
        let text = fs::read(folder.path().join("key.pem")).unwrap();
        // The public half in the key is compared with the computed one.
        let key = key(&text, None);
        assert_eq!(key.key_type(), kind, "{name}");
        let public = BACKEND.public_key_from_der(key.public_key_info()).unwrap();
        let scheme = Scheme::Ecdsa(Digest::Sha256);
        assert!(BACKEND.verifies(&scheme, kind));
        public.verify(&scheme, b"what is signed", &signature).unwrap();
        let wrong = public.verify(&scheme, b"what is Signed", &signature).unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Signature, "{name}");
        // Below 112 bits of strength, nothing new is signed (SP 800-131A rev. 2 §3).
        if kind.is_legacy() {
            assert_eq!(key.sign(&scheme, b"new").unwrap_err().kind(), ErrorKind::KeySize, "{name}");
            assert!(!BACKEND.signs(&scheme, kind) && !BACKEND.generates(kind));
            continue;
        }
        fs::write(folder.path().join("ours"), key.sign(&scheme, b"what is signed").unwrap()).unwrap();
        openssl(folder.path(), &["dgst", "-sha256", "-prverify", "key.pem", "-signature", "ours", "message"]);
        let other = BACKEND.generate(kind).unwrap();
        let peer = tagwise_codec::Decode::from_der(other.public_key_info()).unwrap();
        let own = tagwise_codec::Decode::from_der(key.public_key_info()).unwrap();
        assert_eq!(key.agree(&peer).unwrap().expose(), other.agree(&own).unwrap().expose());
    }
}

/// RFC 4055 §1.2, §3.3: the parameters of the key bind its signatures.
#[test]
fn keys_restricted_to_pss() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("message"), b"what is signed").unwrap();
    let least = ["-pkeyopt", "rsa_pss_keygen_md:sha384", "-pkeyopt", "rsa_pss_keygen_mgf1_md:sha256"];
    let least = [&least[..], &["-pkeyopt", "rsa_pss_keygen_saltlen:20"]].concat();
    for (options, bound) in [(&[][..], None), (&least, Some((Digest::Sha384, Digest::Sha256, 20)))] {
        let args = ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "key.pem"];
        openssl(folder.path(), &[&args[..], options].concat());
        let key = key(&fs::read(folder.path().join("key.pem")).unwrap(), None);
        let der = pem::first(&["PUBLIC KEY"], &openssl(folder.path(), &["pkey", "-in", "key.pem", "-pubout"])).unwrap();
        assert_eq!(key.public_key_info(), der);
        let preferred = key.preferred_scheme().unwrap();
        let (digest, mask, salt) = bound.unwrap_or((Digest::Sha256, Digest::Sha256, 0));
        let salt_len = salt.max(digest.output_len() as u16);
        assert_eq!(preferred, Scheme::RsaPss(PssParameters { digest, mask, salt_len }));
        let signer = KeySigner::preferred(Arc::clone(&key)).unwrap();
        fs::write(folder.path().join("ours"), signer.sign(b"what is signed").unwrap()).unwrap();
        let digest_arg = format!("-{digest}").replace("SHA-", "sha");
        let mgf = format!("rsa_mgf1_md:{mask}").replace("SHA-", "sha");
        let salt = format!("rsa_pss_saltlen:{salt_len}");
        let args = ["dgst", &digest_arg, "-sigopt", &mgf, "-sigopt", &salt, "-prverify", "key.pem"];
        openssl(folder.path(), &[&args[..], &["-signature", "ours", "message"]].concat());
        // Other schemes, other digests, and shorter salts.
        let refused = |scheme| key.sign(&scheme, b"what is signed").map(|_| ()).map_err(|error| error.kind());
        assert_eq!(refused(Scheme::RsaPkcs1(Digest::Sha256)), Err(ErrorKind::WrongKey));
        if bound.is_some() {
            let parameters = PssParameters { digest, mask, salt_len: 19 };
            assert_eq!(refused(Scheme::RsaPss(parameters)), Err(ErrorKind::WrongKey));
            assert_eq!(refused(Scheme::RsaPss(PssParameters::of(Digest::Sha256))), Err(ErrorKind::WrongKey));
            assert_eq!(refused(Scheme::RsaPss(PssParameters { salt_len: 20, ..parameters })), Ok(()));
        }
        assert_eq!(key.decrypt(KeyTransport::Pkcs1, &[0; 256]).unwrap_err().kind(), ErrorKind::WrongKey);
        // The restriction stays in the key.
        assert_eq!(BACKEND.private_key_from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap().public_key_info(), der);
    }
}

/// aws-lc-rs ends at 8,192 bits, and the library at 16,384.
#[test]
fn large_rsa_keys_verify() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("message"), b"what is signed").unwrap();
    // Many small primes are found faster than two large ones.
    openssl(folder.path(), &["genrsa", "-primes", "5", "-out", "key.pem", "8448"]);
    openssl(folder.path(), &["dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message"]);
    let text = openssl(folder.path(), &["pkey", "-in", "key.pem", "-pubout"]);
    let public = BACKEND.public_key_from_der(&pem::first(&["PUBLIC KEY"], &text).unwrap()).unwrap();
    assert_eq!(public.key_type(), KeyType::Rsa(8448));
    let signature = fs::read(folder.path().join("signature")).unwrap();
    let scheme = Scheme::RsaPkcs1(Digest::Sha256);
    public.verify(&scheme, b"what is signed", &signature).unwrap();
    assert_eq!(public.verify(&scheme, b"another", &signature).unwrap_err().kind(), ErrorKind::Signature);
    let key = key(&fs::read(folder.path().join("key.pem")).unwrap(), None);
    public.verify(&scheme, b"ours", &key.sign(&scheme, b"ours").unwrap()).unwrap();
}

#[test]
fn ciphers_of_traditional_pem() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    openssl(folder.path(), &["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "ec.pem"]);
    openssl(folder.path(), &["genrsa", "-out", "rsa.pem", "2048"]);
    let legacy = ["-provider", "legacy", "-provider", "default"];
    let listed = openssl(folder.path(), &[&["list", "-cipher-algorithms"][..], &legacy].concat());
    let has_idea = String::from_utf8_lossy(&listed).contains("IDEA-CBC");
    let plain = |name: &str| key(&fs::read(folder.path().join(name)).unwrap(), None).public_key_info().to_vec();
    for (command, name) in [("ec", "ec.pem"), ("rsa", "rsa.pem")] {
        for cipher in [
            "-aes128",
            "-aes192",
            "-aes256",
            "-des3",
            "-des",
            "-idea",
            "-camellia128",
            "-camellia192",
            "-camellia256",
            "-aria128",
            "-aria192",
            "-aria256",
        ] {
            // Debian's OpenSSL has no IDEA.
            if cipher == "-idea" && !has_idea {
                continue;
            }
            let args = ["-in", name, cipher, "-passout", "pass:secret", "-out", "encrypted.pem"];
            let args = if command == "rsa" { [&args[..], &["-traditional"]].concat() } else { args.to_vec() };
            openssl(folder.path(), &[&[command][..], &legacy, &args].concat());
            let text = fs::read(folder.path().join("encrypted.pem")).unwrap();
            assert!(String::from_utf8_lossy(&text).contains("DEK-Info"), "{cipher}");
            assert_eq!(key(&text, Some(b"secret")).public_key_info(), plain(name), "{cipher}");
            let wrong = private_key_from_pem(&BACKEND, &text, Some(b"wrong"), &PasswordOptions::DEFAULT);
            assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Integrity, "{cipher}");
        }
    }
}
