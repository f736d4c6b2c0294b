//! Checks public key encodings against their algorithms.
//!
//! It does not check whether a point is on its curve, or whether a modulus is a product of primes.

use tagwise_codec::{Decode, Fault, Int, Oid, Reader};

use crate::alg::{RsaPublicKey, SubjectPublicKeyInfo};
use crate::oids;
use crate::profile::{PUBLIC_KEY, RSA_KEY};

/// Algorithms with fixed-length public keys, and the length in bytes.
const FIXED: &[(Oid<'static>, usize)] = &[
    (oids::X25519, 32),        // X25519, RFC 8410 §4
    (oids::X448, 56),          // X448
    (oids::ED25519, 32),       // Ed25519, RFC 8410 §4
    (oids::ED448, 57),         // Ed448
    (oids::ML_DSA_44, 1312),   // ML-DSA-44, RFC 9881 §4
    (oids::ML_DSA_65, 1952),   // ML-DSA-65
    (oids::ML_DSA_87, 2592),   // ML-DSA-87
    (oids::ML_KEM_512, 800),   // ML-KEM-512, RFC 9935 §4
    (oids::ML_KEM_768, 1184),  // ML-KEM-768
    (oids::ML_KEM_1024, 1568), // ML-KEM-1024
];

/// The length of a coordinate in bytes (SEC 1 §2.3.5), and the curves with that length.
#[rustfmt::skip]
const COORDINATES: &[(u8, &[Oid<'static>])] = &[
    (14, &[oids::SECP112R1, oids::SECP112R2]),
    (15, &[oids::SECT113R1, oids::SECT113R2]),
    (16, &[oids::SECP128R1, oids::SECP128R2]),
    (17, &[oids::SECT131R1, oids::SECT131R2]),
    (20, &[oids::SECP160R1, oids::SECP160K1, oids::SECP160R2, oids::BRAINPOOL_P160R1, oids::BRAINPOOL_P160T1]),
    (21, &[oids::SECT163K1, oids::SECT163R1, oids::SECT163R2, oids::C2PNB163V1, oids::C2PNB163V2, oids::C2PNB163V3]),
    (22, &[oids::C2PNB176W1]),
    (24, &[oids::SECP192R1, oids::SECP192K1, oids::PRIME192V2, oids::PRIME192V3, oids::BRAINPOOL_P192R1,
           oids::BRAINPOOL_P192T1, oids::C2TNB191V1, oids::C2TNB191V2, oids::C2TNB191V3]),
    (25, &[oids::SECT193R1, oids::SECT193R2]),
    (26, &[oids::C2PNB208W1]),
    (28, &[oids::SECP224R1, oids::SECP224K1, oids::BRAINPOOL_P224R1, oids::BRAINPOOL_P224T1]),
    (30, &[oids::PRIME239V1, oids::PRIME239V2, oids::PRIME239V3, oids::SECT233K1, oids::SECT233R1, oids::SECT239K1,
           oids::C2TNB239V1, oids::C2TNB239V2, oids::C2TNB239V3]),
    (32, &[oids::SECP256R1, oids::SECP256K1, oids::BRAINPOOL_P256R1, oids::BRAINPOOL_P256T1, oids::SM2_ECC]),
    (34, &[oids::C2PNB272W1]),
    (36, &[oids::SECT283K1, oids::SECT283R1]),
    (38, &[oids::C2PNB304W1]),
    (40, &[oids::BRAINPOOL_P320R1, oids::BRAINPOOL_P320T1]),
    (45, &[oids::C2TNB359V1]),
    (46, &[oids::C2PNB368W1]),
    (48, &[oids::SECP384R1, oids::BRAINPOOL_P384R1, oids::BRAINPOOL_P384T1]),
    (52, &[oids::SECT409K1, oids::SECT409R1]),
    (54, &[oids::C2TNB431R1]),
    (64, &[oids::BRAINPOOL_P512R1, oids::BRAINPOOL_P512T1]),
    (66, &[oids::SECP521R1]),
    (72, &[oids::SECT571K1, oids::SECT571R1]),
];

/// Checks the encoding of a key if its algorithm is recognized.
#[inline]
pub(crate) fn check(info: &SubjectPublicKeyInfo<'_>, reader: &Reader<'_, '_>, start: usize) -> Result<(), Fault> {
    if !reader.is_deep() || reader.is_sealed() {
        return Ok(());
    }
    let bits = info.subject_public_key;
    let content = bits.as_bytes();
    // The key's octets end where the reader stands.
    let at = reader.position().saturating_sub(content.len());
    let algorithm = info.algorithm.algorithm;
    let rsa = is_rsa(algorithm);
    let structured = rsa || algorithm == oids::DSA;
    if structured && bits.unused_bits() == 0 {
        let mut inside = reader.revisit(at, reader.position())?;
        if rsa {
            let key = RsaPublicKey::decode(&mut inside)?;
            inside.finish()?;
            return if is_possible(key) { Ok(()) } else { reader.deviate_profile(&RSA_KEY, at) };
        }
        // DSAPublicKey, RFC 3279 §2.3.2: a power of the generator.
        let power = Int::decode(&mut inside)?;
        inside.finish()?;
        let positive = !power.is_negative() && !power.is_zero();
        return if positive { Ok(()) } else { reader.deviate_profile(&PUBLIC_KEY, at) };
    }
    let elliptic = algorithm == oids::EC_PUBLIC_KEY;
    if elliptic {
        crate::parameters::check_curve(info, reader, start)?;
    }
    let fixed = FIXED.iter().find(|(known, _)| *known == algorithm);
    let wrong = match fixed {
        Some((_, len)) => content.len() != *len,
        None if elliptic => !is_point(content, coordinate_len(info)),
        None => structured,
    };
    if wrong || (bits.unused_bits() != 0 && (elliptic || fixed.is_some())) {
        // Where there are no octets, the count of unused bits is at fault: what comes next is no part of the key.
        let at = if content.is_empty() { at.saturating_sub(1) } else { at };
        return reader.deviate_profile(&PUBLIC_KEY, at);
    }
    Ok(())
}

/// Returns whether an algorithm's keys are RSAPublicKeys (RFC 4055 §1.2 for id-RSASSA-PSS and id-RSAES-OAEP).
fn is_rsa(algorithm: Oid<'_>) -> bool {
    algorithm == oids::RSA_ENCRYPTION || algorithm == oids::RSASSA_PSS || algorithm == oids::RSAES_OAEP
}

/// Returns whether the numbers can form an RSA key (RFC 8017 §3.1). The modulus must be positive and odd. The exponent must
/// be odd, because it is coprime to λ(n), and from 3 to the modulus minus 1.
pub(crate) fn is_possible(key: RsaPublicKey<'_>) -> bool {
    let (n, e) = (key.modulus, key.public_exponent);
    let odd = |int: Int<'_>| !int.is_negative() && int.as_bytes().last().is_some_and(|last| last & 1 == 1);
    let (modulus, exponent) = (n.magnitude(), e.magnitude());
    let less = (exponent.len(), exponent) < (modulus.len(), modulus);
    odd(n) && odd(e) && exponent != [1] && less
}

/// Returns the length in bytes of a coordinate on a key's curve, if the curve is known.
fn coordinate_len(info: &SubjectPublicKeyInfo<'_>) -> Option<usize> {
    let curve = info.algorithm.curve()?;
    let (len, _) = COORDINATES.iter().find(|(_, curves)| curves.contains(&curve))?;
    Some(usize::from(*len))
}

/// Returns the length in bytes of an algorithm's public keys, if they are octet strings of a fixed length.
pub(crate) fn fixed_len(algorithm: Oid<'_>) -> Option<usize> {
    // SLH-DSA, 2.16.840.1.101.3.4.3.20 to 31: two strings of n bytes (FIPS 205 §9.1, §11). Those with a pre-hash, 35 to 46,
    // have keys of the same lengths.
    if let [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, arc @ (20..=31 | 35..=46)] = algorithm.as_bytes() {
        let set = (arc - 20) % 15;
        return Some(match set % 6 {
            0 | 1 => 32,
            2 | 3 => 48,
            _ => 64,
        });
    }
    FIXED.iter().find(|(known, _)| *known == algorithm).map(|(_, len)| *len)
}

/// Returns whether the bytes have the form of a point (RFC 5480 §2.2, SEC 1 §2.3.3): 02 or 03 and one coordinate, or 04 and
/// two. `coordinate` is the coordinate length in bytes, if known. The point at infinity and the hybrid form are rejected.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_point(octets: &[u8], coordinate: Option<usize>) -> bool {
    match octets {
        [2 | 3, x @ ..] => coordinate.map_or(!x.is_empty(), |len| x.len() == len),
        [4, both @ ..] => {
            coordinate.map_or(!both.is_empty() && both.len().is_multiple_of(2), |len| both.len() == 2 * len)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Any, BitStr, Options, encode};

    use super::*;
    use crate::AlgorithmIdentifier;

    fn read(algorithm: Oid<'_>, parameters: &[u8], key: &[u8]) -> Result<(), (&'static str, usize)> {
        let algorithm = AlgorithmIdentifier { algorithm, parameters: Any::from_der(parameters).ok() };
        let der = encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(key) }).unwrap();
        assert!(SubjectPublicKeyInfo::outline(&der).is_ok());
        let Err(error) = SubjectPublicKeyInfo::from_der(&der) else { return Ok(()) };
        let rule = error.rule().unwrap();
        let allowed = Options::der().allow(rule).decode::<SubjectPublicKeyInfo<'_>>(&der).unwrap();
        assert_eq!(encode(&allowed.value).unwrap(), der);
        Err((rule.name, der.len() - error.offset()))
    }

    /// SEQUENCE { modulus INTEGER, publicExponent INTEGER }
    fn rsa(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
        let key = RsaPublicKey { modulus: Int::from_signed(modulus), public_exponent: Int::from_signed(exponent) };
        encode(&key).unwrap()
    }

    #[test]
    fn numbers_of_rsa() {
        for (modulus, exponent, possible) in [
            (&[0, 0xC5, 0x01][..], &[1, 0, 1][..], false), // 65537 is above the modulus
            (&[0, 0xC5, 0x00, 0x01], &[1, 0, 1], true),
            (&[0x45, 0x00, 0x01], &[3], true),
            (&[0x45, 0x00, 0x01], &[0x45, 0x00, 0x01], false), // as large as the modulus
            (&[0x45, 0x00, 0x01], &[0x44, 0x00, 0x01], true),
            (&[0xC5, 0x00, 0x01], &[1, 0, 1], false), // a negative modulus
            (&[0x45, 0x00, 0x02], &[1, 0, 1], false), // an even one
            (&[0], &[1, 0, 1], false),
            (&[0x45, 0x00, 0x01], &[0xFE, 0xFF, 0xFF], false), // -65537
            (&[0x45, 0x00, 0x01], &[1], false),
            (&[0x45, 0x00, 0x01], &[0], false),
            (&[0x45, 0x00, 0x01], &[4], false),
            (&[0x45, 0x00, 0x01], &[0xFF], false), // -1
        ] {
            let key = rsa(modulus, exponent);
            for (algorithm, parameters) in
                [(oids::RSA_ENCRYPTION, &[5, 0][..]), (oids::RSASSA_PSS, &[]), (oids::RSAES_OAEP, &[])]
            {
                let wanted = if possible { Ok(()) } else { Err(("rsa-key", key.len())) };
                assert_eq!(read(algorithm, parameters, &key), wanted, "{modulus:X?} {exponent:X?}");
            }
        }
    }

    #[test]
    fn points_have_the_length_of_their_curve() {
        for (len, curves) in COORDINATES {
            for curve in *curves {
                let parameters = encode(curve).unwrap();
                for count in 0..=2 * usize::from(*len) + 9 {
                    for form in [0, 2, 3, 4, 6, 7] {
                        let point = [&[form][..], &vec![7; count]].concat();
                        let right = match form {
                            2 | 3 => count == usize::from(*len),
                            4 => count == 2 * usize::from(*len),
                            _ => false,
                        };
                        let wanted = if right { Ok(()) } else { Err(("public-key", point.len())) };
                        assert_eq!(read(oids::EC_PUBLIC_KEY, &parameters, &point), wanted, "{curve} {form} {count}");
                    }
                }
            }
        }
        // Of other curves nothing but the form is known.
        let other = encode(&tagwise_codec::oid!("2.999")).unwrap();
        assert_eq!(read(oids::EC_PUBLIC_KEY, &other, &[4, 1, 2]), Ok(()));
        assert_eq!(read(oids::EC_PUBLIC_KEY, &other, &[4, 1, 2, 3]), Err(("public-key", 4)));
    }

    /// Each curve that is named after its size is where its size puts it.
    #[test]
    fn coordinates_fit_the_names_of_curves() {
        let mut seen = 0;
        for (len, curves) in COORDINATES {
            for curve in *curves {
                let name = oids::lookup(*curve).unwrap().name;
                let bits = name.strip_prefix("c2").unwrap_or(name);
                let start = bits.find(|c: char| c.is_ascii_digit()).unwrap();
                let digits: String = bits[start..].chars().take_while(char::is_ascii_digit).collect();
                // SM2's name has no size: GB/T 32918.5 has 256 bits.
                let bits: usize = if name == "sm2ECC" { 256 } else { digits.parse().unwrap() };
                assert_eq!(bits.div_ceil(8), usize::from(*len), "{name}");
                seen += 1;
            }
        }
        assert_eq!(seen, 69);
    }

    #[test]
    fn powers_of_dsa() {
        for (power, right) in [(&[2, 1, 5][..], true), (&[2, 1, 0], false), (&[2, 1, 0xFF], false)] {
            let wanted = if right { Ok(()) } else { Err(("public-key", 3)) };
            assert_eq!(read(oids::DSA, &[], power), wanted);
        }
    }
}
