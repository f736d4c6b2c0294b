//! Where CRLs are, and what one covers (RFC 5280 §4.2.1.13, §4.2.1.15, §5.2.5).

use tagwise_codec::{Fault, Kind, NamedBits, Reader, Rule, SeqOf};
use tagwise_derive::Asn1;

use crate::ext::{GeneralNames, bits};
use crate::name::RelativeDistinguishedName;

/// ```asn1
/// CRLDistributionPoints ::= SEQUENCE SIZE (1..MAX) OF DistributionPoint
/// ```
///
/// RFC 5280 §4.2.1.13.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::CrlDistributionPoints;
/// let der = b"\x30\x11\x30\x0F\xA0\x0D\xA0\x0B\x86\x09http://a/";
/// let points = CrlDistributionPoints::from_der(der)?;
/// let uris: Vec<String> = points.full_names().map(|name| name.to_string()).collect();
/// assert_eq!(uris, ["URI:http://a/"]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "CRLDistributionPoints", size(1..))]
pub struct CrlDistributionPoints<'a>(
    /// The points.
    pub SeqOf<'a, DistributionPoint<'a>>,
);

impl<'a> CrlDistributionPoints<'a> {
    /// The full names of all points, one after the other, up to the first that does not decode.
    pub fn full_names(&self) -> impl Iterator<Item = crate::ext::GeneralName<'a>> + use<'a> {
        self.0.iter().map_while(Result::ok).flat_map(|point| {
            let names = match point.distribution_point {
                Some(DistributionPointName::FullName(names)) => Some(names),
                _ => None,
            };
            names.into_iter().flat_map(|names| names.iter().map_while(Result::ok))
        })
    }
}

/// ```asn1
/// FreshestCRL ::= CRLDistributionPoints
/// ```
///
/// RFC 5280 §4.2.1.15, §5.2.6: where delta CRLs are.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "FreshestCRL")]
pub struct FreshestCrl<'a>(
    /// The points.
    pub CrlDistributionPoints<'a>,
);

/// ```asn1
/// DistributionPoint ::= SEQUENCE {
///      distributionPoint       [0]     DistributionPointName OPTIONAL,
///      reasons                 [1]     ReasonFlags OPTIONAL,
///      cRLIssuer               [2]     GeneralNames OPTIONAL }
/// ```
///
/// RFC 5280 §4.2.1.13.
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq)]
pub struct DistributionPoint<'a> {
    /// Where the CRL is.
    #[asn1(explicit = 0)]
    pub distribution_point: Option<DistributionPointName<'a>>,
    /// Which reasons it covers; without it, all.
    #[asn1(implicit = 1)]
    pub reasons: Option<ReasonFlags<'a>>,
    /// Who signs it, if not the issuer of the certificate.
    #[asn1(implicit = 2, name = "cRLIssuer")]
    pub crl_issuer: Option<GeneralNames<'a>>,
}

/// ```asn1
/// DistributionPointName ::= CHOICE {
///      fullName                [0]     GeneralNames,
///      nameRelativeToCRLIssuer [1]     RelativeDistinguishedName }
/// ```
///
/// RFC 5280 §4.2.1.13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum DistributionPointName<'a> {
    /// Names of the same CRL, for different ways to get at it.
    #[asn1(implicit = 0)]
    FullName(GeneralNames<'a>),
    /// What to add to the distinguished name of the CRL's issuer.
    #[asn1(implicit = 1, name = "nameRelativeToCRLIssuer")]
    NameRelativeToCrlIssuer(RelativeDistinguishedName<'a>),
}

/// ```asn1
/// ReasonFlags ::= BIT STRING {
///      unused                  (0),
///      keyCompromise           (1),
///      cACompromise            (2),
///      affiliationChanged      (3),
///      superseded              (4),
///      cessationOfOperation    (5),
///      certificateHold         (6),
///      privilegeWithdrawn      (7),
///      aACompromise            (8) }
/// ```
///
/// RFC 5280 §4.2.1.13.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::ReasonFlags;
/// let reasons = ReasonFlags::from_der(&[0x03, 0x02, 0x05, 0x60])?;
/// assert!(reasons.names().eq(["keyCompromise", "cACompromise"]));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

bits::named!(ReasonFlags);

/// ```asn1
/// IssuingDistributionPoint ::= SEQUENCE {
///      distributionPoint          [0] DistributionPointName OPTIONAL,
///      onlyContainsUserCerts      [1] BOOLEAN DEFAULT FALSE,
///      onlyContainsCACerts        [2] BOOLEAN DEFAULT FALSE,
///      onlySomeReasons            [3] ReasonFlags OPTIONAL,
///      indirectCRL                [4] BOOLEAN DEFAULT FALSE,
///      onlyContainsAttributeCerts [5] BOOLEAN DEFAULT FALSE }
///
///      -- at most one of onlyContainsUserCerts, onlyContainsCACerts,
///      -- and onlyContainsAttributeCerts may be set to TRUE.
/// ```
///
/// RFC 5280 §5.2.5.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::ext::IssuingDistributionPoint;
/// let point = IssuingDistributionPoint::from_der(&[0x30, 0x03, 0x82, 0x01, 0xFF])?;
/// assert!(point.only_contains_ca_certs && !point.indirect_crl);
/// // User certificates only and CA certificates only.
/// let error = IssuingDistributionPoint::from_der(&[0x30, 0x06, 0x81, 0x01, 0xFF, 0x82, 0x01, 0xFF]).unwrap_err();
/// assert_eq!(error.code(), "value");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq)]
#[asn1(check = check_only)]
pub struct IssuingDistributionPoint<'a> {
    /// Where this CRL is.
    #[asn1(explicit = 0)]
    pub distribution_point: Option<DistributionPointName<'a>>,
    /// It lists certificates of end entities only.
    #[asn1(implicit = 1, default = false)]
    pub only_contains_user_certs: bool,
    /// It lists certificates of CAs only.
    #[asn1(implicit = 2, default = false, name = "onlyContainsCACerts")]
    pub only_contains_ca_certs: bool,
    /// It lists certificates revoked for these reasons only.
    #[asn1(implicit = 3)]
    pub only_some_reasons: Option<ReasonFlags<'a>>,
    /// It lists certificates of other issuers as well.
    #[asn1(implicit = 4, default = false, name = "indirectCRL")]
    pub indirect_crl: bool,
    /// It lists attribute certificates only.
    #[asn1(implicit = 5, default = false)]
    pub only_contains_attribute_certs: bool,
}

#[inline]
fn check_only(point: &IssuingDistributionPoint<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    let only = [point.only_contains_user_certs, point.only_contains_ca_certs, point.only_contains_attribute_certs];
    if only.iter().filter(|only| **only).count() > 1 { reader.deviate(&Rule::VALUE, Kind::Value, at) } else { Ok(()) }
}
