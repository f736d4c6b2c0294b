//! CRL-based revocation (RFC 5280 §6.3.3), with each step labeled.
//!
//! §6.3.3 covers usable CRLs. Other CRLs are also examined, because they may list the certificate. An entry in a CRL past
//! its nextUpdate still counts unless a newer CRL supersedes it, since revocation is permanent (§3.3). A flawed CRL that
//! lists the certificate, or may list it, makes the status unknown.

use std::sync::Arc;

use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{CrlDistributionPoints, CrlNumber, CrlReason};

use super::account::{Doubt, EvidenceKind, EvidenceUse, Findings};
use super::desk::CrlSigner;
use super::list::{Crl, List, Listed};
use super::scope::{Point, Reasons};
use super::series::{conforms, is_current, is_same_series, updates};
use super::times::Revoked;
use super::{Desk, Query, Status};
use crate::budget::Limit;
use crate::verifier::Verifier;

/// A supplied CRL.
#[derive(Clone, Copy)]
pub(super) struct UsableCrl<'q> {
    pub(super) crl: &'q Arc<Crl>,
    pub(super) list: &'q List<'q>,
    /// The CRL's index among the supplied ones.
    number: usize,
}

/// The state of RFC 5280 §6.3.3 for one certificate.
struct State<'q> {
    points: Vec<Point<'q>>,
    reasons: Reasons,
    /// The labels of the applied CRLs.
    used: Vec<String>,
    applied: Vec<Applied<'q>>,
    complete: Vec<UsableCrl<'q>>,
    /// The faults of CRLs that cover the certificate.
    faults: Vec<String>,
    doubts: Vec<Doubt>,
    deltas: Vec<UsableCrl<'q>>,
    /// The indexes of the applied delta CRLs.
    applied_deltas: Vec<usize>,
    /// CRLs whose nextUpdate has passed and that do not list the certificate, newest first. Their signatures have not been checked yet.
    silent: Vec<UsableCrl<'q>>,
    /// Current CRLs that were skipped because they do not list the certificate, newest first. Their signatures have not been checked.
    skipped: Vec<UsableCrl<'q>>,
}

/// An applied complete CRL, with its delta CRLs. None of them lists the certificate.
struct Applied<'q> {
    list: &'q List<'q>,
    signer: CrlSigner,
    /// The thisUpdate of the newest CRL.
    newest: UnixTime,
    /// The highest CRL number among the newest.
    highest: Option<CrlNumber<'q>>,
}

impl Applied<'_> {
    /// Returns whether a delta CRL is older.
    fn is_after(&self, delta: &List<'_>) -> bool {
        self.newest > delta.this_update()
            || self.newest == delta.this_update() && delta.number.is_some() && delta.number <= self.highest
    }
}

/// Returns the status according to the supplied CRLs, and the time of the newest one. Returns `None` if they do not
/// determine it.
pub(super) fn status<'q, V: Verifier + ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    findings: &mut Findings,
) -> Result<Option<(UnixTime, Status)>, Limit> {
    let crls = query.policy.evidence.lists();
    if crls.is_empty() {
        return Ok(None);
    }
    let mut complete: Vec<UsableCrl<'q>> = Vec::new();
    let mut deltas: Vec<UsableCrl<'q>> = Vec::new();
    for (number, crl) in crls.iter().enumerate() {
        let fault = match crl.get(&mut desk.engine.meter)? {
            Ok(list) => {
                desk.engine.accounts.label(EvidenceKind::Crl, number, || list.label());
                let entries = if list.base.is_some() { &mut deltas } else { &mut complete };
                entries.push(UsableCrl { crl, list, number });
                list.flaw.as_deref()
            }
            Err(why) => Some(why),
        };
        if let Some(why) = fault {
            findings.faults.push(format!("CRL {} of the evidence: {why}", number + 1));
            note(desk, number, EvidenceUse::Unusable { why: why.to_owned() });
        }
    }
    // A newer CRL supersedes an older one of the same issuer, scope and key.
    let newest = |entry: &UsableCrl<'_>| core::cmp::Reverse(entry.list.this_update());
    complete.sort_by_key(newest);
    deltas.sort_by_key(newest);

    let tbs = &query.certificate.tbs_certificate;
    let points = tbs.extensions.and_then(|extensions| extensions.get::<CrlDistributionPoints<'q>>().ok().flatten());
    let points = points.iter().flat_map(|points| points.0.iter().map_while(Result::ok));
    let points = points.map(|point| Point::new(&point, query)).chain([Point::of_issuer(query)]);
    let mut state = State {
        points: points.collect(),
        reasons: Reasons::NONE,
        used: Vec::new(),
        applied: Vec::new(),
        complete: complete.clone(),
        faults: Vec::new(),
        doubts: Vec::new(),
        deltas,
        applied_deltas: Vec::new(),
        silent: Vec::new(),
        skipped: Vec::new(),
    };
    // All equally new CRLs are consulted, so that any revocation counts; only older ones are skipped.
    for alike in complete.chunk_by(|one, other| one.list.this_update() == other.list.this_update()) {
        let settled = state.reasons;
        for entry in alike {
            let interim = state.covered(query, desk, *entry)?;
            if interim == Reasons::NONE {
                state.other_scope(query, desk, *entry, &complete)?;
                continue;
            }
            // (e). A CRL of another scope or key may be the only one that lists the certificate.
            let time = entry.list.this_update();
            if !interim.adds_to(settled)
                && state.is_replaced(query, desk, *entry, |applied| applied.list.this_update() > time)?
            {
                not_applicable(desk, *entry, "newer CRLs cover the certificate");
                continue;
            }
            if let Some(revoked) = state.apply(query, desk, interim, *entry)? {
                return Ok(Some((entry.list.this_update(), revoked)));
            }
        }
    }
    if let Some(revoked) = state.other_deltas(query, desk)? {
        return Ok(Some(revoked));
    }
    findings.doubts.append(&mut state.doubts);
    let newest = state.applied.iter().map(|applied| applied.newest).max();
    if let Some(newest) = newest.filter(|_| !Reasons::ALL.adds_to(state.reasons)) {
        return Ok(Some((newest, Status::Good { source: state.used.join("; ") })));
    }
    findings.faults.append(&mut state.faults);
    if !state.used.is_empty() {
        findings.faults.push(format!("not all reasons are covered by {}", state.used.join("; ")));
    } else if findings.faults.is_empty() {
        findings.faults.push("no supplied CRL covers the certificate".to_owned());
    }
    Ok(None)
}

fn note<V: ?Sized>(desk: &mut Desk<'_, '_, V>, number: usize, outcome: EvidenceUse) {
    desk.engine.accounts.note(EvidenceKind::Crl, number, outcome);
}

fn not_applicable<V: ?Sized>(desk: &mut Desk<'_, '_, V>, entry: UsableCrl<'_>, why: &str) {
    note(desk, entry.number, EvidenceUse::NotApplicable { why: why.to_owned() });
}

/// Returns whether thisUpdate is in the future.
fn is_early(query: &Query<'_>, list: &List<'_>) -> bool {
    list.this_update() > query.evidence_time.saturating_add(query.policy.tolerance)
}

impl<'q> State<'q> {
    /// Applies (b) and (d): returns the reasons for which a CRL covers the certificate.
    fn covered<V: Verifier + ?Sized>(
        &self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
    ) -> Result<Reasons, Limit> {
        desk.compared(self.points.len() as u64)?;
        let interim = self.points.iter().filter_map(|point| point.covers(entry.list, query.is_ca));
        Ok(interim.fold(Reasons::NONE, Reasons::or))
    }

    /// Returns whether applied newer CRLs replace a CRL. Those of another scope or key do so only if the CRL and its delta CRLs
    /// do not list the certificate: a CA may have several CRLs at a time, such as one for each of its keys, and a revocation on
    /// any of them counts (RFC 5280 §6.3.3 (b) and (f)).
    fn is_replaced<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        is_newer: impl Fn(&Applied<'q>) -> bool,
    ) -> Result<bool, Limit> {
        if !self.applied.iter().any(&is_newer) {
            return Ok(false);
        }
        if !self.may_list(query, desk, entry)? {
            if entry.list.base.is_none() && entry.list.flaw.is_none() && !is_early(query, entry.list) {
                self.skipped.push(entry);
            }
            return Ok(true);
        }
        for applied in self.applied.iter().filter(|&applied| is_newer(applied)) {
            desk.compared(1)?;
            if is_same_series(applied.list, entry.list) && is_signed_alike(desk, applied.list, &applied.signer, entry)?
            {
                return Ok(true);
            }
        }
        let time = entry.list.this_update();
        for newer in self.skipped.iter().filter(|newer| newer.list.this_update() > time) {
            desk.compared(1)?;
            if replaces(query, desk, *newer, entry)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a CRL or one of its delta CRLs may list the certificate as revoked.
    fn may_list<V: ?Sized>(
        &self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
    ) -> Result<bool, Limit> {
        let deltas = if entry.list.base.is_none() { self.deltas.as_slice() } else { &[] };
        desk.engine.meter.name_comparisons(deltas.len() as u64)?;
        let deltas = deltas.iter().copied().filter(|delta| updates(delta.list, entry.list));
        for entry in core::iter::once(entry).chain(deltas) {
            let may_list = match entry.list.flaw {
                Some(_) => !matches!(entry.crl.listed(entry.list, query, &mut desk.engine.meter)?, Listed::No),
                None => matches!(entry_of(query, desk, entry)?, Ok(Found::Revoked(_)) | Err(_)),
            };
            if may_list {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records that a CRL covers the certificate but cannot be used.
    fn unusable<V: ?Sized>(&mut self, desk: &mut Desk<'_, '_, V>, entry: UsableCrl<'q>, why: &str) {
        self.faults.push(format!("{}: {why}", entry.list.label()));
        note(desk, entry.number, EvidenceUse::Unusable { why: why.to_owned() });
    }

    fn doubt(&mut self, entry: UsableCrl<'q>, may_be_lifted: bool, why: &str) {
        let why = format!("{} lists the certificate, but cannot be used: {why}", entry.list.label());
        self.doubts.push(Doubt { time: entry.list.this_update(), may_be_lifted, why });
    }

    /// Applies (f) to (l) to a complete CRL that covers the certificate for some reasons. Returns the status if it is revoked.
    fn apply<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        interim: Reasons,
        complete: UsableCrl<'q>,
    ) -> Result<Option<Status>, Limit> {
        let list = complete.list;
        if let Some(why) = &list.flaw {
            self.flawed(query, desk, complete, why)?;
            return Ok(None);
        }
        if is_early(query, list) {
            let why = format!("its thisUpdate {} is in the future", list.this_update());
            self.unusable(desk, complete, &why);
            self.would_revoke(query, desk, complete, &why, |revoked| query.reaches_back(revoked))?;
            return Ok(None);
        }
        // (a): a current delta keeps a complete CRL in use whose nextUpdate has passed.
        let stale = is_current(query, list).err();
        let fits = |entry: &&UsableCrl<'_>| {
            updates(entry.list, list) && entry.list.flaw.is_none() && is_current(query, entry.list).is_ok()
        };
        desk.compared(self.deltas.len() as u64)?;
        let deltas: Vec<UsableCrl<'q>> = self.deltas.iter().filter(fits).copied().collect();
        if let Some(why) = stale.as_ref().filter(|_| deltas.is_empty()) {
            return self.stale(query, desk, complete, why);
        }
        // (f), (g)
        let signer = match desk.crl_signer(query, complete)? {
            Ok(signer) => signer,
            Err(unverified) => {
                self.unusable(desk, complete, &unverified.why);
                if unverified.is_possible && matches!(entry_of(query, desk, complete)?, Ok(Found::Revoked(_)) | Err(_))
                {
                    self.doubt(complete, false, &unverified.why);
                }
                return Ok(None);
            }
        };
        // (c), (h): the newest delta that fits and is signed with the same key.
        let mut newest: Vec<UsableCrl<'q>> = Vec::new();
        for entry in deltas {
            if newest.first().is_some_and(|first| entry.list.this_update() < first.list.this_update()) {
                break;
            }
            if desk.signs(&signer, entry)?.is_ok() {
                newest.push(entry);
            } else {
                self.unusable(desk, entry, "it is not signed by the signer of its base CRL");
            }
        }
        match stale {
            Some(why) if newest.is_empty() => self.stale(query, desk, complete, &why),
            _ => self.current(query, desk, interim, (complete, signer), &newest),
        }
    }

    /// Applies (i) to (l) to a usable CRL and its delta CRLs.
    fn current<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        interim: Reasons,
        (complete, signer): (UsableCrl<'q>, CrlSigner),
        deltas: &[UsableCrl<'q>],
    ) -> Result<Option<Status>, Limit> {
        let mut source = complete.list.label();
        for (place, delta) in deltas.iter().enumerate() {
            source += if place == 0 { " with " } else { " and " };
            source += &delta.list.label();
        }
        let both = || core::iter::once(complete).chain(deltas.iter().copied());
        let found = match lookup(query, desk, complete, deltas)? {
            Ok(found) => found,
            Err(why) => {
                for entry in both() {
                    self.unusable(desk, entry, &why);
                }
                self.doubt(complete, false, &why);
                return Ok(None);
            }
        };
        if let Found::Revoked(revoked) = found {
            both().for_each(|entry| note(desk, entry.number, EvidenceUse::Used));
            return Ok(Some(Status::Revoked { since: revoked.since, reason: revoked.reason, source }));
        }
        // Evidence that a certificate is good must meet stricter conditions than evidence that revokes it.
        let newest = both().map(|entry| entry.list.this_update()).max().unwrap_or(complete.list.this_update());
        let is_silent = matches!(found, Found::Nothing | Found::Removed);
        // A delta also removes expired certificates from the list (§5.3.1, removeFromCRL).
        let kept_since =
            both().find(|entry| entry.list.this_update() == newest).and_then(|entry| entry.list.kept_since);
        let dropped = if is_silent { query.not_dropped(newest, kept_since) } else { Ok(()) };
        let conforms = both().try_for_each(|entry| conforms(entry.list, desk.engine.policy));
        let settled = signer.unsettled.as_ref().map_or(Ok(()), |why| Err(unsettled(&complete, why)));
        if let Err(why) = conforms.and(dropped).and(settled) {
            self.faults.push(format!("{source}: {why}"));
            both().for_each(|entry| note(desk, entry.number, EvidenceUse::Unusable { why: why.clone() }));
            return Ok(None);
        }
        if let Found::TooLate(revoked) = found {
            source = format!("{source}, {}", query.too_late(&revoked));
        }
        both().for_each(|entry| note(desk, entry.number, EvidenceUse::Used));
        self.applied_deltas.extend(deltas.iter().map(|delta| delta.number));
        // (l)
        self.reasons = self.reasons.or(interim);
        let of_newest = both().filter(|entry| entry.list.this_update() == newest);
        let highest = of_newest.filter_map(|entry| entry.list.number).max();
        self.applied.push(Applied { list: complete.list, signer, newest, highest });
        self.used.push(source);
        Ok(None)
    }

    /// Checks a CRL without nextUpdate, or whose nextUpdate has passed. It only proves revocation, not that a certificate is good.
    fn stale<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        why: &str,
    ) -> Result<Option<Status>, Limit> {
        let revoked = match entry_of(query, desk, entry)? {
            Ok(Found::Revoked(revoked)) => revoked,
            Ok(Found::Nothing | Found::Removed | Found::TooLate(_)) => {
                self.silent.push(entry);
                self.unusable(desk, entry, why);
                return Ok(None);
            }
            Err(error) => {
                self.flawed(query, desk, entry, &error)?;
                return Ok(None);
            }
        };
        // A newer one of the same key replaces it.
        for newer in self.silent.iter().filter(|newer| newer.list.this_update() > entry.list.this_update()) {
            if replaces(query, desk, *newer, entry)? {
                not_applicable(desk, entry, "a newer CRL replaces it");
                return Ok(None);
            }
        }
        match desk.crl_signer(query, entry)? {
            Ok(_) if !revoked.is_hold() => {
                note(desk, entry.number, EvidenceUse::Used);
                let source = format!("{} ({why})", entry.list.label());
                Ok(Some(Status::Revoked { since: revoked.since, reason: revoked.reason, source }))
            }
            Ok(_) => {
                self.unusable(desk, entry, why);
                self.doubt(entry, true, why);
                Ok(None)
            }
            Err(unverified) => {
                self.unusable(desk, entry, &unverified.why);
                if unverified.is_possible {
                    self.doubt(entry, revoked.is_hold(), &unverified.why);
                }
                Ok(None)
            }
        }
    }

    /// Checks an unusable CRL. If it lists the certificate and may be authentic, the status is unknown.
    fn flawed<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        why: &str,
    ) -> Result<(), Limit> {
        note(desk, entry.number, EvidenceUse::Unusable { why: why.to_owned() });
        let is_listed = entry.crl.listed(entry.list, query, &mut desk.engine.meter)? != Listed::No;
        if is_listed && desk.crl_signer(query, entry)?.map_or_else(|unverified| unverified.is_possible, |_| true) {
            self.doubt(entry, false, why);
        }
        Ok(())
    }

    /// Checks a readable but unusable CRL. If it revokes the certificate and may be authentic, the status is unknown.
    fn would_revoke<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        why: &str,
        counts: impl FnOnce(&Revoked) -> bool,
    ) -> Result<(), Limit> {
        let is_hold = match entry_of(query, desk, entry)? {
            Ok(Found::Revoked(revoked)) if counts(&revoked) => revoked.is_hold(),
            Ok(_) => return Ok(()),
            Err(error) => return self.flawed(query, desk, entry, &error),
        };
        if desk.crl_signer(query, entry)?.map_or_else(|unverified| unverified.is_possible, |_| true) {
            self.doubt(entry, is_hold, why);
        }
        Ok(())
    }

    /// Checks a CRL whose scope does not cover the certificate. Serial numbers are unique (RFC 5280 §4.1.2.2), so if one of the
    /// certificate's issuers nevertheless revokes it, the status is unknown, unless a newer one of `alike` replaces it.
    fn other_scope<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        alike: &[UsableCrl<'q>],
    ) -> Result<(), Limit> {
        let why = "its issuer or its scope does not cover the certificate";
        let list = entry.list;
        // Attribute certificates have serial numbers of their own.
        let is_other = list.point.is_some_and(|point| point.only_contains_attribute_certs)
            || !self.points.iter().any(|point| point.names_issuer_of(list));
        let revoked = match &list.flaw {
            _ if is_other => None,
            Some(_) => {
                let listed = entry.crl.listed(list, query, &mut desk.engine.meter)?;
                (listed == Listed::Yes).then_some(false)
            }
            None => match entry_of(query, desk, entry)? {
                Ok(Found::Revoked(revoked)) if !is_early(query, list) || query.reaches_back(&revoked) => {
                    Some(revoked.is_hold())
                }
                _ => None,
            },
        };
        let Some(is_hold) = revoked else {
            not_applicable(desk, entry, why);
            return Ok(());
        };
        let time = list.this_update();
        for newer in alike.iter().filter(|newer| newer.list.this_update() > time && newer.list.flaw.is_none()) {
            desk.compared(1)?;
            if !is_early(query, newer.list)
                && is_same_series(newer.list, list)
                && matches!(entry_of(query, desk, *newer)?, Ok(found) if !matches!(found, Found::Revoked(_)))
                && replaces(query, desk, *newer, entry)?
            {
                not_applicable(desk, entry, "a newer CRL replaces it");
                return Ok(());
            }
        }
        if desk.crl_signer(query, entry)?.map_or_else(|unverified| unverified.is_possible, |_| true) {
            self.unusable(desk, entry, why);
            self.doubt(entry, is_hold, "its scope does not cover the certificate (RFC 5280 §6.3.3 (b))");
        } else {
            not_applicable(desk, entry, why);
        }
        Ok(())
    }

    /// Checks the delta CRLs that were not applied to any complete CRL. If one revokes the certificate, the status is unknown, unless
    /// newer CRLs were applied.
    fn other_deltas<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
    ) -> Result<Option<(UnixTime, Status)>, Limit> {
        let deltas = core::mem::take(&mut self.deltas);
        for (place, entry) in deltas.iter().copied().enumerate() {
            if self.applied_deltas.contains(&entry.number) {
                continue;
            }
            if self.covered(query, desk, entry)? == Reasons::NONE {
                self.other_scope(query, desk, entry, &deltas)?;
                continue;
            }
            let number = entry.list.number;
            if self.is_replaced(query, desk, entry, |applied| applied.is_after(entry.list))? {
                not_applicable(desk, entry, "newer CRLs cover the certificate");
                continue;
            }
            let flaw = match (&entry.list.flaw, number) {
                (Some(why), _) => Some(why.clone()),
                (None, None) => Some("a delta CRL must have a number (RFC 5280 §5.2.4)".to_owned()),
                (None, Some(_)) => None,
            };
            if let Some(why) = flaw {
                self.unusable(desk, entry, &why);
                self.flawed(query, desk, entry, &why)?;
                continue;
            }
            let newer = deltas.get(..place).unwrap_or_default();
            let stale = is_current(query, entry.list).err().filter(|_| !is_early(query, entry.list));
            if let Some(why) = &stale
                && let Some(revoked) = self.stale_delta(query, desk, entry, newer, why)?
            {
                return Ok(Some((entry.list.this_update(), revoked)));
            }
            let none = || "no usable complete CRL matches its base (RFC 5280 §5.2.4)".to_owned();
            let why = is_current(query, entry.list).err().unwrap_or_else(none);
            self.unusable(desk, entry, &why);
            let is_early = is_early(query, entry.list);
            let counts = |revoked: &Revoked| !is_early || query.reaches_back(revoked);
            self.would_revoke(query, desk, entry, &why, counts)?;
        }
        Ok(None)
    }

    /// Returns the status according to an expired delta CRL, if it permanently revokes the certificate and no newer one supersedes it.
    fn stale_delta<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        entry: UsableCrl<'q>,
        newer: &[UsableCrl<'q>],
        why: &str,
    ) -> Result<Option<Status>, Limit> {
        desk.compared((self.complete.len() + newer.len()) as u64)?;
        let has_base = self.complete.iter().any(|complete| updates(entry.list, complete.list));
        let Ok(Found::Revoked(revoked)) = entry_of(query, desk, entry)? else { return Ok(None) };
        if !has_base || revoked.is_hold() {
            return Ok(None);
        }
        for later in newer.iter().filter(|later| later.list.flaw.is_none()) {
            if matches!(entry_of(query, desk, *later)?, Ok(found) if !matches!(found, Found::Revoked(_)))
                && replaces(query, desk, *later, entry)?
            {
                return Ok(None);
            }
        }
        if desk.crl_signer(query, entry)?.is_err() {
            return Ok(None);
        }
        note(desk, entry.number, EvidenceUse::Used);
        let source = format!("{} ({why})", entry.list.label());
        Ok(Some(Status::Revoked { since: revoked.since, reason: revoked.reason, source }))
    }
}

/// Describes why a CRL's signer is accepted only for revocations.
fn unsettled(entry: &UsableCrl<'_>, why: &str) -> String {
    format!("its signer {}: {why}", entry.list.list.tbs_cert_list.issuer.oneline())
}

/// Returns whether a CRL is signed with the same key as a verified one. If its signature cannot be checked, the authority key
/// identifiers decide.
fn is_signed_alike<V: Verifier + ?Sized>(
    desk: &mut Desk<'_, '_, V>,
    verified: &List<'_>,
    signer: &CrlSigner,
    entry: UsableCrl<'_>,
) -> Result<bool, Limit> {
    Ok(match desk.signs(signer, entry)? {
        Ok(()) => true,
        Err(why) => why.is_possible && verified.authority.is_some() && verified.authority == entry.list.authority,
    })
}

/// Returns whether a newer CRL replaces one: it has the same issuer, scope and key, and its signer is accepted without reservation.
fn replaces<V: Verifier + ?Sized>(
    query: &Query<'_>,
    desk: &mut Desk<'_, '_, V>,
    newer: UsableCrl<'_>,
    entry: UsableCrl<'_>,
) -> Result<bool, Limit> {
    if !is_same_series(newer.list, entry.list) {
        return Ok(false);
    }
    match desk.crl_signer(query, newer)? {
        Ok(signer) if signer.unsettled.is_none() => is_signed_alike(desk, newer.list, &signer, entry),
        _ => Ok(false),
    }
}

/// A CRL's statement about a certificate, considering its delta CRLs.
enum Found {
    /// There is no entry.
    Nothing,
    /// An entry removes the certificate from the CRL.
    Removed,
    /// A revocation is ignored, because it is later than the proven time.
    TooLate(Revoked),
    Revoked(Revoked),
}

/// Applies (i) to (k): looks up the certificate in the delta CRLs, then in the complete CRL. A revocation in any delta counts.
fn lookup<'q, V: ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    complete: UsableCrl<'q>,
    deltas: &[UsableCrl<'q>],
) -> Result<Result<Found, String>, Limit> {
    let mut found = Found::Nothing;
    for entry in deltas {
        match entry_of(query, desk, *entry)? {
            Ok(Found::Nothing) => {}
            Ok(Found::Revoked(revoked)) => return Ok(Ok(Found::Revoked(revoked))),
            Ok(other) => found = other,
            Err(error) => return Ok(Err(error)),
        }
    }
    if matches!(found, Found::Nothing) {
        found = match entry_of(query, desk, complete)? {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
    }
    Ok(Ok(found))
}

/// Returns the statement of one CRL about the certificate.
fn entry_of<'q, V: ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    entry: UsableCrl<'q>,
) -> Result<Result<Found, String>, Limit> {
    let found = entry.crl.find(entry.list, query, &mut desk.engine.meter)?;
    let found = match found {
        Ok(None) => return Ok(Ok(Found::Nothing)),
        Ok(Some(found)) => found,
        Err(error) => return Ok(Err(error.to_string())),
    };
    // An entry revokes even if its extensions are unreadable.
    let reason = found.reason().ok().flatten();
    // (k)
    if reason == Some(CrlReason::RemoveFromCrl) {
        return Ok(Ok(Found::Removed));
    }
    let revoked = Revoked::new(found.entry.revocation_date.into(), reason, found.entry.crl_entry_extensions.as_ref());
    Ok(Ok(if query.counts(&revoked) { Found::Revoked(revoked) } else { Found::TooLate(revoked) }))
}
