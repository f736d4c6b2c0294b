//! Public keys, parsed once per verification algorithm, on first use.

use core::fmt;
use std::sync::{Arc, OnceLock};

use aws_lc_rs::error::KeyRejected;
use aws_lc_rs::kem::EncapsulationKey;
use aws_lc_rs::signature::ParsedPublicKey;
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{AwsLc, algorithms, ec, failed, is_customary, raw, rejected, silent, size_taken};
use crate::{Error, ErrorKind, KeyTransport, KeyType, Primitives, PublicKey, Scheme, Secret};

struct Public {
    key: KeyType,
    octets: Vec<u8>,
    /// The parsed key for each algorithm of [`algorithms::verifying`].
    parsed: Vec<OnceLock<Result<ParsedPublicKey, KeyRejected>>>,
    /// The key for contexts, and for RSA schemes that aws-lc-rs does not support.
    raw: OnceLock<Option<raw::Key>>,
    /// The key for elliptic curves and digests that aws-lc-rs does not support.
    point: OnceLock<Option<ec::Key>>,
}

/// Loads a public key.
///
/// # Errors
/// Returns any error from [`Backend::public_key`](crate::Backend::public_key).
pub(super) fn load(info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
    let key = KeyType::of(info).map_err(|error| error.by(super::NAME))?;
    let malformed = || failed(ErrorKind::MalformedKey, key);
    let octets = info.subject_public_key.octets().ok_or_else(malformed)?.to_vec();
    let algorithms = algorithms::verifying(key);
    if !size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    if let Some(algorithm) = algorithms::ml_kem(key) {
        EncapsulationKey::new(algorithm, &octets).map_err(rejected(key))?;
    }
    let parsed = algorithms.iter().map(|_| OnceLock::new()).collect();
    let public = Public { key, octets, parsed, raw: OnceLock::new(), point: OnceLock::new() };
    // Malformed keys are reported now.
    match key {
        KeyType::Rsa(_) if !is_customary(key) => public.rsa().map(|_| ())?,
        KeyType::Curve(_) => public.point().map(|_| ())?,
        _ if algorithms.is_empty() => {}
        _ => public.parsed(0).map(|_| ())?,
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

impl Public {
    fn rsa(&self) -> Result<&raw::Key, Error> {
        let key = self.raw.get_or_init(|| raw::Key::rsa_public(&self.octets));
        key.as_ref().ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))
    }

    fn point(&self) -> Result<&ec::Key, Error> {
        let key = self.point.get_or_init(|| ec::Key::public(self.key, &self.octets));
        key.as_ref().ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))
    }

    /// Verifies a signature with a scheme that aws-lc-rs does not support.
    fn verify_digest(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let not_offered = || failed(ErrorKind::NotOffered, scheme);
        if !algorithms::verifies(scheme, self.key) {
            return Err(not_offered());
        }
        let digest = AwsLc::new().digest(scheme.digest().ok_or_else(not_offered)?, message)?;
        let verified = match scheme {
            Scheme::Ecdsa(_) => self.point()?.verifies(&digest, signature),
            _ => self.rsa()?.verifies_digest(scheme, &digest, signature),
        };
        if verified { Ok(()) } else { Err(failed(ErrorKind::Signature, scheme)) }
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
        let known = algorithms::verifying(self.key).iter().position(|(known, _)| known == scheme);
        match known.filter(|_| is_customary(self.key)) {
            Some(at) => self.parsed(at)?.verify_sig(message, signature).map_err(silent(ErrorKind::Signature, scheme)),
            None => self.verify_digest(scheme, message, signature),
        }
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
        self.rsa()?.encrypt(transport, plain)
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &super::NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
