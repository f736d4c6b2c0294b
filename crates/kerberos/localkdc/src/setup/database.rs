//! Database types and their files.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::{Layout, SetupError};
use crate::policy::{Database, Policy};

impl Database {
    /// Returns the name used in policies and `[dbmodules]`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Db2 => "db2",
            Self::Klmdb => "klmdb",
        }
    }
}

/// Returns the main file of a database.
pub(super) fn file(layout: &Layout, database: Database) -> PathBuf {
    match database {
        Database::Sqlite => layout.database(),
        Database::Db2 => layout.mit_database(),
        Database::Klmdb => ending(&layout.mit_database(), ".mdb"),
    }
}

/// Returns the files of a database, each with a flag that is true if the file exists only temporarily.
pub(super) fn files(layout: &Layout, database: Database) -> Vec<(PathBuf, bool)> {
    let mit = layout.mit_database();
    match database {
        Database::Sqlite => {
            let file = layout.database();
            let beside = ["-wal", "-shm", ".new", ".loading"].map(|end| (ending(&file, end), true));
            [(file, false)].into_iter().chain(beside).collect()
        }
        Database::Db2 => ["", ".ok", ".kadm5", ".kadm5.lock"].map(|end| (ending(&mit, end), false)).into(),
        Database::Klmdb => [(".mdb", false), (".mdb-lock", true), (".lockout.mdb", false), (".lockout.mdb-lock", true)]
            .map(|(end, later)| (ending(&mit, end), later))
            .into(),
    }
}

fn ending(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Returns the database type for a setup: the existing one, otherwise the policy's, otherwise SQLite.
pub(super) fn kind(layout: &Layout, policy: &Policy, before: Option<&Manifest>) -> Result<Database, SetupError> {
    let kinds = [Database::Sqlite, Database::Db2, Database::Klmdb];
    let made = |kind: &Database| {
        let file = file(layout, *kind);
        file.exists() && before.is_some_and(|before| before.find(&file).is_some())
    };
    let there = kinds.into_iter().find(made);
    match (there, policy.database) {
        (Some(there), Some(wanted)) if there != wanted => Err(SetupError::Other(format!(
            "the database already exists as {there}; to use {wanted}, dump it, keep its master key, tear it down, set it up again and load the dump (for the commands, see localkdc in the guide)",
            there = there.name(),
            wanted = wanted.name()
        ))),
        (Some(kind), _) | (None, Some(kind)) => Ok(kind),
        (None, None) => Ok(Database::default()),
    }
}

/// Checks that the MIT module for a database type is installed.
pub(super) fn installed(database: Database) -> Result<(), SetupError> {
    if database == Database::Sqlite {
        return Ok(());
    }
    let below = |folder: &str| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let libraries = below("/usr/lib").chain(["/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    let module = format!("krb5/plugins/kdb/{}.so", database.name());
    match libraries.into_iter().any(|folder| folder.join(&module).is_file()) {
        true => Ok(()),
        false => Err(SetupError::Other(format!(
            "database = \"{}\": this system's MIT Kerberos has no {module}; \"sqlite\" needs no module",
            database.name()
        ))),
    }
}
