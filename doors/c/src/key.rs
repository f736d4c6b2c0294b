//! Backends, digests, keys and signatures.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use tagwise::codec::Decode as _;
use tagwise::crypto::{
    self, Backend, Digest, Error, ErrorKind, KeySigner, KeyType, PasswordOptions, PrivateKey, Scheme, Secret,
    Signer as _, backends, private_key_from_der, private_key_from_pem,
};
use tagwise::keys::{self, dsa::DsaPrivateKey};
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::bytes::{given, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error, tagwise_error_kind};

/// A cryptographic backend: keys, signatures and ciphers. NULL always selects the embedded backend. Immutable: threads may
/// share it.
pub struct tagwise_backend(&'static dyn Backend);

impl tagwise_backend {
    pub(crate) fn of(backend: Option<&Self>) -> Result<&'static dyn Backend, Problem> {
        match backend {
            Some(backend) => Ok(backend.0),
            None => backends::all().first().copied().ok_or_else(|| {
                Problem::new(tagwise_error_kind::Unsupported, "not-offered", "the library was built without a backend")
            }),
        }
    }
}

/// Returns the backend with the given name: `aws-lc` (embedded), or `openssl` (the system's) if the library was built with
/// it. Free it with tagwise_backend_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_backend_new(
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_backend>> {
    guard!(error, Ok(Some(Box::new(tagwise_backend(backends::named(terminated(name, "name")?)?)))))
}

/// Frees a backend; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_backend_free(backend: Option<Box<tagwise_backend>>) {
    guard!(drop(backend))
}

/// Returns a backend's name and version.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_backend_version(
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise_buffer::new(format!("{} ({})", backend.name(), backend.version())))
    })
}

pub(crate) fn digest(name: *const c_char) -> Result<Digest, Problem> {
    let name = terminated(name, "digest")?;
    let found = Digest::ALL.iter().copied().find(|digest| digest.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| Problem::unknown("digest", name, Digest::ALL.iter().map(|digest| digest.name())))
}

/// Computes the digest of bytes with the named algorithm, such as `SHA-256`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_digest(
    backend: Option<&tagwise_backend>,
    name: *const c_char,
    data: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(tagwise_backend::of(backend)?.digest(digest(name)?, data.get()?)?)))
}

/// A private key. Its secret is exported only by functions that are documented to do so. Immutable: threads may share it.
pub struct tagwise_key {
    key: Held,
    /// The key with its signature algorithm, if the key can sign.
    signer: Option<KeySigner>,
}

enum Held {
    Private(Arc<dyn PrivateKey>),
    /// Read and converted, but no backend uses it.
    Dsa(DsaPrivateKey),
}

impl tagwise_key {
    /// Returns the DSA key of a file in any format, or the error with which other keys could not be read.
    fn dsa(
        backend: &dyn Backend,
        octets: &[u8],
        password: Option<&[u8]>,
        name: Option<&str>,
        error: Error,
    ) -> Result<Option<Box<Self>>, Problem> {
        let passwords: Vec<Secret> = password.into_iter().map(Secret::from).collect();
        match keys::key(backend, octets, &passwords, name, &keys::Limits::DEFAULT) {
            Ok(keys::Key::Dsa(key)) => Ok(Some(Box::new(Self { key: Held::Dsa(*key), signer: None }))),
            _ => Err(error.into()),
        }
    }

    /// Returns the key, if it can be used.
    pub(crate) fn private(&self) -> Result<&dyn PrivateKey, Problem> {
        match &self.key {
            Held::Private(key) => Ok(&**key),
            Held::Dsa(_) => Err(Error::new(ErrorKind::Unsupported, "a DSA private key").into()),
        }
    }

    /// Returns the key as unencrypted PKCS #8.
    pub(crate) fn pkcs8(&self) -> Result<Secret, Problem> {
        match &self.key {
            Held::Private(key) => Ok(key.to_pkcs8()?),
            Held::Dsa(key) => Ok(Secret::from(key.pkcs8.expose())),
        }
    }

    /// Returns the name of the key's type.
    fn kind(&self) -> String {
        match &self.key {
            Held::Private(key) => key.key_type().to_string(),
            Held::Dsa(_) => "dsa".to_owned(),
        }
    }

    fn new(key: Arc<dyn PrivateKey>) -> Result<Option<Box<Self>>, Problem> {
        let signs = Scheme::preferred(key.key_type()).is_some();
        let signer = if signs { Some(KeySigner::preferred(Arc::clone(&key))?) } else { None };
        Ok(Some(Box::new(Self { key: Held::Private(key), signer })))
    }

    pub(crate) fn signer(&self) -> Result<&KeySigner, Problem> {
        let none =
            || Problem::new(tagwise_error_kind::Key, "wrong-key", format!("{} does not support signing", self.kind()));
        self.signer.as_ref().ok_or_else(none)
    }
}

/// Generates a key of the given type: `p-256`, `rsa-3072`, `ed25519`, `ml-dsa-65` and others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_generate(
    backend: Option<&tagwise_backend>,
    r#type: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, {
        let kind: KeyType = terminated(r#type, "type")?.parse()?;
        tagwise_key::new(tagwise_backend::of(backend)?.generate(kind)?)
    })
}

/// Reads a private key in DER: PKCS #8 (encrypted or not), PKCS #1 or SEC 1. The password may be absent. It is ignored if the
/// key is not encrypted. The error's code is `password-needed` if the key is encrypted and no password was given, and
/// `integrity` if the password is wrong.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_read(
    backend: Option<&tagwise_backend>,
    der: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        let (der, password) = (der.der()?, password.optional()?);
        let read = private_key_from_der(backend, der, password, &PasswordOptions::DEFAULT);
        match read.and_then(|info| backend.private_key(&info)) {
            Ok(key) => tagwise_key::new(key),
            Err(error) => tagwise_key::dsa(backend, der, password, None, error),
        }
    })
}

/// Reads the first private key in a PEM text, like tagwise_key_read(). Keys encrypted with PEM headers (`DEK-Info`), as
/// written by `openssl rsa -aes128 -traditional`, are also supported. Deviations in the PEM itself are tolerated, as with
/// tagwise_options_allow_pem().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_from_pem(
    backend: Option<&tagwise_backend>,
    text: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        let (text, password) = (text.get()?, password.optional()?);
        let read = private_key_from_pem(backend, text, password, &PasswordOptions::DEFAULT);
        match read.and_then(|info| backend.private_key(&info)) {
            Ok(key) => tagwise_key::new(key),
            Err(error) => tagwise_key::dsa(backend, text, password, None, error),
        }
    })
}

/// Reads the private key of a file in any format: PEM and DER as the functions above, OpenSSH, JWK, Java keystores, PVK, key blobs
/// of Microsoft, and DNSSEC. If the file has several keys, the name selects one by its alias, comment or key identifier; NULL
/// requires a single key. The password may be absent; an unneeded one is ignored.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_from_any(
    backend: Option<&tagwise_backend>,
    data: tagwise_bytes,
    password: tagwise_bytes,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        let name = if name.is_null() { None } else { Some(terminated(name, "name")?) };
        let (data, password) = (data.get()?, password.optional()?);
        let passwords: Vec<Secret> = password.into_iter().map(Secret::from).collect();
        let read = keys::private_key(backend, data, &passwords, name, &keys::Limits::DEFAULT);
        match read.and_then(|info| backend.private_key(&info)) {
            Ok(key) => tagwise_key::new(key),
            Err(error) => tagwise_key::dsa(backend, data, password, name, error),
        }
    })
}

/// Returns the public key of a file in any format, as tagwise_key_from_any() reads it, or of a certificate: an encoded
/// SubjectPublicKeyInfo. The name selects one of several keys; NULL requires a single key.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_public_key_from_any(
    backend: Option<&tagwise_backend>,
    data: tagwise_bytes,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        let name = if name.is_null() { None } else { Some(terminated(name, "name")?) };
        Ok(tagwise_buffer::new(keys::public_key(backend, data.get()?, name, &keys::Limits::DEFAULT)?))
    })
}

/// Frees a key; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_free(key: Option<Box<tagwise_key>>) {
    guard!(drop(key))
}

/// Returns the name of a key's type. A DSA key, `dsa`, does not sign: it is read and converted only.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_type(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(given(key, "key")?.kind())))
}

/// Returns the public key: an encoded SubjectPublicKeyInfo, borrowed from the key.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_public(key: Option<&tagwise_key>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(key.map(|key| match &key.key {
        Held::Private(key) => key.public_key_info(),
        Held::Dsa(key) => &key.public,
    })))
}

/// Encodes the key as unencrypted PKCS #8. The buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_pkcs8(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::secret(given(key, "key")?.pkcs8()?.expose())))
}

/// Encodes the key as PKCS #8, encrypted with a password.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_pkcs8_encrypted(
    key: Option<&tagwise_key>,
    backend: Option<&tagwise_backend>,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let secret = given(key, "key")?.pkcs8()?;
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise_buffer::new(crypto::encrypt_key(backend, &secret, password.get()?, &PasswordOptions::DEFAULT)?))
    })
}

/// Returns the key's signature algorithm: an encoded AlgorithmIdentifier.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_signature_algorithm(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(given(key, "key")?.signer()?.identifier()?.into_owned())))
}

/// Signs a message with a key, using the algorithm that tagwise_key_signature_algorithm() returns.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_sign(
    key: Option<&tagwise_key>,
    message: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let signer = given(key, "key")?.signer()?;
        Ok(tagwise_buffer::new(tagwise::crypto::Signer::sign(signer, message.get()?)?))
    })
}

/// Verifies a signature with a public key (an encoded SubjectPublicKeyInfo) and an algorithm (an encoded
/// AlgorithmIdentifier). SHA-1 is not accepted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_signature_verify(
    backend: Option<&tagwise_backend>,
    public_key: tagwise_bytes,
    algorithm: tagwise_bytes,
    message: tagwise_bytes,
    signature: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let key = SubjectPublicKeyInfo::from_der(public_key.der()?)?;
        let algorithm = AlgorithmIdentifier::from_der(algorithm.der()?)?;
        crypto::verify(tagwise_backend::of(backend)?, &key, &algorithm, message.get()?, signature.get()?)?;
        Ok(true)
    })
}
