//! Public keys: parsed once for each way in which they verify, when it is first asked for.

use core::fmt;
use std::sync::{Arc, OnceLock};

use aws_lc_rs::kem::EncapsulationKey;
use aws_lc_rs::signature::ParsedPublicKey;
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{algorithms, failed, size_taken};
use crate::{Error, ErrorKind, KeyType, PublicKey, Scheme, Secret};

struct Public {
    key: KeyType,
    octets: Vec<u8>,
    /// As [`algorithms::verifying`] has them.
    parsed: Vec<OnceLock<Option<ParsedPublicKey>>>,
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
        EncapsulationKey::new(algorithm, &octets).map_err(|_| malformed())?;
    }
    let parsed = algorithms.iter().map(|_| OnceLock::new()).collect();
    let public = Public { key, octets, parsed };
    // What is no key at all is told now.
    if !algorithms.is_empty() && public.parsed(0).is_none() {
        return Err(malformed());
    }
    Ok(Arc::new(public))
}

impl Public {
    fn parsed(&self, at: usize) -> Option<&ParsedPublicKey> {
        let (_, algorithm) = algorithms::verifying(self.key).get(at)?;
        self.parsed.get(at)?.get_or_init(|| ParsedPublicKey::new(*algorithm, &self.octets).ok()).as_ref()
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
        let key = self.parsed(at).ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))?;
        key.verify_sig(message, signature).map_err(|_| failed(ErrorKind::Signature, scheme))
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        let algorithm = algorithms::ml_kem(self.key).ok_or_else(|| failed(ErrorKind::WrongKey, self.key))?;
        let unspecified = |_| failed(ErrorKind::Failed, self.key);
        let key =
            EncapsulationKey::new(algorithm, &self.octets).map_err(|_| failed(ErrorKind::MalformedKey, self.key))?;
        let (ciphertext, secret) = key.encapsulate().map_err(unspecified)?;
        Ok((ciphertext.as_ref().to_vec(), Secret::from(secret.as_ref())))
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &super::NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
