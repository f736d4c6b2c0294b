//! Private keys of the embedded backend.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::{Decode, Int};
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::{
    Backend, Error, ErrorKind, KeyType, PasswordOptions, PrivateKey as Inner, PrivateKeyInfo, Scheme, Secret,
    encrypt_key, private_key_from_der, private_key_from_pem,
};
use tagwise::keys::{self, Limits};
use tagwise::pkix::pkcs8::OneAsymmetricKey;
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use crate::messages::failure;
use crate::{errors, input};

/// A private key. Its secret cannot be printed or pickled.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct PrivateKey(Arc<dyn Inner>);

impl PrivateKey {
    /// Returns the shared key.
    pub(crate) fn inner(&self) -> Arc<dyn Inner> {
        self.0.clone()
    }
}

/// Reads a key. A password is required exactly where the key is encrypted: a `TypeError` otherwise, as of `cryptography`.
fn unlocked(
    py: Python<'_>,
    read: impl Fn(&dyn Backend, &[u8], Option<&[u8]>, &PasswordOptions) -> Result<PrivateKeyInfo, Error> + Sync,
    data: &[u8],
    password: Option<&[u8]>,
    max_iterations: u32,
) -> PyResult<PrivateKey> {
    let backend = AwsLc::new();
    let options = PasswordOptions { max_iterations, ..PasswordOptions::DEFAULT };
    let info = match (read(&backend, data, None, &options), password) {
        (Ok(_), Some(_)) => return Err(PyTypeError::new_err("a password was given, but the key is not encrypted")),
        (Err(error), None) if error.kind() == ErrorKind::PasswordNeeded => {
            return Err(PyTypeError::new_err("the key is encrypted, but no password was given"));
        }
        (Err(error), Some(password)) if error.kind() == ErrorKind::PasswordNeeded => {
            py.detach(|| read(&backend, data, Some(password), &options))
        }
        (read, _) => read,
    };
    let key = info.and_then(|info| py.detach(|| backend.private_key(&info)));
    key.map(PrivateKey).map_err(|error| failure::crypto(py, &error))
}

#[pymethods]
impl PrivateKey {
    /// Generates a key of the given type: `p-256`, `rsa-3072`, `ed25519`, `ml-dsa-65` …
    #[staticmethod]
    fn generate(py: Python<'_>, kind: &str) -> PyResult<Self> {
        let kind: KeyType = kind.parse().map_err(|error| failure::crypto(py, &error))?;
        py.detach(|| AwsLc::new().generate(kind)).map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// Reads a key from an unencrypted PKCS #8 structure.
    #[staticmethod]
    fn from_pkcs8(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = input::bytes(data)?;
        AwsLc::new().private_key_from_pkcs8(data.as_bytes()).map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// Reads a DER-encoded key: PKCS #8 (encrypted or not), PKCS #1 or SEC 1.
    #[staticmethod]
    #[pyo3(signature = (data, password = None, max_iterations = PasswordOptions::DEFAULT.max_iterations))]
    fn from_der(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        password: Option<&[u8]>,
        max_iterations: u32,
    ) -> PyResult<Self> {
        let data = input::bytes(data)?;
        unlocked(py, private_key_from_der, data.as_bytes(), password, max_iterations)
    }

    /// Reads the first key in a PEM text: the formats of `from_der`, and keys encrypted with PEM headers.
    #[staticmethod]
    #[pyo3(signature = (text, password = None, max_iterations = PasswordOptions::DEFAULT.max_iterations))]
    fn from_pem(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        password: Option<&[u8]>,
        max_iterations: u32,
    ) -> PyResult<Self> {
        let text = input::bytes(text)?;
        unlocked(py, private_key_from_pem, text.as_bytes(), password, max_iterations)
    }

    /// Reads the private key of a file in any format. The name selects one of several.
    #[staticmethod]
    #[pyo3(signature = (data, password = None, name = None, max_iterations = PasswordOptions::DEFAULT.max_iterations))]
    fn from_any(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        password: Option<&[u8]>,
        name: Option<&str>,
        max_iterations: u32,
    ) -> PyResult<Self> {
        let data = input::bytes(data)?;
        // A keystore without its password is not opened, whatever is in it.
        let read = |backend: &dyn Backend, data: &[u8], password: Option<&[u8]>, options: &PasswordOptions| {
            let passwords: Vec<Secret> = password.into_iter().map(Secret::from).collect();
            let limits = Limits { iterations: options.max_iterations, ..Limits::DEFAULT };
            keys::private_key(backend, data, &passwords, name, &limits)
        };
        unlocked(py, read, data.as_bytes(), password, max_iterations)
    }

    /// The key as a PKCS #8 structure that is encrypted under a password.
    fn to_encrypted<'py>(&self, py: Python<'py>, password: &[u8], iterations: u32) -> PyResult<Bound<'py, PyBytes>> {
        let options = PasswordOptions { iterations, ..PasswordOptions::DEFAULT };
        let encrypted = py.detach(|| encrypt_key(&AwsLc::new(), &self.0.to_pkcs8()?, password, &options));
        Ok(PyBytes::new(py, &encrypted.map_err(|error| failure::crypto(py, &error))?))
    }

    /// Encodes the key as an unencrypted PKCS #8 structure.
    fn to_pkcs8<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let secret = self.0.to_pkcs8().map_err(|error| failure::crypto(py, &error))?;
        Ok(PyBytes::new(py, secret.expose()))
    }

    #[getter]
    fn kind(&self) -> String {
        self.0.key_type().to_string()
    }

    #[getter]
    fn public_key_info<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.public_key_info())
    }

    /// Signs data with an algorithm, given as an AlgorithmIdentifier.
    fn sign<'py>(&self, py: Python<'py>, algorithm: &[u8], data: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let algorithm = AlgorithmIdentifier::from_der(algorithm).map_err(|error| errors::decoding(py, &error))?;
        let scheme = Scheme::of(&algorithm).map_err(|error| failure::crypto(py, &error))?;
        let signature = py.detach(|| self.0.sign(&scheme, data)).map_err(|error| failure::crypto(py, &error))?;
        Ok(PyBytes::new(py, &signature))
    }
}

/// Encrypts a PKCS #8 structure under a password.
#[pyfunction]
fn encrypted_key<'py>(
    py: Python<'py>,
    pkcs8: &[u8],
    password: &[u8],
    iterations: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = PasswordOptions { iterations, ..PasswordOptions::DEFAULT };
    let encrypted = py.detach(|| encrypt_key(&AwsLc::new(), &Secret::from(pkcs8), password, &options));
    Ok(PyBytes::new(py, &encrypted.map_err(|error| failure::crypto(py, &error))?))
}

/// Returns the type of a public key.
#[pyfunction]
fn kind_of_key(py: Python<'_>, public_key_info: &[u8]) -> PyResult<String> {
    let info = SubjectPublicKeyInfo::from_der(public_key_info).map_err(|error| errors::decoding(py, &error))?;
    // No backend has keys of this type, but their signatures can be verified.
    if info.algorithm.algorithm == oids::DSA {
        return Ok("dsa".to_owned());
    }
    KeyType::of(&info).map(|kind| kind.to_string()).map_err(|error| failure::crypto(py, &error))
}

/// The public key of a file in any format, as a SubjectPublicKeyInfo in DER. The name selects one of several.
#[pyfunction]
#[pyo3(signature = (data, name = None))]
fn public_key_of<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, name: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
    let data = input::bytes(data)?;
    let read = keys::public_key(&AwsLc::new(), data.as_bytes(), name, &Limits::DEFAULT);
    read.map(|info| PyBytes::new(py, &info)).map_err(|error| failure::crypto(py, &error))
}

/// A DSA private key: its public key, as a SubjectPublicKeyInfo, its PKCS #8 structure, both in DER, and its private number.
type Dsa<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyAny>);

/// The DSA private key of a file in any format.
/// Returns `None` if the file has another key. A password is required exactly where the key is encrypted.
#[pyfunction]
#[pyo3(signature = (data, password = None, name = None, max_iterations = PasswordOptions::DEFAULT.max_iterations))]
fn dsa_key<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    password: Option<&[u8]>,
    name: Option<&str>,
    max_iterations: u32,
) -> PyResult<Option<Dsa<'py>>> {
    let data = input::bytes(data)?;
    let limits = Limits { iterations: max_iterations, ..Limits::DEFAULT };
    let octets = data.as_bytes();
    let read = |passwords: &[Secret]| py.detach(|| keys::key(&AwsLc::new(), octets, passwords, name, &limits));
    let found = match (read(&[]), password) {
        (Ok(_), Some(_)) => return Err(PyTypeError::new_err("a password was given, but the key is not encrypted")),
        (Err(error), None) if error.kind() == ErrorKind::PasswordNeeded => {
            return Err(PyTypeError::new_err("the key is encrypted, but no password was given"));
        }
        (Err(error), Some(password)) if error.kind() == ErrorKind::PasswordNeeded => read(&[Secret::from(password)]),
        (read, _) => read,
    };
    match found.map_err(|error| failure::crypto(py, &error))? {
        keys::Key::Dsa(key) => {
            let pkcs8 = key.pkcs8.expose();
            let info = OneAsymmetricKey::outline(pkcs8).map_err(|error| errors::decoding(py, &error))?;
            let number = Int::from_der(info.private_key.0.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
            let number = input::number(py, number.as_bytes())?;
            Ok(Some((PyBytes::new(py, &key.public), PyBytes::new(py, pkcs8), number)))
        }
        _ => Ok(None),
    }
}

/// Returns whether the only key of a file, or the one with a name, is public.
#[pyfunction]
#[pyo3(signature = (data, name = None))]
fn has_public_key(data: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<bool> {
    let data = input::bytes(data)?;
    Ok(keys::is_public(&AwsLc::new(), data.as_bytes(), name, &Limits::DEFAULT))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PrivateKey>()?;
    module.add_function(wrap_pyfunction!(public_key_of, module)?)?;
    module.add_function(wrap_pyfunction!(has_public_key, module)?)?;
    module.add_function(wrap_pyfunction!(dsa_key, module)?)?;
    module.add_function(wrap_pyfunction!(encrypted_key, module)?)?;
    module.add_function(wrap_pyfunction!(kind_of_key, module)?)
}
