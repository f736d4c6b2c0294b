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
        "l: a component equal to its DEFAULT value must be omitted, at byte 2 (X.690 §11.5)",
    );
    not(
        &schema,
        "A",
        "30 05 A8 03 80 01 01",
        "p: a component equal to its DEFAULT value must be omitted, at byte 2 (X.690 §11.5)",
    );
}

/// Values of open types, whether or not something selects their type, and bits that X.680 §22.7 leaves out.
#[test]
fn open_and_padded_values() {
    let schema = schema(
        "Alg ::= SEQUENCE { id OBJECT IDENTIFIER, params ANY DEFINED BY id OPTIONAL }
         sha1 Alg ::= { id { 1 3 14 3 2 26 }, params NULL : NULL }
         mgf1 Alg ::= { id { 1 2 8 }, params Alg : sha1 }
         A ::= SEQUENCE { hash [0] EXPLICIT Alg DEFAULT sha1, mask [1] EXPLICIT Alg DEFAULT mgf1 }
         K ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         Known K ::= { { 1 UTF8String } | { 2 BOOLEAN } }
         H ::= SEQUENCE { id K.&id ({Known}), held [5] K.&Type ({Known}{@id}) }
         B ::= SEQUENCE { h H DEFAULT { id 1, held UTF8String : \"x\" } }
         T ::= BIT STRING { one(0), two(1), three(2) } ('000'B | '001'B | '010'B)
         D ::= SEQUENCE { t T DEFAULT '010'B }",
    );
    is(&schema, "A", "{}", "30 00");
    not(
        &schema,
        "A",
        "30 0F A0 0D 30 0B 80 05 2B 0E 03 02 1A A1 02 05 00",
        "hash: a component equal to its DEFAULT value must be omitted, at byte 2 (X.690 §11.5)",
    );
    not(
        &schema,
        "B",
        "30 0A A0 08 02 01 01 A5 03 0C 01 78",
        "h: a component equal to its DEFAULT value must be omitted, at byte 2 (X.690 §11.5)",
    );
    is(&schema, "B", r#"{"h":{"id":1,"held":"y"}}"#, "30 0A A0 08 02 01 01 A5 03 0C 01 79");
    // An element where the type is known, as somebody writes it who does not know it.
    let b = schema.ty("B").unwrap();
    let value = tagwise_jer::from_str(&b, r#"{"h":{"id":1,"held":{"$der":"0C0179"}}}"#).unwrap();
    assert_eq!(tagwise_jer::to_string(b.types(), &value), r#"{"h":{"id":1,"held":"y"}}"#);
    let error = tagwise_jer::from_str(&b, r#"{"h":{"id":1,"held":{"$der":"0500"}}}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$.h.held: the value of the selected type is not valid DER: expected UTF8String, found NULL, at byte 0 (X.690 §8.1.2)"
    );
    is(&schema, "T", r#"{"value":"40","length":2}"#, "03 02 06 40");
    is(&schema, "T", r#"{"value":"","length":0}"#, "03 01 00");
    not(&schema, "T", "03 02 07 80", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "D", "{}", "30 00");
    let padded = tagwise_jer::from_str(&schema.ty("T").unwrap(), r#"{"value":"40","length":4}"#).unwrap();
    assert_eq!(schema.ty("T").unwrap().encode(&padded).unwrap(), [3, 2, 6, 0x40]);
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
    not(&schema, "I", "02 01 0B", "the value is 11; allowed 0..10 or 20, at byte 2 (X.680 §51.4)");
    is(&schema, "J", "5", "02 01 05");
    not(&schema, "J", "02 01 04", "the value is 4; allowed 5..20, at byte 2 (X.680 §51.4)");
    is(&schema, "X", "200", "02 02 00 C8");
    is(&schema, "S", r#""abz""#, "16 03 61 62 7A");
    not(&schema, "S", "16 01 64", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    not(&schema, "S", "16 00", "the size is 0; allowed 1..3, at byte 2 (X.680 §51.5)");
    is(&schema, "V", r#""no""#, "13 02 6E 6F");
    not(&schema, "V", "13 01 6E", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "E", r#""c""#, "0A 01 02");
    not(&schema, "E", "0A 01 01", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "L", "[1,2]", "30 06 02 01 01 02 01 02");
    not(&schema, "L", "30 03 02 01 00", "[0]: the value is 0; allowed 1 or more, at byte 4 (X.680 §51.4)");
    is(&schema, "W", r#"{"a":5}"#, "30 03 80 01 05");
    not(&schema, "W", "30 03 80 01 06", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    not(&schema, "W", "30 03 81 01 FF", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "D", r#""1985-04-12""#, "0E 0A 31 39 38 35 2D 30 34 2D 31 32");
    not(&schema, "D", "0E 04 31 39 38 35", "the value violates its constraint, at byte 2 (X.680 §51.4)");
    is(&schema, "F", r#"{"n":4,"o":"1.2.4"}"#, "30 07 80 01 04 81 02 2A 04");
    not(&schema, "F", "30 07 80 01 05 81 02 2A 04", "n: the value is 5; allowed 1..4, at byte 2 (X.680 §51.4)");
    not(&schema, "F", "30 07 80 01 04 81 02 2A 05", "o: the value violates its constraint, at byte 5 (X.680 §51.4)");
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
         N ::= SEQUENCE { a INTEGER, ..., b BOOLEAN }
         O ::= SET { a INTEGER, ..., b BOOLEAN }
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
    // Without what the second version adds, by the first.
    is(&schema, "N", r#"{"a":1}"#, "30 03 80 01 01");
    is(&schema, "N", r#"{"a":1,"b":true}"#, "30 06 80 01 01 81 01 FF");
    is(&schema, "O", r#"{"a":1}"#, "31 03 80 01 01");
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
        "first.second: the value violates its constraint, at byte 11 (X.680 §51.4)",
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
fn unchecked_constraints_are_listed() {
    let schema = schema(
        "A ::= OCTET STRING (CONSTRAINED BY { -- a moon -- })
         B ::= TIME (SETTINGS \"Basic=Rec-Interval Recurrence=R9\")
         C ::= UTF8String (PATTERN \"\\N{latin small letter a}\")
         S KEY ::= {}
         KEY ::= CLASS { &id INTEGER } WITH SYNTAX { &id }
         D ::= KEY.&id ({S})",
    );
    let told: Vec<What> = schema.unchecked().iter().map(|one| one.what).collect();
    assert_eq!(told, [What::Words, What::Settings, What::Pattern, What::Table]);
}

#[test]
fn unchecked_constraints_of_a_type_include_those_of_its_parts() {
    let schema = schema(
        "R ::= EMBEDDED PDV (WITH COMPONENTS {..., data-value (SIZE (1))})
         A ::= SEQUENCE { r [5] EXPLICIT R OPTIONAL, n NULL }
         B ::= SEQUENCE OF A
         C ::= SEQUENCE OF NULL
         D ::= CHOICE { d DATE (\"2020-01-01\"..\"2020-12-31\"), e [APPLICATION 1] B }
         T {Any} ::= SEQUENCE { any Any, text UTF8String (CONSTRAINED BY { -- a verse -- }) }
         E ::= T {NULL}
         F ::= T {BOOLEAN}",
    );
    for (name, expected) in [
        ("R", &[What::Components][..]),
        ("A", &[What::Components]),
        ("B", &[What::Components]),
        ("C", &[]),
        ("D", &[What::Components, What::Inexact]),
        ("E", &[What::Words]),
        ("F", &[What::Words]),
    ] {
        let found = schema.unchecked_in(name).unwrap();
        let mut kinds: Vec<What> = found.iter().map(|one| one.what).collect();
        kinds.sort_by_key(|what| what.to_string());
        assert_eq!(kinds, expected, "{name}");
    }
    assert_eq!(
        schema.unchecked_in("R").unwrap()[0].to_string(),
        "a constraint on the components of a REAL, EXTERNAL, EMBEDDED PDV or CHARACTER STRING: \
         (WITH COMPONENTS {..., data-value (SIZE (1))})"
    );
    assert!(schema.unchecked_in("X").is_err());
}

/// The compiler refuses the regular expressions that no table can be made of, and no others.
#[test]
fn both_know_what_a_regular_expression_is() {
    use tagwise_codec::pattern::{PatternFlaw, check};
    let pieces = [
        "a",
        "b",
        "*",
        "+",
        "?",
        "#",
        "2",
        "(",
        ")",
        "[",
        "]",
        "-",
        "^",
        "|",
        ".",
        "\\",
        "d",
        "{",
        "}",
        ",",
        "{0,0,0,65}",
    ];
    // A fixed sequence (Knuth's MMIX generator) is as good as chance here.
    let mut state = 1_u64;
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..1 + (state >> 60) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += pieces[(state >> 33) as usize % pieces.len()];
        }
        let module = format!("M DEFINITIONS ::= BEGIN A ::= UTF8String (PATTERN \"{text}\") END");
        let found = Schema::compile([Source::new("m", &module)]);
        match check(&text).map_err(|error| error.flaw) {
            Ok(_) | Err(PatternFlaw::TooLarge | PatternFlaw::Name) => {
                right += 1;
                assert!(found.is_ok(), "{text}: {}", found.unwrap_err());
            }
            Err(flaw) => {
                wrong += 1;
                assert!(found.is_err(), "{text}: {flaw:?}");
            }
        }
    }
    assert!(right > 300 && wrong > 300, "{right} {wrong}");
}

const OUTSIDE: &str = "the value violates its constraint, at byte 2 (X.680 §51.4)";

/// What no arithmetic brings to ranges is held all the same.
#[test]
fn set_arithmetic() {
    let schema = schema(
        "A ::= IA5String (SIZE (1) | FROM (\"a\"..\"c\"))
         B ::= IA5String (FROM (\"a\") | FROM (\"b\"))
         C ::= IA5String (FROM (\"a\"..\"z\") EXCEPT (\"no\" | PATTERN \"x#3\"))
         D ::= OBJECT IDENTIFIER (ALL EXCEPT { 1 2 3 })
         E ::= T (WITH COMPONENTS { ..., a PRESENT } | WITH COMPONENTS { ..., b PRESENT })
         T ::= SEQUENCE { a INTEGER OPTIONAL, b BOOLEAN OPTIONAL }
         F ::= REAL (-0.5<..1.5)
         G ::= INTEGER (0..340282366920938463463374607431768211456)
         H ::= IA5String (PATTERN \"x\", ...)
         I ::= H (SIZE (1))
         M ::= INTEGER (0..9, ...)
         N ::= M (5..MAX)
         L ::= SEQUENCE OF IA5String
         J ::= L (WITH COMPONENT (SIZE (1..2)))
         K ::= J (WITH COMPONENT (FROM (\"a\")) | SIZE (3))",
    );
    assert!(schema.unchecked().is_empty(), "{:?}", schema.unchecked());
    is(&schema, "A", r#""Z""#, "16 01 5A");
    is(&schema, "A", r#""abc""#, "16 03 61 62 63");
    not(&schema, "A", "16 02 5A 5A", OUTSIDE);
    is(&schema, "B", r#""bb""#, "16 02 62 62");
    not(&schema, "B", "16 02 61 62", OUTSIDE);
    is(&schema, "C", r#""non""#, "16 03 6E 6F 6E");
    not(&schema, "C", "16 02 6E 6F", OUTSIDE);
    not(&schema, "C", "16 03 78 78 78", OUTSIDE);
    is(&schema, "D", r#""1.2.4""#, "06 02 2A 04");
    not(&schema, "D", "06 02 2A 03", OUTSIDE);
    is(&schema, "E", r#"{"b":true}"#, "30 03 81 01 FF");
    not(&schema, "E", "30 00", OUTSIDE);
    is(&schema, "F", "1.5", "09 03 80 FF 03");
    not(&schema, "F", "09 03 C0 FF 01", OUTSIDE);
    is(&schema, "G", "340282366920938463463374607431768211456", &format!("02 11 01{}", " 00".repeat(16)));
    not(&schema, "G", &format!("02 11 01{} 01", " 00".repeat(15)), OUTSIDE);
    is(&schema, "H", r#""y""#, "16 01 79");
    not(&schema, "I", "16 01 79", OUTSIDE);
    is(&schema, "M", "10", "02 01 0A");
    not(&schema, "N", "02 01 0A", "the value is 10; allowed 5..9, at byte 2 (X.680 §51.4)");
    is(&schema, "K", r#"["a","aa"]"#, "30 07 16 01 61 16 02 61 61");
    is(&schema, "K", r#"["x","y","z"]"#, "30 09 16 01 78 16 01 79 16 01 7A");
    not(&schema, "K", "30 03 16 01 78", OUTSIDE);
    not(&schema, "K", "30 05 16 03 61 61 61", "the size violates its constraint, at byte 2 (X.680 §51.5)");
}

/// Several components select together, by whatever type they have, from as far out as their path says.
#[test]
fn selectors() {
    let schema = schema(
        "ROW ::= CLASS { &kind ENUMERATED { a, b }, &name UTF8String, &Type } WITH SYNTAX { &kind &name &Type }
         Rows ROW ::= { { a \"x\" INTEGER } | { a \"y\" BOOLEAN } | { b \"x\" NULL }, ... }
         A ::= SEQUENCE { kind ROW.&kind ({Rows}), body SEQUENCE { name ROW.&name ({Rows}),
           value [5] ROW.&Type ({Rows}{@kind, @.name}), kind BOOLEAN } }",
    );
    is(
        &schema,
        "A",
        r#"{"kind":"a","body":{"name":"y","value":true,"kind":false}}"#,
        "30 10 80 01 00 A1 0B 0C 01 79 A5 03 01 01 FF 01 01 00",
    );
    is(
        &schema,
        "A",
        r#"{"kind":"b","body":{"name":"x","value":null,"kind":true}}"#,
        "30 0F 80 01 01 A1 0A 0C 01 78 A5 02 05 00 01 01 FF",
    );
    not(
        &schema,
        "A",
        "30 10 80 01 00 A1 0B 0C 01 78 A5 03 01 01 FF 01 01 00",
        "body.value: expected INTEGER, found BOOLEAN, at byte 12 (X.690 §8.1.2)",
    );
}

/// Table constraints on values: what no object of a closed set has is refused (X.682 §10.5), and what the selected one has not (§10.7).
#[test]
fn values_from_tables() {
    let schema = schema(
        "KEY ::= CLASS { &id INTEGER UNIQUE, &name UTF8String, &Sizes INTEGER OPTIONAL, &Type }
           WITH SYNTAX { &id &name [SIZES &Sizes] &Type }
         Closed KEY ::= { { 1 \"one\" SIZES { 3 | 5..9 } NULL } | { 2 \"two\" BOOLEAN } | { 300 \"x\" SIZES { 4 } NULL } }
         Open KEY ::= { Closed, ... }
         Id ::= KEY.&id ({Closed})
         Any ::= KEY.&id ({Open})
         Name ::= SEQUENCE OF KEY.&name ({Closed})
         Size ::= KEY.&Sizes ({Closed})
         Row ::= SEQUENCE { id KEY.&id ({Open}), name KEY.&name ({Open}{@id}), size KEY.&Sizes ({Open}{@id}) OPTIONAL,
           held KEY.&Type ({Open}{@id}) }",
    );
    assert!(schema.unchecked().is_empty(), "{:?}", schema.unchecked());
    is(&schema, "Id", "2", "02 01 02");
    is(&schema, "Id", "300", "02 02 01 2C");
    not(&schema, "Id", "02 01 03", "the value is 3; allowed 1 or 2 or 300, at byte 2 (X.680 §51.4)");
    is(&schema, "Any", "3", "02 01 03");
    is(&schema, "Name", r#"["one","two"]"#, "30 0A 0C 03 6F 6E 65 0C 03 74 77 6F");
    not(&schema, "Name", "30 05 0C 03 6F 6E 66", "[0]: the value violates its constraint, at byte 4 (X.680 §51.4)");
    is(&schema, "Size", "7", "02 01 07");
    not(&schema, "Size", "02 01 0A", OUTSIDE);
    is(
        &schema,
        "Row",
        r#"{"id":1,"name":"one","size":5,"held":null}"#,
        "30 0F 80 01 01 81 03 6F 6E 65 82 01 05 A3 02 05 00",
    );
    // The name and the size of another object; what an object leaves out is not known.
    not(
        &schema,
        "Row",
        "30 0C 80 01 01 81 03 74 77 6F A3 02 05 00",
        "name: the value violates its constraint, at byte 5 (X.680 §51.4)",
    );
    not(
        &schema,
        "Row",
        "30 0F 80 01 01 81 03 6F 6E 65 82 01 04 A3 02 05 00",
        "size: the value violates its constraint, at byte 10 (X.680 §51.4)",
    );
    is(
        &schema,
        "Row",
        r#"{"id":9,"name":"any","size":5,"held":{"$der":"0500"}}"#,
        "30 0F 80 01 09 81 03 61 6E 79 82 01 05 A3 02 05 00",
    );
    let row = schema.ty("Row").unwrap();
    let error = tagwise_jer::from_str(&row, r#"{"id":1,"name":"two","held":null}"#).unwrap_err();
    assert_eq!(error.message, "the value violates its constraint");
}

#[test]
fn wrong_modules_are_refused() {
    let refused = Schema::compile([Source::new("m.asn1", "M DEFINITIONS ::= BEGIN A ::= B END")]).unwrap_err();
    let Error::Modules(compilation) = &refused else { panic!("{refused}") };
    assert_eq!(compilation.diagnostics().errors(), 1);
    assert!(refused.to_string().starts_with("m.asn1:1:31: error: "), "{refused}");
}

#[test]
fn paths_go_into_what_strings_contain() {
    let schema = schema("T ::= SEQUENCE { b BOOLEAN } H ::= SEQUENCE { h OCTET STRING (CONTAINING T) }");
    let error = schema.ty("H").unwrap().decode(&[0x30, 7, 0x80, 5, 0x30, 3, 0x80, 1, 1]).unwrap_err();
    assert_eq!((error.code(), error.path(), error.offset()), ("boolean-value", "h.b", 8));
}

/// A regular expression that values are not held to is told of by a warning and listed, each time and no other.
#[test]
fn expressions_that_are_not_held_are_told_of() {
    let mut patterns: Vec<String> = [1, 2, 5, 31, 341, 682, 683, 1023, 1024, 2047, 2048, 2049, 5000]
        .into_iter()
        .flat_map(|count| {
            ["a", ".", r"\\d", r"\\w", "[a-z_]", "(a|b)", "(a|b|\\\\b)", "a?", "(a#(0,3)b)"].map(|part| {
                let part = part.replace(r"\\", r"\");
                [
                    format!("{part}#({count})"),
                    format!("({part})#(0,{count})"),
                    format!("({part})#(2,{count})"),
                    format!("({part}|x)#({count},)"),
                    format!("({part}#0|y)#({count})"),
                ]
            })
        })
        .flatten()
        .collect();
    patterns.extend([10, 30, 31, 32, 40].map(|depth| format!("{}a{}", "(".repeat(depth), ")".repeat(depth))));
    patterns.extend([r"\N{esc}", r"\N{BasicGreek}", r"[a\N{nul}]", "x|y|z", "(x|)", ""].map(str::to_owned));
    let mut told = 0;
    for pattern in &patterns {
        let text = format!("M DEFINITIONS ::= BEGIN A ::= UTF8String (PATTERN \"{pattern}\") END");
        let compilation = tagwise_schema::compile(vec![Source::new("m", &text)]);
        let Some(model) = compilation.model() else {
            // Counts in the wrong order, which are wrong everywhere.
            assert!(
                compilation.render().contains("expected a digit, or a range in parentheses, after `#`"),
                "{pattern}: {}",
                compilation.render()
            );
            continue;
        };
        let warned = compilation.diagnostics().list().iter().filter(|one| one.code == "pattern").count();
        let listed = Schema::from_model(model).unwrap().unchecked().len();
        assert_eq!(warned, listed, "{pattern}: {}", compilation.render());
        told += warned;
    }
    assert!(told > 100 && told < patterns.len() - 100, "{told} of {}", patterns.len());
}

/// The model has no constraints for the components of the associated types (X.680 §34.5, §36.5, §44.5), so they are reported.
#[test]
fn constraints_on_the_components_of_associated_types_are_reported() {
    let schema = schema(
        "A ::= REAL (WITH COMPONENTS { ..., base (2, ..., 10) })
         B ::= EMBEDDED PDV (WITH COMPONENTS { ..., data-value (SIZE (1)) })
         C ::= SEQUENCE { r REAL (WITH COMPONENTS { mantissa (0..9), base (2), exponent (0) }), p REAL (0<..1.5) }",
    );
    let found: Vec<_> = schema.unchecked().iter().map(|one| (one.what, one.text.as_str())).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found.iter().all(|(what, text)| *what == What::Components && text.contains("WITH COMPONENTS")),
        "{found:?}"
    );
}

/// X.680 §21.5: a REAL has a mantissa, a base and an exponent.
#[test]
fn components_of_a_real() {
    let schema = schema(
        "B ::= REAL (WITH COMPONENTS {..., base (2)})
         M ::= REAL (WITH COMPONENTS {mantissa (-15..16), base (2), exponent (-2..3)})
         D ::= REAL (WITH COMPONENTS {mantissa (10..MAX), base (10), exponent (-1)})
         N ::= REAL (ALL EXCEPT (WITH COMPONENTS {..., base (10)}))",
    );
    let cases: [(&str, &[&str], &[&str]); 4] = [
        ("B", &["1.5", "0.0", "\"-0\"", "\"INF\"", "\"NaN\""], &[r#"{"base10Value":1}"#]),
        // 128 is 16 × 2^3; 0.25 is 1 × 2^-2.
        ("M", &["128.0", "0.25", "-60.0", "5.0"], &["256.0", "0.125", "17.0", "-128.0", r#"{"base10Value":5}"#]),
        ("D", &["1", "15E-1", "1E9"], &["9E-1", "15E-2"]),
        ("N", &["1.5"], &[r#"{"base10Value":1}"#]),
    ];
    for (name, good, bad) in cases {
        let ty = schema.ty(name).unwrap();
        let encode = |json: &str| {
            let value = tagwise_jer::from_str(&ty, json).map_err(|error| error.to_string())?;
            ty.encode(&value).map_err(|error| error.to_string())
        };
        for json in good {
            let der = encode(json).unwrap_or_else(|error| panic!("{name} {json}: {error}"));
            assert!(ty.decode(&der).is_ok(), "{name} {json}");
        }
        for json in bad {
            assert!(encode(json).is_err(), "{name} {json}");
        }
    }
}

/// Contents under PER, OER and XER remain bytes. The list says so.
#[test]
fn contents_under_other_rules_are_reported() {
    let schema = schema(
        "P ::= OCTET STRING (CONTAINING INTEGER (0..7) ENCODED BY {2 1 3 0 1})
         O ::= SEQUENCE { a BIT STRING (ENCODED BY {2 1 6 0}) }
         B ::= OCTET STRING (CONTAINING INTEGER (0..7) ENCODED BY {2 1 1})
         C ::= OCTET STRING (CONTAINING INTEGER (0..7) ENCODED BY {2 1 2 0})
         D ::= OCTET STRING (CONTAINING INTEGER (0..7) ENCODED BY {2 1 2 1})",
    );
    for (name, count) in [("P", 1), ("O", 1), ("B", 0), ("C", 0), ("D", 0)] {
        assert_eq!(schema.unchecked_in(name).unwrap().len(), count, "{name}");
    }
    let text = schema.unchecked_in("P").unwrap()[0].to_string();
    let start = "contents under encoding rules other than BER, CER and DER: ";
    assert!(text.starts_with(start) && text.contains("ENCODED BY {2 1 3 0 1}"), "{text}");
}
