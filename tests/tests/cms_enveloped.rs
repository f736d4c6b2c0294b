//! Encrypted messages with keys: what is encrypted here the `openssl` command decrypts, and what it encrypts is decrypted here, for
//! every kind of recipient and cipher that it knows; wrong keys, changed messages and unsupported algorithms are told.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tagwise_codec::{Decode, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::cms::{
    CmsError, DecryptOptions, Decrypted, EncryptOptions, Identifier, RecipientKey, Unlock, authenticate, decrypt,
    encrypt, encrypt_with_key, verify_mac,
};
use tagwise_crypto::{
    Backend, Cipher, CompositeMlKem, Digest, ErrorKind, KeySigner, KeyTransport, KeyType, OaepParameters,
    PasswordOptions, PrivateKey, PrivateKeyInfo, Scheme, Signer,
};
use tagwise_pkix::build::{ExtensionList, KeyIdentifierMethod};
use tagwise_pkix::cms::ContentInfo;
use tagwise_pkix::ext::SubjectKeyIdentifier;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo};
use tagwise_tests::{corpora, openssl};

const BACKEND: AwsLc = AwsLc::new();
const CONTENT: &[u8] = b"what only some are to read";

/// A key and a certificate for it, which another key signs: some do not sign.
struct Holder {
    key: Arc<dyn PrivateKey>,
    certificate: Vec<u8>,
}

impl Holder {
    fn new(kind: KeyType, name: &str) -> Self {
        Self::of(BACKEND.generate(kind).unwrap(), name)
    }

    fn of(key: Arc<dyn PrivateKey>, name: &str) -> Self {
        let signer = KeySigner::new(BACKEND.generate(KeyType::P256).unwrap(), Scheme::Ecdsa(Digest::Sha256)).unwrap();
        let name = NameBuf::parse(&format!("CN={name}")).unwrap();
        let public = SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
        let identifier = KeyIdentifierMethod::Sha256.of(&public).unwrap();
        let mut list = ExtensionList::new();
        list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into())).unwrap();
        let extensions = list.extensions();
        let algorithm = signer.scheme().identifier().unwrap();
        let algorithm = AlgorithmIdentifier::from_der(&algorithm).unwrap();
        let unsigned = openssl::certificate_of(&name, public, algorithm, &extensions);
        let certificate = tagwise_crypto::sign(&unsigned, &signer).unwrap();
        Self { key, certificate }
    }

    fn certificate(&self) -> Certificate<'_> {
        Certificate::from_der(&self.certificate).unwrap()
    }

    /// Key and certificate as files, for the command.
    fn write(&self, folder: &Path, name: &str) {
        let pem = |label, der: &[u8]| tagwise_codec::pem::encode(label, der).unwrap();
        let key = pem("PRIVATE KEY", self.key.to_pkcs8().unwrap().expose());
        fs::write(folder.join(format!("{name}.key")), key).unwrap();
        fs::write(folder.join(format!("{name}.pem")), pem("CERTIFICATE", &self.certificate)).unwrap();
    }

    fn open(&self, message: &[u8]) -> Result<Decrypted, CmsError> {
        let certificate = self.certificate();
        let unlock = Unlock::PrivateKey { key: self.key.as_ref(), certificate: Some(&certificate) };
        decrypt(&BACKEND, message, None, &unlock, &DecryptOptions::DEFAULT)
    }
}

fn kind_of<T: std::fmt::Debug>(result: Result<T, CmsError>) -> ErrorKind {
    match result.unwrap_err() {
        CmsError::Crypto(error) => error.kind(),
        error => panic!("{error}"),
    }
}

const CIPHERS: [Cipher; 5] =
    [Cipher::Aes128Cbc, Cipher::Aes192Cbc, Cipher::Aes256Cbc, Cipher::Aes128Gcm, Cipher::Aes256Gcm];

#[test]
fn every_kind_of_recipient_reads_it() {
    let openssl = openssl::is_there();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let holders: Vec<_> = [
        ("rsa", KeyType::Rsa(2048)),
        ("p256", KeyType::P256),
        ("p384", KeyType::P384),
        ("p521", KeyType::P521),
        ("x25519", KeyType::X25519),
        ("ml-kem-512", KeyType::MlKem512),
        ("ml-kem-768", KeyType::MlKem768),
        ("ml-kem-1024", KeyType::MlKem1024),
        ("ml-kem-768-x25519", KeyType::CompositeMlKem(CompositeMlKem::MlKem768X25519)),
        ("ml-kem-768-rsa", KeyType::CompositeMlKem(CompositeMlKem::MlKem768Rsa2048)),
        ("ml-kem-1024-p384", KeyType::CompositeMlKem(CompositeMlKem::MlKem1024P384)),
    ]
    .map(|(name, kind)| (name, Holder::new(kind, name)))
    .into();
    holders.iter().for_each(|(name, holder)| holder.write(folder, name));
    let certificates: Vec<_> = holders.iter().map(|(_, holder)| holder.certificate()).collect();
    let stranger = Holder::new(KeyType::P256, "stranger");
    for cipher in CIPHERS {
        let options = EncryptOptions { cipher, ..EncryptOptions::DEFAULT };
        for identifier in [Identifier::IssuerAndSerialNumber, Identifier::SubjectKeyIdentifier] {
            for transport in [
                KeyTransport::Pkcs1,
                KeyTransport::Oaep(OaepParameters::of(Digest::Sha1)),
                KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)),
                KeyTransport::Oaep(OaepParameters::of(Digest::Sha384)),
                KeyTransport::Oaep(OaepParameters::of(Digest::Sha512)),
            ] {
                let one = |certificate| RecipientKey::Certificate { certificate, identifier, transport };
                let mut to: Vec<_> = certificates.iter().map(one).collect();
                to.push(RecipientKey::SharedKey { id: b"key", key: &[9; 24] });
                let password = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
                to.push(RecipientKey::Password { password: b"pass", options: password });
                let message = encrypt(&BACKEND, CONTENT, &to, &options).unwrap();
                assert_eq!(encode(&ContentInfo::from_der(&message).unwrap()).unwrap(), message);
                for (name, holder) in &holders {
                    let opened = holder.open(&message).unwrap_or_else(|error| panic!("{name} {cipher}: {error}"));
                    assert_eq!(opened.content.expose(), CONTENT);
                    assert_eq!(opened.authenticated, cipher.is_authenticated());
                    // Without the certificate, what is of the key's kind is tried.
                    let unlock = Unlock::PrivateKey { key: holder.key.as_ref(), certificate: None };
                    let opened = decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT);
                    assert_eq!(opened.unwrap().content.expose(), CONTENT, "{name}");
                }
                for unlock in [
                    Unlock::SharedKey { id: Some(b"key"), key: &[9; 24] },
                    Unlock::SharedKey { id: None, key: &[9; 24] },
                    Unlock::Password(b"pass"),
                ] {
                    let opened = decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT).unwrap();
                    assert_eq!(opened.content.expose(), CONTENT);
                }
                assert!(matches!(stranger.open(&message), Err(CmsError::NoRecipient)));
                for (unlock, expected) in [
                    (Unlock::SharedKey { id: None, key: &[8; 24] }, ErrorKind::Integrity),
                    (Unlock::Password(b"word"), ErrorKind::Integrity),
                ] {
                    assert_eq!(kind_of(decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT)), expected);
                }
            }
            // What the command reads: one recipient each, for it gives up at those that it does not know.
            if !openssl {
                continue;
            }
            for ((name, _), certificate) in holders.iter().zip(&certificates).take(4) {
                for transport in [KeyTransport::Pkcs1, KeyTransport::Oaep(OaepParameters::of(Digest::Sha256))] {
                    let to = [RecipientKey::Certificate { certificate, identifier, transport }];
                    let message = encrypt(&BACKEND, CONTENT, &to, &options).unwrap();
                    fs::write(folder.join("message"), &message).unwrap();
                    let (key, pem) = (format!("{name}.key"), format!("{name}.pem"));
                    let args = ["cms", "-decrypt", "-in", "message", "-inform", "DER", "-binary", "-out", "out"];
                    let _ = openssl::run(folder, &[&args[..], &["-inkey", &key, "-recip", &pem]].concat());
                    assert_eq!(fs::read(folder.join("out")).unwrap(), CONTENT, "{name} {cipher}");
                }
            }
        }
        if openssl {
            let args = ["cms", "-decrypt", "-in", "message", "-inform", "DER", "-binary", "-out", "out"];
            for len in [16, 24, 32] {
                let key = vec![0xAB; len];
                let to = [RecipientKey::SharedKey { id: &[1, 2], key: &key }];
                fs::write(folder.join("message"), encrypt(&BACKEND, CONTENT, &to, &options).unwrap()).unwrap();
                let hex = "ab".repeat(len);
                let _ = openssl::run(folder, &[&args[..], &["-secretkey", &hex, "-secretkeyid", "0102"]].concat());
                assert_eq!(fs::read(folder.join("out")).unwrap(), CONTENT, "{len} {cipher}");
            }
            let options_of = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
            let to = [RecipientKey::Password { password: b"pass", options: options_of }];
            fs::write(folder.join("message"), encrypt(&BACKEND, CONTENT, &to, &options).unwrap()).unwrap();
            let _ = openssl::run(folder, &[&args[..], &["-pwri_password", "pass"]].concat());
            assert_eq!(fs::read(folder.join("out")).unwrap(), CONTENT, "{cipher}");
        }
        if openssl && !cipher.is_authenticated() {
            let key = vec![0xCD; cipher.key_len()];
            let message = encrypt_with_key(&BACKEND, CONTENT, &key, &options).unwrap();
            fs::write(folder.join("message"), &message).unwrap();
            let hex = "cd".repeat(cipher.key_len());
            let args = ["cms", "-EncryptedData_decrypt", "-in", "message", "-inform", "DER", "-binary", "-out", "out"];
            let _ = openssl::run(folder, &[&args[..], &["-secretkey", &hex]].concat());
            assert_eq!(fs::read(folder.join("out")).unwrap(), CONTENT, "{cipher}");
        }
    }
}

#[test]
fn messages_of_openssl_decrypt() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("content"), CONTENT).unwrap();
    let base = ["cms", "-encrypt", "-in", "content", "-binary", "-outform", "DER", "-out", "message"];
    let holders =
        [("rsa", KeyType::Rsa(2048)), ("p256", KeyType::P256), ("p384", KeyType::P384), ("p521", KeyType::P521)]
            .map(|(name, kind)| (name, Holder::new(kind, name)));
    let run = |args: &[&str]| {
        let _ = openssl::run(folder, &[&base[..], args].concat());
        fs::read(folder.join("message")).unwrap()
    };
    let legacy = ["-provider", "legacy", "-provider", "default"];
    for (name, holder) in &holders {
        holder.write(folder, name);
        let pem = format!("{name}.pem");
        for cipher in ["-aes128", "-aes192", "-aes256", "-aes-128-gcm", "-aes-256-gcm", "-des3", "-rc2-cbc"] {
            // RC2 wraps keys for elliptic curves in a way of its own.
            if cipher == "-rc2-cbc" && *name != "rsa" {
                continue;
            }
            let oaep = ["-keyopt", "rsa_padding_mode:oaep"];
            let oaep_sha256 = ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256"];
            let kdf = ["-keyopt", "ecdh_kdf_md:sha384"];
            let options: &[&[&str]] = match *name {
                "rsa" => &[&[], &oaep, &oaep_sha256, &["-keyid"], &["-stream"]],
                _ => &[&[], &kdf, &["-keyid"], &["-stream"]],
            };
            for more in options {
                // Options of keys stand behind their certificates.
                let (before, after): (&[&str], &[&str]) =
                    if more.first() == Some(&"-keyopt") { (&[], more) } else { (more, &[]) };
                let args = [&legacy[..], &[cipher], before, &["-recip", &pem], after].concat();
                let message = run(&args);
                let opened = holder.open(&message).unwrap_or_else(|error| panic!("{name} {cipher} {more:?}: {error}"));
                assert_eq!(opened.content.expose(), CONTENT);
                assert_eq!(opened.authenticated, cipher.ends_with("gcm"));
            }
        }
    }
    for (bits, cipher) in [(16, "-aes128"), (24, "-aes192"), (32, "-aes256"), (32, "-aes-256-gcm")] {
        let hex = "ab".repeat(bits);
        let message = run(&[cipher, "-secretkey", &hex, "-secretkeyid", "0102"]);
        let key = vec![0xAB; bits];
        for id in [Some(&[1, 2][..]), None] {
            let unlock = Unlock::SharedKey { id, key: &key };
            let opened = decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT).unwrap();
            assert_eq!(opened.content.expose(), CONTENT);
        }
        let unlock = Unlock::SharedKey { id: Some(&[1]), key: &key };
        let other = decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT);
        assert!(matches!(other, Err(CmsError::NoRecipient)));
    }
    for cipher in ["-aes128", "-aes192", "-aes256", "-des3"] {
        let message = run(&[cipher, "-pwri_password", "pass"]);
        let open = |password| decrypt(&BACKEND, &message, None, &Unlock::Password(password), &DecryptOptions::DEFAULT);
        assert_eq!(open(b"pass").unwrap().content.expose(), CONTENT, "{cipher}");
        assert_eq!(kind_of(open(b"word")), ErrorKind::Integrity, "{cipher}");
    }
    for (bits, cipher) in [(16, "-aes128"), (32, "-aes256"), (24, "-des3")] {
        let hex = "cd".repeat(bits);
        let args = ["cms", "-EncryptedData_encrypt", "-in", "content", "-binary", "-outform", "DER", "-out", "message"];
        let _ = openssl::run(folder, &[&args[..], &[cipher, "-secretkey", &hex]].concat());
        let message = fs::read(folder.join("message")).unwrap();
        let key = vec![0xCD; bits];
        let opened = decrypt(&BACKEND, &message, None, &Unlock::ContentKey(&key), &DecryptOptions::DEFAULT).unwrap();
        assert_eq!(opened.content.expose(), CONTENT, "{cipher}");
    }
}

/// Authenticated data, which the command does not know: every kind of recipient, and every octet counts but for how it is put.
#[test]
fn authenticated_data_is_verified() {
    let holders =
        [KeyType::Rsa(2048), KeyType::P384, KeyType::X25519, KeyType::MlKem768].map(|kind| Holder::new(kind, "holder"));
    let certificates: Vec<_> = holders.iter().map(Holder::certificate).collect();
    for digest in [Digest::Sha256, Digest::Sha384, Digest::Sha512] {
        let mut to: Vec<_> = certificates.iter().map(RecipientKey::new).collect();
        let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
        to.push(RecipientKey::Password { password: b"pass", options });
        let message = authenticate(&BACKEND, CONTENT, &to, digest).unwrap();
        let open = |unlock: &Unlock<'_>| verify_mac(&BACKEND, &message, None, unlock, &DecryptOptions::DEFAULT);
        for (holder, certificate) in holders.iter().zip(&certificates) {
            let unlock = Unlock::PrivateKey { key: holder.key.as_ref(), certificate: Some(certificate) };
            assert_eq!(open(&unlock).unwrap(), CONTENT);
        }
        assert_eq!(open(&Unlock::Password(b"pass")).unwrap(), CONTENT);
        assert_eq!(kind_of(open(&Unlock::Password(b"word"))), ErrorKind::Integrity);
        assert!(matches!(open(&Unlock::SharedKey { id: None, key: &[0; 32] }), Err(CmsError::NoRecipient)));
    }
    let shared = [5; 32];
    let to = [RecipientKey::SharedKey { id: b"key", key: &shared }];
    let message = authenticate(&BACKEND, CONTENT, &to, Digest::Sha256).unwrap();
    let unlock = Unlock::SharedKey { id: None, key: &shared };
    let open = |message: &[u8]| verify_mac(&BACKEND, message, None, &unlock, &DecryptOptions::DEFAULT);
    let (mut macs, mut digests) = (0, 0);
    for at in 0..message.len() {
        let mut changed = message.clone();
        changed[at] ^= 1;
        match open(&changed) {
            Ok(content) => assert_eq!(content, CONTENT, "{at}"),
            Err(CmsError::Digest) => digests += 1,
            Err(CmsError::Crypto(error)) if error.kind() == ErrorKind::Integrity => macs += 1,
            Err(_) => {}
        }
    }
    // The content and its digest; the MAC and the wrapped key.
    assert!(digests >= CONTENT.len() + 32 && macs >= 32 + 40, "{digests} {macs}");
    let error = authenticate(&BACKEND, CONTENT, &to, Digest::Sha1);
    assert_eq!(kind_of(error), ErrorKind::Unsupported);
}

/// RFC 9936 with the keys that its authors published: the certificate, and the key in its expanded form.
#[test]
fn published_ml_kem_keys_read_messages() {
    let Some(folder) = corpora::set("lamps-pqc/ml-kem") else { return };
    for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] {
        let block = |file: String| corpora::contents(&fs::read(folder.join(file)).unwrap()).remove(0).1;
        let certificate = block(format!("{name}.crt"));
        let key = BACKEND.private_key_from_pkcs8(&block(format!("{name}-expanded.priv"))).unwrap();
        let holder = Holder { key, certificate };
        let certificate = holder.certificate();
        let message = encrypt(&BACKEND, CONTENT, &[RecipientKey::new(&certificate)], &EncryptOptions::DEFAULT).unwrap();
        assert_eq!(holder.open(&message).unwrap().content.expose(), CONTENT);
    }
}

/// Every octet of a message that is changed is noticed where the cipher authenticates, and no message is read differently.
#[test]
fn changes_are_noticed() {
    let holder = Holder::new(KeyType::P256, "holder");
    let certificate = holder.certificate();
    let message = encrypt(&BACKEND, CONTENT, &[RecipientKey::new(&certificate)], &EncryptOptions::DEFAULT).unwrap();
    for at in 0..message.len() {
        for bit in [1, 0x80] {
            let mut changed = message.clone();
            changed[at] ^= bit;
            if let Ok(opened) = holder.open(&changed) {
                // What is not authenticated: how the recipient was named, versions, the form of a length.
                assert_eq!(opened.content.expose(), CONTENT, "{at}");
            }
        }
    }
    for len in 0..message.len() {
        let error = holder.open(&message[..len]).unwrap_err();
        assert!(matches!(error, CmsError::Read(_)), "{len}: {error}");
    }
    // Content that is larger than allowed, and more recipients.
    let unlock = Unlock::PrivateKey { key: holder.key.as_ref(), certificate: None };
    let small = DecryptOptions { max_content: 1, ..DecryptOptions::DEFAULT };
    assert!(matches!(decrypt(&BACKEND, &message, None, &unlock, &small), Err(CmsError::Limit { .. })));
    let few = DecryptOptions { max_attempts: 0, ..DecryptOptions::DEFAULT };
    assert!(matches!(decrypt(&BACKEND, &message, None, &unlock, &few), Err(CmsError::Limit { .. })));
}

/// RFC 3218: what is wrong with a key that RSAES-PKCS1-v1_5 encrypted is not told.
#[test]
fn pkcs1_is_no_oracle() {
    let holder = Holder::new(KeyType::Rsa(2048), "holder");
    let certificate = holder.certificate();
    let (identifier, transport) = (Identifier::IssuerAndSerialNumber, KeyTransport::Pkcs1);
    let to = [RecipientKey::Certificate { certificate: &certificate, identifier, transport }];
    let message = encrypt(&BACKEND, CONTENT, &to, &EncryptOptions::DEFAULT).unwrap();
    let info = ContentInfo::from_der(&message).unwrap();
    let tagwise_pkix::cms::Content::AuthEnvelopedData(data) = info.content.get().unwrap() else { panic!() };
    let recipient = data.recipient_infos.0.iter().next().unwrap().unwrap();
    let tagwise_pkix::cms::RecipientInfo::Ktri(ktri) = recipient else { panic!() };
    let right = ktri.encrypted_key.as_bytes();
    let at = message.windows(right.len()).position(|window| window == right).unwrap();
    let public = BACKEND.public_key_from_der(holder.key.public_key_info()).unwrap();
    let mut damaged = right.to_vec();
    damaged[9] ^= 1;
    let said: Vec<String> = [
        damaged,
        // Another key, a key of another length, and none.
        public.encrypt(transport, &[1; 32]).unwrap(),
        public.encrypt(transport, &[1; 16]).unwrap(),
        public.encrypt(transport, &[]).unwrap(),
    ]
    .iter()
    .map(|key| {
        let mut changed = message.clone();
        changed[at..at + key.len()].copy_from_slice(key);
        holder.open(&changed).unwrap_err().to_string()
    })
    .collect();
    assert!(said.iter().all(|said| said.contains("AES-256-GCM")), "{said:?}");
    assert_eq!(said.iter().collect::<std::collections::BTreeSet<_>>().len(), 1, "{said:?}");
}

/// Messages of others, with the keys that are published with them.
#[test]
fn messages_of_others() {
    let (Some(pyca), Some(asn1crypto)) = (corpora::set("pyca"), corpora::set("asn1crypto/fixtures")) else { return };
    let block = |path: std::path::PathBuf| corpora::contents(&fs::read(path).unwrap()).remove(0).1;
    let ca = BACKEND.private_key_from_pkcs8(&block(pyca.join("x509/custom/ca/rsa_key.pem"))).unwrap();
    let open = |key: &Arc<dyn PrivateKey>, message: &[u8]| {
        let unlock = Unlock::PrivateKey { key: key.as_ref(), certificate: None };
        decrypt(&BACKEND, message, None, &unlock, &DecryptOptions::DEFAULT)
    };
    for (name, content) in [("enveloped-rsa-oaep.pem", "Hello, world!"), ("enveloped-triple-des.pem", "Hello, World!")]
    {
        let opened = open(&ca, &block(pyca.join("pkcs7").join(name))).unwrap_or_else(|error| panic!("{name}: {error}"));
        let opened = String::from_utf8_lossy(opened.content.expose()).into_owned();
        assert_eq!(opened.trim_end(), content, "{name}");
    }
    let none = open(&ca, &block(pyca.join("pkcs7/enveloped-no-content.der"))).unwrap_err();
    assert!(matches!(none, CmsError::NoContent), "{none}");
    // Two recipients by RSA, whose keys have another size.
    let two = open(&ca, &block(pyca.join("pkcs7/enveloped.pem"))).unwrap_err();
    assert!(matches!(two, CmsError::NoRecipient), "{two}");

    let info = PrivateKeyInfo::from_pkcs1(&block(asn1crypto.join("keys/test-der.key"))).unwrap();
    let key = BACKEND.private_key(&info).unwrap();
    let message = fs::read(asn1crypto.join("cms-enveloped.der")).unwrap();
    let opened = open(&key, &message).unwrap();
    assert_eq!(opened.content.expose(), b"This is the message to encapsulate in PKCS#7/CMS\n");
}

/// Without a certificate, each RSA recipient with a key of this size may be the right one, and with RSAES-PKCS1-v1_5 a random key that
/// replaces a wrong one (RFC 3218 §2.3.2) could seem to decrypt.
#[test]
fn several_recipients_of_one_size_require_the_certificate() {
    let holders = [Holder::new(KeyType::Rsa(2048), "one"), Holder::new(KeyType::Rsa(2048), "two")];
    let certificates = holders.each_ref().map(Holder::certificate);
    for (transport, is_ambiguous) in
        [(KeyTransport::Pkcs1, true), (KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)), false)]
    {
        let identifier = Identifier::IssuerAndSerialNumber;
        let to =
            certificates.each_ref().map(|certificate| RecipientKey::Certificate { certificate, identifier, transport });
        let message = encrypt(&BACKEND, CONTENT, &to, &EncryptOptions::DEFAULT).unwrap();
        for holder in &holders {
            assert_eq!(holder.open(&message).unwrap().content.expose(), CONTENT);
            let unlock = Unlock::PrivateKey { key: holder.key.as_ref(), certificate: None };
            match decrypt(&BACKEND, &message, None, &unlock, &DecryptOptions::DEFAULT) {
                Err(CmsError::Ambiguous) => assert!(is_ambiguous),
                opened => {
                    assert!(!is_ambiguous);
                    assert_eq!(opened.unwrap().content.expose(), CONTENT);
                }
            }
        }
    }
}

/// A key has no use for recipients on other curves, so that they do not count as attempts.
#[test]
fn recipients_on_other_curves_are_not_attempts() {
    let kinds = [KeyType::P384, KeyType::P521, KeyType::X25519, KeyType::P256];
    let holders = kinds.map(|kind| Holder::new(kind, "holder"));
    let certificates = holders.each_ref().map(Holder::certificate);
    let to = certificates.each_ref().map(RecipientKey::new);
    let message = encrypt(&BACKEND, CONTENT, &to, &EncryptOptions::DEFAULT).unwrap();
    let options = |max_attempts| DecryptOptions { max_attempts, ..DecryptOptions::DEFAULT };
    for holder in &holders {
        let unlock = Unlock::PrivateKey { key: holder.key.as_ref(), certificate: None };
        let opened = decrypt(&BACKEND, &message, None, &unlock, &options(1)).unwrap();
        assert_eq!(opened.content.expose(), CONTENT);
        let none = decrypt(&BACKEND, &message, None, &unlock, &options(0)).unwrap_err();
        assert!(matches!(none, CmsError::Limit { what: "recipients" }), "{none}");
    }
    // Nobody has a key on these curves.
    for kind in [KeyType::X448, KeyType::Rsa(2048)] {
        let stranger = Holder::new(kind, "stranger");
        let unlock = Unlock::PrivateKey { key: stranger.key.as_ref(), certificate: None };
        let error = decrypt(&BACKEND, &message, None, &unlock, &options(0)).unwrap_err();
        assert!(matches!(error, CmsError::NoRecipient), "{error}");
    }
}
