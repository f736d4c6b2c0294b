//! Value constraints as data (X.680 §50, §51, X.682).

use super::{List, SetRef, Text, TypeRef};
use crate::fault::Fault;
use crate::pattern::Pattern;
use crate::reader::Reader;

/// A value constraint (X.680 §51, X.682).
///
/// Several constraints in a list, like serial constraints, mean their intersection. Set arithmetic that results in ranges
/// is already evaluated in `Value`, `Size` and `Alphabet`. Other set arithmetic uses `AllOf`, `AnyOf`, `NoneOf` and
/// `Extensible`.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// Value ranges of an INTEGER, after set arithmetic.
    Value {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// True if an extension marker allows other values.
        extensible: bool,
    },
    /// A SIZE constraint, after set arithmetic.
    Size {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// True if an extension marker allows other sizes.
        extensible: bool,
    },
    /// FROM: the permitted alphabet as ranges of code points.
    Alphabet {
        /// The ranges, ascending and disjoint.
        ranges: List<Range>,
        /// True if an extension marker allows other characters.
        extensible: bool,
    },
    /// Value ranges (X.680 §51.4) with bounds that [`Range`] cannot represent: REALs, and INTEGERs beyond 128 bits.
    ///
    /// REALs are compared exactly, in any base. The exception is a bound in the other base with more than 4096 bits or
    /// digits, or an exponent beyond 4096. Numbers within a factor of twenty of such a bound are accepted.
    Between {
        /// The ranges, any of which may contain the value.
        ranges: List<Interval>,
        /// True if an extension marker allows other values.
        extensible: bool,
    },
    /// Permitted values other than INTEGERs (X.680 §51.2), in DER. Each is a complete encoding with the type's own tag, but
    /// without the component's tags.
    Values(List<List<u8>>),
    /// PATTERN (X.680 §51.9).
    Pattern(Pattern),
    /// SETTINGS (X.680 §51.10): properties of a time type, as written in quotation marks.
    Settings(Text),
    /// CONTAINING (X.682 §11).
    Containing(TypeRef),
    /// ENCODED BY (X.682 §11), with the object identifier's content bytes.
    EncodedBy(List<u8>),
    /// WITH COMPONENTS (X.680 §51.8).
    WithComponents {
        /// The listed components. Others are unconstrained if `partial`.
        components: List<ComponentConstraint>,
        /// True if the list begins with `...`.
        partial: bool,
    },
    /// WITH COMPONENT (X.680 §51.8), applied to every element of a SEQUENCE OF or SET OF.
    WithComponent(List<Constraint>),
    /// A contained subtype (X.680 §51.3, INCLUDES): the constraints of another type.
    Includes(TypeRef),
    /// All of these (INTERSECTION, `^`), for use inside other constraints.
    AllOf(List<Constraint>),
    /// At least one of these (UNION, `|`).
    AnyOf(List<Constraint>),
    /// None of these. `A EXCEPT B` is all of A and none of B; `ALL EXCEPT B` is none of B.
    NoneOf(List<Constraint>),
    /// A constraint with an extension marker (X.680 §50.6): `root, ..., additions`. Values outside both may come from
    /// later versions, so all values are accepted.
    Extensible {
        /// The constraints before the marker.
        root: List<Constraint>,
        /// The constraints after the marker.
        additions: List<Constraint>,
    },
    /// A table constraint without a selector (X.682 §10.5): the value must be the key of an object in the set. For open
    /// types, see [`Shape::Open`](super::Shape::Open).
    Table(SetRef),
    /// A component relation constraint on a value (X.682 §10.7): the value must satisfy the constraints of the type in
    /// the selected object. `selector` is as in [`Shape::Open`](super::Shape::Open).
    ///
    /// Only dynamic values are checked. Generated code checks each component separately, without its context, so this
    /// constraint is never emitted there.
    Relation {
        /// The object set that contains the selected object.
        set: SetRef,
        /// The path to the selector.
        selector: Text,
    },
    /// CONSTRAINED BY (X.682 §9), with the text between the braces.
    /// [`Options::user_checks`](crate::Options::user_checks) can define its meaning. Otherwise it is not checked, and
    /// [`Dynamic::unchecked`](crate::value::Dynamic::unchecked) reports it.
    User(Text),
    /// A check implemented in code, for constraints that the rest of the table cannot express. Constraints are checked in
    /// list order. The derive places this entry where its decoder runs the check.
    Check(Check),
}

#[cfg(feature = "alloc")]
impl Constraint {
    /// Returns the type that CONTAINING specifies in a list of constraints.
    pub(crate) fn containing(constraints: &[Self]) -> Option<TypeRef> {
        constraints.iter().find_map(|constraint| match constraint {
            Self::Containing(ty) => Some(*ty),
            _ => None,
        })
    }
}

/// A range of values of an ordered type. An absent bound is MIN or MAX.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The lower bound.
    pub min: Option<Bound>,
    /// The upper bound.
    pub max: Option<Bound>,
}

/// A bound of an [`Interval`].
#[derive(Clone, Debug)]
pub struct Bound {
    /// The DER content bytes of an INTEGER or REAL.
    pub content: List<u8>,
    /// True if the bound is exclusive, written with `<`.
    pub open: bool,
}

/// A function that checks a value that was just decoded. The arguments are the reader after the value, and the position of the
/// value's content. If the type has no tag of its own, the position is that of the value's first byte. See
/// [`Constraint::Check`].
pub type Check = for<'a, 'o> fn(&Reader<'a, 'o>, usize) -> Result<(), Fault>;

/// An inclusive range of integers. An absent bound is MIN or MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The minimum.
    pub min: Option<i128>,
    /// The maximum.
    pub max: Option<i128>,
}

impl Range {
    /// Returns whether the range contains a number.
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

/// One component in WITH COMPONENTS.
#[derive(Clone, Debug)]
pub struct ComponentConstraint {
    /// The component's name.
    pub name: Text,
    /// PRESENT (true) or ABSENT (false), if stated or implied. Without `...`, unlisted components are ABSENT.
    pub present: Option<bool>,
    /// The constraints on the component's value.
    pub constraints: List<Constraint>,
}
