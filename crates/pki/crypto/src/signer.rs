//! Signers: a key with a signature scheme, or a callback to a token or service.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_pkix::build::{SigningError, SigningKey, Unsigned};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::{Backend, Error, ErrorKind, PrivateKey, Scheme};

/// A signer: a key with a signature scheme, or a callback.
pub trait Signer: Send + Sync {
    /// Returns the signature scheme.
    fn scheme(&self) -> &Scheme;

    /// Returns the AlgorithmIdentifier of the signature scheme, in DER.
    ///
    /// # Errors
    /// Returns any error from [`Scheme::identifier`].
    fn identifier(&self) -> Result<Cow<'_, [u8]>, Error> {
        self.scheme().identifier().map(Cow::Owned)
    }

    /// Returns the public key, a SubjectPublicKeyInfo in DER.
    fn public_key_info(&self) -> &[u8];

    /// Returns the signing context, or empty if there is none.
    fn context(&self) -> &[u8] {
        &[]
    }

    /// Signs a message, with the context if there is one.
    ///
    /// # Errors
    /// Returns any error from the key or callback.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error>;
}

/// A private key with a signature scheme.
#[derive(Clone, Debug)]
pub struct KeySigner {
    key: Arc<dyn PrivateKey>,
    scheme: Scheme,
    /// The scheme's identifier, if it has one. It is computed once, because each signature is checked against it.
    identifier: Option<Vec<u8>>,
    context: Vec<u8>,
}

impl KeySigner {
    /// Combines a key with a signature scheme.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if the key and scheme do not match, and [`ErrorKind::Legacy`] for SHA-1, which is never
    /// used to sign.
    pub fn new(key: Arc<dyn PrivateKey>, scheme: Scheme) -> Result<Self, Error> {
        if scheme.is_legacy() {
            return Err(Error::new(ErrorKind::Legacy, scheme));
        }
        if !scheme.fits(key.key_type()) {
            return Err(Error::new(ErrorKind::WrongKey, scheme));
        }
        let identifier = scheme.identifier().ok();
        Ok(Self { key, scheme, identifier, context: Vec::new() })
    }

    /// Sets a signing context for protocols that define one: see [`PrivateKey::sign_with_context`]. Certificates,
    /// CRLs, OCSP and CMS do not, and their builders reject such a signer.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the scheme does not support contexts, and [`ErrorKind::Length`] if the context is
    /// longer than 255 bytes.
    pub fn with_context(self, context: &[u8]) -> Result<Self, Error> {
        self.scheme.check_context(context)?;
        Ok(Self { context: context.to_vec(), ..self })
    }

    /// Combines a key with the usual scheme for its type.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if the key type cannot sign.
    pub fn preferred(key: Arc<dyn PrivateKey>) -> Result<Self, Error> {
        let kind = key.key_type();
        let scheme = key.preferred_scheme().ok_or_else(|| Error::new(ErrorKind::WrongKey, kind))?;
        Self::new(key, scheme)
    }

    /// Returns the underlying key.
    #[must_use]
    pub fn key(&self) -> &Arc<dyn PrivateKey> {
        &self.key
    }
}

impl Signer for KeySigner {
    fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    fn identifier(&self) -> Result<Cow<'_, [u8]>, Error> {
        match &self.identifier {
            Some(identifier) => Ok(Cow::Borrowed(identifier)),
            None => self.scheme.identifier().map(Cow::Owned),
        }
    }

    fn public_key_info(&self) -> &[u8] {
        self.key.public_key_info()
    }

    fn context(&self) -> &[u8] {
        &self.context
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.key.sign_with_context(&self.scheme, &self.context, message)
    }
}

/// A signer that calls a function, for keys in a token or key service.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{Backend, CallbackSigner, KeyType, Scheme, Signer, backends::AwsLc};
/// let token = AwsLc::new().generate(KeyType::Ed25519)?;
/// let public = token.public_key_info().to_vec();
/// let signer = CallbackSigner::new(Scheme::Ed25519, public, move |message: &[u8]| token.sign(&Scheme::Ed25519, message))?;
/// assert_eq!(signer.sign(b"message")?.len(), 64);
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
pub struct CallbackSigner<F> {
    scheme: Scheme,
    public: Vec<u8>,
    ask: F,
}

impl<F: Fn(&[u8]) -> Result<Vec<u8>, Error> + Send + Sync> CallbackSigner<F> {
    /// Creates a signer for a scheme and a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the public key is malformed, and [`ErrorKind::WrongKey`] if it does not match the
    /// scheme.
    pub fn new(scheme: Scheme, public: Vec<u8>, ask: F) -> Result<Self, Error> {
        let info = SubjectPublicKeyInfo::from_der(&public)
            .map_err(|error| Error::new(ErrorKind::MalformedKey, "public").because(error))?;
        if !scheme.fits(crate::KeyType::of(&info)?) {
            return Err(Error::new(ErrorKind::WrongKey, scheme));
        }
        Ok(Self { scheme, public, ask })
    }
}

impl<F: Fn(&[u8]) -> Result<Vec<u8>, Error> + Send + Sync> Signer for CallbackSigner<F> {
    fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        (self.ask)(message)
    }
}

impl<F> fmt::Debug for CallbackSigner<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallbackSigner").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

macro_rules! signing_key {
    ($([$($parameters:tt)*] $ty:ty),*) => {$(
        impl $($parameters)* SigningKey for $ty {
            fn signature_algorithm(&self) -> Result<Cow<'_, [u8]>, SigningError> {
                Ok(Signer::identifier(self)?)
            }

            fn subject_public_key_info(&self) -> &[u8] {
                Signer::public_key_info(self)
            }

            fn sign_message(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
                if !Signer::context(self).is_empty() {
                    // As in `sign`: no verifier would accept it.
                    return Err(Error::new(ErrorKind::Parameters, format_args!("{} with a context", self.scheme())).into());
                }
                Ok(Signer::sign(self, message)?)
            }
        }
    )*};
}

// What the builders of tagwise-pkix sign with.
signing_key!(
    [] KeySigner,
    [<F: Fn(&[u8]) -> Result<Vec<u8>, Error> + Send + Sync>] CallbackSigner<F>,
    [] dyn Signer + '_
);

/// Signs a built value, and returns the complete certificate, request or CRL.
///
/// # Errors
/// Returns [`ErrorKind::Mismatch`] if the value names an algorithm that differs from the signer's,
/// [`ErrorKind::Parameters`] if the signer has a context, or the signer's error.
pub fn sign(unsigned: &Unsigned, signer: &dyn Signer) -> Result<Vec<u8>, Error> {
    without_context(signer)?;
    if unsigned.algorithm() != &*signer.identifier()? {
        return Err(Error::new(ErrorKind::Mismatch, signer.scheme()));
    }
    let signature = signer.sign(unsigned.tbs())?;
    unsigned.attach(&signature).map_err(|error| Error::new(ErrorKind::Failed, signer.scheme()).because(error))
}

/// Checks that a signer has no context, because no verifier would accept its signatures (RFC 9881 §3, RFC 9882 §3, RFC
/// 9909 §3, RFC 9814 §3).
pub(crate) fn without_context(signer: &dyn Signer) -> Result<(), Error> {
    match signer.context() {
        [] => Ok(()),
        _ => Err(Error::new(ErrorKind::Parameters, format_args!("{} with a context", signer.scheme()))),
    }
}

/// Verifies a signature with a key, given the signed bytes, the algorithm identifier and the signature.
///
/// To verify many signatures by the same key, import the key once with [`Backend::public_key`].
///
/// # Errors
/// Returns [`ErrorKind::Signature`] if the signature is invalid, [`ErrorKind::Legacy`] for RSA keys below 2,048 bits, or
/// any error from [`Scheme::of`] and [`Backend::public_key`].
pub fn verify(
    backend: &dyn Backend,
    key: &SubjectPublicKeyInfo<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    verify_weak(backend, Weaknesses::NONE, key, algorithm, message, signature)
}

/// The weaknesses that [`verify_weak`] accepts in old signatures, each separately.
///
/// ```
/// use tagwise_crypto::Weaknesses;
/// let digests = Weaknesses { digests: true, ..Weaknesses::NONE };
/// assert!(!digests.keys && Weaknesses::ALL.keys);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weaknesses {
    /// True if SHA-1 is accepted.
    pub digests: bool,
    /// True if keys with less than 112 bits of security ([`KeyType::is_legacy`](crate::KeyType::is_legacy)) are accepted and, with
    /// the feature `dsa`, DSA keys.
    pub keys: bool,
}

impl Weaknesses {
    /// No weakness.
    pub const NONE: Self = Self { digests: false, keys: false };
    /// All weaknesses.
    pub const ALL: Self = Self { digests: true, keys: true };
}

/// Verifies an old signature like [`verify`], but also accepts SHA-1, RSA keys below 2,048 bits and, with the feature
/// `dsa`, DSA. Use it only for archives, and only if the risk is acceptable: SHA-1 collisions are practical (RFC 6194).
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_codec::Decode;
/// use tagwise_crypto::{Backend, ErrorKind, KeyType, backends::AwsLc, verify, verify_legacy};
/// use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};
/// let backend = AwsLc::new();
/// let private = backend.generate(KeyType::P256)?;
/// let key = SubjectPublicKeyInfo::from_der(private.public_key_info())?;
/// let old = AlgorithmIdentifier { algorithm: oids::ECDSA_WITH_SHA1, parameters: None };
/// assert_eq!(verify(&backend, &key, &old, b"said", b"").unwrap_err().kind(), ErrorKind::Legacy);
/// assert_eq!(verify_legacy(&backend, &key, &old, b"said", b"").unwrap_err().kind(), ErrorKind::Signature);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Signature`] if the signature is invalid, or any error from [`Scheme::of_legacy`] and
/// [`Backend::public_key`].
pub fn verify_legacy(
    backend: &dyn Backend,
    key: &SubjectPublicKeyInfo<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    verify_weak(backend, Weaknesses::ALL, key, algorithm, message, signature)
}

/// Verifies a signature like [`verify`], but also accepts the given weaknesses.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_codec::Decode;
/// use tagwise_crypto::{Backend, ErrorKind, KeyType, Weaknesses, backends::AwsLc, verify_weak};
/// use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};
/// let backend = AwsLc::new();
/// let private = backend.generate(KeyType::P256)?;
/// let key = SubjectPublicKeyInfo::from_der(private.public_key_info())?;
/// let old = AlgorithmIdentifier { algorithm: oids::ECDSA_WITH_SHA1, parameters: None };
/// let keys = Weaknesses { keys: true, ..Weaknesses::NONE };
/// assert_eq!(verify_weak(&backend, keys, &key, &old, b"said", b"").unwrap_err().kind(), ErrorKind::Legacy);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Signature`] if the signature is invalid, [`ErrorKind::Legacy`] for a weakness that is not accepted, or
/// any error from [`Scheme::of_legacy`] and [`Backend::public_key`].
pub fn verify_weak(
    backend: &dyn Backend,
    accepted: Weaknesses,
    key: &SubjectPublicKeyInfo<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    // A disabled algorithm is known, unlike one that is not implemented.
    #[cfg(feature = "dsa")]
    if let Some(digest) = crate::dsa::digest(algorithm) {
        let is_weak = digest == crate::Digest::Sha1 && !accepted.digests;
        return match !accepted.keys || is_weak {
            true => Err(Error::new(ErrorKind::Legacy, if accepted.keys { "DSA-SHA1" } else { "DSA" })),
            false => crate::dsa::verify(backend, digest, key, algorithm, message, signature),
        };
    }
    let scheme = if accepted.digests { Scheme::of_legacy(algorithm)? } else { Scheme::of(algorithm)? };
    verify_scheme(backend, key, &scheme, message, signature, accepted.keys)
}

/// Verifies a signature with a known scheme. Legacy keys are accepted only if `weak_keys` is set.
pub(crate) fn verify_scheme(
    backend: &dyn Backend,
    key: &SubjectPublicKeyInfo<'_>,
    scheme: &Scheme,
    message: &[u8],
    signature: &[u8],
    weak_keys: bool,
) -> Result<(), Error> {
    // RFC 4055 §3.3: parameters of an RSASSA-PSS key bind its signatures.
    if key.algorithm.algorithm == tagwise_pkix::oids::RSASSA_PSS {
        let bound = key.algorithm.parameters.map(|_| Scheme::of_legacy(&key.algorithm)).transpose()?;
        let fits = matches!((*scheme, bound), (Scheme::RsaPss(_), None))
            || matches!((*scheme, bound), (Scheme::RsaPss(one), Some(Scheme::RsaPss(least)))
                if one.satisfies(&least));
        if !fits {
            return Err(Error::new(ErrorKind::WrongKey, scheme));
        }
    }
    let key = backend.public_key(key)?;
    if !weak_keys && key.key_type().is_legacy() {
        return Err(Error::new(ErrorKind::Legacy, key.key_type()));
    }
    key.verify(scheme, message, signature)
}
