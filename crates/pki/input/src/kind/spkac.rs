//! Netscape's signed public key and challenge.

use tagwise_codec::{BitStr, Ia5};
use tagwise_derive::Asn1;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

/// ```asn1
/// SignedPublicKeyAndChallenge ::= SEQUENCE {
///      publicKeyAndChallenge  PublicKeyAndChallenge,
///      signatureAlgorithm     AlgorithmIdentifier,
///      signature              BIT STRING  }
/// ```
///
/// The signed key that browsers sent for `<keygen>` (HTML 5.0 §4.10.15) and that `openssl spkac` writes.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedPublicKeyAndChallenge<'a> {
    /// The to-be-signed part.
    pub public_key_and_challenge: PublicKeyAndChallenge<'a>,
    /// The signature algorithm.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The signature, created with the private key of the contained public key.
    pub signature: BitStr<'a>,
}

/// ```asn1
/// PublicKeyAndChallenge ::= SEQUENCE {
///      spki       SubjectPublicKeyInfo,
///      challenge  IA5STRING  }
/// ```
///
/// The to-be-signed part of a [`SignedPublicKeyAndChallenge`] (HTML 5.0 §4.10.15).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKeyAndChallenge<'a> {
    /// The public key.
    pub spki: SubjectPublicKeyInfo<'a>,
    /// The server's challenge.
    pub challenge: Ia5<'a>,
}
