//! Loads certificates into the cache before they are read.

/// Loads one byte of every cache line of a certificate that is about to be read. While reading, each length determines
/// the next position, so each cache line adds a memory latency. These loads are independent of each other, so their
/// latencies overlap.
///
/// Lines that the reader will skip are loaded too. Certificates are usually adjacent in memory, and a processor that sees
/// sequential accesses prefetches the next certificate. The benefit outweighs the cost.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn touch(octets: &[u8]) {
    if cfg!(target_family = "wasm") {
        return;
    }
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
/// The maximum size of values that are loaded completely. Larger values mostly consist of one key, signature or list, which
/// the reader skips. 99 % of CA certificates are smaller.
const WHOLE: usize = 40 * CACHE_LINE;
/// The number of bytes that are loaded of larger values.
const PART: usize = 20 * CACHE_LINE;
