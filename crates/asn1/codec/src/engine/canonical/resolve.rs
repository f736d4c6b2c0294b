//! Resolves elements using the tables: which bytes are significant, and the type of the content.

use alloc::vec::Vec;

use crate::engine::canonical::leaf::Leaf;
use crate::engine::canonical::tape::Order;
use crate::engine::components::{Expect, Inside, Tables};
use crate::engine::selector::Selector;
use crate::table::{Constraint, Field, SetRef, Shape, Type, TypeRef, Typed};
use crate::tag::{Class, Tag};
use crate::types::{CharacterString, EmbeddedPdv, External};

/// The maximum number of nested types without an element between them.
const LAYERS: usize = 64;

/// The plan for converting an element to its canonical encoding.
#[derive(Debug)]
pub(crate) enum Plan<'s> {
    /// An element that is primitive in DER, with the kind of its content if it is a string.
    Leaf(Leaf, Contents<'s>),
    /// An element that contains others. They are sorted in the given order, if any.
    Inside(Inside<'s>, Option<Order>),
    /// An element that is copied unchanged.
    Verbatim,
    /// An element that no schema describes.
    Unknown,
}

/// The kind of content in a string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contents<'s> {
    /// Plain bytes.
    Plain,
    /// The encoding of a value (X.682 §11).
    Of(&'s Type),
    /// An open type whose selected type is unknown.
    Unknown,
}

/// Keys of open types: the content of the components encountered so far, by name.
#[derive(Debug, Default)]
pub(crate) struct Keys<'s> {
    entries: Vec<OpenSelector<'s>>,
}

#[derive(Debug)]
struct OpenSelector<'s> {
    /// The number of SEQUENCEs and SETs that enclose the component.
    level: usize,
    name: &'s str,
    content: Option<Content>,
}

/// The location of content.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Input { start: u32, len: u32 },
    Made { at: u32, len: u32 },
}

impl<'s> Keys<'s> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Discards all but the first `len` entries.
    pub(crate) fn forget_after(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// Adds an entry for a component.
    pub(crate) fn meet(&mut self, level: usize, name: &'s str) {
        self.entries.push(OpenSelector { level, name, content: None });
    }

    /// Sets the primitive content of the last component, which may be under EXPLICIT tags.
    pub(crate) fn fill(&mut self, content: Content) {
        if let Some(entry) = self.entries.last_mut() {
            entry.content.get_or_insert(content);
        }
    }

    /// Returns whether the component `name` of the value at `level`, whose entries start at `start`, was encountered.
    pub(crate) fn has(&self, start: usize, level: usize, name: &str) -> bool {
        let entries = self.entries.get(start..).unwrap_or_default();
        entries.iter().any(|entry| entry.level == level && entry.name == name)
    }

    /// Inserts entries for a component that comes later in the input. They are placed before the entries of its enclosing
    /// value, which begin at `start`. Returns the number of entries added.
    pub(crate) fn foresee(
        &mut self,
        start: usize,
        level: usize,
        names: impl Iterator<Item = &'s str>,
        content: Option<Content>,
    ) -> usize {
        let mut path: Vec<OpenSelector<'s>> =
            (level..).zip(names).map(|(level, name)| OpenSelector { level, name, content: None }).collect();
        let count = path.len();
        match path.last_mut() {
            Some(last) => last.content = content,
            None => return 0,
        }
        let start = start.min(self.entries.len());
        self.entries.splice(start..start, path);
        count
    }

    /// Finds the content of a component by its path from the value at `level`, whose entries start at `start`.
    pub(crate) fn find(&self, start: usize, mut level: usize, selector: Selector<'_>) -> Option<Content> {
        let mut names = selector.names();
        let mut name = names.next()?;
        let mut entries = self.entries.get(start..)?.iter();
        loop {
            let entry = entries.find(|entry| entry.level <= level)?;
            if entry.level < level {
                return None;
            }
            if entry.name == name {
                match names.next() {
                    Some(next) => name = next,
                    None => return entry.content,
                }
                level += 1;
            }
        }
    }
}

/// Plans the conversion of an element with this tag, given the expected type. `select` returns the type that a selector
/// selects. Also returns whether an open type was involved.
pub(crate) fn resolve<'s>(
    tables: Tables<'s>,
    mut expect: Expect<'s>,
    tag: Tag,
    mut select: impl FnMut(&'s SetRef, &'s str) -> Option<&'s Type>,
) -> (Plan<'s>, bool) {
    let mut opened = false;
    for _ in 0..LAYERS {
        if let Some((tagging, rest)) = expect.tags.split_first() {
            expect.tags = rest;
            if tagging.explicit {
                return (Plan::Inside(Inside::one(expect), None), opened);
            }
            // An IMPLICIT tag stands in the place of the next one.
            continue;
        }
        let Some(ty) = expect.ty else { return (Plan::Unknown, opened) };
        if ty.verbatim {
            return (Plan::Verbatim, opened);
        }
        expect.containing = expect.containing.or_else(|| Constraint::containing(&ty.constraints));
        if encoded_by(&ty.constraints) {
            expect.containing = None;
        }
        let (inside, order) = match &ty.shape {
            Shape::Named(inner) => {
                expect.ty = inner.get(tables.schema);
                continue;
            }
            Shape::Tagged { tagging, inner } => {
                expect.ty = inner.get(tables.schema);
                if tagging.explicit {
                    return (Plan::Inside(Inside::one(expect), None), opened);
                }
                continue;
            }
            Shape::Choice { alternatives, .. } => {
                let Some(alternative) = alternatives.iter().find(|field| tables.starts(field, tag)) else {
                    return (Plan::Unknown, opened);
                };
                expect = component(alternative, tables);
                continue;
            }
            Shape::Open { set, selector } => {
                opened = true;
                let selected = set.as_ref().and_then(|set| select(set, selector));
                match selected.map(Expect::of).filter(|selected| tables.expects(*selected, tag)) {
                    Some(selected) => expect = selected,
                    None => return (Plan::Unknown, opened),
                }
                continue;
            }
            Shape::Sequence(fields) | Shape::Presentation(fields) => (Inside::components(fields, false), None),
            Shape::Set(fields) => (Inside::components(fields, true), Some(Order::Tags)),
            Shape::SequenceOf(item) => (Inside::items(*item), None),
            Shape::SetOf(item) => (Inside::items(*item), Some(Order::Encodings)),
            shape => {
                let Some(leaf) = Leaf::of_shape(shape) else { return (Plan::Unknown, opened) };
                let contained = if matches!(shape, Shape::OctetString | Shape::BitString(_)) {
                    contents(tables, expect.containing, &mut select, &mut opened)
                } else {
                    Contents::Plain
                };
                return (Plan::Leaf(leaf, contained), opened);
            }
        };
        return (Plan::Inside(inside, order), opened);
    }
    (Plan::Unknown, opened)
}

/// Returns the element expected for a component. The contained type is ignored if the component specifies its encoding
/// (ENCODED BY).
pub(crate) fn component<'s>(field: &'s Field, tables: Tables<'s>) -> Expect<'s> {
    let mut expect = Expect::component(field, tables);
    if encoded_by(&field.constraints) {
        expect.containing = None;
    } else {
        expect.containing = expect.containing.or_else(|| Constraint::containing(&field.constraints));
    }
    expect
}

fn contents<'s>(
    tables: Tables<'s>,
    containing: Option<TypeRef>,
    select: &mut impl FnMut(&'s SetRef, &'s str) -> Option<&'s Type>,
    opened: &mut bool,
) -> Contents<'s> {
    let Some(containing) = containing else { return Contents::Plain };
    let Some(mut ty) = containing.get(tables.schema) else { return Contents::Unknown };
    if let Shape::Open { set, selector } = &ty.shape {
        *opened = true;
        // What nothing selects need not be an encoding.
        let Some(selected) = set.as_ref().and_then(|set| select(set, selector)) else { return Contents::Unknown };
        ty = selected;
    }
    Contents::Of(ty)
}

fn encoded_by(constraints: &[Constraint]) -> bool {
    constraints.iter().any(|constraint| matches!(constraint, Constraint::EncodedBy(_)))
}

/// Returns the tag by which CER sorts a SET component: its own, or the smallest one of an untagged CHOICE (X.690 §9.3).
pub(crate) fn least_tag(tables: Tables<'_>, field: &Field) -> Option<Tag> {
    let mut least: Option<Tag> = None;
    let mut open = Vec::from([component(field, tables)]);
    // Schemas that compile have a handful of CHOICEs in each other.
    for _ in 0..LAYERS * LAYERS {
        let Some(mut expect) = open.pop() else { break };
        let tag = loop {
            if let Some(outermost) = expect.tags.first() {
                break Some(outermost.tag);
            }
            let Some(ty) = expect.ty else { break None };
            match &ty.shape {
                Shape::Tagged { tagging, .. } => break Some(tagging.tag),
                Shape::Named(inner) => expect.ty = inner.get(tables.schema),
                Shape::Choice { alternatives, .. } => {
                    open.extend(alternatives.iter().map(|alternative| component(alternative, tables)));
                    break None;
                }
                _ => break ty.tag,
            }
        };
        let rank = |tag: Tag| (tag.class(), tag.number());
        least = least.into_iter().chain(tag).min_by_key(|tag| rank(*tag));
    }
    least
}

/// Plans the conversion of an element with a universal tag, without a schema.
pub(crate) fn universal(tag: Tag) -> Option<Plan<'static>> {
    if tag.class() != Class::Universal {
        return None;
    }
    let presentation = |ty: &'static Type| match &ty.shape {
        Shape::Presentation(fields) => Some(Plan::Inside(Inside::components(fields, false), None)),
        _ => None,
    };
    Some(match tag.number() {
        8 => return presentation(External::ty()),
        11 => return presentation(EmbeddedPdv::ty()),
        29 => return presentation(CharacterString::ty()),
        1..=7 | 9 | 10 | 12..=14 | 18..=28 | 30..=36 => Plan::Leaf(Leaf::of(tag.number()), Contents::Plain),
        _ => return None,
    })
}
