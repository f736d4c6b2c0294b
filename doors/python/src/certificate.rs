//! Certificates with their fields as plain values. The package adds methods to the class, and creates the fields' objects.

use std::sync::OnceLock;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};
use self_cell::self_cell;
use tagwise::codec::table::Typed as _;
use tagwise::codec::{CivilTime, Decode as _, Deviation, Error, Oid, Options, Rule, Tag, encode};
use tagwise::pkix::{AlgorithmIdentifier, Certificate as Parsed, Name, oids};

use crate::extensions::{self, Context};
use crate::fields::Later;
use crate::work::shared;
use crate::{budget, errors, extension, input, lenient, lint, name, objects, times};

self_cell!(
    struct Cell {
        owner: PyBackedBytes,
        #[covariant]
        dependent: Parsed,
    }
);

/// A certificate: its bytes, which Python owns, and its fields, which are decoded on demand.
///
/// The outer structure is checked on creation, and decoded again into `cell` on first access to a field. A caller that only
/// checks or forwards a certificate does not pay for the fields.
#[pyclass(frozen, module = "tagwise.x509.base")]
pub(crate) struct Certificate {
    der: PyBackedBytes,
    cell: OnceLock<Cell>,
    /// The tolerated deviations. `None` for strict DER that complies with RFC 5280.
    departing: Option<Box<Departing>>,
    /// True if the certificate causes a warning: it has a deviation, or its serial number is zero.
    is_odd: bool,
    made: Made,
}

/// The deviations that were tolerated, and the options that tolerated them.
struct Departing {
    deviations: Vec<Deviation>,
    options: Options<'static>,
    /// The names of the rules whose violations are tolerated, in addition to the default ones.
    allow: Vec<String>,
}

/// The field objects created by the package. Each is created once and cached.
struct Made {
    serial_number: Later,
    issuer: Later,
    subject: Later,
    not_valid_before: Later,
    not_valid_after: Later,
    extensions: Later,
    signature_algorithm: Later,
    signature_hash: Later,
    public_key: Later,
}

impl Made {
    const fn new() -> Self {
        Self {
            serial_number: Later::new(),
            issuer: Later::new(),
            subject: Later::new(),
            not_valid_before: Later::new(),
            not_valid_after: Later::new(),
            extensions: Later::new(),
            signature_algorithm: Later::new(),
            signature_hash: Later::new(),
            public_key: Later::new(),
        }
    }
}

/// Returns a cached field. On first access, a method of the package's class creates it.
fn kept<'py>(
    certificate: &Bound<'py, Certificate>,
    field: fn(&Made) -> &Later,
    method: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = certificate.py();
    field(&certificate.get().made).get_or_make(py, || certificate.call_method0(method))
}

impl Certificate {
    fn parsed(&self, py: Python<'_>) -> PyResult<&Parsed<'_>> {
        if let Some(cell) = self.cell.get() {
            return Ok(cell.borrow_dependent());
        }
        let cell = Cell::try_new(self.der.clone_ref(py), |der| match &self.departing {
            None => Parsed::outline(der),
            Some(departing) => departing.options.outline::<Parsed<'_>>(der).map(|read| read.value),
        });
        let cell = cell.map_err(|error| errors::decoding(py, &error))?;
        Ok(self.cell.get_or_init(|| cell).borrow_dependent())
    }

    /// Returns the options with which the certificate was read.
    fn options(&self) -> PyResult<Options<'static>> {
        self.departing.as_ref().map_or_else(input::listing, |departing| Ok(departing.options))
    }

    fn deviations(&self) -> &[Deviation] {
        self.departing.as_ref().map(|departing| departing.deviations.as_slice()).unwrap_or_default()
    }

    /// Creates the exception for an error in a part whose offsets are relative to the certificate.
    fn located(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::in_whole::<Parsed<'_>>(py, error, &self.der, &self.options().unwrap_or(input::LISTING))
    }

    /// Creates a certificate from its bytes and the result of reading them.
    fn of_read(py: Python<'_>, der: PyBackedBytes, read: Result<Read, Wrong>, allow: &[String]) -> PyResult<Self> {
        let Read { version, is_odd, departing } = match read {
            Ok(read) => read,
            // Which version it is, is part of the exception.
            Err(Wrong::Whole(error)) if is_version(&error) => {
                let options = input::options(allow)?.allow(&Rule::VALUE);
                Read::of(&der, options, allow).map_err(|wrong| wrong.told(py, &der))?
            }
            Err(wrong) => return Err(wrong.told(py, &der)),
        };
        match version {
            0 | 2 => Ok(Self { der, cell: OnceLock::new(), departing, is_odd, made: Made::new() }),
            version => Err(errors::version(py, &format!("{version} is not a valid X509 version"), version)),
        }
    }

    fn of(data: &Bound<'_, PyAny>, allow: &[String]) -> PyResult<Self> {
        let der = input::own_bytes(data)?;
        let options = if allow.is_empty() { input::listing()? } else { input::options(allow)? };
        let read = Read::of(&der, options, allow);
        Self::of_read(data.py(), der, read, allow)
    }
}

/// The results of reading a certificate.
struct Read {
    version: u8,
    is_odd: bool,
    departing: Option<Box<Departing>>,
}

impl Read {
    /// Checks the outer structure and both algorithms.
    fn of(der: &[u8], options: Options<'static>, allow: &[String]) -> Result<Self, Wrong> {
        let mut deviations = Vec::new();
        // Most have nothing to list, and are read once.
        let parsed = match Parsed::outline(der) {
            Ok(parsed) => parsed,
            Err(_) => {
                let read = options.outline::<Parsed<'_>>(der).map_err(Wrong::Whole)?;
                deviations = read.deviations;
                read.value
            }
        };
        check_algorithm(&options, &parsed.tbs_certificate.signature, &mut deviations)?;
        check_algorithm(&options, &parsed.signature_algorithm, &mut deviations)?;
        let version = parsed.tbs_certificate.version.0;
        let is_zero = parsed.tbs_certificate.serial_number.0.as_bytes() == [0];
        if deviations.is_empty() && allow.is_empty() {
            return Ok(Self { version, is_odd: is_zero, departing: None });
        }
        let deviations = lenient::deviations::<Parsed<'_>>(deviations, der, &options, allow);
        let is_odd = is_zero || !deviations.is_empty();
        let departing = Departing { deviations, options, allow: allow.to_vec() };
        Ok(Self { version, is_odd, departing: Some(Box::new(departing)) })
    }
}

/// Loads a DER-encoded certificate from any buffer.
#[pyfunction]
#[pyo3(signature = (data, backend = None, *, allow = None))]
pub(crate) fn load_der_x509_certificate<'py>(
    data: &Bound<'py, PyAny>,
    backend: Option<&Bound<'py, PyAny>>,
    allow: Option<Vec<String>>,
) -> PyResult<Bound<'py, Certificate>> {
    let (py, _) = (data.py(), backend);
    let certificate = Certificate::of(data, allow.as_deref().unwrap_or_default())?;
    let is_odd = certificate.is_odd;
    let certificate = Bound::new(py, certificate)?;
    if is_odd {
        py.import("tagwise.x509.base")?.getattr("warn_of_odd")?.call1((&certificate,))?;
    }
    Ok(certificate)
}

pub(crate) fn encoded<'py>(
    py: Python<'py>,
    value: &(impl tagwise::codec::Encode + ?Sized),
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &encode(value).map_err(|error| errors::encoding(py, &error))?))
}

/// Returns a name's encoding and its offset. The content is not validated.
pub(crate) fn placed<'py>(py: Python<'py>, name: &Name<'_>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
    let content = name.0.content().unwrap_or_default();
    let der = crate::value::element(py, Tag::SEQUENCE, content)?;
    let header = der.len().saturating_sub(content.len());
    Ok((PyBytes::new(py, &der), name.0.offset().saturating_sub(header)))
}

/// The Python objects for versions 1 and 3.
static VERSIONS: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();

/// Converts a time to a Python `datetime` in UTC.
pub(crate) fn moment(py: Python<'_>, time: CivilTime) -> PyResult<Bound<'_, PyAny>> {
    // Python has no leap seconds and no year 0: one is the second that follows, the other an exception.
    if time.year() == 0 || time.second() > 59 {
        return py.import("tagwise.x509._times")?.getattr("utc")?.call1((time.unix().0,));
    }
    times::moment(py, time.unix(), 0)
}

/// Returns whether an error is about the version number.
fn is_version(error: &Error) -> bool {
    error.path() == "tbsCertificate.version" && error.code() == "value"
}

/// The error in a certificate, or in a part that starts at an offset.
pub(crate) enum Wrong {
    Whole(Error),
    Part(Error, usize),
}

impl Wrong {
    pub(crate) fn told(&self, py: Python<'_>, der: &[u8]) -> PyErr {
        match self {
            Self::Whole(error) => errors::decoding(py, error),
            Self::Part(error, base) => errors::moved_part(py, error, *base, (Parsed::ty(), der)),
        }
    }
}

/// Reads many certificates on all processors, with the GIL released. Returns each certificate or its exception.
#[pyfunction]
pub(crate) fn read_many<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyList>> {
    let options = input::options(&allow)?;
    let held = data.try_iter()?.map(|one| input::own_bytes(&one?)).collect::<PyResult<Vec<_>>>()?;
    let ders: Vec<&[u8]> = held.iter().map(|one| &**one).collect();
    let read = py.detach(|| shared(&ders, &|der| Read::of(der, options, &allow)))?;
    let list = PyList::empty(py);
    for (read, der) in read.into_iter().zip(held) {
        match Certificate::of_read(py, der, read, &allow) {
            Ok(certificate) => list.append(Bound::new(py, certificate)?)?,
            Err(error) => list.append(error.into_value(py))?,
        }
    }
    Ok(list)
}

/// Signature algorithms whose parameters are NULL (RFC 4055 §5).
const WITH_NULL: [Oid<'static>; 4] = [
    oids::SHA256_WITH_RSA_ENCRYPTION,
    oids::SHA384_WITH_RSA_ENCRYPTION,
    oids::SHA512_WITH_RSA_ENCRYPTION,
    oids::SHA1_WITH_RSA_ENCRYPTION,
];

/// Checks an algorithm's parameters, which an outline does not decode, and records the tolerated deviations.
fn check_algorithm(
    options: &Options<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    deviations: &mut Vec<Deviation>,
) -> Result<(), Wrong> {
    let Some(parameters) = &algorithm.parameters else { return Ok(()) };
    // As they mostly are, and should be.
    if parameters.as_bytes() == [0x05, 0x00] && WITH_NULL.contains(&algorithm.algorithm) {
        return Ok(());
    }
    // What was read is encoded again; whatever is not, cannot be checked further.
    let Ok(der) = encode(algorithm) else { return Ok(()) };
    let before = der.len().saturating_sub(parameters.as_bytes().len());
    let base = parameters.offset().saturating_sub(before);
    match options.decode::<AlgorithmIdentifier<'_>>(&der) {
        Ok(read) => {
            let moved = |found: Deviation| Deviation { offset: found.offset.saturating_add(base), ..found };
            deviations.extend(read.deviations.into_iter().map(moved));
            Ok(())
        }
        Err(error) => Err(Wrong::Part(error, base)),
    }
}

pub(crate) fn told<'py>(py: Python<'py>, deviations: &[Deviation]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, deviations.iter().map(|found| (found.rule.name, found.offset, found.rule.clause)))
}

#[pymethods]
impl Certificate {
    #[new]
    #[pyo3(signature = (data, *, allow = None))]
    fn new(data: &Bound<'_, PyAny>, allow: Option<Vec<String>>) -> PyResult<Self> {
        Self::of(data, allow.as_deref().unwrap_or_default())
    }

    #[getter]
    fn _allow(&self) -> Vec<String> {
        self.departing.as_ref().map(|departing| departing.allow.clone()).unwrap_or_default()
    }

    /// The certificate's version.
    #[getter]
    fn version<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let load = || -> PyResult<[Py<PyAny>; 2]> {
            let class = py.import("tagwise.x509.base")?.getattr("Version")?;
            Ok([class.getattr("v1")?.unbind(), class.getattr("v3")?.unbind()])
        };
        let [v1, v3] = VERSIONS.get_or_try_init(py, load)?;
        // There are no others, or it would not have been made.
        Ok(if own.parsed(py)?.tbs_certificate.version.0 == 0 { v1 } else { v3 }.bind(py).clone())
    }

    /// The serial number. Causes a warning if it is not positive.
    #[getter]
    fn serial_number<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let content = own.parsed(py)?.tbs_certificate.serial_number.0.as_bytes();
        if content.first().is_none_or(|first| first & 0x80 != 0) || content == [0] {
            return slf.call_method0(intern!(py, "_odd_serial_number"));
        }
        own.made.serial_number.get_or_make(py, || input::number(py, content))
    }

    /// The issuer's distinguished name.
    #[getter]
    fn issuer<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let make = || match name::Name::usual(py, &own.parsed(py)?.tbs_certificate.issuer)? {
            Some(name) => Ok(name),
            None => slf.call_method0(intern!(py, "_make_issuer")),
        };
        own.made.issuer.get_or_make(py, make)
    }

    /// The subject's distinguished name.
    #[getter]
    fn subject<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let make = || match name::Name::usual(py, &own.parsed(py)?.tbs_certificate.subject)? {
            Some(name) => Ok(name),
            None => slf.call_method0(intern!(py, "_make_subject")),
        };
        own.made.subject.get_or_make(py, make)
    }

    /// The start of the validity period.
    #[getter]
    fn not_valid_before_utc<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let time = own.parsed(py)?.tbs_certificate.validity.not_before;
        own.made.not_valid_before.get_or_make(py, || moment(py, time.civil()))
    }

    /// The end of the validity period.
    #[getter]
    fn not_valid_after_utc<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let time = own.parsed(py)?.tbs_certificate.validity.not_after;
        own.made.not_valid_after.get_or_make(py, || moment(py, time.civil()))
    }

    /// The certificate's extensions.
    #[getter]
    fn extensions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.extensions, intern!(slf.py(), "_make_extensions"))
    }

    /// The object identifier of the signature algorithm.
    #[getter]
    fn signature_algorithm_oid<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let make = || objects::identifier(py, own.parsed(py)?.signature_algorithm.algorithm);
        own.made.signature_algorithm.get_or_make(py, make)
    }

    /// The hash of the signature, as an object of `cryptography`, or None if the algorithm has none.
    #[getter]
    fn signature_hash_algorithm<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.signature_hash, intern!(slf.py(), "_signature_hash"))
    }

    /// Returns the public key: a `cryptography` key if that package is installed, otherwise a `tagwise.keys.PublicKey`.
    fn public_key<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.public_key, intern!(slf.py(), "_make_public_key"))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Made { issuer, subject, extensions, signature_algorithm, signature_hash, public_key, .. } = &self.made;
        let made = [issuer, subject, extensions, signature_algorithm, signature_hash, public_key];
        made.iter().try_for_each(|made| made.traverse(&visit))
    }

    #[getter]
    fn _der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok((&self.der).into_pyobject(py)?.into_any())
    }

    #[getter]
    fn _deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        told(py, self.deviations())
    }

    /// Checks all bytes with the rules with which the certificate was read, and raises the first error.
    fn _check(&self, py: Python<'_>) -> PyResult<()> {
        // Most are strict DER, which is read sooner than what options tolerate.
        if !budget::is_limited() && Parsed::from_der(&self.der).is_ok() {
            return Ok(());
        }
        let checked = self.options()?.decode::<Parsed<'_>>(&self.der);
        checked.map(|_| ()).map_err(|error| errors::decoding(py, &error))
    }

    #[getter]
    fn _version(&self, py: Python<'_>) -> PyResult<u8> {
        Ok(self.parsed(py)?.tbs_certificate.version.0)
    }

    #[getter]
    fn _serial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        input::number(py, self.parsed(py)?.tbs_certificate.serial_number.0.as_bytes())
    }

    #[getter]
    fn _not_before(&self, py: Python<'_>) -> PyResult<i64> {
        Ok(self.parsed(py)?.tbs_certificate.validity.not_before.unix().0)
    }

    #[getter]
    fn _not_after(&self, py: Python<'_>) -> PyResult<i64> {
        Ok(self.parsed(py)?.tbs_certificate.validity.not_after.unix().0)
    }

    #[getter]
    fn _issuer<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        placed(py, &self.parsed(py)?.tbs_certificate.issuer)
    }

    #[getter]
    fn _subject<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        placed(py, &self.parsed(py)?.tbs_certificate.subject)
    }

    #[getter]
    fn _public_key_info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        lenient::key(py, &self.parsed(py)?.tbs_certificate.subject_public_key_info, &self.options()?)
    }

    #[getter]
    fn _key_algorithm(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.parsed(py)?.tbs_certificate.subject_public_key_info.algorithm.algorithm.to_string())
    }

    #[getter]
    fn _key_bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let info = self.parsed(py)?.tbs_certificate.subject_public_key_info;
        Ok(PyBytes::new(py, info.subject_public_key.as_bytes()))
    }

    /// The signature algorithm inside the to-be-signed part, and the one outside it.
    #[getter]
    fn _algorithms<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let parsed = self.parsed(py)?;
        let algorithm = |one| lenient::algorithm(py, one, &self.options()?);
        Ok((algorithm(&parsed.tbs_certificate.signature)?, algorithm(&parsed.signature_algorithm)?))
    }

    #[getter]
    fn _signature_algorithm(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.parsed(py)?.signature_algorithm.algorithm.to_string())
    }

    /// The bytes of the signature.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.parsed(py)?.signature_value.as_bytes()))
    }

    /// The to-be-signed part, in DER.
    #[getter]
    fn tbs_certificate_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.parsed(py)?.tbs_certificate.as_bytes()))
    }

    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let extensions = self.parsed(py)?.tbs_certificate.extensions;
        let frames = extension::listed(extensions.as_ref(), 0, &self.options()?, |error| self.located(py, error))?;
        extension::told(py, frames)
    }

    /// Returns the extensions for the given context.
    fn _extensions_in<'py>(&self, py: Python<'py>, place: u8) -> PyResult<Bound<'py, PyAny>> {
        let list = self.parsed(py)?.tbs_certificate.extensions.as_ref();
        let allow = self.departing.as_ref().map(|departing| departing.allow.clone()).unwrap_or_default();
        let context = Context::new(place, allow, Some((Parsed::ty(), self.der.clone_ref(py))));
        extensions::of_list(py, list, 0, &self.options()?, context, |error| self.located(py, error))
    }

    /// Returns the to-be-signed part without the extension that has the given identifier.
    fn _tbs_without<'py>(&self, py: Python<'py>, oid: &str) -> PyResult<Bound<'py, PyBytes>> {
        let left_out = input::oid(oid)?;
        let mut tbs = self.parsed(py)?.tbs_certificate.into_value();
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

    /// Returns the findings of the given lints, or of all lints.
    #[pyo3(signature = (only = None, severity = "warning"))]
    fn _lint(&self, py: Python<'_>, only: Option<Vec<String>>, severity: &str) -> PyResult<Vec<lint::Found>> {
        lint::certificate(self.parsed(py)?, &self.der, only.as_deref(), severity)
    }

    /// Returns the path of the component to which a byte belongs.
    fn _path_at(&self, offset: usize) -> String {
        tagwise::codec::path_at(Parsed::ty(), &self.der, offset)
    }
}
