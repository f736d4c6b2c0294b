//! Builders for certificates, requests, CRLs, OCSP messages, timestamps and attribute certificates. Fill in the structs,
//! build an unsigned value, sign [`Unsigned::tbs`] with any key (in a token, a key service or a library), and attach the
//! signature.
//!
//! Invalid values cannot be built. Each value is encoded once, decoded again as strictly as by [`from_der`], and checked by
//! all error-level [lints](tagwise_lint). The lints find, for example, duplicate extensions, extensions in certificates
//! below version 3, inconsistent key usage and basic constraints, empty names without a subject alternative name, and times
//! in a format that RFC 5280 does not allow.
//!
//! The issuer's name is the subject of its certificate. A decoded [`Name`](tagwise_x509::Name) is written back unchanged,
//! with its string types. It must be DER. A name that was accepted only by lenient decoding is rejected rather than
//! repaired.
//!
//! ```
//! use tagwise_codec::{BitStr, Decode, NamedBits, Oid, oid};
//! use tagwise_build::{self as build, ExtensionList, KeyIdentifierMethod, SerialNumber};
//! use tagwise_x509::ext::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
//! use tagwise_x509::name::NameBuf;
//! use tagwise_x509::*;
//!
//! const ED25519: Oid<'static> = oid!("1.3.101.112");
//! let algorithm = AlgorithmIdentifier { algorithm: ED25519, parameters: None };
//! let key = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&[7; 32]) };
//! let name = NameBuf::parse("CN=Example Root,O=Example,C=DE")?;
//! let serial = SerialNumber::from_random([0x5A; 20]);
//!
//! let identifier = KeyIdentifierMethod::Sha256.of(&key)?;
//! let mut list = ExtensionList::new();
//! list.add(true, &BasicConstraints { ca: true, path_len_constraint: None })?;
//! list.add(true, &KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6)))?;
//! list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into()))?;
//! let extensions = list.extensions();
//!
//! let unsigned = build::certificate(&TbsCertificate {
//!     version: Version::V3,
//!     serial_number: serial.number(),
//!     signature: algorithm,
//!     issuer: name.name(),
//!     validity: Validity {
//!         not_before: Time::from_unix(UnixTime(1_790_000_000))?,
//!         not_after: Time::from_unix(UnixTime(2_500_000_000))?,
//!     },
//!     subject: name.name(),
//!     subject_public_key_info: key,
//!     issuer_unique_id: None,
//!     subject_unique_id: None,
//!     extensions: Extensions::new(&extensions),
//! })?;
//! # fn sign(_: &[u8]) -> [u8; 64] { [1; 64] }
//! let der = unsigned.attach(&sign(unsigned.tbs()))?;
//! let certificate = Certificate::from_der(&der)?;
//! assert_eq!(certificate.tbs_certificate.as_bytes(), unsigned.tbs());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`from_der`]: tagwise_codec::Decode::from_der

mod ac;
mod attributes;
mod builder;
pub mod cms;
mod digest;
mod error;
mod extensions;
mod form;
mod identifiers;
mod ocsp;
mod pkcs12;
mod tsp;
mod unsigned;

use std::sync::LazyLock;

use tagwise_codec::{BitStr, Captured, Decode, Encode};

pub use ac::attribute_certificate;
pub use attributes::AttributeList;
pub use builder::{CertificateBuilder, CrlBuilder, CsrBuilder, SigningError, SigningKey};
pub use digest::Digest;
pub use error::BuildError;
pub use extensions::ExtensionList;
pub use form::{CertificateFields, CertificateForm};
pub use identifiers::{KeyIdentifierMethod, SerialNumber, authority_key_identifier};
pub use ocsp::{IssuerHashes, ResponseForm, ocsp_error, ocsp_request, ocsp_response, signed_ocsp_request};
pub use pkcs12::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, ProtectError, pkcs12, pkcs12_plain, pkcs12_with};
pub use tsp::{timestamp_request, timestamp_response, tst_info};
pub use unsigned::Unsigned;

use tagwise_lint::{self as lint, Findings, Severity};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::cert::{Certificate, TbsCertificate};
use tagwise_x509::crl::{CertificateList, TbsCertList};
use tagwise_x509::csr::{CertificationRequest, CertificationRequestInfo};

/// Builds an unsigned certificate.
///
/// # Errors
/// Returns an error if the certificate cannot be encoded, [`Certificate`] does not accept it, or a lint finds an error.
pub fn certificate(tbs: &TbsCertificate<'_>) -> Result<Unsigned, BuildError> {
    certificate_with(tbs, errors())
}

/// Builds an unsigned certificate like [`certificate`], but with other lints: those of a profile, or fewer for deliberately
/// invalid test certificates.
///
/// # Errors
/// Returns any error from [`certificate`], with all findings of the given lints.
pub fn certificate_with(tbs: &TbsCertificate<'_>, lints: &lint::Options) -> Result<Unsigned, BuildError> {
    let unsigned = unsigned(tbs, &tbs.signature)?;
    let whole = unsigned.attach(&[])?;
    judged(&lint::certificate(&Certificate::from_der(&whole)?, lints))?;
    Ok(unsigned)
}

/// Builds an unsigned CRL. The entries are given as a slice or a decoded list.
///
/// # Errors
/// Returns an error if the CRL cannot be encoded, [`CertificateList`] does not accept it, or a lint finds an error.
pub fn crl(tbs: &TbsCertList<'_>) -> Result<Unsigned, BuildError> {
    crl_with(tbs, errors())
}

/// Builds an unsigned CRL like [`crl`], but with other lints.
///
/// # Errors
/// Returns any error from [`crl`], with all findings of the given lints.
pub fn crl_with(tbs: &TbsCertList<'_>, lints: &lint::Options) -> Result<Unsigned, BuildError> {
    let unsigned = unsigned(tbs, &tbs.signature)?;
    let is_good = TbsCertList::from_der(unsigned.tbs()).is_ok_and(|read| {
        let signature_algorithm = read.signature;
        let tbs_cert_list = Captured::__shaped(read, unsigned.tbs(), 0);
        let signature_value = BitStr::from_octets(&[]);
        lint::crl(&CertificateList { tbs_cert_list, signature_algorithm, signature_value }, lints).is_empty()
    });
    if !is_good {
        // Lint the complete CRL again, so that offsets and paths refer to it.
        let whole = unsigned.attach(&[])?;
        judged(&lint::crl(&CertificateList::from_der(&whole)?, lints))?;
    }
    Ok(unsigned)
}

/// Builds an unsigned certification request (RFC 2986 §4). Sign it with the key to be certified.
///
/// # Errors
/// Returns an error if the request cannot be encoded, or [`CertificationRequest`] does not accept it.
pub fn request(
    info: &CertificationRequestInfo<'_>,
    signature_algorithm: &AlgorithmIdentifier<'_>,
) -> Result<Unsigned, BuildError> {
    let unsigned = unsigned(info, signature_algorithm)?;
    CertificationRequest::from_der(&unsigned.attach(&[])?)?;
    Ok(unsigned)
}

fn unsigned<T: Encode>(tbs: &T, algorithm: &AlgorithmIdentifier<'_>) -> Result<Unsigned, BuildError> {
    Ok(Unsigned::new(tbs, algorithm)?)
}

fn errors() -> &'static lint::Options {
    static ERRORS: LazyLock<lint::Options> = LazyLock::new(|| lint::Options::all().at_least(Severity::Error));
    &ERRORS
}

fn judged(findings: &Findings) -> Result<(), BuildError> {
    if findings.is_empty() { Ok(()) } else { Err(BuildError::Lints(findings.iter().copied().collect())) }
}
