//! The database of principals.
//!
//! A driver is a type that implements [`Kdb`]. Only [`init_module`](Kdb::init_module) must be written: where a driver has an
//! [`inner`](Kdb::inner) database below it, all else goes there.
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
//! The shared object is found by its name, `<db_module_dir>/<db_library>.so`, and holds one driver:
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
//! # What holds
//!
//! - An entry is memory that libkdb5 frees, made and changed by safe methods. What libkdb5 would read past its end is rejected.
//! - Entries that a method sees cannot be kept:
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
//! - Nor does a view of one's own entry outlive it, or see it change:
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
//! - The PAC of a request ends with the call:
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
mod flags;
mod key;
mod policy;
mod stored;
mod tl_data;

pub use args::{
    AsAudit, AsPolicy, ChangePwd, Decrypt, Decrypted, Delegation, DelegationFrom, Denial, Encrypt, IssuePac, KeySearch,
    Keys, Server, Settings, TgsPolicy,
};
pub use flags::{Flags, IterFlags, LockMode, Replaced, attribute, tl};
pub use key::{KeyData, MasterKey, Salt};
pub use policy::Policy;
pub use tl_data::TlData;

pub use crate::ffi::db_entry::DbEntry;
pub use crate::ffi::kdb::inner::{Inner, Name};

use std::ffi::CStr;

use crate::view::{Context, DbEntryRef, KeyRef, Keyblock, NewPac, PrincipalRef};
use crate::{Error, Result, codes};

/// Visitor of the entries of an iteration, whose error ends it.
pub type Visitor<'v> = dyn FnMut(DbEntry) -> Result<()> + 'v;

/// Visitor of the policies of an iteration.
pub type PolicyVisitor<'v> = dyn FnMut(&Policy) + 'v;

fn unsupported<T>() -> Result<T> {
    Err(codes::KRB5_PLUGIN_OP_NOTSUPP.into())
}

/// A driver of a database, of which each context of a program has one.
///
/// A method that is not written goes to the [`inner`](Self::inner) database. Without one the operation is not supported, and the KDC's
/// own rules apply: no further policy, no delegation, no PAC of the database's.
///
/// Methods take `&self`, since a program may call others from within [`iterate`](Self::iterate): hold no lock while a visitor runs.
#[expect(unused_variables, reason = "names of arguments are documentation")]
pub trait Kdb: Sized + Send + 'static {
    /// Methods with a default in libkdb5 that this driver has its own of.
    const REPLACED: Replaced = Replaced::NONE;

    /// The database below this one.
    fn inner(&self) -> Option<&Inner> {
        None
    }

    /// Prepares the library, before its first database is opened.
    ///
    /// # Errors
    ///
    /// An error keeps the library from being used.
    fn init_library() -> Result<()> {
        Ok(())
    }

    /// Ends the library, after its last database is closed.
    fn fini_library() {}

    /// Opens a database.
    ///
    /// # Errors
    ///
    /// An error keeps the program from starting.
    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self>;

    /// Closes the database, before the driver is dropped.
    fn fini_module(&self, context: &Context<'_>) {}

    /// Creates a database and opens it; a `temporary` one beside the live one if the arguments say so.
    ///
    /// # Errors
    ///
    /// An error if the database cannot be created.
    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        unsupported()
    }

    /// Destroys a database, which may be open in this context at the time.
    ///
    /// # Errors
    ///
    /// An error if the database cannot be destroyed.
    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        unsupported()
    }

    /// Makes this temporary database the live one. The driver ends with it.
    ///
    /// # Errors
    ///
    /// An error leaves the live database as it was.
    fn promote_db(&self, context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.promote_db(settings))
    }

    /// Locks the database.
    ///
    /// # Errors
    ///
    /// An error if others hold a lock.
    fn lock(&self, context: &Context<'_>, mode: LockMode) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.lock(mode))
    }

    /// Unlocks the database.
    ///
    /// # Errors
    ///
    /// An error if it is not locked.
    fn unlock(&self, context: &Context<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, Inner::unlock)
    }

    /// Gets the entry of a principal.
    ///
    /// The entry of an alias has the canonical name. An entry that has nothing but the name of a foreign principal is a referral, for
    /// look-ups of a [client](Flags::CLIENT) that may be [referred](Flags::REFERRAL_OK).
    ///
    /// # Errors
    ///
    /// An error if the database cannot be read.
    fn get_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        self.inner().map_or(Ok(None), |inner| inner.get_principal(name, flags))
    }

    /// Creates or modifies an entry.
    ///
    /// # Errors
    ///
    /// An error leaves the database as it was.
    fn put_principal(&self, context: &Context<'_>, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.put_principal(entry, db_args))
    }

    /// Deletes an entry.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NOENTRY` if there is none.
    fn delete_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.delete_principal(name))
    }

    /// Renames an entry, if [`REPLACED`](Self::REPLACED) says so; libkdb5 gets, puts and deletes it otherwise.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NOENTRY` without `source`, `KRB5_KDB_INUSE` if there is a `target`.
    fn rename_principal(
        &self,
        context: &Context<'_>,
        source: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.rename_principal(source, target))
    }

    /// Shows all entries to a visitor, or those that match a pattern of the shell's.
    ///
    /// # Errors
    ///
    /// The visitor's error, or an error of the database.
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
    /// `KRB5_KDB_INUSE` if there is one of the name.
    fn create_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.create_policy(policy))
    }

    /// Gets a policy.
    ///
    /// # Errors
    ///
    /// An error if the database cannot be read.
    fn get_policy(&self, context: &Context<'_>, name: &CStr) -> Result<Option<Policy>> {
        self.inner().map_or_else(unsupported, |inner| inner.get_policy(name))
    }

    /// Modifies a policy.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NOENTRY` if there is none of the name.
    fn put_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.put_policy(policy))
    }

    /// Shows all policies to a visitor, or those that match a pattern of the shell's.
    ///
    /// # Errors
    ///
    /// An error if the database cannot be read.
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
    /// `KRB5_KDB_NOENTRY` if there is none of the name.
    fn delete_policy(&self, context: &Context<'_>, name: &CStr) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.delete_policy(name))
    }

    /// Gets the master key of a stash, if [`REPLACED`](Self::REPLACED) says so; libkdb5 reads a keytab otherwise.
    ///
    /// # Errors
    ///
    /// An error if there is no key of the version that is asked for.
    fn fetch_master_key(
        &self,
        context: &Context<'_>,
        mname: PrincipalRef<'_>,
        kvno: Option<u32>,
        db_args: Option<&CStr>,
    ) -> Result<MasterKey> {
        self.inner().map_or_else(unsupported, |inner| inner.fetch_master_key(mname, kvno, db_args))
    }

    /// Gets all versions of the master key by one of them, if [`REPLACED`](Self::REPLACED) says so; the newest first.
    ///
    /// # Errors
    ///
    /// An error if the key is none of them.
    fn fetch_master_key_list(
        &self,
        context: &Context<'_>,
        mname: PrincipalRef<'_>,
        key: KeyRef<'_>,
    ) -> Result<Vec<MasterKey>> {
        self.inner().map_or_else(unsupported, |inner| inner.fetch_master_key_list(mname, key))
    }

    /// Stores master keys in a stash, if [`REPLACED`](Self::REPLACED) says so; libkdb5 writes a keytab otherwise.
    ///
    /// # Errors
    ///
    /// An error if the stash cannot be written.
    fn store_master_key_list(
        &self,
        context: &Context<'_>,
        db_arg: Option<&CStr>,
        mname: PrincipalRef<'_>,
        keys: &[MasterKey],
    ) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.store_master_key_list(db_arg, mname, keys))
    }

    /// Finds a key of an entry by its index, if [`REPLACED`](Self::REPLACED) says so.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NO_MATCHING_KEY` if there is none.
    fn dbe_search_enctype(&self, context: &Context<'_>, search: &KeySearch<'_>) -> Result<usize> {
        self.inner().map_or_else(unsupported, |inner| inner.dbe_search_enctype(search))
    }

    /// Makes the keys of a new password, if [`REPLACED`](Self::REPLACED) says so: all that the entry then has.
    ///
    /// # Errors
    ///
    /// An error leaves the keys as they were.
    fn change_pwd(&self, context: &Context<'_>, change: &ChangePwd<'_>) -> Result<Keys> {
        self.inner().map_or_else(unsupported, |inner| inner.change_pwd(change))
    }

    /// Decrypts a key, if [`REPLACED`](Self::REPLACED) says so.
    ///
    /// # Errors
    ///
    /// An error if the key does not decrypt.
    fn decrypt_key_data(&self, context: &Context<'_>, key: &Decrypt<'_>) -> Result<Decrypted> {
        self.inner().map_or_else(unsupported, |inner| inner.decrypt_key_data(key))
    }

    /// Encrypts a key, if [`REPLACED`](Self::REPLACED) says so.
    ///
    /// # Errors
    ///
    /// An error if the key cannot be encrypted.
    fn encrypt_key_data(&self, context: &Context<'_>, key: &Encrypt<'_>) -> Result<KeyData> {
        self.inner().map_or_else(unsupported, |inner| inner.encrypt_key_data(key))
    }

    /// Judges the realms that a ticket came through, in their encoded form.
    ///
    /// # Errors
    ///
    /// [`Error::no_handle`] for the KDC's own rules, another error to deny.
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

    /// Judges an AS request, after the KDC's own rules allow it.
    ///
    /// # Errors
    ///
    /// The denial.
    fn check_policy_as(&self, context: &Context<'_>, check: &AsPolicy<'_>) -> Result<(), Denial> {
        self.inner().map_or(Ok(()), |inner| inner.check_policy_as(check))
    }

    /// Judges a TGS request, after the KDC's own rules allow it.
    ///
    /// # Errors
    ///
    /// The denial.
    fn check_policy_tgs(&self, context: &Context<'_>, check: &TgsPolicy<'_>) -> Result<(), Denial> {
        self.inner().map_or(Ok(()), |inner| inner.check_policy_tgs(check))
    }

    /// Learns of an AS request that was answered.
    fn audit_as_req(&self, context: &Context<'_>, audit: &AsAudit<'_>) {
        if let Some(inner) = self.inner() {
            inner.audit_as_req(audit);
        }
    }

    /// Reads the configuration again, at the KDC's `SIGHUP`.
    fn refresh_config(&self, context: &Context<'_>) {
        if let Some(inner) = self.inner() {
            inner.refresh_config();
        }
    }

    /// Judges delegation (S4U2Proxy) by the rules of the server that delegates.
    ///
    /// # Errors
    ///
    /// `KRB5KDC_ERR_BADOPTION` if it may not.
    fn check_allowed_to_delegate(&self, context: &Context<'_>, delegation: &Delegation<'_>) -> Result<()> {
        self.inner().map_or_else(
            || Err(codes::KRB5KDC_ERR_BADOPTION.into()),
            |inner| inner.check_allowed_to_delegate(delegation),
        )
    }

    /// Judges delegation (S4U2Proxy) by the rules of the target.
    ///
    /// # Errors
    ///
    /// `KRB5KDC_ERR_BADOPTION` if it may not; the KDC then asks [`check_allowed_to_delegate`](Self::check_allowed_to_delegate).
    fn allowed_to_delegate_from(&self, context: &Context<'_>, delegation: &DelegationFrom<'_>) -> Result<()> {
        self.inner().map_or_else(unsupported, |inner| inner.allowed_to_delegate_from(delegation))
    }

    /// Gets the entry of a certificate's owner (S4U2Self). A principal with components must be that owner, unless a
    /// [referral](Flags::REFERRAL_OK) may be returned: of an AS request only the realm counts.
    ///
    /// # Errors
    ///
    /// An error if the database cannot be read, or the principal is another.
    fn get_s4u_x509_principal(
        &self,
        context: &Context<'_>,
        client_cert: &[u8],
        principal: PrincipalRef<'_>,
        flags: Flags,
    ) -> Result<Option<DbEntry>> {
        self.inner().map_or_else(unsupported, |inner| inner.get_s4u_x509_principal(client_cert, principal, flags))
    }

    /// Adds buffers to a PAC before it is signed. Returns authentication indicators that replace the ticket's, if any should.
    ///
    /// # Errors
    ///
    /// An error denies the ticket; `KRB5_PLUGIN_OP_NOTSUPP` leaves the PAC as it is.
    fn issue_pac(
        &self,
        context: &Context<'_>,
        issue: &IssuePac<'_>,
        new_pac: &mut NewPac<'_>,
    ) -> Result<Option<Vec<Vec<u8>>>> {
        self.inner().map_or_else(unsupported, |inner| inner.issue_pac(issue, new_pac))
    }
}

/// Tools of a driver, which work on the database that is open in the context.
impl Context<'_> {
    /// Makes a random key.
    ///
    /// # Errors
    ///
    /// An error if the encryption type is unknown.
    pub fn random_key(&self, enctype: i32) -> Result<Keyblock> {
        crate::ffi::kdb::keys::random(self, enctype)
    }

    /// Writes out the salts that follow from the principal's name, so that passwords stay good when the entry gets another.
    ///
    /// # Errors
    ///
    /// An error if memory is at its end.
    pub fn specialize_salt(&self, entry: &mut DbEntry) -> Result<()> {
        crate::ffi::kdb::keys::specialize_salt(self, entry)
    }

    /// Encrypts a key under the newest master key that the program has.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NOMASTERKEY` if it has none.
    pub fn encrypt_key_data(&self, key: &Keyblock, salt: Option<&Salt>, kvno: u16) -> Result<KeyData> {
        crate::ffi::kdb::keys::encrypt(self, key, salt, kvno)
    }

    /// Decrypts a key under any of the master keys that the program has.
    ///
    /// # Errors
    ///
    /// `KRB5_KDB_NOMASTERKEY` if it has none, or an error if the key does not decrypt.
    pub fn decrypt_key_data(&self, key: crate::view::KeyDataRef<'_>) -> Result<Decrypted> {
        crate::ffi::kdb::keys::decrypt(self, key)
    }
}
