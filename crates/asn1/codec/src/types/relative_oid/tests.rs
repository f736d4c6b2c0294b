use alloc::string::ToString;
use alloc::vec::Vec;

use super::*;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{Decode, encode};

#[test]
fn accepted_encodings() {
    // A first octet below 80 is one arc, not two.
    let oid = accepted::<RelativeOid<'_>>(&[0x0D, 0x01, 0x55]);
    assert_eq!(oid, relative_oid!("85"));
    assert_eq!(oid.to_string(), "85");
    let oid = accepted::<RelativeOid<'_>>(&[0x0D, 0x03, 0x00, 0x81, 0x00]);
    let arcs: Vec<_> = oid.arcs().map(|arc| arc.to_u128()).collect();
    assert_eq!(arcs, [Some(0), Some(128)]);
    assert_eq!(oid, relative_oid!("0.128"));
}

#[test]
fn refused_encodings() {
    refused::<RelativeOid<'_>>(&[0x0D, 0x00], FaultKind::OidEmpty, 2);
    refused::<RelativeOid<'_>>(&[0x0D, 0x02, 0x03, 0x83], FaultKind::OidTruncated, 4);
    refused::<RelativeOid<'_>>(&[0x06, 0x01, 0x03], FaultKind::UnexpectedTag, 0);
    refused::<RelativeOid<'_>>(&[0x2D, 0x01, 0x03], FaultKind::PrimitiveExpected, 0);
}

#[test]
fn padded_arcs_tolerated_but_not_written() {
    let input = [0x0D, 0x03, 0x03, 0x80, 0x05];
    let oid: RelativeOid<'_> = tolerated(&input, &Rule::OID_PADDED, FaultKind::OidPadded, 3);
    assert_eq!(oid.to_string(), "3.5");
    assert_eq!(encode(&oid).unwrap_err().kind(), FaultKind::NotEncodable);
}

#[test]
fn text_of_any_arcs() {
    // No limit of 40 below a first arc, and no second arc demanded.
    assert_eq!(relative_oid!("0").as_bytes(), [0x00]);
    assert_eq!(relative_oid!("1.999").as_bytes(), [0x01, 0x87, 0x67]);
    let large = relative_oid!("329800735698586629295641978511506172918");
    assert_eq!(large.to_string(), "329800735698586629295641978511506172918");
    assert!(RelativeOid::from_der(&encode(&large).unwrap()).is_ok_and(|read| read == large));
    for wrong in ["", ".", "1.", ".1", "01", "1..2", "a", "-1", "1 "] {
        assert_eq!(crate::types::oid_text::parse_relative(wrong, &mut [0; 8]), None, "{wrong:?}");
    }
}
