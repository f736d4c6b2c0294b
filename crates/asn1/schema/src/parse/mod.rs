//! A recursive-descent parser with a depth budget. It continues after an assignment with errors.

mod assignment;
mod class;
mod constraint;
mod module;
mod types;
pub(crate) mod value;

pub(crate) use module::modules;

use crate::ast::{Braced, Ident};
use crate::diagnostic::{Clause, Diagnostic, Diagnostics};
use crate::lex::{Token, TokenKind, Tokens};
use crate::source::Span;

/// An error that has already been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// A cursor over tokens.
pub(crate) struct Parser<'a> {
    pub(crate) tokens: &'a Tokens,
    pub(crate) at: usize,
    /// The index of the first token beyond the parser's range.
    end: usize,
    depth: u32,
    max_depth: u32,
    /// True if a word in brackets before a type may be an encoding instruction, because the module's default encoding
    /// instructions are not TAG.
    pub(crate) prefixes: bool,
    /// The encoding rules of instructions without a name, if known.
    pub(crate) default_encoding: Option<String>,
    /// The compilation's remaining allowance, for steps that process more than the text itself.
    pub(crate) left: u64,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    /// Creates a parser over all tokens of a file.
    pub(crate) fn new(tokens: &'a Tokens, max_depth: u32, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            tokens,
            at: 0,
            end: tokens.list.len().saturating_sub(1),
            depth: 0,
            max_depth,
            prefixes: false,
            default_encoding: None,
            left: u64::MAX,
            diagnostics,
        }
    }

    /// Creates a parser over the tokens between two braces.
    pub(crate) fn inside(tokens: &'a Tokens, braced: Braced, max_depth: u32, diagnostics: &'a mut Diagnostics) -> Self {
        let (at, end) = (braced.open as usize + 1, braced.close as usize);
        // What is in braces does not know its module.
        Self {
            tokens,
            at,
            end,
            depth: 0,
            max_depth,
            prefixes: true,
            default_encoding: None,
            left: u64::MAX,
            diagnostics,
        }
    }

    /// Sets the compilation's remaining allowance.
    #[must_use]
    pub(crate) fn allowed(self, left: u64) -> Self {
        Self { left, ..self }
    }

    /// Deducts work that goes beyond reading the text itself from the compilation's allowance. If the allowance is exhausted,
    /// parsing fails, and the parser's creator reports the error.
    pub(crate) fn spend(&mut self, bytes: u64) -> Parsed<()> {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Failed)
    }

    pub(crate) fn token(&self) -> Token {
        self.ahead(0)
    }

    pub(crate) fn ahead(&self, by: usize) -> Token {
        if self.at + by < self.end {
            self.tokens.at(self.at + by)
        } else {
            Token { kind: TokenKind::End, ..self.tokens.at(self.end) }
        }
    }

    pub(crate) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text_ahead(0)
    }

    pub(crate) fn text_ahead(&self, by: usize) -> &'a str {
        let token = self.ahead(by);
        if token.kind == TokenKind::End { "" } else { self.tokens.text(token) }
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens.span(self.token())
    }

    /// Returns the position of the last consumed token.
    pub(crate) fn last(&self) -> Span {
        self.tokens.span(self.tokens.at(self.at.saturating_sub(1)))
    }

    pub(crate) fn is_end(&self) -> bool {
        self.at >= self.end
    }

    pub(crate) fn bump(&mut self) {
        if self.at < self.end {
            self.at += 1;
        }
    }

    /// Returns whether a symbol comes next.
    pub(crate) fn is(&self, symbol: u8) -> bool {
        self.kind() == TokenKind::Symbol(symbol)
    }

    pub(crate) fn is_ahead(&self, by: usize, symbol: u8) -> bool {
        self.ahead(by).kind == TokenKind::Symbol(symbol)
    }

    /// Consumes a symbol if it comes next.
    pub(crate) fn take(&mut self, symbol: u8) -> bool {
        let is = self.is(symbol);
        if is {
            self.at += 1;
        }
        is
    }

    /// Returns whether a word comes next.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Upper && self.text() == word
    }

    pub(crate) fn is_word_ahead(&self, by: usize, word: &str) -> bool {
        self.ahead(by).kind == TokenKind::Upper && self.text_ahead(by) == word
    }

    /// Consumes a word if it comes next.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.at += 1;
        }
        is
    }

    /// Consumes a token of the given kind if it comes next.
    pub(crate) fn take_kind(&mut self, kind: TokenKind) -> bool {
        let is = self.kind() == kind;
        if is {
            self.at += 1;
        }
        is
    }

    pub(crate) fn expect(&mut self, symbol: u8, clause: Clause) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { self.expected(&format!("`{}`", char::from(symbol)), clause) }
    }

    pub(crate) fn expect_word(&mut self, word: &str, clause: Clause) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.expected(&format!("`{word}`"), clause) }
    }

    pub(crate) fn expect_kind(&mut self, kind: TokenKind, what: &str, clause: Clause) -> Parsed<()> {
        if self.take_kind(kind) { Ok(()) } else { self.expected(what, clause) }
    }

    /// Consumes the next token, which must be a name of the given kind.
    pub(crate) fn ident(&mut self, kind: TokenKind, what: &str, clause: Clause) -> Parsed<Ident> {
        if self.kind() != kind {
            return self.expected(what, clause);
        }
        let ident = self.here();
        self.bump();
        Ok(ident)
    }

    /// Returns the next token as a name.
    pub(crate) fn here(&self) -> Ident {
        Ident { text: self.text().to_owned(), span: self.span() }
    }

    /// Reports that the next token is not the expected one.
    pub(crate) fn expected<T>(&mut self, what: &str, clause: Clause) -> Parsed<T> {
        let found = match self.kind() {
            TokenKind::End => "the end".to_owned(),
            _ => {
                let text = self.text();
                let short: String = text.chars().take(40).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
            }
        };
        let message = format!("expected {what}, found {found}");
        self.fail(self.span(), "syntax", message, clause)
    }

    /// Reports an error that ends the assignment.
    pub(crate) fn fail<T>(&mut self, span: Span, code: &'static str, message: String, clause: Clause) -> Parsed<T> {
        self.complain(span, code, message, clause);
        Err(Failed)
    }

    /// Reports an error after which parsing continues.
    pub(crate) fn complain(&mut self, span: Span, code: &'static str, message: String, clause: Clause) {
        self.diagnostics.push(Diagnostic::error(span, code, message, clause));
    }

    pub(crate) fn warn(&mut self, span: Span, code: &'static str, message: String, clause: Clause) {
        self.diagnostics.push(Diagnostic::warning(span, code, message, clause));
    }

    /// Runs `read` one level deeper, if the depth budget allows it.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= self.max_depth {
            return self.too_deep();
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let message = format!("the nesting exceeds {} levels", self.max_depth);
        self.fail(self.span(), "depth", message, Clause::NONE)
    }

    /// Consumes the content of braces without parsing it.
    pub(crate) fn braced(&mut self, clause: Clause) -> Parsed<Braced> {
        let (open, span) = (self.at, self.span());
        self.expect(b'{', clause)?;
        let mut depth = 1_usize;
        while depth > 0 {
            // Values nest no deeper, whatever their type.
            if depth > self.max_depth as usize {
                return self.too_deep();
            }
            match self.kind() {
                TokenKind::End => {
                    return self.fail(span, "syntax", "unterminated `{`".to_owned(), clause);
                }
                // No value, object or set has an assignment in it: a brace is missing before.
                TokenKind::Assign => return self.expected("`}`", clause),
                TokenKind::Symbol(b'{') => depth += 1,
                TokenKind::Symbol(b'}') => depth -= 1,
                _ => {}
            }
            self.bump();
        }
        let close = self.at - 1;
        Ok(Braced { open: open as u32, close: close as u32, span: span.to(self.last()) })
    }

    /// Returns whether the token `by` positions ahead and the one after it are adjacent, like the brackets of `[[`.
    pub(crate) fn touches(&self, by: usize) -> bool {
        self.ahead(by).end == self.ahead(by + 1).start
    }
}
