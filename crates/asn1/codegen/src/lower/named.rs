//! The named types of a schema, with names and documentation from an overlay, for C and Python.

use std::collections::HashMap;

use tagwise_codec::table::{Field, Shape, Type};
use tagwise_codec::value::Types;
use tagwise_tables::{Name, Schema};

use crate::overlay::{FieldOverlay, Overlay, OverlayError, TypeOverlay, means};

/// A type with a name.
pub(crate) struct Named<'s> {
    /// The type's module and ASN.1 name.
    pub(crate) name: &'s Name,
    /// The type's name from the overlay or, by default, its unique name in a file for all modules.
    pub(crate) own: String,
    pub(crate) ty: &'s Type,
    overlay: Option<&'s TypeOverlay>,
}

impl<'s> Named<'s> {
    /// Returns the overlay's entry for a component or alternative.
    pub(crate) fn field(&self, name: &str) -> Option<&'s FieldOverlay> {
        self.overlay?.fields.iter().find(|field| field.name == name)
    }

    /// Returns the documentation from the overlay, line by line.
    pub(crate) fn doc(&self) -> impl Iterator<Item = String> {
        self.overlay.and_then(|overlay| overlay.doc.as_deref()).into_iter().flat_map(str::lines).map(str::to_owned)
    }
}

/// Returns the named types of a schema. A name used in several modules is prefixed with the module's name.
pub(crate) fn types<'s>(schema: &'s Schema, overlay: &'s Overlay) -> Vec<Named<'s>> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in schema.names() {
        *count.entry(&name.name).or_default() += 1;
    }
    let named = schema.names().iter().filter_map(|name| {
        let overlay = overlay.types.iter().find(|entry| means(&entry.name, &name.module, &name.name));
        let several = count.get(name.name.as_str()).is_some_and(|count| *count > 1);
        let own = match overlay.and_then(|overlay| overlay.rename.clone()) {
            Some(own) => own,
            None if several => format!("{}_{}", name.module, name.name),
            None => name.name.clone(),
        };
        Some(Named { name, own, ty: schema.named(name)?.ty(), overlay })
    });
    named.collect()
}

/// Returns the overlay's entries for types and components that are not in the schema.
pub(crate) fn missing(schema: &Schema, overlay: &Overlay) -> Vec<OverlayError> {
    let types = Types::of(schema.tables());
    let mut errors = Vec::new();
    for entry in &overlay.types {
        let fitting = schema.names().iter().filter(|name| means(&entry.name, &name.module, &name.name));
        let fitting: Vec<&Type> = fitting.filter_map(|name| Some(types.base(schema.named(name)?.ty()))).collect();
        // Types without a name in ASN.1 are named for Rust alone, and entries for them are about Rust.
        let applies = |rename: &Option<String>, doc: &Option<String>| rename.is_some() || doc.is_some();
        let fields = entry.fields.iter().any(|field| applies(&field.rename, &field.doc));
        if fitting.is_empty() {
            if !fields && !applies(&entry.rename, &entry.doc) {
                continue;
            }
            errors.push(overlay.error(entry.at, format!("unknown type `{}`", entry.name)));
            continue;
        }
        for field in &entry.fields {
            if !fitting.iter().any(|ty| has(ty, &field.name)) {
                errors.push(overlay.error(field.at, format!("unknown component `{}` of `{}`", field.name, entry.name)));
            }
        }
    }
    errors
}

/// Returns whether a type has a component, alternative or named number with this name.
fn has(ty: &Type, name: &str) -> bool {
    match &ty.shape {
        Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => is_among(&fields.list, name),
        Shape::Choice { alternatives, .. } => is_among(alternatives, name),
        Shape::Integer(items) | Shape::BitString(items) | Shape::Enumerated { items, .. } => {
            items.iter().any(|item| *item.name == *name)
        }
        _ => false,
    }
}

fn is_among(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| *field.name == *name)
}
