//! Composite KEM keys. They combine two shared secrets, so that the result is secret if at least one component is secure.

use core::fmt;
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{CompositeMlKem, half};
use crate::backends::shared;
use crate::{Backend, Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PublicKey, Scheme, Secret};

pub(super) struct Private {
    pub(super) set: CompositeMlKem,
    pub(super) one: Arc<dyn PrivateKey>,
    pub(super) other: Arc<dyn PrivateKey>,
    /// The other component's public key, as encoded in the composite key.
    pub(super) other_public: Vec<u8>,
    pub(super) public: Vec<u8>,
    pub(super) pkcs8: Secret,
}

pub(super) struct Public {
    pub(super) set: CompositeMlKem,
    pub(super) one: Arc<dyn PublicKey>,
    pub(super) other: Other,
}

/// The component that is not a KEM, and its backend. RSA encryption or key agreement takes the place of encapsulation (draft
/// §2.1 and §2.2).
pub(super) struct Other {
    pub(super) backend: &'static dyn Backend,
    pub(super) key: Arc<dyn PublicKey>,
    /// The component's SubjectPublicKeyInfo.
    pub(super) info: Vec<u8>,
    /// The component as encoded in the composite public key.
    pub(super) octets: Vec<u8>,
}

impl Other {
    /// Creates a ciphertext and a secret. With RSA, a random secret is encrypted. Otherwise, the secret is agreed with an
    /// ephemeral key.
    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        let kind = self.key.key_type();
        if matches!(kind, KeyType::Rsa(_)) {
            let mut secret = Secret::zeroed(CompositeMlKem::SECRET);
            self.backend.random(secret.expose_mut())?;
            return Ok((self.key.encrypt(CompositeMlKem::TRANSPORT, secret.expose())?, secret));
        }
        let failed = |error| Error::new(ErrorKind::Failed, kind).because(error);
        let fresh = self.backend.generate(kind)?;
        let peer = SubjectPublicKeyInfo::from_der(&self.info).map_err(failed)?;
        let secret = fresh.agree(&peer)?;
        let ours = SubjectPublicKeyInfo::from_der(fresh.public_key_info()).map_err(failed)?;
        let ours = ours.subject_public_key.octets().ok_or_else(|| Error::new(ErrorKind::Failed, kind))?;
        Ok((ours.to_vec(), secret))
    }
}

impl Private {
    /// Recovers the secret from the second part of a ciphertext.
    fn other(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        let kind = self.set.traditional();
        let wrong = |kind| Error::new(kind, self.set);
        if let KeyType::Rsa(bits) = kind {
            // The combiner wants all its input of known lengths (draft §3.3).
            if ciphertext.len() != (bits as usize).div_ceil(8) {
                return Err(wrong(ErrorKind::Length));
            }
            let secret = self.other.decrypt(CompositeMlKem::TRANSPORT, ciphertext)?;
            return if secret.len() == CompositeMlKem::SECRET { Ok(secret) } else { Err(wrong(ErrorKind::Integrity)) };
        }
        // A public key of the same form, points uncompressed.
        if ciphertext.len() != self.other_public.len() || half::is_compressed(kind, ciphertext) {
            return Err(wrong(ErrorKind::Length));
        }
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| wrong(ErrorKind::Failed).because(error);
        let peer = shared::public_info(kind, ciphertext).map_err(|error| failed(error.into()))?;
        let peer = SubjectPublicKeyInfo::from_der(&peer).map_err(|error| failed(error.into()))?;
        self.other.agree(&peer)
    }
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        KeyType::CompositeMlKem(self.set)
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, _: &[u8]) -> Result<Vec<u8>, Error> {
        Err(Error::new(ErrorKind::WrongKey, scheme))
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        Ok(self.pkcs8.clone())
    }

    fn to_pkcs8_as(&self, _: PostQuantumForm) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, self.set))
    }

    fn agree(&self, _: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, self.set))
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        let parts = ciphertext.split_at_checked(self.set.ciphertext_len());
        let (first, second) = parts.ok_or_else(|| Error::new(ErrorKind::Length, self.set))?;
        let one = self.one.decapsulate(first)?;
        let other = self.other(second)?;
        Ok(self.set.combined(&one, &other, second, &self.other_public))
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        KeyType::CompositeMlKem(self.set)
    }

    fn verify(&self, scheme: &Scheme, _: &[u8], _: &[u8]) -> Result<(), Error> {
        Err(Error::new(ErrorKind::WrongKey, scheme))
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        let (mut ciphertext, one) = self.one.encapsulate()?;
        let (second, other) = self.other.encapsulate()?;
        let secret = self.set.combined(&one, &other, &second, &self.other.octets);
        ciphertext.extend_from_slice(&second);
        Ok((ciphertext, secret))
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &"composite").field("key", &self.set).finish_non_exhaustive()
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &"composite").field("key", &self.set).finish_non_exhaustive()
    }
}
