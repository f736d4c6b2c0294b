//! Types with every constraint that a table can express (X.680 §51, X.682): on components, alternatives and newtypes with
//! all kinds of tags, inside deferred values, in a SET, and in open types whose selector comes later.
#![allow(missing_docs, reason = "the names say it")]

use tagwise_codec::pattern::Pattern;
use tagwise_codec::table::{
    Bound, ComponentConstraint, Constraint, Interval, List, Object, ObjectSet, Range, SetRef, Text, TypeRef,
};
use tagwise_codec::{
    Additions, Any, BitStr, Bmp, Captured, Date, Enumerated, Int, IsoTime, Null, OctetStr, Oid, Open, Options,
    Printable, Raw, Real, SeqOf, SetOf, Unknown, UserCheck, Utf8, Visible,
};
use tagwise_derive::Asn1;

use Constraint::{AllOf, AnyOf, NoneOf};

/// The user-defined checks that [`Figure`] and [`Chosen`] name.
pub const CHECKS: &[UserCheck<'static>] = &[
    UserCheck { text: "an even number of octets", check: even },
    UserCheck { text: "no octet equal to 7", check: no_seven },
];

fn even(octets: &[u8]) -> bool {
    octets.len().is_multiple_of(2)
}

fn no_seven(octets: &[u8]) -> bool {
    !octets.contains(&7)
}

/// Returns options for DER with the checks in `CHECKS`.
#[must_use]
pub fn checking() -> Options<'static> {
    Options::der().user_checks(CHECKS)
}

const fn value(ranges: &'static [Range]) -> Constraint {
    Constraint::Value { ranges: List::Const(ranges), extensible: false }
}

const fn size(ranges: &'static [Range]) -> Constraint {
    Constraint::Size { ranges: List::Const(ranges), extensible: false }
}

const fn from(ranges: &'static [Range]) -> Constraint {
    Constraint::Alphabet { ranges: List::Const(ranges), extensible: false }
}

const fn range(min: i128, max: i128) -> Range {
    Range { min: Some(min), max: Some(max) }
}

const fn line(name: &'static str, present: Option<bool>, constraints: &'static [Constraint]) -> ComponentConstraint {
    ComponentConstraint { name: Text::Const(name), present, constraints: List::Const(constraints) }
}

const fn with(components: &'static [ComponentConstraint], partial: bool) -> Constraint {
    Constraint::WithComponents { components: List::Const(components), partial }
}

/// ```asn1
/// Words ::= SEQUENCE {
///     name  UTF8String (FROM ("a".."z" | "_")),
///     date  [0] VisibleString (PATTERN "\d#4-\d#2") (SIZE (1..20)) OPTIONAL,
///     greek [1] EXPLICIT BMPString (FROM ("α".."ω")) (SIZE (1..3)) OPTIONAL,
///     land  [2] PrintableString (PATTERN "[A-Z]#2") DEFAULT "AT",
///     day   [3] TIME (SETTINGS "Basic=Date Date=YMD") OPTIONAL,
///     year  DATE (SETTINGS "Year=Basic") OPTIONAL,
///     which UTF8String ("one" | "two") OPTIONAL }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Words<'a> {
    #[asn1(from('a'..='z', "_"))]
    pub name: Utf8<'a>,
    #[asn1(implicit = 0, pattern = r"\d#4-\d#2", size(1..=20))]
    pub date: Option<Visible<'a>>,
    #[asn1(explicit = 1, from('α'..='ω'), size(1..=3))]
    pub greek: Option<Bmp<'a>>,
    #[asn1(implicit = 2, pattern = "[A-Z]#2", default = Printable::new("AT").unwrap())]
    pub land: Printable<'a>,
    #[asn1(implicit = 3, constraints = DAY)]
    pub day: Option<IsoTime<'a>>,
    #[asn1(constraints = YEAR)]
    pub year: Option<Date>,
    #[asn1(implicit = 4, constraints = SINGLE)]
    pub which: Option<Utf8<'a>>,
}

const DAY: &[Constraint] = &[Constraint::Settings(Text::Const("Basic=Date Date=YMD"))];
const YEAR: &[Constraint] = &[Constraint::Settings(Text::Const("Year=Basic"))];
const ONE: List<u8> = List::Const(b"\x0C\x03one");
const TWO: List<u8> = List::Const(b"\x0C\x03two");
const ONE_OR_TWO: &[List<u8>] = &[ONE, TWO];
const SINGLE: &[Constraint] = &[Constraint::Values(List::Const(ONE_OR_TWO))];

/// `Point ::= SEQUENCE { issuer UTF8String OPTIONAL, reasons [0] INTEGER (0..255) OPTIONAL, level [1] INTEGER (0..255) DEFAULT 7 }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Point<'a> {
    pub issuer: Option<Utf8<'a>>,
    #[asn1(implicit = 0)]
    pub reasons: Option<u8>,
    #[asn1(implicit = 1, default = 7)]
    pub level: u8,
}

/// `Narrow ::= Point (WITH COMPONENTS {..., issuer (SIZE (1..4)) PRESENT, reasons ABSENT})`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Narrow<'a>(
    #[asn1(with_components(..., issuer(present, size(1..=4), pattern = "a*b?"), reasons = absent))] pub Point<'a>,
);

/// `Tagged ::= [APPLICATION 3] EXPLICIT Point (WITH COMPONENTS {issuer, level (8..9)})`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 3, explicit)]
pub struct Tagged<'a>(#[asn1(with_components(issuer(from('a'..='z')), level(value(8..=9))))] pub Point<'a>);

/// ```asn1
/// Holder ::= SEQUENCE {
///     point   [2] EXPLICIT Point (WITH COMPONENTS {reasons (0..9)}),
///     either  Point (WITH COMPONENTS {..., issuer ABSENT} | WITH COMPONENTS {..., reasons ABSENT}) OPTIONAL,
///     ...,
///     [[ narrow [3] Narrow, tagged Tagged OPTIONAL ]],
///     same    [4] Point (INCLUDES Narrow) OPTIONAL }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
pub struct Holder<'a> {
    #[asn1(explicit = 2, with_components("reasons"(value(0..=9))))]
    pub point: Point<'a>,
    #[asn1(constraints = ONE_OF_TWO)]
    pub either: Option<Point<'a>>,
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    #[asn1(group)]
    pub group: Option<HolderGroup<'a>>,
    #[asn1(implicit = 4, constraints = LIKE_NARROW)]
    pub same: Option<Point<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(group)]
pub struct HolderGroup<'a> {
    #[asn1(implicit = 3)]
    pub narrow: Narrow<'a>,
    pub tagged: Option<Tagged<'a>>,
}

const NO_ISSUER: &[ComponentConstraint] = &[line("issuer", Some(false), &[])];
const NO_REASONS: &[ComponentConstraint] = &[line("reasons", Some(false), &[])];
const EITHER: &[Constraint] = &[with(NO_ISSUER, true), with(NO_REASONS, true)];
const ONE_OF_TWO: &[Constraint] = &[AnyOf(List::Const(EITHER))];
const LIKE_NARROW: &[Constraint] = &[Constraint::Includes(TypeRef::of::<Narrow<'static>>())];

/// ```asn1
/// Figure ::= CHOICE {
///     edge  [0] INTEGER (ALL EXCEPT 0),
///     note  [1] UTF8String (CONSTRAINED BY {an even number of octets}),
///     sum   [2] EXPLICIT INTEGER ((0..9 | 20..29) EXCEPT 5),
///     text  [3] UTF8String (SIZE (1) | FROM ("ab")),
///     later [4] INTEGER (0..1, ..., 2),
///     color ENUMERATED { red(0), green(1), blue(2) } (red | blue),
///     point [5] Narrow,
///     more  [6] EXPLICIT Figure (WITH COMPONENTS {..., point ABSENT}) }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(boxed)]
pub enum Figure<'a> {
    #[asn1(implicit = 0, constraints = NOT_ZERO)]
    Edge(Int<'a>),
    #[asn1(implicit = 1, constrained_by = "an even number of octets")]
    Note(Utf8<'a>),
    #[asn1(explicit = 2, constraints = BUT_FIVE)]
    Sum(Int<'a>),
    #[asn1(implicit = 3, constraints = SHORT_OR_AB)]
    Text(Utf8<'a>),
    #[asn1(implicit = 4, constraints = GROWS)]
    Later(i16),
    #[asn1(constraints = NOT_GREEN)]
    Color(Color),
    #[asn1(implicit = 5)]
    Point(Narrow<'a>),
    #[asn1(explicit = 6, constraints = NO_POINT)]
    More(Box<Figure<'a>>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Color {
    Red = 0,
    Green = 1,
    Blue = 2,
}

const ZERO: &[Range] = &[range(0, 0)];
const FIVE: &[Range] = &[range(5, 5)];
const NOT_ZERO_LIST: &[Constraint] = &[value(ZERO)];
const NOT_ZERO: &[Constraint] = &[NoneOf(List::Const(NOT_ZERO_LIST))];
const DIGIT: &[Range] = &[range(0, 9)];
const TWENTIES: &[Range] = &[range(20, 29)];
const DIGIT_OR_TWENTIES: &[Constraint] = &[value(DIGIT), value(TWENTIES)];
const FIVES: &[Constraint] = &[value(FIVE)];
const BUT_FIVE_LIST: &[Constraint] = &[AnyOf(List::Const(DIGIT_OR_TWENTIES)), NoneOf(List::Const(FIVES))];
const BUT_FIVE: &[Constraint] = &[AllOf(List::Const(BUT_FIVE_LIST))];
const ONE_LONG: &[Range] = &[range(1, 1)];
const AB: &[Range] = &[range(97, 98)];
const SHORT_OR_AB_LIST: &[Constraint] = &[size(ONE_LONG), from(AB)];
const SHORT_OR_AB: &[Constraint] = &[AnyOf(List::Const(SHORT_OR_AB_LIST))];
const ROOT: &[Range] = &[range(0, 1)];
const ADDED: &[Range] = &[range(2, 2)];
const ROOT_LIST: &[Constraint] = &[value(ROOT)];
const ADDED_LIST: &[Constraint] = &[value(ADDED)];
const GROWS: &[Constraint] =
    &[Constraint::Extensible { root: List::Const(ROOT_LIST), additions: List::Const(ADDED_LIST) }];
const RED_OR_BLUE: &[List<u8>] = &[List::Const(&[10, 1, 0]), List::Const(&[10, 1, 2])];
const NOT_GREEN: &[Constraint] = &[Constraint::Values(List::Const(RED_OR_BLUE))];
const POINT_ABSENT: &[ComponentConstraint] = &[line("point", Some(false), &[])];
const NO_POINT: &[Constraint] = &[with(POINT_ABSENT, true)];

/// `Lists ::= SET { some [0] SEQUENCE SIZE (1..3) OF INTEGER (0..9), sets [1] SET (WITH COMPONENT (SIZE (1..2))) OF UTF8String OPTIONAL,
/// points [2] SEQUENCE OF Narrow, bits [3] BIT STRING (SIZE (4..9)) OPTIONAL }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
pub struct Lists<'a> {
    #[asn1(implicit = 0, size(1..=3), constraints = DIGITS)]
    pub some: SeqOf<'a, i64>,
    #[asn1(implicit = 1, constraints = SHORT_ITEMS)]
    pub sets: Option<SetOf<'a, Utf8<'a>>>,
    #[asn1(implicit = 2)]
    pub points: SeqOf<'a, Narrow<'a>>,
    #[asn1(implicit = 3, size(4..=9))]
    pub bits: Option<BitStr<'a>>,
}

const DIGIT_LIST: &[Constraint] = &[value(DIGIT)];
const DIGITS: &[Constraint] = &[Constraint::WithComponent(List::Const(DIGIT_LIST))];
const ONE_OR_TWO_LONG: &[Range] = &[range(1, 2)];
const SHORT_LIST: &[Constraint] = &[size(ONE_OR_TWO_LONG)];
const SHORT_ITEMS: &[Constraint] = &[Constraint::WithComponent(List::Const(SHORT_LIST))];

/// ```asn1
/// Boxes ::= SEQUENCE {
///     ber   OCTET STRING (CONTAINING SEQUENCE OF INTEGER (0..255) ENCODED BY {2 1 1}),
///     cer   [0] BIT STRING (CONTAINING SEQUENCE OF INTEGER (0..255) ENCODED BY {2 1 2 0}) OPTIONAL,
///     der   [1] OCTET STRING (CONTAINING Narrow ENCODED BY {2 1 2 1}) OPTIONAL,
///     per   [2] OCTET STRING (CONTAINING INTEGER (0..255) ENCODED BY {2 1 3 0 0}) OPTIONAL,
///     bits  [3] BIT STRING (CONTAINING Words) OPTIONAL,
///     named [4] EXPLICIT Wrapped OPTIONAL,
///     twice [5] OCTET STRING (CONTAINING Hidden) OPTIONAL }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Boxes<'a> {
    #[asn1(contents = SeqOf<'a, u8>, encoded_by = "2.1.1")]
    pub ber: OctetStr<'a>,
    #[asn1(implicit = 0, contents = SeqOf<'a, u8>, encoded_by = "2.1.2.0")]
    pub cer: Option<BitStr<'a>>,
    #[asn1(implicit = 1, containing, encoded_by = "2.1.2.1")]
    pub der: Option<Narrow<'a>>,
    #[asn1(implicit = 2, contents = u8, encoded_by = "2.1.3.0.0")]
    pub per: Option<OctetStr<'a>>,
    #[asn1(implicit = 3, containing, bit_string)]
    pub bits: Option<Words<'a>>,
    #[asn1(explicit = 4)]
    pub named: Option<Wrapped<'a>>,
    #[asn1(implicit = 5, containing)]
    pub twice: Option<Hidden<'a>>,
}

/// `Wrapped ::= [3] OCTET STRING (CONTAINING INTEGER (0..255) ENCODED BY {2 1 1})`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 3)]
pub struct Wrapped<'a>(#[asn1(contents = u8, encoded_by = "2.1.1")] pub OctetStr<'a>);

/// `Hidden ::= OCTET STRING (CONTAINING UTF8String)`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Hidden<'a>(#[asn1(containing)] pub Utf8<'a>);

/// ```asn1
/// Numbers ::= SEQUENCE {
///     big   INTEGER (0..<2^136),
///     real  REAL (0<..1.5) OPTIONAL,
///     small [0] EXPLICIT Serial DEFAULT 1,
///     cents [1] REAL (MIN..-1 | 1..MAX) OPTIONAL }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Numbers<'a> {
    #[asn1(constraints = BELOW_2_136)]
    pub big: Int<'a>,
    #[asn1(constraints = ABOVE_ZERO)]
    pub real: Option<Real<'a>>,
    #[asn1(explicit = 0, default = Serial(Int::from_signed(&[1])))]
    pub small: Serial<'a>,
    #[asn1(implicit = 1, constraints = BEYOND_ONE)]
    pub cents: Option<Real<'a>>,
}

/// `Serial ::= [5] INTEGER (MIN..<2^136 ^ NOT 0)`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 5)]
pub struct Serial<'a>(#[asn1(constraints = SERIAL)] pub Int<'a>);

const LIMIT: &[u8] = &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

const fn bound(content: &'static [u8], open: bool) -> Option<Bound> {
    Some(Bound { content: List::Const(content), open })
}

const BELOW: &[Interval] = &[Interval { min: bound(&[0], false), max: bound(LIMIT, true) }];
const BELOW_2_136: &[Constraint] = &[Constraint::Between { ranges: List::Const(BELOW), extensible: false }];
const ABOVE: &[Interval] = &[Interval { min: bound(&[], true), max: bound(b"\x0315.E-1", false) }];
const ABOVE_ZERO: &[Constraint] = &[Constraint::Between { ranges: List::Const(ABOVE), extensible: false }];
const BEYOND: &[Interval] = &[
    Interval { min: None, max: bound(&[0xC0, 0, 1], false) },
    Interval { min: bound(&[0x80, 0, 1], false), max: None },
];
const BEYOND_ONE: &[Constraint] = &[Constraint::Between { ranges: List::Const(BEYOND), extensible: false }];
const ANY_BELOW: &[Interval] = &[Interval { min: None, max: bound(LIMIT, true) }];
const SERIAL_LIST: &[Constraint] =
    &[Constraint::Between { ranges: List::Const(ANY_BELOW), extensible: false }, NoneOf(List::Const(NOT_ZERO_LIST))];
const SERIAL: &[Constraint] = &[AllOf(List::Const(SERIAL_LIST))];

/// ```asn1
/// Keyed ::= SEQUENCE {
///     id    KIND.&id ({Kinds}),
///     code  [0] KIND.&code ({Codes}) OPTIONAL,
///     value [1] EXPLICIT KIND.&Type ({Kinds}{@id}),
///     held  OCTET STRING (CONTAINING KIND.&Type ({Kinds}{@id})) OPTIONAL,
///     ...}
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
pub struct Keyed<'a> {
    #[asn1(constraints = IN_KINDS)]
    pub id: Oid<'a>,
    #[asn1(implicit = 0, constraints = IN_CODES)]
    pub code: Option<Int<'a>>,
    #[asn1(explicit = 1, defined_by = id)]
    pub value: Kind<'a>,
    #[asn1(defined_by = id, octet_string)]
    pub held: Option<Open<'a, Kind<'a>>>,
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(open_type, name = "Kinds")]
pub enum Kind<'a> {
    #[asn1(oid = "1.2.3")]
    Narrow(Narrow<'a>),
    #[asn1(oid = "1.2.4")]
    Figure(Figure<'a>),
    #[asn1(oid = "1.2.5")]
    Serial(Serial<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

fn kinds() -> &'static ObjectSet {
    const fn object(key: &'static [u8], ty: TypeRef) -> Object {
        Object { name: Text::Const("kind"), key: List::Const(key), ty }
    }
    const OBJECTS: &[Object] = &[
        object(&[0x2A, 3], TypeRef::of::<Narrow<'static>>()),
        object(&[0x2A, 4], TypeRef::of::<Figure<'static>>()),
        object(&[0x2A, 5], TypeRef::of::<Serial<'static>>()),
    ];
    const KINDS: ObjectSet = ObjectSet { name: Text::Const("Kinds"), objects: List::Const(OBJECTS), extensible: false };
    const { &KINDS }
}

fn codes() -> &'static ObjectSet {
    const fn object(key: &'static [u8]) -> Object {
        Object { name: Text::Const("code"), key: List::Const(key), ty: TypeRef::of::<Null>() }
    }
    const OBJECTS: &[Object] = &[object(&[1]), object(&[2])];
    const CODES: ObjectSet = ObjectSet { name: Text::Const("Codes"), objects: List::Const(OBJECTS), extensible: false };
    const { &CODES }
}

const IN_KINDS: &[Constraint] = &[Constraint::Table(SetRef::Const(kinds))];
const IN_CODES: &[Constraint] = &[Constraint::Table(SetRef::Const(codes))];

/// ```asn1
/// Chosen ::= SET {
///     value  [0] EXPLICIT CHOSEN.&Type ({Choices}{@kind}),
///     kind   [1] INTEGER (1..9),
///     string [2] OCTET STRING (CONTAINING CHOSEN.&Type ({Choices}{@kind})) OPTIONAL,
///     note   NULL OPTIONAL,
///     words  [APPLICATION 1] UTF8String (CONSTRAINED BY {no octet equal to 7}) OPTIONAL }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(set)]
pub struct Chosen<'a> {
    #[asn1(explicit = 0, defined_by = kind)]
    pub value: Choice<'a>,
    #[asn1(implicit = 1, value(1..=9))]
    pub kind: Int<'a>,
    #[asn1(implicit = 2, defined_by = kind, octet_string)]
    pub string: Option<Open<'a, Choice<'a>>>,
    pub note: Option<Null>,
    #[asn1(application = 1, constrained_by = "no octet equal to 7")]
    pub words: Option<Utf8<'a>>,
}

#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(open_type, name = "Choices")]
pub enum Choice<'a> {
    #[asn1(number = 1)]
    Number(u8),
    #[asn1(number = 2)]
    Text(Utf8<'a>),
    #[asn1(number = 3)]
    Again(Box<Chosen<'a>>),
    #[asn1(number = 4)]
    Narrow(Narrow<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// Constrained types inside deferred, captured and unknown values.
#[derive(Asn1, Clone, Debug, PartialEq)]
pub struct Deferred<'a> {
    pub raw: Raw<'a, Narrow<'a>>,
    pub captured: Option<Captured<'a, Signed<'a>>>,
    #[asn1(explicit = 0, with_components(..., issuer = present))]
    pub kept: Option<Raw<'a, Point<'a>>>,
    #[asn1(implicit = 1, size(1..=2))]
    pub list: SeqOf<'a, Figure<'a>>,
    #[asn1(constraints = TWO_OCTETS)]
    pub any: Option<OctetStr<'a>>,
    #[asn1(explicit = 2)]
    pub rest: Option<Any<'a>>,
    pub number: Option<Bounded>,
}

const TWO_RANGE: &[Range] = &[range(2, 2)];
const TWO_LONG: &[Constraint] = &[size(TWO_RANGE)];
const TWO_OCTETS: &[Constraint] = &[AllOf(List::Const(TWO_LONG))];

#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(verbatim)]
pub struct Signed<'a> {
    #[asn1(constraints = DIGITS)]
    pub numbers: SetOf<'a, i64>,
    #[asn1(constraints = LATIN)]
    pub text: Option<Utf8<'a>>,
}

const LATIN: &[Constraint] = &[Constraint::Pattern(Pattern::constant(LATIN_TEXT, &LATIN_STEPS))];
const LATIN_TEXT: &str = "[a-z]#(1,4)|\\d+";
const LATIN_STEPS: [tagwise_codec::pattern::Step; tagwise_codec::pattern::size(LATIN_TEXT)] =
    tagwise_codec::pattern::program(LATIN_TEXT);

/// `Bounded ::= [APPLICATION 9] EXPLICIT ENUMERATED (INCLUDES Low)`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 9, explicit)]
pub struct Bounded(#[asn1(constraints = NOT_GREEN)] pub Enumerated);

/// Encodings that are mutated: one or more valid ones of each type, and some invalid ones.
pub const SEEDS: &[&[u8]] = &[
    // Words
    b"\x30\x0D\x0C\x02a_\x80\x072026-11",
    b"\x30\x0B\x0C\x01a\xA1\x06\x1E\x04\x03\xB1\x03\xC9",
    b"\x30\x11\x0C\x00\x82\x02NL\x83\x0A1985-04-12",
    b"\x30\x12\x0C\x00\x1F\x1F\x0820261121\x84\x03two",
    // Point, Narrow, Tagged, Holder
    b"\x30\x03\x0C\x01a",
    b"\x30\x05\x0C\x03aab",
    b"\x30\x06\x80\x01\x05\x81\x01\x08",
    b"\x63\x08\x30\x06\x0C\x01a\x81\x01\x08",
    &[0x30, 9, 0xA2, 5, 0x30, 3, 0x80, 1, 9, 0x30, 0],
    &[0x30, 19, 0xA2, 2, 0x30, 0, 0xA3, 3, 0x0C, 1, 97, 0xA4, 6, 0x0C, 1, 97, 0x81, 1, 8],
    &[0x30, 19, 0xA2, 2, 0x30, 0, 0xA3, 3, 0x0C, 1, 97, 0x63, 6, 0x30, 4, 0x0C, 2, 97, 97],
    // Figure
    &[0x80, 1, 5],
    b"\x81\x02ab",
    &[0xA2, 3, 2, 1, 21],
    b"\x83\x03aba",
    &[0x84, 1, 9],
    &[10, 1, 2],
    &[0xA5, 3, 0x0C, 1, 97],
    &[0xA6, 5, 0xA6, 3, 0x80, 1, 1],
    // Lists
    &[0x31, 18, 0xA0, 6, 2, 1, 1, 2, 1, 9, 0xA1, 3, 0x0C, 1, 97, 0xA2, 0, 0x83, 1, 4],
    &[0x31, 16, 0xA0, 3, 2, 1, 1, 0xA2, 5, 0x30, 3, 0x0C, 1, 98, 0x83, 2, 3, 0x40],
    // Boxes, Wrapped, Hidden
    &[0x30, 15, 4, 7, 0x30, 0x80, 2, 1, 5, 0, 0, 0x81, 4, 0x30, 2, 0x0C, 0],
    &[0x30, 23, 4, 2, 0x30, 0, 0x80, 8, 0, 0x30, 0x80, 2, 1, 7, 0, 0, 0x82, 1, 9, 0x85, 4, 4, 2, 0x0C, 0],
    &[0x30, 19, 4, 2, 0x30, 0, 0x83, 5, 0, 0x30, 2, 0x0C, 0, 0xA4, 6, 0x83, 4, 2, 0x81, 1, 5],
    &[0x83, 4, 2, 0x81, 1, 5],
    &[4, 3, 0x0C, 1, 97],
    // Numbers, Serial
    &[0x30, 14, 2, 1, 5, 9, 3, 0x80, 0xFF, 3, 0xA0, 3, 0x85, 1, 9, 0],
    &[0x30, 8, 2, 1, 5, 0x81, 3, 0xC0, 0, 3],
    &[2, 18, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    &[0x85, 1, 7],
    // Keyed
    &[0x30, 15, 6, 2, 0x2A, 5, 0x80, 1, 1, 0xA1, 3, 0x85, 1, 9, 0x82, 1, 0],
    &[0x30, 18, 6, 2, 0x2A, 3, 0xA1, 5, 0x30, 3, 0x0C, 1, 97, 4, 5, 0x30, 3, 0x0C, 1, 97],
    &[0x30, 14, 6, 2, 0x2A, 4, 0xA1, 3, 0x80, 1, 5, 4, 3, 0x80, 1, 6],
    // Chosen
    &[0x31, 12, 5, 0, 0xA0, 3, 2, 1, 7, 0x81, 1, 1, 0x82, 0],
    &[0x31, 15, 0x41, 1, 97, 0xA0, 2, 0x0C, 0, 0x81, 1, 2, 0x82, 2, 0x0C, 0, 0],
    &[0x31, 12, 0x41, 1, 97, 0xA0, 2, 0x0C, 0, 0x81, 1, 2],
    &[0x31, 15, 0xA0, 10, 0x31, 8, 0xA0, 3, 2, 1, 7, 0x81, 1, 1, 0x81, 1, 3],
    &[0x31, 10, 0xA0, 5, 0x30, 3, 0x0C, 1, 97, 0x81, 1, 4],
    // Deferred
    &[0x30, 13, 0x30, 3, 0x0C, 1, 97, 0x30, 5, 0x31, 3, 2, 1, 9, 0xA1, 0],
    &[0x30, 21, 0x30, 3, 0x0C, 1, 97, 0x30, 2, 0x31, 0, 0xA0, 5, 0x30, 3, 0x0C, 1, 97, 0xA1, 3, 0x80, 1, 5],
    &[0x30, 18, 0x30, 3, 0x0C, 1, 97, 0xA1, 3, 0x80, 1, 5, 4, 2, 1, 2, 0xA2, 2, 5, 0],
    &[0x69, 3, 10, 1, 2],
    &[0x30, 6, 0x31, 0, 0x0C, 2, 97, 98],
];
