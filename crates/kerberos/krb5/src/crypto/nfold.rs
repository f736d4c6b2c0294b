//! n-fold (RFC 3961 §5.1).

use tagwise_crypto::Secret;

/// Stretches or folds bytes to a length of `len`, so that each input bit has approximately equal weight.
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

/// Applies [`n_fold`] to a usage constant to fill a block, the initial input of each derivation.
pub(super) fn fold_constant(constant: [u8; 5]) -> [u8; 16] {
    const BITS: u32 = 40;
    let [a, b, c, d, e] = constant;
    let value = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
    let mut copies = [0; 80];
    for (chunk, copy) in copies.chunks_exact_mut(5).zip(0_u32..) {
        let by = 13 * copy % BITS;
        let turned = (value >> by) | (value << (BITS - by));
        let [_, _, _, octets @ ..] = turned.to_be_bytes();
        chunk.copy_from_slice(&octets);
    }
    let (mut sum, mut carries) = (0_u128, 0_u128);
    for block in copies.as_chunks().0 {
        let (added, carry) = sum.overflowing_add(u128::from_be_bytes(*block));
        (sum, carries) = (added, carries + u128::from(carry));
    }
    // What is left goes around to the end.
    let (added, carry) = sum.overflowing_add(carries);
    (added + u128::from(carry)).to_be_bytes()
}

/// Returns byte `at` of the repeated input, in which each copy is rotated to the right by 13 more bits than the previous one.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_fold_alike() {
        let usages = (0..2000).chain([0x1234_5678, u32::MAX, u32::MAX - 1, 1 << 31]);
        for usage in usages {
            for kind in [0x55, 0x99, 0xAA, 0, 0xFF] {
                let constant = crate::crypto::constant(usage, kind);
                assert_eq!(fold_constant(constant), n_fold(&constant, 16).expose(), "{usage} {kind}");
            }
        }
    }
}
