//! Open types: which type a component selects, and what is done where none is.

use alloc::borrow::Cow;

use super::decode::{At, Expect, default_octets, element, unknown};
use super::{Data, Types, Value};
use crate::fault::Fault;
use crate::oid::Oid;
use crate::open::tolerant;
use crate::reader::Reader;
use crate::table::{Fields, ObjectSet, Presence, Shape, Type};

/// The components of a SEQUENCE that are known so far, and of those around it: where the component that selects the type of an
/// open type is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'x, 'a> {
    /// The fields of the innermost.
    pub fields: &'a Fields,
    /// Its components: one for each field, from the first on.
    pub slots: &'x [Option<Value<'a>>],
    /// What is around it.
    pub outer: Option<&'x Scope<'x, 'a>>,
}

impl<'a> Types<'a> {
    /// The type that a component selects for an open type, if one does and it is known.
    #[must_use]
    pub fn selected(self, open: &'a Type, scope: Option<&Scope<'_, 'a>>) -> Option<&'a Type> {
        let Shape::Open { set: Some(set), selector } = &open.shape else { return None };
        let set = set.get(self.schema)?;
        let key = scope.and_then(|scope| select(self, scope, selector))?;
        self.select(set, &key)
    }
}

/// Reads what a string contains; nothing if it is an open type that nothing selects, or that [`Rule::OPEN_TYPE`] gave up:
/// then all is stepped over.
///
/// [`Rule::OPEN_TYPE`]: crate::Rule::OPEN_TYPE
pub(super) fn contained<'a>(
    at: At<'_, 'a>,
    ty: &'a Type,
    reader: &mut Reader<'a, '_>,
) -> Result<Option<Value<'a>>, Fault> {
    match &ty.shape {
        Shape::Open { set: Some(set), selector } => match set.get(at.types.schema) {
            Some(set) => governed(at, set, selector, true, reader),
            None => Err(super::decode::dangling(reader)),
        },
        _ => element(at, Expect { ty, implicit: None, containing: None }, reader).map(Some),
    }
}

/// Reads a value of an open type that an object set governs. What is `wrapped` in a string is all that is left there.
/// Gives nothing, and steps over it, if its type is not known.
pub(super) fn governed<'a>(
    at: At<'_, 'a>,
    set: &'a ObjectSet,
    selector: &str,
    wrapped: bool,
    reader: &mut Reader<'a, '_>,
) -> Result<Option<Value<'a>>, Fault> {
    let key = at.scope.and_then(|scope| select(at.types, scope, selector));
    if let Some(key) = key {
        let read = |ty: &'a Type| {
            move |reader: &mut Reader<'a, '_>| element(at, Expect { ty, implicit: None, containing: None }, reader)
        };
        let known = set.find(&key).and_then(|object| at.types.get(&object.ty));
        let registered = || {
            let oid = Oid::from_content(&key).ok()?;
            let entry = at.types.registered.iter().find(|entry| entry.set == &*set.name && entry.oid == oid)?;
            at.types.get(&entry.ty)
        };
        if let Some(ty) = known {
            if reader.session().is_none() {
                return read(ty)(reader).map(Some);
            }
            if let Some(value) = tolerant(reader, wrapped, read(ty))? {
                return Ok(Some(value));
            }
        } else if let Some(ty) = registered()
            && let Some(value) = tolerant(reader, wrapped, read(ty))?
        {
            return Ok(Some(value));
        }
    }
    if wrapped {
        reader.take(reader.remaining())?;
    } else {
        unknown(reader)?;
    }
    Ok(None)
}

/// The key that the selecting component has, in the innermost SEQUENCE with such a component.
fn select<'x, 'a>(types: Types<'a>, scope: &'x Scope<'x, 'a>, selector: &str) -> Option<Cow<'x, [u8]>> {
    let mut names = selector.split('.').map(|name| name.trim_start_matches('@')).filter(|name| !name.is_empty());
    let first = names.next()?;
    let mut scope = Some(scope);
    loop {
        let here = scope?;
        if let Some(index) = here.fields.list.iter().position(|field| *field.name == *first) {
            let field = here.fields.list.get(index)?;
            return match here.slots.get(index).and_then(Option::as_ref) {
                Some(value) => key(value, names).map(Cow::Borrowed),
                None => match &field.presence {
                    Presence::Default(default) => default_key(types, types.get(&field.ty)?, default),
                    _ => None,
                },
            };
        }
        scope = here.outer;
    }
}

/// The key in the selecting component: the content octets of an OBJECT IDENTIFIER or INTEGER, below further names.
fn key<'v>(mut value: &'v Value<'_>, mut names: impl Iterator<Item = impl AsRef<str>>) -> Option<&'v [u8]> {
    loop {
        value = match &value.data {
            Data::Components(components) => components.get(names.next()?.as_ref())?,
            Data::Alternative(alternative) => &alternative.value,
            Data::Leaf(content) => {
                return match &value.base.shape {
                    Shape::ObjectIdentifier => Some(content),
                    // Padding that was tolerated is no part of the key.
                    Shape::Integer(_) => Some(crate::Int::from_signed(content).as_bytes()),
                    _ => None,
                };
            }
            _ => return None,
        };
    }
}

fn default_key<'k>(types: Types<'_>, ty: &Type, default: &crate::table::DefaultValue) -> Option<Cow<'k, [u8]>> {
    let octets = default_octets(default)?;
    let mut reader = Reader::new(&octets).ok()?;
    let value = super::decode::value(types, ty, &mut reader).ok()?;
    key(&value, core::iter::empty::<&str>()).map(|key| Cow::Owned(key.to_vec()))
}
