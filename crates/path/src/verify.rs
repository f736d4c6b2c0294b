//! The front door: one function.

use crate::anchors::Anchors;
use crate::budget::Meter;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool::{self, Pool};
use crate::report::Report;
use crate::search::Engine;
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
    let leaf = match pool::read(leaf) {
        Ok(leaf) => leaf,
        Err(error) => return Err(Report::unreadable(policy, &error)),
    };
    Engine::new(&leaf, pool, anchors, policy, verifier, Meter::new(policy.budget)).run().0
}
