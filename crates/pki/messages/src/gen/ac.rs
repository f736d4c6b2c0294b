//! ASN.1 module `PKIXAttributeCertificate-2009`, from `PKIXAttributeCertificate-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Attribute certificates, and the attributes and extensions in them.
//! RFC 5755, in the form of RFC 5912 §13.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Any, BitStr, Captured, GeneralizedTime, Int, NamedBits, OctetStr, Oid, SeqOf, SetOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// id-pe-ac-auditIdentity   OBJECT IDENTIFIER ::= { id-pe 4 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 36.
pub const ID_PE_AC_AUDIT_IDENTITY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.4");

/// ```asn1
/// id-pe-aaControls         OBJECT IDENTIFIER ::= { id-pe 6 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 37.
pub const ID_PE_AA_CONTROLS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.6");

/// ```asn1
/// id-pe-ac-proxying        OBJECT IDENTIFIER ::= { id-pe 10 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 38.
pub const ID_PE_AC_PROXYING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.10");

/// ```asn1
/// id-ce-targetInformation  OBJECT IDENTIFIER ::= { id-ce 55 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 39.
pub const ID_CE_TARGET_INFORMATION: Oid<'static> = tagwise_codec::oid!("2.5.29.55");

/// ```asn1
/// id-ce-noRevAvail         OBJECT IDENTIFIER ::= { id-ce 56 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 40.
pub const ID_CE_NO_REV_AVAIL: Oid<'static> = tagwise_codec::oid!("2.5.29.56");

/// ```asn1
/// id-aca                     OBJECT IDENTIFIER ::= { id-pkix 10 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 59.
pub const ID_ACA: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10");

/// ```asn1
/// id-aca-authenticationInfo  OBJECT IDENTIFIER ::= { id-aca 1 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 60.
pub const ID_ACA_AUTHENTICATION_INFO: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10.1");

/// ```asn1
/// id-aca-accessIdentity      OBJECT IDENTIFIER ::= { id-aca 2 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 61.
pub const ID_ACA_ACCESS_IDENTITY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10.2");

/// ```asn1
/// id-aca-chargingIdentity    OBJECT IDENTIFIER ::= { id-aca 3 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 62.
pub const ID_ACA_CHARGING_IDENTITY: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10.3");

/// ```asn1
/// id-aca-group               OBJECT IDENTIFIER ::= { id-aca 4 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 63.
pub const ID_ACA_GROUP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10.4");

/// ```asn1
/// id-aca-encAttrs            OBJECT IDENTIFIER ::= { id-aca 6 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 64.
pub const ID_ACA_ENC_ATTRS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.10.6");

/// ```asn1
/// id-at-role                 OBJECT IDENTIFIER ::= { id-at 72 }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 65.
pub const ID_AT_ROLE: Oid<'static> = tagwise_codec::oid!("2.5.4.72");

/// ```asn1
/// id-at-clearance          OBJECT IDENTIFIER ::= { joint-iso-ccitt(2) ds(5) attributeType(4) clearance(55) }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 68.
pub const ID_AT_CLEARANCE: Oid<'static> = tagwise_codec::oid!("2.5.4.55");

/// ```asn1
/// id-at-clearance-rfc3281  OBJECT IDENTIFIER ::=
///   { joint-iso-ccitt(2) ds(5) module(1) selected-attribute-types(5) clearance(55) }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 69.
pub const ID_AT_CLEARANCE_RFC3281: Oid<'static> = tagwise_codec::oid!("2.5.1.5.55");

/// The signature covers the bytes of acinfo as received. signatureAlgorithm equals acinfo.signature.
///
/// ```asn1
/// AttributeCertificate ::= SEQUENCE {
///   acinfo              AttributeCertificateInfo,
///   signatureAlgorithm  AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signatureValue      BIT STRING
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 75.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AttributeCertificate<'a> {
    /// `acinfo AttributeCertificateInfo`.
    pub acinfo: Captured<'a, AttributeCertificateInfo<'a>>,
    /// `signatureAlgorithm AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `signatureValue BIT STRING`.
    pub signature_value: BitStr<'a>,
}

/// ```asn1
/// AttributeCertificateInfo ::= SEQUENCE {
///   version                 AttCertVersion,
///   holder                  Holder,
///   issuer                  AttCertIssuer,
///   signature               AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   serialNumber            CertificateSerialNumber,
///   attrCertValidityPeriod  AttCertValidityPeriod,
///   attributes              SEQUENCE OF AttributeSet{{AttributesDefined}},
///   issuerUniqueID          UniqueIdentifier OPTIONAL,
///   extensions              Extensions{{AttributeCertExtensions}} OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 81.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(verbatim, constructor)]
pub struct AttributeCertificateInfo<'a> {
    /// `version AttCertVersion`.
    pub version: AttCertVersion,
    /// `holder Holder`.
    pub holder: Holder<'a>,
    /// `issuer AttCertIssuer`.
    pub issuer: AttCertIssuer<'a>,
    /// `signature AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `serialNumber CertificateSerialNumber`.
    pub serial_number: tagwise_x509::cert::CertificateSerialNumber<'a>,
    /// `attrCertValidityPeriod AttCertValidityPeriod`.
    pub attr_cert_validity_period: AttCertValidityPeriod<'a>,
    /// `attributes SEQUENCE OF AttributeSet{{AttributesDefined}}`.
    pub attributes: SeqOf<'a, tagwise_x509::ext::Attribute<'a>>,
    /// `issuerUniqueID UniqueIdentifier OPTIONAL`.
    #[asn1(name = "issuerUniqueID")]
    pub issuer_unique_id: Option<tagwise_codec::BitStr<'a>>,
    /// `extensions Extensions{{AttributeCertExtensions}} OPTIONAL`.
    pub extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// The version has no default, so it is always encoded. Version 1 is a different type, AttributeCertificateV1.
///
/// ```asn1
/// AttCertVersion ::= INTEGER { v2(1) }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 94.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v2 = 1), convert)]
pub struct AttCertVersion(
    /// The number.
    pub u8,
);

impl AttCertVersion {
    /// `v2` (1).
    pub const V2: Self = Self(1);
}

/// One of the three components is present.
///
/// ```asn1
/// Holder ::= SEQUENCE {
///   baseCertificateID  [0] IssuerSerial OPTIONAL,
///   entityName         [1] GeneralNames OPTIONAL,
///   objectDigestInfo   [2] ObjectDigestInfo OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 97.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct Holder<'a> {
    /// `baseCertificateID [0] IssuerSerial OPTIONAL`.
    #[asn1(implicit = 0, name = "baseCertificateID")]
    pub base_certificate_id: Option<IssuerSerial<'a>>,
    /// `entityName [1] GeneralNames OPTIONAL`.
    #[asn1(implicit = 1)]
    pub entity_name: Option<tagwise_x509::ext::GeneralNames<'a>>,
    /// `objectDigestInfo [2] ObjectDigestInfo OPTIONAL`.
    #[asn1(implicit = 2)]
    pub object_digest_info: Option<ObjectDigestInfo<'a>>,
}

/// ```asn1
/// ObjectDigestInfo ::= SEQUENCE {
///   digestedObjectType  ENUMERATED {
///     publicKey(0),
///     publicKeyCert(1),
///     otherObjectTypes(2)
///   },
///   otherObjectTypeID   OBJECT IDENTIFIER OPTIONAL,
///   digestAlgorithm     AlgorithmIdentifier{DIGEST-ALGORITHM, {...}},
///   objectDigest        BIT STRING
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 103.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct ObjectDigestInfo<'a> {
    /// `digestedObjectType ENUMERATED { publicKey(0), publicKeyCert(1), otherObjectTypes(2) }`.
    pub digested_object_type: DigestedObjectType,
    /// `otherObjectTypeID OBJECT IDENTIFIER OPTIONAL`.
    #[asn1(name = "otherObjectTypeID")]
    pub other_object_type_id: Option<Oid<'a>>,
    /// `digestAlgorithm AlgorithmIdentifier{DIGEST-ALGORITHM, {...}}`.
    pub digest_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `objectDigest BIT STRING`.
    pub object_digest: BitStr<'a>,
}

/// ```asn1
/// ENUMERATED {
///   publicKey(0),
///   publicKeyCert(1),
///   otherObjectTypes(2)
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 104.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum DigestedObjectType {
    /// `publicKey` (0).
    PublicKey = 0,
    /// `publicKeyCert` (1).
    PublicKeyCert = 1,
    /// `otherObjectTypes` (2).
    OtherObjectTypes = 2,
}

/// Use only v2Form.
///
/// ```asn1
/// AttCertIssuer ::= CHOICE {
///   v1Form  GeneralNames,
///   v2Form  [0] V2Form
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 115.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum AttCertIssuer<'a> {
    /// `v1Form GeneralNames`.
    V1Form(tagwise_x509::ext::GeneralNames<'a>),
    /// `v2Form [0] V2Form`.
    #[asn1(implicit = 0)]
    V2Form(V2Form<'a>),
}

/// ```asn1
/// V2Form ::= SEQUENCE {
///   issuerName         GeneralNames OPTIONAL,
///   baseCertificateID  [0] IssuerSerial OPTIONAL,
///   objectDigestInfo   [1] ObjectDigestInfo OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 120.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct V2Form<'a> {
    /// `issuerName GeneralNames OPTIONAL`.
    pub issuer_name: Option<tagwise_x509::ext::GeneralNames<'a>>,
    /// `baseCertificateID [0] IssuerSerial OPTIONAL`.
    #[asn1(implicit = 0, name = "baseCertificateID")]
    pub base_certificate_id: Option<IssuerSerial<'a>>,
    /// `objectDigestInfo [1] ObjectDigestInfo OPTIONAL`.
    #[asn1(implicit = 1)]
    pub object_digest_info: Option<ObjectDigestInfo<'a>>,
}

/// ```asn1
/// IssuerSerial ::= SEQUENCE {
///   issuer     GeneralNames,
///   serial     CertificateSerialNumber,
///   issuerUID  UniqueIdentifier OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 126.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct IssuerSerial<'a> {
    /// `issuer GeneralNames`.
    pub issuer: tagwise_x509::ext::GeneralNames<'a>,
    /// `serial CertificateSerialNumber`.
    pub serial: tagwise_codec::Int<'a>,
    /// `issuerUID UniqueIdentifier OPTIONAL`.
    #[asn1(name = "issuerUID")]
    pub issuer_uid: Option<tagwise_codec::BitStr<'a>>,
}

/// Always GeneralizedTime, regardless of the year.
///
/// ```asn1
/// AttCertValidityPeriod ::= SEQUENCE {
///   notBeforeTime  GeneralizedTime,
///   notAfterTime   GeneralizedTime
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 133.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AttCertValidityPeriod<'a> {
    /// `notBeforeTime GeneralizedTime`.
    pub not_before_time: GeneralizedTime<'a>,
    /// `notAfterTime GeneralizedTime`.
    pub not_after_time: GeneralizedTime<'a>,
}

/// ```asn1
/// Targets ::= SEQUENCE OF Target
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 138.
pub type Targets<'a> = SeqOf<'a, Target<'a>>;

/// GeneralName is a CHOICE, so its tags are EXPLICIT.
///
/// ```asn1
/// Target ::= CHOICE {
///   targetName   [0] GeneralName,
///   targetGroup  [1] GeneralName,
///   targetCert   [2] TargetCert
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 141.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Target<'a> {
    /// `targetName [0] GeneralName`.
    #[asn1(explicit = 0)]
    TargetName(tagwise_x509::ext::GeneralName<'a>),
    /// `targetGroup [1] GeneralName`.
    #[asn1(explicit = 1)]
    TargetGroup(tagwise_x509::ext::GeneralName<'a>),
    /// `targetCert [2] TargetCert`.
    #[asn1(implicit = 2)]
    TargetCert(TargetCert<'a>),
}

/// ```asn1
/// TargetCert ::= SEQUENCE {
///   targetCertificate  IssuerSerial,
///   targetName         GeneralName OPTIONAL,
///   certDigestInfo     ObjectDigestInfo OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 147.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct TargetCert<'a> {
    /// `targetCertificate IssuerSerial`.
    pub target_certificate: IssuerSerial<'a>,
    /// `targetName GeneralName OPTIONAL`.
    pub target_name: Option<tagwise_x509::ext::GeneralName<'a>>,
    /// `certDigestInfo ObjectDigestInfo OPTIONAL`.
    pub cert_digest_info: Option<ObjectDigestInfo<'a>>,
}

/// ```asn1
/// AAControls ::= SEQUENCE {
///   pathLenConstraint  INTEGER (0..MAX) OPTIONAL,
///   permittedAttrs     [0] AttrSpec OPTIONAL,
///   excludedAttrs      [1] AttrSpec OPTIONAL,
///   permitUnSpecified  BOOLEAN DEFAULT TRUE
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 153.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AAControls", defaults)]
pub struct AaControls<'a> {
    /// `pathLenConstraint INTEGER (0..MAX) OPTIONAL`.
    #[asn1(value(0..))]
    pub path_len_constraint: Option<Int<'a>>,
    /// `permittedAttrs [0] AttrSpec OPTIONAL`.
    #[asn1(implicit = 0)]
    pub permitted_attrs: Option<AttrSpec<'a>>,
    /// `excludedAttrs [1] AttrSpec OPTIONAL`.
    #[asn1(implicit = 1)]
    pub excluded_attrs: Option<AttrSpec<'a>>,
    /// `permitUnSpecified BOOLEAN DEFAULT TRUE`.
    #[asn1(name = "permitUnSpecified", default = true)]
    pub permit_unspecified: bool,
}

/// ```asn1
/// AttrSpec ::= SEQUENCE OF OBJECT IDENTIFIER
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 160.
pub type AttrSpec<'a> = SeqOf<'a, Oid<'a>>;

/// ```asn1
/// ProxyInfo ::= SEQUENCE OF Targets
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 162.
pub type ProxyInfo<'a> = SeqOf<'a, Targets<'a>>;

/// All values use the same alternative.
///
/// ```asn1
/// IetfAttrSyntax ::= SEQUENCE {
///   policyAuthority  [0] GeneralNames OPTIONAL,
///   values           SEQUENCE OF CHOICE {
///     octets  OCTET STRING,
///     oid     OBJECT IDENTIFIER,
///     string  UTF8String
///   }
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 165.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct IetfAttrSyntax<'a> {
    /// `policyAuthority [0] GeneralNames OPTIONAL`.
    #[asn1(implicit = 0)]
    pub policy_authority: Option<tagwise_x509::ext::GeneralNames<'a>>,
    /// `values SEQUENCE OF CHOICE { octets OCTET STRING, oid OBJECT IDENTIFIER, string UTF8String }`.
    pub values: SeqOf<'a, IetfAttrSyntaxValuesItem<'a>>,
}

/// ```asn1
/// CHOICE {
///   octets  OCTET STRING,
///   oid     OBJECT IDENTIFIER,
///   string  UTF8String
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 167.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum IetfAttrSyntaxValuesItem<'a> {
    /// `octets OCTET STRING`.
    Octets(OctetStr<'a>),
    /// `oid OBJECT IDENTIFIER`.
    Oid(Oid<'a>),
    /// `string UTF8String`.
    String(Utf8<'a>),
}

/// authInfo may be a password, so the attribute is sent encrypted, in at-encAttrs.
///
/// ```asn1
/// SvceAuthInfo ::= SEQUENCE {
///   service   GeneralName,
///   ident     GeneralName,
///   authInfo  OCTET STRING OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 175.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct SvceAuthInfo<'a> {
    /// `service GeneralName`.
    pub service: tagwise_x509::ext::GeneralName<'a>,
    /// `ident GeneralName`.
    pub ident: tagwise_x509::ext::GeneralName<'a>,
    /// `authInfo OCTET STRING OPTIONAL`.
    #[asn1(secret)]
    pub auth_info: Option<OctetStr<'a>>,
}

/// ```asn1
/// RoleSyntax ::= SEQUENCE {
///   roleAuthority  [0] GeneralNames OPTIONAL,
///   roleName       [1] GeneralName
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 181.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RoleSyntax<'a> {
    /// `roleAuthority [0] GeneralNames OPTIONAL`.
    #[asn1(implicit = 0)]
    pub role_authority: Option<tagwise_x509::ext::GeneralNames<'a>>,
    /// `roleName [1] GeneralName`.
    #[asn1(explicit = 1)]
    pub role_name: tagwise_x509::ext::GeneralName<'a>,
}

/// ```asn1
/// Clearance ::= SEQUENCE {
///   policyId            OBJECT IDENTIFIER,
///   classList           ClassList DEFAULT {unclassified},
///   securityCategories  SET OF SecurityCategory{{SupportedSecurityCategories}} OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 186.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Clearance<'a> {
    /// `policyId OBJECT IDENTIFIER`.
    pub policy_id: Oid<'a>,
    /// `classList ClassList DEFAULT '01'B`.
    #[asn1(default = ClassList(NamedBits::from_mask(0b10)))]
    pub class_list: ClassList<'a>,
    /// `securityCategories SET OF SecurityCategory{{SupportedSecurityCategories}} OPTIONAL`.
    pub security_categories: Option<SetOf<'a, crate::r#gen::attributes::SecurityCategory<'a>>>,
}

/// ```asn1
/// Clearance-rfc3281 ::= SEQUENCE {
///   policyId            [0] OBJECT IDENTIFIER,
///   classList           [1] ClassList DEFAULT {unclassified},
///   securityCategories  [2] SET OF SecurityCategory-rfc3281{{SupportedSecurityCategories}} OPTIONAL
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 192.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Clearance-rfc3281", constructor)]
pub struct ClearanceRfc3281<'a> {
    /// `policyId [0] OBJECT IDENTIFIER`.
    #[asn1(implicit = 0)]
    pub policy_id: Oid<'a>,
    /// `classList [1] ClassList DEFAULT '01'B`.
    #[asn1(implicit = 1, default = ClassList(NamedBits::from_mask(0b10)))]
    pub class_list: ClassList<'a>,
    /// `securityCategories [2] SET OF SecurityCategory-rfc3281{{SupportedSecurityCategories}} OPTIONAL`.
    #[asn1(implicit = 2)]
    pub security_categories: Option<SetOf<'a, SecurityCategoryRfc3281<'a>>>,
}

/// ```asn1
/// ClassList ::= BIT STRING {
///   unmarked(0),
///   unclassified(1),
///   restricted(2),
///   confidential(3),
///   secret(4),
///   topSecret(5)
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 198.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_bits(unmarked = 0, unclassified = 1, restricted = 2, confidential = 3, secret = 4, top_secret = 5))]
pub struct ClassList<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// SecurityCategory-rfc3281{SECURITY-CATEGORY:Supported} ::= SEQUENCE {
///   type   [0] IMPLICIT SECURITY-CATEGORY.&id({Supported}),
///   value  [1] EXPLICIT SECURITY-CATEGORY.&Type({Supported}{@type})
/// }
/// ```
///
/// `SecurityCategory-rfc3281{{ SupportedSecurityCategories }}`: `PKIXAttributeCertificate-2009.asn1`, line 209.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SecurityCategory-rfc3281-SupportedSecurityCategories")]
pub struct SecurityCategoryRfc3281<'a> {
    /// `type [0] IMPLICIT SECURITY-CATEGORY.&id({Supported})`.
    #[asn1(implicit = 0, name = "type")]
    pub category_type: Oid<'a>,
    /// `value [1] EXPLICIT SECURITY-CATEGORY.&Type({Supported}{@type})`.
    #[asn1(explicit = 1)]
    pub value: Any<'a>,
}

/// The decrypted content of at-encAttrs. Issuer and serial number bind it to its certificate.
///
/// ```asn1
/// ACClearAttrs ::= SEQUENCE {
///   acIssuer  GeneralName,
///   acSerial  INTEGER,
///   attrs     SEQUENCE OF AttributeSet{{AttributesDefined}}
/// }
/// ```
///
/// `PKIXAttributeCertificate-2009.asn1`, line 215.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ACClearAttrs")]
pub struct AcClearAttrs<'a> {
    /// `acIssuer GeneralName`.
    pub ac_issuer: tagwise_x509::ext::GeneralName<'a>,
    /// `acSerial INTEGER`.
    pub ac_serial: Int<'a>,
    /// `attrs SEQUENCE OF AttributeSet{{AttributesDefined}}`.
    pub attrs: SeqOf<'a, tagwise_x509::ext::Attribute<'a>>,
}
