use super::*;
use crate::kind::FaultKind;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};

#[test]
fn accepted_encodings() {
    assert_eq!(accepted::<Enumerated>(&[0x0A, 0x01, 0x00]), Enumerated(0));
    assert_eq!(accepted::<Enumerated>(&[0x0A, 0x02, 0x00, 0x80]), Enumerated(128));
    assert_eq!(accepted::<Enumerated>(&[0x0A, 0x01, 0x80]), Enumerated(-128));
    let least = [0x0A, 0x08, 0x80, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(accepted::<Enumerated>(&least), Enumerated(i64::MIN));
}

#[test]
fn refused_encodings() {
    refused::<Enumerated>(&[0x0A, 0x00], FaultKind::IntegerEmpty, 2);
    refused::<Enumerated>(&[0x0A, 0x09, 0x00, 0x80, 0, 0, 0, 0, 0, 0, 0], FaultKind::IntegerRange, 2);
    refused::<Enumerated>(&[0x02, 0x01, 0x00], FaultKind::UnexpectedTag, 0);
    refused::<Enumerated>(&[0x2A, 0x03, 0x0A, 0x01, 0x00], FaultKind::PrimitiveExpected, 0);
}

#[test]
fn padding_tolerated() {
    let value: Enumerated =
        tolerated(&[0x0A, 0x03, 0xFF, 0xFF, 0x80], &Rule::INTEGER_PADDED, FaultKind::IntegerPadded, 2);
    assert_eq!(value, Enumerated(-128));
    assert_eq!(crate::encode(&value).unwrap(), [0x0A, 0x01, 0x80]);
}
