//! C names and literals.

use crate::lower::names::plain;

/// The reserved words of C (up to C11) and C++ (up to C++20), and the macros of the headers that generated code includes.
const KEPT: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "NULL",
    "offsetof",
    "SIZE_MAX",
];

/// Converts an ASN.1 name to a C name: hyphens become underscores, and reserved words get a trailing underscore.
pub(super) fn ident(name: &str) -> String {
    let plain = plain(name);
    if KEPT.contains(&plain.as_str()) { plain + "_" } else { plain }
}

/// The headers of the C standard library and of this library. A generated file with such a name could be included in their
/// place on some systems, regardless of letter case.
const HEADERS: &[&str] = &[
    "assert",
    "complex",
    "ctype",
    "errno",
    "fenv",
    "float",
    "inttypes",
    "iso646",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbit",
    "stdbool",
    "stdckdint",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "tagwise",
    "tgmath",
    "threads",
    "time",
    "uchar",
    "wchar",
    "wctype",
];

/// Returns the reason that this name is not allowed for a header file, or `None` if it is allowed.
pub(super) fn kept_header(name: &str) -> Option<&'static str> {
    HEADERS.contains(&name.to_ascii_lowercase().as_str()).then_some("is a header of C or of this library")
}

/// The maximum size of a string literal. C99 requires compilers to support 4095 characters (§5.2.4.1). Escapes may add to this
/// size.
const PIECE: usize = 1000;

/// Splits a text into string literals, one for each line or part of a long line.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut length = 0;
    for byte in text.bytes() {
        length += 1;
        match byte {
            b'\n' => piece.push_str("\\n"),
            b'\t' => piece.push_str("\\t"),
            // Two question marks begin a trigraph.
            b'"' | b'\\' | b'?' => piece.extend(['\\', char::from(byte)]),
            b' '..=b'~' => piece.push(char::from(byte)),
            _ => piece.push_str(&format!("\\{byte:03o}")),
        }
        if byte == b'\n' || length == PIECE {
            pieces.push(format!("\"{piece}\""));
            piece.clear();
            length = 0;
        }
    }
    if !piece.is_empty() {
        pieces.push(format!("\"{piece}\""));
    }
    pieces
}

/// Makes a line safe after `//`. A backslash at its end would join the next line, and two question marks can begin a
/// trigraph for a backslash.
pub(super) fn comment(line: &str) -> String {
    let line = line.replace("??", "? ?");
    match line.trim_end() {
        trimmed if trimmed.ends_with('\\') => format!("{trimmed}."),
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::names::Names;

    #[test]
    fn names() {
        assert_eq!((ident("a-b"), ident("class"), plain("class")), ("a_b".into(), "class_".into(), "class".into()));
        let mut names = Names::default();
        assert_eq!((names.unique("a".into()), names.unique("a".into())), ("a".to_owned(), "a_".to_owned()));
        assert_eq!((names.unique("a".into()), names.unique("a".into())), ("a_2".to_owned(), "a_3".to_owned()));
        assert_eq!(names.unique_with("b".into(), &["_x", "_y"]), "b");
        assert_eq!(
            (names.unique("b_x".into()), names.unique_with("c".into(), &["_"])),
            ("b_x_".to_owned(), "c".to_owned())
        );
        assert_eq!((kept_header("Tagwise").is_some(), kept_header("ldap")), (true, None));
    }

    #[test]
    fn literals() {
        assert_eq!(pieces("a\"?\n\u{e9}"), ["\"a\\\"\\?\\n\"", "\"\\303\\251\""]);
        let long = "x".repeat(2500);
        assert_eq!(pieces(&long).iter().map(String::len).collect::<Vec<_>>(), [1002, 1002, 502]);
        assert_eq!((comment("a \\"), comment("what??/")), ("a \\.".to_owned(), "what? ?/".to_owned()));
    }
}
