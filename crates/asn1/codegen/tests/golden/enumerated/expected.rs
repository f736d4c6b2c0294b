//! ASN.1 module `Enumerations`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_derive::Asn1;

/// ```asn1
/// CRLReason ::= ENUMERATED {
///   unspecified (0),
///   keyCompromise (1),
///   cACompromise (2),
///   removeFromCRL (8) }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "CRLReason", enumerated)]
pub enum CrlReason {
    /// `unspecified` (0).
    Unspecified = 0,
    /// `keyCompromise` (1).
    KeyCompromise = 1,
    /// `cACompromise` (2).
    #[asn1(name = "cACompromise")]
    CaCompromise = 2,
    /// `removeFromCRL` (8).
    #[asn1(name = "removeFromCRL")]
    RemoveFromCrl = 8,
}

/// ```asn1
/// Colour ::= ENUMERATED { red, green, ..., blue }
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum Colour {
    /// `red` (0).
    #[asn1(number = 0)]
    Red,
    /// `green` (1).
    #[asn1(number = 1)]
    Green,
    /// `blue` (2).
    #[asn1(number = 2)]
    Blue,
    /// A number that a later version adds.
    #[asn1(unknown)]
    Unknown(i64),
}

/// ```asn1
/// Signed ::= ENUMERATED { below (-1), zero, above }
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum Signed {
    /// `below` (-1).
    Below = -1,
    /// `zero` (0).
    Zero = 0,
    /// `above` (1).
    Above = 1,
}

/// ```asn1
/// Reported ::= SEQUENCE {
///   reason CRLReason DEFAULT unspecified,
///   colour Colour OPTIONAL,
///   state  ENUMERATED { on, off } }
/// ```
///
/// `input.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Reported {
    /// `reason CRLReason DEFAULT unspecified`.
    #[asn1(implicit = 0, default = CrlReason::Unspecified)]
    pub reason: CrlReason,
    /// `colour Colour OPTIONAL`.
    #[asn1(implicit = 1)]
    pub colour: Option<Colour>,
    /// `state ENUMERATED { on, off }`.
    #[asn1(implicit = 2)]
    pub state: ReportedState,
}

/// ```asn1
/// ENUMERATED { on, off }
/// ```
///
/// `input.asn1`, line 17.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum ReportedState {
    /// `on` (0).
    On = 0,
    /// `off` (1).
    Off = 1,
}
