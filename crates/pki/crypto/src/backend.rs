//! Traits for backends and their keys.

use std::fmt::Debug;
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::{
    Error, ErrorKind, KeyTransport, KeyType, OaepParameters, PostQuantumForm, Primitives, PrivateKeyInfo, Scheme,
    Secret,
};

/// A library or token that implements cryptography.
///
/// Its capabilities are determined at run time by [`signs`](Self::signs), [`verifies`](Self::verifies) and
/// [`generates`](Self::generates). Unsupported operations fail with [`ErrorKind::NotOffered`].
pub trait Backend: Primitives + Debug + Send + Sync {
    /// Returns the backend's name, such as `aws-lc`.
    fn name(&self) -> &'static str;

    /// Returns the version of the underlying library.
    fn version(&self) -> String;

    /// Returns whether the backend supports signing with this scheme and key type.
    fn signs(&self, scheme: &Scheme, key: KeyType) -> bool;

    /// Returns whether the backend supports verifying signatures with this scheme and key type.
    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool;

    /// Returns whether the backend supports non-empty contexts for this scheme; see [`PrivateKey::sign_with_context`].
    fn takes_contexts(&self, scheme: &Scheme) -> bool {
        let _ = scheme;
        false
    }

    /// Returns whether the backend supports this RSA encryption scheme; see [`PublicKey::encrypt`].
    fn transports(&self, transport: KeyTransport) -> bool {
        let _ = transport;
        false
    }

    /// Returns whether the backend can generate keys of this type.
    fn generates(&self, key: KeyType) -> bool;

    /// Generates a private key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] or [`ErrorKind::KeySize`] if the key type or size is not supported, or
    /// [`ErrorKind::Failed`] if the backend fails.
    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error>;

    /// Imports a private key. If it contains several representations of the key, or the public key, they must be consistent.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] or [`ErrorKind::KeySize`] if the key type or size is not supported,
    /// [`ErrorKind::MalformedKey`] if the key is invalid, or [`ErrorKind::Inconsistent`] if its parts do not match.
    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error>;

    /// Imports a public key, parsed once for many verifications.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`], [`ErrorKind::NotOffered`] or [`ErrorKind::KeySize`] if the key type or size is
    /// not supported, or [`ErrorKind::MalformedKey`] if the key is invalid.
    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error>;

    /// Imports a public key from a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the input is not a SubjectPublicKeyInfo in DER, or any error from
    /// [`public_key`](Self::public_key).
    fn public_key_from_der(&self, info: &[u8]) -> Result<Arc<dyn PublicKey>, Error> {
        let info = SubjectPublicKeyInfo::from_der(info)
            .map_err(|error| Error::new(ErrorKind::MalformedKey, "public").by(self.name()).because(error))?;
        self.public_key(&info)
    }

    /// Imports a private key from unencrypted PKCS #8 (RFC 5958).
    ///
    /// # Errors
    /// Returns any error from [`PrivateKeyInfo::from_pkcs8`] or [`private_key`](Self::private_key).
    fn private_key_from_pkcs8(&self, der: &[u8]) -> Result<Arc<dyn PrivateKey>, Error> {
        self.private_key(&PrivateKeyInfo::from_pkcs8(der)?)
    }
}

/// A private key managed by a backend. `Debug` only shows its type.
pub trait PrivateKey: Debug + Send + Sync {
    /// Returns the type of the key.
    fn key_type(&self) -> KeyType;

    /// Returns the public key, a SubjectPublicKeyInfo in DER.
    fn public_key_info(&self) -> &[u8];

    /// Returns the usual scheme for this key, or `None` if it cannot sign. For a key that is restricted to RSASSA-PSS (RFC 4055
    /// §1.2), the scheme has the parameters that the key requires.
    fn preferred_scheme(&self) -> Option<Scheme> {
        Scheme::preferred(self.key_type())
    }

    /// Signs a message. The signature has the format used in certificates: for ECDSA, a SEQUENCE of two INTEGERs.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if the scheme does not match the key, [`ErrorKind::NotOffered`] if the backend does
    /// not support the scheme, or [`ErrorKind::Failed`] if the backend fails.
    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error>;

    /// Signs a message with a context of at most 255 bytes (FIPS 204 §5.2, FIPS 205 §10.2). With an empty context, the only
    /// one allowed in certificates and messages, this is the same as [`sign`](Self::sign).
    ///
    /// ```
    /// # #[cfg(feature = "aws-lc")] {
    /// use tagwise_crypto::{Backend, ErrorKind, KeyType, Scheme, backends::AwsLc};
    /// let backend = AwsLc::new();
    /// let key = backend.generate(KeyType::MlDsa44)?;
    /// let signature = key.sign_with_context(&Scheme::MlDsa44, b"invoices", b"message")?;
    ///
    /// let public = backend.public_key_from_der(key.public_key_info())?;
    /// public.verify_with_context(&Scheme::MlDsa44, b"invoices", b"message", &signature)?;
    /// let elsewhere = public.verify_with_context(&Scheme::MlDsa44, b"orders", b"message", &signature);
    /// assert_eq!(elsewhere.unwrap_err().kind(), ErrorKind::Signature);
    /// # }
    /// # Ok::<(), tagwise_crypto::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the scheme does not support contexts, [`ErrorKind::Length`] if the context is
    /// too long, [`ErrorKind::NotOffered`] if the backend does not support contexts, or any error from [`sign`](Self::sign).
    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context)?;
        match context {
            [] => self.sign(scheme, message),
            _ => Err(Error::new(ErrorKind::NotOffered, format_args!("{scheme} with a context"))),
        }
    }

    /// Exports the key as unencrypted PKCS #8. An imported key has its original encoding.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the key cannot be exported.
    fn to_pkcs8(&self) -> Result<Secret, Error>;

    /// Exports a post-quantum key as unencrypted PKCS #8, as a seed, an expanded key, or both.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] for other key types, [`ErrorKind::MalformedKey`] if the form requires a seed that the
    /// key does not contain, or [`ErrorKind::NotOffered`] if the key cannot be exported.
    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error>;

    /// Computes the raw shared secret with a peer's public key (ECDH, X25519), without key derivation.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if either key does not support key agreement or the key types differ, or
    /// [`ErrorKind::NotOffered`] if the backend does not support key agreement.
    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error>;

    /// Decapsulates a KEM ciphertext to the shared secret (FIPS 203 §7.3).
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if this is not a KEM key, [`ErrorKind::Length`] if the ciphertext has the wrong
    /// length, or [`ErrorKind::NotOffered`] if the backend does not support the KEM.
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error>;

    /// Decrypts data encrypted to this RSA key (RFC 8017 §7).
    ///
    /// For [`KeyTransport::Pkcs1`], failures must not be revealed to the sender, by message or by timing: see
    /// [`cms::decrypt`](crate::cms::decrypt) for a countermeasure.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if this is not an RSA key, [`ErrorKind::NotOffered`] if the backend does not support
    /// the scheme, or [`ErrorKind::Integrity`] if decryption fails.
    fn decrypt(&self, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
        let _ = ciphertext;
        Err(Error::new(ErrorKind::NotOffered, transport))
    }

    /// Decrypts data encrypted to this RSA key with RSAES-OAEP and a label (RFC 8017 §7.1.2, the parameter L).
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support labels, or any error from
    /// [`decrypt`](Self::decrypt).
    fn decrypt_labeled(&self, oaep: OaepParameters, label: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        let transport = KeyTransport::Oaep(oaep);
        match label {
            [] => self.decrypt(transport, ciphertext),
            _ => Err(Error::new(ErrorKind::NotOffered, format_args!("{transport} with a label"))),
        }
    }
}

/// A public key managed by a backend. It can be shared between threads.
pub trait PublicKey: Debug + Send + Sync {
    /// Returns the type of the key.
    fn key_type(&self) -> KeyType;

    /// Verifies a signature of a message.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Signature`] if the signature is invalid, [`ErrorKind::WrongKey`] if the scheme does not match
    /// the key, or [`ErrorKind::NotOffered`] if the backend does not support the scheme.
    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Verifies a signature of a message with a context: see [`PrivateKey::sign_with_context`].
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the scheme does not support contexts, [`ErrorKind::Length`] if the context is
    /// too long, [`ErrorKind::NotOffered`] if the backend does not support contexts, or any error from
    /// [`verify`](Self::verify).
    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context)?;
        match context {
            [] => self.verify(scheme, message, signature),
            _ => Err(Error::new(ErrorKind::NotOffered, format_args!("{scheme} with a context"))),
        }
    }

    /// Generates a shared secret for the holder of this KEM key (FIPS 203 §7.2), and returns the ciphertext and the secret.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if this is not a KEM key, or [`ErrorKind::NotOffered`] if the backend does not
    /// support the KEM.
    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error>;

    /// Encrypts a short plaintext to the holder of this RSA key (RFC 8017 §7).
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if this is not an RSA key, [`ErrorKind::NotOffered`] if the backend does not support
    /// the scheme, or [`ErrorKind::Length`] if the plaintext is too long.
    fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let _ = plain;
        Err(Error::new(ErrorKind::NotOffered, transport))
    }
}
