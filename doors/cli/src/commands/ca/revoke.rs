//! `tagwise ca revoke`.

use std::io::Write;
use std::path::{Path, PathBuf};
use tagwise_pkix::oids::files as kinds;

use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::store::{Elsewhere, Revocation};
use tagwise_ca::{Authority, Error, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::visible;

use super::common::{DbArgs, RevocationDocument, document, value};
use crate::shared::backend::EMBEDDED;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca revoke 3F9A0C… --reason key-compromise --invalid-since 2026-11-01
  tagwise ca revoke --certificate old.pem --reason superseded
  tagwise ca revoke 3F9A0C… --reason hold            put on hold
  tagwise ca revoke 3F9A0C… --release                release from hold
  tagwise ca revoke --serial 55 --issued-elsewhere   issued before the CA was imported

Serial numbers are hexadecimal, as `ca list` and OpenSSL print them. A revocation takes effect at once in OCSP, and in the next CRL. \
A certificate on hold can be permanently revoked; its revocation date is then that of the hold.

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
    #[arg(value_name = "SERIAL", required_unless_present_any = ["certificate", "serial"], value_parser = parsed)]
    serials: Vec<Serial>,
    /// Serial number, as an option; may be repeated
    #[arg(long, value_name = "SERIAL", value_parser = parsed)]
    serial: Vec<Serial>,
    /// Revoke the certificate in this file; may be repeated
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
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
    pub(super) fn revoke(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.db.open()?;
        let by_number = |serial: &Serial| {
            let elsewhere = Elsewhere { serial: serial.clone(), der: None, validity: None };
            Target { serial: serial.clone(), elsewhere: self.issued_elsewhere.then_some(elsewhere) }
        };
        let mut targets: Vec<Target> = self.serials.iter().chain(&self.serial).map(by_number).collect();
        for path in &self.certificate {
            targets.push(Target::of(path, &authority)?);
        }
        let mut all = Document { revoked: Vec::new(), released: Vec::new(), failed: Vec::new() };
        let mut code = 0;
        for target in targets {
            let serial = &target.serial;
            // A failure does not prevent the others from being revoked.
            match self.one(&mut store, &authority, &target) {
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

/// The certificate to revoke.
struct Target {
    serial: Serial,
    /// The known facts about the certificate, if it may have been issued elsewhere.
    elsewhere: Option<Elsewhere>,
}

impl Target {
    /// Reads the certificate in a file, and checks the CA's signature on it.
    fn of(path: &Path, authority: &Authority) -> Result<Self, Failure> {
        let der = value(path, &kinds::CERTIFICATE)?;
        let negative = |error: Error| Failure::negative(format!("{}: {}", name_of(path), visible(&error)));
        let certificate = authority.issued_elsewhere(EMBEDDED, &der).map_err(negative)?;
        Ok(Self { serial: certificate.serial.clone(), elsewhere: Some(certificate) })
    }
}
