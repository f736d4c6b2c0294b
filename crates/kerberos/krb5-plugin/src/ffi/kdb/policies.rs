//! Password policies.

use core::ffi::{c_char, c_void};
use core::ptr::null_mut;
use std::ffi::CStr;
use std::time::Duration;

use tagwise_krb5_plugin_sys::mit::{
    _osa_policy_ent_t as Record, krb5_context, krb5_error_code, krb5_tl_data, osa_adb_iter_policy_func,
    osa_policy_ent_t,
};

use super::{broken, state};
use crate::host::lent::{Lent, text};
use crate::host::memory::{copied, zeroed};
use crate::kdb::entry::{free_tl_data, push};
use crate::kdb::{Kdb, Policy, TlData};
use crate::{Result, codes};

/// The structure version in which all fields are valid.
const VERSION: i32 = 3;

fn span(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

fn seconds(span: Duration) -> u32 {
    u32::try_from(span.as_secs()).unwrap_or(u32::MAX)
}

/// Copies a policy owned by the host.
///
/// # Safety
///
/// The pointer must be null or valid.
pub(super) unsafe fn policy(record: *const Record) -> Result<Policy> {
    // SAFETY: the caller's.
    let lent = unsafe { Lent::new(record) }.ok_or_else(broken)?;
    let fields = lent.get();
    let mut policy = Policy::new(lent.text(|policy| policy.name.cast_const()).ok_or_else(broken)?);
    policy.pw_min_life = span(fields.pw_min_life);
    policy.pw_max_life = span(fields.pw_max_life);
    policy.pw_min_length = fields.pw_min_length;
    policy.pw_min_classes = fields.pw_min_classes;
    policy.pw_history_num = fields.pw_history_num;
    policy.pw_max_fail = fields.pw_max_fail;
    policy.pw_failcnt_interval = span(fields.pw_failcnt_interval);
    policy.pw_lockout_duration = span(fields.pw_lockout_duration);
    policy.attributes = fields.attributes;
    policy.max_life = span(fields.max_life);
    policy.max_renewable_life = span(fields.max_renewable_life);
    policy.allowed_keysalts = lent.text(|policy| policy.allowed_keysalts.cast_const()).map(CStr::to_owned);
    let mut next = lent.pointed(|policy| policy.tl_data.cast_const());
    while let Some(data) = next {
        let contents =
            data.array(|data: &krb5_tl_data| (data.tl_data_contents.cast_const(), data.tl_data_length.into()));
        policy.tl_data.push(TlData::new(data.get().tl_data_type, contents)?);
        next = data.pointed(|data| data.tl_data_next.cast_const());
    }
    Ok(policy)
}

/// A policy that libkdb5 frees.
pub(super) struct Given(*mut Record);

impl Given {
    pub(super) fn new(policy: &Policy) -> Result<Self> {
        let given = Self(zeroed::<Record>(1)?);
        // SAFETY: it was just made, and is nobody else's; each field is freed with it once it is written.
        let record = unsafe { &mut *given.0 };
        record.version = VERSION;
        record.name = copied(policy.name.as_bytes_with_nul())?.cast();
        record.pw_min_life = seconds(policy.pw_min_life);
        record.pw_max_life = seconds(policy.pw_max_life);
        record.pw_min_length = policy.pw_min_length;
        record.pw_min_classes = policy.pw_min_classes;
        record.pw_history_num = policy.pw_history_num;
        record.pw_max_fail = policy.pw_max_fail;
        record.pw_failcnt_interval = seconds(policy.pw_failcnt_interval);
        record.pw_lockout_duration = seconds(policy.pw_lockout_duration);
        record.attributes = policy.attributes;
        record.max_life = seconds(policy.max_life);
        record.max_renewable_life = seconds(policy.max_renewable_life);
        if let Some(keysalts) = &policy.allowed_keysalts {
            record.allowed_keysalts = copied(keysalts.as_bytes_with_nul())?.cast();
        }
        for data in &policy.tl_data {
            // SAFETY: the list is the record's alone.
            unsafe { push(&mut record.tl_data, &mut record.n_tl_data, data.tl_type(), data.contents())? };
        }
        Ok(given)
    }

    pub(super) fn pointer(&self) -> osa_policy_ent_t {
        self.0
    }

    /// Transfers ownership of the policy to libkdb5.
    fn into_raw(self) -> osa_policy_ent_t {
        let record = self.0;
        core::mem::forget(self);
        record
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        // SAFETY: the record is this value's alone, and all its parts are of `malloc`.
        unsafe {
            let record = &*self.0;
            libc::free(record.name.cast());
            libc::free(record.allowed_keysalts.cast());
            free_tl_data(record.tl_data);
            libc::free(self.0.cast());
        }
    }
}

/// Borrows a policy's name from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn named<'a>(name: *const c_char) -> Result<&'a CStr> {
    // SAFETY: the caller's.
    unsafe { text(name) }.ok_or_else(broken)
}

pub(super) unsafe extern "C" fn create_policy<T: Kdb>(
    context: krb5_context,
    record: osa_policy_ent_t,
) -> krb5_error_code {
    // SAFETY: the host's arguments are valid during the call, and the context's module is this one.
    unsafe { state::call::<T>(context, |driver, view| driver.create_policy(view, &policy(record)?)) }
}

pub(super) unsafe extern "C" fn get_policy<T: Kdb>(
    context: krb5_context,
    name: *mut c_char,
    out: *mut osa_policy_ent_t,
) -> krb5_error_code {
    // SAFETY: as of `create_policy`; the host frees the record.
    unsafe {
        state::call::<T>(context, |driver, view| {
            if out.is_null() {
                return Err(broken());
            }
            out.write(null_mut());
            let found = driver.get_policy(view, named(name)?)?.ok_or(codes::KRB5_KDB_NOENTRY)?;
            out.write(Given::new(&found)?.into_raw());
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn put_policy<T: Kdb>(context: krb5_context, record: osa_policy_ent_t) -> krb5_error_code {
    // SAFETY: as of `create_policy`.
    unsafe { state::call::<T>(context, |driver, view| driver.put_policy(view, &policy(record)?)) }
}

pub(super) unsafe extern "C" fn iter_policy<T: Kdb>(
    context: krb5_context,
    pattern: *mut c_char,
    visitor: osa_adb_iter_policy_func,
    argument: *mut c_void,
) -> krb5_error_code {
    // SAFETY: as of `create_policy`; the visitor takes its argument and a record, which it does not free.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let visitor = visitor.ok_or_else(broken)?;
            let mut failed = None;
            driver.iter_policy(view, text(pattern), &mut |policy| match Given::new(policy) {
                Ok(record) => visitor(argument, record.pointer()),
                Err(error) => failed = Some(error),
            })?;
            failed.map_or(Ok(()), Err)
        })
    }
}

pub(super) unsafe extern "C" fn delete_policy<T: Kdb>(context: krb5_context, name: *mut c_char) -> krb5_error_code {
    // SAFETY: as of `create_policy`.
    unsafe { state::call::<T>(context, |driver, view| driver.delete_policy(view, named(name)?)) }
}
