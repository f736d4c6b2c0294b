//! ASN.1 module `KerberosV5-PK-INIT-SPEC`, from `KerberosV5-PK-INIT-SPEC.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Public key cryptography for initial authentication (PKINIT).
//! RFC 4556 Appendix A, with what RFC 8636 §4 and §8 (KDFs), RFC 8070 §3 (freshness) and MS-PKCA §2.2.3
//! (paChecksum2) add.
#![allow(clippy::large_enum_variant)]

use super::kerberos::{Checksum, EncryptionKey, PrincipalName, Realm};
use tagwise_codec::{Additions, Any, BitStr, OctetStr, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// AnyAlgorithmIdentifier ::= AlgorithmIdentifier{CONTENT-ENCRYPTION, {AnyAlgorithms}}
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 21.
pub type AnyAlgorithmIdentifier<'a> = tagwise_pkix::AlgorithmIdentifier<'a>;

/// signedAuthPack is a ContentInfo of CMS, kdcPkId a SignerIdentifier.
///
/// ```asn1
/// PA-PK-AS-REQ ::= SEQUENCE {
///   signedAuthPack     [0] IMPLICIT OCTET STRING,
///   trustedCertifiers  [1] SEQUENCE OF ExternalPrincipalIdentifier OPTIONAL,
///   kdcPkId            [2] IMPLICIT OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-PK-AS-REQ", constructor)]
pub struct PaPkAsReq<'a> {
    /// `signedAuthPack [0] IMPLICIT OCTET STRING`.
    #[asn1(implicit = 0)]
    pub signed_auth_pack: OctetStr<'a>,
    /// `trustedCertifiers [1] SEQUENCE OF ExternalPrincipalIdentifier OPTIONAL`.
    #[asn1(explicit = 1)]
    pub trusted_certifiers: Option<SeqOf<'a, ExternalPrincipalIdentifier<'a>>>,
    /// `kdcPkId [2] IMPLICIT OCTET STRING OPTIONAL`.
    #[asn1(implicit = 2)]
    pub kdc_pk_id: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// DHNonce ::= OCTET STRING
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 31.
pub type DhNonce<'a> = OctetStr<'a>;

/// The components are a Name, an IssuerAndSerialNumber and a SubjectKeyIdentifier.
///
/// ```asn1
/// ExternalPrincipalIdentifier ::= SEQUENCE {
///   subjectName            [0] IMPLICIT OCTET STRING OPTIONAL,
///   issuerAndSerialNumber  [1] IMPLICIT OCTET STRING OPTIONAL,
///   subjectKeyIdentifier   [2] IMPLICIT OCTET STRING OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 34.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct ExternalPrincipalIdentifier<'a> {
    /// `subjectName [0] IMPLICIT OCTET STRING OPTIONAL`.
    #[asn1(implicit = 0)]
    pub subject_name: Option<OctetStr<'a>>,
    /// `issuerAndSerialNumber [1] IMPLICIT OCTET STRING OPTIONAL`.
    #[asn1(implicit = 1)]
    pub issuer_and_serial_number: Option<OctetStr<'a>>,
    /// `subjectKeyIdentifier [2] IMPLICIT OCTET STRING OPTIONAL`.
    #[asn1(implicit = 2)]
    pub subject_key_identifier: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// AuthPack ::= SEQUENCE {
///   pkAuthenticator    [0] PKAuthenticator,
///   clientPublicValue  [1] SubjectPublicKeyInfo OPTIONAL,
///   supportedCMSTypes  [2] SEQUENCE OF AnyAlgorithmIdentifier OPTIONAL,
///   clientDHNonce      [3] DHNonce OPTIONAL,
///   ...,
///   supportedKDFs      [4] SEQUENCE OF KDFAlgorithmId OPTIONAL
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 41.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct AuthPack<'a> {
    /// `pkAuthenticator [0] PKAuthenticator`.
    #[asn1(explicit = 0)]
    pub pk_authenticator: PkAuthenticator<'a>,
    /// `clientPublicValue [1] SubjectPublicKeyInfo OPTIONAL`.
    #[asn1(explicit = 1)]
    pub client_public_value: Option<tagwise_pkix::SubjectPublicKeyInfo<'a>>,
    /// `supportedCMSTypes [2] SEQUENCE OF AnyAlgorithmIdentifier OPTIONAL`.
    #[asn1(explicit = 2, name = "supportedCMSTypes")]
    pub supported_cms_types: Option<SeqOf<'a, AnyAlgorithmIdentifier<'a>>>,
    /// `clientDHNonce [3] DHNonce OPTIONAL`.
    #[asn1(explicit = 3, name = "clientDHNonce")]
    pub client_dh_nonce: Option<DhNonce<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `supportedKDFs [4] SEQUENCE OF KDFAlgorithmId OPTIONAL`.
    #[asn1(explicit = 4, name = "supportedKDFs")]
    pub supported_kdfs: Option<SeqOf<'a, KdfAlgorithmId<'a>>>,
}

/// paChecksum is the SHA-1 of the KDC-REQ-BODY.
///
/// ```asn1
/// PKAuthenticator ::= SEQUENCE {
///   cusec           [0] INTEGER (0..999999),
///   ctime           [1] KerberosTime,
///   nonce           [2] INTEGER (0..4294967295),
///   paChecksum      [3] OCTET STRING OPTIONAL,
///   ...,
///   freshnessToken  [4] OCTET STRING OPTIONAL,
///   paChecksum2     [5] PAChecksum2 OPTIONAL
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 51.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PKAuthenticator", constructor)]
pub struct PkAuthenticator<'a> {
    /// `cusec [0] INTEGER (0..999999)`.
    #[asn1(explicit = 0, value(0..=999999))]
    pub cusec: u32,
    /// `ctime [1] KerberosTime`.
    #[asn1(explicit = 1)]
    pub ctime: crate::KerberosTime,
    /// `nonce [2] INTEGER (0..4294967295)`.
    #[asn1(explicit = 2)]
    pub nonce: u32,
    /// `paChecksum [3] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 3)]
    pub pa_checksum: Option<OctetStr<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `freshnessToken [4] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 4)]
    pub freshness_token: Option<OctetStr<'a>>,
    /// `paChecksum2 [5] PAChecksum2 OPTIONAL`.
    #[asn1(explicit = 5)]
    pub pa_checksum2: Option<PaChecksum2<'a>>,
}

/// A checksum of the KDC-REQ-BODY with a named digest algorithm (MS-PKCA §2.2.3).
///
/// ```asn1
/// PAChecksum2 ::= SEQUENCE {
///   checksum             [0] OCTET STRING,
///   algorithmIdentifier  [1] AnyAlgorithmIdentifier
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 62.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PAChecksum2")]
pub struct PaChecksum2<'a> {
    /// `checksum [0] OCTET STRING`.
    #[asn1(explicit = 0)]
    pub checksum: OctetStr<'a>,
    /// `algorithmIdentifier [1] AnyAlgorithmIdentifier`.
    #[asn1(explicit = 1)]
    pub algorithm_identifier: AnyAlgorithmIdentifier<'a>,
}

/// ```asn1
/// TD-TRUSTED-CERTIFIERS ::= SEQUENCE OF ExternalPrincipalIdentifier
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 67.
pub type TdTrustedCertifiers<'a> = SeqOf<'a, ExternalPrincipalIdentifier<'a>>;

/// ```asn1
/// TD-INVALID-CERTIFICATES ::= SEQUENCE OF ExternalPrincipalIdentifier
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 69.
pub type TdInvalidCertificates<'a> = SeqOf<'a, ExternalPrincipalIdentifier<'a>>;

/// The name in a certificate's subjectAltName, as otherName id-pkinit-san.
///
/// ```asn1
/// KRB5PrincipalName ::= SEQUENCE {
///   realm          [0] Realm,
///   principalName  [1] PrincipalName
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 72.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB5PrincipalName")]
pub struct Krb5PrincipalName<'a> {
    /// `realm [0] Realm`.
    #[asn1(explicit = 0)]
    pub realm: Realm<'a>,
    /// `principalName [1] PrincipalName`.
    #[asn1(explicit = 1)]
    pub principal_name: PrincipalName<'a>,
}

/// ```asn1
/// AD-INITIAL-VERIFIED-CAS ::= SEQUENCE OF ExternalPrincipalIdentifier
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 77.
pub type AdInitialVerifiedCas<'a> = SeqOf<'a, ExternalPrincipalIdentifier<'a>>;

/// encKeyPack is a ContentInfo of CMS: a SignedData with a ReplyKeyPack, enveloped.
///
/// ```asn1
/// PA-PK-AS-REP ::= CHOICE {
///   dhInfo      [0] DHRepInfo,
///   encKeyPack  [1] IMPLICIT OCTET STRING,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 80.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PA-PK-AS-REP")]
pub enum PaPkAsRep<'a> {
    /// `dhInfo [0] DHRepInfo`.
    #[asn1(explicit = 0)]
    DhInfo(DhRepInfo<'a>),
    /// `encKeyPack [1] IMPLICIT OCTET STRING`.
    #[asn1(implicit = 1)]
    EncKeyPack(OctetStr<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// dhSignedData is a ContentInfo of CMS, with a KDCDHKeyInfo.
///
/// ```asn1
/// DHRepInfo ::= SEQUENCE {
///   dhSignedData   [0] IMPLICIT OCTET STRING,
///   serverDHNonce  [1] DHNonce OPTIONAL,
///   ...,
///   kdf            [2] KDFAlgorithmId OPTIONAL
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 87.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "DHRepInfo", constructor)]
pub struct DhRepInfo<'a> {
    /// `dhSignedData [0] IMPLICIT OCTET STRING`.
    #[asn1(implicit = 0)]
    pub dh_signed_data: OctetStr<'a>,
    /// `serverDHNonce [1] DHNonce OPTIONAL`.
    #[asn1(explicit = 1, name = "serverDHNonce")]
    pub server_dh_nonce: Option<DhNonce<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `kdf [2] KDFAlgorithmId OPTIONAL`.
    #[asn1(explicit = 2)]
    pub kdf: Option<KdfAlgorithmId<'a>>,
}

/// ```asn1
/// KDCDHKeyInfo ::= SEQUENCE {
///   subjectPublicKey  [0] BIT STRING,
///   nonce             [1] INTEGER (0..4294967295),
///   dhKeyExpiration   [2] KerberosTime OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 94.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDCDHKeyInfo", constructor)]
pub struct KdcDhKeyInfo<'a> {
    /// `subjectPublicKey [0] BIT STRING`.
    #[asn1(explicit = 0)]
    pub subject_public_key: BitStr<'a>,
    /// `nonce [1] INTEGER (0..4294967295)`.
    #[asn1(explicit = 1)]
    pub nonce: u32,
    /// `dhKeyExpiration [2] KerberosTime OPTIONAL`.
    #[asn1(explicit = 2)]
    pub dh_key_expiration: Option<crate::KerberosTime>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// asChecksum covers the AS-REQ, and uses the reply key.
///
/// ```asn1
/// ReplyKeyPack ::= SEQUENCE {
///   replyKey    [0] EncryptionKey,
///   asChecksum  [1] Checksum,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 102.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct ReplyKeyPack<'a> {
    /// `replyKey [0] EncryptionKey`.
    #[asn1(explicit = 0)]
    pub reply_key: EncryptionKey<'a>,
    /// `asChecksum [1] Checksum`.
    #[asn1(explicit = 1)]
    pub as_checksum: Checksum<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// TD-DH-PARAMETERS ::= SEQUENCE OF AnyAlgorithmIdentifier
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 108.
pub type TdDhParameters<'a> = SeqOf<'a, AnyAlgorithmIdentifier<'a>>;

/// RFC 8636 §8.
///
/// ```asn1
/// KDFAlgorithmId ::= SEQUENCE {
///   kdf-id  [0] OBJECT IDENTIFIER,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-SPEC.asn1`, line 111.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KDFAlgorithmId", constructor)]
pub struct KdfAlgorithmId<'a> {
    /// `kdf-id [0] OBJECT IDENTIFIER`.
    #[asn1(explicit = 0, name = "kdf-id")]
    pub kdf_id: Oid<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}
