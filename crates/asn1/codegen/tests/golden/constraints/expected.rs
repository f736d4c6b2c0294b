//! ASN.1 module `Constraints`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{
    General, Ia5, Int, IsoTime, NamedBits, OctetStr, Oid, Open, Printable, Real, SeqOf, Unknown,
    Utf8, Visible,
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
#[asn1(convert)]
pub struct Code<'a>(
    /// The wrapped value.
    pub Ia5<'a>,
);

/// ```asn1
/// Answer ::= PrintableString ("yes" | "no")
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x13\x03yes", b"\x13\x02no")), convert)]
pub struct Answer<'a>(
    /// The wrapped value.
    pub Printable<'a>,
);

/// ```asn1
/// Date ::= VisibleString (PATTERN "\d#4-\d#2-\d#2")
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(pattern = "\\d#4-\\d#2-\\d#2", convert)]
pub struct Date<'a>(
    /// The wrapped value.
    pub Visible<'a>,
);

/// ```asn1
/// Word ::= GeneralString (PATTERN "[a-z]+")
/// ```
///
/// `input.asn1`, line 7.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(pattern = "[a-z]+"), convert)]
pub struct Word<'a>(
    /// The wrapped value.
    pub General<'a>,
);

/// ```asn1
/// Half ::= REAL (-0.5<..1.5)
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(between(open b"\x03-5.E-1", b"\x0315.E-1")), convert)]
pub struct Half<'a>(
    /// The wrapped value.
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
#[asn1(convert)]
pub struct Huge<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// Day ::= TIME (SETTINGS "Basic=Date Date=YMD")
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(settings = "Basic=Date Date=YMD"), convert)]
pub struct Day<'a>(
    /// The wrapped value.
    pub IsoTime<'a>,
);

/// ```asn1
/// Key ::= OBJECT IDENTIFIER ({ 1 2 3 } | { 1 2 4 })
/// ```
///
/// `input.asn1`, line 11.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x06\x02*\x03", b"\x06\x02*\x04")), convert)]
pub struct Key<'a>(
    /// The wrapped value.
    pub Oid<'a>,
);

/// ```asn1
/// Yes ::= BOOLEAN (TRUE)
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constraints(values(b"\x01\x01\xFF")), convert)]
pub struct Yes(
    /// The wrapped value.
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
#[asn1(constraints(values(b"\x0A\x01\x00")), convert)]
pub struct Warm(
    /// The wrapped value.
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
#[asn1(constraints(size(1..=2)), convert)]
pub struct Few<'a>(
    /// The wrapped value.
    pub Flags<'a>,
);

/// ```asn1
/// Level ::= INTEGER { low(0), high(9) } (0..9)
/// ```
///
/// `input.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0..=9), named_numbers(low = 0, high = 9), convert)]
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
#[asn1(defaults)]
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
#[asn1(convert)]
pub struct Narrow<'a>(
    /// The wrapped value.
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
#[asn1(size(1..=3), convert)]
pub struct Names<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// Short ::= Names (WITH COMPONENT (SIZE (1..5)))
/// ```
///
/// `input.asn1`, line 28.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=3), constraints(with_component(size(1..=5))), convert)]
pub struct Short<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Utf8<'a>>,
);

/// ```asn1
/// Uses ::= [PRIVATE 99] SEQUENCE {
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
#[asn1(private = 99, constructor)]
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

/// More than a line has room for.
///
/// ```asn1
/// Listed ::= INTEGER (
///   1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37
///   | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73
///   | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89)
/// ```
///
/// `input.asn1`, line 42.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(
    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49,
    51, 53, 55, 57, 59, 61, 63, 65, 67, 69, 71, 73, 75, 77, 79, 81, 83, 85, 87, 89
))]
#[asn1(convert)]
pub struct Listed(
    /// The wrapped value.
    pub u8,
);

/// ```asn1
/// All KINDS ::= {
///   { &code 1, &Body BOOLEAN } |
///   { &code 2, &Body BOOLEAN } |
///   { &code 3, &Body BOOLEAN } |
///   { &code 4, &Body BOOLEAN } |
///   { &code 5, &Body BOOLEAN } |
///   { &code 6, &Body BOOLEAN } |
///   { &code 7, &Body BOOLEAN } |
///   { &code 8, &Body BOOLEAN } |
///   { &code 9, &Body BOOLEAN } |
///   { &code 10, &Body BOOLEAN } |
///   { &code 11, &Body BOOLEAN } |
///   { &code 12, &Body BOOLEAN } |
///   { &code 13, &Body BOOLEAN } |
///   { &code 14, &Body BOOLEAN } |
///   { &code 15, &Body BOOLEAN } |
///   { &code 16, &Body BOOLEAN } |
///   { &code 17, &Body BOOLEAN } |
///   { &code 18, &Body BOOLEAN } |
///   { &code 19, &Body BOOLEAN } |
///   { &code 20, &Body BOOLEAN } |
///   { &code 21, &Body BOOLEAN } |
///   { &code 22, &Body BOOLEAN } |
///   { &code 23, &Body BOOLEAN } |
///   { &code 24, &Body BOOLEAN } |
///   { &code 25, &Body BOOLEAN } |
///   { &code 26, &Body BOOLEAN } |
///   { &code 27, &Body BOOLEAN } |
///   { &code 28, &Body BOOLEAN } |
///   { &code 29, &Body BOOLEAN } |
///   { &code 30, &Body BOOLEAN } |
///   { &code 31, &Body BOOLEAN } |
///   { &code 32, &Body BOOLEAN } |
///   { &code 33, &Body BOOLEAN } }
/// ```
///
/// The types that `All` selects: `input.asn1`, line 49.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
pub enum All<'a> {
    /// `object`.
    #[asn1(number = 1)]
    Object(bool),
    /// `object`.
    #[asn1(number = 2, name = "object")]
    Object2(bool),
    /// `object`.
    #[asn1(number = 3, name = "object")]
    Object3(bool),
    /// `object`.
    #[asn1(number = 4, name = "object")]
    Object4(bool),
    /// `object`.
    #[asn1(number = 5, name = "object")]
    Object5(bool),
    /// `object`.
    #[asn1(number = 6, name = "object")]
    Object6(bool),
    /// `object`.
    #[asn1(number = 7, name = "object")]
    Object7(bool),
    /// `object`.
    #[asn1(number = 8, name = "object")]
    Object8(bool),
    /// `object`.
    #[asn1(number = 9, name = "object")]
    Object9(bool),
    /// `object`.
    #[asn1(number = 10, name = "object")]
    Object10(bool),
    /// `object`.
    #[asn1(number = 11, name = "object")]
    Object11(bool),
    /// `object`.
    #[asn1(number = 12, name = "object")]
    Object12(bool),
    /// `object`.
    #[asn1(number = 13, name = "object")]
    Object13(bool),
    /// `object`.
    #[asn1(number = 14, name = "object")]
    Object14(bool),
    /// `object`.
    #[asn1(number = 15, name = "object")]
    Object15(bool),
    /// `object`.
    #[asn1(number = 16, name = "object")]
    Object16(bool),
    /// `object`.
    #[asn1(number = 17, name = "object")]
    Object17(bool),
    /// `object`.
    #[asn1(number = 18, name = "object")]
    Object18(bool),
    /// `object`.
    #[asn1(number = 19, name = "object")]
    Object19(bool),
    /// `object`.
    #[asn1(number = 20, name = "object")]
    Object20(bool),
    /// `object`.
    #[asn1(number = 21, name = "object")]
    Object21(bool),
    /// `object`.
    #[asn1(number = 22, name = "object")]
    Object22(bool),
    /// `object`.
    #[asn1(number = 23, name = "object")]
    Object23(bool),
    /// `object`.
    #[asn1(number = 24, name = "object")]
    Object24(bool),
    /// `object`.
    #[asn1(number = 25, name = "object")]
    Object25(bool),
    /// `object`.
    #[asn1(number = 26, name = "object")]
    Object26(bool),
    /// `object`.
    #[asn1(number = 27, name = "object")]
    Object27(bool),
    /// `object`.
    #[asn1(number = 28, name = "object")]
    Object28(bool),
    /// `object`.
    #[asn1(number = 29, name = "object")]
    Object29(bool),
    /// `object`.
    #[asn1(number = 30, name = "object")]
    Object30(bool),
    /// `object`.
    #[asn1(number = 31, name = "object")]
    Object31(bool),
    /// `object`.
    #[asn1(number = 32, name = "object")]
    Object32(bool),
    /// `object`.
    #[asn1(number = 33, name = "object")]
    Object33(bool),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// Kind ::= SEQUENCE {
///   code KINDS.&code ({All}),
///   body KINDS.&Body ({All}{@code}) }
/// ```
///
/// `input.asn1`, line 84.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Kind<'a> {
    /// `code KINDS.&code ({All})`.
    #[asn1(constraints(value(
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33
    )))]
    pub code: Int<'a>,
    /// `body KINDS.&Body ({All}{@code})`.
    #[asn1(defined_by = code)]
    pub body: Open<'a, All<'a>>,
}

/// ```asn1
/// NamedThree ::= [PRIVATE 98] SEQUENCE {
///   one-of-three [0] OBJECT IDENTIFIER ({ 2 5 19 1 } | { 2 5 19 2 } | { 2 5 19 3 }) }
/// ```
///
/// `input.asn1`, line 88.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(private = 98)]
pub struct NamedThree<'a> {
    /// `one-of-three [0] OBJECT IDENTIFIER ({ 2 5 19 1 } | { 2 5 19 2 } | { 2 5 19 3 })`.
    #[asn1(implicit = 0)]
    #[asn1(constraints(values(
        b"\x06\x03U\x13\x01",
        b"\x06\x03U\x13\x02",
        b"\x06\x03U\x13\x03"
    )))]
    #[asn1(name = "one-of-three")]
    pub one_of_three: Oid<'a>,
}
