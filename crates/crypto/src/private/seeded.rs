//! Post-quantum private keys: a seed, what it expands to, or both (RFC 9881 §6, RFC 9935 §6).

use tagwise_codec::{Decode, Encode, OctetStr, encode};
use tagwise_pkix::ml_dsa::{
    MlDsa44PrivateKey, MlDsa44PrivateKeyBoth, MlDsa65PrivateKey, MlDsa65PrivateKeyBoth, MlDsa87PrivateKey,
    MlDsa87PrivateKeyBoth,
};
use tagwise_pkix::ml_kem::{
    MlKem512PrivateKey, MlKem512PrivateKeyBoth, MlKem768PrivateKey, MlKem768PrivateKeyBoth, MlKem1024PrivateKey,
    MlKem1024PrivateKeyBoth,
};

use crate::{Error, ErrorKind, KeyType, Secret};

/// In which form a post-quantum private key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostQuantumForm {
    /// The seed alone: what the standards recommend.
    Seed,
    /// The expanded key alone.
    Expanded,
    /// Both.
    Both,
}

/// The forms of one post-quantum private key. That they agree, a backend checks.
#[derive(Clone, Debug, Default)]
pub struct Seeded {
    /// The seed: 32 octets of ML-DSA, 64 of ML-KEM.
    pub seed: Option<Secret>,
    /// What it expands to.
    pub expanded: Option<Secret>,
}

/// Reads and writes one CHOICE; the six are alike but for their sizes.
macro_rules! choices {
    ($($kind:ident => $choice:ident, $both:ident;)*) => {
        fn read(key: KeyType, der: &[u8]) -> Result<Seeded, Error> {
            let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
            match key {
                $(KeyType::$kind => Ok(match $choice::from_der(der).map_err(malformed)? {
                    $choice::Seed(seed) => Seeded::of(Some(seed), None),
                    $choice::ExpandedKey(expanded) => Seeded::of(None, Some(expanded)),
                    $choice::Both(both) => Seeded::of(Some(both.seed), Some(both.expanded_key)),
                }),)*
                _ => Err(Error::new(ErrorKind::WrongKey, key)),
            }
        }

        fn write(key: KeyType, seed: Option<OctetStr<'_>>, expanded: Option<OctetStr<'_>>) -> Result<Secret, Error> {
            let missing = || Error::new(ErrorKind::MalformedKey, key);
            match key {
                $(KeyType::$kind => der(key, &match (seed, expanded) {
                    (Some(seed), None) => $choice::Seed(seed),
                    (None, Some(expanded)) => $choice::ExpandedKey(expanded),
                    (Some(seed), Some(expanded_key)) => $choice::Both($both { seed, expanded_key }),
                    (None, None) => return Err(missing()),
                }),)*
                _ => Err(Error::new(ErrorKind::WrongKey, key)),
            }
        }
    };
}

choices! {
    MlDsa44 => MlDsa44PrivateKey, MlDsa44PrivateKeyBoth;
    MlDsa65 => MlDsa65PrivateKey, MlDsa65PrivateKeyBoth;
    MlDsa87 => MlDsa87PrivateKey, MlDsa87PrivateKeyBoth;
    MlKem512 => MlKem512PrivateKey, MlKem512PrivateKeyBoth;
    MlKem768 => MlKem768PrivateKey, MlKem768PrivateKeyBoth;
    MlKem1024 => MlKem1024PrivateKey, MlKem1024PrivateKeyBoth;
}

fn der(key: KeyType, value: &impl Encode) -> Result<Secret, Error> {
    encode(value).map(Secret::from).map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))
}

impl Seeded {
    fn of(seed: Option<OctetStr<'_>>, expanded: Option<OctetStr<'_>>) -> Self {
        let secret = |octets: OctetStr<'_>| Secret::from(octets.as_bytes());
        Self { seed: seed.map(secret), expanded: expanded.map(secret) }
    }

    /// Reads ML-DSA-44-PrivateKey and its five relatives, with the lengths that each has.
    pub(super) fn read(key: KeyType, der: &[u8]) -> Result<Self, Error> {
        read(key, der)
    }

    /// The CHOICE in DER, in this form.
    ///
    /// # Errors
    /// [`ErrorKind::MalformedKey`] if a form is not there or has a length that the kind of key has not.
    pub fn write(&self, key: KeyType, form: PostQuantumForm) -> Result<Secret, Error> {
        fn there(key: KeyType, part: Option<&Secret>) -> Result<Option<OctetStr<'_>>, Error> {
            let part = part.ok_or_else(|| Error::new(ErrorKind::MalformedKey, key))?;
            Ok(Some(OctetStr::new(part.expose())))
        }
        let (seed, expanded) = match form {
            PostQuantumForm::Seed => (there(key, self.seed.as_ref())?, None),
            PostQuantumForm::Expanded => (None, there(key, self.expanded.as_ref())?),
            PostQuantumForm::Both => (there(key, self.seed.as_ref())?, there(key, self.expanded.as_ref())?),
        };
        write(key, seed, expanded)
    }

    /// In which form it is.
    #[must_use]
    pub const fn form(&self) -> PostQuantumForm {
        match (&self.seed, &self.expanded) {
            (Some(_), Some(_)) => PostQuantumForm::Both,
            (_, None) => PostQuantumForm::Seed,
            (None, Some(_)) => PostQuantumForm::Expanded,
        }
    }
}
