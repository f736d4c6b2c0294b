//! Compares revocation and expiry dates with a query's times.

use tagwise_pkix::ext::{CrlReason, InvalidityDate};
use tagwise_pkix::{Extensions, UnixTime};

use super::Query;

/// A revocation as stated by a CRL or OCSP response.
#[derive(Clone, Copy)]
pub(super) struct Revoked {
    /// revocationDate.
    pub(super) since: UnixTime,
    pub(super) reason: Option<CrlReason>,
    /// The invalidityDate (RFC 5280 §5.3.2) if it is earlier than the revocation, or the earliest possible time if it is
    /// unreadable.
    pub(super) invalid_since: UnixTime,
}

impl Revoked {
    /// Creates a revocation from its date and reason, and the extensions, which may include an invalidityDate.
    pub(super) fn new(since: UnixTime, reason: Option<CrlReason>, extensions: Option<&Extensions<'_>>) -> Self {
        let date = extensions.map(|extensions| extensions.get::<InvalidityDate<'_>>()).transpose();
        let invalid_since = match date.map(Option::flatten) {
            Ok(None) => since,
            Ok(Some(date)) => date.0.0.unix().min(since),
            Err(_) => UnixTime::MIN,
        };
        Self { since, reason, invalid_since }
    }
}

impl Revoked {
    /// Returns whether the certificate is only on hold, which may end (RFC 5280 §5.3.1).
    pub(super) fn is_hold(&self) -> bool {
        self.reason == Some(CrlReason::CertificateHold)
    }

    /// Returns whether the stated reason does not cast doubt on earlier signatures (RFC 3161 §4). A missing reason does.
    fn is_harmless(&self) -> bool {
        matches!(
            self.reason,
            Some(
                CrlReason::Unspecified
                    | CrlReason::AffiliationChanged
                    | CrlReason::Superseded
                    | CrlReason::CessationOfOperation
            )
        )
    }
}

impl Query<'_> {
    /// Returns whether a revocation in a CRL or OCSP response from after the evidence time may also concern that time: it is
    /// dated up to that time, or its reason is not harmless. A key may have been compromised long before its revocation.
    pub(super) fn reaches_back(&self, revoked: &Revoked) -> bool {
        revoked.invalid_since <= self.evidence_time || !revoked.is_harmless()
    }

    /// Returns whether a revocation counts. It does not if the certificate is proven to have been used before it, and its reason
    /// is harmless.
    ///
    /// RFC 3161 §4 states this rule for time-stamping authorities. Here it is applied to any proven time, not only to that of a
    /// time stamp.
    pub(super) fn counts(&self, revoked: &Revoked) -> bool {
        let Some(proven) = self.policy.proven_at else { return true };
        !revoked.is_harmless() || revoked.invalid_since <= proven
    }

    /// Describes a revocation that is later than the proven time.
    pub(super) fn too_late(&self, revoked: &Revoked) -> String {
        let reason = revoked.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let proven = self.policy.proven_at.unwrap_or(self.time);
        format!("revoked on {}{reason}, after the proven time {proven}", revoked.since)
    }

    /// Checks that a CRL or OCSP response with this thisUpdate can prove that the certificate is not revoked. Either the
    /// certificate had not expired by then, or the CRL lists certificates that expired after a given date. RFC 5280 §3.3 allows
    /// removing an entry once "it appears on one regularly scheduled CRL issued beyond the revoked certificate's validity
    /// period". In RFC 6960 §2.2, "good" is about certificates "currently within [their] validity interval".
    ///
    /// # Errors
    /// Returns the reason if it cannot.
    pub(super) fn not_dropped(&self, this_update: UnixTime, kept_since: Option<UnixTime>) -> Result<(), String> {
        let expired = self.certificate.tbs_certificate.validity.not_after.unix();
        if this_update <= expired || kept_since.is_some_and(|since| since <= expired) {
            return Ok(());
        }
        Err(format!(
            "the certificate expired on {expired}, before the evidence, which may omit expired certificates (RFC 5280 §3.3)"
        ))
    }
}
