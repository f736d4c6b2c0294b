//! Certificate revocation lists (RFC 5280 §5.1).

use tagwise_codec::{BitStr, Captured, Fault, Reader, SeqOf};
use tagwise_derive::Asn1;

use crate::alg::AlgorithmIdentifier;
use crate::cert::{CertificateSerialNumber, Extensions, Version, check_issuer};
use crate::name::Name;
use crate::profile;
use crate::time::Time;

/// ```asn1
/// CertificateList  ::=  SEQUENCE  {
///      tbsCertList          TBSCertList,
///      signatureAlgorithm   AlgorithmIdentifier,
///      signature            BIT STRING  }
/// ```
///
/// RFC 5280 §5.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(check = check_algorithms, rules(profile::ALGORITHM_MISMATCH))]
pub struct CertificateList<'a> {
    /// What is signed, with its octets.
    pub tbs_cert_list: Captured<'a, TbsCertList<'a>>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The signature.
    #[asn1(name = "signature")]
    pub signature_value: BitStr<'a>,
}

/// ```asn1
/// TBSCertList  ::=  SEQUENCE  {
///      version                 Version OPTIONAL,
///                                   -- if present, MUST be v2
///      signature               AlgorithmIdentifier,
///      issuer                  Name,
///      thisUpdate              Time,
///      nextUpdate              Time OPTIONAL,
///      revokedCertificates     SEQUENCE OF SEQUENCE  {
///           userCertificate         CertificateSerialNumber,
///           revocationDate          Time,
///           crlEntryExtensions      Extensions OPTIONAL
///                                    -- if present, version MUST be v2
///                                }  OPTIONAL,
///      crlExtensions           [0] Extensions OPTIONAL }
///                                    -- if present, version MUST be v2
/// ```
///
/// RFC 5280 §5.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSCertList", verbatim, check = check_tbs, rules(profile::VERSION, profile::EMPTY_ISSUER))]
pub struct TbsCertList<'a> {
    /// The version: absent for v1, else v2.
    pub version: Option<Version>,
    /// The algorithm of the signature, as the issuer signed it.
    pub signature: AlgorithmIdentifier<'a>,
    /// Who signed.
    pub issuer: Name<'a>,
    /// When the list was issued.
    pub this_update: Time<'a>,
    /// When the next one will be.
    pub next_update: Option<Time<'a>>,
    /// The entries.
    pub revoked_certificates: Option<SeqOf<'a, RevokedCertificate<'a>>>,
    /// Of v2.
    #[asn1(explicit = 0)]
    pub crl_extensions: Option<Extensions<'a>>,
}

/// One entry of [`TbsCertList`]: a revoked certificate.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(shape = crate::shape::entry)]
pub struct RevokedCertificate<'a> {
    /// Its serial number.
    pub user_certificate: CertificateSerialNumber<'a>,
    /// Since when.
    pub revocation_date: Time<'a>,
    /// Of v2: reason, invalidity date, issuer.
    pub crl_entry_extensions: Option<Extensions<'a>>,
}

#[inline]
fn check_algorithms(list: &CertificateList<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if list.tbs_cert_list.signature == list.signature_algorithm {
        Ok(())
    } else {
        reader.deviate_profile(&profile::ALGORITHM_MISMATCH, at)
    }
}

#[inline]
fn check_tbs(list: &TbsCertList<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    let valid = match list.version {
        None => list.crl_extensions.is_none(),
        Some(version) => version == Version::V2,
    };
    if !valid {
        reader.deviate_profile(&profile::VERSION, at)?;
    }
    check_issuer(&list.issuer, reader, at)
}
