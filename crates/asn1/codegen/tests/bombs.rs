//! Schemas that stand for far more than they say: each construct that multiplies, doubled two dozen times or in products. All that
//! is made of them stays within their allowance, and what would exceed it is one error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;
use tagwise_codegen::emit::{c, doc, python, rust};
use tagwise_codegen::lower::lower;
use tagwise_codegen::overlay::Overlay;
use tagwise_schema::model::Model;
use tagwise_schema::{Limits, Severity, Source, compile_within, layout_within};
use tagwise_tables::Schema;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The number of times that each construct is doubled.
const LEVELS: usize = 24;

/// A small allowance, so that the tests are quick.
const LIMITS: Limits = {
    let mut limits = Limits::DEFAULT;
    limits.bytes = 1 << 20;
    limits.bytes_per_byte = 256;
    limits
};

/// The memory that may be taken at any time: what is counted, what is made before it is counted, and what lives for a moment
/// besides.
const fn bound(text: usize) -> usize {
    4 * LIMITS.allowance(text) as usize + (1 << 20)
}

/// Lines for each level.
fn levels(line: impl Fn(usize) -> String) -> String {
    each(LEVELS, line)
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

fn list(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

/// Constructs that double with every line.
fn doubled() -> Vec<(&'static str, String)> {
    let class = "C ::= CLASS { &id INTEGER, &Type OPTIONAL }\n";
    vec![
        (
            "COMPONENTS OF",
            "A0 ::= SEQUENCE { a NULL }\n".to_owned()
                + &levels(|n| format!("A{} ::= SEQUENCE {{ COMPONENTS OF A{n}, COMPONENTS OF A{n} }}", n + 1)),
        ),
        (
            "COMPONENTS OF a SET with DEFAULT",
            "A0 ::= SET { a INTEGER DEFAULT 1 }\n".to_owned()
                + &levels(|n| format!("A{} ::= SET {{ COMPONENTS OF A{n}, COMPONENTS OF A{n} }}", n + 1)),
        ),
        (
            "object identifiers",
            "a0 RELATIVE-OID ::= {1 2}\n".to_owned()
                + &levels(|n| format!("a{} RELATIVE-OID ::= {{a{n} a{n}}}", n + 1))
                + &format!("b OBJECT IDENTIFIER ::= {{1 3 a{LEVELS}}}"),
        ),
        (
            "strings",
            "a0 UTF8String ::= \"xyz\"\n".to_owned() + &levels(|n| format!("a{} UTF8String ::= {{a{n}, a{n}}}", n + 1)),
        ),
        (
            "values of lists",
            "L ::= SEQUENCE OF L\na0 L ::= {}\n".to_owned() + &levels(|n| format!("a{} L ::= {{a{n}, a{n}}}", n + 1)),
        ),
        (
            "values of components",
            "A ::= SEQUENCE { a A OPTIONAL, b A OPTIONAL }\na0 A ::= {}\n".to_owned()
                + &levels(|n| format!("a{} A ::= {{a a{n}, b a{n}}}", n + 1)),
        ),
        (
            "DEFAULTs",
            "A0 ::= SEQUENCE { a INTEGER DEFAULT 5 }\na0 A0 ::= {a 5}\n".to_owned()
                + &levels(|n| {
                    format!(
                        "A{} ::= SEQUENCE {{ a A{n} DEFAULT a{n}, b A{n} DEFAULT a{n} }}\na{} A{} ::= {{a a{n}, b a{n}}}",
                        n + 1,
                        n + 1,
                        n + 1
                    )
                }),
        ),
        (
            "DEFAULTs that are empty",
            "A0 ::= SEQUENCE { a INTEGER DEFAULT 1 }\n".to_owned()
                + &levels(|n| format!("A{} ::= SEQUENCE {{ a A{n} DEFAULT {{}}, b A{n} DEFAULT {{}} }}", n + 1)),
        ),
        (
            "DEFAULTs of lists of DEFAULTs",
            "A0 ::= SEQUENCE { a INTEGER DEFAULT 1 }\n".to_owned()
                + &levels(|n| {
                    format!(
                        "A{} ::= SET {{ a SEQUENCE OF A{n} DEFAULT {{{{}}, {{}}}}, b CHOICE {{ c A{n} }} DEFAULT c: {{}} }}",
                        n + 1
                    )
                }),
        ),
        ("DEFAULTs that hold themselves", "A ::= SEQUENCE { a A DEFAULT {}, b A DEFAULT {} }\n".to_owned()),
        (
            "values of open types",
            "T ::= TYPE-IDENTIFIER.&Type\nL ::= SEQUENCE OF T\na0 L ::= {}\n".to_owned()
                + &levels(|n| format!("a{} L ::= {{L: a{n}, L: a{n}}}", n + 1)),
        ),
        (
            "contained values",
            "A0 ::= SEQUENCE OF NULL\na0 A0 ::= {NULL}\n".to_owned()
                + &levels(|n| {
                    let m = n + 1;
                    format!(
                        "A{m} ::= SEQUENCE OF OCTET STRING (CONTAINING A{n})\na{m} A{m} ::= {{CONTAINING a{n}, CONTAINING a{n}}}"
                    )
                }),
        ),
        (
            "actual parameters",
            "P{T} ::= SEQUENCE { a T, b T }\nA0 ::= NULL\n".to_owned()
                + &levels(|n| format!("A{} ::= P{{A{n}}}", n + 1)),
        ),
        (
            "actual parameters in templates",
            "P0{T} ::= SEQUENCE { a T }\n".to_owned()
                + &levels(|n| {
                    format!("P{}{{T}} ::= SEQUENCE {{ a P{n}{{SEQUENCE {{ x T }}}}, b P{n}{{SET {{ x T }}}} }}", n + 1)
                })
                + &format!("A ::= P{LEVELS}{{NULL}}"),
        ),
        (
            "texts of parameters",
            "P{T} ::= SEQUENCE { a T }\nQ0{T} ::= P{T}\n".to_owned()
                + &levels(|n| format!("Q{}{{T}} ::= Q{n}{{SEQUENCE {{ a T, b T }}}}", n + 1))
                + &format!("A ::= Q{LEVELS}{{NULL}}"),
        ),
        (
            "parameterised values",
            "a0{INTEGER:x} L ::= {x}\nL ::= SEQUENCE OF INTEGER\nM ::= SEQUENCE OF M\n".to_owned()
                + "b0{M:x} M ::= {x, x}\n"
                + &levels(|n| format!("b{}{{M:x}} M ::= {{b{n}{{x}}, b{n}{{{{x}}}}}}", n + 1))
                + &format!("b M ::= b{LEVELS}{{{{}}}}"),
        ),
        (
            "object sets",
            class.to_owned()
                + "S0 C ::= { {&id 1} | {&id 2} }\n"
                + &levels(|n| {
                    format!("S{} C ::= {{ S{n} | S{n} | {{&id 1{n}}} | (S{n} EXCEPT S{n}) | (S{n} ^ S{n}) }}", n + 1)
                }),
        ),
        (
            "parameterised object sets",
            class.to_owned()
                + "S0{INTEGER:x} C ::= { {&id x} }\n"
                + &levels(|n| format!("S{}{{INTEGER:x}} C ::= {{ S{n}{{x}} | S{n}{{{n}}} }}", n + 1))
                + &format!("S C ::= {{ S{LEVELS}{{1}} }}"),
        ),
        (
            "objects with DEFAULTs",
            "L ::= SEQUENCE OF L\nl0 L ::= {}\nC0 ::= CLASS { &l L DEFAULT l0 }\n".to_owned()
                + &levels(|n| {
                    format!(
                        "C{} ::= CLASS {{ &o C{n} DEFAULT {{}}, &l L DEFAULT l{n} }}\nl{} L ::= {{l{n}, l{n}}}\no{n} C{n} ::= {{}}",
                        n + 1,
                        n + 1
                    )
                }),
        ),
        (
            "ENUMERATED in constraints",
            "E ::= ENUMERATED { a, b, c }\nA0 ::= E (a | b)\n".to_owned()
                + &levels(|n| format!("A{} ::= E (A{n} | (A{n} ^ A{n}) | c)", n + 1)),
        ),
        (
            "ranges",
            "A0 ::= INTEGER (1 | 3 | 5)\n".to_owned()
                + &levels(|n| format!("A{} ::= INTEGER (A{n} | (ALL EXCEPT A{n}) | (A{n} EXCEPT 3) | A{n})", n + 1)),
        ),
        (
            "single values",
            "A0 ::= UTF8String (\"a\" | \"b\")\n".to_owned()
                + &levels(|n| format!("A{} ::= UTF8String (A{n} | A{n})", n + 1)),
        ),
        (
            "single values of lists",
            "L ::= SEQUENCE OF L\na0 L ::= {}\nA0 ::= L ({} | {{}})\n".to_owned()
                + &levels(|n| format!("a{} L ::= {{a{n}, a{n}}}\nA{} ::= L (A{n} | a{n} | A{n})", n + 1, n + 1)),
        ),
        (
            "alphabets",
            "A0 ::= UTF8String (FROM (\"ace\"))\n".to_owned()
                + &levels(|n| format!("A{} ::= UTF8String (FROM (A{n} | \"x\" | A{n} | (A{n} EXCEPT \"c\")))", n + 1)),
        ),
        (
            "mixed constraints",
            "A0 ::= UTF8String (SIZE (1) | FROM (\"a\"))\n".to_owned()
                + &levels(|n| format!("A{} ::= UTF8String (A{n} | (A{n} EXCEPT (SIZE (1) | A{n})) | \"x{n}\")", n + 1)),
        ),
        (
            "nested set arithmetic",
            format!(
                "A ::= UTF8String ({}\"a\"{})",
                "(".repeat(20),
                list(20, "", |n| format!("| SIZE ({n}) | FROM (\"{n}\")) ^ (\"a\" | \"b\" | SIZE (1))"))
            ),
        ),
        (
            "components in constraints",
            "A ::= SEQUENCE { a A OPTIONAL, b A OPTIONAL }\nA0 ::= A (WITH COMPONENTS {..., a PRESENT})\n".to_owned()
                + &levels(|n| format!("A{} ::= A (WITH COMPONENTS {{..., a (A{n}), b (A{n})}})", n + 1)),
        ),
        (
            "elements in constraints",
            "L ::= SEQUENCE OF L\nA0 ::= L (SIZE (1))\n".to_owned()
                + &levels(|n| format!("A{} ::= L (WITH COMPONENT (A{n}) | WITH COMPONENT (A{n} | A{n}))", n + 1)),
        ),
        (
            "patterns",
            "A0 ::= UTF8String (PATTERN \"a*\")\n".to_owned()
                + &levels(|n| format!("A{} ::= UTF8String (A{n} ^ A{n} ^ PATTERN \"b#(1,{n})\")", n + 1)),
        ),
        (
            "patterns by reference",
            "a0 UTF8String ::= \"(ab|c)\"\n".to_owned()
                + &levels(|n| format!("a{} UTF8String ::= {{a{n}, a{n}}}\nA{n} ::= UTF8String (PATTERN a{n})", n + 1)),
        ),
        (
            "tags of CHOICEs",
            "A0 ::= CHOICE { a [0] NULL, b [1] NULL }\n".to_owned()
                + &levels(|n| format!("A{} ::= CHOICE {{ a A{n}, b A{n}, c [{}] NULL }}", n + 1, n + 2)),
        ),
        (
            "selections",
            "A0 ::= CHOICE { a NULL, b INTEGER }\n".to_owned()
                + &levels(|n| format!("A{} ::= CHOICE {{ a a < A{n}, b b < A{n} }}", n + 1)),
        ),
        (
            "types that are parts",
            "A0 ::= SEQUENCE { a NULL }\n".to_owned()
                + &levels(|n| format!("A{} ::= SEQUENCE {{ a A{n}, b A{n} }}", n + 1)),
        ),
        (
            "named numbers",
            "a0 INTEGER ::= 1\n".to_owned()
                + &levels(|n| format!("A{n} ::= INTEGER {{ x(a{n}) }}\na{} A{n} ::= x", n + 1)),
        ),
        (
            "syntax",
            format!(
                "C ::= CLASS {{ &a INTEGER }} WITH SYNTAX {{ {}A &a{} }}\no C ::= {{ A 5 }}",
                "[A ".repeat(60),
                "]".repeat(60)
            ),
        ),
    ]
}

/// Constructs that take the product of two parts of the text.
fn products() -> Vec<(&'static str, String)> {
    const N: usize = 600;
    let numbers = || list(N, " | ", |n| (2 * n).to_string());
    let components = |more: &str| list(N, ", ", |n| format!("a{n} INTEGER{more}"));
    let class = "C ::= CLASS { &id INTEGER, &n INTEGER, &Type } WITH SYNTAX { &id &n &Type }\n";
    let set = || format!("{class}S C ::= {{ {} }}\n", list(N, " | ", |n| format!("{{ {n} {n} NULL }}")));
    vec![
        ("references to ranges", format!("A ::= INTEGER ({})\n", numbers()) + &each(N, |n| format!("B{n} ::= A"))),
        ("subsets of ranges", format!("A ::= INTEGER ({})\n", numbers()) + &each(N, |n| format!("B{n} ::= A (2)"))),
        (
            "subsets of an ENUMERATED",
            format!("A ::= ENUMERATED {{ {} }}\n", list(N, ", ", |n| format!("a{n}")))
                + &each(N, |n| format!("B{n} ::= A (ALL EXCEPT a{n})")),
        ),
        (
            "values of a list of strings",
            format!("A ::= UTF8String ({})\n", list(N, " | ", |n| format!("\"{n}\"")))
                + &each(N, |n| format!("b{n} A ::= \"{n}\"")),
        ),
        (
            "copies of components",
            format!("A ::= SEQUENCE {{ {} }}\n", components(""))
                + &each(N, |n| format!("B{n} ::= SEQUENCE {{ COMPONENTS OF A }}")),
        ),
        (
            "copies of components in a copy",
            format!("A ::= SEQUENCE {{ x SEQUENCE {{ {} }} }}\n", components(""))
                + &each(N, |n| format!("B{n} ::= SEQUENCE {{ COMPONENTS OF A }}")),
        ),
        (
            "instances of a large template",
            format!("P{{T}} ::= SEQUENCE {{ {} }}\n", list(N, ", ", |n| format!("a{n} T")))
                + &each(N, |n| format!("B{n} ::= P{{INTEGER ({n})}}")),
        ),
        (
            "instances of a large value",
            format!("p{{INTEGER:x}} L ::= {{ {} }}\nL ::= SEQUENCE OF INTEGER\n", list(N, ", ", |_| "x".to_owned()))
                + &each(N, |n| format!("b{n} L ::= p{{{n}}}")),
        ),
        (
            "uses of a large literal",
            format!(
                "P{{UTF8String:x}} ::= SEQUENCE {{ {} }}\n",
                list(N, ", ", |n| format!("a{n} UTF8String DEFAULT x"))
            ) + &format!("A ::= P{{\"{}\"}}", "x".repeat(4000)),
        ),
        (
            "alternatives that are one CHOICE",
            format!("A ::= CHOICE {{ {} }}\n", list(N, ", ", |n| format!("a{n} [{n}] NULL")))
                + &format!("B ::= CHOICE {{ {} }}", list(N, ", ", |n| format!("b{n} A"))),
        ),
        (
            "components that are one CHOICE",
            format!("A ::= CHOICE {{ {} }}\n", list(N, ", ", |n| format!("a{n} [{n}] NULL")))
                + &format!("B ::= SEQUENCE {{ {} }}", list(N, ", ", |n| format!("b{n} A"))),
        ),
        (
            "objects of a class with DEFAULTs",
            format!("D ::= CLASS {{ {} }}\n", list(N, ", ", |n| format!("&a{n} INTEGER DEFAULT {n}")))
                + &each(N, |n| format!("o{n} D ::= {{}}")),
        ),
        (
            "objects that are others",
            format!("D ::= CLASS {{ &a UTF8String }}\no D ::= {{ &a \"{}\" }}\n", "x".repeat(N * 10))
                + &each(N, |n| format!("o{n} D ::= o")),
        ),
        ("sets of one set", set() + &each(N, |n| format!("S{n} C ::= {{ S }}"))),
        (
            "tables of one set",
            set() + &each(N, |n| format!("T{n} ::= SEQUENCE {{ id C.&id({{S}}), v C.&Type({{S}}{{@id}}) }}")),
        ),
        (
            "relations of one set",
            set() + &each(N, |n| format!("T{n} ::= SEQUENCE {{ id C.&id({{S}}), v C.&n({{S}}{{@id}}) }}")),
        ),
        ("columns of one set", set() + &each(N, |n| format!("T{n} ::= C.&id({{S}})"))),
        (
            "values with DEFAULTs and OPTIONALs",
            format!("A ::= SEQUENCE {{ {} }}\n", components(" OPTIONAL")) + &each(N, |n| format!("b{n} A ::= {{}}")),
        ),
        (
            "constraints of some components",
            format!("A ::= SEQUENCE {{ {} }}\n", components(" OPTIONAL"))
                + &each(N, |n| format!("B{n} ::= A (WITH COMPONENTS {{..., a{n} PRESENT}})")),
        ),
        (
            "bits with large numbers",
            "A ::= BIT STRING { a(65535) }\n".to_owned() + &each(N, |n| format!("b{n} A ::= {{a}}")),
        ),
        (
            "DEFAULTs of bits",
            "A ::= BIT STRING { a(65535) }\n".to_owned()
                + &format!("B ::= SEQUENCE {{ {} }}", list(N, ", ", |n| format!("b{n} A DEFAULT {{a}}"))),
        ),
        ("long names", {
            let name = "n".repeat(N * 10);
            format!("A ::= SEQUENCE {{ {name} NULL }}\n")
                + &each(N, |n| format!("B{n} ::= SEQUENCE {{ COMPONENTS OF A }}"))
        }),
        ("messages with long names", {
            let name = "N".repeat(N * 10);
            format!("{name} ::= CLASS {{ &a NULL }}\nD ::= {name}\n") + &each(N, |n| format!("B{n} ::= D.&b"))
        }),
        ("chains of references", each(N, |n| format!("A{n} ::= A{}", n + 1)) + &format!("A{N} ::= NULL")),
        (
            "items that are used in many",
            "A ::= SEQUENCE { a NULL }\n".to_owned()
                + &each(N, |n| format!("B{n} ::= SEQUENCE {{ a A, b A OPTIONAL }}")),
        ),
        ("deep braces", format!("a A ::= {}{}", "{".repeat(N * 5), "}".repeat(N * 5))),
        ("deep parentheses in braces", format!("a A ::= {{{}{}}}", "(".repeat(N * 5), ")".repeat(N * 5))),
        (
            "deep braces in what is skipped",
            format!("ENCODING-CONTROL PER {}{}", "{ ".repeat(N * 5), "} ".repeat(N * 5)),
        ),
    ]
}

/// Runs something and gives the memory it took at most.
fn measured<T>(run: impl FnOnce() -> T) -> (T, usize) {
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let made = run();
    (made, ALLOCATED.peak_usage().saturating_sub(before))
}

/// A form that a schema is written in.
#[derive(Clone, Copy, Debug)]
enum Form {
    Rust,
    C,
    Python,
    Markdown,
    Html,
    /// What is wrong with the modules, as `tagwise compile --json` has it.
    Json,
}

/// Memory is that of the whole process, so that one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Every bomb, as a module.
fn bombs() -> impl Iterator<Item = (String, String)> {
    let all = doubled().into_iter().chain(products());
    all.flat_map(|(name, body)| {
        ["", "AUTOMATIC TAGS"]
            .map(|tags| (format!("{name} {tags}"), format!("M DEFINITIONS {tags} ::= BEGIN\n{body}\nEND\n")))
    })
}

fn hold(wrong: &mut Vec<String>, name: &str, stage: &str, text: &str, taken: usize) {
    if taken > bound(text.len()) {
        wrong.push(format!("{name}: {stage} takes {taken} bytes for {} of text", text.len()));
    }
}

/// Writes all bombs in a form, and lists those that take too much memory, or whose files are larger than is allowed.
fn written(form: Form) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut wrong = Vec::new();
    let mut made = 0;
    for (name, text) in bombs() {
        let compilation = compile_within(vec![Source::new("m.asn1", &text)], &LIMITS);
        if matches!(form, Form::Json) {
            let json =
                || compilation.diagnostics().list().iter().map(|one| one.json(compilation.sources()).len()).sum();
            let (bytes, taken): (usize, usize) = measured(json);
            hold(&mut wrong, &name, "JSON", &text, taken.max(bytes));
            made += 1;
            continue;
        }
        let Some(model) = compilation.into_model() else { continue };
        let (bytes, taken) = measured(|| emitted(&model, form));
        hold(&mut wrong, &name, &format!("{form:?}"), &text, taken);
        if bytes.is_some_and(|bytes| bytes as u64 > 2 * LIMITS.allowance(text.len())) {
            wrong.push(format!("{name}: {form:?} has {bytes:?} bytes"));
        }
        made += usize::from(bytes.is_some());
    }
    assert!(wrong.is_empty() && made > 20, "{made} made\n{}", wrong.join("\n"));
}

/// The bytes of all files; nothing where they would be too many.
fn emitted(model: &Model, form: Form) -> Option<usize> {
    // As the builder has it: what tables are too large for is too large for files.
    let tables = Schema::from_model(model);
    if tables.as_ref().is_err_and(|problems| problems.iter().any(|one| one.is_limit)) {
        return None;
    }
    let mut notes = Vec::new();
    let files = match form {
        Form::C => c::emit(model, &tables.ok()?, &Overlay::default(), &c::Options::default(), &mut notes),
        Form::Python => {
            python::emit(model, &tables.ok()?, &Overlay::default(), &python::Options::default(), &mut notes)
        }
        _ => {
            let plan = lower(model, &Overlay::default()).ok()?;
            match form {
                Form::Markdown => doc::emit(&plan, doc::PageFormat::Markdown),
                Form::Html => doc::emit(&plan, doc::PageFormat::Html),
                _ => rust::emit(&plan, &rust::Options::default()),
            }
        }
    };
    Some(files.ok()?.iter().map(|file| file.text.len()).sum())
}

#[test]
fn rust() {
    written(Form::Rust);
}

#[test]
fn c() {
    written(Form::C);
}

#[test]
fn python() {
    written(Form::Python);
}

#[test]
fn markdown() {
    written(Form::Markdown);
}

#[test]
fn html() {
    written(Form::Html);
}

#[test]
fn json() {
    written(Form::Json);
}

/// Files grow with their schema and no faster: twice the objects, twice the text.
#[test]
fn large_sets_are_linear() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes = |count: usize, form: Form| {
        let objects = list(count, " | ", |n| format!("{{ {{1 2 {n}}} INTEGER }}"));
        let text = format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nC ::= CLASS {{ &id OBJECT IDENTIFIER UNIQUE, &T }} WITH SYNTAX {{ &id &T }}\n\
             S C ::= {{ {objects} }}\nU ::= SEQUENCE {{ i C.&id({{S}}), v C.&T({{S}}{{@i}}) }}\nEND\n"
        );
        let compilation = compile_within(vec![Source::new("m.asn1", &text)], &Limits::DEFAULT);
        emitted(&compilation.into_model().unwrap(), form).unwrap()
    };
    for form in [Form::Rust, Form::C, Form::Python, Form::Markdown] {
        let (one, two) = (bytes(1000, form), bytes(2000, form));
        assert!(two < 3 * one, "{form:?}: {one} bytes, then {two}");
    }
}

/// Runs what comes before files, and lists the stages that took too much memory.
fn too_much(name: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let source = Source::new("m.asn1", text);
    hold(&mut wrong, name, "layout", text, measured(|| layout_within(&source, &LIMITS).is_ok()).1);
    let (compilation, taken) = measured(|| compile_within(vec![source.clone()], &LIMITS));
    hold(&mut wrong, name, "compile", text, taken);
    hold(&mut wrong, name, "render", text, measured(|| compilation.render()).1);
    let errors = compilation.diagnostics().list().iter().filter(|one| one.severity == Severity::Error);
    let limits = errors.filter(|one| one.code == "limit" && one.message.contains("takes more than")).count();
    if limits > 1 {
        wrong.push(format!("{name}: several errors of the limit"));
    }
    let Some(model) = compilation.into_model() else { return wrong };
    hold(&mut wrong, name, "tables", text, measured(|| Schema::from_model(&model).is_ok()).1);
    wrong
}

#[test]
fn memory_stays_within_the_allowance() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let wrong: Vec<String> = bombs().flat_map(|(name, text)| too_much(&name, &text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // An error of the limit is the last one, and says where.
    let body = doubled().into_iter().find(|(name, _)| *name == "object identifiers").unwrap().1;
    let text = format!("M DEFINITIONS ::= BEGIN\n{body}\nEND\n");
    let compilation = compile_within(vec![Source::new("m.asn1", &text)], &LIMITS);
    let [one] = compilation.diagnostics().list() else { panic!("{}", compilation.render()) };
    assert_eq!((one.code, compilation.diagnostics().errors()), ("limit", 1));
    assert!(one.render(compilation.sources()).contains(" RELATIVE-OID ::= {"), "{}", compilation.render());
}
