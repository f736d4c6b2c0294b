use super::*;
use crate::oid;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{Null, Options, encode};

#[test]
fn accepted_encodings() {
    // All components.
    let all = accepted::<External<'_>>(&[
        0x28, 0x0F, 0x06, 0x01, 0x51, 0x02, 0x01, 0x03, 0x07, 0x02, 0x68, 0x69, 0x81, 0x03, 0x01, 0x02, 0x03,
    ]);
    assert_eq!(all.direct_reference, Some(oid!("2.1")));
    assert_eq!(all.indirect_reference.map(u8::try_from), Some(Ok(3)));
    assert_eq!(all.data_value_descriptor, Some(ObjectDescriptor::new("hi")));
    assert_eq!(all.encoding, ExternalEncoding::OctetAligned(OctetStr::new(&[1, 2, 3])));
    // An indirect reference alone; bits.
    let bits = accepted::<External<'_>>(&[0x28, 0x07, 0x02, 0x01, 0x00, 0x82, 0x02, 0x04, 0xF0]);
    assert_eq!(bits.encoding, ExternalEncoding::Arbitrary(BitStr::new(&[0xF0], 4).unwrap()));
    // One value, constructed.
    let one = accepted::<External<'_>>(&[0x28, 0x09, 0x06, 0x01, 0x51, 0xA0, 0x04, 0x30, 0x02, 0x05, 0x00]);
    let ExternalEncoding::SingleAsn1Type(any) = one.encoding else { panic!() };
    assert_eq!((any.tag(), any.as_bytes()), (Tag::SEQUENCE, &[0x30, 0x02, 0x05, 0x00][..]));
}

#[test]
fn refused_encodings() {
    refused::<External<'_>>(&[0x08, 0x05, 0x06, 0x01, 0x51, 0x81, 0x00], FaultKind::ConstructedExpected, 0);
    // Without encoding, or with an unknown one.
    refused::<External<'_>>(&[0x28, 0x03, 0x06, 0x01, 0x51], FaultKind::Missing, 5);
    refused::<External<'_>>(&[0x28, 0x05, 0x06, 0x01, 0x51, 0x83, 0x00], FaultKind::ChoiceUnknown, 5);
    refused::<External<'_>>(&[0x28, 0x05, 0x06, 0x01, 0x51, 0x05, 0x00], FaultKind::ChoiceUnknown, 5);
    // Without any reference.
    refused::<External<'_>>(&[0x28, 0x02, 0x81, 0x00], FaultKind::Inconsistent, 2);
    // Components out of order.
    refused::<External<'_>>(&[0x28, 0x08, 0x02, 0x01, 0x00, 0x06, 0x01, 0x51, 0x81, 0x00], FaultKind::ChoiceUnknown, 5);
    // No value, two values, a value that is not DER.
    refused::<External<'_>>(&[0x28, 0x05, 0x06, 0x01, 0x51, 0xA0, 0x00], FaultKind::Missing, 7);
    let two = [0x28, 0x09, 0x06, 0x01, 0x51, 0xA0, 0x04, 0x05, 0x00, 0x05, 0x00];
    refused::<External<'_>>(&two, FaultKind::TrailingData, 9);
    refused::<External<'_>>(&[0x28, 0x08, 0x06, 0x01, 0x51, 0xA0, 0x03, 0x01, 0x01, 0x01], FaultKind::BooleanValue, 9);
    // The forms of the alternatives.
    refused::<External<'_>>(&[0x28, 0x07, 0x06, 0x01, 0x51, 0x80, 0x02, 0x05, 0x00], FaultKind::ConstructedExpected, 5);
    refused::<External<'_>>(&[0x28, 0x05, 0x06, 0x01, 0x51, 0xA1, 0x00], FaultKind::PrimitiveExpected, 5);
    // Something after the encoding.
    refused::<External<'_>>(&[0x28, 0x07, 0x06, 0x01, 0x51, 0x81, 0x00, 0x81, 0x00], FaultKind::TrailingData, 7);
}

#[test]
fn deviations_inside() {
    let input = [0x28, 0x08, 0x06, 0x01, 0x51, 0xA0, 0x03, 0x01, 0x01, 0x01];
    let external: External<'_> = tolerated(&input, &Rule::BOOLEAN_VALUE, FaultKind::BooleanValue, 9);
    // What has no schema is not made DER.
    assert_eq!(encode(&external).unwrap_err().kind(), FaultKind::NotEncodable);
    let input = [0x28, 0x07, 0x06, 0x01, 0x51, 0x82, 0x02, 0x04, 0xFF];
    let external: External<'_> = tolerated(&input, &Rule::UNUSED_BITS, FaultKind::BitStringPadding, 8);
    assert_eq!(encode(&external).unwrap()[8], 0xF0);
}

#[test]
fn further_components_tolerated() {
    let input = [0x28, 0x07, 0x06, 0x01, 0x51, 0x81, 0x00, 0x05, 0x00];
    let external: External<'_> = tolerated(&input, &Rule::EXTRA_COMPONENTS, FaultKind::TrailingData, 7);
    assert_eq!(encode(&external).unwrap(), [0x28, 0x05, 0x06, 0x01, 0x51, 0x81, 0x00]);
}

#[test]
fn under_an_implicit_tag() {
    let mut reader = Reader::new(&[0xA5, 0x05, 0x06, 0x01, 0x51, 0x81, 0x00]).unwrap();
    let external: External<'_> = reader.read_implicit(Tag::context(5)).unwrap();
    assert_eq!(external.direct_reference, Some(oid!("2.1")));
}

#[test]
fn construction() {
    let encoding = ExternalEncoding::OctetAligned(OctetStr::new(&[]));
    let mut external =
        External { direct_reference: None, indirect_reference: None, data_value_descriptor: None, encoding };
    assert_eq!(encode(&external).unwrap_err().kind(), FaultKind::Inconsistent);
    external.indirect_reference = Some(Int::from_signed(&[7]));
    assert_eq!(encode(&external).unwrap(), [0x28, 0x05, 0x02, 0x01, 0x07, 0x81, 0x00]);
    assert!(Options::der().decode::<Null>(&encode(&external).unwrap()).is_err());
}

#[test]
fn errors_have_paths() {
    let error = External::from_der(&[0x28, 0x06, 0x06, 0x01, 0x51, 0x82, 0x01, 0x07]).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::BitStringUnused, 7, "encoding"));
}
