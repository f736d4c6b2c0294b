//! ASN.1 module `CMS-AES-CCM-and-AES-GCM-2009`, from `CMS-AES-CCM-and-AES-GCM-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! AES-CCM and AES-GCM for content.
//! RFC 5084, in the form of RFC 5911 §9.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// aes OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) 1 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 27.
pub const AES: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1");

/// ```asn1
/// id-aes128-GCM  OBJECT IDENTIFIER ::= { aes 6 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 30.
pub const ID_AES128_GCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.6");

/// ```asn1
/// id-aes128-CCM  OBJECT IDENTIFIER ::= { aes 7 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 31.
pub const ID_AES128_CCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.7");

/// ```asn1
/// id-aes192-GCM  OBJECT IDENTIFIER ::= { aes 26 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 32.
pub const ID_AES192_GCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.26");

/// ```asn1
/// id-aes192-CCM  OBJECT IDENTIFIER ::= { aes 27 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 33.
pub const ID_AES192_CCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.27");

/// ```asn1
/// id-aes256-GCM  OBJECT IDENTIFIER ::= { aes 46 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 34.
pub const ID_AES256_GCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.46");

/// ```asn1
/// id-aes256-CCM  OBJECT IDENTIFIER ::= { aes 47 }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 35.
pub const ID_AES256_CCM: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.47");

/// A nonce must not be reused with the same key.
///
/// ```asn1
/// CCMParameters ::= SEQUENCE {
///   aes-nonce   OCTET STRING (SIZE (7..13)),
///   aes-ICVlen  AES-CCM-ICVlen DEFAULT 12
/// }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 74.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CCMParameters", constructor)]
pub struct CcmParameters<'a> {
    /// `aes-nonce OCTET STRING (SIZE (7..13))`.
    #[asn1(size(7..=13), name = "aes-nonce")]
    pub aes_nonce: OctetStr<'a>,
    /// `aes-ICVlen AES-CCM-ICVlen DEFAULT 12`.
    #[asn1(name = "aes-ICVlen", default = AesCcmIcvLen(12))]
    pub aes_icv_len: AesCcmIcvLen,
}

/// ```asn1
/// AES-CCM-ICVlen ::= INTEGER (4 | 6 | 8 | 10 | 12 | 14 | 16)
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 79.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AES-CCM-ICVlen", value(4, 6, 8, 10, 12, 14, 16), convert)]
pub struct AesCcmIcvLen(
    /// The wrapped value.
    pub u8,
);

/// A nonce of 12 bytes is recommended. The default tag has 12 bytes, not 16.
///
/// ```asn1
/// GCMParameters ::= SEQUENCE {
///   aes-nonce   OCTET STRING,
///   aes-ICVlen  AES-GCM-ICVlen DEFAULT 12
/// }
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 82.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "GCMParameters", constructor)]
pub struct GcmParameters<'a> {
    /// `aes-nonce OCTET STRING`.
    #[asn1(name = "aes-nonce")]
    pub aes_nonce: OctetStr<'a>,
    /// `aes-ICVlen AES-GCM-ICVlen DEFAULT 12`.
    #[asn1(name = "aes-ICVlen", default = AesGcmIcvLen(12))]
    pub aes_icv_len: AesGcmIcvLen,
}

/// ```asn1
/// AES-GCM-ICVlen ::= INTEGER (12 | 13 | 14 | 15 | 16)
/// ```
///
/// `CMS-AES-CCM-and-AES-GCM-2009.asn1`, line 87.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AES-GCM-ICVlen", value(12..=16), convert)]
pub struct AesGcmIcvLen(
    /// The wrapped value.
    pub u8,
);
