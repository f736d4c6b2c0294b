//! Information about public keys.

use std::mem::MaybeUninit;

use tagwise::codec::Decode as _;
use tagwise::pkix::SubjectPublicKeyInfo;

use crate::bytes::{put, tagwise_bytes};
use crate::error::tagwise_error;

/// A description of a public key. The strings are static and must not be freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_key_info {
    /// The name of the algorithm.
    algorithm: tagwise_bytes,
    /// The name of the curve. Absent if the key has no curve, or its name is unknown.
    curve: tagwise_bytes,
    /// The key size in bits; 0 if it is unknown.
    bits: u32,
}

/// Describes a public key, given as an encoded SubjectPublicKeyInfo.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_public_key_info(
    public_key: tagwise_bytes,
    info: Option<&mut MaybeUninit<tagwise_key_info>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let found = SubjectPublicKeyInfo::outline(public_key.der()?)?.info();
        let (algorithm, curve) = (tagwise_bytes::of(found.algorithm.as_bytes()), found.curve.map(str::as_bytes));
        put(
            info,
            tagwise_key_info { algorithm, curve: tagwise_bytes::of_option(curve), bits: found.bits.unwrap_or(0) },
        );
        Ok(true)
    })
}
