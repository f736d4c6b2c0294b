//! Checks the consistency of an RSA private key's numbers (RFC 8017 §3.2).
//!
//! OpenSSL's own check also tests the primes, which takes seconds for the largest keys. This check relies on the key's
//! creator for primality, and detects errors in files, such as wrong products and inverses.

use openssl::bn::{BigNum, BigNumContext, BigNumRef};
use openssl::error::ErrorStack;
use tagwise_codec::Int;
use tagwise_pkix::pkcs1::RsaPrivateKey;

use super::{because, failed};
use crate::{Error, ErrorKind, KeyType};

/// A number that is zeroized on drop, and processed in constant time.
struct Number(BigNum);

impl Drop for Number {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl Number {
    fn new() -> Result<Self, ErrorStack> {
        let mut number = BigNum::new_secure()?;
        number.set_const_time();
        Ok(Self(number))
    }

    fn of(number: Int<'_>) -> Result<Self, ErrorStack> {
        let mut secret = Self::new()?;
        secret.0.copy_from_slice(number.magnitude())?;
        Ok(secret)
    }

    /// Creates a number with the result of a computation.
    fn made(make: impl FnOnce(&mut BigNumRef) -> Result<(), ErrorStack>) -> Result<Self, ErrorStack> {
        let mut secret = Self::new()?;
        make(&mut secret.0)?;
        Ok(secret)
    }
}

/// Checks that the key's numbers are consistent.
///
/// # Errors
/// Returns [`ErrorKind::Inconsistent`] or [`ErrorKind::MalformedKey`] if they are not, or [`ErrorKind::NotOffered`] if
/// there are more than two primes.
pub(super) fn check(key: KeyType, numbers: &RsaPrivateKey<'_>) -> Result<(), Error> {
    if numbers.other_prime_infos.is_some() {
        return Err(failed(ErrorKind::NotOffered, "RSA with more than two primes"));
    }
    let all = [
        numbers.modulus,
        numbers.public_exponent,
        numbers.private_exponent,
        numbers.prime1,
        numbers.prime2,
        numbers.exponent1,
        numbers.exponent2,
        numbers.coefficient,
    ];
    if all.iter().any(|number| number.is_negative()) {
        return Err(failed(ErrorKind::MalformedKey, key));
    }
    match agree(numbers).map_err(because(ErrorKind::MalformedKey, key))? {
        true => Ok(()),
        false => Err(failed(ErrorKind::Inconsistent, key)),
    }
}

fn agree(numbers: &RsaPrivateKey<'_>) -> Result<bool, ErrorStack> {
    let mut context = BigNumContext::new_secure()?;
    let (n, e, d) =
        (Number::of(numbers.modulus)?, Number::of(numbers.public_exponent)?, Number::of(numbers.private_exponent)?);
    let (p, q) = (Number::of(numbers.prime1)?, Number::of(numbers.prime2)?);
    let one = BigNum::from_u32(1)?;
    let product = Number::made(|number| number.checked_mul(&p.0, &q.0, &mut context))?;
    if product.0 != n.0 || p.0 <= one || q.0 <= one {
        return Ok(false);
    }
    for (prime, exponent) in [(&p, numbers.exponent1), (&q, numbers.exponent2)] {
        let less = Number::made(|number| number.checked_sub(&prime.0, &one))?;
        // e·d ≡ 1 and the exponent ≡ d, modulo the prime less one.
        let inverse = Number::made(|number| number.mod_mul(&e.0, &d.0, &less.0, &mut context))?;
        let reduced = Number::made(|number| number.nnmod(&d.0, &less.0, &mut context))?;
        if inverse.0 != one || reduced.0 != Number::of(exponent)?.0 {
            return Ok(false);
        }
    }
    let coefficient = Number::of(numbers.coefficient)?;
    let inverse = Number::made(|number| number.mod_mul(&q.0, &coefficient.0, &p.0, &mut context))?;
    Ok(inverse.0 == one)
}
