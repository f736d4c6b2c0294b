//! Constraints that tables do not enforce, and the types that they apply to.

use std::fmt;

use tagwise_codec::table::{self, Constraint, SetRef, Shape, Type, TypeRef};
use tagwise_schema::Span;

use crate::Schema;
use crate::names::{self, NameError};

/// The maximum length of a constraint's text in a message, in characters.
const SHOWN: usize = 100;

/// A constraint in the schema that tables do not enforce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The kind of constraint that is not enforced.
    pub what: What,
    /// The constraint's text in the schema, as far as it is known.
    pub text: String,
    /// The constraint's position in the schema.
    pub span: Span,
}

/// The kind of a constraint that is not enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// A user-defined constraint (X.682 §9).
    Words,
    /// A regular expression (X.680 Annex A) that is too large or uses unknown character names.
    Pattern,
    /// A property setting of a time type (X.680 §51.10) that restricts recurrences.
    Settings,
    /// A constraint that is only partly enforced: a time range (X.680 §51.11 to §51.13), or set arithmetic that exceeds the
    /// size limit.
    Inexact,
    /// Constraints on the components of an EXTERNAL, EMBEDDED PDV or CHARACTER STRING (X.680 §51.8), of which only the presence
    /// of components is checked, and extensible ones on the components of a REAL.
    Components,
    /// The contents of a string under encoding rules other than BER, CER and DER (ENCODED BY, X.682 §11).
    EncodedBy,
    /// A table constraint (X.682 §10) on a value of a fixed type, whose set has no objects for that field.
    Table,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "a constraint in prose",
            Self::Pattern => "a regular expression that names unknown characters or is too large",
            Self::Settings => "a recurring time",
            Self::Inexact => "a time range, or set arithmetic above the size limit",
            Self::Components => "a constraint on the components of a REAL, EXTERNAL, EMBEDDED PDV or CHARACTER STRING",
            Self::EncodedBy => "contents under encoding rules other than BER, CER and DER",
            Self::Table => "a table constraint with no permitted values",
        })
    }
}

impl fmt::Display for Unchecked {
    /// Writes the kind and the beginning of the text, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        if shown.is_empty() { Ok(()) } else { write!(f, ": {shown}") }
    }
}

impl Schema {
    /// Returns the constraints that are not enforced.
    #[must_use]
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    /// Returns the constraints of a type and of all types in it that are not enforced. The name is as in [`ty`](Self::ty).
    ///
    /// ```
    /// use tagwise_tables::{Schema, Source};
    /// let text = "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { d D } D ::= UTF8String (CONSTRAINED BY {}) E ::= NULL END";
    /// let schema = Schema::compile([Source::new("m.asn1", text)])?;
    /// assert_eq!(schema.unchecked_in("A")?.len(), 1);
    /// assert!(schema.unchecked_in("E")?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no type has the name, or if several modules define it.
    pub fn unchecked_in(&self, name: &str) -> Result<Vec<&Unchecked>, NameError> {
        let index = names::find(&self.names, name)?;
        if self.unchecked.is_empty() {
            return Ok(Vec::new());
        }
        let reached = Reached::from(&self.tables, index);
        let mut found = vec![false; self.unchecked.len()];
        for (ty, index) in &self.places {
            if reached.types.get(*ty as usize) == Some(&true)
                && let Some(slot) = found.get_mut(*index as usize)
            {
                *slot = true;
            }
        }
        Ok(self.unchecked.iter().zip(found).filter_map(|(one, found)| found.then_some(one)).collect())
    }
}

/// The types and sets that a type refers to.
struct Reached {
    types: Vec<bool>,
    sets: Vec<bool>,
    /// The types yet to be visited.
    open: Vec<u32>,
    /// The sets yet to be visited.
    open_sets: Vec<u32>,
}

impl Reached {
    fn from(tables: &table::Schema, index: u32) -> Self {
        let (types, sets) = (vec![false; tables.types.len()], vec![false; tables.sets.len()]);
        let mut reached = Self { types, sets, open: Vec::new(), open_sets: Vec::new() };
        reached.ty(&TypeRef::Index(index));
        loop {
            if let Some(index) = reached.open.pop() {
                if let Some(ty) = tables.types.get(index as usize) {
                    reached.parts(ty);
                }
            } else if let Some(index) = reached.open_sets.pop() {
                let objects = tables.sets.get(index as usize).map(|set| &*set.objects).unwrap_or_default();
                objects.iter().for_each(|object| reached.ty(&object.ty));
            } else {
                return reached;
            }
        }
    }

    fn ty(&mut self, reference: &TypeRef) {
        // The types of functions are the standard's own, which have no such constraints.
        if let TypeRef::Index(index) = reference
            && let Some(seen) = self.types.get_mut(*index as usize)
            && !std::mem::replace(seen, true)
        {
            self.open.push(*index);
        }
    }

    fn set(&mut self, reference: &SetRef) {
        if let SetRef::Index(index) = reference
            && let Some(seen) = self.sets.get_mut(*index as usize)
            && !std::mem::replace(seen, true)
        {
            self.open_sets.push(*index);
        }
    }

    fn parts(&mut self, ty: &Type) {
        self.constraints(&ty.constraints);
        match &ty.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => self.fields(&fields.list),
            Shape::Choice { alternatives, .. } => self.fields(alternatives),
            Shape::SequenceOf(inner) | Shape::SetOf(inner) | Shape::Named(inner) | Shape::Tagged { inner, .. } => {
                self.ty(inner);
            }
            Shape::Open { set: Some(set), .. } => self.set(set),
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[table::Field]) {
        for field in fields {
            self.ty(&field.ty);
            self.constraints(&field.constraints);
        }
    }

    fn constraints(&mut self, constraints: &[Constraint]) {
        let mut lists = vec![constraints];
        while let Some(list) = lists.pop() {
            for constraint in list {
                match constraint {
                    Constraint::Containing(ty) | Constraint::Includes(ty) => self.ty(ty),
                    Constraint::Relation { set, .. } => self.set(set),
                    Constraint::AllOf(inner)
                    | Constraint::AnyOf(inner)
                    | Constraint::NoneOf(inner)
                    | Constraint::WithComponent(inner) => lists.push(inner),
                    Constraint::Extensible { root, .. } => lists.push(root),
                    Constraint::WithComponents { components, .. } => {
                        lists.extend(components.iter().map(|component| &*component.constraints));
                    }
                    _ => {}
                }
            }
        }
    }
}
