//! Choices from a fuzz target's input, and invariants that hold for every outcome.

use crate::naive::generate::Choices;
use tagwise_path::{Budget, Limit, Outcome, Path, Policy, Report};

/// Choices made with the input's bytes. After the last byte, the last alternative is always chosen.
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        let len = if end <= 1 { 0 } else { 1 + usize::from(end > 0x100) };
        let Some((octets, rest)) = self.0.split_at_checked(len) else { return end - 1 };
        self.0 = rest;
        octets.iter().fold(0, |sum, octet| sum << 8 | usize::from(*octet)) % end
    }
}

impl<'a> Bytes<'a> {
    /// Returns up to `len` bytes.
    pub fn octets(&mut self, len: usize) -> &'a [u8] {
        let (octets, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        octets
    }
}

/// Creates a budget that many graphs exceed.
pub fn tight(choices: &mut Bytes<'_>) -> Budget {
    Budget {
        signatures: choices.below(20) as u64,
        paths: choices.below(6) as u64,
        name_comparisons: choices.below(200) as u64,
        policy_nodes: choices.below(60) as u64,
        constraint_comparisons: choices.below(20) as u64,
        path_length: choices.below(8) as u64,
        depth: choices.below(3) as u64,
        bytes: choices.below(8_000) as u64,
        reported: choices.below(5) as u64,
    }
}

/// Asserts that the budget was respected, or that the outcome reports an exceeded limit, and that the outcome can be
/// formatted.
pub fn hold(result: &Result<Path, Report>, policy: &Policy) {
    let (explanation, json) = match result {
        Ok(path) => (&path.explanation, path.to_json()),
        Err(report) => (report.explanation(), report.to_json()),
    };
    let (spent, budget) = (&explanation.spent, &policy.budget);
    assert!(explanation.candidates.len() as u64 <= budget.reported);
    for (limit, spent, most) in [
        (Limit::Signatures, spent.signatures, budget.signatures),
        (Limit::Paths, spent.paths, budget.paths),
        (Limit::NameComparisons, spent.name_comparisons, budget.name_comparisons),
        (Limit::PolicyNodes, spent.policy_nodes, budget.policy_nodes),
        (Limit::ConstraintComparisons, spent.constraint_comparisons, budget.constraint_comparisons),
        (Limit::Bytes, spent.bytes, budget.bytes),
    ] {
        let ended = match result {
            Err(report) if report.outcome() != Outcome::Refused => Some(report.outcome()),
            _ => None,
        };
        // Bytes are counted when they are read, and looked at before the next step: another limit may end it there.
        let holds = match ended {
            Some(outcome) if outcome == Outcome::Exhausted(limit) => spent > most,
            Some(_) if limit == Limit::Bytes => true,
            _ => spent <= most,
        };
        assert!(holds, "{limit}: {spent} of {most}, {ended:?}");
    }
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    match result {
        Ok(path) => {
            assert!(path.certificates.len() as u64 <= budget.path_length.max(1));
            assert!(!path.to_string().is_empty());
        }
        Err(report) => {
            assert!(report.refusal().is_some() || explanation.omitted > 0 || report.outcome() != Outcome::Refused);
            assert!(!report.to_string().is_empty());
        }
    }
}
