//! The CMS tables (RFC 5652) that are needed to convert CMS files. In BER, only a schema can distinguish a segmented string
//! with the tag `[0] IMPLICIT` from a list.
#![allow(missing_docs, reason = "the names are the RFC's")]

use tagwise_codec::{Any, BitStr, Int, OctetStr, Oid, Open, SeqOf, SetOf, Unknown};
use tagwise_derive::Asn1;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateList, Name};

/// The ContentInfo of CMS (RFC 5652 §3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ContentInfo<'a> {
    pub content_type: Oid<'a>,
    #[asn1(explicit = 0, defined_by = content_type)]
    pub content: Open<'a, Content<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "ContentSet")]
pub enum Content<'a> {
    #[asn1(oid = "1.2.840.113549.1.7.1")]
    Data(OctetStr<'a>),
    #[asn1(oid = "1.2.840.113549.1.7.2")]
    SignedData(SignedData<'a>),
    #[asn1(oid = "1.2.840.113549.1.7.3")]
    EnvelopedData(EnvelopedData<'a>),
    #[asn1(oid = "1.2.840.113549.1.7.5")]
    DigestedData(DigestedData<'a>),
    #[asn1(oid = "1.2.840.113549.1.7.6")]
    EncryptedData(EncryptedData<'a>),
    #[asn1(oid = "1.2.840.113549.1.9.16.1.9")]
    CompressedData(CompressedData<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// §5.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SignedData<'a> {
    pub version: u8,
    pub digest_algorithms: SetOf<'a, AlgorithmIdentifier<'a>>,
    pub encap_content_info: EncapsulatedContentInfo<'a>,
    #[asn1(implicit = 0)]
    pub certificates: Option<SetOf<'a, CertificateChoices<'a>>>,
    #[asn1(implicit = 1)]
    pub crls: Option<SetOf<'a, RevocationInfoChoice<'a>>>,
    pub signer_infos: SetOf<'a, SignerInfo<'a>>,
}

/// §5.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct EncapsulatedContentInfo<'a> {
    pub e_content_type: Oid<'a>,
    #[asn1(explicit = 0)]
    pub e_content: Option<OctetStr<'a>>,
}

/// §5.3.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SignerInfo<'a> {
    pub version: u8,
    pub sid: Identifier<'a>,
    pub digest_algorithm: AlgorithmIdentifier<'a>,
    #[asn1(implicit = 0)]
    pub signed_attrs: Option<Attributes<'a>>,
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    pub signature: OctetStr<'a>,
    #[asn1(implicit = 1)]
    pub unsigned_attrs: Option<Attributes<'a>>,
}

pub type Attributes<'a> = SetOf<'a, Attribute<'a>>;

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Attribute<'a> {
    pub attr_type: Oid<'a>,
    pub attr_values: SetOf<'a, Any<'a>>,
}

/// SignerIdentifier, RecipientIdentifier.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Identifier<'a> {
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    #[asn1(implicit = 0)]
    SubjectKeyIdentifier(OctetStr<'a>),
}

/// §10.2.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct IssuerAndSerialNumber<'a> {
    pub issuer: Name<'a>,
    pub serial_number: Int<'a>,
}

/// §10.2.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a test's type")]
pub enum CertificateChoices<'a> {
    Certificate(Certificate<'a>),
    #[asn1(unknown)]
    Other(Any<'a>),
}

/// §10.2.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a test's type")]
pub enum RevocationInfoChoice<'a> {
    Crl(CertificateList<'a>),
    #[asn1(unknown)]
    Other(Any<'a>),
}

/// §6.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct EnvelopedData<'a> {
    pub version: u8,
    #[asn1(implicit = 0)]
    pub originator_info: Option<OriginatorInfo<'a>>,
    pub recipient_infos: SetOf<'a, RecipientInfo<'a>>,
    pub encrypted_content_info: EncryptedContentInfo<'a>,
    #[asn1(implicit = 1)]
    pub unprotected_attrs: Option<Attributes<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OriginatorInfo<'a> {
    #[asn1(implicit = 0)]
    pub certs: Option<SetOf<'a, CertificateChoices<'a>>>,
    #[asn1(implicit = 1)]
    pub crls: Option<SetOf<'a, RevocationInfoChoice<'a>>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct EncryptedContentInfo<'a> {
    pub content_type: Oid<'a>,
    pub content_encryption_algorithm: AlgorithmIdentifier<'a>,
    #[asn1(implicit = 0)]
    pub encrypted_content: Option<OctetStr<'a>>,
}

/// §6.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum RecipientInfo<'a> {
    Ktri(KeyTransRecipientInfo<'a>),
    #[asn1(implicit = 1)]
    Kari(KeyAgreeRecipientInfo<'a>),
    #[asn1(implicit = 2)]
    Kekri(KekRecipientInfo<'a>),
    #[asn1(implicit = 3)]
    Pwri(PasswordRecipientInfo<'a>),
    #[asn1(unknown)]
    Ori(Any<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KeyTransRecipientInfo<'a> {
    pub version: u8,
    pub rid: Identifier<'a>,
    pub key_encryption_algorithm: AlgorithmIdentifier<'a>,
    pub encrypted_key: OctetStr<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KeyAgreeRecipientInfo<'a> {
    pub version: u8,
    #[asn1(explicit = 0)]
    pub originator: OriginatorIdentifierOrKey<'a>,
    #[asn1(explicit = 1)]
    pub ukm: Option<OctetStr<'a>>,
    pub key_encryption_algorithm: AlgorithmIdentifier<'a>,
    pub recipient_encrypted_keys: SeqOf<'a, RecipientEncryptedKey<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum OriginatorIdentifierOrKey<'a> {
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    #[asn1(implicit = 0)]
    SubjectKeyIdentifier(OctetStr<'a>),
    #[asn1(implicit = 1)]
    OriginatorKey(OriginatorPublicKey<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OriginatorPublicKey<'a> {
    pub algorithm: AlgorithmIdentifier<'a>,
    pub public_key: BitStr<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RecipientEncryptedKey<'a> {
    pub rid: KeyAgreeRecipientIdentifier<'a>,
    pub encrypted_key: OctetStr<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum KeyAgreeRecipientIdentifier<'a> {
    IssuerAndSerialNumber(IssuerAndSerialNumber<'a>),
    #[asn1(implicit = 0)]
    RKeyId(KeyIdentifier<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KeyIdentifier<'a> {
    pub key_identifier: OctetStr<'a>,
    pub date: Option<tagwise_codec::GeneralizedTime<'a>>,
    pub other: Option<OtherKeyAttribute<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct OtherKeyAttribute<'a> {
    pub key_attr_id: Oid<'a>,
    pub key_attr: Option<Any<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct KekRecipientInfo<'a> {
    pub version: u8,
    pub kekid: KeyIdentifier<'a>,
    pub key_encryption_algorithm: AlgorithmIdentifier<'a>,
    pub encrypted_key: OctetStr<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PasswordRecipientInfo<'a> {
    pub version: u8,
    #[asn1(implicit = 0)]
    pub key_derivation_algorithm: Option<AlgorithmIdentifier<'a>>,
    pub key_encryption_algorithm: AlgorithmIdentifier<'a>,
    pub encrypted_key: OctetStr<'a>,
}

/// §7.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct DigestedData<'a> {
    pub version: u8,
    pub digest_algorithm: AlgorithmIdentifier<'a>,
    pub encap_content_info: EncapsulatedContentInfo<'a>,
    pub digest: OctetStr<'a>,
}

/// §8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct EncryptedData<'a> {
    pub version: u8,
    pub encrypted_content_info: EncryptedContentInfo<'a>,
    #[asn1(implicit = 1)]
    pub unprotected_attrs: Option<Attributes<'a>>,
}

/// RFC 3274 §1.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CompressedData<'a> {
    pub version: u8,
    pub compression_algorithm: AlgorithmIdentifier<'a>,
    pub encap_content_info: EncapsulatedContentInfo<'a>,
}
