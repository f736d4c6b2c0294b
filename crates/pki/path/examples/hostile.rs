//! Measures the validation times of deliberately expensive graphs and certificates, and the budget spent on each.
//! `tests/hostile.rs` checks the counters.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "prints a table")]

use std::time::{Duration, Instant};

use tagwise_path::{Anchors, Outcome, Policy, Pool, RevocationMode, verify};
use tagwise_path_testing::evidence::{List, Ocsp, reason};
use tagwise_path_testing::*;

/// Returns the processor time of this thread or, if the system does not report it, the elapsed time.
fn now(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Validates a certificate, and prints a row: milliseconds to fill the pool and to validate, the outcome, and the cost.
fn run(what: &str, leaf: &Spec, between: &[Spec], anchors: &Anchors, policy: &Policy) {
    let (leaf, ders) = (leaf.der(), between.iter().map(Spec::der).collect::<Vec<_>>());
    let begin = Instant::now();
    let start = now(begin);
    let pool: Pool = ders.iter().collect();
    let filled = now(begin) - start;
    let start = now(begin);
    let result = verify::path(&leaf, &pool, anchors, policy, &KeyIsSignature);
    let took = now(begin) - start;
    let (outcome, spent) = match &result {
        Ok(path) => ("valid".to_owned(), path.explanation.spent),
        Err(report) => match report.outcome() {
            Outcome::Exhausted(limit) => (format!("over budget: {limit}"), report.explanation().spent),
            Outcome::Refused => ("refused".to_owned(), report.explanation().spent),
        },
    };
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "| {what} | {:.1} | {:.1} | {outcome} | {} | {} | {} | {} | {} | {} |",
        ms(filled),
        ms(took),
        spent.signatures,
        spent.paths,
        spent.name_comparisons,
        spent.policy_nodes,
        spent.constraint_comparisons,
        spent.bytes
    );
}

fn main() {
    println!(
        "| input | pool, ms | path, ms | outcome | signatures | paths | names | policy nodes | constraints | bytes |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|");
    let roots = anchors(&[&root()]);
    let base = policy();

    let one = |number: u32| Spec { serial: number, ..Spec::ca("CA", &format!("key {number}"), "Root", "root") };
    let cas: Vec<Spec> = (0..10_000).map(one).collect();
    let leaf = Spec::leaf("Leaf", "CA", "key 9999");
    run("10,000 namesakes, key identifiers", &leaf, &cas, &roots, &base);
    let blind: Vec<Spec> = cas.iter().map(|ca| ca.clone().without(14)).collect();
    let mut lenient = policy();
    lenient.disable("conformance").unwrap();
    run("10,000 namesakes, no key identifiers", &leaf, &blind, &roots, &lenient);

    for n in [10usize, 30, 100] {
        let mut mesh = Vec::new();
        for subject in 0..n {
            for issuer in (0..n).filter(|issuer| *issuer != subject) {
                let (own, above) = (format!("key {subject}"), format!("key {issuer}"));
                mesh.push(Spec::ca(&format!("CA {subject}"), &own, &format!("CA {issuer}"), &above));
            }
            mesh.push(Spec::ca(&format!("CA {subject}"), &format!("key {subject}"), "Root", "not the root"));
        }
        let leaf = Spec::leaf("Leaf", "CA 0", "key 0");
        run(&format!("{n} × {n} cross-signed, default budget"), &leaf, &mesh, &roots, &base);
        let mut patient = policy();
        (patient.budget.signatures, patient.budget.path_length) = (1_000_000, 1_000);
        patient.budget.name_comparisons = 100_000_000;
        run(&format!("{n} × {n} cross-signed, to the end"), &leaf, &mesh, &roots, &patient);
    }

    let chain = |depth: usize, shape: &dyn Fn(Spec) -> Spec| -> Vec<Spec> {
        let at = |index: usize| {
            if index == 0 {
                ("Root".to_owned(), "root".to_owned())
            } else {
                (format!("CA {index}"), format!("key {index}"))
            }
        };
        let link = |index: usize| {
            let ((issuer, signer), (subject, key)) = (at(index), at(index + 1));
            shape(Spec::ca(&subject, &key, &issuer, &signer))
        };
        (0..depth).map(link).collect()
    };
    let mut deep = policy();
    deep.budget.path_length = 100;
    let doubling = chain(64, &|ca| ca.with(policies(&[1, 2])).with(mappings(&[(1, 1), (1, 2), (2, 1), (2, 2)])));
    let leaf = Spec::leaf("Leaf", "CA 64", "key 64").with(policies(&[1, 2]));
    run("mappings, 64 deep", &leaf, &doubling, &roots, &deep);

    let all: Vec<u8> = (1..=120).collect();
    let pairs: Vec<(u8, u8)> = all.iter().flat_map(|from| all.iter().map(|to| (*from, *to))).collect();
    let bomb = chain(10, &|ca| ca.with(policies(&all)).with(mappings(&pairs)));
    let leaf = Spec::leaf("Leaf", "CA 10", "key 10").with(policies(&all));
    run("120 policies that all map to all, 10 deep", &leaf, &bomb, &roots, &base);

    let hosts: Vec<String> = (0..100_000).map(|number| format!("h{number}.example.org")).collect();
    let list: Vec<(u8, &[u8])> = hosts.iter().map(|host| (DNS, host.as_bytes())).collect();
    let ca = Spec::ca("CA", "key", "Root", "root").with(name_constraints(&list, &[]));
    let leaf = Spec::leaf("Leaf", "CA", "key").with(alt_names(&list));
    run("100,000 constraints × 100,000 names", &leaf, &[ca], &roots, &base);

    let ca = Spec::ca("CA", "key", "Root", "root").with(name_constraints(&[], &list));
    let leaf = Spec::leaf("Leaf", "CA", "key").with(alt_names(&list));
    run("100,000 excluded × 100,000 names", &leaf, &[ca], &roots, &base);

    let leaf = Spec::leaf("Leaf", "Root", "root");
    for (count, what, extensions) in [
        (1_000_000, "CRL of a million entries", vec![]),
        (1_000_000, "CRL of a million entries with reasons", vec![reason(1)]),
        (3_000_000, "CRL of three million entries", vec![]),
    ] {
        let list = (0..count).fold(List::new("Root", "root"), |list, serial| list.revokes(serial + 2, &extensions));
        let mut policy = policy();
        policy.revocation.mode = RevocationMode::Require;
        policy.revocation.evidence.add_crl(list.der());
        drop(list);
        run(&format!("{what}, the first time"), &leaf, &[], &roots, &policy);
        run(&format!("{what}, again"), &leaf, &[], &roots, &policy);
        for _ in 0..6 {
            _ = validate(&leaf, &[], &roots, &policy);
        }
        run(&format!("{what}, the 9th time (indexed)"), &leaf, &[], &roots, &policy);
        run(&format!("{what}, the 10th time"), &leaf, &[], &roots, &policy);
    }
    let lists: Vec<Vec<u8>> = (0..10_000).map(|_| List::new("Root", "forger").der()).collect();
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    lists.into_iter().for_each(|list| policy.revocation.evidence.add_crl(list));
    run("10,000 forged CRLs, the first time", &leaf, &[], &roots, &policy);
    run("10,000 forged CRLs, again", &leaf, &[], &roots, &policy);

    // Signers with a hundred thousand names each, every one with a list.
    let mut policy = self::policy();
    policy.revocation.mode = RevocationMode::Require;
    let mut signers = Vec::new();
    for number in 0..100u32 {
        let key = format!("key {number}");
        let signer = Spec { serial: 10 + number, ..Spec::ca("Root", &key, "Root", "root") };
        signers.push(signer.with(alt_names(&list)));
        policy.revocation.evidence.add_crl(List::new("Root", &key).der());
    }
    run("100 signers of CRLs with 100,000 names each", &leaf, &signers, &roots, &policy);
    // Responders that each come with their response, over a large pool.
    let mut policy = self::policy();
    policy.revocation.mode = RevocationMode::Require;
    for number in 0..100u32 {
        let key = format!("key {number}").into_bytes();
        let responder =
            Spec { key, serial: 10 + number, ..Spec::leaf("Responder", "Root", "root") }.with(purposes(&[9]));
        policy.revocation.evidence.add_ocsp(Ocsp::new("Root", "root").by("Responder", &responder).der());
    }
    run("100 OCSP responders, pool of 10,000", &leaf, &cas, &roots, &policy);
}
