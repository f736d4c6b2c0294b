//! Constraints of the model, normalised: what is left of set arithmetic is what values obey.

use crate::int::Int;
use crate::model::{Arc, Real, SetId, TypeId, Value};
use crate::source::Span;

/// Constraints on values. Each part that is there holds; a part that is absent restricts nothing.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// The values of an INTEGER, or the numbers of an ENUMERATED.
    pub value: Option<Bounds>,
    /// The number of bits, octets, characters or elements.
    pub size: Option<Bounds>,
    /// The characters of a string.
    pub alphabet: Option<Alphabet>,
    /// The only values there are, where they are no INTEGERs: strings, object identifiers, REALs …
    pub values: Option<Vec<Value>>,
    /// Set if `values` may grow.
    pub values_extensible: bool,
    /// Patterns: all hold (X.680 §51.9).
    pub patterns: Vec<Pattern>,
    /// Content of an OCTET STRING or BIT STRING (X.682 §11).
    pub contents: Option<Contents>,
    /// Constraints on the components of a SEQUENCE, SET or CHOICE: all hold (X.680 §51.8).
    pub components: Vec<Components>,
    /// Constraints on the elements of a SEQUENCE OF or SET OF (X.680 §51.8).
    pub item: Option<Box<Inner>>,
    /// Conditions in words (X.682 §9).
    pub user: Vec<UserDefined>,
    /// The object set that this type's values come from, and the components that select (X.682 §10).
    pub table: Option<Table>,
    /// The settings of a time type (X.680 §51.10), as written.
    pub settings: Vec<String>,
    /// Conditions that the parts above cannot express: unions of unlike things, as `(SIZE (1) | FROM ("a"))`,
    /// exceptions from them, ranges of REALs. All hold.
    pub further: Vec<Condition>,
    /// Set if there is an extension marker behind `patterns`, `components`, `item`, `settings` and `further`: values
    /// that do not obey them are no error then.
    pub extensible: bool,
    /// Set if the text has a condition that no part expresses, so that they allow more than the text does: ranges of
    /// times, sets whose arithmetic is too large. The text is exact.
    pub inexact: bool,
    /// The texts of the constraints, as written, outermost parentheses included.
    pub spans: Vec<Span>,
}

impl Constraints {
    /// Returns whether there is no constraint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
            && self.value.is_none()
            && self.size.is_none()
            && self.alphabet.is_none()
            && self.values.is_none()
            && self.patterns.is_empty()
            && self.contents.is_none()
            && self.components.is_empty()
            && self.item.is_none()
            && self.user.is_empty()
            && self.table.is_none()
            && self.settings.is_empty()
            && self.further.is_empty()
    }
}

impl Constraints {
    /// Returns whether an extension marker stands in one of the parts.
    pub(crate) fn has_marker(&self) -> bool {
        let of = |bounds: &Option<Bounds>| bounds.as_ref().is_some_and(|bounds| bounds.extensible);
        self.extensible
            || self.values_extensible
            || of(&self.value)
            || of(&self.size)
            || self.alphabet.as_ref().is_some_and(|alphabet| alphabet.extensible)
    }
}

/// A condition that set arithmetic (X.680 §50) does not bring to one part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// At least one of these holds: a union.
    Any(Vec<Constraints>),
    /// This does not hold: what stands behind EXCEPT.
    Not(Box<Constraints>),
    /// A REAL between two ends (X.680 §51.4); an absent end is MIN or MAX.
    Between {
        /// The lower end.
        min: Option<End>,
        /// The upper end.
        max: Option<End>,
    },
}

/// An end of a range of REALs.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The value.
    pub value: Real,
    /// Set if the value itself lies outside: written with `<`.
    pub open: bool,
}

/// Ranges of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The ranges of the root, ascending, disjoint and not adjacent; empty if nothing is allowed.
    pub ranges: Vec<IntRange>,
    /// Set if there is an extension marker: values outside are no error.
    pub extensible: bool,
    /// The ranges of the root together with those behind the marker; empty if there are none behind it.
    pub additions: Vec<IntRange>,
}

impl Bounds {
    /// The least value of the root; none if there is no limit.
    #[must_use]
    pub fn min(&self) -> Option<&Int> {
        self.ranges.first().and_then(|range| range.min.as_ref())
    }

    /// The greatest value of the root; none if there is no limit.
    #[must_use]
    pub fn max(&self) -> Option<&Int> {
        self.ranges.last().and_then(|range| range.max.as_ref())
    }

    /// Returns whether a number lies in the root.
    #[must_use]
    pub fn contains(&self, number: &Int) -> bool {
        // They ascend.
        let behind = self.ranges.partition_point(|range| range.max.as_ref().is_some_and(|max| max < number));
        self.ranges.get(behind).is_some_and(|range| range.contains(number))
    }
}

/// A range, both ends inclusive; an absent end is no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// The least value.
    pub min: Option<Int>,
    /// The greatest value.
    pub max: Option<Int>,
}

impl IntRange {
    /// Returns whether a number lies in it.
    #[must_use]
    pub fn contains(&self, number: &Int) -> bool {
        self.min.as_ref().is_none_or(|min| min <= number) && self.max.as_ref().is_none_or(|max| number <= max)
    }
}

/// The characters that a string may have (X.680 §51.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// Ranges of code points, ascending, disjoint and not adjacent.
    pub ranges: Vec<CharRange>,
    /// Set if there is an extension marker.
    pub extensible: bool,
}

/// A range of characters, both ends inclusive, by their codes in ISO/IEC 10646.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharRange {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
}

/// A regular expression (X.680 Annex A).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The expression; references in it are not replaced.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// CONTAINING and ENCODED BY (X.682 §11).
#[derive(Clone, Debug)]
pub struct Contents {
    /// The type whose encoding it holds.
    pub ty: Option<TypeId>,
    /// The object identifier of the encoding rules, if they are not those of the whole.
    pub encoded_by: Option<Vec<Arc>>,
}

/// WITH COMPONENTS (X.680 §51.8).
#[derive(Clone, Debug)]
pub struct Components {
    /// Set if it begins with `...`: components that are not named are free. Otherwise they are absent, if they can be.
    pub partial: bool,
    /// The components that are named.
    pub list: Vec<Component>,
}

/// One component in WITH COMPONENTS.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// PRESENT is `Some(true)`, ABSENT `Some(false)`; none if it may be either.
    pub present: Option<bool>,
    /// Constraints on its values.
    pub inner: Inner,
}

/// A constraint on the values inside a value.
#[derive(Clone, Debug, Default)]
pub struct Inner {
    /// Their constraints.
    pub constraints: Constraints,
}

/// CONSTRAINED BY (X.682 §9).
#[derive(Clone, Debug)]
pub struct UserDefined {
    /// Text between the braces, comments included.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A table constraint (X.682 §10).
#[derive(Clone, Debug)]
pub struct Table {
    /// The object set.
    pub set: SetId,
    /// The components that select a row: empty for a simple table constraint.
    pub selectors: Vec<Selector>,
}

/// A component that selects: `@a.b` or `@.a`.
#[derive(Clone, Debug)]
pub struct Selector {
    /// The dots behind `@`, which say where the path begins (X.682 §10.8): none at the outermost SEQUENCE, SET or CHOICE
    /// that the constraint textually stands in; one at the one that holds the constrained component itself, two at the one
    /// around that, and so on.
    pub level: u32,
    /// The names of components that lead to it.
    pub path: Vec<String>,
    /// Number of levels of SEQUENCE, SET or CHOICE that the path goes up from the constrained component: 0 if it begins
    /// in the type that holds it.
    pub up: u32,
    /// The fields of the class that it holds, each with its `&`.
    pub field: Vec<String>,
    /// Its place.
    pub span: Span,
}
