//! ASN.1 module `PKIXAlgs-2009`, from `PKIXAlgs-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Keys and signatures with RSA, DSA, Diffie-Hellman and elliptic curves.
//! RFC 3279, RFC 5480, RFC 5758, in the form of RFC 5912 §6.
//! RSA with SHA-2 and RSASSA-PSS: PKIX1-PSS-OAEP-Algorithms-2009.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{BitStr, Int, OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// rsaEncryption OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-1(1) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 47.
pub const RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.1");

/// ```asn1
/// id-dsa OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) x9-57(10040) x9algorithm(4) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 65.
pub const ID_DSA: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.4.1");

/// ```asn1
/// DSA-Params ::= SEQUENCE {
///   p  INTEGER,
///   q  INTEGER,
///   g  INTEGER
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 67.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "DSA-Params")]
pub struct DsaParams<'a> {
    /// `p INTEGER`.
    pub p: Int<'a>,
    /// `q INTEGER`.
    pub q: Int<'a>,
    /// `g INTEGER`.
    pub g: Int<'a>,
}

/// ```asn1
/// DSAPublicKey ::= INTEGER
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 73.
pub type DsaPublicKey<'a> = Int<'a>;

/// ```asn1
/// dhpublicnumber OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) ansi-x942(10046) number-type(2) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 84.
pub const DHPUBLICNUMBER: Oid<'static> = tagwise_codec::oid!("1.2.840.10046.2.1");

/// Unlike in DSA-Params, g comes before q.
///
/// ```asn1
/// DomainParameters ::= SEQUENCE {
///   p                 INTEGER,
///   g                 INTEGER,
///   q                 INTEGER,
///   j                 INTEGER OPTIONAL,
///   validationParams  ValidationParams OPTIONAL
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 87.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct DomainParameters<'a> {
    /// `p INTEGER`.
    pub p: Int<'a>,
    /// `g INTEGER`.
    pub g: Int<'a>,
    /// `q INTEGER`.
    pub q: Int<'a>,
    /// `j INTEGER OPTIONAL`.
    pub j: Option<Int<'a>>,
    /// `validationParams ValidationParams OPTIONAL`.
    pub validation_params: Option<ValidationParams<'a>>,
}

/// ```asn1
/// ValidationParams ::= SEQUENCE {
///   seed         BIT STRING,
///   pgenCounter  INTEGER
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 95.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ValidationParams<'a> {
    /// `seed BIT STRING`.
    pub seed: BitStr<'a>,
    /// `pgenCounter INTEGER`.
    pub pgen_counter: Int<'a>,
}

/// ```asn1
/// DHPublicKey ::= INTEGER
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 100.
pub type DhPublicKey<'a> = Int<'a>;

/// ```asn1
/// id-keyExchangeAlgorithm OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) dod(2) infosec(1) algorithms(1) 22 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 110.
pub const ID_KEY_EXCHANGE_ALGORITHM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.2.1.1.22");

/// ```asn1
/// KEA-Params-Id ::= OCTET STRING
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 113.
pub type KeaParamsId<'a> = OctetStr<'a>;

/// A point: byte 4 and both coordinates, or byte 2 or 3 and the x-coordinate.
///
/// ```asn1
/// ECPoint ::= OCTET STRING
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 126.
pub type EcPoint<'a> = OctetStr<'a>;

/// ```asn1
/// id-ecPublicKey OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) ansi-X9-62(10045) keyType(2) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 128.
pub const ID_EC_PUBLIC_KEY: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.2.1");

/// ```asn1
/// id-ecDH OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) schemes(1) ecdh(12) }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 136.
pub const ID_EC_DH: Oid<'static> = tagwise_codec::oid!("1.3.132.1.12");

/// ```asn1
/// id-ecMQV OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) schemes(1) ecmqv(13) }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 144.
pub const ID_EC_MQV: Oid<'static> = tagwise_codec::oid!("1.3.132.1.13");

/// RFC 5480 §2.1.1 takes the name of the curve only; X9.62 also has implicitCurve NULL and specifiedCurve, a SEQUENCE.
///
/// ```asn1
/// ECParameters ::= CHOICE {
///   namedCurve  CURVE.&id({NamedCurve})
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 147.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ECParameters")]
pub enum EcParameters<'a> {
    /// `namedCurve CURVE.&id({NamedCurve})`.
    NamedCurve(Oid<'a>),
}

/// ```asn1
/// secp192r1  OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) ansi-X9-62(10045) curves(3) prime(1) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 166.
pub const SECP192R1: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.3.1.1");

/// ```asn1
/// secp256r1  OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) ansi-X9-62(10045) curves(3) prime(1) 7 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 167.
pub const SECP256R1: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.3.1.7");

/// ```asn1
/// sect163k1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 169.
pub const SECT163K1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.1");

/// ```asn1
/// sect163r2  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 15 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 170.
pub const SECT163R2: Oid<'static> = tagwise_codec::oid!("1.3.132.0.15");

/// ```asn1
/// sect233k1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 26 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 171.
pub const SECT233K1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.26");

/// ```asn1
/// sect233r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 27 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 172.
pub const SECT233R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.27");

/// ```asn1
/// sect283k1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 16 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 173.
pub const SECT283K1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.16");

/// ```asn1
/// sect283r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 17 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 174.
pub const SECT283R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.17");

/// ```asn1
/// secp224r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 33 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 175.
pub const SECP224R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.33");

/// ```asn1
/// secp384r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 34 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 176.
pub const SECP384R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.34");

/// ```asn1
/// secp521r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 35 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 177.
pub const SECP521R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.35");

/// ```asn1
/// sect409k1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 36 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 178.
pub const SECT409K1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.36");

/// ```asn1
/// sect409r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 37 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 179.
pub const SECT409R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.37");

/// ```asn1
/// sect571k1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 38 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 180.
pub const SECT571K1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.38");

/// ```asn1
/// sect571r1  OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) curve(0) 39 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 181.
pub const SECT571R1: Oid<'static> = tagwise_codec::oid!("1.3.132.0.39");

/// ```asn1
/// md2WithRSAEncryption OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-1(1) 2 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 193.
pub const MD2_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.2");

/// ```asn1
/// md5WithRSAEncryption OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-1(1) 4 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 203.
pub const MD5_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.4");

/// ```asn1
/// sha1WithRSAEncryption OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-1(1) 5 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 213.
pub const SHA1_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.5");

/// ```asn1
/// dsa-with-sha1 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) x9-57(10040) x9algorithm(4) 3 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 227.
pub const DSA_WITH_SHA1: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.4.3");

/// ```asn1
/// dsa-with-sha224 OBJECT IDENTIFIER ::=
///   { joint-iso-ccitt(2) country(16) us(840) organization(1) gov(101) csor(3) algorithms(4) id-dsa-with-sha2(3) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 238.
pub const DSA_WITH_SHA224: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.1");

/// ```asn1
/// dsa-with-sha256 OBJECT IDENTIFIER ::=
///   { joint-iso-ccitt(2) country(16) us(840) organization(1) gov(101) csor(3) algorithms(4) id-dsa-with-sha2(3) 2 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 250.
pub const DSA_WITH_SHA256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.3.2");

/// ```asn1
/// ecdsa-with-SHA1 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) ansi-X9-62(10045) signatures(4) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 262.
pub const ECDSA_WITH_SHA1: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.4.1");

/// ```asn1
/// ecdsa-with-SHA224 OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) ansi-X9-62(10045) signatures(4) ecdsa-with-SHA2(3) 1 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 273.
pub const ECDSA_WITH_SHA224: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.4.3.1");

/// ```asn1
/// ecdsa-with-SHA256 OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) ansi-X9-62(10045) signatures(4) ecdsa-with-SHA2(3) 2 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 285.
pub const ECDSA_WITH_SHA256: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.4.3.2");

/// ```asn1
/// ecdsa-with-SHA384 OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) ansi-X9-62(10045) signatures(4) ecdsa-with-SHA2(3) 3 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 297.
pub const ECDSA_WITH_SHA384: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.4.3.3");

/// ```asn1
/// ecdsa-with-SHA512 OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) ansi-X9-62(10045) signatures(4) ecdsa-with-SHA2(3) 4 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 309.
pub const ECDSA_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("1.2.840.10045.4.3.4");

/// ```asn1
/// DSA-Sig-Value ::= SEQUENCE {
///   r  INTEGER,
///   s  INTEGER
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 312.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "DSA-Sig-Value")]
pub struct DsaSigValue<'a> {
    /// `r INTEGER`.
    pub r: Int<'a>,
    /// `s INTEGER`.
    pub s: Int<'a>,
}

/// ```asn1
/// ECDSA-Sig-Value ::= SEQUENCE {
///   r  INTEGER,
///   s  INTEGER
/// }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 317.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ECDSA-Sig-Value")]
pub struct EcdsaSigValue<'a> {
    /// `r INTEGER`.
    pub r: Int<'a>,
    /// `s INTEGER`.
    pub s: Int<'a>,
}

/// ```asn1
/// id-md2 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) digestAlgorithm(2) 2 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 328.
pub const ID_MD2: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.2");

/// ```asn1
/// id-md5 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) digestAlgorithm(2) 5 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 332.
pub const ID_MD5: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.5");

/// ```asn1
/// id-sha1 OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) oiw(14) secsig(3) algorithm(2) 26 }
/// ```
///
/// `PKIXAlgs-2009.asn1`, line 336.
pub const ID_SHA1: Oid<'static> = tagwise_codec::oid!("1.3.14.3.2.26");
