//! `tagwise ca revoke`.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::store::Revocation;
use tagwise_ca::{Authority, Error, Serial, Store};
use tagwise_codec::Decode;
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::visible;

use super::common::{DbArgs, RevocationDocument, document, iso, value};
use crate::args::now;
use crate::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca revoke 3F9A0C… --reason key-compromise --invalid-since 2026-11-01
  tagwise ca revoke --certificate old.pem --reason superseded
  tagwise ca revoke 3F9A0C… --reason hold            on hold, for now
  tagwise ca revoke 3F9A0C… --release                off hold again

Serial numbers are hexadecimal, as `ca list` and OpenSSL print them. OCSP tells it at once, a CRL from the next one on. What is on \
hold can be revoked for good, and then is revoked since it was put on hold.
Exit codes: 0 done, for all of them; 1 not done, and why; 2 usage; 3 the database could not be read or written.";

/// Why (RFC 5280 §5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reason {
    Unspecified,
    /// The private key is, or may be, in the wrong hands
    KeyCompromise,
    /// So is that of the CA that the certificate is of
    CaCompromise,
    /// What the certificate says of the subject is no longer true
    AffiliationChanged,
    /// Another certificate has taken its place
    Superseded,
    /// It is no longer needed
    CessationOfOperation,
    /// On hold, until it is released or revoked for good
    #[value(alias = "certificate-hold")]
    Hold,
    /// A privilege in it was withdrawn
    PrivilegeWithdrawn,
    /// The attribute authority that it is of is, or may be, compromised
    AaCompromise,
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
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RevokeArgs {
    /// Serial numbers, in hexadecimal
    #[arg(value_name = "SERIAL", required_unless_present = "certificate", value_parser = parsed)]
    serials: Vec<Serial>,
    /// The certificate of this file; may be said again
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Why
    #[arg(long, value_name = "REASON", default_value = "unspecified")]
    reason: Reason,
    /// Since when the key is, or may be, in the wrong hands, as in 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = crate::args::moment)]
    invalid_since: Option<i64>,
    /// Take them off hold
    #[arg(long, conflicts_with_all = ["reason", "invalid_since"])]
    release: bool,
    #[command(flatten)]
    db: DbArgs,
    /// JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

/// A serial number of the command line.
pub(super) fn parsed(text: &str) -> Result<Serial, String> {
    text.parse().map_err(|error: Error| error.to_string())
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
        let mut serials = self.serials.clone();
        for path in &self.certificate {
            serials.push(serial_of(path, &authority)?);
        }
        let mut all = Document { revoked: Vec::new(), released: Vec::new(), failed: Vec::new() };
        let mut code = 0;
        for serial in serials {
            // One that fails keeps no other from being revoked.
            match self.one(&mut store, &authority, &serial) {
                Ok(Some(revocation)) => {
                    if !self.json {
                        let reason = revocation.reason;
                        writeln!(out, "{serial}: revoked since {} ({reason})", iso(revocation.at))?;
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
                    writeln!(err, "tagwise: {text}")?;
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

    fn one(&self, store: &mut dyn Store, authority: &Authority, serial: &Serial) -> Result<Option<Revocation>, Error> {
        if self.release {
            return authority.release(store, serial, now()).map(|()| None);
        }
        authority.revoke(store, serial, self.reason.reason(), self.invalid_since, now())?;
        Ok(authority.find(store, serial)?.revocation)
    }
}

/// The number of a certificate that the CA has issued.
fn serial_of(path: &std::path::Path, authority: &Authority) -> Result<Serial, Failure> {
    let der = value(path, &["CERTIFICATE"], "certificate")?;
    let negative = |text: String| Failure::negative(format!("{}: {}", name_of(path), visible(&text)));
    let certificate = Certificate::from_der(&der).map_err(|error| negative(error.to_string()))?;
    let tbs = &certificate.tbs_certificate;
    if !tbs.issuer.matches(&authority.certificate().tbs_certificate.subject) {
        return Err(negative(format!("the certificate is of another CA: {}", tbs.issuer)));
    }
    Ok(Serial::from_int(tbs.serial_number.0))
}
