//! One type for all encoding rules without tags: PER, OER and XER.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod packed;

use packed::schema;
use tagwise_codec::value::Print;
use tagwise_tables::Schema;
use tagwise_tables::untagged::{Rule, Rules, Tolerance, Untagged};

fn ty<'s>(schema: &'s Schema, rules: &str) -> Untagged<'s> {
    schema.untagged("T", Rules::named(rules).unwrap()).unwrap()
}

#[test]
fn every_rule_has_its_name_and_clause() {
    let names: Vec<&str> = Rule::all().map(Rule::name).collect();
    assert!(names.iter().all(|name| ["per-", "oer-", "xer-"].iter().any(|start| name.starts_with(start))));
    assert!(Rule::all().all(|rule| rule.clause().starts_with("X.6") && rule.summary().ends_with('.')));
    let (all, rest) = Tolerance::take("all, ber");
    assert!(Rule::all().all(|rule| all.allows(rule)));
    assert_eq!((all, rest.as_str()), (Tolerance::ALL, "all,ber"));
    let (some, _) = Tolerance::take("xer-prolog,per-named-bits");
    assert_eq!(Rule::all().filter(|rule| some.allows(*rule)).count(), 2);
}

#[test]
fn all_rules_convert_into_each_other() {
    let schema =
        schema("T ::= SEQUENCE { n INTEGER (0..255), c CHOICE { s UTF8String, b BOOLEAN }, l SEQUENCE OF NULL }");
    let dynamic = schema.ty("T").unwrap();
    let json = r#"{"n":7,"c":{"s":"ä"},"l":[null,null]}"#;
    let value = tagwise_jer::from_str(&dynamic, json).unwrap();
    for rules in Rules::ALL {
        let ty = schema.untagged("T", rules).unwrap();
        let read = ty.decode(&ty.encode(&value).unwrap()).unwrap();
        assert_eq!(tagwise_jer::to_string(dynamic.types(), &read.value), json, "{}", rules.name());
        assert_eq!(rules.is_text(), rules.name().ends_with("xer"));
    }
}

#[test]
fn errors_have_a_code_a_clause_and_an_offset() {
    let schema = schema("T ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN }");
    let error = ty(&schema, "xer").decode(b"<T><a>8</a><b><true/></b></T>").unwrap_err();
    assert_eq!(
        (error.path(), error.code(), error.clause(), error.bit()),
        ("a", "value", Some("X.680 §51.4"), Some(24))
    );
    let error = ty(&schema, "cxer").decode(b"<T> <a>7</a><b><true/></b></T>").unwrap_err();
    assert_eq!((error.rule(), error.bit()), (Rule::named("xer-white-space"), Some(24)));
    assert_eq!(error.to_string(), "there is white-space outside of character strings, at byte 3 (X.693 §9.1.2)");
    let error = ty(&schema, "uper").decode(&[0b1111_0001]).unwrap_err();
    assert_eq!((error.rule(), error.clause()), (Rule::named("per-padding-zero"), Some("X.691 §11.1")));
}

#[test]
fn tolerated_violations_are_listed() {
    let schema = schema("T ::= SEQUENCE { a INTEGER (0..7), ... }");
    let allow = |name: &str| Tolerance::NONE.allow(Rule::named(name).unwrap());
    let xml = ty(&schema, "cxer").tolerating(allow("xer-white-space"));
    let read = xml.decode(b"<T><a>7</a><z/> </T>").unwrap();
    assert_eq!(read.deviations, [(Rule::named("xer-white-space").unwrap(), 120)]);
    assert_eq!(read.notes(), ["xer-white-space tolerated at byte 15"]);
    let packed = ty(&schema, "uper").tolerating(allow("per-padding-zero"));
    assert_eq!(packed.decode(&[0b0111_0001]).unwrap().notes(), ["per-padding-zero tolerated at bit 4"]);
}

#[test]
fn components_have_positions_in_all_rules() {
    let schema = schema("T ::= SEQUENCE { a BOOLEAN, l SEQUENCE OF INTEGER (0..255) }");
    let places = |rules: &str, octets: &[u8]| -> Vec<(String, u64, u64)> {
        let read = ty(&schema, rules).positions(true).decode(octets).unwrap();
        read.positions.into_iter().map(|one| (one.path, one.start, one.end)).collect()
    };
    let place = |path: &str, start, end| (path.to_owned(), start, end);
    assert_eq!(
        places("oer", &[0xFF, 1, 1, 5]),
        [place("", 0, 32), place("a", 0, 8), place("l", 8, 32), place("l[0]", 24, 32)]
    );
    let xml = b"<T><a><true/></a><l><INTEGER>5</INTEGER></l></T>";
    assert_eq!(
        places("xer", xml),
        [place("", 0, 384), place("a", 24, 136), place("l", 136, 352), place("l[0]", 160, 320)]
    );
    let xer = ty(&schema, "xer");
    assert_eq!([0, 25, 16 * 8, 29 * 8, 43 * 8].map(|bit| xer.path_at(xml, bit)), ["", "a", "a", "l[0]", "l"]);
    // As far as it can be read.
    assert_eq!(xer.path_at(b"<T><a><true/></a><l><INTEGER>x</INTEGER></l></T>", 29 * 8), "l[0]");
}

/// X.691 §11.1.3 and the padding of the ALIGNED variant.
#[test]
fn padding_has_positions_of_its_own() {
    let (schema, null) =
        (schema("T ::= SEQUENCE { a BOOLEAN, b OCTET STRING, c BOOLEAN, d INTEGER (0..65535) }"), schema("T ::= NULL"));
    let read = ty(&schema, "aper").positions(true).decode(&[0x80, 2, 1, 2, 0x80, 1, 0]).unwrap();
    let padding = |list: &[tagwise_per::Position]| -> Vec<(String, u64, u64)> {
        list.iter().filter(|one| one.is_padding).map(|one| (one.path.clone(), one.start, one.end)).collect()
    };
    assert_eq!(padding(&read.positions), [("b".to_owned(), 1, 8), ("d".to_owned(), 33, 40)]);
    let read = ty(&schema, "uper").positions(true).decode(&[0x80, 0, 0, 0]);
    assert_eq!(padding(&read.unwrap().positions), [(String::new(), 26, 32)]);
    let empty = ty(&null, "uper").positions(true).decode(&[0]).unwrap().positions;
    assert_eq!(padding(&empty), [(String::new(), 0, 8)]);
}

/// X.691 §14.3: the place of an unknown item among the additions is preserved.
#[test]
fn unknown_items_are_encoded_again() {
    let (old, new) = (schema("T ::= ENUMERATED { a, ..., b }"), schema("T ::= ENUMERATED { a, ..., b, c, d }"));
    let many: Vec<String> = (0..70).map(|number| format!("e{number}")).collect();
    let many = schema(&format!("T ::= ENUMERATED {{ a, ..., {} }}", many.join(", ")));
    let print = |schema: &Schema, rules: &str, octets: &[u8]| {
        let types = schema.ty("T").unwrap().types();
        Print::new(types).line(&ty(schema, rules).decode(octets).unwrap().value).unwrap()
    };
    for rules in ["uper", "aper", "cuper", "caper"] {
        for (schema, json) in [(&new, "\"c\""), (&new, "\"d\""), (&many, "\"e69\"")] {
            let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), json).unwrap();
            let octets = ty(schema, rules).encode(&value).unwrap();
            let read = ty(&old, rules).decode(&octets).unwrap();
            assert_eq!(ty(&old, rules).encode(&read.value), Ok(octets.clone()));
            // Through JSON, too.
            let dynamic = old.ty("T").unwrap();
            let json = tagwise_jer::to_string(dynamic.types(), &read.value);
            let again = tagwise_jer::from_str(&dynamic, &json).unwrap();
            assert_eq!(ty(&old, rules).encode(&again), Ok(octets));
            // Nobody knows its number.
            assert!(dynamic.encode(&read.value).is_err());
            assert!(ty(&old, "oer").encode(&read.value).is_err());
            assert!(ty(&old, "xer").encode(&read.value).is_err());
        }
    }
    assert_eq!(print(&old, "uper", &[0x81]), "(unknown item 1)");
    let dynamic = old.ty("T").unwrap();
    let read = ty(&old, "aper").decode(&[0x81]).unwrap();
    let json = tagwise_jer::to_string(dynamic.types(), &read.value);
    assert_eq!(json, r#"{"$aper":"","$number":1}"#);
    // A known item is never an unknown one, and a type without a marker has none.
    let known = tagwise_jer::from_str(&dynamic, r#"{"$uper":"","$number":0}"#).unwrap();
    assert!(ty(&old, "uper").encode(&known).is_err());
    let closed = schema("T ::= ENUMERATED { a, b }");
    assert!(tagwise_jer::from_str(&closed.ty("T").unwrap(), r#"{"$uper":"","$number":1}"#).is_err());
}

/// A constraint that excludes additional items excludes unknown ones.
#[test]
fn unknown_items_violate_closed_constraints() {
    let schema = schema("E ::= ENUMERATED { a, b, ... } T ::= SEQUENCE { e E (a | b) }");
    let error = ty(&schema, "uper").decode(&[0x80]).unwrap_err();
    assert_eq!((error.path(), error.code()), ("e", "value"));
}

/// OER has the number of an unknown item itself (X.696 §11).
#[test]
fn unknown_items_have_a_number_in_oer() {
    let schema = schema("T ::= ENUMERATED { a, ... }");
    let read = ty(&schema, "coer").decode(&[9]).unwrap();
    assert_eq!(schema.ty("T").unwrap().encode(&read.value), Ok(vec![10, 1, 9]));
}

#[test]
fn text_marks_parts_of_unknown_type() {
    let old = schema("T ::= SEQUENCE { c CHOICE { a NULL, ... }, ... } ");
    let text = |rules: &str, octets: &[u8]| {
        let mut text = String::new();
        let read = ty(&old, rules).decode(octets).unwrap();
        Print::new(old.ty("T").unwrap().types()).print(&read.value, &mut text).unwrap();
        text
    };
    // The extension bit, the alternative 2 with a byte; and an addition with a byte.
    assert_eq!(text("uper", &[0b0100_0001, 0b0000_0000, 0b1101_0101, 0]), "c: (unknown alternative 2) aa\n");
    assert_eq!(text("oer", &[0x80, 0x80, 2, 7, 0x80, 1, 0xAA]), "c: a: NULL\n...: (unknown addition 0) aa\n");
    assert_eq!(text("oer", &[0x00, 0x83, 1, 0xAA]), "c: (unknown alternative [3]) aa\n");
    let der = |octets: &[u8]| {
        let ty = old.ty("T").unwrap();
        let mut text = String::new();
        Print::new(ty.types()).print(&ty.decode(octets).unwrap().value, &mut text).unwrap();
        text
    };
    assert_eq!(der(&[0x30, 5, 0xA0, 3, 0x83, 1, 5]), "c: (unknown alternative) [3] 05\n");
}

/// Every encoding can be decoded: elements without bits have the same limit in both directions.
#[test]
fn encoding_has_the_budget_of_decoding() {
    let schema = schema("T ::= SEQUENCE OF NULL");
    let dynamic = schema.ty("T").unwrap();
    // As many as fit into 64 MiB.
    let limit = (64 << 20) / size_of::<tagwise_codec::value::Value<'static>>();
    let json = |count: usize| format!("[{}]", vec!["null"; count].join(","));
    let most = tagwise_jer::from_str(&dynamic, &json(limit)).unwrap();
    let more = tagwise_jer::from_str(&dynamic, &json(limit + 1)).unwrap();
    for rules in ["caper", "coer"] {
        let ty = ty(&schema, rules);
        let octets = ty.encode(&most).unwrap();
        assert_eq!(ty.encode(&ty.decode(&octets).unwrap().value), Ok(octets));
        let message = format!("[{limit}]: the number of elements exceeds the budget");
        assert_eq!(ty.encode(&more).unwrap_err().to_string(), message);
    }
}

/// 2^31 elements without bits need a few bytes, and are refused.
#[test]
fn billions_of_empty_elements_exceed_the_budget() {
    let schema = schema("N ::= SEQUENCE OF NULL S ::= SEQUENCE OF SEQUENCE {} I ::= SET OF INTEGER (5)");
    let fragments = [[0xC4; 1 << 15].as_slice(), &[0]].concat();
    for rules in ["uper", "aper", "cuper", "caper"] {
        for name in ["N", "S", "I"] {
            let ty = schema.untagged(name, Rules::named(rules).unwrap()).unwrap();
            let error = ty.decode(&fragments).unwrap_err();
            assert_eq!(error.message(), "the number of elements exceeds the budget", "{rules} {name}");
            // Each byte announces a fragment of 65,536 elements, of which 64 MiB hold about ten.
            assert!(error.bit().unwrap() <= 16 * 8, "{rules} {name}: {error}");
        }
    }
    for rules in ["oer", "coer"] {
        for name in ["N", "S"] {
            let ty = schema.untagged(name, Rules::named(rules).unwrap()).unwrap();
            let error = ty.decode(&[4, 0x80, 0, 0, 0]).unwrap_err();
            assert_eq!(error.message(), "the number of elements exceeds the budget", "{rules} {name}");
        }
    }
}
