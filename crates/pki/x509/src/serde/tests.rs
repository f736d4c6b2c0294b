//! The shapes, as they are documented.

use serde_json::{Value, from_value, json, to_value};
use tagwise_codec::{BitStr, Decode, NamedBits, Open, SeqOf, encode};

use super::CertificateSummary;
use crate::ext::*;
use crate::name::NameBuf;
use crate::*;

fn extension<'a, T: KnownExtension>(critical: bool, value: &'a [u8]) -> Extension<'a> {
    Extension { extn_id: T::ID, critical, extn_value: Open::new(T::ID.as_bytes(), value) }
}

/// A certificate with these extensions.
fn certificate(extensions: &[Extension<'_>], then: impl FnOnce(&Certificate<'_>)) {
    let name = NameBuf::parse("CN=Example \\, CA,C=DE").unwrap();
    let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
    let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
    let tbs = TbsCertificate {
        version: Version::V3,
        serial_number: CertificateSerialNumber(tagwise_codec::Int::from_signed(&[0x00, 0xCA, 0xFE])),
        signature: algorithm,
        issuer: name.name(),
        validity: Validity { not_before: time(0), not_after: time(2_600_000_000) },
        subject: name.name(),
        subject_public_key_info: SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&[7; 32]) },
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(extensions),
    };
    let (tbs, algorithm) = (encode(&tbs).unwrap(), encode(&algorithm).unwrap());
    let inside = [&tbs[..], &algorithm, &[0x03, 0x01, 0x00]].concat();
    let len = u16::try_from(inside.len()).unwrap().to_be_bytes();
    let der = [&[0x30, 0x82][..], &len, &inside].concat();
    then(&Certificate::from_der(&der).unwrap());
}

#[test]
fn certificates() {
    let usage = encode(&KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6))).unwrap();
    let constraints = encode(&BasicConstraints { ca: true, path_len_constraint: Some(Count::new(1)) }).unwrap();
    let identifier = encode(&SubjectKeyIdentifier((&[0xAB, 0xCD][..]).into())).unwrap();
    let purposes = encode(&ExtKeyUsage(SeqOf::from_slice(&[oids::KP_SERVER_AUTH]))).unwrap();
    let names = [
        GeneralName::DnsName("www.example.org".try_into().unwrap()),
        GeneralName::Rfc822Name("a@example.org".try_into().unwrap()),
        GeneralName::RegisteredId(oids::ED25519),
    ];
    let alternative = encode(&SubjectAltName(GeneralNames(SeqOf::from_slice(&names)))).unwrap();
    let policies =
        encode(&PolicyConstraints { inhibit_policy_mapping: Some(Count::new(0)), ..Default::default() }).unwrap();
    let list = [
        extension::<KeyUsage<'_>>(true, &usage),
        extension::<BasicConstraints<'_>>(true, &constraints),
        extension::<SubjectKeyIdentifier<'_>>(false, &identifier),
        extension::<ExtKeyUsage<'_>>(false, &purposes),
        extension::<SubjectAltName<'_>>(false, &alternative),
        extension::<PolicyConstraints<'_>>(true, &policies),
    ];
    certificate(&list, |certificate| {
        let ed25519 = json!({"oid": "1.3.101.112", "name": "id-Ed25519"});
        let wanted = json!({
            "version": 3,
            "serial_number": "cafe",
            "signature_algorithm": ed25519,
            "issuer": "CN=Example \\, CA,C=DE",
            "validity": {"not_before": "1970-01-01T00:00:00Z", "not_after": "2052-05-22T14:13:20Z"},
            "subject": "CN=Example \\, CA,C=DE",
            "public_key": {
                "info": {"algorithm": "Ed25519", "bits": 256},
                "algorithm": ed25519,
                "key": "07".repeat(32),
            },
            "extensions": [
                {"oid": "2.5.29.15", "name": "keyUsage", "critical": true, "value": ["keyCertSign", "cRLSign"]},
                {"oid": "2.5.29.19", "name": "basicConstraints", "critical": true, "value": {"ca": true, "path_len": 1}},
                {"oid": "2.5.29.14", "name": "subjectKeyIdentifier", "critical": false, "value": "abcd"},
                {
                    "oid": "2.5.29.37", "name": "extKeyUsage", "critical": false,
                    "value": [{"oid": "1.3.6.1.5.5.7.3.1", "name": "id-kp-serverAuth"}],
                },
                {
                    "oid": "2.5.29.17", "name": "subjectAltName", "critical": false,
                    "value": [
                        {"type": "dns", "value": "www.example.org"},
                        {"type": "email", "value": "a@example.org"},
                        {"type": "registered-id", "value": "1.3.101.112"},
                    ],
                },
                {"oid": "2.5.29.36", "name": "policyConstraints", "critical": true, "der": "3003810100"},
            ],
        });
        assert_eq!(to_value(certificate).unwrap(), wanted);
        let owned = CertificateBuf::from_der(encode(certificate).unwrap()).unwrap();
        assert_eq!(to_value(&owned).unwrap(), wanted);

        let summary = CertificateSummary::of(certificate).unwrap();
        let written = to_value(&summary).unwrap();
        assert_eq!(
            written,
            json!({
                "version": 3,
                "serial_number": "cafe",
                "issuer": "CN=Example \\, CA,C=DE",
                "subject": "CN=Example \\, CA,C=DE",
                "not_before": "1970-01-01T00:00:00Z",
                "not_after": "2052-05-22T14:13:20Z",
                "key_algorithm": "Ed25519",
                "key_bits": 256,
                "signature_algorithm": "Ed25519",
                "is_ca": true,
                "key_usage": ["keyCertSign", "cRLSign"],
                "extended_key_usage": ["serverAuth"],
                "hosts": ["www.example.org"],
            })
        );
        assert_eq!(from_value::<CertificateSummary>(written).unwrap(), summary);
    });
}

#[test]
fn what_is_owned_is_read_back() {
    for text in ["1950-01-01T00:00:00Z", "2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
        let time: Time<'_> = from_value(json!(text)).unwrap();
        assert_eq!(to_value(time).unwrap(), json!(text));
    }
    for text in [
        "",
        "2049-12-31",
        "2049-13-31T23:59:59Z",
        "2049-02-30T00:00:00Z",
        "2049-12-31T23:59:59+00",
        "x049-12-31T23:59:59Z",
    ] {
        assert!(from_value::<Time<'_>>(json!(text)).is_err(), "{text}");
    }
    let validity = json!({"not_before": "2026-11-21T10:00:00Z", "not_after": "2027-11-21T10:00:00Z"});
    assert_eq!(to_value(from_value::<Validity<'_>>(validity.clone()).unwrap()).unwrap(), validity);
    assert!(from_value::<NameBuf>(json!("CN")).is_err());
    for reason in ["unspecified", "keyCompromise", "cACompromise", "removeFromCRL", "aACompromise"] {
        assert_eq!(to_value(from_value::<CrlReason>(json!(reason)).unwrap()).unwrap(), json!(reason));
    }
    assert!(from_value::<CrlReason>(json!("other")).is_err());
}

#[test]
fn general_names() {
    let name = NameBuf::parse("CN=x").unwrap();
    let written = |name: GeneralName<'_>| to_value(name).unwrap();
    assert_eq!(written(GeneralName::DirectoryName(name.name())), json!({"type": "directory", "value": "CN=x"}));
    let address = encode(&tagwise_codec::OctetStr::new(&[192, 0, 2, 1])).unwrap();
    let address = [&[0x87, 4][..], address.get(2..).unwrap()].concat();
    let address = GeneralName::from_der(&address).unwrap();
    assert_eq!(written(address), json!({"type": "ip", "value": "192.0.2.1"}));
    let other = GeneralName::from_der(b"\xA0\x07\x06\x01\x2A\xA0\x02\x05\x00").unwrap();
    assert_eq!(written(other), json!({"type": "other", "der": "a00706012aa0020500"}));
}

#[test]
fn lists_of_revoked_certificates() {
    let name = NameBuf::parse("CN=x").unwrap();
    let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
    let reason = encode(&CrlReason::KeyCompromise).unwrap();
    let entry = [extension::<CrlReason>(false, &reason)];
    let time = Time::from_unix(UnixTime(0)).unwrap();
    let revoked = [RevokedCertificate {
        user_certificate: CertificateSerialNumber(tagwise_codec::Int::from_signed(&[5])),
        revocation_date: time,
        crl_entry_extensions: Extensions::new(&entry),
    }];
    let number = encode(&CrlNumber(Count::new(7))).unwrap();
    let list = [extension::<CrlNumber<'_>>(false, &number)];
    let tbs = TbsCertList {
        version: Some(Version::V2),
        signature: algorithm,
        issuer: name.name(),
        this_update: time,
        next_update: None,
        revoked_certificates: Some(SeqOf::from_slice(&revoked)),
        crl_extensions: Extensions::new(&list),
    };
    let inside = [&encode(&tbs).unwrap()[..], &encode(&algorithm).unwrap(), &[0x03, 0x01, 0x00]].concat();
    let der = [&[0x30, u8::try_from(inside.len()).unwrap()][..], &inside].concat();
    let list = CertificateList::from_der(&der).unwrap();
    let written: Value = to_value(list).unwrap();
    assert_eq!(
        written,
        json!({
            "version": 2,
            "issuer": "CN=x",
            "this_update": "1970-01-01T00:00:00Z",
            "signature_algorithm": {"oid": "1.3.101.112", "name": "id-Ed25519"},
            "entries": [{"serial_number": "05", "revocation_date": "1970-01-01T00:00:00Z", "reason": "keyCompromise"}],
            "extensions": [{"oid": "2.5.29.20", "name": "cRLNumber", "critical": false, "value": "07"}],
        })
    );
}
