//! Backends and the keys they make, as traits.

use std::fmt::Debug;
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::{
    Error, ErrorKind, KeyTransport, KeyType, OaepParameters, PostQuantumForm, Primitives, PrivateKeyInfo, Scheme,
    Secret,
};

/// A library or a token that does the cryptography.
///
/// What one offers is found at run time: [`signs`](Self::signs), [`verifies`](Self::verifies) and
/// [`generates`](Self::generates) say it, and what is asked for nevertheless ends in [`ErrorKind::NotOffered`].
pub trait Backend: Primitives + Debug + Send + Sync {
    /// The name: `aws-lc`.
    fn name(&self) -> &'static str;

    /// The version of the library behind it.
    fn version(&self) -> String;

    /// Returns whether it signs with such keys by this scheme.
    fn signs(&self, scheme: &Scheme, key: KeyType) -> bool;

    /// Returns whether it verifies signatures of this scheme by such keys.
    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool;

    /// Returns whether it signs and verifies by this scheme with contexts that are not empty; see
    /// [`PrivateKey::sign_with_context`].
    fn takes_contexts(&self, scheme: &Scheme) -> bool {
        let _ = scheme;
        false
    }

    /// Returns whether it encrypts and decrypts with RSA keys in this manner; see [`PublicKey::encrypt`].
    fn transports(&self, transport: KeyTransport) -> bool {
        let _ = transport;
        false
    }

    /// Returns whether it makes keys of this kind.
    fn generates(&self, key: KeyType) -> bool;

    /// A new key.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`], [`ErrorKind::KeySize`], [`ErrorKind::Failed`].
    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error>;

    /// A private key that was read. Its forms and its public half, where there is more than one, have to agree.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`], [`ErrorKind::MalformedKey`], [`ErrorKind::Inconsistent`], [`ErrorKind::KeySize`].
    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error>;

    /// A public key, parsed once for many verifications.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`], [`ErrorKind::NotOffered`], [`ErrorKind::MalformedKey`], [`ErrorKind::KeySize`].
    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error>;

    /// The same from the DER of a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Those of [`public_key`](Self::public_key); [`ErrorKind::MalformedKey`] if it is not DER.
    fn public_key_from_der(&self, info: &[u8]) -> Result<Arc<dyn PublicKey>, Error> {
        let info = SubjectPublicKeyInfo::from_der(info)
            .map_err(|error| Error::new(ErrorKind::MalformedKey, "public").by(self.name()).because(error))?;
        self.public_key(&info)
    }

    /// The same from PKCS #8 (RFC 5958), not encrypted.
    ///
    /// # Errors
    /// Those of [`private_key`](Self::private_key) and of [`PrivateKeyInfo::from_pkcs8`].
    fn private_key_from_pkcs8(&self, der: &[u8]) -> Result<Arc<dyn PrivateKey>, Error> {
        self.private_key(&PrivateKeyInfo::from_pkcs8(der)?)
    }
}

/// A private key that a backend holds. `Debug` shows its kind alone.
pub trait PrivateKey: Debug + Send + Sync {
    /// Kind of the key.
    fn key_type(&self) -> KeyType;

    /// Its public half, a SubjectPublicKeyInfo in DER.
    fn public_key_info(&self) -> &[u8];

    /// A signature of a message, as certificates hold it: for ECDSA the SEQUENCE of two INTEGERs.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`], [`ErrorKind::NotOffered`], [`ErrorKind::Failed`].
    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error>;

    /// A signature of a message in a context, which is signed along: at most 255 octets (FIPS 204 §5.2, FIPS 205 §10.2). An empty
    /// context is none, and what [`sign`](Self::sign) has; certificates and messages have no other.
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
    /// Those of [`sign`](Self::sign); [`ErrorKind::Parameters`] if the scheme has no contexts, [`ErrorKind::Length`] if this one is
    /// too long, [`ErrorKind::NotOffered`] if the backend has none.
    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context)?;
        match context {
            [] => self.sign(scheme, message),
            _ => Err(Error::new(ErrorKind::NotOffered, format_args!("{scheme} with a context"))),
        }
    }

    /// The key as PKCS #8, not encrypted: as it was read, or of a new key as the backend writes it.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`] where the key does not leave what holds it.
    fn to_pkcs8(&self) -> Result<Secret, Error>;

    /// A post-quantum key as PKCS #8 in this form, not encrypted.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] for other keys; [`ErrorKind::MalformedKey`] where the form is not there: no key gives its seed
    /// back. [`ErrorKind::NotOffered`] where the key does not leave what holds it.
    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error>;

    /// The shared secret with somebody's public key (ECDH, X25519), without any derivation.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] if either is not for agreement, or they are of two kinds; [`ErrorKind::NotOffered`].
    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error>;

    /// The shared secret that somebody encapsulated to this key (FIPS 203 §7.3).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] if it is no KEM's; [`ErrorKind::Length`], [`ErrorKind::NotOffered`].
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error>;

    /// Decrypts what was encrypted to this RSA key (RFC 8017 §7).
    ///
    /// Of [`KeyTransport::Pkcs1`] a failure must not be told to whoever sent the message, by word or by time: see
    /// [`cms::decrypt`](crate::cms::decrypt) for what to do in its place.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] if it is no RSA key; [`ErrorKind::NotOffered`]; [`ErrorKind::Integrity`].
    fn decrypt(&self, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
        let _ = ciphertext;
        Err(Error::new(ErrorKind::NotOffered, transport))
    }

    /// Decrypts what was encrypted to this RSA key with RSAES-OAEP under a label (RFC 8017 §7.1.2, the parameter L).
    ///
    /// # Errors
    /// Those of [`decrypt`](Self::decrypt); [`ErrorKind::NotOffered`] if the backend does not support labels.
    fn decrypt_labeled(&self, oaep: OaepParameters, label: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        let transport = KeyTransport::Oaep(oaep);
        match label {
            [] => self.decrypt(transport, ciphertext),
            _ => Err(Error::new(ErrorKind::NotOffered, format_args!("{transport} with a label"))),
        }
    }
}

/// A public key that a backend has parsed; shared between threads.
pub trait PublicKey: Debug + Send + Sync {
    /// Kind of the key.
    fn key_type(&self) -> KeyType;

    /// Verifies that a signature is of this message by this key.
    ///
    /// # Errors
    /// [`ErrorKind::Signature`] if it is not; [`ErrorKind::WrongKey`], [`ErrorKind::NotOffered`].
    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Verifies that a signature is of this message in this context by this key: see [`PrivateKey::sign_with_context`].
    ///
    /// # Errors
    /// Those of [`verify`](Self::verify); [`ErrorKind::Parameters`] if the scheme has no contexts, [`ErrorKind::Length`] if this one
    /// is too long, [`ErrorKind::NotOffered`] if the backend has none.
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

    /// A fresh secret and what carries it to the holder of the key (FIPS 203 §7.2): ciphertext, then secret.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] if it is no KEM's; [`ErrorKind::NotOffered`].
    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error>;

    /// Encrypts something short to the holder of this RSA key (RFC 8017 §7).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] if it is no RSA key; [`ErrorKind::NotOffered`]; [`ErrorKind::Length`].
    fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let _ = plain;
        Err(Error::new(ErrorKind::NotOffered, transport))
    }
}
