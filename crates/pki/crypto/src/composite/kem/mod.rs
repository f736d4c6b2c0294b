//! Composite ML-KEM (draft-ietf-lamps-pq-composite-kem-15): combines the secrets of ML-KEM and a traditional algorithm.
//! Like composite ML-DSA, it is built on top of the backends.
//!
//! The identifiers are assigned by IANA: 1.3.6.1.5.5.7.6.55 to .66. The two sets with Brainpool curves are recognized by
//! name, but not supported.

mod key;
mod set;

use std::sync::Arc;

pub use set::CompositeMlKem;
use tagwise_pkix::{SubjectPublicKeyInfo, private_key};

use super::half;
use crate::backends::shared;
use crate::private::Material;
use crate::{
    Backend, Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Secret, Seeded,
};

/// The length of an ML-KEM seed in bytes. It is the first part of a private key.
const SEED: usize = 64;

/// Combines two backends to support composite key encapsulation. This is not needed if one backend supports both
/// components, because it then also supports composite keys itself.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{CompositeKem, CompositeMlKem, backends::AwsLc};
/// # use tagwise_codec::Decode;
/// let composite = CompositeKem::new(&const { AwsLc::new() }, &const { AwsLc::new() });
/// let key = composite.generate(CompositeMlKem::MlKem768X25519)?;
///
/// let info = tagwise_pkix::SubjectPublicKeyInfo::from_der(key.public_key_info()).unwrap();
/// let (ciphertext, secret) = composite.public_key(&info)?.encapsulate()?;
/// assert_eq!(key.decapsulate(&ciphertext)?.expose(), secret.expose());
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CompositeKem {
    post_quantum: &'static dyn Backend,
    traditional: &'static dyn Backend,
}

impl CompositeKem {
    /// Combines a backend for ML-KEM with one for the traditional component.
    #[must_use]
    pub const fn new(post_quantum: &'static dyn Backend, traditional: &'static dyn Backend) -> Self {
        Self { post_quantum, traditional }
    }

    /// Returns whether both backends support keys of this set. They must be able to generate both components, and support
    /// RSA encryption if the second component is RSA.
    #[must_use]
    pub fn offers(&self, set: CompositeMlKem) -> bool {
        self.post_quantum.generates(set.post_quantum()) && self.has_other(set.traditional())
    }

    fn has_other(&self, kind: KeyType) -> bool {
        let encrypts = !matches!(kind, KeyType::Rsa(_)) || self.traditional.transports(CompositeMlKem::TRANSPORT);
        encrypts && self.traditional.generates(kind)
    }

    fn offered(&self, set: CompositeMlKem) -> Result<(), Error> {
        let lacking = match (self.post_quantum.generates(set.post_quantum()), self.has_other(set.traditional())) {
            (true, true) => return Ok(()),
            (true, false) => self.traditional,
            (false, _) => self.post_quantum,
        };
        Err(Error::new(ErrorKind::NotOffered, set).by(lacking.name()))
    }

    /// Generates a key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, or [`ErrorKind::Failed`] if generation fails.
    pub fn generate(&self, set: CompositeMlKem) -> Result<Arc<dyn PrivateKey>, Error> {
        self.offered(set)?;
        let failed = || Error::new(ErrorKind::Failed, set);
        let (one, other) =
            (self.post_quantum.generate(set.post_quantum())?, self.traditional.generate(set.traditional())?);
        let seed = half::seed_of(&*one)?;
        let part = half::part_of(&PrivateKeyInfo::from_pkcs8(other.to_pkcs8()?.expose())?)?;
        let octets = Secret::from([seed.expose(), part.expose()].concat());
        let identifier = tagwise_pkix::AlgorithmIdentifier { algorithm: set.oid(), parameters: None };
        let pkcs8 = private_key::private_key_info(&identifier, octets.expose(), &[], None);
        let pkcs8 = pkcs8.map(Secret::from).map_err(|error| failed().because(error))?;
        Self::keys(set, pkcs8, one, other)
    }

    /// Imports a private key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, and [`ErrorKind::WrongKey`] if the key is of another
    /// type. Returns [`ErrorKind::MalformedKey`] if the key is malformed, and [`ErrorKind::Inconsistent`] if its public key
    /// does not belong to it.
    pub fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        let (KeyType::CompositeMlKem(set), Material::Composite(octets)) = (info.key_type(), info.material()) else {
            return Err(Error::new(ErrorKind::WrongKey, info.key_type()));
        };
        self.offered(set)?;
        let malformed = || Error::new(ErrorKind::MalformedKey, set);
        let (seed, part) = octets.expose().split_at_checked(SEED).ok_or_else(malformed)?;
        let seed = Seeded { seed: Some(Secret::from(seed)), expanded: None };
        let seed = seed.to_pkcs8(set.post_quantum(), PostQuantumForm::Seed)?;
        let part = half::read_part(set.traditional(), part, set.name())?;
        let one = self.post_quantum.private_key_from_pkcs8(seed.expose())?;
        let other = self.traditional.private_key(&part)?;
        let key = Self::keys(set, info.pkcs8().clone(), one, other)?;
        half::check_public(info, &*key)?;
        Ok(key)
    }

    fn keys(
        set: CompositeMlKem,
        pkcs8: Secret,
        one: Arc<dyn PrivateKey>,
        other: Arc<dyn PrivateKey>,
    ) -> Result<Arc<dyn PrivateKey>, Error> {
        let other_public = half::public_of(&*other)?;
        let octets = [half::public_of(&*one)?, other_public.clone()].concat();
        let public = shared::public_info(KeyType::CompositeMlKem(set), &octets);
        let public = public.map_err(|error| Error::new(ErrorKind::Failed, set).because(error))?;
        Ok(Arc::new(key::Private { set, one, other, other_public, public, pkcs8 }))
    }

    /// Imports a public key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if a component is not supported, [`ErrorKind::WrongKey`] if the key is of another
    /// type, and [`ErrorKind::MalformedKey`] if it is malformed.
    pub fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        let KeyType::CompositeMlKem(set) = KeyType::of(info)? else {
            return Err(Error::new(ErrorKind::WrongKey, KeyType::of(info)?));
        };
        self.offered(set)?;
        let malformed = || Error::new(ErrorKind::MalformedKey, set);
        let octets = info.subject_public_key.octets().ok_or_else(malformed)?;
        let (first, second) = octets.split_at_checked(set.public_len()).ok_or_else(malformed)?;
        let one = half::parsed(self.post_quantum, set.post_quantum(), first, set.name())?;
        let key = half::parsed(self.traditional, set.traditional(), second, set.name())?;
        let info = shared::public_info(set.traditional(), second).map_err(|error| malformed().because(error))?;
        let other = key::Other { backend: self.traditional, key, info, octets: second.to_vec() };
        Ok(Arc::new(key::Public { set, one, other }))
    }
}
