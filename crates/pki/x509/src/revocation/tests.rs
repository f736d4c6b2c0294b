//! Lists made by hand: issuers that are carried over, deltas, serial numbers that occur twice.

use tagwise_codec::{Int, encode};

use super::*;
use crate::name::NameBuf;

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        len @ 0..0x80 => out.push(len as u8),
        len @ 0x80..0x100 => out.extend([0x81, len as u8]),
        len => out.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    out.extend(content);
    out
}

fn name(text: &str) -> Vec<u8> {
    encode(&NameBuf::parse(text).unwrap().name()).unwrap()
}

/// An extension of an entry.
fn extension(arc: u8, critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { &[0x01, 0x01, 0xFF] } else { &[] };
    element(0x30, &[&[0x06, 0x03, 0x55, 0x1D, arc], critical, &element(0x04, value)].concat())
}

fn issued_by_extension(text: &str) -> Vec<u8> {
    extension(29, true, &element(0x30, &element(0xA4, &name(text))))
}

fn reason(code: u8) -> Vec<u8> {
    extension(21, false, &[0x0A, 0x01, code])
}

fn entry(serial: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
    let mut content = element(0x02, serial);
    content.extend(element(0x17, b"260101000000Z"));
    if !extensions.is_empty() {
        content.extend(element(0x30, &extensions.concat()));
    }
    element(0x30, &content)
}

/// `TBSCertList` of version 2 by `CN=Lister`.
fn list(entries: &[Vec<u8>], extensions: &[Vec<u8>]) -> Vec<u8> {
    let mut content = vec![0x02, 0x01, 0x01];
    content.extend(element(0x30, &element(0x06, &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])));
    content.extend(name("CN=Lister"));
    content.extend(element(0x17, b"260101000000Z"));
    if !entries.is_empty() {
        content.extend(element(0x30, &entries.concat()));
    }
    if !extensions.is_empty() {
        content.extend(element(0xA0, &element(0x30, &extensions.concat())));
    }
    element(0x30, &content)
}

fn serial(octets: &[u8]) -> CertificateSerialNumber<'_> {
    CertificateSerialNumber(Int::from_signed(octets))
}

/// RFC 5280 §5.3.3: an issuer holds until another is named; before the first it is the CRL's.
#[test]
fn issuers_are_carried_over() {
    let der = list(
        &[
            entry(&[1], &[]),
            entry(&[1], &[reason(1), issued_by_extension("CN=One")]),
            entry(&[2], &[]),
            entry(&[3], &[issued_by_extension("CN=Two")]),
            entry(&[1], &[reason(4)]),
        ],
        &[extension(28, true, &element(0x30, &[0x84, 0x01, 0xFF]))],
    );
    let tbs = TbsCertList::from_der(&der).unwrap();
    assert!(tbs.is_indirect().unwrap());
    let issuers: Vec<Option<String>> = tbs
        .revocations()
        .map(|revocation| {
            let names = revocation.unwrap().certificate_issuer?;
            Some(names.iter().map(|name| name.unwrap().to_string()).collect())
        })
        .collect();
    let [one, two] = ["dirName:CN=One", "dirName:CN=Two"].map(|name| Some(name.to_owned()));
    assert_eq!(issuers, [None, one.clone(), one, two.clone(), two]);

    let index = CrlIndex::of(&tbs).unwrap();
    assert_eq!((index.len(), index.entries(serial(&[1])).count()), (5, 3));
    for (number, issuer, why) in [
        (1, "CN=Lister", Some(None)),
        (1, "CN=One", Some(Some(CrlReason::KeyCompromise))),
        (1, "CN=two", Some(Some(CrlReason::Superseded))),
        (2, "CN=One", Some(None)),
        (2, "CN=Lister", None),
        (3, "CN=One", None),
        (4, "CN=Lister", None),
    ] {
        let issuer = NameBuf::parse(issuer).unwrap();
        let found = index.get(serial(&[number]), &issuer.name()).unwrap();
        assert_eq!(found.map(|found| found.reason().unwrap()), why, "{number} {issuer:?}");
        // The index and the iteration agree.
        let walked = tbs.revocations().map(Result::unwrap).filter(|revocation| {
            revocation.entry.user_certificate == serial(&[number])
                && revocation.is_issued_by(&issuer.name(), &tbs.issuer)
        });
        assert_eq!(found, walked.last());
    }
}

/// RFC 5280 §5.2.4: what the delta says goes first.
#[test]
fn deltas() {
    let base = list(&[entry(&[1], &[reason(6)]), entry(&[2], &[]), entry(&[3], &[reason(6)])], &[]);
    let numbers = [extension(20, false, &[2, 1, 8]), extension(27, true, &[2, 1, 7])];
    let delta = list(&[entry(&[1], &[reason(8)]), entry(&[3], &[reason(1)]), entry(&[4], &[])], &numbers);
    let (base, delta) = (TbsCertList::from_der(&base).unwrap(), TbsCertList::from_der(&delta).unwrap());
    assert!(base.delta_base().unwrap().is_none() && delta.delta_base().unwrap().is_some());
    assert!(delta.number().unwrap().is_some() && delta.issuing_distribution_point().unwrap().is_none());
    let (base, delta) = (CrlIndex::of(&base).unwrap(), CrlIndex::of(&delta).unwrap());
    let issuer = NameBuf::parse("CN=Lister").unwrap();
    let reasons = [1, 2, 3, 4, 5].map(|number| {
        let found = base.get_with_delta(&delta, serial(&[number]), &issuer.name()).unwrap();
        found.map(|found| found.reason().unwrap())
    });
    assert_eq!(reasons, [None, Some(None), Some(Some(CrlReason::KeyCompromise)), Some(None), None]);
}

/// Thousands of entries: every one is found, and nothing else.
#[test]
fn many() {
    let numbers: Vec<[u8; 3]> = (0..5000u32).map(|number| [0x40, (number >> 8) as u8, number as u8]).collect();
    let entries: Vec<Vec<u8>> = numbers.iter().map(|number| entry(number, &[])).collect();
    let content = entries.concat();
    let tbs = TbsCertList {
        version: None,
        signature: crate::AlgorithmIdentifier { algorithm: crate::oids::ED25519, parameters: None },
        issuer: Name::default(),
        this_update: crate::Time::new(tagwise_codec::CivilTime::new(2026, 1, 1, 0, 0, 0).unwrap()),
        next_update: None,
        revoked_certificates: Some(SeqOf::deferred(&content, 100)),
        crl_extensions: None,
    };
    let index = CrlIndex::of(&tbs).unwrap();
    assert_eq!(index.len(), 5000);
    assert!(!index.is_empty() && index.memory() <= 8192 * 8 + 256, "{}", index.memory());
    for number in &numbers {
        assert!(index.contains(serial(number)));
        let found = index.get(serial(number), &Name::default()).unwrap().unwrap();
        assert_eq!(found.entry.user_certificate, serial(number));
    }
    assert!(!index.contains(serial(&[0x40, 0x80, 0])) && !index.contains(serial(&[0])));
    // A list of no entries, and one whose entries were never read.
    let none = TbsCertList { revoked_certificates: None, ..tbs };
    assert!(CrlIndex::of(&none).unwrap().is_empty());
    let made = [tbs.revoked_certificates.unwrap().iter().next().unwrap().unwrap()];
    let made = TbsCertList { revoked_certificates: Some(SeqOf::from_slice(&made)), ..tbs };
    assert!(CrlIndex::of(&made).is_err());
}

/// Where an entry cannot be read, nothing is said of those after it.
#[test]
fn bad_entries() {
    let bad = entry(&[2], &[extension(29, true, &[0x30, 0x02, 0xA4, 0x05])]);
    let content = [entry(&[1], &[]), bad, entry(&[3], &[])].concat();
    let list = list(&[content], &[]);
    assert!(TbsCertList::from_der(&list).is_err());
    let tbs = TbsCertList::outline(&list).unwrap();
    let read: Vec<bool> = tbs.revocations().map(|revocation| revocation.is_ok()).collect();
    assert_eq!(read, [true, false]);
    assert!(CrlIndex::of(&tbs).is_err());
    assert_eq!(tbs.revoked_certificates.unwrap().len(), 3);
}

/// A number is the same if its encoding is padded, which only tolerant decoding accepts (X.690 §8.3.2).
#[test]
fn padded_serial_numbers() {
    let der = list(&[entry(&[0, 0, 5], &[]), entry(&[0xFF, 0x80], &[])], &[]);
    let tolerated = tagwise_codec::Options::der().allow(&tagwise_codec::Rule::INTEGER_PADDED);
    let tolerated = tolerated.allow(&crate::profile::NEGATIVE_SERIAL);
    let tbs = tolerated.decode::<TbsCertList<'_>>(&der).unwrap().value;
    let index = CrlIndex::of(&tbs).unwrap();
    for wanted in [&[5][..], &[0, 5], &[0x80]] {
        assert!(index.contains(serial(wanted)), "{wanted:?}");
        let found = index.get(serial(wanted), &tbs.issuer).unwrap().unwrap();
        assert_eq!(found.entry.user_certificate, serial(wanted));
    }
    assert!(!index.contains(serial(&[6])));
}
