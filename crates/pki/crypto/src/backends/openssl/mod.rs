//! OpenSSL 3.0 or later, from the system or vendored, through the crate `openssl`.
//!
//! Support depends on the library's version, configuration and providers, so each key type and digest is tested once.
//! ML-DSA, ML-KEM and SLH-DSA require 3.5. Never supported: RSA below 1,024 or above 16,384 bits, and RSA with more
//! than two primes.

mod algorithms;
mod primitives;
mod private;
mod public;
mod raw;
mod rsa;
mod transport;

use core::fmt::Display;
use std::sync::Arc;

use openssl::error::ErrorStack;
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::backends::shared::restrict;
use crate::{
    Backend, Composite, CompositeKem, Error, ErrorKind, KeyTransport, KeyType, PrivateKey, PrivateKeyInfo, PublicKey,
    Scheme,
};

/// The OpenSSL backend.
///
/// ```
/// use tagwise_crypto::{Backend, Digest, KeyType, Scheme, backends::OpenSsl};
/// let backend = OpenSsl::new();
/// assert!(backend.version().starts_with("OpenSSL 3") || backend.version().starts_with("OpenSSL 4"));
/// let key = backend.generate(KeyType::P256)?;
/// assert!(key.sign(&Scheme::Ecdsa(Digest::Sha256), b"message").is_ok());
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenSsl(());

impl OpenSsl {
    /// Creates the backend, which is stateless.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

/// Returns the library's name and version at run time, such as `OpenSSL 3.0.19`.
fn label() -> &'static str {
    let text = openssl::version::version();
    let end = text.match_indices(' ').nth(1).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// Creates an error from this backend.
fn failed(kind: ErrorKind, what: impl Display) -> Error {
    Error::new(kind, what).by(label())
}

/// Creates an error from this backend, with the library's error.
fn because(kind: ErrorKind, what: impl Display + Copy) -> impl Fn(ErrorStack) -> Error + Copy {
    move |stack| match stack.errors() {
        [] => failed(kind, what),
        _ => failed(kind, what).because(stack),
    }
}

impl Backend for OpenSsl {
    fn name(&self) -> &'static str {
        "openssl"
    }

    fn version(&self) -> String {
        label().to_owned()
    }

    fn signs(&self, scheme: &Scheme, key: KeyType) -> bool {
        match key {
            KeyType::CompositeMlDsa(set) => scheme.fits(key) && COMPOSITE.signs(set),
            _ => algorithms::signs(scheme, key),
        }
    }

    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool {
        match key {
            KeyType::CompositeMlDsa(set) => scheme.fits(key) && COMPOSITE.verifies(set),
            _ => algorithms::verifies(scheme, key),
        }
    }

    fn takes_contexts(&self, scheme: &Scheme) -> bool {
        if let Scheme::Composite(set) = scheme {
            return COMPOSITE.verifies(*set);
        }
        scheme.takes_context() && KeyType::ALL.iter().copied().any(|key| scheme.fits(key) && algorithms::offers(key))
    }

    fn transports(&self, transport: KeyTransport) -> bool {
        transport::offers(transport)
    }

    fn generates(&self, key: KeyType) -> bool {
        match key {
            KeyType::CompositeMlDsa(set) => COMPOSITE.generates(set),
            KeyType::CompositeMlKem(set) => COMPOSITE_KEM.offers(set),
            // SP 800-131A §3: no new keys below 112 bits of strength.
            _ => algorithms::offers(key) && !key.is_legacy(),
        }
    }

    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
        if !self.generates(key) {
            return Err(failed(ErrorKind::NotOffered, key));
        }
        match key {
            KeyType::CompositeMlDsa(set) => COMPOSITE.generate(set),
            KeyType::CompositeMlKem(set) => COMPOSITE_KEM.generate(set),
            _ => private::generate(key),
        }
    }

    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        match info.key_type() {
            KeyType::CompositeMlDsa(_) => COMPOSITE.private_key(info),
            KeyType::CompositeMlKem(_) => COMPOSITE_KEM.private_key(info),
            _ => restrict(private::load(info)?, info),
        }
    }

    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        match KeyType::of(info).map_err(|error| error.by(label()))? {
            KeyType::CompositeMlDsa(_) => COMPOSITE.public_key(info),
            KeyType::CompositeMlKem(_) => COMPOSITE_KEM.public_key(info),
            _ => public::load(info),
        }
    }
}

/// Composite algorithms, with both components from this backend.
static COMPOSITE: Composite<'static> = Composite::new(&OpenSsl::new(), &OpenSsl::new());

static COMPOSITE_KEM: CompositeKem = CompositeKem::new(&OpenSsl::new(), &OpenSsl::new());
