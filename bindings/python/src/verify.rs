//! Paths, by `tagwise-path` and the embedded backend.

use std::net::IpAddr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Error, Oid, Options, encode};
use tagwise::crypto::backends::AwsLc;
use tagwise::path::{
    Anchor, Anchors, Budget, CryptoVerifier, ExpectedName, OidBuf, Policy, Pool, Profile, Rule, SignatureFault,
    Verifier, verify,
};
use tagwise::pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, UnixTime};

use crate::{errors, input};

/// The reason of a refusal: the rule, the number of the certificate, the message.
type Refused = (&'static str, Option<usize>, String);

/// Takes a certificate that is itself trusted for one that is signed: who trusts it does not ask who issued it.
struct Trusting<'b> {
    crypto: CryptoVerifier<'b>,
    /// The signed part of the certificate, if it is trusted.
    trusted: Option<&'b [u8]>,
}

impl Verifier for Trusting<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        if self.trusted == Some(message) { Ok(()) } else { self.crypto.verify(key, algorithm, message, signature) }
    }
}

/// The limit of a name.
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
                "there is no limit `{name}`; expected signatures, paths, name_comparisons, policy_nodes, \
                 constraint_comparisons, path_length or bytes"
            )));
        }
    })
}

/// Finds a path that a server's or client's certificate is valid by: its certificates from the leaf to the anchor, or why there is none.
#[pyfunction]
#[pyo3(signature = (leaf, intermediates, anchors, time, purpose, max_intermediates, host, address, without, understood, limits=Vec::new(), allow=Vec::new()))]
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
) -> PyResult<(Option<Bound<'py, PyList>>, Option<Refused>)> {
    let pool: Pool = intermediates.into_iter().collect();
    let located = |error: &Error| errors::decoding(py, error);
    let trusted = anchors.iter().any(|anchor| anchor == leaf);
    let mut anchors: Anchors = anchors
        .into_iter()
        .map(|der| Anchor::from_certificate(der).map_err(|error| located(&error)))
        .collect::<PyResult<_>>()?;
    let mut policy = Policy::new(&Profile::WEBPKI, UnixTime(time));
    // As cryptography does: roots are held to the extensions of CAs, and a constraint with a leading dot is malformed.
    policy.rules = policy.rules.with(Rule::AnchorExtensions).without(Rule::LeadingDot);
    let allowed = input::rules(&allow)?;
    policy.tolerate = policy.tolerate.union(allowed);
    let end = Options::der().rules(allowed).outline::<Certificate<'_>>(leaf).map_err(|error| located(&error))?.value;
    if trusted {
        // Nor with which algorithm it was signed.
        policy.disable("weak-digest").map_err(|error| errors::argument(error.to_string()))?;
        // Its issuer becomes an anchor that only it can stand below.
        let issuer = encode(&end.tbs_certificate.issuer).map_err(|error| errors::encoding(py, &error))?;
        let key = encode(&end.tbs_certificate.subject_public_key_info);
        let key = key.map_err(|error| errors::encoding(py, &error))?;
        let anchor = Anchor::from_key(&issuer, &key).map_err(|error| located(&error))?;
        anchors = std::iter::once(anchor).collect();
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
    let trusted = trusted.then_some(end.tbs_certificate.as_bytes());
    let verifier = Trusting { crypto: CryptoVerifier(&backend), trusted };
    let found = py.detach(|| verify::path(leaf, &pool, &anchors, &policy, &verifier));
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
