//! Algorithms of the loaded library, detected once.

use core::ffi::CStr;
use std::sync::OnceLock;

use openssl::error::ErrorStack;
use openssl::hash::{Hasher, MessageDigest};
use openssl::pkey::{Id, PKey};
use openssl::pkey_ctx::PkeyCtx;

use super::private::from_seed;
use super::raw;
use crate::{Curve, Digest, KeyType, Scheme, SlhDsa};

/// Returns whether a key's size is supported. For RSA, the modulus must have 1,024 to 16,384 bits, because OpenSSL does not
/// verify with larger moduli (`OPENSSL_RSA_MAX_MODULUS_BITS`).
pub(super) const fn size_taken(key: KeyType) -> bool {
    !matches!(key, KeyType::Rsa(..1024 | 16385..))
}

/// Returns the digest, if the library supports it, for algorithms that require a fixed length. SHAKE is excluded.
pub(super) fn digest(digest: Digest) -> Option<MessageDigest> {
    hashing(digest).filter(|_| !digest.is_extendable())
}

/// Returns the digest, if the library supports it.
pub(super) fn hashing(digest: Digest) -> Option<MessageDigest> {
    static FOUND: OnceLock<Vec<(Digest, MessageDigest)>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let named =
            Digest::ALL.iter().copied().filter_map(|digest| Some((digest, MessageDigest::from_name(name(digest))?)));
        // A name does not imply an implementation, which comes from a provider.
        named.filter(|(_, method)| Hasher::new(*method).is_ok()).collect()
    });
    found.iter().find(|(known, _)| *known == digest).map(|(_, method)| *method)
}

const fn name(digest: Digest) -> &'static str {
    match digest {
        Digest::Sha1 => "SHA1",
        Digest::Sha224 => "SHA224",
        Digest::Sha256 => "SHA256",
        Digest::Sha384 => "SHA384",
        Digest::Sha512 => "SHA512",
        Digest::Sha512_256 => "SHA512-256",
        Digest::Sha3_256 => "SHA3-256",
        Digest::Sha3_384 => "SHA3-384",
        Digest::Sha3_512 => "SHA3-512",
        Digest::Shake128 => "SHAKE128",
        Digest::Shake256 => "SHAKE256",
    }
}

/// Returns the library's name for a key type whose encoding is raw bytes.
pub(super) const fn raw_name(key: KeyType) -> Option<&'static CStr> {
    Some(match key {
        KeyType::Ed25519 => c"ED25519",
        KeyType::Ed448 => c"ED448",
        KeyType::X25519 => c"X25519",
        KeyType::X448 => c"X448",
        KeyType::MlDsa44 => c"ML-DSA-44",
        KeyType::MlDsa65 => c"ML-DSA-65",
        KeyType::MlDsa87 => c"ML-DSA-87",
        KeyType::MlKem512 => c"ML-KEM-512",
        KeyType::MlKem768 => c"ML-KEM-768",
        KeyType::MlKem1024 => c"ML-KEM-1024",
        KeyType::SlhDsa(SlhDsa::Sha2_128s) => c"SLH-DSA-SHA2-128s",
        KeyType::SlhDsa(SlhDsa::Sha2_128f) => c"SLH-DSA-SHA2-128f",
        KeyType::SlhDsa(SlhDsa::Sha2_192s) => c"SLH-DSA-SHA2-192s",
        KeyType::SlhDsa(SlhDsa::Sha2_192f) => c"SLH-DSA-SHA2-192f",
        KeyType::SlhDsa(SlhDsa::Sha2_256s) => c"SLH-DSA-SHA2-256s",
        KeyType::SlhDsa(SlhDsa::Sha2_256f) => c"SLH-DSA-SHA2-256f",
        KeyType::SlhDsa(SlhDsa::Shake128s) => c"SLH-DSA-SHAKE-128s",
        KeyType::SlhDsa(SlhDsa::Shake128f) => c"SLH-DSA-SHAKE-128f",
        KeyType::SlhDsa(SlhDsa::Shake192s) => c"SLH-DSA-SHAKE-192s",
        KeyType::SlhDsa(SlhDsa::Shake192f) => c"SLH-DSA-SHAKE-192f",
        KeyType::SlhDsa(SlhDsa::Shake256s) => c"SLH-DSA-SHAKE-256s",
        KeyType::SlhDsa(SlhDsa::Shake256f) => c"SLH-DSA-SHAKE-256f",
        _ => return None,
    })
}

/// Returns the library's name for a curve.
pub(super) const fn curve(key: KeyType) -> Option<&'static str> {
    match key {
        KeyType::P256 => Some("P-256"),
        KeyType::P384 => Some("P-384"),
        KeyType::P521 => Some("P-521"),
        KeyType::Curve(curve) => Some(match curve {
            Curve::P224 => "P-224",
            Curve::Secp256k1 => "secp256k1",
            Curve::BrainpoolP224r1 => "brainpoolP224r1",
            Curve::BrainpoolP256r1 => "brainpoolP256r1",
            Curve::BrainpoolP320r1 => "brainpoolP320r1",
            Curve::BrainpoolP384r1 => "brainpoolP384r1",
            Curve::BrainpoolP512r1 => "brainpoolP512r1",
            Curve::P192 => "P-192",
            Curve::BrainpoolP160r1 => "brainpoolP160r1",
            Curve::BrainpoolP160t1 => "brainpoolP160t1",
            Curve::BrainpoolP192r1 => "brainpoolP192r1",
            Curve::BrainpoolP192t1 => "brainpoolP192t1",
            Curve::BrainpoolP224t1 => "brainpoolP224t1",
            Curve::BrainpoolP256t1 => "brainpoolP256t1",
            Curve::BrainpoolP320t1 => "brainpoolP320t1",
            Curve::BrainpoolP384t1 => "brainpoolP384t1",
            Curve::BrainpoolP512t1 => "brainpoolP512t1",
        }),
        _ => None,
    }
}

/// Creates a context for key generation.
pub(super) fn generator(id: Id) -> Result<PkeyCtx<()>, ErrorStack> {
    let mut context = PkeyCtx::new_id(id)?;
    context.keygen_init()?;
    Ok(context)
}

/// Returns whether the library supports this type of key.
pub(super) fn offers(key: KeyType) -> bool {
    static FOUND: OnceLock<Vec<KeyType>> = OnceLock::new();
    let one = match key {
        // One probe for all sizes.
        KeyType::Rsa(_) => KeyType::Rsa(2048),
        other => other,
    };
    size_taken(key)
        && FOUND.get_or_init(|| KeyType::ALL.iter().copied().filter(|key| probe(*key)).collect()).contains(&one)
}

fn probe(key: KeyType) -> bool {
    match key {
        KeyType::Rsa(_) => generator(Id::RSA).is_ok(),
        KeyType::Ed25519 => generator(Id::ED25519).is_ok(),
        KeyType::Ed448 => generator(Id::ED448).is_ok(),
        KeyType::X25519 => generator(Id::X25519).is_ok(),
        KeyType::X448 => generator(Id::X448).is_ok(),
        KeyType::MlDsa44 | KeyType::MlDsa65 | KeyType::MlDsa87 => from_seed(key, &[0; 32]).is_ok(),
        KeyType::MlKem512 | KeyType::MlKem768 | KeyType::MlKem1024 => from_seed(key, &[0; 64]).is_ok(),
        // A public key is any octets.
        KeyType::SlhDsa(set) => raw_name(key).is_some_and(|name| raw::public_key(name, &vec![0; 2 * set.n()]).is_ok()),
        KeyType::CompositeMlDsa(_) | KeyType::CompositeMlKem(_) => false,
        KeyType::P256 | KeyType::P384 | KeyType::P521 | KeyType::Curve(_) => {
            curve(key).is_some_and(|name| PKey::ec_gen(name).is_ok())
        }
    }
}

/// Returns whether signatures of this type of key can be verified with the scheme.
pub(super) fn verifies(scheme: &Scheme, key: KeyType) -> bool {
    let mask = match scheme {
        Scheme::RsaPss(parameters) => Some(parameters.mask),
        _ => None,
    };
    if !scheme.fits(key) || !offers(key) {
        return false;
    }
    match scheme {
        // RFC 8692 §3.2.2: digested here, and signed as it is.
        Scheme::Ecdsa(of) if of.is_extendable() => hashing(*of).is_some(),
        _ => [scheme.digest(), mask].into_iter().flatten().all(|has| digest(has).is_some()),
    }
}

/// Returns whether this type of key can sign with the scheme. Every scheme that can be verified is supported, except those
/// with SHA-1. The encoded digest must fit the modulus.
pub(super) fn signs(scheme: &Scheme, key: KeyType) -> bool {
    let fits = match key {
        KeyType::Rsa(bits) => scheme.fits_modulus(bits),
        _ => !key.is_legacy(),
    };
    verifies(scheme, key) && !scheme.is_legacy() && fits
}
