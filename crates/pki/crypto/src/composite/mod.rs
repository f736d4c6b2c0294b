//! Composite ML-DSA (draft-ietf-lamps-pq-composite-sigs-19): a combined signature of ML-DSA and a traditional
//! algorithm. It is built on top of the backends, so each component may come from a different one. A set is supported
//! if both components are.
//!
//! The identifiers are assigned by IANA: 1.3.6.1.5.5.7.6.37 to .54. Earlier drafts had other identifiers and formats.
//! The two sets with Brainpool curves are recognized by name, but not supported.

mod half;
mod kem;
mod key;
mod set;

use std::sync::Arc;

pub use kem::{CompositeKem, CompositeMlKem};
pub use set::CompositeMlDsa;
use tagwise_pkix::{SubjectPublicKeyInfo, private_key};

use crate::backends::shared;
use crate::private::Material;
use crate::{
    Backend, Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Scheme, Secret, Seeded,
};

/// The length of an ML-DSA seed in bytes. It is the first part of a private key.
const SEED: usize = 32;

/// Combines two backends to support composite algorithms. This is not needed if one backend supports both components,
/// because it then also supports composite keys itself.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{Composite, CompositeMlDsa, Scheme, backends::AwsLc};
/// let backend = AwsLc::new();
/// // The halves may be of two backends: ECDSA in a token, and ML-DSA beside it.
/// let composite = Composite::new(&backend, &backend);
/// let set = CompositeMlDsa::MlDsa44EcdsaP256Sha256;
/// let key = composite.generate(set)?;
/// let signature = key.sign(&Scheme::Composite(set), b"message")?;
/// # use tagwise_codec::Decode;
/// let info = tagwise_pkix::SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
/// composite.public_key(&info)?.verify(&Scheme::Composite(set), b"message", &signature)?;
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Composite<'a> {
    post_quantum: &'a dyn Backend,
    traditional: &'a dyn Backend,
}

impl<'a> Composite<'a> {
    /// Combines a backend for ML-DSA with one for the traditional component.
    #[must_use]
    pub const fn new(post_quantum: &'a dyn Backend, traditional: &'a dyn Backend) -> Self {
        Self { post_quantum, traditional }
    }

    /// Returns whether both backends support signing and verifying with this set.
    #[must_use]
    pub fn signs(&self, set: CompositeMlDsa) -> bool {
        self.both(set, |backend, scheme, key| backend.signs(scheme, key))
    }

    /// Returns whether both backends support verifying with this set.
    #[must_use]
    pub fn verifies(&self, set: CompositeMlDsa) -> bool {
        self.both(set, |backend, scheme, key| backend.verifies(scheme, key))
    }

    /// Returns whether both backends can generate keys for this set.
    #[must_use]
    pub fn generates(&self, set: CompositeMlDsa) -> bool {
        self.signs(set) && self.both(set, |backend, _, key| backend.generates(key))
    }

    fn both(&self, set: CompositeMlDsa, does: impl Fn(&dyn Backend, &Scheme, KeyType) -> bool) -> bool {
        let ((key, scheme), (other, with)) = (set.post_quantum(), set.traditional());
        // The label is signed as a context.
        self.post_quantum.takes_contexts(&scheme)
            && does(self.post_quantum, &scheme, key)
            && does(self.traditional, &with, other)
    }

    fn offered(&self, set: CompositeMlDsa, offered: bool) -> Result<(), Error> {
        match offered {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::NotOffered, set).by(self.label(set))),
        }
    }

    /// Returns the name of the backend that does not support its component, or of the first one.
    fn label(&self, set: CompositeMlDsa) -> &'static str {
        let (key, scheme) = set.post_quantum();
        if self.post_quantum.verifies(&scheme, key) { self.traditional.name() } else { self.post_quantum.name() }
    }

    /// Generates a key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, or [`ErrorKind::Failed`] if generation fails.
    pub fn generate(&self, set: CompositeMlDsa) -> Result<Arc<dyn PrivateKey>, Error> {
        self.offered(set, self.generates(set))?;
        let failed = || Error::new(ErrorKind::Failed, set);
        let (one, other) =
            (self.post_quantum.generate(set.post_quantum().0)?, self.traditional.generate(set.traditional().0)?);
        let seed = half::seed_of(&*one)?;
        let part = half::part_of(&PrivateKeyInfo::from_pkcs8(other.to_pkcs8()?.expose())?)?;
        let octets = Secret::from([seed.expose(), part.expose()].concat());
        let identifier = tagwise_pkix::AlgorithmIdentifier { algorithm: set.oid(), parameters: None };
        let pkcs8 = private_key::private_key_info(&identifier, octets.expose(), &[], None);
        let pkcs8 = pkcs8.map(Secret::from).map_err(|error| failed().because(error))?;
        self.keys(set, pkcs8, one, other)
    }

    /// Imports a private key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, and [`ErrorKind::WrongKey`] if the key is of another
    /// type. Returns [`ErrorKind::MalformedKey`] if the key is malformed, and [`ErrorKind::Inconsistent`] if its public key
    /// does not belong to it.
    pub fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        let (KeyType::CompositeMlDsa(set), Material::Composite(octets)) = (info.key_type(), info.material()) else {
            return Err(Error::new(ErrorKind::WrongKey, info.key_type()));
        };
        self.offered(set, self.signs(set))?;
        let malformed = || Error::new(ErrorKind::MalformedKey, set);
        let (seed, part) = octets.expose().split_at_checked(SEED).ok_or_else(malformed)?;
        let seed = Seeded { seed: Some(Secret::from(seed)), expanded: None };
        let seed = seed.to_pkcs8(set.post_quantum().0, PostQuantumForm::Seed)?;
        let part = half::read_part(set.traditional().0, part, set.name())?;
        let one = self.post_quantum.private_key_from_pkcs8(seed.expose())?;
        let other = self.traditional.private_key(&part)?;
        let key = self.keys(set, info.pkcs8().clone(), one, other)?;
        half::check_public(info, &*key)?;
        Ok(key)
    }

    fn keys(
        &self,
        set: CompositeMlDsa,
        pkcs8: Secret,
        one: Arc<dyn PrivateKey>,
        other: Arc<dyn PrivateKey>,
    ) -> Result<Arc<dyn PrivateKey>, Error> {
        let octets = [half::public_of(&*one)?, half::public_of(&*other)?].concat();
        let public = shared::public_info(KeyType::CompositeMlDsa(set), &octets);
        let public = public.map_err(|error| Error::new(ErrorKind::Failed, set).because(error))?;
        Ok(Arc::new(key::Private { set, one, other, public, pkcs8 }))
    }

    /// Imports a public key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, [`ErrorKind::WrongKey`] if the key is of another
    /// type, and [`ErrorKind::MalformedKey`] if it is malformed.
    pub fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        let KeyType::CompositeMlDsa(set) = KeyType::of(info)? else {
            return Err(Error::new(ErrorKind::WrongKey, KeyType::of(info)?));
        };
        self.offered(set, self.verifies(set))?;
        let malformed = || Error::new(ErrorKind::MalformedKey, set);
        let octets = info.subject_public_key.octets().ok_or_else(malformed)?;
        let (first, second) = octets.split_at_checked(set.public_len()).ok_or_else(malformed)?;
        let one = half::parsed(self.post_quantum, set.post_quantum().0, first, set.name())?;
        let other = half::parsed(self.traditional, set.traditional().0, second, set.name())?;
        Ok(Arc::new(key::Public { set, one, other }))
    }
}
