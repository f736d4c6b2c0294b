//! PKCS #12 files (RFC 7292, RFC 9579).

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::pkcs12::{ByPassword, Password, open};
use tagwise::pkix::BundleKind;
use tagwise::pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_plain, pkcs12_with};
use tagwise::pkix::pkcs12::{Cost, CostLimits, Integrity};

use super::failure;
use crate::{errors, input};

/// An item: kind, bytes, friendly name, and local key ID.
type BagRow<'py> = (&'static str, Bound<'py, PyBytes>, Option<String>, Option<Bound<'py, PyBytes>>);

/// Returns the name of a kind of item.
const fn kind(kind: BundleKind) -> &'static str {
    match kind {
        BundleKind::Certificate => "certificate",
        BundleKind::CertificateList => "crl",
        BundleKind::AttributeCertificate => "attribute-certificate",
        BundleKind::PrivateKey => "private-key",
        BundleKind::EncryptedPrivateKey => "encrypted-private-key",
        BundleKind::Secret => "secret",
        BundleKind::Encrypted => "encrypted",
        _ => "other",
    }
}

fn password(text: Option<&str>) -> Password {
    text.map_or_else(Password::absent, Password::new)
}

/// Opens a file. Returns its items, and its integrity status: `verified`, `absent` or `signed`.
#[pyfunction]
fn pkcs12_open<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    text: Option<&str>,
    max_iterations: u64,
    max_memory: u64,
) -> PyResult<(Vec<BagRow<'py>>, &'static str)> {
    let data = input::bytes(data)?;
    let data = data.as_bytes();
    let limits = CostLimits(Cost { iterations: max_iterations, memory: max_memory });
    let password = password(text);
    let opened = py.detach(|| open(&AwsLc::new(), data, &password, limits));
    let opened = opened.map_err(|error| failure::store(py, &error))?;
    let items = opened.items().map(|item| {
        let id = item.local_key_id().map(|id| PyBytes::new(py, id));
        (kind(item.kind), PyBytes::new(py, item.octets), item.friendly_name(), id)
    });
    let integrity = match opened.integrity() {
        Integrity::Verified => "verified",
        Integrity::Absent => "absent",
        Integrity::Signed => "signed",
    };
    Ok((items.collect(), integrity))
}

/// An item to write: kind, bytes, friendly name, and local key ID.
type Given = (String, PyBackedBytes, Option<String>, Option<Vec<u8>>);

fn item(given: &Given) -> PyResult<Pkcs12Item<'_>> {
    let value = match given.0.as_str() {
        "certificate" => Pkcs12Value::Certificate(&given.1),
        "crl" => Pkcs12Value::CertificateList(&given.1),
        "private-key" => Pkcs12Value::PrivateKey(&given.1),
        other => return Err(errors::argument(format!("items of the kind `{other}` cannot be written"))),
    };
    Ok(Pkcs12Item { friendly_name: given.2.as_deref(), local_key_id: given.3.as_deref(), ..Pkcs12Item::new(value) })
}

/// Writes a file in the given layout. Without a password, only the layout `plain` is possible.
#[pyfunction]
fn pkcs12_write<'py>(
    py: Python<'py>,
    items: Vec<Given>,
    text: Option<&str>,
    layout: &str,
    iterations: Option<u32>,
) -> PyResult<Bound<'py, PyBytes>> {
    let items = items.iter().map(item).collect::<PyResult<Vec<_>>>()?;
    let layout = match (layout, text) {
        ("plain", None) => {
            let file = pkcs12_plain(&items).map_err(|error| failure::build(py, &error))?;
            return Ok(PyBytes::new(py, &file));
        }
        ("plain", Some(_)) => return Err(errors::argument("the layout `plain` does not allow a password")),
        (_, None) => return Err(errors::argument("a file without a password must have the layout `plain`")),
        ("modern", _) => Pkcs12Layout::Modern,
        ("pbmac1", _) => Pkcs12Layout::Pbmac1,
        ("legacy-windows", _) => Pkcs12Layout::LegacyWindows,
        ("java-truststore", _) => Pkcs12Layout::JavaTruststore,
        (other, _) => {
            return Err(errors::argument(format!(
                "unknown layout `{other}`; expected modern, pbmac1, legacy-windows, java-truststore or plain"
            )));
        }
    };
    let password = password(text);
    let iterations = iterations.unwrap_or_else(|| layout.iterations());
    let file = py.detach(|| {
        let backend = AwsLc::new();
        let protection = ByPassword::new(&backend, password);
        pkcs12_with(&items, layout, iterations, &protection)
    });
    Ok(PyBytes::new(py, &file.map_err(|error| failure::protect(py, &error))?))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(pkcs12_open, module)?)?;
    module.add_function(wrap_pyfunction!(pkcs12_write, module)?)
}
