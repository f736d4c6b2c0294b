//! Rejects invalid Curve25519 and Curve448 public keys: points of small order, and bytes that do not encode a point.
//!
//! A point of small order is not a valid public key. Anyone can create signatures that verify with it for any message
//! ("Taming the many EdDSAs", Chalkias, Garillot and Nikolaenko, 2020, §3). Shared secrets computed with it are public (RFC
//! 7748 §6.1, §6.2, §7). Libraries differ in which keys they reject, so this check runs before any backend.

use crate::{Error, ErrorKind, KeyType};

/// Builds a little-endian element of the field of 2^255 - 19 from its first byte, the repeated inner byte, and its last
/// byte.
const fn short(first: u8, between: u8, last: u8) -> [u8; 32] {
    let mut octets = [between; 32];
    [octets[0], octets[31]] = [first, last];
    octets
}

/// Builds a little-endian element of the field of 2^448 - 2^224 - 1 from its first byte, the other bytes of each half, and
/// the first byte of the second half.
#[expect(clippy::indexing_slicing, reason = "of a constant: what is out of bounds does not compile")]
const fn long(first: u8, low: u8, middle: u8, high: u8) -> [u8; 56] {
    let mut octets = [high; 56];
    let mut at = 0;
    while at < 28 {
        octets[at] = low;
        at += 1;
    }
    [octets[0], octets[28]] = [first, middle];
    octets
}

const P25519: [u8; 32] = short(0xED, 0xFF, 0x7F);
const P448: [u8; 56] = long(0xFF, 0xFF, 0xFE, 0xFF);

/// The y-coordinates of the eight points of order 1, 2, 4 and 8 on edwards25519, which are the same for both signs of x.
/// They follow from the curve equation (RFC 8032 §5.1): x = 0, y = 0, and for order 8, x² = -y², so that d·y⁴ + 2·y² - 1 =
/// 0.
const EDWARDS25519: [[u8; 32]; 5] = [
    short(1, 0, 0),          // order 1
    short(0xEC, 0xFF, 0x7F), // order 2
    short(0, 0, 0),          // order 4
    [
        0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF,
        0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
    ],
    [
        0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A, 0x20,
        0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
    ],
];

/// The y-coordinates of the four points of order 1, 2 and 4 on edwards448 (RFC 8032 §5.2): x = 0 or y = 0.
const EDWARDS448: [[u8; 56]; 3] = [
    long(1, 0, 0, 0),             // order 1
    long(0xFE, 0xFF, 0xFE, 0xFF), // order 2
    long(0, 0, 0, 0),             // order 4
];

/// The u-coordinates of the points of small order on curve25519 and its twist, including values that are equal modulo the
/// prime, because RFC 7748 §5 requires implementations to accept them. <https://cr.yp.to/ecdh.html#validate> lists them.
const CURVE25519: [[u8; 32]; 7] = [
    short(0, 0, 0),          // 0
    short(0xED, 0xFF, 0x7F), // p
    short(1, 0, 0),          // 1
    short(0xEE, 0xFF, 0x7F), // p + 1
    short(0xEC, 0xFF, 0x7F), // p - 1
    [
        0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A, 0xDA, 0x09,
        0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
    ],
    [
        0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B, 0x04, 0x44,
        0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57,
    ],
];

/// The u-coordinates of the points of small order on curve448 and its twist, including values that are equal modulo the
/// prime.
const CURVE448: [[u8; 56]; 5] = [
    long(0, 0, 0, 0),             // 0
    P448,                         // p
    long(1, 0, 0, 0),             // 1
    long(0, 0, 0xFF, 0xFF),       // p + 1
    long(0xFE, 0xFF, 0xFE, 0xFF), // p - 1
];

/// Rejects an Ed25519, Ed448, X25519 or X448 public key if it is a point of small order or, for signatures, a non-canonical
/// encoding (RFC 8032 §5.1.3, §5.2.3). Keys of other types are accepted. Keys of the wrong length also pass, because
/// backends reject them.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the key is rejected.
pub(crate) fn check(key: KeyType, octets: &[u8]) -> Result<(), Error> {
    let (small, canonical) = match (key, octets) {
        (KeyType::Ed25519 | KeyType::X25519, [element @ .., last]) if octets.len() == 32 => {
            // The highest bit is the sign, or nothing.
            let mut y = short(0, 0, last & 0x7F);
            y.iter_mut().zip(element).for_each(|(to, from)| *to = *from);
            match key {
                KeyType::Ed25519 => (EDWARDS25519.contains(&y), is_less(&y, &P25519)),
                _ => (CURVE25519.contains(&y), true),
            }
        }
        (KeyType::Ed448, [y @ .., _]) => match <&[u8; 56]>::try_from(y) {
            Ok(y) => (EDWARDS448.contains(y), is_canonical_448(octets)),
            Err(_) => return Ok(()),
        },
        (KeyType::X448, u) => (CURVE448.iter().any(|small| small == u), true),
        _ => return Ok(()),
    };
    let why = if small {
        "the point has small order, so it is not a valid public key"
    } else if !canonical {
        "the bytes are not the canonical encoding of a point"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::MalformedKey, key).because(why))
}

/// Returns whether 57 bytes are the canonical encoding of y and a sign on edwards448 (RFC 8032 §5.2.2, §5.2.3).
pub(crate) fn is_canonical_448(bytes: &[u8]) -> bool {
    matches!(bytes, [y @ .., 0 | 0x80] if y.len() == 56 && is_less(y, &P448))
}

/// Returns whether a little-endian number is less than another.
fn is_less(one: &[u8], other: &[u8]) -> bool {
    one.iter().rev().lt(other.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(key: KeyType, octets: &[u8]) -> bool {
        check(key, octets).map_err(|error| assert_eq!(error.kind(), ErrorKind::MalformedKey)).is_err()
    }

    /// With both values of the bit that is no part of the element.
    #[test]
    fn points_of_small_order() {
        for (list, key) in [(&EDWARDS25519[..], KeyType::Ed25519), (&CURVE25519, KeyType::X25519)] {
            for mut octets in list.iter().copied() {
                assert!(refused(key, &octets), "{octets:X?}");
                octets[31] ^= 0x80;
                assert!(refused(key, &octets), "{octets:X?}");
                // What is beside it is a point, or not, but none of small order.
                octets[1] ^= 0x10;
                assert!(!refused(key, &octets), "{octets:X?}");
            }
        }
        for element in EDWARDS448 {
            for sign in 0..=u8::MAX {
                assert!(refused(KeyType::Ed448, &[&element[..], &[sign]].concat()), "{element:X?}");
            }
        }
        for element in CURVE448 {
            assert!(refused(KeyType::X448, &element));
        }
        // Of each the generator: y = 4/5, u = 9, u = 5 (RFC 7748 §4.1, §4.2).
        assert!(!refused(KeyType::Ed25519, &[&[0x58][..], &[0x66; 31]].concat()));
        assert!(!refused(KeyType::X25519, &short(9, 0, 0)));
        assert!(!refused(KeyType::X448, &long(5, 0, 0, 0)));
    }

    #[test]
    fn encodings_that_are_not_canonical() {
        // p to 2^255 - 1, with either sign.
        for first in 0xED..=0xFF {
            for last in [0x7F, 0xFF] {
                assert!(refused(KeyType::Ed25519, &short(first, 0xFF, last)), "{first}");
                // X25519 takes them, but for those that are 0 and 1.
                assert_eq!(refused(KeyType::X25519, &short(first, 0xFF, last)), first < 0xEF, "{first}");
            }
        }
        assert!(!refused(KeyType::Ed25519, &short(0xEB, 0xFF, 0x7F)));
        assert!(refused(KeyType::Ed448, &[&P448[..], &[0]].concat()));
        assert!(refused(KeyType::Ed448, &[&[0xFF; 56][..], &[0x80]].concat()));
        let element = long(0xFD, 0xFF, 0xFE, 0xFF);
        for sign in 0..=u8::MAX {
            let canonical = sign == 0 || sign == 0x80;
            assert_eq!(refused(KeyType::Ed448, &[&element[..], &[sign]].concat()), !canonical, "{sign}");
        }
        assert!(refused(KeyType::Ed448, &[&long(0, 0, 0xFF, 0xFF)[..], &[0]].concat()));
    }

    /// Each point of the lists has a small order: to a library that takes it, the identity as R and zero as S are a signature of every
    /// few messages. And none gets there through any backend.
    #[test]
    #[cfg(feature = "openssl")]
    fn forgeries() {
        use openssl::pkey::{Id, PKey};
        use openssl::sign::Verifier;
        use tagwise_codec::{BitStr, Decode, encode};
        use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

        let ed25519 = EDWARDS25519.iter().flat_map(|y| {
            [0, 0x80].map(|sign| {
                (KeyType::Ed25519, Id::ED25519, {
                    let mut octets = y.to_vec();
                    octets[31] |= sign;
                    octets
                })
            })
        });
        let ed448 = EDWARDS448
            .iter()
            .flat_map(|y| [0, 0x80].map(|sign| (KeyType::Ed448, Id::ED448, [&y[..], &[sign]].concat())));
        let mut forged = Vec::new();
        for (kind, id, octets) in ed25519.chain(ed448) {
            let mut signature = vec![0; 2 * octets.len()];
            signature[0] = 1;
            let taken = |message: u8| {
                let Ok(key) = PKey::public_key_from_raw_bytes(&octets, id) else { return false };
                let Ok(mut verifier) = Verifier::new_without_digest(&key) else { return false };
                matches!(verifier.verify_oneshot(&signature, &[message]), Ok(true))
            };
            if (0..100).any(taken) {
                forged.push((kind, octets.clone()));
            }
            let (algorithm, _) = kind.identifiers();
            let algorithm = AlgorithmIdentifier { algorithm, parameters: None };
            let der =
                encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&octets) }).unwrap();
            let info = SubjectPublicKeyInfo::from_der(&der).unwrap();
            for backend in crate::backends::all() {
                let error = backend.public_key(&info).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::MalformedKey, "{kind} {octets:X?}: {error}");
            }
        }
        // Every y, with at least one sign: OpenSSL refuses none of Ed25519, and all of Ed448.
        for y in EDWARDS25519 {
            let of_y = |(kind, octets): &(KeyType, Vec<u8>)| *kind == KeyType::Ed25519 && octets.starts_with(&y[..31]);
            assert!(forged.iter().any(of_y), "{y:X?}");
        }
    }

    /// A secret shared with a point of small order is zero, and no backend gives it.
    #[test]
    fn secrets_with_everybody() {
        use tagwise_codec::{BitStr, Decode, encode};
        use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

        let x25519 = CURVE25519.iter().map(|u| (KeyType::X25519, u.to_vec()));
        let x448 = CURVE448.iter().map(|u| (KeyType::X448, u.to_vec()));
        for (kind, octets) in x25519.chain(x448) {
            let (algorithm, _) = kind.identifiers();
            let algorithm = AlgorithmIdentifier { algorithm, parameters: None };
            let der =
                encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&octets) }).unwrap();
            let info = SubjectPublicKeyInfo::from_der(&der).unwrap();
            for backend in crate::backends::all() {
                assert_eq!(backend.public_key(&info).unwrap_err().kind(), ErrorKind::MalformedKey);
                let Ok(own) = backend.generate(kind) else { continue };
                assert_eq!(own.agree(&info).unwrap_err().kind(), ErrorKind::MalformedKey, "{kind} {octets:X?}");
            }
        }
    }

    #[test]
    fn other_kinds_and_lengths_pass() {
        for len in [0, 1, 31, 33, 55, 57, 58] {
            for key in [KeyType::Ed25519, KeyType::X25519, KeyType::X448, KeyType::P256, KeyType::MlKem512] {
                assert!(!refused(key, &vec![0; len]), "{key} {len}");
            }
        }
        assert!(!refused(KeyType::Ed448, &[0; 56]) && !refused(KeyType::Ed448, &[]));
    }
}
