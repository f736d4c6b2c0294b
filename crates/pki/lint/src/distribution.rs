//! Distribution points in certificates (RFC 5280 §4.2.1.13, §4.2.1.15) and CRLs (§5.2.5, §5.2.6).

use super::attributes;
use super::list;
use super::sink::Sink;
use super::syntax::Uri;
use super::walk::{Element, each};
use tagwise_x509::ext::{CrlDistributionPoints, DistributionPoint, DistributionPointName, GeneralName, ReasonFlags};
use tagwise_x509::name::Name;

/// The identifier byte of `distributionPoint` and similar components.
pub(super) const DISTRIBUTION_POINT: u8 = 0xA0;
const REASONS: u8 = 0x81;
const CRL_ISSUER: u8 = 0xA2;

/// The location of distribution points.
#[derive(Clone, Copy)]
pub(super) enum PointContext<'a> {
    /// The cRLDistributionPoints of a certificate with this issuer.
    Certificate(Name<'a>),
    /// The freshestCRL of a certificate with this issuer.
    Freshest(Name<'a>),
    /// The freshestCRL of a CRL.
    Crl,
}

/// Bits 1 to 8: all reasons.
const EVERY_REASON: u64 = 0b1_1111_1110;

/// Checks each distribution point. `whole` is the extension value that contains them.
#[inline]
pub(super) fn check<'a>(
    sink: &mut Sink,
    points: &CrlDistributionPoints<'a>,
    place: PointContext<'a>,
    whole: Element<'a>,
) {
    let mut complete = false;
    each(sink, points.0.content(), points.0.offset(), |sink, point: DistributionPoint<'a>, item| {
        complete |= point.reasons.is_none_or(|reasons| covers_all(&reasons));
        if point.reasons.is_some_and(|reasons| has_undefined(&reasons)) {
            sink.find_at(&list::POINT_REASONS_UNDEFINED, || item.component(REASONS));
        }
        if point.distribution_point.is_none() && point.crl_issuer.is_none() {
            sink.find(&list::POINT_WITHOUT_NAME, item.offset);
        }
        if let PointContext::Crl = place {
            if point.reasons.is_some() {
                sink.find_at(&list::FRESHEST_ONLY_POINT, || item.component(REASONS));
            }
            if point.crl_issuer.is_some() {
                sink.find_at(&list::FRESHEST_ONLY_POINT, || item.component(CRL_ISSUER));
            }
        }
        let mut directory_names = 0;
        if let (Some(issuers), PointContext::Certificate(issuer) | PointContext::Freshest(issuer)) =
            (point.crl_issuer, place)
        {
            each(sink, issuers.0.content(), issuers.0.offset(), |sink, name: GeneralName<'a>, item| match name {
                GeneralName::DirectoryName(name) => {
                    directory_names += 1;
                    if name.0.content() == issuer.0.content() {
                        sink.find(&list::POINT_NAMES_ISSUER, item.offset);
                    }
                }
                _ => sink.find(&list::CRL_ISSUER_FORM, item.offset),
            });
        }
        if let Some(name) = &point.distribution_point {
            let is_certificate = !matches!(place, PointContext::Crl);
            if directory_names > 1 && matches!(name, DistributionPointName::NameRelativeToCrlIssuer(_)) {
                sink.find_at(&list::RELATIVE_TO_SEVERAL, || item.component(DISTRIBUTION_POINT));
            }
            point_name(sink, name, item, is_certificate);
        }
    });
    if let (PointContext::Certificate(_), false) = (place, complete) {
        sink.find(&list::NO_POINT_FOR_ALL_REASONS, whole.offset);
    }
}

/// Returns whether bits are set that `ReasonFlags` does not define.
pub(super) fn has_undefined(reasons: &ReasonFlags<'_>) -> bool {
    reasons.0.to_mask().is_none_or(|mask| mask & !(EVERY_REASON | 1) != 0)
}

fn covers_all(reasons: &ReasonFlags<'_>) -> bool {
    reasons.0.to_mask().is_some_and(|mask| mask & EVERY_REASON == EVERY_REASON)
}

/// Checks the name of a distribution point. `point` is the structure that contains the name. `of_certificate` is true in a
/// certificate, and false in a CRL.
pub(super) fn point_name(sink: &mut Sink, name: &DistributionPointName<'_>, point: Element<'_>, of_certificate: bool) {
    match name {
        DistributionPointName::NameRelativeToCrlIssuer(rdn) => {
            sink.find_at(&list::RELATIVE_NAME, || point.component(DISTRIBUTION_POINT));
            let in_certificate = &list::ISSUER_STRING_TYPE;
            let string_type = if of_certificate { in_certificate } else { &list::CRL_ISSUER_STRING_TYPE };
            attributes::attributes(sink, rdn, string_type, &mut None);
        }
        DistributionPointName::FullName(names) => {
            let mut reachable = false;
            each(sink, names.0.content(), names.0.offset(), |sink, name: GeneralName<'_>, item| {
                if let GeneralName::UniformResourceIdentifier(uri) = name
                    && let Some(uri) = Uri::parse(uri.as_bytes())
                {
                    let is_ldap = uri.is(b"ldap");
                    reachable |= is_ldap || uri.is(b"http") || uri.is(b"https");
                    let (dn, attributes) = uri.ldap();
                    if is_ldap && (dn.is_empty() || attributes.is_empty() || attributes.contains(&b',')) {
                        sink.find(&list::POINT_LDAP_URI, item.offset);
                    }
                }
            });
            if of_certificate && !reachable {
                sink.find_at(&list::POINT_WITHOUT_URI, || point.component(DISTRIBUTION_POINT));
            }
        }
    }
}
