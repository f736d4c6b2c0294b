//! Fast parsing of decimal digit pairs, eight bytes at a time, for the common time forms.
//!
//! A word contains eight bytes, the first one lowest. Its digit pairs are four numbers in 16-bit lanes. Checks also
//! produce words, so that the combined [`DEFECTS`] of many checks need only one branch.

/// The bits that a check sets if it fails. The other bits are meaningless.
pub(super) const DEFECTS: u64 = 0x8080_8080_8080_8080;

/// The bytes `0`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Returns the values of eight digits, and the defects.
// Below `0` the difference has its high bit set, above `9` the sum or, where that overflows, the difference. A carry or a
// borrow only leaves octets that have a defect already.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn digits(word: u64) -> (u64, u64) {
    let values = word.wrapping_sub(ZEROS);
    (values, values | word.wrapping_add(0x4646_4646_4646_4646))
}

/// Combines the digits in a word into four two-digit numbers. They are below 100 if all values are digits.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn pairs(values: u64) -> u64 {
    values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00FF_00FF_00FF_00FF
}

/// Parses the bytes `HHMMSSZ`, which follow one ignored byte, to hour, minute and second. Also returns the defects.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn clock(tail: u64) -> (u64, u64) {
    const Z_TO_ZERO: u64 = ((b'Z' ^ b'0') as u64) << 48;
    const LAST_ZERO: u64 = 0x30 << 56;
    // The first octet falls out, and a digit 0 fills up the word. `Z` becomes a digit 0 too, which the range of the last lane asks for.
    let (values, defects) = digits(tail >> 8 ^ (LAST_ZERO | Z_TO_ZERO));
    let lanes = pairs(values);
    (lanes, defects | outside(lanes, [0, 0, 0, 0], [23, 59, 59, 0]))
}

/// Packs four numbers below 100 into lanes, the first in the lowest.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn lanes(numbers: [u8; 4]) -> u64 {
    let [a, b, c, d] = numbers;
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// Returns the number in a lane.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn lane(lanes: u64, index: u32) -> u8 {
    (lanes >> (16 * index)) as u8
}

/// Returns the defects of lanes whose numbers are not between the corresponding lanes of `min` and `max`. All lanes must
/// be below 100.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) const fn outside(lanes: u64, min: [u8; 4], max: [u8; 4]) -> u64 {
    let above = lanes.wrapping_add(0x007F_007F_007F_007F - self::lanes(max));
    above | lanes.wrapping_sub(self::lanes(min))
}

/// Splits the lanes' four numbers, below 100, into digits. The inverse of [`digits`] and [`pairs`].
#[cfg_attr(not(target_family = "wasm"), inline(always))]
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
                let (values, defects) = digits(u64::from_le_bytes(text.as_bytes().try_into().unwrap()));
                assert_eq!(defects & DEFECTS, 0);
                assert_eq!(pairs(values), lanes(numbers));
                assert_eq!(lane(pairs(values), at as u32), number);
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
                    let (_, defects) = digits(u64::from_le_bytes(octets));
                    assert_eq!(defects & DEFECTS == 0, octet.is_ascii_digit(), "{octets:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_of_lanes() {
        for number in 0..100u8 {
            for at in 0..4 {
                let mut numbers = [12; 4];
                numbers[at] = number;
                let good = outside(lanes(numbers), [1, 1, 1, 1], [12, 31, 99, 12]) & DEFECTS == 0;
                assert_eq!(good, (1..=[12, 31, 99, 12][at]).contains(&number));
            }
        }
    }
}
