//! Credential caches in their storage, and their content.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::Ccache;
use tagwise::krb5::cache::Cache as Inner;
use tagwise::krb5::client::Moment;
use tagwise::pkix::UnixTime;

use super::config::Krb5Config;
use super::credential::Credential;
use super::failure;
use super::principal::{Principal, principal};
use crate::input;

/// The location of a credential cache. The package's class derives from this class.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(super) struct Krb5Cache {
    inner: Inner,
    /// True if the client's clock is corrected by the KDC's.
    keeps_clock: bool,
    /// True if the cache is removed with this object.
    is_own: AtomicBool,
}

impl Drop for Krb5Cache {
    fn drop(&mut self) {
        if self.is_own.load(Ordering::Acquire) {
            // One that is gone already is as it should be.
            let _ = self.inner.destroy();
        }
    }
}

impl Krb5Cache {
    /// Reads the cache.
    pub(super) fn content(&self, py: Python<'_>) -> PyResult<Ccache> {
        py.detach(|| self.inner.read()).map_err(|error| failure::cache(py, error))
    }

    /// Returns the seconds by which the KDC's clock is ahead.
    fn ahead(&self, content: &Ccache) -> i64 {
        if self.keeps_clock { content.ahead_seconds() } else { 0 }
    }

    /// Returns the time by the KDC's clock.
    fn now(&self, content: &Ccache) -> UnixTime {
        Moment::now().by_clock(self.ahead(content)).unix
    }

    /// Adds a credential to the cache. Existing credentials remain.
    pub(super) fn keep(&self, py: Python<'_>, credential: &Credential) -> PyResult<()> {
        py.detach(|| self.inner.add(&credential.0)).map_err(|error| failure::cache(py, error))
    }
}

#[pymethods]
impl Krb5Cache {
    /// Resolves a cache's name according to a configuration. A collection's name denotes its primary cache.
    #[new]
    fn new(py: Python<'_>, name: Option<&str>, config: &Bound<'_, Krb5Config>) -> PyResult<Self> {
        let environment = &config.get().0;
        let name = environment.cache_name(name).map_err(failure::environment)?;
        let found = py.detach(|| Inner::resolve(&name, &environment.cache_settings()));
        let keeps_clock = environment.keeps_clock();
        let made = |inner| Self { inner, keeps_clock, is_own: AtomicBool::new(false) };
        found.map(made).map_err(|error| failure::cache(py, error))
    }

    /// The name of the cache with its type, such as `FILE:/tmp/krb5cc_1000`.
    #[getter]
    fn name(&self) -> String {
        self.inner.name()
    }

    /// The cache's client principal.
    #[getter]
    fn principal(&self, py: Python<'_>) -> PyResult<Principal> {
        Ok(Principal(self.content(py)?.principal().clone()))
    }

    /// The tickets in the cache, without configuration entries.
    #[getter]
    fn credentials(&self, py: Python<'_>) -> PyResult<Vec<Credential>> {
        Ok(self.content(py)?.tickets().cloned().map(Credential).collect())
    }

    /// The seconds by which the KDC's clock is ahead of this host's, or 0 with `kdc_timesync = 0`.
    #[getter]
    fn clock_offset(&self, py: Python<'_>) -> PyResult<i64> {
        Ok(self.ahead(&self.content(py)?))
    }

    /// Initializes the cache for a principal, replacing any previous content.
    #[pyo3(signature = (owner, *, clock_offset = 0))]
    fn initialize(&self, py: Python<'_>, owner: &Bound<'_, PyAny>, clock_offset: i32) -> PyResult<()> {
        let mut content = Ccache::new(principal(owner, None)?);
        if clock_offset != 0 {
            content.set_ahead_seconds(clock_offset);
        }
        py.detach(|| self.inner.write(&content)).map_err(|error| failure::cache(py, error))
    }

    /// Adds a credential to an existing cache.
    fn store(&self, py: Python<'_>, credential: &Bound<'_, Credential>) -> PyResult<()> {
        self.keep(py, credential.get())
    }

    /// Returns the unexpired credential for a service that is valid longest, or None.
    fn find(&self, py: Python<'_>, server: &Bound<'_, PyAny>) -> PyResult<Option<Credential>> {
        let content = self.content(py)?;
        let realm = String::from_utf8_lossy(content.principal().realm()).into_owned();
        let server = principal(server, Some(&realm))?;
        Ok(content.find(&server, self.now(&content)).cloned().map(Credential))
    }

    /// Returns a valid ticket-granting ticket: for the given realm if available, otherwise for the client's realm, or None.
    #[pyo3(signature = (realm = None))]
    fn granting(&self, py: Python<'_>, realm: Option<&str>) -> PyResult<Option<Credential>> {
        let content = self.content(py)?;
        Ok(content.granting(realm.map(str::as_bytes), self.now(&content)).cloned().map(Credential))
    }

    /// Returns the cache's content in the file format.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let octets = self.content(py)?.to_bytes().map_err(|error| failure::file(py, &error))?;
        Ok(PyBytes::new(py, &octets))
    }

    /// Replaces the cache's content with that of a cache file.
    fn load_bytes(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let content = Ccache::from_bytes(input::bytes(data)?.as_bytes());
        let content = content.map_err(|error| failure::file(py, &error))?;
        py.detach(|| self.inner.write(&content)).map_err(|error| failure::cache(py, error))
    }

    /// Removes the cache. A file is overwritten with zeros first.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.destroy()).map_err(|error| failure::cache(py, error))
    }

    /// Removes the cache together with this object.
    fn own(&self) {
        self.is_own.store(true, Ordering::Release);
    }

    /// Makes this the primary cache of its collection.
    fn switch(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.switch()).map_err(|error| failure::cache(py, error))
    }

    fn __repr__(&self) -> String {
        format!("<CredentialCache({})>", self.inner.name())
    }
}

/// Returns the names of the caches in a collection, the primary one first.
#[pyfunction]
fn krb5_caches(py: Python<'_>, name: Option<&str>, config: &Bound<'_, Krb5Config>) -> PyResult<Vec<String>> {
    let environment = &config.get().0;
    let name = environment.cache_name(name).map_err(failure::environment)?;
    let found = py.detach(|| Inner::list(&name, &environment.cache_settings()));
    Ok(found.map_err(|error| failure::cache(py, error))?.iter().map(Inner::name).collect())
}

/// Returns an unused cache name in a collection.
#[pyfunction]
fn krb5_unused_cache(py: Python<'_>, name: &str, config: &Bound<'_, Krb5Config>) -> PyResult<String> {
    let settings = config.get().0.cache_settings();
    let found = py.detach(|| Inner::unused(name, &settings));
    found.map(|cache| cache.name()).map_err(|error| failure::cache(py, error))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Krb5Cache>()?;
    module.add_function(wrap_pyfunction!(krb5_caches, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_unused_cache, module)?)
}
