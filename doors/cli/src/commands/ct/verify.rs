//! `tagwise ct verify`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_codec::{OctetStr, encode};
use tagwise_ct::{Error, LogEntry, hash, leaf_index};
use tagwise_pkix::ext::{Sct, SctList, SctV1};
use tagwise_pkix::name::visible;

use super::lines::time;
use super::source::{LogArgs, failed, stale};
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative};
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    log: LogArgs,
    /// Certificates with timestamps of this log
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
            let (der, _) = Credentials::leading(context, path)?;
            let read = certificate(context, &der).map_err(|error| negative(path, &error))?;
            let list = read.tbs_certificate.extensions.and_then(|list| list.get::<SctList<'_>>().ok().flatten());
            let own = list.iter().flat_map(|list| SctList(OctetStr::new(list.0.as_bytes())).iter());
            let own: Vec<SctV1<'_>> = own
                .filter_map(|sct| match sct {
                    Sct::V1(sct) if *sct.log_id == id => Some(sct),
                    _ => None,
                })
                .collect();
            if own.is_empty() {
                writeln!(out, "{}: no timestamp of this log", name_of(path))?;
                is_wrong = true;
            }
            for sct in own {
                let entry = LogEntry::precert(read.tbs_certificate.as_bytes(), &key);
                let leaf = entry.and_then(|entry| entry.signed(&sct));
                // The signed bytes and the leaf have the same encoding (RFC 6962 §3.2, §3.4).
                let leaf =
                    leaf.map(|bytes| hash::leaf(&bytes)).ok_or_else(|| Failure::negative("the entry is too long"))?;
                let index = leaf_index(sct.extensions);
                let text = match source.with(|client| client.include(&leaf, index, &head)) {
                    Ok(index) => format!("entry {index} of {}, logged on {}", head.size, time(sct.timestamp)),
                    Err(error) if source.is_absent(&error) && head.must_contain(sct.timestamp) => {
                        is_wrong = true;
                        format!(
                            "not in the tree of {} entries of {}, but promised on {}, more than 24 hours before (RFC 6962 §3): {error}",
                            head.size,
                            time(head.timestamp),
                            time(sct.timestamp)
                        )
                    }
                    Err(error @ (Error::Unreachable(_) | Error::Malformed(_) | Error::Missing(_))) => {
                        is_unknown = true;
                        format!("not known: {error}")
                    }
                    Err(error) => {
                        is_wrong = true;
                        error.to_string()
                    }
                };
                writeln!(out, "{}: {}", name_of(path), visible(&text))?;
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
