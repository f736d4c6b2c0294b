//! Python names and literals.

use crate::lower::names::plain;

/// Python's keywords, and the two names with a special meaning in every function.
const KEPT: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "self", "cls",
];

/// Converts an ASN.1 name to a Python name: hyphens become underscores, and keywords get a trailing underscore.
pub(super) fn ident(name: &str) -> String {
    let plain = plain(name);
    if KEPT.contains(&plain.as_str()) { plain + "_" } else { plain }
}

/// The modules of Python's standard library (3.9 to 3.14), and this package. A generated file with such a name would be
/// imported in their place.
const MODULES: &str = "\
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii \
    bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
    compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm \
    decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch \
    fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http \
    idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma \
    mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath \
    nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform \
    plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri \
    random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site \
    smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string \
    stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tagwise tarfile telnetlib tempfile termios \
    test textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle \
    turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound \
    wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// Returns the reason that this name is not allowed for a file, or `None` if it is allowed.
pub(super) fn kept_module(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    if MODULES.split(' ').any(|module| module == lower) {
        return Some("would be imported instead of Python's own module or this package");
    }
    let is_word = KEPT.contains(&name) || KEPT.contains(&lower.as_str());
    (is_word || name.starts_with(|first: char| first.is_ascii_digit())).then_some("cannot be imported by name")
}

/// Formats a text as a literal on one line.
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

/// Formats lines as an indented docstring.
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
        let kept = ["types", "Typing", "tagwise", "class", "3gpp"].map(|name| kept_module(name).is_some());
        assert_eq!((kept, kept_module("ldap")), ([true; 5], None));
        assert_eq!(docstring(&["A ::= \"b\"".to_owned()], "  "), "  \"\"\"A ::= \\\"b\\\"\"\"\"\n");
        let lines = ["A ::= {".to_owned(), "  b".to_owned(), "}".to_owned()];
        assert_eq!(docstring(&lines, "  "), "  \"\"\"A ::= {\n    b\n  }\n  \"\"\"\n");
    }
}
