//! Helpers for tests of the Packed Encoding Rules.
#![allow(dead_code, reason = "no test uses all of them")]

use tagwise_codec::text::hex::{Hex, decode_pairs};
use tagwise_per::{Error, Variant};
use tagwise_tables::{Schema, Source};

/// Compiles the assignments of a module with automatic tags.
pub(crate) fn schema(assignments: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

/// Encodes JSON, as hexadecimal.
pub(crate) fn encode(schema: &Schema, ty: &str, variant: Variant, json: &str) -> Result<String, Error> {
    let value = tagwise_jer::from_str(&schema.ty(ty).unwrap(), json).unwrap_or_else(|error| panic!("{error}"));
    let octets = schema.per(ty).unwrap().variant(variant).encode(&value)?;
    Ok(format!("{:X}", Hex(&octets)))
}

/// Decodes hexadecimal to JSON.
pub(crate) fn decode(schema: &Schema, ty: &str, variant: Variant, octets: &str) -> Result<String, Error> {
    let octets = decode_pairs(octets).unwrap();
    let read = schema.per(ty).unwrap().variant(variant).decode(&octets)?;
    Ok(tagwise_jer::to_string(schema.ty(ty).unwrap().types(), &read.value))
}

/// Checks both directions of a value in the four variants; its encodings are canonical.
pub(crate) fn check(schema: &Schema, ty: &str, json: &str, aligned: &str, unaligned: &str) {
    for variant in Variant::ALL {
        let octets = if variant.aligned { aligned } else { unaligned };
        assert_eq!(encode(schema, ty, variant, json).as_deref(), Ok(octets), "{ty} {variant} {json}");
        let read = decode(schema, ty, variant, octets).unwrap_or_else(|error| panic!("{ty} {variant}: {error}"));
        let again = encode(schema, ty, variant, &read);
        assert_eq!(again.as_deref(), Ok(octets), "{ty} {variant} {read}");
    }
}
