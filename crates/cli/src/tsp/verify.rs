//! `tagwise tsp verify`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_crypto::cms::VerifyOptions;
use tagwise_crypto::tsp::{Expected, verify};

use crate::credentials::{Credentials, fingerprint, message, negative, octets, slices, subject};
use crate::key::backend;
use crate::output::{Failure, name_of};
use crate::render::json;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise tsp verify contract.tsr --data contract.pdf
  tagwise tsp verify contract.tsr --request contract.tsq --json | jq .
  tagwise tsp verify contract.tsr --data contract.pdf --certificate tsa.pem

Whether the authority is to be trusted is not asked: no path is validated.
Exit codes: 0 the stamp is good; 1 it is not, or is malformed; 2 usage; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("expected").required(true).args(["request", "data"]))]
pub(crate) struct VerifyArgs {
    /// The response, or the stamp alone; `-` is standard input
    #[arg(value_name = "RESPONSE")]
    response: PathBuf,
    /// The request that was answered
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// What was stamped
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Certificates where the authority's may be, besides those in the stamp
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Accept SHA-1 too
    #[arg(long)]
    legacy: bool,
    /// JSON (schema tagwise.tsp-verify/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    schema: &'static str,
    file: String,
    good: bool,
    time: String,
    serial: String,
    policy: String,
    authority: String,
    certificate_sha256: String,
}

impl VerifyArgs {
    pub(super) fn verify(&self, color: bool, out: &mut dyn Write) -> Result<u8, Failure> {
        let response = message(&self.response)?;
        let request = self.request.as_deref().map(message).transpose()?;
        let data = self.data.as_deref().map(octets).transpose()?;
        let others = Credentials::read(&self.certificate)?.certificates;
        let certificates = slices(&others);
        let options = VerifyOptions { certificates: &certificates, legacy: self.legacy, ..VerifyOptions::DEFAULT };
        let expected = match (&request, &data) {
            (Some(request), _) => Expected::Request(request),
            (None, data) => Expected::Data(data.as_deref().unwrap_or_default()),
        };
        let stamp = verify(backend(), &response, &expected, &options);
        let stamp = stamp.map_err(|error| negative(&self.response, &error))?;
        let info = stamp.tst_info().map_err(|error| negative(&self.response, &error))?;
        let document = Document {
            schema: "tagwise.tsp-verify/1",
            file: name_of(&self.response),
            good: true,
            time: info.gen_time.to_string(),
            serial: hex::encode(&stamp.serial),
            policy: info.policy.to_string(),
            authority: subject(&stamp.certificate),
            certificate_sha256: fingerprint(&stamp.certificate)?,
        };
        if self.json {
            json::write(out, &document)?;
            return Ok(0);
        }
        let style = if color { Style::new().bold().fg_color(Some(AnsiColor::Green.into())) } else { Style::new() };
        writeln!(out, "{}: {style}good{style:#}", document.file)?;
        writeln!(out, "  Time:        {}", document.time)?;
        writeln!(out, "  Serial:      {}", document.serial)?;
        writeln!(out, "  Policy:      {}", document.policy)?;
        writeln!(out, "  Authority:   {}", document.authority)?;
        writeln!(out, "  SHA-256:     {} (certificate; no path was validated)", document.certificate_sha256)?;
        Ok(0)
    }
}
