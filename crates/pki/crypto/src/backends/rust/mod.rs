//! Verification in Rust alone, for targets without a C compiler, such as WebAssembly.
//!
//! It verifies signatures, computes digests and MACs, and decrypts what a password protects with AES in CBC mode. It does not sign,
//! generate keys or encrypt, so it needs no random numbers. It does not support RSA below 512 or above 16,384 bits, SHAKE in RSA
//! signatures, or curves other than P-256, P-384, P-521, secp256k1, brainpoolP256 and brainpoolP384.
//!
//! With the feature `rust-common` alone, it only supports RSA, P-256, P-384 and Ed25519, and no passwords.

mod by_password;
mod hash;
mod public;
mod rsa;

use core::fmt::Display;
use std::sync::Arc;

use tagwise_pkix::SubjectPublicKeyInfo;

use crate::{
    Backend, Cipher, Composite, Digest, Error, ErrorKind, Hasher, KeyType, Primitives, PrivateKey, PrivateKeyInfo,
    PublicKey, Scheme, Secret, Wrap, ed448, slh_dsa::embedded,
};

/// The backend's name in error messages.
const NAME: &str = "rust";

/// True if the rarer algorithms and passwords are supported.
/// it makes unreachable.
const COMPLETE: bool = cfg!(feature = "rust");

/// The backend that verifies signatures in Rust alone. [`all`](super::all) doesn't contain it, because it can't sign.
///
/// ```
/// use tagwise_crypto::{Backend, Digest, KeyType, Scheme, backends::PureRust};
/// let backend = PureRust::new();
/// assert!(backend.verifies(&Scheme::Ecdsa(Digest::Sha256), KeyType::P256));
/// assert!(!backend.signs(&Scheme::Ecdsa(Digest::Sha256), KeyType::P256));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PureRust(());

impl PureRust {
    /// Creates the backend, which is stateless.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

/// Composite signatures, with both components from this backend.
static COMPOSITE: Composite<'static> = Composite::new(&PureRust::new(), &PureRust::new());

/// Creates an error from this backend.
fn failed(kind: ErrorKind, what: impl Display) -> Error {
    Error::new(kind, what).by(NAME)
}

/// Creates the error for an operation that this backend does not support.
fn secret<T>(what: impl Display) -> Result<T, Error> {
    Err(failed(ErrorKind::NotOffered, what))
}

impl Backend for PureRust {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> String {
        concat!("Rust ", env!("CARGO_PKG_VERSION")).to_owned()
    }

    fn signs(&self, _: &Scheme, _: KeyType) -> bool {
        false
    }

    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool {
        match key {
            KeyType::SlhDsa(_) | KeyType::Ed448 => COMPLETE && scheme.fits(key),
            KeyType::CompositeMlDsa(set) => COMPLETE && scheme.fits(key) && COMPOSITE.verifies(set),
            _ => public::verifies(scheme, key),
        }
    }

    fn takes_contexts(&self, scheme: &Scheme) -> bool {
        scheme.takes_context()
    }

    fn generates(&self, _: KeyType) -> bool {
        false
    }

    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
        secret(key)
    }

    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        secret(info.key_type())
    }

    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        match KeyType::of(info).map_err(|error| error.by(NAME))? {
            KeyType::SlhDsa(set) if COMPLETE => embedded::public(set, info, NAME),
            key @ KeyType::Ed448 if COMPLETE => ed448::public(key, info, NAME),
            KeyType::CompositeMlDsa(_) if COMPLETE => COMPOSITE.public_key(info),
            key => public::load(key, info),
        }
    }
}

impl Primitives for PureRust {
    fn random(&self, _: &mut [u8]) -> Result<(), Error> {
        secret("random bytes")
    }

    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error> {
        Ok(hash::hasher(digest))
    }

    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
        if COMPLETE { by_password::hmac(digest, key) } else { secret(format_args!("HMAC with {digest}")) }
    }

    fn pbkdf2(
        &self,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error> {
        match COMPLETE {
            true => by_password::pbkdf2(digest, password, salt, iterations, key),
            false => secret(format_args!("PBKDF2 with {digest}")),
        }
    }

    fn hkdf(&self, digest: Digest, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<(), Error> {
        secret(format_args!("HKDF with {digest}"))
    }

    fn encrypt(&self, cipher: Cipher, _: &[u8], _: &[u8], _: &[u8], _: &[u8]) -> Result<Vec<u8>, Error> {
        secret(cipher)
    }

    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error> {
        if COMPLETE { by_password::decrypt(cipher, key, iv, associated, ciphertext) } else { secret(cipher) }
    }

    fn wrap(&self, wrap: Wrap, _: &[u8], _: &[u8]) -> Result<Vec<u8>, Error> {
        secret(wrap)
    }

    fn unwrap(&self, wrap: Wrap, _: &[u8], _: &[u8]) -> Result<Secret, Error> {
        secret(wrap)
    }
}
