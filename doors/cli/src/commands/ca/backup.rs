//! `tagwise ca backup`.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_ca::{Authority, Error, SqliteOptions, SqliteStore, Store};
use tagwise_pkix::name::visible;

use super::common::DbArgs;
use crate::shared::output::{Failure, folder_of, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca backup -o ca-2026-11-29.db
  tagwise ca backup --db ca.db -o /mnt/backup/ca.db
  tagwise ca restore ca-2026-11-29.db --db ca.db

The backup is the database as it was at one moment, in one file, which only its owner can read: it has the CA's key. Other commands \
can use the database meanwhile. The file is complete or not there, and replaces no other. A damaged database is not backed up: \
`tagwise ca audit` lists the damage. The files of a log of Merkle Tree \
Certificates (`ca init --mtc`) are not part of it.
Exit codes: 0 written; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Write the backup to this file, which must not exist yet
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

impl BackupArgs {
    pub(super) fn back_up(&self, err: &mut dyn Write) -> Result<u8, Failure> {
        let store = self.db.open_file()?;
        let not_written = |error: &io::Error| Failure::file(&self.output, "written", error);
        if std::fs::symlink_metadata(&self.output).is_ok() {
            return Err(not_written(&io::Error::new(io::ErrorKind::AlreadyExists, "it already exists")));
        }
        // Only its owner's, from the first byte.
        let file = tempfile::Builder::new().prefix(".tagwise").tempfile_in(folder_of(&self.output));
        let file = file.map_err(|error| not_written(&error))?;
        store.back_up(file.path()).map_err(|error| self.db.failed(&error))?;
        let check = || -> Result<Option<String>, Error> {
            let mut copy = SqliteStore::open_to_read(file.path(), &SqliteOptions::DEFAULT)?;
            let authority = Authority::open(&mut copy, Authority::LABEL)?;
            let mut damage = None;
            copy.damages(authority.id(), &mut |what| damage = damage.take().or(Some(what)))?;
            Ok(damage)
        };
        if let Some(what) = check().map_err(|error| self.db.failed(&error))? {
            let text = format!("{}: damaged, so no backup was written: {}", self.db.name(), visible(&what));
            return Err(Failure::Said(3, text));
        }
        file.as_file().sync_all().map_err(|error| not_written(&error))?;
        file.persist_noclobber(&self.output).map_err(|error| not_written(&error.error))?;
        writeln!(err, "{}: backed up to {}", self.db.name(), name_of(&self.output))?;
        Ok(0)
    }
}
