#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Any, BitStr, Decode as _, Oid};

use super::*;

/// One element, with a length of up to 65,535 octets.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let header = match len {
        0..0x80 => vec![tag, len as u8],
        0x80..0x100 => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [header, content.to_vec()].concat()
}

/// A number of so many bits.
fn number(bits: usize) -> Vec<u8> {
    let mut octets = vec![0xA5; bits.div_ceil(8)];
    let spare = octets.len() * 8 - bits;
    octets[0] = 0x80 >> spare | 1;
    if spare == 0 {
        octets.insert(0, 0);
    }
    element(0x02, &octets)
}

fn rsa(bits: usize) -> Vec<u8> {
    element(0x30, &[number(bits), number(17)].concat())
}

fn info(algorithm: Oid<'_>, parameters: Option<&[u8]>, key: &[u8]) -> KeyInfo {
    let parameters = parameters.map(|parameters| Any::from_der(parameters).unwrap());
    let algorithm = AlgorithmIdentifier { algorithm, parameters };
    SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(key) }.info()
}

/// The modulus counts, under every identifier that an RSA key may have.
#[test]
fn rsa_by_its_modulus() {
    const NULL: &[u8] = &[0x05, 0x00];
    for (algorithm, name) in [
        (oids::RSA_ENCRYPTION, "RSA"),
        (oids::RSASSA_PSS, "RSASSA-PSS"),
        (oids::RSAES_OAEP, "RSAES-OAEP"),
        (oids::EA_RSA, "ea-rsa"),
    ] {
        for bits in [1024, 2047, 2048, 4096] {
            let found = info(algorithm, Some(NULL), &rsa(bits));
            assert_eq!(found, KeyInfo { algorithm: name, bits: Some(bits as u32), curve: None });
            assert_eq!(found.to_string(), format!("{name} {bits}"));
        }
        // No key, a key with something behind it, a negative modulus, and none.
        let negative = element(0x30, &[element(0x02, &[0x80, 1]), number(17)].concat());
        let zero = element(0x30, &[element(0x02, &[0]), number(17)].concat());
        for broken in [&[0x55; 270][..], &[&rsa(2048)[..], &[0]].concat(), &negative, &zero, b""] {
            let found = info(algorithm, Some(NULL), broken);
            assert_eq!(found.bits, None, "{name}");
            assert_eq!(found.to_string(), format!("{name} of unknown size"));
        }
    }
}

/// DSA and Diffie-Hellman by the prime, which may be in the issuer's certificate only (RFC 3279 §2.3.2).
#[test]
fn primes_in_parameters() {
    let parameters = element(0x30, &[number(2048), number(256), number(2047)].concat());
    for (algorithm, name) in
        [(oids::DSA, "DSA"), (oids::DH_PUBLIC_NUMBER, "dhpublicnumber"), (oids::DH_KEY_AGREEMENT, "DH")]
    {
        assert_eq!(info(algorithm, Some(&parameters), &number(2040)).to_string(), format!("{name} 2048"));
        for inherited in [None, Some(&[0x05, 0x00][..]), Some(&[0x30, 0x00])] {
            assert_eq!(info(algorithm, inherited, &number(1024)).bits, None);
        }
    }
}

/// Curves by their fields, if the point is one of theirs.
#[test]
fn curves_by_their_fields() {
    let point = |form: u8, octets: usize| [&[form], &vec![7; octets][..]].concat();
    for (curve, name, bits) in [
        (oids::SECP256R1, "P-256", 256),
        (oids::SECP521R1, "P-521", 521),
        (oids::SECP160R1, "secp160r1", 160),
        (oids::SECT233K1, "K-233", 233),
        (oids::PRIME239V1, "prime239v1", 239),
        (oids::C2PNB163V1, "c2pnb163v1", 163),
        (oids::BRAINPOOL_P384R1, "brainpoolP384r1", 384),
        (oids::SM2_ECC, "SM2", 256),
    ] {
        let named = element(0x06, curve.as_bytes());
        let size = bits as usize;
        for point in [point(4, size.div_ceil(8) * 2), point(2, size.div_ceil(8)), point(7, size.div_ceil(8) * 2)] {
            let found = info(oids::EC_PUBLIC_KEY, Some(&named), &point);
            assert_eq!((found.bits, found.curve), (Some(bits), Some(name)));
            assert_eq!(found.to_string(), format!("EC {name}"));
        }
        // Of another curve; no point; infinity.
        for point in [point(4, 56), point(9, size.div_ceil(8) * 2), vec![0], vec![]] {
            assert_eq!(info(oids::EC_PUBLIC_KEY, Some(&named), &point).bits, None);
        }
    }
    // A curve that is not in the table, and one that is spelt out.
    let unknown = element(0x06, &[0x2A, 0x03]);
    assert_eq!(info(oids::EC_PUBLIC_KEY, Some(&unknown), &point(4, 64)).bits, None);
    let field = element(0x30, &[element(0x06, oids::PRIME_FIELD.as_bytes()), number(256)].concat());
    let domain = element(0x30, &[number(1), field].concat());
    assert_eq!(info(oids::EC_PUBLIC_KEY, Some(&domain), &point(4, 64)).to_string(), "EC 256");
    assert_eq!(info(oids::EC_PUBLIC_KEY, None, &point(4, 64)).to_string(), "EC of unknown size");
}

/// Every curve that has a name in the table, but those of GOST, which are used under other identifiers.
#[test]
fn every_named_curve_has_a_field() {
    let curves = oids::all().filter(|info| info.kind == oids::ObjectKind::Curve && !info.name.contains("ost"));
    let curves: Vec<_> = curves.filter(|info| !info.name.contains("field")).collect();
    assert!(curves.len() > 60, "{}", curves.len());
    for curve in curves {
        let bits = field_of_name(short(curve));
        assert!(bits.is_some_and(|bits| (112..=571).contains(&bits)), "{}: {bits:?}", curve.name);
    }
}

/// Keys of one length have that size, at that length.
#[test]
fn keys_of_one_length() {
    for (algorithm, octets) in [
        (oids::ED25519, 32),
        (oids::ED448, 57),
        (oids::X25519, 32),
        (oids::ML_DSA_65, 1952),
        (oids::ML_KEM_512, 800),
        (oids::SLH_DSA_SHA2_128S, 32),
        (oids::SLH_DSA_SHAKE_192F, 48),
        (oids::SLH_DSA_SHAKE_256F, 64),
        (oids::HASH_SLH_DSA_SHA2_128S_WITH_SHA256, 32),
        (oids::HASH_SLH_DSA_SHAKE_256F_WITH_SHAKE256, 64),
    ] {
        let found = info(algorithm, None, &vec![7; octets]);
        assert_eq!(found.bits, Some(octets as u32 * 8), "{algorithm}");
        assert_eq!(found.to_string(), found.algorithm);
        assert_eq!(info(algorithm, None, &vec![7; octets + 1]).bits, None, "{algorithm}");
    }
    // Of others the octets say nothing of a size.
    assert_eq!(info(oids::HSS_LMS_HASHSIG, None, &[7; 60]).bits, None);
    assert_eq!(info(Oid::from_content(&[0x2A, 0x03]).unwrap(), None, &[7; 60]).to_string(), "unknown");
}
