//! Type names: lookup, and types that no other type refers to.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;

use tagwise_schema::Model;
use tagwise_schema::model::{AssignmentKind, Constraints, Fields, Shape, TypeId};

/// The name of a type in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The module's name.
    pub module: String,
    /// The type's name.
    pub name: String,
    /// True if no other type of the schema refers to this type, as is typical for messages.
    pub top: bool,
    pub(crate) index: u32,
}

/// The reason that a type name could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// There is no such type.
    Unknown {
        /// A name that differs only in case or hyphens.
        near: Option<String>,
    },
    /// Several modules define the type.
    Ambiguous {
        /// The modules that define the type.
        modules: Vec<String>,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { near: Some(near) } => write!(f, "unknown type; did you mean {near}?"),
            Self::Unknown { near: None } => f.write_str("unknown type"),
            Self::Ambiguous { modules } => write!(f, "defined in several modules: {}", modules.join(", ")),
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

/// Returns the type names that the modules assign.
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

/// Returns the types that other types refer to. References from a type's own parts, in particular to itself, do not count.
fn referred(model: &Model) -> HashSet<TypeId> {
    let parts = all_parts(model);
    let named = model.modules.iter().flat_map(|module| &module.assignments).filter_map(|one| match one.kind {
        AssignmentKind::Type(id) | AssignmentKind::ValueSet(id) => Some(id),
        _ => None,
    });
    let named: Vec<TypeId> = named.collect();
    // Parts without a name belong to the type they are met in first.
    let mut owners: HashMap<TypeId, TypeId> = named.iter().map(|id| (*id, *id)).collect();
    for owner in named {
        let mut open = vec![owner];
        while let Some(id) = open.pop() {
            for &part in parts.get(id.0 as usize).into_iter().flatten() {
                if let Entry::Vacant(vacant) = owners.entry(part) {
                    vacant.insert(owner);
                    open.push(part);
                }
            }
        }
    }
    let mut found = HashSet::new();
    for (index, parts) in parts.iter().enumerate() {
        let owner = u32::try_from(index).ok().and_then(|index| owners.get(&TypeId(index)));
        found.extend(parts.iter().filter(|part| Some(*part) != owner));
    }
    found
}

/// Returns the types that each type refers to. The rows of a set are listed once per field, for the first type that contains
/// them.
fn all_parts(model: &Model) -> Vec<Vec<TypeId>> {
    let mut sets = HashSet::new();
    model
        .types
        .iter()
        .map(|ty| {
            let fields = |fields: &Fields| fields.list.iter().map(|field| field.ty).collect();
            let mut found: Vec<TypeId> = match &ty.shape {
                Shape::Sequence(list) | Shape::Set(list) | Shape::Choice(list) => fields(list),
                Shape::InstanceOf { fields: list, .. } => fields(list),
                Shape::SequenceOf(item) | Shape::SetOf(item) => vec![item.ty],
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => vec![*target],
                Shape::Open(open) => {
                    let is_new = open.table.as_ref().is_some_and(|table| sets.insert((table.set, &open.field)));
                    let rows = if is_new { model.rows(open).iter().map(|row| row.ty).collect() } else { Vec::new() };
                    rows.into_iter().chain(open.fixed).collect()
                }
                _ => Vec::new(),
            };
            found.extend(contained(&ty.constraints));
            found
        })
        .collect()
}

fn contained(constraints: &Constraints) -> Option<TypeId> {
    constraints.contents.as_ref()?.ty
}
