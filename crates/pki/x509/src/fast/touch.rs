//! Cache warming before reading.

/// Loads a byte of every cache line of a certificate that is about to be read. Each length says where the next one is, so that
/// reading waits for memory once a line; these loads wait for nothing, and so for each other's time only.
///
/// Lines that reading will step over are loaded, too: certificates mostly lie one behind the other, and a processor that sees all
/// lines in a row fetches the next certificate's by itself. That is worth more than the lines cost.
#[inline(always)]
pub(crate) fn touch(octets: &[u8]) {
    let octets = if octets.len() > WHOLE { octets.get(..PART).unwrap_or_default() } else { octets };
    let (blocks, rest) = octets.as_chunks::<{ 4 * CACHE_LINE }>();
    let mut all = octets.last().copied().unwrap_or_default();
    for block in blocks {
        all |=
            block[CACHE_LINE - 1] | block[2 * CACHE_LINE - 1] | block[3 * CACHE_LINE - 1] | block[4 * CACHE_LINE - 1];
    }
    for line in rest.as_chunks::<CACHE_LINE>().0 {
        all |= line[CACHE_LINE - 1];
    }
    core::hint::black_box(all);
}

const CACHE_LINE: usize = 64;
/// Size of values that are touched whole. Most of a larger value is one key or signature, or a list, and stepped over.
/// 99 in 100 certificates of authorities are smaller.
const WHOLE: usize = 40 * CACHE_LINE;
/// Number of bytes touched of larger ones.
const PART: usize = 20 * CACHE_LINE;
