//! `tagwise ca revoke`.

use std::io::Write;
use std::path::{Path, PathBuf};
use tagwise_pkix::oids::files as kinds;

use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::store::{CertificateRecord, Elsewhere, Revocation};
use tagwise_ca::{Authority, Error, Serial, Store};
use tagwise_codec::Decode;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::{NameBuf, text, visible};
use tagwise_pkix::{Certificate, UnixTime, oids};

use super::common::{self, DbArgs, RevocationDocument, document, value};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca revoke 3F9A0C… --reason key-compromise --invalid-since 2026-11-01
  tagwise ca revoke --certificate old.pem --reason superseded
  tagwise ca revoke --name www.example.org           every valid certificate with this name
  tagwise ca revoke --expired-before 2026-01-01      every certificate that expired before
  tagwise ca revoke 3F9A0C… --reason hold            put on hold
  tagwise ca revoke 3F9A0C… --release                release from hold
  tagwise ca revoke --serial 55 --issued-elsewhere   issued before the CA was imported

Serial numbers are hexadecimal, as `ca list` and OpenSSL print them. A revocation takes effect at once in OCSP, and in the next CRL. \
A certificate on hold can be permanently revoked; its revocation date is then that of the hold.

If a key turns out to be compromised after the revocation, repeat it with --reason key-compromise. The certificate keeps its revocation date, \
or gets that of --invalid-since if it is earlier, and the key is not certified again. Other reasons cannot be changed.

A certificate that is not in the database (issued elsewhere, or lost with a backup) can be revoked by its file, if it has the CA's \
signature. With --issued-elsewhere, its serial number suffices; a mistyped number would be revoked instead, and would stay on CRLs \
permanently.
Exit codes: 0 all revoked or released; 1 refused, with the reason; 2 usage error; 3 the database could not be read or written.";

/// Reason of a revocation (RFC 5280 §5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reason {
    Unspecified,
    /// The private key is or may be compromised
    #[value(alias = "keyCompromise")]
    KeyCompromise,
    /// The private key of the certified CA is or may be compromised
    #[value(alias = "cACompromise", alias = "caCompromise", alias = "CACompromise")]
    CaCompromise,
    /// Names or other facts about the subject have changed
    #[value(alias = "affiliationChanged")]
    AffiliationChanged,
    /// Another certificate has replaced it
    Superseded,
    /// The certificate is no longer needed
    #[value(alias = "cessationOfOperation")]
    CessationOfOperation,
    /// On hold, until it is released or permanently revoked
    #[value(alias = "certificate-hold", alias = "certificateHold")]
    Hold,
    /// A privilege in the certificate was withdrawn
    #[value(alias = "privilegeWithdrawn")]
    PrivilegeWithdrawn,
    /// The certified attribute authority is or may be compromised
    #[value(alias = "aACompromise", alias = "aaCompromise", alias = "AACompromise")]
    AaCompromise,
    /// For delta CRLs only; rejected here: use `--release` instead
    #[value(name = "remove-from-crl", alias = "removeFromCRL", hide = true)]
    RemoveFromCrl,
}

impl Reason {
    const fn reason(self) -> CrlReason {
        match self {
            Self::Unspecified => CrlReason::Unspecified,
            Self::KeyCompromise => CrlReason::KeyCompromise,
            Self::CaCompromise => CrlReason::CaCompromise,
            Self::AffiliationChanged => CrlReason::AffiliationChanged,
            Self::Superseded => CrlReason::Superseded,
            Self::CessationOfOperation => CrlReason::CessationOfOperation,
            Self::Hold => CrlReason::CertificateHold,
            Self::PrivilegeWithdrawn => CrlReason::PrivilegeWithdrawn,
            Self::AaCompromise => CrlReason::AaCompromise,
            Self::RemoveFromCrl => CrlReason::RemoveFromCrl,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RevokeArgs {
    /// Serial numbers, in hexadecimal
    #[arg(value_name = "SERIAL", required_unless_present_any = ["certificate", "serial", "name", "expired_before"], value_parser = parsed)]
    serials: Vec<Serial>,
    /// Serial number, as an option; may be repeated
    #[arg(long, value_name = "SERIAL", value_parser = parsed)]
    serial: Vec<Serial>,
    /// Revoke the certificate in this file; may be repeated
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Revoke every valid certificate with this name: a subject, common name or alternative name; may be repeated
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Revoke every certificate whose validity ended before this time, such as 2026-11-21
    #[arg(long, value_name = "TIME", value_parser = crate::shared::moment::moment, conflicts_with = "release")]
    expired_before: Option<UnixTime>,
    /// Also revoke serial numbers that are not in the database, because the CA issued their certificates elsewhere
    #[arg(long, conflicts_with = "release")]
    issued_elsewhere: bool,
    /// Reason of the revocation
    #[arg(long, value_name = "REASON", default_value = "unspecified")]
    reason: Reason,
    /// Time from which the certificate must be considered invalid, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = crate::shared::moment::moment)]
    invalid_since: Option<UnixTime>,
    /// Release the certificates from hold
    #[arg(long, conflicts_with_all = ["reason", "invalid_since"])]
    release: bool,
    #[command(flatten)]
    db: DbArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

/// Parses a serial number from the command line.
pub(super) fn parsed(text: &str) -> Result<Serial, String> {
    text.parse().map_err(|error: Error| {
        let file = std::path::Path::new(text).is_file();
        if file { format!("{error}; use --certificate FILE for the certificate in a file") } else { error.to_string() }
    })
}

#[derive(Serialize)]
struct Document {
    revoked: Vec<Revoked>,
    released: Vec<String>,
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Revoked {
    serial: String,
    #[serde(flatten)]
    revocation: RevocationDocument,
}

#[derive(Serialize)]
struct Failed {
    serial: String,
    error: String,
}

impl RevokeArgs {
    pub(super) fn revoke(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.db.open()?;
        let by_number = |serial: &Serial| {
            let elsewhere = Elsewhere { serial: serial.clone(), der: None, validity: None };
            Target { serial: serial.clone(), elsewhere: self.issued_elsewhere.then_some(elsewhere) }
        };
        let mut targets: Vec<Target> = self.serials.iter().chain(&self.serial).map(by_number).collect();
        for path in &self.certificate {
            targets.push(self.target(context, path, &mut *store, &authority)?);
        }
        self.select(&mut *store, &authority, &mut targets)?;
        let mut all = Document { revoked: Vec::new(), released: Vec::new(), failed: Vec::new() };
        let mut code = 0;
        for target in targets {
            let serial = &target.serial;
            // A failure does not prevent the others from being revoked.
            match self.one(&mut *store, &authority, &target) {
                Ok(Some(revocation)) => {
                    if !self.json {
                        let reason = revocation.reason;
                        writeln!(out, "{serial}: revoked since {} ({reason})", revocation.at)?;
                    }
                    let revocation = RevocationDocument::of(&revocation);
                    all.revoked.push(Revoked { serial: serial.to_string(), revocation });
                }
                Ok(None) => {
                    if !self.json {
                        writeln!(out, "{serial}: no longer on hold")?;
                    }
                    all.released.push(serial.to_string());
                }
                Err(error) => {
                    let Failure::Said(worse, text) = self.db.failed(&error) else { continue };
                    code = code.max(worse);
                    let hint = match error {
                        Error::NoSuchSerial(_) if !self.release => {
                            "; to revoke a certificate issued elsewhere, use --certificate or --issued-elsewhere"
                        }
                        _ => "",
                    };
                    writeln!(err, "tagwise: {text}{hint}")?;
                    all.failed.push(Failed { serial: serial.to_string(), error: error.to_string() });
                }
            }
            // If it is killed after this, the output is complete.
            out.flush()?;
        }
        if self.json {
            document("revoke", &all, out)?;
        }
        Ok(code)
    }

    /// Adds the certificates that the options select by name or by expiration time.
    fn select(&self, store: &mut dyn Store, authority: &Authority, targets: &mut Vec<Target>) -> Result<(), Failure> {
        if self.name.is_empty() && self.expired_before.is_none() {
            return Ok(());
        }
        let (now, mut unmatched) = (now(), self.name.clone());
        let mut count = 0_usize;
        let walk = store.certificates(authority.id(), &mut |record| {
            let on_hold = |revocation: &Revocation| revocation.reason == CrlReason::CertificateHold;
            // A certificate on hold is released, or permanently revoked.
            let is_open = match &record.revocation {
                // Its reason becomes keyCompromise.
                Some(revocation) if self.reason == Reason::KeyCompromise => !revocation.is_compromise(),
                Some(revocation) => on_hold(revocation) && self.reason != Reason::Hold,
                None => !self.release,
            };
            // The CA cannot revoke itself.
            if !is_open || record.profile == "root" {
                return Ok(());
            }
            let names = if record.not_after >= now { named(&record) } else { Vec::new() };
            let is_named = |wanted: &&String| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
            let has_name = self.name.iter().any(|wanted| is_named(&wanted));
            unmatched.retain(|wanted| !is_named(&wanted));
            if has_name || self.expired_before.is_some_and(|time| record.not_after < time) {
                count += 1;
                targets.push(Target { serial: record.serial, elsewhere: None });
            }
            Ok(())
        });
        walk.map_err(|error| self.db.failed(&error))?;
        match unmatched.first() {
            Some(name) => Err(Failure::negative(format!("no valid certificate has the name {}", visible(name)))),
            None if count == 0 => Err(Failure::negative("no certificate to revoke expired before that time")),
            None => Ok(()),
        }
    }

    /// Reads the certificate in a file. Checks the CA's signature on it, unless the database contains it.
    fn target(
        &self,
        context: &Context,
        path: &Path,
        store: &mut dyn Store,
        authority: &Authority,
    ) -> Result<Target, Failure> {
        let der = value(context, path, &kinds::CERTIFICATE)?;
        let negative = |error: Error| Failure::negative(format!("{}: {}", name_of(path), visible(&error)));
        if let Ok(read) = Certificate::outline(&der) {
            let serial = Serial::from_int(read.tbs_certificate.serial_number.0);
            let stored = store.certificate(authority.id(), &serial).map_err(|error| self.db.failed(&error))?;
            if stored.is_some_and(|stored| stored.der == der) {
                return Ok(Target { serial, elsewhere: None });
            }
        }
        let certificate = authority.issued_elsewhere(EMBEDDED, &der).map_err(negative)?;
        Ok(Target { serial: certificate.serial.clone(), elsewhere: Some(certificate) })
    }

    fn one(&self, store: &mut dyn Store, authority: &Authority, target: &Target) -> Result<Option<Revocation>, Error> {
        let serial = &target.serial;
        if self.release {
            return authority.release(store, serial, now()).map(|()| None);
        }
        let (reason, since) = (self.reason.reason(), self.invalid_since);
        match (authority.revoke(store, serial, reason, since, now()), &target.elsewhere) {
            (Err(Error::NoSuchSerial(_)), Some(elsewhere)) => {
                Ok(authority.revoke_elsewhere(store, elsewhere, reason, since, now())?.revocation)
            }
            (Err(error), _) => Err(error),
            (Ok(_), _) => Ok(authority.find(store, serial)?.revocation),
        }
    }
}

/// Returns a certificate's names: its subject, common names and alternative names.
fn named(record: &CertificateRecord) -> Vec<String> {
    let mut names = vec![record.subject.clone()];
    let alternative = common::names(&record.der);
    names.extend(alternative.iter().filter_map(|name| name.split_once(':')).map(|(_, name)| name.to_owned()));
    if let Ok(subject) = NameBuf::parse(&record.subject) {
        let subject = subject.name();
        let common = subject.attributes().filter(|attribute| attribute.attr_type == oids::COMMON_NAME);
        names.extend(common.filter_map(|attribute| text(&attribute.value)).map(std::borrow::Cow::into_owned));
    }
    names
}

/// The certificate to revoke.
struct Target {
    serial: Serial,
    /// The certificate's data, if it may not be in the database.
    elsewhere: Option<Elsewhere>,
}
