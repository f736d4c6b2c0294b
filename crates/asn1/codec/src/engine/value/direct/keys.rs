//! Finds the selectors of open types among components that were decoded into memory, by decoding them again from the input.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::super::open::{Ahead, Keys, default_key};
use super::super::{Data, Types, Value, decode, leaf};
use crate::engine::selector::{Key, Selector};
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
use crate::table::{Field, Fields, Presence};

/// Keys found so far, by path and by the index of the components in which the path starts. Each is searched for only once.
pub(super) type Found<'a> = RefCell<Vec<(String, usize, Option<Cow<'a, [u8]>>)>>;

/// The components decoded so far in a SEQUENCE or SET and in its enclosing types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'x, 'a> {
    pub(super) fields: &'a Fields,
    /// The encoded components.
    pub(super) content: &'a [u8],
    /// The start of each component in `content`, if it was decoded.
    pub(super) starts: &'x [Option<usize>],
    pub(super) found: &'x Found<'a>,
    /// The index of the component being decoded.
    pub(super) current: usize,
    /// The unread rest of a SET.
    pub(super) ahead: Option<&'x Ahead<'x>>,
    pub(super) session: Option<&'x Session<'x>>,
    pub(super) outer: Option<&'x Frame<'x, 'a>>,
}

impl<'a> Keys<'a> for Frame<'_, 'a> {
    fn key(&self, types: Types<'a>, selector: &str) -> Option<Cow<'_, [u8]>> {
        let mut paths = Selector::all(selector);
        let (first, more) = (paths.next()?, paths.next().is_some());
        if !more {
            return self.one(types, first);
        }
        let mut all = Key::default();
        for path in Selector::all(selector) {
            all.push(&self.one(types, path)?);
        }
        Some(Cow::Owned(all.into_octets()))
    }
}

impl<'a> Frame<'_, 'a> {
    fn one(&self, types: Types<'a>, selector: Selector<'_>) -> Option<Cow<'_, [u8]>> {
        let around = || core::iter::successors(Some(self), |frame| frame.outer);
        let place = |frame: &Frame<'_, '_>, name: &str| frame.fields.list.iter().position(|field| *field.name == *name);
        let (mut at, mut here) =
            selector.start(around().enumerate(), |(_, frame), name| place(frame, name).is_some())?;
        let mut names = selector.names();
        loop {
            let index = place(here, names.next()?)?;
            match here.starts.get(index).copied().flatten() {
                Some(start) => return here.read(types, index, start, names),
                // The path leads into the component that is being read: its own components are known so far.
                None if index == here.current && at > 0 => {
                    at -= 1;
                    here = around().nth(at)?;
                }
                // It is not absent, even if it has a DEFAULT value.
                None if here.ahead.is_none() && index > here.current => return None,
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

    /// Returns the key in a component that was decoded.
    fn read<'n>(
        &self,
        types: Types<'a>,
        index: usize,
        start: usize,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<Cow<'a, [u8]>> {
        let field = self.fields.list.get(index)?;
        let path = names.clone().collect::<Vec<_>>().join(".");
        let is_known = |(known, number, _): &&(String, usize, _)| *number == index && *known == path;
        let known = self.found.borrow().iter().find(is_known).map(|(_, _, key)| key.clone());
        known.unwrap_or_else(|| {
            let options = self.session.map_or_else(Options::der, |session| *session.options());
            let budget = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
            let session = Session::new(options.budget(budget));
            let content = self.content.get(start..).unwrap_or_default();
            let value = Reader::with_session(content, &session)
                .and_then(|mut reader| decode::component(decode::At::unconstrained(types), field, &mut reader));
            let key = value.ok().and_then(|value| key(value, names));
            self.found.borrow_mut().push((path, index, key.clone()));
            key
        })
    }
}

/// Returns the key in a component: the content bytes of the primitive value at the path `names`.
fn key<'a, 'n>(mut value: Value<'a>, mut names: impl Iterator<Item = &'n str>) -> Option<Cow<'a, [u8]>> {
    loop {
        value = match value.data {
            Data::Components(components) => {
                let name = names.next()?;
                let place = components.fields.list.iter().position(|field| *field.name == *name)?;
                components.slots.into_iter().nth(place)??
            }
            Data::Alternative(alternative) => *alternative.value,
            // What was tolerated of its form is no part of the key.
            Data::Leaf(Cow::Borrowed(content)) => {
                return Some(leaf::canonical(&value.base.shape, content).unwrap_or(Cow::Borrowed(content)));
            }
            _ => return None,
        };
    }
}
