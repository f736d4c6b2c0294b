//! DSA signature verification (FIPS 186-4 §4.7; withdrawn by FIPS 186-5). Signing is not supported.

use num_bigint::BigUint;
use tagwise_codec::{Any, Decode, Int};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use crate::{Backend, Digest, Error, ErrorKind};

/// The lengths of p and q in bits that FIPS 186-4 §4.2 allows. The first pair is also in FIPS 186-2.
const SIZES: [(u64, u64); 4] = [(1024, 160), (2048, 224), (2048, 256), (3072, 256)];

const NAME: &str = "DSA";

/// Returns the digest of a DSA signature algorithm, or `None` for other algorithms.
pub(crate) fn digest(algorithm: &AlgorithmIdentifier<'_>) -> Option<Digest> {
    let found = [
        (oids::DSA_WITH_SHA1, Digest::Sha1),
        (oids::DSA_WITH_SHA224, Digest::Sha224),
        (oids::DSA_WITH_SHA256, Digest::Sha256),
        (oids::DSA_WITH_SHA384, Digest::Sha384),
        (oids::DSA_WITH_SHA512, Digest::Sha512),
    ];
    found.iter().find(|(oid, _)| *oid == algorithm.algorithm).map(|(_, digest)| *digest)
}

/// Verifies a DSA signature. The key contains the parameters.
///
/// # Errors
/// Returns [`ErrorKind::Signature`] if the signature is invalid, and [`ErrorKind::WrongKey`], [`ErrorKind::MalformedKey`]
/// or [`ErrorKind::KeySize`] if the key is unsuitable. Returns [`ErrorKind::Parameters`] if the signature algorithm has
/// parameters (RFC 3279 §2.2.2, RFC 5758 §3.1), or the backend's error if it cannot compute the digest.
pub(crate) fn verify(
    backend: &dyn Backend,
    digest: Digest,
    key: &SubjectPublicKeyInfo<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    if key.algorithm.algorithm != oids::DSA {
        return Err(Error::new(ErrorKind::WrongKey, NAME));
    }
    if algorithm.parameters.is_some() {
        return Err(Error::new(ErrorKind::Parameters, NAME));
    }
    let malformed = || Error::new(ErrorKind::MalformedKey, NAME);
    // `Dss-Parms ::= SEQUENCE { p INTEGER, q INTEGER, g INTEGER }`, RFC 3279 §2.3.2.
    let [p, q, g] = numbers(&key.algorithm.parameters.ok_or_else(malformed)?).ok_or_else(malformed)?;
    if !SIZES.contains(&(p.bits(), q.bits())) {
        return Err(Error::new(ErrorKind::KeySize, NAME));
    }
    // `DSAPublicKey ::= INTEGER`, RFC 3279 §2.3.2.
    let octets = key.subject_public_key.octets().ok_or_else(malformed)?;
    let y = Int::from_der(octets).ok().and_then(natural).ok_or_else(malformed)?;
    let one = BigUint::from(1_u8);
    if !p.bit(0) || !q.bit(0) || [&g, &y].iter().any(|number| **number <= one || **number >= p) {
        return Err(malformed());
    }
    let wrong = || Error::new(ErrorKind::Signature, NAME);
    // `Dss-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }`, RFC 3279 §2.2.2.
    let [r, s] = Any::from_der(signature).ok().and_then(|any| numbers(&any)).ok_or_else(wrong)?;
    let zero = BigUint::ZERO;
    if r == zero || s == zero || r >= q || s >= q {
        return Err(wrong());
    }
    let hash = backend.digest(digest, message)?;
    // The leftmost bits of the digest, as many as q has: each allowed length is a whole number of bytes.
    let kept = hash.get(..usize::try_from(q.bits() / 8).unwrap_or(usize::MAX)).unwrap_or(&hash);
    let w = s.modinv(&q).ok_or_else(wrong)?;
    let (u1, u2) = (BigUint::from_bytes_be(kept) * &w % &q, &r * &w % &q);
    let v = g.modpow(&u1, &p) * y.modpow(&u2, &p) % &p % &q;
    if v == r { Ok(()) } else { Err(wrong()) }
}

/// Decodes a SEQUENCE of `N` nonnegative INTEGERs.
fn numbers<const N: usize>(sequence: &Any<'_>) -> Option<[BigUint; N]> {
    if sequence.tag() != tagwise_codec::Tag::SEQUENCE {
        return None;
    }
    let mut found = Vec::with_capacity(N);
    for child in sequence.children() {
        if found.len() == N {
            return None;
        }
        found.push(natural(child.ok()?.decode_as::<Int<'_>>().ok()?)?);
    }
    found.try_into().ok()
}

fn natural(number: Int<'_>) -> Option<BigUint> {
    (!number.is_negative()).then(|| BigUint::from_bytes_be(number.magnitude()))
}
