//! SCT lists.

use tagwise_codec::{FaultKind, OctetStr};
use tagwise_pkix::ext::*;
use tagwise_pkix::profile;

use crate::{accepted, el, tolerated};

/// `opaque <0..2^16-1>`.
fn vector(content: &[u8]) -> Vec<u8> {
    [&(content.len() as u16).to_be_bytes()[..], content].concat()
}

/// A timestamp of version 1.
fn v1(extensions: &[u8], signature: &[u8]) -> Vec<u8> {
    [&[0][..], &[0xAB; 32], &1_795_255_200_123u64.to_be_bytes(), &vector(extensions), &[4, 3], &vector(signature)]
        .concat()
}

/// The extension value: the list in an OCTET STRING.
fn list(timestamps: &[&[u8]]) -> Vec<u8> {
    let all: Vec<Vec<u8>> = timestamps.iter().map(|timestamp| vector(timestamp)).collect();
    el(0x04, &[&vector(&all.concat())])
}

#[test]
fn timestamps() {
    let one = v1(&[], &[0x30, 0x00]);
    let der = list(&[&one, &[7, 1, 2], &v1(&[1], &[])]);
    let read = accepted::<SctList<'_>>(&der);
    let all: Vec<Sct<'_>> = read.iter().collect();
    let [Sct::V1(first), Sct::Unknown { version: 7, bytes: [7, 1, 2] }, Sct::V1(third)] = all[..] else {
        panic!("{all:?}")
    };
    assert_eq!((first.log_id, first.extensions, first.signature), (&[0xAB; 32], &[][..], &[0x30, 0x00][..]));
    assert_eq!(first.timestamp, 1_795_255_200_123);
    assert_eq!((third.extensions, third.signature), (&[1][..], &[][..]));
    let shown = first.to_string();
    assert!(shown.starts_with("ecdsa-sha256 of log ABAB"), "{shown}");
    assert!(shown.ends_with("AB at 2026-11-21T10:00:00Z + 123 ms"), "{shown}");
    let odd = SctV1 { timestamp: u64::MAX, hash_algorithm: 0, ..first };
    assert_eq!((odd.time(), odd.algorithm_name()), (None, None));
    assert!(odd.to_string().starts_with("algorithm 0.3 of log"));
}

/// Every prefix of a list is refused, at the timestamp that is cut or at the list's length.
#[test]
fn truncated_lists_are_rejected() {
    let timestamp = v1(&[1, 2], &[3, 4, 5]);
    for len in 0..timestamp.len() {
        let der = list(&[&[7], &timestamp[..len]]);
        // The second timestamp stands after the list's length (2) and the first one (3).
        let read = tolerated::<SctList<'_>>(&der, &profile::SCT_LIST, FaultKind::Profile, 2 + 5);
        assert_eq!(read.iter().count(), 1, "{len}");
    }
    let whole = list(&[&timestamp]);
    for len in 2..whole.len() {
        let der = el(0x04, &[&whole[2..len]]);
        let read = tolerated::<SctList<'_>>(&der, &profile::SCT_LIST, FaultKind::Profile, 2);
        assert_eq!(read.iter().count(), 0, "{len}");
    }
}

#[test]
fn excess_bytes_are_rejected() {
    let timestamp = v1(&[], &[]);
    // After the list, after a timestamp's signature, and no timestamp at all.
    let after = el(0x04, &[&vector(&vector(&timestamp)), &[0]]);
    tolerated::<SctList<'_>>(&after, &profile::SCT_LIST, FaultKind::Profile, after.len() - 1);
    let inside = list(&[&[&timestamp[..], &[0]].concat()]);
    tolerated::<SctList<'_>>(&inside, &profile::SCT_LIST, FaultKind::Profile, 4);
    let none = el(0x04, &[&[0, 0]]);
    tolerated::<SctList<'_>>(&none, &profile::SCT_LIST, FaultKind::Profile, 2);
    let empty = list(&[&[]]);
    tolerated::<SctList<'_>>(&empty, &profile::SCT_LIST, FaultKind::Profile, 4);
    // A list that was not read is iterated as far as it goes.
    assert_eq!(SctList(OctetStr::new(&[0, 9, 0])).iter().count(), 0);
}
