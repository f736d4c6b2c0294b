//! Algorithms, public keys and signatures (§3.1.3, §3.1.7, §3.2).

use tagwise_codec::Any;

use super::der::{bit_string, children, content, element, magnitude, parts, sequence, unsigned, unsigned_content};
use super::item::CborItem;
use super::registry::{Algorithms, KEYS, RSA, SIGNATURES, is_ecdsa};
use super::{Error, field, point, unsupported};

/// Encodes an AlgorithmIdentifier.
fn encode_algorithm(registry: Algorithms, algorithm: &Any<'_>) -> Option<CborItem> {
    let parts = children(algorithm)?;
    let (oid, parameters) = match parts.as_slice() {
        [oid] => (content(oid, 0x06)?, &[][..]),
        [oid, parameters] => (content(oid, 0x06)?, parameters.as_bytes()),
        _ => return None,
    };
    let known = registry.iter().find(|(_, known, with)| known.as_bytes() == oid && *with == parameters);
    Some(match (known, parameters) {
        (Some((number, ..)), _) => CborItem::Int(*number),
        (None, []) => CborItem::bytes(oid),
        (None, parameters) => CborItem::Array(vec![CborItem::bytes(oid), CborItem::bytes(parameters)]),
    })
}

fn decode_algorithm(registry: Algorithms, item: &CborItem) -> Option<Vec<u8>> {
    let of = |oid: &[u8], parameters: &[u8]| sequence(&[element(0x06, &[oid]), parameters.to_vec()]);
    Some(match item {
        CborItem::Int(number) => {
            let (_, oid, parameters) = registry.iter().find(|(known, ..)| known == number)?;
            of(oid.as_bytes(), parameters)
        }
        CborItem::Bytes(oid) => of(oid, &[]),
        item => match item.as_array()? {
            [oid, parameters] => of(oid.as_bytes()?, parameters.as_bytes()?),
            _ => return None,
        },
    })
}

/// Encodes a signature algorithm.
pub(super) fn encode_signature_algorithm(algorithm: &Any<'_>) -> Result<CborItem, Error> {
    encode_algorithm(SIGNATURES, algorithm).ok_or(field("signature algorithm", "§3.1.3"))
}

/// Converts a signature algorithm from CBOR to DER.
pub(super) fn decode_signature_algorithm(item: &CborItem) -> Result<Vec<u8>, Error> {
    decode_algorithm(SIGNATURES, item).ok_or(field("signature algorithm", "§3.1.3"))
}

/// Returns the content of a BIT STRING without unused bits.
fn octets<'a>(bits: &Any<'a>) -> Result<&'a [u8], Error> {
    match content(bits, 0x03) {
        Some([0, octets @ ..]) => Ok(octets),
        _ => Err(unsupported("a BIT STRING with unused bits", "§3.1.7, §3.1.12")),
    }
}

/// Encodes a public key: its algorithm and its value.
pub(super) fn encode_key(info: &Any<'_>) -> Result<[CborItem; 2], Error> {
    let bad = || field("public key", "§3.1.7");
    let parts = children(info).ok_or_else(bad)?;
    let [algorithm, bits] = parts.as_slice() else { return Err(bad()) };
    let algorithm = encode_algorithm(KEYS, algorithm).ok_or_else(bad)?;
    let octets = octets(bits)?;
    let key = match algorithm.as_int() {
        Some(RSA) => encode_rsa(octets).ok_or(unsupported("an RSA key in a non-canonical encoding", "§3.2.1"))?,
        Some(number) => match (octets, point::coordinate(number)) {
            ([4, rest @ ..], Some(len)) if rest.len() == 2 * len => {
                let (x, y) = rest.split_at_checked(len).ok_or_else(bad)?;
                let odd = y.last().is_some_and(|last| last & 1 == 1);
                // A point that is not on its curve stays as it is.
                match point::decompress(number, odd, x).as_deref() == Some(octets) {
                    true => CborItem::Bytes([&[if odd { 0xFD } else { 0xFE }], x].concat()),
                    false => CborItem::bytes(octets),
                }
            }
            _ => CborItem::bytes(octets),
        },
        None => CborItem::bytes(octets),
    };
    Ok([algorithm, key])
}

/// Encodes an RSAPublicKey: only the modulus if the exponent is 65537.
fn encode_rsa(octets: &[u8]) -> Option<CborItem> {
    let parts = parts(octets)?;
    let [modulus, exponent] = parts.as_slice() else { return None };
    let (modulus, exponent) = (magnitude(modulus)?, magnitude(exponent)?);
    Some(match exponent {
        [1, 0, 1] => CborItem::bytes(modulus),
        exponent => CborItem::Array(vec![CborItem::bytes(modulus), CborItem::bytes(exponent)]),
    })
}

/// Converts a public key from CBOR to a SubjectPublicKeyInfo.
pub(super) fn decode_key(algorithm: &CborItem, key: &CborItem) -> Result<Vec<u8>, Error> {
    let bad = || field("public key", "§3.1.7");
    let identifier = decode_algorithm(KEYS, algorithm).ok_or_else(bad)?;
    let octets = match algorithm.as_int() {
        Some(RSA) => match (key.as_bytes(), key.as_array()) {
            (Some(modulus), _) => sequence(&[unsigned(modulus), unsigned(&[1, 0, 1])]),
            (_, Some([CborItem::Bytes(modulus), CborItem::Bytes(exponent)])) => {
                sequence(&[unsigned(modulus), unsigned(exponent)])
            }
            _ => return Err(bad()),
        },
        number => match (number, key.as_bytes().ok_or_else(bad)?) {
            (Some(number), [sign @ (0xFD | 0xFE), x @ ..]) if point::coordinate(number).is_some() => {
                point::decompress(number, *sign == 0xFD, x).ok_or(field("public key point", "§3.2.1"))?
            }
            (_, octets) => octets.to_vec(),
        },
    };
    Ok(sequence(&[identifier, bit_string(&octets)]))
}

/// Encodes a signature with the given algorithm.
pub(super) fn encode_signature(algorithm: &CborItem, bits: &Any<'_>) -> Result<CborItem, Error> {
    let octets = octets(bits)?;
    signature(algorithm, octets)
        .ok_or(unsupported("an ECDSA signature that does not consist of two integers", "§3.2.2"))
}

/// Encodes a signature without its BIT STRING.
pub(super) fn signature(algorithm: &CborItem, octets: &[u8]) -> Option<CborItem> {
    if !algorithm.as_int().is_some_and(is_ecdsa) {
        return Some(CborItem::bytes(octets));
    }
    let parts = parts(octets)?;
    let [r, s] = parts.as_slice() else { return None };
    let (r, s) = (magnitude(r)?, magnitude(s)?);
    let longest = r.len().max(s.len());
    // The length is that of the order of the curve, which the certificate of the issuer has: the next in use is taken.
    let len = [32, 48, 64, 66].into_iter().find(|len| longest <= *len).unwrap_or(longest);
    let padded = |number: &[u8]| [vec![0; len.saturating_sub(number.len())], number.to_vec()].concat();
    Some(CborItem::Bytes([padded(r), padded(s)].concat()))
}

/// Converts a signature from CBOR to DER, without a BIT STRING.
pub(super) fn spelled(algorithm: &CborItem, item: &CborItem) -> Option<Vec<u8>> {
    let octets = item.as_bytes()?;
    if !algorithm.as_int().is_some_and(is_ecdsa) {
        return Some(octets.to_vec());
    }
    if !octets.len().is_multiple_of(2) {
        return None;
    }
    let (r, s) = octets.split_at_checked(octets.len() / 2)?;
    let number = |octets| element(0x02, &[&unsigned_content(octets)]);
    Some(sequence(&[number(r), number(s)]))
}

/// Converts a signature from CBOR to a BIT STRING.
pub(super) fn decode_signature(algorithm: &CborItem, item: &CborItem) -> Result<Vec<u8>, Error> {
    spelled(algorithm, item).map(|octets| bit_string(&octets)).ok_or(field("signature", "§3.2.2"))
}
