//! Parses values (X.680 §17.7) as far as possible without their type, and braced values once the type is known.

use crate::ast::{Ident, Ref, Value, ValueKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::parse::{Parsed, Parser};
use crate::words::is_reserved;

const VALUE: Clause = Clause::x680("17.7");

/// One component of an object identifier value: a name, a number, or a name with its number (X.680 §32.3).
#[derive(Clone, Debug)]
pub(crate) struct Arc {
    /// A name, or a reference to a value.
    pub(crate) name: Option<Ident>,
    /// The module before the reference.
    pub(crate) module: Option<Ident>,
    /// The object's fields after the reference.
    pub(crate) fields: Vec<Ident>,
    /// The actual parameters of a parameterized value.
    pub(crate) actuals: Option<Vec<crate::ast::Actual>>,
    /// The number in parentheses, or the number alone.
    pub(crate) number: Option<Value>,
    pub(crate) span: crate::source::Span,
}

impl Parser<'_> {
    /// Parses a value or object.
    pub(crate) fn value(&mut self) -> Parsed<Value> {
        self.deeper(|parser| {
            let start = parser.span();
            let kind = parser.value_kind()?;
            Ok(Value { kind, span: start.to(parser.last()) })
        })
    }

    fn value_kind(&mut self) -> Parsed<ValueKind> {
        let text = self.text();
        let kind = match self.kind() {
            TokenKind::Symbol(b'{') => return Ok(ValueKind::Braced(self.braced(VALUE)?)),
            TokenKind::Symbol(b'-') => {
                self.bump();
                let text = self.text().to_owned();
                match self.kind() {
                    TokenKind::Number => ValueKind::Number { negative: true, text },
                    TokenKind::Real => ValueKind::Real { negative: true, text },
                    _ => return self.expected("a number", VALUE),
                }
            }
            TokenKind::Number => ValueKind::Number { negative: false, text: text.to_owned() },
            TokenKind::Real => ValueKind::Real { negative: false, text: text.to_owned() },
            TokenKind::BString => ValueKind::BString(text.to_owned()),
            TokenKind::HString => ValueKind::HString(text.to_owned()),
            TokenKind::CString => ValueKind::CString(text.to_owned()),
            TokenKind::Lower if self.is_ahead(1, b':') => {
                let name = self.here();
                self.at += 2;
                return Ok(ValueKind::Choice(name, Box::new(self.value()?)));
            }
            TokenKind::Lower => {
                let name = self.here();
                self.bump();
                return self.reference_value(Ref { module: None, name, actuals: None });
            }
            TokenKind::Upper => return self.word_value(),
            _ => return self.expected("a value", VALUE),
        };
        self.bump();
        Ok(kind)
    }

    /// Parses the rest of a reference: actual parameters and fields.
    fn reference_value(&mut self, mut reference: Ref) -> Parsed<ValueKind> {
        if self.is(b'{') {
            reference.actuals = Some(self.actuals()?);
        }
        let fields = self.field_path()?;
        Ok(ValueKind::Reference(reference, fields))
    }

    /// Parses a value that begins with an uppercase letter.
    fn word_value(&mut self) -> Parsed<ValueKind> {
        let kind = match self.text() {
            "TRUE" => ValueKind::Boolean(true),
            "FALSE" => ValueKind::Boolean(false),
            "PLUS-INFINITY" => ValueKind::PlusInfinity,
            "MINUS-INFINITY" => ValueKind::MinusInfinity,
            "NOT-A-NUMBER" => ValueKind::NotANumber,
            "NULL" if !self.is_ahead(1, b':') => ValueKind::Null,
            "CONTAINING" => {
                self.bump();
                return Ok(ValueKind::Containing(Box::new(self.value()?)));
            }
            word => {
                if !is_reserved(word) && self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Lower {
                    let module = Some(self.here());
                    self.at += 2;
                    let name = self.here();
                    self.bump();
                    return self.reference_value(Ref { module, name, actuals: None });
                }
                if !is_reserved(word) && !self.is_value_type() {
                    return self.expected("a value", VALUE);
                }
                let ty = self.ty()?;
                if !self.take(b':') {
                    return self.expected("a value, or `:` and a value after this type", VALUE);
                }
                return Ok(ValueKind::Typed(Box::new(ty), Box::new(self.value()?)));
            }
        };
        self.bump();
        Ok(kind)
    }

    /// Returns whether a name here may be a type before `:`.
    fn is_value_type(&self) -> bool {
        matches!(self.ahead(1).kind, TokenKind::Symbol(b':' | b'.' | b'{' | b'('))
    }

    /// Parses the braced content of a SEQUENCE OF or SET OF value: values.
    pub(crate) fn values_inside(&mut self) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        while !self.is_end() {
            if !values.is_empty() && !self.take(b',') {
                return self.expected("`,` or `}`", VALUE);
            }
            values.push(self.value()?);
        }
        Ok(values)
    }

    /// Parses the braced content of a SEQUENCE or SET value: names with values.
    pub(crate) fn named_values_inside(&mut self) -> Parsed<Vec<(Ident, Value)>> {
        let mut values = Vec::new();
        while !self.is_end() {
            if !values.is_empty() && !self.take(b',') {
                return self.expected("`,` or `}`", Clause::x680("25.18"));
            }
            let name = self.ident(TokenKind::Lower, "the name of a component", Clause::x680("25.18"))?;
            values.push((name, self.value()?));
        }
        Ok(values)
    }

    /// Parses the braced content of a BIT STRING value: names of bits.
    pub(crate) fn names_inside(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = Vec::new();
        while !self.is_end() {
            if !names.is_empty() && !self.take(b',') {
                return self.expected("`,` or `}`", Clause::x680("22.9"));
            }
            names.push(self.ident(TokenKind::Lower, "the name of a bit", Clause::x680("22.9"))?);
        }
        Ok(names)
    }

    /// Parses the braced content of an object identifier value.
    pub(crate) fn arcs_inside(&mut self, clause: Clause) -> Parsed<Vec<Arc>> {
        let mut arcs = Vec::new();
        while !self.is_end() {
            let start = self.span();
            let mut arc =
                Arc { name: None, module: None, fields: Vec::new(), actuals: None, number: None, span: start };
            match self.kind() {
                TokenKind::Number => arc.number = Some(self.value()?),
                TokenKind::Lower => {
                    arc.name = Some(self.here());
                    self.bump();
                    if self.take(b'(') {
                        arc.number = Some(self.value()?);
                        self.expect(b')', clause)?;
                    } else if self.is(b'{') {
                        arc.actuals = Some(self.actuals()?);
                    } else {
                        arc.fields = self.field_path()?;
                    }
                }
                TokenKind::Upper if self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Lower => {
                    arc.module = Some(self.here());
                    self.at += 2;
                    arc.name = Some(self.here());
                    self.bump();
                    arc.fields = self.field_path()?;
                }
                _ => return self.expected("a number, a name, or a name with its number: `name(1)`", clause),
            }
            arc.span = start.to(self.last());
            arcs.push(arc);
        }
        Ok(arcs)
    }
}
