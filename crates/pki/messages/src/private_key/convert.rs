//! PKCS #8 and its contents: PKCS #1 for RSA, SEC 1 for elliptic curves, bytes for Edwards and Montgomery curves.

use tagwise_codec::{Additions, Any, BitStr, Decode, Encode, OctetStr, Oid, SetOf, encode};
use zeroize::Zeroizing;

use super::KeyError;
use crate::algorithms::EcParameters;
use crate::cms::Attribute;
use crate::pkcs1::RsaPrivateKey;
use crate::pkcs8::{OneAsymmetricKey, PrivateKey, PrivateKeyInfo, Version};
use crate::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_x509::alg::{AlgorithmIdentifier, RsaPublicKey, SubjectPublicKeyInfo};
use tagwise_x509::oids;

type Key = Zeroizing<Vec<u8>>;

fn secret<T: Encode>(value: &T) -> Result<Key, KeyError> {
    Ok(Zeroizing::new(encode(value)?))
}

/// Builds a PKCS #8 key. If it contains a public key, it has version 2 (RFC 5958 §2), which OpenSSL 3.0 and others do not support.
///
/// `private_key` is the encoded content of the OCTET STRING.
///
/// # Errors
/// Returns an error if an attribute or the algorithm has no encoding.
pub fn private_key_info(
    algorithm: &AlgorithmIdentifier<'_>,
    private_key: &[u8],
    attributes: &[Attribute<'_>],
    public_key: Option<BitStr<'_>>,
) -> Result<Key, KeyError> {
    let key = secret(&OneAsymmetricKey {
        version: if public_key.is_some() { Version::V2 } else { Version::V1 },
        private_key_algorithm: *algorithm,
        private_key: PrivateKey(OctetStr::new(private_key)),
        attributes: (!attributes.is_empty()).then(|| SetOf::from_slice(attributes)),
        additions: Additions::default(),
        public_key,
    })?;
    PrivateKeyInfo::from_der(&key)?;
    Ok(key)
}

/// Builds a PKCS #8 key for Ed25519, Ed448, X25519 or X448 from its bytes (RFC 8410 §7: a `CurvePrivateKey`).
///
/// ```
/// use tagwise_messages::private_key::curve_private_key;
/// use tagwise_x509::oids;
/// let key = curve_private_key(oids::ED25519, &[7; 32])?;
/// assert_eq!(key[..16], *b"\x30\x2E\x02\x01\x00\x30\x05\x06\x03\x2B\x65\x70\x04\x22\x04\x20");
/// assert!(curve_private_key(oids::ED448, &[7; 32]).is_err());
/// # Ok::<(), tagwise_messages::private_key::KeyError>(())
/// ```
///
/// # Errors
/// Returns an error if the algorithm is not one of these, or the length is wrong.
pub fn curve_private_key(algorithm: Oid<'_>, octets: &[u8]) -> Result<Key, KeyError> {
    let wanted = match algorithm.as_bytes() {
        [0x2B, 0x65, 110 | 112] => 32,
        [0x2B, 0x65, 111] => 56,
        [0x2B, 0x65, 113] => 57,
        _ => return Err(other(algorithm, "an RFC 8410 algorithm")),
    };
    if octets.len() != wanted {
        return Err(KeyError::Length { wanted, found: octets.len() });
    }
    let inside = secret(&OctetStr::new(octets))?;
    private_key_info(&AlgorithmIdentifier { algorithm, parameters: None }, &inside, &[], None)
}

fn other(found: Oid<'_>, wanted: &'static str) -> KeyError {
    KeyError::Algorithm { wanted, found: found.to_string() }
}

/// Converts an RSA key from PKCS #1 (RFC 8017 §A.1.2) to PKCS #8.
///
/// # Errors
/// Returns an error if the key is malformed.
pub fn pkcs8_from_pkcs1(pkcs1: &[u8]) -> Result<Key, KeyError> {
    RsaPrivateKey::from_der(pkcs1)?;
    let algorithm = AlgorithmIdentifier { algorithm: oids::RSA_ENCRYPTION, parameters: Some(Any::null(0)) };
    private_key_info(&algorithm, pkcs1, &[], None)
}

/// Converts an RSA key from PKCS #8 to PKCS #1. Attributes and a restriction to RSASSA-PSS are lost.
///
/// # Errors
/// Returns an error if the key is not PKCS #8, or has a different algorithm.
pub fn pkcs1_from_pkcs8(pkcs8: &[u8]) -> Result<Key, KeyError> {
    let info = PrivateKeyInfo::from_der(pkcs8)?;
    let algorithm = info.private_key_algorithm.algorithm;
    if algorithm != oids::RSA_ENCRYPTION && algorithm != oids::RSASSA_PSS {
        return Err(other(algorithm, "RSA"));
    }
    let octets = info.private_key.0.as_bytes();
    RsaPrivateKey::from_der(octets)?;
    Ok(Zeroizing::new(octets.to_vec()))
}

/// Converts an elliptic curve key from RFC 5915 to PKCS #8. As usual, the curve is then named in the algorithm and not in
/// the key.
///
/// # Errors
/// Returns an error if the key is malformed, does not name its curve, or does not have the curve's key length.
pub fn pkcs8_from_sec1(sec1: &[u8]) -> Result<Key, KeyError> {
    let key = EcPrivateKey::from_der(sec1)?;
    let Some(EcParameters::NamedCurve(curve)) = key.parameters else { return Err(KeyError::Curve) };
    check_length(curve, &key)?;
    let inside = secret(&EcPrivateKey { parameters: None, ..key })?;
    let parameters = encode(&curve)?;
    let algorithm =
        AlgorithmIdentifier { algorithm: oids::EC_PUBLIC_KEY, parameters: Some(Any::from_der(&parameters)?) };
    private_key_info(&algorithm, &inside, &[], None)
}

/// Converts an elliptic curve key from PKCS #8 to RFC 5915, including the curve.
///
/// # Errors
/// Returns an error if the key is not PKCS #8, has a different algorithm, names no curve or two different ones, or does not
/// have the curve's key length.
pub fn sec1_from_pkcs8(pkcs8: &[u8]) -> Result<Key, KeyError> {
    let info = PrivateKeyInfo::from_der(pkcs8)?;
    let (curve, key) = elliptic(&info)?;
    let version = EcPrivateKeyVersion::EC_PRIVKEY_VER1;
    secret(&EcPrivateKey { version, parameters: Some(EcParameters::NamedCurve(curve)), ..key })
}

/// Returns the curve and the ECPrivateKey in a PKCS #8 key.
fn elliptic<'a>(info: &PrivateKeyInfo<'a>) -> Result<(Oid<'a>, EcPrivateKey<'a>), KeyError> {
    let algorithm = info.private_key_algorithm;
    if algorithm.algorithm != oids::EC_PUBLIC_KEY {
        return Err(other(algorithm.algorithm, "an elliptic curve"));
    }
    let parameters = algorithm.parameters.ok_or(KeyError::Curve)?;
    let curve = parameters.decode_as::<Oid<'a>>()?;
    let key = EcPrivateKey::from_der(info.private_key.0.as_bytes())?;
    match key.parameters {
        None => {}
        Some(EcParameters::NamedCurve(named)) if named == curve => {}
        Some(_) => return Err(KeyError::Curve),
    }
    check_length(curve, &key)?;
    Ok((curve, key))
}

/// Checks that a private key is as long as the order of the curve's base point (RFC 5915 §3).
fn check_length(curve: Oid<'_>, key: &EcPrivateKey<'_>) -> Result<(), KeyError> {
    let wanted = [
        (oids::SECP192R1, 24),
        (oids::SECP224R1, 28),
        (oids::SECP256R1, 32),
        (oids::SECP384R1, 48),
        (oids::SECP521R1, 66),
        (oids::SECP256K1, 32),
        (oids::BRAINPOOL_P256R1, 32),
        (oids::BRAINPOOL_P384R1, 48),
        (oids::BRAINPOOL_P512R1, 64),
    ];
    let found = key.private_key.len();
    match wanted.iter().find(|(known, _)| *known == curve) {
        Some((_, wanted)) if *wanted != found => Err(KeyError::Length { wanted: *wanted, found }),
        _ => Ok(()),
    }
}

/// Extracts the SubjectPublicKeyInfo from a PKCS #8 key, if it contains the public key. RSA keys always do. For others, it
/// is optional. Nothing is computed.
///
/// # Errors
/// Returns an error if the key is not PKCS #8, or its content does not match the algorithm.
pub fn public_key(pkcs8: &[u8]) -> Result<Option<Vec<u8>>, KeyError> {
    let info = PrivateKeyInfo::from_der(pkcs8)?;
    let algorithm = info.private_key_algorithm;
    let rsa;
    let subject_public_key = if algorithm.algorithm == oids::RSA_ENCRYPTION || algorithm.algorithm == oids::RSASSA_PSS {
        let key = RsaPrivateKey::from_der(info.private_key.0.as_bytes())?;
        rsa = encode(&RsaPublicKey { modulus: key.modulus, public_exponent: key.public_exponent })?;
        Some(BitStr::from_octets(&rsa))
    } else if algorithm.algorithm == oids::EC_PUBLIC_KEY {
        elliptic(&info)?.1.public_key.or(info.public_key)
    } else {
        info.public_key
    };
    let Some(subject_public_key) = subject_public_key else { return Ok(None) };
    let der = encode(&SubjectPublicKeyInfo { algorithm, subject_public_key })?;
    SubjectPublicKeyInfo::from_der(&der)?;
    Ok(Some(der))
}
