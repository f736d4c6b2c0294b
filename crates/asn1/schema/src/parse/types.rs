//! Parses types (X.680 §17–§47).

use std::sync::Arc;

use crate::ast::types::ItemPresence;
use crate::ast::{Components, EnumItem, Ident, ListItem, NamedNumber, Ref, Type, TypeKind, TypeTag};
use crate::departure::Departure;
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::model::{Instruction, StringKind, TagClass, TimeKind};
use crate::parse::module::is_class;
use crate::parse::{Parsed, Parser};
use crate::source::Span;
use crate::words::is_reserved;

fn is_tag_class(word: &str) -> bool {
    matches!(word, "UNIVERSAL" | "APPLICATION" | "PRIVATE")
}

impl Parser<'_> {
    /// Parses a type with its tags and constraints.
    pub(crate) fn ty(&mut self) -> Parsed<Type> {
        self.deeper(|parser| {
            let start = parser.span();
            let (mut tags, mut prefixes) = (Vec::new(), Vec::new());
            while parser.is(b'[') {
                if let Some(tag) = parser.tag(&mut prefixes)? {
                    tags.push(tag);
                }
            }
            let mut constraints = Vec::new();
            let kind = parser.type_kind(&mut constraints)?;
            while parser.is(b'(') {
                constraints.push(parser.constraint()?);
            }
            let prefixes = (!prefixes.is_empty()).then(|| Arc::new(prefixes));
            Ok(Type { tags, prefixes, kind, constraints, span: start.to(parser.last()) })
        })
    }

    /// Parses a tag such as `[APPLICATION 1] IMPLICIT`. Returns `None` for an encoding prefix, which is added to the prefixes.
    fn tag(&mut self, prefixes: &mut Vec<Instruction>) -> Parsed<Option<TypeTag>> {
        let clause = Clause::x680("31.1");
        let start = self.span();
        self.expect(b'[', clause)?;
        if self.kind() == TokenKind::Upper && self.is_ahead(1, b':') {
            if !self.is_word("TAG") {
                let encoding = Some(self.text().to_owned());
                self.at += 2;
                prefixes.push(self.prefix(start, encoding));
                return Ok(None);
            }
            self.at += 2;
        } else if self.prefixes
            && self.kind() == TokenKind::Upper
            && !self.is_ahead(1, b'.')
            && !is_tag_class(self.text())
        {
            let encoding = self.default_encoding.clone();
            prefixes.push(self.prefix(start, encoding));
            return Ok(None);
        }
        let class = match self.text() {
            "UNIVERSAL" => TagClass::Universal,
            "APPLICATION" => TagClass::Application,
            "PRIVATE" => TagClass::Private,
            _ => TagClass::Context,
        };
        if class != TagClass::Context {
            self.bump();
        }
        if !matches!(self.kind(), TokenKind::Number | TokenKind::Lower | TokenKind::Upper) {
            return self.expected("a class, a number or a value reference", clause);
        }
        let number = self.value()?;
        self.expect(b']', clause)?;
        let explicit = if self.take_word("EXPLICIT") {
            Some(true)
        } else if self.take_word("IMPLICIT") {
            Some(false)
        } else {
            None
        };
        Ok(Some(TypeTag { class, number, explicit }))
    }

    /// Reads an encoding prefix (X.680 §31.3) up to its closing bracket: `[XER:NAME AS "a"]`, or `[NAME AS "a"]` if the module
    /// begins with `XER INSTRUCTIONS`.
    fn prefix(&mut self, start: Span, encoding: Option<String>) -> Instruction {
        let words = self.words(|parser| parser.is(b']'));
        self.take(b']');
        let span = start.to(self.last());
        let message = match encoding.as_deref() {
            None | Some("XER") => "only EXTENDED-XER uses this encoding prefix".to_owned(),
            Some(encoding) => format!("an encoding prefix is skipped: {encoding} is not supported"),
        };
        self.warn(span, "skipped", message, Clause::x680("31.3"));
        Instruction { encoding, words, span }
    }

    /// Returns the lexical items up to one that ends them.
    pub(crate) fn words(&mut self, is_last: impl Fn(&Self) -> bool) -> Vec<String> {
        let mut words = Vec::new();
        while !self.is_end() && !is_last(self) {
            words.push(self.text().to_owned());
            self.bump();
        }
        words
    }

    fn type_kind(&mut self, constraints: &mut Vec<crate::ast::Constraint>) -> Parsed<TypeKind> {
        match self.kind() {
            TokenKind::Lower if self.is_ahead(1, b'<') => {
                let name = self.here();
                self.at += 2;
                return Ok(TypeKind::Selection(name, Box::new(self.ty()?)));
            }
            TokenKind::Lower => return self.field_of_object(),
            TokenKind::Upper if !is_reserved(self.text()) || is_class(self.text()) => {
                if self.is_word("ANY") {
                    return self.any();
                }
                return self.reference_type();
            }
            TokenKind::Upper => {}
            _ => return self.expected("a type", Clause::x680("17.1")),
        }
        let clause = Clause::x680("17.2");
        let word = self.text();
        if let Some(kind) = plain(word) {
            self.bump();
            return Ok(kind);
        }
        self.bump();
        match word {
            "INTEGER" => Ok(TypeKind::Integer(self.named_numbers(Clause::x680("19.1"))?)),
            "ENUMERATED" => Ok(TypeKind::Enumerated(self.enumeration()?)),
            "BIT" => {
                self.expect_word("STRING", clause)?;
                Ok(TypeKind::BitString(self.named_numbers(Clause::x680("22.1"))?))
            }
            "OCTET" => self.expect_word("STRING", clause).map(|()| TypeKind::OctetString),
            "OBJECT" => self.expect_word("IDENTIFIER", clause).map(|()| TypeKind::ObjectIdentifier),
            "EMBEDDED" => self.expect_word("PDV", clause).map(|()| TypeKind::EmbeddedPdv),
            "CHARACTER" => self.expect_word("STRING", clause).map(|()| TypeKind::CharacterString),
            "INSTANCE" => {
                self.expect_word("OF", clause)?;
                Ok(TypeKind::InstanceOf(self.class_or_type_ref()?))
            }
            "CHOICE" => {
                let components = self.components(Clause::x680("29.1"), true)?;
                Ok(TypeKind::Choice(components))
            }
            "SEQUENCE" | "SET" => self.collection(word == "SET", constraints),
            _ => {
                self.at -= 1;
                self.expected("a type", Clause::x680("17.1"))
            }
        }
    }

    /// Parses SEQUENCE, SET, SEQUENCE OF or SET OF, after the first word.
    fn collection(&mut self, is_set: bool, constraints: &mut Vec<crate::ast::Constraint>) -> Parsed<TypeKind> {
        if self.is(b'{') {
            let clause = if is_set { Clause::x680("27.1") } else { Clause::x680("25.1") };
            let components = self.components(clause, false)?;
            return Ok(if is_set { TypeKind::Set(components) } else { TypeKind::Sequence(components) });
        }
        if self.is(b'(') {
            constraints.push(self.constraint()?);
        } else if self.is_word("SIZE") {
            constraints.push(self.bare_size()?);
        }
        if !self.take_word("OF") {
            return self.expected("`{` or `OF`", Clause::x680("25.1"));
        }
        let name = if self.kind() == TokenKind::Lower && !self.is_ahead(1, b'<') && !self.is_ahead(1, b'.') {
            let name = self.here();
            self.bump();
            Some(name)
        } else {
            None
        };
        let element = Box::new(self.ty()?);
        Ok(if is_set { TypeKind::SetOf(name, element) } else { TypeKind::SequenceOf(name, element) })
    }

    /// Parses `ANY` or `ANY DEFINED BY name` (X.208).
    fn any(&mut self) -> Parsed<TypeKind> {
        let clause = Clause::x680("3.8");
        self.bump();
        if !self.take_word("DEFINED") {
            return Ok(TypeKind::Any(None));
        }
        self.expect_word("BY", clause)?;
        Ok(TypeKind::Any(Some(self.ident(TokenKind::Lower, "the name of a component", clause)?)))
    }

    /// Parses `object.&Type`, a type from an object (X.681 §15).
    fn field_of_object(&mut self) -> Parsed<TypeKind> {
        let clause = Clause::x680("17.1");
        if !self.is_ahead(1, b'.') && !self.is_ahead(1, b'{') {
            return self.expected("a type", clause);
        }
        let name = self.here();
        self.bump();
        let actuals = if self.is(b'{') { Some(self.actuals()?) } else { None };
        let fields = self.field_path()?;
        if fields.is_empty() {
            return self.expected("`.` and the field of an object", Clause::x681("15.1"));
        }
        Ok(TypeKind::Field(Ref { module: None, name, actuals }, fields))
    }

    /// Parses `.&a.&B`, which may be empty.
    pub(crate) fn field_path(&mut self) -> Parsed<Vec<Ident>> {
        let mut fields = Vec::new();
        while self.is(b'.') && matches!(self.ahead(1).kind, TokenKind::UpperField | TokenKind::LowerField) {
            self.bump();
            fields.push(self.here());
            self.bump();
        }
        Ok(fields)
    }

    /// Parses `Name` or `Module.Name`, with any actual parameters.
    pub(crate) fn class_or_type_ref(&mut self) -> Parsed<Ref> {
        let clause = Clause::x680("14.1");
        let mut name = match self.kind() {
            TokenKind::Upper if !is_reserved(self.text()) || is_class(self.text()) => self.here(),
            _ => return self.expected("the name of a type or class", clause),
        };
        self.bump();
        let mut module = None;
        if self.is(b'.') && matches!(self.ahead(1).kind, TokenKind::Upper | TokenKind::Lower) {
            self.bump();
            module = Some(name);
            name = self.here();
            self.bump();
        }
        let actuals = if self.is(b'{') { Some(self.actuals()?) } else { None };
        Ok(Ref { module, name, actuals })
    }

    fn reference_type(&mut self) -> Parsed<TypeKind> {
        let reference = self.class_or_type_ref()?;
        let fields = self.field_path()?;
        Ok(if fields.is_empty() { TypeKind::Reference(reference) } else { TypeKind::Field(reference, fields) })
    }

    /// Parses named numbers, `{name(1), …}`, or returns an empty list if there are none.
    fn named_numbers(&mut self, clause: Clause) -> Parsed<Vec<NamedNumber>> {
        let mut numbers = Vec::new();
        // A brace behind a type in WITH SYNTAX or a parameter list may be something else: names begin with a small letter.
        if !self.is(b'{') || self.ahead(1).kind != TokenKind::Lower || !self.is_ahead(2, b'(') {
            if self.is(b'{') {
                self.bump();
                return self.expected("a name and its number: `name(1)`", clause);
            }
            return Ok(numbers);
        }
        self.bump();
        loop {
            let name = self.ident(TokenKind::Lower, "a name and its number: `name(1)`", clause)?;
            self.expect(b'(', clause)?;
            let value = self.value()?;
            self.expect(b')', clause)?;
            numbers.push(NamedNumber { name, value });
            if !self.another() {
                break;
            }
        }
        self.expect(b'}', clause)?;
        Ok(numbers)
    }

    fn enumeration(&mut self) -> Parsed<Vec<EnumItem>> {
        let clause = Clause::x680("20.1");
        self.expect(b'{', clause)?;
        let mut items = Vec::new();
        loop {
            if self.kind() == TokenKind::Ellipsis {
                let span = self.span();
                self.bump();
                items.push(EnumItem::Ellipsis(span, self.exception()?));
            } else {
                let name = self.ident(TokenKind::Lower, "an item or `...`", clause)?;
                let value = if self.take(b'(') {
                    let value = self.value()?;
                    self.expect(b')', clause)?;
                    Some(value)
                } else {
                    None
                };
                items.push(EnumItem::Item { name, value });
            }
            if !self.another() {
                break;
            }
        }
        self.expect(b'}', clause)?;
        Ok(items)
    }

    /// Returns whether another item follows in a braced list. Missing commas at the end of a line, and extra commas, are named
    /// departures.
    fn another(&mut self) -> bool {
        if self.take(b',') {
            let comma = self.last();
            let is_extra = self.is(b'}') || self.is(b',');
            while self.take(b',') {}
            if is_extra {
                self.diagnostics.depart(Departure::ExtraComma, comma, "unexpected trailing comma".to_owned());
            }
            return !self.is(b'}');
        }
        let begins_item = matches!(self.kind(), TokenKind::Lower | TokenKind::Ellipsis) && self.begins_line(self.at);
        if begins_item {
            let message = "missing comma before this".to_owned();
            self.diagnostics.depart(Departure::MissingComma, self.span(), message);
        }
        begins_item
    }

    /// Parses the braced components of a SEQUENCE, SET or CHOICE.
    fn components(&mut self, clause: Clause, is_choice: bool) -> Parsed<Components> {
        self.expect(b'{', clause)?;
        let mut components = Components::default();
        if !is_choice && self.take(b'}') {
            return Ok(components);
        }
        loop {
            let item = self.item(clause, is_choice)?;
            components.items.push(item);
            if !self.another() {
                break;
            }
        }
        if !self.take(b'}') {
            return self.expected("`,` or `}`", clause);
        }
        Ok(components)
    }

    fn item(&mut self, clause: Clause, is_choice: bool) -> Parsed<ListItem> {
        if self.kind() == TokenKind::Ellipsis {
            let span = self.span();
            self.bump();
            return Ok(ListItem::Ellipsis(span, self.exception()?));
        }
        if self.is(b'[') && self.is_ahead(1, b'[') && self.touches(0) {
            return self.group(clause, is_choice);
        }
        self.component(clause, is_choice)
    }

    /// Parses an extension addition group: `[[ 2: … ]]`.
    fn group(&mut self, clause: Clause, is_choice: bool) -> Parsed<ListItem> {
        let start = self.span();
        self.at += 2;
        let version = if self.kind() == TokenKind::Number && self.is_ahead(1, b':') {
            let value = self.value()?;
            self.bump();
            Some(value)
        } else {
            None
        };
        let mut items = vec![self.component(clause, is_choice)?];
        while self.take(b',') {
            items.push(self.component(clause, is_choice)?);
        }
        if !(self.is(b']') && self.is_ahead(1, b']') && self.touches(0)) {
            return self.expected("`,` or `]]`", clause);
        }
        self.at += 2;
        Ok(ListItem::Group { version, items, span: start.to(self.last()) })
    }

    fn component(&mut self, clause: Clause, is_choice: bool) -> Parsed<ListItem> {
        if !is_choice && self.is_word("COMPONENTS") {
            let start = self.span();
            self.bump();
            self.expect_word("OF", Clause::x680("25.1"))?;
            let ty = self.ty()?;
            return Ok(ListItem::ComponentsOf(ty, start.to(self.last())));
        }
        let name = if self.kind() == TokenKind::Upper && !self.is_word("OPTIONAL") && !self.is_word("DEFAULT") {
            self.unnamed()
        } else {
            self.ident(TokenKind::Lower, if is_choice { "an alternative" } else { "a component" }, clause)?
        };
        let ty = self.ty()?;
        let mut presence = ItemPresence::Required;
        if !is_choice {
            if self.take_word("OPTIONAL") {
                presence = ItemPresence::Optional;
            } else if self.take_word("DEFAULT") {
                presence = ItemPresence::Default(self.value()?);
            }
        } else if self.is_word("OPTIONAL") || self.is_word("DEFAULT") {
            let message = format!("a CHOICE alternative cannot be {}", self.text());
            return self.fail(self.span(), "syntax", message, Clause::x680("29.1"));
        }
        Ok(ListItem::Component { name, ty, presence })
    }
}

impl Parser<'_> {
    /// Creates a name for an unnamed component, as allowed by X.208, from its position in the text.
    fn unnamed(&mut self) -> Ident {
        let span = self.span();
        let message = "unnamed component, which X.680 has not allowed since 1994".to_owned();
        self.warn(span, "unnamed", message, Clause::x680("25.1"));
        Ident { text: format!("unnamed-{}", span.start), span }
    }
}

/// Returns the type that a single word names.
fn plain(word: &str) -> Option<TypeKind> {
    Some(match word {
        "BOOLEAN" => TypeKind::Boolean,
        "REAL" => TypeKind::Real,
        "NULL" => TypeKind::Null,
        "RELATIVE-OID" => TypeKind::RelativeOid,
        "OID-IRI" => TypeKind::OidIri,
        "RELATIVE-OID-IRI" => TypeKind::RelativeOidIri,
        "EXTERNAL" => TypeKind::External,
        "UTCTime" => TypeKind::Time(TimeKind::Utc),
        "GeneralizedTime" => TypeKind::Time(TimeKind::Generalized),
        "TIME" => TypeKind::Time(TimeKind::Time),
        "DATE" => TypeKind::Time(TimeKind::Date),
        "TIME-OF-DAY" => TypeKind::Time(TimeKind::TimeOfDay),
        "DATE-TIME" => TypeKind::Time(TimeKind::DateTime),
        "DURATION" => TypeKind::Time(TimeKind::Duration),
        _ => TypeKind::String(match word {
            "UTF8String" => StringKind::Utf8,
            "NumericString" => StringKind::Numeric,
            "PrintableString" => StringKind::Printable,
            "TeletexString" | "T61String" => StringKind::Teletex,
            "VideotexString" => StringKind::Videotex,
            "IA5String" => StringKind::Ia5,
            "GraphicString" => StringKind::Graphic,
            "VisibleString" | "ISO646String" => StringKind::Visible,
            "GeneralString" => StringKind::General,
            "UniversalString" => StringKind::Universal,
            "BMPString" => StringKind::Bmp,
            "ObjectDescriptor" => StringKind::ObjectDescriptor,
            _ => return None,
        }),
    })
}
