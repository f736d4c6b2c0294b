//! Trust in the signers of messages: paths for mail, code signing and time stamps.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Oid, RuleSet};
use tagwise::crypto::{Weaknesses, backends::AwsLc};
use tagwise::path::{Anchor, Anchors, LegacyVerifier, OidBuf, Policy, Pool, Profile, Rule, verify};
use tagwise::pkix::{UnixTime, oids, profile};

use crate::revocation::Revocation;
use crate::{errors, input};

/// The requirements on a signer's path: the purpose, the time, whether weak digests are accepted, and the rules to disable.
type Demands = (Option<String>, i64, bool, Vec<String>);

/// The path's certificates, or the violated rule, the message, and whether the result is undecided rather than negative.
type Judged<'py> = (Option<Bound<'py, PyList>>, Option<(&'static str, String, bool)>);

/// Returns the policy for a purpose. The extended key usages of CAs are also checked, as in `openssl cms` (RFC 8550 §4.4.4).
fn policy(purpose: Option<&Oid<'_>>, time: UnixTime) -> Policy {
    let profile = match purpose {
        Some(&oids::KP_DOCUMENT_SIGNING) => return Policy::private(oids::KP_DOCUMENT_SIGNING, time),
        Some(&oids::KP_CODE_SIGNING) => &Profile::CODE_SIGNING,
        Some(&oids::KP_TIME_STAMPING) => &Profile::TIME_STAMPING,
        _ => &Profile::RFC5280,
    };
    let mut policy = Policy::new(profile, time);
    policy.purposes = purpose.map(|purpose| OidBuf::from(*purpose)).into_iter().collect();
    if purpose.is_some() {
        policy.rules = policy.rules.with(Rule::PurposeChain);
    }
    policy
}

/// Finds a path from a signer's certificate to an anchor, using CRLs and OCSP responses if there are any.
#[pyfunction]
fn signer_path<'py>(
    py: Python<'py>,
    leaf: &[u8],
    intermediates: Vec<Vec<u8>>,
    anchors: Vec<Vec<u8>>,
    revocation: Revocation,
    demands: Demands,
) -> PyResult<Judged<'py>> {
    let (purpose, time, legacy, allow) = demands;
    let purpose = purpose.as_deref().map(input::oid).transpose()?;
    let purpose = purpose.as_deref().map(Oid::from_content).transpose();
    let purpose = purpose.map_err(|fault| errors::argument(fault.kind().text()))?;
    let anchors: Anchors = anchors
        .into_iter()
        .map(|der| Anchor::from_certificate(der).map_err(|error| errors::decoding(py, &error)))
        .collect::<PyResult<_>>()?;
    let pool: Pool = intermediates.into_iter().collect();
    let mut policy = policy(purpose.as_ref(), UnixTime(time));
    let allowed = allow.iter().filter_map(|name| profile::allowance(name)).fold(RuleSet::NONE, RuleSet::union);
    policy.revocation = revocation.policy(allowed)?;
    for name in &allow {
        policy.disable(name).map_err(|error| errors::argument(error.to_string()))?;
    }
    if legacy {
        policy.disable("weak-digest").map_err(|error| errors::argument(error.to_string()))?;
    }
    let backend = AwsLc::new();
    let verifier =
        if legacy { LegacyVerifier(&backend, Weaknesses::ALL) } else { LegacyVerifier::of(&backend, &policy) };
    match py.detach(|| verify::path(leaf, &pool, &anchors, &policy, &verifier)) {
        Ok(path) => {
            let anchor = path.anchor.certificate();
            let certificates = path.certificates.iter().chain(anchor).map(|one| PyBytes::new(py, one.as_der()));
            Ok((Some(PyList::new(py, certificates.collect::<Vec<_>>())?), None))
        }
        Err(report) => {
            let (rule, message) = match report.refusal() {
                Some(refusal) => (refusal.rule.name(), refusal.to_string()),
                None => ("no-path", "no path leads to a trusted certificate".to_owned()),
            };
            Ok((None, Some((rule, message, report.is_undecided()))))
        }
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(signer_path, module)?)
}
