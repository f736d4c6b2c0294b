//! Builds keys from their components, and extracts components from keys.

use tagwise_codec::{Decode, Int};
use tagwise_crypto::{Error, ErrorKind, KeyType, PrivateKeyInfo, Secret};
use tagwise_pkix::edwards::CurvePrivateKey;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::OneAsymmetricKey;
use tagwise_pkix::private_key::curve_private_key;
use tagwise_pkix::sec1::EcPrivateKey;
use tagwise_pkix::{RsaPublicKey, SubjectPublicKeyInfo};

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// The maximum size of a key's modulus, in bytes: 16,384 bits.
const MAX_MODULUS: usize = 2048;

/// Encodes an element in DER.
fn element(tag: u8, content: &[&[u8]]) -> Secret {
    let len: usize = content.iter().map(|part| part.len()).sum();
    let mut header = vec![tag];
    match u8::try_from(len) {
        Ok(short @ ..0x80) => header.push(short),
        _ => {
            let digits = len.to_be_bytes();
            let zeros = digits.iter().take_while(|digit| **digit == 0).count();
            header.push(0x80 | (digits.len() - zeros) as u8);
            header.extend(digits.iter().skip(zeros));
        }
    }
    // Allocated once, so that no copy is left behind.
    let mut whole = Vec::with_capacity(header.len() + len);
    whole.extend(header);
    content.iter().for_each(|part| whole.extend_from_slice(part));
    Secret::from(whole)
}

/// Returns the bytes of a nonnegative number without leading zeros.
pub(crate) fn trimmed(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|octet| **octet == 0).count();
    number.get(zeros..).unwrap_or_default()
}

/// Encodes a nonnegative INTEGER.
fn integer(number: &[u8]) -> Secret {
    let number = trimmed(number);
    match number.first() {
        Some(0x80..) | None => element(INTEGER, &[&[0], number]),
        Some(_) => element(INTEGER, &[number]),
    }
}

/// Pads a number with leading zeros to `len` bytes. Returns `None` if it is longer.
pub(crate) fn padded(number: &[u8], len: usize) -> Option<Secret> {
    let number = trimmed(number);
    let zeros = len.checked_sub(number.len())?;
    let mut padded = Secret::zeroed(len);
    padded.expose_mut().get_mut(zeros..)?.copy_from_slice(number);
    Some(padded)
}

/// Computes the remainder of a division by a nonzero number. The running time depends only on the sizes of the numbers.
fn remainder(number: &[u8], modulus: &[u8]) -> Secret {
    let len = modulus.len() + 1;
    let modulus = padded(modulus, len).unwrap_or_default();
    let (mut rest, mut less) = (Secret::zeroed(len), Secret::zeroed(len));
    for octet in number {
        for bit in (0..8).rev() {
            let mut carry = octet >> bit & 1;
            for digit in rest.expose_mut().iter_mut().rev() {
                let next = *digit >> 7;
                *digit = *digit << 1 | carry;
                carry = next;
            }
            let mut borrow = 0_i16;
            let digits = rest.expose().iter().zip(modulus.expose()).rev();
            for ((one, other), to) in digits.zip(less.expose_mut().iter_mut().rev()) {
                let difference = i16::from(*one) - i16::from(*other) - borrow;
                borrow = i16::from(difference < 0);
                *to = difference.rem_euclid(256) as u8;
            }
            // All bits set where nothing was borrowed: the difference is taken.
            let mask = (borrow as u8).wrapping_sub(1);
            for (digit, other) in rest.expose_mut().iter_mut().zip(less.expose()) {
                *digit = *digit & !mask | other & mask;
            }
        }
    }
    rest
}

/// Subtracts one from an odd number.
fn decremented(odd: &[u8]) -> Secret {
    let mut number = Secret::from(odd);
    if let Some(last) = number.expose_mut().last_mut() {
        *last &= 0xFE;
    }
    number
}

/// Encodes the algorithm of a DSA key with its parameters p, q and g (RFC 3279 §2.3.2).
fn dsa_algorithm(parameters: &[&[u8]; 3]) -> Secret {
    let [p, q, g] = parameters.map(integer);
    let parameters = element(SEQUENCE, &[p.expose(), q.expose(), g.expose()]);
    element(SEQUENCE, &[element(OID, &[tagwise_pkix::oids::DSA.as_bytes()]).expose(), parameters.expose()])
}

/// Encodes the SubjectPublicKeyInfo of a DSA key.
pub(crate) fn dsa_public(parameters: &[&[u8]; 3], public: &[u8]) -> Vec<u8> {
    let key = element(BIT_STRING, &[&[0], integer(public).expose()]);
    element(SEQUENCE, &[dsa_algorithm(parameters).expose(), key.expose()]).into_public()
}

/// Encodes a DSA private key in PKCS #8.
pub(crate) fn dsa_private(parameters: &[&[u8]; 3], private: &[u8]) -> Secret {
    let key = element(OCTET_STRING, &[integer(private).expose()]);
    element(SEQUENCE, &[&[INTEGER, 1, 0], dsa_algorithm(parameters).expose(), key.expose()])
}

/// The components of an RSA private key, big-endian.
#[derive(Default)]
pub(crate) struct Rsa<'n> {
    pub(crate) modulus: &'n [u8],
    pub(crate) public_exponent: &'n [u8],
    pub(crate) private_exponent: &'n [u8],
    pub(crate) primes: [&'n [u8]; 2],
    /// The exponents modulo each prime. Computed if absent.
    pub(crate) exponents: Option<[&'n [u8]; 2]>,
    pub(crate) coefficient: &'n [u8],
}

impl Rsa<'_> {
    pub(crate) fn private_key(&self) -> Result<PrivateKeyInfo, Error> {
        let malformed = |why: &'static str| Error::new(ErrorKind::MalformedKey, "RSA").because(why);
        let numbers = [self.modulus, self.public_exponent, self.private_exponent, self.coefficient];
        if numbers.iter().chain(&self.primes).any(|number| trimmed(number).is_empty()) {
            return Err(malformed("a number is zero"));
        }
        if numbers.iter().chain(&self.primes).any(|number| trimmed(number).len() > MAX_MODULUS) {
            return Err(Error::new(ErrorKind::Limit, "RSA").because("a number exceeds 16,384 bits"));
        }
        let [first, second] = self.primes.map(trimmed);
        let by = |prime| remainder(self.private_exponent, decremented(prime).expose());
        if [first, second].iter().any(|prime| matches!(prime, [1]) || prime.last().is_some_and(|last| last & 1 == 0)) {
            return Err(malformed("a prime must be odd and greater than 1"));
        }
        let exponents = match self.exponents {
            Some([one, other]) => [Secret::from(one), Secret::from(other)],
            None => [by(first), by(second)],
        };
        let [one, other] = &exponents;
        let numbers = [
            &[][..],
            self.modulus,
            self.public_exponent,
            self.private_exponent,
            first,
            second,
            one.expose(),
            other.expose(),
            self.coefficient,
        ];
        let numbers: Vec<Secret> = numbers.iter().map(|number| integer(number)).collect();
        let parts: Vec<&[u8]> = numbers.iter().map(Secret::expose).collect();
        PrivateKeyInfo::from_pkcs1(element(SEQUENCE, &parts).expose())
    }
}

/// Builds an elliptic curve private key from a scalar, which may be shorter than the curve's order, and an optional public
/// point.
pub(crate) fn curve_private(key: KeyType, scalar: &[u8], point: Option<&[u8]>) -> Result<PrivateKeyInfo, Error> {
    let malformed = |why: &'static str| Error::new(ErrorKind::MalformedKey, key).because(why);
    let (_, Some(curve)) = key.identifiers() else { return Err(Error::new(ErrorKind::WrongKey, key)) };
    let len = coordinate_len(key).ok_or_else(|| Error::new(ErrorKind::WrongKey, key))?;
    let scalar = padded(scalar, len).ok_or_else(|| malformed("the private key is longer than the curve's order"))?;
    let (scalar, curve) = (element(OCTET_STRING, &[scalar.expose()]), element(OID, &[curve.as_bytes()]));
    let curve = element(0xA0, &[curve.expose()]);
    let public = point.map(|point| element(BIT_STRING, &[&[0], point]));
    let public = public.map(|public| element(0xA1, &[public.expose()])).unwrap_or_default();
    let sec1 = element(SEQUENCE, &[&[INTEGER, 1, 1], scalar.expose(), curve.expose(), public.expose()]);
    PrivateKeyInfo::from_sec1(sec1.expose())
}

/// Returns the length of a coordinate in bytes, for elliptic curve keys.
pub(crate) const fn coordinate_len(key: KeyType) -> Option<usize> {
    match key {
        KeyType::P256 => Some(32),
        KeyType::P384 => Some(48),
        KeyType::P521 => Some(66),
        KeyType::Curve(curve) => Some(curve.coordinate_len()),
        _ => None,
    }
}

/// Builds an Ed25519, Ed448, X25519 or X448 private key from its bytes.
pub(crate) fn edwards_private(key: KeyType, octets: &[u8]) -> Result<PrivateKeyInfo, Error> {
    let pkcs8 = curve_private_key(key.identifiers().0, octets);
    let pkcs8 = pkcs8.map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))?;
    PrivateKeyInfo::from_pkcs8(&pkcs8)
}

/// Encodes the SubjectPublicKeyInfo of a point or an Edwards key.
pub(crate) fn public(key: KeyType, octets: &[u8]) -> Result<Vec<u8>, Error> {
    let (algorithm, curve) = key.identifiers();
    let algorithm = element(OID, &[algorithm.as_bytes()]);
    let parameters = match curve {
        Some(curve) => element(OID, &[curve.as_bytes()]),
        None => Secret::default(),
    };
    let algorithm = element(SEQUENCE, &[algorithm.expose(), parameters.expose()]);
    let octets = element(BIT_STRING, &[&[0], octets]);
    let der = element(SEQUENCE, &[algorithm.expose(), octets.expose()]).into_public();
    let info = SubjectPublicKeyInfo::from_der(&der);
    let info = info.map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))?;
    KeyType::of(&info)?;
    Ok(der)
}

/// Encodes the SubjectPublicKeyInfo of an RSA key.
pub(crate) fn rsa_public(modulus: &[u8], exponent: &[u8]) -> Result<Vec<u8>, Error> {
    if trimmed(modulus).len() > MAX_MODULUS || trimmed(exponent).len() > MAX_MODULUS {
        return Err(Error::new(ErrorKind::Limit, "RSA").because("a number exceeds 16,384 bits"));
    }
    if trimmed(modulus).is_empty() || trimmed(exponent).is_empty() {
        return Err(Error::new(ErrorKind::MalformedKey, "RSA").because("a number is zero"));
    }
    let key = element(SEQUENCE, &[integer(modulus).expose(), integer(exponent).expose()]);
    let algorithm = tagwise_pkix::oids::RSA_ENCRYPTION;
    let algorithm = element(OID, &[algorithm.as_bytes()]);
    let algorithm = element(SEQUENCE, &[algorithm.expose(), &[5, 0]]);
    let key = element(BIT_STRING, &[&[0], key.expose()]);
    Ok(element(SEQUENCE, &[algorithm.expose(), key.expose()]).into_public())
}

/// The two numbers of an ECDSA signature in DER (RFC 3279 §2.2.3).
pub(crate) fn ecdsa_signature(r: &[u8], s: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[integer(r).expose(), integer(s).expose()]).into_public()
}

/// The components of a public key.
pub(crate) enum Public<'i> {
    Rsa {
        modulus: Int<'i>,
        exponent: Int<'i>,
    },
    /// An uncompressed point.
    Curve(KeyType, &'i [u8]),
    Edwards(KeyType, &'i [u8]),
}

impl<'i> Public<'i> {
    /// Extracts the components of a public key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the key does not decode, or [`ErrorKind::Unsupported`] for other key types.
    pub(crate) fn of(info: &SubjectPublicKeyInfo<'i>, format: &str) -> Result<Self, Error> {
        let key = KeyType::of(info)?;
        let octets = info.subject_public_key.octets().unwrap_or_default();
        match key {
            KeyType::Rsa(_) => {
                let read = RsaPublicKey::from_der(octets);
                let read = read.map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))?;
                Ok(Self::Rsa { modulus: read.modulus, exponent: read.public_exponent })
            }
            KeyType::Ed25519 | KeyType::Ed448 | KeyType::X25519 | KeyType::X448 => Ok(Self::Edwards(key, octets)),
            _ => match (coordinate_len(key), octets.first()) {
                (Some(len), Some(4)) if octets.len() == 1 + 2 * len => Ok(Self::Curve(key, octets)),
                (Some(_), _) => Err(Error::new(ErrorKind::Unsupported, "a compressed point")),
                (None, _) => Err(Error::new(ErrorKind::Unsupported, format_args!("{key} as {format}"))),
            },
        }
    }

    /// Splits an uncompressed point into its coordinates.
    pub(crate) fn coordinates(point: &[u8]) -> (&[u8], &[u8]) {
        let both = point.get(1..).unwrap_or_default();
        both.split_at_checked(both.len() / 2).unwrap_or_default()
    }
}

/// Returns the scalar of an elliptic curve key, or the bytes of an Edwards key.
pub(crate) fn secret_of(info: &PrivateKeyInfo) -> Result<Secret, Error> {
    let malformed = |error| Error::new(ErrorKind::MalformedKey, info.key_type()).because(error);
    let key = OneAsymmetricKey::from_der(info.pkcs8().expose()).map_err(malformed)?;
    let inside = key.private_key.0.as_bytes();
    match coordinate_len(info.key_type()) {
        Some(_) => {
            let read = EcPrivateKey::from_der(inside).map_err(malformed)?;
            Ok(Secret::from(read.private_key.as_bytes()))
        }
        None => CurvePrivateKey::from_der(inside).map(|key| Secret::from(key.0.as_bytes())).map_err(malformed),
    }
}

/// Decodes the components of an RSA key with two primes.
pub(crate) fn rsa_of(pkcs1: &Secret) -> Result<RsaPrivateKey<'_>, Error> {
    let key = RsaPrivateKey::from_der(pkcs1.expose());
    let key = key.map_err(|error| Error::new(ErrorKind::MalformedKey, "RSA").because(error))?;
    match key.other_prime_infos {
        None => Ok(key),
        Some(_) => Err(Error::new(ErrorKind::Unsupported, "an RSA key with more than two primes in this format")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders() {
        let of = |number: u64, modulus: u64| {
            let rest = remainder(&number.to_be_bytes(), trimmed(&modulus.to_be_bytes()));
            rest.expose().iter().fold(0_u64, |sum, digit| sum << 8 | u64::from(*digit))
        };
        for (number, modulus) in [(0, 7), (7, 7), (8, 7), (u64::MAX, 65_537), (1 << 63, 255), (12_345, 99_999_999)] {
            assert_eq!(of(number, modulus), number % modulus, "{number} mod {modulus}");
        }
    }

    #[test]
    fn elements_have_the_shortest_length() {
        assert_eq!(element(SEQUENCE, &[&[0; 127]]).expose()[..2], [0x30, 127]);
        assert_eq!(element(SEQUENCE, &[&[0; 128]]).expose()[..3], [0x30, 0x81, 128]);
        assert_eq!(element(SEQUENCE, &[&[0; 256]]).expose()[..4], [0x30, 0x82, 1, 0]);
        assert_eq!(integer(&[0, 0, 0x80]).expose(), [2, 2, 0, 0x80]);
        assert_eq!(integer(&[]).expose(), [2, 1, 0]);
    }
}
