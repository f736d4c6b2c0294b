//! ASN.1 module `Constraints`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{
    General, Ia5, Int, IsoTime, NamedBits, OctetStr, Oid, Printable, Real, SeqOf, Utf8, Visible,
};
use tagwise_derive::Asn1;

/// Set arithmetic that no range or alphabet says.
///
/// ```asn1
/// Code ::= IA5String (SIZE (1) | FROM ("a".."c")) (ALL EXCEPT "abc")
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(any_of(size(1), from('a'..='c')), none_of(values(b"\x16\x03abc"))))]
pub struct Code<'a>(
    /// What it holds.
    pub Ia5<'a>,
);

/// ```asn1
/// Answer ::= PrintableString ("yes" | "no")
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x13\x03yes", b"\x13\x02no")))]
pub struct Answer<'a>(
    /// What it holds.
    pub Printable<'a>,
);

/// ```asn1
/// Date ::= VisibleString (PATTERN "\d#4-\d#2-\d#2")
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(pattern = "\\d#4-\\d#2-\\d#2")]
pub struct Date<'a>(
    /// What it holds.
    pub Visible<'a>,
);

/// ```asn1
/// Word ::= GeneralString (PATTERN "[a-z]+")
/// ```
///
/// `input.asn1`, line 7.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(pattern = "[a-z]+"))]
pub struct Word<'a>(
    /// What it holds.
    pub General<'a>,
);

/// ```asn1
/// Half ::= REAL (-0.5<..1.5)
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(between(open b"\x03-5.E-1", b"\x0315.E-1")))]
pub struct Half<'a>(
    /// What it holds.
    pub Real<'a>,
);

/// ```asn1
/// Huge ::= INTEGER (0..340282366920938463463374607431768211456)
/// ```
///
/// `input.asn1`, line 9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(between(
    b"\x00",
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)))]
pub struct Huge<'a>(
    /// What it holds.
    pub Int<'a>,
);

/// ```asn1
/// Day ::= TIME (SETTINGS "Basic=Date Date=YMD")
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(settings = "Basic=Date Date=YMD"))]
pub struct Day<'a>(
    /// What it holds.
    pub IsoTime<'a>,
);

/// ```asn1
/// Key ::= OBJECT IDENTIFIER ({ 1 2 3 } | { 1 2 4 })
/// ```
///
/// `input.asn1`, line 11.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x06\x02*\x03", b"\x06\x02*\x04")))]
pub struct Key<'a>(
    /// What it holds.
    pub Oid<'a>,
);

/// ```asn1
/// Yes ::= BOOLEAN (TRUE)
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x01\x01\xFF")))]
pub struct Yes(
    /// What it holds.
    pub bool,
);

/// ```asn1
/// Colour ::= ENUMERATED { red, green, blue }
/// ```
///
/// `input.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum Colour {
    /// `red` (0).
    Red = 0,
    /// `green` (1).
    Green = 1,
    /// `blue` (2).
    Blue = 2,
}

/// ```asn1
/// Warm ::= Colour (red)
/// ```
///
/// `input.asn1`, line 15.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x0A\x01\x00")))]
pub struct Warm(
    /// What it holds.
    pub Colour,
);

/// ```asn1
/// Flags ::= BIT STRING { on(0), off(3) }
/// ```
///
/// `input.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_bits(on = 0, off = 3))]
pub struct Flags<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// Few ::= Flags (SIZE (1..2))
/// ```
///
/// `input.asn1`, line 17.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(size(1..=2)))]
pub struct Few<'a>(
    /// What it holds.
    pub Flags<'a>,
);

/// ```asn1
/// Level ::= INTEGER { low(0), high(9) } (0..9)
/// ```
///
/// `input.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0..=9), named_numbers(low = 0, high = 9))]
pub struct Level(
    /// The number.
    pub u8,
);

impl Level {
    /// `low` (0).
    pub const LOW: Self = Self(0);

    /// `high` (9).
    pub const HIGH: Self = Self(9);
}

/// ```asn1
/// Point ::= SEQUENCE {
///   x INTEGER OPTIONAL,
///   y [0] INTEGER (0..99) DEFAULT 7,
///   name [1] UTF8String OPTIONAL }
///   (WITH COMPONENTS { ..., x PRESENT } | WITH COMPONENTS { ..., name PRESENT })
/// ```
///
/// `input.asn1`, line 20.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(any_of(
    with_components(..., "x" = present),
    with_components(..., "name" = present)
)))]
pub struct Point<'a> {
    /// `x INTEGER OPTIONAL`.
    pub x: Option<Int<'a>>,
    /// `y [0] INTEGER (0..99) DEFAULT 7`.
    #[asn1(implicit = 0, value(0..=99), default = 7)]
    pub y: u8,
    /// `name [1] UTF8String OPTIONAL`.
    #[asn1(implicit = 1)]
    pub name: Option<Utf8<'a>>,
}

/// ```asn1
/// Narrow ::= Point (WITH COMPONENTS { x (0..9), y (1 | 3), name (SIZE (1..4)) OPTIONAL })
/// ```
///
/// `input.asn1`, line 25.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(with_components(
    "x"(present, value(0..=9)),
    "y"(present, value(1, 3)),
    "name"(size(1..=4))
))]
pub struct Narrow<'a>(
    /// What it holds.
    pub Point<'a>,
);

/// ```asn1
/// Either ::= CHOICE { a INTEGER, b BOOLEAN } (WITH COMPONENTS { a (0..3) })
/// ```
///
/// `input.asn1`, line 26.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(with_components("a"(value(0..=3))))]
pub enum Either<'a> {
    /// `a INTEGER`.
    A(Int<'a>),
    /// `b BOOLEAN`.
    B(bool),
}

/// ```asn1
/// Names ::= SEQUENCE (SIZE (1..3)) OF UTF8String
/// ```
///
/// `input.asn1`, line 27.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=3))]
pub struct Names<'a>(
    /// What it holds.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// Short ::= Names (WITH COMPONENT (SIZE (1..5)))
/// ```
///
/// `input.asn1`, line 28.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=3), constraints(with_component(size(1..=5))))]
pub struct Short<'a>(
    /// What it holds.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// Uses ::= [UNIVERSAL 99] SEQUENCE {
///   warm    Colour (red | green),
///   point   [0] Point (WITH COMPONENTS { ..., y (7) }),
///   long    [1] IA5String ("a rather long text" | "another rather long text" | "and one more text") OPTIONAL,
///   boxed   [2] OCTET STRING (SIZE (3..5)) (CONTAINING INTEGER) OPTIONAL,
///   ber     [3] OCTET STRING (CONTAINING Names ENCODED BY { joint-iso-itu-t asn1(1) basic-encoding(1) }) OPTIONAL,
///   told    [4] OCTET STRING (CONSTRAINED BY { -- a picture of the "moon" -- }) OPTIONAL,
///   later   [5] IA5String (PATTERN "x", ...) OPTIONAL,
///   few     [6] Few OPTIONAL,
///   days    [7] SEQUENCE OF Day OPTIONAL }
/// ```
///
/// `input.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(universal = 99)]
pub struct Uses<'a> {
    /// `warm Colour (red | green)`.
    #[asn1(constraints(values(b"\x0A\x01\x00", b"\x0A\x01\x01")))]
    pub warm: Colour,
    /// `point [0] Point (WITH COMPONENTS { ..., y (7) })`.
    #[asn1(implicit = 0, with_components(..., "y"(value(7))))]
    pub point: Point<'a>,
    /// `long [1] IA5String ("a rather long text" | "another rather long text" | "and one more text") OPTIONAL`.
    #[asn1(implicit = 1)]
    #[asn1(constraints(values(
        b"\x16\x12a rather long text",
        b"\x16\x18another rather long text",
        b"\x16\x11and one more text"
    )))]
    pub long: Option<Ia5<'a>>,
    /// `boxed [2] OCTET STRING (SIZE (3..5)) (CONTAINING INTEGER) OPTIONAL`.
    #[asn1(implicit = 2, size(3..=5), containing)]
    pub boxed: Option<Int<'a>>,
    /// `ber [3] OCTET STRING (CONTAINING Names ENCODED BY { joint-iso-itu-t asn1(1) basic-encoding(1) }) OPTIONAL`.
    #[asn1(implicit = 3, contents = Names<'a>, encoded_by = "2.1.1")]
    pub ber: Option<OctetStr<'a>>,
    /// `told [4] OCTET STRING (CONSTRAINED BY { }) OPTIONAL`.
    #[asn1(implicit = 4, constrained_by = "-- a picture of the \"moon\" --")]
    pub told: Option<OctetStr<'a>>,
    /// `later [5] IA5String (PATTERN "x", ...) OPTIONAL`.
    #[asn1(implicit = 5)]
    pub later: Option<Ia5<'a>>,
    /// `few [6] Few OPTIONAL`.
    #[asn1(implicit = 6)]
    pub few: Option<Few<'a>>,
    /// `days [7] SEQUENCE OF Day OPTIONAL`.
    #[asn1(implicit = 7)]
    pub days: Option<SeqOf<'a, Day<'a>>>,
}
