//! The interface of signing keys.

use std::borrow::Cow;
use std::sync::Arc;

/// An error from a signing key.
pub type SigningError = Box<dyn core::error::Error + Send + Sync>;

/// A signing key for builders, stored in memory, a token or a remote service. The signers of `tagwise-crypto` implement it.
pub trait SigningKey {
    /// Returns the AlgorithmIdentifier of the signatures, in DER.
    ///
    /// # Errors
    /// Returns an error if the signature algorithm has no identifier, or the key must not sign certificates.
    fn signature_algorithm(&self) -> Result<Cow<'_, [u8]>, SigningError>;

    /// Returns the public key, a SubjectPublicKeyInfo in DER.
    fn subject_public_key_info(&self) -> &[u8];

    /// Signs a message, and returns the signature in the form used in certificates.
    ///
    /// # Errors
    /// Returns an error if the key fails to sign.
    fn sign_message(&self, message: &[u8]) -> Result<Vec<u8>, SigningError>;
}

macro_rules! through {
    ($($ty:ty),*) => {$(
        impl<K: SigningKey + ?Sized> SigningKey for $ty {
            fn signature_algorithm(&self) -> Result<Cow<'_, [u8]>, SigningError> {
                (**self).signature_algorithm()
            }

            fn subject_public_key_info(&self) -> &[u8] {
                (**self).subject_public_key_info()
            }

            fn sign_message(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
                (**self).sign_message(message)
            }
        }
    )*};
}

through!(&K, Box<K>, Arc<K>);
