//! Keys in a token: SoftHSM's, in a folder of the test's own, found by URI and used from many threads.
#![cfg(all(feature = "pkcs11", feature = "aws-lc"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use tagwise_codec::Decode;
use tagwise_crypto::backends::{all, named};
use tagwise_crypto::pkcs11::Module;
use tagwise_crypto::{
    Digest, Error, ErrorKind, KeySigner, KeyType, PostQuantumForm, PrivateKey, PssParameters, Scheme, Secret, Signer,
};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::pkcs11::Pkcs11Uri;

const PIN: &[u8] = b"1234";

/// SoftHSM's library, if it is there.
fn library() -> Option<PathBuf> {
    let places =
        ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/softhsm/libsofthsm2.so", "/usr/lib/pkcs11/libsofthsm2.so"];
    let found = places.into_iter().map(PathBuf::from).find(|path| path.exists());
    if found.is_none() {
        tagwise_testing::skip("no SoftHSM");
    }
    found
}

fn util(folder: &Path, args: &[&str]) {
    let output = Command::new("softhsm2-util").env("SOFTHSM2_CONF", folder.join("conf")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

const KINDS: [KeyType; 4] = [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::Rsa(2048)];

/// Two tokens: an empty one, and one with a key of each kind, made by the embedded backend and brought in as PKCS #8. The public
/// keys stand beside them.
fn tokens(folder: &Path) {
    let place = folder.join("tokens");
    fs::create_dir(&place).unwrap();
    let conf = format!("directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n", place.display());
    fs::write(folder.join("conf"), conf).unwrap();
    for label in ["Tagwise CA", "another"] {
        util(folder, &["--init-token", "--free", "--label", label, "--pin", "1234", "--so-pin", "5678"]);
    }
    let embedded = named("aws-lc").unwrap();
    for (kind, id) in KINDS.into_iter().zip(1..) {
        let key = embedded.generate(kind).unwrap();
        let file = folder.join("key.pem");
        fs::write(&file, tagwise_codec::pem::encode("PRIVATE KEY", key.to_pkcs8().unwrap().expose()).unwrap()).unwrap();
        let (file, id) = (file.to_str().unwrap(), format!("{id:02x}"));
        util(folder, &["--import", file, "--token", "Tagwise CA", "--pin", "1234", "--label", "key", "--id", &id]);
        fs::write(folder.join(id), key.public_key_info()).unwrap();
    }
}

fn uri(text: &str) -> Pkcs11Uri {
    text.parse().unwrap()
}

fn pin(_: &str) -> Result<Secret, Error> {
    Ok(Secret::from(PIN))
}

/// The module reads its configuration from the environment when it begins, and a process must not change its own: so the
/// test runs itself once more, in an environment that has the token.
#[test]
fn keys_of_a_token() {
    let Some(library) = library() else { return };
    if let Some(folder) = std::env::var_os("TAGWISE_TEST_TOKEN") {
        return inside(&library, Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    tokens(folder.path());
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "keys_of_a_token"])
        .env("SOFTHSM2_CONF", folder.path().join("conf"))
        .env("TAGWISE_TEST_TOKEN", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn inside(library: &Path, folder: &Path) {
    let module = Module::load(library).unwrap();
    assert!(format!("{module:?}").contains("softhsm"));
    // Loading it twice is no fault.
    let module_again = Module::of_uri(&uri(&format!("pkcs11:?module-path={}", library.display()))).unwrap();

    let embedded = named("aws-lc").unwrap();
    for (kind, id) in KINDS.into_iter().zip(1..) {
        let asked = AtomicUsize::new(0);
        let wanted = uri(&format!("pkcs11:token=Tagwise%20CA;object=key;id=%0{id}"));
        let counted = |token: &str| {
            assert_eq!(token, "Tagwise CA");
            asked.fetch_add(1, Ordering::Relaxed);
            pin(token)
        };
        let key = module.private_key(&wanted, counted).unwrap();
        assert_eq!((key.key_type(), asked.load(Ordering::Relaxed)), (kind, 1));
        assert_eq!(key.public_key_info(), fs::read(folder.join(format!("0{id}"))).unwrap());
        let mut schemes = vec![Scheme::preferred(kind).unwrap()];
        if kind == KeyType::Rsa(2048) {
            schemes.push(Scheme::RsaPkcs1(Digest::Sha512));
            schemes.push(Scheme::RsaPss(PssParameters::of(Digest::Sha384)));
        }
        for scheme in schemes {
            let signature = key.sign(&scheme, b"message").unwrap();
            for backend in all() {
                let public = backend.public_key_from_der(key.public_key_info()).unwrap();
                public.verify(&scheme, b"message", &signature).unwrap();
                assert_eq!(public.verify(&scheme, b"other", &signature).unwrap_err().kind(), ErrorKind::Signature);
            }
        }
        stays(&*key);
        if matches!(kind, KeyType::Rsa(_)) {
            continue;
        }
        let peer = embedded.generate(kind).unwrap();
        let of_peer = SubjectPublicKeyInfo::from_der(peer.public_key_info()).unwrap();
        let of_key = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
        match key.agree(&of_peer) {
            Ok(shared) => assert_eq!(shared.expose(), peer.agree(&of_key).unwrap().expose()),
            // Keys that were brought in may be for signatures alone.
            Err(error) => assert!(matches!(error.kind(), ErrorKind::MalformedKey | ErrorKind::NotOffered), "{error}"),
        }
    }
    threads(&module_again);
    refusals(&module);
}

/// The private octets do not leave.
fn stays(key: &dyn PrivateKey) {
    let error = key.to_pkcs8().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotOffered);
    assert!(error.to_string().ends_with("is not offered by pkcs11"), "{error}");
    assert_eq!(key.to_pkcs8_as(PostQuantumForm::Seed).unwrap_err().kind(), ErrorKind::NotOffered);
    assert_eq!(key.sign(&Scheme::MlDsa44, b"").unwrap_err().kind(), ErrorKind::WrongKey);
    assert_eq!(key.decapsulate(&[]).unwrap_err().kind(), ErrorKind::WrongKey);
    assert!(format!("{key:?}").contains("pkcs11"));
}

/// One key signs in many threads, each in a session of its own.
fn threads(module: &Module) {
    let key = module
        .private_key(&uri("pkcs11:token=Tagwise%20CA;id=%01?pin-value=1234"), |_| panic!("the URI has it"))
        .unwrap();
    let signer = KeySigner::preferred(key).unwrap();
    let public = all()[0].public_key_from_der(signer.public_key_info()).unwrap();
    std::thread::scope(|threads| {
        for thread in 0..8_u8 {
            let (signer, public) = (&signer, &public);
            threads.spawn(move || {
                for number in 0..20_u8 {
                    let signature = signer.sign(&[thread, number]).unwrap();
                    public.verify(signer.scheme(), &[thread, number], &signature).unwrap();
                }
            });
        }
    });
}

fn refusals(module: &Module) {
    let refused = |text: &str| module.private_key(&uri(text), pin).unwrap_err();
    for (text, says) in [
        ("pkcs11:token=nobody", "the PKCS #11 URI (no matching token) has invalid parameters (pkcs11)"),
        ("pkcs11:object=key;id=%01", "the PKCS #11 URI (2 matching tokens) has invalid parameters (pkcs11)"),
        (
            "pkcs11:token=another;object=key",
            "the PKCS #11 URI (no matching private key) has invalid parameters (pkcs11)",
        ),
        (
            "pkcs11:token=Tagwise%20CA;object=key",
            "the PKCS #11 URI (4 matching private keys) has invalid parameters (pkcs11)",
        ),
    ] {
        let error = refused(text);
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Parameters, says.to_owned()));
    }
    // Nobody is logged in at that token: its PIN is asked for, and what the caller says comes through.
    let empty = uri("pkcs11:token=another");
    let error = module.private_key(&empty, |_| Err(Error::new(ErrorKind::Limit, "asking"))).unwrap_err();
    assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Limit, "asking"));
    let error = module.private_key(&empty, |_| Ok(Secret::from(b"9999".as_slice()))).unwrap_err();
    assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Integrity, "the PIN of another"));
    assert!(!format!("{error:?} {error}").contains("9999"));
    let missing = Module::load(Path::new("/nonexistent/module.so")).unwrap_err();
    assert_eq!((missing.kind(), missing.algorithm()), (ErrorKind::Failed, "/nonexistent/module.so"));
    assert_eq!(Module::of_uri(&uri("pkcs11:object=key")).unwrap_err().kind(), ErrorKind::Parameters);
}
