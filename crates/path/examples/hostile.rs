//! Times of graphs and certificates made to cost, and the budget that each spent. `tests/hostile.rs` has the counters.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "prints a table")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::evidence::{List, reason};
use common::*;
use tagwise_path::{Anchors, Policy, RevocationMode, verify};

fn run(what: &str, leaf: &Spec, between: &[Spec], anchors: &Anchors, policy: &Policy) {
    let (leaf, start) = (leaf.der(), Instant::now());
    let pool = pool(between);
    let filled = start.elapsed();
    let start = Instant::now();
    let result = verify::path(&leaf, &pool, anchors, policy, &KeyIsSignature);
    let took = start.elapsed();
    let (outcome, spent) = match &result {
        Ok(path) => ("valid".to_owned(), path.explanation.spent),
        Err(report) => (format!("{:?}", report.outcome()), report.explanation().spent),
    };
    println!("{what:<44} pool {filled:>9.1?}  path {took:>9.1?}  {outcome}");
    println!(
        "{:<44} {} signatures, {} paths, {} names, {} policy nodes, {} constraints",
        "", spent.signatures, spent.paths, spent.name_comparisons, spent.policy_nodes, spent.constraint_comparisons
    );
}

fn main() {
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

    let leaf = Spec::leaf("Leaf", "Root", "root");
    for (what, extensions) in [("", vec![]), (", with reasons", vec![reason(1)])] {
        let list = (0..1_000_000).fold(List::new("Root", "root"), |list, serial| list.revokes(serial + 2, &extensions));
        let der = list.der();
        println!("CRL of a million entries{what}: {} octets", der.len());
        let mut policy = policy();
        policy.revocation.mode = RevocationMode::Require;
        policy.revocation.evidence.add_crl(der);
        run("  the first time", &leaf, &[], &roots, &policy);
        run("  again", &leaf, &[], &roots, &policy);
    }
    let lists: Vec<Vec<u8>> = (0..10_000).map(|_| List::new("Root", "forger").der()).collect();
    let mut policy = policy();
    policy.revocation.mode = RevocationMode::Require;
    lists.into_iter().for_each(|list| policy.revocation.evidence.add_crl(list));
    run("10,000 forged CRLs, the first time", &leaf, &[], &roots, &policy);
    run("10,000 forged CRLs, again", &leaf, &[], &roots, &policy);
}
