//! Code shared by backends: public key encoding, algorithms based only on HMAC, and RSA keys that are restricted to RSASSA-PSS (RFC 4055 §1.2).

use std::sync::Arc;

use tagwise_codec::{Any, BitStr, Decode, EncodeError, OctetStr, encode};
use tagwise_pkix::private_key::private_key_info;
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::{Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PssParameters, Scheme, Secret};

/// Encodes the SubjectPublicKeyInfo of a key in DER. The parameters are NULL for RSA (RFC 3279 §2.3.1), the curve for
/// elliptic curve keys (RFC 5480 §2.1.1), and otherwise absent.
pub(crate) fn public_info(key: KeyType, octets: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let parameters = parameters(key)?;
    let algorithm = AlgorithmIdentifier { algorithm: key.identifiers().0, parameters: Any::from_der(&parameters).ok() };
    encode(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(octets) })
}

/// Encodes the parameters of a key's algorithm in DER.
fn parameters(key: KeyType) -> Result<Vec<u8>, EncodeError> {
    match key.identifiers().1 {
        Some(curve) => encode(&curve),
        None if matches!(key, KeyType::Rsa(_)) => Ok(vec![5, 0]),
        None => Ok(Vec::new()),
    }
}

/// Encodes an elliptic curve scalar as PKCS #8 without its public key, which the importing backend must compute.
pub(super) fn curve_info(key: KeyType, scalar: &[u8]) -> Result<Secret, Error> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| Error::new(ErrorKind::Failed, key).because(error);
    let curve = parameters(key).map_err(|error| failed(error.into()))?;
    let inside = EcPrivateKey {
        version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
        private_key: OctetStr::new(scalar),
        parameters: None,
        public_key: None,
    };
    let inside = Secret::from(encode(&inside).map_err(|error| failed(error.into()))?);
    let algorithm = AlgorithmIdentifier { algorithm: key.identifiers().0, parameters: Any::from_der(&curve).ok() };
    let whole = private_key_info(&algorithm, inside.expose(), &[], None);
    whole.map(Secret::from).map_err(|error| failed(error.into()))
}

/// Returns whether the public key stored with a private key equals the computed one. Points may be compressed or not (SEC 1
/// §2.3.3: the first byte of a compressed point contains the parity of the y-coordinate).
pub(super) fn same_public(claimed: &[u8], computed: &[u8]) -> bool {
    match (claimed, computed) {
        ([form @ (2 | 3), x @ ..], [4, both @ .., last]) if both.len() + 1 == 2 * x.len() => {
            both.starts_with(x) && *form == 2 + (last & 1)
        }
        _ => claimed == computed,
    }
}

/// Returns whether bytes have the format of a point: uncompressed or compressed (RFC 5480 §2.2 excludes the hybrid form).
pub(super) fn is_point(key: KeyType, octets: &[u8]) -> bool {
    let Some(len) = key.coordinate_len() else { return false };
    matches!(octets.first(), Some(4)) && octets.len() == 1 + 2 * len
        || matches!(octets.first(), Some(2 | 3)) && octets.len() == 1 + len
}

/// Returns whether bytes have the length of a public key on the curve and, except for Ed25519 and Ed448, the first byte of
/// a point.
pub(crate) fn is_bare(key: KeyType, octets: &[u8]) -> bool {
    match key {
        KeyType::Ed25519 => octets.len() == 32,
        KeyType::Ed448 => octets.len() == 57,
        _ => is_point(key, octets),
    }
}

/// A private key that only creates RSASSA-PSS signatures, as its identifier requires.
#[derive(Debug)]
struct Restricted {
    key: Arc<dyn PrivateKey>,
    /// The parameters that signatures must satisfy, or `None` if the key allows any.
    least: Option<PssParameters>,
    public: Vec<u8>,
}

/// Restricts a backend's RSA key to RSASSA-PSS, if its encoding requires it.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`], [`ErrorKind::Unsupported`] or [`ErrorKind::Parameters`] if the restriction is
/// malformed or its parameters are not supported.
pub(crate) fn restrict(key: Arc<dyn PrivateKey>, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
    let Some(algorithm) = info.restriction() else { return Ok(key) };
    let malformed = |error| Error::new(ErrorKind::MalformedKey, "RSASSA-PSS").because(error);
    let algorithm = AlgorithmIdentifier::from_der(algorithm).map_err(malformed)?;
    let bound = algorithm.parameters.map(|_| Scheme::of_legacy(&algorithm)).transpose()?;
    let least = match bound {
        Some(Scheme::RsaPss(least)) => Some(least),
        _ => None,
    };
    let unrestricted = SubjectPublicKeyInfo::from_der(key.public_key_info()).map_err(malformed)?;
    let public = encode(&SubjectPublicKeyInfo { algorithm, ..unrestricted });
    let public = public.map_err(|error| Error::new(ErrorKind::Failed, "RSASSA-PSS").because(error))?;
    Ok(Arc::new(Restricted { key, least, public }))
}

impl PssParameters {
    /// Returns whether a key with the parameters `least` allows signatures with these parameters (RFC 4055 §3.3). The
    /// digests must be equal, and the salt must be at least as long.
    #[must_use]
    pub fn satisfies(&self, least: &Self) -> bool {
        self.digest == least.digest && self.mask == least.mask && self.salt_len >= least.salt_len
    }
}

impl PrivateKey for Restricted {
    fn key_type(&self) -> crate::KeyType {
        self.key.key_type()
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn preferred_scheme(&self) -> Option<Scheme> {
        let Some(least) = self.least else { return Scheme::preferred_pss(self.key_type()) };
        let salt_len = least.salt_len.max(PssParameters::of(least.digest).salt_len);
        Some(Scheme::RsaPss(PssParameters { salt_len, ..least }))
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        let allowed = match (scheme, &self.least) {
            (Scheme::RsaPss(parameters), Some(least)) => parameters.satisfies(least),
            (Scheme::RsaPss(_), None) => true,
            _ => false,
        };
        if !allowed {
            let why = "the key is restricted to RSASSA-PSS with its parameters (RFC 4055 §1.2, §3.3)";
            return Err(Error::new(ErrorKind::WrongKey, scheme).because(why));
        }
        self.key.sign(scheme, message)
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        self.key.to_pkcs8()
    }

    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error> {
        self.key.to_pkcs8_as(form)
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        self.key.agree(peer)
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        self.key.decapsulate(ciphertext)
    }

    fn decrypt(&self, transport: crate::KeyTransport, _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, transport))
    }

    fn decrypt_labeled(&self, oaep: crate::OaepParameters, _: &[u8], _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, crate::KeyTransport::Oaep(oaep)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_compared_in_both_forms() {
        let whole = [4, 1, 2, 3, 5];
        assert!(same_public(&whole, &whole));
        assert!(same_public(&[3, 1, 2], &whole));
        assert!(!same_public(&[2, 1, 2], &whole));
        assert!(!same_public(&[3, 1, 3], &whole));
        assert!(!same_public(&[3, 1], &whole));
        assert!(same_public(&[7; 32], &[7; 32]));
    }
}
