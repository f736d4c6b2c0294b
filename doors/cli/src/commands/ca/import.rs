//! `tagwise ca import`.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use tagwise_ca::store::Elsewhere;
use tagwise_ca::{
    Adoption, Authority, Difference, Error, Import, Index, KnownCrls, LastCrl, NewAuthority, Protection, Sources,
    Takeover, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::Secret;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::{Certificate, UnixTime};
use tagwise_store::{ContentsKind, Limits};

use super::common::{CrlIssuerArgs, DbArgs, document, value};
use super::history::{no_records, number_beside, number_unknown, outdated, read_index, recorded_number};
use super::init::create;
use super::step::{self, Records};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::keys::private_key_of;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::stores::{SourceArgs, place_text};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca import demoCA --db ca.db                                          `openssl ca`
  tagwise ca import pki --db ca.db --key-passphrase-file secret.txt            easy-rsa
  tagwise ca import --key ca.key --certificate ca.pem --index index.txt --certs newcerts --last-crl last.crl
  tagwise ca import --key ca.key --certificate ca.pem --step-records certs.json --no-crl    step-ca
  tagwise ca import --key ca.key --certificate ca.pem --step-records x509_certs.csv --step-records revoked_x509_certs.csv --no-crl
  tagwise ca import --key ca.key --certificate ca.pem --certs export/ --last-crl last.crl    EJBCA, Dogtag

The whole history is imported in one transaction: issued, expired and revoked certificates, holds, reasons, invalidity dates and the \
number of the last CRL. Afterwards, OCSP recognizes every certificate, and CRL numbers continue. Serial numbers of new certificates \
are random and never equal an imported one.

In FOLDER, the files are found by the names that `openssl ca` and easy-rsa give them; options override them. The records of step-ca \
are read from `step-badger x509Certs DB --emit json`, or from exports of its tables x509_certs and revoked_x509_certs in MySQL or \
PostgreSQL: the columns nkey and nvalue as CSV or JSON, in hexadecimal or base64. What differs between the sources is listed, and a certificate that any of them \
revokes stays revoked. A CRL that is older than the other sources is refused, and so are an index and records of step-ca without entries, unless \
there is a CRL. An index that does not list all certificates may be incomplete: it is refused, unless a CRL shows that they are not \
revoked.
Exit codes: 0 imported; 1 refused, with the reason; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Folder of a CA of `openssl ca` or easy-rsa, with its key, certificate, index.txt, certificates and CRL
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    db: DbArgs,
    /// The CA's key
    #[arg(long, value_name = "FILE", required_unless_present = "folder")]
    key: Option<PathBuf>,
    /// Read the passphrase of that key from the first line of this file
    #[arg(long, value_name = "FILE")]
    key_passphrase_file: Option<PathBuf>,
    /// The CA's certificate
    #[arg(long, value_name = "FILE", required_unless_present = "folder")]
    certificate: Option<PathBuf>,
    /// OpenSSL's `index.txt`: all issued certificates, with their revocations
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Folder, archive or file of certificates that the CA issued, and of its CRLs; may be repeated
    #[arg(long, value_name = "PATH")]
    certs: Vec<PathBuf>,
    /// Certificates and revocations of step-ca: JSON from `step-badger x509Certs --emit json`, or an exported table of MySQL or
    /// PostgreSQL; may be repeated
    #[arg(long, value_name = "FILE")]
    step_records: Vec<PathBuf>,
    /// The last CRL that the CA issued
    #[arg(long, value_name = "FILE", conflicts_with = "no_crl")]
    last_crl: Option<PathBuf>,
    /// Number of the last CRL [default: that of the CRL, or one below OpenSSL's `crlnumber`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    last_crl_number: Option<u64>,
    /// Import no CRL, even if there is one among the files
    #[arg(long)]
    no_crl: bool,
    /// No certificate is revoked, so neither an index nor a CRL is needed
    #[arg(long, conflicts_with_all = ["index", "last_crl", "step_records"])]
    no_history: bool,
    /// Import certificates that the index does not list as not revoked, even if no CRL covers them
    #[arg(long)]
    allow_unlisted: bool,
    /// Refuse the import if the sources differ
    #[arg(long)]
    all_or_nothing: bool,
    /// URL of the OCSP responder, to include in issued certificates
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,
    /// URL of the CRL, to include in issued certificates
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,
    #[command(flatten)]
    crl_issuer: CrlIssuerArgs,
    /// URL of the CA's certificate, to include in issued certificates
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Store the key unencrypted: anybody who can read the database can use it
    #[arg(long, conflicts_with_all = ["passphrase_file", "passphrase_fd"])]
    no_passphrase: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Print JSON (schema tagwise.ca/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    database: String,
    subject: String,
    imported: usize,
    revoked: usize,
    on_hold: usize,
    expired: usize,
    numbers_only: usize,
    next_crl: u64,
    differences: Vec<DifferenceDocument>,
}

#[derive(Serialize)]
struct DifferenceDocument {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<String>,
    what: String,
}

impl DifferenceDocument {
    fn of(difference: &Difference) -> Self {
        let serial = Some(difference.serial().to_string());
        Self { kind: difference.kind(), serial, what: difference.to_string() }
    }
}

/// The files of a CA to import.
struct Layout {
    key: Option<PathBuf>,
    certificate: Option<PathBuf>,
    index: Option<PathBuf>,
    crl: Option<PathBuf>,
    /// The file that contains the next CRL number, in hexadecimal.
    crl_number: Option<PathBuf>,
    certs: Vec<PathBuf>,
}

impl Layout {
    /// Finds the files in a folder created by `openssl ca` or easy-rsa, or in a plain folder of certificates.
    fn of(folder: &Path) -> Self {
        let file = |names: &[&str]| names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        let folders = ["newcerts", "certs_by_serial", "issued", "certs", "revoked", "renewed", "expired"];
        let mut certs: Vec<PathBuf> =
            folders.iter().map(|name| folder.join(name)).filter(|path| path.is_dir()).collect();
        if certs.is_empty() {
            certs.push(folder.to_owned());
        }
        Self {
            key: file(&["private/cakey.pem", "private/ca.key", "private/ca.key.pem", "cakey.pem", "ca.key"]),
            certificate: file(&["cacert.pem", "ca.crt", "ca.pem", "certs/ca.crt", "certs/ca.cert.pem"]),
            index: file(&["index.txt"]),
            crl: file(&["crl.pem", "crl/crl.pem", "crl/ca.crl.pem", "ca.crl"]),
            crl_number: file(&["crlnumber"]),
            certs,
        }
    }
}

/// A certificate or CRL, and the name of its file.
type Named = (String, ContentsKind, Vec<u8>);

impl ImportArgs {
    pub(super) fn import(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let layout = self.layout()?;
        let missing = |what: &str| Failure::usage(format!("no {what} found in the folder: give it with --{what}"));
        let certificate =
            value(context, layout.certificate.as_deref().ok_or_else(|| missing("certificate"))?, &kinds::CERTIFICATE)?;
        let key = layout.key.as_deref().ok_or_else(|| missing("key"))?;
        let key_passphrase = PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref());
        let key = private_key_of(context, EMBEDDED, key, &key_passphrase)?;
        let now = now();
        let mut notes = Vec::new();
        let import = self.gather(context, &layout, &certificate, &mut notes)?;
        for note in &notes {
            writeln!(err, "tagwise: {}", visible(&note.what))?;
        }
        if self.all_or_nothing && !notes.is_empty() {
            return Err(Failure::negative("not imported, because of --all-or-nothing"));
        }
        if import.last_number() == 0 && !self.no_history {
            writeln!(err, "tagwise: {}", number_unknown(&self.db))?;
        }
        let failed = |error: Error| self.db.failed(&error);
        if self.db.db.exists() && self.db.open().is_ok() {
            return Err(failed(Error::AuthorityExists(Authority::LABEL.to_owned())));
        }
        let passphrase = (!self.no_passphrase).then(|| self.passphrase.fresh()).transpose()?;
        let protection = passphrase.as_ref().map_or(Protection::Clear, |it| Protection::passphrase(Secret::expose(it)));
        let urls = Urls {
            ocsp: self.ocsp_url.clone(),
            crl: self.crl_url.clone(),
            issuer: self.issuer_url.clone(),
            crl_issuer: self.crl_issuer.name(context)?,
        };
        let adoption = Adoption {
            label: Authority::LABEL,
            certificate: &certificate,
            urls: &urls,
            takeover: Takeover::Import(&import),
            last_number: 0,
            now,
        };
        let new = NewAuthority::adopt(EMBEDDED, &key, &adoption, &protection).map_err(failed)?;
        let authority = create(&self.db, &new)?;
        self.report(&authority, &import, notes, now, out)
    }

    fn report(
        &self,
        authority: &Authority,
        import: &Import,
        differences: Vec<DifferenceDocument>,
        now: UnixTime,
        out: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let counts = import.counts(now);
        let subject = authority.certificate().tbs_certificate.subject.rfc4514().to_string();
        let (database, next_crl) = (self.db.name(), import.last_number().saturating_add(1));
        if self.json {
            let made = Document {
                database,
                subject,
                imported: counts.certificates,
                revoked: counts.revoked,
                on_hold: counts.on_hold,
                expired: counts.expired,
                numbers_only: counts.numbers_only,
                next_crl,
                differences,
            };
            document("import", &made, out)?;
            return Ok(0);
        }
        let plural = if counts.certificates == 1 { "" } else { "s" };
        writeln!(
            out,
            "{database}: {}: imported {} certificate{plural} ({} revoked, {} on hold, {} expired; {} by serial number only); the next CRL \
             has the number {next_crl}",
            visible(&subject),
            counts.certificates,
            counts.revoked,
            counts.on_hold,
            counts.expired,
            counts.numbers_only
        )?;
        Ok(0)
    }

    /// Returns the files in the folder, overridden by the options.
    fn layout(&self) -> Result<Layout, Failure> {
        let found = match &self.folder {
            Some(folder) => {
                if let Err(error) = std::fs::read_dir(folder) {
                    return Err(Failure::file(folder, "read", &error));
                }
                Layout::of(folder)
            }
            None => {
                Layout { key: None, certificate: None, index: None, crl: None, crl_number: None, certs: Vec::new() }
            }
        };
        let layout = Layout {
            key: self.key.clone().or(found.key),
            certificate: self.certificate.clone().or(found.certificate),
            index: self.index.clone().or(found.index),
            crl: self.last_crl.clone().or(found.crl).filter(|_| !self.no_crl),
            crl_number: self.index.as_deref().and_then(number_beside).or(found.crl_number),
            certs: if self.certs.is_empty() { found.certs } else { self.certs.clone() },
        };
        Ok(layout)
    }

    /// Reads and compares all sources.
    fn gather(
        &self,
        context: &Context,
        layout: &Layout,
        certificate: &[u8],
        notes: &mut Vec<DifferenceDocument>,
    ) -> Result<Import, Failure> {
        let authority = Certificate::from_der(certificate).map_err(|error| Failure::negative(error.to_string()))?;
        let index: Option<Index> = layout.index.as_deref().map(|path| read_index(context, path)).transpose()?;
        let others = index.as_ref().is_some_and(|index| index.issued() > 0) || self.last_crl.is_some();
        let Records { certificates: from_step, revoked, .. } = step::read_all(context, &self.step_records, others)?;
        let has_records =
            !from_step.is_empty() || !revoked.is_empty() || index.as_ref().is_some_and(|it| it.issued() > 0);
        let mut found = read(context, &layout.certs, notes)?;
        found.extend(
            from_step.into_iter().map(|der| ("the records of step-ca".to_owned(), ContentsKind::Certificate, der)),
        );
        found.retain(|(_, _, der)| der != certificate);
        let mut known = KnownCrls::default();
        let crl = self.crl(context, layout, &authority, &found, (&mut known, &mut *notes))?;
        if index.is_none() && crl.is_none() && self.step_records.is_empty() && !self.no_history {
            return Err(Failure::usage(
                "the CA may have revoked certificates: give its index.txt (--index), its last CRL (--last-crl) or --step-records; if none is revoked, pass --no-history",
            ));
        }
        // A failed export must not lead to a CA that has revoked nothing.
        if crl.is_none() && !has_records && !self.no_history {
            return Err(no_records());
        }
        let verified: Vec<(String, Result<Elsewhere, Error>)> = found
            .into_par_iter()
            .filter(|(_, kind, _)| *kind == ContentsKind::Certificate)
            .map(|(file, _, der)| (file, Elsewhere::read(EMBEDDED, &authority, &der)))
            .collect();
        let mut certificates = Vec::with_capacity(verified.len());
        for (file, read) in verified {
            match read {
                Ok(one) => {
                    if one.der.is_none() {
                        let what = format!("{file}: the certificate violates DER; imported by its serial number only");
                        notes.push(DifferenceDocument {
                            kind: "malformed",
                            serial: Some(one.serial.to_string()),
                            what,
                        });
                    }
                    certificates.push((file, one));
                }
                Err(error) => {
                    let what = format!("{file}: not imported: {error}");
                    notes.push(DifferenceDocument { kind: "not-imported", serial: None, what });
                }
            }
        }
        let sources = Sources {
            index: index.as_ref(),
            crl: crl.as_ref(),
            known: Some(&known),
            last_number: self.last_number(context, layout)?,
            certificates: &certificates,
            revoked: &revoked,
            allow_unlisted: self.allow_unlisted,
        };
        let import = Import::new(&sources).map_err(|error| outdated(&error))?;
        notes.extend(import.differences().iter().map(DifferenceDocument::of));
        Ok(import)
    }

    /// Returns the number of the last CRL: as given, or derived from the file `crlnumber`, which contains the next one.
    fn last_number(&self, context: &Context, layout: &Layout) -> Result<Option<u64>, Failure> {
        let (None, Some(path)) = (self.last_crl_number, &layout.crl_number) else { return Ok(self.last_crl_number) };
        recorded_number(context, path).map(Some)
    }

    /// Returns the last CRL: the given one, or the complete one with the highest number among the files. Adds the entries of all to
    /// `known`, and names those that cannot be used in `notes`.
    fn crl(
        &self,
        context: &Context,
        layout: &Layout,
        authority: &Certificate<'_>,
        found: &[Named],
        (known, notes): (&mut KnownCrls, &mut Vec<DifferenceDocument>),
    ) -> Result<Option<LastCrl>, Failure> {
        if self.no_crl {
            return Ok(None);
        }
        let rank = |crl: &LastCrl| (crl.number(), crl.this_update());
        let mut last: Option<(String, LastCrl)> = None;
        for (file, _, der) in found.iter().filter(|(_, kind, _)| *kind == ContentsKind::Crl) {
            // An incomplete CRL is not the last one, but its entries count. Those of other CAs are not imported.
            let Ok(crl) = LastCrl::read(EMBEDDED, authority, der) else {
                if let Err(error) = known.add(EMBEDDED, authority, file, der) {
                    let what = format!("{file}: not imported: {error}");
                    notes.push(DifferenceDocument { kind: "not-imported", serial: None, what });
                }
                continue;
            };
            known.add_complete(file, &crl);
            if last.as_ref().is_none_or(|(_, best)| rank(best) < rank(&crl)) {
                last = Some((file.clone(), crl));
            }
        }
        let Some(path) = &layout.crl else { return Ok(last.map(|(_, crl)| crl)) };
        let der = value(context, path, &kinds::CRL)?;
        let given = LastCrl::read(EMBEDDED, authority, &der);
        let given = given.map_err(|error| Failure::negative(format!("{}: {}", name_of(path), visible(&error))))?;
        known.add_complete(&name_of(path), &given);
        match last {
            Some((file, newer)) if rank(&newer) > rank(&given) => Err(Failure::negative(format!(
                "{} is not the last CRL: {file} is newer ({})",
                name_of(path),
                newer.this_update()
            ))),
            _ => Ok(Some(given)),
        }
    }
}

/// Reads the certificates and CRLs in files, folders and archives.
fn read(context: &Context, paths: &[PathBuf], notes: &mut Vec<DifferenceDocument>) -> Result<Vec<Named>, Failure> {
    let sources = SourceArgs {
        paths: paths.to_vec(),
        jobs: None,
        no_map: false,
        max_unpacked: Limits::DEFAULT.output >> 20,
        no_progress: true,
        skip_unreadable: false,
        passphrase_file: None,
        servers: None,
    };
    let pool = sources.pool()?;
    let mut found = Vec::new();
    let mut barred = None;
    sources.read(context, &pool, true, |files, _progress| {
        for file in files {
            let contents = match &file.contents {
                Ok(contents) => contents,
                Err((_, why)) => {
                    barred.get_or_insert_with(|| format!("{}: could not be read: {why}", file.name));
                    continue;
                }
            };
            for failure in contents.failures() {
                let what = format!("{}: not imported: {}", place_text(file.name, &failure.place), failure.message);
                notes.push(DifferenceDocument { kind: "not-imported", serial: None, what });
            }
            let several = contents.len() > 1;
            for item in contents.items() {
                let name = if several { place_text(file.name, &item.place) } else { file.name.to_owned() };
                found.push((name, item.kind, item.der.to_vec()));
            }
        }
        Ok(())
    })?;
    match barred {
        Some(text) => Err(Failure::Said(3, text)),
        None => Ok(found),
    }
}
