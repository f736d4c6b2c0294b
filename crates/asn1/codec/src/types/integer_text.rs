//! INTEGERs as decimal text, without an allocator.

use core::cmp::Ordering;
use core::fmt::{self, Write as _};

use super::Int;

/// The maximum number of bytes that are printed in decimal, which takes quadratic time. Larger numbers are printed in
/// hexadecimal.
const OCTETS: usize = 512;
/// The number of limbs. Each has nine decimal digits.
const LIMBS: usize = 138;

/// Formats the integer in decimal, or in hexadecimal with the prefix `0x` above 4,096 bits.
impl fmt::Display for Int<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(number) = i128::try_from(*self) {
            return fmt::Display::fmt(&number, f);
        }
        if self.is_negative() {
            f.write_char('-')?;
        }
        let octets = self.as_bytes();
        let mut digits = magnitude(octets).skip_while(|octet| *octet == 0);
        if digits.clone().count() > OCTETS {
            f.write_str("0x")?;
            return digits.try_for_each(|octet| write!(f, "{octet:02x}"));
        }
        // Little-endian.
        let mut limbs = [0u32; LIMBS];
        for octet in digits {
            let mut carry = u64::from(octet);
            for limb in &mut limbs {
                let wide = (u64::from(*limb) << 8) + carry;
                *limb = (wide % 1_000_000_000) as u32;
                carry = wide / 1_000_000_000;
            }
        }
        let mut shown = limbs.iter().rev().skip_while(|limb| **limb == 0);
        match shown.next() {
            Some(first) => write!(f, "{first}")?,
            None => f.write_char('0')?,
        }
        shown.try_for_each(|limb| write!(f, "{limb:09}"))
    }
}

/// Iterates over the bytes of the absolute value. Negating a two's complement number keeps the trailing zero bytes, negates the
/// byte before them, and inverts all other bytes.
fn magnitude(octets: &[u8]) -> impl Iterator<Item = u8> + Clone {
    let negative = octets.first().is_some_and(|first| *first >= 0x80);
    let last = octets.iter().rposition(|octet| *octet != 0).unwrap_or_default();
    octets.iter().enumerate().map(move |(index, octet)| match index.cmp(&last) {
        _ if !negative => *octet,
        Ordering::Less => !octet,
        Ordering::Equal => octet.wrapping_neg(),
        Ordering::Greater => *octet,
    })
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    #[test]
    fn as_the_other_way_of_writing_them() {
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for len in [1usize, 15, 16, 17, 20, 64, 255, 512] {
            for _ in 0..8 {
                let octets: Vec<u8> = (0..len).map(|_| next()).collect();
                let int = Int::from_signed(&octets);
                assert_eq!(Some(int.to_string()), crate::value::decimal(int.as_bytes()));
            }
        }
        let zeros = [&[0x80][..], &[0; 31]].concat();
        assert_eq!(Some(Int::from_signed(&zeros).to_string()), crate::value::decimal(&zeros));
    }

    #[test]
    fn what_is_too_large_is_hexadecimal() {
        assert!(Int::from_signed(&[1; 600]).to_string().starts_with("0x0101"));
        // The byte for the sign does not count.
        let most = [&[0][..], &[0xFF; 512]].concat();
        let digits = Int::from_signed(&most).to_string();
        assert_eq!((digits.len(), Some(digits)), (1234, crate::value::decimal(&most)));
        let more = [&[1][..], &[0; 512]].concat();
        assert!(Int::from_signed(&more).to_string().starts_with("0x0100"));
        let negative = [&[0xFE][..], &[0; 512]].concat();
        assert!(Int::from_signed(&negative).to_string().starts_with("-0x0200"));
    }
}
