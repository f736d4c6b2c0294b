//! Messages of CMS read as streams: what was written as one, what the `openssl` command wrote, with definite and indefinite lengths;
//! content that never is in memory as a whole; and what is malformed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::{self, Read, Write};

use proptest::prelude::*;
use tagwise_codec::{Any, Decode, OctetStr, encode, oid};
use tagwise_pkix::build::{AttributeList, Digest, cms as build};
use tagwise_pkix::cms::*;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, oids};
use tagwise_tests::{corpora, openssl};

const ED25519: AlgorithmIdentifier<'static> = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };

fn signer<'a>(attributes: Option<&'a [Attribute<'a>]>) -> build::Signer<'a> {
    build::Signer {
        sid: SignerIdentifier::SubjectKeyIdentifier(OctetStr::new(b"key")),
        digest_algorithm: Digest::Sha256.algorithm(),
        signature_algorithm: ED25519,
        signed_attrs: attributes,
        unsigned_attrs: &[],
    }
}

/// Content goes from the writer to the reader as it comes: 96 MiB, of which neither has more than some buffers at a time.
#[test]
fn content_flows_through() {
    const CHUNKS: usize = 96;
    let chunk: Vec<u8> = (0..1u32 << 18).flat_map(u32::to_le_bytes).collect();
    let (input, output) = io::pipe().unwrap();
    let written = chunk.clone();
    let writing = std::thread::spawn(move || {
        let signers = [signer(Some(&[]))];
        let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &signers };
        let mut writer = build::SignedWriter::new(output, &parts).unwrap();
        for _ in 0..CHUNKS {
            writer.write_all(&written).unwrap();
        }
        writer.finish(&[&[7; 32]]).unwrap().attach(&[b"signature"]).unwrap();
    });
    let mut reader = SignedReader::new(input).unwrap();
    assert!(!reader.is_detached());
    let mut buffer = vec![0; chunk.len()];
    for _ in 0..CHUNKS {
        reader.read_exact(&mut buffer).unwrap();
        assert!(buffer == chunk);
    }
    assert_eq!(reader.read(&mut buffer).unwrap(), 0);
    let tail = reader.finish().unwrap();
    writing.join().unwrap();
    let info = SignerInfo::from_der(&tail.signers[0]).unwrap();
    assert_eq!(info.signature.as_bytes(), b"signature");
    assert_eq!(info.message_digest().unwrap(), Some(&[7; 32][..]));
    assert_eq!(info.content_type().unwrap(), Some(ID_DATA));
}

#[test]
fn streams_of_openssl_are_read() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let der = openssl::new_certificate(folder, "one", &openssl::RSA, &[]);
    let certificate = Certificate::from_der(&der).unwrap();
    let content: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    fs::write(folder.join("content"), &content).unwrap();
    let sign = [
        "cms", "-sign", "-binary", "-in", "content", "-signer", "one.pem", "-inkey", "one.key", "-outform", "DER",
        "-out", "message",
    ];
    for more in [&["-nodetach"][..], &["-nodetach", "-stream"], &[], &["-nodetach", "-noattr"]] {
        let _ = openssl::run(folder, &[&sign[..], more].concat());
        let file = fs::File::open(folder.join("message")).unwrap();
        let mut reader = SignedReader::new(file).unwrap();
        assert_eq!(reader.is_detached(), more.is_empty());
        assert_eq!(reader.digest_algorithms().len(), 1);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, if more.is_empty() { &[][..] } else { &content });
        let tail = reader.finish().unwrap();
        assert_eq!(tail.certificates, std::slice::from_ref(&der));
        let info = SignerInfo::from_der(&tail.signers[0]).unwrap();
        assert_eq!(info.signing_time().unwrap().is_some(), !more.contains(&"-noattr"));
        // The signature is of what it says it is of.
        let signed = info.signed_octets().unwrap().unwrap_or_else(|| content.clone());
        fs::write(folder.join("tbs"), signed).unwrap();
        fs::write(folder.join("signature"), info.signature.as_bytes()).unwrap();
        let _ = openssl::run(folder, &["x509", "-in", "one.pem", "-pubkey", "-noout", "-out", "one.pub"]);
        let said = openssl::run(folder, &["dgst", "-sha256", "-verify", "one.pub", "-signature", "signature", "tbs"]);
        assert!(said.contains("Verified OK"), "{said}");
        if let Some(digest) = info.message_digest().unwrap() {
            assert_eq!(digest, Digest::Sha256.of(&content));
        }
    }
    // What is left of the content is passed.
    let file = fs::File::open(folder.join("message")).unwrap();
    assert_eq!(SignedReader::new(file).unwrap().finish().unwrap().signers.len(), 1);

    let encrypt = [
        "cms",
        "-encrypt",
        "-binary",
        "-aes-128-cbc",
        "-in",
        "content",
        "-outform",
        "DER",
        "-out",
        "message",
        "-recip",
        "one.pem",
    ];
    for more in [&[][..], &["-stream"], &["-aes-128-gcm", "-stream"]] {
        let mut args = encrypt.to_vec();
        drop(args.splice(10..10, more.iter().copied()));
        let _ = openssl::run(folder, &args);
        let message = fs::read(folder.join("message")).unwrap();
        let mut reader = EncryptedReader::new(&message[..]).unwrap();
        let RecipientInfo::Ktri(recipient) = RecipientInfo::from_der(&reader.recipients()[0]).unwrap() else {
            panic!()
        };
        let rid = RecipientIdentifier::IssuerAndSerialNumber(build::issuer_and_serial_number(&certificate));
        assert_eq!(recipient.rid, rid);
        assert_eq!(reader.content_type(), ID_DATA);
        AlgorithmIdentifier::from_der(reader.algorithm()).unwrap();
        let authenticated = more.contains(&"-aes-128-gcm");
        assert_eq!(reader.kind() == auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA, authenticated);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read.len(), if authenticated { content.len() } else { content.len() / 16 * 16 + 16 });
        assert_eq!(reader.finish().unwrap().mac.map(|mac| mac.len()), authenticated.then_some(16));
    }
}

/// The reader and the decoder agree about files of others.
#[test]
fn files_of_others() {
    let Some(set) = corpora::set("pyca/pkcs7") else { return };
    let mut certificates = 0;
    for (name, octets) in corpora::files(&set) {
        let Some((_, octets)) = corpora::contents(&octets).pop() else { continue };
        let Ok(canonical) = tagwise_codec::ber::to_der::<ContentInfo<'_>>(&octets) else { continue };
        let Ok(message) = canonical.decode::<ContentInfo<'_>>() else { continue };
        match message.content.get().unwrap() {
            Content::SignedData(signed) => {
                let tail = SignedReader::new(&octets[..]).unwrap().finish().unwrap();
                assert_eq!(tail.signers.len(), signed.signer_infos.iter().count(), "{name}");
                assert_eq!(
                    tail.certificates.len(),
                    signed.certificates.map_or(0, |list| list.iter().count()),
                    "{name}"
                );
                certificates += tail.certificates.len();
            }
            Content::EnvelopedData(enveloped) => {
                let mut reader = EncryptedReader::new(&octets[..]).unwrap();
                assert_eq!(reader.recipients().len(), enveloped.recipient_infos.0.iter().count(), "{name}");
                let mut content = Vec::new();
                reader.read_to_end(&mut content).unwrap();
                let wanted = enveloped.encrypted_content_info.encrypted_content;
                assert_eq!(content, wanted.map(|content| content.to_vec()).unwrap_or_default(), "{name}");
                reader.finish().unwrap();
            }
            _ => {}
        }
    }
    assert!(certificates > 2);
}

#[test]
fn errors_of_malformed_streams() {
    let signers = [signer(Some(&[]))];
    let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &signers };
    let mut writer = build::SignedWriter::new(Vec::new(), &parts).unwrap();
    writer.write_all(&[5; 1000]).unwrap();
    let message = writer.finish(&[&[7; 32]]).unwrap().attach(&[b"signature"]).unwrap();
    let read = |octets: &[u8], limits| SignedReader::with(octets, limits).and_then(SignedReader::finish);
    assert!(read(&message, Limits::DEFAULT).is_ok());
    for len in 0..message.len() {
        let error = read(&message[..len], Limits::DEFAULT).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
    // ISO 32000-1 §12.8.3.3: /Contents of a PDF file is padded with zeros.
    assert!(read(&[&message[..], &[0; 9]].concat(), Limits::DEFAULT).is_ok());
    assert!(read(&[&message[..], &[0, 0, 1]].concat(), Limits::DEFAULT).is_err());
    assert!(read(&[&message[..], &[5]].concat(), Limits::DEFAULT).is_err());
    let small = Limits { element: 1 << 20, total: 60 };
    assert!(matches!(read(&message, small), Err(ReadError::TooLarge { .. })));
    let small = Limits { element: 40, total: 1 << 20 };
    assert!(matches!(read(&message, small), Err(ReadError::Stream(_))));
    let data = build::data(b"x").unwrap();
    assert!(matches!(SignedReader::new(&data[..]), Err(ReadError::Unexpected { .. })));
    assert!(matches!(EncryptedReader::new(&message[..]), Err(ReadError::Unexpected { .. })));
    assert!(matches!(ContentReader::new(&message[..]), Err(ReadError::Unexpected { .. })));
    // Digested data without its digest, and with something behind it.
    let algorithm = Digest::Sha256.algorithm();
    let good = build::digested_data(ID_DATA, Some(b"x"), &algorithm, &[4; 32]).unwrap();
    let inside = [&good[good.len() - 34..], &good[good.len() - 34..]].concat();
    let frame = |content: &[u8]| {
        let any = |tag: u8, content: &[u8]| [&[tag, content.len() as u8][..], content].concat();
        any(0x30, &[&encode(&ID_DIGESTED_DATA).unwrap()[..], &any(0xA0, &any(0x30, content))].concat())
    };
    let begin = good.len() - 34 - encode(&algorithm).unwrap().len() - 18 - 3;
    let head = &good[begin..good.len() - 34];
    let read = |message: &[u8]| ContentReader::new(message).and_then(ContentReader::finish);
    assert_eq!(frame(&[head, &inside[..34]].concat()), good);
    assert!(matches!(read(&frame(head)), Err(ReadError::Unexpected { .. })));
    assert!(matches!(read(&frame(&[head, &inside].concat())), Err(ReadError::Unexpected { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// DER and BER of a message, read as a stream, give what the decoder gives.
    #[test]
    fn readers_agree_with_the_decoder(
        content in prop::option::of(prop::collection::vec(any::<u8>(), 0..3000)),
        count in 0usize..4,
        value in prop::collection::vec(any::<u8>(), 0..20),
        (mask, step) in (any::<bool>(), 1usize..500),
    ) {
        let mut list = AttributeList::new();
        list.add(oids::LOCAL_KEY_ID, &OctetStr::new(&value)).unwrap();
        let attributes = list.attributes();
        let signers = vec![signer(mask.then_some(&attributes[..])); count];
        let other = OtherCertificateFormat { other_cert_format: oids::LOCAL_KEY_ID, other_cert: Any::from_der(&[5, 0]).unwrap() };
        let certificates = [CertificateChoices::Other(other)];
        let parts = build::SignedParts { content_type: ID_DATA, certificates: &certificates, crls: &[], signers: &signers };
        let digests = vec![&[9u8; 32][..]; count];
        let signatures = vec![&value[..]; count];
        let der = build::signed_data(&parts, content.as_deref(), &digests).unwrap().attach(&signatures).unwrap();
        let mut messages = vec![der.clone()];
        if let Some(content) = &content {
            let mut writer = build::SignedWriter::new(Vec::new(), &parts).unwrap();
            for chunk in content.chunks(step) {
                writer.write_all(chunk).unwrap();
                writer.flush().unwrap();
            }
            messages.push(writer.finish(&digests).unwrap().attach(&signatures).unwrap());
        }
        for message in messages {
            let mut reader = SignedReader::new(&message[..]).unwrap();
            prop_assert_eq!(reader.is_detached(), content.is_none());
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            prop_assert_eq!(&read, content.as_deref().unwrap_or_default());
            let tail = reader.finish().unwrap();
            prop_assert_eq!(&tail.certificates, &[encode(&certificates[0]).unwrap()]);
            prop_assert_eq!(tail.signers.len(), count);
            let Content::SignedData(signed) = ContentInfo::from_der(&der).unwrap().content.get().unwrap() else { panic!() };
            for (info, octets) in signed.signer_infos.iter().zip(&tail.signers) {
                prop_assert_eq!(&encode(&info.unwrap()).unwrap(), octets);
            }
        }

        let keys = [RecipientInfo::Kekri(KekRecipientInfo {
            version: CmsVersion::V4,
            kekid: KekIdentifier { key_identifier: OctetStr::new(&value), date: None, other: None },
            key_encryption_algorithm: ED25519,
            encrypted_key: OctetStr::new(&value),
        })];
        let recipients = [build::Recipient::SharedKey {
            kekid: KekIdentifier { key_identifier: OctetStr::new(&value), date: None, other: None },
            algorithm: ED25519,
            encrypted_key: &value,
        }];
        let algorithm = AlgorithmIdentifier { algorithm: oid!("2.16.840.1.101.3.4.1.6"), parameters: None };
        let sealed = build::AuthEnvelopedParts {
            originator_info: mask.then_some(OriginatorInfo { certs: None, crls: None }),
            recipients: &recipients,
            content_type: ID_DATA,
            algorithm,
            auth_attrs: &attributes,
            unauth_attrs: &attributes,
        };
        let unsealed = build::auth_enveloped_data(&sealed).unwrap();
        let mut messages = vec![unsealed.attach(content.as_deref(), b"mac").unwrap()];
        if let Some(content) = &content {
            let mut writer = build::AuthEnvelopedWriter::new(Vec::new(), &sealed).unwrap();
            writer.write_all(content).unwrap();
            messages.push(writer.finish(b"mac").unwrap());
        }
        for message in messages {
            let mut reader = EncryptedReader::new(&message[..]).unwrap();
            prop_assert_eq!(reader.originator_info().is_some(), mask);
            prop_assert_eq!(reader.recipients(), &[encode(&keys[0]).unwrap()]);
            prop_assert_eq!(reader.is_detached(), content.is_none());
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            prop_assert_eq!(&read, content.as_deref().unwrap_or_default());
            let tail = reader.finish().unwrap();
            prop_assert_eq!(tail.auth_attrs.as_deref(), unsealed.aad());
            prop_assert_eq!(tail.mac.as_deref(), Some(&b"mac"[..]));
            prop_assert!(tail.unprotected_attrs.is_some());
        }
    }

    /// The same for content that is neither signed nor encrypted, whole and as a stream.
    #[test]
    fn readers_of_plain_content_agree_with_the_builders(
        content in prop::collection::vec(any::<u8>(), 0..3000),
        detached in any::<bool>(),
        (attributed, sent) in (any::<bool>(), any::<bool>()),
        step in 1usize..500,
    ) {
        let held = (!detached).then_some(&content[..]);
        let read = |message: &[u8]| {
            let mut reader = ContentReader::new(message).unwrap();
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, if reader.is_detached() { &[][..] } else { &content });
            assert_eq!(reader.content_type(), ID_DATA);
            let heads = [reader.algorithm(), reader.digest_algorithm(), reader.originator_info()].map(|it| it.map(<[u8]>::to_vec));
            let (kind, recipients) = (encode(&reader.kind()).unwrap(), reader.recipients().to_vec());
            (kind, heads, recipients, reader.is_detached(), reader.finish().unwrap())
        };
        macro_rules! fill {
            ($writer:ident) => {
                for chunk in content.chunks(step) {
                    $writer.write_all(chunk).unwrap();
                }
            };
        }
        let algorithm = Digest::Sha256.algorithm();
        let named = Some(encode(&algorithm).unwrap());
        let whole = read(&build::digested_data(ID_DATA, held, &algorithm, &[4; 32]).unwrap());
        prop_assert_eq!(&whole.1, &[named.clone(), None, None]);
        prop_assert_eq!((whole.3, whole.4.digest.as_deref()), (detached, Some(&[4; 32][..])));
        let mut writer = build::DigestedWriter::new(Vec::new(), ID_DATA, &algorithm).unwrap();
        fill!(writer);
        let written = writer.finish(&[4; 32]).unwrap();
        let canonical = tagwise_codec::ber::to_der::<ContentInfo<'_>>(&written).unwrap();
        prop_assert_eq!(&*canonical.bytes, build::digested_data(ID_DATA, Some(&content), &algorithm, &[4; 32]).unwrap());
        prop_assert_eq!(read(&written).4, whole.4);

        // A zlib stream by its first octets is all that the builder looks at.
        let mut writer = build::CompressedWriter::new(Vec::new(), ID_DATA).unwrap();
        fill!(writer);
        prop_assert_eq!(read(&writer.finish().unwrap()).4, ContentTail::default());
        let plain = read(&build::data(&content).unwrap());
        prop_assert_eq!((plain.0, plain.4), (encode(&ID_DATA).unwrap(), ContentTail::default()));

        let recipients = [build::Recipient::SharedKey {
            kekid: KekIdentifier { key_identifier: OctetStr::new(b"key"), date: None, other: None },
            algorithm: ED25519,
            encrypted_key: b"encrypted",
        }];
        let mut list = AttributeList::new();
        list.add(oids::LOCAL_KEY_ID, &OctetStr::new(b"value")).unwrap();
        let attributes = list.attributes();
        let parts = build::AuthenticatedParts {
            originator_info: sent.then_some(OriginatorInfo { certs: None, crls: None }),
            recipients: &recipients,
            content_type: ID_DATA,
            mac_algorithm: AlgorithmIdentifier { algorithm: oids::HMAC_WITH_SHA256, parameters: None },
            authenticated: attributed.then_some(build::Authenticated { digest_algorithm: algorithm, digest: &[4; 32], attrs: &attributes }),
            unauth_attrs: &attributes,
        };
        let unfinished = build::authenticated_data(&parts, held).unwrap();
        let whole = read(&unfinished.attach(&[3; 32]).unwrap());
        prop_assert_eq!(&whole.1[1], &named.filter(|_| attributed));
        prop_assert_eq!(whole.1[2].is_some(), sent);
        prop_assert_eq!(whole.4.mac.as_deref(), Some(&[3; 32][..]));
        prop_assert_eq!(whole.4.auth_attrs.as_deref(), unfinished.tbs().filter(|_| attributed));
        prop_assert!(whole.4.unauth_attrs.is_some());
        let mut writer = build::AuthenticatedWriter::new(Vec::new(), &parts).unwrap();
        fill!(writer);
        let unfinished = writer.finish(&[4; 32]).unwrap();
        prop_assert_eq!(unfinished.tbs(), whole.4.auth_attrs.as_deref());
        let written = unfinished.attach(&[3; 32]).unwrap();
        let streamed = read(&written);
        prop_assert_eq!((&streamed.1, &streamed.2, &streamed.4), (&whole.1, &whole.2, &whole.4));
        for len in (0..written.len()).step_by(step) {
            let mut reader = match ContentReader::new(&written[..len]) {
                Ok(reader) => reader,
                Err(error) => {
                    prop_assert!(!error.to_string().is_empty());
                    continue;
                }
            };
            let cut = io::copy(&mut reader, &mut io::sink()).is_err();
            prop_assert!(reader.finish().is_err() || cut, "{} of {}", len, written.len());
        }
    }

    /// Whatever is changed in a message: it is read or refused.
    #[test]
    fn what_is_changed_is_refused_at_most(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        stream in any::<bool>(),
    ) {
        let signers = [signer(Some(&[])), signer(None)];
        let parts = build::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &signers };
        let digests = [&[9u8; 32][..]; 2];
        let mut message = if stream {
            let mut writer = build::SignedWriter::new(Vec::new(), &parts).unwrap();
            writer.write_all(&[7; 200]).unwrap();
            writer.finish(&digests).unwrap().attach(&[b"one", b"two"]).unwrap()
        } else {
            build::signed_data(&parts, Some(&[7; 200]), &digests).unwrap().attach(&[b"one", b"two"]).unwrap()
        };
        for (index, octet) in &changes {
            let at = index.index(message.len());
            message[at] = *octet;
        }
        if let Ok(mut reader) = SignedReader::new(&message[..]) {
            let mut content = Vec::new();
            let read = reader.read_to_end(&mut content).is_ok();
            let finished = reader.finish();
            // What the decoder takes, the reader takes.
            let canonical = tagwise_codec::ber::to_der::<ContentInfo<'_>>(&message);
            let decoded = canonical.as_ref().is_ok_and(|canonical| canonical.decode::<ContentInfo<'_>>().is_ok());
            assert!(!decoded || read && finished.is_ok(), "{finished:?}");
        }
    }
}
