//! Checks an anchor's trust settings and its certificate: RFC 5914 §2, RFC 5937 §3, Mozilla's distrust dates.

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, Error, Options};
use tagwise_pkix::{CertificateBuf, SubjectPublicKeyInfo, Version, oids, profile};

use super::Anchor;
use crate::cert::Cert;
use crate::policy::{Policy, PolicyInputs};
use crate::refusal::Refusal;
use crate::rules::Rule;
use crate::{usage, web};

/// Checks an anchor against the rules for anchors. `leaf` is the end-entity certificate of the path.
pub(crate) fn check(anchor: &Anchor, cert: Option<&Cert<'_>>, leaf: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let rules = policy.rules;
    purposes(anchor, leaf, policy)?;
    if let Some(certificate) = &anchor.proofs {
        // Only the validity is checked. The relying party's rules for cosigners apply to the key, and the extensions were checked by
        // `from_mtc`.
        let cert = Cert::read(certificate, crate::pool::is_strict(certificate), policy.tolerate, &policy.understood)?;
        return usage::validity(cert.buf, policy, Rule::AnchorValidity);
    }
    if let Some(certificate) = anchor.certificate() {
        usage::validity(certificate, policy, Rule::AnchorValidity)?;
    }
    key_size(anchor, policy)?;
    let Some(cert) = cert.filter(|_| rules.applies_anchor()) else { return Ok(()) };
    let is_whole = rules.has(Rule::AnchorExtensions);
    cert.understood()?;
    if is_whole {
        web::root(cert, policy)?;
    }
    // Certificates before version 3 have no extensions that identify a CA. That they are anchors is sufficient (§6.1.4 (k)).
    if cert.certificate.tbs_certificate.version == Version::V3 {
        usage::issuer(cert, policy)?;
    }
    if is_whole && cert.certificate.tbs_certificate.version == Version::V3 {
        usage::conformance(cert, rules.with(Rule::Conformance), policy.anchor_lints)?;
    }
    Ok(())
}

fn purposes(anchor: &Anchor, leaf: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    // Every use is rejected, or none is trusted.
    let is_rejected = anchor.constraints.rejected.iter().any(|rejected| *rejected == oids::ANY_EXTENDED_KEY_USAGE);
    let is_unused = anchor.constraints.purposes.as_ref().is_some_and(Vec::is_empty);
    if (is_rejected || is_unused) && policy.rules.has(Rule::AnchorPurpose) {
        return Err(Refusal::new(Rule::AnchorPurpose, "the anchor is not trusted for any purpose"));
    }
    for purpose in &policy.purposes {
        let name =
            || oids::lookup(purpose.as_oid()).map_or_else(|| purpose.to_string(), |info| info.short_name().to_owned());
        let trusted = anchor.constraints.purposes.as_ref().is_none_or(|trusted| trusted.contains(purpose));
        let trusted = trusted && !anchor.constraints.rejected.contains(purpose);
        if !trusted && policy.rules.has(Rule::AnchorPurpose) {
            return Err(Refusal::new(Rule::AnchorPurpose, format!("the anchor is not trusted for {}", name())));
        }
        let issued = leaf.certificate.tbs_certificate.validity.not_before;
        let mut dates = anchor.constraints.distrust_after.iter().filter(|(of, _)| of == purpose).map(|(_, date)| *date);
        if let Some(date) = dates.find(|date| issued.unix() > *date)
            && policy.rules.has(Rule::AnchorDistrustAfter)
        {
            let name = name();
            let message = format!("issued on {issued}, but the anchor is not trusted for {name} after {date}");
            return Err(Refusal::new(Rule::AnchorDistrustAfter, message));
        }
    }
    Ok(())
}

/// Checks the size of an anchor's key.
fn key_size(anchor: &Anchor, policy: &Policy) -> Result<(), Refusal> {
    match key(anchor, policy) {
        Ok(key) => usage::key_info(&key.info(), policy).map_err(|refusal| match anchor.certificate() {
            Some(certificate) => refusal.at(key_offset(certificate)),
            None => refusal,
        }),
        Err(error) => {
            let refusal = Refusal::new(Rule::Malformed, format!("the anchor's key: {error}"));
            Err(Refusal { decoding: error.rule(), ..refusal })
        }
    }
}

/// Returns the offset of the key's algorithm in a certificate.
fn key_offset(certificate: &CertificateBuf) -> usize {
    let algorithm = certificate.get().tbs_certificate.subject_public_key_info.algorithm.algorithm.as_bytes();
    (algorithm.as_ptr() as usize).saturating_sub(certificate.as_der().as_ptr() as usize)
}

/// Returns the key of an anchor (§6.1.1 (d)(2) to (4)). Unexpected or missing parameters of its algorithm are ignored
/// (RFC 3279 §2.3.1, RFC 8410 §3). Other violations are tolerated if the policy allows them.
pub(crate) fn key<'a>(anchor: &'a Anchor, policy: &Policy) -> Result<SubjectPublicKeyInfo<'a>, Error> {
    SubjectPublicKeyInfo::from_der(anchor.key()).or_else(|error| {
        let rules = policy.tolerate.with(&profile::RSA_PARAMETERS).with(&profile::NO_PARAMETERS);
        let read = Options::der().rules(rules).decode::<SubjectPublicKeyInfo<'a>>(anchor.key());
        read.map(|read| read.value).map_err(|_| error)
    })
}

/// Applies §6.1.1 (c), (e) to (g). Returns the policy's inputs, tightened by the anchor's constraints (RFC 5937 §3.2).
pub(crate) fn inputs(anchor: &Anchor, cert: Option<&Cert<'_>>, inputs: &PolicyInputs) -> PolicyInputs {
    let constraints = &anchor.constraints;
    let mut both = PolicyInputs {
        initial: inputs.initial.clone(),
        explicit: inputs.explicit || constraints.explicit_policy,
        inhibit_mapping: inputs.inhibit_mapping || constraints.inhibit_mapping,
        inhibit_any: inputs.inhibit_any || constraints.inhibit_any,
    };
    if let Some(policies) = &constraints.policies {
        narrow(&mut both.initial, policies);
    }
    if let Some(policies) = cert.and_then(|cert| cert.policies.as_ref()) {
        let listed = policies.value.0.iter().map_while(Result::ok);
        let listed: Vec<OidBuf> = listed.map(|policy| policy.policy_identifier.into()).collect();
        if !listed.iter().any(|policy| *policy == oids::ANY_POLICY) {
            narrow(&mut both.initial, &listed);
        }
    }
    both
}

fn narrow(initial: &mut Option<Vec<OidBuf>>, allowed: &[OidBuf]) {
    match initial {
        None => *initial = Some(allowed.to_vec()),
        Some(initial) => initial.retain(|policy| allowed.contains(policy)),
    }
}

/// Applies §6.1.2 (k): returns the maximum number of intermediate certificates, if it is limited.
pub(crate) fn path_length(anchor: &Anchor, cert: Option<&Cert<'_>>) -> Option<u64> {
    let own =
        cert.and_then(|cert| cert.basic).and_then(|basic| basic.value.path_len_constraint).map(|limit| limit.get());
    match (anchor.constraints.path_length, own) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
