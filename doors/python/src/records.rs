//! Files of concatenated values.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::stream::{Events, Rules, Settings};
use tagwise::tables::Schema as Compiled;

use crate::errors;
use crate::errors::unknown;
use crate::messages::Source;
use crate::stream::{decoded, free};

/// An iterator over the concatenated values in a file: the offset of each, and its value or error.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Records {
    schema: Arc<Compiled>,
    moments: bool,
    name: String,
    rules: Rules,
    /// The events, and the number of values returned so far.
    state: Mutex<(Events<Source>, u64)>,
    file: Source,
}

impl Records {
    pub(crate) fn new(
        (schema, moments): (&Arc<Compiled>, bool),
        name: &str,
        file: &Bound<'_, PyAny>,
        settings: Settings,
    ) -> PyResult<Self> {
        schema.ty(name).map_err(unknown)?;
        let file = Source::new(file);
        let events = Events::with(file.clone(), settings.concatenated());
        let state = Mutex::new((events, 0));
        Ok(Self { schema: Arc::clone(schema), moments, name: name.to_owned(), rules: settings.rules(), state, file })
    }
}

/// A record: its offset, its value or `None`, and for an invalid value its bytes and exception.
type Record<'py> = (u64, Option<Bound<'py, PyAny>>, Option<(Bound<'py, PyBytes>, PyErr)>);

#[pymethods]
impl Records {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.file.traverse(&visit)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Record<'py>>> {
        let mut guard = free(&self.state)?;
        let (events, count) = &mut *guard;
        let dynamic = self.schema.ty(&self.name).map_err(unknown)?;
        let next = events.next_value().map_err(|error| errors::streaming(py, &error))?;
        let Some((offset, octets)) = next else { return Ok(None) };
        let path = format!("[{count}]");
        *count = count.saturating_add(1);
        let value =
            decoded(py, (self.schema.tables(), self.moments), dynamic.ty(), self.rules, octets, (offset, &path));
        Ok(Some(match value {
            Ok(value) => (offset, Some(value), None),
            Err(error) => (offset, None, Some((PyBytes::new(py, octets), error))),
        }))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Records>()
}
