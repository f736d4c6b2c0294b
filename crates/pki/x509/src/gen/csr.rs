//! ASN.1 module `PKCS-10`, from `PKCS-10.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Certification requests.
//! RFC 2986, in the form of RFC 5912 §5.

use tagwise_codec::{BitStr, Captured};
use tagwise_derive::Asn1;

/// The signature covers the bytes of certificationRequestInfo as received, and proves possession of the key.
///
/// ```asn1
/// CertificationRequest ::= SEQUENCE {
///   certificationRequestInfo  CertificationRequestInfo,
///   signatureAlgorithm        AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}},
///   signature                 BIT STRING
/// }
/// ```
///
/// `PKCS-10.asn1`, line 21.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CertificationRequest<'a> {
    /// `certificationRequestInfo CertificationRequestInfo`.
    pub certification_request_info: Captured<'a, crate::csr::CertificationRequestInfo<'a>>,
    /// `signatureAlgorithm AlgorithmIdentifier{SIGNATURE-ALGORITHM, {SignatureAlgorithms}}`.
    pub signature_algorithm: crate::alg::AlgorithmIdentifier<'a>,
    /// `signature BIT STRING`.
    pub signature: BitStr<'a>,
}
