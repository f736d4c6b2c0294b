//! PKINIT key agreement (RFC 4556 §3.2.3.1, RFC 5349): groups, public values, shared secrets, and derived keys.
//!
//! ```
//! use tagwise_crypto::backends::AwsLc;
//! use tagwise_krb5::agreement::{Group, Private};
//! use tagwise_pkix::SubjectPublicKeyInfo;
//! # use tagwise_codec::Decode;
//!
//! let backend = AwsLc::new();
//! let (client, kdc) = (Private::generate(&backend, Group::P256)?, Private::generate(&backend, Group::P256)?);
//! let public = |info| SubjectPublicKeyInfo::from_der(info).map(|info| info.subject_public_key.as_bytes());
//! let shared = client.shared(public(kdc.public_key_info())?)?;
//! assert_eq!(shared.expose(), kdc.shared(public(client.public_key_info())?)?.expose());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kdf;
mod modp;

use core::fmt;
use std::sync::Arc;

use tagwise_codec::{Any, BitStr, Decode, Int, encode};
use tagwise_crypto::{Backend, Error, ErrorKind, KeyType, PrivateKey, Secret};
use tagwise_pkix::algorithms::DomainParameters;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

pub use kdf::{Binding, Kdf, octetstring_to_key};
use modp::{EXPONENT_LEN, Modulus};

/// A key agreement group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// The 2048-bit MODP group 14 (RFC 3526 §3).
    Modp14,
    /// The 4096-bit MODP group 16 (RFC 3526 §5).
    Modp16,
    /// The elliptic curve P-256.
    P256,
    /// The elliptic curve P-384.
    P384,
    /// The elliptic curve P-521.
    P521,
}

impl Group {
    /// All groups.
    pub const ALL: &[Self] = &[Self::Modp14, Self::Modp16, Self::P256, Self::P384, Self::P521];

    /// Returns the group's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modp14 => "MODP group 14",
            Self::Modp16 => "MODP group 16",
            Self::P256 => "P-256",
            Self::P384 => "P-384",
            Self::P521 => "P-521",
        }
    }

    /// Returns the modulus length in bits of RSA or MODP with similar strength (SP 800-57 part 1 §5.6.1.1), for comparison with
    /// `pkinit_dh_min_bits`.
    #[must_use]
    pub const fn modulus_bits(self) -> u32 {
        match self {
            Self::Modp14 => 2048,
            Self::Modp16 => 4096,
            Self::P256 => 3072,
            Self::P384 => 7680,
            Self::P521 => 15_360,
        }
    }

    /// Parses a minimum modulus length in the syntax of MIT's `pkinit_dh_min_bits`: a number of bits or a curve name.
    ///
    /// ```
    /// # use tagwise_krb5::agreement::Group;
    /// assert_eq!(Group::min_bits("2048"), Some(2048));
    /// assert_eq!(Group::min_bits("p-256"), Some(Group::P256.modulus_bits()));
    /// assert_eq!(Group::min_bits("P-192"), None);
    /// ```
    #[must_use]
    pub fn min_bits(text: &str) -> Option<u32> {
        let curves = [Self::P256, Self::P384, Self::P521];
        let curve = curves.into_iter().find(|curve| curve.name().eq_ignore_ascii_case(text));
        curve.map(Self::modulus_bits).or_else(|| text.parse().ok())
    }

    /// Returns the group for an algorithm identifier: `dhpublicnumber` with prime and generator, or a named curve.
    #[must_use]
    pub fn of(algorithm: &AlgorithmIdentifier<'_>) -> Option<Self> {
        Self::ALL.iter().copied().find(|group| group.is_named(algorithm))
    }

    fn is_named(self, algorithm: &AlgorithmIdentifier<'_>) -> bool {
        let Some(parameters) = algorithm.parameters else { return false };
        match self.modulus() {
            Some(modulus) => {
                algorithm.algorithm == oids::DH_PUBLIC_NUMBER
                    && DomainParameters::from_der(parameters.as_bytes())
                        .is_ok_and(|read| read.p.magnitude() == modulus.prime() && read.g.magnitude() == [2])
            }
            None => self
                .key_type()
                .is_some_and(|kind| kind.identifiers() == (algorithm.algorithm, parameters.decode_as().ok())),
        }
    }

    const fn modulus(self) -> Option<Modulus> {
        match self {
            Self::Modp14 => Some(Modulus::Bits2048),
            Self::Modp16 => Some(Modulus::Bits4096),
            Self::P256 | Self::P384 | Self::P521 => None,
        }
    }

    const fn key_type(self) -> Option<KeyType> {
        match self {
            Self::P256 => Some(KeyType::P256),
            Self::P384 => Some(KeyType::P384),
            Self::P521 => Some(KeyType::P521),
            Self::Modp14 | Self::Modp16 => None,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A private value for a single exchange. It is zeroized on drop, and `Debug` shows only its group.
#[derive(Clone)]
pub struct Private {
    group: Group,
    value: SecretValue,
    /// The SubjectPublicKeyInfo in DER.
    public: Vec<u8>,
}

#[derive(Clone)]
enum SecretValue {
    Exponent(Modulus, Secret),
    Key(Arc<dyn PrivateKey>),
}

impl Private {
    /// Generates a random private value.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm, or [`ErrorKind::Failed`] if the backend
    /// fails.
    pub fn generate(backend: &dyn Backend, group: Group) -> Result<Self, Error> {
        let wrong = || Error::new(ErrorKind::NotOffered, group);
        match (group.modulus(), group.key_type()) {
            (Some(modulus), _) => {
                let mut exponent = Secret::zeroed(EXPONENT_LEN);
                backend.random(exponent.expose_mut())?;
                let failed = |error| Error::new(ErrorKind::Failed, group).because(error);
                let public = public_info(modulus, modulus.public(&exponent)?.expose()).map_err(failed)?;
                Ok(Self { group, value: SecretValue::Exponent(modulus, exponent), public })
            }
            (None, Some(kind)) => {
                let key = backend.generate(kind)?;
                let public = key.public_key_info().to_vec();
                Ok(Self { group, value: SecretValue::Key(key), public })
            }
            (None, None) => Err(wrong()),
        }
    }

    /// Returns the group.
    #[must_use]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// Returns the public value as a DER-encoded SubjectPublicKeyInfo, for use in AuthPack.
    #[must_use]
    pub fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    /// Computes the secret shared with a peer. `peer` is the peer's public value: the content of the BIT STRING in a SubjectPublicKeyInfo
    /// or KDCDHKeyInfo. The secret has the length of the prime or of a coordinate.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] or [`ErrorKind::MalformedKey`] if the peer's value is not a group element, or is a
    /// small-order element, which would reveal the secret.
    pub fn shared(&self, peer: &[u8]) -> Result<Secret, Error> {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, self.group).because(error);
        match &self.value {
            SecretValue::Exponent(modulus, exponent) => {
                let peer = Int::from_der(peer).map_err(malformed)?;
                if peer.is_negative() {
                    return Err(Error::new(ErrorKind::Parameters, self.group));
                }
                modulus.power(peer.magnitude(), exponent)
            }
            SecretValue::Key(key) => {
                let own = SubjectPublicKeyInfo::from_der(&self.public).map_err(malformed)?;
                key.agree(&SubjectPublicKeyInfo { subject_public_key: BitStr::from_octets(peer), ..own })
            }
        }
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Private({})", self.group)
    }
}

/// Encodes a public value modulo a prime as a SubjectPublicKeyInfo (RFC 3279 §2.3.3).
fn public_info(modulus: Modulus, value: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    // A zero in front keeps the numbers positive.
    let positive = |octets: &[u8]| [&[0], octets].concat();
    let (prime, order, value) = (positive(&modulus.prime()), positive(&modulus.order()), positive(value));
    let parameters = DomainParameters::new(Int::from_signed(&prime), Int::from_signed(&[2]), Int::from_signed(&order));
    let (parameters, value) = (encode(&parameters)?, encode(&Int::from_signed(&value))?);
    Ok(encode(&SubjectPublicKeyInfo {
        algorithm: AlgorithmIdentifier {
            algorithm: oids::DH_PUBLIC_NUMBER,
            parameters: Some(Any::from_der(&parameters)?),
        },
        subject_public_key: BitStr::from_octets(&value),
    })?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use tagwise_crypto::backends::AwsLc;

    use super::*;

    #[test]
    fn public_values_name_their_groups() {
        let backend = AwsLc::new();
        for group in Group::ALL {
            let (one, other) =
                (Private::generate(&backend, *group).unwrap(), Private::generate(&backend, *group).unwrap());
            let info = SubjectPublicKeyInfo::from_der(one.public_key_info()).unwrap();
            assert_eq!(Group::of(&info.algorithm), Some(*group));
            assert_eq!(Group::of(&AlgorithmIdentifier { parameters: None, ..info.algorithm }), None);
            let peer = SubjectPublicKeyInfo::from_der(other.public_key_info()).unwrap();
            let shared = one.shared(peer.subject_public_key.as_bytes()).unwrap();
            assert_eq!(shared.expose(), other.shared(info.subject_public_key.as_bytes()).unwrap().expose());
            assert_eq!(format!("{one:?}"), format!("Private({group})"));
        }
    }

    #[test]
    fn values_of_no_group_are_refused() {
        let backend = AwsLc::new();
        let curve = Private::generate(&backend, Group::P256).unwrap();
        let point = SubjectPublicKeyInfo::from_der(curve.public_key_info()).unwrap().subject_public_key.as_bytes();
        // Another curve, the point at infinity, a point beside the curve.
        let other = Private::generate(&backend, Group::P384).unwrap();
        let longer = SubjectPublicKeyInfo::from_der(other.public_key_info()).unwrap().subject_public_key.as_bytes();
        let mut beside = point.to_vec();
        beside[64] ^= 1;
        for bad in [longer, &[0], &[], &beside] {
            assert!(curve.shared(bad).is_err());
        }
        // INTEGER 0, 1, -1, and no INTEGER.
        let modular = Private::generate(&backend, Group::Modp14).unwrap();
        for bad in [&[2, 1, 0][..], &[2, 1, 1], &[2, 1, 0xFF], &[4, 1, 2], point] {
            assert!(modular.shared(bad).is_err());
        }
        modular.shared(&[2, 1, 2]).unwrap();
    }
}
