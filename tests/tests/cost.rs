//! What hostile input may cost: elements are counted against the budget, depth is bounded, and 16 MiB of anything end.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Any, Budget, Decode, FaultKind, Options};
use tagwise_pkix::{Certificate, CertificateList, Name, profile};
use tagwise_tests::build::{algorithm, certificate, element, extension, name, parts};
use tagwise_tests::verdict::every_rule;

/// The fewest elements of SEQUENCE OF and SET OF under which an input decodes.
fn elements_spent<'a, T: Decode<'a>>(octets: &'a [u8]) -> u64 {
    let (mut low, mut high) = (0, 1 << 32);
    while low < high {
        let middle = (low + high) / 2;
        let budget = Budget { elements: middle, ..Budget::DEFAULT };
        match Options::der().budget(budget).decode::<T>(octets) {
            Ok(_) => high = middle,
            Err(error) => {
                assert_eq!(error.kind(), FaultKind::ElementsExceeded, "{error}");
                low = middle + 1;
            }
        }
    }
    low
}

/// An extension of its own for each number below 2²¹.
fn extensions(count: u32) -> Vec<Vec<u8>> {
    let arc = |number: u32| [21, 14, 7, 0].map(|shift| 0x80 | ((number | 1 << 21) >> shift) as u8);
    (0..count).map(|number| extension(&[&[0x2A][..], &arc(number), &[0x01]].concat(), &[])).collect()
}

fn list(entries: usize) -> Vec<u8> {
    let date = element(0x17, b"250101000000Z");
    let entry = parts(0x30, &[&[0x02, 0x01, 0x01], &date]);
    let tbs =
        parts(0x30, &[&[0x02, 0x01, 0x01], &algorithm(), &name("i"), &date, &element(0x30, &entry.repeat(entries))]);
    parts(0x30, &[&tbs, &algorithm(), b"\x03\x02\x00\x00"])
}

/// A name of many RDNs, or of one RDN of many attributes.
fn names(rdns: u16, attributes: u16) -> Vec<u8> {
    let attribute = |number: u16| {
        let value = element(0x0C, format!("{number:05}").as_bytes());
        parts(0x30, &[b"\x06\x03\x55\x04\x03", &value])
    };
    let rdn: Vec<u8> = (0..attributes).flat_map(attribute).collect();
    element(0x30, &element(0x31, &rdn).repeat(usize::from(rdns)))
}

#[test]
fn elements_are_spent_in_proportion() {
    for count in [64, 128, 256] {
        let der = certificate(&[1], &name("a"), &extensions(count));
        let fixed = elements_spent::<Certificate<'_>>(&certificate(&[1], &name("a"), &extensions(1))) - 1;
        assert_eq!(elements_spent::<Certificate<'_>>(&der), u64::from(count) + fixed);
        let fixed = elements_spent::<CertificateList<'_>>(&list(1)) - 1;
        assert_eq!(elements_spent::<CertificateList<'_>>(&list(count as usize)), u64::from(count) + fixed);
        let count = count as u16;
        assert_eq!(elements_spent::<Name<'_>>(&names(count, 1)), 2 * u64::from(count));
        assert_eq!(elements_spent::<Name<'_>>(&names(1, count)), 1 + u64::from(count));
    }
}

/// As many extensions, entries, RDNs and attributes as 16 MiB hold: were any of them compared with all others, this would
/// not end.
#[test]
fn sixteen_mebibytes_of_anything() {
    const SIZE: usize = 16 << 20;
    let many = extensions(SIZE as u32 / 12 + 1);
    let der = certificate(&[1], &name("a"), &many);
    assert!(der.len() > SIZE);
    assert!(Certificate::from_der(&der).is_ok());
    let mut twice = many;
    let last = twice.len() - 1;
    twice[last] = twice[0].clone();
    let error = Certificate::from_der(&certificate(&[1], &name("a"), &twice)).unwrap_err();
    assert_eq!(error.rule(), Some(&profile::DUPLICATE_EXTENSION));
    let der = list(SIZE / 20);
    assert!(der.len() > SIZE && CertificateList::from_der(&der).is_ok());
    let der = names(u16::MAX, 20);
    assert!(der.len() > SIZE);
    let read = Name::from_der(&der).unwrap();
    assert!(read.matches(&read) && read.rfc4514().to_string().len() > SIZE / 4);
    // One RDN of 65,535 attributes: comparing those is no matter of one with each other.
    let der = names(1, u16::MAX);
    let wide = Name::from_der(&der).unwrap();
    assert!(wide.matches(&Name::from_der(&der.clone()).unwrap()));
    assert!(!wide.match_key().is_empty());
    // Everything that can be tolerated, everywhere.
    let bad = element(0x30, &[0x01, 0x81, 0x01, 0x01].repeat(SIZE / 4));
    let read = Options::der().rules(every_rule()).decode::<Any<'_>>(&bad);
    assert!(read.is_ok());
}

/// As deep as the budget allows, and one level more.
#[test]
fn depth_is_bounded() {
    let nested = |levels: usize| (0..levels).fold(vec![0x05, 0x00], |inner, _| element(0x30, &inner));
    let deep = |levels: usize| {
        let identifier = parts(0x30, &[&algorithm()[2..], &nested(levels)]);
        parts(0x30, &[&identifier])
    };
    let depth = usize::from(Budget::DEFAULT.depth);
    assert!(Any::from_der(&nested(depth)).is_ok());
    assert_eq!(Any::from_der(&nested(depth + 1)).unwrap_err().kind(), FaultKind::DepthExceeded);
    assert!(Any::from_der(&deep(depth - 2)).is_ok());
    assert_eq!(Any::from_der(&deep(depth - 1)).unwrap_err().kind(), FaultKind::DepthExceeded);
    // 8 MiB of nesting end as soon as the budget does.
    assert!(Certificate::from_der(&[0x30, 0x80].repeat(4 << 20)).is_err());
    let mut octets = Vec::new();
    for level in (0..1_u32 << 20).rev() {
        octets.extend([0x30, 0x83]);
        octets.extend(&(level.saturating_mul(5)).to_be_bytes()[1..]);
    }
    assert!(Any::from_der(&octets).is_err() && Certificate::from_der(&octets).is_err());
}
