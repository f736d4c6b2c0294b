//! The lexer (X.680 §12). Comments are dropped or kept separately.
//!
//! Reserved words are not distinguished from references, because WITH SYNTAX uses them as ordinary words. Strings are
//! delimited but not interpreted. Brackets are single tokens; the parser uses their positions to recognize pairs.

use crate::departure::Departure;
use crate::diagnostic::{Clause, Diagnostic, Diagnostics};
use crate::source::{Source, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TokenKind {
    /// A word that begins with an uppercase letter: a type, module, class or object set reference, or a reserved word.
    Upper,
    /// A word that begins with a lowercase letter: an identifier, or a value or object reference.
    Lower,
    /// `&Type`.
    UpperField,
    /// `&value`.
    LowerField,
    Number,
    Real,
    BString,
    HString,
    CString,
    /// `::=`
    Assign,
    /// `..`
    Range,
    /// `...`
    Ellipsis,
    /// A single-character token.
    Symbol(u8),
    /// The end of the text.
    End,
}

/// A token: its kind, and its position in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    /// The file's index.
    pub(crate) file: u32,
    pub(crate) source: Source,
    /// The tokens; the last one is `End`.
    pub(crate) list: Vec<Token>,
    /// The positions of comments.
    pub(crate) comments: Vec<Span>,
}

impl Tokens {
    /// Returns the text of a token.
    pub(crate) fn text(&self, token: Token) -> &str {
        self.source.text().get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// Returns the token at the given index, or the last one if the index is beyond the end.
    pub(crate) fn at(&self, index: usize) -> Token {
        self.list.get(index).or(self.list.last()).copied().unwrap_or(Token { kind: TokenKind::End, start: 0, end: 0 })
    }

    /// Returns the position of a token.
    pub(crate) fn span(&self, token: Token) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }
}

struct Lexer<'a> {
    text: &'a str,
    file: u32,
    at: usize,
    diagnostics: &'a mut Diagnostics,
}

/// Reads all tokens of a text. Invalid tokens are reported and omitted.
pub(crate) fn lex(file: u32, source: &Source, diagnostics: &mut Diagnostics) -> Tokens {
    let mut lexer = Lexer { text: source.text(), file, at: 0, diagnostics };
    let mut tokens = Tokens { file, source: source.clone(), list: Vec::new(), comments: Vec::new() };
    // Places are kept in 32 bits.
    if u32::try_from(source.text().len()).is_err() {
        lexer.complain(0, 0, "size", "the file is larger than 4 GiB".to_owned(), Clause::NONE);
        lexer.at = source.text().len();
    }
    loop {
        let start = lexer.at;
        match lexer.token(&mut tokens.comments) {
            Some(TokenKind::End) => break,
            Some(kind) => tokens.list.push(Token { kind, start: start as u32, end: lexer.at as u32 }),
            None => {}
        }
    }
    let end = lexer.text.len() as u32;
    tokens.list.push(Token { kind: TokenKind::End, start: end, end });
    tokens
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn complain(&mut self, start: usize, end: usize, code: &'static str, message: String, clause: Clause) {
        let span = self.span(start, end);
        self.diagnostics.push(Diagnostic::error(span, code, message, clause));
    }

    /// Reads one token. Returns `None` for blanks, comments and invalid characters.
    fn token(&mut self, comments: &mut Vec<Span>) -> Option<TokenKind> {
        if self.at >= self.text.len() {
            return Some(TokenKind::End);
        }
        let start = self.at;
        let byte = self.byte(0);
        let kind = match byte {
            b' ' | b'\t'..=b'\r' => {
                self.at += 1;
                return None;
            }
            b'-' if self.byte(1) == b'-' => {
                self.line_comment();
                comments.push(self.span(start, self.at));
                return None;
            }
            b'/' if self.byte(1) == b'*' => {
                self.block_comment();
                comments.push(self.span(start, self.at));
                return None;
            }
            b'A'..=b'Z' => self.word(TokenKind::Upper),
            b'a'..=b'z' => self.word(TokenKind::Lower),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'\'' => self.quoted(),
            b'&' if self.byte(1).is_ascii_uppercase() => {
                self.at += 1;
                self.word(TokenKind::UpperField)
            }
            b'&' if self.byte(1).is_ascii_lowercase() => {
                self.at += 1;
                self.word(TokenKind::LowerField)
            }
            b':' if self.rest().starts_with("::=") => self.take(3, TokenKind::Assign),
            b'.' if self.rest().starts_with("...") => self.take(3, TokenKind::Ellipsis),
            b'.' if self.byte(1) == b'.' => self.take(2, TokenKind::Range),
            b'{' | b'}' | b'<' | b'>' | b',' | b'.' | b'/' | b'(' | b')' | b'[' | b']' | b'-' | b':' | b'=' | b';'
            | b'@' | b'|' | b'!' | b'^' | b'*' => self.take(1, TokenKind::Symbol(byte)),
            _ => return self.foreign(),
        };
        Some(kind)
    }

    fn take(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    /// Reports a character that cannot begin a token.
    fn foreign(&mut self) -> Option<TokenKind> {
        let start = self.at;
        let char = self.rest().chars().next().unwrap_or(' ');
        self.at += char.len_utf8();
        // NO-BREAK SPACE is white space (§12.1.6); a byte order mark may begin a file.
        if char == '\u{A0}' || (char == '\u{FEFF}' && start == 0) {
            return None;
        }
        let (code, message) = if char.is_alphabetic() || char == '_' {
            while let Some(char) = self.rest().chars().next().filter(|char| char.is_alphanumeric() || *char == '_') {
                self.at += char.len_utf8();
            }
            ("character", "names consist of the letters A-Z and a-z, digits and hyphens".to_owned())
        } else {
            ("character", format!("unexpected character {char:?}"))
        };
        self.complain(start, self.at, code, message, Clause::x680("11"));
        None
    }

    /// Skips a comment: `-- … --`, or `--` to the end of the line (§12.6.3). Does not look beyond the comment, because a line
    /// may contain many.
    fn line_comment(&mut self) {
        self.at += 2;
        while self.at < self.text.len() {
            match (self.byte(0), self.byte(1)) {
                (b'\n' | b'\r' | 0xB | 0xC, _) => return,
                (b'-', b'-') => {
                    self.at += 2;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Skips a nested comment, `/* … */` (§12.6.4).
    fn block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut depth = 1_usize;
        while depth > 0 {
            let Some(found) = self.rest().find(['/', '*']) else {
                self.at = self.text.len();
                let message = "unterminated comment, expected `*/`".to_owned();
                self.complain(start, start + 2, "comment", message, Clause::x680("12.6.4"));
                return;
            };
            self.at += found;
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => (depth, self.at) = (depth + 1, self.at + 2),
                (b'*', b'/') => (depth, self.at) = (depth - 1, self.at + 2),
                _ => self.at += 1,
            }
        }
    }

    /// Reads a word: letters, digits and single hyphens, not ending in a hyphen (§12.2, §12.3).
    fn word(&mut self, kind: TokenKind) -> TokenKind {
        let start = self.at;
        let mut is_odd = false;
        loop {
            match self.byte(0) {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.at += 1,
                b'_' => {
                    is_odd = true;
                    self.at += 1;
                }
                b'-' if self.byte(1) != b'-' => self.at += 1,
                _ => break,
            }
        }
        if is_odd {
            let message = "names use hyphens, not underscores".to_owned();
            let span = self.span(start, self.at);
            self.diagnostics.depart(Departure::Underscore, span, message);
        } else if self.text.as_bytes().get(self.at.wrapping_sub(1)) == Some(&b'-') {
            self.complain(start, self.at, "name", "a name must not end in a hyphen".to_owned(), Clause::x680("12.2"));
        }
        kind
    }

    /// Reads a number (§12.8) or a realnumber (§12.9).
    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let mut kind = TokenKind::Number;
        self.figures();
        // `1...2` is the range from `1.` on: a number and an ellipsis never meet.
        if self.byte(0) == b'.' && (self.byte(1) != b'.' || self.byte(2) == b'.') {
            kind = TokenKind::Real;
            self.at += 1;
            self.figures();
        }
        let exponent = match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'e' | b'E', b'0'..=b'9', _) => 1,
            (b'e' | b'E', b'-' | b'+', b'0'..=b'9') => 2,
            _ => 0,
        };
        if exponent > 0 {
            kind = TokenKind::Real;
            self.at += exponent;
            self.figures();
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") {
            let message = "leading zeros are not allowed in a number".to_owned();
            self.complain(start, self.at, "number", message, Clause::x680("12.8"));
        }
        if text.len() > crate::int::MAX_DIGITS {
            self.complain(start, self.at, "number", crate::IntError.to_string(), Clause::NONE);
        }
        kind
    }

    fn figures(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
    }

    /// Reads a string `"…"`, in which `""` denotes a quotation mark (§12.14).
    fn string(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        loop {
            match self.rest().find('"') {
                None => {
                    self.at = self.text.len();
                    let message = "unterminated string, expected `\"`".to_owned();
                    self.complain(start, start + 1, "string", message, Clause::x680("12.14"));
                    break;
                }
                Some(end) => {
                    self.at += end + 1;
                    if self.byte(0) != b'"' {
                        break;
                    }
                    self.at += 1;
                }
            }
        }
        TokenKind::CString
    }

    /// Reads a bstring `'…'B` (§12.10) or an hstring `'…'H` (§12.12).
    fn quoted(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        let Some(end) = self.rest().find('\'') else {
            self.at = self.text.len();
            let message = "unterminated literal, expected `'B` or `'H`".to_owned();
            self.complain(start, start + 1, "string", message, Clause::x680("12.10"));
            return TokenKind::HString;
        };
        let inside = self.at..self.at + end;
        self.at += end + 1;
        let (kind, clause, what) = match self.byte(0) {
            b'B' => (TokenKind::BString, "12.10", "0, 1 and white space"),
            b'H' => (TokenKind::HString, "12.12", "0-9, A-F and white space"),
            _ => {
                let message = "expected `B` or `H` after this literal".to_owned();
                self.complain(start, self.at, "string", message, Clause::x680("12.10"));
                return TokenKind::HString;
            }
        };
        self.at += 1;
        let is_fine = |octet: u8| {
            matches!(octet, b'0' | b'1' | b' ' | b'\t'..=b'\r')
                || (kind == TokenKind::HString && matches!(octet, b'2'..=b'9' | b'A'..=b'F'))
        };
        if !self.text.get(inside).unwrap_or_default().bytes().all(is_fine) {
            let message = format!("invalid character in this literal, expected only {what}");
            self.complain(start, self.at, "string", message, Clause::x680(clause));
        }
        kind
    }
}
