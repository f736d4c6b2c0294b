//! x509-limbo: every case is as expected, or a row of `register/limbo-paths.tsv` with the clause that decides.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use serde_json::Value;
use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_path::{
    Anchor, Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, PublicSuffixes, Report, RevocationMode,
    SignatureFault, Verifier, verify,
};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, oids};
use tagwise_tests::{corpora, register};

/// The time of cases that name none: that of the set's making, when what was saved from the web was valid.
const NOW: UnixTime = UnixTime(1_773_500_000);

fn ders(value: &Value) -> Vec<Vec<u8>> {
    value.as_array().unwrap().iter().map(der).collect()
}

fn der(value: &Value) -> Vec<u8> {
    pem::blocks(value.as_str().unwrap().as_bytes()).next().unwrap().unwrap().decode().unwrap()
}

fn time(text: &str) -> UnixTime {
    UnixTime(text.parse::<jiff::Timestamp>().unwrap().as_second())
}

fn suffixes() -> PublicSuffixes {
    use psl::Psl as _;
    // BR §3.2.2.6: of the list, the section "ICANN DOMAINS" only.
    let is_suffix = |suffix: psl::Suffix<'_>, domain: &[u8]| suffix == domain && suffix.typ() == Some(psl::Type::Icann);
    PublicSuffixes::new(move |domain| {
        psl::List.suffix(domain.as_bytes()).is_some_and(|suffix| is_suffix(suffix, domain.as_bytes()))
    })
}

fn policy(case: &Value) -> Policy {
    let id = case["id"].as_str().unwrap();
    // Those of vulnerabilities are about TLS; one has a root without a key identifier, which another case wants refused by RFC 5280.
    let web = ["webpki::", "online::", "cve::"].iter().any(|set| id.starts_with(set));
    let profile = if web { &Profile::WEBPKI } else { &Profile::RFC5280 };
    let mut policy = Policy::new(profile, case["validation_time"].as_str().map_or(NOW, time));
    // The set holds every certificate to RFC 5280 §4, and trust anchors to the rules of their extensions.
    for rule in ["conformance", "anchor-extensions"] {
        policy.enable(rule).unwrap();
    }
    policy.disable("leading-dot").unwrap();
    policy.public_suffixes = Some(suffixes());
    for purpose in case["extended_key_usage"].as_array().unwrap() {
        policy.purposes.clear();
        policy.require_purpose(match purpose.as_str().unwrap() {
            "serverAuth" => oids::KP_SERVER_AUTH,
            "clientAuth" => oids::KP_CLIENT_AUTH,
            other => panic!("{other}"),
        });
    }
    for usage in case["key_usage"].as_array().unwrap() {
        assert_eq!(usage, "digitalSignature");
        policy.key_usage = 1;
    }
    let names = case["expected_peer_names"].as_array().unwrap().iter();
    for name in names.chain([&case["expected_peer_name"]]).filter(|name| !name.is_null()) {
        let value = name["value"].as_str().unwrap();
        policy.names.push(match name["kind"].as_str().unwrap() {
            "DNS" => ExpectedName::dns(value).unwrap(),
            "IP" => ExpectedName::Ip(value.parse().unwrap()),
            "RFC822" => ExpectedName::mail(value).unwrap(),
            other => panic!("{other}"),
        });
    }
    policy.max_intermediates = case["max_chain_depth"].as_u64().map(|depth| depth as u32);
    let crls = ders(&case["crls"]);
    if !crls.is_empty() {
        policy.revocation.mode = RevocationMode::Require;
        policy.revocation.scope = tagwise_path::RevocationScope::Leaf;
        crls.into_iter().for_each(|crl| policy.revocation.evidence.add_crl(crl));
    }
    policy
}

fn validate(case: &Value, policy: &Policy) -> Result<tagwise_path::Path, Report> {
    let backend = AwsLc::new();
    let pool: Pool = ders(&case["untrusted_intermediates"]).into_iter().collect();
    // What is no certificate cannot be an anchor.
    let anchors = ders(&case["trusted_certs"]).into_iter().filter_map(|root| Anchor::from_certificate(root).ok());
    let anchors: Anchors = anchors.collect();
    verify::path(&der(&case["peer_certificate"]), &pool, &anchors, policy, &CryptoVerifier(&backend))
}

fn limbo() -> Option<Vec<Value>> {
    let file = corpora::set("x509-limbo/limbo-core.json")?;
    let limbo: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    Some(limbo["testcases"].as_array().unwrap().clone())
}

#[test]
fn every_case_is_as_expected_or_registered() {
    let Some(cases) = limbo() else { return };
    let mut rows = BTreeMap::new();
    let mut passed = 0;
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let expected = case["expected_result"].as_str().unwrap();
        let result = validate(case, &policy(case));
        let actual = if result.is_ok() { "SUCCESS" } else { "FAILURE" };
        let refusal = result.as_ref().err().and_then(Report::refusal);
        let why = refusal.map_or_else(|| "-".to_owned(), ToString::to_string);
        if actual == expected {
            passed += 1;
        } else {
            rows.insert(id.to_owned(), format!("{id}\t{expected}\t{actual}\t{why}"));
        }
    }
    println!("x509-limbo: {} cases, {passed} as expected", cases.len());
    register::keep("limbo-paths", "id\texpected\tactual\twhy", &rows);
}

/// Which rule decides each case that fails, and where: a certificate that is refused for another reason than the one it was made
/// for would hide that this one does not work.
#[test]
fn every_failure_is_for_its_reason() {
    let Some(cases) = limbo() else { return };
    let mut rows = BTreeMap::new();
    for case in cases.iter().filter(|case| case["expected_result"] == "FAILURE") {
        let id = case["id"].as_str().unwrap();
        let mut policy = policy(case);
        // The set's own certificates have a common name that most of their alternative names do not repeat.
        if !id.starts_with("webpki::cn::") {
            policy.disable("common-name").unwrap();
        }
        // Nor do these have the name that is expected of them.
        if id.starts_with("rfc5280::nc::") {
            policy.names.clear();
        }
        let row = match validate(case, &policy) {
            Ok(_) => format!("{id}\tvalid\t\t"),
            Err(report) => match (report.outcome(), report.refusal()) {
                (tagwise_path::Outcome::Exhausted(limit), _) => format!("{id}\tbudget: {limit}\t\t"),
                (_, Some(refusal)) => format!("{id}\t{}\t{}\t{}", refusal.rule, refusal.path, refusal.message),
                (_, None) => panic!("{id}: {report}"),
            },
        };
        rows.insert(id.to_owned(), row);
    }
    register::compare("limbo-paths-rules", "id\trule\tpath\tmessage", &rows);
}

/// A verifier that takes every signature, so that changed certificates get as far as they can.
struct Anything;

impl Verifier for Anything {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<(), SignatureFault> {
        Ok(())
    }
}

/// Octets changed at places that a fixed sequence of numbers chooses: whatever comes of it, it comes, and the report can be read.
#[test]
fn changed_certificates() {
    let Some(cases) = limbo() else { return };
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut valid = 0;
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        // Each takes a second without optimization, and they differ in nothing but their size.
        if id.contains("nc-dos") {
            continue;
        }
        let policy = policy(case);
        let (leaf, between, roots) =
            (der(&case["peer_certificate"]), ders(&case["untrusted_intermediates"]), ders(&case["trusted_certs"]));
        for _ in 0..8 {
            let mut files = [vec![leaf.clone()], between.clone(), roots.clone()];
            for _ in 0..=next(2) {
                let count = files.iter().map(Vec::len).sum();
                let file = files.iter_mut().flatten().nth(next(count)).unwrap();
                let at = next(file.len());
                match next(3) {
                    0 => file[at] = next(256) as u8,
                    1 => file[at] ^= 1 << next(8),
                    _ => drop(file.remove(at)),
                }
            }
            let [leaf, between, roots] = files;
            let pool: Pool = between.iter().collect();
            let anchors: Anchors = roots.into_iter().filter_map(|root| Anchor::from_certificate(root).ok()).collect();
            let (text, json) = match verify::path(&leaf[0], &pool, &anchors, &policy, &Anything) {
                Ok(path) => {
                    valid += 1;
                    (path.to_string(), path.to_json())
                }
                Err(report) => {
                    assert!(report.refusal().is_some(), "{id}: {report}");
                    (report.to_string(), report.to_json())
                }
            };
            assert!(!text.is_empty());
            serde_json::from_str::<Value>(&json).unwrap();
        }
    }
    assert!(valid > 10, "{valid}");
}
