//! Alternative keys and signatures for algorithm migration (X.509 (10/2019) §9.8).

use tagwise_codec::BitStr;
use tagwise_derive::Asn1;

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};

/// ```asn1
/// SubjectAltPublicKeyInfo ::= SubjectPublicKeyInfo
/// ```
///
/// Another public key of the subject (X.509 §9.8.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SubjectAltPublicKeyInfo<'a>(
    /// The key.
    pub SubjectPublicKeyInfo<'a>,
);

/// ```asn1
/// AltSignatureAlgorithm ::= AlgorithmIdentifier
/// ```
///
/// The algorithm of the alternative signature (X.509 §9.8.3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AltSignatureAlgorithm<'a>(
    /// The algorithm.
    pub AlgorithmIdentifier<'a>,
);

/// ```asn1
/// AltSignatureValue ::= BIT STRING
/// ```
///
/// The alternative signature (X.509 §9.8.4). It covers the certificate or CRL without this extension and without the
/// `signature` component.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AltSignatureValue<'a>(
    /// The signature.
    pub BitStr<'a>,
);
