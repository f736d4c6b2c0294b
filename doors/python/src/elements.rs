//! The elements of an encoding: each part of a value with its path step, its offset and its header lengths.
//!
//! Values come from the schema tables, and headers from the events of the same bytes. They are matched by offset. Rows are
//! Python tuples, whose items `tagwise.asn1.Element` names.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use tagwise::codec::ber::Canonical;
use tagwise::codec::stream::{Error, Event, Events, Rules, Settings};
use tagwise::codec::table::{NamedNumber, Presence, Shape, Type};
use tagwise::codec::value::{Data, Types, Value};
use tagwise::codec::{Any, BitStr, Decode, Tag};

use crate::errors;
use crate::value::{ADDITIONS, View, leaf, under};

/// The header and the end of an element.
#[derive(Clone, Copy)]
struct Extent {
    tag: Tag,
    header: usize,
    indefinite: bool,
    end: usize,
}

impl Extent {
    /// Returns the length of the content, without end-of-contents octets.
    fn content_len(&self, offset: usize) -> usize {
        let trailer = if self.indefinite { 2 } else { 0 };
        self.end.saturating_sub(offset).saturating_sub(self.header).saturating_sub(trailer)
    }

    fn tag_len(&self) -> usize {
        self.tag.encoded_len()
    }

    /// Returns the offset, the tag, the lengths of tag, length and content, and the form of the length.
    fn row<'py>(&self, known: &mut Known<'py>, offset: usize, shown: usize) -> PyResult<Bound<'py, PyTuple>> {
        let py = known.py;
        let tag = known.tag(self.tag)?;
        let length = self.header.saturating_sub(self.tag_len());
        (shown, tag, self.tag_len(), length, self.content_len(offset), self.indefinite).into_pyobject(py)
    }
}

/// Python objects that many rows share.
struct Known<'py> {
    py: Python<'py>,
    /// The strings of kinds, names and types, by address. They outlive the walk.
    texts: HashMap<(usize, usize), Bound<'py, PyString>>,
    tags: HashMap<Tag, Bound<'py, PyTuple>>,
}

impl<'py> Known<'py> {
    fn new(py: Python<'py>) -> Self {
        Self { py, texts: HashMap::new(), tags: HashMap::new() }
    }

    /// Returns the Python string for a text from a type's table.
    fn text(&mut self, text: &str) -> Bound<'py, PyString> {
        let py = self.py;
        self.texts.entry((text.as_ptr() as usize, text.len())).or_insert_with(|| PyString::new(py, text)).clone()
    }

    fn tag(&mut self, tag: Tag) -> PyResult<Bound<'py, PyTuple>> {
        if let Some(known) = self.tags.get(&tag) {
            return Ok(known.clone());
        }
        let made = (tag.class() as u8, tag.number(), tag.is_constructed()).into_pyobject(self.py)?;
        // Inputs with ever more tags do not fill the memory.
        if self.tags.len() < 4096 {
            self.tags.insert(tag, made.clone());
        }
        Ok(made)
    }
}

/// A step of a path: a name, or the index of an item.
enum Step<'s> {
    None,
    Name(&'s str),
    Item(usize),
}

/// The elements of an encoding, by their offsets.
#[derive(Default)]
struct Layout(HashMap<usize, Extent>);

impl Layout {
    /// Adds the elements in a slice that starts at offset `base`.
    fn add(&mut self, octets: &[u8], base: usize) -> Result<(), Error> {
        let settings = Settings::new(Rules::Ber).order(0).concatenated();
        let mut events = Events::with(octets, settings).at_offset(base as u64);
        loop {
            let start = match events.next()? {
                None => return Ok(()),
                Some(Event::Start(start)) => start,
                Some(Event::End(end)) => {
                    if let Some(extent) = self.0.get_mut(&(end.offset as usize)) {
                        extent.end = end.end as usize;
                    }
                    continue;
                }
                Some(Event::Chunk(_)) => continue,
            };
            let header = usize::from(start.header_len);
            let offset = start.offset as usize;
            let end = offset.saturating_add(header).saturating_add(start.len.unwrap_or_default() as usize);
            self.0.insert(offset, Extent { tag: start.tag, header, indefinite: start.len.is_none(), end });
            if !start.tag.is_constructed() {
                // Content was judged where the value was decoded; what was tolerated there is not judged again.
                events.skip()?;
            }
        }
    }

    fn get(&self, offset: usize) -> Option<&Extent> {
        self.0.get(&offset)
    }

    /// Returns the offsets of the elements inside an element.
    fn children(&self, offset: usize) -> Vec<usize> {
        let Some(outer) = self.get(offset) else { return Vec::new() };
        let mut next = offset.saturating_add(outer.header);
        let end = next.saturating_add(outer.content_len(offset));
        let mut found = Vec::new();
        while next < end {
            let Some(child) = self.get(next) else { break };
            found.push(next);
            next = child.end;
        }
        found
    }
}

/// Builds the tree of a value that was decoded from `der`, which is the DER of `input`.
pub(crate) fn tree<'py>(
    py: Python<'py>,
    View { types, moments }: View<'_>,
    value: &Value<'_>,
    input: &[u8],
    canonical: Option<&Canonical<'_>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut layout = Layout::default();
    layout.add(input, 0).map_err(|error| errors::streaming(py, &error))?;
    let mut walk = Walk { py, types, moments, input, canonical, mapped: false, layout, known: Known::new(py) };
    walk.node(value, None, &Step::None, 0)
}

struct Walk<'w, 'py, 'i> {
    py: Python<'py>,
    types: Types<'w>,
    moments: bool,
    /// The bytes that `layout` describes.
    input: &'w [u8],
    canonical: Option<&'w Canonical<'i>>,
    /// True inside a segmented string. `input` is then the DER, and offsets are mapped on output.
    mapped: bool,
    layout: Layout,
    known: Known<'py>,
}

impl<'py> Walk<'_, 'py, '_> {
    const fn view(&self) -> View<'_> {
        View { types: self.types, moments: self.moments }
    }

    /// Maps an offset in the DER to an offset in `input`.
    fn place(&self, offset: usize) -> usize {
        match self.canonical {
            Some(canonical) if !self.mapped => canonical.map.source(offset),
            _ => offset,
        }
    }

    /// Maps an offset for output.
    fn told(&self, offset: usize) -> usize {
        match self.canonical {
            Some(canonical) if self.mapped => canonical.map.source(offset),
            _ => offset,
        }
    }

    /// Builds the row of a value. `step` leads to it from the enclosing value, and `outer` is the offset of its outermost tag. The
    /// recursion is as deep as the value, which the depth budget limits.
    fn node(
        &mut self,
        value: &Value<'_>,
        name: Option<&str>,
        step: &Step<'_>,
        outer: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = self.py;
        let own = self.own(value, outer);
        let mut explicit = Vec::new();
        let mut at = outer;
        while at < own {
            let Some(extent) = self.layout.get(at).copied() else { break };
            let told = self.told(at);
            explicit.push(extent.row(&mut self.known, at, told)?);
            at = at.saturating_add(extent.header);
        }
        let extent = self.layout.get(own).copied();
        let told = self.told(own);
        let header = extent.map(|extent| extent.row(&mut self.known, own, told)).transpose()?;
        let (start, end) = (outer, self.layout.get(outer).map_or(outer, |extent| extent.end));
        // The element itself, without tags around it, in DER and as it came.
        let is_ber = match (value.as_bytes(), self.input.get(self.place(value.offset())..)) {
            (Some(der), Some(came)) => !self.mapped && !came.starts_with(der),
            _ => false,
        };
        let children = PyList::empty(py);
        let (kind, content) = match value.data() {
            Data::Leaf(_) => ("leaf", Some(leaf(py, value, self.moments)?)),
            Data::Unknown(octets) => ("unknown", Some(PyBytes::new(py, octets).into_any())),
            Data::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    let at = self.place(item.offset());
                    children.append(self.node(item, None, &Step::Item(index), at)?)?;
                }
                ("items", None)
            }
            Data::Alternative(chosen) => {
                let name = &*chosen.field().name;
                children.append(self.node(chosen.value(), Some(name), &Step::Name(name), outer)?)?;
                ("choice", None)
            }
            Data::Containing(inner) => {
                children.append(self.contained(inner, own)?)?;
                ("containing", None)
            }
            Data::Components(components) => {
                let mut inside = self.layout.children(own);
                let mut known = Vec::new();
                for (field, value) in components.iter() {
                    let name = &*field.name;
                    if let Some(value) = value {
                        let at = self.place(value.offset());
                        let after = inside.partition_point(|start| *start <= at);
                        let outer = after.checked_sub(1).and_then(|index| inside.get(index)).copied();
                        known.extend(outer);
                        children.append(self.node(value, Some(name), &Step::Name(name), outer.unwrap_or(at))?)?;
                    } else if matches!(field.presence, Presence::Default(_))
                        && let Some(default) =
                            self.types.with_default(field, |value| under(py, self.view(), &field.constraints, value))
                    {
                        let ty = self.types.get(&field.ty).map_or("", |ty| &*ty.name);
                        children.append(default_row(py, name, ty, default?)?)?;
                    }
                }
                inside.retain(|at| !known.contains(at));
                if let Some(row) = self.additions(components.unknown(), &inside)? {
                    children.append(row)?;
                }
                ("components", None)
            }
            _ => ("unknown", None),
        };
        let label = label(value);
        let span = (self.told(start), self.told(end));
        let ty = self.known.text(&value.ty().name);
        let (kind, name) = (self.known.text(kind), name.map(|name| self.known.text(name)));
        let step = match step {
            Step::None => self.known.text("").into_any(),
            Step::Name(name) => self.known.text(name).into_any(),
            Step::Item(index) => index.into_pyobject(py)?.into_any(),
        };
        let explicit = PyTuple::new(py, explicit)?;
        // The empty tuple is one object.
        let children = if children.is_empty() { PyTuple::empty(py).into_any() } else { children.into_any() };
        (kind, name, ty, step, span, header, explicit, is_ber, label, content, children).into_pyobject(py)
    }

    /// Builds the row of unknown extension additions: the elements in `inside` that are not components.
    fn additions<'v>(
        &mut self,
        unknown: impl Iterator<Item = &'v [u8]>,
        inside: &[usize],
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let py = self.py;
        let mut inside = inside.iter().copied();
        let (rows, none) = (PyList::empty(py), py.None());
        for (index, octets) in unknown.enumerate() {
            let tag = Any::from_der(octets).map_err(|error| errors::decoding(py, &error))?.tag();
            let is = |at: &usize| self.layout.get(*at).is_some_and(|extent| extent.tag.same(tag));
            let Some(at) = inside.find(is) else { continue };
            let Some(extent) = self.layout.get(at).copied() else { continue };
            let told = self.told(at);
            let header = extent.row(&mut self.known, at, told)?;
            let span = (self.told(at), self.told(extent.end));
            let is_ber = !self.mapped && !self.input.get(at..).is_some_and(|came| came.starts_with(octets));
            let (content, step) = (PyBytes::new(py, octets), format!("[{index}]"));
            let (explicit, parts) = (PyList::empty(py), PyList::empty(py));
            let row = ("unknown", &none, "", step, span, header, explicit, is_ber, &none, content, parts);
            rows.append(row.into_pyobject(py)?)?;
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let explicit = PyList::empty(py);
        let row = ("additions", ADDITIONS, "", ADDITIONS, &none, &none, explicit, false, &none, &none, rows);
        row.into_pyobject(py).map(Some)
    }

    /// Returns the offset of a value's own element, inside the explicit tags of its type.
    fn own(&self, value: &Value<'_>, outer: usize) -> usize {
        let mut at = self.place(value.offset()).max(outer);
        for _ in 0..explicit_tags(self.types, value.ty()) {
            match self.layout.get(at) {
                Some(extent) if extent.tag.is_constructed() => at = at.saturating_add(extent.header),
                _ => break,
            }
        }
        at
    }

    /// Builds the row of an encoding inside a string.
    fn contained(&mut self, inner: &Value<'_>, string: usize) -> PyResult<Bound<'py, PyTuple>> {
        let py = self.py;
        let segments = self.layout.get(string).is_some_and(|extent| extent.tag.is_constructed());
        let bytes = inner.as_bytes().unwrap_or_default();
        if let (true, Some(canonical)) = (segments && !self.mapped, self.canonical) {
            let mut layout = Layout::default();
            layout.add(bytes, inner.offset()).map_err(|error| errors::streaming(py, &error))?;
            let input = &*canonical.bytes;
            let mut walk = Walk {
                py,
                types: self.types,
                moments: self.moments,
                input,
                canonical: self.canonical,
                mapped: true,
                layout,
                known: Known::new(py),
            };
            return walk.node(inner, None, &Step::None, inner.offset());
        }
        let at = self.place(inner.offset());
        let end = self.layout.get(string).map_or(at, |extent| extent.end);
        let octets = self.input.get(at..end).unwrap_or_default();
        self.layout.add(octets, at).map_err(|error| errors::streaming(py, &error))?;
        self.node(inner, None, &Step::None, at)
    }
}

/// Returns the number of explicit tags that a type adds to its values.
fn explicit_tags(types: Types<'_>, ty: &Type) -> usize {
    let (mut next, mut count) = (Some(ty), 0);
    for _ in 0..64 {
        match next.map(|ty| &ty.shape) {
            Some(Shape::Named(inner)) => next = types.get(inner),
            Some(Shape::Tagged { tagging, inner }) => {
                count += usize::from(tagging.explicit);
                next = types.get(inner);
            }
            _ => break,
        }
    }
    count
}

fn default_row<'py>(py: Python<'py>, name: &str, ty: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let none = py.None();
    let (children, explicit) = (PyList::empty(py), PyList::empty(py));
    ("default", Some(name), ty, name, &none, &none, explicit, false, None::<String>, value, children).into_pyobject(py)
}

/// Returns the names that a type defines for a number or for bits.
fn label(value: &Value<'_>) -> Option<String> {
    let named = |names: &[NamedNumber], number: i64| {
        let found = names.iter().find(|one| one.number == number && !one.name.is_empty());
        found.map(|one| one.name.to_string())
    };
    match &value.base().shape {
        Shape::Integer(names) | Shape::Enumerated { items: names, .. } => {
            let content = value.content()?;
            let sign = if content.first()? & 0x80 != 0 { -1 } else { 0 };
            let number = (content.len() <= 8)
                .then(|| content.iter().fold(sign, |number: i64, octet| number << 8 | i64::from(*octet)))?;
            named(names, number)
        }
        Shape::BitString(names) if !names.is_empty() => {
            let bits = value.view::<BitStr<'_>>()?;
            let set = |number: i64| {
                let octet = usize::try_from(number / 8).ok().and_then(|index| bits.as_bytes().get(index));
                octet.is_some_and(|octet| octet & (0x80 >> (number % 8)) != 0)
            };
            let found: Vec<&str> = names.iter().filter(|one| set(one.number)).map(|one| &*one.name).collect();
            Some(found.join(", "))
        }
        _ => None,
    }
}
