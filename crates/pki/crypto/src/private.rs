//! Parses PKCS #8 private keys, so that each backend can import the representation that it requires.

use tagwise_codec::{Decode, encode};
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::edwards::CurvePrivateKey;
use tagwise_pkix::oids;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::OneAsymmetricKey;
use tagwise_pkix::private_key::{self, KeyError};
use tagwise_pkix::sec1::EcPrivateKey;
use zeroize::Zeroizing;

use crate::{Error, ErrorKind, KeyType, Secret};

pub(crate) mod explicit;
#[cfg(feature = "aws-lc")]
pub(crate) mod rsa;
mod seeded;

pub use seeded::Seeded;

/// An unencrypted private key: its PKCS #8 encoding (RFC 5958), type, and content.
///
/// The key type and encoding are checked here for all backends. Backends check the consistency of the numbers.
pub struct PrivateKeyInfo {
    key: KeyType,
    pkcs8: Secret,
    material: Material,
    public: Option<Vec<u8>>,
    /// The AlgorithmIdentifier of a key that is restricted to RSASSA-PSS, in DER.
    restriction: Option<Vec<u8>>,
}

/// Key material of a private key.
pub(crate) enum Material {
    /// An RSAPrivateKey in DER.
    Rsa(Secret),
    /// The scalar of an elliptic curve key, with the length of the curve's order.
    Scalar(Secret),
    /// The key bytes defined in RFC 8032 or RFC 7748.
    Octets(Secret),
    /// A seed, an expanded key, or both.
    Seeded(Seeded),
    /// The concatenated component keys of a composite key.
    Composite(Secret),
}

impl PrivateKeyInfo {
    /// Parses PKCS #8. Only DER is accepted. Only a version 2 key may contain a public key. Explicit curve parameters are accepted
    /// if all of them are those of a known curve, which is then named instead.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for unsupported key types, [`ErrorKind::MalformedKey`] if the encoding is malformed,
    /// and [`ErrorKind::Inconsistent`] if two curve identifiers disagree or there are two public keys.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, Error> {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "private").because(error);
        let info = OneAsymmetricKey::from_der(der).map_err(malformed)?;
        if let Some(named) = explicit::from_pkcs8(&info) {
            return Self::from_pkcs8_named(named?.expose());
        }
        Self::of(der, &info)
    }

    /// Parses PKCS #8 whose curve, if any, is named.
    fn from_pkcs8_named(der: &[u8]) -> Result<Self, Error> {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "private").because(error);
        Self::of(der, &OneAsymmetricKey::from_der(der).map_err(malformed)?)
    }

    fn of(der: &[u8], info: &OneAsymmetricKey<'_>) -> Result<Self, Error> {
        let outside = info.public_key.and_then(|public| public.octets()).map(<[u8]>::to_vec);
        let (key, material, inside) = read(der, info)?;
        if outside.is_some() && inside.is_some() && outside != inside {
            return Err(Error::new(ErrorKind::Inconsistent, key));
        }
        let algorithm = &info.private_key_algorithm;
        let restriction = (algorithm.algorithm == oids::RSASSA_PSS).then(|| encode(algorithm)).transpose();
        let restriction = restriction.map_err(|error| Error::new(ErrorKind::MalformedKey, key).because(error))?;
        Ok(Self { key, pkcs8: Secret::from(der), material, public: outside.or(inside), restriction })
    }

    /// Returns the AlgorithmIdentifier of a key that is restricted to RSASSA-PSS (RFC 4055 §1.2), in DER. `None` for other keys.
    #[must_use]
    pub fn restriction(&self) -> Option<&[u8]> {
        self.restriction.as_deref()
    }

    /// Parses an RSAPrivateKey in DER (RFC 8017 §A.1.2).
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the encoding is malformed.
    pub fn from_pkcs1(der: &[u8]) -> Result<Self, Error> {
        Self::converted(private_key::pkcs8_from_pkcs1(der), "RSA")
    }

    /// Parses an ECPrivateKey in DER with a named curve (RFC 5915 §3), or with explicit parameters that are all those of a known curve.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] if the encoding is malformed or there is no curve, and
    /// [`ErrorKind::Unsupported`] for other curves.
    pub fn from_sec1(der: &[u8]) -> Result<Self, Error> {
        if let Some(named) = explicit::from_sec1(der) {
            return Self::from_pkcs8_named(named?.expose());
        }
        Self::converted(private_key::pkcs8_from_sec1(der), "EC")
    }

    /// Parses PKCS #8 that `pkix` converted from another format.
    pub(crate) fn converted(pkcs8: Result<Zeroizing<Vec<u8>>, KeyError>, what: &str) -> Result<Self, Error> {
        Self::from_pkcs8(&pkcs8.map_err(|error| Error::new(ErrorKind::MalformedKey, what).because(error))?)
    }

    /// Encodes an RSA key as RSAPrivateKey in DER (RFC 8017 §A.1.2).
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] for other keys.
    pub fn to_pkcs1(&self) -> Result<Secret, Error> {
        self.inside(private_key::pkcs1_from_pkcs8(self.pkcs8.expose()))
    }

    /// Encodes an elliptic curve key as ECPrivateKey in DER with a named curve (RFC 5915 §3).
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] for other keys.
    pub fn to_sec1(&self) -> Result<Secret, Error> {
        self.inside(private_key::sec1_from_pkcs8(self.pkcs8.expose()))
    }

    fn inside(&self, converted: Result<Zeroizing<Vec<u8>>, KeyError>) -> Result<Secret, Error> {
        converted.map(Secret::from).map_err(|error| Error::new(ErrorKind::WrongKey, self.key).because(error))
    }

    /// Returns the key type.
    #[must_use]
    pub const fn key_type(&self) -> KeyType {
        self.key
    }

    /// Returns the original PKCS #8 encoding, or one with a named curve if the original had explicit curve parameters.
    #[must_use]
    pub const fn pkcs8(&self) -> &Secret {
        &self.pkcs8
    }

    /// Returns the public key, as encoded in the bit string of a SubjectPublicKeyInfo, if present.
    #[must_use]
    pub fn public(&self) -> Option<&[u8]> {
        self.public.as_deref()
    }

    /// Returns the seed and expanded key of a post-quantum key, or `None` for other keys.
    #[must_use]
    pub const fn post_quantum(&self) -> Option<&Seeded> {
        match &self.material {
            Material::Seeded(seeded) => Some(seeded),
            _ => None,
        }
    }

    pub(crate) const fn material(&self) -> &Material {
        &self.material
    }
}

impl core::fmt::Debug for PrivateKeyInfo {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PrivateKeyInfo").field("key", &self.key).finish_non_exhaustive()
    }
}

type Parts = (KeyType, Material, Option<Vec<u8>>);

fn read(der: &[u8], info: &OneAsymmetricKey<'_>) -> Result<Parts, Error> {
    let (algorithm, inside) = (&info.private_key_algorithm, info.private_key.0.as_bytes());
    if [oids::RSA_ENCRYPTION, oids::RSASSA_PSS].contains(&algorithm.algorithm) {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "RSA").because(error);
        let key = RsaPrivateKey::from_der(inside).map_err(malformed)?;
        return Ok((KeyType::rsa(key.modulus), Material::Rsa(Secret::from(inside)), None));
    }
    let curve = algorithm.parameters.and_then(|parameters| parameters.decode_as().ok());
    let key = KeyType::of_identifier(algorithm.algorithm, curve)?;
    let malformed =
        |error: Box<dyn std::error::Error + Send + Sync>| Error::new(ErrorKind::MalformedKey, key).because(error);
    let order = match key {
        KeyType::Ed25519 | KeyType::X25519 => return octets(key, inside, 32),
        KeyType::Ed448 => return octets(key, inside, 57),
        KeyType::X448 => return octets(key, inside, 56),
        // Draft §4: as they are, without an OCTET STRING of their own.
        KeyType::CompositeMlDsa(_) | KeyType::CompositeMlKem(_) => {
            return Ok((key, Material::Composite(Secret::from(inside)), None));
        }
        _ => match key.coordinate_len() {
            Some(len) => len,
            None => return Ok((key, Material::Seeded(Seeded::from_pkcs8(key, der)?), None)),
        },
    };
    let read = EcPrivateKey::from_der(inside).map_err(|error| malformed(error.into()))?;
    if let (Some(EcParameters::NamedCurve(again)), Some(curve)) = (read.parameters, curve)
        && again != curve
    {
        return Err(Error::new(ErrorKind::Inconsistent, key));
    }
    let scalar = read.private_key.as_bytes();
    // RFC 5915 §3: as many octets as the order has.
    if scalar.len() != order {
        return Err(malformed(KeyError::Length { wanted: order, found: scalar.len() }.into()));
    }
    let public = read.public_key.and_then(|public| public.octets()).map(<[u8]>::to_vec);
    Ok((key, Material::Scalar(Secret::from(scalar)), public))
}

fn octets(key: KeyType, inside: &[u8], len: usize) -> Result<Parts, Error> {
    let malformed = || Error::new(ErrorKind::MalformedKey, key);
    let read = CurvePrivateKey::from_der(inside).map_err(|error| malformed().because(error))?;
    let octets = read.0.as_bytes();
    if octets.len() == len { Ok((key, Material::Octets(Secret::from(octets)), None)) } else { Err(malformed()) }
}
