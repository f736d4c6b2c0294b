//! Public keys and the verification of signatures.

use core::fmt;
use std::sync::Arc;

use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use tagwise_codec::{Decode, Int};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::algorithms::EcdsaSigValue;

use super::rsa::Rsa;
use super::{NAME, PureRust, failed};
use crate::backends::shared;
use crate::{Digest, Error, ErrorKind, KeyType, Primitives, PublicKey, Scheme, Secret, points};

/// A parsed key.
enum Held {
    Rsa(Rsa),
    P256(Box<p256::ecdsa::VerifyingKey>),
    P384(Box<p384::ecdsa::VerifyingKey>),
    P521(Box<p521::ecdsa::VerifyingKey>),
    Ed25519(Box<ed25519_dalek::VerifyingKey>),
    MlDsa44(Box<ml_dsa::VerifyingKey<MlDsa44>>),
    MlDsa65(Box<ml_dsa::VerifyingKey<MlDsa65>>),
    MlDsa87(Box<ml_dsa::VerifyingKey<MlDsa87>>),
}

struct Public {
    key: KeyType,
    held: Held,
}

/// Returns whether the backend supports this size, if it is an RSA key.
const fn size_taken(key: KeyType) -> bool {
    !matches!(key, KeyType::Rsa(..512 | 16385..))
}

/// Returns whether this type of key can verify with the scheme.
pub(super) fn verifies(scheme: &Scheme, key: KeyType) -> bool {
    let is_held = matches!(
        key,
        KeyType::Rsa(_)
            | KeyType::P256
            | KeyType::P384
            | KeyType::P521
            | KeyType::Ed25519
            | KeyType::MlDsa44
            | KeyType::MlDsa65
            | KeyType::MlDsa87
    );
    let is_fixed = |digest: Option<Digest>| digest.is_none_or(|digest| !digest.is_extendable());
    let hashes = match scheme {
        Scheme::RsaPkcs1(digest) => is_fixed(Some(*digest)),
        Scheme::RsaPss(parameters) => is_fixed(Some(parameters.digest)) && is_fixed(Some(parameters.mask)),
        _ => true,
    };
    is_held && hashes && size_taken(key) && scheme.fits(key)
}

/// Loads a public key of a known type.
///
/// # Errors
/// Returns any error from [`Backend::public_key`](crate::Backend::public_key).
pub(super) fn load(key: KeyType, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
    if !size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    let malformed = || failed(ErrorKind::MalformedKey, key);
    let octets = info.subject_public_key.octets().ok_or_else(malformed)?;
    points::check(key, octets).map_err(|error| error.by(NAME))?;
    if key.is_curve() && !shared::is_point(key, octets) {
        return Err(malformed());
    }
    let held = match key {
        KeyType::Rsa(_) => Rsa::parse(octets).map(Held::Rsa),
        KeyType::P256 => p256::ecdsa::VerifyingKey::from_sec1_bytes(octets).ok().map(|key| Held::P256(Box::new(key))),
        KeyType::P384 => p384::ecdsa::VerifyingKey::from_sec1_bytes(octets).ok().map(|key| Held::P384(Box::new(key))),
        KeyType::P521 => p521::ecdsa::VerifyingKey::from_sec1_bytes(octets).ok().map(|key| Held::P521(Box::new(key))),
        KeyType::Ed25519 => {
            let octets: Option<&[u8; 32]> = octets.try_into().ok();
            let key = octets.and_then(|octets| ed25519_dalek::VerifyingKey::from_bytes(octets).ok());
            key.map(|key| Held::Ed25519(Box::new(key)))
        }
        KeyType::MlDsa44 => ml_dsa_key(octets).map(Held::MlDsa44),
        KeyType::MlDsa65 => ml_dsa_key(octets).map(Held::MlDsa65),
        KeyType::MlDsa87 => ml_dsa_key(octets).map(Held::MlDsa87),
        _ => return Err(failed(ErrorKind::NotOffered, key)),
    };
    Ok(Arc::new(Public { key, held: held.ok_or_else(malformed)? }))
}

fn ml_dsa_key<P: MlDsaParams>(octets: &[u8]) -> Option<Box<ml_dsa::VerifyingKey<P>>> {
    let encoded = EncodedVerifyingKey::<P>::try_from(octets).ok()?;
    Some(Box::new(ml_dsa::VerifyingKey::decode(&encoded)))
}

fn ml_dsa<P: MlDsaParams>(key: &ml_dsa::VerifyingKey<P>, context: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let encoded = EncodedSignature::<P>::try_from(signature).ok();
    let signature = encoded.and_then(|encoded| ml_dsa::Signature::decode(&encoded));
    signature.is_some_and(|signature| key.verify_with_context(message, context, &signature))
}

/// Writes a number of a signature as a big-endian number of fixed length.
fn scalar<const N: usize>(number: Int<'_>) -> Option<[u8; N]> {
    let magnitude = number.magnitude();
    let mut scalar = [0; N];
    let start = N.checked_sub(magnitude.len()).filter(|_| !number.is_negative())?;
    scalar.get_mut(start..)?.copy_from_slice(magnitude);
    Some(scalar)
}

/// Verifies an ECDSA signature of a digest (FIPS 186-5 §6.4.2). The curve's crate reduces the digest and checks the range of r and s.
macro_rules! ecdsa {
    ($curve:ident, $key:expr, $digest:expr, $signature:expr) => {{
        let digest: &[u8] = $digest;
        let verify = || {
            let value = EcdsaSigValue::from_der($signature).ok()?;
            let signature = $curve::ecdsa::Signature::from_scalars(scalar(value.r)?, scalar(value.s)?).ok()?;
            $key.verify_prehash(digest, &signature).ok()
        };
        verify().is_some()
    }};
}

impl Public {
    fn check(&self, scheme: &Scheme, context: &[u8], message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        if !verifies(scheme, self.key) {
            return Err(failed(ErrorKind::NotOffered, scheme));
        }
        let digest = || match scheme.digest() {
            Some(digest) => PureRust::new().digest(digest, message),
            None => Err(failed(ErrorKind::NotOffered, scheme)),
        };
        Ok(match &self.held {
            Held::Rsa(key) => key.verifies(scheme, &digest()?, signature),
            Held::P256(key) => ecdsa!(p256, key, &digest()?, signature),
            Held::P384(key) => ecdsa!(p384, key, &digest()?, signature),
            Held::P521(key) => ecdsa!(p521, key, &digest()?, signature),
            Held::Ed25519(key) => {
                let signature = ed25519_dalek::Signature::from_slice(signature).ok();
                signature.is_some_and(|signature| ed25519_dalek::Verifier::verify(&**key, message, &signature).is_ok())
            }
            Held::MlDsa44(key) => ml_dsa(key, context, message, signature),
            Held::MlDsa65(key) => ml_dsa(key, context, message, signature),
            Held::MlDsa87(key) => ml_dsa(key, context, message, signature),
        })
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        match self.check(scheme, &[], message, signature)? {
            true => Ok(()),
            false => Err(failed(ErrorKind::Signature, scheme)),
        }
    }

    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context).map_err(|error| error.by(NAME))?;
        match self.check(scheme, context, message, signature)? {
            true => Ok(()),
            false => Err(failed(ErrorKind::Signature, scheme)),
        }
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        Err(failed(ErrorKind::WrongKey, self.key))
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
