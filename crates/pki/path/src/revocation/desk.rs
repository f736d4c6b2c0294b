//! Engine services for checking CRLs and OCSP responses: budgeted signature checks, and validation of CRL and OCSP signers.

use std::rc::Rc;

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, encode};
use tagwise_pkix::ext::{KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, Name, SubjectPublicKeyInfo, oids};

use super::account::Unverified;
use super::crls::UsableCrl;
use super::response::Answers;
use super::{Evidence, Query, RevocationMode, RevocationSource, SharedSource, Signing, Status, ocsp};
use crate::anchors::Anchor;
use crate::budget::{Budget, Limit, Meter};
use crate::cert::Cert;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool;
use crate::report::{Outcome, Report};
use crate::rules::Rule;
use crate::search::Engine;
use crate::usage;
use crate::verifier::{SignatureFault, Verifier};

/// The engine's services for checking CRLs and OCSP responses for the current path.
pub(crate) struct Desk<'e, 'p, V: ?Sized> {
    pub(crate) engine: &'e mut Engine<'p, V>,
    pub(crate) chain: &'e [Rc<Cert<'p>>],
    pub(crate) anchor: u32,
    /// The issuer's key and name for each certificate of the chain, starting with the anchor's.
    pub(crate) keys: &'e [(SubjectPublicKeyInfo<'p>, Name<'p>)],
    /// The position of the current certificate in the chain.
    pub(crate) index: usize,
    /// The assumptions made about signers of CRLs and OCSP responses.
    pub(crate) assumed: Vec<String>,
}

/// A revocation source for signers at the maximum depth. Their status remains unknown, because it would require further
/// validations.
struct TooDeep(u64);

impl RevocationSource for TooDeep {
    fn status(&self, _: &Query<'_>) -> Status {
        let why = format!("the chain of evidence signers exceeds the maximum depth of {}", self.0);
        Status::Unknown { why }
    }
}

/// Rules about names and the kind of end-entity certificate, which do not apply to signers of CRLs and OCSP responses.
const OF_THE_LEAF: &[Rule] = &[
    Rule::PeerName,
    Rule::LeafNotCa,
    Rule::AltNameRequired,
    Rule::CommonName,
    Rule::Wildcard,
    Rule::ALabel,
    Rule::MailboxRequired,
    Rule::PurposePresent,
    Rule::PurposeOnly,
    Rule::CodeSigningUsage,
    Rule::PurposeChain,
    Rule::AnchorPurpose,
    Rule::AnchorDistrustAfter,
    Rule::MaxIntermediates,
    Rule::Scts,
];

/// The cRLSign bit of the key usage (RFC 5280 §4.2.1.3).
const CRL_SIGN: u16 = 1 << 6;

/// The bits digitalSignature and nonRepudiation.
const RESPONSE_SIGN: u16 = 1 | 1 << 1;

/// The accepted signer of a CRL.
pub(super) struct CrlSigner {
    /// Its key, a SubjectPublicKeyInfo in DER.
    key: Vec<u8>,
    /// The reason why its CRLs only prove revocation, if the policy requires that its status is known, and it is not.
    pub(super) unsettled: Option<String>,
}

/// The path of a signer.
pub(super) struct SignerPath {
    pub(super) path: Path,
    /// The reason why its evidence only proves revocation, if the policy requires that its status is known, and it is not.
    pub(super) unsettled: Option<String>,
}

/// A candidate CRL signer in the path, whose name matches.
struct Above<'p> {
    key: SubjectPublicKeyInfo<'p>,
    certificate: Option<CertificateBuf>,
    /// The signer's position in the chain. The anchor comes after the last certificate.
    index: usize,
}

impl<'p, V: Verifier + ?Sized> Desk<'_, 'p, V> {
    /// Charges the budget for name comparisons.
    pub(super) fn compared(&mut self, count: u64) -> Result<(), Limit> {
        self.engine.meter.name_comparisons(count)
    }

    /// Checks the signature of an OCSP response.
    pub(super) fn signed(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        answers: &Answers<'_>,
    ) -> Result<Result<(), Unverified>, Limit> {
        if let Some(why) = usage::weak_signature(&answers.algorithm, self.engine.policy) {
            return Ok(Err(Unverified::perhaps(why)));
        }
        let Some(signature) = answers.signature else {
            return Ok(Err(Unverified::no("its signature is not a whole number of bytes")));
        };
        let data = answers.data.as_bytes();
        let checked = self.engine.verify_kept(data, key, &answers.algorithm, data, signature)?;
        self.accepted(&answers.algorithm, "an OCSP response", checked.is_ok());
        Ok(checked.map_err(|fault| unverified(&fault)))
    }

    /// Checks whether a key signed a CRL.
    pub(super) fn signs(&mut self, signer: &CrlSigner, entry: UsableCrl<'_>) -> Result<Result<(), Unverified>, Limit> {
        match SubjectPublicKeyInfo::outline(&signer.key) {
            Ok(key) => self.crl_signed(&key, entry),
            Err(error) => Ok(Err(Unverified::no(error.to_string()))),
        }
    }

    /// Checks the signature of a CRL.
    fn crl_signed(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        entry: UsableCrl<'_>,
    ) -> Result<Result<(), Unverified>, Limit> {
        let list = &entry.list.list;
        if let Some(why) = usage::weak_signature(&list.signature_algorithm, self.engine.policy) {
            return Ok(Err(Unverified::perhaps(why)));
        }
        let Some(signature) = list.signature_value.octets() else {
            return Ok(Err(Unverified::no("its signature is not a whole number of bytes")));
        };
        let message = list.tbs_cert_list.as_bytes();
        let checked = self.engine.verify_kept(entry.crl.der(), key, &list.signature_algorithm, message, signature)?;
        let what = format!("a CRL of {}", list.tbs_cert_list.issuer.oneline());
        self.accepted(&list.signature_algorithm, &what, checked.is_ok());
        Ok(checked.map_err(|fault| unverified(&fault)))
    }

    /// Records the assumption about an accepted signature with a weak digest, once.
    fn accepted(&mut self, algorithm: &AlgorithmIdentifier<'_>, what: &str, is_accepted: bool) {
        let assumed = usage::assumed_digest(algorithm, what, self.engine.policy).filter(|_| is_accepted);
        let assumed = assumed.filter(|text| !self.assumed.contains(text));
        self.assumed.extend(assumed);
    }

    /// Applies RFC 5280 §6.3.3 (f) and (g). Returns the key that signed a CRL, if its holder has a path to the same anchor
    /// and may sign CRLs. Otherwise, returns the reason why the signer is not accepted.
    pub(super) fn crl_signer(
        &mut self,
        query: &Query<'_>,
        entry: UsableCrl<'_>,
    ) -> Result<Result<CrlSigner, Unverified>, Limit> {
        let issuer = entry.list.list.tbs_cert_list.issuer;
        let wanted = entry.list.authority_key;
        let mut fault = None;
        // The path above the certificate in question was validated, and so was its own, except for its revocation. Its own CRL may
        // state that: an indirect CRL's issuer (PKITS 4.14.30).
        let mut above = self.above(&issuer);
        if query.certificate.tbs_certificate.subject.matches(&issuer)
            && let Some(own) = self.chain.get(self.index)
        {
            let key = own.certificate.tbs_certificate.subject_public_key_info;
            above.push(Above { key, certificate: Some(own.buf.clone()), index: self.index });
        }
        let (likely, others): (Vec<_>, Vec<_>) =
            above.iter().partition(|above| above.certificate.as_ref().is_none_or(|buf| fits(buf, wanted)));
        for signer in likely.into_iter().chain(others) {
            self.compared(1)?;
            if let Err(why) = self.crl_signed(&signer.key, entry)? {
                Unverified::or(&mut fault, why);
                continue;
            }
            if signer.certificate.as_ref().is_some_and(|buf| !may_sign_crls(buf)) {
                let text =
                    format!("the key usage of {} does not include cRLSign (RFC 5280 §6.3.3 (f))", issuer.oneline());
                Unverified::then(&mut fault, Unverified::perhaps(text));
                continue;
            }
            if let Err(why) = self.was_valid(query, signer.index) {
                Unverified::then(&mut fault, Unverified::perhaps(why));
                continue;
            }
            return Ok(CrlSigner::new(&signer.key, None));
        }
        let mut named = self.named(&issuer);
        named.retain(|buf| !above.iter().any(|above| above.certificate.as_ref() == Some(buf)));
        self.compared(named.len() as u64)?;
        named.sort_by_key(|buf| !fits(buf, wanted));
        // Another certificate of the same key may have a known status.
        let mut open = None;
        for signer in &named {
            let key = signer.get().tbs_certificate.subject_public_key_info;
            if let Err(why) = self.crl_signed(&key, entry)? {
                Unverified::or(&mut fault, why);
                continue;
            }
            match self.signer_path(signer, &[], Signing::Crls)? {
                Ok(found) => match CrlSigner::new(&key, found.unsettled) {
                    Ok(signer) if signer.unsettled.is_some() => {
                        open.get_or_insert(signer);
                    }
                    done => return Ok(done),
                },
                Err(report) => {
                    let why = format!("its signer {}: {}", issuer.oneline(), short(&report));
                    let is_possible = report.is_undecided() || self.past_path(signer, &[], Signing::Crls)?.is_some();
                    Unverified::then(&mut fault, Unverified { why, is_possible });
                }
            }
        }
        let none = || Unverified::no(format!("no certificate of its signer {} was found", issuer.oneline()));
        Ok(open.ok_or_else(|| fault.unwrap_or_else(none)))
    }

    /// Returns the issuers with the given name above the current certificate, nearest first.
    fn above(&self, name: &Name<'_>) -> Vec<Above<'p>> {
        let count = self.chain.len().saturating_sub(self.index);
        let keys = self.keys.iter().take(count).enumerate().rev();
        let anchor = self.engine.anchors.get(self.anchor).and_then(Anchor::certificate);
        keys.filter(|(_, (_, own))| own.matches(name))
            .map(|(place, (key, _))| {
                let cert = self.chain.len().checked_sub(place).and_then(|index| self.chain.get(index));
                let certificate = if place == 0 { anchor } else { cert.map(|cert| cert.buf) };
                Above { key: *key, certificate: certificate.cloned(), index: self.chain.len() - place }
            })
            .collect()
    }

    /// Checks that the path of a signer in the chain, from the given position up to the anchor, was valid at the evidence
    /// time. Its validity at the validation time is known, because the complete path was checked.
    pub(super) fn was_valid(&self, query: &Query<'_>, index: usize) -> Result<(), String> {
        let (time, rules) = (query.evidence_time, self.engine.policy.rules);
        if time == query.time {
            return Ok(());
        }
        let anchor = self.engine.anchors.get(self.anchor).and_then(Anchor::certificate);
        let above = self.chain.iter().skip(index).map(|cert| cert.buf).filter(|_| rules.has(Rule::Validity));
        let anchor = anchor.into_iter().filter(|_| rules.has(Rule::AnchorValidity));
        for signer in above.chain(anchor) {
            let tbs = &signer.get().tbs_certificate;
            if !tbs.validity.contains(time) {
                return Err(format!("the certificate of {} is not valid at {time}", tbs.subject.oneline()));
            }
        }
        Ok(())
    }

    /// Returns the certificates with the given subject from the pool, the path and its anchor.
    pub(super) fn named(&self, subject: &Name<'_>) -> Vec<CertificateBuf> {
        let of_chain = self.chain.iter().map(|cert| cert.buf);
        let of_chain = of_chain.filter(|buf| buf.get().tbs_certificate.subject.matches(subject));
        let mut found: Vec<CertificateBuf> = of_chain.cloned().collect();
        let of_chain: Vec<CertificateBuf> = found.clone();
        found.extend(self.engine.pool.by_subject(subject).filter(|buf| !of_chain.contains(buf)).cloned());
        found
    }

    /// Builds and validates the path of a signer, to the anchor of the current path (RFC 5280 §6.3.3 (f)). It must be valid
    /// at the evidence time, under the same rules except for names and purposes. Certificates included in the evidence
    /// supplement the pool's. If only the status of the signer or of an issuer above it is unknown where the policy requires it, the
    /// path is returned with the reason: the requirement applies to evidence of good status.
    ///
    /// # Errors
    /// Returns the exceeded limit if the budget is exhausted. The inner error states why there is no path.
    pub(super) fn signer_path(
        &mut self,
        signer: &CertificateBuf,
        beside: &[CertificateBuf],
        signing: Signing,
    ) -> Result<Result<SignerPath, Report>, Limit> {
        let mut policy = self.engine.policy.clone();
        policy.time = policy.revocation.evidence_time.take().unwrap_or(policy.time);
        let report = match self.signer_path_by(policy.clone(), signer, beside, signing)? {
            Ok(path) => return Ok(Ok(SignerPath { path, unsettled: None })),
            Err(report) if policy.revocation.mode == RevocationMode::Require && report.is_undecided() => report,
            Err(report) => return Ok(Err(report)),
        };
        policy.revocation.mode = RevocationMode::Prefer;
        // Nothing that is good depends on these assumptions.
        let assumed = self.assumed.len();
        let found = self.signer_path_by(policy, signer, beside, signing)?;
        self.assumed.truncate(assumed);
        Ok(match found {
            Ok(path) => Ok(SignerPath { path, unsettled: Some(short(&report)) }),
            Err(_) => Err(report),
        })
    }

    /// Returns the path of a signer that is not valid at the evidence time, if only expiry or revocation invalidates it. The
    /// signer may have signed while it was valid, and a revocation is permanent. Signers without such a path are not authorized.
    pub(super) fn past_path(
        &mut self,
        signer: &CertificateBuf,
        beside: &[CertificateBuf],
        signing: Signing,
    ) -> Result<Option<Path>, Limit> {
        let mut policy = self.engine.policy.clone();
        policy.rules = policy.rules.without(Rule::Validity).without(Rule::AnchorValidity);
        policy.revocation.mode = RevocationMode::Ignore;
        Ok(self.signer_path_by(policy, signer, beside, signing)?.ok())
    }

    /// Builds and validates the path of a signer under the given policy, without its rules for end-entity certificates.
    fn signer_path_by(
        &mut self,
        mut policy: Policy,
        signer: &CertificateBuf,
        beside: &[CertificateBuf],
        signing: Signing,
    ) -> Result<Result<Path, Report>, Limit> {
        let engine = &mut *self.engine;
        policy.names.clear();
        // Nothing proves that the evidence is older than the revocation of its signer.
        policy.revocation.proven_at = None;
        policy.rules = OF_THE_LEAF.iter().fold(policy.rules, |rules, rule| rules.without(*rule));
        policy.max_intermediates = None;
        policy.stapled = None;
        (policy.purposes, policy.key_usage) = match signing {
            Signing::Crls => (Vec::new(), CRL_SIGN),
            // RFC 5280 §4.2.1.12: OCSPSigning is consistent with digitalSignature and nonRepudiation.
            Signing::Ocsp => (vec![OidBuf::from(oids::KP_OCSP_SIGNING)], RESPONSE_SIGN),
        };
        // RFC 6960 §4.2.2.2 has the purpose "included" in the responder's certificate.
        policy.explicit_purposes = signing == Signing::Ocsp;
        if engine.depth >= engine.meter.limits.depth {
            // Evidence about further signers of evidence is not followed: their status is unknown.
            policy.revocation.evidence = Evidence::default();
            policy.revocation.sources = vec![SharedSource::new(TooDeep(engine.meter.limits.depth))];
        }
        if signing == Signing::Ocsp && ocsp::is_unchecked(signer) {
            // RFC 6960 §4.2.2.2.1: "a client can trust a responder for the lifetime of the responder's certificate". Those above
            // it are the path's, whose revocation is checked there.
            policy.revocation.mode = RevocationMode::Ignore;
        }
        let pool;
        let pool = if beside.is_empty() {
            engine.pool
        } else {
            engine.meter.name_comparisons(engine.pool.len() as u64)?;
            let mut both = engine.pool.clone();
            beside.iter().for_each(|certificate| both.insert(certificate.clone()));
            pool = both;
            &pool
        };
        let is_own = core::ptr::eq(pool, engine.pool);
        let meter = core::mem::replace(&mut engine.meter, Meter::new(Budget::DEFAULT));
        let mut inner =
            Engine::new((signer, pool::is_strict(signer)), pool, engine.anchors, &policy, engine.verifier, meter);
        inner.signatures = core::mem::take(&mut engine.signatures);
        inner.depth = engine.depth + 1;
        inner.only_anchor = Some(self.anchor);
        inner.accounts = core::mem::take(&mut engine.accounts);
        if is_own {
            inner.distances = core::mem::take(&mut engine.distances);
        }
        let found = inner.run();
        if is_own {
            engine.distances = inner.distances;
        }
        (engine.meter, engine.signatures) = (inner.meter, inner.signatures);
        engine.accounts = inner.accounts;
        match found {
            Err(report) => match report.outcome() {
                Outcome::Exhausted(limit) => Err(limit),
                Outcome::Refused => Ok(Err(report)),
            },
            Ok(mut path) => {
                if policy.revocation.mode == RevocationMode::Prefer {
                    let assumed = path.explanation.assumptions.drain(..);
                    self.assumed.extend(assumed.map(|text| format!("signer of evidence: {text}")));
                }
                Ok(Ok(path))
            }
        }
    }
}

impl CrlSigner {
    fn new(key: &SubjectPublicKeyInfo<'_>, unsettled: Option<String>) -> Result<Self, Unverified> {
        let key = encode(key).map_err(|error| Unverified::no(error.to_string()))?;
        Ok(Self { key, unsettled })
    }
}

/// Converts a signature fault. A wrong signature cannot be authentic, but one that cannot be checked may be.
fn unverified(fault: &SignatureFault) -> Unverified {
    Unverified { why: fault.to_string(), is_possible: !matches!(fault, SignatureFault::Wrong) }
}

/// Returns the first 200 characters of a report's refusal. Refusals of signers are nested and can become long.
pub(super) fn short(report: &Report) -> String {
    let text = report.refusal().map(ToString::to_string).unwrap_or_default();
    match text.char_indices().nth(200) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// Returns whether a certificate's subject key identifier equals the wanted one. True if either is missing.
fn fits(certificate: &CertificateBuf, wanted: Option<&[u8]>) -> bool {
    let Some(extensions) = certificate.get().tbs_certificate.extensions else { return true };
    match (extensions.get::<SubjectKeyIdentifier<'_>>(), wanted) {
        (Ok(Some(own)), Some(wanted)) => own.0.as_bytes() == wanted,
        _ => true,
    }
}

/// Applies §6.3.3 (f): "if a key usage extension is present in the CRL issuer's certificate, verify that the cRLSign bit is set".
fn may_sign_crls(certificate: &CertificateBuf) -> bool {
    let Some(extensions) = certificate.get().tbs_certificate.extensions else { return true };
    match extensions.get::<KeyUsage<'_>>() {
        Ok(None) => true,
        Ok(Some(usage)) => usage.crl_sign(),
        Err(_) => false,
    }
}
