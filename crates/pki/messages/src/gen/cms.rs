//! ASN.1 module `CryptographicMessageSyntax-2010`, from `CryptographicMessageSyntax-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The Cryptographic Message Syntax: signed, enveloped, encrypted, digested and authenticated data.
//! RFC 5652, in the form of RFC 6268 §8.
//!
//! CMS is BER: lengths may be indefinite and strings come in segments. What is DER whatever stands around it: signed and
//! authenticated attributes (§5.3, §9.1), and whatever is signed in its own right (certificates, revocation lists).
#![allow(clippy::large_enum_variant)]

use super::ac::AttributeCertificate;
use super::ac_v1::AttributeCertificateV1;
use super::cmc::{PkiData, PkiResponse};
use super::cms_auth_enveloped::AuthEnvelopedData;
use super::cms_collection::{ContentCollection, ContentWithAttributes};
use super::cms_compressed::CompressedData;
use super::cms_kem::KemRecipientInfo;
use super::crmf::EncKeyWithId;
use super::ess::Receipt;
use super::pkcs8::AsymmetricKeyPackage;
use super::rpki_manifest::Manifest;
use super::rpki_roa::RouteOriginAttestation;
use super::tsp::TstInfo;
use tagwise_codec::{Additions, Any, BitStr, GeneralizedTime, OctetStr, Oid, Open, Raw, SeqOf, SetOf, Unknown};
use tagwise_derive::Asn1;

/// ```asn1
/// ContentType ::= CONTENT-TYPE.&id
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 69.
pub type ContentType<'a> = Oid<'a>;

/// ```asn1
/// ContentInfo ::= SEQUENCE {
///   contentType  CONTENT-TYPE.&id({ContentSet}),
///   content      [0] EXPLICIT CONTENT-TYPE.&Type({ContentSet}{@contentType})
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 71.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ContentInfo<'a> {
    /// `contentType CONTENT-TYPE.&id({ContentSet})`.
    pub content_type: Oid<'a>,
    /// `content [0] EXPLICIT CONTENT-TYPE.&Type({ContentSet}{@contentType})`.
    #[asn1(explicit = 0, defined_by = content_type)]
    pub content: Open<'a, Content<'a>>,
}

/// ```asn1
/// ContentSet CONTENT-TYPE ::= {
///   ct-Data | ct-SignedData | ct-EncryptedData | ct-EnvelopedData | ct-AuthenticatedData | ct-DigestedData,
///   ...,
///   ct-authEnvelopedData | ct-compressedData | ct-ContentCollection | ct-ContentWithAttributes | ct-receipt |
///   ct-TSTInfo | ct-asymmetric-key-package | ct-encKeyWithID | ct-PKIData | ct-PKIResponse |
///   ct-rpkiManifest | ct-routeOriginAttestation
/// }
/// ```
///
/// The types that `ContentSet` selects: `CryptographicMessageSyntax-2010.asn1`, line 76.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ContentSet", open_type)]
pub enum Content<'a> {
    /// `ct-SignedData`.
    #[asn1(oid = "1.2.840.113549.1.7.2", name = "ct-SignedData")]
    SignedData(SignedData<'a>),
    /// `ct-EncryptedData`.
    #[asn1(oid = "1.2.840.113549.1.7.6", name = "ct-EncryptedData")]
    EncryptedData(EncryptedData<'a>),
    /// `ct-EnvelopedData`.
    #[asn1(oid = "1.2.840.113549.1.7.3", name = "ct-EnvelopedData")]
    EnvelopedData(EnvelopedData<'a>),
    /// `ct-AuthenticatedData`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.2", name = "ct-AuthenticatedData")]
    AuthenticatedData(AuthenticatedData<'a>),
    /// `ct-DigestedData`.
    #[asn1(oid = "1.2.840.113549.1.7.5", name = "ct-DigestedData")]
    DigestedData(DigestedData<'a>),
    /// `ct-authEnvelopedData`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.23", name = "ct-authEnvelopedData")]
    AuthEnvelopedData(AuthEnvelopedData<'a>),
    /// `ct-compressedData`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.9", name = "ct-compressedData")]
    CompressedData(CompressedData<'a>),
    /// `ct-ContentCollection`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.19", name = "ct-ContentCollection")]
    ContentCollection(ContentCollection<'a>),
    /// `ct-ContentWithAttributes`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.20", name = "ct-ContentWithAttributes")]
    ContentWithAttributes(ContentWithAttributes<'a>),
    /// `ct-receipt`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.1", name = "ct-receipt")]
    Receipt(Receipt<'a>),
    /// `ct-TSTInfo`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.4", name = "ct-TSTInfo")]
    TstInfo(TstInfo<'a>),
    /// `ct-asymmetric-key-package`.
    #[asn1(oid = "2.16.840.1.101.2.1.2.78.5", name = "ct-asymmetric-key-package")]
    AsymmetricKeyPackage(AsymmetricKeyPackage<'a>),
    /// `ct-encKeyWithID`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.21", name = "ct-encKeyWithID")]
    EncKeyWithId(EncKeyWithId<'a>),
    /// `ct-PKIData`.
    #[asn1(oid = "1.3.6.1.5.5.7.12.2", name = "ct-PKIData")]
    PkiData(PkiData<'a>),
    /// `ct-PKIResponse`.
    #[asn1(oid = "1.3.6.1.5.5.7.12.3", name = "ct-PKIResponse")]
    PkiResponse(PkiResponse<'a>),
    /// `ct-rpkiManifest`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.26", name = "ct-rpkiManifest")]
    RpkiManifest(Manifest<'a>),
    /// `ct-routeOriginAttestation`.
    #[asn1(oid = "1.2.840.113549.1.9.16.1.24", name = "ct-routeOriginAttestation")]
    RouteOriginAttestation(RouteOriginAttestation<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// The contents determine version (§5.1). The included certificates and CRLs are not trusted as such.
///
/// ```asn1
/// SignedData ::= SEQUENCE {
///   version           CMSVersion,
///   digestAlgorithms  SET OF DigestAlgorithmIdentifier,
///   encapContentInfo  EncapsulatedContentInfo,
///   certificates      [0] IMPLICIT CertificateSet OPTIONAL,
///   crls              [1] IMPLICIT RevocationInfoChoices OPTIONAL,
///   signerInfos       SignerInfos
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 87.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SignedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `digestAlgorithms SET OF DigestAlgorithmIdentifier`.
    pub digest_algorithms: SetOf<'a, DigestAlgorithmIdentifier<'a>>,
    /// `encapContentInfo EncapsulatedContentInfo`.
    pub encap_content_info: crate::cms::EncapsulatedContentInfo<'a>,
    /// `certificates [0] IMPLICIT CertificateSet OPTIONAL`.
    #[asn1(implicit = 0)]
    pub certificates: Option<CertificateSet<'a>>,
    /// `crls [1] IMPLICIT RevocationInfoChoices OPTIONAL`.
    #[asn1(implicit = 1)]
    pub crls: Option<RevocationInfoChoices<'a>>,
    /// `signerInfos SignerInfos`.
    pub signer_infos: SignerInfos<'a>,
}

/// ```asn1
/// SignerInfos ::= SET OF SignerInfo
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 96.
pub type SignerInfos<'a> = SetOf<'a, SignerInfo<'a>>;

/// If signedAttrs is present, the signature covers its DER with the tag of a SET (31) in place of \[0\] (§5.4).
///
/// ```asn1
/// SignerInfo ::= SEQUENCE {
///   version             CMSVersion,
///   sid                 SignerIdentifier,
///   digestAlgorithm     DigestAlgorithmIdentifier,
///   signedAttrs         [0] IMPLICIT SignedAttributes OPTIONAL,
///   signatureAlgorithm  SignatureAlgorithmIdentifier,
///   signature           SignatureValue,
///   unsignedAttrs       [1] IMPLICIT Attributes{{UnsignedAttributes}} OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 106.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct SignerInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `sid SignerIdentifier`.
    pub sid: SignerIdentifier<'a>,
    /// `digestAlgorithm DigestAlgorithmIdentifier`.
    pub digest_algorithm: DigestAlgorithmIdentifier<'a>,
    /// `signedAttrs [0] IMPLICIT SignedAttributes OPTIONAL`.
    #[asn1(implicit = 0)]
    pub signed_attrs: Option<SignedAttributes<'a>>,
    /// `signatureAlgorithm SignatureAlgorithmIdentifier`.
    pub signature_algorithm: SignatureAlgorithmIdentifier<'a>,
    /// `signature SignatureValue`.
    pub signature: SignatureValue<'a>,
    /// `unsignedAttrs [1] IMPLICIT Attributes{{UnsignedAttributes}} OPTIONAL`.
    #[asn1(implicit = 1)]
    pub unsigned_attrs: Option<crate::r#gen::cms::Attributes<'a>>,
}

/// ```asn1
/// SignedAttributes ::= Attributes{{SignedAttributesSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 116.
pub type SignedAttributes<'a> = Attributes<'a>;

/// ```asn1
/// SignerIdentifier ::= CHOICE {
///   issuerAndSerialNumber   IssuerAndSerialNumber,
///   ...,
///   [[3:
///   subjectKeyIdentifier    [0] SubjectKeyIdentifier
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 118.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum SignerIdentifier<'a> {
    /// `issuerAndSerialNumber IssuerAndSerialNumber`.
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `subjectKeyIdentifier [0] SubjectKeyIdentifier`.
    #[asn1(implicit = 0)]
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// SignatureValue ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 134.
pub type SignatureValue<'a> = OctetStr<'a>;

/// Enveloped data: RFC 5652 §6
///
/// ```asn1
/// EnvelopedData ::= SEQUENCE {
///   version               CMSVersion,
///   originatorInfo        [0] IMPLICIT OriginatorInfo OPTIONAL,
///   recipientInfos        RecipientInfos,
///   encryptedContentInfo  EncryptedContentInfo,
///   ...,
///   [[2:
///   unprotectedAttrs      [1] IMPLICIT Attributes{{UnprotectedEnvAttributes}} OPTIONAL
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 138.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct EnvelopedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `originatorInfo [0] IMPLICIT OriginatorInfo OPTIONAL`.
    #[asn1(implicit = 0)]
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// `recipientInfos RecipientInfos`.
    pub recipient_infos: RecipientInfos<'a>,
    /// `encryptedContentInfo EncryptedContentInfo`.
    pub encrypted_content_info: EncryptedContentInfo<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `unprotectedAttrs [1] IMPLICIT Attributes{{UnprotectedEnvAttributes}} OPTIONAL`.
    #[asn1(implicit = 1)]
    pub unprotected_attrs: Option<crate::r#gen::cms::Attributes<'a>>,
}

/// ```asn1
/// OriginatorInfo ::= SEQUENCE {
///   certs  [0] IMPLICIT CertificateSet OPTIONAL,
///   crls   [1] IMPLICIT RevocationInfoChoices OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 149.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct OriginatorInfo<'a> {
    /// `certs [0] IMPLICIT CertificateSet OPTIONAL`.
    #[asn1(implicit = 0)]
    pub certs: Option<CertificateSet<'a>>,
    /// `crls [1] IMPLICIT RevocationInfoChoices OPTIONAL`.
    #[asn1(implicit = 1)]
    pub crls: Option<RevocationInfoChoices<'a>>,
}

/// ```asn1
/// RecipientInfos ::= SET SIZE (1..MAX) OF RecipientInfo
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 154.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct RecipientInfos<'a>(
    /// The wrapped value.
    pub SetOf<'a, RecipientInfo<'a>>,
);

/// ```asn1
/// EncryptedContentInfo ::= EncryptedContentInfoType{ContentEncryptionAlgorithmIdentifier}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 156.
pub type EncryptedContentInfo<'a> = EncryptedContentInfoType<'a>;

/// In large messages, encryptedContent is a segmented string.
///
/// ```asn1
/// EncryptedContentInfoType{AlgorithmIdentifierType} ::= SEQUENCE {
///   contentType                 CONTENT-TYPE.&id({ContentSet}),
///   contentEncryptionAlgorithm  AlgorithmIdentifierType,
///   encryptedContent            [0] IMPLICIT OCTET STRING OPTIONAL
/// }
/// ```
///
/// `EncryptedContentInfoType{ContentEncryptionAlgorithmIdentifier}`: `CryptographicMessageSyntax-2010.asn1`, line 159.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "EncryptedContentInfoType-ContentEncryptionAlgorithmIdentifier", constructor)]
pub struct EncryptedContentInfoType<'a> {
    /// `contentType CONTENT-TYPE.&id({ContentSet})`.
    pub content_type: Oid<'a>,
    /// `contentEncryptionAlgorithm AlgorithmIdentifierType`.
    pub content_encryption_algorithm: ContentEncryptionAlgorithmIdentifier<'a>,
    /// `encryptedContent [0] IMPLICIT OCTET STRING OPTIONAL`.
    #[asn1(implicit = 0)]
    pub encrypted_content: Option<OctetStr<'a>>,
}

/// ```asn1
/// RecipientInfo ::= CHOICE {
///   ktri    KeyTransRecipientInfo,
///   ...,
///   [[3:
///   kari    [1] KeyAgreeRecipientInfo
///   ]],
///   [[4:
///   kekri   [2] KEKRecipientInfo
///   ]],
///   [[5:
///   pwri    [3] PasswordRecipientInfo,
///   ori     [4] OtherRecipientInfo
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 169.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum RecipientInfo<'a> {
    /// `ktri KeyTransRecipientInfo`.
    Ktri(KeyTransRecipientInfo<'a>),
    /// `kari [1] KeyAgreeRecipientInfo`.
    #[asn1(implicit = 1)]
    Kari(KeyAgreeRecipientInfo<'a>),
    /// `kekri [2] KEKRecipientInfo`.
    #[asn1(implicit = 2)]
    Kekri(KekRecipientInfo<'a>),
    /// `pwri [3] PasswordRecipientInfo`.
    #[asn1(implicit = 3)]
    Pwri(PasswordRecipientInfo<'a>),
    /// `ori [4] OtherRecipientInfo`.
    #[asn1(implicit = 4)]
    Ori(OtherRecipientInfo<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// EncryptedKey ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 184.
pub type EncryptedKey<'a> = OctetStr<'a>;

/// ```asn1
/// KeyTransRecipientInfo ::= SEQUENCE {
///   version                 CMSVersion,
///   rid                     RecipientIdentifier,
///   keyEncryptionAlgorithm  AlgorithmIdentifier{KEY-TRANSPORT, {KeyTransportAlgorithmSet}},
///   encryptedKey            EncryptedKey
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 186.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KeyTransRecipientInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `rid RecipientIdentifier`.
    pub rid: RecipientIdentifier<'a>,
    /// `keyEncryptionAlgorithm AlgorithmIdentifier{KEY-TRANSPORT, {KeyTransportAlgorithmSet}}`.
    pub key_encryption_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `encryptedKey EncryptedKey`.
    pub encrypted_key: EncryptedKey<'a>,
}

/// ```asn1
/// RecipientIdentifier ::= CHOICE {
///   issuerAndSerialNumber   IssuerAndSerialNumber,
///   ...,
///   [[2:
///   subjectKeyIdentifier    [0] SubjectKeyIdentifier
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 195.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum RecipientIdentifier<'a> {
    /// `issuerAndSerialNumber IssuerAndSerialNumber`.
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `subjectKeyIdentifier [0] SubjectKeyIdentifier`.
    #[asn1(implicit = 0)]
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// KeyAgreeRecipientInfo ::= SEQUENCE {
///   version                 CMSVersion,
///   originator              [0] EXPLICIT OriginatorIdentifierOrKey,
///   ukm                     [1] EXPLICIT UserKeyingMaterial OPTIONAL,
///   keyEncryptionAlgorithm  AlgorithmIdentifier{KEY-AGREE, {KeyAgreementAlgorithmSet}},
///   recipientEncryptedKeys  RecipientEncryptedKeys
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 203.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct KeyAgreeRecipientInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `originator [0] EXPLICIT OriginatorIdentifierOrKey`.
    #[asn1(explicit = 0)]
    pub originator: OriginatorIdentifierOrKey<'a>,
    /// `ukm [1] EXPLICIT UserKeyingMaterial OPTIONAL`.
    #[asn1(explicit = 1)]
    pub ukm: Option<UserKeyingMaterial<'a>>,
    /// `keyEncryptionAlgorithm AlgorithmIdentifier{KEY-AGREE, {KeyAgreementAlgorithmSet}}`.
    pub key_encryption_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `recipientEncryptedKeys RecipientEncryptedKeys`.
    pub recipient_encrypted_keys: RecipientEncryptedKeys<'a>,
}

/// ```asn1
/// OriginatorIdentifierOrKey ::= CHOICE {
///   issuerAndSerialNumber  IssuerAndSerialNumber,
///   subjectKeyIdentifier   [0] SubjectKeyIdentifier,
///   originatorKey          [1] OriginatorPublicKey
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 213.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum OriginatorIdentifierOrKey<'a> {
    /// `issuerAndSerialNumber IssuerAndSerialNumber`.
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `subjectKeyIdentifier [0] SubjectKeyIdentifier`.
    #[asn1(implicit = 0)]
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
    /// `originatorKey [1] OriginatorPublicKey`.
    #[asn1(implicit = 1)]
    OriginatorKey(OriginatorPublicKey<'a>),
}

/// ```asn1
/// OriginatorPublicKey ::= SEQUENCE {
///   algorithm  AlgorithmIdentifier{PUBLIC-KEY, {OriginatorKeySet}},
///   publicKey  BIT STRING
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 219.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OriginatorPublicKey<'a> {
    /// `algorithm AlgorithmIdentifier{PUBLIC-KEY, {OriginatorKeySet}}`.
    pub algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `publicKey BIT STRING`.
    pub public_key: BitStr<'a>,
}

/// ```asn1
/// RecipientEncryptedKeys ::= SEQUENCE OF RecipientEncryptedKey
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 226.
pub type RecipientEncryptedKeys<'a> = SeqOf<'a, RecipientEncryptedKey<'a>>;

/// ```asn1
/// RecipientEncryptedKey ::= SEQUENCE {
///   rid           KeyAgreeRecipientIdentifier,
///   encryptedKey  EncryptedKey
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 228.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RecipientEncryptedKey<'a> {
    /// `rid KeyAgreeRecipientIdentifier`.
    pub rid: KeyAgreeRecipientIdentifier<'a>,
    /// `encryptedKey EncryptedKey`.
    pub encrypted_key: EncryptedKey<'a>,
}

/// ```asn1
/// KeyAgreeRecipientIdentifier ::= CHOICE {
///   issuerAndSerialNumber  IssuerAndSerialNumber,
///   rKeyId                 [0] IMPLICIT RecipientKeyIdentifier
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 233.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum KeyAgreeRecipientIdentifier<'a> {
    /// `issuerAndSerialNumber IssuerAndSerialNumber`.
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    /// `rKeyId [0] IMPLICIT RecipientKeyIdentifier`.
    #[asn1(implicit = 0)]
    RKeyId(RecipientKeyIdentifier<'a>),
}

/// ```asn1
/// RecipientKeyIdentifier ::= SEQUENCE {
///   subjectKeyIdentifier  SubjectKeyIdentifier,
///   date                  GeneralizedTime OPTIONAL,
///   other                 OtherKeyAttribute OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 238.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct RecipientKeyIdentifier<'a> {
    /// `subjectKeyIdentifier SubjectKeyIdentifier`.
    pub subject_key_identifier: SubjectKeyIdentifier<'a>,
    /// `date GeneralizedTime OPTIONAL`.
    pub date: Option<GeneralizedTime<'a>>,
    /// `other OtherKeyAttribute OPTIONAL`.
    pub other: Option<OtherKeyAttribute<'a>>,
}

/// ```asn1
/// SubjectKeyIdentifier ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 244.
pub type SubjectKeyIdentifier<'a> = OctetStr<'a>;

/// ```asn1
/// KEKRecipientInfo ::= SEQUENCE {
///   version                 CMSVersion,
///   kekid                   KEKIdentifier,
///   keyEncryptionAlgorithm  KeyEncryptionAlgorithmIdentifier,
///   encryptedKey            EncryptedKey
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 246.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KEKRecipientInfo")]
pub struct KekRecipientInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `kekid KEKIdentifier`.
    pub kekid: KekIdentifier<'a>,
    /// `keyEncryptionAlgorithm KeyEncryptionAlgorithmIdentifier`.
    pub key_encryption_algorithm: KeyEncryptionAlgorithmIdentifier<'a>,
    /// `encryptedKey EncryptedKey`.
    pub encrypted_key: EncryptedKey<'a>,
}

/// ```asn1
/// KEKIdentifier ::= SEQUENCE {
///   keyIdentifier  OCTET STRING,
///   date           GeneralizedTime OPTIONAL,
///   other          OtherKeyAttribute OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 253.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KEKIdentifier", constructor)]
pub struct KekIdentifier<'a> {
    /// `keyIdentifier OCTET STRING`.
    pub key_identifier: OctetStr<'a>,
    /// `date GeneralizedTime OPTIONAL`.
    pub date: Option<GeneralizedTime<'a>>,
    /// `other OtherKeyAttribute OPTIONAL`.
    pub other: Option<OtherKeyAttribute<'a>>,
}

/// ```asn1
/// PasswordRecipientInfo ::= SEQUENCE {
///   version                 CMSVersion,
///   keyDerivationAlgorithm  [0] KeyDerivationAlgorithmIdentifier OPTIONAL,
///   keyEncryptionAlgorithm  KeyEncryptionAlgorithmIdentifier,
///   encryptedKey            EncryptedKey
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 259.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct PasswordRecipientInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `keyDerivationAlgorithm [0] KeyDerivationAlgorithmIdentifier OPTIONAL`.
    #[asn1(implicit = 0)]
    pub key_derivation_algorithm: Option<KeyDerivationAlgorithmIdentifier<'a>>,
    /// `keyEncryptionAlgorithm KeyEncryptionAlgorithmIdentifier`.
    pub key_encryption_algorithm: KeyEncryptionAlgorithmIdentifier<'a>,
    /// `encryptedKey EncryptedKey`.
    pub encrypted_key: EncryptedKey<'a>,
}

/// ```asn1
/// OtherRecipientInfo ::= SEQUENCE {
///   oriType   OTHER-RECIPIENT.&id({SupportedOtherRecipInfo}),
///   oriValue  OTHER-RECIPIENT.&Type({SupportedOtherRecipInfo}{@oriType})
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 268.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherRecipientInfo<'a> {
    /// `oriType OTHER-RECIPIENT.&id({SupportedOtherRecipInfo})`.
    pub ori_type: Oid<'a>,
    /// `oriValue OTHER-RECIPIENT.&Type({SupportedOtherRecipInfo}{@oriType})`.
    #[asn1(defined_by = ori_type)]
    pub ori_value: Open<'a, OtherRecipient<'a>>,
}

/// ```asn1
/// SupportedOtherRecipInfo OTHER-RECIPIENT ::= { ..., ori-KEM }
/// ```
///
/// The types that `SupportedOtherRecipInfo` selects: `CryptographicMessageSyntax-2010.asn1`, line 273.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SupportedOtherRecipInfo", open_type)]
pub enum OtherRecipient<'a> {
    /// `ori-KEM`.
    #[asn1(oid = "1.2.840.113549.1.9.16.13.3", name = "ori-KEM")]
    Kem(KemRecipientInfo<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// Digested data: RFC 5652 §7
///
/// ```asn1
/// DigestedData ::= SEQUENCE {
///   version           CMSVersion,
///   digestAlgorithm   DigestAlgorithmIdentifier,
///   encapContentInfo  EncapsulatedContentInfo,
///   digest            Digest,
///   ...
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 277.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct DigestedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `digestAlgorithm DigestAlgorithmIdentifier`.
    pub digest_algorithm: DigestAlgorithmIdentifier<'a>,
    /// `encapContentInfo EncapsulatedContentInfo`.
    pub encap_content_info: crate::cms::EncapsulatedContentInfo<'a>,
    /// `digest Digest`.
    pub digest: Digest<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// Digest ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 285.
pub type Digest<'a> = OctetStr<'a>;

/// Encrypted data: RFC 5652 §8. How the key is found is left to others, as PKCS \#12 does.
///
/// ```asn1
/// EncryptedData ::= SEQUENCE {
///   version               CMSVersion,
///   encryptedContentInfo  EncryptedContentInfo,
///   ...,
///   [[2:
///   unprotectedAttrs      [1] IMPLICIT Attributes{{UnprotectedEncAttributes}} OPTIONAL
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 289.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct EncryptedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `encryptedContentInfo EncryptedContentInfo`.
    pub encrypted_content_info: EncryptedContentInfo<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `unprotectedAttrs [1] IMPLICIT Attributes{{UnprotectedEncAttributes}} OPTIONAL`.
    #[asn1(implicit = 1)]
    pub unprotected_attrs: Option<crate::r#gen::cms::Attributes<'a>>,
}

/// Authenticated data: RFC 5652 §9. The MAC is over the DER of authAttrs with the tag of a SET in place of \[2\].
///
/// ```asn1
/// AuthenticatedData ::= SEQUENCE {
///   version           CMSVersion,
///   originatorInfo    [0] IMPLICIT OriginatorInfo OPTIONAL,
///   recipientInfos    RecipientInfos,
///   macAlgorithm      MessageAuthenticationCodeAlgorithm,
///   digestAlgorithm   [1] DigestAlgorithmIdentifier OPTIONAL,
///   encapContentInfo  EncapsulatedContentInfo,
///   authAttrs         [2] IMPLICIT AuthAttributes OPTIONAL,
///   mac               MessageAuthenticationCode,
///   unauthAttrs       [3] IMPLICIT UnauthAttributes OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 300.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct AuthenticatedData<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `originatorInfo [0] IMPLICIT OriginatorInfo OPTIONAL`.
    #[asn1(implicit = 0)]
    pub originator_info: Option<OriginatorInfo<'a>>,
    /// `recipientInfos RecipientInfos`.
    pub recipient_infos: RecipientInfos<'a>,
    /// `macAlgorithm MessageAuthenticationCodeAlgorithm`.
    pub mac_algorithm: MessageAuthenticationCodeAlgorithm<'a>,
    /// `digestAlgorithm [1] DigestAlgorithmIdentifier OPTIONAL`.
    #[asn1(implicit = 1)]
    pub digest_algorithm: Option<DigestAlgorithmIdentifier<'a>>,
    /// `encapContentInfo EncapsulatedContentInfo`.
    pub encap_content_info: crate::cms::EncapsulatedContentInfo<'a>,
    /// `authAttrs [2] IMPLICIT AuthAttributes OPTIONAL`.
    #[asn1(implicit = 2)]
    pub auth_attrs: Option<AuthAttributes<'a>>,
    /// `mac MessageAuthenticationCode`.
    pub mac: MessageAuthenticationCode<'a>,
    /// `unauthAttrs [3] IMPLICIT UnauthAttributes OPTIONAL`.
    #[asn1(implicit = 3)]
    pub unauth_attrs: Option<UnauthAttributes<'a>>,
}

/// ```asn1
/// AuthAttributes ::= SET SIZE (1..MAX) OF Attribute{{AuthAttributeSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 312.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct AuthAttributes<'a>(
    /// The wrapped value.
    pub SetOf<'a, crate::r#gen::cms::Attribute<'a>>,
);

/// ```asn1
/// MessageAuthenticationCode ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 316.
pub type MessageAuthenticationCode<'a> = OctetStr<'a>;

/// ```asn1
/// UnauthAttributes ::= SET SIZE (1..MAX) OF Attribute{{UnauthAttributeSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 318.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct UnauthAttributes<'a>(
    /// The wrapped value.
    pub SetOf<'a, crate::r#gen::cms::Attribute<'a>>,
);

/// Algorithms: RFC 5652 §10.1
///
/// ```asn1
/// DigestAlgorithmIdentifier ::= AlgorithmIdentifier{DIGEST-ALGORITHM, {DigestAlgorithmSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 324.
pub type DigestAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// SignatureAlgorithmIdentifier ::= AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithmSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 328.
pub type SignatureAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// KeyEncryptionAlgorithmIdentifier ::= AlgorithmIdentifier{KEY-WRAP, {KeyEncryptionAlgorithmSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 332.
pub type KeyEncryptionAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// ContentEncryptionAlgorithmIdentifier ::= AlgorithmIdentifier{CONTENT-ENCRYPTION, {ContentEncryptionAlgorithmSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 336.
pub type ContentEncryptionAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// MessageAuthenticationCodeAlgorithm ::= AlgorithmIdentifier{MAC-ALGORITHM, {MessageAuthenticationCodeAlgorithmSet}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 340.
pub type MessageAuthenticationCodeAlgorithm<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// KeyDerivationAlgorithmIdentifier ::= AlgorithmIdentifier{KEY-DERIVATION, {KeyDerivationAlgs, ...}}
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 344.
pub type KeyDerivationAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// Certificates and revocation information: RFC 5652 §10.2
///
/// ```asn1
/// RevocationInfoChoices ::= SET OF RevocationInfoChoice
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 348.
pub type RevocationInfoChoices<'a> = SetOf<'a, RevocationInfoChoice<'a>>;

/// ```asn1
/// RevocationInfoChoice ::= CHOICE {
///   crl    CertificateList,
///   ...,
///   [[5:
///   other  [1] IMPLICIT OtherRevocationInfoFormat
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 350.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum RevocationInfoChoice<'a> {
    /// `crl CertificateList`.
    Crl(Raw<'a, tagwise_x509::crl::CertificateList<'a>>),
    /// `other [1] IMPLICIT OtherRevocationInfoFormat`.
    #[asn1(implicit = 1)]
    Other(OtherRevocationInfoFormat<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// OtherRevocationInfoFormat ::= SEQUENCE {
///   otherRevInfoFormat  OTHER-REVOK-INFO.&id({SupportedOtherRevokInfo}),
///   otherRevInfo        OTHER-REVOK-INFO.&Type({SupportedOtherRevokInfo}{@otherRevInfoFormat})
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 360.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherRevocationInfoFormat<'a> {
    /// `otherRevInfoFormat OTHER-REVOK-INFO.&id({SupportedOtherRevokInfo})`.
    pub other_rev_info_format: Oid<'a>,
    /// `otherRevInfo OTHER-REVOK-INFO.&Type({SupportedOtherRevokInfo}{@otherRevInfoFormat})`.
    pub other_rev_info: Any<'a>,
}

/// ```asn1
/// CertificateChoices ::= CHOICE {
///   certificate          Certificate,
///   extendedCertificate  [0] IMPLICIT ExtendedCertificate,
///   ...,
///   [[3:
///   v1AttrCert           [1] IMPLICIT AttributeCertificateV1
///   ]],
///   [[4:
///   v2AttrCert           [2] IMPLICIT AttributeCertificateV2
///   ]],
///   [[5:
///   other                [3] IMPLICIT OtherCertificateFormat
///   ]]
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 367.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum CertificateChoices<'a> {
    /// `certificate Certificate`.
    Certificate(Raw<'a, tagwise_x509::cert::Certificate<'a>>),
    /// `extendedCertificate [0] IMPLICIT ExtendedCertificate`.
    ExtendedCertificate(Raw<'a, CertificateChoicesExtendedCertificate<'a>>),
    /// `v1AttrCert [1] IMPLICIT AttributeCertificateV1`.
    V1AttrCert(Raw<'a, CertificateChoicesV1AttrCert<'a>>),
    /// `v2AttrCert [2] IMPLICIT AttributeCertificateV2`.
    V2AttrCert(Raw<'a, CertificateChoicesV2AttrCert<'a>>),
    /// `other [3] IMPLICIT OtherCertificateFormat`.
    #[asn1(implicit = 3)]
    Other(OtherCertificateFormat<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// [0] IMPLICIT ExtendedCertificate
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 369.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 0, convert)]
pub struct CertificateChoicesExtendedCertificate<'a>(
    /// The wrapped value.
    pub ExtendedCertificate<'a>,
);

/// ```asn1
/// [1] IMPLICIT AttributeCertificateV1
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 372.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 1, convert)]
pub struct CertificateChoicesV1AttrCert<'a>(
    /// The wrapped value.
    pub AttributeCertificateV1<'a>,
);

/// ```asn1
/// [2] IMPLICIT AttributeCertificateV2
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 375.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 2, convert)]
pub struct CertificateChoicesV2AttrCert<'a>(
    /// The wrapped value.
    pub AttributeCertificateV2<'a>,
);

/// ```asn1
/// AttributeCertificateV2 ::= AttributeCertificate
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 382.
pub type AttributeCertificateV2<'a> = AttributeCertificate<'a>;

/// ```asn1
/// OtherCertificateFormat ::= SEQUENCE {
///   otherCertFormat  OTHER-CERT-FMT.&id({SupportedCertFormats}),
///   otherCert        OTHER-CERT-FMT.&Type({SupportedCertFormats}{@otherCertFormat})
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 386.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherCertificateFormat<'a> {
    /// `otherCertFormat OTHER-CERT-FMT.&id({SupportedCertFormats})`.
    pub other_cert_format: Oid<'a>,
    /// `otherCert OTHER-CERT-FMT.&Type({SupportedCertFormats}{@otherCertFormat})`.
    pub other_cert: Any<'a>,
}

/// A SET OF: the order has no meaning, and many encoders do not sort it.
///
/// ```asn1
/// CertificateSet ::= SET OF CertificateChoices
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 394.
pub type CertificateSet<'a> = SetOf<'a, CertificateChoices<'a>>;

/// ```asn1
/// IssuerAndSerialNumber ::= SEQUENCE {
///   issuer        Name,
///   serialNumber  CertificateSerialNumber
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 396.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct IssuerAndSerialNumber<'a> {
    /// `issuer Name`.
    pub issuer: tagwise_x509::name::Name<'a>,
    /// `serialNumber CertificateSerialNumber`.
    pub serial_number: tagwise_codec::Int<'a>,
}

/// ```asn1
/// CMSVersion ::= INTEGER { v0(0), v1(1), v2(2), v3(3), v4(4), v5(5) }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 401.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(name = "CMSVersion", named_numbers(v0 = 0, v1 = 1, v2 = 2, v3 = 3, v4 = 4, v5 = 5), convert)]
pub struct CmsVersion(
    /// The number.
    pub u8,
);

impl CmsVersion {
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

/// ```asn1
/// UserKeyingMaterial ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 403.
pub type UserKeyingMaterial<'a> = OctetStr<'a>;

/// ```asn1
/// OtherKeyAttribute ::= SEQUENCE {
///   keyAttrId  KEY-ATTRIBUTE.&id({SupportedKeyAttributes}),
///   keyAttr    KEY-ATTRIBUTE.&Type({SupportedKeyAttributes}{@keyAttrId}) OPTIONAL
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 407.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct OtherKeyAttribute<'a> {
    /// `keyAttrId KEY-ATTRIBUTE.&id({SupportedKeyAttributes})`.
    pub key_attr_id: Oid<'a>,
    /// `keyAttr KEY-ATTRIBUTE.&Type({SupportedKeyAttributes}{@keyAttrId}) OPTIONAL`.
    pub key_attr: Option<Any<'a>>,
}

/// ```asn1
/// id-ct-contentInfo OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) smime(16) ct(1) 6 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 416.
pub const ID_CT_CONTENT_INFO: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.6");

/// ```asn1
/// id-data OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs7(7) 1 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 422.
pub const ID_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.7.1");

/// ```asn1
/// id-signedData OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs7(7) 2 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 426.
pub const ID_SIGNED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.7.2");

/// ```asn1
/// id-envelopedData OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs7(7) 3 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 430.
pub const ID_ENVELOPED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.7.3");

/// ```asn1
/// id-digestedData OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs7(7) 5 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 434.
pub const ID_DIGESTED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.7.5");

/// ```asn1
/// id-encryptedData OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs7(7) 6 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 438.
pub const ID_ENCRYPTED_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.7.6");

/// ```asn1
/// id-ct-authData OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 2 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 442.
pub const ID_CT_AUTH_DATA: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.2");

/// Attributes: RFC 5652 §11
///
/// ```asn1
/// MessageDigest ::= OCTET STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 447.
pub type MessageDigest<'a> = OctetStr<'a>;

/// The signing time, as claimed by the signer without proof.
///
/// ```asn1
/// SigningTime ::= Time
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 450.
pub type SigningTime<'a> = tagwise_x509::time::Time<'a>;

/// A countersignature. It signs the bytes of the signature to which it is attached, and has no contentType attribute.
///
/// ```asn1
/// Countersignature ::= SignerInfo
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 459.
pub type Countersignature<'a> = SignerInfo<'a>;

/// ```asn1
/// id-contentType OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 3 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 467.
pub const ID_CONTENT_TYPE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.3");

/// ```asn1
/// id-messageDigest OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 4 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 475.
pub const ID_MESSAGE_DIGEST: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.4");

/// ```asn1
/// id-signingTime OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 5 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 483.
pub const ID_SIGNING_TIME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.5");

/// ```asn1
/// id-countersignature OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) 6 }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 488.
pub const ID_COUNTERSIGNATURE: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.6");

/// ```asn1
/// Attribute{ATTRIBUTE:AttrList} ::= SEQUENCE {
///   attrType    ATTRIBUTE.&id({AttrList}),
///   attrValues  SET OF ATTRIBUTE.&Type({AttrList}{@attrType})
/// }
/// ```
///
/// `Attribute{{ { SignedAttributesSet } }}`: `CryptographicMessageSyntax-2010.asn1`, line 490.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Attribute-SignedAttributesSet")]
pub struct Attribute<'a> {
    /// `attrType ATTRIBUTE.&id({AttrList})`.
    pub attr_type: Oid<'a>,
    /// `attrValues SET OF ATTRIBUTE.&Type({AttrList}{@attrType})`.
    pub attr_values: SetOf<'a, Any<'a>>,
}

/// ```asn1
/// Attributes{ATTRIBUTE:AttrList} ::= SET SIZE (1..MAX) OF Attribute{{AttrList}}
/// ```
///
/// `Attributes{{ SignedAttributesSet }}`: `CryptographicMessageSyntax-2010.asn1`, line 495.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Attributes-SignedAttributesSet", size(1..), convert)]
pub struct Attributes<'a>(
    /// The wrapped value.
    pub SetOf<'a, Attribute<'a>>,
);

/// From PKCS \#6, obsolete
///
/// ```asn1
/// ExtendedCertificateOrCertificate ::= CHOICE {
///   certificate          Certificate,
///   extendedCertificate  [0] IMPLICIT ExtendedCertificate
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 499.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum ExtendedCertificateOrCertificate<'a> {
    /// `certificate Certificate`.
    Certificate(tagwise_x509::cert::Certificate<'a>),
    /// `extendedCertificate [0] IMPLICIT ExtendedCertificate`.
    #[asn1(implicit = 0)]
    ExtendedCertificate(ExtendedCertificate<'a>),
}

/// ```asn1
/// ExtendedCertificate ::= SEQUENCE {
///   extendedCertificateInfo  ExtendedCertificateInfo,
///   signatureAlgorithm       SignatureAlgorithmIdentifier,
///   signature                Signature
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 504.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ExtendedCertificate<'a> {
    /// `extendedCertificateInfo ExtendedCertificateInfo`.
    pub extended_certificate_info: ExtendedCertificateInfo<'a>,
    /// `signatureAlgorithm SignatureAlgorithmIdentifier`.
    pub signature_algorithm: SignatureAlgorithmIdentifier<'a>,
    /// `signature Signature`.
    pub signature: Signature<'a>,
}

/// ```asn1
/// ExtendedCertificateInfo ::= SEQUENCE {
///   version      CMSVersion,
///   certificate  Certificate,
///   attributes   UnauthAttributes
/// }
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 510.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ExtendedCertificateInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `certificate Certificate`.
    pub certificate: tagwise_x509::cert::Certificate<'a>,
    /// `attributes UnauthAttributes`.
    pub attributes: UnauthAttributes<'a>,
}

/// ```asn1
/// Signature ::= BIT STRING
/// ```
///
/// `CryptographicMessageSyntax-2010.asn1`, line 516.
pub type Signature<'a> = BitStr<'a>;
