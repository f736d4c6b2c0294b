//! Private keys as they are read: PKCS #8 taken apart, so that every backend gets what it wants of the same octets.

use tagwise_codec::{BitStr, Decode, OctetStr, encode};
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::edwards::CurvePrivateKey;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::{OneAsymmetricKey, PrivateKey as PrivateKeyOctets, Version};
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::{Error, ErrorKind, KeyType, Secret};

mod seeded;

pub use seeded::{PostQuantumForm, Seeded};

/// A private key, not encrypted: PKCS #8 (RFC 5958), its kind, and what is inside.
///
/// Kinds of keys and forms are checked here, whatever backend the key goes to; that numbers belong together, the backend checks.
pub struct PrivateKeyInfo {
    key: KeyType,
    pkcs8: Secret,
    material: Material,
    public: Option<Vec<u8>>,
}

/// What is inside the octets of a private key.
pub(crate) enum Material {
    /// An RSAPrivateKey in DER.
    Rsa(Secret),
    /// The scalar of an elliptic curve key, as long as the curve's order.
    Scalar(Secret),
    /// The octets of RFC 8032 or RFC 7748.
    Octets(Secret),
    /// A seed, what it expands to, or both.
    Seeded(Seeded),
}

impl PrivateKeyInfo {
    /// Takes PKCS #8 apart. DER alone is taken, and a public half only where version 2 has one.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for kinds of keys that there are not; [`ErrorKind::MalformedKey`];
    /// [`ErrorKind::Inconsistent`] if an elliptic curve is named twice and differently, or the public half is there twice.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, Error> {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "private").because(error);
        let info = OneAsymmetricKey::from_der(der).map_err(malformed)?;
        let outside = info.public_key.and_then(|public| public.octets()).map(<[u8]>::to_vec);
        let (key, material, inside) = read(&info.private_key_algorithm, info.private_key.0.as_bytes())?;
        if outside.is_some() && inside.is_some() && outside != inside {
            return Err(Error::new(ErrorKind::Inconsistent, key));
        }
        Ok(Self { key, pkcs8: Secret::from(der), material, public: outside.or(inside) })
    }

    /// The same from an RSAPrivateKey in DER (RFC 8017 §A.1.2).
    ///
    /// # Errors
    /// [`ErrorKind::MalformedKey`].
    pub fn from_pkcs1(der: &[u8]) -> Result<Self, Error> {
        let null = tagwise_codec::Any::from_der(&[5, 0]).ok();
        Self::wrapped(AlgorithmIdentifier { algorithm: oids::RSA_ENCRYPTION, parameters: null }, der)
    }

    /// The same from an ECPrivateKey in DER that names its curve (RFC 5915 §3).
    ///
    /// # Errors
    /// [`ErrorKind::MalformedKey`], also if no curve is named; [`ErrorKind::Unsupported`] for other curves.
    pub fn from_sec1(der: &[u8]) -> Result<Self, Error> {
        let malformed = || Error::new(ErrorKind::MalformedKey, "EC");
        let key = EcPrivateKey::from_der(der).map_err(|error| malformed().because(error))?;
        let Some(EcParameters::NamedCurve(curve)) = key.parameters else { return Err(malformed()) };
        let curve = encode(&curve).map_err(|error| malformed().because(error))?;
        let parameters = tagwise_codec::Any::from_der(&curve).ok();
        Self::wrapped(AlgorithmIdentifier { algorithm: oids::EC_PUBLIC_KEY, parameters }, der)
    }

    /// PKCS #8 of version 1 around what is inside.
    pub(crate) fn wrapped(algorithm: AlgorithmIdentifier<'_>, inside: &[u8]) -> Result<Self, Error> {
        let info = OneAsymmetricKey {
            version: Version::V1,
            private_key_algorithm: algorithm,
            private_key: PrivateKeyOctets(OctetStr::new(inside)),
            attributes: None,
            additions: tagwise_codec::Additions::default(),
            public_key: None,
        };
        let der = encode(&info).map_err(|error| Error::new(ErrorKind::MalformedKey, "private").because(error))?;
        Self::from_pkcs8(Secret::from(der).expose())
    }

    /// An RSA key as RSAPrivateKey in DER (RFC 8017 §A.1.2).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] for other keys.
    pub fn to_pkcs1(&self) -> Result<Secret, Error> {
        match &self.material {
            Material::Rsa(der) => Ok(der.clone()),
            _ => Err(Error::new(ErrorKind::WrongKey, self.key)),
        }
    }

    /// An elliptic curve key as ECPrivateKey in DER that names its curve (RFC 5915 §3), with the public half if it is known.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKey`] for other keys.
    pub fn to_sec1(&self) -> Result<Secret, Error> {
        let (Material::Scalar(scalar), (_, Some(curve))) = (&self.material, self.key.identifiers()) else {
            return Err(Error::new(ErrorKind::WrongKey, self.key));
        };
        let key = EcPrivateKey {
            version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
            private_key: OctetStr::new(scalar.expose()),
            parameters: Some(EcParameters::NamedCurve(curve)),
            public_key: self.public.as_deref().map(BitStr::from_octets),
        };
        encode(&key).map(Secret::from).map_err(|error| Error::new(ErrorKind::Failed, self.key).because(error))
    }

    /// What kind of key it is.
    #[must_use]
    pub const fn key_type(&self) -> KeyType {
        self.key
    }

    /// The whole as it was read.
    #[must_use]
    pub const fn pkcs8(&self) -> &Secret {
        &self.pkcs8
    }

    /// The public half, as the bit string of a SubjectPublicKeyInfo has it, if it was there.
    #[must_use]
    pub fn public(&self) -> Option<&[u8]> {
        self.public.as_deref()
    }

    /// The forms of a post-quantum key; nothing for other keys.
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

fn read(algorithm: &AlgorithmIdentifier<'_>, inside: &[u8]) -> Result<Parts, Error> {
    if algorithm.algorithm == oids::RSA_ENCRYPTION {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "RSA").because(error);
        let key = RsaPrivateKey::from_der(inside).map_err(malformed)?;
        let bits = key.modulus.magnitude();
        let size = (bits.len() as u32).saturating_mul(8) - bits.first().map_or(0, |first| first.leading_zeros());
        return Ok((KeyType::Rsa(size), Material::Rsa(Secret::from(inside)), None));
    }
    let curve = algorithm.parameters.and_then(|parameters| parameters.decode_as().ok());
    let key = KeyType::of_identifier(algorithm.algorithm, curve)?;
    let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
    let order = match key {
        KeyType::P256 => 32,
        KeyType::P384 => 48,
        KeyType::P521 => 66,
        KeyType::Ed25519 | KeyType::X25519 => return octets(key, inside, 32),
        KeyType::Ed448 => return octets(key, inside, 57),
        KeyType::X448 => return octets(key, inside, 56),
        _ => return Ok((key, Material::Seeded(Seeded::read(key, inside)?), None)),
    };
    let read = EcPrivateKey::from_der(inside).map_err(malformed)?;
    if let (Some(EcParameters::NamedCurve(again)), Some(curve)) = (read.parameters, curve)
        && again != curve
    {
        return Err(Error::new(ErrorKind::Inconsistent, key));
    }
    // RFC 5915 §3: as many octets as the order has. Shorter ones are padded, as others write them.
    let scalar = read.private_key.as_bytes();
    let mut padded = Secret::zeroed(order);
    let room = order.checked_sub(scalar.len()).and_then(|at| padded.expose_mut().get_mut(at..));
    room.ok_or_else(|| Error::new(ErrorKind::MalformedKey, key))?.copy_from_slice(scalar);
    let public = read.public_key.and_then(|public| public.octets()).map(<[u8]>::to_vec);
    Ok((key, Material::Scalar(padded), public))
}

fn octets(key: KeyType, inside: &[u8], len: usize) -> Result<Parts, Error> {
    let malformed = || Error::new(ErrorKind::MalformedKey, key);
    let read = CurvePrivateKey::from_der(inside).map_err(|error| malformed().because(error))?;
    let octets = read.0.as_bytes();
    if octets.len() == len { Ok((key, Material::Octets(Secret::from(octets)), None)) } else { Err(malformed()) }
}
