//! Consistency of the numbers of an RSA private key (RFC 8017 §3.2). Backends reject an inconsistent key without a reason.

use num_bigint::BigUint;
use tagwise_codec::Int;
use tagwise_pkix::pkcs1::RsaPrivateKey;

/// Returns a description of the first number of a key that does not match the others, or `None` if all match.
pub(crate) fn inconsistency(key: &RsaPrivateKey<'_>) -> Option<&'static str> {
    let numbers = [
        (key.public_exponent, "publicExponent is out of range, expected a number from 3 to modulus - 1"),
        (key.private_exponent, "privateExponent is out of range, expected a number from 1 to modulus - 1"),
        (key.prime1, "prime1 is out of range, expected a factor of the modulus"),
        (key.prime2, "prime2 is out of range, expected a factor of the modulus"),
        (key.exponent1, "exponent1 is out of range, expected privateExponent mod (prime1 - 1)"),
        (key.exponent2, "exponent2 is out of range, expected privateExponent mod (prime2 - 1)"),
        (key.coefficient, "coefficient is out of range, expected the inverse of prime2 mod prime1"),
    ];
    // The work is bounded by the modulus, whose size the backend has accepted.
    let most = key.modulus.bit_len();
    let is_out = |number: Int<'_>| {
        number.is_negative() || number.bit_len() > most || number.magnitude().iter().all(|octet| *octet == 0)
    };
    if let Some((_, why)) = numbers.into_iter().find(|(number, _)| is_out(*number)) {
        return Some(why);
    }
    let number = |int: Int<'_>| BigUint::from_bytes_be(int.magnitude());
    let one = BigUint::from(1_u8);
    let (modulus, public, private) = (number(key.modulus), number(key.public_exponent), number(key.private_exponent));
    let (prime1, prime2) = (number(key.prime1), number(key.prime2));
    let two = &prime1 * &prime2;
    if prime1 == one || prime2 == one || key.other_prime_infos.is_none() && two != modulus {
        return Some("modulus is not the product of prime1 and prime2");
    }
    let (less1, less2) = (&prime1 - &one, &prime2 - &one);
    let product = &public * &private;
    // Modulo 1, every number is 0.
    if [&less1, &less2].into_iter().any(|less| &product % less != &one % less) {
        return Some("privateExponent is not an inverse of publicExponent mod (prime1 - 1) and mod (prime2 - 1)");
    }
    if number(key.exponent1) != &private % &less1 {
        return Some("exponent1 is not privateExponent mod (prime1 - 1)");
    }
    if number(key.exponent2) != &private % &less2 {
        return Some("exponent2 is not privateExponent mod (prime2 - 1)");
    }
    let coefficient = number(key.coefficient);
    if coefficient >= prime1 || coefficient * &prime2 % &prime1 != one {
        return Some("coefficient is not the inverse of prime2 mod prime1");
    }
    // The product of the primes before each further one. It exceeds the modulus after as many primes as the modulus has bits.
    let mut before = two;
    for other in key.other_prime_infos.iter().flat_map(|infos| infos.0.iter()) {
        let Ok(other) = other else { return Some("otherPrimeInfos is malformed") };
        if [other.prime, other.exponent, other.coefficient].into_iter().any(is_out) {
            return Some("otherPrimeInfos has a number that is out of range");
        }
        let (prime, coefficient) = (number(other.prime), number(other.coefficient));
        let less = &prime - &one;
        if prime == one || &before * &prime > modulus {
            return Some("modulus is not the product of the primes");
        }
        if &product % &less != &one % &less {
            return Some("privateExponent is not an inverse of publicExponent mod (prime - 1) in otherPrimeInfos");
        }
        if number(other.exponent) != &private % &less {
            return Some("exponent is not privateExponent mod (prime - 1) in otherPrimeInfos");
        }
        if coefficient >= prime || coefficient * &before % &prime != one {
            return Some("coefficient is not the inverse of the earlier primes mod prime in otherPrimeInfos");
        }
        before *= prime;
    }
    (before != modulus).then_some("modulus is not the product of the primes")
}
