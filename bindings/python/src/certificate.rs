//! Certificates: their fields as plain values. The package's class derives from this one.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::table::{Type, Typed as _};
use tagwise::codec::{Decode as _, Deviation, Options, Tag, encode};
use tagwise::pkix::{AlgorithmIdentifier, Certificate as Parsed, CertificateBuf, Name};

use crate::{errors, extension, input};

/// A certificate, parsed, with its bytes.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(crate) struct Certificate {
    inner: CertificateBuf,
    deviations: Vec<Deviation>,
}

impl Certificate {
    fn parsed(&self) -> &Parsed<'_> {
        self.inner.get()
    }
}

pub(crate) fn encoded<'py>(
    py: Python<'py>,
    value: &(impl tagwise::codec::Encode + ?Sized),
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &encode(value).map_err(|error| errors::encoding(py, &error))?))
}

/// A name as it was read, which may be wrong inside, and where it stands.
pub(crate) fn name<'py>(py: Python<'py>, name: &Name<'_>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
    let content = name.0.content().unwrap_or_default();
    let der = crate::value::element(py, Tag::SEQUENCE, content)?;
    let header = der.len().saturating_sub(content.len());
    Ok((PyBytes::new(py, &der), name.0.offset().saturating_sub(header)))
}

/// Checks an algorithm's parameters, which an outline does not look into, and lists what of them is tolerated.
pub(crate) fn check_algorithm(
    py: Python<'_>,
    options: &Options<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    whole: (&'static Type, &[u8]),
    deviations: &mut Vec<Deviation>,
) -> PyResult<()> {
    let Some(parameters) = &algorithm.parameters else { return Ok(()) };
    let der = encode(algorithm).map_err(|error| errors::encoding(py, &error))?;
    let before = der.len().saturating_sub(parameters.as_bytes().len());
    let base = parameters.offset().saturating_sub(before);
    match options.decode::<AlgorithmIdentifier<'_>>(&der) {
        Ok(read) => {
            let moved = |found: Deviation| Deviation { offset: found.offset.saturating_add(base), ..found };
            deviations.extend(read.deviations.into_iter().map(moved));
            Ok(())
        }
        Err(error) => Err(errors::moved(py, &error, base, whole)),
    }
}

pub(crate) fn told<'py>(py: Python<'py>, deviations: &[Deviation]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, deviations.iter().map(|found| (found.rule.name, found.offset, found.rule.clause)))
}

#[pymethods]
impl Certificate {
    #[new]
    #[pyo3(signature = (data, *, allow = Vec::new()))]
    fn new(data: &Bound<'_, PyAny>, allow: Vec<String>) -> PyResult<Self> {
        let data_bytes = input::bytes(data)?;
        let der = data_bytes.as_bytes();
        let py = data.py();
        let options = input::options(&allow)?;
        let mut deviations = Vec::new();
        // Most have nothing to list, and are read once.
        let inner = match CertificateBuf::outline(der) {
            Ok(inner) => inner,
            Err(_) => {
                let read = options.outline::<Parsed<'_>>(der).map_err(|error| errors::decoding(py, &error))?;
                deviations = read.deviations;
                CertificateBuf::outline_with(der, &options).map_err(|error| errors::decoding(py, &error))?
            }
        };
        let whole = (Parsed::ty(), der);
        let parsed = inner.get();
        check_algorithm(py, &options, &parsed.tbs_certificate.signature, whole, &mut deviations)?;
        check_algorithm(py, &options, &parsed.signature_algorithm, whole, &mut deviations)?;
        Ok(Self { inner, deviations })
    }

    #[getter]
    fn _der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_der())
    }

    #[getter]
    fn _deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        told(py, &self.deviations)
    }

    /// Checks every byte, and tells what is wrong first.
    fn _check(&self, py: Python<'_>) -> PyResult<()> {
        Parsed::from_der(self.inner.as_der()).map(|_| ()).map_err(|error| errors::decoding(py, &error))
    }

    #[getter]
    fn _version(&self) -> u8 {
        self.parsed().tbs_certificate.version.0
    }

    #[getter]
    fn _serial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        input::number(py, self.parsed().tbs_certificate.serial_number.0.as_bytes())
    }

    #[getter]
    fn _not_before(&self) -> i64 {
        self.parsed().tbs_certificate.validity.not_before.unix()
    }

    #[getter]
    fn _not_after(&self) -> i64 {
        self.parsed().tbs_certificate.validity.not_after.unix()
    }

    #[getter]
    fn _issuer<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        name(py, &self.parsed().tbs_certificate.issuer)
    }

    #[getter]
    fn _subject<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        name(py, &self.parsed().tbs_certificate.subject)
    }

    #[getter]
    fn _public_key_info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        encoded(py, &self.parsed().tbs_certificate.subject_public_key_info)
    }

    #[getter]
    fn _key_algorithm(&self) -> String {
        self.parsed().tbs_certificate.subject_public_key_info.algorithm.algorithm.to_string()
    }

    #[getter]
    fn _key_bits<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed().tbs_certificate.subject_public_key_info.subject_public_key.as_bytes())
    }

    /// The algorithm that the signed part names, and the one that stands outside it.
    #[getter]
    fn _algorithms<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let parsed = self.parsed();
        Ok((encoded(py, &parsed.tbs_certificate.signature)?, encoded(py, &parsed.signature_algorithm)?))
    }

    #[getter]
    fn _signature_algorithm(&self) -> String {
        self.parsed().signature_algorithm.algorithm.to_string()
    }

    #[getter]
    fn _signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed().signature_value.as_bytes())
    }

    #[getter]
    fn _tbs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed().tbs_certificate.as_bytes())
    }

    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        extension::listed(py, self.parsed().tbs_certificate.extensions.as_ref())
    }

    /// The signed part without the extension of an identifier.
    fn _tbs_without<'py>(&self, py: Python<'py>, oid: &str) -> PyResult<Bound<'py, PyBytes>> {
        let left_out = input::oid(oid)?;
        let mut tbs = self.parsed().tbs_certificate.into_value();
        let mut kept = Vec::new();
        for extension in tbs.extensions.into_iter().flat_map(|extensions| extensions.iter()) {
            let extension = extension.map_err(|error| errors::decoding(py, &error))?;
            if extension.extn_id.as_bytes() != left_out {
                kept.push(extension);
            }
        }
        tbs.extensions = tagwise::pkix::Extensions::new(&kept);
        encoded(py, &tbs)
    }

    /// What RFC 5280 is not kept to: lint, severity, clause, offset, and what it says.
    fn _lint(&self) -> Vec<(&'static str, &'static str, &'static str, usize, &'static str)> {
        use tagwise::pkix::lint;
        let parsed = self.parsed();
        let findings = lint::certificate(parsed, &lint::Options::all());
        findings
            .iter()
            .map(|found| {
                let lint = found.lint;
                (lint.id, lint.severity.name(), lint.clause, found.offset, lint.title)
            })
            .collect()
    }

    /// The path of the component that a byte belongs to.
    fn _path_at(&self, offset: usize) -> String {
        tagwise::codec::path_at(Parsed::ty(), self.inner.as_der(), offset)
    }
}
