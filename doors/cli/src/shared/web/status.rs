//! The revocation status of a single certificate, from what its URLs provide.

use tagwise_path::{
    Anchor, Anchors, Evidence, Policy, Pool, Profile, RevocationMode, RevocationScope, Rule, Status, verify,
};
use tagwise_pkix::{Certificate, CertificateBuf, UnixTime, oids};

use super::evidence::{freshest, points};
use super::issuers::{certificates, locations};
use super::{Fetcher, What, responders};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::subject;
use crate::shared::moment::now;
use crate::shared::output::Failure;
use crate::shared::trust::{Signatures, allow};

/// The revocation status of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Revocation {
    Good,
    /// Revoked or on hold, with the date and the reason.
    Revoked(String),
    /// Not known, with the reason.
    Unknown(String),
    /// The certificate names neither an OCSP responder nor a CRL.
    Unnamed,
}

/// The policy for a single certificate: only the issuer's signature and the status count. An expired certificate is validated at
/// the end of its validity.
///
/// # Errors
/// Returns an error if a rule to allow is unknown.
pub(crate) fn policy(context: &Context, certificate: &Certificate<'_>, now: UnixTime) -> Result<Policy, Failure> {
    let validity = &certificate.tbs_certificate.validity;
    let time = now.clamp(validity.not_before.unix(), validity.not_after.unix().max(validity.not_before.unix()));
    let mut policy = Policy::new(&Profile::RFC5280, time);
    allow(context, &mut policy)?;
    policy.purposes.clear();
    policy.revocation.mode = RevocationMode::Require;
    policy.revocation.scope = RevocationScope::Leaf;
    policy.revocation.evidence_time = Some(now);
    Ok(policy)
}

/// Verifies the evidence in a policy, and returns the status of a certificate.
pub(crate) fn judge(context: &Context, der: &[u8], issuer: Anchor, policy: &Policy) -> Revocation {
    let mut anchors = Anchors::new();
    anchors.add(issuer);
    let signatures = Signatures::allowing(context, EMBEDDED, &[]);
    match verify::path(der, &Pool::new(), &anchors, policy, &signatures) {
        Ok(path) => match path.explanation.revocation.first().map(|answer| &answer.status) {
            Some(Status::Good { .. }) => Revocation::Good,
            Some(status @ Status::Revoked { .. }) => Revocation::Revoked(status.to_string()),
            Some(Status::Unknown { why }) => Revocation::Unknown(why.clone()),
            None => Revocation::Unknown("the status was not checked".to_owned()),
        },
        Err(report) => match report.refusal() {
            Some(refusal) if refusal.rule == Rule::Revocation && !refusal.undecided => {
                Revocation::Revoked(refusal.message.clone())
            }
            // The place of the refusal is that of the serial number, and the reason is in the evidence.
            Some(refusal) if refusal.rule == Rule::Revocation => Revocation::Unknown(refusal.message.clone()),
            Some(refusal) => Revocation::Unknown(refusal.to_string()),
            None => Revocation::Unknown("the budget was exceeded".to_owned()),
        },
    }
}

impl Fetcher {
    /// Determines the status of a certificate: from an OCSP response or, if that does not help, from CRLs. Its issuer is looked up
    /// among the given certificates, and otherwise fetched.
    ///
    /// # Errors
    /// Returns any error from [`policy`].
    pub(crate) fn status(&mut self, context: &Context, der: &[u8], issuers: &mut Pool) -> Result<Revocation, Failure> {
        let Ok(certificate) = CertificateBuf::from_der(der.to_vec()) else {
            return Ok(Revocation::Unknown("the certificate does not decode".to_owned()));
        };
        let read = certificate.get();
        let extensions = read.tbs_certificate.extensions;
        if responders(read).is_empty() && points(read).is_empty() && freshest(extensions).is_empty() {
            return Ok(Revocation::Unnamed);
        }
        let issuer = read.tbs_certificate.issuer;
        if issuers.by_subject(&issuer).next().is_none() {
            let subject = subject(context, der);
            let found = self.first(What::Issuer, &locations(read, oids::AD_CA_ISSUERS), &subject, |fetcher, url| {
                let read = |octets: &[u8]| certificates(octets, &issuer);
                fetcher.fetch(What::Issuer, url, None, subject.clone(), read, |_| true)
            });
            for found in found.into_iter().flatten() {
                // One that does not decode is of no use.
                let _ = issuers.add(found);
            }
        }
        let candidates: Vec<CertificateBuf> = issuers.by_subject(&issuer).cloned().collect();
        let mut status = Revocation::Unknown("its issuer was not found".to_owned());
        for candidate in candidates {
            let Ok(anchor) = Anchor::from_certificate(candidate.as_der()) else { continue };
            let mut found = Evidence::default();
            for is_ocsp in [true, false] {
                match is_ocsp {
                    true => self.responses(context, &certificate, &candidate, &mut found),
                    false => self.crls(context, &certificate, &mut found),
                }
                // What is signed on request is not older than the request.
                let time = if self.is_live { now() } else { self.now };
                let mut policy = policy(context, read, time)?;
                found.ocsp_responses().for_each(|der| policy.revocation.evidence.add_ocsp(der));
                found.crls().for_each(|der| policy.revocation.evidence.add_crl(der));
                status = judge(context, der, anchor.clone(), &policy);
                if let Revocation::Good | Revocation::Revoked(_) = status {
                    return Ok(status);
                }
            }
        }
        Ok(status)
    }
}
