//! ASN.1 module `PKCS-12`, from `PKCS-12.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! PKCS \#12: keys and certificates in one file under a password.
//! RFC 7292 Appendix D, with the classes of RFC 5912; the MAC of RFC 9579 besides.
//!
//! Files are BER: many writers use indefinite lengths and strings in segments, at any of the nested layers.
#![allow(clippy::large_enum_variant)]

use super::cms::{EncryptedData, EnvelopedData, SignedData};
use super::pkcs8::{EncryptedPrivateKeyInfo, PrivateKeyInfo};
use tagwise_codec::{Any, Ia5, OctetStr, Oid, Open, SeqOf, SetOf, Unknown};
use tagwise_derive::Asn1;

/// ```asn1
/// rsadsi         OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) }
/// ```
///
/// `PKCS-12.asn1`, line 29.
pub const RSADSI: Oid<'static> = tagwise_codec::oid!("1.2.840.113549");

/// ```asn1
/// pkcs           OBJECT IDENTIFIER ::= { rsadsi pkcs(1) }
/// ```
///
/// `PKCS-12.asn1`, line 30.
pub const PKCS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1");

/// ```asn1
/// pkcs-12        OBJECT IDENTIFIER ::= { pkcs 12 }
/// ```
///
/// `PKCS-12.asn1`, line 31.
pub const PKCS_12: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12");

/// ```asn1
/// pkcs-12PbeIds  OBJECT IDENTIFIER ::= { pkcs-12 1 }
/// ```
///
/// `PKCS-12.asn1`, line 32.
pub const PKCS_12PBE_IDS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1");

/// ```asn1
/// bagtypes       OBJECT IDENTIFIER ::= { pkcs-12 10 1 }
/// ```
///
/// `PKCS-12.asn1`, line 33.
pub const BAGTYPES: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.10.1");

/// ```asn1
/// pbeWithSHAAnd128BitRC4           OBJECT IDENTIFIER ::= { pkcs-12PbeIds 1 }
/// ```
///
/// `PKCS-12.asn1`, line 43.
pub const PBE_WITH_SHA_AND128_BIT_RC4: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.1");

/// ```asn1
/// pbeWithSHAAnd40BitRC4            OBJECT IDENTIFIER ::= { pkcs-12PbeIds 2 }
/// ```
///
/// `PKCS-12.asn1`, line 44.
pub const PBE_WITH_SHA_AND40_BIT_RC4: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.2");

/// ```asn1
/// pbeWithSHAAnd3-KeyTripleDES-CBC  OBJECT IDENTIFIER ::= { pkcs-12PbeIds 3 }
/// ```
///
/// `PKCS-12.asn1`, line 45.
pub const PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.3");

/// ```asn1
/// pbeWithSHAAnd2-KeyTripleDES-CBC  OBJECT IDENTIFIER ::= { pkcs-12PbeIds 4 }
/// ```
///
/// `PKCS-12.asn1`, line 46.
pub const PBE_WITH_SHA_AND2_KEY_TRIPLE_DES_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.4");

/// ```asn1
/// pbeWithSHAAnd128BitRC2-CBC       OBJECT IDENTIFIER ::= { pkcs-12PbeIds 5 }
/// ```
///
/// `PKCS-12.asn1`, line 47.
pub const PBE_WITH_SHA_AND128_BIT_RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.5");

/// ```asn1
/// pbewithSHAAnd40BitRC2-CBC        OBJECT IDENTIFIER ::= { pkcs-12PbeIds 6 }
/// ```
///
/// `PKCS-12.asn1`, line 48.
pub const PBEWITH_SHA_AND40_BIT_RC2_CBC: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.12.1.6");

/// ```asn1
/// Pkcs-12PbeParams ::= SEQUENCE {
///   salt        OCTET STRING,
///   iterations  INTEGER
/// }
/// ```
///
/// `PKCS-12.asn1`, line 80.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Pkcs-12PbeParams")]
pub struct Pkcs12PbeParams<'a> {
    /// `salt OCTET STRING`.
    pub salt: OctetStr<'a>,
    /// `iterations INTEGER`.
    pub iterations: u64,
}

/// macData is a MAC under the password over the content of the data in authSafe. Without macData, authSafe is signed.
///
/// ```asn1
/// PFX ::= SEQUENCE {
///   version   INTEGER { v3(3) } (v3, ...),
///   authSafe  AuthSafe,
///   macData   MacData OPTIONAL
/// }
/// ```
///
/// `PKCS-12.asn1`, line 88.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PFX", constructor)]
pub struct Pfx<'a> {
    /// `version INTEGER { v3(3) } (v3, ...)`.
    pub version: PfxVersion,
    /// `authSafe AuthSafe`.
    pub auth_safe: AuthSafe<'a>,
    /// `macData MacData OPTIONAL`.
    pub mac_data: Option<MacData<'a>>,
}

/// ```asn1
/// INTEGER { v3(3) } (v3, ...)
/// ```
///
/// `PKCS-12.asn1`, line 89.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(3, ...), named_numbers(v3 = 3), convert)]
pub struct PfxVersion(
    /// The number.
    pub u8,
);

impl PfxVersion {
    /// `v3` (3).
    pub const V3: Self = Self(3);
}

/// A ContentInfo of CMS whose data has its type, for here it stands in an OCTET STRING.
///
/// ```asn1
/// AuthSafe ::= SEQUENCE {
///   contentType  CONTENT-TYPE.&id({AuthSafeContents}),
///   content      [0] EXPLICIT CONTENT-TYPE.&Type({AuthSafeContents}{@contentType})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 95.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AuthSafe<'a> {
    /// `contentType CONTENT-TYPE.&id({AuthSafeContents})`.
    pub content_type: Oid<'a>,
    /// `content [0] EXPLICIT CONTENT-TYPE.&Type({AuthSafeContents}{@contentType})`.
    #[asn1(explicit = 0, defined_by = content_type)]
    pub content: Open<'a, AuthSafeContent<'a>>,
}

/// ```asn1
/// AuthSafeContents CONTENT-TYPE ::= {
///   ct-Data | ct-SignedData,
///   ...
/// }
/// ```
///
/// The types that `AuthSafeContents` selects: `PKCS-12.asn1`, line 100.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AuthSafeContents", open_type)]
pub enum AuthSafeContent<'a> {
    /// `ct-Data`.
    #[asn1(oid = "1.2.840.113549.1.7.1", name = "ct-Data")]
    Data(OctetStr<'a>),
    /// `ct-SignedData`.
    #[asn1(oid = "1.2.840.113549.1.7.2", name = "ct-SignedData")]
    SignedData(SignedData<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// With DigestInfo, the key is derived from the password (Appendix B). With PBMAC1, macSalt and iterations are ignored.
///
/// ```asn1
/// MacData ::= SEQUENCE {
///   mac         DigestInfo,
///   macSalt     OCTET STRING,
///   iterations  INTEGER DEFAULT 1
/// }
/// ```
///
/// `PKCS-12.asn1`, line 109.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct MacData<'a> {
    /// `mac DigestInfo`.
    pub mac: DigestInfo<'a>,
    /// `macSalt OCTET STRING`.
    pub mac_salt: OctetStr<'a>,
    /// `iterations INTEGER DEFAULT 1`.
    #[asn1(default = 1)]
    pub iterations: u64,
}

/// ```asn1
/// DigestInfo ::= SEQUENCE {
///   digestAlgorithm  AlgorithmIdentifier{ALGORITHM, {MacDigestAlgorithms}},
///   digest           OCTET STRING
/// }
/// ```
///
/// `PKCS-12.asn1`, line 115.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct DigestInfo<'a> {
    /// `digestAlgorithm AlgorithmIdentifier{ALGORITHM, {MacDigestAlgorithms}}`.
    pub digest_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `digest OCTET STRING`.
    pub digest: OctetStr<'a>,
}

/// The content of the data in authSafe.
///
/// ```asn1
/// AuthenticatedSafe ::= SEQUENCE OF SafeContentInfo
/// ```
///
/// `PKCS-12.asn1`, line 131.
pub type AuthenticatedSafe<'a> = SeqOf<'a, SafeContentInfo<'a>>;

/// Data, EncryptedData or EnvelopedData, each with SafeContents inside.
///
/// ```asn1
/// SafeContentInfo ::= SEQUENCE {
///   contentType  CONTENT-TYPE.&id({SafeContentSet}),
///   content      [0] EXPLICIT CONTENT-TYPE.&Type({SafeContentSet}{@contentType})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 134.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SafeContentInfo<'a> {
    /// `contentType CONTENT-TYPE.&id({SafeContentSet})`.
    pub content_type: Oid<'a>,
    /// `content [0] EXPLICIT CONTENT-TYPE.&Type({SafeContentSet}{@contentType})`.
    #[asn1(explicit = 0, defined_by = content_type)]
    pub content: Open<'a, SafeContent<'a>>,
}

/// ```asn1
/// SafeContentSet CONTENT-TYPE ::= {
///   ct-Data | ct-EncryptedData | ct-EnvelopedData,
///   ...
/// }
/// ```
///
/// The types that `SafeContentSet` selects: `PKCS-12.asn1`, line 139.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SafeContentSet", open_type)]
pub enum SafeContent<'a> {
    /// `ct-Data`.
    #[asn1(oid = "1.2.840.113549.1.7.1", name = "ct-Data")]
    Data(OctetStr<'a>),
    /// `ct-EncryptedData`.
    #[asn1(oid = "1.2.840.113549.1.7.6", name = "ct-EncryptedData")]
    EncryptedData(EncryptedData<'a>),
    /// `ct-EnvelopedData`.
    #[asn1(oid = "1.2.840.113549.1.7.3", name = "ct-EnvelopedData")]
    EnvelopedData(EnvelopedData<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// SafeContents ::= SEQUENCE OF SafeBag
/// ```
///
/// `PKCS-12.asn1`, line 144.
pub type SafeContents<'a> = SeqOf<'a, SafeBag<'a>>;

/// ```asn1
/// SafeBag ::= SEQUENCE {
///   bagId          BAG-TYPE.&id({PKCS12BagSet}),
///   bagValue       [0] EXPLICIT BAG-TYPE.&Type({PKCS12BagSet}{@bagId}),
///   bagAttributes  SET OF PKCS12Attribute OPTIONAL
/// }
/// ```
///
/// `PKCS-12.asn1`, line 146.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SafeBag<'a> {
    /// `bagId BAG-TYPE.&id({PKCS12BagSet})`.
    pub bag_id: Oid<'a>,
    /// `bagValue [0] EXPLICIT BAG-TYPE.&Type({PKCS12BagSet}{@bagId})`.
    #[asn1(explicit = 0, defined_by = bag_id)]
    pub bag_value: Open<'a, BagValue<'a>>,
    /// `bagAttributes SET OF PKCS12Attribute OPTIONAL`.
    pub bag_attributes: Option<SetOf<'a, Pkcs12Attribute<'a>>>,
}

/// ```asn1
/// PKCS12BagSet BAG-TYPE ::= {
///   keyBag | pkcs8ShroudedKeyBag | certBag | crlBag | secretBag | safeContentsBag,
///   ...
/// }
/// ```
///
/// The types that `PKCS12BagSet` selects: `PKCS-12.asn1`, line 154.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKCS12BagSet", open_type)]
pub enum BagValue<'a> {
    /// `keyBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.1")]
    KeyBag(KeyBag<'a>),
    /// `pkcs8ShroudedKeyBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.2")]
    Pkcs8ShroudedKeyBag(Pkcs8ShroudedKeyBag<'a>),
    /// `certBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.3")]
    CertBag(CertBag<'a>),
    /// `crlBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.4")]
    CrlBag(CrlBag<'a>),
    /// `secretBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.5")]
    SecretBag(SecretBag<'a>),
    /// `safeContentsBag`.
    #[asn1(oid = "1.2.840.113549.1.12.10.1.6")]
    SafeContentsBag(SafeContents<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// Secret.
///
/// ```asn1
/// KeyBag ::= PrivateKeyInfo
/// ```
///
/// `PKCS-12.asn1`, line 167.
pub type KeyBag<'a> = PrivateKeyInfo<'a>;

/// ```asn1
/// PKCS8ShroudedKeyBag ::= EncryptedPrivateKeyInfo
/// ```
///
/// `PKCS-12.asn1`, line 169.
pub type Pkcs8ShroudedKeyBag<'a> = EncryptedPrivateKeyInfo<'a>;

/// ```asn1
/// CertBag ::= SEQUENCE {
///   certId     BAG-TYPE.&id({CertTypes}),
///   certValue  [0] EXPLICIT BAG-TYPE.&Type({CertTypes}{@certId})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 171.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CertBag<'a> {
    /// `certId BAG-TYPE.&id({CertTypes})`.
    pub cert_id: Oid<'a>,
    /// `certValue [0] EXPLICIT BAG-TYPE.&Type({CertTypes}{@certId})`.
    #[asn1(explicit = 0, defined_by = cert_id)]
    pub cert_value: Open<'a, CertValue<'a>>,
}

/// ```asn1
/// CertTypes BAG-TYPE ::= { x509Certificate | sdsiCertificate, ... }
/// ```
///
/// The types that `CertTypes` selects: `PKCS-12.asn1`, line 180.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CertTypes", open_type)]
pub enum CertValue<'a> {
    /// `x509Certificate`.
    #[asn1(oid = "1.2.840.113549.1.9.22.1")]
    X509Certificate(OctetStr<'a>),
    /// `sdsiCertificate`.
    #[asn1(oid = "1.2.840.113549.1.9.22.2")]
    SdsiCertificate(Ia5<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// The name of the second component is spelled so by the standard.
///
/// ```asn1
/// CRLBag ::= SEQUENCE {
///   crlId      BAG-TYPE.&id({CRLTypes}),
///   crltValue  [0] EXPLICIT BAG-TYPE.&Type({CRLTypes}{@crlId})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 183.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLBag")]
pub struct CrlBag<'a> {
    /// `crlId BAG-TYPE.&id({CRLTypes})`.
    pub crl_id: Oid<'a>,
    /// `crltValue [0] EXPLICIT BAG-TYPE.&Type({CRLTypes}{@crlId})`.
    #[asn1(explicit = 0, defined_by = crl_id)]
    pub crlt_value: Open<'a, CrlValue<'a>>,
}

/// ```asn1
/// CRLTypes BAG-TYPE ::= { x509CRL, ... }
/// ```
///
/// The types that `CRLTypes` selects: `PKCS-12.asn1`, line 190.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLTypes", open_type)]
pub enum CrlValue<'a> {
    /// `x509CRL`.
    #[asn1(oid = "1.2.840.113549.1.9.23.1", name = "x509CRL")]
    X509Crl(OctetStr<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// Secret.
///
/// ```asn1
/// SecretBag ::= SEQUENCE {
///   secretTypeId  BAG-TYPE.&id({SecretTypes}),
///   secretValue   [0] EXPLICIT BAG-TYPE.&Type({SecretTypes}{@secretTypeId})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 193.
#[derive(Asn1, Clone, Copy, PartialEq)]
pub struct SecretBag<'a> {
    /// `secretTypeId BAG-TYPE.&id({SecretTypes})`.
    pub secret_type_id: Oid<'a>,
    /// `secretValue [0] EXPLICIT BAG-TYPE.&Type({SecretTypes}{@secretTypeId})`.
    #[asn1(explicit = 0, secret)]
    pub secret_value: Any<'a>,
}

/// ```asn1
/// PKCS12Attribute ::= SEQUENCE {
///   attrId      ATTRIBUTE.&id({PKCS12AttrSet}),
///   attrValues  SET OF ATTRIBUTE.&Type({PKCS12AttrSet}{@attrId})
/// }
/// ```
///
/// `PKCS-12.asn1`, line 200.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKCS12Attribute")]
pub struct Pkcs12Attribute<'a> {
    /// `attrId ATTRIBUTE.&id({PKCS12AttrSet})`.
    pub attr_id: Oid<'a>,
    /// `attrValues SET OF ATTRIBUTE.&Type({PKCS12AttrSet}{@attrId})`.
    pub attr_values: SetOf<'a, Any<'a>>,
}
