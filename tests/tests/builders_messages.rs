//! OCSP messages, time stamps and attribute certificates that are built are what the `openssl` command takes, and what they
//! were meant to be when they are read again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;

use proptest::prelude::*;
use tagwise_codec::{Any, BitStr, Decode, GeneralizedTime, Int, Null, OctetStr, SeqOf, SetOf, encode};
use tagwise_pkix::ac::*;
use tagwise_pkix::build::{self, AttributeList, BuildError, Digest, ExtensionList, IssuerHashes, cms};
use tagwise_pkix::cms::{CertificateChoices, SignerIdentifier};
use tagwise_pkix::ext::{Attribute, CrlReason, GeneralName, GeneralNames, NoRevAvail};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::ocsp::*;
use tagwise_pkix::tsp::*;
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, CertificateSerialNumber, Extensions, SubjectPublicKeyInfo, UnixTime, oids,
};
use tagwise_tests::openssl;

const NOW: i64 = openssl::NOT_BEFORE + 1000;

fn at(seconds: i64) -> GeneralizedTime<'static> {
    GeneralizedTime::from_unix(UnixTime(seconds)).unwrap()
}

#[test]
fn openssl_reads_ocsp() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let root = openssl::new_certificate(folder, "root", &openssl::EC, &[]);
    let root = Certificate::from_der(&root).unwrap();
    let hashes = IssuerHashes::of(Digest::Sha1, &root).unwrap();

    // A request with a nonce.
    let mut list = ExtensionList::new();
    list.add(false, &Nonce(OctetStr::new(&[0xAB; 32]))).unwrap();
    let extensions = list.extensions();
    let serials = [[0x11u8], [0x22], [0x33]];
    let ids: Vec<_> =
        serials.iter().map(|serial| hashes.cert_id(CertificateSerialNumber(Int::from_signed(serial)))).collect();
    let requests: Vec<_> = ids.iter().map(|id| Request { req_cert: *id, single_request_extensions: None }).collect();
    let tbs = TbsRequest {
        version: Version::V1,
        requestor_name: None,
        request_list: SeqOf::from_slice(&requests),
        request_extensions: Extensions::new(&extensions),
    };
    fs::write(folder.join("request"), build::ocsp_request(&tbs).unwrap()).unwrap();
    let said = openssl::run(folder, &["ocsp", "-reqin", "request", "-text"]);
    assert!(said.contains("Serial Number: 22") && said.contains("OCSP Nonce") && said.contains("ABABAB"), "{said}");

    // The same, signed.
    let name = GeneralName::DirectoryName(root.tbs_certificate.subject);
    let signed = TbsRequest { requestor_name: Some(name), ..tbs };
    assert!(matches!(build::signed_ocsp_request(&tbs, &openssl::ecdsa(), &[]), Err(BuildError::Invalid { .. })));
    let unsigned = build::signed_ocsp_request(&signed, &openssl::ecdsa(), &[root]).unwrap();
    let signed = openssl::attach(folder, "root", &unsigned);
    fs::write(folder.join("signed"), &signed).unwrap();
    let said = openssl::run(folder, &["ocsp", "-reqin", "signed", "-text"]);
    assert!(said.contains("Requestor Name: DirName") && said.contains("Signature Algorithm: ecdsa"), "{said}");
    let read = OcspRequest::from_der(&signed).unwrap();
    assert_eq!(read.tbs_request.as_bytes(), unsigned.tbs());

    // A response: good, revoked, unknown; by key and by name.
    let revoked = RevokedInfo { revocation_time: at(NOW - 5), revocation_reason: Some(CrlReason::KeyCompromise) };
    let statuses = [CertStatus::Good, CertStatus::Revoked(revoked), CertStatus::Unknown(Null)];
    let responses: Vec<_> = ids
        .iter()
        .zip(statuses)
        .map(|(id, cert_status)| SingleResponse {
            cert_id: *id,
            cert_status,
            this_update: at(NOW),
            next_update: Some(at(openssl::NOT_AFTER)),
            single_extensions: None,
        })
        .collect();
    let by_key = hashes.responder().unwrap();
    for responder_id in [by_key, ResponderId::ByName(root.tbs_certificate.subject)] {
        let data = ResponseData {
            version: Version::V1,
            responder_id,
            produced_at: at(NOW),
            responses: SeqOf::from_slice(&responses),
            response_extensions: Extensions::new(&extensions),
        };
        let unsigned = build::ocsp_response(&data, &openssl::ecdsa(), &[root]).unwrap();
        let response = openssl::attach(folder, "root", &unsigned);
        fs::write(folder.join("response"), &response).unwrap();
        let said = openssl::run(folder, &["ocsp", "-respin", "response", "-text", "-CAfile", "root.pem"]);
        assert!(said.contains("Response verify OK"), "{said}");
        for word in ["Cert Status: good", "Cert Status: revoked", "Cert Status: unknown", "keyCompromise"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        let read = OcspResponse::from_der(&response).unwrap();
        assert_eq!(encode(&read).unwrap(), response);
        let Response::Response(basic) = read.response_bytes.unwrap().response.get().unwrap() else { panic!() };
        assert_eq!(*basic.tbs_response_data, data);
    }
    fs::write(folder.join("error"), build::ocsp_error(OcspResponseStatus::Unauthorized).unwrap()).unwrap();
    // The command fails where the answer is an error, but it reads it first.
    let output = std::process::Command::new("openssl")
        .current_dir(folder)
        .args(["ocsp", "-respin", "error", "-text", "-noverify"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).contains("unauthorized"));
}

#[test]
fn openssl_reads_time_stamps() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tsa = openssl::new_certificate(folder, "tsa", &openssl::EC, &[oids::KP_TIME_STAMPING]);
    let tsa_certificate = Certificate::from_der(&tsa).unwrap();
    let digest = Digest::Sha256.of(b"what is stamped");
    let imprint = MessageImprint { hash_algorithm: Digest::Sha256.algorithm(), hashed_message: OctetStr::new(&digest) };
    let policy = tagwise_codec::oid!("1.3.6.1.4.1.99999.1");
    let nonce = Int::from_signed(&[0x12, 0x34, 0x56]);
    let request = build::timestamp_request(&TimeStampReq {
        version: TimeStampReqVersion::V1,
        message_imprint: imprint,
        req_policy: Some(policy),
        nonce: Some(nonce),
        cert_req: true,
        extensions: None,
    })
    .unwrap();
    fs::write(folder.join("query"), &request).unwrap();
    let said = openssl::run(folder, &["ts", "-query", "-in", "query", "-text"]);
    assert!(said.contains("Nonce: 0x123456") && said.contains("Hash Algorithm: sha256"), "{said}");

    let info = build::tst_info(&TstInfo {
        version: TstInfoVersion::V1,
        policy,
        message_imprint: imprint,
        serial_number: Int::from_signed(&[7]),
        gen_time: at(NOW),
        accuracy: Some(Accuracy { seconds: Some(Int::from_signed(&[1])), millis: Some(500), micros: None }),
        ordering: false,
        nonce: Some(nonce),
        tsa: Some(GeneralName::DirectoryName(tsa_certificate.tbs_certificate.subject)),
        extensions: None,
    })
    .unwrap();
    let mut attributes = AttributeList::new();
    attributes.signing_certificate(&tsa_certificate, Digest::Sha256).unwrap();
    let attributes = attributes.attributes();
    let signer = cms::Signer {
        sid: SignerIdentifier::IssuerAndSerialNumber(cms::issuer_and_serial_number(&tsa_certificate)),
        digest_algorithm: Digest::Sha256.algorithm(),
        signature_algorithm: openssl::ecdsa(),
        signed_attrs: Some(&attributes),
        unsigned_attrs: &[],
    };
    let certificates = [CertificateChoices::Certificate(tagwise_codec::Raw::new(&tsa_certificate))];
    let parts =
        cms::SignedParts { content_type: ID_CT_TST_INFO, certificates: &certificates, crls: &[], signers: &[signer] };
    let unsigned = cms::signed_data(&parts, Some(&info), &[&Digest::Sha256.of(&info)]).unwrap();
    let signature = openssl::sign(folder, "tsa", unsigned.tbs(0).unwrap());
    let token = unsigned.attach(&[&signature]).unwrap();
    let granted = PkiStatusInfo { status: PkiStatus::GRANTED, status_string: None, fail_info: None };
    let response = build::timestamp_response(&granted, Some(&token)).unwrap();
    fs::write(folder.join("reply"), &response).unwrap();
    let said = openssl::run(folder, &["ts", "-reply", "-in", "reply", "-text"]);
    assert!(said.contains("Status: Granted.") && said.contains("Serial number: 0x07"), "{said}");
    let said = openssl::run(folder, &["ts", "-verify", "-in", "reply", "-queryfile", "query", "-CAfile", "tsa.pem"]);
    assert!(said.contains("Verification: OK"), "{said}");
    let read = TimeStampResp::from_der(&response).unwrap();
    assert_eq!(encode(&read).unwrap(), response);
    // Content with a type is signed with attributes, and is what it says.
    let bare = cms::Signer { signed_attrs: None, ..signer };
    let refused = cms::signed_data(&cms::SignedParts { signers: &[bare], ..parts }, Some(&info), &[&[]]);
    assert!(matches!(refused, Err(BuildError::Invalid { clause: "RFC 5652 §5.3", .. })));
    let refused = cms::signed_data(&parts, Some(b"no TSTInfo"), &[&digest]);
    assert!(matches!(refused, Err(BuildError::Decode(_))));
}

/// What an attribute certificate is made of.
fn attribute_certificate(
    serial: &[u8],
    roles: &[String],
    days: i64,
    holder: &NameBuf,
    issuer: &NameBuf,
    then: impl FnOnce(&AttributeCertificateInfo<'_>),
) {
    let mut values: Vec<Vec<u8>> = roles
        .iter()
        .map(|role| {
            let name = GeneralName::UniformResourceIdentifier(role.as_str().try_into().unwrap());
            encode(&RoleSyntax { role_authority: None, role_name: name }).unwrap()
        })
        .collect();
    // As they are written: a SET OF.
    values.sort();
    let values: Vec<_> = values.iter().map(|value| Any::from_der(value).unwrap()).collect();
    let attributes = [Attribute { attr_type: ID_AT_ROLE, values: SetOf::from_slice(&values) }];
    let issuers = [GeneralName::DirectoryName(issuer.name())];
    let holders = [GeneralName::DirectoryName(holder.name())];
    let mut list = ExtensionList::new();
    list.add(false, &NoRevAvail(Null)).unwrap();
    let extensions = list.extensions();
    then(&AttributeCertificateInfo {
        version: AttCertVersion::V2,
        holder: Holder {
            base_certificate_id: None,
            entity_name: Some(GeneralNames(SeqOf::from_slice(&holders))),
            object_digest_info: None,
        },
        issuer: AttCertIssuer::V2Form(V2Form {
            issuer_name: Some(GeneralNames(SeqOf::from_slice(&issuers))),
            base_certificate_id: None,
            object_digest_info: None,
        }),
        signature: openssl::ecdsa(),
        serial_number: CertificateSerialNumber(Int::from_signed(serial)),
        attr_cert_validity_period: AttCertValidityPeriod {
            not_before_time: at(NOW),
            not_after_time: at(NOW + days * 86_400),
        },
        attributes: SeqOf::from_slice(&attributes),
        issuer_unique_id: None,
        extensions: Extensions::new(&extensions),
    });
}

#[test]
fn attribute_certificates() {
    let name = NameBuf::parse("CN=Example").unwrap();
    attribute_certificate(&[5], &["urn:role".to_owned()], 30, &name, &name, |info| {
        let der = build::attribute_certificate(info).unwrap().attach(&[1; 70]).unwrap();
        if openssl::is_there() {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("ac"), &der).unwrap();
            let said = openssl::run(folder.path(), &["asn1parse", "-inform", "DER", "-in", "ac"]);
            assert!(said.contains("ecdsa-with-SHA256") && said.contains("X509v3 No Revocation Available"), "{said}");
        }
        // What the profile forbids.
        let refused = |info: AttributeCertificateInfo<'_>, clause: &str| match build::attribute_certificate(&info) {
            Err(BuildError::Invalid { clause: found, .. }) => assert_eq!(found, clause),
            other => panic!("{clause}: {other:?}"),
        };
        refused(
            AttributeCertificateInfo {
                holder: Holder { base_certificate_id: None, entity_name: None, object_digest_info: None },
                ..*info
            },
            "RFC 5755 §4.2.2",
        );
        refused(
            AttributeCertificateInfo { issuer: AttCertIssuer::V1Form(info.holder.entity_name.unwrap()), ..*info },
            "RFC 5755 §4.2.3",
        );
        let period = AttCertValidityPeriod { not_before_time: at(NOW), not_after_time: at(NOW - 1) };
        refused(AttributeCertificateInfo { attr_cert_validity_period: period, ..*info }, "RFC 5755 §4.2.6");
        refused(AttributeCertificateInfo { attributes: SeqOf::default(), ..*info }, "RFC 5755 §4.2.7");
        let first = info.attributes.iter().next().unwrap().unwrap();
        let twice = [first, first];
        let twice = AttributeCertificateInfo { attributes: SeqOf::from_slice(&twice), ..*info };
        assert!(matches!(build::attribute_certificate(&twice), Err(BuildError::TwiceAttribute(_))));
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ocsp_is_read_as_it_was_meant(
        key in any::<[u8; 32]>(),
        serials in prop::collection::vec((prop::collection::vec(any::<u8>(), 1..20), 0u8..4, 0i64..1_000_000), 1..6),
        nonce in prop::collection::vec(any::<u8>(), 1..=128),
        digest in prop::sample::select(vec![Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512]),
        by_name in any::<bool>(),
        signature in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
        let key = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&key) };
        let name = NameBuf::parse("CN=Issuer,C=DE").unwrap();
        let hashes = IssuerHashes::new(digest, name.name(), &key).unwrap();
        let sha1 = IssuerHashes::new(Digest::Sha1, name.name(), &key).unwrap();
        prop_assert_eq!(hashes.responder().is_ok(), digest == Digest::Sha1);
        let mut list = ExtensionList::new();
        list.add(false, &Nonce(OctetStr::new(&nonce))).unwrap();
        let extensions = list.extensions();
        let numbers: Vec<Vec<u8>> = serials.iter().map(|(serial, ..)| [&[1][..], &serial[1..]].concat()).collect();
        let ids: Vec<_> = numbers.iter().map(|serial| hashes.cert_id(CertificateSerialNumber(Int::from_signed(serial)))).collect();
        let requests: Vec<_> = ids.iter().map(|id| Request { req_cert: *id, single_request_extensions: None }).collect();
        let tbs = TbsRequest {
            version: Version::V1,
            requestor_name: by_name.then(|| GeneralName::DirectoryName(name.name())),
            request_list: SeqOf::from_slice(&requests),
            request_extensions: Extensions::new(&extensions),
        };
        let der = build::ocsp_request(&tbs).unwrap();
        let read = OcspRequest::from_der(&der).unwrap();
        prop_assert_eq!(*read.tbs_request, tbs);
        prop_assert_eq!(&encode(&read).unwrap(), &der);
        if by_name {
            let unsigned = build::signed_ocsp_request(&tbs, &algorithm, &[]).unwrap();
            let der = unsigned.attach(&signature).unwrap();
            let read = OcspRequest::from_der(&der).unwrap();
            prop_assert_eq!(read.tbs_request.as_bytes(), unsigned.tbs());
            prop_assert_eq!(read.optional_signature.unwrap().signature.as_bytes(), &signature[..]);
            prop_assert_eq!(&encode(&read).unwrap(), &der);
        }

        let responses: Vec<_> = ids.iter().zip(&serials).map(|(id, (_, status, when))| SingleResponse {
            cert_id: *id,
            cert_status: match status {
                0 => CertStatus::Good,
                1 => CertStatus::Unknown(Null),
                2 => CertStatus::Revoked(RevokedInfo { revocation_time: at(*when), revocation_reason: None }),
                _ => CertStatus::Revoked(RevokedInfo {
                    revocation_time: at(*when),
                    revocation_reason: Some(CrlReason::Superseded),
                }),
            },
            this_update: at(NOW + when),
            next_update: (*status != 1).then(|| at(NOW + 2 * when)),
            single_extensions: None,
        }).collect();
        let data = ResponseData {
            version: Version::V1,
            responder_id: if by_name { ResponderId::ByName(name.name()) } else { sha1.responder().unwrap() },
            produced_at: at(NOW),
            responses: SeqOf::from_slice(&responses),
            response_extensions: Extensions::new(&extensions),
        };
        let unsigned = build::ocsp_response(&data, &algorithm, &[]).unwrap();
        let der = unsigned.attach(&signature).unwrap();
        let read = OcspResponse::from_der(&der).unwrap();
        prop_assert_eq!(&encode(&read).unwrap(), &der);
        let Response::Response(basic) = read.response_bytes.unwrap().response.get().unwrap() else { panic!() };
        prop_assert_eq!(*basic.tbs_response_data, data);
        prop_assert_eq!(basic.tbs_response_data.as_bytes(), unsigned.tbs());
        prop_assert_eq!(basic.signature.as_bytes(), &signature[..]);
        // What cannot be.
        let short = CertId { issuer_key_hash: OctetStr::new(&[1; 19]), ..ids[0] };
        let requests = [Request { req_cert: short, single_request_extensions: None }];
        let refused = build::ocsp_request(&TbsRequest { request_list: SeqOf::from_slice(&requests), ..tbs });
        assert!(matches!(refused, Err(BuildError::Invalid { .. })), "{:?}", refused);
        let backwards = [SingleResponse { next_update: Some(at(0)), ..responses[0] }];
        let refused = build::ocsp_response(&ResponseData { responses: SeqOf::from_slice(&backwards), ..data }, &algorithm, &[]);
        assert!(matches!(refused, Err(BuildError::Invalid { clause: "RFC 6960 §2.4", .. })));
    }

    #[test]
    fn time_stamps_are_read_as_they_were_meant(
        digest in prop::sample::select(vec![Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512]),
        content in prop::collection::vec(any::<u8>(), 0..40),
        nonce in prop::option::of(prop::collection::vec(any::<u8>(), 1..12)),
        serial in any::<u64>(),
        (seconds, nanos) in (0i64..4_000_000_000, 0u32..1_000_000_000),
        (millis, micros) in (prop::option::of(1u16..1000), prop::option::of(1u16..1000)),
        (ordering, cert_req) in any::<(bool, bool)>(),
    ) {
        let hash = digest.of(&content);
        let imprint = MessageImprint { hash_algorithm: digest.algorithm(), hashed_message: OctetStr::new(&hash) };
        let nonce = nonce.as_deref().map(Int::from_signed);
        let request = TimeStampReq {
            version: TimeStampReqVersion::V1, message_imprint: imprint, req_policy: None, nonce, cert_req, extensions: None,
        };
        let der = build::timestamp_request(&request).unwrap();
        prop_assert_eq!(TimeStampReq::from_der(&der).unwrap(), request);
        let serial = [&[0][..], &serial.to_be_bytes()].concat();
        let info = TstInfo {
            version: TstInfoVersion::V1,
            policy: oids::ED25519,
            message_imprint: imprint,
            serial_number: Int::from_signed(&serial),
            gen_time: at(seconds).with_nanosecond(nanos).unwrap(),
            accuracy: Some(Accuracy { seconds: None, millis, micros }),
            ordering,
            nonce,
            tsa: None,
            extensions: None,
        };
        let der = build::tst_info(&info).unwrap();
        prop_assert_eq!(TstInfo::from_der(&der).unwrap(), info);
        let short = MessageImprint { hashed_message: OctetStr::new(&hash[1..]), ..imprint };
        assert!(build::tst_info(&TstInfo { message_imprint: short, ..info }).is_err());
        assert!(build::timestamp_request(&TimeStampReq { message_imprint: short, ..request }).is_err());
    }

    #[test]
    fn attribute_certificates_are_read_as_they_were_meant(
        serial in any::<[u8; 12]>(),
        roles in prop::collection::vec("urn:[a-z]{1,12}", 1..4),
        days in 0i64..10_000,
        signature in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let holder = NameBuf::parse("CN=Holder").unwrap();
        let issuer = NameBuf::parse("CN=Issuer,C=DE").unwrap();
        let serial = [&[1][..], &serial].concat();
        attribute_certificate(&serial, &roles, days, &holder, &issuer, |info| {
            let unsigned = build::attribute_certificate(info).unwrap();
            let der = unsigned.attach(&signature).unwrap();
            let read = AttributeCertificate::from_der(&der).unwrap();
            assert_eq!(*read.acinfo, *info);
            assert_eq!(read.acinfo.as_bytes(), unsigned.tbs());
            assert_eq!(encode(&read).unwrap(), der);
        });
    }
}
