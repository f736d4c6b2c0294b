//! KEM recipients (RFC 9629; RFC 9936 for ML-KEM, draft-ietf-lamps-cms-composite-kem-03 for composite ML-KEM).

use tagwise_pkix::build::cms::kem_other_info;
use tagwise_pkix::cms::kem::KemRecipientInfo;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use super::CmsError;
use super::wrap::KeyWrap;
use crate::error::named;
use crate::{Backend, Digest, Error, ErrorKind, KeyType, PrivateKey, Secret};

/// The result of encapsulation.
#[derive(Debug)]
pub(super) struct Encapsulated {
    pub(super) kem: AlgorithmIdentifier<'static>,
    pub(super) kemct: Vec<u8>,
    pub(super) kdf: AlgorithmIdentifier<'static>,
    pub(super) wrap: KeyWrap,
    pub(super) encrypted_key: Vec<u8>,
}

/// Wraps a key for the holder of this public key.
pub(super) fn encrypt(
    backend: &dyn Backend,
    peer: &SubjectPublicKeyInfo<'_>,
    kind: KeyType,
    key: &Secret,
) -> Result<Encapsulated, CmsError> {
    // RFC 9936 §2.2.1: HKDF with SHA-256 goes with every parameter set, AES-256 wrap at least with the larger ones; composite
    // keys have no others (draft §2.1).
    let wrap = if kind == KeyType::MlKem512 { KeyWrap::for_key(key.len()) } else { KeyWrap::for_key(32) };
    let (kemct, secret) = backend.public_key(peer)?.encapsulate()?;
    let kek = kek(backend, Digest::Sha256, &secret, &wrap.identifier(), wrap, None)?;
    Ok(Encapsulated {
        kem: AlgorithmIdentifier { algorithm: kind.identifiers().0, parameters: None },
        kemct,
        kdf: AlgorithmIdentifier { algorithm: oids::ALG_HKDF_WITH_SHA256, parameters: None },
        wrap,
        encrypted_key: wrap.wrap(backend, kek.expose(), key.expose())?,
    })
}

/// Unwraps a key that was wrapped for this private key.
pub(super) fn decrypt(
    backend: &dyn Backend,
    private: &dyn PrivateKey,
    info: &KemRecipientInfo<'_>,
) -> Result<Secret, CmsError> {
    let kind = private.key_type();
    let same = info.kem.algorithm == kind.identifiers().0 && info.kem.parameters.is_none();
    CmsError::demand(same, "the mechanism does not match the key", "RFC 9936 §2.2.1")?;
    let digest = match info.kdf.algorithm {
        oid if oid == oids::ALG_HKDF_WITH_SHA256 => Digest::Sha256,
        oid if oid == oids::ALG_HKDF_WITH_SHA384 => Digest::Sha384,
        oid if oid == oids::ALG_HKDF_WITH_SHA512 => Digest::Sha512,
        oid => return Err(Error::new(ErrorKind::Unsupported, named(oid)).into()),
    };
    let wrap = KeyWrap::of(&info.wrap)?;
    let same = usize::from(info.kek_length) == wrap.key_len();
    CmsError::demand(same, "the wrapping key's length does not match its algorithm", "RFC 9629 §3")?;
    let secret = private.decapsulate(&info.kemct)?;
    let kek = kek(backend, digest, &secret, &info.wrap, wrap, info.ukm.as_ref().map(|ukm| ukm.as_bytes()))?;
    Ok(wrap.unwrap(backend, kek.expose(), &info.encrypted_key)?)
}

/// Derives the key-encryption key from the shared secret and `CMSORIforKEMOtherInfo` (RFC 9629 §5).
fn kek(
    backend: &dyn Backend,
    digest: Digest,
    secret: &Secret,
    wrap_identifier: &AlgorithmIdentifier<'_>,
    wrap: KeyWrap,
    ukm: Option<&[u8]>,
) -> Result<Secret, CmsError> {
    let len = u16::try_from(wrap.key_len()).unwrap_or_default();
    let info = kem_other_info(wrap_identifier, len, ukm)?;
    let mut kek = Secret::zeroed(wrap.key_len());
    backend.hkdf(digest, &[], secret.expose(), &info, kek.expose_mut())?;
    Ok(kek)
}
