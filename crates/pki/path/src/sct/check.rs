//! Checks the end-entity certificate's signed certificate timestamps (SCTs) against a policy.

use std::collections::HashSet;

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Any, Decode, OctetStr};
use tagwise_pkix::ext::{Sct, SctList, SctV1};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, oids};

use super::signed::LogEntry;
use super::{Log, LogState, SctAnswer, SctOrigin, SctPolicy};
use crate::budget::Limit;
use crate::cert::Cert;
use crate::refusal::{Refusal, Stop};
use crate::rules::Rule;
use crate::search::Engine;
use crate::verifier::Verifier;

/// Checks the signed certificate timestamps (SCTs) of an end-entity certificate. The issuer's key is a SubjectPublicKeyInfo
/// in DER. Checking stops when the policy's required number is reached.
pub(crate) fn check<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    leaf: &Cert<'p>,
    issuer_key: &[u8],
) -> Result<Vec<SctAnswer>, Stop> {
    let Some(policy) = engine.policy.scts.as_ref().filter(|_| engine.policy.rules.has(Rule::Scts)) else {
        return Ok(Vec::new());
    };
    let mut answers = Vec::new();
    let (mut logs, mut operators) = (HashSet::new(), HashSet::new());
    let x509 = LogEntry::X509(leaf.der().to_vec());
    let precert = LogEntry::precert(leaf.certificate.tbs_certificate.as_bytes(), issuer_key);
    'lists: for (origin, list) in lists(engine, leaf, policy)? {
        for sct in SctList(OctetStr::new(list)).iter() {
            if logs.len() >= policy.min_logs && operators.len() >= policy.min_operators {
                break 'lists;
            }
            let entry = if origin == SctOrigin::Certificate { precert.as_ref() } else { Some(&x509) };
            let (mut answer, fault) = match sct {
                Sct::V1(sct) => {
                    let log = policy.logs.get(sct.log_id);
                    (describe(&sct, log, origin), judge(engine, leaf, &sct, log, entry)?)
                }
                Sct::Unknown { version, .. } => {
                    let log = "unknown".to_owned();
                    let answer = SctAnswer { log, operator: None, time: None, origin, fault: None };
                    (answer, Some(format!("unknown version {}", u16::from(version) + 1)))
                }
                _ => continue,
            };
            if let (None, Sct::V1(sct)) = (&fault, sct) {
                logs.insert(*sct.log_id);
                operators.extend(answer.operator.clone());
            }
            answer.fault = fault;
            answers.push(answer);
        }
    }
    if logs.len() >= policy.min_logs && operators.len() >= policy.min_operators {
        return Ok(answers);
    }
    let mut message = format!(
        "timestamps of {} logs with {} operators are valid; the policy requires {} logs with {} operators",
        logs.len(),
        operators.len(),
        policy.min_logs,
        policy.min_operators
    );
    for answer in answers.iter() {
        if let Some(fault) = &answer.fault {
            message.push_str(&format!("; {}: {fault}", tagwise_pkix::name::visible(&answer.log)));
        }
    }
    Err(Refusal::new(Rule::Scts, message).at(leaf.extensions_offset()).into())
}

/// Returns the lists of timestamps, starting with the certificate's own.
fn lists<'p, V: ?Sized>(
    engine: &mut Engine<'p, V>,
    leaf: &Cert<'p>,
    policy: &'p SctPolicy,
) -> Result<Vec<(SctOrigin, &'p [u8])>, Limit> {
    let tbs = &leaf.certificate.tbs_certificate;
    let embedded = tbs.extensions.and_then(|extensions| extensions.get::<SctList<'p>>().ok().flatten());
    let mut lists: Vec<_> = embedded.iter().map(|list| (SctOrigin::Certificate, list.0.as_bytes())).collect();
    lists.extend(policy.stapled.iter().map(|list| (SctOrigin::Handshake, list.as_slice())));
    // Only the log's signature matters, not the response's; the serial number selects it.
    for response in engine.policy.revocation.evidence.responses() {
        let Ok(answers) = response.get(&mut engine.meter)? else { continue };
        for answer in answers.about(tbs.serial_number.0.as_bytes()).iter().filter(|_| answers.flaw.is_none()) {
            let Some(extensions) = answer.single_extensions else { continue };
            let found = extensions.find(oids::CT_OCSP_SIGNED_CERTIFICATE_TIMESTAMP_LIST);
            let Ok(Some(extension)) = found else { continue };
            lists.extend(
                extension.extn_value.decode_as::<SctList<'p>>().map(|list| (SctOrigin::Ocsp, list.0.as_bytes())),
            );
        }
    }
    Ok(lists)
}

fn describe(sct: &SctV1<'_>, log: Option<&Log>, origin: SctOrigin) -> SctAnswer {
    let id = || format!("{:X}", Hex(sct.log_id));
    let name = log.map(|log| log.description.clone()).filter(|name| !name.is_empty());
    SctAnswer {
        log: name.unwrap_or_else(id),
        operator: log.map(|log| log.operator.clone()),
        time: sct.time().map(UnixTime::from),
        origin,
        fault: None,
    }
}

/// Returns the reason why a timestamp is not valid, or `None` if it is.
fn judge<'p, V: Verifier + ?Sized>(
    engine: &mut Engine<'p, V>,
    leaf: &Cert<'p>,
    sct: &SctV1<'_>,
    log: Option<&Log>,
    entry: Option<&LogEntry>,
) -> Result<Option<String>, Limit> {
    let Some(log) = log else { return Ok(Some("the log is not trusted".to_owned())) };
    let fault = |text: String| Ok(Some(text));
    let moment = UnixTime(i64::try_from(sct.timestamp / 1000).unwrap_or(i64::MAX));
    match log.state {
        LogState::Pending => return fault("the log is not yet accepted".to_owned()),
        LogState::Rejected => return fault("the log was rejected".to_owned()),
        LogState::Retired(since) if moment >= since => {
            return fault(format!("the log was retired on {since}, before the timestamp"));
        }
        _ => {}
    }
    let end = leaf.certificate.tbs_certificate.validity.not_after.unix();
    if log.interval.is_some_and(|(first, after)| end < first || end >= after) {
        return fault("the log does not accept certificates with this expiry date".to_owned());
    }
    // RFC 6962 §5.2: "MUST reject SCTs whose timestamp is in the future".
    if moment > engine.policy.time {
        return fault("the timestamp is in the future (RFC 6962 §5.2)".to_owned());
    }
    // RFC 6962 §2.1.4: ECDSA on P-256 or RSA, with SHA-256.
    let (algorithm, parameters) = match (sct.hash_algorithm, sct.signature_algorithm) {
        (4, 3) => (oids::ECDSA_WITH_SHA256, None),
        (4, 1) => (oids::SHA256_WITH_RSA_ENCRYPTION, Some(Any::null(0))),
        (hash, signature) => {
            return fault(format!("signature algorithm {hash}.{signature} is not allowed by RFC 6962 §2.1.4"));
        }
    };
    let key = match SubjectPublicKeyInfo::outline(&log.key) {
        Ok(key) => key,
        Err(error) => return fault(format!("the log's key: {error}")),
    };
    let Some(message) = entry.and_then(|entry| entry.signed(sct)) else {
        return fault("the signed bytes cannot be reconstructed".to_owned());
    };
    let algorithm = AlgorithmIdentifier { algorithm, parameters };
    let checked = engine.verify(&key, &algorithm, &message, sct.signature)?;
    Ok(checked.err().map(|_| "the signature does not verify with the log's key".to_owned()))
}
