//! `tagwise ct verify`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_codec::{OctetStr, encode};
use tagwise_ct::{Error, LogEntry, TreeHead, hash, leaf_index, verify_timestamp};
use tagwise_path::{CryptoVerifier, Verifier};
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::{BasicConstraints, Sct, SctList, SctV1};
use tagwise_pkix::name::visible;

use super::lines::time;
use super::source::{LogArgs, Source, failed, stale};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative};
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    log: LogArgs,
    /// Certificates with timestamps of this log; all certificates in a file are checked
    #[arg(required = true, value_name = "CERT")]
    files: Vec<PathBuf>,
    /// Certificate of their issuer
    #[arg(long, value_name = "FILE", alias = "ca")]
    issuer: PathBuf,
    /// The log no longer signs tree heads: accept one that is older than 24 hours
    #[arg(long)]
    frozen: bool,
}

impl VerifyArgs {
    pub(super) fn run(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let (issuer, _) = Credentials::leading(context, &self.issuer)?;
        let issuer = certificate(context, &issuer).map_err(|error| negative(&self.issuer, &error))?;
        let key = encode(&issuer.tbs_certificate.subject_public_key_info)
            .map_err(|error| Failure::negative(error.to_string()))?;
        let mut source = self.log.open(context)?;
        let id = source.log.id;
        let head = source.with(|client| client.head()).map_err(|error| failed(&error))?;
        if head.is_from_future(now()) {
            return Err(Failure::negative("the tree head is from the future"));
        }
        let (mut is_wrong, mut is_unknown) = (false, false);
        if !self.frozen && head.is_stale(now()) {
            writeln!(out, "{}: {}", self.log.url, stale(&head))?;
            is_wrong = true;
        }
        for path in &self.files {
            let all = Credentials::read(context, std::slice::from_ref(path))?.certificates;
            if all.is_empty() {
                return Err(Failure::negative(format!("{}: no certificate found", name_of(path))));
            }
            for (at, der) in all.iter().enumerate() {
                let read = certificate(context, der).map_err(|error| negative(path, &error))?;
                let name = match at {
                    0 => name_of(path),
                    _ => format!("{}: certificate {}", name_of(path), at.saturating_add(1)),
                };
                let mut told = |answer: Answer| {
                    let (text, flag) = match answer {
                        Answer::Logged(text) => (text, None),
                        Answer::Wrong(text) => (text, Some(&mut is_wrong)),
                        Answer::Unknown(text) => (text, Some(&mut is_unknown)),
                    };
                    flag.into_iter().for_each(|flag| *flag = true);
                    writeln!(out, "{name}: {}", visible(&text))
                };
                let list = read.tbs_certificate.extensions.map(|list| list.get::<SctList<'_>>()).transpose();
                let list = list.map_err(|error| negative(path, &error))?.flatten();
                // The certificates behind the first one are often its chain, whose CA certificates have no timestamps.
                if at > 0 && list.is_none() && is_authority(&read) {
                    continue;
                }
                let own = list.iter().flat_map(|list| SctList(OctetStr::new(list.0.as_bytes())).iter());
                let own: Vec<SctV1<'_>> = own
                    .filter_map(|sct| match sct {
                        Sct::V1(sct) if *sct.log_id == id => Some(sct),
                        _ => None,
                    })
                    .collect();
                if own.is_empty() {
                    told(Answer::Wrong("no timestamp of this log".to_owned()))?;
                } else if let Err(why) = issued(&issuer, &read) {
                    let file = name_of(&self.issuer);
                    told(Answer::Unknown(format!("not known: {file} is not its issuer's certificate: {why}")))?;
                } else {
                    for sct in &own {
                        told(included(&mut source, &head, &read, &key, sct))?;
                    }
                }
            }
        }
        // What is wrong is certain, whatever else is not known.
        Ok(match (is_wrong, is_unknown) {
            (true, _) => 1,
            (false, true) => 4,
            (false, false) => 0,
        })
    }
}

/// The answer for a timestamp or a certificate.
enum Answer {
    /// The log contains the entry.
    Logged(String),
    /// The certificate or the log is wrong.
    Wrong(String),
    /// It is not known whether the log contains the entry.
    Unknown(String),
}

/// Verifies that the log has given the timestamp, and that its tree contains the entry.
fn included(source: &mut Source, head: &TreeHead, read: &Certificate<'_>, key: &[u8], sct: &SctV1<'_>) -> Answer {
    let Some(entry) = LogEntry::precert(read.tbs_certificate.as_bytes(), key) else {
        return Answer::Wrong("the entry cannot be reconstructed (RFC 6962 §3.2)".to_owned());
    };
    // Without the log's signature, the log has promised nothing (RFC 6962 §3.2).
    match verify_timestamp(sct, &source.log, &entry, EMBEDDED) {
        Ok(()) => {}
        Err(error @ Error::Unsupported(_)) => return Answer::Unknown(format!("not known: {error}")),
        Err(error) => return Answer::Wrong(format!("the certificate's timestamp is invalid: {error}")),
    }
    // The signed bytes and the leaf have the same encoding (RFC 6962 §3.2, §3.4).
    let Some(leaf) = entry.signed(sct).map(|bytes| hash::leaf(&bytes)) else {
        return Answer::Wrong("the entry is too long".to_owned());
    };
    let index = leaf_index(sct.extensions);
    let promised = format!("promised on {}, more than 24 hours before (RFC 6962 §3)", time(sct.timestamp));
    let must_contain = head.must_contain(sct.timestamp);
    match source.with(|client| client.include(&leaf, index, head)) {
        Ok(index) => Answer::Logged(format!("entry {index} of {}, logged on {}", head.size, time(sct.timestamp))),
        // The log has signed the entry's index and the tree's size.
        Err(error @ Error::Missing(_)) if must_contain => Answer::Wrong(format!(
            "not in the tree of {} entries of {}, but {promised}: {error}",
            head.size,
            time(head.timestamp)
        )),
        // An error status of a server is not signed and proves nothing.
        Err(error @ (Error::Unreachable(_) | Error::Malformed(_) | Error::Missing(_) | Error::Unsupported(_))) => {
            let note = if must_contain { format!("; the entry was {promised}") } else { String::new() };
            Answer::Unknown(format!("not known: {error}{note}"))
        }
        Err(error) => Answer::Wrong(error.to_string()),
    }
}

/// Checks that a certificate has the issuer's name and a signature by its key. The log's entry contains the key's hash, so another key would
/// give the hash of an entry that does not exist.
fn issued(issuer: &Certificate<'_>, read: &Certificate<'_>) -> Result<(), String> {
    let (issuer, tbs) = (&issuer.tbs_certificate, &read.tbs_certificate);
    if issuer.subject != tbs.issuer {
        return Err(format!("its subject is {}, expected {}", issuer.subject, tbs.issuer));
    }
    let (key, message) = (&issuer.subject_public_key_info, tbs.as_bytes());
    let signature =
        read.signature_value.octets().ok_or("the certificate's signature is not a whole number of bytes")?;
    let checked = CryptoVerifier(EMBEDDED).verify(key, &read.signature_algorithm, message, signature);
    checked.map_err(|fault| format!("the certificate's signature: {fault}"))
}

/// Returns whether a certificate is a CA certificate.
fn is_authority(read: &Certificate<'_>) -> bool {
    let basic = read.tbs_certificate.extensions.and_then(|list| list.get::<BasicConstraints<'_>>().ok().flatten());
    basic.is_some_and(|basic| basic.ca)
}
