//! The underlying database: one of MIT's modules or a SQLite file.

use std::ffi::CStr;

use tagwise_krb5_plugin::kdb::{DbEntry, Flags, Inner, IterFlags, LockMode, Policy, PolicyVisitor, Settings, Visitor};
use tagwise_krb5_plugin::view::{Context, DbEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Principal, Result, codes};

use super::store::Store;

/// The relation that names the section of the underlying MIT module.
const INNER: &str = "inner";

/// The driver's underlying database.
pub(crate) enum Below {
    /// A database managed by an MIT module, with its own library context.
    Mit(Inner),
    /// The SQLite backend.
    Sqlite(Store),
}

/// Returns the section of the underlying MIT module, if the configuration names one.
fn section(context: &Context<'_>, settings: &Settings<'_>) -> Result<Option<String>> {
    Ok(settings.relation(context, INNER)?.into_iter().next())
}

impl Below {
    pub(crate) fn open(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(match section(context, settings)? {
            Some(section) => Self::Mit(Inner::open(context, settings, &section)?),
            None => Self::Sqlite(Store::open(context, settings)?),
        })
    }

    pub(crate) fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(match section(context, settings)? {
            Some(section) => Self::Mit(Inner::create(context, settings, &section)?),
            None => Self::Sqlite(Store::create(context, settings)?),
        })
    }

    pub(crate) fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        match section(context, settings)? {
            Some(section) => Inner::destroy(context, settings, &section),
            None => Store::destroy(context, settings),
        }
    }

    pub(crate) fn mit(&self) -> Option<&Inner> {
        match self {
            Self::Mit(inner) => Some(inner),
            Self::Sqlite(_) => None,
        }
    }

    pub(crate) fn promote_db(&self, settings: &Settings<'_>) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.promote_db(settings),
            Self::Sqlite(store) => store.promote(),
        }
    }

    /// Locks the database. SQLite needs no locks, because its changes are transactions.
    pub(crate) fn lock(&self, mode: LockMode) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.lock(mode),
            Self::Sqlite(_) => Err(unlocked()),
        }
    }

    pub(crate) fn unlock(&self) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.unlock(),
            Self::Sqlite(_) => Err(unlocked()),
        }
    }

    pub(crate) fn get_principal(&self, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        match self {
            Self::Mit(inner) => inner.get_principal(name, flags),
            Self::Sqlite(store) => store.get_principal(&name.to_principal(), flags),
        }
    }

    pub(crate) fn get_own(&self, name: &Principal, flags: Flags) -> Result<Option<DbEntry>> {
        match self {
            Self::Mit(inner) => inner.get_principal(name, flags),
            Self::Sqlite(store) => store.get_principal(name, flags),
        }
    }

    pub(crate) fn put_principal(&self, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.put_principal(entry, db_args),
            Self::Sqlite(store) => store.put_principal(entry, db_args),
        }
    }

    pub(crate) fn delete_principal(&self, name: PrincipalRef<'_>) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.delete_principal(name),
            Self::Sqlite(store) => store.delete_principal(&name.to_principal()),
        }
    }

    pub(crate) fn iterate(&self, pattern: Option<&CStr>, flags: IterFlags, visitor: &mut Visitor<'_>) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.iterate(pattern, flags, visitor),
            Self::Sqlite(store) => store.iterate(flags, visitor),
        }
    }

    pub(crate) fn create_policy(&self, policy: &Policy) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.create_policy(policy),
            Self::Sqlite(store) => store.create_policy(policy),
        }
    }

    pub(crate) fn get_policy(&self, name: &CStr) -> Result<Option<Policy>> {
        match self {
            Self::Mit(inner) => inner.get_policy(name),
            Self::Sqlite(store) => store.get_policy(name),
        }
    }

    pub(crate) fn put_policy(&self, policy: &Policy) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.put_policy(policy),
            Self::Sqlite(store) => store.put_policy(policy),
        }
    }

    pub(crate) fn iter_policy(&self, pattern: Option<&CStr>, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.iter_policy(pattern, visitor),
            Self::Sqlite(store) => store.iter_policy(visitor),
        }
    }

    pub(crate) fn delete_policy(&self, name: &CStr) -> Result<()> {
        match self {
            Self::Mit(inner) => inner.delete_policy(name),
            Self::Sqlite(store) => store.delete_policy(name),
        }
    }
}

fn unlocked() -> Error {
    Error::new(
        codes::KRB5_PLUGIN_OP_NOTSUPP,
        "a SQLite database cannot be locked explicitly: each change is a transaction",
    )
}
