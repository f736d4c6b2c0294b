//! Hashing of several nodes at a time using the SHA extensions of x86-64.
//!
//! All intrinsics used here operate on registers, and are safe if the features are available. As the instructions require,
//! a state occupies two registers: A, B, E, F and C, D, G, H, with the first in the highest lane.

use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_set_epi32, _mm_set_epi64x,
    _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
    _mm_unpackhi_epi64, _mm_unpacklo_epi64,
};

use crate::Hash;
use crate::second::{H, K, SECOND};

/// Creates a vector of four words, the first in the lowest lane.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
#[inline]
fn words([one, two, three, four]: [u32; 4]) -> __m128i {
    _mm_set_epi32(four as i32, three as i32, two as i32, one as i32)
}

/// Performs four rounds. The constants are already added to the words.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
#[inline]
fn four_rounds(state: &mut [__m128i; 2], words: __m128i) {
    let [abef, cdgh] = state;
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, words);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0x0E>(words));
}

/// Hashes pairs of children to their parent nodes. The loops over lanes are innermost, so the rounds of one lane do not wait
/// for those of another.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
pub(crate) fn lanes<const N: usize>(pairs: &[[Hash; 2]; N]) -> [Hash; N] {
    let [a, b, c, d, e, f, g, h] = H;
    let initial = [words([f, e, b, a]), words([h, g, d, c])];
    // Bytes of words in the order of the standard.
    let swap = _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203);
    let zero = words([0; 4]);
    let mut messages = [[zero; 4]; N];
    for (message, [left, right]) in messages.iter_mut().zip(pairs) {
        // The first block: a one byte, the left hash, and the right one without its last byte.
        let mut block = [0u8; 65];
        let [first, rest @ ..] = &mut block;
        *first = 1;
        let (front, back) = rest.split_at_mut(32);
        front.copy_from_slice(left);
        back.copy_from_slice(right);
        for (vector, bytes) in message.iter_mut().zip(block.as_chunks::<16>().0) {
            let number = u128::from_le_bytes(*bytes);
            *vector = _mm_shuffle_epi8(_mm_set_epi64x((number >> 64) as i64, number as i64), swap);
        }
    }
    let mut states = [initial; N];
    for (constants, round) in K.as_chunks::<4>().0.iter().zip(0u32..) {
        let constants = words(*constants);
        for (state, message) in states.iter_mut().zip(&mut messages) {
            let [w0, w1, w2, w3] = *message;
            four_rounds(state, _mm_add_epi32(w0, constants));
            if round < 12 {
                let next = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8::<4>(w3, w2));
                *message = [w1, w2, w3, _mm_sha256msg2_epu32(next, w3)];
            } else {
                *message = [w1, w2, w3, zero];
            }
        }
    }
    for state in &mut states {
        *state = sum(*state, initial);
    }
    // The second block, whose schedule is known.
    let middle = states;
    let mut schedules = [&[[0u32; 4]; 16]; N];
    for (schedule, [_, right]) in schedules.iter_mut().zip(pairs) {
        let [.., last] = right;
        if let Some(found) = SECOND.get(usize::from(*last))
            && let Some(found) = found.as_chunks::<4>().0.first_chunk::<16>()
        {
            *schedule = found;
        }
    }
    for round in 0..16 {
        for (state, schedule) in states.iter_mut().zip(schedules) {
            if let Some(four) = schedule.get(round) {
                four_rounds(state, words(*four));
            }
        }
    }
    let mut out = [[0; 32]; N];
    for ((out, state), middle) in out.iter_mut().zip(states).zip(middle) {
        *out = bytes(sum(state, middle));
    }
    out
}

#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
#[inline]
fn sum([one, two]: [__m128i; 2], [three, four]: [__m128i; 2]) -> [__m128i; 2] {
    [_mm_add_epi32(one, three), _mm_add_epi32(two, four)]
}

/// Returns the bytes of a state.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
#[inline]
fn bytes([abef, cdgh]: [__m128i; 2]) -> Hash {
    let reverse = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F);
    let mut out = [0; 32];
    // From the lowest lane: D, C, B, A and H, G, F, E, the reverse of the standard's order.
    for (half, lanes) in
        out.as_chunks_mut::<16>().0.iter_mut().zip([_mm_unpackhi_epi64(cdgh, abef), _mm_unpacklo_epi64(cdgh, abef)])
    {
        let lanes = _mm_shuffle_epi8(lanes, reverse);
        let number = (_mm_extract_epi64::<1>(lanes) as u64 as u128) << 64 | _mm_cvtsi128_si64(lanes) as u64 as u128;
        *half = number.to_le_bytes();
    }
    out
}
