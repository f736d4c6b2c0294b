//! `tagwise tsp reply`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_codec::Decode;
use tagwise_crypto::KeySigner;
use tagwise_crypto::tsp::{Stamping, reply};
use tagwise_pkix::UnixTime;
use tagwise_pkix::build::SerialNumber;
use tagwise_pkix::tsp::TimeStampResp;

use super::Dotted;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, message, negative, out_of_time, slices};
use crate::shared::keys::private_key_of;
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise tsp reply contract.tsq --key tsa.key --certificate tsa.pem --policy 1.3.6.1.4.1.99999.1 -o contract.tsr

The certificate must allow time stamping only, in a critical extended key usage. A malformed request is answered with a rejection. No \
stamp is issued for a time at which the certificate is not valid, unless --allow validity is given.
Exit codes: 0 stamped; 1 rejected, or key and certificate do not match; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct ReplyArgs {
    /// Time-stamp request; `-` is standard input
    #[arg(value_name = "REQUEST")]
    request: PathBuf,
    /// Private key of the authority
    #[arg(long, value_name = "KEY")]
    key: PathBuf,
    /// Certificate of the authority, optionally followed by others to add
    #[arg(long, value_name = "CERT")]
    certificate: PathBuf,
    /// Policy of the authority, as a dotted OBJECT IDENTIFIER
    #[arg(long, value_name = "OID")]
    policy: Dotted,
    /// Accuracy of the clock in seconds
    #[arg(long, value_name = "SECONDS")]
    accuracy: Option<u32>,
    /// Stamp this time instead of now, such as 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

impl ReplyArgs {
    pub(super) fn reply(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if let Some(other) = context.allowed.paths.iter().find(|rule| **rule != "validity") {
            let text = format!("--allow {other}: of the rules for paths, this command only checks validity");
            return Err(Failure::usage(text));
        }
        let request = message(context, &self.request)?;
        let (first, rest) = Credentials::leading(context, &self.certificate)?;
        let own = certificate(context, &first).map_err(|error| negative(&self.certificate, &error))?;
        let time = self.at.unwrap_or_else(now);
        let allow_validity = context.allowed.has("validity");
        if let Some(why) = out_of_time(&own, time) {
            let name = name_of(&self.certificate);
            // RFC 3161 §2.3, RFC 5280 §6.1.3: verifiers reject the time stamp.
            if !allow_validity {
                let hint = if self.at.is_none() {
                    "set the clock, or give --at TIME"
                } else {
                    "--allow validity tolerates this"
                };
                return Err(Failure::negative(format!("{name}: {why}; {hint}")));
            }
            writeln!(err, "tagwise: {name}: warning: {why}")?;
        }
        let key = private_key_of(context, EMBEDDED, &self.key, &self.passphrase)?;
        let signer = KeySigner::preferred(key).map_err(|error| negative(&self.key, &error))?;
        let mut certificates = vec![first.as_slice()];
        certificates.extend(slices(&rest));
        let serial = SerialNumber::generate().map_err(|error| Failure::negative(error.to_string()))?;
        let stamping = Stamping {
            signer: &signer,
            certificate: &own,
            certificates: &certificates,
            policy: self.policy.oid(),
            serial,
            time,
            accuracy: self.accuracy,
            allow_validity,
        };
        let response = reply(EMBEDDED, &request, &stamping).map_err(|error| negative(&self.request, &error))?;
        deliver(&response, self.output.as_ref(), self.force, out)?;
        let read = TimeStampResp::outline(&response).map_err(|error| negative(&self.request, &error))?;
        if read.time_stamp_token.is_some() {
            return Ok(0);
        }
        let said = read.status.status_string.and_then(|text| text.0.iter().next()?.ok());
        writeln!(err, "tagwise: rejected: {}", said.map_or("the request was rejected", |text| text.as_str()))?;
        Ok(1)
    }
}
