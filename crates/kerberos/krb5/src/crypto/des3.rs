//! Triple DES with SHA-1 (RFC 3961 §6.3), only for legacy realms.

use tagwise_crypto::{Digest, Error, ErrorKind, OldCipher, Primitives, Secret};

use super::{ENCRYPTION, INTEGRITY, constant, hmac, is_same, n_fold, split_end};

const CIPHER: OldCipher = OldCipher::TripleDesCbc;
const MAC: usize = 20;

/// Encrypts whole blocks without padding.
fn encrypt_blocks(key: &[u8], blocks: &[u8]) -> Result<Secret, Error> {
    let mut sent = Secret::from(CIPHER.encrypt(key, &[0; 8], blocks)?);
    // Behind whole blocks the padding is a block of its own.
    sent.truncate(blocks.len());
    Ok(sent)
}

fn decrypt_blocks(key: &[u8], blocks: &[u8]) -> Result<Secret, Error> {
    // The cipher wants a padding behind the blocks: that of nothing, chained to the last one.
    let chain = blocks.last_chunk::<8>().filter(|_| blocks.len().is_multiple_of(8));
    let chain = chain.ok_or_else(|| Error::new(ErrorKind::Length, CIPHER))?;
    let padding = CIPHER.encrypt(key, chain, &[])?;
    CIPHER.decrypt(key, &[0; 8], &[blocks, &padding].concat())
}

/// Implements random-to-key: expands 56 bits to eight bytes with odd parity, three times.
pub(super) fn key_of_seed(seed: &[u8]) -> Secret {
    let mut key = Secret::zeroed(24);
    for (part, seed) in key.expose_mut().chunks_mut(8).zip(seed.chunks(7)) {
        let low = seed.iter().zip(1..).fold(0, |low, (octet, at)| low | (octet & 1) << at);
        part.iter_mut().zip(seed.iter().copied().chain([low])).for_each(|(to, octet)| {
            let even = octet & 0xFE;
            *to = even | u8::from(even.count_ones().is_multiple_of(2));
        });
        if WEAK.iter().any(|weak| weak == part)
            && let Some(last) = part.last_mut()
        {
            *last ^= 0xF0;
        }
    }
    key
}

/// The weak and semi-weak DES keys (FIPS 74, NIST SP 800-67 §3.4.2).
const WEAK: [[u8; 8]; 16] = [
    [0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01],
    [0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE],
    [0x1F, 0x1F, 0x1F, 0x1F, 0x0E, 0x0E, 0x0E, 0x0E],
    [0xE0, 0xE0, 0xE0, 0xE0, 0xF1, 0xF1, 0xF1, 0xF1],
    [0x01, 0xFE, 0x01, 0xFE, 0x01, 0xFE, 0x01, 0xFE],
    [0xFE, 0x01, 0xFE, 0x01, 0xFE, 0x01, 0xFE, 0x01],
    [0x1F, 0xE0, 0x1F, 0xE0, 0x0E, 0xF1, 0x0E, 0xF1],
    [0xE0, 0x1F, 0xE0, 0x1F, 0xF1, 0x0E, 0xF1, 0x0E],
    [0x01, 0xE0, 0x01, 0xE0, 0x01, 0xF1, 0x01, 0xF1],
    [0xE0, 0x01, 0xE0, 0x01, 0xF1, 0x01, 0xF1, 0x01],
    [0x1F, 0xFE, 0x1F, 0xFE, 0x0E, 0xFE, 0x0E, 0xFE],
    [0xFE, 0x1F, 0xFE, 0x1F, 0xFE, 0x0E, 0xFE, 0x0E],
    [0x01, 0x1F, 0x01, 0x1F, 0x01, 0x0E, 0x01, 0x0E],
    [0x1F, 0x01, 0x1F, 0x01, 0x0E, 0x01, 0x0E, 0x01],
    [0xE0, 0xFE, 0xE0, 0xFE, 0xF1, 0xFE, 0xF1, 0xFE],
    [0xFE, 0xE0, 0xFE, 0xE0, 0xFE, 0xF1, 0xFE, 0xF1],
];

pub(super) fn derive(key: &[u8], constant: &[u8]) -> Result<Secret, Error> {
    let mut block = match constant.len() {
        8 => Secret::from(constant),
        _ => n_fold(constant, 8),
    };
    let mut seed = Secret::zeroed(21);
    for chunk in seed.expose_mut().chunks_mut(8) {
        block = encrypt_blocks(key, block.expose())?;
        chunk.iter_mut().zip(block.expose()).for_each(|(to, from)| *to = *from);
    }
    Ok(key_of_seed(seed.expose()))
}

pub(super) fn encrypt(backend: &dyn Primitives, key: &[u8], usage: u32, confounded: &[u8]) -> Result<Vec<u8>, Error> {
    let encryption = derive(key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(key, &constant(usage, INTEGRITY))?;
    let mut padded = Secret::zeroed(confounded.len().next_multiple_of(8));
    padded.expose_mut().iter_mut().zip(confounded).for_each(|(to, from)| *to = *from);
    let sent = encrypt_blocks(encryption.expose(), padded.expose())?;
    let mac = hmac(backend, Digest::Sha1, integrity.expose(), &[padded.expose()], MAC)?;
    Ok([sent.expose(), &mac].concat())
}

/// Decrypts data, and returns the confounder followed by the plaintext with its padding.
pub(super) fn decrypt(backend: &dyn Primitives, key: &[u8], usage: u32, sent: &[u8]) -> Result<Secret, Error> {
    let (sent, mac) = split_end(sent, MAC, CIPHER)?;
    let encryption = derive(key, &constant(usage, ENCRYPTION))?;
    let integrity = derive(key, &constant(usage, INTEGRITY))?;
    let confounded = decrypt_blocks(encryption.expose(), sent)?;
    match is_same(&hmac(backend, Digest::Sha1, integrity.expose(), &[confounded.expose()], MAC)?, mac) {
        true => Ok(confounded),
        false => Err(Error::new(ErrorKind::Integrity, CIPHER)),
    }
}

pub(super) fn prf(backend: &dyn Primitives, key: &[u8], input: &[u8]) -> Result<Secret, Error> {
    let digest = backend.digest(Digest::Sha1, input)?;
    let blocks = digest.first_chunk::<16>().ok_or_else(|| Error::new(ErrorKind::Failed, Digest::Sha1))?;
    encrypt_blocks(derive(key, b"prf")?.expose(), blocks)
}

/// Derives a key from a password (RFC 3961 §6.3.1).
pub(super) fn string_to_key(password: &[u8], salt: &[u8]) -> Result<Secret, Error> {
    let folded = n_fold(Secret::from([password, salt].concat()).expose(), 21);
    derive(key_of_seed(folded.expose()).expose(), b"kerberos")
}
