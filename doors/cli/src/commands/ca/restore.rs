//! `tagwise ca restore`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_ca::store::StoredKey;
use tagwise_ca::{Authority, Error, Restoring, SqliteOptions, SqliteStore, Store};
use tagwise_pkix::name::visible;

use super::common::DbArgs;
use crate::shared::context::Context;
use crate::shared::output::{Failure, folder_of, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca restore backup.db --db ca.db                              the database is lost, or has nothing that the backup lacks
  tagwise ca restore backup.db --db ca.db --last-crl-number 41         the last CRL that was published has the number 41
  tagwise ca restore backup.db --db ca.db --discard-newer              go back, and lose what was done after the backup

A database that has certificates, revocations, CRLs or documents of servers (such as ACME accounts and enrollment secrets) that the \
backup lacks is only replaced with --discard-newer. CRL numbers \
continue from the database's last one in any case, and serial numbers are random, so none is used twice. If the database is lost, its \
last CRL number is not known: give it with --last-crl-number. The CA's key keeps the passphrase that it has in the database; if the \
database is lost, it has that of the backup. The backup is checked first, and is not changed. Other commands can use \
the database meanwhile.
Exit codes: 0 restored; 1 refused, with the reason; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// The backup
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    #[command(flatten)]
    db: DbArgs,
    /// Lose certificates, revocations, CRLs and documents that the backup lacks
    #[arg(long)]
    discard_newer: bool,
    /// Number of the last published CRL
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    last_crl_number: Option<u64>,
}

impl RestoreArgs {
    pub(super) fn restore(&self, context: &Context, err: &mut dyn Write) -> Result<u8, Failure> {
        let of_backup = |error: &Error| {
            let code = if matches!(error, Error::Refused { .. }) { 1 } else { 3 };
            Failure::Said(code, format!("{}: {}", name_of(&self.backup), visible(error)))
        };
        let octets = context.load(&self.backup).map_err(|error| Failure::file(&self.backup, "read", &error))?;
        // A copy, because the tables of an older version are brought up to date.
        let not_written = |error: &std::io::Error| Failure::file(&self.db.db, "written", error);
        let copy = tempfile::Builder::new().prefix(".tagwise").tempdir_in(folder_of(&self.db.db));
        let copy = copy.map_err(|error| not_written(&error))?;
        let path = copy.path().join("backup.db");
        SqliteStore::create(&path, &SqliteOptions::DEFAULT)
            .and_then(SqliteStore::close)
            .map_err(|error| self.db.failed(&error))?;
        std::fs::write(&path, &octets).map_err(|error| not_written(&error))?;
        drop(octets);
        let check = || -> Result<(Option<String>, Option<StoredKey>), Error> {
            let mut store = SqliteStore::open(&path, &SqliteOptions::DEFAULT)?;
            let authority = Authority::open(&mut store, Authority::LABEL)?;
            let mut damage = None;
            store.damages(authority.id(), &mut |what| damage = damage.take().or(Some(what)))?;
            let key = store.authority(Authority::LABEL)?.map(|(_, record)| record.key);
            store.close()?;
            Ok((damage, key))
        };
        let (damage, key_of_backup) = check().map_err(|error| of_backup(&error))?;
        if let Some(what) = damage {
            return Err(Failure::Said(3, format!("{}: damaged: {}", name_of(&self.backup), visible(&what))));
        }
        // A command that was killed before it restored anything may have left an empty file, or a database without tables.
        let mut store =
            SqliteStore::create(&self.db.db, &SqliteOptions::DEFAULT).map_err(|error| self.db.failed(&error))?;
        // A damaged row of the CA is replaced.
        let before = store.unchecked_authority(Authority::LABEL).map_err(|error| self.db.failed(&error))?;
        let is_new = before.is_none();
        let how =
            Restoring { discard_newer: self.discard_newer, last_crl_number: self.last_crl_number.unwrap_or_default() };
        store.restore(&path, how).map_err(|error| match &error {
            Error::Refused { .. } => Failure::negative(format!("{}: {}", name_of(&self.db.db), visible(&error))),
            _ => self.db.failed(&error),
        })?;
        let failed = |error: Error| self.db.failed(&error);
        let authority = Authority::open(&mut store, Authority::LABEL).map_err(failed)?;
        let record = store.authority(authority.label()).map_err(failed)?.map(|(_, record)| record);
        if let Some((one, other)) = record.as_ref().map(|record| &record.key).zip(key_of_backup.as_ref())
            && !is_same(one, other)
        {
            writeln!(
                err,
                "tagwise: {}: the CA's key keeps the passphrase that it has in the database, which is not that of the backup",
                name_of(&self.db.db)
            )?;
        }
        let next = record.map_or(0, |record| record.crl_number).saturating_add(1);
        if is_new && self.last_crl_number.is_none() {
            writeln!(
                err,
                "tagwise: {}: CRLs issued after the backup are not known: if there are any, repeat this with --last-crl-number N",
                name_of(&self.db.db)
            )?;
        }
        writeln!(err, "{}: restored; the next CRL has the number {next}", name_of(&self.db.db))?;
        Ok(0)
    }
}

/// Returns whether two stored keys have the same protection.
fn is_same(one: &StoredKey, other: &StoredKey) -> bool {
    match (one, other) {
        (StoredKey::Encrypted(one), StoredKey::Encrypted(other)) => one == other,
        (StoredKey::Plain(_), StoredKey::Plain(_)) | (StoredKey::Elsewhere, StoredKey::Elsewhere) => true,
        _ => false,
    }
}
