//! Key agreement keys, and their public keys.

use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, agree as agreed};
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{algorithms, failed, rejected, silent};
use crate::{Error, ErrorKind, KeyType, Secret};

fn private(key: KeyType, octets: &[u8]) -> Result<PrivateKey, Error> {
    let algorithm = algorithms::agreement(key).ok_or_else(|| failed(ErrorKind::WrongKey, key))?;
    PrivateKey::from_private_key(algorithm, octets).map_err(rejected(key))
}

/// Computes the public key: an uncompressed point, or the bytes defined in RFC 7748.
pub(super) fn public_of(key: KeyType, octets: &[u8]) -> Result<Vec<u8>, Error> {
    let public = private(key, octets)?.compute_public_key().map_err(silent(ErrorKind::MalformedKey, key))?;
    Ok(public.as_ref().to_vec())
}

/// Computes the ECDH shared secret: the x-coordinate of the shared point (RFC 5753 §7.1), or the bytes defined in RFC 7748
/// §6.
pub(super) fn agree(key: KeyType, octets: &[u8], peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
    if KeyType::of(peer)? != key {
        return Err(failed(ErrorKind::WrongKey, key));
    }
    let algorithm = algorithms::agreement(key).ok_or_else(|| failed(ErrorKind::WrongKey, key))?;
    let peer = peer.subject_public_key.octets().ok_or_else(|| failed(ErrorKind::MalformedKey, key))?;
    // A point that is not on the curve, and for X25519 a secret of zeros (RFC 7748 §6.1), end here.
    let wrong = failed(ErrorKind::MalformedKey, key);
    agreed(&private(key, octets)?, UnparsedPublicKey::new(algorithm, peer), wrong, |secret| Ok(Secret::from(secret)))
}
