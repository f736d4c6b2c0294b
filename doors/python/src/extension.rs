//! Extensions: as lists, and with values decoded according to the object set of their types.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::table::{Type, Typed as _};
use tagwise::codec::{Any, Decode as _, Error, OctetStr, Oid, OpenType, Options, Rule, SeqOf, encode};
use tagwise::pkix::ext::{self, ExtensionValue, Sct, SctList, SctV1};
use tagwise::pkix::{Extension, Extensions, ocsp};

use crate::{errors, input, lenient, named};

/// An extension: its identifier, criticality, and value.
pub(crate) type Given = (String, bool, Vec<u8>);

/// Returns the type of an extension's value.
pub(crate) fn selected(oid: &[u8]) -> Option<&'static Type> {
    if oid == ocsp::ID_PKIX_OCSP_NONCE.as_bytes() {
        return Some(ocsp::Nonce::ty());
    }
    if oid == ocsp::ID_PKIX_OCSP_RESPONSE.as_bytes() {
        return Some(ocsp::AcceptableResponses::ty());
    }
    // Rare ones are in no object set: certificates with them are read, whatever their values are.
    let rare = || ext::RARE.iter().find(|(id, _)| id.as_bytes() == oid).map(|(_, ty)| ty());
    ExtensionValue::set().find(oid).and_then(|object| object.ty.get(None)).or_else(rare)
}

/// The outer structure of an extension.
pub(crate) struct Frame<'a> {
    pub(crate) oid: Oid<'a>,
    pub(crate) critical: bool,
    /// The value, or the error in the outer structure if only a lenient decoder accepts it.
    pub(crate) value: Result<&'a [u8], PyErr>,
    /// The offset of the extension's value in the object that contains the list.
    pub(crate) offset: usize,
}

impl<'a> Frame<'a> {
    fn of(extension: &Extension<'a>, wrong: Option<PyErr>) -> Self {
        Self {
            oid: extension.extn_id,
            critical: extension.critical,
            value: wrong.map_or(Ok(extension.extn_value.as_bytes()), Err),
            offset: extension.extn_value.offset(),
        }
    }

    /// Returns the value, or the exception that replaces it.
    fn into_value(self, py: Python<'_>) -> Bound<'_, PyAny> {
        match self.value {
            Ok(der) => PyBytes::new(py, der).into_any(),
            Err(error) => error.into_value(py).into_bound(py).into_any(),
        }
    }
}

/// Splits a list of extensions, with the offset of each value. `base` is the offset, in the enclosing value, of the input
/// from which the list was read. Offsets of errors in the list are also relative to the enclosing value.
///
/// If only a lenient decoder accepts an extension's outer structure, the error replaces its value, so that it does not hide
/// the other extensions. If not even a lenient decoder accepts it, the whole list fails.
pub(crate) fn listed<'a>(
    extensions: Option<&Extensions<'a>>,
    base: usize,
    options: &Options<'_>,
    located: impl Fn(&Error) -> PyErr,
) -> PyResult<Vec<Frame<'a>>> {
    let Some(extensions) = extensions.map(Extensions::as_seq_of) else { return Ok(Vec::new()) };
    let (content, base) = (extensions.content(), extensions.offset().saturating_add(base));
    let wrong = match lenient::items::<Extension<'_>>(content, base, options) {
        Ok(read) => return Ok(read.iter().map(|extension| Frame::of(extension, None)).collect()),
        Err(error) => error,
    };
    let tolerant = FRAME.iter().fold(*options, |options, rule| options.allow(rule));
    let Ok(read) = lenient::items::<Extension<'_>>(content, base, &tolerant) else { return Err(located(&wrong)) };
    let frames = lenient::items::<Any<'_>>(content, base, &tolerant).map_err(|error| located(&error))?;
    let read = read.iter().zip(frames).map(|(extension, frame)| {
        let strict = lenient::with_reader(frame.as_bytes(), frame.offset(), options, Extension::decode);
        let wrong = strict
            .err()
            .map(|fault| located(&Error::locate_at(fault, Extension::ty(), frame.as_bytes(), frame.offset())));
        Frame::of(extension, wrong)
    });
    Ok(read.collect())
}

/// The rules that an extension's outer structure can violate while its identifier and value remain readable.
const FRAME: [&Rule; 5] =
    [&Rule::DEFAULT_ENCODED, &Rule::BOOLEAN_VALUE, &Rule::LONG_LENGTH, &Rule::EXTRA_COMPONENTS, &Rule::OID_PADDED];

/// An extension as a row: its dotted identifier, criticality, value (or the exception that replaces it), and offset.
type Placed<'py> = (String, bool, Bound<'py, PyAny>, usize);

/// Converts extensions to tuples for Python.
pub(crate) fn rows<'py>(py: Python<'py>, frames: Vec<Frame<'_>>) -> Vec<Placed<'py>> {
    let row = |frame: Frame<'_>| (frame.oid.to_string(), frame.critical, frame.offset, frame.into_value(py));
    frames.into_iter().map(row).map(|(oid, critical, offset, value)| (oid, critical, value, offset)).collect()
}

/// Converts extensions to a Python list of tuples.
pub(crate) fn told<'py>(py: Python<'py>, frames: Vec<Frame<'_>>) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, rows(py, frames))
}

/// Reads the extensions in an encoded list.
#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn read_extensions<'py>(py: Python<'py>, der: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyList>> {
    let der = input::bytes(der)?;
    let options = input::options(&allow)?;
    let read = options.outline::<Extensions<'_>>(der.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    told(py, listed(Some(&read.value), 0, &options, |error| errors::decoding(py, error))?)
}

/// An extension whose value is bytes.
#[derive(tagwise::Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Extension")]
struct Plain<'a> {
    #[asn1(name = "extnID")]
    extn_id: Oid<'a>,
    #[asn1(default = false)]
    critical: bool,
    extn_value: OctetStr<'a>,
}

/// Encodes a list of triples, or returns `None` if it is empty.
pub(crate) fn written(py: Python<'_>, given: &[Given]) -> PyResult<Option<Vec<u8>>> {
    let oids = given.iter().map(|(oid, ..)| input::oid(oid)).collect::<PyResult<Vec<_>>>()?;
    let mut list = Vec::with_capacity(given.len());
    for ((_, critical, value), oid) in given.iter().zip(&oids) {
        let extn_id = Oid::from_content(oid).map_err(|fault| errors::argument(fault.kind().text()))?;
        list.push(Plain { extn_id, critical: *critical, extn_value: OctetStr::new(value) });
    }
    let encoded = encode(&SeqOf::from_slice(&list)).map_err(|error| errors::encoding(py, &error))?;
    Ok((!list.is_empty()).then_some(encoded))
}

#[pyfunction]
fn write_extensions<'py>(py: Python<'py>, given: Vec<Given>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    Ok(written(py, &given)?.map(|der| PyBytes::new(py, &der)))
}

/// Decodes the value of an extension whose type is known, without the package's classes. Returns `None` for other extensions.
#[pyfunction]
#[pyo3(signature = (oid, der, allow = Vec::new()))]
fn decode_extension<'py>(
    py: Python<'py>,
    oid: &str,
    der: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    selected(&input::oid(oid)?).map(|ty| named::read(py, ty, der, input::allowed(&allow)?)).transpose()
}

/// Reads a list of SCTs (RFC 6962 §3.3): version, log, milliseconds since 1970, extensions, two algorithms, signature, and the complete
/// encoding.
#[pyfunction]
fn read_scts<'py>(py: Python<'py>, list: &[u8]) -> PyResult<Bound<'py, PyList>> {
    let scts = SctList(OctetStr::new(list));
    let list = PyList::empty(py);
    for sct in scts.iter() {
        match sct {
            Sct::V1(sct) => list.append((
                0,
                PyBytes::new(py, sct.log_id),
                sct.timestamp,
                PyBytes::new(py, sct.extensions),
                sct.hash_algorithm,
                sct.signature_algorithm,
                PyBytes::new(py, sct.signature),
            ))?,
            Sct::Unknown { version, bytes } => {
                list.append((version, PyBytes::new(py, bytes), 0, PyBytes::new(py, &[]), 0, 0, PyBytes::new(py, &[])))?;
            }
            _ => {}
        }
    }
    Ok(list)
}

type GivenSct = (u8, Vec<u8>, u64, Vec<u8>, u8, u8, Vec<u8>);

/// Encodes a list of SCTs in the form that `read_scts` returns.
#[pyfunction]
fn write_scts<'py>(py: Python<'py>, given: Vec<GivenSct>) -> PyResult<Bound<'py, PyBytes>> {
    let scts =
        given.iter().map(|(version, log_id, timestamp, extensions, hash_algorithm, signature_algorithm, signature)| {
            if *version != 0 {
                return Ok(Sct::Unknown { version: *version, bytes: log_id });
            }
            let wrong = || errors::argument(format!("the log ID has {} bytes, expected 32", log_id.len()));
            let log_id = log_id.as_slice().try_into().ok().ok_or_else(wrong)?;
            Ok(Sct::V1(SctV1 {
                log_id,
                timestamp: *timestamp,
                extensions,
                hash_algorithm: *hash_algorithm,
                signature_algorithm: *signature_algorithm,
                signature,
            }))
        });
    let scts = scts.collect::<PyResult<Vec<Sct<'_>>>>()?;
    let list = SctList::bytes_of(&scts).ok_or_else(|| errors::argument("the timestamps are too long for a list"))?;
    Ok(PyBytes::new(py, &list))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_extensions, module)?)?;
    module.add_function(wrap_pyfunction!(write_extensions, module)?)?;
    module.add_function(wrap_pyfunction!(decode_extension, module)?)?;
    module.add_function(wrap_pyfunction!(read_scts, module)?)?;
    module.add_function(wrap_pyfunction!(write_scts, module)?)
}
