//! RSA encryption with PKCS #11 mechanisms.

use cryptoki::mechanism::rsa::{PkcsOaepParams, PkcsOaepSource};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::ObjectHandle;

use super::operation::{digest, mask};
use super::slot::Slot;
use crate::{Error, ErrorKind, KeyTransport, KeyType, Secret};

/// Returns the mechanism of an encryption scheme, if the token supports it.
fn mechanism(slot: &Slot, key: KeyType, transport: KeyTransport) -> Result<Mechanism<'static>, Error> {
    let failed = |kind| Error::new(kind, transport).by(slot.label());
    if !matches!(key, KeyType::Rsa(_)) {
        return Err(failed(ErrorKind::WrongKey));
    }
    let (name, mechanism) = match transport {
        KeyTransport::Pkcs1 => (MechanismType::RSA_PKCS, Mechanism::RsaPkcs),
        KeyTransport::Oaep(of) => {
            let both = digest(of.digest).zip(mask(of.mask)).ok_or_else(|| failed(ErrorKind::NotOffered))?;
            let parameters = PkcsOaepParams::new(both.0, both.1, PkcsOaepSource::empty());
            (MechanismType::RSA_PKCS_OAEP, Mechanism::RsaPkcsOaep(parameters))
        }
    };
    slot.mechanism(name).ok_or_else(|| failed(ErrorKind::NotOffered))?;
    Ok(mechanism)
}

/// Returns whether a token supports this key transport algorithm.
pub(crate) fn offers(slot: &Slot, transport: KeyTransport) -> bool {
    mechanism(slot, KeyType::Rsa(2048), transport).is_ok()
}

/// Encrypts with an RSA public key.
///
/// # Errors
/// Returns any error from [`PublicKey::encrypt`](crate::PublicKey::encrypt).
pub(crate) fn encrypt(
    slot: &Slot,
    handle: ObjectHandle,
    key: KeyType,
    transport: KeyTransport,
    plain: &[u8],
) -> Result<Vec<u8>, Error> {
    let mechanism = mechanism(slot, key, transport)?;
    slot.with(|session| session.encrypt(&mechanism, handle, plain))
        .map_err(|failure| Error::new(ErrorKind::Length, transport).by(slot.label()).because(failure))
}

/// Decrypts with an RSA private key.
///
/// # Errors
/// Returns any error from [`PrivateKey::decrypt`](crate::PrivateKey::decrypt).
pub(crate) fn decrypt(
    slot: &Slot,
    handle: ObjectHandle,
    key: KeyType,
    transport: KeyTransport,
    ciphertext: &[u8],
) -> Result<Secret, Error> {
    let mechanism = mechanism(slot, key, transport)?;
    let plain = slot.with(|session| session.decrypt(&mechanism, handle, ciphertext));
    // The token's reasons are not included, because they would reveal the padding.
    plain.map(Secret::from).or(Err(Error::new(ErrorKind::Integrity, transport).by(slot.label())))
}
