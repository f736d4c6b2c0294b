//! The engine's services for reading evidence.

use std::rc::Rc;

use tagwise_pkix::{AlgorithmIdentifier, CertificateBuf, Name, SubjectPublicKeyInfo, oids};

use super::{Services, Signing};
use crate::anchors::Anchor;
use crate::budget::{Budget, Limit, Meter};
use crate::cert::Cert;
use crate::oid::OidBuf;
use crate::path::Path;
use crate::report::{Outcome, Report};
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::{SignatureFault, Verifier};

/// The engine, with the current path.
pub(crate) struct Desk<'e, 'p, V: ?Sized> {
    pub(crate) engine: &'e mut Engine<'p, V>,
    pub(crate) chain: &'e [Rc<Cert<'p>>],
    pub(crate) anchor: u32,
}

/// Rules about the names and the kind of an end certificate, which do not apply to a signer of evidence.
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
    Rule::PurposeChain,
    Rule::AnchorPurpose,
    Rule::MaxIntermediates,
];

/// The bit cRLSign (RFC 5280 §4.2.1.3).
const CRL_SIGN: u16 = 1 << 6;

impl<V: Verifier + ?Sized> Services for Desk<'_, '_, V> {
    fn verify(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), SignatureFault>, Limit> {
        self.engine.verify(key, algorithm, message, signature)
    }

    fn named(&self, subject: &Name<'_>) -> Vec<CertificateBuf> {
        let of_chain = self.chain.iter().map(|cert| cert.buf);
        let of_chain = of_chain.filter(|buf| buf.get().tbs_certificate.subject.matches(subject));
        let of_anchors = self.engine.anchors.by_name(subject).filter_map(Anchor::certificate);
        let mut found: Vec<CertificateBuf> = Vec::new();
        for buf in of_chain.chain(self.engine.pool.by_subject(subject)).chain(of_anchors) {
            if !found.contains(buf) {
                found.push(buf.clone());
            }
        }
        found
    }

    fn signer_path(
        &mut self,
        signer: &CertificateBuf,
        beside: &[CertificateBuf],
        signing: Signing,
    ) -> Result<Result<Path, Report>, Limit> {
        let engine = &mut *self.engine;
        let mut policy = engine.policy.clone();
        policy.names.clear();
        policy.rules = OF_THE_LEAF.iter().fold(policy.rules, |rules, rule| rules.without(*rule));
        policy.max_intermediates = None;
        (policy.purposes, policy.key_usage) = match signing {
            Signing::Crls => (Vec::new(), CRL_SIGN),
            Signing::Ocsp => (vec![OidBuf::from(oids::KP_OCSP_SIGNING)], 0),
        };
        // RFC 6960 §4.2.2.2 has the purpose "included" in the responder's certificate.
        policy.explicit_purposes = signing == Signing::Ocsp;
        if engine.depth >= engine.meter.limits.depth {
            // No more evidence about those who sign evidence.
            policy.revocation.mode = super::RevocationMode::Ignore;
        }
        let pool;
        let pool = if beside.is_empty() {
            engine.pool
        } else {
            let mut both = engine.pool.clone();
            beside.iter().for_each(|certificate| both.insert(certificate.clone()));
            pool = both;
            &pool
        };
        let meter = core::mem::replace(&mut engine.meter, Meter::new(Budget::DEFAULT));
        let mut inner = Engine::new(signer, pool, engine.anchors, &policy, engine.verifier, meter);
        inner.signatures = core::mem::take(&mut engine.signatures);
        inner.depth = engine.depth + 1;
        inner.only_anchor = Some(self.anchor);
        let found = inner.run();
        (engine.meter, engine.signatures) = (inner.meter, inner.signatures);
        match found {
            Err(report) => match report.outcome() {
                Outcome::Exhausted(limit) => Err(limit),
                Outcome::Refused => Ok(Err(report)),
            },
            Ok(path) => Ok(Ok(path)),
        }
    }
}
