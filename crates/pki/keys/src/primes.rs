//! Recovers the primes of an RSA key from its exponents (NIST SP 800-56B Rev. 2, appendix C.1).

use num_bigint::BigUint;
use tagwise_crypto::{Error, ErrorKind, Secret};

use crate::parts::trimmed;

/// The largest modulus whose primes are recovered, in bytes: 8,192 bits. The work grows with the cube of the size.
const MAX_MODULUS: usize = 1024;
/// The bases that are tried. Each fails for at most half of all keys.
const BASES: u32 = 40;

fn wrong(why: &'static str) -> Error {
    Error::new(ErrorKind::MalformedKey, "RSA").because(why)
}

/// Returns the larger prime, the smaller one, and the coefficient: the inverse of the smaller modulo the larger.
///
/// # Errors
/// [`ErrorKind::MalformedKey`] if the exponents do not match the modulus; [`ErrorKind::Limit`].
pub(crate) fn recover(modulus: &[u8], public: &[u8], private: &[u8]) -> Result<[Secret; 3], Error> {
    let (modulus, public, private) = (trimmed(modulus), trimmed(public), trimmed(private));
    if modulus.len() > MAX_MODULUS {
        return Err(Error::new(ErrorKind::Limit, "RSA").because("the primes of a modulus beyond 8,192 bits"));
    }
    let is_odd = |number: &[u8]| number.last().is_some_and(|last| last & 1 == 1);
    if !is_odd(modulus) || !is_odd(public) || !is_odd(private) {
        return Err(wrong("a number is even"));
    }
    if public.len() > modulus.len() || private.len() > modulus.len() {
        return Err(wrong("an exponent is longer than the modulus"));
    }
    let number = BigUint::from_bytes_be;
    let (modulus, public, private) = (number(modulus), number(public), number(private));
    let one = BigUint::from(1_u8);
    if modulus <= BigUint::from(3_u8) {
        return Err(wrong("the modulus is too small"));
    }
    // k = d·e - 1 = 2^t·r
    let even = &public * &private - &one;
    let twos = even.trailing_zeros().filter(|twos| *twos > 0).ok_or_else(|| wrong("both exponents are one"))?;
    let odd = &even >> twos;
    let last = &modulus - &one;
    for base in 2..2 + BASES {
        let mut power = BigUint::from(base).modpow(&odd, &modulus);
        if power == one || power == last {
            continue;
        }
        let mut is_minus = false;
        for _ in 0..twos {
            let square = &power * &power % &modulus;
            if square == one {
                // A square root of one other than 1 and -1 is 1 modulo one of the primes only.
                return halves(&modulus, &gcd(&power - &one, modulus.clone()));
            }
            power = square;
            is_minus = power == last;
            if is_minus {
                break;
            }
        }
        // For a key's own exponents, the power of every base is one in the end.
        if !is_minus {
            return Err(wrong("the private exponent does not match the modulus"));
        }
    }
    Err(wrong("the primes cannot be recovered: the modulus may be prime"))
}

fn gcd(mut one: BigUint, mut other: BigUint) -> BigUint {
    let zero = BigUint::ZERO;
    while other != zero {
        (one, other) = (other.clone(), one % &other);
    }
    one
}

fn halves(modulus: &BigUint, prime: &BigUint) -> Result<[Secret; 3], Error> {
    let other = modulus / prime;
    let one = BigUint::from(1_u8);
    if *prime <= one || other <= one || prime * &other != *modulus {
        return Err(wrong("the primes cannot be recovered"));
    }
    let (larger, smaller) = if *prime > other { (prime.clone(), other) } else { (other, prime.clone()) };
    // Fermat's little theorem.
    let coefficient = smaller.modpow(&(&larger - BigUint::from(2_u8)), &larger);
    if &coefficient * &smaller % &larger != one {
        return Err(wrong("the modulus does not have two primes"));
    }
    Ok([larger, smaller, coefficient].map(|number| Secret::from(number.to_bytes_be())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recovered(modulus: u64, public: u64, private: u64) -> Result<[u64; 3], Error> {
        let [one, other, inverse] = recover(&modulus.to_be_bytes(), &public.to_be_bytes(), &private.to_be_bytes())?;
        let number =
            |secret: Secret| secret.expose().iter().fold(0_u64, |number, digit| number << 8 | u64::from(*digit));
        Ok([number(one), number(other), number(inverse)])
    }

    #[test]
    fn primes_of_small_keys() {
        // d modulo λ(n) and modulo φ(n): 61·53, e = 17.
        assert_eq!(recovered(3233, 17, 413).unwrap(), [61, 53, 38]);
        assert_eq!(recovered(3233, 17, 2753).unwrap(), [61, 53, 38]);
        let (p, q) = (263_u64, 257_u64);
        let phi = (p - 1) * (q - 1);
        let d = (1..phi).step_by(2).find(|d| d * 5 % phi == 1).unwrap();
        assert_eq!(recovered(p * q, 5, d).unwrap()[..2], [p, q]);
    }

    #[test]
    fn exponents_of_another_key_are_rejected() {
        assert!(recovered(3233, 17, 415).is_err());
        assert!(recovered(3233, 1, 1).is_err());
        assert!(recovered(3232, 17, 413).is_err());
        // A prime modulus: every base is ±1.
        assert!(recovered(3253, 5, 1301).is_err());
    }
}
