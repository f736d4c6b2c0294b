//! OpenSSH private keys (`PROTOCOL.key` in the OpenSSH sources).

use tagwise_codec::pem;
use tagwise_crypto::{Backend, Error, ErrorKind, KeyType, PrivateKeyInfo, Secret};

use super::cipher::{SshCipher, WRITTEN};
use super::{DSA, RSA, put, put_natural, read_blob, type_of, write_blob};
use crate::cursor::Cursor;
use crate::parts::{Rsa, curve_private, edwards_private, rsa_of, secret_of};
use crate::{Found, Key, Limits, dsa, with_each};

/// The magic bytes at the start of an OpenSSH private key.
pub const MAGIC: &[u8] = b"openssh-key-v1\0";

const FORM: &str = "OpenSSH";
const ENCRYPTED: &str = "OpenSSH, encrypted";
const NAME: &str = "OpenSSH private";
const LABEL: &str = "OPENSSH PRIVATE KEY";

/// The number of key derivation rounds for writing, as in OpenSSH 9.4 and later.
const ROUNDS: u32 = 24;

/// Reads an OpenSSH private key, decoded from PEM. Each password is tried.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the file is invalid, [`ErrorKind::Unsupported`] for other key types and ciphers,
/// [`ErrorKind::PasswordNeeded`] if the key is encrypted and no password is given, [`ErrorKind::Integrity`] if no password
/// is correct, [`ErrorKind::Limit`] if there are too many rounds, or [`ErrorKind::Inconsistent`] if the unencrypted public
/// key does not belong to the private key.
pub fn read_private(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    limits: &Limits,
) -> Result<Found, Error> {
    let mut cursor = Cursor::new(NAME, octets);
    if cursor.take(MAGIC.len())? != MAGIC {
        return Err(Error::new(ErrorKind::MalformedKey, NAME).because("it does not begin with openssh-key-v1"));
    }
    let (cipher, kdf, options) = (cursor.text()?, cursor.text()?, cursor.long()?);
    let here = cursor;
    let count = cursor.u32()?;
    if count != 1 {
        return Err(here.wrong(&format!("the file has {count} keys, expected 1")));
    }
    let public = cursor.long()?;
    let content = cursor.long()?;
    if cipher == "none" {
        cursor.end()?;
        if kdf != "none" || !options.is_empty() {
            return Err(here.wrong("a key derivation without a cipher"));
        }
        return parse(content, public, FORM);
    }
    let cipher = SshCipher::named(cipher)?;
    if kdf != "bcrypt" {
        return Err(Error::new(ErrorKind::Unsupported, "an OpenSSH key derivation other than bcrypt"));
    }
    let ciphertext = [content, cursor.take(cipher.tag_len())?].concat();
    cursor.end()?;
    if content.is_empty() || !content.len().is_multiple_of(cipher.block_len()) {
        return Err(here.wrong(&format!("the ciphertext is not a multiple of {} bytes", cipher.block_len())));
    }
    let mut options = Cursor::new(NAME, options);
    let (salt, rounds) = (options.long()?, options.u32()?);
    options.end()?;
    let mut spent = 0_u32;
    with_each(passwords, "the private key", |password| {
        spent = spent.saturating_add(rounds);
        let derived = derive(password, salt, rounds, spent, limits, cipher.derived_len())?;
        let plain = cipher.decrypt(backend, &derived, &ciphertext)?;
        parse(plain.expose(), public, ENCRYPTED)
    })
}

fn derive(password: &[u8], salt: &[u8], rounds: u32, spent: u32, limits: &Limits, len: usize) -> Result<Secret, Error> {
    const BCRYPT: &str = "bcrypt-pbkdf";
    let wrong = |why| Error::new(ErrorKind::Parameters, BCRYPT).because(why);
    if spent > limits.bcrypt_rounds {
        let why = format!("{rounds} rounds, expected at most {}", limits.bcrypt_rounds);
        return Err(Error::new(ErrorKind::Limit, BCRYPT).because(why));
    }
    if rounds == 0 || salt.is_empty() || salt.len() > 1024 {
        return Err(wrong("expected at least 1 round and a salt of 1 to 1,024 bytes"));
    }
    // OpenSSH does not encrypt with an empty password.
    if password.is_empty() {
        return Err(Error::new(ErrorKind::Integrity, BCRYPT));
    }
    let mut derived = Secret::zeroed(len);
    let done = bcrypt_pbkdf::bcrypt_pbkdf(password, salt, rounds, derived.expose_mut());
    done.map_err(|error| Error::new(ErrorKind::Parameters, BCRYPT).because(error.to_string()))?;
    Ok(derived)
}

/// Parses the decrypted part: two equal numbers, the key, a comment, and the padding 1, 2, 3 ….
fn parse(plain: &[u8], public: &[u8], form: &'static str) -> Result<Found, Error> {
    let mut cursor = Cursor::new(NAME, plain);
    let checks = (cursor.u32()?, cursor.u32()?);
    if checks.0 != checks.1 {
        // In a file without encryption, it is damaged.
        return Err(Error::new(ErrorKind::Integrity, NAME));
    }
    let name = cursor.text()?;
    let key = match name {
        DSA => Key::Dsa(Box::new(dsa::of_ssh(&mut cursor)?)),
        RSA => {
            let modulus = cursor.natural()?;
            let public_exponent = cursor.natural()?;
            let private_exponent = cursor.natural()?;
            let coefficient = cursor.natural()?;
            let primes = [cursor.natural()?, cursor.natural()?];
            let rsa = Rsa { modulus, public_exponent, private_exponent, primes, exponents: None, coefficient };
            Key::Private(Box::new(rsa.private_key()?))
        }
        _ => Key::Private(Box::new(other(type_of(name)?, &mut cursor)?)),
    };
    let comment = cursor.text()?;
    if !cursor.rest().iter().zip(1_u8..).all(|(octet, number)| *octet == number) || cursor.rest().len() > 255 {
        return Err(cursor.wrong("invalid padding, expected the bytes 1, 2, 3 …"));
    }
    // Whoever shows the public key in front would show another one.
    let outside = read_blob(public)?;
    let halves = Cursor::new(NAME, plain.get(8..).unwrap_or_default());
    let is_same = match &key {
        Key::Private(info) => is_half(info, halves, &outside)?,
        Key::Dsa(key) => key.public == outside,
        _ => false,
    };
    if !is_same {
        return Err(Error::new(ErrorKind::Inconsistent, name).because("its public key does not match the private key"));
    }
    let name = (!comment.is_empty()).then(|| comment.to_owned());
    Ok(Found { name, ..Found::new(form, key) })
}

/// Returns whether a public key equals the one that a private key contains.
fn is_half(info: &PrivateKeyInfo, mut inside: Cursor<'_>, outside: &[u8]) -> Result<bool, Error> {
    let name = inside.text()?;
    let own = match info.key_type() {
        KeyType::Rsa(_) => {
            let modulus = inside.natural()?;
            crate::parts::rsa_public(modulus, inside.natural()?)?
        }
        key => super::public_of(key, &mut inside)?,
    };
    Ok(type_of(name).map_or(name == RSA, |_| true) && own == outside)
}

/// Reads a private key of a type other than RSA, after the type's name.
fn other(key: KeyType, cursor: &mut Cursor<'_>) -> Result<PrivateKeyInfo, Error> {
    let mut public = *cursor;
    super::public_of(key, cursor)?;
    if let KeyType::Ed25519 | KeyType::Ed448 = key {
        let half = public.long()?;
        let here = *cursor;
        // The seed, and the public key once more.
        let both = cursor.long()?;
        return match both.split_at_checked(both.len().saturating_sub(half.len())) {
            Some((seed, again)) if again == half => edwards_private(key, seed),
            _ => Err(here.wrong("the private key does not end with the public key")),
        };
    }
    // The name of the curve.
    public.long()?;
    let point = public.long()?;
    curve_private(key, cursor.natural()?, Some(point))
}

/// Writes a private key with a comment, as PEM. If a password is given, the key is encrypted with AES-256 in counter mode.
/// `public` is the SubjectPublicKeyInfo in DER.
///
/// ```
/// use tagwise_crypto::{Backend, KeyType, PrivateKeyInfo, Secret, backends::AwsLc};
/// use tagwise_keys::{Limits, ssh};
/// let backend = AwsLc::new();
/// let key = backend.generate(KeyType::Ed25519)?;
/// let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8()?.expose())?;
/// let text = ssh::write_private(&backend, &info, key.public_key_info(), "me", None)?;
/// assert!(text.expose().starts_with(b"-----BEGIN OPENSSH PRIVATE KEY-----"));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if OpenSSH does not support the key type, or any error from the backend.
pub fn write_private(
    backend: &dyn Backend,
    info: &PrivateKeyInfo,
    public: &[u8],
    comment: &str,
    password: Option<&[u8]>,
) -> Result<Secret, Error> {
    let blob = write_blob(public)?;
    let mut check = [0; 4];
    backend.random(&mut check)?;
    let pkcs1;
    // Large enough not to grow, so that no copy is left behind.
    let mut plain = Vec::with_capacity(info.pkcs8().len() + blob.len() + comment.len() + 1024);
    plain.extend(check);
    plain.extend(check);
    match info.key_type() {
        KeyType::Rsa(_) => {
            pkcs1 = info.to_pkcs1()?;
            let key = rsa_of(&pkcs1)?;
            put(&mut plain, RSA.as_bytes());
            let numbers =
                [key.modulus, key.public_exponent, key.private_exponent, key.coefficient, key.prime1, key.prime2];
            numbers.iter().for_each(|number| put_natural(&mut plain, number.magnitude()));
        }
        key => {
            // The public key, and the private one after it.
            plain.extend_from_slice(&blob);
            let secret = secret_of(info)?;
            if let KeyType::Ed25519 | KeyType::Ed448 = key {
                let half = blob.get(blob.len().saturating_sub(secret.len())..).unwrap_or_default();
                put(&mut plain, Secret::from([secret.expose(), half].concat()).expose());
            } else {
                put_natural(&mut plain, secret.expose());
            }
        }
    }
    put(&mut plain, super::one_line(comment).as_bytes());
    let block = if password.is_some() { WRITTEN.block_len() } else { 8 };
    plain.extend((1..=255_u8).take(plain.len().next_multiple_of(block) - plain.len()));
    let plain = Secret::from(plain);

    let mut whole = Vec::with_capacity(plain.len() + blob.len() + 256);
    whole.extend_from_slice(MAGIC);
    let content = match password {
        Some(password) => {
            let mut salt = [0; 16];
            backend.random(&mut salt)?;
            let derived = derive(password, &salt, ROUNDS, ROUNDS, &Limits::DEFAULT, WRITTEN.derived_len())?;
            let mut options = Vec::new();
            put(&mut options, &salt);
            options.extend(ROUNDS.to_be_bytes());
            put(&mut whole, WRITTEN.name.as_bytes());
            put(&mut whole, b"bcrypt");
            put(&mut whole, &options);
            Secret::from(WRITTEN.encrypt(backend, &derived, plain.expose())?)
        }
        None => {
            put(&mut whole, b"none");
            put(&mut whole, b"none");
            put(&mut whole, b"");
            plain
        }
    };
    whole.extend(1_u32.to_be_bytes());
    put(&mut whole, &blob);
    put(&mut whole, content.expose());
    let whole = Secret::from(whole);
    let text = pem::encode(LABEL, whole.expose());
    let text = text.map_err(|error| Error::new(ErrorKind::Failed, NAME).because(error))?;
    Ok(Secret::from(text.into_bytes()))
}
