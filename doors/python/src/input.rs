//! Argument conversion: bytes from any buffer, and rules by name.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt};
use tagwise::codec::value::from_dotted;
use tagwise::codec::{CivilTime, Options, Rule, RuleSet, UnixTime};
use tagwise::pkix::profile;

use crate::budget;
use crate::errors::argument;

/// Returns the bytes of a buffer. `bytes` objects are returned unchanged. Everything else is copied, because it may change.
pub(crate) fn bytes<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let py = data.py();
    let view = py.import("builtins")?.getattr("memoryview")?.call1((data,))?;
    Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

/// Returns the bytes of a buffer for storage. Exact `bytes` objects are shared, everything else is copied.
pub(crate) fn own_bytes(data: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        return Ok(bytes.clone().into());
    }
    let read = bytes(data)?;
    Ok(if read.is_exact_instance_of::<PyBytes>() { read } else { PyBytes::new(data.py(), read.as_bytes()) }.into())
}

/// RFC 5280's requirements on certificates and CRLs beyond their encoding. Violations are listed, not rejected.
const LISTED: [&Rule; 8] = [
    &profile::NEGATIVE_SERIAL,
    &profile::LONG_SERIAL,
    &profile::VERSION,
    &profile::ALGORITHM_MISMATCH,
    &profile::TIME_CHOICE,
    &profile::RSA_PARAMETERS,
    &profile::EMPTY_ISSUER,
    &profile::PSS_PARAMETERS,
];

/// Options that record violations of RFC 5280 requirements beyond the encoding as deviations instead of rejecting them.
pub(crate) const LISTING: Options<'static> = {
    let [a, b, c, d, e, f, g, h] = LISTED;
    Options::der().allow(a).allow(b).allow(c).allow(d).allow(e).allow(f).allow(g).allow(h)
};

/// Returns `LISTING` with the current budget.
pub(crate) fn listing() -> PyResult<Options<'static>> {
    budget::under(LISTING)
}

/// Returns `LISTING` with the current budget, tolerating violations of the named rules.
pub(crate) fn options(allow: &[String]) -> PyResult<Options<'static>> {
    with_allowed(LISTING, allow)
}

/// Returns options that tolerate violations of the named rules.
pub(crate) fn allowed(allow: &[String]) -> PyResult<Options<'static>> {
    with_allowed(Options::der(), allow)
}

/// Makes `options` also tolerate violations of the named rules.
pub(crate) fn with_allowed(options: Options<'static>, allow: &[String]) -> PyResult<Options<'static>> {
    let options = budget::under(options)?;
    Ok(options.rules(options.tolerated().union(rules(allow)?)))
}

/// Options for what `ber::to_der` returns. BER permits local times (X.680 §46.3), which have no DER form.
pub(crate) fn after_ber(options: Options<'static>) -> Options<'static> {
    options.rules(options.tolerated().with(&Rule::TIME_FORM))
}

/// Returns the named rules. The names are those of the decoding rules in `--allow`.
pub(crate) fn rules(allow: &[String]) -> PyResult<RuleSet> {
    profile::allowances(&allow.join(",")).map_err(|error| argument(error.to_string()))
}

/// Returns the content bytes of an OBJECT IDENTIFIER in dotted notation.
pub(crate) fn oid(dotted: &str) -> PyResult<Vec<u8>> {
    from_dotted(dotted).ok_or_else(|| argument(format!("`{dotted}` is not an object identifier")))
}

/// Returns the content bytes of an INTEGER: the shortest two's complement. The number is read directly, regardless of the
/// methods of its class.
pub(crate) fn integer(number: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let number = number.cast::<PyInt>()?;
    if let Ok(small) = number.extract::<i64>() {
        return Ok(shortest(&small.to_be_bytes()).to_vec());
    }
    let class = number.py().get_type::<PyInt>();
    let bits: usize = class.call_method1("bit_length", (number,))?.extract()?;
    let signed = pyo3::types::PyDict::new(number.py());
    signed.set_item("signed", true)?;
    let octets = class.call_method("to_bytes", (number, bits / 8 + 1, "big"), Some(&signed))?;
    Ok(shortest(octets.cast::<PyBytes>()?.as_bytes()).to_vec())
}

/// Returns a number without leading bytes that only repeat its sign.
fn shortest(mut octets: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = octets {
        let sign = rest.first().map(|next| if next & 0x80 == 0 { 0 } else { 0xFF });
        if sign != Some(*first) {
            break;
        }
        octets = rest;
    }
    octets
}

/// Creates an integer from the content bytes of an INTEGER.
pub(crate) fn number<'py>(py: Python<'py>, octets: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(octets) = <[u8; 8]>::try_from(octets) {
        return Ok(i64::from_be_bytes(octets).into_pyobject(py)?.into_any());
    }
    if octets.len() < 8 {
        let sign = if octets.first().is_some_and(|octet| octet & 0x80 != 0) { -1 } else { 0 };
        let number = octets.iter().fold(sign, |number: i64, octet| number << 8 | i64::from(*octet));
        return Ok(number.into_pyobject(py)?.into_any());
    }
    let signed = pyo3::types::PyDict::new(py);
    signed.set_item("signed", true)?;
    py.get_type::<PyInt>().call_method("from_bytes", (PyBytes::new(py, octets), "big"), Some(&signed))
}

/// Converts a Unix time to calendar fields.
pub(crate) fn civil(unix: i64) -> PyResult<CivilTime> {
    CivilTime::from_unix(UnixTime(unix))
        .map_err(|error| argument(format!("the time is outside the years 0 to 9999: {error}")))
}
