//! Comparison of two values of the same type, component by component.
//!
//! The recursion depth is bounded, because the decoding budget limits the nesting of values.

use std::collections::{HashMap, HashSet};

use tagwise_codec::table::Shape;
use tagwise_codec::value::{Alternative, Data, Print, Types, Value};
use tagwise_codec::{Any, Decode, Oid};
use tagwise_pkix::Name;
use tagwise_pkix::name::visible;

use crate::fields::field_text;
use crate::oid_name;

/// A difference between two values.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The path of the component, as `get` accepts it.
    pub path: String,
    /// The kind of difference.
    pub kind: ChangeKind,
    /// The first value, if there is one.
    pub one: Option<Shown>,
    /// The second value, if there is one.
    pub other: Option<Shown>,
}

/// The kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Both have the component, with different values.
    Changed,
    /// Only the second value has the component.
    Added,
    /// Only the first value has the component.
    Removed,
    /// The items are the same, but in a different order.
    Order,
}

impl ChangeKind {
    /// Returns the stable name, such as `changed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Order => "order",
        }
    }
}

/// A value as displayed, with its lines and its offset.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The lines of text. They may contain untrusted text.
    pub lines: Vec<String>,
    /// The offset of the value's encoding, if it has one.
    pub offset: Option<usize>,
}

impl Shown {
    pub(super) fn line(line: String, offset: Option<usize>) -> Self {
        Self { lines: vec![line], offset }
    }
}

/// The maximum number of characters of a value to show.
const BUDGET: usize = 16 * 1024;
/// The maximum number of bytes of a value to show.
const OCTETS: usize = 64;

/// Collects differences.
pub(super) struct Walk<'t> {
    types: Types<'t>,
    pub(super) differences: Vec<Difference>,
}

impl<'t> Walk<'t> {
    pub(super) const fn new(types: Types<'t>) -> Self {
        Self { types, differences: Vec::new() }
    }

    /// Compares two values, either of which may be absent.
    pub(super) fn compare(&mut self, one: Option<&Value<'t>>, other: Option<&Value<'t>>, path: &str) {
        match (one, other) {
            (None, None) => {}
            (Some(one), None) => self.push(path, ChangeKind::Removed, Some(self.show(one)), None),
            (None, Some(other)) => self.push(path, ChangeKind::Added, None, Some(self.show(other))),
            (Some(one), Some(other)) if same(one, other) => {}
            (Some(one), Some(other)) => self.both(one, other, path),
        }
    }

    fn push(&mut self, path: &str, kind: ChangeKind, one: Option<Shown>, other: Option<Shown>) {
        self.differences.push(Difference { path: path.to_owned(), kind, one, other });
    }

    fn both(&mut self, one: &Value<'t>, other: &Value<'t>, path: &str) {
        if let (Some(first), Some(second)) = (name(one), name(other))
            && first != second
        {
            let (one, other) = (one.offset(), other.offset());
            let shown = [Shown::line(first, Some(one)), Shown::line(second, Some(other))];
            let [first, second] = shown;
            return self.push(path, ChangeKind::Changed, Some(first), Some(second));
        }
        match (one.data(), other.data()) {
            (Data::Components(_), Data::Components(_)) => self.components(one, other, path),
            (Data::Items(first), Data::Items(second)) => self.items(first, second, path),
            (Data::Alternative(first), Data::Alternative(second)) if *first.field().name == *second.field().name => {
                let text = |chosen: &Alternative<'t>| {
                    Some(Shown::line(field_text(chosen.field(), chosen.value())?, Some(chosen.value().offset())))
                };
                if let (Some(first), Some(second)) = (text(first), text(second)) {
                    return self.push(path, ChangeKind::Changed, Some(first), Some(second));
                }
                self.compare(Some(first.value()), Some(second.value()), path);
            }
            (Data::Containing(first), Data::Containing(second)) if *first.ty().name == *second.ty().name => {
                self.compare(Some(first), Some(second), path);
            }
            _ => {
                let (mut first, mut second) = (self.show(one), self.show(other));
                if first.lines == second.lines {
                    // They have the same text; only their types differ.
                    for (shown, value) in [(&mut first, one), (&mut second, other)] {
                        if let Some(line) = shown.lines.first_mut() {
                            *line = format!("{} {line}", type_name(value));
                        }
                    }
                }
                self.push(path, ChangeKind::Changed, Some(first), Some(second));
            }
        }
    }

    fn components(&mut self, one: &Value<'t>, other: &Value<'t>, path: &str) {
        let (Data::Components(first), Data::Components(second)) = (one.data(), other.data()) else { return };
        for ((field, first), (_, second)) in first.iter().zip(second.iter()) {
            let path = join(path, &field.name);
            match (first, second) {
                // A value against its DEFAULT.
                (Some(value), None) | (None, Some(value)) => {
                    let print = self.print();
                    let default = self.types.with_default(field, |default| lines(&print, default));
                    let shown = Some(self.show(value));
                    let kind = if default.is_some() { ChangeKind::Changed } else { ChangeKind::Removed };
                    let default = default.map(|lines| Shown { lines, offset: None });
                    if first.is_some() {
                        self.push(&path, kind, shown, default);
                    } else {
                        let kind = if kind == ChangeKind::Removed { ChangeKind::Added } else { kind };
                        self.push(&path, kind, default, shown);
                    }
                }
                (first, second) => self.compare(first, second, &path),
            }
        }
        let (gone, come): (Vec<&[u8]>, Vec<&[u8]>) = (first.unknown().collect(), second.unknown().collect());
        if gone != come {
            let show = |list: &[&[u8]]| list.iter().map(|octets| hex(octets)).collect::<Vec<_>>().join(" ");
            let (gone, come) = (show(&gone), show(&come));
            self.push(path, ChangeKind::Changed, Some(Shown::line(gone, None)), Some(Shown::line(come, None)));
        }
    }

    /// Compares items by their keys if all of them have distinct keys, otherwise by their bytes.
    fn items(&mut self, one: &[Value<'t>], other: &[Value<'t>], path: &str) {
        if let (Some(first), Some(second)) = (keys(one), keys(other)) {
            return self.keyed((one, &first), (other, &second), path);
        }
        let prefix = one.iter().zip(other).take_while(|(one, other)| same(one, other)).count();
        let rest = |items: &[Value<'t>]| items.len() - prefix;
        let suffix = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| same(one, other)).count();
        let suffix = suffix.min(rest(one)).min(rest(other));
        let middle = |items| -> &[Value<'t>] { part(items, prefix, suffix) };
        let (one, other) = (middle(one), middle(other));
        if one.len() == other.len() && !same_set(one, other) {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                self.compare(Some(one), Some(other), &format!("{path}[{}]", prefix + index));
            }
            return;
        }
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for item in other.iter().filter_map(Value::as_bytes) {
            *left.entry(item).or_default() += 1;
        }
        let mut moved = true;
        for (index, item) in one.iter().enumerate() {
            match item.as_bytes().and_then(|octets| left.get_mut(octets)).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => {
                    moved = false;
                    self.compare(Some(item), None, &format!("{path}[{}]", prefix + index));
                }
            }
        }
        for (index, item) in other.iter().enumerate() {
            // Of several with the same octets, the last ones are those that are more.
            let count = item.as_bytes().and_then(|octets| left.get_mut(octets)).filter(|count| **count > 0);
            if let Some(count) = count {
                *count -= 1;
                moved = false;
                self.compare(None, Some(item), &format!("{path}[{}]", prefix + index));
            }
        }
        if moved {
            self.push(path, ChangeKind::Order, None, None);
        }
    }

    fn keyed(&mut self, one: (&[Value<'t>], &[Key]), other: (&[Value<'t>], &[Key]), path: &str) {
        let of_other: HashMap<&Key, &Value<'t>> = other.1.iter().zip(other.0).collect();
        let of_one: HashSet<&Key> = one.1.iter().collect();
        for (key, item) in one.1.iter().zip(one.0) {
            self.compare(Some(item), of_other.get(key).copied(), &format!("{path}[{}]", key.0));
        }
        for (key, item) in other.1.iter().zip(other.0).filter(|(key, _)| !of_one.contains(key)) {
            self.compare(None, Some(item), &format!("{path}[{}]", key.0));
        }
        let first = one.1.iter().filter(|key| of_other.contains_key(key));
        let second = other.1.iter().filter(|key| of_one.contains(key));
        if !first.eq(second) {
            self.push(path, ChangeKind::Order, None, None);
        }
    }

    fn print(&self) -> Print<'t> {
        Print::new(self.types).oid_names(&oid_name).field_texts(&field_text).budget(BUDGET).octets(OCTETS)
    }

    fn show(&self, value: &Value<'t>) -> Shown {
        let lines = match name(value) {
            Some(name) => vec![name],
            None => lines(&self.print(), value),
        };
        Shown { lines, offset: Some(value.offset()) }
    }
}

/// Returns the number of lines of a value.
fn lines(print: &Print<'_>, value: &Value<'_>) -> Vec<String> {
    if let Some(line) = print.line(value) {
        return vec![line];
    }
    let mut text = String::new();
    // Writing to memory does not fail.
    let _ = print.print(value, &mut text);
    text.lines().map(str::to_owned).collect()
}

fn same(one: &Value<'_>, other: &Value<'_>) -> bool {
    one.as_bytes().is_some() && one.as_bytes() == other.as_bytes()
}

fn same_set(one: &[Value<'_>], other: &[Value<'_>]) -> bool {
    let sorted = |items: &[Value<'_>]| {
        let mut all: Vec<Vec<u8>> = items.iter().map(|item| item.as_bytes().unwrap_or_default().to_vec()).collect();
        all.sort_unstable();
        all
    };
    sorted(one) == sorted(other)
}

fn part<'v, 't>(items: &'v [Value<'t>], prefix: usize, suffix: usize) -> &'v [Value<'t>] {
    items.get(prefix..items.len().saturating_sub(suffix)).unwrap_or_default()
}

/// Returns the name of a value's type. For a value of any type, it is derived from a universal tag.
fn type_name(value: &Value<'_>) -> String {
    let value = innermost(value);
    let tag = value.as_bytes().and_then(|octets| Any::outline(octets).ok()).map(|any| any.tag());
    match tag.filter(|tag| tag.first_octet() < 0x40) {
        Some(tag) => tag.to_string(),
        None => (*value.ty().name).to_owned(),
    }
}

fn innermost<'v, 't>(value: &'v Value<'t>) -> &'v Value<'t> {
    let mut value = value;
    loop {
        value = match value.data() {
            Data::Alternative(chosen) => chosen.value(),
            Data::Containing(inner) => inner,
            _ => return value,
        };
    }
}

/// Formats a distinguished name in one line.
pub(crate) fn name(value: &Value<'_>) -> Option<String> {
    if &*value.ty().name != "Name" {
        return None;
    }
    Name::outline(value.as_bytes()?).ok().map(|name| visible(&name.oneline()).to_string())
}

/// The key of an item: the name of the object identifier with which it begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key(String);

/// Returns the keys of items that are SEQUENCEs and begin with an object identifier. Returns `None` if an item has no key, or two items
/// have the same key.
fn keys(items: &[Value<'_>]) -> Option<Vec<Key>> {
    let key = |item: &Value<'_>| {
        let Data::Components(components) = item.data() else { return None };
        let first = components.iter().next()?.1?;
        let is_oid = matches!(first.base().shape, Shape::ObjectIdentifier);
        let oid = Oid::from_content(first.content().filter(|_| is_oid)?).ok()?;
        Some(Key(oid_name(oid).unwrap_or_else(|| oid.to_string())))
    };
    let keys: Vec<Key> = items.iter().map(key).collect::<Option<_>>()?;
    let distinct: HashSet<&Key> = keys.iter().collect();
    (distinct.len() == keys.len()).then_some(keys)
}

pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

pub(super) fn hex(octets: &[u8]) -> String {
    tagwise_codec::text::hex::encode(octets.get(..OCTETS).unwrap_or(octets))
}

impl Difference {
    pub(super) fn removed(path: &str, line: String) -> Self {
        Self { path: path.to_owned(), kind: ChangeKind::Removed, one: Some(Shown::line(line, None)), other: None }
    }

    pub(super) fn added(path: &str, line: String) -> Self {
        Self { path: path.to_owned(), kind: ChangeKind::Added, one: None, other: Some(Shown::line(line, None)) }
    }

    pub(super) fn changed(path: &str, one: String, other: String) -> Self {
        let (one, other) = (Some(Shown::line(one, None)), Some(Shown::line(other, None)));
        Self { path: path.to_owned(), kind: ChangeKind::Changed, one, other }
    }

    /// Creates a difference between components of which at least one cannot be decoded. They are shown as bytes.
    pub(super) fn unread(path: &str, one: Option<String>, other: Option<String>) -> Self {
        let kind = match (&one, &other) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let shown = |text: Option<String>| text.map(|text| Shown::line(text, None));
        Self { path: path.to_owned(), kind, one: shown(one), other: shown(other) }
    }
}
