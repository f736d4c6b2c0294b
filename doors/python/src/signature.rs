//! Signature verification with the embedded backend.

use pyo3::prelude::*;
use tagwise::codec::Decode;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::{ErrorKind, verify};
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::{errors, input};

/// Verifies a signature. Returns `right`, `wrong`, `unsupported` if the backend does not support the algorithm, or a description of what
/// is wrong with the key or the parameters.
#[pyfunction]
fn check_signature(
    py: Python<'_>,
    public_key_info: &Bound<'_, PyAny>,
    algorithm: &Bound<'_, PyAny>,
    message: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let (key, algorithm) = (input::bytes(public_key_info)?, input::bytes(algorithm)?);
    let (message, signature) = (input::bytes(message)?, input::bytes(signature)?);
    let key = SubjectPublicKeyInfo::from_der(key.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    let algorithm =
        AlgorithmIdentifier::from_der(algorithm.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    let (message, signature) = (message.as_bytes(), signature.as_bytes());
    Ok(match py.detach(|| verify(&AwsLc::new(), &key, &algorithm, message, signature)) {
        Ok(()) => "right".to_owned(),
        Err(error) => match error.kind() {
            ErrorKind::Signature => "wrong".to_owned(),
            ErrorKind::Unsupported | ErrorKind::NotOffered | ErrorKind::Legacy | ErrorKind::KeySize => {
                "unsupported".to_owned()
            }
            _ => error.to_string(),
        },
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_signature, module)?)
}
