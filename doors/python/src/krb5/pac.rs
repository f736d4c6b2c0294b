//! PACs: their buffers, and verification of their signatures.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::pac::{Pac, buffer, of_ticket};

use super::crypto::Key;
use super::{backend, failure};
use crate::{errors, input};

/// A PAC buffer: its type, the type's name, and its bytes.
type Buffer<'py> = (u32, Option<&'static str>, Bound<'py, PyBytes>);

/// Returns the buffers of a PAC.
#[pyfunction]
fn krb5_pac_buffers<'py>(py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Vec<Buffer<'py>>> {
    let data = input::bytes(data)?;
    let pac = Pac::from_bytes(data.as_bytes()).map_err(|error| failure::file(py, &error))?;
    Ok(pac.buffers().map(|(kind, octets)| (kind, buffer::name(kind), PyBytes::new(py, octets))).collect())
}

/// Extracts the PAC from a ticket's decrypted part. Also returns the bytes that the ticket signature covers.
#[pyfunction]
fn krb5_pac_of<'py>(
    py: Python<'py>,
    part: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let found = of_ticket(input::bytes(part)?.as_bytes()).map_err(|error| failure::crypto(py, &error))?;
    Ok(found.map(|found| (PyBytes::new(py, &found.pac), PyBytes::new(py, &found.without_pac))))
}

/// Returns the names of the signatures verified with the given keys. A signature that one of these keys should have made must be valid.
#[pyfunction]
fn krb5_pac_verify(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    server: Option<&Bound<'_, Key>>,
    kdc: Option<&Bound<'_, Key>>,
    ticket: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<&'static str>> {
    let data = input::bytes(data)?;
    let pac = Pac::from_bytes(data.as_bytes()).map_err(|error| failure::file(py, &error))?;
    let mut confirmed = Vec::new();
    if let Some(key) = server {
        pac.verify_server(backend(), &key.get().0).map_err(|error| failure::crypto(py, &error))?;
        confirmed.push("server");
    }
    let Some(key) = kdc else {
        // The signature over a ticket is the KDC's.
        return if ticket.is_none() {
            Ok(confirmed)
        } else {
            Err(errors::argument("the signature over a ticket requires the KDC's key"))
        };
    };
    let signed = pac.verify_kdc(backend(), &key.get().0).map_err(|error| failure::crypto(py, &error))?;
    confirmed.push("kdc");
    if signed.by_kdc_fully {
        confirmed.push("full");
    }
    if let (Some(ticket), Some(_)) = (ticket, pac.signature(buffer::TICKET_CHECKSUM)) {
        let ticket = input::bytes(ticket)?;
        let checked = pac.verify_ticket(backend(), &key.get().0, ticket.as_bytes());
        checked.map_err(|error| failure::crypto(py, &error))?;
        confirmed.push("ticket");
    }
    Ok(confirmed)
}

/// Creates a signed PAC from buffers.
#[pyfunction]
fn krb5_pac_sign<'py>(
    py: Python<'py>,
    buffers: Vec<(u32, Vec<u8>)>,
    server: &Bound<'py, Key>,
    kdc: &Bound<'py, Key>,
) -> PyResult<Bound<'py, PyBytes>> {
    let made = Pac::sign(backend(), &buffers, &server.get().0, &kdc.get().0);
    Ok(PyBytes::new(py, &made.map_err(|error| failure::crypto(py, &error))?))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(krb5_pac_buffers, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_pac_of, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_pac_verify, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_pac_sign, module)?)
}
