//! SHAKE (FIPS 202 §6.2) of a whole message, for pre-hash and composite signatures with any backend.

use sha3::digest::ExtendableOutput;
use sha3::{Shake128, Shake256};

/// Computes 32 bytes of SHAKE128.
pub(crate) fn shake128(message: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    Shake128::digest_xof(message, &mut digest);
    digest
}

/// Computes 64 bytes of SHAKE256.
pub(crate) fn shake256(message: &[u8]) -> [u8; 64] {
    let mut digest = [0; 64];
    Shake256::digest_xof(message, &mut digest);
    digest
}
