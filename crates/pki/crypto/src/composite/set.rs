//! Composite signature algorithms: their components, and the signed message.

use core::fmt;

use sha2::{Digest as _, Sha256, Sha512};
use tagwise_codec::Oid;
use tagwise_pkix::oids;

use crate::shake::shake256;
use crate::{Digest, KeyType, PssParameters, Scheme};

/// The digest of the message that both components sign.
#[derive(Clone, Copy)]
enum Hash {
    Sha256,
    Sha512,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

/// Defines the enumeration and its table from one list: name, identifier, ML-DSA parameter set, the other key type and its
/// scheme, and digest.
macro_rules! sets {
    ($($set:ident $name:literal $oid:ident $pq:ident $key:expr, $scheme:expr, $hash:ident;)*) => {
        /// A combination of ML-DSA and a traditional signature algorithm (draft-ietf-lamps-pq-composite-sigs-19 §6).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the names are the draft's")]
        pub enum CompositeMlDsa {
            $($set,)*
        }

        impl CompositeMlDsa {
            /// All combinations, ordered by identifier.
            pub const ALL: &'static [Self] = &[$(Self::$set,)*];

            const fn row(self) -> (&'static str, Oid<'static>, KeyType, (KeyType, Scheme), Hash) {
                match self {
                    $(Self::$set => (
                        concat!("COMPSIG-", $name),
                        oids::$oid,
                        KeyType::$pq,
                        ($key, $scheme),
                        Hash::$hash,
                    ),)*
                }
            }
        }
    };
}

const fn pkcs1(digest: Digest) -> Scheme {
    Scheme::RsaPkcs1(digest)
}

const fn pss(digest: Digest) -> Scheme {
    Scheme::RsaPss(PssParameters::of(digest))
}

sets! {
    MlDsa44Rsa2048PssSha256 "MLDSA44-RSA2048-PSS-SHA256" MLDSA44_RSA2048_PSS_SHA256
        MlDsa44 KeyType::Rsa(2048), pss(Digest::Sha256), Sha256;
    MlDsa44Rsa2048Pkcs15Sha256 "MLDSA44-RSA2048-PKCS15-SHA256" MLDSA44_RSA2048_PKCS15_SHA256
        MlDsa44 KeyType::Rsa(2048), pkcs1(Digest::Sha256), Sha256;
    MlDsa44Ed25519Sha512 "MLDSA44-Ed25519-SHA512" MLDSA44_ED25519_SHA512
        MlDsa44 KeyType::Ed25519, Scheme::Ed25519, Sha512;
    MlDsa44EcdsaP256Sha256 "MLDSA44-ECDSA-P256-SHA256" MLDSA44_ECDSA_P256_SHA256
        MlDsa44 KeyType::P256, Scheme::Ecdsa(Digest::Sha256), Sha256;
    MlDsa65Rsa3072PssSha512 "MLDSA65-RSA3072-PSS-SHA512" MLDSA65_RSA3072_PSS_SHA512
        MlDsa65 KeyType::Rsa(3072), pss(Digest::Sha256), Sha512;
    MlDsa65Rsa3072Pkcs15Sha512 "MLDSA65-RSA3072-PKCS15-SHA512" MLDSA65_RSA3072_PKCS15_SHA512
        MlDsa65 KeyType::Rsa(3072), pkcs1(Digest::Sha256), Sha512;
    MlDsa65Rsa4096PssSha512 "MLDSA65-RSA4096-PSS-SHA512" MLDSA65_RSA4096_PSS_SHA512
        MlDsa65 KeyType::Rsa(4096), pss(Digest::Sha384), Sha512;
    MlDsa65Rsa4096Pkcs15Sha512 "MLDSA65-RSA4096-PKCS15-SHA512" MLDSA65_RSA4096_PKCS15_SHA512
        MlDsa65 KeyType::Rsa(4096), pkcs1(Digest::Sha384), Sha512;
    MlDsa65EcdsaP256Sha512 "MLDSA65-ECDSA-P256-SHA512" MLDSA65_ECDSA_P256_SHA512
        MlDsa65 KeyType::P256, Scheme::Ecdsa(Digest::Sha256), Sha512;
    MlDsa65EcdsaP384Sha512 "MLDSA65-ECDSA-P384-SHA512" MLDSA65_ECDSA_P384_SHA512
        MlDsa65 KeyType::P384, Scheme::Ecdsa(Digest::Sha384), Sha512;
    MlDsa65Ed25519Sha512 "MLDSA65-Ed25519-SHA512" MLDSA65_ED25519_SHA512
        MlDsa65 KeyType::Ed25519, Scheme::Ed25519, Sha512;
    MlDsa87EcdsaP384Sha512 "MLDSA87-ECDSA-P384-SHA512" MLDSA87_ECDSA_P384_SHA512
        MlDsa87 KeyType::P384, Scheme::Ecdsa(Digest::Sha384), Sha512;
    MlDsa87Ed448Shake256 "MLDSA87-Ed448-SHAKE256" MLDSA87_ED448_SHAKE256
        MlDsa87 KeyType::Ed448, Scheme::Ed448, Shake256;
    MlDsa87Rsa3072PssSha512 "MLDSA87-RSA3072-PSS-SHA512" MLDSA87_RSA3072_PSS_SHA512
        MlDsa87 KeyType::Rsa(3072), pss(Digest::Sha256), Sha512;
    MlDsa87Rsa4096PssSha512 "MLDSA87-RSA4096-PSS-SHA512" MLDSA87_RSA4096_PSS_SHA512
        MlDsa87 KeyType::Rsa(4096), pss(Digest::Sha384), Sha512;
    MlDsa87EcdsaP521Sha512 "MLDSA87-ECDSA-P521-SHA512" MLDSA87_ECDSA_P521_SHA512
        MlDsa87 KeyType::P521, Scheme::Ecdsa(Digest::Sha512), Sha512;
}

impl CompositeMlDsa {
    /// Returns the algorithm's name, such as `MLDSA65-ECDSA-P384-SHA512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let label = self.row().0;
        label.strip_prefix("COMPSIG-").unwrap_or(label)
    }

    /// Returns the object identifier of keys and signatures.
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        self.row().1
    }

    /// Returns the ML-DSA key type and scheme.
    #[must_use]
    pub const fn post_quantum(self) -> (KeyType, Scheme) {
        match self.row().2 {
            KeyType::MlDsa44 => (KeyType::MlDsa44, Scheme::MlDsa44),
            KeyType::MlDsa65 => (KeyType::MlDsa65, Scheme::MlDsa65),
            _ => (KeyType::MlDsa87, Scheme::MlDsa87),
        }
    }

    /// Returns the traditional key type and scheme.
    #[must_use]
    pub const fn traditional(self) -> (KeyType, Scheme) {
        self.row().3
    }

    /// Returns the length in bytes of an ML-DSA public key (FIPS 204 table 2), the first part of a public key.
    pub(super) const fn public_len(self) -> usize {
        match self.row().2 {
            KeyType::MlDsa44 => 1312,
            KeyType::MlDsa65 => 1952,
            _ => 2592,
        }
    }

    /// Returns the length in bytes of an ML-DSA signature, the first part of a signature.
    pub(super) const fn signature_len(self) -> usize {
        match self.row().2 {
            KeyType::MlDsa44 => 2420,
            KeyType::MlDsa65 => 3309,
            _ => 4627,
        }
    }

    /// Returns the label that ML-DSA signs as its context (draft §2.2).
    pub(super) const fn label(self) -> &'static [u8] {
        self.row().0.as_bytes()
    }

    /// Computes the message representative that both components sign (draft §2.2): `M' = Prefix || Label || len(ctx) || ctx ||
    /// PH(M)`.
    pub(super) fn representative(self, context: &[u8], message: &[u8]) -> Vec<u8> {
        let mut made = b"CompositeAlgorithmSignatures2025".to_vec();
        made.extend_from_slice(self.label());
        // The context was found to have at most 255 octets before.
        made.push(u8::try_from(context.len()).unwrap_or(u8::MAX));
        made.extend_from_slice(context);
        match self.row().4 {
            Hash::Sha256 => made.extend_from_slice(&Sha256::digest(message)),
            Hash::Sha512 => made.extend_from_slice(&Sha512::digest(message)),
            Hash::Shake256 => made.extend_from_slice(&shake256(message)),
        }
        made
    }
}

impl fmt::Display for CompositeMlDsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
