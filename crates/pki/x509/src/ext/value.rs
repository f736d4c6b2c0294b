//! All extension values as one open type, selected by `extnID` (RFC 5280 §4.2).

use tagwise_codec::{Oid, Unknown};
use tagwise_derive::Asn1;

use crate::ext::*;
use crate::oids;

/// The value of an extension, selected by its identifier.
///
/// ```
/// use tagwise_codec::{Open, oid};
/// use tagwise_x509::ext::{ExtensionValue, KeyUsage, KnownExtension};
/// let value = Open::<ExtensionValue<'_>>::new(KeyUsage::ID.as_bytes(), &[0x03, 0x02, 0x01, 0x06]);
/// let ExtensionValue::KeyUsage(usage) = value.get()? else { panic!() };
/// assert!(usage.key_cert_sign());
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "ExtensionSet")]
#[non_exhaustive]
pub enum ExtensionValue<'a> {
    /// An identifier of the key that signed the certificate or CRL (RFC 5280 §4.2.1.1).
    #[asn1(oid = oids::AUTHORITY_KEY_IDENTIFIER, name = "AuthorityKeyIdentifier")]
    AuthorityKeyIdentifier(AuthorityKeyIdentifier<'a>),
    /// An identifier of the subject's key (RFC 5280 §4.2.1.2).
    #[asn1(oid = oids::SUBJECT_KEY_IDENTIFIER, name = "SubjectKeyIdentifier")]
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
    /// The operations allowed with the key (RFC 5280 §4.2.1.3).
    #[asn1(oid = oids::KEY_USAGE, name = "KeyUsage")]
    KeyUsage(KeyUsage<'a>),
    /// The period in which the private key may sign (RFC 3280 §4.2.1.4).
    #[asn1(oid = oids::PRIVATE_KEY_USAGE_PERIOD, name = "PrivateKeyUsagePeriod")]
    PrivateKeyUsagePeriod(PrivateKeyUsagePeriod<'a>),
    /// The policies under which the certificate was issued (RFC 5280 §4.2.1.4).
    #[asn1(oid = oids::CERTIFICATE_POLICIES, name = "CertificatePolicies")]
    CertificatePolicies(CertificatePolicies<'a>),
    /// Equivalences between policies of the issuing and the subject CA (RFC 5280 §4.2.1.5).
    #[asn1(oid = oids::POLICY_MAPPINGS, name = "PolicyMappings")]
    PolicyMappings(PolicyMappings<'a>),
    /// Further names of the subject, such as host names (RFC 5280 §4.2.1.6).
    #[asn1(oid = oids::SUBJECT_ALT_NAME, name = "SubjectAltName")]
    SubjectAltName(SubjectAltName<'a>),
    /// Further names of the issuer (RFC 5280 §4.2.1.7).
    #[asn1(oid = oids::ISSUER_ALT_NAME, name = "IssuerAltName")]
    IssuerAltName(IssuerAltName<'a>),
    /// Further attributes of the subject (RFC 5280 §4.2.1.8).
    #[asn1(oid = oids::SUBJECT_DIRECTORY_ATTRIBUTES, name = "SubjectDirectoryAttributes")]
    SubjectDirectoryAttributes(SubjectDirectoryAttributes<'a>),
    /// States whether the subject is a CA, and the maximum length of paths below it (RFC 5280 §4.2.1.9).
    #[asn1(oid = oids::BASIC_CONSTRAINTS, name = "BasicConstraints")]
    BasicConstraints(BasicConstraints<'a>),
    /// The names allowed and forbidden in certificates below a CA (RFC 5280 §4.2.1.10).
    #[asn1(oid = oids::NAME_CONSTRAINTS, name = "NameConstraints")]
    NameConstraints(NameConstraints<'a>),
    /// Requirements on the policies of certificates below a CA (RFC 5280 §4.2.1.11).
    #[asn1(oid = oids::POLICY_CONSTRAINTS, name = "PolicyConstraints")]
    PolicyConstraints(PolicyConstraints<'a>),
    /// The purposes of the key (RFC 5280 §4.2.1.12).
    #[asn1(oid = oids::EXT_KEY_USAGE, name = "ExtKeyUsageSyntax")]
    ExtKeyUsage(ExtKeyUsage<'a>),
    /// The locations of CRLs that cover the certificate (RFC 5280 §4.2.1.13).
    #[asn1(oid = oids::CRL_DISTRIBUTION_POINTS, name = "CRLDistributionPoints")]
    CrlDistributionPoints(CrlDistributionPoints<'a>),
    /// The number of further certificates in which *anyPolicy* is accepted (RFC 5280 §4.2.1.14).
    #[asn1(oid = oids::INHIBIT_ANY_POLICY, name = "InhibitAnyPolicy")]
    InhibitAnyPolicy(InhibitAnyPolicy<'a>),
    /// The locations of delta CRLs (RFC 5280 §4.2.1.15, §5.2.6).
    #[asn1(oid = oids::FRESHEST_CRL, name = "FreshestCRL")]
    FreshestCrl(FreshestCrl<'a>),
    /// The locations of the issuer's certificates and OCSP service (RFC 5280 §4.2.2.1, §5.2.7).
    #[asn1(oid = oids::AUTHORITY_INFO_ACCESS, name = "AuthorityInfoAccessSyntax")]
    AuthorityInfoAccess(AuthorityInfoAccess<'a>),
    /// The locations of information and services of the subject (RFC 5280 §4.2.2.2).
    #[asn1(oid = oids::SUBJECT_INFO_ACCESS, name = "SubjectInfoAccessSyntax")]
    SubjectInfoAccess(SubjectInfoAccess<'a>),
    /// The sequence number of the CRL (RFC 5280 §5.2.3).
    #[asn1(oid = oids::CRL_NUMBER, name = "CRLNumber")]
    CrlNumber(CrlNumber<'a>),
    /// The number of the complete CRL to which a delta CRL applies (RFC 5280 §5.2.4).
    #[asn1(oid = oids::DELTA_CRL_INDICATOR, name = "BaseCRLNumber")]
    DeltaCrlIndicator(DeltaCrlIndicator<'a>),
    /// The certificates and reasons that the CRL covers (RFC 5280 §5.2.5).
    #[asn1(oid = oids::ISSUING_DISTRIBUTION_POINT, name = "IssuingDistributionPoint")]
    IssuingDistributionPoint(IssuingDistributionPoint<'a>),
    /// The reason for the revocation (RFC 5280 §5.3.1).
    #[asn1(oid = oids::REASON_CODE, name = "CRLReason")]
    CrlReason(CrlReason),
    /// The action to take on a certificate that is on hold (RFC 3280 §5.3.2).
    #[asn1(oid = oids::HOLD_INSTRUCTION_CODE, name = "HoldInstructionCode")]
    HoldInstructionCode(HoldInstructionCode<'a>),
    /// The time since which the key or certificate is suspected to be invalid (RFC 5280 §5.3.2).
    #[asn1(oid = oids::INVALIDITY_DATE, name = "InvalidityDate")]
    InvalidityDate(InvalidityDate<'a>),
    /// The certificate issuer of this and the following entries of an indirect CRL (RFC 5280 §5.3.3).
    #[asn1(oid = oids::CERTIFICATE_ISSUER, name = "CertificateIssuer")]
    CertificateIssuer(CertificateIssuer<'a>),
    /// The time since which the CRL has kept expired certificates (X.509, `expiredCertsOnCRL`).
    #[asn1(oid = oids::EXPIRED_CERTS_ON_CRL, name = "ExpiredCertsOnCRL")]
    ExpiredCertsOnCrl(ExpiredCertsOnCrl<'a>),
    /// Marks certificates without revocation information (RFC 9608 §3).
    #[asn1(oid = oids::NO_REV_AVAIL, name = "NoRevAvail")]
    NoRevAvail(NoRevAvail),
    /// Signed certificate timestamps, in certificates (RFC 6962 §3.3).
    #[asn1(oid = oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST, name = "SignedCertificateTimestampList")]
    SctList(SctList<'a>),
    /// Signed certificate timestamps, in OCSP responses (RFC 6962 §3.3).
    #[asn1(oid = oids::CT_OCSP_SIGNED_CERTIFICATE_TIMESTAMP_LIST, name = "SignedCertificateTimestampList")]
    OcspSctList(SctList<'a>),
    /// Marks precertificates, so that they are not accepted as certificates (RFC 6962 §3.1).
    #[asn1(oid = oids::CT_POISON, name = "PrecertificatePoison")]
    PrecertificatePoison(PrecertificatePoison),
    /// Marks OCSP responders whose revocation need not be checked (RFC 6960 §4.2.2.2.1).
    #[asn1(oid = oids::OCSP_NO_CHECK, name = "OcspNoCheck")]
    OcspNoCheck(OcspNoCheck),
    /// TLS extensions that the server must support, such as OCSP stapling (RFC 7633 §4.1).
    #[asn1(oid = oids::PE_TLS_FEATURE, name = "Features")]
    TlsFeature(TlsFeature<'a>),
    /// The digest of an ACME challenge's key authorization (RFC 8737 §3).
    #[asn1(oid = oids::PE_ACME_IDENTIFIER, name = "Authorization")]
    AcmeIdentifier(AcmeIdentifier<'a>),
    /// Allows the certificate to sign delegated credentials (RFC 9345 §4.2).
    #[asn1(oid = oids::DELEGATION_USAGE, name = "DelegationUsage")]
    DelegationUsage(DelegationUsage),
    /// Statements about qualified certificates (RFC 3739 §3.2.6).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::QC_STATEMENTS, name = "QCStatements")]
    QcStatements(QcStatements<'a>),
    /// An organization's registration (CA/Browser Forum, Extended Validation Guidelines).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::CABF_ORGANIZATION_IDENTIFIER, name = "CABFOrganizationIdentifier")]
    CabfOrganizationIdentifier(CabfOrganizationIdentifier<'a>),
    /// Logos for display with the certificate (RFC 9399 §4.1).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::PE_LOGOTYPE, name = "LogotypeExtn")]
    Logotype(Logotype<'a>),
    /// The IP addresses allocated to the subject (RFC 3779 §2.2).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::PE_IP_ADDR_BLOCKS, name = "IPAddrBlocks")]
    IpAddrBlocks(IpAddrBlocks<'a>),
    /// The autonomous system numbers allocated to the subject (RFC 3779 §3.2).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::PE_AUTONOMOUS_SYS_IDS, name = "ASIdentifiers")]
    AsIdentifiers(AsIdentifiers<'a>),
    /// The IP addresses allocated to the subject, for the validation procedure of RFC 8360 (§4.2.2.1).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::PE_IP_ADDR_BLOCKS_V2, name = "IPAddrBlocks")]
    IpAddrBlocksV2(IpAddrBlocks<'a>),
    /// The autonomous system numbers allocated to the subject, for the validation procedure of RFC 8360 (§4.2.2.3).
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::PE_AUTONOMOUS_SYS_IDS_V2, name = "ASIdentifiers")]
    AsIdentifiersV2(AsIdentifiers<'a>),
    /// Netscape's certificate type.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_CERT_TYPE, name = "NetscapeCertType")]
    NetscapeCertType(NetscapeCertType<'a>),
    /// The base URL to which Netscape's other URLs may be relative.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_BASE_URL, name = "NetscapeBaseUrl")]
    NetscapeBaseUrl(NetscapeBaseUrl<'a>),
    /// The URL for checking whether the certificate is revoked.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_REVOCATION_URL, name = "NetscapeRevocationUrl")]
    NetscapeRevocationUrl(NetscapeRevocationUrl<'a>),
    /// The URL for checking whether a certificate issued by this CA is revoked.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_CA_REVOCATION_URL, name = "NetscapeCaRevocationUrl")]
    NetscapeCaRevocationUrl(NetscapeCaRevocationUrl<'a>),
    /// The URL for renewing the certificate.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_RENEWAL_URL, name = "NetscapeRenewalUrl")]
    NetscapeRenewalUrl(NetscapeRenewalUrl<'a>),
    /// The URL of the CA's policies.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_CA_POLICY_URL, name = "NetscapeCaPolicyUrl")]
    NetscapeCaPolicyUrl(NetscapeCaPolicyUrl<'a>),
    /// The host name of the server.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_SSL_SERVER_NAME, name = "NetscapeSslServerName")]
    NetscapeSslServerName(NetscapeSslServerName<'a>),
    /// A comment for users.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::NETSCAPE_COMMENT, name = "NetscapeComment")]
    NetscapeComment(NetscapeComment<'a>),
    /// The Entrust release that issued the certificate.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::ENTRUST_VERS_INFO, name = "EntrustVersInfoSyntax")]
    EntrustVersionInfo(EntrustVersionInfo<'a>),
    /// The name of a Microsoft certificate template, version 1.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_ENROLL_CERTTYPE_EXTENSION, name = "TemplateName")]
    TemplateName(TemplateName<'a>),
    /// The identifier of a Microsoft certificate template, version 2.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CERTIFICATE_TEMPLATE, name = "CertificateTemplateOID")]
    CertificateTemplate(CertificateTemplate<'a>),
    /// The number of renewals of a Microsoft CA's certificate and key.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CERTSRV_CA_VERSION, name = "CAVersion")]
    CaVersion(CaVersion<'a>),
    /// Microsoft's hash of the previous CA certificate.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CERTSRV_PREVIOUS_CERT_HASH, name = "PreviousCaHash")]
    PreviousCaHash(PreviousCaHash<'a>),
    /// Microsoft's base CRL number for a corresponding delta CRL.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CRL_VIRTUAL_BASE, name = "CRLVirtualBase")]
    CrlVirtualBase(CrlVirtualBase<'a>),
    /// Microsoft's publication time for the next CRL.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CRL_NEXT_PUBLISH, name = "CRLNextPublish")]
    CrlNextPublish(CrlNextPublish<'a>),
    /// Microsoft's equivalent of extended key usage.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_APPLICATION_CERT_POLICIES, name = "ApplicationPolicies")]
    ApplicationPolicies(ApplicationPolicies<'a>),
    /// Microsoft's equivalent of policy mappings.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_APPLICATION_POLICY_MAPPINGS, name = "ApplicationPolicyMappings")]
    ApplicationPolicyMappings(ApplicationPolicyMappings<'a>),
    /// Microsoft's equivalent of policy constraints.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_APPLICATION_POLICY_CONSTRAINTS, name = "ApplicationPolicyConstraints")]
    ApplicationPolicyConstraints(ApplicationPolicyConstraints<'a>),
    /// The locations where a Microsoft CA publishes this CRL.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_CRL_SELF_CDP, name = "CRLSelfDistributionPoints")]
    CrlSelfDistributionPoints(CrlSelfDistributionPoints<'a>),
    /// Microsoft's security identifier (SID) of the subject's account.
    #[cfg(feature = "rare-extensions")]
    #[asn1(oid = oids::MS_NTDS_CA_SECURITY_EXT, name = "NTDSSecurity")]
    NtdsSecurity(NtdsSecurity<'a>),
    /// An unknown extension.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// A type of extension value, by which an extension can be looked up.
///
/// ```
/// use tagwise_x509::ext::{KeyUsage, KnownExtension};
/// assert_eq!(KeyUsage::ID.to_string(), "2.5.29.15");
/// ```
pub trait KnownExtension {
    /// The extension's identifier.
    const ID: Oid<'static>;
}

macro_rules! known {
    ($list:ident: $($ty:ty = $oid:ident;)*) => {
        $(impl KnownExtension for $ty {
            const ID: Oid<'static> = oids::$oid;
        })*

        #[cfg(all(test, feature = "rare-extensions"))]
        const $list: &[(&str, Oid<'static>)] = &[$((stringify!($ty), <$ty>::ID)),*];
    };
}

known! {
    KNOWN:
    AuthorityKeyIdentifier<'_> = AUTHORITY_KEY_IDENTIFIER;
    SubjectKeyIdentifier<'_> = SUBJECT_KEY_IDENTIFIER;
    KeyUsage<'_> = KEY_USAGE;
    PrivateKeyUsagePeriod<'_> = PRIVATE_KEY_USAGE_PERIOD;
    CertificatePolicies<'_> = CERTIFICATE_POLICIES;
    PolicyMappings<'_> = POLICY_MAPPINGS;
    SubjectAltName<'_> = SUBJECT_ALT_NAME;
    IssuerAltName<'_> = ISSUER_ALT_NAME;
    SubjectDirectoryAttributes<'_> = SUBJECT_DIRECTORY_ATTRIBUTES;
    BasicConstraints<'_> = BASIC_CONSTRAINTS;
    NameConstraints<'_> = NAME_CONSTRAINTS;
    PolicyConstraints<'_> = POLICY_CONSTRAINTS;
    ExtKeyUsage<'_> = EXT_KEY_USAGE;
    CrlDistributionPoints<'_> = CRL_DISTRIBUTION_POINTS;
    InhibitAnyPolicy<'_> = INHIBIT_ANY_POLICY;
    FreshestCrl<'_> = FRESHEST_CRL;
    AuthorityInfoAccess<'_> = AUTHORITY_INFO_ACCESS;
    SubjectInfoAccess<'_> = SUBJECT_INFO_ACCESS;
    CrlNumber<'_> = CRL_NUMBER;
    DeltaCrlIndicator<'_> = DELTA_CRL_INDICATOR;
    IssuingDistributionPoint<'_> = ISSUING_DISTRIBUTION_POINT;
    CrlReason = REASON_CODE;
    HoldInstructionCode<'_> = HOLD_INSTRUCTION_CODE;
    InvalidityDate<'_> = INVALIDITY_DATE;
    CertificateIssuer<'_> = CERTIFICATE_ISSUER;
    ExpiredCertsOnCrl<'_> = EXPIRED_CERTS_ON_CRL;
    NoRevAvail = NO_REV_AVAIL;
    SctList<'_> = SIGNED_CERTIFICATE_TIMESTAMP_LIST;
    PrecertificatePoison = CT_POISON;
    OcspNoCheck = OCSP_NO_CHECK;
    TlsFeature<'_> = PE_TLS_FEATURE;
    AcmeIdentifier<'_> = PE_ACME_IDENTIFIER;
    DelegationUsage = DELEGATION_USAGE;
}

#[cfg(feature = "rare-extensions")]
known! {
    KNOWN_RARE:
    QcStatements<'_> = QC_STATEMENTS;
    CabfOrganizationIdentifier<'_> = CABF_ORGANIZATION_IDENTIFIER;
    Logotype<'_> = PE_LOGOTYPE;
    IpAddrBlocks<'_> = PE_IP_ADDR_BLOCKS;
    AsIdentifiers<'_> = PE_AUTONOMOUS_SYS_IDS;
    NetscapeCertType<'_> = NETSCAPE_CERT_TYPE;
    NetscapeBaseUrl<'_> = NETSCAPE_BASE_URL;
    NetscapeRevocationUrl<'_> = NETSCAPE_REVOCATION_URL;
    NetscapeCaRevocationUrl<'_> = NETSCAPE_CA_REVOCATION_URL;
    NetscapeRenewalUrl<'_> = NETSCAPE_RENEWAL_URL;
    NetscapeCaPolicyUrl<'_> = NETSCAPE_CA_POLICY_URL;
    NetscapeSslServerName<'_> = NETSCAPE_SSL_SERVER_NAME;
    NetscapeComment<'_> = NETSCAPE_COMMENT;
    EntrustVersionInfo<'_> = ENTRUST_VERS_INFO;
    TemplateName<'_> = MS_ENROLL_CERTTYPE_EXTENSION;
    CertificateTemplate<'_> = MS_CERTIFICATE_TEMPLATE;
    CaVersion<'_> = MS_CERTSRV_CA_VERSION;
    PreviousCaHash<'_> = MS_CERTSRV_PREVIOUS_CERT_HASH;
    CrlVirtualBase<'_> = MS_CRL_VIRTUAL_BASE;
    CrlNextPublish<'_> = MS_CRL_NEXT_PUBLISH;
    ApplicationPolicies<'_> = MS_APPLICATION_CERT_POLICIES;
    ApplicationPolicyMappings<'_> = MS_APPLICATION_POLICY_MAPPINGS;
    ApplicationPolicyConstraints<'_> = MS_APPLICATION_POLICY_CONSTRAINTS;
    CrlSelfDistributionPoints<'_> = MS_CRL_SELF_CDP;
    NtdsSecurity<'_> = MS_NTDS_CA_SECURITY_EXT;
}

#[cfg(all(test, feature = "rare-extensions"))]
mod tests {
    use super::*;
    use tagwise_codec::OpenType;

    #[test]
    fn the_two_lists_agree() {
        let set = ExtensionValue::set();
        for (name, id) in KNOWN.iter().chain(KNOWN_RARE) {
            assert!(set.find(id.as_bytes()).is_some(), "{name}");
        }
        // Two identifiers of RFC 8360 and one of RFC 6962 select types that have one already.
        assert_eq!(set.objects.len(), KNOWN.len() + KNOWN_RARE.len() + 3);
        let mut keys: Vec<&[u8]> = set.objects.iter().map(|object| &*object.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), set.objects.len());
    }

    #[test]
    fn every_extension_has_a_name() {
        for (name, id) in KNOWN.iter().chain(KNOWN_RARE) {
            let info = crate::oids::lookup(*id).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(info.kind, crate::oids::ObjectKind::Extension, "{name}");
        }
    }
}
