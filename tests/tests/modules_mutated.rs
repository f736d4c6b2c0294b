//! Published modules, damaged: cut, spliced with others, tokens exchanged. Whatever comes of it, the compiler says what is wrong or
//! makes tables that decode, and takes no more than in proportion to the text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_schema::{compile, layout};
use tagwise_tables::{Error, Schema, Source};
use tagwise_tests::corpora;
use tagwise_tests::mutate::Random;

/// Where the tokens of a text are, roughly: words with their hyphens, strings, and all other characters alone.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if first.is_whitespace() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let word = |c: char| c.is_alphanumeric() || c == '-' || c == '&';
        let inside = |c: char| match first {
            '"' => c != '"',
            ':' => c == ':' || c == '=',
            '.' => c == '.',
            _ => word(first) && word(c),
        };
        while let Some((at, next)) = chars.next_if(|(_, next)| inside(*next)) {
            end = at + next.len_utf8();
        }
        found.push((start, end));
    }
    found
}

/// What stands in many modules, and what stands in few.
const WORDS: &[&str] = &[
    "SEQUENCE",
    "SET",
    "OF",
    "CHOICE",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[[",
    "]]",
    "...",
    "::=",
    "|",
    "^",
    "EXCEPT",
    "@",
    "@.a",
    "..",
    "<",
    "MIN",
    "MAX",
    "SIZE",
    "FROM",
    "WITH COMPONENTS",
    "WITH COMPONENT",
    "CONTAINING",
    "ENCODED BY",
    "PATTERN",
    "SETTINGS",
    "INCLUDES",
    "CLASS",
    "WITH SYNTAX",
    "&Type",
    "&id",
    "UNIQUE",
    "DEFAULT",
    "OPTIONAL",
    "COMPONENTS OF",
    "INSTANCE OF",
    "ANY DEFINED BY",
    "MACRO",
    "END",
    "BEGIN",
    "DEFINITIONS",
    "IMPORTS",
    "EXPORTS",
    ";",
    ",",
    "'0'H",
    "\"a\"",
    "--",
    "/*",
    "*/",
    "0",
    "-1",
    "1E5",
    "99999999999999999999999999999999999999999999",
    "CONSTRAINED BY",
    "!",
    "INTEGER",
    "REAL",
    "TIME",
    "\u{E9}",
    "\0",
];

/// A text of another, with a third beside it.
fn damaged(text: &str, other: &str, random: &mut Random) -> String {
    let (all, others) = (tokens(text), tokens(other));
    if all.is_empty() || others.is_empty() {
        return other.to_owned();
    }
    let one = *random.pick(&all);
    let two = *random.pick(&all);
    let strange = *random.pick(&others);
    let replaced = |(start, end): (usize, usize), with: &str| format!("{}{with}{}", &text[..start], &text[end..]);
    match random.below(10) {
        0 => text[..one.0].to_owned(),
        1 => text[one.0..].to_owned(),
        2 => format!("{}{}", &text[..one.0], &other[strange.0..]),
        3 => replaced(one, ""),
        4 => replaced(one, &other[strange.0..strange.1]),
        5 => {
            let (first, second) = if one.0 <= two.0 { (one, two) } else { (two, one) };
            if first.1 > second.0 {
                return replaced(first, "");
            }
            let (begin, middle, end) = (&text[..first.0], &text[first.1..second.0], &text[second.1..]);
            format!("{begin}{}{middle}{}{end}", &text[second.0..second.1], &text[first.0..first.1])
        }
        6 => {
            let (start, end) = (one.0.min(two.0), one.1.max(two.1).min(one.0.min(two.0) + 400));
            let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap();
            replaced((start, start), &format!("{} ", &text[start..end]))
        }
        7 => {
            let nest = *random.pick(&["(", "{", "[0] ", "SEQUENCE OF ", "SEQUENCE { a ", "((", "CHOICE { a ", "A { "]);
            replaced((one.0, one.0), &nest.repeat(1 + random.below(300)))
        }
        _ => replaced(one, random.pick::<&str>(WORDS)),
    }
}

/// Compiles, and makes tables if that goes well; whether it does.
fn check(text: &str) -> bool {
    let source = Source::new("damaged.asn1", text);
    if let Ok(once) = layout(&source) {
        // What is laid out is laid out already.
        let again = layout(&Source::new("again", &once));
        let again = again.ok().unwrap_or_default();
        let differs = again.lines().zip(once.lines()).find(|(one, other)| one != other);
        assert!(again == once, "{differs:?}\n{once}\n{again}");
    }
    match Schema::compile([source.clone()]) {
        Ok(schema) => {
            for name in schema.names().iter().take(50) {
                // Two modules may have a type of the same name.
                let Ok(ty) = schema.ty(&format!("{}.{}", name.module, name.name)) else { continue };
                for octets in [&[][..], &[0x30, 0], &[0x31, 3, 2, 1, 5], &[5, 0], &[0xA0, 4, 4, 2, 5, 0]] {
                    if let Ok(read) = ty.decode(octets) {
                        let json = tagwise_jer::to_string(ty.types(), &read.value);
                        assert!(tagwise_jer::from_str(&ty, &json).is_ok(), "{} {json} in {text}", name.name);
                    }
                }
            }
            true
        }
        Err(Error::Modules(compilation)) => {
            assert!(compilation.diagnostics().errors() > 0 && !compilation.render().is_empty());
            false
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn texts() -> Vec<String> {
    let Some(folder) = corpora::set("asn1-modules") else { return Vec::new() };
    let is_module = |path: &String| path.ends_with(".asn") || path.ends_with(".asn1");
    let files = corpora::files(&folder).into_iter().filter(|(path, _)| is_module(path));
    let texts = files.map(|(path, octets)| Source::from_bytes(&path, &octets).text().to_owned());
    texts.filter(|text| text.len() < 30_000).collect()
}

#[test]
fn damaged_modules() {
    let texts = texts();
    let mut random = Random(0x7461_6777_6973_6541);
    let (mut good, mut all) = (0, 0);
    for text in &texts {
        for _ in 0..6 {
            let other = random.pick(&texts);
            let mut text = damaged(text, other, &mut random);
            if random.below(3) == 0 {
                text = damaged(&text, other, &mut random);
            }
            good += usize::from(check(&text));
            all += 1;
        }
    }
    println!("{all} texts, {good} of them compile");
    assert!(all == 0 || (good > 0 && good < all));
}

/// Small modules that say much, damaged more often.
#[test]
fn damaged_small_modules() {
    let mut random = Random(0x7461_6777_6973_6542);
    let texts: Vec<String> = tagwise_tests::generated::CASES
        .iter()
        .map(|case| tagwise_tests::generated::text(case).unwrap().to_owned())
        .collect();
    let (mut good, mut all) = (0, 0);
    for _ in 0..1500 {
        let other = random.pick(&texts);
        let text = damaged(random.pick::<String>(&texts), other, &mut random);
        good += usize::from(check(&text));
        all += 1;
    }
    assert!(good > 0 && good < all, "{good} of {all}");
}

/// Hundreds of kilobytes of one thing: were each compared with all others, or with all of the text, this would not end.
#[test]
fn much_of_the_same() {
    const SIZE: usize = 400_000;
    let mut big = Vec::new();
    let repeat = |unit: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for index in 0.. {
            if text.len() > SIZE {
                break;
            }
            text.push_str(&unit(index));
        }
        text
    };
    let module = |body: String| format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END");
    // Types, values, components, alternatives, items, names and references; well-formed and not.
    big.push((
        true,
        module(repeat(&|n| format!("T{n} ::= SEQUENCE {{ a INTEGER (0..{n}), b T{} OPTIONAL }}\n", n / 2))),
    ));
    big.push((true, module(repeat(&|n| format!("v{n} INTEGER ::= {n}\n")))));
    big.push((
        true,
        module(format!("T ::= SEQUENCE {{ {} z NULL }}", repeat(&|n| format!("c{n} INTEGER OPTIONAL,\n")))),
    ));
    big.push((true, module(format!("T ::= CHOICE {{ {} z NULL }}", repeat(&|n| format!("c{n} UTF8String,\n"))))));
    big.push((true, module(format!("T ::= ENUMERATED {{ {} z }}", repeat(&|n| format!("c{n},\n"))))));
    big.push((true, module(format!("T ::= INTEGER {{ {} z(-1) }}", repeat(&|n| format!("c{n}({n}),\n"))))));
    big.push((true, repeat(&|n| format!("M{n} DEFINITIONS ::= BEGIN A ::= NULL END\n"))));
    big.push((true, module(format!("T ::= INTEGER ( {} 0)", repeat(&|n| format!("{n} |\n"))))));
    big.push((
        true,
        module(format!("T ::= UTF8String (FROM ( {} \"z\"))", repeat(&|n| format!("\"{}\" |\n", n % 10)))),
    ));
    big.push((false, module(repeat(&|_| "A ::= NULL\n".to_owned()))));
    big.push((false, module(repeat(&|n| format!("A{n} ::= B{n}\n")))));
    big.push((false, module(repeat(&|n| format!("A{n} ::= SEQUENCE {{ a INTEGER, a NULL }}\n")))));
    big.push((false, repeat(&|_| "} ".to_owned())));
    big.push((false, repeat(&|_| "A ::= {".to_owned())));
    big.push((false, repeat(&|_| "\" ".to_owned())));
    big.push((false, repeat(&|_| "M DEFINITIONS ::= BEGIN A ::= INTEGER (\n".to_owned())));
    big.push((false, module(format!("A ::= {} NULL", repeat(&|_| "SEQUENCE OF ".to_owned())))));
    big.push((false, module(format!("A ::= INTEGER {}", repeat(&|_| "(".to_owned())))));
    big.push((false, module(repeat(&|n| format!("A{n} ::= A{}\n", n + 1)))));
    for (good, text) in big {
        let start = std::time::Instant::now();
        let compilation = compile(vec![Source::new("big.asn1", &text)]);
        let said = compilation.render();
        assert_eq!(
            compilation.diagnostics().errors() == 0,
            good,
            "{} {}",
            &text[..100],
            said.get(..400).unwrap_or(&said)
        );
        assert!(said.len() < 20 * text.len());
        check(&text);
        println!("{:?} for {} octets of {:?}", start.elapsed(), text.len(), &text[..60]);
    }
}
