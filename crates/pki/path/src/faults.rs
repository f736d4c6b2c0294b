//! Faults at each byte of each certificate of a chain. The search remembers which certificates conform, and reads extensions where they
//! are needed. Its verdicts are compared with those of a complete parse with options of every certificate, followed by validation.
//!
//! Every signature is accepted, as if the CA had signed the faulty certificate. `tests/faults-*.tsv` counts the verdicts for each
//! field, so that a review shows which faults RFC 5280 §6.1, §4.2 and the profiles reject. `TAGWISE_BLESS=1` rewrites them.
//! `TAGWISE_ALL=1` compares every value of each byte.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tagwise_codec::{Error, OidBuf, Options, Typed as _, oid};
use tagwise_path_testing::NOW;
use tagwise_path_testing::chains::{Chain, EcdsaForm, RsaForm};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, oids};

use crate::anchors::{Anchor, Anchors};
use crate::budget::Meter;
use crate::names::ExpectedName;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool::{self, Pool};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::report::{Outcome, Report};
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::{SignatureFault, Verifier};
use crate::verify;

/// A verifier for which every signature is valid.
struct Trusting;

impl Verifier for Trusting {
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

/// Everything that a validation reports, except its cost.
#[derive(Debug, PartialEq)]
struct Verdict {
    valid: bool,
    policies: Option<Vec<OidBuf>>,
    assumptions: Vec<String>,
    exhausted: bool,
    is_undecided: bool,
    refusals: Vec<Refusal>,
}

impl Verdict {
    fn of(result: Result<Path, Report>) -> Self {
        let valid = result.is_ok();
        let (policies, exhausted, is_undecided, explanation) = match result {
            Ok(path) => (path.policies, false, false, path.explanation),
            Err(report) => {
                let exhausted = report.outcome() != Outcome::Refused;
                (None, exhausted, report.is_undecided(), report.explanation().clone())
            }
        };
        let refusals = explanation.candidates.into_iter().map(|candidate| candidate.refusal).collect();
        Self { valid, policies, assumptions: explanation.assumptions, exhausted, is_undecided, refusals }
    }

    /// Returns the rule that decides, or `valid`.
    fn name(&self) -> &'static str {
        match self.refusals.last() {
            _ if self.valid => "valid",
            Some(refusal) if !self.exhausted => refusal.rule.name(),
            _ => "unknown",
        }
    }
}

/// The certificates of a chain in the form in which a path needs them.
struct Inputs {
    leaf: Vec<u8>,
    pool: Pool,
    anchors: Anchors,
}

impl Inputs {
    /// Reads a chain. Returns `None` if the anchor's name or key cannot be found.
    fn new(certificates: &[Vec<u8>]) -> Option<Self> {
        let (leaf, above) = certificates.split_first()?;
        let (root, between) = above.split_last()?;
        let anchor = Anchor::from_certificate(root.clone()).ok()?;
        Some(Self { leaf: leaf.clone(), pool: between.iter().collect(), anchors: [anchor].into_iter().collect() })
    }

    fn completely(mut self) -> Self {
        self.pool.parse_completely();
        self.anchors = self.anchors.map(Anchor::parse_completely);
        self
    }

    fn verdict(&self, policy: &Policy) -> Verdict {
        Verdict::of(verify::path(&self.leaf, &self.pool, &self.anchors, policy, &Trusting))
    }

    /// Parses every certificate completely, then validates.
    fn complete_verdict(&self, policy: &Policy) -> Verdict {
        let leaf = match pool::read(self.leaf.as_slice()) {
            Ok(leaf) => leaf,
            Err(error) => return Verdict::of(Err(Report::unreadable(policy, &error))),
        };
        let meter = Meter::new(policy.budget);
        Verdict::of(Engine::new((&leaf, false), &self.pool, &self.anchors, policy, &Trusting, meter).run())
    }
}

fn strict_error(der: &[u8], policy: &Policy) -> Option<Error> {
    Options::der().rules(policy.tolerate).decode::<Certificate<'_>>(der).err()
}

/// Path validation alone, path validation with the requirements of §4 and the anchor's extensions, and TLS servers.
fn policies() -> Vec<(&'static str, Policy)> {
    let mut strict = Policy::new(&Profile::RFC5280, NOW);
    strict.rules = strict.rules.with_all(&[Rule::Conformance, Rule::AnchorExtensions]);
    let plain = Policy::new(&Profile::RFC5280, NOW);
    let web = Policy::new(&Profile::WEBPKI, NOW);
    let mut all = vec![("rfc5280", plain), ("rfc5280+conformance", strict), ("webpki", web)];
    for (_, policy) in &mut all {
        policy.names.push(ExpectedName::dns("www.example.org").unwrap());
        policy.policies.initial = Some(vec![OidBuf::from(oid!("1.2.3.2"))]);
    }
    all
}

/// The field at a byte: two components of its path, and the name of an extension.
fn field(der: &[u8], offset: usize) -> String {
    let path = tagwise_codec::path_at(Certificate::ty(), der, offset);
    let mut parts = path.split('.');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let Some(second) = second else { return if first.is_empty() { "(header)" } else { first }.to_owned() };
    let Some(number) = second.strip_prefix("extensions[").and_then(|rest| rest.strip_suffix(']')) else {
        return format!("{first}.{}", second.split('[').next().unwrap());
    };
    let certificate = <Certificate<'_> as tagwise_codec::Decode<'_>>::from_der(der).unwrap();
    let extensions = certificate.tbs_certificate.extensions.unwrap();
    let id = extensions.iter().nth(number.parse().unwrap()).unwrap().unwrap().extn_id;
    oids::lookup(id).unwrap().name.to_owned()
}

/// The faults in the registers: the lowest bit, the bit of constructed encodings and lowercase letters, and the highest bit (long lengths,
/// negative numbers, classes of tags).
const COUNTED: [u8; 3] = [0x01, 0x20, 0x80];

/// Injects the faults, compares the verdicts, and returns the number of each by certificate, field and policy.
fn compare(chain: &Chain) -> String {
    let all = std::env::var_os("TAGWISE_ALL").is_some_and(|value| value == "1");
    let masks: Vec<u8> = if all { (1..=255).collect() } else { COUNTED.to_vec() };
    let policies = policies();
    let mut table = String::new();
    for (title, certificate) in chain.titles.iter().zip(0..) {
        // The fields in the order in which they first occur.
        let mut fields: Vec<String> = Vec::new();
        let mut counts: BTreeMap<(usize, usize, &'static str), u32> = BTreeMap::new();
        let original = chain.certificates[certificate].clone();
        let mut certificates = chain.certificates.clone();
        for offset in 0..original.len() {
            let name = field(&original, offset);
            let at = fields.iter().position(|known| *known == name).unwrap_or_else(|| {
                fields.push(name);
                fields.len() - 1
            });
            for mask in &masks {
                certificates[certificate][offset] = original[offset] ^ mask;
                let context = format!("{title}, byte {offset} ^ {mask:#04x}");
                let names = verdicts(&certificates, certificate, &policies, &context);
                for (policy, name) in names.into_iter().enumerate().filter(|_| COUNTED.contains(mask)) {
                    *counts.entry((at, policy, name)).or_default() += 1;
                }
            }
            certificates[certificate][offset] = original[offset];
        }
        for (at, field) in fields.iter().enumerate() {
            let listed: Vec<String> = (0..policies.len())
                .map(|policy| {
                    let of = counts.range((at, policy, "")..(at, policy + 1, ""));
                    of.map(|((_, _, name), count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
                })
                .collect();
            if listed.iter().all(|list| *list == listed[0]) {
                writeln!(table, "{title}\t{field}\tall\t{}", listed[0]).unwrap();
                continue;
            }
            for ((policy, _), list) in policies.iter().zip(&listed) {
                writeln!(table, "{title}\t{field}\t{policy}\t{list}").unwrap();
            }
        }
    }
    table
}

/// Returns the name of the verdict under each policy. Panics if the search and the complete parse disagree.
fn verdicts(
    certificates: &[Vec<u8>],
    faulty: usize,
    policies: &[(&'static str, Policy)],
    context: &str,
) -> Vec<&'static str> {
    let (Some(inputs), Some(complete)) = (Inputs::new(certificates), Inputs::new(certificates).map(Inputs::completely))
    else {
        // RFC 5280 §6.1.1 (d): an anchor has a name and a key.
        assert_eq!(faulty, certificates.len() - 1, "{context}");
        assert!(strict_error(&certificates[faulty], &policies[0].1).is_some(), "{context}");
        return vec!["no anchor"; policies.len()];
    };
    let judge = |(name, policy): &(&'static str, Policy)| {
        let context = format!("{context}, {name}");
        // Under the second and third policy, the pool and the anchors remember which certificates conform.
        let verdict = inputs.verdict(policy);
        assert_eq!(verdict, complete.complete_verdict(policy), "{context}");
        let is_anchor = faulty == certificates.len() - 1;
        match strict_error(&certificates[faulty], policy) {
            // §6.1.1 (d): of an anchor's certificate, only name and key count, unless the policy includes its extensions.
            Some(_) if is_anchor && !policy.rules.has(Rule::AnchorExtensions) => {}
            Some(error) => {
                assert!(!verdict.valid, "{context}: {error}");
                if faulty == 0 {
                    let found = verdict.refusals.first().map(|refusal| (refusal.rule, refusal.certificate));
                    assert_eq!(found, Some((Rule::Malformed, Some(0))), "{context}: {error}");
                }
            }
            None => {
                let malformed = verdict.refusals.iter().find(|refusal| refusal.rule == Rule::Malformed);
                assert_eq!(malformed, None, "{context}");
            }
        }
        verdict.name()
    };
    policies.iter().map(judge).collect()
}

fn check(register: &str, chain: &Chain) {
    for (name, policy) in policies() {
        let verdict = Inputs::new(&chain.certificates).unwrap().verdict(&policy);
        assert!(verdict.valid, "{name}: {verdict:?}");
    }
    let header = "certificate\tfield\tpolicy\tverdicts\n";
    let table = format!("{header}{}", compare(chain));
    let file = format!("{}/tests/{register}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&file, &table).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), table, "{file}");
}

#[test]
fn each_fault_in_a_chain_with_name_constraints_is_judged_as_by_a_complete_parse() {
    check("faults-rsa-constraints.tsv", &Chain::constrained(&RsaForm));
}

#[test]
fn each_fault_in_a_chain_with_policies_is_judged_as_by_a_complete_parse() {
    check("faults-ecdsa-policies.tsv", &Chain::with_policies(&EcdsaForm));
}
