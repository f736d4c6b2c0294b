//! Key methods of the underlying database.

use core::ffi::CStr;
use core::ptr::{from_ref, null, null_mut};

use tagwise_krb5_plugin_sys::link::kdb as libkdb5;
use tagwise_krb5_plugin_sys::mit::{krb5_key_salt_tuple, krb5_keyblock, krb5_keylist_node};

use super::{Inner, Name, optional, optional_pointer};
use crate::ffi::kdb::keys::{NO_KEY, borrowed, decrypt_under, encrypt_under, master_keys, taken};
use crate::kdb::{ChangePwd, Decrypt, Decrypted, Encrypt, KeyData, KeySearch, Keys, MasterKey};
use crate::view::KeyRef;
use crate::{Error, Result, codes};

/// Returns the pointer to a key, or null.
fn pointer(key: Option<KeyRef<'_>>) -> *const krb5_keyblock {
    key.map_or(null(), |key| from_ref(key.0.get()))
}

impl Inner {
    /// Reads the master key from a stash.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_fetch_mkey`.
    pub fn fetch_master_key<'n>(
        &self,
        mname: impl Into<Name<'n>>,
        kvno: Option<u32>,
        db_args: Option<&CStr>,
    ) -> Result<MasterKey> {
        let mut stash = optional(db_args);
        mname.into().with(|name| {
            let (mut key, mut kvno) = (NO_KEY, kvno.unwrap_or(0));
            let name = from_ref(name).cast_mut();
            // SAFETY: the context is this value's, name and file are only read, and a key that is returned is the caller's.
            unsafe {
                let stash = optional_pointer(&mut stash);
                let (kvno_out, key_out) = (&raw mut kvno, &raw mut key);
                self.done(libkdb5::krb5_db_fetch_mkey(
                    self.context,
                    name,
                    0,
                    0,
                    0,
                    stash,
                    kvno_out,
                    null_mut(),
                    key_out,
                )?)?;
                Ok(MasterKey { kvno, key: taken(key)? })
            }
        })
    }

    /// Returns all versions of the master key, given one of them, and stores them in the context.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_fetch_mkey_list`.
    pub fn fetch_master_key_list<'n>(&self, mname: impl Into<Name<'n>>, key: KeyRef<'_>) -> Result<Vec<MasterKey>> {
        mname.into().with(|name| {
            let name = from_ref(name).cast_mut();
            // SAFETY: the context is this value's, name and key are only read, and the list stays the context's.
            unsafe {
                self.done(libkdb5::krb5_db_fetch_mkey_list(self.context, name, from_ref(key.0.get()))?)?;
                Ok(master_keys(libkdb5::krb5_db_mkey_list_alias(self.context)?))
            }
        })
    }

    /// Stores master keys in a stash.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_store_master_key`.
    pub fn store_master_key_list<'n>(
        &self,
        db_arg: Option<&CStr>,
        mname: impl Into<Name<'n>>,
        keys: &[MasterKey],
    ) -> Result<()> {
        let mut stash = optional(db_arg);
        let mut nodes: Vec<krb5_keylist_node> = keys
            .iter()
            .map(|master| {
                Ok(krb5_keylist_node { keyblock: borrowed(&master.key)?, kvno: master.kvno, next: null_mut() })
            })
            .collect::<Result<_>>()?;
        let mut list = null_mut();
        for node in nodes.iter_mut().rev() {
            node.next = list;
            list = node;
        }
        mname.into().with(|name| {
            let name = from_ref(name).cast_mut();
            let stash = optional_pointer(&mut stash);
            // SAFETY: the context is this value's; name, file and keys are only read.
            unsafe {
                // libkdb5 has a function for one key by the module's method; the list of it is that of the context.
                if let Some(only) = list.as_mut().filter(|only| only.next.is_null()) {
                    let key = &raw mut only.keyblock;
                    let kvno = only.kvno;
                    return self.done(libkdb5::krb5_db_store_master_key(
                        self.context,
                        stash,
                        name,
                        kvno,
                        key,
                        null_mut(),
                    )?);
                }
                self.done(libkdb5::krb5_def_store_mkey_list(self.context, stash, name, list, null_mut())?)
            }
        })
    }

    /// Finds a key in an entry and returns the key's index.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_dbe_search_enctype`.
    pub fn dbe_search_enctype(&self, search: &KeySearch<'_>) -> Result<usize> {
        let mut copy = search.entry.to_entry()?;
        let mut start = i32::try_from(search.start).map_err(|_| Error::from(libc::EINVAL))?;
        let mut found = null_mut();
        let [ktype, stype] = [search.ktype, search.stype].map(|kind| kind.unwrap_or(-1));
        let kvno = search.kvno.unwrap_or(0);
        // SAFETY: the context is this value's, the entry one's own; what is found is in it.
        unsafe {
            let (start_out, found_out) = (&raw mut start, &raw mut found);
            let entry = copy.pointer();
            self.done(libkdb5::krb5_dbe_search_enctype(
                self.context,
                entry,
                start_out,
                ktype,
                stype,
                kvno,
                found_out,
            )?)?;
            let offset = found.addr().checked_sub((*entry).key_data.addr());
            let index = offset.map(|offset| offset / size_of::<tagwise_krb5_plugin_sys::mit::krb5_key_data>());
            index.ok_or_else(|| codes::KRB5_KDB_NO_MATCHING_KEY.into())
        }
    }

    /// Creates the keys for a new password.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_dbe_cpw`.
    pub fn change_pwd(&self, change: &ChangePwd<'_>) -> Result<Keys> {
        let mut copy = change.entry.to_entry()?;
        let tuple = |kind: &crate::kadm5_hook::KeySalt| krb5_key_salt_tuple {
            ks_enctype: kind.enctype,
            ks_salttype: kind.salttype,
        };
        let mut kinds: Vec<_> = change.ks_tuple.iter().map(tuple).collect();
        let count = i32::try_from(kinds.len()).map_err(|_| Error::from(libc::EINVAL))?;
        let master = pointer(change.master_key).cast_mut();
        let password = change.passwd.as_ptr().cast_mut();
        // SAFETY: the context is this value's, the entry one's own; key, kinds and password are only read.
        unsafe {
            let (entry, kinds) = (copy.pointer(), kinds.as_mut_ptr());
            let (kvno, keep) = (change.new_kvno, change.keepold.into());
            self.done(libkdb5::krb5_dbe_cpw(self.context, master, kinds, count, password, kvno, keep, entry)?)?;
        }
        copy.as_ref().key_data().map(|key| key.to_key_data()).collect()
    }

    /// Decrypts a key.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_dbe_decrypt_key_data`.
    pub fn decrypt_key_data(&self, key: &Decrypt<'_>) -> Result<Decrypted> {
        // SAFETY: the context is this value's, and keys are only read.
        unsafe { decrypt_under(self.context, pointer(key.master_key), key.key_data) }
    }

    /// Encrypts a key.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_dbe_encrypt_key_data`.
    pub fn encrypt_key_data(&self, key: &Encrypt<'_>) -> Result<KeyData> {
        // SAFETY: the context is this value's, and keys are only read.
        unsafe {
            encrypt_under(self.context, pointer(key.master_key), from_ref(key.key.0.get()), key.salt.as_ref(), key.kvno)
        }
    }
}
