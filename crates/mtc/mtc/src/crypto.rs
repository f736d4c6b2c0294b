//! Signatures using tagwise-crypto: verification of cosignatures, and signing as a cosigner.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use tagwise_crypto::{Backend, Digest, ErrorKind as CryptoKind, KeySigner, PrivateKey, PublicKey, Scheme, Signer};

use crate::relying::{Cosigner, SignatureCheck, SignatureFault};
use crate::{CosignedSubtree, CosignerAlgorithm, Error, TrustAnchorId, hash};

/// The maximum number of cached keys.
const KEPT: usize = 1024;

impl CosignerAlgorithm {
    /// Returns the corresponding tagwise-crypto scheme.
    #[must_use]
    pub const fn scheme(self) -> Scheme {
        match self {
            Self::MlDsa44 => Scheme::MlDsa44,
            Self::MlDsa65 => Scheme::MlDsa65,
            Self::MlDsa87 => Scheme::MlDsa87,
            Self::EcdsaP256 => Scheme::Ecdsa(Digest::Sha256),
            Self::EcdsaP384 => Scheme::Ecdsa(Digest::Sha384),
            Self::Ed25519 => Scheme::Ed25519,
        }
    }
}

/// A signature verifier that uses a backend. Keys are parsed only once.
#[derive(Debug)]
pub struct BackendCheck<'b> {
    backend: &'b dyn Backend,
    keys: Mutex<HashMap<hash::Hash, Arc<dyn PublicKey>>>,
}

impl<'b> BackendCheck<'b> {
    /// Creates a verifier that uses the given backend.
    #[must_use]
    pub fn new(backend: &'b dyn Backend) -> Self {
        Self { backend, keys: Mutex::default() }
    }

    fn key(&self, key_info: &[u8]) -> Result<Arc<dyn PublicKey>, SignatureFault> {
        let name = hash::plain(key_info);
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = keys.get(&name) {
            return Ok(Arc::clone(key));
        }
        let key = self.backend.public_key_from_der(key_info).map_err(|error| match error.kind() {
            CryptoKind::NotOffered | CryptoKind::Unsupported => SignatureFault::NotOffered,
            _ => SignatureFault::Key,
        })?;
        if keys.len() >= KEPT {
            keys.clear();
        }
        keys.insert(name, Arc::clone(&key));
        Ok(key)
    }
}

impl SignatureCheck for BackendCheck<'_> {
    fn verify(
        &self,
        algorithm: CosignerAlgorithm,
        key_info: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        let key = self.key(key_info)?;
        key.verify(&algorithm.scheme(), message, signature).map_err(|error| match error.kind() {
            CryptoKind::NotOffered => SignatureFault::NotOffered,
            CryptoKind::WrongKey => SignatureFault::Key,
            _ => SignatureFault::Invalid,
        })
    }
}

/// A cosigner with its private key.
#[derive(Clone, Debug)]
pub struct CosignerKey {
    cosigner: Cosigner,
    signer: KeySigner,
}

impl CosignerKey {
    /// Creates a cosigner from an ID and a key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignerAlgorithm`](crate::ErrorKind::CosignerAlgorithm) for key types that cosigners do not
    /// support.
    pub fn new(id: TrustAnchorId, key: Arc<dyn PrivateKey>) -> Result<Self, Error> {
        let algorithm = CosignerAlgorithm::of_key(key.public_key_info())?;
        let cosigner = Cosigner::new(id, algorithm, key.public_key_info())?;
        let signer = KeySigner::new(key, algorithm.scheme());
        let signer = signer.map_err(|_wrong_key| Error::new(crate::ErrorKind::CosignerAlgorithm, 0))?;
        Ok(Self { cosigner, signer })
    }

    /// Returns the cosigner's ID, algorithm and public key.
    #[must_use]
    pub const fn cosigner(&self) -> &Cosigner {
        &self.cosigner
    }

    /// Signs a message, such as an encoded [`CosignedSubtree`], as this cosigner.
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, tagwise_crypto::Error> {
        self.signer.sign(message)
    }

    /// Signs a log's subtree for use in certificates, with timestamp 0.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooLong`](crate::ErrorKind::TooLong) if the origin's name is too long, or an error if signing
    /// fails.
    pub fn sign_subtree(
        &self,
        origin: &str,
        subtree: crate::tree::Subtree,
        hash: &crate::Hash,
    ) -> Result<Vec<u8>, tagwise_crypto::Error> {
        let name = self.cosigner.id().name();
        let message = CosignedSubtree { cosigner: &name, timestamp: 0, origin, subtree, hash }.encode();
        let message = message.map_err(|error| tagwise_crypto::Error::new(CryptoKind::Length, error))?;
        self.sign(&message)
    }
}
