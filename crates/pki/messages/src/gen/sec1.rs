//! ASN.1 module `ECPrivateKey`, from `ECPrivateKey.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Private keys of elliptic curves.
//! RFC 5915.

use super::algorithms::EcParameters;
use tagwise_codec::{BitStr, OctetStr};
use tagwise_derive::Asn1;

/// privateKey is secret. It has as many bytes as the order of the curve, including leading zeros.
/// In a PrivateKeyInfo, the algorithm names the curve, and parameters may be omitted.
///
/// ```asn1
/// ECPrivateKey ::= SEQUENCE {
///   version     INTEGER { ecPrivkeyVer1(1) } (ecPrivkeyVer1),
///   privateKey  OCTET STRING,
///   parameters  [0] ECParameters OPTIONAL,
///   publicKey   [1] BIT STRING OPTIONAL
/// }
/// ```
///
/// `ECPrivateKey.asn1`, line 18.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(name = "ECPrivateKey", constructor)]
pub struct EcPrivateKey<'a> {
    /// `version INTEGER { ecPrivkeyVer1(1) } (ecPrivkeyVer1)`.
    pub version: EcPrivateKeyVersion,
    /// `privateKey OCTET STRING`.
    #[asn1(secret)]
    pub private_key: OctetStr<'a>,
    /// `parameters [0] ECParameters OPTIONAL`.
    #[asn1(explicit = 0)]
    pub parameters: Option<EcParameters<'a>>,
    /// `publicKey [1] BIT STRING OPTIONAL`.
    #[asn1(explicit = 1)]
    pub public_key: Option<BitStr<'a>>,
}

/// ```asn1
/// INTEGER { ecPrivkeyVer1(1) } (ecPrivkeyVer1)
/// ```
///
/// `ECPrivateKey.asn1`, line 19.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(1), named_numbers(ec_privkey_ver1 = 1), convert)]
pub struct EcPrivateKeyVersion(
    /// The number.
    pub u8,
);

impl EcPrivateKeyVersion {
    /// `ecPrivkeyVer1` (1).
    pub const EC_PRIVKEY_VER1: Self = Self(1);
}
