//! ASN.1 module `AsymmetricKeyPackageModuleV1`, from `AsymmetricKeyPackageModuleV1.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Private keys, plain and encrypted; packages of them as CMS content.
//! RFC 5958, which replaces RFC 5208 (PKCS \#8).

use tagwise_codec::{Additions, BitStr, OctetStr, Oid, SeqOf, SetOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-KP-aKeyPackage OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) dod(2) infosec(1) formats(2)
///     key-package-content-types(78) 5 }
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 33.
pub const ID_CT_KP_A_KEY_PACKAGE: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.2.1.2.78.5");

/// ```asn1
/// AsymmetricKeyPackage ::= SEQUENCE SIZE (1..MAX) OF OneAsymmetricKey
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 37.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct AsymmetricKeyPackage<'a>(
    /// The wrapped value.
    pub SeqOf<'a, OneAsymmetricKey<'a>>,
);

/// Version 1 is the PrivateKeyInfo of PKCS \#8. publicKey is present if and only if the version is 2.
///
/// ```asn1
/// OneAsymmetricKey ::= SEQUENCE {
///   version              Version,
///   privateKeyAlgorithm  PrivateKeyAlgorithmIdentifier,
///   privateKey           PrivateKey,
///   attributes           [0] Attributes OPTIONAL,
///   ...,
///   [[2:
///   publicKey            [1] PublicKey OPTIONAL
///   ]],
///   ...
/// }
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 40.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(constructor)]
pub struct OneAsymmetricKey<'a> {
    /// `version Version`.
    pub version: Version,
    /// `privateKeyAlgorithm PrivateKeyAlgorithmIdentifier`.
    pub private_key_algorithm: PrivateKeyAlgorithmIdentifier<'a>,
    /// `privateKey PrivateKey`.
    #[asn1(secret)]
    pub private_key: PrivateKey<'a>,
    /// `attributes [0] Attributes OPTIONAL`.
    #[asn1(implicit = 0)]
    pub attributes: Option<Attributes<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `publicKey [1] PublicKey OPTIONAL`.
    #[asn1(implicit = 1)]
    pub public_key: Option<PublicKey<'a>>,
}

/// ```asn1
/// PrivateKeyInfo ::= OneAsymmetricKey
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 52.
pub type PrivateKeyInfo<'a> = OneAsymmetricKey<'a>;

/// ```asn1
/// Version ::= INTEGER { v1(0), v2(1) } (v1, ..., v2)
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 54.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0, ...), named_numbers(v1 = 0, v2 = 1), convert)]
pub struct Version(
    /// The number.
    pub u8,
);

impl Version {
    /// `v1` (0).
    pub const V1: Self = Self(0);

    /// `v2` (1).
    pub const V2: Self = Self(1);
}

/// ```asn1
/// PrivateKeyAlgorithmIdentifier ::= AlgorithmIdentifier{PUBLIC-KEY, {PrivateKeyAlgorithms}}
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 56.
pub type PrivateKeyAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// A secret key. The algorithm determines its format: &PrivateKey of its PUBLIC-KEY object, or plain bytes.
///
/// ```asn1
/// PrivateKey ::= OCTET STRING
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 59.
#[derive(Asn1, Clone, Copy, PartialEq)]
#[asn1(secret)]
pub struct PrivateKey<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// PublicKey ::= BIT STRING
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 61.
pub type PublicKey<'a> = BitStr<'a>;

/// ```asn1
/// Attributes ::= SET OF Attribute{{OneAsymmetricKeyAttributes}}
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 63.
pub type Attributes<'a> = SetOf<'a, crate::r#gen::cms::Attribute<'a>>;

/// The decrypted content is a PrivateKeyInfo. Padding or a MAC alone does not reveal a wrong password.
///
/// ```asn1
/// EncryptedPrivateKeyInfo ::= SEQUENCE {
///   encryptionAlgorithm  EncryptionAlgorithmIdentifier,
///   encryptedData        EncryptedData
/// }
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 68.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct EncryptedPrivateKeyInfo<'a> {
    /// `encryptionAlgorithm EncryptionAlgorithmIdentifier`.
    pub encryption_algorithm: EncryptionAlgorithmIdentifier<'a>,
    /// `encryptedData EncryptedData`.
    pub encrypted_data: EncryptedData<'a>,
}

/// ```asn1
/// EncryptionAlgorithmIdentifier ::= AlgorithmIdentifier{CONTENT-ENCRYPTION, {KeyEncryptionAlgorithms}}
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 73.
pub type EncryptionAlgorithmIdentifier<'a> = tagwise_x509::alg::AlgorithmIdentifier<'a>;

/// ```asn1
/// EncryptedData ::= OCTET STRING
/// ```
///
/// `AsymmetricKeyPackageModuleV1.asn1`, line 75.
pub type EncryptedData<'a> = OctetStr<'a>;
