//! The depth budget holds the stack: everything that nests, as deep as the limits allow and deeper, on the stack of a thread of
//! a test, in whatever way the compiler was compiled.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tagwise_schema::{Source, compile, layout};

/// As much as `std::thread` gives.
const STACK: usize = 2 << 20;

fn chain(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// Something around something, so many times.
fn nested(count: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

/// Constructs nested `n` levels deep.
fn texts(n: usize) -> Vec<String> {
    let list = "L ::= SEQUENCE OF L\nA ::= SEQUENCE { a A OPTIONAL }\nC ::= CHOICE { a C, b NULL }\n";
    let class = "O ::= CLASS { &o O OPTIONAL, &S O OPTIONAL, &v INTEGER OPTIONAL, &T OPTIONAL }\n";
    vec![
        format!("B ::= {}", nested(n, "SEQUENCE { a ", "NULL", "}")),
        format!("B ::= {}", nested(n, "SET { a ", "NULL", "}")),
        format!("B ::= {}", nested(n, "CHOICE { a ", "NULL", "}")),
        format!("B ::= {}", nested(n, "SEQUENCE OF ", "NULL", "")),
        format!("B ::= {}", nested(n, "[0] EXPLICIT SEQUENCE (SIZE (1)) OF ", "NULL", "")),
        format!("B ::= {}", nested(n, "OCTET STRING (CONTAINING ", "NULL", ")")),
        format!("{list}b L ::= {}", nested(n, "{", "", "}")),
        format!("{list}b A ::= {}", nested(n, "{a ", "{}", "}")),
        format!("{list}b C ::= {}", nested(n, "a: ", "b: NULL", "")),
        format!("b UTF8String ::= {}", nested(n, "{", "\"a\"", "}")),
        format!("{list}B ::= SEQUENCE {{ l L DEFAULT {} }}", nested(n, "{", "", "}")),
        format!("B ::= INTEGER {}", nested(n, "(", "1", ")")),
        format!("B ::= INTEGER {}", nested(n, "(1 | ", "1", ")")),
        format!("B ::= INTEGER {}", nested(n, "(ALL EXCEPT ", "1", ")")),
        format!("B ::= INTEGER (0 EXCEPT {})", nested(n, "(2 ^ ", "1", ")")),
        format!("B ::= UTF8String (FROM {})", nested(n, "(\"a\" | ", "\"b\"", ")")),
        format!("B ::= OCTET STRING (SIZE {})", nested(n, "(1 | ", "2", ")")),
        format!("B ::= OCTET STRING ({})", nested(n, "SIZE (1) | (", "SIZE (2)", ")")),
        format!("{list}B ::= L {}", nested(n, "(WITH COMPONENT ", "(SIZE (1))", ")")),
        format!("{list}B ::= A {}", nested(n, "(WITH COMPONENTS {a ", "(WITH COMPONENTS {..., a ABSENT})", "})")),
        format!("{class}S O ::= {{ {} }}", nested(n, "(", "{&v 1}", ")")),
        format!("{class}s O ::= {}", nested(n, "{&o ", "{&v 1}", "}")),
        format!("{class}s O ::= {}", nested(n, "{&S {", "{&v 1}", "}}")),
        format!("P{{T}} ::= SEQUENCE {{ a T }}\nB ::= {}", nested(n, "P{", "NULL", "}")),
        format!(
            "K ::= CLASS {{ &v INTEGER }} WITH SYNTAX {{ {} }}\nk K ::= {{ {} 1 }}",
            nested(n, "[A ", "&v", "]"),
            "A ".repeat(n)
        ),
        // Chains in which each has to be computed before the next.
        chain(2 * n, |m| format!("b{m} INTEGER ::= b{}", m + 1)) + &format!("b{} INTEGER ::= 1", 2 * n),
        list.to_owned() + &chain(2 * n, |m| format!("b{m} L ::= {{b{}}}", m + 1)) + &format!("b{} L ::= {{}}", 2 * n),
        chain(2 * n, |m| format!("B{m} ::= INTEGER (B{} | 1)", m + 1)) + &format!("B{} ::= INTEGER", 2 * n),
        chain(2 * n, |m| format!("B{m} ::= SEQUENCE {{ COMPONENTS OF B{} }}", m + 1))
            + &format!("B{} ::= SEQUENCE {{}}", 2 * n),
        chain(2 * n, |m| format!("b{m} OBJECT IDENTIFIER ::= {{b{} 1}}", m + 1))
            + &format!("b{} OBJECT IDENTIFIER ::= {{1 2}}", 2 * n),
        class.to_owned()
            + &chain(2 * n, |m| format!("S{m} O ::= {{ S{} | {{&v {m}}} }}", m + 1))
            + &format!("S{} O ::= {{}}", 2 * n),
        class.to_owned() + &chain(2 * n, |m| format!("s{m} O ::= s{}", m + 1)) + &format!("s{} O ::= {{}}", 2 * n),
        class.to_owned()
            + &chain(2 * n, |m| format!("s{m} O ::= {{&v s{}.&v}}", m + 1))
            + &format!("s{} O ::= {{&v 1}}", 2 * n),
        chain(2 * n, |m| format!("B{m} ::= CHOICE {{ a a < B{} }}", m + 1))
            + &format!("B{} ::= CHOICE {{ a NULL }}", 2 * n),
        chain(n, |m| format!("b{m}{{INTEGER:x}} INTEGER ::= b{}{{x}}", m + 1))
            + &format!("b{n}{{INTEGER:x}} INTEGER ::= x\nb INTEGER ::= b0{{1}}"),
        chain(n, |m| format!("B{m}{{T}} ::= SEQUENCE {{ a B{}{{SET OF T}} }}", m + 1))
            + &format!("B{n}{{T}} ::= T\nB ::= B0{{NULL}}"),
    ]
}

/// Chains of definitions and depth at once.
fn both(n: usize) -> Vec<String> {
    let list = "L ::= SEQUENCE OF L\n";
    let class = "O ::= CLASS { &v INTEGER OPTIONAL }\n";
    vec![
        // A chain whose links stand deep inside of what they are linked from.
        chain(2 * n, |m| {
            let inner = format!("SEQUENCE {{ COMPONENTS OF B{} }}", m + 1);
            format!("B{m} ::= {}", nested(n.min(50), "SEQUENCE { a ", &inner, "}"))
        }) + &format!("B{} ::= SEQUENCE {{}}", 2 * n),
        chain(2 * n, |m| format!("B{m} ::= INTEGER {}", nested(n.min(50), "(", &format!("B{}", m + 1), ")")))
            + &format!("B{} ::= INTEGER", 2 * n),
        list.to_owned()
            + &chain(2 * n, |m| format!("b{m} L ::= {}", nested(n.min(50), "{", &format!("b{}", m + 1), "}")))
            + &format!("b{} L ::= {{}}", 2 * n),
        class.to_owned()
            + &chain(2 * n, |m| format!("S{m} O ::= {{ {} }}", nested(n.min(50), "(", &format!("S{}", m + 1), ")")))
            + &format!("S{} O ::= {{}}", 2 * n),
    ]
}

fn run(text: &str) -> usize {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND\n");
    let build = std::thread::Builder::new().stack_size(STACK);
    let run = move || {
        let source = Source::new("m", &text);
        let _ = layout(&source);
        let compilation = compile(vec![source]);
        let _ = compilation.render();
        compilation.diagnostics().errors()
    };
    build.spawn(run).unwrap().join().unwrap()
}

#[test]
fn nested_types_do_not_overflow_the_stack() {
    for levels in [63, 64, 300] {
        for text in texts(levels).into_iter().chain(both(levels)) {
            // That it comes back is the test.
            run(&text);
        }
    }
}

/// Published modules need 20 levels.
#[test]
fn twenty_levels_are_accepted() {
    for text in texts(20) {
        assert_eq!(run(&text), 0, "{}", text.chars().take(200).collect::<String>());
    }
}
