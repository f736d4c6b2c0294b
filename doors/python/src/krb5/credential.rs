//! Tickets with their session keys and other client-side data.

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
    /// The client principal in the ticket.
    #[getter]
    fn client(&self) -> Principal {
        Principal(self.0.client.clone())
    }

    /// The service principal.
    #[getter]
    fn server(&self) -> Principal {
        Principal(self.0.server.clone())
    }

    /// The encryption type of the session key, or a number if it is not a member of `Enctype`.
    #[getter]
    fn enctype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        enctype_member(py, self.0.enc_type)
    }

    /// The encryption type of the ticket, or None if the ticket cannot be decoded.
    #[getter]
    fn ticket_enctype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        ticket_enc_type(&self.0).map(|number| enctype_member(py, number)).transpose()
    }

    /// The session key, or None if its encryption type is not supported.
    #[getter]
    fn session_key(&self) -> Option<Key> {
        self.0.session_key().map(Key)
    }

    /// The ticket, in DER.
    #[getter]
    fn ticket<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.ticket)
    }

    /// The time of the client's initial authentication.
    #[getter]
    fn auth_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.auth_time)
    }

    /// The start of the ticket's validity.
    #[getter]
    fn start_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, if self.0.start_time == UnixTime::EPOCH { self.0.auth_time } else { self.0.start_time })
    }

    /// The ticket's expiration time.
    #[getter]
    fn end_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.end_time)
    }

    /// The end of the ticket's renewable lifetime, or None if it is not renewable.
    #[getter]
    fn renew_till<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        (self.0.renew_till != UnixTime::EPOCH).then(|| datetime(py, self.0.renew_till)).transpose()
    }

    /// The names of the flags that are set, such as `forwardable` and `initial`.
    #[getter]
    fn flags(&self) -> Vec<String> {
        flags::names(self.0.flags, flags::ticket::NAMES)
    }

    /// True for a configuration entry of a cache, which contains a setting instead of a ticket.
    #[getter]
    fn is_config(&self) -> bool {
        self.0.config().is_some()
    }

    /// Returns the ticket as printed by `tagwise krb5 klist --json`.
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
