//! PER, OER and XER for types of schemas, and the parts of values that only their senders know.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::Options;
use tagwise::codec::value::{Components, Foreign, ForeignAdditions, ForeignRules};
use tagwise::tables::Schema;
use tagwise::tables::untagged::{Decoded, Rules, Tolerance, Untagged};

use crate::{budget, errors, input};

static UNKNOWN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the class of parts of unknown type.
fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let load = || PyResult::Ok(py.import("tagwise.asn1._unknown")?.getattr("Unknown")?.unbind());
    Ok(UNKNOWN.get_or_try_init(py, load)?.bind(py))
}

/// Returns the encoding rules with a name, if they have no tags.
pub(crate) fn rules(name: &str) -> Option<Rules> {
    Rules::named(&name.to_ascii_lowercase())
}

/// Creates the error for the name of unknown encoding rules.
pub(crate) fn no_rules(name: &str) -> PyErr {
    let untagged: Vec<&str> = Rules::ALL.into_iter().map(Rules::name).collect();
    errors::argument(match rules(name) {
        Some(_) => {
            format!("the rules must be DER, BER or CER: {name} has no elements; use decode, encode, bits and JSON")
        }
        None => format!("unknown encoding rules `{name}`; expected DER, BER, CER, {}", untagged.join(", ")),
    })
}

/// Returns a type under encoding rules, with the current budget and the tolerated rules.
pub(crate) fn ty<'s>(schema: &'s Schema, name: &str, rules: Rules, allow: &[String]) -> PyResult<Untagged<'s>> {
    let (tolerance, others) = Tolerance::take(&allow.join(","));
    let options = input::with_allowed(Options::der(), &[others])?;
    let ty = schema.untagged(name, rules).map_err(errors::unknown)?;
    Ok(ty.tolerating(tolerance).options(budget::under(options)?))
}

/// Decodes a value.
pub(crate) fn decode<'s>(py: Python<'_>, ty: &Untagged<'s>, data: &Bound<'_, PyAny>) -> PyResult<Decoded<'s>> {
    let data = input::bytes(data)?;
    ty.decode(data.as_bytes()).map_err(|error| errors::untagged(py, &error, ty.dynamic().as_ref()))
}

/// Returns the tolerated violations: the rule, the offset in bits and the clause of each.
pub(crate) fn told<'py>(py: Python<'py>, decoded: &Decoded<'_>) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, decoded.deviations.iter().map(|(rule, bit)| (rule.name(), *bit, rule.clause())))
}

/// Converts a part of unknown type.
pub(crate) fn unknown<'py>(py: Python<'py>, part: &Foreign) -> PyResult<Bound<'py, PyAny>> {
    class(py)?.call1((part.rules.name(), part.number, PyBytes::new(py, &part.octets)))
}

/// Converts the unknown extension additions of a value.
pub(crate) fn additions<'py>(py: Python<'py>, components: &Components<'_>, into: &Bound<'py, PyList>) -> PyResult<()> {
    let Some(foreign) = components.foreign() else { return Ok(()) };
    if foreign.count > 0 {
        into.append(class(py)?.call1((foreign.rules.name(), foreign.count, py.None()))?)?;
    }
    for (number, octets) in &foreign.list {
        into.append(class(py)?.call1((foreign.rules.name(), *number, PyBytes::new(py, octets)))?)?;
    }
    Ok(())
}

/// A part of unknown type, without its bytes if it only counts the additions of the sender's version.
pub(crate) struct Part {
    rules: ForeignRules,
    number: Option<u32>,
    octets: Option<Vec<u8>>,
}

impl Part {
    /// Reads an object, if it is a part of unknown type.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if !object.is_instance(class(object.py())?)? {
            return Ok(None);
        }
        let name: String = object.getattr("rules")?.extract()?;
        let rules = ForeignRules::ALL.into_iter().find(|rules| rules.name() == name);
        let rules = rules.ok_or_else(|| errors::argument(format!("`{name}` is not one of uper, aper, oer and xer")))?;
        let (number, octets) = (object.getattr("number")?.extract()?, object.getattr("data")?.extract()?);
        Ok(Some(Self { rules, number, octets }))
    }

    /// Returns an unknown alternative or the value of an open type.
    pub(crate) fn foreign(self) -> PyResult<Foreign> {
        let octets = self.octets.ok_or_else(|| errors::argument("an unknown part without data"))?;
        Ok(Foreign { rules: self.rules, number: self.number, octets })
    }

    /// Adds the part to the extension additions of a value.
    pub(crate) fn add(self, to: &mut Option<ForeignAdditions>) -> PyResult<()> {
        let additions = to.get_or_insert_with(|| ForeignAdditions::new(self.rules));
        let number = self.number.ok_or_else(|| errors::argument("an unknown extension addition without number"))?;
        if additions.rules != self.rules {
            return Err(errors::argument("unknown extension additions under different encoding rules"));
        }
        match self.octets {
            Some(octets) => additions.list.push((number, octets)),
            None => additions.count = number,
        }
        Ok(())
    }
}
