//! Missing issuers, from the authority information access of certificates (RFC 5280 §4.2.2.1).

use std::collections::HashSet;

use tagwise_codec::{Oid, Options, RuleSet};
use tagwise_path::{Anchors, Pool};
use tagwise_pkix::ext::{AuthorityInfoAccess, GeneralName};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, Name, oids};
use tagwise_store::{Contents, ContentsKind, Limits};

use super::{Fetcher, What};
use crate::shared::context::Context;
use crate::shared::credentials::{certificate, subject};
use crate::shared::trust::nothing;

/// The most certificates whose issuers are looked for.
const MOST: usize = 32;

/// The URLs of an access method.
pub(super) fn locations(certificate: &Certificate<'_>, method: Oid<'_>) -> Vec<String> {
    let access = certificate.tbs_certificate.extensions.map(|list| list.get::<AuthorityInfoAccess<'_>>());
    let Some(Ok(Some(access))) = access else { return Vec::new() };
    let uris = access.locations(method).filter_map(|name| match name {
        GeneralName::UniformResourceIdentifier(uri) => uri.as_str().map(str::to_owned),
        _ => None,
    });
    uris.collect()
}

/// The certificates of an answer: one in DER, or a degenerate CMS message (RFC 5280 §4.2.2.1); PEM is tolerated. At least one of them
/// must be of the issuer.
pub(super) fn certificates(octets: &[u8], issuer: &Name<'_>) -> Result<Vec<Vec<u8>>, String> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    let found = contents.items().filter(|item| item.kind == ContentsKind::Certificate).take(MOST);
    let found: Vec<Vec<u8>> = found.map(|item| item.der.to_vec()).collect();
    if found.is_empty() {
        return Err(nothing(octets, "certificate"));
    }
    let lax = Options::der().rules(RuleSet::ALL);
    let read = found.iter().filter_map(|der| Some(lax.outline::<Certificate<'_>>(der).ok()?.value));
    match read.map(|certificate| certificate.tbs_certificate.subject).any(|subject| subject.matches(issuer)) {
        true => Ok(found),
        false => Err(format!("no certificate of the issuer {}", visible(&issuer.oneline()))),
    }
}

impl Fetcher {
    /// Adds to the pool the issuers that are neither in it nor anchors, up to an anchor.
    pub(crate) fn issuers(&mut self, context: &Context, leaf: &[u8], pool: &mut Pool, anchors: &Anchors) {
        let mut open = vec![leaf.to_vec()];
        let mut seen = HashSet::new();
        while let Some(der) = open.pop() {
            if seen.contains(&der) {
                continue;
            }
            let Ok(certificate) = certificate(context, &der) else { continue };
            let issuer = certificate.tbs_certificate.issuer;
            if seen.len() >= MOST {
                self.too_many(&locations(&certificate, oids::AD_CA_ISSUERS), subject(context, &der), MOST);
                break;
            }
            seen.insert(der.clone());
            if anchors.by_name(&issuer).next().is_some() || issuer.matches(&certificate.tbs_certificate.subject) {
                continue;
            }
            if pool.by_subject(&issuer).next().is_none() {
                let urls = locations(&certificate, oids::AD_CA_ISSUERS);
                let subject = subject(context, &der);
                let found = self.first(What::Issuer, &urls, &subject, |fetcher, url| {
                    let read = |octets: &[u8]| certificates(octets, &issuer);
                    fetcher.fetch(What::Issuer, url, None, subject.clone(), read, |_| true)
                });
                for found in found.into_iter().flatten() {
                    // One that does not decode is of no use in a path.
                    let _ = pool.add(found);
                }
            }
            open.extend(pool.by_subject(&issuer).map(|found| found.as_der().to_vec()));
        }
    }
}
