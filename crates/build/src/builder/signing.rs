//! The key that a builder signs with.

use std::borrow::Cow;
use std::sync::Arc;

/// Reason why a key does not sign.
pub type SigningError = Box<dyn core::error::Error + Send + Sync>;

/// A key that signs what is built, wherever it is. The signers of `tagwise-crypto` are such keys.
pub trait SigningKey {
    /// The algorithm of its signatures, an AlgorithmIdentifier in DER.
    ///
    /// # Errors
    /// If it has none, or may not sign certificates.
    fn signature_algorithm(&self) -> Result<Cow<'_, [u8]>, SigningError>;

    /// Its public half, a SubjectPublicKeyInfo in DER.
    fn subject_public_key_info(&self) -> &[u8];

    /// A signature of a message, as certificates hold it.
    ///
    /// # Errors
    /// The key's own error.
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
