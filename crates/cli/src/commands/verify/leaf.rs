//! The end certificates of a file: those that issued none of the others.

use tagwise_codec::{Options, RuleSet};
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::BasicConstraints;

use crate::shared::output::Failure;
use crate::shared::trust::Place;

/// The facts that tell end certificates from the others.
struct Facts {
    subject: Vec<u8>,
    issuer: Vec<u8>,
    is_ca: bool,
}

fn facts(der: &[u8]) -> Option<Facts> {
    let read = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(der).ok()?;
    let tbs = read.value.tbs_certificate;
    let constraints = tbs.extensions.and_then(|extensions| extensions.get::<BasicConstraints<'_>>().ok().flatten());
    Some(Facts {
        subject: tbs.subject.match_key(),
        issuer: tbs.issuer.match_key(),
        is_ca: constraints.is_some_and(|constraints| constraints.ca),
    })
}

/// Splits the certificates of a file into those to verify and the others.
///
/// A certificate by itself is verified whatever it is. Among several, each is verified that is no CA's; if all are CAs', the one
/// that issued none of the others.
///
/// # Errors
/// If all are CAs', and not exactly one of them issued none of the others.
pub(super) fn split(name: &str, mut found: Vec<Place>) -> Result<(Vec<Place>, Vec<Place>), Failure> {
    // Some bundles hold a certificate more than once.
    let mut seen = std::collections::HashSet::new();
    found.retain(|place| seen.insert(place.der.clone()));
    if found.len() == 1 {
        return Ok((found, Vec::new()));
    }
    let facts: Vec<Option<Facts>> = found.iter().map(|place| facts(&place.der)).collect();
    let issuers: std::collections::HashSet<&[u8]> = facts
        .iter()
        .flatten()
        .filter(|facts| facts.subject != facts.issuer)
        .map(|facts| facts.issuer.as_slice())
        .collect();
    // One that cannot be read is an end certificate: verifying it says what is wrong.
    let is_end = |facts: &Option<Facts>| {
        facts.as_ref().is_none_or(|facts| !facts.is_ca && !issuers.contains(facts.subject.as_slice()))
    };
    let mut ends: Vec<bool> = facts.iter().map(is_end).collect();
    if !ends.contains(&true) {
        let issued_none =
            |facts: &Option<Facts>| facts.as_ref().is_some_and(|facts| !issuers.contains(facts.subject.as_slice()));
        ends = facts.iter().map(issued_none).collect();
        if ends.iter().filter(|end| **end).count() != 1 {
            let count = found.len();
            return Err(Failure::Said(
                3,
                format!(
                    "{name}: no end certificate: all {count} certificates are of CAs, and not one of them is below all others; \
                     give the one to verify a file of its own, and the others by --untrusted"
                ),
            ));
        }
    }
    let mut leaves = Vec::new();
    let mut others = Vec::new();
    for (place, is_end) in found.into_iter().zip(ends) {
        if is_end { leaves.push(place) } else { others.push(place) }
    }
    Ok((leaves, others))
}
