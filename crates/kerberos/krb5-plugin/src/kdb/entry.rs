//! In-memory database entries that libkdb5 frees.

use core::ptr::{NonNull, null_mut};
use core::{fmt, slice};
use std::time::Duration;

use tagwise_codec::UnixTime;
use tagwise_krb5::Principal;
use tagwise_krb5_plugin_sys::mit::{krb5_data, krb5_db_entry, krb5_key_data, krb5_principal_data, krb5_tl_data};
use zeroize::Zeroize as _;

use super::{KeyData, TlData, tl};
use crate::host::lent::Lent;
use crate::host::memory::{copied, terminated, zeroed};
use crate::view::{DbEntryRef, seconds, stamp};
use crate::{Error, Result};

/// The value of `magic` that libkdb5 sets in entries.
const MAGIC: i32 = 0xdbdb_dbdb_u32.cast_signed();
const BASE_LENGTH: u16 = 38;

/// A database entry: a principal with its attributes, keys and data.
///
/// ```
/// use tagwise_krb5_plugin::{Principal, kdb::{DbEntry, attribute}};
///
/// let mut entry = DbEntry::new(&Principal::new(1, "KRB.TEST", ["alice"]))?;
/// entry.set_attributes(attribute::REQUIRES_PRE_AUTH);
/// entry.set_string("colour", Some("blue"))?;
/// assert_eq!(entry.as_ref().string("colour"), Some(&b"blue"[..]));
/// # Ok::<(), tagwise_krb5_plugin::Error>(())
/// ```
pub struct DbEntry(NonNull<krb5_db_entry>);

// SAFETY: the memory is this value's alone, and no part of it belongs to a thread.
unsafe impl Send for DbEntry {}
// SAFETY: through a reference it is only read.
unsafe impl Sync for DbEntry {}

impl DbEntry {
    /// Creates an entry without keys, attributes or limits.
    ///
    /// # Errors
    ///
    /// Returns an error if memory allocation fails.
    pub fn new(principal: &Principal) -> Result<Self> {
        let mut entry = Self::empty()?;
        entry.set_principal(principal)?;
        Ok(entry)
    }

    fn empty() -> Result<Self> {
        let made = NonNull::new(zeroed::<krb5_db_entry>(1)?).ok_or(libc::ENOMEM)?;
        let mut entry = Self(made);
        (entry.fields().magic, entry.fields().len) = (MAGIC, BASE_LENGTH);
        Ok(entry)
    }

    /// Takes ownership of an entry from libkdb5. Returns `None` for null.
    ///
    /// # Safety
    ///
    /// The entry and all its pointers must be valid, allocated with `malloc`, and not shared.
    pub(crate) unsafe fn from_raw(entry: *mut krb5_db_entry) -> Option<Self> {
        NonNull::new(entry).map(Self)
    }

    /// Transfers ownership of the entry to libkdb5.
    pub(crate) fn into_raw(self) -> *mut krb5_db_entry {
        let pointer = self.0.as_ptr();
        core::mem::forget(self);
        pointer
    }

    /// Returns a mutable pointer to the entry, for calls that may modify it.
    pub(crate) fn pointer(&mut self) -> *mut krb5_db_entry {
        self.0.as_ptr()
    }

    fn fields(&mut self) -> &mut krb5_db_entry {
        // SAFETY: the entry is valid and this value's alone.
        unsafe { self.0.as_mut() }
    }

    /// Borrows the entry as a view.
    #[must_use]
    pub fn as_ref(&self) -> DbEntryRef<'_> {
        // SAFETY: the entry and its parts are valid, and unchanged while it is borrowed.
        let lent = unsafe { Lent::of(self.0.as_ref()) };
        DbEntryRef(lent)
    }

    /// Copies the entry.
    ///
    /// # Errors
    ///
    /// Returns an error if memory allocation fails.
    pub fn try_clone(&self) -> Result<Self> {
        self.as_ref().to_entry()
    }

    /// Sets the principal.
    ///
    /// # Errors
    ///
    /// Returns an error if memory allocation fails.
    pub fn set_principal(&mut self, principal: &Principal) -> Result<()> {
        let made = given_principal(principal)?;
        let former = core::mem::replace(&mut self.fields().princ, made);
        // SAFETY: it was the entry's alone.
        unsafe { free_principal(former) };
        Ok(())
    }

    /// Sets the attributes: bits from [`attribute`](crate::kdb::attribute).
    pub fn set_attributes(&mut self, attributes: u32) {
        self.fields().attributes = attributes.cast_signed();
    }

    /// Sets the maximum ticket lifetime. Zero selects the realm's maximum.
    pub fn set_max_life(&mut self, life: Duration) {
        self.fields().max_life = seconds(life);
    }

    /// Sets the maximum renewable lifetime.
    pub fn set_max_renewable_life(&mut self, life: Duration) {
        self.fields().max_renewable_life = seconds(life);
    }

    /// Sets the principal's expiration time.
    pub fn set_expiration(&mut self, time: Option<UnixTime>) {
        self.fields().expiration = stamp(time);
    }

    /// Sets the password's expiration time.
    pub fn set_pw_expiration(&mut self, time: Option<UnixTime>) {
        self.fields().pw_expiration = stamp(time);
    }

    /// Sets the time of the last successful authentication.
    pub fn set_last_success(&mut self, time: Option<UnixTime>) {
        self.fields().last_success = stamp(time);
    }

    /// Sets the time of the last failed authentication.
    pub fn set_last_failed(&mut self, time: Option<UnixTime>) {
        self.fields().last_failed = stamp(time);
    }

    /// Sets the number of failed authentications since the last success.
    pub fn set_fail_auth_count(&mut self, count: u32) {
        self.fields().fail_auth_count = count;
    }

    /// Sets the mask of changed fields (`KADM5_*`), for databases that use it.
    pub fn set_mask(&mut self, mask: u32) {
        self.fields().mask = mask;
    }

    /// Sets module-specific data.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is longer than 65,535 bytes.
    pub fn set_e_data(&mut self, data: &[u8]) -> Result<()> {
        let length = u16::try_from(data.len()).map_err(|_| Error::from(libc::EINVAL))?;
        let made = if data.is_empty() { null_mut() } else { copied(data)? };
        let fields = self.fields();
        fields.e_length = length;
        let former = core::mem::replace(&mut fields.e_data, made);
        // SAFETY: it was the entry's alone, of `malloc` or null.
        unsafe { libc::free(former.cast()) };
        Ok(())
    }

    /// Sets tagged data, replacing data of the same type.
    ///
    /// # Errors
    ///
    /// Returns any error from [`TlData::new`], or an error if the entry already contains 32,767 items.
    pub fn set_tl_data(&mut self, tl_type: i16, contents: &[u8]) -> Result<()> {
        let checked = TlData::new(tl_type, contents)?;
        self.remove_tl_data(tl_type);
        self.push_tl_data(tl_type, checked.contents())
    }

    /// Removes tagged data by type.
    pub fn remove_tl_data(&mut self, tl_type: i16) {
        let fields = self.fields();
        let mut link = &raw mut fields.tl_data;
        // SAFETY: the list is the entry's alone: each link is the first field or one of a node, and a node that is unlinked is freed.
        unsafe {
            while !(*link).is_null() {
                let node = *link;
                if (*node).tl_data_type == tl_type {
                    *link = (*node).tl_data_next;
                    libc::free((*node).tl_data_contents.cast());
                    libc::free(node.cast());
                    fields.n_tl_data -= 1;
                } else {
                    link = &raw mut (*node).tl_data_next;
                }
            }
        }
    }

    /// Appends tagged data.
    pub(crate) fn push_tl_data(&mut self, tl_type: i16, contents: &[u8]) -> Result<()> {
        let fields = self.fields();
        // SAFETY: the list is the entry's alone.
        unsafe { push(&mut fields.tl_data, &mut fields.n_tl_data, tl_type, contents) }
    }

    /// Sets a string attribute, or removes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the name or value contains a zero byte, or all attributes together exceed 65,535 bytes.
    pub fn set_string(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        if name.contains('\0') || value.is_some_and(|value| value.contains('\0')) {
            return Err(Error::new(libc::EINVAL, format!("string attribute {name:?}: must not contain a zero byte")));
        }
        let mut all = Vec::new();
        let mut add = |name: &[u8], value: &[u8]| all.extend([name, &[0], value, &[0]].concat());
        let current = self.as_ref();
        current.strings().filter(|(key, _)| *key != name.as_bytes()).for_each(|(key, value)| add(key, value));
        if let Some(value) = value {
            add(name.as_bytes(), value.as_bytes());
        }
        match all.is_empty() {
            true => {
                self.remove_tl_data(tl::STRING_ATTRS);
                Ok(())
            }
            false => self.set_tl_data(tl::STRING_ATTRS, &all),
        }
    }

    /// Replaces all keys, and sorts them so that the newest come first.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than 32,767 keys.
    pub fn set_key_data(&mut self, keys: &[KeyData]) -> Result<()> {
        let count = i16::try_from(keys.len())
            .map_err(|_| Error::new(libc::EINVAL, "an entry must not have more than 32767 keys"))?;
        let mut sorted: Vec<&KeyData> = keys.iter().collect();
        sorted.sort_by_key(|key| core::cmp::Reverse(key.kvno()));
        let made = if keys.is_empty() { null_mut() } else { zeroed::<krb5_key_data>(keys.len())? };
        for (at, key) in sorted.into_iter().enumerate() {
            // SAFETY: the array has an element for each key, and is nobody else's.
            if let Err(error) = unsafe { fill_key_data(&mut *made.add(at), key) } {
                // SAFETY: it was just made, and what is not filled is zero.
                unsafe { free_key_data(made, keys.len()) };
                return Err(error);
            }
        }
        let fields = self.fields();
        let former = core::mem::replace(&mut fields.key_data, made);
        let former_count = core::mem::replace(&mut fields.n_key_data, count);
        // SAFETY: it was the entry's alone.
        unsafe { free_key_data(former, former_count.try_into().unwrap_or(0)) };
        Ok(())
    }
}

impl DbEntryRef<'_> {
    /// Copies the entry so that it can outlive the call.
    ///
    /// # Errors
    ///
    /// Returns an error if memory allocation fails.
    pub fn to_entry(self) -> Result<DbEntry> {
        let mut copy = DbEntry::empty()?;
        let (source, fields) = (self.0.get(), copy.fields());
        fields.mask = source.mask;
        fields.attributes = source.attributes;
        (fields.max_life, fields.max_renewable_life) = (source.max_life, source.max_renewable_life);
        (fields.expiration, fields.pw_expiration) = (source.expiration, source.pw_expiration);
        (fields.last_success, fields.last_failed) = (source.last_success, source.last_failed);
        fields.fail_auth_count = source.fail_auth_count;
        if let Some(principal) = self.principal() {
            copy.set_principal(&principal.to_principal())?;
        }
        for data in self.tl_data() {
            copy.push_tl_data(data.tl_type(), data.contents())?;
        }
        let keys = self.key_data().map(|key| key.to_key_data()).collect::<Result<Vec<_>>>()?;
        copy.set_key_data(&keys)?;
        copy.set_e_data(self.e_data())?;
        Ok(copy)
    }
}

impl DbEntry {
    /// Replaces the keys of an entry owned by the host.
    ///
    /// # Safety
    ///
    /// The entry must be valid, and its keys must have been allocated with `malloc`.
    pub(crate) unsafe fn give_keys(keys: &[KeyData], entry: *mut krb5_db_entry) -> Result<()> {
        let mut made = Self::empty()?;
        made.set_key_data(keys)?;
        // SAFETY: the caller's; what the entry had is freed with the other.
        let (given, made) = unsafe { (&mut *entry, made.fields()) };
        core::mem::swap(&mut given.key_data, &mut made.key_data);
        core::mem::swap(&mut given.n_key_data, &mut made.n_key_data);
        Ok(())
    }
}

impl fmt::Debug for DbEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbEntry").field("principal", &self.as_ref().principal()).finish_non_exhaustive()
    }
}

impl Drop for DbEntry {
    fn drop(&mut self) {
        let pointer = self.0.as_ptr();
        // SAFETY: the entry is this value's alone, and all its parts are of `malloc`.
        unsafe {
            let fields = &mut *pointer;
            libc::free(fields.e_data.cast());
            free_principal(fields.princ);
            free_tl_data(fields.tl_data);
            free_key_data(fields.key_data, fields.n_key_data.try_into().unwrap_or(0));
            libc::free(pointer.cast());
        }
    }
}

/// Adds an item to a list of tagged data.
///
/// # Safety
///
/// The list must be valid, allocated with `malloc`, and owned by the caller.
pub(crate) unsafe fn push(list: &mut *mut krb5_tl_data, count: &mut i16, tl_type: i16, contents: &[u8]) -> Result<()> {
    let length = u16::try_from(contents.len()).map_err(|_| Error::from(libc::EINVAL))?;
    let counted =
        count.checked_add(1).ok_or_else(|| Error::new(libc::EINVAL, "more than 32767 tagged data entries"))?;
    let node = zeroed::<krb5_tl_data>(1)?;
    let contents = copied(contents).inspect_err(|_| {
        // SAFETY: it was just made.
        unsafe { libc::free(node.cast()) }
    })?;
    // SAFETY: the node was just made; the list ends in a null pointer.
    unsafe {
        ((*node).tl_data_type, (*node).tl_data_length, (*node).tl_data_contents) = (tl_type, length, contents);
        let mut link = core::ptr::from_mut(list);
        while !(*link).is_null() {
            link = &raw mut (**link).tl_data_next;
        }
        *link = node;
    }
    *count = counted;
    Ok(())
}

/// Frees a list of tagged data.
///
/// # Safety
///
/// The list must be null or valid, allocated with `malloc`, and not used afterwards.
pub(crate) unsafe fn free_tl_data(mut list: *mut krb5_tl_data) {
    // SAFETY: the caller's.
    unsafe {
        while !list.is_null() {
            let next = (*list).tl_data_next;
            libc::free((*list).tl_data_contents.cast());
            libc::free(list.cast());
            list = next;
        }
    }
}

/// Allocates a copy of a principal that libkrb5 frees.
fn given_principal(principal: &Principal) -> Result<*mut krb5_principal_data> {
    let components = principal.components();
    let count = i32::try_from(components.len()).map_err(|_| Error::from(libc::EINVAL))?;
    let made = zeroed::<krb5_principal_data>(1)?;
    // SAFETY: it was just made; each field is freed with it once it is written, and the array has room for all components.
    let filled = unsafe {
        let fields = &mut *made;
        (|| {
            fields.type_ = principal.name_type();
            fill_data(&mut fields.realm, principal.realm())?;
            fields.data = zeroed::<krb5_data>(components.len())?;
            fields.length = count;
            for (at, component) in components.iter().enumerate() {
                fill_data(&mut *fields.data.add(at), component)?;
            }
            Ok(())
        })()
    };
    match filled {
        Ok(()) => Ok(made),
        Err(error) => {
            // SAFETY: it was just made, and what is not filled is zero.
            unsafe { free_principal(made) };
            Err(error)
        }
    }
}

fn fill_data(data: &mut krb5_data, bytes: &[u8]) -> Result<()> {
    data.length = u32::try_from(bytes.len()).map_err(|_| Error::from(libc::EINVAL))?;
    data.data = terminated(bytes)?.cast();
    Ok(())
}

/// Frees a principal as libkrb5 does.
///
/// # Safety
///
/// The principal must be null, or valid, allocated with `malloc`, and not used afterwards.
unsafe fn free_principal(principal: *mut krb5_principal_data) {
    if principal.is_null() {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        let fields = &*principal;
        for at in 0..usize::try_from(fields.length).unwrap_or(0) {
            libc::free((*fields.data.add(at)).data.cast());
        }
        libc::free(fields.data.cast());
        libc::free(fields.realm.data.cast());
        libc::free(principal.cast());
    }
}

/// Writes a key into a zeroed structure.
pub(crate) fn fill_key_data(out: &mut krb5_key_data, key: &KeyData) -> Result<()> {
    let salt = key.salt();
    let salt_bytes = salt.map_or(&[][..], |salt| &salt.data);
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).map_err(|_| Error::from(libc::EINVAL));
    out.key_data_kvno = key.kvno();
    out.key_data_ver = if salt.is_some() { 2 } else { 1 };
    out.key_data_type = [key.enctype(), salt.map_or(0, |salt| salt.salttype)];
    out.key_data_length = [length(key.contents())?, length(salt_bytes)?];
    let contents = copied(key.contents())?;
    out.key_data_contents = [contents, null_mut()];
    if !salt_bytes.is_empty() {
        out.key_data_contents = [contents, copied(salt_bytes)?];
    }
    Ok(())
}

/// Zeroizes and frees the content of a key.
///
/// # Safety
///
/// The key's content pointers must be null, or valid, allocated with `malloc`, and not used afterwards.
pub(crate) unsafe fn free_key_contents(key: &krb5_key_data) {
    for (contents, length) in key.key_data_contents.into_iter().zip(key.key_data_length) {
        if !contents.is_null() {
            // SAFETY: the caller's.
            unsafe {
                slice::from_raw_parts_mut(contents, length.into()).zeroize();
                libc::free(contents.cast());
            }
        }
    }
}

/// Zeroizes and frees an array of keys.
///
/// # Safety
///
/// The array must be null, or contain `count` valid keys, be allocated with `malloc`, and not be used afterwards.
unsafe fn free_key_data(keys: *mut krb5_key_data, count: usize) {
    if keys.is_null() {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        slice::from_raw_parts(keys, count).iter().for_each(|key| free_key_contents(key));
        libc::free(keys.cast());
    }
}
