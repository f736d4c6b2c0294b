//! The `krb5.conf` configuration.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tagwise::krb5::Environment;
use tagwise::krb5::conf::{ConfValue, Config, NoIncludes, Relation};
use tagwise::krb5::gss::AcceptorOptions;

use super::failure;
use crate::errors;

/// A configuration. The package's class derives from this class.
#[pyclass(subclass, frozen, module = "tagwise._native")]
pub(super) struct Krb5Config(pub(super) Environment);

#[pymethods]
impl Krb5Config {
    /// Reads a configuration from a text or a file, or from `KRB5_CONFIG` or `/etc/krb5.conf` if neither is given. A text cannot include
    /// files.
    #[new]
    #[pyo3(signature = (text = None, *, path = None))]
    fn new(py: Python<'_>, text: Option<&str>, path: Option<PathBuf>) -> PyResult<Self> {
        match (text, path) {
            (Some(_), Some(_)) => Err(errors::argument("give either a text or a file, not both")),
            (Some(text), None) => {
                let read = Config::parse(text, &mut NoIncludes);
                let read = read.map_err(|error| errors::argument(format!("line {error}")))?;
                Ok(Self(Environment::new(read)))
            }
            (None, path) => {
                let read = py.detach(|| match &path {
                    Some(path) => Environment::file(path).map(Environment::new),
                    None => Environment::read(),
                });
                Ok(Self(read.map_err(failure::environment)?))
            }
        }
    }

    /// Returns the values at a path of names, in order.
    fn texts(&self, path: Vec<String>) -> Vec<String> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.0.config.texts(&path).into_iter().map(str::to_owned).collect()
    }

    /// Returns the sections as dictionaries, whose values are lists of texts and of further dictionaries.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sections = PyDict::new(py);
        for (name, relations) in self.0.config.sections() {
            sections.set_item(name, block(py, relations)?)?;
        }
        Ok(sections)
    }

    /// The default realm.
    #[getter]
    fn default_realm(&self) -> Option<&str> {
        self.0.config.default_realm()
    }

    /// The maximum clock skew in seconds: `clockskew`, or else five minutes.
    #[getter]
    fn clock_skew(&self) -> f64 {
        self.0.config.duration(None, "clockskew").unwrap_or(AcceptorOptions::default().skew).as_secs_f64()
    }

    /// Returns a realm's KDCs as configured.
    fn kdcs(&self, realm: &str) -> Vec<String> {
        self.0.config.kdcs(realm).into_iter().map(str::to_owned).collect()
    }

    /// Returns a host's realm according to `[domain_realm]`.
    fn realm_of_host(&self, host: &str) -> Option<&str> {
        self.0.config.realm_of_host(host)
    }

    /// Returns the name of the user's credential cache: `name`, `KRB5CCNAME`, `default_ccache_name`, or `/tmp/krb5cc_UID`.
    #[pyo3(signature = (name = None))]
    fn cache_name(&self, name: Option<&str>) -> PyResult<String> {
        self.0.cache_name(name).map_err(failure::environment)
    }

    /// Returns the path of the keytab: `name`, `KRB5_KTNAME`, `default_keytab_name`, or `/etc/krb5.keytab`.
    #[pyo3(signature = (name = None))]
    fn keytab_path(&self, name: Option<&str>) -> PyResult<String> {
        let path = self.0.keytab_path(name).map_err(failure::environment)?;
        Ok(path.to_string_lossy().into_owned())
    }
}

/// Converts relations to a dictionary by name. The parser limits the depth of blocks.
fn block<'py>(py: Python<'py>, relations: &[Relation]) -> PyResult<Bound<'py, PyDict>> {
    let values = PyDict::new(py);
    for relation in relations {
        let list = match values.get_item(&relation.name)? {
            Some(list) => list.cast_into::<PyList>()?,
            None => {
                let list = PyList::empty(py);
                values.set_item(&relation.name, &list)?;
                list
            }
        };
        match &relation.value {
            ConfValue::Text(text) => list.append(text)?,
            ConfValue::Block(inner) => list.append(block(py, inner)?)?,
        }
    }
    Ok(values)
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Krb5Config>()
}
