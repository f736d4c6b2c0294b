//! Signing, verifying and key agreement with PKCS #11 mechanisms, for any token.

use cryptoki::error::{Error as Failure, RvError};
use cryptoki::mechanism::eddsa::{EddsaParams, EddsaSignatureScheme};
use cryptoki::mechanism::elliptic_curve::{EcKdf, Ecdh1DeriveParams};
use cryptoki::mechanism::rsa::{PkcsMgfType, PkcsPssParams};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::{Attribute, AttributeType, KeyType as Kind, ObjectClass, ObjectHandle};
use cryptoki::types::Ulong;
use tagwise_codec::{Decode, Int, encode};
use tagwise_pkix::algorithms::EcdsaSigValue;

use super::slot::Slot;
use crate::{Digest, Error, ErrorKind, KeyType, PssParameters, Scheme, Secret};

/// A nonnegative integer, created from its big-endian bytes.
pub(crate) struct Unsigned(Vec<u8>);

impl Unsigned {
    pub(crate) fn new(octets: &[u8]) -> Self {
        Self([&[0], octets].concat())
    }

    pub(crate) fn int(&self) -> Int<'_> {
        Int::from_signed(&self.0)
    }
}

impl Drop for Unsigned {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// Returns the mechanism type of a digest.
pub(crate) const fn digest(digest: Digest) -> Option<MechanismType> {
    Some(match digest {
        Digest::Sha1 => MechanismType::SHA1,
        Digest::Sha224 => MechanismType::SHA224,
        Digest::Sha256 => MechanismType::SHA256,
        Digest::Sha384 => MechanismType::SHA384,
        Digest::Sha512 => MechanismType::SHA512,
        _ => return None,
    })
}

/// Returns the mechanism that computes a digest.
pub(crate) const fn digesting(digest: Digest) -> Option<Mechanism<'static>> {
    Some(match digest {
        Digest::Sha1 => Mechanism::Sha1,
        Digest::Sha224 => Mechanism::Sha224,
        Digest::Sha256 => Mechanism::Sha256,
        Digest::Sha384 => Mechanism::Sha384,
        Digest::Sha512 => Mechanism::Sha512,
        _ => return None,
    })
}

/// Returns MGF1 with the given digest.
pub(super) const fn mask(digest: Digest) -> Option<PkcsMgfType> {
    Some(match digest {
        Digest::Sha1 => PkcsMgfType::MGF1_SHA1,
        Digest::Sha224 => PkcsMgfType::MGF1_SHA224,
        Digest::Sha256 => PkcsMgfType::MGF1_SHA256,
        Digest::Sha384 => PkcsMgfType::MGF1_SHA384,
        Digest::Sha512 => PkcsMgfType::MGF1_SHA512,
        _ => return None,
    })
}

fn pss(parameters: &PssParameters) -> Option<Mechanism<'static>> {
    let inside = PkcsPssParams {
        hash_alg: digest(parameters.digest)?,
        mgf: mask(parameters.mask)?,
        s_len: Ulong::from(u64::from(parameters.salt_len)),
    };
    Some(match parameters.digest {
        Digest::Sha1 => Mechanism::Sha1RsaPkcsPss(inside),
        Digest::Sha256 => Mechanism::Sha256RsaPkcsPss(inside),
        Digest::Sha384 => Mechanism::Sha384RsaPkcsPss(inside),
        Digest::Sha512 => Mechanism::Sha512RsaPkcsPss(inside),
        _ => return None,
    })
}

/// Returns the mechanism of a scheme. The ECDSA mechanism expects a digest, because not all tokens can compute it.
fn mechanism(scheme: &Scheme) -> Option<Mechanism<'static>> {
    Some(match scheme {
        Scheme::RsaPkcs1(Digest::Sha1) => Mechanism::Sha1RsaPkcs,
        Scheme::RsaPkcs1(Digest::Sha224) => Mechanism::Sha224RsaPkcs,
        Scheme::RsaPkcs1(Digest::Sha256) => Mechanism::Sha256RsaPkcs,
        Scheme::RsaPkcs1(Digest::Sha384) => Mechanism::Sha384RsaPkcs,
        Scheme::RsaPkcs1(Digest::Sha512) => Mechanism::Sha512RsaPkcs,
        Scheme::RsaPss(parameters) => return pss(parameters),
        Scheme::Ecdsa(_) => Mechanism::Ecdsa,
        Scheme::Ed25519 => Mechanism::Eddsa(EddsaParams::new(EddsaSignatureScheme::Ed25519)),
        Scheme::Ed448 => Mechanism::Eddsa(EddsaParams::new(EddsaSignatureScheme::Ed448(&[]))),
        _ => return None,
    })
}

/// Returns whether a token can sign or verify with a scheme, according to its mechanisms and their key sizes.
pub(crate) fn offers(slot: &Slot, scheme: &Scheme, key: KeyType, signs: bool) -> bool {
    let Some(mechanism) = mechanism(scheme) else { return false };
    let Some(info) = slot.mechanism(mechanism.mechanism_type()) else { return false };
    // For Edwards curves, some tokens also count the sign bit of the other coordinate.
    let sizes = match key {
        KeyType::Rsa(bits) => [bits as usize; 2],
        KeyType::P256 => [256; 2],
        KeyType::P384 => [384; 2],
        KeyType::P521 => [521; 2],
        KeyType::Ed25519 => [255, 256],
        _ => [448, 456],
    };
    // Some count bytes, and some do not report the size.
    let (least, most) = (info.min_key_size(), info.max_key_size());
    let fits = |bits: &usize| (least..=most).contains(bits) || most < 128 && bits.div_ceil(8) <= most;
    let sized = most == 0 || sizes.iter().any(fits);
    let hashed = match scheme {
        Scheme::Ecdsa(by) => digest(*by).is_some_and(|by| slot.mechanism(by).is_some()),
        _ => true,
    };
    scheme.fits(key) && sized && hashed && if signs { info.sign() } else { info.verify() }
}

/// Returns the length of a coordinate in bytes.
pub(crate) const fn coordinate(key: KeyType) -> usize {
    match key {
        KeyType::P256 => 32,
        KeyType::P384 => 48,
        _ => 66,
    }
}

/// Signs a message, and returns the signature in the format used in certificates. For ECDSA, the token's concatenated numbers are
/// converted to a SEQUENCE.
pub(crate) fn sign(slot: &Slot, object: ObjectHandle, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
    let failed = |kind| Error::new(kind, scheme).by(slot.label());
    let mechanism = mechanism(scheme).ok_or_else(|| failed(ErrorKind::NotOffered))?;
    let token = |failure: Failure| failed(ErrorKind::Failed).because(failure);
    let Scheme::Ecdsa(by) = scheme else {
        return slot.with(|session| session.sign(&mechanism, object, message)).map_err(token);
    };
    let by = digesting(*by).ok_or_else(|| failed(ErrorKind::NotOffered))?;
    let both = slot.with(|session| {
        let digest = session.digest(&by, message)?;
        session.sign(&mechanism, object, &digest)
    });
    let both = both.map_err(token)?;
    let (r, s) = both.split_at_checked(both.len() / 2).unwrap_or_default();
    let (r, s) = (Unsigned::new(r), Unsigned::new(s));
    encode(&EcdsaSigValue { r: r.int(), s: s.int() }).map_err(|error| failed(ErrorKind::Failed).because(error))
}

/// Verifies a signature in the format that [`sign`] returns.
#[cfg_attr(not(feature = "nss"), allow(dead_code, reason = "tokens other than NSS cannot verify"))]
pub(crate) fn verify(
    slot: &Slot,
    object: ObjectHandle,
    key: KeyType,
    scheme: &Scheme,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let failed = |kind| Error::new(kind, scheme).by(slot.label());
    let mechanism = mechanism(scheme).ok_or_else(|| failed(ErrorKind::NotOffered))?;
    let wrong = |failure: Failure| match failure {
        Failure::Pkcs11(RvError::SignatureInvalid | RvError::SignatureLenRange, _) => failed(ErrorKind::Signature),
        // Any other result does not mean that the signature is valid.
        failure => failed(ErrorKind::Signature).because(failure),
    };
    let Scheme::Ecdsa(by) = scheme else {
        return slot.with(|session| session.verify(&mechanism, object, message, signature)).map_err(wrong);
    };
    let malformed = |error: tagwise_codec::Error| failed(ErrorKind::Signature).because(error);
    let value = EcdsaSigValue::from_der(signature).map_err(malformed)?;
    let len = coordinate(key);
    let mut both = Vec::with_capacity(2 * len);
    for number in [value.r, value.s] {
        let octets = number.magnitude();
        let padding = len.checked_sub(octets.len()).filter(|_| !number.is_negative());
        both.resize(both.len() + padding.ok_or_else(|| failed(ErrorKind::Signature))?, 0);
        both.extend_from_slice(octets);
    }
    let by = digesting(*by).ok_or_else(|| failed(ErrorKind::NotOffered))?;
    let verified = slot.with(|session| {
        let digest = session.digest(&by, message)?;
        session.verify(&mechanism, object, &digest, &both)
    });
    verified.map_err(wrong)
}

/// Computes the ECDH shared secret, if the token allows extracting it.
pub(crate) fn agree(slot: &Slot, object: ObjectHandle, key: KeyType, point: &[u8]) -> Result<Secret, Error> {
    let failed = |kind| Error::new(kind, key).by(slot.label());
    if slot.mechanism(MechanismType::ECDH1_DERIVE).is_none() {
        return Err(failed(ErrorKind::NotOffered));
    }
    let template = [
        Attribute::Class(ObjectClass::SECRET_KEY),
        Attribute::KeyType(Kind::GENERIC_SECRET),
        Attribute::Token(false),
        Attribute::Sensitive(false),
        Attribute::Extractable(true),
        Attribute::ValueLen(Ulong::from(coordinate(key) as u64)),
    ];
    let derived = slot.with(|session| {
        let mechanism = Mechanism::Ecdh1Derive(Ecdh1DeriveParams::new(EcKdf::null(), point));
        let secret = session.derive_key(&mechanism, object, &template)?;
        let value = session.get_attributes(secret, &[AttributeType::Value]);
        session.destroy_object(secret)?;
        value
    });
    match derived {
        Ok(mut attributes) => match attributes.pop() {
            Some(Attribute::Value(value)) => Ok(Secret::from(value)),
            _ => Err(failed(ErrorKind::NotOffered)),
        },
        Err(failure) => Err(failed(ErrorKind::MalformedKey).because(failure)),
    }
}
