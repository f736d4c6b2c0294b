//! The status of one certificate by all evidence: sources, OCSP responses, CRLs.

use tagwise_pkix::ext::{CrlDistributionPoints, NoRevAvail};

use super::{Desk, Query, Status, crls, ocsp};
use crate::budget::Limit;
use crate::verifier::Verifier;

/// Returns the revocation status of a certificate. Evidence that revokes it counts, whatever other evidence says.
pub(crate) fn check<V: Verifier + ?Sized>(query: &Query<'_>, desk: &mut Desk<'_, '_, V>) -> Result<Status, Limit> {
    let mut faults = Vec::new();
    let mut good = Vec::new();
    for source in &query.policy.sources {
        match source.0.status(query) {
            Status::Good { source } => good.push(source),
            Status::Unknown { why } => faults.push(why),
            revoked @ Status::Revoked { .. } => return Ok(revoked),
        }
    }
    for status in [ocsp::status(query, desk, &mut faults)?, crls::status(query, desk, &mut faults)?] {
        match status {
            Some(Status::Good { source }) => good.push(source),
            Some(Status::Unknown { why }) => faults.push(why),
            Some(revoked @ Status::Revoked { .. }) => return Ok(revoked),
            None => {}
        }
    }
    if !good.is_empty() {
        return Ok(Status::Good { source: good.join("; ") });
    }
    if without_revocation(query) {
        let source = "noRevAvail: its issuer offers no revocation information (RFC 9608 §4)".to_owned();
        return Ok(Status::Good { source });
    }
    if faults.is_empty() {
        faults.push("there is no evidence about it".to_owned());
    }
    let more = faults.len().saturating_sub(REPORTED);
    faults.truncate(REPORTED);
    if more > 0 {
        faults.push(format!("and {more} more"));
    }
    Ok(Status::Unknown { why: faults.join("; ") })
}

/// The number of faults that a status lists.
const REPORTED: usize = 8;

/// RFC 9608 §2: an end certificate whose issuer offers no revocation information. It has no distribution points then, and a
/// CA's certificate never is one.
fn without_revocation(query: &Query<'_>) -> bool {
    let Some(extensions) = query.certificate.tbs_certificate.extensions else { return false };
    !query.is_ca
        && matches!(extensions.get::<NoRevAvail>(), Ok(Some(_)))
        && matches!(extensions.get::<CrlDistributionPoints<'_>>(), Ok(None))
}
