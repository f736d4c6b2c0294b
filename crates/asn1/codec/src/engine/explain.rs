//! Selects values by path. [`path_at`](crate::path_at) does the reverse.
//!
//! ```text
//! path  ::= step { "." name | "[" which "]" }
//! step  ::= name | "[" which "]"
//! which ::= index | name or dotted form of an object identifier
//! ```
//!
//! A name selects a component or alternative, and an index selects an item of a SEQUENCE OF or SET OF, counting from 0.
//! An identifier in brackets selects the items that are, or contain, that OBJECT IDENTIFIER. CHOICEs, strings that
//! contain an encoding, and open types selected by the item's identifier may be omitted. A name after a list is looked up
//! in each item: `extensions[subjectAltName].dNSName`. The empty path selects the value itself.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::value::{Data, Types, Value};
use crate::table::{Field, Presence, Shape, Type};
use crate::text::visible;

/// A value selected by a path.
#[derive(Clone, Debug)]
pub struct Found<'v, 'a> {
    /// The value; `None` for an absent component with a DEFAULT.
    pub value: Option<&'v Value<'a>>,
    /// The component whose DEFAULT value applies. [`Types::with_default`] returns that value.
    pub default: Option<&'a Field>,
    /// The full path, with an index for each item: `tbsCertificate.extensions[2].extnValue[0].dNSName`.
    pub path: String,
}

/// The reason that a path selects nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// Malformed path: a description and the byte position.
    Syntax(&'static str, usize),
    /// No component has this name.
    NoSuchName {
        /// The path up to this name.
        at: String,
        /// The unknown name.
        name: String,
        /// The available names.
        available: Vec<String>,
    },
    /// An index or identifier applied to something that is not a list.
    NoList {
        /// The path up to the brackets.
        at: String,
    },
    /// An unknown identifier name in brackets.
    NoSuchIdentifier(String),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |at: &str| if at.is_empty() { "the value".to_owned() } else { visible(at).to_string() };
        match self {
            Self::Syntax(what, at) => write!(f, "{what}, at character {} of the path", at + 1),
            Self::NoSuchName { at, name, available } if available.is_empty() => {
                write!(f, "{} has no components, so there is no component {}", place(at), visible(name))
            }
            Self::NoSuchName { at, name, available } => {
                write!(f, "{} has no component {}; its components are ", place(at), visible(name))?;
                for (index, name) in available.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, visible(name))?;
                }
                Ok(())
            }
            Self::NoList { at } => write!(f, "{} is not a list, so brackets cannot select an item", place(at)),
            Self::NoSuchIdentifier(name) => write!(f, "unknown object identifier name: {}", visible(name)),
        }
    }
}

impl core::error::Error for PathError {}

enum Step<'p> {
    Name(&'p str),
    Index(usize),
    Selected(&'p str),
}

fn steps(path: &str) -> Result<Vec<Step<'_>>, PathError> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let at = path.len().saturating_sub(rest.len());
        if let Some(inside) = rest.strip_prefix('[') {
            let Some((which, after)) = inside.split_once(']') else {
                return Err(PathError::Syntax("unterminated bracket", at));
            };
            if which.is_empty() {
                return Err(PathError::Syntax("the brackets are empty", at));
            }
            let number = which.bytes().all(|octet| octet.is_ascii_digit());
            steps.push(match which.parse() {
                Ok(index) if number => Step::Index(index),
                _ if number => return Err(PathError::Syntax("the index is too large", at + 1)),
                _ => Step::Selected(which),
            });
            rest = after;
            continue;
        }
        let name = match rest.strip_prefix('.') {
            Some(_) if steps.is_empty() => return Err(PathError::Syntax("expected a name before the first dot", at)),
            Some(name) => name,
            None if steps.is_empty() => rest,
            None => return Err(PathError::Syntax("unexpected dot or bracket after a bracket", at)),
        };
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (name, after) = name.split_at_checked(end).unwrap_or((name, ""));
        if name.is_empty() {
            return Err(PathError::Syntax("expected a name", at + 1));
        }
        steps.push(Step::Name(name));
        rest = after;
    }
    Ok(steps)
}

/// The maximum number of CHOICE and string layers that one step may skip.
const LAYERS: usize = 32;

impl<'a> Value<'a> {
    /// Returns the values that a path selects, or none if the component is absent. Pass the `types` used for decoding;
    /// `oid` resolves identifier names to content bytes.
    ///
    /// ```
    /// use tagwise_codec::{SeqOf, value::Dynamic};
    /// let lists = Dynamic::of::<SeqOf<'_, SeqOf<'_, u8>>>();
    /// let value = lists.decode(&[0x30, 0x08, 0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07])?.value;
    /// let found = value.select(lists.types(), "[0][1]", &|_| None)?;
    /// assert_eq!((found.len(), found[0].value.unwrap().offset()), (1, 7));
    /// let error = value.select(lists.types(), "[0].name", &|_| None).unwrap_err();
    /// assert_eq!(error.to_string(), "[0] has no components, so there is no component name");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path is malformed, or names an unknown component of the type.
    pub fn select<'v>(
        &'v self,
        types: Types<'a>,
        path: &str,
        oid: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Vec<Found<'v, 'a>>, PathError> {
        let mut here = Vec::from([Found { value: Some(self), default: None, path: String::new() }]);
        let mut passed = String::new();
        for step in steps(path)? {
            let mut next = Vec::new();
            match step {
                Step::Name(name) => {
                    let mut names = Names { types, name, known: false, available: Vec::new() };
                    for found in &here {
                        if let Some(value) = found.value {
                            names.look(value, &found.path, &mut next, LAYERS);
                        }
                    }
                    if next.is_empty() && !names.known && !here.is_empty() {
                        names.available.sort();
                        names.available.dedup();
                        let (at, name, available) = (passed, name.to_owned(), names.available);
                        return Err(PathError::NoSuchName { at, name, available });
                    }
                    if !passed.is_empty() {
                        passed.push('.');
                    }
                    passed.push_str(name);
                }
                Step::Index(index) => {
                    let mut list = false;
                    for found in &here {
                        let Some(Items { items, prefix }) = found.value.and_then(|value| list_of(value, &found.path))
                        else {
                            continue;
                        };
                        list = true;
                        if let Some(item) = items.get(index) {
                            let path = alloc::format!("{prefix}[{index}]");
                            next.push(Found { value: Some(item), default: None, path });
                        }
                    }
                    if !list && !here.is_empty() {
                        return Err(PathError::NoList { at: passed });
                    }
                    passed.push_str(&alloc::format!("[{index}]"));
                }
                Step::Selected(which) => {
                    let key = oid(which).ok_or_else(|| PathError::NoSuchIdentifier(which.to_owned()))?;
                    let mut list = false;
                    for found in &here {
                        let Some(value) = found.value else { continue };
                        list |= select_items(value, &found.path, &key, &mut next, LAYERS);
                    }
                    if !list && !here.is_empty() {
                        return Err(PathError::NoList { at: passed });
                    }
                    passed.push_str(&alloc::format!("[{which}]"));
                }
            }
            here = next;
        }
        Ok(here)
    }
}

struct Items<'v, 'a> {
    items: &'v [Value<'a>],
    prefix: String,
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { alloc::format!("{path}.{name}") }
}

/// Returns the list that a value is or, without a name of its own, contains.
fn list_of<'v, 'a>(mut value: &'v Value<'a>, path: &str) -> Option<Items<'v, 'a>> {
    let mut prefix = path.to_owned();
    for _ in 0..LAYERS {
        value = match value.data() {
            Data::Items(items) => return Some(Items { items, prefix }),
            Data::Containing(inner) => inner,
            Data::Alternative(chosen) => {
                prefix = join(&prefix, &chosen.field().name);
                chosen.value()
            }
            Data::Components(components) => {
                let (field, value) =
                    components.iter().find(|(field, value)| value.is_some() && is_governed(field, *value))?;
                prefix = join(&prefix, &field.name);
                value?
            }
            _ => return None,
        };
    }
    None
}

/// Returns whether a component's type is selected by another component.
fn is_governed(field: &Field, value: Option<&Value<'_>>) -> bool {
    // The field refers to the open type; the value has the type that was selected.
    field.containing.is_some() && value.is_some_and(|value| matches!(value.data(), Data::Containing(_)))
}

/// Adds the items that an identifier selects. Returns whether there was a list.
fn select_items<'v, 'a>(
    value: &'v Value<'a>,
    path: &str,
    key: &[u8],
    next: &mut Vec<Found<'v, 'a>>,
    layers: usize,
) -> bool {
    let (Some(Items { items, prefix }), Some(layers)) = (list_of(value, path), layers.checked_sub(1)) else {
        return false;
    };
    for (index, item) in items.iter().enumerate() {
        let path = alloc::format!("{prefix}[{index}]");
        if is_identified(item, key) {
            next.push(Found { value: Some(item), default: None, path });
        } else if matches!(item.data(), Data::Items(_)) {
            // As in a name, which is a list of sets of attributes.
            select_items(item, &path, key, next, layers);
        }
    }
    true
}

/// Returns whether a value is an identifier, or has it as a component.
fn is_identified(value: &Value<'_>, key: &[u8]) -> bool {
    let is = |value: &Value<'_>| {
        matches!(value.base().shape, Shape::ObjectIdentifier) && value.content().is_some_and(|content| content == key)
    };
    match value.data() {
        Data::Components(components) => components.iter().any(|(_, value)| value.is_some_and(is)),
        _ => is(value),
    }
}

/// Searches values for a name, and collects the names that are available.
struct Names<'n, 'a> {
    types: Types<'a>,
    name: &'n str,
    /// True if the type has a component of that name.
    known: bool,
    available: Vec<String>,
}

impl<'a> Names<'_, 'a> {
    fn look<'v>(&mut self, value: &'v Value<'a>, path: &str, next: &mut Vec<Found<'v, 'a>>, layers: usize) {
        let Some(layers) = layers.checked_sub(1) else { return };
        match value.data() {
            Data::Components(components) => {
                let found = components.iter().find(|(field, _)| *field.name == *self.name);
                if let Some((field, slot)) = found {
                    self.known = true;
                    let default =
                        matches!(field.presence, Presence::Default(_)).then_some(field).filter(|_| slot.is_none());
                    if slot.is_some() || default.is_some() {
                        next.push(Found { value: slot, default, path: join(path, self.name) });
                    }
                    return;
                }
                self.available.extend(components.iter().map(|(field, _)| field.name.to_string()));
                // What an identifier selected need not be named.
                for (field, value) in components.iter() {
                    if let Some(value) = value.filter(|value| is_governed(field, Some(value))) {
                        self.look(value, &join(path, &field.name), next, layers);
                    }
                }
            }
            Data::Alternative(chosen) => {
                self.type_names(value.base(), 1);
                let inner = join(path, &chosen.field().name);
                if *chosen.field().name == *self.name {
                    next.push(Found { value: Some(chosen.value()), default: None, path: inner });
                } else {
                    self.look(chosen.value(), &inner, next, layers);
                }
            }
            Data::Containing(inner) => self.look(inner, path, next, layers),
            Data::Items(items) => {
                self.type_names(value.base(), 2);
                for (index, item) in items.iter().enumerate() {
                    self.look(item, &alloc::format!("{path}[{index}]"), next, layers);
                }
            }
            Data::Leaf(_) | Data::Unknown(_) | Data::Foreign(_) => {}
        }
    }

    /// Collects the available names in a type's values.
    fn type_names(&mut self, ty: &'a Type, layers: usize) {
        let Some(layers) = layers.checked_sub(1) else { return };
        let list = match &self.types.base(ty).shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => &fields.list,
            Shape::Choice { alternatives, .. } => alternatives,
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                if let Some(item) = self.types.get(item) {
                    self.type_names(item, layers);
                }
                return;
            }
            _ => return,
        };
        self.known |= list.iter().any(|field| *field.name == *self.name);
        self.available.extend(list.iter().map(|field| field.name.to_string()));
    }
}
