//! Parses constraints (X.680 §49–§51, X.682 §8–§11), and the element sets of value sets and object sets.

use crate::ast::{
    AtPath, Bound, ComponentItem, Constraint, Element, ElementSets, Exception, Presence, Set, Spec, Type, TypeKind,
    Value, ValueKind,
};
use crate::departure::Departure;
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::parse::{Parsed, Parser};
use crate::source::Span;

const CONSTRAINT: Clause = Clause::x680("49.6");
const ELEMENTS: Clause = Clause::x680("50.1");

impl Parser<'_> {
    /// Parses a constraint in parentheses: `( … )`.
    pub(crate) fn constraint(&mut self) -> Parsed<Constraint> {
        self.deeper(|parser| {
            let start = parser.span();
            parser.expect(b'(', CONSTRAINT)?;
            let mut spec = parser.spec()?;
            if parser.is(b'{') && parser.is_ahead(1, b'@') {
                spec = parser.inline_relation(spec)?;
            }
            let exception = parser.exception()?;
            if !parser.take(b')') {
                return parser.expected("`)`, or `|`, `^`, `EXCEPT`, `,` or more constraints", CONSTRAINT);
            }
            Ok(Constraint { spec, exception, span: start.to(parser.last()) })
        })
    }

    /// Parses `SIZE (…)` before OF, without enclosing parentheses.
    pub(crate) fn bare_size(&mut self) -> Parsed<Constraint> {
        let start = self.span();
        self.bump();
        let size = self.constraint()?;
        let span = start.to(self.last());
        let root = Set::Element(Element::Size(Box::new(size)), span);
        let sets = ElementSets { root: Some(root), extensible: false, additions: None, span };
        Ok(Constraint { spec: Spec::Subtype(sets), exception: None, span })
    }

    /// Parses an exception specification, if any: `! 5`, `! value` or `! Type:value` (X.680 §53).
    pub(crate) fn exception(&mut self) -> Parsed<Option<Exception>> {
        if !self.take(b'!') {
            return Ok(None);
        }
        if self.kind() == TokenKind::Upper && !(self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Lower) {
            let ty = Some(self.ty()?);
            self.expect(b':', Clause::x680("53.4"))?;
            return Ok(Some(Exception { ty, value: self.value()? }));
        }
        Ok(Some(Exception { ty: None, value: self.value()? }))
    }

    fn spec(&mut self) -> Parsed<Spec> {
        if self.take_word("CONSTRAINED") {
            let clause = Clause::x682("9.2");
            self.expect_word("BY", clause)?;
            return Ok(Spec::User(self.braced(clause)?));
        }
        if self.is_word("CONTAINING") || self.is_word("ENCODED") {
            let clause = Clause::x682("11.1");
            let ty = if self.take_word("CONTAINING") { Some(self.ty()?) } else { None };
            let mut encoded_by = None;
            if self.take_word("ENCODED") {
                self.expect_word("BY", clause)?;
                encoded_by = Some(self.value()?);
            }
            return Ok(Spec::Contents { ty, encoded_by });
        }
        if self.is(b'{')
            && self.ahead(1).kind == TokenKind::Upper
            && let Some(table) = self.table()?
        {
            return Ok(table);
        }
        Ok(Spec::Subtype(self.element_sets()?))
    }

    /// Parses a table constraint: `{Set}` or `{Set}{@a, @.b}`. Returns `None`, without consuming tokens, if the braces may
    /// contain a value of some type.
    fn table(&mut self) -> Parsed<Option<Spec>> {
        let clause = Clause::x682("10.3");
        let (begun, start) = (self.at, self.span());
        let braced = self.braced(clause)?;
        let is_table = self.is(b')') || self.is(b'!') || self.is(b'{');
        let resume = self.at;
        self.at = begun + 1;
        if !is_table {
            self.at = begun;
            return Ok(None);
        }
        // `{Set}` or `{Set{Parameter}}`; anything else in braces is read once the type is known.
        if !self.is_one_name(braced.close as usize) {
            self.at = begun;
            return Ok(None);
        }
        let set = self.class_or_type_ref()?;
        self.at = resume;
        let at = if self.is(b'{') { self.at_paths()? } else { Vec::new() };
        Ok(Some(Spec::Table { set, at, span: start.to(self.last()) }))
    }

    /// Parses the selector paths `{@a, @.b}`.
    fn at_paths(&mut self) -> Parsed<Vec<AtPath>> {
        let clause = Clause::x682("10.7");
        self.expect(b'{', clause)?;
        let mut at = vec![self.at_path()?];
        while self.take(b',') {
            at.push(self.at_path()?);
        }
        self.expect(b'}', clause)?;
        Ok(at)
    }

    /// Parses the selector paths after an unnamed object set. A component relation requires the name of a set.
    fn inline_relation(&mut self, spec: Spec) -> Parsed<Spec> {
        let start = self.span();
        let Spec::Subtype(sets) = spec else { return Ok(spec) };
        let at = self.at_paths()?;
        let message = "a component relation requires the name of an object set, as in `({Set}{@id})`".to_owned();
        self.diagnostics.depart(Departure::InlineRelation, start.to(self.last()), message);
        Ok(Spec::InlineTable { sets, at })
    }

    /// Returns whether the tokens before `close` are a single name, possibly with a module before it and parameters after it.
    fn is_one_name(&self, close: usize) -> bool {
        let mut by = 1;
        if self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Upper {
            by += 2;
        }
        if self.is_ahead(by, b'{') {
            let mut depth = 0_usize;
            loop {
                match self.ahead(by).kind {
                    TokenKind::Symbol(b'{') => depth += 1,
                    TokenKind::Symbol(b'}') => depth = depth.saturating_sub(1),
                    TokenKind::End => return false,
                    _ => {}
                }
                by += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        self.at + by == close
    }

    fn at_path(&mut self) -> Parsed<AtPath> {
        let clause = Clause::x682("10.7");
        let start = self.span();
        self.expect(b'@', clause)?;
        let mut level = 0;
        loop {
            level += match self.kind() {
                TokenKind::Symbol(b'.') => 1,
                TokenKind::Range => 2,
                TokenKind::Ellipsis => 3,
                _ => break,
            };
            self.bump();
        }
        let mut names = vec![self.ident(TokenKind::Lower, "the name of a component", clause)?];
        while self.take(b'.') {
            names.push(self.ident(TokenKind::Lower, "the name of a component", clause)?);
        }
        Ok(AtPath { level, names, span: start.to(self.last()) })
    }

    /// Returns the empty set, which is allowed for object sets.
    pub(crate) fn empty_set(&self) -> ElementSets {
        ElementSets { root: None, extensible: false, additions: None, span: self.span() }
    }

    /// Parses element sets with an optional extension marker: `root, ..., additions`.
    pub(crate) fn element_sets(&mut self) -> Parsed<ElementSets> {
        let start = self.span();
        let root = if self.kind() == TokenKind::Ellipsis { None } else { Some(self.set()?) };
        let mut sets = ElementSets { root, extensible: false, additions: None, span: start };
        if sets.root.is_none() || self.is(b',') {
            self.take(b',');
            self.expect_kind(TokenKind::Ellipsis, "`...`", Clause::x680("50.1"))?;
            sets.extensible = true;
            if self.take(b',') {
                sets.additions = Some(self.set()?);
            }
        }
        sets.span = start.to(self.last());
        Ok(sets)
    }

    /// Parses a union of intersections.
    fn set(&mut self) -> Parsed<Set> {
        if self.take_word("ALL") {
            self.expect_word("EXCEPT", Clause::x680("50.1"))?;
            return Ok(Set::AllExcept(Box::new(self.element()?)));
        }
        let mut parts = vec![self.intersection()?];
        while self.take(b'|') || self.take_word("UNION") {
            parts.push(self.intersection()?);
        }
        Ok(if parts.len() > 1 { Set::Union(parts) } else { parts.pop().unwrap_or(Set::Union(Vec::new())) })
    }

    fn intersection(&mut self) -> Parsed<Set> {
        let mut parts = vec![self.difference()?];
        while self.take(b'^') || self.take_word("INTERSECTION") {
            parts.push(self.difference()?);
        }
        Ok(if parts.len() > 1 { Set::Intersection(parts) } else { parts.pop().unwrap_or(Set::Union(Vec::new())) })
    }

    fn difference(&mut self) -> Parsed<Set> {
        let from = self.element()?;
        if self.take_word("EXCEPT") {
            return Ok(Set::Except(Box::new(from), Box::new(self.element()?)));
        }
        Ok(from)
    }

    fn element(&mut self) -> Parsed<Set> {
        self.deeper(|parser| {
            let start = parser.span();
            let element = parser.element_kind(start)?;
            Ok(Set::Element(element, start.to(parser.last())))
        })
    }

    /// Parses an element by its kind. Each kind has its own function, to limit the stack use of nested elements.
    fn element_kind(&mut self, start: Span) -> Parsed<Element> {
        match self.kind() {
            TokenKind::Symbol(b'(') => self.set_group(),
            TokenKind::Symbol(b'[') => self.type_element(),
            TokenKind::Lower if self.is_object_type() => self.type_element(),
            TokenKind::Upper => self.word_element(start),
            _ => self.range(start),
        }
    }

    /// Parses a parenthesized set expression: `( … )`. It has no extension marker (X.680 §50.1).
    fn set_group(&mut self) -> Parsed<Element> {
        self.bump();
        let set = Box::new(self.set()?);
        self.expect(b')', ELEMENTS)?;
        Ok(Element::Group(set))
    }

    fn type_element(&mut self) -> Parsed<Element> {
        Ok(Element::Type(self.ty()?))
    }

    /// Parses a constraint after a keyword.
    fn constrained(&mut self, element: fn(Box<Constraint>) -> Element) -> Parsed<Element> {
        self.bump();
        Ok(element(Box::new(self.constraint()?)))
    }

    fn word_element(&mut self, start: Span) -> Parsed<Element> {
        match self.text() {
            "SIZE" => self.constrained(Element::Size),
            "FROM" => self.constrained(Element::From),
            "PATTERN" => self.pattern(),
            "SETTINGS" => self.settings(),
            "WITH" => self.inner(),
            "INCLUDES" => {
                self.bump();
                self.type_element()
            }
            "MIN" | "MAX" => self.range(start),
            "TRUE" | "FALSE" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER" | "CONTAINING" => self.range(start),
            _ if self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::Lower => self.range(start),
            _ => self.type_or_value(start),
        }
    }

    fn pattern(&mut self) -> Parsed<Element> {
        self.bump();
        Ok(Element::Pattern(self.value()?))
    }

    fn settings(&mut self) -> Parsed<Element> {
        self.bump();
        let text = self.text().to_owned();
        self.expect_kind(TokenKind::CString, "a string of settings", Clause::x680("51.10"))?;
        Ok(Element::Settings(text))
    }

    /// Parses a type, or a value preceded by its type.
    fn type_or_value(&mut self, start: Span) -> Parsed<Element> {
        let ty = self.ty()?;
        if self.take(b':') {
            let value = Box::new(self.value()?);
            let kind = ValueKind::Typed(Box::new(ty), value);
            return Ok(Element::Value(Value { kind, span: start.to(self.last()) }));
        }
        Ok(match ty {
            // A value and a type in one word, of which the value says the same.
            Type { kind: TypeKind::Null, tags, constraints, span, .. } if tags.is_empty() && constraints.is_empty() => {
                Element::Value(Value { kind: ValueKind::Null, span })
            }
            ty => Element::Type(ty),
        })
    }

    /// Returns whether the next tokens are `object.&Type` or `name < Choice`.
    fn is_object_type(&self) -> bool {
        (self.is_ahead(1, b'.') && self.ahead(2).kind == TokenKind::UpperField)
            || (self.is_ahead(1, b'<') && self.ahead(2).kind == TokenKind::Upper)
    }

    /// Parses a value, or a range that begins with it.
    fn range(&mut self, _start: Span) -> Parsed<Element> {
        let clause = Clause::x680("51.4");
        if self.is_word("MAX") {
            return self.expected("a value or `MIN` as the lower endpoint", clause);
        }
        let mut lower = self.bound()?;
        lower.open = self.is(b'<');
        if lower.open {
            self.bump();
        }
        if !self.take_kind(TokenKind::Range) {
            return match lower.value {
                Some(value) if !lower.open => Ok(Element::Value(value)),
                _ => self.expected("`..`", clause),
            };
        }
        let open = self.take(b'<');
        if self.is_word("MIN") {
            return self.expected("a value or `MAX` as the upper endpoint", clause);
        }
        let mut upper = self.bound()?;
        upper.open = open;
        Ok(Element::Range(lower, upper))
    }

    fn bound(&mut self) -> Parsed<Bound> {
        let is_max = self.is_word("MAX");
        if is_max || self.is_word("MIN") {
            self.bump();
            return Ok(Bound { value: None, open: false, is_max });
        }
        Ok(Bound { value: Some(self.value()?), open: false, is_max: false })
    }

    /// Parses WITH COMPONENT and WITH COMPONENTS.
    fn inner(&mut self) -> Parsed<Element> {
        let clause = Clause::x680("51.8");
        self.bump();
        if self.take_word("COMPONENT") {
            return Ok(Element::WithComponent(Box::new(self.constraint()?)));
        }
        if !self.take_word("COMPONENTS") {
            return self.expected("`COMPONENT` or `COMPONENTS`", clause);
        }
        self.expect(b'{', clause)?;
        let partial = self.take_kind(TokenKind::Ellipsis);
        if partial {
            self.expect(b',', clause)?;
        }
        let mut items = Vec::new();
        loop {
            let name = self.ident(TokenKind::Lower, "the name of a component", clause)?;
            let constraint = if self.is(b'(') { Some(self.constraint()?) } else { None };
            let presence = match self.text() {
                "PRESENT" => Some(Presence::Present),
                "ABSENT" => Some(Presence::Absent),
                "OPTIONAL" => Some(Presence::Optional),
                _ => None,
            };
            if presence.is_some() {
                self.bump();
            }
            items.push(ComponentItem { name, constraint, presence });
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b'}', clause)?;
        Ok(Element::WithComponents { partial, items })
    }
}
