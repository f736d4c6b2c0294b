//! DSA private keys (FIPS 186-4, withdrawn by FIPS 186-5). They are read and checked, but nothing signs with them.

use num_bigint::BigUint;
use tagwise_codec::{Any, Decode, Int, Tag};
use tagwise_crypto::{Error, ErrorKind, Secret};
use tagwise_pkix::pkcs8::OneAsymmetricKey;
use tagwise_pkix::{SubjectPublicKeyInfo, oids};

use crate::cursor::Cursor;
use crate::parts::{dsa_private, dsa_public, trimmed};

const NAME: &str = "DSA";

/// The maximum size of p, in bits, as in OpenSSL (`OPENSSL_DSA_MAX_MODULUS_BITS`).
const MAX_BITS: u64 = 10_000;

fn wrong(why: &'static str) -> Error {
    Error::new(ErrorKind::MalformedKey, NAME).because(why)
}

/// A DSA private key. Its public key was computed, and compared with the given one, if any.
#[derive(Debug)]
pub struct DsaPrivateKey {
    /// The public key, as a SubjectPublicKeyInfo in DER.
    pub public: Vec<u8>,
    /// The private key in PKCS #8 (RFC 5958), in DER.
    pub pkcs8: Secret,
}

/// Reads a DSA private key in DER. Returns `None` for anything else. The key is in PKCS #8, or in OpenSSL's traditional form: a
/// SEQUENCE of the version 0, p, q, g, and the public and the private key.
///
/// ```
/// // p = 23, q = 11, g = 4, and the private key 3: the public one is 4^3 mod 23 = 18.
/// let key = [0x30, 18, 2, 1, 0, 2, 1, 23, 2, 1, 11, 2, 1, 4, 2, 1, 18, 2, 1, 3];
/// let key = tagwise_keys::dsa::read(&key).unwrap()?;
/// assert!(key.public.ends_with(&[0x03, 4, 0, 2, 1, 18]));
/// assert!(tagwise_keys::dsa::read(&[0x30, 0]).is_none());
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// The inner result is [`ErrorKind::MalformedKey`] if the numbers are invalid, [`ErrorKind::Inconsistent`] if the public key
/// does not match, or [`ErrorKind::Limit`] if p exceeds 10,000 bits.
#[must_use]
pub fn read(der: &[u8]) -> Option<Result<DsaPrivateKey, Error>> {
    if let Ok(key) = OneAsymmetricKey::outline(der) {
        return (key.private_key_algorithm.algorithm == oids::DSA).then(|| of_pkcs8(&key));
    }
    let numbers: [&[u8]; 6] = numbers(&Any::from_der(der).ok()?)?;
    let [version, p, q, g, y, x] = numbers;
    trimmed(version).is_empty().then(|| checked(&[p, q, g], Some(y), x))
}

fn of_pkcs8(key: &OneAsymmetricKey<'_>) -> Result<DsaPrivateKey, Error> {
    // RFC 3279 §2.3.2: parameters can be left out of a certificate whose issuer has them, but a private key has no issuer.
    let parameters = key.private_key_algorithm.parameters.as_ref().and_then(numbers);
    let parameters: [&[u8]; 3] =
        parameters.ok_or_else(|| wrong("the parameters are not the three numbers p, q and g"))?;
    let x = Int::from_der(key.private_key.0.as_bytes()).ok().filter(|number| !number.is_negative());
    let x = x.ok_or_else(|| wrong("the private key is not a nonnegative INTEGER"))?;
    checked(&parameters, None, x.magnitude())
}

/// Reads the rest of an OpenSSH private key after the type's name: p, q, g, and the public and the private key.
pub(crate) fn of_ssh(cursor: &mut Cursor<'_>) -> Result<DsaPrivateKey, Error> {
    let (parameters, y) = ssh_public(cursor)?;
    let x = cursor.natural()?;
    checked(&parameters, Some(y), x)
}

/// Reads the parameters and the public key of an SSH key (RFC 4253 §6.6).
pub(crate) fn ssh_public<'o>(cursor: &mut Cursor<'o>) -> Result<([&'o [u8]; 3], &'o [u8]), Error> {
    let mut next = || cursor.natural();
    Ok(([next()?, next()?, next()?], next()?))
}

/// Returns p, q, g and the public key of a DSA key, or `None` for other keys.
pub(crate) fn parts_of<'i>(info: &SubjectPublicKeyInfo<'i>) -> Option<[&'i [u8]; 4]> {
    if info.algorithm.algorithm != oids::DSA {
        return None;
    }
    let [p, q, g] = numbers(info.algorithm.parameters.as_ref()?)?;
    let y = Int::from_der(info.subject_public_key.octets()?).ok().filter(|number| !number.is_negative())?;
    Some([p, q, g, y.magnitude()])
}

/// Computes the public key, and compares it with the given one.
fn checked(parameters: &[&[u8]; 3], given: Option<&[u8]>, private: &[u8]) -> Result<DsaPrivateKey, Error> {
    let number = BigUint::from_bytes_be;
    let ([p, q, g], x) = (parameters.map(number), number(private));
    if p.bits() > MAX_BITS {
        return Err(Error::new(ErrorKind::Limit, NAME).because("p exceeds 10,000 bits"));
    }
    let one = BigUint::from(1_u8);
    if !p.bit(0) || !q.bit(0) || q >= p || g <= one || g >= p {
        return Err(wrong("p and q must be odd, and q and g less than p (FIPS 186-4 §4.1)"));
    }
    if x == BigUint::ZERO || x >= q {
        return Err(wrong("the private key must be greater than 0 and less than q (FIPS 186-4 §4.1)"));
    }
    let y = g.modpow(&x, &p);
    if given.is_some_and(|given| number(given) != y) {
        return Err(Error::new(ErrorKind::Inconsistent, NAME).because("its public key does not match the private key"));
    }
    let public = dsa_public(parameters, &y.to_bytes_be());
    Ok(DsaPrivateKey { public, pkcs8: dsa_private(parameters, private) })
}

/// Decodes a SEQUENCE of `N` nonnegative INTEGERs.
fn numbers<'d, const N: usize>(sequence: &Any<'d>) -> Option<[&'d [u8]; N]> {
    if sequence.tag() != Tag::SEQUENCE {
        return None;
    }
    let mut found = Vec::with_capacity(N);
    for child in sequence.children() {
        let number = child.ok()?.decode_as::<Int<'_>>().ok().filter(|number| !number.is_negative())?;
        if found.len() == N {
            return None;
        }
        found.push(number.magnitude());
    }
    found.try_into().ok()
}
