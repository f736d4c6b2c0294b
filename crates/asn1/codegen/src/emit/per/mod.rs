//! The Rust emitter for PER: owned structs and enums with straight-line code for decoding and encoding.
//!
//! The code consists of calls of [`tagwise_per::code`], with the effective constraints of [`tagwise_per::plan`] as constants.

mod checks;
mod forms;
mod items;
mod values;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use tagwise_codec::table::{Shape, Type, TypeRef};
use tagwise_codec::value::Types;
use tagwise_per::plan::{Layout, Plan};
use tagwise_per::shared::index_of;
use tagwise_schema::model::Model;
use tagwise_tables::Schema;

use super::File;
use crate::lower::named::{self, Named};
use crate::names::Words;
use crate::overlay::Overlay;

/// Options for generating Rust for PER.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file's name without `.rs`.
    pub name: String,
    /// The path of `tagwise_per` in generated code.
    pub per: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { name: "per".to_owned(), per: "tagwise_per".to_owned() }
    }
}

/// The largest estimated size of a value that a CHOICE or an OPTIONAL component contains without a box.
const INLINE: usize = 192;

/// The depth to which sizes are estimated.
const NESTING: u32 = 64;

/// Emits types and everything that they contain: those that the overlay marks with `rules = "per"`, or all.
///
/// # Errors
/// Returns a message for each type that generated code does not support.
pub(crate) fn emit(
    model: &Model,
    schema: &Schema,
    overlay: &Overlay,
    options: &Options,
) -> Result<Vec<File>, Vec<String>> {
    let named = named::types(schema, overlay);
    let docs = super::texts(model, &named);
    let is_marked = |one: &Named<'_>| {
        overlay
            .types
            .iter()
            .any(|entry| entry.per && crate::overlay::means(&entry.name, &one.name.module, &one.name.name))
    };
    let some = overlay.types.iter().any(|entry| entry.per);
    let mut out = Out::new(schema, &named, docs, model.types.len());
    for entry in overlay.types.iter().filter(|entry| entry.per) {
        if !named.iter().any(|one| crate::overlay::means(&entry.name, &one.name.module, &one.name.name)) {
            out.problems.push(format!("the overlay selects an unknown type for PER: `{}`", entry.name));
        }
    }
    let roots: Vec<u32> = named
        .iter()
        .filter(|one| !some || is_marked(one))
        .filter_map(|one| index_of(&schema.tables().types, one.ty))
        .collect();
    for root in roots {
        out.place = out.title(root);
        let name = out.form(root);
        if let Some(name) = name {
            out.entry(root, &name);
        }
        out.drain();
    }
    if out.text.len() as u64 > model.allowance() {
        out.problems.push(super::TooLarge { allowance: model.allowance() }.to_string());
    }
    if !out.problems.is_empty() {
        out.problems.sort();
        out.problems.dedup();
        return Err(out.problems);
    }
    let modules: Vec<String> = model.modules.iter().map(|module| format!("`{}`", module.name)).collect();
    let mut text = format!("// PER types of the ASN.1 modules {}.\n", modules.join(", "));
    text.push_str("// Written by the schema compiler: change the schema or its overlay, not this file.\n\n");
    let _ = writeln!(text, "use {}::code::{{self, Decoder, Encoder, PerType, Stop}};", options.per);
    text.push('\n');
    text.push_str(&out.text);
    Ok(vec![File { name: format!("{}.rs", options.name), text }])
}

/// The Rust type of an ASN.1 type, and the code that reads and writes it.
#[derive(Clone, Debug)]
struct Form {
    /// The Rust type.
    ty: String,
    /// An expression of `Result<Type, Stop>`, with the decoder `d`.
    read: String,
    /// An expression of `Result<(), Stop>`, with the encoder `e` and a reference `v` to the value.
    write: String,
}

impl Form {
    fn new(ty: &str, read: impl Into<String>, write: impl Into<String>) -> Self {
        Self { ty: ty.to_owned(), read: read.into(), write: write.into() }
    }

    fn boxed(&self) -> Self {
        let (ty, read) = (format!("Box<{}>", self.ty), format!("{}.and_then(|v| d.boxed(v))", self.read));
        Self { ty, read, write: format!("{{ let v = &**v; {} }}", self.write) }
    }
}

/// The output.
struct Out<'s> {
    schema: &'s Schema,
    plan: &'s Plan,
    types: Types<'s>,
    /// The names of the modules' types, by index.
    named: HashMap<u32, (String, Vec<String>)>,
    /// The Rust names of the types that have items, by the index of the underlying type.
    items: HashMap<u32, String>,
    /// The Rust names in use.
    taken: HashSet<String>,
    queue: VecDeque<u32>,
    /// The number of the model's types, which have layouts.
    count: u32,
    /// A type of the model for each underlying type.
    seen: HashMap<u32, u32>,
    /// The items in the queue, and those that were in it.
    asked: HashSet<u32>,
    statics: HashMap<String, String>,
    sizes: HashMap<u32, usize>,
    /// The depth of the estimation of a size.
    nesting: u32,
    text: String,
    /// The type that is being written, for messages.
    place: String,
    /// The name for the anonymous type of the current place.
    path: String,
    /// The type that is being written.
    owner: u32,
    /// The mandatory components of the current SEQUENCE or SET, with the indices of their types.
    siblings: Vec<(String, u32)>,
    problems: Vec<String>,
}

impl<'s> Out<'s> {
    fn new(schema: &'s Schema, named: &[Named<'s>], docs: Vec<Vec<String>>, count: usize) -> Self {
        let mut out = Self {
            schema,
            plan: schema.plan(),
            types: Types::of(schema.tables()),
            named: HashMap::new(),
            items: HashMap::new(),
            taken: [
                "Decoder", "Encoder", "PerType", "Stop", "Self", "Option", "Some", "None", "Ok", "Err", "Vec", "Box",
                "String", "Result",
            ]
            .map(str::to_owned)
            .into(),
            queue: VecDeque::new(),
            asked: HashSet::new(),
            count: count as u32,
            seen: HashMap::new(),
            statics: HashMap::new(),
            sizes: HashMap::new(),
            nesting: 0,
            text: String::new(),
            place: String::new(),
            path: String::new(),
            owner: u32::MAX,
            siblings: Vec::new(),
            problems: Vec::new(),
        };
        for index in 0..out.count {
            if let Some(base) = out.base(index) {
                out.seen.entry(base).or_insert(index);
            }
        }
        for (one, docs) in named.iter().zip(docs) {
            if let Some(index) = index_of(&schema.tables().types, one.ty) {
                out.named.entry(index).or_insert_with(|| (one.own.clone(), docs));
            }
        }
        // Items have the name of the first type that is defined by them, not that of a reference.
        let mut indices: Vec<u32> = out.named.keys().copied().collect();
        indices.sort_unstable();
        for index in &indices {
            let is_own = out.base(*index) == Some(*index) || !out.is_item(*index);
            if is_own {
                let name = out.unique(&out.title(*index));
                out.items.insert(*index, name);
            }
        }
        for index in indices {
            let Some(base) = out.base(index).filter(|_| out.is_item(index)) else { continue };
            if !out.items.contains_key(&base) {
                let name = out.unique(&out.title(index));
                out.items.insert(base, name);
            }
        }
        out
    }

    /// The ASN.1 name of a type.
    fn title(&self, index: u32) -> String {
        match self.named.get(&index) {
            Some((name, _)) => name.clone(),
            None => self.ty(index).map(|ty| ty.name.to_string()).unwrap_or_default(),
        }
    }

    /// A Rust name that is not in use.
    fn unique(&mut self, name: &str) -> String {
        let name = Words::of(name).upper_camel();
        let name = if name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
            format!("T{name}")
        } else {
            name
        };
        let mut found = name.clone();
        let mut number = 2;
        while !self.taken.insert(found.clone()) {
            found = format!("{name}{number}");
            number += 1;
        }
        found
    }

    fn ty(&self, index: u32) -> Option<&'s Type> {
        self.schema.tables().types.get(index as usize)
    }

    fn layout(&self, index: u32) -> Option<&'s Layout> {
        if index < self.count {
            return self.plan.get(index);
        }
        // Tables have further types behind those of the model, for tags.
        self.plan.get(*self.seen.get(&index)?)
    }

    /// The underlying type, without names and tags.
    fn base(&self, index: u32) -> Option<u32> {
        index_of(&self.schema.tables().types, self.types.base(self.ty(index)?))
    }

    /// Returns whether values have a Rust type of their own: a struct or an enum.
    fn is_item(&self, index: u32) -> bool {
        matches!(self.layout(index), Some(Layout::Structure(_) | Layout::Choice(_) | Layout::Enumerated(_)))
    }

    /// The types from a reference to the underlying type.
    fn chain(&self, index: u32) -> Vec<u32> {
        let mut found = vec![index];
        let mut at = index;
        while let Some(Shape::Named(TypeRef::Index(next)) | Shape::Tagged { inner: TypeRef::Index(next), .. }) =
            self.ty(at).map(|ty| &ty.shape)
        {
            if found.contains(next) {
                break;
            }
            found.push(*next);
            at = *next;
        }
        found
    }

    fn problem<T>(&mut self, what: &str) -> Option<T> {
        let place = &self.place;
        self.problems.push(format!(
            "{place}: generated Rust for PER does not support {what}; use `Schema::per` of tagwise-tables"
        ));
        None
    }

    /// Writes the items that were referred to.
    fn drain(&mut self) {
        while let Some(index) = self.queue.pop_front() {
            self.item(index);
        }
    }

    /// The estimated size of a value, in bytes.
    fn size(&mut self, index: u32) -> usize {
        if let Some(known) = self.sizes.get(&index) {
            return *known;
        }
        // Those that contain themselves are boxed.
        self.sizes.insert(index, 8);
        // References between types may be nested deeply.
        if self.nesting >= NESTING {
            return 8;
        }
        self.nesting += 1;
        let size = match self.layout(index) {
            Some(Layout::Structure(structure)) => {
                let fields: usize = structure.fields.iter().map(|field| self.size(*field) + 4).sum();
                fields.min(1 << 20) + 8
            }
            Some(Layout::Choice(choice)) => {
                choice.fields.iter().map(|field| self.held(*field)).max().unwrap_or_default().max(32) + 8
            }
            Some(Layout::Boolean | Layout::Null | Layout::Enumerated(_)) => 1,
            Some(Layout::Integer(_)) => 8,
            Some(Layout::Same(inner)) => self.size(*inner),
            Some(Layout::OctetString(sized) | Layout::BitString(sized)) if sized.contents.is_some() => {
                sized.contents.map_or(8, |contents| self.size(contents.ty))
            }
            _ => 32,
        };
        self.nesting -= 1;
        self.sizes.insert(index, size);
        size
    }

    /// The size of a value that may be boxed.
    fn held(&mut self, index: u32) -> usize {
        let size = self.size(index);
        if size > INLINE { 8 } else { size }
    }
}
