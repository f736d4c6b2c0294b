//! SPAKE preauthentication (RFC 9588) with the group edwards25519: the transcript and the keys. Other groups are not
//! supported.

use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::scalar::Scalar;
use tagwise_crypto::{Digest, Error, ErrorKind, Primitives, Secret};
use zeroize::{Zeroize as _, Zeroizing};

use crate::crypto::{Key, cf2, prf_plus};

/// The number of the group edwards25519 (RFC 9588 §12.2), which all implementations support.
pub const EDWARDS25519: i32 = 1;

/// The group's constant points (RFC 9588 §12.2). M masks the KDC's value, and N masks the client's.
const M: [u8; 32] = [
    0xD0, 0x48, 0x03, 0x2C, 0x6E, 0xA0, 0xB6, 0xD6, 0x97, 0xDD, 0xC2, 0xE8, 0x6B, 0xDA, 0x85, 0xA3, 0x3A, 0xDA, 0xC9,
    0x20, 0xF1, 0xBF, 0x18, 0xE1, 0xB0, 0xC6, 0xD1, 0x66, 0xA5, 0xCE, 0xCD, 0xAF,
];
const N: [u8; 32] = [
    0xD3, 0xBF, 0xB5, 0x18, 0xF4, 0x4F, 0x34, 0x30, 0xF2, 0x9D, 0x0C, 0x92, 0xAF, 0x50, 0x38, 0x65, 0xA1, 0xED, 0x32,
    0x81, 0xDC, 0x69, 0xB3, 0x5D, 0xD8, 0x68, 0xBA, 0x85, 0xF8, 0x86, 0xC4, 0xAB,
];

/// A side of the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The client.
    Client,
    /// The KDC.
    Kdc,
}

impl Side {
    const fn mask(self) -> [u8; 32] {
        match self {
            Self::Kdc => M,
            Self::Client => N,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Client => Self::Kdc,
            Self::Kdc => Self::Client,
        }
    }
}

fn failed() -> Error {
    Error::new(ErrorKind::Integrity, "SPAKE")
}

fn point(octets: &[u8]) -> Result<EdwardsPoint, Error> {
    let compressed = CompressedEdwardsY::from_slice(octets).map_err(|error| failed().because(error.to_string()))?;
    compressed.decompress().ok_or_else(failed)
}

/// Computes the multiplier w from the initial reply key (RFC 9588 §5).
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for groups other than edwards25519.
pub fn multiplier(backend: &dyn Primitives, key: &Key, group: i32) -> Result<Secret, Error> {
    if group != EDWARDS25519 {
        return Err(Error::new(ErrorKind::Unsupported, format_args!("SPAKE group {group}")));
    }
    prf_plus(backend, key, &[&b"SPAKEsecret"[..], &group.to_be_bytes()].concat(), 32)
}

/// A side's private value.
#[derive(Clone)]
pub struct Private(Zeroizing<Scalar>);

impl Private {
    /// Generates a random private value.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the random number generator fails.
    pub fn generate(backend: &dyn Primitives) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 64]);
        backend.random(seed.as_mut_slice())?;
        Ok(Self(Zeroizing::new(Scalar::from_bytes_mod_order_wide(&seed))))
    }

    /// Restores a private value from a KDC's state or a test vector: 32 little-endian bytes, a multiple of the cofactor 8.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the bytes are not a private value in this form.
    pub fn from_bytes(octets: &[u8]) -> Result<Self, Error> {
        let wrong = || Error::new(ErrorKind::MalformedKey, "SPAKE");
        let mut number: [u8; 32] = octets.try_into().map_err(|_: core::array::TryFromSliceError| wrong())?;
        // Divided by eight: the cofactor is multiplied in at the end, where it clears what a dishonest peer adds.
        let mut carry = 0;
        for octet in number.iter_mut().rev() {
            let rest = *octet << 5;
            *octet = *octet >> 3 | carry;
            carry = rest;
        }
        let scalar: Option<Scalar> = Scalar::from_canonical_bytes(number).into();
        number.zeroize();
        match carry {
            0 => scalar.map(|scalar| Self(Zeroizing::new(scalar))).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    /// Computes a side's public value, masked with the password.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the multiplier has the wrong length.
    pub fn public(&self, side: Side, multiplier: &Secret) -> Result<[u8; 32], Error> {
        let own = EdwardsPoint::mul_base(&self.0).mul_by_cofactor();
        Ok((own + masked(side, multiplier)?).compress().to_bytes())
    }

    /// Computes the shared value from the other side's public value.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] if the peer's value is not a point on the curve.
    pub fn shared(&self, side: Side, multiplier: &Secret, peer: &[u8]) -> Result<Secret, Error> {
        let unmasked = point(peer)? - masked(side.other(), multiplier)?;
        let shared = (unmasked * *self.0).mul_by_cofactor();
        Ok(Secret::from(shared.compress().to_bytes().as_slice()))
    }
}

impl core::fmt::Debug for Private {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Private")
    }
}

fn masked(side: Side, multiplier: &Secret) -> Result<EdwardsPoint, Error> {
    let octets: &[u8; 32] = multiplier.expose().first_chunk().ok_or_else(|| Error::new(ErrorKind::Length, "SPAKE"))?;
    let scalar = Zeroizing::new(Scalar::from_bytes_mod_order(*octets));
    Ok(point(&side.mask())? * *scalar)
}

/// The transcript hash (RFC 9588 §6): first over the support and challenge messages, then updated with the client's public
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript(Vec<u8>);

impl Default for Transcript {
    fn default() -> Self {
        Self(vec![0; 32])
    }
}

impl Transcript {
    /// Restores a transcript from its hash.
    #[must_use]
    pub fn from_hash(hash: &[u8]) -> Self {
        Self(hash.to_vec())
    }

    /// Returns the hash.
    #[must_use]
    pub fn hash(&self) -> &[u8] {
        &self.0
    }

    /// Adds one or two messages.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn update(&mut self, backend: &dyn Primitives, one: &[u8], other: &[u8]) -> Result<(), Error> {
        self.0 = hash(backend, &[&self.0, one, other])?;
        Ok(())
    }
}

/// The input for key derivation (RFC 9588 §7).
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// The initial reply key, which is the client's long-term key.
    pub key: &'a Key,
    /// The group.
    pub group: i32,
    /// The result of [`multiplier`].
    pub multiplier: &'a Secret,
    /// The result of [`Private::shared`].
    pub shared: &'a Secret,
    /// The transcript with the client's public value.
    pub transcript: &'a Transcript,
    /// The KDC-REQ-BODY in DER.
    pub body: &'a [u8],
}

impl Exchange<'_> {
    /// Derives K'\[n\]. Number 0 is the reply key, and 1 encrypts the client's second factor.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn derive(&self, backend: &dyn Primitives, n: u32) -> Result<Key, Error> {
        let enc_type = self.key.enc_type();
        let mut seed = Vec::new();
        for count in 1_u8.. {
            let pieces: [&[u8]; 9] = [
                b"SPAKEkey",
                &self.group.to_be_bytes(),
                &enc_type.number().to_be_bytes(),
                self.multiplier.expose(),
                self.shared.expose(),
                self.transcript.hash(),
                self.body,
                &n.to_be_bytes(),
                &[count],
            ];
            seed.extend(hash(backend, &pieces)?);
            if seed.len() >= enc_type.seed_len() {
                break;
            }
        }
        let mut seed = Secret::from(seed);
        seed.truncate(enc_type.seed_len());
        let derived = Key::from_seed(enc_type, &seed)?;
        cf2(backend, self.key, &derived, b"SPAKE", b"keyderiv")
    }
}

/// Computes the group's hash function, SHA-256.
fn hash(backend: &dyn Primitives, pieces: &[&[u8]]) -> Result<Vec<u8>, Error> {
    let mut hasher = backend.hasher(Digest::Sha256)?;
    pieces.iter().for_each(|piece| hasher.update(piece));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

    use tagwise_crypto::backends::AwsLc;

    use super::*;
    use crate::crypto::EncType;

    fn octets(hex: &str) -> Vec<u8> {
        let hex = if hex == "-" { "" } else { hex };
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    #[test]
    fn vectors() {
        let backend = AwsLc::new();
        let mut count = 0;
        for line in include_str!("../tests/vectors/spake.tsv").lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<Vec<u8>> = line.split('\t').skip(1).map(octets).collect();
            let enc_type = EncType::from_number(line.split('\t').next().unwrap().parse().unwrap()).unwrap();
            let [key, w, x, y, t, s, k, support, challenge, hash, body, keys @ ..] = fields.as_slice() else {
                panic!()
            };
            let key = Key::new(enc_type, key.as_slice()).unwrap();
            let multiplier = multiplier(&backend, &key, EDWARDS25519).unwrap();
            assert_eq!(multiplier.expose(), w);
            // x is the KDC's value, T its public one; y and S are the client's.
            let (kdc, client) = (Private::from_bytes(x).unwrap(), Private::from_bytes(y).unwrap());
            assert_eq!(kdc.public(Side::Kdc, &multiplier).unwrap().as_slice(), t);
            assert_eq!(client.public(Side::Client, &multiplier).unwrap().as_slice(), s);
            let shared = client.shared(Side::Client, &multiplier, t).unwrap();
            assert_eq!(shared.expose(), k);
            assert_eq!(kdc.shared(Side::Kdc, &multiplier, s).unwrap().expose(), k);
            let mut transcript = Transcript::default();
            transcript.update(&backend, support, challenge).unwrap();
            transcript.update(&backend, s, &[]).unwrap();
            assert_eq!(transcript.hash(), hash);
            let exchange = Exchange {
                key: &key,
                group: EDWARDS25519,
                multiplier: &multiplier,
                shared: &shared,
                transcript: &transcript,
                body,
            };
            for (n, expected) in (0..).zip(keys) {
                assert_eq!(exchange.derive(&backend, n).unwrap().expose(), expected, "K'[{n}]");
            }
            count += 1;
        }
        assert_eq!(count, 5);
        assert!(Private::from_bytes(&[1; 32]).is_err() && Private::from_bytes(&[0; 31]).is_err());
    }
}
