//! Type expressions: imports, paths and lifetimes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tagwise_schema::Int;
use tagwise_schema::model::{ModuleId, StringKind, TimeKind};

use super::super::{Meter, TooLarge};
use super::Options;
use super::text::by_version;
use crate::lower::plan::{Alternative, Body, Builtin, Content, ItemId, Number, Plan, Repr};

/// The names of one file.
pub(super) struct Names<'p> {
    pub(super) plan: &'p Plan<'p>,
    pub(super) module: ModuleId,
    pub(super) options: &'p Options,
    /// The names that the file defines.
    own: HashSet<String>,
    /// The names that come from the codec.
    codec: BTreeSet<String>,
    /// The names that come from other modules, with their paths.
    others: BTreeMap<String, BTreeSet<String>>,
    taken: HashMap<String, String>,
    /// The indices of alternatives and numbers, by name, of items for which values were written.
    alternatives: HashMap<ItemId, HashMap<&'p str, usize>>,
    numbers: HashMap<ItemId, HashMap<&'p Int, usize>>,
    /// True for each component whose DEFAULT value can be expressed in Rust. A value that contains itself cannot.
    pub(super) defaults: HashMap<(ItemId, usize), bool>,
    pub(super) alloc: bool,
    /// The allowance for values, because nested references to values can expand to far more than their text.
    pub(super) meter: Meter,
    /// The error, once the allowance is exceeded.
    pub(super) exceeded: Option<TooLarge>,
}

impl<'p> Names<'p> {
    pub(super) fn new(plan: &'p Plan<'p>, module: ModuleId, options: &'p Options, meter: Meter) -> Self {
        let contents = plan.modules.get(module.0 as usize).map(|module| module.contents.as_slice()).unwrap_or_default();
        let own = contents.iter().filter_map(|content| match content {
            Content::Item(id) => plan.item(*id).filter(|item| item.emitted).map(|item| item.ident.clone()),
            Content::Constant(_) => None,
        });
        Self {
            plan,
            module,
            options,
            own: own.chain(std::iter::once("Asn1".to_owned())).collect(),
            codec: BTreeSet::new(),
            others: BTreeMap::new(),
            taken: HashMap::new(),
            alternatives: HashMap::new(),
            numbers: HashMap::new(),
            defaults: HashMap::new(),
            alloc: false,
            meter,
            exceeded: None,
        }
    }

    /// Returns the alternative of a CHOICE with the given name.
    pub(super) fn alternative_of(&mut self, id: ItemId, name: &str) -> Option<&'p Alternative> {
        let Body::Choice(choice) = &self.plan.item(id)?.body else { return None };
        let list = choice.alternatives.as_slice();
        let places = self.alternatives.entry(id).or_insert_with(|| {
            // Of one name the first is meant.
            list.iter().enumerate().rev().map(|(place, one)| (one.name.as_str(), place)).collect()
        });
        list.get(*places.get(name)?)
    }

    /// Returns the item with the given number from a list.
    pub(super) fn number(&mut self, id: ItemId, list: &'p [Number], number: &Int) -> Option<&'p Number> {
        let places = self
            .numbers
            .entry(id)
            .or_insert_with(|| list.iter().enumerate().rev().map(|(place, one)| (&one.named.number, place)).collect());
        list.get(*places.get(number)?)
    }

    /// Runs `write`. If it fails, the imports that it added are removed.
    pub(super) fn attempt<T>(&mut self, write: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = (self.codec.clone(), self.others.clone(), self.taken.clone(), self.alloc);
        let written = write(self);
        if written.is_none() {
            (self.codec, self.others, self.taken, self.alloc) = before;
        }
        written
    }

    /// Returns the imports, in order.
    pub(super) fn uses(&mut self, asn1: bool) -> Vec<(String, Vec<String>)> {
        let mut uses: Vec<(String, Vec<String>)> = std::mem::take(&mut self.others)
            .into_iter()
            .map(|(path, names)| (path, names.into_iter().collect()))
            .collect();
        if !self.codec.is_empty() {
            uses.push((self.options.codec.clone(), std::mem::take(&mut self.codec).into_iter().collect()));
        }
        if asn1 && let Some((path, name)) = self.options.derive.rsplit_once("::") {
            uses.push((path.to_owned(), vec![name.to_owned()]));
        }
        uses.sort_by(|(one, _), (other, _)| rank(one).cmp(&rank(other)).then_with(|| by_version(one, other)));
        let mut merged: Vec<(String, Vec<String>)> = Vec::new();
        for (path, names) in uses {
            match merged.last_mut() {
                Some((last, all)) if *last == path => all.extend(names),
                _ => merged.push((path, names)),
            }
        }
        for (_, names) in &mut merged {
            names.sort_by(|one, other| by_version(one, other));
        }
        merged
    }

    /// Returns the name of a codec item, and adds an import if the name is not in use. Otherwise, returns its full path.
    pub(super) fn codec(&mut self, name: &str) -> String {
        if self.own.contains(name) || self.taken.contains_key(name) {
            return format!("{}::{name}", self.options.codec);
        }
        self.codec.insert(name.to_owned());
        name.to_owned()
    }

    /// Claims a name in the file. Returns `false` if it is in use.
    pub(super) fn claim(&mut self, name: &str) -> bool {
        !self.taken.contains_key(name) && self.own.insert(name.to_owned())
    }

    /// Returns the path of a codec macro.
    pub(super) fn codec_macro(&self, name: &str) -> String {
        format!("{}::{name}!", self.options.codec)
    }

    fn with_lifetime(&mut self, name: &str) -> String {
        format!("{}<'a>", self.codec(name))
    }

    /// Returns the name of an item, without its lifetime.
    pub(super) fn item_name(&mut self, id: ItemId) -> String {
        let Some(item) = self.plan.item(id) else { return "()".to_owned() };
        let module = self.plan.modules.get(item.module.0 as usize);
        if item.module == self.module {
            return item.ident.clone();
        }
        let path = match module {
            Some(module) => {
                module.elsewhere.clone().unwrap_or_else(|| format!("super::{}", super::text::ident(&module.ident)))
            }
            None => return item.ident.clone(),
        };
        let known = self.taken.get(&item.ident);
        let clash = self.own.contains(&item.ident)
            || self.codec.contains(&item.ident)
            || CODEC.contains(&item.ident.as_str())
            || known.is_some_and(|known| *known != path);
        if clash {
            return format!("{path}::{}", item.ident);
        }
        self.taken.insert(item.ident.clone(), path.clone());
        self.others.entry(path).or_default().insert(item.ident.clone());
        item.ident.clone()
    }

    /// Returns the expression for a type.
    pub(super) fn ty(&mut self, repr: &Repr) -> String {
        match repr {
            Repr::Item(id) => {
                let name = self.item_name(*id);
                if self.plan.item(*id).is_some_and(|item| item.borrows) { format!("{name}<'a>") } else { name }
            }
            Repr::Foreign(path) => path.clone(),
            Repr::SequenceOf(inner) => self.list("SeqOf", inner),
            Repr::SetOf(inner) => self.list("SetOf", inner),
            Repr::Raw(inner) => self.list("Raw", inner),
            Repr::Captured(inner) => self.list("Captured", inner),
            Repr::Open(id, false) => self.list("Open", &Repr::Item(*id)),
            Repr::Open(id, true) => self.ty(&Repr::Item(*id)),
            Repr::OpenList(id, set) => self.list(if *set { "OpenSetOf" } else { "OpenSeqOf" }, &Repr::Item(*id)),
            Repr::Boxed(inner) => {
                self.alloc = true;
                format!("Box<{}>", self.ty(inner))
            }
            Repr::Builtin(builtin) => self.builtin(*builtin),
        }
    }

    fn list(&mut self, name: &str, inner: &Repr) -> String {
        let name = self.codec(name);
        format!("{name}<'a, {}>", self.ty(inner))
    }

    fn builtin(&mut self, builtin: Builtin) -> String {
        match builtin {
            Builtin::Boolean => "bool".to_owned(),
            Builtin::Native(native) => native.name(),
            Builtin::Enumerated => self.codec("Enumerated"),
            Builtin::Null => self.codec("Null"),
            Builtin::Time(TimeKind::Utc) => self.codec("UtcTime"),
            Builtin::Time(TimeKind::Date) => self.codec("Date"),
            Builtin::Time(TimeKind::TimeOfDay) => self.codec("TimeOfDay"),
            Builtin::Time(TimeKind::DateTime) => self.codec("DateTime"),
            Builtin::Time(TimeKind::Generalized) => self.with_lifetime("GeneralizedTime"),
            Builtin::Time(TimeKind::Time) => self.with_lifetime("IsoTime"),
            Builtin::Time(TimeKind::Duration) => self.with_lifetime("Duration"),
            Builtin::Integer => self.with_lifetime("Int"),
            Builtin::Real => self.with_lifetime("Real"),
            Builtin::BitString => self.with_lifetime("BitStr"),
            Builtin::NamedBits => self.with_lifetime("NamedBits"),
            Builtin::OctetString => self.with_lifetime("OctetStr"),
            Builtin::ObjectIdentifier => self.with_lifetime("Oid"),
            Builtin::RelativeOid => self.with_lifetime("RelativeOid"),
            Builtin::OidIri => self.with_lifetime("OidIri"),
            Builtin::RelativeOidIri => self.with_lifetime("RelativeOidIri"),
            Builtin::External => self.with_lifetime("External"),
            Builtin::EmbeddedPdv => self.with_lifetime("EmbeddedPdv"),
            Builtin::CharacterString => self.with_lifetime("CharacterString"),
            Builtin::Any => self.with_lifetime("Any"),
            Builtin::String(kind) => self.with_lifetime(string(kind)),
        }
    }
}

/// Returns the codec's name for a string type.
pub(super) const fn string(kind: StringKind) -> &'static str {
    match kind {
        StringKind::Utf8 => "Utf8",
        StringKind::Numeric => "Numeric",
        StringKind::Printable => "Printable",
        StringKind::Teletex => "Teletex",
        StringKind::Videotex => "Videotex",
        StringKind::Ia5 => "Ia5",
        StringKind::Graphic => "Graphic",
        StringKind::Visible => "Visible",
        StringKind::General => "General",
        StringKind::Universal => "Universal",
        StringKind::Bmp => "Bmp",
        StringKind::ObjectDescriptor => "ObjectDescriptor",
    }
}

/// The codec's names that generated code may use. Items of other modules with these names are written with their paths.
const CODEC: &[&str] = &[
    "Additions",
    "Any",
    "Bmp",
    "BitStr",
    "Captured",
    "CharacterString",
    "Date",
    "DateTime",
    "Duration",
    "EmbeddedPdv",
    "Enumerated",
    "External",
    "General",
    "GeneralizedTime",
    "Graphic",
    "Ia5",
    "Int",
    "IsoTime",
    "NamedBits",
    "Null",
    "Numeric",
    "ObjectDescriptor",
    "OctetStr",
    "Oid",
    "OidIri",
    "Open",
    "Owned",
    "Printable",
    "Raw",
    "Real",
    "RelativeOid",
    "RelativeOidIri",
    "SeqOf",
    "SetAdditions",
    "SetOf",
    "Teletex",
    "TimeOfDay",
    "Universal",
    "Unknown",
    "UtcTime",
    "Utf8",
    "Videotex",
    "Visible",
];

/// Returns the rank of a path in rustfmt's order.
fn rank(path: &str) -> u8 {
    match path.split("::").next() {
        Some("self") => 0,
        Some("super") => 1,
        Some("crate") => 2,
        _ => 3,
    }
}
