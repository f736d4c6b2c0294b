//! Values at the boundaries of types: both ends of each range and each size, inside and outside of the extension root, and sizes around
//! the fragments of 16K.

use std::borrow::Cow;

use tagwise_codec::table::{Presence, Shape, StringKind, TimeKind, Type};
use tagwise_codec::value::{Alternative, Components, Data, Dynamic, Types, Value};
use tagwise_per::number::content;
use tagwise_per::plan::{Bounds, Layout, Plan, Structure};
use tagwise_tables::Schema;

/// The maximum number of values of a type within another one.
const INNER: usize = 12;

/// The maximum depth of values.
const DEPTH: u32 = 8;

/// Returns values of the type with a name that satisfy its constraints, those at boundaries first.
pub(crate) fn values<'s>(schema: &'s Schema, dynamic: &Dynamic<'s>) -> Vec<Value<'s>> {
    let types = &schema.tables().types;
    let Some(index) = types.iter().position(|ty| std::ptr::eq(ty, dynamic.ty())) else { return Vec::new() };
    let generator = Generator { types: dynamic.types(), plan: schema.plan() };
    let mut found = generator.of(dynamic.ty(), index as u32, DEPTH, usize::MAX);
    found.retain(|value| dynamic.check(value).is_ok());
    found
}

struct Generator<'s> {
    types: Types<'s>,
    plan: &'s Plan,
}

impl<'s> Generator<'s> {
    fn of(&self, ty: &'s Type, layout: u32, depth: u32, limit: usize) -> Vec<Value<'s>> {
        let (Some(layout), Some(depth)) = (self.plan.get(layout), depth.checked_sub(1)) else { return Vec::new() };
        let shape = &self.types.base(ty).shape;
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
                let rows = combinations(structure, &parts, &optional.collect::<Vec<_>>());
                rows.into_iter()
                    .filter_map(|row| Components::new(fields, row, Vec::new()))
                    .map(Data::Components)
                    .collect()
            }
            (Layout::List { item, size, .. }, Shape::SequenceOf(reference) | Shape::SetOf(reference)) => {
                let Some(inner) = self.types.get(reference) else { return Vec::new() };
                let items = self.of(inner, *item, depth, INNER);
                let Some(first) = items.first() else { return Vec::new() };
                let large = first.content().is_some_and(|content| content.len() < 3) && limit == usize::MAX;
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
                leaves(sizes(sized.size, limit == usize::MAX).into_iter().map(bits))
            }
            (Layout::OctetString(sized), _) => match sized.contents {
                None => leaves(sizes(sized.size, limit == usize::MAX).into_iter().map(|count| vec![0x5A; count])),
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
                let counts = sizes(characters.size, limit == usize::MAX);
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

/// The sizes at the ends of a range, and around the fragments if there is no small upper bound.
fn sizes(size: Bounds, large: bool) -> Vec<usize> {
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
    if large && size.max.is_none_or(|max| max >= 1 << 16 || size.extensible) {
        found.extend([16383, 16384, 16385, 65536, 65537, 81920]);
    }
    let allowed = |count: &i128| size.contains(*count) || size.extensible;
    let mut kept: Vec<usize> = Vec::new();
    for count in found.into_iter().filter(allowed).filter_map(|count| usize::try_from(count).ok()) {
        if !kept.contains(&count) && count <= 81920 {
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
