//! PRF+ and KRB-FX-CF2 (RFC 6113 §5.1), which derive and combine keys.

use tagwise_crypto::{Error, ErrorKind, Primitives, Secret};

use super::Key;

/// Derives `len` bytes from a key and an input with PRF+.
///
/// # Errors
/// Returns [`ErrorKind::Length`] if the output exceeds 255 blocks of the pseudo-random function.
pub fn prf_plus(backend: &dyn Primitives, key: &Key, input: &[u8], len: usize) -> Result<Secret, Error> {
    let mut made = Secret::zeroed(len);
    let mut rest = made.expose_mut();
    let mut count = 0_u8;
    while !rest.is_empty() {
        count = count.checked_add(1).ok_or_else(|| Error::new(ErrorKind::Length, "PRF+"))?;
        let block = key.prf(backend, &[&[count], input].concat())?;
        let (now, later) = rest.split_at_mut(block.len().min(rest.len()));
        now.iter_mut().zip(block.expose()).for_each(|(to, from)| *to = *from);
        rest = later;
    }
    Ok(made)
}

/// Combines two keys with KRB-FX-CF2 into one with the first key's encryption type.
///
/// # Errors
/// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
pub fn cf2(
    backend: &dyn Primitives,
    one: &Key,
    other: &Key,
    pepper_one: &[u8],
    pepper_other: &[u8],
) -> Result<Key, Error> {
    let enc_type = one.enc_type();
    let mut seed = prf_plus(backend, one, pepper_one, enc_type.seed_len())?;
    let second = prf_plus(backend, other, pepper_other, enc_type.seed_len())?;
    seed.expose_mut().iter_mut().zip(second.expose()).for_each(|(to, from)| *to ^= *from);
    Key::from_seed(enc_type, &seed)
}
