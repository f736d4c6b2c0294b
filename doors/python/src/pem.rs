//! PEM: blocks by their labels.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Options, Rule, RuleSet, Session, pem};

use crate::{errors, input};

/// The blocks of a text: label and bytes, or the exception for a block that cannot be read, which hides no other block.
#[pyfunction]
#[pyo3(signature = (data, allow = Vec::new()))]
fn read_pem<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyList>> {
    let data = input::bytes(data)?;
    let list = PyList::empty(py);
    // Other blocks of a file may have headers: keys that are encrypted as they once were.
    let rules = RuleSet::PEM.with(&Rule::PEM_HEADERS).union(input::rules(&allow)?);
    let session = Session::new(Options::der().rules(rules));
    for block in pem::blocks_with(data.as_bytes(), &session) {
        match block.and_then(|block| Ok((block.label().to_owned(), block.decode()?))) {
            Ok((label, octets)) => list.append((label, PyBytes::new(py, &octets)))?,
            Err(error) => list.append(errors::text(py, &error).into_value(py))?,
        }
    }
    Ok(list)
}

/// A block: label, bytes, headers, line, offset, length.
type Block<'py> = (String, Bound<'py, PyBytes>, Vec<(String, String)>, usize, usize, usize);

/// The blocks of a text, by strict rules but for those that are named.
#[pyfunction]
fn pem_blocks<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Vec<Block<'py>>> {
    let data = input::bytes(data)?;
    let session = Session::new(input::allowed(&allow)?);
    let mut blocks = Vec::new();
    for block in pem::blocks_with(data.as_bytes(), &session) {
        let block = block.map_err(|error| errors::text(py, &error))?;
        let octets = block.decode().map_err(|error| errors::text(py, &error))?;
        let headers = block.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let (begin, end) = (block.begin(), block.end());
        let label = block.label().to_owned();
        blocks.push((label, PyBytes::new(py, &octets), headers, block.line(), begin, end.saturating_sub(begin)));
    }
    Ok(blocks)
}

/// The names of the rules for common faults.
#[pyfunction]
fn pem_rules() -> Vec<&'static str> {
    Rule::ALL.iter().filter(|rule| RuleSet::PEM_LAX.has(rule)).map(|rule| rule.name).collect()
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
    module.add_function(wrap_pyfunction!(pem_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(pem_rules, module)?)?;
    module.add_function(wrap_pyfunction!(write_pem, module)?)
}
