//! Messages of CMS that are built are what the `openssl` command verifies, decrypts and prints, and what they were meant to be when
//! they are read again; written as streams they say the same.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use tagwise_codec::{Any, Decode, OctetStr, Oid, Raw, SetOf, ber, encode, oid};
use tagwise_pkix::build::{AttributeList, BuildError, Digest, cms as build};
use tagwise_pkix::cms::*;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, Time, UnixTime, oids};
use tagwise_tests::openssl;

const AES128_CBC: Oid<'static> = oid!("2.16.840.1.101.3.4.1.2");
const AES128_WRAP: Oid<'static> = oid!("2.16.840.1.101.3.4.1.5");
const AES128_GCM: Oid<'static> = oid!("2.16.840.1.101.3.4.1.6");

fn plain(algorithm: Oid<'_>) -> AlgorithmIdentifier<'_> {
    AlgorithmIdentifier { algorithm, parameters: None }
}

fn with<'a>(algorithm: Oid<'a>, parameters: &'a [u8]) -> AlgorithmIdentifier<'a> {
    AlgorithmIdentifier { algorithm, parameters: Some(Any::from_der(parameters).unwrap()) }
}

fn rsa() -> AlgorithmIdentifier<'static> {
    with(oids::RSA_ENCRYPTION, &[0x05, 0x00])
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// What the command makes of a message: its content.
fn verified(folder: &Path, der: &[u8], more: &[&str]) -> Vec<u8> {
    fs::write(folder.join("message"), der).unwrap();
    let verify =
        ["cms", "-verify", "-binary", "-inform", "DER", "-in", "message", "-CAfile", "all.pem", "-purpose", "any"];
    let said = openssl::run(folder, &[&verify[..], &["-out", "content"], more].concat());
    assert!(said.contains("CMS Verification successful"), "{said}");
    fs::read(folder.join("content")).unwrap()
}

fn printed(folder: &Path, der: &[u8]) -> String {
    fs::write(folder.join("message"), der).unwrap();
    openssl::run(folder, &["cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", "message"])
}

#[test]
fn openssl_verifies_what_is_signed() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ders = [
        openssl::new_certificate(folder, "one", &openssl::EC, &[]),
        openssl::new_certificate(folder, "two", &openssl::RSA, &[]),
    ];
    let pem = [fs::read(folder.join("one.pem")).unwrap(), fs::read(folder.join("two.pem")).unwrap()].concat();
    fs::write(folder.join("all.pem"), pem).unwrap();
    let [one, two] = ders.each_ref().map(|der| Certificate::from_der(der).unwrap());
    let certificates = [&one, &two].map(|certificate| CertificateChoices::Certificate(Raw::new(certificate)));

    // Certificates alone.
    let alone = build::certificates_only(&[&ders[0], &ders[1]], &[]).unwrap();
    fs::write(folder.join("alone"), &alone).unwrap();
    let said = openssl::run(folder, &["pkcs7", "-inform", "DER", "-in", "alone", "-print_certs", "-noout"]);
    assert!(said.contains("CN = one") && said.contains("CN = two"), "{said}");

    let mut attributes = AttributeList::new();
    attributes.signing_time(Time::from_unix(UnixTime(openssl::NOT_BEFORE + 60)).unwrap()).unwrap();
    let attributes = attributes.attributes();
    let by_number = build::Signer {
        sid: SignerIdentifier::IssuerAndSerialNumber(build::issuer_and_serial_number(&one)),
        digest_algorithm: Digest::Sha256.algorithm(),
        signature_algorithm: openssl::ecdsa(),
        signed_attrs: Some(&attributes),
        unsigned_attrs: &[],
    };
    let key = two.tbs_certificate.extensions.unwrap().get::<tagwise_pkix::ext::SubjectKeyIdentifier<'_>>().unwrap();
    let by_key = build::Signer {
        sid: SignerIdentifier::SubjectKeyIdentifier(key.unwrap().0),
        signature_algorithm: rsa(),
        signed_attrs: Some(&[]),
        ..by_number
    };
    let signers = [by_number, by_key];
    let parts = build::SignedParts { content_type: ID_DATA, certificates: &certificates, crls: &[], signers: &signers };
    let content: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
    let digest = Digest::Sha256.of(&content);
    let signatures = |tbs: [Option<&[u8]>; 2]| {
        [openssl::sign(folder, "one", tbs[0].unwrap()), openssl::sign(folder, "two", tbs[1].unwrap())]
    };
    // Attached, detached.
    let attached = build::signed_data(&parts, Some(&content), &[&digest, &digest]).unwrap();
    let [first, second] = signatures([attached.tbs(0), attached.tbs(1)]);
    let der = attached.attach(&[&first, &second]).unwrap();
    assert_eq!(verified(folder, &der, &[]), content);
    fs::write(folder.join("original"), &content).unwrap();
    let detached = build::signed_data(&parts, None, &[&digest, &digest]).unwrap();
    assert_eq!(detached.tbs(0), attached.tbs(0));
    let der = detached.attach(&[&first, &second]).unwrap();
    assert_eq!(verified(folder, &der, &["-content", "original"]), content);
    // As a stream.
    let mut writer = build::SignedWriter::new(Vec::new(), &parts).unwrap();
    for chunk in content.chunks(1777) {
        writer.write_all(chunk).unwrap();
    }
    let unsigned = writer.finish(&[&digest, &digest]).unwrap();
    assert_eq!((unsigned.tbs(0), unsigned.tbs(1)), (attached.tbs(0), attached.tbs(1)));
    let written = unsigned.attach(&[&first, &second]).unwrap();
    assert_eq!(verified(folder, &written, &[]), content);
    let canonical = ber::to_der::<ContentInfo<'_>>(&written).unwrap();
    assert_eq!(*canonical.bytes, attached.attach(&[&first, &second]).unwrap());
    // The content itself, without attributes.
    let bare = [build::Signer { signed_attrs: None, ..by_number }];
    let parts = build::SignedParts { signers: &bare, ..parts };
    let unsigned = build::signed_data(&parts, Some(&content), &[&[]]).unwrap();
    assert_eq!(unsigned.tbs(0), None);
    let signature = openssl::sign(folder, "one", &content);
    assert_eq!(verified(folder, &unsigned.attach(&[&signature]).unwrap(), &[]), content);
}

#[test]
fn openssl_decrypts_what_is_enveloped() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rsa_der = openssl::new_certificate(folder, "rsa", &openssl::RSA, &[]);
    let certificate = Certificate::from_der(&rsa_der).unwrap();
    let (key, iv) = ([0x5A; 16], [0xC3; 16]);
    let content: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
    fs::write(folder.join("plain"), &content).unwrap();
    fs::write(folder.join("cek"), key).unwrap();
    let enc = ["enc", "-aes-128-cbc", "-K", &hex(&key), "-iv", &hex(&iv), "-in", "plain", "-out", "cipher"];
    let _ = openssl::run(folder, &enc);
    let wrap = ["pkeyutl", "-encrypt", "-certin", "-inkey", "rsa.pem", "-in", "cek", "-out", "encrypted-key"];
    let _ = openssl::run(folder, &wrap);
    let cipher = fs::read(folder.join("cipher")).unwrap();
    let encrypted_key = fs::read(folder.join("encrypted-key")).unwrap();
    let iv = [&[0x04, 0x10][..], &iv].concat();
    let recipients = [build::Recipient::KeyTransport {
        rid: RecipientIdentifier::IssuerAndSerialNumber(build::issuer_and_serial_number(&certificate)),
        algorithm: rsa(),
        encrypted_key: &encrypted_key,
    }];
    let parts = build::EnvelopedParts {
        originator_info: None,
        recipients: &recipients,
        content_type: ID_DATA,
        algorithm: with(AES128_CBC, &iv),
        unprotected_attrs: &[],
    };
    let decrypted = |der: &[u8]| {
        fs::write(folder.join("message"), der).unwrap();
        let decrypt = ["cms", "-decrypt", "-binary", "-inform", "DER", "-in", "message", "-recip", "rsa.pem"];
        let _ = openssl::run(folder, &[&decrypt[..], &["-inkey", "rsa.key", "-out", "content"]].concat());
        fs::read(folder.join("content")).unwrap()
    };
    let der = build::enveloped_data(&parts, Some(&cipher)).unwrap();
    assert_eq!(decrypted(&der), content);
    let mut writer = build::EnvelopedWriter::new(Vec::new(), &parts).unwrap();
    for chunk in cipher.chunks(70_001) {
        writer.write_all(chunk).unwrap();
    }
    let written = writer.finish().unwrap();
    assert_eq!(decrypted(&written), content);
    assert_eq!(*ber::to_der::<ContentInfo<'_>>(&written).unwrap().bytes, der);

    // Encrypted with a key that is known, digested, compressed.
    let der = build::encrypted_data(ID_DATA, &with(AES128_CBC, &iv), Some(&cipher), &[]).unwrap();
    fs::write(folder.join("message"), der).unwrap();
    let decrypt = ["cms", "-EncryptedData_decrypt", "-inform", "DER", "-in", "message", "-secretkey", &hex(&key)];
    let _ = openssl::run(folder, &[&decrypt[..], &["-binary", "-out", "content"]].concat());
    assert_eq!(fs::read(folder.join("content")).unwrap(), content);
    let algorithm = Digest::Sha256.algorithm();
    let der = build::digested_data(ID_DATA, Some(&content), &algorithm, &Digest::Sha256.of(&content)).unwrap();
    fs::write(folder.join("message"), der).unwrap();
    let verify = ["cms", "-digest_verify", "-binary", "-inform", "DER", "-in", "message", "-out", "content"];
    let said = openssl::run(folder, &verify);
    assert!(said.contains("Verification successful"), "{said}");
    assert_eq!(fs::read(folder.join("content")).unwrap(), content);
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(&content).unwrap();
    let der = build::compressed_data(ID_DATA, &zlib.finish().unwrap()).unwrap();
    assert!(printed(folder, &der).contains("id-smime-alg-zlibCompress") || printed(folder, &der).contains("zlib"));
}

#[test]
fn openssl_prints_every_recipient() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    every_recipient(&[0xEE; 24], |recipients| {
        let nonce =
            encode(&aead::GcmParameters { aes_nonce: OctetStr::new(&[7; 12]), aes_icv_len: aead::AesGcmIcvLen(16) })
                .unwrap();
        let parts = build::EnvelopedParts {
            originator_info: None,
            recipients,
            content_type: ID_DATA,
            algorithm: plain(AES128_CBC),
            unprotected_attrs: &[],
        };
        let said = printed(folder, &build::enveloped_data(&parts, Some(&[1; 32])).unwrap());
        for word in ["d.ktri", "d.kari", "d.kekri", "d.pwri", "d.ori", "1.2.840.113549.1.9.16.13.3"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        let parts = build::AuthEnvelopedParts {
            originator_info: None,
            recipients,
            content_type: ID_DATA,
            algorithm: with(AES128_GCM, &nonce),
            auth_attrs: &[],
            unauth_attrs: &[],
        };
        let der = build::auth_enveloped_data(&parts).unwrap().attach(Some(&[1; 32]), &[2; 16]).unwrap();
        assert!(printed(folder, &der).contains("authEnvelopedData"));
        let mut writer = build::AuthEnvelopedWriter::new(Vec::new(), &parts).unwrap();
        writer.write_all(&[1; 32]).unwrap();
        let written = writer.finish(&[2; 16]).unwrap();
        assert_eq!(*ber::to_der::<ContentInfo<'_>>(&written).unwrap().bytes, der);
        let parts = build::AuthenticatedParts {
            originator_info: None,
            recipients,
            content_type: ID_DATA,
            mac_algorithm: plain(oids::HMAC_WITH_SHA256),
            // The command knows no other.
            authenticated: Some(build::Authenticated {
                digest_algorithm: Digest::Sha256.algorithm(),
                digest: &[4; 32],
                attrs: &[],
            }),
            unauth_attrs: &[],
        };
        let der = build::authenticated_data(&parts, Some(b"content")).unwrap().attach(&[3; 32]).unwrap();
        assert!(printed(folder, &der).contains("id-smime-ct-authData"), "{}", printed(folder, &der));
    });
}

/// A recipient of each kind.
fn every_recipient(key: &[u8], then: impl FnOnce(&[build::Recipient<'_>])) {
    let (serial, issuer) = ([5], tagwise_pkix::name::NameBuf::parse("CN=Issuer").unwrap());
    let rid = IssuerAndSerialNumber { issuer: issuer.name(), serial_number: tagwise_codec::Int::from_signed(&serial) };
    let wrap = encode(&plain(AES128_WRAP)).unwrap();
    let keys = [
        RecipientEncryptedKey {
            rid: KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(rid),
            encrypted_key: OctetStr::new(key),
        },
        RecipientEncryptedKey {
            rid: KeyAgreeRecipientIdentifier::RKeyId(RecipientKeyIdentifier {
                subject_key_identifier: OctetStr::new(b"key"),
                date: None,
                other: None,
            }),
            encrypted_key: OctetStr::new(key),
        },
    ];
    let pbkdf2 = encode(&tagwise_pkix::pkcs5::Pbkdf2Params {
        salt: tagwise_pkix::pkcs5::Pbkdf2ParamsSalt::Specified(OctetStr::new(&[1; 8])),
        iteration_count: 1000,
        key_length: None,
        prf: plain(oids::HMAC_WITH_SHA256),
    })
    .unwrap();
    let iv = [&[0x04, 0x10][..], &[9; 16]].concat();
    let kek = encode(&with(AES128_CBC, &iv)).unwrap();
    then(&[
        build::Recipient::KeyTransport {
            rid: RecipientIdentifier::IssuerAndSerialNumber(rid),
            algorithm: rsa(),
            encrypted_key: key,
        },
        build::Recipient::KeyTransport {
            rid: RecipientIdentifier::SubjectKeyIdentifier(OctetStr::new(b"key")),
            algorithm: rsa(),
            encrypted_key: key,
        },
        build::Recipient::KeyAgreement {
            originator: OriginatorIdentifierOrKey::OriginatorKey(OriginatorPublicKey {
                algorithm: plain(oids::EC_PUBLIC_KEY),
                public_key: tagwise_codec::BitStr::from_octets(&[4; 65]),
            }),
            ukm: Some(b"material"),
            algorithm: with(oid!("1.3.132.1.11.1"), &wrap),
            keys: &keys,
        },
        build::Recipient::SharedKey {
            kekid: KekIdentifier { key_identifier: OctetStr::new(b"kek"), date: None, other: None },
            algorithm: plain(AES128_WRAP),
            encrypted_key: key,
        },
        build::Recipient::Password {
            derivation: Some(with(oids::PBKDF2, &pbkdf2)),
            algorithm: with(oid!("1.2.840.113549.1.9.16.3.9"), &kek),
            encrypted_key: key,
        },
        build::Recipient::KeyEncapsulation {
            rid: RecipientIdentifier::SubjectKeyIdentifier(OctetStr::new(b"kem")),
            kem: plain(oid!("2.16.840.1.101.3.4.4.2")),
            kemct: &[3; 1088],
            kdf: plain(oid!("1.2.840.113549.1.9.16.3.28")),
            kek_length: 16,
            ukm: None,
            wrap: plain(AES128_WRAP),
            encrypted_key: key,
        },
    ]);
}

/// RFC 5652 §5.1, row by row.
#[test]
fn versions_follow_from_what_is_there() {
    let mut attributes = AttributeList::new();
    attributes.add(oids::LOCAL_KEY_ID, &OctetStr::new(&[1])).unwrap();
    let attributes = attributes.attributes();
    let version = |der: &[u8]| match ContentInfo::from_der(der).unwrap().content.get().unwrap() {
        Content::SignedData(signed) => signed.version.0,
        Content::EnvelopedData(enveloped) => enveloped.version.0,
        Content::EncryptedData(encrypted) => encrypted.version.0,
        Content::DigestedData(digested) => digested.version.0,
        Content::AuthenticatedData(authenticated) => authenticated.version.0,
        Content::AuthEnvelopedData(enveloped) => enveloped.version.0,
        other => panic!("{other:?}"),
    };
    every_recipient(&[1; 24], |recipients| {
        let enveloped = |recipients: &[build::Recipient<'_>], unprotected_attrs: &[Attribute<'_>], originator_info| {
            let algorithm = plain(AES128_CBC);
            let parts = build::EnvelopedParts {
                originator_info,
                recipients,
                content_type: ID_DATA,
                algorithm,
                unprotected_attrs,
            };
            version(&build::enveloped_data(&parts, None).unwrap())
        };
        let other = OtherCertificateFormat {
            other_cert_format: oids::LOCAL_KEY_ID,
            other_cert: Any::from_der(&[0x05, 0x00]).unwrap(),
        };
        let others = [CertificateChoices::Other(other)];
        let info = |certs| Some(OriginatorInfo { certs: Some(SetOf::from_slice(certs)), crls: None });
        // ktri by number, ktri by key, kari, kekri, pwri, KEM.
        let found: Vec<u8> = recipients.iter().map(|recipient| enveloped(&[*recipient], &[], None)).collect();
        assert_eq!(found, [0, 2, 2, 2, 3, 3]);
        assert_eq!(enveloped(&recipients[..1], &attributes, None), 2);
        assert_eq!(enveloped(&recipients[..1], &[], info(&[])), 2);
        assert_eq!(enveloped(&recipients[..1], &[], info(&others)), 4);
        let signed = |content_type, certificates: &[CertificateChoices<'_>]| {
            let parts = build::SignedParts { content_type, certificates, crls: &[], signers: &[] };
            version(&build::signed_data(&parts, None, &[]).unwrap().attach(&[]).unwrap())
        };
        assert_eq!(signed(ID_DATA, &[]), 1);
        assert_eq!(signed(ID_ENVELOPED_DATA, &[]), 3);
        assert_eq!(signed(ID_DATA, &others), 5);
        let encrypted = |attributes: &[Attribute<'_>]| {
            version(&build::encrypted_data(ID_DATA, &plain(AES128_CBC), None, attributes).unwrap())
        };
        assert_eq!((encrypted(&[]), encrypted(&attributes)), (0, 2));
        let digested = |content_type| {
            let algorithm = Digest::Sha256.algorithm();
            version(&build::digested_data(content_type, None, &algorithm, &[1; 32]).unwrap())
        };
        assert_eq!((digested(ID_DATA), digested(ID_SIGNED_DATA)), (0, 2));
        let authenticated = |originator_info| {
            let parts = build::AuthenticatedParts {
                originator_info,
                recipients,
                content_type: ID_DATA,
                mac_algorithm: plain(oids::HMAC_WITH_SHA256),
                authenticated: None,
                unauth_attrs: &[],
            };
            version(&build::authenticated_data(&parts, Some(b"x")).unwrap().attach(&[1; 32]).unwrap())
        };
        assert_eq!((authenticated(None), authenticated(info(&[])), authenticated(info(&others))), (0, 0, 3));
    });
}

#[test]
fn invalid_messages_are_not_built() {
    let algorithm = Digest::Sha256.algorithm();
    let sid = SignerIdentifier::SubjectKeyIdentifier(OctetStr::new(b"key"));
    let signature_algorithm = plain(oids::ED25519);
    let signer = |signed_attrs, unsigned_attrs| build::Signer {
        sid,
        digest_algorithm: algorithm,
        signature_algorithm,
        signed_attrs,
        unsigned_attrs,
    };
    let refused = |signer: build::Signer<'_>, digest: &[u8]| {
        let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &[signer] };
        build::signed_data(&parts, Some(b"x"), &[digest]).unwrap_err()
    };
    let mut list = AttributeList::new();
    list.add(ID_CONTENT_TYPE, &ID_DATA).unwrap();
    let own = list.attributes();
    assert!(matches!(refused(signer(Some(&own), &[]), &[1; 32]), BuildError::TwiceAttribute(_)));
    assert!(matches!(refused(signer(Some(&[]), &own), &[1; 32]), BuildError::Invalid { clause: "RFC 5652 §11", .. }));
    assert!(matches!(refused(signer(Some(&[]), &[]), &[1; 31]), BuildError::Invalid { clause: "RFC 5652 §11.2", .. }));
    let mut list = AttributeList::new();
    list.add_der(ID_COUNTERSIGNATURE, &[&[0x30, 0x00]]).unwrap();
    let counter = list.attributes();
    let error = refused(signer(Some(&counter), &[]), &[1; 32]);
    assert!(matches!(error, BuildError::Invalid { clause: "RFC 5652 §11.4", .. }), "{error}");
    let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &[] };
    assert!(build::signed_data(&parts, None, &[&[1; 32]]).is_err());
    assert!(build::signed_data(&parts, None, &[]).unwrap().attach(&[&[1]]).is_err());
    let enveloped = build::EnvelopedParts {
        originator_info: None,
        recipients: &[],
        content_type: ID_DATA,
        algorithm: plain(AES128_CBC),
        unprotected_attrs: &[],
    };
    assert!(build::enveloped_data(&enveloped, None).is_err());
    assert!(build::compressed_data(ID_DATA, b"no zlib").is_err());
    assert!(build::digested_data(ID_DATA, None, &algorithm, &[1; 20]).is_err());
    assert!(build::kem_other_info(&plain(AES128_WRAP), 0, None).is_err());
}

fn octets(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn signed_data_is_read_as_it_was_meant(
        content in prop::option::of(octets(0..300)),
        signers in prop::collection::vec((octets(1..30), any::<bool>(), octets(0..80), octets(1..9)), 0..5),
        cut in 1usize..90,
    ) {
        let digest = Digest::Sha384;
        let hash = digest.of(content.as_deref().unwrap_or_default());
        let lists: Vec<AttributeList> = signers.iter().map(|(.., value)| {
            let mut list = AttributeList::new();
            list.add(oids::LOCAL_KEY_ID, &OctetStr::new(value)).unwrap();
            list.signing_time(Time::from_unix(UnixTime(i64::from(value[0]))).unwrap()).unwrap();
            list
        }).collect();
        let attributes: Vec<_> = lists.iter().map(AttributeList::attributes).collect();
        let wanted: Vec<_> = signers.iter().zip(&attributes).map(|((key, with_attributes, ..), attributes)| build::Signer {
            sid: SignerIdentifier::SubjectKeyIdentifier(OctetStr::new(key)),
            digest_algorithm: digest.algorithm(),
            signature_algorithm: plain(oids::ED25519),
            signed_attrs: with_attributes.then_some(&attributes[..]),
            unsigned_attrs: &attributes[..1],
        }).collect();
        let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &wanted };
        let digests = vec![&hash[..]; wanted.len()];
        let signatures: Vec<_> = signers.iter().map(|(.., signature, _)| &signature[..]).collect();
        let unsigned = build::signed_data(&parts, content.as_deref(), &digests).unwrap();
        let der = unsigned.attach(&signatures).unwrap();
        let message = ContentInfo::from_der(&der).unwrap();
        prop_assert_eq!(&encode(&message).unwrap(), &der);
        let Content::SignedData(signed) = message.content.get().unwrap() else { panic!() };
        prop_assert_eq!(signed.encap_content_info.e_content.map(|content| content.as_bytes().to_vec()), content.clone());
        let read: Vec<_> = signed.signer_infos.iter().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read.len(), wanted.len());
        for (index, signer) in wanted.iter().enumerate() {
            let found = read.iter().any(|info| {
                info.sid == signer.sid
                    && info.signature.as_bytes() == signatures[index]
                    && info.signed_attrs.map(|attributes| encode(&attributes).unwrap()).as_deref() == unsigned.tbs(index)
                    && info.unsigned_attrs.is_some_and(|list| list.0.iter().next().unwrap().unwrap() == attributes[index][0])
            });
            assert!(found, "{index}");
        }
        // The stream says the same.
        if let Some(content) = &content {
            let mut writer = build::SignedWriter::new(Vec::new(), &parts).unwrap();
            for chunk in content.chunks(cut) {
                writer.write_all(chunk).unwrap();
                writer.flush().unwrap();
            }
            let written = writer.finish(&digests).unwrap().attach(&signatures).unwrap();
            prop_assert_eq!(&*ber::to_der::<ContentInfo<'_>>(&written).unwrap().bytes, &der[..]);
        }
    }

    #[test]
    fn enveloped_data_is_read_as_it_was_meant(
        key in octets(0..60),
        content in prop::option::of(octets(0..300)),
        (mask, authenticated) in (1u8..64, any::<bool>()),
        mac in octets(0..20),
        value in octets(0..20),
    ) {
        let mut list = AttributeList::new();
        list.add(oids::LOCAL_KEY_ID, &OctetStr::new(&value)).unwrap();
        let attributes = list.attributes();
        every_recipient(&key, |all| {
            let chosen: Vec<_> = (0..6).filter(|bit| mask & 1 << bit != 0).map(|bit| all[bit]).collect();
            let algorithm = plain(AES128_CBC);
            let (content_type, recipients) = (ID_SIGNED_DATA, &chosen[..]);
            let parts = build::EnvelopedParts {
                originator_info: None, recipients, content_type, algorithm, unprotected_attrs: &attributes,
            };
            let der = build::enveloped_data(&parts, content.as_deref()).unwrap();
            let message = ContentInfo::from_der(&der).unwrap();
            assert_eq!(encode(&message).unwrap(), der);
            let Content::EnvelopedData(read) = message.content.get().unwrap() else { panic!() };
            assert_eq!(read.recipient_infos.0.iter().count(), chosen.len());
            let octets = |info: &EncryptedContentInfo<'_>| info.encrypted_content.map(|content| content.to_vec());
            assert_eq!(octets(&read.encrypted_content_info), content);
            assert_eq!(read.unprotected_attrs.unwrap().0.iter().next().unwrap().unwrap(), attributes[0]);

            let auth_attrs: &[Attribute<'_>] = if authenticated { &attributes } else { &[] };
            let parts = build::AuthEnvelopedParts {
                originator_info: None, recipients, content_type, algorithm, auth_attrs, unauth_attrs: &[],
            };
            let unsealed = build::auth_enveloped_data(&parts).unwrap();
            let der = unsealed.attach(content.as_deref(), &mac).unwrap();
            let message = ContentInfo::from_der(&der).unwrap();
            assert_eq!(encode(&message).unwrap(), der);
            let Content::AuthEnvelopedData(read) = message.content.get().unwrap() else { panic!() };
            assert_eq!(octets(&read.auth_encrypted_content_info), content);
            assert_eq!(read.mac.as_bytes(), mac);
            // The type of what is not plain data is authenticated.
            assert_eq!(read.auth_attrs.map(|attributes| encode(&attributes).unwrap()).as_deref(), unsealed.aad());
            assert!(unsealed.aad().is_some());

            let digest = Digest::Sha256.of(&value);
            let parts = build::AuthenticatedParts {
                originator_info: None,
                recipients,
                content_type: ID_DATA,
                mac_algorithm: plain(oids::HMAC_WITH_SHA256),
                authenticated: authenticated.then_some(build::Authenticated {
                    digest_algorithm: Digest::Sha256.algorithm(),
                    digest: &digest,
                    attrs: &attributes,
                }),
                unauth_attrs: &[],
            };
            let unfinished = build::authenticated_data(&parts, content.as_deref()).unwrap();
            let der = unfinished.attach(&mac).unwrap();
            let message = ContentInfo::from_der(&der).unwrap();
            assert_eq!(encode(&message).unwrap(), der);
            let Content::AuthenticatedData(read) = message.content.get().unwrap() else { panic!() };
            assert_eq!(read.mac.as_bytes(), mac);
            assert_eq!(read.digest_algorithm.is_some(), authenticated);
            match read.auth_attrs {
                Some(attributes) => assert_eq!(unfinished.tbs(), Some(&encode(&attributes).unwrap()[..])),
                None => assert_eq!(unfinished.tbs(), content.as_deref()),
            }
        });
    }
}
