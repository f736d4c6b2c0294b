//! Certificates: their fields as plain values. The package's class derives from this one.

use std::sync::Mutex;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString};
use tagwise::codec::table::Typed as _;
use tagwise::codec::{Decode as _, Deviation, Error, Oid, Options, Rule, Tag, encode};
use tagwise::pkix::{AlgorithmIdentifier, Certificate as Parsed, CertificateBuf, Name, oids};

use crate::work::shared;
use crate::{errors, extension, input, lenient, lint};

/// A certificate, parsed, with its bytes.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(crate) struct Certificate {
    inner: CertificateBuf,
    deviations: Vec<Deviation>,
    options: Options<'static>,
    /// The names of the rules that were tolerated besides those that always are.
    allow: Vec<String>,
    made: Made,
}

/// The fields as the package's class has made them, once each: asked for again, they cost no call of Python's.
struct Made {
    version: Kept,
    serial_number: Kept,
    issuer: Kept,
    subject: Kept,
    not_valid_before: Kept,
    not_valid_after: Kept,
    extensions: Kept,
    signature_algorithm: Kept,
    public_key: Kept,
}

type Kept = PyOnceLock<Py<PyAny>>;

impl Made {
    const fn new() -> Self {
        Self {
            version: Kept::new(),
            serial_number: Kept::new(),
            issuer: Kept::new(),
            subject: Kept::new(),
            not_valid_before: Kept::new(),
            not_valid_after: Kept::new(),
            extensions: Kept::new(),
            signature_algorithm: Kept::new(),
            public_key: Kept::new(),
        }
    }
}

/// A field, which a method of the package's class makes if it is asked for the first time.
fn kept<'py>(
    certificate: &Bound<'py, Certificate>,
    field: fn(&Made) -> &Kept,
    method: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = certificate.py();
    let made = field(&certificate.get().made);
    let value = made.get_or_try_init(py, || certificate.call_method0(method).map(Bound::unbind))?;
    Ok(value.bind(py).clone())
}

impl Certificate {
    fn parsed(&self) -> &Parsed<'_> {
        self.inner.get()
    }

    /// Refuses a version that X.509 does not have, or that nobody uses.
    fn of_a_version(self, py: Python<'_>) -> PyResult<Self> {
        match self.parsed().tbs_certificate.version.0 {
            0 | 2 => Ok(self),
            version => Err(errors::version(py, &format!("{version} is not a valid X509 version"), version)),
        }
    }

    /// The error of a part whose offsets are those of the whole.
    fn located(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::moved(py, error, 0, (Parsed::ty(), self.inner.as_der()))
    }

    fn read(der: &[u8], options: Options<'static>, allow: &[String]) -> Result<Self, Wrong> {
        let mut deviations = Vec::new();
        // Most have nothing to list, and are read once.
        let inner = match CertificateBuf::outline(der) {
            Ok(inner) => inner,
            Err(_) => {
                deviations = options.outline::<Parsed<'_>>(der).map_err(Wrong::Whole)?.deviations;
                CertificateBuf::outline_with(der, &options).map_err(Wrong::Whole)?
            }
        };
        let parsed = inner.get();
        check_algorithm(&options, &parsed.tbs_certificate.signature, &mut deviations)?;
        check_algorithm(&options, &parsed.signature_algorithm, &mut deviations)?;
        let deviations = lenient::deviations::<Parsed<'_>>(deviations, der, &options, allow);
        Ok(Self { inner, deviations, options, allow: allow.to_vec(), made: Made::new() })
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

/// An attribute of a name: the content of its type's identifier, the tag of its value, its text.
type Attribute<'py> = (Bound<'py, PyBytes>, u32, Bound<'py, PyString>);

/// The steps of a name that is strict DER and has nothing but text; others are read in the general way, which tells what is wrong.
pub(crate) fn steps<'py>(py: Python<'py>, name: &Name<'_>) -> PyResult<Option<Vec<Vec<Attribute<'py>>>>> {
    let content = name.0.content().unwrap_or_default();
    let der = crate::value::element(py, Tag::SEQUENCE, content)?;
    let Ok(name) = Name::from_der(&der) else { return Ok(None) };
    let mut steps = Vec::new();
    for step in name.0.iter() {
        let Ok(step) = step else { return Ok(None) };
        let mut attributes = Vec::new();
        for attribute in step.0.iter() {
            let Ok(attribute) = attribute else { return Ok(None) };
            let tag = attribute.value.tag();
            let (Some(text), false) = (attribute.text(), tag.is_constructed()) else { return Ok(None) };
            let oid = PyBytes::new(py, attribute.attr_type.as_bytes());
            attributes.push((oid, tag.number(), PyString::new(py, &text)));
        }
        steps.push(attributes);
    }
    Ok(Some(steps))
}

/// Returns whether an error is that of a version's number.
fn is_version(error: &Error) -> bool {
    error.path() == "tbsCertificate.version" && error.code() == "value"
}

/// The error of a certificate, or of a part of it that starts somewhere.
pub(crate) enum Wrong {
    Whole(Error),
    Part(Error, usize),
}

impl Wrong {
    pub(crate) fn told(&self, py: Python<'_>, der: &[u8]) -> PyErr {
        match self {
            Self::Whole(error) => errors::decoding(py, error),
            Self::Part(error, base) => errors::moved(py, error, *base, (Parsed::ty(), der)),
        }
    }
}

/// A certificate that was read without Python: the package's class takes it.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Ready(Mutex<Option<Certificate>>);

/// Reads many certificates, on all processors and without the interpreter: what each is, or what is
/// wrong with it, with its bytes.
#[pyfunction]
pub(crate) fn read_many<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyList>> {
    let options = input::options(&allow)?;
    let held = data.try_iter()?.map(|one| input::bytes(&one?)).collect::<PyResult<Vec<_>>>()?;
    let ders: Vec<&[u8]> = held.iter().map(|one| one.as_bytes()).collect();
    let read = py.detach(|| shared(&ders, &|der| Certificate::read(der, options, &allow)))?;
    let list = PyList::empty(py);
    for (read, data) in read.into_iter().zip(&held) {
        match read {
            Ok(certificate) => list.append((Bound::new(py, Ready(Mutex::new(Some(certificate))))?, data))?,
            Err(wrong) => list.append((wrong.told(py, data.as_bytes()).into_value(py), data))?,
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

/// Checks an algorithm's parameters, which an outline does not look into, and lists what of them is tolerated.
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
    #[pyo3(signature = (data, *, allow = Vec::new()))]
    fn new(data: &Bound<'_, PyAny>, allow: Vec<String>) -> PyResult<Self> {
        let py = data.py();
        if let Ok(ready) = data.cast::<Ready>() {
            let taken = ready.get().0.lock().ok().and_then(|mut ready| ready.take());
            return taken.ok_or_else(|| errors::argument("it was taken before"))?.of_a_version(py);
        }
        let data = input::bytes(data)?;
        let octets = data.as_bytes();
        let options = input::options(&allow)?;
        match Self::read(octets, options, &allow) {
            Ok(read) => read.of_a_version(py),
            // Which version it is, is part of the exception.
            Err(Wrong::Whole(error)) if is_version(&error) => {
                let read = Self::read(octets, options.allow(&Rule::VALUE), &allow);
                read.map_err(|wrong| wrong.told(py, octets))?.of_a_version(py)
            }
            Err(wrong) => Err(wrong.told(py, octets)),
        }
    }

    #[getter]
    fn _allow(&self) -> Vec<String> {
        self.allow.clone()
    }

    /// The version.
    #[getter]
    fn version<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.version, intern!(slf.py(), "_make_version"))
    }

    /// The serial number; of one that is not positive, a warning is given.
    #[getter]
    fn serial_number<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let content = own.parsed().tbs_certificate.serial_number.0.as_bytes();
        if content.first().is_none_or(|first| first & 0x80 != 0) || content == [0] {
            return slf.call_method0(intern!(py, "_odd_serial_number"));
        }
        let number = own.made.serial_number.get_or_try_init(py, || input::number(py, content).map(Bound::unbind))?;
        Ok(number.bind(py).clone())
    }

    /// The name of the issuer.
    #[getter]
    fn issuer<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.issuer, intern!(slf.py(), "_make_issuer"))
    }

    /// The name of the subject.
    #[getter]
    fn subject<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.subject, intern!(slf.py(), "_make_subject"))
    }

    /// The moment from which the certificate is valid.
    #[getter]
    fn not_valid_before_utc<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.not_valid_before, intern!(slf.py(), "_make_not_valid_before"))
    }

    /// The last moment at which the certificate is valid.
    #[getter]
    fn not_valid_after_utc<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.not_valid_after, intern!(slf.py(), "_make_not_valid_after"))
    }

    /// The extensions.
    #[getter]
    fn extensions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.extensions, intern!(slf.py(), "_make_extensions"))
    }

    /// The identifier of the signature's algorithm.
    #[getter]
    fn signature_algorithm_oid<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.signature_algorithm, intern!(slf.py(), "_make_signature_algorithm"))
    }

    /// The key as `cryptography` has it, where that is installed, else a `tagwise.keys.PublicKey`.
    fn public_key<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        kept(slf, |made| &made.public_key, intern!(slf.py(), "_make_public_key"))
    }

    /// True if something is to be said of it that is not wrong: a deviation, or a number that is zero.
    #[getter]
    fn _is_odd(&self) -> bool {
        !self.deviations.is_empty() || self.parsed().tbs_certificate.serial_number.0.as_bytes() == [0]
    }

    #[getter]
    fn _der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_der())
    }

    #[getter]
    fn _deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        told(py, &self.deviations)
    }

    /// Checks every byte by the rules that it was read by, and tells what is wrong first.
    fn _check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = self.options.decode::<Parsed<'_>>(self.inner.as_der());
        checked.map(|_| ()).map_err(|error| errors::decoding(py, &error))
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
        self.parsed().tbs_certificate.validity.not_before.unix().0
    }

    #[getter]
    fn _not_after(&self) -> i64 {
        self.parsed().tbs_certificate.validity.not_after.unix().0
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
    fn _issuer_steps<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Vec<Attribute<'py>>>>> {
        steps(py, &self.parsed().tbs_certificate.issuer)
    }

    #[getter]
    fn _subject_steps<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Vec<Attribute<'py>>>>> {
        steps(py, &self.parsed().tbs_certificate.subject)
    }

    #[getter]
    fn _public_key_info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        lenient::key(py, &self.parsed().tbs_certificate.subject_public_key_info, &self.options)
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
        let algorithm = |one| lenient::algorithm(py, one, &self.options);
        Ok((algorithm(&parsed.tbs_certificate.signature)?, algorithm(&parsed.signature_algorithm)?))
    }

    #[getter]
    fn _signature_algorithm(&self) -> String {
        self.parsed().signature_algorithm.algorithm.to_string()
    }

    /// The bits of the signature.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed().signature_value.as_bytes())
    }

    /// The signed part.
    #[getter]
    fn tbs_certificate_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed().tbs_certificate.as_bytes())
    }

    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let listed = extension::listed(py, self.parsed().tbs_certificate.extensions.as_ref(), 0, &self.options)?;
        listed.map_err(|error| self.located(py, &error))
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

    /// The findings of the lints of these identifiers, or of all.
    #[pyo3(signature = (only = None, severity = "warning"))]
    fn _lint(&self, only: Option<Vec<String>>, severity: &str) -> PyResult<Vec<lint::Found>> {
        lint::certificate(self.parsed(), self.inner.as_der(), only.as_deref(), severity)
    }

    /// The path of the component that a byte belongs to.
    fn _path_at(&self, offset: usize) -> String {
        tagwise::codec::path_at(Parsed::ty(), self.inner.as_der(), offset)
    }
}
