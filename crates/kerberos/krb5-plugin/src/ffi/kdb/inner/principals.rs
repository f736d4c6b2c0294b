//! Principal methods of the underlying database.

use core::ffi::{CStr, c_int, c_void};
use core::ptr::null_mut;

use tagwise_krb5_plugin_sys::link::kdb as libkdb5;
use tagwise_krb5_plugin_sys::mit::krb5_db_entry;

use super::{Inner, Name, optional, optional_pointer};
use crate::ffi::guard::caught;
use crate::host::lent::Lent;
use crate::kdb::{DbEntry, Flags, IterFlags, Visitor, tl};
use crate::view::DbEntryRef;
use crate::{Error, Result, codes};

impl Inner {
    /// Returns the entry of a principal.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_get_principal`, except for `KRB5_KDB_NOENTRY`.
    pub fn get_principal<'n>(&self, name: impl Into<Name<'n>>, flags: Flags) -> Result<Option<DbEntry>> {
        name.into().with(|name| {
            let mut found = null_mut();
            // SAFETY: the context is this value's, the name is only read, and an entry that is returned is the caller's.
            unsafe {
                let code = libkdb5::krb5_db_get_principal(self.context, name, flags.0, &raw mut found)?;
                self.found(code, found)
            }
        })
    }

    /// Converts the result of a lookup.
    ///
    /// # Safety
    ///
    /// If `code` is 0, `found` must be null or valid, and owned by the caller, who must not use it afterwards.
    pub(super) unsafe fn found(&self, code: i32, found: *mut krb5_db_entry) -> Result<Option<DbEntry>> {
        if code == codes::KRB5_KDB_NOENTRY {
            return Ok(None);
        }
        self.done(code)?;
        // SAFETY: the caller's.
        unsafe {
            let Some(lent) = Lent::new(found.cast_const()) else { return Err(codes::KRB5_KDB_INTERNAL_ERROR.into()) };
            if lent.get().e_data.is_null() {
                return Ok(DbEntry::from_raw(found));
            }
            // The module's own data may need the module to be freed.
            let copy = DbEntryRef(lent).to_entry();
            libkdb5::krb5_db_free_principal(self.context, found)?;
            copy.map(Some)
        }
    }

    /// Creates or modifies an entry.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_put_principal`.
    pub fn put_principal(&self, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        let mut copy = entry.to_entry()?;
        for argument in db_args {
            copy.push_tl_data(tl::DB_ARGS, argument.to_bytes_with_nul())?;
        }
        // SAFETY: the context is this value's, and the entry one's own, which the function may change.
        self.done(unsafe { libkdb5::krb5_db_put_principal(self.context, copy.pointer()) }?)
    }

    /// Deletes an entry.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_delete_principal`.
    pub fn delete_principal<'n>(&self, name: impl Into<Name<'n>>) -> Result<()> {
        name.into().with(|name| {
            let name = core::ptr::from_ref(name).cast_mut();
            // SAFETY: the context is this value's, and the name is only read.
            self.done(unsafe { libkdb5::krb5_db_delete_principal(self.context, name) }?)
        })
    }

    /// Renames an entry.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_rename_principal`.
    pub fn rename_principal<'n>(&self, source: impl Into<Name<'n>>, target: impl Into<Name<'n>>) -> Result<()> {
        let target = target.into();
        source.into().with(|source| {
            target.with(|target| {
                let (source, target) = (core::ptr::from_ref(source).cast_mut(), core::ptr::from_ref(target).cast_mut());
                // SAFETY: the context is this value's, and the names are only read.
                self.done(unsafe { libkdb5::krb5_db_rename_principal(self.context, source, target) }?)
            })
        })
    }

    /// Calls a visitor for each entry. An error from the visitor ends the iteration.
    ///
    /// # Errors
    ///
    /// Returns the visitor's error, or any error from `krb5_db_iterate`.
    pub fn iterate(&self, match_entry: Option<&CStr>, flags: IterFlags, visitor: &mut Visitor<'_>) -> Result<()> {
        let mut pattern = optional(match_entry);
        let mut walk = Walk { visitor, failed: None };
        // SAFETY: the context is this value's; `show` takes the address of the walk, and runs during the call alone.
        let code = unsafe {
            let argument = (&raw mut walk).cast::<c_void>();
            let flags = flags.0.cast_signed();
            libkdb5::krb5_db_iterate(self.context, optional_pointer(&mut pattern), Some(show), argument, flags)?
        };
        match walk.failed {
            Some(error) => Err(error),
            None => self.done(code),
        }
    }
}

/// A visitor, and the error that ended its iteration.
struct Walk<'w, 'v> {
    visitor: &'w mut Visitor<'v>,
    failed: Option<Error>,
}

unsafe extern "C" fn show(argument: *mut c_void, entry: *mut krb5_db_entry) -> c_int {
    // SAFETY: the argument is the walk of `iterate`, which nothing else uses meanwhile.
    let walk = unsafe { &mut *argument.cast::<Walk<'_, '_>>() };
    let shown = caught(|| {
        // SAFETY: the entry is valid during the call.
        let entry = unsafe { Lent::new(entry.cast_const()) }.ok_or(codes::KRB5_KDB_INTERNAL_ERROR)?;
        (walk.visitor)(DbEntryRef(entry).to_entry()?)
    });
    match shown.unwrap_or_else(|| Err(codes::KRB5_KDB_INTERNAL_ERROR.into())) {
        Ok(()) => 0,
        Err(error) => {
            let code = error.code();
            walk.failed = Some(error);
            code
        }
    }
}
