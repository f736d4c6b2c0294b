//! CRLs. Entries are found by position or by serial number, and decoded on demand.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use self_cell::self_cell;
use tagwise::codec::table::Typed;
use tagwise::codec::{Deviation, Error, Fault, FaultKind, Int, Options, Reader, Tag};
use tagwise::pkix::{CertificateList, RevokedCertificate};

use crate::certificate::{placed, told};
use crate::entry::{Entries, PyRevoked};
use crate::extensions::{self, Context, Whole};
use crate::{errors, extension, input, lenient, lint};

self_cell!(
    struct Cell {
        owner: PyBackedBytes,
        #[covariant]
        dependent: CertificateList,
    }
);

/// The entries, sorted by the hashes of their serial numbers.
struct BySerial {
    numbers: Vec<u32>,
    keys: RandomState,
}

/// A parsed CRL. Its bytes are owned by Python, so that a large CRL is in memory only once.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(crate) struct CertificateRevocationList {
    cell: Cell,
    deviations: Vec<Deviation>,
    /// The offsets of the entries, four bytes each. Created when an entry is requested by index, or the entries are counted.
    starts: OnceLock<Vec<u32>>,
    /// The index by serial number, four more bytes per entry. Created when an entry is requested by its serial number.
    by_serial: OnceLock<BySerial>,
    options: Options<'static>,
}

impl CertificateRevocationList {
    fn parsed(&self) -> &CertificateList<'_> {
        self.cell.borrow_dependent()
    }

    fn content(&self) -> &[u8] {
        self.parsed().tbs_cert_list.revoked_certificates.and_then(|entries| entries.content()).unwrap_or_default()
    }

    fn starts(&self, py: Python<'_>) -> PyResult<&[u32]> {
        if let Some(starts) = self.starts.get() {
            return Ok(starts);
        }
        let starts = py.detach(|| self.places()).map_err(|fault| self.unindexed(py, fault))?;
        Ok(self.starts.get_or_init(|| starts))
    }

    fn by_serial(&self, py: Python<'_>) -> PyResult<(&[u32], &BySerial)> {
        let starts = self.starts(py)?;
        if let Some(order) = self.by_serial.get() {
            return Ok((starts, order));
        }
        let order = py.detach(|| self.order(starts.len())).map_err(|fault| self.unindexed(py, fault))?;
        Ok((starts, self.by_serial.get_or_init(|| order)))
    }

    fn unindexed(&self, py: Python<'_>, fault: Fault) -> PyErr {
        let error = Error::locate_at(fault, RevokedCertificate::ty(), self.content(), self.base());
        self.located(py, &error)
    }

    /// Converts an error in an entry to an error in the enclosing CRL.
    pub(crate) fn moved(&self, py: Python<'_>, error: &Error, start: usize) -> PyErr {
        let base = self.base().saturating_add(start);
        errors::moved_part(py, error, base, (CertificateList::ty(), self.cell.borrow_owner()))
    }

    /// Creates the exception for an error in a part whose offsets are relative to the CRL.
    fn located(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::in_whole::<CertificateList<'_>>(py, error, self.cell.borrow_owner(), &self.options)
    }

    /// Returns the type and the encoding of the CRL.
    pub(crate) fn whole(&self, py: Python<'_>) -> Whole {
        (CertificateList::ty(), self.cell.borrow_owner().clone_ref(py))
    }

    /// Returns the offset of the first entry.
    pub(crate) fn base(&self) -> usize {
        self.parsed().tbs_cert_list.revoked_certificates.map_or(0, |entries| entries.offset())
    }

    fn places(&self) -> Result<Vec<u32>, Fault> {
        let mut starts = Vec::new();
        lenient::with_reader(self.content(), self.base(), &self.options, |reader| {
            while !reader.is_empty() {
                // What a reader takes has positions of 32 bits.
                starts.push(reader.position() as u32);
                serial(reader)?;
            }
            Ok(())
        })?;
        starts.shrink_to_fit();
        Ok(starts)
    }

    fn order(&self, count: usize) -> Result<BySerial, Fault> {
        let keys = RandomState::new();
        let mut hashes: Vec<(u32, u32)> = Vec::with_capacity(count);
        lenient::with_reader(self.content(), self.base(), &self.options, |reader| {
            while !reader.is_empty() {
                hashes.push((keys.hash_one(serial(reader)?) as u32, hashes.len() as u32));
            }
            Ok(())
        })?;
        hashes.sort_unstable();
        // It is collected in the place of what it is made from, which is twice as large.
        let mut numbers: Vec<u32> = hashes.into_iter().map(|(_, number)| number).collect();
        numbers.shrink_to_fit();
        Ok(BySerial { numbers, keys })
    }

    /// Returns an entry's bytes, and their offset within the entries.
    fn element(&self, starts: &[u32], number: usize) -> (&[u8], usize) {
        let start = starts.get(number).map_or(0, |start| *start as usize);
        let end = starts.get(number.saturating_add(1)).map_or(self.content().len(), |end| *end as usize);
        (self.content().get(start..end).unwrap_or_default(), start)
    }

    /// Returns the entry at the given index, counted from 0.
    pub(crate) fn entry<'py>(slf: &Bound<'py, Self>, number: usize) -> PyResult<Bound<'py, PyRevoked>> {
        let own = slf.get();
        let starts = own.starts(slf.py())?;
        if number >= starts.len() {
            return Err(PyIndexError::new_err("the index is out of range"));
        }
        PyRevoked::of_list(slf, own.element(starts, number))
    }

    /// Returns the number of entries.
    pub(crate) fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.starts(py)?.len())
    }

    /// Returns a range of the entries' bytes.
    pub(crate) fn part(&self, start: usize, len: usize) -> &[u8] {
        self.content().get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// Returns the options with which the CRL was read.
    pub(crate) const fn options(&self) -> &Options<'static> {
        &self.options
    }
}

/// Reads over the entry at the reader's position, and returns its serial number.
fn serial<'a>(reader: &mut Reader<'a, '_>) -> Result<&'a [u8], Fault> {
    let len = reader.expect(Tag::SEQUENCE)?;
    let start = reader.position();
    if len == 0 {
        return Err(reader.fault(FaultKind::Missing, start));
    }
    let serial = reader.read::<Int<'_>>()?;
    let read = reader.position().saturating_sub(start);
    // A number that runs past the end of its entry would put all that follow in another place.
    let rest = len.checked_sub(read).ok_or_else(|| reader.fault(FaultKind::LengthOverrun, start))?;
    reader.take(rest)?;
    Ok(serial.as_bytes())
}

#[pymethods]
impl CertificateRevocationList {
    #[new]
    #[pyo3(signature = (data, *, allow = Vec::new()))]
    fn new(data: &Bound<'_, PyAny>, allow: Vec<String>) -> PyResult<Self> {
        let data_bytes = input::bytes(data)?;
        let options = input::options(&allow)?;
        let mut deviations = Vec::new();
        let cell = Cell::try_new(data_bytes.into(), |der| {
            let read = options.outline::<CertificateList<'_>>(der)?;
            deviations = read.deviations;
            Ok(read.value)
        });
        let cell = cell.map_err(|error| errors::decoding(data.py(), &error))?;
        deviations = lenient::deviations::<CertificateList<'_>>(deviations, cell.borrow_owner(), &options, &allow);
        Ok(Self { cell, deviations, starts: OnceLock::new(), by_serial: OnceLock::new(), options })
    }

    #[getter]
    fn _der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.cell.borrow_owner().into_pyobject(py)?.into_any())
    }

    #[getter]
    fn _deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        told(py, &self.deviations)
    }

    /// Checks all bytes with the rules with which the CRL was read, and raises the first error.
    fn _check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = py.detach(|| self.options.decode::<CertificateList<'_>>(self.cell.borrow_owner()).map(|_| ()));
        checked.map_err(|error| errors::decoding(py, &error))
    }

    #[getter]
    fn _version(&self) -> Option<u8> {
        self.parsed().tbs_cert_list.version.map(|version| version.0)
    }

    #[getter]
    fn _issuer<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        placed(py, &self.parsed().tbs_cert_list.issuer)
    }

    #[getter]
    fn _this_update(&self) -> i64 {
        self.parsed().tbs_cert_list.this_update.unix().0
    }

    #[getter]
    fn _next_update(&self) -> Option<i64> {
        self.parsed().tbs_cert_list.next_update.map(|time| time.unix().0)
    }

    #[getter]
    fn _algorithms<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let parsed = self.parsed();
        let algorithm = |one| lenient::algorithm(py, one, &self.options);
        Ok((algorithm(&parsed.tbs_cert_list.signature)?, algorithm(&parsed.signature_algorithm)?))
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
        PyBytes::new(py, self.parsed().tbs_cert_list.as_bytes())
    }

    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let extensions = self.parsed().tbs_cert_list.crl_extensions.as_ref();
        extension::told(py, extension::listed(extensions, 0, &self.options, |error| self.located(py, error))?)
    }

    /// Returns the extensions for the given context.
    fn _extensions_in<'py>(slf: &Bound<'py, Self>, place: u8) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let extensions = own.parsed().tbs_cert_list.crl_extensions.as_ref();
        let allow = slf.getattr(intern!(py, "_allow"))?.extract()?;
        let context = Context::new(place, allow, Some(own.whole(py)));
        extensions::of_list(py, extensions, 0, &own.options, context, |error| own.located(py, error))
    }

    /// Returns the findings of the given lints, or of all lints.
    #[pyo3(signature = (only = None, severity = "warning"))]
    fn _lint(&self, only: Option<Vec<String>>, severity: &str) -> PyResult<Vec<lint::Found>> {
        lint::list(self.parsed(), self.cell.borrow_owner(), only.as_deref(), severity)
    }

    /// Returns the path of the component to which a byte belongs.
    fn _path_at(&self, offset: usize) -> String {
        tagwise::codec::path_at(CertificateList::ty(), self.cell.borrow_owner(), offset)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Entries> {
        Entries::of(slf)
    }

    /// Returns the entry at the given index, counted from 0.
    fn _entry<'py>(slf: &Bound<'py, Self>, number: usize) -> PyResult<Bound<'py, PyRevoked>> {
        Self::entry(slf, number)
    }

    /// Returns the index of the first entry with a serial number.
    fn _find(&self, py: Python<'_>, serial_number: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let wanted = input::integer(serial_number)?;
        let (starts, order) = self.by_serial(py)?;
        let hash = order.keys.hash_one(wanted.as_slice()) as u32;
        let serial_at =
            |number: u32| lenient::with_reader(self.element(starts, number as usize).0, 0, &self.options, serial);
        let hash_at = |number: u32| serial_at(number).map_or(0, |serial| order.keys.hash_one(serial) as u32);
        let from = order.numbers.partition_point(|number| hash_at(*number) < hash);
        let same = order.numbers.get(from..).unwrap_or_default().iter().take_while(|number| hash_at(**number) == hash);
        let found = same.filter(|number| serial_at(**number).is_ok_and(|serial| serial == wanted)).min();
        Ok(found.map(|number| *number as usize))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CertificateRevocationList>()
}
