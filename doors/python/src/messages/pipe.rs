//! Python file objects as readers and writers.

use std::io::{self, Read, Write};
use std::sync::Arc;

use pyo3::exceptions::{PyBlockingIOError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt};
use pyo3::{PyTraverseError, PyVisit};

use crate::input;

/// An object with a `read` method.
#[derive(Clone)]
pub(crate) struct Source(Arc<Py<PyAny>>);

/// An object with a `write` method.
pub(super) struct Target(Py<PyAny>);

impl Source {
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> Self {
        Self(Arc::new(file.clone().unbind()))
    }

    /// Reports the object to the garbage collector, because it may refer to its reader. If several owners share the object,
    /// only one of them reports it.
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
                None => return Err(io::Error::other("read returned more bytes than requested")),
            }
            Ok(octets.len())
        })
    }
}

/// The number of bytes, out of `all`, that `write` accepted, from its return value.
///
/// A raw file may accept fewer, and returns None if it currently accepts none. Other objects return None, True, or a number with another
/// meaning, after accepting all.
fn taken(written: &Bound<'_, PyAny>, file: &Bound<'_, PyAny>, all: usize) -> PyResult<usize> {
    if written.is_none() {
        let raw = file.py().import("io")?.getattr("RawIOBase")?;
        return match file.is_instance(&raw)? {
            true => Err(PyBlockingIOError::new_err("the file is non-blocking and not writable")),
            false => Ok(all),
        };
    }
    if written.is_instance_of::<PyBool>() || !written.is_instance_of::<PyInt>() {
        return Ok(if written.is_truthy()? { all } else { 0 });
    }
    if written.lt(0)? {
        return Err(PyOSError::new_err("write returned a negative number"));
    }
    Ok(written.extract::<usize>().map_or(all, |count| count.min(all)))
}

impl Write for Target {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written =
                self.0.bind(py).call_method1("write", (PyBytes::new(py, buffer),)).map_err(io::Error::other)?;
            taken(&written, self.0.bind(py), buffer.len()).map_err(io::Error::other)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
