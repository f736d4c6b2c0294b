//! Tickets with their session keys and the other information that a client has about them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::UnixTime;
use tagwise::krb5::show::{View, ticket_enc_type};
use tagwise::krb5::{Credential as Inner, flags, show};

use super::crypto::Key;
use super::principal::Principal;
use super::show::to_py;
use super::{datetime, enctype_member};

/// A ticket with its session key. The key is never printed or pickled.
#[pyclass(frozen, module = "tagwise.krb5")]
pub(super) struct Credential(pub(super) Inner);

#[pymethods]
impl Credential {
    /// The principal that the ticket names as client.
    #[getter]
    fn client(&self) -> Principal {
        Principal(self.0.client.clone())
    }

    /// The principal of the service.
    #[getter]
    fn server(&self) -> Principal {
        Principal(self.0.server.clone())
    }

    /// The encryption type of the session key; a number where it is not one of `Enctype`.
    #[getter]
    fn enctype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        enctype_member(py, self.0.enc_type)
    }

    /// The encryption type of the ticket; None if the ticket does not decode.
    #[getter]
    fn ticket_enctype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        ticket_enc_type(&self.0).map(|number| enctype_member(py, number)).transpose()
    }

    /// The session key; None where its encryption type is not implemented.
    #[getter]
    fn session_key(&self) -> Option<Key> {
        self.0.session_key().map(Key)
    }

    /// The ticket, in DER.
    #[getter]
    fn ticket<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.ticket)
    }

    /// The time of the client's authentication.
    #[getter]
    fn auth_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.auth_time)
    }

    /// The time from which the ticket is valid.
    #[getter]
    fn start_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, if self.0.start_time == UnixTime::EPOCH { self.0.auth_time } else { self.0.start_time })
    }

    /// The time at which the ticket expires.
    #[getter]
    fn end_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.end_time)
    }

    /// The time until which the ticket may be renewed; None if it may not.
    #[getter]
    fn renew_till<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        (self.0.renew_till != UnixTime::EPOCH).then(|| datetime(py, self.0.renew_till)).transpose()
    }

    /// The names of the flags that are set: `forwardable`, `initial` …
    #[getter]
    fn flags(&self) -> Vec<String> {
        flags::names(self.0.flags, flags::ticket::NAMES)
    }

    /// True for an entry of a cache that holds a setting in place of a ticket.
    #[getter]
    fn is_config(&self) -> bool {
        self.0.config().is_some()
    }

    /// The ticket as `tagwise krb5 klist --json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_py(py, &show::ticket(&self.0, View::new(false)).into())
    }

    fn __repr__(&self) -> String {
        format!("<Credential({} for {}, until {})>", self.0.client, self.0.server, show::stamp(self.0.end_time))
    }

    fn __reduce__(&self) -> PyResult<String> {
        Err(pyo3::exceptions::PyTypeError::new_err("credentials cannot be pickled; use a CredentialCache"))
    }
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Credential>()
}
