//! Names and literals of Python.

use crate::emit::names::plain;

/// Python's keywords, and the two names that every function knows as something else.
const KEPT: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "self", "cls",
];

/// A name of ASN.1 as a name of Python: hyphens become underscores, and keywords get one behind them.
pub(super) fn ident(name: &str) -> String {
    let plain = plain(name);
    if KEPT.contains(&plain.as_str()) { plain + "_" } else { plain }
}

/// A text as a literal on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            ' '..='~' => literal.push(character),
            _ if u32::from(character) < 0x100 => literal.push_str(&format!("\\x{:02x}", u32::from(character))),
            _ if u32::from(character) < 0x10000 => literal.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => literal.push_str(&format!("\\U{:08x}", u32::from(character))),
        }
    }
    literal.push('"');
    literal
}

/// Lines as a docstring, indented.
pub(super) fn docstring(lines: &[String], indent: &str) -> String {
    let escaped = |line: &String| line.replace('\\', "\\\\").replace('"', "\\\"");
    match lines {
        [] => String::new(),
        [one] => format!("{indent}\"\"\"{}\"\"\"\n", escaped(one)),
        several => {
            let text: String = several
                .iter()
                .map(|line| match line.trim_end() {
                    "" => "\n".to_owned(),
                    line => format!("{indent}{}\n", escaped(&line.to_owned())),
                })
                .collect();
            format!("{indent}\"\"\"{}{indent}\"\"\"\n", text.trim_start())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(quoted("a\"\\\n\u{e9}\u{20ac}\u{1f600}"), "\"a\\\"\\\\\\n\\xe9\\u20ac\\U0001f600\"");
        assert_eq!((ident("a-b"), ident("class")), ("a_b".to_owned(), "class_".to_owned()));
        assert_eq!(docstring(&["A ::= \"b\"".to_owned()], "  "), "  \"\"\"A ::= \\\"b\\\"\"\"\"\n");
        let lines = ["A ::= {".to_owned(), "  b".to_owned(), "}".to_owned()];
        assert_eq!(docstring(&lines, "  "), "  \"\"\"A ::= {\n    b\n  }\n  \"\"\"\n");
    }
}
