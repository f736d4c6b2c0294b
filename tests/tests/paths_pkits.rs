//! NIST's PKITS: all 249 cases with their policy inputs and CRLs, at their time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use serde_json::Value;
use tagwise_codec::{Oid, oid};
use tagwise_crypto::{Weaknesses, backends::AwsLc};
use tagwise_path::{
    Anchor, Anchors, LegacyVerifier, OidBuf, Outcome, Path, Policy, Pool, Profile, Report, RevocationMode, Rule,
    Status, verify,
};
use tagwise_pkix::UnixTime;
use tagwise_tests::{corpora, register};

/// 2011-04-15T00:00:00Z.
const TIME: UnixTime = UnixTime(1_302_825_600);

fn read(folder: &FilePath, kind: &str, name: &Value) -> Vec<u8> {
    let suffix = if kind == "certs" { "crt" } else { "crl" };
    std::fs::read(folder.join(kind).join(format!("{}.{suffix}", name.as_str().unwrap()))).unwrap()
}

fn test_policy(name: &str) -> OidBuf {
    const ARCS: [Oid<'static>; 10] = [
        oid!("2.16.840.1.101.3.2.1.48.1"),
        oid!("2.16.840.1.101.3.2.1.48.2"),
        oid!("2.16.840.1.101.3.2.1.48.3"),
        oid!("2.16.840.1.101.3.2.1.48.4"),
        oid!("2.16.840.1.101.3.2.1.48.5"),
        oid!("2.16.840.1.101.3.2.1.48.6"),
        oid!("2.16.840.1.101.3.2.1.48.7"),
        oid!("2.16.840.1.101.3.2.1.48.8"),
        oid!("2.16.840.1.101.3.2.1.48.9"),
        oid!("2.16.840.1.101.3.2.1.48.10"),
    ];
    let number: usize = name.strip_prefix("NIST-test-policy-").unwrap().parse().unwrap();
    ARCS[number - 1].into()
}

fn policy(case: &Value) -> Policy {
    let mut policy = Policy::new(&Profile::RFC5280, TIME);
    let initial: Vec<&str> =
        case["initial_policy_set"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    if initial != ["anyPolicy"] {
        policy.policies.initial = Some(initial.iter().map(|name| test_policy(name)).collect());
    }
    policy.policies.explicit = case["initial_explicit_policy"].as_bool().unwrap();
    policy.policies.inhibit_mapping = case["initial_policy_mapping_inhibit"].as_bool().unwrap();
    policy.policies.inhibit_any = case["initial_inhibit_any_policy"].as_bool().unwrap();
    policy
}

fn validate(folder: &FilePath, case: &Value) -> Result<Path, Report> {
    let certs: Vec<Vec<u8>> =
        case["certs"].as_array().unwrap().iter().map(|name| read(folder, "certs", name)).collect();
    let (root, rest) = certs.split_first().unwrap();
    let (leaf, between) = rest.split_last().unwrap();
    // In no helpful order.
    let pool: Pool = between.iter().rev().collect();
    let anchors: Anchors = [Anchor::from_certificate(root.clone()).unwrap()].into_iter().collect();
    let mut policy = policy(case);
    policy.revocation.mode = RevocationMode::Require;
    for name in case["crls"].as_array().unwrap() {
        policy.revocation.evidence.add_crl(read(folder, "crls", name));
    }
    // Of 2011, with DSA and SHA-1.
    let backend = AwsLc::new();
    verify::path(leaf, &pool, &anchors, &policy, &LegacyVerifier(&backend, Weaknesses::ALL))
}

fn policies(path: &Path) -> Vec<String> {
    match &path.policies {
        None => vec!["anyPolicy".to_owned()],
        Some(policies) => {
            let last = |policy: &OidBuf| policy.to_string().rsplit('.').next().unwrap().to_owned();
            policies.iter().map(|policy| format!("NIST-test-policy-{}", last(policy))).collect()
        }
    }
}

fn cases() -> Option<(std::path::PathBuf, Vec<Value>)> {
    let folder = corpora::set("pkits")?;
    let file = std::fs::read(folder.join("pkits-expected.json")).unwrap();
    let set: Value = serde_json::from_slice(&file).unwrap();
    Some((folder, set["cases"].as_array().unwrap().clone()))
}

/// Every case is as expected under the revocation that PKITS prescribes, its policies included.
#[test]
fn every_case() {
    let Some((folder, cases)) = cases() else { return };
    assert_eq!(cases.len(), 249);
    let mut wrong = Vec::new();
    for case in &cases {
        let (number, id) = (case["number"].as_str().unwrap(), case["id"].as_str().unwrap());
        let should = case["should_validate"].as_bool().unwrap();
        let expected: Vec<&str> =
            case["user_constrained_policy_set"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        match validate(&folder, case) {
            Ok(path) if should && policies(&path) == expected => {
                // Every certificate of the path has an answer.
                let answered = &path.explanation.revocation;
                assert_eq!(answered.len(), path.certificates.len(), "{number}: {path}");
                assert!(answered.iter().all(|answer| matches!(answer.status, Status::Good { .. })), "{number}");
            }
            Ok(path) => wrong.push(format!("{number} {id}: valid for {:?}, not {expected:?}", policies(&path))),
            Err(report) if !should && report.outcome() == Outcome::Refused => {}
            Err(report) => wrong.push(format!("{number} {id}: {report}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The cases that only a CRL makes invalid are refused for what they are about; the texts are a register.
#[test]
fn revocation_for_its_reason() {
    let Some((folder, cases)) = cases() else { return };
    let mut rows = BTreeMap::new();
    for case in cases.iter().filter(|case| case["should_validate"] == false) {
        let Err(report) = validate(&folder, case) else { continue };
        let Some(refusal) = report.refusal().filter(|refusal| refusal.rule == Rule::Revocation) else { continue };
        let key = format!("{} {}", case["number"].as_str().unwrap(), case["id"].as_str().unwrap());
        rows.insert(key.clone(), format!("{key}\t{}", refusal.message));
    }
    register::compare("pkits-revocation", "case\tmessage", &rows);
}
