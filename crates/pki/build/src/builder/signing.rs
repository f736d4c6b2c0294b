//! The interface of signing keys.

use std::borrow::Cow;
use std::sync::Arc;

/// An error from a signing key.
pub type SigningError = Box<dyn core::error::Error + Send + Sync>;

/// A signing key for builders, which may be stored anywhere. The signers of `tagwise-crypto` implement it.
pub trait SigningKey {
    /// The AlgorithmIdentifier of the signatures, in DER.
    ///
    /// # Errors
    /// If there is no identifier, or the key may not sign certificates.
    fn signature_algorithm(&self) -> Result<Cow<'_, [u8]>, SigningError>;

    /// The public key, a SubjectPublicKeyInfo in DER.
    fn subject_public_key_info(&self) -> &[u8];

    /// Signs a message, and returns the signature in the form used in certificates.
    ///
    /// # Errors
    /// The errors of the key.
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
