//! RSA encryption.

use openssl::encrypt::{Decrypter, Encrypter};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKeyRef, Private, Public};
use openssl::rsa::Padding;

use super::{algorithms, because, failed};
use crate::{Error, ErrorKind, KeyTransport, KeyType, Secret};

/// The OAEP digests: for the label, and for the mask.
type Digests = (MessageDigest, MessageDigest);

/// Checks that the key is an RSA key, and that the library supports the OAEP digests.
fn check(key: KeyType, transport: KeyTransport) -> Result<(Padding, Option<Digests>), Error> {
    if !matches!(key, KeyType::Rsa(_)) {
        return Err(failed(ErrorKind::WrongKey, transport));
    }
    match transport {
        KeyTransport::Pkcs1 => Ok((Padding::PKCS1, None)),
        KeyTransport::Oaep(of) => {
            let digests = algorithms::digest(of.digest).zip(algorithms::digest(of.mask));
            Ok((Padding::PKCS1_OAEP, Some(digests.ok_or_else(|| failed(ErrorKind::NotOffered, transport))?)))
        }
    }
}

pub(super) fn offers(transport: KeyTransport) -> bool {
    check(KeyType::Rsa(2048), transport).is_ok()
}

pub(super) fn decrypt(
    kind: KeyType,
    key: &PKeyRef<Private>,
    transport: KeyTransport,
    label: &[u8],
    ciphertext: &[u8],
) -> Result<Secret, Error> {
    let (padding, digests) = check(kind, transport)?;
    let ready = || -> Result<(Decrypter<'_>, usize), ErrorStack> {
        let mut decrypter = Decrypter::new(key)?;
        decrypter.set_rsa_padding(padding)?;
        if let Some((digest, mask)) = digests {
            decrypter.set_rsa_oaep_md(digest)?;
            decrypter.set_rsa_mgf1_md(mask)?;
            if !label.is_empty() {
                decrypter.set_rsa_oaep_label(label)?;
            }
        }
        let len = decrypter.decrypt_len(ciphertext)?;
        Ok((decrypter, len))
    };
    let (decrypter, len) = ready().map_err(because(ErrorKind::Failed, transport))?;
    let mut plain = Secret::zeroed(len);
    // The library's reasons are not included, because they would reveal the padding.
    let len = decrypter.decrypt(ciphertext, plain.expose_mut()).or(Err(failed(ErrorKind::Integrity, transport)))?;
    plain.truncate(len);
    Ok(plain)
}

pub(super) fn encrypt(
    kind: KeyType,
    key: &PKeyRef<Public>,
    transport: KeyTransport,
    plain: &[u8],
) -> Result<Vec<u8>, Error> {
    let (padding, digests) = check(kind, transport)?;
    let ready = || -> Result<(Encrypter<'_>, usize), ErrorStack> {
        let mut encrypter = Encrypter::new(key)?;
        encrypter.set_rsa_padding(padding)?;
        if let Some((digest, mask)) = digests {
            encrypter.set_rsa_oaep_md(digest)?;
            encrypter.set_rsa_mgf1_md(mask)?;
        }
        let len = encrypter.encrypt_len(plain)?;
        Ok((encrypter, len))
    };
    let (encrypter, len) = ready().map_err(because(ErrorKind::Failed, transport))?;
    let mut ciphertext = vec![0; len];
    let len = encrypter.encrypt(plain, &mut ciphertext).map_err(because(ErrorKind::Length, transport))?;
    ciphertext.truncate(len);
    Ok(ciphertext)
}
