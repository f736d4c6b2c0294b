//! Strings in segments under tags of their own, in streams of named events.
#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "tests")]

use tagwise_codec::stream::{Event, NamedEvents, Rules, Settings};
use tagwise_codec::{BitStr, FaultKind, OctetStr, Typed, Utf8};
use tagwise_derive::Asn1;

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Implicit<'a> {
    #[asn1(implicit = 0)]
    octets: OctetStr<'a>,
    #[asn1(implicit = 1)]
    bits: BitStr<'a>,
    #[asn1(implicit = 2)]
    text: Utf8<'a>,
}

/// The identifier octet of an element, its path, and whether it is a segment.
type Seen = (u8, String, bool);

/// The elements of a value, or what is wrong with it and where.
fn elements(input: &[u8], rules: Rules) -> Result<Vec<Seen>, (Option<FaultKind>, u64)> {
    let mut events = NamedEvents::with(input, Settings::new(rules), Implicit::ty());
    let mut seen = Vec::new();
    loop {
        match events.next() {
            Ok(Some((Event::Start(start), place))) => {
                seen.push((start.tag.first_octet(), place.path.to_owned(), start.segment));
            }
            Ok(Some(_)) => {}
            Ok(None) => return Ok(seen),
            Err(error) => return Err((error.kind(), error.offset())),
        }
    }
}

/// X.690 §8.14.4: an IMPLICIT tag changes the tag of a string alone, so that segments are segments and are held to their forms.
#[test]
fn segments_under_implicit_tags() {
    let whole = |octets: &[u8], bits: &[u8], text: &[u8]| [&[0x30, 0x80][..], octets, bits, text, &[0, 0]].concat();
    let octets: &[u8] = &[0xA0, 0x80, 4, 1, 7, 4, 1, 8, 0, 0];
    let bits: &[u8] = &[0xA1, 8, 3, 2, 0, 1, 3, 2, 4, 0x10];
    let text: &[u8] = &[0xA2, 6, 4, 1, 0xC3, 4, 1, 0xA9];
    let seen = elements(&whole(octets, bits, text), Rules::Ber).unwrap();
    let segments: Vec<_> = seen.iter().filter(|one| one.2).map(|one| (one.0, one.1.as_str())).collect();
    assert_eq!(segments, [(4, "octets"), (4, "octets"), (3, "bits"), (3, "bits"), (4, "text"), (4, "text")]);
    assert_eq!(seen.iter().filter(|one| !one.2).map(|one| one.0).collect::<Vec<_>>(), [0x30, 0xA0, 0xA1, 0xA2]);
    // Segments of other tags, bits that are unused in the middle, text that is none as a whole.
    let refused = |octets, bits, text| elements(&whole(octets, bits, text), Rules::Ber).unwrap_err();
    let other: &[u8] = &[0xA0, 2, 0x80, 0];
    assert_eq!(refused(other, bits, text), (Some(FaultKind::UnexpectedTag), 4));
    let unused: &[u8] = &[0xA1, 8, 3, 2, 4, 0x10, 3, 2, 0, 1];
    assert_eq!(refused(octets, unused, text), (Some(FaultKind::BitStringUnused), 16));
    let broken: &[u8] = &[0xA2, 6, 4, 1, 0xC3, 4, 1, 0x41];
    assert_eq!(refused(octets, bits, broken).0, Some(FaultKind::Utf8Invalid));
    // DER has no segments, and CER has them where a string is long, and only there.
    let der = [&[0x30, 18, 0xA0, 4, 4, 2, 7, 8, 0x81, 3, 0, 1, 0x10, 0x82, 2, 0xC3, 0xA9][..], &[5, 0, 5]].concat();
    assert_eq!(elements(&der, Rules::Der).unwrap_err(), (Some(FaultKind::PrimitiveExpected), 2));
    let (short, empty): (&[u8], &[u8]) = (&[0xA0, 0x80, 4, 2, 7, 8, 0, 0], &[0x81, 1, 0]);
    assert_eq!(elements(&whole(short, empty, &[0x82, 0]), Rules::Cer).unwrap_err().0, Some(FaultKind::SegmentSize));
    let long = [&[0x80, 0x82, 3, 0xE9][..], &[7; 1001]].concat();
    assert_eq!(elements(&whole(&long, empty, &[0x82, 0]), Rules::Cer).unwrap_err(), (Some(FaultKind::SegmentSize), 3));
    let cut = [&[0xA0, 0x80, 4, 0x82, 3, 0xE8][..], &[7; 1000], &[4, 1, 7, 0, 0]].concat();
    assert_eq!(elements(&whole(&cut, empty, &[0x82, 0]), Rules::Cer).unwrap().iter().filter(|one| one.2).count(), 2);
}
