//! Post-quantum private keys: a seed, an expanded key, or both. `pkix` defines the encoding. This module owns the keys and
//! zeroizes them.

use tagwise_pkix::private_key::{PostQuantumAlgorithm, PostQuantumForm, PostQuantumKey};

use crate::{Error, ErrorKind, KeyType, Secret};

/// A post-quantum private key as a seed, an expanded key, or both. A backend checks that both agree.
#[derive(Clone, Debug, Default)]
pub struct Seeded {
    /// The seed: 32 bytes for ML-DSA, 64 for ML-KEM.
    pub seed: Option<Secret>,
    /// The expanded key.
    pub expanded: Option<Secret>,
}

impl Seeded {
    /// Parses the seed, the expanded key, or both in a PKCS #8 key, and checks their lengths for this key type.
    pub(super) fn from_pkcs8(key: KeyType, der: &[u8]) -> Result<Self, Error> {
        let read = PostQuantumKey::from_pkcs8(der);
        let read = read.map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))?;
        Ok(Self { seed: read.seed().map(Secret::from), expanded: read.expanded().map(Secret::from) })
    }

    /// Encodes the key as unencrypted PKCS #8 in the given form (RFC 9881 §6, RFC 9935 §6).
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] for key types without such forms, and [`ErrorKind::MalformedKey`] if the seed or
    /// expanded key that the form requires is missing or has the wrong length.
    pub fn to_pkcs8(&self, key: KeyType, form: PostQuantumForm) -> Result<Secret, Error> {
        let algorithm = PostQuantumAlgorithm::of(key.identifiers().0);
        let algorithm = algorithm.ok_or_else(|| Error::new(ErrorKind::WrongKey, key))?;
        let (seed, expanded) = (self.seed.as_ref().map(Secret::expose), self.expanded.as_ref().map(Secret::expose));
        let written = PostQuantumKey::new(algorithm, seed, expanded).and_then(|whole| whole.to_pkcs8(form));
        written.map(Secret::from).map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))
    }

    /// Returns the form of the key: seed, expanded key, or both.
    #[must_use]
    pub const fn form(&self) -> PostQuantumForm {
        match (&self.seed, &self.expanded) {
            (Some(_), Some(_)) => PostQuantumForm::Both,
            (_, None) => PostQuantumForm::Seed,
            (None, Some(_)) => PostQuantumForm::Expanded,
        }
    }
}
