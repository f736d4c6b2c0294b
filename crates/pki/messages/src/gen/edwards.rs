//! ASN.1 module `Safecurves-pkix-18`, from `Safecurves-pkix-18.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Ed25519, Ed448, X25519 and X448 in certificates.
//! RFC 8410 §9.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-edwards-curve-algs OBJECT IDENTIFIER ::= { 1 3 101 }
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 16.
pub const ID_EDWARDS_CURVE_ALGS: Oid<'static> = tagwise_codec::oid!("1.3.101");

/// ```asn1
/// id-X25519   OBJECT IDENTIFIER ::= { id-edwards-curve-algs 110 }
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 18.
pub const ID_X25519: Oid<'static> = tagwise_codec::oid!("1.3.101.110");

/// ```asn1
/// id-X448     OBJECT IDENTIFIER ::= { id-edwards-curve-algs 111 }
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 19.
pub const ID_X448: Oid<'static> = tagwise_codec::oid!("1.3.101.111");

/// ```asn1
/// id-Ed25519  OBJECT IDENTIFIER ::= { id-edwards-curve-algs 112 }
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 20.
pub const ID_ED25519: Oid<'static> = tagwise_codec::oid!("1.3.101.112");

/// ```asn1
/// id-Ed448    OBJECT IDENTIFIER ::= { id-edwards-curve-algs 113 }
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 21.
pub const ID_ED448: Oid<'static> = tagwise_codec::oid!("1.3.101.113");

/// A secret key. A PrivateKeyInfo contains its complete encoding: an OCTET STRING within an OCTET STRING.
///
/// ```asn1
/// CurvePrivateKey ::= OCTET STRING
/// ```
///
/// `Safecurves-pkix-18.asn1`, line 72.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret)]
pub struct CurvePrivateKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);
