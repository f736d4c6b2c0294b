//! What a compiler can decide is decided: each rule with a text that breaks it, and texts that come close and are fine.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_schema::{Limits, Severity, Source, compile, compile_within};

/// The codes and clauses of what is wrong with the assignments of a module.
fn found(tags: &str, assignments: &str) -> Vec<String> {
    let text = format!("M DEFINITIONS {tags} ::= BEGIN\n{assignments}\nEND\n");
    let compilation = compile(vec![Source::new("m", &text)]);
    let list = compilation.diagnostics().list();
    list.iter()
        .filter(|one| one.severity == Severity::Error)
        .map(|one| format!("{} {}", one.code, one.clause))
        .collect()
}

#[test]
fn modules_that_break_a_rule_are_rejected() {
    for (assignments, expected) in [
        // Names.
        ("A ::= INTEGER A ::= BOOLEAN", "duplicate X.680 §13.15"),
        ("A ::= B", "undefined X.680 §14.4"),
        ("A ::= N.B", "undefined X.680 §14.4"),
        ("A_b ::= NULL", "name X.680 §12.2"),
        ("A- ::= NULL", "name X.680 §12.2"),
        ("a INTEGER ::= 1 A ::= a", "syntax X.680 §17.1"),
        ("a INTEGER ::= 1 B ::= INTEGER (a..b)", "undefined X.680 §14.4"),
        ("A ::= SEQUENCE { a NULL, a BOOLEAN }", "duplicate X.680 §25.11"),
        ("A ::= SET { a NULL, a BOOLEAN }", "duplicate X.680 §27.4"),
        ("A ::= CHOICE { a NULL, a BOOLEAN }", "duplicate X.680 §29.7"),
        ("A ::= INTEGER { a(1), a(2) }", "duplicate X.680 §19.4"),
        ("A ::= INTEGER { a(1), b(1) }", "duplicate X.680 §19.4"),
        ("A ::= BIT STRING { a(1), b(1) }", "duplicate X.680 §22.4"),
        ("A ::= BIT STRING { a(-1) }", "range X.680 §22.4"),
        ("A ::= ENUMERATED { a, a }", "duplicate X.680 §20.4"),
        ("A ::= ENUMERATED { a(1), b(1) }", "duplicate X.680 §20.4"),
        ("A ::= ENUMERATED { a, ..., b(3), c(2) }", "order X.680 §20.5"),
        ("A ::= ENUMERATED { a, ..., b, ..., c }", "extension X.680 §20.1"),
        // Tags.
        ("A ::= SEQUENCE { a INTEGER OPTIONAL, b INTEGER }", "tag X.680 §25.6"),
        ("A ::= SEQUENCE { a INTEGER OPTIONAL, b NULL OPTIONAL, c INTEGER }", "tag X.680 §25.6"),
        ("A ::= SEQUENCE { a INTEGER OPTIONAL, b CHOICE { c NULL, d INTEGER } }", "tag X.680 §25.6"),
        ("A ::= SEQUENCE { a NULL, ..., b INTEGER, ..., c INTEGER }", "tag X.680 §25.6"),
        ("A ::= SET { a INTEGER, b INTEGER }", "tag X.680 §27.3"),
        ("A ::= CHOICE { a INTEGER, b B } B ::= CHOICE { c NULL, d INTEGER }", "tag X.680 §29.3"),
        ("A ::= [0] IMPLICIT CHOICE { a NULL }", "tag X.680 §31.2.9"),
        ("A ::= [-1] NULL", "syntax X.680 §31.1"),
        // Types of themselves.
        ("A ::= B B ::= A", "circular X.680 §3.8"),
        ("A ::= SEQUENCE { a A }", "circular X.680 §3.8"),
        ("A ::= CHOICE { a A }", "circular X.680 §3.8"),
        ("A ::= CHOICE { a A, b NULL }", "circular X.680 §29.3"),
        ("A ::= SEQUENCE { COMPONENTS OF A }", "circular X.680 §3.8"),
        // What there must be.
        ("A ::= SEQUENCE { COMPONENTS OF B } B ::= SET { b NULL }", "type X.680 §25.5"),
        ("A ::= SET { COMPONENTS OF B } B ::= SEQUENCE { b NULL }", "type X.680 §27.2"),
        ("A ::= CHOICE { ... }", "extension X.680 §29.1"),
        ("A{T, T} ::= SEQUENCE { a T }", "duplicate X.683 §8.3"),
        ("a OBJECT IDENTIFIER ::= {iso(2) 3}", "range X.680 §32.3"),
        ("a INTEGER ::= b b INTEGER ::= a", "circular X.680 §3.8"),
        ("A ::= INTEGER (A)", "circular X.680 §51.3"),
        // Values.
        ("a INTEGER ::= TRUE", "type X.680 §17.7"),
        ("a UTF8String ::= b b GeneralString ::= \"x\"", "type X.680 §17.7"),
        ("a INTEGER (1..2) ::= 3", "range X.680 §49.1"),
        ("A ::= SEQUENCE { a INTEGER (1..2) DEFAULT 3 }", "range X.680 §49.1"),
        ("a OCTET STRING (SIZE (2)) ::= '00'H", "range X.680 §49.1"),
        ("a PrintableString ::= \"@\"", "range X.680 §41.1"),
        ("a IA5String (SIZE (1) | FROM (\"a\")) ::= \"xx\"", "range X.680 §49.1"),
        ("a IA5String (FROM (\"a\") | FROM (\"b\")) ::= \"ab\"", "range X.680 §49.1"),
        ("a IA5String (FROM (\"A\"..\"D\")) (FROM (\"A\"..\"C\")) ::= \"D\"", "range X.680 §49.1"),
        ("A ::= INTEGER ((0..10, ...) | (20..30))", "syntax X.680 §50.1"),
        ("A ::= OCTET STRING (SIZE ((1..2, ...) | 5))", "syntax X.680 §50.1"),
        ("a IA5String (ALL EXCEPT \"x\") ::= \"x\"", "range X.680 §49.1"),
        ("a REAL (0..1) ::= 5.0", "range X.680 §49.1"),
        ("a UTCTime ::= \"991332000000Z\"", "range X.680 §47.3"),
        ("a GeneralizedTime ::= \"20250229\"", "type X.680 §46.3"),
        ("a GeneralizedTime ::= \"2025022912\"", "range X.680 §46.3"),
        ("a DATE ::= \"2026-02-30\"", "range X.680 §38.3"),
        ("a ::= <INTEGER>5</INTEGER>\nb INTEGER ::= a", "macro X.680 §3.8"),
        ("a SEQUENCE { b NULL } ::= {}", "missing X.680 §25.18"),
        ("a SEQUENCE { b NULL, c NULL } ::= { c NULL, b NULL }", "order X.680 §25.18"),
        ("a SEQUENCE { b NULL } ::= { c NULL }", "undefined X.680 §25.18"),
        ("a ENUMERATED { b } ::= c", "undefined X.680 §20.8"),
        ("a OBJECT IDENTIFIER ::= { 1 40 }", "range X.680 §32.7"),
        ("a OBJECT IDENTIFIER ::= { 3 1 }", "range X.680 §32.7"),
        ("a REAL ::= { mantissa 1, base 3, exponent 1 }", "range X.680 §21.6"),
        // Constraints.
        ("A ::= INTEGER (SIZE (1))", "constraint X.680 §51.1"),
        ("A ::= BOOLEAN (FROM (\"a\"))", "constraint X.680 §51.1"),
        ("A ::= IA5String (1..2)", "constraint X.680 §51.4"),
        ("A ::= INTEGER (2..1)", "range X.680 §51.4.2"),
        ("A ::= INTEGER (MAX..5)", "syntax X.680 §51.4"),
        ("A ::= INTEGER (5..MIN)", "syntax X.680 §51.4"),
        ("A ::= OCTET STRING (SIZE (0..<MIN))", "syntax X.680 §51.4"),
        ("A ::= REAL (1..0)", "range X.680 §51.4.2"),
        ("A ::= OCTET STRING (SIZE (-1))", "range X.680 §51.4.2"),
        ("A ::= TIME (SETTINGS \"Basic=Day\")", "constraint X.680 §38.2"),
        ("A ::= TIME (SETTINGS \"Basic=Date Basic=Time\")", "constraint X.680 §38.2"),
        ("A ::= INTEGER (1..9) (5..10)", "range X.680 §51.4.2"),
        // §G.4.2.3: the parent lost its extension additions when it was further constrained.
        ("A ::= INTEGER (1..32, ..., 33..128) B ::= A (1..128)", "range X.680 §51.4.2"),
        ("A ::= NULL (CONTAINING NULL)", "constraint X.682 §11.2"),
        ("A ::= SEQUENCE { a NULL } (WITH COMPONENTS { b })", "undefined X.680 §51.8.6"),
        ("A ::= OCTET STRING (INTEGER)", "type X.680 §51.3.2"),
        ("A ::= UTF8String (PATTERN \"[\")", "pattern X.680 §51.9"),
        ("A ::= UTF8String (PATTERN \"a|*\", ...)", "pattern X.680 §51.9"),
        ("a OID-IRI ::= \"ISO\"", "type X.680 §34.3"),
        ("a OID-IRI ::= \"/ISO/01\"", "type X.680 §34.3"),
        ("a RELATIVE-OID-IRI ::= \"/a\"", "type X.680 §35.3"),
        ("A ::= SEQUENCE { a INTEGER, b ANY DEFINED BY c }", "undefined X.208 §27"),
        // Classes, objects, sets.
        ("C ::= CLASS { &a INTEGER, &a NULL }", "duplicate X.681 §9.5"),
        ("C ::= CLASS { &a INTEGER UNIQUE DEFAULT 1 }", "kind X.681 §9.9"),
        ("C ::= CLASS { &a INTEGER } WITH SYNTAX { &b }", "undefined X.681 §10.7"),
        ("C ::= CLASS { &a INTEGER } WITH SYNTAX { INTEGER &a }", "syntax X.681 §10.6"),
        ("C ::= CLASS { &a INTEGER } c C ::= {}", "missing X.681 §11.4"),
        ("C ::= CLASS { &a INTEGER } c C ::= { &b 1 }", "undefined X.681 §11.4"),
        ("C ::= CLASS { &a INTEGER } WITH SYNTAX { A &a } c C ::= { B 1 }", "syntax X.681 §11.6"),
        ("C ::= CLASS { &a INTEGER } S C ::= { S }", "circular X.681 §12.2"),
        ("C ::= CLASS { &A } A ::= C.&b", "undefined X.681 §14.1"),
        ("C ::= CLASS { &A } A ::= C", ""),
        ("C ::= CLASS { &A } A ::= SEQUENCE OF C", "kind X.680 §17.3"),
        ("C ::= CLASS { &a INTEGER } S C ::= {} A ::= INTEGER ({S})", "constraint X.682 §10.3"),
        (
            "C ::= CLASS { &a INTEGER, &B } S C ::= {...} A ::= SEQUENCE { a C.&a({S}), b C.&B({S}{@c}) }",
            "undefined X.682 §10.8",
        ),
        (
            "C ::= CLASS { &a INTEGER, &B } S C ::= { {&a 1, &B NULL} } T C ::= { {&a 1, &B INTEGER} }
             A ::= SEQUENCE { a C.&a({S}), b C.&B({T}{@a}) }",
            "constraint X.682 §10.11",
        ),
        // Exceptions, wherever they are.
        ("A ::= INTEGER (0..5 ! x)", "undefined X.680 §14.4"),
        ("A ::= INTEGER (0..5, ... ! x)", "undefined X.680 §14.4"),
        ("A ::= SEQUENCE { a NULL, ... ! x }", "undefined X.680 §14.4"),
        ("A ::= SET { a NULL, ... ! INTEGER : x }", "undefined X.680 §14.4"),
        ("A ::= CHOICE { a NULL, ... ! X : 5 }", "undefined X.680 §14.4"),
        ("A ::= ENUMERATED { a, ... ! x }", "undefined X.680 §14.4"),
        // Single values of the parent type.
        ("A ::= OCTET STRING (SIZE (1..2)) B ::= A ('010203'H)", "range X.680 §51.2.1"),
        ("A ::= UTF8String (FROM (\"a\"..\"c\")) B ::= A (\"a\" | \"d\")", "range X.680 §51.2.1"),
        ("A ::= SEQUENCE (SIZE (1)) OF NULL B ::= A ({NULL, NULL})", "range X.680 §51.2.1"),
        ("A ::= IA5String (\"a\" | \"b\") B ::= A (\"c\")", "range X.680 §51.2.1"),
        ("A ::= REAL (1..2) B ::= A (7)", "range X.680 §51.2.1"),
        ("A ::= SEQUENCE { a NULL } (WITH COMPONENTS { a ABSENT })", "constraint X.680 §51.8.9"),
        ("A ::= SET { a NULL, b [0] NULL OPTIONAL } (WITH COMPONENTS { ..., a ABSENT })", "constraint X.680 §51.8.9"),
        ("A ::= [UNIVERSAL 5] NULL", "tag X.680 §31.2.2"),
        // Parameters.
        ("A{T} ::= SEQUENCE OF T B ::= A", "parameters X.683 §9.2"),
        ("A{T} ::= SEQUENCE OF T B ::= A{NULL, NULL}", "parameters X.683 §9.6"),
        ("A{T} ::= SEQUENCE { a A{SEQUENCE OF T} OPTIONAL } B ::= A{NULL}", "instances X.683 §8.1"),
        // Syntax.
        ("A ::= SEQUENCE { a NULL", "syntax X.680 §25.1"),
        ("A ::= CHOICE { a NULL OPTIONAL }", "syntax X.680 §29.1"),
        ("A ::= SEQUENCE { ..., ..., ... }", "extension X.680 §25.1"),
        ("A ::= SEQUENCE { [[ a NULL ]] }", "extension X.680 §25.1"),
        ("A ::= SEQUENCE { ..., [[3: a [0] NULL ]], [[2: b [1] NULL ]] }", "extension X.680 §25.13"),
        ("A ::= SEQUENCE { ..., [[3: a [0] NULL ]], [[ b [1] NULL ]] }", "extension X.680 §25.13"),
        ("A ::= SEQUENCE { ..., [[1: a [0] NULL ]] }", "extension X.680 §25.13"),
        ("a INTEGER ::= \"x", "string X.680 §12.14"),
        ("A ::= NULL /* x", "comment X.680 §12.6.4"),
    ] {
        let first = found("", assignments).into_iter().next().unwrap_or_default();
        assert_eq!(first, expected, "{assignments}");
    }
}

#[test]
fn similar_valid_modules_are_accepted() {
    for (tags, assignments) in [
        ("", "A ::= SEQUENCE { a INTEGER OPTIONAL, b NULL, c INTEGER }"),
        ("AUTOMATIC TAGS", "A ::= SEQUENCE { a INTEGER OPTIONAL, b INTEGER OPTIONAL }"),
        ("AUTOMATIC TAGS", "A ::= CHOICE { a INTEGER, b A } "),
        ("", "A ::= SEQUENCE { a A OPTIONAL }"),
        ("", "A ::= CHOICE { a [0] A, b NULL }"),
        ("", "A ::= SEQUENCE OF A"),
        ("", "A ::= SET OF CHOICE { a A, b NULL }"),
        ("", "A ::= [0] CHOICE { a NULL }"),
        ("IMPLICIT TAGS", "A ::= SEQUENCE { a [0] B } B ::= CHOICE { a NULL }"),
        ("", "A ::= INTEGER (1..9, ..., 10..20) B ::= A (5..9)"),
        ("", "A ::= GeneralString (IA5String)"),
        ("", "A ::= REAL (1...2) B ::= A (0<..<MAX | 1.5)"),
        ("", "a IA5String (SIZE (1) | FROM (\"a\")) ::= \"aa\" b IA5String (ALL EXCEPT \"x\") ::= \"y\""),
        ("", "a IA5String (FROM (\"A\"..\"D\")) (FROM (\"A\"..\"C\")) ::= \"ABC\""),
        ("", "a IA5String (PATTERN \"x\", ...) ::= \"y\""),
        ("", "a ::= <INTEGER>5</INTEGER>\nB ::= NULL"),
        ("", "A ::= ENUMERATED { a, b(0), c, ..., d } a A ::= d"),
        ("", "a IA5String ::= { \"abc\", {1, 3}, b } b IA5String ::= \"x\"\"y\""),
        ("", "A{INTEGER:max, T} ::= SEQUENCE { a INTEGER (0..max), b T } B ::= A{5, A{7, NULL}}"),
        ("", "Tree{T} ::= SEQUENCE { item T, more Tree{T} OPTIONAL } B ::= Tree{NULL}"),
        (
            "",
            "C ::= CLASS { &Next C OPTIONAL, &id INTEGER } WITH SYNTAX { [NEXT &Next] ID &id } S C ::= { {ID 1} | {NEXT {S} ID 2} }",
        ),
        ("", "A ::= UTF8String (PATTERN \"[^a-z-]#(1,2)|\\N{nul}\\b{0,0,1,7}\")"),
        ("", "a OID-IRI ::= \"/ISO/Registration_Authority/19785.CBEFF\" b RELATIVE-OID-IRI ::= \"0/a\""),
        ("", "A ::= SEQUENCE { a INTEGER, b SET OF ANY DEFINED BY a, c [0] ANY DEFINED BY a OPTIONAL }"),
        // Each of several fields that are UNIQUE tells objects apart by itself; an object said twice is one.
        (
            "",
            "C ::= CLASS { &a INTEGER UNIQUE, &b INTEGER UNIQUE } S C ::= { {&a 1, &b 2} | {&a 2, &b 1} | T, ..., {&a 1, &b 2} }
             T C ::= { c | d } c C ::= { &a 5, &b 5 } d C ::= c",
        ),
        ("", "A ::= ANY B ::= SEQUENCE { a OBJECT IDENTIFIER, b ANY DEFINED BY a OPTIONAL }"),
        ("", "A ::= INTEGER (0<..<10) (ALL EXCEPT 5)"),
        ("", "A ::= TIME (SETTINGS \"Basic=Date-Time Date=YMD Year=L5 Time=HMSF3 Local-or-UTC=Z\")"),
        (
            "",
            "a UTCTime ::= \"240229120000Z\" b GeneralizedTime ::= \"2024022912.5\" c DATE-TIME ::= \"2024-02-29T23:59:60\"",
        ),
        ("", "A ::= UTF8String (PATTERN \"[a-z]*\") (SIZE (1..5 | 7, ...)) (CONSTRAINED BY { -- anything -- })"),
        ("", "A ::= SEQUENCE SIZE (1..2) OF a NULL"),
        ("", "a A ::= x : 5 A ::= CHOICE { x B } B ::= x < C C ::= CHOICE { x INTEGER }"),
        ("", "A ::= TYPE-IDENTIFIER.&Type B ::= INSTANCE OF TYPE-IDENTIFIER"),
        ("EXTENSIBILITY IMPLIED", "A ::= SEQUENCE { a NULL }"),
        ("", "A ::= SEQUENCE { a NULL, ... ! x, b INTEGER } x INTEGER ::= 5 B ::= ENUMERATED { a, ... ! 7 }"),
        ("", "A ::= OCTET STRING (SIZE (1..2)) B ::= A ('0102'H | '01'H)"),
        ("", "A ::= BIT STRING { a(0) } (SIZE (3)) B ::= A ({a})"),
        (
            "",
            "A ::= SEQUENCE { a NULL OPTIONAL, b INTEGER DEFAULT 1, ..., c BOOLEAN }
             B ::= A (WITH COMPONENTS { ..., a ABSENT, b ABSENT, c ABSENT })",
        ),
        ("", "A ::= CHOICE { a NULL, b INTEGER } B ::= A (WITH COMPONENTS { ..., a ABSENT })"),
        (
            "",
            "C ::= CLASS { &a INTEGER, &B } S C ::= { {&a 1, &B NULL}, ... }
             A{C:T} ::= SEQUENCE { a C.&a({T}), b C.&B({T}{@a}) } B ::= A{{S}}",
        ),
        (
            "",
            "C ::= CLASS { &a INTEGER, &B } S C ::= { c } c C ::= {&a 1, &B NULL}
             A{C:T, C:U} ::= SEQUENCE { a C.&a({T}), b C.&B({U}{@a}) } B ::= A{{S}, {c}}",
        ),
        ("", "A ::= OCTET STRING (CONTAINING NULL ENCODED BY {joint-iso-itu-t asn1(1) basic-encoding(1)})"),
    ] {
        assert_eq!(found(tags, assignments), Vec::<String>::new(), "{assignments}");
    }
}

/// What published modules have although no standard allows it: it is told, and the rest is of use.
#[test]
fn tolerated_departures() {
    let warned = |assignments: &str| {
        let compilation = compile(vec![Source::new("m", &format!("M DEFINITIONS ::= BEGIN {assignments} END"))]);
        assert!(compilation.model().is_some(), "{}", compilation.render());
        compilation.diagnostics().list().iter().map(|one| format!("{} {}", one.code, one.clause)).collect::<Vec<_>>()
    };
    for (assignments, expected) in [
        (
            "C ::= CLASS { &a INTEGER UNIQUE, &B } S C ::= { {&a 1, &B NULL} | {&a 2, &B NULL} | {&a 1, &B INTEGER} }",
            "duplicate X.681 §9.8",
        ),
        // Told of once, though two sets have it.
        (
            "C ::= CLASS { &a INTEGER, &b NULL UNIQUE } S C ::= { T | U } U C ::= { {&a 1, &b NULL} }
             T C ::= { {&a 2, &b NULL} } V C ::= { S, ... }",
            "duplicate X.681 §9.8",
        ),
        ("A ::= SEQUENCE { a INTEGER, b SEQUENCE OF B } B ::= ANY DEFINED BY a", "undefined X.208 §27"),
    ] {
        assert_eq!(warned(assignments), [expected], "{assignments}");
    }
}

/// Only parameterized definitions are imported and exported with braces.
#[test]
fn symbols_with_braces() {
    let warnings = |exports: &str, imports: &str| {
        let text = format!(
            "M DEFINITIONS ::= BEGIN EXPORTS {exports}; A ::= NULL B{{T}} ::= SET OF T END\n\
             N DEFINITIONS ::= BEGIN IMPORTS {imports} FROM M; C ::= A D ::= B{{NULL}} END"
        );
        let compilation = compile(vec![Source::new("m", &text)]);
        compilation.diagnostics().list().iter().map(|one| one.line(compilation.sources())).collect::<Vec<_>>()
    };
    assert_eq!(warnings("A, B", "A, B"), Vec::<String>::new());
    assert_eq!(warnings("A, B{}", "A, B{}"), Vec::<String>::new());
    let text = "A has no parameters, expected it without braces [X.683 §9.1]";
    assert_eq!(warnings("A, B", "A{}, B"), [format!("m:2:33: warning: {text}")]);
    assert_eq!(warnings("A{}, B", "A, B"), [format!("m:1:33: warning: {text}")]);
}

#[test]
fn several_errors_a_run() {
    let found = found("", "A ::= SEQUENCE { a }\nB ::= C\nD ::= INTEGER (FOO..1)\nE ::= [0 NULL\nF ::= NULL (1)\n");
    assert_eq!(found.len(), 5, "{found:#?}");
}

#[test]
fn old_modules_are_read_with_warnings() {
    let text = "\
M DEFINITIONS ::= BEGIN
IMPORTS OBJECT-TYPE FROM Gone;
OPERATION MACRO ::= BEGIN
  TYPE NOTATION ::= \"ARGUMENT\" type
  VALUE NOTATION ::= value (VALUE INTEGER)
END
bind OPERATION ARGUMENT A RESULT B ::= 1
Signed ::= SIGNED SEQUENCE { a NULL }
sysDescr OBJECT-TYPE
  SYNTAX OCTET STRING
  ::= { system 1 }
A ::= CHOICE { INTEGER, BOOLEAN }
B ::= NULL
END
";
    let compilation = compile(vec![Source::new("m", text)]);
    assert_eq!(compilation.diagnostics().errors(), 0, "{}", compilation.render());
    let codes: Vec<&str> = compilation.diagnostics().list().iter().map(|one| one.code).collect();
    assert_eq!(codes, ["import", "macro", "macro", "macro", "macro", "unnamed", "unnamed"]);
    assert!(compilation.model().unwrap().type_named("M", "B").is_some());
}

/// Hostile texts: deep, long, growing. Nothing overflows, and all end soon.
#[test]
fn nothing_is_too_deep_or_too_much() {
    let deep =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000));
    let mut texts = vec![
        format!("A ::= {}", deep("SEQUENCE OF ", "NULL", "")),
        format!("A ::= {}", deep("SEQUENCE { a ", "NULL", "}")),
        format!("A ::= {}", deep("[0] ", "NULL", "")),
        format!("A ::= INTEGER {}", deep("(", "1", ")")),
        format!("A ::= INTEGER ({}", deep("SIZE (", "1", ")")),
        format!("a INTEGER ::= {}", deep("{", "1", "}")),
        format!("a A ::= {}", deep("a : ", "1", "")),
        format!("A ::= {}", deep("A{", "NULL", "}")),
        format!("C ::= CLASS {{ &a NULL }} WITH SYNTAX {{ {}", deep("[", "&a", "]")),
        format!("A ::= NULL {}", "/*".repeat(100_000)),
        format!("A ::= NULL {}", "'".repeat(100_001)),
        "A ::= ".repeat(50_000),
    ];
    // Chains of names, forwards and backwards.
    let chain = |count: u32, line: &dyn Fn(u32) -> String| (0..count).map(line).collect::<String>();
    texts.push(chain(20_000, &|n| format!("A{n} ::= A{} ", n + 1)) + "A20000 ::= NULL");
    texts.push(chain(20_000, &|n| format!("A{n} ::= A{} ", (n + 1) % 20_000)));
    texts.push(chain(20_000, &|n| format!("a{n} INTEGER ::= a{} ", n + 1)) + "a20000 INTEGER ::= 1");
    texts.push(chain(5_000, &|n| format!("A{n} ::= CHOICE {{ a A{}, b [{n}] NULL }} ", n + 1)) + "A5000 ::= NULL");
    texts.push(
        chain(2_000, &|n| format!("A{n} ::= SEQUENCE {{ COMPONENTS OF A{}, b{n} NULL }} ", n + 1))
            + "A2000 ::= SEQUENCE {}",
    );
    texts.push(
        chain(5_000, &|n| format!("S{n} C ::= {{ S{} | {{&a {n}}} }} ", n + 1))
            + "S5000 C ::= {...} C ::= CLASS { &a INTEGER }",
    );
    // What doubles with every line.
    texts.push(
        "P{T} ::= SEQUENCE { a T, b T } A0 ::= NULL ".to_owned()
            + &chain(60, &|n| format!("A{} ::= P{{A{n}}} ", n + 1)),
    );
    texts.push("P{T} ::= SEQUENCE { a P{SEQUENCE { x T, y T }} OPTIONAL } A ::= P{NULL}".to_owned());
    texts.push(
        "A ::= SEQUENCE { a A OPTIONAL, b A OPTIONAL } v0 A ::= {} ".to_owned()
            + &chain(60, &|n| format!("v{} A ::= {{a v{n}, b v{n}}} ", n + 1)),
    );
    let mut limits = Limits::DEFAULT;
    limits.bytes_per_byte = 128;
    for text in texts {
        let text = format!("M DEFINITIONS ::= BEGIN\n{text}\nEND\n");
        let begun = std::time::Instant::now();
        let compilation = compile_within(vec![Source::new("m", &text)], &limits);
        let shown: String = text.chars().take(80).collect();
        // A bound on hanging, far from any measure of speed.
        assert!(begun.elapsed().as_secs() < 60, "{shown}");
        let _ = compilation.render();
    }
}

#[test]
fn a_name_from_two_modules_needs_its_module() {
    let modules = |body: &str| {
        let text = format!(
            "A DEFINITIONS ::= BEGIN T ::= NULL END B DEFINITIONS ::= BEGIN T ::= BOOLEAN END
             C DEFINITIONS ::= BEGIN IMPORTS T FROM A T FROM B; {body} END"
        );
        let compilation = compile(vec![Source::new("m", &text)]);
        compilation.diagnostics().list().iter().map(|one| format!("{} {}", one.code, one.clause)).collect::<Vec<_>>()
    };
    assert_eq!(modules("U ::= B.T V ::= A.T"), Vec::<String>::new());
    assert_eq!(modules("U ::= T"), ["ambiguous X.680 §14.5"]);
    assert_eq!(modules("T ::= INTEGER U ::= T"), Vec::<String>::new());
}

/// A name that stands behind its module is looked for there, and the module itself may be missing.
#[test]
fn a_module_before_a_name() {
    let found = |body: &str| {
        let text = format!("A DEFINITIONS ::= BEGIN T ::= NULL END C DEFINITIONS ::= BEGIN {body} END");
        let compilation = compile(vec![Source::new("m", &text)]);
        let list = compilation.diagnostics().list();
        list.iter().map(|one| format!("{} {}: {}", one.code, one.clause, one.message)).collect::<Vec<_>>()
    };
    let missing = "import X.680 §13.16: the module N, from which B is needed, is not among the files";
    assert_eq!(found("IMPORTS B FROM N; U ::= N.B V ::= N.B W ::= B"), [missing]);
    assert_eq!(found("IMPORTS T FROM A; U ::= A.X"), ["undefined X.680 §14.4: there is no X in the module A"]);
    assert_eq!(
        found("U ::= N.B"),
        ["undefined X.680 §14.4: the module N is not imported from, and is not among the files"]
    );
}

/// A class, objects and object sets for what follows.
const OBJECTS: &str = "C ::= CLASS { &id INTEGER UNIQUE, &T, &set C OPTIONAL, &Set C OPTIONAL } WITH SYNTAX { &id IS &T [IN &Set] [BY &set] }
    a C ::= { 1 IS BOOLEAN } b C ::= { 2 IS NULL } c C ::= { 3 IS NULL IN {a | b} BY { 4 IS NULL IN {b} } } Abc C ::= { a | b | c }\n";

#[test]
fn tables_may_have_sets_without_names() {
    for types in [
        "X ::= SEQUENCE { i C.&id({a | b}) }",
        "X ::= SEQUENCE { i C.&id({a, ...}) }",
        "X ::= SEQUENCE { i C.&id({a}) }",
        "X ::= SEQUENCE { i C.&id({...}), t C.&T({...}) }",
        "X ::= SEQUENCE { i C.&id({{1 IS BOOLEAN} | {2 IS NULL}}) }",
        "X ::= SEQUENCE { i C.&id({Abc}), t C.&T({Abc}{@i}) }",
        "X ::= SEQUENCE { i C.&id({Abc | a}), t C.&T({Abc, ..., b}) }",
        "X ::= SEQUENCE { i C.&id({(Abc | a) ^ b}) }",
        "X ::= SEQUENCE { i C.&id({c.&Set}), t C.&T({Abc.&Set}) }",
        "X{C:o, C:S} ::= SEQUENCE { i C.&id({o | S}) } Y ::= X{a, {Abc}}",
        // Sets from objects in objects (X.681 §15.1).
        "S C ::= { c.&set.&Set } X ::= SEQUENCE { i C.&id({c.&set.&Set}) }",
    ] {
        assert_eq!(found("AUTOMATIC TAGS", &format!("{OBJECTS}{types}")), Vec::<String>::new(), "{types}");
    }
    for (types, expected) in [
        ("X ::= SEQUENCE { i C.&id({Abc}), t C.&T({a | b}{@i}) }", "syntax X.682 §10.7"),
        ("D ::= CLASS { &n INTEGER } X ::= SEQUENCE { i D.&n({a | b}) }", "kind X.681 §11.2"),
        ("D ::= CLASS { &n INTEGER } X ::= SEQUENCE { i D.&n({Abc}) }", "kind X.682 §10.3"),
        ("X ::= SEQUENCE { i INTEGER ({Abc}) }", "constraint X.682 §10.3"),
        ("X ::= SEQUENCE { i INTEGER ({a | b}) }", "type X.680 §17.7"),
        ("S C ::= { c.&id }", "kind X.681 §15.1"),
    ] {
        let wrong = found("AUTOMATIC TAGS", &format!("{OBJECTS}{types}"));
        assert_eq!(wrong.first().map(String::as_str), Some(expected), "{types}: {wrong:?}");
    }
    let relation = "X ::= SEQUENCE { i C.&id({Abc}), t C.&T({a | b}{@i}) }";
    let source = Source::new("m", &format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {OBJECTS}{relation} END"));
    let options = tagwise_schema::Options::default().allow(tagwise_schema::Departure::InlineRelation);
    let compilation = tagwise_schema::compile_with(vec![source], &options);
    let counts = (compilation.diagnostics().errors(), compilation.diagnostics().warnings());
    assert_eq!(counts, (0, 1), "{}", compilation.render());
    // Braces hold values where the type has such.
    let values =
        "D ::= CLASS { &o OBJECT IDENTIFIER, &l SEQUENCE OF INTEGER } oid OBJECT IDENTIFIER ::= {1 2} one INTEGER ::= 1
        X ::= SEQUENCE { o D.&o ({1 2 3}), p D.&o ({oid 4}), l D.&l ({1, 2}), m D.&l ({one}), n D.&l ({}) }";
    assert_eq!(found("AUTOMATIC TAGS", values), Vec::<String>::new());
}

#[test]
fn values_of_embedded_types_have_braces_in_them() {
    for ty in ["EMBEDDED PDV", "EXTERNAL"] {
        for identification in [
            "syntax:{1 2 3}",
            "syntaxes:{abstract {1 2}, transfer {1 3}}",
            "presentation-context-id:12",
            "context-negotiation:{presentation-context-id 12, transfer-syntax {1 2 3}}",
            "transfer-syntax:{1 2 3}",
            "fixed:NULL",
        ] {
            let text = format!("v {ty} ::= {{identification {identification}, data-value '12'H}}");
            assert_eq!(found("", &text), Vec::<String>::new(), "{text}");
        }
    }
    let text = "v CHARACTER STRING ::= {identification syntaxes:{abstract {1 2}, transfer {1 3}}, string-value '12'H}";
    assert_eq!(found("", text), Vec::<String>::new());
}

#[test]
fn settings_may_have_spaces_around_their_signs() {
    let text = |settings: &str| format!("A ::= TIME (SETTINGS \"{settings}\")");
    for settings in
        ["Basic=Date Date=YMD Year=Basic", "Basic = Date  Date= YMD Year =Basic", " Basic=Date Date=YMD Year=Basic "]
    {
        assert_eq!(found("", &text(settings)), Vec::<String>::new(), "{settings}");
    }
    for settings in ["Basic Date", "Basic==Date", "= Date", "Basic=", "Basic = Date Basic = Time", ""] {
        assert_eq!(found("", &text(settings)), ["constraint X.680 §38.2"], "{settings}");
    }
}

#[test]
fn encoding_prefixes_are_skipped_where_the_module_has_them() {
    let module = |head: &str, body: &str| {
        let text = format!("M DEFINITIONS {head} AUTOMATIC TAGS ::= BEGIN {body} END");
        let compilation = compile(vec![Source::new("m", &text)]);
        (compilation.diagnostics().errors(), compilation.diagnostics().warnings())
    };
    let body = "A ::= [NAME AS \"x\"] SEQUENCE { a [ATTRIBUTE] INTEGER, b [1] [LIST] SEQUENCE OF NULL, c [APPLICATION 5] NULL }";
    assert_eq!(module("XER INSTRUCTIONS", body), (0, 3));
    assert_eq!(
        module(
            "XER INSTRUCTIONS",
            "A ::= [XER:NAME AS \"x\"] NULL B ::= [TAG:2] NULL C ::= [M.n] NULL n INTEGER ::= 3"
        ),
        (0, 1)
    );
    // Without the words, brackets hold tags (X.680 §31.3).
    assert_eq!(module("", "A ::= [NAME AS \"x\"] NULL").0, 1);
    assert_eq!(module("TAG INSTRUCTIONS", "A ::= [NAME AS \"x\"] NULL").0, 1);
}

#[test]
fn times_as_text_are_a_departure() {
    use tagwise_schema::{Departure, Options, compile_with};
    for assignment in [
        "A ::= GeneralizedTime (SIZE (12..19))",
        "A ::= UTCTime (SIZE (13))",
        "A ::= UTCTime (PATTERN \"[0-9]#(12)Z\")",
        "A ::= GeneralizedTime (FROM (\"0\"..\"9\" | \"Z\"))",
    ] {
        assert_eq!(found("", assignment), ["constraint X.680 §51.1"], "{assignment}");
        let source = Source::new("m", &format!("M DEFINITIONS ::= BEGIN {assignment} END"));
        let compilation = compile_with(vec![source], &Options::default().allow(Departure::TimeText));
        let counts = (compilation.diagnostics().errors(), compilation.diagnostics().warnings());
        assert_eq!(counts, (0, 1), "{assignment}: {}", compilation.render());
        // Nobody is told that values are held to it.
        let model = compilation.model().unwrap();
        let ty = model.ty(model.type_named("M", "A").unwrap()).unwrap();
        assert!(ty.constraints.inexact && ty.constraints.size.is_none(), "{assignment}");
    }
    assert_eq!(found("", "A ::= TIME (SIZE (3))"), ["constraint X.680 §51.1"]);
}

#[test]
fn commas_and_names_of_modules_depart_by_name() {
    use tagwise_schema::{Departure, Options, compile_with};
    let counts = |text: &str, departure: Option<Departure>| {
        let options = departure.iter().fold(Options::default(), |options, one| options.allow(*one));
        let compilation = compile_with(vec![Source::new("m", text)], &options);
        let codes = compilation.diagnostics().list().iter().map(|one| format!("{} {}", one.code, one.clause));
        (compilation.diagnostics().errors(), codes.collect::<Vec<_>>())
    };
    for (body, departure, code) in [
        ("A ::= SEQUENCE { a NULL, b INTEGER, }", Departure::ExtraComma, "syntax X.680 §25.1"),
        ("A ::= CHOICE { a NULL,, b INTEGER }", Departure::ExtraComma, "syntax X.680 §25.1"),
        ("A ::= ENUMERATED { a, b, }", Departure::ExtraComma, "syntax X.680 §25.1"),
        ("A ::= INTEGER { a(1), b(2), }", Departure::ExtraComma, "syntax X.680 §25.1"),
        ("A ::= SEQUENCE { a NULL\n b INTEGER }", Departure::MissingComma, "syntax X.680 §25.1"),
        ("A ::= ENUMERATED { a\n b\n , ... }", Departure::MissingComma, "syntax X.680 §25.1"),
        ("A ::= SEQUENCE { a NULL OPTIONAL\n ... }", Departure::MissingComma, "syntax X.680 §25.1"),
    ] {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END");
        assert_eq!(counts(&text, None), (1, vec![code.to_owned()]), "{body}");
        assert_eq!(counts(&text, Some(departure)), (0, vec![code.to_owned()]), "{body}");
    }
    assert_eq!(
        counts("M DEFINITIONS ::= BEGIN A ::= SEQUENCE { a NULL b INTEGER } END", Some(Departure::MissingComma)).0,
        1
    );
    let text = "m { 1 2 } DEFINITIONS ::= BEGIN IMPORTS A FROM n; B ::= A END n DEFINITIONS ::= BEGIN A ::= NULL END";
    assert_eq!(counts(text, None).0, 3);
    assert_eq!(counts(text, Some(Departure::ModuleName)).0, 0);
}

#[test]
fn a_name_that_is_missing_is_one_error() {
    for assignments in [
        "A ::= CHOICE { a NULL, b B } B ::= CHOICE { c Missing }",
        "A ::= SEQUENCE { a NULL OPTIONAL, b B } B ::= CHOICE { c C } C ::= Missing",
        "A ::= SET { a NULL, b CHOICE { c Missing, d INTEGER } }",
        "A ::= CHOICE { a NULL, b B } B ::= SEQUENCE { c Missing }",
    ] {
        assert_eq!(found("", assignments), ["undefined X.680 §14.4"], "{assignments}");
    }
    // What is certain is told all the same.
    let text = "A ::= CHOICE { a NULL, b B, c NULL } B ::= CHOICE { c Missing }";
    assert_eq!(found("", text), ["tag X.680 §29.3", "undefined X.680 §14.4"]);
}

#[test]
fn an_empty_syntax_is_refused() {
    assert_eq!(found("", "C ::= CLASS { &a NULL } WITH SYNTAX {}"), ["syntax X.681 §10.5"]);
    assert_eq!(found("", "C ::= CLASS { &a NULL OPTIONAL } WITH SYNTAX { [A &a] }"), Vec::<String>::new());
}

#[test]
fn types_with_small_letters_get_a_hint() {
    let text = |assignment: &str| {
        compile(vec![Source::new("m", &format!("M DEFINITIONS ::= BEGIN {assignment} END"))]).render()
    };
    for assignment in
        ["myType ::= SEQUENCE { a NULL }", "myType ::= INTEGER", "myType ::= [1] NULL", "myType ::= Other"]
    {
        assert!(
            text(assignment).contains("the type or class of this value (type names begin with a capital letter)"),
            "{assignment}"
        );
    }
    for assignment in ["value ::= 5", "value ::= TRUE"] {
        assert!(!text(assignment).contains("capital letter"), "{assignment}");
    }
}
