//! Revocation by CRLs: RFC 5280 §6.3.3, every step under its label.

use std::sync::Arc;

use tagwise_pkix::ext::{CrlDistributionPoints, CrlReason};

use super::list::{Crl, List};
use super::scope::{Point, Reasons};
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
    /// The complete CRLs that cannot be used, by their place.
    bad: Vec<usize>,
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
    let mut state =
        State { reasons: Reasons::NONE, used: Vec::new(), faults: Vec::new(), bad: Vec::new(), deltas: Vec::new() };
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
    for point in points {
        desk.compared(complete.len() as u64)?;
        for (place, entry) in complete.iter().enumerate() {
            if let Some(revoked) = state.apply(query, desk, &point, place, *entry)? {
                return Ok(Some(revoked));
            }
            if !Reasons::ALL.adds_to(state.reasons) {
                return Ok(Some(Status::Good { source: state.used.join("; ") }));
            }
        }
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
    /// Applies one complete CRL for one distribution point: (b) to (l). Returns the status if it is revoked.
    fn apply<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        point: &Point<'q>,
        place: usize,
        complete: Entry<'q>,
    ) -> Result<Option<Status>, Limit> {
        // (b), (d)
        let Some(interim) = point.covers(complete.list, query.is_ca) else { return Ok(None) };
        // (e)
        if !interim.adds_to(self.reasons) || self.bad.contains(&place) {
            return Ok(None);
        }
        let applied = self.usable(query, desk, complete)?;
        let delta = match applied {
            Ok(delta) => delta,
            Err(why) => {
                self.faults.push(format!("{}: {why}", complete.list.label()));
                self.bad.push(place);
                return Ok(None);
            }
        };
        let found = lookup(query, desk, complete, delta)?;
        let source = match delta {
            None => complete.list.label(),
            Some(delta) => format!("{} with {}", complete.list.label(), delta.list.label()),
        };
        match found {
            Ok(None) => {
                // (l)
                self.reasons = self.reasons.or(interim);
                self.used.push(source);
                Ok(None)
            }
            Ok(Some((since, reason))) => Ok(Some(Status::Revoked { since, reason, source })),
            Err(why) => {
                self.faults.push(format!("{source}: {why}"));
                self.bad.push(place);
                Ok(None)
            }
        }
    }

    /// Applies (a), (c) and (f) to (h): the CRL is current, or made so by a delta, and both are signed. Returns the delta.
    fn usable<V: Verifier + ?Sized>(
        &mut self,
        query: &Query<'q>,
        desk: &mut Desk<'_, '_, V>,
        complete: Entry<'q>,
    ) -> Result<Result<Option<Entry<'q>>, String>, Limit> {
        if let Err(why) = conforms(complete.list, desk) {
            return Ok(Err(why));
        }
        if complete.list.this_update() > query.time.saturating_add(query.policy.tolerance) {
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
        let mut delta = None;
        for entry in deltas {
            match conforms(entry.list, desk) {
                Ok(()) if desk.signs(&key, entry)? => {
                    delta = Some(entry);
                    break;
                }
                Ok(()) => self.faults.push(format!("{}: not signed as its base is", entry.list.label())),
                Err(why) => self.faults.push(format!("{}: {why}", entry.list.label())),
            }
        }
        match stale {
            Some(why) if delta.is_none() => Ok(Err(why)),
            _ => Ok(Ok(delta)),
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
    if list.this_update() > query.time.saturating_add(tolerance) {
        return Err(format!("its thisUpdate {} is in the future", list.this_update()));
    }
    match list.next_update() {
        // RFC 5280 §5.1.2.5: "Conforming CRL issuers MUST include the nextUpdate field in all CRLs."
        None => match query.policy.crl_max_age {
            None => Err("it has no nextUpdate, so that nothing says how long it holds (RFC 5280 §5.1.2.5)".to_owned()),
            Some(age) if query.time > list.this_update().saturating_add(age).saturating_add(tolerance) => Err(format!(
                "it has no nextUpdate, and its thisUpdate {} is more than {} s ago (RFC 5280 §5.1.2.5)",
                list.this_update(),
                age.as_secs()
            )),
            Some(_) => Ok(()),
        },
        Some(next) if query.time > next.saturating_add(tolerance) => {
            Err(format!("its nextUpdate {next} has passed; the time is {}", query.time))
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

/// A time of revocation and its reason, or the fault of an entry.
type Found = Result<Option<(tagwise_pkix::UnixTime, Option<CrlReason>)>, String>;

/// (i) to (k): the entry of the delta goes first. Returns the time and reason of a revocation.
fn lookup<'q, V: ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    complete: Entry<'q>,
    delta: Option<Entry<'q>>,
) -> Result<Found, Limit> {
    for entry in delta.into_iter().chain([complete]) {
        let found = entry.crl.find(entry.list, query, &mut desk.engine.meter)?;
        let read = found.and_then(|found| match found {
            None => Ok(None),
            // (k)
            Some(entry) if entry.is_removal()? => Ok(Some(None)),
            Some(entry) => Ok(Some(Some((entry.entry.revocation_date.into(), entry.reason()?)))),
        });
        match read {
            Ok(None) => {}
            Ok(Some(found)) => return Ok(Ok(found)),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    Ok(Ok(None))
}
