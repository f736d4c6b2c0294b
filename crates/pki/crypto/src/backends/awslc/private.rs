//! Private keys.

use core::fmt;
use std::sync::{Arc, OnceLock};

use aws_lc_rs::encoding::AsRawBytes;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{EcdsaKeyPair, Ed25519KeyPair, KeyPair, PqdsaKeyPair};
use aws_lc_rs::{kem, rsa as signing};
use tagwise_codec::{Decode, encode};
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::{RsaPublicKey, SubjectPublicKeyInfo};

use super::{AwsLc, agreement, algorithms, ec, failed, is_customary, raw, rejected, seeded, silent, size_taken};
use crate::backends::shared;
use crate::private::Material;
use crate::private::rsa::inconsistency;
use crate::{
    Error, ErrorKind, KeyTransport, KeyType, OaepParameters, PostQuantumForm, Primitives, PrivateKey, PrivateKeyInfo,
    Scheme, Secret, Seeded,
};

struct Private {
    key: KeyType,
    held: Held,
    pkcs8: Secret,
    public: Vec<u8>,
}

enum Held {
    Rsa(Rsa),
    Ecdsa(Box<EcdsaKeyPair>, Secret, OnceLock<Option<ec::Key>>),
    Curve(ec::Key),
    Ed25519(Box<Ed25519KeyPair>),
    X25519(Secret),
    MlDsa(Box<PqdsaKeyPair>, Option<Secret>, OnceLock<Option<raw::Key>>),
    MlKem(Box<kem::DecapsulationKey>, Seeded),
}

/// An RSA key, in aws-lc-rs and AWS-LC form.
struct Rsa {
    /// The key for common signature schemes, or `None` if aws-lc-rs does not support its size.
    pair: Option<Box<signing::KeyPair>>,
    /// The key for other operations, loaded on first use.
    raw: OnceLock<Option<raw::Key>>,
    /// The RSAPrivateKey in DER.
    der: Secret,
}

impl Rsa {
    /// Loads a key, and returns it with its public key.
    fn load(key: KeyType, der: &Secret) -> Result<(Self, Vec<u8>), Error> {
        let malformed = || failed(ErrorKind::MalformedKey, key);
        let numbers = RsaPrivateKey::from_der(der.expose()).map_err(|error| malformed().because(error))?;
        let mut rsa = Self { pair: None, raw: OnceLock::new(), der: der.clone() };
        // aws-lc-rs has neither small keys, nor large ones, nor those of more than two primes.
        if !is_customary(key) || numbers.other_prime_infos.is_some() {
            rsa.raw(key)?;
        } else {
            let pair = signing::KeyPair::from_der(der.expose()).map_err(|error| match inconsistency(&numbers) {
                Some(why) => malformed().because(format!("{why} (RFC 8017 §3.2)")),
                None => rejected(key)(error),
            });
            rsa.pair = Some(Box::new(pair?));
        }
        let public = RsaPublicKey { modulus: numbers.modulus, public_exponent: numbers.public_exponent };
        Ok((rsa, encode(&public).map_err(|error| malformed().because(error))?))
    }

    fn raw(&self, key: KeyType) -> Result<&raw::Key, Error> {
        let raw = self.raw.get_or_init(|| {
            let numbers = RsaPrivateKey::from_der(self.der.expose()).ok()?;
            raw::Key::rsa_private(self.der.expose(), &numbers)
        });
        raw.as_ref().ok_or_else(|| {
            let numbers = RsaPrivateKey::from_der(self.der.expose()).ok();
            let why = numbers.as_ref().and_then(inconsistency).unwrap_or("its numbers are inconsistent");
            failed(ErrorKind::MalformedKey, key).because(format!("{why} (RFC 8017 §3.2)"))
        })
    }
}

/// Loads a private key.
///
/// # Errors
/// Returns any error from [`Backend::private_key`](crate::Backend::private_key).
pub(super) fn load(info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
    let key = info.key_type();
    if !size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    let (held, public) = match info.material() {
        Material::Rsa(der) => {
            let (rsa, public) = Rsa::load(key, der)?;
            (Held::Rsa(rsa), public)
        }
        Material::Scalar(scalar) => ec(info, scalar)?,
        Material::Octets(octets) => edwards(key, octets)?,
        Material::Seeded(_) if algorithms::ml_dsa(key).is_some() => ml_dsa(info)?,
        Material::Seeded(_) => ml_kem(info)?,
        // A composite key is taken apart above the backend.
        Material::Composite(_) => return Err(failed(ErrorKind::WrongKey, key)),
    };
    if info.public().is_some_and(|claimed| !shared::same_public(claimed, &public)) {
        return Err(failed(ErrorKind::Inconsistent, key));
    }
    let public = public_info(key, &public)?;
    Ok(Arc::new(Private { key, held, pkcs8: info.pkcs8().clone(), public }))
}

fn ec(info: &PrivateKeyInfo, scalar: &Secret) -> Result<(Held, Vec<u8>), Error> {
    let key = info.key_type();
    // The public key follows from the scalar; the caller compares it with an included one.
    let Some(algorithm) = algorithms::ecdsa(key) else {
        let pair = ec::Key::private(key, scalar.expose());
        let pair = pair.ok_or_else(|| failed(ErrorKind::MalformedKey, key))?;
        let public = pair.point().ok_or_else(|| failed(ErrorKind::Failed, key))?;
        return Ok((Held::Curve(pair), public));
    };
    let public = agreement::public_of(key, scalar.expose())?;
    let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, scalar.expose(), &public);
    Ok((Held::Ecdsa(Box::new(pair.map_err(rejected(key))?), scalar.clone(), OnceLock::new()), public))
}

fn edwards(key: KeyType, octets: &Secret) -> Result<(Held, Vec<u8>), Error> {
    match key {
        KeyType::Ed25519 => {
            let pair = Ed25519KeyPair::from_seed_unchecked(octets.expose());
            let pair = pair.map_err(rejected(key))?;
            let public = pair.public_key().as_ref().to_vec();
            Ok((Held::Ed25519(Box::new(pair)), public))
        }
        KeyType::X25519 => Ok((Held::X25519(octets.clone()), agreement::public_of(key, octets.expose())?)),
        _ => Err(failed(ErrorKind::NotOffered, key)),
    }
}

fn ml_dsa(info: &PrivateKeyInfo) -> Result<(Held, Vec<u8>), Error> {
    let key = info.key_type();
    let algorithm = algorithms::ml_dsa(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?;
    let forms = seeded(info)?;
    let pair = match (&forms.seed, &forms.expanded) {
        (Some(seed), _) => PqdsaKeyPair::from_seed(algorithm, seed.expose()),
        (None, Some(expanded)) => PqdsaKeyPair::from_raw_private_key(algorithm, expanded.expose()),
        (None, None) => return Err(failed(ErrorKind::MalformedKey, key)),
    };
    let pair = pair.map_err(rejected(key))?;
    if let Some(expanded) = &forms.expanded {
        let from_seed = pair.private_key().as_raw_bytes().map_err(silent(ErrorKind::Failed, key))?;
        // RFC 9881 §8.2: if both are present, they must match.
        aws_lc_rs::constant_time::verify_slices_are_equal(from_seed.as_ref(), expanded.expose())
            .map_err(silent(ErrorKind::Inconsistent, key))?;
    }
    let public = pair.public_key().as_ref().to_vec();
    Ok((Held::MlDsa(Box::new(pair), forms.seed.clone(), OnceLock::new()), public))
}

fn ml_kem(info: &PrivateKeyInfo) -> Result<(Held, Vec<u8>), Error> {
    let key = info.key_type();
    let algorithm = algorithms::ml_kem(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?;
    let forms = seeded(info)?;
    // FIPS 203 §7.1: the decapsulation key is that of K-PKE, the encapsulation key, its hash, and 32 octets.
    let (from, to) = match key {
        KeyType::MlKem512 => (768, 1568),
        KeyType::MlKem768 => (1152, 2336),
        _ => (1536, 3104),
    };
    let expanded = match (&forms.seed, &forms.expanded) {
        (Some(seed), _) => {
            let seed = Seeded { seed: Some(seed.clone()), expanded: None };
            let pkcs8 = seed.to_pkcs8(key, PostQuantumForm::Seed).map_err(|error| error.by(super::NAME))?;
            let expanded = raw::expand_ml_kem(pkcs8.expose(), to + 64);
            expanded.ok_or_else(|| failed(ErrorKind::MalformedKey, key))?
        }
        (None, Some(expanded)) => expanded.clone(),
        (None, None) => return Err(failed(ErrorKind::MalformedKey, key)),
    };
    if let Some(claimed) = &forms.expanded {
        // RFC 9935 §8: if both are present, they must match.
        aws_lc_rs::constant_time::verify_slices_are_equal(expanded.expose(), claimed.expose())
            .map_err(silent(ErrorKind::Inconsistent, key))?;
    }
    let pair = kem::DecapsulationKey::new(algorithm, expanded.expose());
    let pair = pair.map_err(rejected(key))?;
    let octets = expanded.expose();
    let public = octets.get(from..to).ok_or_else(|| failed(ErrorKind::MalformedKey, key))?.to_vec();
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA3_256, &public);
    // FIPS 203 §7.3, decapsulation input check 3.
    if octets.get(to..to + 32) != Some(hash.as_ref()) {
        return Err(failed(ErrorKind::Inconsistent, key));
    }
    // FIPS 203 §7.1: decapsulation must return the encapsulated secret; implicit rejection would return another one.
    let unspecified = silent(ErrorKind::Failed, key);
    let peer = kem::EncapsulationKey::new(algorithm, &public).map_err(rejected(key))?;
    let (ciphertext, secret) = peer.encapsulate().map_err(unspecified)?;
    if pair.decapsulate(ciphertext).map_err(unspecified)?.as_ref() != secret.as_ref() {
        return Err(failed(ErrorKind::Inconsistent, key));
    }
    let forms = Seeded { seed: forms.seed.clone(), expanded: Some(expanded) };
    Ok((Held::MlKem(Box::new(pair), forms), public))
}

/// Computes the message digest that a scheme signs.
fn digest(scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
    let digest = scheme.digest().ok_or_else(|| failed(ErrorKind::NotOffered, scheme))?;
    AwsLc::new().digest(digest, message)
}

/// Returns the SubjectPublicKeyInfo of a key.
pub(super) fn public_info(key: KeyType, octets: &[u8]) -> Result<Vec<u8>, Error> {
    shared::public_info(key, octets).map_err(|error| failed(ErrorKind::Failed, key).because(error))
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        // SP 800-131A rev. 2 §3: nothing new is signed with less than 112 bits of strength.
        if self.key.is_legacy() {
            return Err(failed(ErrorKind::KeySize, self.key));
        }
        if !algorithms::signs(scheme, self.key) {
            return Err(failed(ErrorKind::NotOffered, scheme));
        }
        let unspecified = silent(ErrorKind::Failed, scheme);
        match &self.held {
            Held::Rsa(rsa) => match (&rsa.pair, algorithms::rsa(scheme)) {
                (Some(pair), Some(encoding)) => {
                    let mut signature = vec![0; pair.public_modulus_len()];
                    pair.sign(encoding, &SystemRandom::new(), message, &mut signature).map_err(unspecified)?;
                    Ok(signature)
                }
                _ => {
                    let digest = digest(scheme, message)?;
                    let signature = rsa.raw(self.key)?.sign_digest(scheme, &digest);
                    signature.ok_or_else(|| failed(ErrorKind::Failed, scheme))
                }
            },
            Held::Ecdsa(pair, ..) if Scheme::preferred(self.key) == Some(*scheme) => {
                Ok(pair.sign(&SystemRandom::new(), message).map_err(unspecified)?.as_ref().to_vec())
            }
            Held::Ecdsa(_, scalar, raw) => {
                let raw = raw.get_or_init(|| ec::Key::private(self.key, scalar.expose()));
                let digest = digest(scheme, message)?;
                raw.as_ref().and_then(|key| key.sign(&digest)).ok_or_else(|| failed(ErrorKind::Failed, scheme))
            }
            Held::Curve(key) => key.sign(&digest(scheme, message)?).ok_or_else(|| failed(ErrorKind::Failed, scheme)),
            Held::Ed25519(pair) => Ok(pair.try_sign(message).map_err(unspecified)?.as_ref().to_vec()),
            Held::MlDsa(pair, ..) => {
                let mut signature = vec![0; pair.algorithm().signature_len()];
                let len = pair.sign(message, &mut signature).map_err(unspecified)?;
                signature.truncate(len);
                Ok(signature)
            }
            Held::X25519(_) | Held::MlKem(..) => Err(failed(ErrorKind::WrongKey, scheme)),
        }
    }

    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context).map_err(|error| error.by(super::NAME))?;
        let (false, Held::MlDsa(pair, _, raw)) = (context.is_empty(), &self.held) else {
            return self.sign(scheme, message);
        };
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        let raw = raw.get_or_init(|| {
            let octets = pair.private_key().as_raw_bytes().ok().map(|octets| Secret::from(octets.as_ref()))?;
            raw::Key::private(self.key, octets.expose())
        });
        let signature = raw.as_ref().and_then(|raw| raw.sign(context, message, pair.algorithm().signature_len()));
        signature.ok_or_else(|| failed(ErrorKind::Failed, scheme))
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        Ok(self.pkcs8.clone())
    }

    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error> {
        let forms = match &self.held {
            Held::MlDsa(pair, seed, _) => {
                let expanded = pair.private_key().as_raw_bytes().map_err(silent(ErrorKind::Failed, self.key))?;
                Seeded { seed: seed.clone(), expanded: Some(Secret::from(expanded.as_ref())) }
            }
            Held::MlKem(_, forms) => forms.clone(),
            _ => return Err(failed(ErrorKind::WrongKey, self.key)),
        };
        forms.to_pkcs8(self.key, form).map_err(|error| error.by(super::NAME))
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        match &self.held {
            Held::Ecdsa(_, octets, _) | Held::X25519(octets) => agreement::agree(self.key, octets.expose(), peer),
            Held::Curve(key) => {
                if KeyType::of(peer)? != self.key {
                    return Err(failed(ErrorKind::WrongKey, self.key));
                }
                let peer = peer.subject_public_key.octets().and_then(|point| ec::Key::public(self.key, point));
                let secret = peer.and_then(|peer| key.agree(&peer));
                secret.ok_or_else(|| failed(ErrorKind::MalformedKey, self.key))
            }
            _ => Err(failed(ErrorKind::WrongKey, self.key)),
        }
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        let Held::MlKem(pair, _) = &self.held else { return Err(failed(ErrorKind::WrongKey, self.key)) };
        let secret = pair.decapsulate(ciphertext.into()).map_err(silent(ErrorKind::Length, self.key))?;
        Ok(Secret::from(secret.as_ref()))
    }

    fn decrypt(&self, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
        let Held::Rsa(rsa) = &self.held else { return Err(failed(ErrorKind::WrongKey, transport)) };
        rsa.raw(self.key)?.decrypt(transport, &[], ciphertext)
    }

    fn decrypt_labeled(&self, oaep: OaepParameters, label: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        let transport = KeyTransport::Oaep(oaep);
        let Held::Rsa(rsa) = &self.held else { return Err(failed(ErrorKind::WrongKey, transport)) };
        rsa.raw(self.key)?.decrypt(transport, label, ciphertext)
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &super::NAME).field("key", &self.key).finish_non_exhaustive()
    }
}
