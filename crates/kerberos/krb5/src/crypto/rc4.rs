//! RC4 with HMAC-MD5 (RFC 4757), only for legacy realms. MD4 and MD5 come from separate crates, because backends need not
//! support them.

use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::{Digest as _, Md5};
use tagwise_crypto::{Error, ErrorKind, OldCipher, Secret};

use super::is_same;

/// Computes HMAC-MD5 (16 bytes).
pub(super) fn hmac_md5(key: &[u8], pieces: &[&[u8]]) -> Result<Secret, Error> {
    let mut mac = Hmac::<Md5>::new_from_slice(key)
        .map_err(|error| Error::new(ErrorKind::Length, "HMAC-MD5").because(error.to_string()))?;
    pieces.iter().for_each(|piece| mac.update(piece));
    Ok(Secret::from(mac.finalize().into_bytes().to_vec()))
}

/// Returns the number by which Microsoft's messages denote a key usage (RFC 4757 §3, §4; errata).
pub(super) const fn usage_number(usage: u32) -> u32 {
    match usage {
        // AS-REP, and GSS signatures.
        3 => 8,
        23 => 13,
        _ => usage,
    }
}

pub(super) fn encrypt(key: &[u8], usage: u32, confounded: &[u8]) -> Result<Vec<u8>, Error> {
    let usage_key = hmac_md5(key, &[&usage_number(usage).to_le_bytes()])?;
    let mac = hmac_md5(usage_key.expose(), &[confounded])?;
    let cipher_key = hmac_md5(usage_key.expose(), &[mac.expose()])?;
    let sent = OldCipher::Rc4.encrypt(cipher_key.expose(), &[], confounded)?;
    Ok([mac.expose(), &sent].concat())
}

/// Decrypts data, and returns the confounder followed by the plaintext.
pub(super) fn decrypt(key: &[u8], usage: u32, sent: &[u8]) -> Result<Secret, Error> {
    let (mac, sent) = sent.split_at_checked(16).ok_or_else(|| Error::new(ErrorKind::Length, OldCipher::Rc4))?;
    let usage_key = hmac_md5(key, &[&usage_number(usage).to_le_bytes()])?;
    let cipher_key = hmac_md5(usage_key.expose(), &[mac])?;
    let confounded = OldCipher::Rc4.decrypt(cipher_key.expose(), &[], sent)?;
    match is_same(hmac_md5(usage_key.expose(), &[confounded.expose()])?.expose(), mac) {
        true => Ok(confounded),
        false => Err(Error::new(ErrorKind::Integrity, OldCipher::Rc4)),
    }
}

/// Computes an HMAC-MD5 checksum (RFC 4757 §4). The older type (`derives` is false) uses the key directly.
pub(super) fn checksum(key: &[u8], usage: u32, data: &[u8], derives: bool) -> Result<Vec<u8>, Error> {
    let signing = match derives {
        true => hmac_md5(key, &[b"signaturekey\0"])?,
        false => Secret::from(key),
    };
    let digest = Md5::new().chain_update(usage_number(usage).to_le_bytes()).chain_update(data).finalize();
    Ok(hmac_md5(signing.expose(), &[&digest])?.expose().to_vec())
}

/// Computes the MD5 digest.
pub(super) fn md5(data: &[u8]) -> Vec<u8> {
    Md5::digest(data).to_vec()
}

/// Derives a key from a password: the MD4 digest of its UTF-16LE form, without a salt.
pub(super) fn string_to_key(password: &[u8]) -> Result<Secret, Error> {
    let text = core::str::from_utf8(password)
        .map_err(|error| Error::new(ErrorKind::Parameters, "password").because(error.to_string()))?;
    let wide = Secret::from(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    Ok(Secret::from(md4::Md4::digest(wide.expose()).to_vec()))
}
