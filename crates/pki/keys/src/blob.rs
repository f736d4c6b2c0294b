//! Microsoft's RSA key formats: PVK files, and the CryptoAPI's PRIVATEKEYBLOB and PUBLICKEYBLOB (`BLOBHEADER`, `RSAPUBKEY`).
//! All numbers are little-endian.

use tagwise_crypto::{Backend, Digest, Error, ErrorKind, OldCipher, Secret};

use crate::parts::{Rsa, rsa_public};
use crate::{Found, Key, with_each};

/// The first bytes of a PVK file.
pub(crate) const PVK: [u8; 4] = [0x1E, 0xF1, 0xB5, 0xB0];

/// The length of a `BLOBHEADER`.
const HEADER: usize = 8;

const NAME: &str = "Microsoft";

/// The magic numbers of RSA and DSA keys. Only RSA is supported.
const MAGICS: [&[u8]; 6] = [b"RSA1", b"RSA2", b"DSS1", b"DSS2", b"DSS3", b"DSS4"];

/// Returns whether bytes begin like a key blob: type, version 2, reserved bytes, algorithm, and the magic number.
pub(crate) fn is_blob(octets: &[u8]) -> bool {
    let known = octets.get(HEADER..HEADER + 4).is_some_and(|magic| MAGICS.contains(&magic));
    known && matches!(octets, [6 | 7, 2, 0, 0, ..])
}

/// Returns whether a key blob has a private key: its type is PRIVATEKEYBLOB.
pub(crate) fn is_private(octets: &[u8]) -> bool {
    octets.first() == Some(&7)
}

fn wrong(at: usize, why: &str) -> Error {
    Error::new(ErrorKind::MalformedKey, NAME).because(format!("{why}, at byte {at}"))
}

fn number(octets: &[u8], at: usize) -> Result<u32, Error> {
    let digits = octets.get(at..).and_then(|rest| rest.first_chunk());
    digits.map(|digits| u32::from_le_bytes(*digits)).ok_or_else(|| wrong(at, "truncated"))
}

/// Reads a PRIVATEKEYBLOB or PUBLICKEYBLOB with an RSA key.
///
/// ```
/// use tagwise_keys::blob;
/// assert!(blob::read(b"\x06\x02\0\0\0\xA4\0\0RSA1\0\x08\0\0").unwrap_err().to_string().contains("truncated"));
/// ```
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the blob is truncated or invalid, or [`ErrorKind::Unsupported`] for a DSA key.
pub fn read(octets: &[u8]) -> Result<Found, Error> {
    let magic = octets.get(HEADER..HEADER + 4).unwrap_or_default();
    let form = match (octets.first(), magic) {
        (Some(6), b"RSA1") => "PUBLICKEYBLOB",
        (Some(7), b"RSA2") => "PRIVATEKEYBLOB",
        _ if magic.starts_with(b"DSS") => return Err(Error::new(ErrorKind::Unsupported, "a DSA key blob")),
        _ => return Err(wrong(HEADER, "the magic number does not match the blob type")),
    };
    parse(octets, form)
}

fn parse(octets: &[u8], form: &'static str) -> Result<Found, Error> {
    let bits = number(octets, 12)?;
    let len = match usize::try_from(bits) {
        // The primes take half of the bytes.
        Ok(bits @ 512..=16_384) if bits % 16 == 0 => bits / 8,
        _ => return Err(wrong(12, &format!("a modulus of {bits} bits, expected 512 to 16384 and a multiple of 16"))),
    };
    let mut at = 20;
    let mut take = |len: usize| {
        let taken = octets.get(at..).and_then(|rest| rest.get(..len)).ok_or_else(|| wrong(at, "truncated"))?;
        at += len;
        let mut big = Secret::from(taken);
        big.expose_mut().reverse();
        Ok::<_, Error>(big)
    };
    let exponent = number(octets, 16)?.to_be_bytes();
    let modulus = take(len)?;
    let is_public = octets.first() == Some(&6);
    // Five numbers of half the size, and one of the whole size.
    let end = 20 + len + if is_public { 0 } else { len / 2 * 5 + len };
    if octets.len() > end {
        return Err(wrong(end, &format!("unexpected data after a key of {bits} bits")));
    }
    if is_public {
        return Ok(Found::new(form, Key::Public(rsa_public(modulus.expose(), &exponent)?)));
    }
    let (first, second, one, other) = (take(len / 2)?, take(len / 2)?, take(len / 2)?, take(len / 2)?);
    let (coefficient, private_exponent) = (take(len / 2)?, take(len)?);
    let rsa = Rsa {
        modulus: modulus.expose(),
        public_exponent: &exponent,
        private_exponent: private_exponent.expose(),
        primes: [first.expose(), second.expose()],
        exponents: Some([one.expose(), other.expose()]),
        coefficient: coefficient.expose(),
    };
    Ok(Found::private(form, rsa.private_key()?))
}

/// Reads a PVK file, which may be encrypted with RC4. Each password is tried with a 128-bit key, and with a 40-bit key as in
/// old export versions.
///
/// # Errors
/// Returns [`ErrorKind::PasswordNeeded`] if the file is encrypted and no password is given, [`ErrorKind::Integrity`] if no
/// password decrypts it, or any error from [`read`].
pub fn read_pvk(backend: &dyn Backend, octets: &[u8], passwords: &[Secret]) -> Result<Found, Error> {
    let (encrypted, salt_len, key_len) = (number(octets, 12)?, number(octets, 16)?, number(octets, 20)?);
    // The salt has 16 bytes in all files.
    let salt_len = usize::try_from(salt_len).ok().filter(|len| *len <= 10_240);
    let salt_len = salt_len.ok_or_else(|| wrong(16, "the salt exceeds 10,240 bytes"))?;
    let rest = octets.get(24..).unwrap_or_default();
    let (salt, blob) = rest.split_at_checked(salt_len).ok_or_else(|| wrong(24, "truncated"))?;
    if usize::try_from(key_len) != Ok(blob.len()) {
        return Err(wrong(20, &format!("a key of {key_len} bytes, expected {}", blob.len())));
    }
    if blob.len() < HEADER + 4 || blob.first() != Some(&7) {
        return Err(wrong(24 + salt_len, "expected a PRIVATEKEYBLOB"));
    }
    if encrypted == 0 || salt_len == 0 {
        return read(blob).map(|found| Found { form: "PVK", ..found });
    }
    with_each(passwords, "the private key", |password| {
        let hash = Secret::from([salt, password].concat());
        let mut key = Secret::from(backend.digest(Digest::Sha1, hash.expose())?);
        key.truncate(16);
        for weak in [false, true] {
            if weak {
                key.expose_mut().iter_mut().skip(5).for_each(|octet| *octet = 0);
            }
            let (header, content) = blob.split_at_checked(HEADER).unwrap_or_default();
            let plain = OldCipher::Rc4.decrypt(key.expose(), &[], content)?;
            if MAGICS.iter().any(|magic| plain.expose().starts_with(magic)) {
                let whole = Secret::from([header, plain.expose()].concat());
                return read(whole.expose()).map(|found| Found { form: "PVK, encrypted", ..found });
            }
        }
        Err(Error::new(ErrorKind::Integrity, "PVK"))
    })
}
