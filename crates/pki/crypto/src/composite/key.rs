//! Composite keys. An operation succeeds only if it succeeds with both components.

use core::fmt;
use std::sync::Arc;

use tagwise_pkix::SubjectPublicKeyInfo;

use super::CompositeMlDsa;
use crate::{Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PublicKey, Scheme, Secret};

pub(super) struct Private {
    pub(super) set: CompositeMlDsa,
    pub(super) one: Arc<dyn PrivateKey>,
    pub(super) other: Arc<dyn PrivateKey>,
    pub(super) public: Vec<u8>,
    pub(super) pkcs8: Secret,
}

pub(super) struct Public {
    pub(super) set: CompositeMlDsa,
    pub(super) one: Arc<dyn PublicKey>,
    pub(super) other: Arc<dyn PublicKey>,
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        KeyType::CompositeMlDsa(self.set)
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_with_context(scheme, &[], message)
    }

    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context)?;
        if !scheme.fits(self.key_type()) {
            return Err(Error::new(ErrorKind::WrongKey, scheme));
        }
        let representative = self.set.representative(context, message);
        let ((_, first), (_, second)) = (self.set.post_quantum(), self.set.traditional());
        let mut signature = self.one.sign_with_context(&first, self.set.label(), &representative)?;
        signature.extend_from_slice(&self.other.sign(&second, &representative)?);
        Ok(signature)
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

    fn decapsulate(&self, _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, self.set))
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        KeyType::CompositeMlDsa(self.set)
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_with_context(scheme, &[], message, signature)
    }

    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context)?;
        if !scheme.fits(self.key_type()) {
            return Err(Error::new(ErrorKind::WrongKey, scheme));
        }
        let wrong = || Error::new(ErrorKind::Signature, scheme);
        let (one, other) = signature.split_at_checked(self.set.signature_len()).ok_or_else(wrong)?;
        let representative = self.set.representative(context, message);
        let ((_, first), (_, second)) = (self.set.post_quantum(), self.set.traditional());
        let half = |error: Error| match error.kind() {
            ErrorKind::Signature => wrong().because(error),
            _ => error,
        };
        self.one.verify_with_context(&first, self.set.label(), &representative, one).map_err(half)?;
        self.other.verify(&second, &representative, other).map_err(half)
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        Err(Error::new(ErrorKind::WrongKey, self.set))
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
