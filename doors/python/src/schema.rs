//! ASN.1 modules compiled at run time. Their types decode and encode like the package's own types.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use tagwise::codec::ber::Canonical;
use tagwise::codec::value::{Dynamic, Types, Value};
use tagwise::codec::{Arena, Deviation, Error, Options, Rule, ber, cer};
use tagwise::tables::{Departure, Limits, Schema as Compiled, SchemaOptions, Source};
use tagwise::{jer, tables};

use crate::certificate::told;
use crate::part::{Sizes, part};
use crate::records::Records;
use crate::stream::{Content, Events, ItemsOf};
use crate::value::{Making, View, to_py};
use crate::{budget, elements, errors, input, select, stream, untagged};

/// Modules that were compiled together.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Schema {
    compiled: Arc<Compiled>,
    /// True if UTCTime and GeneralizedTime are `datetime` objects instead of numbers.
    moments: bool,
    /// The indexes of types, by the names with which they were requested.
    known: RwLock<HashMap<String, u32>>,
}

impl Schema {
    fn ty(&self, name: &str) -> PyResult<Dynamic<'_>> {
        let tables = self.compiled.tables();
        let known = self.known.read().ok().and_then(|known| known.get(name).copied());
        if let Some(ty) = known.and_then(|index| tables.types.get(index as usize)) {
            return Ok(Dynamic::new(ty).schema(tables));
        }
        let found = self.compiled.ty(name);
        let found = found.map_err(crate::errors::unknown)?;
        let index = tables.types.iter().position(|ty| std::ptr::eq(ty, found.ty()));
        if let (Some(index), Ok(mut known)) = (index.and_then(|index| u32::try_from(index).ok()), self.known.write()) {
            known.insert(name.to_owned(), index);
        }
        Ok(found)
    }
}

#[pymethods]
impl Schema {
    /// Compiles modules, given their file names and texts, and the names of tolerated deviations from X.680.
    #[new]
    #[pyo3(signature = (sources, departures=Vec::new(), limits=None, moments=false))]
    fn new(
        py: Python<'_>,
        sources: Vec<(String, String)>,
        departures: Vec<String>,
        limits: Option<(u32, u32, u64, u32)>,
        moments: bool,
    ) -> PyResult<Self> {
        let sources: Vec<Source> = sources.iter().map(|(name, text)| Source::new(name, text)).collect();
        let mut within = Limits::DEFAULT;
        if let Some(given) = limits {
            (within.depth, within.instances, within.bytes, within.bytes_per_byte) = given;
        }
        let mut options = SchemaOptions::within(within);
        for name in departures {
            let known = Departure::ALL.iter().copied().find(|departure| departure.name() == name);
            options = options.allow(known.ok_or_else(|| {
                let names: Vec<&str> = Departure::ALL.iter().map(|departure| departure.name()).collect();
                errors::argument(format!("unknown departure {name}; expected one of {}", names.join(", ")))
            })?);
        }
        let compiled = py.detach(|| Compiled::compile_with(sources, &options));
        compiled.map(|schema| Self { compiled: Arc::new(schema), moments, known: RwLock::default() }).map_err(|error| {
            match error {
                tables::Error::Modules(compilation) => errors::argument(compilation.render()),
                other => errors::argument(other.to_string()),
            }
        })
    }

    /// Returns the module and name of each type.
    fn names(&self) -> Vec<(String, String)> {
        self.compiled.names().iter().map(|name| (name.module.clone(), name.name.clone())).collect()
    }

    /// Returns the conditions in the modules that are not checked.
    fn unchecked(&self) -> Vec<String> {
        self.compiled.unchecked().iter().map(|one| format!("{}: {}", one.what, one.text)).collect()
    }

    /// Rejects an unknown type name.
    fn check(&self, name: &str) -> PyResult<()> {
        self.ty(name).map(|_| ())
    }

    /// Decodes a value. Also returns the tolerated deviations.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        data: &Bound<'py, PyAny>,
        rules: &str,
        allow: Vec<String>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
        let dynamic = self.ty(name)?;
        if let Some(rules) = untagged::rules(rules) {
            let ty = untagged::ty(&self.compiled, name, rules, &allow)?;
            let read = untagged::decode(py, &ty, data)?;
            let view = View { types: dynamic.types(), moments: self.moments };
            return Ok((to_py(py, view, &read.value)?, untagged::told(py, &read)?));
        }
        read(py, &dynamic, data, rules, &allow, |types, value, _, _, deviations| {
            Ok((to_py(py, View { types, moments: self.moments }, value)?, told(py, deviations)?))
        })
    }

    /// Returns the elements of an encoding as a tree, and the tolerated deviations.
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        data: &Bound<'py, PyAny>,
        rules: &str,
        allow: Vec<String>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyList>)> {
        let dynamic = self.ty(name)?;
        read(py, &dynamic, data, rules, &allow, |types, value, input, canonical, deviations| {
            Ok((
                elements::tree(py, View { types, moments: self.moments }, value, input, canonical)?,
                told(py, deviations)?,
            ))
        })
    }

    /// Encodes a value.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        value: &Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let dynamic = self.ty(name)?;
        if let Some(rules) = untagged::rules(rules) {
            let ty = untagged::ty(&self.compiled, name, rules, &[])?;
            let arena = Arena::new();
            let value = Making::new(dynamic.types(), &arena).value(dynamic.ty(), value)?;
            return Ok(PyBytes::new(
                py,
                &ty.encode(&value).map_err(|error| errors::untagged(py, &error, Some(&dynamic)))?,
            ));
        }
        written(py, &dynamic, value, rules)
    }

    /// Returns the path, start and end of each component of an encoding in PER, OER or XER, in bits.
    fn bits(
        &self,
        py: Python<'_>,
        name: &str,
        data: &Bound<'_, PyAny>,
        rules: &str,
        allow: Vec<String>,
    ) -> PyResult<Vec<(String, u64, u64)>> {
        let rules = untagged::rules(rules).ok_or_else(|| {
            errors::argument("bits has positions in PER, OER and XER; use inspect for DER, BER and CER")
        })?;
        let ty = untagged::ty(&self.compiled, name, rules, &allow)?.positions(true);
        let read = untagged::decode(py, &ty, data)?;
        let values = read.positions.into_iter().filter(|one| !one.is_padding);
        Ok(values.map(|one| (one.path, one.start, one.end)).collect())
    }

    /// Encodes one item of the list at a path.
    fn encode_item<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        path: &str,
        value: &Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let dynamic = self.ty(name)?;
        let list = part(dynamic.types(), dynamic.ty(), path).and_then(|part| part.items(dynamic.types()));
        let item = list.and_then(|(item, _)| dynamic.types().get(&item));
        let item = item.ok_or_else(|| errors::argument(format!("`{path}` is not a list of {name}")))?;
        written(py, &Dynamic::new(item).schema(self.compiled.tables()), value, rules)
    }

    /// Returns the numbers of items that the SEQUENCE OF at a path may have. Returns None if it is not a SEQUENCE OF, or has other
    /// constraints.
    fn sizes(&self, name: &str, path: &str) -> PyResult<Option<Vec<Sizes>>> {
        let dynamic = self.ty(name)?;
        let types = dynamic.types();
        let list = part(types, dynamic.ty(), path).filter(|part| part.items(types).is_some_and(|(_, plain)| plain));
        Ok(list.and_then(|list| list.sizes(types)))
    }

    /// Iterates over the events of a value in a file.
    fn events(&self, name: &str, file: &Bound<'_, PyAny>, rules: &str, chunk: usize) -> PyResult<Events> {
        Events::new((&self.compiled, self.moments), name, file, stream::rules(rules)?, chunk)
    }

    /// Iterates over the items of a list in a file.
    fn items(
        &self,
        py: Python<'_>,
        name: &str,
        file: &Bound<'_, PyAny>,
        path: &str,
        rules: &str,
        limit: usize,
    ) -> PyResult<ItemsOf> {
        let settings = stream::settings(stream::rules(rules)?)?.item(limit);
        ItemsOf::new(py, (&self.compiled, self.moments), name, file, path, settings)
    }

    /// Iterates over the concatenated values in a file.
    fn records(&self, name: &str, file: &Bound<'_, PyAny>, rules: &str, limit: usize) -> PyResult<Records> {
        Records::new((&self.compiled, self.moments), name, file, stream::settings(stream::rules(rules)?)?.item(limit))
    }

    /// Opens the content of a string in a file.
    fn content(
        &self,
        py: Python<'_>,
        name: &str,
        file: &Bound<'_, PyAny>,
        path: &str,
        rules: &str,
    ) -> PyResult<Content> {
        Content::new(py, &self.compiled, name, file, path, stream::rules(rules)?)
    }

    /// Returns the values at a path, each with its own path.
    fn select<'py>(&self, py: Python<'py>, name: &str, data: &[u8], path: &str) -> PyResult<Bound<'py, PyList>> {
        select::found(py, &self.ty(name)?, data, path, self.moments)
    }

    /// Converts an encoded value to JSON (X.697).
    #[pyo3(signature = (name, data, rules="DER"))]
    fn to_json(&self, py: Python<'_>, name: &str, data: &Bound<'_, PyAny>, rules: &str) -> PyResult<String> {
        let dynamic = self.ty(name)?;
        if let Some(rules) = untagged::rules(rules) {
            let read = untagged::decode(py, &untagged::ty(&self.compiled, name, rules, &[])?, data)?;
            return Ok(jer::to_string(dynamic.types(), &read.value));
        }
        read(py, &dynamic, data, rules, &[], |types, value, _, _, _| Ok(jer::to_string(types, value)))
    }

    /// Converts an encoded value to GSER (RFC 3641).
    #[pyo3(signature = (name, data, rules="DER"))]
    fn to_gser(&self, py: Python<'_>, name: &str, data: &Bound<'_, PyAny>, rules: &str) -> PyResult<String> {
        let dynamic = self.ty(name)?;
        let print = |types: Types<'_>, value: &Value<'_>| {
            let text = tables::xer::gser::to_string(types, value);
            text.map_err(|error| errors::untagged(py, &tables::untagged::Error::Xml(error), Some(&dynamic)))
        };
        if let Some(rules) = untagged::rules(rules) {
            let read = untagged::decode(py, &untagged::ty(&self.compiled, name, rules, &[])?, data)?;
            return print(dynamic.types(), &read.value);
        }
        read(py, &dynamic, data, rules, &[], |types, value, _, _, _| print(types, value))
    }

    /// Encodes a value given in JSON (X.697).
    #[pyo3(signature = (name, text, rules="DER"))]
    fn read_json<'py>(&self, py: Python<'py>, name: &str, text: &str, rules: &str) -> PyResult<Bound<'py, PyBytes>> {
        let dynamic = self.ty(name)?.options(budget::under(Options::der())?);
        let value = jer::from_str(&dynamic, text).map_err(|error| errors::json(py, &error))?;
        if let Some(rules) = untagged::rules(rules) {
            let ty = untagged::ty(&self.compiled, name, rules, &[])?;
            return Ok(PyBytes::new(
                py,
                &ty.encode(&value).map_err(|error| errors::untagged(py, &error, Some(&dynamic)))?,
            ));
        }
        let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
        Ok(PyBytes::new(py, &der))
    }

    /// Returns the path of the component to which a byte belongs, or a bit in PER, OER and XER.
    #[pyo3(signature = (name, data, offset, rules="DER"))]
    fn path_at(&self, name: &str, data: &[u8], offset: usize, rules: &str) -> PyResult<String> {
        match untagged::rules(rules) {
            Some(rules) => Ok(untagged::ty(&self.compiled, name, rules, &[])?.path_at(data, offset as u64)),
            None => Ok(self.ty(name)?.path_at(data, offset)),
        }
    }
}

/// Decodes a value and calls `with` with it, its input, the DER of the input if it is different, and the deviations.
fn read<R>(
    py: Python<'_>,
    dynamic: &Dynamic<'_>,
    data: &Bound<'_, PyAny>,
    rules: &str,
    allow: &[String],
    with: impl FnOnce(Types<'_>, &Value<'_>, &[u8], Option<&Canonical<'_>>, &[Deviation]) -> PyResult<R>,
) -> PyResult<R> {
    let data = input::bytes(data)?;
    let options = input::allowed(allow)?;
    let is_ber = rules == "BER";
    let dynamic = dynamic.options(if is_ber { input::after_ber(options) } else { options });
    let (ty, schema) = (dynamic.ty(), dynamic.types().schema());
    let canonical = match rules {
        "DER" => None,
        // All forms that X.690 §8 leaves to the sender, those of definite length included.
        "BER" => {
            let forms = input::with_allowed(Options::ber_definite(), allow)?;
            Some(ber::to_der_as(ty, schema, data.as_bytes(), &forms))
        }
        "CER" => Some(cer::to_der_as(ty, schema, data.as_bytes(), &options)),
        _ => return Err(untagged::no_rules(rules)),
    };
    let located = |error: &Error| errors::decoding_as(py, error, &dynamic, data.as_bytes());
    let canonical = canonical.transpose().map_err(|error| located(&error))?;
    let octets = canonical.as_ref().map_or(data.as_bytes(), |canonical| &canonical.bytes);
    let read = dynamic.decode(octets).map_err(|error| match &canonical {
        Some(canonical) => located(&canonical.original(error)),
        None => located(&error),
    })?;
    // The form of a time is none in BER.
    let deviations: Vec<Deviation> =
        read.deviations.iter().filter(|one| !is_ber || one.rule.name != Rule::TIME_FORM.name).cloned().collect();
    with(dynamic.types(), &read.value, data.as_bytes(), canonical.as_ref(), &deviations)
}

/// Encodes a Python value.
fn written<'py>(
    py: Python<'py>,
    dynamic: &Dynamic<'_>,
    value: &Bound<'py, PyAny>,
    rules: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let arena = Arena::new();
    let value = Making::new(dynamic.types(), &arena).value(dynamic.ty(), value)?;
    let dynamic = &dynamic.options(budget::under(Options::der())?);
    let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
    match rules {
        // What is DER is BER.
        "DER" | "BER" => Ok(PyBytes::new(py, &der)),
        "CER" => {
            let cer = cer::from_der_as(dynamic.ty(), dynamic.types().schema(), &der, dynamic.options_in_force());
            Ok(PyBytes::new(py, &cer.map_err(|error| errors::decoding(py, &error))?.bytes))
        }
        _ => Err(untagged::no_rules(rules)),
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Schema>()
}
