//! Password-encrypted private keys: PKCS #8 with PBES2 (RFC 8018 §6.2), using PBKDF2 with HMAC or scrypt (RFC 7914),
//! and AES-CBC. Decryption also supports Triple DES, RC2, DES, Blowfish, CAST5, the PKCS #12 schemes (RFC 7292 Appendix C), and PBES1
//! with MD5 or SHA-1 (RFC 8018 §6.1).

use tagwise_codec::{Any, Decode, OctetStr, Oid, encode, oid};
use tagwise_pkix::pkcs5::{Pbes2Params, Pbkdf2Params, Pbkdf2ParamsSalt};
use tagwise_pkix::pkcs8::EncryptedPrivateKeyInfo;
use tagwise_pkix::pkcs12::Cost;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::derivation::{Derivation, HMACS};
use crate::error::named;
use crate::old::decrypt_cbc;
use crate::pbes1::Pbes1;
use crate::pkcs12::{Password, Pbe};
use crate::{Backend, Cipher, Digest, Error, ErrorKind, OldCipher, PrivateKeyInfo, Secret};

/// Options for password-based encryption of private keys, and limits for their decryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordOptions {
    /// The HMAC digest for PBKDF2.
    pub digest: Digest,
    /// The number of iterations for encryption.
    pub iterations: u32,
    /// The cipher for encryption.
    pub cipher: Cipher,
    /// The maximum number of iterations for decryption. Files that require more fail with [`ErrorKind::Limit`].
    pub max_iterations: u32,
}

impl PasswordOptions {
    /// The default options: HMAC with SHA-256, 600,000 iterations and AES-256-CBC for encryption, and at most 10,000,000
    /// iterations for decryption.
    ///
    /// 600,000 is OWASP's recommendation for PBKDF2 with SHA-256 (Password Storage Cheat Sheet, 2023).
    pub const DEFAULT: Self =
        Self { digest: Digest::Sha256, iterations: 600_000, cipher: Cipher::Aes256Cbc, max_iterations: 10_000_000 };
}

impl Default for PasswordOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Encrypts PKCS #8 to an EncryptedPrivateKeyInfo in DER (RFC 5958 §3).
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{Backend, KeyType, PasswordOptions, backends::AwsLc, decrypt_key, encrypt_key};
/// let backend = AwsLc::new();
/// let key = backend.generate(KeyType::Ed25519)?;
/// let options = PasswordOptions { iterations: 1000, ..PasswordOptions::DEFAULT };
/// let encrypted = encrypt_key(&backend, &key.to_pkcs8()?, b"passphrase", &options)?;
/// let again = decrypt_key(&backend, &encrypted, b"passphrase", &options)?;
/// assert_eq!(backend.private_key(&again)?.public_key_info(), key.public_key_info());
/// assert!(decrypt_key(&backend, &encrypted, b"another", &options).is_err());
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] or [`ErrorKind::NotOffered`] if the digest or cipher is not supported, and
/// [`ErrorKind::Failed`] if encryption fails.
pub fn encrypt_key(
    backend: &dyn Backend,
    pkcs8: &Secret,
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Vec<u8>, Error> {
    let failed = |error: tagwise_codec::EncodeError| Error::new(ErrorKind::Failed, "PBES2").because(error);
    let prf = HMACS.iter().find(|(_, digest)| *digest == options.digest);
    let (prf, _) =
        prf.ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("PBKDF2 with {}", options.digest)))?;
    if options.cipher.is_authenticated() {
        // RFC 8018 has no parameters for them; RFC 5084's are not for PBES2.
        return Err(Error::new(ErrorKind::Unsupported, format_args!("PBES2 with {}", options.cipher)));
    }
    let (mut salt, mut iv) = ([0; 16], [0; 16]);
    backend.random(&mut salt)?;
    backend.random(&mut iv)?;
    let mut key = Secret::zeroed(options.cipher.key_len());
    backend.pbkdf2(options.digest, password, &salt, options.iterations, key.expose_mut())?;
    let encrypted = backend.encrypt(options.cipher, key.expose(), &iv, &[], pkcs8.expose())?;

    let kdf = encode(&Pbkdf2Params {
        salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(&salt)),
        iteration_count: u64::from(options.iterations),
        key_length: None,
        prf: AlgorithmIdentifier { algorithm: *prf, parameters: Some(Any::null(0)) },
    })
    .map_err(failed)?;
    let vector = encode(&OctetStr::new(&iv)).map_err(failed)?;
    let parameters = encode(&Pbes2Params {
        key_derivation_func: AlgorithmIdentifier { algorithm: oids::PBKDF2, parameters: Any::from_der(&kdf).ok() },
        encryption_scheme: AlgorithmIdentifier {
            algorithm: options.cipher.oid(),
            parameters: Any::from_der(&vector).ok(),
        },
    })
    .map_err(failed)?;
    encode(&EncryptedPrivateKeyInfo {
        encryption_algorithm: AlgorithmIdentifier {
            algorithm: oids::PBES2,
            parameters: Any::from_der(&parameters).ok(),
        },
        encrypted_data: OctetStr::new(&encrypted),
    })
    .map_err(failed)
}

/// Decrypts an EncryptedPrivateKeyInfo in DER.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the input is malformed, [`ErrorKind::Unsupported`] for other schemes, and
/// [`ErrorKind::Limit`] if the file requires too much work. Returns [`ErrorKind::Integrity`] for a wrong password, which is
/// recognized by wrong padding or a plaintext that does not look like a key. A plaintext that begins like a key but is
/// malformed later results in [`ErrorKind::MalformedKey`].
pub fn decrypt_key(
    backend: &dyn Backend,
    der: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<PrivateKeyInfo, Error> {
    PrivateKeyInfo::from_pkcs8(decrypt_pkcs8(backend, der, password, options)?.expose())
}

/// Decrypts an EncryptedPrivateKeyInfo in DER like [`decrypt_key`], without parsing the PKCS #8 key in it.
///
/// # Errors
/// Returns the errors of [`decrypt_key`], except those about the key itself.
pub fn decrypt_pkcs8(
    backend: &dyn Backend,
    der: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Secret, Error> {
    let malformed = |error: tagwise_codec::Error| Error::new(ErrorKind::MalformedKey, "encrypted").because(error);
    let info = EncryptedPrivateKeyInfo::from_der(der).map_err(malformed)?;
    let plain = decrypt(backend, &info.encryption_algorithm, info.encrypted_data.as_bytes(), password, options)?;
    // One in 256 wrong passwords yields a valid padding after random data.
    match begins_as_key(plain.expose()) {
        true => Ok(plain),
        false => Err(Error::new(ErrorKind::Integrity, "PBES2").by(backend.name())),
    }
}

/// Returns the number of iterations for decrypting an EncryptedPrivateKeyInfo in DER, so that costs can be added up in
/// advance. Returns 0 for malformed and unsupported input.
///
/// ```
/// assert_eq!(tagwise_crypto::decryption_cost(b""), 0);
/// ```
#[must_use]
pub fn decryption_cost(der: &[u8]) -> u64 {
    EncryptedPrivateKeyInfo::outline(der).map_or(0, |info| Cost::of(&info.encryption_algorithm).iterations)
}

/// Returns whether bytes begin like a private key (RFC 5958 §2, RFC 8017 §A.1.2, RFC 5915 §3). They must contain the header
/// of a SEQUENCE with any length encoding and the version 0 or 1, followed by a SEQUENCE, an INTEGER or an OCTET STRING. The
/// probability that random bytes match is 2^-30.
pub(crate) fn begins_as_key(plain: &[u8]) -> bool {
    let Some(([0x30, len], rest)) = plain.split_first_chunk::<2>() else { return false };
    let more = if *len < 0x80 { 0 } else { usize::from(len & 0x7F) };
    rest.get(more..).is_some_and(|content| matches!(content, [0x02, 0x01, 0 | 1, 0x30 | 0x02 | 0x04, ..]))
}

/// Decrypts password-encrypted data, according to its algorithm identifier.
///
/// # Errors
/// Returns any error from [`decrypt_key`].
pub fn decrypt(
    backend: &dyn Backend,
    identifier: &AlgorithmIdentifier<'_>,
    encrypted: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Secret, Error> {
    if let Some(old) = Pbe::read(identifier, options.max_iterations)? {
        return old.decrypt(backend, Password::from_utf8(password)?.bmp().expose(), encrypted);
    }
    if let Some(old) = Pbes1::read(identifier, options.max_iterations)? {
        return old.decrypt(backend, password, encrypted);
    }
    let Pbes2 { derivation, cipher, iv } = Pbes2::read(identifier, options)?;
    match cipher {
        Encryption::Aes(cipher) => {
            let key = derivation.cipher_key(backend, password, cipher.key_len())?;
            backend.decrypt(cipher, key.expose(), iv, &[], encrypted)
        }
        // RFC 8018 §B.2.3: keys of RC2 have any length, besides the bits that count.
        Encryption::Old(cipher @ OldCipher::Rc2Cbc(_)) => {
            let len = derivation.key_len.map_or(Ok(cipher.key_len()), |said| match usize::try_from(said) {
                Ok(len @ 1..=128) => Ok(len),
                _ => Err(Error::new(ErrorKind::Parameters, "the length of the key")),
            })?;
            cipher.decrypt(derivation.key(backend, password, len)?.expose(), iv, encrypted)
        }
        Encryption::Old(cipher) => {
            let key = derivation.cipher_key(backend, password, cipher.key_len())?;
            cipher.decrypt(key.expose(), iv, encrypted)
        }
        Encryption::Block(Block { decrypt, key_len, .. }) => {
            let key = derivation.cipher_key(backend, password, key_len)?;
            decrypt(key.expose(), iv, encrypted)
        }
    }
}

/// Encrypts with a password and AES, according to a PBES2 identifier, which includes the salt and initialization vector.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for other schemes, [`ErrorKind::Parameters`] if the parameters are invalid, or
/// [`ErrorKind::Legacy`] for Triple DES and RC2.
pub(crate) fn encrypt(
    backend: &dyn Backend,
    identifier: &AlgorithmIdentifier<'_>,
    plain: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Vec<u8>, Error> {
    let Pbes2 { derivation, cipher, iv } = Pbes2::read(identifier, options)?;
    let cipher = match cipher {
        Encryption::Aes(cipher) => cipher,
        Encryption::Old(cipher) => return Err(Error::new(ErrorKind::Legacy, cipher)),
        Encryption::Block(block) => return Err(Error::new(ErrorKind::Legacy, named(block.oid))),
    };
    let key = derivation.cipher_key(backend, password, cipher.key_len())?;
    backend.encrypt(cipher, key.expose(), iv, &[], plain)
}

/// The parameters of a PBES2 identifier.
struct Pbes2<'a> {
    derivation: Derivation<'a>,
    cipher: Encryption,
    iv: &'a [u8],
}

enum Encryption {
    Aes(Cipher),
    /// Triple DES or RC2.
    Old(OldCipher),
    /// A cipher that is only for decryption.
    Block(Block),
}

/// Decrypts, given the key, the initialization vector and the ciphertext.
type Decrypt = fn(&[u8], &[u8], &[u8]) -> Result<Secret, Error>;

/// A block cipher in CBC mode whose parameters are its initialization vector.
#[derive(Clone, Copy)]
struct Block {
    oid: Oid<'static>,
    decrypt: Decrypt,
    /// The length of the key in bytes.
    key_len: usize,
}

/// The ciphers for decryption: DES (RFC 8018 §B.2.1), and Blowfish and CAST5 as OpenSSL's legacy provider writes them.
const BLOCKS: [Block; 3] = [
    Block { oid: oids::DES_CBC, decrypt: decrypt_cbc::<des::Des>, key_len: 8 },
    Block { oid: oid!("1.3.6.1.4.1.3029.1.2"), decrypt: decrypt_cbc::<blowfish::Blowfish>, key_len: 16 },
    Block { oid: oids::CAST5_CBC, decrypt: decrypt_cbc::<cast5::Cast5>, key_len: 16 },
];

impl<'a> Pbes2<'a> {
    fn read(identifier: &AlgorithmIdentifier<'a>, options: &PasswordOptions) -> Result<Self, Error> {
        if identifier.algorithm != oids::PBES2 {
            return Err(Error::new(ErrorKind::Unsupported, named(identifier.algorithm)));
        }
        let wrong = || Error::new(ErrorKind::Parameters, "PBES2");
        let decoded = |error: tagwise_codec::Error| wrong().because(error);
        let parameters = identifier.parameters.ok_or_else(wrong)?;
        let parameters: Pbes2Params<'a> = parameters.decode_as().map_err(decoded)?;
        let scheme = parameters.encryption_scheme;
        let found =
            Cipher::ALL.iter().copied().find(|cipher| cipher.oid() == scheme.algorithm && !cipher.is_authenticated());
        let iv = || scheme.parameters.ok_or_else(wrong)?.decode_as::<OctetStr<'a>>().map_err(decoded);
        let (cipher, iv) = match found {
            Some(cipher) => (Encryption::Aes(cipher), iv()?.as_bytes()),
            None if scheme.algorithm == oids::DES_EDE3_CBC => {
                (Encryption::Old(OldCipher::TripleDesCbc), iv()?.as_bytes())
            }
            None if scheme.algorithm == oids::RC2_CBC => {
                let (cipher, iv) = OldCipher::rc2_of(&scheme.parameters.ok_or_else(wrong)?)?;
                (Encryption::Old(cipher), iv)
            }
            None => match BLOCKS.iter().find(|block| block.oid == scheme.algorithm) {
                Some(block) => (Encryption::Block(*block), iv()?.as_bytes()),
                None => return Err(Error::new(ErrorKind::Unsupported, named(scheme.algorithm))),
            },
        };
        let derivation = Derivation::read(&parameters.key_derivation_func, options.max_iterations)?;
        Ok(Self { derivation, cipher, iv })
    }
}

#[cfg(all(test, feature = "aws-lc"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::backends::AwsLc;
    use crate::{KeyType, Primitives as _};

    const BACKEND: AwsLc = AwsLc::new();

    fn options(cipher: Cipher, digest: Digest) -> PasswordOptions {
        PasswordOptions { digest, cipher, iterations: 10, max_iterations: 1000 }
    }

    #[test]
    fn keys_come_back() {
        let key = BACKEND.generate(KeyType::P256).unwrap().to_pkcs8().unwrap();
        for cipher in [Cipher::Aes128Cbc, Cipher::Aes192Cbc, Cipher::Aes256Cbc] {
            for digest in [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512] {
                let options = options(cipher, digest);
                let encrypted = encrypt_key(&BACKEND, &key, b"password", &options).unwrap();
                let again = decrypt_key(&BACKEND, &encrypted, b"password", &options).unwrap();
                assert_eq!(again.pkcs8().expose(), key.expose());
            }
        }
    }

    /// Every wrong password says the same, whatever padding it happens to leave.
    #[test]
    fn another_password_is_told() {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap().to_pkcs8().unwrap();
        let options = options(Cipher::Aes256Cbc, Digest::Sha256);
        let encrypted = encrypt_key(&BACKEND, &key, b"password", &options).unwrap();
        for number in 0..600_u16 {
            let error = decrypt_key(&BACKEND, &encrypted, &number.to_be_bytes(), &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Integrity, "{number}");
        }
    }

    /// Returns an identifier of PBES2 with RC2: the key's length as PBKDF2 has it, if at all, and RC2's parameters.
    fn rc2(key_length: Option<u64>, parameters: &[u8]) -> Vec<u8> {
        let derivation = encode(&Pbkdf2Params {
            salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(b"salt")),
            iteration_count: 10,
            key_length,
            prf: AlgorithmIdentifier { algorithm: oids::HMAC_WITH_SHA1, parameters: Some(Any::null(0)) },
        })
        .unwrap();
        let part =
            |algorithm, parameters| AlgorithmIdentifier { algorithm, parameters: Any::from_der(parameters).ok() };
        let parameters = encode(&Pbes2Params {
            key_derivation_func: part(oids::PBKDF2, &derivation),
            encryption_scheme: part(oids::RC2_CBC, parameters),
        })
        .unwrap();
        encode(&part(oids::PBES2, &parameters)).unwrap()
    }

    /// RFC 8018 §B.2.3: the version says how many bits count, the derivation how long the key is.
    #[test]
    fn rc2_is_read_and_not_written() {
        const VECTOR: [u8; 10] = [0x04, 8, 1, 2, 3, 4, 5, 6, 7, 8];
        // No version; 160, 120 and 58; 256 for itself.
        let versions: [(&[u8], u16); 5] = [
            (&[], 32),
            (&[0x02, 2, 0, 0xA0], 40),
            (&[0x02, 1, 0x78], 64),
            (&[0x02, 1, 0x3A], 128),
            (&[0x02, 2, 1, 0], 256),
        ];
        let options = options(Cipher::Aes256Cbc, Digest::Sha1);
        let sequence = |version: &[u8]| [&[0x30, (version.len() + 10) as u8], version, &VECTOR].concat();
        for (version, bits) in versions {
            for (said, len) in [(None, usize::from(bits) / 8), (Some(5), 5), (Some(16), 16)] {
                let der = rc2(said, &sequence(version));
                let identifier = AlgorithmIdentifier::from_der(&der).unwrap();
                let mut key = vec![0; len];
                BACKEND.pbkdf2(Digest::Sha1, b"password", b"salt", 10, &mut key).unwrap();
                let made = OldCipher::Rc2Cbc(bits).encrypt(&key, &VECTOR[2..], b"what was said").unwrap();
                let plain = decrypt(&BACKEND, &identifier, &made, b"password", &options).unwrap();
                assert_eq!(plain.expose(), b"what was said", "{bits} bits, {len} bytes");
                let error = encrypt(&BACKEND, &identifier, b"", b"password", &options).unwrap_err();
                assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Legacy, "RC2"));
            }
        }
        // A version that stands for nothing; a key that is too long (one of no octets does not decode).
        for (said, version) in [(None, &[0x02, 1, 7][..]), (Some(129), &[])] {
            let der = rc2(said, &sequence(version));
            let identifier = AlgorithmIdentifier::from_der(&der).unwrap();
            let error = decrypt(&BACKEND, &identifier, &[0; 8], b"password", &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameters);
        }
    }

    #[test]
    fn work_is_limited_and_other_schemes_are_named() {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap().to_pkcs8().unwrap();
        let many = PasswordOptions { iterations: 1001, ..options(Cipher::Aes256Cbc, Digest::Sha256) };
        let encrypted = encrypt_key(&BACKEND, &key, b"password", &many).unwrap();
        let error = decrypt_key(&BACKEND, &encrypted, b"password", &many).unwrap_err();
        assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Limit, "PBKDF2"));
        let old = AlgorithmIdentifier { algorithm: oids::PBE_WITH_MD2_AND_DES_CBC, parameters: None };
        let error = decrypt(&BACKEND, &old, &[], b"password", &many).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(decrypt_key(&BACKEND, &[0x30, 0], b"", &many).unwrap_err().kind(), ErrorKind::MalformedKey);
    }
}
