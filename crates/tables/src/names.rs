//! The names of types: as they are asked for, and which of them nothing else refers to.

use std::collections::HashSet;
use std::fmt;

use tagwise_schema::Model;
use tagwise_schema::model::{AssignmentKind, Constraints, Fields, Shape, TypeId};

/// A type that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The module.
    pub module: String,
    /// The type.
    pub name: String,
    /// Whether no other type of the schema refers to it: messages are such types.
    pub top: bool,
    pub(crate) index: u32,
}

/// Why a name leads to no type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// There is no such type.
    Unknown {
        /// The one that differs only by case or hyphens.
        near: Option<String>,
    },
    /// Several modules have one.
    Ambiguous {
        /// They are these.
        modules: Vec<String>,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { near: Some(near) } => write!(f, "there is no such type; did you mean {near}?"),
            Self::Unknown { near: None } => f.write_str("there is no such type"),
            Self::Ambiguous { modules } => write!(f, "several modules have one: {}", modules.join(", ")),
        }
    }
}

impl std::error::Error for NameError {}

pub(crate) fn find(names: &[Name], asked: &str) -> Result<u32, NameError> {
    let (module, name) = match asked.split_once('.') {
        Some((module, name)) => (Some(module), name),
        None => (None, asked),
    };
    let of = |entry: &&Name| module.is_none_or(|module| entry.module == module);
    let found: Vec<&Name> = names.iter().filter(of).filter(|entry| entry.name == name).collect();
    match found.as_slice() {
        [one] => Ok(one.index),
        [] => {
            let plain = |text: &str| text.replace(['-', '_'], "").to_lowercase();
            let near = names.iter().filter(of).find(|entry| plain(&entry.name) == plain(name));
            Err(NameError::Unknown { near: near.map(|entry| entry.name.clone()) })
        }
        several => Err(NameError::Ambiguous { modules: several.iter().map(|entry| entry.module.clone()).collect() }),
    }
}

/// The names that modules assign.
pub(crate) fn names(model: &Model) -> Vec<Name> {
    let referred = referred(model);
    let mut names = Vec::new();
    for module in &model.modules {
        for assignment in &module.assignments {
            if let AssignmentKind::Type(id) | AssignmentKind::ValueSet(id) = assignment.kind {
                let top = !referred.contains(&id);
                names.push(Name { module: module.name.clone(), name: assignment.name.clone(), top, index: id.0 });
            }
        }
    }
    names
}

/// All types that others refer to.
fn referred(model: &Model) -> HashSet<TypeId> {
    let mut found = HashSet::new();
    // Types of one set and field have the same rows.
    let mut sets = HashSet::new();
    for (index, ty) in model.types.iter().enumerate() {
        let mut add = |id: TypeId| {
            // A type that only refers to itself is no part of another.
            if id.0 as usize != index {
                found.insert(id);
            }
        };
        let mut fields = |fields: &Fields| fields.list.iter().for_each(|field| add(field.ty));
        match &ty.shape {
            Shape::Sequence(list) | Shape::Set(list) | Shape::Choice(list) => fields(list),
            Shape::InstanceOf { fields: list, .. } => fields(list),
            Shape::SequenceOf(item) | Shape::SetOf(item) => add(item.ty),
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => add(*target),
            Shape::Open(open) => {
                if open.table.as_ref().is_some_and(|table| sets.insert((table.set, &open.field))) {
                    model.rows(open).iter().for_each(|row| add(row.ty));
                }
                open.fixed.into_iter().for_each(&mut add);
            }
            _ => {}
        }
        contained(&ty.constraints).into_iter().for_each(add);
    }
    found
}

fn contained(constraints: &Constraints) -> Option<TypeId> {
    constraints.contents.as_ref()?.ty
}
