//! Principal database drivers.
//!
//! A driver is a type that implements [`Kdb`]. Only [`init_module`](Kdb::init_module) is required if the driver has an
//! [`inner`](Kdb::inner) database, which handles all other methods.
//!
//! ```
//! use tagwise_krb5_plugin::kdb::{DbEntry, Flags, Inner, Kdb, Settings};
//! use tagwise_krb5_plugin::view::{Context, PrincipalRef};
//! use tagwise_krb5_plugin::{Principal, Result, krb5_plugin};
//!
//! /// `guest/<anything>` is a principal with the keys of `guest`.
//! struct Guests {
//!     inner: Inner,
//! }
//!
//! impl Kdb for Guests {
//!     fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
//!         Ok(Self { inner: Inner::open(context, settings, &settings.required(context, "inner")?)? })
//!     }
//!
//!     fn inner(&self) -> Option<&Inner> {
//!         Some(&self.inner)
//!     }
//!
//!     fn get_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
//!         if let Some(found) = self.inner.get_principal(name, flags)? {
//!             return Ok(Some(found));
//!         }
//!         if name.components().next() != Some(b"guest") {
//!             return Ok(None);
//!         }
//!         let template = Principal::new(1, name.realm(), ["guest"]);
//!         let Some(mut entry) = self.inner.get_principal(&template, flags)? else { return Ok(None) };
//!         // The password's salt is that of `guest`.
//!         context.specialize_salt(&mut entry)?;
//!         entry.set_principal(&name.to_principal())?;
//!         Ok(Some(entry))
//!     }
//! }
//!
//! krb5_plugin! { kdb => Guests }
//! ```
//!
//! The shared object, `<db_module_dir>/<db_library>.so`, is found by its name and contains one driver:
//!
//! ```text
//! [realms]
//!  KRB.TEST = {
//!   database_module = guests
//!  }
//! [dbmodules]
//!  db_module_dir = /usr/lib/krb5/kdb
//!  guests = {
//!   db_library = guests
//!   inner = files
//!  }
//!  files = {
//!   db_library = db2
//!   database_name = /var/lib/krb5kdc/principal
//!  }
//! ```
//!
//! # Guarantees
//!
//! - Entries use memory that libkdb5 frees, but expose only safe methods. Data that would make libkdb5 read out of bounds
//!   is rejected.
//! - Entries passed to a method cannot be kept:
//!
//! ```compile_fail,E0521
//! use std::cell::RefCell;
//! use tagwise_krb5_plugin::view::DbEntryRef;
//!
//! struct Cache(RefCell<Vec<DbEntryRef<'static>>>);
//!
//! impl Cache {
//!     fn put_principal(&self, entry: DbEntryRef<'_>) {
//!         self.0.borrow_mut().push(entry);
//!     }
//! }
//! ```
//!
//! - A view of an owned entry cannot outlive the entry or observe changes to it:
//!
//! ```compile_fail,E0505
//! use tagwise_krb5_plugin::{Principal, kdb::DbEntry};
//!
//! let entry = DbEntry::new(&Principal::new(1, "KRB.TEST", ["alice"])).unwrap();
//! let view = entry.as_ref();
//! drop(entry);
//! view.attributes();
//! ```
//!
//! ```compile_fail,E0502
//! use tagwise_krb5_plugin::{Principal, kdb::DbEntry};
//!
//! let mut entry = DbEntry::new(&Principal::new(1, "KRB.TEST", ["alice"])).unwrap();
//! let contents = entry.as_ref().tl_data().next();
//! entry.set_tl_data(1, b"new").unwrap();
//! drop(contents);
//! ```
//!
//! - A request's PAC cannot outlive the call:
//!
//! ```compile_fail,E0521
//! use std::cell::RefCell;
//! use tagwise_krb5_plugin::view::PacRef;
//!
//! struct Keeps(RefCell<Option<PacRef<'static>>>);
//!
//! impl Keeps {
//!     fn see(&self, pac: PacRef<'_>) {
//!         *self.0.borrow_mut() = Some(pac);
//!     }
//! }
//! ```

mod args;
#[allow(unsafe_code, reason = "an entry is a structure of C; each block has its reason")]
pub(crate) mod entry;
mod key;
mod policy;
mod stored;
mod tl_data;

pub use args::{
    AsAudit, AsPolicy, ChangePwd, Decrypt, Decrypted, Delegation, DelegationFrom, Denial, Encrypt, IssuePac, KeySearch,
    Keys, Server, Settings, TgsPolicy,
};
pub use entry::DbEntry;
pub use key::{KeyData, MasterKey, Salt};
pub use policy::Policy;
pub use tl_data::TlData;

pub use crate::ffi::kdb::inner::{Inner, Name};
pub use crate::flags::{Flags, IterFlags, LockMode, Replaced, attribute, tl};

use std::ffi::CStr;

use crate::view::{Context, DbEntryRef, KeyRef, NewPac, PrincipalRef};
use crate::{Error, Result, codes};

/// A visitor for the entries of an iteration. An error ends the iteration.
pub type Visitor<'v> = dyn FnMut(DbEntry) -> Result<()> + 'v;

/// A visitor for the policies of an iteration.
pub type PolicyVisitor<'v> = dyn FnMut(&Policy) + 'v;

fn unsupported<T>() -> Result<T> {
    Err(codes::KRB5_PLUGIN_OP_NOTSUPP.into())
}

/// A database driver. Each context has its own instance.
///
/// Methods delegate to the [`inner`](Self::inner) database by default. Without an inner database, operations are not
/// supported, and the KDC's own rules apply: no additional policy, no delegation, and no PAC from the database.
///
/// Methods take `&self`, because a program may call other methods from within [`iterate`](Self::iterate). Do not hold a
/// lock while a visitor runs.
#[expect(unused_variables, reason = "names of arguments are documentation")]
pub trait Kdb: Sized + Send + 'static {
    /// The methods for which this driver replaces libkdb5's default implementation.
    const REPLACED: Replaced = Replaced::NONE;

    /// Returns the underlying database.
    fn inner(&self) -> Option<&Inner> {
        None
    }

    /// Initializes the library, before its first database is opened.
    ///
    /// # Errors
    ///
    /// On error, the library is not used.
    fn init_library() -> Result<()> {
        Ok(())
    }

    /// Finalizes the library, after its last database is closed.
    fn fini_library() {}

    /// Opens a database.
    ///
    /// # Errors
    ///
    /// On error, the program does not start.
    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self>;

    /// Closes the database, before the driver is dropped.
    fn fini_module(&self, context: &Context<'_>) {}

    /// Creates and opens a database. If the arguments include `temporary`, the database is created alongside the live one.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be created.
    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        unsupported()
    }

    /// Destroys a database, which may be open in this context.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be destroyed.
    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        unsupported()
    }

    /// Makes this temporary database the live one. The driver is dropped after this call.
    ///
    /// # Errors
    ///
    /// On error, the live database is unchanged.
    fn promote_db(&self, context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.promote_db(settings))
    }

    /// Locks the database.
    ///
    /// # Errors
    ///
    /// Return an error if another process holds a conflicting lock.
    fn lock(&self, context: &Context<'_>, mode: LockMode) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.lock(mode))
    }

    /// Unlocks the database.
    ///
    /// # Errors
    ///
    /// Return an error if the database is not locked.
    fn unlock(&self, context: &Context<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, Inner::unlock)
    }

    /// Returns the entry of a principal.
    ///
    /// The entry of an alias has the canonical name. For lookups of a [client](Flags::CLIENT) with
    /// [referrals](Flags::REFERRAL_OK), an entry that only has a foreign principal's name is a referral.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be read.
    fn get_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        self.inner().map_or(Ok(None), |inner| inner.get_principal(name, flags))
    }

    /// Creates or modifies an entry.
    ///
    /// # Errors
    ///
    /// On error, the database is unchanged.
    fn put_principal(&self, context: &Context<'_>, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.put_principal(entry, db_args))
    }

    /// Deletes an entry.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_NOENTRY` if there is no such entry.
    fn delete_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.delete_principal(name))
    }

    /// Renames an entry, if [`REPLACED`](Self::REPLACED) includes it. By default, libkdb5 reads the entry, stores it under the new name,
    /// and deletes the old one.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_NOENTRY` if `source` does not exist, `KRB5_KDB_INUSE` if `target` does.
    fn rename_principal(
        &self,
        context: &Context<'_>,
        source: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.rename_principal(source, target))
    }

    /// Calls a visitor for each entry, or for those that match a shell pattern.
    ///
    /// # Errors
    ///
    /// Return the visitor's error, or an error from the database.
    fn iterate(
        &self,
        context: &Context<'_>,
        match_entry: Option<&CStr>,
        flags: IterFlags,
        visitor: &mut Visitor<'_>,
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.iterate(match_entry, flags, visitor))
    }

    /// Creates a policy.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_INUSE` if a policy with the name exists.
    fn create_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.create_policy(policy))
    }

    /// Returns a policy.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be read.
    fn get_policy(&self, context: &Context<'_>, name: &CStr) -> Result<Option<Policy>> {
        self.inner().map_or_else(unsupported, |inner| inner.get_policy(name))
    }

    /// Modifies a policy.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_NOENTRY` if there is no policy with the name.
    fn put_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.put_policy(policy))
    }

    /// Calls a visitor for each policy, or for those that match a shell pattern.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be read.
    fn iter_policy(
        &self,
        context: &Context<'_>,
        match_entry: Option<&CStr>,
        visitor: &mut PolicyVisitor<'_>,
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.iter_policy(match_entry, visitor))
    }

    /// Deletes a policy.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_NOENTRY` if there is no policy with the name.
    fn delete_policy(&self, context: &Context<'_>, name: &CStr) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.delete_policy(name))
    }

    /// Reads the master key from a stash, if [`REPLACED`](Self::REPLACED) includes it. By default, libkdb5 reads a
    /// keytab.
    ///
    /// # Errors
    ///
    /// Return an error if there is no key with the requested version.
    fn fetch_master_key(
        &self,
        context: &Context<'_>,
        mname: PrincipalRef<'_>,
        kvno: Option<u32>,
        db_args: Option<&CStr>,
    ) -> Result<MasterKey> {
        self.inner().map_or_else(unsupported, |inner| inner.fetch_master_key(mname, kvno, db_args))
    }

    /// Returns all versions of the master key, newest first, given one of them, if [`REPLACED`](Self::REPLACED)
    /// includes it.
    ///
    /// # Errors
    ///
    /// Return an error if the given key is not a version of the master key.
    fn fetch_master_key_list(
        &self,
        context: &Context<'_>,
        mname: PrincipalRef<'_>,
        key: KeyRef<'_>,
    ) -> Result<Vec<MasterKey>> {
        self.inner().map_or_else(unsupported, |inner| inner.fetch_master_key_list(mname, key))
    }

    /// Stores master keys in a stash, if [`REPLACED`](Self::REPLACED) includes it. By default, libkdb5 writes a keytab.
    ///
    /// # Errors
    ///
    /// Return an error if the stash cannot be written.
    fn store_master_key_list(
        &self,
        context: &Context<'_>,
        db_arg: Option<&CStr>,
        mname: PrincipalRef<'_>,
        keys: &[MasterKey],
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.store_master_key_list(db_arg, mname, keys))
    }

    /// Finds a key of an entry, and returns its index, if [`REPLACED`](Self::REPLACED) includes it.
    ///
    /// # Errors
    ///
    /// Return `KRB5_KDB_NO_MATCHING_KEY` if there is no such key.
    fn dbe_search_enctype(&self, context: &Context<'_>, search: &KeySearch<'_>) -> Result<usize> {
        self.inner().map_or_else(unsupported, |inner| inner.dbe_search_enctype(search))
    }

    /// Creates the keys for a new password, if [`REPLACED`](Self::REPLACED) includes it. Returns all resulting keys of the entry.
    ///
    /// # Errors
    ///
    /// On error, the keys are unchanged.
    fn change_pwd(&self, context: &Context<'_>, change: &ChangePwd<'_>) -> Result<Keys> {
        self.inner().map_or_else(unsupported, |inner| inner.change_pwd(change))
    }

    /// Decrypts a key, if [`REPLACED`](Self::REPLACED) includes it.
    ///
    /// # Errors
    ///
    /// Return an error if the key cannot be decrypted.
    fn decrypt_key_data(&self, context: &Context<'_>, key: &Decrypt<'_>) -> Result<Decrypted> {
        self.inner().map_or_else(unsupported, |inner| inner.decrypt_key_data(key))
    }

    /// Encrypts a key, if [`REPLACED`](Self::REPLACED) includes it.
    ///
    /// # Errors
    ///
    /// Return an error if the key cannot be encrypted.
    fn encrypt_key_data(&self, context: &Context<'_>, key: &Encrypt<'_>) -> Result<KeyData> {
        self.inner().map_or_else(unsupported, |inner| inner.encrypt_key_data(key))
    }

    /// Checks the realms that a ticket has transited, in encoded form.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`] to apply the KDC's own rules, or another error to deny the request.
    fn check_transited_realms(
        &self,
        context: &Context<'_>,
        transited: &[u8],
        client_realm: &[u8],
        server_realm: &[u8],
    ) -> Result<()> {
        self.inner().map_or_else(
            || Err(Error::no_handle()),
            |inner| inner.check_transited_realms(transited, client_realm, server_realm),
        )
    }

    /// Checks an AS request that the KDC's own rules allow.
    ///
    /// # Errors
    ///
    /// Return a [`Denial`] to reject the request.
    fn check_policy_as(&self, context: &Context<'_>, check: &AsPolicy<'_>) -> Result<(), Denial> {
        self.inner().map_or(Ok(()), |inner| inner.check_policy_as(check))
    }

    /// Checks a TGS request that the KDC's own rules allow.
    ///
    /// # Errors
    ///
    /// Return a [`Denial`] to reject the request.
    fn check_policy_tgs(&self, context: &Context<'_>, check: &TgsPolicy<'_>) -> Result<(), Denial> {
        self.inner().map_or(Ok(()), |inner| inner.check_policy_tgs(check))
    }

    /// Reports a completed AS request.
    fn audit_as_req(&self, context: &Context<'_>, audit: &AsAudit<'_>) {
        if let Some(inner) = self.inner() {
            inner.audit_as_req(audit);
        }
    }

    /// Reloads the configuration, on `SIGHUP` to the KDC.
    fn refresh_config(&self, context: &Context<'_>) {
        if let Some(inner) = self.inner() {
            inner.refresh_config();
        }
    }

    /// Checks delegation (S4U2Proxy) by the rules of the delegating server.
    ///
    /// # Errors
    ///
    /// Return `KRB5KDC_ERR_BADOPTION` if delegation is not allowed.
    fn check_allowed_to_delegate(&self, context: &Context<'_>, delegation: &Delegation<'_>) -> Result<()> {
        self.inner().map_or_else(
            || Err(codes::KRB5KDC_ERR_BADOPTION.into()),
            |inner| inner.check_allowed_to_delegate(delegation),
        )
    }

    /// Checks delegation (S4U2Proxy) by the rules of the target.
    ///
    /// # Errors
    ///
    /// Return `KRB5KDC_ERR_BADOPTION` if delegation is not allowed. The KDC then calls
    /// [`check_allowed_to_delegate`](Self::check_allowed_to_delegate).
    fn allowed_to_delegate_from(&self, context: &Context<'_>, delegation: &DelegationFrom<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.allowed_to_delegate_from(delegation))
    }

    /// Returns the entry of a certificate's owner (S4U2Self). If `principal` has components, it must be that owner, unless a
    /// [referral](Flags::REFERRAL_OK) may be returned. For an AS request, only the realm of `principal` is used.
    ///
    /// # Errors
    ///
    /// Return an error if the database cannot be read, or the principal is not the owner.
    fn get_s4u_x509_principal(
        &self,
        context: &Context<'_>,
        client_cert: &[u8],
        principal: PrincipalRef<'_>,
        flags: Flags,
    ) -> Result<Option<DbEntry>> {
        self.inner().map_or_else(unsupported, |inner| inner.get_s4u_x509_principal(client_cert, principal, flags))
    }

    /// Adds buffers to a PAC before it is signed. Returns authentication indicators to replace the ticket's, if any.
    ///
    /// # Errors
    ///
    /// An error denies the ticket, except `KRB5_PLUGIN_OP_NOTSUPP`, which leaves the PAC unchanged.
    fn issue_pac(
        &self,
        context: &Context<'_>,
        issue: &IssuePac<'_>,
        new_pac: &mut NewPac<'_>,
    ) -> Result<Option<Vec<Vec<u8>>>> {
        self.inner().map_or_else(unsupported, |inner| inner.issue_pac(issue, new_pac))
    }
}
