//! RSA signatures with MD5 (RFC 8017 §8.2.2), which no backend verifies. `openssl spkac` creates them by default.

use md5::{Digest as _, Md5};
use num_bigint::BigUint;
use tagwise_codec::Decode;
use tagwise_crypto::{Error, ErrorKind, KeyType};
use tagwise_pkix::{RsaPublicKey, SubjectPublicKeyInfo};

const NAME: &str = "RSA-MD5";

/// The DER prefix of an MD5 DigestInfo, up to the digest (RFC 8017 §9.2, note 1).
const DIGEST_INFO: [u8; 18] =
    [0x30, 0x20, 0x30, 0x0C, 0x06, 0x08, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x05, 0x05, 0x00, 0x04, 0x10];

/// Verifies an RSA PKCS #1 v1.5 signature with MD5. MD5 is broken: attackers can create different messages with the same
/// signature. Use the result only to display old data.
///
/// # Errors
/// Returns [`ErrorKind::Signature`] if the signature is invalid, [`ErrorKind::WrongKey`] if the key is not an RSA key,
/// [`ErrorKind::KeySize`] if the modulus does not have 512 to 16,384 bits or the exponent has more than 64 bits, or
/// [`ErrorKind::MalformedKey`] if the key does not decode.
pub fn verify(key: &SubjectPublicKeyInfo<'_>, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let KeyType::Rsa(bits) = KeyType::of(key)? else { return Err(Error::new(ErrorKind::WrongKey, NAME)) };
    let malformed = |error| Error::new(ErrorKind::MalformedKey, "RSA").because(error);
    let read = RsaPublicKey::from_der(key.subject_public_key.octets().unwrap_or_default()).map_err(malformed)?;
    let natural = |number: tagwise_codec::Int<'_>| BigUint::from_bytes_be(number.magnitude());
    let (modulus, exponent) = (natural(read.modulus), natural(read.public_exponent));
    if !(512..=16_384).contains(&bits) || exponent.bits() > 64 || read.modulus.is_negative() {
        return Err(Error::new(ErrorKind::KeySize, KeyType::Rsa(bits)));
    }
    let wrong = || Error::new(ErrorKind::Signature, NAME);
    let len = bits.div_ceil(8) as usize;
    let number = BigUint::from_bytes_be(signature);
    if signature.len() != len || number >= modulus {
        return Err(wrong());
    }
    // RFC 8017 §9.2: the encoding is made and compared as a whole, so that nothing in it goes unchecked.
    let digest = Md5::digest(message);
    let mut expected = vec![0xFF; len];
    let start = len.saturating_sub(DIGEST_INFO.len() + digest.len());
    let inside = [&[0][..], &DIGEST_INFO, &digest].concat();
    let (padding, tail) = expected.split_at_mut_checked(start.saturating_sub(1)).ok_or_else(wrong)?;
    padding.iter_mut().zip([0, 1]).for_each(|(to, octet)| *to = octet);
    tail.iter_mut().zip(&inside).for_each(|(to, octet)| *to = *octet);
    let found = number.modpow(&exponent, &modulus);
    if found == BigUint::from_bytes_be(&expected) { Ok(()) } else { Err(wrong()) }
}
