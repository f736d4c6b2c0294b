//! ASN.1 module `Integers`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Int, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// ub-count INTEGER ::= 1000
/// ```
///
/// `input.asn1`, line 4.
pub const UB_COUNT: i64 = 1000;

/// ```asn1
/// Byte       ::= INTEGER (0..255)
/// ```
///
/// `input.asn1`, line 6.
pub type Byte = u8;

/// ```asn1
/// Count      ::= INTEGER (1..ub-count)
/// ```
///
/// `input.asn1`, line 7.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..=1000), convert)]
pub struct Count(
    /// The wrapped value.
    pub u16,
);

/// ```asn1
/// Offset     ::= INTEGER (-128..127)
/// ```
///
/// `input.asn1`, line 8.
pub type Offset = i8;

/// ```asn1
/// Wide       ::= INTEGER (0..18446744073709551615)
/// ```
///
/// `input.asn1`, line 9.
pub type Wide = u64;

/// ```asn1
/// Positive   ::= INTEGER (1..MAX)
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..), convert)]
pub struct Positive<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// Extensible ::= INTEGER (0..7, ...)
/// ```
///
/// `input.asn1`, line 11.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..=7, ...), convert)]
pub struct Extensible<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// Odd        ::= INTEGER (1 | 3 | 5..7)
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1, 3, 5..=7), convert)]
pub struct Odd(
    /// The wrapped value.
    pub u8,
);

/// ```asn1
/// Narrow     ::= Count (1..10)
/// ```
///
/// `input.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..=10), convert)]
pub struct Narrow(
    /// The wrapped value.
    pub u8,
);

/// ```asn1
/// Serial     ::= INTEGER
/// ```
///
/// `input.asn1`, line 14.
pub type Serial<'a> = Int<'a>;

/// ```asn1
/// Level ::= INTEGER { low(0), high(10) } (0..10)
/// ```
///
/// `input.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0..=10), named_numbers(low = 0, high = 10), convert)]
pub struct Level(
    /// The number.
    pub u8,
);

impl Level {
    /// `low` (0).
    pub const LOW: Self = Self(0);

    /// `high` (10).
    pub const HIGH: Self = Self(10);
}

/// ```asn1
/// All ::= SEQUENCE {
///   byte     Byte,
///   count    Count DEFAULT 1,
///   offset   Offset,
///   wide     Wide OPTIONAL,
///   positive Positive,
///   later    Extensible DEFAULT 3,
///   odd      Odd,
///   narrow   Narrow,
///   serial   Serial,
///   level    Level DEFAULT high,
///   few      SEQUENCE OF INTEGER (0..3) }
/// ```
///
/// `input.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct All<'a> {
    /// `byte Byte`.
    #[asn1(implicit = 0)]
    pub byte: Byte,
    /// `count Count DEFAULT 1`.
    #[asn1(implicit = 1, default = Count(1))]
    pub count: Count,
    /// `offset Offset`.
    #[asn1(implicit = 2)]
    pub offset: Offset,
    /// `wide Wide OPTIONAL`.
    #[asn1(implicit = 3)]
    pub wide: Option<Wide>,
    /// `positive Positive`.
    #[asn1(implicit = 4)]
    pub positive: Positive<'a>,
    /// `later Extensible DEFAULT 3`.
    #[asn1(implicit = 5, default = Extensible(Int::from_signed(&[0x03])))]
    pub later: Extensible<'a>,
    /// `odd Odd`.
    #[asn1(implicit = 6)]
    pub odd: Odd,
    /// `narrow Narrow`.
    #[asn1(implicit = 7)]
    pub narrow: Narrow,
    /// `serial Serial`.
    #[asn1(implicit = 8)]
    pub serial: Serial<'a>,
    /// `level Level DEFAULT 10`.
    #[asn1(implicit = 9, default = Level::HIGH)]
    pub level: Level,
    /// `few SEQUENCE OF INTEGER (0..3)`.
    #[asn1(implicit = 10)]
    pub few: SeqOf<'a, AllFewItem>,
}

/// ```asn1
/// INTEGER (0..3)
/// ```
///
/// `input.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..=3), convert)]
pub struct AllFewItem(
    /// The wrapped value.
    pub u8,
);
