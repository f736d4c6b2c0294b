//! Conditions on single CRLs, and on CRLs of one series: those of one issuer and scope.

use super::Query;
use super::list::List;
use crate::policy::Policy;
use crate::rules::Rule;

/// Checks the requirements of RFC 5280 §5.2.3 on issuers, if the policy selects the lint. They apply to a CRL that does not list
/// the certificate, but not to one that revokes it.
pub(super) fn conforms(list: &List<'_>, policy: &Policy) -> Result<(), String> {
    // §5: "Conforming applications … MUST process version 1 … complete CRLs", which have no extensions.
    if !policy.rules.has(Rule::Conformance) || list.list.tbs_cert_list.version.is_none() {
        return Ok(());
    }
    let broken =
        [("rfc5280.5.2.3.no_crl_number", list.number.is_none()), ("rfc5280.5.2.3.critical", list.is_number_critical)];
    for (id, is_broken) in broken {
        if let Some(lint) = tagwise_pkix::lint::by_id(id).filter(|lint| is_broken && policy.lints.has(lint)) {
            return Err(format!("{} [{}] ({})", lint.title, lint.id, lint.clause));
        }
    }
    Ok(())
}

/// Applies (a): checks that the time lies between thisUpdate and nextUpdate. RFC 5280 §5.1.2.5 requires every CRL to have a
/// nextUpdate.
pub(super) fn is_current(query: &Query<'_>, list: &List<'_>) -> Result<(), String> {
    let tolerance = query.policy.tolerance;
    if list.this_update() > query.evidence_time.saturating_add(tolerance) {
        return Err(format!("its thisUpdate {} is in the future", list.this_update()));
    }
    match list.next_update() {
        // RFC 5280 §5.1.2.5: "Conforming CRL issuers MUST include the nextUpdate field in all CRLs."
        None => match query.policy.crl_max_age {
            None => Err("it has no nextUpdate, so its lifetime is unknown (RFC 5280 §5.1.2.5)".to_owned()),
            Some(age) if query.evidence_time > list.this_update().saturating_add(age).saturating_add(tolerance) => {
                Err(format!(
                    "it has no nextUpdate, and its thisUpdate {} is more than {} s ago (RFC 5280 §5.1.2.5)",
                    list.this_update(),
                    age.as_secs()
                ))
            }
            Some(_) => Ok(()),
        },
        Some(next) if query.evidence_time > next.saturating_add(tolerance) => {
            Err(format!("its nextUpdate {next} has passed; the time is {}", query.evidence_time))
        }
        Some(_) => Ok(()),
    }
}

/// Applies (c) and the conditions of §5.2.4: returns whether a delta CRL updates a complete CRL.
pub(super) fn updates(delta: &List<'_>, complete: &List<'_>) -> bool {
    let (Some(base), Some(number), Some(of_complete)) = (delta.base, delta.number, complete.number) else {
        return false;
    };
    is_alike(delta, complete) && of_complete >= base && of_complete < number
}

/// Applies (c)(1) to (3): returns whether two CRLs have the same issuer, scope and key.
pub(super) fn is_alike(one: &List<'_>, other: &List<'_>) -> bool {
    is_same_series(one, other) && one.authority == other.authority
}

/// Returns whether two CRLs have the same issuer and scope.
pub(super) fn is_same_series(one: &List<'_>, other: &List<'_>) -> bool {
    one.issuer_key == other.issuer_key && one.scope == other.scope
}
