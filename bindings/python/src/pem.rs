//! PEM: blocks by their labels.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Options, Rule, RuleSet, Session, pem};

use crate::{errors, input};

/// The blocks of a text: label and bytes. A block that cannot be read is an error.
#[pyfunction]
fn read_pem<'py>(py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let data = input::bytes(data)?;
    let list = PyList::empty(py);
    // Other blocks of a file may have headers: keys that are encrypted as they once were.
    let session = Session::new(Options::der().rules(RuleSet::PEM.with(&Rule::PEM_HEADERS)));
    for block in pem::blocks_with(data.as_bytes(), &session) {
        let block = block.map_err(|error| errors::argument(error.to_string()))?;
        let octets = block.decode().map_err(|error| errors::argument(error.to_string()))?;
        list.append((block.label(), PyBytes::new(py, &octets)))?;
    }
    Ok(list)
}

/// Bytes as one block.
#[pyfunction]
fn write_pem<'py>(py: Python<'py>, label: &str, der: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let der = input::bytes(der)?;
    let text = pem::encode(label, der.as_bytes()).map_err(|error| errors::encoding(py, &error))?;
    Ok(PyBytes::new(py, text.as_bytes()))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_pem, module)?)?;
    module.add_function(wrap_pyfunction!(write_pem, module)?)
}
