//! The rule for removing revocations from CRLs, shared by all databases.

/// The condition, in SQL, under which the next CRL lists the revocation `r` of the certificate `c`. Its parameters are the highest
/// number of a revocation when the last CRL was made, the moment of that CRL, and the moment of the next one.
///
/// RFC 5280 §3.3: an entry stays until it has been on a CRL that was made after the certificate's validity. So it leaves only if it
/// was there when the last CRL was made (its own number says so, not a date), and if the certificate had expired by then **and** has
/// expired now. Either time alone may come from a wrong clock: after a clock that was ahead, the last CRL proves nothing about a
/// future expiry.
pub(super) fn is_listed(last_revocation: &str, last_update: &str, this_update: &str) -> String {
    format!("(r.id > {last_revocation} OR c.not_after >= {last_update} OR c.not_after >= {this_update})")
}
