//! The rule for removing revocations from CRLs, shared by all databases.

/// Returns the SQL condition under which the next CRL lists revocation `r` of certificate `c`. Its parameters are the
/// highest revocation number at the time of the last CRL, the time of that CRL, and the time of the next one.
///
/// RFC 5280 §3.3: an entry stays until it has been on a CRL issued after the certificate expired. An entry is therefore
/// removed only if it was on the last CRL (according to its number, not its date), and if the certificate had expired by
/// then **and** has expired now. One of the two times may come from a wrong clock: if the clock was ahead, the last CRL
/// proves nothing about a future expiry.
pub(super) fn is_listed(last_revocation: &str, last_update: &str, this_update: &str) -> String {
    format!("(r.id > {last_revocation} OR c.not_after >= {last_update} OR c.not_after >= {this_update})")
}
