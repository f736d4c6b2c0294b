//! Ed448 and X448 for the embedded backend, from the crates `ed448-goldilocks` and `x448`.

use core::fmt;
use std::sync::Arc;

use ed448_goldilocks::signature::Signer;
use ed448_goldilocks::{Signature, SigningKey, VerifyingKey};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::private_key::curve_private_key;

use crate::backends::shared;
use crate::private::Material;
use crate::{
    Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Scheme, Secret, points,
};

/// A private key of either curve.
enum Held {
    Ed448(Box<SigningKey>),
    X448(Secret),
}

struct Private {
    by: &'static str,
    held: Held,
    pkcs8: Secret,
    public: Vec<u8>,
}

struct Public {
    key: KeyType,
    by: &'static str,
    verifying: Option<Box<VerifyingKey>>,
}

/// Computes X448 (RFC 7748 §5). Returns `None` if the result is a point of small order.
fn x448(scalar: &[u8], point: &[u8]) -> Option<Secret> {
    let mut copy = [0; 56];
    copy.copy_from_slice(scalar.get(..56)?);
    let shared = x448::x448(copy, point.try_into().ok()?);
    zeroize::Zeroize::zeroize(&mut copy);
    // RFC 7748 §6.2: an all-zero secret is public.
    let mut shared = shared.filter(|shared| shared.iter().any(|byte| *byte != 0))?;
    let secret = Secret::from(&shared[..]);
    zeroize::Zeroize::zeroize(&mut shared);
    Some(secret)
}

/// Generates a key.
pub(crate) fn generate(key: KeyType, random: fn(&mut [u8]) -> Result<(), Error>) -> Result<PrivateKeyInfo, Error> {
    // RFC 8032 §5.2.5, RFC 7748 §5: random bytes.
    let mut bytes = Secret::zeroed(if key == KeyType::X448 { 56 } else { 57 });
    random(bytes.expose_mut())?;
    PrivateKeyInfo::converted(curve_private_key(key.identifiers().0, bytes.expose()), "Curve448")
}

/// Loads a private key.
pub(crate) fn private(info: &PrivateKeyInfo, by: &'static str) -> Result<Arc<dyn PrivateKey>, Error> {
    let key = info.key_type();
    let malformed = || Error::new(ErrorKind::MalformedKey, key).by(by);
    let Material::Octets(bytes) = info.material() else { return Err(malformed()) };
    let (held, public) = if key == KeyType::X448 {
        let public = x448(bytes.expose(), &x448::X448_BASEPOINT_BYTES).ok_or_else(malformed)?;
        (Held::X448(bytes.clone()), public.expose().to_vec())
    } else {
        let signing = SigningKey::try_from(bytes.expose()).map_err(|error| malformed().because(error))?;
        let public = signing.verifying_key().as_bytes().to_vec();
        (Held::Ed448(Box::new(signing)), public)
    };
    if info.public().is_some_and(|claimed| claimed != public) {
        return Err(Error::new(ErrorKind::Inconsistent, key).by(by));
    }
    let public = shared::public_info(key, &public);
    let public = public.map_err(|error| Error::new(ErrorKind::Failed, key).by(by).because(error))?;
    Ok(Arc::new(Private { by, held, pkcs8: info.pkcs8().clone(), public }))
}

/// Loads a public key. Points of small order are rejected.
pub(crate) fn public(
    key: KeyType,
    info: &SubjectPublicKeyInfo<'_>,
    by: &'static str,
) -> Result<Arc<dyn PublicKey>, Error> {
    let malformed = || Error::new(ErrorKind::MalformedKey, key).by(by);
    let bytes = info.subject_public_key.octets().ok_or_else(malformed)?;
    points::check(key, bytes).map_err(|error| error.by(by))?;
    let verifying = if key == KeyType::X448 {
        (bytes.len() == 56).then_some(None).ok_or_else(malformed)?
    } else {
        let bytes: &[u8; 57] = bytes.try_into().map_err(|_: core::array::TryFromSliceError| malformed())?;
        let verifying = VerifyingKey::from_bytes(bytes).map_err(|error| malformed().because(error.to_string()))?;
        Some(Box::new(verifying))
    };
    Ok(Arc::new(Public { key, by, verifying }))
}

impl Private {
    fn failed(&self, kind: ErrorKind, what: impl fmt::Display) -> Error {
        Error::new(kind, what).by(self.by)
    }
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        match self.held {
            Held::Ed448(_) => KeyType::Ed448,
            Held::X448(_) => KeyType::X448,
        }
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        match (&self.held, scheme) {
            (Held::Ed448(key), Scheme::Ed448) => {
                let signature = key.try_sign(message);
                let signature =
                    signature.map_err(|error| self.failed(ErrorKind::Failed, scheme).because(error.to_string()))?;
                Ok(signature.to_bytes().to_vec())
            }
            _ => Err(self.failed(ErrorKind::WrongKey, scheme)),
        }
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        Ok(self.pkcs8.clone())
    }

    fn to_pkcs8_as(&self, _: PostQuantumForm) -> Result<Secret, Error> {
        Err(self.failed(ErrorKind::WrongKey, self.key_type()))
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        let Held::X448(scalar) = &self.held else { return Err(self.failed(ErrorKind::WrongKey, self.key_type())) };
        if KeyType::of(peer).map_err(|error| error.by(self.by))? != KeyType::X448 {
            return Err(self.failed(ErrorKind::WrongKey, KeyType::X448));
        }
        let secret = peer.subject_public_key.octets().and_then(|point| x448(scalar.expose(), point));
        secret.ok_or_else(|| self.failed(ErrorKind::MalformedKey, KeyType::X448))
    }

    fn decapsulate(&self, _: &[u8]) -> Result<Secret, Error> {
        Err(self.failed(ErrorKind::WrongKey, self.key_type()))
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (Some(key), Scheme::Ed448) = (&self.verifying, scheme) else {
            return Err(Error::new(ErrorKind::WrongKey, scheme).by(self.by));
        };
        // RFC 8032 §5.2.7 step 1: R is decoded as a point is, and only its canonical encoding is one. The crate is more lenient.
        let canonical = signature.get(..57).is_some_and(points::is_canonical_448);
        let verified = Signature::from_slice(signature).and_then(|signature| key.verify_raw(&signature, message));
        if canonical && verified.is_ok() { Ok(()) } else { Err(Error::new(ErrorKind::Signature, scheme).by(self.by)) }
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        Err(Error::new(ErrorKind::WrongKey, self.key).by(self.by))
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.by).field("key", &self.key_type()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &self.by).field("key", &self.key).finish_non_exhaustive()
    }
}
