//! Pairs of decimal digits, eight at a time: what makes the common forms of times cheap.
//!
//! A word holds eight octets, the first in its lowest byte; the pairs of a word are four numbers in 16-bit lanes.

/// Whether all eight octets are digits.
#[inline(always)]
pub(super) const fn all_digits(word: u64) -> bool {
    const HIGH: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    // The high nibble is 3, and still is after adding 6. A carry out of an octet only comes from one whose high nibble is F.
    (word & HIGH) | ((word.wrapping_add(0x0606_0606_0606_0606) & HIGH) >> 4) == 0x3333_3333_3333_3333
}

/// The numbers of the four pairs of a word of digits.
#[inline(always)]
pub(super) const fn pairs(word: u64) -> u64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F;
    (digits * 10 + (digits >> 8)) & LANES
}

const LANES: u64 = 0x00FF_00FF_00FF_00FF;

/// Four numbers below 100 in lanes, the first in the lowest.
#[inline(always)]
pub(super) const fn lanes(numbers: [u8; 4]) -> u64 {
    let [a, b, c, d] = numbers;
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// The number in a lane.
#[inline(always)]
pub(super) const fn lane(lanes: u64, index: u32) -> u8 {
    (lanes >> (16 * index)) as u8
}

/// Whether every lane, all below 128, lies between the lanes of `min` and `max`.
#[inline(always)]
pub(super) const fn within(lanes: u64, min: [u8; 4], max: [u8; 4]) -> bool {
    const HIGH: u64 = 0x0080_0080_0080_0080;
    let below = (lanes | HIGH).wrapping_sub(self::lanes(min)) & HIGH;
    let above = (self::lanes(max) | HIGH).wrapping_sub(lanes) & HIGH;
    below & above == HIGH
}

/// The digits of four numbers below 100 in lanes: the inverse of [`pairs`].
#[inline(always)]
pub(super) const fn spread(lanes: u64) -> [u8; 8] {
    // n × 103 / 1024 is n / 10 for all n below 100, and a lane has room for the product.
    let tens = ((lanes * 103) >> 10) & 0x000F_000F_000F_000F;
    let units = lanes - tens * 10;
    ((tens | units << 8) | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::{format, string::String};

    use super::*;

    #[test]
    fn every_pair_there_and_back() {
        for number in 0..100u8 {
            for at in 0..4 {
                let mut numbers = [7; 4];
                numbers[at] = number;
                let text: String = numbers.iter().map(|n| format!("{n:02}")).collect();
                assert_eq!(spread(lanes(numbers)), text.as_bytes());
                let word = u64::from_le_bytes(text.as_bytes().try_into().unwrap());
                assert!(all_digits(word));
                assert_eq!(pairs(word), lanes(numbers));
                assert_eq!(lane(pairs(word), at as u32), number);
            }
        }
    }

    #[test]
    fn every_octet_at_every_place() {
        for octet in 0..=u8::MAX {
            for other in [b'0', b'9'] {
                for at in 0..8 {
                    let mut octets = [other; 8];
                    octets[at] = octet;
                    assert_eq!(all_digits(u64::from_le_bytes(octets)), octet.is_ascii_digit(), "{octets:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_of_lanes() {
        for number in 0..128u8 {
            for at in 0..4 {
                let mut numbers = [12; 4];
                numbers[at] = number;
                assert_eq!(within(lanes(numbers), [1, 1, 1, 1], [12, 31, 99, 12]), {
                    (1..=[12, 31, 99, 12][at]).contains(&number)
                });
            }
        }
    }
}
