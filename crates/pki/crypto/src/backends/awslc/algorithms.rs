//! AWS-LC's algorithms by scheme and key type.

use aws_lc_rs::signature::*;
use aws_lc_rs::{agreement, kem};

use crate::{Digest, KeyType, PssParameters, Scheme};

type Verifying = &'static [(Scheme, &'static dyn VerificationAlgorithm)];

/// Creates the RSASSA-PSS scheme with one digest and the given salt length in bytes.
const fn pss(digest: Digest, salt_len: u16) -> Scheme {
    Scheme::RsaPss(PssParameters { digest, mask: digest, salt_len })
}

/// Lists the algorithms of each digest, including RSASSA-PSS with the supported salt lengths: each digest's length, and
/// zero.
macro_rules! rsa {
    ($($digest:ident $algorithm:ident: $($salt:literal)*;)*) => {
        static RSA: Verifying = &[
            (Scheme::RsaPkcs1(Digest::Sha256), &RSA_PKCS1_2048_8192_SHA256),
            (Scheme::RsaPkcs1(Digest::Sha384), &RSA_PKCS1_2048_8192_SHA384),
            (Scheme::RsaPkcs1(Digest::Sha512), &RSA_PKCS1_2048_8192_SHA512),
            (Scheme::RsaPkcs1(Digest::Sha1), &RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY),
            $($((
                pss(Digest::$digest, $salt),
                &const { $algorithm.with_pss_salt_length(RsaPssSaltLength::Custom($salt)) },
            ),)*)*
        ];
    };
}

rsa! {
    Sha256 RSA_PSS_2048_8192_SHA256: 32 0 20 48 64;
    Sha384 RSA_PSS_2048_8192_SHA384: 48 0 20 32 64;
    Sha512 RSA_PSS_2048_8192_SHA512: 64 0 20 32 48;
}

static P256: Verifying = &[
    (Scheme::Ecdsa(Digest::Sha256), &ECDSA_P256_SHA256_ASN1),
    (Scheme::Ecdsa(Digest::Sha384), &ECDSA_P256_SHA384_ASN1),
    (Scheme::Ecdsa(Digest::Sha512), &ECDSA_P256_SHA512_ASN1),
    (Scheme::Ecdsa(Digest::Sha1), &ECDSA_P256_SHA1_ASN1),
];

static P384: Verifying = &[
    (Scheme::Ecdsa(Digest::Sha384), &ECDSA_P384_SHA384_ASN1),
    (Scheme::Ecdsa(Digest::Sha256), &ECDSA_P384_SHA256_ASN1),
    (Scheme::Ecdsa(Digest::Sha512), &ECDSA_P384_SHA512_ASN1),
];

static P521: Verifying = &[
    (Scheme::Ecdsa(Digest::Sha512), &ECDSA_P521_SHA512_ASN1),
    (Scheme::Ecdsa(Digest::Sha1), &ECDSA_P521_SHA1_ASN1),
    (Scheme::Ecdsa(Digest::Sha224), &ECDSA_P521_SHA224_ASN1),
    (Scheme::Ecdsa(Digest::Sha256), &ECDSA_P521_SHA256_ASN1),
    (Scheme::Ecdsa(Digest::Sha384), &ECDSA_P521_SHA384_ASN1),
];

static ONE_ED25519: Verifying = &[(Scheme::Ed25519, &ED25519)];
static ONE_ML_DSA_44: Verifying = &[(Scheme::MlDsa44, &ML_DSA_44)];
static ONE_ML_DSA_65: Verifying = &[(Scheme::MlDsa65, &ML_DSA_65)];
static ONE_ML_DSA_87: Verifying = &[(Scheme::MlDsa87, &ML_DSA_87)];

/// Returns the algorithms that verify signatures of this type of key, with the most common one first.
pub(super) fn verifying(key: KeyType) -> Verifying {
    match key {
        KeyType::Rsa(_) => RSA,
        KeyType::P256 => P256,
        KeyType::P384 => P384,
        KeyType::P521 => P521,
        KeyType::Ed25519 => ONE_ED25519,
        KeyType::MlDsa44 => ONE_ML_DSA_44,
        KeyType::MlDsa65 => ONE_ML_DSA_65,
        KeyType::MlDsa87 => ONE_ML_DSA_87,
        _ => &[],
    }
}

/// Returns whether signatures of this type of key can be verified with the scheme.
pub(super) fn verifies(scheme: &Scheme, key: KeyType) -> bool {
    match scheme {
        Scheme::Ecdsa(_) | Scheme::Ed448 => scheme.fits(key),
        Scheme::RsaPkcs1(_) | Scheme::RsaPss(_) => scheme.fits(key) && super::rsa::offers(scheme),
        _ => verifying(key).iter().any(|(known, _)| known == scheme),
    }
}

/// Returns whether this type of key can sign with the scheme.
pub(super) fn signs(scheme: &Scheme, key: KeyType) -> bool {
    let fits = match key {
        KeyType::Rsa(bits) => !key.is_legacy() && scheme.fits_modulus(bits),
        _ => !key.is_legacy(),
    };
    fits && !scheme.is_legacy() && verifies(scheme, key)
}

/// Returns the RSA signature encoding of a scheme.
pub(super) fn rsa(scheme: &Scheme) -> Option<&'static dyn RsaEncoding> {
    Some(match scheme {
        Scheme::RsaPkcs1(Digest::Sha256) => &RSA_PKCS1_SHA256,
        Scheme::RsaPkcs1(Digest::Sha384) => &RSA_PKCS1_SHA384,
        Scheme::RsaPkcs1(Digest::Sha512) => &RSA_PKCS1_SHA512,
        Scheme::RsaPss(parameters) if *parameters == PssParameters::of(parameters.digest) => match parameters.digest {
            Digest::Sha256 => &RSA_PSS_SHA256,
            Digest::Sha384 => &RSA_PSS_SHA384,
            Digest::Sha512 => &RSA_PSS_SHA512,
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the ECDSA signature algorithm of a curve.
pub(super) fn ecdsa(key: KeyType) -> Option<&'static EcdsaSigningAlgorithm> {
    match key {
        KeyType::P256 => Some(&ECDSA_P256_SHA256_ASN1_SIGNING),
        KeyType::P384 => Some(&ECDSA_P384_SHA384_ASN1_SIGNING),
        KeyType::P521 => Some(&ECDSA_P521_SHA512_ASN1_SIGNING),
        _ => None,
    }
}

/// Returns the signature algorithm of an ML-DSA key type.
pub(super) fn ml_dsa(key: KeyType) -> Option<&'static PqdsaSigningAlgorithm> {
    match key {
        KeyType::MlDsa44 => Some(&ML_DSA_44_SIGNING),
        KeyType::MlDsa65 => Some(&ML_DSA_65_SIGNING),
        KeyType::MlDsa87 => Some(&ML_DSA_87_SIGNING),
        _ => None,
    }
}

/// Returns the algorithm of a KEM key type.
pub(super) fn ml_kem(key: KeyType) -> Option<&'static kem::Algorithm<kem::AlgorithmId>> {
    match key {
        KeyType::MlKem512 => Some(&kem::ML_KEM_512),
        KeyType::MlKem768 => Some(&kem::ML_KEM_768),
        KeyType::MlKem1024 => Some(&kem::ML_KEM_1024),
        _ => None,
    }
}

/// Returns the algorithm of a key agreement key type.
pub(super) fn agreement(key: KeyType) -> Option<&'static agreement::Algorithm> {
    match key {
        KeyType::P256 => Some(&agreement::ECDH_P256),
        KeyType::P384 => Some(&agreement::ECDH_P384),
        KeyType::P521 => Some(&agreement::ECDH_P521),
        KeyType::X25519 => Some(&agreement::X25519),
        _ => None,
    }
}
