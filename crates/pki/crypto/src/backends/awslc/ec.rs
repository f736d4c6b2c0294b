//! ECDSA and ECDH through AWS-LC's C API, for curves and digests that aws-lc-rs does not support.
#![allow(unsafe_code, reason = "functions of C")]

use core::ptr::{NonNull, null, null_mut};

use aws_lc_sys::{
    BN_bn2bin_padded, EC_GROUP, EC_KEY, EC_KEY_check_key, EC_KEY_free, EC_KEY_generate_key, EC_KEY_get0_private_key,
    EC_KEY_get0_public_key, EC_KEY_new, EC_KEY_set_group, EC_KEY_set_private_key, EC_KEY_set_public_key, EC_POINT,
    EC_POINT_free, EC_POINT_mul, EC_POINT_new, EC_POINT_oct2point, EC_POINT_point2oct, EC_group_brainpoolP224r1,
    EC_group_brainpoolP256r1, EC_group_brainpoolP320r1, EC_group_brainpoolP384r1, EC_group_brainpoolP512r1,
    EC_group_p224, EC_group_p256, EC_group_p384, EC_group_p521, EC_group_secp256k1, ECDH_compute_key, ECDSA_sign,
    ECDSA_size, ECDSA_verify, point_conversion_form_t,
};

use super::curves;
use super::raw::{Number, done};
use crate::backends::shared;
use crate::{Curve, KeyType, Secret};

/// Returns AWS-LC's static group of a curve.
fn group(key: KeyType) -> Option<NonNull<EC_GROUP>> {
    // SAFETY: these functions take nothing and return constants of the library.
    let group = unsafe {
        match key {
            KeyType::P256 => EC_group_p256(),
            KeyType::P384 => EC_group_p384(),
            KeyType::P521 => EC_group_p521(),
            KeyType::Curve(curve) => match curve {
                Curve::P224 => EC_group_p224(),
                Curve::Secp256k1 => EC_group_secp256k1(),
                Curve::BrainpoolP224r1 => EC_group_brainpoolP224r1(),
                Curve::BrainpoolP256r1 => EC_group_brainpoolP256r1(),
                Curve::BrainpoolP320r1 => EC_group_brainpoolP320r1(),
                Curve::BrainpoolP384r1 => EC_group_brainpoolP384r1(),
                Curve::BrainpoolP512r1 => EC_group_brainpoolP512r1(),
                other => return curves::group(other),
            },
            _ => return None,
        }
    };
    NonNull::new(group.cast_mut())
}

/// A point, freed on drop.
struct Point(NonNull<EC_POINT>);

impl Point {
    fn new(group: NonNull<EC_GROUP>) -> Option<Self> {
        // SAFETY: the group is a constant.
        NonNull::new(unsafe { EC_POINT_new(group.as_ptr()) }).map(Self)
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { EC_POINT_free(self.0.as_ptr()) }
    }
}

/// An elliptic curve public key or key pair.
pub(super) struct Key {
    key: NonNull<EC_KEY>,
    group: NonNull<EC_GROUP>,
    /// The length of a coordinate, and of the private key, in bytes.
    len: usize,
}

// SAFETY: a key is only read once it is made, which threads may do at once (ec_key.h).
unsafe impl Send for Key {}
// SAFETY: as above.
unsafe impl Sync for Key {}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { EC_KEY_free(self.key.as_ptr()) }
    }
}

impl Key {
    /// Creates a key without a public and private part.
    fn empty(kind: KeyType) -> Option<Self> {
        let (group, len) = (group(kind)?, kind.coordinate_len()?);
        // SAFETY: nothing goes in.
        let key = NonNull::new(unsafe { EC_KEY_new() })?;
        let key = Self { key, group, len };
        // SAFETY: key and group are valid.
        done(unsafe { EC_KEY_set_group(key.key.as_ptr(), group.as_ptr()) })?;
        Some(key)
    }

    /// Loads a public key from a compressed or uncompressed point.
    pub(super) fn public(kind: KeyType, bytes: &[u8]) -> Option<Self> {
        if !shared::is_point(kind, bytes) {
            return None;
        }
        let key = Self::empty(kind)?;
        let point = Point::new(key.group)?;
        // SAFETY: all are valid, and the bytes as long as stated; the key copies the point.
        unsafe {
            let (to, from) = (point.0.as_ptr(), bytes.as_ptr());
            done(EC_POINT_oct2point(key.group.as_ptr(), to, from, bytes.len(), null_mut()))?;
            done(EC_KEY_set_public_key(key.key.as_ptr(), to))?;
        }
        Some(key)
    }

    /// Loads a private key, and computes its public key.
    pub(super) fn private(kind: KeyType, scalar: &[u8]) -> Option<Self> {
        let key = Self::empty(kind)?;
        let (number, point) = (Number::of(scalar)?, Point::new(key.group)?);
        // SAFETY: all are valid; the key copies number and point.
        unsafe {
            done(EC_KEY_set_private_key(key.key.as_ptr(), number.as_ptr()))?;
            let (group, to) = (key.group.as_ptr(), point.0.as_ptr());
            done(EC_POINT_mul(group, to, number.as_ptr(), null(), null(), null_mut()))?;
            done(EC_KEY_set_public_key(key.key.as_ptr(), to))?;
            done(EC_KEY_check_key(key.key.as_ptr()))?;
        }
        Some(key)
    }

    /// Generates a private key, encoded with the length of the curve's order.
    pub(super) fn generate(kind: KeyType) -> Option<Secret> {
        let key = Self::empty(kind)?;
        let mut scalar = Secret::zeroed(key.len);
        // SAFETY: the key is valid, and so is its number once it is generated; the result has room.
        unsafe {
            done(EC_KEY_generate_key(key.key.as_ptr()))?;
            let number = EC_KEY_get0_private_key(key.key.as_ptr());
            done(BN_bn2bin_padded(scalar.expose_mut().as_mut_ptr(), key.len, number))?;
        }
        Some(scalar)
    }

    /// Returns the public key as an uncompressed point.
    pub(super) fn point(&self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 1 + 2 * self.len];
        let form = point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED;
        // SAFETY: a key that was made has a public half; the result has room.
        let len = unsafe {
            let point = EC_KEY_get0_public_key(self.key.as_ptr());
            EC_POINT_point2oct(self.group.as_ptr(), point, form, bytes.as_mut_ptr(), bytes.len(), null_mut())
        };
        (len == bytes.len()).then_some(bytes)
    }

    /// Signs a digest. Returns a SEQUENCE of two INTEGERs in DER.
    pub(super) fn sign(&self, digest: &[u8]) -> Option<Vec<u8>> {
        // SAFETY: the key is valid.
        let mut signature = vec![0; unsafe { ECDSA_size(self.key.as_ptr()) }];
        let mut len = 0;
        // SAFETY: the digest is as long as stated, and the signature has room for the longest.
        done(unsafe {
            let (from, out) = (digest.as_ptr(), signature.as_mut_ptr());
            ECDSA_sign(0, from, digest.len(), out, &mut len, self.key.as_ptr())
        })?;
        signature.truncate(usize::try_from(len).ok()?);
        Some(signature)
    }

    /// Returns whether a DER signature is valid for this digest.
    pub(super) fn verifies(&self, digest: &[u8], signature: &[u8]) -> bool {
        // SAFETY: what comes in is as long as stated.
        let code = unsafe {
            let (from, of) = (digest.as_ptr(), signature.as_ptr());
            ECDSA_verify(0, from, digest.len(), of, signature.len(), self.key.as_ptr())
        };
        done(code).is_some()
    }

    /// Computes the ECDH shared secret with a public key on the same curve: the x-coordinate (SEC 1 §3.3.1).
    pub(super) fn agree(&self, peer: &Self) -> Option<Secret> {
        let mut secret = Secret::zeroed(self.len);
        // SAFETY: both keys are valid, and the result has room.
        let len = unsafe {
            let point = EC_KEY_get0_public_key(peer.key.as_ptr());
            ECDH_compute_key(secret.expose_mut().as_mut_ptr().cast(), self.len, point, self.key.as_ptr(), None)
        };
        done(i32::from(usize::try_from(len) == Ok(self.len)))?;
        Some(secret)
    }
}
