//! Issuance with signed certificate timestamps: a precertificate, its submission to logs, and the certificate (RFC 6962 §3.1).

use std::collections::HashSet;
use std::sync::Arc;

use tagwise_codec::{Decode, OctetStr, encode};
use tagwise_crypto::{Backend, Signer};
use tagwise_ct::{LogEntry, submission, timestamp, timestamp_list};
use tagwise_pkix::{Certificate, UnixTime, oids};

use crate::form::Last;
use crate::issue::{ATTEMPTS, Subject};
use crate::store::NewCertificate;
use crate::{Authority, CopiedExtension, CtLog, Definition, Error, Issued, Order, Profile, Serial, Store};

/// A callback that posts a body to `add-pre-chain` of a log, and returns its answer or the reason why there is none.
pub type Submit<'s> = dyn FnMut(&CtLog, &[u8]) -> Result<Vec<u8>, String> + 's;

/// A certificate with timestamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCertificate {
    /// The certificate.
    pub issued: Issued,
    /// The URLs of the logs whose timestamps it contains.
    pub logs: Vec<String>,
    /// The logs that failed: each URL with the reason.
    pub failed: Vec<(String, String)>,
}

/// The accepted difference between a log's clock and ours, in milliseconds.
const SKEW: u64 = 60_000;

/// Returns whether a serialized SCT has a timestamp before the given time (RFC 6962 §3.2).
fn is_before(sct: &[u8], now: UnixTime) -> bool {
    // The version and the log's ID precede the timestamp.
    let time = sct.get(33..).and_then(|rest| rest.first_chunk()).map_or(0, |time| u64::from_be_bytes(*time));
    let now = u64::try_from(now.0).unwrap_or_default().saturating_mul(1000);
    time.saturating_add(SKEW) < now
}

impl Authority {
    /// Issues a certificate with the timestamps that its profile requires. The precertificate is stored before it is submitted,
    /// because it is a binding commitment to issue the certificate. The certificate, which has the same serial number, replaces it.
    /// Only timestamps whose signature is valid are embedded.
    ///
    /// # Errors
    /// Returns any error from [`issue`](Self::issue), [`Error::Refused`] if the profile names no logs, or [`Error::NotLogged`] if too few
    /// logs return a valid timestamp.
    pub fn issue_logged(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        order: &Order<'_>,
        now: UnixTime,
        submit: &mut Submit<'_>,
    ) -> Result<LoggedCertificate, Error> {
        let none = || Error::refused("the profile names no logs of Certificate Transparency", None);
        let Profile::Defined(definition) = &order.profile else { return Err(none()) };
        let transparency = definition.transparency.as_ref().ok_or_else(none)?;
        transparency.check().map_err(|what| Error::refused(what, "RFC 6962 §3.3"))?;
        self.check_now(now)?;
        self.check_clock(store, now)?;
        let key = self.judge_key(backend, order)?;
        self.check_compromise(store, order.public_key)?;
        let sign = |serial: &Serial, id, critical, value: Vec<u8>| {
            let mut copied = definition.copied.clone();
            copied.push(CopiedExtension { id, critical, value });
            let own = Definition { copied, transparency: None, ..Definition::clone(definition) };
            let order = Order { profile: Profile::Defined(Arc::new(own)), ..order.clone() };
            let last = &mut Last::default();
            self.number(Subject::Another, signer, (&order, key), serial.clone(), last)?.sign(signer, now)
        };
        // RFC 6962 §3.1: a critical extension with the value NULL.
        let poisoned = |serial: &Serial| sign(serial, oids::CT_POISON.into(), true, vec![5, 0]);
        let mut attempt = 1;
        let before = loop {
            let before = poisoned(&Serial::generate()?)?;
            match store.add_certificates(self.id, std::slice::from_ref(&before)) {
                Err(Error::SerialTaken(_)) if attempt < ATTEMPTS => attempt += 1,
                done => break done.map(|()| before)?,
            }
        };
        let serial = before.serial.clone();
        let not_logged = |why: String| Error::NotLogged { serial: serial.clone(), why };
        let entry = self.entry(&before).ok_or_else(|| not_logged("the precertificate cannot be parsed".to_owned()))?;
        let mut chain = vec![before.der.as_slice(), self.certificate_der()];
        chain.extend(transparency.chain.iter().map(Vec::as_slice));
        let body = submission(&chain);
        let (mut timestamps, mut logs, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let mut operators = HashSet::new();
        let mut left = transparency.logs.len();
        for log in &transparency.logs {
            left -= 1;
            let missing = transparency.operators.saturating_sub(operators.len());
            let places = transparency.timestamps - timestamps.len();
            if places == 0 {
                break;
            }
            // The last places are for other operators.
            let is_new = log.operator.as_ref().is_none_or(|name| !operators.contains(name));
            if transparency.operators > 1 && !is_new && missing >= places && left >= places {
                continue;
            }
            let answer = log.known().map_err(|error| error.to_string()).and_then(|known| {
                let answer = submit(log, &body)?;
                let bytes = timestamp(&answer, &known, &entry, backend, now).map_err(|error| error.to_string())?;
                match is_before(&bytes, now) {
                    true => Err("timestamp: it is from before the precertificate was issued".to_owned()),
                    false => Ok(bytes),
                }
            });
            match answer {
                Ok(bytes) => {
                    timestamps.push(bytes);
                    logs.push(log.url.clone());
                    operators.extend(log.operator.clone());
                }
                Err(why) => failed.push((log.url.clone(), why)),
            }
        }
        if timestamps.len() < transparency.timestamps
            || transparency.operators > 1 && operators.len() < transparency.operators
        {
            let mut why = format!("{} of {} required timestamps", timestamps.len(), transparency.timestamps);
            if transparency.operators > 1 {
                why.push_str(&format!(", operators: {} of {}", operators.len(), transparency.operators));
            }
            failed.iter().for_each(|(url, error)| why.push_str(&format!("; {url}: {error}")));
            return Err(not_logged(why));
        }
        let list = timestamp_list(&timestamps).ok_or_else(|| not_logged("the timestamps are too long".to_owned()))?;
        let value = encode(&OctetStr::new(&list)).map_err(|error| Error::Build(error.into()))?;
        let certificate = sign(&serial, oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST.into(), false, value)?;
        if self.entry(&certificate).as_ref() != Some(&entry) {
            return Err(not_logged("the certificate differs from the precertificate".to_owned()));
        }
        store.complete(self.id, &before.der, &certificate)?;
        self.log_issued(store, &[(&serial, &certificate.der)], now)?;
        Ok(LoggedCertificate { issued: Issued { serial, der: certificate.der }, logs, failed })
    }

    /// Returns the log entry of a precertificate or certificate.
    fn entry(&self, certificate: &NewCertificate) -> Option<LogEntry> {
        let read = Certificate::outline(&certificate.der).ok()?;
        LogEntry::precert(read.tbs_certificate.as_bytes(), self.public_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_from_before() {
        let now = UnixTime(1_700_000_000);
        for (time, expected) in
            [(1_700_000_000_000, false), (1_699_999_940_000, false), (1_699_999_939_999, true), (0, true)]
        {
            let sct = [&[0; 33], u64::to_be_bytes(time).as_slice(), &[0, 0, 4, 3, 0, 0]].concat();
            assert_eq!(is_before(&sct, now), expected, "{time}");
        }
        assert!(is_before(&[0; 40], now));
    }
}
