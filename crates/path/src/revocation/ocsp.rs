//! Revocation by OCSP responses (RFC 6960 §2, §3.2, §4.2.2): which answers apply, and who may sign them.

use tagwise_codec::encode;
use tagwise_pkix::build::Digest;
use tagwise_pkix::ext::OcspNoCheck;
use tagwise_pkix::ocsp::{ArchiveCutoff, CertId, CertStatus, ResponderId, SingleResponse};
use tagwise_pkix::{CertificateBuf, UnixTime, oids};

use super::desk::short;
use super::response::Answers;
use super::times::Revoked;
use super::{Desk, Query, Signing, Status};
use crate::budget::Limit;
use crate::path::Path;
use crate::verifier::Verifier;

/// The digests that a CertID may have.
const DIGESTS: [Digest; 4] = [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512];

/// Returns the status by the OCSP responses of the evidence; `None` if they do not determine it, and faults are added.
pub(super) fn status<'q, V: Verifier + ?Sized>(
    query: &Query<'q>,
    desk: &mut Desk<'_, '_, V>,
    faults: &mut Vec<String>,
) -> Result<Option<Status>, Limit> {
    let responses = query.policy.evidence.responses();
    let mut identity = Identity::new(query);
    // Of several answers the newest counts, and of two of the same time the one that revokes.
    let mut best: Option<((UnixTime, bool), Status)> = None;
    desk.compared(responses.len() as u64)?;
    for (number, response) in responses.iter().enumerate() {
        let place = format!("OCSP response {} of the evidence", number + 1);
        let answers = match response.get(&mut desk.engine.meter)? {
            Ok(answers) => answers,
            Err(why) => {
                faults.push(format!("{place}: {why}"));
                continue;
            }
        };
        // §2.4: "the time at which the OCSP responder signed this response".
        let produced = answers.data.produced_at.unix();
        if produced > query.evidence_time.saturating_add(query.policy.tolerance) {
            faults.push(format!("{place}: its producedAt {produced} is in the future"));
            continue;
        }
        let serial = query.certificate.tbs_certificate.serial_number;
        let about: Vec<&SingleResponse<'_>> =
            answers.about(serial.0.as_bytes()).iter().filter(|answer| identity.is(&answer.cert_id)).collect();
        let mut signer: Option<Result<String, String>> = None;
        for answer in about {
            if let Err(why) = is_current(query, answer) {
                faults.push(format!("{place}: {why}"));
                continue;
            }
            let by = match signer.take() {
                Some(known) => known,
                None => responder(query, desk, answers)?,
            };
            let read = by.clone().and_then(|by| status_of(query, answer, &by));
            signer = Some(by);
            match read {
                Err(why) => faults.push(format!("{place}: {why}")),
                Ok(status) => {
                    let rank = (answer.this_update.unix(), matches!(status, Status::Revoked { .. }));
                    if best.as_ref().is_none_or(|(known, _)| *known < rank) {
                        best = Some((rank, status));
                    }
                }
            }
        }
    }
    Ok(best.map(|(_, status)| status))
}

/// The status that a signed answer states.
fn status_of(query: &Query<'_>, answer: &SingleResponse<'_>, by: &str) -> Result<Status, String> {
    let this_update = answer.this_update.unix();
    let source = format!("OCSP response by {by}, {this_update}");
    let extensions = &answer.single_extensions;
    match &answer.cert_status {
        CertStatus::Good => {
            // §4.4.4
            let cutoff = extensions.and_then(|extensions| extensions.find(oids::OCSP_ARCHIVE_CUTOFF).ok().flatten());
            let cutoff = cutoff.and_then(|cutoff| cutoff.extn_value.decode_as::<ArchiveCutoff<'_>>().ok());
            query.not_dropped(this_update, cutoff.map(|cutoff| cutoff.unix()))?;
            Ok(Status::Good { source })
        }
        CertStatus::Revoked(revoked) => {
            let (since, reason) = (revoked.revocation_time.unix(), revoked.revocation_reason);
            let revoked = Revoked::new(since, reason, extensions.as_ref());
            if query.counts(&revoked) {
                return Ok(Status::Revoked { since: revoked.since, reason: revoked.reason, source });
            }
            Ok(Status::Good { source: format!("{source}, {}", query.too_late(&revoked)) })
        }
        CertStatus::Unknown(_) => Err("the responder does not know the certificate (RFC 6960 §2.2)".to_owned()),
    }
}

/// §4.2.2.1 and §3.2 (5), (6): checks that the time lies between thisUpdate and nextUpdate.
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

/// The digests of the issuer's name and key, each computed when a CertID first has its algorithm.
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

    /// Returns whether an identifier is of this issuer.
    fn is(&mut self, id: &CertId<'_>) -> bool {
        let digests = DIGESTS.iter().zip(&mut self.hashes);
        let mut same = digests.filter(|(digest, _)| digest.algorithm().algorithm == id.hash_algorithm.algorithm);
        let (Some((digest, hashes)), Some(name)) = (same.next(), &self.name) else { return false };
        let (name, key) = hashes.get_or_insert_with(|| (digest.of(name), digest.of(self.key)));
        name.as_slice() == id.issuer_name_hash.as_bytes() && key.as_slice() == id.issuer_key_hash.as_bytes()
    }
}

/// Returns who signed a response, if that is the certificate's issuer, a responder that the issuer certified, or one that the
/// caller trusts (§4.2.2.2).
fn responder<V: Verifier + ?Sized>(
    query: &Query<'_>,
    desk: &mut Desk<'_, '_, V>,
    answers: &Answers<'_>,
) -> Result<Result<String, String>, Limit> {
    let id = answers.data.responder_id;
    let is_named = |name: &tagwise_pkix::Name<'_>, key: &[u8]| match &id {
        ResponderId::ByName(own) => own.matches(name),
        ResponderId::ByKey(hash) => Digest::Sha1.of(key) == hash.as_bytes(),
    };
    let mut fault = None;
    // "Matches a local configuration of OCSP signing authority for the certificate in question"
    for trusted in query.policy.responders.iter().filter(|trusted| trusted.answers_for(query)) {
        desk.compared(1)?;
        let key = match trusted.key() {
            Ok(key) => key,
            Err(error) => {
                fault = Some(error.to_string());
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
                return Ok(Ok(format!("{name}, trusted by configuration")));
            }
            Ok(()) => fault = Some("the certificate of its trusted responder is not valid at that time".to_owned()),
            Err(why) => fault = Some(why),
        }
    }
    // "is the certificate of the CA that issued the certificate in question"
    if is_named(&query.issuer, query.issuer_key.subject_public_key.as_bytes()) {
        match desk.signed(&query.issuer_key, answers)?.and_then(|()| desk.was_valid(query, desk.index + 1)) {
            Ok(()) => return Ok(Ok(query.issuer.oneline().to_string())),
            Err(why) => fault = Some(why),
        }
    }
    // "includes a value of id-kp-OCSPSigning in an extended key usage extension and is issued by the CA"
    let of_pool: Vec<CertificateBuf> = desk.engine.pool.by_issuer(&query.issuer).cloned().collect();
    desk.compared((answers.certificates.len() + of_pool.len()) as u64)?;
    for responder in answers.certificates.iter().chain(&of_pool) {
        let tbs = &responder.get().tbs_certificate;
        let key = tbs.subject_public_key_info;
        // A responder says nothing about itself.
        let is_own = responder.as_der() == query.der;
        if is_own || !tbs.issuer.matches(&query.issuer) || !is_named(&tbs.subject, key.subject_public_key.as_bytes()) {
            continue;
        }
        if let Err(why) = desk.signed(&key, answers)? {
            fault = Some(why);
            continue;
        }
        let path = desk.signer_path(responder, &answers.certificates, Signing::Ocsp)?;
        match path {
            Ok(path) if is_by_issuer(&path, query) => return Ok(Ok(tbs.subject.oneline().to_string())),
            Ok(_) => {
                let text = "its responder's certificate is not signed with the issuer's key (RFC 6960 §4.2.2.2)";
                fault = Some(text.to_owned());
            }
            Err(report) => {
                fault = Some(format!("its responder {}: {}", tbs.subject.oneline(), short(&report)));
            }
        }
    }
    let none = || "its responder is neither the issuer nor certified by it (RFC 6960 §4.2.2.2)".to_owned();
    Ok(Err(fault.unwrap_or_else(none)))
}

/// §4.2.2.2: "the delegation certificate and the certificate being checked for revocation were signed by the same key".
fn is_by_issuer(path: &Path, query: &Query<'_>) -> bool {
    let bits = match path.certificates.get(1) {
        Some(above) => Some(above.get().tbs_certificate.subject_public_key_info.subject_public_key.as_bytes().to_vec()),
        None => tagwise_codec::Decode::outline(path.anchor.key())
            .ok()
            .map(|key: tagwise_pkix::SubjectPublicKeyInfo<'_>| key.subject_public_key.as_bytes().to_vec()),
    };
    bits.as_deref() == Some(query.issuer_key.subject_public_key.as_bytes())
}

/// Returns whether a responder's certificate asks for no check of its own revocation (§4.2.2.2.1).
pub(super) fn is_unchecked(responder: &CertificateBuf) -> bool {
    let extensions = responder.get().tbs_certificate.extensions;
    extensions.is_some_and(|extensions| matches!(extensions.get::<OcspNoCheck>(), Ok(Some(_))))
}
