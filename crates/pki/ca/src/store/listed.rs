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

/// Returns the SQL condition under which an indirect CRL lists revocation `r` of certificate `c`: as [`is_listed`], but with the
/// date of a revocation instead of its number, because the entries can come from several databases. The first two parameters are
/// the time of the last indirect CRL.
pub(super) fn is_current(revoked_since: &str, last_update: &str, this_update: &str) -> String {
    format!("(r.revoked >= {revoked_since} OR c.not_after >= {last_update} OR c.not_after >= {this_update})")
}

/// The SQL query for the changes since a complete CRL, which a delta CRL lists (RFC 5280 §5.2.4): new revocations, and certificates
/// released from hold, with the reason removeFromCRL. A hold that began after the complete CRL is included, because an earlier delta CRL
/// may have listed it. Columns: serial number, date, reason, invalidity date. Parameters: the CA, the
/// highest revocation number at the time of the complete CRL, and the time of that CRL.
///
/// An entry released in the same second as that CRL may be listed although it is not in the CRL. This has no effect.
///
/// `+c.authority` keeps SQLite from beginning with all certificates of the CA, here and below.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
macro_rules! changed {
    ($ca:literal, $revocation:literal, $update:literal) => {
        concat!(
            "SELECT c.serial, r.revoked, r.reason, r.invalid_since FROM revocation r JOIN certificate c ON c.id = r.certificate \
             WHERE r.lifted IS NULL AND +c.authority = ",
            $ca,
            " AND r.id > ",
            $revocation,
            " UNION ALL SELECT c.serial, max(r.lifted), CAST(8 AS SMALLINT), NULL FROM revocation r JOIN certificate c ON c.id = r.certificate \
             WHERE r.lifted IS NOT NULL AND (r.lifted >= ",
            $update,
            " OR r.id > ",
            $revocation,
            ") AND +c.authority = ",
            $ca,
            " AND NOT EXISTS (SELECT 1 FROM revocation n WHERE n.certificate = c.id AND n.lifted IS NULL) GROUP BY c.serial"
        )
    };
}

/// The SQL query for a page of the certificates whose key is compromised, after a row number. Columns: row number, serial number,
/// certificate. Parameters: the CA and the row number. The condition is that of the index `revocation_compromised`.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
macro_rules! compromised {
    ($ca:literal, $behind:literal) => {
        concat!(
            "SELECT c.id, c.serial, c.der FROM revocation r JOIN certificate c ON c.id = r.certificate \
             WHERE r.reason IN (1, 2) AND r.lifted IS NULL AND r.certificate > ",
            $behind,
            " AND +c.authority = ",
            $ca,
            " AND length(c.der) > 0 ORDER BY r.certificate LIMIT 256"
        )
    };
}

#[cfg(feature = "sqlite")]
pub(super) const COMPROMISED_SQLITE: &str = compromised!("?1", "?2");
#[cfg(feature = "postgres")]
pub(super) const COMPROMISED_POSTGRES: &str = compromised!("$1", "$2");

#[cfg(feature = "sqlite")]
pub(super) const CHANGED_SQLITE: &str = changed!("?1", "?2", "?3");
#[cfg(feature = "postgres")]
pub(super) const CHANGED_POSTGRES: &str = changed!("$1", "$2", "$3");
