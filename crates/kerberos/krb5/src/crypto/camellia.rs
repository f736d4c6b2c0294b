//! Camellia with CMAC (RFC 6803). Keys are derived using SP 800-108 in feedback mode.

use tagwise_crypto::{CtsCipher, Error, Primitives, Secret, camellia_cmac};

use super::simplified::Sealing;
use super::{Beside, ENCRYPTION, INTEGRITY, constant};

/// Computes KDF-FEEDBACK-CMAC (RFC 6803 §3).
pub(super) fn derive(cipher: CtsCipher, key: &[u8], constant: &[u8]) -> Result<Secret, Error> {
    let bits = u32::try_from(cipher.key_len().saturating_mul(8)).unwrap_or(u32::MAX).to_be_bytes();
    let mut derived = Secret::zeroed(cipher.key_len());
    let mut last = Secret::zeroed(16);
    for (chunk, count) in derived.expose_mut().chunks_mut(16).zip(1_u32..) {
        let input = Secret::from([last.expose(), &count.to_be_bytes(), constant, &[0], &bits].concat());
        last = Secret::from(camellia_cmac(key, input.expose())?);
        chunk.iter_mut().zip(last.expose()).for_each(|(to, from)| *to = *from);
    }
    Ok(derived)
}

pub(super) fn encrypt(
    backend: &dyn Primitives,
    cipher: CtsCipher,
    key: &[u8],
    usage: u32,
    confounded: &[u8],
    beside: &[Beside<'_>],
) -> Result<Vec<u8>, Error> {
    let encryption = derive(cipher, key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(cipher, key, &constant(usage, INTEGRITY))?;
    sealing(cipher, &encryption, &integrity).seal(backend, confounded, beside)
}

/// Decrypts data, and returns the confounder followed by the plaintext.
pub(super) fn decrypt(
    backend: &dyn Primitives,
    cipher: CtsCipher,
    key: &[u8],
    usage: u32,
    sent: &[u8],
    beside: &[Beside<'_>],
) -> Result<Secret, Error> {
    let encryption = derive(cipher, key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(cipher, key, &constant(usage, INTEGRITY))?;
    sealing(cipher, &encryption, &integrity).open(backend, sent, beside)
}

fn sealing<'k>(
    cipher: CtsCipher,
    encryption: &'k Secret,
    integrity: &'k Secret,
) -> Sealing<'k, impl Fn(&[u8]) -> Result<Vec<u8>, Error>> {
    let mac = |text: &[u8]| camellia_cmac(integrity.expose(), text).map(|mac| mac.to_vec());
    Sealing { cipher, encryption, mac, mac_len: 16 }
}

pub(super) fn prf(cipher: CtsCipher, key: &[u8], input: &[u8]) -> Result<Secret, Error> {
    camellia_cmac(derive(cipher, key, b"prf")?.expose(), input).map(Secret::from)
}
