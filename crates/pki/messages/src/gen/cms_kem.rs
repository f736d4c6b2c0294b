//! ASN.1 module `CMS-KEMRecipientInfo-2023`, from `CMS-KEMRecipientInfo-2023.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Recipients with a key encapsulation key.
//! RFC 9629 Appendix A.2.

use super::cms::{
    CmsVersion, EncryptedKey, KeyDerivationAlgorithmIdentifier, KeyEncryptionAlgorithmIdentifier, RecipientIdentifier,
    UserKeyingMaterial,
};
use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ori      OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) 13 }
/// ```
///
/// `CMS-KEMRecipientInfo-2023.asn1`, line 27.
pub const ID_ORI: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.13");

/// ```asn1
/// id-ori-kem  OBJECT IDENTIFIER ::= { id-ori 3 }
/// ```
///
/// `CMS-KEMRecipientInfo-2023.asn1`, line 28.
pub const ID_ORI_KEM: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.13.3");

/// version is v0. kekLength is the length in bytes of the derived key, with which wrap encrypts.
///
/// ```asn1
/// KEMRecipientInfo ::= SEQUENCE {
///   version       CMSVersion,
///   rid           RecipientIdentifier,
///   kem           AlgorithmIdentifier{KEM-ALGORITHM, {KEMAlgSet}},
///   kemct         OCTET STRING,
///   kdf           KeyDerivationAlgorithmIdentifier,
///   kekLength     INTEGER (1..65535),
///   ukm           [0] EXPLICIT UserKeyingMaterial OPTIONAL,
///   wrap          KeyEncryptionAlgorithmIdentifier,
///   encryptedKey  EncryptedKey
/// }
/// ```
///
/// `CMS-KEMRecipientInfo-2023.asn1`, line 31.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KEMRecipientInfo", constructor)]
pub struct KemRecipientInfo<'a> {
    /// `version CMSVersion`.
    pub version: CmsVersion,
    /// `rid RecipientIdentifier`.
    pub rid: RecipientIdentifier<'a>,
    /// `kem AlgorithmIdentifier{KEM-ALGORITHM, {KEMAlgSet}}`.
    pub kem: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `kemct OCTET STRING`.
    pub kemct: OctetStr<'a>,
    /// `kdf KeyDerivationAlgorithmIdentifier`.
    pub kdf: KeyDerivationAlgorithmIdentifier<'a>,
    /// `kekLength INTEGER (1..65535)`.
    #[asn1(value(1..=65535))]
    pub kek_length: u16,
    /// `ukm [0] EXPLICIT UserKeyingMaterial OPTIONAL`.
    #[asn1(explicit = 0)]
    pub ukm: Option<UserKeyingMaterial<'a>>,
    /// `wrap KeyEncryptionAlgorithmIdentifier`.
    pub wrap: KeyEncryptionAlgorithmIdentifier<'a>,
    /// `encryptedKey EncryptedKey`.
    pub encrypted_key: EncryptedKey<'a>,
}

/// The input of the key derivation, in DER, which is never sent.
///
/// ```asn1
/// CMSORIforKEMOtherInfo ::= SEQUENCE {
///   wrap       KeyEncryptionAlgorithmIdentifier,
///   kekLength  INTEGER (1..65535),
///   ukm        [0] EXPLICIT UserKeyingMaterial OPTIONAL
/// }
/// ```
///
/// `CMS-KEMRecipientInfo-2023.asn1`, line 46.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CMSORIforKEMOtherInfo", constructor)]
pub struct CmsOriForKemOtherInfo<'a> {
    /// `wrap KeyEncryptionAlgorithmIdentifier`.
    pub wrap: KeyEncryptionAlgorithmIdentifier<'a>,
    /// `kekLength INTEGER (1..65535)`.
    #[asn1(value(1..=65535))]
    pub kek_length: u16,
    /// `ukm [0] EXPLICIT UserKeyingMaterial OPTIONAL`.
    #[asn1(explicit = 0)]
    pub ukm: Option<UserKeyingMaterial<'a>>,
}
