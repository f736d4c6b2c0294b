//! Signature algorithms of requests.

use tagwise_crypto::{Digest, KeyType, Scheme};

/// A signature algorithm (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2, draft-ietf-cose-dilithium §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// ECDSA with the digest and key type, and the length of each number.
    Ecdsa(Digest, KeyType, usize),
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// Ed25519 or Ed448, by the key.
    EdDsa,
    /// The algorithm of a key type.
    Fixed(KeyType, Scheme),
    /// HMAC, only for external account bindings.
    Hmac(Digest),
}

/// The algorithms, with their names.
pub(crate) const ALGORITHMS: [(&str, Algorithm); 13] = [
    ("ES256", Algorithm::Ecdsa(Digest::Sha256, KeyType::P256, 32)),
    ("ES384", Algorithm::Ecdsa(Digest::Sha384, KeyType::P384, 48)),
    ("ES512", Algorithm::Ecdsa(Digest::Sha512, KeyType::P521, 66)),
    ("RS256", Algorithm::Rs256),
    ("EdDSA", Algorithm::EdDsa),
    ("Ed25519", Algorithm::Fixed(KeyType::Ed25519, Scheme::Ed25519)),
    ("Ed448", Algorithm::Fixed(KeyType::Ed448, Scheme::Ed448)),
    ("ML-DSA-44", Algorithm::Fixed(KeyType::MlDsa44, Scheme::MlDsa44)),
    ("ML-DSA-65", Algorithm::Fixed(KeyType::MlDsa65, Scheme::MlDsa65)),
    ("ML-DSA-87", Algorithm::Fixed(KeyType::MlDsa87, Scheme::MlDsa87)),
    ("HS256", Algorithm::Hmac(Digest::Sha256)),
    ("HS384", Algorithm::Hmac(Digest::Sha384)),
    ("HS512", Algorithm::Hmac(Digest::Sha512)),
];

/// The names of the algorithms for requests.
pub(crate) fn supported() -> Vec<&'static str> {
    let public = ALGORITHMS.iter().filter(|(_, algorithm)| !matches!(algorithm, Algorithm::Hmac(_)));
    public.map(|(name, _)| *name).collect()
}

impl Algorithm {
    /// The scheme for a key, if the key suits.
    pub(crate) fn scheme(self, key: KeyType) -> Option<Scheme> {
        match (self, key) {
            (Self::Ecdsa(digest, own, _), key) if own == key => Some(Scheme::Ecdsa(digest)),
            (Self::Rs256, KeyType::Rsa(_)) => Some(Scheme::RsaPkcs1(Digest::Sha256)),
            (Self::EdDsa, KeyType::Ed25519) => Some(Scheme::Ed25519),
            (Self::EdDsa, KeyType::Ed448) => Some(Scheme::Ed448),
            (Self::Fixed(own, scheme), key) if own == key => Some(scheme),
            _ => None,
        }
    }
}
