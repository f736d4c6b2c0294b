//! Paths, by `tagwise-path` and the embedded backend.

use std::net::IpAddr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::Oid;
use tagwise::crypto::backends::AwsLc;
use tagwise::path::{Anchor, Anchors, CryptoVerifier, ExpectedName, OidBuf, Policy, Pool, Profile, verify};
use tagwise::pkix::UnixTime;

use crate::{errors, input};

/// What a path was refused for: the rule, which certificate of it, and what is said.
type Refused = (&'static str, Option<usize>, String);

/// Finds a path that a server's or client's certificate is valid by: its certificates from the leaf to the anchor, or why there is none.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the inputs of path validation")]
fn find_path<'py>(
    py: Python<'py>,
    leaf: &[u8],
    intermediates: Vec<Vec<u8>>,
    anchors: Vec<Vec<u8>>,
    time: i64,
    purpose: &str,
    max_intermediates: u32,
    host: Option<&str>,
    address: Option<Vec<u8>>,
    without: Vec<String>,
    understood: Vec<String>,
) -> PyResult<(Option<Bound<'py, PyList>>, Option<Refused>)> {
    let pool: Pool = intermediates.into_iter().collect();
    let anchors: Anchors = anchors
        .into_iter()
        .map(|der| Anchor::from_certificate(der).map_err(|error| errors::decoding(py, &error)))
        .collect::<PyResult<_>>()?;
    let mut policy = Policy::new(&Profile::WEBPKI, UnixTime(time));
    let purpose = input::oid(purpose)?;
    let purpose = Oid::from_content(&purpose).map_err(|fault| errors::argument(fault.kind().text()))?;
    policy.purposes = vec![OidBuf::from(purpose)];
    policy.max_intermediates = Some(max_intermediates);
    for dotted in &understood {
        let oid = input::oid(dotted)?;
        let oid = Oid::from_content(&oid).map_err(|fault| errors::argument(fault.kind().text()))?;
        policy.understood.push(OidBuf::from(oid));
    }
    for name in &without {
        policy.disable(name).map_err(|error| errors::argument(error.to_string()))?;
    }
    if let Some(host) = host {
        policy.names.push(ExpectedName::dns(host).map_err(|error| errors::argument(error.to_string()))?);
    }
    if let Some(address) = address {
        let address = match (<[u8; 4]>::try_from(address.as_slice()), <[u8; 16]>::try_from(address.as_slice())) {
            (Ok(octets), _) => IpAddr::from(octets),
            (_, Ok(octets)) => IpAddr::from(octets),
            _ => return Err(errors::argument("invalid IP address")),
        };
        policy.names.push(ExpectedName::Ip(address));
    }
    let backend = AwsLc::new();
    let found = py.detach(|| verify::path(leaf, &pool, &anchors, &policy, &CryptoVerifier(&backend)));
    match found {
        Ok(path) => {
            let anchor = path.anchor.certificate();
            let certificates = path.certificates.iter().chain(anchor).map(|one| PyBytes::new(py, one.as_der()));
            Ok((Some(PyList::new(py, certificates.collect::<Vec<_>>())?), None))
        }
        Err(report) => {
            let refused = match report.refusal() {
                Some(refusal) => (refusal.rule.name(), refusal.certificate, refusal.message.clone()),
                None => ("budget", None, report.to_string()),
            };
            Ok((None, Some(refused)))
        }
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_path, module)?)
}
