//! Cryptography of RFC 3961 and its profiles.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::crypto::{
    ChecksumType, EncType, Key as Inner, StringToKey, StringToKeyLimits, cf2, n_fold, prf_plus,
};

use super::{backend, enc_type, enctype_member, failure, secret};
use crate::{errors, input};

/// A protocol key: an encryption type and a secret, which is never printed or pickled.
///
/// >>> from tagwise.krb5 import Enctype, Key
/// >>> key = Key.from_password("aes256-cts", "alicepw", salt="KRB.TESTalice")
/// >>> key
/// <Key(aes256-cts-hmac-sha1-96)>
/// >>> key.decrypt(7, key.encrypt(7, b"what is said"))
/// b'what is said'
/// >>> key.verify_checksum(6, b"data", key.checksum(6, b"data"))
#[pyclass(frozen, eq, module = "tagwise.krb5")]
#[derive(PartialEq, Eq)]
pub(super) struct Key(pub(super) Inner);

#[pymethods]
impl Key {
    #[new]
    fn new(py: Python<'_>, enctype: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        Inner::new(enc_type(enctype)?, secret(key)?).map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// Generates a random key.
    #[staticmethod]
    fn generate(py: Python<'_>, enctype: &Bound<'_, PyAny>) -> PyResult<Self> {
        Inner::generate(backend(), enc_type(enctype)?).map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// Derives a key from a password, with the string-to-key function of the encryption type.
    ///
    /// `parameters` is `s2kparams` from ETYPE-INFO2. If it is absent, the encryption type's default is used. Iteration counts above
    /// `max_iterations` or below `min_iterations` are rejected.
    #[staticmethod]
    #[pyo3(signature = (enctype, password, *, salt, parameters = None, max_iterations = 0x0100_0000, min_iterations = 1))]
    fn from_password(
        py: Python<'_>,
        enctype: &Bound<'_, PyAny>,
        password: &Bound<'_, PyAny>,
        salt: &Bound<'_, PyAny>,
        parameters: Option<&Bound<'_, PyAny>>,
        max_iterations: u32,
        min_iterations: u32,
    ) -> PyResult<Self> {
        let (enc_type, password, salt) = (enc_type(enctype)?, secret(password)?, secret(salt)?);
        let parameters = parameters.map(input::bytes).transpose()?;
        let parameters = parameters.as_ref().map_or(&[][..], |octets| octets.as_bytes());
        let limits = StringToKeyLimits { max_iterations, min_iterations };
        let made = py.detach(|| {
            let asked = StringToKey::new(enc_type).salt(salt.expose()).parameters(parameters).limits(limits);
            asked.derive(backend(), password.expose())
        });
        made.map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// Creates a key from random bytes, with the random-to-key function of the encryption type.
    #[staticmethod]
    fn from_seed(py: Python<'_>, enctype: &Bound<'_, PyAny>, seed: &Bound<'_, PyAny>) -> PyResult<Self> {
        Inner::from_seed(enc_type(enctype)?, &secret(seed)?).map(Self).map_err(|error| failure::crypto(py, &error))
    }

    /// The encryption type.
    #[getter]
    fn enctype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        enctype_member(py, self.0.enc_type().number())
    }

    /// The bytes of the secret.
    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.expose())
    }

    /// Encrypts data for a key usage (RFC 4120 §7.5.1). `KeyUsage` contains the usages.
    fn encrypt<'py>(&self, py: Python<'py>, usage: u32, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        let sent = py.detach(|| self.0.encrypt(backend(), usage, data));
        Ok(PyBytes::new(py, &sent.map_err(|error| failure::crypto(py, &error))?))
    }

    /// Decrypts and verifies data. With Triple DES, the result may end with up to seven bytes of padding.
    fn decrypt<'py>(&self, py: Python<'py>, usage: u32, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        let plain = py.detach(|| self.0.decrypt(backend(), usage, data));
        Ok(PyBytes::new(py, plain.map_err(|error| failure::crypto(py, &error))?.expose()))
    }

    /// Computes a checksum of data, with the encryption type's mandatory checksum type.
    fn checksum<'py>(&self, py: Python<'py>, usage: u32, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        let made = py.detach(|| self.0.checksum(backend(), usage, data));
        Ok(PyBytes::new(py, &made.map_err(|error| failure::crypto(py, &error))?))
    }

    /// Verifies a checksum of data. Raises a `MessageError` if it is wrong or has an unkeyed type.
    #[pyo3(signature = (usage, data, checksum, kind = None))]
    fn verify_checksum(
        &self,
        py: Python<'_>,
        usage: u32,
        data: &Bound<'_, PyAny>,
        checksum: &Bound<'_, PyAny>,
        kind: Option<i32>,
    ) -> PyResult<()> {
        let (data, checksum) = (input::bytes(data)?, input::bytes(checksum)?);
        let (data, checksum) = (data.as_bytes(), checksum.as_bytes());
        let kind = kind.unwrap_or_else(|| self.0.enc_type().checksum().number());
        let checked = py.detach(|| self.0.verify(backend(), usage, data, kind, checksum));
        checked.map_err(|error| failure::crypto(py, &error))
    }

    /// Computes the encryption type's pseudo-random function or, if a length is given, PRF+ (RFC 6113 §5.1).
    #[pyo3(signature = (data, length = None))]
    fn prf<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        length: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        // 255 outputs of the function are the most, whatever is asked for.
        let made = match length.filter(|length| *length > 255 * 64) {
            Some(_) => return Err(errors::argument("PRF+ output is limited to 255 PRF blocks")),
            None => match length {
                None => self.0.prf(backend(), data.as_bytes()),
                Some(length) => prf_plus(backend(), &self.0, data.as_bytes(), length),
            },
        };
        Ok(PyBytes::new(py, made.map_err(|error| failure::crypto(py, &error))?.expose()))
    }

    /// Combines two keys with KRB-FX-CF2 (RFC 6113 §5.1). The result has this key's encryption type.
    fn combine(
        &self,
        py: Python<'_>,
        other: &Bound<'_, Self>,
        pepper: &Bound<'_, PyAny>,
        other_pepper: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (one, two) = (input::bytes(pepper)?, input::bytes(other_pepper)?);
        let made = cf2(backend(), &self.0, &other.get().0, one.as_bytes(), two.as_bytes());
        made.map(Self).map_err(|error| failure::crypto(py, &error))
    }

    fn __repr__(&self) -> String {
        format!("<Key({})>", self.0.enc_type())
    }

    fn __reduce__(&self) -> PyResult<String> {
        Err(pyo3::exceptions::PyTypeError::new_err("keys cannot be pickled; use their bytes in `secret`"))
    }
}

/// Returns the encryption types: number, name, whether the type is only for legacy realms, key length in bytes, and number of the
/// checksum type.
#[pyfunction]
fn krb5_enctypes() -> Vec<(i32, &'static str, bool, usize, i32)> {
    let row = |one: &EncType| (one.number(), one.name(), one.is_legacy(), one.key_len(), one.checksum().number());
    EncType::ALL.iter().map(row).collect()
}

/// Returns the number of an encryption type, given its name or an alias.
#[pyfunction]
fn krb5_enctype(name: &Bound<'_, PyAny>) -> PyResult<i32> {
    Ok(enc_type(name)?.number())
}

/// Returns the checksum types: number and name.
#[pyfunction]
fn krb5_checksum_types() -> Vec<(i32, &'static str)> {
    ChecksumType::ALL.iter().map(|one| (one.number(), one.name())).collect()
}

/// Computes an unkeyed checksum.
#[pyfunction]
fn krb5_unkeyed<'py>(py: Python<'py>, kind: i32, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let found = ChecksumType::from_number(kind);
    let kind =
        found.ok_or_else(|| errors::argument(format!("unknown checksum type {kind}; krb5.ChecksumType lists them")))?;
    let made = kind.unkeyed(backend(), input::bytes(data)?.as_bytes());
    Ok(PyBytes::new(py, &made.map_err(|error| failure::crypto(py, &error))?))
}

/// Computes n-fold (RFC 3961 §5.1).
#[pyfunction]
fn krb5_n_fold<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, length: u16) -> PyResult<Bound<'py, PyBytes>> {
    let data = input::bytes(data)?;
    // The work is that of the least common multiple of both lengths.
    if data.as_bytes().len() > 1024 || length > 1024 {
        return Err(errors::argument("n-fold is limited to inputs and outputs of 1,024 bytes"));
    }
    Ok(PyBytes::new(py, n_fold(data.as_bytes(), usize::from(length)).expose()))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Key>()?;
    module.add_function(wrap_pyfunction!(krb5_enctypes, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_enctype, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_checksum_types, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_unkeyed, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_n_fold, module)?)
}
