//! Certification paths, with `tagwise-path` and the embedded backend.

use std::net::IpAddr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::Oid;
use tagwise::crypto::backends::AwsLc;
use tagwise::path::{
    Anchor, Anchors, Budget, ExpectedName, LegacyVerifier, OidBuf, Policy, Pool, Profile, Rule, verify,
};
use tagwise::pkix::UnixTime;

use crate::revocation::{Account, Revocation, account};
use crate::{errors, input};

/// A rejection: the rule, the index of the certificate, the message, and whether further evidence might change the result.
type Refused = (&'static str, Option<usize>, String, bool);

/// The path's certificates or the rejection, and a report on the use of evidence.
type Found<'py> = (Option<Bound<'py, PyList>>, Option<Refused>, Account);

/// Returns the limit with the given name.
fn counter<'b>(budget: &'b mut Budget, name: &str) -> PyResult<&'b mut u64> {
    Ok(match name {
        "signatures" => &mut budget.signatures,
        "paths" => &mut budget.paths,
        "name_comparisons" => &mut budget.name_comparisons,
        "policy_nodes" => &mut budget.policy_nodes,
        "constraint_comparisons" => &mut budget.constraint_comparisons,
        "path_length" => &mut budget.path_length,
        "bytes" => &mut budget.bytes,
        _ => {
            return Err(errors::argument(format!(
                "unknown limit `{name}`; expected signatures, paths, name_comparisons, policy_nodes, constraint_comparisons, path_length or bytes"
            )));
        }
    })
}

/// Finds a valid path for a server's or client's certificate. Returns its certificates from the leaf to the anchor, or the reason why
/// there is none.
#[pyfunction]
#[pyo3(signature = (leaf, intermediates, anchors, time, purpose, max_intermediates, host, address, without, understood, limits=Vec::new(), allow=Vec::new(), revocation=None))]
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
    limits: Vec<(String, u64)>,
    allow: Vec<String>,
    revocation: Option<Revocation>,
) -> PyResult<Found<'py>> {
    let pool: Pool = intermediates.into_iter().collect();
    let is_trusted = anchors.iter().any(|anchor| anchor == leaf);
    let anchors: Anchors = anchors
        .into_iter()
        .map(|der| Anchor::from_certificate(der).map_err(|error| errors::decoding(py, &error)))
        .collect::<PyResult<_>>()?;
    let mut policy = Policy::new(&Profile::WEBPKI, UnixTime(time));
    // As cryptography does: roots are held to the extensions of CAs, and a constraint with a leading dot is malformed.
    policy.rules = policy.rules.with(Rule::AnchorExtensions).without(Rule::LeadingDot);
    if is_trusted {
        // It is an anchor that is no CA, and nobody asks how it was signed.
        policy.rules = policy.rules.without(Rule::AnchorExtensions).without(Rule::WeakDigest);
    }
    let allowed = input::rules(&allow)?;
    policy.tolerate = policy.tolerate.union(allowed);
    if let Some(revocation) = revocation {
        policy.revocation = revocation.policy(allowed)?;
    }
    let purpose = input::oid(purpose)?;
    let purpose = Oid::from_content(&purpose).map_err(|fault| errors::argument(fault.kind().text()))?;
    policy.purposes = vec![OidBuf::from(purpose)];
    policy.max_intermediates = Some(max_intermediates);
    for (name, limit) in &limits {
        *counter(&mut policy.budget, name)? = *limit;
    }
    // Whether an issuer may have its key is asked of the path that was found; these are the sizes that every certificate is held to.
    policy.other_keys = true;
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
    let found = py.detach(|| verify::path(leaf, &pool, &anchors, &policy, &LegacyVerifier::of(&backend, &policy)));
    match found {
        Ok(path) => {
            // A certificate that is trusted itself is a path of its own.
            let anchor = path.anchor.certificate().filter(|anchor| anchor.as_der() != leaf);
            let certificates = path.certificates.iter().chain(anchor).map(|one| PyBytes::new(py, one.as_der()));
            let account = account(&path.explanation.evidence);
            Ok((Some(PyList::new(py, certificates.collect::<Vec<_>>())?), None, account))
        }
        Err(report) => {
            let undecided = report.is_undecided();
            let refused = match report.refusal() {
                Some(refusal) => (refusal.rule.name(), refusal.certificate, refusal.message.clone(), undecided),
                None => ("budget", None, report.to_string(), undecided),
            };
            Ok((None, Some(refused), account(&report.explanation().evidence)))
        }
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_path, module)?)
}
