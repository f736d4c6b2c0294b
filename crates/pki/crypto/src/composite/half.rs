//! The component keys of composite keys, shared by signatures and KEMs.

use std::sync::Arc;

use tagwise_codec::{Decode, OctetStr, encode};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::private_key::curve_private_key;
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};

use crate::backends::shared;
use crate::private::Material;
use crate::{Backend, Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Secret};

/// Returns the second component of a composite private key: an RSAPrivateKey, an ECPrivateKey with a named curve, or the
/// bytes defined in RFC 8032 or RFC 7748.
pub(super) fn part_of(info: &PrivateKeyInfo) -> Result<Secret, Error> {
    let key = info.key_type();
    match info.material() {
        Material::Rsa(der) => Ok(der.clone()),
        Material::Octets(octets) => Ok(octets.clone()),
        Material::Scalar(scalar) => {
            let curve = key.identifiers().1.ok_or_else(|| Error::new(ErrorKind::WrongKey, key))?;
            let der = encode(&EcPrivateKey {
                version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
                private_key: OctetStr::new(scalar.expose()),
                parameters: Some(EcParameters::NamedCurve(curve)),
                public_key: None,
            });
            der.map(Secret::from).map_err(|error| Error::new(ErrorKind::Failed, key).because(error))
        }
        _ => Err(Error::new(ErrorKind::WrongKey, key)),
    }
}

/// Parses the second component of a composite private key, which must be of the given type.
pub(super) fn read_part(kind: KeyType, part: &[u8], name: &str) -> Result<PrivateKeyInfo, Error> {
    let part = match kind {
        KeyType::Rsa(_) => PrivateKeyInfo::from_pkcs1(part)?,
        _ if kind.is_curve() => PrivateKeyInfo::from_sec1(part)?,
        _ => PrivateKeyInfo::converted(curve_private_key(kind.identifiers().0, part), name)?,
    };
    if part.key_type() == kind { Ok(part) } else { Err(other_kind(name, part.key_type())) }
}

fn other_kind(name: &str, found: KeyType) -> Error {
    Error::new(ErrorKind::MalformedKey, name).because(format!("a component key has the wrong type, {found}"))
}

/// Returns the seed of a new post-quantum key, which is the first component of a composite private key.
pub(super) fn seed_of(key: &dyn PrivateKey) -> Result<Secret, Error> {
    let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8_as(PostQuantumForm::Seed)?.expose())?;
    let seed = info.post_quantum().and_then(|forms| forms.seed.clone());
    seed.ok_or_else(|| Error::new(ErrorKind::Failed, key.key_type()))
}

/// Returns the public key bytes of a private key.
pub(super) fn public_of(key: &dyn PrivateKey) -> Result<Vec<u8>, Error> {
    let failed = || Error::new(ErrorKind::Failed, key.key_type());
    let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).map_err(|error| failed().because(error))?;
    Ok(info.subject_public_key.octets().ok_or_else(failed)?.to_vec())
}

/// Checks that the public key stored with a private key matches it.
pub(super) fn check_public(info: &PrivateKeyInfo, key: &dyn PrivateKey) -> Result<(), Error> {
    match info.public() {
        Some(claimed) if public_of(key)? != claimed => Err(Error::new(ErrorKind::Inconsistent, key.key_type())),
        _ => Ok(()),
    }
}

/// Parses one component of a public key. Points in composite keys must be uncompressed.
pub(super) fn parsed(
    backend: &dyn Backend,
    kind: KeyType,
    octets: &[u8],
    name: &str,
) -> Result<Arc<dyn PublicKey>, Error> {
    let malformed = || Error::new(ErrorKind::MalformedKey, name);
    if is_compressed(kind, octets) {
        return Err(malformed());
    }
    let info = shared::public_info(kind, octets).map_err(|error| malformed().because(error))?;
    let key = backend.public_key_from_der(&info)?;
    if key.key_type() == kind { Ok(key) } else { Err(other_kind(name, key.key_type())) }
}

/// Returns whether bytes are an elliptic curve public key that is not an uncompressed point.
pub(super) fn is_compressed(kind: KeyType, octets: &[u8]) -> bool {
    kind.is_curve() && octets.first() != Some(&4)
}
