//! AWS-LC, the embedded backend, which requires only a C compiler. Rust crates provide what AWS-LC does not support:
//! `slh-dsa` for SLH-DSA, `ed448-goldilocks` for Ed448 and X448, and `sha3` for SHAKE.
//!
//! It does not support RSA below 512 or above 16,384 bits, or SHAKE in RSA signatures. RSA keys below 2,048 bits verify
//! and decrypt but do not sign. Curves that AWS-LC does not name are built from their parameters.

mod agreement;
mod algorithms;
mod curves;
mod ec;
mod primitives;
mod private;
mod public;
mod raw;
mod rsa;
mod shake;

use core::fmt::Display;
use std::sync::Arc;

use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::signature::{EcdsaKeyPair, Ed25519KeyPair, PqdsaKeyPair};
use aws_lc_rs::{encoding::AsDer, rsa as signing};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::private_key::curve_private_key;

use crate::backends::shared;
use crate::backends::shared::restrict;
use crate::ed448;
use crate::private::Material;
use crate::slh_dsa::embedded;
use crate::{
    Backend, Composite, CompositeKem, Error, ErrorKind, KeyTransport, KeyType, PostQuantumForm, PrivateKey,
    PrivateKeyInfo, PublicKey, Scheme, Secret, Seeded,
};

/// The backend's name in error messages.
const NAME: &str = "aws-lc";

/// The AWS-LC backend.
///
/// ```
/// use tagwise_crypto::{Backend, KeyType, Scheme, backends::AwsLc};
/// let backend = AwsLc::new();
/// assert!(backend.signs(&Scheme::MlDsa65, KeyType::MlDsa65));
/// assert!(!backend.generates(KeyType::Rsa(1024)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AwsLc(());

impl AwsLc {
    /// Creates the backend, which is stateless.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

/// Creates an error from this backend.
fn failed(kind: ErrorKind, what: impl Display) -> Error {
    Error::new(kind, what).by(NAME)
}

/// Creates an error from [`Unspecified`], which contains no information.
fn silent(kind: ErrorKind, what: impl Display + Copy) -> impl Fn(Unspecified) -> Error + Copy {
    move |Unspecified| failed(kind, what)
}

/// Creates an error for a rejected key, with the reason.
fn rejected(key: KeyType) -> impl Fn(KeyRejected) -> Error + Copy {
    move |why| failed(ErrorKind::MalformedKey, key).because(why.to_string())
}

impl Backend for AwsLc {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> String {
        format!("AWS-LC {}", aws_lc_rs::awslc_version())
    }

    fn signs(&self, scheme: &Scheme, key: KeyType) -> bool {
        match key {
            KeyType::SlhDsa(_) => scheme.fits(key),
            KeyType::CompositeMlDsa(set) => scheme.fits(key) && COMPOSITE.signs(set),
            _ => size_taken(key) && algorithms::signs(scheme, key),
        }
    }

    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool {
        match key {
            KeyType::SlhDsa(_) => scheme.fits(key),
            KeyType::CompositeMlDsa(set) => scheme.fits(key) && COMPOSITE.verifies(set),
            _ => size_taken(key) && algorithms::verifies(scheme, key),
        }
    }

    fn takes_contexts(&self, scheme: &Scheme) -> bool {
        scheme.takes_context()
    }

    fn transports(&self, transport: KeyTransport) -> bool {
        rsa::transports(transport)
    }

    fn generates(&self, key: KeyType) -> bool {
        match key {
            KeyType::Rsa(bits) => matches!(bits, 2048 | 3072 | 4096 | 8192),
            KeyType::CompositeMlDsa(set) => COMPOSITE.generates(set),
            KeyType::CompositeMlKem(set) => COMPOSITE_KEM.offers(set),
            _ => !key.is_legacy(),
        }
    }

    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
        if !self.generates(key) {
            return Err(failed(ErrorKind::NotOffered, key));
        }
        match key {
            KeyType::CompositeMlDsa(set) => COMPOSITE.generate(set),
            KeyType::CompositeMlKem(set) => COMPOSITE_KEM.generate(set),
            _ => self.private_key(&fresh(key)?),
        }
    }

    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        match info.key_type() {
            KeyType::SlhDsa(set) => embedded::private(set, info, NAME, random),
            KeyType::Ed448 | KeyType::X448 => ed448::private(info, NAME),
            KeyType::CompositeMlDsa(_) => COMPOSITE.private_key(info),
            KeyType::CompositeMlKem(_) => COMPOSITE_KEM.private_key(info),
            _ => restrict(private::load(info)?, info),
        }
    }

    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        match KeyType::of(info).map_err(|error| error.by(NAME))? {
            KeyType::SlhDsa(set) => embedded::public(set, info, NAME),
            key @ (KeyType::Ed448 | KeyType::X448) => ed448::public(key, info, NAME),
            KeyType::CompositeMlDsa(_) => COMPOSITE.public_key(info),
            KeyType::CompositeMlKem(_) => COMPOSITE_KEM.public_key(info),
            _ => public::load(info),
        }
    }
}

/// Composite algorithms, with both components from this backend.
static COMPOSITE: Composite<'static> = Composite::new(&AwsLc::new(), &AwsLc::new());

static COMPOSITE_KEM: CompositeKem = CompositeKem::new(&AwsLc::new(), &AwsLc::new());

fn random(octets: &mut [u8]) -> Result<(), Error> {
    aws_lc_rs::rand::fill(octets).map_err(silent(ErrorKind::Failed, "random bytes"))
}

/// Returns whether the backend supports this size, if it is an RSA key.
const fn size_taken(key: KeyType) -> bool {
    !matches!(key, KeyType::Rsa(..512 | 16385..))
}

/// Returns whether aws-lc-rs, rather than only AWS-LC itself, supports this size, if it is an RSA key.
const fn is_customary(key: KeyType) -> bool {
    !matches!(key, KeyType::Rsa(..2048 | 8193..))
}

/// Generates a key as PKCS #8.
fn fresh(key: KeyType) -> Result<PrivateKeyInfo, Error> {
    let unspecified = silent(ErrorKind::Failed, key);
    let size = match key {
        KeyType::Rsa(2048) => signing::KeySize::Rsa2048,
        KeyType::Rsa(3072) => signing::KeySize::Rsa3072,
        KeyType::Rsa(8192) => signing::KeySize::Rsa8192,
        _ => signing::KeySize::Rsa4096,
    };
    let pkcs8 = match key {
        KeyType::Rsa(_) => {
            let pair = signing::KeyPair::generate(size).map_err(unspecified)?;
            Secret::from(pair.as_der().map_err(unspecified)?.as_ref())
        }
        KeyType::P256 | KeyType::P384 | KeyType::P521 => {
            let algorithm = algorithms::ecdsa(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?;
            let pair = EcdsaKeyPair::generate(algorithm).map_err(unspecified)?;
            Secret::from(pair.to_pkcs8v1().map_err(unspecified)?.as_ref())
        }
        KeyType::Ed25519 => {
            let pair = Ed25519KeyPair::generate().map_err(unspecified)?;
            Secret::from(pair.to_pkcs8v1().map_err(unspecified)?.as_ref())
        }
        KeyType::X25519 => {
            let mut octets = Secret::zeroed(32);
            aws_lc_rs::rand::fill(octets.expose_mut()).map_err(silent(ErrorKind::Failed, key))?;
            return PrivateKeyInfo::converted(curve_private_key(key.identifiers().0, octets.expose()), "X25519");
        }
        KeyType::MlDsa44 | KeyType::MlDsa65 | KeyType::MlDsa87 => {
            let algorithm = algorithms::ml_dsa(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?;
            let pair = PqdsaKeyPair::generate(algorithm).map_err(unspecified)?;
            Secret::from(pair.to_pkcs8v1().map_err(unspecified)?.as_ref())
        }
        KeyType::MlKem512 | KeyType::MlKem768 | KeyType::MlKem1024 => {
            // FIPS 203 §7.1: d and z are random; RFC 9935 §6 recommends to keep them.
            let mut seed = Secret::zeroed(64);
            aws_lc_rs::rand::fill(seed.expose_mut()).map_err(unspecified)?;
            Seeded { seed: Some(seed), expanded: None }.to_pkcs8(key, PostQuantumForm::Seed)?
        }
        KeyType::SlhDsa(set) => return embedded::generate(set, random),
        KeyType::Curve(_) => {
            let scalar = ec::Key::generate(key).ok_or_else(|| failed(ErrorKind::Failed, key))?;
            let sec1 = shared::curve_info(key, scalar.expose())?;
            return PrivateKeyInfo::from_pkcs8(sec1.expose());
        }
        KeyType::Ed448 | KeyType::X448 => return ed448::generate(key, random),
        KeyType::CompositeMlDsa(_) | KeyType::CompositeMlKem(_) => {
            return Err(failed(ErrorKind::NotOffered, key));
        }
    };
    PrivateKeyInfo::from_pkcs8(pkcs8.expose())
}

/// Returns the seed and expanded key of a post-quantum key.
fn seeded(info: &PrivateKeyInfo) -> Result<&Seeded, Error> {
    match info.material() {
        Material::Seeded(seeded) => Ok(seeded),
        _ => Err(failed(ErrorKind::WrongKey, info.key_type())),
    }
}
