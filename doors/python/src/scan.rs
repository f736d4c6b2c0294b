//! The contents of files, in any container.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::RuleSet;
use tagwise::input::{Content, find};

use crate::input;
use crate::work::shared;

/// A value: kind, label, line, offset, bytes, what is wrong with the text that held it.
type Item<'py> = (String, Option<String>, Option<usize>, usize, Bound<'py, PyBytes>, Option<String>);

/// The same, before Python has it.
struct Held {
    kind: String,
    label: Option<String>,
    line: Option<usize>,
    offset: usize,
    der: Vec<u8>,
    problem: Option<String>,
}

fn kind(content: &Content) -> String {
    match content {
        Content::Kind(kind) => kind.name().to_owned(),
        Content::C509 => "c509".to_owned(),
        Content::Trust => "trust".to_owned(),
        Content::Other(words) => words.to_string(),
        Content::Nothing => String::new(),
    }
}

/// The values of one file.
fn held(data: &[u8]) -> Vec<Held> {
    let found = find(data, RuleSet::PEM_LAX);
    let items = found.items.into_iter().map(|item| Held {
        kind: kind(&item.content),
        label: item.label,
        line: item.line,
        offset: item.offset,
        der: item.der.into_owned(),
        problem: item.problem.map(|problem| problem.line()),
    });
    items.collect()
}

/// The values of many files, found on all processors and without the interpreter.
#[pyfunction]
fn find_many<'py>(py: Python<'py>, data: Vec<Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyList>>> {
    let data = data.iter().map(input::bytes).collect::<PyResult<Vec<_>>>()?;
    let files: Vec<&[u8]> = data.iter().map(|one| one.as_bytes()).collect();
    let found = py.detach(|| shared(&files, &|data| held(data)))?;
    let told = |items: Vec<Held>| {
        let told = |item: Held| -> Item<'py> {
            (item.kind, item.label, item.line, item.offset, PyBytes::new(py, &item.der), item.problem)
        };
        PyList::new(py, items.into_iter().map(told))
    };
    found.into_iter().map(told).collect()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_many, module)?)
}
