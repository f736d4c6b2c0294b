//! Private keys in DER and PEM: PKCS #8 (RFC 5958), PKCS #1, SEC 1, and OpenSSL's traditional format, each with or without encryption.

use md5::{Digest as _, Md5};
use tagwise_codec::text::hex;
use tagwise_codec::{Decode as _, Options, RuleSet, Session};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::{EncryptedPrivateKeyInfo, OneAsymmetricKey};
use tagwise_pkix::sec1::EcPrivateKey;

use crate::old::decrypt_cbc;
use crate::private::explicit;
use crate::{
    Backend, Cipher, Error, ErrorKind, OldCipher, PasswordOptions, PrivateKeyInfo, Secret, decrypt_key, password,
};

/// The PEM labels of private keys.
pub const PRIVATE_KEY_LABELS: [&str; 4] =
    [label::PRIVATE_KEY, label::ENCRYPTED_PRIVATE_KEY, label::RSA_PRIVATE_KEY, label::EC_PRIVATE_KEY];

/// Parses the first private key in a PEM text: `PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`, or `RSA PRIVATE KEY` and `EC
/// PRIVATE KEY`, both of which may have headers that indicate encryption. Other blocks are ignored.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_codec::pem;
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_crypto::{Backend, ErrorKind, KeyType, PasswordOptions, encrypt_key, private_key_from_pem};
/// let backend = AwsLc::new();
/// let key = backend.generate(KeyType::Ed25519)?;
/// let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
/// let text = pem::encode("ENCRYPTED PRIVATE KEY", &encrypt_key(&backend, &key.to_pkcs8()?, b"secret", &options)?).unwrap();
/// let read = private_key_from_pem(&backend, text.as_bytes(), Some(b"secret"), &options)?;
/// assert_eq!(read.pkcs8().expose(), key.to_pkcs8()?.expose());
/// let locked = private_key_from_pem(&backend, text.as_bytes(), None, &options).unwrap_err();
/// assert_eq!(locked.kind(), ErrorKind::PasswordNeeded);
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::PasswordNeeded`] if the key is encrypted and no password is given, [`ErrorKind::MalformedKey`] if
/// the key is malformed or there is none, or any error from [`decrypt_key`].
pub fn private_key_from_pem(
    backend: &dyn Backend,
    text: &[u8],
    password: Option<&[u8]>,
    options: &PasswordOptions,
) -> Result<PrivateKeyInfo, Error> {
    // Headers encrypt, and whitespace means nothing (RFC 7468 §2).
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let malformed = |error: tagwise_codec::pem::Error| Error::new(ErrorKind::MalformedKey, "PEM").because(error);
    let mut found: Option<(Secret, PrivateKeyInfo)> = None;
    for block in tagwise_codec::pem::blocks_with(text, &session) {
        let block = block.map_err(malformed)?;
        if !PRIVATE_KEY_LABELS.contains(&block.label()) {
            continue;
        }
        let der = Secret::from(block.decode().map_err(malformed)?);
        let dek_info = block.headers().find(|(name, _)| *name == "DEK-Info").map(|(_, value)| value);
        let read = || match (block.label(), dek_info) {
            (label, Some(dek_info)) => {
                decrypt_traditional_key(backend, label, dek_info, der.expose(), needed(password)?)
            }
            (label::ENCRYPTED_PRIVATE_KEY, None) => decrypt_key(backend, der.expose(), needed(password)?, options),
            (label::RSA_PRIVATE_KEY, None) => PrivateKeyInfo::from_pkcs1(der.expose()),
            (label::EC_PRIVATE_KEY, None) => PrivateKeyInfo::from_sec1(der.expose()),
            _ => PrivateKeyInfo::from_pkcs8(der.expose()),
        };
        let Some((first, key)) = &found else {
            let key = read()?;
            found = Some((der, key));
            continue;
        };
        // The same key again, also in another form. Only the first encrypted key is decrypted, because that is slow.
        let is_encrypted = dek_info.is_some() || block.label() == label::ENCRYPTED_PRIVATE_KEY;
        let is_same = first.expose() == der.expose()
            || (!is_encrypted && read().is_ok_and(|again| again.pkcs8().expose() == key.pkcs8().expose()));
        if !is_same {
            return Err(
                Error::new(ErrorKind::MalformedKey, "PEM").because("the text has several private keys, expected one")
            );
        }
    }
    let expected = || format!("no private key found; expected a PEM block {}", PRIVATE_KEY_LABELS.join(", "));
    found.map(|(_, key)| key).ok_or_else(|| Error::new(ErrorKind::MalformedKey, "PEM").because(expected()))
}

fn needed(password: Option<&[u8]>) -> Result<&[u8], Error> {
    password.ok_or_else(|| Error::new(ErrorKind::PasswordNeeded, "the private key"))
}

/// Parses a private key in DER: PKCS #8, encrypted or not, PKCS #1 or SEC 1. A password that is not needed is ignored, as
/// in [`private_key_from_pem`].
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_crypto::{Backend, KeyType, PasswordOptions, private_key_from_der};
/// let backend = AwsLc::new();
/// let key = backend.generate(KeyType::P256)?;
/// let read = private_key_from_der(&backend, key.to_pkcs8()?.expose(), None, &PasswordOptions::DEFAULT)?;
/// let sec1 = read.to_sec1()?;
/// let read = private_key_from_der(&backend, sec1.expose(), None, &PasswordOptions::DEFAULT)?;
/// assert_eq!(read.key_type(), KeyType::P256);
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::PasswordNeeded`] if the key is encrypted and no password is given, [`ErrorKind::MalformedKey`] if
/// it is malformed, or any error from [`decrypt_key`].
pub fn private_key_from_der(
    backend: &dyn Backend,
    der: &[u8],
    password: Option<&[u8]>,
    options: &PasswordOptions,
) -> Result<PrivateKeyInfo, Error> {
    if OneAsymmetricKey::outline(der).is_ok() {
        PrivateKeyInfo::from_pkcs8(der)
    } else if EncryptedPrivateKeyInfo::outline(der).is_ok() {
        decrypt_key(backend, der, needed(password)?, options)
    } else if RsaPrivateKey::outline(der).is_ok() {
        PrivateKeyInfo::from_pkcs1(der)
    } else if EcPrivateKey::outline(der).is_ok() || explicit::is_sec1(der) {
        PrivateKeyInfo::from_sec1(der)
    } else {
        PrivateKeyInfo::from_pkcs8(der)
    }
}

/// Decrypts a block cipher in CBC mode, given the key, the initialization vector and the ciphertext.
type DecryptCbc = fn(&[u8], &[u8], &[u8]) -> Result<Secret, Error>;

/// A cipher that a DEK-Info header specifies.
enum Dek {
    Aes(Cipher),
    Old(OldCipher),
    Block(DecryptCbc),
}

/// The ciphers of DEK-Info headers, with the lengths of key and initialization vector in bytes.
const DEKS: [(&str, Dek, usize, usize); 18] = [
    ("AES-128-CBC", Dek::Aes(Cipher::Aes128Cbc), 16, 16),
    ("AES-192-CBC", Dek::Aes(Cipher::Aes192Cbc), 24, 16),
    ("AES-256-CBC", Dek::Aes(Cipher::Aes256Cbc), 32, 16),
    ("DES-EDE3-CBC", Dek::Old(OldCipher::TripleDesCbc), 24, 8),
    ("DES-EDE-CBC", Dek::Old(OldCipher::TripleDesCbc), 16, 8),
    ("DES-CBC", Dek::Block(decrypt_cbc::<des::Des>), 8, 8),
    ("RC2-CBC", Dek::Old(OldCipher::Rc2Cbc(128)), 16, 8),
    ("RC2-64-CBC", Dek::Old(OldCipher::Rc2Cbc(64)), 8, 8),
    ("RC2-40-CBC", Dek::Old(OldCipher::Rc2Cbc(40)), 5, 8),
    ("BF-CBC", Dek::Block(decrypt_cbc::<blowfish::Blowfish>), 16, 8),
    ("CAST5-CBC", Dek::Block(decrypt_cbc::<cast5::Cast5>), 16, 8),
    ("IDEA-CBC", Dek::Block(decrypt_cbc::<idea::Idea>), 16, 8),
    ("CAMELLIA-128-CBC", Dek::Block(decrypt_cbc::<camellia::Camellia128>), 16, 16),
    ("CAMELLIA-192-CBC", Dek::Block(decrypt_cbc::<camellia::Camellia192>), 24, 16),
    ("CAMELLIA-256-CBC", Dek::Block(decrypt_cbc::<camellia::Camellia256>), 32, 16),
    ("ARIA-128-CBC", Dek::Block(decrypt_cbc::<aria::Aria128>), 16, 16),
    ("ARIA-192-CBC", Dek::Block(decrypt_cbc::<aria::Aria192>), 24, 16),
    ("ARIA-256-CBC", Dek::Block(decrypt_cbc::<aria::Aria256>), 32, 16),
];

/// Decrypts a private key in OpenSSL's traditional format (RFC 1421 §4.6.1.3, `DEK-Info`): a block cipher in CBC mode,
/// with a key derived by one iteration of MD5 from the password and the first 8 bytes of the initialization vector
/// (`EVP_BytesToKey`). Writing this format is not supported.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for other ciphers and key types, [`ErrorKind::Parameters`] for a malformed header,
/// [`ErrorKind::Integrity`] for a wrong password, and [`ErrorKind::MalformedKey`] for a malformed key.
pub fn decrypt_traditional_key(
    backend: &dyn Backend,
    label: &str,
    dek_info: &str,
    ciphertext: &[u8],
    password: &[u8],
) -> Result<PrivateKeyInfo, Error> {
    let read = match label {
        label::RSA_PRIVATE_KEY => PrivateKeyInfo::from_pkcs1,
        label::EC_PRIVATE_KEY => PrivateKeyInfo::from_sec1,
        label::PRIVATE_KEY => PrivateKeyInfo::from_pkcs8,
        other => return Err(Error::new(ErrorKind::Unsupported, format_args!("an encrypted {other}"))),
    };
    read(decrypt_traditional(backend, dek_info, ciphertext, password)?.expose())
}

/// Decrypts the content of a PEM block with a `DEK-Info` header, like [`decrypt_traditional_key`], without parsing it.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for other ciphers, [`ErrorKind::Parameters`] for a malformed header, or
/// [`ErrorKind::Integrity`] if the result does not begin like a private key, usually because of a wrong password.
pub fn decrypt_traditional(
    backend: &dyn Backend,
    dek_info: &str,
    ciphertext: &[u8],
    password: &[u8],
) -> Result<Secret, Error> {
    let (name, iv) = dek_info.split_once(',').unwrap_or((dek_info, ""));
    let name = name.trim();
    let Some((_, cipher, key_len, iv_len)) = DEKS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) else {
        return Err(Error::new(ErrorKind::Unsupported, format_args!("PEM encryption with {name}")));
    };
    let wrong = || {
        Error::new(ErrorKind::Parameters, "the header DEK-Info")
            .because(format!("expected {iv_len} bytes in hexadecimal"))
    };
    let iv = hex::decode(iv.trim().as_bytes()).map_err(|_| wrong())?;
    let salt = iv.get(..8).filter(|_| iv.len() == *iv_len).ok_or_else(wrong)?;
    let key = bytes_to_key(password, salt, *key_len);
    let plain = match cipher {
        Dek::Aes(cipher) => backend.decrypt(*cipher, key.expose(), &iv, &[], ciphertext)?,
        Dek::Old(cipher) => cipher.decrypt(key.expose(), &iv, ciphertext)?,
        Dek::Block(decrypt) => decrypt(key.expose(), &iv, ciphertext)?,
    };
    // One in 256 wrong passwords yields a valid padding after random data.
    match password::begins_as_key(plain.expose()) {
        true => Ok(plain),
        false => Err(Error::new(ErrorKind::Integrity, "PEM encryption").by(backend.name())),
    }
}

/// Derives a key as OpenSSL's `EVP_BytesToKey` does with MD5 and one iteration: D_i = MD5(D_(i-1) ‖ password ‖ salt).
fn bytes_to_key(password: &[u8], salt: &[u8], len: usize) -> Secret {
    let mut key = Secret::default();
    let mut last = Secret::default();
    while key.len() < len {
        let mut digest = Md5::new();
        digest.update(last.expose());
        digest.update(password);
        digest.update(salt);
        last = Secret::from(digest.finalize().to_vec());
        key = Secret::from([key.expose(), last.expose()].concat());
    }
    key.truncate(len);
    key
}
