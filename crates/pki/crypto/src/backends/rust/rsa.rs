//! RSA signature verification (RFC 8017 §8). Only public values are used, so variable time is safe.

use num_bigint::BigUint;
use tagwise_codec::{Any, Decode, Int, OctetStr, encode};
use tagwise_pkix::pkcs1::DigestInfo;
use tagwise_pkix::{AlgorithmIdentifier, RsaPublicKey};

use super::PureRust;
use crate::{Digest, Primitives, PssParameters, Scheme};

/// The maximum size of the public exponent in bits, as in AWS-LC, which bounds the work of a verification.
const MAX_EXPONENT: u64 = 33;

/// A public key.
pub(super) struct Rsa {
    modulus: BigUint,
    exponent: BigUint,
}

fn natural(number: Int<'_>) -> Option<BigUint> {
    (!number.is_negative()).then(|| BigUint::from_bytes_be(number.magnitude()))
}

impl Rsa {
    /// Parses an RSAPublicKey in DER. The modulus must be odd, and the exponent odd and greater than one.
    pub(super) fn parse(der: &[u8]) -> Option<Self> {
        let key = RsaPublicKey::from_der(der).ok()?;
        let (modulus, exponent) = (natural(key.modulus)?, natural(key.public_exponent)?);
        let is_possible = modulus.bit(0) && exponent.bit(0) && (2..=MAX_EXPONENT).contains(&exponent.bits());
        (is_possible && exponent < modulus).then_some(Self { modulus, exponent })
    }

    /// Returns the encoded message of a signature (RFC 8017 §5.2.2), with a length of `len` bytes.
    fn encoded(&self, signature: &[u8], len: usize) -> Option<Vec<u8>> {
        let size = usize::try_from(self.modulus.bits().div_ceil(8)).ok()?;
        let number = BigUint::from_bytes_be(signature);
        // RFC 8017 §8.2.2 step 1 and §5.2.2 step 1.
        if signature.len() != size || number >= self.modulus {
            return None;
        }
        let bytes = number.modpow(&self.exponent, &self.modulus).to_bytes_be();
        let mut encoded = vec![0; len.checked_sub(bytes.len())?];
        encoded.extend(bytes);
        Some(encoded)
    }

    /// Returns whether a signature of a digest is valid.
    pub(super) fn verifies(&self, scheme: &Scheme, digest: &[u8], signature: &[u8]) -> bool {
        let valid = match scheme {
            Scheme::RsaPkcs1(of) => self.pkcs1(*of, digest, signature),
            Scheme::RsaPss(parameters) => self.pss(parameters, digest, signature),
            _ => None,
        };
        valid == Some(true)
    }

    /// RFC 8017 §8.2.2: the expected encoding is built and compared, so there is nothing to parse.
    fn pkcs1(&self, of: Digest, digest: &[u8], signature: &[u8]) -> Option<bool> {
        let len = usize::try_from(self.modulus.bits().div_ceil(8)).ok()?;
        // RFC 8017 §A.2.4: the parameters are NULL.
        let parameters = Any::from_der(&[5, 0]).ok();
        let digest_algorithm = AlgorithmIdentifier { algorithm: of.oid(), parameters };
        let info = encode(&DigestInfo { digest_algorithm, digest: OctetStr::new(digest) }).ok()?;
        // RFC 8017 §9.2 step 3: at least eight bytes of padding.
        let padding = len.checked_sub(info.len())?.checked_sub(3).filter(|padding| *padding >= 8)?;
        let mut expected = vec![0, 1];
        expected.resize(padding.saturating_add(2), 0xFF);
        expected.push(0);
        expected.extend(info);
        Some(self.encoded(signature, len)? == expected)
    }

    /// RFC 8017 §8.1.2 and §9.1.2.
    fn pss(&self, parameters: &PssParameters, digest: &[u8], signature: &[u8]) -> Option<bool> {
        let bits = self.modulus.bits().checked_sub(1)?;
        let len = usize::try_from(bits.div_ceil(8)).ok()?;
        let encoded = self.encoded(signature, len)?;
        let salt_len = usize::from(parameters.salt_len);
        let masked_len = len.checked_sub(digest.len())?.checked_sub(1)?;
        let padding = masked_len.checked_sub(salt_len)?.checked_sub(1)?;
        let (masked, rest) = encoded.split_at_checked(masked_len)?;
        let (hash, trailer) = rest.split_at_checked(digest.len())?;
        // The leftmost bits that the modulus does not reach must be zero.
        let unused = u32::try_from((len as u64).checked_mul(8)?.checked_sub(bits)?).ok()?;
        let kept = 0xFF_u8.checked_shr(unused)?;
        if trailer != [0xBC] || masked.first()? & !kept != 0 {
            return Some(false);
        }
        let mask = mgf1(parameters.mask, hash, masked_len)?;
        let mut block: Vec<u8> = masked.iter().zip(&mask).map(|(one, other)| one ^ other).collect();
        *block.first_mut()? &= kept;
        let (zeros, rest) = block.split_at_checked(padding)?;
        let (one, salt) = rest.split_first()?;
        if zeros.iter().any(|byte| *byte != 0) || *one != 1 {
            return Some(false);
        }
        let mut hasher = PureRust::new().hasher(parameters.digest).ok()?;
        hasher.update(&[0; 8]);
        hasher.update(digest);
        hasher.update(salt);
        Some(hasher.finish().ok()? == hash)
    }
}

/// The mask generation function MGF1 (RFC 8017 §B.2.1).
fn mgf1(of: Digest, seed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut mask = Vec::with_capacity(len);
    for counter in 0_u32.. {
        if mask.len() >= len {
            break;
        }
        let mut hasher = PureRust::new().hasher(of).ok()?;
        hasher.update(seed);
        hasher.update(&counter.to_be_bytes());
        mask.extend(hasher.finish().ok()?);
    }
    mask.truncate(len);
    Some(mask)
}
