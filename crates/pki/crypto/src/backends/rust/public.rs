//! Public keys and the verification of signatures.

use core::fmt;
use std::sync::Arc;

use ecdsa::signature::hazmat::PrehashVerifier as _;
use ecdsa::{EcdsaCurve, Signature, VerifyingKey};
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
use p256::elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use p256::elliptic_curve::{AffinePoint, CurveArithmetic, FieldBytes, FieldBytesSize};
use tagwise_codec::{Decode, Int};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::algorithms::EcdsaSigValue;

use super::rsa::Rsa;
use super::{COMPLETE, NAME, PureRust, failed};
use crate::backends::shared;
use crate::{Curve, Digest, Error, ErrorKind, KeyType, Primitives, PublicKey, Scheme, Secret, points};

/// A parsed key.
enum Held {
    Rsa(Rsa),
    P256(Box<VerifyingKey<p256::NistP256>>),
    P384(Box<VerifyingKey<p384::NistP384>>),
    P521(Box<VerifyingKey<p521::NistP521>>),
    Secp256k1(Box<VerifyingKey<k256::Secp256k1>>),
    BrainpoolP256r1(Box<VerifyingKey<bp256::BrainpoolP256r1>>),
    BrainpoolP256t1(Box<VerifyingKey<bp256::BrainpoolP256t1>>),
    BrainpoolP384r1(Box<VerifyingKey<bp384::BrainpoolP384r1>>),
    BrainpoolP384t1(Box<VerifyingKey<bp384::BrainpoolP384t1>>),
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
    let is_common = matches!(key, KeyType::Rsa(_) | KeyType::P256 | KeyType::P384 | KeyType::Ed25519);
    let is_rare = matches!(
        key,
        KeyType::P521
            | KeyType::Curve(
                Curve::Secp256k1
                    | Curve::BrainpoolP256r1
                    | Curve::BrainpoolP256t1
                    | Curve::BrainpoolP384r1
                    | Curve::BrainpoolP384t1
            )
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
    (is_common || COMPLETE && is_rare) && hashes && size_taken(key) && scheme.fits(key)
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
        KeyType::P256 => ecdsa_key(octets).map(Held::P256),
        KeyType::P384 => ecdsa_key(octets).map(Held::P384),
        KeyType::P521 if COMPLETE => ecdsa_key(octets).map(Held::P521),
        KeyType::Curve(Curve::Secp256k1) if COMPLETE => ecdsa_key(octets).map(Held::Secp256k1),
        KeyType::Curve(Curve::BrainpoolP256r1) if COMPLETE => ecdsa_key(octets).map(Held::BrainpoolP256r1),
        KeyType::Curve(Curve::BrainpoolP256t1) if COMPLETE => ecdsa_key(octets).map(Held::BrainpoolP256t1),
        KeyType::Curve(Curve::BrainpoolP384r1) if COMPLETE => ecdsa_key(octets).map(Held::BrainpoolP384r1),
        KeyType::Curve(Curve::BrainpoolP384t1) if COMPLETE => ecdsa_key(octets).map(Held::BrainpoolP384t1),
        KeyType::Ed25519 => {
            let octets: Option<&[u8; 32]> = octets.try_into().ok();
            let key = octets.and_then(|octets| ed25519_dalek::VerifyingKey::from_bytes(octets).ok());
            key.map(|key| Held::Ed25519(Box::new(key)))
        }
        KeyType::MlDsa44 if COMPLETE => ml_dsa_key(octets).map(Held::MlDsa44),
        KeyType::MlDsa65 if COMPLETE => ml_dsa_key(octets).map(Held::MlDsa65),
        KeyType::MlDsa87 if COMPLETE => ml_dsa_key(octets).map(Held::MlDsa87),
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

/// Parses a point.
fn ecdsa_key<C>(octets: &[u8]) -> Option<Box<VerifyingKey<C>>>
where
    C: EcdsaCurve + CurveArithmetic,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    VerifyingKey::from_sec1_bytes(octets).ok().map(Box::new)
}

/// Writes a number of a signature as a big-endian number of fixed length.
fn scalar<C: EcdsaCurve>(number: Int<'_>) -> Option<FieldBytes<C>> {
    let (magnitude, mut scalar) = (number.magnitude(), FieldBytes::<C>::default());
    let start = scalar.len().checked_sub(magnitude.len()).filter(|_| !number.is_negative())?;
    scalar.get_mut(start..)?.copy_from_slice(magnitude);
    Some(scalar)
}

/// Verifies an ECDSA signature of a digest (FIPS 186-5 §6.4.2). The curve's crate reduces the digest and checks the range of r and s.
fn ecdsa<C: EcdsaCurve + CurveArithmetic>(key: &VerifyingKey<C>, digest: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let value = EcdsaSigValue::from_der(signature).ok()?;
        let signature = Signature::<C>::from_scalars(scalar::<C>(value.r)?, scalar::<C>(value.s)?).ok()?;
        // Both s and its negation are valid (SEC 1 §4.1.4). The crate of secp256k1 only accepts the lower one, as Bitcoin does.
        let signature = if C::NORMALIZE_S { signature.normalize_s() } else { signature };
        key.verify_prehash(digest, &signature).ok()
    };
    verify().is_some()
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
            Held::P256(key) => ecdsa(key, &digest()?, signature),
            Held::P384(key) => ecdsa(key, &digest()?, signature),
            Held::P521(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::Secp256k1(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::BrainpoolP256r1(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::BrainpoolP256t1(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::BrainpoolP384r1(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::BrainpoolP384t1(key) if COMPLETE => ecdsa(key, &digest()?, signature),
            Held::Ed25519(key) => {
                let signature = ed25519_dalek::Signature::from_slice(signature).ok();
                signature.is_some_and(|signature| ed25519_dalek::Verifier::verify(&**key, message, &signature).is_ok())
            }
            Held::MlDsa44(key) if COMPLETE => ml_dsa(key, context, message, signature),
            Held::MlDsa65(key) if COMPLETE => ml_dsa(key, context, message, signature),
            Held::MlDsa87(key) if COMPLETE => ml_dsa(key, context, message, signature),
            // Such keys are not loaded.
            _ => return Err(failed(ErrorKind::NotOffered, scheme)),
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
