//! Signatures using tagwise-crypto: verification of cosignatures, and signing as a cosigner.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use tagwise_crypto::{Backend, Digest, ErrorKind as CryptoKind, KeySigner, PrivateKey, PublicKey, Scheme, Signer};

use crate::relying::{Cosigner, SignatureCheck, SignatureFault};
use crate::{CosignedSubtree, CosignerAlgorithm, Error, TrustAnchorId, hash};

/// The maximum number of cached keys.
const KEPT: usize = 1024;
/// The maximum number of cached signatures: those of the subtrees that a batch of certificates shares.
const VERIFIED: usize = 32;
/// The maximum length of the message of a cached signature, in bytes. That of a subtree is shorter.
const LARGEST: usize = 4096;

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

/// A signature verifier that uses a backend. Keys are parsed only once, and a recent valid signature of the same message is not
/// verified again: certificates of one checkpoint share the signatures of their subtree.
#[derive(Debug)]
pub struct BackendCheck<'b> {
    backend: &'b dyn Backend,
    keys: Mutex<HashMap<hash::Hash, Arc<dyn PublicKey>>>,
    /// The most recently used valid signatures, with the last one at the end.
    verified: Mutex<Vec<Verified>>,
}

/// A valid signature, with everything that was verified.
#[derive(Debug)]
struct Verified {
    algorithm: CosignerAlgorithm,
    key_info: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl<'b> BackendCheck<'b> {
    /// Creates a verifier that uses the given backend.
    #[must_use]
    pub fn new(backend: &'b dyn Backend) -> Self {
        Self { backend, keys: Mutex::default(), verified: Mutex::default() }
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
        let is_same = |one: &Verified| {
            one.algorithm == algorithm
                && one.signature == signature
                && one.message == message
                && one.key_info == key_info
        };
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = verified.iter().rposition(is_same) {
            let used = verified.remove(at);
            verified.push(used);
            return Ok(());
        }
        drop(verified);
        let key = self.key(key_info)?;
        key.verify(&algorithm.scheme(), message, signature).map_err(|error| match error.kind() {
            CryptoKind::NotOffered => SignatureFault::NotOffered,
            CryptoKind::WrongKey => SignatureFault::Key,
            _ => SignatureFault::Invalid,
        })?;
        if message.len() > LARGEST {
            return Ok(());
        }
        let (key_info, message, signature) = (key_info.to_vec(), message.to_vec(), signature.to_vec());
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= VERIFIED {
            verified.remove(0);
        }
        verified.push(Verified { algorithm, key_info, message, signature });
        Ok(())
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

#[cfg(test)]
mod tests {
    use std::string::{String, ToString as _};

    use tagwise_crypto::KeyType;
    use tagwise_crypto::backends::AwsLc;

    use super::*;

    #[test]
    fn only_what_was_verified_counts_as_verified() {
        let backend = AwsLc::new();
        let check = BackendCheck::new(&backend);
        let algorithm = CosignerAlgorithm::MlDsa44;
        let [key, other] = [(), ()].map(|()| backend.generate(KeyType::MlDsa44).unwrap());
        let info = key.public_key_info();
        let signature = key.sign(&algorithm.scheme(), b"message").unwrap();
        let cached = || check.verified.lock().unwrap().len();
        let verify = |info: &[u8], message: &[u8], signature: &[u8]| check.verify(algorithm, info, message, signature);

        // An invalid signature is not cached.
        assert_eq!(verify(info, b"massage", &signature), Err(SignatureFault::Invalid));
        assert_eq!(cached(), 0);
        assert_eq!(verify(info, b"message", &signature), Ok(()));
        assert_eq!(verify(info, b"message", &signature), Ok(()));
        assert_eq!(cached(), 1);
        // One part differs from the cached signature.
        let mut forged = signature.clone();
        forged[0] ^= 1;
        assert_eq!(verify(info, b"message", &forged), Err(SignatureFault::Invalid));
        assert_eq!(verify(info, b"messagf", &signature), Err(SignatureFault::Invalid));
        assert_eq!(verify(other.public_key_info(), b"message", &signature), Err(SignatureFault::Invalid));
        let by = |algorithm| check.verify(algorithm, info, b"message", &signature).is_ok();
        assert!(!by(CosignerAlgorithm::MlDsa65) && !by(CosignerAlgorithm::Ed25519));
        assert_eq!(cached(), 1);
    }

    #[test]
    fn few_signatures_are_cached() {
        let backend = AwsLc::new();
        let check = BackendCheck::new(&backend);
        let key = backend.generate(KeyType::Ed25519).unwrap();
        let algorithm = CosignerAlgorithm::Ed25519;
        let verify = |message: &[u8]| {
            let signature = key.sign(&algorithm.scheme(), message).unwrap();
            check.verify(algorithm, key.public_key_info(), message, &signature).unwrap();
        };
        let messages: Vec<String> = (0..=VERIFIED).map(|number| number.to_string()).collect();
        messages.iter().for_each(|message| verify(message.as_bytes()));
        verify(&[0; LARGEST + 1]);
        // The first one was dropped, and the long one was not added.
        let cached = check.verified.lock().unwrap();
        let cached: Vec<&[u8]> = cached.iter().map(|one| one.message.as_slice()).collect();
        assert_eq!(cached, messages[1..].iter().map(String::as_bytes).collect::<Vec<_>>());
    }
}
