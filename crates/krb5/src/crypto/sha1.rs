//! The simplified profile (RFC 3961 §5.3) with AES and SHA-1 (RFC 3962).

use tagwise_crypto::{CtsCipher, Digest, Error, ErrorKind, Primitives, Secret};

use super::simplified::Sealing;
use super::{Beside, ENCRYPTION, INTEGRITY, constant, hmac, n_fold};

const BLOCK: usize = 16;

/// DR and DK (RFC 3961 §5.1): random-to-key is the identity for AES.
pub(super) fn derive(
    backend: &dyn Primitives,
    cipher: CtsCipher,
    key: &[u8],
    constant: &[u8],
) -> Result<Secret, Error> {
    let mut block = match constant.len() {
        BLOCK => Secret::from(constant),
        _ => n_fold(constant, BLOCK),
    };
    let mut derived = Secret::zeroed(cipher.key_len());
    for chunk in derived.expose_mut().chunks_mut(BLOCK) {
        block = Secret::from(cipher.encrypt(backend, key, &[0; BLOCK], block.expose())?);
        chunk.iter_mut().zip(block.expose()).for_each(|(to, from)| *to = *from);
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
    let encryption = derive(backend, cipher, key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(backend, cipher, key, &constant(usage, INTEGRITY))?;
    sealing(backend, cipher, &encryption, &integrity).seal(backend, confounded, beside)
}

/// Gives the confounder and what is behind it.
pub(super) fn decrypt(
    backend: &dyn Primitives,
    cipher: CtsCipher,
    key: &[u8],
    usage: u32,
    sent: &[u8],
    beside: &[Beside<'_>],
) -> Result<Secret, Error> {
    let encryption = derive(backend, cipher, key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(backend, cipher, key, &constant(usage, INTEGRITY))?;
    sealing(backend, cipher, &encryption, &integrity).open(backend, sent, beside)
}

fn sealing<'k>(
    backend: &'k dyn Primitives,
    cipher: CtsCipher,
    encryption: &'k Secret,
    integrity: &'k Secret,
) -> Sealing<'k, impl Fn(&[u8]) -> Result<Vec<u8>, Error>> {
    let mac = move |text: &[u8]| hmac(backend, Digest::Sha1, integrity.expose(), &[text], 12);
    Sealing { cipher, encryption, mac, mac_len: 12 }
}

/// The pseudo-random function of the simplified profile: the digest, cut to whole blocks, encrypted.
pub(super) fn prf(backend: &dyn Primitives, cipher: CtsCipher, key: &[u8], input: &[u8]) -> Result<Secret, Error> {
    let derived = derive(backend, cipher, key, b"prf")?;
    let digest = backend.digest(Digest::Sha1, input)?;
    let block = digest.first_chunk::<BLOCK>().ok_or_else(|| Error::new(ErrorKind::Failed, Digest::Sha1))?;
    cipher.encrypt(backend, derived.expose(), &[0; BLOCK], block).map(Secret::from)
}
