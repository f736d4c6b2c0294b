//! Rare extensions are known with the feature, and without it they are unknown ones: never checked, and never taken for checked.

#![cfg(feature = "pkix")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tagwise::codec::{Decode, OpenType};
use tagwise::pkix::Extension;
use tagwise::pkix::ext::ExtensionValue;

/// ```asn1
/// Extension ::= SEQUENCE { extnID id-pe-logotype, critical TRUE, extnValue OCTET STRING { NULL } }
/// ```
///
/// The value is no `LogotypeExtn`.
const LOGOTYPE: &[u8] = b"\x30\x11\x06\x08\x2B\x06\x01\x05\x05\x07\x01\x0C\x01\x01\xFF\x04\x02\x05\x00";

#[test]
fn a_rare_extension() {
    let extension = Extension::outline(LOGOTYPE).unwrap();
    assert!(extension.critical);
    let is_known = ExtensionValue::knows(extension.extn_id.as_bytes());
    assert_eq!(Extension::from_der(LOGOTYPE).is_err(), is_known);
    match extension.extn_value.get() {
        Ok(ExtensionValue::Unknown(unknown)) => assert_eq!((is_known, unknown.bytes), (false, &[0x05, 0x00][..])),
        Ok(value) => panic!("{value:?}"),
        Err(_) => assert!(is_known),
    }
}

#[test]
#[cfg(feature = "rare-extensions")]
fn the_feature_has_its_types() {
    let error = Extension::from_der(LOGOTYPE).unwrap_err();
    assert_eq!((error.code(), error.offset()), ("unexpected-tag", 17));
    assert!(tagwise::pkix::ext::Logotype::from_der(&[0x05, 0x00]).is_err());
}

#[test]
#[cfg(not(any(feature = "rare-extensions", feature = "messages", feature = "lint", feature = "text")))]
fn without_it_nothing_is_checked() {
    assert!(!ExtensionValue::knows(Extension::outline(LOGOTYPE).unwrap().extn_id.as_bytes()));
}
