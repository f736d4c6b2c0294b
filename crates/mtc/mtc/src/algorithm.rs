//! The signature algorithms of cosigners, and their keys.

use alloc::vec::Vec;

use tagwise_codec::{Oid, Reader, Tag, oid};

use crate::error::{Error, ErrorKind};
use crate::id::{algorithm, element};

/// A cosigner's signature algorithm (MTC §5.3). Each cosigner ID has a fixed algorithm.
///
/// ```
/// use tagwise_mtc::CosignerAlgorithm;
/// assert_eq!("mldsa44".parse(), Ok(CosignerAlgorithm::MlDsa44));
/// assert_eq!(CosignerAlgorithm::EcdsaP256.name(), "ecdsa_p256_sha256");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CosignerAlgorithm {
    /// Pure ML-DSA-44 without a context.
    MlDsa44,
    /// Pure ML-DSA-65 without a context.
    MlDsa65,
    /// Pure ML-DSA-87 without a context.
    MlDsa87,
    /// ECDSA on P-256 with SHA-256, encoded in DER.
    EcdsaP256,
    /// ECDSA on P-384 with SHA-384, encoded in DER.
    EcdsaP384,
    /// Ed25519 (RFC 8032).
    Ed25519,
}

const ML_DSA_44: Oid<'static> = oid!("2.16.840.1.101.3.4.3.17");
const ML_DSA_65: Oid<'static> = oid!("2.16.840.1.101.3.4.3.18");
const ML_DSA_87: Oid<'static> = oid!("2.16.840.1.101.3.4.3.19");
const ECDSA_SHA256: Oid<'static> = oid!("1.2.840.10045.4.3.2");
const ECDSA_SHA384: Oid<'static> = oid!("1.2.840.10045.4.3.3");
const ED25519: Oid<'static> = oid!("1.3.101.112");
const EC_PUBLIC_KEY: Oid<'static> = oid!("1.2.840.10045.2.1");
const P256: Oid<'static> = oid!("1.2.840.10045.3.1.7");
const P384: Oid<'static> = oid!("1.3.132.0.34");

impl CosignerAlgorithm {
    /// All supported algorithms.
    pub const ALL: [Self; 6] =
        [Self::MlDsa44, Self::MlDsa65, Self::MlDsa87, Self::EcdsaP256, Self::EcdsaP384, Self::Ed25519];

    /// Returns the name used in policies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MlDsa44 => "mldsa44",
            Self::MlDsa65 => "mldsa65",
            Self::MlDsa87 => "mldsa87",
            Self::EcdsaP256 => "ecdsa_p256_sha256",
            Self::EcdsaP384 => "ecdsa_p384_sha384",
            Self::Ed25519 => "ed25519",
        }
    }

    /// Returns the signature algorithm's object identifier.
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::MlDsa44 => ML_DSA_44,
            Self::MlDsa65 => ML_DSA_65,
            Self::MlDsa87 => ML_DSA_87,
            Self::EcdsaP256 => ECDSA_SHA256,
            Self::EcdsaP384 => ECDSA_SHA384,
            Self::Ed25519 => ED25519,
        }
    }

    /// Encodes the AlgorithmIdentifier for signatures in DER, without parameters.
    #[must_use]
    pub fn to_der(self) -> Vec<u8> {
        algorithm(self.oid())
    }

    /// Returns the algorithm for a DER AlgorithmIdentifier.
    #[must_use]
    pub fn of_identifier(der: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.to_der() == der)
    }

    /// Encodes the AlgorithmIdentifier for keys in DER.
    #[must_use]
    pub fn key_identifier(self) -> Vec<u8> {
        let curve = match self {
            Self::EcdsaP256 => P256,
            Self::EcdsaP384 => P384,
            _ => return self.to_der(),
        };
        let mut content = element(Tag::OBJECT_IDENTIFIER, EC_PUBLIC_KEY.as_bytes());
        content.extend_from_slice(&element(Tag::OBJECT_IDENTIFIER, curve.as_bytes()));
        element(Tag::SEQUENCE, &content)
    }

    /// Returns the algorithm for a cosigner's key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignerAlgorithm`] if the key is not supported, or any DER error.
    pub fn of_key(spki: &[u8]) -> Result<Self, Error> {
        let identifier = key_algorithm(spki)?;
        let found = Self::ALL.into_iter().find(|one| one.key_identifier() == identifier);
        found.ok_or(Error::new(ErrorKind::CosignerAlgorithm, 0))
    }

    /// Encodes a raw ML-DSA or Ed25519 key as a SubjectPublicKeyInfo.
    #[must_use]
    pub fn key_info(self, key: &[u8]) -> Vec<u8> {
        let mut bits = Vec::with_capacity(key.len().saturating_add(1));
        bits.push(0);
        bits.extend_from_slice(key);
        let mut content = self.key_identifier();
        content.extend_from_slice(&element(Tag::BIT_STRING, &bits));
        element(Tag::SEQUENCE, &content)
    }
}

impl core::fmt::Display for CosignerAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for CosignerAlgorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, UnknownAlgorithm> {
        Self::ALL.into_iter().find(|one| one.name() == text).ok_or(UnknownAlgorithm)
    }
}

/// The error for an unknown cosigner algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm;

impl core::fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("expected mldsa44, mldsa65, mldsa87, ecdsa_p256_sha256, ecdsa_p384_sha384 or ed25519")
    }
}

impl core::error::Error for UnknownAlgorithm {}

/// Returns the AlgorithmIdentifier of a DER SubjectPublicKeyInfo, after checking its structure.
///
/// # Errors
/// Returns any DER error.
pub fn key_algorithm(spki: &[u8]) -> Result<&[u8], Error> {
    let mut reader = Reader::new(spki)?;
    let (algorithm, _) = read_key(&mut reader)?;
    reader.finish()?;
    Ok(algorithm)
}

/// Reads `SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }`. Returns the
/// algorithm's complete encoding and the key bits.
pub(crate) fn read_key<'a>(reader: &mut Reader<'a, '_>) -> Result<(&'a [u8], &'a [u8]), Error> {
    let len = reader.expect(Tag::SEQUENCE)?;
    let outer = reader.enter(len)?;
    let start = reader.position();
    let len = reader.expect(Tag::SEQUENCE)?;
    let inner = reader.enter(len)?;
    let _: Oid<'_> = reader.read()?;
    if !reader.is_empty() {
        reader.skip()?;
    }
    reader.leave(inner)?;
    let algorithm = reader.since(start);
    let bits: tagwise_codec::BitStr<'_> = reader.read()?;
    reader.leave(outer)?;
    Ok((algorithm, bits.as_bytes()))
}

/// Returns the key bits of a SubjectPublicKeyInfo.
///
/// # Errors
/// Returns any DER error.
pub(crate) fn key_bits(spki: &[u8]) -> Result<&[u8], Error> {
    let mut reader = Reader::new(spki)?;
    let (_, bits) = read_key(&mut reader)?;
    reader.finish()?;
    Ok(bits)
}
