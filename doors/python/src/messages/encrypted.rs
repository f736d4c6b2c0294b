//! Enveloped, authenticated-enveloped and encrypted data (RFC 5652 §6, §8; RFC 5083).

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::cms::{
    DecryptOptions, EncryptOptions, Identifier, RecipientKey, Unlock, decrypt, encrypt, encrypt_with_key,
};
use tagwise::crypto::{Cipher, Digest, KeyTransport, OaepParameters, PasswordOptions};
use tagwise::pkix::cms::Limits;

use super::{certificate, content_type, failure, oid, plain};
use crate::key::PrivateKey;
use crate::{errors, input};

fn cipher(name: &str) -> PyResult<Cipher> {
    let found = Cipher::ALL.iter().copied().find(|cipher| plain(&cipher.to_string()) == plain(name));
    let names =
        || Cipher::ALL.iter().map(|cipher| cipher.to_string().to_ascii_lowercase()).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| errors::argument(format!("unknown cipher `{name}`; expected one of {}", names())))
}

/// A recipient: `certificate`, `shared-key` or `password`; the certificate, the key or the password; the identifier of the key; the RSA
/// padding (`oaep` or `pkcs1`); true to identify the certificate by its key identifier; the number of iterations.
type Given = (String, PyBackedBytes, PyBackedBytes, String, bool, u32);

/// Encrypts content for recipients.
#[pyfunction]
fn cms_encrypt<'py>(
    py: Python<'py>,
    content: &Bound<'py, PyAny>,
    recipients: Vec<Given>,
    cipher_name: &str,
    content_kind: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let content = input::bytes(content)?;
    let read = recipients
        .iter()
        .map(|given| Ok(if given.0 == "certificate" { Some(certificate(py, &given.1)?) } else { None }));
    let read = read.collect::<PyResult<Vec<_>>>()?;
    let mut keys = Vec::new();
    for ((kind, value, id, transport, by_key, iterations), read) in recipients.iter().zip(&read) {
        keys.push(match (kind.as_str(), read) {
            ("certificate", Some(certificate)) => RecipientKey::Certificate {
                certificate,
                identifier: if *by_key { Identifier::SubjectKeyIdentifier } else { Identifier::IssuerAndSerialNumber },
                transport: match transport.as_str() {
                    "oaep" => KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)),
                    "pkcs1" => KeyTransport::Pkcs1,
                    _ => return Err(errors::argument("the RSA padding must be `oaep` or `pkcs1`")),
                },
            },
            ("shared-key", _) => RecipientKey::SharedKey { id, key: value },
            ("password", _) => {
                let options = PasswordOptions { iterations: *iterations, ..PasswordOptions::DEFAULT };
                RecipientKey::Password { password: value, options }
            }
            _ => return Err(errors::argument(format!("unknown kind of recipient `{kind}`"))),
        });
    }
    let kind = content_type(content_kind)?;
    let options = EncryptOptions { content_type: oid(&kind)?, cipher: cipher(cipher_name)?, ..EncryptOptions::DEFAULT };
    let content = content.as_bytes();
    let message = py.detach(|| encrypt(&AwsLc::new(), content, &keys, &options));
    Ok(PyBytes::new(py, &message.map_err(|error| failure::cms(py, error))?))
}

/// Encrypts content with the recipients' existing key.
#[pyfunction]
fn cms_encrypt_with_key<'py>(
    py: Python<'py>,
    content: &Bound<'py, PyAny>,
    key: &[u8],
    cipher_name: &str,
    content_kind: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let content = input::bytes(content)?;
    let kind = content_type(content_kind)?;
    let options = EncryptOptions { content_type: oid(&kind)?, cipher: cipher(cipher_name)?, ..EncryptOptions::DEFAULT };
    let content = content.as_bytes();
    let message = py.detach(|| encrypt_with_key(&AwsLc::new(), content, key, &options));
    Ok(PyBytes::new(py, &message.map_err(|error| failure::cms(py, error))?))
}

/// A decrypted message: the type of its content, the content, true if it is authentic, and the authenticated attributes.
type Opened<'py> = (String, Bound<'py, PyBytes>, bool, Option<Bound<'py, PyBytes>>);

/// Decrypts a message within limits on attempts, iterations, content size, the size of an element, and the size of all elements. `kind`
/// determines whether `key` is a private key (with or without its certificate), a shared key, or a password.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the inputs of decryption, and its limits")]
fn cms_decrypt<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    content: Option<Bound<'py, PyAny>>,
    kind: &str,
    key: &Bound<'py, PyAny>,
    extra: Option<Vec<u8>>,
    work: (usize, u32, usize),
    limits: (usize, usize),
) -> PyResult<Opened<'py>> {
    let message = input::bytes(message)?;
    let content = content.as_ref().map(input::bytes).transpose()?;
    let (message, content) = (message.as_bytes(), content.as_ref().map(|content| content.as_bytes()));
    let (max_attempts, max_iterations, max_content) = work;
    let limits = Limits { element: limits.0, total: limits.1 };
    let options = DecryptOptions { max_attempts, max_iterations, max_content, limits };
    let backend = AwsLc::new();
    let decrypted = if kind == "private-key" {
        let key = key.cast::<PrivateKey>()?.get().inner();
        let certificate = extra.as_deref().map(|der| certificate(py, der)).transpose()?;
        let unlock = Unlock::PrivateKey { key: &*key, certificate: certificate.as_ref() };
        py.detach(|| decrypt(&backend, message, content, &unlock, &options))
    } else {
        let secret = input::bytes(key)?;
        let secret = secret.as_bytes();
        let unlock = match kind {
            "shared-key" => Unlock::SharedKey { id: extra.as_deref(), key: secret },
            "password" => Unlock::Password(secret),
            "content-key" => Unlock::ContentKey(secret),
            _ => return Err(errors::argument(format!("unknown kind of key `{kind}`"))),
        };
        py.detach(|| decrypt(&backend, message, content, &unlock, &options))
    };
    let decrypted = decrypted.map_err(|error| failure::cms(py, error))?;
    let attributes = decrypted.attributes.as_ref().map(|der| PyBytes::new(py, der));
    let content = PyBytes::new(py, decrypted.content.expose());
    Ok((decrypted.content_type().to_string(), content, decrypted.authenticated, attributes))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cms_encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(cms_encrypt_with_key, module)?)?;
    module.add_function(wrap_pyfunction!(cms_decrypt, module)?)
}
