//! CRL entries: native objects, whose extensions the package creates.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::{Error, Options};
use tagwise::pkix::RevokedCertificate;

use crate::crl::CertificateRevocationList;
use crate::extensions::{self, Context};
use crate::fields::Later;
use crate::{errors, extension, input, lenient};

/// The storage of an entry's bytes.
enum Held {
    /// An entry in a CRL, at a start offset and with a length.
    List { list: Py<CertificateRevocationList>, start: usize, len: usize },
    /// An entry outside a CRL, with the rules whose violations were tolerated when it was read.
    Alone { der: PyBackedBytes, options: Options<'static>, allow: Vec<String> },
}

/// A CRL entry. Its serial number, its time and the outer structure of its extensions have been decoded.
#[pyclass(frozen, name = "RevokedCertificate", module = "tagwise.x509.base")]
pub(crate) struct PyRevoked {
    held: Held,
    date: i64,
    extensions: Later,
}

/// Checks an entry, including the outer structure of its extensions, and returns its revocation date as a Unix time.
fn checked(der: &[u8], options: &Options<'_>) -> Result<i64, Error> {
    let entry = options.outline::<RevokedCertificate<'_>>(der)?.value;
    if let Some(extensions) = entry.crl_entry_extensions {
        let list = extensions.as_seq_of();
        let read = lenient::items::<tagwise::pkix::Extension<'_>>(list.content(), list.offset(), options);
        if let Err(error) = read {
            // Read in full, the entry tells the path of what is wrong.
            return Err(options.decode::<RevokedCertificate<'_>>(der).err().unwrap_or(error));
        }
    }
    Ok(entry.revocation_date.unix().0)
}

impl PyRevoked {
    /// Returns the CRL entry that starts at the given offset.
    pub(crate) fn of_list<'py>(
        list: &Bound<'py, CertificateRevocationList>,
        (der, start): (&[u8], usize),
    ) -> PyResult<Bound<'py, Self>> {
        let (py, own) = (list.py(), list.get());
        let date = checked(der, own.options()).map_err(|error| own.moved(py, &error, start))?;
        let held = Held::List { list: list.clone().unbind(), start, len: der.len() };
        Bound::new(py, Self { held, date, extensions: Later::new() })
    }

    fn der<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        match &self.held {
            Held::List { list, start, len } => list.bind(py).get().part(*start, *len),
            Held::Alone { der, .. } => der,
        }
    }

    fn options<'a>(&'a self, py: Python<'a>) -> &'a Options<'static> {
        match &self.held {
            Held::List { list, .. } => list.bind(py).get().options(),
            Held::Alone { options, .. } => options,
        }
    }

    fn read<'a>(&'a self, py: Python<'a>) -> PyResult<RevokedCertificate<'a>> {
        let read = self.options(py).outline::<RevokedCertificate<'_>>(self.der(py));
        Ok(read.map_err(|error| errors::decoding(py, &error))?.value)
    }

    /// Returns the entry's offset in the CRL.
    fn base(&self, py: Python<'_>) -> usize {
        match &self.held {
            Held::List { list, start, .. } => list.bind(py).get().base().saturating_add(*start),
            Held::Alone { .. } => 0,
        }
    }
}

#[pymethods]
impl PyRevoked {
    /// The serial number of the revoked certificate.
    #[getter]
    fn serial_number<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        input::number(py, self.read(py)?.user_certificate.0.as_bytes())
    }

    /// The entry's extensions.
    #[getter]
    fn extensions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        slf.get().extensions.get_or_make(py, || slf.call_method0(intern!(py, "_make_extensions")))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Held::List { list, .. } = &self.held {
            visit.call(list)?;
        }
        self.extensions.traverse(&visit)
    }

    /// The revocation date as a Unix time.
    #[getter]
    fn _date(&self) -> i64 {
        self.date
    }

    /// The entry's encoding.
    #[getter]
    fn _raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.der(py))
    }

    /// The CRL that contains the entry, if any.
    #[getter]
    fn _whole<'py>(&self, py: Python<'py>) -> Option<Bound<'py, CertificateRevocationList>> {
        match &self.held {
            Held::List { list, .. } => Some(list.bind(py).clone()),
            Held::Alone { .. } => None,
        }
    }

    /// The names of the rules whose violations were tolerated.
    #[getter]
    fn _allow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.held {
            Held::List { list, .. } => list.bind(py).getattr(intern!(py, "_allow")),
            Held::Alone { allow, .. } => Ok(allow.into_pyobject(py)?.into_any()),
        }
    }

    /// Returns the identifier, criticality, value and offset of each extension.
    #[getter]
    fn _triples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let extensions = self.read(py)?.crl_entry_extensions;
        let located = |error: &Error| errors::decoding(py, error);
        extension::told(py, extension::listed(extensions.as_ref(), self.base(py), self.options(py), located)?)
    }

    /// Returns the extensions for the given context.
    fn _extensions_in<'py>(&self, py: Python<'py>, place: u8) -> PyResult<Bound<'py, PyAny>> {
        let whole = self._whole(py).map(|list| list.get().whole(py));
        let context = Context::new(place, self._allow(py)?.extract()?, whole);
        let extensions = self.read(py)?.crl_entry_extensions;
        let located = |error: &Error| errors::decoding(py, error);
        extensions::of_list(py, extensions.as_ref(), self.base(py), self.options(py), context, located)
    }
}

/// An iterator over the remaining entries. Threads that share it get each entry once.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Entries {
    list: Py<CertificateRevocationList>,
    next: AtomicUsize,
    end: usize,
}

impl Entries {
    pub(crate) fn of(list: &Bound<'_, CertificateRevocationList>) -> PyResult<Self> {
        let end = list.get().count(list.py())?;
        Ok(Self { list: list.clone().unbind(), next: AtomicUsize::new(0), end })
    }
}

#[pymethods]
impl Entries {
    fn __len__(&self) -> usize {
        self.end.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.list)
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyRevoked>>> {
        let more = |next: usize| (next < self.end).then(|| next.saturating_add(1));
        match self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(number) => CertificateRevocationList::entry(self.list.bind(py), number).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Reads a standalone entry, for example a pickled one.
#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn read_entry<'py>(py: Python<'py>, der: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyRevoked>> {
    let der = input::own_bytes(der)?;
    let options = input::options(&allow)?;
    let date = checked(&der, &options).map_err(|error| errors::decoding(py, &error))?;
    Bound::new(py, PyRevoked { held: Held::Alone { der, options, allow }, date, extensions: Later::new() })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRevoked>()?;
    module.add_class::<Entries>()?;
    module.add_function(wrap_pyfunction!(read_entry, module)?)
}
