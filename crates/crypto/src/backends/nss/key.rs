//! Keys as objects of a session: made of numbers, or by the token, and gone with the session.

use core::fmt;
use std::sync::{Arc, Mutex};

use cryptoki::error::Error as Failure;
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, KeyType as Kind, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::types::Ulong;
use tagwise_codec::{BitStr, Decode, Int, OctetStr, encode};
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::pkcs1::{RsaPrivateKey, Version};
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_pkix::{RsaPublicKey, SubjectPublicKeyInfo};

use super::Nss;
use crate::backends::shared;
use crate::pkcs11::operation::{self, Unsigned};
use crate::pkcs11::public::Parts;
use crate::pkcs11::transport;
use crate::private::Material;
use crate::{
    Error, ErrorKind, KeyTransport, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Scheme, Secret,
};

/// An object, and the session whose end is its end.
struct Object {
    handle: ObjectHandle,
    _session: Mutex<Session>,
}

/// A public key.
pub(super) struct Public {
    nss: Nss,
    key: KeyType,
    object: Object,
}

struct Private {
    nss: Nss,
    key: KeyType,
    object: Object,
    /// As it was read; a new key is written when it is asked for.
    pkcs8: Option<Secret>,
    public: Vec<u8>,
}

fn some(number: Int<'_>) -> Vec<u8> {
    number.magnitude().to_vec()
}

/// The curve in DER, if the key is on one.
fn curve(key: KeyType) -> Option<Vec<u8>> {
    let (algorithm, curve) = key.identifiers();
    match key {
        KeyType::Ed25519 => encode(&algorithm).ok(),
        _ => curve.and_then(|curve| encode(&curve).ok()),
    }
}

fn kind(key: KeyType) -> Kind {
    match key {
        KeyType::Rsa(_) => Kind::RSA,
        KeyType::Ed25519 => Kind::EC_EDWARDS,
        _ => Kind::EC,
    }
}

/// # Errors
/// Those of [`Backend::public_key`](crate::Backend::public_key).
pub(super) fn public(nss: &Nss, key: KeyType, info: &SubjectPublicKeyInfo<'_>) -> Result<Public, Error> {
    let malformed = || nss.failed(ErrorKind::MalformedKey, key);
    let octets = info.subject_public_key.octets().ok_or_else(malformed)?;
    let mut template = vec![
        Attribute::Class(ObjectClass::PUBLIC_KEY),
        Attribute::KeyType(kind(key)),
        Attribute::Token(false),
        Attribute::Verify(true),
    ];
    if let Some(curve) = curve(key) {
        if key != KeyType::Ed25519 && !shared::is_point(key, octets) {
            return Err(malformed());
        }
        if matches!(octets, [2 | 3, ..]) && key != KeyType::Ed25519 {
            return Err(nss.failed(ErrorKind::NotOffered, "compressed point"));
        }
        // PKCS #11 §2.3.3 wants a point as an OCTET STRING, which softokens do not take of Edwards curves.
        let point = match key {
            KeyType::Ed25519 => octets.to_vec(),
            _ => encode(&OctetStr::new(octets)).map_err(|error| malformed().because(error))?,
        };
        template.extend([Attribute::EcParams(curve), Attribute::EcPoint(point)]);
    } else {
        template.push(Attribute::Encrypt(true));
        let numbers = RsaPublicKey::from_der(octets).map_err(|error| malformed().because(error))?;
        if numbers.modulus.is_negative() || numbers.public_exponent.is_negative() {
            return Err(malformed());
        }
        let (modulus, exponent) = (some(numbers.modulus), some(numbers.public_exponent));
        template.extend([Attribute::Modulus(modulus), Attribute::PublicExponent(exponent)]);
    }
    let object = create(nss, &template).map_err(|failure| malformed().because(failure))?;
    Ok(Public { nss: nss.clone(), key, object })
}

fn create(nss: &Nss, template: &[Attribute]) -> Result<Object, Failure> {
    let session = nss.slot.session()?;
    Ok(Object { handle: session.create_object(template)?, _session: Mutex::new(session) })
}

/// Template of every private key here: of this session, to be used and to be read.
fn private_template(key: KeyType) -> Vec<Attribute> {
    let mut template =
        vec![Attribute::Token(false), Attribute::Sensitive(false), Attribute::Extractable(true), Attribute::Sign(true)];
    match kind(key) {
        Kind::EC => template.push(Attribute::Derive(true)),
        Kind::RSA => template.push(Attribute::Decrypt(true)),
        _ => {}
    }
    template
}

/// # Errors
/// Those of [`Backend::private_key`](crate::Backend::private_key).
pub(super) fn load(nss: &Nss, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
    let key = info.key_type();
    let malformed = || nss.failed(ErrorKind::MalformedKey, key);
    let mut template = private_template(key);
    template.extend([Attribute::Class(ObjectClass::PRIVATE_KEY), Attribute::KeyType(kind(key))]);
    let octets = match info.material() {
        Material::Rsa(der) => {
            let numbers = RsaPrivateKey::from_der(der.expose()).map_err(|error| malformed().because(error))?;
            if numbers.other_prime_infos.is_some() {
                return Err(nss.failed(ErrorKind::NotOffered, "RSA with more than two primes"));
            }
            template.extend([
                Attribute::Modulus(some(numbers.modulus)),
                Attribute::PublicExponent(some(numbers.public_exponent)),
                Attribute::PrivateExponent(some(numbers.private_exponent)),
                Attribute::Prime1(some(numbers.prime1)),
                Attribute::Prime2(some(numbers.prime2)),
                Attribute::Exponent1(some(numbers.exponent1)),
                Attribute::Exponent2(some(numbers.exponent2)),
                Attribute::Coefficient(some(numbers.coefficient)),
            ]);
            let public = RsaPublicKey { modulus: numbers.modulus, public_exponent: numbers.public_exponent };
            encode(&public).map_err(|error| malformed().because(error))?
        }
        Material::Scalar(octets) | Material::Octets(octets) => {
            let curve = curve(key).ok_or_else(malformed)?;
            template.extend([Attribute::EcParams(curve), Attribute::Value(octets.expose().to_vec())]);
            // NSS computes no point of a scalar.
            let missing = || nss.failed(ErrorKind::NotOffered, format_args!("{key} without its public half"));
            info.public().ok_or_else(missing)?.to_vec()
        }
        Material::Seeded(_) | Material::Composite(_) => return Err(nss.failed(ErrorKind::NotOffered, key)),
    };
    let object = create(nss, &template);
    template.iter_mut().for_each(wipe);
    let object = object.map_err(|failure| malformed().because(failure))?;
    let public = shared::public_info(key, &octets).map_err(|error| malformed().because(error))?;
    let private = Private { nss: nss.clone(), key, object, pkcs8: Some(info.pkcs8().clone()), public };
    // FIPS 140-3 IG 10.3.A: what one half signs, the other verifies. So both belong together.
    let pairwise = || {
        let scheme = Scheme::preferred(key).ok_or_else(malformed)?;
        let message = b"pairwise consistency";
        let signature = operation::sign(&nss.slot, private.object.handle, &scheme, message)?;
        let parsed = SubjectPublicKeyInfo::from_der(&private.public).map_err(|error| malformed().because(error))?;
        self::public(nss, key, &parsed)?.verify(&scheme, message, &signature)
    };
    match pairwise() {
        Ok(()) => Ok(Arc::new(private)),
        Err(error) if error.kind() == ErrorKind::NotOffered => Err(error),
        Err(error) => Err(nss.failed(ErrorKind::Inconsistent, key).because(error)),
    }
}

/// Attributes are plain vectors: what is secret in them is wiped here.
fn wipe(attribute: &mut Attribute) {
    match attribute {
        Attribute::PrivateExponent(octets)
        | Attribute::Prime1(octets)
        | Attribute::Prime2(octets)
        | Attribute::Exponent1(octets)
        | Attribute::Exponent2(octets)
        | Attribute::Coefficient(octets)
        | Attribute::Value(octets) => zeroize::Zeroize::zeroize(octets),
        _ => {}
    }
}

/// # Errors
/// [`ErrorKind::Failed`].
pub(super) fn generate(nss: &Nss, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
    let token = |failure: Failure| nss.failed(ErrorKind::Failed, key).because(failure);
    let mut publicly = vec![Attribute::Token(false), Attribute::Verify(true)];
    let mechanism = match key {
        KeyType::Rsa(bits) => {
            publicly.push(Attribute::ModulusBits(Ulong::from(u64::from(bits))));
            publicly.push(Attribute::PublicExponent(vec![1, 0, 1]));
            publicly.push(Attribute::Encrypt(true));
            Mechanism::RsaPkcsKeyPairGen
        }
        _ => {
            publicly.push(Attribute::EcParams(curve(key).ok_or_else(|| nss.failed(ErrorKind::NotOffered, key))?));
            Mechanism::EccKeyPairGen
        }
    };
    let session = nss.slot.session().map_err(token)?;
    let pair = session.generate_key_pair(&mechanism, &publicly, &private_template(key));
    let (public, private) = pair.map_err(token)?;
    let parts = Parts::of(&session, public).map_err(token)?;
    let public = parts.info()?.ok_or_else(|| nss.failed(ErrorKind::Failed, key))?;
    let object = Object { handle: private, _session: Mutex::new(session) };
    Ok(Arc::new(Private { nss: nss.clone(), key, object, pkcs8: None, public }))
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        if !scheme.fits(self.key) {
            return Err(self.nss.failed(ErrorKind::WrongKey, scheme));
        }
        let slot = &self.nss.slot;
        if !operation::offers(slot, scheme, self.key, false) {
            return Err(self.nss.failed(ErrorKind::NotOffered, scheme));
        }
        operation::verify(slot, self.object.handle, self.key, scheme, message, signature)
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        Err(self.nss.failed(ErrorKind::WrongKey, self.key))
    }

    fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        transport::encrypt(&self.nss.slot, self.object.handle, self.key, transport, plain)
    }
}

impl Private {
    /// The values of a new key, as PKCS #8.
    fn written(&self) -> Result<Secret, Error> {
        let failed = || self.nss.failed(ErrorKind::Failed, self.key);
        let read = |wanted: &[AttributeType]| {
            let found = self.nss.slot.with(|session| session.get_attributes(self.object.handle, wanted));
            found.map_err(|failure| failed().because(failure))
        };
        let malformed = |error: tagwise_codec::EncodeError| failed().because(error);
        if let Some(curve) = self.key.identifiers().1 {
            let Some(Attribute::Value(value)) = read(&[AttributeType::Value])?.pop() else { return Err(failed()) };
            let value = Secret::from(value);
            // RFC 5915 §3: as many octets as the order has; NSS leaves zeros in front away.
            let mut scalar = Secret::zeroed(operation::coordinate(self.key));
            let at = scalar.len().checked_sub(value.len()).ok_or_else(failed)?;
            scalar.expose_mut().iter_mut().skip(at).zip(value.expose()).for_each(|(to, from)| *to = *from);
            let info = SubjectPublicKeyInfo::from_der(&self.public).map_err(|error| failed().because(error))?;
            let inside = encode(&EcPrivateKey {
                version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
                private_key: OctetStr::new(scalar.expose()),
                parameters: Some(EcParameters::NamedCurve(curve)),
                public_key: Some(BitStr::from_octets(info.subject_public_key.octets().unwrap_or_default())),
            });
            let inside = Secret::from(inside.map_err(malformed)?);
            return Ok(PrivateKeyInfo::from_sec1(inside.expose())?.pkcs8().clone());
        }
        let wanted = [
            AttributeType::Modulus,
            AttributeType::PublicExponent,
            AttributeType::PrivateExponent,
            AttributeType::Prime1,
            AttributeType::Prime2,
            AttributeType::Exponent1,
            AttributeType::Exponent2,
            AttributeType::Coefficient,
        ];
        let mut numbers = Vec::new();
        for one in wanted {
            let mut found = read(&[one])?;
            match found.first() {
                Some(
                    Attribute::Modulus(octets)
                    | Attribute::PublicExponent(octets)
                    | Attribute::PrivateExponent(octets)
                    | Attribute::Prime1(octets)
                    | Attribute::Prime2(octets)
                    | Attribute::Exponent1(octets)
                    | Attribute::Exponent2(octets)
                    | Attribute::Coefficient(octets),
                ) => numbers.push(Unsigned::new(octets)),
                _ => return Err(failed()),
            }
            found.iter_mut().for_each(wipe);
        }
        let [modulus, public_exponent, private_exponent, prime1, prime2, exponent1, exponent2, coefficient] =
            &numbers[..]
        else {
            return Err(failed());
        };
        let inside = encode(&RsaPrivateKey {
            version: Version::TWO_PRIME,
            modulus: modulus.int(),
            public_exponent: public_exponent.int(),
            private_exponent: private_exponent.int(),
            prime1: prime1.int(),
            prime2: prime2.int(),
            exponent1: exponent1.int(),
            exponent2: exponent2.int(),
            coefficient: coefficient.int(),
            other_prime_infos: None,
        });
        let inside = Secret::from(inside.map_err(malformed)?);
        Ok(PrivateKeyInfo::from_pkcs1(inside.expose())?.pkcs8().clone())
    }
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        if !scheme.fits(self.key) {
            return Err(self.nss.failed(ErrorKind::WrongKey, scheme));
        }
        let slot = &self.nss.slot;
        if scheme.is_legacy() || !operation::offers(slot, scheme, self.key, true) {
            return Err(self.nss.failed(ErrorKind::NotOffered, scheme));
        }
        operation::sign(slot, self.object.handle, scheme, message)
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        match &self.pkcs8 {
            Some(read) => Ok(read.clone()),
            None => self.written(),
        }
    }

    fn to_pkcs8_as(&self, _: PostQuantumForm) -> Result<Secret, Error> {
        Err(self.nss.failed(ErrorKind::WrongKey, self.key))
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        if kind(self.key) != Kind::EC || KeyType::of(peer).map_err(|error| error.by(self.nss.slot.label()))? != self.key
        {
            return Err(self.nss.failed(ErrorKind::WrongKey, self.key));
        }
        let malformed = || self.nss.failed(ErrorKind::MalformedKey, self.key);
        let point = peer.subject_public_key.octets().ok_or_else(malformed)?;
        match point {
            [2 | 3, ..] => Err(self.nss.failed(ErrorKind::NotOffered, "compressed point")),
            _ if !shared::is_point(self.key, point) => Err(malformed()),
            _ => operation::agree(&self.nss.slot, self.object.handle, self.key, point),
        }
    }

    fn decapsulate(&self, _: &[u8]) -> Result<Secret, Error> {
        Err(self.nss.failed(ErrorKind::WrongKey, self.key))
    }

    fn decrypt(&self, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
        transport::decrypt(&self.nss.slot, self.object.handle, self.key, transport, ciphertext)
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &self.nss).field("key", &self.key).finish_non_exhaustive()
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.nss).field("key", &self.key).finish_non_exhaustive()
    }
}
