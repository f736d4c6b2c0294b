//! A SQLite database for the driver, with tables for principals and policies, in a file accessible only to its owner.
//!
//! Each change is a transaction that is on disk when the call returns. Readers never block. An operation that waits longer
//! than [`PATIENCE`] for other programs fails.

mod error;
mod file;

use std::cell::RefCell;
use std::ffi::CStr;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};
use tagwise_krb5_plugin::kdb::{DbEntry, Flags, IterFlags, Policy, PolicyVisitor, Server, Visitor};
use tagwise_krb5_plugin::view::DbEntryRef;
use tagwise_krb5_plugin::{Error, Principal, Result, codes};

use error::{Doing, failed};
use file::Identity;

/// The maximum wait for other programs. During the wait, a KDC does not answer requests.
const PATIENCE: Duration = Duration::from_secs(3);

/// A SQLite database.
pub(crate) struct Store {
    path: PathBuf,
    /// The path of the live database, if this one is a temporary database.
    live: Option<PathBuf>,
    keep: Keep,
    kept: RefCell<Option<Kept>>,
}

/// A connection, with the identity of the file that it has open.
struct Kept {
    connection: Connection,
    identity: Identity,
    process: u32,
}

/// The policy for reusing a connection. A connection must not cross a fork, because the child would not hold the parent's locks. MIT's
/// servers fork after reading their master key, so each call uses its own connection until the program is known to be serving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Never.
    Never,
    /// The connection is reused from the first client lookup onward, which shows that a KDC is serving requests.
    Serving,
    /// The connection is always reused, because the program creates the database and does not fork.
    Always,
}

impl From<Server> for Keep {
    fn from(server: Server) -> Self {
        if server == Server::Kdc { Self::Serving } else { Self::Never }
    }
}

/// Returns the unique name of a principal in the table: its components and realm, with separators escaped by backslashes.
fn key(name: &Principal) -> Vec<u8> {
    let mut key = Vec::new();
    let mut escape = |part: &[u8], separator: Option<u8>| {
        for byte in part {
            if b"\\/@".contains(byte) {
                key.push(b'\\');
            }
            key.push(*byte);
        }
        key.extend(separator);
    };
    if let Some((last, others)) = name.components().split_last() {
        others.iter().for_each(|part| escape(part, Some(b'/')));
        escape(last, None);
    }
    escape(b"", Some(b'@'));
    escape(name.realm(), None);
    key
}

fn missing() -> Error {
    codes::KRB5_KDB_NOENTRY.into()
}

/// Returns whether a row was changed.
fn changed(rows: usize) -> Result<()> {
    if rows == 0 { Err(missing()) } else { Ok(()) }
}

impl Store {
    /// Runs `run` with a connection.
    fn with<R>(&self, doing: Doing, keep: bool, run: impl FnOnce(&Connection) -> rusqlite::Result<R>) -> Result<R> {
        let found = |result: rusqlite::Result<R>| result.map_err(|error| failed(&self.path, doing, &error));
        // No code here calls a visitor, so there is no second borrow.
        let mut kept = self.kept.borrow_mut();
        let identity = Identity::of(&self.path)?;
        let process = std::process::id();
        if let Some(held) = kept.as_ref() {
            if held.process != process {
                let message = format!("{}: the program forked while the database was open", self.path.display());
                return Err(Error::new(codes::KRB5_KDB_INTERNAL_ERROR, message));
            }
            // The file may have been replaced.
            if held.identity == identity {
                return found(run(&held.connection));
            }
            *kept = None;
        }
        let connection = self.connect(doing)?;
        let result = run(&connection);
        if keep {
            *kept = Some(Kept { connection, identity, process });
        }
        found(result)
    }

    fn read<R>(&self, flags: Flags, run: impl FnOnce(&Connection) -> rusqlite::Result<R>) -> Result<R> {
        let serving = self.keep == Keep::Serving && flags.contains(Flags::CLIENT);
        self.with(Doing::Reading, serving || self.keep == Keep::Always, run)
    }

    fn write<R>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<R>) -> Result<R> {
        self.with(Doing::Writing, self.keep == Keep::Always, run)
    }

    pub(crate) fn get_principal(&self, name: &Principal, flags: Flags) -> Result<Option<DbEntry>> {
        let found: Option<Vec<u8>> = self.read(flags, |connection| {
            let mut query = connection.prepare_cached("SELECT entry FROM principal WHERE name = ?1")?;
            query.query_row([key(name)], |row| row.get(0)).optional()
        })?;
        found.map(|bytes| DbEntry::from_bytes(&bytes)).transpose()
    }

    pub(crate) fn put_principal(&self, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        if let Some(argument) = db_args.first() {
            let message = format!("{argument:?}: the database takes no arguments");
            return Err(Error::new(nix::libc::EINVAL, message));
        }
        let name = key(&entry.principal().ok_or_else(missing)?.to_principal());
        self.write(|connection| {
            let mut change = connection.prepare_cached(
                "INSERT INTO principal (name, entry) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET entry = ?2",
            )?;
            change.execute((name, entry.to_bytes())).map(drop)
        })
    }

    pub(crate) fn delete_principal(&self, name: &Principal) -> Result<()> {
        let name = key(name);
        changed(self.write(|connection| connection.execute("DELETE FROM principal WHERE name = ?1", [name]))?)
    }

    /// Visits all entries in a consistent snapshot. The visitor may change them.
    pub(crate) fn iterate(&self, flags: IterFlags, visitor: &mut Visitor<'_>) -> Result<()> {
        let query = match flags.contains(IterFlags::REV) {
            false => "SELECT entry FROM principal ORDER BY name",
            true => "SELECT entry FROM principal ORDER BY name DESC",
        };
        self.each(query, |bytes| visitor(DbEntry::from_bytes(bytes)?))
    }

    /// Reads rows on a separate connection, which is not used for anything else while a visitor runs.
    fn each(&self, query: &str, mut visit: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let said = |error: rusqlite::Error| failed(&self.path, Doing::Reading, &error);
        let connection = self.connect(Doing::Reading)?;
        let mut query = connection.prepare(query).map_err(said)?;
        let mut rows = query.query([]).map_err(said)?;
        while let Some(row) = rows.next().map_err(said)? {
            let bytes: Vec<u8> = row.get(0).map_err(said)?;
            visit(&bytes)?;
        }
        Ok(())
    }

    pub(crate) fn create_policy(&self, policy: &Policy) -> Result<()> {
        let rows = self.write(|connection| {
            let text = "INSERT INTO policy (name, policy) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
            connection.execute(text, (policy.name.as_bytes(), policy.to_bytes()))
        })?;
        if rows == 0 { Err(codes::KRB5_KDB_INUSE.into()) } else { Ok(()) }
    }

    pub(crate) fn get_policy(&self, name: &CStr) -> Result<Option<Policy>> {
        let found: Option<Vec<u8>> = self.read(Flags::default(), |connection| {
            let mut query = connection.prepare_cached("SELECT policy FROM policy WHERE name = ?1")?;
            query.query_row([name.to_bytes()], |row| row.get(0)).optional()
        })?;
        found.map(|bytes| Policy::from_bytes(&bytes)).transpose()
    }

    pub(crate) fn put_policy(&self, policy: &Policy) -> Result<()> {
        changed(self.write(|connection| {
            let text = "UPDATE policy SET policy = ?2 WHERE name = ?1";
            connection.execute(text, (policy.name.as_bytes(), policy.to_bytes()))
        })?)
    }

    pub(crate) fn iter_policy(&self, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        self.each("SELECT policy FROM policy ORDER BY name", |bytes| {
            visitor(&Policy::from_bytes(bytes)?);
            Ok(())
        })
    }

    pub(crate) fn delete_policy(&self, name: &CStr) -> Result<()> {
        let name = name.to_bytes();
        changed(self.write(|connection| connection.execute("DELETE FROM policy WHERE name = ?1", [name]))?)
    }
}

#[cfg(test)]
mod tests;
