//! ASN.1 module `CryptographicMessageSyntaxAlgorithms-2009`, from `CryptographicMessageSyntaxAlgorithms-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The algorithms of CMS, as sets that CryptographicMessageSyntax-2010 takes, and those of 2001 by themselves.
//! RFC 3370, in the form of RFC 5911 §3. Newer ones come from the modules imported here.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Int, OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-alg-ESDH OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) alg(3) 5 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 69.
pub const ID_ALG_ESDH: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.3.5");

/// ```asn1
/// id-alg-SSDH OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) alg(3) 10 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 71.
pub const ID_ALG_SSDH: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.3.10");

/// ```asn1
/// id-alg-CMS3DESwrap OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) alg(3) 6 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 73.
pub const ID_ALG_CMS3DE_SWRAP: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.3.6");

/// ```asn1
/// id-alg-CMSRC2wrap OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) alg(3) 7 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 75.
pub const ID_ALG_CMS_RC2_WRAP: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.3.7");

/// ```asn1
/// des-ede3-cbc OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) encryptionAlgorithm(3) 7 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 77.
pub const DES_EDE3_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3.7");

/// ```asn1
/// rc2-cbc OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) encryptionAlgorithm(3) 2 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 78.
pub const RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3.2");

/// ```asn1
/// hMAC-SHA1 OBJECT IDENTIFIER ::=
///   { iso(1) identified-organization(3) dod(6) internet(1) security(5) mechanisms(5) 8 1 2 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 79.
pub const HMAC_SHA1: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.8.1.2");

/// ```asn1
/// id-PBKDF2 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-5(5) 12 }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 81.
pub const ID_PBKDF2: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.12");

/// Parameters
///
/// ```asn1
/// KeyWrapAlgorithm ::= AlgorithmIdentifier{KEY-WRAP, {KeyWrapAlgs}}
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 85.
pub type KeyWrapAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// RC2wrapParameter ::= RC2ParameterVersion
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 87.
pub type Rc2WrapParameter<'a> = Rc2ParameterVersion<'a>;

/// The encoded effective key length: 58 means 128 bits, 120 means 64, 160 means 40 (RFC 3370 §5.2).
///
/// ```asn1
/// RC2ParameterVersion ::= INTEGER
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 90.
pub type Rc2ParameterVersion<'a> = Int<'a>;

/// ```asn1
/// CBCParameter ::= IV
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 92.
pub type CbcParameter<'a> = Iv<'a>;

/// The initialization vector: eight bytes for Triple-DES and RC2.
///
/// ```asn1
/// IV ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 95.
pub type Iv<'a> = OctetStr<'a>;

/// ```asn1
/// RC2CBCParameter ::= SEQUENCE {
///   rc2ParameterVersion  INTEGER (1..256),
///   iv                   OCTET STRING
/// }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 97.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RC2CBCParameter")]
pub struct Rc2CbcParameter<'a> {
    /// `rc2ParameterVersion INTEGER (1..256)`.
    #[asn1(value(1..=256))]
    pub rc2_parameter_version: u16,
    /// `iv OCTET STRING`.
    pub iv: OctetStr<'a>,
}

/// ```asn1
/// PBKDF2-PRFsAlgorithmIdentifier ::= AlgorithmIdentifier{ALGORITHM, {PBKDF2-PRFs}}
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 126.
pub type Pbkdf2PrfsAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// PBKDF2-SaltSourcesAlgorithmIdentifier ::= AlgorithmIdentifier{ALGORITHM, {PBKDF2-SaltSources}}
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 135.
pub type Pbkdf2SaltSourcesAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// The input determines iterationCount, and thus the cost: set a limit.
///
/// ```asn1
/// PBKDF2-params ::= SEQUENCE {
///   salt            CHOICE {
///     specified    OCTET STRING,
///     otherSource  PBKDF2-SaltSourcesAlgorithmIdentifier
///   },
///   iterationCount  INTEGER (1..MAX),
///   keyLength       INTEGER (1..MAX) OPTIONAL,
///   prf             PBKDF2-PRFsAlgorithmIdentifier DEFAULT defaultPBKDF2
/// }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 140.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBKDF2-params", constructor)]
pub struct Pbkdf2Params<'a> {
    /// `salt CHOICE { specified OCTET STRING, otherSource PBKDF2-SaltSourcesAlgorithmIdentifier }`.
    pub salt: Pbkdf2ParamsSalt<'a>,
    /// `iterationCount INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub iteration_count: Int<'a>,
    /// `keyLength INTEGER (1..MAX) OPTIONAL`.
    #[asn1(value(1..))]
    pub key_length: Option<Int<'a>>,
    /// `prf PBKDF2-PRFsAlgorithmIdentifier DEFAULT { … }`.
    #[asn1(default_der = [0x30, 0x0C, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x08, 0x01, 0x02, 0x05, 0x00])]
    pub prf: Pbkdf2PrfsAlgorithmIdentifier<'a>,
}

/// ```asn1
/// CHOICE {
///   specified    OCTET STRING,
///   otherSource  PBKDF2-SaltSourcesAlgorithmIdentifier
/// }
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 141.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Pbkdf2ParamsSalt<'a> {
    /// `specified OCTET STRING`.
    Specified(OctetStr<'a>),
    /// `otherSource PBKDF2-SaltSourcesAlgorithmIdentifier`.
    OtherSource(Pbkdf2SaltSourcesAlgorithmIdentifier<'a>),
}

/// ```asn1
/// dh-public-number OBJECT IDENTIFIER ::= dhpublicnumber
/// ```
///
/// `CryptographicMessageSyntaxAlgorithms-2009.asn1`, line 168.
pub const DH_PUBLIC_NUMBER: Oid<'static> = tagwise_codec::oid!("1.2.840.10046.2.1");
