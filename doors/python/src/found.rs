//! Values in inputs of any format, and PEM blocks.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Options, Rule, RuleSet, Session, pem};
use tagwise::input::find;
use tagwise::pkix::oids::files;
use tagwise::pkix::pem::untrusted;

use crate::work::shared;
use crate::{errors, input};

/// A value: kind, description, label, line, offset, archive member, bytes, and the code and message of its error.
type FoundRow<'py> = (
    &'static str,
    String,
    Option<String>,
    Option<usize>,
    usize,
    Option<String>,
    Bound<'py, PyBytes>,
    Option<&'static str>,
    Option<String>,
);

/// A value before its conversion to Python.
struct Held {
    kind: &'static str,
    words: String,
    label: Option<String>,
    line: Option<usize>,
    offset: usize,
    entry: Option<String>,
    der: Vec<u8>,
    problem: Option<(&'static str, String)>,
}

/// Returns the format of a file and the values in it.
fn held(data: &[u8], rules: RuleSet) -> (&'static str, Vec<Held>) {
    let found = find(data, rules);
    let items = found.items.into_iter().map(|item| Held {
        kind: item.content.name(),
        words: item.content.words().to_owned(),
        label: item.label,
        line: item.line,
        offset: item.offset,
        entry: item.entry,
        der: item.der.into_owned(),
        problem: item.problem.map(|problem| (problem.code, problem.line())),
    });
    (found.form.name(), items.collect())
}

/// Finds the formats and values of many files, on all processors and with the GIL released.
#[pyfunction]
fn find_many<'py>(
    py: Python<'py>,
    data: Vec<Bound<'py, PyAny>>,
    allow: Vec<String>,
) -> PyResult<Vec<(&'static str, Bound<'py, PyList>)>> {
    let rules = input::rules(&allow)?;
    let data = data.iter().map(input::bytes).collect::<PyResult<Vec<_>>>()?;
    let files: Vec<&[u8]> = data.iter().map(|one| one.as_bytes()).collect();
    let found = py.detach(|| shared(&files, &|data| held(data, rules)))?;
    let told = |(form, items): (&'static str, Vec<Held>)| {
        let told = |item: Held| -> FoundRow<'py> {
            let Held { kind, words, label, line, offset, entry, der, problem } = item;
            let (code, text) = problem.unzip();
            (kind, words, label, line, offset, entry, PyBytes::new(py, &der), code, text)
        };
        Ok((form, PyList::new(py, items.into_iter().map(told))?))
    };
    found.into_iter().map(told).collect()
}

/// Returns the PEM labels of each kind, by the kind's name. The first label is used for writing.
#[pyfunction]
fn pem_labels() -> BTreeMap<&'static str, &'static [&'static str]> {
    files::ALL.iter().map(|kind| (kind.name, kind.labels)).collect()
}

/// Reads the PEM blocks in a text: label, bytes and kind, or the exception for an unreadable block. Other blocks are still read.
/// OpenSSL's trust settings after a certificate are dropped.
#[pyfunction]
#[pyo3(signature = (data, allow = Vec::new()))]
fn read_pem<'py>(py: Python<'py>, data: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyList>> {
    let data = input::bytes(data)?;
    let list = PyList::empty(py);
    // Other blocks of a file may have headers: keys that are encrypted as they once were.
    let rules = RuleSet::PEM.with(&Rule::PEM_HEADERS).union(input::rules(&allow)?);
    let session = Session::new(Options::der().rules(rules));
    for block in pem::blocks_with(data.as_bytes(), &session) {
        match block.and_then(|block| Ok((block.label(), block.decode()?))) {
            Ok((label, mut octets)) => {
                untrusted(label, &mut octets);
                let kind = files::of_label(label).map(|kind| kind.name);
                list.append((label, PyBytes::new(py, &octets), kind))?;
            }
            Err(error) => list.append(errors::text(py, &error).into_value(py))?,
        }
    }
    Ok(list)
}

/// A block: label, bytes, headers, line, offset, length.
type Block<'py> = (String, Bound<'py, PyBytes>, Vec<(String, String)>, usize, usize, usize);

/// Reads the PEM blocks in a text strictly, except that violations of the named rules are tolerated.
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

/// Returns the names of the rules for common PEM errors.
#[pyfunction]
fn pem_rules() -> Vec<&'static str> {
    Rule::ALL.iter().filter(|rule| RuleSet::PEM_LAX.has(rule)).map(|rule| rule.name).collect()
}

/// Encodes bytes as a PEM block.
#[pyfunction]
fn write_pem<'py>(py: Python<'py>, label: &str, der: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let der = input::bytes(der)?;
    let text = pem::encode(label, der.as_bytes()).map_err(|error| errors::encoding(py, &error))?;
    Ok(PyBytes::new(py, text.as_bytes()))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_many, module)?)?;
    module.add_function(wrap_pyfunction!(pem_labels, module)?)?;
    module.add_function(wrap_pyfunction!(read_pem, module)?)?;
    module.add_function(wrap_pyfunction!(pem_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(pem_rules, module)?)?;
    module.add_function(wrap_pyfunction!(write_pem, module)?)
}
