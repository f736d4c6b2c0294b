//! n-fold (RFC 3961 §5.1).

use tagwise_crypto::Secret;

/// Stretches or folds bytes to `len` bytes such that each bit of the input counts about equally.
///
/// ```
/// use tagwise_krb5::crypto::n_fold;
/// // RFC 3961 A.1: 64-fold("012345").
/// assert_eq!(n_fold(b"012345", 8).expose(), [0xbe, 0x07, 0x26, 0x31, 0x27, 0x6b, 0x19, 0x55]);
/// ```
#[must_use]
pub fn n_fold(input: &[u8], len: usize) -> Secret {
    let mut sum = Secret::zeroed(len);
    if input.is_empty() || len == 0 {
        return sum;
    }
    let total = input.len() / gcd(input.len(), len) * len;
    // From the last byte to the first, so that a carry goes on to the byte before; what is left goes around to the end.
    let mut carry = 0_u32;
    for at in (0..total).rev() {
        let slot = sum.expose_mut().get_mut(at % len);
        if let Some(slot) = slot {
            carry += u32::from(*slot) + u32::from(rotated(input, at));
            *slot = carry as u8;
            carry >>= 8;
        }
    }
    while carry > 0 {
        for slot in sum.expose_mut().iter_mut().rev() {
            carry += u32::from(*slot);
            *slot = carry as u8;
            carry >>= 8;
        }
    }
    sum
}

/// Byte `at` of the input, repeated, each copy rotated to the right by 13 bits more than the one before.
fn rotated(input: &[u8], at: usize) -> u8 {
    let (copy, byte) = (at / input.len(), at % input.len());
    let bits = input.len() * 8;
    // The bit of the input that is the first of this byte.
    let first = (byte * 8 + bits - 13 * copy % bits) % bits;
    let octet = |index: usize| input.get(index % input.len()).copied().unwrap_or_default();
    let pair = u16::from_be_bytes([octet(first / 8), octet(first / 8 + 1)]);
    (pair >> (8 - first % 8)) as u8
}

const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
