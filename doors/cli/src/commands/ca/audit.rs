//! `tagwise ca audit`.

use std::io::Write;

use serde::Serialize;
use tagwise_ca::Authority;
use tagwise_pkix::name::visible;

use super::common::{DbArgs, document};
use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca audit
  tagwise ca audit --db ca.db --json | jq -r '.findings[]'

Each row's digest is checked now, and again before a CRL or an OCSP response is signed from the row. Every certificate must match the \
serial number and validity in its row, every CRL the number and dates in its row, and both must have the CA's signature. No series of CRLs may have a higher number than the \
last CRL, and every document of ACME, EST, SCEP and CMP must be a JSON object. No trigger may be missing. In SQLite, no table, index, certificate \
or CRL may be missing either; a deleted last row is noticed if other rows refer to it. Digests detect accidental damage, not changes by somebody \
who can write to the file.
Exit codes: 0 no findings; 1 something is damaged; 2 usage error; 3 the database could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Print JSON (schema tagwise.ca/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    database: String,
    status: &'static str,
    certificates: u64,
    crls: u64,
    findings: Vec<String>,
}

impl AuditArgs {
    pub(super) fn audit(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        // The CA's own row may be damaged too.
        let mut store = self.db.store_to_audit()?;
        let audit = Authority::audit_store(&mut *store, Authority::LABEL, EMBEDDED);
        let audit = audit.map_err(|error| self.db.failed(&error))?;
        let code = u8::from(!audit.findings.is_empty());
        let database = self.db.name();
        if self.json {
            let status = if code == 0 { "good" } else { "damaged" };
            let findings = audit.findings;
            document(
                "audit",
                &Document { database, status, certificates: audit.certificates, crls: audit.crls, findings },
                out,
            )?;
            return Ok(code);
        }
        for finding in &audit.findings {
            writeln!(err, "tagwise: {database}: damaged: {}", visible(finding))?;
        }
        match (code, audit.certificates) {
            (0, 1) => writeln!(out, "{database}: good: 1 certificate")?,
            (0, count) => writeln!(out, "{database}: good: {count} certificates")?,
            _ => {}
        }
        Ok(code)
    }
}
