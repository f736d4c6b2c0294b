//! ASN.1 module `CMSECCAlgs-2009-02`, from `CMSECCAlgs-2009-02.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Elliptic curves for recipients of enveloped and authenticated data.
//! RFC 5753 Appendix A.2.

use super::cms::{OriginatorPublicKey, UserKeyingMaterial};
use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// x9-63-scheme OBJECT IDENTIFIER ::=
///   { iso(1) identified-organization(3) tc68(133) country(16) x9(840) x9-63(63) schemes(0) }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 33.
pub const X9_63_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.133.16.840.63.0");

/// ```asn1
/// secg-scheme OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) certicom(132) schemes(1) }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 36.
pub const SECG_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1");

/// ```asn1
/// dhSinglePass-stdDH-sha1kdf-scheme         OBJECT IDENTIFIER ::= { x9-63-scheme 2 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 38.
pub const DH_SINGLE_PASS_STD_DH_SHA1KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.133.16.840.63.0.2");

/// ```asn1
/// dhSinglePass-stdDH-sha224kdf-scheme       OBJECT IDENTIFIER ::= { secg-scheme 11 0 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 39.
pub const DH_SINGLE_PASS_STD_DH_SHA224KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.11.0");

/// ```asn1
/// dhSinglePass-stdDH-sha256kdf-scheme       OBJECT IDENTIFIER ::= { secg-scheme 11 1 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 40.
pub const DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.11.1");

/// ```asn1
/// dhSinglePass-stdDH-sha384kdf-scheme       OBJECT IDENTIFIER ::= { secg-scheme 11 2 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 41.
pub const DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.11.2");

/// ```asn1
/// dhSinglePass-stdDH-sha512kdf-scheme       OBJECT IDENTIFIER ::= { secg-scheme 11 3 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 42.
pub const DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.11.3");

/// ```asn1
/// dhSinglePass-cofactorDH-sha1kdf-scheme    OBJECT IDENTIFIER ::= { x9-63-scheme 3 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 43.
pub const DH_SINGLE_PASS_COFACTOR_DH_SHA1KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.133.16.840.63.0.3");

/// ```asn1
/// dhSinglePass-cofactorDH-sha224kdf-scheme  OBJECT IDENTIFIER ::= { secg-scheme 14 0 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 44.
pub const DH_SINGLE_PASS_COFACTOR_DH_SHA224KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.14.0");

/// ```asn1
/// dhSinglePass-cofactorDH-sha256kdf-scheme  OBJECT IDENTIFIER ::= { secg-scheme 14 1 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 45.
pub const DH_SINGLE_PASS_COFACTOR_DH_SHA256KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.14.1");

/// ```asn1
/// dhSinglePass-cofactorDH-sha384kdf-scheme  OBJECT IDENTIFIER ::= { secg-scheme 14 2 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 46.
pub const DH_SINGLE_PASS_COFACTOR_DH_SHA384KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.14.2");

/// ```asn1
/// dhSinglePass-cofactorDH-sha512kdf-scheme  OBJECT IDENTIFIER ::= { secg-scheme 14 3 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 47.
pub const DH_SINGLE_PASS_COFACTOR_DH_SHA512KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.14.3");

/// ```asn1
/// mqvSinglePass-sha1kdf-scheme              OBJECT IDENTIFIER ::= { x9-63-scheme 16 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 48.
pub const MQV_SINGLE_PASS_SHA1KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.133.16.840.63.0.16");

/// ```asn1
/// mqvSinglePass-sha224kdf-scheme            OBJECT IDENTIFIER ::= { secg-scheme 15 0 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 49.
pub const MQV_SINGLE_PASS_SHA224KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.15.0");

/// ```asn1
/// mqvSinglePass-sha256kdf-scheme            OBJECT IDENTIFIER ::= { secg-scheme 15 1 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 50.
pub const MQV_SINGLE_PASS_SHA256KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.15.1");

/// ```asn1
/// mqvSinglePass-sha384kdf-scheme            OBJECT IDENTIFIER ::= { secg-scheme 15 2 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 51.
pub const MQV_SINGLE_PASS_SHA384KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.15.2");

/// ```asn1
/// mqvSinglePass-sha512kdf-scheme            OBJECT IDENTIFIER ::= { secg-scheme 15 3 }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 52.
pub const MQV_SINGLE_PASS_SHA512KDF_SCHEME: Oid<'static> = tagwise_codec::oid!("1.3.132.1.15.3");

/// The content of ukm's OCTET STRING, in DER.
///
/// ```asn1
/// MQVuserKeyingMaterial ::= SEQUENCE {
///   ephemeralPublicKey  OriginatorPublicKey,
///   addedukm            [0] EXPLICIT UserKeyingMaterial OPTIONAL
/// }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 177.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "MQVuserKeyingMaterial", constructor)]
pub struct MqvUserKeyingMaterial<'a> {
    /// `ephemeralPublicKey OriginatorPublicKey`.
    pub ephemeral_public_key: OriginatorPublicKey<'a>,
    /// `addedukm [0] EXPLICIT UserKeyingMaterial OPTIONAL`.
    #[asn1(explicit = 0)]
    pub addedukm: Option<UserKeyingMaterial<'a>>,
}

/// The input of the key derivation, in DER. It is never sent. suppPubInfo is the wrapping key's length in bits.
///
/// ```asn1
/// ECC-CMS-SharedInfo ::= SEQUENCE {
///   keyInfo      AlgorithmIdentifier{KEY-WRAP, {KeyWrapAlgs}},
///   entityUInfo  [0] EXPLICIT OCTET STRING OPTIONAL,
///   suppPubInfo  [2] EXPLICIT OCTET STRING
/// }
/// ```
///
/// `CMSECCAlgs-2009-02.asn1`, line 183.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ECC-CMS-SharedInfo", constructor)]
pub struct EccCmsSharedInfo<'a> {
    /// `keyInfo AlgorithmIdentifier{KEY-WRAP, {KeyWrapAlgs}}`.
    pub key_info: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `entityUInfo [0] EXPLICIT OCTET STRING OPTIONAL`.
    #[asn1(explicit = 0)]
    pub entity_u_info: Option<OctetStr<'a>>,
    /// `suppPubInfo [2] EXPLICIT OCTET STRING`.
    #[asn1(explicit = 2)]
    pub supp_pub_info: OctetStr<'a>,
}
