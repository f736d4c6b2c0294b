//! Private keys of the embedded backend.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::Decode;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::{
    Backend, Error, ErrorKind, KeyType, PasswordOptions, PrivateKey as Inner, PrivateKeyInfo, Scheme, encrypt_key,
    private_key_from_der, private_key_from_pem,
};
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

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

/// A reader of private keys, which may be encrypted.
type Read = fn(&dyn Backend, &[u8], Option<&[u8]>, &PasswordOptions) -> Result<PrivateKeyInfo, Error>;

/// Reads a key. As in `cryptography`, it is a `TypeError` if a password is missing, or if one is given for an unencrypted key.
fn unlocked(
    py: Python<'_>,
    read: Read,
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

    /// Encodes the key as a PKCS #8 structure, encrypted with a password.
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

/// Returns the type of a public key.
#[pyfunction]
fn kind_of_key(py: Python<'_>, public_key_info: &[u8]) -> PyResult<String> {
    let info = SubjectPublicKeyInfo::from_der(public_key_info).map_err(|error| errors::decoding(py, &error))?;
    KeyType::of(&info).map(|kind| kind.to_string()).map_err(|error| failure::crypto(py, &error))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PrivateKey>()?;
    module.add_function(wrap_pyfunction!(kind_of_key, module)?)
}
