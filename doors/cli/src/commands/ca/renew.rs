//! `tagwise ca renew`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_ca::{Authority, Serial, Store};
use tagwise_pkix::name::visible;
use tagwise_pkix::{UnixTime, Validity};

use super::common::{DAY, KeyArgs, Moment, OutputArgs, ValidityArgs, armoured, document, value};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca renew -o root.pem
  tagwise ca renew --days 7300 -o root.pem
  tagwise ca renew --db sub.db --certificate sub.pem      a certificate signed by the superior CA

The key, the name, the subject key identifier and all other extensions are kept byte for byte, so that existing certificates still \
chain to the new one. The old certificate stays in the database. A certificate from a superior CA must be valid now, and keeps the validity that \
the superior CA chose; whether that CA has revoked it is not checked. A CA whose key is compromised is not renewed.
Exit codes: 0 renewed; 1 refused, with the reason; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct RenewArgs {
    #[command(flatten)]
    validity: ValidityArgs,
    /// Use this certificate, issued by another CA, instead of signing one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["days", "until"])]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    subject: String,
    serial: String,
    not_before: Moment,
    not_after: Moment,
    pem: String,
}

/// The default validity: ten years, as for a new CA.
const DAYS: u32 = 3650;

/// The default validity of server certificates, in days.
const SERVER_DAYS: u32 = 90;

/// The number of days after the last CRL, or after the start of the current certificate without one, that suggests a wrong clock.
const DOUBTFUL: u32 = 400;

impl RenewArgs {
    /// Warns if the clock is far ahead of the last recorded time. The new certificate would not be valid yet once the clock is
    /// corrected.
    fn doubt_clock(
        &self,
        store: &mut dyn Store,
        authority: &Authority,
        now: UnixTime,
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        let from = authority.certificate().tbs_certificate.validity.not_before.unix();
        let last = store.last_update(authority.id()).map_err(|error| self.key.failed(&error))?;
        let (what, at) = match last {
            Some(at) => ("the last CRL was issued at", at),
            None => ("the CA's certificate is valid from", from),
        };
        if now > at.saturating_add(DAY * DOUBTFUL) {
            let name = self.key.name();
            writeln!(
                err,
                "tagwise: {name}: {what} {at}, and the clock shows {now}: if the clock is wrong, correct it and renew the CA again"
            )?;
        }
        Ok(())
    }

    /// Warns if the new certificate ends before the current one, or before a server's certificate issued now. Certificates do not outlive
    /// their CA's.
    fn doubt_end(
        &self,
        authority: &Authority,
        (now, end): (UnixTime, UnixTime),
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (name, current) = (self.key.name(), authority.certificate().tbs_certificate.validity.not_after.unix());
        if end < current {
            writeln!(
                err,
                "tagwise: {name}: the new certificate ends on {end}, before the current one, which ends on {current}"
            )?;
        }
        if end < Validity::end(now, DAY * SERVER_DAYS) {
            writeln!(
                err,
                "tagwise: {name}: the new certificate ends on {end}: no certificate can be issued for the usual {SERVER_DAYS} days"
            )?;
        }
        Ok(())
    }

    pub(super) fn renew(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let given = self.certificate.as_deref().map(|path| value(context, path, &kinds::CERTIFICATE)).transpose()?;
        let (mut store, authority) = self.key.open()?;
        let now = now();
        let renewed = match &given {
            Some(der) => authority.replace_certificate(&mut *store, der, now),
            None => {
                let signer = self.key.signer(&authority)?;
                self.doubt_clock(&mut *store, &authority, now, err)?;
                let end = self.validity.end_or(now, DAYS);
                self.doubt_end(&authority, (now, end), err)?;
                authority.renew(&mut *store, EMBEDDED, &signer, (now, end))
            }
        };
        let renewed = renewed.map_err(|error| self.key.failed(&error))?;
        let tbs = &renewed.certificate().tbs_certificate;
        if given.is_some() {
            self.doubt_end(&authority, (now, tbs.validity.not_after.unix()), err)?;
            if !tbs.issuer.matches(&tbs.subject) {
                let (name, issuer) = (self.key.name(), tbs.issuer.rfc4514());
                writeln!(
                    err,
                    "tagwise: {name}: not checked: whether {} has revoked the new certificate; `tagwise verify` checks that with its CRL",
                    visible(&issuer)
                )?;
            }
        }
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new(label::CERTIFICATE, &[renewed.certificate_der()], "the CA's certificate", out)?;
        }
        let subject = tbs.subject.rfc4514().to_string();
        let until = tbs.validity.not_after.unix();
        if self.json {
            let made = Document {
                subject,
                serial: Serial::from_int(tbs.serial_number.0).to_string(),
                not_before: Moment::of(tbs.validity.not_before.unix()),
                not_after: Moment::of(until),
                pem: armoured(label::CERTIFICATE, renewed.certificate_der())?,
            };
            document("renew", &made, out)?;
        } else if self.output.output.is_some() {
            writeln!(err, "{}: {}, valid until {until}", self.key.name(), visible(&subject))?;
        }
        Ok(0)
    }
}
