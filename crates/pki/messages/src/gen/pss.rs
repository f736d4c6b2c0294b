//! ASN.1 module `PKIX1-PSS-OAEP-Algorithms-2009`, from `PKIX1-PSS-OAEP-Algorithms-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! RSA with SHA-2, RSASSA-PSS and RSAES-OAEP, and the SHA-2 digests.
//! RFC 4055, in the form of RFC 5912 §11.

use tagwise_codec::{Null, OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// pkcs-1 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) 1 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 30.
pub const PKCS_1: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1");

/// ```asn1
/// id-RSASSA-PSS OBJECT IDENTIFIER ::= { pkcs-1 10 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 49.
pub const ID_RSASSA_PSS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.10");

/// Every component has a default that uses SHA-1, so an empty SEQUENCE means SHA-1.
///
/// ```asn1
/// RSASSA-PSS-params ::= SEQUENCE {
///   hashAlgorithm     [0] HashAlgorithm DEFAULT sha1Identifier,
///   maskGenAlgorithm  [1] MaskGenAlgorithm DEFAULT mgf1SHA1,
///   saltLength        [2] INTEGER DEFAULT 20,
///   trailerField      [3] INTEGER DEFAULT 1
/// }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 52.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RSASSA-PSS-params", constructor)]
pub struct RsassaPssParams<'a> {
    /// `hashAlgorithm [0] HashAlgorithm DEFAULT { … }`.
    #[asn1(explicit = 0, default_der = [0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00])]
    pub hash_algorithm: HashAlgorithm<'a>,
    /// `maskGenAlgorithm [1] MaskGenAlgorithm DEFAULT { … }`.
    #[asn1(explicit = 1)]
    #[asn1(
        default_der = [0x30, 0x16, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00]
    )]
    pub mask_gen_algorithm: MaskGenAlgorithm<'a>,
    /// `saltLength [2] INTEGER DEFAULT 20`.
    #[asn1(explicit = 2, default = 20)]
    pub salt_length: u64,
    /// `trailerField [3] INTEGER DEFAULT 1`.
    #[asn1(explicit = 3, default = 1)]
    pub trailer_field: u64,
}

/// ```asn1
/// sha256WithRSAEncryption  OBJECT IDENTIFIER ::= { pkcs-1 11 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 93.
pub const SHA256_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.11");

/// ```asn1
/// sha384WithRSAEncryption  OBJECT IDENTIFIER ::= { pkcs-1 12 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 94.
pub const SHA384_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.12");

/// ```asn1
/// sha512WithRSAEncryption  OBJECT IDENTIFIER ::= { pkcs-1 13 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 95.
pub const SHA512_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.13");

/// ```asn1
/// sha224WithRSAEncryption  OBJECT IDENTIFIER ::= { pkcs-1 14 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 96.
pub const SHA224_WITH_RSA_ENCRYPTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.14");

/// ```asn1
/// id-RSAES-OAEP OBJECT IDENTIFIER ::= { pkcs-1 7 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 114.
pub const ID_RSAES_OAEP: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.7");

/// ```asn1
/// RSAES-OAEP-params ::= SEQUENCE {
///   hashFunc     [0] HashAlgorithm DEFAULT sha1Identifier,
///   maskGenFunc  [1] MaskGenAlgorithm DEFAULT mgf1SHA1,
///   pSourceFunc  [2] PSourceAlgorithm DEFAULT pSpecifiedEmpty
/// }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 116.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "RSAES-OAEP-params")]
pub struct RsaesOaepParams<'a> {
    /// `hashFunc [0] HashAlgorithm DEFAULT { … }`.
    #[asn1(explicit = 0, default_der = [0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00])]
    pub hash_func: HashAlgorithm<'a>,
    /// `maskGenFunc [1] MaskGenAlgorithm DEFAULT { … }`.
    #[asn1(explicit = 1)]
    #[asn1(
        default_der = [0x30, 0x16, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00]
    )]
    pub mask_gen_func: MaskGenAlgorithm<'a>,
    /// `pSourceFunc [2] PSourceAlgorithm DEFAULT { … }`.
    #[asn1(explicit = 2)]
    #[asn1(default_der = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x09, 0x04, 0x00])]
    pub p_source_func: PSourceAlgorithm<'a>,
}

/// ```asn1
/// id-sha224 OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) hashalgs(2) 4 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 129.
pub const ID_SHA224: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.2.4");

/// ```asn1
/// id-sha256 OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) hashalgs(2) 1 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 131.
pub const ID_SHA256: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.2.1");

/// ```asn1
/// id-sha384 OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) hashalgs(2) 2 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 133.
pub const ID_SHA384: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.2.2");

/// ```asn1
/// id-sha512 OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) hashalgs(2) 3 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 135.
pub const ID_SHA512: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.2.3");

/// In PSS and OAEP parameters, digests should have NULL parameters.
///
/// ```asn1
/// HashAlgorithm ::= AlgorithmIdentifier{DIGEST-ALGORITHM, {HashAlgorithms}}
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 139.
pub type HashAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// id-mgf1 OBJECT IDENTIFIER ::= { pkcs-1 8 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 153.
pub const ID_MGF1: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.8");

/// ```asn1
/// MaskGenAlgorithm ::= AlgorithmIdentifier{ALGORITHM, {PKCS1MGFAlgorithms}}
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 155.
pub type MaskGenAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// id-pSpecified OBJECT IDENTIFIER ::= { pkcs-1 9 }
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 166.
pub const ID_P_SPECIFIED: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.1.9");

/// ```asn1
/// PSourceAlgorithm ::= AlgorithmIdentifier{ALGORITHM, {PSS-SourceAlgorithms}}
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 168.
pub type PSourceAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// EncodingParameters ::= OCTET STRING (SIZE (0..MAX))
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 175.
pub type EncodingParameters<'a> = OctetStr<'a>;

/// ```asn1
/// nullOctetString EncodingParameters ::= ''H
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 177.
pub const NULL_OCTET_STRING: EncodingParameters<'static> = OctetStr::new(&[]);

/// ```asn1
/// nullParameters NULL ::= NULL
/// ```
///
/// `PKIX1-PSS-OAEP-Algorithms-2009.asn1`, line 179.
pub const NULL_PARAMETERS: Null = Null;
