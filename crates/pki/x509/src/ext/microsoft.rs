//! Extensions of Microsoft Certificate Services ([MS-WCCE] §2.2.2.7.7, [MS-CSRA]).

use tagwise_codec::{Bmp, Int, OctetStr, Oid};
use tagwise_derive::Asn1;

use crate::ext::{CertificatePolicies, CrlDistributionPoints, GeneralNames, PolicyConstraints, PolicyMappings};
use crate::time::Time;

/// ```asn1
/// BMPString
/// ```
///
/// `szOID_ENROLL_CERTTYPE_EXTENSION`: the name of a version 1 template.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::TemplateName;
/// let name = TemplateName::from_der(&[0x1E, 0x04, 0x00, 0x43, 0x00, 0x41])?;
/// assert_eq!(name.0.to_string(), "CA");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "BMPString")]
pub struct TemplateName<'a>(
    /// The name.
    pub Bmp<'a>,
);

/// ```asn1
/// CertificateTemplateOID ::= SEQUENCE {
///       templateID              OBJECT IDENTIFIER,
///       templateMajorVersion    TemplateVersion,
///       templateMinorVersion    TemplateVersion OPTIONAL }
///
/// TemplateVersion ::= INTEGER (0..4294967295)
/// ```
///
/// `szOID_CERTIFICATE_TEMPLATE`: a version 2 template ([MS-WCCE] §2.2.2.7.7.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "CertificateTemplateOID")]
pub struct CertificateTemplate<'a> {
    /// The template's identifier.
    #[asn1(name = "templateID")]
    pub template_id: Oid<'a>,
    /// The template's major version.
    pub template_major_version: u32,
    /// The template's minor version.
    pub template_minor_version: Option<u32>,
}

/// ```asn1
/// CAVersion ::= INTEGER
/// ```
///
/// `szOID_CERTSRV_CA_VERSION`: how many times the CA has renewed its certificate and key.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::CaVersion;
/// let version = CaVersion::from_der(&[0x02, 0x03, 0x02, 0x00, 0x03])?;
/// assert_eq!((version.certificate_index(), version.key_index()), (Some(3), Some(2)));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "CAVersion")]
pub struct CaVersion<'a>(
    /// The key index times 65536 plus the certificate index.
    pub Int<'a>,
);

impl CaVersion<'_> {
    /// Returns the index of the CA certificate, from 0, or `None` if the number has more than 32 bits.
    #[must_use]
    pub fn certificate_index(&self) -> Option<u16> {
        u32::try_from(self.0).ok().map(|version| version as u16)
    }

    /// Returns the index of the first certificate with the CA's current key.
    #[must_use]
    pub fn key_index(&self) -> Option<u16> {
        u32::try_from(self.0).ok().map(|version| (version >> 16) as u16)
    }
}

/// ```asn1
/// OCTET STRING
/// ```
///
/// `szOID_CERTSRV_PREVIOUS_CERT_HASH`: the SHA-1 hash of the previous CA certificate.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "OCTET STRING")]
pub struct PreviousCaHash<'a>(
    /// The hash.
    pub OctetStr<'a>,
);

/// ```asn1
/// INTEGER
/// ```
///
/// `szOID_CRL_VIRTUAL_BASE`: the base CRL number that a corresponding delta CRL would have.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "INTEGER")]
pub struct CrlVirtualBase<'a>(
    /// The base CRL number.
    pub Int<'a>,
);

/// ```asn1
/// Time
/// ```
///
/// `szOID_CRL_NEXT_PUBLISH`: the time at which the next CRL will be published, before this one expires.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(choice, name = "CRLNextPublish")]
pub struct CrlNextPublish<'a>(
    /// The time.
    pub Time<'a>,
);

/// ```asn1
/// CRLDistributionPoints
/// ```
///
/// `szOID_CRL_SELF_CDP`: the locations where this CRL is published.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CrlSelfDistributionPoints<'a>(
    /// The distribution points.
    pub CrlDistributionPoints<'a>,
);

/// ```asn1
/// CertificatePolicies
/// ```
///
/// `szOID_APPLICATION_CERT_POLICIES`: the purposes of the key, encoded like policies.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ApplicationPolicies<'a>(
    /// The purposes.
    pub CertificatePolicies<'a>,
);

/// ```asn1
/// PolicyMappings
/// ```
///
/// `szOID_APPLICATION_POLICY_MAPPINGS`: equivalences between application policies, encoded like policy mappings.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ApplicationPolicyMappings<'a>(
    /// The policy pairs.
    pub PolicyMappings<'a>,
);

/// ```asn1
/// PolicyConstraints
/// ```
///
/// `szOID_APPLICATION_POLICY_CONSTRAINTS`: requirements on application policies, encoded like policy constraints.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ApplicationPolicyConstraints<'a>(
    /// The constraints.
    pub PolicyConstraints<'a>,
);

/// ```asn1
/// GeneralNames
/// ```
///
/// `szOID_NTDS_CA_SECURITY_EXT`: the SID of the subject's account, as an otherName ([MS-WCCE] §2.2.2.7.7.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct NtdsSecurity<'a>(
    /// A single otherName.
    pub GeneralNames<'a>,
);
