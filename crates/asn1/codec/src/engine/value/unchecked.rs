//! Lists the constraints that were not checked because their meaning is unknown.

use alloc::vec::Vec;
use core::fmt;

use super::contents::Encoding;
use super::types::LAYERS;
use super::{Data, Dynamic, Value};
use crate::table::{Constraint, Shape, Type};
use crate::types::{Oid, knows_settings};

/// A constraint that was not checked on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unchecked<'v> {
    /// The value's offset; 0 for a value that was not decoded.
    pub offset: usize,
    /// The constraint, with the reason.
    pub why: Why<'v>,
}

/// The reason that a constraint is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why<'v> {
    /// A user-defined constraint (CONSTRAINED BY, X.682 §9) without a [`UserCheck`](crate::UserCheck).
    User(&'v str),
    /// ENCODED BY (X.682 §11) with rules other than BER, CER and DER.
    EncodedBy(Oid<'v>),
    /// SETTINGS of a time type (X.680 §51.10) that are not supported: recurrences.
    Settings(&'v str),
}

impl fmt::Display for Unchecked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            Why::User(text) => write!(f, "CONSTRAINED BY {{{}}}", text.trim())?,
            Why::EncodedBy(oid) => write!(f, "ENCODED BY {oid}")?,
            Why::Settings(text) => write!(f, "SETTINGS \"{text}\"")?,
        }
        write!(f, ", at byte {}", self.offset)
    }
}

/// A value yet to be visited, and the constraints on its component.
type Open<'v, 'a> = (&'v Value<'a>, &'v [Constraint]);

impl Dynamic<'_> {
    /// Lists the constraints of a value that decoding and encoding do not check, in value order. These are user-defined
    /// constraints without [`Options::user_checks`](crate::Options::user_checks), encodings under rules other than BER,
    /// CER and DER, and time recurrences.
    #[must_use]
    pub fn unchecked<'v>(&'v self, value: &'v Value<'_>) -> Vec<Unchecked<'v>> {
        let mut found = Vec::new();
        let mut open: Vec<Open<'v, '_>> = Vec::from([(value, &[][..])]);
        while let Some((value, constraints)) = open.pop() {
            self.among(constraints, value, &mut found);
            let mut ty: &Type = value.ty;
            for _ in 0..LAYERS {
                self.among(&ty.constraints, value, &mut found);
                match &ty.shape {
                    Shape::Named(inner) | Shape::Tagged { inner, .. } => match self.types().get(inner) {
                        Some(inner) => ty = inner,
                        None => break,
                    },
                    _ => break,
                }
            }
            let first = open.len();
            match &value.data {
                Data::Components(components) => {
                    open.extend(components.iter().filter_map(|(field, part)| Some((part?, &*field.constraints))))
                }
                Data::Items(items) => open.extend(items.iter().map(|item| (item, &[][..]))),
                Data::Alternative(chosen) => open.push((&chosen.value, &chosen.field.constraints)),
                Data::Containing(inner) => open.push((inner, &[])),
                Data::Leaf(_) | Data::Unknown(_) | Data::Foreign(_) => {}
            }
            open.get_mut(first..).unwrap_or_default().reverse();
        }
        found
    }

    /// Collects the unchecked constraints in a list and in its nested lists.
    fn among<'v>(&self, constraints: &'v [Constraint], value: &'v Value<'_>, found: &mut Vec<Unchecked<'v>>) {
        let offset = value.offset();
        let mut lists: Vec<(&'v [Constraint], usize)> = Vec::from([(constraints, offset)]);
        while let Some((list, offset)) = lists.pop() {
            for constraint in list {
                let why = match constraint {
                    Constraint::User(text) => {
                        let checks = self.options_in_force().user_checks_in_force();
                        (!checks.iter().any(|check| *check.text == **text)).then_some(Why::User(text))
                    }
                    Constraint::EncodedBy(oid) if Encoding::of(oid) == Encoding::Other => {
                        Oid::from_content(oid).ok().map(Why::EncodedBy)
                    }
                    Constraint::Settings(text) => (!knows_settings(text)).then_some(Why::Settings(text)),
                    Constraint::AllOf(inner)
                    | Constraint::AnyOf(inner)
                    | Constraint::NoneOf(inner)
                    | Constraint::WithComponent(inner) => {
                        lists.push((inner, offset));
                        None
                    }
                    Constraint::WithComponents { components, .. } => {
                        for line in components.iter() {
                            let part = value.component(&line.name).map_or(offset, Value::offset);
                            lists.push((&line.constraints, part));
                        }
                        None
                    }
                    _ => None,
                };
                found.extend(why.map(|why| Unchecked { offset, why }));
            }
        }
    }
}
