//! PER-visible constraints (X.691 §10.3).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_schema::model::{Bounds, Visible};
use tagwise_schema::{Int, Source, compile};

/// Compiles assignments, the last of which is a type `T`, and returns what is visible of its constraints.
fn visible(assignments: &str) -> Visible {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND");
    let compilation = compile(vec![Source::new("m.asn1", &text)]);
    let Some(model) = compilation.model() else { panic!("{assignments}: {}", compilation.render()) };
    model.ty(model.type_named("M", "T").unwrap()).unwrap().visible.clone()
}

/// `least..greatest`, with `...` if extensible.
fn text(bounds: Option<&Bounds>) -> String {
    let Some(bounds) = bounds else { return "none".to_owned() };
    let end = |end: Option<&Int>, or: &str| end.map_or(or.to_owned(), Int::to_string);
    let marker = if bounds.extensible { ", ..." } else { "" };
    format!("{}..{}{marker}", end(bounds.min(), "MIN"), end(bounds.max(), "MAX"))
}

#[track_caller]
fn value(assignments: &str, expected: &str) {
    assert_eq!(text(visible(assignments).value.as_ref()), expected, "{assignments}");
}

#[track_caller]
fn string(assignments: &str, size: &str, alphabet: Option<&str>) {
    let visible = visible(assignments);
    assert_eq!(text(visible.size.as_ref()), size, "{assignments}");
    let characters = visible.alphabet.map(|ranges| {
        ranges.iter().flat_map(|range| (range.first..=range.last).filter_map(char::from_u32)).collect::<String>()
    });
    assert_eq!(characters.as_deref(), alphabet, "{assignments}");
}

#[test]
fn values() {
    value("T ::= INTEGER", "none");
    value("T ::= INTEGER (5)", "5..5");
    value("T ::= INTEGER (3 | 1 | 9)", "1..9");
    value("T ::= INTEGER (MIN..7)", "MIN..7");
    value("T ::= INTEGER (0<..<9)", "1..8");
    value("T ::= INTEGER (1..10 | 20..30) (5..25)", "5..25");
    value("A ::= INTEGER (1..10) T ::= A (MIN..5)", "1..5");
    value("A ::= INTEGER (1..10) T ::= INTEGER (A | 20)", "1..20");
    value("A ::= INTEGER (1..10) T ::= INTEGER (INCLUDES A ^ (5..20))", "5..10");
}

#[test]
fn exceptions_are_ignored() {
    value("T ::= INTEGER (0..10 EXCEPT 10)", "0..10");
    value("T ::= INTEGER (ALL EXCEPT 5)", "none");
    value("T ::= INTEGER ((0..10 EXCEPT (5..10)) | 20)", "0..20");
    string("T ::= OCTET STRING (SIZE (1..8 EXCEPT 8))", "1..8", None);
    string(r#"T ::= IA5String (FROM ("abc" EXCEPT "c"))"#, "none", Some("abc"));
}

#[test]
fn extension_markers() {
    value("T ::= INTEGER (0..10, ...)", "0..10, ...");
    value("T ::= INTEGER (0..10, ..., 20)", "0..10, ...");
    // X.680 §50.8: a constraint behind another one decides alone.
    value("T ::= INTEGER (0..10, ...) (2..5)", "2..5");
    value("A ::= INTEGER (0..10, ..., 20) T ::= A (5..10, ...)", "5..10, ...");
    value("A ::= INTEGER (0..10, ...) T ::= A", "0..10, ...");
    string("T ::= OCTET STRING (SIZE (1..4, ...))", "1..4, ...", None);
    string("T ::= OCTET STRING (SIZE (1..4), ...)", "1..4, ...", None);
    string("A ::= OCTET STRING (SIZE (1..4, ...)) T ::= A (SIZE (2))", "2..2", None);
}

#[test]
fn user_defined_constraints_change_nothing() {
    value("T ::= INTEGER (0..10, ...) (CONSTRAINED BY { -- even -- })", "0..10, ...");
    string("T ::= OCTET STRING (SIZE (1..4, ...)) (CONTAINING NULL)", "1..4, ...", None);
}

#[test]
fn intersections_keep_their_visible_parts() {
    string(r#"T ::= IA5String (SIZE (1..4) ^ FROM ("ab"))"#, "1..4", Some("ab"));
    string(r#"T ::= IA5String (SIZE (1..4) ^ PATTERN "a*")"#, "1..4", None);
    string(r#"T ::= IA5String (SIZE (1..4)) (FROM ("ab"))"#, "1..4", Some("ab"));
    string(r#"T ::= IA5String (FROM ("abc")) (FROM ("bcd"))"#, "none", Some("bc"));
    // §10.3.12: an alphabet with extensions is not visible.
    string(r#"T ::= IA5String (SIZE (1..4) ^ FROM ("ab"), ...)"#, "1..4, ...", None);
    string(r#"T ::= IA5String (FROM ("ab", ...))"#, "none", None);
    string(r#"T ::= VisibleString (FROM ("0".."9") ^ SIZE (8, ..., 9..20))"#, "8..8, ...", Some("0123456789"));
}

#[test]
fn unions_with_invisible_parts_are_invisible() {
    string(r#"T ::= IA5String (SIZE (1..4) | PATTERN "a*")"#, "none", None);
    string(r#"T ::= IA5String (SIZE (1..4) | "abcdef")"#, "none", None);
    // Each kind alone allows everything.
    string(r#"T ::= IA5String (SIZE (1..4) | FROM ("ab"))"#, "none", None);
    string(r#"T ::= IA5String (SIZE (1..4) ^ FROM ("ab") | SIZE (8) ^ FROM ("c"))"#, "1..8", Some("abc"));
}

#[test]
fn kinds_that_are_never_visible() {
    string(r#"T ::= IA5String ("abc")"#, "none", None);
    string(r#"T ::= UTF8String (SIZE (1..4))"#, "none", None);
    string(r#"T ::= GeneralString (FROM ("ab"))"#, "none", None);
    value("T ::= ENUMERATED { a, b, c } (a | b)", "none");
}

#[test]
fn sizes_through_names_and_parameters() {
    string("max INTEGER ::= 5 T ::= SEQUENCE (SIZE (1..max)) OF NULL", "1..5", None);
    string("S ::= INTEGER (1..9) T ::= BIT STRING (SIZE (S))", "1..9", None);
    string("L {INTEGER: n} ::= SEQUENCE (SIZE (0..n)) OF NULL T ::= L {7}", "0..7", None);
    string("A ::= SET (SIZE (2..9)) OF NULL T ::= A (SIZE (MIN..5))", "2..5", None);
    string("A ::= BIT STRING (SIZE (3)) T ::= BIT STRING (A)", "3..3", None);
}
