//! The node hash of a Merkle tree (RFC 9162 §2.1.1): SHA-256 of the byte 0x01 and the hashes of the two children, 65 bytes
//! in total.
//!
//! A tree of n leaves has n - 1 interior nodes, and the nodes of a level are independent of each other. The SHA instructions
//! of x86-64 are limited by latency rather than throughput, so [`nodes`] uses them to hash four nodes at a time. Only one
//! byte of the second block varies, so its message schedule comes from a lookup table. On other processors, and for the
//! remaining nodes, the crate `sha2` is used.
//!
//! This crate only hashes nodes. It is internal to Tagwise, and its API may change in any release. Its only unsafe line
//! calls the functions that require these instructions, after checking that the processor supports them.
//!
//! ```
//! let (left, right) = ([1; 32], [2; 32]);
//! let mut roots = [[0; 32]; 2];
//! tagwise_node_hash::nodes(&[left, right, right, left], &mut roots);
//! assert_eq!(roots, [tagwise_node_hash::node(&left, &right), tagwise_node_hash::node(&right, &left)]);
//! ```
#![no_std]

#[cfg(target_arch = "x86_64")]
mod second;
#[cfg(target_arch = "x86_64")]
mod x86;

use sha2::{Digest, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(extensions, "sha", "sse2", "ssse3", "sse4.1");

/// Returns whether the processor supports the instructions of the fast path.
fn has_extensions() -> bool {
    #[cfg(target_arch = "x86_64")]
    return extensions::get();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Hashes four nodes with the SHA instructions, if the processor supports them.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a call of what needs features of the processor")]
fn fast(pairs: &[[Hash; 2]; 4]) -> Option<[Hash; 4]> {
    // SAFETY: `lanes` requires the features sha, sse2, ssse3 and sse4.1, and `has_extensions` has checked for them.
    has_extensions().then(|| unsafe { x86::lanes(pairs) })
}

#[cfg(not(target_arch = "x86_64"))]
fn fast(_pairs: &[[Hash; 2]; 4]) -> Option<[Hash; 4]> {
    None
}

fn portable([left, right]: &[Hash; 2]) -> Hash {
    let mut message = [0u8; 65];
    let [first, rest @ ..] = &mut message;
    *first = 1;
    let (front, back) = rest.split_at_mut(32);
    front.copy_from_slice(left);
    back.copy_from_slice(right);
    Sha256::digest(message).into()
}

/// Computes the hash of a node with the given children. A single node cannot be interleaved with others, so this function
/// uses `sha2`.
#[must_use]
pub fn node(left: &Hash, right: &Hash) -> Hash {
    portable(&[*left, *right])
}

/// Computes the hashes of nodes whose children are given in pairs. An unpaired last child is ignored. If `out` is shorter,
/// only as many nodes as fit are computed.
pub fn nodes(children: &[Hash], out: &mut [Hash]) {
    let (pairs, _) = children.as_chunks::<2>();
    let (fours, rest) = pairs.as_chunks::<4>();
    let (out_fours, out_rest) = out.as_chunks_mut::<4>();
    if fours.len() > out_fours.len() {
        // Only as many nodes as fit.
        return pairs.iter().zip(out).for_each(|([left, right], out)| *out = node(left, right));
    }
    let mut out_fours = out_fours.iter_mut();
    for (four, out) in fours.iter().zip(out_fours.by_ref()) {
        *out = fast(four).unwrap_or_else(|| four.each_ref().map(portable));
    }
    let out_rest = out_fours.flatten().chain(out_rest);
    rest.iter().zip(out_rest).for_each(|([left, right], out)| *out = node(left, right));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes that differ, with every last byte among them: the second block is looked up by it.
    fn hashes() -> [Hash; 600] {
        let mut all = [[0; 32]; 600];
        let mut random = 1u32;
        for (number, hash) in all.iter_mut().enumerate() {
            for byte in hash.iter_mut() {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = (random >> 24) as u8;
            }
            if let Some(last) = hash.last_mut() {
                *last = (number / 2) as u8;
            }
        }
        all
    }

    #[test]
    fn as_sha2_has_them() {
        let hashes = hashes();
        for pair in hashes.as_chunks::<2>().0 {
            let [left, right] = pair;
            assert_eq!(node(left, right), portable(pair));
        }
        for count in [0, 1, 2, 3, 7, 8, 9, 16, 23, 599, 600] {
            let children = hashes.get(..count).unwrap_or_default();
            for room in [0, 1, 3, 4, 5, count / 2, 300] {
                let mut out = [[7; 32]; 300];
                nodes(children, out.get_mut(..room).unwrap_or_default());
                for (number, out) in out.iter().enumerate() {
                    let pair = children.as_chunks::<2>().0.get(number).filter(|_| number < room);
                    assert_eq!(*out, pair.map_or([7; 32], portable), "{number} of {count} in {room}");
                }
            }
        }
    }

    /// FIPS 180-4: nothing here is only compared with what it calls itself.
    #[test]
    fn a_node_by_the_standard() {
        // SHA-256 of 01, 32 bytes 00 and 32 bytes FF.
        let expected = [
            0xbc, 0x6b, 0x94, 0x3b, 0x82, 0x0c, 0x44, 0x9a, 0xcf, 0x88, 0x0d, 0x29, 0x3c, 0x21, 0x6a, 0x24, 0xa8, 0x06,
            0x6b, 0x15, 0x3f, 0x87, 0xf2, 0x36, 0x1f, 0xae, 0x2b, 0xed, 0xa3, 0xa7, 0x26, 0x41,
        ];
        assert_eq!(node(&[0; 32], &[0xFF; 32]), expected);
    }
}
