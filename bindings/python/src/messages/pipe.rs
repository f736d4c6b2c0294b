//! File objects of Python's as readers and writers.

use std::io::{self, Read, Write};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};

use crate::input;

/// An object with `read`.
#[derive(Clone)]
pub(crate) struct Source(Arc<Py<PyAny>>);

/// An object with `write`.
pub(super) struct Target(Py<PyAny>);

impl Source {
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> Self {
        Self(Arc::new(file.clone().unbind()))
    }

    /// Tells the garbage collector of the object, which may have its reader. Of all that share it, one does.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&*self.0)
    }
}

impl Target {
    pub(super) fn new(file: &Bound<'_, PyAny>) -> Self {
        Self(file.clone().unbind())
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),)).and_then(|read| input::bytes(&read));
            let read = read.map_err(io::Error::other)?;
            let octets = read.as_bytes();
            match buffer.get_mut(..octets.len()) {
                Some(place) => place.copy_from_slice(octets),
                None => return Err(io::Error::other("read gave more bytes than it was asked for")),
            }
            Ok(octets.len())
        })
    }
}

impl Write for Target {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written =
                self.0.bind(py).call_method1("write", (PyBytes::new(py, buffer),)).map_err(io::Error::other)?;
            // A raw file may write less; others give nothing, or a number of characters of all.
            let count = written.extract::<usize>().unwrap_or(buffer.len());
            Ok(count.min(buffer.len()))
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
