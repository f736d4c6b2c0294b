//! What other libraries were seen to get wrong about certificates, by running them: regressions to never have. Those of the
//! codec alone are in its own tests.
//!
//! The comment above each test says what happened there.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Decode, Excerpt, FaultKind, Int, Oid, Options, SeqOf, Typed, encode, oid};
use tagwise_pkix::ext::{ExtensionValue, GeneralName};
use tagwise_pkix::name::{NameBuf, visible};
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, CertificateList, CertificateSerialNumber, Name, RevokedCertificate, TbsCertList,
    Time, Version, profile,
};
use tagwise_tests::build::{algorithm, certificate, element, extension, name, parts};

/// Key usage, and subject key identifier.
const KEY_USAGE: &[u8] = &[0x55, 0x1D, 0x0F];
const KEY_ID: &[u8] = &[0x55, 0x1D, 0x0E];

/// Names were joined without escapes: an O of `Acme, CN=admin` read like two attributes.
#[test]
fn a_value_is_no_attribute() {
    let der = certificate(&[1], &name("Acme, CN=admin+O=x"), &[]);
    let subject = Certificate::from_der(&der).unwrap().tbs_certificate.subject;
    let text = subject.rfc4514().to_string();
    assert_eq!(text, r"CN=Acme\, CN\=admin\+O\=x".replace(r"\=", "="));
    assert_eq!(subject.attributes().count(), 1);
    let again = NameBuf::parse(&text).unwrap();
    assert!(again.name().matches(&subject));
    assert_eq!(again.name().attributes().count(), 1);
    assert!(!NameBuf::parse("CN=Acme,CN=admin+O=x").unwrap().name().matches(&subject));
}

/// One extension that did not decode made all the others unreachable.
#[test]
fn one_bad_extension() {
    let good = extension(KEY_ID, &element(0x04, &[7; 20]));
    let bad = extension(KEY_USAGE, &[0x03, 0x02, 0x01]);
    for extensions in [[good.clone(), bad.clone()], [bad, good]] {
        let der = certificate(&[1], &name("a"), &extensions);
        assert!(Certificate::from_der(&der).is_err(), "strictness sees it");
        let outline = Certificate::outline(&der).unwrap();
        let extensions = outline.tbs_certificate.extensions.unwrap();
        assert_eq!(extensions.iter().count(), 2);
        let found = extensions.find(Oid::from_content(KEY_ID).unwrap()).unwrap().unwrap();
        assert!(matches!(found.extn_value.get(), Ok(ExtensionValue::SubjectKeyIdentifier(_))));
        let found = extensions.find(Oid::from_content(KEY_USAGE).unwrap()).unwrap().unwrap();
        assert_eq!(found.extn_value.as_bytes(), [0x03, 0x02, 0x01]);
        let error = found.extn_value.get().unwrap_err();
        // Offsets were relative to the value; they are those of the file.
        let at = found.extn_value.offset();
        assert_eq!(der[at..][..3], [0x03, 0x02, 0x01]);
        assert!((at..=at + 3).contains(&error.offset()), "{error}");
        // Tolerated as a whole, it is kept as it is, and the rest is checked.
        let read =
            Options::der().allow(profile::by_name("open-type").unwrap()).decode::<Certificate<'_>>(&der).unwrap();
        assert_eq!(read.deviations.len(), 1);
        assert_eq!(encode(&read.value).unwrap(), der);
    }
}

/// Escape sequences and bidirectional marks in names went to the terminal as they were.
#[test]
fn hostile_text_is_shown_not_obeyed() {
    let hostile = "a\u{1B}[2J\u{202E}moc.live\u{200B}\r\n\u{9B}31m";
    let der = certificate(&[1], &name(hostile), &[]);
    let subject = Certificate::from_der(&der).unwrap().tbs_certificate.subject;
    let line = subject.oneline().to_string();
    assert!(line.chars().all(|c| !c.is_control() && !matches!(c, '\u{200B}' | '\u{202E}')), "{line}");
    assert!(line.contains(r"\u{1b}") && line.contains(r"\u{202e}"));
    // A mailbox is an IA5String, where control characters are allowed.
    let der = element(0x81, b"a\x1B[31m@b");
    let general = <GeneralName<'_>>::from_der(&der).unwrap();
    assert!(general.to_string().chars().all(|c| !c.is_control()), "{general}");
    assert_eq!(visible("\u{7}").to_string(), r"\u{7}");
}

/// Arcs above 32 bits were refused or cut, and with them identifiers made from UUIDs.
#[test]
fn identifiers_from_uuids() {
    // 2.25.329800735698586629295641978511506172918
    let uuid = [
        0x69, 0x83, 0xF8, 0x9D, 0xE4, 0x9F, 0xFB, 0xF4, 0xC2, 0xF5, 0xC3, 0xAF, 0xCC, 0xE8, 0xB5, 0xA8, 0xA1, 0xFB,
        0x36,
    ];
    let attribute = parts(0x30, &[&element(0x06, &uuid), &element(0x0C, b"v")]);
    let subject = parts(0x30, &[&parts(0x31, &[&attribute])]);
    let der = certificate(&[1], &subject, &[extension(&uuid, &[0xFF, 0x00])]);
    let read = Certificate::from_der(&der).unwrap();
    let extension = read.tbs_certificate.extensions.unwrap().iter().next().unwrap().unwrap();
    assert!(extension.extn_id.to_string().starts_with("2.25."));
    assert!(
        matches!(extension.extn_value.get(), Ok(ExtensionValue::Unknown(unknown)) if unknown.bytes == [0xFF, 0x00])
    );
    let text = read.tbs_certificate.subject.rfc4514().to_string();
    assert_eq!(text, format!("{}=#0c0176", extension.extn_id));
    assert!(NameBuf::parse(&text).unwrap().name().matches(&read.tbs_certificate.subject));
    assert_eq!(encode(&read).unwrap(), der);
}

/// Five libraries took a serial number with needless leading zeros: one certificate by two names.
#[test]
fn padded_serial_numbers() {
    for serial in [&[0x00, 0x01][..], &[0xFF, 0x80]] {
        let der = certificate(serial, &name("a"), &[]);
        let error = Certificate::from_der(&der).unwrap_err();
        assert_eq!((error.kind(), error.path()), (FaultKind::IntegerPadded, "tbsCertificate.serialNumber"));
        assert_eq!(der[error.offset()..][..2], *serial);
        assert!(Certificate::outline(&der).is_err());
    }
    assert!(Certificate::from_der(&certificate(&[0x00, 0x80], &name("a"), &[])).is_ok());
}

/// Offsets in errors counted from the extension's value, not from the file.
#[test]
fn offsets_inside_extensions() {
    // basicConstraints whose cA is encoded although it is FALSE.
    let value = [0x30, 0x03, 0x01, 0x01, 0x00];
    let der = certificate(&[1], &name("a"), &[extension(&[0x55, 0x1D, 0x13], &value)]);
    let at = der.windows(5).position(|window| window == value).unwrap() + 2;
    let error = Certificate::from_der(&der).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::DefaultEncoded, at));
    assert_eq!(error.path(), "tbsCertificate.extensions[0].extnValue.cA");
    let outline = Certificate::outline(&der).unwrap();
    let extension = outline.tbs_certificate.extensions.unwrap().iter().next().unwrap().unwrap();
    let late = extension.extn_value.get().unwrap_err();
    assert_eq!((late.kind(), late.offset()), (FaultKind::DefaultEncoded, at));
}

/// Lists above 16 MiB were refused, though real ones are larger; iterating over them took seconds and gigabytes.
#[test]
fn a_list_of_twenty_mebibytes() {
    const ENTRIES: u32 = 600_000;
    let issuer = name("issuer");
    let date = element(0x17, b"250101000000Z");
    let serials: Vec<[u8; 16]> = (0..ENTRIES)
        .map(|number| {
            let mut serial = [0x41; 16];
            serial[12..].copy_from_slice(&number.to_be_bytes());
            serial
        })
        .collect();
    let time = Time::from_der(&date).unwrap();
    let entries: Vec<RevokedCertificate<'_>> = serials
        .iter()
        .map(|serial| RevokedCertificate {
            user_certificate: CertificateSerialNumber(Int::from_signed(serial)),
            revocation_date: time,
            crl_entry_extensions: None,
        })
        .collect();
    let algorithm = algorithm();
    let signature = AlgorithmIdentifier::from_der(&algorithm).unwrap();
    let tbs = encode(&TbsCertList {
        version: Some(Version::V2),
        signature,
        issuer: Name::from_der(&issuer).unwrap(),
        this_update: time,
        next_update: None,
        revoked_certificates: Some(SeqOf::from_slice(&entries)),
        crl_extensions: None,
    })
    .unwrap();
    let der = parts(0x30, &[&tbs, &algorithm, b"\x03\x02\x00\x00"]);
    assert!(der.len() > 20 << 20, "{}", der.len());
    let list = CertificateList::from_der(&der).unwrap();
    let read = list.tbs_cert_list.revoked_certificates.unwrap();
    assert_eq!(read.len(), entries.len());
    assert!(read.iter().zip(&entries).all(|(read, entry)| read.as_ref() == Ok(entry)));
    assert_eq!(encode(&list).unwrap(), der);
}

/// Private octets stood in error excerpts. Nothing in a certificate is secret, and all of it is shown.
#[test]
fn excerpts_of_certificates_show_all() {
    let der = certificate(&[0x00, 0x01], &name("a"), &[]);
    let error = Certificate::from_der(&der).unwrap_err();
    let excerpt = Excerpt::of(Certificate::ty(), &der, error.offset()).to_string();
    assert!(!excerpt.contains("--"), "{excerpt}");
    assert!(!error.is_secret());
}

/// The known identifiers are constants.
#[test]
fn identifiers_of_this_file() {
    assert_eq!(oid!("2.5.29.15").as_bytes(), KEY_USAGE);
    assert_eq!(oid!("2.5.29.14").as_bytes(), KEY_ID);
}
