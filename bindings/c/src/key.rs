//! Backends, digests, keys and signatures.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use tagwise::codec::Decode as _;
use tagwise::crypto::{
    self, Backend, Digest, KeySigner, KeyType, PasswordOptions, PrivateKey, PrivateKeyInfo, Scheme, Signer as _,
    VerifySelfSigned as _, VerifySigned as _, backends,
};
use tagwise::pkix::pkcs8::EncryptedPrivateKeyInfo;
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::crl::tagwise_crl;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::options::tagwise_options;
use crate::request::tagwise_request;

/// What computes keys, signatures and ciphers. Wherever one is a parameter, NULL stands for the embedded one. Immutable: threads may share
/// it.
pub struct tagwise_backend(&'static dyn Backend);

impl tagwise_backend {
    pub(crate) fn of(backend: Option<&Self>) -> Result<&'static dyn Backend, Problem> {
        match backend {
            Some(backend) => Ok(backend.0),
            None => backends::all().first().copied().ok_or_else(|| {
                Problem::new(tagwise_error_kind::Unsupported, "not-offered", "the library is built without a backend")
            }),
        }
    }
}

/// The backend of a name: `aws-lc`, which is embedded, or `openssl`, the system's, if the library was built with it. Free it with
/// tagwise_backend_free().
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

/// Name and version of a backend.
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

/// The digest of bytes by a name, as `SHA-256`.
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

/// A private key. Its secret leaves it only by the functions that say so. Immutable: threads may share it.
pub struct tagwise_key {
    pub(crate) key: Arc<dyn PrivateKey>,
    /// The key with the algorithm it signs with, if it signs.
    signer: Option<KeySigner>,
}

impl tagwise_key {
    fn new(key: Arc<dyn PrivateKey>) -> Result<Option<Box<Self>>, Problem> {
        let signs = Scheme::preferred(key.key_type()).is_some();
        let signer = if signs { Some(KeySigner::preferred(Arc::clone(&key))?) } else { None };
        Ok(Some(Box::new(Self { key, signer })))
    }

    pub(crate) fn signer(&self) -> Result<&KeySigner, Problem> {
        let none =
            || Problem::new(tagwise_error_kind::Key, "wrong-key", format!("{} does not sign", self.key.key_type()));
        self.signer.as_ref().ok_or_else(none)
    }
}

/// A new key of a type: `p-256`, `rsa-3072`, `ed25519`, `ml-dsa-65` and so on.
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

/// The error for an encrypted key without a password.
fn locked() -> Problem {
    Problem::new(tagwise_error_kind::Key, "password", "the private key is encrypted, and no password is given")
}

/// A key that was given as DER: PKCS #8 (encrypted, too, given its password), PKCS #1 or SEC 1.
fn key(backend: &dyn Backend, der: &[u8], password: Option<&[u8]>) -> Result<Option<Box<tagwise_key>>, Problem> {
    let plain = PrivateKeyInfo::from_pkcs8(der);
    let info = match (plain, password) {
        (Ok(info), _) => info,
        (Err(_), Some(password)) => crypto::decrypt_key(backend, der, password, &PasswordOptions::DEFAULT)?,
        (Err(_), None) if EncryptedPrivateKeyInfo::from_der(der).is_ok() => return Err(locked()),
        (Err(error), None) => {
            PrivateKeyInfo::from_pkcs1(der).or_else(|_| PrivateKeyInfo::from_sec1(der)).map_err(|_| error)?
        }
    };
    tagwise_key::new(backend.private_key(&info)?)
}

/// Reads a private key in DER: PKCS #8, or PKCS #1 or SEC 1. With a password that is not absent it may be encrypted as PKCS #8 has it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_read(
    backend: Option<&tagwise_backend>,
    der: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, key(tagwise_backend::of(backend)?, der.der()?, password.optional()?))
}

/// Reads the first private key of a text in PEM, as tagwise_key_read() does.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_from_pem(
    backend: Option<&tagwise_backend>,
    text: tagwise_bytes,
    password: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_key>> {
    guard!(error, {
        let labels = ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"];
        let der = Wiped(crate::pem::labelled(text, &labels, options)?);
        let found = key(tagwise_backend::of(backend)?, &der.0, password.optional()?);
        // Keys that PEM itself encrypts have a header that says so (RFC 1421 §4.6.1.1).
        let is_old = text.get()?.windows(PROC_TYPE.len()).any(|window| window == PROC_TYPE);
        found.map_err(|error| if is_old { old_encryption() } else { error })
    })
}

const PROC_TYPE: &[u8] = b"Proc-Type: 4,ENCRYPTED";

fn old_encryption() -> Problem {
    let message =
        "the private key is encrypted by PEM itself (RFC 1421), expected PKCS #8: `openssl pkcs8 -topk8` converts it";
    Problem::new(tagwise_error_kind::Unsupported, "unsupported", message)
}

/// Frees a key; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_free(key: Option<Box<tagwise_key>>) {
    guard!(drop(key))
}

/// The name of a key's type.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_type(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(given(key, "key")?.key.key_type().to_string())))
}

/// The public half of a key: the encoding of a SubjectPublicKeyInfo, borrowed from the key.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_public(key: Option<&tagwise_key>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(key.map(|key| key.key.public_key_info())))
}

/// The secret of a key as PKCS #8 in the clear; the buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_pkcs8(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::secret(given(key, "key")?.key.to_pkcs8()?.expose())))
}

/// The secret of a key as PKCS #8 under a password.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_pkcs8_encrypted(
    key: Option<&tagwise_key>,
    backend: Option<&tagwise_backend>,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let secret = given(key, "key")?.key.to_pkcs8()?;
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise_buffer::new(crypto::encrypt_key(backend, &secret, password.get()?, &PasswordOptions::DEFAULT)?))
    })
}

/// The algorithm that a key signs with: the encoding of an AlgorithmIdentifier.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_key_signature_algorithm(
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(given(key, "key")?.signer()?.identifier()?.into_owned())))
}

/// The signature of a message by a key, with the algorithm of tagwise_key_signature_algorithm().
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

/// Verifies a signature by a key (the encoding of a SubjectPublicKeyInfo) and an algorithm (that of an AlgorithmIdentifier). SHA-1 is
/// not accepted.
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

/// Verifies that the issuer's key signed a certificate, and that it names that issuer. Nothing else is looked at: tagwise_path_find() tells
/// whether a certificate is to be trusted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_verify_signature(
    certificate: Option<&tagwise_certificate>,
    issuer: Option<&tagwise_certificate>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let (certificate, issuer) = (given(certificate, "certificate")?, given(issuer, "issuer")?);
        certificate.value().verify_signed_by(issuer.value(), tagwise_backend::of(backend)?)?;
        Ok(true)
    })
}

/// Verifies that the issuer's key signed a CRL, and that it names that issuer. Nothing else is looked at.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_verify_signature(
    crl: Option<&tagwise_crl>,
    issuer: Option<&tagwise_certificate>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let (crl, issuer) = (given(crl, "crl")?, given(issuer, "issuer")?);
        crl.value().verify_signed_by(issuer.value(), tagwise_backend::of(backend)?)?;
        Ok(true)
    })
}

/// Verifies that the key inside a request signed it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_verify_signature(
    request: Option<&tagwise_request>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        given(request, "request")?.value().verify(tagwise_backend::of(backend)?)?;
        Ok(true)
    })
}

/// What a public key is. The texts are never freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_key_info {
    /// The name of the algorithm.
    algorithm: tagwise_bytes,
    /// The name of the curve; absent if the key has none, or none with a name here.
    curve: tagwise_bytes,
    /// The size in bits; 0 if it is not known.
    bits: u32,
}

/// Tells what a public key is, the encoding of a SubjectPublicKeyInfo.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_public_key_info(
    public_key: tagwise_bytes,
    info: Option<&mut MaybeUninit<tagwise_key_info>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let found = SubjectPublicKeyInfo::outline(public_key.der()?)?.info();
        let (algorithm, curve) = (tagwise_bytes::of(found.algorithm.as_bytes()), found.curve.map(str::as_bytes));
        put(
            info,
            tagwise_key_info { algorithm, curve: tagwise_bytes::of_option(curve), bits: found.bits.unwrap_or(0) },
        );
        Ok(true)
    })
}
