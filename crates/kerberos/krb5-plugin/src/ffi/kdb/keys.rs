//! Master keys and entry keys.

use core::ffi::{c_char, c_int, c_uint};
use core::ptr::{null, null_mut};
use core::slice;

use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::link::kdb::{
    krb5_db_inited, krb5_db_mkey_list_alias, krb5_dbe_decrypt_key_data, krb5_dbe_encrypt_key_data,
    krb5_dbe_specialize_salt,
};
use tagwise_krb5_plugin_sys::mit::{
    krb5_context, krb5_data, krb5_db_entry, krb5_error_code, krb5_int32, krb5_key_data, krb5_key_salt_tuple,
    krb5_keyblock, krb5_keylist_node, krb5_keysalt, krb5_kvno, krb5_principal,
};

use super::{broken, entry, principal, state};
use crate::host::context::{data, done};
use crate::host::lent::{Lent, text};
use crate::host::memory::{copied, zeroed};
use crate::kadm5_hook::KeySalt;
use crate::kdb::entry::{DbEntry, fill_key_data, free_key_contents};
use crate::kdb::{ChangePwd, Decrypt, Decrypted, Encrypt, Kdb, KeyData, KeySearch, MasterKey, Salt};
use crate::view::{Context, KeyDataRef, KeyRef, Keyblock};
use crate::{Error, Result, codes};

/// An empty keyblock.
pub(super) const NO_KEY: krb5_keyblock = krb5_keyblock { magic: 0, enctype: 0, length: 0, contents: null_mut() };

/// Creates a read-only keyblock that borrows the key.
pub(super) fn borrowed(key: &Keyblock) -> Result<krb5_keyblock> {
    let length = u32::try_from(key.contents().len()).map_err(|_| Error::from(libc::EINVAL))?;
    Ok(krb5_keyblock { magic: 0, enctype: key.enctype(), length, contents: key.contents().as_ptr().cast_mut() })
}

/// Creates a copy of a key that the host frees.
fn given(key: &Keyblock) -> Result<krb5_keyblock> {
    Ok(krb5_keyblock { contents: copied(key.contents())?, ..borrowed(key)? })
}

/// Copies a key owned by libkrb5 and frees its content.
///
/// # Safety
///
/// The key must be valid. Its content must be null, or allocated with `malloc` and not shared.
pub(super) unsafe fn taken(mut key: krb5_keyblock) -> Result<Keyblock> {
    // SAFETY: the caller's.
    unsafe {
        let copy = Lent::new(&raw const key).map(|key| KeyRef(key).to_keyblock());
        link::krb5_free_keyblock_contents(null_mut(), &raw mut key)?;
        copy.ok_or_else(broken)
    }
}

/// Creates a read-only salt structure that borrows the salt.
pub(super) fn borrowed_salt(salt: &Salt) -> Result<krb5_keysalt> {
    Ok(krb5_keysalt { type_: salt.salttype, data: data(&salt.data)? })
}

/// Copies a salt from the host.
///
/// # Safety
///
/// The pointer must be null or valid.
unsafe fn salt(pointer: *const krb5_keysalt) -> Option<Salt> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(pointer) }?;
    Some(Salt { salttype: lent.get().type_, data: lent.part(|salt| &salt.data).bytes().to_vec() })
}

/// Borrows a key from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn key<'a>(pointer: *const krb5_keyblock) -> Option<KeyRef<'a>> {
    // SAFETY: the caller's.
    unsafe { Lent::new(pointer) }.map(KeyRef)
}

/// Copies a list of master keys.
///
/// # Safety
///
/// The list must be null or valid.
pub(super) unsafe fn master_keys(mut list: *const krb5_keylist_node) -> Vec<MasterKey> {
    let mut found = Vec::new();
    // SAFETY: the caller's.
    while let Some(node) = unsafe { list.as_ref() } {
        // SAFETY: the caller's.
        if let Some(key) = unsafe { key(&raw const node.keyblock) } {
            found.push(MasterKey { kvno: node.kvno, key: key.to_keyblock() });
        }
        list = node.next;
    }
    found
}

/// A list of master keys that libkdb5 frees.
struct GivenKeys(*mut krb5_keylist_node);

impl GivenKeys {
    fn new(keys: &[MasterKey]) -> Result<Self> {
        let mut list = Self(null_mut());
        for master in keys.iter().rev() {
            let node = zeroed::<krb5_keylist_node>(1)?;
            // SAFETY: it was just made.
            unsafe { ((*node).next, (*node).kvno) = (list.0, master.kvno) };
            list.0 = node;
            let keyblock = given(&master.key)?;
            // SAFETY: it was just made.
            unsafe { (*node).keyblock = keyblock };
        }
        Ok(list)
    }
}

impl Drop for GivenKeys {
    fn drop(&mut self) {
        // SAFETY: the list is this value's alone, of `malloc`.
        unsafe {
            while !self.0.is_null() {
                let node = self.0;
                self.0 = (*node).next;
                let _ = link::krb5_free_keyblock_contents(null_mut(), &raw mut (*node).keyblock);
                libc::free(node.cast());
            }
        }
    }
}

pub(super) unsafe extern "C" fn fetch_master_key<T: Kdb>(
    context: krb5_context,
    mname: krb5_principal,
    out: *mut krb5_keyblock,
    kvno: *mut krb5_kvno,
    db_args: *mut c_char,
) -> krb5_error_code {
    // SAFETY: the host's arguments are valid during the call, and the context's module is this one.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let wanted = kvno.as_ref().copied().filter(|kvno| *kvno != 0);
            let found = driver.fetch_master_key(view, principal(mname)?, wanted, text(db_args))?;
            if out.is_null() {
                return Err(broken());
            }
            out.write(given(&found.key)?);
            if !kvno.is_null() {
                kvno.write(found.kvno);
            }
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn fetch_master_key_list<T: Kdb>(
    context: krb5_context,
    mname: krb5_principal,
    master: *const krb5_keyblock,
    out: *mut *mut krb5_keylist_node,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            if out.is_null() {
                return Err(broken());
            }
            let found = driver.fetch_master_key_list(view, principal(mname)?, key(master).ok_or_else(broken)?)?;
            if found.is_empty() {
                return Err(codes::KRB5_KDB_NOMASTERKEY.into());
            }
            let mut list = GivenKeys::new(&found)?;
            out.write(core::mem::replace(&mut list.0, null_mut()));
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn store_master_key_list<T: Kdb>(
    context: krb5_context,
    db_arg: *mut c_char,
    mname: krb5_principal,
    list: *mut krb5_keylist_node,
    _password: *mut c_char,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            driver.store_master_key_list(view, text(db_arg), principal(mname)?, &master_keys(list))
        })
    }
}

pub(super) unsafe extern "C" fn dbe_search_enctype<T: Kdb>(
    context: krb5_context,
    searched: *mut krb5_db_entry,
    start: *mut krb5_int32,
    ktype: krb5_int32,
    stype: krb5_int32,
    kvno: krb5_int32,
    out: *mut *mut krb5_key_data,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let first = start.as_ref().copied().and_then(|start| usize::try_from(start).ok()).ok_or_else(broken)?;
            let wanted = |number: i32| (number >= 0).then_some(number);
            let search = KeySearch {
                entry: entry(searched)?,
                start: first,
                ktype: wanted(ktype),
                stype: wanted(stype),
                kvno: wanted(kvno).filter(|kvno| *kvno != 0),
            };
            let count = search.entry.key_data().len();
            if first >= count {
                return Err(codes::KRB5_KDB_NO_MATCHING_KEY.into());
            }
            let found = driver.dbe_search_enctype(view, &search)?;
            let next = i32::try_from(found).ok().and_then(|found| found.checked_add(1));
            // A driver that returns keys beyond the end or before the start would make its caller search forever.
            match next {
                Some(next) if (first..count).contains(&found) && !out.is_null() => {
                    start.write(next);
                    out.write((*searched).key_data.add(found));
                    Ok(())
                }
                _ => Err(codes::KRB5_KDB_NO_MATCHING_KEY.into()),
            }
        })
    }
}

pub(super) unsafe extern "C" fn change_pwd<T: Kdb>(
    context: krb5_context,
    master: *mut krb5_keyblock,
    list: *mut krb5_key_salt_tuple,
    count: c_int,
    passwd: *mut c_char,
    new_kvno: c_int,
    keepold: c_uint,
    changed: *mut krb5_db_entry,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`; the list has its count.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let ks_tuple = match usize::try_from(count) {
                Ok(count) if !list.is_null() => slice::from_raw_parts(list, count)
                    .iter()
                    .map(|tuple| KeySalt { enctype: tuple.ks_enctype, salttype: tuple.ks_salttype })
                    .collect(),
                _ => Vec::new(),
            };
            let change = ChangePwd {
                master_key: key(master),
                ks_tuple,
                passwd: text(passwd).ok_or_else(broken)?,
                new_kvno,
                keepold: keepold != 0,
                entry: entry(changed)?,
            };
            let keys = driver.change_pwd(view, &change)?;
            DbEntry::give_keys(&keys, changed)
        })
    }
}

pub(super) unsafe extern "C" fn decrypt_key_data<T: Kdb>(
    context: krb5_context,
    master: *const krb5_keyblock,
    encrypted: *const krb5_key_data,
    out: *mut krb5_keyblock,
    out_salt: *mut krb5_keysalt,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`; the host frees what it gets.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let key_data = Lent::new(encrypted).map(KeyDataRef).ok_or_else(broken)?;
            let (found, salt) = driver.decrypt_key_data(view, &Decrypt { master_key: key(master), key_data })?;
            let mut keysalt = krb5_keysalt { type_: 0, data: krb5_data { magic: 0, length: 0, data: null_mut() } };
            if let Some(salt) = salt.filter(|_| !out_salt.is_null()) {
                keysalt = borrowed_salt(&salt)?;
                // Callers do not free an empty salt.
                keysalt.data.data = match salt.data.is_empty() {
                    true => null_mut(),
                    false => copied(&salt.data)?.cast(),
                };
            }
            if !out.is_null() {
                // A key that is missing is one of no type, which no cipher takes.
                let made = found.map_or(Ok(NO_KEY), |key| given(&key));
                let made = made.inspect_err(|_| libc::free(keysalt.data.data.cast()))?;
                out.write(made);
            }
            if !out_salt.is_null() {
                out_salt.write(keysalt);
            }
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn encrypt_key_data<T: Kdb>(
    context: krb5_context,
    master: *const krb5_keyblock,
    plain: *const krb5_keyblock,
    keysalt: *const krb5_keysalt,
    keyver: c_int,
    out: *mut krb5_key_data,
) -> krb5_error_code {
    // SAFETY: as of `fetch_master_key`; what the output holds before is of `malloc`, as many parts as its version says.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let encrypt = Encrypt {
                master_key: key(master),
                key: key(plain).ok_or_else(broken)?,
                salt: salt(keysalt),
                kvno: u16::try_from(keyver).map_err(|_| Error::from(libc::EINVAL))?,
            };
            let made = driver.encrypt_key_data(view, &encrypt)?;
            if out.is_null() {
                return Err(broken());
            }
            let mut filled = NO_KEY_DATA;
            fill_key_data(&mut filled, &made)?;
            let mut former = out.replace(filled);
            if former.key_data_ver < 2 {
                former.key_data_contents[1] = null_mut();
            }
            if former.key_data_ver < 1 {
                former.key_data_contents[0] = null_mut();
            }
            free_key_contents(&former);
            Ok(())
        })
    }
}

/// An empty database key structure.
pub(super) const NO_KEY_DATA: krb5_key_data = krb5_key_data {
    key_data_ver: 0,
    key_data_kvno: 0,
    key_data_type: [0; 2],
    key_data_length: [0; 2],
    key_data_contents: [null_mut(); 2],
};

/// Copies a database key owned by libkdb5 and frees its content.
///
/// # Safety
///
/// The key's content pointers must each be null, or valid, allocated with `malloc` and not shared.
pub(super) unsafe fn taken_key_data(made: &krb5_key_data) -> Result<KeyData> {
    // SAFETY: the caller's.
    unsafe {
        let copy = Lent::new(made).map(KeyDataRef).ok_or_else(broken)?.to_key_data();
        free_key_contents(made);
        copy
    }
}

/// Tools of a driver, which work on the database that is open in the context.
impl Context<'_> {
    /// Generates a random key.
    ///
    /// # Errors
    ///
    /// Returns an error if the encryption type is unknown.
    pub fn random_key(&self, enctype: i32) -> Result<Keyblock> {
        let mut key = NO_KEY;
        // SAFETY: the context is valid; a key that is made is the caller's.
        unsafe {
            done(link::krb5_c_make_random_key(self.checked()?, enctype, &raw mut key)?)?;
            taken(key)
        }
    }

    /// Replaces salts that are derived from the principal's name with explicitly stored ones, so that passwords remain valid
    /// when the entry is renamed.
    ///
    /// # Errors
    ///
    /// Returns an error if memory allocation fails.
    pub fn specialize_salt(&self, entry: &mut DbEntry) -> Result<()> {
        // SAFETY: the context is valid, and the entry is the caller's.
        done(unsafe { krb5_dbe_specialize_salt(self.checked()?, entry.pointer()) }?)
    }

    /// Encrypts a key with the program's newest master key.
    ///
    /// # Errors
    ///
    /// Returns `KRB5_KDB_NOMASTERKEY` if the program has no master key.
    pub fn encrypt_key_data(&self, key: &Keyblock, salt: Option<&Salt>, kvno: u16) -> Result<KeyData> {
        let context = self.checked()?;
        // SAFETY: the context is valid and has an open database; the list stays its own.
        unsafe {
            let master = open_master_keys(context)?;
            encrypt_under(context, &raw const (*master).keyblock, &borrowed(key)?, salt, kvno)
        }
    }

    /// Decrypts a key with any of the program's master keys.
    ///
    /// # Errors
    ///
    /// Returns `KRB5_KDB_NOMASTERKEY` if the program has no master key, or an error if the key cannot be decrypted.
    pub fn decrypt_key_data(&self, key: KeyDataRef<'_>) -> Result<Decrypted> {
        let context = self.checked()?;
        // SAFETY: the context is valid and has an open database.
        unsafe {
            open_master_keys(context)?;
            decrypt_under(context, null(), key)
        }
    }
}

/// Encrypts a key with a master key.
///
/// # Safety
///
/// The context must be valid and have an open database. The master key must be null or valid.
pub(super) unsafe fn encrypt_under(
    context: krb5_context,
    master: *const krb5_keyblock,
    key: *const krb5_keyblock,
    salt: Option<&Salt>,
    kvno: u16,
) -> Result<KeyData> {
    let salt = salt.map(borrowed_salt).transpose()?;
    let salt = salt.as_ref().map_or(null(), core::ptr::from_ref);
    let mut made = NO_KEY_DATA;
    // SAFETY: the caller's; keys and salt are only read.
    unsafe {
        done(krb5_dbe_encrypt_key_data(context, master, key, salt, kvno.into(), &raw mut made)?)?;
        taken_key_data(&made)
    }
}

/// Decrypts a key with the given master key, or with any if it is null.
///
/// # Safety
///
/// The context must be valid and have an open database. The master key must be null or valid.
pub(super) unsafe fn decrypt_under(
    context: krb5_context,
    master: *const krb5_keyblock,
    key_data: KeyDataRef<'_>,
) -> Result<Decrypted> {
    let mut found = NO_KEY;
    let mut keysalt = krb5_keysalt { type_: 0, data: krb5_data { magic: 0, length: 0, data: null_mut() } };
    // SAFETY: the caller's; what is returned is the caller's.
    unsafe {
        let encrypted: *const krb5_key_data = key_data.0.get();
        done(krb5_dbe_decrypt_key_data(context, master, encrypted, &raw mut found, &raw mut keysalt)?)?;
        let made = salt(&raw const keysalt);
        link::krb5_free_data_contents(context, &raw mut keysalt.data)?;
        let found = taken(found)?;
        Ok(((found.enctype() != 0).then_some(found), made))
    }
}

/// Returns the context's list of master keys.
///
/// # Safety
///
/// The context must be valid.
unsafe fn open_master_keys(context: krb5_context) -> Result<*mut krb5_keylist_node> {
    // SAFETY: the caller's; a context with an open database has the handle that the list is kept in.
    unsafe {
        if krb5_db_inited(context)? != 0 {
            return Err(codes::KRB5_KDB_DBNOTINITED.into());
        }
        let list = krb5_db_mkey_list_alias(context)?;
        if list.is_null() { Err(codes::KRB5_KDB_NOMASTERKEY.into()) } else { Ok(list) }
    }
}
