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
/// A certificate revocation list (RFC 5280 §5.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(check = check_algorithms, rules(profile::ALGORITHM_MISMATCH))]
pub struct CertificateList<'a> {
    /// The to-be-signed part, with its bytes.
    pub tbs_cert_list: Captured<'a, TbsCertList<'a>>,
    /// The signature algorithm.
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
/// The to-be-signed part of a CRL (RFC 5280 §5.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSCertList", verbatim, check = check_tbs, rules(profile::VERSION, profile::EMPTY_ISSUER))]
pub struct TbsCertList<'a> {
    /// The version: absent for v1, otherwise v2.
    pub version: Option<Version>,
    /// The signature algorithm, as covered by the signature.
    pub signature: AlgorithmIdentifier<'a>,
    /// The issuer's distinguished name.
    pub issuer: Name<'a>,
    /// The time of issue.
    pub this_update: Time<'a>,
    /// The time by which the next CRL will be issued.
    pub next_update: Option<Time<'a>>,
    /// The revoked certificates. Absent if there are none.
    pub revoked_certificates: Option<SeqOf<'a, RevokedCertificate<'a>>>,
    /// The CRL's extensions, in v2 only.
    #[asn1(explicit = 0)]
    pub crl_extensions: Option<Extensions<'a>>,
}

/// A revoked certificate: an entry of [`TbsCertList`].
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(shape = crate::fast::entry)]
pub struct RevokedCertificate<'a> {
    /// The serial number of the revoked certificate.
    pub user_certificate: CertificateSerialNumber<'a>,
    /// The time of revocation.
    pub revocation_date: Time<'a>,
    /// The entry's extensions, in v2 only: reason, invalidity date and issuer.
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

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, Options};

    use super::*;
    use crate::fixture::{NAME, element};

    /// RFC 5280 §5.1.2.3, with and without a version in front.
    #[test]
    fn the_issuer_is_not_empty() {
        let algorithm = element(0x30, &[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\x05\x00"]);
        for version in [&[][..], &[0x02, 0x01, 0x01]] {
            let list = |issuer: &[u8]| {
                let tbs = element(0x30, &[version, &algorithm, issuer, b"\x17\x0D250101000000Z"]);
                element(0x30, &[&tbs, &algorithm, &[0x03, 0x02, 0x00, 0x07]])
            };
            assert!(CertificateList::from_der(&list(NAME)).is_ok());
            let empty = list(&[0x30, 0x00]);
            assert!(CertificateList::outline(&empty).is_ok());
            let error = CertificateList::from_der(&empty).unwrap_err();
            let at = 4 + version.len() + algorithm.len();
            assert_eq!((error.code(), error.path(), error.offset()), ("empty-issuer", "tbsCertList.issuer", at));
            let read = Options::der().allow(&profile::EMPTY_ISSUER).decode::<CertificateList<'_>>(&empty).unwrap();
            assert_eq!(read.deviations.len(), 1);
        }
    }
}
