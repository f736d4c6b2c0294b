//! RFC 5280 §6.1.3 (a)(3): the status of certificates by CRLs (§6.3.3) and by OCSP responses (RFC 6960 §3.2), with signers of
//! both that have paths of their own. Evidence that revokes counts, whatever other evidence says.

use super::crl::{CrlModel, Scope, belongs};
use super::ocsp::{OcspModel, State};
use super::{Inputs, Model, path, paths};

/// The evidence, and how deep signers of signers are asked about.
#[derive(Clone)]
pub struct Evidence<'m> {
    pub crls: &'m [CrlModel],
    pub responses: &'m [OcspModel],
    pub pool: Vec<&'m Model>,
    pub inputs: &'m Inputs,
    pub depth: u8,
}

impl<'m> Evidence<'m> {
    /// §6.1.3 (a)(3) for every certificate of a path: none is revoked, and all of that is known.
    pub fn clears(&self, whole: &[&'m Model], depth: u8) -> bool {
        (0..whole.len()).all(|place| {
            let status = [self.by_responses(whole, place, depth), self.by_crls(whole, place, depth)];
            !status.contains(&Some(false)) && status.contains(&Some(true))
        })
    }

    /// §6.3.3 for one certificate of a path: true if it is good, `None` if the CRLs do not tell.
    fn by_crls(&self, whole: &[&'m Model], place: usize, depth: u8) -> Option<bool> {
        let certificate = whole[place];
        let mut newest: Vec<&CrlModel> = self.crls.iter().filter(|crl| crl.base.is_none()).collect();
        newest.sort_by_key(|crl| std::cmp::Reverse(crl.hour));
        for complete in newest {
            // (b)
            let is_ca = certificate.basic.is_some_and(|(ca, _)| ca);
            let covers = match complete.scope {
                Scope::All => true,
                Scope::Users => !is_ca,
                Scope::Cas => is_ca,
            };
            if complete.issuer != certificate.issuer || !covers || complete.unknown_critical {
                continue;
            }
            // (f), (g)
            if !self.signs(complete.issuer, complete.signer, whole, place, depth) {
                continue;
            }
            // (c), (h): the newest delta that belongs to it.
            let mut deltas: Vec<&CrlModel> = self.crls.iter().filter(|delta| belongs(delta, complete)).collect();
            deltas.sort_by_key(|delta| delta.hour);
            let delta = deltas.pop();
            // (a)
            if complete.stale && delta.is_none() {
                continue;
            }
            // (i) to (k)
            let found = delta.and_then(|delta| delta.entry(certificate)).or_else(|| complete.entry(certificate));
            const REMOVE_FROM_CRL: u8 = 8;
            return Some(found.is_none_or(|reason| reason == REMOVE_FROM_CRL));
        }
        None
    }

    /// (f): the holder of a key may sign CRLs, and has a valid path to the same anchor.
    fn signs(&self, name: &str, key: &str, whole: &[&'m Model], place: usize, depth: u8) -> bool {
        let may = |model: &Model| model.usage.is_none_or(|(_, crls)| crls);
        if self.inputs.anchor == (name, key) {
            return true;
        }
        // In the path, up to and with the certificate itself, whose path is valid but for what is being asked.
        let is = |model: &Model| model.subject == name && model.key == key && may(model);
        if whole[..=place].iter().any(|model| is(model)) {
            return true;
        }
        let others = self.pool.iter().chain(whole.last()).filter(|model| is(model));
        others.into_iter().any(|signer| {
            let all = paths(signer, &self.pool, self.inputs);
            let mut valid = all.iter().filter(|whole| path(whole, self.inputs).is_some());
            valid.any(|whole| depth < self.depth && self.clears(whole, depth + 1))
        })
    }

    /// RFC 6960 §3.2 for one certificate of a path.
    fn by_responses(&self, whole: &[&'m Model], place: usize, depth: u8) -> Option<bool> {
        let certificate = whole[place];
        let issuer = match place {
            0 => self.inputs.anchor,
            _ => (whole[place - 1].subject, whole[place - 1].key),
        };
        let about = self.responses.iter().filter(|response| {
            // (1): "The certificate identified in a received response corresponds to the certificate that was identified".
            response.issuer == issuer && response.serial == certificate.serial && !response.unknown_critical
        });
        // (5), (6)
        let current = about.filter(|response| !response.stale && response.state != State::Unknown);
        // (2) to (4)
        let signed = current.filter(|response| self.answers(response, certificate, issuer, depth));
        signed.max_by_key(|response| response.hour).map(|newest| newest.state == State::Good)
    }

    /// §4.2.2.2: the issuer itself, or a responder that it certified.
    fn answers(&self, response: &'m OcspModel, about: &Model, issuer: (&str, &str), depth: u8) -> bool {
        if response.responder.is(issuer.0, issuer.1) && response.signer == issuer.1 {
            return true;
        }
        let certificates = response.certificate.iter().chain(self.pool.iter().copied());
        let mut pool = self.pool.clone();
        pool.extend(&response.certificate);
        let within = Self { pool, ..self.clone() };
        let mut delegates = certificates.filter(|delegate| {
            response.responder.is(delegate.subject, delegate.key)
                && response.signer == delegate.key
                && (delegate.issuer, delegate.signer) == issuer
                && delegate.ocsp_signing
                && delegate.spec().der() != about.spec().der()
        });
        delegates.any(|delegate| {
            let all = paths(delegate, &within.pool, self.inputs);
            let mut valid = all.iter().filter(|whole| path(whole, self.inputs).is_some());
            valid.any(|whole| delegate.no_check || depth < self.depth && within.clears(whole, depth + 1))
        })
    }
}
