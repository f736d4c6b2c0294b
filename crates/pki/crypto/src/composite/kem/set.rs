//! Composite KEM algorithms: their components, and how the secrets are combined.

use core::fmt;

use sha3::{Digest as _, Sha3_256};
use tagwise_codec::Oid;
use tagwise_pkix::oids;

use crate::{Digest, KeyTransport, KeyType, OaepParameters, Secret};

/// Defines the enumeration and its table from one list: name, identifier, combiner label, ML-KEM key type, and the other
/// key type.
macro_rules! sets {
    ($($set:ident $name:literal $oid:ident $label:literal $pq:ident $key:expr;)*) => {
        /// A combination of ML-KEM with RSA-OAEP or a key agreement (draft-ietf-lamps-pq-composite-kem-15 §6).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the names are the draft's")]
        pub enum CompositeMlKem {
            $($set,)*
        }

        impl CompositeMlKem {
            /// All combinations, ordered by identifier.
            pub const ALL: &'static [Self] = &[$(Self::$set,)*];

            const fn row(self) -> (&'static str, Oid<'static>, &'static [u8], KeyType, KeyType) {
                match self {
                    $(Self::$set => ($name, oids::$oid, $label, KeyType::$pq, $key),)*
                }
            }
        }
    };
}

sets! {
    MlKem768Rsa2048 "MLKEM768-RSA2048-SHA3-256" MLKEM768_RSA2048_SHA3_256
        b"MLKEM768-RSAOAEP2048" MlKem768 KeyType::Rsa(2048);
    MlKem768Rsa3072 "MLKEM768-RSA3072-SHA3-256" MLKEM768_RSA3072_SHA3_256
        b"MLKEM768-RSAOAEP3072" MlKem768 KeyType::Rsa(3072);
    MlKem768Rsa4096 "MLKEM768-RSA4096-SHA3-256" MLKEM768_RSA4096_SHA3_256
        b"MLKEM768-RSAOAEP4096" MlKem768 KeyType::Rsa(4096);
    MlKem768X25519 "MLKEM768-X25519-SHA3-256" MLKEM768_X25519_SHA3_256
        b"\\.//^\\" MlKem768 KeyType::X25519;
    MlKem768P256 "MLKEM768-ECDH-P256-SHA3-256" MLKEM768_ECDH_P256_SHA3_256
        b"MLKEM768-P256" MlKem768 KeyType::P256;
    MlKem768P384 "MLKEM768-ECDH-P384-SHA3-256" MLKEM768_ECDH_P384_SHA3_256
        b"MLKEM768-P384" MlKem768 KeyType::P384;
    MlKem1024Rsa3072 "MLKEM1024-RSA3072-SHA3-256" MLKEM1024_RSA3072_SHA3_256
        b"MLKEM1024-RSAOAEP3072" MlKem1024 KeyType::Rsa(3072);
    MlKem1024P384 "MLKEM1024-ECDH-P384-SHA3-256" MLKEM1024_ECDH_P384_SHA3_256
        b"MLKEM1024-P384" MlKem1024 KeyType::P384;
    MlKem1024X448 "MLKEM1024-X448-SHA3-256" MLKEM1024_X448_SHA3_256
        b"MLKEM1024-X448" MlKem1024 KeyType::X448;
    MlKem1024P521 "MLKEM1024-ECDH-P521-SHA3-256" MLKEM1024_ECDH_P521_SHA3_256
        b"MLKEM1024-P521" MlKem1024 KeyType::P521;
}

impl CompositeMlKem {
    /// The RSA encryption scheme for secrets (draft §6.1).
    pub(super) const TRANSPORT: KeyTransport = KeyTransport::Oaep(OaepParameters::of(Digest::Sha256));

    /// The length in bytes of the secret that is encrypted to an RSA key, and of the combined secret.
    pub(super) const SECRET: usize = 32;

    /// Returns the algorithm's name, such as `MLKEM768-X25519-SHA3-256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the object identifier of the keys and the KEM.
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        self.row().1
    }

    /// Returns the ML-KEM key type.
    #[must_use]
    pub const fn post_quantum(self) -> KeyType {
        self.row().3
    }

    /// Returns the traditional key type.
    #[must_use]
    pub const fn traditional(self) -> KeyType {
        self.row().4
    }

    /// Returns the length in bytes of an ML-KEM public key (FIPS 203 table 3), the first part of a public key.
    pub(super) const fn public_len(self) -> usize {
        match self.post_quantum() {
            KeyType::MlKem768 => 1184,
            _ => 1568,
        }
    }

    /// Returns the length in bytes of an ML-KEM ciphertext, the first part of a ciphertext.
    pub(super) const fn ciphertext_len(self) -> usize {
        match self.post_quantum() {
            KeyType::MlKem768 => 1088,
            _ => 1568,
        }
    }

    /// Combines both secrets, the second component's ciphertext and its public key into the shared secret (draft §3.4).
    pub(super) fn combined(self, one: &Secret, other: &Secret, ciphertext: &[u8], public: &[u8]) -> Secret {
        let mut hasher = Sha3_256::new();
        for part in [one.expose(), other.expose(), ciphertext, public, self.row().2] {
            hasher.update(part);
        }
        Secret::from(hasher.finalize().as_slice())
    }
}

impl fmt::Display for CompositeMlKem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
