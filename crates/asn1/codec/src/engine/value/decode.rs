//! Table-driven decoding, with the same steps in the same order as derived code.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::constraint::{Listed, When};
use super::judge::Judge;
use super::open::{Keys, Scope};
use super::types::LAYERS;
use super::{Alternative, Data, Types, Value, constraint, fields, leaf, open};
use crate::any::Any;
use crate::decode::Decode;
use crate::engine::contained::{contained, contained_in};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Field, Presence, Shape, Tagging, Type, TypeRef};
use crate::tag::Tag;

/// Decodes one value of a type.
pub(super) fn value<'a, 's: 'a>(
    types: Types<'s>,
    ty: &'s Type,
    reader: &mut Reader<'a, '_>,
) -> Result<Value<'a>, Fault> {
    element(At::new(types), Expect { ty, implicit: None, containing: None }, reader)
}

/// Decodes one value of a type without checking its constraints.
pub(super) fn unconstrained<'a, 's: 'a>(
    types: Types<'s>,
    ty: &'s Type,
    reader: &mut Reader<'a, '_>,
) -> Result<Value<'a>, Fault> {
    element(At::unconstrained(types), Expect { ty, implicit: None, containing: None }, reader)
}

/// The decoder's position in the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'x, 'a> {
    pub(super) types: Types<'a>,
    pub(super) scope: Option<&'x Scope<'x, 'a>>,
    /// The number of names, tags and CHOICEs entered since the start of the current element.
    pub(super) layer: usize,
    /// True if constraints are checked.
    pub(super) constrained: bool,
}

impl<'x, 'a> At<'x, 'a> {
    pub(super) const fn new(types: Types<'a>) -> Self {
        Self { types, scope: None, layer: 0, constrained: true }
    }

    /// Like [`Self::new`], but constraints are not checked.
    pub(super) const fn unconstrained(types: Types<'a>) -> Self {
        Self { constrained: false, ..Self::new(types) }
    }

    /// Returns the position with `scope` set to the components decoded so far.
    pub(super) const fn among(self, scope: &'x Scope<'x, 'a>) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// Checks a decoded value against constraints.
    fn check(
        self,
        listed: Listed<'_>,
        value: &Value<'_>,
        reader: &Reader<'_, '_>,
        position: usize,
        when: When,
    ) -> Result<(), Fault> {
        if !self.constrained || (listed.constraints.is_empty()) {
            return Ok(());
        }
        constraint::check(self.judge(reader), listed, value, reader, position, when)
    }

    /// Creates the constraint judge for this position.
    pub(super) fn judge<'o: 'x>(self, reader: &Reader<'_, 'o>) -> Judge<'x, 'a> {
        Judge::new(
            self.types,
            self.scope.map(|scope| scope as &dyn Keys<'a>),
            reader.session().map_or(&[], |session| session.options().user_checks_in_force()),
        )
    }

    /// Enters one more layer. Fails at the maximum depth, which only a table that refers to itself can reach.
    pub(super) fn deeper(self, reader: &Reader<'_, '_>) -> Result<Self, Fault> {
        if self.layer >= LAYERS {
            return Err(reader.fault(FaultKind::Internal, reader.position()));
        }
        Ok(Self { layer: self.layer + 1, ..self })
    }

    fn inside(self) -> Self {
        Self { layer: 0, ..self }
    }
}

/// An expected element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expect<'a> {
    pub(super) ty: &'a Type,
    /// The tag that replaces the type's own.
    pub(super) implicit: Option<Tag>,
    /// The type that the string contains.
    pub(super) containing: Option<TypeRef>,
}

/// Creates the fault for a table with an unresolvable reference.
pub(super) fn dangling(reader: &Reader<'_, '_>) -> Fault {
    reader.fault(FaultKind::Internal, reader.position())
}

/// Decodes a component or alternative, and checks its constraints.
pub(super) fn field<'a>(at: At<'_, 'a>, field: &'a Field, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault> {
    let position = reader.position();
    let mut value = component(at, field, reader)?;
    let listed = Listed { constraints: &field.constraints, containing: field.containing };
    at.check(listed, &value, reader, position, When::Both)?;
    value.secret |= field.secret;
    Ok(value)
}

/// Decodes a component or alternative, without checking its constraints.
pub(super) fn component<'a>(at: At<'_, 'a>, field: &'a Field, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault> {
    let ty = at.types.get(&field.ty).ok_or_else(|| dangling(reader))?;
    let expect = Expect { ty, implicit: None, containing: contained_in(field) };
    tagged(at, &field.tagging, expect, reader)
}

fn tagged<'a>(
    at: At<'_, 'a>,
    tagging: &'a [Tagging],
    expect: Expect<'a>,
    reader: &mut Reader<'a, '_>,
) -> Result<Value<'a>, Fault> {
    match tagging {
        [] => element(at, expect, reader),
        [first, rest @ ..] => {
            let tag = expect.implicit.unwrap_or(first.tag);
            if first.explicit {
                let expect = Expect { implicit: None, ..expect };
                reader.element(tag.constructed(), |reader| tagged(at.inside(), rest, expect, reader))
            } else {
                tagged(at.deeper(reader)?, rest, Expect { implicit: Some(tag), ..expect }, reader)
            }
        }
    }
}

/// Decodes an element of a type.
pub(super) fn element<'a>(at: At<'_, 'a>, expect: Expect<'a>, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault> {
    let Expect { ty, implicit, containing } = expect;
    match at.types.tag(ty) {
        Some(own) => {
            let (start, offset) = (reader.position(), reader.offset());
            let len = reader.expect(implicit.map_or(own, |tag| tag.formed_like(own)))?;
            let mut value = content(at, ty, containing, reader, len)?;
            placed(&mut value, ty, reader.since(start), offset);
            Ok(value)
        }
        // X.680 §31.2.7: what has no tag of its own is tagged explicitly.
        None => match implicit {
            Some(tag) => reader.element(tag.constructed(), |reader| untagged(at.inside(), ty, reader)),
            None => untagged(at, ty, reader),
        },
    }
}

/// Records the bytes and offset of a value under its outermost type name.
fn placed<'a>(value: &mut Value<'a>, ty: &'a Type, octets: &'a [u8], offset: usize) {
    value.ty = ty;
    value.octets = Some(Cow::Borrowed(octets));
    // Inputs are at most u32::MAX octets.
    value.offset = offset as u32;
    value.secret |= ty.secret;
    value.verbatim |= ty.verbatim;
}

fn bare<'a>(ty: &'a Type, data: Data<'a>) -> Value<'a> {
    Value { ty, base: ty, octets: None, offset: 0, secret: ty.secret, verbatim: ty.verbatim, data }
}

/// Decodes the content of a tagged type, of `len` bytes.
pub(super) fn content<'a>(
    at: At<'_, 'a>,
    ty: &'a Type,
    containing: Option<TypeRef>,
    reader: &mut Reader<'a, '_>,
    len: usize,
) -> Result<Value<'a>, Fault> {
    let position = reader.position();
    let containing = containing.or_else(|| contained(ty));
    let when =
        if matches!(&ty.shape, Shape::Tagged { tagging, .. } if tagging.explicit) { When::Outside } else { When::Both };
    let mut value = match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, tagging: Tagging { explicit: false, .. } } => {
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            content(at.deeper(reader)?, inner, containing, reader, len)?
        }
        Shape::Tagged { inner, .. } => {
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            let expect = Expect { ty: inner, implicit: None, containing };
            reader.nested(len, |reader| {
                let value = element(at.inside(), expect, reader)?;
                at.check(Listed::of(&ty.constraints), &value, reader, position, When::Inside)?;
                Ok(value)
            })?
        }
        Shape::Sequence(list) | Shape::Presentation(list) => {
            bare(ty, Data::Components(fields::sequence(at.inside(), list, reader, len)?))
        }
        Shape::Set(list) => bare(ty, Data::Components(fields::set(at.inside(), list, reader, len)?)),
        Shape::SequenceOf(item) => bare(ty, Data::Items(items(at.inside(), item, false, reader, len)?)),
        Shape::SetOf(item) => bare(ty, Data::Items(items(at.inside(), item, true, reader, len)?)),
        // A table whose tag belongs to what it does not describe.
        Shape::Choice { .. } | Shape::Open { .. } => reader.nested(len, |reader| untagged(at.inside(), ty, reader))?,
        shape @ (Shape::OctetString | Shape::BitString(_)) if containing.is_some() => {
            let inner = containing.as_ref().and_then(|inner| at.types.get(inner)).ok_or_else(|| dangling(reader))?;
            let bits = matches!(shape, Shape::BitString(_));
            let held = reader.nested(len, |reader| {
                if bits {
                    reader.no_unused_bits()?;
                }
                reader.spend_values(1)?;
                open::contained(at.inside(), inner, reader)
            })?;
            match held {
                Some(held) => bare(ty, Data::Containing(Box::new(held))),
                None => bare(ty, Data::Leaf(Cow::Borrowed(reader.since(position)))),
            }
        }
        shape => {
            if !leaf::read(shape, reader, len)? {
                return Err(dangling(reader));
            }
            if !constraint::is_held(ty, reader.since(position)) {
                return Err(reader.fault(FaultKind::IntegerRange, position));
            }
            bare(ty, Data::Leaf(Cow::Borrowed(reader.since(position))))
        }
    };
    at.check(Listed::of(&ty.constraints), &value, reader, position, when)?;
    value.secret |= ty.secret;
    value.verbatim |= ty.verbatim;
    Ok(value)
}

/// Decodes a CHOICE or an open type, possibly through named types.
fn untagged<'a>(at: At<'_, 'a>, ty: &'a Type, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault> {
    let (start, offset) = (reader.position(), reader.offset());
    let at = at.deeper(reader)?;
    let mut value = match &ty.shape {
        Shape::Named(inner) | Shape::Tagged { inner, .. } => {
            let inner = at.types.get(inner).ok_or_else(|| dangling(reader))?;
            untagged(at, inner, reader)?
        }
        Shape::Choice { alternatives, extensible } => {
            match alternatives.iter().find(|alternative| starts(at.types, alternative, reader)) {
                Some(alternative) => {
                    reader.spend_values(1)?;
                    let value = Box::new(field(at, alternative, reader)?);
                    let secret = value.secret;
                    let mut value = bare(ty, Data::Alternative(Alternative { field: alternative, value }));
                    value.secret |= secret;
                    value
                }
                None if *extensible => bare(ty, unknown(reader)?),
                None => return Err(reader.no_alternative()),
            }
        }
        Shape::Open { set: Some(set), selector } => {
            let set = set.get(at.types.schema).ok_or_else(|| dangling(reader))?;
            match open::governed(at, set, selector, false, reader)? {
                // Of the type that was selected.
                Some(value) => {
                    at.check(Listed::of(&ty.constraints), &value, reader, start, When::Both)?;
                    return Ok(value);
                }
                None => {
                    let octets = reader.since(start);
                    bare(ty, Data::Unknown(Cow::Borrowed(octets)))
                }
            }
        }
        Shape::Open { set: None, .. } => bare(ty, unknown(reader)?),
        _ => return Err(dangling(reader)),
    };
    at.check(Listed::of(&ty.constraints), &value, reader, start, When::Both)?;
    placed(&mut value, ty, reader.since(start), offset);
    Ok(value)
}

/// Reads one element of unknown type, and checks it as far as possible.
pub(super) fn unknown<'a>(reader: &mut Reader<'a, '_>) -> Result<Data<'a>, Fault> {
    Any::decode(reader).map(|any| Data::Unknown(Cow::Borrowed(any.as_bytes())))
}

/// Decodes the items of a SEQUENCE OF or SET OF.
fn items<'a>(
    at: At<'_, 'a>,
    item: &'a TypeRef,
    set: bool,
    reader: &mut Reader<'a, '_>,
    len: usize,
) -> Result<Vec<Value<'a>>, Fault> {
    let ty = at.types.get(item).ok_or_else(|| dangling(reader))?;
    reader.nested(len, |reader| {
        let mut items = Vec::new();
        let mut previous: &[u8] = &[];
        while !reader.is_empty() {
            let start = reader.position();
            reader.spend_values(1)?;
            items.push(element(at, Expect { ty, implicit: None, containing: None }, reader)?);
            let current = reader.since(start);
            // X.690 §11.6; no encoding is a prefix of another.
            if set && previous > current {
                reader.deviate(&Rule::SET_OF_ORDER, FaultKind::SetOfOrder, start)?;
            }
            previous = current;
        }
        reader.spend_elements(items.len())?;
        Ok(items)
    })
}

/// Returns whether the next element can be the start of this component.
pub(super) fn starts<'a>(types: Types<'a>, field: &'a Field, reader: &Reader<'_, '_>) -> bool {
    match field.tagging.first() {
        Some(first) => reader.at(first.tag),
        None => types.get(&field.ty).is_some_and(|ty| starts_type(types, ty, reader, LAYERS)),
    }
}

// Recursion follows CHOICEs in the schema, not the input.
fn starts_type<'a>(types: Types<'a>, ty: &'a Type, reader: &Reader<'_, '_>, layers: usize) -> bool {
    if let Some(tag) = types.tag(ty) {
        return reader.at(tag);
    }
    let base = types.base(ty);
    match &base.shape {
        Shape::Choice { alternatives, .. } => {
            let Some(layers) = layers.checked_sub(1) else { return false };
            alternatives.iter().any(|alternative| match alternative.tagging.first() {
                Some(first) => reader.at(first.tag),
                None => types.get(&alternative.ty).is_some_and(|ty| starts_type(types, ty, reader, layers)),
            })
        }
        Shape::Open { .. } => !reader.is_empty(),
        _ => false,
    }
}

/// Returns whether a decoded component has its DEFAULT value.
pub(super) fn is_default<'a>(types: Types<'a>, field: &Field, value: &Value<'_>) -> bool {
    with_default(types, field, |default| default == value).unwrap_or(false)
}

/// Calls `with` with a component's DEFAULT value.
pub(super) fn with_default<R>(types: Types<'_>, field: &Field, with: impl FnOnce(&Value<'_>) -> R) -> Option<R> {
    let Presence::Default(default) = &field.presence else { return None };
    let octets = default_octets(default)?;
    let session = leaf::lenient();
    let mut reader = Reader::with_session(&octets, &session).ok()?;
    let expect = Expect { ty: types.get(&field.ty)?, implicit: None, containing: contained_in(field) };
    element(At::new(types), expect, &mut reader).ok().map(|default| with(&default))
}

/// Returns the DER of a DEFAULT value.
pub(super) fn default_octets(default: &crate::table::DefaultValue) -> Option<Cow<'_, [u8]>> {
    use crate::table::DefaultValue;
    match default {
        DefaultValue::Der(octets) => Some(Cow::Borrowed(octets)),
        DefaultValue::Write(write) => {
            // Its size is not known beforehand.
            let mut size = 64usize;
            while size <= 1 << 20 {
                let mut buffer = alloc::vec![0; size];
                let mut writer = crate::writer::Writer::new(&mut buffer);
                match write(&mut writer) {
                    Ok(()) => return Some(Cow::Owned(writer.written().to_vec())),
                    Err(error) if error.kind() == FaultKind::BufferTooSmall => size *= 8,
                    Err(_) => return None,
                }
            }
            None
        }
    }
}
