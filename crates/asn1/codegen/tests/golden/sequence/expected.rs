//! ASN.1 module `Tickets`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Ia5, Int, Null, OctetStr};
use tagwise_derive::Asn1;

/// A ticket, as it is handed out.
///
/// ```asn1
/// Ticket ::= [APPLICATION 1] SEQUENCE {
///   version      [0] Version DEFAULT v1,
///   serialNumber INTEGER,           -- unique
///   type         [1] IMPLICIT OCTET STRING,
///   dNSName      [2] IMPLICIT IA5String OPTIONAL,
///   urgent       BOOLEAN DEFAULT FALSE,
///   place        SEQUENCE {
///     x INTEGER (0..255),
///     y INTEGER (0..255) },
///   nothing      NULL }
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 1, explicit, constructor)]
pub struct Ticket<'a> {
    /// `version [0] Version DEFAULT 0`.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version<'a>,
    /// `serialNumber INTEGER`.
    pub serial_number: Int<'a>,
    /// `type [1] IMPLICIT OCTET STRING`.
    #[asn1(implicit = 1)]
    pub r#type: OctetStr<'a>,
    /// `dNSName [2] IMPLICIT IA5String OPTIONAL`.
    #[asn1(implicit = 2, name = "dNSName")]
    pub dns_name: Option<Ia5<'a>>,
    /// `urgent BOOLEAN DEFAULT FALSE`.
    #[asn1(default = false)]
    pub urgent: bool,
    /// `place SEQUENCE { x INTEGER (0..255), y INTEGER (0..255) }`.
    pub place: TicketPlace,
    /// `nothing NULL`.
    pub nothing: Null,
}

/// ```asn1
/// SEQUENCE {
///   x INTEGER (0..255),
///   y INTEGER (0..255) }
/// ```
///
/// `input.asn1`, line 11.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TicketPlace {
    /// `x INTEGER (0..255)`.
    pub x: u8,
    /// `y INTEGER (0..255)`.
    pub y: u8,
}

/// ```asn1
/// Version ::= INTEGER { v1(0), v2(1) }
/// ```
///
/// `input.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 0, v2 = 1), convert)]
pub struct Version<'a>(
    /// The number.
    pub Int<'a>,
);

impl Version<'_> {
    /// `v1` (0).
    pub const V1: Self = Self(Int::from_signed(&[0x00]));

    /// `v2` (1).
    pub const V2: Self = Self(Int::from_signed(&[0x01]));
}

/// ```asn1
/// Empty ::= SEQUENCE { }
/// ```
///
/// `input.asn1`, line 18.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct Empty;

/// Two tags on one type.
///
/// ```asn1
/// Twice ::= [APPLICATION 2] EXPLICIT SEQUENCE {
///   both [0] [1] INTEGER (0..MAX) }
/// ```
///
/// `input.asn1`, line 21.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 2, explicit)]
pub struct Twice<'a> {
    /// `both [0] [1] INTEGER (0..MAX)`.
    #[asn1(explicit = 0)]
    pub both: TwiceBothContent<'a>,
}

/// ```asn1
/// [0] [1] INTEGER (0..MAX)
/// ```
///
/// `input.asn1`, line 22.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(explicit = 1, value(0..), convert)]
pub struct TwiceBothContent<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// AnotherTicket ::= Ticket
/// ```
///
/// `input.asn1`, line 24.
pub type AnotherTicket<'a> = Ticket<'a>;
