//! Determines a certificate's status from all revocation evidence: sources, OCSP responses and CRLs.

use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{CrlDistributionPoints, NoRevAvail};

use super::account::{EvidenceKind, EvidenceUse, Findings};
use super::{Desk, Query, Status, crls, ocsp};
use crate::budget::Limit;
use crate::verifier::Verifier;

/// The result of checking a certificate's revocation.
pub(crate) struct Checked {
    pub(crate) status: Status,
    /// True if an unusable CRL or OCSP response that may be authentic reports the certificate as revoked. Its status is then
    /// unknown, regardless of the others, and the path is rejected.
    pub(crate) in_doubt: bool,
}

/// Returns the revocation status of a certificate. A revocation takes precedence over any statement that it is good.
pub(crate) fn check<V: Verifier + ?Sized>(query: &Query<'_>, desk: &mut Desk<'_, '_, V>) -> Result<Checked, Limit> {
    let mut findings = Findings::default();
    // With thisUpdate, where there is one.
    let mut good: Vec<(Option<UnixTime>, String)> = Vec::new();
    for (number, source) in query.policy.sources.iter().enumerate() {
        let status = source.0.status(query);
        // Within the path of a signer there may be sources of the engine's own.
        if desk.engine.depth == 0 {
            let outcome = match &status {
                Status::Good { .. } | Status::Revoked { .. } => EvidenceUse::Used,
                Status::Unknown { why } => EvidenceUse::NotApplicable { why: why.clone() },
            };
            desk.engine.accounts.note(EvidenceKind::Source, number, outcome);
        }
        match status {
            Status::Good { source } => good.push((None, source)),
            Status::Unknown { why } => findings.faults.push(why),
            revoked @ Status::Revoked { .. } => return Ok(Checked { status: revoked, in_doubt: false }),
        }
    }
    for is_ocsp in [true, false] {
        let found = match is_ocsp {
            true => ocsp::status(query, desk, &mut findings)?,
            false => crls::status(query, desk, &mut findings)?,
        };
        match found {
            Some((time, Status::Good { source })) => good.push((Some(time), source)),
            Some((_, Status::Unknown { why })) => findings.faults.push(why),
            Some((_, revoked @ Status::Revoked { .. })) => return Ok(Checked { status: revoked, in_doubt: false }),
            None => {}
        }
    }
    // §5.3.1: a hold can end, as newer evidence then shows.
    let newest = good.iter().filter_map(|(time, _)| *time).max();
    findings.doubts.retain(|doubt| !doubt.may_be_lifted || newest.is_none_or(|newest| newest <= doubt.time));
    if !findings.doubts.is_empty() {
        let why = joined(findings.doubts.into_iter().map(|doubt| doubt.why).collect());
        return Ok(Checked { status: Status::Unknown { why }, in_doubt: true });
    }
    let status = if !good.is_empty() {
        let sources: Vec<String> = good.into_iter().map(|(_, source)| source).collect();
        Status::Good { source: sources.join("; ") }
    } else if without_revocation(query) {
        Status::Good { source: "noRevAvail: its issuer provides no revocation information (RFC 9608 §4)".to_owned() }
    } else {
        if findings.faults.is_empty() {
            findings.faults.push("no supplied CRL or OCSP response covers the certificate".to_owned());
        }
        Status::Unknown { why: joined(findings.faults) }
    };
    Ok(Checked { status, in_doubt: false })
}

/// The maximum number of reasons that a status lists.
const REPORTED: usize = 8;

fn joined(mut reasons: Vec<String>) -> String {
    let more = reasons.len().saturating_sub(REPORTED);
    reasons.truncate(REPORTED);
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    reasons.join("; ")
}

/// Applies RFC 9608 §2: returns whether an end-entity certificate's issuer provides no revocation information. The certificate then
/// has no CRL distribution points. CA certificates are never exempt.
fn without_revocation(query: &Query<'_>) -> bool {
    let Some(extensions) = query.certificate.tbs_certificate.extensions else { return false };
    !query.is_ca
        && matches!(extensions.get::<NoRevAvail>(), Ok(Some(_)))
        && matches!(extensions.get::<CrlDistributionPoints<'_>>(), Ok(None))
}
