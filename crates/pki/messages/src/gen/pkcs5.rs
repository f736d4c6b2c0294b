//! ASN.1 module `PKCS5v2-1`, from `PKCS5v2-1.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Password-based cryptography: PBKDF2, PBES1, PBES2, PBMAC1.
//! RFC 8018 Appendix A to C, with the classes of RFC 5912 in place of ALGORITHM-IDENTIFIER; scrypt by RFC 7914 §7.
//!
//! Iteration counts and scrypt's costs are work and memory that the input asks for: set limits.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Int, OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// rsadsi  OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) }
/// ```
///
/// `PKCS5v2-1.asn1`, line 25.
pub const RSADSI: Oid<'static> = tagwise_codec::oid!("1.2.840.113549");

/// ```asn1
/// pkcs    OBJECT IDENTIFIER ::= { rsadsi 1 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 26.
pub const PKCS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1");

/// ```asn1
/// pkcs-5  OBJECT IDENTIFIER ::= { pkcs 5 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 27.
pub const PKCS_5: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5");

/// ```asn1
/// digestAlgorithm      OBJECT IDENTIFIER ::= { rsadsi 2 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 29.
pub const DIGEST_ALGORITHM: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2");

/// ```asn1
/// encryptionAlgorithm  OBJECT IDENTIFIER ::= { rsadsi 3 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 30.
pub const ENCRYPTION_ALGORITHM: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3");

/// ```asn1
/// id-PBKDF2 OBJECT IDENTIFIER ::= { pkcs-5 12 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 34.
pub const ID_PBKDF2: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.12");

/// keyLength is in bytes. DER omits prf if it is HMAC with SHA-1 and NULL.
///
/// ```asn1
/// PBKDF2-params ::= SEQUENCE {
///   salt            CHOICE {
///     specified    OCTET STRING,
///     otherSource  AlgorithmIdentifier{ALGORITHM, {PBKDF2-SaltSources}}
///   },
///   iterationCount  INTEGER (1..MAX),
///   keyLength       INTEGER (1..MAX) OPTIONAL,
///   prf             AlgorithmIdentifier{MAC-ALGORITHM, {PBKDF2-PRFs}} DEFAULT algid-hmacWithSHA1
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 42.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBKDF2-params", constructor)]
pub struct Pbkdf2Params<'a> {
    /// `salt CHOICE { specified OCTET STRING, otherSource AlgorithmIdentifier{ALGORITHM, {PBKDF2-SaltSources}} }`.
    pub salt: Pbkdf2ParamsSalt<'a>,
    /// `iterationCount INTEGER (1..MAX)`.
    #[asn1(value(1..))]
    pub iteration_count: u64,
    /// `keyLength INTEGER (1..MAX) OPTIONAL`.
    #[asn1(value(1..))]
    pub key_length: Option<u64>,
    /// `prf AlgorithmIdentifier{MAC-ALGORITHM, {PBKDF2-PRFs}} DEFAULT { … }`.
    #[asn1(default_der = [0x30, 0x0C, 0x06, 0x08, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x07, 0x05, 0x00])]
    pub prf: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// ```asn1
/// CHOICE {
///   specified    OCTET STRING,
///   otherSource  AlgorithmIdentifier{ALGORITHM, {PBKDF2-SaltSources}}
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 43.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Pbkdf2ParamsSalt<'a> {
    /// `specified OCTET STRING`.
    Specified(OctetStr<'a>),
    /// `otherSource AlgorithmIdentifier{ALGORITHM, {PBKDF2-SaltSources}}`.
    OtherSource(tagwise_x509::alg::AlgorithmIdentifier<'a>),
}

/// ```asn1
/// pbeWithMD2AndDES-CBC   OBJECT IDENTIFIER ::= { pkcs-5 1 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 74.
pub const PBE_WITH_MD2_AND_DES_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.1");

/// ```asn1
/// pbeWithMD5AndDES-CBC   OBJECT IDENTIFIER ::= { pkcs-5 3 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 75.
pub const PBE_WITH_MD5_AND_DES_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.3");

/// ```asn1
/// pbeWithMD2AndRC2-CBC   OBJECT IDENTIFIER ::= { pkcs-5 4 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 76.
pub const PBE_WITH_MD2_AND_RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.4");

/// ```asn1
/// pbeWithMD5AndRC2-CBC   OBJECT IDENTIFIER ::= { pkcs-5 6 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 77.
pub const PBE_WITH_MD5_AND_RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.6");

/// ```asn1
/// pbeWithSHA1AndDES-CBC  OBJECT IDENTIFIER ::= { pkcs-5 10 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 78.
pub const PBE_WITH_SHA1_AND_DES_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.10");

/// ```asn1
/// pbeWithSHA1AndRC2-CBC  OBJECT IDENTIFIER ::= { pkcs-5 11 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 79.
pub const PBE_WITH_SHA1_AND_RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.11");

/// ```asn1
/// PBEParameter ::= SEQUENCE {
///   salt            OCTET STRING (SIZE (8)),
///   iterationCount  INTEGER
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 111.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBEParameter")]
pub struct PbeParameter<'a> {
    /// `salt OCTET STRING (SIZE (8))`.
    #[asn1(size(8))]
    pub salt: OctetStr<'a>,
    /// `iterationCount INTEGER`.
    pub iteration_count: u64,
}

/// ```asn1
/// id-PBES2 OBJECT IDENTIFIER ::= { pkcs-5 13 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 121.
pub const ID_PBES2: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.13");

/// ```asn1
/// PBES2-params ::= SEQUENCE {
///   keyDerivationFunc  AlgorithmIdentifier{KEY-DERIVATION, {PBES2-KDFs}},
///   encryptionScheme   AlgorithmIdentifier{CONTENT-ENCRYPTION, {PBES2-Encs}}
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 128.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBES2-params")]
pub struct Pbes2Params<'a> {
    /// `keyDerivationFunc AlgorithmIdentifier{KEY-DERIVATION, {PBES2-KDFs}}`.
    pub key_derivation_func: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `encryptionScheme AlgorithmIdentifier{CONTENT-ENCRYPTION, {PBES2-Encs}}`.
    pub encryption_scheme: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// ```asn1
/// id-PBMAC1 OBJECT IDENTIFIER ::= { pkcs-5 14 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 142.
pub const ID_PBMAC1: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.5.14");

/// RFC 9579 §4 asks for keyLength in the parameters of PBKDF2 here.
///
/// ```asn1
/// PBMAC1-params ::= SEQUENCE {
///   keyDerivationFunc  AlgorithmIdentifier{KEY-DERIVATION, {PBMAC1-KDFs}},
///   messageAuthScheme  AlgorithmIdentifier{MAC-ALGORITHM, {PBMAC1-MACs}}
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 151.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PBMAC1-params")]
pub struct Pbmac1Params<'a> {
    /// `keyDerivationFunc AlgorithmIdentifier{KEY-DERIVATION, {PBMAC1-KDFs}}`.
    pub key_derivation_func: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `messageAuthScheme AlgorithmIdentifier{MAC-ALGORITHM, {PBMAC1-MACs}}`.
    pub message_auth_scheme: tagwise_x509::alg::AlgorithmIdentifier<'a>,
}

/// ```asn1
/// id-hmacWithSHA1        OBJECT IDENTIFIER ::= { digestAlgorithm 7 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 162.
pub const ID_HMAC_WITH_SHA1: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.7");

/// ```asn1
/// id-hmacWithSHA512-224  OBJECT IDENTIFIER ::= { digestAlgorithm 12 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 163.
pub const ID_HMAC_WITH_SHA512_224: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.12");

/// ```asn1
/// id-hmacWithSHA512-256  OBJECT IDENTIFIER ::= { digestAlgorithm 13 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 164.
pub const ID_HMAC_WITH_SHA512_256: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.13");

/// ```asn1
/// desCBC OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) oiw(14) secsig(3) algorithms(2) 7 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 210.
pub const DES_CBC: Oid<'static> = tagwise_codec::oid!("1.3.14.3.2.7");

/// ```asn1
/// DES-IV ::= OCTET STRING (SIZE (8))
/// ```
///
/// `PKCS5v2-1.asn1`, line 217.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "DES-IV", size(8), convert)]
pub struct DesIv<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// rc2CBC OBJECT IDENTIFIER ::= rc2-cbc
/// ```
///
/// `PKCS5v2-1.asn1`, line 219.
pub const RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3.2");

/// If the version is absent, the key has 32 effective bits. 58 means 128 bits, 120 means 64, 160 means 40.
///
/// ```asn1
/// RC2-CBC-Parameter ::= SEQUENCE {
///   rc2ParameterVersion  INTEGER OPTIONAL,
///   iv                   OCTET STRING (SIZE (8))
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 227.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RC2-CBC-Parameter", constructor)]
pub struct Rc2CbcParameter<'a> {
    /// `rc2ParameterVersion INTEGER OPTIONAL`.
    pub rc2_parameter_version: Option<Int<'a>>,
    /// `iv OCTET STRING (SIZE (8))`.
    #[asn1(size(8))]
    pub iv: OctetStr<'a>,
}

/// ```asn1
/// des-EDE3-CBC OBJECT IDENTIFIER ::= des-ede3-cbc
/// ```
///
/// `PKCS5v2-1.asn1`, line 232.
pub const DES_EDE3_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3.7");

/// ```asn1
/// rc5-CBC-PAD OBJECT IDENTIFIER ::= { encryptionAlgorithm 9 }
/// ```
///
/// `PKCS5v2-1.asn1`, line 234.
pub const RC5_CBC_PAD: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.3.9");

/// If iv is absent, it is all zeros.
///
/// ```asn1
/// RC5-CBC-Parameters ::= SEQUENCE {
///   version          INTEGER { v1-0(16) } (v1-0),
///   rounds           INTEGER (8..127),
///   blockSizeInBits  INTEGER (64 | 128),
///   iv               OCTET STRING OPTIONAL
/// }
/// ```
///
/// `PKCS5v2-1.asn1`, line 242.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RC5-CBC-Parameters", constructor)]
pub struct Rc5CbcParameters<'a> {
    /// `version INTEGER { v1-0(16) } (v1-0)`.
    pub version: Rc5CbcParametersVersion,
    /// `rounds INTEGER (8..127)`.
    #[asn1(value(8..=127))]
    pub rounds: u8,
    /// `blockSizeInBits INTEGER (64 | 128)`.
    #[asn1(value(64, 128))]
    pub block_size_in_bits: u8,
    /// `iv OCTET STRING OPTIONAL`.
    pub iv: Option<OctetStr<'a>>,
}

/// ```asn1
/// INTEGER { v1-0(16) } (v1-0)
/// ```
///
/// `PKCS5v2-1.asn1`, line 243.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(16), named_numbers(v1_0("v1-0") = 16), convert)]
pub struct Rc5CbcParametersVersion(
    /// The number.
    pub u8,
);

impl Rc5CbcParametersVersion {
    /// `v1-0` (16).
    pub const V1_0: Self = Self(16);
}
