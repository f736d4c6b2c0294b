//! ASN.1 module `ExtendedSecurityServices-2009`, from `ExtendedSecurityServices-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Enhanced Security Services: receipts, labels, mailing lists, and the signing certificate.
//! RFC 2634 and RFC 5035, in the form of RFC 5911 §7.
#![allow(clippy::large_enum_variant)]

use super::attributes::SecurityCategory;
use super::cms::{ContentType, IssuerAndSerialNumber, SubjectKeyIdentifier};
use tagwise_codec::{GeneralizedTime, OctetStr, Oid, Printable, SeqOf, SetOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// id-aa-receiptRequest OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 1 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 36.
pub const ID_AA_RECEIPT_REQUEST: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.1");

/// ```asn1
/// ReceiptRequest ::= SEQUENCE {
///   signedContentIdentifier  ContentIdentifier,
///   receiptsFrom             ReceiptsFrom,
///   receiptsTo               SEQUENCE SIZE (1..ub-receiptsTo) OF GeneralNames
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 39.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ReceiptRequest<'a> {
    /// `signedContentIdentifier ContentIdentifier`.
    pub signed_content_identifier: ContentIdentifier<'a>,
    /// `receiptsFrom ReceiptsFrom`.
    pub receipts_from: ReceiptsFrom<'a>,
    /// `receiptsTo SEQUENCE SIZE (1..ub-receiptsTo) OF GeneralNames`.
    #[asn1(size(1..=16))]
    pub receipts_to: SeqOf<'a, tagwise_x509::ext::GeneralNames<'a>>,
}

/// ```asn1
/// ub-receiptsTo INTEGER ::= 16
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 45.
pub const UB_RECEIPTS_TO: i64 = 16;

/// ```asn1
/// id-aa-contentIdentifier OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 7 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 49.
pub const ID_AA_CONTENT_IDENTIFIER: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.7");

/// ```asn1
/// ContentIdentifier ::= OCTET STRING
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 52.
pub type ContentIdentifier<'a> = OctetStr<'a>;

/// ```asn1
/// ReceiptsFrom ::= CHOICE {
///   allOrFirstTier  [0] AllOrFirstTier,
///   receiptList     [1] SEQUENCE OF GeneralNames
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 54.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum ReceiptsFrom<'a> {
    /// `allOrFirstTier [0] AllOrFirstTier`.
    #[asn1(implicit = 0)]
    AllOrFirstTier(AllOrFirstTier),
    /// `receiptList [1] SEQUENCE OF GeneralNames`.
    #[asn1(implicit = 1)]
    ReceiptList(SeqOf<'a, tagwise_x509::ext::GeneralNames<'a>>),
}

/// ```asn1
/// AllOrFirstTier ::= INTEGER { allReceipts(0), firstTierRecipients(1) }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 59.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(all_receipts = 0, first_tier_recipients = 1), convert)]
pub struct AllOrFirstTier(
    /// The number.
    pub u8,
);

impl AllOrFirstTier {
    /// `allReceipts` (0).
    pub const ALL_RECEIPTS: Self = Self(0);

    /// `firstTierRecipients` (1).
    pub const FIRST_TIER_RECIPIENTS: Self = Self(1);
}

/// ```asn1
/// id-ct-receipt OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-ct(1) 1 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 63.
pub const ID_CT_RECEIPT: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.1");

/// ```asn1
/// Receipt ::= SEQUENCE {
///   version                   ESSVersion,
///   contentType               ContentType,
///   signedContentIdentifier   ContentIdentifier,
///   originatorSignatureValue  OCTET STRING
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 66.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Receipt<'a> {
    /// `version ESSVersion`.
    pub version: EssVersion,
    /// `contentType ContentType`.
    pub content_type: ContentType<'a>,
    /// `signedContentIdentifier ContentIdentifier`.
    pub signed_content_identifier: ContentIdentifier<'a>,
    /// `originatorSignatureValue OCTET STRING`.
    pub originator_signature_value: OctetStr<'a>,
}

/// ```asn1
/// ESSVersion ::= INTEGER { v1(1) }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 73.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "ESSVersion", named_numbers(v1 = 1), convert)]
pub struct EssVersion(
    /// The number.
    pub u8,
);

impl EssVersion {
    /// `v1` (1).
    pub const V1: Self = Self(1);
}

/// ```asn1
/// id-aa-contentHint OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 4 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 77.
pub const ID_AA_CONTENT_HINT: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.4");

/// ```asn1
/// ContentHints ::= SEQUENCE {
///   contentDescription  UTF8String (SIZE (1..MAX)) OPTIONAL,
///   contentType         ContentType
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 80.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct ContentHints<'a> {
    /// `contentDescription UTF8String (SIZE (1..MAX)) OPTIONAL`.
    #[asn1(size(1..))]
    pub content_description: Option<Utf8<'a>>,
    /// `contentType ContentType`.
    pub content_type: ContentType<'a>,
}

/// ```asn1
/// id-aa-msgSigDigest OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 5 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 87.
pub const ID_AA_MSG_SIG_DIGEST: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.5");

/// ```asn1
/// MsgSigDigest ::= OCTET STRING
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 90.
pub type MsgSigDigest<'a> = OctetStr<'a>;

/// ```asn1
/// id-aa-contentReference OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 10 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 94.
pub const ID_AA_CONTENT_REFERENCE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.10");

/// ```asn1
/// ContentReference ::= SEQUENCE {
///   contentType               ContentType,
///   signedContentIdentifier   ContentIdentifier,
///   originatorSignatureValue  OCTET STRING
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 97.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ContentReference<'a> {
    /// `contentType ContentType`.
    pub content_type: ContentType<'a>,
    /// `signedContentIdentifier ContentIdentifier`.
    pub signed_content_identifier: ContentIdentifier<'a>,
    /// `originatorSignatureValue OCTET STRING`.
    pub originator_signature_value: OctetStr<'a>,
}

/// ```asn1
/// id-aa-securityLabel OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 2 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 107.
pub const ID_AA_SECURITY_LABEL: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.2");

/// A SET, whose components DER sorts by tag.
///
/// ```asn1
/// ESSSecurityLabel ::= SET {
///   security-policy-identifier  SecurityPolicyIdentifier,
///   security-classification     SecurityClassification OPTIONAL,
///   privacy-mark                ESSPrivacyMark OPTIONAL,
///   security-categories         SecurityCategories OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 111.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ESSSecurityLabel", set, constructor)]
pub struct EssSecurityLabel<'a> {
    /// `security-policy-identifier SecurityPolicyIdentifier`.
    #[asn1(name = "security-policy-identifier")]
    pub security_policy_identifier: SecurityPolicyIdentifier<'a>,
    /// `security-classification SecurityClassification OPTIONAL`.
    #[asn1(name = "security-classification")]
    pub security_classification: Option<SecurityClassification>,
    /// `privacy-mark ESSPrivacyMark OPTIONAL`.
    #[asn1(name = "privacy-mark")]
    pub privacy_mark: Option<EssPrivacyMark<'a>>,
    /// `security-categories SecurityCategories OPTIONAL`.
    #[asn1(name = "security-categories")]
    pub security_categories: Option<SecurityCategories<'a>>,
}

/// ```asn1
/// SecurityPolicyIdentifier ::= OBJECT IDENTIFIER
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 118.
pub type SecurityPolicyIdentifier<'a> = Oid<'a>;

/// ```asn1
/// SecurityClassification ::= INTEGER {
///   unmarked(0),
///   unclassified(1),
///   restricted(2),
///   confidential(3),
///   secret(4),
///   top-secret(5)
/// } (0..ub-integer-options)
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 120.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0..=256))]
#[asn1(named_numbers(
    unmarked = 0,
    unclassified = 1,
    restricted = 2,
    confidential = 3,
    secret = 4,
    top_secret("top-secret") = 5
))]
#[asn1(convert)]
pub struct SecurityClassification(
    /// The number.
    pub u16,
);

impl SecurityClassification {
    /// `unmarked` (0).
    pub const UNMARKED: Self = Self(0);

    /// `unclassified` (1).
    pub const UNCLASSIFIED: Self = Self(1);

    /// `restricted` (2).
    pub const RESTRICTED: Self = Self(2);

    /// `confidential` (3).
    pub const CONFIDENTIAL: Self = Self(3);

    /// `secret` (4).
    pub const SECRET: Self = Self(4);

    /// `top-secret` (5).
    pub const TOP_SECRET: Self = Self(5);
}

/// ```asn1
/// ub-integer-options INTEGER ::= 256
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 129.
pub const UB_INTEGER_OPTIONS: i64 = 256;

/// ```asn1
/// ESSPrivacyMark ::= CHOICE {
///   pString     PrintableString (SIZE (1..ub-privacy-mark-length)),
///   utf8String  UTF8String (SIZE (1..MAX))
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 131.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ESSPrivacyMark")]
pub enum EssPrivacyMark<'a> {
    /// `pString PrintableString (SIZE (1..ub-privacy-mark-length))`.
    #[asn1(size(1..=128))]
    PString(Printable<'a>),
    /// `utf8String UTF8String (SIZE (1..MAX))`.
    #[asn1(size(1..))]
    Utf8String(Utf8<'a>),
}

/// ```asn1
/// ub-privacy-mark-length INTEGER ::= 128
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 136.
pub const UB_PRIVACY_MARK_LENGTH: i64 = 128;

/// ```asn1
/// SecurityCategories ::= SET SIZE (1..ub-security-categories) OF SecurityCategory{{SupportedSecurityCategories}}
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=64), convert)]
pub struct SecurityCategories<'a>(
    /// The wrapped value.
    pub SetOf<'a, SecurityCategory<'a>>,
);

/// ```asn1
/// ub-security-categories INTEGER ::= 64
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 140.
pub const UB_SECURITY_CATEGORIES: i64 = 64;

/// ```asn1
/// id-aa-equivalentLabels OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 9 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 146.
pub const ID_AA_EQUIVALENT_LABELS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.9");

/// ```asn1
/// EquivalentLabels ::= SEQUENCE OF ESSSecurityLabel
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 149.
pub type EquivalentLabels<'a> = SeqOf<'a, EssSecurityLabel<'a>>;

/// ```asn1
/// id-aa-mlExpandHistory OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) id-aa(2) 3 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 155.
pub const ID_AA_ML_EXPAND_HISTORY: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.3");

/// ```asn1
/// MLExpansionHistory ::= SEQUENCE SIZE (1..ub-ml-expansion-history) OF MLData
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 158.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "MLExpansionHistory", size(1..=64), convert)]
pub struct MlExpansionHistory<'a>(
    /// The wrapped value.
    pub SeqOf<'a, MlData<'a>>,
);

/// ```asn1
/// ub-ml-expansion-history INTEGER ::= 64
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 160.
pub const UB_ML_EXPANSION_HISTORY: i64 = 64;

/// ```asn1
/// MLData ::= SEQUENCE {
///   mailListIdentifier  EntityIdentifier,
///   expansionTime       GeneralizedTime,
///   mlReceiptPolicy     MLReceiptPolicy OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 162.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "MLData", constructor)]
pub struct MlData<'a> {
    /// `mailListIdentifier EntityIdentifier`.
    pub mail_list_identifier: EntityIdentifier<'a>,
    /// `expansionTime GeneralizedTime`.
    pub expansion_time: GeneralizedTime<'a>,
    /// `mlReceiptPolicy MLReceiptPolicy OPTIONAL`.
    pub ml_receipt_policy: Option<MlReceiptPolicy<'a>>,
}

/// ```asn1
/// EntityIdentifier ::= CHOICE {
///   issuerAndSerialNumber  IssuerAndSerialNumber,
///   subjectKeyIdentifier   SubjectKeyIdentifier
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 168.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum EntityIdentifier<'a> {
    /// `issuerAndSerialNumber IssuerAndSerialNumber`.
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `subjectKeyIdentifier SubjectKeyIdentifier`.
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
}

/// ```asn1
/// MLReceiptPolicy ::= CHOICE {
///   none          [0] NULL,
///   insteadOf     [1] SEQUENCE SIZE (1..MAX) OF GeneralNames,
///   inAdditionTo  [2] SEQUENCE SIZE (1..MAX) OF GeneralNames
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 173.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "MLReceiptPolicy")]
pub enum MlReceiptPolicy<'a> {
    /// `none [0] NULL`.
    #[asn1(implicit = 0)]
    None,
    /// `insteadOf [1] SEQUENCE SIZE (1..MAX) OF GeneralNames`.
    #[asn1(implicit = 1, size(1..))]
    InsteadOf(SeqOf<'a, tagwise_x509::ext::GeneralNames<'a>>),
    /// `inAdditionTo [2] SEQUENCE SIZE (1..MAX) OF GeneralNames`.
    #[asn1(implicit = 2, size(1..))]
    InAdditionTo(SeqOf<'a, tagwise_x509::ext::GeneralNames<'a>>),
}

/// ```asn1
/// id-aa-signingCertificate OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) smime(16) id-aa(2) 12 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 184.
pub const ID_AA_SIGNING_CERTIFICATE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.12");

/// The first certificate is the signer's.
///
/// ```asn1
/// SigningCertificate ::= SEQUENCE {
///   certs     SEQUENCE OF ESSCertID,
///   policies  SEQUENCE OF PolicyInformation OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 188.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SigningCertificate<'a> {
    /// `certs SEQUENCE OF ESSCertID`.
    pub certs: SeqOf<'a, EssCertId<'a>>,
    /// `policies SEQUENCE OF PolicyInformation OPTIONAL`.
    pub policies: Option<SeqOf<'a, tagwise_x509::ext::PolicyInformation<'a>>>,
}

/// ```asn1
/// ESSCertID ::= SEQUENCE {
///   certHash      Hash,
///   issuerSerial  IssuerSerial OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 193.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ESSCertID", constructor)]
pub struct EssCertId<'a> {
    /// `certHash Hash`.
    pub cert_hash: Hash<'a>,
    /// `issuerSerial IssuerSerial OPTIONAL`.
    pub issuer_serial: Option<IssuerSerial<'a>>,
}

/// ```asn1
/// id-aa-signingCertificateV2 OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) smime(16) id-aa(2) 47 }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 200.
pub const ID_AA_SIGNING_CERTIFICATE_V2: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.47");

/// ```asn1
/// SigningCertificateV2 ::= SEQUENCE {
///   certs     SEQUENCE OF ESSCertIDv2,
///   policies  SEQUENCE OF PolicyInformation OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 203.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SigningCertificateV2<'a> {
    /// `certs SEQUENCE OF ESSCertIDv2`.
    pub certs: SeqOf<'a, EssCertIdV2<'a>>,
    /// `policies SEQUENCE OF PolicyInformation OPTIONAL`.
    pub policies: Option<SeqOf<'a, tagwise_x509::ext::PolicyInformation<'a>>>,
}

/// ```asn1
/// HashAlgorithm ::= AlgorithmIdentifier{DIGEST-ALGORITHM, {mda-sha256, ...}}
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 208.
pub type HashAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// The default is SHA-256 without parameters. SHA-256 with NULL is a different value, which is encoded.
///
/// ```asn1
/// ESSCertIDv2 ::= SEQUENCE {
///   hashAlgorithm  HashAlgorithm DEFAULT { algorithm mda-sha256.&id },
///   certHash       Hash,
///   issuerSerial   IssuerSerial OPTIONAL
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 211.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ESSCertIDv2", constructor)]
pub struct EssCertIdV2<'a> {
    /// `hashAlgorithm HashAlgorithm DEFAULT { … }`.
    #[asn1(default_der = [0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])]
    pub hash_algorithm: HashAlgorithm<'a>,
    /// `certHash Hash`.
    pub cert_hash: Hash<'a>,
    /// `issuerSerial IssuerSerial OPTIONAL`.
    pub issuer_serial: Option<IssuerSerial<'a>>,
}

/// The digest of the complete certificate.
///
/// ```asn1
/// Hash ::= OCTET STRING
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 218.
pub type Hash<'a> = OctetStr<'a>;

/// ```asn1
/// IssuerSerial ::= SEQUENCE {
///   issuer        GeneralNames,
///   serialNumber  CertificateSerialNumber
/// }
/// ```
///
/// `ExtendedSecurityServices-2009.asn1`, line 220.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct IssuerSerial<'a> {
    /// `issuer GeneralNames`.
    pub issuer: tagwise_x509::ext::GeneralNames<'a>,
    /// `serialNumber CertificateSerialNumber`.
    pub serial_number: tagwise_codec::Int<'a>,
}
