//! Runs test cases in x509-limbo's format, to compare this verifier with others.

use std::io::Write;
use std::path::Path;

use serde::Deserialize;
use tagwise_codec::pem;
use tagwise_path::{
    Anchor, Anchors, ExpectedName, OidBuf, Outcome, Policy, Pool, Profile, PublicSuffixes, RevocationMode,
    RevocationScope, Rule, SignatureFault, Verifier, verify,
};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::name::visible;
use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, SubjectPublicKeyInfo, UnixTime, oids};

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, name_of};
use crate::shared::trust::{ProfileName, Signatures, allow};

/// A set of test cases.
#[derive(Deserialize)]
struct Set {
    version: u64,
    testcases: Vec<Case>,
}

/// A test case. Fields that do not affect the outcome are not read.
#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    validation_kind: String,
    trusted_certs: Vec<String>,
    untrusted_intermediates: Vec<String>,
    peer_certificate: String,
    #[serde(default)]
    validation_time: Option<String>,
    #[serde(default)]
    signature_algorithms: Vec<String>,
    #[serde(default)]
    key_usage: Vec<String>,
    #[serde(default)]
    extended_key_usage: Vec<String>,
    #[serde(default)]
    expected_result: Option<String>,
    #[serde(default)]
    expected_peer_name: Option<PeerName>,
    #[serde(default)]
    expected_peer_names: Vec<PeerName>,
    #[serde(default)]
    max_chain_depth: Option<u32>,
    #[serde(default)]
    crls: Vec<String>,
}

#[derive(Deserialize)]
struct PeerName {
    kind: String,
    value: String,
}

/// Returns whether a file looks like a set of test cases.
pub(super) fn is_set(octets: &[u8]) -> bool {
    octets.trim_ascii_start().first() == Some(&b'{') && octets.windows(11).any(|part| part == b"\"testcases\"")
}

/// The options for a run.
pub(super) struct Run {
    pub(super) backend: Chosen,
    /// The profile for every case. The default is `webpki` for the case groups `webpki`, `online` and `cve`, otherwise
    /// `rfc5280`.
    pub(super) profile: Option<ProfileName>,
    /// The validation time for cases that do not specify one. The default is the current time.
    pub(super) at: Option<UnixTime>,
}

impl Run {
    /// Runs the cases of a file. Writes one line per case to `out`, and unexpected results to `err`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has a different format.
    pub(super) fn file(
        &self,
        context: &Context,
        path: &Path,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
        let set: Set = serde_json::from_slice(&octets).map_err(|error| {
            Failure::Said(3, format!("{}: not in the format of x509-limbo: {error}", name_of(path)))
        })?;
        if set.version != 1 {
            let text = format!("{}: unknown version {} of x509-limbo's format", name_of(path), set.version);
            return Err(Failure::Said(3, text));
        }
        let (mut wrong, mut judged) = (0_usize, 0_usize);
        for case in &set.testcases {
            let (result, reason) = match self.case(context, case)? {
                Ok(reason) => ("SUCCESS", reason),
                Err(reason) => ("FAILURE", reason),
            };
            let id = visible(&case.id);
            writeln!(out, "{id}\t{result}\t{}", visible(&reason))?;
            let Some(expected) = &case.expected_result else { continue };
            judged += 1;
            if expected != result {
                wrong += 1;
                writeln!(err, "tagwise: {id}: {result}, expected {}: {}", visible(expected), visible(&reason))?;
            }
        }
        out.flush()?;
        writeln!(err, "tagwise: {} cases, {} of {judged} as expected", set.testcases.len(), judged - wrong)?;
        Ok(u8::from(wrong > 0))
    }

    /// Runs one case and returns the reason for success or failure.
    fn case(&self, context: &Context, case: &Case) -> Result<Result<String, String>, Failure> {
        let mut policy = match self.policy(case) {
            Ok(policy) => policy,
            Err(problem) => return Ok(Err(format!("the case cannot be run: {problem}"))),
        };
        allow(context, &mut policy)?;
        Ok(judge(case, &policy, Signatures::allowing(context, self.backend, &[])))
    }

    fn policy(&self, case: &Case) -> Result<Policy, String> {
        let web = ["webpki::", "online::", "cve::"].iter().any(|prefix| case.id.starts_with(prefix));
        let own = if web { &Profile::WEBPKI } else { &Profile::RFC5280 };
        let time = match &case.validation_time {
            Some(text) => moment(&whole_seconds(text))?,
            None => self.at.unwrap_or_else(now),
        };
        let mut policy = Policy::new(self.profile.map_or(own, |name| name.0), time);
        policy.public_suffixes = Some(suffixes());
        // The test set expects every certificate to conform to RFC 5280 §4, and the extensions of trust anchors to apply.
        policy.rules = policy.rules.with(Rule::Conformance).with(Rule::AnchorExtensions).without(Rule::LeadingDot);
        if !case.extended_key_usage.is_empty() {
            policy.purposes = case.extended_key_usage.iter().map(|name| purpose(name)).collect::<Result<_, _>>()?;
        } else if case.validation_kind == "CLIENT" && !policy.purposes.is_empty() {
            policy.purposes = vec![OidBuf::from(oids::KP_CLIENT_AUTH)];
        }
        if !case.key_usage.is_empty() {
            policy.key_usage = usage(&case.key_usage)?;
        }
        let names = case.expected_peer_name.iter().chain(&case.expected_peer_names);
        policy.names = names.map(name).collect::<Result<_, _>>()?;
        policy.max_intermediates = case.max_chain_depth;
        if !case.crls.is_empty() {
            policy.revocation.mode = RevocationMode::Require;
            policy.revocation.scope = RevocationScope::Leaf;
            for crl in &case.crls {
                policy.revocation.evidence.add_crl(der(crl)?);
            }
        }
        Ok(policy)
    }
}

fn judge(case: &Case, policy: &Policy, signatures: Signatures) -> Result<String, String> {
    let pool: Pool =
        case.untrusted_intermediates.iter().map(|text| der(text)).collect::<Result<Vec<_>, _>>()?.iter().collect();
    let mut anchors = Anchors::new();
    for text in &case.trusted_certs {
        // What is no certificate cannot be an anchor.
        if let Ok(anchor) = Anchor::from_certificate(der(text)?) {
            anchors.add(anchor);
        }
    }
    let verifier = Among { names: &case.signature_algorithms, signatures };
    match verify::path(&der(&case.peer_certificate)?, &pool, &anchors, policy, &verifier) {
        Ok(path) => {
            match path.certificates.first().filter(|leaf| !has_usage(leaf, policy.key_usage, &case.key_usage)) {
                Some(_) => {
                    Err("key-usage: the key usage does not have all requested bits (RFC 5280 §4.2.1.3)".to_owned())
                }
                None => Ok(format!("{} certificates below {}", path.certificates.len(), path.anchor.label())),
            }
        }
        Err(report) => Err(match (report.outcome(), report.refusal()) {
            (Outcome::Exhausted(limit), _) => format!("budget: more than the allowed {}", limit.text()),
            (Outcome::Refused, Some(refusal)) => refusal.to_string(),
            (Outcome::Refused, None) => "no path found".to_owned(),
        }),
    }
}

/// Returns whether the key usage, if present, includes all given bits. The verification engine requires only one of them.
fn has_usage(leaf: &CertificateBuf, wanted: u16, names: &[String]) -> bool {
    let usage = leaf.get().tbs_certificate.extensions.and_then(|extensions| extensions.get::<KeyUsage<'_>>().ok()?);
    let all = |usage: KeyUsage<'_>| (0..16).all(|bit| wanted & 1 << bit == 0 || usage.0.contains(bit));
    names.len() < 2 || usage.is_none_or(all)
}

/// Decodes a PEM block to DER.
fn der(text: &str) -> Result<Vec<u8>, String> {
    let block = pem::blocks(text.as_bytes()).next().ok_or_else(|| "no PEM block found".to_owned())?;
    block.and_then(|block| block.decode()).map_err(|error| error.to_string())
}

/// Removes the fraction of a second from a time, because times in certificates have none (RFC 5280 §4.1.2.5).
fn whole_seconds(text: &str) -> String {
    match text.split_once('.') {
        Some((seconds, rest)) => seconds.to_owned() + rest.trim_start_matches(|char: char| char.is_ascii_digit()),
        None => text.to_owned(),
    }
}

fn purpose(name: &str) -> Result<OidBuf, String> {
    let info = oids::by_name(name).filter(|info| info.kind == oids::ObjectKind::KeyPurpose);
    info.map(|info| OidBuf::from(info.oid)).ok_or_else(|| format!("unknown purpose {name}"))
}

/// Returns the key usage bits with the given names (RFC 5280 §4.2.1.3).
fn usage(names: &[String]) -> Result<u16, String> {
    const BITS: [&str; 9] = [
        "digitalSignature",
        "contentCommitment",
        "keyEncipherment",
        "dataEncipherment",
        "keyAgreement",
        "keyCertSign",
        "cRLSign",
        "encipherOnly",
        "decipherOnly",
    ];
    names.iter().try_fold(0, |bits, name| {
        let bit = BITS.iter().position(|known| known == name);
        bit.map(|bit| bits | 1 << bit).ok_or_else(|| format!("unknown key usage {name}"))
    })
}

fn name(peer: &PeerName) -> Result<ExpectedName, String> {
    match peer.kind.as_str() {
        "DNS" => ExpectedName::dns(&peer.value).map_err(|error| error.to_string()),
        "IP" => peer.value.parse().map(ExpectedName::Ip).map_err(|_error| format!("{} is not an address", peer.value)),
        "RFC822" => ExpectedName::mail(&peer.value).map_err(|error| error.to_string()),
        other => Err(format!("unknown name form {other}")),
    }
}

/// Returns the public suffix list, of which BR §3.2.2.6 uses only the section "ICANN DOMAINS".
fn suffixes() -> PublicSuffixes {
    use psl::Psl as _;
    PublicSuffixes::new(|domain| {
        let suffix = psl::List.suffix(domain.as_bytes());
        suffix.is_some_and(|suffix| suffix == domain.as_bytes() && suffix.typ() == Some(psl::Type::Icann))
    })
}

/// A verifier that accepts only signatures with the named algorithms, or with any if none is named.
struct Among<'a> {
    names: &'a [String],
    signatures: Signatures,
}

impl Verifier for Among<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        // `RSA_WITH_SHA256` is sha256WithRSAEncryption, `ECDSA_WITH_SHA256` ecdsa-with-SHA256, `ED25519` id-Ed25519.
        let plain = |name: &str| -> String {
            name.chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect()
        };
        let own = plain(algorithm.name().unwrap_or_default());
        let is = |name: &String| match name.split_once("_WITH_") {
            Some(("RSA", digest)) => own == format!("{}withrsaencryption", plain(digest)),
            Some((kind, digest)) => own == format!("{}with{}", plain(kind), plain(digest)),
            None => own.trim_start_matches("id") == plain(name),
        };
        if !self.names.is_empty() && !self.names.iter().any(is) {
            let name = algorithm.name().unwrap_or("the signature algorithm");
            return Err(SignatureFault::Refused(format!("{name} is not among the acceptable algorithms")));
        }
        self.signatures.verify(key, algorithm, message, signature)
    }
}
