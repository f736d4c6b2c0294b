//! Signed data with keys: what is signed here, the `openssl` command verifies, and what it signs is verified here, for every
//! algorithm that it knows; and every way in which a signature is not right is told.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::path::Path;

use tagwise_codec::{Decode, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::cms::{
    CmsError, Identifier, Objection, SignedOptions, Signing, TimeSource, VerifyOptions, sign, sign_stream, verify,
    verify_digest, verify_stream,
};
use tagwise_crypto::{Backend, Digest, ErrorKind, KeySigner, KeyType, PssParameters, Scheme, Signer};
use tagwise_pkix::build::{self, AttributeList, ExtensionList, KeyIdentifierMethod};
use tagwise_pkix::cms::{Attribute, ContentInfo, ID_DATA, SignerInfo};
use tagwise_pkix::ext::SubjectKeyIdentifier;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, Time, UnixTime};
use tagwise_tests::{corpora, openssl};

const BACKEND: AwsLc = AwsLc::new();

/// A key with a certificate of its own.
struct Party {
    signer: KeySigner,
    certificate: Vec<u8>,
}

impl Party {
    fn new(kind: KeyType, scheme: Option<Scheme>, name: &str) -> Self {
        let key = BACKEND.generate(kind).unwrap();
        let signer = match scheme {
            Some(scheme) => KeySigner::new(key, scheme).unwrap(),
            None => KeySigner::preferred(key).unwrap(),
        };
        let certificate = certificate(&signer, name);
        Self { signer, certificate }
    }

    fn certificate(&self) -> Certificate<'_> {
        Certificate::from_der(&self.certificate).unwrap()
    }

    /// Key and certificate as files, for the command.
    fn write(&self, folder: &Path, name: &str) {
        let key = self.signer.key().to_pkcs8().unwrap();
        let pem = |label, der: &[u8]| tagwise_codec::pem::encode(label, der).unwrap();
        fs::write(folder.join(format!("{name}.key")), pem("PRIVATE KEY", key.expose())).unwrap();
        fs::write(folder.join(format!("{name}.pem")), pem("CERTIFICATE", &self.certificate)).unwrap();
    }
}

fn certificate(signer: &KeySigner, name: &str) -> Vec<u8> {
    let name = NameBuf::parse(&format!("CN={name}")).unwrap();
    let key = SubjectPublicKeyInfo::from_der(signer.public_key_info()).unwrap();
    let identifier = KeyIdentifierMethod::Sha256.of(&key).unwrap();
    let mut list = ExtensionList::new();
    list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into())).unwrap();
    let extensions = list.extensions();
    let algorithm = signer.scheme().identifier().unwrap();
    let algorithm = AlgorithmIdentifier::from_der(&algorithm).unwrap();
    tagwise_crypto::sign(&openssl::certificate_of(&name, key, algorithm, &extensions), signer).unwrap()
}

/// How many octets the content has: more than a segment.
const CONTENT: usize = 150_000;

fn content() -> Vec<u8> {
    (0..CONTENT).map(|at| (at % 251) as u8).collect()
}

fn kinds() -> Vec<(&'static str, KeyType, Option<Scheme>)> {
    vec![
        ("rsa", KeyType::Rsa(2048), None),
        ("rsa-sha512", KeyType::Rsa(2048), Some(Scheme::RsaPkcs1(Digest::Sha512))),
        ("pss", KeyType::Rsa(2048), Some(Scheme::RsaPss(PssParameters::of(Digest::Sha256)))),
        ("p256", KeyType::P256, None),
        ("p384", KeyType::P384, None),
        ("p521", KeyType::P521, None),
        ("ed25519", KeyType::Ed25519, None),
        ("ml-dsa", KeyType::MlDsa44, None),
    ]
}

/// What the command knows: no ML-DSA before version 3.5, and Ed25519 only without a digest of its own (before 3.2).
fn is_known(name: &str) -> bool {
    !matches!(name, "ml-dsa" | "ed25519")
}

#[test]
fn signed_messages_verify() {
    let openssl = openssl::is_there();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let content = content();
    fs::write(folder.join("content"), &content).unwrap();
    for (name, kind, scheme) in kinds() {
        let party = Party::new(kind, scheme, name);
        party.write(folder, name);
        let certificate = party.certificate();
        for identifier in [Identifier::IssuerAndSerialNumber, Identifier::SubjectKeyIdentifier] {
            for attributes in [None, Some(&[][..])] {
                let signing = Signing { identifier, attributes, ..Signing::new(&party.signer, &certificate) };
                for detached in [false, true] {
                    let certificates: &[&[u8]] = &[&party.certificate];
                    let options = SignedOptions { detached, certificates, ..SignedOptions::DEFAULT };
                    let message = sign(&BACKEND, &content, &[signing], &options).unwrap();
                    ContentInfo::from_der(&message).unwrap();
                    let given = detached.then_some(&content[..]);
                    let verified = verify(&BACKEND, &message, given, &VerifyOptions::DEFAULT).unwrap();
                    assert!(verified.is_signed(), "{name}: {:?}", verified.signers);
                    assert_eq!(verified.content, content);
                    assert_eq!(verified.content_type(), ID_DATA);
                    let signer = &verified.signers[0];
                    assert_eq!(signer.certificate.as_deref(), Some(&party.certificate[..]));
                    assert_eq!(signer.scheme, Some(*party.signer.scheme()));
                    if openssl && is_known(name) {
                        fs::write(folder.join("message"), &message).unwrap();
                        let certificate = format!("{name}.pem");
                        let mut args = vec!["cms", "-verify", "-in", "message", "-inform", "DER", "-binary"];
                        args.extend(["-CAfile", &certificate, "-purpose", "any", "-out", "out"]);
                        if detached {
                            args.extend(["-content", "content"]);
                        }
                        let said = openssl::run(folder, &args);
                        assert!(said.contains("successful"), "{name}: {said}");
                        assert_eq!(fs::read(folder.join("out")).unwrap(), content);
                    }
                }
            }
        }
    }
}

#[test]
fn streams_are_signed_and_verified() {
    let openssl = openssl::is_there();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let content = content();
    fs::write(folder.join("content"), &content).unwrap();
    let one = Party::new(KeyType::P256, None, "one");
    let other = Party::new(KeyType::Rsa(2048), Some(Scheme::RsaPkcs1(Digest::Sha384)), "other");
    one.write(folder, "one");
    let (first, second) = (one.certificate(), other.certificate());
    let signings = [Signing::new(&one.signer, &first), Signing::new(&other.signer, &second)];
    for detached in [false, true] {
        let certificates: &[&[u8]] = &[&one.certificate, &other.certificate];
        let options = SignedOptions { detached, certificates, ..SignedOptions::DEFAULT };
        let message = sign_stream(&BACKEND, &mut &content[..], Vec::new(), &signings, &options).unwrap();
        assert_eq!(message.starts_with(&[0x30, 0x80]), !detached);
        let mut out = Vec::new();
        let mut given = &content[..];
        let given = detached.then_some(&mut given as &mut dyn std::io::Read);
        let verified = verify_stream(&BACKEND, &message[..], given, &mut out, &VerifyOptions::DEFAULT).unwrap();
        assert!(verified.is_signed() && verified.signers.len() == 2, "{:?}", verified.signers);
        assert_eq!(out, content);
        // A signature without attributes is of all the content, which a stream does not hold.
        let bare = [Signing { attributes: None, ..signings[0] }];
        let refused = sign_stream(&BACKEND, &mut &content[..], Vec::new(), &bare, &options).unwrap_err();
        assert!(matches!(refused, CmsError::Invalid { .. }), "{refused}");
        if openssl {
            fs::write(folder.join("message"), &message).unwrap();
            let mut args = vec!["cms", "-verify", "-in", "message", "-inform", "DER", "-binary", "-noverify"];
            args.extend(["-out", "out"]);
            if detached {
                args.extend(["-content", "content"]);
            }
            let said = openssl::run(folder, &args);
            assert!(said.contains("successful"), "{said}");
        }
    }
    // Held content is limited: a message that was signed without attributes then is not verified, and says so.
    let bare = [Signing { attributes: None, ..signings[0] }];
    let options = SignedOptions { certificates: &[&one.certificate], ..SignedOptions::DEFAULT };
    let message = sign(&BACKEND, &content, &bare, &options).unwrap();
    let options = VerifyOptions { max_held: CONTENT - 1, ..VerifyOptions::DEFAULT };
    let verified = verify(&BACKEND, &message, None, &options).unwrap();
    assert!(matches!(verified.signers[0].outcome, Err(CmsError::Limit { .. })));
}

#[test]
fn messages_of_openssl_verify() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let content = content();
    fs::write(folder.join("content"), &content).unwrap();
    let pss = ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:digest"];
    for (name, kind, scheme) in kinds().into_iter().filter(|(name, ..)| is_known(name)) {
        let party = Party::new(kind, scheme, name);
        party.write(folder, name);
        let (certificate, key) = (format!("{name}.pem"), format!("{name}.key"));
        let base = ["cms", "-sign", "-in", "content", "-binary", "-signer", &certificate, "-inkey", &key];
        for more in [
            &["-nodetach"][..],
            &["-nodetach", "-keyid"],
            &["-nodetach", "-noattr"],
            &["-nodetach", "-cades"],
            &["-nodetach", "-stream"],
            &[],
            &["-noattr"],
        ] {
            // The command fails at this combination itself: it writes the parameters of the signature before they are there.
            if name == "pss" && more.contains(&"-stream") {
                continue;
            }
            for digest in ["sha256", "sha384", "sha512"] {
                let mut args = [&base[..], &["-outform", "DER", "-out", "message", "-md", digest], more].concat();
                if name == "pss" {
                    args.extend(pss);
                }
                let _ = openssl::run(folder, &args);
                let message = fs::read(folder.join("message")).unwrap();
                let detached = !more.contains(&"-nodetach");
                let given = detached.then_some(&content[..]);
                let verified = verify(&BACKEND, &message, given, &VerifyOptions::DEFAULT).unwrap();
                let outcome = &verified.signers[0].outcome;
                assert!(verified.is_signed(), "{name} {digest} {more:?}: {outcome:?}");
                assert_eq!(verified.content, content);
                assert_eq!(verified.signers[0].signing_time.is_some(), !more.contains(&"-noattr"));
                // Other content.
                let (other, given) = if detached {
                    (message.clone(), Some(&content[1..]))
                } else {
                    let at = message.windows(8).position(|window| window == &content[..8]).unwrap();
                    let mut other = message.clone();
                    other[at] ^= 1;
                    (other, None)
                };
                let verified = verify(&BACKEND, &other, given, &VerifyOptions::DEFAULT).unwrap();
                match &verified.signers[0].outcome {
                    Err(CmsError::Digest) => assert!(!more.contains(&"-noattr")),
                    Err(CmsError::Crypto(error)) => {
                        assert!(more.contains(&"-noattr") && error.kind() == ErrorKind::Signature, "{error}");
                    }
                    outcome => panic!("{outcome:?}"),
                }
            }
        }
        // SHA-1 by name alone.
        if name == "rsa" {
            let more = ["-nodetach", "-outform", "DER", "-out", "message", "-md", "sha1"];
            let _ = openssl::run(folder, &[&base[..], &more].concat());
            let message = fs::read(folder.join("message")).unwrap();
            let verified = verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap();
            let Err(CmsError::Crypto(error)) = &verified.signers[0].outcome else { panic!() };
            assert_eq!(error.kind(), ErrorKind::Legacy);
            let options = VerifyOptions { legacy: true, ..VerifyOptions::DEFAULT };
            assert!(verify(&BACKEND, &message, None, &options).unwrap().is_signed());
        }
    }
    // Digested data.
    let _ =
        openssl::run(folder, &["cms", "-digest_create", "-in", "content", "-binary", "-outform", "DER", "-out", "m"]);
    let message = fs::read(folder.join("m")).unwrap();
    let options = tagwise_crypto::cms::verify_digest(&BACKEND, &message, None);
    match options {
        Ok(found) => assert_eq!(found, content),
        Err(error) => panic!("{error}"),
    }
    let mut changed = message;
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(verify_digest(&BACKEND, &changed, None), Err(CmsError::Digest)));
}

/// Each way in which signed data is not right.
/// RFC 6151 §2: whether such a signature is right does not matter, because others can forge it.
#[test]
fn signatures_with_md5_are_not_accepted() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("content"), content()).unwrap();
    Party::new(KeyType::Rsa(2048), None, "party").write(folder, "party");
    let args =
        "cms -sign -in content -binary -nodetach -md md5 -signer party.pem -inkey party.key -outform DER -out message";
    let _ = openssl::run(folder, &args.split(' ').collect::<Vec<_>>());
    let message = fs::read(folder.join("message")).unwrap();
    let outcome = |options: &VerifyOptions<'_>| {
        verify(&BACKEND, &message, None, options).unwrap().signers.remove(0).outcome.unwrap_err()
    };
    let error = outcome(&VerifyOptions::DEFAULT);
    assert_eq!(error.to_string(), "signatures with MD2, MD4 or MD5 can be forged (RFC 6149, RFC 6151 §2)");
    assert!(!error.is_unknown());
    // Legacy algorithms are verified if they are supported.
    let error = outcome(&VerifyOptions { legacy: true, ..VerifyOptions::DEFAULT });
    assert_eq!(error.to_string(), "MD5 is not supported");
    assert!(error.is_unknown());
}

#[test]
fn errors_of_signed_messages() {
    let party = Party::new(KeyType::P256, None, "party");
    let other = Party::new(KeyType::P256, None, "other");
    let certificate = party.certificate();
    let strange = other.certificate();
    let mut list = AttributeList::new();
    list.signing_time(Time::from_unix(UnixTime(1_790_000_000)).unwrap()).unwrap();
    list.signing_certificate(&certificate, build::Digest::Sha256).unwrap();
    let attributes = list.attributes();
    let signing = Signing { attributes: Some(&attributes), ..Signing::new(&party.signer, &certificate) };
    let both = SignedOptions { certificates: &[&other.certificate, &party.certificate], ..SignedOptions::DEFAULT };
    let message = sign(&BACKEND, b"content", &[signing], &both).unwrap();
    let outcome = |message: &[u8], options: &VerifyOptions<'_>| {
        verify(&BACKEND, message, None, options).unwrap().signers.remove(0).outcome
    };
    let verified = verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap();
    assert!(verified.is_signed(), "{:?}", verified.signers);
    assert_eq!(verified.signers[0].signing_time, Some(UnixTime(1_790_000_000)));
    assert_eq!(verified.certificates.len(), 2);

    // The certificate is elsewhere, or nowhere.
    let bare = sign(&BACKEND, b"content", &[signing], &SignedOptions::DEFAULT).unwrap();
    assert!(matches!(outcome(&bare, &VerifyOptions::DEFAULT), Err(CmsError::NoCertificate)));
    let certificates: &[&[u8]] = &[&party.certificate];
    assert!(outcome(&bare, &VerifyOptions { certificates, ..VerifyOptions::DEFAULT }).is_ok());

    // Another certificate is named as the signer's own.
    let mut list = AttributeList::new();
    list.signing_certificate(&strange, build::Digest::Sha256).unwrap();
    let attributes = list.attributes();
    let signing = Signing { attributes: Some(&attributes), ..signing };
    let named = sign(&BACKEND, b"content", &[signing], &both).unwrap();
    let error = outcome(&named, &VerifyOptions::DEFAULT).unwrap_err();
    assert!(matches!(error, CmsError::Invalid { clause: "RFC 5035 §3", .. }), "{error}");

    // A signature that was changed.
    let mut changed = message.clone();
    *changed.last_mut().unwrap() ^= 1;
    let Err(CmsError::Crypto(error)) = outcome(&changed, &VerifyOptions::DEFAULT) else { panic!() };
    assert_eq!(error.kind(), ErrorKind::Signature);

    // A key that is not the certificate's; a digest that is not the scheme's.
    let wrong = Signing::new(&party.signer, &strange);
    let Err(CmsError::Crypto(error)) = sign(&BACKEND, b"", &[wrong], &both) else { panic!() };
    assert_eq!(error.kind(), ErrorKind::Inconsistent);
    let wrong = Signing { digest: Some(Digest::Sha512), ..Signing::new(&party.signer, &certificate) };
    let Err(CmsError::Crypto(error)) = sign(&BACKEND, b"", &[wrong], &both) else { panic!() };
    assert_eq!(error.kind(), ErrorKind::Parameters);

    // Content that is there twice, or not at all.
    let twice = verify(&BACKEND, &message, Some(b"content"), &VerifyOptions::DEFAULT).unwrap_err();
    assert!(matches!(twice, CmsError::Invalid { .. }), "{twice}");
    let detached = SignedOptions { detached: true, ..both };
    let detached = sign(&BACKEND, b"content", &[Signing::new(&party.signer, &certificate)], &detached).unwrap();
    let none = verify(&BACKEND, &detached, None, &VerifyOptions::DEFAULT).unwrap_err();
    assert!(matches!(none, CmsError::NoContent));

    // Truncated at every length, and a message of another kind.
    for len in 0..message.len() {
        let error = verify(&BACKEND, &message[..len], None, &VerifyOptions::DEFAULT).unwrap_err();
        assert!(matches!(error, CmsError::Read(_)), "{len}: {error}");
    }
    let data = build::cms::data(b"content").unwrap();
    assert!(matches!(verify(&BACKEND, &data, None, &VerifyOptions::DEFAULT), Err(CmsError::Read(_))));
    // No signer, no signature.
    let nobody = build::cms::certificates_only(&[&party.certificate], &[]).unwrap();
    let verified = verify(&BACKEND, &nobody, Some(b""), &VerifyOptions::DEFAULT).unwrap();
    assert!(!verified.is_signed());
    // Too many signers.
    let options = VerifyOptions { max_signatures: 0, ..VerifyOptions::DEFAULT };
    assert!(matches!(verify(&BACKEND, &message, None, &options), Err(CmsError::Limit { .. })));
}

/// RFC 5652 §5.4: what is signed is the DER of the attributes, whatever the message is written in.
#[test]
fn messages_in_ber_verify() {
    let party = Party::new(KeyType::Ed25519, None, "party");
    let certificate = party.certificate();
    let certificates: &[&[u8]] = &[&party.certificate];
    let options = SignedOptions { certificates, ..SignedOptions::DEFAULT };
    let message = sign(&BACKEND, b"content", &[Signing::new(&party.signer, &certificate)], &options).unwrap();
    let info = ContentInfo::from_der(&message).unwrap();
    assert_eq!(encode(&info).unwrap(), message);
    let cer = tagwise_codec::cer::from_der::<ContentInfo<'_>>(&message).unwrap();
    assert!(cer.starts_with(&[0x30, 0x80]));
    let verified = verify(&BACKEND, &cer, None, &VerifyOptions::DEFAULT).unwrap();
    assert!(verified.is_signed(), "{:?}", verified.signers);
    assert_eq!(verified.signers[0].digest, Some(Digest::Sha512));
}

/// Messages of others, with all that is in them: real ones, examples, and such as break the standard.
#[test]
fn messages_of_others() {
    let (Some(asn1crypto), Some(formats)) =
        (corpora::set("asn1crypto/fixtures"), corpora::set("rustcrypto-formats/cms/tests/examples"))
    else {
        return;
    };
    let mut said = Vec::new();
    for path in [
        asn1crypto.join("cms-signed.der"),
        asn1crypto.join("pkcs7-signed.der"),
        asn1crypto.join("cms-signed-indefinite-length.der"),
        asn1crypto.join("cms-signed-digested.der"),
        asn1crypto.join("cms-enveloped.der"),
        formats.join("cms_der.bin"),
        formats.join("cms_ber.bin"),
        formats.join("scep_der.bin"),
    ] {
        let mut message = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.contains("indefinite") {
            // A line feed stands behind it.
            message.truncate(59_506);
        }
        let legacy = VerifyOptions { legacy: true, ..VerifyOptions::DEFAULT };
        said.push(match verify(&BACKEND, &message, None, &legacy) {
            Ok(verified) => {
                let each = verified.signers.iter().map(|signer| match &signer.outcome {
                    Ok(()) => signer.scheme.unwrap().to_string(),
                    Err(error) => error.to_string(),
                });
                format!("{name}: {}", each.collect::<Vec<_>>().join(", "))
            }
            Err(error) => format!("{name}: {error}"),
        });
    }
    assert_eq!(
        said,
        [
            "cms-signed.der: RSA-SHA256",
            "pkcs7-signed.der: RSA-SHA256",
            // RSA without the NULL that RFC 3370 §3.2 asks for is read; the content was changed, as the openssl command says too.
            "cms-signed-indefinite-length.der: the content does not match its signed digest (RFC 5652 §5.6)",
            "cms-signed-digested.der: a content type other than id-data requires signed attributes (RFC 5652 §5.3)",
            "cms-enveloped.der: expected signed data, at byte 15 (RFC 5652)",
            "cms_der.bin: ECDSA-SHA256",
            "cms_ber.bin: ECDSA-SHA256",
            "scep_der.bin: RSA-SHA256",
        ]
    );
}

/// Attributes of a real signature given as content, with the signature as it was (RFC 5652 §5.4): it is right, and not taken.
#[test]
fn attributes_do_not_become_content() {
    // Signatures of one length.
    let party = Party::new(KeyType::Ed25519, None, "me");
    let certificate = party.certificate();
    let options = SignedOptions { certificates: &[&party.certificate], ..SignedOptions::DEFAULT };
    let signing = Signing::new(&party.signer, &certificate);
    let message = sign(&BACKEND, b"what is said", &[signing], &options).unwrap();
    let verified = verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap();
    let info = SignerInfo::from_der(&verified.signers[0].info).unwrap();
    let attributes = info.signed_octets().unwrap().unwrap();
    let stolen = encode(&SignerInfo { signed_attrs: None, ..info }).unwrap();

    // Nobody signs such content without being asked to by name.
    let bare = [Signing { attributes: None, ..signing }];
    let refused = sign(&BACKEND, &attributes, &bare, &options).unwrap_err();
    assert!(refused.to_string().contains("could be read as signed attributes"), "{refused}");
    let asked = SignedOptions { allow_attributes_as_content: true, ..options };
    let model = sign(&BACKEND, &attributes, &bare, &asked).unwrap();
    let lax = VerifyOptions { allow_attributes_as_content: true, ..VerifyOptions::DEFAULT };
    let own = verify(&BACKEND, &model, None, &lax).unwrap().signers.remove(0).info;

    // The same message with the signature that was of attributes.
    let at = model.windows(own.len()).position(|part| part == own).unwrap();
    let forged = [&model[..at], &stolen, &model[at + own.len()..]].concat();
    assert_eq!(forged.len(), model.len());
    let verified = verify(&BACKEND, &forged, None, &lax).unwrap();
    assert!(verified.is_signed() && verified.content == attributes);
    let verified = verify(&BACKEND, &forged, None, &VerifyOptions::DEFAULT).unwrap();
    assert!(matches!(verified.signers[0].outcome, Err(CmsError::Invalid { clause: "RFC 5652 §5.4", .. })));
}

const SECOND: core::time::Duration = core::time::Duration::from_secs(1);

/// Objections to a certificate depend on the moment: a given one, or now. The signer's own claim never counts.
#[test]
fn certificates_are_held_to_a_moment() {
    let party = Party::new(KeyType::P256, None, "me");
    let certificate = party.certificate();
    let validity = certificate.tbs_certificate.validity;
    let (from, to) = (validity.not_before.unix(), validity.not_after.unix());
    let (early, late) = (from.saturating_sub(SECOND), to.saturating_add(SECOND));
    let options = SignedOptions { certificates: &[&party.certificate], ..SignedOptions::DEFAULT };
    let signed = |time: Option<UnixTime>| {
        let mut list = AttributeList::new();
        if let Some(time) = time {
            list.signing_time(Time::from_unix(time).unwrap()).unwrap();
        }
        let attributes = list.attributes();
        let signing = Signing { attributes: Some(&attributes), ..Signing::new(&party.signer, &certificate) };
        sign(&BACKEND, b"what is said", &[signing], &options).unwrap()
    };
    for (said, given, at_from, objections) in [
        (Some(from), None, TimeSource::Clock, vec![]),
        (Some(early), None, TimeSource::Clock, vec![]),
        (Some(late), None, TimeSource::Clock, vec![]),
        (Some(late), Some(from), TimeSource::Given, vec![]),
        (Some(from), Some(late), TimeSource::Given, vec![Objection::Expired(to)]),
        (None, Some(early), TimeSource::Given, vec![Objection::NotYetValid(from)]),
        (None, None, TimeSource::Clock, vec![]),
    ] {
        let options = VerifyOptions { at: given, ..VerifyOptions::DEFAULT };
        let verified = verify(&BACKEND, &signed(said), None, &options).unwrap();
        let signer = &verified.signers[0];
        assert!(verified.is_signed());
        assert_eq!(verified.is_acceptable(), objections.is_empty());
        assert_eq!((signer.at_from, &signer.objections), (at_from, &objections), "{said:?} {given:?}");
        assert_eq!(signer.signing_time, said);
        assert!(given.is_none_or(|given| signer.at == given));
    }
}

/// An attribute of one value that has two is not as if it were absent (RFC 5652 §11).
#[test]
fn attributes_of_one_value_have_one() {
    let party = Party::new(KeyType::P256, None, "me");
    let certificate = party.certificate();
    let options = SignedOptions { certificates: &[&party.certificate], ..SignedOptions::DEFAULT };
    let mut list = AttributeList::new();
    list.signing_certificate(&certificate, build::Digest::Sha256).unwrap();
    let own = list.attributes();
    let first = own[0].attr_values.iter().next().unwrap().unwrap();
    // signingCertificateV2 with its value and another one: which of them binds the certificate, nobody knows.
    let values = [first, tagwise_codec::Any::from_der(b"\x30\x02\x30\x00").unwrap()];
    let twice = [Attribute { attr_type: own[0].attr_type, attr_values: tagwise_codec::SetOf::from_slice(&values) }];
    for (attributes, right) in [(&own[..], true), (&twice, false)] {
        let signing = Signing { attributes: Some(attributes), ..Signing::new(&party.signer, &certificate) };
        let message = match sign(&BACKEND, b"what is said", &[signing], &options) {
            Ok(message) => message,
            Err(error) => panic!("{error}"),
        };
        let verified = verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap();
        assert_eq!(verified.is_signed(), right, "{:?}", verified.signers[0].outcome);
    }
}

/// RFC 5652 §5.4: a signature covers the DER encoding of the attributes, whatever their order in the message.
#[test]
fn attributes_in_another_order_are_signed_in_der() {
    let party = Party::new(KeyType::Ed25519, None, "me");
    let certificate = party.certificate();
    let options = SignedOptions { certificates: &[&party.certificate], ..SignedOptions::DEFAULT };
    let message = sign(&BACKEND, b"what is said", &[Signing::new(&party.signer, &certificate)], &options).unwrap();
    let own = verify(&BACKEND, &message, None, &VerifyOptions::DEFAULT).unwrap().signers.remove(0).info;
    let info = SignerInfo::from_der(&own).unwrap();
    let sorted = info.signed_octets().unwrap().unwrap();
    let attributes: Vec<Vec<u8>> =
        info.signed_attrs.unwrap().0.iter().map(|attribute| encode(&attribute.unwrap()).unwrap()).collect();
    assert!(attributes.len() > 1);
    let reversed: Vec<u8> = attributes.iter().rev().flatten().copied().collect();
    let header = sorted.len() - reversed.len();
    let reversed = [&sorted[..header], &reversed].concat();
    let replaced = |message: &[u8], old: &[u8], new: &[u8]| {
        let at = message.windows(old.len()).position(|part| part == old).unwrap();
        [&message[..at], new, &message[at + old.len()..]].concat()
    };
    // In the message, the attributes have the tag [0].
    let unsorted = replaced(&message, &sorted[1..], &reversed[1..]);
    let lax = VerifyOptions {
        tolerate: tagwise_codec::RuleSet::NONE.with(&tagwise_codec::Rule::SET_OF_ORDER),
        ..VerifyOptions::DEFAULT
    };
    for options in [&VerifyOptions::DEFAULT, &lax] {
        let verified = verify(&BACKEND, &unsorted, None, options).unwrap();
        assert!(verified.is_signed() && verified.signers[0].deviations.is_empty());
    }
    // The signature covers them as they are in the message.
    let signature = party.signer.sign(&reversed).unwrap();
    let signed = replaced(&unsorted, info.signature.as_bytes(), &signature);
    let reason =
        "the signature covers the signed attributes as they are in the message, not their DER encoding (RFC 5652 §5.4)";
    let signer = verify(&BACKEND, &signed, None, &VerifyOptions::DEFAULT).unwrap().signers.remove(0);
    assert!(matches!(signer.outcome, Err(CmsError::NotDer)));
    assert_eq!(signer.outcome.unwrap_err().to_string(), reason);
    let signer = verify(&BACKEND, &signed, None, &lax).unwrap().signers.remove(0);
    assert!(signer.outcome.is_ok());
    assert_eq!(signer.deviations, [reason]);
    // A wrong signature is wrong in any order.
    let wrong = replaced(&unsorted, info.signature.as_bytes(), &party.signer.sign(b"other").unwrap());
    let signer = verify(&BACKEND, &wrong, None, &lax).unwrap().signers.remove(0);
    assert!(matches!(&signer.outcome, Err(CmsError::Crypto(error)) if error.kind() == ErrorKind::Signature));
}
