//! Normalized constraints, after set arithmetic.

use crate::int::Int;
use crate::model::{Arc, Real, SetId, TypeId, Value};
use crate::source::Span;

/// Constraints on a type's values. All parts that are present apply, and absent parts impose no restriction.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// The allowed values of an INTEGER, or numbers of an ENUMERATED.
    pub value: Option<Bounds>,
    /// The allowed numbers of bits, bytes, characters or elements.
    pub size: Option<Bounds>,
    /// The permitted alphabet of a string.
    pub alphabet: Option<Alphabet>,
    /// The allowed values, for types other than INTEGER: strings, object identifiers, REALs …
    pub values: Option<Vec<Value>>,
    /// True if `values` is extensible.
    pub values_extensible: bool,
    /// Patterns, all of which must match (X.680 §51.9).
    pub patterns: Vec<Pattern>,
    /// The content of an OCTET STRING or BIT STRING (X.682 §11).
    pub contents: Option<Contents>,
    /// Constraints on the components of a SEQUENCE, SET or CHOICE, all of which apply (X.680 §51.8).
    pub components: Vec<Components>,
    /// Constraints on the elements of a SEQUENCE OF or SET OF (X.680 §51.8).
    pub item: Option<Box<Inner>>,
    /// User-defined constraints (X.682 §9).
    pub user: Vec<UserDefined>,
    /// The object set that supplies this type's values, with its selectors (X.682 §10).
    pub table: Option<Table>,
    /// The settings of a time type (X.680 §51.10), as written.
    pub settings: Vec<String>,
    /// Conditions that the other parts cannot express: unions of different kinds, such as `(SIZE (1) | FROM ("a"))`,
    /// exceptions from them, and REAL ranges. All apply.
    pub further: Vec<Condition>,
    /// True if an extension marker follows `patterns`, `components`, `item`, `settings` and `further`. Violations are
    /// then not errors.
    pub extensible: bool,
    /// True if the parts are less restrictive than the constraint's source text, because they cannot express a condition:
    /// time ranges, or set arithmetic above the size limit.
    pub inexact: bool,
    /// The source text of the constraints, including outermost parentheses.
    pub spans: Vec<Span>,
}

impl Constraints {
    /// Returns whether there are no constraints.
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
    /// Returns whether one of the parts has an extension marker.
    pub(crate) fn has_marker(&self) -> bool {
        let of = |bounds: &Option<Bounds>| bounds.as_ref().is_some_and(|bounds| bounds.extensible);
        self.extensible
            || self.values_extensible
            || of(&self.value)
            || of(&self.size)
            || self.alphabet.as_ref().is_some_and(|alphabet| alphabet.extensible)
    }
}

/// A condition that set arithmetic (X.680 §50) cannot reduce to one part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// A union: at least one of these applies.
    Any(Vec<Constraints>),
    /// An exception: this must not apply.
    Not(Box<Constraints>),
    /// A REAL range (X.680 §51.4). An absent bound is MIN or MAX.
    Between {
        /// The lower bound.
        min: Option<End>,
        /// The upper bound.
        max: Option<End>,
    },
}

/// A bound of a REAL range.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The value of the bound.
    pub value: Real,
    /// True if the bound is exclusive, written with `<`.
    pub open: bool,
}

/// The constraints that PER encodings depend on (X.691 §10.3), after set arithmetic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visible {
    /// The values of an INTEGER. [`Bounds::additions`] is empty.
    pub value: Option<Bounds>,
    /// The effective size constraint. [`Bounds::additions`] is empty.
    pub size: Option<Bounds>,
    /// The effective permitted alphabet of a known-multiplier string; `None` for all characters of the type.
    pub alphabet: Option<Vec<CharRange>>,
}

/// Ranges of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The ranges of the root: ascending, disjoint and not adjacent. Empty if nothing is allowed.
    pub ranges: Vec<IntRange>,
    /// True if there is an extension marker. Values outside the ranges are then not errors.
    pub extensible: bool,
    /// The combined ranges of root and additions. Empty if there are no additions.
    pub additions: Vec<IntRange>,
}

impl Bounds {
    /// Returns the minimum of the root; `None` if unbounded.
    #[must_use]
    pub fn min(&self) -> Option<&Int> {
        self.ranges.first().and_then(|range| range.min.as_ref())
    }

    /// Returns the maximum of the root; `None` if unbounded.
    #[must_use]
    pub fn max(&self) -> Option<&Int> {
        self.ranges.last().and_then(|range| range.max.as_ref())
    }

    /// Returns whether the root contains a number.
    #[must_use]
    pub fn contains(&self, number: &Int) -> bool {
        // They ascend.
        let behind = self.ranges.partition_point(|range| range.max.as_ref().is_some_and(|max| max < number));
        self.ranges.get(behind).is_some_and(|range| range.contains(number))
    }
}

/// An inclusive range. An absent bound means unbounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// The minimum.
    pub min: Option<Int>,
    /// The maximum.
    pub max: Option<Int>,
}

impl IntRange {
    /// Returns whether the range contains a number.
    #[must_use]
    pub fn contains(&self, number: &Int) -> bool {
        self.min.as_ref().is_none_or(|min| min <= number) && self.max.as_ref().is_none_or(|max| number <= max)
    }
}

/// The permitted alphabet of a string (X.680 §51.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// Ranges of code points, ascending, disjoint and not adjacent.
    pub ranges: Vec<CharRange>,
    /// True if there is an extension marker.
    pub extensible: bool,
}

/// An inclusive range of ISO/IEC 10646 code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharRange {
    /// The first code point.
    pub first: u32,
    /// The last code point.
    pub last: u32,
}

/// A regular expression (X.680 Annex A).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The expression's text, with unexpanded references.
    pub text: String,
    /// The expression's position in the source.
    pub span: Span,
}

/// A CONTAINING or ENCODED BY constraint, or both (X.682 §11).
#[derive(Clone, Debug)]
pub struct Contents {
    /// The contained type, if CONTAINING specifies one.
    pub ty: Option<TypeId>,
    /// The object identifier of the encoding rules, if ENCODED BY specifies one.
    pub encoded_by: Option<Vec<Arc>>,
}

/// A WITH COMPONENTS constraint (X.680 §51.8).
#[derive(Clone, Debug)]
pub struct Components {
    /// True if the list begins with `...`. Unlisted components are then unconstrained. Otherwise, they are absent if
    /// possible.
    pub partial: bool,
    /// The listed components.
    pub list: Vec<Component>,
}

/// One component in WITH COMPONENTS.
#[derive(Clone, Debug)]
pub struct Component {
    /// The component's name.
    pub name: String,
    /// PRESENT is `Some(true)`, ABSENT is `Some(false)`; `None` allows both.
    pub present: Option<bool>,
    /// The constraints on the component's values.
    pub inner: Inner,
}

/// A constraint on the values of a component or element.
#[derive(Clone, Debug, Default)]
pub struct Inner {
    /// The constraints on the inner values.
    pub constraints: Constraints,
}

/// A CONSTRAINED BY constraint (X.682 §9).
#[derive(Clone, Debug)]
pub struct UserDefined {
    /// The text between the braces, including comments.
    pub text: String,
    /// The constraint's position in the source.
    pub span: Span,
}

/// A table constraint (X.682 §10).
#[derive(Clone, Debug)]
pub struct Table {
    /// The object set to which the constraint refers.
    pub set: SetId,
    /// The selectors of the object: empty for a simple table constraint.
    pub selectors: Vec<Selector>,
}

/// A selector: `@a.b` or `@.a`.
#[derive(Clone, Debug)]
pub struct Selector {
    /// The number of dots after `@`, which determines where the path begins (X.682 §10.8). Without dots, it begins in the
    /// outermost enclosing SEQUENCE, SET or CHOICE in the text. One dot denotes the innermost one, which contains the
    /// constrained component, two dots the next outer one, and so on.
    pub level: u32,
    /// The component names of the path.
    pub path: Vec<String>,
    /// The number of enclosing SEQUENCE, SET or CHOICE types that the path ascends from the constrained component. 0 if the
    /// path begins in the enclosing type.
    pub up: u32,
    /// The class fields that the selecting component contains, each with its `&`.
    pub field: Vec<String>,
    /// The selector's position in the source.
    pub span: Span,
}
