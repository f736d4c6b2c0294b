use alloc::format;
use alloc::vec::Vec;

use super::*;
use crate::options::Options;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{Decode, encode};

#[test]
fn accepted_encodings() {
    assert!(accepted::<NamedBits<'_>>(&[0x03, 0x01, 0x00]).is_empty());
    assert!(accepted::<NamedBits<'_>>(&[0x03, 0x02, 0x07, 0x80]).iter().eq([0]));
    assert!(accepted::<NamedBits<'_>>(&[0x03, 0x02, 0x00, 0x01]).iter().eq([7]));
    // KeyUsage with decipherOnly (8).
    assert!(accepted::<NamedBits<'_>>(&[0x03, 0x03, 0x07, 0x00, 0x80]).iter().eq([8]));
    let long = [0x03, 0x0B, 0x06, 0x81, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x40];
    let bits = accepted::<NamedBits<'_>>(&long);
    assert!(bits.iter().eq([0, 7, 73]));
    assert_eq!(bits.to_mask(), None);
    assert!(bits.contains(73) && !bits.contains(72) && !bits.contains(u64::MAX));
}

#[test]
fn refused_encodings() {
    refused::<NamedBits<'_>>(&[0x03, 0x00], FaultKind::BitStringEmpty, 2);
    refused::<NamedBits<'_>>(&[0x03, 0x01, 0x07], FaultKind::BitStringUnused, 2);
    refused::<NamedBits<'_>>(&[0x03, 0x02, 0x08, 0x00], FaultKind::BitStringUnused, 2);
    refused::<NamedBits<'_>>(&[0x03, 0x02, 0x01, 0x81], FaultKind::BitStringPadding, 3);
    refused::<NamedBits<'_>>(&[0x03, 0x02, 0x00, 0x86], FaultKind::NamedBitsTrailing, 3);
}

#[test]
fn trailing_zero_bits_tolerated() {
    let trailing =
        |input| tolerated::<NamedBits<'_>>(input, &Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, input.len() - 1);
    assert_eq!(encode(&trailing(&[0x03, 0x02, 0x00, 0x86])).unwrap(), [0x03, 0x02, 0x01, 0x86]);
    assert_eq!(encode(&trailing(&[0x03, 0x05, 0x00, 0x40, 0, 0, 0])).unwrap(), [0x03, 0x02, 0x06, 0x40]);
    assert_eq!(encode(&trailing(&[0x03, 0x05, 0x00, 0, 0, 0, 0])).unwrap(), [0x03, 0x01, 0x00]);
    assert_eq!(trailing(&[0x03, 0x02, 0x07, 0x00]), NamedBits::EMPTY);
}

#[test]
fn unused_bits_tolerated() {
    let input = [0x03, 0x02, 0x01, 0x87];
    let bits: NamedBits<'_> = tolerated(&input, &Rule::UNUSED_BITS, FaultKind::BitStringPadding, 3);
    assert!(bits.iter().eq([0, 5, 6]));
    assert_eq!(encode(&bits).unwrap(), [0x03, 0x02, 0x01, 0x86]);
    // Both at once: bit 7 is unused, bit 6 is zero.
    let options = Options::der().allow(&Rule::UNUSED_BITS).allow(&Rule::NAMED_BITS);
    let read = options.decode::<NamedBits<'_>>(&[0x03, 0x03, 0x01, 0x80, 0x01]).unwrap();
    assert!(read.value.iter().eq([0]));
    let rules: Vec<_> = read.deviations.iter().map(|note| (note.rule.name, note.offset)).collect();
    assert_eq!(rules, [("unused-bits", 4), ("named-bits", 4)]);
}

#[test]
fn representations_compare_equal() {
    let read = NamedBits::from_der(&[0x03, 0x02, 0x01, 0x86]).unwrap();
    let built = NamedBits::from_bits([6, 0, 5, 5]).unwrap();
    assert_eq!(read, built);
    assert_eq!(read.cmp(&built), Ordering::Equal);
    assert_eq!(read.to_mask(), Some(0b110_0001));
    assert_eq!(NamedBits::from_mask(0b110_0001), read);
    assert_ne!(read, NamedBits::from_bits([0, 5]).unwrap());
    assert!(NamedBits::from_bits([0]).unwrap() > NamedBits::from_bits([1, 2]).unwrap());
    assert_eq!(format!("{read:?}"), "NamedBits{0, 5, 6}");
}

#[test]
fn every_single_bit() {
    for n in 0..64 {
        let bits = NamedBits::from_bits([n]).unwrap();
        let octets = encode(&bits).unwrap();
        let read: NamedBits<'_> = accepted(&octets);
        assert!(read == bits && read.iter().eq([n]) && bits.iter().eq([n]), "{n}");
        assert!(bits.contains(n) && !bits.contains(n + 1) && !bits.contains(n + 64), "{n}");
        assert_eq!(bits.to_mask(), Some(1 << n));
    }
    assert_eq!(NamedBits::from_bits([0, 64]), None);
    assert_eq!(NamedBits::default(), NamedBits::from_bits([]).unwrap());
}
