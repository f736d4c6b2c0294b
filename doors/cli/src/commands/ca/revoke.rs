//! `tagwise ca revoke`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::store::{Elsewhere, Revocation};
use tagwise_ca::{Authority, Error, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::visible;

use super::common::{DbArgs, RevocationDocument, document, value};
use crate::shared::backend::backend;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca revoke 3F9A0C… --reason key-compromise --invalid-since 2026-11-01
  tagwise ca revoke --certificate old.pem --reason superseded
  tagwise ca revoke 3F9A0C… --reason hold            on hold, for now
  tagwise ca revoke 3F9A0C… --release                off hold again
  tagwise ca revoke --serial 55 --issued-elsewhere   issued before the CA was taken over

Serial numbers are hexadecimal, as `ca list` and OpenSSL print them. OCSP knows at once, CRLs from the next one on. A certificate on \
hold can be revoked for good, and then is revoked since it was put on hold.

A certificate that is not in the database (issued elsewhere, or lost with a backup) is revoked by its \
file, if it bears the CA's signature. With --issued-elsewhere its serial number is enough: a mistyped number would \
be revoked in its place, and stay on CRLs for good.
Exit codes: 0 done, for all of them; 1 not done, with the reason; 2 usage; 3 the database could not be read or written.";

/// Reason of a revocation (RFC 5280 §5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reason {
    Unspecified,
    /// The private key is, or may be, in the wrong hands
    #[value(alias = "keyCompromise")]
    KeyCompromise,
    /// The private key of the certified CA is, or may be, in the wrong hands
    #[value(alias = "cACompromise", alias = "caCompromise", alias = "CACompromise")]
    CaCompromise,
    /// Names or other facts about the subject have changed
    #[value(alias = "affiliationChanged")]
    AffiliationChanged,
    /// Another certificate has taken its place
    Superseded,
    /// It is no longer needed
    #[value(alias = "cessationOfOperation")]
    CessationOfOperation,
    /// On hold, until it is released or revoked for good
    #[value(alias = "certificate-hold", alias = "certificateHold")]
    Hold,
    /// A privilege in it was withdrawn
    #[value(alias = "privilegeWithdrawn")]
    PrivilegeWithdrawn,
    /// The attribute authority that it is of is, or may be, compromised
    #[value(alias = "aACompromise", alias = "aaCompromise", alias = "AACompromise")]
    AaCompromise,
    /// For delta CRLs alone: the CA refuses it and names `--release`
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
    /// The same as an option; may be said again
    #[arg(long, value_name = "SERIAL", value_parser = parsed)]
    serial: Vec<Serial>,
    /// The certificate of this file; may be said again
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Revoke numbers that are not in the database as well: the CA issued their certificates elsewhere
    #[arg(long, conflicts_with = "release")]
    issued_elsewhere: bool,
    /// Why
    #[arg(long, value_name = "REASON", default_value = "unspecified")]
    reason: Reason,
    /// Since when the key is, or may be, in the wrong hands, as in 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = crate::shared::moment::moment)]
    invalid_since: Option<UnixTime>,
    /// Take them off hold
    #[arg(long, conflicts_with_all = ["reason", "invalid_since"])]
    release: bool,
    #[command(flatten)]
    db: DbArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

/// A serial number of the command line.
pub(super) fn parsed(text: &str) -> Result<Serial, String> {
    text.parse().map_err(|error: Error| {
        let file = std::path::Path::new(text).is_file();
        if file { format!("{error}; --certificate FILE means the certificate in a file") } else { error.to_string() }
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
            // One that fails keeps no other from being revoked.
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
                            "; one that it issued elsewhere is revoked by --certificate or with --issued-elsewhere"
                        }
                        _ => "",
                    };
                    writeln!(err, "tagwise: {text}{hint}")?;
                    all.failed.push(Failed { serial: serial.to_string(), error: error.to_string() });
                }
            }
            // Killed after this, it has said what it has done.
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
    /// The known facts about it, if it may have been issued elsewhere.
    elsewhere: Option<Elsewhere>,
}

impl Target {
    /// The certificate of a file, which bears the CA's signature.
    fn of(path: &Path, authority: &Authority) -> Result<Self, Failure> {
        let der = value(path, &["CERTIFICATE"], "certificate")?;
        let negative = |error: Error| Failure::negative(format!("{}: {}", name_of(path), visible(&error)));
        let certificate = authority.issued_elsewhere(backend(), &der).map_err(negative)?;
        Ok(Self { serial: certificate.serial.clone(), elsewhere: Some(certificate) })
    }
}
