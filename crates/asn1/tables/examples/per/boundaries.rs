//! Values at the boundaries of types: both ends of each range and each size, inside and outside of the extension root, and sizes around
//! the fragments of 16K.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use tagwise_codec::table::{Fields, ObjectSet, Presence, Schema as Tables, Shape, StringKind, TimeKind, Type, TypeRef};
use tagwise_codec::value::{Alternative, Components, Data, Dynamic, Types, Value};
use tagwise_per::number::content;
use tagwise_per::plan::{Bounds, Layout, Plan, Structure};
use tagwise_tables::Schema;

/// The maximum number of values of a type within another one.
const INNER: usize = 12;

/// The maximum depth of values.
const DEPTH: u32 = 8;

/// The maximum size of strings and lists, and the one where sizes around fragments are not considered.
const SIZES: [usize; 2] = [81920, 300];

/// Returns values of the type with a name that satisfy its constraints, those at boundaries first. `large` adds sizes around fragments.
pub(crate) fn values<'s>(schema: &'s Schema, dynamic: &Dynamic<'s>, large: bool) -> Vec<Value<'s>> {
    let types = &schema.tables().types;
    let Some(index) = types.iter().position(|ty| std::ptr::eq(ty, dynamic.ty())) else { return Vec::new() };
    let generator = Generator {
        types: dynamic.types(),
        plan: schema.plan(),
        tables: schema.tables(),
        known: RefCell::default(),
        large,
    };
    let mut found = generator.of(dynamic.ty(), index as u32, DEPTH, usize::MAX);
    found.retain(|value| dynamic.check(value).is_ok());
    found
}

/// The values of types within others, by the layout and the depth.
type Known<'s> = HashMap<(*const Type, u32, u32), Vec<Value<'s>>>;

struct Generator<'s> {
    types: Types<'s>,
    plan: &'s Plan,
    tables: &'s Tables,
    known: RefCell<Known<'s>>,
    /// True for sizes around fragments.
    large: bool,
}

impl<'s> Generator<'s> {
    fn of(&self, ty: &'s Type, layout: u32, depth: u32, limit: usize) -> Vec<Value<'s>> {
        let key = (std::ptr::from_ref(ty), layout, depth);
        if limit == usize::MAX {
            return self.values(ty, layout, depth, limit);
        }
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.values(ty, layout, depth, limit);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn values(&self, ty: &'s Type, layout: u32, depth: u32, limit: usize) -> Vec<Value<'s>> {
        let (Some(layout), Some(depth)) = (self.plan.get(layout), depth.checked_sub(1)) else { return Vec::new() };
        let shape = &self.types.base(ty).shape;
        let large = self.large.then_some(limit == usize::MAX);
        // Each row of an object set is a case of its own.
        let limit = if self.has_rows(ty) { usize::MAX } else { limit };
        let mut found: Vec<Data<'s>> = match (layout, shape) {
            (
                Layout::Structure(structure),
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields),
            ) => {
                let parts = fields.list.iter().zip(&structure.fields).map(|(field, layout)| {
                    self.types.get(&field.ty).map_or_else(Vec::new, |ty| self.of(ty, *layout, depth, INNER))
                });
                let parts: Vec<Vec<Value<'s>>> = parts.collect();
                let optional = fields.list.iter().map(|field| !matches!(field.presence, Presence::Required));
                let optional: Vec<bool> = optional.collect();
                let rows = match self.open(fields) {
                    Some(open) => self.rows(&parts, open, depth),
                    None => combinations(structure, &parts, &optional),
                };
                rows.into_iter()
                    .filter_map(|row| Components::new(fields, row, Vec::new()))
                    .map(Data::Components)
                    .collect()
            }
            (Layout::List { item, size, .. }, Shape::SequenceOf(reference) | Shape::SetOf(reference)) => {
                let Some(inner) = self.types.get(reference) else { return Vec::new() };
                let items = self.of(inner, *item, depth, INNER);
                let Some(first) = items.first() else { return Vec::new() };
                let large = large.map(|large| large && first.content().is_some_and(|content| content.len() < 3));
                let mut lists: Vec<Vec<Value<'s>>> =
                    sizes(*size, large).into_iter().map(|count| vec![first.clone(); count]).collect();
                let least = size.min.and_then(|min| usize::try_from(min).ok()).unwrap_or(0).max(1);
                lists.extend(items.into_iter().map(|item| vec![item; least]));
                lists.into_iter().map(Data::Items).collect()
            }
            (Layout::Choice(choice), Shape::Choice { alternatives, .. }) => {
                let of = |(field, layout): (&'s tagwise_codec::table::Field, &u32)| {
                    let values =
                        self.types.get(&field.ty).map_or_else(Vec::new, |ty| self.of(ty, *layout, depth, INNER));
                    values
                        .into_iter()
                        .map(|value| Data::Alternative(Alternative::new(field, value)))
                        .collect::<Vec<_>>()
                };
                alternatives.iter().zip(&choice.fields).flat_map(of).collect()
            }
            (Layout::BitString(sized), _) if sized.contents.is_none() => {
                let bits = |count: usize| {
                    let unused = (8 - count % 8) % 8;
                    let mut octets = vec![0xA5; count.div_ceil(8)];
                    if let Some(last) = octets.last_mut() {
                        // The last bit is set, so that named bits are not shorter.
                        *last = (*last | 1 << unused) & !((1 << unused) - 1);
                    }
                    [&[unused as u8], octets.as_slice()].concat()
                };
                leaves(sizes(sized.size, large).into_iter().map(bits))
            }
            (Layout::OctetString(sized), _) => match sized.contents {
                None => leaves(sizes(sized.size, large).into_iter().map(|count| vec![0x5A; count])),
                Some(contents) => {
                    let inner = self.types.contained(ty);
                    let values = inner.map_or_else(Vec::new, |inner| self.of(inner, contents.ty, depth, INNER));
                    values.into_iter().map(|value| Data::Containing(Box::new(value))).collect()
                }
            },
            (Layout::Characters(characters), _) => {
                let last = characters.count().saturating_sub(1);
                let one = |position: u64| {
                    let octets = characters.at(position).unwrap_or_default().to_be_bytes();
                    octets.get(4 - usize::from(characters.width.clamp(1, 4))..).unwrap_or_default().to_vec()
                };
                let counts = sizes(characters.size, large);
                leaves(counts.into_iter().flat_map(|count| [0, last].map(|position| one(position).repeat(count))))
            }
            (Layout::Same(index), _) => {
                let inner = self.plan.get(*index).map(|_| *index);
                return inner.map_or_else(Vec::new, |index| self.of(ty, index, depth, limit));
            }
            (layout, shape) => leaves(contents(layout, shape)),
        };
        found.truncate(limit);
        found.into_iter().map(|data| Value::new(self.types, ty, data)).collect()
    }

    /// Returns the places of the selector and the open type of a SEQUENCE, and the object set.
    fn open(&self, fields: &'s Fields) -> Option<(usize, usize, &'s ObjectSet)> {
        let place_of = |name: &str| fields.list.iter().position(|field| *field.name == *name);
        fields.list.iter().enumerate().find_map(|(place, field)| {
            let Shape::Open { set: Some(set), selector } = &self.types.base(self.types.get(&field.ty)?).shape else {
                return None;
            };
            let selector = selector.strip_prefix("@.").unwrap_or(selector);
            Some((place_of(selector)?, place, set.get(Some(self.tables))?))
        })
    }

    /// Returns whether a type is a SEQUENCE with an open type, or consists of such.
    fn has_rows(&self, ty: &'s Type) -> bool {
        let mut ty = ty;
        for _ in 0..DEPTH {
            match &self.types.base(ty).shape {
                Shape::SequenceOf(inner) | Shape::SetOf(inner) => match self.types.get(inner) {
                    Some(inner) => ty = inner,
                    None => return false,
                },
                Shape::Sequence(fields) => return self.open(fields).is_some(),
                _ => return false,
            }
        }
        false
    }

    /// The rows of a SEQUENCE with an open type: each object with values of its type.
    fn rows(
        &self,
        parts: &[Vec<Value<'s>>],
        (selector, open, set): (usize, usize, &'s ObjectSet),
        depth: u32,
    ) -> Vec<Vec<Option<Value<'s>>>> {
        let firsts: Vec<Option<Value<'s>>> = parts.iter().map(|values| values.first().cloned()).collect();
        let mut rows = Vec::new();
        for object in &*set.objects {
            let (Some(ty), TypeRef::Index(index)) = (self.types.get(&object.ty), &object.ty) else { continue };
            let Some(key) = firsts.get(selector).and_then(Option::as_ref).map(Value::ty) else { continue };
            let key = Value::new(self.types, key, Data::Leaf(Cow::Borrowed(&object.key)));
            for value in self.of(ty, *index, depth, INNER) {
                let mut row = firsts.clone();
                if let Some(slot) = row.get_mut(selector) {
                    *slot = Some(key.clone());
                }
                if let Some(slot) = row.get_mut(open) {
                    *slot = Some(value);
                }
                rows.push(row);
            }
        }
        rows
    }
}

fn leaves<'s>(contents: impl IntoIterator<Item = Vec<u8>>) -> Vec<Data<'s>> {
    contents.into_iter().map(|octets| Data::Leaf(Cow::Owned(octets))).collect()
}

/// The rows of components: all optional ones absent, all present, and each component with each of its values.
fn combinations<'s>(structure: &Structure, parts: &[Vec<Value<'s>>], optional: &[bool]) -> Vec<Vec<Option<Value<'s>>>> {
    let full: Vec<Option<Value<'s>>> = parts.iter().map(|values| values.first().cloned()).collect();
    let is_root = |index: usize| structure.root.contains(&(index as u32));
    let least: Vec<Option<Value<'s>>> = full
        .iter()
        .zip(optional)
        .enumerate()
        .map(|(index, (value, optional))| value.clone().filter(|_| !optional && is_root(index)))
        .collect();
    let mut rows = vec![least.clone(), full.clone()];
    for (index, values) in parts.iter().enumerate() {
        for value in values {
            for row in [&full, &least] {
                let mut row = row.clone();
                if let Some(slot) = row.get_mut(index) {
                    *slot = Some(value.clone());
                }
                rows.push(row);
            }
        }
    }
    rows
}

/// The sizes at the ends of a range, and around the fragments if there is no small upper bound. `None` for small ones only.
fn sizes(size: Bounds, large: Option<bool>) -> Vec<usize> {
    let most = if large.is_some() { SIZES[0] } else { SIZES[1] };
    let min = size.min.unwrap_or(0);
    let mut found = vec![min, min + 1];
    match size.max {
        Some(max) => found.extend([max - 1, max]),
        None => found.extend([2, 127, 128]),
    }
    if size.extensible {
        found.extend(size.max.map(|max| max + 1));
        found.extend((min > 0).then_some(min - 1));
    }
    if large == Some(true) && size.max.is_none_or(|max| max >= 1 << 16 || size.extensible) {
        found.extend([16383, 16384, 16385, 65536, 65537, 81920]);
    }
    let allowed = |count: &i128| size.contains(*count) || size.extensible;
    let mut kept: Vec<usize> = Vec::new();
    for count in found.into_iter().filter(allowed).filter_map(|count| usize::try_from(count).ok()) {
        if !kept.contains(&count) && count <= most {
            kept.push(count);
        }
    }
    kept
}

/// The contents of a type without components.
fn contents(layout: &Layout, shape: &Shape) -> Vec<Vec<u8>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match (layout, shape) {
        (Layout::Boolean, _) => vec![vec![0], vec![0xFF]],
        (Layout::Null, _) => vec![Vec::new()],
        (Layout::Integer(bounds), _) => integers(*bounds).into_iter().map(content).collect(),
        (Layout::WideInteger(bounds), _) => {
            bounds.min.iter().chain(&bounds.max).cloned().chain([content(0), content(-1), content(1)]).collect()
        }
        (Layout::Enumerated(items), _) => {
            let ends = [items.root.first(), items.root.last()].into_iter().flatten();
            ends.chain(&items.additions).map(|number| content((*number).into())).collect()
        }
        // 0, 1, -2.5 and 1/3 as far as 24 bits express it.
        (Layout::Real(_), _) => {
            vec![
                vec![],
                vec![0x80, 0, 1],
                vec![0xC0, 0xFF, 5],
                vec![0x80, 0xE7, 0xAA, 0xAA, 0xAB],
                vec![0x40],
                vec![0x41],
            ]
        }
        (_, Shape::ObjectIdentifier) => vec![vec![0x51, 1], vec![0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]],
        (_, Shape::RelativeOid) => vec![vec![1], vec![0x81, 0]],
        (_, Shape::String(StringKind::Utf8)) => texts(&["", "a", "\u{e4}\u{20ac}\u{1F600}"]),
        (_, Shape::String(_)) => texts(&["", "a"]),
        (_, Shape::Time(TimeKind::Utc)) => texts(&["500101000000Z", "491231235959Z"]),
        (_, Shape::Time(TimeKind::Generalized)) => texts(&["20260101000000Z", "20260101000000.5Z"]),
        (_, Shape::Time(TimeKind::Date)) => {
            texts(&["20050101", "20201231", "20210101", "22761231", "17490101", "17481231", "22770101"])
        }
        (_, Shape::Time(TimeKind::TimeOfDay)) => texts(&["000000", "235960"]),
        (_, Shape::Time(TimeKind::DateTime)) => texts(&["20261129180559"]),
        (_, Shape::Time(TimeKind::Duration)) => texts(&["10W", "T0S", "5.0Y", "32Y", "31Y15M31DT31H63M63.999S"]),
        _ => Vec::new(),
    }
}

/// The numbers at the ends of a range, or at the boundaries of their sizes.
fn integers(bounds: Bounds) -> Vec<i128> {
    let mut found: Vec<i128> = [bounds.min, bounds.max].into_iter().flatten().collect();
    found.extend(bounds.min.map(|min| min.saturating_add(1)));
    found.extend(bounds.max.map(|max| max.saturating_sub(1)));
    if bounds.extensible {
        found.extend(bounds.min.map(|min| min.saturating_sub(1)));
        found.extend(bounds.max.map(|max| max.saturating_add(1)));
    }
    for power in [0, 7, 8, 15, 16, 31, 32, 63, 64] {
        found.extend([(1 << power) - 1, 1 << power, -(1 << power), -(1 << power) - 1]);
    }
    found.retain(|number| bounds.contains(*number) || bounds.extensible);
    let mut kept = Vec::new();
    for number in found {
        if !kept.contains(&number) {
            kept.push(number);
        }
    }
    kept
}
