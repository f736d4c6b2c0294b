//! Public keys: parsed once for each way in which they verify, when it is first asked for.

use core::fmt;
use std::sync::{Arc, OnceLock};

use aws_lc_rs::error::KeyRejected;
use aws_lc_rs::kem::EncapsulationKey;
use aws_lc_rs::signature::ParsedPublicKey;
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{algorithms, failed, raw, rejected, silent, size_taken, transport};
use crate::{Error, ErrorKind, KeyTransport, KeyType, PublicKey, Scheme, Secret};

struct Public {
    key: KeyType,
    octets: Vec<u8>,
    /// As [`algorithms::verifying`] has them.
    parsed: Vec<OnceLock<Result<ParsedPublicKey, KeyRejected>>>,
    /// For contexts.
    raw: OnceLock<Option<raw::Key>>,
}

/// # Errors
/// Those of [`Backend::public_key`](crate::Backend::public_key).
pub(super) fn load(info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
    let key = KeyType::of(info).map_err(|error| error.by(super::NAME))?;
    let malformed = || failed(ErrorKind::MalformedKey, key);
    let octets = info.subject_public_key.octets().ok_or_else(malformed)?.to_vec();
    let algorithms = algorithms::verifying(key);
    if !size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    if matches!(key, KeyType::Ed448 | KeyType::X448) {
        return Err(failed(ErrorKind::NotOffered, key));
    }
    if let Some(algorithm) = algorithms::ml_kem(key) {
        EncapsulationKey::new(algorithm, &octets).map_err(rejected(key))?;
    }
    let parsed = algorithms.iter().map(|_| OnceLock::new()).collect();
    let public = Public { key, octets, parsed, raw: OnceLock::new() };
    // What is no key at all is told now.
    if !algorithms.is_empty() {
        public.parsed(0)?;
    }
    Ok(Arc::new(public))
}

impl Public {
    fn parsed(&self, at: usize) -> Result<&ParsedPublicKey, Error> {
        let missing = || failed(ErrorKind::NotOffered, self.key);
        let (_, algorithm) = algorithms::verifying(self.key).get(at).ok_or_else(missing)?;
        let slot = self.parsed.get(at).ok_or_else(missing)?;
        slot.get_or_init(|| ParsedPublicKey::new(*algorithm, &self.octets))
            .as_ref()
            .map_err(|why| rejected(self.key)(*why))
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        let at = algorithms::verifying(self.key).iter().position(|(known, _)| known == scheme);
        let at = at.ok_or_else(|| failed(ErrorKind::NotOffered, scheme))?;
        self.parsed(at)?.verify_sig(message, signature).map_err(silent(ErrorKind::Signature, scheme))
    }

    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context).map_err(|error| error.by(super::NAME))?;
        if context.is_empty() {
            return self.verify(scheme, message, signature);
        }
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        let raw = self.raw.get_or_init(|| raw::Key::public(self.key, &self.octets));
        let raw = raw.as_ref().ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))?;
        match raw.verifies(context, message, signature) {
            true => Ok(()),
            false => Err(failed(ErrorKind::Signature, scheme)),
        }
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        let algorithm = algorithms::ml_kem(self.key).ok_or_else(|| failed(ErrorKind::WrongKey, self.key))?;
        let unspecified = silent(ErrorKind::Failed, self.key);
        let key = EncapsulationKey::new(algorithm, &self.octets).map_err(rejected(self.key))?;
        let (ciphertext, secret) = key.encapsulate().map_err(unspecified)?;
        Ok((ciphertext.as_ref().to_vec(), Secret::from(secret.as_ref())))
    }

    fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        if !matches!(self.key, KeyType::Rsa(_)) {
            return Err(failed(ErrorKind::WrongKey, transport));
        }
        transport::encrypt(&super::private::public_info(self.key, &self.octets)?, transport, plain)
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &super::NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
