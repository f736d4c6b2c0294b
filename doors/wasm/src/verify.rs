//! Certification paths and signatures. Rust verifies all signatures, except those with a result of WebCrypto.

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use tagwise_codec::RuleSet;
#[cfg(feature = "full")]
use tagwise_crypto::cms::RevocationInfo;
use tagwise_input::{Contents, Limits, contents::ContentsKind};
#[cfg(feature = "full")]
use tagwise_mtc::{
    crypto::BackendCheck,
    path::{MtcVerifier, recognize, relying_party},
    relying::RelyingParty,
};
use tagwise_path::verify::{all_paths, path};
use tagwise_path::{
    Anchors, Evidence, ExpectedName, LegacyVerifier, OidBuf, Path, Policy, Pool, Profile, Report, RevocationMode,
    RevocationScope, Verifier,
};
#[cfg(feature = "full")]
use tagwise_pkix::cms::Limits as MessageLimits;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, oids, profile};
use tagwise_show::render::json::raw;
use tagwise_show::{SelfSignature, short_subject, verify_with};

use crate::Response;
use crate::backend::BACKEND;
use crate::error::Failure;
use crate::request::{Options, Request, json};
use crate::web_crypto::WebVerifier;

/// Verifies the signature of a request or a self-signed certificate.
pub(crate) fn signature<'a>(
    key: &SubjectPublicKeyInfo<'a>,
    algorithm: &AlgorithmIdentifier<'a>,
    message: &'a [u8],
    signature: &'a [u8],
) -> SelfSignature {
    verify_with(&BACKEND, key, algorithm, message, signature)
}

/// The verdict: a result of `tagwise.verify/2`.
#[derive(Serialize)]
struct Document {
    subject: String,
    sha256: String,
    status: &'static str,
    paths: Vec<Box<RawValue>>,
    report: Option<Box<RawValue>>,
}

/// Returns the encodings of one kind in an input, and adds the input's CRLs and OCSP responses to the evidence.
///
/// # Errors
/// Returns an error if a part of the input cannot be read or is not recognized: it may be evidence.
fn read(input: &[u8], kind: ContentsKind, rules: RuleSet, evidence: &mut Evidence) -> Result<Vec<Vec<u8>>, Failure> {
    let contents = Contents::read(input, &Limits::DEFAULT);
    if let Some(part) = contents.incomplete_with(rules).filter(|_| !contents.is_empty()) {
        return Err(Failure::input(part.message));
    }
    let all = |kind| contents.items().filter(move |item| item.kind == kind).map(|item| item.der.to_vec());
    all(ContentsKind::Crl).for_each(|crl| evidence.add_crl(crl));
    #[cfg(feature = "full")]
    for message in contents.messages() {
        let info = RevocationInfo::of_message(message, MessageLimits::DEFAULT).map_err(Failure::input)?;
        if let Some(format) = info.unused.first() {
            return Err(Failure::input(format_args!("revocation information is not supported: {format}")));
        }
        let others = info.crls.into_iter().filter(|crl| !contents.items().any(|item| item.der == crl));
        others.for_each(|crl| evidence.add_crl(crl));
        info.ocsp_responses.into_iter().for_each(|response| evidence.add_ocsp(response));
    }
    Ok(all(kind).collect())
}

/// Creates the relying party for the Merkle Tree Certificate CAs among the anchors.
#[cfg(feature = "full")]
fn party(anchors: &Anchors, policies: &[String]) -> Result<RelyingParty, Failure> {
    let mut party = relying_party(anchors).map_err(Failure::input)?;
    for text in policies {
        party.configure(text).map_err(|error| Failure::input(format_args!("mtcPolicy: {error}")))?;
    }
    Ok(party)
}

/// Creates the policy for the evidence.
fn policy(request: &Request<'_>, evidence: Evidence) -> Result<Policy, Failure> {
    let Options { host, email, purpose, profile, .. } = &request.options;
    let default = match (host, email) {
        (Some(_), _) => "server",
        (None, Some(_)) => "email",
        (None, None) => "any",
    };
    let (of_purpose, oid) = match purpose.as_deref().unwrap_or(default) {
        "server" => (None, Some(oids::KP_SERVER_AUTH)),
        "client" => (None, Some(oids::KP_CLIENT_AUTH)),
        "email" => (Some(&Profile::SMIME), Some(oids::KP_EMAIL_PROTECTION)),
        "code" => (Some(&Profile::CODE_SIGNING), Some(oids::KP_CODE_SIGNING)),
        "timestamp" => (Some(&Profile::TIME_STAMPING), Some(oids::KP_TIME_STAMPING)),
        "document" => (None, Some(oids::KP_DOCUMENT_SIGNING)),
        "any" => (Some(&Profile::RFC5280), None),
        other => {
            return Err(Failure::usage(format!(
                "unknown purpose {other:?}; expected server, client, email, code, timestamp, document or any"
            )));
        }
    };
    let named = match profile {
        Some(name) => Some(Profile::by_name(name).ok_or_else(|| Failure::usage(format!("unknown profile {name:?}")))?),
        None => of_purpose,
    };
    let mut policy = match named {
        Some(profile) => Policy::new(profile, request.now()),
        None => Policy::private(oid.unwrap_or(oids::KP_SERVER_AUTH), request.now()),
    };
    policy.purposes = oid.map(OidBuf::from).into_iter().collect();
    if let Some(host) = host {
        policy.names.push(match host.parse() {
            Ok(address) => ExpectedName::Ip(address),
            Err(_) => ExpectedName::dns(host).map_err(Failure::usage)?,
        });
    }
    if let Some(email) = email {
        policy.names.push(ExpectedName::mail(email).map_err(Failure::usage)?);
    }
    for name in &request.options.allow {
        policy.disable(name).map_err(Failure::usage)?;
    }
    policy.revocation.mode = match request.options.revocation.as_deref() {
        Some("require") => RevocationMode::Require,
        Some("prefer") => RevocationMode::Prefer,
        // Given evidence is used.
        None if !evidence.is_empty() => RevocationMode::Prefer,
        None | Some("ignore") => RevocationMode::Ignore,
        Some(other) => {
            return Err(Failure::usage(format!("unknown mode {other:?}; expected ignore, prefer or require")));
        }
    };
    policy.revocation.scope = RevocationScope::WholePath;
    policy.revocation.evidence = evidence;
    Ok(policy)
}

/// Finds a path for the first certificate of the first argument.
pub(crate) fn verify(request: &Request<'_>) -> Result<Response, Failure> {
    let [untrusted, trusted, crls, responses] = *request.options.counts.as_slice() else {
        return Err(Failure::usage("malformed request"));
    };
    let mut blobs = request.blobs().iter();
    let mut take = |count: usize| -> Vec<&[u8]> { blobs.by_ref().take(count).copied().collect() };
    let mut pool = Pool::new();
    let (mut leaf, mut evidence) = (None, Evidence::default());
    // The other names are for the policy.
    let rules = request.options.allow.iter().filter_map(|name| profile::allowance(name));
    let rules = rules.fold(RuleSet::NONE, RuleSet::union);
    for input in take(untrusted) {
        let found = read(input, ContentsKind::Certificate, rules, &mut evidence)?;
        if found.is_empty() {
            let found = tagwise_input::find(input, request.rules().unwrap_or_default());
            return Err(Failure::input(found.nothing("certificate", input.len())));
        }
        for der in found {
            match &leaf {
                None => leaf = Some(der),
                // One that does not decode is of no use in a path.
                Some(_) => _ = pool.add(der),
            }
        }
    }
    let leaf = leaf.ok_or_else(|| Failure::usage("a certificate is required"))?;
    let mut anchors = Anchors::new();
    for input in take(trusted) {
        let mut found = Anchors::new();
        // Otherwise a missing trust anchor would be noticed much later.
        if let Some(error) = found.read(input).into_iter().next() {
            return Err(error.into());
        }
        if found.is_empty() {
            let nothing = tagwise_input::find(input, RuleSet::NONE).nothing("certificate", input.len());
            return Err(Failure::input(format_args!("no trust anchor found: {nothing}")));
        }
        anchors.merge(found);
    }
    #[cfg(feature = "full")]
    let anchors = recognize(anchors);
    #[cfg(feature = "full")]
    let party = party(&anchors, &request.options.mtc_policy)?;
    #[cfg(not(feature = "full"))]
    if !request.options.mtc_policy.is_empty() {
        return Err(Failure::usage("mtcPolicy: this build does not support Merkle Tree Certificates"));
    }
    for input in take(crls) {
        let found = read(input, ContentsKind::Crl, rules, &mut evidence)?;
        if found.is_empty() {
            let nothing = tagwise_input::find(input, RuleSet::NONE).nothing("CRL", input.len());
            return Err(Failure::input(nothing));
        }
    }
    for input in take(responses) {
        evidence.add_ocsp(input);
    }
    let policy = policy(request, evidence)?;
    let legacy = LegacyVerifier::of(&BACKEND, &policy);
    let rust: &dyn Verifier = &legacy;
    let web = request.options.web_crypto.as_ref().map(|results| WebVerifier::new(rust, results));
    let signatures = web.as_ref().map_or(rust, |web| web as &dyn Verifier);
    #[cfg(feature = "full")]
    let cosignatures = BackendCheck::new(&BACKEND);
    #[cfg(feature = "full")]
    let signatures: &dyn Verifier = &MtcVerifier { signatures, party: &party, cosignatures: &cosignatures };
    let document = judge(&leaf, &pool, &anchors, &policy, signatures, request.options.all_paths)?;
    match web.and_then(WebVerifier::assumed) {
        Some(checks) => Ok(checks),
        None => json(&document),
    }
}

fn judge(
    leaf: &[u8],
    pool: &Pool,
    anchors: &Anchors,
    policy: &Policy,
    verifier: &dyn Verifier,
    all: bool,
) -> Result<Document, Failure> {
    let (paths, report): (Vec<Path>, Option<Report>) = match all {
        true => {
            let survey = all_paths(leaf, pool, anchors, policy, verifier);
            (survey.paths, Some(survey.report))
        }
        false => match path(leaf, pool, anchors, policy, verifier) {
            Ok(path) => (vec![path], None),
            Err(report) => (Vec::new(), Some(report)),
        },
    };
    let status = match &report {
        _ if !paths.is_empty() => "valid",
        Some(report) if report.is_undecided() => "undecided",
        _ => "invalid",
    };
    let lax = tagwise_codec::Options::der().rules(RuleSet::ALL);
    let subject = lax.outline::<Certificate<'_>>(leaf).map(|read| short_subject(&read.value)).unwrap_or_default();
    let raw = |text: String| raw(text).map_err(Failure::input);
    Ok(Document {
        subject,
        sha256: tagwise_codec::text::hex::encode(&Sha256::digest(leaf)),
        status,
        paths: paths.iter().map(|path| raw(path.to_json())).collect::<Result<_, _>>()?,
        report: report.map(|report| raw(report.to_json())).transpose()?,
    })
}
