//! Modules of ASN.1, compiled at run time: their types decode and encode as the package's own do.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::value::Dynamic;
use tagwise::codec::{Arena, Error, Options, ber, cer};
use tagwise::tables::{Departure, Limits, Schema as Compiled, SchemaOptions, Source};
use tagwise::{jer, tables};

use crate::certificate::told;
use crate::errors;
use crate::value::{Making, to_py};
use crate::{input, select};

/// Modules that were compiled together.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Schema(Arc<Compiled>);

impl Schema {
    fn ty(&self, name: &str) -> PyResult<Dynamic<'_>> {
        self.0.ty(name).map_err(|error| pyo3::exceptions::PyKeyError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Schema {
    /// Compiles modules: the names of their files, and their texts; and names of departures from X.680 that are taken.
    #[new]
    #[pyo3(signature = (sources, departures=Vec::new()))]
    fn new(py: Python<'_>, sources: Vec<(String, String)>, departures: Vec<String>) -> PyResult<Self> {
        let sources: Vec<Source> = sources.iter().map(|(name, text)| Source::new(name, text)).collect();
        let mut options = SchemaOptions::within(Limits::DEFAULT);
        for name in departures {
            let known = Departure::ALL.iter().copied().find(|departure| departure.name() == name);
            options = options.allow(known.ok_or_else(|| errors::argument(format!("there is no departure {name}")))?);
        }
        let compiled = py.detach(|| Compiled::compile_with(sources, &options));
        compiled.map(|schema| Self(Arc::new(schema))).map_err(|error| match error {
            tables::Error::Modules(compilation) => errors::argument(compilation.render()),
            other => errors::argument(other.to_string()),
        })
    }

    /// The types: module and name of each.
    fn names(&self) -> Vec<(String, String)> {
        self.0.names().iter().map(|name| (name.module.clone(), name.name.clone())).collect()
    }

    /// Conditions of the modules that values are not held to.
    fn unchecked(&self) -> Vec<String> {
        self.0.unchecked().iter().map(|one| format!("{}: {}", one.what, one.text)).collect()
    }

    /// Refuses a name that no type has.
    fn check(&self, name: &str) -> PyResult<()> {
        self.ty(name).map(|_| ())
    }

    /// A value from its encoding, and what was tolerated.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        data: &Bound<'py, PyAny>,
        rules: &str,
        allow: Vec<String>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
        let data = input::bytes(data)?;
        let options = input::allowed(&allow)?;
        let dynamic = self.ty(name)?.options(options);
        let (ty, schema) = (dynamic.ty(), dynamic.types().schema());
        let canonical = match rules {
            "DER" => None,
            "BER" => Some(ber::to_der_as(ty, schema, data.as_bytes(), &options)),
            "CER" => Some(cer::to_der_as(ty, schema, data.as_bytes(), &options)),
            _ => return Err(errors::argument("the rules are DER, BER or CER")),
        };
        let canonical = canonical.transpose().map_err(|error| errors::decoding(py, &error))?;
        let octets = canonical.as_ref().map_or(data.as_bytes(), |canonical| &canonical.bytes);
        let located = |error: Error| match &canonical {
            Some(canonical) => errors::decoding(py, &canonical.original(error)),
            None => errors::decoding(py, &error),
        };
        let read = dynamic.decode(octets).map_err(located)?;
        Ok((to_py(py, dynamic.types(), &read.value)?, told(py, &read.deviations)?))
    }

    /// The encoding of a value.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        value: &Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let dynamic = self.ty(name)?;
        let arena = Arena::new();
        let value = Making::new(dynamic.types(), &arena).value(dynamic.ty(), value)?;
        let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
        match rules {
            // What is DER is BER.
            "DER" | "BER" => Ok(PyBytes::new(py, &der)),
            "CER" => {
                let cer = cer::from_der_as(dynamic.ty(), dynamic.types().schema(), &der, &Options::der());
                Ok(PyBytes::new(py, &cer.map_err(|error| errors::decoding(py, &error))?.bytes))
            }
            _ => Err(errors::argument("the rules are DER, BER or CER")),
        }
    }

    /// The values that a path leads to, each with its own path.
    fn select<'py>(&self, py: Python<'py>, name: &str, data: &[u8], path: &str) -> PyResult<Bound<'py, PyList>> {
        select::found(py, &self.ty(name)?, data, path)
    }

    /// A value in JSON (X.697) from its encoding.
    fn to_json(&self, py: Python<'_>, name: &str, data: &[u8]) -> PyResult<String> {
        let dynamic = self.ty(name)?;
        let read = dynamic.decode(data).map_err(|error| errors::decoding(py, &error))?;
        Ok(jer::to_string(dynamic.types(), &read.value))
    }

    /// The encoding of a value in JSON (X.697).
    fn read_json<'py>(&self, py: Python<'py>, name: &str, text: &str) -> PyResult<Bound<'py, PyBytes>> {
        let dynamic = self.ty(name)?;
        let value = jer::from_str(&dynamic, text).map_err(|error| errors::argument(error.to_string()))?;
        let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
        Ok(PyBytes::new(py, &der))
    }

    /// The path of the component that a byte belongs to.
    fn path_at(&self, name: &str, data: &[u8], offset: usize) -> PyResult<String> {
        Ok(self.ty(name)?.path_at(data, offset))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Schema>()
}
