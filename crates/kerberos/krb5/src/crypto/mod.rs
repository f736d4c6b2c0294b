//! The cryptography of RFC 3961 and its profiles: encryption types, checksums, string-to-key, and pseudo-random
//! functions.
//!
//! Ciphers, MACs and digests come from any `tagwise-crypto` backend.
//!
//! ```
//! use tagwise_crypto::backends::AwsLc;
//! use tagwise_krb5::crypto::{EncType, Key, StringToKey};
//!
//! let backend = AwsLc::new();
//! let key = StringToKey::new(EncType::Aes256CtsHmacSha196).salt(b"KRB.TESTalice").derive(&backend, b"alicepw")?;
//! let sent = key.encrypt(&backend, 1, b"what is said")?;
//! assert_eq!(key.decrypt(&backend, 1, &sent)?.expose(), b"what is said");
//! // Another usage is another key.
//! assert!(key.decrypt(&backend, 2, &sent).is_err());
//! # Ok::<(), tagwise_crypto::Error>(())
//! ```

mod beside;
mod camellia;
mod checksum;
mod des3;
mod enc_type;
mod fx;
mod key;
mod nfold;
mod rc4;
mod sha1;
mod sha2;
mod simplified;
mod string_to_key;
#[cfg(test)]
mod tests;
pub mod usage;
mod usage_key;

pub(crate) use beside::Beside;
pub use checksum::{ChecksumType, hmac_md5};
pub use enc_type::EncType;
pub use fx::{cf2, prf_plus};
pub use key::Key;
pub use nfold::n_fold;
pub use string_to_key::{StringToKey, StringToKeyLimits};
pub use usage_key::{OpeningKey, SealingKey};

use tagwise_crypto::{Digest, Error, ErrorKind, Primitives};

/// Computes an HMAC over several byte ranges, truncated to `len` bytes.
fn hmac(backend: &dyn Primitives, digest: Digest, key: &[u8], pieces: &[&[u8]], len: usize) -> Result<Vec<u8>, Error> {
    let mut hasher = backend.hmac(digest, key)?;
    pieces.iter().for_each(|piece| hasher.update(piece));
    let mut mac = hasher.finish()?;
    mac.truncate(len);
    Ok(mac)
}

/// Compares two values in constant time.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && core::hint::black_box(differing) == 0
}

/// Splits off the last `len` bytes.
fn split_end(octets: &[u8], len: usize, name: impl core::fmt::Display) -> Result<(&[u8], &[u8]), Error> {
    let at = octets.len().checked_sub(len).ok_or_else(|| Error::new(ErrorKind::Length, &name))?;
    octets.split_at_checked(at).ok_or_else(|| Error::new(ErrorKind::Length, &name))
}

/// Returns the constant from which a key for a usage is derived (RFC 3961 §5.3).
const fn constant(usage: u32, kind: u8) -> [u8; 5] {
    let [a, b, c, d] = usage.to_be_bytes();
    [a, b, c, d, kind]
}

/// The last byte of [`constant`] for checksums.
const CHECKSUM: u8 = 0x99;
/// The last byte of [`constant`] for encryption.
const ENCRYPTION: u8 = 0xAA;
/// The last byte of [`constant`] for the integrity of encrypted data.
const INTEGRITY: u8 = 0x55;
