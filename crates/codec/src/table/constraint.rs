//! Constraints on values besides their types (X.680 §50 and §51, X.682), as data.

use super::{List, SetRef, Text, TypeRef};
use crate::fault::Fault;
use crate::pattern::Pattern;
use crate::reader::Reader;

/// A constraint on the values of a type (X.680 §51, X.682).
///
/// A list of constraints is their intersection, and so are constraints that are applied one after the other. Schemas whose
/// set arithmetic comes to ranges have them effective in `Value`, `Size` and `Alphabet`; the rest is said with `AllOf`,
/// `AnyOf`, `NoneOf` and `Extensible`.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// Value ranges of an INTEGER, effective after set arithmetic.
    Value {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// Set if an extension marker allows values outside.
        extensible: bool,
    },
    /// SIZE, effective after set arithmetic.
    Size {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// Set if an extension marker allows sizes outside.
        extensible: bool,
    },
    /// FROM: the permitted alphabet as ranges of code points.
    Alphabet {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// Set if an extension marker allows characters outside.
        extensible: bool,
    },
    /// Value ranges (X.680 §51.4) with ends that [`Range`] does not hold: of REALs, and of INTEGERs beyond 128 bits.
    ///
    /// REALs are compared exactly, whatever their bases. Only an end of the other base with more than 4096 bits or digits, or
    /// an exponent beyond 4096, is not compared with numbers within a factor of twenty of it; nothing is refused then.
    Between {
        /// The ranges.
        ranges: List<Interval>,
        /// Set if an extension marker allows values outside.
        extensible: bool,
    },
    /// Single values (X.680 §51.2) other than INTEGERs, in DER: each a whole encoding of the type without the tags that its
    /// component puts on it.
    Values(List<List<u8>>),
    /// PATTERN (X.680 §51.9).
    Pattern(Pattern),
    /// SETTINGS (X.680 §51.10): properties of a time type, as written between the quotation marks.
    Settings(Text),
    /// CONTAINING (X.682 §11).
    Containing(TypeRef),
    /// ENCODED BY (X.682 §11): the object identifier's content octets.
    EncodedBy(List<u8>),
    /// WITH COMPONENTS (X.680 §51.8).
    WithComponents {
        /// The named components and their presence; the rest is free if `partial`.
        components: List<ComponentConstraint>,
        /// Set if the list begins with `...`.
        partial: bool,
    },
    /// WITH COMPONENT (X.680 §51.8): on every element of a SEQUENCE OF or SET OF.
    WithComponent(List<Constraint>),
    /// A type in place of values (X.680 §51.3, INCLUDES): what its values obey.
    Includes(TypeRef),
    /// All of these (INTERSECTION, `^`): for use inside the others.
    AllOf(List<Constraint>),
    /// At least one of these (UNION, `|`).
    AnyOf(List<Constraint>),
    /// None of these: `A EXCEPT B` is all of A and none of B, `ALL EXCEPT B` is none of B.
    NoneOf(List<Constraint>),
    /// A constraint with an extension marker (X.680 §50.6): `root, ..., additions`. Values outside of both are those of later
    /// versions, so that nothing is refused.
    Extensible {
        /// Constraints before the marker.
        root: List<Constraint>,
        /// Constraints behind it.
        additions: List<Constraint>,
    },
    /// A table constraint without a selector, on a value (X.682 §10.5): the value is the key of one of the set's objects.
    /// That of an open type is its shape, [`Shape::Open`](super::Shape::Open).
    Table(SetRef),
    /// A component relation constraint on a value (X.682 §10.7): the object that the selector selects refers to a type, and the
    /// value obeys that type's constraints. `selector` is as in [`Shape::Open`](super::Shape::Open).
    ///
    /// Dynamic values are held to it. Generated code is not: it judges a component by itself, before or without what is around it.
    /// So schemas that have it are for tables at run time; nothing writes it into generated code.
    Relation {
        /// The set.
        set: SetRef,
        /// The path to what selects.
        selector: Text,
    },
    /// CONSTRAINED BY (X.682 §9): what is between the braces. [`Options::user_checks`](crate::Options::user_checks) gives
    /// it a meaning; without one it is not checked, and [`Dynamic::unchecked`](crate::value::Dynamic::unchecked) says so.
    User(Text),
    /// CONSTRAINED BY, as code: what the Rust type of that name checks besides, which the rest of the table does not say.
    /// Constraints hold in the order of their list; the derive puts this where its decoder checks it.
    Check(Check),
}

#[cfg(feature = "alloc")]
impl Constraint {
    /// Type that CONTAINING names among constraints.
    pub(crate) fn containing(constraints: &[Self]) -> Option<TypeRef> {
        constraints.iter().find_map(|constraint| match constraint {
            Self::Containing(ty) => Some(*ty),
            _ => None,
        })
    }
}

/// A range of values of an ordered type; an absent end is MIN or MAX.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The lower end.
    pub min: Option<Bound>,
    /// The upper end.
    pub max: Option<Bound>,
}

/// An end of an [`Interval`].
#[derive(Clone, Debug)]
pub struct Bound {
    /// The DER content octets of the value: of an INTEGER or a REAL.
    pub content: List<u8>,
    /// Set if the value itself lies outside: written with `<`.
    pub open: bool,
}

/// Looks at a value that was read, by the reader that stands behind it, from the position of its content (of its first octet,
/// if the type has no tag of its own): see [`Constraint::Check`].
pub type Check = for<'a, 'o> fn(&Reader<'a, 'o>, usize) -> Result<(), Fault>;

/// A range of integers, both ends inclusive; an absent end is MIN or MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub min: Option<i128>,
    /// The greatest value.
    pub max: Option<i128>,
}

impl Range {
    /// Returns whether a number lies in the range.
    #[must_use]
    pub const fn contains(&self, number: i128) -> bool {
        let above = match self.min {
            Some(min) => number >= min,
            None => true,
        };
        let below = match self.max {
            Some(max) => number <= max,
            None => true,
        };
        above && below
    }
}

/// One line of WITH COMPONENTS.
#[derive(Clone, Debug)]
pub struct ComponentConstraint {
    /// The component.
    pub name: Text,
    /// PRESENT (true) or ABSENT (false), if said or implied. What is not listed without `...` is ABSENT without being listed.
    pub present: Option<bool>,
    /// Its value constraints.
    pub constraints: List<Constraint>,
}
