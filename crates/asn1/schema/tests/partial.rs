//! Modules with errors, compiled as far as they are right.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_schema::{Compilation, Limits, Options, Source, compile_with};

fn compiled(texts: &[&str]) -> Compilation {
    let sources =
        texts.iter().enumerate().map(|(number, text)| Source::new(&format!("m{number}.asn1"), text)).collect();
    compile_with(sources, &Options::default().keep_going())
}

/// The names that were left out, and those that are there.
fn names(compilation: &Compilation) -> (Vec<String>, Vec<String>) {
    let omitted = compilation.omitted().iter().map(|one| format!("{}.{}", one.module, one.name)).collect();
    let model = compilation.model().unwrap_or_else(|| panic!("{}", compilation.render()));
    let all = model.modules.iter().flat_map(|module| {
        module.assignments.iter().map(|one| format!("{}.{}", module.name, one.name)).collect::<Vec<_>>()
    });
    (omitted, all.collect())
}

#[test]
fn dependents_of_a_defective_assignment_are_left_out() {
    let one = "M DEFINITIONS ::= BEGIN IMPORTS Far, Fine FROM N;
        A ::= SEQUENCE { b B OPTIONAL }
        B ::= SEQUENCE OF Missing
        C ::= SEQUENCE { f Far }
        D ::= SEQUENCE { f Fine, n INTEGER (0..max) }
        max INTEGER ::= 5
        e INTEGER ::= TRUE
        F ::= INTEGER (0..e)
        END";
    let other = "N DEFINITIONS ::= BEGIN EXPORTS Far, Fine; Far ::= Farther Fine ::= NULL END";
    let compilation = compiled(&[one, other]);
    let (omitted, kept) = names(&compilation);
    assert_eq!(omitted, ["M.A", "M.B", "M.C", "M.e", "M.F", "N.Far"]);
    assert_eq!(kept, ["M.D", "M.max", "N.Fine"]);
    // The errors are those of the modules as they are; what follows from them is told with what is left out.
    assert_eq!(compilation.diagnostics().errors(), 3, "{}", compilation.render());
    assert!(compilation.omissions()[0].starts_with("m0.asn1:2:9: A is omitted: there is no B in M"));
    assert_eq!(compilation.summary(), "2 modules with 3 assignments: 3 errors, 0 warnings, 6 omitted");
}

#[test]
fn text_that_cannot_be_read_is_left_out() {
    let (omitted, kept) = names(&compiled(&["M DEFINITIONS ::= BEGIN
        A ::= SEQUENCE { a NULL b NULL }
        B ::= SEQUENCE { a A }
        C ::= NULL
        d ::= 5
        E ::= INTEGER (
        F ::= BOOLEAN
        END"]));
    assert_eq!(omitted, ["M.A", "M.B", "M.d", "M.E"]);
    assert_eq!(kept, ["M.C", "M.F"]);
}

#[test]
fn second_definitions_and_templates_are_left_out() {
    let (omitted, kept) = names(&compiled(&["M DEFINITIONS ::= BEGIN
        A ::= NULL
        A ::= BOOLEAN
        B ::= SEQUENCE { a A }
        P{T} ::= SEQUENCE { t T, m Missing }
        Q ::= P{NULL}
        C ::= CLASS { &id INTEGER UNIQUE, &T }
        S C ::= { {&id 1, &T Q} | o }
        o C ::= {&id 2, &T B}
        END"]));
    assert_eq!(omitted, ["M.A", "M.P", "M.Q", "M.S"]);
    assert_eq!(kept, ["M.A", "M.B", "M.C", "M.o"]);
}

#[test]
fn a_right_module_is_whole_and_a_bomb_is_refused() {
    let (omitted, kept) = names(&compiled(&["M DEFINITIONS ::= BEGIN A ::= NULL END"]));
    assert_eq!((omitted.len(), kept.len()), (0, 1));
    let mut text = "M DEFINITIONS ::= BEGIN A0 ::= SEQUENCE { a NULL }\n".to_owned();
    for n in 0..40 {
        text += &format!("A{} ::= SEQUENCE {{ COMPONENTS OF A{n}, COMPONENTS OF A{n} }}\n", n + 1);
    }
    let mut limits = Limits::DEFAULT;
    limits.bytes = 1 << 20;
    let compilation = compile_with(vec![Source::new("m", &(text + "END"))], &Options::within(limits).keep_going());
    assert!(compilation.model().is_none() && compilation.omitted().is_empty());
}

#[test]
fn a_chain_ends_with_its_head() {
    let mut text = "M DEFINITIONS ::= BEGIN A0 ::= Missing\n".to_owned();
    for n in 0..100 {
        text += &format!("A{} ::= SEQUENCE {{ a A{n} }}\n", n + 1);
    }
    let compilation = compiled(&[&(text + "Z ::= NULL END")]);
    let (omitted, kept) = names(&compilation);
    assert_eq!((omitted.len(), kept), (101, vec!["M.Z".to_owned()]));
}
