//! Signers: keys of the embedded backend, and Python functions that use other keys.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::Decode;
use tagwise::crypto::{CallbackSigner, Error, ErrorKind, KeySigner, Scheme, Signer};
use tagwise::pkix::AlgorithmIdentifier;

use super::failure;
use crate::key::PrivateKey;
use crate::{errors, input};

/// Creates a signer from a key or a signing function, its public key, and its signature algorithm.
pub(super) fn made(key: &Bound<'_, PyAny>, public_key_info: &[u8], algorithm: &[u8]) -> PyResult<Box<dyn Signer>> {
    let py = key.py();
    let algorithm = AlgorithmIdentifier::from_der(algorithm).map_err(|error| errors::decoding(py, &error))?;
    let scheme = Scheme::of(&algorithm).map_err(|error| failure::crypto(py, &error))?;
    if let Ok(key) = key.cast::<PrivateKey>() {
        let signer = KeySigner::new(key.get().inner(), scheme).map_err(|error| failure::crypto(py, &error))?;
        return Ok(Box::new(signer));
    }
    let ask = key.clone().unbind();
    let asked = move |message: &[u8]| {
        Python::attach(|py| {
            let signed = ask.bind(py).call1((PyBytes::new(py, message),)).and_then(|signed| input::bytes(&signed));
            let signed = signed.map(|signed| signed.as_bytes().to_vec());
            signed.map_err(|error| Error::new(ErrorKind::Failed, "the key's own function").because(error))
        })
    };
    let signer = CallbackSigner::new(scheme, public_key_info.to_vec(), asked);
    Ok(Box::new(signer.map_err(|error| failure::crypto(py, &error))?))
}
