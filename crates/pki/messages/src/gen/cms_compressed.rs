//! ASN.1 module `CompressedDataContent-2010`, from `CompressedDataContent-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Compressed data.
//! RFC 3274, in the form of RFC 6268 §2.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-compressedData OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 9 }
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 25.
pub const ID_CT_COMPRESSED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.9");

/// A few bytes may expand to many: set a limit before decompressing.
///
/// ```asn1
/// CompressedData ::= SEQUENCE {
///   version               CMSVersion (v0),
///   compressionAlgorithm  CompressionAlgorithmIdentifier,
///   encapContentInfo      EncapsulatedContentInfo
/// }
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CompressedData<'a> {
    /// `version CMSVersion (v0)`.
    pub version: CompressedDataVersion,
    /// `compressionAlgorithm CompressionAlgorithmIdentifier`.
    pub compression_algorithm: CompressionAlgorithmIdentifier<'a>,
    /// `encapContentInfo EncapsulatedContentInfo`.
    pub encap_content_info: EncapsulatedContentInfo<'a>,
}

/// ```asn1
/// CMSVersion (v0)
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0), named_numbers(v0 = 0, v1 = 1, v2 = 2, v3 = 3, v4 = 4, v5 = 5), convert)]
pub struct CompressedDataVersion(
    /// The number.
    pub u8,
);

impl CompressedDataVersion {
    /// `v0` (0).
    pub const V0: Self = Self(0);

    /// `v1` (1).
    pub const V1: Self = Self(1);

    /// `v2` (2).
    pub const V2: Self = Self(2);

    /// `v3` (3).
    pub const V3: Self = Self(3);

    /// `v4` (4).
    pub const V4: Self = Self(4);

    /// `v5` (5).
    pub const V5: Self = Self(5);
}

/// eContent contains compressed data, not an ASN.1 type.
///
/// ```asn1
/// EncapsulatedContentInfo ::= SEQUENCE {
///   eContentType  CONTENT-TYPE.&id({ContentSet}),
///   eContent      [0] EXPLICIT OCTET STRING OPTIONAL
/// }
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct EncapsulatedContentInfo<'a> {
    /// `eContentType CONTENT-TYPE.&id({ContentSet})`.
    pub e_content_type: Oid<'a>,
    /// `eContent [0] EXPLICIT OCTET STRING OPTIONAL`.
    #[asn1(explicit = 0)]
    pub e_content: Option<OctetStr<'a>>,
}

/// ```asn1
/// CompressionAlgorithmIdentifier ::= AlgorithmIdentifier{COMPRESS-ALGORITHM, {CompressAlgorithmSet}}
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 41.
pub type CompressionAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// id-alg-zlibCompress OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) alg(3) 8 }
/// ```
///
/// `CompressedDataContent-2010.asn1`, line 62.
pub const ID_ALG_ZLIB_COMPRESS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.3.8");
