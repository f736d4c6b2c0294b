//! OCSP responses. The status, times and serial number of the only certificate are read natively, everything else as a dictionary
//! of the response's parts. The package adds methods to the class.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::table::Typed as _;
use tagwise::codec::{Any, CivilTime, Deviation, Error, Oid, Options};
use tagwise::pkix::ocsp::{
    BasicOcspResponse, CertStatus, ID_PKIX_OCSP_BASIC, OcspResponse, ResponderId, SingleResponse,
};

use crate::certificate::{moment, placed, told};
use crate::fields::Later;
use crate::parts::{cert_id, extensions};
use crate::{errors, extension, input, lenient};

fn single<'py>(
    py: Python<'py>,
    response: &SingleResponse<'_>,
    options: &Options<'_>,
    whole: &[u8],
) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    cert_id(py, &parts, &response.cert_id)?;
    let (since, reason) = match response.cert_status {
        CertStatus::Revoked(revoked) => {
            (Some(revoked.revocation_time.unix().0), revoked.revocation_reason.map(|reason| reason as u8))
        }
        CertStatus::Good | CertStatus::Unknown(_) => (None, None),
    };
    parts.set_item(intern!(py, "status"), status(response))?;
    parts.set_item(intern!(py, "revocation_time"), since)?;
    parts.set_item(intern!(py, "revocation_reason"), reason)?;
    parts.set_item(intern!(py, "this_update"), response.this_update.unix().0)?;
    parts.set_item(intern!(py, "next_update"), response.next_update.map(|time| time.unix().0))?;
    parts.set_item(
        intern!(py, "extensions"),
        extensions::<OcspResponse<'_>>(py, response.single_extensions.as_ref(), options, whole)?,
    )?;
    Ok(parts)
}

/// A response, as it is read on creation.
struct Read<'a> {
    status: u8,
    /// The type of the content.
    kind: Option<Oid<'a>>,
    basic: Option<Basic<'a>>,
    deviations: Vec<Deviation>,
}

/// A basic response with its single responses.
struct Basic<'a> {
    value: BasicOcspResponse<'a>,
    responses: Vec<SingleResponse<'a>>,
    certificates: Vec<Any<'a>>,
}

impl<'a> Read<'a> {
    fn of(py: Python<'_>, whole: &'a [u8], options: &Options<'_>, allow: &[String]) -> PyResult<Self> {
        let located = |error: Error| errors::in_whole::<OcspResponse<'_>>(py, &error, whole, options);
        let read = options.outline::<OcspResponse<'_>>(whole).map_err(|error| errors::decoding(py, &error))?;
        let deviations = lenient::deviations::<OcspResponse<'_>>(read.deviations, whole, options, allow);
        let OcspResponse { response_status, response_bytes } = read.value;
        let status = response_status as u8;
        let Some(bytes) = response_bytes else { return Ok(Self { status, kind: None, basic: None, deviations }) };
        let kind = Some(bytes.response_type);
        if bytes.response_type != ID_PKIX_OCSP_BASIC {
            return Ok(Self { status, kind, basic: None, deviations });
        }
        let (content, base) = (bytes.response.as_bytes(), bytes.response.offset());
        let value = lenient::with_reader(content, base, options, |reader| reader.read::<BasicOcspResponse<'_>>());
        let value = value.map_err(|fault| located(Error::locate_at(fault, BasicOcspResponse::ty(), content, base)))?;
        let listed = value.tbs_response_data.responses;
        let responses = lenient::items(listed.content(), listed.offset(), options).map_err(located)?;
        let certificates = match value.certs {
            // They are certificates by themselves, and read by the rules that they are asked for with.
            Some(certs) => lenient::items(certs.content(), certs.offset(), options).map_err(located)?,
            None => Vec::new(),
        };
        Ok(Self { status, kind, basic: Some(Basic { value, responses, certificates }), deviations })
    }

    /// Checks the lists of extensions and the algorithm, which are not decoded with the response.
    fn check(&self, py: Python<'_>, whole: &[u8], options: &Options<'_>) -> PyResult<()> {
        let Some(basic) = &self.basic else { return Ok(()) };
        let lists = basic.responses.iter().map(|response| response.single_extensions.as_ref());
        for list in lists.chain([basic.value.tbs_response_data.response_extensions.as_ref()]) {
            extension::listed(list, 0, options, |error| {
                errors::in_whole::<OcspResponse<'_>>(py, error, whole, options)
            })?;
        }
        if basic.value.signature_algorithm.parameters.is_some() {
            lenient::algorithm(py, &basic.value.signature_algorithm, options)?;
        }
        Ok(())
    }

    fn parts<'py>(&self, py: Python<'py>, whole: &[u8], options: &Options<'_>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        parts.set_item(intern!(py, "deviations"), told(py, &self.deviations)?)?;
        let Some(Basic { value, responses, certificates }) = &self.basic else { return Ok(parts) };
        let data = &value.tbs_response_data;
        let listed = PyList::empty(py);
        for response in responses {
            listed.append(single(py, response, options, whole)?)?;
        }
        let certificates = certificates.iter().map(|certificate| PyBytes::new(py, certificate.as_bytes()));
        let (by_name, by_key) = match data.responder_id {
            ResponderId::ByName(by_name) => (Some(placed(py, &by_name)?), None),
            ResponderId::ByKey(key) => (None, Some(PyBytes::new(py, key.as_bytes()))),
        };
        parts.set_item(intern!(py, "tbs"), PyBytes::new(py, data.as_bytes()))?;
        parts.set_item(intern!(py, "algorithm"), lenient::algorithm(py, &value.signature_algorithm, options)?)?;
        parts.set_item(intern!(py, "signature"), PyBytes::new(py, value.signature.as_bytes()))?;
        parts.set_item(intern!(py, "certificates"), PyList::new(py, certificates.collect::<Vec<_>>())?)?;
        parts.set_item(intern!(py, "responder_name"), by_name)?;
        parts.set_item(intern!(py, "responder_key"), by_key)?;
        parts.set_item(intern!(py, "produced_at"), data.produced_at.unix().0)?;
        parts.set_item(intern!(py, "responses"), listed)?;
        parts.set_item(
            intern!(py, "extensions"),
            extensions::<OcspResponse<'_>>(py, data.response_extensions.as_ref(), options, whole)?,
        )?;
        Ok(parts)
    }
}

/// The only single response.
struct Only {
    status: u8,
    this_update: CivilTime,
    next_update: Option<CivilTime>,
    /// The place of the serial number's content in the response.
    serial: Option<Range<usize>>,
}

impl Only {
    fn of(single: &SingleResponse<'_>, whole: &[u8]) -> Self {
        Self {
            status: status(single),
            this_update: single.this_update.civil(),
            next_update: single.next_update.map(|time| time.civil()),
            serial: place(whole, single.cert_id.serial_number.as_bytes()),
        }
    }
}

/// Returns the place of a part that is a slice of the whole.
fn place(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let place = start..start.checked_add(part.len())?;
    (whole.get(place.clone())? == part).then_some(place)
}

/// Returns the number of a certificate's status: good, revoked or unknown.
const fn status(single: &SingleResponse<'_>) -> u8 {
    match single.cert_status {
        CertStatus::Good => 0,
        CertStatus::Revoked(_) => 1,
        CertStatus::Unknown(_) => 2,
    }
}

/// An OCSP response: its bytes, which Python owns, and the values that most callers ask for.
#[pyclass(frozen, name = "OCSPResponse", module = "tagwise.x509.ocsp")]
pub(crate) struct Response {
    der: PyBackedBytes,
    /// The names of the rules whose violations are tolerated.
    allow: Vec<String>,
    status: u8,
    /// The number of single responses.
    count: usize,
    /// The only single response of a successful response.
    only: Option<Only>,
    parts: Later,
    extensions: Later,
    single_extensions: Later,
}

impl Response {
    fn of(data: &Bound<'_, PyAny>, allow: Vec<String>) -> PyResult<Self> {
        let (py, der) = (data.py(), input::own_bytes(data)?);
        let options = input::options(&allow)?;
        let read = Read::of(py, &der, &options, &allow)?;
        read.check(py, &der, &options)?;
        let Read { status, kind, basic, .. } = read;
        if status == 0 && kind != Some(ID_PKIX_OCSP_BASIC) {
            return Err(errors::argument("Successful OCSP response does not contain a BasicResponse"));
        }
        let version = basic.as_ref().map_or(0, |basic| basic.value.tbs_response_data.version.0);
        if version != 0 {
            return Err(errors::argument(format!("{version} is not a valid OCSP response version")));
        }
        let responses = basic.map(|basic| basic.responses).unwrap_or_default();
        let only = match responses.as_slice() {
            [only] if status == 0 => Some(Only::of(only, &der)),
            _ => None,
        };
        let (count, later) = (responses.len(), Later::new);
        Ok(Self { der, allow, status, count, only, parts: later(), extensions: later(), single_extensions: later() })
    }

    fn successful(&self) -> PyResult<()> {
        let message = "OCSP response status is not successful so the property has no value";
        if self.status == 0 { Ok(()) } else { Err(PyValueError::new_err(message)) }
    }

    fn only(&self) -> PyResult<&Only> {
        self.successful()?;
        self.only.as_ref().ok_or_else(|| {
            let count = self.count;
            let message = format!(
                "OCSP response contains {count} SINGLERESP structures.  Use .response_iter to iterate through them"
            );
            PyValueError::new_err(message)
        })
    }
}

/// The members of an enumeration of the package, with their values.
type Members = PyOnceLock<Vec<(u8, Py<PyAny>)>>;

/// Returns the member of an enumeration with the given value.
fn member<'py>(py: Python<'py>, members: &Members, class: &str, value: u8) -> PyResult<Bound<'py, PyAny>> {
    let load = || -> PyResult<Vec<(u8, Py<PyAny>)>> {
        let all = py.import("tagwise.x509.ocsp")?.getattr(class)?.try_iter()?;
        all.map(|one| one.and_then(|one| Ok((one.getattr("value")?.extract()?, one.unbind())))).collect()
    };
    let found = members.get_or_try_init(py, load)?.iter().find(|(number, _)| *number == value);
    // Each value that is decoded has a member.
    found.map(|(_, member)| member.bind(py).clone()).ok_or_else(|| errors::argument(format!("no {class} {value}")))
}

#[pymethods]
impl Response {
    #[new]
    #[pyo3(signature = (data, *, allow = None))]
    fn new(data: &Bound<'_, PyAny>, allow: Option<Vec<String>>) -> PyResult<Self> {
        Self::of(data, allow.unwrap_or_default())
    }

    /// The status of the response as a whole.
    #[getter]
    fn response_status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static MEMBERS: Members = PyOnceLock::new();
        member(py, &MEMBERS, "OCSPResponseStatus", self.status)
    }

    /// The status of the certificate.
    #[getter]
    fn certificate_status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static MEMBERS: Members = PyOnceLock::new();
        member(py, &MEMBERS, "OCSPCertStatus", self.only()?.status)
    }

    /// The certificate's serial number.
    #[getter]
    fn serial_number<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.only()?.serial.clone().and_then(|place| self.der.get(place)) {
            Some(content) => input::number(py, content),
            None => self._id(py)?.get_item(intern!(py, "serial_number")),
        }
    }

    /// The time at which the status was known to be correct.
    #[getter]
    fn this_update_utc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moment(py, self.only()?.this_update)
    }

    /// The time at which newer information will be available, if any.
    #[getter]
    fn next_update_utc<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.only()?.next_update.map(|time| moment(py, time)).transpose()
    }

    /// The extensions of the response.
    #[getter]
    fn extensions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let make = || slf.call_method0(intern!(slf.py(), "_make_extensions"));
        slf.get().extensions.get_or_make(slf.py(), make)
    }

    /// The extensions of the only single response.
    #[getter]
    fn single_extensions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let make = || slf.call_method0(intern!(slf.py(), "_make_single_extensions"));
        slf.get().single_extensions.get_or_make(slf.py(), make)
    }

    #[getter]
    fn _der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok((&self.der).into_pyobject(py)?.into_any())
    }

    #[getter]
    fn _allow(&self) -> Vec<String> {
        self.allow.clone()
    }

    #[getter]
    const fn _status(&self) -> u8 {
        self.status
    }

    #[getter]
    const fn _count(&self) -> usize {
        self.count
    }

    /// The parts as a dictionary. If there is no basic response, it contains only the deviations.
    #[getter]
    fn _parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.parts.get_or_make(py, || {
            let options = input::options(&self.allow)?;
            let read = Read::of(py, &self.der, &options, &self.allow)?;
            Ok(read.parts(py, &self.der, &options)?.into_any())
        })
    }

    /// Returns the parts of a successful response.
    fn _answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.successful()?;
        self._parts(py)
    }

    /// Returns the parts of the only single response.
    fn _id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.only()?;
        self._parts(py)?.get_item(intern!(py, "responses"))?.get_item(0)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        [&self.parts, &self.extensions, &self.single_extensions].iter().try_for_each(|made| made.traverse(&visit))
    }
}

/// Loads a response in DER, from any buffer.
#[pyfunction]
#[pyo3(signature = (data, *, allow = None))]
fn load_der_ocsp_response(data: &Bound<'_, PyAny>, allow: Option<Vec<String>>) -> PyResult<Response> {
    Response::of(data, allow.unwrap_or_default())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Response>()?;
    module.add_function(wrap_pyfunction!(load_der_ocsp_response, module)?)
}
