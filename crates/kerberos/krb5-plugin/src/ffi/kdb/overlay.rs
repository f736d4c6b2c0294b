//! The host's configuration with a different `[dbmodules]` section for the realm's database.

use core::ffi::{CStr, c_char, c_long, c_void};
use core::ptr::null_mut;
use std::ffi::CString;
use std::sync::Arc;

use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::profile::{PROF_NO_RELATION, profile_vtable};

use crate::ffi::guard::caught;
use crate::host::context::{c_string, done};
use crate::host::lent::texts;
use crate::host::memory::{copied, zeroed};
use crate::view::Context;
use crate::{Error, Result};

/// The data of the profile's methods.
struct Overlay {
    below: *mut c_void,
    realm: CString,
    section: CString,
}

// SAFETY: the profile library locks what it shares.
unsafe impl Send for Overlay {}
// SAFETY: as above.
unsafe impl Sync for Overlay {}

impl Drop for Overlay {
    fn drop(&mut self) {
        // SAFETY: the profile was got for this value alone.
        let _ = unsafe { link::profile_release(self.below) };
    }
}

/// Creates a profile from the context's configuration that uses `section` for the realm's database. The caller must release
/// it.
pub(super) fn profile(context: &Context<'_>, realm: &str, section: &str) -> Result<*mut c_void> {
    let (realm, section) = (c_string(realm)?, c_string(section)?);
    let mut below = null_mut();
    // SAFETY: the context is valid.
    done(unsafe { link::krb5_get_profile(context.checked()?, &raw mut below) }?)?;
    let data = Arc::into_raw(Arc::new(Overlay { below, realm, section }));
    let mut table = profile_vtable {
        minor_ver: 1,
        get_values: Some(get_values),
        free_values: Some(free_values),
        cleanup: Some(cleanup),
        copy: Some(copy),
        iterator_create: None,
        iterator: None,
        iterator_free: None,
        free_string: None,
        writable: None,
        modified: None,
        update_relation: None,
        rename_section: None,
        add_relation: None,
        flush: None,
    };
    let mut made = null_mut();
    // SAFETY: the table is copied, and its functions take this data, which the profile's end frees.
    let code = unsafe { link::profile_init_vtable(&raw mut table, data.cast_mut().cast(), &raw mut made) };
    match code {
        Ok(0) => Ok(made),
        failed => {
            // SAFETY: no profile has it.
            drop(unsafe { Arc::from_raw(data) });
            Err(failed.map_or_else(Error::from, |code| Error::from(i32::try_from(code).unwrap_or(libc::EINVAL))))
        }
    }
}

impl Overlay {
    fn changes(&self, names: &[&CStr]) -> bool {
        names == [c"realms", self.realm.as_c_str(), c"database_module"]
    }
}

/// Creates a list of one value, allocated with `malloc` like the profile library's own lists.
fn one(value: &CStr) -> Result<*mut *mut c_char> {
    let list = zeroed::<*mut c_char>(2)?;
    match copied(value.to_bytes_with_nul()) {
        Ok(value) => {
            // SAFETY: the list was just made, and has room for two.
            unsafe { list.write(value.cast()) };
            Ok(list)
        }
        Err(error) => {
            // SAFETY: it was just made.
            unsafe { libc::free(list.cast()) };
            Err(error)
        }
    }
}

unsafe extern "C" fn get_values(data: *mut c_void, names: *const *const c_char, out: *mut *mut *mut c_char) -> c_long {
    // SAFETY: the data is that of `profile`; the names are a list with its end, and `out` may be written to.
    let found = caught(|| unsafe {
        let overlay = &*data.cast::<Overlay>();
        if overlay.changes(&texts(names)) {
            return match one(&overlay.section) {
                Ok(list) => {
                    out.write(list);
                    0
                }
                Err(_) => libc::ENOMEM.into(),
            };
        }
        link::profile_get_values(overlay.below, names, out).unwrap_or(PROF_NO_RELATION)
    });
    found.unwrap_or(PROF_NO_RELATION)
}

unsafe extern "C" fn free_values(_: *mut c_void, values: *mut *mut c_char) {
    // SAFETY: the list is one of `get_values`, in either case of `malloc`, as are its strings.
    let _ = unsafe { link::profile_free_list(values) };
}

unsafe extern "C" fn cleanup(data: *mut c_void) {
    // SAFETY: the data is that of `profile` or `copy`, and its profile ends.
    caught(|| drop(unsafe { Arc::from_raw(data.cast_const().cast::<Overlay>()) }));
}

unsafe extern "C" fn copy(data: *mut c_void, out: *mut *mut c_void) -> c_long {
    // SAFETY: the data is that of `profile` or `copy`, and `out` may be written to.
    unsafe {
        Arc::increment_strong_count(data.cast_const().cast::<Overlay>());
        out.write(data);
    }
    0
}
