//! Maps whose keys are numbers that this crate assigns. Nobody can choose them so that they collide, so their hash is cheap.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by the numbers of certificates, names or anchors.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// A multiplicative hash (Knuth, The Art of Computer Programming, §6.4).
#[derive(Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio: odd, so that the low bits of different numbers differ, and the high bits are mixed.
        self.0 = (self.0.rotate_left(32) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}
