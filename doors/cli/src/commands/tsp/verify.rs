//! `tagwise tsp verify`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_crypto::cms::{Objection, VerifyOptions};
use tagwise_crypto::tsp::{Expected, TspError, verify};
use tagwise_show::render::json;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, fingerprint, message, negative, octets, slices, subject, unusable};
use crate::shared::output::{Failure, name_of};
use crate::shared::standing::{Standing, StandingArgs};
use crate::shared::trust::{Beside, Purpose, TrustArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise tsp verify contract.tsr --data contract.pdf
  tagwise tsp verify contract.tsr --request contract.tsq --json | jq .
  tagwise tsp verify contract.tsr --data contract.pdf --untrusted tsa.pem
  tagwise tsp verify contract.tsr --data contract.pdf --trust roots.pem

A time stamp is good if its signature verifies and its content matches, and the authority's certificate was valid at the stamped \
time, allows time stamping only, and has a key usage for signatures. A time stamp from the future is not good; its clock may be ahead by the \
accuracy that it states, up to 5 minutes. --at checks the \
certificate at another time, and takes that time for the current one. With --trust, there \
must also be a valid path from the certificate to a trust anchor, as `tagwise verify` finds it; without --trust, trust is not \
checked. CRLs and OCSP responses must be current now, or at the time of --evidence-at or --at. A revocation counts if it is not dated \
after the time stamp and its accuracy, and always unless it states the reason unspecified, affiliationChanged, superseded or cessationOfOperation \
(RFC 3161 §4).
Exit codes: 0 the time stamp is good; 1 it is not, or is malformed; 2 usage error; 3 a file could not be read; 4 not known: an \
algorithm is not supported, the authority's certificate is missing, a limit is exceeded, or trust cannot be decided.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("expected").required(true).args(["request", "data"]))]
pub(crate) struct VerifyArgs {
    /// Response, or a time stamp alone; `-` is standard input
    #[arg(value_name = "RESPONSE")]
    response: PathBuf,
    /// The request for the response
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// The stamped file
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Certificates in which to look for the authority's, besides those in the time stamp
    #[arg(long, alias = "certificate", value_name = "FILE")]
    untrusted: Vec<PathBuf>,
    /// Also accept SHA-1
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    standing: StandingArgs,
    #[command(flatten)]
    trust: TrustArgs,
    /// Print JSON (schema tagwise.tsp-verify/3)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    good: bool,
    time: String,
    /// The accuracy that the authority states, in seconds, rounded up.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<u64>,
    serial: String,
    policy: String,
    authority: String,
    certificate_sha256: String,
    /// The reason for which the time stamp proves nothing although it verifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    standing: Standing,
}

impl VerifyArgs {
    pub(super) fn verify(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let trusted = self.trust.read(context, EMBEDDED, self.standing.at)?;
        let response = message(context, &self.response)?;
        let request = self.request.as_deref().map(|path| message(context, path)).transpose()?;
        let data = self.data.as_deref().map(|path| octets(context, path)).transpose()?;
        let others = Credentials::read(context, &self.untrusted)?;
        let certificates = slices(&others.certificates);
        let options = VerifyOptions {
            certificates: &certificates,
            legacy: self.legacy,
            at: self.standing.at,
            tolerate: context.allowed.decoding,
            ..VerifyOptions::DEFAULT
        };
        let expected = match (&request, &data) {
            (Some(request), _) => Expected::Request(request),
            (None, data) => Expected::Data(data.as_deref().unwrap_or_default()),
        };
        let stamp = verify(EMBEDDED, &response, &expected, &options);
        let stamp = stamp.map_err(|error| match &error {
            TspError::Cms(error) => unusable(&self.response, error),
            error => negative(&self.response, error),
        })?;
        let info = stamp.tst_info().map_err(|error| negative(&self.response, &error))?;
        let mut beside = slices(&stamp.certificates);
        beside.extend(&certificates);
        let crls = [stamp.crls.as_slice(), &others.crls].concat();
        let responses = [stamp.ocsp_responses.as_slice(), &others.responses].concat();
        let beside = Beside {
            certificates: &beside,
            crls: &crls,
            responses: &responses,
            allowed: StandingArgs::allowed_rules(context),
            legacy: self.legacy,
        };
        // RFC 3161 §2.4.2: the upper limit, so that a revocation within the accuracy counts.
        let stamped = Some(stamp.latest());
        let judge = trusted
            .map(|trusted| trusted.judge(context, &stamp.certificate, &beside, Purpose::Timestamp, stamp.at, stamped));
        let (future, others): (Vec<_>, Vec<_>) =
            stamp.objections.iter().cloned().partition(|objection| matches!(objection, Objection::Future { .. }));
        let standing = self.standing.judge(context, stamp.at, stamp.at_from, &others).with_trust(judge.transpose()?)?;
        let error = future.first().map(ToString::to_string);
        let good = standing.is_good() && error.is_none();
        let code = if standing.is_undecided() && error.is_none() { 4 } else { u8::from(!good) };
        let document = Document {
            schema: "tagwise.tsp-verify/3",
            file: name_of(&self.response),
            good,
            time: info.gen_time.to_string(),
            accuracy: Some(stamp.accuracy.as_secs()).filter(|accuracy| *accuracy > 0),
            serial: hex::encode(&stamp.serial),
            policy: info.policy.to_string(),
            authority: subject(context, &stamp.certificate),
            certificate_sha256: fingerprint(EMBEDDED, &stamp.certificate)?,
            error,
            standing,
        };
        if self.json {
            json::write(out, &document)?;
            return Ok(code);
        }
        let (word, colour) = match code {
            0 => (document.standing.good("stamp"), AnsiColor::Green),
            4 => ("NOT KNOWN".to_owned(), AnsiColor::Yellow),
            _ => ("NOT GOOD".to_owned(), AnsiColor::Red),
        };
        let style = if context.color { Style::new().bold().fg_color(Some(colour.into())) } else { Style::new() };
        writeln!(out, "{}: {style}{word}{style:#}", document.file)?;
        let accuracy = document.accuracy.map_or_else(String::new, |accuracy| format!(" (accuracy {accuracy} s)"));
        writeln!(out, "  Time:        {}{accuracy}", document.time)?;
        writeln!(out, "  Serial:      {}", document.serial)?;
        writeln!(out, "  Policy:      {}", document.policy)?;
        writeln!(out, "  Authority:   {}", document.authority)?;
        writeln!(out, "  SHA-256:     {} (certificate)", document.certificate_sha256)?;
        if let Some(error) = &document.error {
            writeln!(out, "  Reason:      {error}")?;
        }
        document.standing.text(context, "  ", out)?;
        Ok(code)
    }
}
