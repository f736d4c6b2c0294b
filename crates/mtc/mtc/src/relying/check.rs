//! Cosigners, and the verification of their signatures.

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::{CosignerAlgorithm, TrustAnchorId};

/// A recognized cosigner: an ID with one key and one algorithm (MTC §5.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigner {
    id: TrustAnchorId,
    algorithm: CosignerAlgorithm,
    key_info: Vec<u8>,
}

impl Cosigner {
    /// Creates a cosigner from a DER SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignerAlgorithm`] if the key does not match the algorithm, or any DER error.
    pub fn new(id: TrustAnchorId, algorithm: CosignerAlgorithm, key_info: &[u8]) -> Result<Self, Error> {
        if CosignerAlgorithm::of_key(key_info)? != algorithm {
            return Err(Error::new(ErrorKind::CosignerAlgorithm, 0));
        }
        Ok(Self { id, algorithm, key_info: key_info.to_vec() })
    }

    /// Returns the cosigner's ID.
    #[must_use]
    pub const fn id(&self) -> &TrustAnchorId {
        &self.id
    }

    /// Returns the cosigner's signature algorithm.
    #[must_use]
    pub const fn algorithm(&self) -> CosignerAlgorithm {
        self.algorithm
    }

    /// Returns the cosigner's public key, as a DER SubjectPublicKeyInfo.
    #[must_use]
    pub fn key_info(&self) -> &[u8] {
        &self.key_info
    }
}

/// A signature verifier.
pub trait SignatureCheck {
    /// Verifies the signature of a message by a key, a SubjectPublicKeyInfo in DER that matches the algorithm.
    ///
    /// # Errors
    /// Returns a [`SignatureFault`] if the signature is invalid or cannot be verified.
    fn verify(
        &self,
        algorithm: CosignerAlgorithm,
        key_info: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault>;
}

/// The reason why a signature is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureFault {
    /// The signature is invalid.
    Invalid,
    /// The verifier does not support the algorithm.
    NotOffered,
    /// The key is malformed.
    Key,
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "the signature does not verify",
            Self::NotOffered => "the signature algorithm is not supported",
            Self::Key => "the key is malformed",
        })
    }
}

impl core::error::Error for SignatureFault {}
