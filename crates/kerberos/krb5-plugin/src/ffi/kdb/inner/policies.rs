//! Policy methods of the underlying database.

use core::ffi::{CStr, c_void};
use core::ptr::null_mut;

use tagwise_krb5_plugin_sys::link::kdb as libkdb5;
use tagwise_krb5_plugin_sys::mit::osa_policy_ent_t;

use super::{Inner, optional, optional_pointer};
use crate::ffi::guard::caught;
use crate::ffi::kdb::policies::{Given, policy};
use crate::kdb::{Policy, PolicyVisitor};
use crate::{Error, Result, codes};

impl Inner {
    /// Creates a policy.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_create_policy`.
    pub fn create_policy(&self, policy: &Policy) -> Result<()> {
        let given = Given::new(policy)?;
        // SAFETY: the context is this value's, and the record is only read.
        self.done(unsafe { libkdb5::krb5_db_create_policy(self.context, given.pointer()) }?)
    }

    /// Returns a policy.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_get_policy`, except for `KRB5_KDB_NOENTRY`.
    pub fn get_policy(&self, name: &CStr) -> Result<Option<Policy>> {
        let mut found = null_mut();
        // SAFETY: the context is this value's, the name is only read, and a record that is returned is the caller's.
        unsafe {
            match libkdb5::krb5_db_get_policy(self.context, name.as_ptr().cast_mut(), &raw mut found)? {
                codes::KRB5_KDB_NOENTRY => Ok(None),
                code => {
                    self.done(code)?;
                    let copy = policy(found.cast_const());
                    libkdb5::krb5_db_free_policy(self.context, found)?;
                    copy.map(Some)
                }
            }
        }
    }

    /// Modifies a policy.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_put_policy`.
    pub fn put_policy(&self, policy: &Policy) -> Result<()> {
        let given = Given::new(policy)?;
        // SAFETY: the context is this value's, and the record is only read.
        self.done(unsafe { libkdb5::krb5_db_put_policy(self.context, given.pointer()) }?)
    }

    /// Calls a visitor for each policy.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_iter_policy`.
    pub fn iter_policy(&self, match_entry: Option<&CStr>, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        let mut pattern = optional(match_entry);
        let mut walk = Walk { visitor, failed: None };
        // SAFETY: the context is this value's; `show` takes the address of the walk, and runs during the call alone.
        let code = unsafe {
            let argument = (&raw mut walk).cast::<c_void>();
            libkdb5::krb5_db_iter_policy(self.context, optional_pointer(&mut pattern), Some(show), argument)?
        };
        match walk.failed {
            Some(error) => Err(error),
            None => self.done(code),
        }
    }

    /// Deletes a policy.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_delete_policy`.
    pub fn delete_policy(&self, name: &CStr) -> Result<()> {
        // SAFETY: the context is this value's, and the name is only read.
        self.done(unsafe { libkdb5::krb5_db_delete_policy(self.context, name.as_ptr().cast_mut()) }?)
    }
}

/// A visitor, and the first error in reading a policy.
struct Walk<'w, 'v> {
    visitor: &'w mut PolicyVisitor<'v>,
    failed: Option<Error>,
}

unsafe extern "C" fn show(argument: *mut c_void, record: osa_policy_ent_t) {
    // SAFETY: the argument is the walk of `iter_policy`, which nothing else uses meanwhile.
    let walk = unsafe { &mut *argument.cast::<Walk<'_, '_>>() };
    let shown = caught(|| {
        // SAFETY: the record is valid during the call.
        let copy = unsafe { policy(record.cast_const()) }?;
        (walk.visitor)(&copy);
        Ok(())
    });
    if let Err(error) = shown.unwrap_or_else(|| Err(codes::KRB5_KDB_INTERNAL_ERROR.into())) {
        walk.failed.get_or_insert(error);
    }
}
