//! The public key of a token key, as a SubjectPublicKeyInfo.

use cryptoki::error::Error as Failure;
use cryptoki::object::{Attribute, AttributeType, KeyType as Kind, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use tagwise_codec::{Decode, OctetStr, Oid, encode};
use tagwise_pkix::{Certificate, RsaPublicKey, oids};

use super::operation::Unsigned;
use crate::backends::shared;
use crate::{Error, ErrorKind, KeyType};

/// The attributes of an object that describe its key.
#[derive(Default)]
pub(crate) struct Parts {
    kind: Option<Kind>,
    modulus: Option<Vec<u8>>,
    exponent: Option<Vec<u8>>,
    curve: Option<Vec<u8>>,
    point: Option<Vec<u8>>,
    info: Option<Vec<u8>>,
    pub(crate) id: Option<Vec<u8>>,
    pub(crate) label: Option<Vec<u8>>,
}

impl Parts {
    /// Reads the attributes of an object.
    ///
    /// # Errors
    /// Returns any error from the token.
    pub(crate) fn of(session: &Session, object: ObjectHandle) -> Result<Self, Failure> {
        let wanted = [
            AttributeType::KeyType,
            AttributeType::Modulus,
            AttributeType::PublicExponent,
            AttributeType::EcParams,
            AttributeType::EcPoint,
            AttributeType::PublicKeyInfo,
            AttributeType::Id,
            AttributeType::Label,
        ];
        let mut parts = Self::default();
        for attribute in session.get_attributes(object, &wanted)? {
            match attribute {
                Attribute::KeyType(kind) => parts.kind = Some(kind),
                Attribute::Modulus(octets) => parts.modulus = some(octets),
                Attribute::PublicExponent(octets) => parts.exponent = some(octets),
                Attribute::EcParams(octets) => parts.curve = some(octets),
                Attribute::EcPoint(octets) => parts.point = some(octets),
                Attribute::PublicKeyInfo(octets) => parts.info = some(octets),
                Attribute::Id(octets) => parts.id = some(octets),
                Attribute::Label(octets) => parts.label = some(octets),
                _ => {}
            }
        }
        Ok(parts)
    }

    /// Returns the SubjectPublicKeyInfo, or `None` if attributes are missing.
    pub(crate) fn info(&self) -> Result<Option<Vec<u8>>, Error> {
        let failed = |error| Error::new(ErrorKind::Failed, "public").because(error);
        if let (Some(modulus), Some(exponent)) = (&self.modulus, &self.exponent) {
            let (modulus, exponent) = (Unsigned::new(modulus), Unsigned::new(exponent));
            let key = RsaPublicKey { modulus: modulus.int(), public_exponent: exponent.int() };
            let octets = encode(&key).map_err(failed)?;
            return shared::public_info(KeyType::rsa(key.modulus), &octets).map(Some).map_err(failed);
        }
        if let (Some(kind), Some(curve), Some(point)) = (self.kind, &self.curve, &self.point) {
            let key = curve_of(kind, curve)?;
            // PKCS #11 §2.3.3 requires the point as an OCTET STRING; some tokens return it directly, which is recognized by its
            // length.
            let point = if shared::is_bare(key, point) {
                point.clone()
            } else {
                let malformed = |error| Error::new(ErrorKind::MalformedKey, key).because(error);
                OctetStr::from_der(point).map_err(malformed)?.as_bytes().to_vec()
            };
            return shared::public_info(key, &point).map(Some).map_err(failed);
        }
        Ok(self.info.clone())
    }
}

fn some(octets: Vec<u8>) -> Option<Vec<u8>> {
    (!octets.is_empty()).then_some(octets)
}

/// Returns the key type of a curve, which is given by its identifier or name (PKCS #11 §2.3.10).
fn curve_of(kind: Kind, curve: &[u8]) -> Result<KeyType, Error> {
    if kind == Kind::EC_EDWARDS {
        let names: [(&[u8], KeyType); 2] =
            [(b"\x13\x0Cedwards25519", KeyType::Ed25519), (b"\x13\x0Aedwards448", KeyType::Ed448)];
        if let Some((_, key)) = names.into_iter().find(|(name, _)| *name == curve) {
            return Ok(key);
        }
    }
    let curve =
        Oid::from_der(curve).map_err(|error| Error::new(ErrorKind::Unsupported, "EC parameters").because(error))?;
    if kind == Kind::EC {
        KeyType::of_identifier(oids::EC_PUBLIC_KEY, Some(curve))
    } else {
        KeyType::of_identifier(curve, None)
    }
}

/// Returns the SubjectPublicKeyInfo of a private key. It is taken from the private key itself, or from a public key or
/// certificate with the same identifier. If there is no identifier, the label is used.
///
/// # Errors
/// Returns any error from the token, or [`ErrorKind::NotOffered`] if the public key is not found.
pub(crate) fn of_private(session: &Session, object: ObjectHandle, label: &'static str) -> Result<Vec<u8>, Error> {
    let token = |failure: Failure| Error::new(ErrorKind::Failed, "PKCS #11").by(label).because(failure);
    let parts = Parts::of(session, object).map_err(token)?;
    if let Some(info) = parts.info()? {
        return Ok(info);
    }
    let same = match (&parts.id, &parts.label) {
        (Some(id), _) => Attribute::Id(id.clone()),
        (None, Some(name)) => Attribute::Label(name.clone()),
        (None, None) => return Err(missing(label)),
    };
    let publics = session.find_objects(&[Attribute::Class(ObjectClass::PUBLIC_KEY), same.clone()]).map_err(token)?;
    for public in publics {
        let found = Parts::of(session, public).map_err(token)?;
        if found.kind == parts.kind
            && let Some(info) = found.info()?
        {
            return Ok(info);
        }
    }
    let certificates = session.find_objects(&[Attribute::Class(ObjectClass::CERTIFICATE), same]).map_err(token)?;
    for certificate in certificates {
        let value = session.get_attributes(certificate, &[AttributeType::Value]).map_err(token)?.pop();
        let Some(Attribute::Value(der)) = value else { continue };
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "certificate").by(label).because(error);
        let certificate = Certificate::from_der(&der).map_err(malformed)?;
        let info = encode(&certificate.tbs_certificate.subject_public_key_info);
        return info.map_err(|error| Error::new(ErrorKind::Failed, "public").because(error));
    }
    Err(missing(label))
}

fn missing(label: &'static str) -> Error {
    Error::new(ErrorKind::NotOffered, "the public key").by(label)
}
