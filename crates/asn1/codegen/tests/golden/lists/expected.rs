//! ASN.1 module `Lists`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

extern crate alloc;

use alloc::boxed::Box;

use tagwise_codec::{Int, SeqOf, SetOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// Names ::= SEQUENCE OF UTF8String
/// ```
///
/// `input.asn1`, line 4.
pub type Names<'a> = SeqOf<'a, Utf8<'a>>;

/// ```asn1
/// NonEmpty ::= SEQUENCE SIZE (1..MAX) OF Names
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct NonEmpty<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Names<'a>>,
);

/// The elements have a constraint, which needs a type.
///
/// ```asn1
/// Ports ::= SET OF port INTEGER (1..65535)
/// ```
///
/// `input.asn1`, line 9.
pub type Ports<'a> = SetOf<'a, PortsPort>;

/// ```asn1
/// INTEGER (1..65535)
/// ```
///
/// `input.asn1`, line 9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(1..=65535), convert)]
pub struct PortsPort(
    /// The wrapped value.
    pub u16,
);

/// ```asn1
/// Points ::= SEQUENCE OF SEQUENCE { x INTEGER, y INTEGER }
/// ```
///
/// `input.asn1`, line 11.
pub type Points<'a> = SeqOf<'a, PointsItem<'a>>;

/// ```asn1
/// SEQUENCE { x INTEGER, y INTEGER }
/// ```
///
/// `input.asn1`, line 11.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PointsItem<'a> {
    /// `x INTEGER`.
    #[asn1(implicit = 0)]
    pub x: Int<'a>,
    /// `y INTEGER`.
    #[asn1(implicit = 1)]
    pub y: Int<'a>,
}

/// ```asn1
/// Tree ::= SEQUENCE {
///   label    UTF8String,
///   children SEQUENCE OF Tree }
/// ```
///
/// `input.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Tree<'a> {
    /// `label UTF8String`.
    #[asn1(implicit = 0)]
    pub label: Utf8<'a>,
    /// `children SEQUENCE OF Tree`.
    #[asn1(implicit = 1)]
    pub children: SeqOf<'a, Tree<'a>>,
}

/// A list of itself has no name that could be an alias.
///
/// ```asn1
/// Nested ::= SEQUENCE OF Nested
/// ```
///
/// `input.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(convert)]
pub struct Nested<'a>(
    /// The wrapped value.
    pub SeqOf<'a, Nested<'a>>,
);

/// ```asn1
/// Chain ::= SEQUENCE {
///   head INTEGER,
///   tail Chain OPTIONAL }
/// ```
///
/// `input.asn1`, line 20.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Chain<'a> {
    /// `head INTEGER`.
    #[asn1(implicit = 0)]
    pub head: Int<'a>,
    /// `tail Chain OPTIONAL`.
    #[asn1(implicit = 1)]
    pub tail: Option<Box<Chain<'a>>>,
}

/// ```asn1
/// All ::= SEQUENCE {
///   names  Names DEFAULT {},
///   few    SEQUENCE (SIZE (0..3)) OF BOOLEAN,
///   limits SET OF INTEGER,
///   short  Names (SIZE (1..2)) OPTIONAL }
/// ```
///
/// `input.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct All<'a> {
    /// `names Names DEFAULT {}`.
    #[asn1(implicit = 0, default = SeqOf::from_slice(&[]))]
    pub names: Names<'a>,
    /// `few SEQUENCE (SIZE (0..3)) OF BOOLEAN`.
    #[asn1(implicit = 1, size(0..=3))]
    pub few: SeqOf<'a, bool>,
    /// `limits SET OF INTEGER`.
    #[asn1(implicit = 2)]
    pub limits: SetOf<'a, Int<'a>>,
    /// `short Names (SIZE (1..2)) OPTIONAL`.
    #[asn1(implicit = 3, size(1..=2))]
    pub short: Option<SeqOf<'a, Utf8<'a>>>,
}
