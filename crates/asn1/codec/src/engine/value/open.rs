//! Open types: selects the type by the key in another component, and handles keys that match no type.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use super::decode::{At, Expect, component, default_octets, element, starts, unknown};
use super::{Data, Types, Value};
use crate::__private::{again, look_ahead_in};
use crate::engine::selector::{Key, Selector};
use crate::fault::Fault;
use crate::oid::Oid;
use crate::open::tolerant;
use crate::options::Options;
use crate::reader::Reader;
use crate::table::{Field, Fields, ObjectSet, Presence, Shape, Type};

/// The components decoded so far in a SEQUENCE and its enclosing types, where selectors are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'x, 'a> {
    /// The fields of the innermost SEQUENCE or SET.
    pub fields: &'a Fields,
    /// The decoded components, one per field.
    pub slots: &'x [Option<Value<'a>>],
    /// The index of the field being read, which contains the next inner scope.
    pub current: usize,
    /// True if the components after `current` are not known yet. Otherwise, those without a value are absent.
    pub is_partial: bool,
    /// The unread part of a SET, in which a selector may come after its open type.
    pub ahead: Option<&'x Ahead<'x>>,
    /// The enclosing scope.
    pub outer: Option<&'x Scope<'x, 'a>>,
}

/// Looks up keys: the values of the components that determine an open type's actual type.
pub(super) trait Keys<'a>: fmt::Debug {
    /// Returns the key from the selecting component, or the combined key from several components.
    fn key(&self, types: Types<'a>, selector: &str) -> Option<Cow<'_, [u8]>>;
}

impl<'a> Keys<'a> for Scope<'_, 'a> {
    fn key(&self, types: Types<'a>, selector: &str) -> Option<Cow<'_, [u8]>> {
        select(types, self, selector)
    }
}

/// The content of a SET being read.
#[derive(Debug)]
pub struct Ahead<'x> {
    content: &'x [u8],
    options: Options<'x>,
    /// The selectors found so far, by path. Each is searched for only once.
    found: RefCell<Vec<(String, Option<Vec<u8>>)>>,
}

impl<'x> Ahead<'x> {
    /// Creates a look-ahead over the content of a SET that the reader has just entered.
    pub(super) fn new<'i: 'x, 'o: 'x>(reader: &Reader<'i, 'o>) -> Self {
        Self { content: reader.rest(), options: again(reader), found: RefCell::default() }
    }

    /// Finds the key in a component that comes later in the SET, like the derived decoder: in the first element that can be the
    /// component, unless an error precedes it.
    pub(super) fn key<'y>(&'y self, types: Types<'y>, fields: &'y Fields, selector: Selector<'_>) -> Option<Vec<u8>> {
        let path = selector.names().collect::<Vec<_>>().join(".");
        let known = self.found.borrow().iter().find(|(known, _)| *known == path).map(|(_, key)| key.clone());
        known.unwrap_or_else(|| {
            let key = self.look(types, fields, selector);
            self.found.borrow_mut().push((path, key.clone()));
            key
        })
    }

    fn look<'y>(&'y self, types: Types<'y>, fields: &'y Fields, selector: Selector<'_>) -> Option<Vec<u8>> {
        let mut names = selector.names();
        let first = names.next()?;
        let field = fields.list.iter().find(|field| *field.name == *first)?;
        let found = look_ahead_in(
            self.content,
            self.options,
            |reader| starts(types, field, reader),
            |reader| component(At::new(types), field, reader),
        )?;
        key(&found, names).map(Cow::into_owned)
    }
}

impl<'a> Types<'a> {
    /// Returns the type that a component selects for an open type, if known.
    #[must_use]
    pub fn selected(self, open: &'a Type, scope: Option<&Scope<'_, 'a>>) -> Option<&'a Type> {
        self.selected_object(open, scope).map(|(_, ty)| ty)
    }

    /// Returns the type that a component selects for an open type, and the index of its object in the set. A type that the caller
    /// added has no index.
    pub(super) fn selected_object(
        self,
        open: &'a Type,
        scope: Option<&Scope<'_, 'a>>,
    ) -> Option<(Option<usize>, &'a Type)> {
        let Shape::Open { set: Some(set), selector } = &open.shape else { return None };
        let set = set.get(self.schema)?;
        let key = scope.and_then(|scope| select(self, scope, selector))?;
        let object = set.objects.iter().position(|object| *object.key == *key);
        self.select(set, &key).map(|ty| (object, ty))
    }
}

/// Decodes the value contained in an OCTET STRING or BIT STRING. Skips the string and returns `None` if an open type's actual
/// type is unknown, or if its value was abandoned under [`Rule::OPEN_TYPE`].
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

/// Decodes a value of an open type governed by an object set. Skips it and returns `None` if its type is unknown. If
/// `wrapped` is true, the value must extend to the end of the enclosing string.
pub(super) fn governed<'a>(
    at: At<'_, 'a>,
    set: &'a ObjectSet,
    selector: &str,
    wrapped: bool,
    reader: &mut Reader<'a, '_>,
) -> Result<Option<Value<'a>>, Fault> {
    let key = at.scope.and_then(|scope| select(at.types, scope, selector));
    if key.is_none()
        && let Some(session) = reader.session()
    {
        session.postpone();
    }
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
            if reader.is_plain() {
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

/// Returns the key from the selecting component, or the combined key from several components.
pub(super) fn select<'x, 'a>(types: Types<'a>, scope: &'x Scope<'x, 'a>, selector: &str) -> Option<Cow<'x, [u8]>> {
    let mut paths = Selector::all(selector);
    let (first, more) = (paths.next()?, paths.clone().next().is_some());
    if !more {
        return select_one(types, scope, first);
    }
    let mut all = Key::default();
    for path in Selector::all(selector) {
        all.push(&select_one(types, scope, path)?);
    }
    Some(Cow::Owned(all.into_octets()))
}

fn select_one<'x, 'a>(types: Types<'a>, scope: &'x Scope<'x, 'a>, selector: Selector<'_>) -> Option<Cow<'x, [u8]>> {
    let around = || core::iter::successors(Some(scope), |scope| scope.outer);
    let place = |scope: &Scope<'_, '_>, name: &str| scope.fields.list.iter().position(|field| *field.name == *name);
    let (mut at, mut here) = selector.start(around().enumerate(), |(_, scope), name| place(scope, name).is_some())?;
    let mut names = selector.names();
    loop {
        let index = place(here, names.next()?)?;
        match here.slots.get(index).and_then(Option::as_ref) {
            Some(value) => return key(value, names),
            // The path leads into the component that is being read: its own components are known so far.
            None if index == here.current && at > 0 => {
                at -= 1;
                here = around().nth(at)?;
            }
            // It is not absent, even if it has a DEFAULT value.
            None if here.is_partial && index > here.current => return None,
            None => {
                if let Some(key) = here.ahead.and_then(|ahead| ahead.key(types, here.fields, selector)) {
                    return Some(Cow::Owned(key));
                }
                return match here.fields.list.get(index)? {
                    Field { presence: Presence::Default(default), ty, .. } => {
                        default_key(types, types.get(ty)?, default, names)
                    }
                    _ => None,
                };
            }
        }
    }
}

/// Returns the object set key: the content bytes of a primitive value. `names` is the path from the referenced component
/// to that value.
pub(super) fn key<'v>(
    mut value: &'v Value<'_>,
    mut names: impl Iterator<Item = impl AsRef<str>>,
) -> Option<Cow<'v, [u8]>> {
    loop {
        value = match &value.data {
            Data::Components(components) => components.get(names.next()?.as_ref())?,
            Data::Alternative(alternative) => &alternative.value,
            // What was tolerated of its form is no part of the key.
            Data::Leaf(_) => return value.der_content(),
            _ => return None,
        };
    }
}

/// Returns the key in a DEFAULT value.
pub(super) fn default_key<'k>(
    types: Types<'_>,
    ty: &Type,
    default: &crate::table::DefaultValue,
    names: impl Iterator<Item = impl AsRef<str>>,
) -> Option<Cow<'k, [u8]>> {
    let octets = default_octets(default)?;
    let mut reader = Reader::new(&octets).ok()?;
    let value = super::decode::value(types, ty, &mut reader).ok()?;
    key(&value, names).map(|key| Cow::Owned(key.to_vec()))
}
