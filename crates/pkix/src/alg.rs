//! Algorithm identifiers and public keys (RFC 5280 §4.1.1.2, §4.1.2.7).

use tagwise_codec::{Any, BitStr, Decode, Fault, Int, Oid, Reader, oid};
use tagwise_derive::Asn1;

/// ```asn1
/// AlgorithmIdentifier  ::=  SEQUENCE  {
///      algorithm   OBJECT IDENTIFIER,
///      parameters  ANY DEFINED BY algorithm OPTIONAL  }
/// ```
///
/// RFC 5280 §4.1.1.2. The parameters are checked as far as that is possible without their type, and kept as they are. Of
/// algorithms whose standard says that they are absent or NULL, so they must be; an outline does not look.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = crate::parameters::check, rules(crate::profile::RSA_PARAMETERS, crate::profile::NO_PARAMETERS))]
pub struct AlgorithmIdentifier<'a> {
    /// The algorithm.
    pub algorithm: Oid<'a>,
    /// Its parameters; absent and NULL differ.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// SubjectPublicKeyInfo  ::=  SEQUENCE  {
///      algorithm            AlgorithmIdentifier,
///      subjectPublicKey     BIT STRING  }
/// ```
///
/// RFC 5280 §4.1.2.7. Reading checks the key's own encoding for RSA, DSA, elliptic curves and
/// the algorithms whose keys have one length (EdDSA, X25519, X448, ML-DSA, ML-KEM); an outline does not.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = check_key, rules(crate::profile::PUBLIC_KEY, crate::profile::NAMED_CURVE))]
pub struct SubjectPublicKeyInfo<'a> {
    /// The algorithm the key is for.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The key, encoded as its algorithm says.
    pub subject_public_key: BitStr<'a>,
}

/// ```asn1
/// RSAPublicKey ::= SEQUENCE {
///     modulus           INTEGER,  -- n
///     publicExponent    INTEGER   -- e
/// }
/// ```
///
/// RFC 8017 §A.1.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "RSAPublicKey")]
pub struct RsaPublicKey<'a> {
    /// The modulus.
    pub modulus: Int<'a>,
    /// The public exponent.
    pub public_exponent: Int<'a>,
}

const RSA: Oid<'static> = oid!("1.2.840.113549.1.1.1");
const EC: Oid<'static> = oid!("1.2.840.10045.2.1");
const DSA: Oid<'static> = oid!("1.2.840.10040.4.1");
const ED25519: Oid<'static> = oid!("1.3.101.112");
const ED448: Oid<'static> = oid!("1.3.101.113");

/// Algorithms whose public key is an octet string of one length.
const FIXED: &[(Oid<'static>, usize)] = &[
    (oid!("1.3.101.110"), 32), // X25519, RFC 8410 §4
    (oid!("1.3.101.111"), 56), // X448
    (ED25519, 32),             // RFC 8410 §4
    (ED448, 57),
    (oid!("2.16.840.1.101.3.4.3.17"), 1312), // ML-DSA-44, RFC 9881 §4
    (oid!("2.16.840.1.101.3.4.3.18"), 1952), // ML-DSA-65
    (oid!("2.16.840.1.101.3.4.3.19"), 2592), // ML-DSA-87
    (oid!("2.16.840.1.101.3.4.4.1"), 800),   // ML-KEM-512, RFC 9935 §4
    (oid!("2.16.840.1.101.3.4.4.2"), 1184),  // ML-KEM-768
    (oid!("2.16.840.1.101.3.4.4.3"), 1568),  // ML-KEM-1024
];

/// Checks the encoding of a key whose algorithm is known; others are left alone.
#[inline]
fn check_key(info: &SubjectPublicKeyInfo<'_>, reader: &Reader<'_, '_>, start: usize) -> Result<(), Fault> {
    if !reader.is_deep() || reader.is_sealed() {
        return Ok(());
    }
    let bits = info.subject_public_key;
    let content = bits.as_bytes();
    // The key's octets end where the reader stands.
    let at = reader.position().saturating_sub(content.len());
    let algorithm = info.algorithm.algorithm;
    let structured = algorithm == RSA || algorithm == DSA;
    if structured && bits.unused_bits() == 0 {
        let mut inside = reader.revisit(at, reader.position())?;
        if algorithm == RSA {
            RsaPublicKey::decode(&mut inside)?;
        } else {
            Int::decode(&mut inside)?;
        }
        return inside.finish();
    }
    if algorithm == EC {
        crate::parameters::check_curve(info, reader, start)?;
    }
    let wrong = match FIXED.iter().find(|(known, _)| *known == algorithm) {
        Some((_, len)) => content.len() != *len,
        None if algorithm == EC => !is_point(content),
        None => structured,
    };
    if wrong || (bits.unused_bits() != 0 && !structured && is_known(algorithm)) {
        // Where there are no octets, the count of unused bits is at fault: what comes next is no part of the key.
        let at = if content.is_empty() { at.saturating_sub(1) } else { at };
        return reader.deviate_profile(&crate::profile::PUBLIC_KEY, at);
    }
    Ok(())
}

fn is_known(algorithm: Oid<'_>) -> bool {
    algorithm == EC || FIXED.iter().any(|(known, _)| *known == algorithm)
}

/// SEC 1 §2.3.3: infinity is no key; else 02 or 03 and one coordinate, or 04 and two.
pub(crate) fn is_point(octets: &[u8]) -> bool {
    matches!(octets, [2 | 3, _, ..])
        || matches!(octets, [4, rest @ ..] if !rest.is_empty() && rest.len().is_multiple_of(2))
}
