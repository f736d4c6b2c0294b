//! Encryption with RSA.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{
    KeyPair, OAEP_SHA1_MGF1SHA1, OAEP_SHA256_MGF1SHA256, OAEP_SHA384_MGF1SHA384, OAEP_SHA512_MGF1SHA512, OaepAlgorithm,
    OaepPrivateDecryptingKey, OaepPublicEncryptingKey, Pkcs1PrivateDecryptingKey, Pkcs1PublicEncryptingKey,
    PrivateDecryptingKey, PublicEncryptingKey,
};

use super::{failed, silent};
use crate::{Digest, Error, ErrorKind, KeyTransport, OaepParameters, Secret};

/// The library's name for parameters. `aws-lc-rs` has none for two digests.
fn oaep(parameters: OaepParameters) -> Result<&'static OaepAlgorithm, Error> {
    let not_offered = || failed(ErrorKind::NotOffered, KeyTransport::Oaep(parameters));
    let OaepParameters { digest, mask } = parameters;
    if digest != mask {
        return Err(not_offered());
    }
    Ok(match digest {
        Digest::Sha1 => &OAEP_SHA1_MGF1SHA1,
        Digest::Sha256 => &OAEP_SHA256_MGF1SHA256,
        Digest::Sha384 => &OAEP_SHA384_MGF1SHA384,
        Digest::Sha512 => &OAEP_SHA512_MGF1SHA512,
        _ => return Err(not_offered()),
    })
}

pub(super) fn offers(transport: KeyTransport) -> bool {
    match transport {
        KeyTransport::Pkcs1 => true,
        KeyTransport::Oaep(parameters) => oaep(parameters).is_ok(),
    }
}

pub(super) fn decrypt(pair: &KeyPair, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
    let unspecified = silent(ErrorKind::Failed, transport);
    let damaged = silent(ErrorKind::Integrity, transport);
    let pkcs8: Pkcs8V1Der<'_> = pair.as_der().map_err(unspecified)?;
    let rejected =
        |why: aws_lc_rs::error::KeyRejected| failed(ErrorKind::MalformedKey, transport).because(why.to_string());
    let key = PrivateDecryptingKey::from_pkcs8(pkcs8.as_ref()).map_err(rejected)?;
    let mut plain = Secret::zeroed(key.key_size_bytes());
    let len = match transport {
        KeyTransport::Pkcs1 => {
            let key = Pkcs1PrivateDecryptingKey::new(key).map_err(unspecified)?;
            key.decrypt(ciphertext, plain.expose_mut()).map_err(damaged)?.len()
        }
        KeyTransport::Oaep(parameters) => {
            let key = OaepPrivateDecryptingKey::new(key).map_err(unspecified)?;
            key.decrypt(oaep(parameters)?, ciphertext, plain.expose_mut(), None).map_err(damaged)?.len()
        }
    };
    plain.truncate(len);
    Ok(plain)
}

/// To a SubjectPublicKeyInfo in DER.
pub(super) fn encrypt(public: &[u8], transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
    let unspecified = silent(ErrorKind::Failed, transport);
    let long = silent(ErrorKind::Length, transport);
    let rejected =
        |why: aws_lc_rs::error::KeyRejected| failed(ErrorKind::MalformedKey, transport).because(why.to_string());
    let key = PublicEncryptingKey::from_der(public).map_err(rejected)?;
    let mut ciphertext = vec![0; key.key_size_bytes()];
    let len = match transport {
        KeyTransport::Pkcs1 => {
            let key = Pkcs1PublicEncryptingKey::new(key).map_err(unspecified)?;
            key.encrypt(plain, &mut ciphertext).map_err(long)?.len()
        }
        KeyTransport::Oaep(parameters) => {
            let key = OaepPublicEncryptingKey::new(key).map_err(unspecified)?;
            key.encrypt(oaep(parameters)?, plain, &mut ciphertext, None).map_err(long)?.len()
        }
    };
    ciphertext.truncate(len);
    Ok(ciphertext)
}
