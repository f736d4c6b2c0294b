//! RFC 5280 §6.1.3 (a)(3): the revocation status of certificates, from CRLs (§6.3.3) and OCSP responses (RFC 6960 §3.2),
//! whose signers have their own paths. Evidence of revocation takes precedence over all other evidence.

use super::crl::{CrlModel, Scope, belongs};
use super::ocsp::{OcspModel, State};
use super::{Inputs, Model, path, paths};

/// The evidence, and the maximum depth of checking the signers of evidence.
#[derive(Clone)]
pub struct Evidence<'m> {
    pub crls: &'m [CrlModel],
    pub responses: &'m [OcspModel],
    pub pool: Vec<&'m Model>,
    pub inputs: &'m Inputs,
    pub depth: u8,
}

/// A three-valued truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    No,
    /// Unknown.
    Perhaps,
    Yes,
}

use Answer::{No, Perhaps, Yes};

/// What evidence of one kind says about a certificate.
#[derive(Default)]
struct Said {
    /// True if it is good, with the hour of the evidence.
    status: Option<(bool, u8)>,
    /// Hours of evidence that would revoke it and cannot be used; true for a hold.
    doubts: Vec<(u8, bool)>,
}

/// certificateHold, removeFromCRL.
const HOLD: u8 = 6;
const REMOVE_FROM_CRL: u8 = 8;

impl<'m> Evidence<'m> {
    /// Returns whether no certificate in a path is revoked (RFC 5280 §6.1.3 (a)(3)).
    pub fn clears(&self, whole: &[&'m Model], depth: u8) -> Answer {
        let all = (0..whole.len()).map(|place| {
            let both = [self.by_responses(whole, place, depth), self.by_crls(whole, place, depth)];
            let statuses: Vec<(bool, u8)> = both.iter().filter_map(|said| said.status).collect();
            if statuses.iter().any(|(is_good, _)| !is_good) {
                return No;
            }
            // What is on hold may have been released since.
            let newest = statuses.iter().map(|(_, hour)| *hour).max();
            let lifted = |hour: u8| newest.is_some_and(|newest| newest > hour);
            let is_open = both.iter().flat_map(|said| &said.doubts).any(|(hour, hold)| !hold || !lifted(*hour));
            if is_open || statuses.is_empty() { Perhaps } else { Yes }
        });
        all.min().unwrap_or(Yes)
    }

    /// §6.3.3 for one certificate of a path, and what CRLs that it does not use say.
    fn by_crls(&self, whole: &[&'m Model], place: usize, depth: u8) -> Said {
        let certificate = whole[place];
        let is_ca = certificate.basic.is_some_and(|(ca, _)| ca);
        let covers = |crl: &CrlModel| {
            let in_scope = match crl.scope {
                Scope::All => true,
                Scope::Users => !is_ca,
                Scope::Cas => is_ca,
            };
            crl.issuer == certificate.issuer && in_scope
        };
        let revokes = |crl: &CrlModel| crl.entry(certificate).filter(|reason| *reason != REMOVE_FROM_CRL);
        let signs = |crl: &CrlModel| self.signs(crl.issuer, crl.signer, whole, place, depth);
        let mut said = Said::default();
        let mut newest: Vec<&CrlModel> = self.crls.iter().filter(|crl| covers(crl)).collect();
        newest.sort_by_key(|crl| std::cmp::Reverse(crl.hour));
        let mut applied: Vec<(&CrlModel, Option<&CrlModel>)> = Vec::new();
        let (mut silent, mut skipped): (Vec<&CrlModel>, Vec<&CrlModel>) = (Vec::new(), Vec::new());
        let is_like = |one: &CrlModel, other: &CrlModel| one.signer == other.signer && one.same_scope(other);
        // (b), (f): a CA may have several CRLs at a time, of other keys and scopes. A newer one takes the place of its own series only,
        // and a revocation on any other counts.
        let is_replaced = |crl: &CrlModel, newer: &[&CrlModel], skipped: &[&CrlModel]| {
            newer.iter().any(|newer| is_like(newer, crl))
                || skipped.iter().any(|newer| newer.hour > crl.hour && is_like(newer, crl) && signs(newer) == Yes)
        };
        for complete in newest.iter().copied().filter(|crl| crl.base.is_none()) {
            if !applied.is_empty() {
                let deltas = self.crls.iter().filter(|delta| delta.updates(complete));
                if !deltas.chain([complete]).any(|crl| revokes(crl).is_some()) {
                    if !complete.unknown_critical {
                        skipped.push(complete);
                    }
                    continue;
                }
                let newer: Vec<&CrlModel> = applied.iter().map(|(newer, _)| *newer).collect();
                if is_replaced(complete, &newer, &skipped) {
                    continue;
                }
            }
            if complete.unknown_critical {
                if revokes(complete).is_some() && signs(complete) != No {
                    said.doubts.push((complete.hour, false));
                }
                continue;
            }
            // (c), (h): the newest delta that belongs to it.
            let mut deltas: Vec<&CrlModel> = self.crls.iter().filter(|delta| belongs(delta, complete)).collect();
            deltas.sort_by_key(|delta| delta.hour);
            let delta = deltas.pop();
            // (a)
            if complete.stale && delta.is_none() {
                match revokes(complete) {
                    None => silent.push(complete),
                    // A newer one takes its place.
                    Some(_) if silent.iter().any(|newer| is_like(newer, complete) && signs(newer) == Yes) => {}
                    Some(reason) => match signs(complete) {
                        Yes if reason != HOLD => {
                            said.status = Some((false, complete.hour));
                            return said;
                        }
                        No => {}
                        Yes | Perhaps => said.doubts.push((complete.hour, reason == HOLD)),
                    },
                }
                continue;
            }
            // (f), (g)
            match signs(complete) {
                Yes => {}
                Perhaps if revokes(complete).is_some() => {
                    said.doubts.push((complete.hour, false));
                    continue;
                }
                Perhaps | No => continue,
            }
            // (i) to (k)
            let found = delta.and_then(|delta| delta.entry(certificate)).or_else(|| complete.entry(certificate));
            let is_good = found.is_none_or(|reason| reason == REMOVE_FROM_CRL);
            let hour = complete.hour.max(delta.map_or(0, |delta| delta.hour));
            if !is_good {
                said.status = Some((false, hour));
                return said;
            }
            let newest = said.status.map_or(hour, |(_, before)| before.max(hour));
            said.status = Some((true, newest));
            applied.push((complete, delta));
        }
        // Deltas that were not applied, and that no newer CRL replaces: what they revoke leaves it open, or revokes it.
        for delta in newest.iter().copied().filter(|crl| crl.base.is_some()) {
            if applied.iter().any(|(_, applied)| applied.is_some_and(|applied| std::ptr::eq(applied, delta))) {
                continue;
            }
            let is_newer = |(complete, applied): &(&CrlModel, Option<&CrlModel>)| {
                complete.hour.max(applied.map_or(0, |applied| applied.hour)) > delta.hour
            };
            let newer: Vec<&CrlModel> = applied.iter().filter(|one| is_newer(one)).map(|(newer, _)| *newer).collect();
            if !newer.is_empty() && is_replaced(delta, &newer, &skipped) {
                continue;
            }
            if let Some(reason) = revokes(delta).filter(|_| signs(delta) != No) {
                said.doubts.push((delta.hour, reason == HOLD && !delta.unknown_critical));
            }
        }
        // Serial numbers are unique to an issuer (§4.1.2.2): what its CRLs of other scopes revoke is open, unless a newer one of the
        // same series does not revoke it.
        for crl in self.crls.iter().filter(|crl| crl.issuer == certificate.issuer && !covers(crl)) {
            let replaces = |newer: &CrlModel| {
                newer.hour > crl.hour
                    && newer.base.is_some() == crl.base.is_some()
                    && !newer.unknown_critical
                    && is_like(newer, crl)
                    && revokes(newer).is_none()
                    && signs(newer) == Yes
            };
            if let Some(reason) = revokes(crl).filter(|_| signs(crl) != No && !self.crls.iter().any(replaces)) {
                said.doubts.push((crl.hour, reason == HOLD && !crl.unknown_critical));
            }
        }
        said
    }

    /// (f): the holder of a key may sign CRLs, and has a valid path to the same anchor.
    fn signs(&self, name: &str, key: &str, whole: &[&'m Model], place: usize, depth: u8) -> Answer {
        let may = |model: &Model| model.usage.is_none_or(|(_, crls)| crls);
        if self.inputs.anchor == (name, key) {
            return Yes;
        }
        // In the path, up to and with the certificate itself, whose path is valid but for what is being asked. Without cRLSign, its CRLs
        // are not for use, and nobody else's.
        let is = |model: &Model| model.subject == name && model.key == key;
        let here = whole[..=place].iter().filter(|model| is(model));
        let here = here.map(|model| if may(model) { Yes } else { Perhaps }).max();
        let others = self.pool.iter().chain(whole.last()).filter(|model| is(model) && may(model));
        let others = others.map(|signer| {
            let all = paths(signer, &self.pool, self.inputs);
            // A signer that has expired or is revoked may have signed before that.
            let was_valid = |whole: &[&Model]| {
                let fresh: Vec<Model> =
                    whole.iter().map(|model| Model { expired: false, ..(*model).clone() }).collect();
                path(&fresh.iter().collect::<Vec<_>>(), self.inputs).is_some()
            };
            let authorized = all.iter().filter(|whole| was_valid(whole));
            let clear = authorized.map(|whole| match path(whole, self.inputs) {
                Some(_) if depth < self.depth => self.clears(whole, depth + 1).max(Perhaps),
                _ => Perhaps,
            });
            clear.max().unwrap_or(No)
        });
        here.into_iter().chain(others).max().unwrap_or(No)
    }

    /// RFC 6960 §3.2 for one certificate of a path.
    fn by_responses(&self, whole: &[&'m Model], place: usize, depth: u8) -> Said {
        let certificate = whole[place];
        let issuer = match place {
            0 => self.inputs.anchor,
            _ => (whole[place - 1].subject, whole[place - 1].key),
        };
        let about = self.responses.iter().filter(|response| {
            // (1): "The certificate identified in a received response corresponds to the certificate that was identified".
            response.issuer == issuer && response.serial == certificate.serial
        });
        let mut said = Said::default();
        for response in about {
            let is_revoked = response.state == State::Revoked;
            // (5), (6): one that revokes does so for good.
            if response.state == State::Unknown || !is_revoked && (response.stale || response.unknown_critical) {
                continue;
            }
            // (2) to (4)
            match self.answers(response, certificate, issuer, depth) {
                Yes if !response.unknown_critical => {
                    if said.status.is_none_or(|(_, hour)| hour < response.hour) {
                        said.status = Some((!is_revoked, response.hour));
                    }
                }
                Yes | Perhaps if is_revoked => said.doubts.push((response.hour, false)),
                Yes | Perhaps | No => {}
            }
        }
        // A newer answer takes the place of an older one.
        let newest = said.status;
        said.doubts.retain(|(hour, _)| newest.is_none_or(|(_, newest)| newest <= *hour));
        said
    }

    /// §4.2.2.2: the issuer itself, or a responder that it certified.
    fn answers(&self, response: &'m OcspModel, about: &Model, issuer: (&str, &str), depth: u8) -> Answer {
        if response.responder.is(issuer.0, issuer.1) && response.signer == issuer.1 {
            return Yes;
        }
        let certificates = response.certificate.iter().chain(self.pool.iter().copied());
        let mut pool = self.pool.clone();
        pool.extend(&response.certificate);
        let within = Self { pool, ..self.clone() };
        let delegates = certificates.filter(|delegate| {
            response.responder.is(delegate.subject, delegate.key)
                && response.signer == delegate.key
                && delegate.issuer == issuer.0
                && delegate.ocsp_signing
                && delegate.spec().der() != about.spec().der()
        });
        let answers = delegates.map(|delegate| {
            let all = paths(delegate, &within.pool, self.inputs);
            let valid = all.iter().filter(|whole| path(whole, self.inputs).is_some());
            let clear = valid.map(|whole| match delegate.no_check {
                true => Yes,
                false if depth < self.depth => within.clears(whole, depth + 1),
                false => Perhaps,
            });
            match clear.max().unwrap_or(No) {
                Yes if delegate.signer != issuer.1 => No,
                clear => clear,
            }
        });
        answers.max().unwrap_or(No)
    }
}
