//! Parses classes (X.681 §9, §10) and actual parameters (X.683 §9).

use crate::ast::{Actual, Class, Field, FieldPresence, Governor, SyntaxItem, Value, ValueKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::parse::{Parsed, Parser};
use crate::words::is_no_literal;

const CLASS: Clause = Clause::x681("9.3");
const SYNTAX: Clause = Clause::x681("10.5");

impl Parser<'_> {
    /// Parses `CLASS { … } WITH SYNTAX { … }`.
    pub(crate) fn class(&mut self) -> Parsed<Class> {
        let start = self.span();
        self.expect_word("CLASS", CLASS)?;
        self.expect(b'{', CLASS)?;
        let mut fields = vec![self.class_field()?];
        while self.take(b',') {
            fields.push(self.class_field()?);
        }
        if !self.take(b'}') {
            return self.expected("`,` or `}`", CLASS);
        }
        let mut syntax = None;
        if self.take_word("WITH") {
            self.expect_word("SYNTAX", SYNTAX)?;
            self.expect(b'{', SYNTAX)?;
            if self.is(b'}') {
                return self.expected("a word, a field or `[`: a syntax must not be empty", SYNTAX);
            }
            syntax = Some(self.syntax(b'}')?);
        }
        Ok(Class { fields, syntax, span: start.to(self.last()) })
    }

    fn class_field(&mut self) -> Parsed<Field> {
        let start = self.span();
        let is_upper = match self.kind() {
            TokenKind::UpperField => true,
            TokenKind::LowerField => false,
            _ => return self.expected("a field: `&name` or `&Name`", CLASS),
        };
        let name = self.here();
        self.bump();
        let governor = match self.kind() {
            TokenKind::UpperField | TokenKind::LowerField => {
                let mut path = vec![self.here()];
                self.bump();
                path.extend(self.field_path()?);
                Some(Governor::Field(path))
            }
            TokenKind::Symbol(b',' | b'}') => None,
            _ if self.is_word("OPTIONAL") || self.is_word("DEFAULT") => None,
            _ => Some(Governor::Type(self.ty()?)),
        };
        if governor.is_none() && !is_upper {
            return self.expected("the type or class of this field", CLASS);
        }
        let unique = self.take_word("UNIQUE");
        let presence = if self.take_word("OPTIONAL") {
            FieldPresence::Optional
        } else if self.take_word("DEFAULT") {
            FieldPresence::Default(if is_upper {
                if self.is(b'{') { Actual::Braced(self.braced(CLASS)?) } else { Actual::Type(self.ty()?) }
            } else {
                Actual::Value(self.value()?)
            })
        } else {
            FieldPresence::Required
        };
        Ok(Field { name, is_upper, governor, unique, presence, span: start.to(self.last()) })
    }

    /// Parses the items of WITH SYNTAX up to a closing bracket, and consumes the bracket.
    fn syntax(&mut self, close: u8) -> Parsed<Vec<SyntaxItem>> {
        self.deeper(|parser| {
            let mut items = Vec::new();
            while !parser.take(close) {
                match parser.kind() {
                    TokenKind::UpperField | TokenKind::LowerField => items.push(SyntaxItem::Field(parser.here())),
                    TokenKind::Symbol(b',') => items.push(SyntaxItem::Literal(parser.here())),
                    TokenKind::Upper => {
                        let word = parser.here();
                        let is_word =
                            !word.text.bytes().any(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit());
                        if !is_word || is_no_literal(&word.text) {
                            let message = format!("`{}` cannot be a word in a syntax", word.text);
                            parser.complain(word.span, "syntax", message, Clause::x681("10.6"));
                        }
                        items.push(SyntaxItem::Literal(word));
                    }
                    TokenKind::Symbol(b'[') => {
                        let start = parser.span();
                        parser.bump();
                        let inner = parser.syntax(b']')?;
                        if inner.is_empty() {
                            let message = "an optional group must not be empty".to_owned();
                            parser.complain(start, "syntax", message, SYNTAX);
                        }
                        items.push(SyntaxItem::Optional(inner));
                        continue;
                    }
                    _ => return parser.expected("a word, `,`, a field, `[` or the end of the syntax", SYNTAX),
                }
                parser.bump();
            }
            Ok(items)
        })
    }

    /// Parses actual parameters: `{actual, …}`.
    pub(crate) fn actuals(&mut self) -> Parsed<Vec<Actual>> {
        let clause = Clause::x683("9.5");
        self.expect(b'{', clause)?;
        let mut actuals = Vec::new();
        if self.take(b'}') {
            return Ok(actuals);
        }
        loop {
            actuals.push(self.deeper(Self::actual)?);
            if !self.take(b',') {
                break;
            }
        }
        if !self.take(b'}') {
            return self.expected("`,` or `}`", clause);
        }
        Ok(actuals)
    }

    /// Parses one actual parameter.
    pub(crate) fn actual(&mut self) -> Parsed<Actual> {
        Ok(match self.kind() {
            TokenKind::Symbol(b'{') => Actual::Braced(self.braced(Clause::x683("9.5"))?),
            TokenKind::Symbol(b'[') => Actual::Type(self.ty()?),
            TokenKind::Upper => match self.text() {
                "TRUE" | "FALSE" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER" | "CONTAINING" => {
                    Actual::Value(self.value()?)
                }
                _ if self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Lower => Actual::Value(self.value()?),
                _ => {
                    let ty = self.ty()?;
                    if self.take(b':') {
                        let value = Box::new(self.value()?);
                        let span = ty.span.to(self.last());
                        return Ok(Actual::Value(Value { kind: ValueKind::Typed(Box::new(ty), value), span }));
                    }
                    Actual::Type(ty)
                }
            },
            TokenKind::Lower if self.is_ahead(1, b'<') => Actual::Type(self.ty()?),
            TokenKind::Lower if self.is_object_field() => Actual::Type(self.ty()?),
            _ => Actual::Value(self.value()?),
        })
    }

    /// Returns whether a reference ends in a field whose name begins with an uppercase letter: a type or set from an object.
    fn is_object_field(&self) -> bool {
        let mut ahead = 1;
        let mut is_upper = false;
        while self.is_ahead(ahead, b'.') {
            match self.ahead(ahead + 1).kind {
                TokenKind::UpperField => is_upper = true,
                TokenKind::LowerField => is_upper = false,
                _ => return false,
            }
            ahead += 2;
        }
        is_upper
    }
}
