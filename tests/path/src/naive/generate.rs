//! Generates hierarchies from choices: certificates, inputs, CRLs and OCSP responses. Both implementations are then run,
//! and their results compared. The choices come from a random number generator or a fuzzer.

use std::collections::{BTreeSet, HashMap};

use super::crl::{CrlModel, Scope};
use super::evidence::{Answer, Evidence};
use super::ocsp::{Id, OcspModel, State};
use super::{Inputs, Model, Policies, Subtree};
use crate::*;
use tagwise_path::{Budget, OidBuf, Outcome, Policy, Pool, Profile, RevocationMode, verify};

/// A source of choices.
pub trait Choices {
    /// A number below an end.
    fn below(&mut self, end: usize) -> usize;

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
fn party(random: &mut impl Choices) -> (&'static str, &'static str) {
    let (name, keys) = random.of(&NAMES);
    (name, keys[usize::from(random.percent(25))])
}

/// Components that every certificate may have.
fn fill(random: &mut impl Choices, model: &mut Model) {
    if random.percent(70) {
        model.policies = Some(random.policies(45));
    }
    model.constraints = (random.skip(10), random.skip(10));
    model.expired = random.percent(3);
    model.unknown_critical = random.percent(2);
}

fn ca<R: Choices>(random: &mut R, serial: u32) -> Model {
    let (subject, key) = party(random);
    let (issuer, signer) = if random.percent(45) { ("Root", "root") } else { party(random) };
    let mut model = Model { serial, ..Model::new(subject, key, issuer, signer) };
    fill(random, &mut model);
    model.basic = random.percent(95).then(|| (!random.percent(3), random.skip(20)));
    model.usage = random.percent(60).then(|| (random.percent(95), random.percent(85)));
    if random.percent(30) {
        let from = if random.percent(4) { 0 } else { 1 };
        let pair = |random: &mut R| (from + random.below(3) as u8, 1 + random.below(3) as u8);
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

fn end_certificate(random: &mut impl Choices) -> Model {
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

fn inputs(random: &mut impl Choices) -> Inputs {
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
fn crls<R: Choices>(random: &mut R, serials: &[u32]) -> Vec<CrlModel> {
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
            let entry = |random: &mut R| {
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

pub fn policy(inputs: &Inputs) -> Policy {
    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    // §6.1 alone: what RFC 5280 §4 and RFC 5937 demand besides is not in the models.
    policy.disable("name-syntax").unwrap();
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

/// OCSP responses about some of the certificates: by their issuers, by responders that those certified, and by others.
fn responses(random: &mut impl Choices, serials: &[u32]) -> Vec<OcspModel> {
    let start = random.below(12);
    let count = random.below(13);
    (0..count).map(|place| response(random, serials, place, start)).collect()
}

fn response(random: &mut impl Choices, serials: &[u32], place: usize, start: usize) -> OcspModel {
    let issuer = party(random);
    let mut model = OcspModel {
        issuer,
        serial: random.of(serials),
        state: random.of(&[State::Good, State::Good, State::Good, State::Good, State::Revoked, State::Unknown]),
        // Each has a time of its own, in an order that says nothing.
        hour: ((place * 5 + start) % 12) as u8,
        stale: random.percent(8),
        unknown_critical: random.percent(3),
        responder: if random.percent(50) { Id::Name(issuer.0) } else { Id::Key(issuer.1) },
        signer: if random.percent(4) { "forger" } else { issuer.1 },
        certificate: None,
    };
    if random.percent(45) {
        let (above, signer) = if random.percent(90) { issuer } else { party(random) };
        let key = random.of(&["ocsp1", "ocsp2"]);
        let mut certificate = Model { serial: 60 + place as u32, ..Model::new("Responder", key, above, signer) };
        fill(random, &mut certificate);
        certificate.ocsp_signing = random.percent(92);
        certificate.no_check = random.percent(65);
        model.responder = if random.percent(50) { Id::Name("Responder") } else { Id::Key(key) };
        model.signer = if random.percent(4) { "forger" } else { key };
        model.certificate = Some(certificate);
    }
    model
}

/// A hierarchy with its inputs and evidence.
#[derive(Clone, Debug)]
pub struct Case {
    pub inputs: Inputs,
    pub leaf: Model,
    pub pool: Vec<Model>,
    pub crls: Vec<CrlModel>,
    pub responses: Vec<OcspModel>,
}

impl Case {
    /// Creates a hierarchy of up to `most` CAs.
    pub fn new(random: &mut impl Choices, most: usize) -> Self {
        let count = 1 + random.below(most);
        let mut pool: Vec<Model> = Vec::new();
        for place in 0..count {
            pool.push(ca(random, 1 + place as u32));
        }
        let leaf = end_certificate(random);
        let inputs = inputs(random);
        let serials: Vec<u32> = pool.iter().map(|model| model.serial).chain([leaf.serial]).collect();
        let lists = if random.percent(50) { crls(random, &serials) } else { Vec::new() };
        let responses = if random.percent(30) { responses(random, &serials) } else { Vec::new() };
        Self { inputs, leaf, pool, crls: lists, responses }
    }

    fn has_evidence(&self) -> bool {
        !self.crls.is_empty() || !self.responses.is_empty()
    }

    /// Returns the certificates of the pool.
    pub fn certificates(&self) -> Pool {
        pool(&self.pool.iter().map(Model::spec).collect::<Vec<_>>())
    }

    /// Adds the evidence, if any, to a policy and makes the policy require it.
    pub fn require(&self, policy: &mut Policy) {
        if !self.has_evidence() {
            return;
        }
        policy.revocation.mode = RevocationMode::Require;
        self.crls.iter().for_each(|list| policy.revocation.evidence.add_crl(list.list().der()));
        self.responses.iter().for_each(|response| policy.revocation.evidence.add_ocsp(response.response().der()));
    }

    /// Validates with the crate and with the naive implementation. Returns whether the end-entity certificate has a valid path.
    /// Panics if the results differ.
    pub fn check(&self, name: &str) -> bool {
        let (inputs, leaf) = (&self.inputs, &self.leaf);
        let mut policy = policy(inputs);
        self.require(&mut policy);
        let result =
            verify::path(&leaf.spec().der(), &self.certificates(), &anchors(&[&root()]), &policy, &KeyIsSignature);
        let evidence = Evidence {
            crls: &self.crls,
            responses: &self.responses,
            pool: self.pool.iter().collect(),
            inputs,
            depth: policy.budget.depth as u8,
        };
        let judge = |whole: &[&Model]| {
            super::path(whole, inputs).filter(|_| !self.has_evidence() || evidence.clears(whole, 0) == Answer::Yes)
        };
        match result {
            Ok(path) => {
                let mut models: HashMap<Vec<u8>, &Model> =
                    self.pool.iter().map(|model| (model.spec().der(), model)).collect();
                models.insert(leaf.spec().der(), leaf);
                let whole: Vec<&Model> = path.certificates.iter().rev().map(|buf| models[buf.as_der()]).collect();
                let Some(expected) = judge(&whole) else {
                    panic!("{name}: valid, and it is not: {path}\n{self:#?}");
                };
                let found: Policies = path.policies.as_ref().map(|list| {
                    let number = |policy: &OidBuf| *policy.as_bytes().last().unwrap();
                    list.iter().map(number).collect::<BTreeSet<u8>>()
                });
                assert_eq!(found, expected, "{name}: other policies: {path}\n{self:#?}");
                true
            }
            Err(report) => {
                assert_eq!(report.outcome(), Outcome::Refused, "{name}: {report}");
                let pool: Vec<&Model> = self.pool.iter().collect();
                let paths = super::paths(leaf, &pool, inputs);
                if let Some(valid) = paths.iter().find(|whole| judge(whole).is_some()) {
                    panic!("{name}: refused, and there is a path:\n{valid:#?}\n{report}\n{self:#?}");
                }
                false
            }
        }
    }
}
