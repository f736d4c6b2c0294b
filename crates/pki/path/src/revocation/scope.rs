//! CRL scopes: distribution points, their names and reasons (RFC 5280 §4.2.1.13, §5.2.5, §6.3.3 (b) to (d)).

use tagwise_codec::{SeqOf, encode};
use tagwise_pkix::Name;
use tagwise_pkix::ext::{DistributionPoint, DistributionPointName, GeneralName, GeneralNames, ReasonFlags};

use super::Query;
use super::list::List;

/// A set of reasons, with the bit numbers of ReasonFlags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reasons(u64);

impl Reasons {
    pub(super) const NONE: Self = Self(0);
    /// All reasons (all-reasons in §6.3.3): bits 1 to 8. Bit 0 is unused.
    pub(super) const ALL: Self = Self(0b1_1111_1110);

    fn of(flags: Option<ReasonFlags<'_>>) -> Self {
        flags.map_or(Self::ALL, |flags| Self(flags.0.to_mask().unwrap_or_default() & Self::ALL.0))
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether this set contains reasons that `others` does not.
    pub(super) const fn adds_to(self, others: Self) -> bool {
        self.0 & !others.0 != 0
    }
}

/// A distribution point to match with CRLs: one from the certificate, or the implicit one (last paragraph of §6.3.3), which
/// represents all CRLs signed by the certificate's issuer.
pub(super) struct Point<'q> {
    /// The complete names of the distribution point.
    names: Option<Vec<Wanted<'q>>>,
    reasons: Reasons,
    issuer: Option<GeneralNames<'q>>,
    /// The comparison keys of the distinguished names that may issue the CRL.
    issuer_keys: Vec<Vec<u8>>,
}

/// A name of a distribution point.
enum Wanted<'q> {
    General(GeneralName<'q>),
    /// A distinguished name, by its comparison key.
    Directory(Vec<u8>),
}

impl<'q> Point<'q> {
    /// Converts a distribution point from the certificate.
    pub(super) fn new(point: &DistributionPoint<'q>, query: &Query<'q>) -> Self {
        let issuer_keys = match &point.crl_issuer {
            None => vec![query.issuer.match_key()],
            Some(names) => directory_names(names).map(|name| name.match_key()).collect(),
        };
        // §4.2.1.13: relative to the CRL's issuer, which is the certificate's unless cRLIssuer names another.
        let base = point.crl_issuer.as_ref().and_then(|names| directory_names(names).next()).unwrap_or(query.issuer);
        let names = point.distribution_point.as_ref().map(|name| full(name, &base));
        Self { names, reasons: Reasons::of(point.reasons), issuer: point.crl_issuer, issuer_keys }
    }

    /// Creates the implicit distribution point for CRLs that the certificate's distribution points do not name (RFC 5280
    /// §6.3.3). It has neither reasons nor a cRLIssuer, and its name is the certificate issuer's.
    pub(super) fn of_issuer(query: &Query<'q>) -> Self {
        let key = query.issuer.match_key();
        Self {
            names: Some(vec![Wanted::Directory(key.clone())]),
            reasons: Reasons::ALL,
            issuer: None,
            issuer_keys: vec![key],
        }
    }

    /// Returns whether the issuer of a CRL is the one that this distribution point names (§6.3.3 (b)(1)).
    pub(super) fn names_issuer_of(&self, crl: &List<'_>) -> bool {
        self.issuer_keys.contains(&crl.issuer_key)
    }

    /// Applies §6.3.3 (b) and (d). Returns the interim_reasons_mask, or `None` if the CRL does not cover the certificate for
    /// this distribution point.
    pub(super) fn covers(&self, crl: &List<'_>, is_ca: bool) -> Option<Reasons> {
        if !self.names_issuer_of(crl) {
            return None;
        }
        let Some(point) = &crl.point else {
            // cRLIssuer needs an indirect CRL, which has an issuing distribution point. (d)(2), (d)(4)
            return self.issuer.is_none().then_some(self.reasons);
        };
        if self.issuer.is_some() && !point.indirect_crl {
            return None;
        }
        // (b)(2)(i)
        if let Some(name) = &point.distribution_point {
            let own = full(name, &crl.list.tbs_cert_list.issuer);
            let is_same = match (&self.names, &self.issuer) {
                (Some(names), _) => own.iter().any(|own| names.iter().any(|name| own.is(name))),
                (None, Some(issuer)) => {
                    let names = issuer.iter().map_while(Result::ok).map(Wanted::new);
                    names.into_iter().any(|name| own.iter().any(|own| own.is(&name)))
                }
                (None, None) => false,
            };
            if !is_same {
                return None;
            }
        }
        // (b)(2)(ii) to (iv)
        let is_out = point.only_contains_user_certs && is_ca
            || point.only_contains_ca_certs && !is_ca
            || point.only_contains_attribute_certs;
        // (d)
        (!is_out).then(|| Reasons::of(point.only_some_reasons).and(self.reasons))
    }
}

/// Iterates over the distinguished names in a list of general names.
fn directory_names<'q>(names: &GeneralNames<'q>) -> impl Iterator<Item = Name<'q>> + use<'q> {
    names.iter().map_while(Result::ok).filter_map(|name| match name {
        GeneralName::DirectoryName(name) => Some(name),
        _ => None,
    })
}

/// Returns the complete names of a distribution point. A relative name is appended to the CRL issuer's name.
fn full<'q>(name: &DistributionPointName<'q>, issuer: &Name<'_>) -> Vec<Wanted<'q>> {
    match name {
        DistributionPointName::FullName(names) => names.iter().map_while(Result::ok).map(Wanted::new).collect(),
        DistributionPointName::NameRelativeToCrlIssuer(rdn) => {
            let mut content = issuer.0.content().map(<[u8]>::to_vec).unwrap_or_default();
            let Ok(mut last) = encode(rdn) else { return Vec::new() };
            content.append(&mut last);
            vec![Wanted::Directory(Name(SeqOf::deferred(&content, 0)).match_key())]
        }
    }
}

impl<'q> Wanted<'q> {
    fn new(name: GeneralName<'q>) -> Self {
        match name {
            GeneralName::DirectoryName(name) => Self::Directory(name.match_key()),
            other => Self::General(other),
        }
    }

    /// Compares two names: distinguished names as in §7.1, URIs as in §7.4, and others byte by byte.
    fn is(&self, other: &Wanted<'_>) -> bool {
        match (self, other) {
            (Self::Directory(own), Wanted::Directory(other)) => own == other,
            (
                Self::General(GeneralName::UniformResourceIdentifier(own)),
                Wanted::General(GeneralName::UniformResourceIdentifier(other)),
            ) => same_uri(own.as_bytes(), other.as_bytes()),
            (Self::General(own), Wanted::General(other)) => {
                let octets = (encode(own), encode(other));
                matches!(octets, (Ok(own), Ok(other)) if own == other)
            }
            _ => false,
        }
    }
}

/// Compares URIs as in §7.4: scheme and host case-insensitively, and the rest byte by byte.
fn same_uri(one: &[u8], other: &[u8]) -> bool {
    let path = |uri: &[u8]| {
        let scheme = uri.windows(3).position(|window| window == b"://").map_or(0, |at| at + 3);
        let rest = uri.get(scheme..).unwrap_or_default();
        scheme + rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len())
    };
    let (Some((head, tail)), Some((other_head, other_tail))) =
        (one.split_at_checked(path(one)), other.split_at_checked(path(other)))
    else {
        return false;
    };
    head.eq_ignore_ascii_case(other_head) && tail == other_tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        assert!(same_uri(b"HTTP://CRL.example/a", b"http://crl.EXAMPLE/a"));
        assert!(!same_uri(b"http://crl.example/a", b"http://crl.example/A"));
        assert!(same_uri(b"ldap://Host", b"ldap://host") && !same_uri(b"http://a/", b"http://a"));
    }

    #[test]
    fn reasons() {
        let some = Reasons(0b110);
        assert!(Reasons::ALL.adds_to(some) && !some.adds_to(Reasons::ALL) && !some.adds_to(some));
        assert_eq!((some.or(Reasons::ALL), some.and(Reasons::NONE)), (Reasons::ALL, Reasons::NONE));
        assert_eq!(Reasons::of(None), Reasons::ALL);
    }
}
