//! ASN.1 module `Scrypt-0`, from `Scrypt-0.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! scrypt as a key derivation function.
//! RFC 7914 §7.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-scrypt OBJECT IDENTIFIER ::= { 1 3 6 1 4 1 11591 4 11 }
/// ```
///
/// `Scrypt-0.asn1`, line 14.
pub const ID_SCRYPT: Oid<'static> = tagwise_codec::oid!("1.3.6.1.4.1.11591.4.11");

/// scrypt uses costParameter times blockSize times 128 bytes of memory: set a limit. costParameter is a power of two.
///
/// ```asn1
/// Scrypt-params ::= SEQUENCE {
///   salt                      OCTET STRING,
///   costParameter             INTEGER (1..MAX),
///   blockSize                 INTEGER (1..MAX),
///   parallelizationParameter  INTEGER (1..MAX),
///   keyLength                 INTEGER (1..MAX) OPTIONAL
/// }
/// ```
///
/// `Scrypt-0.asn1`, line 22.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Scrypt-params", constructor)]
pub struct ScryptParams<'a> {
    /// `salt OCTET STRING`.
    pub salt: OctetStr<'a>,
    /// `costParameter INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub cost_parameter: u64,
    /// `blockSize INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub block_size: u64,
    /// `parallelizationParameter INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub parallelization_parameter: u64,
    /// `keyLength INTEGER (1..MAX) OPTIONAL`.
    #[asn1(value(1..))]
    pub key_length: Option<u64>,
}
