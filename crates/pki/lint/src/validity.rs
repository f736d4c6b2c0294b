//! The maximum validity of publicly trusted TLS server certificates (CA/Browser Forum BR §6.3.2).

use core::time::Duration;

use tagwise_codec::Oid;
use tagwise_x509::cert::TbsCertificate;
use tagwise_x509::ext::{BasicConstraints, CertificatePolicies, ExtKeyUsage};
use tagwise_x509::oids;
use tagwise_x509::time::{UnixTime, Validity};

/// The maximum validity in days, from a date of issue, latest first. The first row is for certificates that may still be valid: earlier
/// versions counted months, or did not say that both ends count.
const LIMITS: [(UnixTime, u32); 4] = [
    // 2029-03-15, 2027-03-15, 2026-03-15, 2020-09-01
    (UnixTime(1_868_227_200), 47),
    (UnixTime(1_805_068_800), 100),
    (UnixTime(1_773_532_800), 200),
    (UnixTime(1_598_918_400), 398),
];

/// The policies of TLS server certificates (BR §7.1.6.1). One of them states compliance with the requirements.
const POLICIES: [Oid<'static>; 4] = [
    oids::CABF_EV_GUIDELINES,
    oids::CABF_DOMAIN_VALIDATED,
    oids::CABF_ORGANIZATION_VALIDATED,
    oids::CABF_INDIVIDUAL_VALIDATED,
];

/// Returns whether a validity period is longer than the limit at its start, which is taken as the date of issue.
#[must_use]
pub fn exceeds_server_limit(validity: &Validity<'_>) -> bool {
    let issued = validity.not_before.unix();
    let limit = LIMITS.iter().find(|(from, _)| *from <= issued);
    limit.is_some_and(|(_, days)| validity.length() > Duration::from_secs(86_400) * *days)
}

/// Returns whether the limit applies: to an end-entity certificate for TLS servers with a policy of the CA/Browser Forum. Certificates of
/// private CAs have no limit. Malformed extensions are findings of their own.
#[must_use]
pub fn has_server_limit(tbs: &TbsCertificate<'_>) -> bool {
    let Some(list) = &tbs.extensions else { return false };
    let policies = list.get::<CertificatePolicies<'_>>().ok().flatten();
    let mut policies = policies.iter().flat_map(|list| list.0.iter()).filter_map(Result::ok);
    let purposes = list.get::<ExtKeyUsage<'_>>().ok().flatten();
    let mut purposes = purposes.iter().flat_map(|list| list.0.iter()).filter_map(Result::ok);
    let is_ca = || list.get::<BasicConstraints<'_>>().ok().flatten().is_some_and(|basic| basic.ca);
    policies.any(|policy| POLICIES.contains(&policy.policy_identifier))
        && purposes.any(|purpose| purpose == oids::KP_SERVER_AUTH)
        && !is_ca()
}

#[cfg(test)]
mod tests {
    use tagwise_x509::time::Time;

    use super::*;

    /// The longest allowed period for a certificate issued at a date, and one second more.
    #[test]
    fn the_limit_depends_on_the_date_of_issue() {
        for (date, days) in [
            ((2020, 9, 1), 398),
            ((2026, 3, 14), 398),
            ((2026, 3, 15), 200),
            ((2027, 3, 14), 200),
            ((2027, 3, 15), 100),
            ((2029, 3, 14), 100),
            ((2029, 3, 15), 47),
        ] {
            let (year, month, day) = date;
            let from = tagwise_codec::CivilTime::new(year, month, day, 0, 0, 0).unwrap().unix();
            let validity = |seconds: u64| Validity {
                not_before: Time::from_unix(from).unwrap(),
                not_after: Time::from_unix(from.saturating_add(Duration::from_secs(seconds))).unwrap(),
            };
            assert!(!exceeds_server_limit(&validity(days * 86_400 - 1)), "{date:?}");
            assert!(exceeds_server_limit(&validity(days * 86_400)), "{date:?}");
        }
        let before = Validity {
            not_before: Time::from_unix(UnixTime(1_598_918_399)).unwrap(),
            not_after: Time::from_unix(UnixTime(1_698_918_399)).unwrap(),
        };
        assert!(!exceeds_server_limit(&before));
    }
}
