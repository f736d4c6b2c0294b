//! Decodes parts of a value with the same rules as the value itself. Deferred parts would otherwise be decoded strictly.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::table::Typed;
use tagwise::codec::{Any, Decode, Deviation, Error, Fault, Options, Reader, Session, Tag, ber, encode};
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::errors;
use crate::value::element;

/// Decodes a complete part that starts at `base` in the enclosing value.
pub(crate) fn with_reader<'a, T>(
    content: &'a [u8],
    base: usize,
    options: &Options<'_>,
    read: impl FnOnce(&mut Reader<'a, '_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let session = Session::new(*options);
    let mut reader = Reader::with_session(content, &session)?.at_base(base).outlined();
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// Decodes the items of a SEQUENCE OF or SET OF from its content.
pub(crate) fn items<'a, T: Decode<'a>>(
    content: Option<&'a [u8]>,
    base: usize,
    options: &Options<'_>,
) -> Result<Vec<T>, Error> {
    let content = content.unwrap_or_default();
    let read = with_reader(content, base, options, |reader| {
        let mut items = Vec::new();
        while !reader.is_empty() {
            items.push(T::decode(reader)?);
        }
        Ok(items)
    });
    read.map_err(|fault| Error::locate_at(fault, T::ty(), content, base))
}

/// Returns the deviations in a complete value. If violations of named rules are tolerated and everything is readable, the list includes
/// deviations inside names, extensions and other deferred parts.
pub(crate) fn deviations<'a, T: Decode<'a> + Typed>(
    outlined: Vec<Deviation>,
    octets: &'a [u8],
    options: &Options<'_>,
    allow: &[String],
) -> Vec<Deviation> {
    if allow.is_empty() {
        return outlined;
    }
    options.decode::<T>(octets).map_or(outlined, |read| read.deviations)
}

/// Returns an algorithm in DER, regardless of the encoding that it was read from.
pub(crate) fn algorithm<'py>(
    py: Python<'py>,
    algorithm: &AlgorithmIdentifier<'_>,
    options: &Options<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    match encode(algorithm) {
        Ok(der) => Ok(PyBytes::new(py, &der)),
        Err(_) => canonical(py, AlgorithmIdentifier::ty(), &loose(py, algorithm)?, options),
    }
}

/// Returns a key in DER, regardless of the encoding that it was read from.
pub(crate) fn key<'py>(
    py: Python<'py>,
    key: &SubjectPublicKeyInfo<'_>,
    options: &Options<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(der) = encode(key) {
        return Ok(PyBytes::new(py, &der));
    }
    let bits = encode(&key.subject_public_key).map_err(|error| errors::encoding(py, &error))?;
    let octets = element(py, Tag::SEQUENCE, &[loose(py, &key.algorithm)?, bits].concat())?;
    canonical(py, SubjectPublicKeyInfo::ty(), &octets, options)
}

/// Encodes an algorithm, leaving its parameters unchanged.
fn loose(py: Python<'_>, algorithm: &AlgorithmIdentifier<'_>) -> PyResult<Vec<u8>> {
    let oid = encode(&algorithm.algorithm).map_err(|error| errors::encoding(py, &error))?;
    let parameters = algorithm.parameters.as_ref().map(Any::as_bytes).unwrap_or_default();
    element(py, Tag::SEQUENCE, &[&oid, parameters].concat())
}

fn canonical<'py>(
    py: Python<'py>,
    ty: &'static tagwise::codec::table::Type,
    octets: &[u8],
    options: &Options<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let made = ber::to_der_as(ty, None, octets, options).map_err(|error| errors::decoding(py, &error))?;
    Ok(PyBytes::new(py, &made.bytes))
}
