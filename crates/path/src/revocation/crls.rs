//! Revocation by CRLs: RFC 5280 §6.3.3, every step under its label.

use std::sync::Arc;

use tagwise_pkix::ext::{CrlDistributionPoints, CrlReason};

use super::list::{Crl, List};
use super::scope::{Point, Reasons};
use super::times::Revoked;
use super::{Desk, Query, Status};
use crate::budget::Limit;
use crate::rules::Rule;
use crate::verifier::Verifier;

/// A CRL of the evidence.
#[derive(Clone, Copy)]
pub(super) struct Entry<'q> {
    pub(super) crl: &'q Arc<Crl>,
    pub(super) list: &'q List<'q>,
}

/// The state of §6.3.3 for one certificate.
struct State<'q> {
    reasons: Reasons,
    /// The CRLs that were applied.
    used: Vec<String>,
    /// The faults of CRLs that cover the certificate.
    faults: Vec<String>,
    deltas: Vec<Entry<'q>>,
}

/// Returns the status by the CRLs of the evidence; `None` if they do not determine it, and faults are added.
pub(super) fn status<'q, V: Verifier + ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    faults: &mut Vec<String>,
) -> Result<Option<Status>, Limit> {
    let crls = query.policy.evidence.lists();
    if crls.is_empty() {
        return Ok(None);
    }
    let mut complete: Vec<Entry<'q>> = Vec::new();
    let mut state = State { reasons: Reasons::NONE, used: Vec::new(), faults: Vec::new(), deltas: Vec::new() };
    for (number, crl) in crls.iter().enumerate() {
        match crl.get(&mut desk.engine.meter)? {
            Ok(list) if list.base.is_some() => state.deltas.push(Entry { crl, list }),
            Ok(list) => complete.push(Entry { crl, list }),
            Err(why) => faults.push(format!("CRL {} of the evidence: {why}", number + 1)),
        }
    }
    // Newer CRLs say more; then nothing is left that an older one of the same scope could add.
    let newest = |entry: &Entry<'_>| core::cmp::Reverse(entry.list.this_update());
    complete.sort_by_key(newest);
    state.deltas.sort_by_key(newest);

    let tbs = &query.certificate.tbs_certificate;
    let points = tbs.extensions.and_then(|extensions| extensions.get::<CrlDistributionPoints<'q>>().ok().flatten());
    let points = points.iter().flat_map(|points| points.0.iter().map_while(Result::ok));
    let points = points.map(|point| Point::new(&point, query)).chain([Point::of_issuer(query)]);
    let points: Vec<Point<'q>> = points.collect();
    // Of equally new CRLs each is asked, so that the one that revokes counts: only those that are older are settled.
    for alike in complete.chunk_by(|one, other| one.list.this_update() == other.list.this_update()) {
        let settled = state.reasons;
        if !Reasons::ALL.adds_to(settled) {
            break;
        }
        for entry in alike {
            desk.compared(points.len() as u64)?;
            // (b), (d)
            let interim = points.iter().filter_map(|point| point.covers(entry.list, query.is_ca));
            let interim = interim.fold(Reasons::NONE, Reasons::or);
            // (e)
            if interim.adds_to(settled)
                && let Some(revoked) = state.apply(query, desk, interim, *entry)?
            {
                return Ok(Some(revoked));
            }
        }
    }
    if !Reasons::ALL.adds_to(state.reasons) {
        return Ok(Some(Status::Good { source: state.used.join("; ") }));
    }
    faults.append(&mut state.faults);
    if !state.used.is_empty() {
        faults.push(format!("not all reasons are covered by {}", state.used.join("; ")));
    } else if faults.is_empty() {
        faults.push("no CRL of the evidence covers it".to_owned());
    }
    Ok(None)
}

impl<'q> State<'q> {
    /// Applies one complete CRL that covers the certificate for some reasons: (f) to (l). Returns the status if it is revoked.
    fn apply<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        interim: Reasons,
        complete: Entry<'q>,
    ) -> Result<Option<Status>, Limit> {
        let deltas = match self.usable(query, desk, complete)? {
            Ok(deltas) => deltas,
            Err(why) => {
                self.faults.push(format!("{}: {why}", complete.list.label()));
                return Ok(None);
            }
        };
        let mut source = complete.list.label();
        for (place, delta) in deltas.iter().enumerate() {
            source += if place == 0 { " with " } else { " and " };
            source += &delta.list.label();
        }
        match lookup(query, desk, complete, &deltas)? {
            Ok(Found::Revoked(revoked)) => {
                Ok(Some(Status::Revoked { since: revoked.since, reason: revoked.reason, source }))
            }
            Ok(found) => {
                if let Found::TooLate(revoked) = found {
                    source = format!("{source}, {}", query.too_late(&revoked));
                }
                // (l)
                self.reasons = self.reasons.or(interim);
                self.used.push(source);
                Ok(None)
            }
            Err(why) => {
                self.faults.push(format!("{source}: {why}"));
                Ok(None)
            }
        }
    }

    /// Applies (a), (c) and (f) to (h): the CRL is current, or made so by a delta, and both are signed. Returns the deltas: the newest
    /// one, or several that are equally new.
    fn usable<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        complete: Entry<'q>,
    ) -> Result<Result<Vec<Entry<'q>>, String>, Limit> {
        if let Err(why) = conforms(complete.list, desk) {
            return Ok(Err(why));
        }
        if complete.list.this_update() > query.evidence_time.saturating_add(query.policy.tolerance) {
            return Ok(Err(format!("its thisUpdate {} is in the future", complete.list.this_update())));
        }
        // (a): a current delta keeps a complete CRL in use whose nextUpdate has passed.
        let stale = is_current(query, complete.list).err();
        let fits = |entry: &&Entry<'_>| updates(entry.list, complete.list) && is_current(query, entry.list).is_ok();
        desk.compared(self.deltas.len() as u64)?;
        let deltas: Vec<Entry<'q>> = self.deltas.iter().filter(fits).copied().collect();
        if let Some(why) = stale.clone().filter(|_| deltas.is_empty()) {
            return Ok(Err(why));
        }
        // (f), (g)
        let key = match desk.crl_signer(query, complete)? {
            Ok(key) => key,
            Err(why) => return Ok(Err(why)),
        };
        // (c), (h): the newest delta that fits and is signed with the same key.
        let mut newest: Vec<Entry<'q>> = Vec::new();
        for entry in deltas {
            if newest.first().is_some_and(|first| entry.list.this_update() < first.list.this_update()) {
                break;
            }
            match conforms(entry.list, desk) {
                Ok(()) if desk.signs(&key, entry)? => newest.push(entry),
                Ok(()) => self.faults.push(format!("{}: not signed as its base is", entry.list.label())),
                Err(why) => self.faults.push(format!("{}: {why}", entry.list.label())),
            }
        }
        match stale {
            Some(why) if newest.is_empty() => Ok(Err(why)),
            _ => Ok(Ok(newest)),
        }
    }
}

/// Checks what RFC 5280 §5.2.3 demands of every CRL, where the policy has the lint.
fn conforms<V: ?Sized>(list: &List<'_>, desk: &Desk<'_, '_, V>) -> Result<(), String> {
    let policy = desk.engine.policy;
    if !policy.rules.has(Rule::Conformance) {
        return Ok(());
    }
    let broken =
        [("rfc5280.5.2.3.no_crl_number", list.number.is_none()), ("rfc5280.5.2.3.critical", list.is_number_critical)];
    for (id, is_broken) in broken {
        if let Some(lint) = tagwise_pkix::lint::by_id(id).filter(|lint| is_broken && policy.lints.has(lint)) {
            return Err(format!("{} [{}] ({})", lint.title, lint.id, lint.clause));
        }
    }
    Ok(())
}

/// (a): checks that the time lies between thisUpdate and nextUpdate. RFC 5280 §5.1.2.5 has every CRL state the latter.
fn is_current(query: &Query<'_>, list: &List<'_>) -> Result<(), String> {
    let tolerance = query.policy.tolerance;
    if list.this_update() > query.evidence_time.saturating_add(tolerance) {
        return Err(format!("its thisUpdate {} is in the future", list.this_update()));
    }
    match list.next_update() {
        // RFC 5280 §5.1.2.5: "Conforming CRL issuers MUST include the nextUpdate field in all CRLs."
        None => match query.policy.crl_max_age {
            None => Err("it has no nextUpdate, so that nothing says how long it holds (RFC 5280 §5.1.2.5)".to_owned()),
            Some(age) if query.evidence_time > list.this_update().saturating_add(age).saturating_add(tolerance) => {
                Err(format!(
                    "it has no nextUpdate, and its thisUpdate {} is more than {} s ago (RFC 5280 §5.1.2.5)",
                    list.this_update(),
                    age.as_secs()
                ))
            }
            Some(_) => Ok(()),
        },
        Some(next) if query.evidence_time > next.saturating_add(tolerance) => {
            Err(format!("its nextUpdate {next} has passed; the time is {}", query.evidence_time))
        }
        Some(_) => Ok(()),
    }
}

/// (c), and the conditions of §5.2.4: a delta CRL brings a complete CRL up to date.
fn updates(delta: &List<'_>, complete: &List<'_>) -> bool {
    let (Some(base), Some(number), Some(of_complete)) = (delta.base, delta.number, complete.number) else {
        return false;
    };
    // (c)(1) to (3)
    let fits = delta.issuer_key == complete.issuer_key
        && delta.scope == complete.scope
        && delta.authority == complete.authority;
    fits && of_complete >= base && of_complete < number
}

/// The statement of CRLs about a certificate.
enum Found {
    /// No entry.
    Nothing,
    /// An entry that takes the certificate off the list.
    Removed,
    /// A revocation that does not count, for it came after the proven time.
    TooLate(Revoked),
    Revoked(Revoked),
}

/// (i) to (k): the entries of the deltas go first. Of several, one that revokes counts.
fn lookup<'q, V: ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    complete: Entry<'q>,
    deltas: &[Entry<'q>],
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
    // A delta takes certificates off the list that have expired, too (§5.3.1, removeFromCRL).
    if matches!(found, Found::Nothing | Found::Removed)
        && let Some(newest) = deltas.iter().chain([&complete]).max_by_key(|entry| entry.list.this_update())
        && let Err(why) = query.not_dropped(newest.list.this_update(), newest.list.kept_since)
    {
        return Ok(Err(why));
    }
    Ok(Ok(found))
}

/// The entry of one CRL for the certificate.
fn entry_of<'q, V: ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    entry: Entry<'q>,
) -> Result<Result<Found, String>, Limit> {
    let found = entry.crl.find(entry.list, query, &mut desk.engine.meter)?;
    let found = match found {
        Ok(None) => return Ok(Ok(Found::Nothing)),
        Ok(Some(found)) => found,
        Err(error) => return Ok(Err(error.to_string())),
    };
    // An entry revokes, also if its extensions cannot be read.
    let reason = found.reason().ok().flatten();
    // (k)
    if reason == Some(CrlReason::RemoveFromCrl) {
        return Ok(Ok(Found::Removed));
    }
    let revoked = Revoked::new(found.entry.revocation_date.into(), reason, found.entry.crl_entry_extensions.as_ref());
    Ok(Ok(if query.counts(&revoked) { Found::Revoked(revoked) } else { Found::TooLate(revoked) }))
}
