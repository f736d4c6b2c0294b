use super::*;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{OctetStr, encode};

#[test]
fn accepted_encodings() {
    assert_eq!(accepted::<BitStr<'_>>(&[0x03, 0x01, 0x00]), BitStr::EMPTY);
    // The example of X.690 §8.6.4.2: '0A3B5F291CD'H.
    let bits = accepted::<BitStr<'_>>(&[0x03, 0x07, 0x04, 0x0A, 0x3B, 0x5F, 0x29, 0x1C, 0xD0]);
    assert_eq!((bits.bit_len(), bits.unused_bits(), bits.octets()), (44, 4, None));
    let bits = accepted::<BitStr<'_>>(&[0x03, 0x03, 0x00, 0xFF, 0x01]);
    assert_eq!(bits.octets(), Some(&[0xFF, 0x01][..]));
    assert_eq!((bits.bit(7), bits.bit(8), bits.bit(15), bits.bit(16)), (Some(true), Some(false), Some(true), None));
    assert_eq!(bits.bit(u64::MAX), None);
    // Trailing zero bits are bits where no list names them.
    accepted::<BitStr<'_>>(&[0x03, 0x02, 0x07, 0x00]);
}

#[test]
fn refused_encodings() {
    refused::<BitStr<'_>>(&[0x03, 0x00], FaultKind::BitStringEmpty, 2);
    refused::<BitStr<'_>>(&[0x03, 0x01, 0x07], FaultKind::BitStringUnused, 2);
    refused::<BitStr<'_>>(&[0x03, 0x01, 0x08], FaultKind::BitStringUnused, 2);
    refused::<BitStr<'_>>(&[0x03, 0x02, 0x08, 0x00], FaultKind::BitStringUnused, 2);
    refused::<BitStr<'_>>(&[0x03, 0x02, 0xFF, 0x00], FaultKind::BitStringUnused, 2);
    refused::<BitStr<'_>>(&[0x03, 0x03, 0x01, 0x01, 0x01], FaultKind::BitStringPadding, 4);
    refused::<BitStr<'_>>(&[0x23, 0x04, 0x03, 0x02, 0x00, 0xFF], FaultKind::PrimitiveExpected, 0);
    refused::<BitStr<'_>>(&[0x03, 0x02, 0x00], FaultKind::LengthOverrun, 1);
}

#[test]
fn unused_bits_tolerated() {
    let input = [0x03, 0x03, 0x04, 0x12, 0x3F];
    let bits: BitStr<'_> = tolerated(&input, &Rule::UNUSED_BITS, FaultKind::BitStringPadding, 4);
    assert_eq!(bits, BitStr::new(&[0x12, 0x30], 4).unwrap());
    assert_eq!((bits.bit_len(), bits.bit(11), bits.bit(12)), (12, Some(true), None));
    assert_eq!(encode(&bits).unwrap(), [0x03, 0x03, 0x04, 0x12, 0x30]);
}

#[test]
fn comparison_is_by_bits() {
    let bits = |octets, unused| BitStr::new(octets, unused).unwrap();
    assert_eq!(bits(&[0xFF], 4), bits(&[0xF0], 4));
    assert_ne!(bits(&[0xF0], 4), bits(&[0xF0], 3));
    let ascending =
        [BitStr::EMPTY, bits(&[0x00], 7), bits(&[0x00], 0), bits(&[0x00, 0x00], 7), bits(&[0x40], 5), bits(&[0xC1], 7)];
    assert!(ascending.is_sorted_by(|a, b| a < b));
}

#[test]
fn construction() {
    assert_eq!(BitStr::new(&[], 0), Some(BitStr::EMPTY));
    assert_eq!(BitStr::new(&[], 1), None);
    assert_eq!(BitStr::new(&[0], 8), None);
    assert_eq!(encode(&BitStr::from_octets(&[0xAB])).unwrap(), [0x03, 0x02, 0x00, 0xAB]);
    refused::<OctetStr<'_>>(&[0x03, 0x02, 0x00, 0xAB], FaultKind::UnexpectedTag, 0);
}
