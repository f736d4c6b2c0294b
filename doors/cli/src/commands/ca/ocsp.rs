//! `tagwise ca ocsp`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files as kinds;

use serde::Serialize;
use tagwise_ca::Serial;
use tagwise_codec::text::hex;
use tagwise_pkix::name::visible;
use tagwise_pkix::ocsp::OcspResponseStatus;

use super::common::{ResponderArgs, document, value};
use super::revoke::parsed;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::{Failure, deliver};

pub(super) const EXAMPLES: &str = "\
Examples:
  openssl ocsp -issuer root.pem -cert server.pem -reqout request.der
  tagwise ca ocsp request.der -o response.der
  tagwise ca ocsp --serial 3F9A0C… -o response.der           for stapling
  tagwise ca ocsp --responder-key ocsp.key --responder-certificate ocsp.pem request.der -o response.der

Responses without a nonce are stored in the database, and reused for half of their validity unless the status changes.
Exit codes: 0 answered; 1 the request was refused (the error response is written), or the certificate was not found; 2 usage error;
3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct OcspArgs {
    /// An OCSP request; `-` is standard input
    #[arg(value_name = "REQUEST", required_unless_present = "serial", conflicts_with = "serial")]
    request: Option<PathBuf>,
    /// Respond for the certificate with this serial number
    #[arg(long, value_name = "SERIAL", value_parser = parsed)]
    serial: Option<Serial>,
    #[command(flatten)]
    responder: ResponderArgs,
    /// Write to this file, in DER [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    status: &'static str,
    response: String,
}

impl OcspArgs {
    pub(super) fn ocsp(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let request = self.request.as_deref().map(|path| value(context, path, &kinds::OCSP_REQUEST)).transpose()?;
        let (mut store, responder) = self.responder.open(context)?;
        let (der, status) = match (&request, &self.serial) {
            (Some(request), _) => {
                let answer = responder.answer(&mut *store, request, now());
                if let Some(error) = &answer.error {
                    writeln!(err, "tagwise: {}", visible(error))?;
                }
                (answer.der, answer.status)
            }
            (None, Some(serial)) => {
                let der = responder.answer_about(&mut *store, serial, now());
                (der.map_err(|error| self.responder.key.failed(&error))?, OcspResponseStatus::Successful)
            }
            (None, None) => return Err(Failure::usage("give a request or --serial")),
        };
        if self.output.is_some() || !self.json {
            deliver(&der, self.output.as_ref(), false, out)?;
        }
        if self.json {
            document("ocsp", &Document { status: word(status), response: hex::encode(&der) }, out)?;
        }
        Ok(u8::from(status != OcspResponseStatus::Successful))
    }
}

/// Returns the name of a status in RFC 6960 §4.2.1.
pub(super) const fn word(status: OcspResponseStatus) -> &'static str {
    match status {
        OcspResponseStatus::Successful => "successful",
        OcspResponseStatus::MalformedRequest => "malformedRequest",
        OcspResponseStatus::InternalError => "internalError",
        OcspResponseStatus::TryLater => "tryLater",
        OcspResponseStatus::SigRequired => "sigRequired",
        OcspResponseStatus::Unauthorized => "unauthorized",
    }
}
