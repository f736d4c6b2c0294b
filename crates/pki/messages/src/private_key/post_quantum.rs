//! Private keys for ML-DSA (RFC 9881 §6), ML-KEM (RFC 9935 §6) and SLH-DSA (RFC 9909 §6), in all forms.

use core::fmt;

use tagwise_codec::{Decode, OctetStr, Oid, encode};
use zeroize::Zeroizing;

use super::KeyError;
use super::convert::private_key_info;
use crate::ml_dsa::{
    MlDsa44PrivateKey, MlDsa44PrivateKeyBoth, MlDsa65PrivateKey, MlDsa65PrivateKeyBoth, MlDsa87PrivateKey,
    MlDsa87PrivateKeyBoth,
};
use crate::ml_kem::{
    MlKem512PrivateKey, MlKem512PrivateKeyBoth, MlKem768PrivateKey, MlKem768PrivateKeyBoth, MlKem1024PrivateKey,
    MlKem1024PrivateKeyBoth,
};
use crate::pkcs8::PrivateKeyInfo;
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::oids;

/// A post-quantum algorithm with its own private key format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PostQuantumAlgorithm {
    /// ML-DSA-44.
    MlDsa44,
    /// ML-DSA-65.
    MlDsa65,
    /// ML-DSA-87.
    MlDsa87,
    /// ML-KEM-512.
    MlKem512,
    /// ML-KEM-768.
    MlKem768,
    /// ML-KEM-1024.
    MlKem1024,
    /// SLH-DSA, with the last arc of the parameter set's identifier: 20 (SHA2-128s) to 31 (SHAKE-256f).
    SlhDsa(u8),
}

/// The form of a private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostQuantumForm {
    /// The seed from which the key is expanded. This form is short, and preferred.
    Seed,
    /// The expanded key. SLH-DSA supports only this form.
    Expanded,
    /// The seed and the expanded key.
    Both,
}

impl fmt::Display for PostQuantumForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "combined",
        })
    }
}

impl PostQuantumAlgorithm {
    /// Returns the algorithm with the given identifier.
    #[must_use]
    pub fn of(algorithm: Oid<'_>) -> Option<Self> {
        // 2.16.840.1.101.3.4.3 and .4.
        Some(match algorithm.as_bytes() {
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, arc] => match arc {
                17 => Self::MlDsa44,
                18 => Self::MlDsa65,
                19 => Self::MlDsa87,
                20..=31 => Self::SlhDsa(*arc),
                _ => return None,
            },
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, arc] => match arc {
                1 => Self::MlKem512,
                2 => Self::MlKem768,
                3 => Self::MlKem1024,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the algorithm's identifier, or `None` for an invalid parameter set number.
    #[must_use]
    pub fn oid(self) -> Option<Oid<'static>> {
        Some(match self {
            Self::MlDsa44 => oids::ML_DSA_44,
            Self::MlDsa65 => oids::ML_DSA_65,
            Self::MlDsa87 => oids::ML_DSA_87,
            Self::MlKem512 => oids::ML_KEM_512,
            Self::MlKem768 => oids::ML_KEM_768,
            Self::MlKem1024 => oids::ML_KEM_1024,
            Self::SlhDsa(arc) => *SLH_DSA.get(usize::from(arc.checked_sub(20)?))?,
        })
    }

    /// Returns the length of a seed in bytes: 32 for ML-DSA (ξ), 64 for ML-KEM (d and z), or `None` for SLH-DSA, whose seeds are
    /// not supported.
    #[must_use]
    pub const fn seed_len(self) -> Option<usize> {
        match self {
            Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => Some(32),
            Self::MlKem512 | Self::MlKem768 | Self::MlKem1024 => Some(64),
            Self::SlhDsa(_) => None,
        }
    }

    /// Returns the length of the expanded key in bytes (FIPS 204 table 2, FIPS 203 table 3, FIPS 205 table 2).
    #[must_use]
    pub const fn expanded_len(self) -> usize {
        match self {
            Self::MlDsa44 => 2560,
            Self::MlDsa65 => 4032,
            Self::MlDsa87 => 4896,
            Self::MlKem512 => 1632,
            Self::MlKem768 => 2400,
            Self::MlKem1024 => 3168,
            // Twice a public key of 2 n octets, n = 16, 24, 32: two sets each, for SHA2 and then for SHAKE.
            Self::SlhDsa(20 | 21 | 26 | 27) => 64,
            Self::SlhDsa(22 | 23 | 28 | 29) => 96,
            Self::SlhDsa(_) => 128,
        }
    }
}

const SLH_DSA: [Oid<'static>; 12] = [
    oids::SLH_DSA_SHA2_128S,
    oids::SLH_DSA_SHA2_128F,
    oids::SLH_DSA_SHA2_192S,
    oids::SLH_DSA_SHA2_192F,
    oids::SLH_DSA_SHA2_256S,
    oids::SLH_DSA_SHA2_256F,
    oids::SLH_DSA_SHAKE_128S,
    oids::SLH_DSA_SHAKE_128F,
    oids::SLH_DSA_SHAKE_192S,
    oids::SLH_DSA_SHAKE_192F,
    oids::SLH_DSA_SHAKE_256S,
    oids::SLH_DSA_SHAKE_256F,
];

/// A post-quantum private key: its seed, its expanded key, or both, with correct lengths.
///
/// ```
/// use tagwise_messages::private_key::{PostQuantumAlgorithm, PostQuantumForm, PostQuantumKey};
/// let key = PostQuantumKey::new(PostQuantumAlgorithm::MlDsa65, Some(&[7; 32]), None)?;
/// assert_eq!(key.form(), PostQuantumForm::Seed);
/// let pkcs8 = key.to_pkcs8(PostQuantumForm::Seed)?;
/// assert_eq!(PostQuantumKey::from_pkcs8(&pkcs8)?.seed(), Some(&[7; 32][..]));
/// // The key itself would have to be computed.
/// assert!(key.to_pkcs8(PostQuantumForm::Both).is_err());
/// assert!(PostQuantumKey::new(PostQuantumAlgorithm::MlKem512, Some(&[7; 32]), None).is_err());
/// # Ok::<(), tagwise_messages::private_key::KeyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PostQuantumKey<'a> {
    algorithm: PostQuantumAlgorithm,
    seed: Option<&'a [u8]>,
    expanded: Option<&'a [u8]>,
}

/// Displays the key without its bytes.
impl fmt::Debug for PostQuantumKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostQuantumKey({:?}, {})", self.algorithm, self.form())
    }
}

/// Decodes and encodes the CHOICE of a parameter set's three forms.
macro_rules! choice {
    ($choice:ident, $both:ident, read $octets:expr) => {
        match $choice::from_der($octets)? {
            $choice::Seed(seed) => (Some(seed.as_bytes()), None),
            $choice::ExpandedKey(key) => (None, Some(key.as_bytes())),
            $choice::Both($both { seed, expanded_key }) => (Some(seed.as_bytes()), Some(expanded_key.as_bytes())),
        }
    };
    ($choice:ident, $both:ident, write $form:expr, $seed:expr, $key:expr) => {
        encode(&match $form {
            PostQuantumForm::Seed => $choice::Seed($seed),
            PostQuantumForm::Expanded => $choice::ExpandedKey($key),
            PostQuantumForm::Both => $choice::Both($both { seed: $seed, expanded_key: $key }),
        })
    };
}

impl<'a> PostQuantumKey<'a> {
    /// Creates a key from its bytes.
    ///
    /// # Errors
    /// Returns an error if a length is wrong, seed and expanded key are both missing, or a seed is given for SLH-DSA.
    pub fn new(
        algorithm: PostQuantumAlgorithm,
        seed: Option<&'a [u8]>,
        expanded: Option<&'a [u8]>,
    ) -> Result<Self, KeyError> {
        let check = |octets: Option<&[u8]>, wanted: usize| match octets {
            Some(octets) if octets.len() != wanted => Err(KeyError::Length { wanted, found: octets.len() }),
            _ => Ok(()),
        };
        check(expanded, algorithm.expanded_len())?;
        match algorithm.seed_len() {
            Some(len) => check(seed, len)?,
            None if seed.is_some() => return Err(KeyError::Form(PostQuantumForm::Seed)),
            None => {}
        }
        if seed.is_none() && expanded.is_none() {
            return Err(KeyError::Form(PostQuantumForm::Expanded));
        }
        Ok(Self { algorithm, seed, expanded })
    }

    /// Decodes the key in a PKCS #8 encoding, without checking whether the seed and the expanded key match.
    ///
    /// # Errors
    /// Returns an error if the encoding is not PKCS #8, has a different algorithm, or a length is wrong.
    pub fn from_pkcs8(pkcs8: &'a [u8]) -> Result<Self, KeyError> {
        let info = PrivateKeyInfo::from_der(pkcs8)?;
        let found = info.private_key_algorithm.algorithm;
        let algorithm = PostQuantumAlgorithm::of(found)
            .ok_or_else(|| KeyError::Algorithm { wanted: "ML-DSA, ML-KEM or SLH-DSA", found: found.to_string() })?;
        let octets = info.private_key.0.as_bytes();
        let (seed, expanded) = match algorithm {
            PostQuantumAlgorithm::MlDsa44 => choice!(MlDsa44PrivateKey, MlDsa44PrivateKeyBoth, read octets),
            PostQuantumAlgorithm::MlDsa65 => choice!(MlDsa65PrivateKey, MlDsa65PrivateKeyBoth, read octets),
            PostQuantumAlgorithm::MlDsa87 => choice!(MlDsa87PrivateKey, MlDsa87PrivateKeyBoth, read octets),
            PostQuantumAlgorithm::MlKem512 => choice!(MlKem512PrivateKey, MlKem512PrivateKeyBoth, read octets),
            PostQuantumAlgorithm::MlKem768 => choice!(MlKem768PrivateKey, MlKem768PrivateKeyBoth, read octets),
            PostQuantumAlgorithm::MlKem1024 => choice!(MlKem1024PrivateKey, MlKem1024PrivateKeyBoth, read octets),
            // RFC 9909 §6: the octets themselves, in no further OCTET STRING.
            PostQuantumAlgorithm::SlhDsa(_) => (None, Some(octets)),
        };
        Self::new(algorithm, seed, expanded)
    }

    /// Encodes the key as PKCS #8 in the given form.
    ///
    /// # Errors
    /// Returns an error if the form requires a seed or an expanded key that is missing, because neither is computed from the
    /// other.
    pub fn to_pkcs8(&self, form: PostQuantumForm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let wants_seed = form != PostQuantumForm::Expanded;
        let wants_key = form != PostQuantumForm::Seed;
        if wants_seed && self.seed.is_none() || wants_key && self.expanded.is_none() {
            return Err(KeyError::Form(form));
        }
        let seed = OctetStr::new(self.seed.unwrap_or_default());
        let key = OctetStr::new(self.expanded.unwrap_or_default());
        let octets = match self.algorithm {
            PostQuantumAlgorithm::MlDsa44 => {
                choice!(MlDsa44PrivateKey, MlDsa44PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::MlDsa65 => {
                choice!(MlDsa65PrivateKey, MlDsa65PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::MlDsa87 => {
                choice!(MlDsa87PrivateKey, MlDsa87PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::MlKem512 => {
                choice!(MlKem512PrivateKey, MlKem512PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::MlKem768 => {
                choice!(MlKem768PrivateKey, MlKem768PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::MlKem1024 => {
                choice!(MlKem1024PrivateKey, MlKem1024PrivateKeyBoth, write form, seed, key)
            }
            PostQuantumAlgorithm::SlhDsa(_) => Ok(key.to_vec()),
        };
        let octets = Zeroizing::new(octets?);
        let wanted = "a FIPS 205 parameter set";
        let algorithm = self.algorithm.oid();
        let algorithm = algorithm.ok_or_else(|| KeyError::Algorithm { wanted, found: String::new() })?;
        private_key_info(&AlgorithmIdentifier { algorithm, parameters: None }, &octets, &[], None)
    }

    /// Returns the key's algorithm.
    #[must_use]
    pub const fn algorithm(&self) -> PostQuantumAlgorithm {
        self.algorithm
    }

    /// Returns the form of the key: seed, expanded key, or both.
    #[must_use]
    pub const fn form(&self) -> PostQuantumForm {
        match (self.seed, self.expanded) {
            (Some(_), Some(_)) => PostQuantumForm::Both,
            (Some(_), None) => PostQuantumForm::Seed,
            _ => PostQuantumForm::Expanded,
        }
    }

    /// Returns the seed, if available.
    #[must_use]
    pub const fn seed(&self) -> Option<&'a [u8]> {
        self.seed
    }

    /// Returns the expanded key, if available.
    #[must_use]
    pub const fn expanded(&self) -> Option<&'a [u8]> {
        self.expanded
    }
}
