use tagwise_schema::{Model, Source, compile};

use super::lower;
use super::plan::{Body, Builtin, Native, Plan, PlanItem, Repr, Role};
use crate::overlay::Overlay;

fn model(text: &str) -> Model {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND\n");
    let compilation = compile(vec![Source::new("m.asn1", &text)]);
    let rendered = compilation.render();
    compilation.into_model().unwrap_or_else(|| panic!("{rendered}"))
}

fn item<'p>(plan: &'p Plan<'_>, ident: &str) -> &'p PlanItem {
    plan.items.iter().find(|item| item.ident == ident).unwrap_or_else(|| panic!("no {ident}"))
}

/// What a component is held as.
fn component<'p>(plan: &'p Plan<'_>, ident: &str, name: &str) -> &'p Repr {
    let (Body::Sequence(list) | Body::Set(list)) = &item(plan, ident).body else { panic!("{ident}") };
    let found = list.iter().find(|component| component.name == name).unwrap();
    match &found.role {
        Role::Value { held, .. } => &held.repr,
        role => panic!("{role:?}"),
    }
}

#[test]
fn integers_are_as_small_as_they_can_be() {
    let model = model(
        "A ::= SEQUENCE { a INTEGER (0..255), b INTEGER (-1..255), c INTEGER (0..256), d INTEGER (0..255, ...),
           e INTEGER, f INTEGER (0..18446744073709551616), g INTEGER (0..MAX), h B (1..2) }
         B ::= INTEGER (0..100000)",
    );
    let plan = lower(&model, &Overlay::default()).unwrap();
    let native = |name: &str| match component(&plan, "A", name) {
        Repr::Builtin(Builtin::Native(native)) => native.name(),
        Repr::Builtin(Builtin::Integer) => "Int".to_owned(),
        other => panic!("{other:?}"),
    };
    let found: Vec<String> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(native).into();
    assert_eq!(found, ["u8", "i16", "u16", "Int", "Int", "u128", "Int", "u8"]);
    assert_eq!(Native::smallest(i128::MIN, 0), Some(Native::I128));
}

#[test]
fn cycles_are_boxed_once() {
    let model = model(
        "A ::= SEQUENCE { b B OPTIONAL, list SEQUENCE OF A }
         B ::= CHOICE { c C, n NULL }
         C ::= SEQUENCE { a A, b D }
         D ::= B",
    );
    let plan = lower(&model, &Overlay::default()).unwrap();
    let boxed = |ident: &str, name: &str| matches!(component(&plan, ident, name), Repr::Boxed(_));
    assert!(!boxed("A", "b") && boxed("C", "a") && boxed("C", "b") && !boxed("A", "list"));
    // The CHOICE has no tag of its own: its boxes are read by code that it must have.
    assert!(item(&plan, "B").boxed && !item(&plan, "A").boxed);
    assert!(!item(&plan, "A").copies && item(&plan, "A").borrows);
}

#[test]
fn what_borrows() {
    let model = model(
        "A ::= SEQUENCE { a BOOLEAN, b INTEGER (0..3), c UTCTime, d E }
         B ::= SEQUENCE { a A, s UTF8String }
         C ::= CHOICE { b B, n NULL }
         E ::= ENUMERATED { x, y }
         F ::= SEQUENCE { n NULL, ... }
         G ::= BIT STRING { a(0) }",
    );
    let plan = lower(&model, &Overlay::default()).unwrap();
    let borrows: Vec<bool> = ["A", "B", "C", "E", "F", "G"].iter().map(|ident| item(&plan, ident).borrows).collect();
    assert_eq!(borrows, [false, true, true, false, true, true]);
    assert!(plan.items.iter().all(|item| item.copies));
}

#[test]
fn lists_of_themselves_are_types() {
    let model = model("A ::= SEQUENCE OF B\nB ::= SEQUENCE OF A\nC ::= SEQUENCE OF A");
    let plan = lower(&model, &Overlay::default()).unwrap();
    let kinds: Vec<bool> =
        ["A", "B", "C"].iter().map(|ident| matches!(item(&plan, ident).body, Body::Alias(_))).collect();
    assert_eq!(kinds.iter().filter(|alias| !**alias).count(), 1, "{kinds:?}");
    assert!(kinds[2]);
}

#[test]
fn overlays_must_mean_something() {
    let model = model("A ::= SEQUENCE { b INTEGER, c C }\nC ::= NULL");
    let cases = [
        ("[types.X]\nraw = true", "o:2:1: unknown key `raw`"),
        ("[types.X]\nsecret = true", "o:1:8: unknown type `X`"),
        ("[types.A.fields]\nd.raw = true", "o:2:1: unknown component `d` of `A`"),
        ("[modules.N]\nskip = true", "o:1:10: unknown module `N`"),
        ("[modules.M]\nonly = [\"X\"]", "o:1:10: unknown type `X` in `M`"),
        ("[sets.S]\nskip = true", "o:1:7: no open type uses the object set `S`"),
        ("[types.C]\nskip = true", "o:1:1: `C` is excluded, but `A` needs it"),
    ];
    for (text, expected) in cases {
        let found = match Overlay::parse("o", text) {
            Ok(overlay) => lower(&model, &overlay).unwrap_err().iter().map(ToString::to_string).collect(),
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn only_what_is_wanted() {
    let model = model("A ::= SEQUENCE { b B }\nB ::= SEQUENCE OF C\nC ::= BOOLEAN\nD ::= NULL");
    let overlay = Overlay::parse("o", "[modules.M]\nonly = [\"A\"]").unwrap();
    let plan = lower(&model, &overlay).unwrap();
    let emitted: Vec<&str> = plan.items.iter().filter(|item| item.emitted).map(|item| &*item.ident).collect();
    assert_eq!(emitted, ["A", "B", "C"]);
}
