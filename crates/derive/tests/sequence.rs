//! SEQUENCE: required, OPTIONAL and DEFAULT components, tags, constraints.
#![allow(missing_docs)]

use tagwise_codec::{Any, Decode, Int, Kind, OctetStr, Oid, Options, Rule, Tag, Typed, encode, oid};
use tagwise_derive::Asn1;

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(integer)]
enum Version {
    V1,
    V2,
    V3,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Message<'a> {
    #[asn1(explicit = 0, default = Version::V1)]
    version: Version,
    serial: Int<'a>,
    #[asn1(implicit = 1)]
    owner: Option<OctetStr<'a>>,
    critical: Option<bool>,
}

#[test]
fn all_components() {
    // version [0] 2, serial 5, owner [1] "a", critical TRUE
    let der = [0x30, 0x0E, 0xA0, 3, 2, 1, 2, 2, 1, 5, 0x81, 1, b'a', 1, 1, 0xFF];
    let message = Message::from_der(&der).unwrap();
    assert_eq!(
        message,
        Message {
            version: Version::V3,
            serial: Int::from_signed(&[5]),
            owner: Some(OctetStr::new(b"a")),
            critical: Some(true)
        }
    );
    assert_eq!(encode(&message).unwrap(), der);
}
