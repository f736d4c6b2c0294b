//! Authority and subject information access (RFC 5280 §4.2.2, §5.2.7): the syntax of the locations.

use tagwise_codec::SeqOf;

use super::list::{self, Lint};
use super::sink::Sink;
use super::syntax::Uri;
use super::walk::{Element, each};
use tagwise_x509::ext::{AccessDescription, GeneralName};
use tagwise_x509::oids;

/// The extension to check, and where it occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Authority,
    Subject,
    /// Authority information access in a CRL.
    Crl,
}

impl Which {
    const fn ldap_uri(self) -> &'static Lint {
        match self {
            Self::Authority => &list::AUTHORITY_ACCESS_LDAP_URI,
            Self::Subject => &list::SUBJECT_ACCESS_LDAP_URI,
            Self::Crl => &list::CRL_ACCESS_LDAP_URI,
        }
    }

    const fn without_uri(self) -> &'static Lint {
        match self {
            Self::Authority => &list::AUTHORITY_ACCESS_WITHOUT_URI,
            Self::Subject => &list::SUBJECT_ACCESS_WITHOUT_URI,
            Self::Crl => &list::CRL_ACCESS_WITHOUT_URI,
        }
    }
}

/// Checks each access description. `whole` is the extension value that contains them.
#[inline]
pub(super) fn check(sink: &mut Sink, access: &SeqOf<'_, AccessDescription<'_>>, which: Which, whole: Element<'_>) {
    // The access method for certificates: those that a CA issued, or those of the issuing CA.
    let certificates = if which == Which::Subject { oids::AD_CA_REPOSITORY } else { oids::AD_CA_ISSUERS };
    let mut first = None;
    let mut reachable = false;
    each(sink, access.content(), access.offset(), |sink, description: AccessDescription<'_>, item| {
        let method = description.access_method;
        let uri = match description.access_location {
            GeneralName::UniformResourceIdentifier(uri) => Uri::parse(uri.as_bytes()),
            _ => None,
        };
        if method == certificates {
            first = first.or(Some(item.offset));
            if let Some(uri) = uri {
                let is_ldap = uri.is(b"ldap");
                reachable |= is_ldap || uri.is(b"http") || uri.is(b"https");
                let (dn, attributes) = uri.ldap();
                if is_ldap && (dn.is_empty() || attributes.is_empty()) {
                    sink.find_at(which.ldap_uri(), || item.component(0x86));
                }
            }
        } else if which == Which::Crl {
            sink.find(&list::CRL_ACCESS_METHOD, item.offset);
        } else if which == Which::Subject
            && method == oids::AD_TIME_STAMPING
            && uri.is_some_and(|uri| uri.is(b"mailto"))
        {
            sink.find_at(&list::TIME_STAMPING_MAIL, || item.component(0x86));
        }
    });
    match first {
        Some(first) if !reachable => sink.find(which.without_uri(), first),
        None if which == Which::Crl => sink.find(&list::CRL_ACCESS_WITHOUT_ISSUERS, whole.offset),
        _ => {}
    }
}
