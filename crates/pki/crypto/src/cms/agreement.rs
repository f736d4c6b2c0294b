//! Key agreement recipients (RFC 5652 §6.2.2): ECDH with the X9.63 KDF (RFC 5753), X25519 with HKDF (RFC 8418).

use tagwise_codec::{Any, BitStr, Decode, OctetStr, Oid, encode};
use tagwise_pkix::cms::ecc::{
    DH_SINGLE_PASS_STD_DH_SHA1KDF_SCHEME, DH_SINGLE_PASS_STD_DH_SHA224KDF_SCHEME,
    DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME, DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME,
    DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME, EccCmsSharedInfo,
};
use tagwise_pkix::cms::{KeyAgreeRecipientInfo, OriginatorIdentifierOrKey};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use super::CmsError;
use super::wrap::KeyWrap;
use crate::error::named;
use crate::{Backend, Digest, Error, ErrorKind, KeyType, PrivateKey, Secret};

/// The derivation of a key-encryption key from a shared secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Derivation {
    X963(Digest),
    Hkdf(Digest),
}

/// The supported schemes. The cofactor of the supported curves is 1 (SEC 1 §3.3.2), so cofactor schemes would be equivalent.
/// Their separate identifiers are not used in practice.
const SCHEMES: [(Oid<'static>, Derivation); 8] = [
    (DH_SINGLE_PASS_STD_DH_SHA1KDF_SCHEME, Derivation::X963(Digest::Sha1)),
    (DH_SINGLE_PASS_STD_DH_SHA224KDF_SCHEME, Derivation::X963(Digest::Sha224)),
    (DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME, Derivation::X963(Digest::Sha256)),
    (DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME, Derivation::X963(Digest::Sha384)),
    (DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME, Derivation::X963(Digest::Sha512)),
    (oids::DH_SINGLE_PASS_STD_DH_HKDF_SHA256_SCHEME, Derivation::Hkdf(Digest::Sha256)),
    (oids::DH_SINGLE_PASS_STD_DH_HKDF_SHA384_SCHEME, Derivation::Hkdf(Digest::Sha384)),
    (oids::DH_SINGLE_PASS_STD_DH_HKDF_SHA512_SCHEME, Derivation::Hkdf(Digest::Sha512)),
];

/// The result of key agreement with a recipient.
#[derive(Debug)]
pub(super) struct Agreed {
    /// The ephemeral public key, as the contents of its BIT STRING.
    pub(super) originator: Vec<u8>,
    /// The algorithm of the ephemeral public key.
    pub(super) originator_algorithm: Oid<'static>,
    /// The key agreement algorithm in DER, with the key wrap algorithm as its parameters.
    pub(super) algorithm: Vec<u8>,
    pub(super) encrypted_key: Vec<u8>,
}

/// Wraps a key for the holder of this public key, with an ephemeral key pair.
pub(super) fn encrypt(
    backend: &dyn Backend,
    peer: &SubjectPublicKeyInfo<'_>,
    kind: KeyType,
    key: &Secret,
) -> Result<Agreed, CmsError> {
    // RFC 5753 §7.2: digests go with the curves; RFC 8418 §4: HKDF with SHA-256 for X25519.
    let scheme = match kind {
        KeyType::P256 => DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME,
        KeyType::P384 => DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME,
        KeyType::P521 => DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME,
        KeyType::Curve(curve) => match curve.digest() {
            Digest::Sha256 => DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME,
            Digest::Sha384 => DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME,
            _ => DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME,
        },
        KeyType::X25519 => oids::DH_SINGLE_PASS_STD_DH_HKDF_SHA256_SCHEME,
        KeyType::X448 => oids::DH_SINGLE_PASS_STD_DH_HKDF_SHA512_SCHEME,
        _ => return Err(Error::new(ErrorKind::WrongKey, kind).into()),
    };
    let derivation = derivation(scheme)?;
    let wrap = KeyWrap::for_key(key.len());
    let inside = encode(&wrap.identifier())?;
    let parameters = Any::from_der(&inside).map_err(CmsError::malformed("the key wrap"))?;
    let algorithm = encode(&AlgorithmIdentifier { algorithm: scheme, parameters: Some(parameters) })?;

    let once = backend.generate(kind)?;
    let kek = kek(backend, derivation, &once.agree(peer)?, &wrap.identifier(), wrap, None)?;
    let encrypted_key = wrap.wrap(backend, kek.expose(), key.expose())?;
    let public =
        SubjectPublicKeyInfo::from_der(once.public_key_info()).map_err(CmsError::malformed("the public key"))?;
    let originator = public.subject_public_key.octets().unwrap_or_default().to_vec();
    Ok(Agreed { originator, originator_algorithm: kind.identifiers().0, algorithm, encrypted_key })
}

/// Returns whether a recipient can belong to a private key: the sender's ephemeral key must be on the same curve (RFC 5753 §3.1.1).
/// Curves that the message does not name are compared by the size of a point.
pub(super) fn fits(private: &dyn PrivateKey, info: &KeyAgreeRecipientInfo<'_>) -> bool {
    let OriginatorIdentifierOrKey::OriginatorKey(public) = &info.originator else { return true };
    let Ok(own) = SubjectPublicKeyInfo::from_der(private.public_key_info()) else { return true };
    let len = own.subject_public_key.octets().map_or(0, <[u8]>::len);
    // SEC 1 §2.3.3: a compressed point has only one coordinate.
    let sizes = [len, len.div_ceil(2)];
    is_same_curve(private, &public.algorithm)
        && public.public_key.octets().is_some_and(|point| sizes.contains(&point.len()))
}

/// Returns whether a key has the algorithm, and the curve of the private key. Parameters may be absent or NULL, and then the curve is the
/// recipient's own (RFC 5753 §3.1.1).
fn is_same_curve(private: &dyn PrivateKey, key: &AlgorithmIdentifier<'_>) -> bool {
    let (algorithm, curve) = private.key_type().identifiers();
    let named = key.parameters.filter(|parameters| parameters.tag() != tagwise_codec::Tag::NULL);
    let named = named.map(|parameters| parameters.decode_as::<Oid<'_>>().ok());
    key.algorithm == algorithm && named.is_none_or(|named| named.is_some() && named == curve)
}

/// Unwraps a key that was wrapped for this private key.
pub(super) fn decrypt(
    backend: &dyn Backend,
    private: &dyn PrivateKey,
    info: &KeyAgreeRecipientInfo<'_>,
    encrypted_key: &[u8],
) -> Result<Secret, CmsError> {
    let algorithm = &info.key_encryption_algorithm;
    let derivation = derivation(algorithm.algorithm)?;
    let wrong = || Error::new(ErrorKind::Parameters, named(algorithm.algorithm));
    let inside = algorithm.parameters.ok_or_else(wrong)?;
    let inside: AlgorithmIdentifier<'_> = inside.decode_as().map_err(|error| wrong().because(error))?;
    let wrap = KeyWrap::of(&inside)?;
    // The sender's own certificate would be needed for the other forms.
    let OriginatorIdentifierOrKey::OriginatorKey(public) = &info.originator else {
        return Err(Error::new(ErrorKind::Unsupported, "key agreement with a sender's certificate").into());
    };
    let (algorithm, curve) = private.key_type().identifiers();
    let curve = curve.map(|curve| encode(&curve)).transpose()?;
    let curve = curve.as_deref().and_then(|der| Any::from_der(der).ok());
    let same = is_same_curve(private, &public.algorithm);
    CmsError::demand(same, "the types of the sender's and recipient's keys differ", "RFC 5753 §3.1.1")?;
    let peer = SubjectPublicKeyInfo {
        algorithm: AlgorithmIdentifier { algorithm, parameters: curve },
        subject_public_key: BitStr::from_octets(public.public_key.octets().unwrap_or_default()),
    };
    let ukm = info.ukm.map(|ukm| ukm.as_bytes());
    let kek = kek(backend, derivation, &private.agree(&peer)?, &inside, wrap, ukm)?;
    Ok(wrap.unwrap(backend, kek.expose(), encrypted_key)?)
}

fn derivation(scheme: Oid<'_>) -> Result<Derivation, Error> {
    let found = SCHEMES.into_iter().find(|(oid, _)| *oid == scheme).map(|(_, derivation)| derivation);
    found.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(scheme)))
}

/// Derives the key-encryption key from the shared secret and `ECC-CMS-SharedInfo` (RFC 5753 §7.2, RFC 8418 §2).
fn kek(
    backend: &dyn Backend,
    derivation: Derivation,
    secret: &Secret,
    wrap_identifier: &AlgorithmIdentifier<'_>,
    wrap: KeyWrap,
    ukm: Option<&[u8]>,
) -> Result<Secret, CmsError> {
    let bits = u32::try_from(wrap.key_len().saturating_mul(8)).unwrap_or_default().to_be_bytes();
    let info = encode(&EccCmsSharedInfo {
        key_info: *wrap_identifier,
        entity_u_info: ukm.map(OctetStr::new),
        supp_pub_info: OctetStr::new(&bits),
    })?;
    let mut kek = Secret::zeroed(wrap.key_len());
    match derivation {
        Derivation::Hkdf(digest) => backend.hkdf(digest, &[], secret.expose(), &info, kek.expose_mut())?,
        Derivation::X963(digest) => {
            // SEC 1 §3.6.1: digests of the secret, a counter and the information.
            for (counter, chunk) in (1_u32..).zip(kek.expose_mut().chunks_mut(digest.output_len())) {
                let mut hasher = backend.hasher(digest)?;
                hasher.update(secret.expose());
                hasher.update(&counter.to_be_bytes());
                hasher.update(&info);
                let block = Secret::from(hasher.finish()?);
                chunk.iter_mut().zip(block.expose()).for_each(|(octet, from)| *octet = *from);
            }
        }
    }
    Ok(kek)
}
