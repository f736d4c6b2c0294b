//! RSAES-OAEP with two digests in messages: between backends, and between each of them and the `openssl` command.
#![cfg(any(feature = "aws-lc", feature = "openssl", feature = "nss"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use tagwise_codec::{Decode, pem};
use tagwise_crypto::backends::all;
use tagwise_crypto::cms::{
    CmsError, DecryptOptions, EncryptOptions, Identifier, RecipientKey, Unlock, decrypt, encrypt,
};
use tagwise_crypto::{
    Backend, Cipher, Digest, ErrorKind, KeySigner, KeyTransport, KeyType, OaepParameters, PrivateKey, PrivateKeyInfo,
    Scheme, Signer,
};
use tagwise_pkix::build::{self, SerialNumber};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, TbsCertificate, Time, UnixTime, Validity, Version,
};

const CONTENT: &[u8] = b"what only one is to read";

/// Two digests: Java's `OAEPWithSHA-256AndMGF1Padding` first, and what the command calls them.
const TWO: [(OaepParameters, &str, &str); 3] = [
    (OaepParameters { digest: Digest::Sha256, mask: Digest::Sha1 }, "sha256", "sha1"),
    (OaepParameters { digest: Digest::Sha1, mask: Digest::Sha256 }, "sha1", "sha256"),
    (OaepParameters { digest: Digest::Sha384, mask: Digest::Sha512 }, "sha384", "sha512"),
];

/// A key as PKCS #8, so that every backend reads the same, and a certificate of its own.
struct Holder {
    pkcs8: Vec<u8>,
    certificate: Vec<u8>,
}

impl Holder {
    fn new() -> Self {
        let key = all()[0].generate(KeyType::Rsa(2048)).unwrap();
        let pkcs8 = key.to_pkcs8().unwrap().expose().to_vec();
        let signer = KeySigner::new(key, Scheme::RsaPkcs1(Digest::Sha256)).unwrap();
        let name = NameBuf::parse("CN=Holder").unwrap();
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
        let certificate = tagwise_crypto::sign(&unsigned.unwrap(), &signer).unwrap();
        Self { pkcs8, certificate }
    }

    fn key(&self, backend: &dyn Backend) -> Arc<dyn PrivateKey> {
        backend.private_key(&PrivateKeyInfo::from_pkcs8(&self.pkcs8).unwrap()).unwrap()
    }

    fn seal(&self, backend: &dyn Backend, of: OaepParameters, cipher: Cipher) -> Result<Vec<u8>, CmsError> {
        let certificate = Certificate::from_der(&self.certificate).unwrap();
        let (identifier, transport) = (Identifier::IssuerAndSerialNumber, KeyTransport::Oaep(of));
        let to = [RecipientKey::Certificate { certificate: &certificate, identifier, transport }];
        encrypt(backend, CONTENT, &to, &EncryptOptions { cipher, ..EncryptOptions::DEFAULT })
    }

    /// The message is read where the backend has its digests, and else it says that it has not.
    fn opens(&self, backend: &dyn Backend, of: OaepParameters, message: &[u8]) {
        let certificate = Certificate::from_der(&self.certificate).unwrap();
        let key = self.key(backend);
        let unlock = Unlock::PrivateKey { key: key.as_ref(), certificate: Some(&certificate) };
        let opened = decrypt(backend, message, None, &unlock, &DecryptOptions::DEFAULT);
        if backend.transports(KeyTransport::Oaep(of)) {
            assert_eq!(opened.unwrap().content.expose(), CONTENT, "{} {of:?}", backend.name());
        } else {
            assert_eq!(kind_of(opened), ErrorKind::NotOffered, "{} {of:?}", backend.name());
        }
    }
}

fn kind_of<T: std::fmt::Debug>(result: Result<T, CmsError>) -> ErrorKind {
    match result.unwrap_err() {
        CmsError::Crypto(error) => error.kind(),
        error => panic!("{error}"),
    }
}

#[test]
fn messages_between_backends() {
    let holder = Holder::new();
    let mut sealed = 0;
    for (of, ..) in TWO {
        for one in all() {
            let message = holder.seal(one, of, Cipher::Aes256Gcm).unwrap();
            all().into_iter().for_each(|other| holder.opens(other, of, &message));
            sealed += 1;
        }
    }
    assert_eq!(sealed, TWO.len() * all().len());
}

/// A key that another digest or mask hid is not found, and nothing tells which of them it was.
#[test]
fn digests_are_not_exchanged() {
    for backend in all() {
        let key = backend.generate(KeyType::Rsa(2048)).unwrap();
        let public = backend.public_key_from_der(key.public_key_info()).unwrap();
        let sent = public.encrypt(KeyTransport::Oaep(TWO[0].0), b"a key").unwrap();
        let read = |digest, mask| key.decrypt(KeyTransport::Oaep(OaepParameters { digest, mask }), &sent);
        assert_eq!(read(Digest::Sha256, Digest::Sha1).unwrap().expose(), b"a key");
        for (digest, mask) in
            [(Digest::Sha256, Digest::Sha256), (Digest::Sha1, Digest::Sha1), (Digest::Sha1, Digest::Sha256)]
        {
            assert_eq!(read(digest, mask).unwrap_err().kind(), ErrorKind::Integrity, "{}", backend.name());
        }
    }
}

fn openssl(folder: &Path, args: &[&str]) {
    let output = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "openssl {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn messages_of_the_command() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let holder = Holder::new();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("content"), CONTENT).unwrap();
    fs::write(folder.join("pem"), pem::encode("CERTIFICATE", &holder.certificate).unwrap()).unwrap();
    fs::write(folder.join("key"), pem::encode("PRIVATE KEY", &holder.pkcs8).unwrap()).unwrap();
    for (of, digest, mask) in TWO {
        let (digest, mask) = (format!("rsa_oaep_md:{digest}"), format!("rsa_mgf1_md:{mask}"));
        let encrypt = ["cms", "-encrypt", "-binary", "-in", "content", "-outform", "DER", "-out", "message", "-aes256"];
        let how = ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", &digest, "-keyopt", &mask];
        openssl(folder, &[&encrypt[..], &["-recip", "pem"], &how].concat());
        let message = fs::read(folder.join("message")).unwrap();
        all().into_iter().for_each(|backend| holder.opens(backend, of, &message));

        for backend in all().into_iter().filter(|backend| backend.transports(KeyTransport::Oaep(of))) {
            fs::write(folder.join("message"), holder.seal(backend, of, Cipher::Aes128Cbc).unwrap()).unwrap();
            let decrypt = ["cms", "-decrypt", "-binary", "-in", "message", "-inform", "DER", "-out", "out"];
            openssl(folder, &[&decrypt[..], &["-inkey", "key", "-recip", "pem"]].concat());
            assert_eq!(fs::read(folder.join("out")).unwrap(), CONTENT, "{} {of:?}", backend.name());
        }
    }
}
