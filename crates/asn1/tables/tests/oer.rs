//! The Octet Encoding Rules, clause by clause.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::text::hex::{Hex, decode_pairs};
use tagwise_codec::{Budget, Options};
use tagwise_oer::{Error, Kind, Rule, Tolerance};
use tagwise_tables::{Schema, Source};

const INTEGER_FORM: &str =
    "the INTEGER or number of elements is not canonical, expected the shortest form, at byte 0 (X.696 §10.3)";
const LENGTH_FORM: &str = "the length is not canonical, expected the shortest form, at byte 0 (X.696 §8.6.5)";

fn schema(assignments: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

fn encode(schema: &Schema, canonical: bool, json: &str) -> Result<String, Error> {
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), json).unwrap_or_else(|error| panic!("{error}"));
    Ok(format!("{:X}", Hex(&schema.oer("T").unwrap().canonical(canonical).encode(&value)?)))
}

fn decode(schema: &Schema, canonical: bool, octets: &str) -> Result<String, Error> {
    let octets = decode_pairs(octets).unwrap();
    let value = schema.oer("T").unwrap().canonical(canonical).decode(&octets)?.value;
    Ok(tagwise_jer::to_string(schema.ty("T").unwrap().types(), &value))
}

/// Checks both directions of a value, in both variants.
#[track_caller]
fn check(assignments: &str, json: &str, octets: &str) {
    let schema = schema(assignments);
    for canonical in [false, true] {
        assert_eq!(encode(&schema, canonical, json).as_deref(), Ok(octets), "{assignments} {json}");
        assert_eq!(decode(&schema, canonical, octets).as_deref(), Ok(json), "{assignments} {octets}");
    }
}

/// Checks that BASIC-OER accepts a form that CANONICAL-OER refuses.
#[track_caller]
fn basic(assignments: &str, octets: &str, json: &str, error: &str) {
    let schema = schema(assignments);
    assert_eq!(decode(&schema, false, octets).as_deref(), Ok(json), "{assignments} {octets}");
    assert_eq!(decode(&schema, true, octets).unwrap_err().to_string(), error, "{assignments} {octets}");
}

#[test]
fn booleans_and_null() {
    check("T ::= BOOLEAN", "true", "FF");
    check("T ::= BOOLEAN", "false", "00");
    check("T ::= NULL", "null", "");
    basic("T ::= BOOLEAN", "01", "true", "the BOOLEAN is not canonical, expected 00 or FF, at byte 0 (X.696 §9)");
}

#[test]
fn integers() {
    check("T ::= INTEGER (0..255)", "255", "FF");
    check("T ::= INTEGER (1..256)", "256", "0100");
    check("T ::= INTEGER (0..65536)", "1", "00000001");
    check("T ::= INTEGER (0..18446744073709551615)", "18446744073709551615", "FFFFFFFFFFFFFFFF");
    check("T ::= INTEGER (0..18446744073709551616)", "255", "01FF");
    check("T ::= INTEGER (0..MAX)", "65535", "02FFFF");
    check("T ::= INTEGER (-128..127)", "-128", "80");
    check("T ::= INTEGER (-1..128)", "-1", "FFFF");
    check("T ::= INTEGER (-1..32768)", "1", "00000001");
    check("T ::= INTEGER (-9223372036854775808..0)", "-2", "FFFFFFFFFFFFFFFE");
    check("T ::= INTEGER (-1..MAX)", "128", "020080");
    check("T ::= INTEGER (MIN..5)", "-129", "02FF7F");
    // A constraint with an extension marker is not visible.
    check("T ::= INTEGER (0..255, ...)", "255", "0200FF");
    basic("T ::= INTEGER", "020005", "5", INTEGER_FORM);
    basic("T ::= INTEGER (0..MAX)", "020005", "5", INTEGER_FORM);
    basic("T ::= INTEGER", "820001FF", "-1", LENGTH_FORM);
}

#[test]
fn enumerations() {
    let ty = "T ::= ENUMERATED { a (0), b (127), c (128), d (-1), e (4000), ... }";
    check(ty, r#""b""#, "7F");
    check(ty, r#""c""#, "820080");
    check(ty, r#""d""#, "81FF");
    check(ty, r#""e""#, "820FA0");
    check(ty, "5", "05");
    basic(ty, "8100", r#""a""#, "the ENUMERATED is not canonical, expected the shortest form, at byte 0 (X.696 §11.4)");
}

#[test]
fn strings() {
    check("T ::= OCTET STRING", r#""ABCD""#, "02ABCD");
    check("T ::= OCTET STRING (SIZE (2))", r#""ABCD""#, "ABCD");
    check("T ::= OCTET STRING (SIZE (2, ...))", r#""ABCD""#, "02ABCD");
    check("T ::= OCTET STRING", &format!("\"{}\"", "5A".repeat(200)), &format!("81C8{}", "5A".repeat(200)));
    check("T ::= BIT STRING", r#"{"value":"A0","length":3}"#, "0205A0");
    check("T ::= BIT STRING (SIZE (12))", r#""ABC0""#, "ABC0");
    check("T ::= IA5String (SIZE (3))", r#""abc""#, "616263");
    check("T ::= IA5String (SIZE (1..3))", r#""abc""#, "03616263");
    check("T ::= UTF8String (SIZE (3))", r#""abc""#, "03616263");
    check("T ::= BMPString (SIZE (1))", r#""a""#, "0061");
    check("T ::= OBJECT IDENTIFIER", r#""1.2.840""#, "032A8648");
    check("T ::= OCTET STRING (CONTAINING INTEGER (0..255))", r#"{"containing":5}"#, "0105");
    // SIZE counts the string's own bytes under these rules, which are 6 in DER.
    check(
        "T ::= OCTET STRING (SIZE (4)) (CONTAINING INTEGER (0..4294967295))",
        r#"{"containing":4294967295}"#,
        "FFFFFFFF",
    );
    check("T ::= BIT STRING (SIZE (32)) (CONTAINING INTEGER (0..4294967295))", r#"{"containing":5}"#, "00000005");
    let bits = schema("T ::= BIT STRING (SIZE (12))");
    assert_eq!(
        decode(&bits, false, "ABC1").unwrap_err().to_string(),
        "the unused bits are not zero, at byte 0 (X.696 §13)"
    );
}

#[test]
fn sizes_of_strings_that_contain_values() {
    let refused = |ty: &str, json: &str, error: &str| {
        assert_eq!(encode(&schema(ty), true, json).unwrap_err().to_string(), error, "{ty}");
    };
    refused(
        "T ::= SEQUENCE { f BIT STRING (SIZE (24)) (CONTAINING INTEGER (0..18446744073709551615)) }",
        r#"{"f":{"containing":5}}"#,
        "f: the size is 64; allowed 24 (X.680 §51.5)",
    );
    refused(
        "T ::= SEQUENCE { f OCTET STRING (SIZE (3)) (CONTAINING INTEGER), g INTEGER (0..255) }",
        r#"{"f":{"containing":5},"g":7}"#,
        "f: the size is 2; allowed 3 (X.680 §51.5)",
    );
    refused(
        "T ::= OCTET STRING (CONTAINING INTEGER) (SIZE (0 | 4))",
        r#"{"containing":5}"#,
        "the size is 2; allowed 0 or 4 (X.680 §51.5)",
    );
    let short = schema("T ::= OCTET STRING (SIZE (3..4)) (CONTAINING INTEGER)");
    assert_eq!(
        decode(&short, true, "020105").unwrap_err().to_string(),
        "the size is 2; allowed 3..4, at byte 0 (X.680 §51.5)"
    );
    // The length of the contained INTEGER is longer than it must be.
    assert_eq!(decode(&short, false, "03810105").as_deref(), Ok(r#"{"containing":5}"#));
    let odd = schema("T ::= BIT STRING (SIZE (12)) (CONTAINING INTEGER)");
    assert_eq!(decode(&odd, false, "0100").unwrap_err().to_string(), "the contents are not whole bytes, at byte 0");
}

#[test]
fn sequences() {
    let ty = "T ::= SEQUENCE { a BOOLEAN, b INTEGER (0..255) OPTIONAL, c BOOLEAN DEFAULT TRUE }";
    check(ty, r#"{"a":true}"#, "00FF");
    check(ty, r#"{"a":true,"b":5,"c":false}"#, "C0FF0500");
    basic(ty, "40FFFF", r#"{"a":true}"#, "c: a component with its DEFAULT value is present, at byte 2 (X.696 §16.2.3)");
    check("T ::= SEQUENCE { a BOOLEAN }", r#"{"a":true}"#, "FF");
    check("T ::= SET { b [1] BOOLEAN, a [0] INTEGER (0..255) }", r#"{"b":true,"a":5}"#, "05FF");
    check("T ::= SEQUENCE OF INTEGER (0..255)", "[1,2,3]", "0103010203");
    let of = schema("T ::= SET OF INTEGER (0..255)");
    assert_eq!(encode(&of, false, "[3,1]").as_deref(), Ok("01020301"));
    assert_eq!(encode(&of, true, "[3,1]").as_deref(), Ok("01020103"));
    basic(
        "T ::= SET OF INTEGER (0..255)",
        "01020301",
        "[3,1]",
        "[1]: the elements of a SET OF are not in order, at byte 3 (X.696 §19)",
    );
    // The position is that of the component, not of its last part.
    basic(
        "T ::= SEQUENCE { a SEQUENCE { b BOOLEAN, c BOOLEAN } DEFAULT { b TRUE, c TRUE } }",
        "80FFFF",
        "{}",
        "a: a component with its DEFAULT value is present, at byte 1 (X.696 §16.2.3)",
    );
}

#[test]
fn extension_additions() {
    let new = "T ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..255) OPTIONAL, [[ c BOOLEAN OPTIONAL, d NULL ]] }";
    check(new, r#"{"a":true}"#, "00FF");
    check(new, r#"{"a":true,"b":5}"#, "80FF0206800105");
    check(new, r#"{"a":true,"b":5,"c":true,"d":null}"#, "80FF0206C001050280FF");
    let old = schema("T ::= SEQUENCE { a BOOLEAN, ... }");
    let json = r#"{"a":true,"$additions":[{"$count-oer":2},{"$oer":"05","$number":0}]}"#;
    assert_eq!(decode(&old, true, "80FF0206800105").as_deref(), Ok(json));
    assert_eq!(encode(&old, true, json).as_deref(), Ok("80FF0206800105"));
    let twice = r#"{"a":true,"$additions":[{"$oer":"05","$number":0},{"$oer":"06","$number":0}]}"#;
    let error = encode(&old, true, twice).unwrap_err();
    assert_eq!(error.to_string(), "the numbers of unknown additions must ascend, without duplicates");
    let error = decode(&old, false, "80FF020600").unwrap_err();
    assert_eq!(error.to_string(), "no extension addition is present after the extension bit, at byte 2 (X.696 §16.4)");
}

/// X.696 §16.4: a group without components is a missing addition.
#[test]
fn extension_addition_groups_without_components() {
    let ty = "T ::= SEQUENCE { a BOOLEAN, ..., [[ d INTEGER DEFAULT 3, e BOOLEAN DEFAULT TRUE ]] }";
    check(ty, r#"{"a":true}"#, "00FF");
    let empty = "an extension addition group without components is present, at byte 6 (X.696 §16.4)";
    for canonical in [false, true] {
        let error = decode(&schema(ty), canonical, "80FF0207800100").unwrap_err();
        assert_eq!(error.to_string(), empty);
    }
    // The same value with a component.
    let default = "d: a component with its DEFAULT value is present, at byte 7 (X.696 §16.2.3)";
    basic(ty, "80FF02078003800103", r#"{"a":true}"#, default);
}

#[test]
fn choices() {
    check("T ::= CHOICE { a [0] BOOLEAN, b [100] NULL, c CHOICE { d [APPLICATION 5] NULL } }", r#"{"b":null}"#, "BF64");
    check("T ::= CHOICE { a [0] BOOLEAN, c CHOICE { d [APPLICATION 5] NULL } }", r#"{"c":{"d":null}}"#, "45");
    check("T ::= CHOICE { a BOOLEAN, ..., c INTEGER (0..255) }", r#"{"c":5}"#, "810105");
    let old = schema("T ::= CHOICE { a BOOLEAN, ... }");
    let json = r#"{"$oer":"05","$number":2147483649}"#;
    assert_eq!(decode(&old, true, "810105").as_deref(), Ok(json));
    assert_eq!(encode(&old, true, json).as_deref(), Ok("810105"));
    let closed = schema("T ::= CHOICE { a BOOLEAN }");
    let error = decode(&closed, false, "810105").unwrap_err();
    assert_eq!(error.to_string(), "the CHOICE has no alternative with this tag, at byte 0 (X.696 §20)");
}

#[test]
fn open_types() {
    let ty = "C ::= CLASS { &id INTEGER (0..255) UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
        Set C ::= { { BOOLEAN ID 1 } | { NULL ID 2 }, ... }
        T ::= SEQUENCE { id C.&id ({Set}), value C.&Type ({Set}{@id}) }";
    check(ty, r#"{"id":1,"value":true}"#, "0101FF");
    check(ty, r#"{"id":2,"value":null}"#, "0200");
    check(ty, r#"{"id":3,"value":{"$oer":"0102"}}"#, "03020102");
}

/// Each rule can be tolerated on its own: the type, whether only CANONICAL-OER has the rule, the input, its value, and where the
/// violation is.
#[test]
fn rules_are_tolerated_by_name() {
    let (group, list) = ("T ::= SEQUENCE { ..., [[ a INTEGER OPTIONAL ]] }", "T ::= SET OF INTEGER (0..9)");
    let real = "T ::= REAL (WITH COMPONENTS {mantissa (0..1), base (2), exponent (0)})";
    let cases = [
        ("oer-trailing-data", "T ::= BOOLEAN", false, "FFAA", "true", 1),
        ("oer-preamble-zero", "T ::= SEQUENCE { a NULL OPTIONAL }", false, "C0", r#"{"a":null}"#, 0),
        ("oer-unused-bits", "T ::= BIT STRING", false, "0205A1", r#"{"value":"A0","length":3}"#, 0),
        ("oer-unused-bits", "T ::= BIT STRING (SIZE (3))", false, "A1", r#""A0""#, 0),
        ("oer-unused-bits", "T ::= SEQUENCE { ..., a NULL }", false, "8002078100", r#"{"a":null}"#, 1),
        ("oer-additions-present", "T ::= SEQUENCE { ..., a NULL }", false, "80020700", "{}", 1),
        ("oer-group-present", group, false, "800207800100", "{}", 5),
        ("oer-boolean", "T ::= BOOLEAN", true, "01", "true", 0),
        ("oer-shortest-length", "T ::= OCTET STRING", true, "8101AA", r#""AA""#, 0),
        ("oer-shortest-integer", "T ::= INTEGER", true, "020005", "5", 0),
        ("oer-shortest-integer", list, true, "02000105", "[5]", 0),
        ("oer-shortest-enumerated", "T ::= ENUMERATED { a }", true, "8100", r#""a""#, 0),
        ("oer-not-a-number", real, true, "FFC00001", r#""NaN""#, 0),
        ("oer-named-bits", "T ::= BIT STRING { a(0) }", true, "020080", r#"{"value":"80","length":1}"#, 0),
        ("oer-default-absent", "T ::= SEQUENCE { a BOOLEAN DEFAULT TRUE }", true, "80FF", "{}", 1),
        ("oer-set-of-order", list, true, "01020301", "[3,1]", 3),
    ];
    for (name, assignments, canonical, octets, json, byte) in cases {
        let (schema, input) = (schema(assignments), decode_pairs(octets).unwrap());
        let rule = Rule::named(name).unwrap();
        let some = Tolerance::NONE.allow(rule);
        for variant in [false, true] {
            let ty = schema.oer("T").unwrap().canonical(variant);
            let refused = ty.decode(&input).map(|read| read.deviations);
            match refused {
                Ok(deviations) => assert!(canonical && !variant && deviations.is_empty(), "{name} {variant}"),
                Err(error) => {
                    assert_eq!((&error.kind, error.bit), (&Kind::Rule(rule), Some(byte * 8)), "{name} {error}");
                    let read = ty.tolerating(some).decode(&input).unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(read.deviations, [(rule, byte * 8)], "{name}");
                    assert_eq!(tagwise_jer::to_string(schema.ty("T").unwrap().types(), &read.value), json, "{name}");
                }
            }
        }
    }
    let named = |rule: &&Rule| rule.name().starts_with("oer-");
    let tried = |rule: &Rule| cases.iter().any(|(name, ..)| *name == rule.name());
    assert!(Rule::ALL.iter().filter(named).all(tried));
}

#[test]
fn malformed_input() {
    let list = schema("T ::= SEQUENCE OF NULL");
    assert_eq!(decode(&list, false, "047FFFFFFF").unwrap_err().kind, tagwise_oer::Kind::Elements);
    // As many as other encoding rules accept, which have two bytes for each.
    let many = decode(&list, false, "03030D40").unwrap();
    assert_eq!(many.matches("null").count(), 200_000);
    assert_eq!(decode(&list, false, "0480000000").unwrap_err().kind, tagwise_oer::Kind::Elements);
    assert_eq!(decode(&list, false, "0900FFFFFFFFFFFFFFFF").unwrap_err().kind, tagwise_oer::Kind::Elements);
    let octets = schema("T ::= SEQUENCE { a OCTET STRING }");
    assert_eq!(decode(&octets, false, "0501").unwrap_err().to_string(), "a: the input ends within a value, at byte 0");
    assert_eq!(
        decode(&octets, false, "0105AA").unwrap_err().to_string(),
        "data follows the value, at byte 2 (X.696 §8.5)"
    );
    assert_eq!(
        decode(&octets, false, "80").unwrap_err().to_string(),
        "a: invalid length determinant, at byte 0 (X.696 §8.6)"
    );
    let limited = schema("T ::= SEQUENCE { a INTEGER (0..255 EXCEPT 7) }");
    assert_eq!(decode(&limited, false, "07").unwrap_err().path, "a");
}

/// X.696 §12: IEEE 754 numbers, if the constraints allow no others.
#[test]
fn constrained_reals() {
    let components = |mantissa: &str, base: &str, exponent: &str| {
        format!("T ::= REAL (WITH COMPONENTS {{ mantissa ({mantissa}), base ({base}), exponent ({exponent}) }})")
    };
    let short = components("-16777215..16777215", "2", "-149..104");
    let long = components("-9007199254740991..9007199254740991", "2", "-1074..971");
    for (json, four, eight) in [
        ("1.0", "3F800000", "3FF0000000000000"),
        ("-2.5", "C0200000", "C004000000000000"),
        ("0.0", "00000000", "0000000000000000"),
        ("\"-0\"", "80000000", "8000000000000000"),
        ("\"INF\"", "7F800000", "7FF0000000000000"),
        ("\"-INF\"", "FF800000", "FFF0000000000000"),
        ("\"NaN\"", "7FC00000", "7FF8000000000000"),
        ("0.15625", "3E200000", "3FC4000000000000"),
    ] {
        check(&short, json, four);
        check(&long, json, eight);
    }
    // The least and the greatest numbers.
    check(&short, "1.401298464324817e-45", "00000001");
    check(&short, "3.4028234663852886e+38", "7F7FFFFF");
    check(&long, "5e-324", "0000000000000001");
    check(&long, "1.7976931348623157e+308", "7FEFFFFFFFFFFFFF");
    check(&long, "0.1", "3FB999999999999A");
    for (ty, json) in [(&short, "0.1"), (&long, r#"{"base10Value":1E-1}"#)] {
        let schema = schema(ty);
        let error = tagwise_jer::from_str(&schema.ty("T").unwrap(), json).unwrap_err();
        assert_eq!(error.message, "the value violates its constraint");
    }
    basic(&short, "FFC00001", "\"NaN\"", "the NOT-A-NUMBER is not canonical, at byte 0 (X.696 §12)");
    assert_eq!(
        decode(&schema(&short), false, "3F8000").unwrap_err().to_string(),
        "the input ends within a value, at byte 0"
    );
    // Narrower constraints have the same form. Wider, partial and extensible ones have content bytes.
    check(&components("-100..100", "2", "0..3"), "1.0", "3F800000");
    for other in [
        components("-16777216..16777215", "2", "-1075..104"),
        components("-16777215..16777215", "2 | 10", "-149..104"),
        "T ::= REAL (WITH COMPONENTS { ..., base (2) })".to_owned(),
        components("-16777215..16777215", "2", "-149..104").replace("})", "}, ...)"),
    ] {
        check(&other, "1.0", "03800001");
    }
}

#[test]
fn values_are_limited() {
    let few = Options::der().budget(Budget { values: 5, ..Budget::DEFAULT });
    let error = |schema: &Schema, octets: &[u8]| {
        let ty = schema.oer("T").unwrap().options(few);
        ty.decode(octets).map(|_| ()).map_err(|error| error.to_string())
    };
    let list = schema("T ::= SEQUENCE OF BOOLEAN");
    assert_eq!(error(&list, &[1, 5, 0, 0, 0, 0, 0]), Ok(()));
    let message = "[5]: the number of elements exceeds the budget, at byte 7";
    assert_eq!(error(&list, &[1, 6, 0, 0, 0, 0, 0, 0]), Err(message.to_owned()));
    // Absent components take memory, too.
    let absent = schema("T ::= SEQUENCE OF SEQUENCE { a NULL OPTIONAL, b NULL OPTIONAL }");
    assert_eq!(error(&absent, &[1, 1, 0]), Ok(()));
    assert_eq!(error(&absent, &[1, 2, 0, 0]).unwrap_err(), "[1]: the number of elements exceeds the budget, at byte 3");
    let der = |octets: &[u8]| {
        let ty = list.ty("T").unwrap().options(few);
        ty.decode(octets).map(|_| ()).map_err(|error| (error.code(), error.offset()))
    };
    assert_eq!(der(&[0x30, 10, 5, 0, 5, 0, 5, 0, 5, 0, 5, 0]).unwrap_err().0, "unexpected-tag");
    let five = [[0x30, 15].as_slice(), &[1, 1, 0].repeat(5)].concat();
    assert_eq!(der(&five), Ok(()));
    let six = [[0x30, 18].as_slice(), &[1, 1, 0].repeat(6)].concat();
    assert_eq!(der(&six), Err(("elements-exceeded", 17)));
    let json = |text: &str| tagwise_jer::from_str(&list.ty("T").unwrap().options(few), text).map(|_| ());
    assert!(json("[true,true,true,true,true]").is_ok());
    assert!(json("[true,true,true,true,true,true]").is_err());
    let xml = |count: usize| {
        let ty = list.xer("T").unwrap().options(Options::der().budget(Budget { values: 10, ..Budget::DEFAULT }));
        ty.decode(format!("<T>{}</T>", "<true/>".repeat(count)).as_bytes()).map(|_| ())
    };
    // Half of the values are for the XML.
    assert!(xml(4).is_ok());
    assert!(xml(6).is_err());
}

#[test]
fn times_keep_their_form_in_basic_oer() {
    let ty = schema("T ::= UTCTime");
    let offset = r#""2601011200+0100""#;
    assert_eq!(encode(&ty, false, offset).as_deref(), Ok("0F323630313031313230302B30313030"));
    assert_eq!(encode(&ty, true, offset).as_deref(), Ok("0D3236303130313131303030305A"));
    let wrong = tagwise_jer::from_str(&ty.ty("T").unwrap(), r#""2613011200Z""#).map(|_| ());
    assert!(wrong.is_err());
}

#[test]
fn named_bits_fill_the_smallest_size_that_fits() {
    let gap = "T ::= BIT STRING { a(0), c(2) } (SIZE (0 | 4))";
    check(gap, r#"{"value":"80","length":4}"#, "020480");
    check(gap, r#"{"value":"","length":0}"#, "0100");
    let error = decode(&schema(gap), true, "020780").unwrap_err().to_string();
    assert!(error.ends_with("(X.696 §13.3)"), "{error}");
}

#[test]
fn the_number_of_additions_covers_those_present() {
    let ty = schema("T ::= SEQUENCE { a BOOLEAN, ... }");
    let json =
        |count: u32| format!(r#"{{"a":true,"$additions":[{{"$count-oer":{count}}},{{"$oer":"FF","$number":1}}]}}"#);
    assert_eq!(encode(&ty, false, &json(2)).as_deref(), Ok("80FF02064001FF"));
    assert_eq!(
        encode(&ty, false, &json(1)).unwrap_err().to_string(),
        "an extension addition is present beyond the number of additions"
    );
    assert_eq!(encode(&ty, false, &json(20000)).unwrap_err().to_string(), "the number of additions exceeds 16383");
}

#[test]
fn contained_values_in_json_are_not_bytes() {
    let ty = schema("T ::= OCTET STRING (CONTAINING BOOLEAN)");
    let error = tagwise_jer::from_str(&ty.ty("T").unwrap(), r#""FF""#).unwrap_err().to_string();
    assert_eq!(error, r#"$: expected {"containing": …} with the contained value, found `"FF"`"#);
}
