//! Modules to types: tags, DEFAULTs, constraints and open types do what their schema says.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::text::hex;
use tagwise_tables::{Error, NameError, Schema, Source, What};

fn schema(body: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{body}\nEND\n");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

/// Both ways: the DER has this JSON, and the JSON this DER.
fn is(schema: &Schema, ty: &str, json: &str, der: &str) {
    let dynamic = schema.ty(ty).unwrap();
    let octets = hex::decode(der.as_bytes()).unwrap();
    let value = tagwise_jer::from_str(&dynamic, json).unwrap_or_else(|error| panic!("{ty} {json}: {error}"));
    let encoded = dynamic.encode(&value).unwrap();
    assert_eq!(hex::encode(&encoded), der.replace(' ', "").to_lowercase(), "{ty} {json}");
    let read = dynamic.decode(&octets).unwrap_or_else(|error| panic!("{ty} {der}: {error}")).value;
    assert_eq!(tagwise_jer::to_string(dynamic.types(), &read), json, "{ty} {der}");
}

/// The DER is refused like this.
fn not(schema: &Schema, ty: &str, der: &str, error: &str) {
    let dynamic = schema.ty(ty).unwrap();
    let octets = hex::decode(der.as_bytes()).unwrap();
    let refused = dynamic.decode(&octets).map(|read| tagwise_jer::to_string(dynamic.types(), &read.value));
    assert_eq!(refused.unwrap_err().to_string(), error, "{ty} {der}");
}

#[test]
fn tags() {
    let schema = schema(
        "A ::= [APPLICATION 3] IMPLICIT SEQUENCE { x INTEGER, y C }
         C ::= CHOICE { one [0] BOOLEAN, two [5] EXPLICIT NULL }
         B ::= [PRIVATE 200] EXPLICIT A
         D ::= SET { b INTEGER, a BOOLEAN }
         E ::= [1] EXPLICIT [2] IMPLICIT OCTET STRING
         F ::= SEQUENCE OF C
         G ::= SEQUENCE { c C, d [7] C }",
    );
    is(&schema, "A", r#"{"x":5,"y":{"one":true}}"#, "63 08 80 01 05 A1 03 80 01 FF");
    is(&schema, "C", r#"{"two":null}"#, "A5 02 05 00");
    is(&schema, "B", r#"{"x":5,"y":{"one":true}}"#, "FF 81 48 0A 63 08 80 01 05 A1 03 80 01 FF");
    is(&schema, "D", r#"{"b":1,"a":true}"#, "31 06 80 01 01 81 01 FF");
    is(&schema, "E", r#""CAFE""#, "A1 04 82 02 CA FE");
    is(&schema, "F", r#"[{"one":false},{"two":null}]"#, "30 07 80 01 00 A5 02 05 00");
    is(&schema, "G", r#"{"c":{"one":true},"d":{"one":false}}"#, "30 08 80 01 FF A7 03 80 01 00");
    not(&schema, "A", "63 03 81 01 05", "x: expected [0], found [1], at byte 2 (X.690 §8.1.2)");
}

#[test]
fn defaults() {
    let schema = schema(
        "A ::= SEQUENCE { n INTEGER { ten(10) } DEFAULT ten, b BOOLEAN DEFAULT FALSE, s UTF8String DEFAULT \"hé\",
           e ENUMERATED { red, green } DEFAULT green, f Flags DEFAULT { on }, o OBJECT IDENTIFIER DEFAULT { 2 5 29 17 },
           h OCTET STRING DEFAULT 'CAFE'H, l SEQUENCE OF INTEGER DEFAULT { 1, 2 }, p P DEFAULT { x 1 },
           c CHOICE { i INTEGER, t IA5String } DEFAULT i : 5, r REAL DEFAULT 0.5 }
         Flags ::= BIT STRING { on(0), off(3) }
         P ::= SEQUENCE { x INTEGER, y INTEGER DEFAULT 3 }",
    );
    is(&schema, "A", "{}", "30 00");
    is(&schema, "A", r#"{"p":{"x":2}}"#, "30 05 A8 03 80 01 02");
    for encoded in ["80 01 0A", "81 01 00", "83 01 01", "84 02 07 80", "85 03 55 1D 11", "86 02 CA FE"] {
        let octets = hex::decode(encoded.as_bytes()).unwrap();
        let der = format!("30 {:02X} {encoded}", octets.len());
        let error = schema.ty("A").unwrap().decode(&hex::decode(der.as_bytes()).unwrap()).unwrap_err();
        assert_eq!(error.code(), "default-encoded", "{encoded}");
    }
    not(
        &schema,
        "A",
        "30 08 A7 06 02 01 01 02 01 02",
        "l: the component has its DEFAULT value and must be left out, at byte 2 (X.690 §11.5)",
    );
    not(
        &schema,
        "A",
        "30 05 A8 03 80 01 01",
        "p: the component has its DEFAULT value and must be left out, at byte 2 (X.690 §11.5)",
    );
}

#[test]
fn constraints() {
    let schema = schema(
        "I ::= INTEGER (0..10 | 20)
         J ::= I (5..MAX)
         X ::= INTEGER (0..10, ...)
         S ::= IA5String (SIZE (1..3)) (FROM (\"a\"..\"c\" | \"z\"))
         V ::= PrintableString (\"yes\" | \"no\")
         E ::= ENUMERATED { a, b, c } (a | c)
         L ::= SEQUENCE (SIZE (1..2)) OF INTEGER (1..MAX)
         W ::= T (WITH COMPONENTS { ..., a (0..5), b ABSENT })
         T ::= SEQUENCE { a INTEGER OPTIONAL, b BOOLEAN OPTIONAL }
         D ::= TIME (SETTINGS \"Basic=Date Date=YMD\")
         F ::= SEQUENCE { n INTEGER (1..4), o OBJECT IDENTIFIER ({ 1 2 3 } | { 1 2 4 }) }",
    );
    is(&schema, "I", "20", "02 01 14");
    not(&schema, "I", "02 01 0B", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "J", "5", "02 01 05");
    not(&schema, "J", "02 01 04", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "X", "200", "02 02 00 C8");
    is(&schema, "S", r#""abz""#, "16 03 61 62 7A");
    not(&schema, "S", "16 01 64", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    not(&schema, "S", "16 00", "the size is outside its constraint, at byte 2 (X.680 §51.5)");
    is(&schema, "V", r#""no""#, "13 02 6E 6F");
    not(&schema, "V", "13 01 6E", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "E", r#""c""#, "0A 01 02");
    not(&schema, "E", "0A 01 01", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "L", "[1,2]", "30 06 02 01 01 02 01 02");
    not(&schema, "L", "30 03 02 01 00", "[0]: the value is outside its constraint, at byte 4 (X.680 §51.4)");
    is(&schema, "W", r#"{"a":5}"#, "30 03 80 01 05");
    not(&schema, "W", "30 03 80 01 06", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    not(&schema, "W", "30 03 81 01 FF", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "D", r#""1985-04-12""#, "0E 0A 31 39 38 35 2D 30 34 2D 31 32");
    not(&schema, "D", "0E 04 31 39 38 35", "the value is outside its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "F", r#"{"n":4,"o":"1.2.4"}"#, "30 07 80 01 04 81 02 2A 04");
    not(&schema, "F", "30 07 80 01 05 81 02 2A 04", "n: the value is outside its constraint, at byte 2 (X.680 §51.4)");
    not(&schema, "F", "30 07 80 01 04 81 02 2A 05", "o: the value is outside its constraint, at byte 5 (X.680 §51.4)");
}

#[test]
fn open_types() {
    let schema = schema(
        "ALG ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Params OPTIONAL } WITH SYNTAX { [PARMS &Params] ID &id }
         sized ALG ::= { PARMS INTEGER ID { 1 2 3 } }
         named ALG ::= { PARMS UTF8String ID { 1 2 4 } }
         Known ALG ::= { sized | named, ... }
         Algorithm { ALG:Set } ::= SEQUENCE { id ALG.&id ({Set}), params ALG.&Params ({Set}{@id}) OPTIONAL }
         A ::= Algorithm {{Known}}
         Msg ::= CLASS { &code INTEGER, &Body } WITH SYNTAX { &code &Body }
         Msgs Msg ::= { { 1 BOOLEAN } | { 2 A } }
         B ::= SEQUENCE { code Msg.&code ({Msgs}), held OCTET STRING (CONTAINING Msg.&Body ({Msgs}{@code})) }",
    );
    is(&schema, "A", r#"{"id":"1.2.3","params":7}"#, "30 09 80 02 2A 03 A1 03 02 01 07");
    is(&schema, "A", r#"{"id":"1.2.4","params":"x"}"#, "30 09 80 02 2A 04 A1 03 0C 01 78");
    is(&schema, "A", r#"{"id":"1.2.5","params":{"$der":"0500"}}"#, "30 08 80 02 2A 05 A1 02 05 00");
    not(
        &schema,
        "A",
        "30 09 80 02 2A 03 A1 03 0C 01 78",
        "params: expected INTEGER, found UTF8String, at byte 8 (X.690 §8.1.2)",
    );
    is(&schema, "B", r#"{"code":1,"held":{"containing":true}}"#, "30 08 80 01 01 81 03 01 01 FF");
}

#[test]
fn recursion_extension_and_instances() {
    let schema = schema(
        "Tree ::= SEQUENCE { label INTEGER, kids SEQUENCE OF Tree OPTIONAL }
         E ::= SEQUENCE { a INTEGER, ..., [[ b BOOLEAN, c INTEGER OPTIONAL ]], d NULL OPTIONAL, ..., z INTEGER }
         Pair { T, INTEGER:max } ::= SEQUENCE { first T, second INTEGER (0..max) }
         P ::= Pair { UTF8String, 9 }
         Q ::= Pair { P, 3 }",
    );
    is(
        &schema,
        "Tree",
        r#"{"label":1,"kids":[{"label":2},{"label":3,"kids":[]}]}"#,
        "30 11 80 01 01 A1 0C 30 03 80 01 02 30 05 80 01 03 A1 00",
    );
    is(&schema, "E", r#"{"a":1,"b":true,"z":2}"#, "30 09 80 01 01 82 01 FF 81 01 02");
    is(
        &schema,
        "Q",
        r#"{"first":{"first":"x","second":9},"second":3}"#,
        "30 0F A0 0A 30 08 A0 03 0C 01 78 81 01 09 81 01 03",
    );
    not(
        &schema,
        "Q",
        "30 0F A0 0A 30 08 A0 03 0C 01 78 81 01 0A 81 01 03",
        "first.second: the value is outside its constraint, at byte 11 (X.680 §51.4)",
    );
}

#[test]
fn names() {
    let text = "A DEFINITIONS ::= BEGIN X ::= SEQUENCE { y Y } Y ::= NULL END
                B DEFINITIONS ::= BEGIN X ::= INTEGER END";
    let schema = Schema::compile([Source::new("m.asn1", text)]).unwrap();
    assert_eq!(schema.ty("X").unwrap_err(), NameError::Ambiguous { modules: vec!["A".to_owned(), "B".to_owned()] });
    assert!(schema.ty("B.X").is_ok());
    assert_eq!(schema.ty("y").unwrap_err(), NameError::Unknown { near: Some("Y".to_owned()) });
    let top: Vec<&str> = schema.names().iter().filter(|name| name.top).map(|name| &*name.module).collect();
    assert_eq!(top, ["A", "B"]);
}

#[test]
fn what_is_not_held_is_told() {
    let schema = schema(
        "A ::= OCTET STRING (CONSTRAINED BY { -- a moon -- })
         B ::= INTEGER (0..340282366920938463463374607431768211455)",
    );
    let told: Vec<What> = schema.unchecked().iter().map(|one| one.what).collect();
    assert_eq!(told, [What::Words, What::Bound]);
}

#[test]
fn wrong_modules_are_refused() {
    let refused = Schema::compile([Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= B END")]).unwrap_err();
    let Error::Modules(compilation) = &refused else { panic!("{refused}") };
    assert_eq!(compilation.diagnostics().errors(), 1);
    assert!(refused.to_string().starts_with("m.asn1:1:31: error: "), "{refused}");
}
