//! CRLs and OCSP responses for the certificates of a path.

use tagwise_codec::{Options, RuleSet};
use tagwise_crypto::cms::RevocationInfo;
use tagwise_path::{Evidence, Path, RevocationMode, Status};
use tagwise_pkix::ext::{CrlDistributionPoints, DistributionPointName, FreshestCrl, GeneralName};
use tagwise_pkix::{Certificate, CertificateBuf, CertificateList, Extensions, UnixTime};

use super::{Fetcher, URLS, What, ocsp};
use crate::shared::context::Context;
use crate::shared::credentials::subject;
use crate::shared::moment::now;
use crate::shared::trust::{Choice, Verdict, evidence_in};

impl Fetcher {
    /// Adds evidence about the certificates of the paths that `judge` finds, as far as their status is unknown: first OCSP
    /// responses, then, where these do not help, CRLs. Nothing is fetched for certificates without a path to an anchor.
    pub(crate) fn evidence(&mut self, context: &Context, choice: &mut Choice, judge: impl Fn(&Choice) -> Verdict) {
        if choice.policy().revocation.mode == RevocationMode::Ignore {
            return;
        }
        for is_ocsp in [true, false] {
            let mut probe = choice.clone();
            // Paths of unknown status are found, too.
            probe.change(|policy| policy.revocation.mode = RevocationMode::Prefer);
            let verdict = judge(&probe);
            let mut found = Evidence::default();
            for (certificate, issuer) in verdict.paths().into_iter().flat_map(unknown) {
                match (is_ocsp, issuer) {
                    (true, Some(issuer)) => self.responses(context, certificate, issuer, &mut found),
                    (true, None) => {}
                    (false, _) => self.crls(context, certificate, &mut found),
                }
            }
            let later = self.is_live.then(now);
            choice.change(|policy| {
                // What is signed on request is not older than the request.
                policy.time = later.unwrap_or(policy.time);
                found.ocsp_responses().for_each(|der| policy.revocation.evidence.add_ocsp(der));
                found.crls().for_each(|der| policy.revocation.evidence.add_crl(der));
            });
        }
    }

    pub(super) fn responses(
        &mut self,
        context: &Context,
        certificate: &CertificateBuf,
        issuer: &CertificateBuf,
        found: &mut Evidence,
    ) {
        let now = self.now;
        // If it cannot be built, nothing can be asked.
        let Ok(body) = ocsp::request(certificate.get(), issuer.get(), None) else { return };
        let read = |octets: &[u8]| {
            ocsp::basic(octets)?;
            let found = all(context, octets, "OCSP response")?;
            found.ocsp_responses.iter().try_for_each(|der| ocsp::basic(der).map(drop))?;
            Ok(found)
        };
        let is_current = |octets: &[u8]| read(octets).is_ok_and(|found| are_current(&found, now));
        let subject = subject(context, certificate.as_der());
        let urls = ocsp::responders(certificate.get());
        let answer = self.first(What::Ocsp, &urls, &subject, |fetcher, url| {
            fetcher.fetch(What::Ocsp, url, Some(&body), subject.clone(), read, is_current)
        });
        if let Some(answer) = answer {
            answer.ocsp_responses.into_iter().for_each(|der| found.add_ocsp(der));
            answer.crls.into_iter().for_each(|der| found.add_crl(der));
        }
    }

    pub(super) fn crls(&mut self, context: &Context, certificate: &CertificateBuf, found: &mut Evidence) {
        let subject = subject(context, certificate.as_der());
        let extensions = certificate.get().tbs_certificate.extensions;
        let mut deltas = freshest(extensions);
        for answer in self.lists(context, What::Crl, &points(certificate.get()), &subject) {
            for der in answer.crls {
                if let Some(list) = list(&der) {
                    deltas.extend(freshest(list.tbs_cert_list.crl_extensions));
                }
                found.add_crl(der);
            }
            answer.ocsp_responses.into_iter().for_each(|der| found.add_ocsp(der));
        }
        deltas.dedup();
        for answer in self.lists(context, What::DeltaCrl, &deltas, &subject) {
            answer.crls.into_iter().for_each(|der| found.add_crl(der));
            answer.ocsp_responses.into_iter().for_each(|der| found.add_ocsp(der));
        }
    }

    /// Fetches the CRLs of each distribution point, up to a limit. Points of which no URL is supported don't count.
    fn lists(&mut self, context: &Context, what: What, points: &[Vec<String>], subject: &str) -> Vec<RevocationInfo> {
        let now = self.now;
        let read = |octets: &[u8]| all(context, octets, "CRL");
        let is_current = |octets: &[u8]| read(octets).is_ok_and(|found| are_current(&found, now));
        let mut found = Vec::new();
        let (mut supported, mut others) = (0, 0);
        let mut untried = Vec::new();
        for urls in points {
            let count = if urls.iter().any(|url| self.web.supports(url)) { &mut supported } else { &mut others };
            if *count >= URLS {
                untried.extend(urls);
                continue;
            }
            *count += 1;
            found.extend(self.first(what, urls, subject, |fetcher, url| {
                fetcher.fetch(what, url, None, subject.to_owned(), read, is_current)
            }));
        }
        self.skipped(what, &untried, subject);
        found
    }
}

/// The certificates of a path whose status is unknown, each with its issuer's certificate.
fn unknown(path: &Path) -> Vec<(&CertificateBuf, Option<&CertificateBuf>)> {
    let answers = path.explanation.revocation.iter();
    let unknown = answers.filter(|answer| matches!(answer.status, Status::Unknown { .. }));
    unknown
        .filter_map(|answer| {
            let certificate = path.certificates.get(answer.certificate)?;
            let above = path.certificates.get(answer.certificate + 1);
            Some((certificate, above.or_else(|| path.anchor.certificate())))
        })
        .collect()
}

/// All CRLs and OCSP responses of an answer. RFC 5280 §4.2.1.13 requires one CRL in DER; other formats, and several values, are
/// tolerated as in files.
fn all(context: &Context, octets: &[u8], wanted: &str) -> Result<RevocationInfo, String> {
    evidence_in(octets, context, wanted).map_err(|(place, why)| match place.trim_start_matches([',', ' ', '!']) {
        "" => why,
        place => format!("{place}: {why}"),
    })
}

fn are_current(found: &RevocationInfo, time: UnixTime) -> bool {
    found.crls.iter().all(|der| is_current(der, time))
        && found.ocsp_responses.iter().all(|der| ocsp::is_current(der, time))
}

fn list(der: &[u8]) -> Option<CertificateList<'_>> {
    Options::der().rules(RuleSet::ALL).outline::<CertificateList<'_>>(der).ok().map(|read| read.value)
}

fn is_current(der: &[u8], time: UnixTime) -> bool {
    list(der).is_some_and(|list| {
        let list = &list.tbs_cert_list;
        list.this_update.unix() <= time && list.next_update.is_some_and(|next| time < next.unix())
    })
}

/// The URLs of each distribution point. Those of one point are of the same CRL (RFC 5280 §4.2.1.13).
pub(super) fn points(certificate: &Certificate<'_>) -> Vec<Vec<String>> {
    let list = certificate.tbs_certificate.extensions.map(|list| list.get::<CrlDistributionPoints<'_>>());
    match list {
        Some(Ok(Some(points))) => urls(&points),
        _ => Vec::new(),
    }
}

/// The URLs of delta CRLs (RFC 5280 §4.2.1.15, §5.2.6).
pub(super) fn freshest(extensions: Option<Extensions<'_>>) -> Vec<Vec<String>> {
    match extensions.map(|list| list.get::<FreshestCrl<'_>>()) {
        Some(Ok(Some(points))) => urls(&points.0),
        _ => Vec::new(),
    }
}

fn urls(points: &CrlDistributionPoints<'_>) -> Vec<Vec<String>> {
    let points = points.0.iter().map_while(Result::ok);
    points
        .filter_map(|point| match point.distribution_point? {
            DistributionPointName::FullName(names) => Some(names),
            DistributionPointName::NameRelativeToCrlIssuer(_) => None,
        })
        .map(|names| {
            let uris = names.0.iter().map_while(Result::ok).filter_map(|name| match name {
                GeneralName::UniformResourceIdentifier(uri) => uri.as_str().map(str::to_owned),
                _ => None,
            });
            uris.collect()
        })
        .collect()
}
