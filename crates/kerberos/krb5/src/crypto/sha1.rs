//! The simplified profile (RFC 3961 §5.3) with AES and SHA-1 (RFC 3962).

use tagwise_crypto::{CtsCipher, CtsKey, Digest, Direction, Error, ErrorKind, Primitives, Secret};

use super::n_fold;
use super::nfold::fold_constant;

const BLOCK: usize = 16;

/// Computes DR and DK (RFC 3961 §5.1). For AES, random-to-key is the identity.
pub(super) fn derive(
    backend: &dyn Primitives,
    cipher: CtsCipher,
    key: &[u8],
    constant: &[u8],
) -> Result<Secret, Error> {
    derive_by(backend, &base_key(backend, cipher, key)?, cipher.key_len(), constant)
}

/// Prepares a base key for several derivations.
pub(super) fn base_key(backend: &dyn Primitives, cipher: CtsCipher, key: &[u8]) -> Result<CtsKey, Error> {
    cipher.key(backend, Direction::Encrypt, key)
}

pub(super) fn derive_by(
    backend: &dyn Primitives,
    base: &CtsKey,
    key_len: usize,
    constant: &[u8],
) -> Result<Secret, Error> {
    let mut block = match <[u8; 5]>::try_from(constant) {
        Ok(constant) => Secret::from(&fold_constant(constant)[..]),
        Err(_) if constant.len() == BLOCK => Secret::from(constant),
        Err(_) => n_fold(constant, BLOCK),
    };
    let mut derived = Secret::zeroed(key_len);
    for chunk in derived.expose_mut().chunks_mut(BLOCK) {
        base.encrypt(backend, &[0; BLOCK], block.expose_mut())?;
        chunk.iter_mut().zip(block.expose()).for_each(|(to, from)| *to = *from);
    }
    Ok(derived)
}

/// Computes the pseudo-random function of the simplified profile: the digest, truncated to whole blocks and encrypted.
pub(super) fn prf(backend: &dyn Primitives, cipher: CtsCipher, key: &[u8], input: &[u8]) -> Result<Secret, Error> {
    let derived = derive(backend, cipher, key, b"prf")?;
    let digest = backend.digest(Digest::Sha1, input)?;
    let block = digest.first_chunk::<BLOCK>().ok_or_else(|| Error::new(ErrorKind::Failed, Digest::Sha1))?;
    cipher.encrypt(backend, derived.expose(), &[0; BLOCK], block).map(Secret::from)
}
