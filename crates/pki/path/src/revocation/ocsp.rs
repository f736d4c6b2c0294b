//! OCSP-based revocation (RFC 6960 §2, §3.2, §4.2.2): which responses apply, and who may sign them.

use tagwise_codec::encode;
use tagwise_pkix::build::Digest;
use tagwise_pkix::ext::OcspNoCheck;
use tagwise_pkix::ocsp::{ArchiveCutoff, CertId, CertStatus, ResponderId, SingleResponse};
use tagwise_pkix::{CertificateBuf, UnixTime, oids};

use super::account::{Doubt, EvidenceKind, EvidenceUse, Findings, Unverified};
use super::desk::short;
use super::response::Answers;
use super::times::Revoked;
use super::{Desk, Query, Signing, Status};
use crate::budget::Limit;
use crate::path::Path;
use crate::verifier::Verifier;

/// The supported CertID hash algorithms.
const DIGESTS: [Digest; 4] = [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512];

/// Returns the status and thisUpdate according to the newest supplied OCSP response that determines the status.
/// Returns `None` if there is none.
pub(super) fn status<'q, V: Verifier + ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    findings: &mut Findings,
) -> Result<Option<(UnixTime, Status)>, Limit> {
    let responses = query.policy.evidence.responses();
    let mut identity = Identity::new(query);
    // The newest answer counts, and among answers of the same time one that revokes.
    let mut best: Option<((UnixTime, bool), Status)> = None;
    let mut doubts: Vec<Doubt> = Vec::new();
    desk.compared(responses.len() as u64)?;
    for (number, response) in responses.iter().enumerate() {
        let mut found = Found { number, place: format!("OCSP response {} of the evidence", number + 1) };
        let answers = match response.get(&mut desk.engine.meter)? {
            Ok(answers) => answers,
            Err(why) => {
                found.unusable(why, desk, findings);
                continue;
            }
        };
        desk.engine.accounts.label(EvidenceKind::Ocsp, number, || answers.label(&found.place));
        let serial = query.certificate.tbs_certificate.serial_number.0.as_bytes();
        let about: Vec<&SingleResponse<'_>> =
            answers.about(serial).iter().filter(|answer| identity.is(&answer.cert_id)).collect();
        let is_unread = answers.may_revoke(serial);
        if about.is_empty() && !is_unread {
            match &answers.flaw {
                Some(why) => found.unusable(why, desk, findings),
                None => {
                    found.note(EvidenceUse::NotApplicable { why: "it does not cover this certificate".into() }, desk)
                }
            }
            continue;
        }
        let produced = answers.data.produced_at.unix();
        let mut signer: Option<Result<Responder, Unverified>> = None;
        if let Some(why) = answers.flaw.as_ref().filter(|_| is_unread) {
            found.unusable(why, desk, findings);
            let by = responder(query, desk, answers)?;
            if by.as_ref().map_or_else(|unverified| unverified.is_possible, |_| true) {
                doubts.push(found.doubt(produced, false, why));
            }
            signer = Some(by);
        }
        for answer in about {
            let fault = fault_of(query, answers, answer);
            let revoked = match &answer.cert_status {
                CertStatus::Revoked(revoked) => {
                    let (since, reason) = (revoked.revocation_time.unix(), revoked.revocation_reason);
                    Some(Revoked::new(since, reason, answer.single_extensions.as_ref()))
                }
                CertStatus::Good | CertStatus::Unknown(_) => None,
            };
            let revoked = revoked.filter(|revoked| query.counts(revoked));
            if let (Some((_, why)), None) = (&fault, &revoked) {
                found.unusable(why, desk, findings);
                continue;
            }
            let by = match signer.take() {
                Some(known) => known,
                None => responder(query, desk, answers)?,
            };
            let this_update = answer.this_update.unix();
            let may_count =
                |fault: Standing, revoked: &Revoked| fault != Standing::Early || query.reaches_back(revoked);
            match (&by, &fault, &revoked) {
                (Err(unverified), _, _) => {
                    found.unusable(&unverified.why, desk, findings);
                    let standing = fault.as_ref().map_or(Standing::Late, |(standing, _)| *standing);
                    if unverified.is_possible && revoked.as_ref().is_some_and(|revoked| may_count(standing, revoked)) {
                        doubts.push(found.doubt(this_update, false, &unverified.why));
                    }
                }
                (Ok(by), None, _) => match status_of(query, answer, by) {
                    Err(why) => found.unusable(&why, desk, findings),
                    Ok(status) => {
                        found.note(EvidenceUse::Used, desk);
                        let rank = (this_update, matches!(status, Status::Revoked { .. }));
                        if best.as_ref().is_none_or(|(known, _)| *known < rank) {
                            best = Some((rank, status));
                        }
                    }
                },
                // A revocation is permanent and outlives its answer, unless it is a hold.
                (Ok(by), Some((Standing::Late, why)), Some(revoked)) if !revoked.is_hold() => {
                    found.note(EvidenceUse::Used, desk);
                    let source = format!("OCSP response by {}, {this_update} ({why})", by.name);
                    if best.as_ref().is_none_or(|(known, _)| *known < (this_update, true)) {
                        let status = Status::Revoked { since: revoked.since, reason: revoked.reason, source };
                        best = Some(((this_update, true), status));
                    }
                }
                (Ok(_), Some((standing, why)), Some(revoked)) => {
                    found.unusable(why, desk, findings);
                    if may_count(*standing, revoked) {
                        doubts.push(found.doubt(this_update, *standing == Standing::Late, why));
                    }
                }
                (Ok(_), Some(_), None) => {}
            }
            signer = Some(by);
        }
    }
    // A newer usable answer replaces an older one.
    let newest = best.as_ref().map(|((time, _), _)| *time);
    doubts.retain(|doubt| newest.is_none_or(|newest| newest <= doubt.time));
    findings.doubts.append(&mut doubts);
    Ok(best.map(|((time, _), status)| (time, status)))
}

/// A supplied response, as needed to record its use.
struct Found {
    number: usize,
    place: String,
}

impl Found {
    fn note<V: Verifier + ?Sized>(&mut self, outcome: EvidenceUse, desk: &mut Desk<'_, '_, V>) {
        desk.engine.accounts.note(EvidenceKind::Ocsp, self.number, outcome);
    }

    fn unusable<V: Verifier + ?Sized>(&mut self, why: &str, desk: &mut Desk<'_, '_, V>, findings: &mut Findings) {
        findings.faults.push(format!("{}: {why}", self.place));
        self.note(EvidenceUse::Unusable { why: why.to_owned() }, desk);
    }

    fn doubt(&self, time: UnixTime, may_be_lifted: bool, why: &str) -> Doubt {
        Doubt { time, may_be_lifted, why: format!("{} reports it as revoked, but cannot be used: {why}", self.place) }
    }
}

/// The reason why a response or an answer cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The response is flawed.
    Flawed,
    /// The response is not yet valid.
    Early,
    /// The response is no longer valid.
    Late,
}

fn fault_of(query: &Query<'_>, answers: &Answers<'_>, answer: &SingleResponse<'_>) -> Option<(Standing, String)> {
    if let Some(why) = &answers.flaw {
        return Some((Standing::Flawed, why.clone()));
    }
    // §2.4: "the time at which the OCSP responder signed this response".
    let produced = answers.data.produced_at.unix();
    let latest = query.evidence_time.saturating_add(query.policy.tolerance);
    if produced > latest {
        return Some((Standing::Early, format!("its producedAt {produced} is in the future")));
    }
    let standing = if answer.this_update.unix() > latest { Standing::Early } else { Standing::Late };
    is_current(query, answer).err().map(|why| (standing, why))
}

/// Converts a signed answer to a status.
fn status_of(query: &Query<'_>, answer: &SingleResponse<'_>, by: &Responder) -> Result<Status, String> {
    let this_update = answer.this_update.unix();
    let source = format!("OCSP response by {}, {this_update}", by.name);
    let settled = || by.unsettled.as_ref().map_or(Ok(()), |why| Err(format!("its responder {}: {why}", by.name)));
    let extensions = &answer.single_extensions;
    match &answer.cert_status {
        CertStatus::Good => {
            // §4.4.4
            let cutoff = extensions.and_then(|extensions| extensions.find(oids::OCSP_ARCHIVE_CUTOFF).ok().flatten());
            let cutoff = cutoff.and_then(|cutoff| cutoff.extn_value.decode_as::<ArchiveCutoff<'_>>().ok());
            query.not_dropped(this_update, cutoff.map(|cutoff| cutoff.unix()))?;
            settled()?;
            Ok(Status::Good { source })
        }
        CertStatus::Revoked(revoked) => {
            let (since, reason) = (revoked.revocation_time.unix(), revoked.revocation_reason);
            let revoked = Revoked::new(since, reason, extensions.as_ref());
            if query.counts(&revoked) {
                return Ok(Status::Revoked { since: revoked.since, reason: revoked.reason, source });
            }
            settled()?;
            Ok(Status::Good { source: format!("{source}, {}", query.too_late(&revoked)) })
        }
        CertStatus::Unknown(_) => Err("the responder does not recognize the certificate (RFC 6960 §2.2)".to_owned()),
    }
}

/// Applies §4.2.2.1 and §3.2 (5), (6): checks that the time lies between thisUpdate and nextUpdate.
fn is_current(query: &Query<'_>, answer: &SingleResponse<'_>) -> Result<(), String> {
    let (time, tolerance) = (query.evidence_time, query.policy.tolerance);
    let this = answer.this_update.unix();
    if this > time.saturating_add(tolerance) {
        return Err(format!("its thisUpdate {this} is in the future"));
    }
    match answer.next_update {
        Some(next) => {
            let next = next.unix();
            let is_over = time > next.saturating_add(tolerance);
            if is_over { Err(format!("its nextUpdate {next} has passed; the time is {time}")) } else { Ok(()) }
        }
        // §2.4: "newer revocation information is available all the time".
        None if time > this.saturating_add(query.policy.max_age).saturating_add(tolerance) => Err(format!(
            "it has no nextUpdate, and its thisUpdate {this} is more than {} s ago (RFC 6960 §2.4)",
            query.policy.max_age.as_secs()
        )),
        None => Ok(()),
    }
}

/// The hashes of the issuer's name and key, each computed when a CertID first uses its algorithm.
struct Identity<'q> {
    name: Option<Vec<u8>>,
    key: &'q [u8],
    hashes: [Option<(Vec<u8>, Vec<u8>)>; DIGESTS.len()],
}

impl<'q> Identity<'q> {
    fn new(query: &Query<'q>) -> Self {
        // §4.1.1: over the name "in the certificate being checked".
        let name = encode(&query.certificate.tbs_certificate.issuer).ok();
        let key = query.issuer_key.subject_public_key.as_bytes();
        Self { name, key, hashes: [const { None }; DIGESTS.len()] }
    }

    /// Returns whether a CertID refers to this issuer.
    fn is(&mut self, id: &CertId<'_>) -> bool {
        let digests = DIGESTS.iter().zip(&mut self.hashes);
        let mut same = digests.filter(|(digest, _)| digest.algorithm().algorithm == id.hash_algorithm.algorithm);
        let (Some((digest, hashes)), Some(name)) = (same.next(), &self.name) else { return false };
        let (name, key) = hashes.get_or_insert_with(|| (digest.of(name), digest.of(self.key)));
        name.as_slice() == id.issuer_name_hash.as_bytes() && key.as_slice() == id.issuer_key_hash.as_bytes()
    }
}

/// The accepted signer of a response.
struct Responder {
    /// Its name, and how it is authorized.
    name: String,
    /// The reason why its responses only prove revocation, if the policy requires that its status is known, and it is not.
    unsettled: Option<String>,
}

impl Responder {
    const fn settled(name: String) -> Self {
        Self { name, unsettled: None }
    }
}

/// Determines the signer of a response: the certificate's issuer, a responder certified by it, or one trusted by the caller
/// (§4.2.2.2).
fn responder<V: Verifier + ?Sized>(
    query: &Query<'_>,
    desk: &mut Desk<'_, '_, V>,
    answers: &Answers<'_>,
) -> Result<Result<Responder, Unverified>, Limit> {
    let id = answers.data.responder_id;
    let is_named = |name: &tagwise_pkix::Name<'_>, key: &[u8]| match &id {
        ResponderId::ByName(own) => own.matches(name),
        ResponderId::ByKey(hash) => Digest::Sha1.of(key) == hash.as_bytes(),
    };
    let mut fault: Option<Unverified> = None;
    // "Matches a local configuration of OCSP signing authority for the certificate in question"
    for trusted in query.policy.responders.iter().filter(|trusted| trusted.answers_for(query)) {
        desk.compared(1)?;
        let key = match trusted.key() {
            Ok(key) => key,
            Err(error) => {
                Unverified::then(&mut fault, Unverified::no(error.to_string()));
                continue;
            }
        };
        let bits = key.subject_public_key.as_bytes();
        let is_meant = match (&id, trusted.name()) {
            // A key alone has no name to compare: the signature decides.
            (ResponderId::ByName(_), None) => true,
            (_, name) => is_named(&name.unwrap_or_default(), bits),
        };
        if !is_meant {
            continue;
        }
        match desk.signed(&key, answers)? {
            Ok(()) if trusted.is_valid(query.evidence_time) => {
                let name = trusted.name().map_or_else(|| "a key".to_owned(), |name| name.oneline().to_string());
                return Ok(Ok(Responder::settled(format!("{name}, trusted by configuration"))));
            }
            Ok(()) => {
                let why = "the certificate of its trusted responder is not valid at that time";
                Unverified::then(&mut fault, Unverified::perhaps(why));
            }
            Err(why) => Unverified::then(&mut fault, why),
        }
    }
    // "is the certificate of the CA that issued the certificate in question"
    if is_named(&query.issuer, query.issuer_key.subject_public_key.as_bytes()) {
        let signed = desk.signed(&query.issuer_key, answers)?;
        match signed.and_then(|()| desk.was_valid(query, desk.index + 1).map_err(Unverified::perhaps)) {
            Ok(()) => return Ok(Ok(Responder::settled(query.issuer.oneline().to_string()))),
            Err(why) => Unverified::then(&mut fault, why),
        }
    }
    // "includes a value of id-kp-OCSPSigning in an extended key usage extension and is issued by the CA"
    let of_pool: Vec<CertificateBuf> = desk.engine.pool.by_issuer(&query.issuer).cloned().collect();
    desk.compared((answers.certificates.len() + of_pool.len()) as u64)?;
    // Another certificate of the same key may have a known status.
    let mut open = None;
    for responder in answers.certificates.iter().chain(&of_pool) {
        let tbs = &responder.get().tbs_certificate;
        let key = tbs.subject_public_key_info;
        // A responder cannot vouch for itself.
        let is_own = responder.as_der() == query.der;
        if is_own || !tbs.issuer.matches(&query.issuer) || !is_named(&tbs.subject, key.subject_public_key.as_bytes()) {
            continue;
        }
        if let Err(why) = desk.signed(&key, answers)? {
            Unverified::then(&mut fault, why);
            continue;
        }
        let path = desk.signer_path(responder, &answers.certificates, Signing::Ocsp)?;
        match path {
            Ok(found) if is_by_issuer(&found.path, query) => {
                let name = tbs.subject.oneline().to_string();
                let responder = Responder { name, unsettled: found.unsettled };
                if responder.unsettled.is_none() {
                    return Ok(Ok(responder));
                }
                open.get_or_insert(responder);
            }
            Ok(_) => {
                let text = "its responder's certificate is not signed with the issuer's key (RFC 6960 §4.2.2.2)";
                Unverified::then(&mut fault, Unverified::no(text));
            }
            Err(report) => {
                let why = format!("its responder {}: {}", tbs.subject.oneline(), short(&report));
                let is_possible = report.is_undecided()
                    || desk
                        .past_path(responder, &answers.certificates, Signing::Ocsp)?
                        .is_some_and(|path| is_by_issuer(&path, query));
                Unverified::then(&mut fault, Unverified { why, is_possible });
            }
        }
    }
    let none = || Unverified::no("its responder is neither the issuer nor certified by it (RFC 6960 §4.2.2.2)");
    Ok(open.ok_or_else(|| fault.unwrap_or_else(none)))
}

/// Applies §4.2.2.2: "the delegation certificate and the certificate being checked for revocation were signed by the same key".
fn is_by_issuer(path: &Path, query: &Query<'_>) -> bool {
    let bits = match path.certificates.get(1) {
        Some(above) => Some(above.get().tbs_certificate.subject_public_key_info.subject_public_key.as_bytes().to_vec()),
        None => tagwise_codec::Decode::outline(path.anchor.key())
            .ok()
            .map(|key: tagwise_pkix::SubjectPublicKeyInfo<'_>| key.subject_public_key.as_bytes().to_vec()),
    };
    bits.as_deref() == Some(query.issuer_key.subject_public_key.as_bytes())
}

/// Returns whether a responder's certificate requests that its own revocation not be checked (§4.2.2.2.1).
pub(super) fn is_unchecked(responder: &CertificateBuf) -> bool {
    let extensions = responder.get().tbs_certificate.extensions;
    extensions.is_some_and(|extensions| matches!(extensions.get::<OcspNoCheck>(), Ok(Some(_))))
}
