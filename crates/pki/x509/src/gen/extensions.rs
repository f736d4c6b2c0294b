//! ASN.1 module `PKIX1Implicit-2009`, from `PKIX1Implicit-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Extensions of certificates, revocation lists and their entries.
//! RFC 5280 §4.2, §5.2, §5.3, Appendix A.2, in the form of RFC 5912 §14.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Int, NamedBits, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ce OBJECT IDENTIFIER ::= { joint-iso-ccitt(2) ds(5) 29 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 73.
pub const ID_CE: Oid<'static> = tagwise_codec::oid!("2.5.29");

/// ```asn1
/// id-ce-authorityKeyIdentifier OBJECT IDENTIFIER ::= { id-ce 35 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 82.
pub const ID_CE_AUTHORITY_KEY_IDENTIFIER: Oid<'static> = tagwise_codec::oid!("2.5.29.35");

/// ```asn1
/// id-ce-subjectKeyIdentifier OBJECT IDENTIFIER ::= { id-ce 14 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 101.
pub const ID_CE_SUBJECT_KEY_IDENTIFIER: Oid<'static> = tagwise_codec::oid!("2.5.29.14");

/// ```asn1
/// id-ce-keyUsage OBJECT IDENTIFIER ::= { id-ce 15 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 108.
pub const ID_CE_KEY_USAGE: Oid<'static> = tagwise_codec::oid!("2.5.29.15");

/// ```asn1
/// KeyUsage ::= BIT STRING {
///   digitalSignature(0),
///   nonRepudiation(1),
///   keyEncipherment(2),
///   dataEncipherment(3),
///   keyAgreement(4),
///   keyCertSign(5),
///   cRLSign(6),
///   encipherOnly(7),
///   decipherOnly(8)
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 112.
///
/// RFC 5280 §4.2.1.3.
///
/// ```
/// use tagwise_codec::{Decode, NamedBits, encode};
/// use tagwise_x509::ext::KeyUsage;
/// let usage = KeyUsage::from_der(&[0x03, 0x02, 0x01, 0x06])?;
/// assert!(usage.key_cert_sign() && !usage.digital_signature());
/// assert!(usage.names().eq(["keyCertSign", "cRLSign"]));
/// assert_eq!(encode(&KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6))).unwrap(), [0x03, 0x02, 0x01, 0x06]);
/// // The bit list ends in a zero bit.
/// assert_eq!(KeyUsage::from_der(&[0x03, 0x02, 0x00, 0x06]).unwrap_err().code(), "named-bits-trailing");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[asn1(named_bits(
    digital_signature = 0,
    non_repudiation = 1,
    key_encipherment = 2,
    data_encipherment = 3,
    key_agreement = 4,
    key_cert_sign = 5,
    crl_sign("cRLSign") = 6,
    encipher_only = 7,
    decipher_only = 8
))]
pub struct KeyUsage<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// id-ce-privateKeyUsagePeriod OBJECT IDENTIFIER ::= { id-ce 16 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 129.
pub const ID_CE_PRIVATE_KEY_USAGE_PERIOD: Oid<'static> = tagwise_codec::oid!("2.5.29.16");

/// ```asn1
/// id-ce-certificatePolicies OBJECT IDENTIFIER ::= { id-ce 32 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 146.
pub const ID_CE_CERTIFICATE_POLICIES: Oid<'static> = tagwise_codec::oid!("2.5.29.32");

/// ```asn1
/// anyPolicy OBJECT IDENTIFIER ::= { id-ce-certificatePolicies 0 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 148.
pub const ANY_POLICY: Oid<'static> = tagwise_codec::oid!("2.5.29.32.0");

/// ```asn1
/// CertificatePolicies ::= SEQUENCE SIZE (1..MAX) OF PolicyInformation
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 151.
///
/// RFC 5280 §4.2.1.4.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::{ext::CertificatePolicies, oids};
/// let policies = CertificatePolicies::from_der(b"\x30\x0A\x30\x08\x06\x06\x67\x81\x0C\x01\x02\x01")?;
/// for policy in policies.0.iter() {
///     assert_eq!(policy?.policy_identifier, oids::CABF_DOMAIN_VALIDATED);
/// }
/// // No policy at all.
/// assert_eq!(CertificatePolicies::from_der(&[0x30, 0x00]).unwrap_err().code(), "size");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct CertificatePolicies<'a>(
    /// The wrapped value.
    pub SeqOf<'a, PolicyInformation<'a>>,
);

/// ```asn1
/// PolicyInformation ::= SEQUENCE {
///   policyIdentifier  CertPolicyId,
///   policyQualifiers  SEQUENCE SIZE (1..MAX) OF PolicyQualifierInfo OPTIONAL
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 153.
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct PolicyInformation<'a> {
    /// The identifier of the policy.
    pub policy_identifier: tagwise_codec::Oid<'a>,
    /// The policy qualifiers, such as the URI of the practice statement and user notices.
    #[asn1(size(1..))]
    pub policy_qualifiers: Option<SeqOf<'a, crate::ext::PolicyQualifierInfo<'a>>>,
}

/// ```asn1
/// UserNotice ::= SEQUENCE {
///   noticeRef     NoticeReference OPTIONAL,
///   explicitText  DisplayText OPTIONAL
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 175.
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct UserNotice<'a> {
    /// A reference to a notice that the relying party's software knows.
    pub notice_ref: Option<NoticeReference<'a>>,
    /// The text of the notice.
    pub explicit_text: Option<crate::ext::DisplayText<'a>>,
}

/// ```asn1
/// NoticeReference ::= SEQUENCE {
///   organization   DisplayText,
///   noticeNumbers  SEQUENCE OF INTEGER
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 180.
///
/// RFC 5280 §4.2.1.4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct NoticeReference<'a> {
    /// The organization that publishes the numbered notices.
    pub organization: crate::ext::DisplayText<'a>,
    /// The numbers of the referenced notices.
    pub notice_numbers: SeqOf<'a, Int<'a>>,
}

/// ```asn1
/// id-ce-policyMappings OBJECT IDENTIFIER ::= { id-ce 33 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 198.
pub const ID_CE_POLICY_MAPPINGS: Oid<'static> = tagwise_codec::oid!("2.5.29.33");

/// ```asn1
/// PolicyMappings ::= SEQUENCE SIZE (1..MAX) OF PolicyMapping
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 201.
///
/// RFC 5280 §4.2.1.5.
///
/// ```
/// use tagwise_codec::{SeqOf, encode, oid};
/// use tagwise_x509::ext::{PolicyMapping, PolicyMappings};
/// let mapping = [PolicyMapping { issuer_domain_policy: oid!("1.2.3"), subject_domain_policy: oid!("1.2.4") }];
/// let mappings = PolicyMappings(SeqOf::from_slice(&mapping));
/// assert_eq!(encode(&mappings)?, *b"\x30\x0A\x30\x08\x06\x02\x2A\x03\x06\x02\x2A\x04");
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct PolicyMappings<'a>(
    /// The wrapped value.
    pub SeqOf<'a, PolicyMapping<'a>>,
);

/// ```asn1
/// PolicyMapping ::= SEQUENCE {
///   issuerDomainPolicy   CertPolicyId,
///   subjectDomainPolicy  CertPolicyId
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 203.
///
/// A pair in [`PolicyMappings`]: two policies that the issuer considers equivalent.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMapping<'a> {
    /// A policy in the issuer's domain.
    pub issuer_domain_policy: tagwise_codec::Oid<'a>,
    /// The equivalent policy in the subject's domain.
    pub subject_domain_policy: tagwise_codec::Oid<'a>,
}

/// ```asn1
/// id-ce-subjectAltName OBJECT IDENTIFIER ::= { id-ce 17 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 215.
pub const ID_CE_SUBJECT_ALT_NAME: Oid<'static> = tagwise_codec::oid!("2.5.29.17");

/// ```asn1
/// id-ce-issuerAltName OBJECT IDENTIFIER ::= { id-ce 18 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 222.
pub const ID_CE_ISSUER_ALT_NAME: Oid<'static> = tagwise_codec::oid!("2.5.29.18");

/// ```asn1
/// ubMax INTEGER ::= 32768
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 259.
pub const UB_MAX: i64 = 32768;

/// ```asn1
/// id-ce-subjectDirectoryAttributes OBJECT IDENTIFIER ::= { id-ce 9 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 268.
pub const ID_CE_SUBJECT_DIRECTORY_ATTRIBUTES: Oid<'static> = tagwise_codec::oid!("2.5.29.9");

/// ```asn1
/// id-ce-basicConstraints OBJECT IDENTIFIER ::= { id-ce 19 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 279.
pub const ID_CE_BASIC_CONSTRAINTS: Oid<'static> = tagwise_codec::oid!("2.5.29.19");

/// ```asn1
/// id-ce-nameConstraints OBJECT IDENTIFIER ::= { id-ce 30 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 292.
pub const ID_CE_NAME_CONSTRAINTS: Oid<'static> = tagwise_codec::oid!("2.5.29.30");

/// ```asn1
/// id-ce-policyConstraints OBJECT IDENTIFIER ::= { id-ce 36 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 316.
pub const ID_CE_POLICY_CONSTRAINTS: Oid<'static> = tagwise_codec::oid!("2.5.29.36");

/// ```asn1
/// PolicyConstraints ::= SEQUENCE {
///   requireExplicitPolicy  [0] SkipCerts OPTIONAL,
///   inhibitPolicyMapping   [1] SkipCerts OPTIONAL
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 319.
///
/// RFC 5280 §4.2.1.11.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::PolicyConstraints;
/// let constraints = PolicyConstraints::from_der(&[0x30, 0x03, 0x80, 0x01, 0x02])?;
/// assert_eq!(constraints.require_explicit_policy.map(|skip| skip.get()), Some(2));
/// assert_eq!(constraints.inhibit_policy_mapping, None);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default, Eq)]
pub struct PolicyConstraints<'a> {
    /// The number of further certificates in the path before an explicit policy is required.
    #[asn1(implicit = 0)]
    pub require_explicit_policy: Option<crate::ext::SkipCerts<'a>>,
    /// The number of further certificates in the path before policy mapping is inhibited.
    #[asn1(implicit = 1)]
    pub inhibit_policy_mapping: Option<crate::ext::SkipCerts<'a>>,
}

/// ```asn1
/// id-ce-inhibitAnyPolicy OBJECT IDENTIFIER ::= { id-ce 54 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 331.
pub const ID_CE_INHIBIT_ANY_POLICY: Oid<'static> = tagwise_codec::oid!("2.5.29.54");

/// ```asn1
/// id-ce-cRLDistributionPoints OBJECT IDENTIFIER ::= { id-ce 31 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 340.
pub const ID_CE_CRL_DISTRIBUTION_POINTS: Oid<'static> = tagwise_codec::oid!("2.5.29.31");

/// ```asn1
/// id-ce-freshestCRL OBJECT IDENTIFIER ::= { id-ce 46 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 347.
pub const ID_CE_FRESHEST_CRL: Oid<'static> = tagwise_codec::oid!("2.5.29.46");

/// ```asn1
/// CRLDistributionPoints ::= SEQUENCE SIZE (1..MAX) OF DistributionPoint
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 349.
///
/// RFC 5280 §4.2.1.13.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::CrlDistributionPoints;
/// let der = b"\x30\x11\x30\x0F\xA0\x0D\xA0\x0B\x86\x09http://a/";
/// let points = CrlDistributionPoints::from_der(der)?;
/// let uris: Vec<String> = points.full_names().map(|name| name.to_string()).collect();
/// assert_eq!(uris, ["URI:http://a/"]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLDistributionPoints", size(1..), convert)]
pub struct CrlDistributionPoints<'a>(
    /// The wrapped value.
    pub SeqOf<'a, DistributionPoint<'a>>,
);

/// ```asn1
/// DistributionPoint ::= SEQUENCE {
///   distributionPoint  [0] DistributionPointName OPTIONAL,
///   reasons            [1] ReasonFlags OPTIONAL,
///   cRLIssuer          [2] GeneralNames OPTIONAL
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 352.
///
/// RFC 5280 §4.2.1.13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
pub struct DistributionPoint<'a> {
    /// The name of the distribution point from which the CRL is available.
    #[asn1(explicit = 0)]
    pub distribution_point: Option<DistributionPointName<'a>>,
    /// The revocation reasons that the CRL covers. If absent, it covers all reasons.
    #[asn1(implicit = 1)]
    pub reasons: Option<ReasonFlags<'a>>,
    /// The issuer of the CRL, if it is not the issuer of the certificate.
    #[asn1(implicit = 2, name = "cRLIssuer")]
    pub crl_issuer: Option<crate::ext::GeneralNames<'a>>,
}

/// ```asn1
/// DistributionPointName ::= CHOICE {
///   fullName                 [0] GeneralNames,
///   nameRelativeToCRLIssuer  [1] RelativeDistinguishedName
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 359.
///
/// RFC 5280 §4.2.1.13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum DistributionPointName<'a> {
    /// Alternative names of the distribution point, such as URIs.
    #[asn1(implicit = 0)]
    FullName(crate::ext::GeneralNames<'a>),
    /// The RDN to append to the distinguished name of the CRL's issuer.
    #[asn1(implicit = 1, name = "nameRelativeToCRLIssuer")]
    NameRelativeToCrlIssuer(crate::name::RelativeDistinguishedName<'a>),
}

/// ```asn1
/// ReasonFlags ::= BIT STRING {
///   unused(0),
///   keyCompromise(1),
///   cACompromise(2),
///   affiliationChanged(3),
///   superseded(4),
///   cessationOfOperation(5),
///   certificateHold(6),
///   privilegeWithdrawn(7),
///   aACompromise(8)
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 365.
///
/// RFC 5280 §4.2.1.13.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::ReasonFlags;
/// let reasons = ReasonFlags::from_der(&[0x03, 0x02, 0x05, 0x60])?;
/// assert!(reasons.names().eq(["keyCompromise", "cACompromise"]));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[asn1(named_bits(
    unused = 0,
    key_compromise = 1,
    ca_compromise("cACompromise") = 2,
    affiliation_changed = 3,
    superseded = 4,
    cessation_of_operation = 5,
    certificate_hold = 6,
    privilege_withdrawn = 7,
    aa_compromise("aACompromise") = 8
))]
pub struct ReasonFlags<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// id-ce-extKeyUsage OBJECT IDENTIFIER ::= { id-ce 37 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 384.
pub const ID_CE_EXT_KEY_USAGE: Oid<'static> = tagwise_codec::oid!("2.5.29.37");

/// ```asn1
/// ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF KeyPurposeId
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 386.
///
/// RFC 5280 §4.2.1.12.
///
/// ```
/// use tagwise_codec::{SeqOf, encode};
/// use tagwise_x509::{ext::ExtKeyUsage, oids};
/// let usage = ExtKeyUsage(SeqOf::from_slice(&[oids::KP_SERVER_AUTH]));
/// assert!(usage.contains(oids::KP_SERVER_AUTH) && !usage.contains(oids::KP_CODE_SIGNING));
/// assert_eq!(encode(&usage)?, *b"\x30\x0A\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01");
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ExtKeyUsageSyntax", size(1..), convert)]
pub struct ExtKeyUsage<'a>(
    /// The wrapped value.
    pub SeqOf<'a, tagwise_codec::Oid<'a>>,
);

/// ```asn1
/// anyExtendedKeyUsage OBJECT IDENTIFIER ::= { id-ce-extKeyUsage 0 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 390.
pub const ANY_EXTENDED_KEY_USAGE: Oid<'static> = tagwise_codec::oid!("2.5.29.37.0");

/// ```asn1
/// id-kp-serverAuth       OBJECT IDENTIFIER ::= { id-kp 1 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 392.
pub const ID_KP_SERVER_AUTH: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.1");

/// ```asn1
/// id-kp-clientAuth       OBJECT IDENTIFIER ::= { id-kp 2 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 393.
pub const ID_KP_CLIENT_AUTH: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.2");

/// ```asn1
/// id-kp-codeSigning      OBJECT IDENTIFIER ::= { id-kp 3 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 394.
pub const ID_KP_CODE_SIGNING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.3");

/// ```asn1
/// id-kp-emailProtection  OBJECT IDENTIFIER ::= { id-kp 4 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 395.
pub const ID_KP_EMAIL_PROTECTION: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.4");

/// ```asn1
/// id-kp-timeStamping     OBJECT IDENTIFIER ::= { id-kp 8 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 396.
pub const ID_KP_TIME_STAMPING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.8");

/// ```asn1
/// id-kp-OCSPSigning      OBJECT IDENTIFIER ::= { id-kp 9 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 397.
pub const ID_KP_OCSP_SIGNING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.9");

/// ```asn1
/// id-pe-authorityInfoAccess OBJECT IDENTIFIER ::= { id-pe 1 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 406.
pub const ID_PE_AUTHORITY_INFO_ACCESS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.1");

/// ```asn1
/// AuthorityInfoAccessSyntax ::= SEQUENCE SIZE (1..MAX) OF AccessDescription
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 408.
///
/// RFC 5280 §4.2.2.1, §5.2.7.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::{ext::AuthorityInfoAccess, oids};
/// let der = b"\x30\x17\x30\x15\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x01\x86\x09http://a/";
/// let access = AuthorityInfoAccess::from_der(der)?;
/// let responders: Vec<String> = access.locations(oids::AD_OCSP).map(|name| name.to_string()).collect();
/// assert_eq!(responders, ["URI:http://a/"]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AuthorityInfoAccessSyntax", size(1..), convert)]
pub struct AuthorityInfoAccess<'a>(
    /// The wrapped value.
    pub SeqOf<'a, AccessDescription<'a>>,
);

/// ```asn1
/// AccessDescription ::= SEQUENCE {
///   accessMethod    OBJECT IDENTIFIER,
///   accessLocation  GeneralName
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 410.
///
/// RFC 5280 §4.2.2.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AccessDescription<'a> {
    /// The access method. [`oids`](crate::oids) contains the known ones.
    pub access_method: Oid<'a>,
    /// The location of the information or service.
    pub access_location: crate::ext::GeneralName<'a>,
}

/// ```asn1
/// id-pe-subjectInfoAccess OBJECT IDENTIFIER ::= { id-pe 11 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 420.
pub const ID_PE_SUBJECT_INFO_ACCESS: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.1.11");

/// ```asn1
/// SubjectInfoAccessSyntax ::= SEQUENCE SIZE (1..MAX) OF AccessDescription
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 422.
///
/// RFC 5280 §4.2.2.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SubjectInfoAccessSyntax", size(1..), convert)]
pub struct SubjectInfoAccess<'a>(
    /// The wrapped value.
    pub SeqOf<'a, AccessDescription<'a>>,
);

/// ```asn1
/// id-ce-cRLNumber OBJECT IDENTIFIER ::= { id-ce 20 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 431.
pub const ID_CE_CRL_NUMBER: Oid<'static> = tagwise_codec::oid!("2.5.29.20");

/// ```asn1
/// id-ce-deltaCRLIndicator OBJECT IDENTIFIER ::= { id-ce 27 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 441.
pub const ID_CE_DELTA_CRL_INDICATOR: Oid<'static> = tagwise_codec::oid!("2.5.29.27");

/// ```asn1
/// id-ce-issuingDistributionPoint OBJECT IDENTIFIER ::= { id-ce 28 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 448.
pub const ID_CE_ISSUING_DISTRIBUTION_POINT: Oid<'static> = tagwise_codec::oid!("2.5.29.28");

/// ```asn1
/// IssuingDistributionPoint ::= SEQUENCE {
///   distributionPoint           [0] DistributionPointName OPTIONAL,
///   onlyContainsUserCerts       [1] BOOLEAN DEFAULT FALSE,
///   onlyContainsCACerts         [2] BOOLEAN DEFAULT FALSE,
///   onlySomeReasons             [3] ReasonFlags OPTIONAL,
///   indirectCRL                 [4] BOOLEAN DEFAULT FALSE,
///   onlyContainsAttributeCerts  [5] BOOLEAN DEFAULT FALSE
/// }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 451.
///
/// RFC 5280 §5.2.5.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::IssuingDistributionPoint;
/// let point = IssuingDistributionPoint::from_der(&[0x30, 0x03, 0x82, 0x01, 0xFF])?;
/// assert!(point.only_contains_ca_certs && !point.indirect_crl);
/// // User certificates only and CA certificates only.
/// let error = IssuingDistributionPoint::from_der(&[0x30, 0x06, 0x81, 0x01, 0xFF, 0x82, 0x01, 0xFF]).unwrap_err();
/// assert_eq!(error.code(), "value");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Default)]
#[asn1(check = crate::ext::check_only)]
pub struct IssuingDistributionPoint<'a> {
    /// The name of this CRL's distribution point.
    #[asn1(explicit = 0)]
    pub distribution_point: Option<DistributionPointName<'a>>,
    /// True if the CRL lists only end-entity certificates.
    #[asn1(implicit = 1, default = false)]
    pub only_contains_user_certs: bool,
    /// True if the CRL lists only CA certificates.
    #[asn1(implicit = 2, name = "onlyContainsCACerts", default = false)]
    pub only_contains_ca_certs: bool,
    /// The revocation reasons that the CRL covers. If absent, it covers all reasons.
    #[asn1(implicit = 3)]
    pub only_some_reasons: Option<ReasonFlags<'a>>,
    /// True if the CRL is indirect: it may also list certificates of other issuers.
    #[asn1(implicit = 4, name = "indirectCRL", default = false)]
    pub indirect_crl: bool,
    /// True if the CRL lists only attribute certificates.
    #[asn1(implicit = 5, default = false)]
    pub only_contains_attribute_certs: bool,
}

/// ```asn1
/// id-ce-cRLReasons OBJECT IDENTIFIER ::= { id-ce 21 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 467.
pub const ID_CE_CRL_REASONS: Oid<'static> = tagwise_codec::oid!("2.5.29.21");

/// ```asn1
/// id-ce-certificateIssuer OBJECT IDENTIFIER ::= { id-ce 29 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 488.
pub const ID_CE_CERTIFICATE_ISSUER: Oid<'static> = tagwise_codec::oid!("2.5.29.29");

/// ```asn1
/// id-ce-invalidityDate OBJECT IDENTIFIER ::= { id-ce 24 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 495.
pub const ID_CE_INVALIDITY_DATE: Oid<'static> = tagwise_codec::oid!("2.5.29.24");

/// ```asn1
/// id-ce-holdInstructionCode OBJECT IDENTIFIER ::= { id-ce 23 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 505.
pub const ID_CE_HOLD_INSTRUCTION_CODE: Oid<'static> = tagwise_codec::oid!("2.5.29.23");

/// ```asn1
/// holdInstruction OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) x9cm(10040) 2 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 509.
pub const HOLD_INSTRUCTION: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.2");

/// ```asn1
/// id-holdinstruction-none        OBJECT IDENTIFIER ::= { holdInstruction 1 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 511.
pub const ID_HOLDINSTRUCTION_NONE: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.2.1");

/// ```asn1
/// id-holdinstruction-callissuer  OBJECT IDENTIFIER ::= { holdInstruction 2 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 512.
pub const ID_HOLDINSTRUCTION_CALLISSUER: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.2.2");

/// ```asn1
/// id-holdinstruction-reject      OBJECT IDENTIFIER ::= { holdInstruction 3 }
/// ```
///
/// `PKIX1Implicit-2009.asn1`, line 513.
pub const ID_HOLDINSTRUCTION_REJECT: Oid<'static> = tagwise_codec::oid!("1.2.840.10040.2.3");
