//! INSTANCE OF with a set of objects (X.681 Annex C, X.682 §10).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::text::hex;
use tagwise_tables::untagged::Rules;
use tagwise_tables::{Schema, Source};

const SETS: &str = "C ::= TYPE-IDENTIFIER
    Closed C ::= { { INTEGER IDENTIFIED BY {2 5 1} } | { Pair IDENTIFIED BY {2 5 2} } }
    Open C ::= { { INTEGER IDENTIFIED BY {2 5 1} }, ... }
    Pair ::= SEQUENCE { a BOOLEAN, b NULL }";

fn compile(assignments: &str) -> Result<Schema, String> {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{SETS}\n{assignments}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).map_err(|error| error.to_string())
}

#[track_caller]
fn both(schema: &Schema, json: &str, der: &str) {
    let ty = schema.ty("T").unwrap();
    let octets = hex::decode(der.as_bytes()).unwrap();
    let value = tagwise_jer::from_str(&ty, json).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ty.encode(&value), Ok(octets.clone()), "{json}");
    let read = ty.decode(&octets).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tagwise_jer::to_string(ty.types(), &read.value), json);
    for rules in Rules::ALL {
        let ty = schema.untagged("T", rules).unwrap();
        let read = ty.decode(&ty.encode(&value).unwrap()).unwrap();
        assert_eq!(read.value, value, "{}", rules.name());
    }
}

#[test]
fn the_set_selects_the_type_of_the_value() {
    let written = ["({Closed})", "({{ INTEGER IDENTIFIED BY {2 5 1} } | { Pair IDENTIFIED BY {2 5 2} }})"];
    for set in written {
        let schema = compile(&format!("T ::= INSTANCE OF C {set}")).unwrap_or_else(|error| panic!("{set}: {error}"));
        assert!(schema.unchecked().is_empty());
        both(&schema, r#"{"type-id":"2.5.1","value":5}"#, "28 09 06 02 55 01 A0 03 02 01 05");
        both(
            &schema,
            r#"{"type-id":"2.5.2","value":{"a":true,"b":null}}"#,
            "28 0D 06 02 55 02 A0 07 30 05 80 01 FF 81 00",
        );
        let ty = schema.ty("T").unwrap();
        // The identifier is not in the set.
        let unknown = hex::decode(b"28 09 06 02 55 03 A0 03 02 01 05").unwrap();
        assert!(ty.decode(&unknown).unwrap_err().to_string().starts_with("type-id: "));
        // The value has another type.
        let other = hex::decode(b"28 09 06 02 55 01 A0 03 01 01 FF").unwrap();
        assert!(ty.decode(&other).unwrap_err().to_string().starts_with("value: expected INTEGER"));
    }
}

#[test]
fn a_set_with_a_marker_allows_other_objects() {
    let schema = compile("T ::= SEQUENCE OF INSTANCE OF C ({Open})").unwrap();
    let ty = schema.ty("T").unwrap();
    let unknown = hex::decode(b"30 0B 28 09 06 02 55 03 A0 03 02 01 05").unwrap();
    let read = ty.decode(&unknown).unwrap();
    assert_eq!(tagwise_jer::to_string(ty.types(), &read.value), r#"[{"type-id":"2.5.3","value":{"$der":"020105"}}]"#);
    let wrong = hex::decode(b"30 0B 28 09 06 02 55 01 A0 03 01 01 FF").unwrap();
    assert!(ty.decode(&wrong).is_err());
}

#[test]
fn other_constraints_are_refused() {
    let path = compile("T ::= SEQUENCE { a C.&id ({Closed}), i INSTANCE OF C ({Closed}{@a}) }").unwrap_err();
    assert!(path.contains("unexpected path: INSTANCE OF selects its type itself"), "{path}");
    let reference = compile("I ::= INSTANCE OF C T ::= I ({Closed})").unwrap_err();
    assert!(reference.contains("not supported: an object set for a reference to INSTANCE OF"), "{reference}");
    let class =
        compile("D ::= CLASS { &x INTEGER UNIQUE } S D ::= { { &x 1 } } T ::= INSTANCE OF C ({S})").unwrap_err();
    assert!(class.contains("the set has the class D, but the field has the class "), "{class}");
}
