//! The revocations that a CA issued before it was imported into its database, as given on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};
use tagwise_pkix::oids::files as kinds;

use tagwise_ca::{Error, Identity, Import, Index, LastCrl, Sources, Takeover};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, UnixTime};

use super::common::{DbArgs, value};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// The last CRL issued elsewhere, or the confirmation that nothing is revoked.
#[derive(Debug, clap::Args)]
pub(super) struct HistoryArgs {
    /// Import the last CRL that the CA issued elsewhere: its entries stay revoked, and CRL numbers continue from it
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    last_crl: Option<PathBuf>,
    /// Import OpenSSL's `index.txt`: all issued certificates and revocations; --last-crl must not be older
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    index: Option<PathBuf>,
    /// Import no CRL, because no certificate issued elsewhere is revoked
    #[arg(long)]
    no_history: bool,
}

impl HistoryArgs {
    /// Returns whether any of these options was given.
    pub(super) const fn is_said(&self) -> bool {
        self.last_crl.is_some() || self.index.is_some() || self.no_history
    }

    /// Reads the CRL and checks it against the CA's certificate.
    pub(super) fn crl(
        &self,
        context: &Context,
        authority: &Certificate<'_>,
        now: UnixTime,
        err: &mut dyn Write,
    ) -> Result<Option<LastCrl>, Failure> {
        let Some(path) = &self.last_crl else { return Ok(None) };
        let der = value(context, path, &kinds::CRL)?;
        let read = LastCrl::read(EMBEDDED, authority, &der);
        let read = read.map_err(|error| Failure::negative(format!("{}: {}", name_of(path), visible(&error))))?;
        if let Some(due) = read.next_update().filter(|due| *due < now) {
            writeln!(err, "tagwise: {}: the next CRL was due on {due}: is this the last one?", name_of(path))?;
        } else if self.index.is_none() {
            let made = read.this_update();
            writeln!(
                err,
                "tagwise: {}: is this the last CRL? It was issued on {made} and omits later revocations; --index FILE also reads OpenSSL's index.txt",
                name_of(path)
            )?;
        }
        Ok(Some(read))
    }

    /// Reads the index and compares it with the CRL.
    pub(super) fn import(
        &self,
        context: &Context,
        crl: Option<&LastCrl>,
        last_number: Option<u64>,
        err: &mut dyn Write,
    ) -> Result<Option<Import>, Failure> {
        let Some(path) = &self.index else { return Ok(None) };
        let index = read_index(context, path)?;
        if index.issued() == 0 && crl.is_none() {
            return Err(no_records());
        }
        let sources = Sources { index: Some(&index), crl, last_number, ..Sources::default() };
        let import = Import::new(&sources).map_err(|error| outdated(&error))?;
        for difference in import.differences() {
            writeln!(err, "tagwise: {}: {difference}", name_of(path))?;
        }
        Ok(Some(import))
    }

    /// Returns the number of the last CRL according to the file `crlnumber` beside the index, if there is one.
    pub(super) fn recorded_number(&self, context: &Context) -> Result<Option<u64>, Failure> {
        let path = self.index.as_deref().and_then(number_beside);
        path.map(|path| recorded_number(context, &path)).transpose()
    }

    /// Returns the CA's name and key identifier, according to its last CRL.
    pub(super) fn identity(&self, context: &Context) -> Result<Option<Identity>, Failure> {
        let Some(path) = &self.last_crl else { return Ok(None) };
        let der = value(context, path, &kinds::CRL)?;
        let read = Identity::of_crl(&der);
        read.map(Some).map_err(|error| Failure::negative(format!("{}: {}", name_of(path), visible(&error))))
    }

    /// Checks that the CRL is given as a file. A CRL number alone would lose the entries.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match &self.last_crl {
            Some(path) if is_number(path) && !path.exists() => Err(Failure::usage(format!(
                "--last-crl requires a file, not a number: give the CRL with the number {}; if nothing is revoked, pass --no-history --last-crl-number {0}",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Converts the arguments to the library's type.
    pub(super) const fn takeover<'a>(&self, crl: Option<&'a LastCrl>, import: Option<&'a Import>) -> Takeover<'a> {
        match (import, crl) {
            (Some(import), _) => Takeover::Import(import),
            (None, Some(crl)) => Takeover::Last(crl),
            (None, None) if self.no_history => Takeover::Nothing,
            (None, None) => Takeover::Later,
        }
    }
}

/// Returns the path of OpenSSL's file `crlnumber` beside an index, if it exists.
pub(super) fn number_beside(index: &Path) -> Option<PathBuf> {
    let path = index.with_file_name("crlnumber");
    path.is_file().then_some(path)
}

/// Reads OpenSSL's file `crlnumber`, which contains the number of the next CRL, and returns the number of the last one.
pub(super) fn recorded_number(context: &Context, path: &Path) -> Result<u64, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let text = String::from_utf8_lossy(&octets);
    let next = u64::from_str_radix(text.trim(), 16).ok().filter(|next| i64::try_from(*next).is_ok());
    let next = next.ok_or_else(|| {
        let text = visible(&text.trim()).to_string();
        Failure::negative(format!("{}: `{text}` is not the number of a CRL in hexadecimal", name_of(path)))
    })?;
    Ok(next.saturating_sub(1))
}

/// The warning for a CA whose last CRL is not known.
pub(super) fn number_unknown(db: &DbArgs) -> String {
    format!(
        "{}: the number of the last CRL is not known, so the next CRL gets the number 1: if the CA has issued CRLs, delete the database and repeat \
         this with --last-crl-number N",
        db.name()
    )
}

/// Reads an `index.txt`.
pub(super) fn read_index(context: &Context, path: &Path) -> Result<Index, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |error: &dyn std::fmt::Display| Failure::negative(format!("{}: {}", name_of(path), visible(error)));
    let text = std::str::from_utf8(&octets).map_err(|error| {
        let before = octets.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|octet| **octet == b'\n').count().saturating_add(1);
        negative(&format!("line {line} of the index: not UTF-8, at byte {}", before.len()))
    })?;
    Index::parse(text).map_err(|error| negative(&error))
}

/// Creates the failure for sources without entries, which may be a failed export.
pub(super) fn no_records() -> Failure {
    Failure::negative(
        "the index or the records contain no certificate and no revocation: give the CA's last CRL (--last-crl); if it has issued nothing that \
         is revoked, pass --no-history instead",
    )
}

/// Creates the failure for sources that contradict each other: a CRL that is not the CA's last one, or an incomplete index.
pub(super) fn outdated(error: &Error) -> Failure {
    if matches!(error, Error::NotInIndex { .. }) {
        return Failure::negative(format!(
            "{}; give the CA's last CRL (--last-crl), or --allow-unlisted to import such certificates as not revoked",
            visible(error)
        ));
    }
    Failure::negative(format!(
        "{}; issue a new CRL there, or import without the CRL and give the number of the last one with --last-crl-number",
        visible(error)
    ))
}

fn is_number(path: &Path) -> bool {
    path.to_str().is_some_and(|text| !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit()))
}
