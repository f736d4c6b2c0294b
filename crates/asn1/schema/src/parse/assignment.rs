//! Parses assignments (X.680 §16, X.681, X.683), skips obsolete ones, and finds the start of the next one.

use crate::ast::{Assignment, Body, Ident, Parameter, Type, TypeKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::parse::module::is_class;
use crate::parse::{Parsed, Parser};
use crate::source::Span;
use crate::words::{is_all_caps, is_macro, is_reserved};

const ASSIGNMENT: Clause = Clause::x680("16");
const MACRO: Clause = Clause::x680("3.8");

/// The maximum number of tokens to search for the `::=` after a value's governor.
const LOOK: usize = 64;

impl Parser<'_> {
    /// Parses one assignment.
    pub(crate) fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.span();
        let is_upper = match self.kind() {
            TokenKind::Upper if !is_reserved(self.text()) => true,
            TokenKind::Upper if is_class(self.text()) && self.is_word_ahead(2, "CLASS") => {
                let message = format!("{} is a built-in class, which this definition hides", self.text());
                self.warn(self.span(), "reserved", message, Clause::x680("12.38"));
                true
            }
            TokenKind::Lower => false,
            _ => return self.expected("an assignment or `END`", ASSIGNMENT),
        };
        let name = self.here();
        self.bump();
        if is_upper && self.is_word("MACRO") {
            return self.skip_macro(name, start);
        }
        let parameters = if self.is(b'{') { Some(self.parameters()?) } else { None };
        let body = if is_upper && self.take_kind(TokenKind::Assign) {
            if self.is_word("CLASS") {
                Body::Class(self.class()?)
            } else {
                let ty = self.ty()?;
                if self.is_macro_use(&ty) { self.skip_use(start) } else { Body::Type(ty) }
            }
        } else {
            self.governed(is_upper, start)?
        };
        Ok(Assignment { name, parameters, body, span: start.to(self.last()) })
    }

    /// Parses the rest of an assignment with a governor: a value or object, or a set.
    fn governed(&mut self, is_upper: bool, start: Span) -> Parsed<Body> {
        if self.kind() == TokenKind::Assign {
            if !is_upper && self.is_ahead(1, b'<') {
                return Ok(self.skip_xml(start));
            }
            let what = match (is_upper, self.begins_type(1)) {
                (false, true) => "the type or class of this value (type names begin with a capital letter)",
                _ => "the type or class of this value",
            };
            return self.expected(what, Clause::x680("16.2"));
        }
        let governor = self.ty()?;
        if self.kind() != TokenKind::Assign && names_macro(&governor) {
            return Ok(self.skip_use(start));
        }
        self.expect_kind(TokenKind::Assign, "`::=`", ASSIGNMENT)?;
        if is_upper {
            self.expect(b'{', Clause::x680("16.7"))?;
            let set = if self.is(b'}') { self.empty_set() } else { self.element_sets()? };
            self.expect(b'}', Clause::x680("16.7"))?;
            return Ok(Body::Set { governor, set });
        }
        let value = self.value()?;
        Ok(Body::Value { governor, value })
    }

    /// Returns whether the token `by` positions ahead can only begin a type.
    fn begins_type(&self, by: usize) -> bool {
        let token = self.ahead(by);
        token.kind == TokenKind::Symbol(b'[')
            || (token.kind == TokenKind::Upper
                && !matches!(
                    self.text_ahead(by),
                    "TRUE" | "FALSE" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER"
                ))
    }

    /// Skips XML value notation: `name ::= <Type>value</Type>` (X.680 §16.3).
    fn skip_xml(&mut self, start: Span) -> Body {
        let message = "XML value notation is not supported; definitions that use it are rejected".to_owned();
        self.warn(start, "skipped", message, Clause::x680("16.3"));
        self.next_assignment();
        Body::Skipped
    }

    /// Parses dummy parameters: `{Governor:name, Name}` (X.683 §8.2).
    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let clause = Clause::x683("8.2");
        let mut parameters = Vec::new();
        self.expect(b'{', clause)?;
        loop {
            let is_bare = self.is_ahead(1, b',') || self.is_ahead(1, b'}');
            let governor = if is_bare {
                None
            } else {
                let governor = self.ty()?;
                self.expect(b':', clause)?;
                Some(governor)
            };
            let name = match self.kind() {
                TokenKind::Upper | TokenKind::Lower if !is_reserved(self.text()) => self.here(),
                _ => return self.expected("the name of a parameter", clause),
            };
            if parameters.iter().any(|known: &Parameter| known.name.text == name.text) {
                let message = format!("duplicate parameter {}", name.text);
                return self.fail(name.span, "duplicate", message, Clause::x683("8.3"));
            }
            self.bump();
            parameters.push(Parameter { governor, name });
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b'}', clause)?;
        Ok(parameters)
    }

    /// Skips a macro definition: `NAME MACRO ::= BEGIN … END`.
    fn skip_macro(&mut self, name: Ident, start: Span) -> Parsed<Assignment> {
        self.bump();
        self.expect_kind(TokenKind::Assign, "`::=`", MACRO)?;
        if self.take_word("BEGIN") {
            while !self.is_end() && !self.is_word("END") {
                self.bump();
            }
            self.expect_word("END", MACRO)?;
        } else {
            self.ident(TokenKind::Upper, "`BEGIN` or the name of a macro", MACRO)?;
        }
        let message = format!("the macro {} is skipped: macros were removed from ASN.1 in 1994", name.text);
        self.warn(name.span, "macro", message, MACRO);
        Ok(Assignment { name, parameters: None, body: Body::Macro, span: start.to(self.last()) })
    }

    /// Returns whether the tokens after a type show that its name is the name of a macro.
    fn is_macro_use(&self, ty: &Type) -> bool {
        if !names_macro(ty) || self.is_word("END") || self.is_end() {
            return false;
        }
        !self.begins_assignment(self.at)
    }

    /// Skips the rest of an assignment that uses a macro.
    fn skip_use(&mut self, start: Span) -> Body {
        let message = "this use of a macro is skipped".to_owned();
        self.warn(start.to(self.last()), "macro", message, MACRO);
        self.seek_assignment(false);
        Body::Skipped
    }

    /// Skips to the probable start of the next assignment, or to END.
    pub(crate) fn next_assignment(&mut self) {
        self.seek_assignment(true);
    }

    fn seek_assignment(&mut self, here: bool) {
        if !here {
            self.bump();
        }
        while !self.is_end() && !self.is_word("END") {
            if self.begins_line(self.at) && self.begins_assignment(self.at) {
                return;
            }
            self.bump();
        }
    }

    /// Returns whether a token is the first on its line.
    pub(crate) fn begins_line(&self, at: usize) -> bool {
        let token = self.tokens.at(at);
        let before = at.checked_sub(1).map_or(0, |before| self.tokens.at(before).end);
        let between = self.tokens.source.text().get(before as usize..token.start as usize);
        before == 0 || between.unwrap_or_default().contains(['\n', '\r'])
    }

    /// Returns whether an assignment probably begins at a token: a name, a few tokens, and `::=`.
    fn begins_assignment(&self, at: usize) -> bool {
        let first = self.tokens.at(at);
        let is_upper = match first.kind {
            TokenKind::Upper if !is_reserved(self.tokens.text(first)) => true,
            TokenKind::Lower => false,
            _ => return false,
        };
        let mut depth = 0_u32;
        for ahead in at + 1..(at + LOOK).min(self.tokens.list.len()) {
            let token = self.tokens.at(ahead);
            match token.kind {
                // What follows a macro's name has a notation of its own.
                TokenKind::Upper if !is_upper && ahead == at + 1 && is_macro(self.tokens.text(token)) => return true,
                TokenKind::Assign => return depth == 0 && (is_upper || ahead > at + 1),
                TokenKind::Symbol(b'{' | b'(') => depth += 1,
                TokenKind::Symbol(b'}' | b')') if depth > 0 => depth -= 1,
                TokenKind::End | TokenKind::Ellipsis => return false,
                // A new line at which another assignment begins: this is none.
                TokenKind::Lower if depth == 0 => return false,
                TokenKind::Symbol(b',') if depth == 0 => return false,
                TokenKind::Upper
                    if depth == 0 && ahead > at + 1 && is_upper && !is_reserved(self.tokens.text(token)) =>
                {
                    return false;
                }
                _ => {}
            }
        }
        false
    }
}

/// Returns whether a type is only a name, which may be the name of a macro.
fn names_macro(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Reference(reference) => {
            reference.actuals.is_none()
                && reference.module.is_none()
                && (is_macro(&reference.name.text) || is_all_caps(&reference.name.text))
                && ty.tags.is_empty()
                && ty.constraints.is_empty()
        }
        _ => false,
    }
}
