//! All extension values as one open type, selected by `extnID` (RFC 5280 §4.2).

use tagwise_codec::{Oid, Unknown, oid};
use tagwise_derive::Asn1;

use crate::ext::*;

/// The value of an extension, as the type that its identifier selects.
///
/// ```
/// use tagwise_codec::{Open, oid};
/// use tagwise_pkix::ext::{ExtensionValue, KeyUsage, KnownExtension};
/// let value = Open::<ExtensionValue<'_>>::new(KeyUsage::ID.as_bytes(), &[0x03, 0x02, 0x01, 0x06]);
/// let ExtensionValue::KeyUsage(usage) = value.get()? else { panic!() };
/// assert!(usage.key_cert_sign());
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "ExtensionSet")]
#[non_exhaustive]
pub enum ExtensionValue<'a> {
    /// RFC 5280 §4.2.1.1.
    #[asn1(oid = "2.5.29.35", name = "AuthorityKeyIdentifier")]
    AuthorityKeyIdentifier(AuthorityKeyIdentifier<'a>),
    /// RFC 5280 §4.2.1.2.
    #[asn1(oid = "2.5.29.14", name = "SubjectKeyIdentifier")]
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>),
    /// RFC 5280 §4.2.1.3.
    #[asn1(oid = "2.5.29.15", name = "KeyUsage")]
    KeyUsage(KeyUsage<'a>),
    /// RFC 3280 §4.2.1.4.
    #[asn1(oid = "2.5.29.16", name = "PrivateKeyUsagePeriod")]
    PrivateKeyUsagePeriod(PrivateKeyUsagePeriod<'a>),
    /// RFC 5280 §4.2.1.4.
    #[asn1(oid = "2.5.29.32", name = "CertificatePolicies")]
    CertificatePolicies(CertificatePolicies<'a>),
    /// RFC 5280 §4.2.1.5.
    #[asn1(oid = "2.5.29.33", name = "PolicyMappings")]
    PolicyMappings(PolicyMappings<'a>),
    /// RFC 5280 §4.2.1.6.
    #[asn1(oid = "2.5.29.17", name = "SubjectAltName")]
    SubjectAltName(SubjectAltName<'a>),
    /// RFC 5280 §4.2.1.7.
    #[asn1(oid = "2.5.29.18", name = "IssuerAltName")]
    IssuerAltName(IssuerAltName<'a>),
    /// RFC 5280 §4.2.1.8.
    #[asn1(oid = "2.5.29.9", name = "SubjectDirectoryAttributes")]
    SubjectDirectoryAttributes(SubjectDirectoryAttributes<'a>),
    /// RFC 5280 §4.2.1.9.
    #[asn1(oid = "2.5.29.19", name = "BasicConstraints")]
    BasicConstraints(BasicConstraints<'a>),
    /// RFC 5280 §4.2.1.10.
    #[asn1(oid = "2.5.29.30", name = "NameConstraints")]
    NameConstraints(NameConstraints<'a>),
    /// RFC 5280 §4.2.1.11.
    #[asn1(oid = "2.5.29.36", name = "PolicyConstraints")]
    PolicyConstraints(PolicyConstraints<'a>),
    /// RFC 5280 §4.2.1.12.
    #[asn1(oid = "2.5.29.37", name = "ExtKeyUsageSyntax")]
    ExtKeyUsage(ExtKeyUsage<'a>),
    /// RFC 5280 §4.2.1.13.
    #[asn1(oid = "2.5.29.31", name = "CRLDistributionPoints")]
    CrlDistributionPoints(CrlDistributionPoints<'a>),
    /// RFC 5280 §4.2.1.14.
    #[asn1(oid = "2.5.29.54", name = "InhibitAnyPolicy")]
    InhibitAnyPolicy(InhibitAnyPolicy<'a>),
    /// RFC 5280 §4.2.1.15, §5.2.6.
    #[asn1(oid = "2.5.29.46", name = "FreshestCRL")]
    FreshestCrl(FreshestCrl<'a>),
    /// RFC 5280 §4.2.2.1, §5.2.7.
    #[asn1(oid = "1.3.6.1.5.5.7.1.1", name = "AuthorityInfoAccessSyntax")]
    AuthorityInfoAccess(AuthorityInfoAccess<'a>),
    /// RFC 5280 §4.2.2.2.
    #[asn1(oid = "1.3.6.1.5.5.7.1.11", name = "SubjectInfoAccessSyntax")]
    SubjectInfoAccess(SubjectInfoAccess<'a>),
    /// RFC 5280 §5.2.3.
    #[asn1(oid = "2.5.29.20", name = "CRLNumber")]
    CrlNumber(CrlNumber<'a>),
    /// RFC 5280 §5.2.4.
    #[asn1(oid = "2.5.29.27", name = "BaseCRLNumber")]
    DeltaCrlIndicator(DeltaCrlIndicator<'a>),
    /// RFC 5280 §5.2.5.
    #[asn1(oid = "2.5.29.28", name = "IssuingDistributionPoint")]
    IssuingDistributionPoint(IssuingDistributionPoint<'a>),
    /// RFC 5280 §5.3.1.
    #[asn1(oid = "2.5.29.21", name = "CRLReason")]
    CrlReason(CrlReason),
    /// RFC 3280 §5.3.2.
    #[asn1(oid = "2.5.29.23", name = "HoldInstructionCode")]
    HoldInstructionCode(HoldInstructionCode<'a>),
    /// RFC 5280 §5.3.2.
    #[asn1(oid = "2.5.29.24", name = "InvalidityDate")]
    InvalidityDate(InvalidityDate<'a>),
    /// RFC 5280 §5.3.3.
    #[asn1(oid = "2.5.29.29", name = "CertificateIssuer")]
    CertificateIssuer(CertificateIssuer<'a>),
    /// X.509: extension `expiredCertsOnCRL`.
    #[asn1(oid = "2.5.29.60", name = "ExpiredCertsOnCRL")]
    ExpiredCertsOnCrl(ExpiredCertsOnCrl<'a>),
    /// RFC 9608 §3.
    #[asn1(oid = "2.5.29.56", name = "NoRevAvail")]
    NoRevAvail(NoRevAvail),
    /// RFC 6962 §3.3.
    #[asn1(oid = "1.3.6.1.4.1.11129.2.4.2", name = "SignedCertificateTimestampList")]
    SctList(SctList<'a>),
    /// RFC 6962 §3.3, in OCSP responses.
    #[asn1(oid = "1.3.6.1.4.1.11129.2.4.5", name = "SignedCertificateTimestampList")]
    OcspSctList(SctList<'a>),
    /// RFC 6962 §3.1.
    #[asn1(oid = "1.3.6.1.4.1.11129.2.4.3", name = "PrecertificatePoison")]
    PrecertificatePoison(PrecertificatePoison),
    /// RFC 6960 §4.2.2.2.1.
    #[asn1(oid = "1.3.6.1.5.5.7.48.1.5", name = "OcspNoCheck")]
    OcspNoCheck(OcspNoCheck),
    /// RFC 7633 §4.1.
    #[asn1(oid = "1.3.6.1.5.5.7.1.24", name = "Features")]
    TlsFeature(TlsFeature<'a>),
    /// RFC 8737 §3.
    #[asn1(oid = "1.3.6.1.5.5.7.1.31", name = "Authorization")]
    AcmeIdentifier(AcmeIdentifier<'a>),
    /// RFC 9345 §4.2.
    #[asn1(oid = "1.3.6.1.4.1.44363.44", name = "DelegationUsage")]
    DelegationUsage(DelegationUsage),
    /// RFC 3739 §3.2.6.
    #[asn1(oid = "1.3.6.1.5.5.7.1.3", name = "QCStatements")]
    QcStatements(QcStatements<'a>),
    /// CA/Browser Forum, Extended Validation Guidelines.
    #[asn1(oid = "2.23.140.3.1", name = "CABFOrganizationIdentifier")]
    CabfOrganizationIdentifier(CabfOrganizationIdentifier<'a>),
    /// RFC 9399 §4.1.
    #[asn1(oid = "1.3.6.1.5.5.7.1.12", name = "LogotypeExtn")]
    Logotype(Logotype<'a>),
    /// RFC 3779 §2.2.
    #[asn1(oid = "1.3.6.1.5.5.7.1.7", name = "IPAddrBlocks")]
    IpAddrBlocks(IpAddrBlocks<'a>),
    /// RFC 3779 §3.2.
    #[asn1(oid = "1.3.6.1.5.5.7.1.8", name = "ASIdentifiers")]
    AsIdentifiers(AsIdentifiers<'a>),
    /// RFC 8360 §4.2.2.1: validated by other rules.
    #[asn1(oid = "1.3.6.1.5.5.7.1.28", name = "IPAddrBlocks")]
    IpAddrBlocksV2(IpAddrBlocks<'a>),
    /// RFC 8360 §4.2.2.3: validated by other rules.
    #[asn1(oid = "1.3.6.1.5.5.7.1.29", name = "ASIdentifiers")]
    AsIdentifiersV2(AsIdentifiers<'a>),
    /// Netscape's certificate type.
    #[asn1(oid = "2.16.840.1.113730.1.1", name = "NetscapeCertType")]
    NetscapeCertType(NetscapeCertType<'a>),
    /// What Netscape's other URLs are relative to.
    #[asn1(oid = "2.16.840.1.113730.1.2", name = "NetscapeBaseUrl")]
    NetscapeBaseUrl(NetscapeBaseUrl<'a>),
    /// Where to ask whether the certificate is revoked.
    #[asn1(oid = "2.16.840.1.113730.1.3", name = "NetscapeRevocationUrl")]
    NetscapeRevocationUrl(NetscapeRevocationUrl<'a>),
    /// The same for certificates that the CA issued.
    #[asn1(oid = "2.16.840.1.113730.1.4", name = "NetscapeCaRevocationUrl")]
    NetscapeCaRevocationUrl(NetscapeCaRevocationUrl<'a>),
    /// Where to renew the certificate.
    #[asn1(oid = "2.16.840.1.113730.1.7", name = "NetscapeRenewalUrl")]
    NetscapeRenewalUrl(NetscapeRenewalUrl<'a>),
    /// Where the CA's policies are.
    #[asn1(oid = "2.16.840.1.113730.1.8", name = "NetscapeCaPolicyUrl")]
    NetscapeCaPolicyUrl(NetscapeCaPolicyUrl<'a>),
    /// The host name of the server.
    #[asn1(oid = "2.16.840.1.113730.1.12", name = "NetscapeSslServerName")]
    NetscapeSslServerName(NetscapeSslServerName<'a>),
    /// What to show to users.
    #[asn1(oid = "2.16.840.1.113730.1.13", name = "NetscapeComment")]
    NetscapeComment(NetscapeComment<'a>),
    /// Entrust's release.
    #[asn1(oid = "1.2.840.113533.7.65.0", name = "EntrustVersInfoSyntax")]
    EntrustVersionInfo(EntrustVersionInfo<'a>),
    /// Microsoft's certificate template, version 1.
    #[asn1(oid = "1.3.6.1.4.1.311.20.2", name = "TemplateName")]
    TemplateName(TemplateName<'a>),
    /// Microsoft's certificate template, version 2.
    #[asn1(oid = "1.3.6.1.4.1.311.21.7", name = "CertificateTemplateOID")]
    CertificateTemplate(CertificateTemplate<'a>),
    /// Microsoft's CA version.
    #[asn1(oid = "1.3.6.1.4.1.311.21.1", name = "CAVersion")]
    CaVersion(CaVersion<'a>),
    /// Microsoft's hash of the CA certificate before.
    #[asn1(oid = "1.3.6.1.4.1.311.21.2", name = "PreviousCaHash")]
    PreviousCaHash(PreviousCaHash<'a>),
    /// Microsoft's number of a base CRL.
    #[asn1(oid = "1.3.6.1.4.1.311.21.3", name = "CRLVirtualBase")]
    CrlVirtualBase(CrlVirtualBase<'a>),
    /// Microsoft's time of the next CRL.
    #[asn1(oid = "1.3.6.1.4.1.311.21.4", name = "CRLNextPublish")]
    CrlNextPublish(CrlNextPublish<'a>),
    /// Microsoft's extended key usage.
    #[asn1(oid = "1.3.6.1.4.1.311.21.10", name = "ApplicationPolicies")]
    ApplicationPolicies(ApplicationPolicies<'a>),
    /// Microsoft's policy mappings.
    #[asn1(oid = "1.3.6.1.4.1.311.21.11", name = "ApplicationPolicyMappings")]
    ApplicationPolicyMappings(ApplicationPolicyMappings<'a>),
    /// Microsoft's policy constraints.
    #[asn1(oid = "1.3.6.1.4.1.311.21.12", name = "ApplicationPolicyConstraints")]
    ApplicationPolicyConstraints(ApplicationPolicyConstraints<'a>),
    /// Microsoft's places of the CRL itself.
    #[asn1(oid = "1.3.6.1.4.1.311.21.14", name = "CRLSelfDistributionPoints")]
    CrlSelfDistributionPoints(CrlSelfDistributionPoints<'a>),
    /// Microsoft's security identifier.
    #[asn1(oid = "1.3.6.1.4.1.311.25.2", name = "NTDSSecurity")]
    NtdsSecurity(NtdsSecurity<'a>),
    /// An extension that is not known.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// A type that an extension's identifier selects, so that it can be looked up by type.
///
/// ```
/// use tagwise_pkix::ext::{KeyUsage, KnownExtension};
/// assert_eq!(KeyUsage::ID.to_string(), "2.5.29.15");
/// ```
pub trait KnownExtension {
    /// The identifier.
    const ID: Oid<'static>;
}

macro_rules! known {
    ($($ty:ty = $oid:literal;)*) => {
        $(impl KnownExtension for $ty {
            const ID: Oid<'static> = oid!($oid);
        })*

        #[cfg(test)]
        const KNOWN: &[(&str, Oid<'static>)] = &[$((stringify!($ty), <$ty>::ID)),*];
    };
}

known! {
    AuthorityKeyIdentifier<'_> = "2.5.29.35";
    SubjectKeyIdentifier<'_> = "2.5.29.14";
    KeyUsage<'_> = "2.5.29.15";
    PrivateKeyUsagePeriod<'_> = "2.5.29.16";
    CertificatePolicies<'_> = "2.5.29.32";
    PolicyMappings<'_> = "2.5.29.33";
    SubjectAltName<'_> = "2.5.29.17";
    IssuerAltName<'_> = "2.5.29.18";
    SubjectDirectoryAttributes<'_> = "2.5.29.9";
    BasicConstraints<'_> = "2.5.29.19";
    NameConstraints<'_> = "2.5.29.30";
    PolicyConstraints<'_> = "2.5.29.36";
    ExtKeyUsage<'_> = "2.5.29.37";
    CrlDistributionPoints<'_> = "2.5.29.31";
    InhibitAnyPolicy<'_> = "2.5.29.54";
    FreshestCrl<'_> = "2.5.29.46";
    AuthorityInfoAccess<'_> = "1.3.6.1.5.5.7.1.1";
    SubjectInfoAccess<'_> = "1.3.6.1.5.5.7.1.11";
    CrlNumber<'_> = "2.5.29.20";
    DeltaCrlIndicator<'_> = "2.5.29.27";
    IssuingDistributionPoint<'_> = "2.5.29.28";
    CrlReason = "2.5.29.21";
    HoldInstructionCode<'_> = "2.5.29.23";
    InvalidityDate<'_> = "2.5.29.24";
    CertificateIssuer<'_> = "2.5.29.29";
    ExpiredCertsOnCrl<'_> = "2.5.29.60";
    NoRevAvail = "2.5.29.56";
    SctList<'_> = "1.3.6.1.4.1.11129.2.4.2";
    PrecertificatePoison = "1.3.6.1.4.1.11129.2.4.3";
    OcspNoCheck = "1.3.6.1.5.5.7.48.1.5";
    TlsFeature<'_> = "1.3.6.1.5.5.7.1.24";
    AcmeIdentifier<'_> = "1.3.6.1.5.5.7.1.31";
    DelegationUsage = "1.3.6.1.4.1.44363.44";
    QcStatements<'_> = "1.3.6.1.5.5.7.1.3";
    CabfOrganizationIdentifier<'_> = "2.23.140.3.1";
    Logotype<'_> = "1.3.6.1.5.5.7.1.12";
    IpAddrBlocks<'_> = "1.3.6.1.5.5.7.1.7";
    AsIdentifiers<'_> = "1.3.6.1.5.5.7.1.8";
    NetscapeCertType<'_> = "2.16.840.1.113730.1.1";
    NetscapeBaseUrl<'_> = "2.16.840.1.113730.1.2";
    NetscapeRevocationUrl<'_> = "2.16.840.1.113730.1.3";
    NetscapeCaRevocationUrl<'_> = "2.16.840.1.113730.1.4";
    NetscapeRenewalUrl<'_> = "2.16.840.1.113730.1.7";
    NetscapeCaPolicyUrl<'_> = "2.16.840.1.113730.1.8";
    NetscapeSslServerName<'_> = "2.16.840.1.113730.1.12";
    NetscapeComment<'_> = "2.16.840.1.113730.1.13";
    EntrustVersionInfo<'_> = "1.2.840.113533.7.65.0";
    TemplateName<'_> = "1.3.6.1.4.1.311.20.2";
    CertificateTemplate<'_> = "1.3.6.1.4.1.311.21.7";
    CaVersion<'_> = "1.3.6.1.4.1.311.21.1";
    PreviousCaHash<'_> = "1.3.6.1.4.1.311.21.2";
    CrlVirtualBase<'_> = "1.3.6.1.4.1.311.21.3";
    CrlNextPublish<'_> = "1.3.6.1.4.1.311.21.4";
    ApplicationPolicies<'_> = "1.3.6.1.4.1.311.21.10";
    ApplicationPolicyMappings<'_> = "1.3.6.1.4.1.311.21.11";
    ApplicationPolicyConstraints<'_> = "1.3.6.1.4.1.311.21.12";
    CrlSelfDistributionPoints<'_> = "1.3.6.1.4.1.311.21.14";
    NtdsSecurity<'_> = "1.3.6.1.4.1.311.25.2";
}

#[cfg(test)]
mod tests {
    use super::*;
    use tagwise_codec::OpenType;

    #[test]
    fn the_two_lists_agree() {
        let set = ExtensionValue::set();
        for (name, id) in KNOWN {
            assert!(set.find(id.as_bytes()).is_some(), "{name}");
        }
        // Two identifiers of RFC 8360 and one of RFC 6962 select types that have one already.
        assert_eq!(set.objects.len(), KNOWN.len() + 3);
        let mut keys: Vec<&[u8]> = set.objects.iter().map(|object| &*object.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), set.objects.len());
    }

    #[test]
    fn every_extension_has_a_name() {
        for (name, id) in KNOWN {
            let info = crate::oids::lookup(*id).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(info.kind, crate::oids::Kind::Extension, "{name}");
        }
    }
}
