//! The end-entity certificates in a file.

use std::collections::HashSet;

use tagwise_codec::{Options, RuleSet};
use tagwise_pkix::ext::BasicConstraints;
use tagwise_pkix::{Certificate, Version};

use crate::shared::output::Failure;
use crate::shared::trust::CertificateSource;

/// The properties that distinguish end-entity certificates from the others.
struct Facts {
    subject: Vec<u8>,
    issuer: Vec<u8>,
    is_ca: bool,
}

fn facts(der: &[u8]) -> Option<Facts> {
    let read = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(der).ok()?;
    let tbs = read.value.tbs_certificate;
    let constraints = tbs.extensions.and_then(|extensions| extensions.get::<BasicConstraints<'_>>().ok().flatten());
    let (subject, issuer) = (tbs.subject.match_key(), tbs.issuer.match_key());
    // Roots of before version 3 have no extension to say that they are CAs.
    let is_old_root = tbs.version != Version::V3 && subject == issuer;
    Some(Facts { subject, issuer, is_ca: is_old_root || constraints.is_some_and(|constraints| constraints.ca) })
}

/// Returns the certificates in a file that are to be verified. The others may be part of their paths.
///
/// A single certificate is always verified. Of several certificates, all end-entity certificates are verified. If all are
/// CA certificates, the one that issued none of the others is verified.
///
/// # Errors
/// Returns an error if all are CA certificates, unless exactly one of them issued none of the others.
pub(crate) fn ends(name: &str, found: &[CertificateSource]) -> Result<Vec<CertificateSource>, Failure> {
    // Some bundles hold a certificate more than once.
    let mut seen = HashSet::new();
    let found: Vec<&CertificateSource> = found.iter().filter(|place| seen.insert(place.der.as_slice())).collect();
    if let [one] = *found {
        return Ok(vec![one.clone()]);
    }
    let facts: Vec<Option<Facts>> = found.iter().map(|place| facts(&place.der)).collect();
    // An unreadable one counts as an end-entity certificate: verifying it reports the error.
    let mut ends: Vec<bool> = facts.iter().map(|facts| facts.as_ref().is_none_or(|facts| !facts.is_ca)).collect();
    if !ends.contains(&true) {
        let issued = facts.iter().flatten().filter(|facts| facts.subject != facts.issuer);
        let issuers: HashSet<&[u8]> = issued.map(|facts| facts.issuer.as_slice()).collect();
        let issued_none =
            |facts: &Option<Facts>| facts.as_ref().is_some_and(|facts| !issuers.contains(facts.subject.as_slice()));
        ends = facts.iter().map(issued_none).collect();
        if ends.iter().filter(|end| **end).count() != 1 {
            let count = found.len();
            return Err(Failure::Said(
                3,
                format!(
                    "{name}: no end-entity certificate: all {count} certificates are CA certificates, and none of them is below all others; put the one to verify in a separate file, and pass the others with --untrusted"
                ),
            ));
        }
    }
    Ok(found.into_iter().zip(ends).filter(|(_, is_end)| *is_end).map(|(place, _)| place.clone()).collect())
}
