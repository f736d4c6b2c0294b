//! Composite ML-DSA and SLH-DSA as another implementation writes them: keys are read, signatures verify, in contexts too.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::backends::all;
use tagwise_crypto::{
    Backend, Composite, Error, ErrorKind, KeyType, PrivateKey, PrivateKeyInfo, PublicKey, Scheme, SlhDsa,
};
use tagwise_pkix::SubjectPublicKeyInfo;

const MESSAGE: &[u8] = b"The quick brown fox jumps over the lazy dog.";
const CONTEXT: &[u8] = b"a context";

/// One backend, or two that do it together, the first for what is post-quantum.
#[derive(Clone, Copy)]
enum By {
    One(&'static dyn Backend),
    Pair(Composite<'static>),
}

/// Every pair of backends.
fn pairs() -> impl Iterator<Item = By> {
    all().into_iter().flat_map(|one| all().into_iter().map(move |other| By::Pair(Composite::new(one, other))))
}

fn public(by: By, der: &[u8]) -> Result<Arc<dyn PublicKey>, Error> {
    match by {
        By::Pair(pair) => pair.public_key(&SubjectPublicKeyInfo::from_der(der).unwrap()),
        By::One(backend) => backend.public_key_from_der(der),
    }
}

fn private(by: By, der: &[u8]) -> Result<Arc<dyn PrivateKey>, Error> {
    let info = PrivateKeyInfo::from_pkcs8(der)?;
    match by {
        By::Pair(pair) => pair.private_key(&info),
        By::One(backend) => backend.private_key(&info),
    }
}

/// One key: what was signed with it verifies, and what it signs here.
fn check(by: By, path: &Path) -> Result<(), Error> {
    let file = |kind: &str| fs::read(path.with_extension(kind));
    let der = file("pub").unwrap();
    let public = public(by, &der)?;
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let scheme = match public.key_type() {
        KeyType::SlhDsa(set) if name.contains("-WITH-") => Scheme::HashSlhDsa(set),
        key => Scheme::preferred(key).unwrap(),
    };
    for (signature, context) in [(file("sig"), &b""[..]), (file("ctxsig"), CONTEXT)] {
        let Ok(mut signature) = signature else { continue };
        public
            .verify_with_context(&scheme, context, MESSAGE, &signature)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let refused = |context: &[u8], message: &[u8], signature: &[u8]| {
            let error = public.verify_with_context(&scheme, context, message, signature).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Signature, "{name}");
        };
        refused(b"another", MESSAGE, &signature);
        refused(context, b"another", &signature);
        refused(context, MESSAGE, &signature[..1000]);
        // Each half counts.
        for at in [40, signature.len() - 20] {
            signature[at] ^= 1;
            refused(context, MESSAGE, &signature);
            signature[at] ^= 1;
        }
    }
    let der = file("priv").unwrap();
    let private = private(by, &der)?;
    assert_eq!(private.public_key_info(), file("pub").unwrap(), "{name}");
    assert_eq!(private.to_pkcs8().unwrap().expose(), der, "{name}");
    // Without optimization that takes a minute with SHAKE.
    if matches!(public.key_type(), KeyType::SlhDsa(SlhDsa::Shake128f)) {
        return Ok(());
    }
    let signature = private.sign_with_context(&scheme, CONTEXT, MESSAGE)?;
    public.verify_with_context(&scheme, CONTEXT, MESSAGE, &signature)
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "pub"));
    files.sort();
    files
}

/// With whichever pair of backends offers both halves; each is offered by one pair at least where OpenSSL is there.
#[test]
fn composite_signatures_of_another() {
    for path in files().iter().filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("MLDSA")) {
        let mut done = 0;
        for pair in pairs() {
            match check(pair, path) {
                Ok(()) => done += 1,
                Err(error) => assert_eq!(error.kind(), ErrorKind::NotOffered, "{}: {error}", path.display()),
            }
        }
        assert!(done > 0 || all().len() == 1, "{}", path.display());
    }
}

#[test]
fn slh_dsa_of_another() {
    let mut done = 0;
    for path in files().iter().filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("SLH")) {
        let key = KeyType::SlhDsa(SlhDsa::Sha2_128f);
        for backend in all().into_iter().filter(|backend| backend.generates(key)) {
            check(By::One(backend), path)
                .unwrap_or_else(|error| panic!("{} {}: {error}", backend.name(), path.display()));
            done += 1;
        }
    }
    assert!(done >= 2);
}

/// FIPS 205 algorithm 18: a public half that the seeds do not make. Computing it takes as long as a signature, so that the first one tells.
#[test]
fn slh_dsa_keys_that_do_not_belong_together() {
    let path = files().into_iter().find(|path| path.to_str().unwrap().contains("SLH-DSA-SHA2-128F")).unwrap();
    let mut der = fs::read(path.with_extension("priv")).unwrap();
    *der.last_mut().unwrap() ^= 1;
    let key = KeyType::SlhDsa(SlhDsa::Sha2_128f);
    let offering: Vec<_> = all().into_iter().filter(|backend| backend.generates(key)).map(By::One).collect();
    assert!(!offering.is_empty());
    for by in &offering {
        let signed = private(*by, &der).and_then(|key| key.sign(&Scheme::SlhDsa(SlhDsa::Sha2_128f), b"said"));
        assert_eq!(signed.unwrap_err().kind(), ErrorKind::Inconsistent);
    }
    der.pop();
    for by in offering {
        assert_eq!(private(by, &der).unwrap_err().kind(), ErrorKind::MalformedKey);
    }
    assert_eq!("SLH-DSA-SHA2-128F".parse::<KeyType>().unwrap(), key);
}
