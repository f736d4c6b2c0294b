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
/// What browsers sent for `<keygen>` (HTML 5.0 §4.10.15), and `openssl spkac` writes.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedPublicKeyAndChallenge<'a> {
    /// The signed part.
    pub public_key_and_challenge: PublicKeyAndChallenge<'a>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The signature by the key that is in it.
    pub signature: BitStr<'a>,
}

/// ```asn1
/// PublicKeyAndChallenge ::= SEQUENCE {
///      spki       SubjectPublicKeyInfo,
///      challenge  IA5STRING  }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKeyAndChallenge<'a> {
    /// The public key.
    pub spki: SubjectPublicKeyInfo<'a>,
    /// The text that the server asked to be signed.
    pub challenge: Ia5<'a>,
}
