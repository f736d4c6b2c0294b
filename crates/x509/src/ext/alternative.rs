//! A second signature beside the usual one, for the time in which verifiers change algorithms (X.509 (10/2019) §9.8).

use tagwise_codec::BitStr;
use tagwise_derive::Asn1;

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};

/// ```asn1
/// SubjectAltPublicKeyInfo ::= SubjectPublicKeyInfo
/// ```
///
/// X.509 §9.8.2: another key of the subject.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SubjectAltPublicKeyInfo<'a>(
    /// The key.
    pub SubjectPublicKeyInfo<'a>,
);

/// ```asn1
/// AltSignatureAlgorithm ::= AlgorithmIdentifier
/// ```
///
/// X.509 §9.8.3: the algorithm of the other signature.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AltSignatureAlgorithm<'a>(
    /// The algorithm.
    pub AlgorithmIdentifier<'a>,
);

/// ```asn1
/// AltSignatureValue ::= BIT STRING
/// ```
///
/// X.509 §9.8.4: the other signature, over the certificate or CRL without this extension and without the `signature` component.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AltSignatureValue<'a>(
    /// The signature.
    pub BitStr<'a>,
);
