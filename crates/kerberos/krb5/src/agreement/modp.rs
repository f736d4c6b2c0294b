//! Diffie-Hellman modulo the primes of RFC 3526, in constant time.

use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{Odd, U512, U2048, U4096, Uint};
use tagwise_crypto::{Error, ErrorKind, Secret};
use zeroize::Zeroize as _;

/// The length of a private exponent in bytes: at least twice the strength of the larger group (RFC 3526 §8).
pub(super) const EXPONENT_LEN: usize = U512::BYTES;

/// The prime of group 14 (RFC 3526 §3).
const PRIME_2048: &str = concat!(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437",
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05",
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B",
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
);

/// The prime of group 16 (RFC 3526 §5).
const PRIME_4096: &str = concat!(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437",
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05",
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B",
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33",
    "A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864",
    "D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A92108011A723C12A787E6D7",
    "88719A10BDBA5B2699C327186AF4E23C1A946834B6150BDA2583E9CA2AD44CE8DBBBC2DB04DE8EF92E8EFC141FBECAA6287C59474E6BC05D99B2964FA090C3A2",
    "233BA186515BE7ED1F612970CEE2D7AFB81BDD762170481CD0069127D5B05AA993B4EA988D8FDDC186FFB7DC90A6C08F4DF435C934063199FFFFFFFFFFFFFFFF",
);

/// The prime modulus p of a group with generator 2. It is a safe prime: (p - 1) / 2 is also prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modulus {
    Bits2048,
    Bits4096,
}

impl Modulus {
    /// Returns p as big-endian bytes.
    pub(super) fn prime(self) -> Vec<u8> {
        match self {
            Self::Bits2048 => octets(&U2048::from_be_hex(PRIME_2048)),
            Self::Bits4096 => octets(&U4096::from_be_hex(PRIME_4096)),
        }
    }

    /// Returns the order of the subgroup of squares, (p - 1) / 2, as big-endian bytes.
    pub(super) fn order(self) -> Vec<u8> {
        match self {
            Self::Bits2048 => octets(&U2048::from_be_hex(PRIME_2048).shr(1)),
            Self::Bits4096 => octets(&U4096::from_be_hex(PRIME_4096).shr(1)),
        }
    }

    /// Returns the public value: 2 to the power of a private exponent, modulo p.
    pub(super) fn public(self, exponent: &Secret) -> Result<Secret, Error> {
        self.power(&[2], exponent)
    }

    /// Raises a peer's public value to the power of a private exponent. The result is padded to the length of p.
    ///
    /// Values outside the range 2 to p - 2 generate groups of one or two elements, and are rejected (RFC 2631 §2.1.5).
    pub(super) fn power(self, base: &[u8], exponent: &Secret) -> Result<Secret, Error> {
        match self {
            Self::Bits2048 => power(&Odd::<U2048>::from_be_hex(PRIME_2048), base, exponent),
            Self::Bits4096 => power(&Odd::<U4096>::from_be_hex(PRIME_4096), base, exponent),
        }
    }
}

fn octets<const LIMBS: usize>(number: &Uint<LIMBS>) -> Vec<u8> {
    number.to_be_bytes().as_ref().to_vec()
}

/// Reads a number from big-endian bytes, if it fits. Leading zeros are ignored.
fn number<const LIMBS: usize>(octets: &[u8]) -> Option<Uint<LIMBS>> {
    let start = octets.iter().position(|octet| *octet != 0).unwrap_or(octets.len());
    let octets = octets.get(start..)?;
    let mut padded = vec![0; Uint::<LIMBS>::BYTES.checked_sub(octets.len())?];
    padded.extend(octets);
    Some(Uint::from_be_slice(&padded))
}

fn power<const LIMBS: usize>(prime: &Odd<Uint<LIMBS>>, base: &[u8], exponent: &Secret) -> Result<Secret, Error> {
    let one = Uint::ONE;
    let degenerate = || Error::new(ErrorKind::Parameters, "Diffie-Hellman value, which must be from 2 to p - 2,");
    let base = number::<LIMBS>(base).ok_or_else(degenerate)?;
    if base <= one || base >= prime.as_ref().wrapping_sub(&one) {
        return Err(degenerate());
    }
    if exponent.len() != EXPONENT_LEN {
        return Err(Error::new(ErrorKind::Length, "Diffie-Hellman exponent"));
    }
    let mut exponent = U512::from_be_slice(exponent.expose());
    let params = FixedMontyParams::new_vartime(*prime);
    let mut power = FixedMontyForm::new(&base, &params).pow(&exponent).retrieve();
    exponent.zeroize();
    let result = Secret::from(power.to_be_bytes().as_ref());
    let is_trivial = bool::from(power.is_zero()) || power == one;
    power.zeroize();
    if is_trivial { Err(degenerate()) } else { Ok(result) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;

    #[test]
    fn powers_are_those_of_arithmetic() {
        // 2^100 is smaller than p, and 2^2048 is larger by less than p.
        let mut exponent = Secret::zeroed(EXPONENT_LEN);
        exponent.expose_mut()[EXPONENT_LEN - 2..].copy_from_slice(&100_u16.to_be_bytes());
        let expected = octets(&U2048::ONE.shl(100));
        assert_eq!(Modulus::Bits2048.public(&exponent).unwrap().expose(), expected);
        exponent.expose_mut()[EXPONENT_LEN - 2..].copy_from_slice(&2048_u16.to_be_bytes());
        let rest = U2048::ZERO.wrapping_sub(&U2048::from_be_hex(PRIME_2048));
        assert_eq!(Modulus::Bits2048.public(&exponent).unwrap().expose(), octets(&rest));
    }

    #[test]
    fn both_sides_agree() {
        for modulus in [Modulus::Bits2048, Modulus::Bits4096] {
            let (one, other) = (Secret::from(vec![0x5A; EXPONENT_LEN]), Secret::from(vec![0xC3; EXPONENT_LEN]));
            let (public_one, public_other) = (modulus.public(&one).unwrap(), modulus.public(&other).unwrap());
            let shared = modulus.power(public_other.expose(), &one).unwrap();
            assert_eq!(shared.expose(), modulus.power(public_one.expose(), &other).unwrap().expose());
            assert_eq!(shared.len(), modulus.prime().len());
        }
    }

    #[test]
    fn degenerate_values_are_refused() {
        let exponent = Secret::from(vec![3; EXPONENT_LEN]);
        for modulus in [Modulus::Bits2048, Modulus::Bits4096] {
            let prime = modulus.prime();
            let less = |by: u8| {
                let mut octets = prime.clone();
                *octets.last_mut().unwrap() -= by;
                octets
            };
            let mut longer = prime.clone();
            longer.insert(0, 1);
            let bad =
                [vec![], vec![0], vec![1], vec![0, 0, 1], less(1), prime.clone(), vec![0xFF; prime.len()], longer];
            for value in bad {
                assert_eq!(modulus.power(&value, &exponent).unwrap_err().kind(), ErrorKind::Parameters);
            }
            modulus.power(&less(2), &exponent).unwrap();
            modulus.power(&[2], &exponent).unwrap();
            // The smallest exponent that leads back to one.
            let none = Secret::zeroed(EXPONENT_LEN);
            assert_eq!(modulus.power(&[2], &none).unwrap_err().kind(), ErrorKind::Parameters);
        }
    }
}
