//! The parts of a server besides its configuration: what its caller provides, the connections to the database, and the clock.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tagwise_ca::serve::Pool;
use tagwise_ca::store::CommitGroup;
use tagwise_ca::{Definition, Documents, Error, PostgresStore, SqliteOptions, SqliteStore, Store};
use tagwise_crypto::Backend;
use tagwise_pkix::UnixTime;

use crate::config::CaConfig;

/// A function that returns a certificate profile by its name or file.
pub type Profiles = dyn Fn(&str) -> Result<Definition, String> + Send + Sync;

/// The parts of a server that its caller provides.
#[derive(Clone)]
pub struct Parts {
    /// The backend for keys and signatures.
    pub backend: &'static dyn Backend,
    /// The certificate profiles.
    pub profiles: Arc<Profiles>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

/// The default number of connections in each pool.
const CONNECTIONS: u32 = 4;

/// The time for which a request waits for a lock of the database, or for a lost connection to return.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connections to the database.
#[derive(Clone)]
pub(crate) struct Pools {
    pub(crate) documents: Pool<dyn Documents>,
    pub(crate) stores: Pool,
}

impl Pools {
    /// Opens the database, and upgrades its tables.
    pub(crate) fn open(ca: &CaConfig) -> Result<Self, String> {
        let count = ca.connections.unwrap_or(CONNECTIONS);
        let group = ca.sqlite.as_deref().map(CommitGroup::new);
        let group = group.as_ref();
        let all = |error: Error| named(ca, &error);
        let documents = (0..count).map(|_| open(ca, group)).collect::<Result<Vec<_>, Error>>().map_err(all)?;
        let stores = (0..count).map(|_| open_store(ca, group)).collect::<Result<Vec<_>, Error>>().map_err(all)?;
        Ok(Self { documents: Pool::new(documents), stores: Pool::new(stores) })
    }
}

/// The database's name for messages, without a password.
pub(crate) fn named(ca: &CaConfig, error: &Error) -> String {
    match &ca.sqlite {
        Some(path) => format!("{}: {error}", path.display()),
        None => format!("the PostgreSQL database: {error}"),
    }
}

const OPTIONS: SqliteOptions = SqliteOptions { patience: PATIENCE, ..SqliteOptions::DEFAULT };

/// Opens the database. The connections of a SQLite file are a group.
fn open(ca: &CaConfig, group: Option<&Arc<CommitGroup>>) -> Result<Box<dyn Documents>, Error> {
    Ok(match (&ca.sqlite, group) {
        (Some(path), Some(group)) => Box::new(SqliteStore::open_in(group, path, &OPTIONS)?),
        _ => Box::new(PostgresStore::connect(ca.postgresql.as_deref().unwrap_or_default(), PATIENCE)?),
    })
}

fn open_store(ca: &CaConfig, group: Option<&Arc<CommitGroup>>) -> Result<Box<dyn Store>, Error> {
    Ok(open(ca, group)?)
}

/// Opens the database without upgrading its tables.
pub(crate) fn open_to_read(ca: &CaConfig) -> Result<Box<dyn Store>, Error> {
    Ok(match (&ca.sqlite, &ca.postgresql) {
        (Some(path), _) => Box::new(SqliteStore::open_to_read(path, &OPTIONS)?),
        (None, text) => Box::new(PostgresStore::connect_to_read(text.as_deref().unwrap_or_default(), PATIENCE)?),
    })
}

/// The clock's time.
pub(crate) fn now() -> UnixTime {
    SystemTime::now().into()
}
