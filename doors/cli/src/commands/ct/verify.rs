//! `tagwise ct verify`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_codec::{OctetStr, encode};
use tagwise_ct::{Error, LogEntry, hash, leaf_index};
use tagwise_pkix::ext::{Sct, SctList, SctV1};

use super::lines::time;
use super::source::{LogArgs, failed};
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative};
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
        let mut worst = 0;
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
                worst = worst.max(1);
            }
            for sct in own {
                let entry = LogEntry::precert(read.tbs_certificate.as_bytes(), &key);
                let leaf = entry.and_then(|entry| entry.signed(&sct));
                // The signed bytes and the leaf have the same encoding (RFC 6962 §3.2, §3.4).
                let leaf =
                    leaf.map(|bytes| hash::leaf(&bytes)).ok_or_else(|| Failure::negative("the entry is too long"))?;
                let index = leaf_index(sct.extensions);
                let (code, text) = match source.with(|client| client.include(&leaf, index, &head)) {
                    Ok(index) => (0, format!("entry {index} of {}, logged on {}", head.size, time(sct.timestamp))),
                    Err(Error::Unreachable(why)) => (4, format!("not known: {why}")),
                    Err(error) => (1, error.to_string()),
                };
                writeln!(out, "{}: {text}", name_of(path))?;
                worst = worst.max(code);
            }
        }
        Ok(worst)
    }
}
