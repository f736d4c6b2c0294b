//! Parses objects in their class's syntax (X.681 §10, §11.6).

use crate::ast::{Actual, Ident};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::model::{FieldKind, SyntaxItem};
use crate::parse::{Parsed, Parser};

const SYNTAX: Clause = Clause::x681("11.6");

/// The charge for looking at one item of a syntax.
const LOOK: u64 = 16;

/// A callback that returns the kind of a class's field by its name.
type Kinds<'k> = dyn Fn(&str) -> Option<FieldKind> + 'k;

impl Parser<'_> {
    /// Parses the settings of an object according to its class's syntax.
    pub(crate) fn defined_syntax(&mut self, items: &[SyntaxItem], kinds: &Kinds<'_>) -> Parsed<Vec<(Ident, Actual)>> {
        let mut settings = Vec::new();
        self.syntax_items(items, &[], kinds, &mut settings)?;
        Ok(settings)
    }

    /// Parses settings according to a list of syntax items. `behind` contains the items that may follow them.
    fn syntax_items(
        &mut self,
        items: &[SyntaxItem],
        behind: &[&[SyntaxItem]],
        kinds: &Kinds<'_>,
        into: &mut Vec<(Ident, Actual)>,
    ) -> Parsed<()> {
        self.deeper(|parser| {
            let mut rest = items;
            while let Some((item, after)) = rest.split_first() {
                rest = after;
                match item {
                    SyntaxItem::Literal(word) => {
                        if !parser.is_literal(word) {
                            return parser.expected(&format!("`{word}`"), SYNTAX);
                        }
                        parser.bump();
                    }
                    SyntaxItem::Field(name) => {
                        let span = parser.span();
                        let actual = parser.setting(kinds(name), name)?;
                        into.push((Ident { text: name.clone(), span }, actual));
                    }
                    SyntaxItem::Optional(inner) => {
                        let mut following: Vec<&[SyntaxItem]> = vec![after];
                        following.extend(behind);
                        if parser.begins(inner, &following, kinds)? {
                            parser.syntax_items(inner, &following, kinds, into)?;
                        }
                    }
                }
            }
            Ok(())
        })
    }

    fn is_literal(&self, word: &str) -> bool {
        if word == "," { self.is(b',') } else { self.is_word(word) }
    }

    /// Returns whether an optional group begins here. This is determined by its first word, or by the kind of its first field
    /// if the next token is not a word that may follow the group (X.681 §10.12 ensures that the two are distinct).
    fn begins(&mut self, group: &[SyntaxItem], following: &[&[SyntaxItem]], kinds: &Kinds<'_>) -> Parsed<bool> {
        // Groups that only begin with groups are taken by the first that begins here.
        let mut firsts: Vec<&SyntaxItem> = Vec::new();
        first_items(group, &mut firsts);
        self.spend(LOOK * firsts.len() as u64)?;
        for first in firsts {
            match first {
                SyntaxItem::Literal(word) if self.is_literal(word) => return Ok(true),
                SyntaxItem::Field(name) => {
                    let mut next = Vec::new();
                    following.iter().for_each(|items| first_items(items, &mut next));
                    self.spend(LOOK * next.len() as u64)?;
                    let is_word_behind =
                        next.iter().any(|item| matches!(item, SyntaxItem::Literal(word) if self.is_literal(word)));
                    if !self.is_end() && !is_word_behind && self.fits(kinds(name)) {
                        return Ok(true);
                    }
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Returns whether the next tokens may be the content of a field.
    fn fits(&self, kind: Option<FieldKind>) -> bool {
        match kind {
            Some(FieldKind::Type) => {
                matches!(self.kind(), TokenKind::Upper | TokenKind::Symbol(b'[')) || self.kind() == TokenKind::Lower
            }
            Some(FieldKind::FixedValueSet(_) | FieldKind::VariableValueSet(_) | FieldKind::ObjectSet(_)) => {
                matches!(self.kind(), TokenKind::Upper | TokenKind::Symbol(b'{'))
            }
            Some(FieldKind::Object(_)) => matches!(self.kind(), TokenKind::Lower | TokenKind::Symbol(b'{')),
            Some(FieldKind::FixedValue(_) | FieldKind::VariableValue(_)) => {
                !matches!(self.kind(), TokenKind::Symbol(b','))
            }
            None => false,
        }
    }

    /// Parses a field's setting.
    fn setting(&mut self, kind: Option<FieldKind>, name: &str) -> Parsed<Actual> {
        match kind {
            Some(FieldKind::Type) => {
                if !matches!(self.kind(), TokenKind::Upper | TokenKind::Lower | TokenKind::Symbol(b'[')) {
                    return self.expected(&format!("a type, for {name}"), SYNTAX);
                }
                Ok(Actual::Type(self.ty()?))
            }
            Some(FieldKind::FixedValueSet(_) | FieldKind::VariableValueSet(_) | FieldKind::ObjectSet(_)) => {
                if self.is(b'{') {
                    return Ok(Actual::Braced(self.braced(SYNTAX)?));
                }
                Ok(Actual::Type(self.ty()?))
            }
            _ => Ok(Actual::Value(self.value()?)),
        }
    }
}

/// Collects the items that a list of syntax items may begin with: those up to the first mandatory one.
fn first_items<'i>(items: &'i [SyntaxItem], into: &mut Vec<&'i SyntaxItem>) {
    let mut open: Vec<std::slice::Iter<'i, SyntaxItem>> = vec![items.iter()];
    // An optional group contributes its own first items, and what follows it remains possible.
    while let Some(mut row) = open.pop() {
        match row.next() {
            None => {}
            Some(SyntaxItem::Optional(inner)) => {
                open.push(row);
                open.push(inner.iter());
            }
            Some(item) => into.push(item),
        }
    }
}
