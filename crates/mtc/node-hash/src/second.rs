//! The second block of a node's message: the last byte, the padding and the length (FIPS 180-4 §5.1.1).

/// The round constants (FIPS 180-4 §4.2.2).
pub(crate) const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// The initial hash value (FIPS 180-4 §5.3.3).
pub(crate) const H: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The message schedule of the second block (FIPS 180-4 §6.2.2) for each value of the message's last byte, with the round
/// constants already added.
pub(crate) static SECOND: [[u32; 64]; 256] = second();

/// The length of a node's message (65 bytes) in bits.
const LENGTH: u32 = 520;

#[expect(clippy::indexing_slicing, reason = "at compile time: an index outside would not compile")]
const fn second() -> [[u32; 64]; 256] {
    let mut all = [[0; 64]; 256];
    let mut last = 0;
    while last < 256 {
        let mut w = [0u32; 64];
        // The byte, and the bit that begins the padding.
        w[0] = (last as u32) << 24 | 0x0080_0000;
        w[15] = LENGTH;
        let mut at = 16;
        while at < 64 {
            let (two, fifteen) = (w[at - 2], w[at - 15]);
            let one = two.rotate_right(17) ^ two.rotate_right(19) ^ (two >> 10);
            let zero = fifteen.rotate_right(7) ^ fifteen.rotate_right(18) ^ (fifteen >> 3);
            w[at] = one.wrapping_add(w[at - 7]).wrapping_add(zero).wrapping_add(w[at - 16]);
            at += 1;
        }
        let mut at = 0;
        while at < 64 {
            all[last][at] = w[at].wrapping_add(K[at]);
            at += 1;
        }
        last += 1;
    }
    all
}
