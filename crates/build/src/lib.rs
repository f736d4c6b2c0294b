//! Certificates, requests, CRLs, OCSP messages, time stamps and attribute certificates that are to be signed: fill the structs, have them judged, sign what [`Unsigned::tbs`] gives
//! wherever the key is (a token, a key service, a library), and attach the signature.
//!
//! What cannot be valid cannot be built. The octets are made once, read again as strictly as [`from_der`] reads, and held to the
//! [lints](tagwise_lint) of severity error: no extension twice, none below version 3, key usage and basic constraints that go
//! together, no name that is empty and has nothing in its place, times in the form that RFC 5280 asks for.
//!
//! An issuer's name is its certificate's subject: a [`Name`](tagwise_x509::Name) that was read is written as its octets were, whatever
//! string types they have. It must be DER; a name that only a leniency let pass is refused rather than mended.
//!
//! ```
//! use tagwise_codec::{BitStr, Decode, NamedBits, Oid, oid};
//! use tagwise_pkix::build::{self, ExtensionList, KeyIdentifierMethod, SerialNumber};
//! use tagwise_pkix::ext::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
//! use tagwise_pkix::name::NameBuf;
//! use tagwise_pkix::*;
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

/// A certificate, all of it but the signature.
///
/// # Errors
/// If it has no encoding, is not what [`Certificate`] accepts, or a lint finds an error in it.
pub fn certificate(tbs: &TbsCertificate<'_>) -> Result<Unsigned, BuildError> {
    certificate_with(tbs, errors())
}

/// The same, held to other lints: those of a profile, or fewer, for test certificates that are to be wrong.
///
/// # Errors
/// Those of [`certificate`], with every finding of these lints.
pub fn certificate_with(tbs: &TbsCertificate<'_>, lints: &lint::Options) -> Result<Unsigned, BuildError> {
    let unsigned = unsigned(tbs, &tbs.signature)?;
    let whole = unsigned.attach(&[])?;
    judged(&lint::certificate(&Certificate::from_der(&whole)?, lints))?;
    Ok(unsigned)
}

/// A CRL, all of it but the signature. Entries are a slice, or a list that was read.
///
/// # Errors
/// If it has no encoding, is not what [`CertificateList`] accepts, or a lint finds an error in it.
pub fn crl(tbs: &TbsCertList<'_>) -> Result<Unsigned, BuildError> {
    crl_with(tbs, errors())
}

/// The same, held to other lints.
///
/// # Errors
/// Those of [`crl`], with every finding of these lints.
pub fn crl_with(tbs: &TbsCertList<'_>, lints: &lint::Options) -> Result<Unsigned, BuildError> {
    let unsigned = unsigned(tbs, &tbs.signature)?;
    let is_good = TbsCertList::from_der(unsigned.tbs()).is_ok_and(|read| {
        let signature_algorithm = read.signature;
        let tbs_cert_list = Captured::__shaped(read, unsigned.tbs(), 0);
        let signature_value = BitStr::from_octets(&[]);
        lint::crl(&CertificateList { tbs_cert_list, signature_algorithm, signature_value }, lints).is_empty()
    });
    if !is_good {
        // Once more, as it will be: offsets and paths are those of the whole.
        let whole = unsigned.attach(&[])?;
        judged(&lint::crl(&CertificateList::from_der(&whole)?, lints))?;
    }
    Ok(unsigned)
}

/// A request for a certificate (RFC 2986 §4), all of it but the signature, which is made with the key that is to be certified.
///
/// # Errors
/// If it has no encoding or is not what [`CertificationRequest`] accepts.
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
