//! ASN.1 module `AttributeCertificateVersion1-2009`, from `AttributeCertificateVersion1-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Attribute certificates of version 1, which CMS messages may still contain.
//! RFC 5652 §12.2, in the form of RFC 5911 §14. Version 2: PKIXAttributeCertificate-2009.
#![allow(clippy::large_enum_variant)]

use super::ac::{AttCertValidityPeriod, IssuerSerial};
use tagwise_codec::{BitStr, Captured, SeqOf};
use tagwise_derive::Asn1;

/// The signature covers the bytes of acInfo as received.
///
/// ```asn1
/// AttributeCertificateV1 ::= SEQUENCE {
///   acInfo              AttributeCertificateInfoV1,
///   signatureAlgorithm  AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signature           BIT STRING
/// }
/// ```
///
/// `AttributeCertificateVersion1-2009.asn1`, line 23.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AttributeCertificateV1<'a> {
    /// `acInfo AttributeCertificateInfoV1`.
    pub ac_info: Captured<'a, AttributeCertificateInfoV1<'a>>,
    /// `signatureAlgorithm AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature_algorithm: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
}

/// ```asn1
/// AttributeCertificateInfoV1 ::= SEQUENCE {
///   version                AttCertVersionV1 DEFAULT v1,
///   subject                CHOICE {
///     baseCertificateID  [0] IssuerSerial,
///     subjectName        [1] GeneralNames
///   },
///   issuer                 GeneralNames,
///   signature              AlgorithmIdentifier{SIGNATURE-ALGORITHM, {...}},
///   serialNumber           CertificateSerialNumber,
///   attCertValidityPeriod  AttCertValidityPeriod,
///   attributes             SEQUENCE OF AttributeSet{{AttrList}},
///   issuerUniqueID         UniqueIdentifier OPTIONAL,
///   extensions             Extensions{{AttributeCertExtensionsV1}} OPTIONAL
/// }
/// ```
///
/// `AttributeCertificateVersion1-2009.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(verbatim, constructor)]
pub struct AttributeCertificateInfoV1<'a> {
    /// `version AttCertVersionV1 DEFAULT 0`.
    #[asn1(default = AttCertVersionV1::V1)]
    pub version: AttCertVersionV1,
    /// `subject CHOICE { baseCertificateID [0] IssuerSerial, subjectName [1] GeneralNames }`.
    pub subject: AttributeCertificateInfoV1Subject<'a>,
    /// `issuer GeneralNames`.
    pub issuer: tagwise_x509::ext::GeneralNames<'a>,
    /// `signature AlgorithmIdentifier{SIGNATURE-ALGORITHM, {...}}`.
    pub signature: tagwise_x509::alg::AlgorithmIdentifier<'a>,
    /// `serialNumber CertificateSerialNumber`.
    pub serial_number: tagwise_x509::cert::CertificateSerialNumber<'a>,
    /// `attCertValidityPeriod AttCertValidityPeriod`.
    pub att_cert_validity_period: AttCertValidityPeriod<'a>,
    /// `attributes SEQUENCE OF AttributeSet{{AttrList}}`.
    pub attributes: SeqOf<'a, tagwise_x509::ext::Attribute<'a>>,
    /// `issuerUniqueID UniqueIdentifier OPTIONAL`.
    #[asn1(name = "issuerUniqueID")]
    pub issuer_unique_id: Option<tagwise_codec::BitStr<'a>>,
    /// `extensions Extensions{{AttributeCertExtensionsV1}} OPTIONAL`.
    pub extensions: Option<tagwise_x509::cert::Extensions<'a>>,
}

/// ```asn1
/// CHOICE {
///   baseCertificateID  [0] IssuerSerial,
///   subjectName        [1] GeneralNames
/// }
/// ```
///
/// `AttributeCertificateVersion1-2009.asn1`, line 31.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum AttributeCertificateInfoV1Subject<'a> {
    /// `baseCertificateID [0] IssuerSerial`.
    #[asn1(explicit = 0, name = "baseCertificateID")]
    BaseCertificateId(IssuerSerial<'a>),
    /// `subjectName [1] GeneralNames`.
    #[asn1(explicit = 1)]
    SubjectName(tagwise_x509::ext::GeneralNames<'a>),
}

/// ```asn1
/// AttCertVersionV1 ::= INTEGER { v1(0) }
/// ```
///
/// `AttributeCertificateVersion1-2009.asn1`, line 44.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 0), convert)]
pub struct AttCertVersionV1(
    /// The number.
    pub u8,
);

impl AttCertVersionV1 {
    /// `v1` (0).
    pub const V1: Self = Self(0);
}
