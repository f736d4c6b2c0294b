//! The parts of a value according to its type's table. The value is strict DER, or was decoded by the table engine with any
//! rules.
//!
//! If a typed decoder has already accepted a value, [`Der`] finds its parts without decoding it again.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::table::{Field, Shape, Type};
use tagwise::codec::value::{Data, Dynamic, Types, Value};
use tagwise::codec::{OpenType as _, Reader, Tag};
use tagwise::pkix::ext::ExtensionValue;

use crate::errors;
use crate::value::{View, to_py, whole};

/// Returns the package's types, whose tables refer to each other directly.
pub(crate) fn types() -> Types<'static> {
    Dynamic::of::<bool>().types()
}

/// A node of the value tree: a value or one of its components.
pub(crate) trait Node<'n>: Copy {
    /// The type as referenced.
    fn ty(self) -> &'n Type;
    /// The referenced type, which determines the structure.
    fn base(self) -> &'n Type;
    /// The content bytes of a value without parts.
    fn content(self) -> &'n [u8];
    /// The encoding.
    fn whole(self) -> &'n [u8];
    /// The components in the order of their fields. Components with their DEFAULT value are absent.
    fn components(self) -> Option<Vec<Option<Self>>>;
    /// The items of a list.
    fn items(self) -> Option<Vec<Self>>;
    /// The name and the value of the chosen alternative.
    fn alternative(self) -> Option<(&'n str, Self)>;
    /// The value of an open type that a key selects.
    fn selected(self, key: &[u8]) -> Option<Self>;
    /// Converts the value to Python without the package's classes.
    fn plain(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

impl<'n> Node<'n> for &'n Value<'n> {
    fn ty(self) -> &'n Type {
        self.ty()
    }

    fn base(self) -> &'n Type {
        self.base()
    }

    fn content(self) -> &'n [u8] {
        self.content().unwrap_or_default()
    }

    fn whole(self) -> &'n [u8] {
        whole(self)
    }

    fn components(self) -> Option<Vec<Option<Self>>> {
        match self.data() {
            Data::Components(components) => Some(components.iter().map(|(_, value)| value).collect()),
            _ => None,
        }
    }

    fn items(self) -> Option<Vec<Self>> {
        match self.data() {
            Data::Items(items) => Some(items.iter().collect()),
            _ => None,
        }
    }

    fn alternative(self) -> Option<(&'n str, Self)> {
        match self.data() {
            Data::Alternative(chosen) => Some((&chosen.field().name, chosen.value())),
            _ => None,
        }
    }

    fn selected(self, _key: &[u8]) -> Option<Self> {
        Some(self)
    }

    fn plain(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        to_py(py, View::plain(types()), self)
    }
}

/// A part of a value in checked DER.
#[derive(Clone, Copy)]
pub(crate) struct Der<'n> {
    ty: &'n Type,
    base: &'n Type,
    whole: &'n [u8],
    content: &'n [u8],
}

impl<'n> Der<'n> {
    /// Wraps an extension's value, if the typed decoder for its identifier accepts it under strict rules.
    pub(crate) fn checked(oid: &[u8], ty: &'n Type, der: &'n [u8]) -> Option<Self> {
        if is_right(oid, der) { Self::of(ty, der) } else { None }
    }

    /// Wraps an element that encodes a value of the given type.
    fn of(ty: &'n Type, whole: &'n [u8]) -> Option<Self> {
        let base = types().base(ty);
        match base.shape {
            Shape::Choice { .. } | Shape::Open { .. } => Some(Self { ty, base, whole, content: whole }),
            _ => Some(Self { ty, base, whole, content: inside(whole)? }),
        }
    }

    /// Wraps the value of a component or alternative, given its element with all tags.
    fn of_field(field: &'n Field, element: &'n [u8]) -> Option<Self> {
        let ty = types().get(&field.ty)?;
        match &*field.tagging {
            [] => Self::of(ty, element),
            [tagging] if tagging.explicit => Self::of(ty, inside(element)?),
            [_] => Some(Self { ty, base: types().base(ty), whole: element, content: inside(element)? }),
            _ => None,
        }
    }
}

/// Returns whether the typed decoder for an extension's identifier accepts a value under strict rules.
pub(crate) fn is_right(oid: &[u8], der: &[u8]) -> bool {
    let Ok(mut reader) = Reader::new(der) else { return false };
    ExtensionValue::check_open(&mut reader, oid).is_ok() && reader.is_empty()
}

/// Returns the content of an element.
fn inside(element: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader::new(element).ok()?;
    let (_, len) = reader.header().ok()?;
    reader.take(len).ok()
}

/// Reads the next element, and returns its tag and encoding.
fn element<'n>(reader: &mut Reader<'n, '_>) -> Option<(Tag, &'n [u8])> {
    let start = reader.position();
    let (tag, len) = reader.header().ok()?;
    reader.take(len).ok()?;
    Some((tag, reader.since(start)))
}

fn is_same(tag: Tag, other: Tag) -> bool {
    (tag.class(), tag.number()) == (other.class(), other.number())
}

/// Returns whether an element with a tag can be the value of a field.
fn starts(field: &Field, tag: Tag) -> bool {
    match field.tagging.first() {
        Some(tagging) => is_same(tagging.tag, tag),
        None => types().get(&field.ty).is_some_and(|ty| begins(ty, tag)),
    }
}

/// Returns whether an element with a tag can be a value of a type.
fn begins(ty: &Type, tag: Tag) -> bool {
    match (ty.tag, &types().base(ty).shape) {
        (Some(own), _) => is_same(own, tag),
        (None, Shape::Choice { alternatives, .. }) => alternatives.iter().any(|field| starts(field, tag)),
        (None, Shape::Open { .. }) => true,
        (None, _) => types().base(ty).tag.is_some_and(|own| is_same(own, tag)),
    }
}

impl<'n> Node<'n> for Der<'n> {
    fn ty(self) -> &'n Type {
        self.ty
    }

    fn base(self) -> &'n Type {
        self.base
    }

    fn content(self) -> &'n [u8] {
        self.content
    }

    fn whole(self) -> &'n [u8] {
        self.whole
    }

    fn components(self) -> Option<Vec<Option<Self>>> {
        let Shape::Sequence(fields) = &self.base.shape else { return None };
        let mut reader = Reader::new(self.content).ok()?;
        let mut found = Vec::with_capacity(fields.list.len());
        let mut next = None;
        for field in fields.list.iter() {
            if next.is_none() && !reader.is_empty() {
                next = Some(element(&mut reader)?);
            }
            found.push(match next {
                Some((tag, element)) if starts(field, tag) => {
                    next = None;
                    Some(Self::of_field(field, element)?)
                }
                _ => None,
            });
        }
        Some(found)
    }

    fn items(self) -> Option<Vec<Self>> {
        let (Shape::SequenceOf(item) | Shape::SetOf(item)) = &self.base.shape else { return None };
        let (item, mut reader) = (types().get(item)?, Reader::new(self.content).ok()?);
        let mut items = Vec::new();
        while !reader.is_empty() {
            items.push(Self::of(item, element(&mut reader)?.1)?);
        }
        Some(items)
    }

    fn alternative(self) -> Option<(&'n str, Self)> {
        let Shape::Choice { alternatives, .. } = &self.base.shape else { return None };
        let (tag, element) = element(&mut Reader::new(self.whole).ok()?)?;
        let field = alternatives.iter().find(|field| starts(field, tag))?;
        Some((&field.name, Self::of_field(field, element)?))
    }

    fn selected(self, key: &[u8]) -> Option<Self> {
        let Shape::Open { set: Some(set), .. } = &self.base.shape else { return None };
        Self::of(set.get(None)?.find(key)?.ty.get(None)?, self.whole)
    }

    fn plain(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match Value::leaf(types(), self.base, Cow::Borrowed(self.content)) {
            Ok(value) => to_py(py, View::plain(types()), &value),
            Err(fault) => Err(errors::argument(fault.kind().text())),
        }
    }
}

/// Returns the encoding of a part as a Python object.
pub(crate) fn bytes<'py, 'n>(py: Python<'py>, node: impl Node<'n>) -> Bound<'py, PyAny> {
    PyBytes::new(py, node.whole()).into_any()
}
