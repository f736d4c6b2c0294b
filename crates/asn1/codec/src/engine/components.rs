//! Matches elements to components, by tag and by preceding components.

use alloc::vec;
use alloc::vec::Vec;

use crate::engine::contained::contained_in;
use crate::engine::lenient::{Element, Lenient};
use crate::engine::secrets::reaches_secret;
#[cfg(feature = "stream")]
use crate::kind::FaultKind;
use crate::options::Registered;
use crate::table::{Field, Fields, ObjectSet, Presence, Schema, Shape, Tagging, Type, TypeRef};
use crate::tag::Tag;

/// The tables that define the referenced types.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tables<'s> {
    /// The schema that indices refer to.
    pub(crate) schema: Option<&'s Schema>,
    /// The caller's additions to object sets.
    pub(crate) registered: &'s [Registered],
}

/// The maximum number of CHOICEs nested directly within each other. Compiled schemas have only a few.
const CHOICES: usize = 16;

impl<'s> Tables<'s> {
    /// Returns the type that a key selects.
    pub(crate) fn find(self, set: &'s ObjectSet, key: &[u8]) -> Option<&'s Type> {
        let object = set.find(key).map(|object| object.ty);
        let registered = || self.registered.iter().find(|entry| *set.name == *entry.set && entry.oid.as_bytes() == key);
        object.or_else(|| registered().map(|entry| entry.ty))?.get(self.schema)
    }

    /// Returns whether a component can have this outermost tag.
    pub(crate) fn starts(self, field: &'s Field, tag: Tag) -> bool {
        self.fits(Expect::outermost(field, self), tag, CHOICES)
    }

    /// Returns whether an element with this tag can be the expected one.
    #[cfg(feature = "ber")]
    pub(crate) fn expects(self, expect: Expect<'s>, tag: Tag) -> bool {
        self.fits(expect, tag, CHOICES)
    }

    /// Returns whether the expected element is an extensible CHOICE.
    pub(crate) fn takes_later_alternatives(self, expect: Expect<'s>) -> bool {
        self.choice(expect) == Some(true)
    }

    /// Returns whether the expected CHOICE is extensible, or `None` for another type.
    pub(crate) fn choice(self, expect: Expect<'s>) -> Option<bool> {
        let mut ty = expect.ty.filter(|_| expect.tags.is_empty());
        for _ in 0..CHOICES {
            match ty.map(|known| &known.shape) {
                Some(Shape::Named(inner)) => ty = inner.get(self.schema),
                Some(Shape::Choice { extensible, .. }) => return Some(*extensible),
                _ => return None,
            }
        }
        None
    }

    // Recursion follows CHOICEs in the schema, not the input.
    fn fits(self, expect: Expect<'s>, tag: Tag, choices: usize) -> bool {
        if let Some(outermost) = expect.tags.first() {
            return outermost.tag.same(tag);
        }
        let mut ty = expect.ty;
        for _ in 0..CHOICES {
            // What is not known may be anything.
            let Some(known) = ty else { return true };
            match &known.shape {
                Shape::Named(inner) => ty = inner.get(self.schema),
                Shape::Tagged { tagging, .. } => return tagging.tag.same(tag),
                Shape::Open { .. } => return true,
                Shape::Choice { alternatives, .. } => {
                    let fits = |field| self.fits(Expect::outermost(field, self), tag, choices - 1);
                    return choices > 0 && alternatives.iter().any(fits);
                }
                _ => return known.tag.is_none_or(|own| own.same(tag)),
            }
        }
        false
    }
}

/// An expected element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expect<'s> {
    /// The type's additional tags, outermost first.
    pub(crate) tags: &'s [Tagging],
    /// The type, if the reference can be resolved.
    pub(crate) ty: Option<&'s Type>,
    /// The type that an OCTET STRING or BIT STRING contains.
    pub(crate) containing: Option<TypeRef>,
}

impl<'s> Expect<'s> {
    /// Returns the outermost tag, if there is one.
    #[cfg(feature = "ber")]
    pub(crate) fn tag(&self) -> Option<Tag> {
        self.tags.first().map(|tagging| tagging.tag).or(self.ty.and_then(|ty| ty.tag))
    }

    pub(crate) const fn of(ty: &'s Type) -> Self {
        Self { tags: &[], ty: Some(ty), containing: None }
    }

    fn item(item: TypeRef, tables: Tables<'s>) -> Self {
        Self { tags: &[], ty: item.get(tables.schema), containing: None }
    }

    fn reaches_secret(self, tables: Tables<'s>) -> bool {
        let contained = self.containing.and_then(|inner| inner.get(tables.schema));
        self.ty.into_iter().chain(contained).any(|ty| reaches_secret(ty, tables.schema))
    }

    pub(crate) fn component(field: &'s Field, tables: Tables<'s>) -> Self {
        Self { containing: contained_in(field), ..Self::outermost(field, tables) }
    }

    /// Returns an expectation that suffices to match a component's outermost tag.
    fn outermost(field: &'s Field, tables: Tables<'s>) -> Self {
        Self { tags: &field.tagging, ty: field.ty.get(tables.schema), containing: None }
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment<'s> {
    Component(&'s str),
    Alternative(&'s str),
    Item(usize),
}

/// The component that matches an element.
#[derive(Debug)]
pub(crate) struct Met<'s> {
    /// The component's step in the path, if any.
    pub(crate) segment: Option<Segment<'s>>,
    /// The matching component.
    pub(crate) field: Option<&'s Field>,
    pub(crate) expect: Expect<'s>,
    /// True if the tag is correct.
    pub(crate) fits: bool,
}

/// The position inside a constructed value: the expected elements, and those found so far.
#[derive(Debug)]
pub(crate) enum Inside<'s> {
    /// The components of a SEQUENCE or SET.
    Components { fields: &'s Fields, set: bool, next: usize, seen: Seen },
    /// The items of a SEQUENCE OF or SET OF.
    Items { item: TypeRef, count: usize },
    /// A single element: under an EXPLICIT tag, contained in a string, or the outermost.
    One { expect: Expect<'s>, met: bool },
}

impl<'s> Inside<'s> {
    pub(crate) fn components(fields: &'s Fields, set: bool) -> Self {
        Self::Components { fields, set, next: 0, seen: Seen::none_of(fields.list.len()) }
    }

    pub(crate) const fn items(item: TypeRef) -> Self {
        Self::Items { item, count: 0 }
    }

    pub(crate) const fn one(expect: Expect<'s>) -> Self {
        Self::One { expect, met: false }
    }

    /// Returns a copy in its initial state.
    pub(crate) fn afresh(&self) -> Self {
        match self {
            Self::Components { fields, set, .. } => Self::components(fields, *set),
            Self::Items { item, .. } => Self::items(*item),
            Self::One { expect, .. } => Self::one(*expect),
        }
    }

    /// Returns whether elements at this position have names.
    pub(crate) const fn is_named(&self) -> bool {
        matches!(self, Self::Components { .. })
    }

    /// Returns whether there is a component with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::Components { fields, .. } => fields.list.iter().any(|field| *field.name == *name),
            _ => false,
        }
    }

    /// Returns whether a component marked `secret` may occur here. If `entered` is true, the last element is ignored.
    pub(crate) fn may_hold_secrets(&self, entered: bool, tables: Tables<'s>) -> bool {
        match self {
            Self::One { expect, .. } => !entered && expect.reaches_secret(tables),
            Self::Items { item, .. } => Expect::item(*item, tables).reaches_secret(tables),
            Self::Components { fields, next, .. } => fields.list.iter().enumerate().any(|(index, field)| {
                let entered = entered && index + 1 == *next;
                !entered && (field.secret || Expect::component(field, tables).reaches_secret(tables))
            }),
        }
    }

    /// Steps over the next element, which has this tag, without identifying it.
    pub(crate) fn pass(&mut self, tag: Option<Tag>, tables: Tables<'s>) {
        match self {
            Self::Items { count, .. } => *count += 1,
            Self::One { met, .. } => *met = true,
            Self::Components { fields, set, next, seen } => _ = component_of(fields, *set, next, seen, tag, tables),
        }
    }

    /// Identifies the next element by its tag. Returns `None` if no more elements are expected, or if it is an unknown
    /// addition.
    pub(crate) fn meet(&mut self, tag: Option<Tag>, tables: Tables<'s>) -> Option<Met<'s>> {
        match self {
            Self::One { expect, met } => {
                if *met {
                    return None;
                }
                *met = true;
                let fits = tag.is_some_and(|tag| tables.fits(*expect, tag, CHOICES));
                Some(Met { segment: None, field: None, expect: *expect, fits })
            }
            Self::Items { item, count } => {
                let index = *count;
                *count += 1;
                let expect = Expect::item(*item, tables);
                let fits = tag.is_some_and(|tag| tables.fits(expect, tag, CHOICES));
                Some(Met { segment: Some(Segment::Item(index)), field: None, expect, fits })
            }
            Self::Components { fields, set, next, seen } => {
                let (index, fits) = component_of(fields, *set, next, seen, tag, tables)?;
                let field = fields.list.get(index)?;
                let segment = Some(Segment::Component(&field.name));
                Some(Met { segment, field: Some(field), expect: Expect::component(field, tables), fits })
            }
        }
    }

    /// Returns whether this is a SET with a component that this tag identifies and that was encountered before.
    #[cfg(feature = "stream")]
    pub(crate) fn repeats(&self, tag: Tag, tables: Tables<'s>) -> bool {
        match self {
            Self::Components { fields, set: true, seen, .. } => {
                fields.list.iter().position(|field| tables.starts(field, tag)).is_some_and(|index| seen.has(index))
            }
            _ => false,
        }
    }

    /// Returns the error in an element that [`meet`](Self::meet) did not expect, or `None` for an unknown addition (X.680 §7.1).
    #[cfg(feature = "stream")]
    pub(crate) fn surplus(&self, tag: Tag, tables: Tables<'s>) -> Option<FaultKind> {
        let Self::Components { fields, set, next, .. } = self else { return Some(FaultKind::TrailingData) };
        let Some(marker) = fields.marker else { return Some(FaultKind::TrailingData) };
        let (start, end) = (marker.start as usize, marker.end as usize);
        let fields: &'s Fields = fields;
        let known = fields.list.get(start..end).unwrap_or_default();
        match *set {
            true => None,
            false if known.iter().any(|field| tables.starts(field, tag)) => Some(FaultKind::UnexpectedTag),
            // Components after the second marker precede it.
            false => (*next > end).then_some(FaultKind::TrailingData),
        }
    }

    /// Returns the component that is missing if the value ends here, or `Some(None)` for an element without a name.
    /// Returns `None` if the value is complete.
    pub(crate) fn lacking(&self) -> Option<Option<&'s Field>> {
        match self {
            Self::One { met, .. } => (!*met).then_some(None),
            Self::Items { .. } => None,
            Self::Components { fields, seen, .. } => {
                let list: &'s [Field] = &fields.list;
                let lacking = |index: &usize| !seen.has(*index) && required(fields, seen, *index);
                (0..list.len()).find(lacking).map(|index| list.get(index))
            }
        }
    }
}

/// Identifies the component expected at the next element of a SEQUENCE or SET, and returns whether the element matches it.
/// Returns `None` if no more elements are expected, or if the element is an unknown addition.
fn component_of<'s>(
    fields: &'s Fields,
    set: bool,
    next: &mut usize,
    seen: &mut Seen,
    tag: Option<Tag>,
    tables: Tables<'s>,
) -> Option<(usize, bool)> {
    let list: &'s [Field] = &fields.list;
    let first = if set { 0 } else { *next };
    let fitting = |field: &'s Field| tag.is_some_and(|tag| tables.starts(field, tag));
    // Mostly it is the component whose turn it is, and nothing else need be asked.
    if !set && list.get(first).is_some_and(fitting) {
        seen.mark(first);
        *next = first + 1;
        return Some((first, true));
    }
    let found = list.iter().skip(first).position(fitting).map(|ahead| first + ahead);
    let lacking = (first..list.len()).find(|index| required(fields, seen, *index));
    let passed = match (found, lacking) {
        // In a SET any component may come; in a SEQUENCE none may be passed over that is required.
        (Some(found), lacking) if set || lacking.is_none_or(|lacking| found <= lacking) => {
            seen.mark(found);
            *next = found + 1;
            return Some((found, true));
        }
        (_, Some(lacking)) if !set && !is_addition(fields, *next, lacking) => lacking,
        _ => return None,
    };
    // The element stands where `passed` should be. If it is a later component, that one is missing. A CHOICE that is extensible takes
    // it as an alternative of a later version.
    let later = list.get(passed).is_some_and(|field| tables.takes_later_alternatives(Expect::outermost(field, tables)));
    let resumed = found.filter(|_| !later).unwrap_or(passed);
    seen.mark(resumed);
    *next = resumed + 1;
    Some((passed, false))
}

/// The set of components encountered: one bit for each of the first 64, and a list of the others.
#[derive(Debug)]
pub(crate) struct Seen {
    first: u64,
    others: Vec<bool>,
}

impl Seen {
    pub(crate) fn none_of(count: usize) -> Self {
        // Nearly no SEQUENCE has others, and nothing is allocated for it then.
        Self { first: 0, others: vec![false; count.saturating_sub(64)] }
    }

    pub(crate) fn has(&self, index: usize) -> bool {
        match index.checked_sub(64) {
            None => self.first >> index & 1 == 1,
            Some(other) => self.others.get(other).copied().unwrap_or(true),
        }
    }

    pub(crate) fn mark(&mut self, index: usize) {
        match index.checked_sub(64) {
            None => self.first |= 1 << index,
            Some(other) => {
                if let Some(slot) = self.others.get_mut(other) {
                    *slot = true;
                }
            }
        }
    }
}

/// Returns whether a component must be present. An extension addition may be absent, because the sender may use an earlier
/// version. The members of an addition group must be present together (X.680 §25.7).
fn required(fields: &Fields, seen: &Seen, index: usize) -> bool {
    let Some(field) = fields.list.get(index) else { return false };
    if !matches!(field.presence, Presence::Required) {
        return false;
    }
    let added = fields.marker.is_some_and(|marker| (marker.start as usize..marker.end as usize).contains(&index));
    match field.group {
        Some(group) => {
            fields.list.iter().enumerate().any(|(index, other)| other.group == Some(group) && seen.has(index))
        }
        None => !added,
    }
}

/// Returns whether an unknown element before component `lacking` is in a position where unknown additions are allowed.
fn is_addition(fields: &Fields, next: usize, lacking: usize) -> bool {
    fields.marker.is_some_and(|marker| next <= marker.end as usize && lacking >= marker.end as usize)
}

/// Finds the component with the given name between `start` and `end`.
pub(crate) fn component<'s>(
    lenient: &mut Lenient<'_>,
    tables: Tables<'s>,
    inside: &mut Inside<'s>,
    start: usize,
    end: usize,
    name: &str,
) -> Option<(Expect<'s>, Element)> {
    let mut pos = start;
    loop {
        // The end of a value of indefinite length.
        if lenient.octets(pos, end).starts_with(&[0, 0]) {
            return None;
        }
        let element = lenient.element(pos, end, end)?;
        pos = element.end;
        match inside.meet(element.tag, tables) {
            Some(Met { segment: None, expect, fits: true, .. }) => return Some((expect, element)),
            Some(Met { segment: Some(Segment::Component(found)), expect, fits: true, .. }) if found == name => {
                return Some((expect, element));
            }
            _ => {}
        }
    }
}
