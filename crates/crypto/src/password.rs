//! Private keys under a password: PKCS #8 with PBES2 (RFC 8018 §6.2), the key derived by PBKDF2 with an HMAC, AES in CBC or GCM.
//!
//! Older schemes (PBES1, PKCS #12's) are [`ErrorKind::Unsupported`] here.

use tagwise_codec::{Any, Decode, OctetStr, encode};
use tagwise_pkix::pkcs5::{Pbes2Params, Pbkdf2Params, Pbkdf2ParamsSalt};
use tagwise_pkix::pkcs8::EncryptedPrivateKeyInfo;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::key_type::named;
use crate::{Backend, Cipher, Digest, Error, ErrorKind, PrivateKeyInfo, Secret};

/// How a private key is put under a password, and how much work a file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordOptions {
    /// The digest of the HMAC that PBKDF2 iterates.
    pub digest: Digest,
    /// How often it is iterated when a key is written.
    pub iterations: u32,
    /// What encrypts.
    pub cipher: Cipher,
    /// How many iterations are done at most when a key is read. A file that asks for more is refused with
    /// [`ErrorKind::Limit`]: it would only cost time.
    pub max_iterations: u32,
}

impl PasswordOptions {
    /// HMAC with SHA-256, 600,000 iterations, AES-256 in CBC mode; to read, 10,000,000 iterations at most.
    ///
    /// 600,000 is what OWASP's cheat sheet on password storage asks of PBKDF2 with SHA-256 (2023).
    pub const DEFAULT: Self =
        Self { digest: Digest::Sha256, iterations: 600_000, cipher: Cipher::Aes256Cbc, max_iterations: 10_000_000 };
}

impl Default for PasswordOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// HMACs by identifier (RFC 8018 §B.1).
const PRFS: [(tagwise_codec::Oid<'static>, Digest); 5] = [
    (oids::HMAC_WITH_SHA1, Digest::Sha1),
    (oids::HMAC_WITH_SHA224, Digest::Sha224),
    (oids::HMAC_WITH_SHA256, Digest::Sha256),
    (oids::HMAC_WITH_SHA384, Digest::Sha384),
    (oids::HMAC_WITH_SHA512, Digest::Sha512),
];

/// Encrypts PKCS #8: an EncryptedPrivateKeyInfo in DER (RFC 5958 §3).
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
/// [`ErrorKind::NotOffered`], [`ErrorKind::Failed`].
pub fn encrypt_key(
    backend: &dyn Backend,
    pkcs8: &Secret,
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Vec<u8>, Error> {
    let failed = |error: tagwise_codec::EncodeError| Error::new(ErrorKind::Failed, "PBES2").because(error);
    let prf = PRFS.iter().find(|(_, digest)| *digest == options.digest);
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

    let null = [5, 0];
    let kdf = encode(&Pbkdf2Params {
        salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(&salt)),
        iteration_count: u64::from(options.iterations),
        key_length: None,
        prf: (options.digest != Digest::Sha1)
            .then(|| AlgorithmIdentifier { algorithm: *prf, parameters: Any::from_der(&null).ok() }),
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
/// [`ErrorKind::MalformedKey`] if it is none; [`ErrorKind::Unsupported`] for other schemes than PBES2 with PBKDF2 and AES;
/// [`ErrorKind::Limit`]; [`ErrorKind::Integrity`] if the password is another one: its padding is wrong then, or what comes
/// out is no key.
pub fn decrypt_key(
    backend: &dyn Backend,
    der: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<PrivateKeyInfo, Error> {
    let malformed = |error: tagwise_codec::Error| Error::new(ErrorKind::MalformedKey, "encrypted").because(error);
    let info = EncryptedPrivateKeyInfo::from_der(der).map_err(malformed)?;
    let plain = decrypt(backend, &info.encryption_algorithm, info.encrypted_data.as_bytes(), password, options)?;
    PrivateKeyInfo::from_pkcs8(plain.expose()).map_err(|error| match error.kind() {
        // One wrong password of 256 leaves a padding that looks right, and noise behind it.
        ErrorKind::MalformedKey => Error::new(ErrorKind::Integrity, "PBES2").by(backend.name()),
        _ => error,
    })
}

/// Decrypts what a PBES2 identifier says was encrypted under a password.
///
/// # Errors
/// Those of [`decrypt_key`].
pub fn decrypt(
    backend: &dyn Backend,
    identifier: &AlgorithmIdentifier<'_>,
    encrypted: &[u8],
    password: &[u8],
    options: &PasswordOptions,
) -> Result<Secret, Error> {
    if identifier.algorithm != oids::PBES2 {
        return Err(Error::new(ErrorKind::Unsupported, named(identifier.algorithm)));
    }
    let wrong = || Error::new(ErrorKind::Parameters, "PBES2");
    let decoded = |error: tagwise_codec::Error| wrong().because(error);
    let parameters = identifier.parameters.ok_or_else(wrong)?;
    let parameters: Pbes2Params<'_> = parameters.decode_as().map_err(decoded)?;
    let scheme = parameters.encryption_scheme;
    let cipher = Cipher::ALL.into_iter().find(|cipher| cipher.oid() == scheme.algorithm && !cipher.is_authenticated());
    let cipher = cipher.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(scheme.algorithm)))?;
    let iv: OctetStr<'_> = scheme.parameters.ok_or_else(wrong)?.decode_as().map_err(decoded)?;

    let kdf = parameters.key_derivation_func;
    if kdf.algorithm != oids::PBKDF2 {
        return Err(Error::new(ErrorKind::Unsupported, named(kdf.algorithm)));
    }
    let kdf: Pbkdf2Params<'_> = kdf.parameters.ok_or_else(wrong)?.decode_as().map_err(decoded)?;
    let Pbkdf2ParamsSalt::Specified(salt) = kdf.salt else { return Err(wrong()) };
    let prf = match &kdf.prf {
        None => Digest::Sha1,
        Some(prf) => {
            let found = PRFS.iter().find(|(oid, _)| *oid == prf.algorithm).map(|(_, digest)| *digest);
            found.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(prf.algorithm)))?
        }
    };
    if kdf.key_length.is_some_and(|len| len != cipher.key_len() as u64) {
        return Err(wrong());
    }
    let iterations = u32::try_from(kdf.iteration_count).ok().filter(|count| *count <= options.max_iterations);
    let iterations = iterations.ok_or_else(|| Error::new(ErrorKind::Limit, "PBKDF2"))?;
    let mut key = Secret::zeroed(cipher.key_len());
    backend.pbkdf2(prf, password, salt.as_bytes(), iterations, key.expose_mut())?;
    backend.decrypt(cipher, key.expose(), iv.as_bytes(), &[], encrypted)
}

#[cfg(all(test, feature = "aws-lc"))]
mod tests {
    use super::*;
    use crate::KeyType;
    use crate::backends::AwsLc;

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

    #[test]
    fn work_is_limited_and_other_schemes_are_named() {
        let key = BACKEND.generate(KeyType::Ed25519).unwrap().to_pkcs8().unwrap();
        let many = PasswordOptions { iterations: 1001, ..options(Cipher::Aes256Cbc, Digest::Sha256) };
        let encrypted = encrypt_key(&BACKEND, &key, b"password", &many).unwrap();
        let error = decrypt_key(&BACKEND, &encrypted, b"password", &many).unwrap_err();
        assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Limit, "PBKDF2"));
        let old = AlgorithmIdentifier { algorithm: oids::PBE_WITH_MD5_AND_DES_CBC, parameters: None };
        let error = decrypt(&BACKEND, &old, &[], b"password", &many).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(decrypt_key(&BACKEND, &[0x30, 0], b"", &many).unwrap_err().kind(), ErrorKind::MalformedKey);
    }
}
