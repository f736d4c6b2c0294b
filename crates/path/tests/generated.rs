//! Generated hierarchies: constraints, policies, mappings, counters and revocation at random, judged by the crate and by a second
//! implementation that is written from RFC 5280's text (`naive`).
//!
//! `TAGWISE_ALL=1` takes many more of them, `TAGWISE_CASES` any number, `TAGWISE_SEED` another first one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
mod naive;

use std::collections::{BTreeSet, HashMap};

use common::*;
use naive::crl::{CrlModel, Evidence, Scope};
use naive::{Inputs, Model, Subtree};
use tagwise_path::{Budget, OidBuf, Outcome, Policy, Profile, RevocationMode, verify};

/// SplitMix64 (Steele, Lea, Flood 2014): each case has a seed of its own.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Some of the policies, each once; 0 is anyPolicy.
    fn policies(&mut self, any: usize) -> Vec<u8> {
        let mut list: Vec<u8> = (1..4).filter(|_| self.percent(55)).collect();
        if self.percent(any) || list.is_empty() {
            list.push(0);
        }
        list
    }

    fn skip(&mut self, percent: usize) -> Option<u8> {
        self.percent(percent).then(|| self.below(4) as u8)
    }

    fn subtrees(&mut self, percent: usize, list: &[Subtree]) -> Vec<Subtree> {
        if self.percent(percent) { (0..=self.below(2)).map(|_| self.of(list)).collect() } else { Vec::new() }
    }
}

const NAMES: [(&str, [&str; 2]); 4] =
    [("Root", ["root", "root2"]), ("A", ["a1", "a2"]), ("B", ["b1", "b2"]), ("C", ["c1", "c2"])];
const PERMITTED: [Subtree; 6] = [
    Subtree::Host("example.org"),
    Subtree::Host(""),
    Subtree::Host("org"),
    Subtree::Directory("Leaf"),
    Subtree::Directory(""),
    Subtree::Directory("B"),
];
const EXCLUDED: [Subtree; 4] = [
    Subtree::Host("example.com"),
    Subtree::Host("www.example.org"),
    Subtree::Directory("C"),
    Subtree::Directory("Other"),
];

/// A name with one of its keys; mostly the first ones.
fn party(random: &mut Random) -> (&'static str, &'static str) {
    let (name, keys) = random.of(&NAMES);
    (name, keys[usize::from(random.percent(25))])
}

/// What every certificate may have.
fn fill(random: &mut Random, model: &mut Model) {
    if random.percent(70) {
        model.policies = Some(random.policies(45));
    }
    model.constraints = (random.skip(10), random.skip(10));
    model.expired = random.percent(3);
    model.unknown_critical = random.percent(2);
}

fn ca(random: &mut Random, serial: u32) -> Model {
    let (subject, key) = party(random);
    let (issuer, signer) = if random.percent(45) { ("Root", "root") } else { party(random) };
    let mut model = Model { serial, ..Model::new(subject, key, issuer, signer) };
    fill(random, &mut model);
    model.basic = random.percent(95).then(|| (!random.percent(3), random.skip(20)));
    model.usage = random.percent(60).then(|| (random.percent(95), random.percent(85)));
    if random.percent(30) {
        let from = if random.percent(4) { 0 } else { 1 };
        let pair = |random: &mut Random| (from + random.below(3) as u8, 1 + random.below(3) as u8);
        model.mappings = (0..=random.below(3)).map(|_| pair(random)).collect();
    }
    model.inhibit_any = random.skip(12);
    model.permitted = random.subtrees(12, &PERMITTED);
    model.excluded = random.subtrees(12, &EXCLUDED);
    if random.percent(10) {
        model.hosts = vec![random.of(&["a.example.org", "b.example.com"])];
    }
    model
}

fn end_certificate(random: &mut Random) -> Model {
    let (issuer, signer) = party(random);
    let subject = if random.percent(8) { issuer } else { "Leaf" };
    let mut model = Model { serial: 90, ..Model::new(subject, "leaf", issuer, signer) };
    fill(random, &mut model);
    model.usage = random.percent(20).then(|| (false, random.percent(50)));
    if random.percent(80) {
        model.hosts = vec![random.of(&["www.example.org", "mail.example.org", "www.example.com"])];
    }
    model
}

fn inputs(random: &mut Random) -> Inputs {
    let initial = random.percent(40).then(|| random.policies(0));
    Inputs {
        initial: initial
            .map(|list| list.into_iter().filter(|policy| *policy != 0).collect::<Vec<_>>())
            .filter(|list| !list.is_empty()),
        explicit: random.percent(25),
        inhibit_mapping: random.percent(12),
        inhibit_any: random.percent(12),
        anchor: ("Root", "root"),
    }
}

/// CRLs of those who issue: most are good, and some of everything is not.
fn crls(random: &mut Random, serials: &[u32]) -> Vec<CrlModel> {
    let mut list = Vec::new();
    for (issuer, keys) in NAMES {
        for (kind, key) in [(0, keys[0]), (0, keys[1]), (1, keys[0])] {
            let percent = if kind == 1 {
                25
            } else if key == keys[0] {
                88
            } else {
                30
            };
            if !random.percent(percent) {
                continue;
            }
            let entry = |random: &mut Random| {
                let issuer = random.percent(20).then(|| random.of(&NAMES).0);
                (random.of(serials), issuer, random.of(&[1, 4, 6, 8]))
            };
            let scope = if random.percent(80) { Scope::All } else { random.of(&[Scope::Users, Scope::Cas]) };
            list.push(CrlModel {
                issuer,
                signer: if random.percent(4) { "forger" } else { key },
                hour: 0,
                stale: random.percent(8),
                scope,
                number: if kind == 1 { 7 } else { 3 + random.below(5) as u8 },
                base: (kind == 1).then(|| 2 + random.below(5) as u8),
                unknown_critical: random.percent(3),
                entries: (0..random.below(5) / 2).map(|_| entry(random)).collect(),
            });
        }
    }
    // Each has a time of its own, in an order that says nothing.
    let start = random.below(12);
    for (place, crl) in list.iter_mut().enumerate() {
        crl.hour = ((place * 5 + start) % 12) as u8;
    }
    list
}

fn policy(inputs: &Inputs) -> Policy {
    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    // §6.1 alone: what RFC 5280 §4 and RFC 5937 demand besides is not in the models.
    for rule in ["conformance", "name-syntax", "anchor-extensions"] {
        policy.disable(rule).unwrap();
    }
    let identifier = |number: &u8| -> OidBuf {
        let der = policy_id(*number);
        tagwise_codec::Oid::from_content(&der[2..]).unwrap().into()
    };
    policy.policies.initial = inputs.initial.as_ref().map(|list| list.iter().map(identifier).collect());
    policy.policies.explicit = inputs.explicit;
    policy.policies.inhibit_mapping = inputs.inhibit_mapping;
    policy.policies.inhibit_any = inputs.inhibit_any;
    policy.budget = Budget { signatures: 100_000, paths: 100_000, ..Budget::DEFAULT };
    policy
}

/// One hierarchy. Returns whether it is valid.
fn case(seed: u64) -> bool {
    let mut random = Random(seed);
    let count = 1 + random.below(8);
    let pool_models: Vec<Model> = (0..count).map(|place| ca(&mut random, 1 + place as u32)).collect();
    let leaf = end_certificate(&mut random);
    let inputs = inputs(&mut random);
    let serials: Vec<u32> = pool_models.iter().map(|model| model.serial).chain([leaf.serial]).collect();
    let lists = if random.percent(50) { crls(&mut random, &serials) } else { Vec::new() };

    let mut policy = policy(&inputs);
    if !lists.is_empty() {
        policy.revocation.mode = RevocationMode::Require;
        lists.iter().for_each(|list| policy.revocation.evidence.add_crl(list.list().der()));
    }
    let specs: Vec<Spec> = pool_models.iter().map(Model::spec).collect();
    let result = verify::path(&leaf.spec().der(), &pool(&specs), &anchors(&[&root()]), &policy, &KeyIsSignature);

    let evidence = Evidence { crls: &lists, pool: &pool_models, inputs: &inputs, depth: policy.budget.depth as u8 };
    let judge =
        |whole: &[&Model]| naive::path(whole, &inputs).filter(|_| lists.is_empty() || evidence.clears(whole, 0));
    let describe = || format!("seed {seed}: {inputs:?}\n{leaf:#?}\n{pool_models:#?}\n{lists:#?}");
    match result {
        Ok(path) => {
            let mut models: HashMap<Vec<u8>, &Model> =
                pool_models.iter().map(|model| (model.spec().der(), model)).collect();
            models.insert(leaf.spec().der(), &leaf);
            let whole: Vec<&Model> = path.certificates.iter().rev().map(|buf| models[buf.as_der()]).collect();
            let Some(expected) = judge(&whole) else {
                panic!("valid, and it is not: {path}\n{}", describe());
            };
            let found: naive::Policies = path.policies.as_ref().map(|list| {
                let number = |policy: &OidBuf| *policy.oid().as_bytes().last().unwrap();
                list.iter().map(number).collect::<BTreeSet<u8>>()
            });
            assert_eq!(found, expected, "other policies: {path}\n{}", describe());
            true
        }
        Err(report) => {
            assert_eq!(report.outcome(), Outcome::Refused, "{report}");
            let paths = naive::paths(&leaf, &pool_models, &inputs);
            if let Some(valid) = paths.iter().find(|whole| judge(whole).is_some()) {
                panic!("refused, and there is a path:\n{valid:#?}\n{report}\n{}", describe());
            }
            false
        }
    }
}

#[test]
fn as_the_text_has_it() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let all = std::env::var_os("TAGWISE_ALL").is_some_and(|value| value == "1");
    let count = number("TAGWISE_CASES").unwrap_or(if all { 200_000 } else { 3_000 });
    let first = number("TAGWISE_SEED").unwrap_or(1);
    let valid = (first..first + count).filter(|seed| case(*seed)).count();
    println!("{count} hierarchies, {valid} of them valid");
    // Else it would say nothing.
    assert!(count < 500 || (count / 20..count * 3 / 4).contains(&(valid as u64)), "{valid} of {count} are valid");
}
