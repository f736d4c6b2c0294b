//! Submission of precertificates (RFC 6962 §4.1, §4.2), and the timestamps in the answers.

use serde::Deserialize;
use tagwise_codec::text::base64;
use tagwise_crypto::Backend;
use tagwise_path::{Log, LogEntry};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{Sct, SctList, SctV1};

use crate::Error;
use crate::wire::Signed;

/// The accepted difference between the log's clock and ours, in milliseconds.
const SKEW: u64 = 60_000;

/// Creates the body of `add-pre-chain` or `add-chain`: a JSON object with the chain, starting with the submitted certificate.
///
/// ```
/// assert_eq!(tagwise_ct::submission(&[&[1, 2], &[3]]), br#"{"chain":["AQI=","Aw=="]}"#);
/// ```
#[must_use]
pub fn submission(chain: &[&[u8]]) -> Vec<u8> {
    let chain: Vec<String> = chain.iter().map(|der| format!("\"{}\"", base64::encode(der))).collect();
    format!("{{\"chain\":[{}]}}", chain.join(",")).into_bytes()
}

#[derive(Deserialize)]
struct Answer {
    sct_version: u64,
    id: String,
    timestamp: u64,
    #[serde(default)]
    extensions: String,
    signature: String,
}

/// Reads a log's answer to a submission, and verifies the timestamp's signature over the entry. Returns the serialized SCT.
///
/// # Errors
/// Returns [`Error::Malformed`] if the answer is malformed, or [`Error::Violation`] if the timestamp is from another log, is in the
/// future or has an invalid signature.
pub fn timestamp(
    answer: &[u8],
    log: &Log,
    entry: &LogEntry,
    backend: &dyn Backend,
    now: UnixTime,
) -> Result<Vec<u8>, Error> {
    let failed = Error::malformed("timestamp");
    let read: Answer = serde_json::from_slice(answer).map_err(|error| failed(&error))?;
    if read.sct_version != 0 {
        return Err(failed(&format!("version {}, expected 0 (RFC 6962 §3.2)", read.sct_version)));
    }
    let octets = |text: &str| base64::decode(text.as_bytes()).map_err(|error| failed(&error));
    let id = crate::wire_hash(&read.id).map_err(|error| failed(&error))?;
    if id != log.id {
        return Err(Error::Violation("timestamp: it is from another log, whose key has a different hash".to_owned()));
    }
    let latest = u64::try_from(now.0).unwrap_or_default().saturating_mul(1000).saturating_add(SKEW);
    if read.timestamp > latest {
        return Err(Error::Violation("timestamp: it is in the future (RFC 6962 §5.2)".to_owned()));
    }
    let (extensions, signature) = (octets(&read.extensions)?, octets(&read.signature)?);
    let signed = Signed::read(&signature).ok_or_else(|| failed(&"malformed signature"))?;
    let sct = SctV1 {
        log_id: &id,
        timestamp: read.timestamp,
        extensions: &extensions,
        hash_algorithm: signed.hash,
        signature_algorithm: signed.algorithm,
        signature: signed.signature,
    };
    verify_timestamp(&sct, log, entry, backend)?;
    Sct::V1(sct).to_bytes().ok_or_else(|| failed(&"it is too long"))
}

/// Verifies the log's signature of a timestamp over an entry (RFC 6962 §3.2). A timestamp without a valid signature is not a promise of the
/// log.
///
/// # Errors
/// Returns [`Error::Violation`] if the signature is invalid, [`Error::Unsupported`] if the backend does not support the log's key, or
/// [`Error::Malformed`] if the entry is too long.
pub fn verify_timestamp(sct: &SctV1<'_>, log: &Log, entry: &LogEntry, backend: &dyn Backend) -> Result<(), Error> {
    let message = entry.signed(sct).ok_or_else(|| Error::Malformed("timestamp: the entry is too long".to_owned()))?;
    let signed = Signed { hash: sct.hash_algorithm, algorithm: sct.signature_algorithm, signature: sct.signature };
    signed.verify(backend, log, &message, "timestamp")
}

/// Encodes serialized SCTs as the content of the extension's OCTET STRING (RFC 6962 §3.3). Returns `None` if they are too long.
///
/// ```
/// assert_eq!(tagwise_ct::timestamp_list(&[vec![7], vec![8, 9]]), Some(vec![0, 7, 0, 1, 7, 0, 2, 8, 9]));
/// ```
#[must_use]
pub fn timestamp_list(scts: &[Vec<u8>]) -> Option<Vec<u8>> {
    let scts: Vec<Sct<'_>> =
        scts.iter().map(|bytes| Sct::Unknown { version: bytes.first().copied().unwrap_or_default(), bytes }).collect();
    SctList::bytes_of(&scts)
}
