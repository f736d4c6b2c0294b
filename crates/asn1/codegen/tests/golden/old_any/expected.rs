//! ASN.1 module `OldAny`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Any, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// AlgorithmIdentifier ::= SEQUENCE {
///   algorithm  OBJECT IDENTIFIER,
///   parameters ANY DEFINED BY algorithm OPTIONAL }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct AlgorithmIdentifier<'a> {
    /// `algorithm OBJECT IDENTIFIER`.
    pub algorithm: Oid<'a>,
    /// `parameters ANY DEFINED BY algorithm OPTIONAL`.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// Wrapped ::= [0] ANY
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(explicit = 0, convert)]
pub struct Wrapped<'a>(
    /// The wrapped value.
    pub Any<'a>,
);
