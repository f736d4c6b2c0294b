//! Layouts: what encodings without tags depend on besides the tables.
//!
//! A [`Plan`] has one layout for each type of a schema, with the same index. It contains the effective constraints
//! (X.691 §10.3), the order of components and alternatives, and the position of extension additions.

use std::borrow::Cow;
use std::sync::Arc;

use crate::number::{difference, value};
use crate::row::TimeForm;

/// The layouts of a schema's types, by the types' indices in the tables.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The layouts.
    pub layouts: Vec<Layout>,
}

impl Plan {
    /// Returns the layout of the type with an index.
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&Layout> {
        self.layouts.get(index as usize)
    }
}

/// The layout of a type's encodings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// BOOLEAN.
    Boolean,
    /// NULL.
    Null,
    /// INTEGER, with its effective value constraint.
    Integer(Bounds),
    /// INTEGER with bounds beyond 128 bits.
    WideInteger(Arc<Wide>),
    /// ENUMERATED.
    Enumerated(Arc<Enumeration>),
    /// REAL, with its form in OER.
    Real(RealForm),
    /// Content bytes behind a length: object identifiers, and strings whose characters differ in size.
    Octets,
    /// BIT STRING.
    BitString(Sized),
    /// OCTET STRING.
    OctetString(Sized),
    /// A known-multiplier character string.
    Characters(Arc<Characters>),
    /// A useful time type: UTCTime or GeneralizedTime, which are VisibleStrings.
    TimeText(Arc<Characters>),
    /// DATE, TIME-OF-DAY or DATE-TIME.
    Time {
        /// True if there is a date.
        date: bool,
        /// True if there is a time of day.
        time: bool,
    },
    /// TIME.
    TimeForm(TimeForm),
    /// DURATION.
    Duration,
    /// SEQUENCE and SET.
    Structure(Arc<Structure>),
    /// SEQUENCE OF and SET OF: the element's layout, and the effective size constraint.
    List {
        /// The index of the element's layout.
        item: u32,
        /// The effective size constraint.
        size: Bounds,
        /// True for SET OF.
        is_set: bool,
    },
    /// CHOICE.
    Choice(Arc<Choice>),
    /// An open type.
    Open,
    /// The layout of the type with this index: the fixed type of an open type.
    Same(u32),
    /// A type that is not supported, with its name.
    Unsupported(&'static str),
}

impl Layout {
    /// Returns whether values contain other values, apart from those in strings.
    #[must_use]
    pub const fn is_constructed(&self) -> bool {
        matches!(self, Self::Structure(_) | Self::List { .. } | Self::Choice(_) | Self::Open | Self::Same(_))
    }
}

/// The form of a REAL in OER (X.696 §12). In PER, all REALs have content bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RealForm {
    /// Content bytes behind their length.
    #[default]
    Content,
    /// The 4 bytes of IEEE 754 binary32.
    Binary32,
    /// The 8 bytes of IEEE 754 binary64.
    Binary64,
}

/// The bounds of values or sizes. An absent bound is MIN or MAX.
///
/// Those of an extensible union include the gaps in it. The extension bit is set outside of the range of the extension root (X.691
/// §13.1, §13.2.6, §16.6, §17.3, §20.4, §30.4). Only that of an ENUMERATED is set outside of the root itself (§14.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound.
    pub min: Option<i128>,
    /// The upper bound.
    pub max: Option<i128>,
    /// True if an extension marker allows other values.
    pub extensible: bool,
}

impl Bounds {
    /// The positive numbers.
    pub(crate) const POSITIVE: Self = Self { min: Some(1), max: None, extensible: false };

    /// Returns whether a number is within the bounds.
    #[must_use]
    #[inline]
    pub fn contains(&self, number: i128) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// Returns whether a number of any size, given as content bytes, is within the bounds.
    #[must_use]
    pub fn holds(&self, content: &[u8]) -> bool {
        match value(content) {
            Some(number) => self.contains(number),
            // A number beyond 128 bits is outside of all bounds on its side.
            None if content.first().is_some_and(|first| *first >= 0x80) => self.min.is_none(),
            None => self.max.is_none(),
        }
    }

    /// Describes a number and the bounds: `the value is 300; allowed 0..255`.
    #[must_use]
    pub fn describe(&self, what: &str, number: i128) -> String {
        let allowed = match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => min.to_string(),
            (Some(min), Some(max)) => format!("{min}..{max}"),
            (Some(min), None) => format!("{min} or more"),
            (None, Some(max)) => format!("{max} or less"),
            (None, None) => "any".to_owned(),
        };
        format!("the {what} is {number}; allowed {allowed}")
    }

    /// Returns whether the bounds, without extensions, allow one number only.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        matches!((self.min, self.max), (Some(min), Some(max)) if min == max)
    }
}

/// The bounds of an INTEGER of any size, as content bytes. An absent bound is MIN or MAX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// The lower bound.
    pub min: Option<Vec<u8>>,
    /// The upper bound.
    pub max: Option<Vec<u8>>,
    /// True if an extension marker allows other values.
    pub extensible: bool,
}

impl Wide {
    /// Returns whether a number, given as content bytes, is within the bounds.
    #[must_use]
    pub fn contains(&self, number: &[u8]) -> bool {
        let is_negative = |octets: Vec<u8>| octets.first().is_some_and(|first| *first >= 0x80);
        self.min.as_ref().is_none_or(|min| !is_negative(difference(number, min)))
            && self.max.as_ref().is_none_or(|max| !is_negative(difference(max, number)))
    }
}

/// The layout of a BIT STRING or OCTET STRING.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sized {
    /// The effective size constraint.
    pub size: Bounds,
    /// The contained type.
    pub contents: Option<Contents>,
    /// True for a BIT STRING with named bits, whose trailing zero bits are not significant.
    pub named: bool,
}

/// The type that a string contains (X.682 §11).
#[derive(Clone, Copy, Debug)]
pub struct Contents {
    /// The index of the type and of its layout.
    pub ty: u32,
    /// True if ENCODED BY specifies DER. Otherwise, the rules are those of the outer encoding.
    pub is_der: bool,
}

/// The items of an ENUMERATED.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// The numbers of the root items, ascending.
    pub root: Vec<i64>,
    /// The numbers of the additional items, in order.
    pub additions: Vec<i64>,
    /// True if there is an extension marker.
    pub extensible: bool,
}

/// The layout of a known-multiplier character string (X.691 §30.5).
#[derive(Clone, Debug)]
pub struct Characters {
    /// The effective size constraint.
    pub size: Bounds,
    /// The effective permitted alphabet: ranges of code points, ascending and disjoint.
    pub alphabet: Cow<'static, [(u32, u32)]>,
    /// The size of a character in content bytes: 1, 2 or 4.
    pub width: u8,
}

impl Characters {
    /// The number of characters in the alphabet.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.alphabet.iter().map(|(first, last)| u64::from(last.saturating_sub(*first)) + 1).sum()
    }

    /// The position of a character in the alphabet.
    #[must_use]
    pub fn position(&self, point: u32) -> Option<u64> {
        let mut before = 0;
        for (first, last) in self.alphabet.iter() {
            if (*first..=*last).contains(&point) {
                return Some(before + u64::from(point - first));
            }
            before += u64::from(last.saturating_sub(*first)) + 1;
        }
        None
    }

    /// The character at a position in the alphabet.
    #[must_use]
    pub fn at(&self, position: u64) -> Option<u32> {
        let mut rest = position;
        for (first, last) in self.alphabet.iter() {
            let count = u64::from(last.saturating_sub(*first)) + 1;
            if rest < count {
                return first.checked_add(u32::try_from(rest).ok()?);
            }
            rest -= count;
        }
        None
    }

    /// The alphabet as text: `0..9 or A..F`. Characters that are not visible have their code points.
    pub(crate) fn alphabet_text(&self) -> String {
        const SHOWN: usize = 4;
        let character = |point: u32| match char::from_u32(point) {
            Some(character @ '!'..='~') => character.to_string(),
            _ => format!("U+{point:04X}"),
        };
        let range = |(first, last): &(u32, u32)| match first == last {
            true => character(*first),
            false => format!("{}..{}", character(*first), character(*last)),
        };
        let mut ranges: Vec<String> = self.alphabet.iter().take(SHOWN).map(range).collect();
        if self.alphabet.len() > SHOWN {
            ranges.push("others".to_owned());
        }
        ranges.join(" or ")
    }

    /// The greatest code point in the alphabet.
    #[must_use]
    pub fn greatest(&self) -> u32 {
        self.alphabet.last().map_or(0, |(_, last)| *last)
    }
}

/// The layout of a SEQUENCE or SET.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// The layout of each component, in schema order.
    pub fields: Vec<u32>,
    /// The indices of the root components, in the order of their encodings.
    pub root: Vec<u32>,
    /// The extension additions, in order.
    pub additions: Vec<Addition>,
    /// True if there is an extension marker.
    pub extensible: bool,
}

/// An extension addition of a SEQUENCE or SET.
#[derive(Clone, Debug)]
pub enum Addition {
    /// A component.
    One(u32),
    /// An extension addition group.
    Group(Vec<u32>),
}

/// A tag, without its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The class: 0 for UNIVERSAL, 1 for APPLICATION, 2 for context-specific, 3 for PRIVATE.
    pub class: u8,
    /// The number.
    pub number: u32,
}

/// The layout of a CHOICE.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The layout of each alternative, in schema order.
    pub fields: Vec<u32>,
    /// The possible first tags of each alternative: several for an untagged CHOICE, none for an open type.
    pub tags: Vec<Vec<Tag>>,
    /// The indices of the alternatives that are untagged CHOICEs.
    pub untagged: Vec<u32>,
    /// The indices of the root alternatives, in canonical tag order (X.680 §8.6).
    pub root: Vec<u32>,
    /// The indices of the additional alternatives, in order.
    pub additions: Vec<u32>,
    /// True if there is an extension marker.
    pub extensible: bool,
}

impl Choice {
    /// Returns whether an alternative is an untagged CHOICE.
    #[must_use]
    pub fn is_untagged(&self, index: usize) -> bool {
        self.untagged.iter().any(|untagged| *untagged as usize == index)
    }
}
